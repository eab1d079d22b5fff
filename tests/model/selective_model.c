/* SPDX-License-Identifier: MIT OR Unlicense */
#include "selective_model.h"

#include <stdlib.h>
#include <string.h>

#define NEVER SELECTIVE_MODEL_NEVER
#define EACH(m, j)                                                             \
	for ((j) = (m)->job; (j) < (m)->job + SELECTIVE_MODEL_JOBS; (j)++)

typedef struct selective_model model;
typedef struct selective_model_job job;

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool holds(const job *j)
{
	return j->state == SELECTIVE_MODEL_QUEUED && j->start != NEVER &&
	       !j->lost;
}

/* Free at @t for jobs that wait, as if @but were not there. */
static int64_t free_at(const model *m, int64_t t, const job *but)
{
	int64_t procs = m->procs;
	const job *j;
	int i;

	EACH(m, j)
	if (j->state == SELECTIVE_MODEL_RUNNING && t < j->end)
		procs -= j->procs;
	for (i = 0; i < SELECTIVE_MODEL_ADVANCES; i++)
		if (m->advance[i].there && m->advance[i].from <= t &&
		    t < m->advance[i].to)
			procs -= m->advance[i].procs;
	procs = larger(procs, 0);
	EACH(m, j)
	if (j != but && holds(j) && j->start <= t && t < j->start + j->walltime)
		procs -= j->procs;
	return procs;
}

/* The first time behind @t at which that may be another number. */
static int64_t change_after(const model *m, int64_t t)
{
	int64_t next = NEVER, edge[2];
	const job *j;
	int i, k;

	EACH(m, j)
	{
		edge[0] = edge[1] = NEVER;
		if (j->state == SELECTIVE_MODEL_RUNNING) {
			edge[0] = j->end;
		} else if (holds(j)) {
			edge[0] = j->start;
			edge[1] = j->start + j->walltime;
		}
		for (k = 0; k < 2; k++)
			if (edge[k] > t && edge[k] < next)
				next = edge[k];
	}
	for (i = 0; i < SELECTIVE_MODEL_ADVANCES; i++) {
		edge[0] = m->advance[i].from;
		edge[1] = m->advance[i].to;
		for (k = 0; k < 2; k++)
			if (m->advance[i].there && edge[k] > t &&
			    edge[k] < next)
				next = edge[k];
	}
	return next;
}

static bool fits(const model *m, const job *j, int64_t from, int64_t end)
{
	int64_t t;

	for (t = from; t < end; t = change_after(m, t))
		if (free_at(m, t, j) < j->procs)
			return false;
	return true;
}

static int64_t earliest(const model *m, const job *j, int64_t not_before)
{
	int64_t t = larger(not_before, larger(m->now, j->not_before));

	while (t != NEVER && !fits(m, j, t, t + j->walltime))
		t = change_after(m, t);
	return t;
}

static void tell(model *m, job *j, int64_t from,
		 enum selective_model_cause cause, uint64_t culprit)
{
	struct selective_model_told *told = m->told + m->tolds;

	if (j->start == from ||
	    (j->start == NEVER && j->first_promise == NEVER))
		return;
	if (m->tolds++ == SELECTIVE_MODEL_TOLD)
		abort();
	if (j->first_promise == NEVER)
		j->first_promise = j->start;
	else
		j->moves++;
	if (j->start > from)
		j->cause = cause;
	told->number = j->number;
	told->made = m->now;
	told->from = from;
	told->to = j->start;
	told->culprit = cause == SELECTIVE_MODEL_OVERRUN ? culprit : j->number;
	told->cause = j->start < from && cause != SELECTIVE_MODEL_ARRIVAL
			      ? SELECTIVE_MODEL_EARLIER
			      : cause;
}

static bool before(int64_t a, uint64_t m, int64_t b, uint64_t n)
{
	return a < b || (a == b && m < n);
}

/* Reservations in their order, at most SELECTIVE_MODEL_JOBS. */
static int plan(model *m, job **in)
{
	int n = 0, i;
	job *j;

	EACH(m, j)
	{
		if (!holds(j))
			continue;
		for (i = n++; i && before(j->start, j->number, in[i - 1]->start,
					  in[i - 1]->number);
		     i--)
			in[i] = in[i - 1];
		in[i] = j;
	}
	return n;
}

/* The queue in its order. */
static int queue(model *m, job **in)
{
	int n = 0, i;
	job *j;

	EACH(m, j)
	{
		if (j->state != SELECTIVE_MODEL_QUEUED)
			continue;
		for (i = n++; i && before(j->submit, j->number,
					  in[i - 1]->submit, in[i - 1]->number);
		     i--)
			in[i] = in[i - 1];
		in[i] = j;
	}
	return n;
}

/* Processors were lost: keep what fits, place the others. */
static void place_lost(model *m, enum selective_model_cause cause,
		       uint64_t culprit)
{
	job *in[SELECTIVE_MODEL_JOBS];
	int n = plan(m, in), i;
	int64_t was;

	for (i = 0; i < n; i++)
		in[i]->lost = true;
	for (i = 0; i < n; i++)
		if (fits(m, in[i], larger(in[i]->start, m->now),
			 in[i]->start + in[i]->walltime))
			in[i]->lost = false;
	for (i = 0; i < n; i++) {
		if (!in[i]->lost)
			continue;
		was = in[i]->start;
		in[i]->start = earliest(m, in[i], m->now);
		in[i]->lost = false;
		tell(m, in[i], was, cause, culprit);
	}
}

static void compress(model *m)
{
	job *in[SELECTIVE_MODEL_JOBS];
	int n = plan(m, in), i;
	int64_t was;

	for (i = 0; i < n; i++) {
		was = in[i]->start;
		in[i]->start = earliest(m, in[i], m->now);
		if (in[i]->start > was)
			in[i]->start = was;
		tell(m, in[i], was, SELECTIVE_MODEL_EARLIER, 0);
	}
}

/* The expansion factor exceeds the threshold, or the latter is below 1. */
static bool needy(const model *m, const job *j, int64_t t)
{
	return (t - j->submit + j->walltime) * m->denominator >
	       m->numerator * j->walltime;
}

static void run_until(model *m, job *j, int64_t end)
{
	int64_t from = larger(j->end, m->now);

	j->end = end;
	if (from < end)
		place_lost(m, SELECTIVE_MODEL_OVERRUN, j->number);
}

static int64_t doubled(int64_t start, int64_t end, int64_t passed)
{
	while (end < passed)
		end += end - start;
	return end;
}

static void advance_time(model *m, int64_t now, int64_t passed)
{
	job *j, *first;
	int i;

	m->now = now;
	for (i = 0; i < SELECTIVE_MODEL_ADVANCES; i++)
		if (m->advance[i].to <= now)
			m->advance[i].there = false;
	for (;;) {
		first = NULL;
		EACH(m, j)
		if (j->state == SELECTIVE_MODEL_RUNNING && j->end < passed &&
		    (!first ||
		     before(j->end, j->number, first->end, first->number)))
			first = j;
		if (!first)
			return;
		run_until(m, first, doubled(first->start, first->end, passed));
	}
}

static void enqueue(model *m, job *j, int64_t from,
		    enum selective_model_cause cause)
{
	j->state = SELECTIVE_MODEL_QUEUED;
	j->start = NEVER;
	if (needy(m, j, m->now))
		j->start = earliest(m, j, m->now);
	tell(m, j, from, cause, 0);
}

void selective_model_init(model *m, int64_t procs, int64_t origin,
			  int64_t numerator, int64_t denominator)
{
	memset(m, 0, sizeof(*m));
	m->procs = procs;
	m->now = origin;
	m->numerator = numerator;
	m->denominator = denominator;
}

void selective_model_submit(model *m, int64_t now, int n, int64_t submit,
			    int64_t walltime, int64_t procs, bool held)
{
	job *j = m->job + n;

	advance_time(m, now, now + 1);
	memset(j, 0, sizeof(*j));
	j->number = (uint64_t)n;
	j->submit = submit;
	j->walltime = walltime;
	j->procs = procs;
	j->first_promise = j->start = NEVER;
	j->state = SELECTIVE_MODEL_HELD;
	j->fresh = true;
	j->not_before = INT64_MIN;
	if (!held)
		enqueue(m, j, NEVER, SELECTIVE_MODEL_ARRIVAL);
}

void selective_model_finish(model *m, int64_t now, int n)
{
	job *j = m->job + n;

	advance_time(m, now, now);
	j->state = SELECTIVE_MODEL_GONE;
	if (now < j->end)
		compress(m);
}

void selective_model_cancel(model *m, int64_t now, int n)
{
	job *j = m->job + n;
	bool queued = j->state == SELECTIVE_MODEL_QUEUED;

	if (j->state == SELECTIVE_MODEL_RUNNING) {
		selective_model_finish(m, now, n);
		return;
	}
	advance_time(m, now, now + 1);
	j->state = SELECTIVE_MODEL_GONE;
	if (queued)
		compress(m);
}

void selective_model_requeue(model *m, int64_t now, int n)
{
	job *j = m->job + n;
	int64_t from;

	advance_time(m, now, now + 1);
	from = j->start;
	j->state = SELECTIVE_MODEL_GONE;
	compress(m);
	enqueue(m, j, from, SELECTIVE_MODEL_REQUEUED);
}

void selective_model_modify(model *m, int64_t now, int n, int64_t procs,
			    int64_t walltime)
{
	job *j = m->job + n;
	int64_t from, end;

	advance_time(m, now, now + 1);
	j->walltime = walltime;
	if (j->state == SELECTIVE_MODEL_RUNNING) {
		end = doubled(j->start, j->start + walltime, now + 1);
		if (end > j->end) {
			run_until(m, j, end);
		} else if (end < j->end) {
			j->end = end;
			compress(m);
		}
		return;
	}
	j->procs = procs;
	from = j->start;
	if (j->state == SELECTIVE_MODEL_QUEUED)
		enqueue(m, j, from, SELECTIVE_MODEL_MODIFIED);
}

void selective_model_hold(model *m, int64_t now, int n)
{
	job *j = m->job + n;
	int64_t from;

	advance_time(m, now, now + 1);
	if (j->state == SELECTIVE_MODEL_HELD)
		return;
	from = j->start;
	j->state = SELECTIVE_MODEL_HELD;
	j->start = NEVER;
	j->fresh = false;
	tell(m, j, from, SELECTIVE_MODEL_DEFERRED, 0);
	compress(m);
}

void selective_model_unhold(model *m, int64_t now, int n)
{
	job *j = m->job + n;

	advance_time(m, now, now + 1);
	if (j->state == SELECTIVE_MODEL_HELD)
		enqueue(m, j, NEVER,
			j->fresh ? SELECTIVE_MODEL_ARRIVAL
				 : SELECTIVE_MODEL_DEFERRED);
}

void selective_model_capacity(model *m, int64_t now, int64_t delta,
			      const int *victim, int victims)
{
	bool early = delta > 0;
	int i;

	advance_time(m, now, now + 1);
	for (i = 0; i < victims; i++) {
		early |= now < m->job[victim[i]].end;
		m->job[victim[i]].state = SELECTIVE_MODEL_GONE;
	}
	m->procs += delta;
	place_lost(m, SELECTIVE_MODEL_CAPACITY, 0);
	if (early)
		compress(m);
}

void selective_model_advance(model *m, int64_t now, int n, int64_t from,
			     int64_t to, int64_t procs)
{
	struct selective_model_advance *b = m->advance + n;
	bool changed;

	advance_time(m, now, now + 1);
	changed = b->there;
	b->there = true;
	b->from = from;
	b->to = to;
	b->procs = procs;
	place_lost(m, SELECTIVE_MODEL_CAPACITY, 0);
	if (changed)
		compress(m);
}

void selective_model_no_advance(model *m, int64_t now, int n)
{
	advance_time(m, now, now + 1);
	if (!m->advance[n].there)
		return;
	m->advance[n].there = false;
	compress(m);
}

void selective_model_refuse(model *m, int n)
{
	job *j = m->job + n;

	j->not_before = m->now + 1;
	enqueue(m, j, m->now, SELECTIVE_MODEL_REFUSED);
	compress(m);
}

void selective_model_pass(model *m, int64_t now)
{
	advance_time(m, now, now + 1);
}

static void start(model *m, job *j)
{
	j->state = SELECTIVE_MODEL_RUNNING;
	j->start = m->now;
	j->end = m->now + j->walltime;
}

static void promise_needy(model *m)
{
	job *in[SELECTIVE_MODEL_JOBS];
	int n = queue(m, in), i;

	for (i = 0; i < n; i++) {
		if (in[i]->start != NEVER || !needy(m, in[i], m->now))
			continue;
		in[i]->start = earliest(m, in[i], m->now);
		tell(m, in[i], NEVER,
		     in[i]->first_promise == NEVER ? SELECTIVE_MODEL_ARRIVAL
						   : SELECTIVE_MODEL_LATE_STEP,
		     0);
	}
}

/* A reservation begins, or its time has passed; whether the job starts. */
static bool begin(model *m, job *j)
{
	int64_t was = j->start;
	bool room = true;
	job *in[SELECTIVE_MODEL_JOBS];
	int n, i;

	if (was < m->now) {
		n = plan(m, in);
		for (i = 0; i < n; i++)
			in[i]->lost = true;
		room = fits(m, j, m->now, m->now + j->walltime);
		for (i = 0; i < n; i++)
			in[i]->lost = false;
	}
	if (!room) {
		j->start = earliest(m, j, m->now + 1);
		tell(m, j, was, SELECTIVE_MODEL_LATE_STEP, 0);
		return false;
	}
	start(m, j);
	if (was < m->now)
		place_lost(m, SELECTIVE_MODEL_LATE_STEP, 0);
	return true;
}

static job *next_start(model *m)
{
	job *in[SELECTIVE_MODEL_JOBS];
	int n, i;

	promise_needy(m);
	while (plan(m, in) && in[0]->start <= m->now)
		if (begin(m, in[0]))
			return in[0];
	n = queue(m, in);
	for (i = 0; i < n; i++) {
		if (in[i]->start != NEVER || in[i]->not_before > m->now ||
		    !fits(m, in[i], m->now, m->now + in[i]->walltime))
			continue;
		start(m, in[i]);
		return in[i];
	}
	return NULL;
}

int selective_model_step(model *m, int64_t now, int *started)
{
	int n = 0;
	job *j;

	advance_time(m, now, now + 1);
	while ((j = next_start(m)))
		started[n++] = (int)j->number;
	return n;
}

int64_t selective_model_next(const model *m)
{
	int64_t next = NEVER, last, t;
	const job *j;

	EACH(m, j)
	{
		if (j->state == SELECTIVE_MODEL_RUNNING && j->end < next)
			next = j->end;
		if (holds(j) && j->start < next)
			next = j->start;
	}
	EACH(m, j)
	{
		if (j->state != SELECTIVE_MODEL_QUEUED || j->start != NEVER)
			continue;
		last = earliest(m, j, m->now);
		/* Second by second: it is needy, or has room. */
		for (t = m->now; last != NEVER && t < next; t++)
			if (t == last || needy(m, j, t))
				next = t;
	}
	return next;
}
