/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * selective.h - a planner of one's own: selective reservations [SKSS02]
 *
 * Conservative backfilling promises a start to each job as it arrives, and the
 * reservations of all of them leave few holes to backfill. EASY reserves for
 * one job only. Here a job gets a promise once it has waited long enough: once
 * its expansion factor
 *
 *	(wait + walltime) / walltime
 *
 * exceeds a threshold, the ratio of two integers. docs/POLICY.md explains this
 * file step by step. In each file that names the policy:
 *
 *	#include "fairsched.h"
 *	#include "selective.h"
 *
 *	static struct selective_policy two;
 *
 *	two = selective_above(2, 1);
 *	config.policy = FAIR_CUSTOM;
 *	config.planner = &two.ops;	// stays where it is
 *
 * RULES
 *  1 Jobs queue by (submission, number).
 *  2 A job is needy from the first second t with
 *	(t - submission) * denominator > (numerator - denominator) * walltime
 *    on; with a threshold below 1 from its submission on.
 *  3 A needy job gets a reservation at its earliest start beside the running
 *    jobs and the reservations that there are: when it is submitted, or by the
 *    first step at which it is needy, there in the order of the queue. That is
 *    told as a promise, the first one with FAIR_CAUSE_ARRIVAL.
 *  4 A step starts the jobs whose reservation begins, then each job of the
 *    queue that holds none and fits for its whole walltime beside all
 *    reservations.
 *  5 When processors become free early, each reservation moves to its earliest
 *    start, in the order of the reservations: compression.
 *  6 When processors are lost (an overrun, capacity, an advance reservation, a
 *    step that comes late), the reservations that still fit stay, and the
 *    others are placed anew, both in the order of the reservations. One that
 *    finds no place waits for one: see 3.
 *  7 A job that is modified, or refused at its start, gives its reservation
 *    back and is submitted again, with its own time of submission. A refused
 *    one starts a second later at the earliest.
 * With several resources or node classes, and with limits, the same rules hold:
 * the space says what is free, and what a job may hold.
 *
 * COST  O(queued jobs) queries of the space for each step and next().
 * SOURCES [SKSS02] Srinivasan, Kettimuthu, Subramani, Sadayappan, JSSPP 2002.
 */
#ifndef SELECTIVE_H
#define SELECTIVE_H

#include <assert.h>
#include <string.h>

#include "fairsched.h"

/** struct selective_policy - the table, and behind it the threshold. */
struct selective_policy {
	struct fair_planner_ops ops;
	uint32_t numerator,
		denominator; /* up to 2^20; of the latter 1 or more */
};

#define SELECTIVE_MOST (1U << 20)
#define SELECTIVE_SECTION 1000 /* of a checkpoint */

/* The state; memory for the arrays follows it. */
struct selective {
	struct fair_space space;
	struct fair_queue queue; /* all queued jobs, by rank[] */
	struct fair_queue plan;	 /* those with a reservation, by its start */
	struct fair_rank *rank;	 /* by slot: submission, number */
	uint32_t numerator, denominator;
	bool is_open; /* all reservations are out of the space */
};

static struct selective *selective_of(const struct fair_sched *s)
{
	return (struct selective *)s->plan;
}

/* For a call that cannot fail. */
static void selective_must(int error)
{
	assert(!error);
	(void)error;
}

/* MEMORY */

/* Two for each reservation and job that runs, as for each other holder. */
static uint64_t selective_steps(const struct fair_config *config)
{
	return 2 * ((uint64_t)config->jobs + config->advances + 2) + 1;
}

static size_t selective_size(const struct fair_config *config)
{
	const struct selective_policy *policy =
		(const struct selective_policy *)(const void *)config->planner;
	size_t profile;

	if (config->order != FAIR_ORDER_FCFS || config->ledger ||
	    !policy->denominator || policy->denominator > SELECTIVE_MOST ||
	    policy->numerator > SELECTIVE_MOST ||
	    selective_steps(config) > SIZE_MAX / 64)
		return 0;
	profile = fair_profile_size((size_t)selective_steps(config));
	if (!profile)
		return 0;
	return sizeof(struct selective) +
	       config->jobs * sizeof(struct fair_rank) +
	       2 * fair_queue_size(config->jobs) + profile;
}

/* No jobs, and closed; returns where the profile lies. */
static char *selective_lay_out(struct selective *c, const struct fair_sched *s)
{
	uint32_t jobs = s->config.jobs;
	size_t queue = fair_queue_size(jobs);
	char *at;

	c->is_open = false;
	c->rank = (struct fair_rank *)(void *)(c + 1);
	at = (char *)(c->rank + jobs);
	selective_must(fair_queue_init(&c->queue, sizeof(c->queue), at, queue,
				       jobs, s->live, sizeof(*s->live)));
	fair_queue_rank_by(&c->queue, c->rank, sizeof(*c->rank));
	at += queue;
	selective_must(fair_queue_init(&c->plan, sizeof(c->plan), at, queue,
				       jobs, s->live, sizeof(*s->live)));
	return at + queue;
}

static void selective_init(struct fair_sched *s, void *state)
{
	const struct selective_policy *policy =
		(const struct selective_policy *)(const void *)
			s->config.planner;
	struct selective *c = (struct selective *)state;
	char *profile = selective_lay_out(c, s);

	c->numerator = policy->numerator;
	c->denominator = policy->denominator;
	c->is_open = false;
	selective_must(fair_space_init(
		&c->space, sizeof(c->space), profile,
		fair_profile_size((size_t)selective_steps(&s->config)),
		s->config.procs, s->config.origin));
}

static void selective_clone(struct fair_sched *copy, void *state,
			    const struct fair_sched *s, const uint32_t *slot)
{
	const struct selective *from = selective_of(s);
	struct selective *c = (struct selective *)state;
	char *profile = selective_lay_out(c, copy);
	struct fair_queue_place at = { 0, 0 };
	uint32_t i;

	c->numerator = from->numerator;
	c->denominator = from->denominator;
	c->is_open = false;
	selective_must(fair_space_clone(
		&c->space, profile,
		fair_profile_size((size_t)selective_steps(&s->config)),
		&from->space));
	for (; fair_queue_next_fitting(&from->queue, &at, INT32_MAX);
	     at.index++) {
		i = fair_queue_slot(&from->queue, at);
		c->rank[slot[i]] = from->rank[i];
	}
	selective_must(fair_queue_clone(&c->queue, &from->queue, slot));
	selective_must(fair_queue_clone(&c->plan, &from->plan, slot));
}

static const struct fair_queue *selective_queue(const struct fair_sched *s)
{
	return &selective_of(s)->queue;
}

static struct fair_space *selective_space(const struct fair_sched *s)
{
	return &selective_of(s)->space;
}

/* THE THRESHOLD */

/* From when on the job in @slot is needy. */
static int64_t selective_needy_at(const struct fair_sched *s, uint32_t slot)
{
	const struct selective *c = selective_of(s);
	int64_t walltime = s->live[slot].queued.walltime, wait = 0;

	if (c->numerator >= c->denominator)
		wait = (c->numerator - c->denominator) * walltime /
			       c->denominator +
		       1;
	return c->rank[slot].key + wait;
}

/* RESERVATIONS */

/* It is now. */
static void selective_advance(struct fair_sched *s)
{
	selective_must(fair_space_advance(selective_space(s), s->now));
	fair_space_settle(selective_space(s));
}

/* The first second at which a job may start. */
static int64_t selective_allowed(const struct fair_sched *s,
				 const struct fair_queued *j)
{
	return j->not_before > s->now ? j->not_before : s->now;
}

/* When a job without a reservation can start; FAIR_FOREVER: never. */
static int64_t selective_earliest(const struct fair_sched *s, uint32_t slot,
				  int64_t not_before)
{
	const struct fair_queued *j = &s->live[slot].queued;

	if (not_before < selective_allowed(s, j))
		not_before = selective_allowed(s, j);
	return fair_space_earliest(selective_space(s), slot, j, not_before);
}

/* From when on the reservation of a job is not past. */
static int64_t selective_from(const struct selective *c,
			      const struct fair_queued *j)
{
	int64_t origin = c->space.profile.origin;

	return j->rank.key < origin ? origin : j->rank.key;
}

/* Take or give back what a job holds from now on. */
static int selective_change(struct selective *c, uint32_t slot, bool take)
{
	const struct fair_queued *j = fair_queue_job(&c->plan, slot);

	return fair_space_change_job(&c->space, slot, j->procs,
				     selective_from(c, j),
				     j->rank.key + j->walltime, take);
}

/* The job, which is not in the plan, has its reservation at @start. */
static void selective_set(struct fair_sched *s, uint32_t slot, int64_t start)
{
	struct selective *c = selective_of(s);

	s->live[slot].queued.rank.key = start;
	selective_must(fair_queue_update(&c->queue, slot));
	if (start != FAIR_FOREVER)
		selective_must(fair_queue_insert(&c->plan, slot));
}

/* It gets one at its earliest start, if there is any. */
static void selective_place(struct fair_sched *s, uint32_t slot,
			    int64_t not_before)
{
	int64_t start = selective_earliest(s, slot, not_before);

	selective_set(s, slot, start);
	if (start != FAIR_FOREVER)
		fair_space_reserve(selective_space(s), slot,
				   &s->live[slot].queued);
}

static void selective_tell(struct fair_event *e, uint32_t slot, int64_t from)
{
	e->report.moved(e->report.context, slot, from);
}

/* Release all reservations until selective_plan_again(). */
static void selective_release_all(struct selective *c)
{
	struct fair_queue_place at = { 0, 0 };

	if (c->is_open)
		return;
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++)
		selective_must(selective_change(
			c, fair_queue_slot(&c->plan, at), false));
	c->is_open = true;
}

/* Whether the reservation of a job still fits, and is in the space again. */
static bool selective_hold_again(struct selective *c, uint32_t slot)
{
	const struct fair_queued *j = fair_queue_job(&c->plan, slot);
	int64_t from = selective_from(c, j), end = j->rank.key + j->walltime;

	return (from >= end ||
		fair_space_allows(&c->space, slot, from, end)) &&
	       !selective_change(c, slot, true);
}

/* If they are released: first those that still fit, then the others. */
static void selective_plan_again(struct fair_sched *s, struct fair_event *e)
{
	struct selective *c = selective_of(s);
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;
	struct fair_rank was;
	uint32_t slot;

	if (!c->is_open)
		return;
	c->is_open = false;
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		if (!selective_hold_again(c, slot))
			s->live[slot].queued.mark |= FAIR_MARK_DISPLACED;
	}
	at.row = at.index = 0;
	while (fair_queue_next_fitting(&c->plan, &at, INT32_MAX)) {
		slot = fair_queue_slot(&c->plan, at);
		j = &s->live[slot].queued;
		was = j->rank;
		if (!(j->mark & FAIR_MARK_DISPLACED)) {
			at.index++;
			continue;
		}
		j->mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
		selective_must(fair_queue_remove(&c->plan, slot));
		selective_place(s, slot, s->now);
		selective_tell(e, slot, was.key);
		at = fair_queue_seek(&c->plan, was);
	}
}

/* Take it even from reservations; an error: it is not there at all. */
static int selective_claim(struct selective *c, int64_t from, int64_t end,
			   const struct fair_claim *claim)
{
	if (!fair_space_change(&c->space, from, end, claim, true))
		return 0;
	selective_release_all(c);
	return fair_space_change(&c->space, from, end, claim, true);
}

/* EVENTS */

static void selective_submit(struct fair_sched *s, struct fair_event *e,
			     uint32_t slot, int64_t priority, bool was_queued)
{
	struct selective *c = selective_of(s);
	struct fair_queued *j = &s->live[slot].queued;

	(void)e; /* the scheduler tells of this job's promise */
	(void)was_queued;
	selective_advance(s);
	j->rank.key = FAIR_FOREVER;
	c->rank[slot].key = priority; /* FAIR_ORDER_FCFS: the submission */
	c->rank[slot].number = j->rank.number;
	selective_must(fair_queue_insert(&c->queue, slot));
	if (selective_needy_at(s, slot) <= s->now)
		selective_place(s, slot, s->now);
}

static void selective_withdraw(struct fair_sched *s, struct fair_event *e,
			       uint32_t slot)
{
	struct selective *c = selective_of(s);
	const struct fair_queued *j = &s->live[slot].queued;

	(void)e;
	selective_must(fair_queue_remove(&c->queue, slot));
	if (j->rank.key == FAIR_FOREVER)
		return;
	selective_must(fair_queue_remove(&c->plan, slot));
	selective_must(selective_change(c, slot, false));
}

static void selective_give_back(struct fair_sched *s, struct fair_event *e,
				int64_t from, int64_t end,
				const struct fair_claim *claim)
{
	(void)e;
	selective_advance(s);
	if (from < end)
		selective_must(fair_space_change(selective_space(s), from, end,
						 claim, false));
}

/* Several jobs that overrun are one loss, until selective_end_loss(). */
static void selective_take(struct fair_sched *s, struct fair_event *e,
			   int64_t from, int64_t end,
			   const struct fair_claim *claim)
{
	(void)e;
	selective_advance(s);
	selective_must(selective_claim(selective_of(s), from, end, claim));
}

static void selective_displace_all(struct fair_sched *s, struct fair_event *e)
{
	(void)e;
	selective_advance(s);
	selective_release_all(selective_of(s));
}

static void selective_end_loss(struct fair_sched *s, struct fair_event *e,
			       int64_t from, int64_t end)
{
	struct selective *c = selective_of(s);

	(void)from;
	(void)end;
	selective_advance(s);
	if (fair_space_is_any_over(&c->space)) /* a limit has less */
		selective_release_all(c);
	selective_plan_again(s, e);
}

/* Rule 5. What a job leaves is of no use to one whose reservation is earlier.
 */
static void selective_react(struct fair_sched *s, struct fair_event *e)
{
	struct selective *c = selective_of(s);
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;
	struct fair_rank was;
	int64_t start;
	int32_t most;
	uint32_t slot;

	selective_advance(s);
	while (fair_queue_next_fitting(&c->plan, &at, INT32_MAX)) {
		slot = fair_queue_slot(&c->plan, at);
		j = &s->live[slot].queued;
		was = j->rank;
		at.index++;
		if (selective_allowed(s, j) >= was.key)
			continue;
		start = fair_space_earlier(&c->space, slot, j,
					   selective_allowed(s, j), was.key);
		if (start == was.key)
			continue;
		(void)fair_space_move(&c->space, slot, j, start, &most);
		selective_must(fair_queue_remove(&c->plan, slot));
		selective_set(s, slot, start);
		selective_tell(e, slot, was.key);
		at = fair_queue_seek(&c->plan, was);
	}
}

/* STARTS */

/* Rule 3. */
static void selective_reserve_needy(struct fair_sched *s, struct fair_event *e)
{
	struct selective *c = selective_of(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; fair_queue_next_fitting(&c->queue, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->queue, at);
		if (s->live[slot].queued.rank.key != FAIR_FOREVER ||
		    selective_needy_at(s, slot) > s->now)
			continue;
		selective_place(s, slot, s->now);
		selective_tell(e, slot, FAIR_FOREVER);
	}
}

/* Take what a job needs that starts later than reserved, whatever is reserved
 * for others; an error: running jobs are in its way. */
static int selective_claim_late(struct fair_sched *s, uint32_t slot)
{
	struct selective *c = selective_of(s);
	const struct fair_queued *j = &s->live[slot].queued;
	struct fair_claim claim = fair_space_claim(&c->space, slot, j->procs);
	int64_t end = j->rank.key + j->walltime;
	int error = -FAIR_ERANGE;

	selective_release_all(c);
	fair_space_hold(&c->space, slot, s->now, s->now + j->walltime);
	if (!fair_space_is_over(&c->space, slot, s->now))
		error = fair_space_change(&c->space,
					  end < s->now ? s->now : end,
					  s->now + j->walltime, &claim, true);
	if (error)
		fair_space_hold(&c->space, slot, s->now, s->now);
	return error;
}

/*
 * The reservation of a job begins. If its time has passed, the job goes first
 * all the same and ends later than reserved: the reservations in its way are
 * placed anew. Where a running job is in its way, it is the one to wait.
 */
static bool selective_begin(struct fair_sched *s, struct fair_event *e,
			    uint32_t slot)
{
	struct selective *c = selective_of(s);
	int64_t was = s->live[slot].queued.rank.key;
	int error = 0;

	selective_must(fair_queue_remove(&c->plan, slot));
	if (was < s->now)
		error = selective_claim_late(s, slot);
	selective_plan_again(s, e);
	if (error) {
		selective_must(selective_change(c, slot, false));
		selective_place(s, slot, s->now);
		selective_tell(e, slot, was);
		return false;
	}
	selective_must(fair_queue_remove(&c->queue, slot));
	return true;
}

static bool selective_due(struct fair_sched *s, struct fair_event *e,
			  uint32_t *slot)
{
	struct selective *c = selective_of(s);
	const struct fair_queue_place first = { 0, 0 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;

	selective_advance(s);
	selective_reserve_needy(s, e);
	while (c->plan.jobs) {
		*slot = fair_queue_slot(&c->plan, first);
		if (s->live[*slot].queued.rank.key > s->now)
			break;
		if (selective_begin(s, e, *slot))
			return true;
	}
	for (; fair_queue_next_fitting(&c->queue, &at, s->procs - s->busy);
	     at.index++) {
		*slot = fair_queue_slot(&c->queue, at);
		j = &s->live[*slot].queued;
		if (j->rank.key != FAIR_FOREVER ||
		    selective_allowed(s, j) > s->now ||
		    !fair_space_fits(&c->space, *slot, j, s->now))
			continue;
		fair_queue_remove_at(&c->queue, at);
		j->rank.key = s->now;
		fair_space_reserve(&c->space, *slot, j);
		return true;
	}
	return false;
}

/* Nothing happens before, so that what is earliest now stays so until then. */
static int64_t selective_next(const struct fair_sched *s)
{
	const struct selective *c = selective_of(s);
	struct fair_queue_place at = { 0, 0 };
	int64_t next = FAIR_FOREVER, due, needy;
	const struct fair_queued *j;
	uint32_t slot;

	if (c->plan.jobs)
		next = s->live[fair_queue_slot(&c->plan, at)].queued.rank.key;
	for (; fair_queue_next_fitting(&c->queue, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->queue, at);
		j = &s->live[slot].queued;
		if (j->rank.key != FAIR_FOREVER)
			continue;
		due = selective_earliest(s, slot, s->now);
		needy = selective_needy_at(s, slot);
		if (due != FAIR_FOREVER && needy < due)
			due = needy < s->now ? s->now : needy;
		if (due < next)
			next = due;
	}
	return next;
}

/* CHECKPOINTS */

static void selective_save(const struct fair_sched *s,
			   struct fair_checkpoint *f)
{
	struct selective *c = selective_of(s);

	fair_checkpoint_one(f, SELECTIVE_SECTION, 2);
	fair_checkpoint_u32(f, &c->numerator);
	fair_checkpoint_u32(f, &c->denominator);
}

static bool selective_restore(struct fair_sched *s, uint32_t slot,
			      int64_t priority)
{
	struct selective *c = selective_of(s);
	const struct fair_queued *j = &s->live[slot].queued;

	c->rank[slot].key = priority;
	c->rank[slot].number = j->rank.number;
	if (fair_queue_insert(&c->queue, slot))
		return false;
	return j->rank.key == FAIR_FOREVER ||
	       (j->rank.key <= c->space.profile.horizon &&
		selective_needy_at(s, slot) <= s->now &&
		!selective_change(c, slot, true) &&
		!fair_queue_insert(&c->plan, slot));
}

/* The threshold must be the one that the caller configures. */
static void selective_load(struct fair_sched *s, struct fair_checkpoint *f)
{
	const struct selective *c = selective_of(s);
	uint32_t numerator = 0, denominator = 0;

	fair_checkpoint_one(f, SELECTIVE_SECTION, 2);
	fair_checkpoint_u32(f, &numerator);
	fair_checkpoint_u32(f, &denominator);
	f->bad |= numerator != c->numerator || denominator != c->denominator;
}

static int selective_check(const struct fair_sched *s)
{
	const struct selective *c = selective_of(s);
	struct fair_queue_place at = { 0, 0 }, found;
	const struct fair_queued *j;
	uint32_t slot, planned = 0;

	if (fair_space_check(&c->space) || fair_queue_check(&c->queue) ||
	    fair_queue_check(&c->plan))
		return 1;
	for (; fair_queue_next_fitting(&c->queue, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->queue, at);
		j = &s->live[slot].queued;
		if (c->rank[slot].number != j->rank.number)
			return 1;
		if (j->rank.key == FAIR_FOREVER)
			continue;
		planned++;
		if (selective_needy_at(s, slot) > s->now ||
		    !fair_queue_find(&c->plan, j->rank, &found) ||
		    fair_queue_slot(&c->plan, found) != slot)
			return 1;
	}
	return planned == c->plan.jobs ? 0 : 1;
}

/** selective_above() - the table, with a threshold of two integers. */
static inline struct selective_policy selective_above(uint32_t numerator,
						      uint32_t denominator)
{
	static const struct fair_planner_ops ops = {
		"selective",
		true, /* promises */
		selective_size,
		selective_init,
		selective_clone,
		selective_queue,
		selective_space,
		selective_submit,
		selective_withdraw,
		selective_give_back,
		selective_take,
		NULL, /* change_counts: the space does */
		selective_displace_all,
		NULL, /* catch_up: due() moves what is late */
		selective_end_loss,
		selective_react,
		selective_due,
		selective_next,
		NULL, /* replan: nothing is remembered of a second */
		NULL, /* scans: each call does all that it has to */
		NULL, /* is_unfinished */
		NULL, /* is_reacting */
		NULL, /* resume */
		NULL, /* finish */
		NULL, /* first_reservation: all of them are promises */
		NULL, /* ahead: the queue and the space explain, with clones */
		NULL, /* room */
		NULL, /* blockers */
		NULL, /* start_is_known */
		NULL, /* keep_place */
		selective_save,
		selective_restore,
		selective_load,
		selective_check,
		NULL,  /* reprioritize: it takes no FAIR_ORDER_KEY */
		false, /* heeds_ledgers */
	};
	struct selective_policy policy;

	policy.ops = ops;
	policy.numerator = numerator;
	policy.denominator = denominator;
	return policy;
}

#endif /* SELECTIVE_H */

/* The licence, MIT or Unlicense, stands at the end of fairsched.h. */
