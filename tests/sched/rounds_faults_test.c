/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Behind 2^32 - 1 tasks of an array all that plays a simulated run ends with an
 * error, which changes nothing, or leaves open what the run would answer.
 */
#define FAIR_QUEUE_BLOCK 2 /* these are the sizes of rows_of_two.c */
#define FAIR_SIMULATED_ROUNDS 1024
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/faults.h"
#include "tests/world.h"

static int64_t half_of(void *context, const struct fair_job_status *job,
		       uint64_t random)
{
	(void)context;
	(void)random;
	return job->job.walltime / 2;
}

static int64_t all_of(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

static void never(void *context, const struct fair_change *change)
{
	(void)context;
	TEST_CHECK(!change);
}

/* A run whose instants are all played, one by one. */
static int play_on(struct fair_simulated_run *run)
{
	int error = 0;

	while (!error)
		error = fair_simulated_run_instant(
			run, fair_simulated_run_next(run));
	return error;
}

TEST(an_array_that_is_too_long)
{
	struct fair_simulated_run run;
	struct fair_forecast f;
	struct fair_draw draw = { 0 };
	struct fair_fst fst;
	struct fair_job job = { 0 };
	struct fair_why why;
	int64_t start = -1;
	struct world w;
	size_t bytes;
	char *memory;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 0);
	TEST_EQ(submit_array(&w, 0, 2, UINT32_MAX, 4), 0);
	step(&w, 0);
	submit(&w, 1, 1, 100, 10);
	step(&w, 1);
	draw.run = half_of;
	draw.samples = 9;
	bytes = fair_sched_forecast_size(&w.s.config, draw.samples) +
		fair_sched_whatif_size(&w.s.config, &w.s.config);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	FAILS(fair_sched_estimate(&w.s, 1, memory, bytes, &start),
	      EOVERFLOW, "behind too many tasks");
	FAILS(fair_sched_sample(&w.s, 1, &draw, 0, memory, bytes, &start),
	      EOVERFLOW, "behind too many tasks");
	FAILS(fair_sched_forecast(&w.s, 1, &draw, memory, bytes, &f),
	      EOVERFLOW, "behind too many tasks");
	FAILS(fair_sched_whatif(&w.s, &w.s, memory, bytes, never, NULL),
	      EOVERFLOW, "behind too many tasks");
	job.number = UINT64_C(1) << 40;
	job.procs = 1;
	job.walltime = 1;
	FAILS(fair_sched_fst(&w.s, 2, &job, memory, bytes, all_of, NULL, &fst),
	      EOVERFLOW, "behind too many tasks");
	TEST_OK(fair_simulated_run_init(&run, sizeof(run), memory, bytes, &w.s,
					2, all_of, NULL));
	FAILS(fair_simulated_run_start(&run, 1, &start),
	      EOVERFLOW, "behind too many tasks");
	TEST_OK(fair_simulated_run_init(&run, sizeof(run), memory, bytes, &w.s,
					2, all_of, NULL));
	TEST_EQ(play_on(&run), -FAIR_EOVERFLOW);
	FAILS(fair_simulated_run_instant(&run, fair_simulated_run_next(&run)),
	      EOVERFLOW, "and it stays so");
	TEST_EQ(start, -1);
	TEST_EQ(fair_sched_why(&w.s, 1, memory, bytes, &why), 0);
	TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
	free(memory);
	close_world(&w);
}

static void whatif_behind(uint32_t tasks, int error)
{
	struct world w;
	size_t bytes;
	char *memory;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 0);
	TEST_EQ(submit_array(&w, 0, 2, tasks, 4), 0);
	TEST_EQ(step(&w, 0), 23);
	bytes = fair_sched_whatif_size(&w.s.config, &w.s.config);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_EQ(fair_sched_whatif(&w.s, &w.s, memory, bytes, never, NULL),
		error);
	free(memory);
	close_world(&w);
}

/* The last round is one, too: two tasks end in each. */
TEST(as_many_tasks_as_rounds)
{
	whatif_behind(28048, 0);
	whatif_behind(28049, -FAIR_EOVERFLOW);
}
