/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Usage by windows: running jobs are charged as time passes, split exactly at
 * the boundaries, and each older window counts for the decay factor less.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/ledger.h"

/* [MAUI] figure 6: what constant usage counts over 8 windows at 0.75. */
TEST(maui_figure_6)
{
	const int64_t interval = 10000000;
	struct fair_usage u;
	uint64_t whole;

	windows(&u, 0, 2, 8, interval, 3 * FAIR_USAGE_ONE / 4);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 8 * interval - 1, 1), 0);
	whole = whole_at(&u, 0, 8 * interval - 1);
	TEST_EQ((whole + 500) / 1000, 35995);
	/* In a window that has just begun nothing is used yet. */
	TEST_EQ(fair_usage_charge(&u, 0, 8 * interval - 1, 8 * interval, 1), 0);
	whole = whole_at(&u, 0, 8 * interval);
	TEST_EQ(whole, 25995483); /* 0.75 + ... + 0.75^7 */
}

TEST(windows_split)
{
	struct fair_usage u;

	windows(&u, 0, 2, 3, 100, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 1, 150, 420, 2), 0);
	/* window 1: 100, 2: 200, 3: 200, 4: 40 */
	TEST_EQ(whole_at(&u, 1, 420), 40 + 100 + 50);
	TEST_EQ(whole_at(&u, 1, 500), 0 + 20 + 50);
	TEST_EQ(whole_at(&u, 1, 699), 10);
	TEST_EQ(whole_at(&u, 1, 700), 0);
	TEST_EQ(whole_at(&u, 1, INT64_MAX), 0);
	TEST_EQ(whole_at(&u, 0, 420), 0);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 500), 70);
	/* A late one goes where it belongs; too late, it is lost. */
	TEST_EQ(fair_usage_charge(&u, 0, 200, 201, 4), 0);
	TEST_EQ(whole_at(&u, 0, 420), 1);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 200, 1000), 0);
	TEST_EQ(whole_at(&u, 0, 420), 1);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 420), 191);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Decay 1 is the plain sum. */
TEST(windows_undecayed)
{
	struct fair_usage u;
	uint64_t fraction = 1, whole = 0;

	windows(&u, 0, 1, 5, 7, FAIR_USAGE_ONE);
	TEST_EQ(fair_usage_charge(&u, 0, 3, 33, INT64_C(1000000000000)), 0);
	TEST_EQ(fair_usage_at(&u, 0, 33, &whole, &fraction), 0);
	TEST_EQ(whole, 30000000000000);
	TEST_EQ(fraction, 0);
	TEST_EQ(whole_at(&u, 0, 35), 26000000000000);
}

TEST(plain_window)
{
	struct fair_usage u;

	windows(&u, 0, 1, 1, DAY, 0);
	TEST_EQ(fair_usage_charge(&u, 0, DAY - 10, DAY + 5, 3), 0);
	TEST_EQ(whole_at(&u, 0, DAY + 5), 15);
	TEST_EQ(whole_at(&u, 0, 2 * DAY - 1), 15);
	TEST_EQ(whole_at(&u, 0, 2 * DAY), 0);
	/* One that never ends forgets nothing. */
	windows(&u, 0, 1, 1, INT64_MAX, 0);
	TEST_EQ(fair_usage_charge(&u, 0, 5, INT64_MAX / 2, 0), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 5, 1000000005, 1), 0);
	TEST_EQ(whole_at(&u, 0, INT64_MAX - 1), 1000000000);
}

/* As much as a window may hold, and no more. */
TEST(full_window)
{
	struct fair_usage u;

	windows(&u, 0, 1, 1, INT64_C(1) << 30, 0);
	TEST_OK(fair_usage_charge(&u, 0, 0, INT64_C(1) << 29,
				  INT64_C(1) << 30));
	TEST_EQ(whole_at(&u, 0, INT64_C(1) << 29), FAIR_USAGE_LIMIT);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_usage_check(&u), 0);
}
