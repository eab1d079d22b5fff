/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * advance.h - a small machine with two advance reservations, number 7 for the
 * jobs that are bound to it
 */
#ifndef ADVANCE_H
#define ADVANCE_H

#include "fairsched.h"
#include "fuzz/inside.h"
#include "tests/test.h"

#define ADVANCE_JOBS 8
#define ADVANCE_POLICIES                                                       \
	(sizeof(advance_policies) / sizeof(advance_policies[0]))

static const uint32_t advance_policies[] = { FAIR_FCFS,		FAIR_BACKFILL,
					     FAIR_CONSERVATIVE, FAIR_PC,
					     FAIR_DC,		FAIR_SFS,
					     FAIR_RELSHARE };

struct advance {
	struct fair_sched s;
	void *memory;
	size_t bytes;
};

static inline struct fair_config advance_config(uint32_t policy)
{
	struct fair_config c = { .policy = policy,
				 .procs = 10,
				 .jobs = ADVANCE_JOBS,
				 .advances = 2 };

	c.accounts = c.users = 1;
	c.window = 1000;
	return c;
}

static inline void open_advance_of(struct advance *x,
				   const struct fair_config *c)
{
	x->bytes = fair_sched_size(c);
	x->memory = malloc(x->bytes);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes, c));
}

static inline void open_advance(struct advance *x, uint32_t policy)
{
	struct fair_config c = advance_config(policy);

	open_advance_of(x, &c);
}

static inline void close_advance(struct advance *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

static inline int submit_to(struct advance *x, int64_t now, uint64_t number,
			    int32_t procs, int64_t walltime, uint64_t advance)
{
	struct fair_job j = { .number = number,
			      .submit = now,
			      .procs = procs,
			      .walltime = walltime,
			      .advance = advance };

	return fair_sched_submit(&x->s, now, &j);
}

static inline int add(struct advance *x, int64_t now, uint64_t number,
		      int32_t procs, int64_t walltime)
{
	return submit_to(x, now, number, procs, walltime, 0);
}

/* A job that is bound to advance reservation 7. */
static inline int invite(struct advance *x, int64_t now, uint64_t number,
			 int32_t procs, int64_t walltime)
{
	return submit_to(x, now, number, procs, walltime, 7);
}

static inline int64_t promise(const struct advance *x, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(&x->s, number, &j), 0);
	TEST_EQ(j.state, FAIR_INELIGIBLE);
	return j.start;
}

static inline uint32_t cause(const struct advance *x, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(&x->s, number, &j), 0);
	return j.cause;
}

static inline size_t starts(struct advance *x, int64_t now)
{
	struct fair_decision d[ADVANCE_JOBS];
	size_t n = 0;

	TEST_EQ(fair_sched_step(&x->s, now, d, ADVANCE_JOBS, &n), 0);
	return n;
}

static inline int book(struct advance *x, int64_t now, uint64_t number,
		       int64_t from, int64_t to, int32_t procs, bool force)
{
	struct fair_advance b = { .number = number,
				  .from = from,
				  .to = to,
				  .procs = procs,
				  .kind = number == 7
						  ? FAIR_ADVANCE_USER
						  : FAIR_ADVANCE_MAINTENANCE };

	return fair_sched_advance_reserve(&x->s, now, &b, force);
}

#endif /* ADVANCE_H */
