/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Every policy decides what the naive models decide, event by event, on random
 * workloads.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/sched_pair.h"
#include "tests/test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

/* Random events, of each policy, and the naive model: see sched_pair.h. */
static void against_the_model(uint32_t policy, int runs)
{
	static uint8_t data[400];
	uint64_t seed = policy, digest;
	size_t i, size;

	for (runs = SOME(TEST_ROUNDS(runs), 20); runs > 0; runs--) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		data[0] = 0; /* the first policy */
		size = (size_t)test_range(&seed, 20, sizeof(data));
		digest = pair_run(data, size, policy, runs % 2, false);
		/* Some twice: it is the same again. */
		TEST_CHECK(runs % 4 < 2 ||
			   digest == pair_run(data, size, policy, runs % 2,
					      false));
	}
}

TEST(fcfs_against_the_model)
{
	against_the_model(FAIR_FCFS, 1000);
}

TEST(backfill_against_the_model)
{
	against_the_model(FAIR_BACKFILL, 2000);
}

TEST(conservative_against_the_model)
{
	against_the_model(FAIR_CONSERVATIVE, 2000);
}

TEST(pc_against_the_model)
{
	against_the_model(FAIR_PC, 2000);
}

TEST(dc_against_the_model)
{
	against_the_model(FAIR_DC, 2000);
}

TEST(maui_against_the_model)
{
	against_the_model(FAIR_MAUI, 2000);
}

TEST(sfs_against_the_model)
{
	against_the_model(FAIR_SFS, 2000);
}
