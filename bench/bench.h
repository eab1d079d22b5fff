/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * bench.h - runs a case repeatedly and prints one row of CSV
 *
 *	#include "bench.h"	(first: it needs more than POSIX)
 *
 *	static void charge(void *ctx) { ... 1000 times ... }
 *
 *	struct bench_case c = { "usage_charge", entities, 1000, charge };
 *
 *	bench_open(argc, argv);
 *	bench_run(&c, ctx);
 *
 * A row: case,n,unit,median,min,max,instructions,target,ratio. The numbers are
 * for one operation; unit is ns or bytes; instructions is empty if the machine
 * does not count them. Time is the processor time of this program, so that
 * other programs count only by the caches that they take. The spread is that of
 * the runs. The true time is near min: other programs only add to it.
 */
#ifndef FAIR_BENCH_H
#define FAIR_BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif

#define BENCH_RUNS 41	    /* the most runs */
#define BENCH_LEAST 3	    /* the fewest, as far as BENCH_PATIENCE allows */
#define BENCH_PATIENCE 3e9  /* ns */
#define BENCH_ENOUGH 0.1e9  /* ns: only BENCH_LEAST runs beyond it */
#define BENCH_QUICK 0.005e9 /* the same with --quick */

/**
 * struct bench_case - a timed case.
 * @n:       the size in the row
 * @ops:     operations in one run
 * @run:     one run; the cost of reading the clock is subtracted
 * @prepare: runs before each run, untimed; or NULL
 * @target:  the target in ns for an operation on a core of 4.2 GHz; or 0
 * @ratio:   the wanted speed over that of the case naive_@name; or 0
 */
struct bench_case {
	const char *name;
	size_t n, ops;
	void (*run)(void *ctx);
	void (*prepare)(void *ctx);
	double target, ratio;
};

/* The options; the counter of instructions or -1; ns of an empty run. */
static struct {
	bool quick, full;
	int counter;
	double nothing;
} bench_asked;

/* Add results to it, or a compiler may remove the work. */
static volatile uint64_t bench_sink;

static inline double bench_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

#ifdef __linux__
/* Pins the program to its present processor, or to an allowed one (taskset). */
static inline void bench_pin(void)
{
	unsigned long mask[64] = { 0 };
	unsigned int cpu = 0;
	const unsigned int bits = 8 * sizeof(mask[0]);

	if (syscall(SYS_getcpu, &cpu, NULL, NULL) || cpu >= 64 * bits)
		return;
	mask[cpu / bits] |= 1UL << cpu % bits;
	if (syscall(SYS_sched_setaffinity, 0, sizeof(mask), mask))
		fprintf(stderr, "bench: not pinned to a processor\n");
}

static inline int bench_open_counter(void)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.type = PERF_TYPE_HARDWARE;
	a.size = sizeof(a);
	a.config = PERF_COUNT_HW_INSTRUCTIONS;
	a.exclude_kernel = 1;
	a.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0UL);
}
#else
static inline void bench_pin(void)
{
}

static inline int bench_open_counter(void)
{
	return -1;
}
#endif

static inline double bench_instructions(void)
{
	uint64_t n = 0;

	if (bench_asked.counter < 0 ||
	    read(bench_asked.counter, &n, sizeof(n)) != (ssize_t)sizeof(n))
		return 0;
	return (double)n;
}

static inline int bench_less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static inline void bench_number(double x)
{
	if (x > 0)
		printf(",%.6g", x);
	else
		putchar(',');
}

/* Times one run: ns and instructions. */
static inline double bench_once(const struct bench_case *c, void *ctx,
				double *instructions)
{
	double start, took, before;

	if (c->prepare)
		c->prepare(ctx);
	before = bench_instructions();
	start = bench_ns();
	c->run(ctx);
	took = bench_ns() - start - bench_asked.nothing;
	*instructions = bench_instructions() - before;
	return took > 0 ? took : 0;
}

static inline void bench_run_nothing(void *ctx)
{
	(void)ctx;
}

static inline double bench_nothing(void)
{
	const struct bench_case c = { "nothing", 0, 1, bench_run_nothing,
				      NULL,	 0, 0 };
	double least = 1e9, instructions, ns;
	int i;

	for (i = 0; i < 1000; i++) {
		ns = bench_once(&c, NULL, &instructions);
		least = ns < least ? ns : least;
	}
	return least;
}

/* Reads --quick and --full; returns the index of the first operand. */
static inline int bench_open(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strcmp(argv[i], "--quick")) {
			bench_asked.quick = true;
		} else if (!strcmp(argv[i], "--full")) {
			bench_asked.full = true;
		} else {
			fprintf(stderr, "usage: %s [--quick | --full]\n",
				argv[0]);
			exit(2);
		}
	}
	bench_pin();
	bench_asked.counter = bench_open_counter();
	bench_asked.nothing = bench_nothing();
	printf("case,n,unit,median,min,max,instructions,target,ratio\n");
	return i;
}

/* Prints the row; returns the median of an operation in ns. */
static inline double bench_run(const struct bench_case *c, void *ctx)
{
	double enough = bench_asked.quick ? BENCH_QUICK : BENCH_ENOUGH;
	double patience = bench_asked.quick ? 10 * enough : BENCH_PATIENCE;
	double ns[BENCH_RUNS], least = 0, instructions, spent = 0, median;
	int runs = 0;

	/* The first run warms the caches; it counts only if it is long. */
	ns[0] = bench_once(c, ctx, &least);
	if (ns[0] > enough) {
		spent = ns[0];
		runs = 1;
	}
	while (runs < BENCH_RUNS &&
	       spent < (runs < BENCH_LEAST ? patience : enough)) {
		ns[runs] = bench_once(c, ctx, &instructions);
		least = instructions < least ? instructions : least;
		spent += ns[runs++];
	}
	qsort(ns, (size_t)runs, sizeof(ns[0]), bench_less);
	median = (ns[(runs - 1) / 2] + ns[runs / 2]) / 2 / (double)c->ops;
	printf("%s,%zu,ns", c->name, c->n);
	bench_number(median);
	bench_number(ns[0] / (double)c->ops);
	bench_number(ns[runs - 1] / (double)c->ops);
	bench_number(least / (double)c->ops);
	bench_number(c->target);
	bench_number(c->ratio);
	putchar('\n');
	fflush(stdout);
	return median;
}

/* Prints the row of a single measurement. */
static inline void bench_value(const char *name, size_t n, const char *unit,
			       double value, double target)
{
	printf("%s,%zu,%s", name, n, unit);
	bench_number(value);
	bench_number(value);
	bench_number(value);
	putchar(',');
	bench_number(target);
	puts(",");
	fflush(stdout);
}

/* splitmix64: the same numbers on every machine. */
static inline uint64_t bench_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Draws from (0, 1). */
static inline double bench_uniform(uint64_t *state)
{
	return ((double)(bench_random(state) >> 11) + 0.5) / 0x1p53;
}

/* Draws from least..most, log-uniformly. */
static inline int64_t bench_log_uniform(uint64_t *state, int64_t least,
					int64_t most)
{
	double ratio = (double)(most + 1) / (double)least;
	int64_t x = (int64_t)((double)least * pow(ratio, bench_uniform(state)));

	return x < most ? x : most;
}

static inline void *bench_alloc(size_t bytes)
{
	void *p = calloc(1, bytes ? bytes : 1);

	if (!p) {
		fprintf(stderr, "bench: out of memory\n");
		exit(1);
	}
	return p;
}

/* Ends the program if a condition fails: the numbers would mean nothing. */
static inline void bench_must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "bench: wrong: %s\n", what);
	exit(1);
}

#endif /* FAIR_BENCH_H */
