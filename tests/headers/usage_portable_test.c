/* SPDX-License-Identifier: MIT OR Unlicense */
/* The multiplication for compilers without 128-bit integers. */
#define FAIR_NO_INT128
#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"
#include "tests/test.h"
#include "tests/model/usage_model.h"

static void check_product(uint64_t a, uint64_t b)
{
	struct fair_wide got = fair_multiply(a, b);
	/* (a / 2^64) * b is high, and low behind the point */
	struct usage_big product =
		usage_big_mul(usage_big_from(0, a), usage_big_from(b, 0));

	TEST_OK(usage_big_compare(product, usage_big_from(got.high, got.low)));
}

TEST(products)
{
	static const uint64_t edge[] = { 0,
					 1,
					 UINT32_MAX,
					 UINT64_C(1) << 32,
					 UINT64_C(0xffffffff00000000),
					 UINT64_MAX - 1,
					 UINT64_MAX };
	const size_t n = sizeof(edge) / sizeof(edge[0]);
	uint64_t random = 1;
	size_t i;

	for (i = 0; i < n * n; i++)
		check_product(edge[i / n], edge[i % n]);
	for (i = 0; i < 100000; i++)
		check_product(test_random(&random), test_random(&random));
}

TEST(readings)
{
	struct usage_model m = { 86400, 0, 0, 0, { NULL }, { 0 } };
	struct usage_model_view view = { { 0 } };
	static unsigned char memory[4096];
	uint64_t whole = 0, fraction = 0;
	struct fair_usage u;
	int64_t t;

	TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory, sizeof(memory),
					  2, 1, 1, m.half_life));
	for (t = 0; t < 400000; t += 7919) {
		TEST_EQ(fair_usage_charge(&u, 1, t / 2, t + 1, 1 + t), 0);
		usage_model_charge(&m, 0, 1, t / 2, t + 1, 1 + t);
		view.seen[0] = m.lines[0];
		TEST_EQ(fair_usage_at(&u, 1, 2 * t + 1, &whole, &fraction), 0);
		TEST_CHECK(usage_model_agrees(&m, &view, 1, 2 * t + 1, 1, whole,
					      fraction));
	}
	usage_model_free(&m);
}
