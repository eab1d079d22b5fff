/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile.h - availability profile: free processors as a function of time
 *
 * In ONE file:  #define FAIR_PROFILE_IMPLEMENTATION
 *               #include "profile.h"
 *
 *   free 8 |     __________       ___ ...
 *        4 |____|          |_____|        steps {0,4} {100,8} {250,4} {400,8}
 *          0   100        250   400       seconds
 *
 * When can a job of 4 processors start that runs for 200 s? At 0: 4 are free
 * throughout [0, 200). One of 5 processors? At 400: from 100 on 8 are free, but
 * for 150 s only. That question, asked a million times, is what this is for.
 *
 * EXAMPLE
 *
 *	static char memory[65536];
 *	struct fair_profile p;
 *	int64_t start;
 *
 *	fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8, 0);
 *	fair_profile_reserve(&p, 0, 100, 5);
 *	fair_profile_earliest_start(&p, 0, 60, 4, &start);	// 100
 *	fair_profile_reserve(&p, start, 60, 4);
 *	fair_profile_release(&p, 40, 60, 5);	// the first ended early
 *	fair_profile_earlier_start(&p, 40, start, 60, 4, start, &start); // 40
 *
 * UNITS     seconds, of any origin; processors; intervals are [start, end).
 * ERRORS    0 or -FAIR_E...; on error nothing has changed, nor out-pointers.
 * MEMORY    the caller's, at any address: fair_profile_size(n) bytes hold n
 *           steps whatever the order of operations; 20 to 24 bytes a step from
 *           1,000 steps on. A reservation adds two steps at most: n of them
 *           need 2 n + 1.
 * THREADS   const calls write nothing: they may run concurrently.
 * HORIZON   times are at most p->horizon: 68 years after the origin, and as
 *           much again for each 2,048 steps of memory, up to 4,355 years.
 * SETTLING  Answers are exact at any time. fair_profile_settle() makes them
 *           fast after changes; it takes some 0.3 us for each leaf of 64 steps
 *           that has changed. Call it before a few queries or more.
 * COST      in ns on a core of 3.7 GHz (Zen 4; gcc 12 -O2 for any x86-64),
 *           processors and walltimes spread over three decades:
 *
 *		reservations             1,000  10,000  100,000  1,000,000
 *		query                       54      84      115        242
 *		reserve or release          78      77       86         99
 *		the same, then settle      430     445      510        790
 *
 * DEFINES   FAIR_PROFILE_API, FAIRSCHED_STATIC: linkage. FAIR_ASSERT,
 *           FAIR_MEMCPY, _MEMMOVE, _MEMSET: yours.
 *           FAIR_PROFILE_PORTABLE: no vector instructions; the answers and
 *           the state are the same. FAIR_PROFILE_LEAF_MAX, _CHUNK_MAX,
 *           _FLAT: to test with small ones.
 * SOURCES   [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001
 *
 * STRUCTURE
 *
 *   top    lane  1 | 7200 | 5400 | ...  an entry a chunk: the row's maximum
 *          lane 64 | 3600 |  900 |
 *                    |
 *   chunk  lane  1 | 7200 | 1800 | ...  a row a lane: up to 64 leaves' entries
 *          lane 64 | 3600 |  600 |
 *                    |
 *   leaf   off     | 0 | 100 | 250 ...  up to 64 steps, relative to a base
 *          free    | 4 |   8 |   4
 *
 * Steps in leaves, leaves in chunks, chunks in a row: the height is fixed. What
 * costs a linear search its time are windows that have enough processors but
 * end too soon. So each leaf has, for each of 24 thresholds q (lanes: from 1 to
 * the machine, in equal ratios), one entry:
 *
 *	the longest run of free >= q that begins in this leaf, or before it and
 *	is counted from its base on; followed beyond its end; at most INT32_MAX.
 *
 * A query takes the lane of the greatest q <= procs and looks only at leaves
 * whose entry is at least the walltime, 16 entries at a time. Such a leaf is
 * searched exactly: 64 comparisons make a mask, its runs of ones are windows.
 *
 * Up to FAIR_PROFILE_FLAT leaves are all searched, and there are no entries.
 *
 * After changes an entry may be stale: out of date; where free rose it may even
 * be an underestimate, and its leaf is searched whatever it says. Settling
 * computes entries anew. The section >>index below proves that no start is
 * missed.
 *
 * COMPLEXITY, of n steps in C <= n/1896 + 4 chunks
 *   query            O(C/16 + leaves searched): those with a window that is as
 *                    long as wanted and of at least q processors, if not procs
 *   reserve, release O(1) leaves, and those between start and end: each step
 *                    there is written; splits and merges are amortized
 *   settle           O(C + leaves changed)
 *   advance          O(leaves dropped);  clone, check  O(n)
 *
 * Memory: two neighbouring leaves hold more than 62 steps, or span more than a
 * leaf can, S = 2^31 - 2 s (I7). Of L leaves L/2 pairs are disjoint; at most
 * n/63 are of the first kind, and less than k of the second when all times lie
 * within k S of the origin: L <= 2 (n/63 + k - 1) + 1. A change has one step
 * and one leaf more for a moment. Chunks have room for more leaves than there
 * are; when one is full and there is no other, leaves move on along the row.
 *
 * WORST CASES, measured by bench/profile_bench.c
 *   profile_wall       a change that covers all n steps writes them all
 *   profile_stale      no settling: all leaves that have changed are searched
 *   profile_comb_both  windows that are one processor too narrow, and others
 *                      that are too short, in all leaves: all are searched, in
 *                      up to twice the time of a plain array. (Of windows that
 *                      are only too short, or only too narrow, none is.)
 *
 * INVARIANTS that fair_profile_check() verifies
 *   I1  the numbers of steps, leaves and chunks add up and are within bounds
 *   I2  chunks and leaves begin where their first step does, the first of all
 *       at the origin; none is empty; what is unused is marked so
 *   I3  times increase, to the horizon at most
 *   I4  0 <= free <= limit
 *   I5  neighbouring steps differ in free
 *   I6  each leaf's least is the least of its free, where there is an index
 *   I7  no two neighbouring leaves ought to be one
 *   I8  an entry is not less than the run, or marked as an underestimate, and
 *       a maximum not less than its entries, where there is an index
 */
#ifndef FAIR_PROFILE_H
#define FAIR_PROFILE_H

#define FAIRSCHED_VERSION 100

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_LINKAGE
#define FAIRSCHED_SHARED_LINKAGE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifdef FAIRSCHED_STATIC /* each unit has its own bodies */
#undef FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_LINKAGE static inline
#elif !defined(FAIRSCHED_LINKAGE)
#define FAIRSCHED_LINKAGE extern
#endif

#ifdef __cplusplus
#define FAIRSCHED_BEGIN_C extern "C" {
#define FAIRSCHED_END_C }
#else
#define FAIRSCHED_BEGIN_C
#define FAIRSCHED_END_C
#endif

/* Each unit refers to this: it needs an implementation of its version. */
#define FAIRSCHED_SYMBOL(header)                                               \
	header##_version_100_define_FAIRSCHED_IMPLEMENTATION_in_one_file
#define FAIRSCHED_PROVIDE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void)                                 \
	{                                                                      \
		return FAIRSCHED_VERSION;                                      \
	}
#define FAIRSCHED_REQUIRE(api, header) api int FAIRSCHED_SYMBOL(header)(void)
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
#undef FAIRSCHED_REQUIRE
#define FAIRSCHED_REQUIRE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void);                                \
	static int (*const header##_required)(void)                            \
		__attribute__((used, retain)) = FAIRSCHED_SYMBOL(header)
#endif
#endif
#endif /* FAIRSCHED_SHARED_LINKAGE */

#ifndef FAIR_PROFILE_API
#define FAIR_PROFILE_API FAIRSCHED_LINKAGE
#endif

#define FAIR_FOREVER INT64_MAX /* an interval end: never */

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_PROFILE_API, fair_profile);

/**
 * struct fair_profile - an availability profile.
 * @origin:  seconds; nothing is known of the time before
 * @horizon: seconds; every reservation ends by then
 * @cap:     steps that it can hold
 * @limit:   no release lifts free above this: the processors of the machine
 *
 * To be read through these four and the functions only. Chunks are named by
 * the number of their memory, or where it says so by their position in time; a
 * leaf by its column, 64 * chunk + its place there.
 */
struct fair_profile {
	int64_t origin, horizon;
	size_t cap;
	int32_t limit;
	/* private from here on */
	bool any_stale; /* some leaf or maximum: see the index */
	size_t steps;
	int64_t reach;	 /* horizon - origin */
	uint32_t width;	 /* leaves a chunk may have */
	uint32_t stride; /* entries a row has */
	uint32_t leaves, leaves_max, leaves_fresh, leaf_spare;
	uint32_t chunks, chunks_max, chunks_fresh;
	struct fair_profile_leaf *leaf;
	int64_t *base;	  /* by column: when the leaf begins; else INT64_MAX */
	uint32_t *id;	  /* by column: its index in leaf[] */
	int32_t *least;	  /* by column: its least free */
	uint16_t *count;  /* by column: its steps */
	int32_t *row;	  /* by chunk and row: an entry a leaf */
	uint64_t *stale;  /* by chunk: a bit a leaf */
	uint16_t *used;	  /* by chunk: its leaves */
	uint32_t *order;  /* by position: the chunk */
	int64_t *first;	  /* by position: when it begins; else INT64_MAX */
	int32_t *top;	  /* by lane and position: the row's maximum */
	int32_t lane[32]; /* the thresholds, ascending; INT32_MAX follows */
};

/**
 * struct fair_step - @free processors throughout [@start, @end).
 */
struct fair_step {
	int64_t start, end; /* end may be FAIR_FOREVER */
	int32_t free;
};

/**
 * fair_profile_size() - bytes that hold a profile.
 * @steps: at most 2^31 - 1; one reservation adds at most two, a change of
 *         capacity too
 *
 * Return: bytes that suffice for @steps steps whatever the order of
 * operations; 0 if there is no such number. Ascending in @steps.
 */
FAIR_PROFILE_API size_t fair_profile_size(size_t steps);

/**
 * fair_profile_init() - all of a machine is free from now on.
 * @p:           profile
 * @struct_size: sizeof(*@p), as the caller compiled it
 * @memory:      kept until the end of @p's use; any alignment
 * @bytes:       of it; @p->cap becomes the most steps for which
 *               fair_profile_size() is no more
 * @procs:       processors of the machine, >= 1
 * @origin:      seconds; any but the last 2^38 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW for such an @origin; -FAIR_ENOMEM if
 * @bytes do not suffice for one step.
 * Complexity: O(number of chunks that @memory has room for).
 */
FAIR_PROFILE_API int fair_profile_init(struct fair_profile *p,
				       size_t struct_size, void *memory,
				       size_t bytes, int32_t procs,
				       int64_t origin);

/**
 * fair_profile_earliest_start() - first time a job fits for its whole walltime.
 * @p:          profile
 * @not_before: seconds, >= origin
 * @walltime:   seconds, >= 1
 * @procs:      processors, >= 1
 * @start:      out: seconds
 *
 * Reserves nothing.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if there are never @procs;
 * -FAIR_EOVERFLOW if the job would end after the horizon. Complexity: see
 * COMPLEXITY above.  Source: [MF01].
 */
FAIR_PROFILE_API int fair_profile_earliest_start(const struct fair_profile *p,
						 int64_t not_before,
						 int64_t walltime,
						 int32_t procs, int64_t *start);

/**
 * fair_profile_earlier_start() - to which earlier time could a reservation
 * move?
 * @p:          profile; a reservation of @procs over [@current, @current +
 *              @walltime) is in it
 * @not_before: seconds, >= origin
 * @before:     seconds; only starts < @before are wanted
 * @walltime:   seconds, >= 1
 * @procs:      processors, >= 1
 * @current:    seconds, <= horizon
 * @start:      out: the first such time >= @not_before, the reservation's own
 *              processors counted as free; @current if there is none
 *
 * What compression asks, without taking the reservation out: a time t <
 * @current is good if @procs are free throughout [t, min(t + @walltime,
 * @current)), since from @current on the job's own are.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: as earliest_start, but of the leaves in [@not_before, @current).
 */
FAIR_PROFILE_API int
fair_profile_earlier_start(const struct fair_profile *p, int64_t not_before,
			   int64_t before, int64_t walltime, int32_t procs,
			   int64_t current, int64_t *start);

/**
 * fair_profile_min_free() - processors that are free throughout an interval.
 * @p:          profile
 * @start:      seconds, >= origin
 * @end:        seconds, > @start; may be FAIR_FOREVER
 * @free_procs: out: processors
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log n + 64 + leaves of the interval).
 */
FAIR_PROFILE_API int fair_profile_min_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs);

/**
 * fair_profile_max_free() - the most processors that are free in an interval.
 * @p:          profile
 * @start:      seconds, >= origin
 * @end:        seconds, > @start; may be FAIR_FOREVER
 * @free_procs: out: processors
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log n + steps of the interval).
 */
FAIR_PROFILE_API int fair_profile_max_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs);

/**
 * fair_profile_run() - how far processors stay free to both sides.
 * @p:     profile
 * @procs: processors, >= 1
 * @start: seconds, >= origin; out: as long before as @procs are free
 * @end:   seconds, > @start; out: as long behind; may be FAIR_FOREVER
 *
 * Within the interval they need not be.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log n + steps that are added), a leaf at once behind @end.
 */
FAIR_PROFILE_API int fair_profile_run(const struct fair_profile *p,
				      int32_t procs, int64_t *start,
				      int64_t *end);

/**
 * fair_profile_step_at() - the step that holds a time.
 * @p:    profile
 * @t:    seconds, >= origin
 * @step: out
 *
 * To see all steps: from t = origin on, t = step.end until that is
 * FAIR_FOREVER.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log n).
 */
FAIR_PROFILE_API int fair_profile_step_at(const struct fair_profile *p,
					  int64_t t, struct fair_step *step);

/**
 * fair_profile_steps() - how many steps there are, >= 1.
 * @p: profile
 */
FAIR_PROFILE_API size_t fair_profile_steps(const struct fair_profile *p);

/**
 * fair_profile_check() - verifies all invariants.
 * @p: profile
 *
 * Return: 0, or the number of the first one that is broken.
 * Complexity: O(n), with the number of lanes as a factor.
 */
FAIR_PROFILE_API int fair_profile_check(const struct fair_profile *p);

/**
 * fair_profile_reserve() - takes processors out of an interval.
 * @p:        profile
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 * @procs:    processors, >= 1
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if less than @procs are free somewhere; -FAIR_ENOSPC if there
 * would be more than @p->cap steps.
 * Complexity: see COMPLEXITY above.
 */
FAIR_PROFILE_API int fair_profile_reserve(struct fair_profile *p, int64_t start,
					  int64_t walltime, int32_t procs);

/**
 * fair_profile_release() - gives processors back, or part of their time.
 * @p:        profile
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 * @procs:    processors, >= 1
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if more than @p->limit would be free; -FAIR_ENOSPC: to release a
 * part can take more steps.
 * Complexity: see COMPLEXITY above.
 */
FAIR_PROFILE_API int fair_profile_release(struct fair_profile *p, int64_t start,
					  int64_t walltime, int32_t procs);

/**
 * fair_profile_move() - a reservation begins earlier.
 * @p:        profile; a reservation of @procs over [@current, @current +
 *            @walltime) is in it
 * @current:  seconds, > @start
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 * @procs:    processors, >= 1
 * @most:     out: nowhere in what the reservation leaves are more free
 *
 * Where the old and the new interval overlap, the profile stays as it is:
 *
 *	|=====new=====|		is taken up to the old, or its own end
 *	      |=====old=====|	is given back from the end of the new on
 *
 * Return: as fair_profile_reserve() and fair_profile_release().
 * Complexity: as those two, of the parts that change.
 */
FAIR_PROFILE_API int fair_profile_move(struct fair_profile *p, int64_t current,
				       int64_t start, int64_t walltime,
				       int32_t procs, int32_t *most);

/**
 * fair_profile_change_capacity() - processors go and come.
 * @p:     profile
 * @start: seconds, >= origin
 * @end:   seconds, > @start; FAIR_FOREVER, or at most the horizon
 * @delta: processors: < 0 a node down or a maintenance window, > 0 gives back
 *         or adds; 0 does nothing
 *
 * @p->limit follows a change of all time, [origin, FAIR_FOREVER), exactly. Of
 * others it cannot know what they give back, so it grows by every increase: it
 * is never too low, but a wrong release may go unnoticed then.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW beyond the horizon; -FAIR_ERANGE if
 * less than -@delta are free somewhere, or more than INT32_MAX would be;
 * -FAIR_ENOSPC.
 * Complexity: as reserve.
 */
FAIR_PROFILE_API int fair_profile_change_capacity(struct fair_profile *p,
						  int64_t start, int64_t end,
						  int32_t delta);

/**
 * fair_profile_advance() - forgets everything before a time.
 * @p:      profile
 * @origin: seconds, >= the present one; any but the last 2^38 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(log n + 64 + leaves dropped).
 */
FAIR_PROFILE_API int fair_profile_advance(struct fair_profile *p,
					  int64_t origin);

/**
 * fair_profile_settle() - brings the index up to date after changes.
 * @p: profile
 *
 * Changes no answer, only the speed of those that follow.
 *
 * Return: 0.
 * Complexity: O(chunks + 64 for each leaf that has changed).
 */
FAIR_PROFILE_API int fair_profile_settle(struct fair_profile *p);

/**
 * fair_profile_clone() - an independent copy.
 * @copy:   another profile
 * @memory: kept until the end of @copy's use; any alignment
 * @bytes:  of it; may be less than @p has
 * @p:      profile
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if the steps that there are do not fit.
 * Complexity: O(n), not the capacity of @p.
 */
FAIR_PROFILE_API int fair_profile_clone(struct fair_profile *copy, void *memory,
					size_t bytes,
					const struct fair_profile *p);

FAIRSCHED_END_C
#endif /* FAIR_PROFILE_H */

#if !defined(FAIR_PROFILE_IMPLEMENTED) &&                                      \
	(defined(FAIR_PROFILE_IMPLEMENTATION) ||                               \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_PROFILE_IMPLEMENTED

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_ASSERT
#define FAIRSCHED_SHARED_ASSERT

#ifdef __GNUC__
#define FAIR_BUILTIN(name) __builtin_##name
#define FAIR_TRAP __builtin_trap
#else
#include <stdlib.h>
#include <string.h>
#define FAIR_BUILTIN(name) name
#define FAIR_TRAP abort
#endif
#ifndef FAIR_ASSERT
#define FAIR_ASSERT(x) ((x) ? (void)0 : FAIR_TRAP())
#endif
#ifndef FAIR_MEMCPY
#define FAIR_MEMCPY FAIR_BUILTIN(memcpy)
#define FAIR_MEMMOVE FAIR_BUILTIN(memmove)
#define FAIR_MEMSET FAIR_BUILTIN(memset)
#endif

/* For a call that is proved to succeed. */
static inline void fair_must(int error)
{
	FAIR_ASSERT(error == 0);
	(void)error;
}
#endif /* FAIRSCHED_SHARED_ASSERT */

#if defined(__SSE2__) && defined(__GNUC__) && __STDC_HOSTED__ &&               \
	!defined(FAIR_PROFILE_PORTABLE)
#define FAIR_PROFILE_SSE2
#include <emmintrin.h>
#endif

FAIRSCHED_PROVIDE(FAIR_PROFILE_API, fair_profile)

/*
 * Contents: search for the mark.
 *
 *   >>bits      masks, and comparisons of 16 numbers at once
 *   >>spots     where a step is: steps, leaves and chunks in order of time
 *   >>steps     what happens to the steps of one leaf
 *   >>memory    the layout of the caller's memory
 *   >>windows   exact search, leaf by leaf
 *   >>index     bounds that tell which leaves to search: claims, changes,
 *               settling, search
 *   >>chunks    columns and chunks come, go and move
 *   >>leaves    leaves are split and merged
 *   >>wide      a change, whatever leaves it concerns
 *   >>inside    a change within one leaf
 *   >>begin     init, clone, advance
 *   >>queries   and >>changes: the public functions
 *   >>check     the invariants
 */

#ifndef FAIR_PROFILE_LEAF_MAX
#define FAIR_PROFILE_LEAF_MAX 64 /* steps a leaf may have, 4 to 64 */
#endif
/* Leaves of so many steps are merged: one more reservation does not split. */
#define FAIR_PROFILE_LEAF_MERGE (FAIR_PROFILE_LEAF_MAX - 2)
#ifndef FAIR_PROFILE_CHUNK_MAX
#define FAIR_PROFILE_CHUNK_MAX 64 /* leaves a chunk may have, 2 to 64 */
#endif
#ifndef FAIR_PROFILE_FLAT
#define FAIR_PROFILE_FLAT 8 /* so few leaves have no index */
#endif
#define FAIR_PROFILE_LANES 24
#define FAIR_PROFILE_SPAN (INT32_MAX - 1) /* of the offsets in a leaf */
#define FAIR_PROFILE_REACH 8 /* leaves that an entry looks beyond its own */

/* Steps: [base + off[k], base + off[k + 1]) has free[k]. */
struct fair_profile_leaf {
	int32_t off[64];  /* off[0] = 0; INT32_MAX where unused */
	int32_t free[64]; /* INT32_MAX where unused */
};

enum {
	/* Rows of a chunk after its lanes. */
	FAIR_PROFILE_MOST = FAIR_PROFILE_LANES, /* upper bounds on free */
	FAIR_PROFILE_UNDERESTIMATE, /* a bit a lane: the entry may be one */
	FAIR_PROFILE_ROWS,
	/* The row of the top after its lanes, and its two flags. */
	FAIR_PROFILE_FLAGS = FAIR_PROFILE_LANES,
	FAIR_PROFILE_TOP_STALE = 1,	   /* a maximum may be too great */
	FAIR_PROFILE_TOP_UNDERESTIMATE = 2 /* an entry may be one */
};

/* A step: the position of the chunk, the leaf's column, the step's place. */
struct fair_profile_spot {
	size_t pos, at, k;
};

#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define FAIR_PROFILE_HOT static inline __attribute__((always_inline))
#else
#define FAIR_PROFILE_HOT static inline
#endif

/*
 * >>bits
 */

FAIR_PROFILE_HOT int fair_profile_ctz(uint64_t x)
{
#if defined(__GNUC__)
	return __builtin_ctzll(x);
#else
	int n = 0;

	for (; !(x & 1); x >>= 1)
		n++;
	return n;
#endif
}

static int fair_profile_msb(uint64_t x)
{
#if defined(__GNUC__)
	return 63 - __builtin_clzll(x);
#else
	int n = 0;

	while (x >>= 1)
		n++;
	return n;
#endif
}

/* The bits 0 to n - 1. */
FAIR_PROFILE_HOT uint64_t fair_profile_below(size_t n)
{
	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* Bit i of the result: is @a[i] greater than @x? Of 16 numbers. */
FAIR_PROFILE_HOT uint64_t fair_profile_gt16(const int32_t *a, int32_t x)
{
#if defined(FAIR_PROFILE_SSE2)
	const __m128i *v = (const __m128i *)(const void *)a;
	__m128i y = _mm_set1_epi32(x);
	__m128i m0 = _mm_cmpgt_epi32(_mm_loadu_si128(v), y);
	__m128i m1 = _mm_cmpgt_epi32(_mm_loadu_si128(v + 1), y);
	__m128i m2 = _mm_cmpgt_epi32(_mm_loadu_si128(v + 2), y);
	__m128i m3 = _mm_cmpgt_epi32(_mm_loadu_si128(v + 3), y);

	return (uint64_t)_mm_movemask_epi8(_mm_packs_epi16(
		_mm_packs_epi32(m0, m1), _mm_packs_epi32(m2, m3)));
#else
	uint64_t bits = 0;
	int i;

	for (i = 0; i < 16; i++)
		bits |= (uint64_t)(a[i] > x) << i;
	return bits;
#endif
}

/* The same for the first @n of @a, which goes on up to a multiple of 16. */
FAIR_PROFILE_HOT uint64_t fair_profile_gt(const int32_t *a, size_t n, int32_t x)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < n; i += 16)
		bits |= fair_profile_gt16(a + i, x) << i;
	return bits & fair_profile_below(n);
}

/* Bit i of the result: has @a[i] the bit @bit? Of 16 numbers. */
FAIR_PROFILE_HOT uint64_t fair_profile_has16(const int32_t *a, size_t bit)
{
	uint64_t bits = 0;
	int i;
#if defined(FAIR_PROFILE_SSE2)
	const __m128i *v = (const __m128i *)(const void *)a;
	__m128i up = _mm_cvtsi32_si128(31 - (int)bit);

	for (i = 0; i < 4; i++)
		bits |= (uint64_t)_mm_movemask_ps(_mm_castsi128_ps(
				_mm_sll_epi32(_mm_loadu_si128(v + i), up)))
			<< 4 * i;
#else
	for (i = 0; i < 16; i++)
		bits |= (uint64_t)((uint32_t)a[i] >> bit & 1) << i;
#endif
	return bits;
}

/* The same for the first @n of @a, which goes on up to a multiple of 16. */
static uint64_t fair_profile_has(const int32_t *a, size_t n, size_t bit)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < n; i += 16)
		bits |= fair_profile_has16(a + i, bit) << i;
	return bits & fair_profile_below(n);
}

/* The same for 64 numbers. */
FAIR_PROFILE_HOT uint64_t fair_profile_gt64(const int32_t *a, int32_t x)
{
	return fair_profile_gt16(a, x) | fair_profile_gt16(a + 16, x) << 16 |
	       fair_profile_gt16(a + 32, x) << 32 |
	       fair_profile_gt16(a + 48, x) << 48;
}

/* The place of the first 1 among 16 bits; 16 if there is none. */
FAIR_PROFILE_HOT size_t fair_profile_until(uint64_t bits)
{
	return (size_t)fair_profile_ctz(bits | 1 << 16);
}

/*
 * >>spots
 */

FAIR_PROFILE_HOT struct fair_profile_leaf *
fair_profile_leaf_at(const struct fair_profile *p,
		     const struct fair_profile_spot *s)
{
	return p->leaf + p->id[s->at];
}

/* Goes to the leaf after, its first step; false if there is none. */
FAIR_PROFILE_HOT bool fair_profile_next(const struct fair_profile *p,
					struct fair_profile_spot *s)
{
	if (s->at % 64 + 1 < p->used[s->at / 64]) {
		s->at++;
	} else {
		if (s->pos + 1 == p->chunks)
			return false;
		s->at = p->order[++s->pos] * (size_t)64;
	}
	s->k = 0;
	return true;
}

/* Goes to the leaf before, its last step; false if there is none. */
FAIR_PROFILE_HOT bool fair_profile_prev(const struct fair_profile *p,
					struct fair_profile_spot *s)
{
	if (s->at % 64) {
		s->at--;
	} else {
		size_t c;

		if (!s->pos)
			return false;
		c = p->order[--s->pos];
		s->at = c * 64 + p->used[c] - 1;
	}
	s->k = p->count[s->at] - 1u;
	return true;
}

/* Goes to the step before; false if there is none. */
FAIR_PROFILE_HOT bool fair_profile_before(const struct fair_profile *p,
					  struct fair_profile_spot *s)
{
	if (!s->k)
		return fair_profile_prev(p, s);
	s->k--;
	return true;
}

/* Goes to the step after; false if there is none. */
FAIR_PROFILE_HOT bool fair_profile_after(const struct fair_profile *p,
					 struct fair_profile_spot *s)
{
	if (s->k + 1 == p->count[s->at])
		return fair_profile_next(p, s);
	s->k++;
	return true;
}

FAIR_PROFILE_HOT int32_t fair_profile_at(const struct fair_profile *p,
					 const struct fair_profile_spot *s)
{
	return fair_profile_leaf_at(p, s)->free[s->k];
}

/* When the leaf ends: where the next one begins. */
FAIR_PROFILE_HOT int64_t fair_profile_leaf_end(
	const struct fair_profile *p, const struct fair_profile_spot *s)
{
	if (s->at % 64 + 1 < p->used[s->at / 64])
		return p->base[s->at + 1];
	if (s->pos + 1 < p->chunks)
		return p->first[s->pos + 1];
	return FAIR_FOREVER;
}

FAIR_PROFILE_HOT int64_t fair_profile_step_start(
	const struct fair_profile *p, const struct fair_profile_spot *s)
{
	size_t at = s->at;

	return p->base[at] + p->leaf[p->id[at]].off[s->k];
}

FAIR_PROFILE_HOT int64_t fair_profile_step_end(
	const struct fair_profile *p, const struct fair_profile_spot *s)
{
	size_t at = s->at;

	if (s->k + 1 < p->count[at])
		return p->base[at] + p->leaf[p->id[at]].off[s->k + 1];
	return fair_profile_leaf_end(p, s);
}

/* How many of @a[1] to @a[7] are <= @t? No load waits for a comparison. */
FAIR_PROFILE_HOT size_t fair_profile_upto(const int64_t *a, int64_t t)
{
	return (size_t)(a[1] <= t) + (a[2] <= t) + (a[3] <= t) + (a[4] <= t) +
	       (a[5] <= t) + (a[6] <= t) + (a[7] <= t);
}

/* The last of 64 ascending numbers that is <= @t; the first is. */
FAIR_PROFILE_HOT size_t fair_profile_last64(const int64_t *a, int64_t t)
{
	size_t k = (size_t)(a[8] <= t) + (a[16] <= t) + (a[24] <= t) +
		   (a[32] <= t) + (a[40] <= t) + (a[48] <= t) + (a[56] <= t);

	return 8 * k + fair_profile_upto(a + 8 * k, t);
}

/* The position of the chunk that holds @t >= origin. */
FAIR_PROFILE_HOT size_t fair_profile_position(const struct fair_profile *p,
					      int64_t t)
{
	size_t at = 0, i;

	if (p->chunks <= 8)
		return fair_profile_upto(p->first, t);
	for (i = 64; i < p->chunks; i += 64)
		at += p->first[i] <= t ? 64 : 0;
	return at + fair_profile_last64(p->first + at, t);
}

/* The step of @leaf that holds @base + @x, @x >= 0. */
FAIR_PROFILE_HOT size_t
fair_profile_step_of(const struct fair_profile_leaf *leaf, int64_t x)
{
	int32_t y = (int32_t)(x < FAIR_PROFILE_SPAN ? x : FAIR_PROFILE_SPAN);
	const int32_t *off = leaf->off;
	size_t k =
		16 * ((size_t)(off[16] <= y) + (off[32] <= y) + (off[48] <= y));

	return k + fair_profile_until(fair_profile_gt16(off + k, y)) - 1;
}

/* The leaf that holds @t >= origin. */
FAIR_PROFILE_HOT struct fair_profile_spot
fair_profile_find_leaf(const struct fair_profile *p, int64_t t)
{
	struct fair_profile_spot s = { 0, p->order[0] * (size_t)64, 0 };

	if (p->leaves == 1)
		return s;
	s.pos = fair_profile_position(p, t);
	s.at = p->order[s.pos] * (size_t)64;
	s.at += fair_profile_last64(p->base + s.at, t);
	return s;
}

/* The step that holds @t >= origin. */
FAIR_PROFILE_HOT struct fair_profile_spot
fair_profile_find(const struct fair_profile *p, int64_t t)
{
	struct fair_profile_spot s = fair_profile_find_leaf(p, t);
	size_t at = s.at;

	s.k = fair_profile_step_of(p->leaf + p->id[at], t - p->base[at]);
	return s;
}

static struct fair_profile_spot
fair_profile_last_leaf(const struct fair_profile *p)
{
	struct fair_profile_spot s;
	size_t c;

	s.pos = p->chunks - 1u;
	c = p->order[s.pos];
	s.at = c * 64 + p->used[c] - 1;
	s.k = p->count[s.at] - 1u;
	return s;
}

/*
 * >>steps
 */

/* The least free of all steps. Compilers use vectors for such loops. */
static int32_t fair_profile_leaf_least(const struct fair_profile_leaf *leaf)
{
	int32_t x[4] = { INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX };
	int k, l;

	for (k = 0; k < 64; k += 4)
		for (l = 0; l < 4; l++)
			x[l] = leaf->free[k + l] < x[l] ? leaf->free[k + l]
							: x[l];
	x[0] = x[1] < x[0] ? x[1] : x[0];
	x[2] = x[3] < x[2] ? x[3] : x[2];
	return x[2] < x[0] ? x[2] : x[0];
}

/* Moves @n steps from the place @from to @to. */
FAIR_PROFILE_HOT void fair_profile_leaf_move(struct fair_profile_leaf *leaf,
					     size_t from, size_t to, size_t n)
{
	if (from == to)
		return;
	FAIR_MEMMOVE(leaf->off + to, leaf->off + from,
		     n * sizeof(leaf->off[0]));
	FAIR_MEMMOVE(leaf->free + to, leaf->free + from,
		     n * sizeof(leaf->free[0]));
}

/* Marks the places [@i, @j) as unused. */
FAIR_PROFILE_HOT void fair_profile_leaf_clear(struct fair_profile_leaf *leaf,
					      size_t i, size_t j)
{
	for (; i < j; i++)
		leaf->off[i] = leaf->free[i] = INT32_MAX;
}

/* Takes the steps [@k, @k + @steps) out of @n. */
static void fair_profile_leaf_remove(struct fair_profile_leaf *leaf, size_t n,
				     size_t k, size_t steps)
{
	fair_profile_leaf_move(leaf, k + steps, k, n - k - steps);
	fair_profile_leaf_clear(leaf, n - steps, n);
}

/* Copies @n steps of @from, at @k, to the place @at; offsets grow by @more. */
static void fair_profile_leaf_copy(struct fair_profile_leaf *to, size_t at,
				   const struct fair_profile_leaf *from,
				   size_t k, size_t n, int32_t more)
{
	size_t i;

	for (i = 0; i < n; i++) {
		to->off[at + i] = from->off[k + i] + more;
		to->free[at + i] = from->free[k + i];
	}
}

/* Least and greatest of the steps [@i, @j) of a leaf, into @least, @most. */
FAIR_PROFILE_HOT void fair_profile_scan(const struct fair_profile_leaf *leaf,
					size_t i, size_t j, int32_t *least,
					int32_t *most)
{
	for (; i < j; i++) {
		int32_t f = leaf->free[i];

		*least = f < *least ? f : *least;
		*most = f > *most ? f : *most;
	}
}

/* Adds @delta to the steps [@i, @j) of a leaf. */
FAIR_PROFILE_HOT void fair_profile_leaf_add(struct fair_profile_leaf *leaf,
					    size_t i, size_t j, int32_t delta)
{
	for (; i < j; i++)
		leaf->free[i] += delta;
}

/*
 * >>memory
 */

/* Room for @n objects of @size bytes, from a line of 64 bytes on. */
static void *fair_profile_carve(char *memory, size_t *used, size_t n,
				size_t size)
{
	void *at = memory ? memory + *used : NULL;

	*used += (n * size + 63) & ~(size_t)63;
	return at;
}

/* The horizon in units of what one leaf can span, 68 years. */
static size_t fair_profile_spans(size_t steps)
{
	return steps / 2048 < 63 ? 1 + steps / 2048 : 64;
}

/* Searches read first[] and top[] in blocks: they have room for the last. */
static size_t fair_profile_firsts(size_t chunks)
{
	return chunks <= 8 ? 8 : (chunks + 63) & ~(size_t)63;
}

static size_t fair_profile_tops(size_t chunks)
{
	return chunks * (FAIR_PROFILE_FLAGS + 1) + 16;
}

/*
 * How many leaves and chunks there may be for @steps. Leaves: see Memory in
 * the manual; two more for what a change has for a moment.
 */
static void fair_profile_dimensions(struct fair_profile *p, size_t steps)
{
	size_t leaves = 2 * ((steps + 1) / (FAIR_PROFILE_LEAF_MERGE + 1) +
			     fair_profile_spans(steps));
	size_t need =
		leaves > FAIR_PROFILE_CHUNK_MAX ? leaves + leaves / 16 : leaves;
	size_t chunks =
		(need + FAIR_PROFILE_CHUNK_MAX - 1) / FAIR_PROFILE_CHUNK_MAX;

	p->stride = (uint32_t)(((need + chunks - 1) / chunks + 15) / 16 * 16);
	p->width = p->stride < FAIR_PROFILE_CHUNK_MAX ? p->stride
						      : FAIR_PROFILE_CHUNK_MAX;
	p->chunks_max = (uint32_t)chunks;
	p->leaves_max = (uint32_t)leaves;
}

/* Sets sizes, and pointers into @memory, if any; returns the bytes used. */
static size_t fair_profile_layout(struct fair_profile *p, char *memory,
				  size_t steps)
{
	size_t chunks, columns, used = 0;

	fair_profile_dimensions(p, steps);
	chunks = p->chunks_max;
	columns = chunks * 64;
	p->leaf = (struct fair_profile_leaf *)fair_profile_carve(
		memory, &used, p->leaves_max, sizeof(p->leaf[0]));
	p->row = (int32_t *)fair_profile_carve(
		memory, &used, chunks * p->stride * FAIR_PROFILE_ROWS, 4);
	p->base = (int64_t *)fair_profile_carve(memory, &used, columns, 8);
	p->id = (uint32_t *)fair_profile_carve(memory, &used, columns, 4);
	p->least = (int32_t *)fair_profile_carve(memory, &used, columns, 4);
	p->count = (uint16_t *)fair_profile_carve(memory, &used, columns, 2);
	p->stale = (uint64_t *)fair_profile_carve(memory, &used, chunks, 8);
	p->used = (uint16_t *)fair_profile_carve(memory, &used, chunks, 2);
	p->order = (uint32_t *)fair_profile_carve(memory, &used, chunks, 4);
	p->first = (int64_t *)fair_profile_carve(
		memory, &used, fair_profile_firsts(chunks), 8);
	p->top = (int32_t *)fair_profile_carve(memory, &used,
					       fair_profile_tops(chunks), 4);
	return used + 63;
}

FAIR_PROFILE_API size_t fair_profile_size(size_t steps)
{
	struct fair_profile p;

	if (steps > UINT32_MAX / 2 || steps > SIZE_MAX / 256 - 4096)
		return 0;
	return fair_profile_layout(&p, NULL, steps);
}

/* The greatest number of steps for which @bytes suffice. */
static size_t fair_profile_room(size_t bytes)
{
	size_t lo = 0, hi = bytes / 8 + 1;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2, need = fair_profile_size(mid);

		if (need && need <= bytes)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Sets sizes and pointers. There is no chunk and no leaf yet. */
static int fair_profile_prepare(struct fair_profile *p, void *memory,
				size_t bytes, int64_t origin)
{
	size_t slack = (size_t)(-(uintptr_t)memory & 63);
	size_t i;

	p->cap = fair_profile_room(bytes);
	if (!p->cap)
		return -FAIR_ENOMEM;
	fair_profile_layout(p, (char *)memory + slack, p->cap);
	p->origin = origin;
	p->reach = (int64_t)fair_profile_spans(p->cap) * FAIR_PROFILE_SPAN;
	p->horizon = origin + p->reach;
	p->steps = 0;
	p->chunks = p->chunks_fresh = 0;
	p->leaves = p->leaves_fresh = 0;
	p->leaf_spare = UINT32_MAX;
	p->any_stale = false;
	FAIR_MEMSET(p->top, 0,
		    fair_profile_tops(p->chunks_max) * sizeof(p->top[0]));
	for (i = 0; i < fair_profile_firsts(p->chunks_max); i++)
		p->first[i] = INT64_MAX;
	return 0;
}

static uint32_t fair_profile_leaf_take(struct fair_profile *p)
{
	uint32_t id = p->leaf_spare;

	if (id != UINT32_MAX)
		p->leaf_spare = (uint32_t)p->leaf[id].off[0];
	else
		id = p->leaves_fresh++;
	/* I7 proves that there are enough: see Memory in the manual. */
	FAIR_ASSERT(p->leaves < p->leaves_max);
	p->leaves++;
	fair_profile_leaf_clear(p->leaf + id, 0, 64);
	return id;
}

static void fair_profile_leaf_give(struct fair_profile *p, uint32_t id)
{
	p->leaf[id].off[0] = (int32_t)p->leaf_spare;
	p->leaf_spare = id;
	p->leaves--;
}

/*
 * >>windows
 */

/* Where is a start, in [from, before), of procs for walltime? */
struct fair_profile_query {
	int64_t from, before, walltime;
	int64_t current; /* what is free then is free for ever */
	int32_t procs;
};

/* When the first window of @opens can be used: not before @from. */
FAIR_PROFILE_HOT int64_t
fair_profile_opening(const struct fair_profile_leaf *leaf, uint64_t opens,
		     int64_t base, int64_t from)
{
	int64_t t = base + leaf->off[fair_profile_ctz(opens)];

	return t > from ? t : from;
}

/*
 * Searches the leaf at @s. *@begin is the start of the window that is open at
 * its base, INT64_MAX if none is; then of the window open at its end. True if
 * the search is over: the window at *@begin is long enough, or begins too late.
 */
FAIR_PROFILE_HOT bool fair_profile_windows(const struct fair_profile *p,
					   const struct fair_profile_spot *s,
					   const struct fair_profile_query *q,
					   int64_t *begin)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	int64_t base = p->base[s->at], from = q->from, end;
	size_t n = p->count[s->at];
	uint64_t free = fair_profile_gt(leaf->free, n, q->procs - 1), was;
	uint64_t opens, ends; /* steps at which windows do, in turn */

	if (from > base)
		free &= ~fair_profile_below(
			fair_profile_step_of(leaf, from - base));
	was = free << 1 | (*begin != INT64_MAX);
	opens = free & ~was;
	ends = ~free & was & fair_profile_below(n);
	/* Invariant: no window that has ended is long enough. */
	for (; ends; ends &= ends - 1, *begin = INT64_MAX) {
		if (*begin == INT64_MAX) {
			*begin = fair_profile_opening(leaf, opens, base, from);
			if (*begin >= q->before)
				return true;
			opens &= opens - 1;
		}
		end = base + leaf->off[fair_profile_ctz(ends)];
		if (end - *begin >= q->walltime || end >= q->current)
			return true;
	}
	if (!opens)
		return false;
	*begin = fair_profile_opening(leaf, opens, base, from);
	return *begin >= q->before;
}

/* The first start, or before if there is none; all leaves are searched. */
static int64_t fair_profile_search_flat(const struct fair_profile *p,
					const struct fair_profile_query *q)
{
	struct fair_profile_spot s = fair_profile_find_leaf(p, q->from);
	int64_t begin = INT64_MAX;

	/* Invariant: no start before the leaf at s is good, but maybe begin. */
	do
		if (p->base[s.at] >= q->current ||
		    fair_profile_windows(p, &s, q, &begin))
			break;
	while (fair_profile_next(p, &s));
	return begin < q->before ? begin : q->before;
}

/*
 * A moment >= @floor from which @procs are free up to @t: the earliest one, or
 * one <= @floor; @t if there is none.
 */
static int64_t fair_profile_free_since(const struct fair_profile *p, int64_t t,
				       int64_t floor, int32_t procs)
{
	struct fair_profile_spot s = fair_profile_find(p, t - 1);

	if (fair_profile_at(p, &s) < procs)
		return t;
	/* Invariant: procs are free from the end of the step s, or t, on. */
	for (;;) {
		const struct fair_profile_leaf *leaf =
			fair_profile_leaf_at(p, &s);
		uint64_t less = ~fair_profile_gt64(leaf->free, procs - 1) &
				fair_profile_below(s.k + 1);
		size_t k;

		if (less) {
			k = (size_t)fair_profile_msb(less);
			return k < s.k ? p->base[s.at] + leaf->off[k + 1] : t;
		}
		t = p->base[s.at];
		if (t <= floor) /* as the first leaf does: floor >= origin */
			return t;
		fair_profile_prev(p, &s);
	}
}

/* How long @procs are free from @t on: @t if they are not. */
static int64_t fair_profile_free_until(const struct fair_profile *p, int64_t t,
				       int32_t procs)
{
	struct fair_profile_spot s = fair_profile_find(p, t);
	uint64_t less;

	if (fair_profile_at(p, &s) < procs)
		return t;
	/* Invariant: procs are free from t to the step s. */
	do {
		less = ~fair_profile_gt64(fair_profile_leaf_at(p, &s)->free,
					  procs - 1) &
		       ~fair_profile_below(s.k);
		if (less) {
			s.k = (size_t)fair_profile_ctz(less);
			return fair_profile_step_start(p, &s);
		}
	} while (fair_profile_next(p, &s));
	return FAIR_FOREVER;
}

/*
 * >>index
 *
 * For each leaf and each lane q the index has an entry: an upper bound on
 *
 *	the run: the longest interval of free >= q that begins in the leaf, or
 *	begins before it and is counted from its base on. It is followed beyond
 *	the leaf's end.
 *
 * Settling computes it: as it is, or INT32_MAX if it is longer or does not end
 * within the next FAIR_PROFILE_REACH leaves. After changes an entry may be
 *
 *	stale            out of date: a bit a leaf, p->stale
 *	underestimate    stale, and maybe less than the run: a bit a lane, the
 *			 row FAIR_PROFILE_UNDERESTIMATE. The leaf is searched
 *			 whatever the entry says.
 *
 * The top has the maximum of each row, and two flags: the same two words for a
 * chunk as a whole. least and FAIR_PROFILE_MOST bound free within a leaf. The
 * sections below call
 *
 *	is_flat          is there no index? Then all else does nothing
 *	index_begin      there is one from now on
 *	index_least      a leaf's steps are others: its least again
 *	index_change     free rises or falls in some steps
 *	index_pushed     leaves lie one leaf further apart
 *	index_join       a leaf gets steps of its neighbour
 *	mark_stale       a leaf lost steps
 *	top_join         a chunk gets, or loses, leaves
 *	index_search     the first start
 *
 * CLAIMS
 *
 * C1  No start is missed. If procs are free in [s, s + walltime), so are the
 *     q <= procs of the query's lane. So the run of the leaf that holds s is at
 *     least the walltime; its entry is too, or INT32_MAX, or an underestimate
 *     (I8). Leaves are searched in order of time, each exactly, and windows
 *     are followed beyond the end of a leaf.
 * C2  A fall lengthens no run: entries remain upper bounds, stale ones.
 * C3  A rise lengthens runs only in lanes that some step crosses. These runs
 *     begin in a leaf that rises: it is marked. Or they begin before it and
 *     reach into it: then all leaves between have free >= q, and by C4 either
 *     at most FAIR_PROFILE_REACH are between, and are marked, or the entry is
 *     INT32_MAX.
 * C4  The run of an entry that is neither INT32_MAX nor an underestimate ends
 *     within the next FAIR_PROFILE_REACH leaves: settling sees it end there.
 *     Where a leaf comes between, or steps pass to the neighbour, it may end
 *     one leaf further on: the leaves that reach there become underestimates.
 *     fair_profile_check() cannot see this; the tests with small leaves do.
 * C5  A maximum is no less than any entry of its chunk: what raises an entry
 *     raises it too. What lowers an entry leaves it, and flags it stale.
 */

/* Are the leaves so few that there is no index? */
FAIR_PROFILE_HOT bool fair_profile_is_flat(const struct fair_profile *p)
{
	return p->leaves <= FAIR_PROFILE_FLAT;
}

FAIR_PROFILE_HOT int32_t *fair_profile_row(const struct fair_profile *p,
					   size_t chunk, size_t lane)
{
	return p->row + (chunk * FAIR_PROFILE_ROWS + lane) * p->stride;
}

/* The entry of the leaf @at in @lane. */
FAIR_PROFILE_HOT int32_t *fair_profile_entry(const struct fair_profile *p,
					     size_t at, size_t lane)
{
	return fair_profile_row(p, at / 64, lane) + at % 64;
}

FAIR_PROFILE_HOT int32_t *fair_profile_top(const struct fair_profile *p,
					   size_t lane)
{
	return p->top + lane * p->chunks_max;
}

/* How many thresholds @procs reach. */
FAIR_PROFILE_HOT size_t fair_profile_lanes(const struct fair_profile *p,
					   int32_t procs)
{
	size_t l = p->lane[16] <= procs ? 16 : 0;

	l += fair_profile_until(fair_profile_gt16(p->lane + l, procs));
	return l < FAIR_PROFILE_LANES ? l : FAIR_PROFILE_LANES;
}

/* The lanes [@from, @to), a bit each. */
FAIR_PROFILE_HOT int32_t fair_profile_lane_bits(size_t from, size_t to)
{
	return (int32_t)(fair_profile_below(to) & ~fair_profile_below(from));
}

/* The entries of the leaf at @s are out of date. */
FAIR_PROFILE_HOT void fair_profile_mark_stale(struct fair_profile *p,
					      const struct fair_profile_spot *s)
{
	p->stale[s->at / 64] |= UINT64_C(1) << s->at % 64;
	p->any_stale = true;
}

/* They may be less than the runs of @lanes. */
FAIR_PROFILE_HOT void
fair_profile_mark_underestimate(struct fair_profile *p,
				const struct fair_profile_spot *s,
				int32_t lanes)
{
	fair_profile_mark_stale(p, s);
	*fair_profile_entry(p, s->at, FAIR_PROFILE_UNDERESTIMATE) |= lanes;
	fair_profile_top(p, FAIR_PROFILE_FLAGS)[s->pos] |=
		FAIR_PROFILE_TOP_UNDERESTIMATE;
}

/*
 * Marks the leaves before @s whose runs, of the lanes [@from, @to), reach
 * through its first @steps: where free has risen behind these, or fallen.
 */
static void fair_profile_mark_reaching(struct fair_profile *p,
				       struct fair_profile_spot s, size_t steps,
				       size_t from, size_t to, bool rise)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, &s);
	int32_t least = INT32_MAX, last;
	size_t i;

	for (i = 0; i < steps; i++)
		least = leaf->free[i] < least ? leaf->free[i] : least;
	/* Invariant (C3): free >= least from s to the steps that change. */
	for (i = 0; i < FAIR_PROFILE_REACH && fair_profile_prev(p, &s); i++) {
		last = fair_profile_at(p, &s);
		least = last < least ? last : least;
		if (least < p->lane[from])
			return;
		while (p->lane[to - 1] > least)
			to--;
		if (rise)
			fair_profile_mark_underestimate(
				p, &s, fair_profile_lane_bits(from, to));
		else
			fair_profile_mark_stale(p, &s);
		if (p->least[s.at] < least)
			least = p->least[s.at];
	}
}

/*
 * Can @least or more processors be free from the leaf before up to the step @k
 * of @leaf? False is certain; true is not, since only 16 steps are compared.
 */
FAIR_PROFILE_HOT bool
fair_profile_can_come_in(const struct fair_profile_leaf *leaf, size_t k,
			 int32_t least)
{
	size_t b = k ? (k - 1) & ~(size_t)15 : 0;

	return !(~fair_profile_gt16(leaf->free + b, least - 1) &
		 fair_profile_below(k - b));
}

/*
 * Steps from the place @k of the leaf at @a up to the leaf @b change: free is
 * between @low and @high, before or after, and rises or falls.
 */
FAIR_PROFILE_HOT void
fair_profile_index_change(struct fair_profile *p,
			  const struct fair_profile_spot *a, size_t k, size_t b,
			  int32_t low, int32_t high, bool rise)
{
	struct fair_profile_spot s = *a;
	size_t from, to;

	if (fair_profile_is_flat(p))
		return;
	from = fair_profile_lanes(p, low);
	to = fair_profile_lanes(p, high);
	/* Invariant (C2, C3): the leaves before s are marked. */
	for (;;) {
		if (rise) {
			int32_t *most =
				fair_profile_entry(p, s.at, FAIR_PROFILE_MOST);

			*most = *most < high ? high : *most;
			fair_profile_mark_underestimate(
				p, &s, fair_profile_lane_bits(from, to));
		} else {
			fair_profile_mark_stale(p, &s);
		}
		if (s.at == b)
			break;
		fair_profile_next(p, &s);
	}
	if (from < to && fair_profile_can_come_in(fair_profile_leaf_at(p, a), k,
						  p->lane[from]))
		fair_profile_mark_reaching(p, *a, k, from, to, rise);
}

/* Runs that reach through the first @steps at @s end one leaf further (C4). */
static void fair_profile_index_pushed(struct fair_profile *p,
				      const struct fair_profile_spot *s,
				      size_t steps)
{
	if (!fair_profile_is_flat(p))
		fair_profile_mark_reaching(p, *s, steps, 0, FAIR_PROFILE_LANES,
					   true);
}

static void fair_profile_index_least(struct fair_profile *p, size_t at)
{
	if (!fair_profile_is_flat(p))
		p->least[at] = fair_profile_leaf_least(p->leaf + p->id[at]);
}

/* There is an index from now on; all entries are underestimates. */
static void fair_profile_index_begin(struct fair_profile *p)
{
	struct fair_profile_spot s = { 0, p->order[0] * (size_t)64, 0 };
	size_t l;

	/* Invariant (I8): it holds for the leaves before s. */
	do {
		p->least[s.at] =
			fair_profile_leaf_least(fair_profile_leaf_at(p, &s));
		for (l = 0; l < FAIR_PROFILE_LANES; l++)
			*fair_profile_entry(p, s.at, l) = 0;
		*fair_profile_entry(p, s.at, FAIR_PROFILE_MOST) = INT32_MAX;
		fair_profile_mark_underestimate(
			p, &s, fair_profile_lane_bits(0, FAIR_PROFILE_LANES));
		fair_profile_top(p, FAIR_PROFILE_FLAGS)[s.pos] |=
			FAIR_PROFILE_TOP_STALE;
	} while (fair_profile_next(p, &s));
}

/* The leaves of position @from, or some, go to @to (C5). */
static void fair_profile_top_join(struct fair_profile *p, size_t to,
				  size_t from)
{
	int32_t *flags = fair_profile_top(p, FAIR_PROFILE_FLAGS);
	size_t l;

	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int32_t *top = fair_profile_top(p, l);

		if (top[to] < top[from])
			top[to] = top[from];
	}
	flags[to] |= flags[from] | FAIR_PROFILE_TOP_STALE;
	p->any_stale = true;
}

/*
 * The leaf at @to gets steps of its neighbour at @from: a run in them is no
 * longer than that one's entries say, if these are no underestimates (I8).
 */
static void fair_profile_index_join(struct fair_profile *p,
				    const struct fair_profile_spot *to,
				    const struct fair_profile_spot *from)
{
	size_t l;

	for (l = 0; l <= FAIR_PROFILE_MOST; l++) {
		int32_t *entry = fair_profile_entry(p, to->at, l);
		int32_t other = *fair_profile_entry(p, from->at, l);

		if (*entry < other)
			*entry = other;
	}
	*fair_profile_entry(p, to->at, FAIR_PROFILE_UNDERESTIMATE) |=
		*fair_profile_entry(p, from->at, FAIR_PROFILE_UNDERESTIMATE);
	fair_profile_mark_stale(p, to);
	if (to->pos != from->pos)
		fair_profile_top_join(p, to->pos, from->pos);
}

/*
 * In each lane the longest run within the first @n steps of @leaf, and the run
 * that is open at their end, 0 if none is. A loop of known length over local
 * arrays: compilers use vectors.
 */
static void fair_profile_runs(const int32_t *lane,
			      const struct fair_profile_leaf *leaf, size_t n,
			      int32_t *longest, int32_t *open)
{
	int32_t run[FAIR_PROFILE_LANES] = { 0 };
	int32_t most[FAIR_PROFILE_LANES] = { 0 };
	size_t k;
	int l;

	/* Invariant: run and most are those of the first k steps. */
	for (k = 0; k < n; k++) {
		int32_t length = leaf->off[k + 1] - leaf->off[k];
		int32_t f = leaf->free[k];

		for (l = 0; l < FAIR_PROFILE_LANES; l++) {
			run[l] = f < lane[l] ? 0 : run[l] + length;
			most[l] = run[l] > most[l] ? run[l] : most[l];
		}
	}
	FAIR_MEMCPY(longest, most, sizeof(most));
	FAIR_MEMCPY(open, run, sizeof(run));
}

/*
 * Follows the runs of the first @lanes lanes, open since @open[] seconds before
 * the step @s, the last of its leaf, to where they end.
 */
static void fair_profile_ends(const struct fair_profile *p,
			      struct fair_profile_spot s, size_t lanes,
			      const int32_t *open, int32_t *best)
{
	int64_t last = fair_profile_step_start(p, &s);
	int i;

	/* Invariant (C4): the runs of the lanes < lanes reach the leaf s. */
	for (i = 0; lanes && i < FAIR_PROFILE_REACH; i++) {
		const struct fair_profile_leaf *leaf;
		size_t at, k;

		if (!fair_profile_next(p, &s))
			break;
		at = s.at;
		leaf = p->leaf + p->id[at];
		for (k = 0; lanes && p->least[at] < p->lane[lanes - 1]; k++)
			while (lanes && leaf->free[k] < p->lane[lanes - 1]) {
				int64_t run = open[--lanes] + p->base[at] +
					      leaf->off[k] - last;

				run = run < INT32_MAX ? run : INT32_MAX;
				if (best[lanes] < run)
					best[lanes] = (int32_t)run;
			}
	}
	while (lanes)
		best[--lanes] = INT32_MAX;
}

/* The entries of the leaf at @s, as they ought to be. */
static void fair_profile_entries(const struct fair_profile *p,
				 const struct fair_profile_spot *s,
				 int32_t *best)
{
	struct fair_profile_spot last = *s;
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	int32_t open[FAIR_PROFILE_LANES];

	last.k = p->count[s->at] - 1u;
	fair_profile_runs(p->lane, leaf, last.k, best, open);
	fair_profile_ends(p, last, fair_profile_lanes(p, leaf->free[last.k]),
			  open, best);
}

/* Stores @best for the leaf at @s. Returns the lanes whose maximum is stale. */
static uint32_t fair_profile_store(struct fair_profile *p,
				   const struct fair_profile_spot *s,
				   const int32_t *best)
{
	int32_t least = INT32_MAX, most = 0;
	uint32_t stale = 0;
	size_t l;

	/* Invariant (C5): tops of lanes < l are no less than their entries. */
	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int32_t *entry = fair_profile_entry(p, s->at, l);
		int32_t *top = fair_profile_top(p, l) + s->pos;

		if (best[l] >= *top)
			*top = best[l];
		else if (*entry == *top)
			stale |= UINT32_C(1) << l;
		*entry = best[l];
	}
	fair_profile_scan(fair_profile_leaf_at(p, s), 0, p->count[s->at],
			  &least, &most);
	*fair_profile_entry(p, s->at, FAIR_PROFILE_MOST) = most;
	*fair_profile_entry(p, s->at, FAIR_PROFILE_UNDERESTIMATE) = 0;
	return stale;
}

/* Computes the maximum of a row anew. */
static void fair_profile_top_again(struct fair_profile *p, size_t pos,
				   size_t lane)
{
	size_t c = p->order[pos], i;
	const int32_t *row = fair_profile_row(p, c, lane);
	int32_t top = 0;

	for (i = 0; i < p->used[c]; i++)
		top = row[i] > top ? row[i] : top;
	fair_profile_top(p, lane)[pos] = top;
}

static void fair_profile_settle_chunk(struct fair_profile *p, size_t pos)
{
	int32_t *flags = fair_profile_top(p, FAIR_PROFILE_FLAGS) + pos;
	int32_t best[FAIR_PROFILE_LANES];
	struct fair_profile_spot s = { pos, 0, 0 };
	size_t c = p->order[pos], l;
	uint32_t again = *flags & FAIR_PROFILE_TOP_STALE ? UINT32_MAX : 0;
	uint64_t bits;

	/* Invariant: the leaves before the first of bits are not stale. */
	for (bits = p->stale[c]; bits; bits &= bits - 1) {
		s.at = c * 64 + (size_t)fair_profile_ctz(bits);
		fair_profile_entries(p, &s, best);
		again |= fair_profile_store(p, &s, best);
	}
	for (l = 0; l < FAIR_PROFILE_LANES; l++)
		if (again >> l & 1)
			fair_profile_top_again(p, pos, l);
	p->stale[c] = 0;
	*flags = 0;
}

FAIR_PROFILE_API int fair_profile_settle(struct fair_profile *p)
{
	const int32_t *flags = fair_profile_top(p, FAIR_PROFILE_FLAGS);
	size_t pos;

	if (!p->any_stale || fair_profile_is_flat(p))
		return 0;
	for (pos = 0; pos < p->chunks; pos++)
		if (p->stale[p->order[pos]] || flags[pos])
			fair_profile_settle_chunk(p, pos);
	p->any_stale = false;
	return 0;
}

/* The leaf to search next, and those of its chunk that may hold a start. */
struct fair_profile_walk {
	struct fair_profile_spot s;
	uint64_t bits; /* a bit a leaf */
	size_t lane;
	int32_t need; /* an entry greater than this may be long enough */
};

/* Which leaves of the chunk, from @w->s on, may hold a start? (C1) */
static uint64_t fair_profile_candidates(const struct fair_profile *p,
					const struct fair_profile_walk *w,
					const struct fair_profile_query *q)
{
	size_t c = w->s.at / 64, n = p->used[c];
	uint64_t bits =
		fair_profile_gt(fair_profile_row(p, c, w->lane), n, w->need);

	if (fair_profile_top(p, FAIR_PROFILE_FLAGS)[w->s.pos] &
	    FAIR_PROFILE_TOP_UNDERESTIMATE)
		bits |= fair_profile_has(
			fair_profile_row(p, c, FAIR_PROFILE_UNDERESTIMATE), n,
			w->lane);
	bits &= fair_profile_gt(fair_profile_row(p, c, FAIR_PROFILE_MOST), n,
				q->procs - 1);
	return bits & ~fair_profile_below(w->s.at % 64);
}

/* Goes to the next chunk with a leaf to search; false if there is none. */
static bool fair_profile_walk_on(const struct fair_profile *p,
				 struct fair_profile_walk *w,
				 const struct fair_profile_query *q)
{
	const int32_t *top = fair_profile_top(p, w->lane);
	const int32_t *flags = fair_profile_top(p, FAIR_PROFILE_FLAGS);
	size_t from;

	/* Invariant (C1, C5): chunks before from have no leaf to search. */
	for (from = w->s.pos + 1; from < p->chunks; from += 16) {
		uint64_t bits =
			fair_profile_gt16(top + from, w->need) |
			fair_profile_gt16(flags + from, FAIR_PROFILE_TOP_STALE);

		for (bits &= fair_profile_below(p->chunks - from); bits;
		     bits &= bits - 1) {
			w->s.pos = from + (size_t)fair_profile_ctz(bits);
			w->s.at = p->order[w->s.pos] * (size_t)64;
			w->bits = fair_profile_candidates(p, w, q);
			if (w->bits)
				return true;
		}
	}
	return false;
}

/*
 * Are procs, free from @t to the end of the leaf at @w->s, free for walltime?
 * If not, the walk goes on in the leaf where they end: no start is before that.
 */
static bool fair_profile_follow(const struct fair_profile *p,
				struct fair_profile_walk *w,
				const struct fair_profile_query *q, int64_t t)
{
	size_t pos = w->s.pos, at;

	/* Invariant: procs are free from t to the end of the leaf w->s. */
	while (fair_profile_next(p, &w->s)) {
		const struct fair_profile_leaf *leaf;
		uint64_t less;

		at = w->s.at;
		if (p->base[at] - t >= q->walltime)
			return true;
		if (p->least[at] >= q->procs)
			continue;
		leaf = p->leaf + p->id[at];
		less = ~fair_profile_gt64(leaf->free, q->procs - 1);
		if (p->base[at] + leaf->off[fair_profile_ctz(less)] - t >=
		    q->walltime)
			return true;
		w->bits = w->s.pos == pos
				  ? w->bits & ~fair_profile_below(at % 64)
				  : fair_profile_candidates(p, w, q);
		return false;
	}
	return true;
}

/* The first start, or before if there is none. current is INT64_MAX. */
static int64_t fair_profile_index_search(const struct fair_profile *p,
					 const struct fair_profile_query *q)
{
	struct fair_profile_walk w;

	w.s = fair_profile_find_leaf(p, q->from);
	w.lane = fair_profile_lanes(p, q->procs) - 1;
	w.need = (int32_t)(q->walltime < INT32_MAX ? q->walltime : INT32_MAX) -
		 1;
	w.bits = fair_profile_candidates(p, &w, q);
	/* Invariant (C1): leaves before the first of w.bits hold no start. */
	while (w.bits || fair_profile_walk_on(p, &w, q)) {
		int64_t begin = INT64_MAX;

		w.s.at = w.s.at / 64 * 64 + (size_t)fair_profile_ctz(w.bits);
		w.bits &= w.bits - 1;
		if (p->base[w.s.at] >= q->before)
			break;
		if (fair_profile_windows(p, &w.s, q, &begin) ||
		    (begin != INT64_MAX &&
		     fair_profile_follow(p, &w, q, begin)))
			return begin < q->before ? begin : q->before;
	}
	return q->before;
}

/*
 * >>chunks
 */

/* Moves @n columns of @chunk from the place @from to @to, in all arrays. */
static void fair_profile_columns(struct fair_profile *p, size_t chunk,
				 size_t from, size_t to, size_t n)
{
	size_t a = chunk * 64 + from, b = chunk * 64 + to, l;

	for (l = 0; l < FAIR_PROFILE_ROWS; l++) {
		int32_t *row = fair_profile_row(p, chunk, l);

		FAIR_MEMMOVE(row + to, row + from, n * sizeof(row[0]));
	}
	FAIR_MEMMOVE(p->base + b, p->base + a, n * sizeof(p->base[0]));
	FAIR_MEMMOVE(p->id + b, p->id + a, n * sizeof(p->id[0]));
	FAIR_MEMMOVE(p->least + b, p->least + a, n * sizeof(p->least[0]));
	FAIR_MEMMOVE(p->count + b, p->count + a, n * sizeof(p->count[0]));
}

/* Makes room for @n leaves at the place @at of @chunk. */
static void fair_profile_open(struct fair_profile *p, size_t chunk, size_t at,
			      size_t n)
{
	uint64_t below = fair_profile_below(at), bits = p->stale[chunk];

	fair_profile_columns(p, chunk, at, at + n, p->used[chunk] - at);
	p->used[chunk] = (uint16_t)(p->used[chunk] + n);
	p->stale[chunk] = (bits & below) | (bits & ~below) << n;
}

/* Takes @n < 64 leaves, from the place @at on, out of @chunk. */
static void fair_profile_close(struct fair_profile *p, size_t chunk, size_t at,
			       size_t n)
{
	uint64_t below = fair_profile_below(at), bits = p->stale[chunk];
	size_t left = p->used[chunk] - n, i;

	fair_profile_columns(p, chunk, at + n, at, left - at);
	p->used[chunk] = (uint16_t)left;
	for (i = 0; i < n; i++)
		p->base[chunk * 64 + left + i] = INT64_MAX;
	p->stale[chunk] = (bits & below) | (bits >> n & ~below);
}

/* Copies a column: the leaf @from of @q to @to of @p, which may be @q. */
static void fair_profile_column_copy(struct fair_profile *p, size_t to,
				     const struct fair_profile *q, size_t from)
{
	uint64_t stale = q->stale[from / 64] >> from % 64 & 1;
	size_t l;

	for (l = 0; l < FAIR_PROFILE_ROWS; l++)
		*fair_profile_entry(p, to, l) = *fair_profile_entry(q, from, l);
	p->stale[to / 64] &= ~(UINT64_C(1) << to % 64);
	p->stale[to / 64] |= stale << to % 64;
	p->base[to] = q->base[from];
	p->id[to] = q->id[from];
	p->least[to] = q->least[from];
	p->count[to] = q->count[from];
}

/* Moves @n positions from @from on to @to. */
static void fair_profile_positions(struct fair_profile *p, size_t from,
				   size_t to, size_t n)
{
	size_t l;

	FAIR_MEMMOVE(p->order + to, p->order + from, n * sizeof(p->order[0]));
	FAIR_MEMMOVE(p->first + to, p->first + from, n * sizeof(p->first[0]));
	for (l = 0; l <= FAIR_PROFILE_FLAGS; l++) {
		int32_t *top = fair_profile_top(p, l);

		FAIR_MEMMOVE(top + to, top + from, n * sizeof(top[0]));
	}
}

/* Opens an empty chunk at @pos. */
static void fair_profile_position_open(struct fair_profile *p, size_t pos)
{
	uint32_t c = p->chunks < p->chunks_fresh ? p->order[p->chunks]
						 : p->chunks_fresh++;
	size_t l;

	/* make_room() asks first; a clone fills chunks: by I7 they suffice. */
	FAIR_ASSERT(p->chunks < p->chunks_max);
	fair_profile_positions(p, pos, pos + 1, p->chunks - pos);
	for (l = 0; l <= FAIR_PROFILE_FLAGS; l++)
		fair_profile_top(p, l)[pos] = 0;
	p->chunks++;
	p->order[pos] = c;
	p->used[c] = 0;
	p->stale[c] = 0;
	for (l = 0; l < 64; l++)
		p->base[c * (size_t)64 + l] = INT64_MAX;
	FAIR_MEMSET(fair_profile_row(p, c, 0), 0,
		    FAIR_PROFILE_ROWS * p->stride * sizeof(p->row[0]));
}

static void fair_profile_position_close(struct fair_profile *p, size_t pos)
{
	uint32_t c = p->order[pos];
	size_t last = --p->chunks, l;

	fair_profile_positions(p, pos + 1, pos, last - pos);
	for (l = 0; l <= FAIR_PROFILE_FLAGS; l++)
		fair_profile_top(p, l)[last] = 0;
	p->order[last] = c;
	p->first[last] = INT64_MAX;
}

/* Moves @n leaves from the end of position @pos to the start of the next. */
static void fair_profile_shift_later(struct fair_profile *p, size_t pos,
				     size_t n)
{
	size_t a = p->order[pos], b = p->order[pos + 1], i;
	size_t left = p->used[a] - n;

	fair_profile_open(p, b, 0, n);
	for (i = 0; i < n; i++)
		fair_profile_column_copy(p, b * 64 + i, p, a * 64 + left + i);
	fair_profile_close(p, a, left, n);
	p->first[pos + 1] = p->base[b * 64];
	fair_profile_top_join(p, pos + 1, pos);
	fair_profile_top_join(p, pos, pos);
}

/* Moves one leaf from the start of position @pos + 1 to the end of @pos. */
static void fair_profile_shift_earlier(struct fair_profile *p, size_t pos)
{
	size_t a = p->order[pos], b = p->order[pos + 1];

	fair_profile_column_copy(p, a * 64 + p->used[a], p, b * 64);
	p->used[a]++;
	fair_profile_close(p, b, 0, 1);
	p->first[pos + 1] = p->base[b * 64];
	fair_profile_top_join(p, pos, pos + 1);
	fair_profile_top_join(p, pos + 1, pos + 1);
}

/*
 * Makes room in the full chunk at @pos. Opens another chunk, or, if there is
 * none, moves one leaf at a time towards the nearest chunk that is not full:
 * there is one, since there are more columns than leaves.
 */
static void fair_profile_make_room(struct fair_profile *p, size_t pos)
{
	size_t n = p->used[p->order[pos]], d, i;

	if (p->chunks < p->chunks_max) {
		/* Most leaves are appended: leave the last chunk full. */
		bool last = pos + 1 == p->chunks;

		fair_profile_position_open(p, pos + 1);
		fair_profile_shift_later(p, pos, last ? (n + 7) / 8 : n / 2);
		return;
	}
	for (d = 1;; d++) {
		if (pos + d < p->chunks &&
		    p->used[p->order[pos + d]] < p->width) {
			for (i = pos + d; i > pos; i--)
				fair_profile_shift_later(p, i - 1, 1);
			return;
		}
		if (pos >= d && p->used[p->order[pos - d]] < p->width) {
			for (i = pos - d; i < pos; i++)
				fair_profile_shift_earlier(p, i);
			return;
		}
		/* All have been asked by then, and one is not full. */
		FAIR_ASSERT(d < p->chunks);
	}
}

/*
 * >>leaves
 */

/*
 * Finds the leaf that holds @t, *@s, and opens a column after it, *@n, with a
 * copy of its own.
 */
static void fair_profile_column_new(struct fair_profile *p, int64_t t,
				    struct fair_profile_spot *s,
				    struct fair_profile_spot *n)
{
	for (;;) {
		size_t c;

		*s = *n = fair_profile_find_leaf(p, t);
		c = s->at / 64;
		n->at++;
		if (p->used[c] < p->width)
			break;
		/* The end of a full chunk is the beginning of the next. */
		if (n->at - c * 64 == p->width && n->pos + 1 < p->chunks) {
			c = p->order[++n->pos];
			n->at = c * 64;
			if (p->used[c] < p->width)
				break;
		}
		fair_profile_make_room(p, s->pos);
	}
	fair_profile_open(p, n->at / 64, n->at % 64, 1);
	fair_profile_column_copy(p, n->at, p, s->at);
	if (n->pos != s->pos)
		fair_profile_top_join(p, n->pos, s->pos);
}

/*
 * Moves the steps of the leaf at @at, from the place @keep on, to the new leaf
 * at @to; if there are none, a new step at @t goes there.
 */
static void fair_profile_split_steps(struct fair_profile *p, size_t at,
				     size_t to, size_t keep, int64_t t,
				     int32_t procs)
{
	struct fair_profile_leaf *a = p->leaf + p->id[at];
	struct fair_profile_leaf *b = p->leaf + p->id[to];
	size_t n = p->count[at] - keep;

	if (n) {
		fair_profile_leaf_copy(b, 0, a, keep, n, -a->off[keep]);
		p->base[to] = p->base[at] + a->off[keep];
		fair_profile_leaf_remove(a, keep + n, keep, n);
	} else {
		n = 1;
		b->off[0] = 0;
		b->free[0] = procs;
		p->base[to] = t;
		p->steps++;
	}
	p->count[at] = (uint16_t)keep;
	p->count[to] = (uint16_t)n;
}

/*
 * Splits the leaf that holds @t after its first @keep steps. If it has no more,
 * a new step at @t becomes the new leaf.
 */
static void fair_profile_split(struct fair_profile *p, int64_t t, size_t keep,
			       int32_t procs)
{
	struct fair_profile_spot s, next;

	fair_profile_column_new(p, t, &s, &next);
	p->id[next.at] = fair_profile_leaf_take(p);
	fair_profile_split_steps(p, s.at, next.at, keep, t, procs);
	if (next.at % 64 == 0)
		p->first[next.pos] = p->base[next.at];
	if (p->leaves == FAIR_PROFILE_FLAT + 1) {
		fair_profile_index_begin(p);
		return;
	}
	fair_profile_index_least(p, s.at);
	fair_profile_index_least(p, next.at);
	fair_profile_mark_stale(p, &s);
	fair_profile_mark_stale(p, &next);
	fair_profile_index_pushed(p, &s, p->count[s.at]);
	fair_profile_index_pushed(p, &next, p->count[next.at]);
}

/* Removes the leaf at @s, whose steps have been removed or moved. */
static void fair_profile_leaf_drop(struct fair_profile *p,
				   const struct fair_profile_spot *s)
{
	size_t c = s->at / 64;

	fair_profile_leaf_give(p, p->id[s->at]);
	fair_profile_close(p, c, s->at % 64, 1);
	if (!p->used[c]) {
		fair_profile_position_close(p, s->pos);
		return;
	}
	p->first[s->pos] = p->base[c * 64];
	fair_profile_top_join(p, s->pos, s->pos);
}

/* Appends the steps of the leaf at @b to those of @a, the one before it. */
static void fair_profile_merge(struct fair_profile *p,
			       const struct fair_profile_spot *a,
			       const struct fair_profile_spot *b)
{
	size_t to = a->at, from = b->at;

	fair_profile_leaf_copy(fair_profile_leaf_at(p, a), p->count[to],
			       fair_profile_leaf_at(p, b), 0, p->count[from],
			       (int32_t)(p->base[from] - p->base[to]));
	p->count[to] = (uint16_t)(p->count[to] + p->count[from]);
	if (p->least[to] > p->least[from])
		p->least[to] = p->least[from];
	fair_profile_index_join(p, a, b);
	fair_profile_leaf_drop(p, b);
}

/* Can one leaf span the times of @a and of @b, the next one? */
static bool fair_profile_can_span(const struct fair_profile *p,
				  const struct fair_profile_spot *a,
				  const struct fair_profile_spot *b)
{
	size_t x = a->at, y = b->at;

	return p->base[y] - p->base[x] +
		       p->leaf[p->id[y]].off[p->count[y] - 1] <=
	       FAIR_PROFILE_SPAN;
}

/* Do the steps of @a and @b, the next one, fit into one leaf? */
static bool fair_profile_can_merge(const struct fair_profile *p,
				   const struct fair_profile_spot *a,
				   const struct fair_profile_spot *b)
{
	return p->count[a->at] + p->count[b->at] <= FAIR_PROFILE_LEAF_MERGE &&
	       fair_profile_can_span(p, a, b);
}

/* Merges the leaf that holds @t with its neighbours where that is possible. */
static void fair_profile_merge_neighbours(struct fair_profile *p, int64_t t)
{
	struct fair_profile_spot s = fair_profile_find(p, t), other = s;

	if (fair_profile_prev(p, &other) &&
	    fair_profile_can_merge(p, &other, &s)) {
		fair_profile_merge(p, &other, &s);
		s = fair_profile_find(p, t);
	}
	other = s;
	if (fair_profile_next(p, &other) &&
	    fair_profile_can_merge(p, &s, &other))
		fair_profile_merge(p, &s, &other);
}

/* Drops the first @n < count steps of the leaf at @s, which begins at @base. */
static void fair_profile_leaf_shorten(struct fair_profile *p,
				      const struct fair_profile_spot *s,
				      size_t n, int64_t base)
{
	size_t at = s->at, i;
	struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	int32_t x = (int32_t)(base - p->base[at]);

	if (n)
		fair_profile_leaf_remove(leaf, p->count[at], 0, n);
	p->count[at] = (uint16_t)(p->count[at] - n);
	p->steps -= n;
	leaf->off[0] = 0;
	for (i = 1; i < p->count[at]; i++) /* those are > x */
		leaf->off[i] -= x;
	p->base[at] = base;
	if (s->at % 64 == 0)
		p->first[s->pos] = base;
	fair_profile_index_least(p, at);
}

/* Inserts a step at @t after @s, into the same leaf, which has room. */
FAIR_PROFILE_HOT void
fair_profile_insert_fast(struct fair_profile *p,
			 const struct fair_profile_spot *s, int64_t t,
			 int32_t procs)
{
	size_t at = s->at, k = s->k + 1;
	struct fair_profile_leaf *leaf = p->leaf + p->id[at];

	fair_profile_leaf_move(leaf, k, k + 1, p->count[at] - k);
	leaf->off[k] = (int32_t)(t - p->base[at]);
	leaf->free[k] = procs;
	p->count[at]++;
	p->steps++;
	if (p->least[at] > procs)
		p->least[at] = procs;
}

/* Inserts a step at @t after @s, where the leaf has no room. */
static void fair_profile_insert_slow(struct fair_profile *p,
				     struct fair_profile_spot s, int64_t t,
				     int32_t procs)
{
	size_t at = s.at, n = p->count[at], keep = n / 2;
	bool last = fair_profile_leaf_end(p, &s) == FAIR_FOREVER;
	int64_t base = p->base[at], later;

	/* The last leaf grows most often: leave a nearly full one behind. */
	if (last)
		keep = n - n / 8 - 1;
	if (t - base > FAIR_PROFILE_SPAN || (last && s.k + 1 == n)) {
		fair_profile_split(p, t, n, procs);
		fair_profile_merge_neighbours(p, t);
		return;
	}
	later = base + p->leaf[p->id[at]].off[keep];
	fair_profile_split(p, t, keep, 0);
	s = fair_profile_find(p, t);
	fair_profile_insert_fast(p, &s, t, procs);
	/* The marks so far regard the step before, whose free may be less. */
	if (!fair_profile_is_flat(p))
		fair_profile_mark_underestimate(
			p, &s,
			fair_profile_lane_bits(0,
					       fair_profile_lanes(p, procs)));
	fair_profile_merge_neighbours(p, base);
	fair_profile_merge_neighbours(p, later);
}

/* Inserts a step at @t after @s. Returns whether spots have moved. */
FAIR_PROFILE_HOT bool fair_profile_insert(struct fair_profile *p,
					  const struct fair_profile_spot *s,
					  int64_t t, int32_t procs)
{
	size_t at = s->at;

	if (p->count[at] < FAIR_PROFILE_LEAF_MAX &&
	    t - p->base[at] <= FAIR_PROFILE_SPAN) {
		fair_profile_insert_fast(p, s, t, procs);
		return false;
	}
	fair_profile_insert_slow(p, *s, t, procs);
	return true;
}

/* Can the leaf at @s be merged with a neighbour? */
static bool fair_profile_can_merge_neighbour(const struct fair_profile *p,
					     const struct fair_profile_spot *s)
{
	struct fair_profile_spot o = *s;

	if (fair_profile_next(p, &o) && fair_profile_can_merge(p, s, &o))
		return true;
	o = *s;
	return fair_profile_prev(p, &o) && fair_profile_can_merge(p, &o, s);
}

/* Removes the step at @s. Returns whether spots have moved. */
static bool fair_profile_remove(struct fair_profile *p,
				const struct fair_profile_spot *s)
{
	size_t at = s->at, n = p->count[at];
	struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	int64_t t = p->base[at];

	if (n == 1) {
		p->steps--;
		fair_profile_leaf_drop(p, s);
		return true;
	}
	if (s->k) {
		fair_profile_leaf_remove(leaf, n, s->k, 1);
		p->count[at]--;
		p->steps--;
	} else {
		t += leaf->off[1];
		fair_profile_leaf_shorten(p, s, 1, t);
	}
	if (!fair_profile_can_merge_neighbour(p, s))
		return false;
	fair_profile_merge_neighbours(p, t);
	return true;
}

/*
 * >>wide
 */

/* A change, as it is decided before anything is written. */
struct fair_profile_change {
	int64_t start, end;
	int32_t delta;
	struct fair_profile_spot a, b; /* steps: of start, of end - 1 */
	bool cut_a, cut_b;	       /* a step is to begin there */
	bool join_a, join_b; /* the step there equals the one before then */
	int32_t low, high;   /* of free before; high may be an upper bound */
	int32_t at_a, at_b;  /* free from start and end on, after */
};

/* Sets @c->b, low and high; @exact: high is no mere upper bound. */
FAIR_PROFILE_HOT void fair_profile_measure(const struct fair_profile *p,
					   struct fair_profile_change *c,
					   bool exact)
{
	struct fair_profile_spot b = c->a;
	size_t i = b.k, at, n;

	c->low = INT32_MAX;
	c->high = 0;
	while (fair_profile_leaf_end(p, &b) < c->end) {
		at = b.at;
		n = p->count[at];
		if (i || exact || fair_profile_is_flat(p)) {
			fair_profile_scan(p->leaf + p->id[at], i, n, &c->low,
					  &c->high);
		} else {
			int32_t most =
				*fair_profile_entry(p, b.at, FAIR_PROFILE_MOST);

			if (p->least[at] < c->low)
				c->low = p->least[at];
			if (most > c->high)
				c->high = most;
		}
		fair_profile_next(p, &b);
		i = 0;
	}
	at = b.at;
	b.k = c->end == FAIR_FOREVER
		      ? p->count[at] - 1u
		      : fair_profile_step_of(p->leaf + p->id[at],
					     c->end - 1 - p->base[at]);
	fair_profile_scan(p->leaf + p->id[at], i, b.k + 1, &c->low, &c->high);
	c->b = b;
}

/* Does free stay within [0, @limit]? */
static bool fair_profile_is_in_range(const struct fair_profile *p,
				     struct fair_profile_change *c,
				     int32_t limit)
{
	fair_profile_measure(p, c, false);
	if ((int64_t)c->high + c->delta > limit)
		fair_profile_measure(p, c, true);
	return (int64_t)c->low + c->delta >= 0 &&
	       (int64_t)c->high + c->delta <= limit;
}

/* Which steps are to begin or to go? Returns how many more there will be. */
static int fair_profile_cuts_and_joins(const struct fair_profile *p,
				       struct fair_profile_change *c)
{
	struct fair_profile_spot s = c->a;

	c->at_a = fair_profile_at(p, &c->a) + c->delta;
	c->at_b = fair_profile_at(p, &c->b);
	c->cut_a = fair_profile_step_start(p, &s) != c->start;
	c->join_a = !c->cut_a && fair_profile_before(p, &s) &&
		    fair_profile_at(p, &s) == c->at_a;
	s = c->b;
	c->cut_b = fair_profile_step_end(p, &s) != c->end;
	c->join_b = !c->cut_b && fair_profile_after(p, &s) &&
		    fair_profile_at(p, &s) == c->at_b + c->delta;
	return c->cut_a + c->cut_b - c->join_a - c->join_b;
}

/* Adds @delta to the steps [@i, @j) of the leaf at @s. */
static void fair_profile_add_steps(struct fair_profile *p,
				   const struct fair_profile_spot *s, size_t i,
				   size_t j, int32_t delta)
{
	fair_profile_leaf_add(fair_profile_leaf_at(p, s), i, j, delta);
	if (fair_profile_is_flat(p))
		return;
	if (i || j < p->count[s->at])
		fair_profile_index_least(p, s->at);
	else
		p->least[s->at] += delta;
}

/* Makes the change; leaves may come or go at its ends. */
static void fair_profile_commit(struct fair_profile *p,
				struct fair_profile_change *c)
{
	struct fair_profile_spot s = c->a;
	size_t i = s.k + c->cut_a;
	bool moved = false;

	for (; s.at != c->b.at; i = 0) {
		fair_profile_add_steps(p, &s, i, p->count[s.at], c->delta);
		fair_profile_next(p, &s);
	}
	fair_profile_add_steps(p, &s, i, c->b.k + 1, c->delta);
	s = c->b;
	if (c->cut_b) {
		moved = fair_profile_insert(p, &s, c->end, c->at_b);
	} else if (c->join_b) {
		fair_profile_after(p, &s);
		moved = fair_profile_remove(p, &s);
	}
	if (moved)
		c->a = fair_profile_find(p, c->start);
	if (c->cut_a)
		fair_profile_insert(p, &c->a, c->start, c->at_a);
	else if (c->join_a)
		fair_profile_remove(p, &c->a);
}

/* Adds @delta over [@start, @end), whatever leaves that concerns. */
static int fair_profile_add_wide(struct fair_profile *p, int64_t start,
				 int64_t end, int32_t delta, int32_t limit,
				 int32_t *most)
{
	struct fair_profile_change c;
	bool rise = delta > 0;
	int more;

	c.start = start;
	c.end = end;
	c.delta = delta;
	c.a = fair_profile_find(p, start);
	if (!fair_profile_is_in_range(p, &c, limit))
		return -FAIR_ERANGE;
	more = fair_profile_cuts_and_joins(p, &c);
	if (more > 0 && (size_t)more > p->cap - p->steps)
		return -FAIR_ENOSPC;
	fair_profile_index_change(p, &c.a, c.a.k + c.cut_a, c.b.at,
				  c.low + (rise ? 0 : delta),
				  c.high + (rise ? delta : 0), rise);
	*most = c.high + delta;
	fair_profile_commit(p, &c);
	return 0;
}

/*
 * >>inside
 *
 * The most frequent change is within one leaf, which stays one: start and end
 * are not its edges.
 *
 *	          i        j
 *	before  | x  x  x | y  y ...	x: steps that begin in [start, end)
 *	after   a  X  X  X  b  y ...	a, b: steps that are to begin at start
 *					and end, if there are none
 *
 * Where none is to begin at start, the first X may equal the step before it:
 * it goes. So may the first y at end.
 */
struct fair_profile_edit {
	int32_t from, to, delta; /* offsets of start and end */
	bool cut_a, cut_b;	 /* is a step to begin there? */
	size_t i, j;		 /* places of the first x and y before, */
	size_t x, y;		 /* of the first that stays, */
	size_t to_x, to_b, to_y; /* and where they go; b too */
	int32_t at_a, at_b;	 /* free from start and end on, after */
	int32_t low, high;	 /* of free in [start, end) before */
};

/* Do start and end lie within the leaf at @s, and not at its edges? */
FAIR_PROFILE_HOT bool fair_profile_is_inside(const struct fair_profile *p,
					     const struct fair_profile_spot *s,
					     int64_t start, int64_t end)
{
	int64_t base = p->base[s->at];

	return (start != base || start == p->origin) &&
	       end < fair_profile_leaf_end(p, s) &&
	       end - base <= FAIR_PROFILE_SPAN;
}

/* Which steps does the change concern? */
FAIR_PROFILE_HOT void
fair_profile_edit_find(const struct fair_profile_leaf *leaf,
		       struct fair_profile_edit *e)
{
	size_t a = fair_profile_step_of(leaf, e->from);
	size_t b = fair_profile_step_of(leaf, e->to);

	e->cut_a = leaf->off[a] != e->from;
	e->cut_b = leaf->off[b] != e->to;
	e->i = a + e->cut_a;
	e->j = b + e->cut_b;
	e->low = INT32_MAX;
	e->high = 0;
	fair_profile_scan(leaf, a, e->j, &e->low, &e->high);
}

/* Which of them go, and where are the others then? Free is in range. */
FAIR_PROFILE_HOT void
fair_profile_edit_place(const struct fair_profile_leaf *leaf,
			struct fair_profile_edit *e)
{
	bool join_a, join_b;

	e->at_a = leaf->free[e->i - e->cut_a] + e->delta;
	e->at_b = leaf->free[e->j - 1];
	join_a = !e->cut_a && e->i && leaf->free[e->i - 1] == e->at_a;
	join_b = !e->cut_b && leaf->free[e->j] == e->at_b + e->delta;
	e->x = e->i + join_a;
	e->y = e->j + join_b;
	e->to_x = e->i + e->cut_a;
	e->to_b = e->to_x + e->j - e->x;
	e->to_y = e->to_b + e->cut_b;
}

/* Changes the @n steps of @leaf; one memmove for each range avoids a stall. */
FAIR_PROFILE_HOT void fair_profile_edit_leaf(struct fair_profile_leaf *leaf,
					     size_t n,
					     const struct fair_profile_edit *e)
{
	if (e->to_y > e->y)
		fair_profile_leaf_move(leaf, e->y, e->to_y, n - e->y);
	fair_profile_leaf_move(leaf, e->x, e->to_x, e->j - e->x);
	if (e->to_y < e->y)
		fair_profile_leaf_move(leaf, e->y, e->to_y, n - e->y);
	fair_profile_leaf_add(leaf, e->to_x, e->to_b, e->delta);
	if (e->cut_a) {
		leaf->off[e->i] = e->from;
		leaf->free[e->i] = e->at_a;
	}
	if (e->cut_b) {
		leaf->off[e->to_b] = e->to;
		leaf->free[e->to_b] = e->at_b;
	}
	fair_profile_leaf_clear(leaf, n + e->to_y - e->y, n);
}

/* The least of the leaf at @s after the change. */
FAIR_PROFILE_HOT void fair_profile_edit_least(struct fair_profile *p,
					      const struct fair_profile_spot *s,
					      const struct fair_profile_edit *e)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	int32_t *least = &p->least[s->at];

	if (e->delta < 0 && e->low + e->delta < *least)
		*least = e->low + e->delta;
	/* It may have risen, if no other step is as low. */
	if (e->delta > 0 && e->low == *least && !fair_profile_is_flat(p) &&
	    !(~fair_profile_gt64(leaf->free, e->low) &
	      fair_profile_below(p->count[s->at])))
		*least = fair_profile_leaf_least(leaf);
}

/* Adds @delta over [@start, @end): 0, an error, or 1 if it is not that case. */
FAIR_PROFILE_HOT int fair_profile_add_inside(struct fair_profile *p,
					     const struct fair_profile_spot *s,
					     int64_t start, int64_t end,
					     int32_t delta, int32_t limit,
					     int32_t *most)
{
	struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	size_t at = s->at, n = p->count[at];
	struct fair_profile_edit e;
	bool rise = delta > 0;

	if (!fair_profile_is_inside(p, s, start, end))
		return 1;
	e.from = (int32_t)(start - p->base[at]);
	e.to = (int32_t)(end - p->base[at]);
	e.delta = delta;
	fair_profile_edit_find(leaf, &e);
	if ((int64_t)e.low + delta < 0 || (int64_t)e.high + delta > limit)
		return -FAIR_ERANGE;
	fair_profile_edit_place(leaf, &e);
	if (n + e.to_y - e.y > FAIR_PROFILE_LEAF_MAX)
		return 1;
	if (e.to_y > e.y && e.to_y - e.y > p->cap - p->steps)
		return -FAIR_ENOSPC;
	fair_profile_index_change(p, s, e.i, at, e.low + (rise ? 0 : delta),
				  e.high + (rise ? delta : 0), rise);
	*most = e.high + delta;
	fair_profile_edit_leaf(leaf, n, &e);
	p->steps += e.to_y - e.y;
	p->count[at] = (uint16_t)(n + e.to_y - e.y);
	fair_profile_edit_least(p, s, &e);
	if (e.to_y < e.y && fair_profile_can_merge_neighbour(p, s))
		fair_profile_merge_neighbours(p, start);
	return 0;
}

/* Adds @delta over [@start, @end). *@most: no more is free there then. */
static int fair_profile_add(struct fair_profile *p, int64_t start, int64_t end,
			    int32_t delta, int32_t limit, int32_t *most)
{
	struct fair_profile_spot s = fair_profile_find_leaf(p, start);
	int err;

	if (!delta)
		return 0;
	err = fair_profile_add_inside(p, &s, start, end, delta, limit, most);
	return err <= 0 ? err
			: fair_profile_add_wide(p, start, end, delta, limit,
						most);
}

/*
 * >>begin
 */

/*
 * Thresholds from 1 up to @procs, each 1/64, 2/64, ... above the one before,
 * at least by 1; the finest such row after whose last the next exceeds 3/4 of
 * @procs.
 */
static void fair_profile_thresholds(struct fair_profile *p, int32_t procs)
{
	int64_t q, more;
	size_t l;

	for (more = 1;; more++) {
		for (l = 0, q = 1; l < FAIR_PROFILE_LANES; l++) {
			p->lane[l] = (int32_t)(q <= procs ? q : INT32_MAX);
			q += q * more / 64 > 1 ? q * more / 64 : 1;
		}
		if (q > procs - procs / 4)
			break;
	}
	for (; l < 32; l++)
		p->lane[l] = INT32_MAX;
}

FAIR_PROFILE_API int fair_profile_init(struct fair_profile *p,
				       size_t struct_size, void *memory,
				       size_t bytes, int32_t procs,
				       int64_t origin)
{
	struct fair_profile x;
	struct fair_profile_leaf *leaf;

	if (struct_size != sizeof(*p) || procs < 1 || !memory)
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	if (fair_profile_prepare(&x, memory, bytes, origin))
		return -FAIR_ENOMEM;
	x.limit = procs;
	fair_profile_thresholds(&x, procs);
	fair_profile_position_open(&x, 0);
	x.used[0] = 1;
	x.first[0] = x.base[0] = origin;
	x.id[0] = fair_profile_leaf_take(&x);
	x.count[0] = 1;
	x.steps = 1;
	leaf = x.leaf + x.id[0];
	leaf->off[0] = 0;
	leaf->free[0] = procs;
	fair_profile_index_begin(&x);
	*p = x;
	return 0;
}

/* Appends a copy of the leaf of @q at @s to @p. */
static void fair_profile_append_copy(struct fair_profile *p,
				     const struct fair_profile *q,
				     const struct fair_profile_spot *s)
{
	size_t pos = (size_t)p->chunks - 1, at, l;

	if (!p->chunks || p->used[p->order[pos]] == p->width) {
		fair_profile_position_open(p, ++pos);
		p->first[pos] = q->base[s->at];
	}
	at = p->order[pos] * (size_t)64;
	at += p->used[p->order[pos]]++;
	fair_profile_column_copy(p, at, q, s->at);
	p->id[at] = fair_profile_leaf_take(p);
	p->leaf[p->id[at]] = *fair_profile_leaf_at(q, s);
	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int32_t entry = *fair_profile_entry(p, at, l);
		int32_t *top = fair_profile_top(p, l) + pos;

		*top = entry > *top ? entry : *top;
	}
	fair_profile_top(p, FAIR_PROFILE_FLAGS)[pos] |=
		fair_profile_top(q, FAIR_PROFILE_FLAGS)[s->pos];
}

FAIR_PROFILE_API int fair_profile_clone(struct fair_profile *copy, void *memory,
					size_t bytes,
					const struct fair_profile *p)
{
	struct fair_profile_spot s = { 0, p->order[0] * (size_t)64, 0 };
	struct fair_profile_spot last = fair_profile_last_leaf(p);
	struct fair_profile x;

	if (!memory)
		return -FAIR_EINVAL;
	if (fair_profile_prepare(&x, memory, bytes, p->origin) ||
	    p->steps > x.cap || fair_profile_step_start(p, &last) > x.horizon)
		return -FAIR_ENOMEM;
	x.limit = p->limit;
	FAIR_MEMCPY(x.lane, p->lane, sizeof(x.lane));
	do
		fair_profile_append_copy(&x, p, &s);
	while (fair_profile_next(p, &s));
	x.steps = p->steps;
	x.any_stale = p->any_stale;
	*copy = x;
	return 0;
}

/* Gives back the leaf at @s and its steps; its column stays. */
static void fair_profile_leaf_forget(struct fair_profile *p,
				     const struct fair_profile_spot *s)
{
	size_t at = s->at;

	p->steps -= p->count[at];
	fair_profile_leaf_give(p, p->id[at]);
}

FAIR_PROFILE_API int fair_profile_advance(struct fair_profile *p,
					  int64_t origin)
{
	struct fair_profile_spot to, s = { 0, 0, 0 };
	size_t n;

	if (origin < p->origin)
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	if (origin == p->origin)
		return 0;
	to = fair_profile_find(p, origin);
	s.at = p->order[0] * (size_t)64;
	for (; s.at != to.at; fair_profile_next(p, &s))
		fair_profile_leaf_forget(p, &s);
	for (; to.pos; to.pos--)
		fair_profile_position_close(p, 0);
	n = to.at % 64;
	if (n) {
		fair_profile_close(p, to.at / 64, 0, n);
		fair_profile_top_join(p, 0, 0);
		to.at -= n;
	}
	fair_profile_leaf_shorten(p, &to, to.k, origin);
	if (to.k)
		fair_profile_mark_stale(p, &to);
	p->origin = origin;
	p->horizon = origin + p->reach;
	fair_profile_merge_neighbours(p, origin);
	return 0;
}

/*
 * >>queries
 */

FAIR_PROFILE_API int fair_profile_earliest_start(const struct fair_profile *p,
						 int64_t not_before,
						 int64_t walltime,
						 int32_t procs, int64_t *start)
{
	struct fair_profile_query q = { not_before, INT64_MAX, walltime,
					INT64_MAX, procs };
	int64_t t;

	if (walltime < 1 || procs < 1 || not_before < p->origin)
		return -FAIR_EINVAL;
	if (not_before > p->horizon || walltime > p->horizon - not_before)
		return -FAIR_EOVERFLOW;
	t = fair_profile_is_flat(p) ? fair_profile_search_flat(p, &q)
				    : fair_profile_index_search(p, &q);
	if (t == INT64_MAX)
		return -FAIR_ERANGE;
	if (walltime > p->horizon - t)
		return -FAIR_EOVERFLOW;
	*start = t;
	return 0;
}

/*
 * The first start, or before if there is none. From a start on, procs are free
 * up to current, or for the walltime if that is over by then.
 */
static int64_t fair_profile_index_earlier(const struct fair_profile *p,
					  const struct fair_profile_query *q)
{
	struct fair_profile_query over = *q;
	int64_t room = q->current - q->from, floor = q->from, t;

	if (q->walltime < room)
		floor = q->current - q->walltime;
	t = fair_profile_free_since(p, q->current, floor, q->procs);
	t = t < q->from ? q->from : t;
	t = t < q->before ? t : q->before;
	if (q->walltime > room)
		return t;
	over.current = INT64_MAX;
	over.before = q->current - q->walltime + 1;
	over.before = over.before < t ? over.before : t;
	if (q->from < over.before) {
		int64_t first = fair_profile_index_search(p, &over);

		if (first < over.before)
			return first;
	}
	return t;
}

FAIR_PROFILE_API int fair_profile_earlier_start(const struct fair_profile *p,
						int64_t not_before,
						int64_t before,
						int64_t walltime, int32_t procs,
						int64_t current, int64_t *start)
{
	struct fair_profile_query q = { not_before, before, walltime, current,
					procs };
	int64_t t;

	if (walltime < 1 || procs < 1 || not_before < p->origin)
		return -FAIR_EINVAL;
	if (current > p->horizon)
		return -FAIR_EOVERFLOW;
	if (before > current)
		q.before = current;
	*start = current;
	if (not_before >= q.before)
		return 0;
	t = fair_profile_is_flat(p) ? fair_profile_search_flat(p, &q)
				    : fair_profile_index_earlier(p, &q);
	if (t < q.before)
		*start = t;
	return 0;
}

static int fair_profile_extreme(const struct fair_profile *p, int64_t start,
				int64_t end, bool most, int32_t *free_procs)
{
	struct fair_profile_change c;

	if (start < p->origin || end <= start)
		return -FAIR_EINVAL;
	c.a = fair_profile_find(p, start);
	c.end = end;
	fair_profile_measure(p, &c, most);
	*free_procs = most ? c.high : c.low;
	return 0;
}

FAIR_PROFILE_API int fair_profile_min_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs)
{
	return fair_profile_extreme(p, start, end, false, free_procs);
}

FAIR_PROFILE_API int fair_profile_max_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs)
{
	return fair_profile_extreme(p, start, end, true, free_procs);
}

FAIR_PROFILE_API int fair_profile_run(const struct fair_profile *p,
				      int32_t procs, int64_t *start,
				      int64_t *end)
{
	struct fair_profile_spot s;

	if (*start < p->origin || *end <= *start || procs < 1)
		return -FAIR_EINVAL;
	if (*start > p->origin) {
		s = fair_profile_find(p, *start - 1);
		while (fair_profile_at(p, &s) >= procs) {
			*start = fair_profile_step_start(p, &s);
			if (!fair_profile_before(p, &s))
				break;
		}
	}
	if (*end < FAIR_FOREVER)
		*end = fair_profile_free_until(p, *end, procs);
	return 0;
}

FAIR_PROFILE_API int fair_profile_step_at(const struct fair_profile *p,
					  int64_t t, struct fair_step *step)
{
	struct fair_profile_spot s;

	if (t < p->origin)
		return -FAIR_EINVAL;
	/* INT64_MAX marks unused columns. */
	s = fair_profile_find(p, t < INT64_MAX ? t : INT64_MAX - 1);
	step->start = fair_profile_step_start(p, &s);
	step->end = fair_profile_step_end(p, &s);
	step->free = fair_profile_at(p, &s);
	return 0;
}

FAIR_PROFILE_API size_t fair_profile_steps(const struct fair_profile *p)
{
	return p->steps;
}

/*
 * >>changes
 */

static int fair_profile_interval(const struct fair_profile *p, int64_t start,
				 int64_t walltime, int32_t procs)
{
	if (walltime < 1 || procs < 1 || start < p->origin)
		return -FAIR_EINVAL;
	if (start > p->horizon || walltime > p->horizon - start)
		return -FAIR_EOVERFLOW;
	return 0;
}

FAIR_PROFILE_API int fair_profile_reserve(struct fair_profile *p, int64_t start,
					  int64_t walltime, int32_t procs)
{
	int err = fair_profile_interval(p, start, walltime, procs);
	int32_t most;

	if (err)
		return err;
	return fair_profile_add(p, start, start + walltime, -procs, INT32_MAX,
				&most);
}

FAIR_PROFILE_API int fair_profile_release(struct fair_profile *p, int64_t start,
					  int64_t walltime, int32_t procs)
{
	int err = fair_profile_interval(p, start, walltime, procs);
	int32_t most;

	if (err)
		return err;
	return fair_profile_add(p, start, start + walltime, procs, p->limit,
				&most);
}

FAIR_PROFILE_API int fair_profile_move(struct fair_profile *p, int64_t current,
				       int64_t start, int64_t walltime,
				       int32_t procs, int32_t *most)
{
	int err = fair_profile_interval(p, current, walltime, procs);
	int64_t end = current + walltime, part;
	int32_t left, unused;

	if (err)
		return err;
	if (start < p->origin || start >= current)
		return -FAIR_EINVAL;
	part = walltime < current - start ? walltime : current - start;
	err = fair_profile_add(p, end - part, end, procs, p->limit, &left);
	if (err)
		return err;
	err = fair_profile_add(p, start, start + part, -procs, INT32_MAX,
			       &unused);
	if (err) /* as it was: that cannot fail */
		(void)fair_profile_add(p, end - part, end, -procs, INT32_MAX,
				       &unused);
	else
		*most = left;
	return err;
}

FAIR_PROFILE_API int fair_profile_change_capacity(struct fair_profile *p,
						  int64_t start, int64_t end,
						  int32_t delta)
{
	bool whole = start == p->origin && end == FAIR_FOREVER;
	int64_t limit = (int64_t)p->limit + (delta > 0 || whole ? delta : 0);
	int32_t most;
	int err;

	if (start < p->origin || end <= start)
		return -FAIR_EINVAL;
	if (start > p->horizon || (end > p->horizon && end != FAIR_FOREVER))
		return -FAIR_EOVERFLOW;
	err = fair_profile_add(p, start, end, delta, INT32_MAX, &most);
	if (!err)
		p->limit = limit < INT32_MAX ? (int32_t)limit : INT32_MAX;
	return err;
}

/*
 * >>check
 */

struct fair_profile_checker {
	size_t steps, leaves;
	int64_t at;   /* of the step before */
	int32_t free; /* of it */
};

/* I2 to I6 of the leaf at @s. */
static int fair_profile_check_leaf(const struct fair_profile *p,
				   const struct fair_profile_spot *s,
				   struct fair_profile_checker *c)
{
	size_t at = s->at, n = p->count[at], k;
	const struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	struct fair_profile_spot next = *s;
	int32_t least = INT32_MAX;

	if (!n || n > FAIR_PROFILE_LEAF_MAX || leaf->off[0] != 0)
		return 2;
	for (k = 0; k < 64; k++) {
		int64_t t = p->base[at] + leaf->off[k];
		int32_t f = leaf->free[k];

		if (k >= n) {
			if (leaf->off[k] != INT32_MAX || f != INT32_MAX)
				return 2;
			continue;
		}
		if (c->steps && t <= c->at)
			return 3;
		if (f < 0 || f > p->limit)
			return 4;
		if (c->steps && f == c->free)
			return 5;
		least = f < least ? f : least;
		c->at = t;
		c->free = f;
		c->steps++;
	}
	if (!fair_profile_is_flat(p) && least != p->least[at])
		return 6;
	if (fair_profile_next(p, &next) && fair_profile_can_merge(p, s, &next))
		return 7;
	return 0;
}

/*
 * The run of the lane @l at the leaf @s, computed naively. *@ahead: the run
 * that goes on in the next leaf; then the one that goes on in this leaf.
 */
static int64_t fair_profile_naive_run(const struct fair_profile *p,
				      const struct fair_profile_spot *s,
				      size_t l, int32_t *ahead)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	int64_t end = fair_profile_leaf_end(p, s), run = *ahead, best = 0;
	size_t k;

	end = end == FAIR_FOREVER ? INT64_C(1) << 40 : end - p->base[s->at];
	for (k = p->count[s->at]; k--; end = leaf->off[k]) {
		run = leaf->free[k] < p->lane[l] ? 0 : run + end - leaf->off[k];
		run = run < INT32_MAX ? run : INT32_MAX;
		best = run > best ? run : best;
	}
	*ahead = (int32_t)run;
	return best;
}

/* I8: an entry is no less than the run, or marked; nor is a maximum less. */
static int fair_profile_check_entries(const struct fair_profile *p,
				      const struct fair_profile_spot *s,
				      int32_t *ahead)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	int32_t most = *fair_profile_entry(p, s->at, FAIR_PROFILE_MOST);
	int32_t marks =
		*fair_profile_entry(p, s->at, FAIR_PROFILE_UNDERESTIMATE);
	int32_t flags = fair_profile_top(p, FAIR_PROFILE_FLAGS)[s->pos];
	bool stale = p->stale[s->at / 64] >> s->at % 64 & 1;
	size_t k, l;

	if (marks && (!stale || !(flags & FAIR_PROFILE_TOP_UNDERESTIMATE)))
		return 8;
	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int64_t run = fair_profile_naive_run(p, s, l, &ahead[l]);
		int32_t entry = *fair_profile_entry(p, s->at, l);

		if (entry < run && !(marks >> l & 1))
			return 8;
		if (fair_profile_top(p, l)[s->pos] < entry)
			return 8;
	}
	for (k = 0; k < p->count[s->at]; k++)
		if (leaf->free[k] > most)
			return 8;
	return 0;
}

/* I1, I2: the chunk at @s->pos and its leaves. */
static int fair_profile_check_chunk(const struct fair_profile *p,
				    struct fair_profile_spot s,
				    struct fair_profile_checker *c)
{
	size_t i, used;
	int bad;

	if (p->order[s.pos] >= p->chunks_fresh)
		return 1;
	used = p->used[p->order[s.pos]];
	if (!used || used > p->width)
		return 1;
	s.at = p->order[s.pos] * (size_t)64;
	if (p->first[s.pos] != p->base[s.at])
		return 2;
	for (i = 0; i < used; i++, s.at++) {
		bad = fair_profile_check_leaf(p, &s, c);
		if (bad)
			return bad;
		c->leaves++;
	}
	return 0;
}

FAIR_PROFILE_API int fair_profile_check(const struct fair_profile *p)
{
	struct fair_profile_checker c = { 0, 0, 0, 0 };
	struct fair_profile_spot s = { 0, 0, 0 };
	int32_t ahead[FAIR_PROFILE_LANES] = { 0 };
	int bad;

	if (p->steps < 1 || p->steps > p->cap || p->leaves > p->leaves_max ||
	    p->chunks < 1 || p->chunks > p->chunks_fresh ||
	    p->chunks_fresh > p->chunks_max)
		return 1;
	for (s.pos = 0; s.pos < p->chunks; s.pos++) {
		bad = fair_profile_check_chunk(p, s, &c);
		if (bad)
			return bad;
	}
	if (c.steps != p->steps || c.leaves != p->leaves)
		return 1;
	if (p->first[0] != p->origin)
		return 2;
	if (c.at > p->horizon)
		return 3;
	if (fair_profile_is_flat(p))
		return 0;
	s = fair_profile_last_leaf(p);
	do {
		bad = fair_profile_check_entries(p, &s, ahead);
		if (bad)
			return bad;
	} while (fair_profile_prev(p, &s));
	return 0;
}
#endif /* FAIR_PROFILE_IMPLEMENTED */

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
