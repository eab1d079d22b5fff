/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Relative share [RS]: users are entitled to a share of the machine while they
 * have jobs, up to what they request, and the largest ratio of entitlement to
 * usage within the window goes first.
 */
#define FAIRSCHED_STATIC
#include "tests/relative.h"

static int64_t usage(const struct fair_relshare *r, uint32_t user,
		     const struct fair_relshare_reserved *reserved)
{
	return (int64_t)fair_relshare_usage_of(r, user, reserved);
}

/* The example of the manual, returning user 1's entitlement. */
static uint64_t example(int *order)
{
	static unsigned char memory[4096];
	struct fair_relshare r;
	uint64_t whole = 0, fraction = 0;
	struct fair_relshare_config config = { .users = 3,
					       .jobs = 16,
					       .procs = 30,
					       .window = 86400,
					       .expected = true };

	fair_relshare_init(&r, sizeof(r), memory, sizeof(memory), &config);

	fair_relshare_submit(&r, 0, 7, 0,
			     20); /* job 7: user 0, 20 processors */
	fair_relshare_submit(&r, 0, 8, 1, 20);
	fair_relshare_submit(&r, 0, 9, 2, 20);
	fair_relshare_start(&r, 0, 7, 1200); /* it runs until 1200 */
	fair_relshare_finish(&r, 1200, 7);
	fair_relshare_entitlement(&r, 1, 3600, &whole, &fraction);
	*order = fair_relshare_compare(&r, 1, 2, NULL);
	return whole + fraction;
}

TEST(example_of_the_manual)
{
	int order = 7;

	TEST_EQ(example(&order), 48000);
	TEST_EQ(order, 0);
}

/*
 * [RS III-C]: "10 nodes in a 20-minute period, and 15 nodes in the next 40
 * minutes": 800 node-minutes or about 13.3 node-hours.
 */
TEST(rs_worked_number)
{
	struct fair_relshare r;
	char text[32];
	uint32_t i;

	machine(&r, 3, 30, DAY);
	for (i = 0; i < 3; i++)
		submit(&r, 0, i, i, 30);
	TEST_EQ(entitled(&r, 1), 10);
	finish(&r, 20 * 60, 0);
	TEST_EQ(entitled(&r, 1), 15);
	TEST_EQ(entitlement(&r, 1, HOUR), 800 * 60);
	snprintf(text, sizeof(text), "%.1f",
		 (double)entitlement(&r, 1, HOUR) / HOUR);
	TEST_CHECK(!strcmp(text, "13.3"));
}

/* 128 * share / total: 128 nodes, 4 users, then 1:2:5. */
TEST(rs_initial_nodes)
{
	struct fair_relshare r;
	uint32_t i;

	machine(&r, 4, 128, DAY);
	for (i = 0; i < 4; i++)
		submit(&r, 0, i, i, 128);
	for (i = 0; i < 4; i++)
		TEST_EQ(entitled(&r, i), 32);
	finish(&r, 0, 3);
	TEST_EQ(fair_relshare_share(&r, 0, 1, 2), 0);
	TEST_EQ(fair_relshare_share(&r, 0, 2, 5), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(entitled(&r, 0), 16);
	TEST_EQ(entitled(&r, 1), 32);
	TEST_EQ(entitled(&r, 2), 80);
	TEST_EQ(entitled(&r, 3), 0);
}

/*
 * "recursively computed for the remaining active users and remaining nodes":
 * 128 / 4 = 32 resets a to 4, 124 / 3 = 41.3 resets b to 40, and c, d get 42.
 */
TEST(rs_recursion)
{
	struct fair_relshare r;
	static const int32_t procs[4] = { 4, 40, 64, 128 };
	uint32_t i;

	machine(&r, 4, 128, DAY);
	for (i = 0; i < 4; i++)
		submit(&r, 0, i, i, procs[i]);
	TEST_EQ(entitled(&r, 0), 4);
	TEST_EQ(entitled(&r, 1), 40);
	TEST_EQ(entitled(&r, 2), 42);
	TEST_EQ(entitled(&r, 3), 42);
	/* Waiting or running: its jobs together. */
	submit(&r, 0, 9, 0, 60);
	start(&r, 0, 0, 100);
	TEST_EQ(entitled(&r, 0), 32);
	TEST_EQ(entitled(&r, 1), 32);
}

/*
 * [RS V-A]: "if a job, requiring 1 node and 10 hours, was submitted 1 hour
 * before the end of the day, the job could receive at most one node-hour today"
 * - as expected usage, running or reserved.
 */
TEST(rs_only_this_day)
{
	struct fair_relshare_reserved x = { 0, 1, 23 * HOUR, 10 * HOUR };
	struct fair_relshare r;

	machine(&r, 1, 128, DAY);
	submit(&r, 23 * HOUR, 0, 0, 1);
	TEST_EQ(usage(&r, 0, &x), HOUR);
	x.start = 23 * HOUR + HOUR / 2;
	TEST_EQ(usage(&r, 0, &x), HOUR / 2);
	x.start = DAY;
	TEST_EQ(usage(&r, 0, &x), 0);
	x.start = 0; /* due, but not yet started */
	TEST_EQ(usage(&r, 0, &x), HOUR);
	x.walltime = 60;
	TEST_EQ(usage(&r, 0, &x), 60);
	start(&r, 23 * HOUR, 0, 33 * HOUR);
	TEST_EQ(usage(&r, 0, NULL), HOUR);
	TEST_EQ(fair_relshare_advance(&r, DAY), 0);
	TEST_EQ(usage(&r, 0, NULL), 9 * HOUR);
}

TEST(without_expected_usage)
{
	struct fair_relshare_config config = plain(2, 10, DAY);
	struct fair_relshare_reserved x = { 0, 1, 0, 100 };
	struct fair_relshare r;

	config.expected = false;
	make(&r, &config);
	submit(&r, 0, 0, 0, 4);
	start(&r, 0, 0, 1000);
	TEST_EQ(usage(&r, 0, &x), 0);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, &x), 0);
	TEST_EQ(fair_relshare_advance(&r, 100), 0);
	TEST_EQ(usage(&r, 0, &x), 400);
}

/* A job that ends early, is replanned, requeued, outlives its planned end. */
TEST(usage_follows_jobs)
{
	struct fair_relshare r;

	machine(&r, 1, 10, 1000);
	submit(&r, 0, 0, 0, 4);
	start(&r, 100, 0, 300);
	TEST_EQ(usage(&r, 0, NULL), 800);
	TEST_EQ(fair_relshare_plan(&r, 150, 0, 400), 0);
	TEST_EQ(usage(&r, 0, NULL), 1200);
	TEST_EQ(fair_relshare_plan(&r, 150, 0, 2000), 0);
	TEST_EQ(usage(&r, 0, NULL), 3600);
	TEST_EQ(fair_relshare_plan(&r, 150, 0, 200), 0);
	TEST_EQ(usage(&r, 0, NULL), 400);
	TEST_EQ(used(&r, 0, 150), 200);
	finish(&r, 160, 0);
	submit(&r, 160, 0, 0, 4);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(usage(&r, 0, NULL), 240);
	start(&r, 160, 0, 260);
	TEST_EQ(fair_relshare_advance(&r, 300), 0);
	TEST_EQ(usage(&r, 0, NULL), 640); /* up to 260 only */
	TEST_EQ(used(&r, 0, 300), 800);
	finish(&r, 310, 0);
	TEST_EQ(usage(&r, 0, NULL), 840);
	TEST_EQ(used(&r, 0, 1000), 840);
	TEST_EQ(fair_relshare_advance(&r, 1000), 0);
	TEST_EQ(used(&r, 0, 1000), 0);
}

/* E / U, largest first; a user without usage is before all others. */
TEST(largest_first)
{
	struct fair_relshare_reserved x = { 0, 10, 100, 10 };
	struct fair_relshare r;

	machine(&r, 3, 10, 1000);
	submit(&r, 0, 0, 0, 10);
	submit(&r, 0, 1, 1, 10);
	submit(&r, 0, 2, 0, 2);
	submit(&r, 0, 3, 1, 2);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), 0);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, &x), 1);
	TEST_EQ(fair_relshare_compare(&r, 1, 0, &x), -1);
	start(&r, 0, 2, 90);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), 1);
	start(&r, 0, 3, 90);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), 0); /* 0 / 180 both */
	TEST_EQ(fair_relshare_compare(&r, 0, 2, NULL), 1);
	finish(&r, 80, 2);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), -1); /* 400 / 160 */
	TEST_EQ(fair_relshare_compare(&r, 1, 0, NULL), 1);
	TEST_EQ(fair_relshare_compare(&r, 0, 0, NULL), 0);
}

/* 10 / 5 > 100 / 80, but 10 - 5 < 100 - 80; without usage E - 0 counts. */
TEST(by_difference)
{
	struct fair_relshare_config c = plain(3, 210, 1000);
	struct fair_relshare r;
	int by;

	for (by = 0; by < 2; by++) {
		c.difference = by;
		make(&r, &c);
		TEST_EQ(fair_relshare_share(&r, 0, 0, 1), 0);
		TEST_EQ(fair_relshare_share(&r, 0, 1, 10), 0);
		TEST_EQ(fair_relshare_share(&r, 0, 2, 10), 0);
		submit(&r, 0, 0, 0, 5);
		submit(&r, 0, 1, 0, 5);
		submit(&r, 0, 2, 1, 80);
		submit(&r, 0, 3, 1, 20);
		submit(&r, 0, 4, 2, 100);
		start(&r, 0, 0, 1);
		start(&r, 0, 2, 1);
		finish(&r, 1, 0);
		finish(&r, 1, 2);
		TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), by ? 1 : -1);
		TEST_EQ(fair_relshare_compare(&r, 1, 0, NULL), by ? -1 : 1);
		TEST_EQ(fair_relshare_compare(&r, 2, 0, NULL), -1);
		TEST_EQ(fair_relshare_compare(&r, 1, 2, NULL), 1);
	}
}

/* Windows begin at first + n * window, on both sides of 0. */
/* Nor does it help that it has used nothing. */
TEST(no_shares_come_last)
{
	struct fair_relshare r;
	int by;

	for (by = 0; by < 2; by++) {
		machine(&r, 3, 30, DAY);
		r.config.difference = by;
		TEST_EQ(fair_relshare_share(&r, 0, 1, 0), 0);
		submit(&r, 0, 0, 0, 30);
		submit(&r, 0, 1, 1, 30);
		start(&r, 0, 0, HOUR);
		finish(&r, HOUR, 0);
		TEST_EQ(fair_relshare_compare(&r, 0, 1, NULL), -1);
		TEST_EQ(fair_relshare_compare(&r, 1, 0, NULL), 1);
	}
}

TEST(windows_begin)
{
	struct fair_relshare_config config = plain(1, 4, 100);
	static const int64_t wants[][3] = {
		/* origin, first, begin */
		{ 0, 0, 0 },	   { 99, 0, 0 },    { 100, 0, 100 },
		{ 250, 30, 230 },  { 10, 30, -70 }, { -1, 0, -100 },
		{ -100, 0, -100 }, { 5, 1005, 5 },  { 4, 1005, -95 },
	};
	struct fair_relshare r;
	size_t i;

	for (i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		config.origin = wants[i][0];
		config.first = wants[i][1];
		make(&r, &config);
		TEST_EQ(fair_relshare_begin(&r), wants[i][2]);
		submit(&r, config.origin, 0, 0, 4);
		start(&r, config.origin, 0, config.origin + 1000);
		TEST_EQ(used(&r, 0, wants[i][2] + 100),
			4 * (wants[i][2] + 100 - config.origin));
		TEST_EQ(entitlement(&r, 0, wants[i][2] + 100),
			4 * (wants[i][2] + 100 - config.origin));
		/* Into the window after the next. */
		TEST_EQ(fair_relshare_advance(&r, wants[i][2] + 210), 0);
		TEST_EQ(fair_relshare_begin(&r), wants[i][2] + 200);
		TEST_EQ(used(&r, 0, wants[i][2] + 210), 40);
		TEST_EQ(entitlement(&r, 0, wants[i][2] + 210), 40);
		TEST_EQ(usage(&r, 0, NULL), 400);
		TEST_EQ(fair_relshare_check(&r), 0);
	}
}

/* A user idle since an earlier window has nothing left of it. */
TEST(idle_users_forget)
{
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	submit(&r, 0, 0, 0, 10);
	start(&r, 0, 0, 50);
	finish(&r, 50, 0);
	TEST_EQ(entitlement(&r, 0, 100), 500);
	TEST_EQ(fair_relshare_advance(&r, 250), 0);
	TEST_EQ(entitlement(&r, 0, 250), 0);
	TEST_EQ(used(&r, 0, 250), 0);
	submit(&r, 260, 0, 0, 10);
	TEST_EQ(entitlement(&r, 0, 270), 100);
}

/* dev of 1 h: user 0 used 30 processors and was entitled to 15. */
TEST(dev_in_hours)
{
	struct fair_relshare_config config = plain(2, 30, HOUR);
	struct fair_relshare r;

	config.origin = 100;
	config.first = 5000; /* a period that begins later */
	make(&r, &config);
	submit(&r, 100, 0, 0, 30);
	submit(&r, 100, 1, 1, 30);
	start(&r, 1000, 0, 9000);
	TEST_EQ(fair_relshare_advance(&r, 5000), 0);
	TEST_EQ(used(&r, 0, 5000 + HOUR) - entitlement(&r, 0, 5000 + HOUR),
		15 * HOUR);
	TEST_EQ(used(&r, 1, 5000 + HOUR) - entitlement(&r, 1, 5000 + HOUR),
		-15 * HOUR);
}

TEST(capacity_changes)
{
	struct fair_relshare r;

	machine(&r, 3, 30, DAY);
	submit(&r, 0, 0, 0, 30);
	submit(&r, 0, 1, 1, 30);
	submit(&r, 0, 2, 2, 8);
	start(&r, 0, 2, 100);
	TEST_EQ(entitled(&r, 0), 11);
	TEST_EQ(fair_relshare_capacity(&r, 10, 7), 0); /* 8 are in use */
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_capacity(&r, 10, 12), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(entitled(&r, 2), 4);
	TEST_EQ(fair_relshare_capacity(&r, 20, 40), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(entitled(&r, 0), 16);
	TEST_EQ(entitled(&r, 2), 8);
	TEST_EQ(entitlement(&r, 2, 30), 80 + 40 + 80);
	start(&r, 20, 0, 100);
	TEST_EQ(fair_relshare_capacity(&r, 20, 12), -FAIR_ERANGE);
	finish(&r, 20, 0);
	submit(&r, 20, 0, 0, 30);
	finish(&r, 20, 2);
	TEST_EQ(fair_relshare_capacity(&r, 20, 0), 0);
	TEST_EQ(entitled(&r, 0), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_capacity(&r, 20, INT32_MAX), 0);
	TEST_EQ(entitled(&r, 0), 30);
}

/* Of what a reservation says that makes no sense nothing is used. */
TEST(reserved_nothing)
{
	struct fair_relshare_reserved held = { 0, -1, 20, 50 };
	struct fair_relshare_config c = plain(2, 8, 100);
	struct fair_relshare r;

	c.expected = true;
	make(&r, &c);
	submit(&r, 0, 0, 0, 4);
	submit(&r, 0, 1, 1, 4);
	TEST_EQ(fair_relshare_compare(&r, 0, 1, &held), 0);
	held.procs = 1;
	held.walltime = -1;
	TEST_EQ(fair_relshare_compare(&r, 0, 1, &held), 0);
	held.walltime = 1;
	TEST_CHECK(fair_relshare_compare(&r, 0, 1, &held) > 0);
}

/* Job 1 waits again, and has nothing to come in the window of its end. */
TEST(waits_again)
{
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	submit(&r, 0, 1, 0, 4);
	start(&r, 0, 1, 250);
	finish(&r, 10, 1);
	submit(&r, 10, 1, 0, 4);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(r.busy, 0);
	TEST_EQ(fair_relshare_advance(&r, 210), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* A job may be planned to end at once; another plan is an event as well. */
TEST(ends_at_once)
{
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	submit(&r, 0, 1, 0, 4);
	start(&r, 0, 1, 0);
	TEST_EQ(fair_relshare_plan(&r, 10, 1, 10), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_advance(&r, 9), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_plan(&r, 10, 1, 20), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* As far from the window as times can be. */
TEST(reserved_for_ever)
{
	const struct fair_relshare_reserved never = { 0, 4, INT64_MAX, 10 };
	struct fair_relshare_config c = plain(2, 10, 100);
	struct fair_relshare r;

	c.origin = -(INT64_C(1) << 62);
	make(&r, &c);
	TEST_EQ(usage(&r, 0, &never), 0);
}

/* A copy goes its own way, under other slots. */
TEST(clones)
{
	static const uint32_t slot[3] = { 2, 0, 1 };
	struct fair_relshare r, copy;

	machine(&r, 2, 8, 1000);
	submit(&r, 10, 0, 0, 8);
	submit(&r, 10, 1, 1, 4);
	submit(&r, 10, 2, 1, 4);
	start(&r, 20, 1, 100);
	TEST_OK(fair_relshare_clone(&copy, rooms[1] + 1,
				    fair_relshare_size(&r.config), &r, slot));
	TEST_EQ(fair_relshare_check(&copy), 0);
	finish(&r, 30, 1);
	finish(&copy, 50, 0);
	start(&copy, 50, 2, 60);
	TEST_EQ(used(&r, 1, 60), 40);
	TEST_EQ(used(&copy, 1, 60), 120);
	TEST_EQ(used(&copy, 0, 60), 80);
	TEST_EQ(used(&r, 0, 60), 0);
	TEST_OK(fair_relshare_clone(&copy, rooms[1], sizeof(rooms[1]), &r,
				    NULL));
	TEST_EQ(fair_relshare_check(&copy), 0);
	start(&copy, 50, 2, 60);
	TEST_EQ(fair_relshare_plan(&r, 50, 2, 60), -FAIR_EINVAL);
}
