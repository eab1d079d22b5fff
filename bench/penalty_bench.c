/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * penalty_bench.c - what a penalty costs
 *
 * usage: penalty_bench > FILE.csv
 *
 * Machines of 2 resources (processors and memory in bytes) to 8, of 8 to 10,000
 * classes with 1 to 128 processors each; 1,024 jobs of one chunk in turn.
 * "unlike": costs and memory per processor differ. "equal": neither does and
 * memory decides, so that every class that suits costs the same. "asking": as
 * "unlike", and the job names a least SPEC and a property. Each case is the
 * best of 60 short runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAIR_PENALTY_IMPLEMENTATION
#include "policies/penalty.h"

#define ONE FAIR_PENALTY_ONE
#define JOBS 1024
#define RESOURCES 8
#define CLASSES 10000
#define RUNS 60

enum kind { UNLIKE, EQUAL, ASKING, KINDS };

static const char *const kind_name[KINDS] = { "unlike", "equal", "asking" };

struct bench {
	struct fair_penalty_machine m;
	struct fair_penalty_class node[CLASSES];
	int64_t amount[CLASSES][RESOURCES], asked[JOBS][RESOURCES];
	struct fair_penalty_chunk job[JOBS];
	void *memory;
	uint64_t random;
	int64_t sum; /* printed, or a compiler may skip the work */
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t range(struct bench *b, int64_t least, int64_t most)
{
	uint64_t z = (b->random += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return least + (int64_t)(z % (uint64_t)(most - least + 1));
}

static void make_classes(struct bench *b, size_t classes, enum kind kind)
{
	static const int64_t procs[] = { 1,  2,	 4,  8,	 12, 16, 20,
					 24, 32, 40, 48, 64, 80, 128 };
	size_t i, r;

	for (i = 0; i < classes; i++) {
		int64_t *a = b->amount[i];

		a[0] = procs[range(b, 0, 13)];
		a[1] = a[0] * (kind == EQUAL ? 4 : range(b, 1, 8)) << 30;
		for (r = 2; r < RESOURCES; r++)
			a[r] = range(b, 0, 4) ? range(b, 0, 1000) : 0;
		b->node[i].count = (int32_t)range(b, 1, 20);
		b->node[i].spec = range(b, 1, 30) * ONE;
		b->node[i].cost =
			kind == EQUAL ? ONE : range(b, ONE / 4, 2 * ONE);
		b->node[i].properties = (uint64_t)range(b, 0, 255);
		b->node[i].amount = a;
	}
}

static void make_jobs(struct bench *b, enum kind kind)
{
	size_t i, r;

	memset(b->job, 0, sizeof(b->job));
	for (i = 0; i < JOBS; i++) {
		int64_t *a = b->asked[i];

		a[0] = range(b, 1, 16);
		a[1] = kind == EQUAL ? a[0] << 33 : range(b, 0, 64) << 30;
		for (r = 2; r < RESOURCES; r++)
			a[r] = range(b, 0, 2) ? 0 : range(b, 0, 500);
		b->job[i].count = 1;
		b->job[i].amount = a;
		if (kind != ASKING)
			continue;
		b->job[i].min_spec = 3 * ONE;
		b->job[i].properties = 1;
	}
}

static double penalties(struct bench *b, int rounds)
{
	double start = seconds();
	int round, i;

	for (round = 0; round < rounds; round++)
		for (i = 0; i < JOBS; i++) {
			int64_t p = 0;

			fair_penalty(&b->m, &b->job[i], 1, ONE, &p);
			b->sum += p;
		}
	return (seconds() - start) / (rounds * JOBS);
}

static void bench(struct bench *b, size_t classes, size_t resources,
		  enum kind kind)
{
	size_t bytes = fair_penalty_size(classes, resources);
	int rounds = classes > 100 ? 1 : 8, run;
	double start, best = 1, init, t;

	b->random = 1;
	make_classes(b, classes, kind);
	make_jobs(b, kind);
	start = seconds();
	if (fair_penalty_init(&b->m, sizeof(b->m), b->memory, bytes, b->node,
			      classes, resources, NULL))
		exit(1);
	init = seconds() - start;
	for (run = 0; run < RUNS; run++) {
		t = penalties(b, rounds);
		best = t < best ? t : best;
	}
	printf("%s,%zu,%zu,%.1f,%.0f\n", kind_name[kind], classes, resources,
	       1e9 * best, 1e9 * init / (double)classes);
	fflush(stdout);
}

int main(void)
{
	static const size_t classes[] = { 8, 32, 320, 10000 };
	struct bench *b = calloc(1, sizeof(*b));
	size_t i, resources;
	int kind;

	if (!b)
		return 1;
	b->memory = malloc(fair_penalty_size(CLASSES, RESOURCES));
	if (!b->memory)
		return 1;
	printf("case,classes,resources,ns_per_penalty,init_ns_per_class\n");
	for (resources = 2; resources <= RESOURCES; resources *= 2)
		for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
			for (kind = 0; kind < KINDS; kind++)
				bench(b, classes[i], resources,
				      (enum kind)kind);
	fprintf(stderr, "sum of penalties %lld\n", (long long)b->sum);
	free(b->memory);
	free(b);
	return 0;
}
