/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative.h refuses what it cannot plan, takes memory at any address, and
 * fair_conservative_check() names the first invariant that is broken.
 */
#include "tests/promises.h"

/* Wherever memory begins, ranks are at a multiple of 8, and within it. */
TEST(odd_addresses)
{
	size_t bytes = fair_conservative_size(FAIR_COMPRESS_DELAYED, JOBS, 3);
	size_t shift;
	struct site s;

	for (shift = 0; shift < 8; shift++) {
		open_site(&s, FAIR_COMPRESS_DELAYED, shift);
		TEST_EQ((uintptr_t)s.c.rank % 8, 0);
		TEST_CHECK((char *)(s.c.rank + JOBS) <=
			   s.memory + shift + bytes);
		close_site(&s);
	}
}

#define BREAK(field, value, invariant) \
	TEST_WITH(field, value, fair_conservative_check(&s.c), invariant)

TEST(invariants_broken_by_hand)
{
	struct fair_rank kept;
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		figure_1(&s, c);
		add(&s, 50, 10, 11);
		BREAK(s.c.space.profile.limit, 1, 1);
		BREAK(s.c.plan.jobs, s.c.plan.jobs + 1, 2);
		BREAK(s.c.unplaced, s.c.unplaced + 1, 5);
		s.c.walk.kind = 1;	/* one is cut short */
		BREAK(s.c.walk.next, JOBS, 6);
		BREAK(s.c.walk.next, 0, 6);	/* runs, or is not there */
		s.job[9] = s.job[2];	/* has the rank of another */
		BREAK(s.c.walk.next, 9, 6);
		s.c.walk.kind = 0;
		if (c == FAIR_COMPRESS) {
			close_site(&s);
			continue;
		}
		BREAK(s.c.priority.jobs, s.c.priority.jobs + 1, 3);
		kept = s.c.rank[2]; /* stands in its place, as another */
		TEST_EQ(fair_queue_remove(&s.c.priority, 2), 0);
		TEST_EQ(fair_conservative_check(&s.c), 4);
		s.job[9] = s.job[2];
		s.c.rank[9] = kept;
		TEST_EQ(fair_queue_insert(&s.c.priority, 9), 0);
		TEST_EQ(fair_conservative_check(&s.c), 4);
		TEST_EQ(fair_queue_remove(&s.c.priority, 9), 0);
		TEST_EQ(fair_queue_insert(&s.c.priority, 2), 0);
		s.c.rank[9].number = 9;
		s.job[9].rank.number = 9;
		TEST_EQ(fair_queue_insert(&s.c.priority, 9), 0);
		TEST_EQ(fair_conservative_check(&s.c), 4);
		TEST_EQ(fair_queue_remove(&s.c.priority, 9), 0);
		close_site(&s);
	}
}
