/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that the queries of fairsched.h document, under every policy: not
 * a byte changes.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plain_ledger.h"
#include "tests/scene.h"

static int64_t run_time(void *context, uint64_t number)
{
	(void)context;
	return (int64_t)(number % 7);
}

static int64_t for_ever(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return INT64_MAX;
}

static int64_t drawn(void *context, const struct fair_job_status *j,
		     uint64_t random)
{
	(void)context;
	return (int64_t)(random % (uint64_t)j->job.walltime);
}

static void count_change(void *context, const struct fair_change *change)
{
	(void)change;
	++*(int *)context;
}

static void of_fst(struct world *w, void *memory, size_t bytes)
{
	struct fair_fst fst = { 77, 77 };
	struct fair_sched *s = &w->s;

	FAULT(w, fair_sched_fst(NULL, 9, job(50, 9, 10, 1), memory, bytes,
				run_time, w, &fst), EINVAL, "no scheduler");
	FAULT(w, fair_sched_fst(s, 9, NULL, memory, bytes, run_time, w, &fst),
	      EINVAL, "no job");
	FAULT(w, fair_sched_fst(s, 9, job(50, 9, 10, 1), NULL, bytes, run_time,
				w, &fst), EINVAL, "no memory");
	FAULT(w, fair_sched_fst(s, 9, job(50, 9, 10, 1), memory, bytes, NULL, w,
				&fst), EINVAL, "no run times");
	FAULT(w, fair_sched_fst(s, 9, job(50, 9, 10, 1), memory, bytes,
				run_time, w, NULL), EINVAL, "nowhere to write");
	FAULT(w, fair_sched_fst(s, 4, job(50, 4, 10, 1), memory, bytes,
				run_time, w, &fst),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_fst(s, 9, bound(8, 10, 1), memory, bytes, run_time,
				w, &fst), ENOENT, "its advance reservation");
	FAULT(w, fair_sched_fst(s, 9, job(7, 5, 10, 1), memory, bytes, run_time,
				w, &fst), EINVAL, "live already");
	FAULT(w, fair_sched_fst(s, 9, job(50, 9, 10, 1), memory, bytes - 1,
				run_time, w, &fst), ENOMEM, "one byte less");
	FAULT(w, fair_sched_fst(s, 9, job(50, 5, 10, PROCS + 1), memory, bytes,
				run_time, w, &fst), ERANGE, "as for submit");
	FAULT(w, fair_sched_fst(s, 9, job(50, 5, FAIR_WALLTIME_MAX + 1, 1),
				memory, bytes, run_time, w, &fst),
	      EOVERFLOW, "as for submit");
	TEST_CHECK(fst.strict == 77 && fst.relaxed == 77);
}

static void of_future_open(struct world *w, void *memory, size_t bytes)
{
	struct fair_simulated_run f;
	struct fair_sched *s = &w->s;

	FAULT(w,
	      fair_simulated_run_init(NULL, sizeof(f), memory, bytes, s, 9,
				      run_time, w),
	      EINVAL, "no future");
	FAULT(w,
	      fair_simulated_run_init(&f, sizeof(f) - 1, memory, bytes, s, 9,
				      run_time, w),
	      EINVAL, "of another size");
	FAULT(w,
	      fair_simulated_run_init(&f, sizeof(f), NULL, bytes, s, 9,
				      run_time, w),
	      EINVAL, "no memory");
	FAULT(w,
	      fair_simulated_run_init(&f, sizeof(f), memory, bytes, s, 9, NULL,
				      w),
	      EINVAL, "no run times");
	FAULT(w,
	      fair_simulated_run_init(&f, sizeof(f), memory, bytes, s, 4,
				      run_time, w),
	      ETIME, "the clock goes back");
	FAULT(w,
	      fair_simulated_run_init(&f, sizeof(f), memory, bytes - 1, s, 9,
				      run_time, w),
	      ENOMEM, "one byte less");
}

/* Its time passes: what it is cannot be done when all others have started. */
static void of_future(struct world *w, void *memory, size_t bytes)
{
	struct fair_simulated_run f;
	int64_t start = 77;

	TEST_OK(fair_simulated_run_init(&f, sizeof(f), memory, bytes, &w->s, 9,
					run_time, w));
	FAULT(w, fair_simulated_run_start(&f, 50, &start), ENOENT, "not live");
	FAULT(w, fair_simulated_run_start(&f, 3, NULL),
	      EINVAL, "nowhere to write");
	FAULT(w, fair_simulated_run_join(&f, NULL, &start), EINVAL, "no job");
	FAULT(w, fair_simulated_run_join(&f, job(50, 5, 10, 1), NULL),
	      EINVAL, "nowhere to write");
	TEST_EQ(f.now, 9);
	FAULT(w, fair_simulated_run_join(&f, job(7, 5, 10, 1), &start),
	      EINVAL, "live already");
	TEST_CHECK(f.now > 9);
	FAULT(w, fair_simulated_run_join(&f, bound(8, 10, 1), &start),
	      ENOENT, "as for submit");
	FAULT(w, fair_simulated_run_join(&f, job(50, 5, 10, PROCS + 1), &start),
	      ERANGE, "as for submit");
	FAULT(w, fair_simulated_run_join(&f,
					 job(50, 5, FAIR_WALLTIME_MAX + 1, 1),
					 &start), EOVERFLOW, "as for submit");
	TEST_EQ(start, 77);
	TEST_EQ(fair_sched_check(f.sched), 0);
}

/* A run that is attached to the scheduler itself, which does not change. */
static void of_attached_run(struct world *w, void *memory)
{
	struct fair_simulated_events e = { run_time, NULL, NULL,
					   NULL,     NULL, w };
	struct fair_simulated_end *end = (struct fair_simulated_end *)memory;
	struct fair_simulated_run f;
	struct fair_sched *s = &w->s;
	size_t n = w->config.jobs;

	FAULT(w, fair_simulated_run_attach(NULL, sizeof(f), end, n, s, &e),
	      EINVAL, "no run");
	FAULT(w, fair_simulated_run_attach(&f, sizeof(f) - 1, end, n, s, &e),
	      EINVAL, "of another size");
	FAULT(w, fair_simulated_run_attach(&f, sizeof(f), NULL, n, s, &e),
	      EINVAL, "no array of ends");
	FAULT(w, fair_simulated_run_attach(&f, sizeof(f), end, n, NULL, &e),
	      EINVAL, "no scheduler");
	FAULT(w, fair_simulated_run_attach(&f, sizeof(f), end, n, s, NULL),
	      EINVAL, "no events");
	FAULT(w, fair_simulated_run_attach(&f, sizeof(f), end, n - 1, s, &e),
	      ENOMEM, "one end less");
	TEST_EQ(fair_simulated_run_attach(&f, sizeof(f), end, n, s, &e), 0);
	FAULT(w, fair_simulated_run_instant(&f, 4),
	      ETIME, "the clock goes back");
	FAULT(w, fair_simulated_run_instant(&f, FAIR_TIME_MAX + 1),
	      EINVAL, "the end of time");
	e.run = NULL;
	FAULT(w, fair_simulated_run_attach(&f, sizeof(f), end, n, s, &e),
	      EINVAL, "no run times");
}

static void of_estimate(struct world *w, void *memory, size_t bytes)
{
	struct fair_sched *s = &w->s;
	int64_t start = 77;

	FAULT(w, fair_sched_estimate(NULL, 3, memory, bytes, &start),
	      EINVAL, "no scheduler");
	FAULT(w, fair_sched_estimate(s, 50, memory, bytes, &start),
	      ENOENT, "not live");
	FAULT(w, fair_sched_estimate(s, 1, memory, bytes, &start),
	      EINVAL, "runs");
	FAULT(w, fair_sched_estimate(s, 3, memory, bytes, NULL),
	      EINVAL, "nowhere to write");
	FAULT(w, fair_sched_estimate(s, 7, NULL, bytes, &start),
	      ENOMEM, "none");
	FAULT(w, fair_sched_estimate(s, 7, memory, bytes - 1, &start),
	      ENOMEM, "one byte less");
	if (!w->s.planner->promises)
		FAULT(w, fair_sched_estimate(s, 3, memory, bytes - 1, &start),
		      ENOMEM, "one byte less");
	TEST_EQ(start, 77);
}

static void of_forecast(struct world *w, void *memory)
{
	struct fair_draw draw = { drawn, NULL, 1, 4 }, none = draw, not = draw;
	size_t bytes = fair_sched_forecast_size(&w->config, 4);
	struct fair_forecast f = { 77, 77, 77, 77, 77 };
	int64_t start = 77;
	struct fair_sched *s = &w->s;

	none.run = NULL;
	not.samples = 0;
	FAULT(w, fair_sched_forecast(NULL, 3, &draw, memory, bytes, &f),
	      EINVAL, "no scheduler");
	FAULT(w, fair_sched_forecast(s, 50, &draw, memory, bytes, &f),
	      ENOENT, "not live");
	FAULT(w, fair_sched_forecast(s, 1, &draw, memory, bytes, &f),
	      EINVAL, "runs");
	FAULT(w, fair_sched_forecast(s, 3, NULL, memory, bytes, &f),
	      EINVAL, "nothing drawn");
	FAULT(w, fair_sched_forecast(s, 3, &none, memory, bytes, &f),
	      EINVAL, "no run times");
	FAULT(w, fair_sched_forecast(s, 3, &not, memory, bytes, &f),
	      EINVAL, "no samples");
	FAULT(w, fair_sched_forecast(s, 3, &draw, NULL, bytes, &f),
	      EINVAL, "no memory");
	FAULT(w, fair_sched_forecast(s, 3, &draw, memory, bytes, NULL),
	      EINVAL, "nowhere to write");
	FAULT(w, fair_sched_forecast(s, 3, &draw, memory, bytes - 1, &f),
	      ENOMEM, "one byte less");
	FAULT(w, fair_sched_sample(NULL, 3, &draw, 0, memory, bytes, &start),
	      EINVAL, "no scheduler");
	FAULT(w, fair_sched_sample(s, 50, &draw, 0, memory, bytes, &start),
	      ENOENT, "not live");
	FAULT(w, fair_sched_sample(s, 1, &draw, 0, memory, bytes, &start),
	      EINVAL, "runs");
	FAULT(w, fair_sched_sample(s, 3, NULL, 0, memory, bytes, &start),
	      EINVAL, "nothing drawn");
	FAULT(w, fair_sched_sample(s, 3, &none, 0, memory, bytes, &start),
	      EINVAL, "no run times");
	FAULT(w, fair_sched_sample(s, 3, &draw, 0, NULL, bytes, &start),
	      EINVAL, "no memory");
	FAULT(w, fair_sched_sample(s, 3, &draw, 0, memory, bytes, NULL),
	      EINVAL, "nowhere to write");
	FAULT(w, fair_sched_sample(s, 3, &draw, 0, memory,
				   fair_sched_fst_size(&w->config) - 1, &start),
	      ENOMEM, "one byte less");
	TEST_EQ(start, 77);
	TEST_CHECK(f.p10 == 77 && f.p50 == 77 && f.p90 == 77);
	TEST_CHECK(f.half_width == 77 && f.samples == 77);
}

static void of_why(struct world *w, void *memory, size_t bytes)
{
	struct fair_sched *s = &w->s;
	struct fair_why why;

	memset(&why, 0x5a, sizeof(why));
	FAULT(w, fair_sched_why(s, 3, memory, bytes, &why),
	      EINVAL, "something happened");
	TEST_EQ(step(w, 5), 0);
	keep(w);
	FAULT(w, fair_sched_why(NULL, 3, memory, bytes, &why),
	      EINVAL, "no scheduler");
	FAULT(w, fair_sched_why(s, 50, memory, bytes, &why),
	      ENOENT, "not live");
	FAULT(w, fair_sched_why(s, 1, memory, bytes, &why), EINVAL, "runs");
	FAULT(w, fair_sched_why(s, 3, memory, bytes, NULL),
	      EINVAL, "nowhere to write");
	FAULT(w, fair_sched_why(s, 3, memory, bytes - 1, &why),
	      ENOMEM, "one byte less");
	TEST_EQ(why.ahead, 0x5a5a5a5a);
	TEST_EQ(fair_sched_why(s, 3, memory, bytes, &why), 0);
	TEST_CHECK(unchanged(w));
}

static void of_clone_and_whatif(struct world *w, void *memory)
{
	size_t bytes = fair_sched_size(&w->config);
	size_t both = fair_sched_whatif_size(&w->config, &w->config);
	struct fair_sched *s = &w->s, copy, was;
	int changes = 0;

	memset(&copy, 0x5a, sizeof(copy));
	was = copy;
	FAULT(w, fair_sched_clone(NULL, memory, bytes, s), EINVAL, "no copy");
	FAULT(w, fair_sched_clone(&copy, NULL, bytes, s), EINVAL, "no memory");
	FAULT(w, fair_sched_clone(&copy, memory, bytes - 1, s),
	      ENOMEM, "one byte less");
	TEST_CHECK(!memcmp(&copy, &was, sizeof(was)));
	FAULT(w, fair_sched_whatif(NULL, s, memory, both, count_change,
				   &changes), EINVAL, "nothing as it is");
	FAULT(w, fair_sched_whatif(s, NULL, memory, both, count_change,
				   &changes), EINVAL, "nothing as it would be");
	FAULT(w, fair_sched_whatif(s, s, NULL, both, count_change, &changes),
	      EINVAL, "no memory");
	FAULT(w, fair_sched_whatif(s, s, memory, both, NULL, &changes),
	      EINVAL, "no callback");
	FAULT(w, fair_sched_whatif(s, s, memory, both - 1, count_change,
				   &changes), ENOMEM, "one byte less");
	TEST_EQ(changes, 0);
}

TEST(questions)
{
	struct fair_config c;
	size_t bytes, both;
	uint32_t policy;
	struct world w;
	void *memory;

	for (policy = 0; policy < POLICIES; policy++) {
		c = config_of(policy);
		c.ineligible = 3;
		bytes = fair_sched_fst_size(&c);
		both = fair_sched_whatif_size(&c, &c) +
		       fair_sched_forecast_size(&c, 4);
		memory = malloc(both);
		TEST_REQUIRE(memory && bytes);
		open_scene(&w, policy, 0);
		of_fst(&w, memory, bytes);
		of_future_open(&w, memory, bytes);
		of_future(&w, memory, bytes);
		of_attached_run(&w, memory);
		of_estimate(&w, memory, bytes);
		of_forecast(&w, memory);
		of_clone_and_whatif(&w, memory);
		of_why(&w, memory, bytes);
		close_world(&w);
		free(memory);
	}
}

/* All that run do so for ever, and all that is left is held. */
TEST(simulated_runs_without_room)
{
	struct fair_fst fst = { 77, 77 };
	struct fair_simulated_run f;
	int64_t start = 77;
	uint32_t policy;
	struct world w;
	void *memory;
	size_t bytes;
	uint64_t n;

	for (policy = 0; policy < POLICIES; policy++) {
		struct fair_config c = config_of(policy);

		open_world_of(&w, &c);
		for (n = 1; n <= PROCS; n++)
			submit(&w, 0, n, 10, 1);
		TEST_CHECK(step(&w, 0));
		for (; n <= JOBS; n++)
			TEST_EQ(submit_held(&w, 0, n), 0);
		bytes = fair_sched_fst_size(&w.config);
		memory = malloc(bytes);
		TEST_REQUIRE(memory);
		keep(&w);
		FAULT(&w, fair_sched_fst(&w.s, 9, job(50, 9, 10, 1), memory,
					 bytes, for_ever, &w, &fst),
		      ENOSPC, "as for submit");
		TEST_OK(fair_simulated_run_init(&f, sizeof(f), memory, bytes,
						&w.s, 9, for_ever, &w));
		FAULT(&w, fair_simulated_run_join(&f, job(50, 5, 10, 1),
						  &start),
		      ENOSPC, "as for submit");
		TEST_CHECK(start == 77 && fst.strict == 77);
		free(memory);
		close_world(&w);
	}
}

static void is_wrong(const struct world *w, int64_t now,
		     const struct fair_job *j, const char *said)
{
	const char *error = fair_sched_job_error(&w->s, now, j);

	TEST_REQUIRE(error);
	TEST_CHECK(strstr(error, said));
}

static int nobody(const struct fair_sched *s, const void *ledger,
		  const struct fair_job *j)
{
	(void)s;
	(void)ledger;
	(void)j;
	return -FAIR_EINVAL;
}

TEST(what_is_wrong_with_a_job)
{
	struct fair_advance b = { .number = 8,
				  .from = 300,
				  .to = 400,
				  .procs = 2,
				  .kind = FAIR_ADVANCE_MAINTENANCE };
	const struct fair_ledger_ops strict = { .name = "strict",
						.size = plain_size,
						.init = plain_init,
						.clone = plain_clone,
						.admit = nobody };
	struct fair_job stranger = a_job(50, 5, 10, 1);
	struct fair_config c = config_of(FAIR_RELSHARE);
	struct world w;

	stranger.user = 7;
	open_scene(&w, FAIR_RELSHARE, 2);
	TEST_OK(fair_sched_advance_reserve(&w.s, 5, &b, false));
	TEST_CHECK(!fair_sched_job_error(&w.s, 5, job(50, 5, 1, 1)));
	is_wrong(&w, 4, job(50, 4, 10, 1), "now is before");
	is_wrong(&w, 5, job(50, 5, 0, 1), "walltime is below 1");
	is_wrong(&w, 5, bound(8, 10, 1), "is not for jobs");
	is_wrong(&w, 5, &stranger, "was not added");
	TEST_OK(fair_sched_submit(&w.s, 5, bound(9, 10, 1)));
	TEST_CHECK(look(&w, 50).waits & FAIR_WAITS_ADVANCE);
	close_world(&w);
	c.policy = FAIR_FCFS;
	c.ledger = &strict;
	open_world_of(&w, &c);
	is_wrong(&w, 5, &stranger, "is not admitted");
	close_world(&w);
}

TEST(parts_of_a_priority)
{
	struct world w;

	open_scene(&w, FAIR_MAUI, 0);
	FAULT(&w, fair_sched_priority_parts(&w.s, 77, NULL), EINVAL,
	      "nowhere to write, of no job");
	close_world(&w);
}
