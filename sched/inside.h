/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/inside.h - jobs are planned inside their advance reservation
 *
 *   node 2  |running|[ job 4  ]|        |
 *   node 1  |   [ job 4 ]|[ 5 ]|        |   what an advance reservation leaves
 *   node 0  |   [ job 4 ]|     |        |   to the jobs that are bound to it
 *           +---+--------------+--------+--> time
 *               from           to
 *
 * Of amounts, that is computed from the list of jobs at each change of it. On
 * nodes there are nodes of their own, struct fair_node_space.inside. They have
 * what runs, and then what is planned: by number, what is bound to an advance
 * reservation, and behind that the advance reservation itself, of which those
 * with higher numbers get nothing. The nodes that the queue is planned on know
 * of an advance reservation only that it has all of its nodes.
 *
 * Limits count reservation jobs where they are planned, and hold none back.
 *
 * Uses: reservation.h.
 */

#ifndef FAIRSCHED_WITHOUT_ADVANCES

/* AMOUNTS */

/* The place of @number in advance[], or where it would be added. */
static uint32_t fair_sched_advance_place(const struct fair_sched *s,
					 uint64_t number)
{
	uint32_t i = 0;

	while (i < s->advances && s->advance[i].number < number)
		i++;
	return i;
}

/* Whether the advance reservation at place @i is @number. */
static bool fair_sched_is_advance(const struct fair_sched *s, uint32_t i,
				  uint64_t number)
{
	return i < s->advances && s->advance[i].number == number;
}

/* The place of @number if jobs can be bound to it; s->advances: they cannot. */
static uint32_t fair_sched_usable_advance(const struct fair_sched *s,
					  uint64_t number)
{
	uint32_t i = fair_sched_advance_place(s, number);

	if (!fair_sched_is_advance(s, i, number) ||
	    s->advance[i].kind != FAIR_ADVANCE_USER)
		return s->advances;
	return i;
}

/*
 * Whether the advance reservation at place @i has all of a column at all times:
 * enough is left beside the jobs that run when it begins and all advance
 * reservations with lower numbers, which go first.
 */
static bool fair_sched_is_undisturbed_in(const struct fair_sched *s,
					 uint32_t column, uint32_t i)
{
	const struct fair_advance *b = s->advance + i;
	int64_t t = fair_later(s->now, b->from), change;
	struct fair_claim claim = fair_advance_claim(s, b);
	int64_t spare = fair_sched_uncommitted_beside(s, column, 0, t, &change);

	spare -= fair_column_amount(s, column, &claim);
	spare += fair_sched_bound_amount_at(s, column, b->number, t, &change);
	while (i--) {
		claim = fair_advance_claim(s, s->advance + i);
		spare -= fair_column_amount(s, column, &claim);
	}
	return spare >= 0;
}

/* The same of all that it withholds. */
static bool fair_sched_is_undisturbed(const struct fair_sched *s, uint32_t i)
{
	struct fair_claim claim = fair_advance_claim(s, s->advance + i);
	uint32_t n = fair_sched_columns(s), column;

	for (column = 0; column < n; column++)
		if (fair_column_amount(s, column, &claim) &&
		    !fair_sched_is_undisturbed_in(s, column, i))
			return false;
	return true;
}

/* What a reservation job asks for, in the class of its advance reservation. */
static struct fair_claim fair_sched_bound_claim(const struct fair_sched *s,
						const struct fair_live *j,
						const struct fair_advance *b)
{
	struct fair_claim claim = fair_sched_claim(s, fair_sched_slot(s, j));

	claim.node_class = b->node_class;
	return claim;
}

/*
 * Room of a column for the job @bound at @t in the advance reservation at place
 * @i: as much as it has beside running jobs and advance reservations with lower
 * numbers, less that of the other jobs that run or are planned in it.
 * *@change: lowered to the first time after @t at which that can change.
 */
static int64_t fair_sched_bound_job_room(const struct fair_sched *s,
					 uint32_t column, uint32_t i,
					 bool undisturbed,
					 const struct fair_live *bound,
					 int64_t t, int64_t *change)
{
	const struct fair_advance *b = s->advance + i;
	struct fair_claim claim = fair_advance_claim(s, b);
	int64_t room = fair_column_amount(s, column, &claim), next = *change;
	int64_t uncommitted = room, start;
	const struct fair_live *j;

	if (!undisturbed)
		uncommitted =
			fair_sched_uncommitted_beside(s, column, i, t, &next);
	if (next < *change)
		*change = next;
	room -= fair_sched_bound_amount_at(s, column, b->number, t, change);
	if (uncommitted < room)
		room = uncommitted;
	if (b->to < *change)
		*change = b->to;
	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		start = j->queued.rank.key;
		if (j == bound || fair_sched_bound_to(s, j) != b->number ||
		    start == FAIR_FOREVER)
			continue;
		claim = fair_sched_bound_claim(s, j, b);
		next = t < start ? start : start + j->queued.walltime;
		if (start <= t && t < next)
			room -= fair_column_amount(s, column, &claim);
		if (t < next && next < *change)
			*change = next;
	}
	return room;
}

/* Whether it has room for all that the job asks for. */
static bool fair_sched_has_bound_job_room(const struct fair_sched *s,
					  uint32_t i, bool undisturbed,
					  const struct fair_live *bound,
					  int64_t t, int64_t *change)
{
	struct fair_claim claim =
		fair_sched_bound_claim(s, bound, s->advance + i);
	uint32_t n = fair_sched_columns(s), column;
	bool has_room = true;
	int32_t asked;

	*change = FAIR_FOREVER;
	for (column = 0; column < n; column++) {
		asked = fair_column_amount(s, column, &claim);
		if (asked &&
		    fair_sched_bound_job_room(s, column, i, undisturbed, bound,
					      t, change) < asked)
			has_room = false;
	}
	return has_room;
}

/*
 * The earliest start of @j, from @from on, in the advance reservation at place
 * @i; FAIR_FOREVER: none. Loop invariant: there is room over [start, t).
 */
static int64_t fair_sched_bound_job_start_in(const struct fair_sched *s,
					     uint32_t i, bool undisturbed,
					     const struct fair_live *j,
					     int64_t from)
{
	const struct fair_advance *b = s->advance + i;
	int64_t start = b->from > from ? b->from : from, t, next;

	for (t = start; b->to - start >= j->queued.walltime; t = next) {
		if (!fair_sched_has_bound_job_room(s, i, undisturbed, j, t,
						   &next))
			start = next;
		else if (next - start >= j->queued.walltime)
			return start;
	}
	return FAIR_FOREVER;
}

/* The earliest start of a reservation job from @from on; FAIR_FOREVER: none. */
static int64_t fair_sched_bound_job_start(const struct fair_sched *s,
					  const struct fair_live *j,
					  int64_t from)
{
	uint32_t i = fair_sched_usable_advance(s, fair_sched_bound_to(s, j));
	int64_t soonest = fair_later(s->now, j->queued.not_before);

	if (i == s->advances ||
	    !fair_sched_may_run_in(s, fair_sched_slot(s, j),
				   s->advance[i].node_class))
		return FAIR_FOREVER;
	return fair_sched_bound_job_start_in(s, i,
					     fair_sched_is_undisturbed(s, i), j,
					     fair_later(from, soonest));
}

/* NODES: slot 0 of those inside is for the job that is being planned. Its nodes
 * are kept with the job, in the slot that it has. */

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

	if (start < fair_inside_soonest(s, b, j) ||
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
	int64_t current = j->queued.rank.key, start = current;

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

/* PLANNING */

/* @j, at place @i, starts where it was if it fits, else as soon as it does. */
static int64_t fair_sched_place_bound_job(const struct fair_sched *s,
					  uint32_t i, const struct fair_live *j,
					  int64_t from)
{
	return s->nodes ? fair_inside_place(s, i, j, from)
			: fair_sched_bound_job_start(s, j, from);
}

/* Whether @a is planned inside the advance reservation at place @i. */
static bool fair_sched_is_planned_in(const struct fair_sched *s, uint32_t i,
				     const struct fair_ineligible *a)
{
	return a->is_planned &&
	       fair_sched_bound_to(s, s->live + a->slot) ==
		       s->advance[i].number;
}

/* Move the first reservation job that can start earlier; false: none can. */
static bool fair_sched_move_bound_job_earlier(struct fair_sched *s, uint32_t i)
{
	struct fair_live *j;
	int64_t start;
	uint32_t at;

	for (at = 0; at < s->ineligibles; at++) {
		j = s->live + s->ineligible[at].slot;
		if (!fair_sched_is_planned_in(s, i, s->ineligible + at))
			continue;
		start = s->nodes ? fair_inside_move_earlier(s, i, j)
				 : fair_sched_bound_job_start(s, j, INT64_MIN);
		if (start < j->queued.rank.key) {
			j->queued.rank.key = start;
			return true;
		}
	}
	return false;
}

/* By number: keep each start that still fits, else take the next that does;
 * then some can start earlier. */
static void fair_sched_plan_inside(struct fair_sched *s, uint32_t i)
{
	struct fair_live *j;
	uint32_t at;

	for (at = 0; at < s->ineligibles; at++) {
		j = s->live + s->ineligible[at].slot;
		if (fair_sched_is_planned_in(s, i, s->ineligible + at) &&
		    s->previous_start[at] != FAIR_FOREVER)
			j->queued.rank.key = fair_sched_place_bound_job(
				s, i, j, s->previous_start[at]);
	}
	while (fair_sched_move_bound_job_earlier(s, i))
		;
}

/* Those of one advance reservation are in no other's way. */
static void fair_sched_place_bound_jobs(struct fair_sched *s)
{
	struct fair_live *j;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		s->previous_start[i] = j->queued.rank.key;
		j->queued.rank.key = FAIR_FOREVER;
	}
	if (s->nodes)
		fair_inside_begin(s);
	for (i = 0; i < s->advances; i++) {
		if (s->advance[i].kind == FAIR_ADVANCE_USER)
			fair_sched_plan_inside(s, i);
		if (s->nodes)
			fair_inside_end_advance(s, i);
	}
}

/* A reservation job that is planned runs in the class of its reservation. */
static void fair_sched_set_bound_class(struct fair_sched *s,
				       const struct fair_live *j)
{
	uint32_t i = fair_sched_usable_advance(s, fair_sched_bound_to(s, j));

	if (i < s->advances && !s->nodes)
		fair_sched_set_class(s, fair_sched_slot(s, j),
				     s->advance[i].node_class);
}

#ifndef FAIRSCHED_WITHOUT_LIMITS
/* A reservation job holds its limits where it is planned. */
static void fair_sched_hold_inside(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);
	int64_t start = j->queued.rank.key;

	fair_quotas_leave(s->limits, slot);
	if (start == FAIR_FOREVER)
		return;
	fair_sched_join_limits(s, slot);
	fair_quotas_hold(s->limits, slot, start, start + j->queued.walltime);
}

/* A reservation job that waits has lost its start, or has other limits. */
static void fair_sched_hold_again_inside(struct fair_sched *s,
					 struct fair_live *j)
{
	if (!s->limits || !fair_quotas_holds(s->limits, fair_sched_slot(s, j)))
		return;
	fair_sched_hold_inside(s, j);
	fair_sched_lose_limits(s, true);
}

/* Those that wait hold their limits; some have moved, or one is new. */
static void fair_sched_hold_all_inside(struct fair_sched *s)
{
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++)
		if (fair_sched_bound_to(s, s->live + s->ineligible[i].slot))
			fair_sched_hold_inside(s,
					       s->live + s->ineligible[i].slot);
	fair_sched_lose_limits(s, true);
}
#else /* FAIRSCHED_WITHOUT_LIMITS */
#define fair_sched_hold_inside fair_absent
#define fair_sched_hold_again_inside fair_absent
#define fair_sched_hold_all_inside fair_absent
#endif /* FAIRSCHED_WITHOUT_LIMITS */

/*
 * Plan the reservation jobs: move those whose start no longer fits to the next
 * that does; then, by number, move the first job that can start earlier, until
 * none can. So planning is idempotent.
 * @more, which was not in the plan, was promised @from; NULL: there is none.
 */
static void fair_sched_plan_more_bound_jobs(struct fair_sched *s,
					    const struct fair_event *e,
					    const struct fair_live *more,
					    int64_t from)
{
	struct fair_event own = *e;
	bool moved = more != NULL;
	struct fair_live *j;
	uint32_t i;

	fair_sched_place_bound_jobs(s);
	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		moved |= j->queued.rank.key != s->previous_start[i];
		fair_sched_set_bound_class(s, j);
		own.cause = e->cause;
		if (fair_sched_usable_advance(s, fair_sched_bound_to(s, j)) ==
		    s->advances)
			own.cause = FAIR_CAUSE_ADVANCE;
		if (s->ineligible[i].is_planned)
			fair_sched_report_promise(
				s, j, j == more ? from : s->previous_start[i],
				&own);
	}
	if (s->limits && moved)
		fair_sched_hold_all_inside(s);
}

static void fair_sched_plan_bound_jobs(struct fair_sched *s,
				       const struct fair_event *e)
{
	if (s->bound_jobs && s->ineligibles)
		fair_sched_plan_more_bound_jobs(s, e, NULL, 0);
}

/* A job waits for its advance reservation; it was promised @from before. */
static void fair_sched_queue_bound_job(struct fair_sched *s,
				       struct fair_live *j, int64_t from,
				       uint32_t cause)
{
	uint32_t i = fair_sched_ineligible_place(s, j->queued.rank.number);
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (s->planner->promises && s->planner->scans)
		s->planner->finish(s, &e); /* earlier promises go first */
	fair_sched_add_ineligible(s, j, &fair_no_condition, false);
	s->ineligible[i].is_planned = true;
	e.cause = cause;
	fair_sched_plan_more_bound_jobs(s, &e, j, from);
}

#else /* FAIRSCHED_WITHOUT_ADVANCES */

/* There are no advance reservations, see sched/absent.h. */
#define fair_inside_begin fair_absent
#define fair_inside_can_serve fair_absent
#define fair_inside_end_advance fair_absent
#define fair_inside_enter_bound fair_absent
#define fair_inside_fits_parts fair_absent
#define fair_sched_advance_place fair_absent
#define fair_sched_bound_job_room fair_absent
#define fair_sched_bound_job_start fair_absent
#define fair_sched_hold_again_inside fair_absent
#define fair_sched_hold_inside fair_absent
#define fair_sched_is_advance fair_absent
#define fair_sched_is_planned_in fair_absent
#define fair_sched_plan_bound_jobs fair_absent
#define fair_sched_queue_bound_job fair_absent
#define fair_sched_set_bound_class fair_absent
#define fair_sched_usable_advance fair_absent
#define fair_sched_bound_claim(s, j, b) fair_advance_claim(s, b)

#endif /* FAIRSCHED_WITHOUT_ADVANCES */
