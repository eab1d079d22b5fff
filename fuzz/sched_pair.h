/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_pair.h - the scheduler and its naive model, side by side
 *
 * Bytes become events; both are told the same; after each event every queued
 * job has the same reservation, every running one the same planned end, and
 * the starts come in the same order. A clone that is taken on the way goes the
 * rest of the way too and ends with the same digest.
 */
#ifndef SCHED_PAIR_H
#define SCHED_PAIR_H

#include <string.h>

#include "fairsched.h"
#include "fuzz/fuzz.h"
#include "tests/model/sched_model.h"

#define PAIR_JOBS 24
#define PAIR_PROCS 16

struct pair {
	struct fuzz_in in;
	struct model *model;
	struct fair_sched sched, copy;
	void *memory, *copy_memory;
	struct fair_config config;
	int64_t now;
	bool cloned, events; /* events: more than submit and finish */
	uint32_t live[PAIR_JOBS], lives, numbers;
	uint64_t delays; /* promises moved later */
};

static inline void pair_promised(void *context, const struct fair_promise *p)
{
	struct pair *x = (struct pair *)context;

	FUZZ_ASSERT(p->to != p->from);
	FUZZ_ASSERT(p->made <= p->to);
	if (p->from == FAIR_FOREVER)
		return;
	FUZZ_ASSERT((p->to > p->from) == (p->cause >= FAIR_CAUSE_CAPACITY));
	x->delays += p->to > p->from;
}

static inline void pair_lives_same(struct pair *x, const struct fair_sched *s)
{
	struct fair_job_status j;
	uint32_t i;

	for (i = 0; i < x->lives; i++) {
		FUZZ_ASSERT(!fair_sched_lookup(s, x->live[i], &j));
		FUZZ_ASSERT(j.end == model_end(x->model, x->live[i]));
		if (j.state == FAIR_QUEUED && j.start != FAIR_FOREVER)
			FUZZ_ASSERT(j.start ==
				    model_promise(x->model, x->live[i]));
	}
}

static inline void pair_same(struct pair *x)
{
	FUZZ_ASSERT(!fair_sched_check(&x->sched));
	FUZZ_ASSERT(!model_check(x->model));
	FUZZ_ASSERT(fair_sched_next(&x->sched) == model_next(x->model));
	pair_lives_same(x, &x->sched);
	if (!x->cloned)
		return;
	FUZZ_ASSERT(!fair_sched_check(&x->copy));
	FUZZ_ASSERT(fair_sched_digest(&x->sched) ==
		    fair_sched_digest(&x->copy));
	pair_lives_same(x, &x->copy);
}

/* Both said the same, and so does the clone: whether it was no error. */
static inline bool pair_agree(const struct pair *x, int ours, int copys,
			      int models)
{
	FUZZ_ASSERT((ours == 0) == (models == 0));
	FUZZ_ASSERT(!x->cloned || copys == ours);
	return ours == 0;
}

#define PAIR_BOTH(x, name, ...)                                          \
	pair_agree((x), fair_sched_##name(&(x)->sched, __VA_ARGS__),     \
		   (x)->cloned ? fair_sched_##name(&(x)->copy, __VA_ARGS__) \
			       : 0,

static inline uint32_t pair_any(struct pair *x)
{
	return (uint32_t)fuzz_range(&x->in, 0, (int64_t)x->lives - 1);
}

static inline void pair_gone(struct pair *x, uint32_t i)
{
	x->live[i] = x->live[--x->lives];
}

static inline void pair_submit(struct pair *x)
{
	struct fair_job job = { 0 };
	struct model_job m = { 0 };

	/* Numbers come out of order, but each once: 7 and 256 share no factor. */
	job.number = x->numbers / 256 * 256 + x->numbers * 7 % 256;
	job.submit = x->now - fuzz_range(&x->in, 0, 3) / 3;
	job.walltime = fuzz_range(&x->in, 1, 20);
	job.procs = (int32_t)fuzz_range(&x->in, 1, x->config.procs + 1);
	m.submit = job.submit;
	m.estimate = job.walltime;
	m.procs = job.procs;
	if (x->lives == PAIR_JOBS) {
		FUZZ_ASSERT(fair_sched_submit(&x->sched, x->now, &job));
		return;
	}
	if (PAIR_BOTH(x, submit, x->now, &job)
		      model_submit(x->model, x->now, (uint32_t)job.number,
				   &m))) {
		x->live[x->lives++] = (uint32_t)job.number;
		x->numbers++;
	}
}

static inline void pair_finish(struct pair *x)
{
	uint32_t i = pair_any(x);

	if (PAIR_BOTH(x, finish, x->now, x->live[i])
		      model_finish(x->model, x->now, x->live[i])))
		pair_gone(x, i);
}

static inline void pair_cancel(struct pair *x)
{
	uint32_t i = pair_any(x);

	if (PAIR_BOTH(x, cancel, x->now, x->live[i])
		      model_cancel(x->model, x->now, x->live[i])))
		pair_gone(x, i);
}

static inline void pair_modify(struct pair *x)
{
	uint32_t i = pair_any(x);
	int32_t procs = (int32_t)fuzz_range(&x->in, 1, x->config.procs);
	int64_t walltime = fuzz_range(&x->in, 1, 40);
	struct fair_job_status j;

	FUZZ_ASSERT(!fair_sched_lookup(&x->sched, x->live[i], &j));
	if (j.state == FAIR_RUNNING)
		procs = j.job.procs;
	(void)(PAIR_BOTH(x, modify, x->now, x->live[i], procs, walltime)
			 model_modify(x->model, x->now, x->live[i], procs,
				      walltime)));
}

static inline void pair_capacity(struct pair *x)
{
	int32_t delta = (int32_t)fuzz_range(&x->in, -6, 6);
	struct fair_job_status j;
	uint64_t victim = 0;
	uint32_t i = 0, name;
	size_t victims = 0;

	if (x->lives) {
		i = pair_any(x);
		victim = x->live[i];
		FUZZ_ASSERT(!fair_sched_lookup(&x->sched, victim, &j));
		victims = j.state == FAIR_RUNNING && delta < 0;
	}
	name = (uint32_t)victim;
	if (fair_sched_next(&x->sched) == FAIR_FOREVER && delta < 0)
		delta = delta / 2;
	if (PAIR_BOTH(x, capacity, x->now, delta, &victim, victims)
		      model_capacity(x->model, x->now, delta, &name,
				     victims)) &&
	    victims)
		pair_gone(x, i);
}

static inline void pair_refuse(struct pair *x)
{
	uint32_t i = pair_any(x);

	(void)(PAIR_BOTH(x, refuse, x->now, x->live[i])
			 model_refuse_start(x->model, x->now, x->live[i])));
}

/* The starts of a step, however few are taken at a time. */
static inline size_t pair_starts(struct fair_sched *s, int64_t now, size_t room,
				 uint64_t *number)
{
	struct fair_decision start[PAIR_JOBS];
	size_t n, i, all = 0;

	do {
		FUZZ_ASSERT(!fair_sched_step(s, now, start, room, &n));
		for (i = 0; i < n; i++)
			number[all++] = start[i].number;
	} while (n == room);
	return all;
}

static inline void pair_step(struct pair *x)
{
	uint64_t ours[PAIR_JOBS], copys[PAIR_JOBS];
	const struct model_decision *d;
	size_t n, i, k = 0, starts;

	starts = pair_starts(&x->sched, x->now,
			     (size_t)fuzz_range(&x->in, 1, 4), ours);
	FUZZ_ASSERT(!model_step(x->model, x->now, &d, &n));
	for (i = 0; i < n; i++) {
		if (d[i].kind != MODEL_START)
			continue;
		FUZZ_ASSERT(k < starts && ours[k] == d[i].number);
		k++;
	}
	FUZZ_ASSERT(k == starts);
	if (!x->cloned)
		return;
	FUZZ_ASSERT(pair_starts(&x->copy, x->now, PAIR_JOBS, copys) == starts);
	FUZZ_ASSERT(!memcmp(ours, copys, starts * sizeof(*ours)));
}

static inline void pair_clone(struct pair *x)
{
	if (x->cloned)
		return;
	FUZZ_ASSERT(!fair_sched_clone(&x->copy, x->copy_memory,
				      fair_sched_size(&x->config), &x->sched));
	x->cloned = true;
}

/* Time goes on, at most to when step() must be called, unless the caller is
 * late. */
static inline void pair_wait(struct pair *x, int64_t seconds, bool late)
{
	int64_t next;

	pair_step(x);
	next = fair_sched_next(&x->sched);
	if (late)
		x->now += seconds;
	else if (seconds > 0 && next > x->now)
		x->now = next - x->now < seconds ? next : x->now + seconds;
}

static inline void pair_event(struct pair *x)
{
	uint8_t what = fuzz_u8(&x->in) % 16;

	if (what < 5)
		pair_submit(x);
	else if (what < 9)
		pair_wait(x, fuzz_range(&x->in, 0, 15),
			  what == 8 && x->events);
	else if (what == 9)
		pair_clone(x);
	else if (what == 15 && x->events)
		pair_capacity(x);
	else if (!x->lives)
		return;
	else if (what < 12 || !x->events)
		pair_finish(x);
	else if (what == 12)
		pair_cancel(x);
	else if (what == 13)
		pair_modify(x);
	else if (what == 14)
		pair_refuse(x);
}

/* Give back what was lost; then whatever is queued starts and ends. */
static inline void pair_drain(struct pair *x)
{
	struct fair_job_status j;
	uint32_t i, rounds;

	(void)(PAIR_BOTH(x, capacity, x->now, 2 * PAIR_PROCS, NULL, 0)
			 model_capacity(x->model, x->now, 2 * PAIR_PROCS, NULL,
					0)));
	for (rounds = 0; x->lives && rounds < 100 * PAIR_JOBS; rounds++) {
		pair_wait(x, INT64_MAX, false);
		for (i = x->lives; i-- > 0;) {
			FUZZ_ASSERT(!fair_sched_lookup(&x->sched, x->live[i],
						       &j));
			if (j.state != FAIR_RUNNING || j.end > x->now)
				continue;
			FUZZ_ASSERT(PAIR_BOTH(x, finish, x->now, x->live[i])
					model_finish(x->model, x->now,
						     x->live[i])));
			pair_gone(x, i);
		}
		pair_same(x);
	}
	FUZZ_ASSERT(!x->lives);
}

/* One run over @data; its digest. */
static inline uint64_t pair_run(const uint8_t *data, size_t size,
				uint32_t first_policy, bool events)
{
	static const enum model_policy policy[] = {
		MODEL_FCFS, MODEL_EASY, MODEL_CONSERVATIVE, MODEL_PC, MODEL_DC
	};
	struct model_rules rules = { 0 };
	struct pair x;
	uint64_t digest;

	memset(&x, 0, sizeof(x));
	x.in.p = data;
	x.in.n = size;
	x.events = events;
	x.config.policy = (uint32_t)fuzz_range(&x.in, first_policy, FAIR_DC);
	x.config.order = (uint32_t)fuzz_range(&x.in, 0, FAIR_ORDER_LXF);
	x.config.depth = (uint32_t)fuzz_range(&x.in, 1, 4);
	x.config.procs = (int32_t)fuzz_range(&x.in, 1, PAIR_PROCS);
	x.config.jobs = PAIR_JOBS;
	x.config.promised = pair_promised;
	x.config.context = &x;
	if (x.config.policy == FAIR_CONSERVATIVE)
		x.config.order = FAIR_ORDER_FCFS;
	if (x.config.policy > FAIR_CONSERVATIVE)
		x.config.order %= FAIR_ORDER_LXF;
	rules.policy = policy[x.config.policy];
	rules.order = (enum model_order)x.config.order;
	rules.depth = x.config.depth;
	rules.procs = x.config.procs;
	x.model = model_new(&rules, 0);
	x.memory = malloc(fair_sched_size(&x.config));
	x.copy_memory = malloc(fair_sched_size(&x.config));
	FUZZ_ASSERT(x.model && x.memory && x.copy_memory);
	FUZZ_ASSERT(!fair_sched_init(&x.sched, sizeof(x.sched), x.memory,
				     fair_sched_size(&x.config), &x.config));
	while (fuzz_more(&x.in)) {
		pair_event(&x);
		pair_same(&x);
	}
	pair_drain(&x);
	digest = fair_sched_digest(&x.sched);
	model_free(x.model);
	free(x.memory);
	free(x.copy_memory);
	return digest;
}

#endif /* SCHED_PAIR_H */
