/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * growth_bench.c - the cost of an event by the depth of the queue
 *
 * usage: growth_bench [--quick] > FILE.csv
 *
 * growth_POLICY: n jobs wait, from 100 to a million (--quick: to 10,000), on
 * 1,024 processors. Jobs ask for 1 to 512 processors and 60 to 86,400 s, both
 * log-uniform, and run for 0 to 100 % of that. The running job that ends first
 * ends, a step starts what it starts, and as many jobs arrive, so that n wait
 * again. The numbers are for one event, an end with its step or an arrival: the
 * mean, and the least and the most that an end with its step and the arrivals
 * after it took. A case runs for 2 s (--quick: 0.1), and for 3 ends at least. A
 * policy whose next case may take more than LIMIT is not measured any further.
 */
#include "bench.h"

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

#define PROCS 1024
#define OWNERS 50 /* accounts, users */
#define ROOM 64
#define WARM 20	     /* ends before the measurement */
#define ENDS 5000    /* at most */
#define BUDGET 2e9   /* ns */
#define LIMIT 120e9  /* ns */

struct end {
	int64_t at;
	uint64_t number;
};

struct bench {
	struct fair_config config;
	struct fair_sched s;
	void *memory;
	struct end end[PROCS];
	size_t running;
	uint64_t random, number;
	int64_t now;
	bool owned; /* jobs have users and accounts */
};

static struct fair_job make_job(struct bench *b)
{
	struct fair_job j = { 0 };

	j.number = b->number++;
	j.submit = b->now;
	j.procs = (int32_t)bench_log_uniform(&b->random, 1, PROCS / 2);
	j.walltime = bench_log_uniform(&b->random, 60, 86400);
	j.user = j.account = j.number % OWNERS;
	j.group = j.qos = j.queue = FAIR_NO_ENTITY;
	if (!b->owned)
		j.user = j.account = FAIR_NO_ENTITY;
	return j;
}

static void submit(struct bench *b, size_t jobs)
{
	struct fair_job j;

	while (jobs--) {
		j = make_job(b);
		bench_must(!fair_sched_submit(&b->s, b->now, &j), "submit");
	}
}

static void started(struct bench *b, uint64_t number)
{
	struct fair_job_status status;
	int64_t run;

	bench_must(!fair_sched_lookup(&b->s, number, &status), "lookup");
	run = (int64_t)((double)status.job.walltime *
			bench_uniform(&b->random));
	b->end[b->running].at = b->now + run;
	b->end[b->running++].number = number;
}

static size_t step(struct bench *b)
{
	struct fair_decision d[ROOM];
	size_t n, i, all = 0;

	do {
		bench_must(!fair_sched_step(&b->s, b->now, d, ROOM, &n),
			   "step");
		for (i = 0; i < n; i++)
			started(b, d[i].number);
		all += n;
	} while (n == ROOM);
	return all;
}

/* The first end, and what follows from it; returns the events. */
static size_t end(struct bench *b)
{
	size_t first = 0, i, n;
	struct end e;

	for (i = 1; i < b->running; i++)
		if (b->end[i].at < b->end[first].at)
			first = i;
	e = b->end[first];
	b->end[first] = b->end[--b->running];
	b->now = e.at;
	bench_must(!fair_sched_finish(&b->s, b->now, e.number), "finish");
	n = step(b);
	submit(b, n);
	return 1 + n;
}

static void open_sched(struct bench *b, const struct fair_config *config,
		       size_t jobs)
{
	static struct fair_maui_config maui;
	int64_t target[OWNERS];
	size_t bytes, i;

	for (i = 0; i < OWNERS; i++)
		target[i] = PROCS / OWNERS;
	maui = fair_maui_defaults();
	memset(b, 0, sizeof(*b));
	b->config = *config;
	b->config.procs = PROCS;
	b->config.jobs = (uint32_t)jobs + 2 * PROCS;
	b->config.accounts = b->config.users = OWNERS;
	b->config.target = target;
	b->config.window = 86400;
	b->config.half_life = 86400;
	b->config.maui = &maui;
	b->owned = config->policy != FAIR_MAUI;
	bytes = fair_sched_size(&b->config);
	b->memory = bench_alloc(bytes);
	bench_must(!fair_sched_init(&b->s, sizeof(b->s), b->memory, bytes,
				    &b->config),
		   "init");
	submit(b, jobs);
	submit(b, step(b));
}

/* Returns the ns that the next size may take. */
static double run(const char *name, const struct fair_config *config,
		  size_t jobs)
{
	static struct bench b;
	double budget = bench_asked.quick ? BUDGET / 20 : BUDGET;
	double begin = bench_ns(), all = 0, least = 1e300, most = 0, took;
	size_t events = 0, ends, n;

	open_sched(&b, config, jobs);
	for (ends = 0; ends < WARM && bench_ns() - begin < budget; ends++)
		end(&b);
	for (ends = 0; ends < ENDS && (ends < 3 || all < budget); ends++) {
		took = bench_ns();
		n = end(&b);
		took = bench_ns() - took;
		events += n;
		all += took;
		least = took / (double)n < least ? took / (double)n : least;
		most = took / (double)n > most ? took / (double)n : most;
	}
	printf("growth_%s,%zu,ns", name, jobs);
	bench_number(all / (double)events);
	bench_number(least);
	bench_number(most);
	printf(",,,\n");
	fflush(stdout);
	free(b.memory);
	return 20 * (bench_ns() - begin - all) + 300 * most;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		struct fair_config config;
	} policy[] = {
		{ "fcfs", { .policy = FAIR_FCFS } },
		{ "easy", { .policy = FAIR_BACKFILL } },
		{ "depth_4", { .policy = FAIR_BACKFILL, .depth = 4 } },
		{ "easy_lxf",
		  { .policy = FAIR_BACKFILL, .order = FAIR_ORDER_LXF } },
		{ "sfs", { .policy = FAIR_SFS } },
		{ "relshare", { .policy = FAIR_RELSHARE } },
		{ "maui", { .policy = FAIR_MAUI } },
		{ "conservative", { .policy = FAIR_CONSERVATIVE } },
		{ "pc", { .policy = FAIR_PC } },
		{ "dc", { .policy = FAIR_DC } },
	};
	size_t i, n, most;
	double next;

	bench_open(argc, argv);
	most = bench_asked.quick ? 10000 : 1000000;
	for (i = 0; i < sizeof(policy) / sizeof(policy[0]); i++)
		for (n = 100, next = 0; n <= most && next < LIMIT; n *= 10)
			next = run(policy[i].name, &policy[i].config, n);
	return 0;
}
