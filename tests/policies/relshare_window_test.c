/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Relative share whose windows, or half-life, change: what users were entitled
 * to and have used stays, and what no ledger has room for is refused.
 */
#define FAIRSCHED_STATIC
#define FAIR_RELSHARE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "tests/relative.h"

static uint64_t used_by(const struct fair_relshare *r, uint32_t user)
{
	uint64_t n = UINT64_MAX;

	TEST_EQ(fair_relshare_used(r, user, r->now, &n), 0);
	return n;
}

static uint64_t entitled_to(const struct fair_relshare *r, uint32_t user)
{
	uint64_t n = UINT64_MAX;

	TEST_EQ(fair_relshare_entitlement(r, user, r->now, &n, NULL), 0);
	return n;
}

/* Three users, of whom 2 has a third of 100 s: 333.3 are 333 from then on. */
TEST(windows_of_a_day_become_hours)
{
	struct fair_relshare r;

	machine(&r, 3, 10, DAY);
	submit(&r, 0, 0, 0, 10);
	submit(&r, 0, 1, 1, 10);
	submit(&r, 0, 2, 2, 10);
	start(&r, 0, 0, 9000);
	TEST_EQ(fair_relshare_set_window(&r, 100, HOUR), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_begin(&r), 0);
	TEST_EQ(entitled_to(&r, 2), 333);
	TEST_EQ(used_by(&r, 0), 1000);
	TEST_EQ(fair_relshare_advance(&r, 400), 0);
	TEST_EQ(entitled_to(&r, 2), 1333);
	TEST_EQ(used_by(&r, 0), 4000);
	TEST_EQ(fair_relshare_advance(&r, HOUR), 0);
	TEST_EQ(entitled_to(&r, 2), 0);
	TEST_EQ(used_by(&r, 0), 0);
	TEST_EQ(fair_relshare_set_window(&r, 2 * HOUR + 5, 7 * HOUR), 0);
	TEST_EQ(fair_relshare_begin(&r), 0);
	TEST_EQ(used_by(&r, 0), 50);
	finish(&r, 2 * HOUR + 6, 0);
	TEST_EQ(used_by(&r, 0), 60);
	TEST_EQ(fair_relshare_advance(&r, 7 * HOUR - 1), 0);
	TEST_EQ(used_by(&r, 0), 60);
	TEST_EQ(fair_relshare_advance(&r, 7 * HOUR), 0);
	TEST_EQ(used_by(&r, 0), 0);
}

/* At 50 s a third of 10 processors is 166.7, which is 166 then, and 172.7 at 52 s;
 * the first window begins at 1000. */
TEST(entitlements_are_rounded_down)
{
	struct fair_relshare_config c = plain(3, 10, 100);
	struct fair_relshare r;
	uint32_t i;

	c.origin = 1000;
	make(&r, &c);
	for (i = 0; i < 3; i++)
		submit(&r, 1000, i, i, 10);
	start(&r, 1000, 0, 9000);
	TEST_EQ(fair_relshare_set_window(&r, 1050, 500), 0);
	TEST_EQ(used_by(&r, 0), 500);
	TEST_EQ(fair_relshare_advance(&r, 1052), 0);
	for (i = 0; i < 3; i++)
		TEST_EQ(entitled_to(&r, i), 172);
	TEST_EQ(fair_relshare_check(&r), 0);
}

TEST(usage_is_set_and_forgotten)
{
	struct fair_relshare r;

	machine(&r, 3, 10, 1000);
	submit(&r, 0, 0, 0, 10);
	start(&r, 0, 0, 9000);
	TEST_EQ(fair_relshare_set_used(&r, 50, 0, 7), 0);
	TEST_EQ(r.now, 50);
	TEST_EQ(used_by(&r, 0), 7);
	TEST_EQ(fair_relshare_set_used(&r, 49, 0, 8), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_set_used(&r, 50, 3, 8), -FAIR_EINVAL);
	TEST_EQ(used_by(&r, 0), 7);
	TEST_EQ(fair_relshare_set_used(&r, 60, 1, 9), 0);
	TEST_EQ(used_by(&r, 0), 107);
	TEST_EQ(fair_relshare_forget(&r, 60, 0), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_forget(&r, 60, 1), 0);
	TEST_EQ(used_by(&r, 1), 0);
	TEST_EQ(used_by(&r, 0), 107);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* What is not to be counted again keeps its proportion. */
TEST(half_life_keeps_the_order)
{
	static const int64_t half_life[] = { 1, 1 << 26, 3600, 60, 86400, 7 };
	struct fair_relshare_config c = plain(2, 16, DAY);
	struct fair_relshare r, fresh;
	double ratio, now, was;
	size_t i;

	c.decays = true;
	c.expected = false;
	make(&r, &c);
	submit(&r, 0, 0, 0, 16);
	submit(&r, 0, 1, 1, 16);
	start(&r, 0, 0, 5000);
	TEST_EQ(fair_relshare_advance(&r, 4000), 0);
	was = (double)used_by(&r, 0);
	ratio = (double)entitled_to(&r, 0) / was;
	for (i = 0; i < sizeof(half_life) / sizeof(*half_life); i++) {
		TEST_EQ(fair_relshare_set_window(&r, 4000, half_life[i]), 0);
		TEST_EQ(fair_relshare_check(&r), 0);
		now = (double)entitled_to(&r, 0) / (double)used_by(&r, 0);
		TEST_CHECK(now - ratio < 1e-4 && ratio - now < 1e-4);
		TEST_EQ(entitled_to(&r, 1), entitled_to(&r, 0));
		c.window = half_life[i];
		TEST_OK(fair_relshare_init(&fresh, sizeof(fresh), rooms[1],
					   sizeof(rooms[1]), &c));
		TEST_EQ(r.bits, fresh.bits);
	}
	TEST_EQ(fair_relshare_set_window(&r, 4000, DAY), 0);
	now = (double)used_by(&r, 0) / was;
	TEST_CHECK(now > 0.999 && now < 1.001);
	finish(&r, 4001, 0);
	TEST_EQ(fair_relshare_advance(&r, 5000), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}

TEST(refused)
{
	const int64_t most = INT64_C(1) << 59;
	struct fair_relshare_config c = plain(1, 8, 100);
	struct fair_relshare r;

	make(&r, &c);
	TEST_EQ(fair_relshare_advance(&r, 50), 0);
	TEST_EQ(fair_relshare_set_window(&r, 49, 10), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_set_window(&r, 50, 0), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_set_window(&r, 50, most / 8 + 1),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_capacity(&r, 50, 16), 0);
	TEST_EQ(fair_relshare_set_window(&r, 50, most / 16 + 1),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_capacity(&r, 50, 0), 0);
	TEST_EQ(fair_relshare_set_window(&r, 50, most / 8), 0);
	TEST_EQ(fair_relshare_set_used(&r, 50, 0, (uint64_t)most), 0);
	TEST_EQ(fair_relshare_set_window(&r, 50, 100), -FAIR_EOVERFLOW);
	TEST_EQ(used_by(&r, 0), most);
	TEST_EQ(fair_relshare_check(&r), 0);
	/* The first window began before the first time. */
	c.origin = -FAIR_RELSHARE_TIME;
	c.window = 4;
	make(&r, &c);
	TEST_EQ(fair_relshare_set_window(&r, c.origin, 8), 0);
	TEST_EQ(fair_relshare_set_window(&r, c.origin, 7), -FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* A second may count 2^27 times as much. */
TEST(no_room_for_a_half_life)
{
	struct fair_relshare_config c = plain(1, 1 << 20, 1 << 26);
	struct fair_relshare r;

	c.decays = true;
	c.expected = false;
	make(&r, &c);
	TEST_EQ(fair_relshare_set_window(&r, 0, (1 << 26) + 1), -FAIR_EINVAL);
	submit(&r, 0, 0, 0, 1 << 20);
	start(&r, 0, 0, 1 << 26);
	TEST_EQ(fair_relshare_set_window(&r, 1 << 25, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_set_window(&r, 1 << 25, 1 << 25), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	/* As of a damaged checkpoint: the ledger is a clock alone. */
	TEST_EQ(fair_usage_set(&r.usage, 0, r.now - r.zero,
			       UINT64_C(1) << 58, 0), 0);
	TEST_EQ(fair_relshare_set_window(&r, 1 << 25, 1 << 26),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* A second of the shortest half-life counts 2^26 times as much as one of this:
 * there is room for less than 2^58 / 2^26. */
TEST(the_most_that_a_half_life_has_room_for)
{
	struct fair_relshare_config c = plain(1, 1, 1 << 26);
	struct fair_relshare r;

	c.decays = true;
	c.expected = false;
	make(&r, &c);
	r.user[0].used = UINT64_C(1) << 32;
	TEST_EQ(fair_relshare_set_window(&r, 0, 1), -FAIR_EOVERFLOW);
	r.user[0].used--;
	TEST_EQ(fair_relshare_set_window(&r, 0, 1), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* Of a job that runs beyond its planned end no more is expected. */
TEST(a_job_beyond_its_end)
{
	struct fair_relshare r;

	machine(&r, 1, 10, 100);
	submit(&r, 0, 0, 0, 10);
	start(&r, 0, 0, 5);
	TEST_EQ(fair_relshare_set_window(&r, 130, 60), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_begin(&r), 120);
	TEST_EQ(fair_relshare_usage_of(&r, 0, NULL), 300);
	TEST_EQ(fair_relshare_advance(&r, 140), 0);
	TEST_EQ(fair_relshare_usage_of(&r, 0, NULL), 300);
	TEST_EQ(used_by(&r, 0), 400);
}
