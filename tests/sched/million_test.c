/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A million queued jobs fit, start and end under every policy.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/world.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

#define MILLION SOME(TEST_ROUNDS(1000000), 10000)

/* Of 1 to 3 processors on 4. */
static void million_queued(struct fair_sched *s)
{
	struct fair_decision start[4];
	struct fair_job_status j;
	struct fair_queue_place at = { 0, 0 };
	uint64_t i;
	size_t n;

	for (i = 0; i < MILLION; i++) {
		struct fair_job job = a_job(i, 0, 60 + (int64_t)(i % 7) * 60,
					    1 + (int32_t)(i % 3));

		job.cookie = i ^ 5;
		if (fair_sched_submit(s, 0, &job))
			break;
	}
	TEST_EQ(i, MILLION);
	TEST_EQ(fair_sched_step(s, 0, start, 4, &n), 0);
	TEST_EQ(n, 3);
	TEST_EQ(start[0].number, 0);
	TEST_EQ(start[1].number, 1);
	TEST_EQ(start[2].number, 3);
	for (i = 0; i < MILLION; i++)
		if (fair_sched_lookup(s, i, &j) || j.job.cookie != (i ^ 5))
			break;
	TEST_EQ(i, MILLION);
	for (i = 0; fair_sched_each(s, FAIR_QUEUED, &at, &j); i++)
		;
	TEST_EQ(i, MILLION - 3);
	TEST_EQ(fair_sched_finish(s, 60, 0), 0);
	TEST_EQ(fair_sched_finish(s, 61, 1), 0); /* early */
	TEST_EQ(fair_sched_step(s, 61, start, 4, &n), 0);
	TEST_CHECK(n > 0);
	TEST_EQ(fair_queue_check(fair_sched_queue(s)), 0);
	TEST_EQ(s->jobs, MILLION - 2);
	/* Prioritized compression restarts for minutes: docs/PERFORMANCE.md. */
	for (i = 0; i < 5 && s->config.policy != FAIR_PC; i++)
		TEST_EQ(fair_sched_cancel(s, 62, MILLION / 2 + 1000 * i), 0);
	if (i == 5)
		TEST_EQ(fair_sched_lookup(s, MILLION / 2, &j), -FAIR_ENOENT);
}

static void million(uint32_t policy, const char *name)
{
	struct fair_sched s;
	size_t bytes;
	void *memory;
	struct fair_config c = { .policy = policy,
				 .procs = 4,
				 .jobs = MILLION };

	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	printf("fairsched.h: %d jobs, %s: %.1f bytes a job\n", MILLION, name,
	       (double)bytes / MILLION);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
	million_queued(&s);
	free(memory);
}

TEST(million_jobs)
{
	million(FAIR_BACKFILL, "easy");
	million(FAIR_CONSERVATIVE, "conservative");
	million(FAIR_PC, "pc");
	million(FAIR_DC, "dc");
}
