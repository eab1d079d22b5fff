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

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

#define FAIR_LIMITS_SECTION 74

/* How many a checkpoint has. */
static uint32_t fair_limits_saved(struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_LIMITS_SECTION, 0, 0);

	f->bad |= n > UINT32_MAX;
	return (uint32_t)n;
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

#ifndef FAIRSCHED_WITHOUT_LIMITS

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

/* Whether a limit of a machine of @resources may be of that. */
static bool fair_limit_has_resource(const struct fair_config *config,
				    uint32_t resources, uint32_t resource)
{
	return resource < FAIR_LIMIT_PROCS + resources ||
	       (resource == FAIR_LIMIT_COST && config->billing) ||
	       resource == FAIR_LIMIT_BUDGET;
}

/* Whether it is of one owner, or may be of each, or of users within one. */
static bool fair_limit_has_owner(const struct fair_limit *limit)
{
	return limit->resource != FAIR_LIMIT_BUDGET ||
	       (limit->id != FAIR_LIMIT_EACH &&
		(limit->kind < FAIR_ENTITY_KINDS ||
		 limit->kind == FAIR_LIMIT_TREE));
}

static uint32_t fair_config_resources(const struct fair_config *config)
{
	return config->machine ? config->machine->resources : 1;
}

/* @rate * @seconds, or the most that counts. */
static int64_t fair_limit_product(int64_t rate, int64_t seconds)
{
	return rate && seconds > FAIR_QUOTAS_SPENT / rate ? FAIR_QUOTAS_SPENT
							  : rate * seconds;
}

/* What so many seconds at @rate, in 2^-20, are of a budget, rounded up. */
static int64_t fair_limit_spends(int64_t rate, int64_t seconds)
{
	int64_t part = fair_limit_product(rate % FAIR_PENALTY_ONE, seconds);

	return fair_limit_product(rate / FAIR_PENALTY_ONE, seconds) +
	       (part + FAIR_PENALTY_ONE - 1) / FAIR_PENALTY_ONE;
}

/* The same of a live job. */
static int64_t fair_live_spends(const struct fair_sched *s, uint32_t slot,
				int64_t seconds)
{
	return fair_limit_spends(s->config.billing
					 ? fair_sched_second_cost(s, slot)
					 : s->live[slot].queued.procs *
						   FAIR_PENALTY_ONE,
				 seconds);
}

/* What a live job holds of a limit of cost, or counts as for a budget. */
FAIR_APART static int64_t fair_live_costs(const struct fair_sched *s,
					  uint32_t slot, uint32_t resource)
{
	return resource == FAIR_LIMIT_COST
		       ? fair_sched_second_cost(s, slot)
		       : fair_live_spends(s, slot,
					  s->live[slot].queued.walltime);
}

/* What a live job holds of a resource. */
static inline int64_t fair_live_limited(const struct fair_sched *s,
					uint32_t slot, uint32_t resource)
{
	if (resource == FAIR_LIMIT_JOBS)
		return 1;
	if (resource == FAIR_LIMIT_PROCS)
		return s->live[slot].queued.procs;
	return resource < FAIR_LIMIT_COST
		       ? fair_sched_claim(s, slot)
				 .amount[resource - FAIR_LIMIT_PROCS]
		       : fair_live_costs(s, slot, resource);
}

static const char *fair_ledger_limits_error(const struct fair_config *config)
{
	uint32_t n = fair_config_resources(config), i;
	const struct fair_planner_ops *planner = fair_config_planner(config);
	const struct fair_limit *l = config->limit;

	if (planner && !planner->space)
		return "limits need a planner that has a space";
	for (i = 0; l && i < config->limits; i++)
		if (l[i].kind >= FAIR_LIMIT_KINDS || l[i].amount < 0 ||
		    !fair_limit_has_resource(config, n, l[i].resource) ||
		    !fair_limit_has_owner(l + i))
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
	return owners * (FAIR_LIMIT_PROCS + fair_config_resources(config) +
			 (config->billing ? 2 : 1));
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
#ifndef FAIRSCHED_WITHOUT_TREE
	return f && node < f->nodes &&
	       fair_fairtree_has_account(f, (uint32_t)node);
#else /* FAIRSCHED_WITHOUT_TREE */
	return f && node && false;
#endif /* FAIRSCHED_WITHOUT_TREE */
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

#ifndef FAIRSCHED_WITHOUT_TREE

/* The account that a node is below; FAIR_FAIRTREE_ROOT: none. */
static uint32_t fair_limit_above(const struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_info info;

	info.parent = FAIR_FAIRTREE_ROOT;
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

#endif /* FAIRSCHED_WITHOUT_TREE */

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
#ifndef FAIRSCHED_WITHOUT_TREE
	return !f || fair_limit_most_levels(l, f, FAIR_FAIRTREE_ROOT) <=
			     FAIR_LIMIT_LEVELS;
#else /* FAIRSCHED_WITHOUT_TREE */
	return !f;
#endif /* FAIRSCHED_WITHOUT_TREE */
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

	if (!error)
		fair_quotas_budget(l, fair_limit_what(0, FAIR_LIMIT_BUDGET),
				   s->planner->promises);
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
#ifndef FAIRSCHED_WITHOUT_TREE
	const struct fair_fairtree *f = fair_sched_tree(s);
	uint32_t node;
#endif /* FAIRSCHED_WITHOUT_TREE */

	of[n].what = what;
	of[n].part = kind < FAIR_ENTITY_KINDS ? 0 : user + 1;
	of[n].whose = index[fair_limit_entity(kind)];
	if (kind != FAIR_LIMIT_TREE)
		return n + (of[n].whose != FAIR_NO_ENTITY &&
			    (kind < FAIR_ENTITY_KINDS ||
			     user != FAIR_NO_ENTITY));
#ifndef FAIRSCHED_WITHOUT_TREE
	node = f && fair_fairtree_has_user(f, user) ? user : FAIR_FAIRTREE_ROOT;
	for (; node != FAIR_FAIRTREE_ROOT; node = fair_limit_above(f, node)) {
		if (fair_quotas_get(s->limits, what, node) == FAIR_QUOTAS_NONE)
			continue;
		of[n].what = what;
		of[n].part = 0;
		of[n++].whose = node;
	}
#else /* FAIRSCHED_WITHOUT_TREE */
	(void)s;
#endif /* FAIRSCHED_WITHOUT_TREE */
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
	if (!n)
		return;
	fair_quotas_join(s->limits, slot, of, n);
	if (fair_live_is_displaced(s->live + slot)) /* its start was refused */
		fair_quotas_commit(s->limits, slot);
}

/* The job in @slot belongs to the limits of now, and holds them as before. */
static void fair_sched_rejoin_job(struct fair_sched *s, uint32_t slot)
{
	struct fair_quotas_job was = s->limits->job[slot];

	fair_quotas_leave(s->limits, slot);
	fair_sched_join_limits(s, slot);
	fair_quotas_hold(s->limits, slot, was.from, was.end);
	if (s->live[slot].state == FAIR_RUNNING)
		fair_quotas_commit(s->limits, slot);
	else if (was.from >= was.end)
		fair_quotas_give_up(s->limits, slot);
}

/* The same of all jobs of @q. */
static void fair_sched_rejoin_queued(struct fair_sched *s,
				     const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_sched_rejoin_job(s, fair_queue_slot(q, at));
}

static void fair_sched_rejoin_limits(struct fair_sched *s)
{
	uint32_t i;

	fair_sched_rejoin_queued(s, &s->running);
	fair_sched_rejoin_queued(s, fair_sched_queue(s));
	for (i = 0; i < s->ineligibles; i++)
		if (fair_quotas_holds(s->limits, s->ineligible[i].slot))
			fair_sched_rejoin_job(s, s->ineligible[i].slot);
}

/* Queued jobs ask their budgets again, of which one is @budget; NULL: any. */
static void fair_sched_revoke_budgets(struct fair_sched *s,
				      const struct fair_quotas_of *budget)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; s->planner->promises &&
	       fair_queue_next_fitting(q, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(q, at);
		if (!budget || fair_quotas_belongs(s->limits, slot, budget))
			fair_quotas_revoke(s->limits, slot);
	}
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
	uint32_t i;

	(void)copy;
	fair_must(fair_quotas_clone(l, l + 1, fair_limits_size(&s->config),
				    (const struct fair_quotas *)from));
	fair_sched_copy_limited_jobs(s, l, &s->running, slot);
	fair_sched_copy_limited_jobs(s, l, fair_sched_queue(s), slot);
	for (i = 0; i < s->ineligibles; i++)
		fair_quotas_copy_job(l, slot[s->ineligible[i].slot], s->limits,
				     s->ineligible[i].slot);
}

/* What happens to a job that has budgets. */
FAIR_APART static void fair_sched_note_budgets(struct fair_sched *s,
					       uint32_t event, uint32_t slot)
{
	if (event == FAIR_LEDGER_RESIZED)
		fair_sched_rejoin_job(s, slot);
	if (event == FAIR_LEDGER_ENDED)
		fair_quotas_spend(s->limits, slot,
				  fair_live_spends(
					  s, slot,
					  s->now - s->live[slot].started));
}

static void fair_ledger_limits_notify(struct fair_sched *s, void *ledger,
				      uint32_t event, uint32_t slot,
				      int64_t was)
{
	struct fair_quotas *l = (struct fair_quotas *)ledger;

	(void)was;
	switch (event) {
	case FAIR_LEDGER_QUEUED:
		fair_quotas_leave(l, slot); /* a reservation job starts */
		fair_sched_join_limits(s, slot);
		break;
	case FAIR_LEDGER_WITHDRAWN:
	case FAIR_LEDGER_ENDED:
		if (l->job[slot].budgets)
			fair_sched_note_budgets(s, event, slot);
		fair_quotas_leave(l, slot);
		break;
	case FAIR_LEDGER_STARTED:
		fair_quotas_hold(l, slot, s->now,
				 fair_live_end(s->live + slot));
		break;
	case FAIR_LEDGER_EXTENDED:
		fair_quotas_hold(l, slot, s->now,
				 fair_live_end(s->live + slot));
		if (l->job[slot].asks) /* it may have ended in this second */
			fair_quotas_commit(l, slot);
		if (s->planner->promises)
			l->exceeded |= fair_quotas_is_over(l, slot);
		break;
	case FAIR_LEDGER_RESIZED:
		if (l->job[slot].budgets)
			fair_sched_note_budgets(s, event, slot);
		break;
	default:
		break;
	}
}

/* What a second of a job costs, or else its processors, in 2^-20. */
FAIR_APART static int64_t fair_job_rate(const struct fair_sched *s,
			     const struct fair_job *job)
{
	int32_t amount[FAIR_MACHINE_RESOURCES];
	uint32_t n = fair_sched_resources(s), r;

	if (!s->config.billing)
		return job->procs * FAIR_PENALTY_ONE;
	for (r = 0; r < n; r++)
		amount[r] = fair_job_amount(job, r);
	return fair_sched_amounts_cost(s, amount);
}

/* What a job asks for of a resource; 0 of a budget, which may have room in
 * time. */
static int64_t fair_job_limited(const struct fair_sched *s,
				const struct fair_job *job, uint32_t resource)
{
	if (resource == FAIR_LIMIT_JOBS)
		return 1;
	if (resource < FAIR_LIMIT_COST)
		return fair_job_amount(job, resource - FAIR_LIMIT_PROCS);
	return resource == FAIR_LIMIT_COST ? fair_job_rate(s, job) : 0;
}

/* The first limit that has less in all than a job asks for; @job: with indexes.
 * It holds no reservation job back. */
static bool fair_sched_is_beyond_limit(const struct fair_sched *s,
				       const struct fair_job *job,
				       struct fair_quotas_of *limit)
{
	struct fair_quotas_of of[FAIR_LIMIT_MOST];
	uint32_t index[FAIR_ENTITY_KINDS], n, i;
	struct fair_job ids = *job;

	for (i = 0; i < FAIR_ENTITY_KINDS; i++)
		index[i] = (uint32_t)*fair_job_id(&ids, i);
	n = job->advance ? 0 : fair_sched_limits_of(s, index, of);
	for (i = 0; i < n; i++) {
		of[i].amount = fair_quotas_get(s->limits, of[i].what,
					       of[i].whose);
		if (fair_job_limited(s, job, of[i].what / FAIR_LIMIT_KINDS) >
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

/* Whether limits of cost, and budgets, have room for a running job to be @job
 * for the rest of its walltime. */
static bool fair_sched_can_cost(const struct fair_sched *s, uint32_t slot,
				const struct fair_job *job)
{
	const struct fair_live *j = s->live + slot;
	int64_t rate = fair_job_rate(s, job), more = 0;

	if (s->config.billing)
		more = rate - fair_sched_second_cost(s, slot);
	if (more > 0 &&
	    !fair_quotas_can_grow(s->limits, slot,
				  fair_limit_what(0, FAIR_LIMIT_COST),
				  FAIR_LIMIT_KINDS, more))
		return false;
	more = fair_live_spends(s, slot, s->now - j->started) +
	       fair_limit_spends(rate, job->walltime) -
	       fair_live_spends(s, slot, j->queued.walltime);
	return fair_quotas_can_spend(s->limits, slot, more);
}

/* Whether the limits of a running job have room for @more of each resource of
 * it until its planned end, so that it is @job. */
static bool fair_sched_can_grow_in_limits(const struct fair_sched *s,
					  uint32_t slot, const int32_t *more,
					  const struct fair_job *job)
{
	uint32_t n = s->limits ? fair_sched_resources(s) : 0, r;

	if (fair_sched_bound_to(s, s->live + slot))
		return true; /* they hold none back */
	for (r = 0; r < n; r++)
		if (more[r] > 0 &&
		    !fair_quotas_can_grow(
			    s->limits, slot,
			    fair_limit_what(0, FAIR_LIMIT_PROCS + r),
			    FAIR_LIMIT_KINDS, more[r]))
			return false;
	return !s->limits || fair_sched_can_cost(s, slot, job);
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

#ifndef FAIRSCHED_WITHOUT_WHY
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
	w->reasons |= resource == FAIR_LIMIT_BUDGET ? FAIR_WHY_BUDGET
						    : FAIR_WHY_LIMIT;
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
#endif /* FAIRSCHED_WITHOUT_WHY */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/* CHECKPOINTS: the limits; what jobs hold of them, these tell. Of budgets: what
 * was spent, and which jobs have lost a reservation that they must ask for. */

#define FAIR_SPENT_SECTION 76
#define FAIR_REVOKED_SECTION 77

static void fair_fields_spent(struct fair_checkpoint *f,
			      struct fair_quotas_of *budget)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u32(f, &budget->what);
	fair_checkpoint_u32(f, &budget->whose);
	fair_checkpoint_i64(f, &budget->amount);
}

/* The next budget of which some was spent, and how much. */
static bool fair_limits_next_spent(const struct fair_quotas *l, uint32_t *at,
				   struct fair_quotas_of *budget)
{
	while (fair_quotas_next(l, at, budget)) {
		budget->amount =
			budget->what / FAIR_LIMIT_KINDS == FAIR_LIMIT_BUDGET
				? fair_quotas_spent(l, budget->what,
						    budget->whose)
				: 0;
		if (budget->amount)
			return true;
	}
	return false;
}

static void fair_limits_save_spent(const struct fair_quotas *l,
				   struct fair_checkpoint *f)
{
	struct fair_quotas_of budget;
	uint32_t at = 0, n = 0;

	while (fair_limits_next_spent(l, &at, &budget))
		n++;
	if (n)
		fair_checkpoint_section(f, FAIR_SPENT_SECTION, n, 3);
	for (at = 0; fair_limits_next_spent(l, &at, &budget);)
		fair_fields_spent(f, &budget);
}

static void fair_limits_load_spent(struct fair_quotas *l,
				   struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_SPENT_SECTION, 0, 0);
	struct fair_quotas_of budget = { 0, 0, 0, 0 };

	while (n-- && !f->bad) {
		fair_fields_spent(f, &budget);
		f->bad |= budget.what / FAIR_LIMIT_KINDS !=
				  FAIR_LIMIT_BUDGET ||
			  budget.amount < 0 ||
			  fair_quotas_get(l, budget.what, budget.whose) ==
				  FAIR_QUOTAS_NONE;
		if (!f->bad)
			fair_quotas_set_spent(l, budget.what, budget.whose,
					      budget.amount);
	}
}

/* The next queued job that is displaced and has to ask its budgets. */
static bool fair_limits_next_revoked(const struct fair_sched *s,
				     struct fair_queue_place *at,
				     uint64_t *number)
{
	const struct fair_queue *q = fair_sched_queue(s);
	const struct fair_live *j;
	uint32_t slot;

	while (fair_queue_next_fitting(q, at, INT32_MAX)) {
		slot = fair_queue_slot(q, *at);
		at->index++;
		j = s->live + slot;
		*number = j->queued.rank.number;
		if (fair_live_is_displaced(j) &&
		    s->limits->job[slot].asks)
			return true;
	}
	return false;
}

static void fair_limits_save_revoked(const struct fair_sched *s,
				     struct fair_checkpoint *f)
{
	struct fair_queue_place at = { 0, 0 };
	uint64_t number;
	uint32_t n = 0;

	while (fair_limits_next_revoked(s, &at, &number))
		n++;
	if (n)
		fair_checkpoint_section(f, FAIR_REVOKED_SECTION, n, 1);
	for (at.row = at.index = 0; fair_limits_next_revoked(s, &at, &number);)
		fair_checkpoint_u64(f, &number);
}

/* Queued jobs count for their budgets as they did, or wait for them. */
static void fair_ledger_limits_load(struct fair_sched *s, void *ledger,
				    struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_REVOKED_SECTION, 0, 0);
	struct fair_quotas *l = (struct fair_quotas *)ledger;
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; s->planner->promises &&
	       fair_queue_next_fitting(q, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(q, at);
		if (s->live[slot].queued.rank.key == FAIR_FOREVER)
			fair_quotas_give_up(l, slot);
		else
			fair_quotas_commit(l, slot);
	}
	while (n-- && !f->bad) {
		fair_checkpoint_record(f);
		slot = fair_checkpoint_job(f);
		f->bad |= !f->bad && !fair_live_is_displaced(s->live + slot);
		if (!f->bad)
			fair_quotas_revoke(l, slot);
	}
	l->trusts = false;
}

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

	fair_checkpoint_section(f, FAIR_LIMITS_SECTION, l->own, 3);
	while (fair_quotas_next(l, &at, &limit))
		fair_fields_limit(f, &limit);
	fair_limits_save_spent(l, f);
	fair_limits_save_revoked(s, f);
}

/* Those that the configuration has are replaced. What jobs count for budgets is
 * known when all are loaded, and asked no more. */
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
	fair_limits_load_spent(l, f);
	l->trusts = true;
}
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

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

	if (j->state != FAIR_RUNNING && fair_live_promise(j) == FAIR_FOREVER)
		return INT64_MIN;
	if (j->state != FAIR_RUNNING)
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

/* The same of jobs that wait for their advance reservation. */
static bool fair_limits_are_held_inside(const struct fair_sched *s)
{
	uint32_t i, slot;

	for (i = 0; i < s->ineligibles; i++) {
		slot = s->ineligible[i].slot;
		if (fair_quotas_held_until(s, slot) !=
		    fair_live_holds_until(s, s->live + slot))
			return false;
	}
	return true;
}

static int fair_ledger_limits_check(const struct fair_sched *s,
				    const void *ledger)
{
	return fair_quotas_check((const struct fair_quotas *)ledger) ||
	       !fair_limits_are_held_inside(s) ||
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
	FAIR_EXPLAINS(fair_ledger_limits_explain),
	NULL, /* keep_place */
	FAIR_SAVES(fair_ledger_limits_save),
	FAIR_SAVES(fair_ledger_limits_load),
	fair_ledger_limits_check,
	NULL, /* read */
	NULL, /* write */
	FAIR_SAVES(fair_ledger_limits_preload),
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};

#else /* FAIRSCHED_WITHOUT_LIMITS */

/* There are no limits, see sched/absent.h. */
#define fair_sched_drop_limits fair_absent
#define fair_sched_join_limits fair_absent
#define fair_sched_validate_limits fair_absent
#define fair_sched_can_grow_in_limits(s, slot, more, job)                      \
	(!fair_absent(s, slot, more, job))

#endif /* FAIRSCHED_WITHOUT_LIMITS */
