/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of a change of the tree of FAIR_ORDER_TREE changes not a byte.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/world.h"
#include "tests/faults.h"

#define ROOT FAIR_FAIRTREE_ROOT

static struct world w;

#define FAULT(call, error, why)                                                \
	do {                                                                   \
		keep(&w);                                                      \
		FAILS(call, error, why);                                       \
		TEST_CHECK(unchanged(&w));                                     \
	} while (0)

TEST(in_a_tree)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_TREE,
				 .users = 16,
				 .half_life = 100,
				 .limits = 9 };
	struct fair_limit limit = { FAIR_LIMIT_TREE, FAIR_LIMIT_JOBS, 0, 5 };
	struct fair_sched *s = &w.s;
	struct fair_job j = a_job(1, 5, 10, 1);

	open_world_of(&w, &c);
	TEST_OK(fair_sched_tree_add_account(s, 5, 0, ROOT, 1));
	TEST_OK(fair_sched_tree_add_account(s, 5, 1, 0, 3));
	TEST_OK(fair_sched_tree_add_user(s, 5, 3, 0, 1));
	TEST_OK(fair_sched_tree_add_user(s, 5, 4, 1, 1));
	submit_of(&w, 0, 3, 100, 1, 0);
	FAULT(fair_sched_tree_add_account(s, 4, 5, ROOT, 1),
	      ETIME, "before the present");
	FAULT(fair_sched_tree_add_account(s, 5, 5, 2, 1),
	      ENOENT, "no such parent");
	FAULT(fair_sched_tree_add_account(s, 5, 1, ROOT, 1),
	      EINVAL, "a number in use");
	FAULT(fair_sched_tree_add_user(s, 4, 5, ROOT, 1),
	      ETIME, "before the present");
	FAULT(fair_sched_tree_add_user(s, 5, 5, 5, 1),
	      ENOENT, "no such parent");
	FAULT(fair_sched_tree_add_user(s, 5, 16, ROOT, 1),
	      EINVAL, "no such number");
	FAULT(fair_sched_tree_remove(s, 4, 4), ETIME, "before the present");
	FAULT(fair_sched_tree_remove(s, 4, 3),
	      ETIME, "before the present, a user with a job");
	FAULT(fair_sched_tree_remove(s, 5, 5), ENOENT, "no such node");
	FAULT(fair_sched_tree_remove(s, 5, 1),
	      EINVAL, "an account with children");
	FAULT(fair_sched_tree_remove(s, 5, 3), EINVAL, "a user with a job");
	FAULT(fair_sched_tree_move(s, 4, 4, 0), ETIME, "before the present");
	FAULT(fair_sched_tree_move(s, 5, 5, 0), ENOENT, "no such node");
	FAULT(fair_sched_tree_move(s, 5, 4, 3), ENOENT, "below a user");
	FAULT(fair_sched_tree_move(s, 5, 0, 0), EINVAL, "below itself");
	for (limit.id = 6; limit.id < 14; limit.id++) {
		TEST_OK(fair_sched_tree_add_account(
			s, 5, (uint32_t)limit.id,
			limit.id == 6 ? ROOT : (uint32_t)limit.id - 1, 1));
		TEST_OK(fair_sched_limit(s, 5, &limit));
	}
	limit.id = 0;
	TEST_OK(fair_sched_limit(s, 5, &limit));
	FAULT(fair_sched_tree_remove(s, 5, 0),
	      EINVAL, "an account with children and a limit");
	FAULT(fair_sched_tree_move(s, 5, 0, 13),
	      ENOSPC, "nine limits one below another");
	FAULT(fair_sched_tree_move(s, 4, 0, 13),
	      ETIME, "before the present, nine limits");
	FAULT(fair_sched_tree_set_shares(s, 4, 4, 1),
	      ETIME, "before the present");
	FAULT(fair_sched_tree_set_shares(s, 5, 5, 1), ENOENT, "no such node");
	FAULT(fair_sched_submit(s, 5, &j), ENOENT, "of an account");
	j.user = 3;
	j.penalty = -1;
	FAULT(fair_sched_submit(s, 5, &j), EINVAL, "a penalty below 0");
	j.penalty = FAIR_RATE_MAX + 1;
	FAULT(fair_sched_submit(s, 5, &j), EINVAL, "a penalty above the most");
	close_world(&w);
}

TEST(without_a_tree)
{
	struct fair_sched *s = &w.s;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_CHECK(!fair_sched_tree(s));
	FAULT(fair_sched_tree_add_account(s, 0, 0, ROOT, 1),
	      EINVAL, "another order");
	FAULT(fair_sched_tree_add_user(s, 0, 0, ROOT, 1),
	      EINVAL, "another order");
	FAULT(fair_sched_tree_remove(s, 0, 0), EINVAL, "another order");
	FAULT(fair_sched_tree_move(s, 0, 0, ROOT), EINVAL, "another order");
	FAULT(fair_sched_tree_set_shares(s, 0, 0, 1), EINVAL, "another order");
	close_world(&w);
}
