/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Ledgers of several servers merge into one reading, the same in whatever way
 * they are merged.
 */
#include "tests/ledger.h"

/* A copy has all of what the other server had charged. */
TEST(cloned_sources)
{
	struct fair_usage a, b, copy;
	int i;

	for (i = 0; i < 2; i++) {
		if (i) {
			half_life(&a, 0, 1, DAY);
			half_life(&b, 1, 1, DAY);
		} else {
			windows(&a, 0, 1, 2, DAY, 1);
			windows(&b, 1, 1, 2, DAY, 1);
		}
		TEST_EQ(fair_usage_charge(&b, 0, 0, 7, 1), 0);
		TEST_EQ(fair_usage_merge(&a, &b), 0);
		memset(memory[2], 0x5a, sizeof(memory[2]));
		TEST_OK(fair_usage_clone(&copy, memory[2],
					 fair_usage_size(1, a.depth, 4), &a));
		TEST_EQ(copy.source[1].id, 1);
		TEST_EQ(copy.source[1].changes, 1);
		TEST_EQ(copy.source[1].clock, 7);
		TEST_EQ(fair_usage_check(&copy), 0);
		TEST_CHECK(same_reading(&a, &copy, 0, 7));
	}
}

/* Three servers; every way of merging them reads the same. */
TEST(merges)
{
	static const int order[6][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};
	struct fair_usage u[3], m[2];
	uint64_t random = 5;
	int i, k;

	for (i = 0; i < 3; i++) {
		half_life(&u[i], i, 4, 1000);
		for (k = 0; k < 50; k++)
			TEST_OK(fair_usage_charge(
				&u[i], (uint32_t)test_range(&random, 0, 3),
				k * 50, k * 50 + 77 + i, k + 1));
		TEST_EQ(fair_usage_charge_provisional(&u[i], 2, i, 1000), 0);
	}
	for (i = 0; i < 6; i++) {
		int64_t t = 5000 + i;

		TEST_OK(fair_usage_clone(&m[0], memory[3], sizeof(memory[3]),
					 &u[order[i][0]]));
		TEST_OK(fair_usage_clone(&m[1], memory[4], sizeof(memory[4]),
					 &u[order[i][1]]));
		/* (a + b) + c + c and c + (b + (a + b)) */
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][1]]), 0);
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][2]]), 0);
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][2]]), 0);
		TEST_EQ(fair_usage_merge(&m[1], &m[0]), 0);
		TEST_EQ(fair_usage_merge(&m[1], &m[1]), 0);
		for (k = 0; k < 4; k++) {
			TEST_CHECK(same_reading(&m[0], &m[1], (uint32_t)k, t));
			TEST_CHECK(whole_at(&m[0], (uint32_t)k, t) >=
				   whole_at(&u[0], (uint32_t)k, t) +
					   whole_at(&u[1], (uint32_t)k, t) +
					   whole_at(&u[2], (uint32_t)k, t));
		}
		TEST_EQ(fair_usage_check(&m[0]) + fair_usage_check(&m[1]), 0);
		/* What a peer charged later arrives, and replaces. */
		TEST_OK(fair_usage_charge(&u[order[i][2]], 3, 4000, 4001 + i,
					  1000));
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][2]]), 0);
		TEST_EQ(fair_usage_merge(&m[1], &m[0]), 0);
		TEST_CHECK(same_reading(&m[0], &m[1], 3, t));
	}
	/* So does a hold, and that it is taken back. */
	for (i = 1; i >= 0; i--) {
		TEST_EQ(i ? fair_usage_charge_provisional(&u[0], 1, 3, 5)
			  : fair_usage_cancel_provisional(&u[0], 1, 3, 5),
			0);
		TEST_EQ(fair_usage_merge(&m[0], &u[0]), 0);
		TEST_EQ(whole_at(&m[0], 1, INT64_MAX), i * 15);
	}
}

/* A reading before a peer's last charge is made at it. */
TEST(clocks_differ)
{
	struct fair_usage a, b;

	windows(&a, 0, 1, 2, 100, FAIR_USAGE_ONE / 2);
	windows(&b, 1, 1, 2, 100, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 90, 1), 0);
	TEST_EQ(fair_usage_charge(&b, 0, 90, 110, 1), 0);
	TEST_EQ(fair_usage_merge(&a, &b), 0);
	TEST_EQ(whole_at(&a, 0, 90), 45 + 5 + 10);
	TEST_EQ(whole_at(&a, 0, 199), 60);
	TEST_EQ(fair_usage_charge(&a, 0, 90, 100, 1), 0);
	TEST_EQ(whole_at(&a, 0, 200), 5);
	TEST_EQ(fair_usage_check(&a), 0);
}

TEST(merge_errors)
{
	static unsigned char before[1 << 16];
	struct fair_usage a, b, old;

	half_life(&a, 0, 4, 1000);
	memcpy(before, memory[0], sizeof(before));
	half_life(&b, 1, 5, 1000);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	half_life(&b, 1, 4, 1001);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	windows(&b, 1, 4, 2, 1000, 1);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	windows(&a, 0, 4, 2, 1000, 0);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	windows(&a, 0, 4, 3, 1000, 1);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	/* No room. */
	TEST_OK(fair_usage_init_half_life(&a, sizeof(a), memory[0],
					  sizeof(memory[0]), 4, 1, 0, 1000));
	half_life(&b, 1, 4, 1000);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_ENOSPC);
	TEST_EQ(fair_usage_merge(&b, &a), 0);
	/* Room for one more, as there is one. */
	TEST_OK(fair_usage_init_half_life(&a, sizeof(a), memory[0],
					  sizeof(memory[0]), 4, 2, 7, 1000));
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_ENOSPC);
	half_life(&b, 1, 4, 1000);
	TEST_EQ(fair_usage_merge(&a, &b), 0);
	TEST_EQ(a.sources, 2);
	TEST_EQ(fair_usage_check(&a), 0);
	/* What is older than what is known changes nothing. */
	half_life(&a, 0, 4, 1000);
	TEST_EQ(fair_usage_clone(&old, memory[2], sizeof(memory[2]), &a), 0);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 10, 1), 0);
	TEST_EQ(fair_usage_merge(&b, &a), 0);
	TEST_EQ(fair_usage_merge(&b, &old), 0);
	TEST_CHECK(same_reading(&a, &b, 0, 10));
	TEST_EQ(fair_usage_merge(&a, &old), 0);
	TEST_CHECK(same_reading(&a, &b, 0, 10));
	half_life(&b, 1, 4, 1000);
	/* Two servers that call themselves 1. */
	half_life(&a, 0, 4, 1000);
	a.source[0].id = 1;
	TEST_EQ(fair_usage_merge(&a, &b), 0);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 10, 1), 0);
	TEST_EQ(fair_usage_charge(&b, 0, 0, 10, 2), 0);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	TEST_EQ(fair_usage_merge(&b, &a), -FAIR_EINVAL);
	TEST_EQ(fair_usage_clone(&old, memory[2], sizeof(memory[2]), &b), 0);
	TEST_EQ(fair_usage_merge(&old, &b), 0);
	old.source[0].clock++;
	TEST_EQ(fair_usage_merge(&old, &b), -FAIR_EINVAL);
	/* A server that loads an old checkpoint learns its own past. */
	half_life(&a, 0, 4, 1000);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 10, 1), 0);
	TEST_EQ(fair_usage_clone(&old, memory[2], sizeof(memory[2]), &a), 0);
	TEST_EQ(fair_usage_charge(&a, 0, 10, 20, 1), 0);
	half_life(&b, 1, 4, 1000);
	TEST_EQ(fair_usage_merge(&b, &a), 0);
	TEST_EQ(fair_usage_merge(&old, &b), 0);
	TEST_CHECK(same_reading(&old, &a, 0, 500));
	TEST_EQ(fair_usage_clone(&old, memory[2], fair_usage_size(4, 0, 4) - 1,
				 &a),
		-FAIR_ENOMEM);
}
