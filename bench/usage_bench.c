/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage_bench.c - the cost of charging and reading
 *
 * usage: usage_bench [--quick] [ENTITIES] > FILE.csv
 *
 * Entities are drawn at random; a second passes every 16 operations. "miss" is
 * a load of a random row of the same memory that depends on the last load: the
 * time in which the machine fetches a row, and the measure of the other cases.
 */
#include "bench.h"

#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"

#define OPERATIONS (1 << 17)
#define WEEK (7 * 86400)

struct bench {
	struct fair_usage u;
	uint32_t entities, *entity; /* OPERATIONS of them */
	int64_t now;
	uint64_t sum;
};

static void charge_minute(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_usage_charge(&b->u, b->entity[i], b->now - 60, b->now, 64);
	}
}

/* Charges running jobs while time passes. */
static void charge_on(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_usage_charge(&b->u, b->entity[i], b->now - 1, b->now, 64);
	}
}

static void charge_day(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_usage_charge(&b->u, b->entity[i], b->now - 80000 + i % 999,
				  b->now, 64);
	}
}

static void hold_and_settle(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_usage_charge_provisional(&b->u, b->entity[i], 64, 3600);
		fair_usage_charge_final(&b->u, b->entity[i], 64, 3600,
				  b->now - 1000 - i % 999, b->now);
	}
}

static void read_later(void *ctx)
{
	struct bench *b = ctx;
	uint64_t whole = 0;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		fair_usage_at(&b->u, b->entity[i], b->now + i / 16, &whole,
			      NULL);
		b->sum += whole;
	}
}

/* The time of the last charge. */
static void read_now(void *ctx)
{
	struct bench *b = ctx;
	uint64_t whole = 0;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		fair_usage_at(&b->u, b->entity[i], b->now, &whole, NULL);
		b->sum += whole;
	}
}

static void read_share(void *ctx)
{
	struct bench *b = ctx;
	int64_t points = 0;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		fair_usage_share(&b->u, b->entity[i], b->now + i / 16, &points);
		b->sum += (uint64_t)points;
	}
}

/* Links the rows by @held to one random cycle. */
static void miss(void *ctx)
{
	struct bench *b = ctx;
	uint64_t e = 0;
	int i;

	for (i = 0; i < OPERATIONS; i++)
		e = fair_usage_row(&b->u, 0, (uint32_t)e)[1];
	b->sum += e;
}

static void make_cycle(struct bench *b)
{
	uint64_t state = 2;
	uint32_t i, k, t;

	for (i = 0; i < b->entities; i++)
		fair_usage_row(&b->u, 0, i)[1] = i;
	for (i = b->entities - 1; i; i--) {
		k = (uint32_t)(bench_random(&state) % i);
		t = (uint32_t)fair_usage_row(&b->u, 0, i)[1];
		fair_usage_row(&b->u, 0, i)[1] = fair_usage_row(&b->u, 0, k)[1];
		fair_usage_row(&b->u, 0, k)[1] = t;
	}
}

static void run(struct bench *b, const char *name, void (*f)(void *ctx))
{
	struct bench_case c = { 0 };

	c.name = name;
	c.n = b->entities;
	c.ops = OPERATIONS;
	c.run = f;
	bench_run(&c, b);
}

static const struct {
	const char *name;
	void (*f)(void *ctx);
} cases[] = {
	{ "charge_on", charge_on },   { "charge_minute", charge_minute },
	{ "charge_day", charge_day }, { "hold_and_settle", hold_and_settle },
	{ "read_now", read_now },     { "read_later", read_later },
	{ "share", read_share },
};

static void run_all(struct bench *b, uint32_t depth)
{
	size_t bytes = fair_usage_size(b->entities, depth, 1);
	void *memory = malloc(bytes);
	const char *kind = depth ? "windows" : "half_life";
	char name[64];
	size_t i;

	if (!memory)
		exit(1);
	if (depth)
		fair_usage_init_windows(&b->u, sizeof(b->u), memory, bytes,
					b->entities, 1, 1, depth, 43200,
					4 * FAIR_USAGE_ONE / 5);
	else
		fair_usage_init_half_life(&b->u, sizeof(b->u), memory, bytes,
					  b->entities, 1, 1, WEEK);
	b->now = 1000000000;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(name, sizeof(name), "usage_%s_%s", kind,
			 cases[i].name);
		run(b, name, cases[i].f);
	}
	if (fair_usage_check(&b->u))
		exit(1);
	if (!depth) {
		make_cycle(b);
		run(b, "usage_half_life_miss", miss);
	}
	free(memory);
}

int main(int argc, char **argv)
{
	uint64_t state = 1;
	struct bench b;
	uint32_t i;
	int operand;

	memset(&b, 0, sizeof(b));
	operand = bench_open(argc, argv);
	b.entities = 100000;
	if (operand < argc)
		b.entities = (uint32_t)strtoul(argv[operand], NULL, 10);
	b.entity = (uint32_t *)malloc(OPERATIONS * sizeof(*b.entity));
	if (!b.entities || !b.entity)
		return 1;
	for (i = 0; i < OPERATIONS; i++)
		b.entity[i] = (uint32_t)(bench_random(&state) % b.entities);
	run_all(&b, 0);
	run_all(&b, 14);
	free(b.entity);
	bench_sink += b.sum;
	return 0;
}
