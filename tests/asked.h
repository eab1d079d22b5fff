/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * asked.h - schedulers that are asked why a job waits
 */
#ifndef ASKED_H
#define ASKED_H

#include "fairsched.h"
#include "fuzz/why_check.h"
#include "tests/test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

#define EVENTS SOME(400, 160)

struct asked {
	struct fair_config config;
	struct fair_sched s;
	void *memory;
	int64_t now;
	uint64_t random, next;
	uint32_t asked;
};

static inline int64_t draw(struct asked *w, int64_t low, int64_t high)
{
	w->random = w->random * UINT64_C(6364136223846793005) + 1442695;
	return low + (int64_t)((w->random >> 33) % (uint64_t)(high - low + 1));
}

/* policy, order, depth and select are set. */
static inline void begin(struct asked *w)
{
	static const int64_t target[3] = { 2, 4, 9 };
	size_t bytes;

	w->config.procs = (int32_t)draw(w, 4, 12);
	w->config.jobs = 32;
	w->config.ineligible = 8;
	w->config.accounts = 3;
	w->config.target = target;
	w->config.users = 4;
	w->config.window = 50;
	w->config.weight = 3;
	w->config.half_life = 40;
	w->now = 0;
	bytes = fair_sched_size(&w->config);
	w->memory = malloc(bytes);
	TEST_OK(fair_sched_init(&w->s, sizeof(w->s), w->memory, bytes,
				&w->config));
}

static inline void submit(struct asked *w, int32_t procs, int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = w->next++;
	j.submit = w->now;
	j.procs = procs;
	j.walltime = walltime;
	j.account = (uint32_t)draw(w, 0, w->config.accounts - 1);
	j.user = (uint32_t)draw(w, 0, w->config.users - 1);
	(void)fair_sched_submit(&w->s, w->now, &j);
}

/* Any live job: its number, or UINT64_MAX. */
static inline uint64_t any(struct asked *w, uint32_t state)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint64_t number = UINT64_MAX;
	int64_t n = 0;

	while (fair_sched_each(&w->s, state, &at, &j))
		if (!draw(w, 0, n++))
			number = j.job.number;
	return number;
}

static inline void ineligible(struct asked *w)
{
	struct fair_eligibility until = { 0 };

	until.begin = w->now + draw(w, 0, 20);
	until.held = !draw(w, 0, 3);
	until.after = any(w, draw(w, 0, 1) ? FAIR_RUNNING : FAIR_QUEUED);
	until.end = (uint32_t)draw(w, 0, 2);
	(void)fair_sched_defer(&w->s, w->now,
			       any(w, draw(w, 0, 2) ? FAIR_QUEUED : FAIR_INELIGIBLE),
			       draw(w, 0, 2) ? &until : NULL);
}

static inline void event(struct asked *w)
{
	int64_t what = draw(w, 0, 22);

	if (what < 9)
		submit(w, (int32_t)draw(w, 1, w->config.procs), draw(w, 1, 20));
	else if (what < 14)
		(void)fair_sched_finish(&w->s, w->now, any(w, FAIR_RUNNING));
	else if (what == 14)
		(void)fair_sched_cancel(&w->s, w->now, any(w, FAIR_QUEUED));
	else if (what == 15)
		(void)fair_sched_modify(&w->s, w->now, any(w, FAIR_QUEUED),
					(int32_t)draw(w, 1, 4), draw(w, 1, 20));
	else if (what == 16)
		(void)fair_sched_capacity(&w->s, w->now,
					  (int32_t)draw(w, -3, 2), NULL, 0);
	else if (what > 19)
		ineligible(w);
	else if (what == 17)
		(void)fair_sched_refuse(&w->s, w->now, any(w, FAIR_RUNNING));
	else
		w->now += draw(w, 0, 6);
}

/* 10 processors for a scheduler of @config, or for one that is easy. */
static inline void open_asked(struct asked *w, const struct fair_config *config)
{
	static const int64_t target[2] = { 5, 5 };
	size_t bytes;

	memset(w, 0, sizeof(*w));
	if (config)
		w->config = *config;
	else
		w->config.policy = FAIR_BACKFILL;
	if (!w->config.procs)
		w->config.procs = 10;
	w->config.jobs = 16;
	w->config.ineligible = 2;
	if (!w->config.accounts)
		w->config.accounts = 1;
	if (!w->config.users)
		w->config.users = 1;
	w->config.target = target;
	w->config.window = 1000;
	bytes = fair_sched_size(&w->config);
	w->memory = malloc(bytes);
	TEST_OK(fair_sched_init(&w->s, sizeof(w->s), w->memory, bytes,
				&w->config));
	w->now = w->config.origin;
}

/* Of which job 0 holds 6 until 100; 1 needs 8, 2 needs 4. */
static inline void crowded_by(struct asked *w, const struct fair_config *config)
{
	open_asked(w, config);
	w->now = 20;
	submit(w, 6, 80);
	submit(w, 8, 50);
	submit(w, 4, 200);
}

static inline void crowded(struct asked *w, uint32_t policy)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	crowded_by(w, &config);
}

/* Of @user, with a time of submission. */
static inline void submit_of(struct asked *w, uint32_t user, int64_t at,
			     int32_t procs, int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = w->next++;
	j.submit = at;
	j.user = j.account = user;
	j.procs = procs;
	j.walltime = walltime;
	TEST_EQ(fair_sched_submit(&w->s, w->now, &j), 0);
}

static inline void step(struct asked *w, int64_t now)
{
	w->now = now;
	(void)why_step(&w->s, now, UINT64_MAX);
}

static inline struct fair_why quick(const struct asked *w, uint64_t number)
{
	struct fair_why why;

	memset(&why, 0, sizeof(why));
	TEST_EQ(fair_sched_why(&w->s, number, NULL, 0, &why), 0);
	return why;
}

#endif /* ASKED_H */
