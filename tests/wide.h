/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * wide.h - the integers of 128 bits that headers share, bit by bit
 *
 * Include it behind one such header, with its implementation: whichever header
 * of a program is first has these functions.
 */
#ifndef FAIR_TEST_WIDE_H
#define FAIR_TEST_WIDE_H

#include "tests/test.h"

/* Where digits of 32 and of 64 bits begin and end. */
static const uint64_t wide_edge[] = { 0,
				      1,
				      2,
				      UINT32_MAX - UINT64_C(1),
				      UINT32_MAX,
				      UINT64_C(1) << 32,
				      (UINT64_C(1) << 32) + 1,
				      (UINT64_C(1) << 63) - 1,
				      UINT64_C(1) << 63,
				      (UINT64_C(1) << 63) + UINT32_MAX,
				      UINT64_C(0xffffffff00000000),
				      UINT64_MAX - 1,
				      UINT64_MAX };
enum { WIDE_EDGES = sizeof(wide_edge) / sizeof(*wide_edge) };

static void check_product(uint64_t a, uint64_t b)
{
	struct fair_wide got = fair_multiply(a, b), want = { 0, 0 };
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		want.high = want.high << 1 | want.low >> 63;
		want.low <<= 1;
		if (b >> bit & 1) {
			want.low += a;
			want.high += want.low < a;
		}
	}
	TEST_CHECK(got.high == want.high && got.low == want.low);
}

static uint64_t any_wide(uint64_t *random)
{
	uint64_t x = test_random(random);

	return x >> test_range(random, 0, 63);
}

TEST(wide_products)
{
	uint64_t random = 1;
	int i, k;

	for (i = 0; i < WIDE_EDGES; i++)
		for (k = 0; k < WIDE_EDGES; k++)
			check_product(wide_edge[i], wide_edge[k]);
	for (i = 0; i < 20000; i++)
		check_product(any_wide(&random), any_wide(&random));
}

TEST(wide_order)
{
	const struct fair_wide a = { 1, 2 }, b = { 1, 3 }, c = { 2, 0 };

	TEST_CHECK(fair_wide_less(a, b) && fair_wide_less(b, c));
	TEST_CHECK(fair_wide_less(a, c) && !fair_wide_less(c, a));
	TEST_CHECK(!fair_wide_less(b, a) && !fair_wide_less(a, a));
}

#ifdef FAIRSCHED_SHARED_DIVISION

static void check_quotient(uint64_t high, uint64_t low, uint64_t d)
{
	const struct fair_wide a = { high, low };
	uint64_t rest = 0, got, want = 0, over;
	int bit;

	if (high >= d)
		return;
	got = fair_divide(a, d, &rest);
	for (bit = 63; bit >= 0; bit--) {
		over = high >> 63;
		high = high << 1 | (low >> bit & 1);
		if (over || high >= d) {
			high -= d;
			want |= UINT64_C(1) << bit;
		}
	}
	TEST_CHECK(got == want && rest == high);
}

TEST(wide_quotients)
{
	uint64_t random = 1;
	int i, k, n;

	for (i = 0; i < WIDE_EDGES; i++)
		for (k = 0; k < WIDE_EDGES; k++)
			for (n = 0; n < WIDE_EDGES; n++)
				check_quotient(wide_edge[i], wide_edge[k],
					       wide_edge[n]);
	for (i = 0; i < 20000; i++)
		check_quotient(any_wide(&random), any_wide(&random),
			       any_wide(&random));
}

TEST(wide_sums)
{
	struct fair_wide a = { 1, UINT64_MAX - 1 };

	a = fair_wide_add(a, 1);
	TEST_CHECK(a.high == 1 && a.low == UINT64_MAX);
	a = fair_wide_add(a, 3);
	TEST_CHECK(a.high == 2 && a.low == 2);
}

TEST(wide_bits)
{
	int i;

	TEST_EQ(fair_bits(0), 0);
	for (i = 0; i < 64; i++)
		TEST_EQ(fair_bits(UINT64_C(1) << i), i + 1);
	TEST_EQ(fair_bits(UINT64_MAX), 64);
}

#endif /* FAIRSCHED_SHARED_DIVISION */
#endif /* FAIR_TEST_WIDE_H */
