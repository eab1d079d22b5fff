/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * queue.h - waiting jobs in order: a sorted list that scans like an array
 *
 * In ONE file:  #define FAIR_QUEUE_IMPLEMENTATION
 *               #include "queue.h"
 *
 * A policy walks its queue far more often than it changes it, and rejects most
 * jobs for one reason: too wide. So the order is kept in blocks of up to 64
 * jobs, with the processor counts side by side, and a walk asks for the next
 * job of at most so many processors:
 *
 *   row      [ 0 ]------------------>[ 2 ]------------->[ 1 ]
 *   narrowest  4                      16                  1
 *   latest     900                    400                 7000
 *   soonest    100                    350                 20
 *   shortest   60                     3600                60
 *   procs    [ 8 64 4 32 ... 16 ]    [ 16 512 32 ]      [ 1 2 128 ... ]
 *   slot     [ 7  0 3  9 ...  1 ]    [ 12   5  2 ]      [ 4 8  11 ... ]
 *
 * A queue may be sorted by other ranks than the jobs' own. Then a walk may also
 * ask for jobs by their own keys and by walltime; what is latest, soonest and
 * shortest in a block passes it by.
 *
 * A job is a slot of an array that belongs to the caller, whose elements begin
 * with struct fair_queued. Order: rank.key, then rank.number, both ascending.
 *
 * EXAMPLE
 *   struct fair_queued job[2] = { { { 50, 1 }, 3600, 8, 0 },
 *                                 { { 20, 2 }, 60, 4, 0 } };
 *   char memory[4096];
 *   struct fair_queue q;
 *   struct fair_queue_at at = { 0, 0 };
 *
 *   fair_queue_init(&q, sizeof(q), memory, sizeof(memory), 2, job,
 *                   sizeof(job[0]));
 *   fair_queue_insert(&q, 0);
 *   fair_queue_insert(&q, 1);
 *   fair_queue_narrower(&q, &at, 8);    // at job 1: its key is the smaller
 *
 * UNITS       key: what the caller sorts by; processors; slots from 0
 * ERRORS      0 or -FAIR_E...; on error nothing changed
 * MEMORY      the caller's, fair_queue_size(jobs) bytes, about 16 a job
 * THREADS     const calls may run concurrently
 * COMPLEXITY  insert, remove: O(log n) and one block of 64; a row that grows
 *             moves n / 32 numbers once in 32 inserts. A walk reads 4 bytes a
 *             job, and 4 a block that holds none narrow enough.
 * DEFINES     FAIR_QUEUE_API, FAIR_QUEUE_BLOCK, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 blocks in the row hold 1..64 jobs; two neighbours hold more
 *                than 64 together, so that 2n / 65 + 1 blocks are enough, and
 *                one more while a split waits for its halves to be joined
 *             I2 ranks strictly increase along the row
 *             I3 a block's procs are its jobs', narrowest their minimum
 *             I4 jobs is the sum of the blocks' counts
 *             I5 every used block is in the row or spare, never both
 *             I6 no job's own key is above its block's latest or below its
 *                soonest, and no walltime below its shortest
 */
#ifndef FAIR_QUEUE_H
#define FAIR_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRSCHED_VERSION 100

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifndef FAIR_QUEUE_API
#ifndef FAIRSCHED_STATIC
#define FAIR_QUEUE_API extern
#elif defined(__GNUC__)
#define FAIR_QUEUE_API static __attribute__((unused))
#else
#define FAIR_QUEUE_API static
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIR_QUEUE_API int fair_queue_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_queue_linked)(void)
	__attribute__((used, retain)) = fair_queue_version_100;
#endif
#endif

#ifndef FAIR_QUEUE_BLOCK
#define FAIR_QUEUE_BLOCK 64	/* jobs; even, the same in every file */
#endif

/** struct fair_rank - a place in an order: @key, then @number, ascending. */
struct fair_rank {
	int64_t key;
	uint64_t number;
};

/* Bits of struct fair_queued.mark. */
enum fair_mark {
	FAIR_MARK_REFUSED = 1,	 /* set by the caller: not at this instant */
	FAIR_MARK_DISPLACED = 2, /* its place was taken: it gets another */
	FAIR_MARK_RESERVED = 4	 /* it holds a reservation of this walk */
};

/**
 * struct fair_queued - what every policy knows of a waiting job.
 * @rank:     its place in the order; constant while it is queued
 * @walltime: estimate in seconds, >= 1
 * @procs:    processors, >= 1
 * @mark:     enum fair_mark, for the policies
 */
struct fair_queued {
	struct fair_rank rank;
	int64_t walltime;
	int32_t procs;
	uint32_t mark;
};

struct fair_queue_block {
	int32_t procs[FAIR_QUEUE_BLOCK];
	uint32_t slot[FAIR_QUEUE_BLOCK];
	uint32_t count;
};

/* A block in its place, and what a walk must know to pass it by. */
struct fair_queue_entry {
	int64_t latest, soonest; /* no job's own key is above, or below */
	int64_t shortest;	/* no walltime is below */
	int32_t narrowest;
	uint32_t block;
};

/** struct fair_queue - see the picture above; all fields are private. */
struct fair_queue {
	struct fair_queue_block *block;
	struct fair_queue_entry *row; /* blocks in order */
	uint32_t *spare;	/* used once, free now: a stack */
	const char *array, *rank;
	size_t stride, rank_stride;
	uint32_t rows, spares, used, blocks;
	uint32_t jobs, most;
};

/** struct fair_queue_at - a place in the row; { 0, 0 } is the first. */
struct fair_queue_at {
	uint32_t row, index;
};

/** fair_rank_below() - whether @a comes before @b. */
FAIR_QUEUE_API bool fair_rank_below(struct fair_rank a, struct fair_rank b);

/**
 * fair_queue_size() - bytes for a queue of up to @jobs jobs; 0 if too many.
 */
FAIR_QUEUE_API size_t fair_queue_size(uint32_t jobs);

/**
 * fair_queue_init() - an empty queue over the caller's array.
 * @struct_size: sizeof(struct fair_queue) as the caller compiled it
 * @memory:      @bytes bytes that stay with the queue, any alignment
 * @jobs:        most jobs queued at once
 * @array:       elements of @stride bytes that begin with struct fair_queued
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_QUEUE_API int
fair_queue_init(struct fair_queue *q, size_t struct_size, void *memory,
		size_t bytes, uint32_t jobs, const void *array, size_t stride);

/**
 * fair_queue_rank_by() - sort by other ranks than those in the array.
 * @rank: first of an array of ranks, one a slot, @stride bytes apart
 *
 * Call it while the queue is empty.
 */
FAIR_QUEUE_API void fair_queue_rank_by(struct fair_queue *q, const void *rank,
				       size_t stride);

/**
 * fair_queue_insert() - put a slot in its place.
 *
 * Return: 0; -FAIR_EINVAL if its rank is taken; -FAIR_ENOSPC.
 * Complexity: O(log n), O(1) at the end.
 */
FAIR_QUEUE_API int fair_queue_insert(struct fair_queue *q, uint32_t slot);

/**
 * fair_queue_remove() - take a slot out; its rank is still that of its insert.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_QUEUE_API int fair_queue_remove(struct fair_queue *q, uint32_t slot);

/** fair_queue_remove_at() - the same, where its place is known. */
FAIR_QUEUE_API void fair_queue_remove_at(struct fair_queue *q,
					 struct fair_queue_at at);

/**
 * fair_queue_find() - the place of a rank that is queued.
 * @at: out
 *
 * Return: false if it is not, and @at is where it would be.
 */
FAIR_QUEUE_API bool fair_queue_find(const struct fair_queue *q,
				    struct fair_rank rank,
				    struct fair_queue_at *at);

/**
 * fair_queue_stays() - whether the job at @at would keep its place with @rank.
 *
 * If so, its rank may be changed to that while it is queued.
 */
FAIR_QUEUE_API bool fair_queue_stays(const struct fair_queue *q,
				     struct fair_queue_at at,
				     struct fair_rank rank);

/**
 * fair_queue_widen() - a queued job's procs changed: take it over.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_QUEUE_API int fair_queue_widen(struct fair_queue *q, uint32_t slot);

/**
 * fair_queue_rekey() - a queued job's walltime is another, or its own key, where
 * that is not its place: fair_queue_next_like() must see.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_QUEUE_API int fair_queue_rekey(struct fair_queue *q, uint32_t slot);

/** fair_queue_rekey_at() - the same, of the job at a place. */
FAIR_QUEUE_API void fair_queue_rekey_at(struct fair_queue *q,
					struct fair_queue_at at);

/**
 * fair_queue_seek() - the first place whose rank is not below @rank.
 */
FAIR_QUEUE_API struct fair_queue_at fair_queue_seek(const struct fair_queue *q,
						    struct fair_rank rank);

/**
 * fair_queue_seek_near() - the same, where it is not far from a place.
 * @at: any place
 *
 * Complexity: O(blocks between).
 */
FAIR_QUEUE_API struct fair_queue_at
fair_queue_seek_near(const struct fair_queue *q, struct fair_queue_at at,
		     struct fair_rank rank);

/**
 * fair_queue_narrower() - go to the next job of at most @procs processors.
 * @at: where to begin, itself included; out: where it is
 *
 * Return: true if there is one. Pass INT32_MAX to take every job.
 */
FAIR_QUEUE_API bool fair_queue_narrower(const struct fair_queue *q,
					struct fair_queue_at *at,
					int32_t procs);

/**
 * struct fair_queue_like - of which jobs fair_queue_next_like() finds the next.
 * @procs:   at most so many
 * @after:   their own rank.key is above this, and
 * @until:   at most this,
 * @longest: or their walltime is at most this
 */
struct fair_queue_like {
	int64_t after, until, longest;
	int32_t procs;
};

/**
 * fair_queue_next_like() - go to the next such job before @end.
 * @at: where to begin, itself included; out: where it is
 *
 * Return: true if there is one.
 * Complexity: reads a block's jobs only where what was seen there allows one.
 */
FAIR_QUEUE_API bool fair_queue_next_like(struct fair_queue *q,
					 struct fair_queue_at *at,
					 struct fair_queue_at end,
					 const struct fair_queue_like *like);

/** fair_queue_slot() - the slot at a place where there is one. */
FAIR_QUEUE_API uint32_t fair_queue_slot(const struct fair_queue *q,
					struct fair_queue_at at);

/** fair_queue_job() - the caller's job in a slot. */
FAIR_QUEUE_API const struct fair_queued *
fair_queue_job(const struct fair_queue *q, uint32_t slot);

/**
 * fair_queue_clone() - take over another queue's order.
 * @copy: an empty queue for as many jobs, over its own copy of the array
 * @slot: the copy's slot of each of @q's, or NULL where they are the same
 *
 * Return: 0; -FAIR_ENOSPC if @copy is too small, or not empty. Complexity:
 * O(jobs queued).
 */
FAIR_QUEUE_API int fair_queue_clone(struct fair_queue *copy,
				    const struct fair_queue *q,
				    const uint32_t *slot);

/** fair_queue_check() - 0, or the number of the first broken invariant. */
FAIR_QUEUE_API int fair_queue_check(const struct fair_queue *q);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_QUEUE_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_QUEUE_IMPLEMENTATION)
#define FAIR_QUEUE_IMPLEMENTATION
#endif
#if defined(FAIR_QUEUE_IMPLEMENTATION) && !defined(FAIR_QUEUE_IMPLEMENTED)
#define FAIR_QUEUE_IMPLEMENTED

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

FAIR_QUEUE_API int fair_queue_version_100(void)
{
	return FAIRSCHED_VERSION;
}

#define FAIR_QUEUE_ALIGN 64	/* a cache line: a scan starts on one */

/* By I1, two neighbours hold at least 65 jobs; one more for a split. */
static uint32_t fair_queue_blocks(uint32_t jobs)
{
	return (uint32_t)((uint64_t)jobs * 2 / (FAIR_QUEUE_BLOCK + 1)) + 2;
}

FAIR_QUEUE_API const struct fair_queued *
fair_queue_job(const struct fair_queue *q, uint32_t slot)
{
	return (const struct fair_queued *)(const void *)(q->array +
							  slot * q->stride);
}

static struct fair_rank fair_queue_rank(const struct fair_queue *q,
					uint32_t slot)
{
	return *(const struct fair_rank *)(const void *)(q->rank +
							 slot * q->rank_stride);
}

FAIR_QUEUE_API bool fair_rank_below(struct fair_rank a, struct fair_rank b)
{
	return a.key < b.key || (a.key == b.key && a.number < b.number);
}

FAIR_QUEUE_API size_t fair_queue_size(uint32_t jobs)
{
	uint64_t size = (uint64_t)fair_queue_blocks(jobs) *
				(sizeof(struct fair_queue_block) +
				 sizeof(struct fair_queue_entry) +
				 sizeof(uint32_t)) +
			FAIR_QUEUE_ALIGN;

	return size > SIZE_MAX ? 0 : (size_t)size;
}

FAIR_QUEUE_API int
fair_queue_init(struct fair_queue *q, size_t struct_size, void *memory,
		size_t bytes, uint32_t jobs, const void *array, size_t stride)
{
	char *at = (char *)memory;

	if (!q || !memory || !array || struct_size != sizeof(*q) ||
	    stride < sizeof(struct fair_queued))
		return -FAIR_EINVAL;
	if (!fair_queue_size(jobs) || bytes < fair_queue_size(jobs))
		return -FAIR_ENOMEM;
	at += (FAIR_QUEUE_ALIGN - (uintptr_t)at % FAIR_QUEUE_ALIGN) %
	      FAIR_QUEUE_ALIGN;
	q->blocks = fair_queue_blocks(jobs);
	q->row = (struct fair_queue_entry *)(void *)at;
	q->block = (struct fair_queue_block *)(void *)(q->row + q->blocks);
	q->spare = (uint32_t *)(void *)(q->block + q->blocks);
	q->array = (const char *)array;
	q->stride = stride;
	fair_queue_rank_by(q, array, stride);
	q->rows = q->spares = q->used = q->jobs = 0;
	q->most = jobs;
	return 0;
}

FAIR_QUEUE_API void fair_queue_rank_by(struct fair_queue *q, const void *rank,
				       size_t stride)
{
	q->rank = (const char *)rank;
	q->rank_stride = stride;
}

static struct fair_queue_block *fair_queue_row(const struct fair_queue *q,
					       uint32_t row)
{
	return q->block + q->row[row].block;
}

static void fair_queue_measure(struct fair_queue *q, uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	int32_t narrowest = INT32_MAX;
	uint32_t i;

	for (i = 0; i < b->count; i++)
		narrowest = b->procs[i] < narrowest ? b->procs[i] : narrowest;
	q->row[row].narrowest = narrowest;
}

static void fair_queue_copy(struct fair_queue_block *to, uint32_t at,
			    const struct fair_queue_block *from, uint32_t begin,
			    uint32_t count)
{
	FAIR_MEMMOVE(to->procs + at, from->procs + begin, count * 4);
	FAIR_MEMMOVE(to->slot + at, from->slot + begin, count * 4);
}

/* A new block at @row; by I1 there is a spare one. */
static struct fair_queue_block *fair_queue_add_row(struct fair_queue *q,
						   uint32_t row)
{
	struct fair_queue_entry *add = q->row + row;

	/* By I1 fewer than fair_queue_blocks(), which counts one for a split. */
	FAIR_ASSERT(q->spares > 0 || q->used < q->blocks);
	FAIR_MEMMOVE(add + 1, add, (q->rows - row) * sizeof(*add));
	add->block = q->spares ? q->spare[--q->spares] : q->used++;
	add->narrowest = INT32_MAX;
	add->latest = INT64_MIN;
	add->soonest = add->shortest = INT64_MAX;
	q->rows++;
	q->block[add->block].count = 0;
	return q->block + add->block;
}

static void fair_queue_drop_row(struct fair_queue *q, uint32_t row)
{
	q->spare[q->spares++] = q->row[row].block;
	q->rows--;
	FAIR_MEMMOVE(q->row + row, q->row + row + 1,
		     (q->rows - row) * sizeof(*q->row));
}

/* Keep I1: join @row and the next one where one block can hold both. */
static void fair_queue_join(struct fair_queue *q, uint32_t row)
{
	struct fair_queue_entry *one = q->row + row, *next = one + 1;
	struct fair_queue_block *a, *b;

	if (row + 1 >= q->rows)
		return;
	a = fair_queue_row(q, row);
	b = fair_queue_row(q, row + 1);
	if (a->count + b->count > FAIR_QUEUE_BLOCK)
		return;
	fair_queue_copy(a, a->count, b, 0, b->count);
	a->count += b->count;
	if (next->narrowest < one->narrowest)
		one->narrowest = next->narrowest;
	if (next->latest > one->latest)
		one->latest = next->latest;
	if (next->soonest < one->soonest)
		one->soonest = next->soonest;
	if (next->shortest < one->shortest)
		one->shortest = next->shortest;
	fair_queue_drop_row(q, row + 1);
}

/* A change at @row, perhaps a split before it, touched no pair but these. */
static void fair_queue_join_around(struct fair_queue *q, uint32_t row)
{
	uint32_t pairs = row < 2 ? row + 2 : 4;

	for (row = row + 2; pairs > 0; pairs--)
		fair_queue_join(q, --row);
}

/* Does @row begin below @rank? */
static bool fair_queue_begins_below(const struct fair_queue *q, uint32_t row,
				    struct fair_rank rank)
{
	return fair_rank_below(
		fair_queue_rank(q, fair_queue_row(q, row)->slot[0]), rank);
}

/* @rows begin below @rank, if any: it is in the last of them. */
static struct fair_queue_at fair_queue_seek_in(const struct fair_queue *q,
					       uint32_t rows,
					       struct fair_rank rank)
{
	struct fair_queue_at at = { 0, 0 };
	const struct fair_queue_block *b;
	uint32_t low, high, middle;

	if (rows == 0)
		return at;
	at.row = rows - 1;
	b = fair_queue_row(q, at.row);
	for (low = 1, high = b->count; low < high;) {
		middle = low + (high - low) / 2;
		if (fair_rank_below(fair_queue_rank(q, b->slot[middle]), rank))
			low = middle + 1;
		else
			high = middle;
	}
	at.index = low;
	return at;	/* perhaps one behind the block's last: see narrower */
}

FAIR_QUEUE_API struct fair_queue_at fair_queue_seek(const struct fair_queue *q,
						    struct fair_rank rank)
{
	uint32_t low = 0, high = q->rows, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (fair_queue_begins_below(q, middle, rank))
			low = middle + 1;
		else
			high = middle;
	}
	return fair_queue_seek_in(q, low, rank);
}

FAIR_QUEUE_API struct fair_queue_at
fair_queue_seek_near(const struct fair_queue *q, struct fair_queue_at at,
		     struct fair_rank rank)
{
	uint32_t rows = at.row < q->rows ? at.row : q->rows;

	while (rows > 0 && !fair_queue_begins_below(q, rows - 1, rank))
		rows--;
	while (rows < q->rows && fair_queue_begins_below(q, rows, rank))
		rows++;
	return fair_queue_seek_in(q, rows, rank);
}

/* Split @row in two halves; at its end, begin a new block: appends fill up. */
static void fair_queue_split(struct fair_queue *q, struct fair_queue_at *at)
{
	struct fair_queue_block *b = fair_queue_row(q, at->row), *more;
	uint32_t keep = FAIR_QUEUE_BLOCK / 2;

	if (at->row + 1 == q->rows && at->index == b->count)
		keep = b->count;
	more = fair_queue_add_row(q, at->row + 1);
	fair_queue_copy(more, 0, b, keep, b->count - keep);
	more->count = b->count - keep;
	q->row[at->row + 1].latest = q->row[at->row].latest;
	q->row[at->row + 1].soonest = q->row[at->row].soonest;
	q->row[at->row + 1].shortest = q->row[at->row].shortest;
	b->count = keep;
	fair_queue_measure(q, at->row);
	fair_queue_measure(q, at->row + 1);
	if (at->index > keep || keep == FAIR_QUEUE_BLOCK) {
		at->row++;
		at->index -= keep;
	}
}

/* Some job is not below @rank, @at the first such place: is it @rank itself? */
static bool fair_queue_is_at(const struct fair_queue *q,
			     struct fair_queue_at at, struct fair_rank rank)
{
	fair_queue_narrower(q, &at, INT32_MAX);
	return !fair_rank_below(rank,
				fair_queue_rank(q, fair_queue_slot(q, at)));
}

FAIR_QUEUE_API bool fair_queue_find(const struct fair_queue *q,
				    struct fair_rank rank,
				    struct fair_queue_at *at)
{
	*at = fair_queue_seek(q, rank);
	return fair_queue_narrower(q, at, INT32_MAX) &&
	       fair_queue_is_at(q, *at, rank);
}

static bool fair_queue_find_slot(const struct fair_queue *q, uint32_t slot,
				 struct fair_queue_at *at)
{
	return fair_queue_find(q, fair_queue_rank(q, slot), at) &&
	       fair_queue_slot(q, *at) == slot;
}

FAIR_QUEUE_API bool fair_queue_stays(const struct fair_queue *q,
				     struct fair_queue_at at,
				     struct fair_rank rank)
{
	const struct fair_queue_block *b = fair_queue_row(q, at.row);
	bool after, before;

	/* At the edge of a block, look no further than for the queue's own. */
	after = at.index ? fair_rank_below(
				   fair_queue_rank(q, b->slot[at.index - 1]),
				   rank)
			 : at.row == 0;
	before = at.index + 1 < b->count
			 ? fair_rank_below(rank, fair_queue_rank(
						  q, b->slot[at.index + 1]))
			 : at.row + 1 == q->rows;
	return after && before;
}

static struct fair_queue_at fair_queue_end(const struct fair_queue *q)
{
	struct fair_queue_at at = { 0, 0 };

	if (q->rows) {
		at.row = q->rows - 1;
		at.index = fair_queue_row(q, at.row)->count;
	}
	return at;
}

static bool fair_queue_last_below(const struct fair_queue *q,
				  struct fair_rank rank)
{
	struct fair_queue_at end = fair_queue_end(q);

	if (q->rows == 0)
		return true;
	end.index--;
	return fair_rank_below(fair_queue_rank(q, fair_queue_slot(q, end)),
			       rank);
}

FAIR_QUEUE_API int fair_queue_insert(struct fair_queue *q, uint32_t slot)
{
	struct fair_rank rank = fair_queue_rank(q, slot);
	int32_t procs = fair_queue_job(q, slot)->procs;
	struct fair_queue_block *b;
	struct fair_queue_at at;

	if (q->jobs == q->most)
		return -FAIR_ENOSPC;
	if (fair_queue_last_below(q, rank)) {
		at = fair_queue_end(q);
	} else {
		at = fair_queue_seek(q, rank);
		if (fair_queue_is_at(q, at, rank))
			return -FAIR_EINVAL;
	}
	if (q->rows == 0)
		fair_queue_add_row(q, 0);
	else if (fair_queue_row(q, at.row)->count == FAIR_QUEUE_BLOCK)
		fair_queue_split(q, &at);
	b = fair_queue_row(q, at.row);
	fair_queue_copy(b, at.index + 1, b, at.index, b->count - at.index);
	b->procs[at.index] = procs;
	b->slot[at.index] = slot;
	b->count++;
	if (procs < q->row[at.row].narrowest)
		q->row[at.row].narrowest = procs;
	if (fair_queue_job(q, slot)->walltime < q->row[at.row].shortest)
		q->row[at.row].shortest = fair_queue_job(q, slot)->walltime;
	q->row[at.row].latest = INT64_MAX; /* its key may not be known yet */
	q->row[at.row].soonest = INT64_MIN;
	q->jobs++;
	fair_queue_join_around(q, at.row);
	return 0;
}

FAIR_QUEUE_API void fair_queue_remove_at(struct fair_queue *q,
					 struct fair_queue_at at)
{
	struct fair_queue_block *b = fair_queue_row(q, at.row);
	int32_t procs = b->procs[at.index];

	b->count--;
	fair_queue_copy(b, at.index, b, at.index + 1, b->count - at.index);
	q->jobs--;
	if (b->count == 0)
		fair_queue_drop_row(q, at.row);
	else if (procs == q->row[at.row].narrowest)
		fair_queue_measure(q, at.row);
	fair_queue_join_around(q, at.row);
}

FAIR_QUEUE_API int fair_queue_remove(struct fair_queue *q, uint32_t slot)
{
	struct fair_queue_at at;

	if (!fair_queue_find_slot(q, slot, &at))
		return -FAIR_EINVAL;
	fair_queue_remove_at(q, at);
	return 0;
}

FAIR_QUEUE_API void fair_queue_rekey_at(struct fair_queue *q,
					struct fair_queue_at at)
{
	struct fair_queue_entry *row = q->row + at.row;
	const struct fair_queued *j = fair_queue_job(q, fair_queue_slot(q, at));

	if (row->latest < j->rank.key)
		row->latest = j->rank.key;
	if (row->soonest > j->rank.key)
		row->soonest = j->rank.key;
	if (row->shortest > j->walltime)
		row->shortest = j->walltime;
}

FAIR_QUEUE_API int fair_queue_rekey(struct fair_queue *q, uint32_t slot)
{
	struct fair_queue_at at;

	if (!fair_queue_find_slot(q, slot, &at))
		return -FAIR_EINVAL;
	fair_queue_rekey_at(q, at);
	return 0;
}

FAIR_QUEUE_API int fair_queue_widen(struct fair_queue *q, uint32_t slot)
{
	struct fair_queue_at at;

	if (!fair_queue_find_slot(q, slot, &at))
		return -FAIR_EINVAL;
	fair_queue_row(q, at.row)->procs[at.index] =
		fair_queue_job(q, slot)->procs;
	fair_queue_measure(q, at.row);
	return 0;
}

FAIR_QUEUE_API bool fair_queue_narrower(const struct fair_queue *q,
					struct fair_queue_at *at,
					int32_t procs)
{
	const struct fair_queue_block *b;

	for (; at->row < q->rows; at->row++, at->index = 0) {
		if (q->row[at->row].narrowest > procs)
			continue;
		b = fair_queue_row(q, at->row);
		for (; at->index < b->count; at->index++)
			if (b->procs[at->index] <= procs)
				return true;
	}
	return false;
}

/* What is latest, soonest and shortest in a block, now that it matters. */
static void fair_queue_measure_jobs(struct fair_queue *q, uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	struct fair_queue_entry *r = q->row + row;
	const struct fair_queued *j;
	uint32_t i;

	r->latest = INT64_MIN;
	r->soonest = r->shortest = INT64_MAX;
	for (i = 0; i < b->count; i++) {
		j = fair_queue_job(q, b->slot[i]);
		r->latest = j->rank.key > r->latest ? j->rank.key : r->latest;
		r->soonest = j->rank.key < r->soonest ? j->rank.key
						      : r->soonest;
		r->shortest = j->walltime < r->shortest ? j->walltime
							: r->shortest;
	}
}

static bool fair_queue_is_like(const struct fair_queued *j,
			       const struct fair_queue_like *like)
{
	return j->rank.key > like->after &&
	       (j->rank.key <= like->until || j->walltime <= like->longest);
}

FAIR_QUEUE_API bool fair_queue_next_like(struct fair_queue *q,
					 struct fair_queue_at *at,
					 struct fair_queue_at end,
					 const struct fair_queue_like *like)
{
	const struct fair_queue_block *b;
	const struct fair_queue_entry *r;
	uint32_t i, n;

	for (; at->row < q->rows && at->row <= end.row;
	     at->row++, at->index = 0) {
		r = q->row + at->row;
		if (r->narrowest > like->procs || r->latest <= like->after ||
		    (r->soonest > like->until && r->shortest > like->longest))
			continue;
		b = fair_queue_row(q, at->row);
		n = at->row == end.row ? end.index : b->count;
		for (i = at->index; i < n; i++) {
			if (b->procs[i] <= like->procs &&
			    fair_queue_is_like(fair_queue_job(q, b->slot[i]),
					       like)) {
				at->index = i;
				return true;
			}
		}
		if (at->index == 0)
			fair_queue_measure_jobs(q, at->row);
	}
	return false;
}

FAIR_QUEUE_API uint32_t fair_queue_slot(const struct fair_queue *q,
					struct fair_queue_at at)
{
	return fair_queue_row(q, at.row)->slot[at.index];
}

FAIR_QUEUE_API int fair_queue_clone(struct fair_queue *copy,
				    const struct fair_queue *q,
				    const uint32_t *slot)
{
	struct fair_queue_block *to;
	uint32_t row, block, i;

	if (q->jobs > copy->most || copy->jobs)
		return -FAIR_ENOSPC;
	for (row = 0; row < q->rows; row++) {
		const struct fair_queue_block *from = fair_queue_row(q, row);

		to = fair_queue_add_row(copy, row);
		block = copy->row[row].block;
		fair_queue_copy(to, 0, from, 0, from->count);
		to->count = from->count;
		copy->row[row] = q->row[row];
		copy->row[row].block = block;
		for (i = 0; slot && i < to->count; i++)
			to->slot[i] = slot[from->slot[i]];
	}
	copy->jobs = q->jobs;
	return 0;
}

static bool fair_queue_row_true(const struct fair_queue *q, uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	int32_t narrowest = INT32_MAX;
	uint32_t i;

	for (i = 0; i < b->count; i++) {
		if (b->procs[i] != fair_queue_job(q, b->slot[i])->procs)
			return false;
		if (b->procs[i] < narrowest)
			narrowest = b->procs[i];
	}
	return narrowest == q->row[row].narrowest;
}

static bool fair_queue_row_bounds(const struct fair_queue *q, uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	const struct fair_queue_entry *r = q->row + row;
	const struct fair_queued *j;
	uint32_t i;

	for (i = 0; i < b->count; i++) {
		j = fair_queue_job(q, b->slot[i]);
		if (j->rank.key > r->latest || j->rank.key < r->soonest ||
		    j->walltime < r->shortest)
			return false;
	}
	return true;
}

/* A block's place among row and spare is unique, or two places share it. */
static bool fair_queue_blocks_true(const struct fair_queue *q)
{
	uint32_t i, k;

	if (q->rows + q->spares != q->used || q->used > q->blocks)
		return false;
	for (i = 0; i < q->used; i++) {
		uint32_t places = 0;

		for (k = 0; k < q->rows; k++)
			places += q->row[k].block == i;
		for (k = 0; k < q->spares; k++)
			places += q->spare[k] == i;
		if (places != 1)
			return false;
	}
	return true;
}

FAIR_QUEUE_API int fair_queue_check(const struct fair_queue *q)
{
	const struct fair_queue_block *b, *before = NULL;
	struct fair_queue_at at = { 0, 0 };
	struct fair_rank rank, last = { 0, 0 };
	uint32_t row, jobs = 0;

	if (!fair_queue_blocks_true(q))
		return 5;
	for (row = 0; row < q->rows; row++, before = b) {
		b = fair_queue_row(q, row);
		if (b->count < 1 || b->count > FAIR_QUEUE_BLOCK ||
		    (before && before->count + b->count <= FAIR_QUEUE_BLOCK))
			return 1;
		if (!fair_queue_row_true(q, row))
			return 3;
		if (!fair_queue_row_bounds(q, row))
			return 6;
		for (at.index = 0; at.index < b->count; at.index++, jobs++) {
			at.row = row;
			rank = fair_queue_rank(q, fair_queue_slot(q, at));
			if (jobs && !fair_rank_below(last, rank))
				return 2;
			last = rank;
		}
	}
	return jobs == q->jobs ? 0 : 4;
}

#ifdef __cplusplus
}
#endif
#endif /* FAIR_QUEUE_IMPLEMENTED */

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
