/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Limits come, change and go while random jobs wait and run: each policy, of
 * one pool and of classes, decides as the naive models do.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/classes_pair.h"
#include "fuzz/sched_pair.h"
#include "tests/test.h"

#ifdef TEST_FIRST /* mutants see a part of it */
#define ROUNDS 20
#else
#define ROUNDS TEST_ROUNDS(1000)
#endif

/* Random bytes: the policy is the first. */
static size_t draw(uint8_t *data, size_t most, uint64_t *seed)
{
	size_t i;

	for (i = 0; i < most; i++)
		data[i] = (uint8_t)test_random(seed);
	data[0] = 0;
	return (size_t)test_range(seed, 20, (int64_t)most);
}

static void in_a_pool(uint32_t policy)
{
	static uint8_t data[400];
	uint64_t seed = 1000 + policy;
	int runs = ROUNDS;
	size_t size;

	for (; runs > 0; runs--) {
		size = draw(data, sizeof(data), &seed);
		TEST_CHECK(pair_run(data, size, policy, runs % 2, true));
	}
}

static void in_classes(uint32_t kind, bool nodes)
{
	static uint8_t data[400];
	uint64_t seed = (nodes ? 3000u : 2000u) + kind;
	int runs = ROUNDS;
	size_t size;

	for (; runs > 0; runs--) {
		size = draw(data, sizeof(data), &seed);
		TEST_CHECK(classes_pair_run(data, size, kind, runs % 4, nodes,
					    true));
	}
}

static const struct {
	const char *name;
	uint32_t kind;
} policy[] = { { "fcfs", FAIR_FCFS },
	       { "easy and depth", FAIR_BACKFILL },
	       { "conservative", FAIR_CONSERVATIVE },
	       { "pc", FAIR_PC },
	       { "dc", FAIR_DC },
	       { "sfs", FAIR_SFS },
	       { "relshare", FAIR_RELSHARE },
	       { "maui", FAIR_MAUI },
	       { "selections", CLASSES_PAIR_SELECT },
	       { "usage", CLASSES_PAIR_USAGE },
	       { "dominant share", CLASSES_PAIR_DOMINANT } };

TEST_EACH(each_policy)
{
	char name[64];
	uint32_t i;

	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		if (policy[i].kind <= FAIR_MAUI) {
			test_case(policy[i].name);
			in_a_pool(policy[i].kind);
		}
		snprintf(name, sizeof(name), "%s in classes", policy[i].name);
		test_case(name);
		in_classes(policy[i].kind, false);
		if (policy[i].kind == FAIR_MAUI ||
		    policy[i].kind == CLASSES_PAIR_SELECT)
			continue;
		snprintf(name, sizeof(name), "%s on nodes", policy[i].name);
		test_case(name);
		in_classes(policy[i].kind, true);
	}
}
