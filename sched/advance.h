/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/advance.h - advance reservations are made, changed and withdrawn
 *
 *   test --> fair_sched_advance_time() --> is there room, unless forced?
 *      --> reservation jobs --> profiles --> fair_sched_react()
 *
 * Uses: events.h.
 */

#ifndef FAIRSCHED_WITHOUT_ADVANCES

/* How much more of a column @b, active at @t, leaves at @t than @was, which it
 * replaces. */
static int64_t fair_sched_advance_difference(const struct fair_sched *s,
					     uint32_t column,
					     const struct fair_advance *was,
					     const struct fair_advance *b,
					     int64_t t)
{
	int64_t amount = was ? fair_sched_withheld_at(s, column, was, t) : 0;

	return amount - fair_sched_withheld_at(s, column, b, t);
}

/*
 * Whether @b, which replaces @was (NULL: none), has all that it asks for of a
 * column beside running jobs, other advance reservations and, with @promises,
 * what is promised.
 */
static bool fair_sched_has_column_for_advance(const struct fair_sched *s,
					      uint32_t column,
					      const struct fair_advance *was,
					      const struct fair_advance *b,
					      bool promises)
{
	int64_t t = fair_later(s->now, b->from), next, left, promised;
	struct fair_step step = { 0, FAIR_FOREVER, 0 };

	for (; t < b->to; t = next) {
		left = fair_sched_uncommitted_at(s, column, t, &next);
		promised = 0;
		if (promises) {
			fair_must(fair_profile_step_at(
				fair_column_profile(s, column), t, &step));
			promised = (left > 0 ? left : 0) - step.free;
		}
		next = next < step.end ? next : step.end;
		if (left + fair_sched_advance_difference(s, column, was, b, t) <
		    promised)
			return false;
	}
	return true;
}

/* The same of all that it asks for. */
static bool fair_sched_has_room_for_advance(const struct fair_sched *s,
					    const struct fair_advance *was,
					    const struct fair_advance *b,
					    bool promises)
{
	struct fair_claim claim = fair_advance_claim(s, b);
	uint32_t n = fair_sched_columns(s), i;

	for (i = 0; i < n; i++)
		if (fair_column_amount(s, i, &claim) &&
		    !fair_sched_has_column_for_advance(s, i, was, b, promises))
			return false;
	return true;
}

/* NODES */

/* 0, or why an advance reservation names no such nodes. */
static int fair_sched_validate_named(const struct fair_sched *s,
				     const struct fair_advance *b)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	uint32_t node = 0;

	if (b->nodes < 0 || !b->nodes == !b->named || b->named > n->sets ||
	    (b->nodes && b->node_class >= n->classes))
		return -FAIR_EINVAL;
	if (b->nodes)
		return b->nodes <= s->nodes->config.count[b->node_class]
			       ? 0
			       : -FAIR_ERANGE;
	while (node < n->nodes && !fair_nodes_has(n, b->named, node))
		node++;
	return node < n->nodes ? 0 : -FAIR_EINVAL;
}

/* The nodes of a job are in use once more. */
static void fair_sched_use_parts(struct fair_sched *s, uint32_t slot)
{
	struct fair_nodes_part part;
	uint32_t at = 0;

	while (fair_nodes_next_part(&s->nodes->nodes, slot, &at, &part))
		s->nodes->uses[part.node]++;
}

/* A waiting job is planned within [@from, @to). */
static bool fair_live_is_within(const struct fair_live *j, int64_t from,
				int64_t to)
{
	return j->queued.rank.key < to &&
	       j->queued.rank.key > from - j->queued.walltime;
}

/* How many jobs, promises, and advance reservations hold some of each node
 * within [@from, @to), but @number and what is bound to it. */
static void fair_sched_count_uses(struct fair_sched *s, uint64_t number,
				  int64_t from, int64_t to)
{
	const struct fair_queue *q = fair_sched_queue(s);
	const struct fair_rank behind = { from + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	uint32_t nodes = s->nodes->nodes.nodes, i, node;
	const struct fair_live *j;

	FAIR_MEMSET(s->nodes->uses, 0, nodes * sizeof(*s->nodes->uses));
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		j = s->live + fair_queue_slot(&s->running, at);
		if (fair_sched_bound_to(s, j) != number)
			fair_sched_use_parts(s, fair_sched_slot(s, j));
	}
	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		if (fair_sched_bound_to(s, j) != number &&
		    fair_live_is_within(j, from, to))
			fair_sched_use_parts(s, s->ineligible[i].slot);
	}
	at.row = at.index = 0;
	for (; s->planner->promises &&
	       fair_queue_next_fitting(q, &at, INT32_MAX);
	     at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (fair_live_is_within(j, from, to))
			fair_sched_use_parts(s, fair_queue_slot(q, at));
	}
	for (i = 0; i < s->advances; i++)
		for (node = 0; node < nodes; node++)
			s->nodes->uses[node] +=
				s->advance[i].number != number &&
				s->advance[i].from < to &&
				s->advance[i].to > from &&
				fair_sched_withholds(s, i, node);
}

/* Whether an advance reservation takes a node of this rank. */
static bool fair_sched_prefers_node(const struct fair_sched *s,
				    const struct fair_advance *b, uint32_t node,
				    uint32_t rank)
{
	const struct fair_nodes *n = &s->nodes->nodes;

	if (b->named)
		return fair_nodes_has(n, b->named, node);
	return fair_nodes_class(n, node) == b->node_class &&
	       s->nodes->uses[node] == rank;
}

/* The next larger number of uses of a node; 0: none. */
static uint32_t fair_sched_next_uses(const struct fair_sched *s, uint32_t uses)
{
	uint32_t next = 0, node;

	for (node = 0; node < s->nodes->nodes.nodes; node++)
		if (s->nodes->uses[node] > uses &&
		    (!next || s->nodes->uses[node] < next))
			next = s->nodes->uses[node];
	return next;
}

/* Its nodes, in the scratch row; @b: what they have. */
static void fair_sched_choose_nodes(struct fair_sched *s,
				    struct fair_advance *b)
{
	uint64_t *row = fair_sched_withheld_nodes(s, s->config.advances);
	const struct fair_nodes *n = &s->nodes->nodes;
	int32_t left = b->named ? INT32_MAX : b->nodes;
	uint32_t rank = 0, node;

	fair_sched_count_uses(s, b->number, fair_later(s->now, b->from), b->to);
	for (node = 0; node < n->nodes; node++)
		if (fair_nodes_is_down(n, node))
			s->nodes->uses[node] |= UINT32_C(1) << 31;
	FAIR_MEMSET(row, 0, fair_node_row_size(&s->config));
	/* Invariant: those that are in use less are taken. */
	do {
		for (node = 0; node < n->nodes && left; node++) {
			if (!fair_sched_prefers_node(s, b, node, rank))
				continue;
			row[node / 64] |= UINT64_C(1) << node % 64;
			left--;
		}
		rank = fair_sched_next_uses(s, rank);
	} while (left && rank && !b->named);
	fair_sched_sum_nodes(s, s->config.advances, b);
}

/* Whether no job, promise or other advance reservation holds its nodes, of the
 * scratch row, and all are up. */
static bool fair_sched_has_nodes_for_advance(const struct fair_sched *s)
{
	uint32_t node = 0;

	while (node < s->nodes->nodes.nodes &&
	       !(fair_sched_withholds(s, s->config.advances, node) &&
		 s->nodes->uses[node]))
		node++;
	return node == s->nodes->nodes.nodes;
}

/* 0, or why an advance reservation withholds no such amounts. */
static int fair_sched_validate_withheld(const struct fair_sched *s,
					const struct fair_advance *advance)
{
	const struct fair_advance b = fair_advance_complete(advance);
	uint32_t n = fair_sched_resources(s), r;
	uint32_t k = fair_sched_has_classes(s) ? b.node_class : 0;
	bool asks = false;

	if (k >= fair_sched_class_count(s))
		return -FAIR_EINVAL;
	for (r = 0; r < n; r++) {
		if (b.amount[r] < 0)
			return -FAIR_EINVAL;
		asks |= b.amount[r] > 0;
	}
	for (r = 0; r < n; r++)
		if (b.amount[r] >
		    fair_column_most(s, fair_sched_column(s, k, r)))
			return -FAIR_ERANGE;
	return asks ? 0 : -FAIR_EINVAL;
}

/* 0, or why there can be no such advance reservation. */
static int fair_sched_validate_advance(const struct fair_sched *s, int64_t now,
				       const struct fair_advance *b)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (!b || b->from >= b->to || b->kind > FAIR_ADVANCE_USER)
		return -FAIR_EINVAL;
	if (b->to <= now)
		return -FAIR_ETIME;
	if (!s->nodes)
		error = fair_sched_validate_withheld(s, b);
	if (error)
		return error;
	if (b->to > FAIR_TIME_MAX || b->to - now >= fair_sched_horizon(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

/* Whether there is room for one more at @now. */
static bool fair_sched_has_advance_left(const struct fair_sched *s, int64_t now)
{
	bool ends = s->advances < s->config.advances;
	uint32_t i;

	for (i = 0; i < s->advances; i++)
		ends |= s->advance[i].to <= now;
	return ends;
}

/* @chosen: on nodes: those of the scratch row. */
static int fair_sched_set_advance(struct fair_sched *s, int64_t now,
				  const struct fair_advance *advance,
				  bool force, bool chosen)
{
	int error = fair_sched_validate_advance(s, now, advance);
	struct fair_advance b, was;
	struct fair_event e;
	bool changes;
	uint32_t i;

	if (!error && s->nodes && !chosen)
		error = fair_sched_validate_named(s, advance);
	if (error)
		return error;
	b = fair_advance_complete(advance);
	i = fair_sched_advance_place(s, b.number);
	changes = fair_sched_is_advance(s, i, b.number);
	if (!changes && !fair_sched_has_advance_left(s, now))
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now);
	i = fair_sched_advance_place(s, b.number);
	changes = fair_sched_is_advance(s, i, b.number);
	was = changes ? s->advance[i] : b;
	if (s->nodes && !chosen)
		fair_sched_choose_nodes(s, &b);
	if (!force &&
	    !(s->nodes ? fair_sched_has_nodes_for_advance(s)
		       : fair_sched_has_room_for_advance(
				 s, changes ? &was : NULL, &b,
				 s->planner->promises)))
		return -FAIR_ERANGE;
	if (!changes)
		FAIR_MEMMOVE(s->advance + i + 1, s->advance + i,
			     (s->advances++ - i) * sizeof(*s->advance));
	s->advance[i] = b;
	if (s->nodes)
		fair_sched_withhold_nodes(s, i, !changes);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_ADVANCE);
	fair_event_begin(&e, s, FAIR_CAUSE_CAPACITY);
	e.lost = FAIR_FOREVER;
	fair_sched_reset_profile(s, &e, was.from < b.from ? was.from : b.from,
				 was.to > b.to ? was.to : b.to);
	if (changes)
		fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_advance_reserve(struct fair_sched *s, int64_t now,
					     const struct fair_advance *advance,
					     bool force)
{
	return fair_sched_set_advance(s, now, advance, force, false);
}

FAIRSCHED_API int fair_sched_advance_cancel(struct fair_sched *s, int64_t now,
					    uint64_t number)
{
	uint32_t i = fair_sched_advance_place(s, number);
	int error = fair_sched_validate_time(s, now);
	struct fair_advance was;
	struct fair_event e;

	if (error)
		return error;
	if (!fair_sched_is_advance(s, i, number) || s->advance[i].to <= now)
		return -FAIR_ENOENT;
	fair_sched_advance_time(s, now);
	i = fair_sched_advance_place(s, number);
	was = s->advance[i];
	fair_sched_remove_advance(s, i);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	fair_sched_reset_profile(s, &e, was.from, was.to);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
	return 0;
}

#else /* FAIRSCHED_WITHOUT_ADVANCES */

#define fair_sched_has_room_for_advance fair_absent
#define fair_sched_set_advance fair_absent
#define fair_sched_validate_advance fair_absent

#endif /* FAIRSCHED_WITHOUT_ADVANCES */
