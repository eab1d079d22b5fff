/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A promised start moves later only for a cause that the record of the promise
 * names.
 */
#include "fairsched.h"
#include "tests/world.h"

/* Every cause, and what is told of it. */
TEST(promises)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 10);
	told(&w, 1, 0, FAIR_FOREVER, 0, FAIR_CAUSE_ARRIVAL, 1);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 5, 2, 50, 8);
	told(&w, 2, 5, FAIR_FOREVER, 100, FAIR_CAUSE_ARRIVAL, 2);
	submit(&w, 5, 3, 50, 4);
	told(&w, 3, 5, FAIR_FOREVER, 150, FAIR_CAUSE_ARRIVAL, 3);
	TEST_EQ(fair_sched_modify(&w.s, 6, 3, 2, 60), 0);
	told(&w, 3, 6, 150, 100, FAIR_CAUSE_EARLIER, 3);
	TEST_EQ(fair_sched_modify(&w.s, 7, 3, 3, 60), 0);
	told(&w, 3, 7, 100, 150, FAIR_CAUSE_MODIFIED, 3);
	/* Job 1 overruns when a step is made. */
	TEST_EQ(step(&w, 100), 0);
	told(&w, 2, 100, 100, 101, FAIR_CAUSE_OVERRUN, 1);
	told(&w, 3, 100, 150, 151, FAIR_CAUSE_OVERRUN, 1);
	TEST_EQ(look(&w, 1).end, 101);
	TEST_EQ(fair_sched_next(&w.s), 101);
	/* At 110 it has overrun until 116, then it gets more. */
	TEST_EQ(fair_sched_modify(&w.s, 110, 1, 10, 220), 0);
	told(&w, 2, 110, 101, 116, FAIR_CAUSE_OVERRUN, 1);
	told(&w, 3, 110, 151, 166, FAIR_CAUSE_OVERRUN, 1);
	told(&w, 2, 110, 116, 220, FAIR_CAUSE_OVERRUN, 1);
	told(&w, 3, 110, 166, 270, FAIR_CAUSE_OVERRUN, 1);
	TEST_EQ(fair_sched_finish(&w.s, 120, 1), 0);
	told(&w, 2, 120, 220, 120, FAIR_CAUSE_EARLIER, 2);
	told(&w, 3, 120, 270, 170, FAIR_CAUSE_EARLIER, 3);
	TEST_EQ(step(&w, 120), 2);
	submit(&w, 121, 4, 10, 9);
	told(&w, 4, 121, FAIR_FOREVER, 230, FAIR_CAUSE_ARRIVAL, 4);
	TEST_EQ(fair_sched_capacity(&w.s, 122, -2, NULL, 0), 0);
	told(&w, 4, 122, 230, FAIR_FOREVER, FAIR_CAUSE_CAPACITY, 4);
	TEST_EQ(look(&w, 4).start, FAIR_FOREVER);
	TEST_EQ(fair_sched_capacity(&w.s, 123, 2, NULL, 0), 0);
	told(&w, 4, 123, FAIR_FOREVER, 230, FAIR_CAUSE_EARLIER, 4);
	TEST_EQ(fair_sched_finish(&w.s, 130, 2), 0);
	told(&w, 3, 130, 170, 130, FAIR_CAUSE_EARLIER, 3);
	told(&w, 4, 130, 230, 190, FAIR_CAUSE_EARLIER, 4);
	TEST_EQ(step(&w, 130), 3);
	TEST_EQ(fair_sched_refuse(&w.s, 130, 3), 0);
	told(&w, 3, 130, 130, 131, FAIR_CAUSE_REFUSED, 3);
	told(&w, 4, 130, 190, 191, FAIR_CAUSE_REFUSED, 4);
	TEST_EQ(look(&w, 3).first_promise, 150);
	TEST_EQ(look(&w, 3).moves, 8);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

TEST(promises_late)
{
	struct fair_job_status j;
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 10);
	submit(&w, 0, 2, 100, 10);
	w.asked = w.tells;
	TEST_EQ(step(&w, 3), 1);
	told(&w, 1, 3, 0, 3, FAIR_CAUSE_LATE_STEP, 1);
	told(&w, 2, 3, 100, 103, FAIR_CAUSE_LATE_STEP, 2);
	j = look(&w, 2);
	TEST_EQ(j.first_promise, 100);
	TEST_EQ(j.start, 103);
	TEST_EQ(j.moves, 1);
	TEST_EQ(j.cause, FAIR_CAUSE_LATE_STEP);
	TEST_EQ(w.tells, w.asked);
	close_world(&w);
}

static void count(void *context, const struct fair_promise *promise)
{
	(void)promise;
	++*(int *)context;
}

/* What is tried on a clone reaches only callbacks that the caller names. */
TEST(promises_of_a_clone)
{
	static char memory[2][1 << 14];
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .procs = 4,
				 .jobs = 8, .promised = count };
	struct fair_job job = { .number = 1, .walltime = 10, .procs = 4 };
	struct fair_sched s, copy;
	int told = 0, tried = 0;

	c.context = &told;
	TEST_OK(fair_sched_init(&s, sizeof(s), memory[0], sizeof(memory[0]),
				&c));
	TEST_OK(fair_sched_submit(&s, 0, &job));
	TEST_EQ(told, 1);
	TEST_OK(fair_sched_clone(&copy, memory[1], sizeof(memory[1]), &s));
	job.number = 2;
	TEST_OK(fair_sched_submit(&copy, 0, &job));
	TEST_EQ(told, 1);
	fair_sched_report_to(&copy, count, &tried);
	job.number = 3;
	TEST_OK(fair_sched_submit(&copy, 0, &job));
	TEST_EQ(told, 1);
	TEST_EQ(tried, 1);
	TEST_OK(fair_sched_submit(&s, 0, &job));
	TEST_EQ(told, 2);
}

/* Task 2 is requeued when one task may run, and waits: it is no new job. */
TEST(promises_of_a_requeued_task)
{
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .task_limits = 1 };
	struct fair_job j = a_job(1, 0, 100, 1);
	struct world w;

	j.tasks = 3;
	open_world_of(&w, &c);
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_OK(fair_sched_limit_tasks(&w.s, 0, 1, 2));
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_limit_tasks(&w.s, 0, 1, 1));
	TEST_OK(fair_sched_requeue(&w.s, 10, 2));
	TEST_EQ(look(&w, 2).state, FAIR_INELIGIBLE);
	w.asked = w.tells;
	TEST_OK(fair_sched_finish(&w.s, 20, 1));
	told(&w, 2, 20, FAIR_FOREVER, 20, FAIR_CAUSE_EARLIER, 2);
	close_world(&w);
}

/* There is no room at its arrival: the first promise is made when there is. */
TEST(a_first_promise_comes_late)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 0);
		TEST_OK(fair_sched_capacity(&w.s, 0, -2, NULL, 0));
		submit(&w, 0, 1, 10, 9);
		TEST_EQ(w.asked, w.tells);
		TEST_OK(fair_sched_capacity(&w.s, 3, 2, NULL, 0));
		TEST_EQ(step(&w, 3), 1);
		told(&w, 1, 3, FAIR_FOREVER, 3, FAIR_CAUSE_ARRIVAL, 1);
		TEST_EQ(w.asked, w.tells);
		close_world(&w);
	}
}

/* Who is told of a promise finds it in the job, also one that was made again. */
static void looked_up(void *context, const struct fair_promise *p)
{
	const struct world *w = (const struct world *)context;

	TEST_EQ(look(w, p->number).start, p->to);
}

TEST(a_promise_made_again)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	fair_sched_report_to(&w.s, looked_up, &w);
	submit(&w, 0, 1, 100, 10);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 5, 2, 50, 8);
	TEST_EQ(step(&w, 100), 0); /* job 1 overruns */
	TEST_EQ(look(&w, 2).start, 101);
	close_world(&w);
}
