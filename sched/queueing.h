/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/queueing.h - jobs are queued, refused, eligible, and late
 *
 *   submit, release, retry --> fair_sched_queue_job() --> the planner
 *                                      |           +--> inside.h
 *                                      +--> no slot, not eligible: it waits
 *
 * Uses: inside.h.
 */

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

/* A job that waits is not planned any more; if ever, it was promised @from. */
static void fair_sched_drop_promise(struct fair_sched *s, struct fair_live *j,
				    int64_t from, uint32_t cause)
{
	struct fair_event e;

	fair_event_begin(&e, s, cause);
	fair_sched_report_promise(s, j, from, &e);
}

/* The job is queued again, now or later, with the turn that it has. */
static void fair_live_keep_turn(struct fair_live *j)
{
	j->queued.mark |= FAIR_MARK_TURN;
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
		if (not_before == FAIR_FOREVER)
			j->queued.turn = FAIR_FOREVER; /* it is placed last */
		else if (!s->planner->promises && !fair_sched_bound_to(s, j))
			fair_live_keep_turn(j); /* of FAIR_MAUI */
	}
	j->queued.not_before =
		not_before > s->now ? not_before : s->now + wait;
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
