/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * relshare_bench.c - the cost of relative share
 *
 * usage: relshare_bench [--quick] > FILE.csv
 *
 * Of a million known users, n are active with 4 jobs each, a quarter of which
 * run. Users have 1 to 8 shares; jobs request from 1 processor to all, 16 for
 * each user. "job": a second passes, a job arrives, a job starts, another one
 * ends: 3 events. "compare": compares two active users, with a job reserved.
 * "advance": a second passes. "window": the first second of a window passes; an
 * operation is an active user. "clone": copies the ledger; an operation is a
 * known user. Bytes are for a known user.
 */
#include "bench.h"

#define FAIR_CHECKPOINT_IMPLEMENTATION
#define FAIR_RELSHARE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "policies/relshare.h"

#define KNOWN 1000000
#define MOST 10000
#define JOBS (4 * MOST)
#define WINDOW 86400
#define OPS 1000

struct bench {
	struct fair_relshare r, copy;
	void *memory, *other;
	size_t bytes;
	uint64_t random;
	uint32_t users, jobs, next; /* the next slot */
	uint32_t user[JOBS];
	int32_t procs[JOBS];
	int64_t now;
};

static void must(int error)
{
	bench_must(error == 0, "an event was refused");
}

static uint32_t pick(struct bench *b, uint32_t n)
{
	return (uint32_t)(bench_random(&b->random) % n);
}

static void arrive(struct bench *b, uint32_t slot)
{
	must(fair_relshare_submit(&b->r, b->now, slot, b->user[slot],
				  b->procs[slot]));
}

static void make(struct bench *b, uint32_t users)
{
	struct fair_relshare_config config = { 0 };
	uint32_t i;

	config.users = KNOWN;
	config.jobs = JOBS;
	config.procs = (int32_t)(16 * users);
	config.window = WINDOW;
	config.expected = true;
	if (!b->memory) {
		b->bytes = fair_relshare_size(&config);
		b->memory = bench_alloc(b->bytes);
		b->other = bench_alloc(b->bytes);
		bench_value("relshare_bytes", KNOWN, "bytes",
			    (double)b->bytes / KNOWN, 0);
	}
	must(fair_relshare_init(&b->r, sizeof(b->r), b->memory, b->bytes,
				&config));
	b->now = 0;
	b->next = 0;
	b->users = users;
	b->jobs = 4 * users;
	for (i = 0; i < b->jobs; i++) {
		/* Active users are not adjacent in memory. */
		b->user[i] = i / 4 * (KNOWN / users);
		b->procs[i] =
			(int32_t)bench_log_uniform(&b->random, 1, config.procs);
		if (i % 4 == 0)
			must(fair_relshare_share(&b->r, 0, b->user[i],
						 1 + pick(b, 8)));
		if (i % 4 == 3) /* this job runs */
			b->procs[i] = 1 + (int32_t)pick(b, 8);
		arrive(b, i);
		if (i % 4 == 3)
			must(fair_relshare_start(&b->r, 0, i, WINDOW / 2));
	}
}

static void job(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPS; i++) {
		uint32_t slot = b->next = (b->next + 4) % b->jobs;

		b->now++;
		must(fair_relshare_finish(&b->r, b->now, slot | 3));
		arrive(b, slot | 3);
		must(fair_relshare_start(&b->r, b->now, slot | 3,
					 b->now + 3600));
	}
}

static void compare(void *ctx)
{
	struct fair_relshare_reserved x = { 0, 1, 0, 3600 };
	struct bench *b = ctx;
	int i, sum = 0;

	x.start = b->now + 60;
	for (i = 0; i < OPS; i++)
		sum += fair_relshare_compare(&b->r, b->user[pick(b, b->jobs)],
					     b->user[pick(b, b->jobs)], &x);
	bench_sink += (uint64_t)sum;
}

static void advance(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPS; i++)
		must(fair_relshare_advance(&b->r, ++b->now));
}

static void window(void *ctx)
{
	struct bench *b = ctx;

	b->now += WINDOW;
	must(fair_relshare_advance(&b->r, b->now));
}

static void clone(void *ctx)
{
	struct bench *b = ctx;

	must(fair_relshare_clone(&b->copy, b->other, b->bytes, &b->r, NULL));
}

static void run(struct bench *b, const char *name, size_t ops,
		void (*what)(void *))
{
	struct bench_case c = { 0 };

	c.name = name;
	c.n = b->users;
	c.ops = ops;
	c.run = what;
	bench_run(&c, b);
}

int main(int argc, char **argv)
{
	static const uint32_t users[] = { 10, 100, 1000, 10000 };
	static struct bench b;
	size_t i;

	bench_open(argc, argv);
	for (i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
		make(&b, users[i]);
		run(&b, "relshare_compare", OPS, compare);
		run(&b, "relshare_job", OPS, job);
		run(&b, "relshare_advance", OPS, advance);
		run(&b, "relshare_compare_used", OPS, compare);
		run(&b, "relshare_window", users[i], window);
		bench_must(fair_relshare_check(&b.r) == 0, "check");
	}
	run(&b, "relshare_clone", KNOWN, clone);
	bench_must(fair_relshare_check(&b.copy) == 0, "check of the copy");
	return 0;
}
