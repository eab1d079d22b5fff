/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * starving.h - a planner of one's own, without promises: EASY with patience
 *
 * Small jobs fill a machine well, but a wide one may never find it empty. Here
 * any job starts that fits, until the job that waits longest has waited for as
 * long as the site is patient, say a day. It is starving: from then on no other
 * job delays it. OpenPBS does so by max_starve, with a backfill_depth of 1.
 * Without patience it is EASY.
 *
 *	static struct starving_policy day;
 *	day = starving_after(86400);
 *	config.policy = FAIR_CUSTOM;
 *	config.planner = &day.ops;	// stays where it is
 *
 * RULES
 *  1 Jobs queue by (submission, number).
 *  2 A step walks through the queue, and again after each start. A job starts
 *    that fits for its whole walltime. The first starving one that does not
 *    holds a reservation at its earliest start, until the end of the walk.
 *
 * COST  O(queued jobs) queries of the space for each step and each start.
 */
#ifndef STARVING_H
#define STARVING_H

#include <assert.h>
#include "fairsched.h"

/** struct starving_policy - the table, and behind it the patience, seconds. */
struct starving_policy {
	struct fair_planner_ops ops;
	uint32_t patience;
};

/* The state. The memory of the queue follows it, then that of the space. */
struct starving {
	struct fair_space space; /* of a pool, or of classes */
	struct fair_queue queue;
	int64_t patience;
};

static struct starving *starving_of(const struct fair_sched *s)
{
	return (struct starving *)s->plan;
}

/* For a call that cannot fail. */
static void starving_must(int error)
{
	assert(!error);
	(void)error;
}

/* Two steps of it for each job and for each advance reservation. */
static size_t starving_profile_size(const struct fair_config *config)
{
	uint64_t steps = 2 * ((uint64_t)config->jobs + config->advances) + 5;

	return steps > SIZE_MAX / 64 ? 0 : fair_profile_size((size_t)steps);
}

static size_t starving_size(const struct fair_config *config)
{
	size_t profile = starving_profile_size(config);

	return config->order != FAIR_ORDER_FCFS || config->ledger || !profile
		       ? 0
		       : sizeof(struct starving) +
				 fair_queue_size(config->jobs) + profile;
}

/* All but the space; returns where its memory is. */
static void *starving_begin(struct starving *c, const struct fair_sched *s)
{
	const void *policy = s->config.planner;
	size_t bytes = fair_queue_size(s->config.jobs);

	c->patience = ((const struct starving_policy *)policy)->patience;
	starving_must(fair_queue_init(&c->queue, sizeof(c->queue), c + 1,
				      bytes, s->config.jobs, s->live,
				      sizeof(*s->live)));
	return (char *)(c + 1) + bytes;
}

static void starving_init(struct fair_sched *s, void *state)
{
	struct starving *c = (struct starving *)state;

	starving_must(fair_space_init(&c->space, sizeof(c->space),
				      starving_begin(c, s),
				      starving_profile_size(&s->config),
				      s->config.procs, s->config.origin));
}

static const struct fair_queue *starving_queue(const struct fair_sched *s)
{
	return &starving_of(s)->queue;
}

static struct fair_space *starving_space(const struct fair_sched *s)
{
	return &starving_of(s)->space;
}

static void starving_clone(struct fair_sched *copy, void *state,
			   const struct fair_sched *s, const uint32_t *slot)
{
	struct starving *c = (struct starving *)state;

	starving_must(fair_space_clone(&c->space, starving_begin(c, copy),
				       starving_profile_size(&s->config),
				       starving_space(s)));
	starving_must(fair_queue_clone(&c->queue, starving_queue(s), slot));
}

/* EVENTS. The next step plans what they free, or take. */

static void starving_submit(struct fair_sched *s, struct fair_event *e,
			    uint32_t slot, int64_t priority, bool was_queued)
{
	(void)e;
	(void)was_queued;
	s->live[slot].queued.rank.key = priority; /* its submission */
	starving_must(fair_queue_insert(&starving_of(s)->queue, slot));
}

static void starving_withdraw(struct fair_sched *s, struct fair_event *e,
			      uint32_t slot)
{
	(void)e;
	starving_must(fair_queue_remove(&starving_of(s)->queue, slot));
}

/* Also of displace_all(), before the scheduler changes the space: it is now. */
static void starving_advance(struct fair_sched *s, struct fair_event *e)
{
	(void)e;
	starving_must(fair_space_advance(starving_space(s), s->now));
}

static void starving_give_back(struct fair_sched *s, struct fair_event *e,
			       int64_t from, int64_t end,
			       const struct fair_claim *claim)
{
	starving_advance(s, e);
	if (from < end)
		starving_must(fair_space_change(starving_space(s), from, end,
						claim, false));
}

static void starving_take(struct fair_sched *s, struct fair_event *e,
			  int64_t from, int64_t end,
			  const struct fair_claim *claim)
{
	starving_advance(s, e);
	starving_must(fair_space_change(starving_space(s), from, end, claim,
					true));
}

/* STARTS */

/* Take what the job holds from @start on, or give it back. */
static void starving_hold(struct fair_sched *s, uint32_t slot, int64_t start,
			  bool take)
{
	const struct fair_queued *j = &s->live[slot].queued;

	if (take)
		fair_space_settle_job(starving_space(s), slot, j, start);
	starving_must(fair_space_change_job(starving_space(s), slot, j->procs,
					    start, start + j->walltime, take));
}

static bool starving_due(struct fair_sched *s, struct fair_event *e,
			 uint32_t *slot)
{
	int64_t start = FAIR_FOREVER, shadow = FAIR_FOREVER;
	struct starving *c = starving_of(s);
	struct fair_queue_place at = { 0, 0 };
	const struct fair_queued *j;
	uint32_t first = 0; /* is reserved for from @shadow on */

	starving_advance(s, e);
	for (; start > s->now &&
	       fair_queue_next_fitting(&c->queue, &at, INT32_MAX);
	     at.index++) {
		*slot = fair_queue_slot(&c->queue, at);
		j = &s->live[*slot].queued;
		start = fair_space_earliest(&c->space, *slot, j,
					    fair_later(s->now, j->not_before));
		if (start > s->now && start != FAIR_FOREVER &&
		    shadow == FAIR_FOREVER &&
		    j->rank.key <= s->now - c->patience) {
			first = *slot;
			shadow = start;
			starving_hold(s, first, shadow, true);
		}
	}
	if (start <= s->now) {
		starving_withdraw(s, e, *slot);
		starving_hold(s, *slot, start, true);
	}
	if (shadow != FAIR_FOREVER)
		starving_hold(s, first, shadow, false);
	return start <= s->now;
}

/* Of a checkpoint, in which the jobs say it all. */
static bool starving_restore(struct fair_sched *s, uint32_t slot,
			     int64_t priority)
{
	s->live[slot].queued.rank.key = priority;
	return !fair_queue_insert(&starving_of(s)->queue, slot);
}

static int starving_check(const struct fair_sched *s)
{
	const struct starving *c = starving_of(s);

	return fair_space_check(&c->space) || fair_queue_check(&c->queue);
}

/** starving_after() - the table, with a patience in seconds. */
static inline struct starving_policy starving_after(uint32_t patience)
{
	static struct starving_policy empty; /* what is not set is NULL */
	struct starving_policy policy = empty;

	policy.ops.name = "starving";
	policy.ops.size = starving_size;
	policy.ops.init = starving_init;
	policy.ops.clone = starving_clone;
	policy.ops.queue = starving_queue;
	policy.ops.space = starving_space;
	policy.ops.submit = starving_submit;
	policy.ops.withdraw = starving_withdraw;
	policy.ops.give_back = starving_give_back;
	policy.ops.take = starving_take;
	policy.ops.displace_all = starving_advance;
	policy.ops.due = starving_due;
	policy.ops.restore = starving_restore;
	policy.ops.check = starving_check;
	policy.patience = patience;
	return policy;
}

#endif /* STARVING_H */

/* The licence, MIT or Unlicense, stands at the end of fairsched.h. */
