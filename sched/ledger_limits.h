/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_limits.h - the ledger of limits: what live jobs hold of them
 *
 *   a job is queued --> it belongs to its limits       --> quotas.h
 *   the space       --> holds what is reserved for it
 *   it starts, its end changes --> the ledger holds that
 *   it leaves       --> it holds nothing
 *
 * The space of the planner asks the limits and tells them what it reserves, see
 * fair_space_limit_by(); the ledger tells them of running jobs.
 *
 * Uses: policy.h.
 */

/* What limits may be of: a resource of a kind of entity. */
#define FAIR_LIMIT_WHATS                                                       \
	((uint32_t)FAIR_ENTITY_KINDS * (uint32_t)FAIR_LIMIT_RESOURCES)

static uint32_t fair_limit_what(uint32_t kind, uint32_t resource)
{
	return resource * FAIR_ENTITY_KINDS + kind;
}

/* Beyond the last resource that a limit of this machine may be of. */
static uint32_t fair_limit_resources(uint32_t resources)
{
	return FAIR_LIMIT_PROCS + resources;
}

/* What a live job holds of a resource. */
static int64_t fair_live_limited(const struct fair_sched *s, uint32_t slot,
				 uint32_t resource)
{
	if (resource == FAIR_LIMIT_JOBS)
		return 1;
	return resource == FAIR_LIMIT_PROCS
		       ? s->live[slot].queued.procs
		       : fair_sched_claim(s, slot)
				 .amount[resource - FAIR_LIMIT_PROCS];
}

static const char *fair_ledger_limits_error(const struct fair_config *config)
{
	uint32_t n = config->machine ? config->machine->resources : 1, i;
	const struct fair_limit *l = config->limit;

	if (!fair_config_row(config)->planner)
		return "limits do not go with FAIR_CUSTOM";
	for (i = 0; l && i < config->limits; i++)
		if (l[i].kind >= FAIR_ENTITY_KINDS || l[i].amount < 0 ||
		    l[i].resource >= fair_limit_resources(n))
			return "limit has a kind, a resource or an amount that"
			       " is none";
	return NULL;
}

static size_t fair_ledger_limits_size(const struct fair_config *config)
{
	return fair_ledger_bytes(sizeof(struct fair_quotas),
				 fair_quotas_size(FAIR_LIMIT_WHATS,
						  config->limits,
						  config->jobs));
}

/* The index of the entity of a limit; FAIR_NO_ENTITY: there is none. */
static uint32_t fair_sched_limited(const struct fair_sched *s,
				   const struct fair_limit *limit)
{
	return limit->id == FAIR_LIMIT_EACH
		       ? FAIR_QUOTAS_EACH
		       : fair_sched_index(s, limit->kind, limit->id);
}

static int fair_ledger_limits_init(struct fair_sched *s, void *ledger)
{
	struct fair_quotas *l = (struct fair_quotas *)ledger;
	const struct fair_limit *limit = s->config.limit;
	size_t size = fair_quotas_size(FAIR_LIMIT_WHATS, s->config.limits,
				       s->config.jobs);
	int error = fair_quotas_init(l, sizeof(*l), l + 1, size,
				     FAIR_LIMIT_WHATS, s->config.limits,
				     s->config.jobs);
	uint32_t i;

	for (i = 0; limit && !error && i < s->config.limits; i++) {
		if (fair_sched_limited(s, limit + i) == FAIR_NO_ENTITY &&
		    limit[i].id != FAIR_LIMIT_EACH)
			return -FAIR_EINVAL;
		error = fair_quotas_set(
			l, fair_limit_what(limit[i].kind, limit[i].resource),
			fair_sched_limited(s, limit + i), limit[i].amount);
	}
	return error;
}

/* JOBS */

/* The job in @slot, which is queued or runs, belongs to its limits. */
static void fair_sched_join_limits(struct fair_sched *s, uint32_t slot)
{
	uint32_t most = fair_limit_resources(fair_sched_resources(s));
	const struct fair_live *j = s->live + slot;
	struct fair_quotas_of of[FAIR_LIMIT_WHATS];
	uint32_t kind, resource, n = 0;

	for (kind = 0; s->limits && kind < FAIR_ENTITY_KINDS; kind++)
		for (resource = 0; resource < most; resource++) {
			of[n].what = fair_limit_what(kind, resource);
			of[n].whose = fair_live_index(j, kind);
			of[n].amount = fair_live_limited(s, slot, resource);
			n += fair_quotas_counts(s->limits, of[n].what) &&
			     of[n].whose != FAIR_NO_ENTITY;
		}
	if (s->limits)
		fair_quotas_join(s->limits, slot, of, n);
}

static void fair_sched_copy_limited_jobs(const struct fair_sched *s,
					 struct fair_quotas *to,
					 const struct fair_queue *q,
					 const uint32_t *slot)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t from;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		from = fair_queue_slot(q, at);
		fair_quotas_copy_job(to, slot[from], s->limits, from);
	}
}

static void fair_ledger_limits_clone(struct fair_sched *copy, void *ledger,
				     const struct fair_sched *s,
				     const void *from, const uint32_t *slot)
{
	struct fair_quotas *l = (struct fair_quotas *)ledger;
	size_t size = fair_quotas_size(FAIR_LIMIT_WHATS, s->config.limits,
				       s->config.jobs);

	(void)copy;
	fair_must(fair_quotas_clone(l, l + 1, size,
				    (const struct fair_quotas *)from));
	fair_sched_copy_limited_jobs(s, l, &s->running, slot);
	fair_sched_copy_limited_jobs(s, l, fair_sched_queue(s), slot);
}

static void fair_ledger_limits_notify(struct fair_sched *s, void *ledger,
				      uint32_t event, uint32_t slot,
				      int64_t was)
{
	struct fair_quotas *l = (struct fair_quotas *)ledger;

	(void)was;
	if (event == FAIR_LEDGER_QUEUED)
		fair_sched_join_limits(s, slot);
	if (event == FAIR_LEDGER_WITHDRAWN || event == FAIR_LEDGER_ENDED)
		fair_quotas_leave(l, slot);
	if (event == FAIR_LEDGER_STARTED || event == FAIR_LEDGER_EXTENDED)
		fair_quotas_hold(l, slot, s->now,
				 fair_live_end(s->live + slot));
	if (event == FAIR_LEDGER_EXTENDED && s->planner->promises)
		l->exceeded |= fair_quotas_is_over(l, slot);
}

/* The first limit that has less in all than a job asks for; @job: with indexes.
 */
static bool fair_sched_is_beyond_limit(const struct fair_sched *s,
				       const struct fair_job *job,
				       struct fair_quotas_of *limit)
{
	uint32_t most = fair_limit_resources(fair_sched_resources(s));
	struct fair_job ids = *job;
	uint32_t kind, resource;
	int64_t asked;

	for (kind = 0; s->limits && kind < FAIR_ENTITY_KINDS; kind++)
		for (resource = 0; resource < most; resource++) {
			limit->what = fair_limit_what(kind, resource);
			limit->whose = (uint32_t)*fair_job_id(&ids, kind);
			if (!fair_quotas_counts(s->limits, limit->what) ||
			    limit->whose == FAIR_NO_ENTITY)
				continue;
			limit->amount = fair_quotas_get(s->limits, limit->what,
							limit->whose);
			asked = resource == FAIR_LIMIT_JOBS
					? 1
					: fair_job_amount(
						  job,
						  resource - FAIR_LIMIT_PROCS);
			if (asked > limit->amount)
				return true;
		}
	return false;
}

/* 0, or why no machine could start the job. */
static int fair_sched_validate_limits(const struct fair_sched *s,
				      const struct fair_job *job)
{
	struct fair_quotas_of limit;
	struct fair_job indexed;

	if (!s->limits)
		return 0;
	job = fair_sched_resolve(s, job, &indexed);
	return fair_sched_is_beyond_limit(s, job, &limit) ? -FAIR_ERANGE : 0;
}

/* Whether the limits of a running job have room for @more of each resource of
 * it until its planned end. */
static bool fair_sched_can_grow_in_limits(const struct fair_sched *s,
					  uint32_t slot, const int32_t *more)
{
	uint32_t n = s->limits ? fair_sched_resources(s) : 0, r;

	for (r = 0; r < n; r++)
		if (more[r] > 0 &&
		    !fair_quotas_can_grow(
			    s->limits, slot,
			    fair_limit_what(0, FAIR_LIMIT_PROCS + r),
			    FAIR_ENTITY_KINDS, more[r]))
			return false;
	return true;
}

/* An entity without jobs is removed, and its limits. */
static void fair_sched_drop_limits(struct fair_sched *s, uint32_t kind,
				   uint32_t index)
{
	uint32_t resource;

	for (resource = 0; s->limits && resource < FAIR_LIMIT_RESOURCES;
	     resource++)
		fair_must(fair_quotas_set(s->limits,
					  fair_limit_what(kind, resource),
					  index, FAIR_QUOTAS_NONE));
}

/* What the limits of a job ask it to wait for, if it does. */
static void fair_ledger_limits_explain(const struct fair_sched *s,
				       const void *ledger, uint32_t slot,
				       struct fair_why *w)
{
	const struct fair_quotas *l = (const struct fair_quotas *)ledger;
	const struct fair_live *j = s->live + slot;
	int64_t until = s->planner->promises ? fair_live_promise(j)
					     : FAIR_FOREVER;
	struct fair_quotas_of limit;
	uint32_t resource;

	if (j->state != FAIR_QUEUED || until <= s->now ||
	    !fair_quotas_blocker(l, slot, s->now, j->queued.walltime, until,
				 &limit, &w->limit.used))
		return;
	resource = limit.what / FAIR_ENTITY_KINDS;
	w->reasons |= FAIR_WHY_LIMIT;
	w->limit.kind =
		(enum fair_throttle_kind)(limit.what % FAIR_ENTITY_KINDS);
	w->limit.resource = resource == FAIR_LIMIT_JOBS ? FAIR_THROTTLE_JOBS
							: FAIR_THROTTLE_PROCS;
	if (resource > FAIR_LIMIT_PROCS)
		w->limit.resource =
			(enum fair_throttle_resource)(FAIR_THROTTLE_RESOURCES +
						      resource -
						      FAIR_LIMIT_PROCS);
	w->limit.limit = limit.amount;
	w->limit.asked = fair_live_limited(s, slot, resource);
}

/* CHECKPOINTS: the limits; what jobs hold of them, these tell. */

#define FAIR_LIMITS_SECTION 73

static void fair_fields_limit(struct fair_checkpoint *f,
			      struct fair_quotas_of *limit)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u32(f, &limit->what);
	fair_checkpoint_u32(f, &limit->whose);
	fair_checkpoint_i64(f, &limit->amount);
}

static void fair_ledger_limits_save(const struct fair_sched *s,
				    const void *ledger,
				    struct fair_checkpoint *f)
{
	const struct fair_quotas *l = (const struct fair_quotas *)ledger;
	struct fair_quotas_of limit;
	uint32_t at = 0;

	(void)s;
	fair_checkpoint_section(f, FAIR_LIMITS_SECTION, l->own, 3);
	while (fair_quotas_next(l, &at, &limit))
		fair_fields_limit(f, &limit);
}

/* How many a checkpoint has. */
static uint32_t fair_limits_saved(struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_LIMITS_SECTION, 0, 0);

	f->bad |= n > UINT32_MAX;
	return (uint32_t)n;
}

/* Those that the configuration has are replaced. */
static void fair_ledger_limits_preload(struct fair_sched *s, void *ledger,
				       struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_LIMITS_SECTION, 0, 0);
	struct fair_quotas *l = (struct fair_quotas *)ledger;
	struct fair_quotas_of limit = { 0, 0, 0 };
	uint32_t at = 0;

	while (fair_quotas_next(l, &at, &limit))
		fair_must(fair_quotas_set(l, limit.what, limit.whose,
					  FAIR_QUOTAS_NONE));
	while (n-- && !f->bad) {
		fair_fields_limit(f, &limit);
		f->bad |= limit.what >= FAIR_LIMIT_WHATS ||
			  limit.amount == FAIR_QUOTAS_NONE ||
			  (s->ids && limit.whose != FAIR_QUOTAS_EACH &&
			   !fair_ids_has(s->ids +
						 limit.what % FAIR_ENTITY_KINDS,
					 limit.whose)) ||
			  fair_quotas_set(l, limit.what, limit.whose,
					  limit.amount);
	}
}

/* Until when a job holds its limits, after now; INT64_MIN: it does not. */
static int64_t fair_quotas_held_until(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_quotas_job *x = s->limits->job + slot;

	return x->from < x->end && x->end > s->now ? x->end : INT64_MIN;
}

/* Until when it should. */
static int64_t fair_live_holds_until(const struct fair_sched *s,
				     const struct fair_live *j)
{
	int64_t end = fair_live_end(j);

	if (j->state == FAIR_QUEUED && fair_live_promise(j) == FAIR_FOREVER)
		return INT64_MIN;
	if (j->state == FAIR_QUEUED)
		end += j->queued.walltime;
	return end > s->now ? end : INT64_MIN;
}

/* Whether each job of @q does, and a queued one with others that do not exceed
 * its limits. */
static bool fair_limits_are_held(const struct fair_sched *s,
				 const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_live *j;
	uint32_t slot;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(q, at);
		j = s->live + slot;
		if (fair_quotas_held_until(s, slot) !=
			    fair_live_holds_until(s, j) ||
		    (j->state == FAIR_QUEUED &&
		     fair_quotas_is_over(s->limits, slot)))
			return false;
	}
	return true;
}

static int fair_ledger_limits_check(const struct fair_sched *s,
				    const void *ledger)
{
	return fair_quotas_check((const struct fair_quotas *)ledger) ||
	       !fair_limits_are_held(s, &s->running) ||
	       (s->planner->promises &&
		!fair_limits_are_held(s, fair_sched_queue(s)));
}

static const struct fair_ledger_ops fair_ledger_limits = {
	"limits",
	false, /* spreads */
	0,     /* saves */
	fair_ledger_limits_error,
	fair_ledger_limits_size,
	fair_ledger_limits_init,
	fair_ledger_limits_clone,
	NULL, /* order */
	NULL, /* group */
	NULL, /* prepare */
	NULL, /* gate */
	NULL, /* veto */
	NULL, /* admit */
	NULL, /* submit */
	fair_ledger_limits_notify,
	NULL, /* modify */
	NULL, /* can_grow */
	NULL, /* next */
	NULL, /* can_change */
	NULL, /* describe */
	fair_ledger_limits_explain,
	NULL, /* keep_place */
	fair_ledger_limits_save,
	NULL, /* load */
	fair_ledger_limits_check,
	NULL, /* read */
	NULL, /* write */
	fair_ledger_limits_preload,
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};
