/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/promising.h - the planner that keeps promises
 *
 * conservative, pc and dc; the variant is an enum fair_compression. Each
 * operation translates a call of the scheduler into one of
 * policies/conservative.h:
 *
 *   fair_planner_ops --> fair_promising_*() --> fair_conservative_*()
 *
 * Uses: view.h, afresh.h.
 */

#ifndef FAIRSCHED_WITHOUT_CONSERVATIVE

/* The scheduler may have been moved: its veto is asked where it is now. */
static struct fair_conservative *fair_promising_of(const struct fair_sched *s)
{
	struct fair_conservative *c = (struct fair_conservative *)s->plan;

	c->space.vetoer = s;
	return c;
}

static size_t fair_promising_memory(const struct fair_config *config)
{
	return fair_conservative_size(fair_config_row(config)->variant,
				      config->jobs, 2 + config->advances);
}

/* Before it, two numbers for each group that a ledger orders. */
static size_t fair_promising_groups_size(const struct fair_config *config)
{
	return 2 * sizeof(uint32_t) * fair_afresh_groups(config);
}

static void *fair_promising_plan_memory(struct fair_conservative *c,
					const struct fair_config *config)
{
	return (char *)(c + 1) + fair_promising_groups_size(config);
}

static size_t fair_promising_size(const struct fair_config *config)
{
	size_t memory = fair_promising_memory(config);

	/* No overflow: the ledger needs more bytes for each user. */
	return memory ? sizeof(struct fair_conservative) +
				fair_promising_groups_size(config) + memory
		      : 0;
}

/* THE ORDER OF A WALK, of now: that of easy. */

/* Groups in order, and their places in it; those that tie have one. */
struct fair_promising_order {
	const struct fair_sched *s;
	const struct fair_ledger *by; /* NULL: no ledger */
	uint32_t *group, *place;      /* NULL: it has no groups */
};

static struct fair_promising_order
fair_promising_order_of(const struct fair_sched *s)
{
	struct fair_promising_order o = { s, fair_ledgers_orderer(s), NULL,
					  NULL };

	if (!o.by || !o.by->ops->group)
		return o;
	o.group = (uint32_t *)(void *)(fair_promising_of(s) + 1);
	o.place = o.group + s->config.users;
	return o;
}

static bool fair_promising_is_group_before(const void *order, uint32_t a,
					   uint32_t b)
{
	const struct fair_promising_order *o =
		(const struct fair_promising_order *)order;

	return o->by->ops->order(o->s, o->by->state, a, b) < 0;
}

/* The job with the rank of its order; the pinned one keeps its walltime. */
static struct fair_queued fair_promising_ranked(const struct fair_sched *s,
						uint32_t slot)
{
	struct fair_queued j = s->live[slot].queued;

	j.rank.key = fair_sched_priority(s, s->live + slot);
	if (slot + 1 == s->pinned)
		j.walltime = s->pinned_walltime;
	return j;
}

/* Whether @a goes before @b, if the ledgers, or the caller, say @order. */
static bool fair_promising_goes_before(const struct fair_sched *s, int order,
				       uint32_t a, uint32_t b)
{
	struct fair_queued x, y;

	if (order)
		return order < 0;
	x = fair_promising_ranked(s, a);
	y = fair_promising_ranked(s, b);
	return s->config.order == FAIR_ORDER_LXF && !fair_ledgers_orderer(s)
		       ? fair_backfill_lxf_before(&x, &y, s->now)
		       : fair_rank_is_before(x.rank, y.rank);
}

static bool fair_promising_is_place_before(const void *order, uint32_t a,
					   uint32_t b)
{
	const struct fair_promising_order *o =
		(const struct fair_promising_order *)order;
	const struct fair_ledger *by = o->by;
	uint32_t x = o->place[by->ops->group(o->s, by->state, a)];
	uint32_t y = o->place[by->ops->group(o->s, by->state, b)];

	return fair_promising_goes_before(o->s, (x > y) - (x < y), a, b);
}

/* Whether compression scans the job in slot @a before that in @b. */
static bool fair_promising_is_before(const void *context, uint32_t a,
				     uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	int order = fair_ledgers_order(s, a, b);
	struct fair_job x, y;

	if (s->config.order == FAIR_ORDER_COMPARE && !fair_ledgers_orderer(s)) {
		x = fair_afresh_compared_job(s, a);
		y = fair_afresh_compared_job(s, b);
		order = s->config.compare(s->config.context, s->now, &x, &y);
	}
	return fair_promising_goes_before(s, order, a, b);
}

/* The places of the groups that have jobs. */
static void fair_promising_sort_groups(const struct fair_promising_order *o,
				       const uint32_t *slot, uint32_t jobs)
{
	const struct fair_ledger *by = o->by;
	uint32_t i, g, n = 0;

	for (i = 0; i < jobs; i++)
		o->place[by->ops->group(o->s, by->state, slot[i])] = UINT32_MAX;
	for (i = 0; i < jobs; i++) {
		g = by->ops->group(o->s, by->state, slot[i]);
		if (o->place[g] == UINT32_MAX)
			o->group[n++] = g;
		o->place[g] = 0;
	}
	fair_sort(o->group, n, fair_promising_is_group_before, o);
	for (i = 1; i < n; i++)
		o->place[o->group[i]] =
			o->place[o->group[i - 1]] +
			fair_promising_is_group_before(o, o->group[i - 1],
						       o->group[i]);
}

/* As a walk begins: @context is the event. */
static void fair_promising_sort(void *context, uint32_t *slot, uint32_t jobs)
{
	struct fair_sched *s = ((const struct fair_event *)context)->sched;
	struct fair_promising_order o = fair_promising_order_of(s);
	uint32_t i;

	for (i = 0; i < jobs; i++)
		fair_afresh_prepare(s, s->now, slot[i]);
	if (o.group) {
		fair_promising_sort_groups(&o, slot, jobs);
		fair_sort(slot, jobs, fair_promising_is_place_before, &o);
	} else {
		fair_sort(slot, jobs, fair_promising_is_before, s);
	}
}

/* THE GATE OF A FILL */

static bool fair_promising_gate(void *context, uint32_t slot)
{
	return fair_ledgers_gate(((const struct fair_event *)context)->sched,
				 slot);
}

static void fair_promising_filled(void *context, uint32_t slot, bool starts)
{
	fair_ledgers_notify(((const struct fair_event *)context)->sched,
			    starts ? FAIR_LEDGER_FILLED : FAIR_LEDGER_UNFILLED,
			    slot, 0);
}

/* Whether the order of jobs that wait changes without an event of theirs. */
static bool fair_promising_sorts(const struct fair_sched *s)
{
	return fair_config_row(&s->config)->variant != FAIR_COMPRESS &&
	       (s->config.order == FAIR_ORDER_LXF ||
		s->config.order == FAIR_ORDER_COMPARE ||
		fair_ledgers_orderer(s));
}

static void fair_promising_init(struct fair_sched *s, void *state)
{
	const struct fair_config *config = &s->config;
	struct fair_conservative *c = (struct fair_conservative *)state;

	fair_must(fair_conservative_init(
		c, sizeof(*c), fair_promising_plan_memory(c, config),
		fair_promising_memory(config), fair_config_row(config)->variant,
		config->jobs, 2 + config->advances, s->live, sizeof(*s->live),
		config->procs, config->origin));
	if (fair_promising_sorts(s))
		s->moves.sort = fair_promising_sort;
	if (fair_ledgers_have_gate(s)) {
		s->moves.gate = fair_promising_gate;
		s->moves.filled = fair_promising_filled;
	}
}

static void fair_promising_clone(struct fair_sched *copy, void *state,
				 const struct fair_sched *s,
				 const uint32_t *slot)
{
	struct fair_conservative *c = (struct fair_conservative *)state;

	fair_must(fair_conservative_clone(
		c, fair_promising_plan_memory(c, &s->config),
		fair_promising_memory(&s->config), copy->live,
		fair_promising_of(s), slot));
}

static const struct fair_queue *fair_promising_queue(const struct fair_sched *s)
{
	return &fair_promising_of(s)->plan;
}

static struct fair_space *fair_promising_space(const struct fair_sched *s)
{
	return &fair_promising_of(s)->space;
}

static void fair_promising_submit(struct fair_sched *s, struct fair_event *e,
				  uint32_t slot, int64_t priority,
				  bool was_queued)
{
	struct fair_conservative *c = fair_promising_of(s);

	if (was_queued)
		fair_must(fair_conservative_put_back(c, s->now, slot, priority,
						     &e->report));
	else
		fair_must(fair_conservative_submit(c, s->now, slot, priority,
						   &e->report));
}

static void fair_promising_withdraw(struct fair_sched *s, struct fair_event *e,
				    uint32_t slot)
{
	fair_must(fair_conservative_withdraw(fair_promising_of(s), slot,
					     &e->report));
}

static void fair_promising_displace_all(struct fair_sched *s,
					struct fair_event *e)
{
	fair_conservative_displace_all(fair_promising_of(s), s->now,
				       &e->report);
}

static void fair_promising_catch_up(struct fair_sched *s, struct fair_event *e)
{
	fair_must(fair_conservative_catch_up(fair_promising_of(s), s->now,
					     &e->report));
}

static void fair_promising_give_back(struct fair_sched *s, struct fair_event *e,
				     int64_t from, int64_t end,
				     const struct fair_claim *claim)
{
	if (from < end)
		fair_must(fair_conservative_give_back(fair_promising_of(s),
						      s->now, from, end, claim,
						      &e->report));
}

static void fair_promising_take(struct fair_sched *s, struct fair_event *e,
				int64_t from, int64_t end,
				const struct fair_claim *claim)
{
	fair_must(fair_conservative_take(fair_promising_of(s), s->now, from,
					 end, claim, &e->report));
}

/*
 * Reservations may be made again in a later event, but @e is the cause.
 * Reservation jobs, which are planned next, come after them.
 */
static void fair_promising_end_loss(struct fair_sched *s, struct fair_event *e,
				    int64_t from, int64_t end)
{
	s->displaced_by = e->cause;
	s->displaced_culprit = e->culprit;
	fair_conservative_end_loss(fair_promising_of(s), e->lost, from, end,
				   &e->report);
	if (s->bound_jobs)
		fair_conservative_prepare_event(fair_promising_of(s),
						&e->report);
}

static void fair_promising_react(struct fair_sched *s, struct fair_event *e)
{
	fair_conservative_compress(fair_promising_of(s), s->now, &e->report);
}

/* A start bypasses jobs by the priorities of its second, of all that wait. */
static void fair_promising_prepare_start(struct fair_sched *s, uint32_t due)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };

	fair_afresh_prepare(s, s->now, due);
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_afresh_prepare(s, s->now, fair_queue_slot(q, at));
}

static bool fair_promising_due(struct fair_sched *s, struct fair_event *e,
			       uint32_t *slot)
{
	if (!fair_conservative_due(fair_promising_of(s), s->now, slot,
				   &e->report))
		return false;
	if (fair_ledgers_orderer(s) && fair_ledgers_orderer(s)->ops->prepare)
		fair_promising_prepare_start(s, *slot);
	return true;
}

static int64_t fair_promising_next(const struct fair_sched *s)
{
	return fair_conservative_next(fair_promising_of(s));
}

static uint64_t *fair_promising_scans(const struct fair_sched *s)
{
	return &fair_promising_of(s)->scans;
}

static bool fair_promising_is_unfinished(const struct fair_sched *s)
{
	return fair_conservative_is_unfinished(fair_promising_of(s));
}

static bool fair_promising_is_reacting(const struct fair_sched *s)
{
	return fair_conservative_is_reacting(fair_promising_of(s));
}

static bool fair_promising_resume(struct fair_sched *s, struct fair_event *e)
{
	struct fair_conservative *c = fair_promising_of(s);

	fair_must(fair_space_advance(&c->space, s->now));
	return fair_conservative_resume(c, &e->report);
}

static void fair_promising_finish(struct fair_sched *s, struct fair_event *e)
{
	fair_conservative_prepare_event(fair_promising_of(s), &e->report);
}

static uint32_t fair_promising_ahead(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_queue *q = &fair_promising_of(s)->plan;
	struct fair_queue_place at = { 0, 0 };
	uint32_t ahead = 0;

	/* conservative has no order: by submission */
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		ahead += fair_promising_is_before(s, fair_queue_slot(q, at),
						  slot);
	return ahead;
}

/*
 * dc: whether no other job could start now, even without the reservation @own.
 * Then a smaller job in @slot moves no other job, and no other job moves to
 * make room for it: the profile tells exactly whether it starts.
 */
static bool fair_promising_has_no_rival(const struct fair_sched *s,
					uint32_t slot,
					const struct fair_reservation *own)
{
	const struct fair_queue *q = &fair_promising_of(s)->plan;
	struct fair_queue_place at = { 0, 0 };
	struct fair_reservation removed[2];
	struct fair_view view = { &fair_promising_of(s)->space.profile, removed,
				  2, NULL, 0 };
	const struct fair_queued *k;
	uint32_t other;

	removed[0] = *own;
	for (; fair_queue_next_fitting(q, &at, s->procs - s->busy);
	     at.index++) {
		other = fair_queue_slot(q, at);
		k = &s->live[other].queued;
		if (other == slot || s->now + k->walltime <= own->start)
			continue;
		removed[1].start = k->rank.key;
		removed[1].walltime = k->walltime;
		removed[1].procs = k->procs;
		view.removals = 1 + (k->rank.key != FAIR_FOREVER);
		if (fair_view_free(&view, s->now, s->now + k->walltime) >=
		    k->procs)
			return false;
	}
	return true;
}

static void fair_promising_room(const struct fair_sched *s, uint32_t slot,
				struct fair_room *r)
{
	const struct fair_conservative *c = fair_promising_of(s);
	const struct fair_queued *j = &s->live[slot].queued;
	struct fair_reservation own;
	struct fair_view view = { &c->space.profile, &own, 0, NULL, 0 };

	own.start = j->rank.key;
	own.walltime = j->walltime;
	own.procs = j->procs;
	own.slot = slot;
	view.removals = j->rank.key != FAIR_FOREVER;
	fair_view_room(&view, s, slot, r);
	r->is_exact = !fair_space_needs_slots(&c->space) &&
		      (c->compression != FAIR_COMPRESS_DELAYED ||
		       fair_promising_has_no_rival(s, slot, &own));
}

/*
 * A job starts as promised, but for two cases: dc moves promises earlier
 * without an event, and the next task of an array arrives when the task before
 * starts.
 */
static bool fair_promising_start_is_known(const struct fair_sched *s,
					  uint32_t slot, struct fair_why *w)
{
	(void)w;
	return fair_promising_of(s)->compression != FAIR_COMPRESS_DELAYED &&
	       !s->waiting_arrays &&
	       fair_sched_is_start_certain(s, s->live + slot);
}

/* As fair_afresh_keep_place(), where jobs are ranked; conservative orders by
 * submission anyway. */
static void fair_promising_keep_place(struct fair_sched *clone, uint32_t slot)
{
	const struct fair_conservative *c = fair_promising_of(clone);
	struct fair_live *j = clone->live + slot;

	if (clone->moves.sort)
		j->submit = fair_sched_priority(clone, j);
	else if (c->compression != FAIR_COMPRESS)
		j->submit = c->rank[slot].key;
}

#define FAIR_PROMISING_SECTION 70 /* if jobs are displaced: the cause */

static void fair_promising_save(const struct fair_sched *s,
				struct fair_checkpoint *f)
{
	uint32_t cause = s->displaced_by;
	uint64_t culprit = s->displaced_culprit;

	fair_conservative_save(fair_promising_of(s), f);
	if (!fair_promising_of(s)->displaced)
		return;
	fair_checkpoint_one(f, FAIR_PROMISING_SECTION, 2);
	fair_checkpoint_u32(f, &cause);
	fair_checkpoint_u64(f, &culprit);
}

static bool fair_promising_restore(struct fair_sched *s, uint32_t slot,
				   int64_t priority)
{
	return !fair_conservative_restore(fair_promising_of(s), s->now, slot,
					  priority, NULL);
}

static void fair_promising_load(struct fair_sched *s, struct fair_checkpoint *f)
{
	fair_conservative_load(fair_promising_of(s), f);
	f->bad |= fair_promising_of(s)->reordered && !s->moves.sort;
	if (!fair_promising_of(s)->displaced)
		return;
	fair_checkpoint_one(f, FAIR_PROMISING_SECTION, 2);
	fair_checkpoint_u32(f, &s->displaced_by);
	fair_checkpoint_u64(f, &s->displaced_culprit);
	f->bad |= s->displaced_by > FAIR_CAUSE_LIMIT;
}

static int fair_promising_check(const struct fair_sched *s)
{
	return fair_conservative_check(fair_promising_of(s)) ? 1 : 0;
}

static void fair_promising_reprioritize(struct fair_sched *s,
					struct fair_event *e, uint32_t slot,
					int64_t priority)
{
	fair_conservative_reprioritize(fair_promising_of(s), slot, priority,
				       &e->report);
}

static const struct fair_planner_ops fair_promising = {
	"promising",
	true, /* promises */
	fair_promising_size,
	fair_promising_init,
	fair_promising_clone,
	fair_promising_queue,
	fair_promising_space,
	fair_promising_submit,
	fair_promising_withdraw,
	fair_promising_give_back,
	fair_promising_take,
	NULL, /* change_counts */
	fair_promising_displace_all,
	fair_promising_catch_up,
	fair_promising_end_loss,
	fair_promising_react,
	fair_promising_due,
	fair_promising_next,
	NULL, /* replan */
	fair_promising_scans,
	fair_promising_is_unfinished,
	fair_promising_is_reacting,
	fair_promising_resume,
	fair_promising_finish,
	NULL, /* first_reservation */
	fair_promising_ahead,
	fair_promising_room,
	NULL, /* blockers */
	fair_promising_start_is_known,
	fair_promising_keep_place,
	fair_promising_save,
	fair_promising_restore,
	fair_promising_load,
	fair_promising_check,
	fair_promising_reprioritize,
	false, /* heeds_ledgers */
};

#endif /* FAIRSCHED_WITHOUT_CONSERVATIVE */
