/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * limits_bench.c - the limits of the machine, the measure of all other cases
 *
 * usage: limits_bench [--quick] > FILE.csv
 *
 * machine_cycle   one dependent addition or exclusive or: a cycle of the clock
 *                 (n: 1)
 * machine_load    a load whose address is the result of the last load, in
 *                 random lines of n bytes: the latency of L1, L2, L3, DRAM,
 *                 with the page walks of 4 KB pages
 * machine_read    a line of 64 bytes, in sequence: read bandwidth
 * machine_scan    compares and counts one of n numbers of 4 bytes: a complete
 *                 search, in the vectors that the compiler chooses
 */
#include "bench.h"

#define LINE 64
#define CYCLES 1000000
#define LOADS 200000
#define SCANS 1000000

struct limits {
	size_t bytes;
	char *memory;
	uint64_t a, b, x; /* unknown to the compiler */
};

static void cycle(void *ctx)
{
	struct limits *l = ctx;
	uint64_t a = l->a, b = l->b, x = l->x;
	int i;

	for (i = 0; i < CYCLES / 10; i++) {
		x = (x + a) ^ b;
		x = (x + a) ^ b;
		x = (x + a) ^ b;
		x = (x + a) ^ b;
		x = (x + a) ^ b;
	}
	l->x = x;
}

/* Each line names the next one, in one random cycle [Sattolo]. */
static void make_cycle(struct limits *l)
{
	size_t lines = l->bytes / LINE, i, k;
	uint32_t *p = (uint32_t *)(void *)l->memory, t;
	const size_t step = LINE / sizeof(*p);
	uint64_t state = 1;

	for (i = 0; i < lines; i++)
		p[i * step] = (uint32_t)i;
	for (i = lines - 1; i; i--) {
		k = (size_t)(bench_random(&state) % i);
		t = p[i * step];
		p[i * step] = p[k * step];
		p[k * step] = t;
	}
}

static void load(void *ctx)
{
	struct limits *l = ctx;
	const uint32_t *p = (const uint32_t *)(void *)l->memory;
	uint32_t at = (uint32_t)l->x;
	int i;

	for (i = 0; i < LOADS; i++)
		at = p[at * (LINE / sizeof(*p))];
	l->x = at;
}

static void read_all(void *ctx)
{
	struct limits *l = ctx;
	const uint64_t *p = (const uint64_t *)(void *)l->memory;
	const uint64_t *end = p + l->bytes / sizeof(*p);
	uint64_t sum[8] = { 0 };
	int i;

	for (; p < end; p += 8)
		for (i = 0; i < 8; i++)
			sum[i] += p[i];
	for (i = 0; i < 8; i++)
		l->x += sum[i];
}

static void scan(void *ctx)
{
	struct limits *l = ctx;
	const int32_t *p = (const int32_t *)(void *)l->memory;
	size_t n = l->bytes / sizeof(*p), round, i;
	int32_t least = (int32_t)l->a;
	uint32_t fit;

	for (round = 0; round < SCANS / n; round++) {
		fit = 0;
		for (i = 0; i < n; i++)
			fit += p[i] >= least;
		l->x += fit;
		least++;
	}
}

static void run(struct limits *l, const char *name, size_t n, size_t ops,
		void (*f)(void *ctx))
{
	struct bench_case c = { 0 };

	c.name = name;
	c.n = n;
	c.ops = ops;
	c.run = f;
	bench_run(&c, l);
	bench_sink += l->x;
	l->x = 0;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = { 16 << 10, 256 << 10, 4 << 20,
					256 << 20 };
	static const size_t scans[] = { 1000, 10000, 1000000 };
	size_t most, i;
	struct limits l = { 0 };

	bench_open(argc, argv);
	most = bench_asked.quick ? 16 << 20 : 256 << 20;
	l.memory = bench_alloc(most);
	l.a = UINT64_C(0x9e3779b97f4a7c15);
	l.b = (uint64_t)argc;
	run(&l, "machine_cycle", 1, CYCLES, cycle);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		l.bytes = sizes[i] < most ? sizes[i] : most;
		make_cycle(&l);
		run(&l, "machine_load", l.bytes, LOADS, load);
	}
	run(&l, "machine_read", l.bytes, l.bytes / LINE, read_all);
	l.a = 1000;
	for (i = 0; i < sizeof(scans) / sizeof(scans[0]); i++) {
		l.bytes = scans[i] * sizeof(int32_t);
		run(&l, "machine_scan", scans[i], SCANS, scan);
	}
	free(l.memory);
	return 0;
}
