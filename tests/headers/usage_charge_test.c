/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A provisional charge is replaced by the final one; what would overflow the
 * ledger is refused and changes nothing; charges are conserved to the last
 * unit.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/ledger.h"
#include "tests/model/usage_model.h"

TEST(holds)
{
	static unsigned char before[1 << 16];
	struct fair_usage u;

	half_life(&u, 0, 3, DAY);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 5000, 7), 0);
	memcpy(before, u.row, fair_usage_rows_bytes(&u));
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 64, 3600), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 2, 1, 100), 0);
	TEST_EQ(whole_at(&u, 1, 5000 + DAY) - whole_at(&u, 1, INT64_C(1) << 40),
		whole_at(&u, 1, 5000 + DAY) - 64 * 3600);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, INT64_C(1) << 40),
		64 * 3600 + 100);
	TEST_EQ(fair_usage_cancel_provisional(&u, 1, 64, 3601), -FAIR_ERANGE);
	TEST_EQ(fair_usage_cancel_provisional(&u, 0, 1, 1), -FAIR_ERANGE);
	TEST_EQ(fair_usage_cancel_provisional(&u, 0, INT64_MAX, INT64_MAX), -FAIR_ERANGE);
	TEST_EQ(fair_usage_cancel_provisional(&u, 3, 1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_cancel_provisional(&u, 1, -1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_cancel_provisional(&u, 1, 1, -1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_check(&u), 0);
	/* Cancelled: nothing is left behind. */
	TEST_EQ(fair_usage_cancel_provisional(&u, 1, 64, 3600), 0);
	TEST_EQ(fair_usage_cancel_provisional(&u, 2, 1, 100), 0);
	TEST_EQ(memcmp(before, u.row, fair_usage_rows_bytes(&u)), 0);
}

TEST(settled)
{
	struct fair_usage u, v;

	half_life(&u, 0, 3, DAY);
	half_life(&v, 1, 3, DAY);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 64, 3600), 0);
	TEST_EQ(fair_usage_charge_final(&u, 1, 64, 3601, 10, 20), -FAIR_ERANGE);
	TEST_EQ(fair_usage_charge_final(&u, 1, INT64_MAX, INT64_MAX, 10, 20),
		-FAIR_ERANGE);
	TEST_EQ(fair_usage_charge_final(&u, 1, 64, -1, 10, 20), -FAIR_EINVAL);
	TEST_EQ(fair_usage_charge_final(&u, 1, -1, 3600, 10, 20), -FAIR_EINVAL);
	TEST_EQ(fair_usage_charge_final(&u, 1, 64, 3600, 20, 10), -FAIR_EINVAL);
	TEST_EQ(fair_usage_charge_final(&u, 1, 64, 3600, -1, 10), -FAIR_EINVAL);
	TEST_EQ(fair_usage_charge_final(&u, 3, 64, 3600, 10, 20), -FAIR_EINVAL);
	TEST_EQ(fair_usage_charge_final(&u, 3, 64, 3601, 10, 20), -FAIR_EINVAL);
	TEST_EQ(whole_at(&u, 1, 0), 64 * 3600);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 0), 64 * 3600);
	TEST_OK(fair_usage_charge_final(&u, 1, 64, 3600, 0,
					INT64_C(0x7fffffffffffffff)));
	half_life(&u, 0, 3, DAY);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, INT64_C(1) << 50, 100), 0);
	TEST_EQ(fair_usage_charge_final(&u, 1, INT64_C(1) << 50, 100, 0, 40 * DAY),
		-FAIR_EOVERFLOW);
	TEST_EQ(whole_at(&u, 1, 0), (INT64_C(1) << 50) * 100);
	TEST_EQ(fair_usage_charge_final(&u, 1, INT64_C(1) << 50, 100, 0, 0), 0);
	TEST_EQ(whole_at(&u, 1, 0), 0);
	/* What is settled is what would have been charged. */
	TEST_EQ(fair_usage_charge_provisional(&u, 2, 8, 1000), 0);
	TEST_EQ(fair_usage_charge_final(&u, 2, 8, 1000, 777, 1500), 0);
	TEST_EQ(fair_usage_charge(&v, 2, 777, 1500, 8), 0);
	TEST_CHECK(same_reading(&u, &v, 2, 1500));
	TEST_CHECK(same_reading(&u, &v, FAIR_USAGE_TOTAL, DAY));
}

/* Sums and products that would wrap around. */
TEST(overflow)
{
	struct fair_usage u;
	int i;

	for (i = 0; i < 2; i++) {
		if (i)
			half_life(&u, 0, 2, FAIR_USAGE_HALF_LIFE);
		else
			windows(&u, 0, 2, 1, FAIR_USAGE_HALF_LIFE, 0);
		/* 2.03 * (2^63 - 1) is 2^64 and a little: t / h = 0.0215 */
		TEST_EQ(fair_usage_charge(&u, 0, 92341797, 92341799, INT64_MAX),
			-FAIR_EOVERFLOW);
		/* 4 * 2^62 is 2^64. */
		TEST_EQ(fair_usage_charge(&u, 0, 0, 4, INT64_C(1) << 62),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_charge(&u, 0, 0, 7, INT64_C(1) << 56), 0);
		TEST_EQ(fair_usage_charge(&u, 1, 7, 10, INT64_C(1) << 56),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_charge(&u, 0, 7, 10, INT64_C(1) << 56),
			-FAIR_EOVERFLOW);
		TEST_EQ(whole_at(&u, 1, 7), 0);
		TEST_EQ(fair_usage_check(&u), 0);
	}
}

/* A row that passes the total, by a fraction, at the limit. */
TEST(row_overflows)
{
	uint64_t *row, *total;
	struct fair_usage u;

	half_life(&u, 0, 2, DAY);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), 0);
	row = fair_usage_row(&u, 0, 0);
	total = fair_usage_row(&u, 0, 2);
	/* As much as another such charge brings to the limit. */
	row[2] = FAIR_USAGE_LIMIT - row[2] - (row[3] > 0);
	row[3] = 0 - row[3];
	total[2] = row[2];
	total[3] = row[3] - 1;
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	total[3] = row[3]--;
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	total[3]--;
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), 0);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Late charges, long idle times, sources that come and go: all at random. */
TEST(against_the_model)
{
	static const int64_t lengths[] = {
		1, 2, 7, 3600, WEEK, INT64_C(1) << 32
	};
	uint64_t random = 6, whole = 0, fraction = 0;
	int round, i;

	for (round = 0; round < 60; round++) {
		struct usage_model m = { 0, 0, 0, 0, { NULL }, { 0 } };
		struct usage_model_view view = { { 0 } };
		int64_t length = lengths[round % 6], now = 0;
		struct fair_usage u;

		if (round % 12 < 6) {
			m.half_life = length;
			half_life(&u, 0, 4, length);
		} else {
			m.interval = length;
			m.depth = (int)test_range(&random, 1, 6);
			m.decay = (uint64_t)test_range(&random, 0,
						       (int64_t)FAIR_USAGE_ONE);
			windows(&u, 0, 4, (uint32_t)m.depth, length, m.decay);
		}
		for (i = 0; i < 40; i++) {
			int64_t t0 = test_range(
				&random, 0, length < 100 ? 500 : 9 * length);
			int64_t t1 = t0 + (test_range(&random, 1, 5 * length) >>
					   test_range(&random, 0, 30));
			int64_t rate = test_range(&random, 1, 1 << 24) >>
				       test_range(&random, 0, 24);
			uint32_t e = (uint32_t)test_range(&random, 0, 3);

			TEST_EQ(fair_usage_charge(&u, e, t0, t1, rate), 0);
			if (t0 < t1 && rate) {
				usage_model_charge(&m, 0, e, t0, t1, rate);
				now = t1 > now ? t1 : now;
			}
			view.seen[0] = m.lines[0];
			t1 = now + (i % 3 ? 0 : test_range(&random, 0, length));
			if (i % 4 == 3)
				e = FAIR_USAGE_TOTAL;
			TEST_EQ(fair_usage_at(&u, e, t1, &whole, &fraction), 0);
			TEST_CHECK(usage_model_agrees(&m, &view, e, t1, 1,
						      whole, fraction));
		}
		TEST_EQ(fair_usage_check(&u), 0);
		usage_model_free(&m);
	}
}

/* Undecayed charges are conserved to the last unit. */
TEST(conserved)
{
	uint64_t random = 7, sum = 0;
	struct fair_usage u;
	int i;

	windows(&u, 0, 9, 1, INT64_MAX, 0);
	for (i = 0; i < 20000; i++) {
		uint32_t e = (uint32_t)test_range(&random, 0, 8);
		int64_t t0 = test_range(&random, 0, 1 << 30);
		int64_t run = test_range(&random, 0, 1 << 20);
		int64_t procs = test_range(&random, 0, 1 << 10);

		TEST_EQ(fair_usage_charge_provisional(&u, e, procs, 1 << 20), 0);
		if (i % 5 == 0) {
			TEST_EQ(fair_usage_cancel_provisional(&u, e, procs, 1 << 20), 0);
			continue;
		}
		TEST_OK(fair_usage_charge_final(&u, e, procs, 1 << 20, t0,
						t0 + run));
		sum += (uint64_t)(run * procs);
	}
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, INT64_C(1) << 40), sum);
	for (i = 0; i < 9; i++)
		sum -= whole_at(&u, (uint32_t)i, INT64_C(1) << 40);
	TEST_EQ(sum, 0);
	TEST_EQ(fair_usage_check(&u), 0);
}
