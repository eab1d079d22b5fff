/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * narrow_test.c - sizes that a machine cannot count: as if SIZE_MAX were less
 */
#include <stdint.h>

/* What 32 bits are for real, sizes near 2^32, needs no such machine here. */
#undef SIZE_MAX
#define SIZE_MAX ((size_t)1 << 22)
#define FAIRSCHED_IMPLEMENTATION
#define FAIR_FAIRTREE_IMPLEMENTATION
#include "fairsched.h"
#include "policies/fairtree.h"
#include "tests/test.h"

static char memory[3 << 20];

/* 12,288 steps are the most: of more memory no more use is made. */
TEST(profile)
{
	struct fair_profile p;
	const size_t most = SIZE_MAX / 256 - 4096;

	TEST_CHECK(fair_profile_size(most) > 0);
	TEST_EQ(fair_profile_size(most + 1), 0);
	TEST_CHECK(fair_profile_size(most) < sizeof(memory) / 2);
	TEST_OK(fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8, 0));
	TEST_EQ(p.cap, most);
	TEST_EQ(fair_profile_check(&p), 0);
}

TEST(queue)
{
	static const struct fair_queued job[1];
	struct fair_queue q, was;
	uint32_t most = 1, more;

	while (fair_queue_size(2 * most))
		most *= 2;
	TEST_CHECK(fair_queue_size(most) <= SIZE_MAX);
	TEST_CHECK(most > SIZE_MAX / 64 && most < SIZE_MAX / 8);
	TEST_CHECK(fair_queue_share_size(most) < fair_queue_size(most));
	for (more = most; more < UINT32_MAX / 2 && fair_queue_share_size(more);)
		more *= 2;
	TEST_EQ(fair_queue_share_size(more), 0);
	memset(&q, 0x5a, sizeof(q));
	was = q;
	TEST_EQ(fair_queue_init(&q, sizeof(q), memory, sizeof(memory), 2 * most,
				job, sizeof(job[0])),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&q, &was, sizeof(q)));
}

TEST(fairtree)
{
	uint32_t most = 1;

	while (fair_fairtree_size(2 * most))
		most *= 2;
	TEST_CHECK(fair_fairtree_size(most) <= SIZE_MAX);
	TEST_CHECK(most > SIZE_MAX / 512 && most < SIZE_MAX / 32);
}

/* A ledger, or the checkpoint of one. */
TEST(usage)
{
	const uint32_t most = (uint32_t)(SIZE_MAX / 32) - 4;
	static unsigned char checkpoint[2 << 20];
	struct fair_usage u, v;
	size_t bytes;
	int damage;

	TEST_CHECK(fair_usage_size(most, 0, 1) <= SIZE_MAX);
	TEST_CHECK(fair_usage_size(most, 0, 1) > SIZE_MAX - 99);
	TEST_EQ(fair_usage_size(most + 1, 0, 1), 0);
	TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory, sizeof(memory),
					  20000, 4, 0, 99));
	bytes = fair_usage_checkpoint_size(&u);
	TEST_REQUIRE(bytes && bytes <= sizeof(checkpoint));
	TEST_EQ(fair_usage_save(&u, checkpoint, bytes), 0);
	/* From a machine with room for 16 sources. */
	checkpoint[8 * 6] = 16;
	fair_put_word(checkpoint + bytes - 8, fair_fnv(checkpoint, bytes - 8));
	TEST_EQ(fair_usage_load_size(checkpoint, bytes), 0);
	TEST_EQ(fair_usage_load(&v, sizeof(v), memory, sizeof(memory),
				checkpoint, bytes, &damage),
		-FAIR_ENOMEM);
	/* Nor can what it holds be written. */
	u.entities = most;
	u.sources = 2;
	TEST_EQ(fair_usage_checkpoint_size(&u), 0);
	TEST_EQ(fair_usage_save(&u, checkpoint, sizeof(checkpoint)),
		-FAIR_ENOSPC);
}

TEST(fairness)
{
	const int32_t most = (int32_t)((SIZE_MAX - 7) /
				       sizeof(struct fair_fairness_level));
	struct fair_fairness f;

	TEST_CHECK(fair_fairness_size(most) > SIZE_MAX / 2);
	TEST_EQ(fair_fairness_size(most + 1), 0);
	TEST_EQ(fair_fairness_init(&f, sizeof(f), memory, sizeof(memory),
				   most + 1, 0),
		-FAIR_ENOMEM);
}

TEST(sfs)
{
	const uint32_t most = (uint32_t)((SIZE_MAX - 7) /
					 sizeof(struct fair_sfs_state));
	struct fair_sfs s;

	TEST_CHECK(fair_sfs_size(most) > SIZE_MAX / 2);
	TEST_EQ(fair_sfs_size(most + 1), 0);
	TEST_EQ(fair_sfs_init(&s, sizeof(s), memory, sizeof(memory), most + 1),
		-FAIR_ENOMEM);
}

TEST(throttle)
{
	uint32_t count[FAIR_THROTTLE_KINDS] = { 0, 0, 0, 0, 0 };
	const uint32_t most =
		(uint32_t)((SIZE_MAX - 7) /
			   sizeof(struct fair_throttle_credential));
	struct fair_throttle t;

	count[0] = most;
	TEST_CHECK(fair_throttle_size(count) > SIZE_MAX / 2);
	count[1] = 1;
	TEST_EQ(fair_throttle_size(count), 0);
	TEST_EQ(fair_throttle_init(&t, sizeof(t), memory, sizeof(memory), count,
				   0),
		-FAIR_ENOMEM);
	count[1] = (uint32_t)SIZE_MAX;
	TEST_EQ(fair_throttle_size(count), 0);
}

TEST(relshare)
{
	struct fair_relshare_config c;
	struct fair_relshare r;
	size_t bytes;

	memset(&c, 0, sizeof(c));
	c.users = c.jobs = 1;
	c.procs = 1;
	c.window = 1;
	while ((bytes = fair_relshare_size(&c)) > 0)
		c.jobs += 1000;
	c.jobs -= 1000;
	bytes = fair_relshare_size(&c);
	TEST_CHECK(bytes > SIZE_MAX - 100000 && bytes <= SIZE_MAX);
	c.jobs = 1;
	c.users = SIZE_MAX / 24;	/* too many for the ledger alone */
	TEST_EQ(fair_relshare_size(&c), 0);
	TEST_EQ(fair_relshare_init(&r, sizeof(r), memory, sizeof(memory), &c),
		-FAIR_ENOMEM);
}

TEST(maui)
{
	struct fair_maui_config c = fair_maui_defaults();
	struct fair_maui m;

	TEST_EQ(fair_maui_size(&c, (uint32_t)SIZE_MAX / 64), 0);
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c,
			       (uint32_t)SIZE_MAX / 64, 1, 0),
		-FAIR_ENOMEM);
	c.count[FAIR_THROTTLE_USER] = 10000;
	TEST_CHECK(fair_maui_size(&c, 1) > 0);
	c.usage = FAIR_MAUI_PROCS;
	c.windows = FAIR_USAGE_DEPTH;	/* of each user */
	TEST_EQ(fair_maui_size(&c, 1), 0);
	c.usage = 0;
	c.count[FAIR_THROTTLE_USER] = 100000;
	TEST_EQ(fair_maui_size(&c, 1), 0);
}

/* Few jobs, but too much of something else. */
TEST(scheduler)
{
	static const struct {
		uint32_t policy, order, accounts, users, advances, jobs;
	} large[] = {
		{ FAIR_BACKFILL, FAIR_ORDER_FCFS, 0, 0, 0, 1 << 20 },
		{ FAIR_BACKFILL, FAIR_ORDER_FCFS, 0, 0, 1 << 20, 8 },
		{ FAIR_BACKFILL, FAIR_ORDER_USAGE, 0, 1 << 20, 0, 8 },
		{ FAIR_BACKFILL, FAIR_ORDER_DOMINANT, 0, 1 << 15, 0, 8 },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0, 0, 1 << 20, 8 },
		{ FAIR_SFS, FAIR_ORDER_FCFS, 1 << 20, 0, 0, 8 },
		{ FAIR_SFS, FAIR_ORDER_FCFS, 1 << 17, 0, 0, 8 },
		{ FAIR_RELSHARE, FAIR_ORDER_FCFS, 0, 1 << 20, 0, 8 },
		{ FAIR_RELSHARE, FAIR_ORDER_FCFS, 0, 40400, 0, 8 },
	};
	struct fair_sched s, was;
	struct fair_config c;
	size_t i;

	memset(&s, 0x5a, sizeof(s));
	was = s;
	for (i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		memset(&c, 0, sizeof(c));
		c.procs = 8;
		c.window = 100;
		c.policy = large[i].policy;
		c.order = large[i].order;
		c.accounts = c.users = c.jobs = 8;
		TEST_CHECK(fair_sched_size(&c) > 0);
		TEST_CHECK(fair_sched_forecast_size(&c, 9) > 0);
		TEST_EQ(fair_sched_forecast_size(&c, SIZE_MAX / 16), 0);
		c.accounts = large[i].accounts;
		c.users = large[i].users;
		c.advances = large[i].advances;
		c.jobs = large[i].jobs;
		TEST_EQ(fair_sched_size(&c), 0);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, sizeof(memory),
					&c),
			-FAIR_ENOMEM);
	}
	memset(&c, 0, sizeof(c));
	c.procs = 8;
	c.jobs = c.users = 8;
	c.order = FAIR_ORDER_USAGE;
	c.ids = 1;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c.ids = 1 << 20; /* the table of ids is too large */
	TEST_EQ(fair_sched_size(&c), 0);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, sizeof(memory), &c),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&s, &was, sizeof(s)));
	TEST_CHECK(fair_backfill_size(6000, true, 8) > 0);
	TEST_EQ(fair_backfill_size(7000, true, 8), 0);	/* its profile */
	TEST_CHECK(fair_backfill_size(0, true, 100000) > SIZE_MAX / 4);
	TEST_CHECK(fair_backfill_size(0, false, 200000) > SIZE_MAX / 4);
	TEST_EQ(fair_backfill_size(0, true, 210000), 0);	/* the sum */
	TEST_EQ(fair_backfill_size(0, true, 1 << 20), 0);	/* its queue */
	memset(&c, 0, sizeof(c));
	c.procs = 8;
	c.jobs = 8;
	c.policy = FAIR_BACKFILL;
	c.depth = 7000;
	TEST_EQ(fair_sched_size(&c), 0);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, sizeof(memory), &c),
		-FAIR_ENOMEM);
	c.depth = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	c.advances = 1;
	TEST_EQ(fair_sched_size(&c), 0);
	TEST_EQ(fair_conservative_size(FAIR_COMPRESS, 1 << 20, 1), 0);
}

/* A queue that is too large, or what stands behind it. */
TEST(backfill)
{
	const uint32_t most = SIZE_MAX / 32;

	TEST_CHECK(fair_queue_size(most) < SIZE_MAX);
	TEST_CHECK(fair_backfill_size(1, true, most) > SIZE_MAX / 2);
	TEST_EQ(fair_backfill_size(1, true, SIZE_MAX), 0);
	TEST_EQ(fair_backfill_size(most * 4, false, 1), 0);
	TEST_EQ(fair_backfill_size(1, false, most * 4), 0);
	TEST_CHECK(fair_backfill_size(0, false, most) <
		   fair_backfill_size(1, true, most));
}
