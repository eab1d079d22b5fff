/* SPDX-License-Identifier: MIT OR Unlicense */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

double bounded_slowdown(int64_t wait, int64_t run, int64_t threshold)
{
	int64_t least = run > threshold ? run : threshold;

	return wait + run > least ? (double)(wait + run) / (double)least : 1;
}

int64_t summary_clamp(const struct swf *t, int64_t time)
{
	if (!t->measured)
		return time;
	if (time < t->from)
		return t->from;
	return time < t->to ? time : t->to;
}

const char *const summary_causes[SUMMARY_CAUSES] = {
	"none",	    "arrival",	 "earlier",  "capacity",
	"overrun",  "refused",	 "modified", "late_step",
	"deferred", "requeued",	 "advance_reservation",
	"no_slot",  "suspended",
};

/* Of @n jobs, which are sorted; their times are lost. */
static struct lateness lateness_of(int64_t *late, size_t n)
{
	struct lateness l = { n, 0, 0, 0 };
	size_t i;

	if (!n)
		return l;
	qsort(late, n, sizeof(*late), compare);
	for (i = 0; i < n; i++)
		l.mean += (double)late[i];
	l.mean /= (double)n;
	l.p99 = late[(99 * n + 99) / 100 - 1];
	l.max = late[n - 1];
	return l;
}

/* By one cause, or by all: SUMMARY_CAUSES. @late has room for all jobs. */
static struct lateness late_by(const struct swf *t,
			       const struct sim_result *result, size_t cause,
			       int64_t *late)
{
	const struct sim_result *r;
	size_t i, n = 0;

	for (i = 0; i < t->jobs; i++) {
		r = &result[i];
		if (swf_measures(t, t->job[i].submit) &&
		    (cause == SUMMARY_CAUSES || cause == r->cause) &&
		    r->promise < r->began)
			late[n++] = r->began - r->promise;
	}
	return lateness_of(late, n);
}

static void measure_promises(struct summary *s, const struct swf *t,
			     const struct sim_result *result, int64_t *late)
{
	size_t i;

	s->late = late_by(t, result, SUMMARY_CAUSES, late);
	for (i = 0; i < SUMMARY_CAUSES && s->late.jobs; i++)
		s->late_by[i] = late_by(t, result, i, late);
}

/* None, less than a minute, 10 minutes, an hour, 6 hours, a day, or more. */
static const int64_t summary_class[] = { 1, 60, 600, 3600, 21600, 86400 };
const char *const summary_class_name[SUMMARY_CLASSES] = {
	"no wait", "< 1 min", "< 10 min", "< 1 h", "< 6 h", "< 1 d", "longer"
};

size_t summary_class_of(int64_t wait)
{
	size_t i = 0;

	while (i < SUMMARY_CLASSES - 1 && wait >= summary_class[i])
		i++;
	return i;
}

int summary_make(struct summary *s, const struct swf *t,
		 const struct sim_rules *rules, const struct sim_result *result)
{
	int64_t *wait = malloc(t->jobs * sizeof(*wait));
	int64_t first = INT64_MAX, last = INT64_MIN, start, end;
	double waits = 0, slowdowns = 0, used = 0;
	const struct swf_job *j;
	int error = 0, kind;
	size_t i, n = 0;

	if (!wait)
		return -1;
	memset(s, 0, sizeof(*s));
	for (i = 0; i < t->jobs; i++) {
		j = &t->job[i];
		start = result[i].start;
		end = start + j->run;
		used += (double)(summary_clamp(t, end) -
				 summary_clamp(t, start)) *
			j->procs;
		if (!swf_measures(t, j->submit))
			continue;
		wait[n] = start - j->submit;
		waits += (double)wait[n];
		s->waits[summary_class_of(wait[n])]++;
		slowdowns += bounded_slowdown(wait[n++], j->run, t->threshold);
		first = j->submit < first ? j->submit : first;
		last = end > last ? end : last;
		s->promises_kept += result[i].promise != FAIR_FOREVER &&
				    result[i].began <= result[i].promise;
	}
	qsort(wait, n, sizeof(*wait), compare);
	s->jobs = n;
	s->mean_wait = waits / (double)n;
	s->mean_bounded_slowdown = slowdowns / (double)n;
	s->p99_wait = wait[(99 * n + 99) / 100 - 1];
	s->max_wait = wait[n - 1];
	s->makespan = last - first;
	first = t->measured ? t->from : first;
	last = t->measured ? t->to : last;
	if (first < last)
		s->utilization = used / ((double)(last - first) * t->procs);
	measure_promises(s, t, result, wait);
	free(wait);
	for (kind = 0; kind < DUES_KINDS && !error; kind++)
		error = dues_deviation(t, rules, result, (enum dues_kind)kind,
				       DUES_WINDOW, &s->deviation[kind]);
	return error;
}

/* ---- fair shares ---- */

enum { ARRIVES, STARTS, COMPLETES };

struct event {
	int64_t time;
	uint32_t number, kind;
};

static int event_before(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static double seconds(const struct fair_fairness_mean *m)
{
	struct fair_fairness_amount mean;

	if (fair_fairness_mean_value(m, &mean))
		return 0;
	return (double)mean.whole + ldexp((double)mean.fraction, -64);
}

static void add_event(struct event *e, int64_t time, size_t number,
		      uint32_t kind)
{
	e->time = time;
	e->number = (uint32_t)number;
	e->kind = kind;
}

static struct event *events_of(const struct swf *t,
			       const struct sim_result *result)
{
	struct event *event = malloc(3 * t->jobs * sizeof(*event)), *e = event;
	size_t i;

	for (i = 0; event && i < t->jobs; i++, e += 3) {
		add_event(e, t->job[i].submit, i, ARRIVES);
		add_event(e + 1, result[i].start, i, STARTS);
		add_event(e + 2, result[i].start + t->job[i].run, i, COMPLETES);
	}
	if (event)
		qsort(event, 3 * t->jobs, sizeof(*event), event_before);
	return event;
}

/* What each job takes of the machine, and the memory of fairness.h with it. */
struct sizes {
	int32_t *of, widest;
	double unit; /* in processors, or costs */
};

/* Of @plan, if it has weights: costs, rounded to units of 2^-22 of the most. */
static int sizes_open(struct sizes *s, const struct swf *t,
		      const struct plan *plan)
{
	bool costs = plan_is_open(plan) && plan->is_billed;
	int shift = 0;
	size_t i;

	s->of = malloc(t->jobs * sizeof(*s->of));
	if (!s->of)
		return -1;
	for (s->widest = 1, i = 0; i < t->jobs; i++) {
		s->of[i] = costs ? plan_cost(plan, i) : t->job[i].procs;
		s->widest = s->of[i] > s->widest ? s->of[i] : s->widest;
	}
	while (costs && s->widest >> shift > 1 << 22)
		shift++;
	for (i = 0; shift && i < t->jobs; i++)
		s->of[i] = (s->of[i] >> shift) + (s->of[i] >> (shift - 1) & 1);
	for (i = 0; i < t->jobs; i++)
		s->of[i] += !s->of[i];
	s->widest = (s->widest >> shift) + (shift > 0);
	s->unit = ldexp(1, shift) / (costs ? (double)plan->scale : 1);
	return 0;
}

/* By how much each job got less than its fair share, or 0. */
static int fair_shares(struct unfairness *u, struct fair_fairness *f,
		       const struct event *event, const struct swf *t,
		       const struct sizes *s, struct fair_fairness_job *job)
{
	struct fair_fairness_mean unweighted = { { 0, 0 }, 0 },
				  weighted = unweighted;
	struct fair_fairness_share share;
	const struct event *e = event;
	int error = 0;

	for (; !error && e < event + 3 * t->jobs; e++) {
		struct fair_fairness_job *j = &job[e->number];

		if (e->kind == ARRIVES) {
			error = fair_fairness_arrive(
				f, e->time, s->of[e->number], j);
		} else if (e->kind == STARTS) {
			error = fair_fairness_start(f, e->time, j);
		} else {
			error = fair_fairness_complete(f, e->time, j, &share);
			if (!swf_measures(t, t->job[e->number].submit))
				continue;
			fair_fairness_mean_add(
				&unweighted,
				fair_fairness_positive(fair_fairness_unfairness(
					share.unweighted, share.used)));
			fair_fairness_mean_add(
				&weighted,
				fair_fairness_positive(fair_fairness_unfairness(
					share.weighted, share.used)));
		}
	}
	u->unweighted = seconds(&unweighted) * s->unit;
	u->weighted = seconds(&weighted) * s->unit;
	return error;
}

static int fair_shares_make(struct unfairness *u, const struct swf *t,
			    const struct plan *plan,
			    const struct sim_result *result)
{
	struct fair_fairness_job *job = malloc(t->jobs * sizeof(*job));
	struct event *event = events_of(t, result);
	struct fair_fairness f;
	struct sizes s = { 0 };
	void *memory = NULL;
	size_t bytes = 0;
	int error = sizes_open(&s, t, plan);

	if (!error) {
		bytes = fair_fairness_size(s.widest);
		memory = malloc(bytes);
		error = -1;
	}
	if (job && event && memory)
		error = fair_fairness_init(&f, sizeof(f), memory, bytes,
					   s.widest, event[0].time);
	if (!error)
		error = fair_shares(u, &f, event, t, &s, job);
	free(s.of);
	free(job);
	free(event);
	free(memory);
	return error ? -1 : 0;
}

/* ---- fair start times ---- */

double sample_error(double sum, double squares, size_t n, size_t jobs)
{
	double count = (double)n, variance;

	if (n < 2 || n == jobs)
		return 0;
	variance = (squares - sum * sum / count) / (count - 1);
	variance *= 1 - count / (double)jobs;
	return 1.959964 * sqrt(variance > 0 ? variance / count : 0);
}

double late(int64_t start, int64_t fair_start)
{
	return start > fair_start ? (double)(start - fair_start) : 0;
}

int unfairness_make(struct unfairness *u, const struct swf *t,
		    const struct plan *plan, const struct sim_result *result,
		    const struct fair_fst *time)
{
	struct fair_fairness_mean strict = { { 0, 0 }, 0 }, relaxed = strict;
	double sum[2] = { 0, 0 }, squares[2] = { 0, 0 }, x;
	size_t i, n = 0, jobs = 0;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < t->jobs; i++) {
		if (!swf_measures(t, t->job[i].submit))
			continue;
		jobs++;
		if (time[i].strict == FAIR_FOREVER)
			continue;
		n++;
		fair_fairness_mean_add_delay(&strict, result[i].start,
					time[i].strict);
		fair_fairness_mean_add_delay(&relaxed, result[i].start,
					time[i].relaxed);
		x = late(result[i].start, time[i].strict);
		u->strict_late += x > 0;
		sum[0] += x;
		squares[0] += x * x;
		x = late(result[i].start, time[i].relaxed);
		u->relaxed_late += x > 0;
		sum[1] += x;
		squares[1] += x * x;
	}
	u->known = n;
	u->told = n != 0;
	u->strict = seconds(&strict);
	u->relaxed = seconds(&relaxed);
	u->strict_error = sample_error(sum[0], squares[0], n, jobs);
	u->relaxed_error = sample_error(sum[1], squares[1], n, jobs);
	return fair_shares_make(u, t, plan, result);
}
