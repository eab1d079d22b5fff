/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each number of an enumeration has a name of its own, and the name leads back
 * to the number; each documented error is provoked (names_faults_test.c).
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/test.h"

static void there_and_back(const char *(*name)(uint32_t),
			   int (*number)(const char *), uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		TEST_CHECK(strcmp(name(i), "unknown"));
		TEST_EQ(number(name(i)), i);
	}
	TEST_CHECK(!strcmp(name(n), "unknown"));
}

/* That is what numbers are called that have no name. */
TEST(no_names)
{
	TEST_EQ(fair_policy_by_name("unknown"), -FAIR_ENOENT);
	TEST_EQ(fair_order_by_name("unknown"), -FAIR_ENOENT);
	TEST_EQ(fair_state_by_name("unknown"), -FAIR_ENOENT);
	TEST_EQ(fair_cause_by_name("unknown"), -FAIR_ENOENT);
	TEST_EQ(fair_reason_by_name("unknown"), -FAIR_ENOENT);
}

TEST(names_and_numbers)
{
	uint32_t reason;

	there_and_back(fair_policy_name, fair_policy_by_name, FAIR_CUSTOM + 1);
	there_and_back(fair_order_name, fair_order_by_name,
		       FAIR_ORDER_RELSHARE + 1);
	there_and_back(fair_state_name, fair_state_by_name,
		       FAIR_DISPLACED + 1);
	there_and_back(fair_cause_name, fair_cause_by_name,
		       FAIR_CAUSE_LIMIT + 1);
	for (reason = 1; reason <= FAIR_WHY_BUDGET; reason *= 2)
		TEST_EQ(fair_reason_by_name(fair_reason_name(reason)), reason);
	TEST_CHECK(!strcmp(fair_reason_name(2 * FAIR_WHY_BUDGET), "unknown"));
	TEST_CHECK(!strcmp(fair_reason_name(0), "unknown"));
	TEST_EQ(fair_sched_struct_size(), sizeof(struct fair_sched));
}
