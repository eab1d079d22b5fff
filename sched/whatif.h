/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/whatif.h - the same jobs under another policy, and what an event would
 * change
 *
 *   fair_sched_convert()   a --> init b --> running jobs --> advance
 *                          reservations --> queued jobs --> ineligible jobs
 *   fair_sched_whatif()    run a, run b, compare the starts of each job
 *
 * Uses: simulated_run.h, entities.h.
 */

#ifndef FAIRSCHED_WITHOUT_WHATIF

/* CONVERT */

/* The slots of the queued jobs by (submit, number). */
static uint32_t fair_sched_sort_by_arrival(const struct fair_sched *s,
					   uint32_t *slot)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t n = 0;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		slot[n++] = fair_queue_slot(q, at);
	fair_sort(slot, n, fair_sched_is_submitted_before, s);
	return n;
}

/* What a job ran before; it may belong to another scheduler. */
static void fair_live_copy_past(struct fair_live *to,
				const struct fair_live *from)
{
	to->ran = from->ran;
	to->resized = from->resized;
	to->overran = from->overran;
}

/* Take over a running job. */
static int fair_sched_take_over_running(struct fair_sched *s,
					const struct fair_sched *a,
					const struct fair_job_status *job)
{
	struct fair_claim claim;
	struct fair_event e;
	struct fair_live *j;
	int error;

	if (job->end - s->now > fair_sched_horizon(s))
		return -FAIR_EOVERFLOW;
	error = fair_sched_admit(s, &job->job);
	if (error)
		return error;
	j = fair_sched_enter_job(s, &job->job);
	fair_sched_set_class(s, fair_sched_slot(s, j), job->node_class);
	fair_sched_copy_nodes(
		s, fair_sched_slot(s, j), a,
		fair_sched_slot(a, fair_sched_find(a, job->job.number)));
	fair_planner_count(s, 0,
			   -fair_sched_busy_procs(s, fair_sched_slot(s, j)));
	claim = fair_sched_claim(s, fair_sched_slot(s, j));
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (job->end > s->now)
		fair_sched_take_procs(s, &e, s->now, job->end, &claim);
	fair_ledgers_notify(s, FAIR_LEDGER_QUEUED, fair_sched_slot(s, j), 0);
	fair_sched_start_job(s, fair_sched_slot(s, j));
	fair_sched_run_until(s, j, job->end);
	j->started = job->start;
	fair_live_copy_past(j, fair_sched_find(a, job->job.number));
	return 0;
}

/*
 * Take over an ineligible job: held, and not bound, since the job that it waits
 * for may come later, and its advance reservation may not exist any more; then
 * its own condition.
 */
static int fair_sched_take_over_ineligible(struct fair_sched *b,
					   const struct fair_sched *a,
					   const struct fair_ineligible *from)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_ineligible *to;
	struct fair_job_status job;
	uint64_t bound_to;
	int error;

	fair_sched_describe(a, a->live + from->slot, &job);
	bound_to = job.job.advance;
	job.job.advance = 0;
	error = fair_sched_validate_submit(b, a->now, &job.job, &held, NULL);
	if (error)
		return error;
	fair_sched_accept_job(b, &job.job, &held, NULL);
	to = b->ineligible + fair_sched_ineligible_place(b, job.job.number);
	to->condition = from->condition;
	to->is_any = from->is_any;
	to->is_suspended = from->is_suspended;
	fair_live_copy_past(b->live + to->slot, a->live + from->slot);
	fair_sched_bind(b, to->slot, bound_to);
	b->bound_jobs += bound_to != 0;
	return fair_sched_copy_list(b, to->slot, a, from->slot) ? 0
								: -FAIR_ENOSPC;
}

#ifndef FAIRSCHED_WITHOUT_NODES
/* The sets, and the nodes that are down, of the same nodes. */
static int fair_sched_take_over_nodes(struct fair_sched *b,
				      const struct fair_sched *a)
{
	const struct fair_nodes *x = &a->nodes->nodes;
	struct fair_nodes *y = &b->nodes->nodes;
	uint32_t set, node;
	int error = 0;

	if (x->nodes != y->nodes || x->sets > y->sets ||
	    a->parts > b->nodes->config.parts)
		return -FAIR_EINVAL;
	for (node = 0; node < x->nodes && !error; node++) {
		for (set = 1; set <= x->sets; set++)
			fair_must(fair_nodes_set(y, set, node,
						 fair_nodes_has(x, set, node)));
		if (fair_nodes_is_down(x, node))
			error = fair_sched_node_down(b, a->now, node, NULL, 0);
	}
	return error;
}
#endif /* FAIRSCHED_WITHOUT_NODES */

/* What the classes of the same machine have at present. */
static int fair_sched_take_over_classes(struct fair_sched *b,
					const struct fair_sched *a)
{
	uint32_t n = fair_sched_resources(a), columns = fair_sched_columns(a);
	uint32_t i;
	int error = 0;

	if (fair_sched_has_classes(a) != fair_sched_has_classes(b) ||
	    n != fair_sched_resources(b) || columns != fair_sched_columns(b) ||
	    !a->nodes != !b->nodes)
		return -FAIR_EINVAL;
	for (i = 0; i < n; i++)
		if (fair_sched_is_wide(a, i) != fair_sched_is_wide(b, i))
			return -FAIR_EINVAL;
#ifndef FAIRSCHED_WITHOUT_NODES
	if (a->nodes)
		return fair_sched_take_over_nodes(b, a);
#endif /* FAIRSCHED_WITHOUT_NODES */
	for (i = 0; !error && i < columns; i++)
		if (fair_column_present(a, i) != fair_column_present(b, i))
			error = fair_sched_class_capacity(
				b, a->now, i / n, i % n,
				fair_column_present(a, i) -
					fair_column_present(b, i),
				NULL, 0);
	return error;
}

/* The entities of @a have ids in @b, too. */
static int fair_sched_take_over_ids(struct fair_sched *b,
				    const struct fair_sched *a)
{
	uint32_t kind, at;
	struct fair_entity e;
	int error = 0;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		for (at = 0; !error &&
			     fair_sched_each_entity(a, kind, &at, &e);)
			error = fair_sched_add_entity(b, b->now, kind, e.id);
	return error;
}

/*
 * What the user's running jobs have used until now of resource @r, which is not
 * charged: since a conversion, which counted what was before.
 */
static uint64_t fair_sched_uncharged(const struct fair_sched *s, uint32_t user,
				     uint32_t r)
{
	struct fair_queue_place at = { 0, 0 };
	uint64_t used = 0;
	uint32_t slot;
	int64_t from;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		if (s->live[slot].user != user)
			continue;
		from = fair_later(s->live[slot].started, s->config.origin);
		used += (uint64_t)(r ? fair_ledger_usage_rate(s, slot, r)
				     : fair_ledgers_rate(s, slot)) *
			(uint64_t)(s->now - from);
	}
	return used;
}

/* What a user has used of the other resources, if both charge for them. */
static int fair_sched_take_over_resources(struct fair_sched *b, uint32_t to,
					  const struct fair_sched *a,
					  uint32_t from)
{
	const struct fair_charge *x =
		(const struct fair_charge *)fair_sched_ledger(
			a, &fair_ledger_usage);
	struct fair_charge *y =
		(struct fair_charge *)(uintptr_t)fair_sched_ledger(
			b, &fair_ledger_usage);
	uint64_t whole = 0, fraction = 0;
	uint32_t n = x && y ? fair_config_charges(&a->config) : 0, r;

	if (n > fair_config_charges(&b->config))
		n = fair_config_charges(&b->config);
	for (r = 1; r < n; r++) {
		fair_must(fair_usage_charged(&x[r].usage, from,
					     a->now - a->config.origin, &whole,
					     &fraction));
		whole += fair_sched_uncharged(a, from, r) >> x[r].coarse;
		if (whole >> 59)
			return -FAIR_EOVERFLOW;
		fair_charge_set(b, y, r, to, 0, whole, fraction,
				(int32_t)x[r].coarse);
	}
	return 0;
}

/* What each entity has used. */
static int fair_sched_take_over_usage(struct fair_sched *b,
				      const struct fair_sched *a)
{
	struct fair_entity e, kept;
	uint32_t kind, at, from;
	int error = 0;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		for (at = 0; !error &&
			     fair_sched_each_entity(a, kind, &at, &e);) {
			if (kind == FAIR_ENTITY_USER)
				e.usage += fair_sched_uncharged(a, e.index, 0);
			from = e.index;
			e.index = fair_sched_index(b, kind, e.id);
			kept = e;
			if (!fair_ledgers_read(b, kind, &kept))
				continue;
			if (e.usage || e.fraction)
				error = fair_ledgers_write(
					b, kind, FAIR_ENTITY_USAGE, &e);
			if (error == -FAIR_EINVAL)
				error = 0; /* sfs, decays */
			if (!error && kind == FAIR_ENTITY_USER)
				error = fair_sched_take_over_resources(
					b, e.index, a, from);
		}
	return error;
}

/* What the machine has at present. */
static int fair_sched_take_over_capacity(struct fair_sched *b,
					 const struct fair_sched *a)
{
	if (fair_sched_has_classes(a) || fair_sched_has_classes(b))
		return fair_sched_take_over_classes(b, a);
	return a->procs < a->max_procs
		       ? fair_sched_capacity(b, a->now, a->procs - a->max_procs,
					     NULL, 0)
		       : 0;
}

/* Whether @b, which is empty, has room for all that is live in @a. */
static bool fair_sched_has_room_for(const struct fair_sched *b,
				    const struct fair_sched *a)
{
	return fair_sched_can_bind(b, a->bound_jobs) &&
	       a->advances <= b->config.advances &&
	       a->jobs <= b->config.jobs &&
	       a->ineligibles <= fair_sched_ineligible_entries(&b->config) &&
	       fair_sched_count_limited(a) <=
		       fair_sched_max_ineligible(&b->config);
}

#ifndef FAIRSCHED_WITHOUT_LIMITS
/* The limits, in place of those of its configuration. */
static int fair_sched_take_over_limits(struct fair_sched *b,
				       const struct fair_sched *a)
{
	struct fair_limit limit;
	uint32_t at = 0;
	int error = 0;

	while (!error && fair_sched_each_limit(a, &at, &limit)) {
		error = b->limits ? fair_sched_limit(b, b->now, &limit)
				  : -FAIR_ENOSPC;
		if (!error && limit.resource == FAIR_LIMIT_BUDGET)
			error = fair_sched_set_spent(
				b, b->now, &limit,
				fair_sched_get_spent(a, &limit));
	}
	return error;
}
#endif /* FAIRSCHED_WITHOUT_LIMITS */

/* Capacity, entities, limits, running jobs, advance reservations: what others
 * wait for. The starts are no decisions of @b. */
static int fair_sched_take_over_machine(struct fair_sched *b,
					const struct fair_sched *a)
{
	const uint64_t empty_digest = b->digest;
	struct fair_queue_place at = { 0, 0 };
	int error = fair_sched_take_over_capacity(b, a);
	struct fair_job_status job;
	uint32_t i;

	if (!error && b->ids)
		error = fair_sched_take_over_ids(b, a);
	if (!error)
		error = fair_sched_take_over_usage(b, a);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (!error)
		error = fair_sched_take_over_limits(b, a);
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	while (!error && fair_sched_each(a, FAIR_RUNNING, &at, &job))
		error = fair_sched_take_over_running(b, a, &job);
	b->digest = empty_digest;
	for (i = 0; !error && i < a->advances; i++) {
		if (a->nodes)
			FAIR_MEMCPY(fair_sched_withheld_nodes(
					    b, b->config.advances),
				    fair_sched_withheld_nodes(a, i),
				    fair_node_row_size(&a->config));
		error = fair_sched_set_advance(b, a->now, a->advance + i, true,
					       true);
	}
	return error;
}

static int fair_sched_take_over_all(struct fair_sched *b,
				    const struct fair_sched *a)
{
	struct fair_job_status job;
	uint32_t n, i;
	int error = -FAIR_ENOSPC;

	if (fair_sched_has_room_for(b, a))
		error = fair_sched_take_over_machine(b, a);
	if (error)
		return error;
	/* b->free_slot[] holds no slot yet: it is memory for the sort. */
	n = fair_sched_sort_by_arrival(a, b->free_slot);
	for (i = 0; !error && i < n; i++) {
		fair_sched_describe(a, a->live + b->free_slot[i], &job);
		error = fair_sched_submit(b, a->now, &job.job);
		if (!error)
			fair_live_copy_past(fair_sched_find(b, job.job.number),
					    a->live + b->free_slot[i]);
	}
	for (i = 0; !error && i < a->ineligibles; i++)
		error = fair_sched_take_over_ineligible(b, a,
							&a->ineligible[i]);
	if (!error)
		fair_sched_queue_eligible_jobs(b); /* plans bound jobs */
	return error;
}

FAIRSCHED_API int fair_sched_convert(struct fair_sched *b, size_t struct_size,
				     void *memory, size_t bytes,
				     const struct fair_config *config,
				     const struct fair_sched *a)
{
	struct fair_config c;
	struct fair_sched x;
	int error;

	if (!b || !config || !a || struct_size != sizeof(*b))
		return -FAIR_EINVAL;
	c = *config;
	if (!c.machine)
		c.procs = a->max_procs;
	c.origin = a->now;
	error = fair_sched_init(&x, sizeof(x), memory, bytes, &c);
	if (!error)
		error = fair_sched_take_over_all(&x, a);
	if (!error)
		*b = x;
	return error;
}

/* WHAT IF */

/* Private: when each job of a scheduler starts, by slot. */
struct fair_starts {
	const struct fair_sched *s;
	struct fair_simulated_run simulated;
	int64_t *start;
};

/* A simulated run calls this when a job starts, at first for running jobs. */
static int64_t fair_starts_run(void *context, uint64_t number)
{
	struct fair_starts *x = (struct fair_starts *)context;
	const struct fair_live *j = fair_sched_find(x->s, number);

	if (j) /* else a task that arrived in the simulated run */
		x->start[fair_sched_slot(x->s, j)] = j->state == FAIR_RUNNING
							     ? j->started
							     : x->simulated.now;
	return fair_sched_planned_run((void *)(uintptr_t)x->s, number);
}

static int fair_starts_find(struct fair_starts *x, const struct fair_sched *s,
			    int64_t *start, void *memory, size_t bytes)
{
	uint32_t i;

	x->s = s;
	x->start = start;
	for (i = 0; i < s->slots; i++)
		start[i] = FAIR_FOREVER;
	fair_must(fair_simulated_run_init(&x->simulated, sizeof(x->simulated),
					  memory, bytes, s, s->now,
					  fair_starts_run, x));
	while ((fair_sched_queue(x->simulated.sched)->jobs ||
		x->simulated.sched->ineligibles) &&
	       fair_simulated_run_advance(&x->simulated))
		;
	return x->simulated.rounds > 0 ? 0 : -FAIR_EOVERFLOW;
}

static size_t fair_sched_whatif_clone(const struct fair_config *a,
				      const struct fair_config *b)
{
	size_t x = fair_sched_fst_size(a), y = fair_sched_fst_size(b);

	if (!x || !y)
		return 0;
	return x > y ? x : y;
}

FAIRSCHED_API size_t fair_sched_whatif_size(const struct fair_config *a,
					    const struct fair_config *b)
{
	size_t size = fair_sched_whatif_clone(a, b);

	if (!size)
		return 0;
	return size + 8 + ((size_t)a->jobs + b->jobs) * sizeof(int64_t);
}

static void fair_change_describe(struct fair_change *c, uint32_t side,
				 const struct fair_sched *s,
				 const int64_t *start)
{
	const struct fair_live *j = fair_sched_find(s, c->number);

	c->start[side] = c->promise[side] = FAIR_FOREVER;
	if (!j)
		return;
	c->start[side] = start[fair_sched_slot(s, j)];
	if (j->state != FAIR_RUNNING &&
	    (s->planner->promises || fair_sched_bound_to(s, j)))
		c->promise[side] = fair_live_promise(j);
}

/* Turn 0 reports the jobs of s[0], turn 1 those that wait only in s[1]. */
static void fair_sched_report_changes(
	const struct fair_sched *const s[2], int64_t *const start[2],
	uint32_t turn, uint32_t state,
	void (*change)(void *context, const struct fair_change *change),
	void *context)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	const struct fair_live *other;
	struct fair_change c;

	while (fair_sched_each(s[turn], state, &at, &j)) {
		other = fair_sched_find(s[0], j.job.number);
		if (turn && other && other->state != FAIR_RUNNING)
			continue;
		c.number = j.job.number;
		fair_change_describe(&c, 0, s[0], start[0]);
		fair_change_describe(&c, 1, s[1], start[1]);
		if (c.start[0] != c.start[1] || c.promise[0] != c.promise[1])
			change(context, &c);
	}
}

FAIRSCHED_API int fair_sched_whatif(
	const struct fair_sched *a, const struct fair_sched *b, void *memory,
	size_t bytes,
	void (*change)(void *context, const struct fair_change *change),
	void *context)
{
	static const uint32_t waits[] = { FAIR_QUEUED, FAIR_DISPLACED,
					  FAIR_INELIGIBLE };
	const struct fair_sched *s[2];
	struct fair_starts x;
	int64_t *start[2];
	uint32_t turn, i;
	size_t clone;
	int error;

	if (!a || !b || !memory || !change)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_whatif_size(&a->config, &b->config))
		return -FAIR_ENOMEM;
	clone = fair_sched_whatif_clone(&a->config, &b->config);
	s[0] = a;
	s[1] = b;
	start[0] = (int64_t *)(void *)fair_sched_align((char *)memory + clone);
	start[1] = start[0] + a->config.jobs;
	error = fair_starts_find(&x, a, start[0], memory, clone);
	if (!error)
		error = fair_starts_find(&x, b, start[1], memory, clone);
	if (error)
		return error;
	for (turn = 0; turn < 2; turn++)
		for (i = 0; i < sizeof(waits) / sizeof(*waits); i++)
			fair_sched_report_changes(s, start, turn, waits[i],
						  change, context);
	return 0;
}

#endif /* FAIRSCHED_WITHOUT_WHATIF */
