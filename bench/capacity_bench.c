/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * capacity_bench.c - the longest single call when a machine with a deep queue
 * loses and gains processors, with a scan limit of 1,000 jobs
 *
 * usage: capacity_bench [--quick] > FILE.csv
 *
 * The machine has 512 processors. Jobs ask for 1 to 128 of them and 60 to
 * 86,400 s, both log-uniform; all are submitted at second 0 and started as far
 * as they fit. At second 30 processors are lost, with running jobs where too few
 * are free; 200 calls of resume() follow; then as many processors return, and
 * another 200 calls follow. The work of pc may take minutes more.
 *
 * capacity_lose_P_POLICY   P processors are lost: the longest of the call that
 *                          reports it and of those after it
 * capacity_gain_P_POLICY   the same, when they return
 * capacity_late_POLICY     the step that finds that a job ends a second late,
 *                          which moves ten promises: jobs of the whole machine,
 *                          and behind them a window that the others, all of
 *                          the whole machine too, do not fit before
 */
#include "bench.h"

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

#define PROCS 512
#define LATER 30
#define ROOM 64
#define SCANS 1000
#define CALLS 200

struct bench {
	struct fair_sched base, copy;
	void *memory, *copy_memory;
	size_t bytes;
	uint64_t *victim; /* numbers of running jobs, by planned end */
	int32_t *procs;	  /* theirs */
	int32_t free;
	size_t runs;
};

static void submit_all(struct bench *b, size_t jobs)
{
	struct fair_job j = { 0 };
	uint64_t random = 0;

	for (j.number = 0; j.number < jobs; j.number++) {
		j.procs = (int32_t)bench_log_uniform(&random, 1, PROCS / 4);
		j.walltime = bench_log_uniform(&random, 60, 86400);
		bench_must(!fair_sched_submit(&b->base, 0, &j), "submit");
	}
}

static void fill(struct bench *b, uint32_t policy, size_t jobs)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_decision start[ROOM];
	struct fair_job_status status;
	struct fair_config config = { 0 };
	size_t n;

	memset(b, 0, sizeof(*b));
	config.policy = policy;
	config.procs = PROCS;
	config.jobs = (uint32_t)jobs;
	b->bytes = fair_sched_size(&config);
	b->memory = bench_alloc(b->bytes);
	b->copy_memory = bench_alloc(b->bytes);
	b->victim = bench_alloc(PROCS * sizeof(*b->victim));
	b->procs = bench_alloc(PROCS * sizeof(*b->procs));
	bench_must(!fair_sched_init(&b->base, sizeof(b->base), b->memory,
				    b->bytes, &config),
		   "init");
	submit_all(b, jobs);
	do
		bench_must(!fair_sched_step(&b->base, 0, start, ROOM, &n),
			   "step");
	while (n == ROOM);
	b->free = PROCS;
	while (fair_sched_each(&b->base, FAIR_RUNNING, &at, &status)) {
		b->victim[b->runs] = status.job.number;
		b->procs[b->runs++] = status.job.procs;
		b->free -= status.job.procs;
	}
}

static void drain(struct bench *b)
{
	free(b->procs);
	free(b->victim);
	free(b->copy_memory);
	free(b->memory);
}

/* The time of the longest call: one that changes @delta processors, CALLS more.
 */
static double longest_call(struct bench *b, int32_t delta, size_t victims)
{
	double since = bench_ns(), ns, longest;
	int call;

	bench_must(!fair_sched_capacity(&b->copy, LATER, delta,
					victims ? b->victim : NULL, victims),
		   "capacity");
	longest = bench_ns() - since;
	for (call = 0; call < CALLS; call++) {
		since = bench_ns();
		(void)fair_sched_resume(&b->copy);
		ns = bench_ns() - since;
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

static void report(const char *what, int32_t procs, const char *policy,
		   size_t jobs, double ns)
{
	char text[64];

	snprintf(text, sizeof(text), "capacity_%s_%d_%s", what, (int)procs,
		 policy);
	bench_value(text, jobs, "ns", ns, 0);
}

static void run(struct bench *b, const char *policy, size_t jobs,
		int32_t procs)
{
	int32_t free = b->free;
	size_t victims = 0;

	while (free < procs)
		free += b->procs[victims++];
	bench_must(!fair_sched_clone(&b->copy, b->copy_memory, b->bytes,
				     &b->base),
		   "clone");
	fair_sched_scan_limit(&b->copy, SCANS);
	report("lose", procs, policy, jobs, longest_call(b, -procs, victims));
	report("gain", procs, policy, jobs, longest_call(b, procs, 0));
}

/* The step at the planned end of job 0, which runs on. */
static void late(struct bench *b, uint32_t policy, const char *name,
		 size_t jobs)
{
	struct fair_config config = { .policy = policy, .procs = PROCS,
				      .jobs = (uint32_t)jobs, .advances = 1 };
	struct fair_advance window = { .number = 1, .from = 1100, .to = 1200,
				       .procs = PROCS };
	struct fair_job j = { .procs = PROCS, .walltime = 90 };
	struct fair_decision start;
	char text[64];
	double ns;
	size_t n;

	memset(b, 0, sizeof(*b));
	b->memory = bench_alloc(fair_sched_size(&config));
	bench_must(!fair_sched_init(&b->base, sizeof(b->base), b->memory,
				    fair_sched_size(&config), &config),
		   "init");
	bench_must(!fair_sched_advance_reserve(&b->base, 0, &window, true),
		   "window");
	for (; j.number < jobs; j.number++) {
		j.walltime = j.number > 10 ? 111 : j.number ? 100 : 90;
		bench_must(!fair_sched_submit(&b->base, 0, &j), "submit");
	}
	bench_must(!fair_sched_step(&b->base, 0, &start, 1, &n), "step");
	ns = bench_ns();
	bench_must(!fair_sched_step(&b->base, 90, &start, 1, &n), "step");
	ns = bench_ns() - ns;
	bench_must(fair_sched_next(&b->base) == 91, "late");
	snprintf(text, sizeof(text), "capacity_late_%s", name);
	bench_value(text, jobs, "ns", ns, 0);
	drain(b);
}

int main(int argc, char **argv)
{
	static const struct {
		uint32_t policy;
		const char *name;
	} row[] = { { FAIR_CONSERVATIVE, "conservative" },
		    { FAIR_PC, "pc" },
		    { FAIR_DC, "dc" } };
	size_t jobs, most, i;
	struct bench b;

	bench_open(argc, argv);
	most = bench_asked.quick ? 1000 : 40000;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		for (jobs = most / 4; jobs <= most; jobs *= 2) {
			fill(&b, row[i].policy, jobs);
			run(&b, row[i].name, jobs, 1);
			run(&b, row[i].name, jobs, PROCS / 4);
			drain(&b);
			late(&b, row[i].policy, row[i].name, jobs);
		}
	}
	return 0;
}
