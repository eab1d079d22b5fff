/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * backfill.h - plan afresh at each event: fcfs, easy, reservation depth N
 *
 * In ONE file:  #define FAIR_BACKFILL_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #define FAIR_QUEUE_IMPLEMENTATION
 *               #include "backfill.h"
 *
 * Jobs start in priority order. The first that cannot start gets a reservation;
 * those behind it may go ahead if they do not delay it [L95]:
 *
 *   procs 8 |######|                  1  the first job that waits
 *           |######|11111111          shadow time: when enough are free for it
 *           |##########|11111         extra: what it leaves over, for jobs that
 *         0 |##########|.....         end after the shadow time
 *           now  ^shadow time
 *
 * fcfs stops at the first job that cannot start; depth N gives reservations to
 * the first N such jobs [MAUI]. No promise outlives the instant.
 *
 * SELECTION. fair_backfill_fill_by() makes backfill a phase of its own: once the
 * reservations are made, jobs are selected for the backfill windows, the
 * largest rectangles of free processors that begin now [MAUI 4.2]:
 *
 *   procs 8 |######|22222222          window 1, the widest: 5 processors until
 *           |######|22222222          the reservation of job 2
 *         5 |______|22222222          window 2, the longest: 1 processor, for
 *         1 |______________            ever
 *           now
 *
 * EXAMPLE
 *   struct fair_queued job[16] = { 0 };
 *   struct fair_queue running;
 *   struct fair_backfill b;
 *   char memory[2][8192];
 *   uint32_t slot;
 *
 *   fair_queue_init(&running, sizeof(running), memory[0], 8192, 16, job,
 *                   sizeof(job[0]));
 *   fair_backfill_init(&b, sizeof(b), memory[1], 8192, 1, false, 16, job,
 *                      sizeof(job[0]), 100, 0, &running);
 *   job[0].rank.key = 0;                 // submitted at 0: first come ...
 *   job[0].rank.number = 7;
 *   job[0].walltime = 3600;
 *   job[0].procs = 64;
 *   fair_backfill_submit(&b, 0);
 *   while (fair_backfill_due(&b, 0, &slot)) {
 *           job[slot].rank.key = 0 + job[slot].walltime;   // runs until
 *           fair_queue_insert(&running, slot);
 *   }
 *
 * UNITS       seconds, intervals half-open; processors
 * ERRORS      0 or -FAIR_E...; on error nothing changed
 * MEMORY      the caller's, fair_backfill_size() bytes
 * THREADS     const calls may run concurrently
 * COMPLEXITY  after an arrival only the newcomer is looked at; after a
 *             completion one walk, which reads the widths of the queue and
 *             looks at the jobs that are narrow enough
 * DEFINES     FAIR_BACKFILL_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 the queue's own   I2 the profile's, with depth > 1
 *             I3 free processors and those of running jobs make the machine
 *             I4 no more than depth reservations are held, one for fcfs
 * SOURCES     [L95]  Lifka, JSSPP 1995: EASY
 *             [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001: shadow time
 *             [MAUI] Jackson, Snell & Clement, JSSPP 2001: depth
 */
#ifndef FAIR_BACKFILL_H
#define FAIR_BACKFILL_H

#ifndef FAIR_PROFILE_H
#include "../profile.h"
#endif
#ifndef FAIR_QUEUE_H
#include "../queue.h"
#endif

#ifndef FAIR_BACKFILL_API
#ifndef FAIRSCHED_STATIC
#define FAIR_BACKFILL_API extern
#elif defined(__GNUC__)
#define FAIR_BACKFILL_API static __attribute__((unused))
#else
#define FAIR_BACKFILL_API static
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIR_BACKFILL_API int fair_backfill_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_backfill_linked)(void)
	__attribute__((used, retain)) = fair_backfill_version_100;
#endif
#endif

/**
 * struct fair_reservation - of the job in @slot, as it was then; UINT32_MAX:
 * the job is gone.
 */
struct fair_reservation {
	int64_t start, walltime;
	int32_t procs;
	uint32_t slot;
};

/* Private to the walk: a group's jobs that were not looked at yet. */
struct fair_group {
	uint32_t next, ends;		/* in sorted[] */
	uint32_t heap;			/* of element i: the group at i */
};

/**
 * struct fair_walk - the caller's say in who comes next, and who may.
 * @before:  whether the job in slot @a comes before that in @b, a strict total
 *           order; NULL: by the largest (wait + walltime) / walltime
 * @gate:    whether the job in @slot may start or get a reservation in @pass;
 *           in the last pass everybody may
 * @group:   jobs in groups, of a user say, of equal priority, that changes with
 *           the starts and reservations of its own jobs; NULL: none
 * @compare: which of two groups is first: < 0, > 0, or 0: it is up to the ranks
 *           of their first jobs
 * @groups:  the caller's, one for each group; a clone must be given its own
 *           copy
 * @context: their first argument
 * @passes:  over the queue; 0 counts as 1
 *
 * All are pure functions of their arguments and of what @context points to.
 */
struct fair_walk {
	bool (*before)(const void *context, int64_t now, uint32_t a,
		       uint32_t b);
	bool (*gate)(const void *context, int64_t now, uint32_t slot,
		     uint32_t pass);
	uint32_t (*group)(const void *context, uint32_t slot);
	int (*compare)(const void *context, uint32_t a, uint32_t b);
	struct fair_group *groups;
	const void *context;
	uint32_t passes;
};

/* Which of the jobs left are started; ties by the order of the walk. */
enum fair_select {
	FAIR_FIRSTFIT,	/* in the order of the walk */
	FAIR_BESTFIT,	/* window by window, the best of those that fit */
	FAIR_GREEDY,	/* window by window, the set that fills it best, of the
			   first FAIR_GREEDY_JOBS that fit */
	FAIR_NOFIT	/* none */
};

/* The degree of fit; of a set, the sum. */
enum fair_metric { FAIR_FIT_PROCS, FAIR_FIT_SECONDS, FAIR_FIT_PROC_SECONDS };

enum fair_reserves {
	FAIR_RESERVES,		/* as long as fewer than limit do */
	FAIR_RESERVES_NEVER,	/* it is passed over instead */
	FAIR_RESERVES_ALWAYS	/* beyond the limit, without counting */
};

#define FAIR_GREEDY_JOBS 12

/**
 * struct fair_fill - backfill as a phase of its own [MAUI 3, steps 6 to 8].
 * @passes:   how often those without a reservation are selected from; 0: no
 *            phase of its own, backfill is the rest of the walk
 * @limit:    reservations that the one pass before makes, 0 on; it ends with
 *            the last of them, or with the first that would be one too many
 * @select:   enum fair_select
 * @metric:   enum fair_metric; processor-seconds above 2^63 - 1 count as that
 * @longest:  the longest window first, else the widest
 * @reserves: enum fair_reserves of the job in @slot; NULL: FAIR_RESERVES
 *
 * The gate of struct fair_walk is asked in every pass, the last one too: 0 is
 * that of the reservations, then 1 .. @passes. Whom it has turned away it must
 * not let in later in the same pass.
 */
struct fair_fill {
	uint32_t passes, limit, select, metric;
	bool longest;
	uint32_t (*reserves)(const void *context, uint32_t slot);
};

/**
 * struct fair_backfill - a queue, and the walk over it.
 *
 * A job is a slot of the caller's array, whose elements begin with struct
 * fair_queued; waiting jobs are sorted by rank, smallest first, running ones by
 * rank in @running, where rank.key is the end of the walltime. A waiting job
 * whose mark is not 0 does not start at this instant.
 */
struct fair_backfill {
	struct fair_queue queue;
	const struct fair_queue *running;
	struct fair_profile profile;	/* if planned: running and reserved */
	struct fair_reservation *held;	/* those of this walk */
	uint32_t *sorted;		/* slots in the order of the walk */
	struct fair_walk walk;
	int32_t procs, free;		/* of the machine; not in use */

	/* The walk: jobs of lower rank than resume have been looked at. */
	struct fair_rank resume;
	uint32_t next, ends;		/* if it sorts: in sorted[] instead */
	uint32_t pass;
	uint32_t reserved;
	struct fair_rank last_reserved;
	int64_t shadow_time;		/* depth 1, once reserved */
	int32_t extra_procs;
	int64_t walked;			/* when the walk began */
	bool again;			/* it must begin at the first job */

	uint64_t looks;			/* at so many jobs, before it pauses */
	uint32_t unsorted;		/* steps that the sort has to go */
	bool paused;

	uint32_t heap;			/* groups left, the first at 0 */
	bool sift;			/* that one may not be the first now */
	bool strict;			/* no other has its priority */

	struct fair_fill fill;		/* passes > 0: from here on */
	uint32_t left;			/* sorted[0 .. left): for backfill */
	uint32_t counted;		/* reservations, against the limit */
	bool closed;			/* no more of those */
	uint32_t chosen[FAIR_GREEDY_JOBS];
	uint32_t chosen_next, chosen_end;

	uint32_t depth;			/* 0: fcfs */
	uint32_t windows;		/* without capacity, at most */
	bool planned;			/* depth > 1, or windows */
	bool sorts;
};

/**
 * fair_easy_shadow() - when the first waiting job can start, and what is left.
 * @running:     running jobs, by the end of their walltime
 * @free_procs:  processors not in use
 * @procs:       of the first waiting job
 * @not_before:  it cannot start earlier
 * @shadow_time: out: the earliest time at which @procs are free
 * @extra_procs: out: processors free then beyond @procs
 *
 * Return: 0; -FAIR_ERANGE if not even the idle machine has as many.
 * Complexity: O(running jobs that end until then). Source: [MF01].
 */
FAIR_BACKFILL_API int fair_easy_shadow(const struct fair_queue *running,
				       int32_t free_procs, int32_t procs,
				       int64_t not_before, int64_t *shadow_time,
				       int32_t *extra_procs);

/**
 * fair_easy_may_backfill() - whether a job starts now without delaying the
 * first: it ends by the shadow time, or needs extra processors only.
 * @end: of the job's walltime if it started now
 */
FAIR_BACKFILL_API bool fair_easy_may_backfill(int64_t end, int32_t procs,
					      int32_t free_procs,
					      int64_t shadow_time,
					      int32_t extra_procs);

/** fair_backfill_size() - bytes for up to @jobs live jobs; 0 if too many. */
FAIR_BACKFILL_API size_t fair_backfill_size(uint32_t depth, bool sorts,
					    uint32_t jobs);

/**
 * fair_backfill_init() - an empty queue before an idle machine.
 * @depth:   reservations of a walk; 0 is fcfs: stop at the first job that
 *           cannot start
 * @sorts:   each walk sorts the queue: by the largest expansion factor (wait +
 *           walltime) / walltime, ties by rank, where rank.key is then the
 *           time of submission; or as fair_backfill_walk_by() says
 * @array:   the caller's jobs, elements of @stride bytes
 * @running: the caller's, sorted by the end of the walltime
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW, with depth > 1, for an @origin that
 * is none of a profile; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_BACKFILL_API int
fair_backfill_init(struct fair_backfill *b, size_t struct_size, void *memory,
		   size_t bytes, uint32_t depth, bool sorts, uint32_t jobs,
		   void *array, size_t stride, int32_t procs, int64_t origin,
		   const struct fair_queue *running);

/** fair_backfill_windows_size() - bytes for fair_backfill_windows(). */
FAIR_BACKFILL_API size_t fair_backfill_windows_size(uint32_t depth,
						    uint32_t jobs,
						    uint32_t windows);

/**
 * fair_backfill_windows() - processors may be away at times known ahead.
 * @memory:  fair_backfill_windows_size() bytes that stay with it
 * @windows: most of these times at once, >= 1
 * @origin:  as for fair_backfill_init()
 *
 * The walk then plans in the availability profile whatever its depth, instead
 * of by a shadow time: no job that starts runs into one. To be called behind
 * fair_backfill_init(), before anything else; fair_backfill_lift() changes what
 * is free.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW for an @origin that is none of a
 * profile; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_BACKFILL_API int fair_backfill_windows(struct fair_backfill *b,
					    void *memory, size_t bytes,
					    uint32_t windows, int64_t origin);

/**
 * fair_backfill_lift() - forget what was planned: until the next walk the
 * profile is what running jobs and windows leave, and may be changed.
 */
FAIR_BACKFILL_API void fair_backfill_lift(struct fair_backfill *b, int64_t now);

/**
 * fair_backfill_walk_by() - who comes next, and who may, from the next walk on.
 *
 * Return: 0; -FAIR_EINVAL for an order where fair_backfill_init() was not told
 * that each walk sorts.
 */
FAIR_BACKFILL_API int fair_backfill_walk_by(struct fair_backfill *b,
					    const struct fair_walk *walk);

/**
 * fair_backfill_fill_by() - how to backfill, from the next walk on.
 *
 * Return: 0; -FAIR_EINVAL for a walk that does not sort, for a depth below 2 or
 * below the limit, for more than one pass over the queue, or for an unknown
 * selection or metric.
 * Complexity: of a selection O(waiting jobs * one question to the profile);
 * FAIR_GREEDY: and 2^n * n for the n first that fit.
 */
FAIR_BACKFILL_API int fair_backfill_fill_by(struct fair_backfill *b,
					    const struct fair_fill *fill);

/**
 * fair_backfill_submit() - a job waits from now on.
 *
 * Return: as fair_queue_insert().
 */
FAIR_BACKFILL_API int fair_backfill_submit(struct fair_backfill *b,
					   uint32_t slot);

/**
 * fair_backfill_withdraw() - a waiting job leaves.
 *
 * Return: as fair_queue_remove().
 */
FAIR_BACKFILL_API int fair_backfill_withdraw(struct fair_backfill *b,
					     uint32_t slot);

/**
 * fair_backfill_give_back() - @procs are free from @now on, that would have been
 * in use until @end; FAIR_FOREVER: the machine grows.
 *
 * Where the walk plans in a profile, this and the calls below can fail; then
 * what the last walk planned is forgotten, and nothing else is changed.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW beyond the profile's horizon;
 * -FAIR_ERANGE if fewer are in use.
 */
FAIR_BACKFILL_API int fair_backfill_give_back(struct fair_backfill *b,
					      int64_t now, int64_t end,
					      int32_t procs);

/**
 * fair_backfill_extend() - a running job holds @procs over [@from, @end) too.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW beyond the profile's horizon;
 * -FAIR_ERANGE if fewer are free.
 */
FAIR_BACKFILL_API int fair_backfill_extend(struct fair_backfill *b,
					   int64_t now, int64_t from,
					   int64_t end, int32_t procs);

/**
 * fair_backfill_shorten() - a running job's planned end is @end, not @was.
 *
 * Return: as fair_backfill_give_back().
 */
FAIR_BACKFILL_API int fair_backfill_shorten(struct fair_backfill *b,
					    int64_t end, int64_t was,
					    int32_t procs);

/**
 * fair_backfill_shrink() - the machine loses @procs free processors.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if fewer are free.
 */
FAIR_BACKFILL_API int fair_backfill_shrink(struct fair_backfill *b, int64_t now,
					   int32_t procs);

/** fair_backfill_replan() - begin the next walk at the first job. */
FAIR_BACKFILL_API void fair_backfill_replan(struct fair_backfill *b);

/**
 * fair_backfill_due() - the next job that starts now.
 *
 * It is no longer queued. Sort it into @running before the next call; call
 * until false.
 */
FAIR_BACKFILL_API bool fair_backfill_due(struct fair_backfill *b, int64_t now,
					 uint32_t *slot);

/**
 * fair_backfill_budget() - how many jobs the calls that follow may look at.
 * @looks: a step of sorting is a look too; UINT64_MAX, as at first: all
 *
 * Sorting into groups, and a selection by windows, are not bounded. If the
 * budget runs out, fair_backfill_due() returns false, and goes on there when it
 * is called again at the same instant.
 */
FAIR_BACKFILL_API void fair_backfill_budget(struct fair_backfill *b,
					    uint64_t looks);

/** fair_backfill_paused() - whether that is why it returned false. */
FAIR_BACKFILL_API bool fair_backfill_paused(const struct fair_backfill *b);

/** fair_backfill_begins() - whether the next fair_backfill_due() begins anew. */
FAIR_BACKFILL_API bool fair_backfill_begins(const struct fair_backfill *b,
					    int64_t now);

/**
 * fair_backfill_clone() - see fair_conservative_clone(). Windows are cloned
 * by fair_backfill_clone_windows(), behind it.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 */
FAIR_BACKFILL_API int
fair_backfill_clone(struct fair_backfill *copy, void *memory, size_t bytes,
		    void *array, const struct fair_queue *running,
		    const struct fair_backfill *b, const uint32_t *slot);

/**
 * fair_backfill_clone_windows() - into fair_backfill_windows_size() bytes.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 */
FAIR_BACKFILL_API int fair_backfill_clone_windows(struct fair_backfill *copy,
						  void *memory, size_t bytes,
						  const struct fair_backfill *b);

/** fair_backfill_check() - 0, or the first broken invariant. */
FAIR_BACKFILL_API int fair_backfill_check(const struct fair_backfill *b);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_BACKFILL_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_BACKFILL_IMPLEMENTATION)
#define FAIR_BACKFILL_IMPLEMENTATION
#endif
#if defined(FAIR_BACKFILL_IMPLEMENTATION) && !defined(FAIR_BACKFILL_IMPLEMENTED)
#define FAIR_BACKFILL_IMPLEMENTED

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

FAIR_BACKFILL_API int fair_backfill_version_100(void)
{
	return FAIRSCHED_VERSION;
}

FAIR_BACKFILL_API int fair_easy_shadow(const struct fair_queue *running,
				       int32_t free_procs, int32_t procs,
				       int64_t not_before, int64_t *shadow_time,
				       int32_t *extra_procs)
{
	struct fair_queue_at at = { 0, 0 };
	const struct fair_queued *j;
	int64_t when = not_before;

	for (; fair_queue_narrower(running, &at, INT32_MAX); at.index++) {
		j = fair_queue_job(running, fair_queue_slot(running, at));
		if (free_procs >= procs && j->rank.key > when)
			break;
		free_procs += j->procs;
		if (when < j->rank.key)
			when = j->rank.key;
	}
	if (free_procs < procs)
		return -FAIR_ERANGE;
	*shadow_time = when;
	*extra_procs = free_procs - procs;
	return 0;
}

FAIR_BACKFILL_API bool fair_easy_may_backfill(int64_t end, int32_t procs,
					      int32_t free_procs,
					      int64_t shadow_time,
					      int32_t extra_procs)
{
	return procs <= free_procs &&
	       (end <= shadow_time || procs <= extra_procs);
}

static size_t fair_backfill_steps(uint32_t depth, uint32_t jobs)
{
	return 2 * ((size_t)jobs + depth) + 1;
}

/* Bytes of the parts, in their order in memory. */
static size_t fair_backfill_profile_size(uint32_t depth, uint32_t jobs)
{
	return depth > 1 ? fair_profile_size(fair_backfill_steps(depth, jobs))
			 : 0;
}

static size_t fair_backfill_held_size(uint32_t depth)
{
	return depth * sizeof(struct fair_reservation) + 8;
}

FAIR_BACKFILL_API size_t fair_backfill_size(uint32_t depth, bool sorts,
					    uint32_t jobs)
{
	uint64_t bytes;

	if (jobs > UINT32_MAX / 4 || depth > UINT32_MAX / 4 ||
	    !fair_queue_size(jobs) ||
	    (depth > 1 && !fair_backfill_profile_size(depth, jobs)))
		return 0;
	/* The profile has more bytes than what is held: neither overflows. */
	bytes = (uint64_t)fair_queue_size(jobs) +
		fair_backfill_profile_size(depth, jobs) +
		fair_backfill_held_size(depth) +
		(sorts ? (uint64_t)jobs * sizeof(uint32_t) : 0);
	return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

FAIR_BACKFILL_API int
fair_backfill_init(struct fair_backfill *b, size_t struct_size, void *memory,
		   size_t bytes, uint32_t depth, bool sorts, uint32_t jobs,
		   void *array, size_t stride, int32_t procs, int64_t origin,
		   const struct fair_queue *running)
{
	size_t profile = fair_backfill_profile_size(depth, jobs);
	struct fair_backfill x;
	char *at = (char *)memory;
	int error;

	if (!b || !memory || struct_size != sizeof(*b) || procs < 1)
		return -FAIR_EINVAL;
	if (!fair_backfill_size(depth, sorts, jobs) ||
	    bytes < fair_backfill_size(depth, sorts, jobs))
		return -FAIR_ENOMEM;
	FAIR_MEMSET(&x, 0, sizeof(x));
	error = fair_queue_init(&x.queue, sizeof(x.queue), at,
				fair_queue_size(jobs), jobs, array, stride);
	at += fair_queue_size(jobs);
	if (!error && depth > 1)
		error = fair_profile_init(&x.profile, sizeof(x.profile), at,
					  profile, procs, origin);
	if (error)
		return error;
	at += profile;
	at += (8 - (uintptr_t)at % 8) % 8;
	x.held = (struct fair_reservation *)(void *)at;
	at += depth * sizeof(*x.held);
	x.sorted = (uint32_t *)(void *)at;
	x.running = running;
	x.procs = x.free = procs;
	x.depth = depth;
	x.planned = depth > 1;
	x.sorts = sorts;
	x.again = true;
	x.looks = UINT64_MAX;
	*b = x;
	return 0;
}

FAIR_BACKFILL_API size_t fair_backfill_windows_size(uint32_t depth,
						    uint32_t jobs,
						    uint32_t windows)
{
	if (jobs > UINT32_MAX / 4 || depth > UINT32_MAX / 4 ||
	    windows > UINT32_MAX / 4)
		return 0;
	return fair_profile_size(fair_backfill_steps(depth, jobs) +
				 2 * (size_t)windows);
}

FAIR_BACKFILL_API int fair_backfill_windows(struct fair_backfill *b,
					    void *memory, size_t bytes,
					    uint32_t windows, int64_t origin)
{
	size_t size;
	int error;

	if (!b || !memory || !windows || b->queue.jobs)
		return -FAIR_EINVAL;
	size = fair_backfill_windows_size(b->depth, b->queue.most, windows);
	if (!size || bytes < size)
		return -FAIR_ENOMEM;
	error = fair_profile_init(&b->profile, sizeof(b->profile), memory, size,
				  b->procs, origin);
	if (error)
		return error;
	b->windows = windows;
	b->planned = true;
	return 0;
}

static struct fair_queued *fair_backfill_job(const struct fair_backfill *b,
					     uint32_t slot)
{
	return (struct fair_queued *)(uintptr_t)fair_queue_job(&b->queue, slot);
}

/* Proved: what is released was reserved, what is reserved was found free. */
static void fair_backfill_must(int error)
{
	FAIR_ASSERT(error == 0);
	(void)error;
}

static void fair_backfill_drop_reservations(struct fair_backfill *b)
{
	const struct fair_reservation *r;
	int64_t start, end;

	for (; b->reserved; b->reserved--) {
		r = b->held + b->reserved - 1;
		if (b->depth && r->slot != UINT32_MAX)
			fair_backfill_job(b, r->slot)->mark &=
				~(uint32_t)FAIR_MARK_RESERVED;
		if (!b->planned || !b->depth)
			continue;
		start = r->start;
		end = start + r->walltime;
		if (start < b->profile.origin)
			start = b->profile.origin;
		if (start < end)
			fair_backfill_must(fair_profile_release(
				&b->profile, start, end - start, r->procs));
	}
}

FAIR_BACKFILL_API void fair_backfill_replan(struct fair_backfill *b)
{
	b->again = true;
}

FAIR_BACKFILL_API int fair_backfill_submit(struct fair_backfill *b,
					   uint32_t slot)
{
	struct fair_rank rank = fair_backfill_job(b, slot)->rank;
	int error = fair_queue_insert(&b->queue, slot);

	if (error)
		return error;
	if (b->sorts || b->walk.gate ||
	    (b->reserved && fair_rank_below(rank, b->last_reserved)))
		b->again = true;
	if (fair_rank_below(rank, b->resume))
		b->resume = rank;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_withdraw(struct fair_backfill *b,
					     uint32_t slot)
{
	struct fair_rank rank = fair_backfill_job(b, slot)->rank;
	int error = fair_queue_remove(&b->queue, slot);
	uint32_t i;

	if (error)
		return error;
	for (i = 0; b->depth && i < b->reserved; i++)
		if (b->held[i].slot == slot)
			b->held[i].slot = UINT32_MAX;
	fair_backfill_job(b, slot)->mark &= ~(uint32_t)FAIR_MARK_RESERVED;
	if (b->sorts || b->walk.gate ||
	    (b->reserved && !fair_rank_below(b->last_reserved, rank)))
		b->again = true;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_walk_by(struct fair_backfill *b,
					    const struct fair_walk *walk)
{
	if (!walk || ((walk->before || walk->group) && !b->sorts))
		return -FAIR_EINVAL;
	b->walk = *walk;
	b->again = true;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_fill_by(struct fair_backfill *b,
					    const struct fair_fill *fill)
{
	if (!fill || !b->sorts || b->depth < 2 || b->depth < fill->limit ||
	    b->walk.passes > 1 || b->walk.group || fill->select > FAIR_NOFIT ||
	    fill->metric > FAIR_FIT_PROC_SECONDS)
		return -FAIR_EINVAL;
	b->fill = *fill;
	b->again = true;
	return 0;
}

/* Processors change for running jobs or the machine: forget what was planned. */
static int fair_backfill_shift(struct fair_backfill *b, int64_t now,
			       int64_t end, int32_t procs)
{
	b->again = true;
	if (!b->planned)
		return 0;
	fair_backfill_drop_reservations(b);
	if (end == FAIR_FOREVER)
		return fair_profile_change_capacity(&b->profile, now, end,
						    procs);
	if (procs > 0)
		return fair_profile_release(&b->profile, now, end - now, procs);
	return fair_profile_reserve(&b->profile, now, end - now, -procs);
}

FAIR_BACKFILL_API int fair_backfill_give_back(struct fair_backfill *b,
					      int64_t now, int64_t end,
					      int32_t procs)
{
	int error = 0;

	if (now < end)
		error = fair_backfill_shift(b, now, end, procs);
	if (error)
		return error;
	b->again = true;
	b->free += procs;
	if (end == FAIR_FOREVER)
		b->procs += procs;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_extend(struct fair_backfill *b,
					   int64_t now, int64_t from,
					   int64_t end, int32_t procs)
{
	int error = b->planned ? fair_profile_advance(&b->profile, now) : 0;

	return error ? error : fair_backfill_shift(b, from, end, -procs);
}

FAIR_BACKFILL_API void fair_backfill_lift(struct fair_backfill *b, int64_t now)
{
	b->again = true;
	fair_backfill_drop_reservations(b);
	fair_backfill_must(fair_profile_advance(&b->profile, now));
}

FAIR_BACKFILL_API int fair_backfill_shorten(struct fair_backfill *b,
					    int64_t end, int64_t was,
					    int32_t procs)
{
	return fair_backfill_shift(b, end, was, procs);
}

FAIR_BACKFILL_API int fair_backfill_shrink(struct fair_backfill *b, int64_t now,
					   int32_t procs)
{
	int error;

	if (procs > b->free)
		return -FAIR_ERANGE;
	error = fair_backfill_shift(b, now, FAIR_FOREVER, -procs);
	if (error)
		return error;
	b->free -= procs;
	b->procs -= procs;
	return 0;
}

/* a * b < c * d without overflow: compare the products' upper, lower halves. */
static void fair_backfill_multiply(uint64_t a, uint64_t b, uint64_t product[2])
{
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);

	product[0] = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
	product[1] = other << 32 | (low & UINT32_MAX);
}

/* Without overflow, however long ago it was submitted. */
static uint64_t fair_backfill_stay(const struct fair_queued *j, int64_t now)
{
	return (uint64_t)now - (uint64_t)j->rank.key + (uint64_t)j->walltime;
}

/* (wait + walltime) / walltime of x above that of y; ties by rank. */
static bool fair_backfill_lxf_before(const struct fair_queued *x,
				     const struct fair_queued *y, int64_t now)
{
	uint64_t a[2], b[2];

	fair_backfill_multiply(fair_backfill_stay(x, now),
			       (uint64_t)y->walltime, a);
	fair_backfill_multiply(fair_backfill_stay(y, now),
			       (uint64_t)x->walltime, b);
	if (a[0] != b[0])
		return a[0] > b[0];
	if (a[1] != b[1])
		return a[1] > b[1];
	return fair_rank_below(x->rank, y->rank);
}

static bool fair_backfill_before(const struct fair_backfill *b, int64_t now,
				 uint32_t x, uint32_t y)
{
	if (b->walk.before)
		return b->walk.before(b->walk.context, now, x, y);
	return fair_backfill_lxf_before(fair_backfill_job(b, x),
					fair_backfill_job(b, y), now);
}

/* Below @top, each parent comes after its children: the last is at 0. */
static void fair_backfill_sift(const struct fair_backfill *b, int64_t now,
			       uint32_t *heap, uint32_t parent, uint32_t top)
{
	uint32_t slot = heap[parent], child;

	for (; (child = 2 * parent + 1) < top; parent = child) {
		if (child + 1 < top &&
		    fair_backfill_before(b, now, heap[child], heap[child + 1]))
			child++;
		if (!fair_backfill_before(b, now, slot, heap[child]))
			break;
		heap[parent] = heap[child];
	}
	heap[parent] = slot;
}

/* Whether the budget has one look more. */
static bool fair_backfill_look(struct fair_backfill *b)
{
	b->paused = !b->looks;
	b->looks -= !b->paused;
	return !b->paused;
}

/*
 * Heap sort what has not been looked at: in place, no worse than n log n. Of
 * n / 2 + n - 1 steps the last n - 1 take the last job of all out of the heap.
 */
static bool fair_backfill_sort(struct fair_backfill *b, int64_t now)
{
	uint32_t *heap = b->sorted + b->next, n = b->ends - b->next, i, last;

	for (; b->unsorted; b->unsorted--) {
		if (!fair_backfill_look(b))
			return false;
		i = b->unsorted;
		if (i >= n) {
			fair_backfill_sift(b, now, heap, i - n, n);
			continue;
		}
		last = heap[0];
		heap[0] = heap[i];
		heap[i] = last;
		fair_backfill_sift(b, now, heap, 0, i);
	}
	return true;
}

/*
 * GROUPS. Within a group jobs come by rank, so that the first of all is the
 * first of its group: a heap of groups, of which a look changes the top alone.
 */

static struct fair_group *fair_backfill_group(const struct fair_backfill *b,
					      struct fair_queue_at at)
{
	return b->walk.groups +
	       b->walk.group(b->walk.context, fair_queue_slot(&b->queue, at));
}

static int fair_backfill_compare(const struct fair_backfill *b, uint32_t i,
				 uint32_t j)
{
	return b->walk.compare(b->walk.context, b->walk.groups[i].heap,
			       b->walk.groups[j].heap);
}

static struct fair_rank fair_backfill_first_rank(const struct fair_backfill *b,
						 uint32_t i)
{
	uint32_t group = b->walk.groups[i].heap;

	return fair_backfill_job(b, b->sorted[b->walk.groups[group].next])->rank;
}

/* Whether the group at @i of the heap goes before that at @j. */
static bool fair_backfill_goes_before(const struct fair_backfill *b, uint32_t i,
				      uint32_t j)
{
	int order = fair_backfill_compare(b, i, j);

	return order ? order < 0
		     : fair_rank_below(fair_backfill_first_rank(b, i),
				       fair_backfill_first_rank(b, j));
}

static void fair_backfill_sift_group(struct fair_backfill *b, uint32_t parent)
{
	struct fair_group *groups = b->walk.groups;
	uint32_t child, group;

	for (; (child = 2 * parent + 1) < b->heap; parent = child) {
		if (child + 1 < b->heap &&
		    fair_backfill_goes_before(b, child + 1, child))
			child++;
		if (!fair_backfill_goes_before(b, child, parent))
			break;
		group = groups[parent].heap;
		groups[parent].heap = groups[child].heap;
		groups[child].heap = group;
	}
}

/* The first group to the top, if it may have changed. */
static void fair_backfill_settle(struct fair_backfill *b)
{
	struct fair_group *groups = b->walk.groups;
	const struct fair_group *top = groups + groups[0].heap;

	if (top->next == top->ends)
		groups[0].heap = groups[--b->heap].heap;
	fair_backfill_sift_group(b, 0);
	b->sift = false;
	b->strict = (b->heap < 2 || fair_backfill_compare(b, 0, 1) < 0) &&
		    (b->heap < 3 || fair_backfill_compare(b, 0, 2) < 0);
}

/* Until its priority changes, or where it shares it, the top stays the top. */
static bool fair_backfill_of_group(struct fair_backfill *b, uint32_t *slot)
{
	struct fair_group *top;

	if (b->sift && b->heap)
		fair_backfill_settle(b);
	if (!b->heap)
		return false;
	top = b->walk.groups + b->walk.groups[0].heap;
	*slot = b->sorted[top->next++];
	b->sift = !b->strict || top->next == top->ends;
	return true;
}

/* Sort the queue by groups: count their jobs, make room, put them there. */
static void fair_backfill_begin_groups(struct fair_backfill *b)
{
	struct fair_group *groups = b->walk.groups, *g;
	struct fair_queue_at at = { 0, 0 };
	uint32_t i;

	for (; fair_queue_narrower(&b->queue, &at, INT32_MAX); at.index++)
		fair_backfill_group(b, at)->ends = 0;
	at.row = at.index = b->heap = 0;
	for (; fair_queue_narrower(&b->queue, &at, INT32_MAX); at.index++) {
		g = fair_backfill_group(b, at);
		if (!g->ends++)
			groups[b->heap++].heap = (uint32_t)(g - groups);
	}
	for (i = 0; i < b->heap; i++) {
		g = groups + groups[i].heap;
		g->next = b->ends;
		b->ends += g->ends;
		g->ends = g->next;
	}
	at.row = at.index = 0;
	for (; fair_queue_narrower(&b->queue, &at, INT32_MAX); at.index++)
		b->sorted[fair_backfill_group(b, at)->ends++] =
			fair_queue_slot(&b->queue, at);
	for (i = b->heap / 2; i-- > 0;)
		fair_backfill_sift_group(b, i);
	b->sift = true;
}

static void fair_backfill_begin_pass(struct fair_backfill *b)
{
	struct fair_queue_at at = { 0, 0 };

	b->resume.key = INT64_MIN;
	b->resume.number = 0;
	b->unsorted = 0;
	if (!b->sorts)
		return;
	b->next = b->ends = 0;
	if (b->walk.group) {
		fair_backfill_begin_groups(b);
		return;
	}
	for (; fair_queue_narrower(&b->queue, &at, INT32_MAX); at.index++)
		b->sorted[b->ends++] = fair_queue_slot(&b->queue, at);
	if (b->ends > 1)
		b->unsorted = b->ends / 2 + b->ends - 1;
}

static void fair_backfill_begin(struct fair_backfill *b, int64_t now)
{
	fair_backfill_drop_reservations(b);
	b->again = false;
	b->walked = now;
	b->pass = 0;
	b->left = b->counted = b->chosen_next = b->chosen_end = 0;
	b->closed = false;
	fair_backfill_begin_pass(b);
}

FAIR_BACKFILL_API void fair_backfill_budget(struct fair_backfill *b,
					    uint64_t looks)
{
	b->looks = looks;
}

FAIR_BACKFILL_API bool fair_backfill_paused(const struct fair_backfill *b)
{
	return b->paused;
}

FAIR_BACKFILL_API bool fair_backfill_begins(const struct fair_backfill *b,
					    int64_t now)
{
	return b->again ||
	       ((b->sorts || b->walk.gate) && b->walked != now);
}

static bool fair_backfill_may(const struct fair_backfill *b, int64_t now,
			      uint32_t slot)
{
	return !b->walk.gate ||
	       b->walk.gate(b->walk.context, now, slot, b->pass);
}

/* The next job in the order of this pass, of those that can matter. */
static bool fair_backfill_following(struct fair_backfill *b,
				    struct fair_queue_at *at, int32_t procs,
				    uint32_t *slot)
{
	if (b->walk.group)
		return fair_backfill_of_group(b, slot);
	if (b->sorts) {
		if (b->next == b->ends)
			return false;
		*slot = b->sorted[b->next++];
		return true;
	}
	if (!fair_queue_narrower(&b->queue, at, procs))
		return false;
	*slot = fair_queue_slot(&b->queue, *at);
	at->index++;
	return true;
}

/* The budget has run out before the job at @at, if there is one. */
static void fair_backfill_pause(struct fair_backfill *b,
				struct fair_queue_at at, int32_t procs)
{
	b->paused = b->sorts || fair_queue_narrower(&b->queue, &at, procs);
	if (b->paused && !b->sorts)
		b->resume = fair_backfill_job(b, fair_queue_slot(&b->queue, at))
				    ->rank;
}

/* The next job that may start or may be given a reservation. */
static bool fair_backfill_candidate(struct fair_backfill *b,
				    struct fair_queue_at *at, int64_t now,
				    uint32_t *slot)
{
	bool all = b->reserved < b->depth || !b->depth;
	int32_t procs = all ? INT32_MAX : b->free;

	if ((!all && b->free == 0) || (!b->depth && b->reserved))
		return false;
	for (; b->looks; b->looks--) {
		if (!fair_backfill_following(b, at, procs, slot))
			return false;
		if (fair_backfill_job(b, *slot)->mark & FAIR_MARK_RESERVED)
			continue;
		if (b->pass + 1 >= b->walk.passes ||
		    fair_backfill_may(b, now, *slot)) {
			b->looks--;
			return true;
		}
	}
	fair_backfill_pause(b, *at, procs);
	return false;
}

static bool fair_backfill_fits(const struct fair_backfill *b, int64_t now,
			       uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);
	int32_t least = 0;

	if (j->mark || j->procs > b->free)
		return false;
	if (!b->reserved && !b->windows)
		return true;
	if (!b->planned)
		return fair_easy_may_backfill(now + j->walltime, j->procs,
					      b->free, b->shadow_time,
					      b->extra_procs);
	fair_backfill_must(fair_profile_min_free(
		&b->profile, now, now + j->walltime, &least));
	return j->procs <= least;
}

/* The job cannot start: it gets a reservation, where any is left. */
static void fair_backfill_reserve(struct fair_backfill *b, int64_t now,
				  uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);
	struct fair_reservation *r = b->held + b->reserved;

	if (b->depth && b->reserved == b->depth)
		return;
	now += j->mark & FAIR_MARK_REFUSED;
	if (b->depth && !b->planned &&
	    fair_easy_shadow(b->running, b->free, j->procs, now,
			     &b->shadow_time, &b->extra_procs))
		return;
	if (b->depth && b->planned) {
		r->walltime = j->walltime;
		r->procs = j->procs;
		fair_profile_settle(&b->profile);
		if (fair_profile_earliest_start(&b->profile, now, j->walltime,
						j->procs, &r->start))
			return;
		fair_backfill_must(fair_profile_reserve(
			&b->profile, r->start, j->walltime, j->procs));
	}
	if (b->depth) {
		fair_backfill_job(b, slot)->mark |= FAIR_MARK_RESERVED;
		b->held[b->reserved].slot = slot;
	}
	b->last_reserved = j->rank;
	b->reserved++;
	b->sift = true;
}

/* It is not queued any more, and holds its processors from now on. */
static void fair_backfill_start(struct fair_backfill *b, int64_t now,
				uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);

	fair_backfill_must(fair_queue_remove(&b->queue, slot));
	b->free -= j->procs;
	b->sift = true;
	if (!b->planned && b->reserved &&
	    now + j->walltime > b->shadow_time)
		b->extra_procs -= j->procs;
	if (b->planned)
		fair_backfill_must(fair_profile_reserve(
			&b->profile, now, j->walltime, j->procs));
}

/* BACKFILL AS A PHASE OF ITS OWN */

static uint32_t fair_backfill_reserves(const struct fair_backfill *b,
				       uint32_t slot)
{
	return b->fill.reserves ? b->fill.reserves(b->walk.context, slot)
				: (uint32_t)FAIR_RESERVES;
}

/* Whether the job, which cannot start, holds a reservation now. */
static bool fair_backfill_hold(struct fair_backfill *b, int64_t now,
			       uint32_t slot)
{
	uint32_t how = fair_backfill_reserves(b, slot), reserved = b->reserved;

	if (how == FAIR_RESERVES_NEVER)
		return false;
	if (how == FAIR_RESERVES && b->counted == b->fill.limit) {
		b->closed = true;
		return false;
	}
	fair_backfill_reserve(b, now, slot);
	if (b->reserved == reserved)
		return false;
	if (how == FAIR_RESERVES)
		b->closed = ++b->counted == b->fill.limit;
	return true;
}

/* Starts and reservations in order; who gets neither is left for backfill. */
static bool fair_backfill_due_first(struct fair_backfill *b, int64_t now,
				    uint32_t *slot)
{
	while (b->next < b->ends) {
		if (!fair_backfill_look(b))
			return false;
		*slot = b->sorted[b->next++];
		if ((!b->closed || fair_backfill_reserves(b, *slot) ==
					   FAIR_RESERVES_ALWAYS) &&
		    fair_backfill_may(b, now, *slot)) {
			if (fair_backfill_fits(b, now, *slot)) {
				fair_backfill_start(b, now, *slot);
				return true;
			}
			if (fair_backfill_hold(b, now, *slot))
				continue;
		}
		b->sorted[b->left++] = *slot;
	}
	b->ends = b->left;
	return false;
}

/* The job at @i of those left starts. */
static void fair_backfill_start_left(struct fair_backfill *b, int64_t now,
				     uint32_t i)
{
	uint32_t slot = b->sorted[i];

	b->ends = --b->left;
	FAIR_MEMMOVE(b->sorted + i, b->sorted + i + 1,
		     (b->left - i) * sizeof(*b->sorted));
	fair_backfill_start(b, now, slot);
}

static bool fair_backfill_due_in_order(struct fair_backfill *b, int64_t now,
				       uint32_t *slot)
{
	for (; b->next < b->left && b->free > 0; b->next++) {
		if (!fair_backfill_look(b))
			return false;
		*slot = b->sorted[b->next];
		if (fair_backfill_fits(b, now, *slot) &&
		    fair_backfill_may(b, now, *slot)) {
			fair_backfill_start_left(b, now, b->next);
			return true;
		}
	}
	return false;
}

/* As wide as it is for all of its time, and then narrower. */
struct fair_window {
	int64_t end;
	int32_t procs;
};

/* The longest window that has @procs. */
static struct fair_window
fair_backfill_longest(const struct fair_backfill *b, int64_t now, int32_t procs)
{
	struct fair_window w = { now, INT32_MAX };
	struct fair_step step;

	while (w.end != FAIR_FOREVER) {
		fair_backfill_must(
			fair_profile_step_at(&b->profile, w.end, &step));
		if (step.free < procs)
			break;
		if (step.free < w.procs)
			w.procs = step.free;
		w.end = step.end;
	}
	return w;
}

/*
 * The first window that any of the jobs left fits into. From the widest on,
 * windows get longer: a job first fits into the one whose width is what is free
 * at least during its walltime, and the shortest job is the first to fit. From
 * the longest on, they get wider: the narrowest job is the first.
 */
static bool fair_backfill_window(const struct fair_backfill *b, int64_t now,
				 struct fair_window *w)
{
	int64_t least = INT64_MAX, size;
	const struct fair_queued *j, *first = NULL;
	int32_t procs = 0;
	uint32_t i;

	for (i = 0; i < b->left && b->free > 0; i++) {
		j = fair_backfill_job(b, b->sorted[i]);
		size = b->fill.longest ? j->procs : j->walltime;
		if (size >= least || !fair_backfill_fits(b, now, b->sorted[i]) ||
		    !fair_backfill_may(b, now, b->sorted[i]))
			continue;
		least = size;
		first = j;
	}
	if (!first)
		return false;
	procs = first->procs;
	if (!b->fill.longest)
		fair_backfill_must(fair_profile_min_free(
			&b->profile, now, now + first->walltime, &procs));
	*w = fair_backfill_longest(b, now, procs);
	return true;
}

static int64_t fair_backfill_metric(const struct fair_backfill *b,
				    const struct fair_queued *j)
{
	if (b->fill.metric == FAIR_FIT_PROCS)
		return j->procs;
	if (b->fill.metric == FAIR_FIT_SECONDS)
		return j->walltime;
	return j->walltime > INT64_MAX / j->procs ? INT64_MAX
						  : j->walltime * j->procs;
}

/*
 * The best set of the @n chosen that fits into @w. Bit n - 1 - i of its mask is
 * chosen[i]: of equal sets the one with the first job by which they differ has
 * the greater mask, and comes first.
 */
static void fair_backfill_choose_set(struct fair_backfill *b,
				     const struct fair_window *w, uint32_t n)
{
	int64_t most = -1, sum, metric, procs;
	const struct fair_queued *j;
	uint32_t mask, best = 0, i;

	for (mask = ((uint32_t)1 << n) - 1; mask; mask--) {
		for (sum = procs = 0, i = 0; i < n; i++) {
			if (!(mask >> (n - 1 - i) & 1))
				continue;
			j = fair_backfill_job(b, b->chosen[i]);
			metric = fair_backfill_metric(b, j);
			sum = metric > INT64_MAX - sum ? INT64_MAX
						       : sum + metric;
			procs += j->procs;
		}
		if (procs <= w->procs && sum > most) {
			most = sum;
			best = mask;
		}
	}
	for (b->chosen_end = i = 0; i < n; i++)
		if (best >> (n - 1 - i) & 1)
			b->chosen[b->chosen_end++] = b->chosen[i];
}

/* Who starts in the first window that any job left fits into; false: none. */
static bool fair_backfill_choose(struct fair_backfill *b, int64_t now)
{
	bool best = b->fill.select == FAIR_BESTFIT;
	const struct fair_queued *j;
	struct fair_window w;
	uint32_t i, n = 0;
	int64_t most = -1;

	if (!fair_backfill_window(b, now, &w))
		return false;
	for (i = 0; i < b->left && n < FAIR_GREEDY_JOBS; i++) {
		j = fair_backfill_job(b, b->sorted[i]);
		if (j->mark || j->procs > w.procs ||
		    now + j->walltime > w.end ||
		    (best && fair_backfill_metric(b, j) <= most) ||
		    !fair_backfill_may(b, now, b->sorted[i]))
			continue;
		most = fair_backfill_metric(b, j);
		n = best ? 0 : n;
		b->chosen[n++] = b->sorted[i];
	}
	b->chosen_next = 0;
	b->chosen_end = n;
	if (!best)
		fair_backfill_choose_set(b, &w, n);
	return true;
}

/* The first of those chosen passed the gate just now: each round starts one. */
static bool fair_backfill_due_by_window(struct fair_backfill *b, int64_t now,
					uint32_t *slot)
{
	uint32_t i;

	do {
		while (b->chosen_next < b->chosen_end) {
			*slot = b->chosen[b->chosen_next++];
			if (!fair_backfill_may(b, now, *slot))
				continue;
			for (i = 0; b->sorted[i] != *slot; i++)
				;
			fair_backfill_start_left(b, now, i);
			return true;
		}
	} while (fair_backfill_choose(b, now));
	return false;
}

static bool fair_backfill_due_by_phase(struct fair_backfill *b, int64_t now,
				       uint32_t *slot)
{
	if (fair_backfill_begins(b, now))
		fair_backfill_begin(b, now);
	if (b->unsorted && !fair_backfill_sort(b, now))
		return false;
	if (!b->pass) {
		if (fair_backfill_due_first(b, now, slot))
			return true;
		if (b->paused)
			return false;
		b->pass = 1;
		b->next = 0;
	}
	if (b->fill.select == FAIR_NOFIT)
		return false;
	for (; b->pass <= b->fill.passes; b->pass++, b->next = 0) {
		if (b->fill.select == FAIR_FIRSTFIT
			    ? fair_backfill_due_in_order(b, now, slot)
			    : fair_backfill_due_by_window(b, now, slot))
			return true;
		if (b->paused)
			return false;
	}
	return false;
}

FAIR_BACKFILL_API bool fair_backfill_due(struct fair_backfill *b, int64_t now,
					 uint32_t *slot)
{
	struct fair_queue_at at;

	b->paused = false;
	if (b->planned)
		fair_backfill_must(fair_profile_advance(&b->profile, now));
	if (b->fill.passes)
		return fair_backfill_due_by_phase(b, now, slot);
	if (fair_backfill_begins(b, now))
		fair_backfill_begin(b, now);
	while (!b->unsorted || fair_backfill_sort(b, now)) {
		at = fair_queue_seek(&b->queue, b->resume);
		while (fair_backfill_candidate(b, &at, now, slot)) {
			if (fair_backfill_fits(b, now, *slot)) {
				b->resume = fair_backfill_job(b, *slot)->rank;
				fair_backfill_start(b, now, *slot);
				return true;
			}
			fair_backfill_reserve(b, now, *slot);
		}
		if (b->paused)
			return false;
		b->resume.key = INT64_MAX;
		b->resume.number = UINT64_MAX;
		if (b->pass + 1 >= b->walk.passes)
			return false;
		b->pass++;
		fair_backfill_begin_pass(b);
	}
	return false;
}

FAIR_BACKFILL_API int
fair_backfill_clone(struct fair_backfill *copy, void *memory, size_t bytes,
		    void *array, const struct fair_queue *running,
		    const struct fair_backfill *b, const uint32_t *slot)
{
	uint32_t jobs = b->queue.most, i;
	struct fair_backfill x;
	int error;

	error = fair_backfill_init(&x, sizeof(x), memory, bytes, b->depth,
				   b->sorts, jobs, array, b->queue.stride, 1, 0,
				   running);
	if (!error && b->depth > 1 && !b->windows)
		error = fair_profile_clone(
			&x.profile, (char *)memory + fair_queue_size(jobs),
			fair_backfill_profile_size(b->depth, jobs),
			&b->profile);
	if (error)
		return error;
	fair_backfill_must(fair_queue_clone(&x.queue, &b->queue, slot));
	for (i = 0; i < b->reserved && b->depth; i++) {
		x.held[i] = b->held[i];
		if (slot && x.held[i].slot != UINT32_MAX)
			x.held[i].slot = slot[x.held[i].slot];
	}
	x.next = b->next;
	x.ends = b->again ? b->next : b->ends;	/* else some may be gone */
	for (i = x.next; i < x.ends; i++)
		x.sorted[i] = slot ? slot[b->sorted[i]] : b->sorted[i];
	x.fill = b->fill;
	x.unsorted = b->again ? 0 : b->unsorted;
	x.paused = b->paused;
	x.left = b->again ? 0 : b->left;
	x.counted = b->counted;
	x.closed = b->closed;
	for (i = 0; i < x.left; i++)
		x.sorted[i] = slot ? slot[b->sorted[i]] : b->sorted[i];
	x.chosen_next = b->chosen_next;
	x.chosen_end = b->again ? b->chosen_next : b->chosen_end;
	for (i = x.chosen_next; i < x.chosen_end; i++)
		x.chosen[i] = slot ? slot[b->chosen[i]] : b->chosen[i];
	x.walk = b->walk;
	x.heap = b->heap;
	x.sift = b->sift;
	x.strict = b->strict;
	x.pass = b->pass;
	x.procs = b->procs;
	x.free = b->free;
	x.resume = b->resume;
	x.reserved = b->reserved;
	x.last_reserved = b->last_reserved;
	x.shadow_time = b->shadow_time;
	x.extra_procs = b->extra_procs;
	x.walked = b->walked;
	x.again = b->again;
	*copy = x;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_clone_windows(struct fair_backfill *copy,
						  void *memory, size_t bytes,
						  const struct fair_backfill *b)
{
	size_t size = fair_backfill_windows_size(b->depth, b->queue.most,
						 b->windows);
	int error = bytes < size ? -FAIR_ENOMEM
				 : fair_profile_clone(&copy->profile, memory,
						      size, &b->profile);

	if (error)
		return error;
	copy->windows = b->windows;
	copy->planned = true;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_check(const struct fair_backfill *b)
{
	struct fair_queue_at at = { 0, 0 };
	int64_t procs = b->free;

	if (fair_queue_check(&b->queue))
		return 1;
	if (b->planned && fair_profile_check(&b->profile))
		return 2;
	for (; fair_queue_narrower(b->running, &at, INT32_MAX); at.index++)
		procs += fair_queue_job(b->running,
					fair_queue_slot(b->running, at))
				 ->procs;
	if (procs != b->procs || b->free < 0)
		return 3;
	return b->reserved <= (b->depth ? b->depth : 1) ? 0 : 4;
}

#ifdef __cplusplus
}
#endif
#endif /* FAIR_BACKFILL_IMPLEMENTED */

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
