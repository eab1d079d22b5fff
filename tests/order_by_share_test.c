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
