/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * site.h - a scheduler of any number of processors, with room for advance
 * reservations and, under maui, a user that may run one job at a time
 */
#ifndef SITE_H
#define SITE_H

#include "fairsched.h"
#include "tests/test.h"

#define SITE_JOBS 40

struct site {
	struct fair_config config;
	struct fair_maui_config maui;
	struct fair_maui_credential user[2];
	struct fair_sched s;
	char *memory, *other;
	size_t bytes, more;
};

/* Does each queued job hold a reservation? */
static inline bool has_promises(uint32_t policy)
{
	return policy >= FAIR_CONSERVATIVE && policy <= FAIR_DC;
}

/* Users: 0 comes first under FAIR_MAUI, 1 has one job at a time. */
static inline void open_site(struct site *x, uint32_t policy, int32_t procs)
{
	struct fair_config *c = &x->config;
	int kind;

	memset(x, 0, sizeof(*x));
	x->maui = fair_maui_defaults();
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		x->maui.count[kind] = 1;
	x->user[0] = x->user[1] = fair_maui_credential_defaults();
	x->user[0].priority = 100;
	x->user[1].hard[FAIR_THROTTLE_JOBS] = 1;
	x->maui.count[FAIR_THROTTLE_USER] = 2;
	x->maui.credential[FAIR_THROTTLE_USER] = x->user;
	x->maui.priority.weight[FAIR_PRIORITY_USER] = 1;
	c->policy = policy;
	c->procs = procs;
	c->jobs = SITE_JOBS;
	c->advances = 2;
	c->accounts = 1;
	c->users = 2;
	c->window = 1000;
	c->maui = &x->maui;
	x->bytes = fair_sched_size(c);
	x->more = 2 * fair_sched_fst_size(c);
	x->memory = malloc(x->bytes);
	x->other = malloc(x->more);
	if (!x->memory || !x->other)
		abort();
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes, c));
}

static inline void close_site(struct site *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
	free(x->other);
}

static inline struct fair_job job_of(uint64_t number, int32_t procs,
				     int64_t walltime)
{
	return (struct fair_job){ .number = number,
				  .submit = -1000,
				  .procs = procs,
				  .walltime = walltime };
}

static inline void enqueue(struct fair_sched *s, uint64_t number, int32_t procs,
			   int64_t walltime)
{
	struct fair_job j = job_of(number, procs, walltime);

	TEST_EQ(fair_sched_submit(s, s->now, &j), 0);
}

static inline void enqueue_of(struct fair_sched *s, uint64_t number,
			      uint32_t user, uint64_t advance, int32_t procs)
{
	struct fair_job j = job_of(number, procs, 10);

	j.user = user;
	j.advance = advance;
	TEST_EQ(fair_sched_submit(s, s->now, &j), 0);
}

/* The jobs that start, as digits. */
static inline uint64_t started(struct fair_sched *s, int64_t now)
{
	struct fair_decision start[SITE_JOBS];
	uint64_t all = 0;
	size_t n, i;

	TEST_EQ(fair_sched_step(s, now, start, SITE_JOBS, &n), 0);
	for (i = 0; i < n; i++)
		all = 10 * all + start[i].number;
	TEST_EQ(fair_sched_check(s), 0);
	return all;
}

static inline int reserve(struct fair_sched *s, int64_t now, uint64_t number,
			  int64_t from, int64_t to, int32_t procs)
{
	struct fair_advance b = { number, from, to, procs, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };

	return fair_sched_advance_reserve(s, now, &b, false);
}

static inline int64_t ten(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

/* When @number starts if nothing happens and all run for ten seconds. */
static inline int64_t in_future(struct site *x, uint64_t number)
{
	struct fair_simulated_run f;
	int64_t start = 0;

	TEST_OK(fair_simulated_run_init(&f, sizeof(f), x->other, x->more, &x->s,
					x->s.now, ten, NULL));
	TEST_EQ(fair_simulated_run_start(&f, number, &start), 0);
	return start;
}

/* A table of @jobs. */
static inline void open_table(struct site *x, uint32_t policy, uint32_t jobs)
{
	open_site(x, policy, 10);
	x->config.jobs = jobs;
	x->config.ineligible = 2;
	x->maui.interval = 10;
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
}

static inline void submit_tasks(struct fair_sched *s, uint64_t number,
				uint32_t tasks)
{
	struct fair_job j = job_of(number, 10, 10);

	j.tasks = tasks;
	TEST_EQ(fair_sched_submit(s, s->now, &j), 0);
}

/* The next @tasks start and are held: they keep their slots in the table. */
static inline void hold(struct fair_sched *s, int64_t tasks)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	uint64_t task;
	int64_t now;

	for (now = 1; now <= tasks; now++) {
		task = started(s, now - 1);
		TEST_EQ(fair_sched_requeue(s, now, task), 0);
		TEST_EQ(fair_sched_defer(s, now, task, &held), 0);
	}
}

/* What a function that is called next finds where its own variables will be. */
static inline void write_on_the_stack(void)
{
	volatile unsigned char stack[16384];
	size_t i;

	for (i = 0; i < sizeof(stack); i++)
		stack[i] = 0xa5;
}

#endif /* SITE_H */
