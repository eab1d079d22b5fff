/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairness.h - what each job deserved: fair shares and unfairness, live
 *
 * In ONE file:  #define FAIR_FAIRNESS_IMPLEMENTATION
 *               #include "fairness.h"
 *
 * A job is active from its arrival to its completion. At each moment the active
 * jobs deserve the processors in use, in equal parts or in proportion to what
 * they request, and none deserves more than it requests [CF 3.2]. What a job
 * deserved in its life, less what it got, is how unfairly it was treated:
 *
 *      16 |      ______              in use / active jobs
 *         |_____|      |             a job of 8 processors deserves the area
 *       8 |.....|......|.....        under the lower of the two lines, one of
 *         |#####|######|_____        20 the area under the full one
 *       0 |#####|######|#####
 *
 * EXAMPLE
 *   // 10 processors; job b waits for a.
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
 *   // deserved 40 * 10 + 60 * 10 * 10 / 12 = 900 if weighted, got 1000
 *   fair_fairness_start(&f, 100, &b);
 *   fair_fairness_complete(&f, 150, &b, &share);
 *   // deserved 60 * 2 + 50 * 2 = 220 if unweighted, got 100
 *   fair_fairness_mean_add(&mean, fair_fairness_minus(share.unweighted,
 *                                                     share.used));
 *
 * HOW. For unweighted shares, with s = in use / active jobs, the area under
 * min(s, p) since the beginning is kept for every p at once. Time is sorted
 * into levels floor(s). As p is an integer, s < p if and only if floor(s) < p:
 *
 *   F(p) = sum over levels k < p of area[k]        the area under s
 *        + p * (seconds - sum over k < p of seconds[k])
 *
 * whose sums are those of a binary indexed tree over the levels [F94]. A job
 * deserves F(p) at its completion less F(p) at its arrival. For weighted shares
 * in use <= requested by active jobs, since running jobs are active; so
 * p / requested * in use never exceeds p, and one running total of
 * in use / requested is enough.
 *
 * WHAT THE MEANS SAY. Weighted shares add up to the processors in use at every
 * moment. So over jobs that have all completed, the mean of weighted unfairness
 * is 0 for every schedule (here: less rounding), and that of unweighted
 * unfairness never above 0. To tell schedules apart, average
 * fair_fairness_above() of it: what those who got too little were short of.
 *
 * EXACTNESS. Fractions have denominators of all the numbers of active jobs
 * there ever were, which no bounded memory holds. So each stretch of time
 * between two events is cut to a multiple of u = 2^-64, in area and in
 * in use / requested; all else is exact. With n stretches in its life in which
 * processors are in use, for a job of p processors:
 *
 *   0 <= deserved - share.unweighted <= n * u, = 0 if s >= p always
 *   0 <= deserved - share.weighted   <= n * p * u
 *
 * A mean is cut once more: 0 <= exact mean of what was added - mean < u.
 *
 * UNITS       processors, seconds; shares: processor-seconds, a whole part and
 *             a fraction in 2^-64, which counts up even from a negative whole
 * ERRORS      0 or -FAIR_E...; on error nothing changed. -FAIR_EINVAL a bad
 *             argument, time that goes back, a job in another state;
 *             -FAIR_ENOMEM; -FAIR_ERANGE a job wider than the widest, a mean of
 *             nothing; -FAIR_EOVERFLOW 2^62 processor-seconds in all, 2^48
 *             processors requested at once, or as many jobs in a mean
 * MEMORY      the caller's, fair_fairness_size() bytes: 24 a processor of the
 *             widest job; 48 a job, the caller's too
 * THREADS     const calls may run concurrently
 * COMPLEXITY  an event: O(log widest), at most 31 steps and a few divisions,
 *             however many jobs there are; init, check O(widest)
 * DEFINES     FAIR_FAIRNESS_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 0 <= busy <= requested, 0 <= active <= requested, and active
 *                and requested are 0 together
 *             I2 weight <= seconds <= used <= 2^62
 *             I3 the seconds of all levels are no more than seconds, their
 *                areas no more than used
 *             I4 area[k] / seconds[k], rounded down, is k
 * SOURCES     [CF] Rajbhandary, Bunde & Leung, JSSPP 2013 (LNCS 2014)
 *             [SS05] Sabin & Sadayappan, JSSPP 2005
 *             [F94] Fenwick, Software: Practice and Experience 24(3), 1994
 */
#ifndef FAIR_FAIRNESS_H
#define FAIR_FAIRNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRSCHED_VERSION 100

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifndef FAIR_FAIRNESS_API
#ifndef FAIRSCHED_STATIC
#define FAIR_FAIRNESS_API extern
#elif defined(__GNUC__)
#define FAIR_FAIRNESS_API static __attribute__((unused))
#else
#define FAIR_FAIRNESS_API static
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIR_FAIRNESS_API int fair_fairness_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_fairness_linked)(void)
	__attribute__((used, retain)) = fair_fairness_version_100;
#endif
#endif

/** struct fair_fairness_amount - @whole + @fraction * 2^-64. */
struct fair_fairness_amount {
	int64_t whole;
	uint64_t fraction;
};

/**
 * struct fair_fairness_share - of one job, processor-seconds.
 * @unweighted: what it deserved by [CF] equation 1
 * @weighted:   and by equation 2
 * @used:       what it got
 */
struct fair_fairness_share {
	struct fair_fairness_amount unweighted, weighted;
	int64_t used;
};

/** struct fair_fairness_mean - { { 0, 0 }, 0 } at first; private. */
struct fair_fairness_mean {
	struct fair_fairness_amount sum;
	uint64_t n;
};

/** struct fair_fairness_job - in the caller's memory; private. */
struct fair_fairness_job {
	struct fair_fairness_amount area, weight; /* when it arrived */
	int64_t started;
	int32_t procs;
	uint32_t state;
};

/* Of levels: the time spent there, and the area under in use / active. */
struct fair_fairness_level {
	struct fair_fairness_amount area;
	int64_t seconds;
};

/** struct fair_fairness - all fields are private. */
struct fair_fairness {
	struct fair_fairness_level *tree; /* node k + 1 ends at level k */
	int32_t widest;
	int64_t now;
	int64_t active, requested, busy;    /* jobs; processors */
	int64_t seconds, used;		    /* while processors were in use */
	struct fair_fairness_amount weight; /* of busy / requested */
};

/** fair_fairness_size() - bytes for jobs up to @widest; 0 if too many. */
FAIR_FAIRNESS_API size_t fair_fairness_size(int32_t widest);

/**
 * fair_fairness_init() - no job is active.
 * @struct_size: sizeof(struct fair_fairness) as the caller compiled it
 * @memory:      fair_fairness_size() bytes that stay with it, any alignment
 * @widest:      most processors of a job, >= 1
 * @origin:      the first instant, seconds
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_FAIRNESS_API int fair_fairness_init(struct fair_fairness *f,
					 size_t struct_size, void *memory,
					 size_t bytes, int32_t widest,
					 int64_t origin);

/**
 * fair_fairness_arrive() - a job is active from now on.
 * @now:   seconds, never before that of an earlier call
 * @procs: processors, 1 to widest
 * @j:     out: the job; keep it, unmoved or moved, until it completes
 *
 * One whose processors change while it waits completes and arrives anew.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE; -FAIR_EOVERFLOW.
 * Complexity: O(log widest).
 */
FAIR_FAIRNESS_API int fair_fairness_arrive(struct fair_fairness *f, int64_t now,
					   int32_t procs,
					   struct fair_fairness_job *j);

/**
 * fair_fairness_start() - an active job runs from now on.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(log widest).
 */
FAIR_FAIRNESS_API int fair_fairness_start(struct fair_fairness *f, int64_t now,
					  struct fair_fairness_job *j);

/**
 * fair_fairness_complete() - an active job has ended, or was withdrawn.
 * @share: out: what it deserved, what it got
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(log widest).
 * Source: [CF] equations 1, 2.
 */
FAIR_FAIRNESS_API int fair_fairness_complete(struct fair_fairness *f,
					     int64_t now,
					     struct fair_fairness_job *j,
					     struct fair_fairness_share *share);

/**
 * fair_fairness_at() - what an active job has deserved and got until now.
 * @now:   seconds, not before the last event
 * @share: out
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(log widest).
 */
FAIR_FAIRNESS_API int fair_fairness_at(const struct fair_fairness *f,
				       int64_t now,
				       const struct fair_fairness_job *j,
				       struct fair_fairness_share *share);

/** fair_fairness_minus() - unfairness: @deserved less @used. */
FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_minus(struct fair_fairness_amount deserved, int64_t used);

/** fair_fairness_above() - max(0, @a). */
FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_above(struct fair_fairness_amount a);

/**
 * fair_fairness_mean_add() - one more amount, of up to +-2^62.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if the sum exceeds +-2^62.
 */
FAIR_FAIRNESS_API int fair_fairness_mean_add(struct fair_fairness_mean *m,
					     struct fair_fairness_amount a);

/**
 * fair_fairness_mean_late() - one more max(0, @start - @fair_start), seconds.
 *
 * Return: as fair_fairness_mean_add(). Source: [CF 3.1]: strict and relaxed
 * unfairness, by the fair start time that it is given.
 */
FAIR_FAIRNESS_API int fair_fairness_mean_late(struct fair_fairness_mean *m,
					      int64_t start,
					      int64_t fair_start);

/**
 * fair_fairness_mean_merge() - all that was added to another.
 *
 * Sums are integers: however parts are merged, the result has the same bits.
 *
 * Return: as fair_fairness_mean_add().
 */
FAIR_FAIRNESS_API int
fair_fairness_mean_merge(struct fair_fairness_mean *m,
			 const struct fair_fairness_mean *other);

/**
 * fair_fairness_mean_at() - the mean, rounded down to 2^-64.
 * @mean: out
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if nothing was added.
 */
FAIR_FAIRNESS_API int fair_fairness_mean_at(const struct fair_fairness_mean *m,
					    struct fair_fairness_amount *mean);

/** fair_fairness_check() - 0, or the number of the first broken invariant. */
FAIR_FAIRNESS_API int fair_fairness_check(const struct fair_fairness *f);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_FAIRNESS_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_FAIRNESS_IMPLEMENTATION)
#define FAIR_FAIRNESS_IMPLEMENTATION
#endif
#if defined(FAIR_FAIRNESS_IMPLEMENTATION) && !defined(FAIR_FAIRNESS_IMPLEMENTED)
#define FAIR_FAIRNESS_IMPLEMENTED

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

FAIR_FAIRNESS_API int fair_fairness_version_100(void)
{
	return FAIRSCHED_VERSION;
}

#define FAIR_FAIRNESS_MOST ((int64_t)1 << 62) /* processor-seconds */
#define FAIR_FAIRNESS_WIDE ((int64_t)1 << 48) /* what is divided by */

enum { FAIR_FAIRNESS_GONE, FAIR_FAIRNESS_WAITS, FAIR_FAIRNESS_RUNS };

/*
 * A stretch of time without an event: what it adds. Levels from the widest job
 * up are one, above all jobs: its area is never asked for.
 */
struct fair_fairness_stretch {
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
	uint64_t low = (a.fraction & UINT32_MAX) * (uint64_t)procs;
	uint64_t high = (a.fraction >> 32) * (uint64_t)procs + (low >> 32);

	a.whole = a.whole * procs + (int64_t)(high >> 32);
	a.fraction = high << 32 | (low & UINT32_MAX);
	return a;
}

/* a / d rounded down, 0 < d < 2^48: long division, by digits that fit. */
static struct fair_fairness_amount
fair_fairness_divide(struct fair_fairness_amount a, uint64_t d)
{
	int bits = d >> 32 ? 16 : 32, left;
	int64_t whole = a.whole / (int64_t)d;
	uint64_t rest;

	if (whole * (int64_t)d > a.whole)
		whole--;
	rest = (uint64_t)a.whole - (uint64_t)whole * d;
	a.whole = whole;
	/* Invariant: rest < d, so rest << bits fits. */
	for (left = 64; left; left -= bits) {
		rest = rest << bits | a.fraction >> (64 - bits);
		a.fraction = a.fraction << bits | rest / d;
		rest %= d;
	}
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

/* The stretch from the last event until now. */
static int fair_fairness_measure(const struct fair_fairness *f, int64_t now,
				 struct fair_fairness_stretch *d)
{
	struct fair_fairness_amount used = { 0, 0 };
	uint64_t seconds = (uint64_t)now - (uint64_t)f->now;

	if (now < f->now)
		return -FAIR_EINVAL;
	FAIR_MEMSET(d, 0, sizeof(*d));
	if (!f->busy || !seconds)
		return 0;
	if (seconds > (uint64_t)((FAIR_FAIRNESS_MOST - f->used) / f->busy))
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

static void fair_fairness_pass(struct fair_fairness *f, int64_t now,
			       const struct fair_fairness_stretch *d)
{
	struct fair_fairness_level *node;
	uint32_t i;

	f->now = now;
	if (!d->seconds)
		return;
	f->seconds += d->seconds;
	f->used += d->used;
	f->weight = fair_fairness_add(f->weight, d->weight);
	/* Node i sums up i & -i levels; the last of them is i - 1. */
	for (i = (uint32_t)d->level + 1; i <= (uint32_t)f->widest;
	     i += i & (0 - i)) {
		node = f->tree + i - 1;
		node->area = fair_fairness_add(node->area, d->area);
		node->seconds += d->seconds;
	}
}

/* F(procs) of the manual: at most @used, as min(s, procs) <= s <= busy. */
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

/* Of a job, with @d not yet passed. */
static void fair_fairness_sum_up(const struct fair_fairness *f, int64_t now,
				 const struct fair_fairness_job *j,
				 const struct fair_fairness_stretch *d,
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
	if (j->state == FAIR_FAIRNESS_RUNS)
		share->used = (now - j->started) * j->procs;
}

FAIR_FAIRNESS_API int fair_fairness_arrive(struct fair_fairness *f, int64_t now,
					   int32_t procs,
					   struct fair_fairness_job *j)
{
	struct fair_fairness_stretch d;
	int error;

	if (!f || !j || procs < 1)
		return -FAIR_EINVAL;
	if (procs > f->widest)
		return -FAIR_ERANGE;
	if (f->requested >= FAIR_FAIRNESS_WIDE - procs)
		return -FAIR_EOVERFLOW;
	error = fair_fairness_measure(f, now, &d);
	if (error)
		return error;
	fair_fairness_pass(f, now, &d);
	f->active++;
	f->requested += procs;
	j->area = fair_fairness_area(f, procs);
	j->weight = f->weight;
	j->started = now;
	j->procs = procs;
	j->state = FAIR_FAIRNESS_WAITS;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_start(struct fair_fairness *f, int64_t now,
					  struct fair_fairness_job *j)
{
	struct fair_fairness_stretch d;
	int error;

	if (!f || !j || j->state != FAIR_FAIRNESS_WAITS)
		return -FAIR_EINVAL;
	error = fair_fairness_measure(f, now, &d);
	if (error)
		return error;
	fair_fairness_pass(f, now, &d);
	f->busy += j->procs;
	j->started = now;
	j->state = FAIR_FAIRNESS_RUNS;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_complete(struct fair_fairness *f,
					     int64_t now,
					     struct fair_fairness_job *j,
					     struct fair_fairness_share *share)
{
	struct fair_fairness_stretch d;
	int error;

	if (!f || !j || !share || j->state == FAIR_FAIRNESS_GONE)
		return -FAIR_EINVAL;
	error = fair_fairness_measure(f, now, &d);
	if (error)
		return error;
	fair_fairness_sum_up(f, now, j, &d, share);
	fair_fairness_pass(f, now, &d);
	f->active--;
	f->requested -= j->procs;
	if (j->state == FAIR_FAIRNESS_RUNS)
		f->busy -= j->procs;
	j->state = FAIR_FAIRNESS_GONE;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_at(const struct fair_fairness *f,
				       int64_t now,
				       const struct fair_fairness_job *j,
				       struct fair_fairness_share *share)
{
	struct fair_fairness_stretch d;
	int error;

	if (!f || !j || !share || j->state == FAIR_FAIRNESS_GONE)
		return -FAIR_EINVAL;
	error = fair_fairness_measure(f, now, &d);
	if (!error)
		fair_fairness_sum_up(f, now, j, &d, share);
	return error;
}

FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_minus(struct fair_fairness_amount deserved, int64_t used)
{
	deserved.whole -= used;
	return deserved;
}

FAIR_FAIRNESS_API struct fair_fairness_amount
fair_fairness_above(struct fair_fairness_amount a)
{
	struct fair_fairness_amount nothing = { 0, 0 };

	return a.whole < 0 ? nothing : a;
}

static bool fair_fairness_in_range(struct fair_fairness_amount a)
{
	return a.whole >= -FAIR_FAIRNESS_MOST && a.whole < FAIR_FAIRNESS_MOST;
}

FAIR_FAIRNESS_API int
fair_fairness_mean_merge(struct fair_fairness_mean *m,
			 const struct fair_fairness_mean *other)
{
	struct fair_fairness_amount sum;

	if (!m || !other)
		return -FAIR_EINVAL;
	if (!fair_fairness_in_range(other->sum) ||
	    other->n >= (uint64_t)FAIR_FAIRNESS_WIDE - m->n)
		return -FAIR_EOVERFLOW;
	sum = fair_fairness_add(m->sum, other->sum);
	if (!fair_fairness_in_range(sum))
		return -FAIR_EOVERFLOW;
	m->sum = sum;
	m->n += other->n;
	return 0;
}

FAIR_FAIRNESS_API int fair_fairness_mean_add(struct fair_fairness_mean *m,
					     struct fair_fairness_amount a)
{
	struct fair_fairness_mean one;

	one.sum = a;
	one.n = 1;
	return fair_fairness_mean_merge(m, &one);
}

FAIR_FAIRNESS_API int fair_fairness_mean_late(struct fair_fairness_mean *m,
					      int64_t start, int64_t fair_start)
{
	struct fair_fairness_amount late = { 0, 0 };

	if (start > fair_start) {
		if ((uint64_t)start - (uint64_t)fair_start >=
		    (uint64_t)FAIR_FAIRNESS_MOST)
			return m ? -FAIR_EOVERFLOW : -FAIR_EINVAL;
		late.whole = start - fair_start;
	}
	return fair_fairness_mean_add(m, late);
}

FAIR_FAIRNESS_API int fair_fairness_mean_at(const struct fair_fairness_mean *m,
					    struct fair_fairness_amount *mean)
{
	if (!m || !mean)
		return -FAIR_EINVAL;
	if (!m->n)
		return -FAIR_ERANGE;
	*mean = fair_fairness_divide(m->sum, m->n);
	return 0;
}

/* Level k alone: node k + 1 without the nodes that it sums up. */
static struct fair_fairness_level
fair_fairness_level_alone(const struct fair_fairness *f, uint32_t k)
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
		level = fair_fairness_level_alone(f, k);
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
	    f->seconds > f->used || f->used > FAIR_FAIRNESS_MOST)
		return 2;
	return fair_fairness_check_levels(f);
}

#ifdef __cplusplus
}
#endif
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
