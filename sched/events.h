/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/events.h - events of jobs, of the machine, of advance reservations
 *
 * Every event takes the same steps:
 *
 *   test the arguments --> fair_sched_advance_time() --> change the state
 *      --> planner: what was lost --> fair_sched_react(): what became free
 *
 * Uses: reservation.h.
 */

/* SCAN LIMIT */

FAIRSCHED_API void fair_sched_scan_limit(struct fair_sched *s, uint64_t scans)
{
	s->scan_limit = scans;
	s->has_scan_limit = true;
}

FAIRSCHED_API bool fair_sched_is_unfinished(const struct fair_sched *s)
{
	return s->has_scan_limit && s->planner->scans &&
	       s->planner->is_unfinished(s);
}

/* A call begins: it may scan as many jobs as the limit says. */
static void fair_sched_apply_scan_limit(struct fair_sched *s)
{
	if (s->planner->scans)
		*s->planner->scans(s) =
			s->scan_limit ? s->scan_limit : UINT64_MAX;
}

/* An event begins, with a scan limit of its own: finish the work before it. */
static void fair_sched_finish_scan(struct fair_sched *s)
{
	struct fair_event e;

	if (fair_sched_is_unfinished(s)) {
		fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
		s->planner->finish(s, &e);
	}
	fair_sched_apply_scan_limit(s);
}

static bool fair_sched_is_reacting(const struct fair_sched *s)
{
	return s->planner->is_reacting && s->planner->is_reacting(s);
}

FAIRSCHED_API bool fair_sched_resume(struct fair_sched *s)
{
	struct fair_event e;

	if (!fair_sched_is_reacting(s))
		return false;
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	fair_sched_apply_scan_limit(s);
	return !s->planner->resume(s, &e);
}

/* WHAT EVENTS SHARE */

/*
 * Advance the time to @now: expire what ended, extend jobs that overran, queue
 * jobs that became eligible. A job overruns if its planned end is before
 * @passed: @now for finish(), which may report the end at that very second,
 * @now + 1 for any other event.
 */
static void fair_sched_advance_time(struct fair_sched *s, int64_t now,
				    int64_t passed)
{
	bool later = now > s->now;
	struct fair_live *j;

	if (s->has_scan_limit)
		fair_sched_finish_scan(s);
	s->now = now;
	if (s->next_retry <= now)
		fair_sched_allow_retries(s);
	if (s->advances)
		fair_sched_expire_advances(s);
	if (later && s->bound_jobs)
		fair_sched_replan_late_bound_jobs(s);
	fair_ledgers_notify(s, FAIR_LEDGER_TIME, 0, 0);
	s->is_step_complete = false;
	while ((j = fair_sched_first_running(s)) && j->queued.rank.key < passed)
		fair_sched_extend_job(s, j,
				      fair_sched_doubled_end(s, j->started,
							     j->queued.rank.key,
							     passed));
	fair_sched_queue_eligible_jobs(s);
}

/* Take a job out of the queue. */
static void fair_sched_withdraw(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);
	struct fair_event e;

	fair_ledgers_notify(s, FAIR_LEDGER_WITHDRAWN, slot, 0);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	s->planner->withdraw(s, &e, slot);
	if (j->queued.not_before == s->next_retry)
		fair_sched_find_next_retry(s);
}

/* @procs that a running job held are free over [@from, @end), @from >= now. */
static void fair_sched_return_procs(struct fair_sched *s, int64_t from,
				    int64_t end, int32_t procs)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (!fair_sched_has_advance_within(s, from, end)) {
		s->planner->give_back(s, &e, from, end, procs);
		return;
	}
	if (from == s->now)
		s->planner->change_counts(s, 0, procs);
	fair_sched_reset_profile(s, &e, from, end);
}

/* Let the planner use processors that became free: compression. */
static void fair_sched_react(struct fair_sched *s)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (s->planner->react)
		s->planner->react(s, &e);
}

static void fair_sched_replan_bound_jobs(struct fair_sched *s, uint32_t cause)
{
	struct fair_event e;

	fair_event_begin(&e, s, cause);
	fair_sched_plan_bound_jobs(s, &e);
}

/* A queued job becomes ineligible. */
static void fair_sched_unqueue_job(struct fair_sched *s, struct fair_live *j,
				   const struct fair_eligibility *condition,
				   uint32_t cause)
{
	int64_t from = j->queued.rank.key;

	fair_sched_withdraw(s, j);
	fair_sched_add_ineligible(s, j, condition, false);
	fair_sched_drop_promise(s, j, from, cause);
}

/* A reservation job waits for more than that. */
static void fair_sched_unplan_bound_job(struct fair_sched *s,
					struct fair_ineligible *a,
					uint32_t cause)
{
	struct fair_live *j = s->live + a->slot;
	int64_t from = j->queued.rank.key;

	a->is_planned = false;
	a->reported_start = j->queued.rank.key = FAIR_FOREVER;
	fair_sched_drop_promise(s, j, from, cause);
}

/* A queued job without a slot; NULL: none. */
static struct fair_live *
fair_sched_find_without_slot(const struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	struct fair_live *j;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (!fair_sched_has_slot(s, j))
			return j;
	}
	return NULL;
}

/* The table may be full now: no job without a slot stays planned. */
static void fair_sched_unplan_without_slot(struct fair_sched *s)
{
	struct fair_live *j;
	uint32_t i;

	if (!s->waiting_arrays || s->jobs < s->config.jobs)
		return;
	while ((j = fair_sched_find_without_slot(s)))
		fair_sched_unqueue_job(s, j, &fair_no_condition,
				       FAIR_CAUSE_NO_SLOT);
	for (i = 0; i < s->ineligibles; i++)
		if (s->ineligible[i].is_planned &&
		    !fair_sched_has_slot(s, s->live + s->ineligible[i].slot))
			fair_sched_unplan_bound_job(s, s->ineligible + i,
						    FAIR_CAUSE_NO_SLOT);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
}

/* Remove the job in @slot from the running reservation jobs, if it is one. */
static void fair_sched_remove_running_bound_job(struct fair_sched *s,
						uint32_t slot)
{
	uint32_t i = 0;

	while (i < s->running_bound_jobs && s->running_bound_job[i] != slot)
		i++;
	if (i < s->running_bound_jobs)
		s->running_bound_job[i] =
			s->running_bound_job[--s->running_bound_jobs];
}

static void fair_sched_add_running_bound_job(struct fair_sched *s,
					     uint32_t slot)
{
	if (s->live[slot].advance && s->config.advances)
		s->running_bound_job[s->running_bound_jobs++] = slot;
}

/* Stop a running job; true if it was to run longer. */
static bool fair_sched_stop_job(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);
	int64_t end = j->queued.rank.key;

	fair_must(fair_queue_remove(&s->running, slot));
	fair_sched_remove_running_bound_job(s, slot);
	j->sequence = 0;
	s->busy -= j->queued.procs;
	fair_ledgers_notify(s, FAIR_LEDGER_ENDED, slot, 0);
	fair_sched_return_procs(s, s->now, end, j->queued.procs);
	return s->now < end;
}

static bool fair_sched_is_bad_time(const struct fair_sched *s, int64_t now)
{
	return now < s->now || now > FAIR_TIME_MAX;
}

/* 0, or why no job can have this size. */
static int fair_sched_test_size(const struct fair_sched *s, int32_t procs,
				int64_t walltime)
{
	if (walltime < 1 || procs < 1)
		return -FAIR_EINVAL;
	if (procs > s->max_procs)
		return -FAIR_ERANGE;
	if (walltime > FAIR_WALLTIME_MAX || walltime >= fair_sched_horizon(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

/* 0, or why the order or a ledger takes no such job. */
static int fair_sched_admit(const struct fair_sched *s,
			    const struct fair_job *job)
{
	if (s->config.order == FAIR_ORDER_TWO_TERM &&
	    job->submit < -FAIR_TIME_MAX)
		return -FAIR_EINVAL;
	return fair_ledgers_admit(s, job);
}

FAIRSCHED_API int fair_sched_pass_time(struct fair_sched *s, int64_t now)
{
	if (fair_sched_is_bad_time(s, now))
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now, now + 1);
	return 0;
}

/* SUBMIT, DEFER */

/*
 * Whether the job @number can wait for @condition, which may be NULL: no job
 * waits for itself, by way of others either. A damaged checkpoint may have a
 * cycle of others: there are no more steps than ineligible jobs.
 */
static bool fair_sched_can_wait_for(const struct fair_sched *s, uint64_t number,
				    const struct fair_eligibility *condition)
{
	const struct fair_live *j;
	uint32_t steps = 0;

	if (!condition || !condition->end)
		return true;
	j = fair_sched_find_holder(s, condition->after, 1, NULL);
	if (condition->end > FAIR_AFTER_ANY || !j)
		return false;
	while (j && j->queued.rank.number != number &&
	       j->state == FAIR_INELIGIBLE && steps++ < s->ineligibles) {
		condition = &s->ineligible[fair_sched_ineligible_place(
						   s, j->queued.rank.number)]
				     .condition;
		j = NULL;
		if (condition->end && condition->end <= FAIR_AFTER_ANY)
			j = fair_sched_find_holder(s, condition->after, 1,
						   NULL);
	}
	return !j || j->queued.rank.number != number;
}

/* 0, or why the job cannot be submitted, whether there is room or not. */
static int fair_sched_test_submit(const struct fair_sched *s, int64_t now,
				  const struct fair_job *job,
				  const struct fair_eligibility *condition)
{
	int error;

	if (!job || fair_sched_is_bad_time(s, now) || job->submit > now ||
	    (job->tasks > 1 && job->number > UINT64_MAX - job->tasks) ||
	    fair_sched_find_holder(s, job->number, job->tasks ? job->tasks : 1,
				   NULL) ||
	    !fair_sched_can_wait_for(s, job->number, condition))
		return -FAIR_EINVAL;
	error = fair_sched_test_size(s, job->procs, job->walltime);
	if (!error)
		error = fair_sched_test_bound_job(s, now, job);
	if (!error)
		error = fair_sched_admit(s, job);
	return error;
}

/* It can, and there is room. */
static void fair_sched_accept_job(struct fair_sched *s,
				  const struct fair_job *job,
				  const struct fair_eligibility *condition)
{
	struct fair_live *j = fair_sched_add_job(s, job);

	fair_ledgers_submit(s, fair_sched_slot(s, j), job);
	if (condition && !fair_sched_is_eligible(s, condition))
		fair_sched_add_ineligible(s, j, condition, true);
	else
		fair_sched_queue_job(s, j, FAIR_FOREVER, FAIR_CAUSE_ARRIVAL);
}

FAIRSCHED_API int
fair_sched_submit_ineligible(struct fair_sched *s, int64_t now,
			     const struct fair_job *job,
			     const struct fair_eligibility *condition)
{
	int error = fair_sched_test_submit(s, now, job, condition);

	if (error)
		return error;
	if (s->jobs + s->waiting_arrays + (job->tasks > 1) >= s->config.jobs ||
	    (condition &&
	     fair_sched_count_limited(s) >=
		     fair_sched_max_ineligible(&s->config)))
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now, now + 1);
	fair_sched_accept_job(s, job, condition);
	return 0;
}

FAIRSCHED_API int fair_sched_submit(struct fair_sched *s, int64_t now,
				    const struct fair_job *job)
{
	return fair_sched_submit_ineligible(s, now, job, NULL);
}

/* A job that is not queued waits for @condition instead. */
static void
fair_sched_change_eligibility(struct fair_sched *s, struct fair_live *j,
			      const struct fair_eligibility *condition)
{
	struct fair_ineligible *a =
		s->ineligible +
		fair_sched_ineligible_place(s, j->queued.rank.number);

	a->condition = *condition;
	if (a->is_planned && !fair_sched_is_eligible(s, condition)) {
		fair_sched_unplan_bound_job(s, a, FAIR_CAUSE_DEFERRED);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	}
	fair_sched_queue_eligible_jobs(s);
}

/* Whether @j, which does not run, may wait for a condition. */
static bool fair_sched_has_room_to_wait(const struct fair_sched *s,
					const struct fair_live *j)
{
	uint32_t i = fair_sched_ineligible_place(s, j->queued.rank.number);

	return (j->state == FAIR_INELIGIBLE &&
		fair_sched_is_limited(s, &s->ineligible[i])) ||
	       fair_sched_count_limited(s) <
		       fair_sched_max_ineligible(&s->config);
}

FAIRSCHED_API int fair_sched_defer(struct fair_sched *s, int64_t now,
				   uint64_t number,
				   const struct fair_eligibility *condition)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_is_bad_time(s, now) || !j || j->state == FAIR_RUNNING ||
	    !fair_sched_can_wait_for(s, number, condition))
		return -FAIR_EINVAL;
	if (condition && !fair_sched_has_room_to_wait(s, j))
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now, now + 1);
	if (!condition)
		condition = &fair_no_condition;
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_change_eligibility(s, j, condition);
	} else if (!fair_sched_is_eligible(s, condition)) {
		fair_sched_unqueue_job(s, j, condition, FAIR_CAUSE_DEFERRED);
		fair_sched_react(s);
	}
	return 0;
}

/* FINISH, REQUEUE, CANCEL */

/* A running job ends. @ok: fair_sched_finish() reported the end */
static void fair_sched_end_job(struct fair_sched *s, int64_t now,
			       struct fair_live *j, bool ok)
{
	bool early;

	fair_sched_advance_time(s, now, now);
	early = fair_sched_stop_job(s, j);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	if (early)
		fair_sched_react(s);
	fair_sched_remove_job(s, j);
	fair_sched_resolve_dependencies(s, j->queued.rank.number, 1, ok);
	fair_sched_queue_eligible_jobs(s);
}

static int fair_sched_end_running(struct fair_sched *s, int64_t now,
				  uint64_t number, bool ok)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_is_bad_time(s, now) || !j || j->state != FAIR_RUNNING)
		return -FAIR_EINVAL;
	fair_sched_end_job(s, now, j, ok);
	return 0;
}

FAIRSCHED_API int fair_sched_finish(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	return fair_sched_end_running(s, now, number, true);
}

FAIRSCHED_API int fair_sched_requeue(struct fair_sched *s, int64_t now,
				     uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_is_bad_time(s, now) || !j || j->state != FAIR_RUNNING ||
	    j->started == now)
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now, now + 1);
	(void)fair_sched_stop_job(s, j); /* early: its end is after now */
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
	fair_sched_queue_job(s, j, j->started, FAIR_CAUSE_REQUEUED);
	return 0;
}

FAIRSCHED_API int fair_sched_cancel(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_is_bad_time(s, now) || !j)
		return -FAIR_EINVAL;
	if (j->state == FAIR_RUNNING)
		return fair_sched_end_running(s, now, number, false);
	fair_sched_advance_time(s, now, now + 1);
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_remove_ineligible(
			s, fair_sched_ineligible_place(s, number));
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	} else {
		fair_sched_withdraw(s, j);
		fair_sched_react(s);
	}
	fair_sched_remove_job(s, j);
	fair_sched_resolve_dependencies(s, number, 1 + j->sequence, false);
	fair_sched_queue_eligible_jobs(s);
	return 0;
}

/* MODIFY */

static void fair_sched_change_walltime(struct fair_sched *s,
				       struct fair_live *j, int64_t walltime)
{
	uint32_t slot = fair_sched_slot(s, j);
	int64_t was = j->queued.walltime;

	j->queued.walltime = walltime;
	fair_must(fair_queue_update(&s->running, slot));
	fair_ledgers_notify(s, FAIR_LEDGER_RESIZED, slot, was);
}

/* A longer job delays promises; a shorter one gives the rest back. */
static void fair_sched_modify_running(struct fair_sched *s, struct fair_live *j,
				      int64_t walltime)
{
	int64_t was = j->queued.rank.key;
	int64_t end = fair_sched_doubled_end(s, j->started,
					     j->started + walltime, s->now + 1);

	fair_sched_change_walltime(s, j, walltime);
	if (end > was) {
		fair_sched_extend_job(s, j, end);
	} else if (end < was) {
		fair_sched_run_until(s, j, end);
		fair_sched_return_procs(s, end, was, j->queued.procs);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
		fair_sched_react(s);
	}
}

FAIRSCHED_API int fair_sched_modify(struct fair_sched *s, int64_t now,
				    uint64_t number, int32_t procs,
				    int64_t walltime)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_test_size(s, procs, walltime);
	int64_t from;

	if (fair_sched_is_bad_time(s, now) || !j ||
	    (j->state == FAIR_RUNNING && procs != j->queued.procs))
		return -FAIR_EINVAL;
	if (!error)
		error = fair_ledgers_modify(s, fair_sched_slot(s, j), procs,
					    walltime);
	if (error)
		return error;
	fair_sched_advance_time(s, now, now + 1);
	if (j->state == FAIR_RUNNING) {
		fair_sched_modify_running(s, j, walltime);
		return 0;
	}
	from = j->queued.rank.key;
	if (j->state == FAIR_QUEUED)
		fair_sched_withdraw(s, j);
	j->queued.procs = procs;
	j->queued.walltime = walltime;
	if (j->state == FAIR_INELIGIBLE &&
	    !s->ineligible[fair_sched_ineligible_place(s, number)].is_planned)
		return 0;
	if (j->state == FAIR_INELIGIBLE)
		fair_sched_remove_ineligible(
			s, fair_sched_ineligible_place(s, number));
	fair_sched_queue_job(s, j, from, FAIR_CAUSE_MODIFIED);
	return 0;
}

/* CAPACITY */

/*
 * Whether the victims are different running jobs; *@procs: what they hold. A
 * mark finds a job that is named twice.
 */
static bool fair_sched_are_victims(const struct fair_sched *s,
				   const uint64_t *victim, size_t victims,
				   int64_t *procs)
{
	struct fair_live *j;
	size_t marked, i;

	*procs = 0;
	for (marked = 0; marked < victims; marked++) {
		j = fair_sched_find(s, victim[marked]);
		if (!j || j->state != FAIR_RUNNING || j->queued.mark)
			break;
		j->queued.mark = FAIR_MARK_DISPLACED;
		*procs += j->queued.procs;
	}
	for (i = 0; i < marked; i++)
		fair_sched_find(s, victim[i])->queued.mark = 0;
	return marked == victims;
}

/* 0, or why the machine cannot gain or lose @delta processors. */
static int fair_sched_test_capacity(const struct fair_sched *s, int32_t delta,
				    const uint64_t *victim, size_t victims)
{
	int64_t freed;

	if (!delta || (victims && (!victim || delta > 0)))
		return -FAIR_EINVAL;
	if (delta > INT32_MAX - s->procs ||
	    (delta > 0 && !fair_ledgers_can_grow(s, s->procs + delta)))
		return -FAIR_EOVERFLOW;
	if (!fair_sched_are_victims(s, victim, victims, &freed))
		return -FAIR_EINVAL;
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
		fair_sched_resolve_dependencies(s, victim[i], 1, false);
	}
	return early;
}

/* The machine gains or loses free processors: ledgers, plan, promises. */
static void fair_sched_change_capacity(struct fair_sched *s, int32_t delta)
{
	struct fair_event e;

	s->procs += delta;
	if (s->procs > s->max_procs)
		s->max_procs = s->procs;
	fair_ledgers_notify(s, FAIR_LEDGER_CAPACITY, 0, 0);
	fair_event_begin(&e, s,
			 delta < 0 ? FAIR_CAUSE_CAPACITY : FAIR_CAUSE_EARLIER);
	if (s->advances)
		fair_sched_resize_profile(s, &e, delta);
	else if (delta < 0)
		s->planner->take(s, &e, s->now, FAIR_FOREVER, -delta);
	else
		fair_sched_return_procs(s, s->now, FAIR_FOREVER, delta);
	fair_sched_plan_bound_jobs(s, &e);
}

FAIRSCHED_API int fair_sched_capacity(struct fair_sched *s, int64_t now,
				      int32_t delta, const uint64_t *victim,
				      size_t victims)
{
	bool early;
	int error;

	if (fair_sched_is_bad_time(s, now))
		return -FAIR_EINVAL;
	error = fair_sched_test_capacity(s, delta, victim, victims);
	if (error)
		return error;
	fair_sched_advance_time(s, now, now + 1);
	early = fair_sched_end_victims(s, victim, victims);
	fair_sched_change_capacity(s, delta);
	if (early || delta > 0)
		fair_sched_react(s);
	fair_sched_queue_eligible_jobs(s);
	return 0;
}

/* ADVANCE RESERVATIONS */

/*
 * Processors that @b, active at @t, leaves more at @t than @was, which it
 * replaces; *@change: lowered to the end of @b.
 */
static int64_t fair_sched_advance_difference(const struct fair_sched *s,
					     const struct fair_advance *was,
					     const struct fair_advance *b,
					     int64_t t, int64_t *change)
{
	int64_t procs = was ? fair_sched_advance_procs_at(s, was, t) : 0;

	if (b->to < *change)
		*change = b->to;
	return procs - fair_sched_advance_procs_at(s, b, t);
}

/*
 * Whether @b, which replaces @was (NULL: none), has all its processors beside
 * running jobs, other advance reservations and, with @promises, promised ones.
 */
static bool fair_sched_has_room_for_advance(const struct fair_sched *s,
					    const struct fair_advance *was,
					    const struct fair_advance *b,
					    bool promises)
{
	int64_t t = b->from > s->now ? b->from : s->now, next, procs, promised;
	struct fair_step step = { 0, FAIR_FOREVER, 0 };

	for (; t < b->to; t = next) {
		procs = fair_sched_uncommitted_at(s, t, &next);
		promised = 0;
		if (promises) {
			fair_must(fair_profile_step_at(s->planner->profile(s),
						       t, &step));
			promised = (procs > 0 ? procs : 0) - step.free;
		}
		next = next < step.end ? next : step.end;
		if (procs + fair_sched_advance_difference(s, was, b, t, &next) <
		    promised)
			return false;
	}
	return true;
}

/* 0, or why there can be no such advance reservation. */
static int fair_sched_test_advance(const struct fair_sched *s, int64_t now,
				   const struct fair_advance *b)
{
	if (!b || fair_sched_is_bad_time(s, now) || b->from >= b->to ||
	    b->to <= now || b->procs < 1 || b->kind > FAIR_ADVANCE_USER)
		return -FAIR_EINVAL;
	if (b->procs > s->max_procs)
		return -FAIR_ERANGE;
	if (b->to > FAIR_TIME_MAX || b->to - now >= fair_sched_horizon(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

FAIRSCHED_API int fair_sched_advance_reserve(struct fair_sched *s, int64_t now,
					     const struct fair_advance *advance,
					     bool force)
{
	int error = fair_sched_test_advance(s, now, advance);
	struct fair_advance was;
	struct fair_event e;
	bool changes;
	uint32_t i;

	if (error)
		return error;
	i = fair_sched_advance_place(s, advance->number);
	changes = fair_sched_is_advance(s, i, advance->number);
	if (!changes && s->advances == s->config.advances)
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now, now + 1);
	i = fair_sched_advance_place(s, advance->number);
	changes = fair_sched_is_advance(s, i, advance->number);
	was = changes ? s->advance[i] : *advance;
	if (!force &&
	    !fair_sched_has_room_for_advance(s, changes ? &was : NULL, advance,
					     s->planner->promises))
		return -FAIR_ERANGE;
	if (!changes)
		FAIR_MEMMOVE(s->advance + i + 1, s->advance + i,
			     (s->advances++ - i) * sizeof(*s->advance));
	s->advance[i] = *advance;
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_ADVANCE);
	fair_event_begin(&e, s, FAIR_CAUSE_CAPACITY);
	fair_sched_reset_profile(
		s, &e, was.from < advance->from ? was.from : advance->from,
		was.to > advance->to ? was.to : advance->to);
	if (changes)
		fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_advance_cancel(struct fair_sched *s, int64_t now,
					    uint64_t number)
{
	uint32_t i = fair_sched_advance_place(s, number);
	struct fair_advance was;
	struct fair_event e;

	if (fair_sched_is_bad_time(s, now) ||
	    !fair_sched_is_advance(s, i, number))
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now, now + 1);
	i = fair_sched_advance_place(s, number);
	if (!fair_sched_is_advance(s, i, number))
		return 0; /* its end has passed */
	was = s->advance[i];
	fair_sched_remove_advance(s, i);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	fair_sched_reset_profile(s, &e, was.from, was.to);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
	return 0;
}

/* REFUSE, RETRY */

FAIRSCHED_API int fair_sched_refuse(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (now != s->now || !j || j->state != FAIR_RUNNING ||
	    j->started != now)
		return -FAIR_EINVAL;
	if (s->has_scan_limit)
		fair_sched_finish_scan(s);
	s->is_step_complete = false;
	fair_sched_stop_job(s, j);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	j->queued.not_before = now + 1;
	fair_sched_queue_job(s, j, now, FAIR_CAUSE_REFUSED);
	if (!j->advance)
		fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_retry(struct fair_sched *s, int64_t now,
				   uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);
	int64_t from;

	if (fair_sched_is_bad_time(s, now) || !j || j->state == FAIR_RUNNING)
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now, now + 1);
	if (j->queued.not_before <= now)
		return 0;
	j->queued.not_before = INT64_MIN;
	fair_sched_allow_retries(s);
	from = j->queued.rank.key;
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	} else if (s->planner->promises) {
		fair_sched_withdraw(s, j);
		fair_sched_queue_job(s, j, from, FAIR_CAUSE_EARLIER);
		fair_sched_react(s);
	}
	return 0;
}
