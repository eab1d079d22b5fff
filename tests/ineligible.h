/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * ineligible.h - jobs that are not eligible, and a machine that is busy
 */
#ifndef INELIGIBLE_H
#define INELIGIBLE_H

#include "fairsched.h"
#include "tests/world.h"

/* Jobs 1 and 2 run until 50 and 60, jobs 3 (wide) and 4 wait. */
static inline void busy(struct world *w, uint32_t policy)
{
	open_world(w, policy, FAIR_ORDER_FCFS, 1);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 60, 4);
	submit(w, 0, 3, 30, 8);
	submit(w, 0, 4, 40, 8);
	TEST_EQ(step(w, 0), 12);
	w->asked = w->tells;
}

/* Jobs 1 and 2 run, job 3 waits; each may have up to @dependencies. */
static inline void busy_with(struct world *w, uint32_t policy,
			     uint32_t dependencies)
{
	struct fair_config c;

	open_world(w, policy, FAIR_ORDER_FCFS, 1);
	c = w->config;
	close_world(w);
	c.dependencies = dependencies;
	c.context = w;
	open_world_of(w, &c);
	submit(w, 0, 1, 50, 3);
	submit(w, 0, 2, 60, 3);
	submit(w, 0, 3, 30, 8);
	TEST_EQ(step(w, 0), 12);
}

static inline struct fair_eligibility until(int64_t begin, uint64_t after,
				      uint32_t end, bool held)
{
	struct fair_eligibility u;

	u.begin = begin;
	u.after = after;
	u.end = end;
	u.held = held;
	return u;
}

static inline int submit_if(struct world *w, int64_t now, uint64_t number,
			    struct fair_eligibility u)
{
	struct fair_job j = a_job(number, now, 10, 1);

	return fair_sched_submit_ineligible(&w->s, now, &j, &u);
}

static inline bool is_ineligible(const struct world *w, uint64_t number)
{
	struct fair_job_status j = look(w, number);

	return j.state == FAIR_INELIGIBLE && j.start == FAIR_FOREVER &&
	       j.end == FAIR_FOREVER;
}

#endif /* INELIGIBLE_H */
