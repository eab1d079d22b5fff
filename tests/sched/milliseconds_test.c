/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The unit of time is the caller's: jobs of a millisecond beside walltimes of 30
 * days, in milliseconds, under every policy.
 */
#include "fairsched.h"
#include "tests/test.h"

#define MONTH (INT64_C(30) * 86400 * 1000)
#define TRIED 1020

/* Every 51st job is as long as a month; all end as planned. */
static size_t play(struct fair_sched *s)
{
	struct fair_queue_place first = { 0, 0 }, at;
	struct fair_decision start[64];
	struct fair_job_status j;
	int64_t now = 0;
	size_t n, all = 0;

	for (; now != FAIR_FOREVER; now = fair_sched_next(s)) {
		for (at = first; fair_sched_each(s, FAIR_RUNNING, &at, &j) &&
				 j.end <= now;
		     at = first)
			TEST_OK(fair_sched_finish(s, now, j.job.number));
		do {
			TEST_OK(fair_sched_step(s, now, start, 64, &n));
			all += n;
		} while (n == 64);
	}
	return all;
}

TEST(a_month_in_milliseconds)
{
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config c = { 0 };
	struct fair_job job = { 0 };
	struct fair_sched s;
	void *memory;
	size_t bytes;

	c.procs = 64;
	c.jobs = 1200; /* the horizon of a plan grows with it */
	c.accounts = c.users = 1;
	c.window = MONTH;
	maui.usage = FAIR_MAUI_PROCS;
	maui.interval = MONTH;
	maui.count[FAIR_THROTTLE_USER] = 1;
	c.maui = &maui;
	job.group = job.qos = job.queue = FAIR_THROTTLE_NONE;
	for (c.policy = FAIR_FCFS; c.policy <= FAIR_MAUI; c.policy++) {
		if (c.policy == FAIR_MAUI)
			job.account = FAIR_THROTTLE_NONE;
		bytes = fair_sched_size(&c);
		memory = malloc(bytes);
		TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &c));
		for (job.number = 1; job.number <= TRIED; job.number++) {
			job.walltime = job.number % 51 ? 1 : MONTH;
			job.procs = 1 + (int32_t)(job.number % 64);
			TEST_OK(fair_sched_submit(&s, 0, &job));
		}
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(play(&s), TRIED);
		TEST_EQ(fair_sched_check(&s), 0);
		free(memory);
	}
}
