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

/* What limits may be of: a resource of a kind. */
#define FAIR_LIMIT_WHATS                                                       \
	((uint32_t)FAIR_LIMIT_KINDS * (uint32_t)FAIR_LIMIT_RESOURCES)

/* Of a resource, most that a job belongs to: one of each kind, and accounts of
 * the tree; and of all. */
#define FAIR_LIMIT_OWNERS ((uint32_t)FAIR_LIMIT_TREE + FAIR_LIMIT_LEVELS)
#define FAIR_LIMIT_MOST (FAIR_LIMIT_OWNERS * (uint32_t)FAIR_LIMIT_RESOURCES)

static uint32_t fair_limit_what(uint32_t kind, uint32_t resource)
{
	return resource * FAIR_LIMIT_KINDS + kind;
}

/* The kind of the entity that has the limit; users are nodes of the tree. */
static uint32_t fair_limit_entity(uint32_t kind)
{
	if (kind == FAIR_LIMIT_TREE)
		return FAIR_ENTITY_USER;
	return kind < FAIR_ENTITY_KINDS
		       ? kind
		       : kind - FAIR_LIMIT_GROUP_USER + FAIR_ENTITY_GROUP;
}

/* Beyond the last resource that a limit of this machine may be of. */
static uint32_t fair_limit_resources(uint32_t resources)
{
	return FAIR_LIMIT_PROCS + resources;
}

static uint32_t fair_limit_resources_of(const struct fair_config *config)
{
	return fair_limit_resources(config->machine ? config->machine->resources
						    : 1);
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
	uint32_t n = fair_limit_resources_of(config), i;
	const struct fair_limit *l = config->limit;

	if (!fair_config_row(config)->planner)
		return "limits do not go with FAIR_CUSTOM";
	for (i = 0; l && i < config->limits; i++)
		if (l[i].kind >= FAIR_LIMIT_KINDS || l[i].amount < 0 ||
		    l[i].resource >= n)
			return "limit has a kind, a resource or an amount that"
			       " is none";
	return NULL;
}

/* Most limits of a job. */
static uint32_t fair_limits_most(const struct fair_config *config)
{
	uint32_t owners = FAIR_LIMIT_TREE;

	if (config->order == FAIR_ORDER_TREE)
		owners = FAIR_LIMIT_OWNERS;
	return owners * fair_limit_resources_of(config);
}

static size_t fair_limits_size(const struct fair_config *config)
{
	return fair_quotas_size(FAIR_LIMIT_WHATS, config->limits, config->jobs,
				fair_limits_most(config));
}

static size_t fair_ledger_limits_size(const struct fair_config *config)
{
	return fair_ledger_bytes(sizeof(struct fair_quotas),
				 fair_limits_size(config));
}

/* Whether @node is an account of the tree. */
static bool fair_limit_has_account(const struct fair_fairtree *f, uint64_t node)
{
	return f && node < f->nodes &&
	       fair_fairtree_has_account(f, (uint32_t)node);
}

/* The index of the entity of a limit; FAIR_NO_ENTITY: there is none. */
static uint32_t fair_sched_limited(const struct fair_sched *s,
				   const struct fair_fairtree *f,
				   const struct fair_limit *limit)
{
	if (limit->kind == FAIR_LIMIT_TREE)
		return fair_limit_has_account(f, limit->id)
			       ? (uint32_t)limit->id
			       : FAIR_NO_ENTITY;
	return limit->id == FAIR_LIMIT_EACH
		       ? FAIR_QUOTAS_EACH
		       : fair_sched_index(s, fair_limit_entity(limit->kind),
					  limit->id);
}

/* Whether there is such an entity, or all of its kind have the limit. */
static bool fair_sched_is_limited_kind(const struct fair_sched *s,
				       const struct fair_fairtree *f,
				       const struct fair_limit *limit)
{
	return fair_sched_limited(s, f, limit) != FAIR_NO_ENTITY ||
	       (limit->id == FAIR_LIMIT_EACH && limit->kind != FAIR_LIMIT_TREE);
}

/* THE TREE */

/* Whether an account of the tree has a limit. */
static bool fair_quotas_has_account(const struct fair_quotas *l,
				    uint32_t account)
{
	uint32_t r, what;

	for (r = 0; r < FAIR_LIMIT_RESOURCES; r++) {
		what = fair_limit_what(FAIR_LIMIT_TREE, r);
		if (fair_quotas_counts(l, what) &&
		    fair_quotas_get(l, what, account) != FAIR_QUOTAS_NONE)
			return true;
	}
	return false;
}

/* The account that a node is below; FAIR_FAIRTREE_ROOT: none. */
static uint32_t fair_limit_above(const struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_info info;

	/* The node exists, and those above it. */
	fair_must(fair_fairtree_info_of(f, node, &info));
	return info.parent;
}

/* How many accounts from a node up have limits. */
static uint32_t fair_limit_levels(const struct fair_quotas *l,
				  const struct fair_fairtree *f, uint32_t node)
{
	uint32_t n = 0;

	for (; node != FAIR_FAIRTREE_ROOT; node = fair_limit_above(f, node))
		n += fair_quotas_has_account(l, node);
	return n;
}

/* Whether the way from @node to the root leads by @account. */
static bool fair_limit_is_below(const struct fair_fairtree *f, uint32_t node,
				uint32_t account)
{
	while (node != account && node != FAIR_FAIRTREE_ROOT)
		node = fair_limit_above(f, node);
	return node == account;
}

/* The most accounts with limits on a way from below @account, or @account, to
 * the root. */
static uint32_t fair_limit_most_levels(const struct fair_quotas *l,
				       const struct fair_fairtree *f,
				       uint32_t account)
{
	uint32_t most = 0, n, i;

	for (i = 0; i < f->nodes; i++) {
		if ((!fair_fairtree_has_user(f, i) &&
		     !fair_fairtree_has_account(f, i)) ||
		    !fair_limit_is_below(f, i, account))
			continue;
		n = fair_limit_levels(l, f, i);
		most = n > most ? n : most;
	}
	return most;
}

/* Whether each limit of the tree is one of an account, and there are not too
 * many one below another. */
static bool fair_limits_fit_tree(const struct fair_quotas *l,
				 const struct fair_fairtree *f)
{
	struct fair_quotas_of x;
	uint32_t at = 0;

	while (fair_quotas_next(l, &at, &x))
		if (x.what % FAIR_LIMIT_KINDS == FAIR_LIMIT_TREE &&
		    !fair_limit_has_account(f, x.whose))
			return false;
	return !f || fair_limit_most_levels(l, f, FAIR_FAIRTREE_ROOT) <=
			     FAIR_LIMIT_LEVELS;
}

static int fair_ledger_limits_init(struct fair_sched *s, void *ledger)
{
	struct fair_quotas *l = (struct fair_quotas *)ledger;
	const struct fair_limit *limit = s->config.limit;
	const struct fair_fairtree *f =
		s->config.order == FAIR_ORDER_TREE ? s->config.tree : NULL;
	int error = fair_quotas_init(l, sizeof(*l), l + 1,
				     fair_limits_size(&s->config),
				     FAIR_LIMIT_WHATS, s->config.limits,
				     s->config.jobs,
				     fair_limits_most(&s->config));
	uint32_t i;

	for (i = 0; limit && !error && i < s->config.limits; i++) {
		if (!fair_sched_is_limited_kind(s, f, limit + i))
			return -FAIR_EINVAL;
		error = fair_quotas_set(
			l, fair_limit_what(limit[i].kind, limit[i].resource),
			fair_sched_limited(s, f, limit + i), limit[i].amount);
	}
	return error || fair_limits_fit_tree(l, f) ? error : -FAIR_EINVAL;
}

/* JOBS */

/* The limits of @what that hold for a job of the entities @index, behind the
 * first @n. Return: how many there are then. */
static uint32_t fair_sched_add_limits_of(const struct fair_sched *s,
					 const uint32_t *index, uint32_t what,
					 struct fair_quotas_of *of, uint32_t n)
{
	uint32_t user = index[FAIR_ENTITY_USER], kind = what % FAIR_LIMIT_KINDS;
	const struct fair_fairtree *f;
	uint32_t node;

	of[n].what = what;
	of[n].part = kind < FAIR_ENTITY_KINDS ? 0 : user + 1;
	of[n].whose = index[fair_limit_entity(kind)];
	if (kind != FAIR_LIMIT_TREE)
		return n + (of[n].whose != FAIR_NO_ENTITY &&
			    (kind < FAIR_ENTITY_KINDS ||
			     user != FAIR_NO_ENTITY));
	f = fair_sched_tree(s);
	node = f && fair_fairtree_has_user(f, user) ? user : FAIR_FAIRTREE_ROOT;
	for (; node != FAIR_FAIRTREE_ROOT; node = fair_limit_above(f, node)) {
		if (fair_quotas_get(s->limits, what, node) == FAIR_QUOTAS_NONE)
			continue;
		of[n].what = what;
		of[n].part = 0;
		of[n++].whose = node;
	}
	return n;
}

/* All of them; none without limits. */
static uint32_t fair_sched_limits_of(const struct fair_sched *s,
				     const uint32_t *index,
				     struct fair_quotas_of *of)
{
	uint32_t n = 0, i = 0, what;

	while (s->limits &&
	       (what = fair_quotas_counted(s->limits, i++)) != UINT32_MAX)
		n = fair_sched_add_limits_of(s, index, what, of, n);
	return n;
}

/* The job in @slot, which is queued or runs, belongs to its limits. */
FAIR_APART static void fair_sched_join_limits(struct fair_sched *s,
					      uint32_t slot)
{
	struct fair_quotas_of of[FAIR_LIMIT_MOST];
	uint32_t index[FAIR_ENTITY_KINDS], i, n;

	for (i = 0; i < FAIR_ENTITY_KINDS; i++)
		index[i] = fair_live_index(s->live + slot, i);
	n = fair_sched_limits_of(s, index, of);
	for (i = 0; i < n; i++)
		of[i].amount = fair_live_limited(s, slot,
						 of[i].what / FAIR_LIMIT_KINDS);
	if (n)
		fair_quotas_join(s->limits, slot, of, n);
}

/* The jobs of @q belong to the limits of now, and hold them as before. */
static void fair_sched_rejoin_queued(struct fair_sched *s,
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

static void fair_sched_rejoin_limits(struct fair_sched *s)
{
	fair_sched_rejoin_queued(s, &s->running);
	fair_sched_rejoin_queued(s, fair_sched_queue(s));
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

	(void)copy;
	fair_must(fair_quotas_clone(l, l + 1, fair_limits_size(&s->config),
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
	switch (event) {
	case FAIR_LEDGER_QUEUED:
		fair_sched_join_limits(s, slot);
		break;
	case FAIR_LEDGER_WITHDRAWN:
	case FAIR_LEDGER_ENDED:
		fair_quotas_leave(l, slot);
		break;
	case FAIR_LEDGER_STARTED:
		fair_quotas_hold(l, slot, s->now,
				 fair_live_end(s->live + slot));
		break;
	case FAIR_LEDGER_EXTENDED:
		fair_quotas_hold(l, slot, s->now,
				 fair_live_end(s->live + slot));
		if (s->planner->promises)
			l->exceeded |= fair_quotas_is_over(l, slot);
		break;
	default:
		break;
	}
}

/* The first limit that has less in all than a job asks for; @job: with indexes.
 */
static bool fair_sched_is_beyond_limit(const struct fair_sched *s,
				       const struct fair_job *job,
				       struct fair_quotas_of *limit)
{
	struct fair_quotas_of of[FAIR_LIMIT_MOST];
	uint32_t index[FAIR_ENTITY_KINDS], n, i, resource;
	struct fair_job ids = *job;

	for (i = 0; i < FAIR_ENTITY_KINDS; i++)
		index[i] = (uint32_t)*fair_job_id(&ids, i);
	n = fair_sched_limits_of(s, index, of);
	for (i = 0; i < n; i++) {
		resource = of[i].what / FAIR_LIMIT_KINDS;
		of[i].amount = fair_quotas_get(s->limits, of[i].what,
					       of[i].whose);
		if ((resource == FAIR_LIMIT_JOBS
			     ? 1
			     : fair_job_amount(job,
					       resource - FAIR_LIMIT_PROCS)) >
		    of[i].amount) {
			*limit = of[i];
			return true;
		}
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
			    FAIR_LIMIT_KINDS, more[r]))
			return false;
	return true;
}

/* An entity without jobs, or an account of the tree, is removed, and its
 * limits. */
static void fair_sched_drop_limits(struct fair_sched *s, bool account,
				   uint32_t entity, uint32_t index)
{
	uint32_t what, kind;

	for (what = 0; s->limits && what < FAIR_LIMIT_WHATS; what++) {
		kind = what % FAIR_LIMIT_KINDS;
		if (account == (kind == FAIR_LIMIT_TREE) &&
		    fair_limit_entity(kind) == entity)
			fair_must(fair_quotas_set(s->limits, what, index,
						  FAIR_QUOTAS_NONE));
	}
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
	resource = limit.what / FAIR_LIMIT_KINDS;
	w->reasons |= FAIR_WHY_LIMIT;
	w->limit.kind =
		(enum fair_throttle_kind)(limit.what % FAIR_LIMIT_KINDS);
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

#define FAIR_LIMITS_SECTION 74

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
	struct fair_quotas_of limit = { 0, 0, 0, 0 };
	uint32_t at = 0;

	while (fair_quotas_next(l, &at, &limit))
		fair_must(fair_quotas_set(l, limit.what, limit.whose,
					  FAIR_QUOTAS_NONE));
	while (n-- && !f->bad) {
		fair_fields_limit(f, &limit);
		f->bad |= limit.amount == FAIR_QUOTAS_NONE ||
			  (s->ids && limit.whose != FAIR_QUOTAS_EACH &&
			   !fair_ids_has(s->ids + fair_limit_entity(
							  limit.what %
							  FAIR_LIMIT_KINDS),
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
