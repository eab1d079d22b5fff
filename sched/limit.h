/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/limit.h - limits are added, changed and removed
 *
 *   lowered or added   --> a loss: what exceeds it is planned again, by turn
 *   raised or removed  --> all time is freed for it: compression
 *   another one holds  --> both, where the tree changes
 *
 * Uses: events.h.
 */

#ifndef FAIRSCHED_WITHOUT_LIMITS

/* Something was lost by a limit, or freed, or both. */
static void fair_sched_apply_limit(struct fair_sched *s, bool lost, bool freed)
{
	struct fair_event e;

	if (lost) {
		fair_sched_lose_limits(s, freed);
		return;
	}
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (s->planner->end_loss)
		s->planner->end_loss(s, &e, s->now, FAIR_FOREVER);
	fair_sched_react(s);
	fair_planner_replan(s);
}

/* Whether one more account on a way to the root of the tree may have limits. */
static bool fair_sched_has_level(const struct fair_sched *s,
				 const struct fair_limit *limit)
{
#ifndef FAIRSCHED_WITHOUT_TREE
	return limit->kind != FAIR_LIMIT_TREE ||
	       fair_quotas_has_account(s->limits, (uint32_t)limit->id) ||
	       fair_limit_most_levels(s->limits, fair_sched_tree(s),
				      (uint32_t)limit->id) < FAIR_LIMIT_LEVELS;
#else /* FAIRSCHED_WITHOUT_TREE */
	return limit->kind != FAIR_LIMIT_TREE || !s;
#endif /* FAIRSCHED_WITHOUT_TREE */
}

/* What the limit is of, and whose. */
static struct fair_quotas_of
fair_sched_limit_key(const struct fair_sched *s, const struct fair_limit *limit)
{
	struct fair_quotas_of x = { 0, 0, 0, 0 };

	x.what = fair_limit_what(limit->kind, limit->resource);
	x.whose = fair_sched_limited(s, fair_sched_tree(s), limit);
	return x;
}

/* 0, or why the limit cannot be set at @now. */
static int fair_sched_validate_limit(const struct fair_sched *s, int64_t now,
				     const struct fair_limit *limit)
{
	int error = fair_sched_validate_time(s, now);
	uint32_t whose;

	if (error)
		return error;
	if (!limit || !s->limits || limit->kind >= FAIR_LIMIT_KINDS ||
	    !fair_limit_has_resource(&s->config, fair_sched_resources(s),
				     limit->resource) ||
	    !fair_limit_has_owner(limit) || limit->amount < 0)
		return -FAIR_EINVAL;
	if (!fair_sched_is_limited_kind(s, fair_sched_tree(s), limit))
		return -FAIR_ENOENT;
	whose = fair_sched_limited(s, fair_sched_tree(s), limit);
	if (limit->amount != FAIR_LIMIT_NONE &&
	    (!fair_sched_has_level(s, limit) ||
	     fair_quotas_is_full(s->limits,
				 fair_limit_what(limit->kind, limit->resource),
				 whose)))
		return -FAIR_ENOSPC;
	return 0;
}

FAIRSCHED_API int fair_sched_limit(struct fair_sched *s, int64_t now,
				   const struct fair_limit *limit)
{
	int error = fair_sched_validate_limit(s, now, limit);
	struct fair_quotas_of x;
	int64_t was, is;

	if (error)
		return error;
	fair_sched_advance_time(s, now);
	x = fair_sched_limit_key(s, limit);
	was = fair_quotas_get(s->limits, x.what, x.whose);
	fair_must(fair_quotas_set(s->limits, x.what, x.whose, limit->amount));
	fair_sched_rejoin_limits(s);
	is = fair_quotas_get(s->limits, x.what, x.whose);
	if (is < was && limit->resource == FAIR_LIMIT_BUDGET)
		fair_sched_revoke_budgets(s, &x);
	if (is != was)
		fair_sched_apply_limit(s, is < was, is > was);
	return 0;
}

FAIRSCHED_API int fair_sched_set_spent(struct fair_sched *s, int64_t now,
				       const struct fair_limit *budget,
				       int64_t spent)
{
	int error = fair_sched_validate_time(s, now);
	struct fair_quotas_of x;
	struct fair_limit none;
	int64_t was, is;

	if (error)
		return error;
	if (!budget || budget->resource != FAIR_LIMIT_BUDGET || spent < 0)
		return -FAIR_EINVAL;
	none = *budget;
	none.amount = FAIR_LIMIT_NONE; /* it needs no room */
	error = fair_sched_validate_limit(s, now, &none);
	if (error)
		return error;
	x = fair_sched_limit_key(s, budget);
	if (fair_quotas_get(s->limits, x.what, x.whose) == FAIR_QUOTAS_NONE)
		return -FAIR_ENOENT;
	fair_sched_advance_time(s, now);
	was = fair_quotas_spent(s->limits, x.what, x.whose);
	fair_quotas_set_spent(s->limits, x.what, x.whose, spent);
	is = fair_quotas_spent(s->limits, x.what, x.whose);
	if (is > was)
		fair_sched_revoke_budgets(s, &x);
	if (is != was)
		fair_sched_apply_limit(s, is > was, is < was);
	return 0;
}

FAIRSCHED_API int64_t fair_sched_get_spent(const struct fair_sched *s,
					   const struct fair_limit *budget)
{
	struct fair_quotas_of x;

	if (!budget || !s->limits || budget->kind >= FAIR_LIMIT_KINDS ||
	    budget->resource != FAIR_LIMIT_BUDGET)
		return 0;
	x = fair_sched_limit_key(s, budget);
	return fair_quotas_spent(s->limits, x.what, x.whose);
}

/* The limit as the caller knows it. */
static struct fair_limit
fair_sched_describe_limit(const struct fair_sched *s,
			  const struct fair_quotas_of *x)
{
	struct fair_limit limit;

	limit.kind = x->what % FAIR_LIMIT_KINDS;
	limit.resource = x->what / FAIR_LIMIT_KINDS;
	limit.id = x->whose == FAIR_QUOTAS_EACH
			   ? FAIR_LIMIT_EACH
			   : fair_sched_id(s, fair_limit_entity(limit.kind),
					   x->whose);
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

#endif /* FAIRSCHED_WITHOUT_LIMITS */
