/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Relative share with a half-life: what a second counts, what is carried over
 * the end of a window, and that it is the decay of the definition.
 */
#define FAIRSCHED_STATIC
#define FAIR_RELSHARE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "tests/relative.h"

#include <math.h>

static struct fair_relshare_config decaying(uint32_t users, int32_t procs,
					    int64_t half_life)
{
	struct fair_relshare_config c = plain(users, procs, half_life);

	c.decays = true;
	c.expected = false;
	return c;
}

static double unit(const struct fair_relshare *r)
{
	return ldexp(1, (int)r->bits);
}

/* The G of the manual, of each second of a window. */
TEST(growth_is_that_of_the_manual)
{
	static const int64_t half_life[] = { 1,	 2,    7,     60,
					     64, 255, 3600, 86400 };
	struct fair_relshare_config c;
	struct fair_relshare r;
	int64_t x, h, got, want, all;
	size_t i, differ = 0;

	for (i = 0; i < sizeof(half_life) / sizeof(*half_life); i++) {
		h = half_life[i];
		c = decaying(1, 1, h);
		make(&r, &c);
		TEST_EQ(r.bits, 27 - (int)floor(log2((double)h)));
		all = (int64_t)floorl(
			ldexpl((long double)h / logl(2.0L), (int)r.bits));
		TEST_EQ(fair_relshare_elapsed(&r, h), all);
		for (x = 0; x < h; x++) {
			want = (int64_t)floorl(
				       ldexpl((long double)h / logl(2.0L) *
						      exp2l((long double)x /
							    (long double)h),
					      (int)r.bits)) -
			       all;
			got = (int64_t)fair_relshare_elapsed(&r, x);
			differ += got != (want < all ? want : all);
		}
	}
	TEST_EQ(differ, 0);
}

/* One job of 4 of 8 processors for 1000 s, then nothing: E and U are alike, and
 * decay by 2^(-t / h). */
TEST(usage_decays)
{
	struct fair_relshare_config c = decaying(2, 8, 600);
	const double factor = 600 / log(2);
	uint64_t used = 0, e = 0, fraction = 0, last;
	struct fair_relshare r;
	double want;
	int64_t t;

	make(&r, &c);
	submit(&r, 100, 0, 0, 4);
	start(&r, 100, 0, 1100);
	finish(&r, 1100, 0);
	for (t = 1100; t < 9000; t += 37) {
		TEST_EQ(fair_relshare_advance(&r, t), 0);
		TEST_EQ(fair_relshare_check(&r), 0);
		TEST_OK(fair_relshare_used(&r, 0, t, &used));
		TEST_OK(fair_relshare_entitlement(&r, 0, t, &e, &fraction));
		/* At the begin of the window. */
		want = 4 * factor *
		       (exp2((double)(1100 - fair_relshare_begin(&r)) / 600) -
			exp2((double)(100 - fair_relshare_begin(&r)) / 600));
		TEST_EQ(fabs((double)used / unit(&r) - want) < 0.001, 1);
		TEST_EQ(fabs((double)e / unit(&r) - want) < 0.001, 1);
	}
	for (last = used; t < 70 * 600; t += 600, last = used) {
		TEST_EQ(fair_relshare_advance(&r, t), 0);
		TEST_OK(fair_relshare_used(&r, 0, t, &used));
		TEST_CHECK(used <= last);
	}
	/* 64 half-lives leave nothing. */
	TEST_EQ(fair_relshare_advance(&r, 60000), 0);
	TEST_OK(fair_relshare_used(&r, 0, 60000, &used));
	TEST_OK(fair_relshare_entitlement(&r, 0, 60000, &e, &fraction));
	TEST_EQ(used, 0);
	TEST_EQ(e, 0);
	TEST_EQ(fraction, 0);
}

/* Whether windows pass one by one, or a thousand at once. */
TEST(windows_may_be_skipped)
{
	struct fair_relshare_config c = decaying(3, 100, 60);
	static unsigned char room[1 << 16];
	struct fair_relshare r, slow;
	uint64_t x[2] = { 0, 0 }, y[2] = { 0, 0 }, used[2] = { 0, 0 };
	int64_t t;
	uint32_t i;

	make(&r, &c);
	for (i = 0; i < 3; i++)
		submit(&r, 10, i, i, 30 + (int32_t)i);
	start(&r, 17, 1, 100000000);
	/* The entitlement of user 2 is what it is before its usage is. */
	TEST_OK(fair_relshare_share(&r, 17, 2, 0));
	start(&r, 17, 2, 100000000);
	TEST_OK(fair_relshare_clone(&slow, room, sizeof(room), &r, NULL));
	for (t = 60; t <= 60000; t += 60)
		TEST_EQ(fair_relshare_advance(&slow, t), 0);
	TEST_EQ(fair_relshare_advance(&slow, 60011), 0);
	TEST_EQ(fair_relshare_advance(&r, 60011), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	for (i = 0; i < 3; i++) {
		TEST_OK(fair_relshare_entitlement(&r, i, 60011, x, x + 1));
		TEST_OK(fair_relshare_entitlement(&slow, i, 60011, y, y + 1));
		TEST_EQ(x[0], y[0]);
		TEST_EQ(x[1], y[1]);
		TEST_OK(fair_relshare_used(&r, i, 60011, used));
		TEST_OK(fair_relshare_used(&slow, i, 60011, used + 1));
		TEST_EQ(used[0], used[1]);
	}
	/* As many processors for ever: h / ln 2 times as many. */
	TEST_OK(fair_relshare_used(&r, 1, 60011, used));
	TEST_EQ(fabs((double)used[0] / unit(&r) / exp2(11.0 / 60) -
		     31 * 60 / log(2)) < 0.01,
		1);
	/* And the present windows of 136 years later, at once. */
	TEST_EQ(fair_relshare_advance(&r, (int64_t)1 << 32), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* Also where the second of an arrival counts nothing, by half of a processor. */
TEST(windows_may_be_skipped_from_their_last_second)
{
	const int64_t half_life = 1 << 26;
	struct fair_relshare_config c = decaying(2, 1, half_life);
	static unsigned char room[1 << 16];
	struct fair_relshare r, slow;
	uint64_t x = 0, y = 0;
	int64_t t;

	make(&r, &c);
	submit(&r, 0, 0, 0, 1);
	submit(&r, half_life - 1, 1, 1, 1);
	TEST_OK(fair_relshare_clone(&slow, room, sizeof(room), &r, NULL));
	for (t = half_life; t <= 5 * half_life; t += half_life)
		TEST_EQ(fair_relshare_advance(&slow, t), 0);
	TEST_EQ(fair_relshare_advance(&r, 5 * half_life), 0);
	TEST_OK(fair_relshare_entitlement(&r, 1, 5 * half_life, &x, NULL));
	TEST_OK(fair_relshare_entitlement(&slow, 1, 5 * half_life, &y, NULL));
	TEST_CHECK(x > 0);
	TEST_EQ(x, y);
}

/* Usage of windows before, which were not looked at, is that of now. */
TEST(a_user_comes_back)
{
	struct fair_relshare_config c = decaying(2, 8, 600);
	struct fair_relshare r;
	int64_t was;

	make(&r, &c);
	submit(&r, 0, 0, 0, 4);
	start(&r, 0, 0, 600);
	finish(&r, 500, 0);
	TEST_EQ(fair_relshare_advance(&r, 1900), 0);
	was = used(&r, 0, 1900);
	TEST_CHECK(was > 0);
	submit(&r, 1900, 0, 0, 4);
	TEST_EQ(used(&r, 0, 1900), was);
	finish(&r, 1900, 0);
	TEST_EQ(fair_relshare_forget(&r, 1900, 0), 0);
	TEST_EQ(used(&r, 0, 1900), 0);
}

/* A heavy user is forgotten by a window, and remembered by a half-life. */
TEST(it_is_not_forgotten)
{
	struct fair_relshare_config c = decaying(2, 10, 1000);
	struct fair_relshare r;
	int i;

	for (i = 0; i < 2; i++) {
		c.decays = i;
		make(&r, &c);
		submit(&r, 0, 0, 0, 10);
		submit(&r, 0, 1, 1, 10);
		start(&r, 0, 0, 990);
		finish(&r, 990, 0);
		submit(&r, 1000, 0, 0, 10);
		start(&r, 1000, 1, 1010);
		finish(&r, 1010, 1);
		TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), i ? 1 : -1);
	}
}

TEST(a_half_life_has_bounds)
{
	struct fair_relshare_config c =
		decaying(1, INT32_MAX, FAIR_RELSHARE_HALF_LIFE);
	uint64_t used = 0;
	struct fair_relshare r;
	int64_t t;

	make(&r, &c);
	submit(&r, 0, 0, 0, INT32_MAX);
	start(&r, 0, 0, (int64_t)1 << 60);
	/* All processors for ever: usage stays below 2^61. */
	for (t = 1; t < (int64_t)1 << 60; t *= 2)
		TEST_EQ(fair_relshare_advance(&r, t), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_OK(fair_relshare_used(&r, 0, fair_relshare_begin(&r) + c.window,
				   &used));
	TEST_EQ(used < UINT64_C(1) << 61, 1);
	c.window++;
	TEST_EQ(fair_relshare_size(&c), 0);
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], sizeof(rooms[0]),
				   &c),
		-FAIR_EINVAL);
}
