/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * selective_pair.h - docs/examples/selective.h and its model, side by side
 *
 * An input is a machine, one pool or classes of up to three resources, a
 * threshold and events, some of them of limits of users. After each, all jobs,
 * all that was told of promises, the starts and the next time are the model's,
 * and the invariants hold. On the way the scheduler is replaced by a clone of itself,
 * by what it saved, or moved in memory; a promise is what an estimate says; and
 * nothing happens before the time that fair_sched_next() names.
 */
#ifndef SELECTIVE_PAIR_H
#define SELECTIVE_PAIR_H

#include <string.h>

#include "docs/examples/selective.h"
#include "fuzz.h"
#include "fuzz/why_check.h"
#include "tests/model/selective_model.h"

#define SELECTIVE_PAIR_LATEST 20000 /* seconds: walltimes double */

struct selective_pair {
	struct fuzz_in *in;
	struct fair_sched s;
	struct fair_config config;
	struct selective_policy policy;
	struct selective_model m;
	struct fair_machine_config machine;
	int32_t amount[SELECTIVE_MODEL_CLASSES * SELECTIVE_MODEL_RESOURCES];
	void *memory;
	size_t bytes;
	int64_t now, most;
	struct fair_promise told[SELECTIVE_MODEL_TOLD];
	size_t tolds;
	bool silent; /* what a clone says is not told */
};

static void selective_pair_told(void *context, const struct fair_promise *p)
{
	struct selective_pair *x = (struct selective_pair *)context;

	FUZZ_ASSERT(!x->silent && x->tolds < SELECTIVE_MODEL_TOLD);
	x->told[x->tolds++] = *p;
}

static void *selective_pair_alloc(size_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);

	FUZZ_ASSERT(memory);
	return memory;
}

/* Classes, each with 2 to 7 processors and of some other resources a few. */
static void selective_pair_draw_machine(struct selective_pair *x, int shape,
					struct selective_model_machine *machine)
{
	int k, r;

	memset(machine, 0, sizeof(*machine));
	machine->classes = machine->resources = 1;
	machine->has[0][0] = x->most;
	if (shape < 2)
		return;
	machine->classes = 1 + shape % 3;
	machine->resources = 1 + shape / 3 % 3;
	x->most = 0;
	for (r = 0; r < machine->resources; r++) {
		machine->wide[r] = r && shape / 8 >> r & 1;
		for (k = 0; k < (machine->wide[r] ? 1 : machine->classes); k++)
			machine->has[k][r] = r ? fuzz_range(x->in, 0, 9) / 2
					       : fuzz_range(x->in, 2, 7);
	}
	for (k = 0; k < machine->classes; k++)
		x->most += machine->has[k][0];
}

/* The same for the scheduler, which has it in a row. */
static void
selective_pair_configure(struct selective_pair *x,
			 const struct selective_model_machine *machine)
{
	int32_t *amount = x->amount;
	int k, r;

	x->machine.classes = (uint32_t)machine->classes;
	x->machine.resources = (uint32_t)machine->resources;
	x->machine.amount = x->amount;
	for (k = 0; k < machine->classes; k++)
		for (r = 0; r < machine->resources; r++)
			*amount++ = (int32_t)machine->has[k][r];
	for (r = 0; r < machine->resources; r++)
		x->machine.wide |= (uint32_t)machine->wide[r] << r;
	if (machine->classes > 1 || machine->resources > 1)
		x->config.machine = &x->machine;
}

static void selective_pair_open(struct selective_pair *x, struct fuzz_in *in)
{
	struct selective_model_machine machine;
	uint32_t numerator, denominator;
	int what;

	memset(x, 0, sizeof(*x));
	x->in = in;
	denominator = (uint32_t)fuzz_range(in, 1, 4);
	numerator = (uint32_t)fuzz_range(in, 0, 12);
	x->policy = selective_above(numerator, denominator);
	x->most = fuzz_range(in, 1, 12);
	x->now = fuzz_range(in, 0, 20) - 10;
	what = fuzz_u8(in);
	selective_pair_draw_machine(x, what < 128 ? 0 : what / 2 % 64,
				    &machine);
	selective_pair_configure(x, &machine);
	x->config.policy = FAIR_CUSTOM;
	x->config.planner = &x->policy.ops;
	x->config.procs = (int32_t)x->most;
	x->config.origin = x->now;
	x->config.jobs = SELECTIVE_MODEL_JOBS;
	x->config.ineligible = SELECTIVE_MODEL_JOBS;
	x->config.advances = what % 2 ? SELECTIVE_MODEL_ADVANCES : 0;
	x->config.users = SELECTIVE_MODEL_USERS;
	x->config.limits = what % 4 / 2 ? SELECTIVE_MODEL_USERS : 0;
	x->config.promised = selective_pair_told;
	x->config.context = x;
	x->bytes = fair_sched_size(&x->config);
	FUZZ_ASSERT(x->bytes);
	x->memory = selective_pair_alloc(x->bytes);
	FUZZ_ASSERT(!fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				     &x->config));
	selective_model_init(&x->m, &machine, x->now, numerator, denominator);
}

static void selective_pair_compare_job(const struct selective_pair *x, int n)
{
	const struct selective_model_job *j = x->m.job + n;
	struct fair_job_status status;
	int error = fair_sched_lookup(&x->s, (uint64_t)n, &status);

	FUZZ_ASSERT(!error == (j->state != SELECTIVE_MODEL_GONE));
	if (error)
		return;
	switch (j->state) {
	case SELECTIVE_MODEL_RUNNING:
		FUZZ_ASSERT(status.state == FAIR_RUNNING);
		FUZZ_ASSERT(status.end == j->end);
		break;
	case SELECTIVE_MODEL_QUEUED:
		FUZZ_ASSERT(status.state == FAIR_QUEUED);
		break;
	default:
		FUZZ_ASSERT(status.state == FAIR_INELIGIBLE);
		break;
	}
	FUZZ_ASSERT(status.start == j->start);
	FUZZ_ASSERT(status.node_class ==
		    (uint32_t)(j->start == FAIR_FOREVER ? 0 : j->in));
	FUZZ_ASSERT(status.first_promise == j->first_promise);
	FUZZ_ASSERT(status.cause == (uint32_t)j->cause);
	FUZZ_ASSERT(status.moves == (uint32_t)j->moves);
	FUZZ_ASSERT(status.job.walltime == j->asks.walltime);
	FUZZ_ASSERT(status.job.procs == j->asks.amount[0]);
}

static void selective_pair_compare(struct selective_pair *x)
{
	size_t i;
	int n;

	FUZZ_ASSERT(!fair_sched_check(&x->s));
	FUZZ_ASSERT(x->tolds == x->m.tolds);
	for (i = 0; i < x->tolds; i++) {
		FUZZ_ASSERT(x->told[i].number == x->m.told[i].number);
		FUZZ_ASSERT(x->told[i].made == x->m.told[i].made);
		FUZZ_ASSERT(x->told[i].from == x->m.told[i].from);
		FUZZ_ASSERT(x->told[i].to == x->m.told[i].to);
		FUZZ_ASSERT(x->told[i].node_class ==
			    (uint32_t)x->m.told[i].in);
		FUZZ_ASSERT(x->told[i].cause == (uint32_t)x->m.told[i].cause);
		FUZZ_ASSERT(x->told[i].culprit == x->m.told[i].culprit);
	}
	x->tolds = x->m.tolds = 0;
	for (n = 1; n < SELECTIVE_MODEL_JOBS; n++)
		selective_pair_compare_job(x, n);
}

static void selective_pair_clone(struct selective_pair *x,
				 struct fair_sched *clone, void **memory)
{
	*memory = selective_pair_alloc(x->bytes);
	FUZZ_ASSERT(!fair_sched_clone(clone, *memory, x->bytes, &x->s));
	fair_sched_report_to(clone, x->s.config.promised,
			     x->s.promised_context);
	FUZZ_ASSERT(!fair_sched_check(clone));
}

/* Nothing happens before @next. */
static void selective_pair_wait(struct selective_pair *x, int64_t next)
{
	struct fair_decision start;
	struct fair_sched clone;
	void *memory;
	size_t n;

	if (next <= x->now + 1)
		return;
	selective_pair_clone(x, &clone, &memory);
	x->silent = true;
	FUZZ_ASSERT(!fair_sched_step(
		&clone, next == FAIR_FOREVER ? x->now + 1000 : next - 1, &start,
		1, &n));
	FUZZ_ASSERT(!n &&
		    fair_sched_digest(&clone) == fair_sched_digest(&x->s));
	x->silent = false;
	free(memory);
}

static void selective_pair_step(struct selective_pair *x)
{
	struct fair_decision start[SELECTIVE_MODEL_JOBS];
	int models[SELECTIVE_MODEL_JOBS], want, i;
	size_t room = (size_t)fuzz_range(x->in, 1, SELECTIVE_MODEL_JOBS);
	size_t n = 0, more;
	int64_t next;

	want = selective_model_step(&x->m, x->now, models);
	do {
		if (room > SELECTIVE_MODEL_JOBS - n)
			room = SELECTIVE_MODEL_JOBS - n;
		FUZZ_ASSERT(!fair_sched_step(&x->s, x->now, start + n, room,
					     &more));
		n += more;
	} while (more == room);
	FUZZ_ASSERT(n == (size_t)want);
	for (i = 0; i < want; i++) {
		FUZZ_ASSERT(start[i].number == (uint64_t)models[i]);
		FUZZ_ASSERT(start[i].time == x->now);
		FUZZ_ASSERT(start[i].node_class ==
			    (uint32_t)x->m.job[models[i]].in);
	}
	next = fair_sched_next(&x->s);
	FUZZ_ASSERT(next > x->now);
	FUZZ_ASSERT(next == selective_model_next(&x->m));
	selective_pair_wait(x, next);
	if (want && fuzz_range(x->in, 0, 7) == 0) {
		i = (int)fuzz_range(x->in, 0, want - 1);
		FUZZ_ASSERT(
			!fair_sched_refuse(&x->s, x->now, (uint64_t)models[i]));
		selective_model_refuse(&x->m, models[i]);
	}
}

/* A job in one of @states, a sum of 1 << state; 0: there is none. */
static int selective_pair_pick(struct selective_pair *x, unsigned int states)
{
	int i, n = (int)fuzz_range(x->in, 1, SELECTIVE_MODEL_JOBS - 1);

	for (i = 1; i < SELECTIVE_MODEL_JOBS; i++, n++) {
		if (n == SELECTIVE_MODEL_JOBS)
			n = 1;
		if (states >> x->m.job[n].state & 1)
			return n;
	}
	return 0;
}

/* What a job asks for; a pool has nothing to choose from. */
static void selective_pair_draw_job(struct selective_pair *x,
				    struct selective_model_request *asks)
{
	int most = x->m.most.classes, first, r;

	memset(asks, 0, sizeof(*asks));
	asks->submit =
		x->now - fuzz_range(x->in, 0, 7) / 4 * fuzz_range(x->in, 0, 50);
	asks->walltime = fuzz_range(x->in, 1, 40);
	asks->amount[0] =
		fuzz_range(x->in, 1, x->config.machine ? 7 : x->most);
	if (x->config.limits)
		asks->user = (int)fuzz_range(x->in, 0,
					     SELECTIVE_MODEL_USERS - 1);
	if (!x->config.machine)
		return;
	for (r = 1; r < x->m.most.resources; r++)
		asks->amount[r] = fuzz_range(x->in, 0, 7) / 3;
	first = (int)fuzz_range(x->in, 0, most - 1);
	asks->wants = (int)fuzz_range(x->in, 0, most);
	for (r = 0; r < asks->wants; r++)
		asks->wanted[r] = (first + r) % most;
}

static void selective_pair_submit(struct selective_pair *x)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct selective_model_request asks;
	int32_t amount[SELECTIVE_MODEL_RESOURCES] = { 0 };
	uint8_t wanted[SELECTIVE_MODEL_CLASSES] = { 0 };
	struct fair_job job;
	bool hold, can;
	int n = selective_pair_pick(x, 1U << SELECTIVE_MODEL_GONE), i;

	if (!n)
		return;
	selective_pair_draw_job(x, &asks);
	for (i = 1; i < x->m.most.resources; i++)
		amount[i] = (int32_t)asks.amount[i];
	for (i = 0; i < asks.wants; i++)
		wanted[i] = (uint8_t)asks.wanted[i];
	memset(&job, 0, sizeof(job));
	job.number = (uint64_t)n;
	job.submit = asks.submit;
	job.walltime = asks.walltime;
	job.procs = (int32_t)asks.amount[0];
	job.user = (uint64_t)asks.user;
	job.amount = x->config.machine ? amount : NULL;
	job.classes = wanted;
	job.class_count = (uint32_t)asks.wants;
	hold = fuzz_range(x->in, 0, 15) == 0;
	can = selective_model_can_serve(&x->m, &asks);
	FUZZ_ASSERT(fair_sched_submit_ineligible(&x->s, x->now, &job,
						 hold ? &held : NULL) ==
		    (can ? 0 : -FAIR_ERANGE));
	if (can)
		selective_model_submit(&x->m, x->now, n, &asks, hold);
}

static void selective_pair_modify(struct selective_pair *x)
{
	int n = selective_pair_pick(x, ~(1U << SELECTIVE_MODEL_GONE));
	struct selective_model_request asks;
	bool can;

	if (!n)
		return;
	asks = x->m.job[n].asks;
	asks.amount[0] = fuzz_range(x->in, 1, x->config.machine ? 7 : x->most);
	asks.walltime = fuzz_range(x->in, 1, 40);
	if (x->m.job[n].state == SELECTIVE_MODEL_RUNNING)
		asks.amount[0] = x->m.job[n].asks.amount[0];
	/* A limit that was lowered refuses only what asks for more. */
	can = asks.amount[0] <= x->m.job[n].asks.amount[0] ||
	      selective_model_can_serve(&x->m, &asks);
	FUZZ_ASSERT(fair_sched_modify(&x->s, x->now, (uint64_t)n,
				      (int32_t)asks.amount[0],
				      asks.walltime) ==
		    (can ? 0 : -FAIR_ERANGE));
	if (can)
		selective_model_modify(&x->m, x->now, n, asks.amount[0],
				       asks.walltime);
}

static void selective_pair_hold(struct selective_pair *x)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	int n = selective_pair_pick(x, 1U << SELECTIVE_MODEL_QUEUED |
					       1U << SELECTIVE_MODEL_HELD);

	if (!n)
		return;
	if (fuzz_range(x->in, 0, 1)) {
		FUZZ_ASSERT(
			!fair_sched_defer(&x->s, x->now, (uint64_t)n, &held));
		selective_model_hold(&x->m, x->now, n);
	} else {
		FUZZ_ASSERT(
			!fair_sched_defer(&x->s, x->now, (uint64_t)n, NULL));
		selective_model_unhold(&x->m, x->now, n);
	}
}

static void selective_pair_stop(struct selective_pair *x, bool again)
{
	int n = selective_pair_pick(x, 1U << SELECTIVE_MODEL_RUNNING);

	if (!n || (again && x->m.job[n].start == x->now))
		return;
	if (again) {
		FUZZ_ASSERT(!fair_sched_requeue(&x->s, x->now, (uint64_t)n));
		selective_model_requeue(&x->m, x->now, n);
	} else {
		FUZZ_ASSERT(!fair_sched_finish(&x->s, x->now, (uint64_t)n));
		selective_model_finish(&x->m, x->now, n);
	}
}

static void selective_pair_cancel(struct selective_pair *x)
{
	int n = selective_pair_pick(x, ~(1U << SELECTIVE_MODEL_GONE));

	if (!n)
		return;
	FUZZ_ASSERT(!fair_sched_cancel(&x->s, x->now, (uint64_t)n));
	selective_model_cancel(&x->m, x->now, n);
}

static int selective_pair_draw(struct selective_pair *x, int n)
{
	return n > 1 ? (int)fuzz_range(x->in, 0, n - 1) : 0;
}

static void selective_pair_capacity(struct selective_pair *x)
{
	int64_t delta = fuzz_range(x->in, 0, 8) - 4;
	int victim = selective_pair_pick(x, 1U << SELECTIVE_MODEL_RUNNING);
	bool kills = delta < 0 && victim && fuzz_range(x->in, 0, 1);
	int k = selective_pair_draw(x, x->m.most.classes);
	int r = selective_pair_draw(x, x->m.most.resources);
	int in = x->m.most.wide[r] ? 0 : k;
	uint64_t number = (uint64_t)victim;

	if (!delta || !x->m.most.has[in][r] ||
	    selective_model_idle(&x->m, k, r, &victim, kills) + delta < 0 ||
	    x->m.machine.has[in][r] + delta > x->m.most.has[in][r])
		return;
	FUZZ_ASSERT(!(x->config.machine
			      ? fair_sched_class_capacity(
					&x->s, x->now, (uint32_t)k, (uint32_t)r,
					(int32_t)delta, &number, kills)
			      : fair_sched_capacity(&x->s, x->now,
						    (int32_t)delta, &number,
						    kills)));
	selective_model_capacity(&x->m, x->now, k, r, delta, &victim, kills);
}

/* At least one of something that the class has had. */
static bool
selective_pair_draw_advance(struct selective_pair *x,
			    struct selective_model_advance *a)
{
	bool asks = false;
	int r;

	memset(a, 0, sizeof(*a));
	a->there = true;
	a->from = x->now + fuzz_range(x->in, 0, 60) - 10;
	a->to = a->from + fuzz_range(x->in, 1, 60);
	a->in = selective_pair_draw(x, x->m.most.classes);
	for (r = 0; r < x->m.most.resources; r++) {
		a->amount[r] = fuzz_range(
			x->in, !x->config.machine,
			x->m.most.has[x->m.most.wide[r] ? 0 : a->in][r]);
		asks |= a->amount[r] > 0;
	}
	return asks && a->to > x->now;
}

static void selective_pair_advance(struct selective_pair *x)
{
	int n = (int)fuzz_range(x->in, 0, SELECTIVE_MODEL_ADVANCES - 1), r;
	struct selective_model_advance a;
	struct fair_advance b;

	if (!x->config.advances)
		return;
	memset(&b, 0, sizeof(b));
	b.number = (uint64_t)n + 1;
	if (fuzz_range(x->in, 0, 3) == 0) {
		a = x->m.advance[n];
		a.there &= a.to > x->now;
		FUZZ_ASSERT(!fair_sched_advance_cancel(&x->s, x->now,
						       b.number) == a.there);
		if (a.there)
			selective_model_no_advance(&x->m, x->now, n);
		return;
	}
	if (!selective_pair_draw_advance(x, &a))
		return;
	b.from = a.from;
	b.to = a.to;
	b.procs = (int32_t)a.amount[0];
	for (r = 1; r < x->m.most.resources; r++)
		b.amount[r] = (int32_t)a.amount[r];
	b.node_class = (uint32_t)a.in;
	b.kind = FAIR_ADVANCE_MAINTENANCE;
	FUZZ_ASSERT(!fair_sched_advance_reserve(&x->s, x->now, &b, true));
	selective_model_advance(&x->m, x->now, n, &a);
}

/* The limit of a user is set to another, or removed. */
static void selective_pair_limit(struct selective_pair *x)
{
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 0, 0 };

	limit.id = (uint64_t)fuzz_range(x->in, 0, SELECTIVE_MODEL_USERS - 1);
	limit.amount = fuzz_range(x->in, 0, x->most + 1);
	if (limit.amount > x->most)
		limit.amount = FAIR_LIMIT_NONE;
	FUZZ_ASSERT(!fair_sched_limit(&x->s, x->now, &limit));
	selective_model_limit(&x->m, x->now, (int)limit.id, limit.amount);
}

static void selective_pair_reload(struct selective_pair *x)
{
	size_t bytes = fair_sched_checkpoint_size(&x->s);
	void *file = selective_pair_alloc(bytes);
	void *again = selective_pair_alloc(bytes);
	void *memory = selective_pair_alloc(x->bytes);
	int damage;

	FUZZ_ASSERT(!fair_sched_save(&x->s, file, bytes));
	FUZZ_ASSERT(!fair_sched_load(&x->s, sizeof(x->s), memory, x->bytes,
				     &x->config, file, bytes, &damage));
	FUZZ_ASSERT(fair_sched_checkpoint_size(&x->s) == bytes);
	FUZZ_ASSERT(!fair_sched_save(&x->s, again, bytes));
	FUZZ_ASSERT(!memcmp(file, again, bytes));
	free(x->memory);
	x->memory = memory;
	free(file);
	free(again);
}

static void selective_pair_replace(struct selective_pair *x)
{
	struct fair_sched other;
	void *memory;

	switch (fuzz_range(x->in, 0, 2)) {
	case 0:
		selective_pair_clone(x, &other, &memory);
		free(x->memory);
		x->memory = memory;
		x->s = other;
		break;
	case 1:
		selective_pair_reload(x);
		break;
	default:
		other = x->s;
		memset(&x->s, 0xa5, sizeof(x->s));
		x->s = other;
		break;
	}
}

/* What is promised happens; why a job does not start now is as clones say. */
static void selective_pair_ask(struct selective_pair *x)
{
	int n = selective_pair_pick(x, 1U << SELECTIVE_MODEL_QUEUED);
	size_t bytes = fair_sched_fst_size(&x->config);
	int64_t start, promise;
	void *memory;

	if (!n)
		return;
	memory = selective_pair_alloc(bytes);
	x->s.config.promised = NULL;
	FUZZ_ASSERT(!fair_sched_estimate(&x->s, (uint64_t)n, memory, bytes,
					 &start));
	promise = x->m.job[n].start;
	if (promise != FAIR_FOREVER && promise >= x->now && !x->m.owes)
		FUZZ_ASSERT(start == promise);
	if (x->s.is_step_complete)
		why_check(&x->s, (uint64_t)n);
	x->s.config.promised = selective_pair_told;
	free(memory);
}

static void selective_pair_time(struct selective_pair *x)
{
	int64_t next = fair_sched_next(&x->s);

	switch (fuzz_range(x->in, 0, 3)) {
	case 0:
		x->now += fuzz_range(x->in, 0, 20);
		break;
	case 1:
		if (next != FAIR_FOREVER && next > x->now)
			x->now = next;
		break;
	case 2:
		x->now += 1;
		break;
	default:
		break;
	}
}

static void selective_pair_event(struct selective_pair *x)
{
	selective_pair_time(x);
	switch (fuzz_range(x->in, 0, 15)) {
	case 0:
		selective_pair_modify(x);
		break;
	case 1:
		selective_pair_hold(x);
		break;
	case 2:
		selective_pair_cancel(x);
		break;
	case 3:
		selective_pair_capacity(x);
		break;
	case 4:
		selective_pair_advance(x);
		break;
	case 5:
		selective_pair_replace(x);
		break;
	case 6:
		selective_pair_stop(x, true);
		break;
	case 7:
		selective_pair_ask(x);
		break;
	case 8:
		if (x->config.limits && fuzz_range(x->in, 0, 1)) {
			selective_pair_limit(x);
			break;
		}
		fair_sched_scan_limit(&x->s, (uint64_t)fuzz_range(x->in, 0, 3));
		FUZZ_ASSERT(!fair_sched_pass_time(&x->s, x->now));
		selective_model_pass(&x->m, x->now);
		break;
	case 9:
	case 10:
		selective_pair_stop(x, false);
		break;
	case 11:
	case 12:
	case 13:
		selective_pair_submit(x);
		break;
	default:
		selective_pair_step(x);
		break;
	}
}

/* All of an input; the digest of the decisions. */
static uint64_t selective_pair_run(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	struct selective_pair *x =
		(struct selective_pair *)selective_pair_alloc(sizeof(*x));
	uint64_t digest;

	selective_pair_open(x, &in);
	while (fuzz_more(&in) && x->now < SELECTIVE_PAIR_LATEST) {
		selective_pair_event(x);
		selective_pair_compare(x);
	}
	selective_pair_step(x);
	selective_pair_compare(x);
	digest = fair_sched_digest(&x->s);
	free(x->memory);
	free(x);
	return digest;
}

#endif /* SELECTIVE_PAIR_H */
