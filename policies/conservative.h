/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative.h - backfilling that keeps its promises
 *
 * In ONE file:  #define FAIR_CONSERVATIVE_IMPLEMENTATION
 *               #define FAIR_CHECKPOINT_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #define FAIR_QUEUE_IMPLEMENTATION
 *               #include "conservative.h"
 *
 * Every queued job holds a reservation; its first one is its guaranteed start
 * time. A job that ends early leaves a hole, and compression moves reservations
 * into it:
 *
 *   8 |######|22222222|         8 |##|22222222|
 *     |######|33|44444|   =>      |##|33|44444|      # ended early at t
 *   0 +------+--------+-->      0 +--+--------+-->
 *     0    t e                    0  t
 *
 * There are three compressions. None of them moves a job to a later start:
 *   FAIR_COMPRESS              scans each job once, in the order of the
 *                              reservations [MF01]
 *   FAIR_COMPRESS_PRIORITIZED  scans by priority, and again from the highest
 *                              priority after each move [LG13]
 *   FAIR_COMPRESS_DELAYED      scans by priority, and moves only jobs that can
 *                              start now or that an arriving job would
 *                              overtake [LG13, CF14]
 *
 * EXAMPLE
 *   struct fair_queued job[16] = { 0 };
 *   struct fair_conservative c;
 *   size_t bytes = fair_conservative_size(FAIR_COMPRESS, 16, 16);
 *   void *memory = malloc(bytes);
 *   uint32_t slot;
 *
 *   fair_conservative_init(&c, sizeof(c), memory, bytes, FAIR_COMPRESS, 16, 16,
 *                          job, sizeof(job[0]), 100, 0);
 *   job[0].rank.number = 7;
 *   job[0].walltime = 3600;
 *   job[0].procs = 64;
 *   fair_conservative_submit(&c, 0, 0, 0, NULL);
 *   while (fair_conservative_due(&c, 0, &slot, NULL))
 *           ;                                     // start the job in slot
 *   fair_conservative_give_back(&c, 600, 600, 3600, 64, NULL);   // it ended
 *   fair_conservative_compress(&c, 600, NULL);
 *
 * UNITS       seconds, intervals half-open; processors
 * ERRORS      0 or -FAIR_E...; an error changes nothing, except that the time
 *             may have advanced to @now, and that an unfinished scan may have
 *             been finished
 * MEMORY      the caller's, fair_conservative_size() bytes
 * THREADS     const calls may run concurrently
 * COMPLEXITY  Unless a function says more, it costs one query or one change of
 *             the profile, O(log steps). A compression scans each queued job,
 *             and queries the profile only for those that a freed interval can
 *             have helped (F1, F2).
 * DEFINES     FAIR_CONSERVATIVE_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 the profile's own   I2 the plan's   I3 the priority order's
 *             I4 pc, dc: both orders hold the same jobs
 *             I5 unplaced counts the jobs without a reservation
 *             I6 an unfinished scan resumes at a queued job
 *             By I1 the free processors are never negative: no processor is
 *             reserved twice.
 * SOURCES     [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001
 *             [LG13] Lindsay et al., Concurrency Comput. 25(4), 2013
 *             [CF14] Rajbhandary, Bunde & Leung, JSSPP 2014
 */
#ifndef FAIR_CONSERVATIVE_H
#define FAIR_CONSERVATIVE_H

#ifndef FAIR_CHECKPOINT_H
#include "../checkpoint.h"
#endif
#ifndef FAIR_PROFILE_H
#include "../profile.h"
#endif
#ifndef FAIR_QUEUE_H
#include "../queue.h"
#endif

#ifndef FAIR_CONSERVATIVE_API
#define FAIR_CONSERVATIVE_API FAIRSCHED_LINKAGE
#endif

#ifdef __cplusplus
extern "C" {
#endif

FAIRSCHED_REQUIRE(FAIR_CONSERVATIVE_API, fair_conservative);

enum fair_compression {
	FAIR_COMPRESS,
	FAIR_COMPRESS_PRIORITIZED,
	FAIR_COMPRESS_DELAYED
};

/**
 * struct fair_freed - private: a freed interval, [from, to).
 *
 * Outside of it no processors were freed; inside, at most @most are free at any
 * instant. @longest bounds the runs of free processors that meet it, in seconds
 * (F2).
 */
struct fair_freed {
	int64_t from, to, longest;
	int32_t most;
};

/* Private: a scan of the queued jobs that is not finished. */
struct fair_conservative_walk {
	struct fair_freed freed; /* not seen by the jobs that remain */
	uint32_t next;		 /* the slot to resume at; UINT32_MAX: the
				    first job */
	uint32_t kind;		 /* enum fair_conservative_kind */
};

/**
 * struct fair_moves - a callback for each reservation that an event moves.
 * @moved:   called after each move, with the start that the job had before
 *           (FAIR_FOREVER: none)
 * @context: the first argument of @moved
 *
 * Every event takes it as an argument, so that the caller can name that event
 * as the cause. NULL: no call.
 */
struct fair_moves {
	void (*moved)(void *context, uint32_t slot, int64_t from);
	void *context;
};

/**
 * struct fair_conservative - the reservations of a machine that keeps promises.
 * @profile:     running jobs, reservations, windows without capacity
 * @plan:        queued jobs by (start of the reservation, number)
 * @rank:        pc and dc: (priority, number) of each queued job's slot
 * @compression: enum fair_compression
 * @scans:       jobs until the scan limit
 *
 * A planner may read these fields, and may change @profile between
 * fair_conservative_open() and fair_conservative_close(). All others are
 * private.
 *
 * A job is a slot of the caller's array, whose elements begin with struct
 * fair_queued; while it is queued, rank.key is the start of its reservation, or
 * FAIR_FOREVER as long as it has none: the machine is too small for it.
 */
struct fair_conservative {
	struct fair_profile profile;
	struct fair_queue plan;
	struct fair_queue priority; /* pc and dc: by (priority, number) */
	struct fair_rank *rank;
	char *jobs;
	size_t stride;
	struct fair_freed freed; /* since no job had an earlier start */
	int64_t packed_until;	 /* dc: D1 */
	int64_t filled; /* the instant for which no job remains to be started
			   now; INT64_MIN: unknown */
	uint32_t most, others;
	struct fair_conservative_walk walk;
	uint64_t scans;
	uint32_t queries;  /* of the profile */
	uint32_t unplaced; /* queued jobs without a reservation */
	uint32_t compression;
};

/**
 * fair_conservative_size() - bytes for @jobs queued jobs.
 * @compression: enum fair_compression
 * @others:      the most reservations of other kinds at once: running jobs
 *               that still stand in the profile, windows without capacity
 *
 * Return: bytes; 0 if too many. Complexity: O(1).
 */
FAIR_CONSERVATIVE_API size_t fair_conservative_size(uint32_t compression,
						    uint32_t jobs,
						    uint32_t others);

/**
 * fair_conservative_init() - an idle machine without queued jobs.
 * @struct_size:   sizeof(struct fair_conservative)
 * @jobs, @others: as for fair_conservative_size()
 * @array:         the caller's jobs, elements of @stride bytes
 * @procs:         processors of the machine
 * @origin:        the first instant, seconds; not within the first or the last
 *                 2^38 values of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW for such an @origin; -FAIR_ENOMEM if
 * @bytes is too small. Complexity: O(jobs).
 */
FAIR_CONSERVATIVE_API int
fair_conservative_init(struct fair_conservative *c, size_t struct_size,
		       void *memory, size_t bytes, uint32_t compression,
		       uint32_t jobs, uint32_t others, void *array,
		       size_t stride, int32_t procs, int64_t origin);

/**
 * fair_conservative_submit() - reserve for an arriving job.
 * @slot:     the job's number, which is unique, walltime and procs are set
 * @priority: smallest first, ties by number; not used by FAIR_COMPRESS
 *
 * With FAIR_COMPRESS_DELAYED, the jobs that the new one would overtake move
 * first [CF14 2]. Afterwards rank.key is the guaranteed start time.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC; -FAIR_EOVERFLOW if the profile cannot
 * advance to @now. Complexity: dc scans queued jobs (D1).
 */
FAIR_CONSERVATIVE_API int
fair_conservative_submit(struct fair_conservative *c, int64_t now,
			 uint32_t slot, int64_t priority,
			 const struct fair_moves *moves);

/**
 * fair_conservative_give_back() - processors become free ahead of the plan.
 *
 * At @start a job ended that held @procs until @end, or capacity came back:
 * [@start, @end) is free again. Compress afterwards.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if fewer are in use; -FAIR_EOVERFLOW
 * beyond the horizon; -FAIR_ENOSPC for more steps than @others make.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_give_back(struct fair_conservative *c, int64_t now,
			    int64_t start, int64_t end, int32_t procs,
			    const struct fair_moves *moves);

/**
 * fair_conservative_compress() - move reservations into the freed interval.
 *
 * Complexity: O(queued jobs), for FAIR_COMPRESS_PRIORITIZED again after each
 * move; queries only for jobs that a freed interval can have helped.
 * Source: [MF01], [LG13], [CF14].
 */
FAIR_CONSERVATIVE_API void
fair_conservative_compress(struct fair_conservative *c, int64_t now,
			   const struct fair_moves *moves);

/**
 * fair_conservative_scan_limit() - limit the jobs that later calls may scan.
 * @scans: of compressions and of fair_conservative_due(); UINT64_MAX, the
 *         initial value: no limit
 *
 * At the limit a compression or fair_conservative_due() pauses, and the latter
 * returns false; fair_conservative_resume() and fair_conservative_due() go on.
 * Jobs that were not scanned keep their reservations. Every other call that
 * changes the state finishes the scan first.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_scan_limit(struct fair_conservative *c, uint64_t scans);

/** fair_conservative_is_unfinished() - whether a scan has paused. */
FAIR_CONSERVATIVE_API bool
fair_conservative_is_unfinished(const struct fair_conservative *c);

/** fair_conservative_resume() - go on with the scan; true: it is finished. */
FAIR_CONSERVATIVE_API bool
fair_conservative_resume(struct fair_conservative *c,
			 const struct fair_moves *moves);

/**
 * fair_conservative_take_procs() - [@start, @end) loses processors.
 *
 * A job overruns, or a node is down. Reservations that still fit stay, tried in
 * the order of the plan; then each of the others gets the earliest start that
 * remains, in the same order, and @moves is called for it.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if running jobs hold them;
 * -FAIR_EOVERFLOW beyond the horizon; -FAIR_ENOSPC for more steps than @others
 * make. Complexity: if fewer are free, O(queued jobs).
 */
FAIR_CONSERVATIVE_API int
fair_conservative_take_procs(struct fair_conservative *c, int64_t now,
			     int64_t start, int64_t end, int32_t procs,
			     const struct fair_moves *moves);

/**
 * fair_conservative_open() - take all queued jobs out of the profile.
 *
 * The caller may then change the profile, which holds running jobs and windows.
 * The next call must be fair_conservative_close(). Complexity: O(queued jobs).
 */
FAIR_CONSERVATIVE_API void
fair_conservative_open(struct fair_conservative *c, int64_t now,
		       const struct fair_moves *moves);

/**
 * fair_conservative_close() - put the reservations back.
 * @start, @end: where the caller changed the profile
 *
 * They stay or move, at the cost that fair_conservative_take_procs() states.
 * Compress afterwards if the change freed processors.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_close(struct fair_conservative *c, int64_t now, int64_t start,
			int64_t end, const struct fair_moves *moves);

/**
 * fair_conservative_withdraw() - remove a queued job. Compress afterwards.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_withdraw(struct fair_conservative *c, uint32_t slot,
			   const struct fair_moves *moves);

/**
 * fair_conservative_put_back() - queue a job again, whose start was refused or
 * that was modified. It gets the earliest start; no other job moves.
 *
 * Return: as fair_conservative_submit().
 */
FAIR_CONSERVATIVE_API int
fair_conservative_put_back(struct fair_conservative *c, int64_t now,
			   uint32_t slot, int64_t priority,
			   const struct fair_moves *moves);

/**
 * fair_conservative_restore() - queue a job with the reservation that it held
 * in a saved state: rank.key is its start, which may be before @now or
 * FAIR_FOREVER.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC; -FAIR_ERANGE if it does not fit;
 * -FAIR_EOVERFLOW.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_restore(struct fair_conservative *c, int64_t now,
			  uint32_t slot, int64_t priority,
			  const struct fair_moves *moves);

/**
 * fair_conservative_due() - the next job that starts now.
 *
 * The job leaves the queue; its reservation stays, because it runs from now on.
 * Call until false. Jobs whose start has passed come first, by that start, then
 * those due at @now by number.
 *
 * Complexity: dc scans queued jobs; the others scan those without a
 * reservation.
 */
FAIR_CONSERVATIVE_API bool
fair_conservative_due(struct fair_conservative *c, int64_t now, uint32_t *slot,
		      const struct fair_moves *moves);

/** fair_conservative_next() - the first reservation; FAIR_FOREVER: none. */
FAIR_CONSERVATIVE_API int64_t
fair_conservative_next(const struct fair_conservative *c);

/**
 * fair_conservative_clone() - the same plan over a copy of the caller's array.
 * @memory: @bytes as for the original, for the copy alone
 * @array:  the copy's jobs
 * @slot:   the copy's slot of each of @c's, or NULL where they are the same
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(jobs + steps).
 */
FAIR_CONSERVATIVE_API int fair_conservative_clone(
	struct fair_conservative *copy, void *memory, size_t bytes, void *array,
	const struct fair_conservative *c, const uint32_t *slot);

/** fair_conservative_is_reacting() - whether a compression has paused. */
FAIR_CONSERVATIVE_API bool
fair_conservative_is_reacting(const struct fair_conservative *c);

/** fair_conservative_finish() - finish the scan, whatever the limit. */
FAIR_CONSERVATIVE_API void
fair_conservative_finish(struct fair_conservative *c,
			 const struct fair_moves *moves);

/** fair_conservative_save() - write all but the jobs and their reservations. */
FAIR_CONSERVATIVE_API void
fair_conservative_save(const struct fair_conservative *c,
		       struct fair_checkpoint *f);

/**
 * fair_conservative_load() - read the same, after fair_conservative_restore()
 * was called for each queued job. @f->bad marks a state that cannot be.
 */
FAIR_CONSERVATIVE_API void fair_conservative_load(struct fair_conservative *c,
						  struct fair_checkpoint *f);

/** fair_conservative_check() - 0, or the first broken invariant; O(jobs). */
FAIR_CONSERVATIVE_API int
fair_conservative_check(const struct fair_conservative *c);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_CONSERVATIVE_H */

#if !defined(FAIR_CONSERVATIVE_IMPLEMENTED) &&                                 \
	(defined(FAIR_CONSERVATIVE_IMPLEMENTATION) ||                          \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_CONSERVATIVE_IMPLEMENTED

FAIR_CONSERVATIVE_API int FAIRSCHED_SYMBOL(fair_conservative)(void)
{
	return FAIRSCHED_VERSION;
}

/*
 * WHICH JOBS A FREED INTERVAL CAN HELP
 *
 * Let job j of walltime d hold [s, s + d), and let it have had no earlier start
 * when it was last scanned.
 *
 * F1. If j can start at some u < s now, processors were freed since then within
 * [u, min(u + d, s)): elsewhere its window is as it was. So if all intervals
 * freed since then lie inside [from, to), only starts u with u + d > from and
 * u < to need a query, and only if j needs no more than the `most` that is free
 * at any instant of them.
 *
 * F2. If u + d >= s, enough processors are free in [s - 1, s) as well; as j
 * could not start at s - 1, they were freed there: s is in (from, to].
 * Otherwise all of [u, u + d) is free now, and part of a run of free processors
 * that meets [from, to): d is at most the `longest` of these runs. That stays
 * true while other jobs take processors, because runs then only shrink; and
 * where a later freed interval joins two runs, it meets both.
 */
static void fair_freed_add(struct fair_freed *freed, struct fair_freed more)
{
	if (freed->from > more.from)
		freed->from = more.from;
	if (freed->to < more.to)
		freed->to = more.to;
	if (freed->longest < more.longest)
		freed->longest = more.longest;
	if (freed->most < more.most)
		freed->most = more.most;
}

static struct fair_freed fair_freed_none(void)
{
	struct fair_freed none = { INT64_MAX, INT64_MIN, 0, 0 };

	return none;
}

/* [from, to) was just released: jobs may start there, and perhaps now. */
static void fair_conservative_add_freed(struct fair_conservative *c,
					int64_t from, int64_t to)
{
	struct fair_freed hole = fair_freed_none();

	c->filled = INT64_MIN;
	if (from < c->profile.origin)
		from = c->profile.origin;
	if (from >= to)
		return;
	hole.from = from;
	hole.to = to;
	fair_must(fair_profile_max_free(&c->profile, from, to, &hole.most));
	fair_freed_add(&c->freed, hole);
}

/* Each reservation makes at most two steps: its start and its end. */
static uint64_t fair_conservative_steps(uint32_t jobs, uint32_t others)
{
	return 2 * ((uint64_t)jobs + others) + 1;
}

FAIR_CONSERVATIVE_API size_t fair_conservative_size(uint32_t compression,
						    uint32_t jobs,
						    uint32_t others)
{
	uint64_t steps = fair_conservative_steps(jobs, others);
	size_t profile, queue = fair_queue_size(jobs);

	if (steps > SIZE_MAX / 64) /* then the smaller queues fit too */
		return 0;
	profile = fair_profile_size((size_t)steps);
	if (compression != FAIR_COMPRESS)
		queue += queue + ((size_t)jobs + 1) * sizeof(struct fair_rank);
	return profile ? profile + queue : 0;
}

FAIR_CONSERVATIVE_API int
fair_conservative_init(struct fair_conservative *c, size_t struct_size,
		       void *memory, size_t bytes, uint32_t compression,
		       uint32_t jobs, uint32_t others, void *array,
		       size_t stride, int32_t procs, int64_t origin)
{
	size_t profile, queue = fair_queue_size(jobs);
	struct fair_conservative x;
	char *at = (char *)memory;
	int error;

	if (!c || !memory || struct_size != sizeof(*c) ||
	    compression > FAIR_COMPRESS_DELAYED)
		return -FAIR_EINVAL;
	if (!fair_conservative_size(compression, jobs, others) ||
	    bytes < fair_conservative_size(compression, jobs, others))
		return -FAIR_ENOMEM;
	FAIR_MEMSET(&x, 0, sizeof(x));
	profile = fair_profile_size(
		(size_t)fair_conservative_steps(jobs, others));
	error = fair_profile_init(&x.profile, sizeof(x.profile), at, profile,
				  procs, origin);
	if (!error)
		error = fair_queue_init(&x.plan, sizeof(x.plan), at + profile,
					queue, jobs, array, stride);
	/* A walltime before the origin must be a time too. */
	if (!error && origin < INT64_MIN + (INT64_C(1) << 38))
		error = -FAIR_EOVERFLOW;
	if (error)
		return error;
	if (compression != FAIR_COMPRESS) {
		fair_queue_init(&x.priority, sizeof(x.priority),
				at + profile + queue, queue, jobs, array,
				stride);
		at += profile + 2 * queue;
		at += (8 - (uintptr_t)at % 8) % 8;
		x.rank = (struct fair_rank *)(void *)at;
		fair_queue_rank_by(&x.priority, x.rank, sizeof(*x.rank));
	}
	x.jobs = (char *)array;
	x.stride = stride;
	x.most = jobs;
	x.others = others;
	x.compression = compression;
	x.freed = fair_freed_none();
	x.packed_until = x.filled = INT64_MIN;
	x.scans = UINT64_MAX;
	*c = x;
	return 0;
}

static struct fair_queued *
fair_conservative_job(const struct fair_conservative *c, uint32_t slot)
{
	return (struct fair_queued *)(void *)(c->jobs + slot * c->stride);
}

static void fair_conservative_report(const struct fair_moves *moves,
				     uint32_t slot, int64_t from)
{
	if (moves)
		moves->moved(moves->context, slot, from);
}

typedef int (*fair_conservative_changer)(struct fair_profile *, int64_t,
					 int64_t, int32_t);

/* Apply @change to the part of the reservation that is not past. */
static int fair_conservative_change(struct fair_conservative *c,
				    const struct fair_queued *j,
				    fair_conservative_changer change)
{
	int64_t start = j->rank.key, end;

	if (start == FAIR_FOREVER)
		return 0;
	end = start + j->walltime;
	if (start < c->profile.origin)
		start = c->profile.origin;
	return start < end ? change(&c->profile, start, end - start, j->procs)
			   : 0;
}

/* Reserve from @to on for a job that is not in the plan; FAIR_FOREVER: it has
 * no reservation. */
static void fair_conservative_reserve(struct fair_conservative *c,
				      uint32_t slot, int64_t to)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	j->rank.key = to;
	c->unplaced += to == FAIR_FOREVER;
	fair_must(fair_queue_insert(&c->plan, slot));
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_update(&c->priority, slot));
	fair_must(fair_conservative_change(c, j, fair_profile_reserve));
}

/* Move the job at @at of the plan to the earlier start @to; returns the hole
 * that it leaves. */
static struct fair_freed fair_conservative_move(struct fair_conservative *c,
						struct fair_queue_place at,
						int64_t to,
						const struct fair_moves *moves)
{
	uint32_t slot = fair_queue_slot(&c->plan, at);
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank rank = { to, j->rank.number };
	struct fair_freed hole = fair_freed_none();
	int64_t from = j->rank.key;

	/* Callers skip the jobs for which they find no earlier start. */
	FAIR_ASSERT(to < from);
	if (from == FAIR_FOREVER) {
		c->unplaced--;
		fair_must(fair_profile_reserve(&c->profile, to, j->walltime,
					       j->procs));
	} else {
		fair_must(fair_profile_move(&c->profile, from, to, j->walltime,
					    j->procs, &hole.most));
		hole.to = from + j->walltime;
		hole.from = from > to + j->walltime ? from : to + j->walltime;
	}
	if (fair_queue_can_rerank(&c->plan, at, rank)) {
		j->rank = rank;
	} else {
		fair_queue_remove_at(&c->plan, at);
		j->rank = rank;
		fair_must(fair_queue_insert(&c->plan, slot));
	}
	fair_conservative_report(moves, slot, from);
	return hole;
}

/* The same, for a job at a place in the priority order. */
static struct fair_freed
fair_conservative_promote(struct fair_conservative *c,
			  struct fair_queue_place priority, int64_t to,
			  const struct fair_moves *moves)
{
	uint32_t slot = fair_queue_slot(&c->priority, priority);
	struct fair_freed hole;
	struct fair_queue_place at;
	bool found = fair_queue_find(&c->plan,
				     fair_conservative_job(c, slot)->rank, &at);

	FAIR_ASSERT(found); /* by I4 both orders hold it */
	(void)found;
	hole = fair_conservative_move(c, at, to, moves);
	fair_queue_update_at(&c->priority, priority);
	return hole;
}

/*
 * The profile's index pays from some hundreds of steps on, and a query over a
 * few leaves that changed costs less than bringing them up to date: see
 * docs/PERFORMANCE.md.
 */
static void fair_conservative_settle_profile(struct fair_conservative *c)
{
	if (fair_profile_steps(&c->profile) > 1000 && !(++c->queries % 64))
		fair_must(fair_profile_settle(&c->profile));
}

/* @time, or later if the caller accepts no start of the job then. */
static int64_t fair_conservative_allowed(int64_t time,
					 const struct fair_queued *j)
{
	return time > j->not_before ? time : j->not_before;
}

/* The earliest start of a job that is not in the profile. */
static int64_t fair_conservative_earliest(struct fair_conservative *c,
					  int64_t not_before,
					  const struct fair_queued *j)
{
	int64_t start = FAIR_FOREVER;

	fair_conservative_settle_profile(c);
	fair_profile_earliest_start(&c->profile,
				    fair_conservative_allowed(not_before, j),
				    j->walltime, j->procs, &start);
	return start;
}

/*
 * The earliest start in [not_before, before) of a queued job, with its own
 * reservation counted as free; its present start if there is none.
 */
static int64_t fair_conservative_earlier(struct fair_conservative *c,
					 int64_t not_before, int64_t before,
					 const struct fair_queued *j)
{
	int64_t start = j->rank.key;

	not_before = fair_conservative_allowed(not_before, j);
	if (not_before >= before || not_before >= start)
		return start;
	if (start == FAIR_FOREVER) {
		start = fair_conservative_earliest(c, not_before, j);
		return start < before ? start : FAIR_FOREVER;
	}
	fair_conservative_settle_profile(c);
	fair_profile_earlier_start(&c->profile, not_before, before, j->walltime,
				   j->procs, start, &start);
	return start;
}

/* The same by F1: only @freed was freed since it had no earlier start. */
static int64_t fair_conservative_earlier_in(struct fair_conservative *c,
					    int64_t now,
					    const struct fair_freed *freed,
					    const struct fair_queued *j)
{
	int64_t from;

	FAIR_ASSERT(j->procs <= freed->most); /* scans skip wider jobs */
	if (freed->to <= now || freed->from >= j->rank.key)
		return j->rank.key;
	from = freed->from - j->walltime + 1;
	return fair_conservative_earlier(c, from > now ? from : now, freed->to,
					 j);
}

/* The place behind the job that moved: @at if another job stands there now. */
static struct fair_queue_place
fair_conservative_behind(const struct fair_conservative *c,
			 struct fair_queue_place at, uint32_t slot,
			 struct fair_rank was)
{
	if (at.row < c->plan.rows &&
	    at.index < c->plan.block[c->plan.row[at.row].block].count &&
	    fair_queue_slot(&c->plan, at) == slot) {
		at.index++;
		return at;
	}
	return fair_queue_seek_near(&c->plan, at, was);
}

/*
 * FAILED SEARCHES PREDICT OTHERS
 *
 * F3. Let job e, of procs p and walltime d, have no start before `until` <=
 * s(e), with its own reservation counted as free: from each of these starts its
 * window meets, before s(e), an instant with fewer than p free. That instant is
 * in the window of every job of at least p and d too, and not in that job's own
 * reservation if this starts at s(e) or later: so that job has no start before
 * `until` either, as long as no processors are freed before s(e).
 */
#define FAIR_FAILURES 4

/* The last failed searches of a scan, the oldest replaced first. */
struct fair_failures {
	int64_t walltime[FAIR_FAILURES];
	int64_t start[FAIR_FAILURES];  /* s(e) */
	uint64_t until[FAIR_FAILURES]; /* after now; 0: unused */
	int32_t procs[FAIR_FAILURES];
	int64_t now;
	uint32_t count;
};

/*
 * The first start of @j from @from on that F3 does not rule out. The loop has
 * no branch, because none would be predictable.
 */
static int64_t fair_failures_skip(const struct fair_failures *failed,
				  int64_t from, const struct fair_queued *j)
{
	uint64_t until = 0;
	int64_t first;
	uint32_t i;

	for (i = 0; i < FAIR_FAILURES; i++) {
		uint64_t its =
			failed->until[i] &
			-(uint64_t)((failed->procs[i] <= j->procs) &
				    (failed->walltime[i] <= j->walltime) &
				    (failed->start[i] <= j->rank.key));

		until = its > until ? its : until;
	}
	first = (int64_t)((uint64_t)failed->now + until);
	return first > from ? first : from;
}

/* A job that the caller accepts only later proves nothing. */
static void fair_failures_add(struct fair_failures *failed,
			      const struct fair_queued *j, int64_t until)
{
	uint32_t i = failed->count % FAIR_FAILURES;

	if (until > j->rank.key)
		until = j->rank.key;
	if (until <= failed->now || j->not_before > failed->now)
		return;
	failed->walltime[i] = j->walltime;
	failed->start[i] = j->rank.key;
	failed->until[i] = (uint64_t)until - (uint64_t)failed->now;
	failed->procs[i] = j->procs;
	failed->count++;
}

/* Processors were freed from @from on: F3 holds for earlier s(e) only. */
static void fair_failures_forget(struct fair_failures *failed, int64_t from)
{
	uint32_t i;

	for (i = 0; i < FAIR_FAILURES; i++)
		if (failed->start[i] > from)
			failed->until[i] = 0;
}

/*
 * Equal jobs often stand one behind the other. @j at @at has no start before
 * @until <= s(j): by F3 no job has one that asks for at least as much and whose
 * reservation starts no earlier. Skip such jobs next to @j whose reservation
 * starts by @until, and all of them if starts from @limit on need no query. A
 * skipped job counts as scanned.
 */
static void fair_conservative_skip_larger(struct fair_conservative *c,
					  const struct fair_queue *q,
					  struct fair_queue_place *at,
					  const struct fair_queued *j,
					  int64_t until, int64_t limit)
{
	const struct fair_queue_block *b = q->block + q->row[at->row].block;
	bool proves = j->not_before <= c->profile.origin;
	const struct fair_queued *x;

	if (until >= limit)
		until = INT64_MAX;
	while (++at->index < b->count && proves && c->scans) {
		x = fair_conservative_job(c, b->slot[at->index]);
		if (x->procs < j->procs || x->walltime < j->walltime ||
		    x->rank.key < j->rank.key || x->rank.key > until)
			return;
		c->scans--;
	}
}

/*
 * PAUSED SCANS
 *
 * A scan that pauses resumes at the job that it would have scanned next. That
 * job is still queued (I6): every other change of the state finishes the scan
 * first. All jobs before it have seen every freed interval, so that one
 * interval covers what the jobs behind have not seen.
 */
enum fair_conservative_kind {
	FAIR_CONSERVATIVE_DONE,
	FAIR_CONSERVATIVE_REACTION, /* a compression */
	FAIR_CONSERVATIVE_START	    /* of fair_conservative_due() */
};

static void fair_conservative_begin_walk(struct fair_conservative *c,
					 uint32_t kind, struct fair_freed freed)
{
	c->walk.freed = freed;
	c->walk.next = UINT32_MAX;
	c->walk.kind = kind;
}

/* Always false: the scan is not finished. */
static bool fair_conservative_pause(struct fair_conservative *c, uint32_t slot,
				    struct fair_freed unseen)
{
	c->walk.freed = unseen;
	c->walk.next = slot;
	return false;
}

static struct fair_queue_place
fair_conservative_place(const struct fair_conservative *c, bool by_priority)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot = c->walk.next;

	if (slot == UINT32_MAX)
		return at;
	return by_priority
		       ? fair_queue_seek(&c->priority, c->rank[slot])
		       : fair_queue_seek(&c->plan,
					 fair_conservative_job(c, slot)->rank);
}

/*
 * COMPRESSION IN THE ORDER OF THE PLAN
 *
 * F4. One scan in the order of the plan leaves every job at its earliest start.
 * A job only moves earlier, so that the hole it leaves lies behind all starts
 * of the jobs before it, and matters only to the jobs that follow. Nor are the
 * jobs that follow in its way: their reservations start at its own or later,
 * where its own processors are free to it. They cannot be left out of a
 * forecast of it, though: a job that moves before it in this scan is in its way
 * in the next one.
 */
static bool fair_conservative_in_order(struct fair_conservative *c, int64_t now,
				       const struct fair_moves *moves)
{
	struct fair_queue_place at = fair_conservative_place(c, false);
	struct fair_freed freed = c->walk.freed;
	struct fair_failures failed;
	int64_t from, until, to;

	FAIR_MEMSET(&failed, 0, sizeof(failed));
	failed.now = now;
	/* Invariant (F4): each job before @at has no earlier start, and each
	 * job from @at on had none before @freed was freed. */
	while (fair_queue_next_fitting(&c->plan, &at, freed.most)) {
		uint32_t slot = fair_queue_slot(&c->plan, at);
		const struct fair_queued *j = fair_conservative_job(c, slot);
		struct fair_rank was = j->rank;

		if (!c->scans)
			return fair_conservative_pause(c, slot, freed);
		c->scans--;
		until = freed.to < was.key ? freed.to : was.key;
		if (until > c->profile.horizon)
			until = c->profile.horizon;
		from = fair_failures_skip(&failed, now, j);
		to = was.key;
		if (from < until)
			to = fair_conservative_earlier_in(c, from, &freed, j);
		if (to == was.key) {
			if (from < until && freed.from <= now) {
				fair_failures_add(&failed, j, until);
				from = until;
			}
			fair_conservative_skip_larger(c, &c->plan, &at, j, from,
						      freed.to);
			continue;
		}
		fair_freed_add(&freed,
			       fair_conservative_move(c, at, to, moves));
		at = fair_conservative_behind(c, at, slot, was);
	}
	return true;
}

/*
 * PRIORITIZED COMPRESSION
 *
 * It scans again from the highest priority after each move. The jobs before the
 * one that moved have seen everything but the hole it left; those behind it
 * have more to see.
 *
 * P1. So the priority order consists of parts, each with one freed interval
 * that covers what its jobs have not seen:
 *
 *   | [t, e) seen; unseen: last hole | unseen: [t, e) and all holes |
 *   ^ highest priority               ^ the job that moved
 *
 * With no room for another part, the first two become one that has seen neither
 * of both intervals: its jobs get more queries, and the same starts.
 */
#ifndef FAIR_CONSERVATIVE_PARTS
#define FAIR_CONSERVATIVE_PARTS 16 /* at least 2 */
#endif

struct fair_part {
	struct fair_queue_place end; /* in the priority order */
	struct fair_freed unseen;
};

/* A scan by priority; places in that order stay, as only the plan changes. */
struct fair_parts {
	struct fair_part part[FAIR_CONSERVATIVE_PARTS];
	uint32_t parts, current;
	struct fair_queue_place at; /* in part[current]: the next job */
	struct fair_freed holes;    /* not measured (P2); none: from > to */
	int32_t narrowest;	    /* processors of the narrowest job */
};

static int32_t fair_conservative_narrowest(const struct fair_conservative *c)
{
	int32_t narrowest = INT32_MAX;
	uint32_t row;

	for (row = 0; row < c->priority.rows; row++)
		if (c->priority.row[row].min_procs < narrowest)
			narrowest = c->priority.row[row].min_procs;
	return narrowest;
}

static void fair_conservative_begin_scan(const struct fair_conservative *c,
					 struct fair_parts *w)
{
	w->parts = 1;
	w->current = 0;
	w->at = fair_conservative_place(c, true);
	w->part[0].end.row = c->priority.rows;
	w->part[0].end.index = 0;
	w->part[0].unseen = c->walk.freed;
	w->narrowest = fair_conservative_narrowest(c);
	w->holes =
		c->walk.next == UINT32_MAX ? c->walk.freed : fair_freed_none();
}

/* The job at @at left @hole: no job before it has seen that (P1). */
static void fair_conservative_divide(struct fair_parts *w,
				     struct fair_freed hole)
{
	struct fair_part *part = w->part;
	uint32_t i, first = w->current;

	for (i = first; i < w->parts; i++)
		fair_freed_add(&part[i].unseen, hole);
	if (first == 0 && w->parts == FAIR_CONSERVATIVE_PARTS) {
		fair_freed_add(&part[1].unseen, part[0].unseen);
		first = 1;
	}
	FAIR_MEMMOVE(part + 1, part + first,
		     (w->parts - first) * sizeof(*part));
	part[0].end = w->at;
	part[0].unseen = hole;
	w->parts = w->parts - first + 1;
	w->at.row = w->at.index = w->current = 0;
}

/*
 * P2. Runs are measured only before a job that nothing but a long run could
 * help: where equal jobs take each other's places, that is never. Meanwhile
 * runs only shrink, except by later holes, which are measured too. A run that
 * meets one of @holes, which touch each other, is no longer than the run around
 * all of them. Every part has the latest hole unseen, so that this length is a
 * valid `longest` (F2) for each part.
 */
static void fair_conservative_measure(const struct fair_conservative *c,
				      struct fair_parts *w)
{
	int64_t start = w->holes.from, end = w->holes.to;
	uint32_t i;

	if (start < c->profile.origin)
		start = c->profile.origin;
	w->holes.longest = 0; /* freed in the past only: no run */
	if (w->holes.from < w->holes.to &&
	    !fair_profile_run(&c->profile, w->narrowest, &start, &end))
		w->holes.longest = end == FAIR_FOREVER ? end : end - start;
	for (i = 0; i < w->parts; i++)
		if (w->part[i].unseen.longest < w->holes.longest)
			w->part[i].unseen.longest = w->holes.longest;
	w->holes = fair_freed_none();
}

/* Holes that do not touch are measured separately (P2). */
static void fair_conservative_add_hole(const struct fair_conservative *c,
				       struct fair_parts *w,
				       struct fair_freed hole)
{
	if (hole.from > w->holes.to || w->holes.from > hole.to)
		fair_conservative_measure(c, w);
	fair_freed_add(&w->holes, hole);
}

/* What the jobs from @at on have not seen. */
static struct fair_freed fair_conservative_unseen(const struct fair_parts *w)
{
	struct fair_freed unseen = w->part[w->current].unseen;
	uint32_t i;

	for (i = w->current + 1; i < w->parts; i++)
		fair_freed_add(&unseen, w->part[i].unseen);
	return unseen;
}

/* The next job that its part's freed interval can help (F1, F2). */
static bool fair_conservative_next_helped(struct fair_conservative *c,
					  struct fair_parts *w)
{
	const struct fair_part *part;
	struct fair_queue_filter helped;

	for (; w->current < w->parts; w->current++) {
		part = w->part + w->current;
		helped.procs = part->unseen.most;
		helped.after = part->unseen.from;
		helped.until = part->unseen.to;
		helped.longest = w->holes.from < w->holes.to
					 ? INT64_MAX
					 : part->unseen.longest;
		if (fair_queue_next_matching(&c->priority, &w->at, part->end,
					     &helped))
			return true;
		w->at = part->end;
	}
	return false;
}

static bool fair_conservative_prioritize(struct fair_conservative *c,
					 int64_t now,
					 const struct fair_moves *moves)
{
	struct fair_failures failed;
	struct fair_parts w;
	const struct fair_freed *unseen;
	const struct fair_queued *j;
	struct fair_freed hole;
	uint32_t slot;
	int64_t to;

	fair_conservative_begin_scan(c, &w);
	FAIR_MEMSET(&failed, 0, sizeof(failed));
	failed.now = now;
	/* Invariant (P1): no job before @at has an earlier start, and no job of
	 * a part from @at on had one before its part's interval was freed. */
	while (fair_conservative_next_helped(c, &w)) {
		slot = fair_queue_slot(&c->priority, w.at);
		j = fair_conservative_job(c, slot);
		unseen = &w.part[w.current].unseen;
		if (w.holes.from < w.holes.to &&
		    (j->rank.key > unseen->to || !c->scans)) {
			fair_conservative_measure(c, &w);
			continue; /* F2 may rule it out now */
		}
		if (!c->scans)
			return fair_conservative_pause(
				c, slot, fair_conservative_unseen(&w));
		c->scans--;
		to = fair_conservative_earlier_in(
			c, fair_failures_skip(&failed, now, j), unseen, j);
		if (to == j->rank.key) {
			fair_failures_add(&failed, j, to);
			fair_conservative_skip_larger(c, &c->priority, &w.at, j,
						      to, INT64_MAX);
			continue;
		}
		hole = fair_conservative_promote(c, w.at, to, moves);
		fair_failures_forget(&failed, hole.from);
		fair_conservative_add_hole(c, &w, hole);
		fair_conservative_divide(&w, hole);
	}
	return true;
}

/*
 * DELAYED COMPRESSION
 *
 * It leaves jobs where they are although an earlier start is free.
 *
 * D1. When the last submission made dc scan all jobs, none had an earlier start
 * before packed_until. So before packed_until, only starts whose window meets
 * the interval freed since then need a query, as in F1.
 */

/* The first start of @j that needs a query by D1. */
static int64_t
fair_conservative_first_candidate(const struct fair_conservative *c,
				  int64_t now, const struct fair_queued *j)
{
	int64_t from = c->packed_until;

	if (j->rank.key == FAIR_FOREVER) /* the horizon has advanced */
		return now;
	if (c->freed.most >= j->procs && c->freed.from < from + j->walltime)
		from = c->freed.from - j->walltime + 1;
	return from > now ? from : now;
}

/* By D1, only jobs whose reservation starts behind this need a query. */
static int64_t
fair_conservative_first_queried(const struct fair_conservative *c)
{
	return c->freed.from < c->packed_until ? c->freed.from
					       : c->packed_until;
}

/*
 * The next of these jobs by priority, of at most @procs processors, whose
 * reservation starts by @until or that would end by then.
 */
static bool fair_conservative_next_queried(struct fair_conservative *c,
					   struct fair_queue_place *at,
					   int32_t procs, int64_t until)
{
	const struct fair_queue_filter queried = {
		fair_conservative_first_queried(c), until,
		until == INT64_MAX ? until : until - c->profile.origin, procs
	};
	const struct fair_queue_place end = { UINT32_MAX, 0 };

	return fair_queue_next_matching(&c->priority, at, end, &queried);
}

/*
 * WHICH JOBS CAN START NOW
 *
 * D2. Let t(p) be the first instant from now on with fewer than p free
 * processors. A job of p processors that holds [s, s + d) can start now if
 * min(now + d, s) <= t(p): from s on its own processors are free.
 *
 * t(p) follows from the running minima: the instants with fewer free processors
 * than at any instant since now. They are found only as far as a query needs.
 */
#ifndef FAIR_CONSERVATIVE_MINIMA
#define FAIR_CONSERVATIVE_MINIMA 32 /* at least 1 */
#endif

struct fair_minima {
	int64_t now, searched; /* those of [now, searched) are found */
	int64_t when[FAIR_CONSERVATIVE_MINIMA];
	int32_t free[FAIR_CONSERVATIVE_MINIMA]; /* decreasing */
	uint32_t count; /* at least 1, unless nothing is searched */
};

/* Search up to @end, or until fewer than @procs are free, or @m is full. */
static void fair_conservative_search(const struct fair_conservative *c,
				     struct fair_minima *m, int64_t end,
				     int32_t procs)
{
	struct fair_step step;
	uint32_t n;

	while (m->searched < end) {
		n = m->count;
		if (n == FAIR_CONSERVATIVE_MINIMA ||
		    (n && m->free[n - 1] < procs))
			return;
		fair_must(
			fair_profile_step_at(&c->profile, m->searched, &step));
		if (!n || step.free < m->free[n - 1]) {
			m->when[n] = m->searched;
			m->free[n] = step.free;
			m->count++;
		}
		m->searched = step.end;
	}
}

/*
 * Forget the minima, and find v >= t(p) for every job's p: the first instant at
 * which fewer processors are free than the narrowest job needs. By D2, a job
 * with now + d > v and s > v cannot start now: the filter of
 * fair_conservative_next_queried() skips whole blocks of such jobs. INT64_MAX
 * if few jobs are queued or v is too far away to search for.
 */
static int64_t fair_conservative_begin_minima(const struct fair_conservative *c,
					      struct fair_minima *m,
					      int64_t now)
{
	uint32_t rows = c->priority.rows, steps = rows < 4 ? 0 : 16 * rows;
	int32_t narrowest = fair_conservative_narrowest(c);

	m->now = m->searched = now;
	m->count = 0;
	while (steps-- && m->count < FAIR_CONSERVATIVE_MINIMA &&
	       m->searched < c->profile.horizon) {
		fair_conservative_search(c, m, m->searched + 1, narrowest);
		if (m->free[m->count - 1] < narrowest)
			return m->when[m->count - 1];
	}
	return INT64_MAX;
}

/* By D2; by a query where the minima do not reach far enough. */
static bool fair_conservative_can_start_now(struct fair_conservative *c,
					    struct fair_minima *m,
					    const struct fair_queued *j)
{
	int64_t end = m->now + j->walltime;
	uint32_t i = 0;

	if (end > j->rank.key)
		end = j->rank.key;
	fair_conservative_search(c, m, end, j->procs);
	while (i < m->count && m->free[i] >= j->procs)
		i++;
	if (i < m->count)
		return m->when[i] >= end;
	return m->searched >= end ||
	       fair_conservative_earlier(c, m->now, m->now + 1, j) == m->now;
}

/* The start that dc gives the job now; its present one: it stays. */
static int64_t fair_conservative_fill_start(struct fair_conservative *c,
					    struct fair_minima *m,
					    const struct fair_queued *j)
{
	int64_t now = m->now;

	if (j->rank.key == FAIR_FOREVER)
		return fair_conservative_earliest(c, now, j);
	if (j->rank.key > now && fair_conservative_allowed(now, j) == now &&
	    fair_conservative_first_candidate(c, now, j) == now &&
	    fair_conservative_can_start_now(c, m, j))
		return now;
	return j->rank.key;
}

/*
 * Move each job that can start now, by priority [CF14 2]. A job without a
 * reservation gets the earliest start: capacity may have returned.
 */
static bool fair_conservative_fill(struct fair_conservative *c, int64_t now,
				   const struct fair_moves *moves)
{
	struct fair_minima minima;
	struct fair_queue_place at = fair_conservative_place(c, true);
	struct fair_step first;
	struct fair_queued *j;
	uint32_t slot;
	int64_t to, until = fair_conservative_begin_minima(c, &minima, now);

	fair_must(fair_profile_step_at(&c->profile, now, &first));
	/* Invariant: no job before @at can start now, unless a move behind it
	 * left a hole: then `filled` says to scan again. */
	for (; fair_conservative_next_queried(
		     c, &at, c->unplaced ? INT32_MAX : first.free,
		     c->unplaced ? INT64_MAX : until);
	     at.index++) {
		slot = fair_queue_slot(&c->priority, at);
		if (!c->scans)
			return fair_conservative_pause(c, slot, c->walk.freed);
		c->scans--;
		j = fair_conservative_job(c, slot);
		to = fair_conservative_fill_start(c, &minima, j);
		if (to == j->rank.key)
			continue;
		fair_freed_add(&c->freed,
			       fair_conservative_promote(c, at, to, moves));
		until = fair_conservative_begin_minima(c, &minima, now);
		c->filled = INT64_MIN;
		if (to == now)
			first.free -= j->procs;
	}
	return true;
}

/* The horizon advances: a job without a start before it may have one now. */
static bool fair_conservative_place_unplaced(struct fair_conservative *c,
					     int64_t now,
					     const struct fair_moves *moves)
{
	const struct fair_rank nowhere = { FAIR_FOREVER, 0 };
	struct fair_queue_place at =
		c->walk.next == UINT32_MAX ? fair_queue_seek(&c->plan, nowhere)
					   : fair_conservative_place(c, false);
	struct fair_rank was;
	struct fair_queued *j;
	uint32_t slot;
	int64_t to;

	while (fair_queue_next_fitting(&c->plan, &at, INT32_MAX)) {
		slot = fair_queue_slot(&c->plan, at);
		if (!c->scans)
			return fair_conservative_pause(c, slot, c->walk.freed);
		c->scans--;
		j = fair_conservative_job(c, slot);
		was = j->rank;
		to = fair_conservative_earliest(c, now, j);
		if (to == FAIR_FOREVER) {
			at.index++;
			continue;
		}
		(void)fair_conservative_move(c, at, to, moves);
		if (c->compression != FAIR_COMPRESS)
			fair_must(fair_queue_update(&c->priority, slot));
		at = fair_queue_seek(&c->plan, was);
	}
	return true;
}

FAIR_CONSERVATIVE_API void
fair_conservative_scan_limit(struct fair_conservative *c, uint64_t scans)
{
	c->scans = scans;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_is_unfinished(const struct fair_conservative *c)
{
	return c->walk.kind != FAIR_CONSERVATIVE_DONE;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_resume(struct fair_conservative *c,
			 const struct fair_moves *moves)
{
	int64_t now = c->profile.origin;
	bool done;

	if (!fair_conservative_is_unfinished(c))
		return true;
	if (c->compression == FAIR_COMPRESS_DELAYED)
		done = fair_conservative_fill(c, now, moves);
	else if (c->walk.kind == FAIR_CONSERVATIVE_START)
		done = fair_conservative_place_unplaced(c, now, moves);
	else if (c->compression == FAIR_COMPRESS)
		done = fair_conservative_in_order(c, now, moves);
	else
		done = fair_conservative_prioritize(c, now, moves);
	if (done)
		c->walk.kind = FAIR_CONSERVATIVE_DONE;
	return done;
}

FAIR_CONSERVATIVE_API void
fair_conservative_finish(struct fair_conservative *c,
			 const struct fair_moves *moves)
{
	uint64_t scans;

	if (!fair_conservative_is_unfinished(c))
		return;
	scans = c->scans;
	c->scans = UINT64_MAX;
	(void)fair_conservative_resume(c, moves);
	c->scans = scans;
}

/* The start of the last reservation of all. */
static int64_t fair_conservative_last(const struct fair_conservative *c)
{
	struct fair_queue_place at = { c->plan.rows, 0 };

	if (at.row == 0)
		return INT64_MIN;
	at.row--;
	at.index = c->plan.block[c->plan.row[at.row].block].count - 1;
	return fair_conservative_job(c, fair_queue_slot(&c->plan, at))
		->rank.key;
}

/*
 * The newcomer could start at @first: by priority, give every job, and the
 * newcomer at its turn, the earliest start before @until, its end then and one
 * second more [CF14 2]. True: the newcomer has a reservation; it has none if
 * it could still start at @first at its turn, because the jobs behind it may
 * use earlier starts yet.
 */
static bool fair_conservative_move_overtaken(struct fair_conservative *c,
					     int64_t now, uint32_t newcomer,
					     int64_t first, int64_t until,
					     const struct fair_moves *moves)
{
	struct fair_freed hole, freed = fair_freed_none();
	struct fair_failures failed;
	struct fair_queue_place at = { 0, 0 };
	bool placed = false;
	struct fair_queued *j;
	int64_t from, to;
	uint32_t slot;

	FAIR_MEMSET(&failed, 0, sizeof(failed));
	failed.now = now;
	if (fair_conservative_last(c) <= fair_conservative_first_queried(c))
		at.row = c->priority.rows; /* no job needs a query */
	/* Invariant (D1): each job before @at had no earlier start before
	 * @until when it was scanned; @freed was freed since. */
	for (; fair_conservative_next_queried(c, &at, INT32_MAX, INT64_MAX);
	     at.index++) {
		slot = fair_queue_slot(&c->priority, at);
		j = fair_conservative_job(c, slot);
		from = slot == newcomer
			       ? now
			       : fair_conservative_first_candidate(c, now, j);
		from = fair_failures_skip(&failed, from, j);
		to = fair_conservative_earlier(c, from, until, j);
		if (to == j->rank.key) {
			fair_failures_add(&failed, j, until);
		} else if (slot != newcomer) {
			hole = fair_conservative_promote(c, at, to, moves);
			fair_failures_forget(&failed, hole.from);
			fair_freed_add(&c->freed, hole);
			fair_freed_add(&freed, hole);
		} else if (to != first) {
			fair_conservative_reserve(c, slot, to);
			placed = true;
		}
	}
	if (until >= c->packed_until) {
		c->packed_until = until;
		c->freed = freed;
	}
	return placed;
}

/* dc: reserve for the newcomer after the jobs that it would overtake moved. */
static void fair_conservative_place_newcomer(struct fair_conservative *c,
					     int64_t now, uint32_t slot,
					     const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t first = fair_conservative_earliest(c, now, j);

	j->rank.key = FAIR_FOREVER;
	if (first == FAIR_FOREVER) { /* it overtakes no job */
		fair_conservative_reserve(c, slot, first);
		return;
	}
	if (!fair_conservative_move_overtaken(c, now, slot, first,
					      first + j->walltime + 1, moves))
		fair_conservative_reserve(
			c, slot, fair_conservative_earliest(c, now, j));
	c->filled = INT64_MIN;
}

/* Whether a job can be queued at @now; changes only the time. */
static int fair_conservative_admit(struct fair_conservative *c, int64_t now,
				   uint32_t slot, int64_t priority,
				   const struct fair_moves *moves)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank rank = { priority, 0 };
	struct fair_queue_place at;

	if (slot >= c->most || j->walltime < 1 || j->procs < 1)
		return -FAIR_EINVAL;
	if (c->plan.jobs == c->most)
		return -FAIR_ENOSPC;
	rank.number = j->rank.number;
	if (c->compression != FAIR_COMPRESS &&
	    fair_queue_find(&c->priority, rank, &at))
		return -FAIR_EINVAL;
	fair_conservative_finish(c, moves);
	return fair_profile_advance(&c->profile, now);
}

static void fair_conservative_enqueue(struct fair_conservative *c,
				      uint32_t slot, int64_t priority)
{
	if (c->compression == FAIR_COMPRESS)
		return;
	c->rank[slot].key = priority;
	c->rank[slot].number = fair_conservative_job(c, slot)->rank.number;
	fair_must(fair_queue_insert(&c->priority, slot));
}

FAIR_CONSERVATIVE_API int
fair_conservative_put_back(struct fair_conservative *c, int64_t now,
			   uint32_t slot, int64_t priority,
			   const struct fair_moves *moves)
{
	int error = fair_conservative_admit(c, now, slot, priority, moves);

	if (error)
		return error;
	fair_conservative_enqueue(c, slot, priority);
	fair_conservative_reserve(
		c, slot,
		fair_conservative_earliest(c, now,
					   fair_conservative_job(c, slot)));
	return 0;
}

FAIR_CONSERVATIVE_API int
fair_conservative_restore(struct fair_conservative *c, int64_t now,
			  uint32_t slot, int64_t priority,
			  const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_queue_place at;
	int error;

	error = fair_conservative_admit(c, now, slot, priority, moves);
	if (error)
		return error;
	if (j->rank.key > c->profile.horizon && j->rank.key != FAIR_FOREVER)
		return -FAIR_EOVERFLOW;
	if (fair_queue_find(&c->plan, j->rank, &at))
		return -FAIR_EINVAL;
	error = fair_conservative_change(c, j, fair_profile_reserve);
	if (error)
		return error;
	fair_conservative_enqueue(c, slot, priority);
	fair_must(fair_queue_insert(&c->plan, slot));
	c->unplaced += j->rank.key == FAIR_FOREVER;
	return 0;
}

FAIR_CONSERVATIVE_API int
fair_conservative_submit(struct fair_conservative *c, int64_t now,
			 uint32_t slot, int64_t priority,
			 const struct fair_moves *moves)
{
	int error;

	if (c->compression != FAIR_COMPRESS_DELAYED)
		return fair_conservative_put_back(c, now, slot, priority,
						  moves);
	error = fair_conservative_admit(c, now, slot, priority, moves);
	if (error)
		return error;
	fair_conservative_enqueue(c, slot, priority);
	fair_conservative_place_newcomer(c, now, slot, moves);
	return 0;
}

FAIR_CONSERVATIVE_API void
fair_conservative_compress(struct fair_conservative *c, int64_t now,
			   const struct fair_moves *moves)
{
	fair_conservative_finish(c, moves);
	fair_must(fair_profile_advance(&c->profile, now));
	fair_conservative_begin_walk(c, FAIR_CONSERVATIVE_REACTION, c->freed);
	if (c->compression == FAIR_COMPRESS_DELAYED)
		c->filled = now;
	else
		c->freed = fair_freed_none();
	(void)fair_conservative_resume(c, moves);
}

/*
 * A holder other than a queued job changes the profile: @procs < 0 are taken,
 * others given back. @end == FAIR_FOREVER changes the size of the machine.
 */
static int fair_conservative_change_profile(struct fair_conservative *c,
					    int64_t start, int64_t end,
					    int32_t procs)
{
	if (end == FAIR_FOREVER)
		return fair_profile_change_capacity(&c->profile, start, end,
						    procs);
	if (procs > 0)
		return fair_profile_release(&c->profile, start, end - start,
					    procs);
	return fair_profile_reserve(&c->profile, start, end - start, -procs);
}

FAIR_CONSERVATIVE_API int
fair_conservative_give_back(struct fair_conservative *c, int64_t now,
			    int64_t start, int64_t end, int32_t procs,
			    const struct fair_moves *moves)
{
	int error;

	fair_conservative_finish(c, moves);
	error = procs < 1 ? -FAIR_EINVAL
			  : fair_profile_advance(&c->profile, now);
	if (!error)
		error = fair_conservative_change_profile(c, start, end, procs);
	if (error)
		return error;
	fair_conservative_add_freed(c, start, end);
	return 0;
}

/* Release or reserve for all queued jobs. */
static void fair_conservative_change_all(struct fair_conservative *c,
					 fair_conservative_changer change)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;

	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		j = fair_conservative_job(c, fair_queue_slot(&c->plan, at));
		fair_must(fair_conservative_change(c, j, change));
	}
}

/*
 * Put the reservations back. Those that still fit stay, tried in the order of
 * the plan; then each other job gets the earliest start, in the same order.
 */
static void fair_conservative_reserve_all(struct fair_conservative *c,
					  int64_t now,
					  const struct fair_moves *moves)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;
	struct fair_rank was;
	uint32_t slot;

	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		j = fair_conservative_job(c, fair_queue_slot(&c->plan, at));
		if (fair_conservative_change(c, j, fair_profile_reserve))
			j->mark |= FAIR_MARK_DISPLACED;
	}
	at.row = at.index = 0;
	while (fair_queue_next_fitting(&c->plan, &at, INT32_MAX)) {
		slot = fair_queue_slot(&c->plan, at);
		j = fair_conservative_job(c, slot);
		was = j->rank;
		if (!(j->mark & FAIR_MARK_DISPLACED)) {
			at.index++;
			continue;
		}
		j->mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
		fair_must(fair_queue_remove(&c->plan, slot));
		fair_conservative_reserve(
			c, slot, fair_conservative_earliest(c, now, j));
		fair_conservative_add_freed(c, was.key, was.key + j->walltime);
		fair_conservative_report(moves, slot, was.key);
		at = fair_queue_seek(&c->plan, was);
	}
}

FAIR_CONSERVATIVE_API int
fair_conservative_take_procs(struct fair_conservative *c, int64_t now,
			     int64_t start, int64_t end, int32_t procs,
			     const struct fair_moves *moves)
{
	int32_t free_procs;
	int error;

	fair_conservative_finish(c, moves);
	error = procs < 1 ? -FAIR_EINVAL
			  : fair_profile_advance(&c->profile, now);
	if (!error)
		error = fair_profile_min_free(&c->profile, start, end,
					      &free_procs);
	if (error)
		return error;
	if (free_procs >= procs)
		return fair_conservative_change_profile(c, start, end, -procs);
	fair_conservative_change_all(c, fair_profile_release);
	error = fair_conservative_change_profile(c, start, end, -procs);
	if (error) {
		fair_conservative_change_all(c, fair_profile_reserve);
		return error;
	}
	fair_conservative_reserve_all(c, now, moves);
	c->filled = INT64_MIN;
	return 0;
}

FAIR_CONSERVATIVE_API void
fair_conservative_open(struct fair_conservative *c, int64_t now,
		       const struct fair_moves *moves)
{
	fair_conservative_finish(c, moves);
	fair_must(fair_profile_advance(&c->profile, now));
	fair_conservative_change_all(c, fair_profile_release);
}

FAIR_CONSERVATIVE_API void
fair_conservative_close(struct fair_conservative *c, int64_t now, int64_t start,
			int64_t end, const struct fair_moves *moves)
{
	fair_conservative_reserve_all(c, now, moves);
	fair_conservative_add_freed(c, start, end);
}

FAIR_CONSERVATIVE_API int
fair_conservative_withdraw(struct fair_conservative *c, uint32_t slot,
			   const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_queue_place at;

	if (!fair_queue_find(&c->plan, j->rank, &at) ||
	    fair_queue_slot(&c->plan, at) != slot)
		return -FAIR_EINVAL;
	fair_conservative_finish(c, moves);
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_remove(&c->priority, slot));
	fair_must(fair_queue_remove(&c->plan, slot));
	c->unplaced -= j->rank.key == FAIR_FOREVER;
	fair_must(fair_conservative_change(c, j, fair_profile_release));
	if (j->rank.key != FAIR_FOREVER)
		fair_conservative_add_freed(c, j->rank.key,
					    j->rank.key + j->walltime);
	c->filled = INT64_MIN;
	return 0;
}

/*
 * Start the first job of the plan. If its start has passed, it still starts
 * first, on its free processors, and ends later than reserved: reservations in
 * the way move. If running jobs are in the way, it gets a later start instead,
 * and the result is false.
 */
static bool fair_conservative_start(struct fair_conservative *c, int64_t now,
				    uint32_t slot,
				    const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank was = j->rank;
	int64_t end = was.key + j->walltime;

	fair_must(fair_queue_remove(&c->plan, slot));
	if (was.key < now &&
	    fair_conservative_take_procs(c, now, end < now ? now : end,
					 now + j->walltime, j->procs, moves)) {
		fair_must(fair_conservative_change(c, j, fair_profile_release));
		fair_conservative_add_freed(c, was.key, end);
		fair_conservative_reserve(
			c, slot, fair_conservative_earliest(c, now + 1, j));
		fair_conservative_report(moves, slot, was.key);
		return false;
	}
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_remove(&c->priority, slot));
	j->rank.key = now;
	return true;
}

FAIR_CONSERVATIVE_API bool fair_conservative_due(struct fair_conservative *c,
						 int64_t now, uint32_t *slot,
						 const struct fair_moves *moves)
{
	const struct fair_queue_place first = { 0, 0 };
	bool scanned = false;

	if (fair_conservative_is_unfinished(c)) {
		scanned = c->walk.kind == FAIR_CONSERVATIVE_START &&
			  c->profile.origin == now;
		if (!fair_conservative_resume(c, moves))
			return false;
	}
	fair_must(fair_profile_advance(&c->profile, now));
	do {
		if ((c->unplaced || c->compression == FAIR_COMPRESS_DELAYED) &&
		    c->filled != now && !scanned) {
			c->filled = now;
			fair_conservative_begin_walk(c, FAIR_CONSERVATIVE_START,
						     fair_freed_none());
			if (!fair_conservative_resume(c, moves))
				return false;
		}
		scanned = false;
		if (fair_conservative_next(c) > now)
			return false;
		*slot = fair_queue_slot(&c->plan, first);
	} while (!fair_conservative_start(c, now, *slot, moves));
	return true;
}

FAIR_CONSERVATIVE_API int64_t
fair_conservative_next(const struct fair_conservative *c)
{
	const struct fair_queue_place first = { 0, 0 };
	uint32_t slot;

	if (c->plan.jobs == 0)
		return FAIR_FOREVER;
	slot = fair_queue_slot(&c->plan, first);
	return fair_conservative_job(c, slot)->rank.key;
}

FAIR_CONSERVATIVE_API int
fair_conservative_clone(struct fair_conservative *copy, void *memory,
			size_t bytes, void *array,
			const struct fair_conservative *c, const uint32_t *slot)
{
	size_t profile = fair_profile_size(
		(size_t)fair_conservative_steps(c->most, c->others));
	struct fair_queue_place at = { 0, 0 };
	struct fair_conservative x;
	uint32_t from;
	int error;

	error = fair_conservative_init(&x, sizeof(x), memory, bytes,
				       c->compression, c->most, c->others,
				       array, c->stride, 1, 0);
	if (!error)
		error = fair_profile_clone(&x.profile, memory, profile,
					   &c->profile);
	if (error)
		return error;
	fair_must(fair_queue_clone(&x.plan, &c->plan, slot));
	if (c->compression != FAIR_COMPRESS) {
		for (; fair_queue_next_fitting(&c->priority, &at, INT32_MAX);
		     at.index++) {
			from = fair_queue_slot(&c->priority, at);
			x.rank[slot ? slot[from] : from] = c->rank[from];
		}
		fair_must(fair_queue_clone(&x.priority, &c->priority, slot));
	}
	x.unplaced = c->unplaced;
	x.freed = c->freed;
	x.packed_until = c->packed_until;
	x.filled = c->filled;
	x.walk = c->walk;
	if (slot && fair_conservative_is_unfinished(c))
		x.walk.next = slot[x.walk.next];
	*copy = x;
	return 0;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_is_reacting(const struct fair_conservative *c)
{
	return c->walk.kind == FAIR_CONSERVATIVE_REACTION;
}

#define FAIR_CONSERVATIVE_SECTION 4 /* of a checkpoint */

/* packed_until is not saved: dc then scans every job once more, and decides the
 * same. */
static void fair_conservative_fields(struct fair_checkpoint *f,
				     struct fair_conservative *c)
{
	struct fair_conservative_walk *w = &c->walk;

	fair_checkpoint_one(f, FAIR_CONSERVATIVE_SECTION, 10);
	fair_checkpoint_i64(f, &c->freed.from);
	fair_checkpoint_i64(f, &c->freed.to);
	fair_checkpoint_i32(f, &c->freed.most);
	fair_checkpoint_i64(f, &c->filled);
	fair_checkpoint_u32(f, &w->kind);
	fair_checkpoint_i64(f, &w->freed.from);
	fair_checkpoint_i64(f, &w->freed.to);
	fair_checkpoint_i64(f, &w->freed.longest);
	fair_checkpoint_i32(f, &w->freed.most);
}

/* The fields, and the number of the job at which a paused scan resumes. */
FAIR_CONSERVATIVE_API void
fair_conservative_save(const struct fair_conservative *c,
		       struct fair_checkpoint *f)
{
	struct fair_conservative x = *c;
	uint64_t number = 0;

	if (x.walk.kind)
		number = fair_conservative_job(c, x.walk.next)->rank.number;
	else
		x.walk.freed = fair_freed_none();
	fair_conservative_fields(f, &x);
	fair_checkpoint_u64(f, &number);
}

FAIR_CONSERVATIVE_API void fair_conservative_load(struct fair_conservative *c,
						  struct fair_checkpoint *f)
{
	struct fair_conservative_walk *w = &c->walk;

	fair_conservative_fields(f, c);
	f->bad |= w->kind > FAIR_CONSERVATIVE_START ||
		  w->freed.from < -((int64_t)1 << 60);
	if (!w->kind)
		return;
	w->next = fair_checkpoint_job(f);
	/* Except with dc, this scan is of jobs without a reservation. */
	f->bad |= w->kind == FAIR_CONSERVATIVE_START &&
		  c->compression != FAIR_COMPRESS_DELAYED &&
		  fair_conservative_job(c, w->next)->rank.key != FAIR_FOREVER;
}

FAIR_CONSERVATIVE_API int
fair_conservative_check(const struct fair_conservative *c)
{
	struct fair_queue_place at = { 0, 0 }, found;
	uint32_t slot, unplaced = 0;

	if (fair_profile_check(&c->profile))
		return 1;
	if (fair_queue_check(&c->plan))
		return 2;
	if (c->compression != FAIR_COMPRESS && fair_queue_check(&c->priority))
		return 3;
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		unplaced += fair_conservative_job(c, slot)->rank.key ==
			    FAIR_FOREVER;
		if (c->compression != FAIR_COMPRESS &&
		    (!fair_queue_find(&c->priority, c->rank[slot], &found) ||
		     fair_queue_slot(&c->priority, found) != slot))
			return 4;
	}
	if (c->compression != FAIR_COMPRESS && c->plan.jobs != c->priority.jobs)
		return 4;
	if (unplaced != c->unplaced)
		return 5;
	if (!fair_conservative_is_unfinished(c))
		return 0;
	slot = c->walk.next;
	if (slot >= c->most ||
	    !fair_queue_find(&c->plan, fair_conservative_job(c, slot)->rank,
			     &found))
		return 6;
	return fair_queue_slot(&c->plan, found) == slot ? 0 : 6;
}
#endif /* FAIR_CONSERVATIVE_IMPLEMENTED */

/*
 * This file is available under either of two licences: choose one.
 *
 * A - MIT License
 * Copyright (c) 2026 The fairsched authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 *
 * B - Public domain (www.unlicense.org)
 *
 * This is free and unencumbered software released into the public domain.
 *
 * Anyone is free to copy, modify, publish, use, compile, sell, or distribute
 * this software, either in source code form or as a compiled binary, for any
 * purpose, commercial or non-commercial, and by any means.
 *
 * In jurisdictions that recognize copyright laws, the author or authors of
 * this software dedicate any and all copyright interest in the software to
 * the public domain. We make this dedication for the benefit of the public at
 * large and to the detriment of our heirs and successors. We intend this
 * dedication to be an overt act of relinquishment in perpetuity of all
 * present and future rights to this software under copyright law.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
 * ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
