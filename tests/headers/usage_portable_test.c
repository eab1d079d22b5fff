/* SPDX-License-Identifier: MIT OR Unlicense */
/* usage.h as compilers without 128-bit integers see it. */
#define FAIR_NO_INT128
#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"
#include "tests/wide.h"
#include "tests/model/usage_model.h"

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
