/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/reservation.h - ineligible jobs, advance reservations, and the jobs
 * bound to them
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
 * Uses: setup.h.
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
	int64_t was = j->queued.rank.key;

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
 * Processors that running jobs bound to @number hold at @t; *@change: lowered
 * to the first time after @t at which one of them ends.
 */
static int64_t fair_sched_bound_procs_at(const struct fair_sched *s,
					 uint64_t number, int64_t t,
					 int64_t *change)
{
	const struct fair_live *j;
	int64_t procs = 0, end;
	uint32_t i;

	for (i = 0; i < s->running_bound_jobs; i++) {
		j = s->live + s->running_bound_job[i];
		end = j->queued.rank.key;
		if (j->advance != number || end <= t)
			continue;
		procs += j->queued.procs;
		if (end < *change)
			*change = end;
	}
	return procs;
}

/* Processors that @b withholds at @t beside those of its running jobs. */
static int64_t fair_sched_advance_procs_at(const struct fair_sched *s,
					   const struct fair_advance *b,
					   int64_t t)
{
	int64_t change = FAIR_FOREVER, procs;

	if (!fair_advance_is_active(b, t))
		return 0;
	procs = b->procs - fair_sched_bound_procs_at(s, b->number, t, &change);
	return procs > 0 ? procs : 0;
}

/*
 * Processors that running jobs and the first @n advance reservations leave at
 * @t >= now; negative if they ask for more than there are. *@change: the first
 * time after @t at which that number can change.
 */
static int64_t fair_sched_uncommitted_beside(const struct fair_sched *s,
					     uint32_t n, int64_t t,
					     int64_t *change)
{
	const struct fair_rank behind = { t + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	int64_t procs = s->procs;
	const struct fair_live *j;
	uint32_t i;

	*change = FAIR_FOREVER;
	for (i = 0; i < n; i++) {
		const struct fair_advance *b = s->advance + i;
		int64_t next = t < b->from ? b->from : b->to;

		procs -= fair_sched_advance_procs_at(s, b, t);
		if (t < next && next < *change)
			*change = next;
	}
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		j = s->live + fair_queue_slot(&s->running, at);
		procs -= j->queued.procs;
		if (j->queued.rank.key < *change)
			*change = j->queued.rank.key;
	}
	return procs;
}

static int64_t fair_sched_uncommitted_at(const struct fair_sched *s, int64_t t,
					 int64_t *change)
{
	return fair_sched_uncommitted_beside(s, s->advances, t, change);
}

/* Processors in which the planner may plan queued jobs at @t. */
static int32_t fair_sched_plannable_at(const struct fair_sched *s, int64_t t,
				       int64_t *change)
{
	int64_t procs = fair_sched_uncommitted_at(s, t, change);

	return procs > 0 ? (int32_t)procs : 0;
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

/*
 * Set the profile, which has no reservations of queued jobs, to the plannable
 * processors over [@from, @end).
 */
static void fair_sched_set_profile(const struct fair_sched *s,
				   struct fair_profile *p, int64_t from,
				   int64_t end)
{
	struct fair_step step;
	int32_t difference;
	int64_t next;

	for (; from < end; from = next) {
		difference = fair_sched_plannable_at(s, from, &next);
		fair_must(fair_profile_step_at(p, from, &step));
		next = next < step.end ? next : step.end;
		next = next < end ? next : end;
		difference -= step.free;
		if (next == FAIR_FOREVER)
			fair_must(fair_profile_change_capacity(p, from, next,
							       difference));
		else if (difference > 0)
			fair_must(fair_profile_release(p, from, next - from,
						       difference));
		else if (difference < 0)
			fair_must(fair_profile_reserve(p, from, next - from,
						       -difference));
	}
}

/* Running jobs or advance reservations have changed within [@from, @end). */
static void fair_sched_reset_profile(struct fair_sched *s, struct fair_event *e,
				     int64_t from, int64_t end)
{
	s->planner->open(s, e);
	if (from < s->now)
		from = s->now;
	fair_sched_set_profile(s, s->planner->profile(s), from, end);
	if (s->planner->close)
		s->planner->close(s, e, from, end);
}

/* With advance reservations: the machine has gained @delta processors. */
static void fair_sched_resize_profile(struct fair_sched *s,
				      struct fair_event *e, int32_t delta)
{
	struct fair_profile *p = s->planner->profile(s);

	s->planner->open(s, e);
	s->planner->change_counts(s, delta, delta);
	if (delta > 0)
		fair_must(fair_profile_change_capacity(p, s->now, FAIR_FOREVER,
						       delta));
	fair_sched_set_profile(s, p, s->now, FAIR_FOREVER);
	if (s->planner->close)
		s->planner->close(s, e, s->now, FAIR_FOREVER);
}

static void fair_sched_remove_advance(struct fair_sched *s, uint32_t i)
{
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
		s->planner->replan(s);
	}
}

/* A running job holds @procs over [@from, @end), which were planned as free. */
static void fair_sched_take_procs(struct fair_sched *s, struct fair_event *e,
				  int64_t from, int64_t end, int32_t procs)
{
	if (fair_sched_has_advance_within(s, from, end))
		fair_sched_reset_profile(s, e, from, end);
	else
		s->planner->take(s, e, from, end, procs);
}

/* INELIGIBLE JOBS */

/* Whether a job with this condition may be queued now. */
static bool fair_sched_is_eligible(const struct fair_sched *s,
				   const struct fair_eligibility *condition)
{
	return !condition->held && !condition->end &&
	       condition->begin <= s->now;
}

/* Whether it waits for more than a slot: config.ineligible limits these. */
static bool fair_sched_is_limited(const struct fair_sched *s,
				  const struct fair_ineligible *a)
{
	return s->live[a->slot].advance ||
	       !fair_sched_is_eligible(s, &a->condition);
}

static uint32_t fair_sched_count_limited(const struct fair_sched *s)
{
	uint32_t n = 0, i;

	for (i = 0; i < s->ineligibles; i++)
		n += fair_sched_is_limited(s, &s->ineligible[i]);
	return n;
}

/* The place of the job @number in ineligible[], or where it would be added. */
static uint32_t fair_sched_ineligible_place(const struct fair_sched *s,
					    uint64_t number)
{
	uint32_t i = 0;

	while (i < s->ineligibles &&
	       s->live[s->ineligible[i].slot].queued.rank.number < number)
		i++;
	return i;
}

static void fair_sched_add_ineligible(struct fair_sched *s, struct fair_live *j,
				      const struct fair_eligibility *condition,
				      bool is_new)
{
	uint32_t i = fair_sched_ineligible_place(s, j->queued.rank.number);

	FAIR_MEMMOVE(s->ineligible + i + 1, s->ineligible + i,
		     (s->ineligibles++ - i) * sizeof(*s->ineligible));
	s->ineligible[i].condition = *condition;
	s->ineligible[i].slot = fair_sched_slot(s, j);
	s->ineligible[i].is_new = is_new;
	s->ineligible[i].is_planned = false;
	s->ineligible[i].reported_start = FAIR_FOREVER;
	j->state = FAIR_INELIGIBLE;
	j->queued.rank.key = FAIR_FOREVER;
}

static void fair_sched_remove_ineligible(struct fair_sched *s, uint32_t i)
{
	FAIR_MEMMOVE(s->ineligible + i, s->ineligible + i + 1,
		     (--s->ineligibles - i) * sizeof(*s->ineligible));
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
 * Whether the advance reservation at place @i has all its processors at all
 * times: enough are left beside the jobs that run when it begins and all
 * advance reservations with lower numbers, which go first.
 */
static bool fair_sched_is_undisturbed(const struct fair_sched *s, uint32_t i)
{
	const struct fair_advance *b = s->advance + i;
	int64_t t = b->from > s->now ? b->from : s->now, change;
	int64_t spare =
		fair_sched_uncommitted_beside(s, 0, t, &change) - b->procs;

	spare += fair_sched_bound_procs_at(s, b->number, t, &change);
	while (i--)
		spare -= s->advance[i].procs;
	return spare >= 0;
}

/*
 * Processors for the job @bound at @t in the advance reservation at place @i:
 * as many as it has beside running jobs and advance reservations with lower
 * numbers, less those of the other jobs that run or are planned in it.
 * *@change: the first time after @t at which that number can change.
 */
static int64_t fair_sched_bound_job_room(const struct fair_sched *s, uint32_t i,
					 bool undisturbed,
					 const struct fair_live *bound,
					 int64_t t, int64_t *change)
{
	const struct fair_advance *b = s->advance + i;
	int64_t room = b->procs, uncommitted = room, start, next;
	const struct fair_live *j;

	*change = FAIR_FOREVER;
	if (!undisturbed)
		uncommitted = fair_sched_uncommitted_beside(s, i, t, change);
	room -= fair_sched_bound_procs_at(s, b->number, t, change);
	if (uncommitted < room)
		room = uncommitted;
	if (b->to < *change)
		*change = b->to;
	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		start = j->queued.rank.key;
		if (j == bound || j->advance != b->number ||
		    start == FAIR_FOREVER)
			continue;
		next = t < start ? start : start + j->queued.walltime;
		if (start <= t && t < next)
			room -= j->queued.procs;
		if (t < next && next < *change)
			*change = next;
	}
	return room;
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
		if (fair_sched_bound_job_room(s, i, undisturbed, j, t, &next) <
		    j->queued.procs)
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
	uint32_t i = fair_sched_usable_advance(s, j->advance);
	int64_t soonest = j->queued.not_before;

	if (soonest < s->now)
		soonest = s->now;
	if (i == s->advances)
		return FAIR_FOREVER;
	return fair_sched_bound_job_start_in(s, i,
					     fair_sched_is_undisturbed(s, i), j,
					     from > soonest ? from : soonest);
}

/*
 * The reservation job after @last, in the order of (start, number) that the
 * jobs had in the plan before; *@last: its place in that order.
 */
static struct fair_live *fair_sched_next_bound_job(const struct fair_sched *s,
						   struct fair_rank *last)
{
	const struct fair_rank behind = *last;
	struct fair_live *first = NULL;
	struct fair_rank r;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		r.key = s->ineligible[i].previous_start;
		r.number = s->live[s->ineligible[i].slot].queued.rank.number;
		if (!s->ineligible[i].is_planned ||
		    !fair_rank_is_before(behind, r) ||
		    (first && !fair_rank_is_before(r, *last)))
			continue;
		first = s->live + s->ineligible[i].slot;
		*last = r;
	}
	return first;
}

/* Drop the starts that no longer fit, and keep the others. */
static void fair_sched_displace_bound_jobs(struct fair_sched *s)
{
	struct fair_rank at = { INT64_MIN, 0 };
	struct fair_live *j;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		s->ineligible[i].previous_start = j->queued.rank.key;
		j->queued.rank.key = FAIR_FOREVER;
	}
	while ((j = fair_sched_next_bound_job(s, &at)) &&
	       at.key != FAIR_FOREVER)
		if (fair_sched_bound_job_start(s, j, at.key) == at.key)
			j->queued.rank.key = at.key;
}

/* Move the first reservation job that can start earlier; false: none can. */
static bool fair_sched_move_bound_job_earlier(struct fair_sched *s)
{
	struct fair_rank at = { INT64_MIN, 0 };
	struct fair_live *j;
	int64_t start;

	while ((j = fair_sched_next_bound_job(s, &at))) {
		start = fair_sched_bound_job_start(s, j, INT64_MIN);
		if (start < j->queued.rank.key) {
			j->queued.rank.key = start;
			return true;
		}
	}
	return false;
}

/*
 * Plan the reservation jobs: drop the starts that no longer fit; then, in the
 * order of the plan before, move the first job that can start earlier, until
 * none can. So no reservation job delays another, and planning is idempotent.
 */
static void fair_sched_plan_bound_jobs(struct fair_sched *s,
				       const struct fair_event *e)
{
	struct fair_event own = *e;
	struct fair_live *j;
	int64_t from;
	uint32_t i;

	if (!s->bound_jobs || !s->ineligibles)
		return;
	fair_sched_displace_bound_jobs(s);
	while (fair_sched_move_bound_job_earlier(s))
		;
	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		from = s->ineligible[i].reported_start;
		s->ineligible[i].reported_start = j->queued.rank.key;
		own.cause = e->cause;
		if (fair_sched_usable_advance(s, j->advance) == s->advances)
			own.cause = FAIR_CAUSE_ADVANCE;
		if (j->first_promise == FAIR_FOREVER)
			own.cause = FAIR_CAUSE_ARRIVAL;
		if (s->ineligible[i].is_planned)
			fair_sched_report_promise(s, j, from, &own);
	}
}

static const struct fair_eligibility fair_no_condition = { INT64_MIN, 0, 0,
							   false };

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
	s->ineligible[i].reported_start = from;
	e.cause = cause;
	fair_sched_plan_bound_jobs(s, &e);
}

/* A running job holds its processors longer than planned: until @end. */
static void fair_sched_extend_job(struct fair_sched *s, struct fair_live *j,
				  int64_t end)
{
	int64_t from = j->queued.rank.key;
	struct fair_event e;

	if (from < s->now)
		from = s->now;
	fair_sched_run_until(s, j, end);
	fair_event_begin(&e, s, FAIR_CAUSE_OVERRUN);
	e.culprit = j->queued.rank.number;
	if (from < end) /* else its planned end is now */
		fair_sched_take_procs(s, &e, from, end, j->queued.procs);
	fair_sched_plan_bound_jobs(s, &e);
}

/* Seconds that the planner can plan ahead: see the horizon of profile.h. */
static int64_t fair_sched_horizon(const struct fair_sched *s)
{
	const struct fair_profile *p = s->planner->profile(s);

	return p ? p->horizon - p->origin : FAIR_TIME_MAX;
}

/* Double the planned run time until it ends at @time or later; the horizon. */
static int64_t fair_sched_doubled_end(const struct fair_sched *s, int64_t start,
				      int64_t end, int64_t time)
{
	int64_t last = s->now + fair_sched_horizon(s);

	while (end < time)
		end += end - start;
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
	s->planner->replan(s);
}

/* A job that waits is no longer planned; it was promised @from before. */
static void fair_sched_drop_promise(struct fair_sched *s, struct fair_live *j,
				    int64_t from, uint32_t cause)
{
	struct fair_event e;

	fair_event_begin(&e, s, cause);
	if (s->planner->promises || j->advance)
		fair_sched_report_promise(s, j, from, &e);
}

/* Queue a job, which was promised @from before; FAIR_FOREVER: it was not. */
static void fair_sched_queue_job(struct fair_sched *s, struct fair_live *j,
				 int64_t from, uint32_t cause)
{
	uint32_t slot = fair_sched_slot(s, j);
	struct fair_event e;
	int64_t priority;

	if (!fair_sched_has_slot(s, j)) {
		fair_sched_add_ineligible(s, j, &fair_no_condition,
					  cause == FAIR_CAUSE_ARRIVAL);
		fair_sched_drop_promise(s, j, from, FAIR_CAUSE_NO_SLOT);
		return;
	}
	if (j->advance) {
		fair_sched_queue_bound_job(s, j, from, cause);
		return;
	}
	priority = fair_sched_priority(s, j);
	j->state = FAIR_QUEUED;
	fair_sched_note_retry(s, j);
	fair_ledgers_notify(s, FAIR_LEDGER_QUEUED, slot, 0);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	s->planner->submit(s, &e, slot, priority, cause != FAIR_CAUSE_ARRIVAL);
	e.cause = cause;
	if (s->planner->promises)
		fair_sched_report_promise(s, j, from, &e);
}

/* Queue all jobs that are eligible now, by number. */
static void fair_sched_queue_eligible_jobs(struct fair_sched *s)
{
	struct fair_ineligible a;
	uint32_t i = 0;

	while (i < s->ineligibles) {
		a = s->ineligible[i];
		if (a.is_planned || !fair_sched_is_eligible(s, &a.condition) ||
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

/*
 * Resolve the dependencies on a job that ended: satisfied, or never satisfied.
 * @ok: fair_sched_finish() reported the end
 */
static void fair_sched_resolve_dependencies(struct fair_sched *s,
					    uint64_t number, uint32_t tasks,
					    bool ok)
{
	struct fair_eligibility *c;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		c = &s->ineligible[i].condition;
		if (!fair_sched_has_common_number(number, tasks, c->after, 1) ||
		    !c->end || c->end == FAIR_AFTER_NEVER_SATISFIED)
			continue;
		c->end = ok || c->end == FAIR_AFTER_ANY
				 ? FAIR_AFTER_NOTHING
				 : FAIR_AFTER_NEVER_SATISFIED;
	}
}

/* The first begin time, of a job that waits only for that, or planned start. */
static int64_t fair_sched_next_eligible_time(const struct fair_sched *s)
{
	const struct fair_ineligible *a = s->ineligible;
	int64_t next = FAIR_FOREVER, time;

	for (; a < s->ineligible + s->ineligibles; a++) {
		time = FAIR_FOREVER;
		if (a->is_planned)
			time = s->live[a->slot].queued.rank.key;
		else if (!a->condition.held && !a->condition.end &&
			 fair_sched_has_slot(s, s->live + a->slot))
			time = a->condition.begin > s->now ? a->condition.begin
							   : s->now;
		if (time < next)
			next = time;
	}
	return next;
}

/* Time has passed: plan again the reservation jobs that missed their start. */
static void fair_sched_replan_late_bound_jobs(struct fair_sched *s)
{
	bool late = false;
	struct fair_event e;
	struct fair_queued *j;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		j = &s->live[s->ineligible[i].slot].queued;
		late |= j->rank.key < s->now;
	}
	fair_event_begin(&e, s, FAIR_CAUSE_LATE_STEP);
	if (late)
		fair_sched_plan_bound_jobs(s, &e);
}

/* 0, or why a job cannot be bound to its advance reservation. */
static int fair_sched_test_bound_job(const struct fair_sched *s, int64_t now,
				     const struct fair_job *job)
{
	uint32_t i = fair_sched_usable_advance(s, job->advance);
	const struct fair_advance *b = s->advance + i;

	if (!job->advance)
		return 0;
	if (i == s->advances || b->to <= now)
		return -FAIR_EINVAL;
	if (job->procs > b->procs)
		return -FAIR_ERANGE;
	if (job->walltime > b->to - (b->from > now ? b->from : now))
		return -FAIR_EOVERFLOW;
	return 0;
}
