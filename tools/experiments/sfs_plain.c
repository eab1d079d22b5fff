/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sfs_plain.h"

#include <string.h>

enum { COMING, WAITS, RESERVED, RUNS, ENDED };

/* Processors in use or reserved at a time. */
struct plain_use {
	int64_t time, all, of[SFS_PLAIN_USERS];
};

struct plain {
	const struct sfs_plain *rules;
	const struct swf_job *job;
	size_t jobs, order[SFS_PLAIN_JOBS]; /* by priority */
	int32_t procs;
	int state[SFS_PLAIN_JOBS];
	int64_t start[SFS_PLAIN_JOBS]; /* or of the reservation */
	int64_t now;
	size_t placed[SFS_PLAIN_JOBS], places; /* jobs that run or are reserved */
	struct plain_use at_start[SFS_PLAIN_JOBS]; /* of reserved jobs */
	int reserved;
	struct plain_use at_now, at_end[SFS_PLAIN_JOBS]; /* of placed jobs, */
	size_t known; /* the first of them */
};

static int64_t end_of(const struct plain *p, size_t i)
{
	return p->start[i] + p->job[i].estimate;
}

static void add(const struct plain *p, size_t i, struct plain_use *u)
{
	if (p->start[i] > u->time || u->time >= end_of(p, i))
		return;
	u->all += p->job[i].procs;
	u->of[p->job[i].user_id] += p->job[i].procs;
}

static struct plain_use use_at(const struct plain *p, int64_t t)
{
	struct plain_use u = { 0 };
	size_t k;

	u.time = t;
	for (k = 0; k < p->places; k++)
		add(p, p->placed[k], &u);
	return u;
}

/* Of its account, then; without @slices only what runs counts. */
static bool may(const struct plain *p, size_t job, const struct plain_use *u)
{
	int64_t user = p->job[job].user_id;

	return u->of[user] <= p->rules->target[user];
}

/* Usage grows only where a reservation begins. */
static bool fits(const struct plain *p, size_t job, const struct plain_use *u)
{
	int64_t most = p->procs - p->job[job].procs, t = u->time;
	const struct plain_use *r = p->at_start, *end = r + p->reserved;

	if (u->all > most)
		return false;
	for (; r < end; r++)
		if (r->time > t && r->time < t + p->job[job].estimate &&
		    r->all > most)
			return false;
	return true;
}

/* The first time, now or when another job ends. */
static int64_t earliest(struct plain *p, size_t job, bool gate)
{
	int64_t best = FAIR_FOREVER;
	const struct plain_use *u;
	size_t k;

	for (; p->known < p->places; p->known++)
		p->at_end[p->known] =
			use_at(p, end_of(p, p->placed[p->known]));
	for (k = 0; k < p->places; k++) {
		u = p->at_end + k;
		if (u->time > p->now && u->time < best && fits(p, job, u) &&
		    (!gate || may(p, job, u)))
			best = u->time;
	}
	return best;
}

static void place(struct plain *p, size_t job, int state, int64_t start)
{
	size_t k;

	p->state[job] = state;
	p->start[job] = start;
	p->placed[p->places++] = job;
	add(p, job, &p->at_now);
	for (k = 0; k < p->known; k++)
		add(p, job, p->at_end + k);
	for (k = 0; k < (size_t)p->reserved; k++)
		add(p, job, p->at_start + k);
}

static void reserve(struct plain *p, size_t job, bool gate)
{
	int64_t t = earliest(p, job, gate);

	if (t == FAIR_FOREVER)
		return;
	place(p, job, RESERVED, t);
	p->at_start[p->reserved++] = use_at(p, t);
}

static void pass_1(struct plain *p)
{
	const struct sfs_plain *r = p->rules;
	size_t k, job;

	for (k = 0; k < p->jobs; k++) {
		job = p->order[k];
		if (p->state[job] != WAITS)
			continue;
		if (may(p, job, &p->at_now) && fits(p, job, &p->at_now))
			place(p, job, RUNS, p->now);
		else if (!may(p, job, &p->at_now) && !r->slices)
			continue;
		else if (r->reserves && p->reserved < r->depth)
			reserve(p, job, r->slices);
		else if (r->stops && may(p, job, &p->at_now))
			return;
	}
}

static void pass_2(struct plain *p)
{
	size_t k, job;

	for (k = 0; k < p->jobs; k++) {
		job = p->order[k];
		if (p->state[job] != WAITS)
			continue;
		if (fits(p, job, &p->at_now))
			place(p, job, RUNS, p->now);
		else if (p->reserved < p->rules->depth)
			reserve(p, job, false);
		else if (!p->rules->backfills)
			return;
	}
}

/* The smallest key first, then the number: they do not change with time. */
static void sort(struct plain *p)
{
	size_t i, k;

	for (i = 0; i < p->jobs; i++) {
		const struct swf_job *j = &p->job[i], *other;
		int64_t key = j->submit - p->rules->weight * j->procs;

		for (k = i; k; k--) {
			other = &p->job[p->order[k - 1]];
			if (other->submit - p->rules->weight * other->procs <=
			    key)
				break;
			p->order[k] = p->order[k - 1];
		}
		p->order[k] = i;
	}
}

static int64_t next_event(const struct plain *p)
{
	int64_t next = FAIR_FOREVER, t;
	size_t i;

	for (i = 0; i < p->jobs; i++) {
		t = p->state[i] == COMING ? p->job[i].submit
		    : p->state[i] == RUNS ? p->start[i] + p->job[i].run
					  : FAIR_FOREVER;
		next = t < next ? t : next;
	}
	return next;
}

static void happen(struct plain *p)
{
	size_t i;

	p->places = 0;
	p->reserved = 0;
	p->known = 0;
	memset(&p->at_now, 0, sizeof(p->at_now));
	p->at_now.time = p->now;
	for (i = 0; i < p->jobs; i++) {
		if (p->state[i] == RESERVED)
			p->state[i] = WAITS;
		if (p->state[i] == RUNS &&
		    p->start[i] + p->job[i].run == p->now)
			p->state[i] = ENDED;
		if (p->state[i] == COMING && p->job[i].submit == p->now)
			p->state[i] = WAITS;
		if (p->state[i] == RUNS)
			place(p, i, RUNS, p->start[i]);
	}
}

void sfs_plain_run(const struct sfs_plain *rules, int32_t procs,
		   const struct swf_job *job, size_t jobs,
		   struct sim_result *result)
{
	struct plain p;
	size_t i;

	memset(&p, 0, sizeof(p));
	p.rules = rules;
	p.procs = procs;
	p.job = job;
	p.jobs = jobs;
	sort(&p);
	for (p.now = next_event(&p); p.now < FAIR_FOREVER;
	     p.now = next_event(&p)) {
		happen(&p);
		if (rules->gate)
			pass_1(&p);
		pass_2(&p);
	}
	for (i = 0; i < jobs; i++)
		result[i].start = p.start[i];
}
