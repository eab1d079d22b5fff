/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/resize.h - running jobs shrink and grow
 *
 *   procs  |    +-----------+      less: free from now on, as if a job of that
 *          |----+           |      size ended early
 *          | 1  | 1         |      more: only what no job holds until the
 *          +----+-----------+      planned end
 *              now        end
 *
 * For the ledgers the job ends, and another one starts that runs for the rest.
 * On nodes its chunks stay where they are, see fair_nodes_can_resize().
 *
 * Uses: events.h, suspend.h.
 */

/* Private: another size of a running job. */
struct fair_resize {
	int32_t amount[FAIR_MACHINE_RESOURCES];
	int32_t less[FAIR_MACHINE_RESOURCES], more[FAIR_MACHINE_RESOURCES];
	bool shrinks, grows;
	struct fair_nodes_request on_nodes; /* if there are nodes, of these: */
	int32_t chunk[FAIR_NODES_RESOURCES];
};

/* What the job is to have of each resource, and how that differs. */
static void fair_resize_set(struct fair_resize *z, const struct fair_sched *s,
			    uint32_t slot, const struct fair_job *size)
{
	struct fair_claim has = fair_sched_claim(s, slot);
	uint32_t n = fair_sched_resources(s), r;
	int32_t more;

	FAIR_MEMSET(z, 0, sizeof(*z));
	for (r = 0; r < n; r++) {
		z->amount[r] = fair_job_amount(size, r);
		more = z->amount[r] - (r ? has.amount[r] : has.procs);
		z->shrinks |= more < 0;
		z->grows |= more > 0;
		z->less[r] = more < 0 ? -more : 0;
		z->more[r] = more > 0 ? more : 0;
	}
	if (s->nodes)
		z->on_nodes = fair_job_nodes(&s->nodes->nodes, size, z->chunk);
}

/* Amounts of the class in which the job in @slot runs. */
static struct fair_claim fair_resize_claim(const struct fair_sched *s,
					   uint32_t slot, const int32_t *amount)
{
	return fair_sched_make_claim(s, fair_sched_claim(s, slot).node_class,
				     amount);
}

/*
 * Whether nothing holds @asked of a column until the planned end of @j. At
 * place @i a reservation job has what its advance reservation has left;
 * @i == s->advances: what running jobs and advance reservations leave.
 */
static bool fair_resize_is_left(const struct fair_sched *s,
				const struct fair_live *j, uint32_t column,
				uint32_t i, int32_t asked)
{
	const struct fair_advance *b = s->advance + i;
	int64_t t, next, left;

	if (i < s->advances &&
	    (!fair_advance_is_active(b, s->now) || fair_live_end(j) > b->to))
		return false;
	for (t = s->now; t < fair_live_end(j); t = next) {
		next = FAIR_FOREVER;
		left = i < s->advances
			       ? fair_sched_bound_job_room(s, column, i, false,
							   j, t, &next)
			       : fair_sched_uncommitted_at(s, column, t, &next);
		if (left < asked)
			return false;
		if (!s->advances) /* running jobs only end */
			break;
	}
	return true;
}

/* The same beside all promises, which are in the profile. */
static bool fair_resize_is_free(const struct fair_sched *s,
				const struct fair_live *j, uint32_t column,
				int32_t asked)
{
	const struct fair_profile *p = fair_column_profile(s, column);
	uint32_t i = s->advances;
	int32_t least = 0;

	if (fair_sched_bound_to(s, j))
		i = fair_sched_usable_advance(s, fair_sched_bound_to(s, j));
	if (i < s->advances || !s->planner->promises)
		return fair_resize_is_left(s, j, column, i, asked);
	if (p)
		fair_must(fair_profile_min_free(p, s->now, fair_live_end(j),
						&least));
	return least >= asked;
}

/* 0, or why there is no room in the columns. */
static int fair_resize_test_columns(const struct fair_sched *s, uint32_t slot,
				    const struct fair_resize *z)
{
	struct fair_claim more = fair_resize_claim(s, slot, z->more);
	uint32_t n = fair_sched_columns(s), column;
	int32_t asked;

	for (column = 0; column < n; column++) {
		asked = fair_column_amount(s, column, &more);
		if (asked &&
		    !fair_resize_is_free(s, s->live + slot, column, asked))
			return -FAIR_ERANGE;
	}
	return 0;
}

/* 0, or why there is no room on nodes, where reservations without a promise
 * make way. */
static int fair_resize_test_nodes(struct fair_sched *s, uint32_t slot,
				  struct fair_resize *z)
{
	struct fair_nodes *n = &s->nodes->nodes;
	uint32_t had = fair_job_parts(n, fair_nodes_asked(n, slot).chunks);
	int64_t end = fair_live_end(s->live + slot);
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_MODIFIED);
	if (!s->planner->promises)
		s->planner->displace_all(s, &e);
	if (fair_job_parts(n, z->on_nodes.chunks) >
	    s->nodes->config.parts - s->parts + had)
		return -FAIR_ENOSPC;
	return fair_nodes_can_resize(n, slot, &z->on_nodes, s->now,
				     end - s->now, &z->shrinks);
}

/* Whether limits have room, for which reservations without a promise make way.
 */
static bool fair_resize_is_allowed(struct fair_sched *s, uint32_t slot,
				   const struct fair_resize *z,
				   const struct fair_job *job)
{
	struct fair_event e;

	if (!z->grows || fair_sched_can_grow_in_limits(s, slot, z->more, job))
		return true;
	if (s->planner->promises)
		return false;
	fair_event_begin(&e, s, FAIR_CAUSE_MODIFIED);
	s->planner->displace_all(s, &e);
	return fair_sched_can_grow_in_limits(s, slot, z->more, job);
}

/* Ledgers that do not resize jobs see one job end, and another start. */
static void fair_resize_notify(struct fair_sched *s, uint32_t event,
			       uint32_t slot)
{
	const struct fair_ledger *l = s->ledger;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->notify && !l->ops->resize)
			l->ops->notify(s, l->state, event, slot, 0);
}

/* The job in @slot runs on with the rest of its walltime. */
static void fair_resize_job(struct fair_sched *s, uint32_t slot,
			    const struct fair_resize *z,
			    const struct fair_job *size)
{
	struct fair_live *j = s->live + slot;

	fair_must(fair_queue_remove(&s->running, slot));
	fair_resize_notify(s, FAIR_LEDGER_ENDED, slot);
	fair_sched_keep_rest(s, j, fair_sched_rest(s, j, s->now));
	j->resized += s->now - j->started;
	j->started = s->now;
	if (!s->nodes)
		s->busy += z->amount[0] - j->queued.procs;
	j->queued.procs = z->amount[0];
	j->penalty = size->penalty;
	fair_sched_set_amounts(s, slot, z->amount);
	fair_must(fair_queue_insert(&s->running, slot));
	fair_resize_notify(s, FAIR_LEDGER_QUEUED, slot);
	fair_resize_notify(s, FAIR_LEDGER_STARTED, slot);
}

/* The plan follows on nodes, beside all promises. */
static void fair_resize_replan_nodes(struct fair_sched *s, uint32_t slot,
				     const struct fair_resize *z)
{
	int64_t end = fair_live_end(s->live + slot);
	bool owes_reaction = s->owes_reaction;
	int32_t more = -fair_sched_busy_procs(s, slot);
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_MODIFIED);
	e.lost = FAIR_FOREVER;
	fair_sched_count_parts(s, slot, 1, false);
	fair_must(fair_space_resize(fair_sched_space(s), slot, &z->on_nodes,
				    s->now, end));
	fair_sched_count_parts(s, slot, 1, true);
	s->planner->displace_all(s, &e);
	more += fair_sched_busy_procs(s, slot);
	s->busy += more;
	fair_planner_count(s, 0, -more);
	if (fair_sched_has_advance_within(s, s->now, end))
		fair_sched_set_profile(s, s->now, end);
	fair_sched_end_loss(s, &e, s->now, end);
	s->owes_reaction = owes_reaction; /* no promise was lost */
	if (!z->shrinks)
		return;
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
}

/* The plan follows: what grew was free, and what shrank becomes free. */
static void fair_resize_replan(struct fair_sched *s, uint32_t slot,
			       const struct fair_resize *z)
{
	struct fair_claim less = fair_resize_claim(s, slot, z->less);
	struct fair_claim more = fair_resize_claim(s, slot, z->more);
	int64_t end = fair_live_end(s->live + slot);
	bool owes_reaction = s->owes_reaction;
	struct fair_event e;

	fair_event_begin(&e, s, FAIR_CAUSE_MODIFIED);
	if (z->grows) {
		fair_planner_count(s, 0, -more.procs);
		fair_sched_take_procs(s, &e, s->now, end, &more);
		s->owes_reaction = owes_reaction; /* no promise was lost */
	}
	if (z->shrinks) {
		fair_sched_return_procs(s, s->now, end, &less);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
		fair_sched_react(s);
	}
}

/* 0, or why the running job @j cannot have this size; *@job: it would be so. */
static int fair_resize_test(const struct fair_sched *s, int64_t now,
			    const struct fair_live *j,
			    const struct fair_job *size, struct fair_job *job)
{
	struct fair_job_status status;

	if (j->state != FAIR_RUNNING || !size || size->procs < 1)
		return -FAIR_EINVAL;
	if (!fair_sched_can_ask(s, size->amount))
		return -FAIR_EINVAL;
	fair_sched_describe(s, j, &status);
	*job = status.job;
	job->walltime = fair_sched_rest(s, j, now);
	job->procs = size->procs;
	job->amount = size->amount;
	job->penalty = size->penalty;
	job->nodes = size->nodes;
	job->memory = size->memory;
	job->swap = size->swap;
	job->disk = size->disk;
	job->rate = size->rate;
	job->chunks = size->chunks;
	if (s->nodes && !fair_job_is_of_chunks(&s->nodes->nodes, job))
		return -FAIR_EINVAL;
	return fair_sched_admit(s, job);
}

FAIRSCHED_API int fair_sched_resize(struct fair_sched *s, int64_t now,
				    uint64_t number,
				    const struct fair_job *size)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_validate_event(s, now, j);
	struct fair_resize z;
	struct fair_job job;
	uint32_t slot;

	if (!error)
		error = fair_resize_test(s, now, j, size, &job);
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	slot = fair_sched_slot(s, j);
	fair_resize_set(&z, s, slot, size);
	error = s->nodes ? fair_resize_test_nodes(s, slot, &z)
			 : fair_resize_test_columns(s, slot, &z);
	if (!error && !fair_resize_is_allowed(s, slot, &z, &job))
		error = -FAIR_ERANGE;
	if (!error)
		error = fair_ledgers_resize(s, slot, &job);
	if (error)
		return error;
	fair_resize_job(s, slot, &z, size);
	if (s->nodes)
		fair_resize_replan_nodes(s, slot, &z);
	else
		fair_resize_replan(s, slot, &z);
	return 0;
}
