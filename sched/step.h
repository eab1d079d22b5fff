/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/step.h - which jobs start now, and when to step again
 *
 *   fair_sched_step()
 *     fair_sched_resume_step()      time passes; ledgers: a step begins
 *     fair_sched_start_next()       until no job is due:
 *       fair_sched_next_due_job()     reservation jobs, then the planner's
 *       fair_sched_can_start()        config.fits(); or the start is refused
 *       fair_sched_start_job()        the job runs
 *       fair_sched_next_task()        of an array: the next task arrives
 *
 * fair_sched_next() says when to call it again.
 *
 * Uses: events.h, changes.h.
 */

static void fair_sched_start_job(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;

	j->state = FAIR_RUNNING;
	j->queued.not_before = INT64_MIN;
	j->started = s->now;
	j->starts_before = s->start_count++;
	j->tasks_behind = 0;
	j->queued.rank.key = s->now + j->queued.walltime;
	fair_must(fair_queue_insert(&s->running, slot));
	fair_sched_add_running_bound_job(s, slot);
	s->busy += fair_sched_busy_procs(s, slot);
	fair_ledgers_notify(s, FAIR_LEDGER_STARTED, slot, 0);
	fair_sched_record(s, s->now, j, FAIR_START);
}

/* A task of an array has started: the next of @tasks arrives. */
FAIR_APART static void fair_sched_next_task(struct fair_sched *s,
					    const struct fair_live *started,
					    uint32_t tasks)
{
	struct fair_job_status status;
	struct fair_live *j;

	fair_sched_describe(s, started, &status);
	status.job.number++;
	status.job.tasks = tasks;
	s->waiting_arrays--;
	fair_sched_count_parts(s, fair_sched_slot(s, started), tasks, false);
	j = fair_sched_enter_job(s, &status.job);
	fair_sched_unplan_without_slot(s);
	fair_sched_queue_job(s, j, FAIR_FOREVER, FAIR_CAUSE_ARRIVAL);
	if (s->owes_reaction) /* a reservation job counts for limits */
		fair_sched_react(s);
	if (j->state != FAIR_QUEUED) /* else the planner knows of it */
		fair_planner_replan(s);
}

static void fair_sched_begin_step(struct fair_sched *s, int64_t now)
{
	fair_sched_advance_time(s, now);
	fair_ledgers_notify(s, FAIR_LEDGER_STEP, 0, 0);
}

/*
 * The start of a due job is refused: it is queued again. The planner has given
 * it its processors already, unless it is a reservation job.
 */
static void fair_sched_reject_start(struct fair_sched *s, struct fair_live *j,
				    int64_t not_before)
{
	uint32_t slot = fair_sched_slot(s, j);
	struct fair_claim claim;
	struct fair_event e;

	fair_sched_note_refusal(s, j, not_before);
	if (fair_sched_bound_to(s, j)) {
		fair_sched_queue_job(s, j, s->now, FAIR_CAUSE_REFUSED);
		return;
	}
	fair_sched_note_retry(s, j);
	claim = fair_sched_claim(s, slot);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (s->limits)
		fair_quotas_release(s->limits, slot);
	if (s->limits && !fair_live_is_displaced(j)) /* it is placed anew */
		fair_quotas_revoke(s->limits, slot);
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	fair_sched_return_procs(s, s->now, s->now + j->queued.walltime, &claim);
	fair_event_begin(&e, s, FAIR_CAUSE_REFUSED);
	s->planner->submit(s, &e, slot, fair_sched_priority(s, j), true);
	if (fair_live_is_displaced(j))
		fair_sched_end_loss(s, &e, s->now, s->now);
	else if (s->planner->promises)
		fair_sched_report_promise(s, j, s->now, &e);
	fair_sched_owe_reaction(s);
}

/* Whether a due job can start: config.fits(), which gets its class alone. */
FAIR_APART static bool fair_sched_can_start(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	struct fair_job_status status;
	int64_t not_before;

	fair_sched_describe(s, j, &status);
	fair_sched_describe_class(s, slot, &status.job);
	not_before = s->config.fits(s->config.context, &status.job, s->now,
				    s->now + j->queued.walltime);
	if (not_before <= s->now)
		return true;
	fair_sched_reject_start(s, j, not_before);
	return false;
}

/* Take the first reservation job, by number, whose promised start has come. */
static bool fair_sched_next_due_bound_job(struct fair_sched *s, uint32_t *slot)
{
	uint32_t i;

	for (i = 0; s->bound_jobs && i < s->ineligibles; i++) {
		*slot = s->ineligible[i].slot;
		if (s->live[*slot].queued.rank.key > s->now)
			continue;
		fair_sched_remove_ineligible(s, i);
		return true;
	}
	return false;
}

/* A reservation job starts, of which the ledgers and the plan know nothing. */
FAIR_APART static void fair_sched_admit_bound_job(struct fair_sched *s,
						  uint32_t slot)
{
	fair_ledgers_notify(s, FAIR_LEDGER_QUEUED, slot, 0);
	fair_planner_count(s, 0, -fair_sched_busy_procs(s, slot));
	fair_planner_replan(s);
}

/* The next job that starts now; false: none, or the scan limit is reached. */
static bool fair_sched_next_due_job(struct fair_sched *s, uint32_t *slot)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_LATE_STEP);
	if (fair_sched_is_reacting(s) && !s->planner->resume(s, &e))
		return false;
	if (s->owes_reaction) {
		fair_sched_react(s);
		if (fair_sched_is_reacting(s))
			return false;
	}
	if (fair_sched_next_due_bound_job(s, slot))
		return true;
	return s->planner->due(s, &e, slot);
}

static bool fair_sched_start_next(struct fair_sched *s, uint32_t *slot)
{
	uint32_t tasks;

	do {
		if (!fair_sched_next_due_job(s, slot)) {
			s->is_step_complete = !fair_sched_is_unfinished(s);
			return false;
		}
	} while (s->config.fits && !fair_sched_can_start(s, *slot));
	if (fair_sched_bound_to(s, s->live + *slot))
		fair_sched_admit_bound_job(s, *slot);
	tasks = s->live[*slot].tasks_behind;
	fair_sched_start_job(s, *slot);
	if (tasks)
		fair_sched_next_task(s, s->live + *slot, tasks);
	fair_sched_unplan_other_tasks(s, s->live[*slot].queued.rank.number);
	if (fair_sched_resolve_dependencies(s,
					    s->live[*slot].queued.rank.number,
					    1, FAIR_AFTER_START))
		fair_sched_queue_eligible_jobs(s);
	return true;
}

/*
 * Begin the step, or go on with it: a reaction that the scan limit left undone
 * goes first.
 */
static void fair_sched_resume_step(struct fair_sched *s, int64_t now)
{
	bool reaction = fair_sched_is_reacting(s);
	struct fair_event e;
	uint64_t scans;

	if (!fair_sched_is_unfinished(s)) {
		fair_sched_begin_step(s, now);
		return;
	}
	fair_event_begin(&e, s, FAIR_CAUSE_LATE_STEP);
	fair_sched_apply_scan_limit(s);
	if (!reaction && now == s->now)
		return;
	if (s->planner->resume && !s->planner->resume(s, &e))
		return; /* no job is due yet */
	scans = *s->planner->scans(s);
	fair_sched_begin_step(s, now);
	*s->planner->scans(s) = scans;
}

FAIRSCHED_API int fair_sched_step(struct fair_sched *s, int64_t now,
				  struct fair_decision *start, size_t room,
				  size_t *n)
{
	int error = fair_sched_validate_time(s, now);
	uint32_t slot;
	size_t i = 0;

	if (error)
		return error;
	if (!start || !n)
		return -FAIR_EINVAL;
	fair_sched_resume_step(s, now);
	for (; i < room && fair_sched_start_next(s, &slot); i++) {
		start[i].number = s->live[slot].queued.rank.number;
		start[i].cookie = s->live[slot].cookie;
		start[i].time = now;
		start[i].node_class = fair_sched_class(s, slot);
	}
	*n = i;
	return 0;
}

/* The first end of an advance reservation, if queued jobs have no promises. */
static int64_t fair_sched_next_advance_end(const struct fair_sched *s)
{
	int64_t next = FAIR_FOREVER;
	uint32_t i;

	if (s->planner->promises || !fair_sched_queue(s)->jobs)
		return next;
	for (i = 0; i < s->advances; i++)
		if (s->advance[i].to < next)
			next = s->advance[i].to;
	return next;
}

/* fair_sched_next_start(), but for what is due by the ledgers' doing. */
static int64_t fair_sched_next_start_planned(const struct fair_sched *s)
{
	int64_t next = s->planner->next ? s->planner->next(s) : s->next_retry;

	if (s->owes_reaction || fair_sched_is_unfinished(s))
		return s->now;
	next = fair_sooner(next, fair_sched_next_eligible_time(s));
	next = fair_sooner(next, fair_sched_next_advance_end(s));
	return fair_later(s->now, next); /* what a late step left is due now */
}

/* fair_sched_next(), but for what is due by the ledgers' doing. */
static int64_t fair_sched_next_without_ledgers(const struct fair_sched *s)
{
	const struct fair_live *j = fair_sched_first_running(s);
	int64_t next = fair_sched_next_start_planned(s);

	return j ? fair_later(s->now, fair_sooner(next, fair_live_end(j)))
		 : next;
}

/* @next, or what is due before by the ledgers' doing. */
static int64_t fair_sched_next_by_ledgers(const struct fair_sched *s,
					  int64_t next)
{
	int64_t due = fair_ledgers_next_before(s, INT64_MIN);

	return fair_sooner(fair_later(s->now, due), next);
}

FAIRSCHED_API int64_t fair_sched_next(const struct fair_sched *s)
{
	return fair_sched_next_by_ledgers(s,
					  fair_sched_next_without_ledgers(s));
}

FAIRSCHED_API int64_t fair_sched_next_start(const struct fair_sched *s)
{
	return fair_sched_next_by_ledgers(s, fair_sched_next_start_planned(s));
}
