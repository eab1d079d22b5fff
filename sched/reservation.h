/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/reservation.h - running jobs, advance reservations, and what they leave
 *
 *   procs  +--------------------------+
 *          | running        |         |
 *          |---------+------+---------|   what running jobs and advance
 *          |         | advance 7      |   reservations leave uncommitted is
 *          |         | [job][job]     |   the profile of the planner;
 *          |         |--------+-------|   reservation jobs are planned inside
 *          | queued jobs ...          |   their advance reservation: inside.h
 *          +--------------------------+--> time
 *
 * Uses: ineligible.h.
 */

/* RUNNING JOBS */

/* The running job with the earliest planned end; NULL: none runs. */
static struct fair_live *fair_sched_first_running(const struct fair_sched *s)
{
	const struct fair_queue_place first = { 0, 0 };

	return s->running.jobs ? s->live + fair_queue_slot(&s->running, first)
			       : NULL;
}

/* Set the planned end of a running job. */
static void fair_sched_run_until(struct fair_sched *s, struct fair_live *j,
				 int64_t end)
{
	uint32_t slot = fair_sched_slot(s, j);
	int64_t was = fair_live_end(j);

	fair_must(fair_queue_remove(&s->running, slot));
	j->queued.rank.key = end;
	fair_must(fair_queue_insert(&s->running, slot));
	fair_ledgers_notify(s, FAIR_LEDGER_EXTENDED, slot, was);
}

/* ADVANCE RESERVATIONS AND THE PROFILE */

static bool fair_advance_is_active(const struct fair_advance *b, int64_t t)
{
	return b->from <= t && t < b->to;
}

/*
 * What running jobs bound to @number hold of a column at @t; *@change: lowered
 * to the first time after @t at which one of them ends.
 */
static int64_t fair_sched_bound_amount_at(const struct fair_sched *s,
					  uint32_t column, uint64_t number,
					  int64_t t, int64_t *change)
{
	const struct fair_live *j;
	struct fair_claim claim;
	int64_t amount = 0, end;
	uint32_t i;

	for (i = 0; i < s->running_bound_jobs; i++) {
		j = s->live + s->running_bound_job[i];
		end = fair_live_end(j);
		if (fair_sched_bound_to(s, j) != number || end <= t)
			continue;
		claim = fair_sched_claim(s, s->running_bound_job[i]);
		amount += fair_column_amount(s, column, &claim);
		if (end < *change)
			*change = end;
	}
	return amount;
}

/* What @b withholds of a column at @t beside its running jobs. */
static int64_t fair_sched_withheld_at(const struct fair_sched *s,
				      uint32_t column,
				      const struct fair_advance *b, int64_t t)
{
	struct fair_claim claim = fair_advance_claim(s, b);
	int64_t change = FAIR_FOREVER, amount;

	if (!fair_advance_is_active(b, t))
		return 0;
	amount = fair_column_amount(s, column, &claim) -
		 fair_sched_bound_amount_at(s, column, b->number, t, &change);
	return amount > 0 ? amount : 0;
}

/*
 * What running jobs and the first @n advance reservations leave of a column at
 * @t >= now; negative if they ask for more than there is. *@change: the first
 * time after @t at which that number can change.
 */
static int64_t fair_sched_uncommitted_beside(const struct fair_sched *s,
					     uint32_t column, uint32_t n,
					     int64_t t, int64_t *change)
{
	const struct fair_rank behind = { t + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	int64_t amount = fair_column_present(s, column);
	struct fair_claim claim;
	uint32_t i, slot;

	*change = FAIR_FOREVER;
	for (i = 0; i < n; i++) {
		const struct fair_advance *b = s->advance + i;
		int64_t next = t < b->from ? b->from : b->to;

		amount -= fair_sched_withheld_at(s, column, b, t);
		if (t < next && next < *change)
			*change = next;
	}
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		claim = fair_sched_claim(s, slot);
		amount -= fair_column_amount(s, column, &claim);
		if (fair_live_end(s->live + slot) < *change)
			*change = fair_live_end(s->live + slot);
	}
	return amount;
}

static int64_t fair_sched_uncommitted_at(const struct fair_sched *s,
					 uint32_t column, int64_t t,
					 int64_t *change)
{
	return fair_sched_uncommitted_beside(s, column, s->advances, t, change);
}

/* In how much of a column the planner may plan queued jobs at @t. */
static int32_t fair_sched_plannable_at(const struct fair_sched *s,
				       uint32_t column, int64_t t,
				       int64_t *change)
{
	int64_t amount = fair_sched_uncommitted_at(s, column, t, change);

	return amount > 0 ? (int32_t)amount : 0;
}

/* The processors of all classes, or of the pool. */
static int32_t fair_sched_plannable_procs_at(const struct fair_sched *s,
					     int64_t t, int64_t *change)
{
	uint32_t n = fair_sched_columns(s), i;
	int32_t procs = 0;
	int64_t next;

	*change = FAIR_FOREVER;
	for (i = 0; i < n; i += fair_sched_resources(s)) {
		procs += fair_sched_plannable_at(s, i, t, &next);
		*change = next < *change ? next : *change;
	}
	return procs;
}

/* Whether an advance reservation shares a second with [@from, @end). */
static bool fair_sched_has_advance_within(const struct fair_sched *s,
					  int64_t from, int64_t end)
{
	uint32_t i = 0;

	while (i < s->advances &&
	       (s->advance[i].to <= from || s->advance[i].from >= end))
		i++;
	return i < s->advances && from < end;
}

#ifndef FAIRSCHED_WITHOUT_ADVANCES

/* Set the profile of one column, or of the processors of all classes. Return:
 * the first time at which it loses something; FAIR_FOREVER: none. */
static int64_t fair_sched_set_column(const struct fair_sched *s,
				     uint32_t column, int64_t from,
				     int64_t end)
{
	const struct fair_profile *p = fair_column_profile(s, column);
	struct fair_step step;
	int64_t lost = FAIR_FOREVER;
	int32_t difference;
	int64_t next;

	for (; p && from < end; from = next) {
		difference = column == FAIR_COLUMN_SUM
				     ? fair_sched_plannable_procs_at(s, from,
								     &next)
				     : fair_sched_plannable_at(s, column, from,
							       &next);
		fair_must(fair_profile_step_at(p, from, &step));
		next = next < step.end ? next : step.end;
		next = next < end ? next : end;
		difference -= step.free;
		if (difference < 0 && from < lost)
			lost = from;
		fair_sched_change_column(s, column, from, next, difference);
	}
	return lost;
}

/* The first time in [@from, @end) at which some of a node is free. */
static int64_t fair_sched_first_free(const struct fair_sched *s, uint32_t node,
				     int64_t from, int64_t end)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	int32_t amount[FAIR_NODES_RESOURCES];
	int64_t start, next;
	uint32_t r;

	for (; from < end; from = next) {
		fair_must(fair_nodes_step_at(n, node, from, &start, &next,
					     amount));
		for (r = 0; r < n->resources; r++)
			if (amount[r])
				return from;
	}
	return FAIR_FOREVER;
}

/*
 * What advance reservation @i withholds in [@from, @end) of the nodes is taken;
 * without @take: when that takes more.
 */
static int64_t fair_sched_fill_nodes(const struct fair_sched *s, uint32_t i,
				     int64_t from, int64_t end, bool take)
{
	const struct fair_advance *b = s->advance + i;
	int64_t lost = FAIR_FOREVER, first;
	uint32_t node;

	from = fair_later(from, b->from);
	end = end < b->to ? end : b->to;
	for (node = 0; from < end && node < s->nodes->nodes.nodes; node++) {
		if (!fair_sched_withholds(s, i, node))
			continue;
		if (take) {
			fair_space_fill(fair_sched_space(s), node, from, end);
			continue;
		}
		first = fair_sched_first_free(s, node, from, end);
		lost = first < lost ? first : lost;
	}
	return lost;
}

/* The same of nodes: running jobs come first, then advance reservations. */
static int64_t fair_sched_set_node_space(const struct fair_sched *s,
					 int64_t from, int64_t end)
{
	const struct fair_rank behind = { from + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	int64_t lost = FAIR_FOREVER, first;
	struct fair_claim claim;
	uint32_t slot, i;

	for (i = 0; i < s->advances; i++) {
		first = fair_sched_fill_nodes(s, i, from, end, false);
		lost = first < lost ? first : lost;
	}
	fair_space_clear(fair_sched_space(s), from, end);
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		claim = fair_sched_claim(s, slot);
		first = fair_live_end(s->live + slot);
		fair_must(fair_space_change(fair_sched_space(s), from,
					    first < end ? first : end, &claim,
					    true));
	}
	for (i = 0; i < s->advances; i++)
		(void)fair_sched_fill_nodes(s, i, from, end, true);
	return lost;
}

/*
 * Set the profiles, which have no reservations of queued jobs, to what is
 * plannable over [@from, @end), which is not empty. Return: as above.
 */
static int64_t fair_sched_set_profile(const struct fair_sched *s, int64_t from,
				   int64_t end)
{
	int64_t lost, own;
	uint32_t i;

	if (s->nodes)
		return fair_sched_set_node_space(s, from, end);
	lost = fair_sched_set_column(s, FAIR_COLUMN_SUM, from, end);
	for (i = 0; i < fair_sched_class_columns(s); i++) {
		own = fair_sched_set_column(s, i, from, end);
		lost = own < lost ? own : lost;
	}
	return lost;
}

#endif /* FAIRSCHED_WITHOUT_ADVANCES */

/* The next reaction, or the next step, may move what a loss left behind. */
static void fair_sched_owe_reaction(struct fair_sched *s)
{
	s->owes_reaction = s->planner->react != NULL;
}

/* What was lost was taken: plan again, and let a reaction follow. */
static void fair_sched_end_loss(struct fair_sched *s, struct fair_event *e,
				int64_t from, int64_t end)
{
	if (s->planner->end_loss)
		s->planner->end_loss(s, e, from, end);
	fair_sched_owe_reaction(s);
}

#ifndef FAIRSCHED_WITHOUT_LIMITS
/* A limit has less, or other jobs count for it: what exceeds it is planned
 * again, by turn. @freed: it may have more at times. */
static void fair_sched_lose_limits(struct fair_sched *s, bool freed)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_LIMIT);
	s->limits->exceeded = s->planner->promises;
	e.lost = s->now;
	fair_sched_end_loss(s, &e, s->now, freed ? FAIR_FOREVER : s->now);
	fair_planner_replan(s);
}
#endif /* FAIRSCHED_WITHOUT_LIMITS */

#ifndef FAIRSCHED_WITHOUT_ADVANCES

/* Running jobs or advance reservations have changed within [@from, @end).
 * e->lost FAIR_FOREVER: the profiles tell when the loss begins. */
static void fair_sched_reset_profile(struct fair_sched *s, struct fair_event *e,
				     int64_t from, int64_t end)
{
	bool owes = s->owes_reaction;
	int64_t lost;

	s->planner->displace_all(s, e);
	if (from < s->now)
		from = s->now;
	lost = fair_sched_set_profile(s, from, end);
	owes |= lost != FAIR_FOREVER;
	if (e->lost == FAIR_FOREVER)
		e->lost = lost;
	fair_sched_end_loss(s, e, from, end);
	s->owes_reaction &= owes;
}

/* With advance reservations: the machine has gained a claim, or lost it. */
static void fair_sched_resize_profile(struct fair_sched *s,
				      struct fair_event *e,
				      const struct fair_claim *claim,
				      bool gains)
{
	int32_t delta = gains ? claim->procs : -claim->procs;

	s->planner->displace_all(s, e);
	fair_planner_count(s, delta, delta);
	if (gains)
		fair_must(fair_space_change(fair_sched_space(s), s->now,
					    FAIR_FOREVER, claim, false));
	(void)fair_sched_set_profile(s, s->now, FAIR_FOREVER);
	fair_sched_end_loss(s, e, s->now, FAIR_FOREVER);
}

static void fair_sched_remove_advance(struct fair_sched *s, uint32_t i)
{
	uint32_t behind = --s->advances - i;

	if (s->nodes)
		FAIR_MEMMOVE(fair_sched_withheld_nodes(s, i),
			     fair_sched_withheld_nodes(s, i + 1),
			     behind * fair_node_row_size(&s->config));
	FAIR_MEMMOVE(s->advance + i, s->advance + i + 1,
		     behind * sizeof(*s->advance));
}

/* Remove those whose end has passed, and scan the jobs that they held back. */
static void fair_sched_expire_advances(struct fair_sched *s)
{
	uint32_t i = 0;

	while (i < s->advances) {
		if (s->advance[i].to > s->now) {
			i++;
			continue;
		}
		fair_sched_remove_advance(s, i);
		fair_planner_replan(s);
	}
}

#else /* FAIRSCHED_WITHOUT_ADVANCES */

#define fair_sched_expire_advances fair_absent
#define fair_sched_reset_profile fair_absent
#define fair_sched_resize_profile fair_absent
#define fair_sched_set_profile fair_absent

#endif /* FAIRSCHED_WITHOUT_ADVANCES */

/* A running job holds its claim over [@from, @end), planned as free. */
static void fair_sched_take_procs(struct fair_sched *s, struct fair_event *e,
				  int64_t from, int64_t end,
				  const struct fair_claim *claim)
{
	if (fair_sched_has_advance_within(s, from, end)) {
		fair_sched_reset_profile(s, e, from, end);
		return;
	}
	s->planner->take(s, e, from, end, claim);
	fair_sched_end_loss(s, e, s->now, s->now);
}
