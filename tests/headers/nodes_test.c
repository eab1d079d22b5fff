/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_test.c - nodes.h: hand-computed starts and nodes; one node, which is
 * its pool; invariants, broken by hand
 */
#define FAIRSCHED_STATIC
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "nodes.h"
#include "tests/test.h"

enum { BYTES = 1 << 20, JOBS = 64, PARTS = 512 };

static uint64_t memory[BYTES / 8], other[BYTES / 8];
static struct fair_nodes n;

static void open_nodes(uint32_t resources, uint32_t classes, uint32_t wide,
		       const int32_t *count, const int32_t *amount,
		       bool first_fit)
{
	struct fair_nodes_config config = { resources, classes, wide,
					    2,	       count,	amount,
					    first_fit };

	TEST_OK(fair_nodes_init(&n, sizeof(n), memory, sizeof(memory), &config,
				JOBS, PARTS, 0));
}

static struct fair_nodes_request ask(const int32_t *amount, int32_t chunks)
{
	struct fair_nodes_request q = { NULL, 1, 0, false, false, 0,
					0,    NULL, 0 };

	q.amount = amount;
	q.chunks = chunks;
	return q;
}

/* Reserves the job at @start, on the nodes "0x2 1x1": node 0 has two chunks. */
static void expect(uint32_t slot, const struct fair_nodes_request *q,
		   int64_t walltime, int64_t start, const char *nodes)
{
	struct fair_nodes_part part;
	char text[256] = "";
	uint32_t at = 0;
	int64_t t = -1;

	TEST_OK(fair_nodes_set_job(&n, slot, q));
	TEST_OK(fair_nodes_earliest_start(&n, slot, n.origin, walltime, &t));
	TEST_EQ(t, start);
	TEST_OK(fair_nodes_choose(&n, slot, t, walltime));
	TEST_OK(fair_nodes_reserve(&n, slot, t, walltime));
	while (fair_nodes_next_part(&n, slot, &at, &part))
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%ux%d", *text ? " " : "", part.node, part.chunks);
	TEST_CHECK(!strcmp(text, nodes));
	if (strcmp(text, nodes))
		printf("slot %u: \"%s\"\n", slot, text);
	TEST_OK(fair_nodes_check(&n));
}

/* The manual's. */
TEST(example)
{
	const int32_t count[] = { 3 }, procs[] = { 4 };
	struct fair_nodes_config config = { 1, 1, 0, 0, count, procs, false };
	const int32_t one[] = { 1 }, two[] = { 2 }, three[] = { 3 };
	struct fair_nodes_request job[] = {
		{ three, 3, 0, false, false, 0, 0, NULL, 0 },
		{ two, 1, 0, false, false, 0, 0, NULL, 0 },
		{ one, 3, 0, false, false, 0, 0, NULL, 0 },
	};
	const int64_t walltime[] = { 100, 50, 10 };
	struct fair_nodes_part part;
	int64_t start[3];
	uint32_t i;

	fair_nodes_init(&n, sizeof(n), memory, sizeof(memory), &config, 3, 9,
			0);
	for (i = 0; i < 3; i++) {
		fair_nodes_set_job(&n, i, &job[i]);
		fair_nodes_earliest_start(&n, i, 0, walltime[i], &start[i]);
		fair_nodes_choose(&n, i, start[i], walltime[i]);
		fair_nodes_reserve(&n, i, start[i], walltime[i]);
	}
	TEST_EQ(start[0], 0);
	TEST_EQ(start[1], 100);
	TEST_EQ(start[2], 0);
	fair_nodes_release(&n, 0, 20, 80);
	fair_nodes_earlier_start(&n, 1, 20, 100, 50, 100, &start[1]);
	TEST_EQ(start[1], 20);
	TEST_OK(fair_nodes_move(&n, 1, 100, start[1], 50));
	i = 0;
	TEST_CHECK(fair_nodes_next_part(&n, 1, &i, &part));
	TEST_EQ(part.node, 0);
	TEST_CHECK(!fair_nodes_next_part(&n, 1, &i, &part));
}

/* The fullest node that holds a chunk first, or the first by number. */
TEST(best_and_first_fit)
{
	const int32_t count[] = { 3 }, amount[] = { 8 };
	const int32_t two[] = { 2 }, five[] = { 5 }, six[] = { 6 };
	struct fair_nodes_request q;
	int first;

	for (first = 0; first < 2; first++) {
		open_nodes(1, 1, 0, count, amount, first);
		q = ask(five, 1);
		expect(0, &q, 10, 0, "0x1"); /* free 3 8 8 */
		q = ask(six, 1);
		expect(1, &q, 10, 0, "1x1"); /* free 3 2 8 */
		q = ask(two, 1);
		expect(2, &q, 10, 0, first ? "0x1" : "1x1");
		q = ask(two, 4);
		expect(3, &q, 10, 0, first ? "1x1 2x3" : "0x1 2x3");
		q = ask(five, 3);
		expect(4, &q, 5, 10, "0x1 1x1 2x1");
	}
}

TEST(chunks_share_nodes)
{
	const int32_t count[] = { 3 }, amount[] = { 8, 100 };
	const int32_t chunk[] = { 2, 30 };
	struct fair_nodes_request q = ask(chunk, 7);

	open_nodes(2, 1, 0, count, amount, false);
	expect(0, &q, 10, 0, "0x3 1x3 2x1");
	q.per_node = 1;
	q.chunks = 2;
	expect(1, &q, 10, 10, "0x1 1x1");
	q.chunks = 1;
	expect(2, &q, 10, 0, "2x1");
	q.chunks = 4;
	TEST_CHECK(!fair_nodes_can_serve(&n, &q));
	q.per_node = 2;
	TEST_CHECK(fair_nodes_can_serve(&n, &q));
}

TEST(exclusive_jobs_take_whole_nodes)
{
	const int32_t count[] = { 3 }, amount[] = { 8, 2 };
	const int32_t one[] = { 1, 0 }, gpu[] = { 0, 1 };
	struct fair_nodes_request q = ask(gpu, 1);

	open_nodes(2, 1, 0, count, amount, false);
	expect(0, &q, 10, 0, "0x1");
	q = ask(one, 12);
	q.exclusive = true;
	expect(1, &q, 10, 0, "1x8 2x4");
	q = ask(gpu, 1);
	expect(2, &q, 10, 0, "0x1");
	expect(3, &q, 10, 10, "0x1");
}

TEST(classes_in_order_of_preference)
{
	const int32_t count[] = { 2, 2, 1 }, amount[] = { 4, 8, 4 };
	const int32_t chunk[] = { 3 };
	const uint8_t order[] = { 2, 1 };
	struct fair_nodes_request q = ask(chunk, 1);

	open_nodes(1, 3, 0, count, amount, false);
	q.classes = order;
	q.count = 2;
	expect(0, &q, 10, 0, "4x1");
	expect(1, &q, 10, 0, "2x1");
	q.chunks = 5;
	TEST_CHECK(!fair_nodes_can_serve(&n, &q));
	q.span = true;
	TEST_CHECK(fair_nodes_can_serve(&n, &q));
	expect(2, &q, 10, 10, "2x2 3x2 4x1");
	q.chunks = 2;
	expect(3, &q, 10, 0, "2x1 3x1");
	TEST_EQ(fair_nodes_class(&n, 1), 0);
	TEST_EQ(fair_nodes_class(&n, 2), 1);
	TEST_EQ(fair_nodes_class(&n, 4), 2);
	TEST_EQ(fair_nodes_first(&n, 2), 4);
	TEST_EQ(fair_nodes_first(&n, 3), 5);
}

TEST(sets_and_nodes_that_are_down)
{
	const int32_t count[] = { 4 }, amount[] = { 4 }, all[] = { 4 };
	struct fair_nodes_request q = ask(all, 1);
	int64_t t = -1;

	open_nodes(1, 1, 0, count, amount, false);
	TEST_OK(fair_nodes_set(&n, 1, 1, true));
	TEST_OK(fair_nodes_set(&n, 1, 3, true));
	TEST_OK(fair_nodes_set(&n, 2, 1, true));
	q.named = 1;
	q.excluded = 2;
	expect(0, &q, 10, 0, "3x1");
	TEST_OK(fair_nodes_down(&n, 3));
	TEST_EQ(fair_nodes_earliest_start(&n, 0, 0, 1, &t), -FAIR_ERANGE);
	TEST_CHECK(fair_nodes_can_serve(&n, &q));
	TEST_CHECK(fair_nodes_fits_parts(&n, 0, 10, 20)); /* down as it is */
	TEST_OK(fair_nodes_set(&n, 2, 1, false));
	expect(1, &q, 10, 0, "1x1");
	TEST_OK(fair_nodes_up(&n, 3));
	TEST_CHECK(fair_nodes_fits_parts(&n, 0, 10, 20));
	expect(2, &q, 10, 10, "1x1");
	q.named = 0;
	q.excluded = 1;
	expect(3, &q, 10, 0, "0x1");
}

/* Licences are the job's, not the chunk's. */
TEST(wide_amounts_belong_to_the_job)
{
	const int32_t count[] = { 2, 1 }, amount[] = { 4, 3, 4, 0 };
	const int32_t chunk[] = { 1, 2 }, none[] = { 1, 0 };
	struct fair_nodes_request q = ask(chunk, 3);
	int32_t free[2];

	open_nodes(2, 2, 2, count, amount, false);
	expect(0, &q, 10, 0, "0x3");
	expect(1, &q, 10, 10, "0x3");
	TEST_OK(fair_nodes_min_free(&n, 2, 5, 15, free));
	TEST_CHECK(free[0] == 4 && free[1] == 1);
	q.amount = none;
	expect(2, &q, 10, 0, "0x1 1x2");
	TEST_CHECK(fair_nodes_wide(&n, 1) && !fair_nodes_wide(&n, 0));
	TEST_EQ(fair_nodes_move(&n, 1, 10, 0, 10), -FAIR_ERANGE);
	TEST_OK(fair_nodes_release(&n, 0, 3, 7));
	TEST_OK(fair_nodes_move(&n, 1, 10, 3, 10));
	TEST_OK(fair_nodes_check(&n));
}

/* Four processors of its own node are free to it from 10 on. */
TEST(own_parts_are_free)
{
	const int32_t count[] = { 2 }, amount[] = { 4 }, all[] = { 4 };
	struct fair_nodes_request q = ask(all, 1);
	int64_t t;

	open_nodes(1, 1, 0, count, amount, false);
	expect(0, &q, 10, 0, "0x1");
	expect(1, &q, 30, 0, "1x1");
	expect(2, &q, 20, 10, "0x1");
	TEST_OK(fair_nodes_release(&n, 0, 4, 6));
	TEST_OK(fair_nodes_earlier_start(&n, 2, 0, 99, 20, 10, &t));
	TEST_EQ(t, 4);
	TEST_OK(fair_nodes_earlier_start(&n, 2, 0, 4, 20, 10, &t));
	TEST_EQ(t, 10);
	TEST_OK(fair_nodes_move(&n, 2, 10, 4, 20));
	TEST_OK(fair_nodes_earlier_start(&n, 2, 0, 99, 20, 4, &t));
	TEST_EQ(t, 4);
}

/* A job has as much memory as the manual says. */
TEST(bytes_of_a_part_and_of_a_node)
{
	const int32_t count[] = { 1000 }, amount[] = { 64, 256 };
	struct fair_nodes_config config = { 2, 1, 0, 0, count, amount, false };
	size_t base = fair_nodes_size(&config, 1, 1000);

	TEST_CHECK(fair_nodes_size(&config, 1, 101000) - base <= 64 * 100000);
	TEST_CHECK(fair_nodes_size(&config, 1, 0) <= 256 * 1000 + 8192);
}

TEST(one_node_is_the_pool)
{
	const int32_t count[] = { 1 }, amount[] = { 100 };
	static uint64_t bytes[BYTES / 8];
	struct fair_profile p;
	uint64_t random = 1;
	uint32_t slot;
	int i;

	open_nodes(1, 1, 0, count, amount, false);
	TEST_OK(fair_profile_init(&p, sizeof(p), bytes, sizeof(bytes), 100, 0));
	for (i = 0; i < 2000; i++) {
		int64_t d = test_range(&random, 1, 50), t = -1, u = -1;
		int32_t job[1];
		struct fair_nodes_request q = ask(job, 1);

		slot = (uint32_t)(i % JOBS);
		job[0] = (int32_t)test_range(&random, 1, 100);
		TEST_OK(fair_nodes_set_job(&n, slot, &q));
		TEST_OK(fair_nodes_earliest_start(&n, slot, n.origin, d, &t));
		TEST_OK(fair_profile_earliest_start(&p, n.origin, d, job[0],
						    &u));
		TEST_EQ(t, u);
		TEST_OK(fair_nodes_choose(&n, slot, t, d));
		TEST_EQ(fair_nodes_reserve(&n, slot, t + 9, d),
			fair_profile_reserve(&p, t + 9, d, job[0]));
		if (i % 3)
			continue;
		TEST_EQ(fair_nodes_earlier_start(&n, slot, n.origin, t + 9, d,
						 t + 9, &t),
			fair_profile_earlier_start(&p, n.origin, u + 9, d,
						   job[0], u + 9, &u));
		TEST_EQ(t, u);
		TEST_OK(fair_nodes_advance(&n, n.origin + 36));
		TEST_OK(fair_profile_advance(&p, p.origin + 36));
		TEST_OK(fair_nodes_settle(&n));
	}
	TEST_OK(fair_nodes_check(&n));
}

TEST(clones_are_independent)
{
	const int32_t count[] = { 2 }, amount[] = { 4 }, one[] = { 1 };
	struct fair_nodes_request q = ask(one, 1);
	struct fair_nodes copy;
	int32_t free[1];
	uint32_t i;

	open_nodes(1, 1, 0, count, amount, false);
	for (i = 0; i < 20; i++)
		TEST_OK(fair_nodes_set_job(&n, i, &q));
	for (i = 0; i < 20; i++) {
		TEST_OK(fair_nodes_assign(&n, i, i % 2, 1));
		TEST_OK(fair_nodes_reserve(&n, i, 10 + 3 * i, 5));
	}
	TEST_OK(fair_nodes_clone(&copy, other, sizeof(other), JOBS, PARTS,
				 &n));
	TEST_OK(fair_nodes_copy_job(&copy, 3, &n, 7));
	TEST_OK(fair_nodes_release(&copy, 3, 31, 5));
	TEST_OK(fair_nodes_check(&copy));
	TEST_OK(fair_nodes_min_free(&n, 1, 31, 36, free));
	TEST_EQ(free[0], 3);
	TEST_OK(fair_nodes_min_free(&copy, 1, 31, 36, free));
	TEST_EQ(free[0], 4);
}

/* Each invariant is seen when it is broken. */
TEST(check)
{
	const int32_t count[] = { 1 }, amount[] = { 4, 2 }, one[] = { 1, 1 };
	struct fair_nodes_request q = ask(one, 1);
	struct fair_nodes_block *b;
	uint32_t i;

	open_nodes(2, 1, 2, count, amount, false);
	for (i = 0; i < 8; i++) {
		TEST_OK(fair_nodes_set_job(&n, i, &q));
		TEST_OK(fair_nodes_assign(&n, i, 0, 1));
		TEST_OK(fair_nodes_reserve(&n, i, 10 + 10 * i, 5));
	}
	TEST_OK(fair_nodes_check(&n));
	b = fair_nodes_block_at(&n, n.head[0]);
	TEST_WITH(n.steps, n.steps + 1, fair_nodes_check(&n), 1);
	TEST_WITH(n.fresh, n.blocks + 1, fair_nodes_check(&n), 1);
	TEST_WITH(n.parts_used, 3u, fair_nodes_check(&n), 1);
	TEST_WITH(n.job[0].parts, 3u, fair_nodes_check(&n), 1);
	TEST_WITH(b->count, 0u, fair_nodes_check(&n), 1);
	TEST_WITH(b->off[0], 1u, fair_nodes_check(&n), 2);
	TEST_WITH(b->off[2], 1u, fair_nodes_check(&n), 2);
	TEST_WITH(*fair_nodes_row(b, 0), -1, fair_nodes_check(&n), 3);
	TEST_WITH(*fair_nodes_row(b, 0), 5, fair_nodes_check(&n), 3);
	TEST_WITH(fair_nodes_row(b, 0)[1], 4, fair_nodes_check(&n), 3);
	TEST_WITH(b->count, 1u, fair_nodes_check(&n), 4);
	TEST_WITH(n.amount[0], 5, fair_nodes_check(&n), 5);
	TEST_WITH(n.link[0].chunks, 0, fair_nodes_check(&n), 6);
	TEST_WITH(n.profile[0].origin, 1, fair_nodes_check(&n), 7);
	TEST_OK(fair_nodes_settle(&n));
	TEST_WITH(n.code[0], 255, fair_nodes_check(&n), 8);
	TEST_WITH(n.idle[0], 1u, fair_nodes_check(&n), 8);
	TEST_OK(fair_nodes_check(&n));
}
