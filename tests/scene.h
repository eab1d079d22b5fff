/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * scene.h - a scheduler of which each call fails, and changes nothing
 */
#ifndef SCENE_H
#define SCENE_H

#include "fairsched.h"
#include "tests/faults.h"
#include "tests/world.h"

#define POLICIES (FAIR_MAUI + 1)
#define LATER (FAIR_TIME_MAX + 1)

/* The call says so, and changed nothing. */
static inline void fault(struct world *w, const char *call, int got, int error,
			 const char *why)
{
	char text[200];

	snprintf(text, sizeof(text), "%s, policy %u", why,
		 (unsigned)w->config.policy);
	fails(call, got, error, text, unchanged(w));
}

#define FAULT(w, call, error, why) fault(w, #call, call, -FAIR_##error, why)

/* Does each queued job hold a reservation? */
static inline bool holds_promises(const struct world *w)
{
	return w->config.policy >= FAIR_CONSERVATIVE &&
	       w->config.policy <= FAIR_DC;
}

/* User 1 is limited to 3 processors under FAIR_MAUI. */
static inline const struct fair_maui_config *limits(void)
{
	static struct fair_maui_credential user[2];
	static struct fair_maui_config c;
	int kind;

	c = fair_maui_defaults();
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		c.count[kind] = 1;
	user[0] = user[1] = fair_maui_credential_defaults();
	user[1].hard[FAIR_THROTTLE_PROCS] = 3;
	c.count[FAIR_THROTTLE_USER] = 2;
	c.credential[FAIR_THROTTLE_USER] = user;
	return &c;
}

static inline struct fair_config config_of(uint32_t policy)
{
	return (struct fair_config){ .policy = policy,
				     .procs = PROCS,
				     .jobs = JOBS,
				     .accounts = 1,
				     .users = 2,
				     .window = 1000,
				     .maui = limits() };
}

static inline int submit_held(struct world *w, int64_t now, uint64_t number)
{
	static const struct fair_eligibility held = { 0, 0, 0, true };
	struct fair_job j = a_job(number, now, 10, 1);

	return fair_sched_submit_ineligible(&w->s, now, &j, &held);
}

/* It is 5: 1 and 2 run since 0, 3 and 4 wait, 7 is held, 9 may be reserved. */
static inline void open_scene(struct world *w, uint32_t policy,
			      uint32_t advances)
{
	struct fair_advance b = { 9, 200, 230, 6, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	struct fair_config c = config_of(policy);

	c.advances = advances;
	open_world_of(w, &c);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 60, 4);
	TEST_EQ(step(w, 0), 12);
	submit(w, 5, 3, 30, 8);
	submit(w, 5, 4, 40, 8);
	TEST_EQ(submit_held(w, 5, 7), 0);
	if (advances)
		TEST_EQ(fair_sched_advance_reserve(&w->s, 5, &b, false), 0);
	keep(w);
}

/* As many jobs as there is room for. */
static inline void crowd(struct world *w)
{
	uint64_t n;

	for (n = 100; w->s.jobs < JOBS; n++)
		submit(w, w->s.now, n, 10, 10);
	keep(w);
}

/* For one call; it is of user 0, or of user 1 under FAIR_MAUI. */
static inline const struct fair_job *job(uint64_t number, int64_t submit,
					 int64_t walltime, int32_t procs)
{
	static struct fair_job j;

	j = a_job(number, submit, walltime, procs);
	return &j;
}

static inline const struct fair_job *array(uint64_t number, uint32_t tasks)
{
	static struct fair_job j;

	j = a_job(number, 5, 10, 1);
	j.tasks = tasks;
	return &j;
}

static inline const struct fair_job *bound(uint64_t advance, int64_t walltime,
					   int32_t procs)
{
	static struct fair_job j;

	j = a_job(50, 5, walltime, procs);
	j.advance = advance;
	return &j;
}

static inline const struct fair_eligibility *until(uint64_t after, uint32_t end)
{
	static struct fair_eligibility u;

	memset(&u, 0, sizeof(u));
	u.after = after;
	u.end = end;
	return &u;
}

static inline const struct fair_advance *advance(uint64_t number, int64_t from,
						 int64_t to, int32_t procs)
{
	static struct fair_advance b;

	b.number = number;
	b.from = from;
	b.to = to;
	b.procs = procs;
	b.kind = FAIR_ADVANCE_USER;
	return &b;
}

static inline int as_equals(void *context, int64_t now,
			    const struct fair_job *a, const struct fair_job *b)
{
	(void)context;
	(void)now;
	(void)a;
	(void)b;
	return 0;
}

#endif /* SCENE_H */
