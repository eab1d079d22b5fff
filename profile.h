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

#ifndef FAIR_PROFILE_LEAF_MAX
#define FAIR_PROFILE_LEAF_MAX 64 /* steps a leaf, 2 to 64 */
#endif
#ifndef FAIR_PROFILE_CHUNK_MAX
#define FAIR_PROFILE_CHUNK_MAX 64 /* leaves a chunk, 1 to 64 */
#endif
#define FAIR_PROFILE_LANES 24 /* thresholds of free processors, of 8 */

/* Up to 64 steps: [base + off[k], base + off[k + 1]) has free[k]. */
struct fair_profile_leaf {
	int32_t off[64];  /* off[0] = 0; INT32_MAX where unused */
	int32_t free[64]; /* INT32_MAX where unused */
};

/**
 * struct fair_profile - an availability profile.
 * @origin:  seconds; nothing is known of the time before
 * @horizon: seconds; every reservation ends by then
 * @cap:     steps that it can hold
 * @limit:   no release lifts free above this
 *
 * To be read through these four and the functions only. A leaf is named by its
 * chunk and its place in it; its data are at chunk * stride + place. Chunks
 * are named by their position in time where it says "of position", else by the
 * number of their memory.
 */
struct fair_profile {
	int64_t origin, horizon;
	size_t cap, steps;
	int32_t limit;
	/* private from here on */
	uint32_t width, stride; /* leaves a chunk: at most, and allocated */
	uint32_t chunks, chunks_max, chunks_fresh;
	uint32_t leaves, leaves_max, leaves_fresh, leaf_spare;
	int64_t reach; /* horizon - origin */
	bool settled;
	struct fair_profile_leaf *leaf;
	int64_t *base;	 /* of each leaf: when it begins */
	uint32_t *id;	 /* of each leaf: its index in leaf[] */
	int32_t *least;	 /* of each leaf: its least free */
	uint8_t *count;	 /* of each leaf: its steps */
	int32_t *row;	 /* of each chunk and lane: an entry a leaf */
	uint64_t *dirty; /* of each chunk and lane: a bit a leaf */
	uint64_t *stale; /* of each chunk: a bit a leaf */
	uint8_t *used;	 /* of each chunk: its leaves */
	uint32_t *order; /* of position: the chunk */
	int64_t *first;	 /* of position: when it begins */
	int32_t *top;	 /* of each lane and position: the row's maximum */
	int32_t lane[32]; /* the thresholds, ascending */
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

#if defined(__SSE2__) && defined(__GNUC__) && __STDC_HOSTED__ && \
	!defined(FAIR_PROFILE_PORTABLE)
#define FAIR_PROFILE_SSE2
#if defined(__AVX512F__)
#define FAIR_PROFILE_AVX512
#elif defined(__AVX2__)
#define FAIR_PROFILE_AVX2
#endif
#include <immintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define FAIR_PROFILE_SPAN (INT32_MAX - 1) /* of the offsets in a leaf */
#define FAIR_PROFILE_REACH 8 /* leaves that an entry looks beyond its own */

enum {
	FAIR_PROFILE_MOST = FAIR_PROFILE_LANES, /* last row: bounds on free */
	FAIR_PROFILE_ROWS,
	FAIR_PROFILE_NEWS = FAIR_PROFILE_LANES, /* last row of top: flags */
	FAIR_PROFILE_LOOSE = 1,			/* some maximum may be less */
	FAIR_PROFILE_DIRTY = 2			/* some entry is no bound */
};

/* A step: its leaf by position and chunk and place there, and its place. */
struct fair_profile_spot {
	size_t pos, chunk, leaf, k;
};

#if defined(__GNUC__)
#define FAIR_PROFILE_HOT static inline __attribute__((always_inline))
#else
#define FAIR_PROFILE_HOT static inline
#endif

/*
 * Bits and vectors
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

/* A bit for each of 16 numbers: is it greater than @x? */
FAIR_PROFILE_HOT uint64_t fair_profile_gt16(const int32_t *a, int32_t x)
{
#if defined(FAIR_PROFILE_AVX512)
	return _mm512_cmpgt_epi32_mask(_mm512_loadu_si512(a),
				       _mm512_set1_epi32(x));
#elif defined(FAIR_PROFILE_AVX2)
	const __m256i *v = (const __m256i *)(const void *)a;
	__m256i y = _mm256_set1_epi32(x);
	__m256i lo = _mm256_cmpgt_epi32(_mm256_loadu_si256(v), y);
	__m256i hi = _mm256_cmpgt_epi32(_mm256_loadu_si256(v + 1), y);

	return (uint64_t)_mm256_movemask_ps(_mm256_castsi256_ps(lo)) |
	       (uint64_t)_mm256_movemask_ps(_mm256_castsi256_ps(hi)) << 8;
#elif defined(FAIR_PROFILE_SSE2)
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

/* The same for 64 numbers. */
FAIR_PROFILE_HOT uint64_t fair_profile_gt64(const int32_t *a, int32_t x)
{
	return fair_profile_gt16(a, x) | fair_profile_gt16(a + 16, x) << 16 |
	       fair_profile_gt16(a + 32, x) << 32 |
	       fair_profile_gt16(a + 48, x) << 48;
}

/* How many thresholds @procs reach. */
FAIR_PROFILE_HOT size_t fair_profile_lanes(const struct fair_profile *p, int32_t procs)
{
	uint64_t above = fair_profile_gt16(p->lane, procs) |
			 fair_profile_gt16(p->lane + 16, procs) << 16;

	return above ? (size_t)fair_profile_ctz(above) : FAIR_PROFILE_LANES;
}

/*
 * Leaves
 */

FAIR_PROFILE_HOT size_t fair_profile_column(const struct fair_profile *p,
				  const struct fair_profile_spot *s)
{
	(void)p;
	return s->chunk * 64 + s->leaf;
}

FAIR_PROFILE_HOT struct fair_profile_leaf *
fair_profile_leaf_at(const struct fair_profile *p,
		     const struct fair_profile_spot *s)
{
	return p->leaf + p->id[fair_profile_column(p, s)];
}

FAIR_PROFILE_HOT int32_t *fair_profile_row(const struct fair_profile *p, size_t chunk,
				 size_t lane)
{
	return p->row + (chunk * FAIR_PROFILE_ROWS + lane) * p->stride;
}

FAIR_PROFILE_HOT int32_t *fair_profile_top(const struct fair_profile *p, size_t lane)
{
	return p->top + lane * ((p->chunks_max + 15) & ~(size_t)15);
}

FAIR_PROFILE_HOT bool fair_profile_next(const struct fair_profile *p,
			      struct fair_profile_spot *s)
{
	if (s->leaf + 1 < p->used[s->chunk]) {
		s->leaf++;
	} else {
		if (s->pos + 1 == p->chunks)
			return false;
		s->chunk = p->order[++s->pos];
		s->leaf = 0;
	}
	s->k = 0;
	return true;
}

FAIR_PROFILE_HOT bool fair_profile_prev(const struct fair_profile *p,
			      struct fair_profile_spot *s)
{
	if (s->leaf) {
		s->leaf--;
	} else {
		if (!s->pos)
			return false;
		s->chunk = p->order[--s->pos];
		s->leaf = p->used[s->chunk] - 1u;
	}
	s->k = p->count[fair_profile_column(p, s)] - 1u;
	return true;
}

/* To the step before; false if there is none. */
FAIR_PROFILE_HOT bool fair_profile_before(const struct fair_profile *p,
				struct fair_profile_spot *s)
{
	if (!s->k)
		return fair_profile_prev(p, s);
	s->k--;
	return true;
}

/* To the step after; false if there is none. */
FAIR_PROFILE_HOT bool fair_profile_after(const struct fair_profile *p,
			       struct fair_profile_spot *s)
{
	if (s->k + 1 == p->count[fair_profile_column(p, s)])
		return fair_profile_next(p, s);
	s->k++;
	return true;
}

/* When the leaf ends: where the next one begins. */
FAIR_PROFILE_HOT int64_t fair_profile_leaf_end(const struct fair_profile *p,
				     const struct fair_profile_spot *s)
{
	if (s->leaf + 1 < p->used[s->chunk])
		return p->base[fair_profile_column(p, s) + 1];
	if (s->pos + 1 < p->chunks)
		return p->first[s->pos + 1];
	return FAIR_FOREVER;
}

FAIR_PROFILE_HOT int64_t fair_profile_step_start(const struct fair_profile *p,
				       const struct fair_profile_spot *s)
{
	size_t at = fair_profile_column(p, s);

	return p->base[at] + p->leaf[p->id[at]].off[s->k];
}

FAIR_PROFILE_HOT int64_t fair_profile_step_end(const struct fair_profile *p,
				     const struct fair_profile_spot *s)
{
	size_t at = fair_profile_column(p, s);

	if (s->k + 1 < p->count[at])
		return p->base[at] + p->leaf[p->id[at]].off[s->k + 1];
	return fair_profile_leaf_end(p, s);
}

/* The last of 64 ascending numbers that is <= @t; the first is. */
FAIR_PROFILE_HOT size_t fair_profile_last64(const int64_t *a, int64_t t)
{
	size_t k;

	/* Loads that do not wait for each other, unlike a binary search. */
	k = (size_t)(a[8] <= t) + (a[16] <= t) + (a[24] <= t) + (a[32] <= t) +
	    (a[40] <= t) + (a[48] <= t) + (a[56] <= t);
	a += 8 * k;
	return 8 * k + (a[1] <= t) + (a[2] <= t) + (a[3] <= t) + (a[4] <= t) +
	       (a[5] <= t) + (a[6] <= t) + (a[7] <= t);
}

/* The position of the chunk that holds @t >= origin. */
FAIR_PROFILE_HOT size_t fair_profile_position(const struct fair_profile *p,
					      int64_t t)
{
	size_t at = 0, i;

	for (i = 64; i < p->chunks; i += 64)
		at += p->first[i] <= t ? 64 : 0;
	return at + fair_profile_last64(p->first + at, t);
}

/* The step of @leaf that holds @base + @x, @x >= 0. */
FAIR_PROFILE_HOT size_t fair_profile_step_of(const struct fair_profile_leaf *leaf,
				   int64_t x)
{
	int32_t y = (int32_t)(x < FAIR_PROFILE_SPAN ? x : FAIR_PROFILE_SPAN);
	uint64_t later = fair_profile_gt64(leaf->off, y);

	return (later ? (size_t)fair_profile_ctz(later) : 64) - 1;
}

/* The leaf that holds @t >= origin. */
FAIR_PROFILE_HOT struct fair_profile_spot
fair_profile_find_leaf(const struct fair_profile *p, int64_t t)
{
	struct fair_profile_spot s = { 0, 0, 0, 0 };

	s.pos = fair_profile_position(p, t);
	s.chunk = p->order[s.pos];
	s.leaf = fair_profile_last64(p->base + s.chunk * 64, t);
	return s;
}

/* The step that holds @t >= origin. */
FAIR_PROFILE_HOT struct fair_profile_spot
fair_profile_find(const struct fair_profile *p,
						  int64_t t)
{
	struct fair_profile_spot s = fair_profile_find_leaf(p, t);
	size_t at = fair_profile_column(p, &s);

	s.k = fair_profile_step_of(p->leaf + p->id[at], t - p->base[at]);
	return s;
}

static int32_t fair_profile_leaf_least(const struct fair_profile_leaf *leaf)
{
	int32_t least[4] = { INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX };
	int k, l;

	for (k = 0; k < 64; k += 4)
		for (l = 0; l < 4; l++)
			if (leaf->free[k + l] < least[l])
				least[l] = leaf->free[k + l];
	for (l = 1; l < 4; l++)
		if (least[l] < least[0])
			least[0] = least[l];
	return least[0];
}

FAIR_PROFILE_HOT void fair_profile_leaf_insert(struct fair_profile_leaf *leaf, size_t n,
				     size_t k, int32_t off, int32_t procs)
{
	FAIR_MEMMOVE(leaf->off + k + 1, leaf->off + k,
		     (n - k) * sizeof(leaf->off[0]));
	FAIR_MEMMOVE(leaf->free + k + 1, leaf->free + k,
		     (n - k) * sizeof(leaf->free[0]));
	leaf->off[k] = off;
	leaf->free[k] = procs;
}

static void fair_profile_leaf_remove(struct fair_profile_leaf *leaf, size_t n,
				     size_t k, size_t steps)
{
	size_t i;

	FAIR_MEMMOVE(leaf->off + k, leaf->off + k + steps,
		     (n - k - steps) * sizeof(leaf->off[0]));
	FAIR_MEMMOVE(leaf->free + k, leaf->free + k + steps,
		     (n - k - steps) * sizeof(leaf->free[0]));
	for (i = n - steps; i < n; i++) {
		leaf->off[i] = INT32_MAX;
		leaf->free[i] = INT32_MAX;
	}
}

/*
 * Memory
 */

static char *fair_profile_carve(char *memory, size_t *used, size_t bytes)
{
	char *at = memory ? memory + *used : NULL;

	*used += (bytes + 63) & ~(size_t)63;
	return at;
}

/* Horizons are given out in units of what one leaf can span, 68 years. */
static size_t fair_profile_spans(size_t steps)
{
	return steps / 1024 < 63 ? 1 + steps / 1024 : 64;
}

/*
 * Sets the sizes and pointers of @p for @steps in @memory, if any; returns the
 * bytes used. The number of leaves: see I7 in the manual; two more for what a
 * change has for a moment.
 */
static size_t fair_profile_layout(struct fair_profile *p, char *memory,
				  size_t steps)
{
	size_t leaves = 2 * ((steps + 2) / (FAIR_PROFILE_LEAF_MAX + 1) +
			     fair_profile_spans(steps)) + 1;
	size_t need = leaves + leaves / 16, chunks, columns, used = 0;

	chunks = (need + FAIR_PROFILE_CHUNK_MAX - 1) / FAIR_PROFILE_CHUNK_MAX;
	p->stride = (uint32_t)(((need + chunks - 1) / chunks + 15) / 16 * 16);
	p->width = p->stride < FAIR_PROFILE_CHUNK_MAX ? p->stride :
							FAIR_PROFILE_CHUNK_MAX;
	p->chunks_max = (uint32_t)chunks;
	p->leaves_max = (uint32_t)leaves;
	columns = chunks * 64;
	p->leaf = (struct fair_profile_leaf *)(void *)fair_profile_carve(
		memory, &used, leaves * sizeof(p->leaf[0]));
	p->row = (int32_t *)(void *)fair_profile_carve(
		memory, &used, chunks * p->stride * FAIR_PROFILE_ROWS *
					       sizeof(p->row[0]));
	p->base = (int64_t *)(void *)fair_profile_carve(
		memory, &used, columns * sizeof(p->base[0]));
	p->id = (uint32_t *)(void *)fair_profile_carve(
		memory, &used, columns * sizeof(p->id[0]));
	p->least = (int32_t *)(void *)fair_profile_carve(
		memory, &used, columns * sizeof(p->least[0]));
	p->count = (uint8_t *)fair_profile_carve(memory, &used, columns);
	p->dirty = (uint64_t *)(void *)fair_profile_carve(
		memory, &used,
		chunks * FAIR_PROFILE_LANES * sizeof(p->dirty[0]));
	p->stale = (uint64_t *)(void *)fair_profile_carve(
		memory, &used, chunks * sizeof(p->stale[0]));
	p->used = (uint8_t *)fair_profile_carve(memory, &used, chunks);
	p->order = (uint32_t *)(void *)fair_profile_carve(
		memory, &used, chunks * sizeof(p->order[0]));
	p->first = (int64_t *)(void *)fair_profile_carve(
		memory, &used, ((chunks + 63) & ~(size_t)63) *
				       sizeof(p->first[0]));
	p->top = (int32_t *)(void *)fair_profile_carve(
		memory, &used,
		((chunks + 15) & ~(size_t)15) * FAIR_PROFILE_ROWS *
			sizeof(p->top[0]));
	return used + 63;
}

FAIR_PROFILE_API size_t fair_profile_size(size_t steps)
{
	struct fair_profile p;

	if (steps > UINT32_MAX / 2 || steps > SIZE_MAX / 256 - 4096)
		return 0;
	return fair_profile_layout(&p, NULL, steps);
}

/* The most steps for which @bytes suffice. */
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

/* Sizes, pointers and an empty index; no leaf yet. */
static int fair_profile_prepare(struct fair_profile *p, void *memory,
				size_t bytes, int64_t origin)
{
	size_t slack = (size_t)(-(uintptr_t)memory & 63);
	size_t top, i;

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
	p->settled = true;
	top = ((p->chunks_max + 15) & ~(size_t)15) * FAIR_PROFILE_ROWS;
	FAIR_MEMSET(p->top, 0, top * sizeof(p->top[0]));
	for (i = 0; i < ((p->chunks_max + 63) & ~UINT32_C(63)); i++)
		p->first[i] = INT64_MAX;
	return 0;
}

static uint32_t fair_profile_leaf_take(struct fair_profile *p)
{
	uint32_t id = p->leaf_spare;
	int k;

	if (id != UINT32_MAX)
		p->leaf_spare = (uint32_t)p->leaf[id].off[0];
	else
		id = p->leaves_fresh++;
	FAIR_ASSERT(p->leaves++ < p->leaves_max);
	for (k = 0; k < 64; k++)
		p->leaf[id].off[k] = p->leaf[id].free[k] = INT32_MAX;
	return id;
}

static void fair_profile_leaf_give(struct fair_profile *p, uint32_t id)
{
	p->leaf[id].off[0] = (int32_t)p->leaf_spare;
	p->leaf_spare = id;
	p->leaves--;
}

/*
 * Chunks
 */

/* Moves the columns of @chunk from place @from to @to; more than one array. */
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
	FAIR_MEMMOVE(p->count + b, p->count + a, n);
}

/* Makes room for @n leaves at @at of @chunk. */
static void fair_profile_open(struct fair_profile *p, size_t chunk, size_t at,
			      size_t n)
{
	uint64_t below = fair_profile_below(at), *d;
	size_t l;

	fair_profile_columns(p, chunk, at, at + n, p->used[chunk] - at);
	p->used[chunk] = (uint8_t)(p->used[chunk] + n);
	d = p->dirty + chunk * FAIR_PROFILE_LANES;
	for (l = 0; l < FAIR_PROFILE_LANES; l++)
		d[l] = (d[l] & below) | (d[l] & ~below) << n;
	d = p->stale + chunk;
	*d = (*d & below) | (*d & ~below) << n;
}

/* Takes @n leaves at @at out of @chunk. */
static void fair_profile_close(struct fair_profile *p, size_t chunk, size_t at,
			       size_t n)
{
	uint64_t below = fair_profile_below(at), *d;
	size_t l;

	fair_profile_columns(p, chunk, at + n, at, p->used[chunk] - at - n);
	p->used[chunk] = (uint8_t)(p->used[chunk] - n);
	for (l = 0; l < n; l++)
		p->base[chunk * 64 + p->used[chunk] + l] = INT64_MAX;
	d = p->dirty + chunk * FAIR_PROFILE_LANES;
	for (l = 0; l < FAIR_PROFILE_LANES; l++)
		d[l] = (d[l] & below) | (n < 64 ? d[l] >> n & ~below : 0);
	d = p->stale + chunk;
	*d = (*d & below) | (n < 64 ? *d >> n & ~below : 0);
}

/* One leaf's column of @q becomes one of @p, which may be @q. */
static void fair_profile_column_copy(struct fair_profile *p, size_t chunk,
				     size_t at, const struct fair_profile *q,
				     size_t from_chunk, size_t from)
{
	size_t a = from_chunk * 64 + from, b = chunk * 64 + at, l;
	uint64_t bit = UINT64_C(1) << at;

	for (l = 0; l < FAIR_PROFILE_ROWS; l++)
		fair_profile_row(p, chunk, l)[at] =
			fair_profile_row(q, from_chunk, l)[from];
	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		uint64_t d = q->dirty[from_chunk * FAIR_PROFILE_LANES + l];

		p->dirty[chunk * FAIR_PROFILE_LANES + l] &= ~bit;
		p->dirty[chunk * FAIR_PROFILE_LANES + l] |= (d >> from & 1)
							    << at;
	}
	p->stale[chunk] &= ~bit;
	p->stale[chunk] |= (q->stale[from_chunk] >> from & 1) << at;
	p->base[b] = q->base[a];
	p->id[b] = q->id[a];
	p->least[b] = q->least[a];
	p->count[b] = q->count[a];
}

/* What position @from may contain, @to may contain too. */
static void fair_profile_top_join(struct fair_profile *p, size_t to,
				  size_t from)
{
	size_t l;

	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int32_t *top = fair_profile_top(p, l);

		if (top[to] < top[from])
			top[to] = top[from];
	}
	fair_profile_top(p, FAIR_PROFILE_NEWS)[to] |=
		fair_profile_top(p, FAIR_PROFILE_NEWS)[from] |
		FAIR_PROFILE_LOOSE;
	p->settled = false;
}

/* An empty chunk at @pos. */
static void fair_profile_position_open(struct fair_profile *p, size_t pos)
{
	uint32_t c = p->chunks < p->chunks_fresh ? p->order[p->chunks] :
						   p->chunks_fresh++;
	size_t n = p->chunks - pos, l;

	FAIR_ASSERT(p->chunks < p->chunks_max);
	FAIR_MEMMOVE(p->order + pos + 1, p->order + pos,
		     n * sizeof(p->order[0]));
	FAIR_MEMMOVE(p->first + pos + 1, p->first + pos,
		     n * sizeof(p->first[0]));
	for (l = 0; l < FAIR_PROFILE_ROWS; l++) {
		int32_t *top = fair_profile_top(p, l) + pos;

		FAIR_MEMMOVE(top + 1, top, n * sizeof(top[0]));
		*top = 0;
	}
	p->chunks++;
	p->order[pos] = c;
	p->used[c] = 0;
	p->stale[c] = 0;
	for (l = 0; l < 64; l++)
		p->base[c * (size_t)64 + l] = INT64_MAX;
	FAIR_MEMSET(fair_profile_row(p, c, 0), 0,
		    FAIR_PROFILE_ROWS * p->stride * sizeof(p->row[0]));
	FAIR_MEMSET(p->dirty + c * (size_t)FAIR_PROFILE_LANES, 0,
		    FAIR_PROFILE_LANES * sizeof(p->dirty[0]));
}

static void fair_profile_position_close(struct fair_profile *p, size_t pos)
{
	uint32_t c = p->order[pos];
	size_t n = --p->chunks - pos, l;

	FAIR_MEMMOVE(p->order + pos, p->order + pos + 1,
		     n * sizeof(p->order[0]));
	FAIR_MEMMOVE(p->first + pos, p->first + pos + 1,
		     n * sizeof(p->first[0]));
	for (l = 0; l < FAIR_PROFILE_ROWS; l++) {
		int32_t *top = fair_profile_top(p, l) + pos;

		FAIR_MEMMOVE(top, top + 1, n * sizeof(top[0]));
		top[n] = 0;
	}
	p->order[p->chunks] = c;
	p->first[p->chunks] = INT64_MAX;
}

/* @n leaves go from the end of position @pos to the beginning of the next. */
static void fair_profile_shift_later(struct fair_profile *p, size_t pos,
				     size_t n)
{
	size_t a = p->order[pos], b = p->order[pos + 1], i;
	size_t left = p->used[a] - n;

	fair_profile_open(p, b, 0, n);
	for (i = 0; i < n; i++)
		fair_profile_column_copy(p, b, i, p, a, left + i);
	fair_profile_close(p, a, left, n);
	p->first[pos + 1] = p->base[b * 64];
	fair_profile_top_join(p, pos + 1, pos);
	fair_profile_top_join(p, pos, pos);
}

/* One leaf goes from the beginning of @pos + 1 to the end of @pos. */
static void fair_profile_shift_earlier(struct fair_profile *p, size_t pos)
{
	size_t a = p->order[pos], b = p->order[pos + 1];

	fair_profile_column_copy(p, a, p->used[a], p, b, 0);
	p->used[a]++;
	fair_profile_close(p, b, 0, 1);
	p->first[pos + 1] = p->base[b * 64];
	fair_profile_top_join(p, pos, pos + 1);
	fair_profile_top_join(p, pos + 1, pos + 1);
}

/*
 * Makes room in the full chunk at @pos: by another chunk, else by moving one
 * leaf along towards the nearest chunk that is not full. There is one: there
 * are more columns than leaves.
 */
static void fair_profile_make_room(struct fair_profile *p, size_t pos)
{
	size_t n = p->used[p->order[pos]], d, i;

	if (p->chunks < p->chunks_max) {
		/* The last one is most often appended to. */
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
		FAIR_ASSERT(d < p->chunks);
	}
}

/*
 * Marks
 */

/* The entries of a leaf in lanes [@from, @to) may be wrong. */
FAIR_PROFILE_HOT void fair_profile_mark_leaf(struct fair_profile *p,
				   const struct fair_profile_spot *s,
				   size_t from, size_t to, bool raised)
{
	uint64_t bit = UINT64_C(1) << s->leaf;
	uint64_t *d = p->dirty + s->chunk * FAIR_PROFILE_LANES;

	p->stale[s->chunk] |= bit;
	p->settled = false;
	if (!raised)
		return;
	fair_profile_top(p, FAIR_PROFILE_NEWS)[s->pos] |= FAIR_PROFILE_DIRTY;
	for (; from < to; from++)
		d[from] |= bit;
}

/*
 * The same for the leaves before @s whose last runs reach through the first
 * @steps of it.
 */
static void fair_profile_mark_before(struct fair_profile *p,
				     struct fair_profile_spot s, size_t steps,
				     size_t from, size_t to, bool raised)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, &s);
	int32_t least = INT32_MAX;
	size_t i;

	for (i = 0; i < steps; i++)
		least = leaf->free[i] < least ? leaf->free[i] : least;

	for (i = 0; i < FAIR_PROFILE_REACH; i++) {
		int32_t last;

		if (!fair_profile_prev(p, &s))
			return;
		last = fair_profile_leaf_at(p, &s)->free[s.k];
		if (last < least)
			least = last;
		if (least < p->lane[from])
			return;
		while (p->lane[to - 1] > least)
			to--;
		fair_profile_mark_leaf(p, &s, from, to, raised);
		if (p->least[fair_profile_column(p, &s)] < least)
			least = p->least[fair_profile_column(p, &s)];
	}
}

/*
 * Steps and leaves, come and gone
 */

/*
 * Opens a column after the one of the leaf that holds @t, *@s, for a new leaf,
 * *@n, and copies it.
 */
static void fair_profile_column_new(struct fair_profile *p, int64_t t,
				    struct fair_profile_spot *s,
				    struct fair_profile_spot *n)
{
	for (;;) {
		*s = *n = fair_profile_find_leaf(p, t);
		n->leaf++;
		if (p->used[s->chunk] < p->width)
			break;
		/* The end of a full chunk is the beginning of the next. */
		if (n->leaf == p->used[s->chunk] && n->pos + 1 < p->chunks) {
			n->chunk = p->order[++n->pos];
			n->leaf = 0;
			if (p->used[n->chunk] < p->width)
				break;
		}
		fair_profile_make_room(p, s->pos);
	}
	fair_profile_open(p, n->chunk, n->leaf, 1);
	fair_profile_column_copy(p, n->chunk, n->leaf, p, s->chunk, s->leaf);
	if (n->pos != s->pos)
		fair_profile_top_join(p, n->pos, s->pos);
}

/*
 * The leaf that holds @t keeps its first @keep steps; the others go to a new
 * leaf after it. If there is no other, a new step at @t goes there.
 */
static void fair_profile_split(struct fair_profile *p, int64_t t, size_t keep,
			       int32_t procs)
{
	struct fair_profile_leaf *a, *b;
	struct fair_profile_spot s, next;
	size_t at, to, n, i;

	fair_profile_column_new(p, t, &s, &next);
	at = fair_profile_column(p, &s);
	to = fair_profile_column(p, &next);
	n = p->count[at] - keep;
	p->id[to] = fair_profile_leaf_take(p);
	a = p->leaf + p->id[at];
	b = p->leaf + p->id[to];
	if (n) {
		for (i = 0; i < n; i++) {
			b->off[i] = a->off[keep + i] - a->off[keep];
			b->free[i] = a->free[keep + i];
		}
		p->base[to] = p->base[at] + a->off[keep];
		fair_profile_leaf_remove(a, keep + n, keep, n);
	} else {
		n = 1;
		b->off[0] = 0;
		b->free[0] = procs;
		p->base[to] = t;
		p->steps++;
	}
	if (!next.leaf)
		p->first[next.pos] = p->base[to];
	p->count[at] = (uint8_t)keep;
	p->count[to] = (uint8_t)n;
	p->least[at] = fair_profile_leaf_least(a);
	p->least[to] = fair_profile_leaf_least(b);
	fair_profile_mark_leaf(p, &s, 0, 0, false);
	fair_profile_mark_leaf(p, &next, 0, 0, false);
	/* There is one leaf more now between those before and those after. */
	fair_profile_mark_before(p, s, keep, 0, FAIR_PROFILE_LANES, true);
	fair_profile_mark_before(p, next, n, 0, FAIR_PROFILE_LANES, true);
}

/* Takes the leaf at @s out; its steps are gone or elsewhere. */
static void fair_profile_leaf_drop(struct fair_profile *p,
				   const struct fair_profile_spot *s)
{
	fair_profile_leaf_give(p, p->id[fair_profile_column(p, s)]);
	fair_profile_close(p, s->chunk, s->leaf, 1);
	if (!p->used[s->chunk]) {
		fair_profile_position_close(p, s->pos);
		return;
	}
	p->first[s->pos] = p->base[s->chunk * 64];
	fair_profile_top_join(p, s->pos, s->pos);
}

/* The leaf at @b, which follows @a and fits in, is put at its end. */
static void fair_profile_merge(struct fair_profile *p,
			       const struct fair_profile_spot *a,
			       const struct fair_profile_spot *b)
{
	size_t to = fair_profile_column(p, a), from = fair_profile_column(p, b);
	size_t n = p->count[to], m = p->count[from], i, l;
	struct fair_profile_leaf *x = fair_profile_leaf_at(p, a);
	const struct fair_profile_leaf *y = fair_profile_leaf_at(p, b);
	int32_t off = (int32_t)(p->base[from] - p->base[to]);

	for (i = 0; i < m; i++) {
		x->off[n + i] = off + y->off[i];
		x->free[n + i] = y->free[i];
	}
	p->count[to] = (uint8_t)(n + m);
	if (p->least[to] > p->least[from])
		p->least[to] = p->least[from];
	/* A run of both is no longer than its part from the first one's base. */
	for (l = 0; l < FAIR_PROFILE_ROWS; l++) {
		int32_t *r = fair_profile_row(p, a->chunk, l) + a->leaf;
		int32_t other = fair_profile_row(p, b->chunk, l)[b->leaf];

		if (*r < other)
			*r = other;
	}
	for (l = 0; l < FAIR_PROFILE_LANES; l++)
		if (p->dirty[b->chunk * FAIR_PROFILE_LANES + l] >> b->leaf & 1)
			fair_profile_mark_leaf(p, a, l, l + 1, true);
	fair_profile_mark_leaf(p, a, 0, 0, false);
	fair_profile_top_join(p, a->pos, b->pos);
	fair_profile_leaf_drop(p, b);
}

/* Would the steps of @a and @b, its neighbour, fit into one leaf? */
static bool fair_profile_mergeable(const struct fair_profile *p,
				   const struct fair_profile_spot *a,
				   const struct fair_profile_spot *b)
{
	size_t x = fair_profile_column(p, a), y = fair_profile_column(p, b);
	size_t n = p->count[y];

	return p->count[x] + n <= FAIR_PROFILE_LEAF_MAX &&
	       p->base[y] - p->base[x] + p->leaf[p->id[y]].off[n - 1] <=
		       FAIR_PROFILE_SPAN;
}

/* Merges the leaf that holds @t with its neighbours where that is possible. */
static void fair_profile_tidy(struct fair_profile *p, int64_t t)
{
	struct fair_profile_spot s = fair_profile_find(p, t), other = s;

	if (fair_profile_prev(p, &other) &&
	    fair_profile_mergeable(p, &other, &s)) {
		fair_profile_merge(p, &other, &s);
		s = fair_profile_find(p, t);
	}
	other = s;
	if (fair_profile_next(p, &other) &&
	    fair_profile_mergeable(p, &s, &other))
		fair_profile_merge(p, &s, &other);
}

/* A step at @t in the leaf of @s, after @s, where there is room. */
FAIR_PROFILE_HOT void fair_profile_insert_fast(struct fair_profile *p,
				     const struct fair_profile_spot *s,
				     int64_t t, int32_t procs)
{
	size_t at = fair_profile_column(p, s);

	fair_profile_leaf_insert(p->leaf + p->id[at], p->count[at], s->k + 1,
				 (int32_t)(t - p->base[at]), procs);
	p->count[at]++;
	p->steps++;
	if (p->least[at] > procs)
		p->least[at] = procs;
}

/* A step at @t, in a leaf that is full or would have to span too much. */
static void fair_profile_insert_slow(struct fair_profile *p,
				     struct fair_profile_spot s, int64_t t,
				     int32_t procs)
{
	size_t at = fair_profile_column(p, &s), n = p->count[at], keep = n / 2;
	bool last = fair_profile_leaf_end(p, &s) == FAIR_FOREVER;
	int64_t base = p->base[at], later, x = t - base;

	/* The end grows most: what is left behind there shall be full. */
	if (last)
		keep = n - n / 8 - 1;
	if (x > FAIR_PROFILE_SPAN || (last && s.k + 1 == n)) {
		fair_profile_split(p, t, n, procs);
		fair_profile_tidy(p, t);
		return;
	}
	later = base + p->leaf[p->id[at]].off[keep];
	fair_profile_split(p, t, keep, 0);
	s = fair_profile_find(p, t);
	fair_profile_insert_fast(p, &s, t, procs);
	fair_profile_tidy(p, base);
	fair_profile_tidy(p, later);
}

/* A step at @t, after @s. Returns whether spots have moved. */
FAIR_PROFILE_HOT bool fair_profile_insert(struct fair_profile *p,
				const struct fair_profile_spot *s, int64_t t,
				int32_t procs)
{
	size_t at = fair_profile_column(p, s);

	if (p->count[at] < FAIR_PROFILE_LEAF_MAX &&
	    t - p->base[at] <= FAIR_PROFILE_SPAN) {
		fair_profile_insert_fast(p, s, t, procs);
		return false;
	}
	fair_profile_insert_slow(p, *s, t, procs);
	return true;
}

/* Drops the first @n < count steps of the leaf at @s, which begins at @base. */
static void fair_profile_leaf_shorten(struct fair_profile *p,
				      const struct fair_profile_spot *s,
				      size_t n, int64_t base)
{
	size_t at = fair_profile_column(p, s), i;
	struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	int32_t x = (int32_t)(base - p->base[at]);

	if (n)
		fair_profile_leaf_remove(leaf, p->count[at], 0, n);
	p->count[at] = (uint8_t)(p->count[at] - n);
	p->steps -= n;
	leaf->off[0] = 0;
	for (i = 1; i < p->count[at]; i++) /* those are > x */
		leaf->off[i] -= x;
	p->base[at] = base;
	if (!s->leaf)
		p->first[s->pos] = base;
	p->least[at] = fair_profile_leaf_least(leaf);
}

/* The step at @s equals the one before it. Returns whether spots have moved. */
static bool fair_profile_remove(struct fair_profile *p,
				const struct fair_profile_spot *s)
{
	size_t at = fair_profile_column(p, s), n = p->count[at];
	struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	struct fair_profile_spot other = *s;
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
	if (fair_profile_next(p, &other) && fair_profile_mergeable(p, s, &other)) {
		fair_profile_tidy(p, t);
		return true;
	}
	other = *s;
	if (fair_profile_prev(p, &other) && fair_profile_mergeable(p, &other, s)) {
		fair_profile_tidy(p, t);
		return true;
	}
	return false;
}

/*
 * Changes
 */

/* What is added, where; decided before anything is changed. */
struct fair_profile_change {
	int64_t start, end;
	struct fair_profile_spot a, b; /* steps: of start, of end - 1 */
	bool cut_a, cut_b;	       /* a step is to begin there */
	bool join_a, join_b;	       /* the step there equals the one before */
	int32_t low, high, delta;      /* of free before; high is a bound */
};

FAIR_PROFILE_HOT int32_t fair_profile_at(const struct fair_profile *p,
			       const struct fair_profile_spot *s)
{
	return fair_profile_leaf_at(p, s)->free[s->k];
}

/* Least and greatest of the steps [@i, @j) of a leaf, into @c. */
FAIR_PROFILE_HOT void fair_profile_scan(const struct fair_profile_leaf *leaf, size_t i,
			      size_t j, struct fair_profile_change *c)
{
	for (; i < j; i++) {
		int32_t f = leaf->free[i];

		c->low = f < c->low ? f : c->low;
		c->high = f > c->high ? f : c->high;
	}
}

/* Finds @c->b from @c->a on, and low and high (@exact: not only a bound). */
FAIR_PROFILE_HOT void fair_profile_measure(const struct fair_profile *p,
				 struct fair_profile_change *c, bool exact)
{
	struct fair_profile_spot b = c->a;
	size_t i = b.k, at, n;

	c->low = INT32_MAX;
	c->high = 0;
	while (fair_profile_leaf_end(p, &b) < c->end) {
		at = fair_profile_column(p, &b);
		n = p->count[at];
		if (i || exact) {
			fair_profile_scan(p->leaf + p->id[at], i, n, c);
		} else {
			int32_t most = fair_profile_row(
				p, b.chunk, FAIR_PROFILE_MOST)[b.leaf];

			if (p->least[at] < c->low)
				c->low = p->least[at];
			if (most > c->high)
				c->high = most;
		}
		fair_profile_next(p, &b);
		i = 0;
	}
	at = fair_profile_column(p, &b);
	b.k = c->end == FAIR_FOREVER ?
		      p->count[at] - 1u :
		      fair_profile_step_of(p->leaf + p->id[at],
					   c->end - 1 - p->base[at]);
	fair_profile_scan(p->leaf + p->id[at], i, b.k + 1, c);
	c->b = b;
}

/* Are @delta added to [start, end) within [0, @limit], and is there room? */
FAIR_PROFILE_HOT int fair_profile_decide(const struct fair_profile *p,
			       struct fair_profile_change *c, int64_t delta,
			       int32_t limit)
{
	struct fair_profile_spot s;
	int more;

	c->a = fair_profile_find(p, c->start);
	fair_profile_measure(p, c, false);
	if (c->high + delta > limit)
		fair_profile_measure(p, c, true);
	if (c->low + delta < 0 || c->high + delta > limit)
		return -FAIR_ERANGE;
	c->delta = (int32_t)delta;
	s = c->a;
	c->cut_a = fair_profile_step_start(p, &s) != c->start;
	c->join_a = !c->cut_a && fair_profile_before(p, &s) &&
		    fair_profile_at(p, &s) ==
			    fair_profile_at(p, &c->a) + c->delta;
	s = c->b;
	c->cut_b = fair_profile_step_end(p, &s) != c->end;
	c->join_b = !c->cut_b && fair_profile_after(p, &s) &&
		    fair_profile_at(p, &s) ==
			    fair_profile_at(p, &c->b) + c->delta;
	more = c->cut_a + c->cut_b - c->join_a - c->join_b;
	if (more > 0 && (size_t)more > p->cap - p->steps)
		return -FAIR_ENOSPC;
	return 0;
}

/* Marks the leaves whose entries the change may make wrong. */
FAIR_PROFILE_HOT void fair_profile_mark(struct fair_profile *p,
			      const struct fair_profile_change *c)
{
	bool raised = c->delta > 0;
	int32_t low = raised ? c->low : c->low + c->delta;
	int32_t high = raised ? c->high + c->delta : c->high;
	size_t from = fair_profile_lanes(p, low);
	size_t to = fair_profile_lanes(p, high);
	struct fair_profile_spot s = c->a;
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, &s);
	uint64_t before = fair_profile_below(c->a.k + c->cut_a);

	for (;;) {
		int32_t *most = fair_profile_row(p, s.chunk, FAIR_PROFILE_MOST);

		if (raised && most[s.leaf] < high)
			most[s.leaf] = high;
		if (from < to)
			fair_profile_mark_leaf(p, &s, from, to, raised);
		if (s.pos == c->b.pos && s.leaf == c->b.leaf)
			break;
		fair_profile_next(p, &s);
	}
	/* Does a run of one of these lanes come in from the left? */
	if (from < to &&
	    !(before & ~fair_profile_gt64(leaf->free, p->lane[from] - 1)))
		fair_profile_mark_before(p, c->a, c->a.k + c->cut_a, from, to,
					 raised);
}

/* Adds @delta to the steps [@i, @j) of the leaf at @s. */
FAIR_PROFILE_HOT void fair_profile_leaf_add(struct fair_profile *p,
				  const struct fair_profile_spot *s, size_t i,
				  size_t j, int32_t delta)
{
	size_t at = fair_profile_column(p, s);
	struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	int32_t least = INT32_MAX;

	if (i == j)
		return;
	for (; i < j; i++) {
		int32_t f = leaf->free[i] += delta;

		least = f < least ? f : least;
	}
	if (delta < 0)
		p->least[at] = least < p->least[at] ? least : p->least[at];
	else if (least - delta == p->least[at])
		p->least[at] = fair_profile_leaf_least(leaf);
}

FAIR_PROFILE_HOT void fair_profile_commit(struct fair_profile *p,
				struct fair_profile_change *c)
{
	int32_t at_a = fair_profile_at(p, &c->a) + c->delta;
	int32_t at_b = fair_profile_at(p, &c->b);
	struct fair_profile_spot s = c->a;
	size_t i = s.k + c->cut_a;
	bool moved = false;

	fair_profile_mark(p, c);
	for (; s.pos != c->b.pos || s.leaf != c->b.leaf; i = 0) {
		fair_profile_leaf_add(p, &s, i, p->count[fair_profile_column(p, &s)],
				      c->delta);
		fair_profile_next(p, &s);
	}
	fair_profile_leaf_add(p, &s, i, c->b.k + 1, c->delta);
	s = c->b;
	if (c->cut_b) {
		moved = fair_profile_insert(p, &s, c->end, at_b);
	} else if (c->join_b) {
		fair_profile_after(p, &s);
		moved = fair_profile_remove(p, &s);
	}
	if (moved)
		c->a = fair_profile_find(p, c->start);
	if (c->cut_a)
		fair_profile_insert(p, &c->a, c->start, at_a);
	else if (c->join_a)
		fair_profile_remove(p, &c->a);
}

static int fair_profile_add(struct fair_profile *p, int64_t start, int64_t end,
			    int64_t delta, int32_t limit)
{
	struct fair_profile_change c;
	int err;

	if (!delta)
		return 0;
	c.start = start;
	c.end = end;
	err = fair_profile_decide(p, &c, delta, limit);
	if (!err)
		fair_profile_commit(p, &c);
	return err;
}

/*
 * Search
 */

/* The next leaves to look at: position, chunk and leaf of @s and a bit each. */
struct fair_profile_walk {
	struct fair_profile_spot s;
	uint64_t bits; /* of the chunk's leaves from s.leaf on */
	size_t lane;
	int32_t need; /* an entry greater than this may be long enough */
	int64_t walltime;
	int32_t procs;
};

/* Which leaves of the chunk from @w->s.leaf on may hold a start? */
static void fair_profile_walk_chunk(const struct fair_profile *p,
				    struct fair_profile_walk *w)
{
	size_t c = w->s.chunk, n = p->used[c];

	w->bits = fair_profile_gt(fair_profile_row(p, c, w->lane), n, w->need);
	w->bits |= p->dirty[c * FAIR_PROFILE_LANES + w->lane];
	w->bits &= fair_profile_gt(fair_profile_row(p, c, FAIR_PROFILE_MOST), n,
				   w->procs - 1);
	w->bits &= ~fair_profile_below(w->s.leaf);
}

/* To the next chunk with a leaf to look at. */
static bool fair_profile_walk_on(const struct fair_profile *p,
				 struct fair_profile_walk *w)
{
	const int32_t *top = fair_profile_top(p, w->lane);
	const int32_t *news = fair_profile_top(p, FAIR_PROFILE_NEWS);
	size_t pos = w->s.pos + 1, from = pos & ~(size_t)15;

	for (; from < p->chunks; from += 16) {
		uint64_t bits = fair_profile_gt16(top + from, w->need) |
				fair_profile_gt16(news + from, 1);

		for (bits &= ~fair_profile_below(pos - from); bits;
		     bits &= bits - 1) {
			w->s.pos = from + (size_t)fair_profile_ctz(bits);
			w->s.chunk = p->order[w->s.pos];
			w->s.leaf = 0;
			fair_profile_walk_chunk(p, w);
			if (w->bits)
				return true;
		}
		pos = from + 16;
	}
	return false;
}

/* @procs are free from @t to the end of the leaf at @w->s: for how long? */
static bool fair_profile_follow(const struct fair_profile *p,
				struct fair_profile_walk *w, int64_t t)
{
	size_t pos = w->s.pos;

	while (fair_profile_next(p, &w->s)) {
		size_t at = fair_profile_column(p, &w->s);
		const struct fair_profile_leaf *leaf;
		uint64_t less;

		if (p->base[at] - t >= w->walltime)
			return true;
		if (p->least[at] >= w->procs)
			continue;
		leaf = p->leaf + p->id[at];
		less = ~fair_profile_gt64(leaf->free, w->procs - 1);
		if (p->base[at] + leaf->off[fair_profile_ctz(less)] - t >=
		    w->walltime)
			return true;
		/* Nor from any moment before that: go on in this leaf. */
		if (w->s.pos == pos)
			w->bits &= ~fair_profile_below(w->s.leaf);
		else
			fair_profile_walk_chunk(p, w);
		return false;
	}
	return true;
}

/*
 * Is there a start >= @t in the leaf at @w->s? Its bit of @w->bits is cleared
 * if not.
 */
static bool fair_profile_fit(const struct fair_profile *p,
			     struct fair_profile_walk *w, int64_t t,
			     int64_t *start)
{
	size_t at = fair_profile_column(p, &w->s), n = p->count[at], i, j;
	const struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	uint64_t free = fair_profile_gt64(leaf->free, w->procs - 1) &
			fair_profile_below(n);
	int64_t base = p->base[at], from;

	if (t > base)
		free &= ~fair_profile_below(
			fair_profile_step_of(leaf, t - base));
	w->bits &= ~(UINT64_C(1) << w->s.leaf);
	while (free) {
		i = (size_t)fair_profile_ctz(free);
		free |= fair_profile_below(i);
		j = ~free ? (size_t)fair_profile_ctz(~free) : 64;
		from = base + leaf->off[i] > t ? base + leaf->off[i] : t;
		*start = from;
		if (j >= n)
			return fair_profile_follow(p, w, from);
		if (base + leaf->off[j] - from >= w->walltime)
			return true;
		free &= ~fair_profile_below(j);
	}
	return false;
}

/*
 * The first moment in [@t, @before) from which @procs are free for @walltime,
 * or @before.
 */
static int64_t fair_profile_search(const struct fair_profile *p, int64_t t,
				   int64_t before, int64_t walltime,
				   int32_t procs)
{
	struct fair_profile_walk w;
	int64_t start;

	w.s = fair_profile_find_leaf(p, t);
	w.lane = fair_profile_lanes(p, procs) - 1;
	w.need = (int32_t)(walltime < INT32_MAX ? walltime : INT32_MAX) - 1;
	w.walltime = walltime;
	w.procs = procs;
	fair_profile_walk_chunk(p, &w);
	while (w.bits || fair_profile_walk_on(p, &w)) {
		w.s.leaf = (size_t)fair_profile_ctz(w.bits);
		if (p->base[fair_profile_column(p, &w.s)] >= before)
			break;
		if (fair_profile_fit(p, &w, t, &start))
			return start < before ? start : before;
	}
	return before;
}

/*
 * Summaries
 */

/*
 * Runs of the first @n steps of @leaf that have an end after them: in each
 * lane the longest that has ended, and the beginning of the last one if it goes
 * on.
 */
static void fair_profile_runs(const struct fair_profile *p,
			      const struct fair_profile_leaf *leaf, size_t n,
			      int32_t *best, int32_t *begin)
{
	size_t k;
	int l;

	for (l = 0; l < 32; l++)
		best[l] = begin[l] = 0;
	for (k = 0; k < n; k++) {
		int32_t end = leaf->off[k + 1], f = leaf->free[k];

		for (l = 0; l < 32; l++) {
			int32_t b = f < p->lane[l] ? end : begin[l];

			begin[l] = b;
			best[l] = end - b > best[l] ? end - b : best[l];
		}
	}
}

/*
 * Where do the runs of lanes below @open end, that the leaf at @s leaves open?
 * In the order of their thresholds, the greatest first.
 */
static void fair_profile_ends(const struct fair_profile *p,
			      struct fair_profile_spot s, size_t open,
			      const int32_t *begin, int32_t *best)
{
	int64_t base = p->base[fair_profile_column(p, &s)];
	int i;

	for (i = 0; open && i < FAIR_PROFILE_REACH; i++) {
		const struct fair_profile_leaf *leaf;
		size_t at, k;

		if (!fair_profile_next(p, &s))
			break;
		at = fair_profile_column(p, &s);
		leaf = p->leaf + p->id[at];
		for (k = 0; p->least[at] < p->lane[open - 1]; k++)
			while (leaf->free[k] < p->lane[open - 1]) {
				int64_t end = p->base[at] - base + leaf->off[k];
				int32_t run = end > INT32_MAX ? INT32_MAX :
					      (int32_t)end - begin[open - 1];

				open--;
				if (best[open] < run)
					best[open] = run;
				if (!open)
					return;
			}
	}
	while (open)
		best[--open] = INT32_MAX;
}

/*
 * The entries of the leaf at @s: in each lane the longest run that begins in
 * it, or at its base where it began before; INT32_MAX stands for all longer
 * ones and for a run that goes on through the next FAIR_PROFILE_REACH leaves.
 */
static void fair_profile_entries(const struct fair_profile *p,
				 const struct fair_profile_spot *s,
				 int32_t *best)
{
	size_t at = fair_profile_column(p, s), n = p->count[at];
	const struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	int32_t begin[32];

	fair_profile_runs(p, leaf, n - 1, best, begin);
	fair_profile_ends(p, *s, fair_profile_lanes(p, leaf->free[n - 1]),
			  begin, best);
}

/* Puts @best into the leaf's column. Returns lanes whose top may be less now. */
static uint32_t fair_profile_store(struct fair_profile *p,
				   const struct fair_profile_spot *s,
				   const int32_t *best)
{
	const struct fair_profile_leaf *leaf = fair_profile_leaf_at(p, s);
	size_t n = p->count[fair_profile_column(p, s)], k, l;
	int32_t most = 0;
	uint32_t less = 0;

	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int32_t *entry = fair_profile_row(p, s->chunk, l) + s->leaf;
		int32_t *top = fair_profile_top(p, l) + s->pos;

		if (best[l] >= *top)
			*top = best[l];
		else if (*entry == *top)
			less |= UINT32_C(1) << l;
		*entry = best[l];
	}
	for (k = 0; k < n; k++)
		most = leaf->free[k] > most ? leaf->free[k] : most;
	fair_profile_row(p, s->chunk, FAIR_PROFILE_MOST)[s->leaf] = most;
	return less;
}

/* The maximum of a row again. */
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
	int32_t *news = fair_profile_top(p, FAIR_PROFILE_NEWS) + pos, best[32];
	struct fair_profile_spot s = { pos, p->order[pos], 0, 0 };
	uint32_t again = *news & FAIR_PROFILE_LOOSE ? UINT32_MAX : 0;
	uint64_t bits = p->stale[s.chunk];
	size_t l;

	for (; bits; bits &= bits - 1) {
		s.leaf = (size_t)fair_profile_ctz(bits);
		fair_profile_entries(p, &s, best);
		again |= fair_profile_store(p, &s, best);
	}
	for (l = 0; l < FAIR_PROFILE_LANES; l++)
		if (again >> l & 1)
			fair_profile_top_again(p, pos, l);
	p->stale[s.chunk] = 0;
	*news = 0;
	FAIR_MEMSET(p->dirty + s.chunk * FAIR_PROFILE_LANES, 0,
		    FAIR_PROFILE_LANES * sizeof(p->dirty[0]));
}

FAIR_PROFILE_API int fair_profile_settle(struct fair_profile *p)
{
	const int32_t *news = fair_profile_top(p, FAIR_PROFILE_NEWS);
	size_t pos;

	if (p->settled)
		return 0;
	for (pos = 0; pos < p->chunks; pos++)
		if (p->stale[p->order[pos]] || news[pos])
			fair_profile_settle_chunk(p, pos);
	p->settled = true;
	return 0;
}

/*
 * Beginnings
 */

/*
 * Thresholds from 1 up to @procs, each 1/64, 2/64, ... above the one before,
 * at least by 1; the finest such row of which the last exceeds 3/4 of @procs.
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
	size_t l;

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
	x.least[0] = procs;
	x.steps = 1;
	leaf = x.leaf + x.id[0];
	leaf->off[0] = 0;
	leaf->free[0] = procs;
	for (l = 0; l < FAIR_PROFILE_LANES; l++)
		fair_profile_top(&x, l)[0] = fair_profile_row(&x, 0, l)[0] =
			x.lane[l] <= procs ? INT32_MAX : 0;
	fair_profile_row(&x, 0, FAIR_PROFILE_MOST)[0] = procs;
	*p = x;
	return 0;
}

/* When the last step begins. */
static int64_t fair_profile_latest(const struct fair_profile *p)
{
	struct fair_profile_spot s = { p->chunks - 1, 0, 0, 0 };
	size_t at;

	s.chunk = p->order[s.pos];
	s.leaf = p->used[s.chunk] - 1u;
	at = fair_profile_column(p, &s);
	s.k = p->count[at] - 1u;
	return fair_profile_step_start(p, &s);
}

/* The leaf of @q at @s is copied behind all of @p. */
static void fair_profile_append_copy(struct fair_profile *p,
				     const struct fair_profile *q,
				     const struct fair_profile_spot *s)
{
	size_t pos = (size_t)p->chunks - 1, c, at, l;

	if (!p->chunks || p->used[p->order[pos]] == p->width) {
		fair_profile_position_open(p, ++pos);
		p->first[pos] = q->base[fair_profile_column(q, s)];
	}
	c = p->order[pos];
	at = p->used[c]++;
	fair_profile_column_copy(p, c, at, q, s->chunk, s->leaf);
	p->id[c * 64 + at] = fair_profile_leaf_take(p);
	p->leaf[p->id[c * 64 + at]] = *fair_profile_leaf_at(q, s);
	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int32_t entry = fair_profile_row(p, c, l)[at];
		int32_t *top = fair_profile_top(p, l) + pos;

		*top = entry > *top ? entry : *top;
	}
	fair_profile_top(p, FAIR_PROFILE_NEWS)[pos] |=
		fair_profile_top(q, FAIR_PROFILE_NEWS)[s->pos];
}

FAIR_PROFILE_API int fair_profile_clone(struct fair_profile *copy,
					void *memory, size_t bytes,
					const struct fair_profile *p)
{
	struct fair_profile_spot s = { 0, p->order[0], 0, 0 };
	struct fair_profile x;

	if (!memory)
		return -FAIR_EINVAL;
	if (fair_profile_prepare(&x, memory, bytes, p->origin) ||
	    p->steps > x.cap || fair_profile_latest(p) > x.horizon)
		return -FAIR_ENOMEM;
	x.limit = p->limit;
	FAIR_MEMCPY(x.lane, p->lane, sizeof(x.lane));
	do
		fair_profile_append_copy(&x, p, &s);
	while (fair_profile_next(p, &s));
	x.steps = p->steps;
	x.settled = p->settled;
	*copy = x;
	return 0;
}

/*
 * Queries
 */

FAIR_PROFILE_API int
fair_profile_earliest_start(const struct fair_profile *p, int64_t not_before,
			    int64_t walltime, int32_t procs, int64_t *start)
{
	int64_t t;

	if (walltime < 1 || procs < 1 || not_before < p->origin)
		return -FAIR_EINVAL;
	if (not_before > p->horizon || walltime > p->horizon - not_before)
		return -FAIR_EOVERFLOW;
	t = fair_profile_search(p, not_before, INT64_MAX, walltime, procs);
	if (t == INT64_MAX)
		return -FAIR_ERANGE;
	if (walltime > p->horizon - t)
		return -FAIR_EOVERFLOW;
	*start = t;
	return 0;
}

/*
 * A moment >= @floor from which @procs are free up to @t: the earliest one, or
 * one <= @floor; @t if there is none.
 */
static int64_t fair_profile_free_since(const struct fair_profile *p, int64_t t,
				       int64_t floor, int32_t procs)
{
	struct fair_profile_spot s = fair_profile_find(p, t - 1);

	do {
		size_t at = fair_profile_column(p, &s);
		const struct fair_profile_leaf *leaf = p->leaf + p->id[at];
		uint64_t less = ~fair_profile_gt64(leaf->free, procs - 1) &
				fair_profile_below(s.k + 1);
		size_t k;

		if (less) {
			k = (size_t)fair_profile_msb(less);
			return k < s.k ? p->base[at] + leaf->off[k + 1] : t;
		}
		t = p->base[at];
	} while (t > floor && fair_profile_prev(p, &s));
	return t;
}

FAIR_PROFILE_API int
fair_profile_earlier_start(const struct fair_profile *p, int64_t not_before,
			   int64_t before, int64_t walltime, int32_t procs,
			   int64_t current, int64_t *start)
{
	int64_t t, first = INT64_MAX, floor = not_before;

	if (walltime < 1 || procs < 1 || not_before < p->origin)
		return -FAIR_EINVAL;
	if (current > p->horizon)
		return -FAIR_EOVERFLOW;
	if (before > current)
		before = current;
	if (not_before >= before) {
		*start = current;
		return 0;
	}
	/* Starts whose run touches current ... */
	if (walltime < current - not_before)
		floor = current - walltime;
	t = fair_profile_free_since(p, current, floor, procs);
	if (t < not_before)
		t = not_before;
	if (t < before)
		before = t;
	else
		t = current;
	/* ... and those that are over by then. */
	if (walltime <= current - not_before) {
		if (before > current - walltime + 1)
			before = current - walltime + 1;
		if (not_before < before)
			first = fair_profile_search(p, not_before, before,
						    walltime, procs);
		if (first < before)
			t = first;
	}
	*start = t;
	return 0;
}

FAIR_PROFILE_API int fair_profile_min_free(const struct fair_profile *p,
					   int64_t start, int64_t end,
					   int32_t *free_procs)
{
	struct fair_profile_change c;

	if (start < p->origin || end <= start)
		return -FAIR_EINVAL;
	c.a = fair_profile_find(p, start);
	c.end = end;
	fair_profile_measure(p, &c, false);
	*free_procs = c.low;
	return 0;
}

FAIR_PROFILE_API int fair_profile_step_at(const struct fair_profile *p,
					  int64_t t, struct fair_step *step)
{
	struct fair_profile_spot s;

	if (t < p->origin)
		return -FAIR_EINVAL;
	s = fair_profile_find(p, t);
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
 * Changes, as the caller sees them
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
	int64_t limit = (int64_t)p->limit + (delta > 0 || whole ? delta : 0);
	int err;

	if (start < p->origin || end <= start)
		return -FAIR_EINVAL;
	if (start > p->horizon || (end > p->horizon && end != FAIR_FOREVER))
		return -FAIR_EOVERFLOW;
	err = fair_profile_add(p, start, end, delta, INT32_MAX);
	if (!err)
		p->limit = limit < INT32_MAX ? (int32_t)limit : INT32_MAX;
	return err;
}

/* Forgets the leaf at @s, and its steps. */
static void fair_profile_forget(struct fair_profile *p,
				const struct fair_profile_spot *s)
{
	size_t at = fair_profile_column(p, s);

	p->steps -= p->count[at];
	fair_profile_leaf_give(p, p->id[at]);
}

FAIR_PROFILE_API int fair_profile_advance(struct fair_profile *p,
					  int64_t origin)
{
	struct fair_profile_spot to, s = { 0, 0, 0, 0 };

	if (origin < p->origin)
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	to = fair_profile_find(p, origin);
	s.chunk = p->order[0];
	for (; s.chunk != to.chunk || s.leaf != to.leaf;
	     fair_profile_next(p, &s))
		fair_profile_forget(p, &s);
	for (; to.pos; to.pos--)
		fair_profile_position_close(p, 0);
	if (to.leaf) {
		fair_profile_close(p, to.chunk, 0, to.leaf);
		fair_profile_top_join(p, 0, 0);
		to.leaf = 0;
	}
	fair_profile_leaf_shorten(p, &to, to.k, origin);
	if (to.k)
		fair_profile_mark_leaf(p, &to, 0, 0, false);
	p->origin = origin;
	p->horizon = origin + p->reach;
	fair_profile_tidy(p, origin);
	return 0;
}

/*
 * Check
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
	size_t at = fair_profile_column(p, s), n = p->count[at], k;
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
	if (least != p->least[at])
		return 6;
	if (fair_profile_next(p, &next) && fair_profile_mergeable(p, s, &next))
		return 7;
	return 0;
}

/* I8: no entry but a dirty one is too small, nor a maximum. */
static int fair_profile_check_entries(const struct fair_profile *p,
				      const struct fair_profile_spot *s,
				      int32_t *ahead)
{
	size_t at = fair_profile_column(p, s), k, l;
	const struct fair_profile_leaf *leaf = p->leaf + p->id[at];
	bool dirty;
	int32_t entry;

	for (l = 0; l < FAIR_PROFILE_LANES; l++) {
		int64_t end = fair_profile_leaf_end(p, s);
		int64_t run = ahead[l], best = 0;

		end = end == FAIR_FOREVER ? INT64_C(1) << 40 :
					    end - p->base[at];

		for (k = p->count[at]; k--; end = leaf->off[k]) {
			run = leaf->free[k] < p->lane[l] ? 0 :
			      run + end - leaf->off[k];
			run = run < INT32_MAX ? run : INT32_MAX;
			best = run > best ? run : best;
		}
		ahead[l] = (int32_t)run;
		entry = fair_profile_row(p, s->chunk, l)[s->leaf];
		dirty = p->dirty[s->chunk * FAIR_PROFILE_LANES + l] >>
				s->leaf & 1;
		if (!dirty && entry < best)
			return 8;
		if (dirty && !(p->stale[s->chunk] >> s->leaf & 1))
			return 8;
		if (dirty && fair_profile_top(p, FAIR_PROFILE_NEWS)[s->pos] <
				     FAIR_PROFILE_DIRTY)
			return 8;
		if (fair_profile_top(p, l)[s->pos] < entry)
			return 8;
	}
	entry = fair_profile_row(p, s->chunk, FAIR_PROFILE_MOST)[s->leaf];
	for (k = 0; k < p->count[at]; k++)
		if (leaf->free[k] > entry)
			return 8;
	return 0;
}

FAIR_PROFILE_API int fair_profile_check(const struct fair_profile *p)
{
	struct fair_profile_checker c = { 0, 0, 0, 0 };
	struct fair_profile_spot s = { 0, 0, 0, 0 };
	int32_t ahead[FAIR_PROFILE_LANES] = { 0 };
	int bad;

	if (p->steps < 1 || p->steps > p->cap || p->leaves > p->leaves_max ||
	    p->chunks < 1 || p->chunks > p->chunks_fresh ||
	    p->chunks_fresh > p->chunks_max)
		return 1;
	for (s.pos = 0; s.pos < p->chunks; s.pos++) {
		s.chunk = p->order[s.pos];
		if (s.chunk >= p->chunks_fresh || !p->used[s.chunk] ||
		    p->used[s.chunk] > p->width)
			return 1;
		if (p->first[s.pos] != p->base[s.chunk * 64])
			return 2;
		for (s.leaf = 0; s.leaf < p->used[s.chunk]; s.leaf++) {
			bad = fair_profile_check_leaf(p, &s, &c);
			if (bad)
				return bad;
			c.leaves++;
		}
	}
	if (c.steps != p->steps || c.leaves != p->leaves)
		return 1;
	if (p->first[0] != p->origin || c.at > p->horizon)
		return 2;
	s.pos = p->chunks - 1;
	s.chunk = p->order[s.pos];
	s.leaf = p->used[s.chunk] - 1u;
	do {
		bad = fair_profile_check_entries(p, &s, ahead);
		if (bad)
			return bad;
	} while (fair_profile_prev(p, &s));
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
