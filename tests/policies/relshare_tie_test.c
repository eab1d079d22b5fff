/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Ratios of entitlement to usage are compared exactly, beyond 64 bits too, as
 * the naive model compares them; equal ones tie.
 */
#define FAIRSCHED_STATIC
#define FAIR_RELSHARE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "tests/relative.h"
#include "tests/model/relshare_model.h"

static int64_t usage(const struct fair_relshare *r, uint32_t user,
		     const struct fair_relshare_reserved *reserved)
{
	return (int64_t)fair_relshare_usage_of(r, user, reserved);
}

/*
 * User 3 is entitled to 1 processor for 1 s; users 0, 1, 2 to 1/3 for 3 s. In
 * binary thirds do not add up to 1, and yet they tie.
 */
TEST(exact_ties)
{
	struct fair_relshare r;
	uint32_t i;

	machine(&r, 4, 1, DAY);
	submit(&r, 0, 9, 3, 1);
	finish(&r, 1, 9);
	for (i = 0; i < 3; i++)
		submit(&r, 1, i, i, 1);
	for (i = 0; i < 3; i++)
		finish(&r, 4, i);
	/* Each uses one processor-second, user 3 two, entitled to two more. */
	for (i = 0; i < 3; i++) {
		submit(&r, 4 + i, i, 3, 1);
		TEST_EQ(fair_relshare_share(&r, 4 + i, 3, 0), 0);
		finish(&r, 4 + i, i);
		submit(&r, 4 + i, i, i, 1);
		TEST_EQ(fair_relshare_share(&r, 4 + i, i, 0), 0);
		start(&r, 4 + i, i, 5 + i);
		finish(&r, 5 + i, i);
	}
	submit(&r, 7, 9, 3, 1);
	start(&r, 7, 9, 8);
	finish(&r, 8, 9);
	TEST_EQ(entitlement(&r, 0, 8), 1);
	TEST_EQ(entitlement(&r, 3, 8), 1);
	TEST_EQ(fair_relshare_compare(&r, 0, 3, NULL), 0);
	TEST_EQ(fair_relshare_compare(&r, 3, 0, NULL), 0);
	TEST_EQ(fair_relshare_compare(&r, 1, 2, NULL), 0);
	/* One second more of 2^-20 of a processor is no tie. */
	TEST_EQ(fair_relshare_share(&r, 8, 0, 1), 0);
	TEST_EQ(fair_relshare_share(&r, 8, 3, FAIR_RELSHARE_SHARES - 1), 0);
	submit(&r, 8, 0, 0, 1);
	submit(&r, 8, 9, 3, 1);
	TEST_EQ(fair_relshare_advance(&r, 9), 0);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), -1);
	TEST_EQ(fair_relshare_compare(&r, 3, 0, NULL), -1);
}

/* Usage and entitlement of half a window of 2^50 s: products beyond 2^64. */
TEST(long_windows)
{
	const int64_t half = INT64_C(1) << 49;
	struct fair_relshare r;

	machine(&r, 2, 8, 2 * half);
	submit(&r, 0, 0, 0, 4);
	submit(&r, 0, 1, 1, 4);
	start(&r, 0, 0, 2 * half);
	start(&r, 10, 1, 2 * half);
	TEST_EQ(fair_relshare_advance(&r, half), 0);
	TEST_CHECK(fair_relshare_compare(&r, 0, 1, NULL) > 0);
	TEST_CHECK(fair_relshare_compare(&r, 1, 0, NULL) < 0);
}

/* 2^45 processors are requested, for one share of 2^20: their product is 2^65. */
TEST(large_requests)
{
	struct fair_relshare_config c = plain(2, INT32_MAX, 100);
	struct fair_relshare r;
	uint64_t whole = 0;
	uint32_t i, user;
	void *memory;

	c.jobs = 20000;
	memory = malloc(fair_relshare_size(&c));
	TEST_REQUIRE(memory);
	for (user = 0; user < 2; user++) {
		TEST_OK(fair_relshare_init(&r, sizeof(r), memory,
					   fair_relshare_size(&c), &c));
		TEST_EQ(fair_relshare_share(&r, 0, 1 - user, 1 << 20), 0);
		TEST_EQ(fair_relshare_submit(&r, 0, 0, 1 - user, 5), 0);
		for (i = 1; i <= 1 << 14; i++)
			TEST_OK(fair_relshare_submit(&r, 0, i, user,
						     INT32_MAX));
		TEST_EQ(fair_relshare_entitled(&r, 1 - user, &whole, NULL), 0);
		TEST_EQ(whole, 5);
		TEST_EQ(fair_relshare_entitled(&r, user, &whole, NULL), 0);
		TEST_EQ(whole, INT32_MAX - 5);
		/* The user that wants little finds its place again. */
		TEST_EQ(fair_relshare_submit(&r, 0, i, 1 - user, 2), 0);
		TEST_EQ(fair_relshare_entitled(&r, 1 - user, &whole, NULL), 0);
		TEST_EQ(whole, 7);
		TEST_EQ(fair_relshare_check(&r), 0);
	}
	free(memory);
}

TEST(signs_of_differences)
{
	const uint64_t big = UINT64_C(1) << 32;

	/* The upper words decide first: 2^64 and 5, 2^65 and 2^64 + 2^32. */
	TEST_EQ(fair_relshare_cross(big, big, 1, 5), 1);
	TEST_EQ(fair_relshare_cross(1, 5, big, big), -1);
	TEST_EQ(fair_relshare_cross(2 * big, big, big + 1, big), 1);
	TEST_EQ(fair_relshare_cross(3, 5, 2, 7), 1);
	TEST_EQ(fair_relshare_cross(2, 7, 3, 5), -1);
	TEST_EQ(fair_relshare_cross(2, 6, 3, 4), 0);
}

TEST(carries)
{
	struct fair_relshare_wide a = { { UINT64_MAX, 1, 0 } };

	/* (2^64 + 2^64 - 1) (2^63 + 1) = 2^128 + 2^64 + 2^63 - 1 */
	TEST_EQ(fair_relshare_times(&a, (UINT64_C(1) << 63) + 1), 0);
	TEST_CHECK(a.word[0] == (UINT64_C(1) << 63) - 1);
	TEST_CHECK(a.word[1] == 1 && a.word[2] == 1);
}

/* The least word may decide; equal ones say nothing. */
TEST(products)
{
	struct fair_relshare_product a = { 1, { { 1, 5, 5 } } }, b = a;

	TEST_CHECK(!fair_relshare_is_greater(&a, &b));
	b.low.word[0] = 2;
	TEST_CHECK(!fair_relshare_is_greater(&a, &b) &&
		   fair_relshare_is_greater(&b, &a));
	b.low.word[1] = 4;
	TEST_CHECK(fair_relshare_is_greater(&a, &b) &&
		   !fair_relshare_is_greater(&b, &a));
	b.high = 2;
	TEST_CHECK(!fair_relshare_is_greater(&a, &b) &&
		   fair_relshare_is_greater(&b, &a));
}

/* Above by more than s T usage = 3 * 5 * 7, also where that carries. */
TEST(certainly_above)
{
	struct fair_relshare_product a = { 1, { { 105, 0, 0 } } };
	struct fair_relshare_product b = { 1, { { 0, 0, 0 } } };
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	TEST_EQ(r.most_share, 1);
	r.most_share = 3;
	r.begin = 1000;
	r.now = 1005;
	r.elapsed = 5;
	TEST_CHECK(!fair_relshare_is_certainly_greater(&r, &a, b, 7));
	a.low.word[0]++;
	TEST_CHECK(fair_relshare_is_certainly_greater(&r, &a, b, 7));
	b.low.word[0] = b.low.word[1] = b.low.word[2] = UINT64_MAX;
	a.high = 2;
	a.low.word[0] = 104;
	TEST_CHECK(!fair_relshare_is_certainly_greater(&r, &a, b, 7));
	a.low.word[0]++;
	TEST_CHECK(fair_relshare_is_certainly_greater(&r, &a, b, 7));
	/* s T of more than a word: 2^20 * 2^58 */
	b.low.word[0] = b.low.word[1] = b.low.word[2] = 0;
	a = b;
	a.low.word[1] = UINT64_C(1) << 14;
	r.most_share = 1 << 20;
	r.elapsed = UINT64_C(1) << 58;
	r.now = r.begin + (INT64_C(1) << 58);
	TEST_CHECK(!fair_relshare_is_certainly_greater(&r, &a, b, 1));
	a.low.word[0]++;
	TEST_CHECK(fair_relshare_is_certainly_greater(&r, &a, b, 1));
}

/* Events of many users, at random, against the model. */
struct crowd {
	struct fair_relshare r;
	struct model_relshare *m;
	uint64_t random;
	uint32_t users, jobs;
	int64_t now, busy;
	int state[512];
	int32_t procs[512];
};

static void crowd_event(struct crowd *c)
{
	uint32_t slot = (uint32_t)test_range(&c->random, 0, c->jobs - 1);
	uint32_t user = (uint32_t)test_range(&c->random, 0, c->users - 1);
	int64_t end = c->now + test_range(&c->random, 0, 3000);
	bool fits = c->busy + c->procs[slot] <= 100;

	if (c->state[slot] == 0) {
		c->procs[slot] = (int32_t)test_range(&c->random, 1, 16);
		TEST_OK(fair_relshare_submit(&c->r, c->now, slot, user,
					     c->procs[slot]));
		model_relshare_submit(c->m, slot, user, c->procs[slot]);
		c->state[slot] = 1;
	} else if (c->state[slot] == 1 && fits) {
		TEST_EQ(fair_relshare_start(&c->r, c->now, slot, end), 0);
		model_relshare_start(c->m, slot, end);
		c->busy += c->procs[slot];
		c->state[slot] = 2;
	} else if (c->state[slot] == 2) {
		TEST_EQ(fair_relshare_finish(&c->r, c->now, slot), 0);
		model_relshare_finish(c->m, slot);
		c->busy -= c->procs[slot];
		c->state[slot] = 0;
	}
}

static void crowd_compare(struct crowd *c)
{
	uint32_t a = (uint32_t)test_range(&c->random, 0, c->users - 1), b;
	uint64_t whole = 0, fraction = 0;
	int64_t u = usage(&c->r, a, NULL), v;

	TEST_EQ(u, model_relshare_usage(c->m, a));
	TEST_EQ(used(&c->r, a, c->now), model_relshare_used(c->m, a));
	TEST_OK(fair_relshare_entitlement(&c->r, a, c->now, &whole, &fraction));
	TEST_CHECK(model_relshare_near(c->m, a, whole, fraction));
	for (b = 0; b < c->users; b++) {
		v = usage(&c->r, b, NULL);
		TEST_EQ(fair_relshare_compare(&c->r, a, b, NULL),
			model_relshare_compare(c->m, a, u, b, v));
	}
}

static void crowd_of(uint32_t users, uint32_t most_share, int events)
{
	struct fair_relshare_config config = plain(users, 100, 7200);
	static unsigned char room[1 << 17];
	struct crowd c;
	uint32_t share, i;

	memset(&c, 0, sizeof(c));
	c.users = users;
	c.jobs = config.jobs = 2 * users;
	TEST_REQUIRE(!fair_relshare_init(&c.r, sizeof(c.r), room, sizeof(room),
					 &config));
	c.m = model_relshare_new(users, c.jobs, 100, 0, 7200, 0, 1000);
	for (i = 0; i < users; i++) {
		share = (uint32_t)test_range(&c.random, 1, most_share);
		TEST_EQ(fair_relshare_share(&c.r, 0, i, share), 0);
		model_relshare_share(c.m, i, share);
	}
	while (events--) {
		c.now += test_range(&c.random, 0, 3)
				 ? 0
				 : test_range(&c.random, 0, 300);
		TEST_EQ(fair_relshare_advance(&c.r, c.now), 0);
		model_relshare_advance(c.m, c.now);
		crowd_event(&c);
		crowd_compare(&c);
	}
	TEST_EQ(fair_relshare_check(&c.r), 0);
	model_relshare_free(c.m);
}

TEST(crowd_of_equals)
{
	crowd_of(200, 1, 1500);
}

TEST(crowd_with_shares)
{
	crowd_of(60, 16, 1500);
}

/*
 * k users share 7 processors for k seconds, k = 1 .. 60, after each other: each
 * is entitled to 7 processor-seconds, however they add up, and uses 1.
 */
static void shared_out(struct fair_relshare *r, int64_t *now, uint32_t first,
		       uint32_t users)
{
	uint32_t i;

	for (i = 0; i < users; i++)
		TEST_EQ(fair_relshare_submit(r, *now, i, first + i, 7), 0);
	*now += users;
	for (i = 0; i < users; i++)
		TEST_EQ(fair_relshare_finish(r, *now, i), 0);
	for (i = 0; i < users; i++, ++*now) {
		TEST_EQ(fair_relshare_share(r, *now, first + i, 0), 0);
		TEST_EQ(fair_relshare_submit(r, *now, 0, first + i, 1), 0);
		TEST_EQ(fair_relshare_start(r, *now, 0, *now + 1), 0);
		TEST_EQ(fair_relshare_finish(r, *now + 1, 0), 0);
	}
}

TEST(many_ties)
{
	struct fair_relshare_config config = plain(1830, 7, DAY);
	static unsigned char room[1 << 18];
	struct fair_relshare r;
	uint32_t first = 0, i;
	int64_t now = 0;

	TEST_REQUIRE(!fair_relshare_init(&r, sizeof(r), room, sizeof(room),
					 &config));
	for (i = 1; i <= 60; first += i++)
		shared_out(&r, &now, first, i);
	TEST_EQ(fair_relshare_check(&r), 0);
	for (i = 0; i < first; i++) {
		TEST_EQ(entitlement(&r, i, now), 7);
		TEST_EQ(fair_relshare_compare(&r, 0, i, NULL), 0);
		TEST_EQ(fair_relshare_compare(&r, i, 1829 - i, NULL), 0);
	}
	/* A millionth of a processor-second more, and no tie. */
	TEST_EQ(fair_relshare_share(&r, now, 0, FAIR_RELSHARE_SHARES), 0);
	TEST_EQ(fair_relshare_share(&r, now, 1, 1), 0);
	submit(&r, now, 0, 0, 7);
	submit(&r, now, 1, 1, 7);
	TEST_EQ(fair_relshare_advance(&r, now + 1), 0);
	TEST_EQ(fair_relshare_compare(&r, 1, 2, NULL), -1);
	TEST_EQ(fair_relshare_compare(&r, 2, 1, NULL), 1);
}

/* @users, from @first on, each want all of the machine until @end. */
static void rivals(struct fair_relshare *r, uint32_t first, uint32_t users,
		   int64_t now, int64_t end)
{
	uint32_t i;

	for (i = first; i < first + users; i++)
		submit(r, now, i, i, (int32_t)r->procs);
	for (i = first; i < first + users; i++)
		finish(r, end, i);
}

/* The user runs for @seconds on the whole machine, entitled to nothing. */
static void runs(struct fair_relshare *r, uint32_t user, int64_t now,
		 int64_t seconds)
{
	TEST_EQ(fair_relshare_share(r, now, user, 0), 0);
	submit(r, now, user, user, (int32_t)r->procs);
	start(r, now, user, now + seconds);
	finish(r, now + seconds, user);
}

static void ties(const struct fair_relshare *r, uint32_t a, uint32_t b)
{
	TEST_EQ(fair_relshare_compare(r, a, b, NULL), 0);
	TEST_EQ(fair_relshare_compare(r, b, a, NULL), 0);
}

/* 1000 shares each: what the level lacks counts a thousand times. */
TEST(ties_with_shares)
{
	struct fair_relshare r;
	uint32_t i;

	machine(&r, 4, 7, DAY);
	for (i = 0; i < 3; i++)
		TEST_EQ(fair_relshare_share(&r, 0, i, 1000), 0);
	rivals(&r, 0, 3, 0, 3);
	rivals(&r, 3, 1, 3, 4);
	for (i = 0; i < 4; i++)
		runs(&r, i, 4 + i, 1);
	for (i = 0; i < 3; i++)
		ties(&r, i, 3);
}

/* 2^10 / 1 of a third of one processor, 2^30 / 2^20 of 2^20 processors. */
TEST(ties_at_different_scales)
{
	struct fair_relshare r;

	machine(&r, 4, 1, DAY);
	rivals(&r, 0, 3, 0, 3 << 10);
	runs(&r, 0, 3 << 10, 1);
	TEST_EQ(fair_relshare_capacity(&r, 3100, 1 << 20), 0);
	rivals(&r, 3, 1, 3100, 3100 + (1 << 10));
	runs(&r, 3, 5000, 1);
	TEST_EQ(entitlement(&r, 0, 5001), 1 << 10);
	TEST_EQ(entitlement(&r, 3, 5001), 1 << 30);
	ties(&r, 0, 3);
}

/* Products at a multiple of 2^64, which one of the two just misses. */
TEST(ties_beyond_64_bits)
{
	struct fair_relshare r;

	machine(&r, 4, 1 << 20, INT64_C(1) << 38);
	rivals(&r, 0, 3, 0, 3 << 20);
	rivals(&r, 3, 1, 3 << 20, 4 << 20);
	runs(&r, 0, 4 << 20, 16);
	runs(&r, 3, 5 << 20, 16);
	TEST_EQ(entitlement(&r, 0, 6 << 20), INT64_C(1) << 40);
	ties(&r, 0, 3);
}
