/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sfs_plain.h"

#include <string.h>

enum { COMING, WAITS, RESERVED, RUNS, ENDED };

struct plain {
	const struct sfs_plain *rules;
	const struct swf_job *job;
	size_t jobs, order[SFS_PLAIN_JOBS]; /* by priority */
	int32_t procs;
	int state[SFS_PLAIN_JOBS];
	int64_t start[SFS_PLAIN_JOBS]; /* or of the reservation */
	int64_t now;
	size_t placed[SFS_PLAIN_JOBS], places; /* jobs that run or are reserved */
	int reserved;
};

static bool is_placed(const struct plain *p, size_t i, int64_t t)
{
	return p->start[i] <= t && t < p->start[i] + p->job[i].estimate;
}

static int64_t used(const struct plain *p, int64_t t)
{
	int64_t sum = 0;
	size_t k;

	for (k = 0; k < p->places; k++)
		if (is_placed(p, p->placed[k], t))
			sum += p->job[p->placed[k]].procs;
	return sum;
}

/* Of its account, then; without @slices only what runs counts. */
static bool may(const struct plain *p, size_t job, int64_t t)
{
	int64_t user = p->job[job].user_id, sum = 0;
	size_t k, i;

	for (k = 0; k < p->places; k++) {
		i = p->placed[k];
		if (p->job[i].user_id == user && is_placed(p, i, t))
			sum += p->job[i].procs;
	}
	return sum <= p->rules->target[user];
}

/* Usage grows only where a reservation begins. */
static bool fits(const struct plain *p, size_t job, int64_t t)
{
	int64_t most = p->procs - p->job[job].procs;
	size_t k, i;

	if (used(p, t) > most)
		return false;
	for (k = 0; k < p->places; k++) {
		i = p->placed[k];
		if (p->state[i] == RESERVED && p->start[i] > t &&
		    p->start[i] < t + p->job[job].estimate &&
		    used(p, p->start[i]) > most)
			return false;
	}
	return true;
}

/* The first time, now or when another job ends. */
static int64_t earliest(const struct plain *p, size_t job, bool gate)
{
	int64_t best = FAIR_FOREVER, t;
	size_t k;

	for (k = 0; k < p->places; k++) {
		t = p->start[p->placed[k]] + p->job[p->placed[k]].estimate;
		if (t > p->now && t < best && fits(p, job, t) &&
		    (!gate || may(p, job, t)))
			best = t;
	}
	return best;
}

static void place(struct plain *p, size_t job, int state, int64_t start)
{
	p->state[job] = state;
	p->start[job] = start;
	p->placed[p->places++] = job;
}

static void reserve(struct plain *p, size_t job, bool gate)
{
	int64_t t = earliest(p, job, gate);

	if (t == FAIR_FOREVER)
		return;
	place(p, job, RESERVED, t);
	p->reserved++;
}

static void pass_1(struct plain *p)
{
	const struct sfs_plain *r = p->rules;
	size_t k, job;

	for (k = 0; k < p->jobs; k++) {
		job = p->order[k];
		if (p->state[job] != WAITS)
			continue;
		if (may(p, job, p->now) && fits(p, job, p->now))
			place(p, job, RUNS, p->now);
		else if (!may(p, job, p->now) && !r->slices)
			continue;
		else if (r->reserves && p->reserved < r->depth)
			reserve(p, job, r->slices);
		else if (r->stops && may(p, job, p->now))
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
		if (fits(p, job, p->now))
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
	for (i = 0; i < p->jobs; i++) {
		if (p->state[i] == RESERVED)
			p->state[i] = WAITS;
		if (p->state[i] == RUNS &&
		    p->start[i] + p->job[i].run == p->now)
			p->state[i] = ENDED;
		if (p->state[i] == COMING && p->job[i].submit == p->now)
			p->state[i] = WAITS;
		if (p->state[i] == RUNS)
			p->placed[p->places++] = i;
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
