/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/query.h - queries about live jobs and advance reservations
 *
 * fair_sched_lookup(), fair_sched_each() and fair_sched_priority_parts() for
 * jobs; fair_sched_advance_get() and fair_sched_advance_conflicts().
 *
 * Uses: step.h.
 */

/* Describe the job at place @i of ineligible[]. */
static void fair_sched_describe_ineligible(const struct fair_sched *s,
					   uint32_t i,
					   struct fair_job_status *status)
{
	const struct fair_ineligible *a = s->ineligible + i;
	const struct fair_live *j = s->live + a->slot;

	fair_sched_describe(s, j, status);
	if (a->condition.held)
		status->waits |= FAIR_WAITS_HELD;
	if (a->condition.begin > s->now)
		status->waits |= FAIR_WAITS_BEGIN;
	if (a->condition.end == FAIR_AFTER_NEVER_SATISFIED)
		status->waits |= FAIR_WAITS_FOR_EVER;
	else if (a->condition.end)
		status->waits |= FAIR_WAITS_DEPENDENCY;
	if (!fair_sched_has_slot(s, j))
		status->waits |= FAIR_WAITS_SLOT;
	if (a->is_planned)
		status->waits |= FAIR_WAITS_ADVANCE;
}

FAIRSCHED_API int fair_sched_lookup(const struct fair_sched *s, uint64_t number,
				    struct fair_job_status *status)
{
	const struct fair_live *j = fair_sched_find(s, number);

	if (!j || !status)
		return -FAIR_EINVAL;
	if (j->state == FAIR_INELIGIBLE)
		fair_sched_describe_ineligible(
			s, fair_sched_ineligible_place(s, number), status);
	else
		fair_sched_describe(s, j, status);
	return 0;
}

FAIRSCHED_API int fair_sched_priority_parts(const struct fair_sched *s,
					    uint64_t number,
					    struct fair_priority_parts *parts)
{
	const struct fair_live *j = fair_sched_find(s, number);
	const struct fair_maui *m = fair_sched_maui_of(s);

	if (!j || !parts || !m || j->state != FAIR_QUEUED)
		return -FAIR_EINVAL;
	return fair_maui_parts(m, fair_sched_slot(s, j), j->submit,
			       j->queued.walltime, parts);
}

FAIRSCHED_API bool fair_sched_each(const struct fair_sched *s, uint32_t state,
				   struct fair_queue_place *at,
				   struct fair_job_status *status)
{
	const struct fair_queue *q =
		state == FAIR_RUNNING ? &s->running : fair_sched_queue(s);

	if (state == FAIR_INELIGIBLE) {
		if (at->index >= s->ineligibles)
			return false;
		fair_sched_describe_ineligible(s, at->index++, status);
		return true;
	}
	if (!fair_queue_next_fitting(q, at, INT32_MAX))
		return false;
	fair_sched_describe(s, s->live + fair_queue_slot(q, *at), status);
	at->index++;
	return true;
}

FAIRSCHED_API uint32_t fair_sched_count(const struct fair_sched *s,
					uint32_t state)
{
	if (state == FAIR_RUNNING)
		return s->running.jobs;
	return state == FAIR_INELIGIBLE ? s->ineligibles
					: fair_sched_queue(s)->jobs;
}

FAIRSCHED_API bool fair_sched_advance_get(const struct fair_sched *s,
					  uint32_t i,
					  struct fair_advance *advance)
{
	if (i >= s->advances)
		return false;
	*advance = s->advance[i];
	return true;
}

/* Whether it has too few processors at some second. */
static bool fair_sched_is_advance_short(const struct fair_sched *s,
					const struct fair_advance *b)
{
	uint32_t i = fair_sched_advance_place(s, b->number);
	const struct fair_advance *was = NULL;

	if (fair_sched_is_advance(s, i, b->number))
		was = s->advance + i;
	return !fair_sched_has_room_for_advance(s, was, b, false);
}

FAIRSCHED_API bool fair_sched_advance_conflicts(
	const struct fair_sched *s, const struct fair_advance *advance,
	struct fair_queue_place *at, struct fair_job_status *status)
{
	struct fair_rank behind = { advance->from + 1, 0 };

	if (!at->row && !at->index) {
		if (!fair_sched_is_advance_short(s, advance))
			return false;
		*at = fair_queue_seek(&s->running, behind);
	}
	do {
		if (!fair_sched_each(s, FAIR_RUNNING, at, status))
			return false;
	} while (status->job.advance && status->job.advance == advance->number);
	return true;
}
