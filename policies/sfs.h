/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs.h - simultaneous fair share: a gate by the processors in use now
 *
 * In ONE file:  #define FAIR_SFS_IMPLEMENTATION
 *               #include "sfs.h"
 *
 * An allocation is awarded processor-seconds for a period. Its ideal occupancy
 * is the number of processors that would spend the award exactly if they were
 * in use all the time; its target occupancy is some factor of that. The gate is
 * open for an allocation whose running jobs occupy no more than the target;
 * what it used in the past does not count [SFS 4].
 *
 * The gate belongs into three passes over the queue in priority order, at each
 * instant. [SFS 5] prints them for two allocations, Alice with jobs of 200
 * processors and a target of 288, Bob with jobs of 50 and a target of 58:
 *
 *   1000 |QQQQQQQQ|   3  P, Q: backfill beside the reservations of E and F
 *        |DDDDDDDD|   2  C, D: in order, whatever the occupancy; E and F
 *        |CCCCCCCC|      cannot start: reservations; G gets none: end
 *        |NNNNNNNN|   1  M, N: Bob's jobs until his occupancy is above 58
 *        |BBBBBBBB|   1  A, B: Alice's jobs until her occupancy is above 288
 *      0 |AAAAAAAA|
 *
 *   pass 1  skips allocations above their target, tested again after each start
 *   pass 2  skips none; it ends at a job that gets neither a start nor a
 *           reservation
 *   pass 3  goes on behind that job, without reservations
 *
 * All passes share the reservations of an instant. Pass 3 needs no walk of its
 * own: every job before has started or holds a reservation, or pass 2 would
 * have ended there, also at a job wider than the present machine. backfill.h
 * makes these passes: a walk with fair_sfs_gate() as its gate.
 *
 * EXAMPLE
 *   struct fair_sfs_allocation alice = { 0, 0, 0, 0 };
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
 *   fair_sfs_start(&s, 0, 200);
 *   fair_sfs_gate(&s, 0);                     // true: 200 <= 228
 *   fair_sfs_start(&s, 0, 200);
 *   fair_sfs_gate(&s, 0);                     // false: 400 > 228
 *   fair_sfs_finish(&s, 0, 200);
 *
 * UNITS       processors; awards in processor-seconds, periods in seconds
 * EXACTNESS   Occupancies are integers, so occupancy <= factor * award / period
 *             holds exactly if occupancy <= floor(that), which is what
 *             fair_sfs_target() gives.
 * ERRORS      0 or -FAIR_E...; an error changes nothing. -FAIR_EINVAL a bad
 *             argument, -FAIR_ENOMEM, -FAIR_ERANGE more is finished than runs,
 *             -FAIR_EOVERFLOW
 * MEMORY      the caller's, fair_sfs_size() bytes: 16 for each allocation
 * THREADS     const calls may run concurrently
 * COMPLEXITY  O(1); init, clone, check O(allocations)
 * DEFINES     FAIR_SFS_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 0 <= target <= INT32_MAX
 *             I2 0 <= occupancy
 *             I3 busy is the sum of the occupancies
 * SOURCES     [SFS] Steffen, HPCSYSPROS 2019
 */
#ifndef FAIR_SFS_H
#define FAIR_SFS_H

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

#ifndef FAIR_SFS_API
#define FAIR_SFS_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_SFS_API, fair_sfs);


/**
 * struct fair_sfs_allocation - what an allocation is awarded.
 * @award:  processor-seconds, >= 0
 * @period: seconds, >= 1
 * @factor: the target is @factor / @unit times the ideal, >= 0
 * @unit:   >= 1
 */
struct fair_sfs_allocation {
	int64_t award, period;
	int32_t factor, unit;
};

/* Private: an allocation, as it stands now. */
struct fair_sfs_state {
	int64_t target, occupancy;
};

/** struct fair_sfs - all allocations; all fields are private. */
struct fair_sfs {
	struct fair_sfs_state *allocation;
	uint32_t allocations;
	int64_t busy;
};

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

/** fair_sfs_size() - bytes for @allocations; 0 if too many. */
FAIR_SFS_API size_t fair_sfs_size(uint32_t allocations);

/**
 * fair_sfs_init() - allocations without running jobs, with targets of 0.
 * @struct_size: sizeof(struct fair_sfs) as the caller compiled it
 * @memory:      fair_sfs_size() bytes that stay with it, any alignment
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_SFS_API int fair_sfs_init(struct fair_sfs *s, size_t struct_size,
			       void *memory, size_t bytes,
			       uint32_t allocations);

/**
 * fair_sfs_set_target() - set a target: of fair_sfs_target() or the caller's.
 * @target: processors, 0 to INT32_MAX; INT32_MAX: the gate is always open
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIR_SFS_API int fair_sfs_set_target(struct fair_sfs *s, uint32_t allocation,
				     int64_t target);

/**
 * fair_sfs_start() - a job of the allocation starts.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 */
FAIR_SFS_API int fair_sfs_start(struct fair_sfs *s, uint32_t allocation,
				int32_t procs);

/**
 * fair_sfs_finish() - a running job of the allocation ends.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if fewer of its processors run.
 */
FAIR_SFS_API int fair_sfs_finish(struct fair_sfs *s, uint32_t allocation,
				 int32_t procs);

/**
 * fair_sfs_occupancy() - processors of the allocation's running jobs.
 * @occupancy: out
 * @target:    out
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIR_SFS_API int fair_sfs_occupancy(const struct fair_sfs *s,
				    uint32_t allocation, int64_t *occupancy,
				    int64_t *target);

/**
 * fair_sfs_gate() - whether the allocation's jobs may start in pass 1.
 *
 * Return: occupancy <= target; false if there is no such allocation.
 * Complexity: O(1). Source: [SFS 4.2.1].
 */
FAIR_SFS_API bool fair_sfs_gate(const struct fair_sfs *s, uint32_t allocation);

/**
 * fair_sfs_clone() - an independent copy.
 * @memory: fair_sfs_size() bytes, for the copy alone
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(allocations).
 */
FAIR_SFS_API int fair_sfs_clone(struct fair_sfs *copy, void *memory,
				size_t bytes, const struct fair_sfs *s);

/** fair_sfs_check() - 0, or the number of the first broken invariant. */
FAIR_SFS_API int fair_sfs_check(const struct fair_sfs *s);

FAIRSCHED_END_C
#endif /* FAIR_SFS_H */

#if !defined(FAIR_SFS_IMPLEMENTED) && (defined(FAIR_SFS_IMPLEMENTATION) ||     \
				       defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_SFS_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_SFS_API, fair_sfs)

/* floor(a / b) if it has no more than 31 bits; b < 2^97 */
static bool fair_sfs_divide(struct fair_wide a, struct fair_wide b,
			    int64_t *quotient)
{
	int64_t q = 0;
	int bits = 31;

	b.high = b.high << bits | b.low >> (64 - bits);
	b.low <<= bits;
	if (!fair_wide_less(a, b))
		return false;
	/* Invariant: a < b, and b is the divisor times 2^bits. */
	for (; bits; bits--) {
		b.low = b.low >> 1 | b.high << 63;
		b.high >>= 1;
		q <<= 1;
		if (fair_wide_less(a, b))
			continue;
		a.high -= b.high + (a.low < b.low);
		a.low -= b.low;
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

FAIR_SFS_API int fair_sfs_target(const struct fair_sfs_allocation *a,
				 int64_t *target)
{
	if (!fair_sfs_valid(a) || !target)
		return -FAIR_EINVAL;
	return fair_sfs_divide(
		       fair_multiply((uint64_t)a->award, (uint64_t)a->factor),
		       fair_multiply((uint64_t)a->period, (uint64_t)a->unit),
		       target)
		       ? 0
		       : -FAIR_EOVERFLOW;
}

FAIR_SFS_API size_t fair_sfs_size(uint32_t allocations)
{
	uint64_t size = (uint64_t)allocations * sizeof(struct fair_sfs_state);

	return size > SIZE_MAX - 7 ? 0 : (size_t)size + 7;
}

FAIR_SFS_API int fair_sfs_init(struct fair_sfs *s, size_t struct_size,
			       void *memory, size_t bytes, uint32_t allocations)
{
	char *at = (char *)memory;

	if (!s || struct_size != sizeof(*s) || !memory)
		return -FAIR_EINVAL;
	if (!fair_sfs_size(allocations) || bytes < fair_sfs_size(allocations))
		return -FAIR_ENOMEM;
	at += (8 - (uintptr_t)at % 8) % 8;
	s->allocation = (struct fair_sfs_state *)(void *)at;
	s->allocations = allocations;
	s->busy = 0;
	FAIR_MEMSET(s->allocation, 0, allocations * sizeof(*s->allocation));
	return 0;
}

FAIR_SFS_API int fair_sfs_set_target(struct fair_sfs *s, uint32_t allocation,
				     int64_t target)
{
	if (!s || allocation >= s->allocations || target < 0 ||
	    target > INT32_MAX)
		return -FAIR_EINVAL;
	s->allocation[allocation].target = target;
	return 0;
}

FAIR_SFS_API int fair_sfs_start(struct fair_sfs *s, uint32_t allocation,
				int32_t procs)
{
	if (!s || allocation >= s->allocations || procs < 1)
		return -FAIR_EINVAL;
	if (s->busy > INT64_MAX - procs)
		return -FAIR_EOVERFLOW;
	s->allocation[allocation].occupancy += procs;
	s->busy += procs;
	return 0;
}

FAIR_SFS_API int fair_sfs_finish(struct fair_sfs *s, uint32_t allocation,
				 int32_t procs)
{
	if (!s || allocation >= s->allocations || procs < 1)
		return -FAIR_EINVAL;
	if (procs > s->allocation[allocation].occupancy)
		return -FAIR_ERANGE;
	s->allocation[allocation].occupancy -= procs;
	s->busy -= procs;
	return 0;
}

FAIR_SFS_API int fair_sfs_occupancy(const struct fair_sfs *s,
				    uint32_t allocation, int64_t *occupancy,
				    int64_t *target)
{
	if (!s || allocation >= s->allocations || !occupancy || !target)
		return -FAIR_EINVAL;
	*occupancy = s->allocation[allocation].occupancy;
	*target = s->allocation[allocation].target;
	return 0;
}

FAIR_SFS_API bool fair_sfs_gate(const struct fair_sfs *s, uint32_t allocation)
{
	return allocation < s->allocations &&
	       s->allocation[allocation].occupancy <=
		       s->allocation[allocation].target;
}

FAIR_SFS_API int fair_sfs_clone(struct fair_sfs *copy, void *memory,
				size_t bytes, const struct fair_sfs *s)
{
	int error;

	if (!s)
		return -FAIR_EINVAL;
	error = fair_sfs_init(copy, sizeof(*copy), memory, bytes,
			      s->allocations);
	if (error)
		return error;
	FAIR_MEMCPY(copy->allocation, s->allocation,
		    s->allocations * sizeof(*s->allocation));
	copy->busy = s->busy;
	return 0;
}

FAIR_SFS_API int fair_sfs_check(const struct fair_sfs *s)
{
	const struct fair_sfs_state *a;
	uint64_t busy = 0;
	uint32_t i;

	for (i = 0; i < s->allocations; i++) {
		a = s->allocation + i;
		if (a->target < 0 || a->target > INT32_MAX)
			return 1;
		if (a->occupancy < 0)
			return 2;
		busy += (uint64_t)a->occupancy;
	}
	return busy == (uint64_t)s->busy ? 0 : 3;
}
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
