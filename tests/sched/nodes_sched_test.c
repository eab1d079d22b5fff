/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_sched_test.c - the scheduler on nodes
 */
#include "fairsched.h"
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
