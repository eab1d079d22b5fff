/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * why_check.h - checks fair_sched_why() and the estimates on clones
 *
 * It tries every smaller size, so that the answer must be the smallest change;
 * time passes by next(), finish() and step() only. The checked scheduler does
 * not change.
 */
#ifndef WHY_CHECK_H
#define WHY_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "fairsched.h"
#include "fuzz/inside.h"
#include "fuzz/fuzz.h"

struct why_clone {
	struct fair_sched s;
	void *memory;
};

static inline void why_clone_open(struct why_clone *c,
				  const struct fair_sched *s)
{
	size_t bytes = fair_sched_size(&s->config);

	c->memory = malloc(bytes);
	FUZZ_ASSERT(c->memory);
	FUZZ_ASSERT(!fair_sched_clone(&c->s, c->memory, bytes, s));
	c->s.config.promised = NULL;
	c->s.config.fits = NULL;
}

/* Completes a step; returns whether it started @number. */
static inline bool why_step(struct fair_sched *s, int64_t now, uint64_t number)
{
	struct fair_decision d;
	bool started = false;
	size_t n;

	for (;;) {
		FUZZ_ASSERT(!fair_sched_step(s, now, &d, 1, &n));
		if (!n)
			return started;
		started |= d.number == number;
	}
}

/* Whether the job with another size, in its old place, starts now. */
static inline bool why_starts(const struct fair_sched *s, uint64_t number,
			      int32_t procs, int64_t walltime)
{
	struct why_clone c;
	bool starts;

	why_clone_open(&c, s);
	if (c.s.config.order == FAIR_ORDER_FCFS &&
	    c.s.config.policy != FAIR_MAUI)
		FUZZ_ASSERT(!fair_sched_modify(&c.s, c.s.now, number, procs,
					       walltime));
	else
		fair_sched_resize_in_place(&c.s, fair_sched_find(&c.s, number),
					   procs, walltime);
	starts = why_step(&c.s, c.s.now, number);
	FUZZ_ASSERT(!fair_sched_check(&c.s));
	free(c.memory);
	return starts;
}

/* When time alone makes an ineligible job eligible. */
static inline int64_t why_eligible_at(const struct fair_sched *s)
{
	int64_t begin = FAIR_FOREVER;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		const struct fair_eligibility *u = &s->ineligible[i].condition;
		const struct fair_live *j = s->live + s->ineligible[i].slot;
		int64_t next = u->begin;

		if (u->held || u->end || s->ineligible[i].is_suspended ||
		    fair_sched_count_dependencies(s, s->ineligible[i].slot) ||
		    !fair_sched_has_slot(s, j))
			next = FAIR_FOREVER;
		if (s->ineligible[i].is_planned)
			next = j->queued.rank.key;
		begin = next < begin ? next : begin;
	}
	return begin;
}

/* Whether no job runs or arrives and all queued jobs are too wide. */
static inline bool why_is_stuck(const struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;

	while (fair_sched_each(s, FAIR_QUEUED, &at, &j))
		if (j.job.procs <= s->procs)
			return false;
	return !s->busy && why_eligible_at(s) == FAIR_FOREVER;
}

/* Vetoes that plans keep end by then. */
#define WHY_LAST_VETO 300

/* After so long without an event usage and priorities change no more. */
static inline int64_t why_settling_time(const struct fair_sched *s)
{
	const struct fair_maui *maui = maui_of(s);

	if (!maui)
		return FAIR_FOREVER;
	return 2 * (maui->config->windows + 1) * maui->config->interval +
	       (fair_sched_plans_vetoes(s) ? WHY_LAST_VETO : 0);
}

/* Finds the job that ends first by @t; of equals the one that started first. */
static inline bool why_next_end(const struct fair_sched *s, int64_t t,
				uint64_t *number)
{
	const struct fair_live *first = NULL, *j;
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status status;

	while (fair_sched_each(s, FAIR_RUNNING, &at, &status) &&
	       status.end <= t) {
		j = fair_sched_find(s, status.job.number);
		if (!first ||
		    (status.end == first->queued.rank.key &&
		     j->starts_before - first->starts_before > UINT32_MAX / 2))
			first = j;
	}
	if (first)
		*number = first->queued.rank.number;
	return first != NULL;
}

/* When the job starts if no event comes and all jobs end as planned. */
static inline int64_t why_play_until_start(const struct fair_sched *s,
					   uint64_t number)
{
	struct why_clone c;
	int64_t t = FAIR_FOREVER, busy = s->now;
	uint64_t ended;

	why_clone_open(&c, s);
	for (;;) {
		t = why_is_stuck(&c.s) ? FAIR_FOREVER : fair_sched_next(&c.s);
		if (t < FAIR_FOREVER && why_eligible_at(&c.s) <= t)
			busy = t;
		if (t == FAIR_FOREVER ||
		    (!c.s.busy && !c.s.advances &&
		     c.s.next_retry == FAIR_FOREVER &&
		     fair_ledgers_next_veto(&c.s) == FAIR_FOREVER &&
		     why_eligible_at(&c.s) == FAIR_FOREVER &&
		     t - busy > why_settling_time(s))) {
			t = FAIR_FOREVER;
			break;
		}
		while (why_next_end(&c.s, t, &ended)) {
			FUZZ_ASSERT(!fair_sched_finish(&c.s, t, ended));
			busy = t;
		}
		if (why_step(&c.s, t, number))
			break;
	}
	free(c.memory);
	return t;
}

/* The answer is the largest smaller size with which the job starts now. */
static inline void why_check_sizes(const struct fair_sched *s,
				   const struct fair_why *w)
{
	const struct fair_job *j = &w->job;
	bool smallest = s->config.policy != FAIR_DC &&
			s->config.policy != FAIR_MAUI && !s->config.select;
	int64_t x;

	for (x = j->procs - 1; x > w->procs; x--)
		if (smallest || x == w->procs + 1)
			FUZZ_ASSERT(!why_starts(s, j->number, (int32_t)x,
						j->walltime));
	FUZZ_ASSERT(!w->procs ||
		    why_starts(s, j->number, w->procs, j->walltime));
	for (x = j->walltime - 1; x > w->walltime; x--)
		if (smallest || x == w->walltime + 1)
			FUZZ_ASSERT(!why_starts(s, j->number, j->procs, x));
	FUZZ_ASSERT(!w->walltime ||
		    why_starts(s, j->number, j->procs, w->walltime));
}

static inline void why_check_reasons(const struct fair_sched *s,
				     const struct fair_why *w)
{
	struct fair_job_status j;
	int32_t freed = w->free;
	uint32_t i;

	FUZZ_ASSERT(w->reasons && w->free == s->procs - s->busy);
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++) {
		FUZZ_ASSERT(!fair_sched_lookup(s, w->blocker[i].number, &j));
		FUZZ_ASSERT(j.job.number != w->job.number);
		FUZZ_ASSERT(j.state == w->blocker[i].state);
		freed += j.job.procs;
	}
	if (w->reasons == FAIR_WHY_PROCS && w->free_at != FAIR_FOREVER &&
	    w->blockers <= FAIR_BLOCKERS)
		FUZZ_ASSERT(freed >= w->job.procs);
	if (w->reasons == FAIR_WHY_LIMIT && s->config.limits && !s->config.maui)
		FUZZ_ASSERT(w->free_at > w->now &&
			    (w->free_at <= w->promise ||
			     !s->planner->promises));
	if (w->reasons == FAIR_WHY_BUDGET)
		FUZZ_ASSERT(w->free_at == FAIR_FOREVER);
	if (w->reasons & FAIR_WHY_DELAY)
		FUZZ_ASSERT(w->blockers && w->blocker[0].state == FAIR_QUEUED);
}

/* A truncated text is a prefix of the whole. */
static inline void why_check_text(const struct fair_why *w)
{
	char whole[2048], part[2048];
	size_t n = fair_why_text(w, whole, sizeof(whole)), cut = n / 2;

	FUZZ_ASSERT(n < sizeof(whole) && strlen(whole) == n);
	memset(part, 1, sizeof(part));
	FUZZ_ASSERT(fair_why_text(w, part, cut) == n);
	FUZZ_ASSERT(!cut || (!memcmp(part, whole, cut - 1) && !part[cut - 1]));
	FUZZ_ASSERT(part[cut] == 1);
}

static inline int64_t
why_planned_run(void *context, const struct fair_job_status *j, uint64_t random)
{
	(void)context;
	(void)random;
	return j->ran + (j->state == FAIR_RUNNING ? j->end - j->start
						  : j->job.walltime);
}

/* Any run time, also much too long or too short. */
static inline int64_t
why_any_run(void *context, const struct fair_job_status *j, uint64_t random)
{
	(void)context;
	(void)j;
	return (int64_t)(random % 64) - 8;
}

static inline void why_check_forecast(const struct fair_sched *s,
				      const struct fair_why *w)
{
	struct fair_draw d = { why_planned_run, NULL, 0, 3 };
	size_t bytes = fair_sched_forecast_size(&s->config, d.samples);
	void *memory = malloc(bytes);
	struct fair_forecast f, same;
	int64_t estimate;

	FUZZ_ASSERT(memory);
	FUZZ_ASSERT(!fair_sched_estimate(s, w->job.number, memory, bytes,
					 &estimate));
	if (s->config.policy >= FAIR_CONSERVATIVE &&
	    s->config.policy <= FAIR_DC &&
	    !(w->reasons & FAIR_WHY_INELIGIBLE) &&
	    (w->promise != FAIR_FOREVER || w->job.procs > w->machine))
		FUZZ_ASSERT(estimate == w->promise);
	else if (w->reasons & FAIR_WHY_OWN_ADVANCE &&
		 w->promise != FAIR_FOREVER)
		FUZZ_ASSERT(estimate == w->promise);
	else
		FUZZ_ASSERT(estimate == w->until);
	FUZZ_ASSERT(
		!fair_sched_forecast(s, w->job.number, &d, memory, bytes, &f));
	FUZZ_ASSERT(f.p10 == w->until && f.p90 == w->until);
	d.run = why_any_run;
	d.seed = w->job.number;
	FUZZ_ASSERT(
		!fair_sched_forecast(s, w->job.number, &d, memory, bytes, &f));
	FUZZ_ASSERT(!fair_sched_forecast(s, w->job.number, &d, memory, bytes,
					 &same));
	FUZZ_ASSERT(!memcmp(&f, &same, sizeof(f)));
	FUZZ_ASSERT(w->now <= f.p10 && f.p10 <= f.p50 && f.p50 <= f.p90);
	if ((s->config.policy >= FAIR_CONSERVATIVE &&
	     s->config.policy <= FAIR_DC && !s->waiting_arrays) ||
	    (w->reasons & FAIR_WHY_OWN_ADVANCE && w->job.tasks == 1))
		FUZZ_ASSERT(f.p90 <= w->promise);
	FUZZ_ASSERT(fair_sched_forecast(s, w->job.number, &d, memory, bytes - 1,
					&f) == -FAIR_ENOMEM);
	free(memory);
}

/* After a complete step, checks all queries for a waiting job. */
static inline void why_check(const struct fair_sched *s, uint64_t number)
{
	size_t bytes = fair_sched_fst_size(&s->config);
	struct fair_sched was = *s;
	struct fair_why w, quick;
	void *memory = malloc(bytes);

	FUZZ_ASSERT(memory);
	FUZZ_ASSERT(fair_sched_why(s, number, memory, bytes - 1, &w) ==
		    -FAIR_ENOMEM);
	FUZZ_ASSERT(!fair_sched_why(s, number, memory, bytes, &w));
	FUZZ_ASSERT(!fair_sched_why(s, number, NULL, 0, &quick));
	FUZZ_ASSERT(!w.unknown && w.reasons == quick.reasons);
	if (!(quick.unknown & FAIR_UNKNOWN_PROCS))
		FUZZ_ASSERT(w.procs == quick.procs);
	if (!(quick.unknown & FAIR_UNKNOWN_WALLTIME))
		FUZZ_ASSERT(w.walltime == quick.walltime);
	if (!(quick.unknown & FAIR_UNKNOWN_UNTIL))
		FUZZ_ASSERT(w.until == quick.until);
	FUZZ_ASSERT(w.until <= w.promise || s->config.policy > FAIR_DC ||
		    s->config.order == FAIR_ORDER_LXF ||
		    s->config.order == FAIR_ORDER_COMPARE ||
		    s->waiting_arrays || s->config.ledger);
	FUZZ_ASSERT(w.until == why_play_until_start(s, number));
	why_check_forecast(s, &w);
	if (!(w.reasons & FAIR_WHY_INELIGIBLE)) {
		why_check_sizes(s, &w);
		why_check_reasons(s, &w);
	}
	why_check_text(&w);
	FUZZ_ASSERT(!memcmp(&was, s, sizeof(was)) && !fair_sched_check(s));
	free(memory);
}

#endif /* WHY_CHECK_H */
