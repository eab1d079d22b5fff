/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_bench.c - single events of a scheduler with many jobs
 *
 * usage: sched_bench [--quick] > FILE.csv
 *
 * The machine has 1,024 processors. Jobs ask for 1 to 512 processors and 60 to
 * 86,400 s, both log-uniform; all are submitted at second 0 and started as far
 * as they fit. The events at second 30:
 *
 * backlog_finish     a running job ends early, and the step starts other jobs;
 *                    each run ends another running job
 * backlog_finish_largest...  always ends the job with most processor-seconds
 * backlog_submit     a job arrives
 * limits_submit      a job arrives behind 1,000, and as many users as n have a
 *                    limit each, which does not bind
 * backlog_longest... the longest single call of such finishes and their steps,
 *                    also with a scan limit of 1,000 jobs; of submits
 * sched_clone        copies a scheduler with n jobs and room for 100,000
 * sched_why          why a queued job does not start, each job in turn: the
 *                    part without a clone
 * sched_why_clone    the whole answer
 * sched_plan         a clone plays until the middle of the queue starts; under
 *                    a policy with promises, a look-up
 * sched_forecast     a sample of the forecast of that job: a clone plays with
 *                    run times of 0 to 100 % of the walltimes
 * sched_bytes        fair_sched_size() by the number of jobs
 */
#include "bench.h"

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

#define PROCS 1024
#define ARRIVALS 256
#define LATER 30
#define ROOM 64
#define SAMPLES 4
#define LOOKS 1000
#define FINISHES 10
#define WHY_EACH 100
#define LOOKUPS 1000
#define OWNERS 50 /* accounts, users */

struct bench {
	struct fair_config config;
	struct fair_sched base, copy;
	void *memory, *copy_memory;
	size_t bytes;
	uint64_t *running; /* numbers */
	size_t runs, next, largest;
	struct fair_job arrival[ARRIVALS];
	uint64_t random, number;
	uint64_t *waiting; /* numbers */
	size_t plans;	   /* in one run: a look-up is faster than a clock */
	size_t waits, scratch_bytes;
	void *scratch;
};

static struct fair_job make_job(struct bench *b, int64_t now)
{
	struct fair_job j = { 0 };

	j.number = b->number++;
	j.submit = now;
	j.procs = (int32_t)bench_log_uniform(&b->random, 1, PROCS / 2);
	j.walltime = bench_log_uniform(&b->random, 60, 86400);
	j.user = j.account = (uint32_t)(j.number % OWNERS);
	if (b->config.limits)
		j.user = bench_random(&b->random) % b->config.limits;
	return j;
}

static size_t step(struct fair_sched *s, int64_t now)
{
	struct fair_decision d[ROOM];
	size_t n, all = 0;

	do {
		bench_must(!fair_sched_step(s, now, d, ROOM, &n), "step");
		all += n;
	} while (n == ROOM);
	return all;
}

static void open_limited(struct bench *b, uint32_t policy, uint32_t order,
			 size_t room, uint32_t limits)
{
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 0,
				    INT32_MAX };
	int64_t target[OWNERS];
	size_t i;

	for (i = 0; i < OWNERS; i++)
		target[i] = PROCS / OWNERS;
	memset(b, 0, sizeof(*b));
	b->config.policy = policy;
	b->config.order = order;
	b->config.depth = 1;
	b->config.procs = PROCS;
	b->config.jobs = (uint32_t)room;
	b->config.accounts = b->config.users = OWNERS;
	b->config.target = target;
	b->config.window = 86400;
	b->config.limits = limits;
	b->bytes = fair_sched_size(&b->config);
	b->memory = bench_alloc(b->bytes);
	b->copy_memory = bench_alloc(b->bytes);
	bench_must(!fair_sched_init(&b->base, sizeof(b->base), b->memory,
				    b->bytes, &b->config),
		   "init");
	for (; limit.id < limits; limit.id++)
		bench_must(!fair_sched_limit(&b->base, 0, &limit), "limit");
}

static void open_sched(struct bench *b, uint32_t policy, uint32_t order,
		       size_t room)
{
	open_limited(b, policy, order, room, 0);
}

static void fill(struct bench *b, size_t jobs)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status status;
	struct fair_job j;
	int64_t most = 0;
	size_t i;

	for (i = 0; i < jobs; i++) {
		j = make_job(b, 0);
		bench_must(!fair_sched_submit(&b->base, 0, &j), "submit");
	}
	step(&b->base, 0);
	b->running = bench_alloc(PROCS * sizeof(*b->running));
	while (fair_sched_each(&b->base, FAIR_RUNNING, &at, &status)) {
		if (status.job.procs * status.job.walltime > most) {
			most = status.job.procs * status.job.walltime;
			b->largest = b->runs;
		}
		b->running[b->runs++] = status.job.number;
	}
	for (i = 0; i < ARRIVALS; i++)
		b->arrival[i] = make_job(b, LATER);
}

static void close_sched(struct bench *b)
{
	free(b->running);
	free(b->copy_memory);
	free(b->memory);
}

static void copy(void *ctx)
{
	struct bench *b = ctx;

	bench_must(
		!fair_sched_clone(&b->copy, b->copy_memory, b->bytes, &b->base),
		"clone");
}

static void finish(void *ctx)
{
	struct bench *b = ctx;
	uint64_t number = b->running[b->next++ % b->runs];

	bench_must(!fair_sched_finish(&b->copy, LATER, number), "finish");
	bench_sink += step(&b->copy, LATER);
}

static void finish_largest(void *ctx)
{
	struct bench *b = ctx;

	b->next = b->largest;
	finish(b);
}

static void submit(void *ctx)
{
	struct bench *b = ctx;
	size_t i;

	for (i = 0; i < ARRIVALS; i++)
		bench_must(!fair_sched_submit(&b->copy, LATER, &b->arrival[i]),
			   "submit");
}

static void run_backlog(uint32_t policy, const char *name, size_t jobs,
			double finish_target, double submit_target)
{
	struct bench_case c = { 0 };
	char text[64];
	struct bench b;

	open_sched(&b, policy, 0, jobs + ARRIVALS);
	fill(&b, jobs);
	c.name = text;
	c.n = jobs;
	c.prepare = copy;
	snprintf(text, sizeof(text), "backlog_finish_%s", name);
	c.run = finish;
	c.ops = 1;
	c.target = finish_target;
	bench_run(&c, &b);
	snprintf(text, sizeof(text), "backlog_finish_largest_%s", name);
	c.run = finish_largest;
	bench_run(&c, &b);
	snprintf(text, sizeof(text), "backlog_submit_%s", name);
	c.run = submit;
	c.ops = ARRIVALS;
	c.target = submit_target;
	bench_run(&c, &b);
	close_sched(&b);
}

static void run_limits(uint32_t policy, const char *name, uint32_t limits)
{
	struct bench_case c = { 0 };
	char text[64];
	struct bench b;

	open_limited(&b, policy, 0, 1000 + ARRIVALS, limits);
	fill(&b, 1000);
	snprintf(text, sizeof(text), "limits_submit_%s", name);
	c.name = text;
	c.n = limits;
	c.prepare = copy;
	c.run = submit;
	c.ops = ARRIVALS;
	bench_run(&c, &b);
	close_sched(&b);
}

/* Notes the duration of a call that began at @since. */
static void note(double *longest, double since)
{
	double ns = bench_ns() - since;

	if (ns > *longest)
		*longest = ns;
}

static double longest_call(struct bench *b, uint64_t number)
{
	struct fair_decision d[ROOM];
	double longest = 0, since = bench_ns();
	bool more = true;
	size_t n;

	bench_must(!fair_sched_finish(&b->copy, LATER, number), "finish");
	note(&longest, since);
	while (more) {
		since = bench_ns();
		more = fair_sched_resume(&b->copy);
		note(&longest, since);
	}
	do {
		since = bench_ns();
		bench_must(!fair_sched_step(&b->copy, LATER, d, ROOM, &n),
			   "step");
		note(&longest, since);
	} while (n == ROOM || fair_sched_is_unfinished(&b->copy));
	return longest;
}

static void run_longest(struct bench *b, const char *name, size_t jobs,
			uint64_t scan_limit)
{
	double longest = 0, ns;
	char text[64];
	size_t i;

	for (i = 0; i < FINISHES && i < b->runs; i++) {
		copy(b);
		fair_sched_scan_limit(&b->copy, scan_limit);
		ns = longest_call(b, b->running[i]);
		longest = ns > longest ? ns : longest;
	}
	if (scan_limit)
		snprintf(text, sizeof(text), "backlog_longest_%d_%s", LOOKS,
			 name);
	else
		snprintf(text, sizeof(text), "backlog_longest_%s", name);
	bench_value(text, jobs, "ns", longest, 0);
}

static void run_longest_submit(struct bench *b, const char *name, size_t jobs)
{
	double longest = 0, since;
	char text[64];
	size_t i;

	copy(b);
	for (i = 0; i < ARRIVALS; i++) {
		since = bench_ns();
		bench_must(!fair_sched_submit(&b->copy, LATER, &b->arrival[i]),
			   "submit");
		note(&longest, since);
	}
	snprintf(text, sizeof(text), "backlog_longest_submit_%s", name);
	bench_value(text, jobs, "ns", longest, 0);
}

/* The longest single call, with and without a scan limit. */
static void run_longest_call(uint32_t policy, uint32_t order, const char *name,
		       size_t jobs)
{
	struct bench b;

	open_sched(&b, policy, order, jobs + ARRIVALS);
	fill(&b, jobs);
	run_longest(&b, name, jobs, 0);
	run_longest(&b, name, jobs, LOOKS);
	run_longest_submit(&b, name, jobs);
	close_sched(&b);
}

static void run_clone(uint32_t policy, const char *name, size_t jobs,
		      double target)
{
	struct bench_case c = { 0 };
	char text[64];
	struct bench b;

	open_sched(&b, policy, 0, 100000);
	fill(&b, jobs);
	snprintf(text, sizeof(text), "sched_clone_%s", name);
	c.name = text;
	c.n = jobs;
	c.ops = 1;
	c.run = copy;
	c.target = target;
	bench_run(&c, &b);
	close_sched(&b);
}

static int64_t any_share(void *ctx, const struct fair_job_status *job,
			 uint64_t random)
{
	(void)ctx;
	return (int64_t)(random % (uint64_t)(job->job.walltime + 1));
}

static void why(void *ctx)
{
	struct bench *b = ctx;
	struct fair_why w;
	size_t i;

	for (i = 0; i < b->waits; i++)
		bench_must(!fair_sched_why(&b->base, b->waiting[i], NULL, 0,
					   &w),
			   "why");
}

static void why_clone(void *ctx)
{
	struct bench *b = ctx;
	struct fair_why w;
	size_t i;

	for (i = 0; i < b->waits; i += WHY_EACH)
		bench_must(!fair_sched_why(&b->base, b->waiting[i], b->scratch,
					   b->scratch_bytes, &w),
			   "why");
}

static void plan(void *ctx)
{
	struct bench *b = ctx;
	int64_t start;
	size_t i;

	for (i = 0; i < b->plans; i++)
		bench_must(!fair_sched_estimate(&b->base,
						b->waiting[b->waits / 2],
						b->scratch, b->scratch_bytes,
						&start),
			   "estimate");
}

static void forecast(void *ctx)
{
	struct bench *b = ctx;
	struct fair_draw draw = { any_share, NULL, 1, SAMPLES };
	struct fair_forecast f;

	bench_must(!fair_sched_forecast(&b->base, b->waiting[b->waits / 2],
					&draw, b->scratch, b->scratch_bytes,
					&f),
		   "forecast");
}

static void run_one(struct bench *b, const char *what, const char *policy,
		    void (*run)(void *ctx), size_t ops, double target)
{
	struct bench_case c = { 0 };
	char text[64];

	snprintf(text, sizeof(text), "sched_%s_%s", what, policy);
	c.name = text;
	c.n = 1000;
	c.ops = ops;
	c.run = run;
	c.target = target;
	bench_run(&c, b);
}

/* The aim for a forecast of 100 samples is 140 ms under conservative and dc,
 * 300 under pc, 150 under the others. */
static void run_why(uint32_t policy, const char *name, double sample)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status status;
	struct bench b;

	open_sched(&b, policy, 0, 1000);
	fill(&b, 1000);
	b.waiting = bench_alloc(1000 * sizeof(*b.waiting));
	status.first_promise = FAIR_FOREVER;
	while (fair_sched_each(&b.base, FAIR_QUEUED, &at, &status))
		b.waiting[b.waits++] = status.job.number;
	b.plans = status.first_promise < FAIR_FOREVER ? LOOKUPS : 1;
	b.scratch_bytes = fair_sched_forecast_size(&b.config, SAMPLES);
	b.scratch = bench_alloc(b.scratch_bytes);
	run_one(&b, "why", name, why, b.waits, 20e3);
	run_one(&b, "why_clone", name, why_clone,
		(b.waits + WHY_EACH - 1) / WHY_EACH, 0);
	run_one(&b, "plan", name, plan, b.plans, 0);
	run_one(&b, "forecast", name, forecast, SAMPLES, sample);
	free(b.scratch);
	free(b.waiting);
	close_sched(&b);
}

static void run_bytes(uint32_t policy, const char *name, uint32_t jobs)
{
	struct fair_config c = { 0 };
	char text[64];

	c.policy = policy;
	c.depth = 1;
	c.procs = PROCS;
	c.jobs = jobs;
	snprintf(text, sizeof(text), "sched_bytes_%s", name);
	bench_value(text, jobs, "bytes", (double)fair_sched_size(&c) / jobs,
		    160);
}

int main(int argc, char **argv)
{
	uint32_t limits;
	size_t most;

	bench_open(argc, argv);
	most = bench_asked.quick ? 1000 : 100000;
	run_backlog(FAIR_CONSERVATIVE, "conservative", 1000, 0, 2000);
	run_backlog(FAIR_CONSERVATIVE, "conservative", 10000, 0, 2000);
	run_backlog(FAIR_CONSERVATIVE, "conservative", 100000, 50e6, 2000);
	run_backlog(FAIR_BACKFILL, "easy", most, 0, 0);
	for (limits = 100; limits <= most; limits *= 1000) {
		run_limits(FAIR_BACKFILL, "easy", limits);
		run_limits(FAIR_CONSERVATIVE, "conservative", limits);
		run_limits(FAIR_PC, "pc", limits);
		run_limits(FAIR_DC, "dc", limits);
	}
	run_longest_call(FAIR_CONSERVATIVE, 0, "conservative", most);
	run_longest_call(FAIR_PC, 0, "pc", most < 10000 ? most : 10000);
	run_longest_call(FAIR_DC, 0, "dc", most);
	run_longest_call(FAIR_BACKFILL, 0, "easy", most);
	run_longest_call(FAIR_BACKFILL, FAIR_ORDER_LXF, "easy_lxf", most);
	run_longest_call(FAIR_RELSHARE, 0, "relshare", most);
	run_clone(FAIR_CONSERVATIVE, "conservative", 1000, 20e3);
	run_clone(FAIR_BACKFILL, "easy", 1000, 20e3);
	run_why(FAIR_FCFS, "fcfs", 1.5e6);
	run_why(FAIR_BACKFILL, "easy", 1.5e6);
	run_why(FAIR_CONSERVATIVE, "conservative", 1.4e6);
	run_why(FAIR_PC, "pc", 3e6);
	run_why(FAIR_DC, "dc", 1.4e6);
	run_why(FAIR_SFS, "sfs", 1.5e6);
	run_why(FAIR_RELSHARE, "relshare", 1.5e6);
	run_bytes(FAIR_CONSERVATIVE, "conservative", 1000000);
	run_bytes(FAIR_PC, "pc", 1000000);
	run_bytes(FAIR_DC, "dc", 1000000);
	run_bytes(FAIR_BACKFILL, "easy", 1000000);
	return 0;
}
