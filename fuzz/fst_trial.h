/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fst_trial.h - fair start times against their definition
 *
 * Bytes become a policy and a small trace, which is played. At the arrival of
 * each job its fair start times are queried and compared with a new play of the
 * trace up to that job: as it is (strict), or with the job held back until all
 * others have started (relaxed). A simulated run that two jobs share gives the
 * same times, also if it is played in pieces. If all walltimes are exact and no
 * run time is 0, no job starts after its fair start time under conservative.
 */
#ifndef FST_TRIAL_H
#define FST_TRIAL_H

#include <string.h>

#include "fairsched.h"
#include "fuzz/fuzz.h"

#define TRIAL_JOBS 14

struct trial {
	struct fair_config config;
	struct fair_maui_config maui;
	struct fair_maui_credential user[2];
	struct fair_fairtree tree;
	unsigned char tree_memory[2048];
	int64_t target[2];
	uint32_t jobs;
	struct fair_job job[TRIAL_JOBS]; /* in order of arrival */
	int64_t run[TRIAL_JOBS];
	struct fair_fst fst[TRIAL_JOBS];
	bool exact; /* walltimes; and no run is 0 */
};

/* A play of the first jobs. */
struct trial_play {
	const struct trial *trial;
	struct fair_sched sched;
	char *memory, *run_memory;
	uint32_t jobs, arrived, started, finished;
	bool last_waits; /* the last job arrives after all other starts */
	int64_t start[TRIAL_JOBS];
	uint32_t running[TRIAL_JOBS]; /* in start order */
	uint32_t runs;
};

static inline int64_t trial_run_time(void *context, uint64_t number)
{
	const struct trial *t = (const struct trial *)context;

	return t->run[number];
}

static inline int64_t trial_end(const struct trial_play *p, uint32_t i)
{
	return p->start[i] + p->trial->run[i];
}

static inline void trial_finish(struct trial_play *p, int64_t now)
{
	uint32_t i, k;

	for (i = 0; i < p->runs;) {
		k = p->running[i];
		if (trial_end(p, k) != now) {
			i++;
			continue;
		}
		FUZZ_ASSERT(!fair_sched_finish(&p->sched, now, k));
		p->finished++;
		p->runs--;
		memmove(p->running + i, p->running + i + 1,
			(p->runs - i) * sizeof(*p->running));
	}
}

static inline bool trial_may_arrive(const struct trial_play *p)
{
	if (p->arrived == p->jobs)
		return false;
	return !p->last_waits || p->arrived + 1 < p->jobs ||
	       p->started == p->arrived;
}

static inline int64_t trial_before(int64_t start, int64_t until)
{
	return start < until ? start : FAIR_FOREVER;
}

/* A run that stops at @until finds no later start, but goes on to find it. */
static inline void trial_stop_at(struct trial_play *p, const struct trial *t,
				 int64_t until)
{
	size_t bytes = fair_sched_fst_size(&t->config);
	const struct fair_job *job = &t->job[p->arrived];
	const struct fair_fst *fst = &t->fst[p->arrived];
	struct fair_simulated_run f;
	int64_t start;

	FUZZ_ASSERT(!fair_simulated_run_init(
		&f, sizeof(f), p->run_memory, bytes, &p->sched, job->submit,
		trial_run_time, (void *)(uintptr_t)t));
	f.until = until;
	if (p->arrived && p->start[p->arrived - 1] == FAIR_FOREVER) {
		FUZZ_ASSERT(
			!fair_simulated_run_start(&f, job->number - 1, &start));
		FUZZ_ASSERT(start == trial_before(fst[-1].strict, until));
		f.until = FAIR_FOREVER;
		FUZZ_ASSERT(
			!fair_simulated_run_start(&f, job->number - 1, &start));
		FUZZ_ASSERT(start == fst[-1].strict);
		f.until = start + until - job->submit;
		until = f.until;
	}
	FUZZ_ASSERT(!fair_simulated_run_join(&f, job, &start));
	FUZZ_ASSERT(start == trial_before(fst->relaxed, until));
}

/* Queries the fair start times; compares with a run shared by two jobs. */
static inline void trial_query_fst(struct trial_play *p, struct trial *t)
{
	size_t bytes = fair_sched_fst_size(&t->config);
	const struct fair_job *job = &t->job[p->arrived];
	int64_t now = job->submit, start;
	struct fair_simulated_run f;

	FUZZ_ASSERT(!fair_sched_fst(&p->sched, now, job, p->run_memory, bytes,
				    trial_run_time, t, &t->fst[p->arrived]));
	FUZZ_ASSERT(!fair_simulated_run_init(&f, sizeof(f), p->run_memory,
					     bytes, &p->sched, now,
					     trial_run_time, t));
	if (p->arrived && p->start[p->arrived - 1] == FAIR_FOREVER) {
		FUZZ_ASSERT(
			!fair_simulated_run_start(&f, job->number - 1, &start));
		FUZZ_ASSERT(start == t->fst[p->arrived - 1].strict);
	}
	FUZZ_ASSERT(!fair_simulated_run_join(&f, job, &start));
	FUZZ_ASSERT(start == t->fst[p->arrived].relaxed);
	trial_stop_at(p, t, start > now ? start : now + 1);
	trial_stop_at(p, t, start + 1);
}

static inline void trial_arrive(struct trial_play *p, int64_t now,
				struct trial *queried)
{
	struct fair_job job;

	while (trial_may_arrive(p) && p->trial->job[p->arrived].submit <= now) {
		if (queried)
			trial_query_fst(p, queried);
		job = p->trial->job[p->arrived++];
		job.submit = now;
		FUZZ_ASSERT(!fair_sched_submit(&p->sched, now, &job));
	}
}

static inline void trial_step(struct trial_play *p, int64_t now)
{
	struct fair_decision d[TRIAL_JOBS];
	size_t n, i;

	FUZZ_ASSERT(!fair_sched_step(&p->sched, now, d, TRIAL_JOBS, &n));
	for (i = 0; i < n; i++) {
		p->start[d[i].number] = now;
		p->running[p->runs++] = (uint32_t)d[i].number;
		p->started++;
	}
}

static inline int64_t trial_next(const struct trial_play *p, int64_t now)
{
	int64_t next = fair_sched_next(&p->sched), end;
	uint32_t i;

	for (i = 0; i < p->runs; i++) {
		end = trial_end(p, p->running[i]);
		next = end < next ? end : next;
	}
	if (trial_may_arrive(p) && p->trial->job[p->arrived].submit < next)
		next = p->trial->job[p->arrived].submit;
	return next < now ? now : next;
}

/* Plays the first @jobs; returns the start of the last. */
static inline int64_t trial_play(const struct trial *t, uint32_t jobs,
				 bool last_waits, struct trial *queried)
{
	size_t bytes = fair_sched_size(&t->config);
	struct trial_play p;
	int64_t now = t->job[0].submit, start;
	uint32_t i;

	memset(&p, 0, sizeof(p));
	p.trial = t;
	p.jobs = jobs;
	p.last_waits = last_waits;
	p.memory = (char *)malloc(bytes);
	FUZZ_ASSERT(p.memory);
	for (i = 0; i < jobs; i++)
		p.start[i] = FAIR_FOREVER;
	FUZZ_ASSERT(!fair_sched_init(&p.sched, sizeof(p.sched), p.memory, bytes,
				     &t->config));
	p.run_memory = (char *)malloc(fair_sched_fst_size(&t->config));
	FUZZ_ASSERT(p.run_memory);
	while (p.finished < jobs) {
		trial_finish(&p, now);
		trial_arrive(&p, now, queried);
		trial_step(&p, now);
		/* The job that was held back arrives after the last start. */
		if (last_waits && trial_may_arrive(&p)) {
			trial_arrive(&p, now, queried);
			trial_step(&p, now);
		}
		FUZZ_ASSERT(!fair_sched_check(&p.sched));
		now = trial_next(&p, now);
	}
	start = p.start[jobs - 1];
	for (i = 0; queried && i < jobs; i++)
		if (t->exact && t->config.policy == FAIR_CONSERVATIVE)
			FUZZ_ASSERT(p.start[i] <= t->fst[i].strict);
	free(p.memory);
	free(p.run_memory);
	return start;
}

/* Users 0 and 1 below the root, or in accounts 3 and 2 of which one may be below
 * the other. */
static inline void trial_tree(struct trial *t, uint8_t what)
{
	static const uint32_t above[] = { 3, 2, 3, FAIR_FAIRTREE_ROOT };
	struct fair_config *c = &t->config;
	struct fair_fairtree *f = &t->tree;
	uint32_t i, parent, shares;

	c->half_life++;
	c->users = 4;
	FUZZ_ASSERT(!fair_fairtree_init(f, sizeof(*f), t->tree_memory,
					sizeof(t->tree_memory), c->users,
					c->half_life));
	for (i = 4; i-- > 0; what /= 4) {
		parent = what % 2 ? above[i] : FAIR_FAIRTREE_ROOT;
		shares = 1 + what / 2 % 2;
		FUZZ_ASSERT(!(i < 2 ? fair_fairtree_add_user(f, i, parent,
							     shares)
				    : fair_fairtree_add_account(f, i, parent,
								shares)));
	}
	c->order = FAIR_ORDER_TREE;
	c->tree = f;
	t->maui.count[FAIR_THROTTLE_USER] = 2;
	t->maui.credential[FAIR_THROTTLE_USER] = t->user;
	t->user[0] = t->user[1] = fair_maui_credential_defaults();
	t->maui.priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 1;
	t->maui.priority.weight[FAIR_PRIORITY_FS_USER] = 1;
}

static inline void trial_rules(struct trial *t, struct fuzz_in *in)
{
	struct fair_config *c = &t->config;

	c->policy = (uint32_t)fuzz_range(in, FAIR_FCFS, FAIR_MAUI);
	c->order = (uint32_t)fuzz_range(in, 0, FAIR_ORDER_USAGE);
	if (c->policy == FAIR_CONSERVATIVE || c->policy >= FAIR_RELSHARE ||
	    ((c->order == FAIR_ORDER_LXF || c->order == FAIR_ORDER_USAGE) &&
	     (c->policy == FAIR_PC || c->policy == FAIR_DC)))
		c->order = FAIR_ORDER_FCFS;
	if (c->policy == FAIR_BACKFILL || c->policy == FAIR_SFS)
		c->depth = (uint32_t)fuzz_range(in, 1, 3);
	if (c->policy == FAIR_BACKFILL && c->order != FAIR_ORDER_USAGE)
		c->select = (uint32_t)fuzz_range(in, 0, FAIR_NOFIT);
	t->maui = fair_maui_defaults();
	t->maui.poll = fuzz_range(in, -20, 10);
	t->maui.poll = t->maui.poll < 0 ? 0 : t->maui.poll;
	t->maui.depth = (uint32_t)fuzz_range(in, 0, 3);
	c->maui = &t->maui;
	if (c->policy == FAIR_SFS && c->order == FAIR_ORDER_WIDEST &&
	    t->maui.poll) { /* the priority of two weights */
		c->order = FAIR_ORDER_PRIORITY;
		t->maui.priority.component_weight[FAIR_PRIORITY_RESOURCE] = 1;
		t->maui.priority.weight[FAIR_PRIORITY_PROCS] = 1;
		t->maui.priority.component_weight[FAIR_PRIORITY_BYPASS] = 1;
	}
	c->weight = fuzz_range(in, 0, 20);
	c->half_life = fuzz_range(in, 0, 30);
	c->procs = (int32_t)fuzz_range(in, 1, 8);
	c->jobs = TRIAL_JOBS;
	c->accounts = c->users = 2;
	t->target[0] = fuzz_range(in, 0, 8);
	t->target[1] = fuzz_range(in, 0, 8);
	c->target = t->target;
	c->window = fuzz_range(in, 1, 40);
	t->exact = fuzz_range(in, 0, 3) == 0;
	if ((c->order == FAIR_ORDER_USAGE || c->policy == FAIR_MAUI) &&
	    c->procs > 4)
		trial_tree(t, fuzz_u8(in));
}

static inline void trial_jobs(struct trial *t, struct fuzz_in *in)
{
	int64_t now = fuzz_range(in, -5, 5), over;
	struct fair_job *j;

	if (t->config.tree && now < 0)
		now = -now; /* its time begins at 0 */
	t->config.origin = now;
	for (; t->jobs < TRIAL_JOBS && (fuzz_more(in) || !t->jobs); t->jobs++) {
		j = &t->job[t->jobs];
		over = fuzz_range(in, -20, 9);
		now += over < 0 ? 0 : over;
		j->number = t->jobs;
		j->submit = now;
		j->procs = (int32_t)fuzz_range(in, 1, t->config.procs);
		j->user = j->account = (uint32_t)fuzz_range(in, 0, 1);
		if (t->config.policy == FAIR_MAUI)
			j->account = j->group = j->queue = j->qos =
				FAIR_THROTTLE_NONE;
		if (t->config.order == FAIR_ORDER_PRIORITY)
			j->group = j->queue = j->qos = FAIR_THROTTLE_NONE;
		if ((t->config.policy == FAIR_MAUI && !t->config.tree) ||
		    t->config.order == FAIR_ORDER_PRIORITY)
			j->user = FAIR_THROTTLE_NONE;
		t->run[t->jobs] = fuzz_range(in, t->exact, 12);
		over = t->exact ? 0 : fuzz_range(in, 0, 20);
		j->walltime = t->run[t->jobs] + over;
		j->walltime += !j->walltime;
	}
}

static inline uint64_t trial_run(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	struct trial t;
	uint64_t hash = 0;
	uint32_t i;

	memset(&t, 0, sizeof(t));
	trial_rules(&t, &in);
	trial_jobs(&t, &in);
	(void)trial_play(&t, t.jobs, false, &t);
	for (i = 0; i < t.jobs; i++) {
		FUZZ_ASSERT(t.fst[i].strict ==
			    trial_play(&t, i + 1, false, NULL));
		FUZZ_ASSERT(t.fst[i].relaxed ==
			    trial_play(&t, i + 1, true, NULL));
		hash = hash * 31 + (uint64_t)t.fst[i].strict;
		hash = hash * 31 + (uint64_t)t.fst[i].relaxed;
	}
	return hash;
}

#endif /* FST_TRIAL_H */
