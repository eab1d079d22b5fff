/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * backfill.h refuses what it cannot plan, takes the memory that its size says,
 * and fair_backfill_check() names the first invariant that is broken.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

/* What stands in memory one behind the other, and where it is too much. */
TEST(sizes)
{
	const uint32_t most = UINT32_MAX / 4, half = UINT32_C(1) << 31;
	size_t profile = fair_profile_size(2 * (20 + 3) + 1);
	uint64_t bytes;
	uint32_t i;

	TEST_EQ(fair_backfill_size(1, false, 20),
		fair_queue_size(20) + sizeof(struct fair_reservation) + 8);
	TEST_EQ(fair_backfill_size(3, true, 20),
		fair_queue_size(20) + profile +
			3 * sizeof(struct fair_reservation) + 8 + 20 * 4);
	TEST_EQ(fair_backfill_advances_size(3, 20, 5),
		fair_profile_size(2 * (20 + 3) + 1 + 2 * 5));
	for (i = 1; i <= 100; i++) {
		TEST_EQ(fair_backfill_size(2, false, i),
			fair_queue_size(i) +
				fair_profile_size(2 * (i + 2) + 1) +
				2 * sizeof(struct fair_reservation) + 8);
		TEST_EQ(fair_backfill_advances_size(2, i, 3),
			fair_profile_size(2 * (i + 2) + 1 + 2 * 3));
	}
	for (i = 1; i <= most - most / 8; i += i / 64 + 1) {
		profile = fair_profile_size(2 * ((size_t)i + 20) + 1);
		bytes = fair_queue_size(20) + (uint64_t)profile +
			i * (uint64_t)sizeof(struct fair_reservation) + 8;
		if (i > 1)
			TEST_EQ(fair_backfill_size(i, false, 20),
				profile && bytes <= SIZE_MAX ? bytes : 0);
		bytes = (uint64_t)fair_queue_size(i) +
			sizeof(struct fair_reservation) + 8 + 4 * (uint64_t)i;
		TEST_EQ(fair_backfill_size(1, true, i),
			fair_queue_size(i) && bytes <= SIZE_MAX ? bytes : 0);
	}
	TEST_EQ(fair_backfill_size(0, false, most + 1), 0);
	TEST_EQ(fair_backfill_size(most + 1, false, 1), 0);
	TEST_EQ(fair_backfill_size(half, false, 1), 0);
	TEST_EQ(fair_backfill_advances_size(half, 1, 1), 0);
	TEST_EQ(fair_backfill_advances_size(1, half, 1), 0);
	TEST_EQ(fair_backfill_advances_size(1, 1, half), 0);
	TEST_EQ(fair_backfill_advances_size(1, most + 1, 1), 0);
	TEST_EQ(fair_backfill_advances_size(most + 1, 1, 1), 0);
	TEST_EQ(fair_backfill_advances_size(1, 1, most + 1), 0);
	if (SIZE_MAX > UINT32_MAX) {
		TEST_CHECK(fair_backfill_size(0, false, most) > most);
		TEST_CHECK(fair_backfill_size(most - 8, false, 1) > most);
		TEST_EQ(fair_backfill_size(most, false, 1), 0);
		TEST_EQ(fair_backfill_size(2, false, most), 0);
		TEST_CHECK(fair_backfill_size(most, false, 0) > most);
		TEST_CHECK(fair_backfill_advances_size(most, 0, 0) > most);
		TEST_CHECK(fair_backfill_advances_size(0, most, 0) > most);
		TEST_CHECK(fair_backfill_advances_size(0, 0, most) > most);
		TEST_CHECK(fair_backfill_advances_size(1, most - 8, 1) > most);
		TEST_CHECK(fair_backfill_advances_size(most - 8, 1, 1) > most);
		TEST_CHECK(fair_backfill_advances_size(1, 1, most - 8) > most);
		TEST_EQ(fair_backfill_advances_size(1, most, 1), 0);
	}
}

#define BREAK(field, value, invariant) \
	TEST_WITH(field, value, fair_backfill_check(&s.b, &s.running), invariant)

TEST(invariants_broken_by_hand)
{
	struct site s;
	uint32_t d;

	for (d = 0; d < 4; d++) {
		three_wait(&s, d);
		TEST_EQ(fair_backfill_check(&s.b, &s.running), 0);
		BREAK(s.b.queue.jobs, s.b.queue.jobs + 1, 1);
		if (d > 1)
			BREAK(s.b.space.profile.origin, s.b.space.profile.origin + 1, 2);
		BREAK(s.b.free, s.b.free + 1, 3);
		s.b.free -= PROCS;
		BREAK(s.b.procs, s.b.procs - PROCS, 3);
		s.b.free += PROCS;
		BREAK(s.b.reserved, s.b.reserved + 1, 4);
		close_site(&s);
	}
}
