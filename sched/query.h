/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/query.h - queries about live jobs and advance reservations
 *
 * fair_sched_lookup(), fair_sched_each() and fair_sched_priority_parts() for
 * jobs, fair_sched_job_error() for one that is not submitted yet;
 * fair_sched_advance_get() and fair_sched_advance_conflicts().
 *
 * Uses: advance.h, step.h.
 */

/* What is wrong with a job's own numbers; NULL: nothing. */
static const char *fair_sched_job_number_error(const struct fair_sched *s,
					       int64_t now,
					       const struct fair_job *job)
{
	if (job->submit > now)
		return "submit is after now";
	if (!fair_job_is_valid(job, now))
		return "number and tasks are above 2^64 - 1";
	if (fair_sched_find_holder(s, job->number, job->tasks, NULL))
		return "number is that of a live job, or of a task";
	if (job->walltime < 1)
		return "walltime is below 1";
	if (job->procs < 1)
		return "procs is below 1";
	if (job->procs > s->max_procs)
		return "procs is above what the machine ever had";
	return fair_sched_validate_size(s, job->procs, job->walltime)
		       ? "walltime ends after the horizon"
		       : NULL;
}

/* What is wrong with what a job asks of the machine; NULL: nothing. */
static const char *fair_sched_job_request_error(const struct fair_sched *s,
						int64_t now,
						const struct fair_job *job)
{
	switch (-fair_sched_validate_request(s, job)) {
	case 0:
		break;
	case FAIR_ERANGE:
		return "amount is above what its classes, or nodes, ever had";
	default:
		return "amount, classes or chunks do not suit the machine";
	}
	switch (-fair_sched_validate_bound_job(s, now, job)) {
	case 0:
		return NULL;
	case FAIR_ENOENT:
		return "advance is no advance reservation that goes on";
	case FAIR_EINVAL:
		return "advance is not for jobs";
	case FAIR_ERANGE:
		return "procs or amount is above the advance reservation's";
	default:
		return "walltime is above what is left of the advance "
		       "reservation";
	}
}

FAIRSCHED_API const char *fair_sched_job_error(const struct fair_sched *s,
					       int64_t now,
					       const struct fair_job *job)
{
	const char *error;

	if (fair_sched_validate_time(s, now))
		return "now is before the last event, or out of range";
	error = fair_sched_job_number_error(s, now, job);
	if (!error)
		error = fair_sched_job_request_error(s, now, job);
	if (error)
		return error;
	switch (-fair_sched_admit(s, job)) {
	case 0:
		return NULL;
	case FAIR_ENOENT:
		return "user, group, account, queue or qos was not added";
	default:
		return "user, group, account, queue or qos is not admitted";
	}
}

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
	if (fair_sched_is_never_satisfied(s, a))
		status->waits |= FAIR_WAITS_FOR_EVER;
	else if (a->condition.end || fair_sched_count_dependencies(s, a->slot))
		status->waits |= FAIR_WAITS_DEPENDENCY;
	if (!fair_sched_has_slot(s, j))
		status->waits |= FAIR_WAITS_SLOT;
	if (a->is_planned)
		status->waits |= FAIR_WAITS_ADVANCE;
	if (a->is_suspended)
		status->waits |= FAIR_WAITS_RESUME;
}

FAIRSCHED_API int fair_sched_lookup(const struct fair_sched *s, uint64_t number,
				    struct fair_job_status *status)
{
	const struct fair_live *j = fair_sched_find(s, number);

	if (!status)
		return -FAIR_EINVAL;
	if (!j)
		return -FAIR_ENOENT;
	if (j->state == FAIR_INELIGIBLE)
		fair_sched_describe_ineligible(
			s, fair_sched_ineligible_place(s, number), status);
	else
		fair_sched_describe(s, j, status);
	return 0;
}

FAIRSCHED_API bool fair_sched_dependency(const struct fair_sched *s,
					 uint64_t number, uint32_t i,
					 struct fair_dependency *dependency)
{
	const struct fair_live *j = fair_sched_find(s, number);
	const struct fair_ineligible *a;
	const struct fair_dependency *d;
	uint32_t k;

	if (!j || j->state != FAIR_INELIGIBLE)
		return false;
	a = s->ineligible + fair_sched_ineligible_place(s, number);
	if (a->condition.end && !i--) {
		dependency->after = a->condition.after;
		dependency->end = a->condition.end;
		dependency->ended = 0;
		return true;
	}
	d = fair_sched_dependencies(s, a->slot);
	for (k = 0; k < s->config.dependencies; k++) {
		if (!d[k].end || i--)
			continue;
		*dependency = d[k];
		return true;
	}
	return false;
}

#ifndef FAIRSCHED_WITHOUT_MAUI
FAIRSCHED_API int fair_sched_priority_parts(const struct fair_sched *s,
					    uint64_t number,
					    struct fair_priority_parts *parts)
{
	const struct fair_live *j = fair_sched_find(s, number);
	const struct fair_maui *m = fair_sched_maui_of(s);

	if (!parts)
		return -FAIR_EINVAL;
	if (!j)
		return -FAIR_ENOENT;
	if (!m || j->state != FAIR_QUEUED)
		return -FAIR_EINVAL;
	return fair_maui_parts(m, fair_sched_slot(s, j), j->submit,
			       j->queued.walltime, parts);
}
#endif /* FAIRSCHED_WITHOUT_MAUI */

FAIRSCHED_API bool fair_sched_each(const struct fair_sched *s, uint32_t state,
				   struct fair_queue_place *at,
				   struct fair_job_status *status)
{
	const struct fair_queue *q =
		state == FAIR_RUNNING ? &s->running : fair_sched_queue(s);
	const struct fair_live *j;

	if (state == FAIR_INELIGIBLE) {
		if (at->index >= s->ineligibles)
			return false;
		fair_sched_describe_ineligible(s, at->index++, status);
		return true;
	}
	for (; fair_queue_next_fitting(q, at, INT32_MAX); at->index++) {
		j = s->live + fair_queue_slot(q, *at);
		if (fair_live_state(j) != state)
			continue;
		fair_sched_describe(s, j, status);
		at->index++;
		return true;
	}
	return false;
}

static uint32_t fair_sched_count_displaced(const struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t n = 0;

	if (!fair_sched_is_reacting(s))
		return 0;
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		n += fair_live_is_displaced(s->live + fair_queue_slot(q, at));
	return n;
}

FAIRSCHED_API uint32_t fair_sched_count(const struct fair_sched *s,
					uint32_t state)
{
	uint32_t displaced = fair_sched_count_displaced(s);

	switch (state) {
	case FAIR_RUNNING:
		return s->running.jobs;
	case FAIR_INELIGIBLE:
		return s->ineligibles;
	case FAIR_DISPLACED:
		return displaced;
	default:
		return fair_sched_queue(s)->jobs - displaced;
	}
}

#ifndef FAIRSCHED_WITHOUT_ADVANCES
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

	if (s->nodes)
		return true;
	if (fair_sched_is_advance(s, i, b->number))
		was = s->advance + i;
	return !fair_sched_has_room_for_advance(s, was, b, false);
}

/* Whether a running job is on a node of @b, or of the set that it names. */
static bool fair_sched_is_node_conflict(const struct fair_sched *s,
					const struct fair_advance *b,
					uint32_t slot)
{
	uint32_t place = fair_sched_advance_place(s, b->number), at = 0;
	bool made = fair_sched_is_advance(s, place, b->number);
	const struct fair_nodes *n = &s->nodes->nodes;
	struct fair_nodes_part part;

	while (fair_nodes_next_part(n, slot, &at, &part))
		if (b->named ? b->named <= n->sets &&
				       fair_nodes_has(n, b->named, part.node)
			     : made && fair_sched_withholds(s, place,
							    part.node))
			return true;
	return false;
}

/* Whether a running job, not bound to @b, holds what it withholds. */
static bool fair_sched_is_conflict(const struct fair_sched *s,
				   const struct fair_advance *b,
				   const struct fair_job *job)
{
	const struct fair_live *j = fair_sched_find(s, job->number);
	struct fair_claim asks = fair_advance_claim(s, b), claim;

	if (job->advance && job->advance == b->number)
		return false;
	if (s->nodes)
		return fair_sched_is_node_conflict(s, b, fair_sched_slot(s, j));
	claim = fair_sched_claim(s, fair_sched_slot(s, j));
	return fair_sched_do_claims_meet(s, &asks, &claim);
}

#ifndef FAIRSCHED_WITHOUT_NODES
FAIRSCHED_API bool fair_sched_nodes(const struct fair_sched *s, uint64_t number,
				    uint32_t *at, struct fair_nodes_part *part)
{
	const struct fair_live *j = fair_sched_find(s, number);

	return s->nodes && j && !fair_live_is_displaced(j) &&
	       fair_sched_has_nodes(s, fair_sched_slot(s, j)) &&
	       fair_nodes_next_part(&s->nodes->nodes, fair_sched_slot(s, j),
				    at, part);
}

FAIRSCHED_API bool fair_sched_advance_has_node(const struct fair_sched *s,
					       uint64_t number, uint32_t node)
{
	uint32_t i = fair_sched_advance_place(s, number);

	return s->nodes && node < s->nodes->nodes.nodes &&
	       fair_sched_is_advance(s, i, number) &&
	       fair_sched_withholds(s, i, node);
}
#endif /* FAIRSCHED_WITHOUT_NODES */

FAIRSCHED_API bool fair_sched_advance_conflicts(
	const struct fair_sched *s, const struct fair_advance *advance,
	struct fair_queue_place *at, struct fair_job_status *status)
{
	const struct fair_advance b = fair_advance_complete(advance);
	struct fair_rank behind = { b.from + 1, 0 };

	if (!at->row && !at->index) {
		if (!fair_sched_is_advance_short(s, &b))
			return false;
		*at = fair_queue_seek(&s->running, behind);
	}
	do {
		if (!fair_sched_each(s, FAIR_RUNNING, at, status))
			return false;
	} while (!fair_sched_is_conflict(s, &b, &status->job));
	return true;
}
#endif /* FAIRSCHED_WITHOUT_ADVANCES */
