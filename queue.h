/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * queue.h - queued jobs in order: a sorted list that is scanned like an array
 *
 * In ONE file:  #define FAIR_QUEUE_IMPLEMENTATION
 *               #include "queue.h"
 *
 * A policy scans its queue far more often than it changes it, and rejects most
 * jobs because they need too many processors. So the order is kept in blocks of
 * up to 64 jobs with their processor counts side by side, and each block has
 * the least count, by which a scan skips it:
 *
 *   row           [ 0 ]------------------>[ 2 ]------------->[ 1 ]
 *   min_procs       4                      16                  1
 *   max_key         900                    400                 7000
 *   min_key         100                    350                 20
 *   min_walltime    60                     3600                60
 *   procs         [ 8 64 4 32 ... 16 ]    [ 16 512 32 ]      [ 1 2 128 ... ]
 *   slot          [ 7  0 3  9 ...  1 ]    [ 12   5  2 ]      [ 4 8  11 ... ]
 *
 * A queue may be sorted by other ranks than the jobs' own. A scan of it can
 * also select jobs by their own keys and by walltime, and skips blocks by the
 * bounds of these.
 *
 * A job is a slot of an array that belongs to the caller, whose elements begin
 * with struct fair_queued. Jobs are sorted by rank.key, then by rank.number.
 *
 * Two queues that never hold a job at once, of those that wait and those that
 * run, can share their blocks: fair_queue_share().
 *
 * EXAMPLE
 *   struct fair_queued job[2] = { { { 50, 1 }, 3600, 8, 0, 0, 0 },
 *                                 { { 20, 2 }, 60, 4, 0, 0, 0 } };
 *   char memory[4096];
 *   struct fair_queue q;
 *   struct fair_queue_place at = { 0, 0 };
 *
 *   fair_queue_init(&q, sizeof(q), memory, sizeof(memory), 2, job,
 *                   sizeof(job[0]));
 *   fair_queue_insert(&q, 0);
 *   fair_queue_insert(&q, 1);
 *   fair_queue_next_fitting(&q, &at, 8);    // at job 1, whose key is smaller
 *
 * UNITS       key: the caller's; processors; slots from 0
 * ERRORS      0 or -FAIR_E...; on error nothing changed
 * MEMORY      the caller's, fair_queue_size(jobs) bytes, about 17 a job; one
 *             more for a queue that shares its blocks
 * THREADS     const calls may run concurrently
 * COMPLEXITY  insert, remove: O(log n) and a move within one block of 64; one
 *             insert in 32 also moves the row, of n / 32 entries. A scan reads
 *             4 bytes a job, and 4 for a block that it skips.
 * DEFINES     FAIR_QUEUE_API, FAIR_QUEUE_BLOCK, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 a block in the row has 1..64 jobs, two neighbours have more
 *                than 64 together; so 2n / 65 + 1 blocks are enough, one more
 *                for a second queue, and one more between a split and the
 *                join after it
 *             I2 ranks strictly increase along the row
 *             I3 a block's procs are its jobs', min_procs is their minimum
 *             I4 jobs is the sum of the blocks' counts
 *             I5 every block in use is either in the row, or in that of the
 *                queue that shares it, or spare
 *             I6 a job's own key is min_key .. max_key of its block, and its
 *                walltime at least min_walltime; where these are exact, some
 *                job's are those
 */
#ifndef FAIR_QUEUE_H
#define FAIR_QUEUE_H

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

#ifndef FAIR_QUEUE_API
#define FAIR_QUEUE_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_QUEUE_API, fair_queue);

#ifndef FAIR_QUEUE_BLOCK
#define FAIR_QUEUE_BLOCK 64 /* jobs; even; the same in every file */
#endif

/** struct fair_rank - sorts by @key, then by @number, both ascending. */
struct fair_rank {
	int64_t key;
	uint64_t number;
};

static inline int64_t fair_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t fair_sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Bits of struct fair_queued.mark. */
enum fair_mark {
	FAIR_MARK_DISPLACED = 1, /* it lost its reservation and gets another */
	FAIR_MARK_RESERVED = 2,	 /* this scan gave it a reservation */
	FAIR_MARK_KEPT = 4,	 /* it has had one, kept until it starts */
	FAIR_MARK_TURN = 8,	 /* it is queued again, with its turn */
	FAIR_MARK_FILLED = 16,	 /* this scan has it start now */
	FAIR_MARK_LIMITED = 32	 /* a limit may have held it back, and not only
				    the space, since it was placed last */
};

/**
 * struct fair_queued - what every policy knows of a queued job.
 * @rank:       sorts the queue; constant while the job is queued. Its key is a
 *              priority, smallest first, or the start that the planner promises
 * @walltime:   estimate in seconds, >= 1
 * @procs:      processors, >= 1
 * @mark:       enum fair_mark, for the policies
 * @not_before: seconds: it cannot start earlier; FAIR_FOREVER: not at all;
 *              INT64_MIN: at any time, also before second 0
 * @turn:       of planners that promise: the least start that its reservation
 *              has had since the job was placed behind all others; FAIR_FOREVER
 *              before
 */
struct fair_queued {
	struct fair_rank rank;
	int64_t walltime;
	int32_t procs;
	uint32_t mark;
	int64_t not_before;
	int64_t turn;
};

struct fair_queue_block {
	int32_t procs[FAIR_QUEUE_BLOCK];
	uint32_t slot[FAIR_QUEUE_BLOCK];
	uint32_t count;
	uint32_t exact; /* whether its bounds were measured since a change */
};

/* A block in the row, and the bounds by which a scan skips it: I3, I6. */
struct fair_queue_entry {
	int64_t max_key, min_key;
	int64_t min_walltime; /* 0: unknown, the shortest job has left */
	int32_t min_procs;
	uint32_t block;
};

/* Which blocks are in use: in the memory, since two queues may share it. */
struct fair_queue_pool {
	uint32_t *spare; /* stack of blocks that are empty again */
	uint32_t spares, used, blocks;
	bool shared;
};

/** struct fair_queue - see the picture above; all fields are private. */
struct fair_queue {
	struct fair_queue_block *block;
	struct fair_queue_entry *row; /* blocks in order */
	struct fair_queue_pool *pool;
	const char *array, *rank;
	size_t stride, rank_stride;
	uint32_t rows, jobs, most;
};

/** struct fair_queue_place - a job of a block; { 0, 0 } is the first. */
struct fair_queue_place {
	uint32_t row, index;
};

/** fair_rank_is_before() - whether @a sorts before @b. */
FAIR_QUEUE_API bool fair_rank_is_before(struct fair_rank a, struct fair_rank b);

/**
 * fair_queue_size() - bytes for a queue of @jobs jobs; 0 if there are too many.
 */
FAIR_QUEUE_API size_t fair_queue_size(uint32_t jobs);

/**
 * fair_queue_init() - make an empty queue over the caller's array.
 * @struct_size: sizeof(struct fair_queue) as the caller compiled it
 * @memory:      @bytes bytes that stay with the queue, any alignment
 * @jobs:        most jobs queued at once
 * @array:       elements of @stride bytes that begin with struct fair_queued
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_QUEUE_API int fair_queue_init(struct fair_queue *q, size_t struct_size,
				   void *memory, size_t bytes, uint32_t jobs,
				   const void *array, size_t stride);

/** fair_queue_share_size() - bytes for fair_queue_share(). */
FAIR_QUEUE_API size_t fair_queue_share_size(uint32_t jobs);

/**
 * fair_queue_share() - make an empty queue that shares the blocks of another.
 * @struct_size: sizeof(struct fair_queue) as the caller compiled it
 * @memory:      @bytes bytes that stay with the queue, any alignment
 * @with:        a queue over the same array that shares with no other one
 *
 * Both together hold at most as many jobs as @with alone, for the caller to
 * ensure. @with may be moved, its memory may not.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIR_QUEUE_API int fair_queue_share(struct fair_queue *q, size_t struct_size,
				    void *memory, size_t bytes,
				    const struct fair_queue *with);

/**
 * fair_queue_rank_by() - sort by other ranks than those in the array.
 * @rank: first of an array of ranks, one a slot, @stride bytes apart
 *
 * Call it while the queue is empty.
 */
FAIR_QUEUE_API void fair_queue_rank_by(struct fair_queue *q, const void *rank,
				       size_t stride);

/**
 * fair_queue_insert() - insert the job in a slot.
 *
 * Return: 0; -FAIR_EINVAL if its rank is taken; -FAIR_ENOSPC.
 * Complexity: O(log n), O(1) at the end.
 */
FAIR_QUEUE_API int fair_queue_insert(struct fair_queue *q, uint32_t slot);

/**
 * fair_queue_remove() - remove the job in a slot.
 *
 * Its rank must be the one that it was inserted with.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_QUEUE_API int fair_queue_remove(struct fair_queue *q, uint32_t slot);

/** fair_queue_remove_at() - remove the job at a place. */
FAIR_QUEUE_API void fair_queue_remove_at(struct fair_queue *q,
					 struct fair_queue_place at);

/**
 * fair_queue_find() - find the job of a rank.
 * @at: out: its place, or where it would be inserted
 *
 * Return: whether a job of that rank is queued.
 */
FAIR_QUEUE_API bool fair_queue_find(const struct fair_queue *q,
				    struct fair_rank rank,
				    struct fair_queue_place *at);

/**
 * fair_queue_can_rerank() - whether a queued job may take another rank.
 * @at:   place of the job
 * @rank: the other rank
 *
 * Return: true if the job would keep its place. At the edge of a block it may
 * be false although the job would.
 */
FAIR_QUEUE_API bool fair_queue_can_rerank(const struct fair_queue *q,
					  struct fair_queue_place at,
					  struct fair_rank rank);

/**
 * fair_queue_update() - extend a block's bounds to a job that changed.
 *
 * Call it after the walltime of a queued job has changed, or its own key where
 * the queue is sorted by other ranks.
 *
 * Return: 0; -FAIR_EINVAL if it is not queued.
 */
FAIR_QUEUE_API int fair_queue_update(struct fair_queue *q, uint32_t slot);

/** fair_queue_update_at() - as fair_queue_update(), for the job at a place. */
FAIR_QUEUE_API void fair_queue_update_at(struct fair_queue *q,
					 struct fair_queue_place at);

/**
 * fair_queue_reorder() - sort anew, after ranks have changed.
 * @slot: the slots of all queued jobs, by the ranks that they have now
 *
 * Complexity: O(jobs queued).
 */
FAIR_QUEUE_API void fair_queue_reorder(struct fair_queue *q,
				       const uint32_t *slot);

/**
 * fair_queue_seek() - find the first place whose rank is not before @rank.
 */
FAIR_QUEUE_API struct fair_queue_place
fair_queue_seek(const struct fair_queue *q, struct fair_rank rank);

/**
 * fair_queue_seek_near() - as fair_queue_seek(), beginning at a place.
 * @at: any place
 *
 * Complexity: O(blocks between).
 */
FAIR_QUEUE_API struct fair_queue_place
fair_queue_seek_near(const struct fair_queue *q, struct fair_queue_place at,
		     struct fair_rank rank);

/**
 * fair_queue_next_fitting() - go to the next job of at most @procs processors.
 * @at: where to begin, itself included; out: where it is
 *
 * With INT32_MAX it goes to the next job.
 *
 * Return: true if there is one.
 */
FAIR_QUEUE_API bool fair_queue_next_fitting(const struct fair_queue *q,
					    struct fair_queue_place *at,
					    int32_t procs);

/**
 * struct fair_queue_hole - jobs that fit into a hole.
 * @procs:   processors of the job, at most
 * @extra:   jobs of at most these may have any walltime
 * @longest: seconds, at most, of all others
 */
struct fair_queue_hole {
	int32_t procs, extra;
	int64_t longest;
};

/**
 * fair_queue_next_short() - go to the next job that fits into a hole.
 * @at: where to begin, itself included; out: where it is
 *
 * Return: true if there is one.
 * Complexity: reads the jobs of a block only if its bounds allow one.
 */
FAIR_QUEUE_API bool fair_queue_next_short(struct fair_queue *q,
					  struct fair_queue_place *at,
					  const struct fair_queue_hole *hole);

/**
 * fair_queue_bound() - what no job of a block is below.
 * @row: of a place
 *
 * Return: the smallest rank and the least walltime and processors, which need
 * not be of one job.
 * Complexity: reads the jobs of the block if the shortest one may have left it.
 */
FAIR_QUEUE_API struct fair_queued fair_queue_bound(struct fair_queue *q,
						   uint32_t row);

/**
 * struct fair_queue_filter - jobs with procs <= @procs, own key > @after, and
 * either own key <= @until or walltime <= @longest.
 */
struct fair_queue_filter {
	int64_t after, until, longest;
	int32_t procs;
};

/**
 * fair_queue_next_matching() - go to the next job before @end that matches.
 * @at: where to begin, itself included; out: where it is
 *
 * Tightens the bounds of a block in which no job matches, where there are many.
 *
 * Return: true if there is one.
 * Complexity: reads the jobs of a block only if its bounds allow a match.
 */
FAIR_QUEUE_API bool
fair_queue_next_matching(struct fair_queue *q, struct fair_queue_place *at,
			 struct fair_queue_place end,
			 const struct fair_queue_filter *filter);

/** fair_queue_slot() - the slot of the job at a place. */
FAIR_QUEUE_API uint32_t fair_queue_slot(const struct fair_queue *q,
					struct fair_queue_place at);

/** fair_queue_job() - the caller's job in a slot. */
FAIR_QUEUE_API const struct fair_queued *
fair_queue_job(const struct fair_queue *q, uint32_t slot);

/**
 * fair_queue_clone() - copy the order of a queue.
 * @copy: an empty queue over its own copy of the array
 * @slot: for each slot of @q that of the copy, or NULL if they are equal
 *
 * Return: 0; -FAIR_ENOSPC if @copy is too small, or not empty.
 * Complexity: O(jobs queued).
 */
FAIR_QUEUE_API int fair_queue_clone(struct fair_queue *copy,
				    const struct fair_queue *q,
				    const uint32_t *slot);

/** fair_queue_check() - 0, or the number of the first broken invariant. */
FAIR_QUEUE_API int fair_queue_check(const struct fair_queue *q);

FAIRSCHED_END_C
#endif /* FAIR_QUEUE_H */

#if !defined(FAIR_QUEUE_IMPLEMENTED) && (defined(FAIR_QUEUE_IMPLEMENTATION) || \
					 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_QUEUE_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_QUEUE_API, fair_queue)

#define FAIR_QUEUE_ALIGN 64 /* a cache line */

/* The number of blocks that are enough, by I1. */
static uint32_t fair_queue_blocks(uint32_t jobs)
{
	return (uint32_t)((uint64_t)jobs * 2 / (FAIR_QUEUE_BLOCK + 1)) + 3;
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

FAIR_QUEUE_API bool fair_rank_is_before(struct fair_rank a, struct fair_rank b)
{
	return a.key < b.key || (a.key == b.key && a.number < b.number);
}

FAIR_QUEUE_API size_t fair_queue_size(uint32_t jobs)
{
	uint64_t size =
		(uint64_t)fair_queue_blocks(jobs) *
			(sizeof(struct fair_queue_block) +
			 sizeof(struct fair_queue_entry) + sizeof(uint32_t)) +
		sizeof(struct fair_queue_pool) + FAIR_QUEUE_ALIGN;

	return size > SIZE_MAX ? 0 : (size_t)size;
}

FAIR_QUEUE_API size_t fair_queue_share_size(uint32_t jobs)
{
	uint64_t size = (uint64_t)fair_queue_blocks(jobs) *
				sizeof(struct fair_queue_entry) +
			FAIR_QUEUE_ALIGN;

	return size > SIZE_MAX ? 0 : (size_t)size;
}

static char *fair_queue_align(void *memory)
{
	char *at = (char *)memory;

	return at + (FAIR_QUEUE_ALIGN - (uintptr_t)at % FAIR_QUEUE_ALIGN) %
			    FAIR_QUEUE_ALIGN;
}

FAIR_QUEUE_API int fair_queue_init(struct fair_queue *q, size_t struct_size,
				   void *memory, size_t bytes, uint32_t jobs,
				   const void *array, size_t stride)
{
	uint32_t blocks = fair_queue_blocks(jobs);
	struct fair_queue_pool *pool;

	if (!q || !memory || !array || struct_size != sizeof(*q) ||
	    stride < sizeof(struct fair_queued))
		return -FAIR_EINVAL;
	if (!fair_queue_size(jobs) || bytes < fair_queue_size(jobs))
		return -FAIR_ENOMEM;
	q->row = (struct fair_queue_entry *)(void *)fair_queue_align(memory);
	pool = (struct fair_queue_pool *)(void *)(q->row + blocks);
	q->block = (struct fair_queue_block *)(void *)(pool + 1);
	pool->spare = (uint32_t *)(void *)(q->block + blocks);
	pool->spares = pool->used = 0;
	pool->blocks = blocks;
	pool->shared = false;
	q->pool = pool;
	q->array = (const char *)array;
	q->stride = stride;
	fair_queue_rank_by(q, array, stride);
	q->rows = q->jobs = 0;
	q->most = jobs;
	return 0;
}

FAIR_QUEUE_API int fair_queue_share(struct fair_queue *q, size_t struct_size,
				    void *memory, size_t bytes,
				    const struct fair_queue *with)
{
	if (!q || !memory || !with || struct_size != sizeof(*q) ||
	    with->pool->shared)
		return -FAIR_EINVAL;
	if (bytes < fair_queue_share_size(with->most))
		return -FAIR_ENOMEM;
	*q = *with;
	q->row = (struct fair_queue_entry *)(void *)fair_queue_align(memory);
	q->pool->shared = true;
	fair_queue_rank_by(q, q->array, q->stride);
	q->rows = q->jobs = 0;
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

static void fair_queue_measure_procs(struct fair_queue *q, uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	int32_t min_procs = INT32_MAX;
	uint32_t i;

	for (i = 0; i < b->count; i++)
		min_procs = b->procs[i] < min_procs ? b->procs[i] : min_procs;
	q->row[row].min_procs = min_procs;
}

/* The bounds of @to are not exact after it. */
static void fair_queue_copy(struct fair_queue_block *to, uint32_t at,
			    const struct fair_queue_block *from, uint32_t begin,
			    uint32_t count)
{
	to->exact = 0;
	if (!count)
		return; /* at the end, where most jobs come */
	FAIR_MEMMOVE(to->procs + at, from->procs + begin, count * 4);
	FAIR_MEMMOVE(to->slot + at, from->slot + begin, count * 4);
}

/* Insert an empty block into the row. */
static struct fair_queue_block *fair_queue_add_row(struct fair_queue *q,
						   uint32_t row)
{
	struct fair_queue_entry *add = q->row + row;
	struct fair_queue_pool *pool = q->pool;

	/* By I1 one of fair_queue_blocks() is left. */
	FAIR_ASSERT(pool->spares > 0 || pool->used < pool->blocks);
	FAIR_MEMMOVE(add + 1, add, (q->rows - row) * sizeof(*add));
	add->block = pool->spares ? pool->spare[--pool->spares] : pool->used++;
	add->min_procs = INT32_MAX;
	add->max_key = INT64_MIN;
	add->min_key = add->min_walltime = INT64_MAX;
	q->rows++;
	q->block[add->block].count = 0;
	return q->block + add->block;
}

static void fair_queue_drop_row(struct fair_queue *q, uint32_t row)
{
	q->pool->spare[q->pool->spares++] = q->row[row].block;
	q->rows--;
	FAIR_MEMMOVE(q->row + row, q->row + row + 1,
		     (q->rows - row) * sizeof(*q->row));
}

/* Restore I1: join a block and the next one if one block can hold both. */
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
	if (next->min_procs < one->min_procs)
		one->min_procs = next->min_procs;
	if (next->max_key > one->max_key)
		one->max_key = next->max_key;
	if (next->min_key < one->min_key)
		one->min_key = next->min_key;
	if (next->min_walltime < one->min_walltime)
		one->min_walltime = next->min_walltime;
	fair_queue_drop_row(q, row + 1);
}

/* The block at @row got smaller or was dropped: I1 of it and the one before. */
static void fair_queue_join_neighbours(struct fair_queue *q, uint32_t row)
{
	fair_queue_join(q, row);
	if (row)
		fair_queue_join(q, row - 1);
}

static bool fair_queue_is_row_before(const struct fair_queue *q, uint32_t row,
				     struct fair_rank rank)
{
	return fair_rank_is_before(
		fair_queue_rank(q, fair_queue_row(q, row)->slot[0]), rank);
}

/* Seek where just the first @rows blocks begin before @rank. */
static struct fair_queue_place fair_queue_seek_in(const struct fair_queue *q,
						  uint32_t rows,
						  struct fair_rank rank)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_queue_block *b;
	uint32_t low, high, middle;

	if (rows == 0)
		return at;
	at.row = rows - 1;
	b = fair_queue_row(q, at.row);
	for (low = 1, high = b->count; low < high;) {
		middle = low + (high - low) / 2;
		if (fair_rank_is_before(fair_queue_rank(q, b->slot[middle]),
					rank))
			low = middle + 1;
		else
			high = middle;
	}
	at.index = low;
	return at; /* perhaps behind the block's last: scans go on */
}

FAIR_QUEUE_API struct fair_queue_place
fair_queue_seek(const struct fair_queue *q, struct fair_rank rank)
{
	uint32_t low = 0, high = q->rows, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (fair_queue_is_row_before(q, middle, rank))
			low = middle + 1;
		else
			high = middle;
	}
	return fair_queue_seek_in(q, low, rank);
}

FAIR_QUEUE_API struct fair_queue_place
fair_queue_seek_near(const struct fair_queue *q, struct fair_queue_place at,
		     struct fair_rank rank)
{
	uint32_t rows = at.row < q->rows ? at.row : q->rows;

	while (rows > 0 && !fair_queue_is_row_before(q, rows - 1, rank))
		rows--;
	while (rows < q->rows && fair_queue_is_row_before(q, rows, rank))
		rows++;
	return fair_queue_seek_in(q, rows, rank);
}

/*
 * Split the block at @at in two halves. At the end of the row begin an empty
 * block instead, so that appended jobs leave full blocks behind.
 */
static void fair_queue_split(struct fair_queue *q, struct fair_queue_place *at)
{
	struct fair_queue_block *b = fair_queue_row(q, at->row), *more;
	uint32_t keep = FAIR_QUEUE_BLOCK / 2;

	if (at->row + 1 == q->rows && at->index == b->count)
		keep = b->count;
	more = fair_queue_add_row(q, at->row + 1);
	fair_queue_copy(more, 0, b, keep, b->count - keep);
	more->count = b->count - keep;
	q->row[at->row + 1].max_key = q->row[at->row].max_key;
	q->row[at->row + 1].min_key = q->row[at->row].min_key;
	q->row[at->row].min_walltime = q->row[at->row + 1].min_walltime = 0;
	b->exact = 0;
	b->count = keep;
	fair_queue_measure_procs(q, at->row);
	fair_queue_measure_procs(q, at->row + 1);
	if (at->index > keep || keep == FAIR_QUEUE_BLOCK) {
		at->row++;
		at->index -= keep;
	}
}

/* The same place, not behind the last job of a block. */
static struct fair_queue_place fair_queue_step_over(const struct fair_queue *q,
						    struct fair_queue_place at)
{
	if (at.row < q->rows && at.index == fair_queue_row(q, at.row)->count) {
		at.row++;
		at.index = 0;
	}
	return at;
}

/* Whether the rank at @at, the first that is not before @rank, is @rank. */
static bool fair_queue_is_at(const struct fair_queue *q,
			     struct fair_queue_place at, struct fair_rank rank)
{
	return !fair_rank_is_before(rank,
				    fair_queue_rank(q, fair_queue_slot(q, at)));
}

FAIR_QUEUE_API bool fair_queue_find(const struct fair_queue *q,
				    struct fair_rank rank,
				    struct fair_queue_place *at)
{
	*at = fair_queue_step_over(q, fair_queue_seek(q, rank));
	return at->row < q->rows && fair_queue_is_at(q, *at, rank);
}

static bool fair_queue_find_slot(const struct fair_queue *q, uint32_t slot,
				 struct fair_queue_place *at)
{
	*at = fair_queue_seek(q, fair_queue_rank(q, slot));
	*at = fair_queue_step_over(q, *at);
	return at->row < q->rows && fair_queue_slot(q, *at) == slot;
}

FAIR_QUEUE_API bool fair_queue_can_rerank(const struct fair_queue *q,
					  struct fair_queue_place at,
					  struct fair_rank rank)
{
	const struct fair_queue_block *b = fair_queue_row(q, at.row);
	bool after, before;

	/* A neighbour in another block is not read. */
	after = at.index ? fair_rank_is_before(
				   fair_queue_rank(q, b->slot[at.index - 1]),
				   rank)
			 : at.row == 0;
	before = at.index + 1 < b->count
			 ? fair_rank_is_before(
				   rank,
				   fair_queue_rank(q, b->slot[at.index + 1]))
			 : at.row + 1 == q->rows;
	return after && before;
}

static struct fair_queue_place fair_queue_end(const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };

	if (q->rows) {
		at.row = q->rows - 1;
		at.index = fair_queue_row(q, at.row)->count;
	}
	return at;
}

static bool fair_queue_is_end_before(const struct fair_queue *q,
				     struct fair_rank rank)
{
	struct fair_queue_place end = fair_queue_end(q);

	if (q->rows == 0)
		return true;
	end.index--;
	return fair_rank_is_before(fair_queue_rank(q, fair_queue_slot(q, end)),
				   rank);
}

FAIR_QUEUE_API int fair_queue_insert(struct fair_queue *q, uint32_t slot)
{
	struct fair_rank rank = fair_queue_rank(q, slot);
	int32_t procs = fair_queue_job(q, slot)->procs;
	struct fair_queue_block *b;
	struct fair_queue_place at;
	uint32_t row;
	bool splits;

	if (q->jobs == q->most)
		return -FAIR_ENOSPC;
	if (fair_queue_is_end_before(q, rank)) {
		at = fair_queue_end(q);
	} else {
		at = fair_queue_seek(q, rank);
		if (fair_queue_is_at(q, fair_queue_step_over(q, at), rank))
			return -FAIR_EINVAL;
	}
	row = at.row;
	splits = q->rows && fair_queue_row(q, row)->count == FAIR_QUEUE_BLOCK;
	if (q->rows == 0)
		fair_queue_add_row(q, 0);
	if (splits)
		fair_queue_split(q, &at);
	b = fair_queue_row(q, at.row);
	fair_queue_copy(b, at.index + 1, b, at.index, b->count - at.index);
	b->procs[at.index] = procs;
	b->slot[at.index] = slot;
	b->count++;
	if (procs < q->row[at.row].min_procs)
		q->row[at.row].min_procs = procs;
	if (fair_queue_job(q, slot)->walltime < q->row[at.row].min_walltime)
		q->row[at.row].min_walltime = fair_queue_job(q, slot)->walltime;
	/* The job's own key may not be set yet. */
	q->row[at.row].max_key = INT64_MAX;
	q->row[at.row].min_key = INT64_MIN;
	q->jobs++;
	if (splits) { /* else I1 still holds: a block got larger */
		fair_queue_join(q, row + 1);
		fair_queue_join_neighbours(q, row);
	}
	return 0;
}

FAIR_QUEUE_API void fair_queue_remove_at(struct fair_queue *q,
					 struct fair_queue_place at)
{
	struct fair_queue_block *b = fair_queue_row(q, at.row);
	struct fair_queue_entry *r = q->row + at.row;
	int32_t procs = b->procs[at.index];

	if (fair_queue_job(q, b->slot[at.index])->walltime <= r->min_walltime)
		r->min_walltime = 0;
	b->count--;
	fair_queue_copy(b, at.index, b, at.index + 1, b->count - at.index);
	q->jobs--;
	if (b->count == 0)
		fair_queue_drop_row(q, at.row);
	else if (procs == r->min_procs)
		fair_queue_measure_procs(q, at.row);
	fair_queue_join_neighbours(q, at.row);
}

FAIR_QUEUE_API int fair_queue_remove(struct fair_queue *q, uint32_t slot)
{
	struct fair_queue_place at;

	if (!fair_queue_find_slot(q, slot, &at))
		return -FAIR_EINVAL;
	fair_queue_remove_at(q, at);
	return 0;
}

FAIR_QUEUE_API void fair_queue_update_at(struct fair_queue *q,
					 struct fair_queue_place at)
{
	struct fair_queue_entry *row = q->row + at.row;
	const struct fair_queued *j = fair_queue_job(q, fair_queue_slot(q, at));

	if (row->max_key < j->rank.key)
		row->max_key = j->rank.key;
	if (row->min_key > j->rank.key)
		row->min_key = j->rank.key;
	if (row->min_walltime > j->walltime)
		row->min_walltime = j->walltime;
	fair_queue_row(q, at.row)->exact = 0;
}

FAIR_QUEUE_API int fair_queue_update(struct fair_queue *q, uint32_t slot)
{
	struct fair_queue_place at;

	if (!fair_queue_find_slot(q, slot, &at))
		return -FAIR_EINVAL;
	fair_queue_update_at(q, at);
	return 0;
}

FAIR_QUEUE_API bool fair_queue_next_fitting(const struct fair_queue *q,
					    struct fair_queue_place *at,
					    int32_t procs)
{
	const struct fair_queue_block *b;

	for (; at->row < q->rows; at->row++, at->index = 0) {
		if (q->row[at->row].min_procs > procs)
			continue;
		b = fair_queue_row(q, at->row);
		for (; at->index < b->count; at->index++)
			if (b->procs[at->index] <= procs)
				return true;
	}
	return false;
}

/* The entry of a row with exact bounds of I6. */
static struct fair_queue_entry fair_queue_exact(const struct fair_queue *q,
						uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	struct fair_queue_entry r = q->row[row];
	const struct fair_queued *j;
	uint32_t i;

	r.max_key = INT64_MIN;
	r.min_key = r.min_walltime = INT64_MAX;
	for (i = 0; i < b->count; i++) {
		j = fair_queue_job(q, b->slot[i]);
		r.max_key = j->rank.key > r.max_key ? j->rank.key : r.max_key;
		r.min_key = j->rank.key < r.min_key ? j->rank.key : r.min_key;
		r.min_walltime = j->walltime < r.min_walltime ? j->walltime
							      : r.min_walltime;
	}
	return r;
}

static void fair_queue_tighten_bounds(struct fair_queue *q, uint32_t row)
{
	q->row[row] = fair_queue_exact(q, row);
	fair_queue_row(q, row)->exact = 1;
}

FAIR_QUEUE_API void fair_queue_reorder(struct fair_queue *q,
				       const uint32_t *slot)
{
	struct fair_queue_block *b;
	uint32_t row, i;

	for (row = 0; row < q->rows; row++) {
		b = fair_queue_row(q, row);
		for (i = 0; i < b->count; i++, slot++) {
			b->slot[i] = *slot;
			b->procs[i] = fair_queue_job(q, *slot)->procs;
		}
		fair_queue_measure_procs(q, row);
		fair_queue_tighten_bounds(q, row);
	}
}

FAIR_QUEUE_API struct fair_queued fair_queue_bound(struct fair_queue *q,
						   uint32_t row)
{
	struct fair_queued bound = { { 0, 0 }, 0, 0, 0, 0, 0 };

	if (q->row[row].min_walltime == 0)
		fair_queue_tighten_bounds(q, row);
	bound.rank = fair_queue_rank(q, fair_queue_row(q, row)->slot[0]);
	bound.walltime = q->row[row].min_walltime;
	bound.procs = q->row[row].min_procs;
	return bound;
}

/* Whether the bounds of a block allow a job that fits. */
static bool fair_queue_can_fit(const struct fair_queue_entry *r,
			       const struct fair_queue_hole *hole)
{
	return r->min_procs <= hole->procs &&
	       (r->min_procs <= hole->extra ||
		r->min_walltime <= hole->longest);
}

FAIR_QUEUE_API bool fair_queue_next_short(struct fair_queue *q,
					  struct fair_queue_place *at,
					  const struct fair_queue_hole *hole)
{
	const struct fair_queue_block *b;

	for (; at->row < q->rows; at->row++, at->index = 0) {
		if (!fair_queue_can_fit(q->row + at->row, hole))
			continue;
		b = fair_queue_row(q, at->row);
		for (; at->index < b->count; at->index++)
			if (b->procs[at->index] <= hole->procs &&
			    (b->procs[at->index] <= hole->extra ||
			     fair_queue_job(q, b->slot[at->index])->walltime <=
				     hole->longest))
				return true;
		if (q->row[at->row].min_walltime == 0)
			fair_queue_tighten_bounds(q, at->row);
	}
	return false;
}

static bool fair_queue_is_match(const struct fair_queued *j,
				const struct fair_queue_filter *filter)
{
	return j->rank.key > filter->after &&
	       (j->rank.key <= filter->until || j->walltime <= filter->longest);
}

FAIR_QUEUE_API bool
fair_queue_next_matching(struct fair_queue *q, struct fair_queue_place *at,
			 struct fair_queue_place end,
			 const struct fair_queue_filter *filter)
{
	const struct fair_queue_block *b;
	const struct fair_queue_entry *r;
	uint32_t i, n;

	for (; at->row < q->rows && at->row <= end.row;
	     at->row++, at->index = 0) {
		r = q->row + at->row;
		if (r->min_procs > filter->procs ||
		    r->max_key <= filter->after ||
		    (r->min_key > filter->until &&
		     r->min_walltime > filter->longest))
			continue;
		b = fair_queue_row(q, at->row);
		n = at->row == end.row ? end.index : b->count;
		for (i = at->index; i < n; i++) {
			if (b->procs[i] <= filter->procs &&
			    fair_queue_is_match(fair_queue_job(q, b->slot[i]),
						filter)) {
				at->index = i;
				return true;
			}
		}
		/* A scan of few blocks costs less than their bounds. */
		if (at->index == 0 && !b->exact && q->rows > 3)
			fair_queue_tighten_bounds(q, at->row);
	}
	return false;
}

FAIR_QUEUE_API uint32_t fair_queue_slot(const struct fair_queue *q,
					struct fair_queue_place at)
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
		to->exact = from->exact;
		copy->row[row] = q->row[row];
		copy->row[row].block = block;
		for (i = 0; slot && i < to->count; i++)
			to->slot[i] = slot[from->slot[i]];
	}
	copy->jobs = q->jobs;
	return 0;
}

static bool fair_queue_has_exact_procs(const struct fair_queue *q, uint32_t row)
{
	const struct fair_queue_block *b = fair_queue_row(q, row);
	int32_t min_procs = INT32_MAX;
	uint32_t i;

	for (i = 0; i < b->count; i++) {
		if (b->procs[i] != fair_queue_job(q, b->slot[i])->procs)
			return false;
		if (b->procs[i] < min_procs)
			min_procs = b->procs[i];
	}
	return min_procs == q->row[row].min_procs;
}

static bool fair_queue_has_valid_bounds(const struct fair_queue *q,
					uint32_t row)
{
	const struct fair_queue_entry *r = q->row + row;
	struct fair_queue_entry x = fair_queue_exact(q, row);

	if (fair_queue_row(q, row)->exact)
		return x.max_key == r->max_key && x.min_key == r->min_key &&
		       x.min_walltime == r->min_walltime;
	return x.max_key <= r->max_key && x.min_key >= r->min_key &&
	       x.min_walltime >= r->min_walltime;
}

/* I5 */
static bool fair_queue_has_unique_blocks(const struct fair_queue *q)
{
	const struct fair_queue_pool *pool = q->pool;
	uint32_t i, k, places, found = 0;

	if (pool->used > pool->blocks || q->rows + pool->spares > pool->used ||
	    (!pool->shared && q->rows + pool->spares != pool->used))
		return false;
	for (i = 0; i < pool->used; i++, found += places) {
		places = 0;
		for (k = 0; k < q->rows; k++)
			places += q->row[k].block == i;
		for (k = 0; k < pool->spares; k++)
			places += pool->spare[k] == i;
		if (places > 1)
			return false;
	}
	return found == q->rows + pool->spares;
}

FAIR_QUEUE_API int fair_queue_check(const struct fair_queue *q)
{
	const struct fair_queue_block *b, *before = NULL;
	struct fair_queue_place at = { 0, 0 };
	struct fair_rank rank, last = { 0, 0 };
	uint32_t row, jobs = 0;

	if (!fair_queue_has_unique_blocks(q))
		return 5;
	for (row = 0; row < q->rows; row++, before = b) {
		b = fair_queue_row(q, row);
		if (b->count < 1 || b->count > FAIR_QUEUE_BLOCK ||
		    (before && before->count + b->count <= FAIR_QUEUE_BLOCK))
			return 1;
		if (!fair_queue_has_exact_procs(q, row))
			return 3;
		if (!fair_queue_has_valid_bounds(q, row))
			return 6;
		for (at.index = 0; at.index < b->count; at.index++, jobs++) {
			at.row = row;
			rank = fair_queue_rank(q, fair_queue_slot(q, at));
			if (jobs && !fair_rank_is_before(last, rank))
				return 2;
			last = rank;
		}
	}
	return jobs == q->jobs ? 0 : 4;
}
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
