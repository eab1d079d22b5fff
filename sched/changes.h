/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/changes.h - changes of jobs that wait: their place in the order, what
 * they belong to, their charge, the tasks of an array and how many of these run
 *
 * Uses: events.h.
 */

FAIRSCHED_API int fair_sched_reprioritize(struct fair_sched *s, int64_t now,
					  uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	struct fair_event e;
	uint32_t slot;

	if (error)
		return error;
	if (!fair_sched_is_queued_at(s, now, j) ||
	    (s->config.order != FAIR_ORDER_KEY &&
	     s->config.order != FAIR_ORDER_COMPARE) ||
	    (s->planner->promises && !s->planner->reprioritize))
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	slot = fair_sched_slot(s, j);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (s->planner->reprioritize) {
		s->planner->reprioritize(s, &e, slot,
					 fair_sched_priority(s, j));
		return 0;
	}
	if (s->config.order == FAIR_ORDER_KEY) {
		s->planner->withdraw(s, &e, slot);
		s->planner->submit(s, &e, slot, fair_sched_priority(s, j),
				   true);
	}
	fair_planner_replan(s);
	return 0;
}

/* Vetoes have other answers: what they forbid is planned again, by turn. */
static void fair_sched_lose_vetoes(struct fair_sched *s)
{
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_LIMIT);
	fair_space_veto_anew(fair_sched_space(s));
	e.lost = s->now;
	fair_sched_end_loss(s, &e, s->now, FAIR_FOREVER);
}

FAIRSCHED_API int fair_sched_replan(struct fair_sched *s, int64_t now)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	fair_sched_advance_time(s, now);
	if (fair_sched_plans_vetoes(s))
		fair_sched_lose_vetoes(s);
	fair_sched_react(s);
	fair_planner_replan(s);
	return 0;
}

/* Let the ledgers know that the job belongs to others. */
static void fair_sched_set_ids(struct fair_sched *s, struct fair_live *j,
			       const struct fair_job *job)
{
	struct fair_job indexed;
	const struct fair_job *x = fair_sched_resolve(s, job, &indexed);

	j->user = (uint32_t)x->user;
	j->group = (uint32_t)x->group;
	j->account = (uint32_t)x->account;
	j->qos = (uint32_t)x->qos;
	j->queue = (uint32_t)x->queue;
	fair_ledgers_submit(s, fair_sched_slot(s, j), x);
}

FAIRSCHED_API int fair_sched_reassign(struct fair_sched *s, int64_t now,
				      uint64_t number,
				      const struct fair_job *ids)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	struct fair_job_status status;
	int64_t from;

	if (error)
		return error;
	if (j->state == FAIR_RUNNING || !ids)
		return -FAIR_EINVAL;
	fair_sched_describe(s, j, &status);
	status.job.user = ids->user;
	status.job.group = ids->group;
	status.job.account = ids->account;
	status.job.qos = ids->qos;
	status.job.queue = ids->queue;
	error = fair_sched_admit(s, &status.job);
	if (!error)
		error = fair_sched_validate_limits(s, &status.job);
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	if (j->state == FAIR_INELIGIBLE) {
		fair_sched_set_ids(s, j, &status.job);
		fair_sched_hold_again_inside(s, j);
		return 0;
	}
	if (s->planner->promises && !s->limits) { /* the plan knows no ids */
		fair_ledgers_notify(s, FAIR_LEDGER_WITHDRAWN,
				    fair_sched_slot(s, j), 0);
		fair_sched_set_ids(s, j, &status.job);
		fair_ledgers_notify(s, FAIR_LEDGER_QUEUED,
				    fair_sched_slot(s, j), 0);
		return 0;
	}
	from = j->queued.rank.key;
	fair_sched_withdraw(s, j);
	fair_sched_set_ids(s, j, &status.job);
	fair_sched_queue_job(s, j, from, FAIR_CAUSE_MODIFIED);
	return 0;
}

FAIRSCHED_API int fair_sched_set_penalty(struct fair_sched *s, int64_t now,
					 uint64_t number, int64_t penalty)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);

	if (error)
		return error;
	if (j->state == FAIR_RUNNING || penalty < 0 || penalty > FAIR_RATE_MAX)
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	j->penalty = penalty;
	return 0;
}

/* TASKS OF AN ARRAY */

/* 0, or why there is no room to divide @j before and behind its task @k. */
static int fair_sched_validate_split(const struct fair_sched *s,
				     const struct fair_live *j, uint32_t k)
{
	uint32_t last = j->tasks_behind, more = (k ? 1U : 0) + (k < last);
	uint32_t arrays = s->waiting_arrays - 1 + (k > 1 ? 1U : 0) +
			  (last - k > 1);

	if (s->jobs + more + arrays > s->config.jobs)
		return -FAIR_ENOSPC;
	if (j->state == FAIR_INELIGIBLE &&
	    fair_sched_count_limited(s) + more >
		    fair_sched_max_ineligible(&s->config))
		return -FAIR_ENOSPC;
	return 0;
}

/* So many tasks of the array in @j, from @first on, become a job of their own,
 * which waits for what @j waits for. */
static void fair_sched_part_tasks(struct fair_sched *s,
				  const struct fair_live *j, uint64_t first,
				  uint32_t tasks)
{
	struct fair_eligibility condition = fair_no_condition;
	struct fair_dependencies list = { NULL, 0, false };
	const struct fair_ineligible *a;
	struct fair_job_status status;

	if (!tasks)
		return;
	if (j->state == FAIR_INELIGIBLE) {
		a = s->ineligible +
		    fair_sched_ineligible_place(s, j->queued.rank.number);
		condition = a->condition;
		list = fair_sched_list_of(s, a);
	}
	fair_sched_describe(s, j, &status);
	status.job.number = first;
	status.job.tasks = tasks;
	fair_sched_accept_job(s, &status.job, &condition, &list);
}

FAIRSCHED_API int fair_sched_split_task(struct fair_sched *s, int64_t now,
					uint64_t number)
{
	const struct fair_live *holder =
		fair_sched_find_holder(s, number, 1, NULL);
	int error = fair_sched_validate_event(s, now, holder);
	struct fair_live *j;
	uint32_t before, behind;

	if (error)
		return error;
	if (fair_sched_tasks(holder) == 1)
		return -FAIR_EINVAL;
	j = s->live + fair_sched_slot(s, holder);
	before = (uint32_t)(number - j->queued.rank.number);
	error = fair_sched_validate_split(s, j, before);
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	behind = j->tasks_behind - before;
	j->tasks_behind = before ? before - 1 : 0;
	s->waiting_arrays -= !j->tasks_behind;
	fair_sched_count_parts(s, fair_sched_slot(s, j),
			       behind + (before ? 1U : 0), false);
	fair_sched_part_tasks(s, j, number, before ? 1 : 0);
	fair_sched_part_tasks(s, j, number + 1, behind);
	fair_sched_unplan_without_slot(s);
	fair_sched_queue_eligible_jobs(s);
	return 0;
}

/* A task has started: as many of its array may run now as may. */
static void fair_sched_unplan_other_tasks(struct fair_sched *s, uint64_t number)
{
	if (fair_sched_find_task_limit(s, number) &&
	    fair_sched_is_slot_missing(s))
		fair_sched_unplan_all_without_slot(s);
}

FAIRSCHED_API int fair_sched_limit_tasks(struct fair_sched *s, int64_t now,
					 uint64_t number, uint32_t most)
{
	const struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	struct fair_task_limit *l = fair_sched_find_task_limit(s, number);

	if (error)
		return error;
	if (!l && (!most || fair_sched_tasks(j) == 1))
		return -FAIR_EINVAL;
	if (!l && s->task_limits == s->config.task_limits)
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now);
	if (!l) {
		l = s->task_limit + s->task_limits++;
		l->first = number;
		l->tasks = fair_sched_tasks(j);
	}
	l->most = most ? most : UINT32_MAX;
	fair_sched_unplan_other_tasks(s, number);
	fair_sched_queue_eligible_jobs(s);
	return 0;
}

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

#define FAIR_SECTION_TASK_LIMITS 63

static void fair_fields_task_limit(struct fair_checkpoint *f,
				   struct fair_task_limit *l)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u64(f, &l->first);
	fair_checkpoint_u32(f, &l->tasks);
	fair_checkpoint_u32(f, &l->most);
}

static void fair_sched_save_task_limits(const struct fair_sched *s,
					struct fair_checkpoint *f)
{
	struct fair_task_limit l;
	uint32_t i;

	if (!s->task_limits)
		return;
	fair_checkpoint_section(f, FAIR_SECTION_TASK_LIMITS, s->task_limits, 3);
	for (i = 0; i < s->task_limits; i++) {
		l = s->task_limit[i];
		fair_fields_task_limit(f, &l);
	}
}

/* 0; 1: damaged; -FAIR_ENOSPC: there are too many. */
static int fair_sched_load_task_limits(struct fair_sched *s,
				       struct fair_checkpoint *f)
{
	uint64_t n =
		fair_checkpoint_section(f, FAIR_SECTION_TASK_LIMITS, 0, 0);
	struct fair_task_limit l = { 0, 0, 0 };

	if (n > s->config.task_limits)
		return -FAIR_ENOSPC;
	while (n--) {
		fair_fields_task_limit(f, &l);
		if (f->bad || l.tasks < 2 || !l.most ||
		    l.first > UINT64_MAX - l.tasks)
			return 1;
		s->task_limit[s->task_limits++] = l;
	}
	return 0;
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
