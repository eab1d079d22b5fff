/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/reservation.h - running jobs, advance reservations, and the jobs bound
 * to them; jobs are queued
 *
 *   procs  +--------------------------+
 *          | running        |         |
 *          |---------+------+---------|   what running jobs and advance
 *          |         | advance 7      |   reservations leave uncommitted is
 *          |         | [job][job]     |   the profile of the planner;
 *          |         |--------+-------|   reservation jobs are planned here,
 *          | queued jobs ...          |   inside their advance reservation
 *          +--------------------------+--> time
 *
 * Uses: inside.h.
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

	if (from >= end)
		return lost;
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
 * plannable over [@from, @end). Return: as above.
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

/* The next reaction, or the next step, may move what a loss left behind. */
static void fair_sched_owe_reaction(struct fair_sched *s)
{
	s->owes_reaction = s->planner->react != NULL;
}

/* What was lost was taken: plan again, and let a reaction follow. */
static void fair_sched_end_loss(struct fair_sched *s, struct fair_event *e,
				int64_t from, int64_t end)
{
	if (s->planner->close)
		s->planner->close(s, e, from, end);
	fair_sched_owe_reaction(s);
}

/* Running jobs or advance reservations have changed within [@from, @end).
 * e->lost FAIR_FOREVER: the profiles tell when the loss begins. */
static void fair_sched_reset_profile(struct fair_sched *s, struct fair_event *e,
				     int64_t from, int64_t end)
{
	bool owes = s->owes_reaction;
	int64_t lost;

	s->planner->open(s, e);
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

	s->planner->open(s, e);
	fair_planner_count(s, delta, delta);
	if (gains)
		fair_must(fair_space_change(fair_sched_space(s), s->now,
					    FAIR_FOREVER, claim, false));
	(void)fair_sched_set_profile(s, s->now, FAIR_FOREVER);
	fair_sched_end_loss(s, e, s->now, FAIR_FOREVER);
}

static void fair_sched_remove_advance(struct fair_sched *s, uint32_t i)
{
	if (s->nodes)
		FAIR_MEMMOVE(fair_sched_withheld_nodes(s, i),
			     fair_sched_withheld_nodes(s, i + 1),
			     (s->advances - 1 - i) *
				     fair_node_words(&s->config) * 8);
	FAIR_MEMMOVE(s->advance + i, s->advance + i + 1,
		     (--s->advances - i) * sizeof(*s->advance));
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

/* RESERVATION JOBS */

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

	for (t = start; start < b->to && b->to - start >= j->queued.walltime;
	     t = next) {
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
	struct fair_live *j;
	uint32_t i;

	fair_sched_place_bound_jobs(s);
	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
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


/* Seconds that the planner can plan ahead: see the horizon of profile.h. */
static int64_t fair_sched_horizon(const struct fair_sched *s)
{
	const struct fair_profile *p = fair_sched_profile(s);

	return p ? p->horizon - p->origin : FAIR_TIME_MAX;
}

/* The longest walltime that a job may have. */
static int64_t fair_sched_max_walltime(const struct fair_sched *s)
{
	int64_t most = fair_sched_horizon(s) - 1;

	return most < FAIR_WALLTIME_MAX ? most : FAIR_WALLTIME_MAX;
}

/*
 * The planned end after @time of a running job with this walltime: that of the
 * walltime, else 1, 2, 4 ... seconds later; up to the horizon.
 */
static int64_t fair_sched_planned_end(const struct fair_sched *s,
				      const struct fair_live *j,
				      int64_t walltime, int64_t time)
{
	int64_t end = j->started + walltime, more = 1;
	int64_t last = time + fair_sched_horizon(s);

	if (end <= time) {
		while (end + more <= time)
			more *= 2;
		end += more;
	}
	return end < last ? end : last;
}

/* A job is queued that the caller may accept later only. */
static void fair_sched_note_retry(struct fair_sched *s,
				  const struct fair_live *j)
{
	int64_t time = j->queued.not_before;

	if (time > s->now && time < s->next_retry)
		s->next_retry = time;
}

static void fair_sched_find_next_retry(struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };

	s->next_retry = FAIR_FOREVER;
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_sched_note_retry(s, s->live + fair_queue_slot(q, at));
}

/* Time has passed: the caller accepts jobs now whose start it refused. */
static void fair_sched_allow_retries(struct fair_sched *s)
{
	fair_sched_find_next_retry(s);
	fair_planner_replan(s);
}

/* A job that waits is no longer planned; it was promised @from before. */
static void fair_sched_drop_promise(struct fair_sched *s, struct fair_live *j,
				    int64_t from, uint32_t cause)
{
	struct fair_event e;

	fair_event_begin(&e, s, cause);
	if (s->planner->promises || fair_sched_bound_to(s, j))
		fair_sched_report_promise(s, j, from, &e);
}

/*
 * A start at now was refused: when may the job start, if the caller names
 * @not_before, or now: no time? While the caller's patience lasts, the job
 * keeps its turn, and is displaced as by a loss; then it goes behind all
 * others.
 */
static void fair_sched_note_refusal(struct fair_sched *s, struct fair_live *j,
				    int64_t not_before)
{
	bool keeps = s->planner->catch_up && !fair_sched_bound_to(s, j) &&
		     fair_sched_has_slot(s, j);
	int64_t wait = 1;

	if (!fair_is_not_before(not_before))
		not_before = FAIR_FOREVER;
	if (!j->refusals)
		j->refused = s->now;
	keeps &= not_before != FAIR_FOREVER &&
		 s->now - j->refused < s->config.patience;
	if (keeps) {
		wait <<= j->refusals;
		j->queued.rank.key = s->now;
		j->queued.mark |= FAIR_MARK_DISPLACED;
		if (j->refusals < 60)
			j->refusals++;
	} else {
		j->refusals = 0;
	}
	j->queued.not_before =
		not_before > s->now ? not_before : s->now + wait;
}

/* The job is queued again, now or later, with the turn that it has. */
static void fair_live_keep_turn(struct fair_live *j)
{
	j->queued.mark |= FAIR_MARK_TURN;
}

/* Queue a job, which was promised @from before; FAIR_FOREVER: it was not. */
static void fair_sched_queue_job(struct fair_sched *s, struct fair_live *j,
				 int64_t from, uint32_t cause)
{
	uint32_t slot = fair_sched_slot(s, j);
	struct fair_event e;
	int64_t priority;

	if (!fair_sched_has_slot(s, j)) {
		j->queued.mark &= ~(uint32_t)FAIR_MARK_TURN;
		fair_sched_add_ineligible(s, j, &fair_no_condition,
					  cause == FAIR_CAUSE_ARRIVAL);
		fair_sched_drop_promise(s, j, from, FAIR_CAUSE_NO_SLOT);
		return;
	}
	if (fair_sched_bound_to(s, j)) {
		fair_sched_queue_bound_job(s, j, from, cause);
		return;
	}
	priority = fair_sched_priority(s, j);
	j->state = FAIR_QUEUED;
	fair_sched_note_retry(s, j);
	fair_ledgers_notify(s, FAIR_LEDGER_QUEUED, slot, 0);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (!(j->queued.mark & (FAIR_MARK_DISPLACED | FAIR_MARK_TURN)))
		j->refusals = 0;
	s->planner->submit(s, &e, slot, priority, cause != FAIR_CAUSE_ARRIVAL);
	e.cause = cause;
	if (fair_live_is_displaced(j))
		fair_sched_end_loss(s, &e, s->now, s->now);
	else if (s->planner->promises)
		fair_sched_report_promise(s, j, from, &e);
}

/* Queue all jobs that are eligible now, by number. */
static void fair_sched_queue_eligible_jobs(struct fair_sched *s)
{
	struct fair_ineligible a;
	uint32_t i = 0;

	if (!s->ineligibles)
		return; /* in each event of most schedulers */
	while (i < s->ineligibles) {
		a = s->ineligible[i];
		if (a.is_planned || !fair_sched_is_released(s, &a) ||
		    !fair_sched_has_slot(s, s->live + a.slot)) {
			i++;
			continue;
		}
		fair_sched_remove_ineligible(s, i);
		fair_sched_queue_job(s, s->live + a.slot, FAIR_FOREVER,
				     a.is_new ? FAIR_CAUSE_ARRIVAL
					      : FAIR_CAUSE_DEFERRED);
	}
}

/* The begin time of a job that waits only for that; FAIR_FOREVER: for more. */
static int64_t fair_sched_eligible_time(const struct fair_sched *s,
					const struct fair_ineligible *a)
{
	if (a->condition.held || a->condition.end || a->is_suspended ||
	    fair_sched_count_dependencies(s, a->slot) ||
	    !fair_sched_has_slot(s, s->live + a->slot))
		return FAIR_FOREVER;
	return fair_later(s->now, a->condition.begin);
}

/* Whether a job is queued once the time is @now. */
static bool fair_sched_is_queued_at(const struct fair_sched *s, int64_t now,
				    const struct fair_live *j)
{
	uint32_t i = fair_sched_ineligible_place(s, j->queued.rank.number);

	if (j->state != FAIR_INELIGIBLE || fair_sched_bound_to(s, j))
		return j->state == FAIR_QUEUED;
	return fair_sched_eligible_time(s, s->ineligible + i) <= now;
}

/* The first begin time, of a job that waits only for that, or planned start. */
static int64_t fair_sched_next_eligible_time(const struct fair_sched *s)
{
	const struct fair_ineligible *a = s->ineligible;
	int64_t next = FAIR_FOREVER, time;

	if (!s->ineligibles)
		return next;
	for (; a < s->ineligible + s->ineligibles; a++) {
		time = a->is_planned ? s->live[a->slot].queued.rank.key
				     : fair_sched_eligible_time(s, a);
		if (time < next)
			next = time;
	}
	return next;
}

/* Whether a job has missed its promised start. */
static bool fair_sched_has_missed_start(const struct fair_sched *s)
{
	return s->planner->catch_up && s->planner->next &&
	       s->planner->next(s) < s->now;
}

/* Time has passed: a loss for the jobs that have missed their start. */
FAIR_APART static void fair_sched_catch_up(struct fair_sched *s)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_LATE_STEP);
	if (fair_sched_has_missed_start(s)) {
		s->planner->catch_up(s, &e);
		fair_sched_end_loss(s, &e, s->now, s->now);
	}
	fair_sched_plan_bound_jobs(s, &e);
}

/* Whether some job has, or one that waits for its advance reservation. */
static bool fair_sched_is_late(const struct fair_sched *s)
{
	bool late = fair_sched_has_missed_start(s);
	uint32_t i;

	for (i = 0; s->bound_jobs && i < s->ineligibles; i++)
		late |= s->live[s->ineligible[i].slot].queued.rank.key < s->now;
	return late;
}

/* 0, or why a job cannot be bound to its advance reservation. */
static int fair_sched_validate_bound_job(const struct fair_sched *s,
					 int64_t now,
					 const struct fair_job *job)
{
	uint32_t i = fair_sched_advance_place(s, job->advance);
	const struct fair_advance *b = s->advance + i;

	if (!job->advance)
		return 0;
	if (s->limits)
		return -FAIR_EINVAL;
	if (!fair_sched_is_advance(s, i, job->advance) || b->to <= now)
		return -FAIR_ENOENT;
	if (b->kind != FAIR_ADVANCE_USER)
		return -FAIR_EINVAL;
	if (!(s->nodes ? fair_inside_can_serve(s, i, job)
		       : fair_sched_is_within(s, job, b)))
		return -FAIR_ERANGE;
	if (job->walltime > b->to - fair_later(now, b->from))
		return -FAIR_EOVERFLOW;
	return 0;
}
