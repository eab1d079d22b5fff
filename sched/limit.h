/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/limit.h - limits are added, changed and removed
 *
 *   lowered or added   --> a loss: what exceeds it is planned again, by turn
 *   raised or removed  --> all time is freed for it: compression
 *
 * Uses: events.h.
 */

/* The jobs of @q belong to the limits of now, and hold them as before. */
static void fair_sched_rejoin_limits(struct fair_sched *s,
				     const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_quotas_job was;
	uint32_t slot;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(q, at);
		was = s->limits->job[slot];
		fair_quotas_leave(s->limits, slot);
		fair_sched_join_limits(s, slot);
		fair_quotas_hold(s->limits, slot, was.from, was.end);
	}
}

/* Something was lost, or else freed, by a limit. */
static void fair_sched_apply_limit(struct fair_sched *s, bool lost)
{
	struct fair_event e;

	fair_event_begin(&e, s, lost ? FAIR_CAUSE_LIMIT : FAIR_CAUSE_EARLIER);
	if (lost) {
		s->limits->exceeded = s->planner->promises;
		e.lost = s->now;
		fair_sched_end_loss(s, &e, s->now, s->now);
	} else {
		if (s->planner->close)
			s->planner->close(s, &e, s->now, FAIR_FOREVER);
		fair_sched_react(s);
	}
	fair_planner_replan(s);
}

/* 0, or why the limit cannot be set at @now. */
static int fair_sched_validate_limit(const struct fair_sched *s, int64_t now,
				     const struct fair_limit *limit)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (!limit || !s->limits || limit->kind >= FAIR_ENTITY_KINDS ||
	    limit->resource >=
		    fair_limit_resources(fair_sched_resources(s)) ||
	    limit->amount < 0)
		return -FAIR_EINVAL;
	if (fair_sched_limited(s, limit) == FAIR_NO_ENTITY &&
	    limit->id != FAIR_LIMIT_EACH)
		return -FAIR_ENOENT;
	if (limit->amount != FAIR_LIMIT_NONE &&
	    fair_quotas_is_full(s->limits,
				fair_limit_what(limit->kind, limit->resource),
				fair_sched_limited(s, limit)))
		return -FAIR_ENOSPC;
	return 0;
}

FAIRSCHED_API int fair_sched_limit(struct fair_sched *s, int64_t now,
				   const struct fair_limit *limit)
{
	int error = fair_sched_validate_limit(s, now, limit);
	uint32_t what, whose;
	int64_t was, is;

	if (error)
		return error;
	fair_sched_advance_time(s, now);
	what = fair_limit_what(limit->kind, limit->resource);
	whose = fair_sched_limited(s, limit);
	was = fair_quotas_get(s->limits, what, whose);
	fair_must(fair_quotas_set(s->limits, what, whose, limit->amount));
	fair_sched_rejoin_limits(s, &s->running);
	fair_sched_rejoin_limits(s, fair_sched_queue(s));
	is = fair_quotas_get(s->limits, what, whose);
	if (is != was)
		fair_sched_apply_limit(s, is < was);
	return 0;
}

/* The limit as the caller knows it. */
static struct fair_limit
fair_sched_describe_limit(const struct fair_sched *s,
			  const struct fair_quotas_of *x)
{
	struct fair_limit limit;

	limit.kind = x->what % FAIR_ENTITY_KINDS;
	limit.resource = x->what / FAIR_ENTITY_KINDS;
	limit.id = x->whose == FAIR_QUOTAS_EACH
			   ? FAIR_LIMIT_EACH
			   : fair_sched_id(s, limit.kind, x->whose);
	limit.amount = x->amount;
	return limit;
}

FAIRSCHED_API bool fair_sched_each_limit(const struct fair_sched *s,
					 uint32_t *at,
					 struct fair_limit *limit)
{
	struct fair_quotas_of x;

	if (!s->limits || !fair_quotas_next(s->limits, at, &x))
		return false;
	*limit = fair_sched_describe_limit(s, &x);
	return true;
}

FAIRSCHED_API bool fair_sched_find_limit(const struct fair_sched *s,
					 const struct fair_job *job,
					 struct fair_limit *limit)
{
	struct fair_quotas_of x;
	struct fair_job indexed;

	job = fair_sched_resolve(s, job, &indexed);
	if (!job || !fair_sched_is_beyond_limit(s, job, &x))
		return false;
	*limit = fair_sched_describe_limit(s, &x);
	return true;
}
