/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What a host's loop needs: ends of one second as one event, starts that are
 * refused until a time, when a start can be due, which field of a job is wrong,
 * and a scheduler that grows.
 */
#include "fairsched.h"
#include "tests/world.h"

static struct fair_job_status status_of(const struct world *w, uint64_t number)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&w->s, number, &j));
	return j;
}

/* Jobs 1 and 2 have the machine until 100; job 4 waits for all of it, and job 5
 * is short enough to begin where only one of them ends at 50. */
static void two_ends(struct world *w, uint32_t policy)
{
	open_world(w, policy, FAIR_ORDER_FCFS, 1);
	submit(w, 0, 1, 100, 5);
	submit(w, 0, 2, 100, 5);
	TEST_EQ(step(w, 0), 12);
	submit(w, 0, 4, 20, 10);
	submit(w, 0, 5, 40, 5);
	TEST_EQ(step(w, 0), 0);
}

TEST(ends_of_one_second)
{
	const uint64_t ends[] = { 1, 2 }, twice[] = { 1, 1 }, waits[] = { 1, 4 };
	const uint64_t strange[] = { 1, 2, 7 };
	struct world w;

	two_ends(&w, FAIR_CONSERVATIVE);
	TEST_OK(fair_sched_finish(&w.s, 50, 1));
	TEST_OK(fair_sched_finish(&w.s, 50, 2));
	TEST_EQ(step(&w, 50), 5);
	TEST_EQ(status_of(&w, 4).start, 90);
	close_world(&w);
	two_ends(&w, FAIR_CONSERVATIVE);
	keep(&w);
	TEST_EQ(fair_sched_finish_many(&w.s, 50, twice, NULL, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish_many(&w.s, 50, waits, NULL, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish_many(&w.s, 50, NULL, NULL, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish_many(&w.s, 50, strange, NULL, 3),
		-FAIR_ENOENT);
	TEST_EQ(fair_sched_finish_many(&w.s, -1, ends, NULL, 2), -FAIR_ETIME);
	TEST_CHECK(unchanged(&w));
	TEST_OK(fair_sched_finish_many(&w.s, 50, ends, NULL, 2));
	TEST_EQ(step(&w, 50), 4);
	TEST_EQ(status_of(&w, 5).start, 70);
	TEST_OK(fair_sched_finish_many(&w.s, 60, NULL, NULL, 0));
	TEST_EQ(w.s.now, 60);
	close_world(&w);
}

/* Job 3 waits for the success of job 1, job 4 for the failure of job 2. Jobs that
 * end without a status have succeeded. */
TEST(exit_statuses)
{
	struct fair_eligibility until = { 0 };
	const uint64_t ends[] = { 1, 2 };
	const int32_t status[] = { 0, 9 };
	struct fair_job j;
	struct world w;
	int told;

	for (told = 0; told < 2; told++) {
		open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
		submit(&w, 0, 1, 100, 5);
		submit(&w, 0, 2, 100, 5);
		TEST_EQ(step(&w, 0), 12);
		until.end = FAIR_AFTER_OK;
		until.after = 1;
		j = a_job(3, 0, 10, 1);
		TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &j, &until));
		until.end = FAIR_AFTER_NOT_OK;
		until.after = 2;
		j = a_job(4, 0, 10, 1);
		TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &j, &until));
		TEST_OK(fair_sched_finish_many(&w.s, 50, ends,
					       told ? status : NULL, 2));
		TEST_EQ(step(&w, 50), told ? 34 : 3);
		close_world(&w);
	}
}

/* A running job that keeps its walltime loses nothing, so no reaction is due. */
TEST(the_same_walltime)
{
	struct world w;

	two_ends(&w, FAIR_CONSERVATIVE);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_OK(fair_sched_modify(&w.s, 10, 1, 5, 100));
	TEST_EQ(fair_sched_next(&w.s), 100);
	close_world(&w);
}

/* A queued job that is to wait for nothing needs no room among those that wait. */
TEST(no_condition_needs_no_room)
{
	const struct fair_eligibility held = { .held = true };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = 10,
				 .jobs = 8,
				 .ineligible = 1 };
	struct fair_job j = a_job(2, 0, 10, 1);
	struct world w;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, 1);
	TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &j, &held));
	TEST_EQ(fair_sched_depend(&w.s, 0, 1, &held, NULL, NULL), -FAIR_ENOSPC);
	TEST_OK(fair_sched_depend(&w.s, 0, 1, NULL, NULL, NULL));
	close_world(&w);
}

static int64_t run_of(void *context, uint64_t number)
{
	(void)context;
	return number < 3 ? 50 : 10;
}

/* The same ends in a simulated run, one by one and together. */
TEST(simulated_ends)
{
	const struct fair_simulated_events events = { run_of, NULL, NULL,
						      NULL,   NULL, NULL };
	struct fair_simulated_end end[JOBS];
	struct fair_simulated_run f;
	struct world w;
	int together;

	for (together = 0; together < 2; together++) {
		two_ends(&w, FAIR_CONSERVATIVE);
		TEST_OK(fair_simulated_run_attach(&f, sizeof(f), end, JOBS,
						  &w.s, &events));
		f.together = together;
		TEST_OK(fair_simulated_run_instant(&f, 50));
		TEST_EQ(status_of(&w, 4).start, together ? 50 : 90);
		TEST_EQ(status_of(&w, 4).state,
			together ? FAIR_RUNNING : FAIR_QUEUED);
		close_world(&w);
	}
}

/* A job without a place for an hour: one promise is told, no step is in vain. */
TEST(refused_until)
{
	struct world w;
	uint32_t calls = 0;
	int64_t now = 0;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 5);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_refuse_until(&w.s, 0, 1, -1), -FAIR_EINVAL);
	TEST_OK(fair_sched_refuse_until(&w.s, 0, 1, 3600));
	while (!step(&w, now)) {
		now = fair_sched_next(&w.s);
		calls++;
	}
	TEST_EQ(now, 3600);
	TEST_CHECK(calls < 4);
	TEST_EQ(w.tells, 2);
	TEST_EQ(w.told[1].to, 3600);
	TEST_EQ(w.told[1].cause, FAIR_CAUSE_REFUSED);
	close_world(&w);
}

/* Nobody knows when: no promise, and no call, until the host knows. */
TEST(refused_for_ever)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 5);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_refuse_until(&w.s, 0, 1, FAIR_FOREVER));
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
	TEST_EQ(w.told[w.tells - 1].to, FAIR_FOREVER);
	TEST_OK(fair_sched_retry(&w.s, 50, 1));
	TEST_EQ(step(&w, 50), 1);
	close_world(&w);
}

/* A planned end that passes is no start; a promise is one. */
TEST(when_a_start_is_due)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 10);
	submit(&w, 0, 3, 30, 2);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_EQ(fair_sched_next_start(&w.s), 100);
	TEST_OK(fair_sched_cancel(&w.s, 10, 3));
	TEST_EQ(step(&w, 10), 0);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_EQ(fair_sched_next_start(&w.s), FAIR_FOREVER);
	close_world(&w);
	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 100, 10);
	submit(&w, 0, 3, 30, 2);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_EQ(fair_sched_next_start(&w.s), FAIR_FOREVER);
	close_world(&w);
}

TEST(promises_have_cookies)
{
	struct fair_job j = a_job(1, 0, 10, 1);
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	j.cookie = 77;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(w.told[0].cookie, 77);
	close_world(&w);
}

static void refused_as(struct world *w, const struct fair_job *j,
		       const char *want)
{
	const char *error = fair_sched_job_error(&w->s, 5, j);

	TEST_CHECK(error && !strcmp(error, want));
	TEST_CHECK(fair_sched_submit(&w->s, 5, j) < 0);
}

TEST(job_errors)
{
	static const int32_t has[] = { PROCS, 18 };
	static const struct fair_machine_config machine = { 2, 1, 0, has };
	const struct fair_config with_memory = { .machine = &machine };
	const struct fair_job good = a_job(2, 0, 10, 1);
	int32_t amount[] = { 0, 0 };
	struct fair_job j = good;
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 5);
	TEST_CHECK(!fair_sched_job_error(&w.s, 5, &good));
	TEST_CHECK(fair_sched_job_error(&w.s, -5, &good));
	j.procs = PROCS;
	j.walltime = 100;
	TEST_CHECK(!fair_sched_job_error(&w.s, 5, &j));
	j = good;
	j.number = 1;
	refused_as(&w, &j, "number is that of a live job, or of a task");
	j = good;
	j.submit = 6;
	refused_as(&w, &j, "submit is after now");
	j = good;
	j.walltime = 0;
	refused_as(&w, &j, "walltime is below 1");
	j.walltime = INT64_C(1) << 40;
	refused_as(&w, &j, "walltime ends after the horizon");
	j = good;
	j.procs = 0;
	refused_as(&w, &j, "procs is below 1");
	j.procs = 11;
	refused_as(&w, &j, "procs is above what the machine ever had");
	j = good;
	j.advance = 3;
	refused_as(&w, &j, "advance is no advance reservation that goes on");
	j = good;
	j.tasks = 2;
	j.number = UINT64_MAX;
	refused_as(&w, &j, "number and tasks are above 2^64 - 1");
	close_world(&w);
	open_world_of(&w, &with_memory);
	j = good;
	amount[1] = 19;
	j.amount = amount;
	refused_as(&w, &j, "amount is above what its classes, or nodes, ever"
			   " had");
	amount[1] = -1;
	refused_as(&w, &j, "amount, classes or chunks do not suit the machine");
	close_world(&w);
}

/* A table of three jobs that is full, and the same one with room for more. */
TEST(grows)
{
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .jobs = 3 };
	struct world w, still;
	struct fair_job j;
	size_t bytes;
	char *memory;

	open_world_of(&w, &c);
	open_world_of(&still, &c);
	submit(&w, 0, 1, 100, 6);
	submit(&w, 0, 2, 100, 6);
	submit(&w, 0, 3, 10, 4);
	TEST_EQ(step(&w, 0), 13);
	j = a_job(4, 0, 10, 1);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ENOSPC);
	c = w.s.config;
	c.jobs = 2;
	bytes = fair_sched_grow_size(&w.s, &c);
	memory = (char *)malloc(2 * bytes + 100000);
	keep(&w);
	TEST_CHECK(fair_sched_grow(&w.s, memory, bytes, &c) < 0);
	c.jobs = 0;
	TEST_EQ(fair_sched_grow_size(&w.s, &c), 0);
	TEST_EQ(fair_sched_grow(&w.s, memory, bytes, &c), -FAIR_EINVAL);
	TEST_EQ(fair_sched_grow(&w.s, memory, 0, &c), -FAIR_EINVAL);
	c.jobs = 6;
	bytes = fair_sched_grow_size(&w.s, &c);
	TEST_EQ(bytes, (fair_sched_size(&c) + 7) / 8 * 8 +
			       fair_sched_checkpoint_size(&w.s));
	TEST_EQ(fair_sched_grow(&w.s, memory, bytes - 1, &c), -FAIR_ENOMEM);
	TEST_EQ(fair_sched_grow(&w.s, NULL, bytes, &c), -FAIR_EINVAL);
	TEST_CHECK(unchanged(&w));
	TEST_OK(fair_sched_grow(&w.s, memory, bytes, &c));
	free(w.memory);
	w.memory = memory;
	TEST_CHECK(fair_sched_digest(&w.s) == fair_sched_digest(&w.was));
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_OK(fair_sched_finish(&w.s, 10, 3));
	TEST_EQ(step(&w, 10), 4);
	TEST_EQ(status_of(&w, 2).start, 100);
	close_world(&still);
	close_world(&w);
}

static size_t odd_bytes;

static size_t size_of_odd(const struct fair_config *config)
{
	(void)config;
	return odd_bytes;
}

static int init_odd(struct fair_sched *s, void *ledger)
{
	(void)s;
	(void)ledger;
	return 0;
}

/* A state of any size; a scan limit, or none, holds on. */
TEST(grows_from_any_size)
{
	static const struct fair_ledger_ops ops = { .name = "odd",
						    .size = size_of_odd,
						    .init = init_odd };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .ledger = &ops };
	struct world w;
	size_t bytes;
	char *memory;
	uint64_t n;

	for (odd_bytes = 1; odd_bytes < 9; odd_bytes++) {
		open_world_of(&w, &c);
		submit(&w, 0, 1, 100, 10);
		TEST_EQ(step(&w, 0), 1);
		for (n = 2; n < 6; n++)
			submit(&w, 0, n, 100, 10);
		if (odd_bytes % 2)
			fair_sched_scan_limit(&w.s, 1);
		bytes = fair_sched_grow_size(&w.s, &w.config);
		memory = (char *)malloc(bytes);
		TEST_OK(fair_sched_grow(&w.s, memory, bytes, &w.config));
		free(w.memory);
		w.memory = memory;
		TEST_OK(fair_sched_finish(&w.s, 5, 1));
		TEST_EQ(fair_sched_is_unfinished(&w.s), odd_bytes % 2);
		while (fair_sched_resume(&w.s))
			;
		close_world(&w);
	}
}
