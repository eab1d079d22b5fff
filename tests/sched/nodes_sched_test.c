/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_sched_test.c - the scheduler on nodes
 *
 * Small scenes; random machines and events under each policy against the naive
 * model, by fuzz/classes_pair.h.
 */
#include "fuzz/classes_pair.h"
#include "tests/test.h"

struct scene {
	struct fair_sched s;
	uint64_t memory[65536 / 8];
};

/* Nodes of two classes, of one resource; @amount: of all of a class. */
static void open_scene(struct scene *x, uint32_t policy, uint32_t order,
		       const int32_t *amount, const int32_t *count)
{
	struct fair_machine_config machine = { 1, 2, 0, NULL };
	struct fair_node_config nodes = { NULL, 0, 64, false };
	struct fair_config c = { .policy = policy,
				 .order = order,
				 .depth = 1,
				 .procs = amount[0] + amount[1],
				 .jobs = 8 };

	machine.amount = amount;
	nodes.count = count;
	c.machine = &machine;
	c.nodes = &nodes;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x->memory));
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &c));
}

static void submit(struct scene *x, uint64_t number, int32_t chunks,
		   int32_t procs, int64_t walltime)
{
	struct fair_job j = { .number = number,
			      .walltime = walltime,
			      .procs = chunks * procs,
			      .chunks = chunks };

	TEST_OK(fair_sched_submit(&x->s, x->s.now, &j));
}

/* How many jobs start now. */
static size_t starts(struct scene *x, int64_t now)
{
	struct fair_decision start[8];
	size_t n = 0;

	TEST_OK(fair_sched_step(&x->s, now, start, 8, &n));
	return n;
}

/*
 * Job 2 is reserved at 1, on two idle nodes; then job 3 starts on another one,
 * which is the fuller one at 1. So job 2 takes that next, and job 4 finds none.
 */
TEST(a_plan_is_made_afresh_after_a_start)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	static struct scene x;

	open_scene(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 0, 3, 2, 1);
	submit(&x, 1, 1, 2, 1);
	submit(&x, 2, 3, 2, 1);
	submit(&x, 3, 1, 2, 2);
	TEST_EQ(starts(&x, 0), 3);
	submit(&x, 4, 1, 2, 2);
	TEST_EQ(starts(&x, 0), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/*
 * Job 3, the first by priority, is reserved at 20 on nodes 1 and 2. As job 4
 * leaves node 0 after 20, job 3 can begin earlier, on node 0 and one that it
 * has.
 */
TEST(a_hole_behind_its_start_helps_a_job_on_some_of_its_nodes)
{
	static const int32_t amount[] = { 2, 8 }, count[] = { 1, 2 };
	struct fair_job j = { .number = 3, .walltime = 18, .procs = 6 };
	static const uint8_t first = 0;
	struct fair_job_status status;
	static struct scene x;

	open_scene(&x, FAIR_PC, FAIR_ORDER_WIDEST, amount, count);
	submit(&x, 0, 1, 2, 21);
	submit(&x, 1, 1, 4, 20);
	submit(&x, 2, 1, 4, 5);
	TEST_EQ(starts(&x, 0), 3);
	j.chunks = 3;
	j.per_node = 2;
	j.exclusive = j.span = true;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	j = (struct fair_job){ .number = 4, .walltime = 1, .procs = 2 };
	j.classes = &first;
	j.class_count = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_OK(fair_sched_lookup(&x.s, 3, &status));
	TEST_EQ(status.start, 20);
	TEST_OK(fair_sched_lookup(&x.s, 4, &status));
	TEST_EQ(status.start, 21);
	TEST_OK(fair_sched_finish(&x.s, 1, 0));
	TEST_OK(fair_sched_lookup(&x.s, 4, &status));
	TEST_EQ(status.start, 1);
	TEST_OK(fair_sched_lookup(&x.s, 3, &status));
	TEST_EQ(status.start, 5);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

static void against_the_model(uint32_t kind)
{
	static uint8_t data[600];
	uint64_t seed = 16 + kind, digest;
	int runs = TEST_ROUNDS(1000);
	size_t i, size;

	for (; runs > 0; runs--) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		size = (size_t)test_range(&seed, 20, sizeof(data));
		digest = classes_pair_run(data, size, kind, runs % 4, true);
		TEST_CHECK(runs % 8 ||
			   digest == classes_pair_run(data, size, kind,
						      runs % 4, true));
	}
}

TEST_EACH(against_the_model_under_each_policy)
{
	static const struct {
		const char *name;
		uint32_t kind;
	} policy[] = { { "fcfs", FAIR_FCFS },
		       { "easy and depth", FAIR_BACKFILL },
		       { "conservative", FAIR_CONSERVATIVE },
		       { "pc", FAIR_PC },
		       { "dc", FAIR_DC },
		       { "sfs", FAIR_SFS },
		       { "relshare", FAIR_RELSHARE },
		       { "by usage", CLASSES_PAIR_USAGE },
		       { "by dominant share", CLASSES_PAIR_DOMINANT } };
	size_t i;

	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		test_case(policy[i].name);
		against_the_model(policy[i].kind);
	}
}
