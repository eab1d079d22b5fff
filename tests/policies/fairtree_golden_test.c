/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What others document of hierarchical fair sharing, in their numbers: a unit of
 * the resource after another is given to the next user with demand, and charged.
 */
#include "tests/fairtree.h"

/* Gives @units, each user no more than demand[user]; counts them in got[]. */
static void share_out(struct fair_fairtree *f, uint32_t users, int units,
		      int demand, int *got)
{
	uint32_t user;

	memset(got, 0, users * sizeof(*got));
	while (units--) {
		user = fair_fairtree_next(f);
		TEST_REQUIRE(user < users);
		TEST_EQ(fair_fairtree_charge(f, user, 0, 1, 1), 0);
		if (++got[user] == demand)
			TEST_EQ(fair_fairtree_set_waiting(f, user, false), 0);
	}
	TEST_EQ(fair_fairtree_check(f), 0);
}

/*
 * Kueue, KEP 1714, story 3: cohorts C1 and C2 get 150 of 300 GPUs each. In C1
 * queue 1C is three times as important as 1A and 1B: 30, 30 and 90.
 */
TEST(kueue_three_cohorts)
{
	enum { Q1A, Q1B, Q1C, Q2A, C1, C2 };
	struct fair_fairtree f;
	int got[4];

	tree_init(&f, 6);
	add_account(&f, C1, ROOT, 1);
	add_account(&f, C2, ROOT, 1);
	add_user(&f, Q1A, C1, 1, 0);
	add_user(&f, Q1B, C1, 1, 0);
	add_user(&f, Q1C, C1, 3, 0);
	add_user(&f, Q2A, C2, 1, 0);
	share_out(&f, 4, 300, 300, got);
	TEST_EQ(got[Q1A], 30);
	TEST_EQ(got[Q1B], 30);
	TEST_EQ(got[Q1C], 90);
	TEST_EQ(got[Q2A], 150);
}

/* Story 1: what one team has taken while the other was away, the other gets
 * before both have equal parts again. */
TEST(kueue_two_coasts)
{
	enum { EAST, WEST };
	struct fair_fairtree f;
	int got[2];

	tree_init(&f, 2);
	add_user(&f, EAST, ROOT, 1, 0);
	add_user(&f, WEST, ROOT, 1, 0);
	fair_fairtree_set_waiting(&f, WEST, false);
	share_out(&f, 2, 60, 1000, got);
	TEST_CHECK(got[EAST] == 60 && got[WEST] == 0);
	fair_fairtree_set_waiting(&f, WEST, true);
	share_out(&f, 2, 60, 1000, got);
	TEST_CHECK(got[EAST] == 0 && got[WEST] == 60);
	share_out(&f, 2, 60, 1000, got);
	TEST_CHECK(got[EAST] == 30 && got[WEST] == 30);
}

/* Story 2: what 1A does not use goes to 1B and 1C before any of department 2;
 * if those need nothing, 2A, 2B and 2C have equal parts of it. */
TEST(kueue_two_departments)
{
	enum { Q1A, Q1B, Q1C, Q2A, Q2B, Q2C, D1, D2 };
	struct fair_fairtree f;
	uint32_t i;
	int got[6];

	tree_init(&f, 8);
	add_account(&f, D1, ROOT, 1);
	add_account(&f, D2, ROOT, 1);
	for (i = Q1A; i <= Q2C; i++)
		add_user(&f, i, i < Q2A ? D1 : D2, 1, 0);
	fair_fairtree_set_waiting(&f, Q1A, false);
	share_out(&f, 6, 120, 120, got);
	TEST_EQ(got[Q1B], 30);
	TEST_EQ(got[Q1C], 30);
	TEST_EQ(got[Q2A] + got[Q2B] + got[Q2C], 60);
	fair_fairtree_set_waiting(&f, Q1B, false);
	fair_fairtree_set_waiting(&f, Q1C, false);
	share_out(&f, 6, 60, 120, got);
	TEST_CHECK(got[Q2A] == 20 && got[Q2B] == 20 && got[Q2C] == 20);
}

/* Kueue, ClusterQueue: a weight of 0 is an infinite share value, always at a
 * disadvantage to the others. */
TEST(kueue_zero_weight)
{
	struct fair_fairtree f;
	int got[3];

	tree_init(&f, 3);
	add_user(&f, 0, ROOT, 0, 0);
	add_user(&f, 1, ROOT, 2, 0);
	add_user(&f, 2, ROOT, 1, 0);
	share_out(&f, 3, 90, 1000, got);
	TEST_EQ(got[0], 0);
	TEST_EQ(got[1], 60);
	TEST_EQ(got[2], 30);
}

/*
 * Volcano's issue 1661: root/alt/side has weight 1, root/dev/big 100 and
 * root/dev/little 1; each has 12 jobs of one CPU. Half of what runs should be of
 * side, the rest most of big. There little's one job made dev count as starved,
 * so that jobs of side were killed again and again.
 */
TEST(volcano_1661)
{
	enum { SIDE, BIG, LITTLE, ALT, DEV };
	struct fair_fairtree f;
	uint32_t x, y;
	int got[3], cpus;

	for (cpus = 4; cpus <= 24; cpus += 2) {
		tree_init(&f, 5);
		add_account(&f, ALT, ROOT, 1);
		add_account(&f, DEV, ROOT, 1);
		add_user(&f, SIDE, ALT, 1, 0);
		add_user(&f, BIG, DEV, 100, 0);
		add_user(&f, LITTLE, DEV, 1, 0);
		share_out(&f, 3, cpus, 12, got);
		TEST_EQ(got[SIDE], cpus / 2);
		TEST_EQ(got[LITTLE], 1);
		TEST_EQ(got[BIG], cpus / 2 - 1);
		/* Both halves are equal: neither would take from the other. */
		fair_fairtree_branch(&f, SIDE, LITTLE, &x, &y);
		TEST_CHECK(x == ALT && y == DEV);
		TEST_EQ(f.node[ALT].usage, f.node[DEV].usage);
	}
}
