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

/* What it holds of resource @r in class @k while it runs. */
static int64_t held_of(const model *m, const int64_t *amount, int in, int k,
		       int r)
{
	return in == k || m->machine.wide[r] ? amount[r] : 0;
}

/* What running jobs and advance reservations leave at @t. */
static int64_t left_at(const model *m, int64_t t, int k, int r)
{
	const struct selective_model_advance *a;
	int64_t free = m->machine.has[m->machine.wide[r] ? 0 : k][r];
	const job *j;

	EACH(m, j)
	if (j->state == SELECTIVE_MODEL_RUNNING && t < j->end)
		free -= held_of(m, j->asks.amount, j->in, k, r);
	for (a = m->advance; a < m->advance + SELECTIVE_MODEL_ADVANCES; a++)
		if (a->there && a->from <= t && t < a->to)
			free -= held_of(m, a->amount, a->in, k, r);
	return larger(free, 0);
}

/* Free at @t for jobs that wait, as if @but were not there. */
static int64_t free_at(const model *m, int64_t t, const job *but, int k, int r)
{
	int64_t free = left_at(m, t, k, r);
	const job *j;

	EACH(m, j)
	if (j != but && holds(j) && j->start <= t &&
	    t < j->start + j->asks.walltime)
		free -= held_of(m, j->asks.amount, j->in, k, r);
	return free;
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
			edge[1] = j->start + j->asks.walltime;
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

/* Whether its user's limit has room at @t beside the others of that user. */
static bool may_hold(const model *m, const job *but, int64_t t)
{
	int64_t room = m->limit[but->asks.user] - but->asks.amount[0];
	const job *j;

	EACH(m, j)
	if (j != but && j->asks.user == but->asks.user &&
	    ((j->state == SELECTIVE_MODEL_RUNNING && t < j->end) ||
	     (holds(j) && j->start <= t && t < j->start + j->asks.walltime)))
		room -= j->asks.amount[0];
	return room >= 0;
}

/* Whether class @k has all that it asks for from @from until @end. */
static bool fits(const model *m, const job *j, int64_t from, int64_t end, int k)
{
	int64_t t;
	int r;

	for (t = from; t < end; t = change_after(m, t))
		if (!may_hold(m, j, t))
			return false;
	for (t = from; t < end; t = change_after(m, t))
		for (r = 0; r < m->machine.resources; r++)
			if (j->asks.amount[r] &&
			    free_at(m, t, j, k, r) < j->asks.amount[r])
				return false;
	return true;
}

/* How many classes may serve it, and the @i-th of them. */
static int choices(const model *m, const struct selective_model_request *asks)
{
	return asks->wants ? asks->wants : m->machine.classes;
}

static int choice(const struct selective_model_request *asks, int i)
{
	return asks->wants ? asks->wanted[i] : i;
}

/* Its earliest start; of equal ones in the first class of its order. */
static int64_t earliest(const model *m, const job *j, int64_t not_before,
			int *in)
{
	int64_t first = larger(not_before, larger(m->now, j->not_before));
	int64_t best = NEVER, t;
	int i, k;

	*in = 0;
	for (i = 0; i < choices(m, &j->asks); i++) {
		k = choice(&j->asks, i);
		t = first;
		while (t != NEVER && !fits(m, j, t, t + j->asks.walltime, k))
			t = change_after(m, t);
		if (t >= best)
			continue;
		best = t;
		*in = k;
	}
	return best;
}

static void place(model *m, job *j)
{
	j->start = earliest(m, j, m->now, &j->in);
}

static void tell(model *m, job *j, int64_t from,
		 enum selective_model_cause cause, uint64_t culprit)
{
	struct selective_model_told *told = m->told + m->tolds;
	bool first = j->first_promise == NEVER;

	if (j->start == from || (j->start == NEVER && first))
		return;
	if (m->tolds++ == SELECTIVE_MODEL_TOLD)
		abort();
	if (first) {
		j->first_promise = j->start;
		from = NEVER; /* it may have started without a promise */
		cause = SELECTIVE_MODEL_ARRIVAL; /* C11 */
	} else {
		j->moves++;
	}
	if (j->start > from)
		j->cause = cause;
	told->number = j->number;
	told->made = m->now;
	told->from = from;
	told->to = j->start;
	told->in = j->start == NEVER ? 0 : j->in;
	told->cause = j->start < from && cause != SELECTIVE_MODEL_ARRIVAL
			      ? SELECTIVE_MODEL_EARLIER
			      : cause;
	told->culprit = told->cause == SELECTIVE_MODEL_OVERRUN ? culprit
							       : j->number;
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
		for (i = n++; i && before(j->asks.submit, j->number,
					  in[i - 1]->asks.submit,
					  in[i - 1]->number);
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
			 in[i]->start + in[i]->asks.walltime, in[i]->in))
			in[i]->lost = false;
	for (i = 0; i < n; i++) {
		if (!in[i]->lost)
			continue;
		was = in[i]->start;
		place(m, in[i]);
		in[i]->lost = false;
		tell(m, in[i], was, cause, culprit);
	}
}

static void compress(model *m)
{
	job *in[SELECTIVE_MODEL_JOBS];
	int n = plan(m, in), i, k;
	int64_t was, start;

	m->owes = false;
	for (i = 0; i < n; i++) {
		was = in[i]->start;
		start = earliest(m, in[i], m->now, &k);
		if (start >= was)
			continue;
		in[i]->start = start;
		in[i]->in = k;
		tell(m, in[i], was, SELECTIVE_MODEL_EARLIER, 0);
	}
}

/* The expansion factor exceeds the threshold, or the latter is below 1. */
static bool needy(const model *m, const job *j, int64_t t)
{
	return (t - j->asks.submit + j->asks.walltime) * m->denominator >
	       m->numerator * j->asks.walltime;
}

/* When a job that has run from its start until now is planned to end. */
static int64_t planned_end(const model *m, const job *j)
{
	int64_t end = j->start + j->asks.walltime, more = 1;

	if (end > m->now)
		return end;
	while (end + more <= m->now)
		more *= 2;
	return end + more;
}

/* All that should have ended before @passed are one loss. */
static void advance_time(model *m, int64_t now, int64_t passed)
{
	uint64_t first = 0;
	int64_t end = NEVER;
	job *j;
	int i;

	m->now = now;
	for (i = 0; i < SELECTIVE_MODEL_ADVANCES; i++)
		if (m->advance[i].to <= now)
			m->advance[i].there = false;
	EACH(m, j)
	{
		if (j->state != SELECTIVE_MODEL_RUNNING || j->end >= passed)
			continue;
		if (before(j->end, j->number, end, first)) {
			end = j->end;
			first = j->number;
		}
		j->end = planned_end(m, j);
	}
	if (end == NEVER)
		return;
	place_lost(m, SELECTIVE_MODEL_OVERRUN, first);
	m->owes = true;
}

static void enqueue(model *m, job *j, int64_t from,
		    enum selective_model_cause cause)
{
	j->state = SELECTIVE_MODEL_QUEUED;
	j->start = NEVER;
	if (needy(m, j, m->now))
		place(m, j);
	tell(m, j, from, cause, 0);
}

void selective_model_init(model *m, const struct selective_model_machine *has,
			  int64_t origin, int64_t numerator,
			  int64_t denominator)
{
	int user;

	memset(m, 0, sizeof(*m));
	m->machine = m->most = *has;
	m->now = origin;
	m->numerator = numerator;
	m->denominator = denominator;
	for (user = 0; user < SELECTIVE_MODEL_USERS; user++)
		m->limit[user] = NEVER;
}

bool selective_model_can_serve(const model *m,
			       const struct selective_model_request *asks)
{
	int i, r;

	if (asks->amount[0] > m->limit[asks->user])
		return false;
	for (i = 0; i < choices(m, asks); i++) {
		for (r = 0; r < m->most.resources; r++)
			if (asks->amount[r] >
			    m->most.has[m->most.wide[r] ? 0 : choice(asks, i)]
				       [r])
				break;
		if (r == m->most.resources)
			return true;
	}
	return false;
}

void selective_model_submit(model *m, int64_t now, int n,
			    const struct selective_model_request *asks,
			    bool held)
{
	job *j = m->job + n;

	advance_time(m, now, now + 1);
	memset(j, 0, sizeof(*j));
	j->number = (uint64_t)n;
	j->asks = *asks;
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
	j->asks.walltime = walltime;
	if (j->state == SELECTIVE_MODEL_RUNNING) {
		end = j->end;
		j->end = planned_end(m, j);
		if (j->end > end)
			place_lost(m, SELECTIVE_MODEL_OVERRUN, j->number);
		m->owes |= j->end > end;
		if (j->end < end)
			compress(m);
		return;
	}
	j->asks.amount[0] = procs;
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

int64_t selective_model_idle(const model *m, int k, int r, const int *victim,
			     int victims)
{
	int64_t idle = m->machine.has[m->machine.wide[r] ? 0 : k][r];
	const job *j;
	int i;

	EACH(m, j)
	if (j->state == SELECTIVE_MODEL_RUNNING)
		idle -= held_of(m, j->asks.amount, j->in, k, r);
	for (i = 0; i < victims; i++)
		idle += held_of(m, m->job[victim[i]].asks.amount,
				m->job[victim[i]].in, k, r);
	return idle;
}

void selective_model_capacity(model *m, int64_t now, int k, int r,
			      int64_t delta, const int *victim, int victims)
{
	bool early = delta > 0;
	int i;

	advance_time(m, now, now + 1);
	for (i = 0; i < victims; i++) {
		early |= now < m->job[victim[i]].end;
		m->job[victim[i]].state = SELECTIVE_MODEL_GONE;
	}
	m->machine.has[m->machine.wide[r] ? 0 : k][r] += delta;
	place_lost(m, SELECTIVE_MODEL_CAPACITY, 0);
	m->owes = true;
	if (early)
		compress(m);
}

void selective_model_advance(model *m, int64_t now, int n,
			     const struct selective_model_advance *advance)
{
	struct selective_model_advance *b = m->advance + n;
	const struct selective_model_advance was = *b, gone = { 0 };
	int64_t t, left;
	bool changed;
	int k, r;

	advance_time(m, now, now + 1);
	changed = b->there;
	for (t = now; t < advance->to; t++)
		for (k = 0; k < m->machine.classes; k++)
			for (r = 0; r < SELECTIVE_MODEL_RESOURCES; r++) {
				*b = changed ? was : gone;
				left = left_at(m, t, k, r);
				*b = *advance;
				m->owes |= left_at(m, t, k, r) < left;
			}
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

void selective_model_limit(model *m, int64_t now, int user, int64_t procs)
{
	int64_t was = m->limit[user];

	advance_time(m, now, now + 1);
	m->limit[user] = procs;
	if (procs < was) {
		place_lost(m, SELECTIVE_MODEL_LIMIT, 0);
		m->owes = true;
	}
	if (procs > was)
		compress(m);
}

void selective_model_refuse(model *m, int n)
{
	job *j = m->job + n;

	j->not_before = m->now + 1;
	enqueue(m, j, m->now, SELECTIVE_MODEL_REFUSED);
	m->owes = true;
}

void selective_model_pass(model *m, int64_t now)
{
	advance_time(m, now, now + 1);
}

static void start(model *m, job *j)
{
	j->state = SELECTIVE_MODEL_RUNNING;
	j->start = m->now;
	j->end = m->now + j->asks.walltime;
}

static void promise_needy(model *m)
{
	job *in[SELECTIVE_MODEL_JOBS];
	int n = queue(m, in), i;

	for (i = 0; i < n; i++) {
		if (in[i]->start != NEVER || !needy(m, in[i], m->now))
			continue;
		place(m, in[i]);
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
		room = fits(m, j, m->now, m->now + j->asks.walltime, j->in);
		for (i = 0; i < n; i++)
			in[i]->lost = false;
	}
	if (!room) {
		place(m, j); /* perhaps now, in another class */
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
	int n, i, k;

	promise_needy(m);
	while (plan(m, in) && in[0]->start <= m->now)
		if (begin(m, in[0]))
			return in[0];
	n = queue(m, in);
	for (i = 0; i < n; i++) {
		if (in[i]->start != NEVER ||
		    earliest(m, in[i], m->now, &k) > m->now)
			continue;
		in[i]->in = k;
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
	if (m->owes)
		compress(m);
	while ((j = next_start(m)))
		started[n++] = (int)j->number;
	return n;
}

int64_t selective_model_next(const model *m)
{
	int64_t next = NEVER, last, t;
	const job *j;
	int k;

	if (m->owes)
		return m->now;
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
		last = earliest(m, j, m->now, &k);
		/* Second by second: it is needy, or has room. */
		for (t = m->now; last != NEVER && t < next; t++)
			if (t == last || needy(m, j, t))
				next = t;
	}
	return next;
}
