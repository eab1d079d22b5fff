/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile.h - availability profile: free processors as a function of time
 *
 * In ONE file:  #define FAIR_PROFILE_IMPLEMENTATION
 *               #include "profile.h"
 *
 *   free 8 |     __________       ___ ...
 *        4 |____|          |_____|
 *          0   100        250   400          seconds
 */
#ifndef FAIR_PROFILE_H
#define FAIR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRSCHED_VERSION 100

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifndef FAIR_PROFILE_API
#ifndef FAIRSCHED_STATIC
#define FAIR_PROFILE_API extern
#elif defined(__GNUC__)
#define FAIR_PROFILE_API static __attribute__((unused))
#else
#define FAIR_PROFILE_API static
#endif
#endif

#define FAIR_FOREVER INT64_MAX /* an interval end: never */

#ifdef __cplusplus
extern "C" {
#endif

struct fair_profile_at { int64_t at; int32_t free; };

/**
 * struct fair_profile - an availability profile.
 * @limit: no release lifts free above this: processors at init, plus increases
 */
struct fair_profile {
	struct fair_profile_at *step;
	size_t n, cap;
	int64_t origin, horizon, reach;
	int32_t limit;
};

/**
 * struct fair_step - @free processors throughout [@start, @end).
 */
struct fair_step {
	int64_t start, end; /* end may be FAIR_FOREVER */
	int32_t free;
};

FAIR_PROFILE_API size_t fair_profile_size(size_t steps);
FAIR_PROFILE_API int fair_profile_init(struct fair_profile *p,
				       size_t struct_size, void *memory,
				       size_t bytes, int32_t procs,
				       int64_t origin);
FAIR_PROFILE_API int
fair_profile_earliest_start(const struct fair_profile *p, int64_t not_before,
			    int64_t walltime, int32_t procs, int64_t *start);
FAIR_PROFILE_API int
fair_profile_earlier_start(const struct fair_profile *p, int64_t not_before,
			   int64_t before, int64_t walltime, int32_t procs,
			   int64_t current, int64_t *start);
FAIR_PROFILE_API int fair_profile_min_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs);
FAIR_PROFILE_API int fair_profile_step_at(const struct fair_profile *p,
					  int64_t t, struct fair_step *step);
FAIR_PROFILE_API size_t fair_profile_steps(const struct fair_profile *p);
FAIR_PROFILE_API int fair_profile_check(const struct fair_profile *p);
FAIR_PROFILE_API int fair_profile_reserve(struct fair_profile *p,
					  int64_t start, int64_t walltime,
					  int32_t procs);
FAIR_PROFILE_API int fair_profile_release(struct fair_profile *p,
					  int64_t start, int64_t walltime,
					  int32_t procs);
FAIR_PROFILE_API int fair_profile_change_capacity(struct fair_profile *p,
						  int64_t start, int64_t end,
						  int32_t delta);
FAIR_PROFILE_API int fair_profile_advance(struct fair_profile *p,
					  int64_t origin);
FAIR_PROFILE_API int fair_profile_settle(struct fair_profile *p);
FAIR_PROFILE_API int fair_profile_clone(struct fair_profile *copy,
					void *memory, size_t bytes,
					const struct fair_profile *p);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_PROFILE_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_PROFILE_IMPLEMENTATION)
#define FAIR_PROFILE_IMPLEMENTATION
#endif
#if defined(FAIR_PROFILE_IMPLEMENTATION) && !defined(FAIR_PROFILE_IMPLEMENTED)
#define FAIR_PROFILE_IMPLEMENTED

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

/* Every time lies within the horizon: 2^32 s, and as much per 1,024 steps. */
static int64_t fair_profile_reach(size_t steps)
{
	return (INT64_C(1) << 32) * (int64_t)(steps / 1024 < 31 ?
						      1 + steps / 1024 :
						      32);
}

FAIR_PROFILE_API size_t fair_profile_size(size_t steps)
{
	if (steps > SIZE_MAX / sizeof(struct fair_profile_at) - 4)
		return 0;
	return (steps + 3) * sizeof(struct fair_profile_at);
}

FAIR_PROFILE_API int fair_profile_init(struct fair_profile *p,
				       size_t struct_size, void *memory,
				       size_t bytes, int32_t procs,
				       int64_t origin)
{
	size_t slack, cap;

	if (struct_size != sizeof(*p) || procs < 1 || !memory)
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	slack = (size_t)(-(uintptr_t)memory & 15);
	cap = bytes < slack ? 0 : (bytes - slack) / sizeof(p->step[0]);
	if (cap < 3)
		return -FAIR_ENOMEM;
	p->step = (struct fair_profile_at *)((char *)memory + slack);
	p->n = 1;
	p->cap = cap - 2;
	p->origin = origin;
	p->reach = fair_profile_reach(p->cap);
	p->horizon = origin + p->reach;
	p->limit = procs;
	p->step[0].at = origin;
	p->step[0].free = procs;
	return 0;
}

/* The step that holds @t: the last one with at <= @t. */
static size_t fair_profile_find(const struct fair_profile *p, int64_t t)
{
	size_t lo = 0, hi = p->n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->step[mid].at <= t)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * First t in [@t, @before) from which @procs are free for @walltime or until
 * @until, whichever ends first; @before if there is none.
 */
static int64_t fair_profile_search(const struct fair_profile *p, int64_t t,
				   int64_t before, int64_t walltime,
				   int32_t procs, int64_t until)
{
	size_t i;

	/* Invariant: @procs are free throughout [t, step[i].at). */
	for (i = fair_profile_find(p, t); t < before; i++) {
		int64_t end = i + 1 < p->n ? p->step[i + 1].at : INT64_MAX;

		if (p->step[i].free < procs)
			t = end;
		else if (end >= until || end - t >= walltime)
			return t;
	}
	return before;
}

FAIR_PROFILE_API int
fair_profile_earliest_start(const struct fair_profile *p, int64_t not_before,
			    int64_t walltime, int32_t procs, int64_t *start)
{
	int64_t t;

	if (walltime < 1 || procs < 1 || not_before < p->origin)
		return -FAIR_EINVAL;
	if (not_before > p->horizon || walltime > p->horizon - not_before)
		return -FAIR_EOVERFLOW;
	t = fair_profile_search(p, not_before, INT64_MAX, walltime, procs,
				INT64_MAX);
	if (t == INT64_MAX)
		return -FAIR_ERANGE;
	if (walltime > p->horizon - t)
		return -FAIR_EOVERFLOW;
	*start = t;
	return 0;
}

FAIR_PROFILE_API int
fair_profile_earlier_start(const struct fair_profile *p, int64_t not_before,
			   int64_t before, int64_t walltime, int32_t procs,
			   int64_t current, int64_t *start)
{
	int64_t t;

	if (walltime < 1 || procs < 1 || not_before < p->origin)
		return -FAIR_EINVAL;
	if (current > p->horizon)
		return -FAIR_EOVERFLOW;
	if (before > current)
		before = current;
	t = before;
	if (not_before < before)
		t = fair_profile_search(p, not_before, before, walltime, procs,
					current);
	*start = not_before < before && t < before ? t : current;
	return 0;
}

FAIR_PROFILE_API int fair_profile_min_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs)
{
	int32_t least = INT32_MAX;
	size_t i;

	if (start < p->origin || end <= start)
		return -FAIR_EINVAL;
	for (i = fair_profile_find(p, start); i < p->n && p->step[i].at < end;
	     i++)
		if (p->step[i].free < least)
			least = p->step[i].free;
	*free_procs = least;
	return 0;
}

FAIR_PROFILE_API int fair_profile_step_at(const struct fair_profile *p,
					  int64_t t, struct fair_step *step)
{
	size_t i;

	if (t < p->origin)
		return -FAIR_EINVAL;
	i = fair_profile_find(p, t);
	step->start = p->step[i].at;
	step->end = i + 1 < p->n ? p->step[i + 1].at : FAIR_FOREVER;
	step->free = p->step[i].free;
	return 0;
}

FAIR_PROFILE_API size_t fair_profile_steps(const struct fair_profile *p)
{
	return p->n;
}

FAIR_PROFILE_API int fair_profile_check(const struct fair_profile *p)
{
	size_t i;

	if (p->n < 1 || p->n > p->cap)
		return 1;
	if (p->step[0].at != p->origin || p->step[p->n - 1].at > p->horizon)
		return 2;
	for (i = 0; i < p->n; i++) {
		if (i && p->step[i].at <= p->step[i - 1].at)
			return 3;
		if (p->step[i].free < 0 || p->step[i].free > p->limit)
			return 4;
		if (i && p->step[i].free == p->step[i - 1].free)
			return 5;
	}
	return 0;
}

/* A step begins at @t from here on; its neighbours may be equal for a while. */
static size_t fair_profile_cut(struct fair_profile *p, int64_t t)
{
	size_t i = fair_profile_find(p, t);

	if (p->step[i].at == t)
		return i;
	FAIR_MEMMOVE(p->step + i + 2, p->step + i + 1,
		     (p->n - i - 1) * sizeof(p->step[0]));
	p->n++;
	p->step[i + 1].at = t;
	p->step[i + 1].free = p->step[i].free;
	return i + 1;
}

static void fair_profile_join(struct fair_profile *p, size_t i)
{
	if (i == 0 || i == p->n || p->step[i - 1].free != p->step[i].free)
		return;
	FAIR_MEMMOVE(p->step + i, p->step + i + 1,
		     (p->n - i - 1) * sizeof(p->step[0]));
	p->n--;
}

/* How many more steps there are once @delta is added from @t on (or up to). */
static int fair_profile_growth(const struct fair_profile *p, int64_t t,
			       int64_t delta)
{
	size_t i = fair_profile_find(p, t);

	if (t == p->origin)
		return 0;
	if (p->step[i].at != t)
		return 1;
	return p->step[i].free + delta == p->step[i - 1].free ? -1 : 0;
}

/* Adds @delta over [@start, @end) if free stays within [0, @limit]. */
static int fair_profile_add(struct fair_profile *p, int64_t start, int64_t end,
			    int64_t delta, int32_t limit)
{
	size_t i = fair_profile_find(p, start), last;
	int more;

	if (delta == 0)
		return 0;
	for (; i < p->n && p->step[i].at < end; i++)
		if (p->step[i].free + delta < 0 ||
		    p->step[i].free + delta > limit)
			return -FAIR_ERANGE;
	more = fair_profile_growth(p, start, delta);
	if (end != FAIR_FOREVER)
		more += fair_profile_growth(p, end, -delta);
	if (more > 0 && (size_t)more > p->cap - p->n)
		return -FAIR_ENOSPC;
	i = fair_profile_cut(p, start);
	last = end == FAIR_FOREVER ? p->n : fair_profile_cut(p, end);
	for (size_t k = i; k < last; k++)
		p->step[k].free += (int32_t)delta;
	fair_profile_join(p, last);
	fair_profile_join(p, i);
	return 0;
}

static int fair_profile_interval(const struct fair_profile *p, int64_t start,
				 int64_t walltime, int32_t procs)
{
	if (walltime < 1 || procs < 1 || start < p->origin)
		return -FAIR_EINVAL;
	if (start > p->horizon || walltime > p->horizon - start)
		return -FAIR_EOVERFLOW;
	return 0;
}

FAIR_PROFILE_API int fair_profile_reserve(struct fair_profile *p,
					  int64_t start, int64_t walltime,
					  int32_t procs)
{
	int err = fair_profile_interval(p, start, walltime, procs);

	if (err)
		return err;
	return fair_profile_add(p, start, start + walltime, -(int64_t)procs,
				INT32_MAX);
}

FAIR_PROFILE_API int fair_profile_release(struct fair_profile *p,
					  int64_t start, int64_t walltime,
					  int32_t procs)
{
	int err = fair_profile_interval(p, start, walltime, procs);

	if (err)
		return err;
	return fair_profile_add(p, start, start + walltime, procs, p->limit);
}

FAIR_PROFILE_API int fair_profile_change_capacity(struct fair_profile *p,
						  int64_t start, int64_t end,
						  int32_t delta)
{
	bool whole = start == p->origin && end == FAIR_FOREVER;
	int64_t limit;
	int err;

	if (start < p->origin || end <= start)
		return -FAIR_EINVAL;
	if (start > p->horizon || (end > p->horizon && end != FAIR_FOREVER))
		return -FAIR_EOVERFLOW;
	err = fair_profile_add(p, start, end, delta, INT32_MAX);
	if (err)
		return err;
	/* What the machine has at any time is at most the limit, still. */
	limit = (int64_t)p->limit + (delta > 0 || whole ? delta : 0);
	p->limit = limit < INT32_MAX ? (int32_t)limit : INT32_MAX;
	return 0;
}

FAIR_PROFILE_API int fair_profile_advance(struct fair_profile *p,
					  int64_t origin)
{
	size_t i;

	if (origin < p->origin)
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	i = fair_profile_find(p, origin);
	p->n -= i;
	FAIR_MEMMOVE(p->step, p->step + i, p->n * sizeof(p->step[0]));
	p->step[0].at = origin;
	p->origin = origin;
	p->horizon = origin + p->reach;
	return 0;
}

FAIR_PROFILE_API int fair_profile_settle(struct fair_profile *p)
{
	(void)p;
	return 0;
}

FAIR_PROFILE_API int fair_profile_clone(struct fair_profile *copy,
					void *memory, size_t bytes,
					const struct fair_profile *p)
{
	struct fair_profile x = *p;
	int err = fair_profile_init(&x, sizeof(x), memory, bytes, 1, p->origin);

	if (err)
		return err;
	if (p->n > x.cap || p->step[p->n - 1].at > x.horizon)
		return -FAIR_ENOMEM;
	x.n = p->n;
	x.limit = p->limit;
	FAIR_MEMCPY(x.step, p->step, p->n * sizeof(p->step[0]));
	*copy = x;
	return 0;
}

#ifdef __cplusplus
}
#endif
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
