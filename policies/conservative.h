/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative.h - backfilling that keeps its promises
 *
 * In ONE file:  #define FAIR_CONSERVATIVE_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #define FAIR_QUEUE_IMPLEMENTATION
 *               #include "conservative.h"
 *
 * Every waiting job holds a reservation; the first one is its guarantee. A job
 * that ends early leaves a hole, and compression moves reservations into it:
 *
 *   8 |######|22222222|         8 |##|22222222|
 *     |######|33|44444|   =>      |##|33|44444|      # ended early at t
 *   0 +------+--------+-->      0 +--+--------+-->
 *     0    t e                    0  t
 *
 * Three ways to compress, all of which never move a job later:
 *   FAIR_COMPRESS              every job once, in the order of the plan [MF01]
 *   FAIR_COMPRESS_PRIORITIZED  by priority, from the top again after each move
 *   FAIR_COMPRESS_DELAYED      by priority, only jobs that can start now, or
 *                              that a later arrival would overtake [LG13, CF14]
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
 *   fair_conservative_submit(&c, 0, 0, 0);
 *   while (fair_conservative_due(&c, 0, &slot))
 *           ;                                     // start the job in slot
 *   fair_conservative_give_back(&c, 600, 600, 3600, 64);   // it ended early
 *   fair_conservative_compress(&c, 600);
 *
 * UNITS       seconds, intervals half-open; processors
 * ERRORS      0 or -FAIR_E...; on error nothing changed, but that it may be
 *             @now, and a walk that was cut short at its end
 * MEMORY      the caller's, fair_conservative_size() bytes
 * THREADS     const calls may run concurrently
 * COMPLEXITY  submit: one query and one reservation of the profile; a
 *             compression: one look at each waiting job, a query only for those
 *             that a rise of free processors can have helped (see below)
 * DEFINES     FAIR_CONSERVATIVE_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 the profile's own   I2 the plan's   I3 the priority order's
 *             I4 pc, dc: both orders hold the same jobs
 *             I5 homeless counts the jobs without reservation
 *             I6 a walk that was cut short goes on at a waiting job
 *             By I1 free is never negative: no processor is promised twice.
 * SOURCES     [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001
 *             [LG13] Lindsay et al., Concurrency Comput. 25(4), 2013
 *             [CF14] Rajbhandary, Bunde & Leung, JSSPP 2014
 */
#ifndef FAIR_CONSERVATIVE_H
#define FAIR_CONSERVATIVE_H

#ifndef FAIR_PROFILE_H
#include "../profile.h"
#endif
#ifndef FAIR_QUEUE_H
#include "../queue.h"
#endif

#ifndef FAIR_CONSERVATIVE_API
#ifndef FAIRSCHED_STATIC
#define FAIR_CONSERVATIVE_API extern
#elif defined(__GNUC__)
#define FAIR_CONSERVATIVE_API static __attribute__((unused))
#else
#define FAIR_CONSERVATIVE_API static
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIR_CONSERVATIVE_API int fair_conservative_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_conservative_linked)(void)
	__attribute__((used, retain)) = fair_conservative_version_100;
#endif
#endif

enum fair_compression {
	FAIR_COMPRESS,
	FAIR_COMPRESS_PRIORITIZED,
	FAIR_COMPRESS_DELAYED
};

/**
 * struct fair_rise - free processors have risen within [from, to), nowhere to
 * more than @most; no run of them that meets it is longer than @longest.
 */
struct fair_rise {
	int64_t from, to, longest;
	int32_t most;
};

/* Private: what a compression has still to do. */
struct fair_conservative_walk {
	struct fair_rise risen;		/* unseen by the jobs to come */
	uint32_t next;			/* a slot; UINT32_MAX: of the first */
	uint32_t kind;			/* enum fair_conservative_kind */
};

/**
 * struct fair_conservative - the plan of a machine that keeps promises.
 *
 * A job is a slot of the caller's array, whose elements begin with struct
 * fair_queued; while it waits, rank.key is the start of its reservation, or
 * FAIR_FOREVER as long as the machine is too small for it.
 *
 * @moved: called after each change of a reservation, unless NULL, with the
 *         start that the job had before (FAIR_FOREVER: none)
 */
struct fair_conservative {
	struct fair_profile profile;
	struct fair_queue plan;		/* by (start, number) */
	struct fair_queue priority;	/* pc and dc: by (priority, number) */
	struct fair_rank *rank;		/* pc and dc: priorities */
	char *jobs;
	size_t stride;
	void (*moved)(void *context, uint32_t slot, int64_t from);
	void *context;
	struct fair_rise risen;		/* since every job was known stuck */
	int64_t tight;			/* dc: nobody had a start before it */
	int64_t filled;			/* no more jobs get a place here */
	uint32_t most, others;
	struct fair_conservative_walk walk;
	uint64_t looks;			/* at so many jobs, before it pauses */
	uint32_t asked;			/* queries of the profile */
	uint32_t homeless;		/* waiting jobs without reservation */
	uint32_t compression;
};

/**
 * fair_conservative_size() - bytes for @jobs waiting jobs.
 * @others: most reservations of other kinds at once: running jobs that still
 *          stand in the profile, windows without capacity
 */
FAIR_CONSERVATIVE_API size_t fair_conservative_size(uint32_t compression,
						    uint32_t jobs,
						    uint32_t others);

/**
 * fair_conservative_init() - an idle machine.
 * @jobs, @others: as for fair_conservative_size()
 * @array:         the caller's jobs, elements of @stride bytes
 * @procs:         processors of the machine
 * @origin:        first instant, seconds; any but the first and the last 2^38
 *                 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW for such an @origin; -FAIR_ENOMEM if
 * @bytes is too small.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_init(struct fair_conservative *c, size_t struct_size,
		       void *memory, size_t bytes, uint32_t compression,
		       uint32_t jobs, uint32_t others, void *array,
		       size_t stride, int32_t procs, int64_t origin);

/**
 * fair_conservative_submit() - give an arriving job its place.
 * @slot:     its number, that no other has, walltime and procs are set
 * @priority: smallest first, ties by number; not used by FAIR_COMPRESS
 *
 * With FAIR_COMPRESS_DELAYED, jobs that the new one would overtake are moved
 * first [CF14 2]. Afterwards rank.key is the promise.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC; -FAIR_EOVERFLOW for a @now that is no
 * origin of a profile.
 */
FAIR_CONSERVATIVE_API int fair_conservative_submit(struct fair_conservative *c,
						   int64_t now, uint32_t slot,
						   int64_t priority);

/**
 * fair_conservative_give_back() - processors became free ahead of the plan.
 *
 * A job that held @procs until @end ended at @start, or capacity came back:
 * [@start, @end) is free again. Compress afterwards.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if fewer are in use; -FAIR_EOVERFLOW
 * beyond the horizon; -FAIR_ENOSPC for more steps than @others make.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_give_back(struct fair_conservative *c, int64_t now,
			    int64_t start, int64_t end, int32_t procs);

/**
 * fair_conservative_compress() - move reservations into what became free.
 *
 * Complexity: one look at each waiting job, for FAIR_COMPRESS_PRIORITIZED again
 * after each move; queries only for jobs that a rise can have helped.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_compress(struct fair_conservative *c, int64_t now);

/**
 * fair_conservative_budget() - how many jobs the calls that follow may look at.
 * @looks: of compressions, and of fair_conservative_due(); UINT64_MAX, as at
 *         first: all
 *
 * What is then left undone, fair_conservative_go_on() goes on with, and
 * fair_conservative_due(), which has returned false. Jobs that were not looked
 * at keep their places. All other calls that change anything do the rest first.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_budget(struct fair_conservative *c, uint64_t looks);

/** fair_conservative_unfinished() - whether anything is left undone. */
FAIR_CONSERVATIVE_API bool
fair_conservative_unfinished(const struct fair_conservative *c);

/** fair_conservative_go_on() - do more of it; true: all of it is done. */
FAIR_CONSERVATIVE_API bool
fair_conservative_go_on(struct fair_conservative *c);

/**
 * fair_conservative_take() - processors are lost in [@start, @end).
 *
 * An overdue job keeps them, a node is down. Reservations that still fit stay,
 * in the order of the plan; then the others get the earliest place that is
 * left, in the same order: @moved hears of each.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if running jobs hold them;
 * -FAIR_EOVERFLOW beyond the horizon; -FAIR_ENOSPC for more steps than @others
 * make.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_take(struct fair_conservative *c, int64_t now, int64_t start,
		       int64_t end, int32_t procs);

/**
 * fair_conservative_lift() - take all waiting jobs out of the profile, which
 * then is what running jobs and windows leave, and may be changed; then
 * fair_conservative_land() is to be called before anything else.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_lift(struct fair_conservative *c, int64_t now);

/**
 * fair_conservative_land() - reservations come back: as fair_conservative_take()
 * says, they stay, or get the earliest place that is left.
 * @start, @end: where the profile was changed
 *
 * Compress afterwards if anything was given back.
 */
FAIR_CONSERVATIVE_API void
fair_conservative_land(struct fair_conservative *c, int64_t now, int64_t start,
		       int64_t end);

/**
 * fair_conservative_withdraw() - a waiting job leaves. Compress afterwards.
 *
 * Return: 0; -FAIR_EINVAL if it does not wait.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_withdraw(struct fair_conservative *c, uint32_t slot);

/**
 * fair_conservative_put_back() - submit again, a job whose start was refused or
 * that was modified: it gets the earliest place, and nobody makes way for it.
 *
 * Return: as fair_conservative_submit().
 */
FAIR_CONSERVATIVE_API int
fair_conservative_put_back(struct fair_conservative *c, int64_t now,
			   uint32_t slot, int64_t priority);

/**
 * fair_conservative_restore() - a job waits with a reservation that it held in
 * another life: rank.key is its start, before @now or FAIR_FOREVER too.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC; -FAIR_ERANGE if it does not fit;
 * -FAIR_EOVERFLOW.
 */
FAIR_CONSERVATIVE_API int
fair_conservative_restore(struct fair_conservative *c, int64_t now,
			  uint32_t slot, int64_t priority);

/**
 * fair_conservative_due() - the next job that starts now.
 *
 * It is no longer queued; its reservation stays, for it is running. Call until
 * false. Lowest number first among those due at @now; overdue ones before.
 */
FAIR_CONSERVATIVE_API bool fair_conservative_due(struct fair_conservative *c,
						 int64_t now, uint32_t *slot);

/** fair_conservative_next() - the first reservation; FAIR_FOREVER: none. */
FAIR_CONSERVATIVE_API int64_t
fair_conservative_next(const struct fair_conservative *c);

/**
 * fair_conservative_clone() - the same plan over a copy of the caller's array.
 * @memory: @bytes as for the original, for the copy alone
 * @array:  the copy's jobs
 * @slot:   the copy's slot of each of @c's, or NULL where they are the same
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(waiting jobs + steps of
 * the profile).
 */
FAIR_CONSERVATIVE_API int
fair_conservative_clone(struct fair_conservative *copy, void *memory,
			size_t bytes, void *array,
			const struct fair_conservative *c,
			const uint32_t *slot);

/** fair_conservative_check() - 0, or the first broken invariant. */
FAIR_CONSERVATIVE_API int
fair_conservative_check(const struct fair_conservative *c);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_CONSERVATIVE_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && \
	!defined(FAIR_CONSERVATIVE_IMPLEMENTATION)
#define FAIR_CONSERVATIVE_IMPLEMENTATION
#endif
#if defined(FAIR_CONSERVATIVE_IMPLEMENTATION) && \
	!defined(FAIR_CONSERVATIVE_IMPLEMENTED)
#define FAIR_CONSERVATIVE_IMPLEMENTED

#ifndef FAIR_ASSERT
#if defined(__GNUC__)
#define FAIR_ASSERT(x) ((x) ? (void)0 : __builtin_trap())
#else
#include <stdlib.h>
#define FAIR_ASSERT(x) ((x) ? (void)0 : abort())
#endif
#endif
#ifndef FAIR_MEMCPY
#if defined(__GNUC__)
#define FAIR_MEMCPY __builtin_memcpy
#define FAIR_MEMMOVE __builtin_memmove
#define FAIR_MEMSET __builtin_memset
#define FAIR_MEMCMP __builtin_memcmp
#else
#include <string.h>
#define FAIR_MEMCPY memcpy
#define FAIR_MEMMOVE memmove
#define FAIR_MEMSET memset
#define FAIR_MEMCMP memcmp
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

FAIR_CONSERVATIVE_API int fair_conservative_version_100(void)
{
	return FAIRSCHED_VERSION;
}

/*
 * WHICH JOBS A RISE CAN HELP
 *
 * Let job j of walltime d hold [s, s + d), and let it have had no earlier start
 * when it was last looked at. If it can start at some u < s now, free processors
 * have risen since then within [u, min(u + d, s)): elsewhere its window is what
 * it was. So with every rise since then inside [from, to), only starts u with
 * u + d > from and u < to are worth a look, and only if j needs no more than the
 * `most` that is free at any of them.
 *
 * More: if u + d >= s, free processors suffice in [s - 1, s) as well, and as j
 * could not start at s - 1 they have risen there: s is in (from, to]. Else all of
 * [u, u + d) is free now, and part of a run that meets [from, to): d is at most
 * the `longest` of these runs. That stays true while other jobs take processors,
 * for runs only shrink; and where a later rise joins two runs, it meets both.
 */
static void fair_rise_add(struct fair_rise *r, struct fair_rise more)
{
	if (r->from > more.from)
		r->from = more.from;
	if (r->to < more.to)
		r->to = more.to;
	if (r->longest < more.longest)
		r->longest = more.longest;
	if (r->most < more.most)
		r->most = more.most;
}

static struct fair_rise fair_rise_none(void)
{
	struct fair_rise none = { INT64_MAX, INT64_MIN, 0, 0 };

	return none;
}

/* Proved: what is released was reserved, what is reserved was found free. */
static void fair_conservative_must(int error)
{
	FAIR_ASSERT(error == 0);
	(void)error;
}

/* What has just been released. */
static struct fair_rise fair_conservative_rise(struct fair_conservative *c,
					       int64_t from, int64_t to)
{
	struct fair_rise rise = fair_rise_none();

	if (from < c->profile.origin)
		from = c->profile.origin;
	if (from >= to)
		return rise;
	rise.from = from;
	rise.to = to;
	fair_conservative_must(
		fair_profile_max_free(&c->profile, from, to, &rise.most));
	return rise;
}

/* Half of the slots' profile steps are starts, half are ends. */
static uint64_t fair_conservative_steps(uint32_t jobs, uint32_t others)
{
	return 2 * ((uint64_t)jobs + others) + 1;
}

static size_t fair_conservative_priorities(uint32_t compression, uint32_t jobs)
{
	return compression == FAIR_COMPRESS
		       ? 0
		       : fair_queue_size(jobs) +
				 ((size_t)jobs + 1) * sizeof(struct fair_rank);
}

FAIR_CONSERVATIVE_API size_t fair_conservative_size(uint32_t compression,
						    uint32_t jobs,
						    uint32_t others)
{
	uint64_t steps = fair_conservative_steps(jobs, others);
	size_t profile, queue = fair_queue_size(jobs);

	if (steps > SIZE_MAX / 64)	/* then the queue, of less, fits too */
		return 0;
	profile = fair_profile_size((size_t)steps);
	return profile ? profile + queue +
				 fair_conservative_priorities(compression, jobs)
		       : 0;
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
	if (!error && origin < INT64_MIN + (INT64_C(1) << 38))
		error = -FAIR_EOVERFLOW; /* a walltime before is a time */
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
	x.risen = fair_rise_none();
	x.tight = x.filled = INT64_MIN;
	x.looks = UINT64_MAX;
	*c = x;
	return 0;
}

static struct fair_queued *
fair_conservative_job(const struct fair_conservative *c, uint32_t slot)
{
	return (struct fair_queued *)(void *)(c->jobs + slot * c->stride);
}

/* Change the profile by a reservation, or by what of it is not yet past. */
static int fair_conservative_change(struct fair_conservative *c,
				    const struct fair_queued *j,
				    int (*change)(struct fair_profile *,
						  int64_t, int64_t, int32_t))
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

/* Of a job out of the profile: reserve from @to on, if ever. */
static void fair_conservative_hold(struct fair_conservative *c, uint32_t slot,
				   int64_t to)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	j->rank.key = to;
	c->homeless += to == FAIR_FOREVER;
	fair_conservative_must(fair_queue_insert(&c->plan, slot));
	if (c->compression != FAIR_COMPRESS)
		fair_conservative_must(fair_queue_rekey(&c->priority, slot));
	fair_conservative_must(
		fair_conservative_change(c, j, fair_profile_reserve));
}

static void fair_conservative_unhold(struct fair_conservative *c, uint32_t slot)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	fair_conservative_must(fair_queue_remove(&c->plan, slot));
	c->homeless -= j->rank.key == FAIR_FOREVER;
	fair_conservative_must(
		fair_conservative_change(c, j, fair_profile_release));
}

/* Move a waiting job earlier, from its place @at in the plan. */
static struct fair_rise fair_conservative_move(struct fair_conservative *c,
					       struct fair_queue_at at,
					       int64_t to)
{
	uint32_t slot = fair_queue_slot(&c->plan, at);
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank rank = { to, j->rank.number };
	struct fair_rise rise = fair_rise_none();
	int64_t from = j->rank.key;

	/* Callers pass over those for whom they find no earlier start. */
	FAIR_ASSERT(to < from);
	if (from == FAIR_FOREVER) {
		c->homeless--;
		fair_conservative_must(fair_profile_reserve(
			&c->profile, to, j->walltime, j->procs));
	} else {
		fair_conservative_must(fair_profile_move(&c->profile, from, to,
							 j->walltime, j->procs,
							 &rise.most));
		rise.to = from + j->walltime;
		rise.from = from > to + j->walltime ? from : to + j->walltime;
	}
	if (fair_queue_stays(&c->plan, at, rank)) {
		j->rank = rank;
	} else {
		fair_queue_remove_at(&c->plan, at);
		j->rank = rank;
		fair_conservative_must(fair_queue_insert(&c->plan, slot));
	}
	if (c->moved)
		c->moved(c->context, slot, from);
	return rise;
}

/* The same, of a job found in the order of priority. */
static struct fair_rise fair_conservative_promote(struct fair_conservative *c,
						  struct fair_queue_at priority,
						  int64_t to)
{
	uint32_t slot = fair_queue_slot(&c->priority, priority);
	struct fair_rise rise;
	struct fair_queue_at at;
	bool found = fair_queue_find(
		&c->plan, fair_conservative_job(c, slot)->rank, &at);

	FAIR_ASSERT(found);	/* by I4: it is in both orders */
	(void)found;
	rise = fair_conservative_move(c, at, to);
	fair_queue_rekey_at(&c->priority, priority);
	return rise;
}

/*
 * An index pays from some hundreds of steps on, and to look at a few leaves that
 * changed costs less than to settle them: see docs/PERFORMANCE.md.
 */
static void fair_conservative_settle(struct fair_conservative *c)
{
	if (fair_profile_steps(&c->profile) > 1000 && !(++c->asked % 64))
		fair_conservative_must(fair_profile_settle(&c->profile));
}

/* A job whose start was refused cannot start at the same instant again. */
static int64_t fair_conservative_allowed(const struct fair_conservative *c,
					 int64_t not_before,
					 const struct fair_queued *j)
{
	bool again = j->mark & FAIR_MARK_REFUSED &&
		     not_before == c->profile.origin;

	return not_before + again;
}

/* The earliest place of a job that is not in the profile. */
static int64_t fair_conservative_earliest(struct fair_conservative *c,
					  int64_t not_before,
					  const struct fair_queued *j)
{
	int64_t start = FAIR_FOREVER;

	fair_conservative_settle(c);
	fair_profile_earliest_start(&c->profile,
				    fair_conservative_allowed(c, not_before, j),
				    j->walltime, j->procs, &start);
	return start;
}

/*
 * The earliest start in [not_before, before) of a waiting job, its own place
 * counted as free; its present start if there is none.
 */
static int64_t fair_conservative_earlier(struct fair_conservative *c,
					 int64_t not_before, int64_t before,
					 const struct fair_queued *j)
{
	int64_t start = j->rank.key;

	not_before = fair_conservative_allowed(c, not_before, j);
	if (not_before >= before || not_before >= start)
		return start;
	if (start == FAIR_FOREVER) {
		start = fair_conservative_earliest(c, not_before, j);
		return start < before ? start : FAIR_FOREVER;
	}
	fair_conservative_settle(c);
	fair_profile_earlier_start(&c->profile, not_before, before,
				   j->walltime, j->procs, start, &start);
	return start;
}

/* The same, by rises since it was last known to have none. */
static int64_t fair_conservative_risen(struct fair_conservative *c, int64_t now,
				       const struct fair_rise *r,
				       const struct fair_queued *j)
{
	int64_t from;

	FAIR_ASSERT(j->procs <= r->most);	/* walks pass over wider ones */
	if (r->to <= now || r->from >= j->rank.key)
		return j->rank.key;
	from = r->from - j->walltime + 1;
	return fair_conservative_earlier(c, from > now ? from : now, r->to, j);
}

/* Behind the job that moved: by its old rank, unless it kept its place. */
static struct fair_queue_at
fair_conservative_resume(const struct fair_conservative *c,
			 struct fair_queue_at at, uint32_t slot,
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
 * WHAT FAILED ONCE FAILS AGAIN. Let job e, of procs p and walltime d, have no
 * start before `until` <= s(e), its own place counted as free: from each of them
 * its window meets, before s(e), a point with fewer than p free. That point is
 * in the window of every job of at least p and d, and not in its own place if
 * that begins at s(e) or later: so it has no start before `until` either, as
 * long as no processors rise before s(e).
 */
#define FAIR_CONSERVATIVE_STUCK 4

struct fair_conservative_stuck {
	int64_t walltime[FAIR_CONSERVATIVE_STUCK];
	int64_t start[FAIR_CONSERVATIVE_STUCK];	/* s(e) */
	uint64_t until[FAIR_CONSERVATIVE_STUCK]; /* after now; 0: unused */
	int32_t procs[FAIR_CONSERVATIVE_STUCK];
	int64_t now;
	uint32_t jobs;
};

static void fair_conservative_begin(struct fair_conservative_stuck *stuck,
				    int64_t now)
{
	FAIR_MEMSET(stuck, 0, sizeof(*stuck));
	stuck->now = now;
}

/* No start of @j before this one need be looked at. No branch is foreseeable. */
static int64_t
fair_conservative_stuck_until(const struct fair_conservative_stuck *stuck,
			      int64_t from, const struct fair_queued *j)
{
	uint64_t until = 0;
	int64_t first;
	uint32_t i;

	for (i = 0; i < FAIR_CONSERVATIVE_STUCK; i++) {
		uint64_t its = stuck->until[i] &
			       -(uint64_t)((stuck->procs[i] <= j->procs) &
					   (stuck->walltime[i] <= j->walltime) &
					   (stuck->start[i] <= j->rank.key));

		until = its > until ? its : until;
	}
	first = (int64_t)((uint64_t)stuck->now + until);
	return first > from ? first : from;
}

static void fair_conservative_add_stuck(struct fair_conservative_stuck *stuck,
					const struct fair_queued *j,
					int64_t until)
{
	uint32_t i = stuck->jobs % FAIR_CONSERVATIVE_STUCK;

	if (until > j->rank.key)
		until = j->rank.key;
	if (until <= stuck->now || j->mark)	/* refused: it might start now */
		return;
	stuck->walltime[i] = j->walltime;
	stuck->start[i] = j->rank.key;
	stuck->until[i] = (uint64_t)until - (uint64_t)stuck->now;
	stuck->procs[i] = j->procs;
	stuck->jobs++;
}

/* Processors have risen from @from on. */
static void fair_conservative_unstick(struct fair_conservative_stuck *stuck,
				      int64_t from)
{
	uint32_t i;

	for (i = 0; i < FAIR_CONSERVATIVE_STUCK; i++)
		if (stuck->start[i] > from)
			stuck->until[i] = 0;
}

/*
 * Of equal jobs many wait one behind the other. @j at @at has no start before
 * @until <= s(j): nor has any that needs as much and holds a place no earlier.
 * Pass by those next to it whose own begins by then, and by all of them if no
 * start from @limit on is worth a look. They count as looked at.
 */
static void fair_conservative_pass(struct fair_conservative *c,
				   const struct fair_queue *q,
				   struct fair_queue_at *at,
				   const struct fair_queued *j, int64_t until,
				   int64_t limit)
{
	const struct fair_queue_block *b = q->block + q->row[at->row].block;
	const struct fair_queued *x;

	if (until >= limit)
		until = INT64_MAX;
	while (++at->index < b->count && !j->mark && c->looks) {
		x = fair_conservative_job(c, b->slot[at->index]);
		if (x->procs < j->procs || x->walltime < j->walltime ||
		    x->rank.key < j->rank.key || x->rank.key > until)
			return;
		c->looks--;
	}
}

/*
 * A WALK CUT SHORT goes on at the job that it was to look at next, which is still
 * there: whatever else is to change, the walk is ended first. All before it have
 * seen every rise, so that one rise covers what those behind have not.
 */
enum fair_conservative_kind {
	FAIR_CONSERVATIVE_DONE,
	FAIR_CONSERVATIVE_REACTION,
	FAIR_CONSERVATIVE_START	/* of fair_conservative_due() */
};

static void fair_conservative_set_out(struct fair_conservative *c,
				      uint32_t kind, struct fair_rise risen)
{
	c->walk.risen = risen;
	c->walk.next = UINT32_MAX;
	c->walk.kind = kind;
}

/* Always false: the walk is not done. */
static bool fair_conservative_pause(struct fair_conservative *c, uint32_t slot,
				    struct fair_rise unseen)
{
	c->walk.risen = unseen;
	c->walk.next = slot;
	return false;
}

static struct fair_queue_at
fair_conservative_place(const struct fair_conservative *c, bool by_priority)
{
	struct fair_queue_at at = { 0, 0 };
	uint32_t slot = c->walk.next;

	if (slot == UINT32_MAX)
		return at;
	return by_priority ? fair_queue_seek(&c->priority, c->rank[slot])
			   : fair_queue_seek(
				     &c->plan,
				     fair_conservative_job(c, slot)->rank);
}

/*
 * In the order of the plan one walk leaves every job at its earliest start: a
 * job moves earlier only, so what it leaves lies behind all starts before it,
 * and only the rises of this walk matter to the jobs that follow. Nor are those
 * in its way: they begin at its place or later, where its own processors are
 * free to it. Yet they cannot be left out of a forecast of it: what moves before
 * it here is in its way the next time.
 */
static bool fair_conservative_in_order(struct fair_conservative *c, int64_t now)
{
	struct fair_queue_at at = fair_conservative_place(c, false);
	struct fair_rise risen = c->walk.risen;
	struct fair_conservative_stuck stuck;
	int64_t from, until, to;

	fair_conservative_begin(&stuck, now);
	while (fair_queue_narrower(&c->plan, &at, risen.most)) {
		uint32_t slot = fair_queue_slot(&c->plan, at);
		const struct fair_queued *j = fair_conservative_job(c, slot);
		struct fair_rank was = j->rank;
		struct fair_rise rise;

		if (!c->looks)
			return fair_conservative_pause(c, slot, risen);
		c->looks--;
		until = risen.to < was.key ? risen.to : was.key;
		if (until > c->profile.horizon)
			until = c->profile.horizon;
		from = fair_conservative_stuck_until(&stuck, now, j);
		to = was.key;
		if (from < until)
			to = fair_conservative_risen(c, from, &risen, j);
		if (to == was.key) {
			if (from < until && risen.from <= now) {
				fair_conservative_add_stuck(&stuck, j, until);
				from = until;
			}
			fair_conservative_pass(c, &c->plan, &at, j, from,
					       risen.to);
			continue;
		}
		rise = fair_conservative_move(c, at, to);
		fair_rise_add(&risen, rise);
		at = fair_conservative_resume(c, at, slot, was);
	}
	return true;
}

/*
 * PRIORITIZED COMPRESSION walks from the top again after each move. Jobs before
 * the one that moved have seen all but its rise; those behind have more to see.
 * So the priority order falls into parts, each with the rises it has not seen:
 *
 *   | [t, e) seen; unseen: last move | unseen: [t, e) and all moves |
 *   ^ top                            ^ the job that moved
 */
#ifndef FAIR_CONSERVATIVE_PARTS
#define FAIR_CONSERVATIVE_PARTS 16	/* at least 2 */
#endif

struct fair_conservative_part {
	struct fair_queue_at end;	/* in the order of priority */
	struct fair_rise unseen;
};

/* The walk stopped in part @k at @at: all before it have not seen @rise. */
static uint32_t fair_conservative_divide(struct fair_conservative_part *part,
					 uint32_t parts, uint32_t k,
					 struct fair_queue_at at,
					 struct fair_rise rise)
{
	uint32_t i;

	for (i = k; i < parts; i++)
		fair_rise_add(&part[i].unseen, rise);
	if (k == 0 && parts == FAIR_CONSERVATIVE_PARTS) {
		fair_rise_add(&part[1].unseen, part[0].unseen);
		k = 1;
	}
	FAIR_MEMMOVE(part + 1, part + k, (parts - k) * sizeof(*part));
	part[0].end = at;
	part[0].unseen = rise;
	return parts - k + 1;
}

static int32_t fair_conservative_narrowest(const struct fair_conservative *c)
{
	int32_t narrowest = INT32_MAX;
	uint32_t row;

	for (row = 0; row < c->priority.rows; row++)
		if (c->priority.row[row].narrowest < narrowest)
			narrowest = c->priority.row[row].narrowest;
	return narrowest;
}

/* Runs of processors that somebody could use. */
static void fair_conservative_runs(const struct fair_conservative *c,
				   int32_t procs, struct fair_rise *r)
{
	int64_t start = r->from, end = r->to;

	if (start < c->profile.origin)
		start = c->profile.origin;
	r->longest = 0;
	if (fair_profile_run(&c->profile, procs, &start, &end))
		return;		/* none: it has risen in the past only */
	r->longest = end == FAIR_FOREVER ? end : end - start;
}

/*
 * Runs are measured only when a job comes that nothing but a long one could help:
 * where equal jobs take each other's places, nobody does. Meanwhile they only
 * shrink, but for later rises, which are measured too; and a run that meets one
 * of the @last rises, which touch each other, is no longer than what is found
 * around them all. No part misses the latest: so @longest is right for each.
 */
static void fair_conservative_measure(const struct fair_conservative *c,
				      int32_t procs, struct fair_rise *last,
				      struct fair_conservative_part *part,
				      uint32_t parts)
{
	if (last->from < last->to)
		fair_conservative_runs(c, procs, last);
	while (parts--)
		if (part[parts].unseen.longest < last->longest)
			part[parts].unseen.longest = last->longest;
	*last = fair_rise_none();
}

/* What any of the parts from @k on has not seen. */
static struct fair_rise
fair_conservative_unseen(const struct fair_conservative_part *part,
			 uint32_t parts, uint32_t k)
{
	struct fair_rise unseen = part[k].unseen;

	while (++k < parts)
		fair_rise_add(&unseen, part[k].unseen);
	return unseen;
}

/* Places in the order of priority stay: only the plan changes meanwhile. */
static bool fair_conservative_prioritize(struct fair_conservative *c,
					 int64_t now)
{
	struct fair_conservative_part part[FAIR_CONSERVATIVE_PARTS];
	struct fair_conservative_stuck stuck;
	struct fair_queue_at at = fair_conservative_place(c, true);
	int32_t narrowest = fair_conservative_narrowest(c);
	struct fair_rise last = fair_rise_none();
	struct fair_queue_like like;
	const struct fair_queued *j;
	struct fair_rise rise;
	uint32_t parts = 1, k = 0, slot;
	int64_t from, to;

	fair_conservative_begin(&stuck, now);
	part[0].end.row = c->priority.rows;
	part[0].end.index = 0;
	part[0].unseen = c->walk.risen;
	if (c->walk.next == UINT32_MAX)
		last = part[0].unseen;
	while (k < parts) {
		like.procs = part[k].unseen.most;
		like.after = part[k].unseen.from;
		like.until = part[k].unseen.to;
		like.longest = last.from < last.to ? INT64_MAX
						   : part[k].unseen.longest;
		if (!fair_queue_next_like(&c->priority, &at, part[k].end,
					  &like)) {
			at = part[k++].end;
			continue;
		}
		slot = fair_queue_slot(&c->priority, at);
		j = fair_conservative_job(c, slot);
		if (last.from < last.to &&
		    (j->rank.key > like.until || !c->looks)) {
			fair_conservative_measure(c, narrowest, &last, part,
						  parts);
			continue;
		}
		if (!c->looks)
			return fair_conservative_pause(
				c, slot,
				fair_conservative_unseen(part, parts, k));
		c->looks--;
		from = fair_conservative_stuck_until(&stuck, now, j);
		to = fair_conservative_risen(c, from, &part[k].unseen, j);
		if (to == j->rank.key) {
			fair_conservative_add_stuck(&stuck, j, to);
			fair_conservative_pass(c, &c->priority, &at, j, to,
					       INT64_MAX);
			continue;
		}
		rise = fair_conservative_promote(c, at, to);
		fair_conservative_unstick(&stuck, rise.from);
		if (rise.from > last.to || last.from > rise.to)
			fair_conservative_measure(c, narrowest, &last, part,
						  parts);
		fair_rise_add(&last, rise);
		parts = fair_conservative_divide(part, parts, k, at, rise);
		at.row = at.index = k = 0;
	}
	return true;
}

/*
 * DELAYED COMPRESSION leaves jobs where an earlier start is free. What is known
 * is that none had one before `tight` when a newcomer last made all of them look;
 * since then only rises help: before tight, a start is worth a look where they
 * are in its window. The first start of @j that is:
 */
static int64_t fair_conservative_loose(const struct fair_conservative *c,
				       int64_t now,
				       const struct fair_queued *j)
{
	int64_t from = c->tight;

	if (j->rank.key == FAIR_FOREVER)	/* the horizon moves on */
		return now;
	if (c->risen.most >= j->procs && c->risen.from < from + j->walltime)
		from = c->risen.from - j->walltime + 1;
	return from > now ? from : now;
}

/* Only jobs that hold a place behind this one have such a start. */
static int64_t fair_conservative_tight_to(const struct fair_conservative *c)
{
	return c->risen.from < c->tight ? c->risen.from : c->tight;
}

/*
 * The next of them, of at most @procs processors, that holds a place by @view or
 * would end by then.
 */
static bool fair_conservative_next_loose(struct fair_conservative *c,
					 struct fair_queue_at *at,
					 int32_t procs, int64_t view)
{
	const struct fair_queue_like like = {
		fair_conservative_tight_to(c), view,
		view == INT64_MAX ? view : view - c->profile.origin, procs
	};
	const struct fair_queue_at end = { UINT32_MAX, 0 };

	return fair_queue_next_like(&c->priority, at, end, &like);
}

/*
 * WHO CAN START NOW. Let free processors first fall below p at t(p). A job of p
 * that holds [s, s + d) can start now if min(now + d, s) <= t(p): from s on its
 * own are free. t(p) is read off the lows: where free is less than ever since
 * now. They are found as far as somebody asks.
 */
#ifndef FAIR_CONSERVATIVE_LOWS
#define FAIR_CONSERVATIVE_LOWS 32	/* at least 1 */
#endif

struct fair_conservative_sight {
	int64_t now, seen;	/* the lows of [now, seen) are found */
	int64_t when[FAIR_CONSERVATIVE_LOWS];
	int32_t free[FAIR_CONSERVATIVE_LOWS];
	uint32_t lows;		/* at least 1, unless nothing is seen */
};

static void fair_conservative_look(struct fair_conservative_sight *sight,
				   int64_t now)
{
	sight->now = sight->seen = now;
	sight->lows = 0;
}

/* Until less than @procs are free, or until @end, or until there is no room. */
static void fair_conservative_look_on(const struct fair_conservative *c,
				      struct fair_conservative_sight *sight,
				      int64_t end, int32_t procs)
{
	struct fair_step step;
	uint32_t n;

	while (sight->seen < end) {
		n = sight->lows;
		if (n == FAIR_CONSERVATIVE_LOWS ||
		    (n && sight->free[n - 1] < procs))
			return;
		fair_conservative_must(
			fair_profile_step_at(&c->profile, sight->seen, &step));
		if (!n || step.free < sight->free[n - 1]) {
			sight->when[n] = sight->seen;
			sight->free[n] = step.free;
			sight->lows++;
		}
		sight->seen = step.end;
	}
}

/*
 * The first time v >= t(p), whatever p: fewer are free than any job needs. So
 * nobody starts now with now + d > v whose own place begins behind v: a block of
 * such jobs is not read. Forever, where few wait or v is too far to look for.
 */
static int64_t fair_conservative_view(const struct fair_conservative *c,
				      struct fair_conservative_sight *sight)
{
	uint32_t rows = c->priority.rows, steps = rows < 4 ? 0 : 16 * rows;
	int32_t narrowest = fair_conservative_narrowest(c);

	while (steps-- && sight->lows < FAIR_CONSERVATIVE_LOWS &&
	       sight->seen < c->profile.horizon) {
		fair_conservative_look_on(c, sight, sight->seen + 1, narrowest);
		if (sight->free[sight->lows - 1] < narrowest)
			return sight->when[sight->lows - 1];
	}
	return INT64_MAX;
}

static bool fair_conservative_sees(struct fair_conservative *c,
				   struct fair_conservative_sight *sight,
				   const struct fair_queued *j)
{
	int64_t end = sight->now + j->walltime;
	uint32_t low = 0;

	if (end > j->rank.key)
		end = j->rank.key;
	fair_conservative_look_on(c, sight, end, j->procs);
	while (low < sight->lows && sight->free[low] >= j->procs)
		low++;
	if (low < sight->lows)
		return sight->when[low] >= end;
	return sight->seen >= end ||
	       fair_conservative_earlier(c, sight->now, sight->now + 1, j) ==
		       sight->now;
}

/*
 * Move whatever can start now, by priority [CF14 2]. A job without reservation
 * gets one, now or not: capacity may have returned.
 */
static bool fair_conservative_fill(struct fair_conservative *c, int64_t now)
{
	struct fair_conservative_sight sight;
	struct fair_queue_at at = fair_conservative_place(c, true);
	struct fair_rise rise;
	struct fair_step first;
	struct fair_queued *j;
	uint32_t slot;
	int64_t to, view;

	fair_conservative_look(&sight, now);
	view = fair_conservative_view(c, &sight);
	fair_conservative_must(fair_profile_step_at(&c->profile, now, &first));
	for (; fair_conservative_next_loose(
		     c, &at, c->homeless ? INT32_MAX : first.free,
		     c->homeless ? INT64_MAX : view);
	     at.index++) {
		slot = fair_queue_slot(&c->priority, at);
		if (!c->looks)
			return fair_conservative_pause(c, slot, c->walk.risen);
		c->looks--;
		j = fair_conservative_job(c, slot);
		to = j->rank.key;
		if (to == FAIR_FOREVER)
			to = fair_conservative_earliest(c, now, j);
		else if (to > now &&
			 fair_conservative_allowed(c, now, j) == now &&
			 fair_conservative_loose(c, now, j) == now &&
			 fair_conservative_sees(c, &sight, j))
			to = now;
		if (to == j->rank.key)
			continue;
		rise = fair_conservative_promote(c, at, to);
		fair_conservative_look(&sight, now);
		view = fair_conservative_view(c, &sight);
		fair_rise_add(&c->risen, rise);
		c->filled = INT64_MIN;	/* its old place is free: look again */
		if (to == now)
			first.free -= j->procs;
	}
	return true;
}

/* The horizon moves on: who found no place before it may find one now. */
static bool fair_conservative_house(struct fair_conservative *c, int64_t now)
{
	const struct fair_rank nowhere = { FAIR_FOREVER, 0 };
	struct fair_queue_at at = c->walk.next == UINT32_MAX
					  ? fair_queue_seek(&c->plan, nowhere)
					  : fair_conservative_place(c, false);
	struct fair_rank was;
	struct fair_queued *j;
	uint32_t slot;
	int64_t to;

	while (fair_queue_narrower(&c->plan, &at, INT32_MAX)) {
		slot = fair_queue_slot(&c->plan, at);
		if (!c->looks)
			return fair_conservative_pause(c, slot, c->walk.risen);
		c->looks--;
		j = fair_conservative_job(c, slot);
		was = j->rank;
		to = fair_conservative_earliest(c, now, j);
		if (to == FAIR_FOREVER) {
			at.index++;
			continue;
		}
		(void)fair_conservative_move(c, at, to);
		if (c->compression != FAIR_COMPRESS)
			fair_conservative_must(
				fair_queue_rekey(&c->priority, slot));
		at = fair_queue_seek(&c->plan, was);
	}
	return true;
}

FAIR_CONSERVATIVE_API void
fair_conservative_budget(struct fair_conservative *c, uint64_t looks)
{
	c->looks = looks;
}

FAIR_CONSERVATIVE_API bool
fair_conservative_unfinished(const struct fair_conservative *c)
{
	return c->walk.kind != FAIR_CONSERVATIVE_DONE;
}

FAIR_CONSERVATIVE_API bool fair_conservative_go_on(struct fair_conservative *c)
{
	int64_t now = c->profile.origin;
	bool done;

	if (!fair_conservative_unfinished(c))
		return true;
	if (c->compression == FAIR_COMPRESS_DELAYED)
		done = fair_conservative_fill(c, now);
	else if (c->walk.kind == FAIR_CONSERVATIVE_START)
		done = fair_conservative_house(c, now);
	else if (c->compression == FAIR_COMPRESS)
		done = fair_conservative_in_order(c, now);
	else
		done = fair_conservative_prioritize(c, now);
	if (done)
		c->walk.kind = FAIR_CONSERVATIVE_DONE;
	return done;
}

/* Something else is to change. */
static void fair_conservative_end(struct fair_conservative *c)
{
	uint64_t looks;

	if (!fair_conservative_unfinished(c))
		return;
	looks = c->looks;
	c->looks = UINT64_MAX;
	(void)fair_conservative_go_on(c);
	c->looks = looks;
}

/* The last reservation of all. */
static int64_t fair_conservative_last(const struct fair_conservative *c)
{
	struct fair_queue_at at = { c->plan.rows, 0 };

	if (at.row == 0)
		return INT64_MIN;
	at.row--;
	at.index = c->plan.block[c->plan.row[at.row].block].count - 1;
	return fair_conservative_job(c, fair_queue_slot(&c->plan, at))
		->rank.key;
}

/* Before the newcomer is placed, let those go first that it would overtake. */
static void fair_conservative_make_way(struct fair_conservative *c, int64_t now,
				       uint32_t newcomer)
{
	struct fair_queued *x = fair_conservative_job(c, newcomer), *j;
	struct fair_conservative_stuck stuck;
	struct fair_queue_at at = { 0, 0 };
	int64_t first = fair_conservative_earliest(c, now, x), from, until, to;
	struct fair_rise rise, risen = fair_rise_none();
	bool placed = false;
	uint32_t slot;

	x->rank.key = FAIR_FOREVER;
	if (first == FAIR_FOREVER) {	/* it overtakes nobody */
		fair_conservative_hold(c, newcomer, first);
		return;
	}
	fair_conservative_begin(&stuck, now);
	until = first + x->walltime + 1;
	if (fair_conservative_last(c) <= fair_conservative_tight_to(c))
		at.row = c->priority.rows;	/* nobody to look at */
	for (; fair_conservative_next_loose(c, &at, INT32_MAX, INT64_MAX);
	     at.index++) {
		slot = fair_queue_slot(&c->priority, at);
		j = fair_conservative_job(c, slot);
		from = slot == newcomer ? now
					: fair_conservative_loose(c, now, j);
		from = fair_conservative_stuck_until(&stuck, from, j);
		to = fair_conservative_earlier(c, from, until, j);
		if (to == j->rank.key) {
			fair_conservative_add_stuck(&stuck, j, until);
		} else if (slot != newcomer) {
			rise = fair_conservative_promote(c, at, to);
			fair_conservative_unstick(&stuck, rise.from);
			fair_rise_add(&c->risen, rise);
			fair_rise_add(&risen, rise);
		} else if (to != first) {
			fair_conservative_hold(c, slot, to);
			placed = true;
		}
	}
	if (!placed)
		fair_conservative_hold(c, newcomer,
				       fair_conservative_earliest(c, now, x));
	if (until >= c->tight) {
		c->tight = until;
		c->risen = risen;
	}
	c->filled = INT64_MIN;
}

/* Whether a job can wait from @now on; nothing is changed but the time. */
static int fair_conservative_admit(struct fair_conservative *c, int64_t now,
				   uint32_t slot, int64_t priority)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank rank = { priority, 0 };
	struct fair_queue_at at;

	if (slot >= c->most || j->walltime < 1 || j->procs < 1)
		return -FAIR_EINVAL;
	if (c->plan.jobs == c->most)
		return -FAIR_ENOSPC;
	rank.number = j->rank.number;
	if (c->compression != FAIR_COMPRESS &&
	    fair_queue_find(&c->priority, rank, &at))
		return -FAIR_EINVAL;
	fair_conservative_end(c);
	return fair_profile_advance(&c->profile, now);
}

static void fair_conservative_enqueue(struct fair_conservative *c,
				      uint32_t slot, int64_t priority)
{
	if (c->compression == FAIR_COMPRESS)
		return;
	c->rank[slot].key = priority;
	c->rank[slot].number = fair_conservative_job(c, slot)->rank.number;
	fair_conservative_must(fair_queue_insert(&c->priority, slot));
}

FAIR_CONSERVATIVE_API int
fair_conservative_put_back(struct fair_conservative *c, int64_t now,
			   uint32_t slot, int64_t priority)
{
	int error = fair_conservative_admit(c, now, slot, priority);

	if (error)
		return error;
	fair_conservative_enqueue(c, slot, priority);
	fair_conservative_hold(c, slot,
			       fair_conservative_earliest(
				       c, now, fair_conservative_job(c, slot)));
	return 0;
}

FAIR_CONSERVATIVE_API int
fair_conservative_restore(struct fair_conservative *c, int64_t now,
			  uint32_t slot, int64_t priority)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_queue_at at;
	int error;

	error = fair_conservative_admit(c, now, slot, priority);
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
	fair_conservative_must(fair_queue_insert(&c->plan, slot));
	c->homeless += j->rank.key == FAIR_FOREVER;
	return 0;
}

FAIR_CONSERVATIVE_API int fair_conservative_submit(struct fair_conservative *c,
						   int64_t now, uint32_t slot,
						   int64_t priority)
{
	int error;

	if (c->compression != FAIR_COMPRESS_DELAYED)
		return fair_conservative_put_back(c, now, slot, priority);
	error = fair_conservative_admit(c, now, slot, priority);
	if (error)
		return error;
	fair_conservative_enqueue(c, slot, priority);
	fair_conservative_make_way(c, now, slot);
	return 0;
}

FAIR_CONSERVATIVE_API void
fair_conservative_compress(struct fair_conservative *c, int64_t now)
{
	fair_conservative_end(c);
	fair_conservative_must(fair_profile_advance(&c->profile, now));
	fair_conservative_set_out(c, FAIR_CONSERVATIVE_REACTION, c->risen);
	if (c->compression == FAIR_COMPRESS_DELAYED)
		c->filled = now;
	else
		c->risen = fair_rise_none();
	(void)fair_conservative_go_on(c);
}

/* Somebody but a waiting job gives or takes; for ever is the machine itself. */
static int fair_conservative_shift(struct fair_conservative *c, int64_t start,
				   int64_t end, int32_t procs)
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
			    int64_t start, int64_t end, int32_t procs)
{
	int error;

	fair_conservative_end(c);
	error = procs < 1 ? -FAIR_EINVAL
			  : fair_profile_advance(&c->profile, now);
	if (!error)
		error = fair_conservative_shift(c, start, end, procs);
	if (error)
		return error;
	fair_rise_add(&c->risen, fair_conservative_rise(c, start, end));
	c->filled = INT64_MIN;
	return 0;
}

/* The plan without the reservations of waiting jobs, or with them again. */
static void fair_conservative_all(struct fair_conservative *c,
				  int (*change)(struct fair_profile *, int64_t,
						int64_t, int32_t))
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_queued *j;

	for (; fair_queue_narrower(&c->plan, &at, INT32_MAX); at.index++) {
		j = fair_conservative_job(c, fair_queue_slot(&c->plan, at));
		fair_conservative_must(fair_conservative_change(c, j, change));
	}
}

/* First those that still fit, in the order of the plan; mark the others. */
static void fair_conservative_keep(struct fair_conservative *c)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_queued *j;

	for (; fair_queue_narrower(&c->plan, &at, INT32_MAX); at.index++) {
		j = fair_conservative_job(c, fair_queue_slot(&c->plan, at));
		if (fair_conservative_change(c, j, fair_profile_reserve))
			j->mark |= FAIR_MARK_DISPLACED;
	}
}

static void fair_conservative_replace(struct fair_conservative *c, int64_t now)
{
	struct fair_queue_at at = { 0, 0 };

	while (fair_queue_narrower(&c->plan, &at, INT32_MAX)) {
		uint32_t slot = fair_queue_slot(&c->plan, at);
		struct fair_queued *j = fair_conservative_job(c, slot);
		struct fair_rank was = j->rank;

		if (!(j->mark & FAIR_MARK_DISPLACED)) {
			at.index++;
			continue;
		}
		j->mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
		fair_conservative_must(fair_queue_remove(&c->plan, slot));
		fair_conservative_hold(c, slot,
				       fair_conservative_earliest(c, now, j));
		fair_rise_add(&c->risen,
			      fair_conservative_rise(c, was.key,
						     was.key + j->walltime));
		if (c->moved)
			c->moved(c->context, slot, was.key);
		at = fair_queue_seek(&c->plan, was);
	}
}

FAIR_CONSERVATIVE_API int
fair_conservative_take(struct fair_conservative *c, int64_t now, int64_t start,
		       int64_t end, int32_t procs)
{
	int32_t free_procs;
	int error;

	fair_conservative_end(c);
	error = procs < 1 ? -FAIR_EINVAL
			  : fair_profile_advance(&c->profile, now);
	if (!error)
		error = fair_profile_min_free(&c->profile, start, end,
					      &free_procs);
	if (error)
		return error;
	if (free_procs >= procs)
		return fair_conservative_shift(c, start, end, -procs);
	fair_conservative_all(c, fair_profile_release);
	error = fair_conservative_shift(c, start, end, -procs);
	if (error) {
		fair_conservative_all(c, fair_profile_reserve);
		return error;
	}
	fair_conservative_keep(c);
	fair_conservative_replace(c, now);
	c->filled = INT64_MIN;
	return 0;
}

FAIR_CONSERVATIVE_API void
fair_conservative_lift(struct fair_conservative *c, int64_t now)
{
	fair_conservative_end(c);
	fair_conservative_must(fair_profile_advance(&c->profile, now));
	fair_conservative_all(c, fair_profile_release);
}

FAIR_CONSERVATIVE_API void
fair_conservative_land(struct fair_conservative *c, int64_t now, int64_t start,
		       int64_t end)
{
	fair_conservative_keep(c);
	fair_conservative_replace(c, now);
	fair_rise_add(&c->risen, fair_conservative_rise(c, start, end));
	c->filled = INT64_MIN;
}

FAIR_CONSERVATIVE_API int
fair_conservative_withdraw(struct fair_conservative *c, uint32_t slot)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_queue_at at;

	if (!fair_queue_find(&c->plan, j->rank, &at) ||
	    fair_queue_slot(&c->plan, at) != slot)
		return -FAIR_EINVAL;
	fair_conservative_end(c);
	if (c->compression != FAIR_COMPRESS)
		fair_conservative_must(fair_queue_remove(&c->priority, slot));
	fair_conservative_unhold(c, slot);
	if (j->rank.key != FAIR_FOREVER)
		fair_rise_add(&c->risen,
			      fair_conservative_rise(c, j->rank.key,
						     j->rank.key +
							     j->walltime));
	c->filled = INT64_MIN;
	return 0;
}

/*
 * The first job of the plan is due. If its time has passed, it still goes first,
 * its processors being free, and ends later than planned: who is in the way of
 * that is moved. Where running jobs are, it is the one to wait.
 */
static bool fair_conservative_start(struct fair_conservative *c, int64_t now,
				    uint32_t slot)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank was = j->rank;
	int64_t end = was.key + j->walltime;

	fair_conservative_must(fair_queue_remove(&c->plan, slot));
	if (was.key < now &&
	    fair_conservative_take(c, now, end < now ? now : end,
				   now + j->walltime, j->procs)) {
		fair_conservative_must(
			fair_conservative_change(c, j, fair_profile_release));
		fair_rise_add(&c->risen,
			      fair_conservative_rise(c, was.key, end));
		fair_conservative_hold(
			c, slot, fair_conservative_earliest(c, now + 1, j));
		c->filled = INT64_MIN;
		if (c->moved)
			c->moved(c->context, slot, was.key);
		return false;
	}
	if (c->compression != FAIR_COMPRESS)
		fair_conservative_must(fair_queue_remove(&c->priority, slot));
	j->rank.key = now;
	return true;
}

/* Who can, is to start now; false: not everybody was looked at. */
static bool fair_conservative_prepare(struct fair_conservative *c, int64_t now)
{
	c->filled = now;
	fair_conservative_set_out(c, FAIR_CONSERVATIVE_START, fair_rise_none());
	return fair_conservative_go_on(c);
}

FAIR_CONSERVATIVE_API bool fair_conservative_due(struct fair_conservative *c,
						 int64_t now, uint32_t *slot)
{
	const struct fair_queue_at first = { 0, 0 };
	bool walked = false;

	if (fair_conservative_unfinished(c)) {
		walked = c->walk.kind == FAIR_CONSERVATIVE_START &&
			 c->profile.origin == now;
		if (!fair_conservative_go_on(c))
			return false;
	}
	fair_conservative_must(fair_profile_advance(&c->profile, now));
	do {
		if ((c->homeless || c->compression == FAIR_COMPRESS_DELAYED) &&
		    c->filled != now && !walked &&
		    !fair_conservative_prepare(c, now))
			return false;
		walked = false;
		if (fair_conservative_next(c) > now)
			return false;
		*slot = fair_queue_slot(&c->plan, first);
	} while (!fair_conservative_start(c, now, *slot));
	return true;
}

FAIR_CONSERVATIVE_API int64_t
fair_conservative_next(const struct fair_conservative *c)
{
	const struct fair_queue_at first = { 0, 0 };
	uint32_t slot;

	if (c->plan.jobs == 0)
		return FAIR_FOREVER;
	slot = fair_queue_slot(&c->plan, first);
	return fair_conservative_job(c, slot)->rank.key;
}

FAIR_CONSERVATIVE_API int
fair_conservative_clone(struct fair_conservative *copy, void *memory,
			size_t bytes, void *array,
			const struct fair_conservative *c,
			const uint32_t *slot)
{
	size_t profile = fair_profile_size(
		(size_t)fair_conservative_steps(c->most, c->others));
	struct fair_queue_at at = { 0, 0 };
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
	fair_conservative_must(fair_queue_clone(&x.plan, &c->plan, slot));
	if (c->compression != FAIR_COMPRESS) {
		for (; fair_queue_narrower(&c->priority, &at, INT32_MAX);
		     at.index++) {
			from = fair_queue_slot(&c->priority, at);
			x.rank[slot ? slot[from] : from] = c->rank[from];
		}
		fair_conservative_must(
			fair_queue_clone(&x.priority, &c->priority, slot));
	}
	x.moved = c->moved;
	x.context = c->context;
	x.homeless = c->homeless;
	x.risen = c->risen;
	x.tight = c->tight;
	x.filled = c->filled;
	x.walk = c->walk;
	if (slot && fair_conservative_unfinished(c))
		x.walk.next = slot[x.walk.next];
	*copy = x;
	return 0;
}

FAIR_CONSERVATIVE_API int
fair_conservative_check(const struct fair_conservative *c)
{
	struct fair_queue_at at = { 0, 0 }, found;
	uint32_t slot, homeless = 0;

	if (fair_profile_check(&c->profile))
		return 1;
	if (fair_queue_check(&c->plan))
		return 2;
	if (c->compression != FAIR_COMPRESS && fair_queue_check(&c->priority))
		return 3;
	for (; fair_queue_narrower(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		homeless += fair_conservative_job(c, slot)->rank.key ==
			    FAIR_FOREVER;
		if (c->compression != FAIR_COMPRESS &&
		    (!fair_queue_find(&c->priority, c->rank[slot], &found) ||
		     fair_queue_slot(&c->priority, found) != slot))
			return 4;
	}
	if (c->compression != FAIR_COMPRESS &&
	    c->plan.jobs != c->priority.jobs)
		return 4;
	if (homeless != c->homeless)
		return 5;
	slot = c->walk.next;
	if (!fair_conservative_unfinished(c))
		return 0;
	return slot < c->most &&
			       fair_queue_find(
				       &c->plan,
				       fair_conservative_job(c, slot)->rank,
				       &found) &&
			       fair_queue_slot(&c->plan, found) == slot
		       ? 0
		       : 6;
}

#ifdef __cplusplus
}
#endif
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
