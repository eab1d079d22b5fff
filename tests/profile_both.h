/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_both.h - a profile and its model side by side
 *
 * Every call is made to both, and every answer compared.
 */
#ifndef FAIR_PROFILE_BOTH_H
#define FAIR_PROFILE_BOTH_H

#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#include "profile.h"
#include "test.h"
#include "tests/model/profile_model.h"

/* A profile and its oracle; every call is made to both. */
struct pair {
	struct fair_profile p;
	struct profile_model m;
	void *memory;
	size_t bytes;
};

static inline void pair_open(struct pair *x, size_t steps, int32_t procs,
			     int64_t origin)
{
	x->bytes = fair_profile_size(steps);
	x->memory = malloc(x->bytes);
	if (!x->memory)
		abort();
	memset(x->memory, 0xa5, x->bytes);
	TEST_OK(fair_profile_init(&x->p, sizeof(x->p), x->memory, x->bytes,
				  procs, origin));
	TEST_CHECK(x->p.cap >= steps);
	profile_model_init(&x->m, x->p.cap, x->p.horizon - origin, procs,
			   origin);
}

static inline void pair_close(struct pair *x)
{
	profile_model_free(&x->m);
	free(x->memory);
}

static inline int reserve(struct pair *x, int64_t start, int64_t walltime,
			  int32_t procs)
{
	int result = fair_profile_reserve(&x->p, start, walltime, procs);

	TEST_EQ(result, profile_model_reserve(&x->m, start, walltime, procs));
	return result;
}

static inline int release(struct pair *x, int64_t start, int64_t walltime,
			  int32_t procs)
{
	int result = fair_profile_release(&x->p, start, walltime, procs);

	TEST_EQ(result, profile_model_release(&x->m, start, walltime, procs));
	return result;
}

static inline int change(struct pair *x, int64_t start, int64_t end,
			 int32_t delta)
{
	int result = fair_profile_change_capacity(&x->p, start, end, delta);

	TEST_EQ(result,
		profile_model_change_capacity(&x->m, start, end, delta));
	TEST_EQ(x->p.limit, x->m.limit);
	return result;
}

static inline int advance(struct pair *x, int64_t origin)
{
	int result = fair_profile_advance(&x->p, origin);

	TEST_EQ(result, profile_model_advance(&x->m, origin));
	return result;
}

/* -1 where there is no answer; what it is then, the model says too. */
static inline int64_t earliest(struct pair *x, int64_t not_before,
			       int64_t walltime, int32_t procs)
{
	int64_t ours = -1, models = -1;

	TEST_EQ(fair_profile_earliest_start(&x->p, not_before, walltime, procs,
					    &ours),
		profile_model_earliest_start(&x->m, not_before, walltime, procs,
					     &models));
	TEST_EQ(ours, models);
	return ours;
}

static inline int64_t earlier(struct pair *x, int64_t not_before,
			      int64_t before, int64_t walltime, int32_t procs,
			      int64_t current)
{
	int64_t ours = -1, models = -1;

	TEST_EQ(fair_profile_earlier_start(&x->p, not_before, before, walltime,
					   procs, current, &ours),
		profile_model_earlier_start(&x->m, not_before, before, walltime,
					    procs, current, &models));
	TEST_EQ(ours, models);
	return ours;
}

static inline int32_t least(struct pair *x, int64_t start, int64_t end)
{
	int32_t ours = -1, models = -1;

	TEST_EQ(fair_profile_min_free(&x->p, start, end, &ours),
		profile_model_min_free(&x->m, start, end, &models));
	TEST_EQ(ours, models);
	return ours;
}

/* Checks the invariants and each step. */
static inline void same(const struct pair *x)
{
	struct fair_step s = { 0, 0, 0 };
	size_t i;

	TEST_EQ(fair_profile_check(&x->p), 0);
	TEST_EQ(fair_profile_steps(&x->p), x->m.n);
	for (i = 0, s.end = x->p.origin; i < x->m.n; i++) {
		int64_t at = s.end;

		TEST_EQ(fair_profile_step_at(&x->p, at, &s), 0);
		TEST_EQ(s.start, x->m.step[i].at);
		TEST_EQ(s.start, at);
		TEST_EQ(s.free, x->m.step[i].free);
	}
	TEST_EQ(s.end, FAIR_FOREVER);
}

/* Jobs that are in a profile. */
struct jobs {
	struct job {
		int64_t start, walltime;
		int32_t procs;
	} job[4000];
	size_t n;
};

struct shape {
	int32_t procs;
	int64_t longest;
	size_t jobs;
};

static inline int64_t some_length(uint64_t *random, int64_t longest)
{
	/* As many short ones as long ones. */
	return 1 + test_range(random, 0, longest) / test_range(random, 1, 99);
}

static inline int32_t some_procs(uint64_t *random, int32_t most)
{
	int32_t part = (int32_t)test_range(random, 1, 30);

	return 1 + (int32_t)test_range(random, 0, most - 1) / part;
}

static inline void ask(struct pair *x, const struct shape *shape,
		       uint64_t *random)
{
	int64_t end = x->m.step[x->m.n - 1].at + 1;
	int64_t t = test_range(random, x->p.origin, end);
	int64_t w = some_length(random, shape->longest);

	earliest(x, t, w, some_procs(random, shape->procs));
	earliest(x, x->p.origin, w, some_procs(random, shape->procs));
	least(x, t, t + w);
}

static inline void try_to_move(struct pair *x, struct jobs *jobs,
			       uint64_t *random)
{
	int32_t most = 0, free_procs = 0;
	int64_t to, end, left;
	struct job *j;

	if (!jobs->n)
		return;
	j = &jobs->job[test_random(random) % jobs->n];
	to = earlier(x, x->p.origin, INT64_MAX, j->walltime, j->procs,
		     j->start);
	if (to == j->start)
		return;
	TEST_OK(fair_profile_move(&x->p, j->start, to, j->walltime, j->procs,
				  &most));
	profile_model_release(&x->m, j->start, j->walltime, j->procs);
	profile_model_reserve(&x->m, to, j->walltime, j->procs);
	/* Behind where both are, more is free than before, by its own. */
	end = j->start + j->walltime;
	left = to + j->walltime > j->start ? to + j->walltime : j->start;
	TEST_EQ(fair_profile_max_free(&x->p, left, end, &free_procs), 0);
	TEST_CHECK(j->procs <= free_procs && free_procs <= most);
	j->start = to;
}

static inline void place(struct pair *x, struct jobs *jobs,
			 const struct shape *shape, uint64_t *random)
{
	struct job *j = &jobs->job[jobs->n];

	j->procs = some_procs(random, shape->procs);
	j->walltime = some_length(random, shape->longest);
	j->start = earliest(x, x->p.origin, j->walltime, j->procs);
	if (j->start >= 0 && !reserve(x, j->start, j->walltime, j->procs))
		jobs->n++;
}

#endif /* FAIR_PROFILE_BOTH_H */
