/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/inside.h - reservation jobs on nodes, inside their advance reservation
 *
 *   node 2  |running|[ job 4  ]|        |
 *   node 1  |   [ job 4 ]|[ 5 ]|        |   what an advance reservation leaves
 *   node 0  |   [ job 4 ]|     |        |   to the jobs that are bound to it
 *           +---+--------------+--------+--> time
 *               from           to
 *
 * Nodes of their own, struct fair_node_space.inside, have what runs, and then
 * what is planned: by number, what is bound to an advance reservation, and
 * behind that the advance reservation itself, of which those with higher
 * numbers get nothing. The nodes that the queue is planned on know of an
 * advance reservation only that it has all of its nodes.
 *
 * Slot 0 of them is for the job that is being planned. Its nodes are kept with
 * the job, in the slot that it has.
 *
 * Uses: ineligible.h.
 */

/* Slot 0 is the job in @slot, with its nodes, but may use @set alone. */
static void fair_inside_enter(const struct fair_sched *s, uint32_t slot,
			      uint32_t set)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	struct fair_nodes_request r = fair_nodes_asked(n, slot);
	struct fair_nodes *inside = &s->nodes->inside;
	struct fair_nodes_part part;
	uint32_t at = 0;

	r.named = set;
	r.excluded = 0;
	fair_must(fair_nodes_set_job(inside, 0, &r));
	while (fair_nodes_next_part(n, slot, &at, &part))
		fair_must(fair_nodes_assign(inside, 0, part.node,
					    part.chunks));
}

/* The job in @slot has the nodes of slot 0. */
static void fair_inside_leave(const struct fair_sched *s, uint32_t slot)
{
	struct fair_nodes *n = &s->nodes->nodes;
	struct fair_nodes_part part;
	uint32_t at = 0;

	fair_must(fair_nodes_forget(n, slot));
	while (fair_nodes_next_part(&s->nodes->inside, 0, &at, &part))
		fair_must(fair_nodes_assign(n, slot, part.node, part.chunks));
}

/* Set 1 has what a job may use of the advance reservation at place @i. */
static void fair_inside_allow(const struct fair_sched *s, uint32_t i,
			      uint32_t named, uint32_t excluded)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	uint32_t node;
	bool in;

	for (node = 0; node < n->nodes; node++) {
		in = fair_sched_withholds(s, i, node) &&
		     (!named || fair_nodes_has(n, named, node)) &&
		     !(excluded && fair_nodes_has(n, excluded, node));
		fair_must(fair_nodes_set(&s->nodes->inside, 1, node, in));
	}
}

/* Whether the advance reservation at place @i ever has what a job asks for: it
 * withholds nothing that is wide. */
static bool fair_inside_can_serve(const struct fair_sched *s, uint32_t i,
				  const struct fair_job *job)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	int32_t amount[FAIR_NODES_RESOURCES];
	struct fair_nodes_request r = fair_job_nodes(n, job, amount);
	uint32_t k;

	for (k = 0; k < n->resources; k++)
		if (n->wide >> k & 1 && amount[k])
			return false;
	fair_inside_allow(s, i, r.named, r.excluded);
	r.named = 1;
	r.excluded = 0;
	return fair_nodes_can_serve(&s->nodes->inside, &r);
}

/* Slot 0 is the job @j, bound to the advance reservation at place @i. */
static void fair_inside_enter_bound(const struct fair_sched *s, uint32_t i,
				    const struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);
	struct fair_nodes_request r = fair_nodes_asked(&s->nodes->nodes, slot);

	fair_inside_allow(s, i, r.named, r.excluded);
	fair_inside_enter(s, slot, 1);
}

/* Nodes that are down, and what runs, are taken; nothing else. */
static void fair_inside_begin(const struct fair_sched *s)
{
	const struct fair_rank behind = { s->now + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	struct fair_nodes *inside = &s->nodes->inside;
	uint32_t slot, node;
	int64_t end;

	fair_inside_init(s->nodes, &s->config, s->now);
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		end = fair_live_end(s->live + slot);
		fair_inside_enter(s, slot, 0);
		fair_must(fair_nodes_reserve(inside, 0, s->now, end - s->now));
	}
	for (node = 0; node < inside->nodes; node++)
		if (fair_nodes_is_down(&s->nodes->nodes, node))
			fair_must(fair_nodes_fill(inside, node, s->now,
						  inside->horizon));
}

/* All jobs of the advance reservation at place @i have their nodes. */
static void fair_inside_end_advance(const struct fair_sched *s, uint32_t i)
{
	const struct fair_advance *b = s->advance + i;
	struct fair_nodes *inside = &s->nodes->inside;
	uint32_t node;

	for (node = 0; node < inside->nodes; node++)
		if (fair_sched_withholds(s, i, node))
			fair_must(fair_nodes_fill(
				inside, node, fair_later(s->now, b->from),
				b->to));
}

/* The first second that a job bound to @b may start. */
static int64_t fair_inside_soonest(const struct fair_sched *s,
				   const struct fair_advance *b,
				   const struct fair_live *j)
{
	return fair_later(b->from, fair_later(s->now, j->queued.not_before));
}

/* Whether slot 0, which is @j, has its nodes over its walltime from @start. */
static bool fair_inside_fits_parts(const struct fair_sched *s, uint32_t i,
				   const struct fair_live *j, int64_t start)
{
	const struct fair_advance *b = s->advance + i;
	const struct fair_nodes *inside = &s->nodes->inside;
	struct fair_nodes_part part;
	uint32_t at = 0;

	if (start < fair_inside_soonest(s, b, j) || start >= b->to ||
	    j->queued.walltime > b->to - start)
		return false;
	while (fair_nodes_next_part(inside, 0, &at, &part))
		if (!fair_nodes_has(inside, 1, part.node))
			return false;
	return at && fair_nodes_fits_parts(inside, 0, start,
					   start + j->queued.walltime);
}

/* The first start from @from on of slot 0, which is @j and has no nodes yet;
 * FAIR_FOREVER: none. */
static int64_t fair_inside_first_start(const struct fair_sched *s, uint32_t i,
				       const struct fair_live *j, int64_t from)
{
	const struct fair_advance *b = s->advance + i;
	int64_t start = fair_later(from, fair_inside_soonest(s, b, j));
	struct fair_nodes *inside = &s->nodes->inside;

	if (start >= b->to ||
	    fair_nodes_earliest_start(inside, 0, start, j->queued.walltime,
				      &start) ||
	    start >= b->to || j->queued.walltime > b->to - start)
		return FAIR_FOREVER;
	fair_must(fair_nodes_choose(inside, 0, start, j->queued.walltime));
	return start;
}

/* @j is planned at @from on the nodes that it has, if it fits there, else at
 * the first start from then on. Return: its start; FAIR_FOREVER: none. */
static int64_t fair_inside_place(const struct fair_sched *s, uint32_t i,
				 const struct fair_live *j, int64_t from)
{
	int64_t start = from;

	fair_inside_enter_bound(s, i, j);
	if (!fair_inside_fits_parts(s, i, j, from))
		start = fair_inside_first_start(s, i, j, from);
	if (start == FAIR_FOREVER)
		return start;
	fair_must(fair_nodes_reserve(&s->nodes->inside, 0, start,
				     j->queued.walltime));
	fair_inside_leave(s, fair_sched_slot(s, j));
	return start;
}

/* @j, which is planned or has no start, moves to the first one. Return: its
 * start. */
static int64_t fair_inside_move_earlier(const struct fair_sched *s, uint32_t i,
					const struct fair_live *j)
{
	int64_t soonest = fair_inside_soonest(s, s->advance + i, j);
	int64_t current = j->queued.rank.key, start;

	if (current == FAIR_FOREVER)
		return fair_inside_place(s, i, j, INT64_MIN);
	if (soonest >= current)
		return current;
	fair_inside_enter_bound(s, i, j);
	fair_must(fair_nodes_earlier_start(&s->nodes->inside, 0, soonest,
					   current, j->queued.walltime, current,
					   &start));
	if (start == current)
		return current;
	fair_must(fair_nodes_move(&s->nodes->inside, 0, current, start,
				  j->queued.walltime));
	fair_inside_leave(s, fair_sched_slot(s, j));
	return start;
}
