/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs.h - simultaneous fair share: who may go first, by what runs now
 *
 * In ONE file:  #define FAIR_SFS_IMPLEMENTATION
 *               #include "sfs.h"
 *
 * An award of processor-seconds for a period has an ideal occupancy: as many
 * processors, in use all the time, would spend it exactly. The target occupancy
 * is some factor of that. An account whose running jobs hold no more than its
 * target passes the gate; what it used in the past does not count [SFS 4].
 *
 *   1000 |QQQQQQQQ|   3  P, Q: backfill beside the reservations of E and F
 *        |DDDDDDDD|   2  C, D: everybody in order, whatever the occupancy;
 *        |CCCCCCCC|      E and F cannot start: reservations; G gets none: end
 *        |NNNNNNNN|   1  M, N: Bob's jobs of 50 until he is above 58
 *        |BBBBBBBB|   1  A, B: Alice's jobs of 200 until she is above 288
 *      0 |AAAAAAAA|
 *
 * The gate alone is fair_sfs_start(), fair_sfs_finish(), fair_sfs_gate(). Whose
 * queue is an array in priority order calls fair_sfs_plan(). Whose queue is not
 * keeps the passes by struct fair_sfs_round:
 *
 *   fair_sfs_begin(&r, depth);
 *   do {
 *           for (j = first in priority order; j; j = next) {
 *                   if (!fair_sfs_looks(&r, &s, j->account, j->reserved))
 *                           continue;
 *                   ... start j, fair_sfs_start() too, if it fits now,
 *                   ... or reserve for it, if fair_sfs_may_reserve(&r)
 *                   fair_sfs_answered(&r, FAIR_SFS_STARTED or what it was);
 *           }
 *   } while (fair_sfs_again(&r));
 *
 * EXAMPLE
 *   // Free processors; no reservations, so FAIR_SFS_RESERVED is no answer.
 *   static int look(void *context, size_t job, int32_t procs, bool may_reserve)
 *   {
 *           int32_t *free_procs = (int32_t *)context;
 *
 *           (void)job;
 *           (void)may_reserve;
 *           if (procs > *free_procs)
 *                   return FAIR_SFS_NEITHER;
 *           *free_procs -= procs;
 *           return FAIR_SFS_STARTED;
 *   }
 *
 *   struct fair_sfs_allocation alice = { 0, 0, 0, 0 };
 *   struct fair_sfs_job queue[3] = { { 0, 200, 0, 0 }, { 0, 200, 0, 0 },
 *                                    { 1, 50, 0, 0 } };
 *   int32_t free_procs = 300;
 *   unsigned char memory[256];
 *   struct fair_sfs s;
 *   int64_t target;
 *
 *   alice.award = INT64_C(3600) * 1000000;    // processor-hours
 *   alice.period = INT64_C(86400) * 365;
 *   alice.factor = 2;
 *   alice.unit = 1;
 *   fair_sfs_target(&alice, &target);         // 228
 *   fair_sfs_init(&s, sizeof(s), memory, sizeof(memory), 2);
 *   fair_sfs_set_target(&s, 0, target);
 *   fair_sfs_set_target(&s, 1, 58);
 *   fair_sfs_plan(&s, queue, 3, 0, look, &free_procs);
 *   // queue[0] and queue[2] started; 250 processors are in use
 *
 * UNITS       processors; awards in processor-seconds, periods in seconds; the
 *             ideal occupancy in 2^-20 processors (FAIR_SFS_ONE is 1)
 * EXACTNESS   occupancies are integers, so occupancy <= factor * award / period
 *             holds exactly if occupancy <= floor(that), which is what
 *             fair_sfs_target() gives: nothing is rounded but the ideal
 *             occupancy, to nearest, halves up
 * ERRORS      0 or -FAIR_E...; on error nothing changed, but see
 *             fair_sfs_plan(). -FAIR_EINVAL a bad argument, -FAIR_ENOMEM,
 *             -FAIR_ERANGE more is finished than runs, -FAIR_EOVERFLOW
 * MEMORY      the caller's, fair_sfs_size() bytes: 16 an account
 * THREADS     const calls may run concurrently
 * COMPLEXITY  O(1); init, clone, check O(accounts); fair_sfs_plan() looks at
 *             each job twice at most
 * DEFINES     FAIR_SFS_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 0 <= target <= INT32_MAX
 *             I2 0 <= occupancy
 *             I3 busy is the sum of the occupancies
 * SOURCES     [SFS] Steffen, HPCSYSPROS 2019
 */
#ifndef FAIR_SFS_H
#define FAIR_SFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRSCHED_VERSION 100

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifndef FAIR_SFS_API
#ifndef FAIRSCHED_STATIC
#define FAIR_SFS_API extern
#elif defined(__GNUC__)
#define FAIR_SFS_API static __attribute__((unused))
#else
#define FAIR_SFS_API static
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIR_SFS_API int fair_sfs_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_sfs_linked)(void)
	__attribute__((used, retain)) = fair_sfs_version_100;
#endif
#endif

#define FAIR_SFS_ONE ((int64_t)1 << 20) /* 1, as an ideal occupancy */

/* What became of a job that was looked at. */
enum fair_sfs_answer {
	FAIR_SFS_NEITHER, /* it waits, without a reservation */
	FAIR_SFS_STARTED,
	FAIR_SFS_RESERVED
};

/**
 * struct fair_sfs_allocation - what an account was granted.
 * @award:  processor-seconds, >= 0
 * @period: seconds, >= 1
 * @factor: the target is @factor / @unit times the ideal, >= 0
 * @unit:   >= 1
 */
struct fair_sfs_allocation {
	int64_t award, period;
	int32_t factor, unit;
};

/** struct fair_sfs_account - private. */
struct fair_sfs_account {
	int64_t target, occupancy;
};

/** struct fair_sfs - all accounts; all fields are private. */
struct fair_sfs {
	struct fair_sfs_account *account;
	uint32_t accounts;
	int64_t busy;
};

/**
 * struct fair_sfs_round - where the passes of one instant are; private but for
 * @pass: 1, 2, 3
 *
 * Pass 3 goes on where pass 2 ends: every job before has started or holds a
 * reservation, or pass 2 would have ended there. So two walks are enough.
 */
struct fair_sfs_round {
	uint32_t pass, reserved, depth;
};

/**
 * struct fair_sfs_job - a waiting job.
 * @account: from 0
 * @procs:   >= 1
 * @answer:  out: enum fair_sfs_answer
 * @pass:    out: in which it was started or reserved; else 0
 */
struct fair_sfs_job {
	uint32_t account;
	int32_t procs;
	uint32_t answer, pass;
};

/**
 * fair_sfs_look - start a job, or else reserve for it.
 * @job:         its index in the queue
 * @may_reserve: whether a reservation is left
 *
 * Start it if it can start now without delaying a reservation; else give it one
 * at its earliest start if @may_reserve.
 *
 * Return: enum fair_sfs_answer, or an error, which ends the plan.
 */
typedef int (*fair_sfs_look)(void *context, size_t job, int32_t procs,
			     bool may_reserve);

/**
 * fair_sfs_ideal() - processors that would spend the award in the period.
 * @ideal: out: in 2^-20
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1). Source: [SFS] equation 1.
 */
FAIR_SFS_API int fair_sfs_ideal(const struct fair_sfs_allocation *a,
				int64_t *ideal);

/**
 * fair_sfs_target() - the target occupancy, rounded down; see EXACTNESS.
 * @target: out: processors
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it is above INT32_MAX.
 * Complexity: O(1). Source: [SFS] equation 2, of which the paper's section 5
 * misprints the result, 228, as 288.
 */
FAIR_SFS_API int fair_sfs_target(const struct fair_sfs_allocation *a,
				 int64_t *target);

/** fair_sfs_size() - bytes for @accounts; 0 if too many. */
FAIR_SFS_API size_t fair_sfs_size(uint32_t accounts);

/**
 * fair_sfs_init() - accounts without running jobs, with targets of 0.
 * @struct_size: sizeof(struct fair_sfs) as the caller compiled it
 * @memory:      fair_sfs_size() bytes that stay with it, any alignment
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_SFS_API int fair_sfs_init(struct fair_sfs *s, size_t struct_size,
			       void *memory, size_t bytes, uint32_t accounts);

/**
 * fair_sfs_set_target() - what fair_sfs_target() gave, or of the caller's own.
 * @target: processors, 0 to INT32_MAX; INT32_MAX: the gate is always open
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIR_SFS_API int fair_sfs_set_target(struct fair_sfs *s, uint32_t account,
				     int64_t target);

/**
 * fair_sfs_start() - a job of the account runs from now on.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 */
FAIR_SFS_API int fair_sfs_start(struct fair_sfs *s, uint32_t account,
				int32_t procs);

/**
 * fair_sfs_finish() - it does no longer.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if fewer of its processors run.
 */
FAIR_SFS_API int fair_sfs_finish(struct fair_sfs *s, uint32_t account,
				 int32_t procs);

/**
 * fair_sfs_occupancy() - processors of the account's running jobs.
 * @occupancy: out
 * @target:    out
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIR_SFS_API int fair_sfs_occupancy(const struct fair_sfs *s, uint32_t account,
				    int64_t *occupancy, int64_t *target);

/**
 * fair_sfs_gate() - whether the account's jobs may start in pass 1.
 *
 * Return: occupancy <= target; false if there is no such account.
 * Complexity: O(1). Source: [SFS 4.2.1].
 */
FAIR_SFS_API bool fair_sfs_gate(const struct fair_sfs *s, uint32_t account);

/**
 * fair_sfs_begin() - pass 1 of an instant.
 * @depth: reservations of the instant, at most
 */
FAIR_SFS_API void fair_sfs_begin(struct fair_sfs_round *r, uint32_t depth);

/**
 * fair_sfs_looks() - whether the pass looks at a waiting job.
 * @reserved: it holds a reservation of this instant
 *
 * Source: [SFS 4.2]: pass 1 passes over accounts above their target, re-tested
 * after each start; passes 2 and 3 over nobody.
 */
FAIR_SFS_API bool fair_sfs_looks(const struct fair_sfs_round *r,
				 const struct fair_sfs *s, uint32_t account,
				 bool reserved);

/** fair_sfs_may_reserve() - whether a reservation is left. */
FAIR_SFS_API bool fair_sfs_may_reserve(const struct fair_sfs_round *r);

/**
 * fair_sfs_answered() - what became of the job looked at: enum fair_sfs_answer.
 *
 * Pass 2 ends at a job that can neither start nor get a reservation. Go on with
 * the next job, always.
 */
FAIR_SFS_API void fair_sfs_answered(struct fair_sfs_round *r, int answer);

/**
 * fair_sfs_again() - at the end of the queue: whether to walk it again.
 */
FAIR_SFS_API bool fair_sfs_again(struct fair_sfs_round *r);

/**
 * fair_sfs_plan() - the passes of one instant over a queue in priority order.
 * @depth: reservations of the instant, at most
 * @look:  starts jobs and reserves for them
 *
 * Occupancies follow the jobs that start.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW; an error of @look; -FAIR_EINVAL too
 * if it answers anything else or reserves where none is left. Starts and
 * reservations before an error of @look stand; the others change nothing.
 * Complexity: O(jobs), at most 2 looks a job.
 * Source: [SFS 4.2, 5], SFS as in docs/SOURCES.md.
 */
FAIR_SFS_API int fair_sfs_plan(struct fair_sfs *s, struct fair_sfs_job *queue,
			       size_t jobs, uint32_t depth, fair_sfs_look look,
			       void *context);

/**
 * fair_sfs_clone() - a copy that goes its own way.
 * @memory: fair_sfs_size() bytes, for the copy alone
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(accounts).
 */
FAIR_SFS_API int fair_sfs_clone(struct fair_sfs *copy, void *memory,
				size_t bytes, const struct fair_sfs *s);

/** fair_sfs_check() - 0, or the number of the first broken invariant. */
FAIR_SFS_API int fair_sfs_check(const struct fair_sfs *s);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_SFS_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_SFS_IMPLEMENTATION)
#define FAIR_SFS_IMPLEMENTATION
#endif
#if defined(FAIR_SFS_IMPLEMENTATION) && !defined(FAIR_SFS_IMPLEMENTED)
#define FAIR_SFS_IMPLEMENTED

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

FAIR_SFS_API int fair_sfs_version_100(void)
{
	return FAIRSCHED_VERSION;
}

/* A number of 128 bits. */
struct fair_sfs_wide {
	uint64_t hi, lo;
};

static struct fair_sfs_wide fair_sfs_multiply(int64_t a, int32_t b)
{
	uint64_t low = ((uint64_t)a & UINT32_MAX) * (uint64_t)b;
	uint64_t high = ((uint64_t)a >> 32) * (uint64_t)b + (low >> 32);
	struct fair_sfs_wide w;

	w.hi = high >> 32;
	w.lo = high << 32 | (low & UINT32_MAX);
	return w;
}

static bool fair_sfs_less(struct fair_sfs_wide a, struct fair_sfs_wide b)
{
	return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* floor(a / b) if it has no more than @bits, 1 to 63; b < 2^(128 - bits) */
static bool fair_sfs_divide(struct fair_sfs_wide a, struct fair_sfs_wide b,
			    int bits, int64_t *quotient)
{
	int64_t q = 0;

	b.hi = b.hi << bits | b.lo >> (64 - bits);
	b.lo <<= bits;
	if (!fair_sfs_less(a, b))
		return false;
	/* Invariant: a < b, which is the divisor times 2^bits. */
	for (; bits; bits--) {
		b.lo = b.lo >> 1 | b.hi << 63;
		b.hi >>= 1;
		q <<= 1;
		if (fair_sfs_less(a, b))
			continue;
		a.hi -= b.hi + (a.lo < b.lo);
		a.lo -= b.lo;
		q |= 1;
	}
	*quotient = q;
	return true;
}

static bool fair_sfs_valid(const struct fair_sfs_allocation *a)
{
	return a && a->award >= 0 && a->period >= 1 && a->factor >= 0 &&
	       a->unit >= 1;
}

FAIR_SFS_API int fair_sfs_ideal(const struct fair_sfs_allocation *a,
				int64_t *ideal)
{
	struct fair_sfs_wide award, period;

	if (!fair_sfs_valid(a) || !ideal)
		return -FAIR_EINVAL;
	award = fair_sfs_multiply(a->award, (int32_t)FAIR_SFS_ONE);
	period = fair_sfs_multiply(a->period, 1);
	/* Half of it first: rounds to nearest, for an odd one has no halves. */
	award.lo += period.lo / 2;
	award.hi += award.lo < period.lo / 2;
	return fair_sfs_divide(award, period, 63, ideal) ? 0 : -FAIR_EOVERFLOW;
}

FAIR_SFS_API int fair_sfs_target(const struct fair_sfs_allocation *a,
				 int64_t *target)
{
	if (!fair_sfs_valid(a) || !target)
		return -FAIR_EINVAL;
	return fair_sfs_divide(fair_sfs_multiply(a->award, a->factor),
			       fair_sfs_multiply(a->period, a->unit), 31,
			       target)
		       ? 0
		       : -FAIR_EOVERFLOW;
}

FAIR_SFS_API size_t fair_sfs_size(uint32_t accounts)
{
	uint64_t size = (uint64_t)accounts * sizeof(struct fair_sfs_account);

	return size > SIZE_MAX - 7 ? 0 : (size_t)size + 7;
}

FAIR_SFS_API int fair_sfs_init(struct fair_sfs *s, size_t struct_size,
			       void *memory, size_t bytes, uint32_t accounts)
{
	char *at = (char *)memory;

	if (!s || struct_size != sizeof(*s) || !memory)
		return -FAIR_EINVAL;
	if (!fair_sfs_size(accounts) || bytes < fair_sfs_size(accounts))
		return -FAIR_ENOMEM;
	at += (8 - (uintptr_t)at % 8) % 8;
	s->account = (struct fair_sfs_account *)(void *)at;
	s->accounts = accounts;
	s->busy = 0;
	FAIR_MEMSET(s->account, 0, accounts * sizeof(*s->account));
	return 0;
}

FAIR_SFS_API int fair_sfs_set_target(struct fair_sfs *s, uint32_t account,
				     int64_t target)
{
	if (!s || account >= s->accounts || target < 0 || target > INT32_MAX)
		return -FAIR_EINVAL;
	s->account[account].target = target;
	return 0;
}

FAIR_SFS_API int fair_sfs_start(struct fair_sfs *s, uint32_t account,
				int32_t procs)
{
	if (!s || account >= s->accounts || procs < 1)
		return -FAIR_EINVAL;
	if (s->busy > INT64_MAX - procs)
		return -FAIR_EOVERFLOW;
	s->account[account].occupancy += procs;
	s->busy += procs;
	return 0;
}

FAIR_SFS_API int fair_sfs_finish(struct fair_sfs *s, uint32_t account,
				 int32_t procs)
{
	if (!s || account >= s->accounts || procs < 1)
		return -FAIR_EINVAL;
	if (procs > s->account[account].occupancy)
		return -FAIR_ERANGE;
	s->account[account].occupancy -= procs;
	s->busy -= procs;
	return 0;
}

FAIR_SFS_API int fair_sfs_occupancy(const struct fair_sfs *s, uint32_t account,
				    int64_t *occupancy, int64_t *target)
{
	if (!s || account >= s->accounts || !occupancy || !target)
		return -FAIR_EINVAL;
	*occupancy = s->account[account].occupancy;
	*target = s->account[account].target;
	return 0;
}

FAIR_SFS_API bool fair_sfs_gate(const struct fair_sfs *s, uint32_t account)
{
	return account < s->accounts &&
	       s->account[account].occupancy <= s->account[account].target;
}

FAIR_SFS_API void fair_sfs_begin(struct fair_sfs_round *r, uint32_t depth)
{
	r->pass = 1;
	r->reserved = 0;
	r->depth = depth;
}

FAIR_SFS_API bool fair_sfs_looks(const struct fair_sfs_round *r,
				 const struct fair_sfs *s, uint32_t account,
				 bool reserved)
{
	return !reserved && (r->pass > 1 || fair_sfs_gate(s, account));
}

FAIR_SFS_API bool fair_sfs_may_reserve(const struct fair_sfs_round *r)
{
	return r->pass < 3 && r->reserved < r->depth;
}

FAIR_SFS_API void fair_sfs_answered(struct fair_sfs_round *r, int answer)
{
	if (answer == FAIR_SFS_RESERVED)
		r->reserved++;
	if (answer == FAIR_SFS_NEITHER && r->pass == 2)
		r->pass = 3;
}

FAIR_SFS_API bool fair_sfs_again(struct fair_sfs_round *r)
{
	if (r->pass > 1)
		return false;
	r->pass = 2;
	return true;
}

/* Whether every job may start, as far as occupancies go. */
static int fair_sfs_queue_error(const struct fair_sfs *s,
				const struct fair_sfs_job *queue, size_t jobs)
{
	int64_t busy = s->busy;
	size_t i;

	for (i = 0; i < jobs; i++) {
		if (queue[i].account >= s->accounts || queue[i].procs < 1)
			return -FAIR_EINVAL;
		if (busy > INT64_MAX - queue[i].procs)
			return -FAIR_EOVERFLOW;
		busy += queue[i].procs;
	}
	return 0;
}

/* Looks at one job, and writes down what became of it. */
static int fair_sfs_ask(struct fair_sfs *s, struct fair_sfs_round *r,
			struct fair_sfs_job *j, size_t job, fair_sfs_look look,
			void *context)
{
	bool may_reserve = fair_sfs_may_reserve(r);
	int answer = look(context, job, j->procs, may_reserve);

	if (answer < 0)
		return answer;
	if (answer > FAIR_SFS_RESERVED ||
	    (answer == FAIR_SFS_RESERVED && !may_reserve))
		return -FAIR_EINVAL;
	if (answer != FAIR_SFS_NEITHER) {
		j->answer = (uint32_t)answer;
		j->pass = r->pass;
	}
	fair_sfs_answered(r, answer);
	return answer == FAIR_SFS_STARTED
		       ? fair_sfs_start(s, j->account, j->procs)
		       : 0;
}

FAIR_SFS_API int fair_sfs_plan(struct fair_sfs *s, struct fair_sfs_job *queue,
			       size_t jobs, uint32_t depth, fair_sfs_look look,
			       void *context)
{
	struct fair_sfs_round r;
	struct fair_sfs_job *j;
	int error;
	size_t i;

	if (!s || (!queue && jobs) || !look)
		return -FAIR_EINVAL;
	error = fair_sfs_queue_error(s, queue, jobs);
	for (i = 0; i < jobs && !error; i++)
		queue[i].answer = queue[i].pass = 0;
	fair_sfs_begin(&r, depth);
	do {
		for (i = 0; i < jobs && !error; i++) {
			j = queue + i;
			if (j->answer != FAIR_SFS_STARTED &&
			    fair_sfs_looks(&r, s, j->account,
					   j->answer == FAIR_SFS_RESERVED))
				error = fair_sfs_ask(s, &r, j, i, look,
						     context);
		}
	} while (!error && fair_sfs_again(&r));
	return error;
}

FAIR_SFS_API int fair_sfs_clone(struct fair_sfs *copy, void *memory,
				size_t bytes, const struct fair_sfs *s)
{
	int error;

	if (!s)
		return -FAIR_EINVAL;
	error = fair_sfs_init(copy, sizeof(*copy), memory, bytes, s->accounts);
	if (error)
		return error;
	FAIR_MEMCPY(copy->account, s->account,
		    s->accounts * sizeof(*s->account));
	copy->busy = s->busy;
	return 0;
}

FAIR_SFS_API int fair_sfs_check(const struct fair_sfs *s)
{
	const struct fair_sfs_account *a;
	uint64_t busy = 0;
	uint32_t i;

	for (i = 0; i < s->accounts; i++) {
		a = s->account + i;
		if (a->target < 0 || a->target > INT32_MAX)
			return 1;
		if (a->occupancy < 0)
			return 2;
		busy += (uint64_t)a->occupancy;
	}
	return busy == (uint64_t)s->busy ? 0 : 3;
}

#ifdef __cplusplus
}
#endif
#endif /* FAIR_SFS_IMPLEMENTED */

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
