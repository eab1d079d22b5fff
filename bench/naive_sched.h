/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * naive_sched.h - the baseline of whole traces: conservative, on arrays
 *
 * Every job has a promise, and each early completion compresses all of them.
 * The profile is naive_profile.h; sorted arrays hold the queued and the running
 * jobs. Jobs come in the order of submission.
 */
#ifndef FAIR_NAIVE_SCHED_H
#define FAIR_NAIVE_SCHED_H

#include <stdbool.h>

#include "naive_profile.h"
#include "tools/fairsched/trace/swf.h"

/* Queued: the reserved start. Running: the real end. */
struct naive_job {
	int64_t at;
	size_t order; /* number of a queued job, sequence of a running one */
	size_t number;
};

struct naive_list {
	struct naive_job *job; /* sorted by (at, order) */
	size_t n;
};

struct naive_sched {
	const struct swf_job *job;
	size_t jobs, arrived, finished, started;
	struct naive_profile profile;
	struct naive_list waiting, running;
	int64_t *start; /* of each job */
};

static inline void naive_sift(struct naive_job *first, size_t i)
{
	struct naive_job x = first[i];

	for (; i && (first[i - 1].at > x.at ||
		     (first[i - 1].at == x.at && first[i - 1].order > x.order));
	     i--)
		first[i] = first[i - 1];
	first[i] = x;
}

static inline void naive_list_add(struct naive_list *l, struct naive_job x)
{
	l->job[l->n] = x;
	naive_sift(l->job, l->n++);
}

static inline struct naive_job naive_list_pop(struct naive_list *l)
{
	struct naive_job x = l->job[0];

	memmove(l->job, l->job + 1, --l->n * sizeof(x));
	return x;
}

static inline int64_t naive_place(struct naive_sched *s, int64_t now,
				  const struct swf_job *j)
{
	int64_t at = naive_earliest(&s->profile, now, j->estimate, j->procs);

	naive_add(&s->profile, at, j->estimate, -j->procs, INT32_MAX);
	return at;
}

static inline void naive_compress(struct naive_sched *s, int64_t now)
{
	struct naive_job *w = s->waiting.job;
	const struct swf_job *j;
	size_t i;

	for (i = 0; i < s->waiting.n; i++) {
		j = &s->job[w[i].number];
		naive_add(&s->profile, w[i].at, j->estimate, j->procs,
			  INT32_MAX);
		w[i].at = naive_place(s, now, j);
	}
	for (i = 1; i < s->waiting.n; i++)
		naive_sift(w, i);
}

static inline void naive_finish(struct naive_sched *s, int64_t now)
{
	struct naive_job x = naive_list_pop(&s->running);
	const struct swf_job *j = &s->job[x.number];
	int64_t end = s->start[x.number] + j->estimate;

	s->finished++;
	if (end <= now)
		return;
	naive_add(&s->profile, now, end - now, j->procs, INT32_MAX);
	naive_compress(s, now);
}

static inline void naive_arrive(struct naive_sched *s, int64_t now)
{
	struct naive_job x;

	x.order = x.number = s->arrived++;
	x.at = naive_place(s, now, &s->job[x.number]);
	naive_list_add(&s->waiting, x);
}

static inline void naive_start(struct naive_sched *s, int64_t now)
{
	struct naive_job x = naive_list_pop(&s->waiting);

	s->start[x.number] = now;
	x.at = now + s->job[x.number].run;
	x.order = s->started++;
	naive_list_add(&s->running, x);
}

static inline bool naive_due(const struct naive_list *l, int64_t now)
{
	return l->n && l->job[0].at <= now;
}

static inline int64_t naive_next(const struct naive_sched *s)
{
	int64_t t = INT64_MAX;

	if (s->arrived < s->jobs)
		t = s->job[s->arrived].submit;
	if (s->waiting.n && s->waiting.job[0].at < t)
		t = s->waiting.job[0].at;
	if (s->running.n && s->running.job[0].at < t)
		t = s->running.job[0].at;
	return t;
}

static inline void naive_instant(struct naive_sched *s, int64_t now)
{
	do {
		while (naive_due(&s->running, now))
			naive_finish(s, now);
		while (s->arrived < s->jobs && s->job[s->arrived].submit <= now)
			naive_arrive(s, now);
		while (naive_due(&s->waiting, now))
			naive_start(s, now);
	} while (naive_due(&s->running, now)); /* a run of 0 */
}

/* @start: out: the start of each job. Returns 0, or -1 without memory. */
static inline int naive_sched_run(const struct swf_job *job, size_t jobs,
				  int32_t procs, int64_t *start)
{
	struct naive_sched s;
	int error = 0;

	memset(&s, 0, sizeof(s));
	s.job = job;
	s.jobs = jobs;
	s.start = start;
	s.waiting.job =
		(struct naive_job *)malloc(jobs * sizeof(s.waiting.job[0]));
	s.running.job =
		(struct naive_job *)malloc(jobs * sizeof(s.running.job[0]));
	/* Each job has a start, a planned end and an early end. */
	if (naive_init(&s.profile, 3 * jobs + 1, procs) || !s.waiting.job ||
	    !s.running.job)
		error = -1;
	while (!error && s.finished < jobs)
		naive_instant(&s, naive_next(&s));
	naive_done(&s.profile);
	free(s.waiting.job);
	free(s.running.job);
	return error;
}

#endif /* FAIR_NAIVE_SCHED_H */
