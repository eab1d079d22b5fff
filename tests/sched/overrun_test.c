/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job that runs past its walltime holds its processors: it is planned to end
 * 1, 2, 4 ... seconds later, and the promises that this breaks name the job.
 */
#include "fairsched.h"
#include "tests/world.h"

/* A job of 5 s: it ends 1 s later at first, at 5 + 16 after a long time. */
TEST(overrun_extends)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		submit(&w, 0, 1, 5, 10);
		TEST_EQ(step(&w, 0), 1);
		submit(&w, 1, 2, 5, 10);
		TEST_EQ(fair_sched_next(&w.s), 5);
		TEST_EQ(fair_sched_pass_time(&w.s, 4), 0);
		TEST_EQ(look(&w, 1).end, 5);
		TEST_EQ(step(&w, 5), 0);
		TEST_EQ(fair_sched_next(&w.s), 6);
		TEST_EQ(step(&w, 19), 0);
		TEST_EQ(fair_sched_next(&w.s), 21);
		TEST_EQ(fair_sched_finish(&w.s, 20, 1), 0);
		TEST_EQ(step(&w, 20), 2);
		TEST_EQ(look(&w, 2).end, 25);
		/* A completion may still come at the second of the end. */
		TEST_EQ(fair_sched_finish(&w.s, 25, 2), 0);
		TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
		close_world(&w);
	}
}

/* No job starts between the parts of a reaction: neither does job 9, which is
 * due in its advance reservation as job 1 overruns. */
TEST(a_reservation_job_waits_for_the_reaction)
{
	const struct fair_advance b = { .number = 1, .from = 10, .to = 50,
					.procs = 2, .kind = FAIR_ADVANCE_USER };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .advances = 1 };
	struct fair_job bound = a_job(9, 0, 20, 2);
	struct world w;
	uint64_t n;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, 8);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_advance_reserve(&w.s, 0, &b, false));
	bound.advance = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &bound));
	for (n = 2; n < 6; n++)
		submit(&w, 0, n, 10, 8);
	fair_sched_scan_limit(&w.s, 1);
	TEST_EQ(step(&w, 10), 0);
	TEST_CHECK(fair_sched_is_unfinished(&w.s));
	fair_sched_scan_limit(&w.s, 0);
	TEST_EQ(step(&w, 10), 9);
	close_world(&w);
}
