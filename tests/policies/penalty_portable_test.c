/* SPDX-License-Identifier: MIT OR Unlicense */
/* penalty.h as compilers without 128-bit integers see it. */
#define FAIR_NO_INT128
#define FAIR_PENALTY_IMPLEMENTATION
#include "policies/penalty.h"
#include "tests/wide.h"
#include "tests/model/penalty_model.h"

/* Charges are the longest products. */
TEST(charges)
{
	uint64_t random = 1;
	int64_t got, want, a, b, c;
	int i, err;

	for (i = 0; i < 100000; i++) {
		a = (int64_t)(test_random(&random) >>
			      test_range(&random, 1, 63));
		b = (int64_t)(test_random(&random) >>
			      test_range(&random, 2, 63)) |
		    1;
		c = (int64_t)(test_random(&random) >>
			      test_range(&random, 1, 63));
		got = want = -1;
		err = fair_penalty_charge(a, b, c, &got);
		TEST_EQ(model_charge(a, b, c, &want) == MODEL_OK, !err);
		TEST_EQ(got, err ? -1 : want);
	}
}

/* A node of 3 processors and 2^n + 1 bytes, of which k are asked. */
TEST(prices)
{
	static unsigned char memory[8192];
	int64_t node[2] = { 3, 0 }, asked[2] = { 0, 0 }, p;
	struct fair_penalty_class all = { 1, 1, FAIR_PENALTY_ONE, 0, node };
	struct fair_penalty_chunk job = { 1, 0, 0, 0, 0, asked };
	struct model_class model_all = { 1, 1, FAIR_PENALTY_ONE, 0, node };
	struct model_chunk model_job = { 1, 0, 0, 0, 0, asked };
	struct model_machine model = { &model_all, 1, 2, NULL };
	static struct model_penalty want;
	struct fair_penalty_machine m;
	int n, k;

	for (n = 0; n < 62; n++) {
		node[1] = ((int64_t)1 << n) + 1;
		TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory),
					  &all, 1, 2, NULL));
		TEST_EQ(fair_penalty_check(&m), 0);
		for (k = 0; k <= n; k++) {
			asked[1] = ((int64_t)1 << k) + 1;
			p = -1;
			TEST_OK(fair_penalty(&m, &job, 1, FAIR_PENALTY_ONE,
					     &p));
			TEST_EQ(model_local(&model, &model_job, 1, NULL,
					    FAIR_PENALTY_ONE, &want),
				MODEL_OK);
			TEST_EQ(p, want.fixed);
		}
	}
}
