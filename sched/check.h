/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/check.h - the invariants of fairsched.h
 *
 * fair_sched_check() at the end calls the planner's check for I1, then one
 * function for each invariant from I2 to I6, in the order in which they stand
 * here.
 *
 * Uses: events.h.
 */

/* I2: every live job is in its table, and found by its number. */

/* Whether each job of @q is in this state, and found by its number. */
static bool fair_sched_are_jobs_found(const struct fair_sched *s,
				      const struct fair_queue *q,
				      uint32_t state)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_live *j;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (fair_sched_find(s, j->queued.rank.number) != j ||
		    j->state != state)
			return false;
	}
	return true;
}

/* Count the array in @slot, if any; true if another job has its numbers. */
static bool fair_sched_has_shared_number(const struct fair_sched *s,
					 uint32_t slot, uint32_t *arrays)
{
	const struct fair_live *j = s->live + slot;

	if (!j->tasks_behind)
		return false;
	(*arrays)++;
	return fair_sched_find_holder(s, j->queued.rank.number,
				      1 + j->tasks_behind, j);
}

/* Whether all waiting arrays are counted, and have numbers of their own. */
static bool fair_sched_are_arrays_sound(const struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t arrays = 0, i;
	bool shared = false;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		shared |= fair_sched_has_shared_number(
			s, fair_queue_slot(q, at), &arrays);
	for (i = 0; i < s->ineligibles; i++)
		shared |= fair_sched_has_shared_number(s, s->ineligible[i].slot,
						       &arrays);
	return !shared && arrays == s->waiting_arrays;
}

/* Whether ineligible jobs are ordered by number, and found by it. */
static bool fair_sched_are_ineligible_sound(const struct fair_sched *s)
{
	const struct fair_live *j;
	uint64_t next = 0;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		if (fair_sched_find(s, j->queued.rank.number) != j ||
		    j->state != FAIR_INELIGIBLE || j->queued.rank.number < next)
			return false;
		next = j->queued.rank.number + 1;
	}
	return s->ineligibles <= fair_sched_ineligible_entries(&s->config) &&
	       fair_sched_count_limited(s) <=
		       fair_sched_max_ineligible(&s->config);
}

static bool fair_sched_is_bound(const struct fair_sched *s, uint32_t slot)
{
	return fair_sched_bound_to(s, s->live + slot) != 0;
}

/* Whether reservation jobs, running and waiting, are counted. */
static bool fair_sched_are_bound_jobs_counted(const struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t n = 0, waiting = 0, i;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX); at.index++)
		n += fair_sched_is_bound(s, fair_queue_slot(&s->running, at));
	for (i = 0; i < s->ineligibles; i++)
		waiting += fair_sched_is_bound(s, s->ineligible[i].slot);
	for (i = 0; i < s->running_bound_jobs; i++)
		if (!fair_sched_is_bound(s, s->running_bound_job[i]) ||
		    s->live[s->running_bound_job[i]].state != FAIR_RUNNING)
			return false;
	return n + waiting == s->bound_jobs &&
	       (!s->config.advances || n == s->running_bound_jobs);
}

/* Whether advance reservations are ordered by number, and end after now. */
static bool fair_sched_are_advances_sound(const struct fair_sched *s)
{
	uint32_t i;

	for (i = 0; i < s->advances; i++)
		if (s->advance[i].to <= s->now ||
		    s->advance[i].from >= s->advance[i].to ||
		    (i && s->advance[i].number <= s->advance[i - 1].number))
			return false;
	return s->advances <= s->config.advances;
}

static bool fair_sched_is_table_sound(const struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_queue(s);

	return !fair_queue_check(&s->running) &&
	       s->jobs == s->running.jobs + q->jobs + s->ineligibles &&
	       s->jobs == s->slots - s->free_slots &&
	       fair_sched_are_ineligible_sound(s) &&
	       fair_sched_are_arrays_sound(s) &&
	       !fair_sched_is_slot_missing(s) &&
	       fair_sched_are_advances_sound(s) &&
	       fair_sched_are_bound_jobs_counted(s) &&
	       fair_sched_are_jobs_found(s, q, FAIR_QUEUED) &&
	       fair_sched_are_jobs_found(s, &s->running, FAIR_RUNNING);
}

/* I3: running jobs, and what the ledgers count of them. */

static bool fair_sched_are_running_sound(const struct fair_sched *s)
{
	const struct fair_live *first = fair_sched_first_running(s);
	struct fair_queue_place at = { 0, 0 };
	int64_t procs = 0;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX); at.index++)
		procs += fair_sched_busy_procs(
			s, fair_queue_slot(&s->running, at));
	return s->busy == procs && s->busy <= s->procs &&
	       (!first || fair_live_end(first) >= s->now) &&
	       fair_ledgers_are_sound(s);
}

#ifndef FAIRSCHED_WITHOUT_PROFILE

/* I4: free + reserved processors are all that can be planned, at all times. */

/* Whether a queued job has its reservation at @time. */
static bool fair_sched_holds_at(const struct fair_live *j, int64_t time)
{
	int64_t start = fair_live_promise(j);

	return start <= time && time < start + j->queued.walltime;
}

/* Processors reserved for queued jobs at @time. */
static int64_t fair_sched_reserved_at(const struct fair_sched *s, int64_t time)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	const struct fair_live *j;
	int64_t procs = 0;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (fair_sched_holds_at(j, time))
			procs += fair_space_held(fair_sched_space(s),
						 fair_queue_slot(q, at),
						 j->queued.procs);
	}
	return procs;
}


/* What queued jobs hold of a column at @time. */
static int64_t fair_sched_held_at(const struct fair_sched *s, uint32_t column,
				  int64_t time)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	struct fair_claim claim;
	int64_t held = 0;
	uint32_t slot;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(q, at);
		claim = fair_sched_claim(s, slot);
		if (fair_sched_holds_at(s->live + slot, time))
			held += fair_column_amount(s, column, &claim);
	}
	return held;
}

/* The same of each resource of each class, which no job holds twice. */
static bool fair_sched_is_machine_right(const struct fair_sched *s)
{
	const struct fair_profile *p;
	uint32_t n = fair_sched_class_columns(s), i;
	struct fair_step step;
	int64_t t, next;

	for (i = 0; i < n; i++) {
		p = fair_column_profile(s, i);
		for (t = s->now; p && t != FAIR_FOREVER; t = next) {
			fair_must(fair_profile_step_at(p, t, &step));
			if (step.free + fair_sched_held_at(s, i, t) !=
			    fair_sched_plannable_at(s, i, t, &next))
				return false;
			next = next < step.end ? next : step.end;
		}
	}
	return true;
}

/* On nodes: what running jobs hold at @t of one, in processors. */
static int32_t fair_sched_held_on_at(const struct fair_sched *s, uint32_t node,
				     int64_t t)
{
	const struct fair_rank behind = { t + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	const struct fair_nodes *n = &s->nodes->nodes;
	struct fair_nodes_request asked;
	struct fair_nodes_part part;
	int32_t procs = 0;
	uint32_t slot, i;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		asked = fair_nodes_asked(n, slot);
		for (i = 0; fair_nodes_next_part(n, slot, &i, &part);)
			if (part.node == node)
				procs += asked.exclusive
						 ? fair_nodes_whole(n, node, 0)
						 : part.chunks *
							   asked.amount[0];
	}
	return procs;
}

/* Whether an advance reservation withholds a node at @t. */
static bool fair_sched_is_withheld_at(const struct fair_sched *s, uint32_t node,
				      int64_t t)
{
	uint32_t i = 0;

	while (i < s->advances &&
	       !(fair_advance_is_active(s->advance + i, t) &&
		 fair_sched_withholds(s, i, node)))
		i++;
	return i < s->advances;
}

/* What they withhold at @t of the processors that are up. */
static int32_t fair_sched_withheld_procs_at(const struct fair_sched *s,
					    int64_t t, int64_t *change)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	int32_t procs = 0;
	uint32_t i, node;

	for (i = 0; i < s->advances; i++) {
		if (s->advance[i].from > t && s->advance[i].from < *change)
			*change = s->advance[i].from;
		if (s->advance[i].to > t && s->advance[i].to < *change)
			*change = s->advance[i].to;
	}
	for (node = 0; s->advances && node < n->nodes; node++)
		if (!fair_nodes_is_down(n, node) &&
		    fair_sched_is_withheld_at(s, node, t))
			procs += fair_nodes_whole(n, node, 0) -
				 fair_sched_held_on_at(s, node, t);
	return procs;
}

/* On nodes: what running jobs and advance reservations leave. */
static int32_t fair_sched_unheld_at(const struct fair_sched *s, int64_t t,
				    int64_t *change)
{
	const struct fair_rank behind = { t + 1, 0 };
	struct fair_queue_place at = fair_queue_seek(&s->running, behind);
	int32_t procs = s->procs;
	uint32_t slot;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		procs -= fair_space_held(fair_sched_space(s), slot, 0);
		if (s->live[slot].queued.rank.key < *change)
			*change = s->live[slot].queued.rank.key;
	}
	return procs - fair_sched_withheld_procs_at(s, t, change);
}

static int32_t fair_sched_all_plannable_at(const struct fair_sched *s,
					   int64_t t, int64_t *change)
{
	*change = FAIR_FOREVER;
	return s->nodes ? fair_sched_unheld_at(s, t, change)
			: fair_sched_plannable_procs_at(s, t, change);
}

static bool fair_sched_is_profile_right(const struct fair_sched *s)
{
	struct fair_step step;
	int64_t t, next;

	for (t = s->now; t != FAIR_FOREVER; t = next) {
		if (fair_profile_step_at(fair_sched_profile(s), t, &step) ||
		    step.free + fair_sched_reserved_at(s, t) !=
			    fair_sched_all_plannable_at(s, t, &next))
			return false;
		next = next < step.end ? next : step.end;
	}
	return true;
}

#else /* FAIRSCHED_WITHOUT_PROFILE */

#define fair_sched_is_machine_right(s) true
#define fair_sched_is_profile_right(s) true

#endif /* FAIRSCHED_WITHOUT_PROFILE */

/* I5: no job is planned after its first promise without a cause. */

static bool fair_sched_is_promise_kept(const struct fair_sched *s,
				       const struct fair_live *j)
{
	return (!s->planner->promises && !fair_sched_bound_to(s, j)) ||
	       j->cause ||
	       j->queued.rank.key <= j->first_promise;
}

static bool fair_sched_are_promises_kept(const struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		if (!fair_sched_is_promise_kept(
			    s, s->live + fair_queue_slot(q, at)))
			return false;
	return true;
}

/* I6: reservation jobs have processors, or nodes, where they are planned. */

/* Whether all that are planned inside an advance reservation have nodes. */
static bool fair_sched_are_inside_sound(const struct fair_sched *s, uint32_t i)
{
	const struct fair_live *j;
	uint32_t at;

	for (at = 0; at < s->ineligibles; at++) {
		j = s->live + s->ineligible[at].slot;
		if (j->queued.rank.key == FAIR_FOREVER ||
		    !fair_sched_is_planned_in(s, i, s->ineligible + at))
			continue;
		fair_inside_enter_bound(s, i, j);
		if (!fair_inside_fits_parts(s, i, j, j->queued.rank.key) ||
		    fair_nodes_reserve(&s->nodes->inside, 0,
				       j->queued.rank.key, j->queued.walltime))
			return false;
	}
	return true;
}

/* Whether reservation jobs have nodes, or none waits. */
static bool fair_sched_are_bound_nodes_sound(const struct fair_sched *s)
{
	uint32_t i;

	if (!s->bound_jobs || !s->ineligibles)
		return true;
	fair_inside_begin(s);
	for (i = 0; i < s->advances; i++) {
		if (!fair_sched_are_inside_sound(s, i))
			return false;
		fair_inside_end_advance(s, i);
	}
	return true;
}

/* Whether @j, a reservation job, may start when it is to start. */
static bool fair_sched_can_start_inside(const struct fair_sched *s,
					const struct fair_live *j)
{
	int64_t start = j->queued.rank.key;

	if (s->nodes)
		return fair_sched_usable_advance(s, fair_sched_bound_to(s, j)) <
		       s->advances;
	return fair_sched_bound_job_start(s, j, start) == start;
}

static bool fair_sched_are_bound_jobs_sound(const struct fair_sched *s)
{
	const struct fair_live *j;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		if ((!s->ineligible[i].is_planned &&
		     j->queued.rank.key != FAIR_FOREVER) ||
		    !fair_sched_is_promise_kept(s, j))
			return false;
		if (j->queued.rank.key != FAIR_FOREVER &&
		    !fair_sched_can_start_inside(s, j))
			return false;
	}
	return !s->nodes || fair_sched_are_bound_nodes_sound(s);
}

FAIRSCHED_API int fair_sched_check(const struct fair_sched *s)
{
	int broken = s->planner->check(s);

	if (broken)
		return broken;
	if (!fair_sched_is_table_sound(s))
		return 2;
	if (!fair_sched_are_running_sound(s))
		return 3;
	if (s->planner->promises && !fair_sched_is_profile_right(s))
		return 4;
	if (!fair_sched_is_sum_right(s) ||
	    (s->planner->promises && !fair_sched_is_machine_right(s)))
		return 4;
	if (!fair_sched_are_promises_kept(s))
		return 5;
	return fair_sched_are_bound_jobs_sound(s) ? 0 : 6;
}
