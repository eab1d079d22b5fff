/* SPDX-License-Identifier: MIT OR Unlicense */
/* resources_walk_test.c - machine.h against its model on random operations */
#define FAIRSCHED_STATIC
#define FAIR_MACHINE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "fuzz/machine_pair.h"
#include "tests/test.h"

#ifdef TEST_LIGHT
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 1000 };
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
		TEST_CHECK(machine_pair_run(bytes, n) ==
			   machine_pair_run(bytes, n));
	}
}
