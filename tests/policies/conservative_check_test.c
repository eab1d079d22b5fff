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

/* No more steps than a profile has; times from 2^38 behind the first on. */
TEST(bounds)
{
	struct site s;

	TEST_EQ(fair_conservative_size(FAIR_COMPRESS, UINT32_C(1) << 30, 0), 0);
	open_site(&s, FAIR_COMPRESS, 0);
	TEST_OK(fair_conservative_init(
		&s.c, sizeof(s.c), s.memory,
		fair_conservative_size(FAIR_COMPRESS, JOBS, 3), FAIR_COMPRESS,
		JOBS, 3, s.job, sizeof(s.job[0]), PROCS,
		INT64_MIN + (INT64_C(1) << 38)));
	close_site(&s);
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

/* 1 was promised 100 and has no start, 3 was promised 110 and has 200. */
TEST(late_jobs_broken_by_hand)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 8), 100);
	TEST_EQ(add(&s, 0, 50, 2), 0);
	TEST_EQ(starts(&s, 0), 2);
	TEST_EQ(add(&s, 0, 60, 4), 110);
	TEST_OK(lose(&s, 0, 100, 200, 6));
	TEST_OK(lose(&s, 0, 100, FAIR_FOREVER, 3));
	TEST_EQ(add(&s, 0, 10, 1), 0);
	TEST_EQ(s.c.lates, 2);
	TEST_CHECK(s.c.late[0] == 1 && s.c.late[1] == 3);
	BREAK(s.c.lates, 1, 8);
	BREAK(s.c.late[0], 3, 8);
	BREAK(s.c.late[1], 1, 8);
	BREAK(s.c.late[0], 4, 8); /* it is not late */
	BREAK(s.job[4].turn, -1, 8);
	close_site(&s);
}
