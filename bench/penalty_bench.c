/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * penalty_bench.c - the cost of computing penalties
 *
 * usage: penalty_bench [--quick] > FILE.csv
 *
 * Machines of 2 resources (processors and memory in bytes) to 8, of 8 to 10,000
 * classes with 1 to 128 processors each; 1,024 jobs of one chunk in turn.
 * "unlike": costs and memory per processor differ. "equal": they are equal and
 * memory decides, so that every suitable class costs the same. "asking": as
 * "unlike", and the job requests a minimum SPEC and a property. n is the number
 * of classes; an operation is a penalty, for "init" a class.
 */
#include "bench.h"

#define FAIR_PENALTY_IMPLEMENTATION
#include "policies/penalty.h"

#define ONE FAIR_PENALTY_ONE
#define JOBS 1024
#define RESOURCES 8
#define CLASSES 10000

enum kind { UNLIKE, EQUAL, ASKING, KINDS };

static const char *const kind_name[KINDS] = { "unlike", "equal", "asking" };

struct bench {
	struct fair_penalty_machine m;
	struct fair_penalty_class node[CLASSES];
	int64_t amount[CLASSES][RESOURCES], asked[JOBS][RESOURCES];
	struct fair_penalty_chunk job[JOBS];
	void *memory;
	uint64_t random;
	size_t classes, resources;
	int rounds;
};

static int64_t range(struct bench *b, int64_t least, int64_t most)
{
	return least + (int64_t)(bench_random(&b->random) %
				 (uint64_t)(most - least + 1));
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

static void penalties(void *ctx)
{
	struct bench *b = ctx;
	int64_t sum = 0;
	int round, i;

	for (round = 0; round < b->rounds; round++)
		for (i = 0; i < JOBS; i++) {
			int64_t p = 0;

			fair_penalty(&b->m, &b->job[i], 1, ONE, &p);
			sum += p;
		}
	bench_sink += (uint64_t)sum;
}

static void init(void *ctx)
{
	struct bench *b = ctx;

	bench_must(!fair_penalty_init(&b->m, sizeof(b->m), b->memory,
				      fair_penalty_size(CLASSES, RESOURCES),
				      b->node, b->classes, b->resources, NULL),
		   "init");
}

static void bench(struct bench *b, size_t classes, size_t resources,
		  enum kind kind)
{
	struct bench_case c = { 0 };
	char text[64];

	b->random = 1;
	b->classes = classes;
	b->resources = resources;
	b->rounds = classes > 100 ? 1 : 8;
	make_classes(b, classes, kind);
	make_jobs(b, kind);
	c.name = text;
	c.n = c.ops = classes;
	c.run = init;
	snprintf(text, sizeof(text), "penalty_init_%zu", resources);
	if (kind == UNLIKE)
		bench_run(&c, b);
	else
		init(b);
	c.ops = (size_t)b->rounds * JOBS;
	c.run = penalties;
	c.target = classes == 32 ? 100 : 0;
	snprintf(text, sizeof(text), "penalty_%s_%zu", kind_name[kind],
		 resources);
	bench_run(&c, b);
}

int main(int argc, char **argv)
{
	static const size_t classes[] = { 8, 32, 320, 10000 };
	struct bench *b;
	size_t i, resources;
	int kind;

	bench_open(argc, argv);
	b = bench_alloc(sizeof(*b));
	b->memory = bench_alloc(fair_penalty_size(CLASSES, RESOURCES));
	for (resources = 2; resources <= RESOURCES; resources *= 2)
		for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
			for (kind = 0; kind < KINDS; kind++)
				bench(b, classes[i], resources,
				      (enum kind)kind);
	free(b->memory);
	free(b);
	return 0;
}
