/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of a change of the tree of FAIR_ORDER_TREE changes not a byte.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/world.h"
#include "tests/faults.h"

#define ROOT FAIR_FAIRTREE_ROOT

static struct world w;

#define FAULT(what, call)                                                      \
	do {                                                                   \
		keep(&w);                                                      \
		TEST_CHECK(is_fault(what, #call, call));                       \
		TEST_CHECK(unchanged(&w));                                     \
	} while (0)

TEST(in_a_tree)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_TREE,
				 .users = 6,
				 .half_life = 100 };
	struct fair_sched *s = &w.s;
	struct fair_job j = a_job(1, 5, 10, 1);

	open_world_of(&w, &c);
	TEST_OK(fair_sched_tree_add_account(s, 5, 0, ROOT, 1));
	TEST_OK(fair_sched_tree_add_account(s, 5, 1, 0, 3));
	TEST_OK(fair_sched_tree_add_user(s, 5, 3, 0, 1));
	TEST_OK(fair_sched_tree_add_user(s, 5, 4, 1, 1));
	submit_of(&w, 0, 3, 100, 1, 0);
	FAULT("fair_sched_tree_add_account: -FAIR_ETIME before the present",
	      fair_sched_tree_add_account(s, 4, 5, ROOT, 1));
	FAULT("fair_sched_tree_add_account: -FAIR_ENOENT no such parent",
	      fair_sched_tree_add_account(s, 5, 5, 2, 1));
	FAULT("fair_sched_tree_add_account: -FAIR_EINVAL a number in use",
	      fair_sched_tree_add_account(s, 5, 1, ROOT, 1));
	FAULT("fair_sched_tree_add_user: -FAIR_ETIME before the present",
	      fair_sched_tree_add_user(s, 4, 5, ROOT, 1));
	FAULT("fair_sched_tree_add_user: -FAIR_ENOENT no such parent",
	      fair_sched_tree_add_user(s, 5, 5, 5, 1));
	FAULT("fair_sched_tree_add_user: -FAIR_EINVAL no such number",
	      fair_sched_tree_add_user(s, 5, 6, ROOT, 1));
	FAULT("fair_sched_tree_remove: -FAIR_ETIME before the present",
	      fair_sched_tree_remove(s, 4, 4));
	FAULT("fair_sched_tree_remove: -FAIR_ENOENT no such node",
	      fair_sched_tree_remove(s, 5, 5));
	FAULT("fair_sched_tree_remove: -FAIR_EINVAL an account with children",
	      fair_sched_tree_remove(s, 5, 1));
	FAULT("fair_sched_tree_remove: -FAIR_EINVAL a user with a job",
	      fair_sched_tree_remove(s, 5, 3));
	FAULT("fair_sched_tree_move: -FAIR_ETIME before the present",
	      fair_sched_tree_move(s, 4, 4, 0));
	FAULT("fair_sched_tree_move: -FAIR_ENOENT no such node",
	      fair_sched_tree_move(s, 5, 5, 0));
	FAULT("fair_sched_tree_move: -FAIR_ENOENT below a user",
	      fair_sched_tree_move(s, 5, 4, 3));
	FAULT("fair_sched_tree_move: -FAIR_EINVAL below itself",
	      fair_sched_tree_move(s, 5, 0, 0));
	FAULT("fair_sched_tree_set_shares: -FAIR_ETIME before the present",
	      fair_sched_tree_set_shares(s, 4, 4, 1));
	FAULT("fair_sched_tree_set_shares: -FAIR_ENOENT no such node",
	      fair_sched_tree_set_shares(s, 5, 5, 1));
	FAULT("fair_sched_submit: -FAIR_ENOENT of an account",
	      fair_sched_submit(s, 5, &j));
	j.user = 3;
	j.penalty = -1;
	FAULT("fair_sched_submit: -FAIR_EINVAL a penalty below 0",
	      fair_sched_submit(s, 5, &j));
	j.penalty = FAIR_RATE_MAX + 1;
	FAULT("fair_sched_submit: -FAIR_EINVAL a penalty above the most",
	      fair_sched_submit(s, 5, &j));
	close_world(&w);
}

TEST(without_a_tree)
{
	struct fair_sched *s = &w.s;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_CHECK(!fair_sched_tree(s));
	FAULT("fair_sched_tree_add_account: -FAIR_EINVAL another order",
	      fair_sched_tree_add_account(s, 0, 0, ROOT, 1));
	FAULT("fair_sched_tree_add_user: -FAIR_EINVAL another order",
	      fair_sched_tree_add_user(s, 0, 0, ROOT, 1));
	FAULT("fair_sched_tree_remove: -FAIR_EINVAL another order",
	      fair_sched_tree_remove(s, 0, 0));
	FAULT("fair_sched_tree_move: -FAIR_EINVAL another order",
	      fair_sched_tree_move(s, 0, 0, ROOT));
	FAULT("fair_sched_tree_set_shares: -FAIR_EINVAL another order",
	      fair_sched_tree_set_shares(s, 0, 0, 1));
	close_world(&w);
}
