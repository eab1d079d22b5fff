/* SPDX-License-Identifier: MIT OR Unlicense */
/* One simulation that fails says which job of which file, when and why. */
#include "tools/fairsched/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#define JOBS 1000

static void fill(struct swf *t, struct swf_job *job)
{
	size_t i;

	memset(t, 0, sizeof(*t));
	memset(job, 0, JOBS * sizeof(*job));
	t->job = job;
	t->jobs = JOBS;
	t->procs = 8;
	for (i = 0; i < JOBS; i++) {
		job[i].id = (int64_t)(1000 + i);
		job[i].submit = (int64_t)(10 * i);
		job[i].procs = 1;
		job[i].run = job[i].estimate = 30;
	}
}

static int run(struct report *r, const struct swf *t, int policy,
	       const struct sim_watch *watch)
{
	static const struct rules_args fcfs;

	memset(r, 0, sizeof(*r));
	r->name = "some.swf";
	r->trace = t;
	r->policy = policy;
	TEST_CHECK(!rules_make(&r->rules, policy, &fcfs));
	return report_run(r, watch);
}

TEST(runs)
{
	static struct swf_job job[JOBS];
	struct report r;
	struct swf t;

	fill(&t, job);
	TEST_EQ(run(&r, &t, RULES_PC, NULL), 0);
	TEST_CHECK(!*r.error);
	TEST_CHECK(r.totals.job == SIZE_MAX);
	TEST_EQ(r.result[7].start, 70);
	TEST_EQ(r.result[7].promise, 70);
	TEST_EQ(r.summary.promises_kept, JOBS);
	report_free(&r);
	TEST_CHECK(!r.result);
}

static void fails(const struct swf *t, int policy, const char *want)
{
	struct report r;

	TEST_EQ(run(&r, t, policy, NULL), -1);
	TEST_CHECK(strstr(r.error, want));
	if (!strstr(r.error, want))
		printf("got:  %s\nwant: %s\n", r.error, want);
	report_free(&r);
}

TEST(too_long)
{
	static struct swf_job job[JOBS];
	struct swf t;

	fill(&t, job);
	job[5].estimate = (INT64_C(1) << 34) + 1;
	fails(&t, RULES_EASY, "some.swf: job 1005: at second 50, under easy: ");
	fails(&t, RULES_DC, "some.swf: job 1005: its reservation would end more than "
			    "68 years after second 50: dc plans no further");
}

TEST(too_wide)
{
	static struct swf_job job[JOBS];
	struct swf t;

	fill(&t, job);
	job[999].procs = 9;
	fails(&t, RULES_FCFS, "some.swf: job 1999: at second 9990");
	fails(&t, RULES_CONSERVATIVE, fair_strerror(-FAIR_ERANGE));
}

static void count(void *ctx, size_t finished)
{
	size_t *sum = ctx;

	*sum += finished;
}

/* Parts that add up, but for the last one. */
TEST(progress)
{
	static struct swf_job job[JOBS];
	struct sim_watch watch = { 0 };
	struct report r;
	struct swf t;
	size_t sum = 0;

	fill(&t, job);
	watch.ctx = &sum;
	watch.progress = count;
	TEST_EQ(run(&r, &t, RULES_EASY, &watch), 0);
	TEST_CHECK(sum > JOBS / 2 && sum <= JOBS);
	report_free(&r);
}
