/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * parts.c - what a build decides: a digest for each policy and each order
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

static uint32_t seed;

static uint32_t drawn(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static struct fair_job next_job(uint64_t number, int64_t now)
{
	struct fair_job j;

	memset(&j, 0, sizeof(j));
	j.number = number;
	j.submit = now;
	j.procs = 1 + (int32_t)drawn(12);
	j.walltime = 1 + drawn(200);
	j.user = drawn(USERS);
	j.account = drawn(2);
	j.group = j.qos = j.queue = UINT32_MAX;
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

static uint64_t play(struct fair_sched *s)
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
			struct fair_job j = next_job(++number, now);

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
	c->depth = 1;
	c->users = USERS;
	c->accounts = 2;
	c->target = target;
	c->window = 500;
	c->half_life = 400;
}

static void report(uint32_t policy, uint32_t order)
{
	struct fair_config c;
	struct fair_sched s;
	const char *error;
	size_t bytes;
	void *memory;

	memset(&c, 0, sizeof(c));
	c.policy = policy;
	c.order = order;
	fill(&c);
	printf("%s %s ", fair_policy_name(policy), fair_order_name(order));
	error = fair_sched_config_error(&c);
	if (error) {
		puts(error);
		return;
	}
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	if (!memory || fair_sched_init(&s, sizeof(s), memory, bytes, &c))
		exit(1);
	if (order == FAIR_ORDER_TREE)
		add_users(&s);
	seed = 1;
	printf("%016" PRIx64 "\n", play(&s));
	free(memory);
}

int main(void)
{
	uint32_t policy, order;

	for (policy = 0; policy <= FAIR_MAUI; policy++)
		for (order = 0; order <= FAIR_ORDER_RELSHARE; order++)
			report(policy, order);
	return 0;
}
