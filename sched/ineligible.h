/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ineligible.h - the table of ineligible jobs, and their dependencies
 *
 *   ineligible[]   by number: a condition, and a slot
 *   dependency[]   by slot: config.dependencies each, unused ones are zero
 *
 * A dependency that is satisfied becomes FAIR_AFTER_NOTHING. Of a list joined
 * by OR the first one that is satisfied clears the list: in any list, what is
 * not FAIR_AFTER_NOTHING keeps the job waiting.
 *
 * Uses: setup.h.
 */

static const struct fair_eligibility fair_no_condition = { INT64_MIN, 0, 0,
							   false };

/* The list of the job in @slot: config.dependencies entries. */
static struct fair_dependency *
fair_sched_dependencies(const struct fair_sched *s, uint32_t slot)
{
	return s->dependency + (size_t)slot * s->config.dependencies;
}

/* How many dependencies of its list a job waits for. */
static uint32_t fair_sched_count_dependencies(const struct fair_sched *s,
					      uint32_t slot)
{
	const struct fair_dependency *d = fair_sched_dependencies(s, slot);
	uint32_t n = 0, i;

	for (i = 0; i < s->config.dependencies; i++)
		n += d[i].end != FAIR_AFTER_NOTHING;
	return n;
}

/* Whether a job with this condition may be queued now. */
static bool fair_sched_is_eligible(const struct fair_sched *s,
				   const struct fair_eligibility *condition)
{
	return !condition->held && !condition->end &&
	       condition->begin <= s->now;
}

/* Whether it waits for nothing but a slot or its advance reservation. */
static bool fair_sched_is_released(const struct fair_sched *s,
				   const struct fair_ineligible *a)
{
	return !a->is_suspended && fair_sched_is_eligible(s, &a->condition) &&
	       !fair_sched_count_dependencies(s, a->slot);
}

/* Whether it waits for more than a slot: config.ineligible limits these. */
static bool fair_sched_is_limited(const struct fair_sched *s,
				  const struct fair_ineligible *a)
{
	return fair_sched_bound_to(s, s->live + a->slot) ||
	       !fair_sched_is_released(s, a);
}

static uint32_t fair_sched_count_limited(const struct fair_sched *s)
{
	uint32_t n = 0, i;

	for (i = 0; i < s->ineligibles; i++)
		n += fair_sched_is_limited(s, &s->ineligible[i]);
	return n;
}

/* The place of the job @number in ineligible[], or where it would be added. */
static uint32_t fair_sched_ineligible_place(const struct fair_sched *s,
					    uint64_t number)
{
	uint32_t i = 0;

	while (i < s->ineligibles &&
	       s->live[s->ineligible[i].slot].queued.rank.number < number)
		i++;
	return i;
}

static void fair_sched_clear_dependencies(struct fair_sched *s, uint32_t slot)
{
	FAIR_MEMSET(fair_sched_dependencies(s, slot), 0,
		    s->config.dependencies * sizeof(*s->dependency));
}

static void fair_sched_add_ineligible(struct fair_sched *s, struct fair_live *j,
				      const struct fair_eligibility *condition,
				      bool is_new)
{
	uint32_t i = fair_sched_ineligible_place(s, j->queued.rank.number);

	FAIR_MEMMOVE(s->ineligible + i + 1, s->ineligible + i,
		     (s->ineligibles++ - i) * sizeof(*s->ineligible));
	s->ineligible[i].condition = *condition;
	s->ineligible[i].slot = fair_sched_slot(s, j);
	s->ineligible[i].is_new = is_new;
	s->ineligible[i].is_planned = false;
	s->ineligible[i].is_any = false;
	s->ineligible[i].is_suspended = false;
	fair_sched_clear_dependencies(s, fair_sched_slot(s, j));
	j->state = FAIR_INELIGIBLE;
	j->queued.rank.key = FAIR_FOREVER;
}

static void fair_sched_remove_ineligible(struct fair_sched *s, uint32_t i)
{
	FAIR_MEMMOVE(s->ineligible + i, s->ineligible + i + 1,
		     (--s->ineligibles - i) * sizeof(*s->ineligible));
}

/* DEPENDENCIES */

/*
 * What is left to wait for of @end after @event: the job ended well
 * (FAIR_AFTER_OK) or otherwise (FAIR_AFTER_NOT_OK), or it started.
 */
static uint32_t fair_after_event(uint32_t end, uint32_t event)
{
	if (!end || end == event)
		return FAIR_AFTER_NOTHING;
	if (event == FAIR_AFTER_START || end == FAIR_AFTER_NEVER_SATISFIED)
		return end;
	return end == FAIR_AFTER_ANY || end == FAIR_AFTER_START
		       ? FAIR_AFTER_NOTHING
		       : FAIR_AFTER_NEVER_SATISFIED;
}

/* The same of a dependency that is new: the job may run already. */
static uint32_t fair_sched_pending_end(const struct fair_sched *s,
				       uint64_t after, uint32_t end)
{
	const struct fair_live *j = fair_sched_find(s, after);

	return j && j->state == FAIR_RUNNING
		       ? fair_after_event(end, FAIR_AFTER_START)
		       : end;
}

static uint32_t fair_sched_new_end(const struct fair_sched *s,
				   const struct fair_dependency *d)
{
	return d->ended ? fair_after_event(d->end, d->ended)
			: fair_sched_pending_end(s, d->after, d->end);
}

/* The condition of a job that is to wait for it; NULL: for nothing. */
static struct fair_eligibility
fair_sched_pending_condition(const struct fair_sched *s,
			     const struct fair_eligibility *condition)
{
	struct fair_eligibility c = condition ? *condition : fair_no_condition;

	c.end = fair_sched_pending_end(s, c.after, c.end);
	return c;
}

/* Whether a new list, NULL: none, is satisfied already. */
static bool fair_sched_is_list_satisfied(const struct fair_sched *s,
					 const struct fair_dependencies *list)
{
	uint32_t i;

	if (!list || !list->count)
		return true;
	for (i = 0; i < list->count; i++)
		if (!fair_sched_new_end(s, list->on + i) == list->any)
			return list->any;
	return !list->any;
}

/* What a job still waits for, as a list for another one; of AND with gaps. */
static struct fair_dependencies
fair_sched_list_of(const struct fair_sched *s, const struct fair_ineligible *a)
{
	struct fair_dependencies list;

	list.on = fair_sched_dependencies(s, a->slot);
	list.any = a->is_any;
	list.count = list.any ? fair_sched_count_dependencies(s, a->slot)
			      : s->config.dependencies;
	return list;
}

/* The ineligible job at place @i waits for @list, too; NULL: for none. */
static void fair_sched_set_list(struct fair_sched *s, uint32_t i,
				const struct fair_dependencies *list)
{
	uint32_t slot = s->ineligible[i].slot, k;
	struct fair_dependency *d = fair_sched_dependencies(s, slot);

	fair_sched_clear_dependencies(s, slot);
	s->ineligible[i].is_any = list && list->any;
	if (fair_sched_is_list_satisfied(s, list))
		return;
	for (k = 0; k < list->count; k++) {
		d[k] = list->on[k];
		d[k].end = fair_sched_new_end(s, list->on + k);
		d[k].ended = 0;
	}
}

/* The @event of one of @tasks from @number on; whether a list changed. */
static bool fair_sched_resolve_list(struct fair_sched *s,
				    const struct fair_ineligible *a,
				    uint64_t number, uint32_t tasks,
				    uint32_t event)
{
	struct fair_dependency *d = fair_sched_dependencies(s, a->slot);
	bool changed = false;
	uint32_t i, end;

	for (i = 0; i < s->config.dependencies; i++) {
		end = d[i].end;
		if (!end || !fair_sched_has_common_number(number, tasks,
							  d[i].after, 1))
			continue;
		d[i].end = fair_after_event(end, event);
		changed |= d[i].end != end;
		if (a->is_any && !d[i].end)
			fair_sched_clear_dependencies(s, a->slot);
	}
	return changed;
}

/*
 * Resolve the dependencies on a job that started or ended: satisfied, or never
 * satisfied; whether one of them changed.
 */
static bool fair_sched_resolve_dependencies(struct fair_sched *s,
					    uint64_t number, uint32_t tasks,
					    uint32_t event)
{
	struct fair_eligibility *c;
	bool changed = false;
	uint32_t i, end;

	if (!s->ineligibles)
		return false;
	for (i = 0; i < s->ineligibles; i++) {
		changed |= fair_sched_resolve_list(s, &s->ineligible[i], number,
						   tasks, event);
		c = &s->ineligible[i].condition;
		end = c->end;
		if (!fair_sched_has_common_number(number, tasks, c->after, 1))
			continue;
		c->end = fair_after_event(end, event);
		changed |= c->end != end;
	}
	return changed;
}

/* Whether an ineligible job has a dependency that keeps it so for ever. */
static bool fair_sched_is_never_satisfied(const struct fair_sched *s,
					  const struct fair_ineligible *a)
{
	const struct fair_dependency *d = fair_sched_dependencies(s, a->slot);
	uint32_t never = 0, i;

	for (i = 0; i < s->config.dependencies; i++)
		never += d[i].end == FAIR_AFTER_NEVER_SATISFIED;
	return a->condition.end == FAIR_AFTER_NEVER_SATISFIED ||
	       (never && (!a->is_any ||
			  never == fair_sched_count_dependencies(s, a->slot)));
}

/* Copy what is left of a list; false: it is too long for @b. */
static bool fair_sched_copy_list(struct fair_sched *b, uint32_t slot,
				 const struct fair_sched *a, uint32_t from)
{
	const struct fair_dependency *d = fair_sched_dependencies(a, from);
	struct fair_dependency *to = fair_sched_dependencies(b, slot);
	uint32_t i, n = 0;

	if (fair_sched_count_dependencies(a, from) > b->config.dependencies)
		return false;
	for (i = 0; i < a->config.dependencies; i++)
		if (d[i].end)
			to[n++] = d[i];
	FAIR_MEMSET(to + n, 0, (b->config.dependencies - n) * sizeof(*to));
	return true;
}

static int fair_sched_validate_dependency(const struct fair_sched *s,
					  const struct fair_dependency *d)
{
	if (!d->end || d->end > FAIR_AFTER_START ||
	    d->end == FAIR_AFTER_NEVER_SATISFIED ||
	    (d->ended && d->ended != FAIR_AFTER_OK &&
	     d->ended != FAIR_AFTER_NOT_OK))
		return -FAIR_EINVAL;
	return d->ended || fair_sched_find_holder(s, d->after, 1, NULL)
		       ? 0
		       : -FAIR_ENOENT;
}

/* 0, or why no job can wait for this; both may be NULL. */
static int
fair_sched_validate_condition(const struct fair_sched *s,
			      const struct fair_eligibility *condition,
			      const struct fair_dependencies *list)
{
	struct fair_dependency d = { 0, 0, 0 };
	uint32_t i;
	int error = 0;

	if (condition && condition->end) {
		d.after = condition->after;
		d.end = condition->end;
		error = fair_sched_validate_dependency(s, &d);
	}
	if (!error && list && list->count > s->config.dependencies)
		error = -FAIR_ENOSPC;
	for (i = 0; !error && list && i < list->count; i++)
		error = fair_sched_validate_dependency(s, list->on + i);
	return error;
}

/* CYCLES */

/* Private: what a job waits for, in the table or not; each may be NULL. */
struct fair_awaited {
	const struct fair_eligibility *condition;
	const struct fair_dependency *on;
	uint32_t count;
};

static struct fair_awaited
fair_sched_awaited_by(const struct fair_sched *s,
		      const struct fair_ineligible *a)
{
	struct fair_awaited w;

	w.condition = &a->condition;
	w.on = fair_sched_dependencies(s, a->slot);
	w.count = s->config.dependencies;
	return w;
}

/* Dependency @i of them, the last one is that of the condition; NULL: none. */
static const struct fair_live *
fair_sched_awaited_job(const struct fair_sched *s, const struct fair_awaited *w,
		       uint32_t i)
{
	struct fair_dependency d = { 0, 0, 0 };

	if (i < w->count) {
		d = w->on[i];
	} else if (w->condition) {
		d.after = w->condition->after;
		d.end = w->condition->end;
	}
	if (!d.end || d.end == FAIR_AFTER_NEVER_SATISFIED || d.ended)
		return NULL;
	return fair_sched_find_holder(s, d.after, 1, NULL);
}

/*
 * In a search for a cycle, by place in ineligible[]: two more than the place of
 * the job that waits for this one, if the search has seen it; else 0. Behind
 * the free slots there is memory for each live job.
 */
static uint32_t *fair_sched_waiters(const struct fair_sched *s)
{
	return s->free_slot + s->free_slots;
}

/*
 * The place of an ineligible job among them that the search has not seen;
 * UINT32_MAX: none. *@found: one of them is the job @number.
 */
static uint32_t fair_sched_unseen_place(const struct fair_sched *s,
					const struct fair_awaited *w,
					uint64_t number, bool *found)
{
	uint32_t unseen = UINT32_MAX, i, place;
	const struct fair_live *j;

	for (i = 0; i <= w->count; i++) {
		j = fair_sched_awaited_job(s, w, i);
		*found |= j && j->queued.rank.number == number;
		if (!j || j->state != FAIR_INELIGIBLE)
			continue;
		place = fair_sched_ineligible_place(s, j->queued.rank.number);
		if (!fair_sched_waiters(s)[place])
			unseen = place;
	}
	return unseen;
}

/* Which job waits for the one at place @i, on the way of the search. */
static uint32_t fair_sched_waiter(const struct fair_sched *s, uint32_t i)
{
	return fair_sched_waiters(s)[i] - 2;
}

/*
 * Whether the job @number, waiting for @from, would wait for itself. A search
 * in depth. UINT32_MAX is the place of the job @number. @last: the job that
 * would wait for that one.
 */
static bool fair_sched_search_cycle(struct fair_sched *s, uint64_t number,
				    struct fair_awaited from, uint32_t *last)
{
	struct fair_awaited w = from;
	uint32_t at = UINT32_MAX, next;
	bool found = false;

	for (;;) {
		next = fair_sched_unseen_place(s, &w, number, &found);
		*last = at;
		if (found || (next == UINT32_MAX && at == UINT32_MAX))
			return found;
		if (next != UINT32_MAX)
			fair_sched_waiters(s)[next] = at + 2;
		else
			next = fair_sched_waiter(s, at);
		at = next;
		w = at == UINT32_MAX
			    ? from
			    : fair_sched_awaited_by(s, &s->ineligible[at]);
	}
}

/* The jobs from @number to that at place @last: each waits for the next. */
static void fair_sched_report_cycle(const struct fair_sched *s, uint64_t number,
				    uint32_t last, struct fair_cycle *cycle)
{
	uint32_t at;
	size_t i;

	cycle->jobs = 1;
	for (at = last; at != UINT32_MAX; at = fair_sched_waiter(s, at))
		cycle->jobs++;
	for (i = cycle->jobs, at = last; i--;) {
		if (i < cycle->room)
			cycle->job[i] =
				i ? s->live[s->ineligible[at].slot]
					    .queued.rank.number
				  : number;
		if (i)
			at = fair_sched_waiter(s, at);
	}
}

/* 0, or why a live job cannot wait for this: it would wait for itself. */
static int fair_sched_validate_cycle(struct fair_sched *s, uint64_t number,
				     const struct fair_eligibility *condition,
				     const struct fair_dependencies *list,
				     struct fair_cycle *cycle)
{
	struct fair_awaited w = { NULL, NULL, 0 };
	uint32_t last;
	bool found;

	w.condition = condition;
	if (list) {
		w.on = list->on;
		w.count = list->count;
	}
	FAIR_MEMSET(fair_sched_waiters(s), 0, s->ineligibles * sizeof(last));
	found = fair_sched_search_cycle(s, number, w, &last);
	if (found && cycle)
		fair_sched_report_cycle(s, number, last, cycle);
	return found ? -FAIR_EINVAL : 0;
}
