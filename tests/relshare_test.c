/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_RELSHARE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "policies/relshare.h"
#include "test.h"
#include "tests/model/relshare_model.h"
#include "tools/fairsched/shares.h"

#define HOUR 3600
#define DAY 86400

static unsigned char rooms[2][1 << 16];

static struct fair_relshare_config plain(uint32_t users, int32_t procs,
					 int64_t window)
{
	struct fair_relshare_config config = { 0 };

	config.users = users;
	config.jobs = 64;
	config.procs = procs;
	config.window = window;
	config.expected = true;
	return config;
}

static void make(struct fair_relshare *r,
		 const struct fair_relshare_config *config)
{
	TEST_EQ(fair_relshare_init(r, sizeof(*r), rooms[0], sizeof(rooms[0]),
				   config),
		0);
	TEST_EQ(fair_relshare_check(r), 0);
}

static void machine(struct fair_relshare *r, uint32_t users, int32_t procs,
		    int64_t window)
{
	struct fair_relshare_config config = plain(users, procs, window);

	make(r, &config);
}

static void submit(struct fair_relshare *r, int64_t now, uint32_t slot,
		   uint32_t user, int32_t procs)
{
	TEST_EQ(fair_relshare_submit(r, now, slot, user, procs), 0);
	TEST_EQ(fair_relshare_check(r), 0);
}

static void start(struct fair_relshare *r, int64_t now, uint32_t slot,
		  int64_t end)
{
	TEST_EQ(fair_relshare_start(r, now, slot, end), 0);
	TEST_EQ(fair_relshare_check(r), 0);
}

static void finish(struct fair_relshare *r, int64_t now, uint32_t slot)
{
	TEST_EQ(fair_relshare_finish(r, now, slot), 0);
	TEST_EQ(fair_relshare_check(r), 0);
}

/* -1 where it is not a whole number */
static int64_t entitlement(const struct fair_relshare *r, uint32_t user,
			   int64_t t)
{
	uint64_t whole = 0, fraction = 1;

	TEST_EQ(fair_relshare_entitlement(r, user, t, &whole, &fraction), 0);
	return fraction ? -1 : (int64_t)whole;
}

static int64_t entitled(const struct fair_relshare *r, uint32_t user)
{
	uint64_t whole = 0, fraction = 1;

	TEST_EQ(fair_relshare_entitled(r, user, &whole, &fraction), 0);
	return fraction ? -1 : (int64_t)whole;
}

static int64_t used(const struct fair_relshare *r, uint32_t user, int64_t t)
{
	uint64_t amount = 0;

	TEST_EQ(fair_relshare_used(r, user, t, &amount), 0);
	return (int64_t)amount;
}

static int64_t usage(const struct fair_relshare *r, uint32_t user,
		     const struct fair_relshare_reserved *reserved)
{
	uint64_t amount = 0;

	TEST_EQ(fair_relshare_usage(r, user, reserved, &amount), 0);
	return (int64_t)amount;
}

/* The example of the manual, returning user 1's entitlement. */
static uint64_t example(int *order)
{
	struct fair_relshare_config config = { 0 };
	static unsigned char memory[4096];
	struct fair_relshare r;
	uint64_t whole, fraction;

	config.users = 3;
	config.jobs = 16;
	config.procs = 30;
	config.window = 86400;
	config.expected = true;
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

static void example_of_the_manual(void)
{
	int order = 7;

	TEST_EQ(example(&order), 48000);
	TEST_EQ(order, 0);
}

/*
 * [RS III-C]: "10 nodes in a 20-minute period, and 15 nodes in the next 40
 * minutes": 800 node-minutes or about 13.3 node-hours.
 */
static void rs_worked_number(void)
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
static void rs_initial_nodes(void)
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
static void rs_recursion(void)
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
static void rs_only_this_day(void)
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

static void without_expected_usage(void)
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
static void usage_follows_jobs(void)
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
	TEST_EQ(fair_relshare_requeue(&r, 160, 0), 0);
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

/* E / U, largest first; nobody who has used nothing comes after. */
static void largest_first(void)
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

/*
 * User 3 is entitled to 1 processor for 1 s; users 0, 1, 2 to 1/3 for 3 s. In
 * binary thirds do not add up to 1, and yet they tie.
 */
static void exact_ties(void)
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

/* Windows begin at first + n * window, on both sides of 0. */
static void windows_begin(void)
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
static void idle_users_forget(void)
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
static void dev_in_hours(void)
{
	struct fair_relshare_config config = plain(2, 30, HOUR);
	struct fair_relshare r;
	uint64_t fraction = 1;
	int64_t dev = 0;

	config.origin = 100;
	config.first = 5000; /* a period that begins later */
	make(&r, &config);
	submit(&r, 100, 0, 0, 30);
	submit(&r, 100, 1, 1, 30);
	start(&r, 1000, 0, 9000);
	TEST_EQ(fair_relshare_advance(&r, 5000), 0);
	TEST_EQ(fair_relshare_dev(&r, 0, 5000 + HOUR, &dev, &fraction), 0);
	TEST_EQ(dev, 15 * HOUR);
	TEST_EQ(fraction, 0);
	TEST_EQ(fair_relshare_dev(&r, 1, 5000 + HOUR, &dev, NULL), 0);
	TEST_EQ(dev, -15 * HOUR);
}

/* A fraction of a processor-second, below 0: rounded down, and the rest. */
static void dev_rounds_down(void)
{
	struct fair_relshare r;
	uint64_t fraction = 0;
	int64_t dev = 0;
	uint32_t i;

	machine(&r, 3, 1, DAY);
	for (i = 0; i < 3; i++)
		submit(&r, 0, i, i, 1);
	TEST_EQ(fair_relshare_dev(&r, 0, 1, &dev, &fraction), 0);
	TEST_EQ(dev, -1);
	TEST_CHECK(fraction == UINT64_MAX / 3 * 2 + 1);
}

static void capacity_changes(void)
{
	struct fair_relshare r;

	machine(&r, 3, 30, DAY);
	submit(&r, 0, 0, 0, 30);
	submit(&r, 0, 1, 1, 30);
	submit(&r, 0, 2, 2, 8);
	start(&r, 0, 2, 100);
	TEST_EQ(entitled(&r, 0), 11);
	TEST_EQ(fair_relshare_capacity(&r, 10, 7), -FAIR_ERANGE);
	TEST_EQ(fair_relshare_capacity(&r, 10, 12), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(entitled(&r, 2), 4);
	TEST_EQ(fair_relshare_capacity(&r, 20, 40), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(entitled(&r, 0), 16);
	TEST_EQ(entitled(&r, 2), 8);
	TEST_EQ(entitlement(&r, 2, 30), 80 + 40 + 80);
	finish(&r, 20, 2);
	TEST_EQ(fair_relshare_capacity(&r, 20, 0), 0);
	TEST_EQ(entitled(&r, 0), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(fair_relshare_capacity(&r, 20, INT32_MAX), 0);
	TEST_EQ(entitled(&r, 0), 30);
}

static void init_errors(void)
{
	struct fair_relshare_config good = plain(3, 8, 100), bad;
	size_t bytes = fair_relshare_size(&good);
	struct fair_relshare r;

	TEST_CHECK(bytes > 0 && bytes < sizeof(rooms[0]) - 7);
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0] + 3, bytes, &good),
		0);
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], bytes - 1, &good),
		-FAIR_ENOMEM);
	TEST_EQ(fair_relshare_init(&r, sizeof(r) - 1, rooms[0], bytes, &good),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_init(NULL, sizeof(r), rooms[0], bytes, &good),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_init(&r, sizeof(r), NULL, bytes, &good),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], bytes, NULL),
		-FAIR_EINVAL);
#define REFUSES(field, value, error)                                           \
	do {                                                                   \
		bad = good;                                                    \
		bad.field = (value);                                           \
		TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0],            \
					   sizeof(rooms[0]), &bad),            \
			(error));                                              \
		TEST_CHECK((error) == -FAIR_ENOMEM ||                          \
			   !fair_relshare_size(&bad));                         \
	} while (0)
	REFUSES(users, 0, -FAIR_EINVAL);
	REFUSES(users, FAIR_RELSHARE_USERS + 1, -FAIR_EINVAL);
	REFUSES(users, 1000000, -FAIR_ENOMEM);
	REFUSES(jobs, 0, -FAIR_EINVAL);
	REFUSES(jobs, FAIR_RELSHARE_JOBS + 1, -FAIR_EINVAL);
	REFUSES(procs, 0, -FAIR_EINVAL);
	REFUSES(window, 0, -FAIR_EINVAL);
	REFUSES(window, (INT64_C(1) << 56) + 1, -FAIR_EOVERFLOW);
	REFUSES(origin, (INT64_C(1) << 62) + 1, -FAIR_EINVAL);
	REFUSES(origin, -(INT64_C(1) << 62) - 1, -FAIR_EINVAL);
	REFUSES(first, (INT64_C(1) << 62) + 1, -FAIR_EINVAL);
	REFUSES(first, -(INT64_C(1) << 62) - 1, -FAIR_EINVAL);
	good.window = INT64_C(1) << 56;
	make(&r, &good);
}

static void event_errors(void)
{
	struct fair_relshare r;
	struct fair_relshare before;

	machine(&r, 3, 8, 100);
	submit(&r, 10, 0, 0, 8);
	submit(&r, 10, 1, 1, 4);
	start(&r, 10, 1, 20);
	before = r;
	/* a second that has passed, or is too far */
	TEST_EQ(fair_relshare_advance(&r, 9), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_advance(&r, (INT64_C(1) << 62) + 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_share(&r, 9, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_capacity(&r, 9, 8), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_submit(&r, 9, 2, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_start(&r, 9, 0, 20), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_plan(&r, 9, 1, 20), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_requeue(&r, 9, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_finish(&r, 9, 1), -FAIR_EINVAL);
	/* no such user, shares, processors, slot */
	TEST_EQ(fair_relshare_share(&r, 11, 3, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_share(&r, 11, 0, FAIR_RELSHARE_SHARES + 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_capacity(&r, 11, -1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_submit(&r, 11, 64, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_submit(&r, 11, 0, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_submit(&r, 11, 2, 3, 1), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_submit(&r, 11, 2, 0, 0), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_start(&r, 11, 64, 20), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_start(&r, 11, 2, 20), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_start(&r, 11, 1, 20), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_start(&r, 11, 0, 10), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_start(&r, 11, 0, 20), -FAIR_ERANGE);
	TEST_EQ(fair_relshare_plan(&r, 11, 0, 20), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_plan(&r, 11, 1, 10), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_requeue(&r, 11, 0), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_finish(&r, 11, 2), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_finish(&r, 11, 64), -FAIR_EINVAL);
	TEST_CHECK(!memcmp(&r, &before, sizeof(r)));
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* Of what a reservation says that makes no sense nothing is used. */
static void reserved_nothing(void)
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

/* Usage and entitlement of half a window of 2^50 s: products beyond 2^64. */
static void long_windows(void)
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
static void large_requests(void)
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
		TEST_EQ(fair_relshare_init(&r, sizeof(r), memory,
					   fair_relshare_size(&c), &c),
			0);
		TEST_EQ(fair_relshare_share(&r, 0, 1 - user, 1 << 20), 0);
		TEST_EQ(fair_relshare_submit(&r, 0, 0, 1 - user, 5), 0);
		for (i = 1; i <= 1 << 14; i++)
			TEST_EQ(fair_relshare_submit(&r, 0, i, user, INT32_MAX),
				0);
		TEST_EQ(fair_relshare_entitled(&r, 1 - user, &whole, NULL), 0);
		TEST_EQ(whole, 5);
		TEST_EQ(fair_relshare_entitled(&r, user, &whole, NULL), 0);
		TEST_EQ(whole, INT32_MAX - 5);
		/* The one who wants little finds its place again. */
		TEST_EQ(fair_relshare_submit(&r, 0, i, 1 - user, 2), 0);
		TEST_EQ(fair_relshare_entitled(&r, 1 - user, &whole, NULL), 0);
		TEST_EQ(whole, 7);
		TEST_EQ(fair_relshare_check(&r), 0);
	}
	free(memory);
}

/* ARITHMETIC */

static void signs_of_differences(void)
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

static void carries(void)
{
	struct fair_relshare_wide a = { { UINT64_MAX, 1, 0 } };

	/* (2^64 + 2^64 - 1) (2^63 + 1) = 2^128 + 2^64 + 2^63 - 1 */
	TEST_EQ(fair_relshare_times(&a, (UINT64_C(1) << 63) + 1), 0);
	TEST_CHECK(a.word[0] == (UINT64_C(1) << 63) - 1);
	TEST_CHECK(a.word[1] == 1 && a.word[2] == 1);
}

/* The least word may decide; equal ones say nothing. */
static void products(void)
{
	struct fair_relshare_product a = { 1, { { 1, 5, 5 } } }, b = a;

	TEST_CHECK(!fair_relshare_more(&a, &b));
	b.low.word[0] = 2;
	TEST_CHECK(!fair_relshare_more(&a, &b) && fair_relshare_more(&b, &a));
	b.low.word[1] = 4;
	TEST_CHECK(fair_relshare_more(&a, &b) && !fair_relshare_more(&b, &a));
	b.high = 2;
	TEST_CHECK(!fair_relshare_more(&a, &b) && fair_relshare_more(&b, &a));
}

/* Above by more than s T usage = 3 * 5 * 7, also where that carries. */
static void certainly_above(void)
{
	struct fair_relshare_product a = { 1, { { 105, 0, 0 } } };
	struct fair_relshare_product b = { 1, { { 0, 0, 0 } } };
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	TEST_EQ(r.most_share, 1);
	r.most_share = 3;
	r.begin = 1000;
	r.now = 1005;
	TEST_CHECK(!fair_relshare_above(&r, &a, b, 7));
	a.low.word[0]++;
	TEST_CHECK(fair_relshare_above(&r, &a, b, 7));
	b.low.word[0] = b.low.word[1] = b.low.word[2] = UINT64_MAX;
	a.high = 2;
	a.low.word[0] = 104;
	TEST_CHECK(!fair_relshare_above(&r, &a, b, 7));
	a.low.word[0]++;
	TEST_CHECK(fair_relshare_above(&r, &a, b, 7));
	/* s T of more than a word: 2^20 * 2^58 */
	b.low.word[0] = b.low.word[1] = b.low.word[2] = 0;
	a = b;
	a.low.word[1] = UINT64_C(1) << 14;
	r.most_share = 1 << 20;
	r.now = r.begin + (INT64_C(1) << 58);
	TEST_CHECK(!fair_relshare_above(&r, &a, b, 1));
	a.low.word[0]++;
	TEST_CHECK(fair_relshare_above(&r, &a, b, 1));
}

/* SIZES AND BOUNDS */

/* Of a config of 64 jobs, if that can be. */
static uint64_t bytes_of(uint64_t users)
{
	return users * (sizeof(struct fair_relshare_user) + 4) +
	       64 * (sizeof(struct fair_relshare_job) + 4) + 7 +
	       (users + 1) * 24 + sizeof(struct fair_usage_source) + 63;
}

/* As large as can be counted, and one user more. */
static void largest_size(void)
{
	struct fair_relshare_config c = plain(0, 10, 100);
	struct fair_relshare r;
	uint32_t bit;

	for (bit = FAIR_RELSHARE_USERS / 2; bit; bit /= 2)
		if (bytes_of(c.users | bit) <= SIZE_MAX)
			c.users |= bit;
	TEST_CHECK(fair_relshare_size(&c) == bytes_of(c.users));
	c.users++;
	TEST_CHECK(fair_relshare_size(&c) == (bytes_of(c.users) <= SIZE_MAX
						      ? bytes_of(c.users)
						      : 0));
	if (!fair_relshare_size(&c))
		TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], SIZE_MAX,
					   &c),
			-FAIR_ENOMEM);
}

/* Wherever memory begins, users are at a multiple of 8, not far behind. */
static void odd_addresses(void)
{
	struct fair_relshare_config c = plain(3, 10, 100);
	struct fair_relshare r;
	size_t shift;

	for (shift = 8; shift < 24; shift++) {
		TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0] + shift,
					   fair_relshare_size(&c), &c),
			0);
		TEST_EQ((uintptr_t)r.user % 8, 0);
		TEST_CHECK((uintptr_t)r.user - (uintptr_t)(rooms[0] + shift) <=
			   8);
	}
}

static void bounds_of_a_config(void)
{
	const int64_t late = INT64_C(1) << 62;
	struct fair_relshare_config c = plain(3, 10, 100), far = c;
	struct fair_relshare r;

	TEST_CHECK(fair_relshare_size(&c) == bytes_of(3));
	c.users = FAIR_RELSHARE_USERS;
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], 0, &c),
		-FAIR_ENOMEM);
	c.users = 3;
	c.jobs = FAIR_RELSHARE_JOBS;
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], 0, &c),
		-FAIR_ENOMEM);
	far.origin = far.first = -late;
	make(&r, &far);
	far.origin = far.first = late;
	make(&r, &far);
}

/* EVENTS */

/* Job 1 waits again, and has nothing to come in the window of its end. */
static void waits_again(void)
{
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	submit(&r, 0, 1, 0, 4);
	start(&r, 0, 1, 250);
	TEST_EQ(fair_relshare_requeue(&r, 10, 1), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
	TEST_EQ(r.busy, 0);
	TEST_EQ(fair_relshare_advance(&r, 210), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* A job may be planned to end at once; another plan is an event as well. */
static void ends_at_once(void)
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
static void reserved_for_ever(void)
{
	const struct fair_relshare_reserved never = { 0, 4, INT64_MAX, 10 };
	struct fair_relshare_config c = plain(2, 10, 100);
	struct fair_relshare r;
	uint64_t usage = 1;

	c.origin = -(INT64_C(1) << 62);
	make(&r, &c);
	TEST_EQ(fair_relshare_usage(&r, 0, &never, &usage), 0);
	TEST_EQ(usage, 0);
}

static void broken_lists(void)
{
	struct fair_relshare_config c = plain(2, 10, 100);
	struct fair_relshare r;

	c.jobs = 2;
	make(&r, &c);
	submit(&r, 0, 1, 0, 4);
	submit(&r, 0, 0, 0, 4);	/* as many as there can be */
	r.live = UINT32_MAX;
	TEST_EQ(fair_relshare_check(&r), 2);
	r.live = 2;
	r.job[1].at = 1;
	TEST_EQ(fair_relshare_check(&r), 2);
	r.job[1].at = 0;
	r.job[0].procs = -4;
	TEST_EQ(fair_relshare_check(&r), 2);
	r.job[0].procs = 4;
	r.list[1] = UINT32_MAX;
	TEST_EQ(fair_relshare_check(&r), 2);
	r.list[1] = 0;
	r.order[0] = UINT32_MAX;
	TEST_EQ(fair_relshare_check(&r), 4);
	r.order[0] = 0;
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* One behind the last job, or user, is none, and looks like one by chance. */
static void behind_the_last(void)
{
	static const uint32_t like_a_job[6] = { 64, 0, 4, 0, 0, 0 };
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	submit(&r, 0, 3, 0, 4);
	memcpy(r.list, like_a_job, sizeof(like_a_job));
	TEST_EQ(fair_relshare_check(&r), 2);
	machine(&r, 2, 10, 100);
	submit(&r, 0, 3, 0, 4);
	submit(&r, 0, 4, 1, 40);
	memcpy(r.user + 2, r.user + 1, sizeof(*r.user));
	r.order[1] = 2;
	TEST_EQ(fair_relshare_check(&r), 4);
}

/* A sum that is wrong by 2^63: where the user's hash is odd, it shows. */
static void upper_bits_of_sums(void)
{
	struct fair_relshare r;
	uint32_t i, seen = 0;

	machine(&r, 64, 10, 100);
	for (i = 0; i < 64; i++) {
		r.user[i].due = UINT64_C(1) << 63;
		seen += fair_relshare_check(&r) == 3;
		r.user[i].due = 0;
	}
	TEST_CHECK(seen > 16);
}

static void capacity_overflow(void)
{
	struct fair_relshare r;

	machine(&r, 1, 8, INT64_C(1) << 56);
	TEST_EQ(fair_relshare_capacity(&r, 0, 9), -FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_capacity(&r, 0, 8), 0);
}

static void reading_errors(void)
{
	uint64_t whole = 7, fraction = 7;
	struct fair_relshare r, copy;
	int64_t dev = 7;

	machine(&r, 2, 8, 100);
	submit(&r, 110, 0, 0, 8);
	TEST_EQ(fair_relshare_entitled(&r, 2, &whole, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_entitled(&r, 0, NULL, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_entitlement(&r, 2, 110, &whole, &fraction),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_entitlement(&r, 0, 109, &whole, &fraction),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_entitlement(&r, 0, 201, &whole, &fraction),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_entitlement(&r, 0, 110, NULL, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_used(&r, 2, 110, &whole), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_used(&r, 0, 109, &whole), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_used(&r, 0, 201, &whole), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_used(&r, 0, 110, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_dev(&r, 2, 110, &dev, &fraction), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_dev(&r, 0, 201, &dev, &fraction), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_dev(&r, 0, 110, NULL, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_usage(&r, 2, NULL, &whole), -FAIR_EINVAL);
	TEST_EQ(fair_relshare_usage(&r, 0, NULL, NULL), -FAIR_EINVAL);
	TEST_EQ(whole, 7);
	TEST_EQ(fraction, 7);
	TEST_EQ(dev, 7);
	TEST_EQ(fair_relshare_entitlement(&r, 0, 200, &whole, NULL), 0);
	TEST_EQ(whole, 720);
	TEST_EQ(fair_relshare_entitled(&r, 0, &whole, NULL), 0);
	TEST_EQ(whole, 8);
	TEST_EQ(fair_relshare_clone(NULL, rooms[1], sizeof(rooms[1]), &r, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_clone(&copy, NULL, sizeof(rooms[1]), &r, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_relshare_clone(&copy, rooms[1],
				    fair_relshare_size(&r.config) - 1, &r,
				    NULL),
		-FAIR_ENOMEM);
}

/* A copy goes its own way, under other slots. */
static void clones(void)
{
	static const uint32_t slot[3] = { 2, 0, 1 };
	struct fair_relshare r, copy;

	machine(&r, 2, 8, 1000);
	submit(&r, 10, 0, 0, 8);
	submit(&r, 10, 1, 1, 4);
	submit(&r, 10, 2, 1, 4);
	start(&r, 20, 1, 100);
	TEST_EQ(fair_relshare_clone(&copy, rooms[1] + 1,
				    fair_relshare_size(&r.config), &r, slot),
		0);
	TEST_EQ(fair_relshare_check(&copy), 0);
	finish(&r, 30, 1);
	finish(&copy, 50, 0);
	start(&copy, 50, 2, 60);
	TEST_EQ(used(&r, 1, 60), 40);
	TEST_EQ(used(&copy, 1, 60), 120);
	TEST_EQ(used(&copy, 0, 60), 80);
	TEST_EQ(used(&r, 0, 60), 0);
	TEST_EQ(fair_relshare_clone(&copy, rooms[1], sizeof(rooms[1]), &r,
				    NULL),
		0);
	TEST_EQ(fair_relshare_check(&copy), 0);
	start(&copy, 50, 2, 60);
	TEST_EQ(fair_relshare_requeue(&r, 50, 2), -FAIR_EINVAL);
}

/* User 0 is full, user 1 is not; one job of each runs. */
static void unbroken(struct fair_relshare *r)
{
	machine(r, 3, 20, 1000);
	TEST_EQ(fair_relshare_share(r, 0, 1, 2), 0);
	submit(r, 0, 0, 0, 4);
	submit(r, 0, 1, 1, 30);
	submit(r, 0, 2, 1, 6);
	start(r, 10, 0, 100);
	start(r, 10, 2, 100);
	TEST_EQ(fair_relshare_check(r), 0);
}

static void checks_see_what_is_broken(void)
{
	struct fair_relshare r;

#define BREAKS(what, number)                                                   \
	do {                                                                   \
		unbroken(&r);                                                  \
		what;                                                          \
		TEST_EQ(fair_relshare_check(&r), (number));                    \
	} while (0)
	BREAKS(r.usage.latest++, 1);
	BREAKS(r.usage.row[1]++, 1);
	BREAKS(r.live--, 2);
	BREAKS(r.live = 65, 2);
	BREAKS(r.list[1] = 64, 2);
	BREAKS(r.job[1].at = 2, 2);
	BREAKS(r.job[1].procs = 0, 2);
	BREAKS(r.job[1].user = 3, 2);
	BREAKS(r.job[5].procs = 1, 2);
	BREAKS(r.user[0].request++, 3);
	BREAKS(r.user[0].busy--, 3);
	BREAKS(r.user[1].due++, 3);
	BREAKS(r.job[0].user = 1, 3);
	BREAKS(r.job[0].end++, 3);
	BREAKS((r.user[0].request++, r.user[1].request--), 3);
	BREAKS(r.active--, 4);
	BREAKS(r.full = 3, 4);
	BREAKS(r.order[0] = 3, 4);
	BREAKS(r.order[0] = 2, 4);
	BREAKS((r.order[0] = 1, r.order[1] = 0), 4);
	BREAKS(r.order[1] = 0, 4);
	BREAKS(r.user[1].since = -1, 4);
	BREAKS(r.full = 0, 5);
	BREAKS(r.user[0].full = false, 5);
	BREAKS(r.user[2].full = true, 5);
	BREAKS(r.filled++, 5);
	BREAKS(r.open--, 5);
	BREAKS(r.procs = 40, 6);
	BREAKS(r.procs = 2, 6);
	BREAKS((fair_relshare_flip(&r, r.user + 0)), 6);
	BREAKS(r.busy--, 7);
	BREAKS(r.now = r.begin - 1, 7);
	BREAKS(r.now = r.begin + 1000, 7);
}

/* More in use than there is, without anyone entitled to less. */
static void check_sees_too_many_busy(void)
{
	struct fair_relshare r;

	machine(&r, 1, 8, 1000);
	submit(&r, 0, 0, 0, 8);
	start(&r, 0, 0, 10);
	TEST_EQ(fair_relshare_share(&r, 0, 0, 0), 0);
	r.procs = 7;
	TEST_EQ(fair_relshare_check(&r), 7);
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
		TEST_EQ(fair_relshare_submit(&c->r, c->now, slot, user,
					     c->procs[slot]),
			0);
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
	uint64_t whole, fraction;
	int64_t u = usage(&c->r, a, NULL), v;

	TEST_EQ(u, model_relshare_usage(c->m, a));
	TEST_EQ(used(&c->r, a, c->now), model_relshare_used(c->m, a));
	TEST_EQ(fair_relshare_entitlement(&c->r, a, c->now, &whole, &fraction),
		0);
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

static void crowd_of_equals(void)
{
	crowd_of(200, 1, 1500);
}

static void crowd_with_shares(void)
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

static void many_ties(void)
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
static void ties_with_shares(void)
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
static void ties_at_different_scales(void)
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
static void ties_beyond_64_bits(void)
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

/* SHARES FILES */

static int parse(struct shares *s, const char *text)
{
	return shares_parse(s, "s.csv", text, strlen(text));
}

static void reads_shares(void)
{
	struct shares s;

	TEST_REQUIRE(!parse(&s, "# ours\nuser, shares\r\n\n 17 ,70\r\n-1,0\n"
				"9000000000,1048576\n4,30"));
	TEST_EQ(s.n, 4);
	TEST_EQ(shares_of(&s, 17), 70);
	TEST_EQ(shares_of(&s, 4), 30);
	TEST_EQ(shares_of(&s, -1), 0);
	TEST_EQ(shares_of(&s, INT64_C(9000000000)), 1048576);
	TEST_EQ(shares_of(&s, 5), 1);
	TEST_EQ(shares_of(&s, INT64_MAX), 1);
	shares_free(&s);
	TEST_REQUIRE(!parse(&s, "shares,user\n70,17\n"));
	TEST_EQ(shares_of(&s, 17), 70);
	TEST_EQ(shares_of(&s, 70), 1);
	shares_free(&s);
	TEST_REQUIRE(!parse(&s, "user,shares\n"));
	TEST_EQ(shares_of(&s, 17), 1);
	shares_free(&s);
}

static void reads_many_shares(void)
{
	static char text[1 << 16];
	struct shares s;
	size_t n = 0;
	int i;

	n += (size_t)sprintf(text, "user,shares\n");
	for (i = 0; i < 1000; i++)
		n += (size_t)sprintf(text + n, "%d,%d\n", i * 7 % 1000, i);
	TEST_REQUIRE(!shares_parse(&s, "s.csv", text, n));
	for (i = 0; i < 1000; i++)
		TEST_EQ(shares_of(&s, i * 7 % 1000), i);
	shares_free(&s);
}

static void names_what_is_wrong(void)
{
	static const char *const wrong[][2] = {
		{ "", "s.csv:0: no header line" },
		{ "# x\n", "s.csv:1: no header line" },
		{ "user\n", "s.csv:1: 1 field, not 2" },
		{ "user,user\n",
		  "s.csv:1: the columns are not user and shares" },
		{ "user,share\n",
		  "s.csv:1: the columns are not user and shares" },
		{ "user,shares\n1,2,3\n", "s.csv:2: 3 fields, not 2" },
		{ "user,shares\n\n7\n", "s.csv:3: 1 field, not 2" },
		{ "user,shares\nx,2\n", "s.csv:2: user: 'x' is no integer" },
		{ "user,shares\n,2\n", "s.csv:2: user: '' is no integer" },
		{ "user,shares\n-,2\n", "s.csv:2: user: '-' is no integer" },
		{ "user,shares\n9223372036854775808,2\n",
		  "s.csv:2: user: '9223372036854775808' is no integer" },
		{ "user,shares\n1,-1\n",
		  "s.csv:2: shares: '-1' is no integer from 0 to 1048576" },
		{ "user,shares\n1,1048577\n", "s.csv:2: shares: '1048577' is "
					      "no integer from 0 to 1048576" },
		{ "user,shares\n1,1.5\n",
		  "s.csv:2: shares: '1.5' is no integer from 0 to 1048576" },
		{ "user,shares\n1,\n",
		  "s.csv:2: shares: '' is no integer from 0 to 1048576" },
		{ "user,shares\n1,2\n3,4\n1,2\n",
		  "s.csv:4: user: a second 1, after line 2" },
	};
	struct shares s;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		TEST_EQ(parse(&s, wrong[i][0]), -1);
		TEST_CHECK(!strcmp(s.error, wrong[i][1]));
		if (strcmp(s.error, wrong[i][1]))
			printf("\"%s\", not \"%s\"\n", s.error, wrong[i][1]);
	}
	TEST_EQ(shares_read(&s, "no/such/file.csv"), -1);
	TEST_CHECK(strstr(s.error, "no/such/file.csv"));
}

int main(void)
{
	TEST_RUN(example_of_the_manual);
	TEST_RUN(rs_worked_number);
	TEST_RUN(rs_initial_nodes);
	TEST_RUN(rs_recursion);
	TEST_RUN(rs_only_this_day);
	TEST_RUN(without_expected_usage);
	TEST_RUN(usage_follows_jobs);
	TEST_RUN(largest_first);
	TEST_RUN(exact_ties);
	TEST_RUN(windows_begin);
	TEST_RUN(idle_users_forget);
	TEST_RUN(dev_in_hours);
	TEST_RUN(dev_rounds_down);
	TEST_RUN(capacity_changes);
	TEST_RUN(init_errors);
	TEST_RUN(event_errors);
	TEST_RUN(reserved_nothing);
	TEST_RUN(long_windows);
	TEST_RUN(large_requests);
	TEST_RUN(signs_of_differences);
	TEST_RUN(carries);
	TEST_RUN(products);
	TEST_RUN(certainly_above);
	TEST_RUN(largest_size);
	TEST_RUN(odd_addresses);
	TEST_RUN(bounds_of_a_config);
	TEST_RUN(waits_again);
	TEST_RUN(ends_at_once);
	TEST_RUN(reserved_for_ever);
	TEST_RUN(broken_lists);
	TEST_RUN(behind_the_last);
	TEST_RUN(upper_bits_of_sums);
	TEST_RUN(capacity_overflow);
	TEST_RUN(reading_errors);
	TEST_RUN(clones);
	TEST_RUN(checks_see_what_is_broken);
	TEST_RUN(check_sees_too_many_busy);
	TEST_RUN(crowd_of_equals);
	TEST_RUN(crowd_with_shares);
	TEST_RUN(many_ties);
	TEST_RUN(ties_with_shares);
	TEST_RUN(ties_at_different_scales);
	TEST_RUN(ties_beyond_64_bits);
	TEST_RUN(reads_shares);
	TEST_RUN(reads_many_shares);
	TEST_RUN(names_what_is_wrong);
	return test_report();
}
