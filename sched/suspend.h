/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/suspend.h - running jobs are suspended, and resumed
 *
 *   running --suspend()--> ineligible, with the rest of its walltime
 *           <--a step----- queued <--resume()--
 *
 * Uses: events.h.
 */

/* What is left to run of a job that runs at @now, as a walltime. */
static int64_t fair_sched_rest(const struct fair_sched *s,
			       const struct fair_live *j, int64_t now)
{
	int64_t most = fair_sched_max_walltime(s);
	int64_t end = fair_later(
		fair_live_end(j),
		fair_sched_planned_end(s, j, j->queued.walltime, now));

	return end - now < most ? end - now : most;
}

/* From now on @rest is its walltime: what it ran, and overran, is behind it. */
static void fair_sched_keep_rest(struct fair_sched *s, struct fair_live *j,
				 int64_t rest)
{
	int64_t ran = s->now - j->started;

	j->overran += rest + ran - j->queued.walltime;
	j->ran += ran;
	j->queued.walltime = rest;
}

/* A job that has left the machine waits to be resumed. */
static void fair_sched_await_resume(struct fair_sched *s, struct fair_live *j)
{
	int64_t promised = fair_live_promised(j);

	j->resized = 0;
	fair_sched_add_ineligible(s, j, &fair_no_condition, true);
	s->ineligible[fair_sched_ineligible_place(s, j->queued.rank.number)]
		.is_suspended = true;
	fair_sched_drop_promise(s, j, promised, FAIR_CAUSE_SUSPENDED);
}

FAIRSCHED_API int fair_sched_suspend(struct fair_sched *s, int64_t now,
				     uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	int64_t rest;

	if (error)
		return error;
	if (j->state != FAIR_RUNNING)
		return -FAIR_EINVAL;
	if (fair_sched_count_limited(s) >=
	    fair_sched_max_ineligible(&s->config))
		return -FAIR_ENOSPC;
	rest = fair_sched_rest(s, j, now);
	error = fair_ledgers_modify(s, fair_sched_slot(s, j), j->queued.procs,
				    rest);
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	(void)fair_sched_stop_job(s, j); /* early: its end is after now */
	j->queued.mark = 0;
	j->refusals = 0;
	fair_sched_keep_rest(s, j, rest);
	fair_sched_await_resume(s, j);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_resume_job(struct fair_sched *s, int64_t now,
					uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	uint32_t i;

	if (error)
		return error;
	i = fair_sched_ineligible_place(s, number);
	if (j->state != FAIR_INELIGIBLE || !s->ineligible[i].is_suspended)
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	i = fair_sched_ineligible_place(s, number);
	s->ineligible[i].is_suspended = false;
	fair_live_keep_turn(j);
	fair_sched_queue_eligible_jobs(s);
	return 0;
}
