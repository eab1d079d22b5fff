/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The umbrella header does what its manual shows, its digest is the FNV-1a
 * chain that it documents, and each code has a text.
 */
#include <limits.h>

#include "fairsched.h"
#include "tests/world.h"

static uint64_t ran;

static void run(uint64_t number)
{
	ran = ran * 10 + number;
}

/* The example of the manual; its digest. */
static uint64_t manual(void)
{
	struct fair_sched sched;
	struct fair_job job = { 0 };
	struct fair_decision start[8];
	size_t n, i;
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .procs = 128 };

	config.jobs = 1000; // queued and running at once
	size_t bytes = fair_sched_size(&config);
	void *memory = malloc(bytes);
	fair_sched_init(&sched, sizeof(sched), memory, bytes, &config);

	job.number = 1; // at second 100 a job arrives
	job.submit = 100;
	job.walltime = 3600;
	job.procs = 64;
	fair_sched_submit(&sched, 100, &job);
	fair_sched_step(&sched, 100, start, 8, &n);
	for (i = 0; i < n; i++)
		run(start[i].number); // yours; at its end:
	fair_sched_finish(&sched, 700, 1);
	fair_sched_step(&sched, 700, start, 8, &n);

	TEST_EQ(fair_sched_check(&sched), 0);
	TEST_EQ(fair_sched_next(&sched), FAIR_FOREVER);
	free(memory);
	return fair_sched_digest(&sched);
}

TEST(example_of_the_manual)
{
	static const uint64_t told[] = { 100, 1, FAIR_PROMISE,
					 100, 1, FAIR_START };

	TEST_CHECK(manual() == fnv(told, 6));
	TEST_EQ(ran, 1);
}

/* Numbers of any length in bytes. */
TEST(digests)
{
	uint64_t told[] = { 0, 0, FAIR_PROMISE, 0, 0, FAIR_START };
	struct world w;
	uint32_t shift;

	for (shift = 0; shift < 64; shift += 8) {
		open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
		told[1] = told[4] = UINT64_C(0xa5) << shift;
		submit(&w, 0, told[1], 10, 1);
		(void)step(&w, 0);
		TEST_CHECK(fair_sched_digest(&w.s) == fnv(told, 6));
		close_world(&w);
	}
}

TEST(texts)
{
	static const int errors[] = { 0,
				      FAIR_ENOMEM,
				      FAIR_EINVAL,
				      FAIR_ENOSPC,
				      FAIR_ERANGE,
				      FAIR_EOVERFLOW,
				      FAIR_ENOENT,
				      FAIR_ETIME,
				      1 };
	size_t i, k;

	TEST_CHECK(!strcmp(fair_version(), "1.0.0"));
	TEST_EQ(FAIRSCHED_VERSION, 100);
	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		TEST_CHECK(!strcmp(fair_strerror(errors[i]),
				   fair_strerror(-errors[i])));
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_strerror(errors[i]),
					  fair_strerror(errors[k])));
	}
	TEST_CHECK(!strcmp(fair_strerror(0), "no error"));
	TEST_CHECK(!strcmp(fair_strerror(1), "unknown error"));
	TEST_CHECK(!strcmp(fair_strerror(INT_MIN), "unknown error"));
	TEST_CHECK(!strcmp(fair_strerror(INT_MAX), "unknown error"));
}

/* What a unit that was compiled against another version does not link with. */
TEST(versions)
{
	TEST_EQ(FAIRSCHED_SYMBOL(fair_sched)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_profile)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_queue)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_usage)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_backfill)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_conservative)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_fairness)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_maui)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_penalty)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_priority)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_relshare)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_sfs)(), FAIRSCHED_VERSION);
	TEST_EQ(FAIRSCHED_SYMBOL(fair_throttle)(), FAIRSCHED_VERSION);
}
