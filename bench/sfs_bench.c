/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_bench.c - what the gate costs
 *
 * usage: sfs_bench [--quick | --full] > FILE.csv
 *
 * Allocations are drawn at random, of 1,000 (in cache) and of a million.
 */
#include "bench.h"

#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"

#define OPS 65536

struct bench {
	struct fair_sfs s;
	uint32_t account[OPS];
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

int main(int argc, char **argv)
{
	static const uint32_t accounts[] = { 1000, 1000000 };
	struct bench_case c = { NULL, 0, OPS, NULL, NULL, 0, 0 };
	struct bench *b = bench_alloc(sizeof(*b));
	size_t i;

	b->memory = bench_alloc(fair_sfs_size(1000000));
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
	bench_value("sfs_memory", 1000000, "bytes",
		    (double)fair_sfs_size(1000000) / 1e6, 0);
	free(b->memory);
	free(b);
	return 0;
}
