/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/policy.h - how the scheduler calls a policy
 *
 * A policy is a planner, which decides which job starts when, and up to three
 * ledgers, which decide which job goes first and which job may start. Each of
 * them is a table of operations (struct fair_planner_ops, struct
 * fair_ledger_ops in types.h) and a state in the scheduler's memory. Outside of
 * these tables no code depends on the policy.
 *
 *   submit(), finish(), ... --> events.h --> planner: when is there room?
 *                                  |            |  order, gate, veto
 *                                  +--------> ledgers: which job is first?
 *
 * struct fair_config names a planner or a ledger of the caller's own;
 * docs/POLICY.md writes one step by step.
 *
 * Uses: table.h.
 */

/* What a table has of an operation that explains, and that saves or loads. */
#ifndef FAIRSCHED_WITHOUT_WHY
#define FAIR_EXPLAINS(operation) operation
#else /* FAIRSCHED_WITHOUT_WHY */
#define FAIR_EXPLAINS(operation) NULL
#endif /* FAIRSCHED_WITHOUT_WHY */
#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
#define FAIR_SAVES(operation) operation
#else /* FAIRSCHED_WITHOUT_CHECKPOINT */
#define FAIR_SAVES(operation) NULL
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

/*
 * EVENTS. Each operation that can move a promise gets the event as an argument,
 * so that a delayed promise names its cause.
 */

/* Made again, perhaps in a later event than the one it was lost by. */
FAIR_APART static void fair_event_report_remade(const struct fair_event *event,
						struct fair_live *j,
						int64_t from)
{
	struct fair_event e = *event;

	j->queued.mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
	e.cause = e.sched->displaced_by;
	e.culprit = e.sched->displaced_culprit;
	fair_sched_report_promise(e.sched, j, from, &e);
}

static void fair_event_report_move(void *context, uint32_t slot, int64_t from)
{
	const struct fair_event *e = (const struct fair_event *)context;
	struct fair_live *j = e->sched->live + slot;

	if (fair_live_is_displaced(j))
		fair_event_report_remade(e, j, from);
	else
		fair_sched_report_promise(e->sched, j, from, e);
}

static void fair_event_begin(struct fair_event *e, struct fair_sched *s,
			     uint32_t cause)
{
	e->sched = s;
	e->cause = cause;
	e->culprit = 0;
	e->lost = INT64_MIN;
	e->report = s->moves;
	e->report.moved = fair_event_report_move;
	e->report.context = e;
}

/* PLANNER. What a planner may leave out. */

static void fair_planner_replan(struct fair_sched *s)
{
	if (s->planner->replan)
		s->planner->replan(s);
}

static void fair_planner_count(struct fair_sched *s, int32_t procs,
			       int32_t free)
{
	if (s->planner->change_counts)
		s->planner->change_counts(s, procs, free);
}

/* ORDER */

/* The caller's key of a job. */
static int64_t fair_sched_key(const struct fair_sched *s,
			      const struct fair_live *j)
{
	struct fair_job_status status;

	fair_sched_describe(s, j, &status);
	return s->config.key(s->config.context, &status.job);
}

/*
 * The order as a key: the job with the smallest comes first. The pinned job
 * keeps its key, which is its time of submission, see keep_place().
 */
static int64_t fair_sched_priority(const struct fair_sched *s,
				   const struct fair_live *j)
{
	if (fair_sched_slot(s, j) + 1 == s->pinned)
		return j->submit;
	switch (s->config.order) {
	case FAIR_ORDER_SJF:
		return j->queued.walltime;
	case FAIR_ORDER_LJF:
		return -j->queued.walltime;
	case FAIR_ORDER_WIDEST:
		return -(int64_t)j->queued.procs;
	case FAIR_ORDER_NARROWEST:
		return j->queued.procs;
	case FAIR_ORDER_TWO_TERM:
		return j->submit - s->config.weight * j->queued.procs;
	case FAIR_ORDER_KEY:
		return fair_sched_key(s, j);
	default:
		return j->submit;
	}
}

/* ROWS. They are defined in rows.h. */

/* A sum. */
enum fair_heeds {
	FAIR_HEEDS_ORDER = 1,
	FAIR_HEEDS_GATE = 2,
	FAIR_HEEDS_VETO = 4
};

/**
 * struct fair_policy_row - the parts of one enum fair_policy.
 * @planner: NULL: the caller's
 * @ledger:  NULL: none
 * @variant: which variant of the planner, see afresh.h and promising.h
 * @orders:  the orders that it takes: a sum of 1 << enum fair_order
 * @selects: it takes config.select
 * @fill:    backfill is a phase of its own, as this says; NULL: as
 *           config.select says. With it the ledger's limits hold
 * @heeds:   unless the planner heeds_ledgers, what of them: enum fair_heeds
 * @unheeded: what is wrong with a ledger that has more than that
 */
struct fair_policy_row {
	const struct fair_planner_ops *planner;
	const struct fair_ledger_ops *ledger;
	uint32_t variant, orders;
	bool selects;
	void (*fill)(const struct fair_sched *s, struct fair_walk *walk,
		     struct fair_selection *selection);
	uint32_t heeds;
	const char *unheeded;
};

static const struct fair_policy_row *
fair_config_row(const struct fair_config *config);

static const struct fair_planner_ops *
fair_config_planner(const struct fair_config *config);

static uint32_t fair_config_ledgers(const struct fair_config *config,
				    const struct fair_ledger_ops **ops);

static const struct fair_ledger_ops *
fair_config_orderer(const struct fair_config *config);

/*
 * LEDGERS. Each ledger that has the operation is called, in the order of
 * s->ledger[].
 */

/* Bytes of a structure, @state, and of the memory behind it; 0: too large. */
static size_t fair_ledger_bytes(size_t state, size_t memory)
{
	return memory && memory <= SIZE_MAX / 4 ? state + memory : 0;
}

/* The state of the ledger with this table; NULL: there is none. */
static const void *fair_sched_ledger(const struct fair_sched *s,
				     const struct fair_ledger_ops *ops)
{
	uint32_t i;

	for (i = 0; i < s->ledgers; i++)
		if (s->ledger[i].ops == ops)
			return s->ledger[i].state;
	return NULL;
}

/* The last one with an order; NULL: none. */
static const struct fair_ledger *
fair_ledgers_orderer(const struct fair_sched *s)
{
	uint32_t i = s->ledgers;

	while (i--)
		if (s->ledger[i].ops->order)
			return s->ledger + i;
	return NULL;
}

FAIRSCHED_API int fair_ledgers_order(const struct fair_sched *s, uint32_t a,
				     uint32_t b)
{
	const struct fair_ledger *l = fair_ledgers_orderer(s);

	if (!l)
		return 0;
	if (l->ops->group) {
		a = l->ops->group(s, l->state, a);
		b = l->ops->group(s, l->state, b);
	}
	return a == b ? 0 : l->ops->order(s, l->state, a, b);
}

FAIRSCHED_API bool fair_ledgers_gate(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->gate && !l->ops->gate(s, l->state, slot))
			return false;
	return true;
}

/* From when on the ledger lets the job run, not before @t. */
static int64_t fair_ledger_allows(const struct fair_sched *s,
				  const struct fair_ledger *l, uint32_t slot,
				  int64_t t)
{
	int64_t from = l->ops->veto ? l->ops->veto(s, l->state, slot, t) : t;

	return fair_is_not_before(from) ? fair_later(t, from) : FAIR_FOREVER;
}

FAIRSCHED_API int64_t fair_ledgers_veto(const struct fair_sched *s,
					uint32_t slot, int64_t t)
{
	const struct fair_ledger *l = s->ledger;
	int64_t from = t;

	for (; l < s->ledger + s->ledgers; l++)
		from = fair_later(from, fair_ledger_allows(s, l, slot, t));
	return from;
}

static bool fair_ledgers_have_gate(const struct fair_sched *s)
{
	const struct fair_ledger *l = s->ledger;

	while (l < s->ledger + s->ledgers && !l->ops->gate)
		l++;
	return l < s->ledger + s->ledgers;
}

static bool fair_ledgers_have_veto(const struct fair_sched *s)
{
	const struct fair_ledger *l = s->ledger;

	while (l < s->ledger + s->ledgers && !l->ops->veto)
		l++;
	return l < s->ledger + s->ledgers;
}

/* Whether plans keep the vetoes, and are made anew by fair_sched_replan(). */
static bool fair_sched_plans_vetoes(const struct fair_sched *s)
{
	return fair_ledgers_have_veto(s) && !s->planner->heeds_ledgers;
}

static int64_t fair_sched_veto(const void *vetoer, uint32_t slot, int64_t t)
{
	return fair_ledgers_veto((const struct fair_sched *)vetoer, slot, t);
}

/* The planner, which has its space, asks the vetoes if it is to keep them. */
static void fair_sched_ask_vetoes(struct fair_sched *s)
{
	if (fair_sched_plans_vetoes(s))
		fair_space_veto_by(fair_sched_space(s), fair_sched_veto, s);
}

/* The first time at which a queued job has no veto any more; FAIR_FOREVER, if
 * plans keep them. */
static int64_t fair_ledgers_next_veto(const struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	int64_t next = FAIR_FOREVER, from;
	const struct fair_queue *q;

	if (!fair_ledgers_have_veto(s) || !s->planner->heeds_ledgers)
		return FAIR_FOREVER;
	q = fair_sched_queue(s);
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		from = fair_ledgers_veto(s, fair_queue_slot(q, at), s->now);
		if (from > s->now && from < next)
			next = from;
	}
	return next;
}

static int fair_ledgers_admit(const struct fair_sched *s,
			      const struct fair_job *job)
{
	const struct fair_ledger *l = s->ledger;
	int error = 0;

	for (; !error && l < s->ledger + s->ledgers; l++)
		if (l->ops->admit)
			error = l->ops->admit(s, l->state, job);
	return error;
}

/* @job: with indexes */
static void fair_ledgers_submit(struct fair_sched *s, uint32_t slot,
				const struct fair_job *job)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->submit)
			l->ops->submit(s, l->state, slot, job);
}

/* Add a job that can be submitted to the live jobs and to the ledgers. */
static struct fair_live *fair_sched_enter_job(struct fair_sched *s,
					      const struct fair_job *job)
{
	struct fair_job indexed;
	struct fair_live *j;

	job = fair_sched_resolve(s, job, &indexed);
	j = fair_sched_add_job(s, job);
	fair_ledgers_submit(s, fair_sched_slot(s, j), job);
	return j;
}

/* Tell the ledgers what happened; @was: see enum fair_ledger_event. */
static void fair_ledgers_notify(struct fair_sched *s, uint32_t event,
				uint32_t slot, int64_t was)
{
	const struct fair_ledger *l = s->ledger;
	uint32_t i;

	for (i = 0; i < s->ledgers; i++)
		if (l[i].ops->notify)
			l[i].ops->notify(s, l[i].state, event, slot, was);
}

static int fair_ledgers_modify(struct fair_sched *s, uint32_t slot,
			       int32_t procs, int64_t walltime)
{
	const struct fair_ledger *l = s->ledger;
	int error = 0;

	for (; !error && l < s->ledger + s->ledgers; l++)
		if (l->ops->modify)
			error = l->ops->modify(s, l->state, slot, procs,
					       walltime);
	return error;
}

static int fair_ledgers_resize(struct fair_sched *s, uint32_t slot,
			       const struct fair_job *job)
{
	const struct fair_ledger *l = s->ledger;
	int error = 0;

	for (; !error && l < s->ledger + s->ledgers; l++)
		if (l->ops->resize)
			error = l->ops->resize(s, l->state, slot, job);
	return error;
}

static bool fair_ledgers_can_grow(const struct fair_sched *s, int32_t procs)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->can_grow && !l->ops->can_grow(s, l->state, procs))
			return false;
	return true;
}

static int64_t fair_ledgers_next_before(const struct fair_sched *s,
					int64_t until)
{
	const struct fair_ledger *l = s->ledger;
	int64_t next = fair_ledgers_next_veto(s), due;

	for (; l < s->ledger + s->ledgers; l++) {
		due = l->ops->next_before
			      ? l->ops->next_before(s, l->state, until)
		      : l->ops->next ? l->ops->next(s, l->state)
				     : FAIR_FOREVER;
		if (due < next)
			next = due;
	}
	return next;
}

static bool fair_ledgers_can_change(const struct fair_sched *s, int64_t idle)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->can_change && l->ops->can_change(s, l->state, idle))
			return true;
	return fair_ledgers_next_veto(s) != FAIR_FOREVER;
}

static void fair_ledgers_explain(const struct fair_sched *s, uint32_t slot,
				 struct fair_why *w)
{
	const struct fair_ledger *l = s->ledger;
	int64_t from;

	for (; l < s->ledger + s->ledgers; l++) {
		if (l->ops->explain)
			l->ops->explain(s, l->state, slot, w);
		if (s->live[slot].state != FAIR_QUEUED)
			continue;
		from = fair_ledger_allows(s, l, slot, s->now);
		if (from == s->now)
			continue;
		w->reasons |= FAIR_WHY_VETO;
		w->vetoed_by = l->ops->name;
		w->vetoed_until = from;
	}
}

static void fair_ledgers_keep_place(struct fair_sched *clone, uint32_t slot,
				    int32_t procs, int64_t walltime)
{
	const struct fair_ledger *l = clone->ledger;

	for (; l < clone->ledger + clone->ledgers; l++)
		if (l->ops->keep_place)
			l->ops->keep_place(clone, l->state, slot, procs,
					   walltime);
}

/* What the job in @slot, which runs, will be charged a second. */
static int64_t fair_ledgers_rate(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->rate)
			return l->ops->rate(s, slot);
	return 0;
}

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
static void fair_ledgers_save(const struct fair_sched *s,
			      struct fair_checkpoint *f)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->save)
			l->ops->save(s, l->state, f);
}

static void fair_ledgers_preload(struct fair_sched *s,
				 struct fair_checkpoint *f)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->preload)
			l->ops->preload(s, l->state, f);
}

static void fair_ledgers_load(struct fair_sched *s, struct fair_checkpoint *f)
{
	const struct fair_ledger *l = s->ledger;

	for (; !f->bad && l < s->ledger + s->ledgers; l++)
		if (l->ops->load)
			l->ops->load(s, l->state, f);
}
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

static bool fair_ledgers_are_sound(const struct fair_sched *s)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->check && l->ops->check(s, l->state))
			return false;
	return true;
}

/* EXPLANATIONS */

/* Whether the job in @slot may use a node, if it is up. */
static bool fair_why_may_use(const struct fair_sched *s, uint32_t slot,
			     uint32_t node)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_request asked = fair_nodes_asked(n, slot);

	return !fair_nodes_is_down(n, node) &&
	       fair_sched_may_run_in(s, slot, fair_nodes_class(n, node)) &&
	       (!asked.named || fair_nodes_has(n, asked.named, node)) &&
	       (!asked.excluded || !fair_nodes_has(n, asked.excluded, node));
}

/* Whether the job in @other has a node that the one in @slot may use. */
static bool fair_why_share_nodes(const struct fair_sched *s, uint32_t slot,
				 uint32_t other)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_part part;
	uint32_t at = 0;

	while (fair_nodes_next_part(n, other, &at, &part))
		if (fair_why_may_use(s, slot, part.node))
			return true;
	return false;
}

/* Whether both ask for a resource of the whole machine. */
static bool fair_why_share_wide(const struct fair_sched *s, uint32_t slot,
				uint32_t other)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_request a = fair_nodes_asked(n, slot);
	struct fair_nodes_request b = fair_nodes_asked(n, other);
	uint32_t r;

	for (r = 0; r < n->resources; r++)
		if (n->wide >> r & 1 && a.amount[r] && b.amount[r])
			return true;
	return false;
}

/* Whether the job in @slot would share a resource with the one in @other. */
static bool fair_why_is_rival(const struct fair_sched *s, uint32_t slot,
			      const struct fair_room *r, uint32_t other)
{
	struct fair_claim claim = fair_sched_claim(s, slot);
	struct fair_claim others = fair_sched_claim(s, other);

	if (fair_sched_plan_nodes(s))
		return fair_why_share_nodes(s, slot, other) ||
		       fair_why_share_wide(s, slot, other);
	claim.node_class = r->node_class;
	return fair_sched_do_claims_meet(s, &claim, &others);
}

/* Add the job in @slot, reserved from @start on, to the blockers of @w. */
static void fair_why_add_blocker(const struct fair_sched *s, struct fair_why *w,
				 uint32_t slot, int64_t start)
{
	const struct fair_live *j = s->live + slot;
	struct fair_blocker *b;

	if (w->blockers++ >= FAIR_BLOCKERS)
		return;
	b = w->blocker + w->blockers - 1;
	b->number = j->queued.rank.number;
	b->procs = j->queued.procs;
	b->state = j->state;
	b->start = j->state == FAIR_RUNNING ? j->started : start;
	b->end = j->state == FAIR_RUNNING ? fair_live_end(j) : FAIR_FOREVER;
}
