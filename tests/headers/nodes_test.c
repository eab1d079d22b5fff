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
	TEST_WITH(n.jobs, 7u, fair_nodes_copy_job(&copy, 3, &n, 7),
		  -FAIR_EINVAL);
	TEST_OK(fair_nodes_release(&copy, 3, 31, 5));
	TEST_OK(fair_nodes_check(&copy));
	TEST_OK(fair_nodes_min_free(&n, 1, 31, 36, free));
	TEST_EQ(free[0], 3);
	TEST_OK(fair_nodes_min_free(&copy, 1, 31, 36, free));
	TEST_EQ(free[0], 4);
}

static struct fair_nodes_config small_config(uint32_t sets,
					     const int32_t *count,
					     const int32_t *amount)
{
	struct fair_nodes_config c = { 1, 1, 0, 0, NULL, NULL, false };

	c.sets = sets;
	c.count = count;
	c.amount = amount;
	return c;
}

TEST(configurations)
{
	const int32_t count[] = { 2, 1 }, amount[] = { 4, 8, 4, 0 };
	const int32_t none[] = { 2, 0 }, no_procs[] = { 4, 8, 0, 0 };
	const int32_t minus[] = { 4, -1, 4, 0 };
	const struct fair_nodes_config good = { 2, 2, 2, 1, count, amount,
						false };
	struct fair_nodes_config c = good;

	/* The memory of that many has no address of 32 bits. */
	if (SIZE_MAX > UINT32_MAX) {
		TEST_CHECK(fair_nodes_size(&c, 1 << 24, 1));
		TEST_CHECK(fair_nodes_size(&c, 1, 1 << 28));
	}
	TEST_CHECK(fair_nodes_size(&c, 1 << 22, 1));
	TEST_EQ(fair_nodes_size(&c, (1 << 24) + 1, 1), 0);
	TEST_EQ(fair_nodes_size(&c, 1, (1 << 28) + 1), 0);
	c.count = NULL;
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0);
	c.count = none;
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0);
	c = good;
	c.amount = NULL;
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0);
	c.amount = no_procs;
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0);
	c.amount = minus;
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0);
	c = good;
	c.wide = 1;
	c.classes = 1;
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0);
	c = good;
	TEST_EQ(fair_nodes_size(NULL, 1, 1), 0);
	TEST_WITH(c.resources, 0, fair_nodes_size(&c, 1, 1), 0);
	TEST_WITH(c.resources, FAIR_NODES_RESOURCES + 1,
		  fair_nodes_size(&c, 1, 1), 0);
	TEST_WITH(c.classes, 0, fair_nodes_size(&c, 1, 1), 0);
	TEST_WITH(c.wide, 1u << 2, fair_nodes_size(&c, 1, 1), 0);
	TEST_WITH(c.sets, FAIR_NODES_SETS + 1, fair_nodes_size(&c, 1, 1), 0);
	c.amount = (const int32_t[]){ 4, 8, 4, 1 };
	TEST_EQ(fair_nodes_size(&c, 1, 1), 0); /* wide: in class 0 alone */
	c.wide = 0;
	TEST_CHECK(fair_nodes_size(&c, 1, 1));
}

/* Memory of any alignment: nothing lies before it, nor behind its end. */
TEST(any_alignment)
{
	const int32_t count[] = { 2 }, amount[] = { 4 };
	struct fair_nodes_config config = small_config(0, count, amount);
	char *at = (char *)memory;

	for (; at <= (char *)memory + 64; at++) {
		TEST_OK(fair_nodes_init(&n, sizeof(n), at,
					fair_nodes_size(&config, 1, 1), &config,
					1, 1, 0));
		TEST_EQ((uintptr_t)n.code % 64, 0);
		TEST_CHECK((char *)n.code >= at && (char *)n.code < at + 64);
	}
}

/* Bits of sets, of nodes that are down, and of the index stand in words: a
 * class of three nodes begins with the last bit of one. */
TEST(nodes_around_a_word)
{
	const int32_t count[] = { 63, 3 }, amount[] = { 4, 4 }, two[] = { 2 };
	const uint8_t second[] = { 1 };
	struct fair_nodes_request q = ask(two, 1);
	uint32_t node, i, at;
	struct fair_nodes_part part;

	for (node = 63; node < 66; node++) {
		open_nodes(1, 2, 0, count, amount, false);
		TEST_OK(fair_nodes_set(&n, 1, node, true));
		for (i = 0; i < 66; i++)
			TEST_EQ(fair_nodes_has(&n, 1, i), i == node);
		q.classes = second;
		q.count = 1;
		q.per_node = 1;
		q.named = 1;
		q.chunks = 1;
		expect(0, &q, 10, 0,
		       node == 63   ? "63x1"
		       : node == 64 ? "64x1"
				    : "65x1");
		/* The other chunk has no room beside the first. */
		q.named = 0;
		TEST_OK(fair_nodes_set_job(&n, 1, &q));
		TEST_OK(fair_nodes_assign(&n, 1, node, 1));
		TEST_OK(fair_nodes_reserve(&n, 1, 10, 10));
		q.chunks = 3;
		TEST_OK(fair_nodes_resize(&n, 1, &q, 10, 10));
		for (at = 0, i = 63;
		     fair_nodes_next_part(&n, 1, &at, &part); i++)
			TEST_EQ(part.node, i);
		TEST_EQ(i, 66);
		for (i = 0; i < 66; i++)
			TEST_CHECK(!fair_nodes_is_down(&n, i));
		TEST_OK(fair_nodes_check(&n));
	}
}

/* What a job gets beside does not go to its own node while that is down. */
TEST(grows_beside_a_node_that_is_down)
{
	const int32_t count[] = { 2 }, amount[] = { 4 }, one[] = { 1 };
	struct fair_nodes_request q = ask(one, 1);
	struct fair_nodes_part part;
	uint32_t at = 0;

	open_nodes(1, 1, 0, count, amount, false);
	expect(0, &q, 10, 0, "0x1");
	TEST_OK(fair_nodes_down(&n, 0));
	q.chunks = 3;
	TEST_OK(fair_nodes_resize(&n, 0, &q, 0, 10));
	TEST_CHECK(fair_nodes_next_part(&n, 0, &at, &part));
	TEST_CHECK(part.node == 0 && part.chunks == 1);
	TEST_CHECK(fair_nodes_next_part(&n, 0, &at, &part));
	TEST_CHECK(part.node == 1 && part.chunks == 2);
	TEST_CHECK(fair_nodes_is_down(&n, 0) && !fair_nodes_is_down(&n, 1));
}

/* @slot asks for @procs, and has @start to @start + @walltime of node 0. */
static void take(uint32_t slot, int32_t procs, int64_t start, int64_t walltime)
{
	struct fair_nodes_request q = ask(&procs, 1);

	TEST_OK(fair_nodes_set_job(&n, slot, &q));
	TEST_OK(fair_nodes_assign(&n, slot, 0, 1));
	TEST_OK(fair_nodes_reserve(&n, slot, start, walltime));
}

/* A node has as many steps as its part and two for each other one. */
TEST(room_for_steps)
{
	const int32_t count[] = { 1 }, amount[] = { 4 };
	struct fair_nodes_config config = small_config(0, count, amount);
	int64_t from, to;
	int32_t free[1];
	uint32_t parts;

	for (parts = 1; parts <= 3; parts++) {
		TEST_OK(fair_nodes_init(&n, sizeof(n), memory, sizeof(memory),
					&config, 3, parts, 0));
		if (parts == 1) { /* 4 3 | 5 4 10 4, which are all */
			take(0, 1, 0, 10);
			TEST_OK(fair_nodes_release(&n, 0, 0, 5));
			TEST_EQ(fair_nodes_release(&n, 0, 7, 1), -FAIR_ENOSPC);
		} else if (parts == 2) { /* two go, and two come */
			take(0, 1, 10, 10);
			take(1, 1, 20, 2);
			TEST_OK(fair_nodes_release(&n, 0, 12, 1));
			TEST_EQ(n.steps, 5);
			TEST_OK(fair_nodes_move(&n, 1, 20, 8, 2));
			TEST_EQ(n.steps, 5);
		} else { /* none goes, since it has neighbours; two come */
			take(0, 1, 10, 10);
			take(1, 2, 20, 10);
			take(2, 1, 30, 10);
			TEST_OK(fair_nodes_release(&n, 0, 12, 1));
			TEST_EQ(n.steps, 7);
			TEST_EQ(fair_nodes_move(&n, 1, 20, 14, 10),
				-FAIR_ENOSPC);
			TEST_OK(fair_nodes_step_at(&n, 0, 25, &from, &to,
						   free));
			TEST_CHECK(from == 20 && to == 30 && free[0] == 2);
		}
		TEST_OK(fair_nodes_check(&n));
	}
}

/* More steps than the index is made of. */
TEST(many_steps)
{
	const int32_t count[] = { 1 }, amount[] = { 4 };
	int64_t i, t = -1;

	open_nodes(1, 1, 0, count, amount, false);
	take(0, 4, 10, 5);
	for (i = 2; i <= 255; i++)
		TEST_OK(fair_nodes_reserve(&n, 0, 10 * i, 5));
	TEST_OK(fair_nodes_settle(&n));
	TEST_OK(fair_nodes_check(&n));
	TEST_OK(fair_nodes_earliest_start(&n, 0, 2, 6, &t));
	TEST_EQ(t, 2);
	TEST_OK(fair_nodes_earliest_start(&n, 0, 6, 6, &t));
	TEST_EQ(t, 2555);
}

/* A failed search is known to jobs that ask for the same, and no less. */
TEST(twins)
{
	const int32_t count[] = { 2 }, amount[] = { 4 }, all[] = { 4 };
	struct fair_nodes_config config = small_config(256, count, amount);
	struct fair_nodes_request q = ask(all, 1), like = q;
	uint32_t by;

	for (by = 0; by < 2; by++) { /* node 1 is not for job 0 */
		TEST_OK(fair_nodes_init(&n, sizeof(n), memory, sizeof(memory),
					&config, JOBS, PARTS, 0));
		take(9, 4, 0, 10);
		TEST_OK(fair_nodes_set(&n, 1, by, true));
		*(by ? &q.excluded : &q.named) = 1;
		TEST_OK(fair_nodes_set_job(&n, 0, &q));
		like = q;
		do {
			++*(by ? &like.excluded : &like.named);
			TEST_OK(fair_nodes_set_job(&n, 1, &like));
		} while (n.job[1].twin != n.job[0].twin);
		if (!by)
			TEST_OK(fair_nodes_set(&n, like.named, 1, true));
		TEST_CHECK(!fair_nodes_fits_again(&n, 0, 5, 15));
		TEST_CHECK(fair_nodes_fits_again(&n, 1, 5, 15));
		TEST_CHECK(!fair_nodes_fits_again(&n, 0, 5, 15));
		TEST_CHECK(fair_nodes_fits_again(&n, 0, 10, 20));
		q.named = 0;
	}
	TEST_OK(fair_nodes_set_job(&n, 1, &q));
	TEST_OK(fair_nodes_reserve(&n, 9, 20, 10));
	TEST_CHECK(!fair_nodes_fits_again(&n, 0, 10, 25));
	TEST_CHECK(fair_nodes_fits_again(&n, 1, 10, 20));
}

/* A job of 50 s knows that no node has room for it before 100; one of 20 s has
 * some from 60 on. */
TEST(shorter_twin)
{
	const int32_t count[] = { 2 }, amount[] = { 4 }, all[] = { 4 };
	struct fair_nodes_request q = ask(all, 1);
	int64_t t;

	open_nodes(1, 1, 0, count, amount, false);
	expect(0, &q, 100, 0, "0x1");
	expect(1, &q, 60, 0, "1x1");
	TEST_OK(fair_nodes_reserve(&n, 1, 90, 110));
	expect(2, &q, 50, 100, "0x1");
	TEST_OK(fair_nodes_earlier_again(&n, 2, 0, 0, 100, 50, 100, &t));
	TEST_EQ(t, 100);
	TEST_OK(fair_nodes_set_job(&n, 3, &q));
	TEST_CHECK(!fair_nodes_fits_again(&n, 3, 60, 110));
	TEST_CHECK(fair_nodes_fits_again(&n, 3, 60, 80));
}

/* What becomes free is seen by a job that has looked before: of its node, or of
 * what is the job's. */
TEST(what_became_free)
{
	const int32_t count[] = { 2 }, amount[] = { 4, 1 };
	const int32_t all[] = { 4, 0 }, wide[] = { 4, 1 };
	struct fair_nodes_request q;
	uint32_t i;
	int64_t t;

	for (i = 0; i < 2; i++) {
		q = ask(i ? wide : all, 1);
		open_nodes(2, 1, 2, count, amount, false);
		TEST_OK(fair_nodes_set(&n, 1, 0, true));
		TEST_OK(fair_nodes_set(&n, 2, i, true));
		q.named = 1;
		expect(0, &q, 100, 0, "0x1");
		q.named = 2;
		expect(1, &q, 50, 100, i ? "1x1" : "0x1");
		TEST_OK(fair_nodes_earlier_again(&n, 1, 0, 0, 100, 50, 100,
						 &t));
		TEST_EQ(t, 100);
		TEST_OK(fair_nodes_release(&n, 0, 10, 90));
		TEST_OK(fair_nodes_earlier_again(&n, 1, 0, 10, 100, 50, 100,
						 &t));
		TEST_EQ(t, 10);
	}
}

/* One of several wide amounts is not there: none is taken. */
TEST(all_wide_amounts_or_none)
{
	const int32_t count[] = { 1 }, amount[] = { 4, 2, 2, 2 };
	const int32_t each[] = { 1, 1, 1, 1 }, last[] = { 1, 0, 0, 2 };
	struct fair_nodes_request q = ask(last, 1);
	int32_t free[4];

	open_nodes(4, 1, 14, count, amount, false);
	expect(0, &q, 5, 0, "0x1");
	q = ask(each, 1);
	TEST_OK(fair_nodes_set_job(&n, 1, &q));
	TEST_OK(fair_nodes_assign(&n, 1, 0, 1));
	TEST_EQ(fair_nodes_reserve(&n, 1, 0, 10), -FAIR_ERANGE);
	TEST_OK(fair_nodes_min_free(&n, 0, 0, 10, free));
	TEST_CHECK(free[0] == 3 && free[1] == 2 && free[2] == 2 && !free[3]);
	TEST_OK(fair_nodes_reserve(&n, 1, 5, 5));
	TEST_OK(fair_nodes_clear(&n, 5, 10));
	TEST_OK(fair_nodes_min_free(&n, 0, 5, 10, free));
	TEST_CHECK(free[0] == 4 && free[1] == 2 && free[2] == 2 &&
		   free[3] == 2);
	TEST_OK(fair_nodes_check(&n));
}

/* After 34 years times are counted anew. */
TEST(another_base)
{
	const int32_t count[] = { 1 }, amount[] = { 4 };
	const int64_t then = (INT64_C(1) << 30) + 100;
	int32_t free[1];

	open_nodes(1, 1, 0, count, amount, false);
	take(0, 3, then, 50);
	TEST_OK(fair_nodes_advance(&n, then - 50));
	TEST_OK(fair_nodes_min_free(&n, 0, then - 50, then, free));
	TEST_EQ(free[0], 4);
	TEST_OK(fair_nodes_min_free(&n, 0, then, then + 50, free));
	TEST_EQ(free[0], 1);
	TEST_OK(fair_nodes_min_free(&n, 0, then + 50, FAIR_FOREVER, free));
	TEST_EQ(free[0], 4);
	TEST_OK(fair_nodes_check(&n));
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
	TEST_WITH(n.parts, n.parts_fresh - 1, fair_nodes_check(&n), 1);
	TEST_WITH(n.cap, n.steps - 1, fair_nodes_check(&n), 1);
	TEST_WITH(n.base, n.origin + 1, fair_nodes_check(&n), 1);
	TEST_WITH(n.head[0], n.fresh, fair_nodes_check(&n), 1);
	TEST_WITH(b->count, FAIR_NODES_STEPS + 1, fair_nodes_check(&n), 1);
	TEST_WITH(n.spare, 0u, fair_nodes_check(&n), 1);
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
	TEST_WITH(n.link[0].node, (uint16_t)n.nodes, fair_nodes_check(&n), 6);
	TEST_WITH(n.link[0].next, 0u, fair_nodes_check(&n), 6);
	TEST_WITH(n.profile[0].origin, 1, fair_nodes_check(&n), 7);
	TEST_WITH(n.profile[0].horizon, n.horizon - 1, fair_nodes_check(&n), 7);
	TEST_WITH(n.profile[0].chunks, 0u, fair_nodes_check(&n), 7);
	TEST_WITH(fair_nodes_block_at(&n, 1)->next, 0u, fair_nodes_check(&n),
		  1); /* a circle */
	TEST_WITH(n.job[0].first, n.parts_fresh, fair_nodes_check(&n), 1);
	n.steps -= b->count;
	TEST_WITH(b->count, 0u, fair_nodes_check(&n), 1);
	n.steps += b->count;
	TEST_OK(fair_nodes_settle(&n));
	TEST_WITH(n.code[0], 255, fair_nodes_check(&n), 8);
	n.profile[0].origin++;
	TEST_WITH(n.code[0], 255, fair_nodes_check(&n), 7);
	n.profile[0].origin--;
	TEST_WITH(n.idle[0], 1u, fair_nodes_check(&n), 8);
	TEST_OK(fair_nodes_check(&n));
	for (i = 1; i < 8; i++)
		TEST_OK(fair_nodes_release(&n, i, 10 + 10 * i, 5));
	TEST_OK(fair_nodes_check(&n));
	TEST_WITH(n.blocks, n.fresh - 1, fair_nodes_check(&n), 1);
}
