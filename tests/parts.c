/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * parts.c - what a build decides: a digest for each policy and each order, and
 * for each policy with limits, classes, nodes, an advance reservation, three
 * reservations and a selection
 *
 * tests/tree/parts_test.sh compiles it with each part left out, and compares.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

enum { JOBS = 300, USERS = 4 };

/* Two classes of 8 processors, of which only the second one has GPUs. */
static const int32_t amount[] = { 8, 0, 8, 4 }, count[] = { 2, 2 };
static const struct fair_machine_config machine = { 2, 2, 0, amount };
static const struct fair_node_config nodes = { count, 0, 16 * JOBS, false };
static const struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS,
					 FAIR_LIMIT_EACH, 12 };

static uint32_t seed;

static uint32_t drawn(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static struct fair_job next_job(const struct fair_config *c, uint64_t number,
				int64_t now)
{
	static int32_t asked[2];
	struct fair_job j;

	memset(&j, 0, sizeof(j));
	j.number = number;
	j.submit = now;
	j.procs = 1 + (int32_t)drawn(12);
	j.walltime = 1 + drawn(200);
	j.user = drawn(USERS);
	j.account = drawn(2);
	j.group = j.qos = j.queue = UINT32_MAX;
	if (c->machine) {
		j.procs = 1 + (j.procs - 1) % 8;
		asked[0] = j.procs;
		asked[1] = !drawn(3);
		j.amount = asked;
	}
	if (c->nodes) { /* at most 4 processors of a node, and 2 GPUs */
		j.chunks = j.procs > 4 ? 2 : 1;
		j.procs = asked[0] -= j.procs % j.chunks;
		asked[1] *= j.chunks;
	}
	return j;
}

static void add_users(struct fair_sched *s)
{
#ifndef FAIRSCHED_WITHOUT_TREE
	uint32_t i;

	for (i = 0; i < USERS; i++)
		if (fair_sched_tree_add_user(s, 0, i, FAIR_FAIRTREE_ROOT,
					     i + 1))
			exit(4);
#else
	(void)s;
#endif
}

/* It withholds half of the machine for a time. */
static void reserve(struct fair_sched *s, const struct fair_config *c)
{
#ifndef FAIRSCHED_WITHOUT_ADVANCES
	struct fair_advance b;

	memset(&b, 0, sizeof(b));
	b.number = 1;
	b.from = 400;
	b.to = 900;
	b.procs = 8;
	if (c->advances && fair_sched_advance_reserve(s, 0, &b, false))
		exit(5);
#else
	(void)s;
	(void)c;
#endif
}

static uint64_t play(struct fair_sched *s, const struct fair_config *c)
{
	uint64_t running[JOBS];
	uint64_t number = 0;
	struct fair_decision d;
	size_t n, at, runs = 0;
	int64_t now;

	for (now = 0; number < JOBS; now += drawn(20)) {
		if (runs && drawn(3)) {
			at = drawn((uint32_t)runs);
			/* It may have been cancelled. */
			(void)fair_sched_finish(s, now, running[at]);
			running[at] = running[--runs];
		}
		if (drawn(2)) {
			struct fair_job j = next_job(c, ++number, now);

			if (fair_sched_submit(s, now, &j))
				exit(2);
		}
		if (!drawn(9))
			(void)fair_sched_cancel(s, now, drawn(JOBS));
		while (!fair_sched_step(s, now, &d, 1, &n) && n)
			running[runs++] = d.number;
	}
	if (fair_sched_check(s))
		exit(3);
	return fair_sched_digest(s);
}

/* What the policies and orders need beside their names. */
static void fill(struct fair_config *c)
{
	static const int64_t target[2] = { 4, 8 };
#ifndef FAIRSCHED_WITHOUT_MAUI
	static struct fair_maui_config maui;

	maui = fair_maui_defaults();
	maui.count[FAIR_THROTTLE_USER] = USERS;
	maui.count[FAIR_THROTTLE_ACCOUNT] = 2;
	c->maui = &maui;
#endif
	c->procs = 16;
	c->jobs = JOBS;
	if (!c->depth)
		c->depth = 1;
	c->users = USERS;
	c->accounts = 2;
	c->target = target;
	c->window = 500;
	c->half_life = 400;
}

static void report(const struct fair_config *config, const char *what)
{
	struct fair_config c = *config;
	struct fair_sched s;
	const char *error;
	size_t bytes;
	void *memory;

	fill(&c);
	printf("%s %s ", fair_policy_name(c.policy), what);
	error = fair_sched_config_error(&c);
	if (error) {
		puts(error);
		return;
	}
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	if (!memory || fair_sched_init(&s, sizeof(s), memory, bytes, &c))
		exit(1);
	if (c.order == FAIR_ORDER_TREE)
		add_users(&s);
	reserve(&s, &c);
	seed = 1;
	printf("%016" PRIx64 "\n", play(&s, &c));
	free(memory);
}

int main(void)
{
	struct fair_config c;
	uint32_t order;

	memset(&c, 0, sizeof(c));
	for (c.policy = 0; c.policy <= FAIR_MAUI; c.policy++) {
		for (order = 0; order <= FAIR_ORDER_RELSHARE; order++) {
			c.order = order;
			report(&c, fair_order_name(order));
		}
		c.order = FAIR_ORDER_FCFS;
		c.limits = 1;
		c.limit = &limit;
		report(&c, "limits");
		c.limits = 0;
		c.advances = 1;
		report(&c, "advances");
		c.advances = 0;
		c.depth = 3;
		report(&c, "profile");
		c.select = FAIR_BESTFIT;
		report(&c, "select");
		c.depth = c.select = 0;
		c.machine = &machine;
		report(&c, "classes");
		c.nodes = &nodes;
		report(&c, "nodes");
		c.nodes = NULL;
		c.machine = NULL;
	}
	return 0;
}
