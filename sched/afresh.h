/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/afresh.h - the planner that plans afresh at each instant
 *
 * fcfs, easy and depth N, and sfs, relshare and maui, whose ledgers order the
 * queue. Each operation translates a call of the scheduler into one of
 * policies/backfill.h:
 *
 *   fair_planner_ops --> fair_afresh_*() --> fair_backfill_*()
 *
 * Uses: view.h.
 */

/* Variants: how many reservations a plan makes. */
enum fair_afresh_depth {
	FAIR_AFRESH_NONE,  /* none: no job passes the first one (fcfs) */
	FAIR_AFRESH_DEPTH, /* config.depth, at least 1 */
	FAIR_AFRESH_ALL	   /* as many as the ledger says */
};

static struct fair_backfill *fair_afresh_of(const struct fair_sched *s)
{
	return (struct fair_backfill *)s->plan;
}

static struct fair_iteration fair_afresh_iteration(const struct fair_sched *s)
{
	struct fair_iteration it;

	it.now = s->now;
	it.running = &s->running;
	it.context = (void *)(uintptr_t)s;
	return it;
}

static uint32_t fair_afresh_depth(const struct fair_config *config)
{
	uint32_t least = config->select ? 2 : 1;

	switch (fair_config_row(config)->variant) {
	case FAIR_AFRESH_NONE:
		return 0;
	case FAIR_AFRESH_ALL:
		return config->jobs < 2 ? 2 : config->jobs;
	default:
		return config->depth < least ? least : config->depth;
	}
}

static bool fair_afresh_sorts(const struct fair_config *config)
{
	return config->order == FAIR_ORDER_LXF ||
	       config->order == FAIR_ORDER_COMPARE || config->select ||
	       fair_config_orderer(config);
}

static uint32_t fair_afresh_groups(const struct fair_config *config)
{
	const struct fair_ledger_ops *by = fair_config_orderer(config);

	return by && by->group ? config->users : 0;
}

/* Windows in the profile, which classes and nodes need, too. */
static uint32_t fair_afresh_advances(const struct fair_config *config)
{
	return fair_config_needs_space(config) && !config->advances
		       ? 1
		       : config->advances;
}

/* The parts of the memory behind struct fair_backfill, in their order. */
struct fair_afresh_parts {
	size_t groups, backfill, advances;
};

static struct fair_afresh_parts
fair_afresh_lay_out(const struct fair_config *config)
{
	uint32_t depth = fair_afresh_depth(config);
	struct fair_afresh_parts p;

	/* No overflow: the ledger needs more bytes for each user. */
	p.groups = fair_afresh_groups(config) * sizeof(struct fair_group);
	p.backfill = fair_backfill_size(depth, fair_afresh_sorts(config),
					config->jobs);
	p.advances = fair_afresh_advances(config)
			     ? fair_backfill_advances_size(
				       depth, config->jobs,
				       fair_afresh_advances(config))
			     : 0;
	return p;
}

static size_t fair_afresh_size(const struct fair_config *config)
{
	struct fair_afresh_parts p = fair_afresh_lay_out(config);
	uint64_t bytes = (uint64_t)sizeof(struct fair_backfill) + p.groups +
			 p.backfill + p.advances;

	if (!p.backfill || (fair_afresh_advances(config) && !p.advances))
		return 0;
	return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

/* A job as the caller compares it: the pinned one has its size of before. */
static struct fair_job fair_afresh_compared_job(const struct fair_sched *s,
						uint32_t slot)
{
	struct fair_job_status j;

	fair_sched_describe(s, s->live + slot, &j);
	if (slot + 1 == s->pinned) {
		j.job.procs = s->pinned_procs;
		j.job.walltime = s->pinned_walltime;
	}
	return j.job;
}

static bool fair_afresh_is_before_by_caller(const void *context, int64_t now,
					    uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_job x = fair_afresh_compared_job(s, a);
	struct fair_job y = fair_afresh_compared_job(s, b);
	int order = s->config.compare(s->config.context, now, &x, &y);

	if (order)
		return order < 0;
	return fair_rank_is_before(s->live[a].queued.rank,
				   s->live[b].queued.rank);
}

static bool fair_afresh_is_before_by_rank(const void *context, int64_t now,
					  uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;

	(void)now;
	return fair_rank_is_before(s->live[a].queued.rank,
				   s->live[b].queued.rank);
}

/* The ledger orders the jobs, or groups of them; jobs that tie go by rank. */

static bool fair_afresh_is_before_by_ledger(const void *context, int64_t now,
					    uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	int order = fair_ledgers_order(s, a, b);

	return order ? order < 0
		     : fair_afresh_is_before_by_rank(context, now, a, b);
}

static uint32_t fair_afresh_group(const void *context, uint32_t slot)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	const struct fair_ledger *l = fair_ledgers_orderer(s);
	uint32_t group = l->ops->group(s, l->state, slot);

	/* admit() of the ledger sees to it */
	FAIR_ASSERT(group < s->config.users);
	return group;
}

static int fair_afresh_compare_groups(const void *context, uint32_t a,
				      uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	const struct fair_ledger *l = fair_ledgers_orderer(s);

	return l->ops->order(s, l->state, a, b);
}

static bool fair_afresh_gate(const void *context, int64_t now, uint32_t slot)
{
	(void)now;
	return fair_ledgers_gate((const struct fair_sched *)context, slot);
}

static bool fair_afresh_veto(const void *context, int64_t now, uint32_t slot)
{
	return fair_ledgers_veto((const struct fair_sched *)context, slot,
				 now) > now;
}

static void fair_afresh_prepare(void *context, int64_t now, uint32_t slot)
{
	struct fair_sched *s = (struct fair_sched *)context;
	const struct fair_ledger *l = s->ledger;

	(void)now;
	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->prepare)
			l->ops->prepare(s, l->state, slot);
}

/* What ledgers add to a walk. */
static void fair_afresh_walk_by_ledgers(const struct fair_sched *s,
					struct fair_walk *walk)
{
	const struct fair_ledger_ops *by = fair_config_orderer(&s->config);
	const struct fair_ledger *l = s->ledger;

	if (by && by->group) {
		walk->group = fair_afresh_group;
		walk->compare = fair_afresh_compare_groups;
		walk->spreads = by->spreads;
	} else if (by) {
		walk->before = fair_afresh_is_before_by_ledger;
	}
	for (; l < s->ledger + s->ledgers; l++) {
		if (l->ops->gate)
			walk->gate = fair_afresh_gate;
		if (l->ops->veto)
			walk->veto = fair_afresh_veto;
		if (l->ops->prepare)
			walk->prepare = fair_afresh_prepare;
	}
}

/* The order of a walk: by config.order, config.select, ledgers and the row. */
static void fair_afresh_walk(const struct fair_sched *s, struct fair_walk *walk,
			     struct fair_selection *selection)
{
	const struct fair_config *config = &s->config;

	FAIR_MEMSET(walk, 0, sizeof(*walk));
	FAIR_MEMSET(selection, 0, sizeof(*selection));
	if (config->order == FAIR_ORDER_COMPARE)
		walk->before = fair_afresh_is_before_by_caller;
	else if (config->select && config->order != FAIR_ORDER_LXF)
		walk->before = fair_afresh_is_before_by_rank;
	if (config->select) {
		selection->passes = 1;
		selection->limit = config->depth ? config->depth : 1;
		selection->select = config->select;
		selection->metric = config->metric;
		selection->longest = config->longest;
	}
	fair_afresh_walk_by_ledgers(s, walk);
	if (fair_config_row(config)->fill)
		fair_config_row(config)->fill(s, walk, selection);
}

static void fair_afresh_init(struct fair_sched *s, void *state)
{
	const struct fair_config *config = &s->config;
	struct fair_afresh_parts p = fair_afresh_lay_out(config);
	struct fair_backfill *b = (struct fair_backfill *)state;
	char *memory = (char *)(b + 1) + p.groups;
	struct fair_walk walk;
	struct fair_selection selection;

	fair_must(fair_backfill_init(
		b, sizeof(*b), memory, p.backfill, fair_afresh_depth(config),
		fair_afresh_sorts(config), config->jobs, s->live,
		sizeof(*s->live), config->procs, config->origin));
	memory += p.backfill;
	if (fair_afresh_advances(config))
		fair_must(fair_backfill_advances(b, memory, p.advances,
						 fair_afresh_advances(config),
						 config->origin));
	fair_space_limit_by(&b->space, s->limits);
	fair_afresh_walk(s, &walk, &selection);
	walk.groups = (struct fair_group *)(void *)(b + 1);
	walk.group_count = fair_afresh_groups(config);
	fair_must(fair_backfill_walk_by(b, &walk));
	if (selection.passes)
		fair_must(fair_backfill_select_by(b, &selection));
}

static void fair_afresh_clone(struct fair_sched *copy, void *state,
			      const struct fair_sched *s, const uint32_t *slot)
{
	struct fair_afresh_parts p = fair_afresh_lay_out(&s->config);
	struct fair_backfill *b = (struct fair_backfill *)state;
	char *memory = (char *)(b + 1) + p.groups;

	fair_must(fair_backfill_clone(b, memory, p.backfill, copy->live,
				      (struct fair_group *)(void *)(b + 1),
				      fair_afresh_of(s), slot));
	if (fair_afresh_advances(&s->config))
		fair_must(fair_backfill_clone_advances(
			b, memory + p.backfill, p.advances, fair_afresh_of(s)));
	fair_space_limit_by(&b->space, copy->limits);
}

static const struct fair_queue *fair_afresh_queue(const struct fair_sched *s)
{
	return &fair_afresh_of(s)->queue;
}

static struct fair_space *fair_afresh_space(const struct fair_sched *s)
{
	struct fair_backfill *b = fair_afresh_of(s);

	return b->planned ? &b->space : NULL;
}

static void fair_afresh_submit(struct fair_sched *s, struct fair_event *e,
			       uint32_t slot, int64_t priority, bool was_queued)
{
	struct fair_queued *j = &s->live[slot].queued;

	(void)e;
	(void)was_queued;
	if (!(j->mark & (FAIR_MARK_KEPT | FAIR_MARK_TURN)))
		j->turn = FAIR_FOREVER;
	j->mark &= ~(uint32_t)FAIR_MARK_TURN;
	j->rank.key = priority;
	fair_must(fair_backfill_submit(fair_afresh_of(s), slot));
}

static void fair_afresh_withdraw(struct fair_sched *s, struct fair_event *e,
				 uint32_t slot)
{
	(void)e;
	fair_must(fair_backfill_withdraw(fair_afresh_of(s), slot));
}

static void fair_afresh_give_back(struct fair_sched *s, struct fair_event *e,
				  int64_t from, int64_t end,
				  const struct fair_claim *claim)
{
	struct fair_backfill *b = fair_afresh_of(s);

	(void)e;
	if (from > s->now)
		fair_must(fair_backfill_shorten(b, from, end, claim));
	else
		fair_must(fair_backfill_give_back(b, from, end, claim));
}

static void fair_afresh_take(struct fair_sched *s, struct fair_event *e,
			     int64_t from, int64_t end,
			     const struct fair_claim *claim)
{
	struct fair_backfill *b = fair_afresh_of(s);

	(void)e;
	if (end == FAIR_FOREVER)
		fair_must(fair_backfill_shrink(b, from, claim));
	else
		fair_must(fair_backfill_extend(b, s->now, from, end, claim));
}

static void fair_afresh_count(struct fair_sched *s, int32_t procs, int32_t free)
{
	fair_backfill_count(fair_afresh_of(s), procs, free);
}

static void fair_afresh_displace_all(struct fair_sched *s, struct fair_event *e)
{
	(void)e;
	fair_backfill_displace_all(fair_afresh_of(s), s->now);
}

static bool fair_afresh_due(struct fair_sched *s, struct fair_event *e,
			    uint32_t *slot)
{
	const struct fair_iteration it = fair_afresh_iteration(s);

	(void)e;
	return fair_backfill_due(fair_afresh_of(s), &it, slot);
}

static void fair_afresh_replan(struct fair_sched *s)
{
	fair_backfill_replan(fair_afresh_of(s));
}

static uint64_t *fair_afresh_scans(const struct fair_sched *s)
{
	return &fair_afresh_of(s)->scans;
}

static bool fair_afresh_is_unfinished(const struct fair_sched *s)
{
	return fair_backfill_is_paused(fair_afresh_of(s));
}

static void fair_afresh_finish(struct fair_sched *s, struct fair_event *e)
{
	(void)e;
	fair_backfill_abandon(fair_afresh_of(s));
}

static bool fair_afresh_first_reservation(const struct fair_sched *s,
					  struct fair_reservation *r)
{
	const struct fair_backfill *b = fair_afresh_of(s);

	if (!b->reserved)
		return false;
	*r = b->held[0];
	if (!b->planned)
		r->start = b->shadow_time;
	return true;
}

static uint32_t fair_afresh_ahead(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_iteration it = fair_afresh_iteration(s);

	return fair_backfill_ahead(fair_afresh_of(s), &it, slot);
}

/* Reservations that a plan makes before it scans the job in @slot: all, if they
 * are kept. Some ledgers count a reservation; of those there is none as a plan
 * begins. */
static uint32_t fair_afresh_reservations_before(const struct fair_sched *s,
						uint32_t slot)
{
	const struct fair_backfill *b = fair_afresh_of(s);
	struct fair_backfill anew = *b;
	struct fair_sched at = *s;
	struct fair_iteration it;
	uint32_t i = 0;

	if (b->phase.by.keeps)
		return b->reserved;
	anew.reserved = 0;
	at.plan = &anew;
	it = fair_afresh_iteration(&at);
	while (i < b->reserved && b->held[i].slot != slot &&
	       (b->walk.gate || b->phase.by.admits ||
		fair_backfill_goes_before(b, &it, b->held[i].slot, slot)))
		i++;
	return i;
}

/*
 * Room beside the one reservation of easy: all free processors until the shadow
 * time, the extra processors beyond it; see fair_easy_may_backfill().
 */
static void fair_afresh_easy_room(const struct fair_sched *s,
				  const struct fair_queued *j,
				  struct fair_room *r)
{
	const struct fair_backfill *b = fair_afresh_of(s);
	int32_t extra = b->extra_procs < b->free ? b->extra_procs : b->free;
	bool ends_before_shadow = !r->reservations_ahead ||
				  s->now + j->walltime <= b->shadow_time;

	r->procs = ends_before_shadow ? b->free : extra;
	if (b->depth == 0 && r->reservations_ahead)
		r->procs = 0;
	if (j->procs <= r->procs)
		r->walltime = j->walltime;
	else if (b->depth && j->procs <= b->free)
		r->walltime = b->shadow_time - s->now;
}

/* The slot of the first job that could not start; UINT32_MAX: it has left. */
static uint32_t fair_afresh_head(const struct fair_sched *s)
{
	const struct fair_backfill *b = fair_afresh_of(s);

	if (!b->depth)
		return fair_sched_slot(
			s, fair_sched_find(s, b->last_reserved.number));
	if (b->reserved)
		return b->held[0].slot;
	return b->phase.remaining ? b->order.sorted[0] : UINT32_MAX;
}

#ifndef FAIRSCHED_WITHOUT_PROFILE
/* Whether the job in @slot comes behind the end of the first pass, and may not
 * be backfilled. */
static bool fair_afresh_is_behind_pass(const struct fair_sched *s,
				       uint32_t slot, const struct fair_room *r)
{
	const struct fair_iteration it = fair_afresh_iteration(s);
	const struct fair_queued *j = &s->live[slot].queued;
	const struct fair_backfill *b = fair_afresh_of(s);
	const struct fair_selection *by = &b->phase.by;
	uint32_t head = fair_afresh_head(s);

	if (!b->phase.limit_reached || j->mark & FAIR_MARK_RESERVED ||
	    fair_backfill_is_admitted(b, &it, slot) || head == slot ||
	    head == UINT32_MAX || s->live[head].state != FAIR_QUEUED)
		return false;
	/* The pass may have come to a job that never reserves. */
	if (fair_backfill_how_reserves(b, &it, slot) == FAIR_RESERVES_NEVER &&
	    (r->procs < j->procs || r->walltime < j->walltime))
		return false;
	return by->select == FAIR_NOFIT ||
	       (by->admits && !by->admits(s, s->now, slot, 1) &&
		!by->admits(s, s->now, slot, 2));
}
#else /* FAIRSCHED_WITHOUT_PROFILE */
static bool fair_afresh_is_behind_pass(const struct fair_sched *s,
				       uint32_t slot, const struct fair_room *r)
{
	(void)s;
	(void)slot;
	(void)r;
	return false; /* there is one pass */
}
#endif /* FAIRSCHED_WITHOUT_PROFILE */

/*
 * Reservations of jobs that come before this one do not depend on it and stay;
 * those of the jobs behind it, and its own, are taken out of the view. If they
 * are kept, its own alone is.
 */
static void fair_afresh_room(const struct fair_sched *s, uint32_t slot,
			     struct fair_room *r)
{
	const struct fair_queued *j = &s->live[slot].queued;
	const struct fair_backfill *b = fair_afresh_of(s);
	struct fair_view view = { &b->space.profile, b->held, 0, NULL, 0 };

	if (b->depth == 0) /* a damaged checkpoint may name no job */
		r->reservations_ahead =
			b->last_reserved.number != j->rank.number &&
			fair_sched_find(s, b->last_reserved.number);
	else
		r->reservations_ahead =
			fair_afresh_reservations_before(s, slot);
	view.removed += r->reservations_ahead;
	view.removals = b->depth ? b->reserved - r->reservations_ahead : 0;
	if (b->phase.by.keeps && j->mark & FAIR_MARK_RESERVED) {
		view.removals = 1;
		while ((--view.removed)->slot != slot)
			;
	}
	if (!b->planned)
		fair_afresh_easy_room(s, j, r);
	else if (b->depth || !r->reservations_ahead)
		fair_view_room(&view, s, slot, r);
	r->is_exact = !b->phase.by.passes && !b->walk.group && !b->walk.gate &&
		      !b->walk.veto && !fair_space_needs_slots(&b->space);
	r->must_follow = b->depth ? fair_afresh_is_behind_pass(s, slot, r)
				  : r->reservations_ahead;
	if (r->must_follow)
		r->head_slot = fair_afresh_head(s);
}

/* The first start, from @time on, of a reservation before the job in @slot that
 * it would share a resource with. On nodes @time may be that of one behind. */
static int64_t fair_afresh_next_rival(const struct fair_sched *s, uint32_t slot,
				      const struct fair_room *r, int64_t time)
{
	const struct fair_backfill *b = fair_afresh_of(s);
	int64_t next = FAIR_FOREVER;
	uint32_t i;

	for (i = 0; i < r->reservations_ahead; i++)
		if (b->held[i].start >= time && b->held[i].slot != slot &&
		    fair_why_is_rival(s, slot, r, b->held[i].slot))
			next = fair_sooner(next, b->held[i].start);
	return next < s->now + s->live[slot].queued.walltime ? next : time;
}

static void fair_afresh_blockers(const struct fair_sched *s, uint32_t slot,
				 const struct fair_room *r, int64_t time,
				 struct fair_why *w)
{
	const struct fair_backfill *b = fair_afresh_of(s);
	uint32_t i;

	if (fair_sched_plan_nodes(s))
		time = fair_afresh_next_rival(s, slot, r, time);
	for (i = 0; i < r->reservations_ahead; i++)
		if (!b->planned)
			fair_why_add_blocker(s, w, b->held[i].slot,
					     b->shadow_time);
		else if (b->held[i].start == time && b->held[i].slot != slot &&
			 fair_why_is_rival(s, slot, r, b->held[i].slot))
			fair_why_add_blocker(s, w, b->held[i].slot, time);
}

/* Whether a later plan can order jobs otherwise, though no event happens. */
static bool fair_afresh_can_order_change(const struct fair_sched *s)
{
	const struct fair_walk *walk = &fair_afresh_of(s)->walk;

	return walk->gate || walk->veto || fair_ledgers_orderer(s) ||
	       s->limits || s->ineligibles || s->waiting_arrays ||
	       s->config.order == FAIR_ORDER_LXF ||
	       s->config.order == FAIR_ORDER_COMPARE;
}

/*
 * While the order cannot change and no event happens, each plan repeats the
 * reservations of the plan before it. So a job with a reservation starts when
 * that begins; without a profile only the first job has one, at its shadow
 * time.
 */
static bool fair_afresh_start_is_known(const struct fair_sched *s,
				       uint32_t slot, struct fair_why *w)
{
	const struct fair_backfill *b = fair_afresh_of(s);
	const struct fair_queued *j = &s->live[slot].queued;
	int32_t extra;
	uint32_t i;

	if (fair_afresh_can_order_change(s) || !b->reserved)
		return false;
	if (!b->planned && b->last_reserved.number == j->rank.number) {
		if (!fair_easy_shadow(&s->running, w->free, j->procs,
				      fair_later(s->now, j->not_before),
				      &w->promise, &extra))
			w->until = w->promise;
		return true;
	}
	for (i = 0; b->planned && b->depth && i < b->reserved; i++) {
		if (b->held[i].slot != slot)
			continue;
		w->until = w->promise = b->held[i].start;
		return true;
	}
	return false;
}

/* lxf, except that the pinned job is ordered by its walltime of before. */
static bool fair_afresh_is_before_pinned(const void *context, int64_t now,
					 uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_queued x = s->live[a].queued, y = s->live[b].queued;

	if (a + 1 == s->pinned)
		x.walltime = s->pinned_walltime;
	if (b + 1 == s->pinned)
		y.walltime = s->pinned_walltime;
	return fair_backfill_lxf_before(&x, &y, now);
}

/*
 * The job's key becomes its time of submission, which stays the key of the
 * pinned job when it is resized.
 */
static void fair_afresh_keep_place(struct fair_sched *clone, uint32_t slot)
{
	struct fair_backfill *b = fair_afresh_of(clone);
	struct fair_live *j = clone->live + slot;
	struct fair_walk walk = b->walk;

	j->submit = j->queued.rank.key;
	if (clone->config.order != FAIR_ORDER_LXF ||
	    fair_ledgers_orderer(clone))
		return;
	walk.before = fair_afresh_is_before_pinned;
	fair_must(fair_backfill_walk_by(b, &walk));
}

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
static void fair_afresh_save(const struct fair_sched *s,
			     struct fair_checkpoint *f)
{
	fair_backfill_save(fair_afresh_of(s), s->now, f);
}

static bool fair_afresh_restore(struct fair_sched *s, uint32_t slot,
				int64_t priority)
{
	s->live[slot].queued.rank.key = priority;
	return !fair_backfill_submit(fair_afresh_of(s), slot);
}

static void fair_afresh_load(struct fair_sched *s, struct fair_checkpoint *f)
{
	const struct fair_iteration it = fair_afresh_iteration(s);
	struct fair_backfill *b = fair_afresh_of(s);

	fair_backfill_load(b, &it, f);
	f->bad |= !f->bad && s->is_step_complete &&
		  !fair_backfill_is_complete(b, f);
}
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

static int fair_afresh_check(const struct fair_sched *s)
{
	const struct fair_backfill *b = fair_afresh_of(s);

	if (fair_backfill_check(b, &s->running))
		return 1;
	return b->free == s->procs - s->busy ? 0 : 3;
}

static const struct fair_planner_ops fair_afresh = {
	"afresh",
	false, /* promises */
	fair_afresh_size,
	fair_afresh_init,
	fair_afresh_clone,
	fair_afresh_queue,
	fair_afresh_space,
	fair_afresh_submit,
	fair_afresh_withdraw,
	fair_afresh_give_back,
	fair_afresh_take,
	fair_afresh_count,
	fair_afresh_displace_all,
	NULL, /* catch_up */
	NULL, /* end_loss */
	NULL, /* react */
	fair_afresh_due,
	NULL, /* next */
	fair_afresh_replan,
	fair_afresh_scans,
	fair_afresh_is_unfinished,
	NULL, /* is_reacting */
	NULL, /* resume */
	fair_afresh_finish,
	fair_afresh_first_reservation,
	fair_afresh_ahead,
	fair_afresh_room,
	fair_afresh_blockers,
	fair_afresh_start_is_known,
	fair_afresh_keep_place,
	FAIR_SAVES(fair_afresh_save),
	FAIR_SAVES(fair_afresh_restore),
	FAIR_SAVES(fair_afresh_load),
	fair_afresh_check,
	NULL, /* reprioritize */
	true, /* heeds_ledgers */
};
