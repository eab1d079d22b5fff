/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Users, groups, accounts, QoS and queues of a running scheduler: any ids, that
 * join and leave, with shares, targets, usage, credits and a half-life that
 * change; saved, cloned, converted. A scheduler that knew all from the start
 * decides the same.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/plain_ledger.h"
#include "tests/test.h"

#define ROOT 0
#define ANN UINT64_C(0xfedcba9876543210)
#define BOB UINT64_C(4294967297)

static char bytes[4][1 << 18];
static unsigned char checkpoint[1 << 16];
static size_t checkpoint_bytes;

static struct fair_config by_usage(uint32_t users)
{
	struct fair_config c = { 0 };

	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	c.procs = 8;
	c.jobs = 20;
	c.ineligible = 5;
	c.users = users;
	c.half_life = 1000;
	c.ids = 3;
	c.credits = 2;
	return c;
}

static struct fair_config by_share(uint32_t users)
{
	struct fair_config c = by_usage(users);

	c.policy = FAIR_RELSHARE;
	c.order = FAIR_ORDER_FCFS;
	c.window = 10000;
	return c;
}

static void begin(struct fair_sched *s, int i, const struct fair_config *c)
{
	TEST_OK(fair_sched_init(s, sizeof(*s), bytes[i], sizeof(bytes[i]), c));
}

static int submit(struct fair_sched *s, int64_t now, uint64_t number,
		  uint64_t user, int32_t procs)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = now;
	j.walltime = 100;
	j.procs = procs;
	j.user = j.group = j.account = user;
	return fair_sched_submit(s, now, &j);
}

/* The number of the next job that starts; 0: none. */
static uint64_t start(struct fair_sched *s, int64_t now)
{
	struct fair_decision d;
	size_t n;

	TEST_OK(fair_sched_step(s, now, &d, 1, &n));
	return n ? d.number : 0;
}

static struct fair_entity entity(const struct fair_sched *s, uint32_t kind,
				 uint64_t id)
{
	struct fair_entity e;

	memset(&e, 0, sizeof(e));
	TEST_EQ(fair_sched_get_entity(s, kind, id, &e), 0);
	TEST_EQ(e.id, id);
	return e;
}

static uint64_t usage(const struct fair_sched *s, uint64_t user)
{
	return entity(s, FAIR_ENTITY_USER, user).usage;
}

static void save(const struct fair_sched *s)
{
	checkpoint_bytes = fair_sched_checkpoint_size(s);
	TEST_REQUIRE(checkpoint_bytes <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(s, checkpoint, checkpoint_bytes));
}

static int load(struct fair_sched *s, int i, const struct fair_config *c)
{
	int error = fair_sched_load(s, sizeof(*s), bytes[i], sizeof(bytes[i]),
				    c, checkpoint, checkpoint_bytes, NULL);

	if (!error)
		TEST_EQ(fair_sched_check(s), 0);
	return error;
}

/* Ids are any numbers; an unknown one is refused, in a running scheduler, too. */
TEST(any_ids)
{
	struct fair_config c = by_usage(2);
	struct fair_job_status j;
	struct fair_sched s;

	begin(&s, 0, &c);
	TEST_EQ(submit(&s, 0, 1, ANN, 1), -FAIR_ENOENT);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	TEST_EQ(submit(&s, 0, 1, ANN, 1), -FAIR_ENOENT); /* no such group */
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN), 0);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, ANN), 0);
	TEST_EQ(submit(&s, 0, 1, ANN, 1), 0);
	TEST_EQ(fair_sched_lookup(&s, 1, &j), 0);
	TEST_EQ(j.job.user, ANN);
	TEST_EQ(j.job.account, ANN);
	TEST_EQ(j.job.qos, FAIR_NO_ENTITY);
	TEST_EQ(submit(&s, 0, 2, ROOT, 1), -FAIR_ENOENT);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ROOT), 0);
	TEST_EQ(submit(&s, 0, 2, ROOT, 1), 0);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB),
		-FAIR_ENOSPC);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN),
		-FAIR_EINVAL);
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(start(&s, 0), 2);
	TEST_EQ(fair_sched_finish(&s, 50, 1), 0);
	TEST_EQ(fair_sched_remove_entity(&s, 50, FAIR_ENTITY_USER, ROOT),
		-FAIR_EINVAL); /* it has a job */
	TEST_EQ(fair_sched_remove_entity(&s, 50, FAIR_ENTITY_USER, ANN),
		-FAIR_EINVAL); /* it has usage */
	TEST_EQ(fair_sched_set_usage(&s, 50, FAIR_ENTITY_USER, ANN, 0), 0);
	TEST_EQ(fair_sched_remove_entity(&s, 50, FAIR_ENTITY_USER, ANN), 0);
	TEST_EQ(fair_sched_add_entity(&s, 50, FAIR_ENTITY_USER, BOB), 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, BOB).index, 0);
	TEST_EQ(usage(&s, BOB), 0);
	TEST_EQ(submit(&s, 50, 3, ANN, 1), -FAIR_ENOENT);
	TEST_EQ(fair_sched_check(&s), 0);
}

/* Without config.ids an id is an index, as before. */
TEST(dense_ids)
{
	struct fair_config c = by_usage(2);
	struct fair_sched s;

	c.ids = 0;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, 5),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, 1),
		-FAIR_EINVAL);
	TEST_EQ(submit(&s, 0, 1, 2, 1), -FAIR_ENOENT);
	TEST_EQ(submit(&s, 0, 1, UINT64_C(1) << 32, 1), -FAIR_ENOENT);
	TEST_EQ(submit(&s, 0, 1, 1, 1), 0);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 1, 77), 0);
	TEST_EQ(usage(&s, 1), 77);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 2, 77),
		-FAIR_ENOENT);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, UINT64_MAX, 77),
		-FAIR_ENOENT);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_QOS, 1, 77),
		-FAIR_ENOENT);
	TEST_EQ(fair_sched_reset_usage(&s, 0), 0);
	TEST_EQ(usage(&s, 1), 0);
}

/* A queued job goes first once its user has used less. */
TEST(credits_change_the_order)
{
	struct fair_config c = by_usage(3);
	struct fair_credit credit;
	struct fair_sched s;

	c.ids = 0;
	begin(&s, 0, &c);
	TEST_EQ(submit(&s, 0, 1, 0, 8), 0);
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(fair_sched_finish(&s, 50, 1), 0); /* 0 has used about 393 */
	TEST_EQ(fair_sched_set_usage(&s, 50, FAIR_ENTITY_USER, 1, 100), 0);
	TEST_EQ(submit(&s, 50, 2, 0, 8), 0);
	TEST_EQ(submit(&s, 50, 3, 1, 8), 0);
	TEST_EQ(fair_sched_get_credit(&s, 0, &credit), false);
	TEST_EQ(fair_sched_credit(&s, 50, FAIR_ENTITY_USER, 0, 350, 4711), 0);
	TEST_EQ(fair_sched_get_credit(&s, 0, &credit), true);
	TEST_EQ(credit.taken, 350);
	TEST_EQ(credit.reason, 4711);
	TEST_EQ(credit.time, 50);
	TEST_EQ(start(&s, 50), 2);
	TEST_EQ(fair_sched_credit(&s, 50, FAIR_ENTITY_USER, 1, 9999, 1), 0);
	TEST_EQ(fair_sched_credit(&s, 50, FAIR_ENTITY_USER, 2, UINT64_MAX, 2),
		0);
	TEST_EQ(fair_sched_get_credit(&s, 1, &credit), true);
	TEST_CHECK(credit.taken - 99 <= 1); /* a half-life rounds down */
	TEST_EQ(credit.amount, 9999);
	TEST_EQ(fair_sched_get_credit(&s, 2, &credit), false);
	TEST_EQ(usage(&s, 1), 0);
	TEST_EQ(fair_sched_check(&s), 0);
}

TEST(half_life)
{
	struct fair_config c = by_usage(3);
	struct fair_sched s;

	begin(&s, 0, &c);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 4096), 0);
	TEST_EQ(fair_sched_pass_time(&s, 1000), 0);
	TEST_EQ(usage(&s, ANN), 2048);
	TEST_EQ(fair_sched_set_half_life(&s, 1000, 500), 0);
	TEST_EQ(fair_sched_pass_time(&s, 2000), 0);
	TEST_EQ(usage(&s, ANN), 512);
	/* The half-life of the checkpoint is that of now; then another one. */
	save(&s);
	c.half_life = 200;
	TEST_EQ(load(&s, 1, &c), 0);
	TEST_EQ(usage(&s, ANN), 512);
	TEST_EQ(fair_sched_pass_time(&s, 2400), 0);
	TEST_EQ(usage(&s, ANN), 128);
	c.order = FAIR_ORDER_FCFS;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_set_half_life(&s, 0, 500), -FAIR_EINVAL);
	TEST_EQ(fair_sched_set_half_life(&s, -1, 500), -FAIR_ETIME);
	c.order = FAIR_ORDER_TREE;
	c.ids = 0;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_set_half_life(&s, 0, 0), -FAIR_EINVAL);
	TEST_EQ(fair_sched_set_half_life(&s, 0, 500), 0);
}

/* Usage stops to decay, and decays again; running jobs are charged on. */
TEST(half_life_to_and_from_none)
{
	static const uint32_t order[] = { FAIR_ORDER_USAGE,
					  FAIR_ORDER_DOMINANT };
	struct fair_config c = by_usage(2);
	struct fair_sched s, t;
	uint32_t i;

	c.ids = 0;
	for (i = 0; i < 2; i++) {
		c.order = order[i];
		c.half_life = 100;
		begin(&s, 0, &c);
		TEST_EQ(submit(&s, 0, 1, 1, 8), 0);
		TEST_EQ(start(&s, 0), 1);
		TEST_EQ(fair_sched_finish(&s, 100, 1), 0);
		TEST_EQ(usage(&s, 1), 577); /* 800 / (2 ln 2) */
		TEST_EQ(submit(&s, 100, 2, 0, 8), 0);
		TEST_EQ(start(&s, 100), 2);
		TEST_EQ(fair_sched_set_half_life(&s, 200, 0), 0);
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(usage(&s, 1), 288);
		TEST_EQ(fair_sched_finish(&s, 200, 2), 0);
		TEST_EQ(usage(&s, 0), 800); /* as a whole */
		TEST_EQ(fair_sched_pass_time(&s, 1000), 0);
		TEST_EQ(usage(&s, 1), 288);
		save(&s);
		c.half_life = 0;
		TEST_EQ(load(&t, 1, &c), 0);
		c.half_life = 50;
		TEST_EQ(load(&t, 1, &c), 0);
		TEST_EQ(fair_sched_set_half_life(&s, 1000, 50), 0);
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(fair_sched_pass_time(&s, 1050), 0);
		TEST_EQ(fair_sched_pass_time(&t, 1050), 0);
		TEST_EQ(usage(&s, 1), 144);
		TEST_EQ(usage(&s, 0), 400);
		TEST_EQ(usage(&t, 1), 144);
		TEST_EQ(usage(&t, 0), 400);
		save(&s);
		c.half_life = 0;
		TEST_EQ(load(&t, 1, &c), 0);
		TEST_EQ(fair_sched_pass_time(&t, 2000), 0);
		TEST_EQ(usage(&t, 0), 400);
	}
}

/* Another one is refused where none is used. */
TEST(half_life_of_a_checkpoint)
{
	struct fair_config c = by_usage(2);
	struct fair_sched s, t;

	c.order = FAIR_ORDER_SJF;
	begin(&s, 0, &c);
	save(&s);
	TEST_EQ(load(&t, 1, &c), 0);
	c.half_life = 500;
	TEST_EQ(load(&t, 1, &c), -FAIR_EINVAL);
}

/* A processor-second of each user in the window that ends at 10,000. */
TEST(window)
{
	struct fair_config c = by_share(2);
	struct fair_sched s, t;

	c.ids = 0;
	begin(&s, 0, &c);
	TEST_EQ(submit(&s, 0, 1, 1, 8), 0);
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(fair_sched_finish(&s, 100, 1), 0);
	TEST_EQ(usage(&s, 1), 800);
	TEST_EQ(fair_sched_set_window(&s, 4500, 0, 0), -FAIR_EINVAL);
	TEST_EQ(fair_sched_set_window(&s, 4500, 1000, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_set_window(&s, 4500, INT64_MAX, 0),
		-FAIR_EOVERFLOW);
	TEST_EQ(usage(&s, 1), 800);
	TEST_EQ(fair_sched_set_window(&s, 4500, 1000, 0), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(usage(&s, 1), 800);
	save(&s);
	TEST_EQ(fair_sched_pass_time(&s, 4999), 0);
	TEST_EQ(usage(&s, 1), 800);
	TEST_EQ(fair_sched_pass_time(&s, 5000), 0);
	TEST_EQ(usage(&s, 1), 0);
	/* At load with the old windows, and with those of the checkpoint. */
	TEST_EQ(load(&t, 1, &c), 0);
	TEST_EQ(fair_sched_pass_time(&t, 9999), 0);
	TEST_EQ(usage(&t, 1), 800);
	c.window = 1000;
	TEST_EQ(load(&t, 1, &c), 0);
	TEST_EQ(fair_sched_clone(&s, bytes[2], sizeof(bytes[2]), &t), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_pass_time(&s, 5000), 0);
	TEST_EQ(usage(&s, 1), 0);
	TEST_EQ(fair_sched_set_window(&s, 4000, 1000, 0), -FAIR_ETIME);
	c.policy = FAIR_PC;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_set_window(&s, 0, 1000, 0), -FAIR_EINVAL);
}

/* As many as fit the machine; it grows later only if they still fit. */
TEST(window_of_a_machine)
{
	const int64_t most = INT64_C(1) << 59;
	struct fair_config c = by_share(1);
	struct fair_sched s;

	begin(&s, 0, &c);
	TEST_EQ(fair_sched_capacity(&s, 0, 8, NULL, 0), 0);
	TEST_EQ(fair_sched_set_window(&s, 0, most / 16 + 1, 0),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_set_window(&s, 0, most / 16, 0), 0);
	TEST_EQ(fair_sched_capacity(&s, 0, 1, NULL, 0), -FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_capacity(&s, 0, -16, NULL, 0), 0);
	TEST_EQ(fair_sched_set_window(&s, 0, most / 8 + 1, 0),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_set_window(&s, 0, most / 8, 0), 0);
	TEST_EQ(fair_sched_check(&s), 0);
}

static struct fair_config by_maui(struct fair_maui_config *m)
{
	struct fair_config c = by_usage(0);

	*m = fair_maui_defaults();
	m->usage = FAIR_MAUI_PROCS;
	m->windows = 3;
	m->interval = 1000;
	m->decay = FAIR_USAGE_ONE / 2;
	m->count[FAIR_THROTTLE_USER] = 2;
	c.policy = FAIR_MAUI;
	c.order = FAIR_ORDER_FCFS;
	c.half_life = 0;
	c.maui = m;
	c.ids = 0;
	return c;
}

/* 800 in the first window count 400 in the second; from then on in one of
 * 400 s, which is forgotten after three. */
TEST(window_of_maui)
{
	struct fair_maui_config m, other;
	struct fair_config c = by_maui(&m);
	struct fair_sched s, t;
	struct fair_job j = { 0 };

	begin(&s, 0, &c);
	j.number = 1;
	j.walltime = 100;
	j.procs = 8;
	j.user = 1;
	j.group = j.account = j.qos = j.queue = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(fair_sched_finish(&s, 100, 1), 0);
	TEST_EQ(fair_sched_pass_time(&s, 1100), 0);
	TEST_EQ(usage(&s, 1), 400);
	save(&s);
	TEST_EQ(fair_sched_set_window(&s, 1100, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_set_window(&s, 1100, 400, FAIR_USAGE_ONE / 4), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(usage(&s, 1), 400);
	/* Loaded with these windows it is the same scheduler. */
	other = m;
	other.interval = 400;
	other.decay = FAIR_USAGE_ONE / 4;
	c.maui = &other;
	TEST_EQ(load(&t, 1, &c), 0);
	TEST_EQ(usage(&t, 1), 400);
	TEST_EQ(fair_sched_pass_time(&t, 1200), 0);
	TEST_EQ(usage(&t, 1), 100);
	save(&s);
	TEST_EQ(load(&s, 2, &c), 0);
	TEST_EQ(fair_sched_pass_time(&s, 1199), 0);
	TEST_EQ(usage(&s, 1), 400);
	TEST_EQ(fair_sched_pass_time(&s, 1200), 0);
	TEST_EQ(usage(&s, 1), 100);
	TEST_EQ(fair_sched_pass_time(&s, 2000), 0);
	TEST_EQ(usage(&s, 1), 0);
	/* Only the decay is another one, and only the interval. */
	other.decay = FAIR_USAGE_ONE / 2;
	TEST_EQ(load(&t, 1, &c), 0);
	TEST_EQ(fair_sched_pass_time(&t, 1200), 0);
	TEST_EQ(usage(&t, 1), 200);
	/* Another number of windows by conversion only. What has been used is
	 * then of the first window, and is forgotten after four, not three. */
	other.windows = 4;
	TEST_EQ(load(&s, 2, &c), -FAIR_EINVAL);
	TEST_OK(fair_sched_convert(&s, sizeof(s), bytes[2], sizeof(bytes[2]),
				   &c, &t));
	TEST_EQ(usage(&s, 1), 200);
	TEST_EQ(fair_sched_pass_time(&s, 1599), 0);
	TEST_EQ(usage(&s, 1), 200);
	TEST_EQ(fair_sched_pass_time(&s, 2799), 0);
	TEST_EQ(usage(&s, 1), 25);
	TEST_EQ(fair_sched_pass_time(&s, 2800), 0);
	TEST_EQ(usage(&s, 1), 0);
	TEST_EQ(fair_sched_check(&s), 0);
}

/* A checkpoint is loaded with another half-life of the tree, and other windows of
 * FAIR_MAUI: both hold. */
TEST(half_life_beside_windows)
{
	struct fair_maui_config m, other;
	struct fair_config c = by_maui(&m);
	struct fair_sched s, t;

	c.order = FAIR_ORDER_TREE;
	c.users = 2;
	c.half_life = 100;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 1, 800), 0);
	save(&s);
	other = m;
	other.interval = 400;
	c.maui = &other;
	c.half_life = 200;
	TEST_EQ(load(&t, 1, &c), 0);
	TEST_CHECK(fair_fairtree_is_like(fair_sched_tree(&t), 2, 200));
	TEST_EQ(fair_sched_pass_time(&t, 399), 0);
	TEST_EQ(usage(&t, 1), 800);
	TEST_EQ(fair_sched_pass_time(&t, 400), 0);
	TEST_EQ(usage(&t, 1), 400);
}

/* A user leaves with half a processor-second, which the next one has not. */
TEST(a_user_of_windows_leaves)
{
	struct fair_maui_config m;
	struct fair_config c = by_maui(&m);
	struct fair_job j = { .number = 1, .walltime = 1, .procs = 1 };
	struct fair_sched s;

	m.usage = FAIR_MAUI_RATE;
	m.count[FAIR_THROTTLE_GROUP] = 2;
	c.ids = 2;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, 5));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_GROUP, 5, 70));
	j.user = ANN;
	j.rate = 1 << 7; /* half a processor */
	j.group = FAIR_THROTTLE_NONE;
	j.account = j.qos = j.queue = j.group;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_EQ(start(&s, 0), 1);
	TEST_OK(fair_sched_finish(&s, 1, 1));
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, ANN).fraction, UINT64_C(1) << 63);
	TEST_OK(fair_sched_remove_entity(&s, 1, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 1, FAIR_ENTITY_USER, 9));
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, 9).usage, 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, 9).fraction, 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_GROUP, 5).usage, 70);
}

/* Windows begin before the epoch; one that began before time does is refused. */
TEST(window_before_zero)
{
	struct fair_maui_config m;
	struct fair_config c = by_maui(&m);
	struct fair_sched s;

	c.origin = -1500;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_set_window(&s, -1500, 300, FAIR_USAGE_ONE / 2), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_set_window(&s, -1500, FAIR_MAUI_TIME, 0), 0);
	TEST_EQ(fair_sched_set_window(&s, -1500, FAIR_MAUI_TIME - 1, 0),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_check(&s), 0);
}

TEST(shares)
{
	struct fair_config c = by_share(2);
	struct fair_entity e;
	struct fair_sched s;

	begin(&s, 0, &c);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB), 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, BOB).share, 1);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, BOB, 9), 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, BOB).share, 9);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, BOB, -1),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, BOB,
				     FAIR_RELSHARE_SHARES + 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, BOB, 100), 0);
	TEST_EQ(usage(&s, BOB), 100);
	TEST_EQ(fair_sched_credit(&s, 10, FAIR_ENTITY_USER, BOB, 30, 1), 0);
	TEST_EQ(usage(&s, BOB), 70);
	TEST_EQ(fair_sched_credit(&s, 10, FAIR_ENTITY_USER, BOB, 300, 1), 0);
	TEST_EQ(usage(&s, BOB), 0);
	TEST_EQ(fair_sched_set_usage(&s, 10, FAIR_ENTITY_USER, BOB,
				     UINT64_MAX),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_remove_entity(&s, 10, FAIR_ENTITY_USER, BOB), 0);
	TEST_EQ(fair_sched_add_entity(&s, 10, FAIR_ENTITY_USER, ROOT), 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, ROOT).share, 1);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_set_share(&s, 10, FAIR_ENTITY_USER, ROOT,
				     INT64_MIN),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_set_share(&s, 10, FAIR_ENTITY_USER, ROOT, 7));
	TEST_OK(fair_sched_set_share(&s, 10, FAIR_ENTITY_USER, ANN, 5));
	TEST_OK(fair_sched_remove_entity(&s, 10, FAIR_ENTITY_USER, ANN));
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, ROOT).share, 7);
	c.decays = true;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_credit(&s, 0, FAIR_ENTITY_USER, ANN, 1, 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	c.ids = 0;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_get_entity(&s, FAIR_ENTITY_USER, 2, &e),
		-FAIR_ENOENT);
}

/* Users 0 and 1 have a quarter and a half; user 2 one of 2^40, rounded up. */
TEST(shares_of_a_tree)
{
	static unsigned char memory[4096];
	struct fair_config c = by_share(5);
	struct fair_fairtree f;
	struct fair_sched s;
	struct fair_entity e;
	int small;

	c.ids = 0;
	c.tree = &f;
	for (small = 0; small < 2; small++) {
		TEST_OK(fair_fairtree_init(&f, sizeof(f), memory,
					   sizeof(memory), 5, c.half_life));
		TEST_OK(fair_fairtree_add_account(&f, 3, FAIR_FAIRTREE_ROOT,
						  2));
		TEST_OK(fair_fairtree_add_account(&f, 4, 3, 1));
		TEST_OK(fair_fairtree_add_user(&f, 0, 3, 1));
		TEST_OK(fair_fairtree_add_user(&f, 1, FAIR_FAIRTREE_ROOT, 2));
		if (small) {
			TEST_OK(fair_fairtree_set_shares(&f, 4, 1 << 20));
			TEST_OK(fair_fairtree_add_account(&f, 2, 4, 1));
			TEST_OK(fair_fairtree_set_shares(&f, 0, 1));
			TEST_OK(fair_fairtree_set_shares(&f, 1, 1 << 20));
			TEST_OK(fair_fairtree_set_shares(&f, 3, 1));
		}
		begin(&s, 0, &c);
		TEST_EQ(entity(&s, FAIR_ENTITY_USER, 0).share, 1);
		TEST_EQ(entity(&s, FAIR_ENTITY_USER, 1).share,
			small ? FAIR_RELSHARE_SHARES - 1 : 2);
		TEST_EQ(fair_sched_get_entity(&s, FAIR_ENTITY_GROUP, 0, &e),
			-FAIR_ENOENT);
	}
}

/* As many shares as there can be; more are not taken for fewer. */
TEST(most_shares)
{
	const int64_t most = FAIR_RELSHARE_SHARES;
	struct fair_config c = by_share(1);
	struct fair_sched s;

	c.ids = 0;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, 0, most));
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, 0).share, most);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, 0,
				     INT64_C(1) << 32),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, 0,
				     1 - (INT64_C(1) << 32)),
		-FAIR_EINVAL);
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, 0).share, most);
}

/* What decays is not told in processor-seconds. */
TEST(usage_that_decays)
{
	struct fair_config c = by_share(1);
	struct fair_sched s;

	c.ids = 0;
	c.decays = true;
	begin(&s, 0, &c);
	TEST_OK(submit(&s, 0, 1, 0, 8));
	TEST_EQ(start(&s, 0), 1);
	TEST_OK(fair_sched_finish(&s, 50, 1));
	TEST_EQ(usage(&s, 0), 0);
}

TEST(targets)
{
	struct fair_config c = by_share(0);
	struct fair_entity e;
	struct fair_sched s;

	c.policy = FAIR_SFS;
	c.accounts = 2;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, ANN), 0);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_ACCOUNT, ANN, 5), 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_ACCOUNT, ANN).share, 5);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_ACCOUNT, ANN, -1),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_ACCOUNT, ANN, 5),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_ACCOUNT, ANN), 0);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, BOB), 0);
	TEST_EQ(entity(&s, FAIR_ENTITY_ACCOUNT, BOB).share, INT32_MAX);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, 7), 0);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, 7, 5),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, 7), 0);
	c.ids = 0; /* an account is a number below config.accounts */
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_get_entity(&s, FAIR_ENTITY_ACCOUNT, 2, &e),
		-FAIR_ENOENT);
	TEST_EQ(entity(&s, FAIR_ENTITY_ACCOUNT, 1).share, INT32_MAX);
}

TEST(credentials)
{
	struct fair_maui_config m = fair_maui_defaults();
	struct fair_maui_credential none = fair_maui_credential_defaults();
	struct fair_config c = by_share(0);
	struct fair_sched s;

	m.count[FAIR_THROTTLE_USER] = 2;
	m.usage = FAIR_MAUI_PROCS;
	c.policy = FAIR_MAUI;
	c.maui = &m;
	begin(&s, 0, &c);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	none.hard[FAIR_THROTTLE_JOBS] = 0;
	TEST_EQ(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, ANN, &none),
		0);
	TEST_EQ(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, BOB, &none),
		-FAIR_ENOENT);
	TEST_EQ(submit(&s, 0, 1, ANN, 1), -FAIR_ENOENT);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN), 0);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 1000), 0);
	TEST_EQ(usage(&s, ANN), 1000);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN,
				     UINT64_C(1) << 51),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_credit(&s, 0, FAIR_ENTITY_USER, ANN, 300, 1), 0);
	TEST_EQ(usage(&s, ANN), 700);
	TEST_EQ(fair_sched_credit(&s, 0, FAIR_ENTITY_USER, ANN, UINT64_MAX, 1),
		0);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, ANN, 5),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, ANN), 0);
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	none.soft[0] = -1;
	TEST_EQ(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, BOB, &none),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, BOB, NULL),
		-FAIR_EINVAL);
}

/* An entity that leaves gives up its own settings, and no others. */
TEST(settings_of_another_kind)
{
	struct fair_maui_config m = fair_maui_defaults();
	struct fair_maui_credential none = fair_maui_credential_defaults();
	struct fair_config c = by_share(0);
	struct fair_job j = { .walltime = 10, .procs = 1 };
	struct fair_priority_parts parts;
	struct fair_sched s;

	m.count[FAIR_THROTTLE_USER] = m.count[FAIR_THROTTLE_GROUP] = 2;
	m.priority.weight[FAIR_PRIORITY_USER] = 1;
	m.priority.weight[FAIR_PRIORITY_GROUP] = 1;
	c.policy = FAIR_MAUI;
	c.maui = &m;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, BOB));
	none.priority = 100;
	TEST_OK(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, ANN, &none));
	TEST_OK(fair_sched_set_credential(&s, 0, FAIR_ENTITY_GROUP, BOB,
					  &none));
	TEST_OK(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_GROUP, BOB));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN));
	j.user = j.group = ANN;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_OK(fair_sched_priority_parts(&s, 0, &parts));
	TEST_EQ(parts.value[FAIR_PRIORITY_USER], 100 * FAIR_PRIORITY_ONE);
	TEST_EQ(parts.value[FAIR_PRIORITY_GROUP], 0);
}

/* FAIR_ORDER_PRIORITY under FAIR_SFS: accounts are of the targets, all others of
 * config.maui; its limits do not hold. */
TEST(priority_beside_targets)
{
	static const int64_t target[] = { 4, 5 };
	struct fair_maui_credential user[3];
	struct fair_maui_config m;
	struct fair_config c = by_maui(&m);
	struct fair_entity e;
	struct fair_sched s;
	struct fair_why why;
	int i;

	for (i = 0; i < 3; i++)
		user[i] = fair_maui_credential_defaults();
	user[0].hard[FAIR_THROTTLE_JOBS] = 1;
	m.count[FAIR_THROTTLE_USER] = 3;
	m.count[FAIR_THROTTLE_ACCOUNT] = 1;
	m.credential[FAIR_THROTTLE_USER] = user;
	c.policy = FAIR_SFS;
	c.order = FAIR_ORDER_PRIORITY;
	c.accounts = 2;
	c.target = target;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 2, 70));
	TEST_EQ(usage(&s, 2), 70);
	TEST_EQ(entity(&s, FAIR_ENTITY_ACCOUNT, 1).share, 5);
	TEST_EQ(fair_sched_set_usage(&s, 0, FAIR_ENTITY_ACCOUNT, 0, 70),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_set_share(&s, 0, FAIR_ENTITY_ACCOUNT, 0, 6));
	TEST_EQ(entity(&s, FAIR_ENTITY_ACCOUNT, 0).share, 6);
	TEST_EQ(fair_sched_get_entity(&s, FAIR_ENTITY_ACCOUNT, 2, &e),
		-FAIR_ENOENT);
	for (i = 1; i < 3; i++) {
		struct fair_job j = { .number = (uint64_t)i,
				      .walltime = 10,
				      .procs = 5 };

		j.group = j.qos = j.queue = FAIR_THROTTLE_NONE;
		TEST_OK(fair_sched_submit(&s, 0, &j));
	}
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(start(&s, 0), 0);
	TEST_OK(fair_sched_why(&s, 2, NULL, 0, &why));
	TEST_EQ(why.reasons & FAIR_WHY_LIMIT, 0);
}

/* So are accounts where by_target adds the targets to another policy. */
TEST(priority_by_target)
{
	static const int64_t target[] = { 4, 5 };
	struct fair_maui_config m;
	struct fair_config c = by_maui(&m);
	struct fair_job j = { .number = 1, .walltime = 10, .procs = 5 };
	struct fair_sched s;

	m.count[FAIR_THROTTLE_ACCOUNT] = 1;
	c.policy = FAIR_DC;
	c.order = FAIR_ORDER_PRIORITY;
	c.by_target = true;
	c.accounts = 2;
	c.target = target;
	begin(&s, 0, &c);
	TEST_EQ(entity(&s, FAIR_ENTITY_ACCOUNT, 1).share, 5);
	j.group = j.qos = j.queue = FAIR_THROTTLE_NONE;
	j.account = 1;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_EQ(start(&s, 0), 1);
}

/* Saved, and loaded where there is room for more. */
TEST(one_user_more)
{
	const uint32_t share[] = { 1, 1, 7 };
	struct fair_config c;
	struct fair_sched s, t;
	struct fair_entity e;
	uint32_t at;
	int i;

	for (i = 0; i < 4; i++) {
		c = i & 1 ? by_share(2) : by_usage(2);
		if (i & 2)
			c.ids = 0;
		begin(&s, 0, &c);
		if (c.ids) {
			TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER,
						      ANN));
			TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER,
						      1));
			TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER,
						     ANN, 0));
			TEST_OK(fair_sched_remove_entity(
				&s, 0, FAIR_ENTITY_USER, ANN));
			TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP,
						      1));
			TEST_OK(fair_sched_add_entity(&s, 0,
						      FAIR_ENTITY_ACCOUNT, 1));
		}
		TEST_EQ(submit(&s, 0, 1, 1, 8), 0);
		TEST_EQ(submit(&s, 0, 2, 1, 8), 0);
		TEST_EQ(start(&s, 0), 1);
		TEST_EQ(fair_sched_finish(&s, 50, 1), 0);
		TEST_EQ(fair_sched_credit(&s, 50, FAIR_ENTITY_USER, 1, 1, 2),
			0);
		save(&s);
		c.users = 3;
		c.share = share;
		TEST_EQ(load(&t, 1, &c), 0);
		TEST_EQ(usage(&s, 1), usage(&t, 1));
		TEST_EQ(t.credits, 1);
		TEST_EQ(t.credit[0].reason, 2);
		if (c.ids) {
			TEST_OK(fair_sched_add_entity(&t, 50, FAIR_ENTITY_USER,
						      BOB));
			TEST_OK(fair_sched_add_entity(&t, 50, FAIR_ENTITY_USER,
						      2));
			at = 0;
			TEST_EQ(fair_sched_each_entity(&t, FAIR_ENTITY_USER,
						       &at, &e),
				true);
			TEST_EQ(e.id, BOB);
		}
		TEST_EQ(entity(&t, FAIR_ENTITY_USER, 2).share, i & 1 ? 7 : 0);
		TEST_EQ(fair_sched_check(&t), 0);
		TEST_EQ(start(&t, 50), 2);
		TEST_EQ(fair_sched_digest(&s) != fair_sched_digest(&t), true);
		TEST_EQ(start(&s, 50), 2);
		TEST_EQ(fair_sched_digest(&s), fair_sched_digest(&t));
		TEST_OK(fair_sched_clone(&s, bytes[2], sizeof(bytes[2]), &t));
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(usage(&s, 2), 0);
		save(&t);
		c.users = 1;
		TEST_EQ(load(&s, 0, &c), -FAIR_EINVAL);
		c.users = 3;
		c.ids = !c.ids;
		TEST_EQ(load(&s, 0, &c), -FAIR_EINVAL);
	}
}

/* Ids with less room: how many there are is what counts. */
TEST(less_room)
{
	struct fair_config c = by_usage(2);
	struct fair_sched s, t;

	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_QUEUE, 7));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_QUEUE, 8));
	save(&s);
	c.ids = 2;
	TEST_EQ(load(&t, 1, &c), 0);
	TEST_EQ(fair_sched_add_entity(&t, 0, FAIR_ENTITY_QUEUE, 9),
		-FAIR_ENOSPC);
	c.ids = 1;
	TEST_EQ(load(&t, 1, &c), -FAIR_ENOSPC);
}

/* A conversion keeps ids and usage, also with another half-life. */
TEST(converted)
{
	struct fair_config c = by_usage(2), other = by_usage(4);
	struct fair_sched s, t;

	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, ANN));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 4000));
	TEST_EQ(submit(&s, 0, 1, ANN, 8), 0);
	TEST_EQ(submit(&s, 0, 2, ANN, 8), 0);
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(fair_sched_pass_time(&s, 10), 0);
	other.half_life = 50;
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s));
	TEST_EQ(usage(&t, ANN), usage(&s, ANN) + 80);
	TEST_EQ(fair_sched_check(&t), 0);
	other = by_share(4);
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s));
	TEST_EQ(usage(&t, ANN), usage(&s, ANN) + 80);
	TEST_OK(fair_sched_convert(&s, sizeof(s), bytes[2], sizeof(bytes[2]),
				   &c, &t));
	TEST_EQ(usage(&s, ANN), usage(&t, ANN));
	other = c;
	other.order = FAIR_ORDER_DOMINANT;
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s));
	TEST_EQ(usage(&t, ANN), usage(&s, ANN));
	other = by_share(4);
	other.ids = 0;
	TEST_EQ(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s),
		-FAIR_ENOENT);
	other = by_share(0);
	other.policy = FAIR_SFS;
	other.accounts = 1;
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s));
	other.policy = FAIR_PC;
	other.users = 0;
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s));
	other = by_share(1);
	other.ids = 1;
	TEST_OK(fair_sched_add_entity(&s, 10, FAIR_ENTITY_USER, BOB));
	TEST_EQ(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &other, &s),
		-FAIR_ENOSPC);
}

/* A user has another index there, after one who has left here. */
TEST(converted_to_another_index)
{
	struct fair_config c = by_usage(2);
	struct fair_sched s, t;

	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, BOB, 4000));
	TEST_OK(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &c, &s));
	TEST_EQ(usage(&t, BOB), usage(&s, BOB));
	TEST_EQ(fair_sched_check(&t), 0);
}

/* A fraction of a processor-second is usage, too. */
TEST(converted_fraction)
{
	struct fair_config c = by_usage(2);
	struct fair_sched s, t;

	c.ids = 0;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 1, 1));
	TEST_EQ(fair_sched_pass_time(&s, 1000), 0);
	TEST_EQ(usage(&s, 1), 0);
	TEST_CHECK(entity(&s, FAIR_ENTITY_USER, 1).fraction >> 62 == 1 ||
		   entity(&s, FAIR_ENTITY_USER, 1).fraction >> 62 == 2);
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &c, &s));
	TEST_EQ(usage(&t, 1), 0);
	TEST_EQ(entity(&t, FAIR_ENTITY_USER, 1).fraction,
		entity(&s, FAIR_ENTITY_USER, 1).fraction);
}

/* With what a running job has used, user 0 has used more than is counted. */
TEST(converted_overflow)
{
	const uint64_t most = (UINT64_C(1) << 59) - 1;
	struct fair_config c = by_usage(2);
	struct fair_sched s, t, was;

	c.ids = 0;
	c.half_life = 0;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 0, most - 5));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 1, 5));
	TEST_EQ(submit(&s, 0, 1, 0, 1), 0);
	TEST_EQ(start(&s, 0), 1);
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &c, &s));
	TEST_EQ(usage(&t, 0), most - 5);
	TEST_EQ(fair_sched_pass_time(&s, 6), 0);
	was = t;
	TEST_EQ(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &c, &s),
		-FAIR_EOVERFLOW);
	TEST_CHECK(!memcmp(&was, &t, sizeof(t)));
}

/* Indices that are free again are those of a clone, too. */
TEST(ids_of_a_clone)
{
	struct fair_config c = by_usage(4);
	struct fair_sched s, t;
	uint64_t id;
	uint32_t kind;

	begin(&s, 0, &c);
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		TEST_EQ((uintptr_t)s.ids[kind].id % 8, 0);
	for (id = 10; id < 14; id++)
		TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, id));
	TEST_OK(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, 13));
	TEST_OK(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, 11));
	memset(bytes[1], 0xff, sizeof(bytes[1]));
	TEST_OK(fair_sched_clone(&t, bytes[1], sizeof(bytes[1]), &s));
	for (id = 21; id < 23; id++) {
		TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, id));
		TEST_OK(fair_sched_add_entity(&t, 0, FAIR_ENTITY_USER, id));
		TEST_EQ(entity(&s, FAIR_ENTITY_USER, id).index,
			id == 21 ? 1 : 3);
		TEST_EQ(entity(&t, FAIR_ENTITY_USER, id).index,
			id == 21 ? 1 : 3);
	}
	TEST_EQ(fair_sched_add_entity(&t, 0, FAIR_ENTITY_USER, 23),
		-FAIR_ENOSPC);
}

/* Two users whose search begins at the last entry, and a group beside them. */
TEST(ids_at_the_end_of_the_hash)
{
	struct fair_config c = by_usage(4);
	struct fair_sched s;
	struct fair_entity e;
	uint64_t id, user[2];
	uint32_t bits, n = 0;

	begin(&s, 0, &c);
	bits = s.ids[FAIR_ENTITY_USER].bits;
	for (id = 1; n < 2; id++)
		if (id * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits) ==
		    (UINT64_C(1) << bits) - 1)
			user[n++] = id;
	for (n = 0; n < 2; n++)
		TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER,
					      user[n]));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN));
	for (n = 0; n < 2; n++)
		TEST_EQ(entity(&s, FAIR_ENTITY_USER, user[n]).index, n);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_OK(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, user[0]));
	TEST_EQ(entity(&s, FAIR_ENTITY_USER, user[1]).index, 1);
	TEST_EQ(fair_sched_get_entity(&s, FAIR_ENTITY_USER, user[0], &e),
		-FAIR_ENOENT);
}

/* The hash is at most half full, and no larger. */
TEST(bits_of_the_hash)
{
	static const uint32_t bits[] = { 1, 2, 3, 3, 4 };
	uint32_t room;

	for (room = 1; room <= 5; room++)
		TEST_EQ(fair_ids_bits(room), bits[room - 1]);
}

/* Each entity of each kind is found, by id and one after another. */
TEST(many_ids)
{
	struct fair_config c = by_usage(100);
	struct fair_sched s;
	struct fair_entity e;
	uint32_t kind, i, n, at;

	c.policy = FAIR_FCFS;
	c.order = FAIR_ORDER_FCFS;
	c.ids = 100;
	begin(&s, 0, &c);
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		for (i = 0; i < 100; i++)
			TEST_OK(fair_sched_add_entity(
				&s, 0, kind, i * UINT64_C(0x9e3779b97f4a7c15)));
		for (i = 0; i < 100; i += 2)
			TEST_OK(fair_sched_remove_entity(
				&s, 0, kind, i * UINT64_C(0x9e3779b97f4a7c15)));
		for (n = at = 0; fair_sched_each_entity(&s, kind, &at, &e); n++)
			TEST_EQ(e.id, e.index * UINT64_C(0x9e3779b97f4a7c15));
		TEST_EQ(n, 50);
		for (i = 0; i < 100; i++)
			TEST_EQ(fair_sched_get_entity(
					&s, kind,
					i * UINT64_C(0x9e3779b97f4a7c15), &e),
				i % 2 ? 0 : -FAIR_ENOENT);
	}
	at = 0;
	TEST_EQ(fair_sched_each_entity(&s, FAIR_ENTITY_KINDS, &at, &e), false);
	TEST_EQ(fair_sched_get_entity(&s, FAIR_ENTITY_KINDS, 1, &e),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_get_entity(&s, 0, 1, NULL), -FAIR_EINVAL);
}

/* Groups have the shares; a held job keeps its group. */
TEST(groups)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_config c = by_share(2);
	struct fair_job j = { 0 };
	struct fair_entity e;
	struct fair_sched s;
	uint32_t at = 0;

	c.by_group = true;
	c.credits = 0;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN));
	TEST_OK(fair_sched_set_share(&s, 0, FAIR_ENTITY_GROUP, ANN, 3));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_GROUP, ANN, 30));
	TEST_OK(fair_sched_credit(&s, 0, FAIR_ENTITY_GROUP, ANN, 10, 1));
	TEST_EQ(entity(&s, FAIR_ENTITY_GROUP, ANN).usage, 20);
	TEST_OK(fair_sched_reset_usage(&s, 0));
	TEST_EQ(entity(&s, FAIR_ENTITY_GROUP, ANN).usage, 0);
	j.number = 1;
	j.procs = 1;
	j.walltime = 1;
	j.group = ANN;
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &held));
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_GROUP, ANN),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, BOB));
	TEST_OK(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_GROUP, BOB));
	save(&s);
	c.credits = 1;
	TEST_EQ(load(&s, 1, &c), 0);
	c.ids = 0;
	begin(&s, 0, &c);
	while (fair_sched_each_entity(&s, FAIR_ENTITY_GROUP, &at, &e))
		TEST_EQ(e.id, e.index);
	TEST_EQ(at, 2);
}

/* An id that is no index is none of a scheduler without ids, of any kind; with
 * them a job is told of as it was submitted. */
TEST(an_id_of_each_kind)
{
	struct fair_config c = by_usage(1);
	struct fair_job_status status;
	struct fair_job j, was;
	struct fair_sched s;
	uint32_t kind;

	c.order = FAIR_ORDER_FCFS;
	c.ids = 0;
	begin(&s, 0, &c);
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		memset(&j, 0, sizeof(j));
		j.procs = 1;
		j.walltime = 100;
		*fair_job_id(&j, kind) = UINT64_C(1) << 32;
		TEST_EQ(fair_sched_submit(&s, 0, &j), -FAIR_ENOENT);
	}
	c.ids = 3;
	begin(&s, 0, &c);
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		*fair_job_id(&j, kind) = ANN + kind;
		TEST_OK(fair_sched_add_entity(&s, 0, kind, ANN + kind));
	}
	was = j;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_OK(fair_sched_lookup(&s, 0, &status));
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		TEST_EQ(*fair_job_id(&status.job, kind),
			*fair_job_id(&was, kind));
}

/* Behind another one's job of this size, in the queue, there is one of BOB's, who
 * stays. Whoever leaves does so at a time. */
TEST(one_with_a_job_stays)
{
	struct fair_config c = by_usage(3);
	struct fair_sched s;
	uint32_t kind;

	begin(&s, 0, &c);
	for (kind = FAIR_ENTITY_USER; kind <= FAIR_ENTITY_ACCOUNT; kind++) {
		TEST_OK(fair_sched_add_entity(&s, 0, kind, ANN));
		TEST_OK(fair_sched_add_entity(&s, 0, kind, BOB));
	}
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ROOT));
	TEST_OK(submit(&s, 0, 1, ANN, 1));
	TEST_OK(submit(&s, 0, 2, ANN, 1));
	TEST_OK(submit(&s, 0, 3, BOB, 1));
	TEST_EQ(fair_sched_remove_entity(&s, 0, FAIR_ENTITY_USER, BOB),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_remove_entity(&s, 10, FAIR_ENTITY_USER, ROOT));
	TEST_EQ(fair_sched_add_entity(&s, 9, FAIR_ENTITY_USER, ROOT),
		-FAIR_ETIME);
}

/* Once all is forgotten job 2 is first again, and starts in this second. */
TEST(a_reset_decides_anew)
{
	struct fair_config c = by_usage(2);
	struct fair_job j = { .walltime = 100, .procs = 4 };
	struct fair_sched s;

	c.ids = 0;
	begin(&s, 0, &c);
	for (j.number = 1; j.number <= 3; j.number++) {
		j.walltime = j.number == 2 ? 200 : 100;
		j.procs = j.number == 3 ? 8 : 4;
		j.user = j.number == 2;
		if (j.number == 2)
			TEST_EQ(start(&s, 0), 1);
		TEST_OK(fair_sched_submit(&s, 0, &j));
	}
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, 1, 5000));
	TEST_EQ(start(&s, 0), 0);
	TEST_OK(fair_sched_reset_usage(&s, 0));
	TEST_EQ(start(&s, 0), 2);
}

/* What was refused in this second, which goes on, changed nothing of @s. */
static void saves_as_before(const struct fair_sched *s)
{
	static unsigned char was[sizeof(checkpoint)];
	size_t length = checkpoint_bytes;

	memcpy(was, checkpoint, sizeof(was));
	save(s);
	TEST_EQ(checkpoint_bytes, length);
	TEST_CHECK(!memcmp(was, checkpoint, length));
}

TEST(refused_changes)
{
	struct fair_maui_credential wrong = fair_maui_credential_defaults();
	struct fair_maui_config m;
	struct fair_config c = by_usage(2);
	struct fair_sched s;

	c.ids = 0;
	begin(&s, 0, &c);
	TEST_OK(submit(&s, 0, 1, 0, 8));
	TEST_OK(submit(&s, 0, 2, 1, 8));
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(start(&s, 0), 0);
	TEST_OK(fair_sched_pass_time(&s, 0));
	save(&s);
	TEST_EQ(fair_sched_set_share(&s, 0, FAIR_ENTITY_USER, 1, 5),
		-FAIR_EINVAL);
	saves_as_before(&s);
	c = by_maui(&m);
	begin(&s, 0, &c);
	TEST_EQ(start(&s, 0), 0);
	TEST_OK(fair_sched_pass_time(&s, 0));
	save(&s);
	wrong.hard[FAIR_THROTTLE_PROCS] = -1;
	TEST_EQ(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, 0, &wrong),
		-FAIR_EINVAL);
	saves_as_before(&s);
}

/* A window is a second at least. */
TEST(the_shortest_window)
{
	struct fair_config c = by_share(2);
	struct fair_sched s;

	begin(&s, 0, &c);
	TEST_OK(fair_sched_set_window(&s, 0, 1, 0));
	TEST_EQ(fair_sched_set_window(&s, 0, 0, 0), -FAIR_EINVAL);
}

/* Each word of what a checkpoint says of entities, damaged: it is rejected, or
 * the scheduler is sound. */
TEST(damage)
{
	static unsigned char whole[sizeof(checkpoint)];
	const uint64_t values[] = { 0, 1, 2, 5, ANN, FAIR_NO_ENTITY,
				    UINT64_MAX, UINT64_C(1) << 33 };
	struct fair_config c = by_usage(2);
	size_t begins, at, i, k;
	struct fair_sched s, t;
	uint32_t loaded = 0, rejected = 0;
	uint64_t hash;
	int error;

	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, BOB));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, BOB));
	TEST_EQ(submit(&s, 0, 1, BOB, 1), 0);
	TEST_OK(fair_sched_credit(&s, 0, FAIR_ENTITY_USER, ANN, 5, 6));
	save(&s);
	memcpy(whole, checkpoint, sizeof(checkpoint));
	/* The section of the room: its number, one record of three words. */
	for (begins = 0; begins < checkpoint_bytes; begins += 8)
		if (checkpoint[begins] == 60 && checkpoint[begins + 8] == 1 &&
		    checkpoint[begins + 16] == 3)
			break;
	TEST_REQUIRE(begins < checkpoint_bytes);
	for (at = begins; at < begins + 8 * (6 + 3 + 4 * 3 + 3 + 6); at += 8)
		for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
			memcpy(checkpoint, whole, sizeof(checkpoint));
			for (k = 0; k < 8; k++)
				checkpoint[at + k] =
					(unsigned char)(values[i] >> 8 * k);
			hash = fair_fnv(checkpoint, checkpoint_bytes - 8);
			for (k = 0; k < 8; k++)
				checkpoint[checkpoint_bytes - 8 + k] =
					(unsigned char)(hash >> 8 * k);
			error = load(&t, 1, &c);
			TEST_CHECK(!error || error == -FAIR_EINVAL ||
				   error == -FAIR_ENOSPC);
			loaded += !error;
			rejected += error != 0;
		}
	TEST_CHECK(loaded > 10 && rejected > 100);
	memcpy(checkpoint, whole, sizeof(checkpoint));
	c.credits = 0;
	TEST_EQ(load(&t, 1, &c), 0);
	c.order = FAIR_ORDER_FCFS;
	c.ids = 0;
	begin(&s, 0, &c);
	save(&s);
	c.ids = 3;
	TEST_EQ(load(&t, 1, &c), -FAIR_EINVAL);
}

static uint64_t written;

static bool reads_all(const struct fair_sched *s, const void *ledger,
		      uint32_t kind, struct fair_entity *e)
{
	(void)s;
	(void)ledger;
	(void)e;
	return kind == FAIR_ENTITY_USER;
}

static int writes_all(struct fair_sched *s, void *ledger, uint32_t kind,
		      enum fair_entity_change change, struct fair_entity *e)
{
	(void)s;
	(void)ledger;
	(void)kind;
	(void)change;
	written = e->usage;
	return 0;
}

/* The last three, the latest first. */
TEST(three_credits)
{
	struct fair_config c = by_usage(1);
	struct fair_credit credit;
	struct fair_sched s;
	uint32_t i;

	c.ids = 0;
	c.credits = 3;
	begin(&s, 0, &c);
	for (i = 1; i < 6; i++)
		TEST_OK(fair_sched_credit(&s, 0, FAIR_ENTITY_USER, 0, 1, i));
	for (i = 0; i < 3; i++) {
		TEST_CHECK(fair_sched_get_credit(&s, i, &credit));
		TEST_EQ(credit.reason, 5 - i);
	}
	TEST_CHECK(!fair_sched_get_credit(&s, 3, &credit));
}

/* What is set has no fraction, and who has left is no entity. */
TEST(what_is_set_and_who_is_left)
{
	struct fair_config c = by_usage(2);
	struct fair_entity e;
	struct fair_sched s;
	uint32_t at = 0;

	c.half_life = 10;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, BOB));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 100));
	TEST_OK(fair_sched_pass_time(&s, 3));
	TEST_CHECK(entity(&s, FAIR_ENTITY_USER, ANN).fraction);
	TEST_OK(fair_sched_set_usage(&s, 3, FAIR_ENTITY_USER, ANN, 70));
	e = entity(&s, FAIR_ENTITY_USER, ANN); /* a half-life rounds down */
	TEST_EQ(e.usage + (e.fraction >> 63), 70);
	TEST_EQ(e.fraction >> 32,
		e.fraction >> 63 ? UINT32_MAX : 0);
	TEST_OK(fair_sched_set_usage(&s, 3, FAIR_ENTITY_USER, ANN, 0));
	TEST_OK(fair_sched_remove_entity(&s, 3, FAIR_ENTITY_USER, ANN));
	TEST_CHECK(fair_sched_each_entity(&s, FAIR_ENTITY_USER, &at, &e));
	TEST_EQ(e.id, BOB);
	TEST_CHECK(!fair_sched_each_entity(&s, FAIR_ENTITY_USER, &at, &e));
}

/* How many there are of a kind, says the ledger that has them; else config.ids. */
TEST(rooms_of_kinds)
{
	static const int64_t target[] = { 1, 2, 3 };
	struct fair_maui_config m;
	struct fair_config c = by_maui(&m);
	struct fair_entity e;
	struct fair_sched s;
	uint32_t at = 0;

	c.limits = 1; /* another ledger comes first */
	begin(&s, 0, &c);
	while (fair_sched_each_entity(&s, FAIR_ENTITY_USER, &at, &e))
		TEST_EQ(e.index + 1, at);
	TEST_EQ(at, 2);
	c = by_share(0);
	c.policy = FAIR_SFS;
	c.accounts = 3;
	c.target = target;
	c.ids = 1;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN));
	TEST_EQ(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, BOB),
		-FAIR_ENOSPC);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, BOB));
}

/* A limit is raised in the second of a step: another step decides anew. */
TEST(a_credential_is_changed)
{
	struct fair_maui_credential user[2];
	struct fair_maui_config m;
	struct fair_config c = by_maui(&m);
	struct fair_job j = { .walltime = 10, .procs = 1 };
	struct fair_sched s;

	user[0] = user[1] = fair_maui_credential_defaults();
	user[0].hard[FAIR_THROTTLE_JOBS] = 1;
	m.credential[FAIR_THROTTLE_USER] = user;
	begin(&s, 0, &c);
	j.group = j.account = j.qos = j.queue = FAIR_THROTTLE_NONE;
	for (j.number = 1; j.number < 3; j.number++)
		TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_EQ(start(&s, 0), 1);
	TEST_EQ(start(&s, 0), 0);
	user[0].hard[FAIR_THROTTLE_JOBS] = 2;
	TEST_EQ(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, 2, user),
		-FAIR_ENOENT);
	TEST_OK(fair_sched_set_credential(&s, 0, FAIR_ENTITY_USER, 0, user));
	TEST_EQ(start(&s, 0), 2);
}

/* A ledger of the caller's own keeps no entities. */
TEST(ledger_without_entities)
{
	struct fair_config c = by_usage(2);
	struct fair_ledger_ops own;
	struct fair_sched s;

	memset(&own, 0, sizeof(own));
	own.name = "own";
	own.size = plain_size;
	own.init = plain_init;
	c.ledger = &own;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 5));
	TEST_EQ(usage(&s, ANN), 5);
	/* One that keeps users, too, is told as well. */
	own.read = reads_all;
	own.write = writes_all;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_set_usage(&s, 0, FAIR_ENTITY_USER, ANN, 7));
	TEST_EQ(usage(&s, ANN), 7);
	TEST_EQ(written, 7);
}

static bool reads_groups(const struct fair_sched *s, const void *ledger,
			 uint32_t kind, struct fair_entity *e)
{
	(void)s;
	(void)ledger;
	if (kind == FAIR_ENTITY_GROUP)
		e->usage = 5;
	return kind == FAIR_ENTITY_GROUP;
}

/* What a running job has used until then is added to that of its user alone. */
TEST(converted_usage_of_a_group)
{
	static const struct fair_ledger_ops own = { .name = "groups",
						    .size = plain_size,
						    .init = plain_init,
						    .read = reads_groups,
						    .write = writes_all };
	struct fair_config c = by_usage(2);
	struct fair_sched s, t;

	c.ledger = &own;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_USER, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_GROUP, ANN));
	TEST_OK(fair_sched_add_entity(&s, 0, FAIR_ENTITY_ACCOUNT, ANN));
	TEST_EQ(submit(&s, 0, 1, ANN, 8), 0);
	TEST_EQ(start(&s, 0), 1);
	TEST_OK(fair_sched_pass_time(&s, 10));
	TEST_OK(fair_sched_convert(&t, sizeof(t), bytes[1], sizeof(bytes[1]),
				   &c, &s));
	TEST_EQ(usage(&t, ANN), 80);
	TEST_EQ(written, 5);
}
