/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/events.h - events of jobs
 *
 * Every event takes the same steps:
 *
 *   test the arguments --> fair_sched_advance_time() --> change the state
 *      --> planner: what was lost --> fair_sched_react(): what became free
 *
 * Uses: queueing.h.
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
FAIR_APART static void fair_sched_finish_scan(struct fair_sched *s)
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

/* Whether a job should have ended; if @may_end, it may end in this second. */
static bool fair_sched_has_overrun(const struct fair_sched *s, bool may_end)
{
	const struct fair_live *j = fair_sched_first_running(s);

	return j && fair_live_end(j) < s->now + !may_end;
}

/* A running job holds its claim until @end, longer than planned. */
static void fair_sched_extend_job(struct fair_sched *s, struct fair_event *e,
				  struct fair_live *j, int64_t end)
{
	struct fair_claim claim = fair_sched_claim(s, fair_sched_slot(s, j));
	int64_t from = fair_later(fair_live_end(j), s->now);

	fair_sched_run_until(s, j, end);
	if (from < end && !fair_sched_has_advance_within(s, from, end))
		s->planner->take(s, e, from, end, &claim);
}

/* Jobs were extended until @end at most: one loss. */
static void fair_sched_end_extension(struct fair_sched *s, struct fair_event *e,
				     int64_t end)
{
	if (fair_sched_has_advance_within(s, s->now, end))
		fair_sched_reset_profile(s, e, s->now, end);
	else
		fair_sched_end_loss(s, e, s->now, s->now);
	fair_sched_owe_reaction(s); /* also if an advance reservation lost it */
	fair_sched_plan_bound_jobs(s, e);
}

/* Extend the jobs that overran. */
FAIR_APART static void fair_sched_extend_overruns(struct fair_sched *s,
						  bool may_end)
{
	struct fair_live *j = fair_sched_first_running(s);
	int64_t end, last = s->now;
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_OVERRUN);
	e.culprit = j->queued.rank.number;
	for (; fair_sched_has_overrun(s, may_end);
	     j = fair_sched_first_running(s)) {
		end = fair_sched_planned_end(s, j, j->queued.walltime, s->now);
		last = fair_later(last, end);
		fair_sched_extend_job(s, &e, j, end);
	}
	if (s->planner->catch_up) /* in the same loss */
		s->planner->catch_up(s, &e);
	fair_sched_end_extension(s, &e, last);
}

/*
 * Advance the time to @now: expire what ended, extend jobs that overran, queue
 * jobs that became eligible.
 */
static void fair_sched_reach(struct fair_sched *s, int64_t now, bool may_end)
{
	if (s->has_scan_limit)
		fair_sched_finish_scan(s);
	s->now = now;
	if (s->next_retry <= now)
		fair_sched_allow_retries(s);
	fair_sched_expire_advances(s);
	fair_ledgers_notify(s, FAIR_LEDGER_TIME, 0, 0);
	s->is_step_complete = false;
	if (fair_sched_has_overrun(s, may_end))
		fair_sched_extend_overruns(s, may_end);
	if (fair_sched_is_late(s))
		fair_sched_catch_up(s);
	/* The event finds a plan with all promises. */
	if (s->has_scan_limit)
		fair_sched_finish_scan(s);
	fair_sched_queue_eligible_jobs(s);
}

static void fair_sched_advance_time(struct fair_sched *s, int64_t now)
{
	fair_sched_reach(s, now, false);
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

/* What a running job held is free over [@from, @end), @from >= now. */
static void fair_sched_return_procs(struct fair_sched *s, int64_t from,
				    int64_t end, const struct fair_claim *claim)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (!fair_sched_has_advance_within(s, from, end)) {
		s->planner->give_back(s, &e, from, end, claim);
		return;
	}
	if (from == s->now)
		fair_planner_count(s, 0, claim->procs);
	fair_sched_reset_profile(s, &e, from, end);
}

/* Whether the job in slot @a comes before that in @b by (submit, number). */
static bool fair_sched_is_submitted_before(const void *context, uint32_t a,
					   uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_rank x, y;

	x.key = s->live[a].submit;
	x.number = s->live[a].queued.rank.number;
	y.key = s->live[b].submit;
	y.number = s->live[b].queued.rank.number;
	return fair_rank_is_before(x, y);
}

/* A queued job is placed anew, with the turn and the budgets that it has. */
static void fair_sched_place_again(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	int64_t from = j->queued.rank.key;
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	fair_live_keep_turn(j);
	s->planner->withdraw(s, &e, slot);
	s->planner->submit(s, &e, slot, fair_sched_priority(s, j), true);
	fair_sched_report_promise(s, j, from, &e);
}

#ifndef FAIRSCHED_WITHOUT_LIMITS
/*
 * Jobs that wait for their budgets are placed by (submit, number) where these
 * have room; one for which a budget has none holds back those behind it. What a
 * loss has taken is made again first, whatever the scan limit.
 */
FAIR_APART static void fair_sched_try_budgets(struct fair_sched *s)
{
	uint32_t *slot = s->limits->wait, n, i, k, x;
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (s->has_scan_limit)
		s->planner->finish(s, &e);
	if (!fair_quotas_begin_trial(s->limits))
		return;
	n = s->limits->waiting;
	for (i = 1; i < n; i++) { /* most are in order */
		x = slot[i];
		for (k = i; k && fair_sched_is_submitted_before(s, x,
								slot[k - 1]);
		     k--)
			slot[k] = slot[k - 1];
		slot[k] = x;
	}
	for (i = 0; i < n; i++)
		if (fair_quotas_try(s->limits, slot[i]))
			fair_sched_place_again(s, slot[i]);
}
#endif /* FAIRSCHED_WITHOUT_LIMITS */

/* Let the planner use processors that became free: compression. */
static void fair_sched_react(struct fair_sched *s)
{
	struct fair_event e;

	s->owes_reaction = false;
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (s->limits && s->limits->waiting)
		fair_sched_try_budgets(s);
#endif /* FAIRSCHED_WITHOUT_LIMITS */
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
	if (!s->planner->promises) /* else it gets another one */
		j->queued.turn = FAIR_FOREVER;
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
	j->queued.rank.key = FAIR_FOREVER;
	fair_sched_drop_promise(s, j, from, cause);
	fair_sched_hold_again_inside(s, j);
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

/* Whether a job that is queued, or planned, has no slot. */
static bool fair_sched_is_slot_missing(const struct fair_sched *s)
{
	uint32_t i = 0;

	while (i < s->ineligibles &&
	       (!s->ineligible[i].is_planned ||
		fair_sched_has_slot(s, s->live + s->ineligible[i].slot)))
		i++;
	return i < s->ineligibles || fair_sched_find_without_slot(s);
}

/* No job without a slot stays planned. */
static void fair_sched_unplan_all_without_slot(struct fair_sched *s)
{
	struct fair_live *j;
	uint32_t i;

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

/* The table may be full now. */
static void fair_sched_unplan_without_slot(struct fair_sched *s)
{
	if (s->waiting_arrays && s->jobs >= s->config.jobs &&
	    fair_sched_is_slot_missing(s))
		fair_sched_unplan_all_without_slot(s);
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
	if (fair_sched_bound_to(s, s->live + slot) && s->config.advances)
		s->running_bound_job[s->running_bound_jobs++] = slot;
}

/* Stop a running job; true if it was to run longer. */
static bool fair_sched_stop_job(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);
	struct fair_claim claim = fair_sched_claim(s, slot);
	int64_t end = fair_live_end(j);

	fair_must(fair_queue_remove(&s->running, slot));
	fair_sched_remove_running_bound_job(s, slot);
	claim.procs = fair_sched_busy_procs(s, slot);
	s->busy -= claim.procs;
	fair_ledgers_notify(s, FAIR_LEDGER_ENDED, slot, 0);
	fair_sched_return_procs(s, s->now, end, &claim);
	return s->now < end;
}

/* 0, or why no event can happen at @now. */
static int fair_sched_validate_time(const struct fair_sched *s, int64_t now)
{
	if (now < s->now)
		return -FAIR_ETIME;
	return fair_is_time(now) ? 0 : -FAIR_EINVAL;
}

/* 0, or why nothing can happen at @now to @j; NULL: no job has its number. */
static int fair_sched_validate_event(const struct fair_sched *s, int64_t now,
				     const struct fair_live *j)
{
	int error = fair_sched_validate_time(s, now);

	return error || j ? error : -FAIR_ENOENT;
}

/* 0, or why no job can have this size. */
static int fair_sched_validate_size(const struct fair_sched *s, int32_t procs,
				    int64_t walltime)
{
	if (walltime < 1 || procs < 1)
		return -FAIR_EINVAL;
	if (procs > s->max_procs)
		return -FAIR_ERANGE;
	if (walltime > fair_sched_max_walltime(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

/* 0, or why the order or a ledger takes no such job. */
static int fair_sched_admit(const struct fair_sched *s,
			    const struct fair_job *job)
{
	struct fair_job indexed;

	if (s->config.order == FAIR_ORDER_TWO_TERM &&
	    !fair_is_time(job->submit))
		return -FAIR_EINVAL;
	job = fair_sched_resolve(s, job, &indexed);
	return job ? fair_ledgers_admit(s, job) : -FAIR_ENOENT;
}

/* Whether a job can be submitted then, and its tasks have these numbers. */
static bool fair_job_is_valid(const struct fair_job *job, int64_t now)
{
	return job->submit <= now &&
	       (job->tasks <= 1 || job->number <= UINT64_MAX - job->tasks);
}

FAIRSCHED_API int fair_sched_pass_time(struct fair_sched *s, int64_t now)
{
	int error = fair_sched_validate_time(s, now);

	if (!error)
		fair_sched_advance_time(s, now);
	return error;
}

/* SUBMIT, DEFER */

/* 0, or why the job cannot be submitted, whether there is room or not. */
static int fair_sched_validate_submit(const struct fair_sched *s, int64_t now,
				      const struct fair_job *job,
				      const struct fair_eligibility *condition,
				      const struct fair_dependencies *list)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (!job || !fair_job_is_valid(job, now) ||
	    fair_sched_find_holder(s, job->number, job->tasks ? job->tasks : 1,
				   NULL))
		return -FAIR_EINVAL;
	error = fair_sched_validate_condition(s, condition, list);
	if (!error)
		error = fair_sched_validate_size(s, job->procs, job->walltime);
	if (!error)
		error = fair_sched_validate_request(s, job);
	if (!error)
		error = fair_sched_validate_bound_job(s, now, job);
	if (!error)
		error = fair_sched_admit(s, job);
	if (!error)
		error = fair_sched_validate_limits(s, job);
	return error;
}

/* It can, and there is room. */
static void fair_sched_accept_job(struct fair_sched *s,
				  const struct fair_job *job,
				  const struct fair_eligibility *condition,
				  const struct fair_dependencies *list)
{
	struct fair_eligibility c = fair_sched_pending_condition(s, condition);
	struct fair_live *j = fair_sched_enter_job(s, job);

	if (fair_sched_is_eligible(s, &c) &&
	    fair_sched_is_list_satisfied(s, list)) {
		fair_sched_queue_job(s, j, FAIR_FOREVER, FAIR_CAUSE_ARRIVAL);
		return;
	}
	fair_sched_add_ineligible(s, j, &c, true);
	fair_sched_set_list(s, fair_sched_ineligible_place(s, job->number),
			    list);
}

FAIRSCHED_API int
fair_sched_submit_dependent(struct fair_sched *s, int64_t now,
			    const struct fair_job *job,
			    const struct fair_eligibility *condition,
			    const struct fair_dependencies *list)
{
	int error = fair_sched_validate_submit(s, now, job, condition, list);

	if (error)
		return error;
	if (s->jobs + s->waiting_arrays + (job->tasks > 1) >= s->config.jobs ||
	    !fair_sched_has_parts(s, job) ||
	    ((condition || list) &&
	     fair_sched_count_limited(s) >=
		     fair_sched_max_ineligible(&s->config)))
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now);
	fair_sched_accept_job(s, job, condition, list);
	return 0;
}

FAIRSCHED_API int
fair_sched_submit_ineligible(struct fair_sched *s, int64_t now,
			     const struct fair_job *job,
			     const struct fair_eligibility *condition)
{
	return fair_sched_submit_dependent(s, now, job, condition, NULL);
}

FAIRSCHED_API int fair_sched_submit(struct fair_sched *s, int64_t now,
				    const struct fair_job *job)
{
	return fair_sched_submit_dependent(s, now, job, NULL, NULL);
}

/* A job that is not queued waits for @condition and @list instead. */
static void
fair_sched_change_eligibility(struct fair_sched *s, struct fair_live *j,
			      const struct fair_eligibility *condition,
			      const struct fair_dependencies *list)
{
	uint32_t i = fair_sched_ineligible_place(s, j->queued.rank.number);
	struct fair_ineligible *a = s->ineligible + i;

	a->condition = *condition;
	fair_sched_set_list(s, i, list);
	if (a->is_planned && !fair_sched_is_released(s, a)) {
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

FAIRSCHED_API int fair_sched_depend(struct fair_sched *s, int64_t now,
				    uint64_t number,
				    const struct fair_eligibility *condition,
				    const struct fair_dependencies *list,
				    struct fair_cycle *cycle)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	struct fair_eligibility c;

	if (error)
		return error;
	if (j->state == FAIR_RUNNING)
		return -FAIR_EINVAL;
	error = fair_sched_validate_condition(s, condition, list);
	if (!error)
		error = fair_sched_validate_cycle(s, number, condition, list,
						  cycle);
	if (error)
		return error;
	if ((condition || list) && !fair_sched_has_room_to_wait(s, j))
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now);
	c = fair_sched_pending_condition(s, condition);
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_change_eligibility(s, j, &c, list);
	} else if (!fair_sched_is_eligible(s, &c) ||
		   !fair_sched_is_list_satisfied(s, list)) {
		fair_sched_unqueue_job(s, j, &c, FAIR_CAUSE_DEFERRED);
		fair_sched_set_list(s, fair_sched_ineligible_place(s, number),
				    list);
		fair_sched_react(s);
	}
	return 0;
}

FAIRSCHED_API int fair_sched_defer(struct fair_sched *s, int64_t now,
				   uint64_t number,
				   const struct fair_eligibility *condition)
{
	return fair_sched_depend(s, now, number, condition, NULL, NULL);
}

/* FINISH, REQUEUE, CANCEL */

/* Running jobs were stopped: the policy reacts if one was to run longer. */
static void fair_sched_end_stops(struct fair_sched *s, bool early)
{
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	if (early)
		fair_sched_react(s);
}

/* A job that was stopped has gone. @status: its exit status. */
static void fair_sched_forget_job(struct fair_sched *s, struct fair_live *j,
				  int32_t status)
{
	uint64_t number = j->queued.rank.number;

	fair_sched_remove_job(s, j);
	(void)fair_sched_resolve_dependencies(
		s, number, 1, status ? FAIR_AFTER_NOT_OK : FAIR_AFTER_OK);
}

/* Running jobs end. @status: of each; NULL: all 0. */
static void fair_sched_end_jobs(struct fair_sched *s, int64_t now,
				const uint64_t *number, const int32_t *status,
				size_t n)
{
	bool early = false;
	size_t i;

	fair_sched_reach(s, now, true);
	for (i = 0; i < n; i++)
		early |= fair_sched_stop_job(s, fair_sched_find(s, number[i]));
	fair_sched_end_stops(s, early);
	for (i = 0; i < n; i++)
		fair_sched_forget_job(s, fair_sched_find(s, number[i]),
				      status ? status[i] : 0);
	fair_sched_queue_eligible_jobs(s);
}

FAIRSCHED_API int fair_sched_exit(struct fair_sched *s, int64_t now,
				  uint64_t number, int32_t status)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);

	if (error)
		return error;
	if (j->state != FAIR_RUNNING)
		return -FAIR_EINVAL;
	fair_sched_end_jobs(s, now, &number, &status, 1);
	return 0;
}

FAIRSCHED_API int fair_sched_finish(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	return fair_sched_exit(s, now, number, 0);
}

/*
 * 0, or why these are not different jobs that run; *@procs: what they hold. A
 * mark finds a job that is named twice.
 */
static int fair_sched_validate_running(const struct fair_sched *s,
				       const uint64_t *number, size_t n,
				       int64_t *procs)
{
	struct fair_live *j;
	size_t marked, i;
	int error = 0;

	*procs = 0;
	for (marked = 0; marked < n; marked++) {
		j = fair_sched_find(s, number[marked]);
		if (!j)
			error = -FAIR_ENOENT;
		else if (j->state != FAIR_RUNNING ||
			 j->queued.mark & FAIR_MARK_DISPLACED)
			error = -FAIR_EINVAL;
		if (error)
			break;
		j->queued.mark |= FAIR_MARK_DISPLACED;
		*procs += j->queued.procs;
	}
	for (i = 0; i < marked; i++)
		fair_sched_find(s, number[i])->queued.mark &=
			~(uint32_t)FAIR_MARK_DISPLACED;
	return error;
}

FAIRSCHED_API int fair_sched_finish_many(struct fair_sched *s, int64_t now,
					 const uint64_t *number,
					 const int32_t *status, size_t n)
{
	int error = fair_sched_validate_time(s, now);
	int64_t procs;

	if (!error && !number && n)
		error = -FAIR_EINVAL;
	if (!error)
		error = fair_sched_validate_running(s, number, n, &procs);
	if (!error)
		fair_sched_end_jobs(s, now, number, status, n);
	return error;
}

/* When a running job left the queue: before it was resized. */
static int64_t fair_live_promised(const struct fair_live *j)
{
	return j->started - j->resized;
}

/* The walltime that the caller asked for, what it ran before included. */
static int64_t fair_live_whole(const struct fair_live *j)
{
	return j->ran + j->queued.walltime - j->overran;
}

/* 0, or why a job that was suspended or resized cannot begin again. */
static int fair_sched_validate_whole(struct fair_sched *s,
				     const struct fair_live *j)
{
	int64_t whole = fair_live_whole(j);
	int error = fair_sched_validate_size(s, j->queued.procs, whole);

	return error ? error
		     : fair_ledgers_modify(s, fair_sched_slot(s, j),
					   j->queued.procs, whole);
}

FAIRSCHED_API int fair_sched_requeue(struct fair_sched *s, int64_t now,
				     uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	int64_t promised;

	if (error)
		return error;
	if (j->state != FAIR_RUNNING || fair_live_promised(j) == now)
		return -FAIR_EINVAL;
	error = j->ran ? fair_sched_validate_whole(s, j) : 0;
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	(void)fair_sched_stop_job(s, j); /* early: its end is after now */
	promised = fair_live_promised(j);
	j->queued.mark = 0;
	j->queued.walltime = fair_live_whole(j);
	j->ran = j->resized = j->overran = 0;
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
	fair_sched_queue_job(s, j, promised, FAIR_CAUSE_REQUEUED);
	return 0;
}

FAIRSCHED_API int fair_sched_cancel(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	const int32_t failed = 1;
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);

	if (error)
		return error;
	if (j->state == FAIR_RUNNING) {
		fair_sched_end_jobs(s, now, &number, &failed, 1);
		return 0;
	}
	fair_sched_advance_time(s, now);
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_remove_ineligible(
			s, fair_sched_ineligible_place(s, number));
		j->queued.rank.key = FAIR_FOREVER;
		fair_sched_hold_again_inside(s, j);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	} else {
		fair_sched_withdraw(s, j);
		fair_sched_react(s);
	}
	fair_sched_remove_job(s, j);
	(void)fair_sched_resolve_dependencies(s, number, fair_sched_tasks(j),
					      FAIR_AFTER_NOT_OK);
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
	int64_t was = fair_live_end(j);
	int64_t end = fair_sched_planned_end(s, j, walltime, s->now);
	struct fair_event e;
	struct fair_claim claim = fair_sched_claim(s, fair_sched_slot(s, j));

	fair_sched_change_walltime(s, j, walltime);
	if (end > was) {
		fair_event_begin(&e, s, FAIR_CAUSE_OVERRUN);
		e.culprit = j->queued.rank.number;
		e.lost = was;
		fair_sched_extend_job(s, &e, j, end);
		fair_sched_end_extension(s, &e, end);
	} else if (end < was) {
		fair_sched_run_until(s, j, end);
		fair_sched_return_procs(s, end, was, &claim);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
		fair_sched_react(s);
	}
}

/* 0, or why no class, and no advance reservation that is, has as much. */
static int fair_sched_validate_changed(const struct fair_sched *s, int64_t now,
				   const struct fair_live *j, int32_t procs,
				   int64_t walltime)
{
	struct fair_job_status status;
	int error = 0;

	fair_sched_describe(s, j, &status);
	status.job.procs = procs;
	status.job.walltime = walltime;
	if (fair_sched_has_classes(s))
		error = fair_sched_validate_request(s, &status.job);
	if (!error && procs > j->queued.procs)
		error = fair_sched_validate_limits(s, &status.job);
	if (error || j->state == FAIR_RUNNING)
		return error;
	error = fair_sched_validate_bound_job(s, now, &status.job);
	return error == -FAIR_ERANGE || error == -FAIR_EOVERFLOW ? error : 0;
}

FAIRSCHED_API int fair_sched_modify(struct fair_sched *s, int64_t now,
				    uint64_t number, int32_t procs,
				    int64_t walltime)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	int64_t from;

	if (error)
		return error;
	if (j->state == FAIR_RUNNING && procs != j->queued.procs)
		return -FAIR_EINVAL;
	error = fair_sched_validate_size(s, procs, walltime);
	if (!error)
		error = fair_sched_validate_changed(s, now, j, procs, walltime);
	if (!error)
		error = fair_ledgers_modify(s, fair_sched_slot(s, j), procs,
					    walltime);
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	j->overran = 0;
	if (j->state == FAIR_RUNNING) {
		fair_sched_modify_running(s, j, walltime);
		return 0;
	}
	from = j->queued.rank.key;
	if (j->state == FAIR_QUEUED) {
		fair_sched_withdraw(s, j);
		j->queued.turn = FAIR_FOREVER;
	}
	j->queued.procs = procs;
	j->queued.walltime = walltime;
	fair_sched_set_amount(s, fair_sched_slot(s, j), 0, procs);
	if (j->state == FAIR_INELIGIBLE &&
	    !s->ineligible[fair_sched_ineligible_place(s, number)].is_planned)
		return 0;
	if (j->state == FAIR_INELIGIBLE)
		fair_sched_remove_ineligible(
			s, fair_sched_ineligible_place(s, number));
	fair_sched_queue_job(s, j, from, FAIR_CAUSE_MODIFIED);
	return 0;
}

/* REFUSE, RETRY */

FAIRSCHED_API int fair_sched_refuse(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	return fair_sched_refuse_until(s, now, number, now);
}

FAIRSCHED_API int fair_sched_refuse_until(struct fair_sched *s, int64_t now,
					  uint64_t number, int64_t not_before)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);

	if (error)
		return error;
	if (now != s->now || j->state != FAIR_RUNNING ||
	    fair_live_promised(j) != now || not_before < now)
		return -FAIR_EINVAL;
	if (s->has_scan_limit)
		fair_sched_finish_scan(s);
	s->is_step_complete = false;
	fair_sched_stop_job(s, j);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_note_refusal(s, j, not_before);
	fair_sched_queue_job(s, j, now, FAIR_CAUSE_REFUSED);
	if (!fair_sched_bound_to(s, j))
		fair_sched_owe_reaction(s);
	return 0;
}

/* Whether a job that is promised a start has an earlier one. */
static bool fair_sched_has_earlier_start(struct fair_sched *s,
					 const struct fair_live *j)
{
	struct fair_space *space = fair_sched_space(s);
	int64_t promised = j->queued.rank.key;

	return space && promised > s->now &&
	       fair_space_earlier(space, fair_sched_slot(s, j), &j->queued,
				  s->now, promised) < promised;
}

FAIRSCHED_API int fair_sched_retry(struct fair_sched *s, int64_t now,
				   uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	int64_t from;

	if (error)
		return error;
	if (j->state == FAIR_RUNNING)
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	j->queued.not_before = INT64_MIN;
	fair_sched_allow_retries(s);
	from = j->queued.rank.key;
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	} else if (s->planner->promises) {
		if (from == FAIR_FOREVER) { /* it asks its budgets again */
			fair_sched_withdraw(s, j);
			fair_live_keep_turn(j); /* it had none */
			fair_sched_queue_job(s, j, from, FAIR_CAUSE_EARLIER);
		} else if (fair_sched_has_earlier_start(s, j)) {
			fair_sched_place_again(s, fair_sched_slot(s, j));
		}
		fair_sched_react(s);
	}
	return 0;
}
