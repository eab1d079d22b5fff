/* SPDX-License-Identifier: MIT OR Unlicense */
/* nodes_walk_test.c - nodes.h against its model on random operations */
#define FAIRSCHED_STATIC
#define FAIR_NODES_EVENTS 3
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "fuzz/nodes_pair.h"
#include "tests/test.h"

#ifdef TEST_LIGHT
enum { ROUNDS = 20 };
#else
enum { ROUNDS = 400 };
#endif

TEST(walk)
{
	static uint8_t bytes[2048];
	uint64_t random = 1;
	size_t i, n;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		n = (size_t)test_range(&random, 200, sizeof(bytes));
		for (i = 0; i < n; i++)
			bytes[i] = (uint8_t)test_random(&random);
		TEST_CHECK(nodes_pair_run(bytes, n) ==
			   nodes_pair_run(bytes, n));
	}
}
