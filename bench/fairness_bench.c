/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairness_bench.c - the cost of fair shares
 *
 * usage: fairness_bench [--quick | --full] > FILE.csv
 *
 * A machine of n processors, or one of 1,024 with n active jobs. A job arrives,
 * starts and completes in turn, a second apart: an operation is one of these
 * events. The baseline adds to every active job's share at every event, as in
 * [CF 3.2], in doubles.
 */
#include "bench.h"

#define FAIR_FAIRNESS_IMPLEMENTATION
#include "policies/fairness.h"

#define ROUNDS 10000
#define MOST_JOBS 100000

struct bench {
	struct fair_fairness f;
	struct fair_fairness_job *job;
	double *naive_share[2];
	int32_t *procs, widest;
	size_t active, next;
	int64_t now;
	uint64_t random;
	void *memory;
};

static int32_t width(struct bench *b)
{
	return (int32_t)bench_log_uniform(&b->random, 1, b->widest);
}

static void fill(struct bench *b, size_t active, int32_t widest)
{
	size_t i;

	b->widest = widest;
	b->active = active;
	b->now = 0;
	b->next = 0;
	bench_must(!fair_fairness_init(&b->f, sizeof(b->f), b->memory,
				       fair_fairness_size(widest), widest, 0),
		   "init");
	for (i = 0; i < active; i++) {
		b->procs[i] = width(b);
		fair_fairness_arrive(&b->f, b->now, b->procs[i], &b->job[i]);
		/* Every eighth job runs. */
		if (i % 8 == 0)
			fair_fairness_start(&b->f, b->now, &b->job[i]);
	}
}

static void events(void *ctx)
{
	struct fair_fairness_share share = { { 0, 0 }, { 0, 0 }, 0 };
	struct bench *b = ctx;
	struct fair_fairness_job *j;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		j = b->job + b->next;
		fair_fairness_complete(&b->f, b->now++, j, &share);
		fair_fairness_arrive(&b->f, b->now++, b->procs[b->next], j);
		if (b->next % 8 == 0)
			fair_fairness_start(&b->f, b->now++, j);
		bench_sink += (uint64_t)share.unweighted.whole;
		b->next = b->next + 1 < b->active ? b->next + 1 : 0;
	}
}

static void naive_event(struct bench *b)
{
	double equal = 1000.0 / (double)b->active, part = equal / b->widest;
	size_t i;

	for (i = 0; i < b->active; i++) {
		b->naive_share[0][i] +=
			equal < b->procs[i] ? equal : b->procs[i];
		b->naive_share[1][i] += part * b->procs[i];
	}
}

static void naive(void *ctx)
{
	int i;

	for (i = 0; i < 100; i++)
		naive_event(ctx);
	bench_sink += (uint64_t)((struct bench *)ctx)->naive_share[0][0];
}

static void look(void *ctx)
{
	struct fair_fairness_share share = { { 0, 0 }, { 0, 0 }, 0 };
	struct bench *b = ctx;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		fair_fairness_at(&b->f, b->now + i,
				 &b->job[(size_t)i % b->active], &share);
		bench_sink += (uint64_t)share.weighted.whole;
	}
}

static void run(struct bench *b, const char *name, size_t n, size_t ops,
		void (*what)(void *ctx))
{
	struct bench_case c = { NULL, 0, 0, NULL, NULL, 0, 0 };

	c.name = name;
	c.n = n;
	c.ops = ops;
	c.run = what;
	bench_run(&c, b);
}

int main(int argc, char **argv)
{
	static const int32_t widest[] = { 128, 4096, 163840, 1 << 20 };
	static const size_t active[] = { 10, 1000, 100000 };
	const size_t most = fair_fairness_size(1 << 20);
	struct bench *b = bench_alloc(sizeof(*b));
	size_t i;

	b->memory = bench_alloc(most);
	b->job = bench_alloc(MOST_JOBS * sizeof(*b->job));
	b->procs = bench_alloc(MOST_JOBS * sizeof(*b->procs));
	b->naive_share[0] = bench_alloc(MOST_JOBS * sizeof(double));
	b->naive_share[1] = bench_alloc(MOST_JOBS * sizeof(double));
	b->random = 1;
	bench_open(argc, argv);
	for (i = 0; i < sizeof(widest) / sizeof(widest[0]); i++) {
		fill(b, 1000, widest[i]);
		run(b, "fairness_event_by_width", (size_t)widest[i],
		    ROUNDS * 17 / 8, events);
	}
	for (i = 0; i < sizeof(active) / sizeof(active[0]); i++) {
		fill(b, active[i], 1024);
		run(b, "naive_fairness_event", active[i], 100, naive);
		run(b, "fairness_event", active[i], ROUNDS * 17 / 8, events);
		run(b, "fairness_at", active[i], ROUNDS, look);
	}
	bench_value("fairness_memory", 1 << 20, "bytes",
		    (double)most / (1 << 20), 0);
	free(b->naive_share[1]);
	free(b->naive_share[0]);
	free(b->procs);
	free(b->job);
	free(b->memory);
	free(b);
	return 0;
}
