/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairness.h - fair share and unfairness of each job, while it runs
 *
 * In ONE file:  #define FAIR_FAIRNESS_IMPLEMENTATION
 *               #include "fairness.h"
 *
 * A job is active from its arrival to its completion. At each moment the
 * processors in use are divided among the active jobs, either equally or in
 * proportion to their requests; a job's fair share is at most its request
 * [CF 3.2]. The unfairness to a job is its fair share over its life minus the
 * processor-seconds that it used:
 *
 *      16 |      ______              in use / active jobs
 *         |_____|      |             The unweighted fair share of a job of 8
 *       8 |.....|......|.....        processors is the area under the lower of
 *         |#####|######|_____        both lines; that of a job of 20, the area
 *       0 |#####|######|#####        under the full one.
 *
 * EXAMPLE
 *   // 10 processors; job b waits for job a.
 *   struct fair_fairness f;
 *   struct fair_fairness_job a, b;
 *   struct fair_fairness_share share;
 *   struct fair_fairness_mean mean = { { 0, 0 }, 0 };
 *   unsigned char memory[512];
 *
 *   fair_fairness_init(&f, sizeof(f), memory, sizeof(memory), 10, 0);
 *   fair_fairness_arrive(&f, 0, 10, &a);
 *   fair_fairness_start(&f, 0, &a);
 *   fair_fairness_arrive(&f, 40, 2, &b);
 *   fair_fairness_complete(&f, 100, &a, &share);
 *   // weighted fair share 40 * 10 + 60 * 10 * 10 / 12 = 900, used 1000
 *   fair_fairness_start(&f, 100, &b);
 *   fair_fairness_complete(&f, 150, &b, &share);
 *   // unweighted fair share 60 * 2 + 50 * 2 = 220, used 100
 *   fair_fairness_mean_add(&mean, fair_fairness_unfairness(share.unweighted,
 *                                                          share.used));
 *
 * METHOD. Let s = in use / active jobs. For unweighted shares, the area under
 * min(s, p) since the origin is kept for every p at once. Time is divided by
 * the level floor(s). As p is an integer, s < p if and only if floor(s) < p:
 *
 *   F(p) = sum over levels k < p of area[k]        the area under s
 *        + p * (seconds - sum over k < p of seconds[k])
 *
 * The sums come from a binary indexed tree over the levels [F94]. A job's fair
 * share is F(p) at its completion minus F(p) at its arrival. For weighted
 * shares, in use <= requested by active jobs, since running jobs are active; so
 * p / requested * in use never exceeds p, and one running total of
 * in use / requested is enough.
 *
 * MEANS. Weighted fair shares add up to the processors in use at every moment.
 * So over jobs that have all completed, the mean of weighted unfairness is 0
 * for every schedule (here: less rounding), and that of unweighted unfairness
 * never above 0. To compare schedules, average fair_fairness_positive() of it:
 * how far jobs were below their fair share.
 *
 * EXACTNESS. The exact sums are fractions whose denominators are all the
 * numbers of active jobs there ever were, which no bounded memory holds. So
 * each interval between two events is rounded down to a multiple of u = 2^-64,
 * in area and in in use / requested; all else is exact. For a job of p
 * processors, with n intervals in its life in which processors are in use:
 *
 *   0 <= fair share - share.unweighted <= n * u, = 0 if s >= p always
 *   0 <= fair share - share.weighted   <= n * p * u
 *
 * A mean is rounded down once more: 0 <= exact mean - mean < u.
 *
 * UNITS       processors, seconds; shares: processor-seconds, a whole part and
 *             a fraction in 2^-64, which is never negative: -1/4 is -1 + 3/4
 * ERRORS      0 or -FAIR_E...; on error nothing changed. -FAIR_EINVAL a bad
 *             argument, an earlier time, a job in another state;
 *             -FAIR_ENOMEM; -FAIR_ERANGE a job of more than widest processors,
 *             a mean of no jobs; -FAIR_EOVERFLOW 2^62 processor-seconds in
 *             all, 2^48 processors requested at once, or 2^48 jobs in a mean
 * MEMORY      the caller's: fair_fairness_size() bytes, 24 for each processor
 *             of the widest job, and 48 for each active job
 * THREADS     const calls may run concurrently
 * COMPLEXITY  an event: O(log widest), at most 31 steps and a few divisions,
 *             however many jobs there are; init, check O(widest)
 * DEFINES     FAIR_FAIRNESS_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 0 <= busy <= requested, 0 <= active <= requested, and active
 *                and requested are 0 together
 *             I2 weight <= seconds <= used <= 2^62
 *             I3 over all levels, the sum of seconds is at most seconds and
 *                the sum of areas at most used
 *             I4 area[k] / seconds[k], rounded down, is k
 * SOURCES     [CF] Rajbhandary, Bunde & Leung, JSSPP 2013 (LNCS 2014)
 *             [SS05] Sabin & Sadayappan, JSSPP 2005
 *             [F94] Fenwick, Software: Practice and Experience 24(3), 1994
 */
#ifndef FAIR_FAIRNESS_H
#define FAIR_FAIRNESS_H

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

#ifndef FAIR_FAIRNESS_API
#define FAIR_FAIRNESS_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_FAIRNESS_API, fair_fairness);

/** struct fair_fairness_amount - @whole + @fraction * 2^-64. */
struct fair_fairness_amount {
	int64_t whole;
	uint64_t fraction;
};

/**
 * struct fair_fairness_share - fair shares of one job, processor-seconds.
 * @unweighted: fair share by [CF] equation 1
 * @weighted:   fair share by [CF] equation 2
 * @used:       what the job used
 */
struct fair_fairness_share {
	struct fair_fairness_amount unweighted, weighted;
	int64_t used;
};

/** struct fair_fairness_mean - begins as { { 0, 0 }, 0 }; private. */
struct fair_fairness_mean {
	struct fair_fairness_amount sum;
	uint64_t n;
};

/** struct fair_fairness_job - an active job; private. */
struct fair_fairness_job {
	struct fair_fairness_amount area, weight; /* at its arrival */
	int64_t started;
	int32_t procs;
	uint32_t state;
};

/* The time at some levels, and the area under in use / active. */
struct fair_fairness_level {
	struct fair_fairness_amount area;
	int64_t seconds;
};

/** struct fair_fairness - all fields are private. */
struct fair_fairness {
	struct fair_fairness_level *tree; /* tree[k] ends at level k */
	int32_t widest;
	int64_t now;
	int64_t active, requested, busy;    /* jobs; processors */
	int64_t seconds, used;		    /* while processors were in use */
	struct fair_fairness_amount weight; /* of busy / requested */
};

/** fair_fairness_size() - bytes for jobs up to @widest; 0 if too many. */
FAIR_FAIRNESS_API size_t fair_fairness_size(int32_t widest);

/**
 * fair_fairness_init() - begin without an active job.
 * @struct_size: sizeof(struct fair_fairness) as the caller compiled it
 * @memory:      fair_fairness_size() bytes that stay with it, any alignment
 * @widest:      most processors of a job, >= 1
 * @origin:      time of the begin, seconds
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_FAIRNESS_API int fair_fairness_init(struct fair_fairness *f,
					 size_t struct_size, void *memory,
					 size_t bytes, int32_t widest,
					 int64_t origin);

/**
 * fair_fairness_arrive() - add an active job.
 * @now:   seconds, not before the last event
 * @procs: processors, 1 to widest
 * @j:     out: the job; it may be moved in memory
 *
 * If the processors of a queued job change, complete it and add it again.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE; -FAIR_EOVERFLOW.
 * Complexity: O(log widest).
 */
FAIR_FAIRNESS_API int fair_fairness_arrive(struct fair_fairness *f, int64_t now,
					   int32_t procs,
					   struct fair_fairness_job *j);

/**
 * fair_fairness_start() - start an active job.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(log widest).
 */
FAIR_FAIRNESS_API int fair_fairness_start(struct fair_fairness *f, int64_t now,
					  struct fair_fairness_job *j);

/**
 * fair_fairness_complete() - remove an active job that ended or was cancelled.
 * @share: out: its fair share and its use
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(log widest).
 * Source: [CF] equations 1, 2.
 */
FAIR_FAIRNESS_API int fair_fairness_complete(struct fair_fairness *f,
					     int64_t now,
					     struct fair_fairness_job *j,
					     struct fair_fairness_share *share);

/**
 * fair_fairness_at() - fair share and use of an active job until now.
 * @now:   seconds, not before the last event
 * @share: out
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(log widest).
 */
FAIR_FAIRNESS_API int fair_fairness_at(const struct fair_fairness *f,
				       int64_t now,
				       const struct fair_fairness_job *j,
				       struct fair_fairness_share *share);

/** fair_fairness_unfairness() - @share minus @used. */
FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_unfairness(struct fair_fairness_amount share, int64_t used);

/** fair_fairness_positive() - max(0, @a). */
FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_positive(struct fair_fairness_amount a);

/**
 * fair_fairness_mean_add() - add an amount of up to +-2^62 to a mean.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if the sum exceeds +-2^62.
 */
FAIR_FAIRNESS_API int fair_fairness_mean_add(struct fair_fairness_mean *m,
					     struct fair_fairness_amount a);

/**
 * fair_fairness_mean_add_delay() - add max(0, @start - @fair_start), seconds.
 *
 * Gives strict or relaxed unfairness [CF 3.1] with the strict or the relaxed
 * fair start time.
 *
 * Return: as fair_fairness_mean_add().
 */
FAIR_FAIRNESS_API int fair_fairness_mean_add_delay(struct fair_fairness_mean *m,
						   int64_t start,
						   int64_t fair_start);

/**
 * fair_fairness_mean_value() - mean of the amounts, rounded down to 2^-64.
 * @mean: out
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if nothing was added.
 */
FAIR_FAIRNESS_API int
fair_fairness_mean_value(const struct fair_fairness_mean *m,
			 struct fair_fairness_amount *mean);

/** fair_fairness_check() - 0, or the number of the first broken invariant. */
FAIR_FAIRNESS_API int fair_fairness_check(const struct fair_fairness *f);

FAIRSCHED_END_C
#endif /* FAIR_FAIRNESS_H */

#if !defined(FAIR_FAIRNESS_IMPLEMENTED) &&                                     \
	(defined(FAIR_FAIRNESS_IMPLEMENTATION) ||                              \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_FAIRNESS_IMPLEMENTED

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

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_DIVISION
#define FAIRSCHED_SHARED_DIVISION

static inline struct fair_wide fair_wide_add(struct fair_wide a, uint64_t b)
{
	a.low += b;
	a.high += a.low < b;
	return a;
}

/* 1 + the number of the highest set bit; 0 for 0. */
static inline int fair_bits(uint64_t a)
{
#if defined(__GNUC__) && !defined(FAIR_NO_INT128)
	return a ? 64 - __builtin_clzll(a) : 0;
#else
	int n = 0;

	for (; a; a >>= 1)
		n++;
	return n;
#endif
}

/*
 * One digit, of 32 bits, of a long division: rest * 2^32 + next by d, for
 * rest < d and d >= 2^63; @rest becomes the remainder. The estimate from the
 * upper half of d is never too small, and at most two too large (Knuth, TAOCP
 * 4.3.1, theorem B).
 */
static inline uint64_t fair_digit(uint64_t *rest, uint64_t next, uint64_t d)
{
	uint64_t digit = *rest / (d >> 32);
	uint64_t left = *rest % (d >> 32);

	while (digit > UINT32_MAX ||
	       digit * (d & UINT32_MAX) > (left << 32 | next)) {
		digit--;
		left += d >> 32;
		if (left > UINT32_MAX)
			break;
	}
	*rest = (*rest << 32) + next - digit * d; /* < d: right modulo 2^64 */
	return digit;
}

/* a / d, rounded down, and the rest; a.high < d */
static inline uint64_t fair_divide(struct fair_wide a, uint64_t d,
				   uint64_t *rest)
{
	int shift = 64 - fair_bits(d);
	uint64_t high;

	if (!a.high) {
		*rest = a.low % d;
		return a.low / d;
	}
	*rest = a.high << shift | a.low >> 1 >> (63 - shift);
	a.low <<= shift;
	d <<= shift;
	high = fair_digit(rest, a.low >> 32, d);
	a.low = high << 32 | fair_digit(rest, a.low & UINT32_MAX, d);
	*rest >>= shift;
	return a.low;
}
#endif /* FAIRSCHED_SHARED_DIVISION */

FAIRSCHED_PROVIDE(FAIR_FAIRNESS_API, fair_fairness)

#define FAIR_FAIRNESS_LIMIT ((int64_t)1 << 62)	 /* of processor-seconds */
#define FAIR_FAIRNESS_DIVISOR ((int64_t)1 << 48) /* of divisors */

enum { FAIR_FAIRNESS_COMPLETED, FAIR_FAIRNESS_QUEUED, FAIR_FAIRNESS_RUNNING };

/*
 * An interval between two events, and what it adds. All levels of the widest
 * job and above are one, whose area is never read.
 */
struct fair_fairness_interval {
	struct fair_fairness_amount area, weight;
	int64_t seconds; /* 0 while nothing is in use */
	int64_t used;
	int32_t level;
};

static struct fair_fairness_amount
fair_fairness_add(struct fair_fairness_amount a, struct fair_fairness_amount b)
{
	a.fraction += b.fraction;
	a.whole += b.whole + (a.fraction < b.fraction);
	return a;
}

static struct fair_fairness_amount
fair_fairness_subtract(struct fair_fairness_amount a,
		       struct fair_fairness_amount b)
{
	a.whole -= b.whole + (a.fraction < b.fraction);
	a.fraction -= b.fraction;
	return a;
}

/* a * procs, for 0 <= a * procs < 2^63 */
static struct fair_fairness_amount
fair_fairness_times(struct fair_fairness_amount a, int32_t procs)
{
	struct fair_wide part = fair_multiply(a.fraction, (uint64_t)procs);

	a.whole = a.whole * procs + (int64_t)part.high;
	a.fraction = part.low;
	return a;
}

/* a / d rounded down, d > 0 */
static struct fair_fairness_amount
fair_fairness_divide(struct fair_fairness_amount a, uint64_t d)
{
	int64_t whole = a.whole / (int64_t)d;
	struct fair_wide rest;

	if (whole * (int64_t)d > a.whole)
		whole--;
	rest.high = (uint64_t)a.whole - (uint64_t)whole * d;
	rest.low = a.fraction;
	a.whole = whole;
	a.fraction = fair_divide(rest, d, &rest.high);
	return a;
}

FAIR_FAIRNESS_API size_t fair_fairness_size(int32_t widest)
{
	uint64_t size = (uint64_t)sizeof(struct fair_fairness_level) *
				(uint64_t)widest +
			7;

	return widest < 1 || size > SIZE_MAX ? 0 : (size_t)size;
}

FAIR_FAIRNESS_API int fair_fairness_init(struct fair_fairness *f,
					 size_t struct_size, void *memory,
					 size_t bytes, int32_t widest,
					 int64_t origin)
{
	char *at = (char *)memory;

	if (!f || struct_size != sizeof(*f) || !memory || widest < 1)
		return -FAIR_EINVAL;
	if (!fair_fairness_size(widest) || bytes < fair_fairness_size(widest))
		return -FAIR_ENOMEM;
	at += (8 - (uintptr_t)at % 8) % 8;
	FAIR_MEMSET(f, 0, sizeof(*f));
	f->tree = (struct fair_fairness_level *)(void *)at;
	f->widest = widest;
	f->now = origin;
	FAIR_MEMSET(f->tree, 0, (size_t)widest * sizeof(*f->tree));
	return 0;
}

/* The interval from the last event until now. */
static int fair_fairness_interval_until(const struct fair_fairness *f,
					int64_t now,
					struct fair_fairness_interval *d)
{
	struct fair_fairness_amount used = { 0, 0 };
	uint64_t seconds = (uint64_t)now - (uint64_t)f->now;

	if (now < f->now)
		return -FAIR_EINVAL;
	FAIR_MEMSET(d, 0, sizeof(*d));
	if (!f->busy || !seconds)
		return 0;
	if (seconds > (uint64_t)((FAIR_FAIRNESS_LIMIT - f->used) / f->busy))
		return -FAIR_EOVERFLOW;
	d->seconds = (int64_t)seconds;
	d->used = used.whole = f->busy * (int64_t)seconds;
	d->area = fair_fairness_divide(used, (uint64_t)f->active);
	d->weight = fair_fairness_divide(used, (uint64_t)f->requested);
	d->level = f->busy / f->active < f->widest
			   ? (int32_t)(f->busy / f->active)
			   : f->widest;
	return 0;
}

static void fair_fairness_advance(struct fair_fairness *f, int64_t now,
				  const struct fair_fairness_interval *d)
{
	struct fair_fairness_level *node;
	uint32_t i;

	f->now = now;
	if (!d->seconds)
		return;
	f->seconds += d->seconds;
	f->used += d->used;
	f->weight = fair_fairness_add(f->weight, d->weight);
	/* Node i is the sum of i & -i levels, of which the last is i - 1. */
	for (i = (uint32_t)d->level + 1; i <= (uint32_t)f->widest;
	     i += i & (0 - i)) {
		node = f->tree + i - 1;
		node->area = fair_fairness_add(node->area, d->area);
		node->seconds += d->seconds;
	}
}

/* F(procs) of the manual: at most used, as min(s, procs) <= s <= busy. */
static struct fair_fairness_amount
fair_fairness_area(const struct fair_fairness *f, int32_t procs)
{
	struct fair_fairness_amount area = { 0, 0 };
	int64_t above = f->seconds;
	uint32_t i;

	for (i = (uint32_t)procs; i; i &= i - 1) {
		area = fair_fairness_add(area, f->tree[i - 1].area);
		above -= f->tree[i - 1].seconds;
	}
	area.whole += procs * above;
	return area;
}

/* Shares of a job at @now, @d after the last event. */
static void fair_fairness_shares(const struct fair_fairness *f, int64_t now,
				 const struct fair_fairness_job *j,
				 const struct fair_fairness_interval *d,
				 struct fair_fairness_share *share)
{
	struct fair_fairness_amount open = d->area, weight;

	if (d->level >= j->procs) {
		open.whole = j->procs * d->seconds;
		open.fraction = 0;
	}
	share->unweighted = fair_fairness_subtract(
		fair_fairness_add(fair_fairness_area(f, j->procs), open),
		j->area);
	weight = fair_fairness_add(f->weight, d->weight);
	weight = fair_fairness_subtract(weight, j->weight);
	share->weighted = fair_fairness_times(weight, j->procs);
	share->used = 0;
	if (j->state == FAIR_FAIRNESS_RUNNING)
		share->used = (now - j->started) * j->procs;
}

FAIR_FAIRNESS_API int fair_fairness_arrive(struct fair_fairness *f, int64_t now,
					   int32_t procs,
					   struct fair_fairness_job *j)
{
	struct fair_fairness_interval d;
	int error;

	if (!f || !j || procs < 1)
		return -FAIR_EINVAL;
	if (procs > f->widest)
		return -FAIR_ERANGE;
	if (f->requested >= FAIR_FAIRNESS_DIVISOR - procs)
		return -FAIR_EOVERFLOW;
	error = fair_fairness_interval_until(f, now, &d);
	if (error)
		return error;
	fair_fairness_advance(f, now, &d);
	f->active++;
	f->requested += procs;
	j->area = fair_fairness_area(f, procs);
	j->weight = f->weight;
	j->started = now;
	j->procs = procs;
	j->state = FAIR_FAIRNESS_QUEUED;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_start(struct fair_fairness *f, int64_t now,
					  struct fair_fairness_job *j)
{
	struct fair_fairness_interval d;
	int error;

	if (!f || !j || j->state != FAIR_FAIRNESS_QUEUED)
		return -FAIR_EINVAL;
	error = fair_fairness_interval_until(f, now, &d);
	if (error)
		return error;
	fair_fairness_advance(f, now, &d);
	f->busy += j->procs;
	j->started = now;
	j->state = FAIR_FAIRNESS_RUNNING;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_complete(struct fair_fairness *f,
					     int64_t now,
					     struct fair_fairness_job *j,
					     struct fair_fairness_share *share)
{
	struct fair_fairness_interval d;
	int error;

	if (!f || !j || !share || j->state == FAIR_FAIRNESS_COMPLETED)
		return -FAIR_EINVAL;
	error = fair_fairness_interval_until(f, now, &d);
	if (error)
		return error;
	fair_fairness_shares(f, now, j, &d, share);
	fair_fairness_advance(f, now, &d);
	f->active--;
	f->requested -= j->procs;
	if (j->state == FAIR_FAIRNESS_RUNNING)
		f->busy -= j->procs;
	j->state = FAIR_FAIRNESS_COMPLETED;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_at(const struct fair_fairness *f,
				       int64_t now,
				       const struct fair_fairness_job *j,
				       struct fair_fairness_share *share)
{
	struct fair_fairness_interval d;
	int error;

	if (!f || !j || !share || j->state == FAIR_FAIRNESS_COMPLETED)
		return -FAIR_EINVAL;
	error = fair_fairness_interval_until(f, now, &d);
	if (!error)
		fair_fairness_shares(f, now, j, &d, share);
	return error;
}

FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_unfairness(struct fair_fairness_amount share, int64_t used)
{
	share.whole -= used;
	return share;
}

FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_positive(struct fair_fairness_amount a)
{
	struct fair_fairness_amount nothing = { 0, 0 };

	return a.whole < 0 ? nothing : a;
}

static bool fair_fairness_is_in_range(struct fair_fairness_amount a)
{
	return a.whole >= -FAIR_FAIRNESS_LIMIT && a.whole < FAIR_FAIRNESS_LIMIT;
}

FAIR_FAIRNESS_API int fair_fairness_mean_add(struct fair_fairness_mean *m,
					     struct fair_fairness_amount a)
{
	struct fair_fairness_amount sum;

	if (!m)
		return -FAIR_EINVAL;
	if (!fair_fairness_is_in_range(a) ||
	    m->n >= (uint64_t)FAIR_FAIRNESS_DIVISOR - 1)
		return -FAIR_EOVERFLOW;
	sum = fair_fairness_add(m->sum, a);
	if (!fair_fairness_is_in_range(sum))
		return -FAIR_EOVERFLOW;
	m->sum = sum;
	m->n++;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_mean_add_delay(struct fair_fairness_mean *m,
						   int64_t start,
						   int64_t fair_start)
{
	struct fair_fairness_amount late = { 0, 0 };

	if (start > fair_start) {
		if ((uint64_t)start - (uint64_t)fair_start >=
		    (uint64_t)FAIR_FAIRNESS_LIMIT)
			return m ? -FAIR_EOVERFLOW : -FAIR_EINVAL;
		late.whole = start - fair_start;
	}
	return fair_fairness_mean_add(m, late);
}

FAIR_FAIRNESS_API int
fair_fairness_mean_value(const struct fair_fairness_mean *m,
			 struct fair_fairness_amount *mean)
{
	if (!m || !mean)
		return -FAIR_EINVAL;
	if (!m->n)
		return -FAIR_ERANGE;
	*mean = fair_fairness_divide(m->sum, m->n);
	return 0;
}

/* Level k: node k + 1 minus the nodes that are parts of it. */
static struct fair_fairness_level
fair_fairness_level_at(const struct fair_fairness *f, uint32_t k)
{
	struct fair_fairness_level level = f->tree[k];
	uint32_t first = k & (k + 1), i;

	for (i = k; i > first; i &= i - 1) {
		level.area =
			fair_fairness_subtract(level.area, f->tree[i - 1].area);
		level.seconds -= f->tree[i - 1].seconds;
	}
	return level;
}

static int fair_fairness_check_levels(const struct fair_fairness *f)
{
	struct fair_fairness_amount area = { 0, 0 };
	struct fair_fairness_level level;
	int64_t seconds = 0;
	uint32_t k;

	for (k = 0; k < (uint32_t)f->widest; k++) {
		level = fair_fairness_level_at(f, k);
		if (level.seconds < 0 || level.seconds > f->seconds - seconds ||
		    level.area.whole < 0 ||
		    level.area.whole > f->used - area.whole)
			return 3;
		seconds += level.seconds;
		area = fair_fairness_add(area, level.area);
		if (level.seconds ? level.area.whole / level.seconds != k
				  : level.area.whole || level.area.fraction)
			return 4;
	}
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_check(const struct fair_fairness *f)
{
	if (f->busy < 0 || f->busy > f->requested || f->active < 0 ||
	    f->active > f->requested || !f->active != !f->requested)
		return 1;
	if (f->weight.whole < 0 || f->weight.whole > f->seconds ||
	    (f->weight.whole == f->seconds && f->weight.fraction) ||
	    f->seconds > f->used || f->used > FAIR_FAIRNESS_LIMIT)
		return 2;
	return fair_fairness_check_levels(f);
}
#endif /* FAIR_FAIRNESS_IMPLEMENTED */

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
