/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Processors that are lost are first the free ones, then those of the running
 * jobs that the caller names; a job that is too wide for what is left waits
 * until they are back.
 */
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

#define ALL INT32_MAX

/* Wider than the machine is, but not than it was. */
TEST(waits_for_capacity)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 2);
		TEST_EQ(fair_sched_capacity(&w.s, 0, -10, NULL, 0), 0);
		submit(&w, 1, 1, 10, 10);
		TEST_EQ(look(&w, 1).first_promise, FAIR_FOREVER);
		TEST_EQ(step(&w, 2), 0);
		TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
		TEST_EQ(fair_sched_capacity(&w.s, 3, 9, NULL, 0), 0);
		TEST_EQ(step(&w, 3), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 4, 2, NULL, 0), 0);
		TEST_EQ(step(&w, 4), 1);
		TEST_EQ(look(&w, 1).start, 4);
		close_world(&w);
	}
}

/* Running jobs that end with the processors that they were on. */
TEST(victims)
{
	static const uint64_t victim[] = { 2, 1 };
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_world(&w, policy);
		TEST_EQ(fair_sched_capacity(&w.s, 20, -4, victim, 1), 0);
		TEST_EQ(w.s.procs, 6);
		TEST_EQ(w.s.busy, 6);
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 21, -1, victim + 1, 1), 0);
		TEST_EQ(w.s.procs, 5);
		TEST_EQ(step(&w, 21), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 22, 5, NULL, 0), 0);
		TEST_EQ(step(&w, 22), 3);
		close_world(&w);
	}
}

/* All that it has must not cost more than a number holds. */
TEST(a_machine_that_costs_twice)
{
	static const int32_t procs = PROCS;
	const struct fair_machine_config machine = { 1, 1, 0, &procs };
	const struct fair_billing twice = { .weight = { 2 * FAIR_PENALTY_ONE } };
	const struct fair_config config = { .policy = FAIR_SFS,
					    .accounts = 1,
					    .machine = &machine,
					    .billing = &twice };
	struct world w;

	open_world_of(&w, &config);
	TEST_EQ(fair_sched_class_capacity(&w.s, 0, 0, 0, ALL / 2 - PROCS + 1,
					  NULL, 0), -FAIR_EOVERFLOW);
	TEST_OK(fair_sched_class_capacity(&w.s, 0, 0, 0, ALL / 2 - PROCS, NULL,
					  0));
	close_world(&w);
}

/*
 * The machine grows while an advance reservation is there, and shrinks when
 * none is.
 */
TEST(as_large_again_and_again)
{
	struct site x;
	int i;

	open_site(&x, FAIR_CONSERVATIVE, 1);
	for (i = 0; i < 3; i++) {
		TEST_EQ(reserve(&x.s, 0, 7, 50, 100, 1), 0);
		TEST_EQ(fair_sched_capacity(&x.s, 0, ALL - 1, NULL, 0), 0);
		TEST_EQ(fair_sched_advance_cancel(&x.s, 0, 7), 0);
		TEST_EQ(fair_sched_capacity(&x.s, 0, 1 - ALL, NULL, 0), 0);
	}
	close_site(&x);
}

/* Job 2 ends with the loss: the reaction is bounded as the loss is, also where
 * there are limits and no job waits for a budget. */
TEST(a_victim_of_a_bounded_loss)
{
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .limits = 1 };
	const uint64_t victim = 2;
	struct world w;
	uint64_t n;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 100, 5);
	submit(&w, 0, 2, 50, 5);
	for (n = 3; n < 11; n++)
		submit(&w, 0, n, 100, 5);
	TEST_EQ(step(&w, 0), 12);
	fair_sched_scan_limit(&w.s, 1);
	TEST_OK(fair_sched_capacity(&w.s, 10, -1, &victim, 1));
	TEST_CHECK(fair_sched_count(&w.s, FAIR_DISPLACED));
	close_world(&w);
}
