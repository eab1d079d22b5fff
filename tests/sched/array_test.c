/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * An array counts as one waiting job: its tasks start in turn, each with a
 * number of its own, and only while the table has a slot for the next.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/ineligible.h"
#include "tests/site.h"
#include "tests/world.h"

static void broken_twice(struct world *w)
{
	TEST_EQ(fair_sched_check(&w->s), 2);
	w->s = w->was;
	memcpy(w->memory, w->kept, w->bytes);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* Two at a time, in their place; what waits is one job. */
TEST(tasks_start_in_turn)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL,
					   FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct world w;
	size_t i;

	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		open_world(&w, policy[i], FAIR_ORDER_FCFS, 1);
		TEST_EQ(submit_array(&w, 0, 2, 5, 4), 0);
		TEST_EQ(look(&w, 2).job.tasks, 5);
		TEST_EQ(w.s.jobs, 1);
		TEST_EQ(step(&w, 0), 23);
		submit(&w, 1, 8, 100, 10);
		TEST_EQ(look(&w, 3).job.tasks, 1);
		TEST_EQ(look(&w, 4).job.tasks, 3);
		TEST_EQ(look(&w, 4).job.submit, 0);
		TEST_EQ(look(&w, 4).job.cookie, 77);
		at.row = at.index = 0;
		TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
		TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
		TEST_CHECK(!fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
		TEST_EQ(fair_sched_finish(&w.s, 10, 3), 0);
		TEST_EQ(step(&w, 10), 4);
		TEST_EQ(fair_sched_finish(&w.s, 20, 2), 0);
		TEST_EQ(fair_sched_finish(&w.s, 20, 4), 0);
		TEST_EQ(step(&w, 20) % 10,
			policy[i] >= FAIR_CONSERVATIVE ? 8 : 6);
		close_world(&w);
	}
}

/* The next task arrives when one starts: a promise for one at a time. */
TEST(promises_of_tasks)
{
	const struct fair_config config = { .policy = FAIR_CONSERVATIVE,
					    .patience = FAIR_PATIENCE_NONE };
	struct world w;

	open_world_of(&w, &config);
	TEST_EQ(submit_array(&w, 0, 2, 3, 6), 0);
	told(&w, 2, 0, FAIR_FOREVER, 0, FAIR_CAUSE_ARRIVAL, 2);
	submit(&w, 0, 7, 50, 6);
	told(&w, 7, 0, FAIR_FOREVER, 100, FAIR_CAUSE_ARRIVAL, 7);
	TEST_EQ(step(&w, 0), 2);
	told(&w, 3, 0, FAIR_FOREVER, 150, FAIR_CAUSE_ARRIVAL, 3);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 2), 0);
	told(&w, 2, 0, 0, 250, FAIR_CAUSE_REFUSED, 2);
	TEST_EQ(w.asked, w.tells); /* the reaction comes with the step */
	TEST_EQ(step(&w, 0), 7);
	told(&w, 7, 0, 100, 0, FAIR_CAUSE_EARLIER, 7);
	told(&w, 3, 0, 150, 50, FAIR_CAUSE_EARLIER, 3);
	told(&w, 2, 0, 250, 150, FAIR_CAUSE_EARLIER, 2);
	TEST_EQ(look(&w, 2).job.tasks, 1);
	TEST_EQ(look(&w, 3).job.tasks, 2);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

TEST(what_waits_of_an_array)
{
	struct fair_eligibility held = until(0, 0, 0, true);
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 4, 6), 0);
	TEST_EQ(step(&w, 0), 2);
	TEST_EQ(submit_if(&w, 0, 8, until(0, 4, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(fair_sched_defer(&w.s, 1, 3, &held), 0);
	TEST_CHECK(is_ineligible(&w, 3));
	TEST_EQ(look(&w, 3).job.tasks, 3);
	TEST_EQ(fair_sched_modify(&w.s, 1, 3, 2, 100), 0);
	TEST_EQ(step(&w, 1), 0);
	TEST_EQ(fair_sched_defer(&w.s, 2, 3, NULL), 0);
	TEST_EQ(step(&w, 2), 34);
	TEST_EQ(look(&w, 5).job.tasks, 1);
	TEST_CHECK(is_ineligible(&w, 8));
	TEST_EQ(fair_sched_requeue(&w.s, 3, 4), 0);
	TEST_EQ(look(&w, 4).job.tasks, 1);
	TEST_EQ(fair_sched_cancel(&w.s, 3, 4), 0);
	TEST_EQ(look(&w, 8).state, FAIR_QUEUED);
	close_world(&w);
	open_world(&w, FAIR_DC, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 4, 10), 0);
	TEST_EQ(submit_if(&w, 0, 8, until(0, 4, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(submit_if(&w, 0, 9, until(0, 5, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(step(&w, 0), 2);
	TEST_EQ(fair_sched_cancel(&w.s, 1, 3), 0); /* all that wait */
	TEST_EQ(look(&w, 8).state, FAIR_QUEUED);
	TEST_CHECK(is_ineligible(&w, 9));
	TEST_EQ(w.s.waiting_arrays, 0);
	close_world(&w);
}

TEST(numbers_of_tasks)
{
	struct fair_eligibility u = until(0, 5, FAIR_AFTER_OK, false);
	struct fair_job j = a_job(5, 0, 10, 1);
	struct world w;

	open_world(&w, FAIR_PC, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 10, 10);
	TEST_EQ(submit_array(&w, 0, 0, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 3, 4, 1), 0);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 2, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 6, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX, 2, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_defer(&w.s, 0, 3, &u), -FAIR_EINVAL);
	TEST_EQ(fair_sched_cancel(&w.s, 0, 4), -FAIR_ENOENT);
	TEST_EQ(submit_array(&w, 0, 7, 2, 1), 0);
	keep(&w);
	w.s.waiting_arrays--;
	broken_twice(&w);
	fair_sched_find(&w.s, 3)->tasks_behind = 4;
	broken_twice(&w);
	close_world(&w);
}

/* A job that runs has its number still. */
TEST(numbers_that_run)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 5, 10, 10);
	TEST_EQ(step(&w, 0), 5);
	TEST_EQ(submit_array(&w, 0, 4, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 3, 3, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 3, 2, 1), 0);
	close_world(&w);
}

/* With all that wait of an array its last task is gone, and no other job. */
TEST(ends_of_tasks)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 1, 2, 1), 0);
	submit(&w, 0, 3, 10, 1);
	TEST_EQ(submit_if(&w, 0, 7, until(0, 2, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(submit_if(&w, 0, 8, until(0, 3, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 0, 1), 0);
	TEST_EQ(look(&w, 7).state, FAIR_QUEUED);
	TEST_CHECK(is_ineligible(&w, 8));
	close_world(&w);
}

/* The greatest number is one of a job, but ends no array. */
TEST(greatest_numbers)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX, 1, 1), 0);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX - 2, 3, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX - 2, 2, 1), 0);
	TEST_EQ(look(&w, UINT64_MAX - 2).job.tasks, 2);
	close_world(&w);
}

/* An array counts as two; where so many live, the next task is not planned. */
TEST(room_for_tasks)
{
	struct world w;
	uint64_t n;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 1, 9, 1), 0);
	for (n = 20; n < 20 + JOBS - 3; n++)
		submit(&w, 0, n, 10, 10);
	TEST_EQ(submit_array(&w, 0, 40, 2, 1), -FAIR_ENOSPC);
	submit(&w, 0, n, 10, 10);
	TEST_EQ(submit_array(&w, 0, 40, 1, 1), -FAIR_ENOSPC);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(w.s.jobs, JOBS);
	TEST_EQ(look(&w, 2).state, FAIR_INELIGIBLE);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_EQ(fair_sched_cancel(&w.s, 1, 20), 0);
	TEST_EQ(step(&w, 1), 2);
	TEST_EQ(fair_sched_finish(&w.s, 2, 2), 0);
	TEST_EQ(step(&w, 2), 3);
	close_world(&w);
}

/* An array without a slot is no ineligible job of the limit, until deferred. */
TEST(ineligible_without_a_slot)
{
	struct fair_config c = { .procs = 10, .jobs = 4, .ineligible = 1 };
	struct fair_eligibility held = until(0, 0, 0, true);
	struct world w;

	open_world_of(&w, &c);
	TEST_EQ(submit_array(&w, 0, 1, 9, 1), 0);
	submit(&w, 0, 20, 10, 10);
	TEST_EQ(submit_if(&w, 0, 30, held), 0);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(look(&w, 2).waits, FAIR_WAITS_SLOT);
	TEST_EQ(fair_sched_defer(&w.s, 0, 2, &held), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_defer(&w.s, 0, 30, &held), 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 0, 30), 0);
	close_world(&w);
}

/* What starts later is one of them, too. */
TEST(simulated_run_of_tasks)
{
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 3, 10), 0);
	submit(&w, 0, 7, 100, 10);
	TEST_EQ(step(&w, 0), 2);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(fair_sched_estimate(&w.s, 3, memory, bytes, &start), 0);
	TEST_EQ(start, 100);
	TEST_EQ(fair_sched_estimate(&w.s, 7, memory, bytes, &start), 0);
	TEST_EQ(start, 300);
	free(memory);
	close_world(&w);
}

/* A task ends as its array does, and not as the next number. */
TEST(walltimes_of_tasks)
{
	struct fair_job j = a_job(6, 0, 150, 10);
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 10, 10);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(submit_array(&w, 1, 3, 3, 10), 0);
	submit(&w, 1, 8, 10, 10);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(fair_sched_estimate(&w.s, 8, memory, bytes, &start), 0);
	TEST_EQ(start, 10 + 150 + 3 * 100);
	free(memory);
	close_world(&w);
}

/*
 * The reservation may have no room for the next task of a job that is bound to
 * it.
 */
TEST(reservation_jobs_of_many_tasks)
{
	struct fair_job j = job_of(4, 1, 5);
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	j.advance = 7;
	j.tasks = 2;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(started(&x.s, 0), 0);
	TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
	TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(started(&x.s, 10), 45);
	close_site(&x);
}

/* Divided, the three tasks would be three jobs of a table for two. */
TEST(no_room_to_divide)
{
	struct site x;

	open_table(&x, FAIR_BACKFILL, 2);
	submit_tasks(&x.s, 1, 3);
	TEST_EQ(fair_sched_split_task(&x.s, 0, 2), -FAIR_ENOSPC);
	close_site(&x);
}

/* The first task is held, and there is no room for the next beside it. */
TEST(a_task_without_room)
{
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_table(&x, policy, 2);
		submit_tasks(&x.s, 1, 3);
		hold(&x.s, 1);
		TEST_EQ(started(&x.s, 1), 0);
		TEST_EQ(in_future(&x, 2), FAIR_FOREVER);
		close_site(&x);
	}
}

/*
 * Two held tasks fill the table, so that no other task has a slot: another
 * array never starts, but a single job is not blocked by one.
 */
TEST(never_any_room)
{
	struct site x;
	uint32_t policy, single;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		single = policy <= FAIR_BACKFILL; /* which it blocked */
		open_table(&x, policy, 4);
		submit_tasks(&x.s, 1, 4);
		submit_tasks(&x.s, 5, single ? 1 : 4);
		hold(&x.s, 2);
		TEST_EQ(started(&x.s, 2), single ? 5 : 0);
		TEST_EQ(in_future(&x, 5), single ? 2 : FAIR_FOREVER);
		TEST_EQ(fair_sched_next(&x.s) > 2, true);
		close_site(&x);
	}
}

/* A reservation job without a slot for its task lets another start sooner. */
TEST(reservation_jobs_behind_a_task)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_job j = job_of(1, 1, 10);
	struct fair_why why;
	struct site x;

	open_table(&x, FAIR_CONSERVATIVE, 6);
	TEST_EQ(reserve(&x.s, 0, 7, 5, 100, 1), 0);
	j.number = 0;
	TEST_OK(fair_sched_submit_ineligible(&x.s, 0, &j, &held));
	j.number = 1;
	j.advance = 7;
	j.tasks = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	enqueue_of(&x.s, 9, 0, 7, 1);
	j = job_of(4, 4, 20);
	j.tasks = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(started(&x.s, 0), 45);
	TEST_EQ(fair_sched_why(&x.s, 9, NULL, 0, &why), 0);
	TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(why.promise, 5);
	TEST_EQ(fair_sched_why(&x.s, 9, x.other, x.more, &why), 0);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(why.until, 5);
	TEST_EQ(started(&x.s, 5), 9);
	close_site(&x);
}

/* No array has the number before its first; and of two tasks one may run at a
 * time, also behind a checkpoint. */
TEST(an_array_of_two_tasks)
{
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .task_limits = 1 };
	struct fair_job j = a_job(6, 0, 10, 1);
	unsigned char *checkpoint;
	struct fair_sched loaded;
	struct world w;
	void *memory;
	size_t bytes;

	open_world_of(&w, &c);
	j.tasks = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(fair_sched_split_task(&w.s, 0, 5), -FAIR_ENOENT);
	TEST_OK(fair_sched_limit_tasks(&w.s, 0, 6, 1));
	checkpoint = checkpoint_of(&w.s, &bytes);
	memory = malloc(w.bytes);
	TEST_OK(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, checkpoint, bytes, NULL));
	TEST_EQ(step(&w, 0), 6);
	TEST_EQ(step(&w, 5), 0);
	TEST_OK(fair_sched_finish(&w.s, 10, 6));
	TEST_EQ(step(&w, 10), 7);
	free(memory);
	free(checkpoint);
	close_world(&w);
}

/* The job behind the last number of an array is none of its tasks. */
TEST(a_job_behind_an_array)
{
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .task_limits = 1 };
	struct fair_job j = a_job(1, 0, 10, 1);
	struct world w;

	open_world_of(&w, &c);
	j.tasks = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_OK(fair_sched_limit_tasks(&w.s, 0, 1, 1));
	submit(&w, 0, 3, 10, 1);
	TEST_EQ(step(&w, 0), 13);
	close_world(&w);
}

/* The start of task 2 is refused as no more than task 1 may run: it waits for
 * the end of that one, and then starts before task 3. */
static void refuse_at_the_task_limit(uint32_t policy)
{
	struct fair_config c = { .policy = policy,
				 .depth = 1,
				 .task_limits = 1 };
	struct fair_job j = a_job(1, 0, 10, 1);
	struct world w;

	open_world_of(&w, &c);
	j.tasks = 3;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_OK(fair_sched_limit_tasks(&w.s, 0, 1, 2));
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_limit_tasks(&w.s, 0, 3, 1));
	TEST_OK(fair_sched_refuse(&w.s, 0, 2));
	TEST_EQ(look(&w, 2).state, FAIR_INELIGIBLE);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_OK(fair_sched_finish(&w.s, 5, 1));
	TEST_EQ(step(&w, 5), 2);
	TEST_EQ(w.tells > 0, policy == FAIR_CONSERVATIVE);
	close_world(&w);
}

TEST(refused_at_the_task_limit)
{
	refuse_at_the_task_limit(FAIR_CONSERVATIVE);
	/* Without a word of promises. */
	refuse_at_the_task_limit(FAIR_BACKFILL);
}

/* The jobs that a step starts by this scan limit. */
static size_t started_within(uint64_t limit)
{
	struct fair_decision start[9];
	struct world w;
	size_t n;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 5);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 100, 10);
	TEST_EQ(submit_array(&w, 0, 3, 4, 1), 0);
	fair_sched_scan_limit(&w.s, limit);
	TEST_OK(fair_sched_step(&w.s, 0, start, 9, &n));
	close_world(&w);
	return n;
}

/* The next task is queued, and no job before it is looked at again. */
TEST(tasks_within_a_scan_limit)
{
	TEST_EQ(started_within(1), 0);
	TEST_EQ(started_within(3), 2);
	TEST_EQ(started_within(5), 4);
}
