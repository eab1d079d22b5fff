/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A plan walks the queue in any order: expansion factors are compared exactly,
 * and an order that starts or reservations change is asked again after each.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

/* (9 + 1) / 1 is above (10 + 2) / 2; at 0 they were equal. */
TEST(expansion_factor)
{
	struct site s;

	open_site(&s, 1, true, 7);
	add(&s, 0, 100, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 0, 2, 10);
	add(&s, 1, 1, 10);
	add(&s, 1, 1, 10);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(s.b.held[0].slot, 1);
	finish(&s, 10, 0);
	TEST_EQ(starts(&s, 10), 2); /* and 3 by its number behind it */
	finish(&s, 11, 2);
	TEST_EQ(starts(&s, 11), 3);
	finish(&s, 12, 3);
	TEST_EQ(starts(&s, 12), 1);
	close_site(&s);
}

/* Factors that differ in the last of 97 bits; a stay of nearly 2^64 s. */
TEST(expansion_factor_is_exact)
{
	const int64_t year = INT64_C(1) << 34;
	const struct fair_queued old = { { -(INT64_C(1) << 62), 0 }, 1, 1, 0, 0, 0 };
	const struct fair_queued new = { { 0, 1 }, INT64_C(1) << 40, 1, 0, 0, 0 };
	struct site s;

	/* 2^62 + 1 and 1: times 2^40 the lower halves are the same. */
	TEST_CHECK(fair_backfill_lxf_before(&old, &new, 0));
	TEST_CHECK(!fair_backfill_lxf_before(&new, &old, 0));
	open_site(&s, 1, true, 0);
	add(&s, 0, 1, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, -(INT64_C(1) << 62), year, 10);
	add(&s, -(INT64_C(1) << 62) + 1, year - 1, 10);
	TEST_EQ(starts(&s, 0), 0);
	/* 2^62 / 2^34 is below (2^62 - 1) / (2^34 - 1). */
	TEST_EQ(s.b.held[0].slot, 2);
	add(&s, INT64_MIN, year, 10);
	TEST_EQ(starts(&s, INT64_C(1) << 60), 0);
	TEST_EQ(s.b.held[0].slot, 3);
	close_site(&s);
}

/* The next rank after the last number begins with another key. */
TEST(last_number)
{
	struct site s;
	uint32_t slot;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 0, 10, 10);
	s.job[2].rank.key = 0;
	s.job[2].rank.number = UINT64_MAX;
	s.job[2].walltime = s.job[2].procs = 1;
	TEST_EQ(fair_backfill_submit(&s.b, 2), 0);
	TEST_CHECK(!due(&s, 0, &slot));
	TEST_EQ(fair_backfill_shrink(&s.b, 0, CLAIM(0)), 0);
	s.used = 3;
	add(&s, 1, 1, 1);
	finish(&s, 0, 0);
	TEST_EQ(starts(&s, 0), 1);
	close_site(&s);
}

/* In the first pass, of two, job 0 has to wait. */
static bool not_at_once(const void *context, int64_t now, uint32_t slot)
{
	(void)context;
	(void)now;
	return slot != 0;
}

TEST(order_of_the_callers)
{
	struct fair_walk walk = { 0 };
	struct site s;

	open_site(&s, 1, true, 6);
	walk.before = last_first;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	add(&s, 0, 10, 3);
	add(&s, 0, 10, 3);
	add(&s, 0, 10, 4);
	TEST_EQ(starts(&s, 0), 210);
	close_site(&s);
}

TEST(order_that_starts_change)
{
	static const uint32_t want[] = { 0, 2, 4, 1, 3 };
	struct users users;
	struct site s;
	uint32_t slot, i;

	open_site(&s, 1, true, 0);
	walk_by_users(&s, &users);
	for (i = 0; i < 5; i++)
		add(&s, 0, 10, 1);
	for (i = 0; i < 5; i++) {
		TEST_CHECK(due(&s, 0, &slot));
		TEST_EQ(slot, want[i]);
		users.started[slot / 2]++;
	}
	TEST_CHECK(!due(&s, 0, &slot));
	free(s.memory);
	free(s.more);
}

/* The order of the users after @starts. */
static uint32_t place_of(uint32_t user, uint32_t starts)
{
	return (5 * user + 3 * starts) % 8;
}

static int in_turn(const void *context, uint32_t a, uint32_t b)
{
	const struct users *u = (const struct users *)context;
	uint32_t starts = 0, i;

	for (i = 0; i < JOBS; i++)
		starts += u->started[i];
	return (int)place_of(a, starts) - (int)place_of(b, starts);
}

/* Each start changes the order of all users. */
TEST(order_of_all_that_starts_change)
{
	struct fair_walk walk;
	struct users users;
	struct site s;
	uint32_t slot, starts, user, first;

	open_site(&s, 1, true, 0);
	walk_by_users(&s, &users);
	walk = s.b.walk;
	walk.compare = in_turn;
	walk.spreads = true;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	for (starts = 0; starts < PROCS; starts++)
		add(&s, 0, 10, 1);
	for (starts = 0; starts < PROCS; starts++) {
		first = 0;
		for (user = 1; user < PROCS / 2; user++)
			if (users.started[first] == 2 ||
			    (users.started[user] < 2 &&
			     place_of(user, starts) < place_of(first, starts)))
				first = user;
		TEST_CHECK(due(&s, 0, &slot));
		TEST_EQ(slot / 2, first);
		users.started[slot / 2]++;
	}
	free(s.memory);
	free(s.more);
}

/* Jobs as wide as a number can be, in each order of the walk. */
TEST(as_wide_as_can_be)
{
	struct users users;
	struct site s;
	int how;

	for (how = 0; how < 3; how++) {
		open_site(&s, 1, how > 0, 0);
		if (how == 2)
			walk_by_users(&s, &users);
		TEST_OK(fair_backfill_give_back(&s.b, 0, FAIR_FOREVER,
						CLAIM(INT32_MAX - PROCS)));
		add(&s, 0, 10, INT32_MAX);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(s.running.jobs, 1);
		add(&s, 1, 10, INT32_MAX);
		TEST_EQ(starts(&s, 1), 0);
		TEST_EQ(s.b.shadow_time, 10);
		finish(&s, 10, 0);
		TEST_EQ(starts(&s, 10), 1);
		close_site(&s);
	}
}

/*
 * The second reservation goes to the job that comes first after the first one.
 */
TEST(order_that_reservations_change)
{
	struct users users;
	struct site s;
	uint32_t i;

	open_site(&s, 2, true, 0);
	walk_by_users(&s, &users);
	add(&s, 0, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 5, 10, 10);
	for (i = 0; i < 3; i++)
		add(&s, 1, 10, 10);
	TEST_EQ(starts(&s, 5), 0);
	TEST_EQ(s.b.held[0].slot, 2);
	TEST_EQ(s.b.held[1].slot, 4);
	TEST_EQ(s.b.held[1].start, 20);
	close_site(&s);
}

TEST(gate_and_passes)
{
	struct fair_walk walk = { 0 };
	struct site s;
	uint32_t d;

	for (d = 1; d < 3; d++) {
		open_site(&s, d, d == 2, 0);
		walk.gate = not_at_once;
		walk.before = d == 2 ? last_first : NULL;
		TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
		add(&s, 0, 10, 6);
		add(&s, 0, 10, 3);
		add(&s, 0, 10, 8);
		add(&s, 0, 10, 2);
		/* Pass 1: 1 starts, 2 is reserved, 3 fits; pass 2: 0 does
		 * not. Or from the end: 3, 2; 1 and 0 do not fit. */
		TEST_EQ(starts(&s, 0), d == 2 ? 32 : 13);
		TEST_EQ(s.b.pass, 1);
		TEST_EQ(s.b.reserved, d);
		TEST_EQ(fair_backfill_withdraw(&s.b, 0), 0);
		TEST_EQ(s.b.anew, true);
		TEST_EQ(starts(&s, 0), 0);
		close_site(&s);
	}
}

#ifdef __SIZEOF_INT128__
/* As the compiler multiplies, however the header does. */
TEST(products)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t seed = 1, a, b;
	struct fair_wide x;
	wide product;
	int i;

	for (i = 0; i < 1000; i++) {
		a = test_random(&seed) >> i % 40;
		b = test_random(&seed) >> i % 7;
		x = fair_multiply(a, b);
		product = (wide)a * b;
		TEST_CHECK(x.low == (uint64_t)product);
		TEST_CHECK(x.high == (uint64_t)(product >> 64));
	}
}
#endif
