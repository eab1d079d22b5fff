/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * crowd.h - the checkpoint of a scheduler that has something of each kind
 */
#ifndef CROWD_H
#define CROWD_H

#include "tests/checkpoints.h"

struct crowd {
	struct fair_config config;
	struct fair_maui_config maui;
	struct fair_sched s;
	void *memory;
	unsigned char *checkpoint;
	size_t bytes, length;
};

static inline void crowd_config(struct crowd *x, uint32_t policy,
				uint32_t order)
{
	static const int64_t target[2] = { 3, 5 };
	struct fair_config *c = &x->config;

	memset(x, 0, sizeof(*x));
	c->policy = policy;
	c->order = order;
	c->procs = 10;
	c->depth = policy == FAIR_RELSHARE ? 1 : 2;
	c->jobs = 2 * CROWD;
	c->ineligible = c->advances = 2;
	c->accounts = c->users = 2;
	c->target = target;
	c->window = 100;
	if (policy == FAIR_BACKFILL && order == FAIR_ORDER_SJF)
		c->select = FAIR_GREEDY;
	if (policy != FAIR_MAUI)
		return;
	x->maui = fair_maui_defaults();
	x->maui.usage = FAIR_MAUI_PROCS;
	x->maui.count[FAIR_THROTTLE_USER] = 2;
	c->maui = &x->maui;
}

static inline void crowd_submit(struct crowd *x, uint64_t number,
				uint32_t tasks, int32_t procs,
				const struct fair_eligibility *until,
				uint64_t advance)
{
	struct fair_job job = { .number = number,
				.walltime = 10 + (int64_t)number,
				.procs = procs };

	job.user = job.account = number % 2;
	job.tasks = tasks;
	job.advance = advance;
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	if (x->config.policy == FAIR_MAUI)
		job.account = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit_ineligible(&x->s, 5, &job, until), 0);
}

/*
 * Advance reservations and their jobs, ineligible and refused jobs, an array,
 * an unfinished step.
 */
static inline void crowd_open(struct crowd *x, uint32_t policy, uint32_t order,
			      size_t room)
{
	static const struct fair_eligibility later = { 50, 0, 0, false };
	const struct fair_eligibility behind = { 0, 1, FAIR_AFTER_OK, false };
	struct fair_advance b;
	struct fair_decision start[CROWD + 2];
	uint64_t i;
	size_t n, bound_jobs;

	crowd_config(x, policy, order);
	bound_jobs = !x->config.select; /* they leave no choice */
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_REQUIRE(x->bytes && x->memory);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
	memset(&b, 0, sizeof(b));
	for (b.number = 1; b.number < 3; b.number++) {
		b.from = b.number > 1 ? 80 : bound_jobs ? 3 : 40;
		b.to = b.number > 1 ? 100 : bound_jobs ? 75 : 60;
		b.procs = 3;
		b.kind = FAIR_ADVANCE_USER;
		TEST_EQ(fair_sched_advance_reserve(&x->s, 0, &b, false), 0);
	}
	crowd_submit(x, 1, 0, 4, NULL, 0);
	crowd_submit(x, 2, 0, 3, NULL, 0);
	if (bound_jobs) {
		crowd_submit(x, 8, 0, 2, NULL, 1); /* starts at once */
		crowd_submit(x, 9, 0, 3, NULL, 1); /* at 23 */
	}
	TEST_EQ(fair_sched_step(&x->s, 5, start, CROWD, &n), 0);
	TEST_CHECK(n >= 1);
	if (n > 1 + bound_jobs)
		TEST_OK(fair_sched_refuse(&x->s, 5,
					  start[1 + bound_jobs].number));
	for (i = 3; i < CROWD; i++)
		crowd_submit(x, i, 0, (int32_t)(i % 4 + 1), NULL, 0);
	crowd_submit(x, 20, 3, 1, NULL, 0);
	crowd_submit(x, 30, 0, 1, &later, 0);
	crowd_submit(x, 31, 0, 1, &behind, 0);
	TEST_EQ(fair_sched_step(&x->s, 5, start, room, &n), 0);
	TEST_CHECK(x->s.is_step_complete || room == 1);
	TEST_EQ(fair_sched_check(&x->s), 0);
	x->length = fair_sched_checkpoint_size(&x->s);
	x->checkpoint = (unsigned char *)malloc(x->length);
	TEST_REQUIRE(x->checkpoint);
	TEST_EQ(fair_sched_save(&x->s, x->checkpoint, x->length), 0);
}

#endif /* CROWD_H */
