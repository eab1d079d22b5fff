/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Relative share accumulates within windows that begin at multiples of their
 * length; a reserved job counts for the part of it that lies in the window.
 */
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

/*
 * Two users have as much. Job 3 gets a reservation at 100: what of it lies in
 * the window is its user's, and the other comes next.
 */
static void reserved_counts(uint32_t advances, int64_t window, int64_t next)
{
	struct world w = { .config.policy = FAIR_RELSHARE,
			   .config.procs = 10,
			   .config.jobs = 5,
			   .config.users = 2,
			   .config.advances = advances,
			   .config.window = window };

	open_world_of(&w, &w.config);
	submit_of(&w, 1, 0, 100, 4, 0);
	submit_of(&w, 2, 1, 100, 4, 0);
	TEST_EQ(next_start(&w, 0), 1);
	TEST_EQ(next_start(&w, 0), 2);
	TEST_EQ(fair_sched_pass_time(&w.s, 10), 0);
	submit_of(&w, 3, 0, 100, 8, 0);
	submit_of(&w, 4, 0, 5, 2, 0);
	submit_of(&w, 5, 1, 5, 2, 0);
	TEST_EQ(next_start(&w, 10), next);
	TEST_EQ(next_start(&w, 10), -1);
	close_world(&w);
}

TEST(reserved_within_the_window)
{
	uint32_t advances;

	for (advances = 0; advances < 2; advances++) {
		reserved_counts(advances, 1000, 5);
		reserved_counts(advances, 50, 4);
	}
}

/* Windows of 1000 begin at multiples of it: of the last nothing is left. */
TEST(a_window_begins)
{
	struct site x;

	open_site(&x, FAIR_RELSHARE, 10);
	TEST_EQ(fair_sched_pass_time(&x.s, 990), 0);
	enqueue_of(&x.s, 1, 0, 0, 10);
	TEST_EQ(started(&x.s, 990), 1);
	TEST_EQ(fair_sched_finish(&x.s, 1000, 1), 0);
	enqueue_of(&x.s, 2, 0, 0, 10);
	enqueue_of(&x.s, 3, 1, 0, 10);
	TEST_EQ(started(&x.s, 1000), 2);
	close_site(&x);
}

/* Makes the site's scheduler again, with its configuration as it is now. */
static void open_again(struct site *x)
{
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
}

/* The same, 1000 later than 500 or 1000 before it: 1500 begins a window. */
TEST(a_window_begins_at_its_origin)
{
	static const int64_t origin[] = { 500, 1500, -500, -1000000500 };
	struct site x;
	size_t i;

	for (i = 0; i < 4; i++) {
		open_site(&x, FAIR_RELSHARE, 10);
		x.config.window_origin = origin[i];
		open_again(&x);
		TEST_EQ(fair_sched_pass_time(&x.s, 990), 0);
		enqueue_of(&x.s, 1, 0, 0, 10);
		TEST_EQ(started(&x.s, 990), 1);
		TEST_EQ(fair_sched_finish(&x.s, 1000, 1), 0);
		enqueue_of(&x.s, 2, 0, 0, 10);
		enqueue_of(&x.s, 3, 1, 0, 10);
		/* 1000 is within: user 0 has used something. */
		TEST_EQ(started(&x.s, 1000), 3);
		TEST_EQ(fair_sched_finish(&x.s, 1010, 3), 0);
		TEST_EQ(started(&x.s, 1500), 2);
		close_site(&x);
	}
}

static void enqueue_in(struct site *x, uint64_t number, uint32_t group,
		       int error)
{
	struct fair_job j = job_of(number, 10, 10);

	j.user = 1000 + (uint32_t)number; /* it does not count */
	j.group = group;
	TEST_EQ(fair_sched_submit(&x->s, x->s.now, &j), error);
}

TEST(groups_share)
{
	static const uint32_t share[] = { 3, 1 };
	struct site x;

	open_site(&x, FAIR_RELSHARE, 10);
	x.config.by_group = true;
	x.config.share = share;
	open_again(&x);
	enqueue_in(&x, 1, 0, 0);
	enqueue_in(&x, 2, 0, 0);
	enqueue_in(&x, 3, 1, 0);
	enqueue_in(&x, 4, 2, -FAIR_ENOENT);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(fair_sched_finish(&x.s, 10, 1), 0);
	/* Group 1 has used nothing. */
	TEST_EQ(started(&x.s, 10), 3);
	TEST_EQ(fair_sched_finish(&x.s, 20, 3), 0);
	TEST_EQ(started(&x.s, 20), 2);
	close_site(&x);
}

/*
 *              root
 *            3 /  \ 1        users 2 and 3: 3/8 each; user 4: 1/4;
 *           0     1         user 5, with shares of `parent`, 1/4;
 *         1/ \1   1| \p      user 6: 0. In 2^-20 divided by 2^17:
 *         2   3    4  5     3, 3, 2, 2, 0
 */
TEST(shares_of_a_tree)
{
	static const int64_t share[8] = { 0, 0, 3, 3, 2, 2, 0, 0 };
	static const uint32_t one[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	static unsigned char memory[4096], place[1 << 16];
	struct fair_config c = { .policy = FAIR_RELSHARE,
				 .procs = 10,
				 .jobs = 4,
				 .users = 8,
				 .half_life = 100,
				 .window = 1000 };
	struct fair_fairtree f;
	struct fair_entity e;
	struct fair_sched s;
	uint32_t i;

	TEST_OK(fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), 8,
				   100));
	TEST_OK(fair_fairtree_add_account(&f, 0, FAIR_FAIRTREE_ROOT, 3));
	TEST_OK(fair_fairtree_add_account(&f, 1, FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_fairtree_add_user(&f, 2, 0, 1));
	TEST_OK(fair_fairtree_add_user(&f, 3, 0, 1));
	TEST_OK(fair_fairtree_add_user(&f, 4, 1, 1));
	TEST_OK(fair_fairtree_add_user(&f, 5, 1, FAIR_FAIRTREE_PARENT));
	TEST_OK(fair_fairtree_add_user(&f, 6, 0, 0));
	TEST_EQ(fair_fairtree_portion(&f, 3), UINT32_C(3) << 28);
	TEST_EQ(fair_fairtree_portion(&f, 6), 0);
	TEST_EQ(fair_fairtree_portion(&f, 0), 0);
	c.tree = &f;
	TEST_OK(fair_sched_init(&s, sizeof(s), place, sizeof(place), &c));
	for (i = 0; i < 8; i++) {
		TEST_OK(fair_sched_get_entity(&s, FAIR_ENTITY_USER, i, &e));
		TEST_EQ(e.share, share[i]);
	}
	c.half_life = 101;
	TEST_EQ(fair_sched_size(&c), 0);
	c.half_life = 100;
	c.share = one;
	TEST_EQ(fair_sched_size(&c), 0);
	c.share = NULL;
	/* Each has a part, however small. */
	TEST_OK(fair_fairtree_set_shares(&f, 6, UINT32_MAX - 1));
	TEST_OK(fair_fairtree_set_shares(&f, 1, UINT32_MAX - 1));
	TEST_EQ(fair_fairtree_portion(&f, 3), 1);
	/* No user has shares. */
	TEST_OK(fair_fairtree_set_shares(&f, 0, 0));
	TEST_OK(fair_fairtree_set_shares(&f, 1, 0));
	TEST_OK(fair_sched_init(&s, sizeof(s), place, sizeof(place), &c));
	for (i = 0; i < 8; i++) {
		TEST_OK(fair_sched_get_entity(&s, FAIR_ENTITY_USER, i, &e));
		TEST_EQ(e.share, 0);
	}
}

/* A user that used the machine in the last window is behind one that waited,
 * unless what all used is forgotten. */
TEST(half_lives)
{
	struct site x;
	int decays, i;

	for (i = 0; i < 3; i++) {
		decays = i > 0;
		open_site(&x, FAIR_RELSHARE, 10);
		x.config.decays = decays;
		open_again(&x);
		enqueue_of(&x.s, 1, 0, 0, 10);
		enqueue_of(&x.s, 2, 1, 0, 10);
		TEST_EQ(started(&x.s, 0), 1);
		TEST_EQ(fair_sched_finish(&x.s, 1000, 1), 0);
		enqueue_of(&x.s, 3, 0, 0, 10);
		TEST_EQ(fair_sched_cancel(&x.s, 1000, 2), 0);
		enqueue_of(&x.s, 4, 1, 0, 10);
		if (i == 2)
			TEST_OK(fair_sched_reset_usage(&x.s, 1000));
		TEST_EQ(started(&x.s, 1000), i == 1 ? 4 : 3);
		close_site(&x);
	}
}

TEST(a_half_life_of_ages)
{
	struct site x;

	open_site(&x, FAIR_RELSHARE, 10);
	x.config.decays = true;
	x.config.window = FAIR_RELSHARE_HALF_LIFE;
	TEST_EQ(fair_sched_size(&x.config) != 0, 1);
	x.config.window++;
	TEST_EQ(fair_sched_size(&x.config), 0);
	close_site(&x);
}
