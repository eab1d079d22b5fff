/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Fair start times: of random traces as the naive model finds them, whoever
 * asks for how many at a time, or only for late jobs; and every documented
 * error. The run times that a forecast draws.
 */
#include <stdlib.h>

#include "tests/model/sched_model.h"
#include "tests/test.h"
#include "tools/fairsched/base/threads.h"
#include "tools/fairsched/sim/fst.h"
#include "tools/fairsched/sim/run_times.h"

#define JOBS 150
#define PROCS 16

static const struct {
	const char *name;
	uint32_t ours, depth;
	enum model_policy models;
} policies[] = {
	{ "fcfs", FAIR_FCFS, 1, MODEL_FCFS },
	{ "easy", FAIR_BACKFILL, 1, MODEL_EASY },
	{ "depth 3", FAIR_BACKFILL, 3, MODEL_EASY },
	{ "conservative", FAIR_CONSERVATIVE, 1, MODEL_CONSERVATIVE },
	{ "pc", FAIR_PC, 1, MODEL_PC },
	{ "dc", FAIR_DC, 1, MODEL_DC },
};
#define POLICIES (sizeof(policies) / sizeof(*policies))

static uint64_t seed = 1;

static int64_t draw(int64_t most)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (int64_t)((seed >> 33) % (uint64_t)most);
}

/* Some at one second, some that end when others do, some of run 0. */
static void make(struct swf_job *job, struct model_job *model)
{
	int64_t now = 0;
	size_t i;

	memset(job, 0, JOBS * sizeof(*job));
	memset(model, 0, JOBS * sizeof(*model));
	for (i = 0; i < JOBS; i++) {
		now += draw(4) ? 0 : draw(16);
		job[i].submit = draw(20) ? now : now / 2;
		job[i].run = draw(4) ? draw(10) : 0;
		job[i].estimate = job[i].run + draw(2) * draw(20);
		job[i].estimate += !job[i].estimate;
		job[i].procs = 1 + (int32_t)draw(draw(3) ? 6 : PROCS);
		model[i].submit = job[i].submit;
		model[i].run = job[i].run;
		model[i].estimate = job[i].estimate;
		model[i].procs = job[i].procs;
	}
}

static void *help(void *fst)
{
	int error = fst_help(fst);

	if (error)
		abort();
	return NULL;
}

static void find(struct fst *f, const struct sim_rules *rules,
		 const struct swf_job *job, struct sim_result *result,
		 size_t threads)
{
	struct sim_totals totals;

	TEST_EQ(sim_run(rules, job, JOBS, NULL, result, &totals), 0);
	TEST_EQ(fst_open(f, rules, job, JOBS, result, &totals), 0);
	fst_begin(f);
	threads_run(threads, help, f);
}

/* Where that alone is asked, the same jobs are late, and by as much. */
static void only_late(const struct fst *all, const struct sim_rules *rules,
		      const struct swf_job *job)
{
	static struct sim_result result[JOBS];
	struct sim_totals totals;
	struct fst f;
	size_t i;

	TEST_EQ(sim_run(rules, job, JOBS, NULL, result, &totals), 0);
	TEST_EQ(fst_open(&f, rules, job, JOBS, result, &totals), 0);
	f.only_late = true;
	fst_begin(&f);
	threads_run(1 + (size_t)draw(3), help, &f);
	for (i = 0; i < JOBS; i++) {
		int64_t start = result[i].start;

		TEST_EQ(f.time[i].strict, all->time[i].strict < start
						  ? all->time[i].strict
						  : start);
		TEST_EQ(f.time[i].relaxed, all->time[i].relaxed < start
						   ? all->time[i].relaxed
						   : start);
	}
	fst_close(&f);
}

static void compare(size_t p, uint32_t order, const struct swf_job *job,
		    struct model_job *model)
{
	static struct sim_result result[JOBS];
	struct model_rules naive = { 0 };
	struct fst f;
	size_t i;
	struct sim_rules rules = { .policy = policies[p].ours, .order = order };

	rules.depth = naive.depth = policies[p].depth;
	rules.procs = naive.procs = PROCS;
	naive.policy = policies[p].models;
	naive.order = (enum model_order)order;
	find(&f, &rules, job, result, 1 + (size_t)draw(3));
	TEST_EQ(model_fst(&naive, model, JOBS), 0);
	for (i = 0; i < JOBS; i++) {
		TEST_EQ(f.time[i].strict, model[i].strict_fst);
		TEST_EQ(f.time[i].relaxed, model[i].relaxed_fst);
	}
	only_late(&f, &rules, job);
	fst_close(&f);
}

static bool takes(uint32_t policy, uint32_t order)
{
	if (policy == FAIR_CONSERVATIVE)
		return order == FAIR_ORDER_FCFS;
	return policy < FAIR_CONSERVATIVE || order != FAIR_ORDER_LXF;
}

TEST_EACH(random_traces)
{
	static struct model_job model[JOBS];
	static struct swf_job job[JOBS];
	uint32_t order;
	size_t p, i;
	char name[64];

	for (p = 0; p < POLICIES; p++) {
		snprintf(name, sizeof(name), "random traces, %s",
			 policies[p].name);
		test_case(name);
		for (i = 0; i < 12; i++) {
			make(job, model);
			order = (uint32_t)(i % (FAIR_ORDER_LXF + 1));
			if (takes(policies[p].ours, order))
				compare(p, order, job, model);
		}
	}
}

TEST(some_wanted)
{
	static struct sim_result result[JOBS];
	static struct model_job model[JOBS];
	static struct swf_job job[JOBS];
	struct sim_rules rules = { 0 };
	struct sim_totals totals;
	struct fst all, some;
	size_t i;

	make(job, model);
	rules.policy = FAIR_PC;
	rules.procs = PROCS;
	find(&all, &rules, job, result, 1);
	TEST_EQ(sim_run(&rules, job, JOBS, NULL, result, &totals), 0);
	TEST_EQ(fst_open(&some, &rules, job, JOBS, result, &totals), 0);
	for (i = 0; i < JOBS; i++)
		some.wanted[i] = i % 3 == 1;
	fst_begin(&some);
	threads_run(2, help, &some);
	for (i = 0; i < JOBS; i++) {
		if (i % 3 != 1)
			all.time[i].strict = all.time[i].relaxed = FAIR_FOREVER;
		TEST_EQ(some.time[i].strict, all.time[i].strict);
		TEST_EQ(some.time[i].relaxed, all.time[i].relaxed);
	}
	fst_close(&some);
	fst_close(&all);
}

/* ---- the library alone ---- */

struct alone {
	struct fair_config config;
	struct fair_sched sched;
	struct fair_simulated_run run;
	struct fair_job job;
	struct fair_decision start[8];
	size_t bytes, n;
	void *memory, *fst_memory;
};

static int64_t ten(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

/* No job runs or waits. */
static void begin_alone(struct alone *a, uint32_t policy, uint32_t jobs)
{
	memset(a, 0, sizeof(*a));
	a->config.policy = policy;
	a->config.procs = 4;
	a->config.jobs = jobs;
	a->config.advances = 1;
	a->bytes = fair_sched_fst_size(&a->config);
	a->memory = malloc(a->bytes);
	a->fst_memory = malloc(a->bytes + 15);
	if (!a->memory || !a->fst_memory)
		abort();
	TEST_OK(fair_sched_init(&a->sched, sizeof(a->sched), a->memory,
				a->bytes, &a->config));
}

static void open_alone(struct alone *a)
{
	begin_alone(a, FAIR_CONSERVATIVE, 3);
	a->job.walltime = 100;
	a->job.procs = 3;
	TEST_EQ(fair_sched_submit(&a->sched, 0, &a->job), 0);
	TEST_EQ(fair_sched_step(&a->sched, 0, a->start, 8, &a->n), 0);
	a->job.number = 1;
	a->job.procs = 4;
	TEST_EQ(fair_sched_submit(&a->sched, 1, &a->job), 0);
	TEST_EQ(fair_sched_step(&a->sched, 1, a->start, 8, &a->n), 0);
	a->job.number = 2;
	a->job.procs = 1;
}

static void close_alone(struct alone *a)
{
	free(a->memory);
	free(a->fst_memory);
}

#define FST(now, job, memory, bytes, run, fst)                                 \
	fair_sched_fst(&a.sched, now, job, memory, bytes, run, NULL, fst)

/* 0 runs on 3 of 4 until 10, 1 wants all, 2 of walltime 100 fits before it. */
TEST(alone)
{
	struct fair_fst fst;
	struct alone a;
	uint64_t digest;

	open_alone(&a);
	digest = fair_sched_digest(&a.sched);
	TEST_OK(FST(2, &a.job, (char *)a.fst_memory + 3, a.bytes, ten, &fst));
	/* Planned to end with 0: not before 1, then. */
	TEST_EQ(fst.strict, 20);
	TEST_EQ(fst.relaxed, 20);
	a.job.walltime = 98;
	TEST_EQ(FST(2, &a.job, a.fst_memory, a.bytes, ten, &fst), 0);
	TEST_EQ(fst.strict, 2);
	TEST_EQ(fst.relaxed, 20);
	TEST_EQ(fair_sched_digest(&a.sched), digest);
	TEST_EQ(fair_sched_check(&a.sched), 0);
	close_alone(&a);
}

TEST(simulated_runs)
{
	struct fair_simulated_run *f;
	int64_t start = 7;
	struct alone a;

	open_alone(&a);
	f = &a.run;
	TEST_EQ(fair_simulated_run_init(f, sizeof(*f) - 1, a.fst_memory,
					a.bytes, &a.sched, 2, ten, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_simulated_run_init(NULL, sizeof(*f), a.fst_memory, a.bytes,
					&a.sched, 2, ten, NULL),
		-FAIR_EINVAL);
	TEST_OK(fair_simulated_run_init(f, sizeof(*f), a.fst_memory, a.bytes,
					&a.sched, 2, ten, NULL));
	TEST_EQ(fair_simulated_run_start(f, 9, &start), -FAIR_ENOENT);
	TEST_EQ(fair_simulated_run_start(f, 0, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_simulated_run_join(f, NULL, &start), -FAIR_EINVAL);
	TEST_EQ(start, 7);
	TEST_EQ(fair_simulated_run_start(f, 0, &start), 0);
	TEST_EQ(start, 0);
	f->until = 10;
	TEST_EQ(fair_simulated_run_start(f, 1, &start), 0);
	TEST_EQ(start, FAIR_FOREVER);
	TEST_EQ(fair_simulated_run_join(f, &a.job, &start), 0);
	TEST_EQ(start, FAIR_FOREVER);
	f->until = 11;
	TEST_EQ(fair_simulated_run_start(f, 1, &start), 0);
	TEST_EQ(start, 10);
	f->until = FAIR_FOREVER;
	TEST_EQ(fair_simulated_run_join(f, &a.job, &start), 0);
	TEST_EQ(start, 20);
	close_alone(&a);
}

/* A job that is wider than what is left of the machine. */
TEST(above_a_soft_limit_without_backfill)
{
	struct fair_fst fst;
	struct alone a;
	uint64_t first = 0;

	open_alone(&a);
	TEST_EQ(fair_sched_capacity(&a.sched, 2, -1, &first, 1), 0);
	TEST_EQ(FST(2, &a.job, a.fst_memory, a.bytes, ten, &fst), 0);
	TEST_EQ(fst.strict, 2);
	TEST_EQ(fst.relaxed, FAIR_FOREVER);
	a.job.procs = 4;
	TEST_EQ(FST(2, &a.job, a.fst_memory, a.bytes, ten, &fst), 0);
	TEST_EQ(fst.strict, FAIR_FOREVER);
	close_alone(&a);
}

static void add(struct alone *a, int64_t now, uint64_t number, int32_t procs,
		int64_t walltime)
{
	struct fair_job j = { .number = number,
			      .procs = procs,
			      .walltime = walltime };

	TEST_EQ(fair_sched_submit(&a->sched, now, &j), 0);
	TEST_EQ(fair_sched_step(&a->sched, now, a->start, 8, &a->n), 0);
}

static int64_t until_ten(void *context, uint64_t number)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(s, number, &j), 0);
	return j.state == FAIR_RUNNING ? 10 - j.start : 10;
}

/*
 * Of two that end at 10 the first to start leaves first: 9 takes its place, so
 * that 8, which waits for both, comes later; however many starts came between.
 */
TEST(ends_of_one_second)
{
	static const struct {
		uint64_t first, second;
		uint32_t starts;	/* before the second's */
		int64_t start;		/* the second's */
	} try[] = {
		{ 1, 2, 1, 0 },
		{ 2, 1, 1, 0 },
		{ 1, 2, 2, 0 },
		{ 2, 1, UINT32_C(0x7fffffff), 0 },
		{ 1, 2, UINT32_C(0x80000001), 1 },
	};
	int64_t start = 0;
	struct alone a;
	size_t i;

	for (i = 0; i < sizeof(try) / sizeof(*try); i++) {
		begin_alone(&a, FAIR_CONSERVATIVE, 4);
		add(&a, 0, try[i].first, 3, 100);
		a.sched.start_count = try[i].starts;
		add(&a, try[i].start, try[i].second, 1, 100 - try[i].start);
		TEST_EQ(a.n, 1);
		add(&a, 2, 8, 4, 50);
		add(&a, 2, 9, 3, 50);
		TEST_OK(fair_simulated_run_init(&a.run, sizeof(a.run),
						a.fst_memory, a.bytes, &a.sched,
						2, until_ten, &a.sched));
		TEST_EQ(fair_simulated_run_start(&a.run, 9, &start), 0);
		TEST_EQ(start, 10);
		TEST_EQ(fair_simulated_run_start(&a.run, 8, &start), 0);
		TEST_EQ(start, 20);
		close_alone(&a);
	}
}

static int64_t for_ever(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return INT64_MAX;
}

/* A run that is longer than there is time. */
TEST(endless)
{
	int64_t start = 0;
	struct alone a;

	begin_alone(&a, FAIR_BACKFILL, 2);
	add(&a, 5, 1, 4, 10);
	add(&a, 5, 2, 4, 10);
	TEST_OK(fair_simulated_run_init(&a.run, sizeof(a.run), a.fst_memory,
					a.bytes, &a.sched, 5, for_ever, NULL));
	a.run.until = 1000;
	TEST_EQ(fair_simulated_run_start(&a.run, 2, &start), 0);
	TEST_EQ(start, FAIR_FOREVER);
	close_alone(&a);
}

/* All jobs run: their ends are aligned, and within the bytes. */
TEST(any_alignment)
{
	struct alone a;
	char *memory;
	size_t i;

	begin_alone(&a, FAIR_BACKFILL, 3);
	for (i = 1; i < 4; i++)
		add(&a, 0, i, 1, 10);
	for (i = 0; i < 16; i++) {
		memory = (char *)a.fst_memory + i;
		TEST_OK(fair_simulated_run_init(&a.run, sizeof(a.run), memory,
						a.bytes, &a.sched, 0, ten,
						NULL));
		TEST_EQ((uintptr_t)a.run.end % 8, 0);
		TEST_CHECK((char *)(a.run.end + 3) <= memory + a.bytes);
	}
	close_alone(&a);
}

/* The strict one is found where nothing else happens at that second, too. */
TEST(at_once)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL, FAIR_PC };
	struct fair_fst fst;
	struct alone a;
	size_t i;

	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		begin_alone(&a, policy[i], 2);
		add(&a, 0, 1, 1, 100);
		a.job.number = 2;
		a.job.procs = 1;
		a.job.walltime = 10;
		TEST_EQ(FST(0, &a.job, a.fst_memory, a.bytes, ten, &fst), 0);
		TEST_EQ(fst.strict, 0);
		TEST_EQ(FST(5, &a.job, a.fst_memory, a.bytes, ten, &fst), 0);
		TEST_EQ(fst.strict, 5);
		TEST_EQ(fst.relaxed, 5);
		close_alone(&a);
	}
}

/* When all jobs have started, its advance reservation is over. */
TEST(reservation_is_over_in_a_relaxed_run)
{
	const struct fair_advance b = { 7, 0, 8, 4, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	struct fair_fst fst = { 7, 7 };
	struct alone a;

	begin_alone(&a, FAIR_BACKFILL, 3);
	TEST_EQ(fair_sched_advance_reserve(&a.sched, 0, &b, false), 0);
	add(&a, 0, 1, 1, 10);
	a.job.number = 2;
	a.job.procs = 1;
	a.job.walltime = 5;
	a.job.advance = 7;
	TEST_EQ(FST(0, &a.job, a.fst_memory, a.bytes, ten, &fst), -FAIR_ENOENT);
	TEST_EQ(fst.strict, 7);
	TEST_EQ(fst.relaxed, 7);
	close_alone(&a);
}

/* ---- run times ---- */

#define OURS 7
#define LATER FAIR_FOREVER

/* At second 100 jobs 0, 1, 2 and 6 have ended, but not one of user 0. */
static const struct {
	uint32_t user;
	int64_t start, run;
} past[OURS] = { { 1, 0, 10 },	 { 1, 0, 90 },	   { 2, 50, 50 },
		 { 2, 50, 60 },	 { 0, LATER, 10 }, { 0, 95, 10 },
		 { 3, 100, 0 } };

/* The seeds find the long run of user 1 at the eighth try, and at the ninth. */
static const struct {
	uint64_t number, seed;
	int64_t start, run; /* start: it runs since then; LATER: it waits */
} drawn[] = {
	{ 1, 0, LATER, 20 },  { 1, 1, LATER, 180 }, { 2, 7, LATER, 100 },
	{ 6, 3, LATER, 0 },   { 4, 0, LATER, 20 },  { 4, 1, LATER, 180 },
	{ 4, 2, LATER, 100 }, { 4, 3, LATER, 0 },   { 4, 4, LATER, 20 },
	{ 2, 0, 1, 100 },     { 2, 0, 0, LATER },   { 1, 1, 80, 180 },
	{ 1, 0, 80, 180 },    { 1, 0, 81, 20 },	    { 1, 332, 80, 180 },
	{ 1, 204, 80, LATER },
};

TEST(run_times_of_past_jobs)
{
	struct sim_result result[OURS] = { { 0 } };
	struct fair_job_status s = { 0 };
	struct swf_job job[OURS] = { { 0 } };
	struct swf trace = { 0 };
	struct run_times h;
	size_t i;

	trace.job = job;
	trace.jobs = OURS;
	trace.users = 4;
	for (i = 0; i < OURS; i++) {
		job[i].user = past[i].user;
		job[i].run = past[i].run;
		job[i].estimate = 100;
		result[i].start = past[i].start;
	}
	s.job.walltime = 200;
	TEST_EQ(run_times_open(&h, &trace, result, 100), 0);
	for (i = 0; i < sizeof(drawn) / sizeof(*drawn); i++) {
		s.job.number = drawn[i].number;
		s.state = drawn[i].start == LATER ? FAIR_QUEUED : FAIR_RUNNING;
		s.start = drawn[i].start;
		TEST_EQ(run_times_draw(&h, &s, drawn[i].seed), drawn[i].run);
	}
	run_times_close(&h);
	TEST_CHECK(!h.ended && !h.first);
	TEST_EQ(run_times_open(&h, &trace, result, 9), 0);
	TEST_EQ(run_times_draw(&h, &s, 0), LATER);
	run_times_close(&h);
}
