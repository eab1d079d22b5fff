/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * naive_sched.h - the baseline of whole traces: conservative, on arrays
 *
 * Every job has a promise, and each early completion compresses all of them.
 * The profile is naive_profile.h, or naive_nodes.h; sorted arrays hold the
 * queued and the running jobs. Jobs come in the order of submission.
 */
#ifndef FAIR_NAIVE_SCHED_H
#define FAIR_NAIVE_SCHED_H

#include <stdbool.h>

#include "naive_nodes.h"
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

/* The nodes of a job. */
struct naive_parts {
	struct naive_pick *part;
	uint32_t count;
};

struct naive_sched {
	const struct swf_job *job;
	struct naive_nodes *nodes; /* NULL: a pool of processors */
	const struct naive_request *request; /* of each job, on nodes */
	struct naive_parts *parts;	     /* likewise */
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

/* Takes a job's processors, or gives them back. */
static inline void naive_change(struct naive_sched *s, int64_t now,
				size_t number, int64_t from, int64_t end,
				int sign)
{
	const struct naive_parts *p = s->parts + number;
	uint32_t i;

	if (!s->nodes) {
		naive_add(&s->profile, from, end - from,
			  sign * s->job[number].procs, INT32_MAX);
		return;
	}
	for (i = 0; i < p->count; i++)
		if (naive_nodes_add(s->nodes, p->part[i].node,
				    s->request + number, p->part[i].chunks,
				    sign, from, end, now))
			abort();
}

/* Chooses the nodes of a job. */
static inline void naive_choose(struct naive_sched *s, size_t number,
				int64_t at, uint32_t k)
{
	struct naive_parts *p = s->parts + number;

	p->count = naive_nodes_choose(s->nodes, s->request + number, at, k);
	free(p->part);
	p->part = (struct naive_pick *)malloc(p->count * sizeof(*p->part));
	if (!p->part)
		abort();
	memcpy(p->part, s->nodes->pick, p->count * sizeof(*p->part));
}

/* @was: its start so far, which keeps its nodes; or INT64_MAX. */
static inline int64_t naive_place(struct naive_sched *s, int64_t now,
				  size_t number, int64_t was)
{
	const struct swf_job *j = &s->job[number];
	uint32_t k = 0;
	int64_t at;

	if (s->nodes) {
		at = naive_nodes_earliest(s->nodes, s->request + number, now,
					  &k);
		if (at < was)
			naive_choose(s, number, at, k);
	} else {
		at = naive_earliest(&s->profile, now, j->estimate, j->procs);
	}
	naive_change(s, now, number, at, at + j->estimate, -1);
	return at;
}

static inline void naive_compress(struct naive_sched *s, int64_t now)
{
	struct naive_job *w = s->waiting.job;
	int64_t end;
	size_t i;

	for (i = 0; i < s->waiting.n; i++) {
		end = w[i].at + s->job[w[i].number].estimate;
		naive_change(s, now, w[i].number, w[i].at, end, 1);
		w[i].at = naive_place(s, now, w[i].number, w[i].at);
	}
	for (i = 1; i < s->waiting.n; i++)
		naive_sift(w, i);
}

static inline void naive_finish(struct naive_sched *s, int64_t now)
{
	struct naive_job x = naive_list_pop(&s->running);
	int64_t end = s->start[x.number] + s->job[x.number].estimate;

	s->finished++;
	if (end <= now)
		return;
	naive_change(s, now, x.number, now, end, 1);
	naive_compress(s, now);
}

static inline void naive_arrive(struct naive_sched *s, int64_t now)
{
	struct naive_job x;

	x.order = x.number = s->arrived++;
	x.at = naive_place(s, now, x.number, INT64_MAX);
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

/* @nodes: NULL, or without jobs, and @request of each job. @start: out: the
 * start of each job. Returns 0, or -1 without memory. */
static inline int naive_sched_run(const struct swf_job *job, size_t jobs,
				  int32_t procs, struct naive_nodes *nodes,
				  const struct naive_request *request,
				  int64_t *start)
{
	struct naive_sched s;
	int error = 0;
	size_t i;

	memset(&s, 0, sizeof(s));
	s.job = job;
	s.jobs = jobs;
	s.nodes = nodes;
	s.request = request;
	s.start = start;
	s.parts = (struct naive_parts *)calloc(jobs, sizeof(s.parts[0]));
	s.waiting.job =
		(struct naive_job *)malloc(jobs * sizeof(s.waiting.job[0]));
	s.running.job =
		(struct naive_job *)malloc(jobs * sizeof(s.running.job[0]));
	/* Each job has a start, a planned end and an early end. */
	if (naive_init(&s.profile, 3 * jobs + 1, procs) || !s.waiting.job ||
	    !s.running.job || !s.parts)
		error = -1;
	while (!error && s.finished < jobs)
		naive_instant(&s, naive_next(&s));
	for (i = 0; s.parts && i < jobs; i++)
		free(s.parts[i].part);
	free(s.parts);
	naive_done(&s.profile);
	free(s.waiting.job);
	free(s.running.job);
	return error;
}

#endif /* FAIR_NAIVE_SCHED_H */
