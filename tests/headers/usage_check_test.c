/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fair_usage_check() names the first invariant that is broken, each broken
 * here by hand.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/ledger.h"

#define BREAK(field, value, invariant)                                         \
	TEST_WITH(field, value, fair_usage_check(&u), invariant)

/* Each invariant, broken by hand. */
TEST(check_half_life)
{
	struct fair_usage u, peer;
	uint64_t *row;
	uint32_t e;

	half_life(&u, 0, 3, 100);
	half_life(&peer, 1, 3, 100);
	TEST_OK(fair_usage_charge(&u, 1, 0, 250, 3));
	TEST_OK(fair_usage_charge(&peer, 1, 0, 170, 3));
	TEST_OK(fair_usage_charge_provisional(&u, 2, 3, 30));
	TEST_OK(fair_usage_merge(&u, &peer));
	TEST_EQ(fair_usage_check(&u), 0);
	BREAK(u.length, 101, 1);
	BREAK(u.inverse, u.inverse + 1, 1);
	BREAK(u.scale, u.scale + 1, 1);
	BREAK(u.shift, u.shift + 1, 1);
	BREAK(u.decay, 1, 1);
	BREAK(u.length, 0, 1);
	BREAK(u.length, FAIR_USAGE_HALF_LIFE * 2, 1);
	BREAK(u.source, u.source - 1, 1);
	BREAK(u.entities, 0, 1);
	BREAK(u.row, u.row + 1, 1);
	BREAK(u.last.end.period, u.last.end.period + 1, 1);
	BREAK(u.last.end.fraction, u.last.end.fraction + 1, 1);
	BREAK(u.last.whole, u.last.whole + 1, 1);
	BREAK(u.last.end.whole, u.last.end.whole + 1, 1);
	BREAK(u.last.factor, u.last.factor + 1, 1);
	BREAK(u.last.fraction, u.last.fraction + 1, 1);
	BREAK(u.last.from, -1, 1);
	BREAK(u.last.end.t, -1, 1);
	BREAK(u.sources, 0, 2);
	for (e = 2; e < 5; e++)
		u.source[e].id = e;
	BREAK(u.sources, 5, 2);
	BREAK(u.source[1].id, 0, 2);
	BREAK(u.latest, u.latest + 1, 3);
	BREAK(u.source[1].clock, -1, 3);
	BREAK(u.source[1].clock, 99, 4);
	row = fair_usage_row(&u, 0, 0);
	BREAK(row[0], 3, 4);
	BREAK(row[1], FAIR_USAGE_LIMIT + 1, 5);
	BREAK(row[1], 1, 6);
	BREAK(row[2], FAIR_USAGE_LIMIT + 1, 5);
	BREAK(row[2], 1, 7);
	row = fair_usage_row(&u, 0, 3);
	BREAK(row[1], row[1] + 1, 6);
	row = fair_usage_row(&u, 1, 1);
	BREAK(row[2], row[2] + 2, 7);
	TEST_EQ(fair_usage_check(&u), 0);
	/* After so many changes no difference of fractions is too much. */
	u.source[1].changes = UINT64_MAX / 4;
	fair_usage_row(&u, 1, 3)[3] ^= 1;
	TEST_EQ(fair_usage_check(&u), 0);
	/* Rows of which each could be, but not all of them. */
	for (e = 0; e < 4; e++) {
		fair_usage_row(&u, 1, e)[0] = 1;
		fair_usage_row(&u, 1, e)[2] = FAIR_USAGE_LIMIT;
	}
	TEST_EQ(fair_usage_check(&u), 7);
}

/* What agrees with itself, but no init or charge makes. */
TEST(check_rule)
{
	static const int64_t length[] = { INT64_MIN, -1, FAIR_USAGE_HALF_LIFE + 1 };
	struct fair_usage u, good, v;
	size_t i;

	half_life(&u, 0, 3, 100);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 250, 3), 0);
	good = u;
	for (i = 0; i < sizeof(length) / sizeof(length[0]); i++) {
		u.length = length[i];
		fair_usage_lay_out(&u, u.row);
		TEST_EQ(fair_usage_check(&u), 1);
	}
	u = good;
	u.entities = 0;
	fair_usage_lay_out(&u, u.row);
	TEST_EQ(fair_usage_check(&u), 1);
	u = v = good;
	u.row++;
	fair_usage_lay_out(&v, u.row);
	u.source = v.source;
	TEST_EQ(fair_usage_check(&u), 1);
	/* A last charge from before time 0, or to before its begin */
	u = good;
	u.last.from = -1;
	u.last.whole = u.last.fraction = 0;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.from = 350;
	u.last.whole = u.last.end.whole;
	u.last.fraction = u.last.end.fraction;
	TEST_EQ(fair_usage_check(&u), 1);
}

TEST(check_windows)
{
	struct fair_usage u;
	uint64_t *row, was;
	int n;

	windows(&u, 0, 3, 4, 100, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 250, 3), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 150, 3), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, INT64_C(1) << 59, 1), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	row = fair_usage_row(&u, 0, 1);
	/* Of the windows from 2 down to 0, and of one before time 0 */
	for (n = 2; n < 6; n++) {
		was = row[n];
		row[n] = FAIR_USAGE_LIMIT / 4 + 1;
		TEST_EQ(fair_usage_check(&u), 5);
		row[n] = was + 1;
		TEST_EQ(fair_usage_check(&u), n < 5 ? 7 : 0);
		row[n] = was - 1;
		TEST_EQ(fair_usage_check(&u), n < 5 ? 7 : 5);
		row[n] = was;
	}
	/* No query is before time 0. */
	fair_usage_row(&u, 0, 3)[5] = 9;
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 250),
		FAIR_USAGE_LIMIT + 150 + 450 / 2 + 600 / 4);
	BREAK(u.inverse, u.inverse + 1, 1);
	BREAK(u.scale, u.scale + 1, 1);
	BREAK(u.shift, u.shift + 1, 1);
	BREAK(u.decay, FAIR_USAGE_ONE + 1, 1);
}

/* I7 to the last unit, both ways: 2 changes + entities = 13. */
TEST(check_slack)
{
	static const struct {
		uint64_t total[2], row[2];
		int broken;
	} t[] = {
		{ { 0, 100 }, { 0, 113 }, 0 },
		{ { 0, 100 }, { 0, 114 }, 7 },
		{ { 0, 100 }, { 0, 87 }, 0 },
		{ { 0, 100 }, { 0, 86 }, 7 },
		{ { 5, 0 }, { 4, UINT64_MAX }, 0 },
		{ { 4, UINT64_MAX }, { 5, 0 }, 0 },
		{ { 5, 0 }, { 4, 0 }, 7 },
		{ { FAIR_USAGE_LIMIT, 0 }, { FAIR_USAGE_LIMIT, 0 }, 0 },
	};
	struct fair_usage u;
	uint64_t *total;
	size_t i;

	half_life(&u, 0, 3, 100);
	total = fair_usage_row(&u, 0, 3);
	u.source[0].changes = 5;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		memcpy(total + 2, t[i].total, sizeof(t[i].total));
		memcpy(fair_usage_row(&u, 0, 1) + 2, t[i].row,
		       sizeof(t[i].row));
		TEST_EQ(fair_usage_check(&u), t[i].broken);
	}
	/* Twice as many changes do not fit, and any fraction is allowed. */
	half_life(&u, 0, 3, 100);
	total[3] = UINT64_MAX;
	u.source[0].changes = UINT64_MAX / 4;
	TEST_EQ(fair_usage_check(&u), 0);
	u.source[0].changes--;
	TEST_EQ(fair_usage_check(&u), 7);
}

/* 32 rows at the limit: their sum is 0, modulo 2^64, as the total. */
TEST(check_wraps)
{
	struct fair_usage u;
	uint32_t e;
	int i;

	for (i = 0; i < 3; i++) {
		if (i == 2)
			windows(&u, 0, 32, 1, DAY, 0);
		else
			half_life(&u, 0, 32, DAY);
		for (e = 0; e < 32; e++)
			fair_usage_row(&u, 0, e)[i ? 2 : 1] = FAIR_USAGE_LIMIT;
		TEST_EQ(fair_usage_check(&u), i ? 7 : 6);
	}
}
