/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative.h - backfilling that keeps its promises
 *
 * In ONE file:  #define FAIR_CONSERVATIVE_IMPLEMENTATION
 *               #define FAIR_CHECKPOINT_IMPLEMENTATION
 *               #define FAIR_QUOTAS_IMPLEMENTATION
 *               #define FAIR_MACHINE_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #define FAIR_QUEUE_IMPLEMENTATION
 *               #define FAIR_SPACE_IMPLEMENTATION
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
 *   FAIR_COMPRESS              scans each job once, in the order of the turns,
 *                              which is that of the reservations [MF01] unless
 *                              a loss has moved some of them
 *   FAIR_COMPRESS_PRIORITIZED  scans by priority, and again from the highest
 *                              priority after each move [LG13]
 *   FAIR_COMPRESS_DELAYED      scans by priority, and moves only jobs that can
 *                              start now or that an arriving job would
 *                              overtake [LG13, CF14]
 *
 * A loss, of processors that a job which overruns holds for example, moves as
 * many reservations as it must, and no job behind another one: each job has a
 * turn, the least start that it was promised, and by turn each reservation
 * stays where it is, or gets the earliest start that is left:
 *
 *   8 |######|22222222|33|      8 |#######|22222222|33|
 *     |######|44|               =>|#######|44|            # ends later
 *   0 +------+----------+-->    0 +-------+-----------+-->
 *     0      t                    0       t
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
 *   const struct fair_claim claim = { 64, 0, NULL };
 *   fair_conservative_give_back(&c, 600, 600, 3600, &claim, NULL); // it ended
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
 * INVARIANTS  I1 the space's own   I2 the plan's   I3 the priority order's
 *             I4 pc, dc: both orders hold the same jobs
 *             I5 unplaced counts the jobs for which there is no start
 *             I6 an unfinished scan resumes at a queued job
 *             I7 displaced counts the jobs that a loss displaced
 *             I8 late are those, and the jobs with a turn before their start,
 *                by turn
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
#ifndef FAIR_QUEUE_H
#include "../queue.h"
#endif
#ifndef FAIR_SPACE_H
#include "../space.h"
#endif

#ifndef FAIR_CONSERVATIVE_API
#define FAIR_CONSERVATIVE_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

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
 * struct fair_conservative - the reservations of a machine that keeps promises.
 * @space:       running jobs, reservations of either kind
 * @plan:        queued jobs by (start of the reservation, number)
 * @rank:        pc and dc: (priority, number) of each queued job's slot; if the
 *               order changes, the place in that of the last scan for priority
 * @compression: enum fair_compression
 * @scans:       the scan limit: how many jobs compressions,
 *               fair_conservative_due() and new reservations of displaced jobs
 *               may still scan; UINT64_MAX, the initial value: all
 *
 * A planner may read these fields, may set @scans, and may change @space
 * between fair_conservative_displace_all() and fair_conservative_end_loss().
 * All others are private.
 *
 * At the scan limit a call pauses, and fair_conservative_due() returns false;
 * fair_conservative_resume() and fair_conservative_due() go on. Jobs that were
 * not scanned keep their reservations. Every other call that changes the state
 * finishes the scan first; but a prioritized compression, which may be long,
 * stays paused, and later goes on in the plan as it is then (P3). If the order
 * changes it ends instead, and the next compression does what is left.
 *
 * A job is a slot of the caller's array, whose elements begin with struct
 * fair_queued; while it is queued, rank.key is the start of its reservation, or
 * FAIR_FOREVER as long as it has none: the machine is too small for it. With
 * FAIR_MARK_DISPLACED in its mark it has lost the one that rank.key says, and
 * gets another; turn is its turn.
 */
struct fair_conservative {
	struct fair_space space;
	struct fair_queue plan;
	struct fair_queue priority; /* pc and dc: by (priority, number) */
	struct fair_rank *rank;
	uint32_t *sorted; /* pc and dc: slots, while a scan begins */
	char *jobs;
	size_t stride;
	struct fair_freed freed; /* since no job had an earlier start */
	int64_t packed_until;	 /* dc: D1 */
	struct fair_freed recent; /* dc: since the last submission, */
	int64_t recent_until;	  /* whose scan proved as much (D1) */
	int64_t filled; /* the instant for which no job remains to be started
			   now; INT64_MIN: unknown */
	uint32_t most, others;
	struct fair_conservative_walk walk;
	uint64_t scans;
	uint32_t queries;  /* of the space */
	uint32_t unplaced; /* queued jobs without a reservation, but those */
	uint32_t displaced; /* whose reservation is to be made again; */
	struct fair_rank remade; /* none of them is before it by turn */
	int64_t lost;		 /* when the loss begins */
	int64_t longest;	 /* no queued job has a longer walltime */
	uint32_t *late;		 /* slots, by (turn, number), of jobs whose */
	uint32_t lates;		 /* turn is before their start */
	uint32_t compression;
	bool reordered; /* the order changes, and a scan has sorted */
};

/**
 * fair_conservative_size() - bytes for @jobs queued jobs.
 * @compression: enum fair_compression
 * @others:      the most reservations of other kinds at once: running jobs
 *               that still stand in the profile, advance reservations
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
 * @slot:     the job's number, which is unique, walltime and procs are set.
 *            With FAIR_MARK_TURN in its mark it keeps the turn that it has: it
 *            ran before
 * @priority: smallest first, ties by number; used by FAIR_COMPRESS_PRIORITIZED
 *            and _DELAYED, unless @moves sorts
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
 * fair_conservative_give_back() - a claim becomes free ahead of the plan.
 *
 * At @start a job ended that held @claim until @end, or capacity came back:
 * [@start, @end) is free again; @end FAIR_FOREVER: the machine gains it.
 * Compress afterwards.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is in use; -FAIR_EOVERFLOW
 * beyond the horizon; -FAIR_ENOSPC for more steps than @others make.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_give_back(struct fair_conservative *c, int64_t now,
			    int64_t start, int64_t end,
			    const struct fair_claim *claim,
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

/** fair_conservative_is_unfinished() - whether a scan has paused. */
FAIR_CONSERVATIVE_API bool
fair_conservative_is_unfinished(const struct fair_conservative *c);

/**
 * fair_conservative_resume() - go on with the scan; true: it is finished.
 *
 * The time is profile.origin: advance the profile before, if a prioritized
 * compression goes on later.
 */
FAIR_CONSERVATIVE_API bool
fair_conservative_resume(struct fair_conservative *c,
			 const struct fair_moves *moves);

/**
 * fair_conservative_take() - [@start, @end) loses a claim.
 *
 * A job overruns, or a node is down. Reservations in the way are displaced.
 * fair_conservative_end_loss(), or the next change, makes them again: by turn,
 * each is put back if it still fits beside those before it; else the job gets
 * the earliest start from there on, and @moves is called for it. Calls in a row
 * are one loss.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if running jobs hold it;
 * -FAIR_EOVERFLOW beyond the horizon; -FAIR_ENOSPC for more steps than @others
 * make. Complexity: if less is free, a scan of the plan, O(log n) for each
 * reservation in the way.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_take(struct fair_conservative *c, int64_t now, int64_t start,
		       int64_t end, const struct fair_claim *claim,
		       const struct fair_moves *moves);

/**
 * fair_conservative_catch_up() - displace the jobs whose start has passed.
 *
 * fair_conservative_end_loss() comes next. fair_conservative_due() does both.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if the profile cannot advance to
 * @now.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_catch_up(struct fair_conservative *c, int64_t now,
			   const struct fair_moves *moves);

/**
 * fair_conservative_displace_all() - displace all jobs.
 *
 * The caller may then change the space, which holds running jobs and advance
 * reservations. The next call must be fair_conservative_end_loss().
 * Complexity: O(queued jobs).
 */
FAIR_CONSERVATIVE_API void
fair_conservative_displace_all(struct fair_conservative *c, int64_t now,
			       const struct fair_moves *moves);

/**
 * fair_conservative_end_loss() - end a loss: reserve again for displaced jobs.
 * @lost:        when it begins: reservations that end by then stay; after
 *               fair_conservative_catch_up() INT64_MIN
 * @start, @end: where the caller gave something back; @start = @end: nowhere
 *
 * Up to the scan limit, which counts those that move; the rest by
 * fair_conservative_resume() or by the next change. Compress afterwards: what
 * moves leaves holes.
 *
 * Complexity: O(log n) for each displaced reservation, and for each that a job
 * before it by turn meets on its way to a later start.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_end_loss(struct fair_conservative *c, int64_t lost,
			   int64_t start, int64_t end,
			   const struct fair_moves *moves);

/**
 * fair_conservative_withdraw() - remove a queued job. Compress afterwards.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_withdraw(struct fair_conservative *c, uint32_t slot,
			   const struct fair_moves *moves);

/**
 * fair_conservative_reprioritize() - a queued job gets another place in the
 * order of pc or dc. No reservation moves; a scan that is left is finished
 * first.
 *
 * Complexity: O(log n) without such a scan.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_reprioritize(struct fair_conservative *c, uint32_t slot,
			       int64_t priority,
			       const struct fair_moves *moves);

/**
 * fair_conservative_put_back() - queue a job again, whose start was refused or
 * that was modified. It gets the earliest start; no other job moves.
 *
 * With FAIR_MARK_DISPLACED in its mark it keeps its turn, and has lost the
 * start that rank.key says: fair_conservative_end_loss() comes next.
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
 * FAIR_FOREVER; a displaced job keeps its mark.
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

/**
 * fair_conservative_next() - the first reservation; FAIR_FOREVER: none; the
 * present while jobs are displaced.
 */
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

/** fair_conservative_is_reacting() - whether a compression has paused, or
 * waits until displaced jobs have reservations again. */
FAIR_CONSERVATIVE_API bool
fair_conservative_is_reacting(const struct fair_conservative *c);

/** fair_conservative_finish() - finish the scan, whatever the limit. */
FAIR_CONSERVATIVE_API void
fair_conservative_finish(struct fair_conservative *c,
			 const struct fair_moves *moves);

/**
 * fair_conservative_prepare_event() - make the reservations of displaced jobs
 * and finish the scan, unless that is a prioritized compression of one pool,
 * which may stay paused (P3).
 */
FAIR_CONSERVATIVE_API void
fair_conservative_prepare_event(struct fair_conservative *c,
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

FAIRSCHED_END_C
#endif /* FAIR_CONSERVATIVE_H */

#if !defined(FAIR_CONSERVATIVE_IMPLEMENTED) &&                                 \
	(defined(FAIR_CONSERVATIVE_IMPLEMENTATION) ||                          \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_CONSERVATIVE_IMPLEMENTED

/* Rooms: parts of this file, in an order in which each finds what it uses. */
#include "conservative/turns.h"
#include "conservative/reservations.h"
#include "conservative/remake.h"
#include "conservative/scan.h"
#include "conservative/prioritized.h"
#include "conservative/delayed.h"

FAIRSCHED_PROVIDE(FAIR_CONSERVATIVE_API, fair_conservative)

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
		queue += queue + (size_t)jobs * sizeof(uint32_t) +
			 ((size_t)jobs + 1) * sizeof(struct fair_rank);
	queue += ((size_t)jobs + 1) * sizeof(uint32_t);
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
	error = fair_space_init(&x.space, sizeof(x.space), at, profile, procs,
				origin);
	if (!error)
		error = fair_queue_init(&x.plan, sizeof(x.plan), at + profile,
					queue, jobs, array, stride);
	/* A walltime before the origin must be a time too. */
	if (!error && origin < INT64_MIN + (INT64_C(1) << 38))
		error = -FAIR_EOVERFLOW;
	if (error)
		return error;
	at += profile + queue;
	if (compression != FAIR_COMPRESS) {
		fair_queue_init(&x.priority, sizeof(x.priority), at, queue,
				jobs, array, stride);
		at += queue;
		at += (8 - (uintptr_t)at % 8) % 8;
		x.rank = (struct fair_rank *)(void *)at;
		fair_queue_rank_by(&x.priority, x.rank, sizeof(*x.rank));
		at += jobs * sizeof(*x.rank);
	}
	at += (4 - (uintptr_t)at % 4) % 4;
	x.late = (uint32_t *)(void *)at;
	x.sorted = x.late + jobs; /* not used by FAIR_COMPRESS */
	x.jobs = (char *)array;
	x.stride = stride;
	x.most = jobs;
	x.others = others;
	x.compression = compression;
	x.freed = x.recent = fair_freed_none();
	x.packed_until = x.recent_until = INT64_MIN;
	x.filled = x.remade.key = x.lost = INT64_MIN;
	x.scans = UINT64_MAX;
	*c = x;
	return 0;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_is_unfinished(const struct fair_conservative *c)
{
	return c->walk.kind != FAIR_CONSERVATIVE_DONE || c->displaced;
}

/* Whether a scan has paused at a queued job. */
static bool fair_conservative_is_walking(const struct fair_conservative *c)
{
	return c->walk.kind != FAIR_CONSERVATIVE_DONE &&
	       c->walk.kind != FAIR_CONSERVATIVE_PENDING;
}

/* A prioritized compression takes what was freed itself, as it begins. */
static void fair_conservative_begin_reaction(struct fair_conservative *c,
					     int64_t now)
{
	fair_conservative_begin_walk(c, FAIR_CONSERVATIVE_REACTION, c->freed);
	c->filled = INT64_MIN; /* it may make room for a job without one */
	if (c->compression == FAIR_COMPRESS_DELAYED)
		c->filled = now;
	else if (c->compression == FAIR_COMPRESS)
		c->freed = fair_freed_none();
}

/* The compression follows, or what dc can start. */
static void fair_conservative_end_placing(struct fair_conservative *c,
					  int64_t now)
{
	if (c->walk.kind == FAIR_CONSERVATIVE_REACTION_PLACES)
		fair_conservative_begin_reaction(c, now);
	else if (c->compression == FAIR_COMPRESS_DELAYED)
		fair_conservative_begin_walk(c, FAIR_CONSERVATIVE_START,
					     fair_freed_none());
	else
		c->walk.kind = FAIR_CONSERVATIVE_DONE;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_resume(struct fair_conservative *c,
			 const struct fair_moves *moves)
{
	int64_t now = c->space.profile.origin;
	bool done;

	if (c->displaced && !fair_conservative_remake(c, moves))
		return false;
	if (c->walk.kind == FAIR_CONSERVATIVE_PENDING)
		fair_conservative_begin_walk(c,
					     FAIR_CONSERVATIVE_REACTION_PLACES,
					     fair_freed_none());
	if (fair_conservative_is_placing(c)) {
		if (!fair_conservative_place_unplaced(c, now, moves))
			return false;
		fair_conservative_end_placing(c, now);
	}
	if (c->walk.kind == FAIR_CONSERVATIVE_DONE)
		return true;
	if (c->compression == FAIR_COMPRESS_DELAYED)
		done = fair_conservative_fill(c, now, moves);
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
	uint64_t scans = c->scans;

	c->scans = UINT64_MAX;
	(void)fair_conservative_resume(c, moves);
	c->scans = scans;
}

/* Of a reaction the compression is left. */
static void fair_conservative_finish_placing(struct fair_conservative *c,
					     const struct fair_moves *moves)
{
	uint64_t scans = c->scans;

	c->scans = UINT64_MAX;
	(void)fair_conservative_place_unplaced(c, c->space.profile.origin,
					       moves);
	c->scans = scans;
	c->walk.kind = c->walk.kind == FAIR_CONSERVATIVE_REACTION_PLACES
			       ? FAIR_CONSERVATIVE_PENDING
			       : FAIR_CONSERVATIVE_DONE;
}

FAIR_CONSERVATIVE_API void
fair_conservative_prepare_event(struct fair_conservative *c,
				const struct fair_moves *moves)
{
	if (!fair_conservative_is_unfinished(c))
		return;
	if (!fair_space_is_pool(&c->space) ||
	    c->compression != FAIR_COMPRESS_PRIORITIZED) {
		fair_conservative_finish(c, moves);
		return;
	}
	fair_conservative_finish_remake(c, moves);
	if (fair_conservative_is_placing(c))
		fair_conservative_finish_placing(c, moves);
	else if (c->reordered && c->walk.kind == FAIR_CONSERVATIVE_REACTION)
		fair_conservative_end_walk(c);
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
	c->longest = fair_later(c->longest, j->walltime);
	if (c->plan.jobs == c->most)
		return -FAIR_ENOSPC;
	rank.number = j->rank.number;
	if (c->compression != FAIR_COMPRESS &&
	    fair_queue_find(&c->priority, rank, &at))
		return -FAIR_EINVAL;
	fair_conservative_prepare_event(c, moves);
	return fair_space_advance(&c->space, now);
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

FAIR_CONSERVATIVE_API void
fair_conservative_reprioritize(struct fair_conservative *c, uint32_t slot,
			       int64_t priority,
			       const struct fair_moves *moves)
{
	fair_conservative_finish(c, moves);
	fair_must(fair_queue_remove(&c->priority, slot));
	fair_conservative_enqueue(c, slot, priority);
}

/* The job, which has been reserved, is late if it keeps an earlier turn. */
static void fair_conservative_keep_turn(struct fair_conservative *c,
					uint32_t slot, int64_t turn)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	if (j->mark & FAIR_MARK_TURN && turn < j->turn) {
		j->turn = turn;
		fair_conservative_add_late(c, slot);
	}
	j->mark &= ~(uint32_t)FAIR_MARK_TURN;
}

/* A job is in the plan, but has lost its start. */
static void fair_conservative_add_displaced(struct fair_conservative *c,
					    uint32_t slot)
{
	fair_must(fair_queue_insert(&c->plan, slot));
	fair_conservative_add_late(c, slot);
	if (!c->displaced++)
		c->remade.key = INT64_MIN;
}

FAIR_CONSERVATIVE_API int
fair_conservative_put_back(struct fair_conservative *c, int64_t now,
			   uint32_t slot, int64_t priority,
			   const struct fair_moves *moves)
{
	int error = fair_conservative_admit(c, now, slot, priority, moves);
	struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t turn;

	if (error)
		return error;
	turn = j->turn;
	fair_conservative_enqueue(c, slot, priority);
	if (j->mark & FAIR_MARK_DISPLACED) {
		fair_conservative_add_displaced(c, slot);
		return 0;
	}
	j->turn = FAIR_FOREVER;
	fair_conservative_reserve(c, slot,
				  fair_conservative_earliest(c, now, slot));
	fair_conservative_keep_turn(c, slot, turn);
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
	if (j->rank.key > c->space.profile.horizon &&
	    j->rank.key != FAIR_FOREVER)
		return -FAIR_EOVERFLOW;
	if (j->turn > j->rank.key || fair_queue_find(&c->plan, j->rank, &at))
		return -FAIR_EINVAL;
	if (fair_space_has_limits(&c->space))
		j->mark |= FAIR_MARK_LIMITED;
	if (!(j->mark & FAIR_MARK_DISPLACED) && j->rank.key != FAIR_FOREVER &&
	    !fair_space_allows(&c->space, slot, j->rank.key,
			       j->rank.key + j->walltime))
		return -FAIR_ERANGE;
	if (!(j->mark & FAIR_MARK_DISPLACED))
		error = fair_conservative_change(c, slot, true);
	else if (j->rank.key == FAIR_FOREVER)
		error = -FAIR_EINVAL;
	if (error)
		return error;
	fair_conservative_enqueue(c, slot, priority);
	fair_must(fair_queue_insert(&c->plan, slot));
	if (fair_conservative_is_late(j))
		fair_conservative_add_late(c, slot);
	c->unplaced += j->rank.key == FAIR_FOREVER;
	return 0;
}

FAIR_CONSERVATIVE_API int
fair_conservative_submit(struct fair_conservative *c, int64_t now,
			 uint32_t slot, int64_t priority,
			 const struct fair_moves *moves)
{
	struct fair_queued *j;
	int64_t turn;
	int error;

	if (c->compression != FAIR_COMPRESS_DELAYED)
		return fair_conservative_put_back(c, now, slot, priority,
						  moves);
	error = fair_conservative_admit(c, now, slot, priority, moves);
	if (error)
		return error;
	j = fair_conservative_job(c, slot);
	turn = j->turn;
	j->turn = FAIR_FOREVER;
	fair_conservative_enqueue(c, slot, priority);
	fair_conservative_place_newcomer(c, now, slot, moves);
	fair_conservative_keep_turn(c, slot, turn);
	return 0;
}

FAIR_CONSERVATIVE_API void
fair_conservative_compress(struct fair_conservative *c, int64_t now,
			   const struct fair_moves *moves)
{
	if (!c->displaced)
		fair_conservative_prepare_event(c, moves);
	fair_must(fair_space_advance(&c->space, now));
	/* It begins again, behind the jobs without a reservation. */
	if (c->unplaced && c->walk.kind == FAIR_CONSERVATIVE_REACTION)
		fair_conservative_end_walk(c);
	if (c->walk.kind == FAIR_CONSERVATIVE_DONE)
		c->walk.kind = FAIR_CONSERVATIVE_PENDING;
	(void)fair_conservative_resume(c, moves);
}

FAIR_CONSERVATIVE_API int
fair_conservative_give_back(struct fair_conservative *c, int64_t now,
			    int64_t start, int64_t end,
			    const struct fair_claim *claim,
			    const struct fair_moves *moves)
{
	int error;

	fair_conservative_prepare_event(c, moves);
	error = fair_space_advance(&c->space, now);
	if (!error)
		error = fair_space_change(&c->space, start, end, claim, false);
	if (error)
		return error;
	fair_conservative_add_freed(c, start, end);
	return 0;
}

/* A loss begins, unless it goes on: fair_conservative_end_loss() is to come. */
static int fair_conservative_begin_loss(struct fair_conservative *c,
					int64_t now,
					const struct fair_moves *moves)
{
	if (!c->displaced || c->remade.key != INT64_MIN)
		fair_conservative_prepare_event(c, moves);
	c->lost = INT64_MIN;
	return fair_space_advance(&c->space, now);
}

FAIR_CONSERVATIVE_API int
fair_conservative_take(struct fair_conservative *c, int64_t now, int64_t start,
		       int64_t end, const struct fair_claim *claim,
		       const struct fair_moves *moves)
{
	int error = fair_conservative_begin_loss(c, now, moves);

	if (!error)
		error = fair_space_change(&c->space, start, end, claim, true);
	if (error != -FAIR_ERANGE)
		return error;
	error = fair_conservative_make_way(c, start, end, claim);
	if (error)
		fair_conservative_finish_remake(c, moves);
	else
		fair_must(fair_space_change(&c->space, start, end, claim,
					    true));
	return error;
}

/* Displace the jobs whose reservations start before @end. */
static void fair_conservative_displace_until(struct fair_conservative *c,
					     int64_t end)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		if (fair_conservative_job(c, slot)->rank.key >= end)
			break;
		if (!(fair_conservative_job(c, slot)->mark &
		      FAIR_MARK_DISPLACED))
			fair_conservative_displace(c, slot);
	}
}

FAIR_CONSERVATIVE_API int
fair_conservative_catch_up(struct fair_conservative *c, int64_t now,
			   const struct fair_moves *moves)
{
	int error = fair_conservative_begin_loss(c, now, moves);

	if (!error)
		fair_conservative_displace_until(c, now);
	return error;
}

FAIR_CONSERVATIVE_API void
fair_conservative_displace_all(struct fair_conservative *c, int64_t now,
			       const struct fair_moves *moves)
{
	fair_must(fair_conservative_begin_loss(c, now, moves));
	fair_conservative_displace_until(c, FAIR_FOREVER);
}

FAIR_CONSERVATIVE_API void
fair_conservative_end_loss(struct fair_conservative *c, int64_t lost,
			   int64_t start, int64_t end,
			   const struct fair_moves *moves)
{
	fair_conservative_add_freed(c, start, end);
	if (fair_space_is_any_over(&c->space))
		fair_conservative_make_way_in_limits(c);
	c->lost = lost;
	fair_conservative_spare(c);
	(void)fair_conservative_remake(c, moves);
}

/* The job to resume at has left: resume at the first of all (I6). */
static void fair_conservative_leave_walk(struct fair_conservative *c)
{
	const struct fair_queue_place first = { 0, 0 };

	if (c->priority.jobs)
		c->walk.next = fair_queue_slot(&c->priority, first);
	else
		c->walk.kind = FAIR_CONSERVATIVE_DONE;
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
	fair_conservative_prepare_event(c, moves);
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_remove(&c->priority, slot));
	fair_must(fair_queue_remove(&c->plan, slot));
	if (fair_conservative_is_walking(c) && c->walk.next == slot)
		fair_conservative_leave_walk(c);
	if (fair_conservative_is_late(j))
		fair_conservative_remove_late(c, slot);
	c->unplaced -= j->rank.key == FAIR_FOREVER;
	fair_must(fair_conservative_change(c, slot, false));
	if (j->rank.key != FAIR_FOREVER)
		fair_conservative_add_freed(c, j->rank.key,
					    j->rank.key + j->walltime);
	c->filled = INT64_MIN;
	return 0;
}

FAIR_CONSERVATIVE_API bool fair_conservative_due(struct fair_conservative *c,
						 int64_t now, uint32_t *slot,
						 const struct fair_moves *moves)
{
	const struct fair_queue_place first = { 0, 0 };
	bool scanned = false;
	struct fair_queued *j;

	if (fair_conservative_is_unfinished(c)) {
		scanned = (c->walk.kind == FAIR_CONSERVATIVE_START ||
			   c->walk.kind == FAIR_CONSERVATIVE_START_PLACES) &&
			  c->space.profile.origin == now;
		if (!fair_conservative_resume(c, moves))
			return false;
	}
	if (fair_conservative_next(c) < now)
		fair_must(fair_conservative_catch_up(c, now, moves));
	fair_must(fair_space_advance(&c->space, now));
	if (c->displaced && !fair_conservative_remake(c, moves))
		return false;
	if ((c->unplaced || c->compression == FAIR_COMPRESS_DELAYED) &&
	    c->filled != now && !scanned) {
		c->filled = now;
		fair_conservative_begin_walk(c, FAIR_CONSERVATIVE_START_PLACES,
					     fair_freed_none());
	}
	if (fair_conservative_is_unfinished(c) &&
	    !fair_conservative_resume(c, moves))
		return false;
	if (fair_conservative_next(c) > now)
		return false;
	*slot = fair_queue_slot(&c->plan, first);
	j = fair_conservative_job(c, *slot);
	if (fair_conservative_is_late(j))
		fair_conservative_remove_late(c, *slot);
	fair_must(fair_queue_remove(&c->plan, *slot));
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_remove(&c->priority, *slot));
	return true;
}

FAIR_CONSERVATIVE_API int64_t
fair_conservative_next(const struct fair_conservative *c)
{
	const struct fair_queue_place first = { 0, 0 };
	uint32_t slot;

	if (c->plan.jobs == 0)
		return FAIR_FOREVER;
	if (c->displaced)
		return c->space.profile.origin;
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
		error = fair_space_clone(&x.space, memory, profile, &c->space);
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
	x.displaced = c->displaced;
	x.remade = c->remade;
	x.lost = c->lost;
	x.longest = c->longest;
	x.freed = c->freed;
	x.packed_until = c->packed_until;
	x.recent = c->recent;
	x.recent_until = c->recent_until;
	x.filled = c->filled;
	x.walk = c->walk;
	x.reordered = c->reordered;
	if (slot && fair_conservative_is_walking(c))
		x.walk.next = slot[x.walk.next];
	for (; x.lates < c->lates; x.lates++)
		x.late[x.lates] = slot ? slot[c->late[x.lates]]
				       : c->late[x.lates];
	*copy = x;
	return 0;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_is_reacting(const struct fair_conservative *c)
{
	return c->walk.kind == FAIR_CONSERVATIVE_REACTION ||
	       c->walk.kind == FAIR_CONSERVATIVE_REACTION_PLACES ||
	       c->walk.kind == FAIR_CONSERVATIVE_PENDING || c->displaced;
}

#define FAIR_CONSERVATIVE_SECTION 4 /* of a checkpoint */
#define FAIR_CONSERVATIVE_ORDER 71  /* of the scan that has paused */

/* What D1 knows is not saved: dc then scans every job once more, and decides
 * the same. */
static void fair_conservative_fields(struct fair_checkpoint *f,
				     struct fair_conservative *c)
{
	struct fair_conservative_walk *w = &c->walk;

	fair_checkpoint_one(f, FAIR_CONSERVATIVE_SECTION, 11);
	fair_checkpoint_i64(f, &c->lost);
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

/* Nothing is planned before -2^60: no time of a query overflows. */
static bool fair_freed_is_valid(const struct fair_freed *freed)
{
	return freed->from >= -((int64_t)1 << 60);
}

/* Whether a scan by priority has paused, in an order that was sorted. */
static bool fair_conservative_has_order(const struct fair_conservative *c)
{
	return c->reordered && (c->walk.kind == FAIR_CONSERVATIVE_REACTION ||
				c->walk.kind == FAIR_CONSERVATIVE_START);
}

static void fair_conservative_save_order(const struct fair_conservative *c,
					 struct fair_checkpoint *f)
{
	struct fair_queue_place at = { 0, 0 };
	uint64_t number;

	if (!fair_conservative_has_order(c))
		return;
	fair_checkpoint_section(f, FAIR_CONSERVATIVE_ORDER, c->priority.jobs,
				1);
	for (; fair_queue_next_fitting(&c->priority, &at, INT32_MAX);
	     at.index++) {
		number = c->rank[fair_queue_slot(&c->priority, at)].number;
		fair_checkpoint_u64(f, &number);
	}
}

/* Each queued job is named once: else there are fewer than that. */
static void fair_conservative_load_order(struct fair_conservative *c,
					 struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_CONSERVATIVE_ORDER, 0, 0);
	struct fair_queue_place at = { 0, 0 };
	uint32_t i, slot;

	c->reordered = n != 0;
	if (!n)
		return;
	f->bad |= n != c->priority.jobs || !fair_conservative_has_order(c);
	for (; !f->bad && fair_queue_next_fitting(&c->priority, &at, INT32_MAX);
	     at.index++)
		c->rank[fair_queue_slot(&c->priority, at)].key = -1;
	for (i = 0; i < n && !f->bad; i++) {
		fair_checkpoint_record(f);
		slot = fair_checkpoint_job(f);
		f->bad |= c->rank[slot].key >= 0;
		c->rank[slot].key = i;
		c->sorted[i] = slot;
	}
	if (!f->bad)
		fair_queue_reorder(&c->priority, c->sorted);
}

/* The fields, and the number of the job at which a paused scan resumes. */
FAIR_CONSERVATIVE_API void
fair_conservative_save(const struct fair_conservative *c,
		       struct fair_checkpoint *f)
{
	struct fair_conservative x = *c;
	uint64_t number = 0;

	if (fair_conservative_is_walking(c))
		number = fair_conservative_job(c, x.walk.next)->rank.number;
	else
		x.walk.freed = fair_freed_none();
	fair_conservative_fields(f, &x);
	fair_checkpoint_u64(f, &number);
	fair_conservative_save_order(c, f);
}

FAIR_CONSERVATIVE_API void fair_conservative_load(struct fair_conservative *c,
						  struct fair_checkpoint *f)
{
	struct fair_conservative_walk *w = &c->walk;

	c->displaced = fair_conservative_count_displaced(c);
	c->remade.key = INT64_MIN + 1; /* the loss is complete */
	fair_conservative_fields(f, c);
	f->bad |= w->kind > FAIR_CONSERVATIVE_START_PLACES ||
		  (w->kind == FAIR_CONSERVATIVE_START &&
		   c->compression != FAIR_COMPRESS_DELAYED) ||
		  !fair_freed_is_valid(&c->freed) ||
		  !fair_freed_is_valid(&w->freed);
	if (!fair_conservative_is_walking(c))
		return;
	w->next = fair_checkpoint_job(f);
	f->bad |= fair_conservative_is_placing(c) &&
		  fair_conservative_job(c, w->next)->rank.key != FAIR_FOREVER;
	fair_conservative_load_order(c, f);
}

/* Whether @lates different late jobs stand in late[], by turn. */
static bool
fair_conservative_are_lates_right(const struct fair_conservative *c,
				  uint32_t lates)
{
	uint32_t i;

	for (i = 0; i < c->lates; i++)
		if (!fair_conservative_is_late(
			    fair_conservative_job(c, c->late[i])) ||
		    (i && !fair_rank_is_before(
				  fair_conservative_turn(c, c->late[i - 1]),
				  fair_conservative_turn(c, c->late[i]))))
			return false;
	return lates == c->lates;
}

FAIR_CONSERVATIVE_API int
fair_conservative_check(const struct fair_conservative *c)
{
	struct fair_queue_place at = { 0, 0 }, found;
	uint32_t slot, unplaced = 0, lates = 0;
	const struct fair_queued *j;

	if (fair_space_check(&c->space))
		return 1;
	if (fair_queue_check(&c->plan))
		return 2;
	if (c->compression != FAIR_COMPRESS && fair_queue_check(&c->priority))
		return 3;
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		j = fair_conservative_job(c, slot);
		unplaced += j->rank.key == FAIR_FOREVER;
		if (j->mark & FAIR_MARK_DISPLACED &&
		    fair_rank_is_before(fair_conservative_turn(c, slot),
					c->remade))
			return 7;
		if (j->turn > j->rank.key)
			return 8;
		lates += fair_conservative_is_late(j);
		if (c->compression != FAIR_COMPRESS &&
		    (!fair_queue_find(&c->priority, c->rank[slot], &found) ||
		     fair_queue_slot(&c->priority, found) != slot))
			return 4;
	}
	if (c->compression != FAIR_COMPRESS && c->plan.jobs != c->priority.jobs)
		return 4;
	if (unplaced != c->unplaced)
		return 5;
	if (fair_conservative_count_displaced(c) != c->displaced)
		return 7;
	if (!fair_conservative_are_lates_right(c, lates))
		return 8;
	if (!fair_conservative_is_walking(c))
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
