/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * backfill.h - plan afresh at each event: fcfs, easy, reservation depth N
 *
 * In ONE file:  #define FAIR_BACKFILL_IMPLEMENTATION
 *               #define FAIR_CHECKPOINT_IMPLEMENTATION
 *               #define FAIR_QUOTAS_IMPLEMENTATION
 *               #define FAIR_MACHINE_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #define FAIR_QUEUE_IMPLEMENTATION
 *               #define FAIR_SPACE_IMPLEMENTATION
 *               #include "backfill.h"
 *
 * Jobs start in priority order. The first that cannot start gets a reservation;
 * jobs behind it may start first if they do not delay it [L95]:
 *
 *   procs 8 |######|                  1  the first job that cannot start
 *           |######|11111111          shadow time: when enough are free for it
 *           |##########|11111         extra: what is free then beyond its
 *         0 |##########|.....         request, for jobs that end later
 *           now  ^shadow time
 *
 * fcfs stops at the first job that cannot start; depth N gives reservations to
 * the first N such jobs [MAUI]. The next event makes all reservations anew.
 *
 * SELECTION. fair_backfill_select_by() makes backfill a phase of its own: after
 * the reservations are made, jobs are selected for the backfill windows, the
 * largest rectangles of free processors that begin now [MAUI 4.2]:
 *
 *   procs 8 |######|22222222          window 1, the widest: 5 processors until
 *           |######|22222222          the reservation of job 2
 *         5 |______|22222222          window 2, the longest: 1 processor,
 *         1 |______________           without an end
 *           now
 *
 * KEPT RESERVATIONS. With fair_selection.keeps a job that has had a reservation
 * has one in each later walk until it starts [MAUI, RESERVATIONPOLICY HIGHEST].
 * A walk begins with the reservations of the walk before, in the order of their
 * turns: each stays where it is if it fits, else it gets the earliest start
 * from there on. A job's turn is the least start of its reservations. When the
 * walk comes to such a job, the job starts, or gets the earliest reservation
 * that the others leave, whatever the limit: it moves only earlier, unless its
 * place was lost. A job that is vetoed or not admitted has none meanwhile; nor
 * has one wider than the machine, or with not_before
 * FAIR_FOREVER.
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
 *                      sizeof(job[0]), 100, 0);
 *   job[0].rank.key = 0;                 // submitted at 0: first come ...
 *   job[0].rank.number = 7;
 *   job[0].walltime = 3600;
 *   job[0].procs = 64;
 *   fair_backfill_submit(&b, 0);
 *   struct fair_iteration it = { 0, &running, NULL };   // now is 0
 *   while (fair_backfill_due(&b, &it, &slot)) {
 *           job[slot].rank.key = 0 + job[slot].walltime;   // runs until
 *           fair_queue_insert(&running, slot);
 *   }
 *
 * UNITS       seconds, intervals half-open; processors
 * ERRORS      0 or -FAIR_E...; an error changes nothing, except that the
 *             reservations of the last walk may be dropped
 * MEMORY      the caller's, fair_backfill_size() bytes
 * THREADS     const calls may run concurrently
 * COMPLEXITY  After an arrival a walk scans only the new job, but all jobs on
 *             nodes, where a start decides which are the best; after a
 *             completion it scans those that the present hole may hold, and
 *             skips the blocks of 64 queued jobs that are all too wide or too
 *             long. By the largest expansion factor each job scanned is
 *             searched for, in O(blocks). Other calls are O(log n) unless they
 *             say more.
 * DEFINES     FAIR_BACKFILL_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 the queue's own   I2 the profile's, with depth > 1
 *             I3 free processors and those of running jobs make the machine
 *             I4 a walk holds at most depth reservations, fcfs one
 * SOURCES     [L95]  Lifka, JSSPP 1995: EASY
 *             [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001: shadow time
 *             [MAUI] Jackson, Snell & Clement, JSSPP 2001: depth
 */
#ifndef FAIR_BACKFILL_H
#define FAIR_BACKFILL_H

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
#ifndef FAIR_CHECKPOINT_H
#include "../checkpoint.h"
#endif
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
#ifndef FAIR_QUEUE_H
#include "../queue.h"
#endif
#ifndef FAIRSCHED_WITHOUT_PROFILE
#ifndef FAIR_SPACE_H
#include "../space.h"
#endif
#endif /* FAIRSCHED_WITHOUT_PROFILE */

#ifndef FAIR_BACKFILL_API
#define FAIR_BACKFILL_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

#ifdef FAIRSCHED_WITHOUT_PROFILE
#include "../sched/absent.h"
#endif /* FAIRSCHED_WITHOUT_PROFILE */

FAIRSCHED_REQUIRE(FAIR_BACKFILL_API, fair_backfill);

/** struct fair_reservation - of the job in @slot; UINT32_MAX: withdrawn. */
struct fair_reservation {
	int64_t start, walltime;
	int32_t procs;
	uint32_t slot;
};

/* Private: the jobs of a group that the walk has not scanned. */
struct fair_group {
	uint32_t next, ends; /* in sorted[] */
	uint32_t heap;	     /* element i: the number of the group at i */
};

/**
 * struct fair_walk - the order of a walk, its gate and its veto.
 * @before:  whether the job in slot @a comes before that in @b, a strict total
 *           order; NULL: by the largest (wait + walltime) / walltime
 * @gate:    whether the job in @slot goes first: the walk passes over the queue
 *           twice, first over the jobs that the gate admits, then over all;
 *           NULL: once
 * @veto:    whether the job in @slot may not run from now on: the walk skips
 *           it, without a reservation; a start lifts no veto; NULL: none
 * @group:   the group of the job in @slot, of a user for example. The jobs of a
 *           group have equal priority, and only starts and reservations of its
 *           own jobs change that; NULL: no groups
 * @compare: which of two groups comes first: < 0, > 0, or 0: the one whose
 *           first job has the smaller rank
 * @spreads: a start of one group may change the order of all others, too
 * @prepare: called for each job as an iteration begins, before any of the
 *           others
 * @selects: whether an iteration begins with @select; NULL: never
 * @select:  called once then, with the slots of all jobs in the order of the
 *           walk, before the gate; the sort before it is not limited
 * @groups:  the caller's memory for @group_count groups; a clone has its own
 *
 * The first argument of each is the context of fair_backfill_due(). All but
 * @prepare and @select are pure functions of their arguments and of what that
 * points to.
 */
struct fair_walk {
	bool (*before)(const void *context, int64_t now, uint32_t a,
		       uint32_t b);
	bool (*gate)(const void *context, int64_t now, uint32_t slot);
	bool (*veto)(const void *context, int64_t now, uint32_t slot);
	uint32_t (*group)(const void *context, uint32_t slot);
	int (*compare)(const void *context, uint32_t a, uint32_t b);
	void (*prepare)(void *context, int64_t now, uint32_t slot);
	bool (*selects)(const void *context);
	void (*select)(void *context, int64_t now, const uint32_t *slot,
		       uint32_t jobs);
	struct fair_group *groups;
	uint32_t group_count;
	bool spreads;
};

/* Which of the remaining jobs start; ties by the order of the walk. */
enum fair_select {
	FAIR_FIRSTFIT, /* window by window, the first job that fits */
	FAIR_BESTFIT,  /* window by window, the best job that fits */
	FAIR_GREEDY,   /* window by window, the set that fills it best, of the
			  first FAIR_GREEDY_JOBS that fit */
	FAIR_NOFIT     /* none */
};

/* The degree of fit; of a set, the sum. */
enum fair_metric { FAIR_FIT_PROCS, FAIR_FIT_SECONDS, FAIR_FIT_PROC_SECONDS };

enum fair_reserves {
	FAIR_RESERVES,	     /* while fewer than the limit are reserved */
	FAIR_RESERVES_NEVER, /* the walk skips the job */
	FAIR_RESERVES_ALWAYS /* does not count against the limit */
};

#define FAIR_GREEDY_JOBS 12

/**
 * struct fair_selection - backfill as a phase of its own [MAUI 3, steps 6 to
 * 8].
 * @passes:   selections among the jobs without a reservation; 0: no phase of
 *            its own, backfill is the rest of the walk
 * @limit:    reservations in pass 0, which comes first; it ends with the last
 *            of them, or with the first job that would need one more
 * @select:   enum fair_select
 * @metric:   enum fair_metric; processor-seconds above 2^63 - 1 count as that
 * @longest:  the longest window first, else the widest
 * @keeps:    see KEPT RESERVATIONS
 * @reserves: enum fair_reserves of the job in @slot; NULL: FAIR_RESERVES
 * @admits:   whether the job in @slot may start in @pass: 0 makes the
 *            reservations, 1 .. @passes select; one that it rejects in a pass
 *            it must reject for the rest of that pass; NULL: it may
 */
struct fair_selection {
	uint32_t passes, limit, select, metric;
	bool longest, keeps;
	uint32_t (*reserves)(const void *context, uint32_t slot);
	bool (*admits)(const void *context, int64_t now, uint32_t slot,
		       uint32_t pass);
};

/*
 * Private: which job a walk scans next. By rank it has scanned the jobs whose
 * rank is less than resume; if it sorts, those before sorted[next].
 */
struct fair_walk_order {
	uint32_t *sorted;    /* slots in the order of the walk */
	uint32_t next, ends; /* in sorted[] */
	struct fair_rank resume;
	int64_t resume_walltime; /* by the largest expansion factor: of the
				    job of that rank, which was scanned; 0: none
				    was; -1: all were */
	uint32_t unsorted;	 /* steps until the sort is finished */
	uint32_t heap;		 /* groups with remaining jobs; first at 0 */
	bool must_sift; /* the group at 0 may not be the first now */
	bool must_sort; /* no group may be in its place now */
	bool strict;	/* no other group has the priority of the first */
	bool sorts;
};

/* Private: backfill as a phase of its own, if by.passes. */
struct fair_phase {
	struct fair_selection by;
	uint32_t remaining;  /* sorted[0 .. remaining): for backfill */
	uint32_t counted;    /* reservations, against the limit */
	uint32_t pending;    /* kept ones of jobs not scanned, likewise */
	uint32_t node_class; /* whose backfill windows are tried */
	uint32_t chosen[FAIR_GREEDY_JOBS];
	uint32_t chosen_next, chosen_end;
	bool limit_reached;
};

/**
 * struct fair_backfill - a queue, and the walk over it.
 *
 * A job is a slot of the caller's array, whose elements begin with struct
 * fair_queued. A queued job does not start before its not_before, and holds no
 * reservation if that is FAIR_FOREVER.
 * A planner may read the fields of the first part, may set the scan limit, and
 * may change the profile after fair_backfill_displace_all(). All others are
 * private.
 *
 * The scan limit is how many jobs fair_backfill_due() may still scan; a step of
 * sorting counts as one; UINT64_MAX, the initial value: all. Sorting into
 * groups and a selection by windows are not limited. At the limit it pauses: it
 * returns false, and resumes there when it is called again at the same instant.
 */
struct fair_backfill {
	struct fair_queue queue;	/* queued jobs, smallest rank first */
	struct fair_space space;	/* if planned: running jobs, */
					/* reservations of either kind */
	struct fair_reservation *held;	/* of the last walk */
	uint32_t reserved;		/* their number; fcfs: 1 once a job
					   could not start */
	struct fair_rank last_reserved; /* of the last of these jobs */
	int64_t shadow_time;		/* unless planned, once reserved */
	int32_t extra_procs;		/* likewise */
	int32_t procs, free;		/* of the machine; not in use */
	uint64_t scans;			/* the scan limit */
	struct fair_walk walk;
	uint32_t depth;		    /* 0: fcfs */
	bool planned;		    /* in the space: depth > 1, or advances */

	uint32_t advances; /* at most; 0: none */

	struct fair_walk_order order;
	struct fair_phase phase;
	uint32_t kept;	   /* in held[], if none is reserved: for the next */
			   /* walk to keep */
	uint32_t pass;	   /* over the queue */
	int64_t walk_time; /* when the walk began, or went on */
	bool anew;	   /* the next walk begins at the first job */
	bool paused;	   /* at the scan limit */
};

/**
 * fair_easy_shadow() - the shadow time and the extra processors.
 * @running:     running jobs, by the end of their walltime
 * @free_procs:  processors not in use
 * @procs:       of the first queued job
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
 *
 * Complexity: O(1). Source: [L95], [MF01].
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
 * @struct_size: sizeof(struct fair_backfill)
 * @depth:       reservations of a walk; 0 is fcfs: stop at the first job that
 *               cannot start
 * @sorts:       the order changes with time: the largest expansion factor
 *               (wait + walltime) / walltime first, ties by rank, where
 *               rank.key is then the time of submission; or each walk sorts the
 *               queue as fair_backfill_walk_by() says
 * @array:       the caller's jobs, elements of @stride bytes
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW, with depth > 1, if a profile cannot
 * begin at @origin; -FAIR_ENOMEM if @bytes is too small. Complexity: O(jobs).
 */
FAIR_BACKFILL_API int
fair_backfill_init(struct fair_backfill *b, size_t struct_size, void *memory,
		   size_t bytes, uint32_t depth, bool sorts, uint32_t jobs,
		   void *array, size_t stride, int32_t procs, int64_t origin);

/** fair_backfill_advances_size() - bytes for fair_backfill_advances(). */
FAIR_BACKFILL_API size_t fair_backfill_advances_size(uint32_t depth,
						     uint32_t jobs,
						     uint32_t advances);

/**
 * fair_backfill_advances() - plan around advance reservations.
 * @memory:   fair_backfill_advances_size() bytes that stay with it
 * @advances: the most of them at once, >= 1
 * @origin:   as for fair_backfill_init()
 *
 * The walk then plans in the profile whatever its depth, instead of by a shadow
 * time: no job that starts runs into one of them. Call it right after
 * fair_backfill_init(); after fair_backfill_displace_all() the profile may
 * be changed.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if a profile cannot begin at
 * @origin; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_BACKFILL_API int fair_backfill_advances(struct fair_backfill *b,
					     void *memory, size_t bytes,
					     uint32_t advances, int64_t origin);

/**
 * fair_backfill_displace_all() - drop the reservations. Until the next walk the
 * space holds running jobs and advance reservations; the caller may change it.
 */
FAIR_BACKFILL_API void
fair_backfill_displace_all(struct fair_backfill *b, int64_t now);

/**
 * fair_backfill_walk_by() - set the order, the gate and the veto, from the next
 * walk on.
 *
 * Return: 0; -FAIR_EINVAL for an order unless each walk sorts.
 */
FAIR_BACKFILL_API int fair_backfill_walk_by(struct fair_backfill *b,
					    const struct fair_walk *walk);

/**
 * fair_backfill_select_by() - set how to backfill, from the next walk on.
 *
 * Return: 0; -FAIR_EINVAL for a walk that does not sort, for a depth below 2 or
 * below the limit, for a walk with a gate or groups, or for an unknown
 * selection or metric.
 * Complexity: a selection costs O(queued jobs) queries of the profile;
 * FAIR_GREEDY also 2^n * n for the first n that fit. Source: [MAUI 4.2].
 */
FAIR_BACKFILL_API int
fair_backfill_select_by(struct fair_backfill *b,
			const struct fair_selection *fill);

/**
 * fair_backfill_submit() - queue a job.
 *
 * Return: as fair_queue_insert().
 */
FAIR_BACKFILL_API int fair_backfill_submit(struct fair_backfill *b,
					   uint32_t slot);

/**
 * fair_backfill_withdraw() - remove a job from the queue.
 *
 * Return: as fair_queue_remove().
 */
FAIR_BACKFILL_API int fair_backfill_withdraw(struct fair_backfill *b,
					     uint32_t slot);

/**
 * fair_backfill_give_back() - a claim is free from @now on, which would have
 * been in use until @end; FAIR_FOREVER: the machine grows.
 *
 * If the walk plans in the space, this call and the next three can fail; they
 * then drop the reservations and change nothing else.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW beyond the space's horizon;
 * -FAIR_ERANGE if fewer are in use.
 */
FAIR_BACKFILL_API int fair_backfill_give_back(struct fair_backfill *b,
					      int64_t now, int64_t end,
					      const struct fair_claim *claim);

/**
 * fair_backfill_extend() - a running job keeps @claim over [@from, @end) too.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW beyond the space's horizon;
 * -FAIR_ERANGE if fewer are free.
 */
FAIR_BACKFILL_API int fair_backfill_extend(struct fair_backfill *b, int64_t now,
					   int64_t from, int64_t end,
					   const struct fair_claim *claim);

/**
 * fair_backfill_shorten() - a running job holds @claim until @end, not @was.
 *
 * Return: as fair_backfill_give_back().
 */
FAIR_BACKFILL_API int fair_backfill_shorten(struct fair_backfill *b,
					    int64_t end, int64_t was,
					    const struct fair_claim *claim);

/**
 * fair_backfill_shrink() - the machine loses @claim, which is free.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if fewer are free.
 */
FAIR_BACKFILL_API int fair_backfill_shrink(struct fair_backfill *b, int64_t now,
					   const struct fair_claim *claim);

/**
 * fair_backfill_count() - the machine has @procs more, and @free more that are
 * not in use; either may be negative. The caller changes the space.
 */
FAIR_BACKFILL_API void fair_backfill_count(struct fair_backfill *b,
					   int32_t procs, int32_t free);

/** fair_backfill_replan() - begin the next walk at the first job. */
FAIR_BACKFILL_API void fair_backfill_replan(struct fair_backfill *b);

/** struct fair_iteration - one instant, as the caller gives it to a walk. */
struct fair_iteration {
	int64_t now;
	const struct fair_queue *running; /* by the end of their walltime */
	void *context; /* first argument of the callbacks of struct fair_walk */
};

/**
 * fair_backfill_due() - the next job that starts now.
 *
 * The job leaves the queue. Sort it into @it->running before the next call;
 * call until false. Source: [L95], [MAUI].
 */
FAIR_BACKFILL_API bool fair_backfill_due(struct fair_backfill *b,
					 const struct fair_iteration *it,
					 uint32_t *slot);

/** fair_backfill_goes_before() - whether the walk has @x before slot @y. */
FAIR_BACKFILL_API bool
fair_backfill_goes_before(const struct fair_backfill *b,
			  const struct fair_iteration *it, uint32_t x,
			  uint32_t y);

/**
 * fair_backfill_lxf_before() - whether @x has the larger (wait + walltime) /
 * walltime; ties by rank, where rank.key is the time of submission.
 */
FAIR_BACKFILL_API bool fair_backfill_lxf_before(const struct fair_queued *x,
						const struct fair_queued *y,
						int64_t now);

/** fair_backfill_ahead() - queued jobs before the one in @slot; O(jobs). */
FAIR_BACKFILL_API uint32_t fair_backfill_ahead(const struct fair_backfill *b,
					       const struct fair_iteration *it,
					       uint32_t slot);

/** fair_backfill_is_paused() - whether fair_backfill_due() paused. */
FAIR_BACKFILL_API bool fair_backfill_is_paused(const struct fair_backfill *b);

/** fair_backfill_abandon() - drop a walk that is paused, and begin anew. */
FAIR_BACKFILL_API void fair_backfill_abandon(struct fair_backfill *b);

/**
 * fair_backfill_clone() - see fair_conservative_clone(). If @b has advances,
 * call fair_backfill_clone_advances() next.
 * @groups: memory for as many groups as @b has
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(jobs + steps).
 */
FAIR_BACKFILL_API int
fair_backfill_clone(struct fair_backfill *copy, void *memory, size_t bytes,
		    void *array, struct fair_group *groups,
		    const struct fair_backfill *b, const uint32_t *slot);

/**
 * fair_backfill_clone_advances() - into fair_backfill_advances_size() bytes.
 *
 * Return: as fair_backfill_clone().
 */
FAIR_BACKFILL_API int
fair_backfill_clone_advances(struct fair_backfill *copy, void *memory,
			     size_t bytes, const struct fair_backfill *b);

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/**
 * fair_backfill_save() - write the walk and its reservations.
 *
 * If the next walk begins anew, only the reservations are written.
 */
FAIR_BACKFILL_API void fair_backfill_save(const struct fair_backfill *b,
					  int64_t now,
					  struct fair_checkpoint *f);

/**
 * fair_backfill_load() - read the same, after all queued jobs are submitted and
 * while the profile holds running jobs and advance reservations. @f->bad marks
 * a state that cannot be.
 */
FAIR_BACKFILL_API void fair_backfill_load(struct fair_backfill *b,
					  const struct fair_iteration *it,
					  struct fair_checkpoint *f);

/** fair_backfill_is_complete() - whether each job that waits was considered. */
FAIR_BACKFILL_API bool
fair_backfill_is_complete(const struct fair_backfill *b,
			  const struct fair_checkpoint *f);
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

/** fair_backfill_check() - 0, or the first broken invariant; O(n + steps). */
FAIR_BACKFILL_API int fair_backfill_check(const struct fair_backfill *b,
					  const struct fair_queue *running);

FAIRSCHED_END_C
#endif /* FAIR_BACKFILL_H */

#if !defined(FAIR_BACKFILL_IMPLEMENTED) &&                                     \
	(defined(FAIR_BACKFILL_IMPLEMENTATION) ||                              \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_BACKFILL_IMPLEMENTED

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_NUMBERS
#define FAIRSCHED_SHARED_NUMBERS

/* An integer of 128 bits. */
struct fair_wide {
	uint64_t high, low;
};

static inline struct fair_wide fair_multiply(uint64_t a, uint64_t b)
{
	struct fair_wide product;
/* In WebAssembly this product would call the compiler's library. */
#if defined(__SIZEOF_INT128__) && !defined(__wasm__) && !defined(FAIR_NO_INT128)
	__extension__ typedef unsigned __int128 fair_uint128;
	fair_uint128 whole = (fair_uint128)a * b;

	product.high = (uint64_t)(whole >> 64);
	product.low = (uint64_t)whole;
#else
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t low = a0 * b0, cross = a0 * b1 + (low >> 32);
	/* Neither sum exceeds (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
	uint64_t middle = a1 * b0 + (cross & UINT32_MAX);

	product.high = a1 * b1 + (cross >> 32) + (middle >> 32);
	product.low = middle << 32 | (low & UINT32_MAX);
#endif
	return product;
}

static inline bool fair_wide_less(struct fair_wide a, struct fair_wide b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}
#endif /* FAIRSCHED_SHARED_NUMBERS */

FAIRSCHED_PROVIDE(FAIR_BACKFILL_API, fair_backfill)

FAIR_BACKFILL_API int fair_easy_shadow(const struct fair_queue *running,
				       int32_t free_procs, int32_t procs,
				       int64_t not_before, int64_t *shadow_time,
				       int32_t *extra_procs)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_queued *j;
	int64_t when = not_before;

	for (; fair_queue_next_fitting(running, &at, INT32_MAX); at.index++) {
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

/* Wait + walltime, without overflow however long the job has waited. */
static uint64_t fair_backfill_response(const struct fair_queued *j, int64_t now)
{
	return (uint64_t)now - (uint64_t)j->rank.key + (uint64_t)j->walltime;
}

FAIR_BACKFILL_API bool fair_backfill_lxf_before(const struct fair_queued *x,
						const struct fair_queued *y,
						int64_t now)
{
	struct fair_wide a, b;

	a = fair_multiply(fair_backfill_response(x, now),
			  (uint64_t)y->walltime);
	b = fair_multiply(fair_backfill_response(y, now),
			  (uint64_t)x->walltime);
	if (fair_wide_less(a, b) || fair_wide_less(b, a))
		return fair_wide_less(b, a);
	return fair_rank_is_before(x->rank, y->rank);
}

/* Rooms: parts of this file, in an order in which each finds what it uses. */
#include "backfill/reservations.h"
#include "backfill/order.h"
#include "backfill/kept.h"
#include "backfill/phase.h"
#include "backfill/checkpoint.h"

/* Bytes of the profile, which follows the queue in memory. */
static size_t fair_backfill_profile_size(uint32_t depth, uint32_t jobs)
{
	return depth > 1 ? fair_backfill_advances_size(depth, jobs, 0) : 0;
}

FAIR_BACKFILL_API size_t fair_backfill_size(uint32_t depth, bool sorts,
					    uint32_t jobs)
{
	uint64_t bytes;

	if (jobs > UINT32_MAX / 4 || depth > UINT32_MAX / 4 ||
	    !fair_queue_size(jobs) ||
	    (depth > 1 && !fair_backfill_profile_size(depth, jobs)))
		return 0;
	/* The profile has more bytes than held[]: neither overflows. */
	bytes = (uint64_t)fair_queue_size(jobs) +
		fair_backfill_profile_size(depth, jobs) +
		(uint64_t)depth * sizeof(struct fair_reservation) + 8 +
		(sorts ? (uint64_t)jobs * sizeof(uint32_t) : 0);
	return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

FAIR_BACKFILL_API int
fair_backfill_init(struct fair_backfill *b, size_t struct_size, void *memory,
		   size_t bytes, uint32_t depth, bool sorts, uint32_t jobs,
		   void *array, size_t stride, int32_t procs, int64_t origin)
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
		error = fair_space_init(&x.space, sizeof(x.space), at, profile,
					procs, origin);
	if (error)
		return error;
	at += profile;
	at += (8 - (uintptr_t)at % 8) % 8;
	x.held = (struct fair_reservation *)(void *)at;
	at += depth * sizeof(*x.held);
	x.order.sorted = (uint32_t *)(void *)at;
	x.procs = x.free = procs;
	x.depth = depth;
	x.planned = depth > 1;
	x.order.sorts = sorts;
	x.anew = true;
	x.scans = UINT64_MAX;
	*b = x;
	return 0;
}

FAIR_BACKFILL_API size_t fair_backfill_advances_size(uint32_t depth,
						     uint32_t jobs,
						     uint32_t advances)
{
	if (jobs > UINT32_MAX / 4 || depth > UINT32_MAX / 4 ||
	    advances > UINT32_MAX / 4)
		return 0;
	return fair_profile_size(2 * ((size_t)jobs + depth + advances) + 1);
}

FAIR_BACKFILL_API int fair_backfill_advances(struct fair_backfill *b,
					     void *memory, size_t bytes,
					     uint32_t advances, int64_t origin)
{
	size_t size;
	int error;

	if (!b || !memory || !advances || b->queue.jobs)
		return -FAIR_EINVAL;
	size = fair_backfill_advances_size(b->depth, b->queue.most, advances);
	if (!size || bytes < size)
		return -FAIR_ENOMEM;
	error = fair_space_init(&b->space, sizeof(b->space), memory, size,
				b->procs, origin);
	if (error)
		return error;
	b->advances = advances;
	b->planned = true;
	return 0;
}

FAIR_BACKFILL_API void fair_backfill_replan(struct fair_backfill *b)
{
	b->anew = true;
}

FAIR_BACKFILL_API void fair_backfill_abandon(struct fair_backfill *b)
{
	b->anew = true;
	b->paused = false;
}

FAIR_BACKFILL_API void fair_backfill_count(struct fair_backfill *b,
					   int32_t procs, int32_t free)
{
	b->procs += procs;
	b->free += free;
}

FAIR_BACKFILL_API int fair_backfill_submit(struct fair_backfill *b,
					   uint32_t slot)
{
	struct fair_rank rank = fair_backfill_job(b, slot)->rank;
	int error = fair_queue_insert(&b->queue, slot);

	if (error)
		return error;
	if (fair_backfill_begins_anew(b) ||
	    (b->reserved && fair_rank_is_before(rank, b->last_reserved)))
		b->anew = true;
	if (fair_rank_is_before(rank, b->order.resume))
		b->order.resume = rank;
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
	if (fair_space_needs_slots(&b->space)) {
		fair_backfill_drop_reservations(b);
		b->anew = true;
	}
	for (i = 0; b->depth && i < b->reserved + b->kept; i++)
		if (b->held[i].slot == slot)
			b->held[i].slot = UINT32_MAX;
	fair_backfill_job(b, slot)->mark &= ~(uint32_t)FAIR_MARK_RESERVED;
	if (fair_backfill_begins_anew(b) ||
	    (b->reserved && !fair_rank_is_before(b->last_reserved, rank)))
		b->anew = true;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_walk_by(struct fair_backfill *b,
					    const struct fair_walk *walk)
{
	if (!walk || ((walk->before || walk->group) && !b->order.sorts))
		return -FAIR_EINVAL;
	b->walk = *walk;
	b->anew = true;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_select_by(struct fair_backfill *b,
					      const struct fair_selection *fill)
{
	if (!fill || !b->order.sorts || b->depth < 2 ||
	    b->depth < fill->limit || b->walk.gate || b->walk.group ||
	    fill->select > FAIR_NOFIT ||
	    fill->metric > FAIR_FIT_PROC_SECONDS)
		return -FAIR_EINVAL;
	b->phase.by = *fill;
	b->anew = true;
	return 0;
}

/* Running jobs or the machine change the space: drop the reservations. */
static int fair_backfill_change_space(struct fair_backfill *b, int64_t from,
				      int64_t end,
				      const struct fair_claim *claim, bool take)
{
	b->anew = true;
	if (!b->planned)
		return 0;
	fair_backfill_drop_reservations(b);
	return fair_space_change(&b->space, from, end, claim, take);
}

/* The machine loses @claim, or gains it, at any later time @now. */
static int fair_backfill_change_capacity(struct fair_backfill *b, int64_t now,
					 const struct fair_claim *claim,
					 bool take)
{
	int32_t procs = take ? -claim->procs : claim->procs;
	int error = b->planned ? fair_space_advance(&b->space, now) : 0;

	if (!error)
		error = fair_backfill_change_space(b, now, FAIR_FOREVER, claim,
						   take);
	if (error)
		return error;
	b->free += procs;
	b->procs += procs;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_give_back(struct fair_backfill *b,
					      int64_t now, int64_t end,
					      const struct fair_claim *claim)
{
	int error = 0;

	if (end == FAIR_FOREVER)
		return fair_backfill_change_capacity(b, now, claim, false);
	if (now < end)
		error = fair_backfill_change_space(b, now, end, claim, false);
	if (error)
		return error;
	b->anew = true;
	b->free += claim->procs;
	return 0;
}

FAIR_BACKFILL_API int fair_backfill_extend(struct fair_backfill *b, int64_t now,
					   int64_t from, int64_t end,
					   const struct fair_claim *claim)
{
	int error = b->planned ? fair_space_advance(&b->space, now) : 0;

	return error ? error
		     : fair_backfill_change_space(b, from, end, claim, true);
}

FAIR_BACKFILL_API void
fair_backfill_displace_all(struct fair_backfill *b, int64_t now)
{
	b->anew = true;
	fair_backfill_drop_reservations(b);
	if (b->planned)
		fair_must(fair_space_advance(&b->space, now));
}

FAIR_BACKFILL_API int fair_backfill_shorten(struct fair_backfill *b,
					    int64_t end, int64_t was,
					    const struct fair_claim *claim)
{
	return fair_backfill_change_space(b, end, was, claim, false);
}

FAIR_BACKFILL_API int fair_backfill_shrink(struct fair_backfill *b, int64_t now,
					   const struct fair_claim *claim)
{
	return claim->procs > b->free
		       ? -FAIR_ERANGE
		       : fair_backfill_change_capacity(b, now, claim, true);
}

FAIR_BACKFILL_API bool fair_backfill_is_paused(const struct fair_backfill *b)
{
	return b->paused;
}

#ifndef FAIRSCHED_WITHOUT_PROFILE
/*
 * In the profile, @extra processors are free for ever, and one more for
 * @longest seconds.
 */
static void fair_backfill_planned_hole(const struct fair_backfill *b,
				       int64_t now,
				       struct fair_queue_hole *hole)
{
	int64_t start = now, end = now + 1;

	fair_must(fair_profile_min_free(&b->space.profile, now, FAIR_FOREVER,
					&hole->extra));
	if (hole->extra >= hole->procs)
		return;
	fair_must(fair_profile_run(&b->space.profile, hole->extra + 1, &start,
				   &end));
	hole->longest = end == FAIR_FOREVER ? end : end - now;
}
#endif /* FAIRSCHED_WITHOUT_PROFILE */

/* Which jobs the walk still scans: all, while there are reservations to make;
 * then those that can start now. */
static struct fair_queue_hole fair_backfill_hole(const struct fair_backfill *b,
						 int64_t now)
{
	struct fair_queue_hole hole = { INT32_MAX, INT32_MAX, INT64_MAX };

	if (fair_backfill_may_reserve(b))
		return hole;
	hole.procs = b->free;
	if (!b->reserved)
		return hole;
#ifndef FAIRSCHED_WITHOUT_PROFILE
	if (b->planned) {
		fair_backfill_planned_hole(b, now, &hole);
		return hole;
	}
#endif /* FAIRSCHED_WITHOUT_PROFILE */
	hole.extra = b->extra_procs;
	hole.longest = b->shadow_time - now;
	return hole;
}

/* The next job, from @at on, that may start or may get a reservation. By rank
 * @at becomes its place. */
static bool fair_backfill_next_candidate(struct fair_backfill *b,
					 struct fair_queue_place *at,
					 const struct fair_iteration *it,
					 const struct fair_queue_hole *hole,
					 uint32_t *slot)
{
	if (hole->procs == 0 || (!b->depth && b->reserved))
		return false;
	for (; b->scans; b->scans--, at->index++) {
		if (!fair_backfill_next_in_order(b, it, at, hole, slot))
			return false;
		if (fair_backfill_job(b, *slot)->mark & FAIR_MARK_RESERVED)
			continue;
		if (fair_backfill_admits(b, it, *slot)) {
			b->scans--;
			return true;
		}
	}
	/* The limit is reached before the job at @at, if there is one. */
	b->paused = b->order.sorts ||
		    fair_queue_next_short(&b->queue, at, hole);
	if (b->paused && !b->order.sorts)
		b->order.resume =
			fair_backfill_job(b, fair_queue_slot(&b->queue, *at))
				->rank;
	return false;
}

/* Call @prepare for each job, from the job on at which it paused. */
static bool fair_backfill_prepare(struct fair_backfill *b,
				  const struct fair_iteration *it)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	if (!b->walk.prepare)
		return true;
	if (b->paused)
		at = fair_queue_seek(&b->queue, b->order.resume);
	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&b->queue, at);
		if (!fair_backfill_scan(b)) {
			b->order.resume = fair_backfill_job(b, slot)->rank;
			return false;
		}
		b->walk.prepare(it->context, it->now, slot);
	}
	return true;
}

/* Where the walk by rank goes on. */
static struct fair_queue_place
fair_backfill_place(const struct fair_backfill *b)
{
	const struct fair_queue_place first = { 0, 0 };

	if (b->order.sorts ||
	    (b->order.resume.key == INT64_MIN && !b->order.resume.number))
		return first;
	return fair_queue_seek(&b->queue, b->order.resume);
}

/* A job gets no reservation: pass 1 behind a gate ends, and pass 2 goes on. */
static bool fair_backfill_end_pass(struct fair_backfill *b)
{
	b->pass += b->pass == 1;
	return b->pass > 1;
}

FAIR_BACKFILL_API bool fair_backfill_due(struct fair_backfill *b,
					 const struct fair_iteration *it,
					 uint32_t *slot)
{
	bool begins = fair_backfill_must_begin(b, it->now);
	struct fair_queue_hole hole;
	struct fair_queue_place at;

	if (begins && !fair_backfill_prepare(b, it))
		return false;
	b->paused = false;
	if (b->planned)
		fair_must(fair_space_advance(&b->space, it->now));
#ifndef FAIRSCHED_WITHOUT_PROFILE
	if (b->phase.by.passes)
		return fair_backfill_due_by_phase(b, it, slot);
#endif /* FAIRSCHED_WITHOUT_PROFILE */
	if (begins)
		fair_backfill_begin(b, it);
	b->walk_time = it->now; /* one that goes on ends in its second */
	while (fair_backfill_sort(b, it)) {
		at = fair_backfill_place(b);
		hole = fair_backfill_hole(b, it->now);
		while (fair_backfill_next_candidate(b, &at, it, &hole, slot)) {
			if (fair_backfill_can_start(b, it->now, *slot)) {
				b->order.resume =
					fair_backfill_job(b, *slot)->rank;
				fair_backfill_start(b, it->now, *slot,
						    b->order.sorts ? NULL
								   : &at);
				return true;
			}
			if (fair_backfill_reserve(b, it, *slot) ||
			    fair_backfill_end_pass(b))
				hole = fair_backfill_hole(b, it->now);
			at.index++;
		}
		if (b->paused)
			return false;
		b->order.resume.key = INT64_MAX;
		b->order.resume.number = UINT64_MAX;
		b->order.resume_walltime = -1;
		if (b->pass || !b->walk.gate)
			return false;
		b->pass++;
		fair_backfill_begin_pass(b, it);
	}
	return false;
}

FAIR_BACKFILL_API int
fair_backfill_clone(struct fair_backfill *copy, void *memory, size_t bytes,
		    void *array, struct fair_group *groups,
		    const struct fair_backfill *b, const uint32_t *slot)
{
	uint32_t jobs = b->queue.most, i;
	struct fair_backfill x, to;
	int error;

	error = fair_backfill_init(&to, sizeof(to), memory, bytes, b->depth,
				   b->order.sorts, jobs, array, b->queue.stride,
				   1, 0);
	if (!error && b->depth > 1 && !b->advances)
		error = fair_space_clone(
			&to.space, (char *)memory + fair_queue_size(jobs),
			fair_backfill_profile_size(b->depth, jobs), &b->space);
	if (error)
		return error;
	fair_must(fair_queue_clone(&to.queue, &b->queue, slot));
	x = *b;
	x.queue = to.queue;
	x.space = to.space;
	x.held = to.held;
	x.order.sorted = to.order.sorted;
	x.walk.groups = groups;
	x.scans = UINT64_MAX;
	x.order.ends = b->anew ? b->order.next : b->order.ends;
	x.advances = 0;
	x.planned = to.planned;
	for (i = 0; i < b->walk.group_count; i++)
		groups[i] = b->walk.groups[i];
	for (i = 0; i < b->reserved + b->kept && b->depth; i++) {
		x.held[i] = b->held[i];
		if (slot && x.held[i].slot != UINT32_MAX)
			x.held[i].slot = slot[x.held[i].slot];
	}
	/* A walk that begins anew reads none, and some may be withdrawn. */
	for (i = 0; i < b->order.ends && !b->anew; i++)
		x.order.sorted[i] = slot ? slot[b->order.sorted[i]]
					 : b->order.sorted[i];
	for (i = 0; i < b->phase.chosen_end && !b->anew && slot; i++)
		x.phase.chosen[i] = slot[b->phase.chosen[i]];
	*copy = x;
	return 0;
}

FAIR_BACKFILL_API int
fair_backfill_clone_advances(struct fair_backfill *copy, void *memory,
			     size_t bytes, const struct fair_backfill *b)
{
	size_t size = fair_backfill_advances_size(b->depth, b->queue.most,
						  b->advances);
	int error = bytes < size ? -FAIR_ENOMEM
				 : fair_space_clone(&copy->space, memory, size,
						    &b->space);

	if (error)
		return error;
	copy->advances = b->advances;
	copy->planned = true;
	return 0;
}

/*
 * By groups, whose comparison may be dear: it is kept in a place that a group
 * shares with those 64 numbers away.
 */
static uint32_t fair_backfill_groups_ahead(const struct fair_backfill *b,
					   const struct fair_iteration *it,
					   uint32_t slot)
{
	uint32_t own = b->walk.group(it->context, slot), group, ahead = 0, x, i;
	uint32_t compared[64] = { 0 };
	struct fair_queue_place at = { 0, 0 };
	int order[64] = { 0 };

	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++) {
		x = fair_queue_slot(&b->queue, at);
		group = b->walk.group(it->context, x);
		i = group % 64;
		/* Invariant: compared[i] is 0, or 1 + the group of order[i]. */
		if (compared[i] != group + 1) {
			compared[i] = group + 1;
			order[i] = b->walk.compare(it->context, group, own);
		}
		ahead += fair_backfill_is_first(b, order[i], x, slot);
	}
	return ahead;
}

FAIR_BACKFILL_API uint32_t fair_backfill_ahead(const struct fair_backfill *b,
					       const struct fair_iteration *it,
					       uint32_t slot)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t ahead = 0;

	if (b->order.sorts && b->walk.group)
		return fair_backfill_groups_ahead(b, it, slot);
	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++)
		ahead += fair_backfill_goes_before(
			b, it, fair_queue_slot(&b->queue, at), slot);
	return ahead;
}

FAIR_BACKFILL_API int fair_backfill_check(const struct fair_backfill *b,
					  const struct fair_queue *running)
{
	struct fair_queue_place at = { 0, 0 };
	int64_t procs = b->free;
	uint32_t slot;

	if (fair_queue_check(&b->queue))
		return 1;
	if (b->planned && fair_space_check(&b->space))
		return 2;
	for (; fair_queue_next_fitting(running, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(running, at);
		procs += fair_space_busy(&b->space, slot,
					 fair_queue_job(running, slot)->procs);
	}
	if (procs != b->procs || b->free < 0)
		return 3;
	return b->reserved <= (b->depth ? b->depth : 1) ? 0 : 4;
}
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
