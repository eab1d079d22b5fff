/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * world.h - a scheduler, what it told, and what it was before
 */
#ifndef WORLD_H
#define WORLD_H

#include "fairsched.h"
#include "tests/test.h"

#define JOBS 13
#define PROCS 10

/* A scheduler, what it promised and what it was before the last call. */
struct world {
	struct fair_config config;
	struct fair_sched s, was;
	char *memory, *kept;
	size_t bytes;
	struct fair_promise told[100];
	uint32_t tells, asked;
};

static inline void promised(void *context, const struct fair_promise *p)
{
	struct world *w = (struct world *)context;

	w->told[w->tells++ % 100] = *p;
}

static inline void open_world_of(struct world *w,
				 const struct fair_config *config)
{
	memset(w, 0, sizeof(*w));
	w->config = *config;
	w->config.procs = PROCS;
	w->config.jobs = JOBS;
	w->config.aside = 3;
	w->config.promised = promised;
	w->config.context = w;
	w->bytes = fair_sched_size(&w->config);
	w->memory = (char *)malloc(w->bytes);
	w->kept = (char *)malloc(w->bytes);
	if (!w->memory || !w->kept)
		abort();
	memset(w->memory, 0, w->bytes);
	TEST_EQ(fair_sched_init(&w->s, sizeof(w->s), w->memory, w->bytes,
				&w->config),
		0);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static inline void open_world(struct world *w, uint32_t policy, uint32_t order,
			      uint32_t depth)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	config.order = order;
	config.depth = depth;
	open_world_of(w, &config);
}

static inline void close_world(struct world *w)
{
	TEST_EQ(fair_sched_check(&w->s), 0);
	free(w->memory);
	free(w->kept);
}

static inline void keep(struct world *w)
{
	w->was = w->s;
	memcpy(w->kept, w->memory, w->bytes);
}

/* Not a byte. */
static inline bool unchanged(struct world *w)
{
	return !memcmp(&w->was, &w->s, sizeof(w->s)) &&
	       !memcmp(w->kept, w->memory, w->bytes);
}

static inline struct fair_job a_job(uint64_t number, int64_t submit,
				    int64_t walltime, int32_t procs)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = submit;
	j.walltime = walltime;
	j.procs = procs;
	return j;
}

static inline void submit(struct world *w, int64_t now, uint64_t number,
			  int64_t walltime, int32_t procs)
{
	struct fair_job j = a_job(number, now, walltime, procs);

	TEST_EQ(fair_sched_submit(&w->s, now, &j), 0);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* Who starts, as digits of their numbers. */
static inline uint64_t step(struct world *w, int64_t now)
{
	struct fair_decision start[JOBS];
	uint64_t all = 0;
	size_t n = 99, i;

	TEST_EQ(fair_sched_step(&w->s, now, start, JOBS, &n), 0);
	for (i = 0; i < n; i++)
		all = all * 10 + start[i].number;
	TEST_EQ(fair_sched_check(&w->s), 0);
	return all;
}

static inline struct fair_job_status look(const struct world *w,
					  uint64_t number)
{
	struct fair_job_status j;

	memset(&j, 0, sizeof(j));
	TEST_EQ(fair_sched_lookup(&w->s, number, &j), 0);
	return j;
}

/* The next promise that was told is this one. */
static inline void told(struct world *w, uint64_t number, int64_t made,
			int64_t from, int64_t to, uint32_t cause,
			uint64_t culprit)
{
	const struct fair_promise *p = &w->told[w->asked++];

	TEST_CHECK(w->asked <= w->tells);
	TEST_EQ(p->number, number);
	TEST_EQ(p->made, made);
	TEST_EQ(p->from, from);
	TEST_EQ(p->to, to);
	TEST_EQ(p->cause, cause);
	TEST_EQ(p->culprit, culprit);
}

#endif /* WORLD_H */
