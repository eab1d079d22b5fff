/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Under pc, events do not wait for a compression that a scan limit left
 * unfinished. A scheduler that is replaced by its clone or by its own
 * checkpoint at any time decides as the one that goes on; the invariants hold
 * at each pause; every job ends.
 */
#include <stdlib.h>
#include <string.h>

#include "fairsched.h"
#include "test.h"

#define JOBS 60
#define PROCS 16
#define EVENTS 500

struct site {
	struct fair_config config;
	struct fair_sched s[2]; /* the second is replaced */
	void *memory[2], *spare;
	size_t bytes;
	uint64_t running[JOBS], queued[JOBS], number, random, pauses;
	uint32_t runs, waits;
	int64_t now;
};

static int64_t any(struct site *x, int64_t from, int64_t to)
{
	return test_range(&x->random, from, to);
}

/* The second goes on as a clone, or from a checkpoint. */
static void replace(struct site *x, bool checkpoint)
{
	void *saved, *memory = x->spare;
	struct fair_sched s;
	size_t bytes;

	if (checkpoint) {
		bytes = fair_sched_checkpoint_size(&x->s[1]);
		saved = malloc(bytes);
		TEST_OK(fair_sched_save(&x->s[1], saved, bytes));
		TEST_OK(fair_sched_load(&s, sizeof(s), memory, x->bytes,
					&x->config, saved, bytes, NULL));
		free(saved);
	} else {
		TEST_OK(fair_sched_clone(&s, memory, x->bytes, &x->s[1]));
	}
	x->spare = x->memory[1];
	x->memory[1] = memory;
	x->s[1] = s;
}

static void set_limit(struct site *x, uint64_t scans)
{
	fair_sched_scan_limit(&x->s[0], scans);
	fair_sched_scan_limit(&x->s[1], scans);
}

static void compare(struct site *x)
{
	const struct fair_sched *a = &x->s[0], *b = &x->s[1];

	TEST_EQ(fair_sched_check(a), 0);
	TEST_EQ(fair_sched_check(b), 0);
	TEST_EQ(fair_sched_is_unfinished(a), fair_sched_is_unfinished(b));
	TEST_EQ(fair_sched_digest(a), fair_sched_digest(b));
	TEST_EQ(fair_sched_next(a), fair_sched_next(b));
	x->pauses += fair_sched_is_unfinished(a);
}

static void submit(struct site *x)
{
	struct fair_job j = { 0 };

	if (x->runs + x->waits == JOBS)
		return;
	j.number = ++x->number;
	j.submit = x->now;
	j.procs = (int32_t)any(x, 1, PROCS - 4);
	j.walltime = any(x, 1, 50);
	TEST_OK(fair_sched_submit(&x->s[0], x->now, &j));
	TEST_OK(fair_sched_submit(&x->s[1], x->now, &j));
	x->queued[x->waits++] = j.number;
}

/* A job ends, mostly early; or a queued one is cancelled. */
static void end(struct site *x, uint64_t *list, uint32_t *n)
{
	uint32_t i = (uint32_t)any(x, 0, JOBS - 1);

	if (i >= *n)
		return;
	TEST_OK(fair_sched_cancel(&x->s[0], x->now, list[i]));
	TEST_OK(fair_sched_cancel(&x->s[1], x->now, list[i]));
	list[i] = list[--*n];
}

static void change_capacity(struct site *x)
{
	int32_t delta = x->s[0].procs < PROCS ? 1 : -1;
	int error = fair_sched_capacity(&x->s[0], x->now, delta, NULL, 0);

	TEST_EQ(fair_sched_capacity(&x->s[1], x->now, delta, NULL, 0), error);
}

static void step(struct site *x)
{
	struct fair_decision start[2][JOBS];
	size_t n[2], i;
	uint32_t k;

	TEST_OK(fair_sched_step(&x->s[0], x->now, start[0], JOBS, &n[0]));
	TEST_OK(fair_sched_step(&x->s[1], x->now, start[1], JOBS, &n[1]));
	TEST_EQ(n[0], n[1]);
	for (i = 0; i < n[0]; i++) {
		TEST_EQ(start[0][i].number, start[1][i].number);
		for (k = 0; x->queued[k] != start[0][i].number;)
			k++;
		x->queued[k] = x->queued[--x->waits];
		x->running[x->runs++] = start[0][i].number;
	}
}

static void event(struct site *x)
{
	switch (any(x, 0, 7)) {
	case 0:
		end(x, x->queued, &x->waits);
		return;
	case 1:
		end(x, x->running, &x->runs);
		return;
	case 2:
		change_capacity(x);
		return;
	case 3:
		TEST_EQ(fair_sched_resume(&x->s[0]),
			fair_sched_resume(&x->s[1]));
		return;
	case 4:
		replace(x, any(x, 0, 1));
		return;
	case 5:
		step(x);
		return;
	default:
		submit(x);
	}
}

static void open_site(struct site *x, uint64_t seed)
{
	int i;

	memset(x, 0, sizeof(*x));
	x->random = seed;
	x->config.policy = FAIR_PC;
	x->config.order = seed % 2 ? FAIR_ORDER_FCFS : FAIR_ORDER_SJF;
	x->config.procs = PROCS;
	x->config.jobs = JOBS;
	x->bytes = fair_sched_size(&x->config);
	x->spare = malloc(x->bytes);
	for (i = 0; i < 2; i++) {
		x->memory[i] = malloc(x->bytes);
		TEST_OK(fair_sched_init(&x->s[i], sizeof(x->s[i]),
					x->memory[i], x->bytes, &x->config));
	}
}

TEST(a_replaced_scheduler_decides_the_same)
{
	uint64_t seed, pauses = 0;
	struct site x;
	int i;

	for (seed = 1; seed <= TEST_ROUNDS(60); seed++) {
		open_site(&x, seed);
		for (i = 0; i < EVENTS; i++) {
			set_limit(&x, (uint64_t)any(&x, 1, 6));
			event(&x);
			compare(&x);
			x.now += any(&x, 0, 2);
		}
		set_limit(&x, 0);
		while (x.runs + x.waits) {
			step(&x);
			while (x.runs)
				end(&x, x.running, &x.runs);
			compare(&x);
			x.now++;
		}
		pauses += x.pauses;
		free(x.memory[0]);
		free(x.memory[1]);
		free(x.spare);
	}
	TEST_CHECK(pauses > 300);
}
