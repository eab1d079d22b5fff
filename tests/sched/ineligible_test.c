/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job that is held or that waits for its begin time is ineligible: it has no
 * place in the queue, takes no place in the plan, and arrives anew when it
 * becomes eligible.
 */
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"

TEST(begin_times)
{
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_if(&w, 0, 2, until(40, 0, 0, false)), 0);
	TEST_EQ(submit_if(&w, 0, 1, until(30, 0, 0, true)), 0);
	TEST_EQ(submit_if(&w, 0, 3, until(0, 0, 0, false)), 0);
	TEST_CHECK(is_ineligible(&w, 1) && is_ineligible(&w, 2));
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(fair_sched_finish(&w.s, 5, 3), 0);
	TEST_EQ(fair_sched_next(&w.s), 40);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(fair_sched_estimate(&w.s, 2, memory, bytes, &start), 0);
	TEST_EQ(start, 40);
	TEST_EQ(fair_sched_estimate(&w.s, 1, memory, bytes, &start), 0);
	TEST_EQ(start, FAIR_FOREVER);
	free(memory);
	TEST_EQ(step(&w, 39), 0);
	TEST_EQ(step(&w, 40), 2);
	TEST_EQ(fair_sched_defer(&w.s, 45, 1, NULL), 0);
	TEST_EQ(step(&w, 45), 1);
	TEST_EQ(look(&w, 1).job.submit, 0);
	close_world(&w);
}

/*
 * The ineligible jobs fill their table: the free slots behind it stay as they
 * are, though they read as a job that waits for the last of these.
 */
TEST(as_many_ineligible_as_can_be)
{
	uint64_t number[] = { 4, 5, 6, 7, 5 | UINT64_C(6) << 32 };
	struct world w;
	uint64_t n;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	for (n = 1; n < 4; n++)
		TEST_EQ(submit_if(&w, 0, n, until(0, 0, 0, true)), 0);
	for (n = 0; n < 5; n++)
		submit(&w, 0, number[n], 10, 1);
	(void)step(&w, 0);
	for (n = 0; n < 5; n++)
		TEST_EQ(fair_sched_finish(&w.s, 5, number[n]), 0);
	for (n = 4; n < 9; n++)
		submit(&w, 5, n, 10, 1);
	for (n = 1; n < 4; n++)
		TEST_CHECK(is_ineligible(&w, n));
	close_world(&w);
}

TEST(cancelled_while_ineligible)
{
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(submit_if(&w, 5, 7, until(0, 0, 0, true)), 0);
	TEST_EQ(submit_if(&w, 5, 8, until(0, 7, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(submit_if(&w, 5, 9, until(0, 7, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(fair_sched_modify(&w.s, 6, 8, 2, 7), 0);
	TEST_CHECK(is_ineligible(&w, 8));
	TEST_EQ(fair_sched_cancel(&w.s, 6, 7), 0);
	TEST_EQ(look(&w, 8).state, FAIR_QUEUED);
	TEST_EQ(look(&w, 8).job.procs, 2);
	TEST_CHECK(is_ineligible(&w, 9));
	TEST_EQ(fair_sched_defer(&w.s, 7, 9, NULL), 0);
	TEST_EQ(look(&w, 9).state, FAIR_QUEUED);
	close_world(&w);
}

/* Its reservation goes to the next, and the record of its promises stays. */
TEST(hold_and_release)
{
	struct fair_eligibility held = until(0, 0, 0, true);
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(look(&w, 3).start, 60);
	TEST_EQ(fair_sched_defer(&w.s, 20, 3, &held), 0);
	told(&w, 3, 20, 60, FAIR_FOREVER, FAIR_CAUSE_DEFERRED, 3);
	told(&w, 4, 20, 90, 60, FAIR_CAUSE_EARLIER, 4);
	TEST_CHECK(is_ineligible(&w, 3));
	TEST_EQ(look(&w, 3).first_promise, 60);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_DEFERRED);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(fair_sched_defer(&w.s, 30, 3, NULL), 0);
	told(&w, 3, 30, FAIR_FOREVER, 100, FAIR_CAUSE_EARLIER, 3);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

TEST(requeue)
{
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(fair_sched_requeue(&w.s, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_requeue(&w.s, 10, 3), -FAIR_EINVAL);
	TEST_EQ(fair_sched_requeue(&w.s, 10, 5), -FAIR_ENOENT);
	TEST_EQ(fair_sched_requeue(&w.s, 10, 2), 0);
	told(&w, 3, 10, 60, 50, FAIR_CAUSE_EARLIER, 3);
	told(&w, 4, 10, 90, 80, FAIR_CAUSE_EARLIER, 4);
	told(&w, 2, 10, 0, 120, FAIR_CAUSE_REQUEUED, 2);
	TEST_EQ(look(&w, 2).state, FAIR_QUEUED);
	TEST_EQ(look(&w, 2).job.submit, 0);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

/* A held reservation job has no place yet; when it is released it finds one. */
TEST(simulated_run_places_held_reservation_jobs)
{
	const struct fair_advance b = { 7, 10, 50, 6, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	const struct fair_eligibility then = until(30, 0, 0, false);
	struct fair_job j = a_job(2, 0, 10, 6);
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;
	struct fair_config config = { .policy = FAIR_BACKFILL, .advances = 1 };

	open_world_of(&w, &config);
	TEST_EQ(fair_sched_advance_reserve(&w.s, 0, &b, false), 0);
	j.advance = 7;
	TEST_EQ(fair_sched_submit_ineligible(&w.s, 0, &j, &then), 0);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_EQ(fair_sched_estimate(&w.s, 2, memory, bytes, &start), 0);
	TEST_EQ(start, 30);
	free(memory);
	close_world(&w);
}
