/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * quotas.h - how much the jobs of a user, an account ... hold over time
 *
 * In ONE file:  #define FAIR_QUOTAS_IMPLEMENTATION
 *               #include "quotas.h"
 *
 * A limit is the most that jobs which share something, a user for example, may
 * hold at one time: so many jobs, so many processors. Each job holds its
 * amounts for one interval, while it runs or where it is reserved:
 *
 *   limit 6 |- - - - - - - - - - - - - -      may a job of 4 hold them for
 *         5 |          |2222|                 30 s from 0 on? From 20 on, but
 *         3 |111111111111|                    then job 2 is in its way: from
 *         2 |          |2222|                 40 on, behind job 2
 *         0 +----------+-+--+----------
 *           0         20 24 40
 *
 * What a limit is of is a number, for example of a kind and a resource, and
 * whose it is another: limit (user + processors, 7) of user 7. A limit of each
 * holds for every number that has none of its own. One of which a job has the
 * amount 0 does not hold it back. A limit may be for each of several parts, for
 * example for each user of an account: the jobs of a part count for themselves.
 *
 * A budget is the most in all: a job that begins to hold its amounts counts for
 * it whenever it holds them, and what ended jobs have spent counts for ever. So
 * a job that it has no room for has no start at all. It has an owner of its
 * own: it is none of each, and not for parts.
 *
 * EXAMPLE
 *   const struct fair_quotas_of of = { 0, 7, 0, 4 };	// 4 of user 7
 *   static uint64_t memory[256];
 *   struct fair_quotas l;
 *
 *   fair_quotas_init(&l, sizeof(l), memory, sizeof(memory), 1, 1, 2, 1);
 *   fair_quotas_set(&l, 0, FAIR_QUOTAS_EACH, 6);
 *   fair_quotas_join(&l, 0, &of, 1);
 *   fair_quotas_join(&l, 1, &of, 1);
 *   fair_quotas_hold(&l, 0, 0, 24);
 *   fair_quotas_earliest(&l, 1, 0, 30, INT64_MAX);    // 24
 *
 * UNITS       seconds, intervals half-open; amounts, the caller's; slots from 0
 * ERRORS      0 or -FAIR_E...; an error changes nothing
 * MEMORY      the caller's, fair_quotas_size() bytes: about 210 for each job
 *             and each of the limits that may hold it at once
 * THREADS     const calls may run concurrently
 * COMPLEXITY  for each of the limits of a job: O(1) where all jobs that share
 *             it together are within it; else expected, of k such jobs: hold
 *             and release O(log k); a search O(log k) for each time at which
 *             more than the rest is held, or no more; that they are within it
 *             no longer, O(k log k) once, until it has no jobs
 * DEFINES     FAIR_QUOTAS_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  fair_quotas_check() verifies
 *             I1 each limit is found by what it is of and whose it is
 *             I2 it counts the jobs that it holds, and is spare without any if
 *                it is no limit of its own
 *             I3 its steps are in order of time and heap, none is without a
 *                change, and their sums are right
 *             I4 at each time they sum to what its jobs hold; or there are
 *                none, and all its jobs together are within it
 *             I5 the jobs that wait for a budget are listed, each once
 */
#ifndef FAIR_QUOTAS_H
#define FAIR_QUOTAS_H

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

#ifndef FAIR_QUOTAS_API
#define FAIR_QUOTAS_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_QUOTAS_API, fair_quotas);

/* Whose: each that has no limit of its own. */
#define FAIR_QUOTAS_EACH UINT32_MAX
/* As an amount: there is no limit. */
#define FAIR_QUOTAS_NONE INT64_MAX
/* Most that counts as spent of a budget. */
#define FAIR_QUOTAS_SPENT ((int64_t)1 << 61)

/**
 * struct fair_quotas_of - what a job takes of one limit.
 * @what:   what the limit is of, below the kinds
 * @whose:  below FAIR_QUOTAS_EACH
 * @part:   of those that the limit is for each of; 0: it is for all together
 * @amount: that the job holds, >= 0; from 2^61 / jobs on it counts as that
 */
struct fair_quotas_of {
	uint32_t what, whose, part;
	int64_t amount;
};

/* Private: from @time on, @delta more is held. A node of a treap: sum, most and
 * least are of its steps, and of the sums of its first ones, or of none. */
struct fair_quotas_step {
	int64_t time, delta, sum, most, least;
	uint32_t up, left, right, heap;
};

/* Private: a limit, or a part of one. Spare ones are linked by root. */
struct fair_quotas_row {
	int64_t amount; /* of its own; FAIR_QUOTAS_NONE: that of each */
	int64_t held;	/* by all its jobs, whenever */
	int64_t asked;	/* by all its jobs, which may hold nothing */
	int64_t spent;	/* of a budget, by jobs that have left */
	uint64_t trial; /* of a budget: the last one in which it had no room */
	uint32_t what, whose, part;
	uint32_t jobs, root;
	uint32_t first; /* of what its jobs hold, + 1 */
	bool stepped;	/* else no steps are kept: all jobs are within it */
};

/* Private: what a job holds of a limit. */
struct fair_quotas_part {
	int64_t amount;
	uint32_t row;
	uint32_t before, after; /* parts of the same limit, + 1; 0: none */
};

/* Private: a job, and when it holds its parts; never: from == end. */
struct fair_quotas_job {
	int64_t from, end;
	uint32_t parts;	 /* of limits; those of budgets follow: */
	uint8_t budgets; /* how many */
	bool asks;	 /* it has budgets, and does not count for them */
	bool waits;	 /* for a budget, to be tried */
	bool listed;	 /* it may do so */
};

/**
 * struct fair_quotas - limits, and what jobs hold of them over time.
 * @exceeded: a running job may have taken more than a limit had left, or a
 *            limit was lowered; for the caller, who sets it, too
 * @trusts:   budgets have room for any job, while the caller sets it
 * @waiting:  jobs that may wait for a budget, whose slots are wait[]
 *
 * The other fields are private.
 */
struct fair_quotas {
	bool exceeded, trusts;
	uint32_t waiting;
	uint32_t *wait;
	bool keeps;		/* a job counts for a budget until it leaves */
	bool has_room;		/* a budget may have for a job that waits */
	uint32_t budgets;	/* the first kind that is one */
	int64_t most_amount;	/* of a job */
	uint64_t trial;
	uint32_t kinds, room;	/* of own limits */
	uint32_t own;		/* limits, those of each included */
	uint32_t most;		/* parts of a job */
	uint32_t jobs;		/* slots */
	uint32_t rows, rows_max, spare_row;
	uint32_t steps, spare_step; /* 0: none */
	uint32_t bits;		/* of the hash */
	int64_t *each;		/* by kind */
	uint32_t *count;	/* by kind: own limits, that of each included */
	uint32_t *counted;	/* the kinds that have any, ascending */
	uint32_t counts;	/* of these */
	struct fair_quotas_row *row;
	struct fair_quotas_step *step; /* 0: no step */
	struct fair_quotas_job *job;   /* by slot */
	struct fair_quotas_part *part; /* @most for each slot */
	uint32_t *hash;		       /* row + 1 */
};

/**
 * fair_quotas_size() - bytes for @limits limits of @kinds kinds.
 * @limits: the most at once; one of each counts as one
 * @jobs:   slots
 * @most:   limits that one job belongs to at once
 *
 * Return: bytes; 0 if too many. Complexity: O(1).
 */
FAIR_QUOTAS_API size_t fair_quotas_size(uint32_t kinds, uint32_t limits,
					uint32_t jobs, uint32_t most);

/**
 * fair_quotas_init() - no limits, and no jobs.
 * @struct_size: sizeof(struct fair_quotas)
 * @memory:      fair_quotas_size() bytes of any alignment, kept
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_QUOTAS_API int fair_quotas_init(struct fair_quotas *l, size_t struct_size,
				     void *memory, size_t bytes, uint32_t kinds,
				     uint32_t limits, uint32_t jobs,
				     uint32_t most);

/**
 * fair_quotas_clone() - the same limits for a copy of the jobs.
 * @memory: @bytes as for the original, for the copy alone
 *
 * Call fair_quotas_copy_job() for each job next.
 *
 * Return: 0; -FAIR_ENOMEM. Complexity: O(limits and steps that there are).
 */
FAIR_QUOTAS_API int fair_quotas_clone(struct fair_quotas *copy, void *memory,
				      size_t bytes,
				      const struct fair_quotas *l);

/** fair_quotas_copy_job() - the job in slot @from of @l is in @slot. */
FAIR_QUOTAS_API void fair_quotas_copy_job(struct fair_quotas *copy,
					  uint32_t slot,
					  const struct fair_quotas *l,
					  uint32_t from);

/**
 * fair_quotas_set() - add, change or remove a limit.
 * @whose:  FAIR_QUOTAS_EACH: each that has none of its own
 * @amount: >= 0; FAIR_QUOTAS_NONE: no limit
 *
 * Jobs that have joined before know no limit that was added, nor that one for
 * each part has changed: they leave, and join again.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC for more limits than there is room for.
 */
FAIR_QUOTAS_API int fair_quotas_set(struct fair_quotas *l, uint32_t what,
				    uint32_t whose, int64_t amount);

/**
 * fair_quotas_budget() - limits of @what and above are budgets; before any is
 * set.
 * @keeps: a job that counts for them does so until it leaves, or has no place;
 *         else until it holds nothing
 */
FAIR_QUOTAS_API void fair_quotas_budget(struct fair_quotas *l, uint32_t what,
					bool keeps);

/** fair_quotas_spent() - what jobs that have left have spent of a budget. */
FAIR_QUOTAS_API int64_t fair_quotas_spent(const struct fair_quotas *l,
					  uint32_t what, uint32_t whose);

/** fair_quotas_set_spent() - the same is @spent >= 0 from now on, if there is
 * such a budget. */
FAIR_QUOTAS_API void fair_quotas_set_spent(struct fair_quotas *l, uint32_t what,
					   uint32_t whose, int64_t spent);

/** fair_quotas_get() - the limit that holds; FAIR_QUOTAS_NONE: there is none.
 * @whose: FAIR_QUOTAS_EACH: that of each */
FAIR_QUOTAS_API int64_t fair_quotas_get(const struct fair_quotas *l,
					uint32_t what, uint32_t whose);

/** fair_quotas_is_full() - whether no limit can be set where none is. */
FAIR_QUOTAS_API bool fair_quotas_is_full(const struct fair_quotas *l,
					 uint32_t what, uint32_t whose);

/**
 * fair_quotas_next() - the limits that were set, in any order.
 * @at: 0 at first; changed
 *
 * Return: whether there is one more.
 */
FAIR_QUOTAS_API bool fair_quotas_next(const struct fair_quotas *l, uint32_t *at,
				      struct fair_quotas_of *limit);

/** fair_quotas_counts() - whether any limit is of @what. */
FAIR_QUOTAS_API bool fair_quotas_counts(const struct fair_quotas *l,
					uint32_t what);

/** fair_quotas_counted() - what limits are of: the @i-th of it, ascending.
 * UINT32_MAX: there are no more. */
FAIR_QUOTAS_API uint32_t fair_quotas_counted(const struct fair_quotas *l,
					     uint32_t i);

/**
 * fair_quotas_join() - the job in @slot, which belongs to no limit, belongs to
 * those of @of that there are. It holds nothing yet.
 * @of: @n of them, all different, those of budgets last
 */
FAIR_QUOTAS_API void fair_quotas_join(struct fair_quotas *l, uint32_t slot,
				      const struct fair_quotas_of *of,
				      uint32_t n);

/** fair_quotas_leave() - the job belongs to no limit, and holds nothing. */
FAIR_QUOTAS_API void fair_quotas_leave(struct fair_quotas *l, uint32_t slot);

/** fair_quotas_belongs() - whether the job belongs to a limit. */
FAIR_QUOTAS_API bool fair_quotas_belongs(const struct fair_quotas *l,
					 uint32_t slot,
					 const struct fair_quotas_of *limit);

/** fair_quotas_hold() - the job holds its amounts over [@from, @end), and no
 * longer where it held them before; @from = @end: nowhere. */
FAIR_QUOTAS_API void fair_quotas_hold(struct fair_quotas *l, uint32_t slot,
				      int64_t from, int64_t end);

/** fair_quotas_holds() - whether the job holds its amounts at some time. */
FAIR_QUOTAS_API bool fair_quotas_holds(const struct fair_quotas *l,
				       uint32_t slot);

/** fair_quotas_release() - the job holds nothing. */
FAIR_QUOTAS_API void fair_quotas_release(struct fair_quotas *l, uint32_t slot);

/** fair_quotas_commit() - the job counts for its budgets, if it has any. */
FAIR_QUOTAS_API void fair_quotas_commit(struct fair_quotas *l, uint32_t slot);

/** fair_quotas_revoke() - the job counts for its budgets no longer, whatever it
 * holds, and asks them again. */
FAIR_QUOTAS_API void fair_quotas_revoke(struct fair_quotas *l, uint32_t slot);

/** fair_quotas_spend() - the job, which will leave, has spent @amount of its
 * budgets. */
FAIR_QUOTAS_API void fair_quotas_spend(struct fair_quotas *l, uint32_t slot,
				       int64_t amount);

/** fair_quotas_give_up() - the job, for which no start was found, holds nothing
 * and counts for no budget. If it has one, it waits to be tried. */
FAIR_QUOTAS_API void fair_quotas_give_up(struct fair_quotas *l, uint32_t slot);

/** fair_quotas_begin_trial() - whether a job that waits may have room now; all
 * of them are listed, and are to be tried in the caller's order. */
FAIR_QUOTAS_API bool fair_quotas_begin_trial(struct fair_quotas *l);

/** fair_quotas_try() - whether a job that waits has room in all its budgets,
 * and none had none for a job before it in this trial; then it waits no longer.
 */
FAIR_QUOTAS_API bool fair_quotas_try(struct fair_quotas *l, uint32_t slot);

/** fair_quotas_waits() - whether the job waits for a budget to be tried. */
FAIR_QUOTAS_API bool fair_quotas_waits(const struct fair_quotas *l,
				       uint32_t slot);

/**
 * fair_quotas_earliest() - the first time @t from @from on such that all limits
 * of a job that holds nothing have room for it during [@t, @t + @walltime), and
 * before @until.
 * @until: of a job that holds its amounts from @until on: what it holds counts
 *         as its room
 *
 * Return: @t, which may be @until or later; INT64_MAX: there is none.
 */
FAIR_QUOTAS_API int64_t fair_quotas_earliest(const struct fair_quotas *l,
					     uint32_t slot, int64_t from,
					     int64_t walltime, int64_t until);

/** fair_quotas_can_grow() - whether limits of [@what, @what + @kinds) have room
 * for @more of a job that holds its amounts, as long as it does. */
FAIR_QUOTAS_API bool fair_quotas_can_grow(struct fair_quotas *l, uint32_t slot,
					  uint32_t what, uint32_t kinds,
					  int64_t more);

/** fair_quotas_can_spend() - whether the budgets of a job that counts for them
 * have room for @more of it. */
FAIR_QUOTAS_API bool fair_quotas_can_spend(const struct fair_quotas *l,
					   uint32_t slot, int64_t more);

/** fair_quotas_is_over() - whether a limit of the job is exceeded while it
 * holds its amounts, or it does so and was revoked. */
FAIR_QUOTAS_API bool fair_quotas_is_over(const struct fair_quotas *l,
					 uint32_t slot);

/**
 * fair_quotas_blocker() - the first limit that has no room for the job during
 * [@from, @from + @walltime), and before @until.
 * @limit: out: what it is of, whose, and how much it is
 * @used:  out: the most that is held of it then; or counts for it
 *
 * Return: whether there is one.
 */
FAIR_QUOTAS_API bool fair_quotas_blocker(const struct fair_quotas *l,
					 uint32_t slot, int64_t from,
					 int64_t walltime, int64_t until,
					 struct fair_quotas_of *limit,
					 int64_t *used);

/** fair_quotas_check() - 0, or the first broken invariant; O(jobs * steps). */
FAIR_QUOTAS_API int fair_quotas_check(const struct fair_quotas *l);

FAIRSCHED_END_C
#endif /* FAIR_QUOTAS_H */

#if !defined(FAIR_QUOTAS_IMPLEMENTED) &&                                       \
	(defined(FAIR_QUOTAS_IMPLEMENTATION) ||                                \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_QUOTAS_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_QUOTAS_API, fair_quotas)

/* MEMORY: | each | rows | steps | jobs | parts | count | counted | wait |
 *         | hash | */

/* The hash is at most half full. */
static uint32_t fair_quotas_bits(uint32_t rows)
{
	uint32_t bits = 3;

	while (((uint64_t)1 << bits) < 2 * (uint64_t)rows)
		bits++;
	return bits;
}

/* Private: how many there may be of what stands in memory. */
struct fair_quotas_shape {
	uint64_t most, rows, steps, bytes;
};

static struct fair_quotas_shape fair_quotas_plan(uint32_t kinds,
						 uint32_t limits, uint32_t jobs,
						 uint32_t most)
{
	struct fair_quotas_shape x;

	x.most = limits < most ? limits : most;
	x.rows = limits + x.most * jobs;
	/* One is none, two for each part, and one while another one goes. */
	x.steps = 2 + 2 * x.most * jobs;
	x.bytes = kinds * (sizeof(int64_t) + 2 * sizeof(uint32_t)) +
		  x.rows * sizeof(struct fair_quotas_row) +
		  x.steps * sizeof(struct fair_quotas_step) +
		  jobs * (sizeof(struct fair_quotas_job) + sizeof(uint32_t) +
			  x.most * sizeof(struct fair_quotas_part)) +
		  7;
	/* That of too many steps is not used. */
	x.bytes += (uint64_t)sizeof(uint32_t)
		   << fair_quotas_bits((uint32_t)x.rows);
	return x;
}

FAIR_QUOTAS_API size_t fair_quotas_size(uint32_t kinds, uint32_t limits,
					uint32_t jobs, uint32_t most)
{
	struct fair_quotas_shape x;

	/* No overflow: at most 2^10 * 2^33 of each. */
	if (!kinds || kinds > 1024 || !limits || limits > UINT32_MAX / 8 ||
	    !jobs || !most || most > 1024)
		return 0;
	x = fair_quotas_plan(kinds, limits, jobs, most);
	/* No more rows than limits, and half of the steps. */
	if (x.steps > UINT32_MAX / 4 || x.bytes > SIZE_MAX / 4)
		return 0;
	return (size_t)x.bytes;
}

/* Lay the arrays out; what they hold is not set. */
static void fair_quotas_lay_out(struct fair_quotas *l, void *memory)
{
	struct fair_quotas_shape x =
		fair_quotas_plan(l->kinds, l->room, l->jobs, l->most);
	char *at = (char *)memory;

	at += (8 - (uintptr_t)at % 8) % 8;
	l->most = (uint32_t)x.most;
	l->rows_max = (uint32_t)x.rows;
	l->each = (int64_t *)(void *)at;
	l->row = (struct fair_quotas_row *)(void *)(l->each + l->kinds);
	l->step = (struct fair_quotas_step *)(void *)(l->row + x.rows);
	l->job = (struct fair_quotas_job *)(void *)(l->step + x.steps);
	l->part = (struct fair_quotas_part *)(void *)(l->job + l->jobs);
	l->count = (uint32_t *)(void *)(l->part + (size_t)l->most * l->jobs);
	l->counted = l->count + l->kinds;
	l->wait = l->counted + l->kinds;
	l->hash = l->wait + l->jobs;
}

FAIR_QUOTAS_API int fair_quotas_init(struct fair_quotas *l, size_t struct_size,
				     void *memory, size_t bytes, uint32_t kinds,
				     uint32_t limits, uint32_t jobs,
				     uint32_t most)
{
	size_t size = fair_quotas_size(kinds, limits, jobs, most);
	uint32_t i;

	if (!l || !memory || struct_size != sizeof(*l))
		return -FAIR_EINVAL;
	if (!size || bytes < size)
		return -FAIR_ENOMEM;
	FAIR_MEMSET(l, 0, sizeof(*l));
	l->kinds = kinds;
	l->room = limits;
	l->jobs = jobs;
	l->most = most;
	l->budgets = kinds;
	l->most_amount = ((int64_t)1 << 61) / jobs;
	fair_quotas_lay_out(l, memory);
	l->spare_row = UINT32_MAX;
	l->bits = fair_quotas_bits(1);
	FAIR_MEMSET(l->hash, 0, sizeof(*l->hash) << l->bits);
	for (i = 0; i < kinds; i++) {
		l->each[i] = FAIR_QUOTAS_NONE;
		l->count[i] = 0;
	}
	for (i = 0; i < jobs; i++)
		FAIR_MEMSET(l->job + i, 0, sizeof(*l->job));
	FAIR_MEMSET(l->step, 0, sizeof(*l->step));
	l->steps = 1;
	return 0;
}

/* ROWS: by (what, whose, part), in a hash with linear probing. */

/* Only low numbers and few kinds: the product spreads them. */
static uint32_t fair_quotas_hash_of(const struct fair_quotas *l, uint32_t what,
				    uint32_t whose, uint32_t part)
{
	uint64_t key = (uint64_t)what << 32 | whose;

	key ^= part * UINT64_C(0xff51afd7ed558ccd);
	return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >>
			  (64 - l->bits));
}

/* The entry of a row, or the free one where it would be added. */
static uint32_t fair_quotas_entry(const struct fair_quotas *l, uint32_t what,
				  uint32_t whose, uint32_t part)
{
	uint32_t mask = ((uint32_t)1 << l->bits) - 1;
	uint32_t i = fair_quotas_hash_of(l, what, whose, part);
	const struct fair_quotas_row *r;

	for (; l->hash[i]; i = (i + 1) & mask) {
		r = l->row + l->hash[i] - 1;
		if (r->whose == whose && r->what == what && r->part == part)
			break;
	}
	return i;
}

/* The row; UINT32_MAX: there is none. */
static uint32_t fair_quotas_find(const struct fair_quotas *l, uint32_t what,
				 uint32_t whose, uint32_t part)
{
	return l->hash[fair_quotas_entry(l, what, whose, part)] - 1;
}

/* Fill a hash of that many bits; rows that are not spare have jobs, or a limit
 * of their own. */
static void fair_quotas_rehash(struct fair_quotas *l, uint32_t bits)
{
	const struct fair_quotas_row *r;
	uint32_t i;

	l->bits = bits;
	FAIR_MEMSET(l->hash, 0, sizeof(*l->hash) << bits);
	for (i = 0; i < l->rows; i++) {
		r = l->row + i;
		if (r->jobs || r->amount != FAIR_QUOTAS_NONE)
			l->hash[fair_quotas_entry(l, r->what, r->whose,
						  r->part)] = i + 1;
	}
}

static uint32_t fair_quotas_add_row(struct fair_quotas *l, uint32_t what,
				    uint32_t whose, uint32_t part)
{
	uint32_t i = l->spare_row;
	struct fair_quotas_row *r;

	if (i != UINT32_MAX) {
		l->spare_row = l->row[i].root;
	} else {
		/* @most parts of each job, and the limits of their own. */
		FAIR_ASSERT(l->rows < l->rows_max);
		if (2 * ((uint64_t)l->rows + 1) > (uint64_t)1 << l->bits)
			fair_quotas_rehash(l, l->bits + 1);
		i = l->rows++;
	}
	r = l->row + i;
	FAIR_MEMSET(r, 0, sizeof(*r));
	r->amount = FAIR_QUOTAS_NONE;
	r->what = what;
	r->whose = whose;
	r->part = part;
	l->hash[fair_quotas_entry(l, what, whose, part)] = i + 1;
	return i;
}

/* A row without jobs and without a limit of its own is spare. Each entry behind
 * the gap moves into it if its search begins at it or before. */
static void fair_quotas_drop_row(struct fair_quotas *l, uint32_t row)
{
	struct fair_quotas_row *r = l->row + row, *x;
	uint32_t mask = ((uint32_t)1 << l->bits) - 1, first, gap, i;

	if (r->jobs || r->amount != FAIR_QUOTAS_NONE)
		return;
	gap = i = fair_quotas_entry(l, r->what, r->whose, r->part);
	for (;;) {
		i = (i + 1) & mask;
		if (!l->hash[i])
			break;
		x = l->row + l->hash[i] - 1;
		first = fair_quotas_hash_of(l, x->what, x->whose, x->part);
		if (((i - first) & mask) < ((i - gap) & mask))
			continue;
		l->hash[gap] = l->hash[i];
		gap = i;
	}
	l->hash[gap] = 0;
	r->root = l->spare_row;
	l->spare_row = row;
}

/* How much the limit is; that of a part is the limit that is for each part. */
static int64_t fair_quotas_amount(const struct fair_quotas *l,
				  const struct fair_quotas_row *r)
{
	if (r->part)
		return fair_quotas_get(l, r->what, r->whose);
	return r->amount != FAIR_QUOTAS_NONE ? r->amount : l->each[r->what];
}

/* @what is among the kinds that have limits if it has any. */
static void fair_quotas_list(struct fair_quotas *l, uint32_t what)
{
	uint32_t i = 0, k = l->counts;

	while (i < l->counts && l->counted[i] < what)
		i++;
	if (i < l->counts && l->counted[i] == what) {
		for (l->counts -= !l->count[what]; i < l->counts &&
						   !l->count[what];
		     i++)
			l->counted[i] = l->counted[i + 1];
		return;
	}
	for (l->counts++; k > i; k--)
		l->counted[k] = l->counted[k - 1];
	l->counted[i] = what;
}

/* The limit that is changed from @was to @amount was, or is, one. */
static int fair_quotas_count(struct fair_quotas *l, uint32_t what, int64_t was,
			     int64_t amount)
{
	bool had = was != FAIR_QUOTAS_NONE, has = amount != FAIR_QUOTAS_NONE;

	if (has && !had && l->own == l->room)
		return -FAIR_ENOSPC;
	l->own = l->own + has - had;
	l->count[what] = l->count[what] + has - had;
	if (has != had)
		fair_quotas_list(l, what);
	return 0;
}

FAIR_QUOTAS_API int64_t fair_quotas_get(const struct fair_quotas *l,
					uint32_t what, uint32_t whose)
{
	uint32_t row;

	/* The one that is counted may be that of each. */
	if (whose == FAIR_QUOTAS_EACH ||
	    l->count[what] == (l->each[what] != FAIR_QUOTAS_NONE))
		return l->each[what];
	row = fair_quotas_find(l, what, whose, 0);
	return row == UINT32_MAX ? l->each[what]
				 : fair_quotas_amount(l, l->row + row);
}

/* The limit that was set; FAIR_QUOTAS_NONE: none was. */
static int64_t fair_quotas_own(const struct fair_quotas *l, uint32_t what,
			       uint32_t whose)
{
	uint32_t row;

	if (whose == FAIR_QUOTAS_EACH)
		return l->each[what];
	row = fair_quotas_find(l, what, whose, 0);
	return row == UINT32_MAX ? FAIR_QUOTAS_NONE : l->row[row].amount;
}

FAIR_QUOTAS_API bool fair_quotas_is_full(const struct fair_quotas *l,
					 uint32_t what, uint32_t whose)
{
	return l->own == l->room &&
	       fair_quotas_own(l, what, whose) == FAIR_QUOTAS_NONE;
}

FAIR_QUOTAS_API bool fair_quotas_next(const struct fair_quotas *l, uint32_t *at,
				      struct fair_quotas_of *limit)
{
	const struct fair_quotas_row *r;
	uint32_t i;

	for (; *at < l->kinds + l->rows; ++*at) {
		i = *at;
		r = l->row + (i < l->kinds ? 0 : i - l->kinds);
		limit->what = i < l->kinds ? i : r->what;
		limit->whose = i < l->kinds ? FAIR_QUOTAS_EACH : r->whose;
		limit->part = 0;
		limit->amount = i < l->kinds ? l->each[i] : r->amount;
		if (limit->amount != FAIR_QUOTAS_NONE) {
			++*at;
			return true;
		}
	}
	return false;
}

FAIR_QUOTAS_API bool fair_quotas_counts(const struct fair_quotas *l,
					uint32_t what)
{
	return l->count[what];
}

FAIR_QUOTAS_API uint32_t fair_quotas_counted(const struct fair_quotas *l,
					     uint32_t i)
{
	return i < l->counts ? l->counted[i] : UINT32_MAX;
}

/*
 * STEPS. Those of a limit are a treap: a search tree by time, and a heap by a
 * number that is as good as random. What is held from a time on is the sum of
 * all steps until then.
 */

static uint32_t fair_quotas_scatter(uint32_t x)
{
	x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
	x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
	return x ^ x >> 16;
}

/* The node with its sums, from those below it. */
static struct fair_quotas_step fair_quotas_summed(const struct fair_quotas *l,
						  uint32_t n)
{
	struct fair_quotas_step s = l->step[n];
	const struct fair_quotas_step *a = l->step + s.left;
	const struct fair_quotas_step *b = l->step + s.right;
	int64_t here = a->sum + s.delta;

	s.sum = here + b->sum;
	s.most = a->most > here ? a->most : here;
	s.most = s.most > here + b->most ? s.most : here + b->most;
	s.least = a->least < here ? a->least : here;
	s.least = s.least < here + b->least ? s.least : here + b->least;
	return s;
}

static void fair_quotas_sum_up(struct fair_quotas *l, uint32_t n)
{
	l->step[n] = fair_quotas_summed(l, n);
}

/* The same of a node and all above it. */
static void fair_quotas_sum_path(struct fair_quotas *l, uint32_t n)
{
	for (; n; n = l->step[n].up)
		fair_quotas_sum_up(l, n);
}

/* @child, or no step, stands in the place of @n. */
static void fair_quotas_replace(struct fair_quotas *l, uint32_t *root,
				uint32_t n, uint32_t child)
{
	uint32_t up = l->step[n].up;

	if (!up)
		*root = child;
	else if (l->step[up].left == n)
		l->step[up].left = child;
	else
		l->step[up].right = child;
	if (child)
		l->step[child].up = up;
}

/* The node changes places with the one above it. */
static void fair_quotas_rotate(struct fair_quotas *l, uint32_t *root,
			       uint32_t n)
{
	uint32_t up = l->step[n].up, between;

	fair_quotas_replace(l, root, up, n);
	if (l->step[up].left == n) {
		between = l->step[n].right;
		l->step[n].right = up;
		l->step[up].left = between;
	} else {
		between = l->step[n].left;
		l->step[n].left = up;
		l->step[up].right = between;
	}
	l->step[up].up = n;
	if (between)
		l->step[between].up = up;
	fair_quotas_sum_up(l, up);
	fair_quotas_sum_up(l, n);
}

/* A step without a change goes down to where it has one child, and out. */
static void fair_quotas_drop_step(struct fair_quotas *l, uint32_t *root,
				  uint32_t n)
{
	struct fair_quotas_step *s = l->step + n;
	uint32_t up;

	while (s->left && s->right)
		fair_quotas_rotate(l, root,
				   l->step[s->left].heap >
						   l->step[s->right].heap
					   ? s->left
					   : s->right);
	up = s->up;
	fair_quotas_replace(l, root, n, s->left ? s->left : s->right);
	fair_quotas_sum_path(l, up);
	s->up = l->spare_step;
	l->spare_step = n;
}

static void fair_quotas_add_step(struct fair_quotas *l, uint32_t *root,
				 uint32_t up, int64_t time, int64_t delta)
{
	uint32_t n = l->spare_step;
	struct fair_quotas_step *s;

	if (n)
		l->spare_step = l->step[n].up;
	else
		n = l->steps++;
	s = l->step + n;
	s->time = time;
	s->delta = delta;
	s->up = up;
	s->left = s->right = 0;
	s->heap = fair_quotas_scatter(n);
	if (!up)
		*root = n;
	else if (time < l->step[up].time)
		l->step[up].left = n;
	else
		l->step[up].right = n;
	fair_quotas_sum_path(l, n);
	while (s->up && l->step[s->up].heap < s->heap)
		fair_quotas_rotate(l, root, n);
}

/* From @time on, @delta more is held. */
static void fair_quotas_change(struct fair_quotas *l, uint32_t *root,
			       int64_t time, int64_t delta)
{
	uint32_t n = *root, up = 0;

	while (n && l->step[n].time != time) {
		up = n;
		n = time < l->step[n].time ? l->step[n].left
					   : l->step[n].right;
	}
	if (!n) {
		fair_quotas_add_step(l, root, up, time, delta);
		return;
	}
	l->step[n].delta += delta;
	if (l->step[n].delta)
		fair_quotas_sum_path(l, n);
	else
		fair_quotas_drop_step(l, root, n);
}

/* The job in @slot begins to hold @amount of the limit, or with less than 0 no
 * longer holds it. */
static void fair_quotas_step_job(struct fair_quotas *l,
				 struct fair_quotas_row *r, uint32_t slot,
				 int64_t amount)
{
	const struct fair_quotas_job *j = l->job + slot;

	fair_quotas_change(l, &r->root, j->from, amount);
	fair_quotas_change(l, &r->root, j->end, -amount);
}

/* From now on, and until it has no jobs, the steps of a limit are kept. */
static void fair_quotas_begin_steps(struct fair_quotas *l,
				    struct fair_quotas_row *r)
{
	const struct fair_quotas_part *p;
	uint32_t i, slot;

	if (r->stepped)
		return;
	r->stepped = true;
	for (i = r->first; i; i = p->after) {
		p = l->part + i - 1;
		slot = (i - 1) / l->most;
		if (p->amount && l->job[slot].from < l->job[slot].end)
			fair_quotas_step_job(l, r, slot, p->amount);
	}
}

/* The same, if its jobs ask for more than there is. */
static void fair_quotas_want_steps(struct fair_quotas *l, uint32_t row)
{
	struct fair_quotas_row *r = l->row + row;

	if (r->jobs && r->asked > fair_quotas_amount(l, r) &&
	    r->what < l->budgets)
		fair_quotas_begin_steps(l, r);
}

FAIR_QUOTAS_API int fair_quotas_set(struct fair_quotas *l, uint32_t what,
				    uint32_t whose, int64_t amount)
{
	int64_t was;
	uint32_t row;
	int error;

	if (what >= l->kinds || amount < 0)
		return -FAIR_EINVAL;
	if (whose == FAIR_QUOTAS_EACH) {
		error = fair_quotas_count(l, what, l->each[what], amount);
		if (error)
			return error;
		l->each[what] = amount;
		for (row = 0; row < l->rows; row++)
			fair_quotas_want_steps(l, row);
		return 0;
	}
	row = fair_quotas_find(l, what, whose, 0);
	was = row == UINT32_MAX ? FAIR_QUOTAS_NONE : l->row[row].amount;
	error = fair_quotas_count(l, what, was, amount);
	if (error || amount == was)
		return error;
	if (row == UINT32_MAX)
		row = fair_quotas_add_row(l, what, whose, 0);
	l->row[row].amount = amount;
	if (amount == FAIR_QUOTAS_NONE)
		l->row[row].spent = 0;
	l->has_room = true;
	fair_quotas_want_steps(l, row);
	fair_quotas_drop_row(l, row);
	return 0;
}

FAIR_QUOTAS_API void fair_quotas_budget(struct fair_quotas *l, uint32_t what,
					bool keeps)
{
	l->budgets = what;
	l->keeps = keeps;
}

FAIR_QUOTAS_API int64_t fair_quotas_spent(const struct fair_quotas *l,
					  uint32_t what, uint32_t whose)
{
	uint32_t row = fair_quotas_find(l, what, whose, 0);

	return row == UINT32_MAX ? 0 : l->row[row].spent;
}

FAIR_QUOTAS_API void fair_quotas_set_spent(struct fair_quotas *l, uint32_t what,
					   uint32_t whose, int64_t spent)
{
	uint32_t row = fair_quotas_find(l, what, whose, 0);

	if (row == UINT32_MAX || l->row[row].amount == FAIR_QUOTAS_NONE)
		return;
	l->row[row].spent = spent < FAIR_QUOTAS_SPENT ? spent
						      : FAIR_QUOTAS_SPENT;
	l->has_room = true;
}

/* JOBS */

static uint32_t fair_quotas_parts(const struct fair_quotas_job *j)
{
	return j->parts + j->budgets;
}

static void fair_quotas_link(struct fair_quotas *l, uint32_t i)
{
	struct fair_quotas_part *p = l->part + i;
	struct fair_quotas_row *r = l->row + p->row;

	p->before = 0;
	p->after = r->first;
	if (r->first)
		l->part[r->first - 1].before = i + 1;
	r->first = i + 1;
}

static void fair_quotas_unlink(struct fair_quotas *l, uint32_t i)
{
	const struct fair_quotas_part *p = l->part + i;

	if (p->before)
		l->part[p->before - 1].after = p->after;
	else
		l->row[p->row].first = p->after;
	if (p->after)
		l->part[p->after - 1].before = p->before;
}

FAIR_QUOTAS_API void fair_quotas_join(struct fair_quotas *l, uint32_t slot,
				      const struct fair_quotas_of *of,
				      uint32_t n)
{
	struct fair_quotas_job *j = l->job + slot;
	uint32_t row, at, i;

	/* It belongs to none: it is new, or has left them. */
	FAIR_ASSERT(!fair_quotas_parts(j));
	for (i = 0; i < n; i++) {
		if (!l->count[of[i].what] ||
		    fair_quotas_get(l, of[i].what, of[i].whose) ==
			    FAIR_QUOTAS_NONE)
			continue;
		row = fair_quotas_find(l, of[i].what, of[i].whose, of[i].part);
		if (row == UINT32_MAX)
			row = fair_quotas_add_row(l, of[i].what, of[i].whose,
						  of[i].part);
		/* No more than the caller said, nor than there are limits. */
		FAIR_ASSERT(fair_quotas_parts(j) < l->most);
		at = l->most * slot + fair_quotas_parts(j);
		l->part[at].row = row;
		l->part[at].amount = of[i].amount < l->most_amount
					     ? of[i].amount
					     : l->most_amount;
		fair_quotas_link(l, at);
		l->row[row].jobs++;
		l->row[row].asked += l->part[at].amount;
		if (of[i].what >= l->budgets) {
			j->budgets++;
			j->asks = true;
			continue;
		}
		j->parts++;
		fair_quotas_want_steps(l, row);
	}
}

/* What the job has of a budget of its; below j->budgets. */
static const struct fair_quotas_part *
fair_quotas_budget_part(const struct fair_quotas *l, uint32_t slot, uint32_t i)
{
	return l->part + (size_t)l->most * slot + l->job[slot].parts + i;
}

FAIR_QUOTAS_API void fair_quotas_commit(struct fair_quotas *l, uint32_t slot)
{
	struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p;
	uint32_t i;

	if (!j->asks)
		return;
	for (i = 0; i < j->budgets; i++) {
		p = fair_quotas_budget_part(l, slot, i);
		l->row[p->row].held += p->amount;
	}
	j->asks = j->waits = false;
}

FAIR_QUOTAS_API void fair_quotas_revoke(struct fair_quotas *l, uint32_t slot)
{
	struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p;
	uint32_t i;

	if (j->asks)
		return;
	for (i = 0; i < j->budgets; i++) {
		p = fair_quotas_budget_part(l, slot, i);
		l->row[p->row].held -= p->amount;
	}
	j->asks = j->budgets;
	l->has_room = true;
}

FAIR_QUOTAS_API void fair_quotas_release(struct fair_quotas *l, uint32_t slot)
{
	struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	struct fair_quotas_row *r;
	uint32_t i;

	if (j->from >= j->end)
		return;
	for (i = 0; i < j->parts; i++) {
		r = l->row + p[i].row;
		if (!p[i].amount)
			continue;
		r->held -= p[i].amount;
		if (r->stepped)
			fair_quotas_step_job(l, r, slot, -p[i].amount);
	}
	j->from = j->end = 0;
	if (j->budgets && !l->keeps)
		fair_quotas_revoke(l, slot);
}

FAIR_QUOTAS_API void fair_quotas_hold(struct fair_quotas *l, uint32_t slot,
				      int64_t from, int64_t end)
{
	struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	struct fair_quotas_row *r;
	uint32_t i;

	if (j->from == from && j->end == end)
		return;
	fair_quotas_release(l, slot);
	if (from >= end)
		return;
	j->from = from;
	j->end = end;
	for (i = 0; i < j->parts; i++) {
		r = l->row + p[i].row;
		r->held += p[i].amount;
		if (r->stepped && p[i].amount)
			fair_quotas_step_job(l, r, slot, p[i].amount);
	}
	if (j->asks)
		fair_quotas_commit(l, slot);
}

FAIR_QUOTAS_API bool fair_quotas_holds(const struct fair_quotas *l,
				       uint32_t slot)
{
	return l->job[slot].from < l->job[slot].end;
}

FAIR_QUOTAS_API void fair_quotas_leave(struct fair_quotas *l, uint32_t slot)
{
	struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	struct fair_quotas_row *r;
	uint32_t n = fair_quotas_parts(j);

	fair_quotas_release(l, slot);
	if (j->budgets) {
		fair_quotas_revoke(l, slot);
		l->has_room |= j->waits; /* for those that it held back */
		j->budgets = 0;
		j->asks = j->waits = false;
	}
	j->parts = 0;
	while (n--) {
		fair_quotas_unlink(l, l->most * slot + n);
		r = l->row + p[n].row;
		r->asked -= p[n].amount;
		r->jobs--;
		r->stepped = r->stepped && r->jobs;
		fair_quotas_drop_row(l, p[n].row);
	}
}

FAIR_QUOTAS_API bool fair_quotas_belongs(const struct fair_quotas *l,
					 uint32_t slot,
					 const struct fair_quotas_of *limit)
{
	uint32_t row =
		fair_quotas_find(l, limit->what, limit->whose, limit->part);
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	uint32_t n = fair_quotas_parts(l->job + slot), i = 0;

	while (i < n && p[i].row != row)
		i++;
	return i < n;
}

FAIR_QUOTAS_API void fair_quotas_spend(struct fair_quotas *l, uint32_t slot,
				       int64_t amount)
{
	struct fair_quotas_row *r;
	uint32_t i;

	for (i = 0; i < l->job[slot].budgets; i++) {
		r = l->row + fair_quotas_budget_part(l, slot, i)->row;
		r->spent = amount < FAIR_QUOTAS_SPENT - r->spent
				   ? r->spent + amount
				   : FAIR_QUOTAS_SPENT;
	}
}

/* WAITING FOR A BUDGET */

/* Whether a budget has room for @more, beside what counts for it. */
static bool fair_quotas_can_pay(const struct fair_quotas *l,
				const struct fair_quotas_row *r, int64_t more)
{
	return r->held + r->spent <= fair_quotas_amount(l, r) - more;
}

/* The first budget that has no room for a job that does not count for it; its
 * number of budgets: all have. What it has none of does not hold it back. */
static uint32_t fair_quotas_unpaid(const struct fair_quotas *l, uint32_t slot)
{
	const struct fair_quotas_part *p;
	uint32_t i;

	for (i = 0; i < l->job[slot].budgets; i++) {
		p = fair_quotas_budget_part(l, slot, i);
		if (p->amount &&
		    !fair_quotas_can_pay(l, l->row + p->row, p->amount))
			break;
	}
	return i;
}

/* Whether a job that counts for none has room in its budgets. */
static bool fair_quotas_has_room(const struct fair_quotas *l, uint32_t slot)
{
	const struct fair_quotas_job *j = l->job + slot;

	return l->trusts ||
	       (!j->waits && fair_quotas_unpaid(l, slot) == j->budgets);
}

FAIR_QUOTAS_API bool fair_quotas_waits(const struct fair_quotas *l,
				       uint32_t slot)
{
	return l->job[slot].waits;
}

FAIR_QUOTAS_API void fair_quotas_give_up(struct fair_quotas *l, uint32_t slot)
{
	struct fair_quotas_job *j = l->job + slot;

	fair_quotas_release(l, slot);
	fair_quotas_revoke(l, slot);
	if (!j->budgets || !l->keeps)
		return;
	j->waits = true;
	l->has_room |= fair_quotas_unpaid(l, slot) == j->budgets;
	if (!j->listed)
		l->wait[l->waiting++] = slot;
	j->listed = true;
}

FAIR_QUOTAS_API bool fair_quotas_begin_trial(struct fair_quotas *l)
{
	uint32_t i, n = 0;

	if (!l->waiting || !l->has_room)
		return false;
	for (i = 0; i < l->waiting; i++) {
		l->job[l->wait[i]].listed = l->job[l->wait[i]].waits;
		if (l->job[l->wait[i]].waits)
			l->wait[n++] = l->wait[i];
	}
	l->waiting = n;
	l->has_room = false;
	l->trial++;
	return n;
}

FAIR_QUOTAS_API bool fair_quotas_try(struct fair_quotas *l, uint32_t slot)
{
	struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p;
	struct fair_quotas_row *r;
	bool has_room = true;
	uint32_t i;

	for (i = 0; i < j->budgets; i++) {
		p = fair_quotas_budget_part(l, slot, i);
		if (l->row[p->row].trial == l->trial)
			return false;
	}
	for (i = 0; i < j->budgets; i++) {
		p = fair_quotas_budget_part(l, slot, i);
		r = l->row + p->row;
		if (!p->amount || fair_quotas_can_pay(l, r, p->amount))
			continue;
		r->trial = l->trial;
		has_room = false;
	}
	j->waits = !has_room;
	return has_room;
}

FAIR_QUOTAS_API int fair_quotas_clone(struct fair_quotas *copy, void *memory,
				      size_t bytes, const struct fair_quotas *l)
{
	uint32_t i;

	if (bytes < fair_quotas_size(l->kinds, l->room, l->jobs, l->most))
		return -FAIR_ENOMEM;
	*copy = *l;
	fair_quotas_lay_out(copy, memory);
	FAIR_MEMCPY(copy->each, l->each, l->kinds * sizeof(*l->each));
	FAIR_MEMCPY(copy->count, l->count, l->kinds * sizeof(*l->count));
	FAIR_MEMCPY(copy->counted, l->counted,
		    l->counts * sizeof(*l->counted));
	FAIR_MEMCPY(copy->row, l->row, l->rows * sizeof(*l->row));
	FAIR_MEMCPY(copy->step, l->step, l->steps * sizeof(*l->step));
	fair_quotas_rehash(copy, fair_quotas_bits(l->rows + 1));
	copy->waiting = 0;
	for (i = 0; i < l->rows; i++)
		copy->row[i].first = 0;
	for (i = 0; i < l->jobs; i++)
		FAIR_MEMSET(copy->job + i, 0, sizeof(*copy->job));
	return 0;
}

FAIR_QUOTAS_API void fair_quotas_copy_job(struct fair_quotas *copy,
					  uint32_t slot,
					  const struct fair_quotas *l,
					  uint32_t from)
{
	uint32_t i;

	uint32_t n = fair_quotas_parts(l->job + from);

	copy->job[slot] = l->job[from];
	FAIR_MEMCPY(copy->part + (size_t)l->most * slot,
		    l->part + (size_t)l->most * from, n * sizeof(*l->part));
	for (i = 0; i < n; i++)
		fair_quotas_link(copy, l->most * slot + i);
	copy->job[slot].listed = l->job[from].waits;
	if (l->job[from].waits)
		copy->wait[copy->waiting++] = slot;
}

/* SEARCHES */

/* Private: a place between two steps: the next one, and what is held before. */
struct fair_quotas_place {
	uint32_t next;
	int64_t held;
};

/* The place behind all steps of a limit that are not after @t. */
static struct fair_quotas_place
fair_quotas_seek(const struct fair_quotas *l, uint32_t root, int64_t t)
{
	struct fair_quotas_place at = { 0, 0 };
	const struct fair_quotas_step *s;

	while (root) {
		s = l->step + root;
		if (s->time <= t) {
			at.held += l->step[s->left].sum + s->delta;
			root = s->right;
		} else {
			at.next = root;
			root = s->left;
		}
	}
	return at;
}

/* The next step to the right that is above @n; 0: none. */
static uint32_t fair_quotas_above(const struct fair_quotas *l, uint32_t n)
{
	while (l->step[n].up && l->step[l->step[n].up].right == n)
		n = l->step[n].up;
	return l->step[n].up;
}

static uint32_t fair_quotas_step_after(const struct fair_quotas *l, uint32_t n)
{
	if (!l->step[n].right)
		return fair_quotas_above(l, n);
	for (n = l->step[n].right; l->step[n].left;)
		n = l->step[n].left;
	return n;
}

/* Whether @held is more than @rest, or with @room no more. */
static bool fair_quotas_turns(int64_t held, int64_t rest, bool room)
{
	return room ? held <= rest : held > rest;
}

/* The same somewhere in the steps below @n, if @held is held before them. */
static bool fair_quotas_turns_in(const struct fair_quotas *l, uint32_t n,
				 int64_t held, int64_t rest, bool room)
{
	const struct fair_quotas_step *s = l->step + n;

	return room ? held + s->least <= rest : held + s->most > rest;
}

/*
 * Move the place behind the first step at which more than @rest is held, or
 * with @room no more. Return: the step; 0: there is none.
 */
static uint32_t fair_quotas_pass(const struct fair_quotas *l,
				 struct fair_quotas_place *at, int64_t rest,
				 bool room)
{
	uint32_t n = at->next;
	const struct fair_quotas_step *s;

	/* Invariant: it is no step before @n. */
	while (n) {
		s = l->step + n;
		at->held += s->delta;
		if (fair_quotas_turns(at->held, rest, room))
			break;
		if (!fair_quotas_turns_in(l, s->right, at->held, rest, room)) {
			at->held += l->step[s->right].sum;
			n = fair_quotas_above(l, n);
			continue;
		}
		/* Invariant: it is one of those below @n. */
		for (n = s->right;
		     fair_quotas_turns_in(l, l->step[n].left, at->held, rest,
					  room);)
			n = l->step[n].left;
		at->held += l->step[l->step[n].left].sum;
	}
	at->next = n ? fair_quotas_step_after(l, n) : 0;
	return n;
}

/* The same as fair_quotas_earliest(), of one limit with steps, of which @rest
 * is left. */
static int64_t fair_quotas_earliest_of(const struct fair_quotas *l,
				       const struct fair_quotas_row *r,
				       int64_t rest, int64_t t,
				       int64_t walltime, int64_t until)
{
	struct fair_quotas_place at;
	uint32_t n;

	if (rest < 0)
		return INT64_MAX;
	if (r->held <= rest)
		return t;
	at = fair_quotas_seek(l, r->root, t);
	/* Invariant: no start before @t is possible; @at is behind the steps
	 * until @t, or one at which too much is held. */
	for (;;) {
		if (at.held > rest) {
			/* In the end nothing is held. */
			n = fair_quotas_pass(l, &at, rest, true);
			t = l->step[n].time;
		}
		if (t >= until)
			return t;
		n = fair_quotas_pass(l, &at, rest, false);
		if (!n || l->step[n].time >= until ||
		    l->step[n].time - t >= walltime)
			return t;
	}
}

FAIR_QUOTAS_API int64_t fair_quotas_earliest(const struct fair_quotas *l,
					     uint32_t slot, int64_t from,
					     int64_t walltime, int64_t until)
{
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	uint32_t n = l->job[slot].parts, agree = 0, i;
	const struct fair_quotas_row *r;
	int64_t t;

	if (l->job[slot].asks && !fair_quotas_has_room(l, slot))
		return INT64_MAX;
	/* Invariant: the last @agree limits, by turns, have room from @from. */
	for (i = 0; agree < n && from < until; i = i + 1 < n ? i + 1 : 0) {
		r = l->row + p[i].row;
		t = from;
		if (p[i].amount && r->stepped)
			t = fair_quotas_earliest_of(
				l, r, fair_quotas_amount(l, r) - p[i].amount,
				from, walltime, until);
		agree = t == from ? agree + 1 : 1;
		from = t;
	}
	return from;
}

/* The most that is held of a limit over [@from, @end). */
static int64_t fair_quotas_most(const struct fair_quotas *l,
				const struct fair_quotas_row *r, int64_t from,
				int64_t end)
{
	struct fair_quotas_place at = fair_quotas_seek(l, r->root, from);
	int64_t most = at.held;
	uint32_t n;

	while ((n = fair_quotas_pass(l, &at, most, false)) &&
	       l->step[n].time < end)
		most = at.held;
	return most;
}

FAIR_QUOTAS_API bool fair_quotas_can_grow(struct fair_quotas *l, uint32_t slot,
					  uint32_t what, uint32_t kinds,
					  int64_t more)
{
	const struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	struct fair_quotas_row *r;
	uint32_t i;

	for (i = 0; i < j->parts && j->from < j->end; i++) {
		r = l->row + p[i].row;
		if (r->what - what >= kinds ||
		    r->held <= fair_quotas_amount(l, r) - more)
			continue;
		fair_quotas_begin_steps(l, r);
		if (fair_quotas_most(l, r, j->from, j->end) >
		    fair_quotas_amount(l, r) - more)
			return false;
	}
	return true;
}

FAIR_QUOTAS_API bool fair_quotas_can_spend(const struct fair_quotas *l,
					   uint32_t slot, int64_t more)
{
	const struct fair_quotas_part *p;
	uint32_t i;

	for (i = 0; i < l->job[slot].budgets; i++) {
		p = fair_quotas_budget_part(l, slot, i);
		if (!fair_quotas_can_pay(l, l->row + p->row, more))
			return false;
	}
	return true;
}

FAIR_QUOTAS_API bool fair_quotas_is_over(const struct fair_quotas *l,
					 uint32_t slot)
{
	const struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	const struct fair_quotas_row *r;
	uint32_t i;

	if (j->asks && j->from < j->end)
		return true;
	for (i = 0; i < j->parts && j->from < j->end; i++) {
		r = l->row + p[i].row;
		if (p[i].amount && fair_quotas_most(l, r, j->from, j->end) >
					   fair_quotas_amount(l, r))
			return true;
	}
	return false;
}

/* The same of budgets: the first that has no room; one that a job before this
 * one waits for is the first of all. */
static bool fair_quotas_blocking_budget(const struct fair_quotas *l,
					uint32_t slot,
					struct fair_quotas_of *limit,
					int64_t *used)
{
	const struct fair_quotas_job *j = l->job + slot;
	const struct fair_quotas_row *r;
	uint32_t i;

	if (!j->asks || fair_quotas_has_room(l, slot))
		return false;
	i = fair_quotas_unpaid(l, slot);
	i = i < j->budgets ? i : 0;
	r = l->row + fair_quotas_budget_part(l, slot, i)->row;
	limit->what = r->what;
	limit->whose = r->whose;
	limit->part = 0;
	limit->amount = fair_quotas_amount(l, r);
	*used = r->held + r->spent;
	return true;
}

FAIR_QUOTAS_API bool fair_quotas_blocker(const struct fair_quotas *l,
					 uint32_t slot, int64_t from,
					 int64_t walltime, int64_t until,
					 struct fair_quotas_of *limit,
					 int64_t *used)
{
	int64_t end = from + walltime < until ? from + walltime : until, most;
	const struct fair_quotas_part *p = l->part + (size_t)l->most * slot;
	const struct fair_quotas_row *r;
	uint32_t i;

	for (i = 0; i < l->job[slot].parts; i++) {
		r = l->row + p[i].row;
		most = fair_quotas_most(l, r, from, end);
		if (!p[i].amount ||
		    most <= fair_quotas_amount(l, r) - p[i].amount)
			continue;
		limit->what = r->what;
		limit->whose = r->whose;
		limit->part = r->part;
		limit->amount = fair_quotas_amount(l, r);
		*used = most;
		return true;
	}
	return fair_quotas_blocking_budget(l, slot, limit, used);
}

/* CHECK */

/* Whether a limit is found (I1), or else is spare. */
static bool fair_quotas_is_found(const struct fair_quotas *l, uint32_t row)
{
	const struct fair_quotas_row *r = l->row + row;
	bool used = r->jobs || r->amount != FAIR_QUOTAS_NONE;

	return (fair_quotas_find(l, r->what, r->whose, r->part) == row) == used;
}

/* Whether it counts its jobs (I2). */
static bool fair_quotas_is_counted(const struct fair_quotas *l, uint32_t row)
{
	const struct fair_quotas_row *r = l->row + row;
	const struct fair_quotas_part *p;
	uint32_t slot, i, jobs = 0;
	int64_t held = 0, asked = 0;

	for (slot = 0; slot < l->jobs; slot++) {
		p = l->part + (size_t)l->most * slot;
		for (i = 0; i < fair_quotas_parts(l->job + slot); i++) {
			if (p[i].row != row)
				continue;
			jobs++;
			asked += p[i].amount;
			if (r->what < l->budgets
				    ? l->job[slot].from < l->job[slot].end
				    : !l->job[slot].asks)
				held += p[i].amount;
		}
	}
	return jobs == r->jobs &&
	       (!jobs || (held == r->held && asked == r->asked));
}

/* Whether its jobs are linked (I2). */
static bool fair_quotas_is_linked(const struct fair_quotas *l, uint32_t row)
{
	const struct fair_quotas_row *r = l->row + row;
	const struct fair_quotas_part *p;
	uint32_t i = r->first, before = 0, n = 0;

	/* It ends: in a circle a part has another one before it. */
	for (; i; n++) {
		p = l->part + i - 1;
		if (p->row != row || p->before != before)
			return false;
		before = i;
		i = p->after;
	}
	return n == r->jobs;
}

/* Whether a node is right where it stands (I3). */
static bool fair_quotas_is_sound(const struct fair_quotas *l, uint32_t n)
{
	const struct fair_quotas_step *s = l->step + n;
	struct fair_quotas_step sums = fair_quotas_summed(l, n);
	uint32_t after = fair_quotas_step_after(l, n);

	return sums.sum == s->sum && sums.most == s->most &&
	       sums.least == s->least && s->delta &&
	       (!after || s->time < l->step[after].time) &&
	       (!s->left || (l->step[s->left].up == n &&
			     l->step[s->left].heap <= s->heap)) &&
	       (!s->right || (l->step[s->right].up == n &&
			      l->step[s->right].heap <= s->heap));
}

/* What the jobs of a limit hold at @t. */
static int64_t fair_quotas_held_at(const struct fair_quotas *l, uint32_t row,
				   int64_t t)
{
	const struct fair_quotas_part *p;
	int64_t held = 0;
	uint32_t slot, i;

	for (slot = 0; slot < l->jobs; slot++) {
		p = l->part + (size_t)l->most * slot;
		for (i = 0; i < l->job[slot].parts; i++)
			if (p[i].row == row && l->job[slot].from <= t &&
			    t < l->job[slot].end)
				held += p[i].amount;
	}
	return held;
}

/* Whether no step is missing where a job of the limit begins (I4). */
static bool fair_quotas_are_steps_complete(const struct fair_quotas *l,
					   uint32_t row)
{
	const struct fair_quotas_job *j = l->job;

	for (; j < l->job + l->jobs; j++)
		if (fair_quotas_seek(l, l->row[row].root, j->from).held !=
		    fair_quotas_held_at(l, row, j->from))
			return false;
	return true;
}

/* I3 and I4 of a limit with jobs; 0: they hold. */
static int fair_quotas_check_steps(const struct fair_quotas *l, uint32_t row)
{
	const struct fair_quotas_row *r = l->row + row;
	uint32_t n = r->root;
	int64_t held = 0;

	if (r->what >= l->budgets)
		return n || r->stepped ? 4 : 0;
	if (!r->stepped)
		return n || r->asked > fair_quotas_amount(l, r) ? 4 : 0;
	if (n && l->step[n].up)
		return 3;
	while (n && l->step[n].left)
		n = l->step[n].left;
	for (; n; n = fair_quotas_step_after(l, n)) {
		if (!fair_quotas_is_sound(l, n))
			return 3;
		held += l->step[n].delta;
		if (held != fair_quotas_held_at(l, row, l->step[n].time))
			return 4;
	}
	return held || !fair_quotas_are_steps_complete(l, row) ? 4 : 0;
}

/* Whether each job that waits is listed, and no job twice (I5). */
static bool fair_quotas_is_list_right(const struct fair_quotas *l)
{
	uint32_t slot, listed = 0, i;

	for (slot = 0; slot < l->jobs; slot++) {
		listed += l->job[slot].listed;
		if (l->job[slot].waits &&
		    (!l->job[slot].listed || !l->job[slot].asks))
			return false;
	}
	for (i = 0; i < l->waiting; i++)
		if (!l->job[l->wait[i]].listed)
			return false;
	return listed == l->waiting;
}

FAIR_QUOTAS_API int fair_quotas_check(const struct fair_quotas *l)
{
	uint32_t row;
	int broken;

	if (!fair_quotas_is_list_right(l))
		return 5;
	for (row = 0; row < l->rows; row++) {
		if (!fair_quotas_is_found(l, row))
			return 1;
		if (!fair_quotas_is_counted(l, row) ||
		    !fair_quotas_is_linked(l, row))
			return 2;
		if (!l->row[row].jobs)
			continue;
		broken = fair_quotas_check_steps(l, row);
		if (broken)
			return broken;
	}
	return 0;
}
#endif /* FAIR_QUOTAS_IMPLEMENTED */

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
