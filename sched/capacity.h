/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/capacity.h - the machine, or a class of it, gains or loses capacity
 *
 * Jobs that end with a loss, its victims, end first.
 *
 * Uses: events.h.
 */

/* Whether the machine may gain @delta of resource @r. */
static bool fair_sched_can_grow(const struct fair_sched *s, uint32_t r,
				int32_t delta)
{
	int64_t weight = fair_config_weight(&s->config, r);
	int64_t room = INT32_MAX - fair_sched_machine_cost(s);

	if ((!r && delta > INT32_MAX - s->procs) ||
	    (weight && delta > room / weight))
		return false;
	return !weight ||
	       fair_ledgers_can_grow(s, fair_sched_machine_cost(s) +
						(int32_t)weight * delta);
}

/* 0, or why the machine cannot gain or lose @delta processors. */
static int fair_sched_validate_capacity(const struct fair_sched *s,
					int32_t delta, const uint64_t *victim,
					size_t victims)
{
	int64_t freed;
	int error;

	if (!delta || (victims && (!victim || delta > 0)))
		return -FAIR_EINVAL;
	if (delta > 0 && !fair_sched_can_grow(s, 0, delta))
		return -FAIR_EOVERFLOW;
	error = fair_sched_validate_running(s, victim, victims, &freed);
	if (error)
		return error;
	if (-(int64_t)delta > s->procs - s->busy + freed)
		return -FAIR_ERANGE;
	return 0;
}

/* The victims end with the loss; true if one of them was to run longer. */
static bool fair_sched_end_victims(struct fair_sched *s, const uint64_t *victim,
				   size_t victims)
{
	bool early = false;
	size_t i;

	for (i = 0; i < victims; i++) {
		struct fair_live *j = fair_sched_find(s, victim[i]);

		early |= fair_sched_stop_job(s, j);
		fair_sched_remove_job(s, j);
		(void)fair_sched_resolve_dependencies(s, victim[i], 1,
						      FAIR_AFTER_NOT_OK);
	}
	return early;
}

static void fair_sched_count_capacity(struct fair_sched *s, uint32_t k,
				      uint32_t r, int32_t delta)
{
	fair_classes_count(s, k, r, delta);
	if (!r)
		s->procs += delta;
	if (s->procs > s->max_procs)
		s->max_procs = s->procs;
	if (fair_config_weight(&s->config, r))
		fair_ledgers_notify(s, FAIR_LEDGER_CAPACITY, 0, 0);
}

/*
 * @delta free processors of the pool, or of resource @r of class @k, come or
 * go, or none.
 */
static void fair_sched_apply_capacity(struct fair_sched *s,
				      struct fair_event *e, uint32_t k,
				      uint32_t r, int32_t delta)
{
	int32_t amount[FAIR_MACHINE_RESOURCES] = { 0 };
	struct fair_claim claim;

	amount[r] = delta < 0 ? -delta : delta;
	claim = fair_sched_make_claim(s, k, amount);
	if (s->advances)
		fair_sched_resize_profile(s, e, &claim, delta > 0);
	else if (delta < 0)
		fair_sched_take_procs(s, e, s->now, FAIR_FOREVER, &claim);
	else if (delta)
		fair_sched_return_procs(s, s->now, FAIR_FOREVER, &claim);
}

/* The same for ledgers, plan and promises. */
static void fair_sched_change_capacity(struct fair_sched *s, uint32_t k,
				       uint32_t r, int32_t delta)
{
	struct fair_event e;

	fair_sched_count_capacity(s, k, r, delta);
	fair_event_begin(&e, s,
			 delta < 0 ? FAIR_CAUSE_CAPACITY : FAIR_CAUSE_EARLIER);
	fair_sched_apply_capacity(s, &e, k, r, delta);
	fair_sched_plan_bound_jobs(s, &e);
}

/* It is possible: victims end, the capacity changes, and what that permits. */
static void fair_sched_accept_capacity(struct fair_sched *s, int64_t now,
				       uint32_t k, uint32_t r, int32_t delta,
				       const uint64_t *victim, size_t victims)
{
	bool early;

	fair_sched_advance_time(s, now);
	early = fair_sched_end_victims(s, victim, victims);
	fair_sched_change_capacity(s, k, r, delta);
	if (early || delta > 0)
		fair_sched_react(s);
	fair_sched_queue_eligible_jobs(s);
}

FAIRSCHED_API int fair_sched_capacity(struct fair_sched *s, int64_t now,
				      int32_t delta, const uint64_t *victim,
				      size_t victims)
{
	int error = fair_sched_validate_time(s, now);

	if (!error && fair_sched_has_classes(s))
		error = -FAIR_EINVAL;
	if (!error)
		error = fair_sched_validate_capacity(s, delta, victim, victims);
	if (!error)
		fair_sched_accept_capacity(s, now, 0, 0, delta, victim,
					   victims);
	return error;
}

#ifndef FAIRSCHED_WITHOUT_NODES
/* NODES */

/* Processors of the chunks that run on a node. */
static int32_t fair_sched_busy_on(const struct fair_sched *s, uint32_t node)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	struct fair_queue_place at = { 0, 0 };
	struct fair_nodes_part part;
	int32_t procs = 0;
	uint32_t slot, i;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		for (i = 0; fair_nodes_next_part(n, slot, &i, &part);)
			if (part.node == node)
				procs += part.chunks *
					 fair_nodes_asked(n, slot).amount[0];
	}
	return procs;
}

/*
 * The counts of its class, and then the plan, gain or lose a node. What jobs
 * that run on it hold of it counts as neither free nor busy while it is down.
 */
static void fair_sched_change_node(struct fair_sched *s, uint32_t node,
				   bool take)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	struct fair_claim claim = { 0, node, NULL, UINT32_MAX };
	uint32_t k = fair_nodes_class(n, node), r;
	int32_t amount, busy = fair_sched_busy_on(s, node);
	struct fair_event e;

	s->busy += take ? -busy : busy;
	for (r = 0; r < n->resources; r++) {
		amount = fair_nodes_whole(n, node, r);
		if (amount)
			fair_sched_count_capacity(s, k, r,
						  take ? -amount : amount);
	}
	claim.procs = fair_nodes_whole(n, node, 0);
	fair_event_begin(&e, s, take ? FAIR_CAUSE_CAPACITY
				     : FAIR_CAUSE_EARLIER);
	fair_planner_count(s, 0, take ? busy : -busy);
	if (take) {
		s->planner->displace_all(s, &e); /* none is on the node */
		s->planner->take(s, &e, s->now, FAIR_FOREVER, &claim);
		fair_sched_end_loss(s, &e, s->now, s->now);
	} else {
		s->planner->give_back(s, &e, s->now, FAIR_FOREVER, &claim);
	}
	fair_sched_plan_bound_jobs(s, &e);
}

FAIRSCHED_API int fair_sched_node_down(struct fair_sched *s, int64_t now,
				       uint32_t node, const uint64_t *victim,
				       size_t victims)
{
	int error = fair_sched_validate_time(s, now);
	int64_t procs;
	bool early;

	if (error)
		return error;
	if (!s->nodes || node >= s->nodes->nodes.nodes ||
	    fair_nodes_is_down(&s->nodes->nodes, node) || (victims && !victim))
		return -FAIR_EINVAL;
	error = fair_sched_validate_running(s, victim, victims, &procs);
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	early = fair_sched_end_victims(s, victim, victims);
	fair_sched_change_node(s, node, true);
	if (early)
		fair_sched_react(s);
	fair_sched_queue_eligible_jobs(s);
	return 0;
}

FAIRSCHED_API int fair_sched_node_up(struct fair_sched *s, int64_t now,
				     uint32_t node)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (!s->nodes || node >= s->nodes->nodes.nodes ||
	    !fair_nodes_is_down(&s->nodes->nodes, node))
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	fair_sched_change_node(s, node, false);
	fair_sched_react(s);
	return 0;
}

/* Whether a live job asks for a set of nodes, or not to get them. */
static bool fair_sched_is_set_used(const struct fair_sched *s, uint32_t set)
{
	struct fair_nodes_request r;
	uint32_t i;

	for (i = 0; i < s->slots; i++) {
		if (fair_sched_find(s, s->live[i].queued.rank.number) !=
		    s->live + i)
			continue;
		r = fair_nodes_asked(&s->nodes->nodes, i);
		if (r.named == set || r.excluded == set)
			return true;
	}
	return false;
}

FAIRSCHED_API int fair_sched_set_node(struct fair_sched *s, uint32_t set,
				      uint32_t node, bool in)
{
	if (!s->nodes || fair_sched_is_set_used(s, set))
		return -FAIR_EINVAL;
	return fair_nodes_set(&s->nodes->nodes, set, node, in);
}
#endif /* FAIRSCHED_WITHOUT_NODES */

/* 0, or why class @k cannot gain or lose @delta of resource @r. */
static int fair_sched_validate_class_capacity(const struct fair_sched *s,
					      uint32_t k, uint32_t r,
					      int32_t delta,
					      const uint64_t *victim,
					      size_t victims)
{
	struct fair_claim claim;
	int64_t free, procs;
	uint32_t column;
	size_t i;
	int error;

	if (!fair_sched_has_classes(s) || s->nodes ||
	    k >= fair_sched_class_count(s) ||
	    r >= fair_sched_resources(s) || !delta ||
	    (victims && (!victim || delta > 0)))
		return -FAIR_EINVAL;
	column = fair_sched_column(s, k, r);
	if (!fair_sched_has_column(s, column))
		return -FAIR_ERANGE;
	if (delta > INT32_MAX - fair_column_present(s, column) ||
	    (delta > 0 && !fair_sched_can_grow(s, r, delta)))
		return -FAIR_EOVERFLOW;
	error = fair_sched_validate_running(s, victim, victims, &procs);
	if (error)
		return error;
	free = fair_sched_column_free(s, column);
	for (i = 0; i < victims; i++) {
		claim = fair_sched_claim(
			s, fair_sched_slot(s, fair_sched_find(s, victim[i])));
		free += fair_column_amount(s, column, &claim);
	}
	return -(int64_t)delta > free ? -FAIR_ERANGE : 0;
}

FAIRSCHED_API int fair_sched_class_capacity(struct fair_sched *s, int64_t now,
					    uint32_t node_class,
					    uint32_t resource, int32_t delta,
					    const uint64_t *victim,
					    size_t victims)
{
	int error = fair_sched_validate_time(s, now);

	if (!error)
		error = fair_sched_validate_class_capacity(
			s, node_class, resource, delta, victim, victims);
	if (!error)
		fair_sched_accept_capacity(s, now, node_class, resource, delta,
					   victim, victims);
	return error;
}
