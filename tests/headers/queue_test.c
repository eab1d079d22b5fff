/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_QUEUE_IMPLEMENTATION
#include "fuzz/queue_pair.h"
#include "tests/test.h"

/* The example of the manual; the job that it finds. */
static uint32_t manual(void)
{
	struct fair_queued job[2] = { { { 50, 1 }, 3600, 8, 0, 0, 0 },
				      { { 20, 2 }, 60, 4, 0, 0, 0 } };
	char memory[4096];
	struct fair_queue q;
	struct fair_queue_place at = { 0, 0 };

	fair_queue_init(&q, sizeof(q), memory, sizeof(memory), 2, job,
			sizeof(job[0]));
	fair_queue_insert(&q, 0);
	fair_queue_insert(&q, 1);
	fair_queue_next_fitting(&q, &at, 8); // at job 1: its key is the smaller

	return fair_queue_slot(&q, at);
}

#define JOBS 1000
#define BYTES 20000

static struct fair_queued job[JOBS];
static struct fair_queue q;
static char memory[BYTES];

/* @n jobs of the keys 0, 10, 20 ... and of 1 to 7 processors. */
static void fill(uint32_t n, uint32_t most)
{
	uint32_t i;

	memset(job, 0, sizeof(job));
	TEST_CHECK(fair_queue_size(most) <= BYTES);
	TEST_OK(fair_queue_init(&q, sizeof(q), memory, BYTES, most, job,
				sizeof(job[0])));
	for (i = 0; i < n; i++) {
		job[i].rank.key = 10 * (int64_t)i;
		job[i].rank.number = i;
		job[i].procs = (int32_t)(i % 7 + 1);
		TEST_EQ(fair_queue_insert(&q, i), 0);
	}
	TEST_EQ(fair_queue_check(&q), 0);
}

TEST(example_of_the_manual)
{
	TEST_EQ(manual(), 1);
}

TEST(two_times)
{
	TEST_EQ(fair_later(2, 1), 2);
	TEST_EQ(fair_later(1, 2), 2);
	TEST_EQ(fair_sooner(2, 1), 1);
	TEST_EQ(fair_sooner(1, 2), 1);
}

/* Of a million jobs. */
TEST(bytes_a_job)
{
	size_t tenths = fair_queue_size(1000000) / 100000;

	printf("queue.h: %zu.%zu bytes a job\n", tenths / 10, tenths % 10);
	TEST_CHECK(tenths <= 172);
}

/* By I1, 2n / 65 + 1 blocks and two more; the row begins a cache line. */
TEST(memory_is_as_large_as_said)
{
	size_t block = sizeof(struct fair_queue_block) +
		       sizeof(struct fair_queue_entry) + sizeof(uint32_t);
	size_t bytes = fair_queue_size(9);
	struct fair_queue x;
	uintptr_t begin, i;
	uint32_t n;

	for (n = 0; n < 300; n++)
		TEST_EQ(fair_queue_size(n), (n * 2 / 65 + 3) * block +
				sizeof(struct fair_queue_pool) + 64);
	for (i = 0; i < 64; i++) {
		begin = (uintptr_t)memory + i;
		TEST_OK(fair_queue_init(&x, sizeof(x), memory + i, bytes, 9,
					job, sizeof(job[0])));
		TEST_EQ((uintptr_t)x.row % 64, 0);
		TEST_CHECK((uintptr_t)x.row - begin < 64);
		TEST_CHECK((uintptr_t)(x.pool->spare + x.pool->blocks) - begin <= bytes);
	}
}

/* Jobs move to and fro: all the blocks of one queue suffice for both. */
TEST(two_queues_share_blocks)
{
	static char more[BYTES];
	struct fair_queue second;
	uint32_t round, i, most = 300;
	uint64_t random = 1;

	fill(most, most);
	TEST_OK(fair_queue_share(&second, sizeof(second), more, sizeof(more),
				 &q));
	for (round = 0; round < 200; round++) {
		for (i = 0; i < 40; i++) {
			uint32_t slot = (uint32_t)test_range(&random, 0,
							     most - 1);

			if (fair_queue_remove(&q, slot) == 0) {
				TEST_OK(fair_queue_insert(&second, slot));
			} else {
				TEST_OK(fair_queue_remove(&second, slot));
				TEST_OK(fair_queue_insert(&q, slot));
			}
		}
		TEST_EQ(fair_queue_check(&q), 0);
		TEST_EQ(fair_queue_check(&second), 0);
		TEST_EQ(q.jobs + second.jobs, most);
		TEST_EQ(q.rows + second.rows + q.pool->spares, q.pool->used);
	}
	q.row[0].block = q.row[1].block;
	TEST_EQ(fair_queue_check(&q), 5);
}

TEST(clone_needs_room)
{
	static struct fair_queued other[JOBS];
	static char more[BYTES];
	struct fair_queue copy;

	fill(200, 300);
	memcpy(other, job, sizeof(job));
	TEST_OK(fair_queue_init(&copy, sizeof(copy), more, sizeof(more), 199,
				other, sizeof(other[0])));
	TEST_EQ(fair_queue_clone(&copy, &q, NULL), -FAIR_ENOSPC);
	TEST_EQ(copy.jobs, 0);
	TEST_EQ(fair_queue_check(&copy), 0);
	TEST_EQ(fair_queue_remove(&q, 50), 0);
	TEST_EQ(fair_queue_clone(&copy, &q, NULL), 0);
	TEST_EQ(copy.jobs, 199);
	TEST_EQ(fair_queue_check(&copy), 0);
}

/* One change by hand each; what check() says of it. */
TEST(invariants_broken_by_hand)
{
	struct fair_queue_block *first, *second;
	int32_t procs;
	uint32_t kept;

	fill(130, 200);
	TEST_EQ(q.rows, 3);
	first = q.block + q.row[0].block;
	second = q.block + q.row[1].block;

	first->count = 0;
	TEST_EQ(fair_queue_check(&q), 1);
	first->count = 65;
	TEST_EQ(fair_queue_check(&q), 1);
	first->count = 64;
	second->count = 0;
	TEST_EQ(fair_queue_check(&q), 1);
	second->count = 64;
	first->count = second->count = 32; /* one block could hold them */
	TEST_EQ(fair_queue_check(&q), 1);
	first->count = second->count = 64;
	q.block[q.row[2].block].count = 65;
	TEST_EQ(fair_queue_check(&q), 1);
	q.block[q.row[2].block].count = 2;
	TEST_EQ(fair_queue_check(&q), 0);

	job[64].rank.key = 630; /* that of job 63, whose number is less */
	TEST_EQ(fair_queue_check(&q), 0);
	job[64].rank.number = 63;
	TEST_EQ(fair_queue_check(&q), 2);
	job[64].rank.key = 629;
	TEST_EQ(fair_queue_check(&q), 2);
	job[64].rank.key = 640;
	job[64].rank.number = 64;

	procs = job[5].procs++;
	TEST_EQ(fair_queue_check(&q), 3);
	job[5].procs = procs;
	q.row[0].min_procs++;
	TEST_EQ(fair_queue_check(&q), 3);
	q.row[0].min_procs--;
	q.row[0].max_key = 629;
	TEST_EQ(fair_queue_check(&q), 6);
	q.row[0].max_key = 630;
	TEST_EQ(fair_queue_check(&q), 0);
	q.row[0].min_key = 1;
	TEST_EQ(fair_queue_check(&q), 6);
	q.row[0].min_key = INT64_MIN;
	q.row[0].min_walltime = INT64_MAX;
	TEST_EQ(fair_queue_check(&q), 6);
	q.row[0].min_walltime = 0;
	TEST_EQ(fair_queue_check(&q), 0);
	q.block[q.row[0].block].exact = 1; /* but they are not */
	TEST_EQ(fair_queue_check(&q), 6);
	q.row[0].min_key = 0;
	TEST_EQ(fair_queue_check(&q), 0);
	q.row[0].max_key = 631;
	TEST_EQ(fair_queue_check(&q), 6);
	q.row[0].max_key = 630;
	q.row[0].min_walltime = -1;
	TEST_EQ(fair_queue_check(&q), 6);
	q.row[0].min_walltime = 0;
	TEST_EQ(fair_queue_check(&q), 0);

	q.jobs++;
	TEST_EQ(fair_queue_check(&q), 4);
	q.jobs--;

	kept = q.row[1].block;
	q.row[1].block = q.row[0].block;
	TEST_EQ(fair_queue_check(&q), 5);
	q.row[1].block = kept & INT32_MAX;
	kept = q.row[0].block;
	q.row[0].block = q.pool->used & INT32_MAX; /* never used */
	TEST_EQ(fair_queue_check(&q), 5);
	q.row[0].block = kept & INT32_MAX;
	q.pool->used++;
	TEST_EQ(fair_queue_check(&q), 5);
	q.pool->used = q.pool->spares = q.pool->blocks + 1;
	q.pool->spares -= q.rows;
	TEST_EQ(fair_queue_check(&q), 5);
	q.pool->used = q.rows;
	q.pool->spares = 0;
	TEST_EQ(fair_queue_check(&q), 0);

	fair_queue_remove(&q, 128);
	fair_queue_remove(&q, 129);
	TEST_EQ(q.pool->spares, 1);
	q.pool->spare[0] = q.row[0].block;
	TEST_EQ(fair_queue_check(&q), 5);
}

/* Two blocks of 32 could be one; of blocks, of places, and of block 1. */
TEST(one_too_many)
{
	uint32_t i;

	fill(128, 200);
	q.block[q.row[0].block].count = q.block[q.row[1].block].count = 32;
	TEST_EQ(fair_queue_check(&q), 1);

	fill(130, 200);
	q.pool->spare[q.pool->spares++] = q.pool->used;
	TEST_EQ(fair_queue_check(&q), 5);
	q.pool->used = q.pool->blocks + 1;
	for (i = q.rows; i < q.pool->used; i++)
		q.pool->spare[i - q.rows] = i;
	q.pool->spares = q.pool->used - q.rows;
	TEST_EQ(fair_queue_check(&q), 5);

	fill(130, 200);
	q.row[1].block = q.row[2].block;
	TEST_EQ(fair_queue_check(&q), 5);
}

/* 1, 64, 1 jobs in blocks, in a queue for 67: a split needs one more. */
TEST(split_of_the_densest)
{
	uint32_t i;

	fill(65, 67);
	for (i = 65; i < 129; i++) {
		job[i].rank.key = 10 * (int64_t)i;
		job[i].procs = 1;
		TEST_EQ(fair_queue_insert(&q, i), 0);
		if (i < 128)
			TEST_EQ(fair_queue_remove(&q, i - 65), 0);
	}
	TEST_EQ(q.rows, 3);
	TEST_EQ(q.jobs, 66);
	TEST_EQ(fair_queue_check(&q), 0);
	job[0].rank.key = 1001;
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(q.rows, 2);
	TEST_EQ(fair_queue_check(&q), 0);
}

/* At its end a full block is halved too, but for the queue's. */
TEST(split_behind_the_last_of_a_block)
{
	fill(128, 130);
	job[128].rank.key = 635;
	job[129].rank.key = 1280;
	TEST_EQ(fair_queue_insert(&q, 128), 0);
	TEST_EQ(q.rows, 3);
	TEST_EQ(q.block[q.row[0].block].count, 32);
	TEST_EQ(q.block[q.row[1].block].count, 33);
	TEST_EQ(q.block[q.row[2].block].count, 64);
	TEST_EQ(fair_queue_insert(&q, 129), 0);
	TEST_EQ(q.rows, 4);
	TEST_EQ(q.block[q.row[2].block].count, 64);
	TEST_EQ(q.block[q.row[3].block].count, 1);
	TEST_EQ(fair_queue_check(&q), 0);
}

/* What belongs behind the 32 that stay, stays with them. */
TEST(split_between_the_halves)
{
	fill(128, 130);
	job[128].rank.key = 315;
	TEST_EQ(fair_queue_insert(&q, 128), 0);
	TEST_EQ(q.rows, 3);
	TEST_EQ(q.block[q.row[0].block].count, 33);
	TEST_EQ(q.block[q.row[1].block].count, 32);
}

TEST(as_wide_as_can_be)
{
	struct fair_queue_place at;

	fill(0, 4);
	job[0].procs = INT32_MAX;
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(fair_queue_check(&q), 0);
	fill(1, 4);
	job[1].rank.key = 7;
	job[1].procs = INT32_MAX;
	job[2] = job[1];
	job[3].rank.key = 9;
	TEST_EQ(fair_queue_insert(&q, 1), 0);
	TEST_EQ(fair_queue_insert(&q, 3), 0);
	TEST_EQ(fair_queue_insert(&q, 2), -FAIR_EINVAL);
	TEST_CHECK(fair_queue_find(&q, job[1].rank, &at));
	TEST_EQ(fair_queue_slot(&q, at), 1);
	TEST_EQ(fair_queue_remove(&q, 1), 0);
	TEST_EQ(fair_queue_check(&q), 0);
	fill(0, 4);
	job[0].procs = job[1].procs = INT32_MAX;
	job[1].rank.key = 7;
	TEST_OK(fair_queue_insert(&q, 0));
	TEST_OK(fair_queue_insert(&q, 1));
	TEST_OK(fair_queue_remove(&q, 0));
	TEST_EQ(fair_queue_check(&q), 0);
}

/* Jobs that come in order fill their blocks, and leave at the front. */
TEST(first_in_first_out)
{
	struct fair_queue_place first = { 0, 0 };
	uint32_t i;

	fill(JOBS, JOBS);
	TEST_EQ(q.rows, (JOBS + 63) / 64);
	for (i = 0; i < JOBS; i++) {
		TEST_EQ(fair_queue_slot(&q, first), i);
		TEST_EQ(fair_queue_remove(&q, i), 0);
		TEST_EQ(fair_queue_check(&q), 0);
	}
	TEST_EQ(q.rows, 0);
	TEST_CHECK(!fair_queue_next_fitting(&q, &first, INT32_MAX));
	for (i = JOBS; i-- > 0;) /* and each before all others */
		TEST_EQ(fair_queue_insert(&q, i), 0);
	TEST_EQ(fair_queue_check(&q), 0);
	TEST_EQ(fair_queue_slot(&q, first), 0);
}

/* Three blocks are sorted the other way round, and widths are exchanged. */
TEST(sorted_anew)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot[130], i;

	fill(130, 130);
	for (i = 0; i < 130; i++) {
		job[i].rank.key = -job[i].rank.key;
		job[i].procs = 8 - job[i].procs;
		slot[i] = 129 - i;
	}
	fair_queue_reorder(&q, slot);
	TEST_EQ(fair_queue_check(&q), 0);
	for (i = 130; fair_queue_next_fitting(&q, &at, INT32_MAX); at.index++)
		TEST_EQ(fair_queue_slot(&q, at), --i);
	TEST_EQ(i, 0);
}

/* As many rows as there can be: every second job of full blocks leaves. */
TEST(sparse)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t i;

	fill(JOBS, JOBS);
	for (i = 1; i < JOBS; i += 2)
		TEST_EQ(fair_queue_remove(&q, i), 0);
	TEST_EQ(fair_queue_check(&q), 0);
	for (i = 1; i < JOBS; i += 2)
		TEST_EQ(fair_queue_insert(&q, i), 0);
	TEST_EQ(fair_queue_check(&q), 0);
	for (i = 0; fair_queue_next_fitting(&q, &at, INT32_MAX); at.index++)
		TEST_EQ(fair_queue_slot(&q, at), i++);
	TEST_EQ(i, JOBS);
}

TEST(stays)
{
	struct fair_queue_place middle = { 0, 5 }, edge = { 1, 0 };
	struct fair_rank rank = { 45, 0 };

	fill(130, 130);
	TEST_CHECK(fair_queue_can_rerank(&q, middle, rank));
	rank.key = 55;
	TEST_CHECK(fair_queue_can_rerank(&q, middle, rank));
	rank.key = 40; /* the key of the job before it, of a lower number */
	TEST_CHECK(!fair_queue_can_rerank(&q, middle, rank));
	rank.key = 61;
	TEST_CHECK(!fair_queue_can_rerank(&q, middle, rank));
	rank.key = 640;
	TEST_CHECK(!fair_queue_can_rerank(&q, edge, rank));
	middle.index = 0;
	rank.key = INT64_MIN;
	TEST_CHECK(fair_queue_can_rerank(&q, middle, rank));
	middle.row = 2;
	middle.index = 1;
	rank.key = INT64_MAX;
	TEST_CHECK(fair_queue_can_rerank(&q, middle, rank));
}

static void against_the_model(uint32_t most, int runs, size_t bytes)
{
	static uint8_t data[4000];
	uint64_t seed = most;
	size_t i;

	for (; runs > 0; runs--) {
		for (i = 0; i < bytes; i++)
			data[i] = (uint8_t)test_random(&seed);
		TEST_EQ(queue_pair_run(data, bytes, most),
			queue_pair_run(data, bytes, most));
	}
}

static bool some(int32_t procs, int64_t after, int64_t until, int64_t longest)
{
	struct fair_queue_filter like = { 0, 0, 0, 0 };
	struct fair_queue_place at = { 0, 0 }, end = { q.rows, 0 };

	like.procs = procs;
	like.after = after;
	like.until = until;
	like.longest = longest;
	return fair_queue_next_matching(&q, &at, end, &like);
}

/* Behind the @first jobs as many of @key and of 1,000 processors as make four
 * blocks: then a scan measures the bounds. */
static void make_blocks(uint32_t first, int64_t key)
{
	uint32_t i;

	for (i = first; i < 4 * FAIR_QUEUE_BLOCK; i++) {
		job[i].rank.key = key;
		job[i].rank.number = i;
		job[i].walltime = INT64_MAX;
		job[i].procs = 1000;
		TEST_EQ(fair_queue_insert(&q, i), 0);
	}
	TEST_EQ(q.rows, 4);
}

/* Of few blocks no bounds are measured, which would cost more than a scan. */
TEST(bounds_of_few_blocks)
{
	fill(3 * FAIR_QUEUE_BLOCK, 3 * FAIR_QUEUE_BLOCK);
	TEST_EQ(q.rows, 3);
	TEST_CHECK(!some(8, 1000000, INT64_MAX, 0));
	TEST_EQ(q.row[0].max_key, INT64_MAX);
	TEST_EQ(q.row[0].min_key, INT64_MIN);
}

/* Where a walk found no job, it knows the bounds; those of just that key,
 * walltime and width are found nevertheless. */
TEST(bounds_of_a_block)
{
	const struct fair_queue_place last = { 0, 2 };
	uint32_t i;

	fill(0, 4 * FAIR_QUEUE_BLOCK);
	for (i = 0; i < 3; i++) {
		job[i].rank.key = 10 + i;
		job[i].walltime = 7 + i;
		job[i].procs = 4;
		TEST_EQ(fair_queue_insert(&q, i), 0);
	}
	make_blocks(3, 12);
	TEST_CHECK(!some(4, 12, INT64_MAX, 0));
	TEST_EQ(q.row[0].max_key, 12);
	TEST_EQ(q.row[0].min_key, 10);
	TEST_EQ(q.row[0].min_walltime, 7);
	TEST_EQ(q.row[0].min_procs, 4);
	TEST_EQ(q.block[q.row[0].block].exact, 1);
	TEST_CHECK(some(4, 9, 10, 0));
	TEST_CHECK(!some(4, 9, 9, 0));
	TEST_CHECK(!some(3, 9, 10, 0));
	TEST_CHECK(some(4, 9, 9, 7));
	TEST_CHECK(!some(4, 9, 9, 6));
	TEST_CHECK(some(4, 11, 12, 0));
	TEST_CHECK(!some(4, 12, 13, 99));
	job[2].rank.key = 30;
	job[2].walltime = 3;
	fair_queue_update_at(&q, last);
	TEST_EQ(q.row[0].max_key, 30);
	TEST_EQ(q.row[0].min_walltime, 3);
	TEST_CHECK(some(4, 29, 30, 0));
	TEST_CHECK(some(4, 9, 9, 3));
	job[0].rank.key = 5;
	TEST_EQ(fair_queue_update(&q, 0), 0);
	TEST_EQ(q.row[0].min_key, 5);
	TEST_CHECK(some(4, 4, 5, 0));
}

/* Of one job, of extreme keys; a walk that finds no job measures. */
TEST(extreme_bounds_of_a_block)
{
	memset(memory, 0, sizeof(memory));
	fill(0, 4 * FAIR_QUEUE_BLOCK);
	job[0].rank.key = job[0].walltime = INT64_MAX;
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(q.row[0].min_walltime, INT64_MAX);
	make_blocks(1, INT64_MAX);
	TEST_CHECK(some(0, INT64_MAX - 1, INT64_MAX, 0));
	TEST_CHECK(!some(0, 0, INT64_MAX - 1, INT64_MAX - 1));
	TEST_EQ(q.row[0].min_key, INT64_MAX);
	TEST_EQ(q.row[0].min_walltime, INT64_MAX);

	fill(0, 4 * FAIR_QUEUE_BLOCK);
	job[0].rank.key = INT64_MIN;
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(fair_queue_check(&q), 0);
	make_blocks(1, INT64_MIN);
	TEST_CHECK(!some(0, INT64_MIN, INT64_MAX, 0));
	TEST_EQ(q.row[0].max_key, INT64_MIN);
}

/* Jobs that fit into a hole: narrow ones, short ones, or both. */
TEST(jobs_that_fit_into_a_hole)
{
	struct fair_queue_hole hole = { 4, 1, 10 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued bound;

	fill(0, 3);
	job[0].rank.key = 0;
	job[0].walltime = 5;
	job[0].procs = 5;
	job[1].rank.key = 1;
	job[1].walltime = 11;
	job[1].procs = 2;
	TEST_OK(fair_queue_insert(&q, 0));
	TEST_OK(fair_queue_insert(&q, 1));
	TEST_CHECK(!fair_queue_next_short(&q, &at, &hole));
	at.row = at.index = 0;
	hole.longest = 11;
	TEST_CHECK(fair_queue_next_short(&q, &at, &hole));
	TEST_EQ(fair_queue_slot(&q, at), 1);
	at.row = at.index = 0;
	hole.longest = 10;
	hole.extra = 2;
	TEST_CHECK(fair_queue_next_short(&q, &at, &hole));
	bound = fair_queue_bound(&q, 0);
	TEST_EQ(bound.rank.key, 0);
	TEST_EQ(bound.walltime, 5);
	TEST_EQ(bound.procs, 2);
	/* The shortest job leaves: its walltime bounds the others no more. */
	TEST_OK(fair_queue_remove(&q, 0));
	TEST_EQ(q.row[0].min_walltime, 0);
	TEST_EQ(fair_queue_bound(&q, 0).walltime, 11);
	hole.extra = 1;
	at.row = at.index = 0;
	TEST_CHECK(!fair_queue_next_short(&q, &at, &hole));
	/* A walk that finds none in vain measures, too. */
	TEST_OK(fair_queue_insert(&q, 0));
	TEST_OK(fair_queue_remove(&q, 0));
	at.row = at.index = 0;
	TEST_CHECK(!fair_queue_next_short(&q, &at, &hole));
	TEST_EQ(q.row[0].min_walltime, 11);
}

TEST(few_jobs_against_the_model)
{
	against_the_model(100, 300, 400);
}

TEST(many_jobs_against_the_model)
{
	against_the_model(3000, 15, 4000);
}
