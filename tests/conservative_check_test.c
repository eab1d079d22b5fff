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

TEST(invariants_broken_by_hand)
{
	struct fair_rank kept;
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		figure_1(&s, c);
		add(&s, 50, 10, 11);
		s.c.profile.limit = 1;
		TEST_EQ(fair_conservative_check(&s.c), 1);
		s.c.profile.limit = PROCS;
		s.c.plan.jobs++;
		TEST_EQ(fair_conservative_check(&s.c), 2);
		s.c.plan.jobs--;
		s.c.unplaced++;
		TEST_EQ(fair_conservative_check(&s.c), 5);
		s.c.unplaced--;
		s.c.walk.kind = 1;	/* one is cut short */
		s.c.walk.next = JOBS;
		TEST_EQ(fair_conservative_check(&s.c), 6);
		s.c.walk.next = 0;	/* runs, or is not there */
		TEST_EQ(fair_conservative_check(&s.c), 6);
		s.job[9] = s.job[2];	/* has the rank of another */
		s.c.walk.next = 9;
		TEST_EQ(fair_conservative_check(&s.c), 6);
		s.c.walk.kind = 0;
		if (c == FAIR_COMPRESS) {
			close_site(&s);
			continue;
		}
		s.c.priority.jobs++;
		TEST_EQ(fair_conservative_check(&s.c), 3);
		s.c.priority.jobs--;
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
