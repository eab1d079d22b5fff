/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_bench.c - what the gate costs
 *
 * usage: sfs_bench [--quick | --full] > FILE.csv
 *
 * Accounts are drawn at random, of 1,000 (in cache) and of a million. "plan" is
 * an instant over a queue of n jobs of 1,000 accounts, on a machine with room
 * for a tenth of them, with 2 reservations; of one job.
 */
#include "bench.h"

#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"

#define OPS 65536
#define MOST_JOBS 100000

struct bench {
	struct fair_sfs s;
	uint32_t account[OPS];
	struct fair_sfs_job *queue;
	size_t jobs;
	int32_t free_procs;
	void *memory;
	uint64_t random;
};

/* Through a pointer: not inlined, as from another unit. */
static bool (*volatile called_gate)(const struct fair_sfs *s,
				    uint32_t account) = fair_sfs_gate;

static void gate(void *ctx)
{
	bool (*open)(const struct fair_sfs *s, uint32_t account) = called_gate;
	const struct bench *b = ctx;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < OPS; i++)
		sum += open(&b->s, b->account[i]);
	bench_sink += sum;
}

static void start_and_finish(void *ctx)
{
	struct bench *b = ctx;
	size_t i;

	for (i = 0; i < OPS; i++)
		fair_sfs_start(&b->s, b->account[i], 8);
	for (i = 0; i < OPS; i++)
		fair_sfs_finish(&b->s, b->account[i], 8);
}

static int look(void *ctx, size_t job, int32_t procs, bool may_reserve)
{
	struct bench *b = ctx;

	(void)job;
	if (procs > b->free_procs)
		return may_reserve ? FAIR_SFS_RESERVED : FAIR_SFS_NEITHER;
	b->free_procs -= procs;
	return FAIR_SFS_STARTED;
}

static void plan(void *ctx)
{
	struct bench *b = ctx;
	size_t i;

	b->free_procs = (int32_t)(b->jobs * 32 / 10);
	bench_must(!fair_sfs_plan(&b->s, b->queue, b->jobs, 2, look, b),
		   "plan");
	for (i = 0; i < b->jobs; i++)
		if (b->queue[i].answer == FAIR_SFS_STARTED)
			fair_sfs_finish(&b->s, b->queue[i].account,
					b->queue[i].procs);
}

static void open_accounts(struct bench *b, uint32_t accounts)
{
	uint32_t i;

	bench_must(!fair_sfs_init(&b->s, sizeof(b->s), b->memory,
				  fair_sfs_size(accounts), accounts),
		   "init");
	for (i = 0; i < accounts; i++) {
		fair_sfs_set_target(&b->s, i,
				    (int64_t)(bench_random(&b->random) % 256));
		fair_sfs_start(&b->s, i,
			       1 + (int32_t)(bench_random(&b->random) % 256));
	}
	for (i = 0; i < OPS; i++)
		b->account[i] = (uint32_t)(bench_random(&b->random) % accounts);
}

static void fill_queue(struct bench *b, size_t jobs)
{
	size_t i;

	for (i = 0; i < jobs; i++) {
		b->queue[i].account = b->account[i % OPS];
		b->queue[i].procs =
			(int32_t)bench_log_uniform(&b->random, 1, 128);
	}
	b->jobs = jobs;
}

int main(int argc, char **argv)
{
	static const uint32_t accounts[] = { 1000, 1000000 };
	struct bench_case c = { NULL, 0, OPS, NULL, NULL, 0, 0 };
	struct bench *b = bench_alloc(sizeof(*b));
	size_t i;

	b->memory = bench_alloc(fair_sfs_size(1000000));
	b->queue = bench_alloc(MOST_JOBS * sizeof(*b->queue));
	b->random = 1;
	bench_open(argc, argv);
	for (i = 0; i < 2; i++) {
		open_accounts(b, accounts[i]);
		c.n = accounts[i];
		c.name = "sfs_gate";
		c.run = gate;
		c.target = i ? 0 : 5;
		bench_run(&c, b);
		c.name = "sfs_start_and_finish";
		c.run = start_and_finish;
		c.target = 0;
		bench_run(&c, b);
	}
	open_accounts(b, 1000);
	c.name = "sfs_plan";
	c.run = plan;
	for (c.n = c.ops = 1000; c.n <= MOST_JOBS; c.n *= 10, c.ops *= 10) {
		fill_queue(b, c.n);
		bench_run(&c, b);
	}
	bench_value("sfs_memory", 1000000, "bytes",
		    (double)fair_sfs_size(1000000) / 1e6, 0);
	free(b->queue);
	free(b->memory);
	free(b);
	return 0;
}
