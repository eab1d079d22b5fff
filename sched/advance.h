/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/advance.h - advance reservations are made, changed and withdrawn
 *
 *   test --> fair_sched_advance_time() --> is there room, unless forced?
 *      --> reservation jobs --> profiles --> fair_sched_react()
 *
 * Uses: events.h.
 */

/*
 * How much more of a column @b, active at @t, leaves at @t than @was, which it
 * replaces; *@change: lowered to the end of @b.
 */
static int64_t fair_sched_advance_difference(const struct fair_sched *s,
					     uint32_t column,
					     const struct fair_advance *was,
					     const struct fair_advance *b,
					     int64_t t, int64_t *change)
{
	int64_t amount = was ? fair_sched_withheld_at(s, column, was, t) : 0;

	if (b->to < *change)
		*change = b->to;
	return amount - fair_sched_withheld_at(s, column, b, t);
}

/*
 * Whether @b, which replaces @was (NULL: none), has all that it asks for of a
 * column beside running jobs, other advance reservations and, with @promises,
 * what is promised.
 */
static bool fair_sched_has_column_for_advance(const struct fair_sched *s,
					      uint32_t column,
					      const struct fair_advance *was,
					      const struct fair_advance *b,
					      bool promises)
{
	int64_t t = fair_later(s->now, b->from), next, left, promised;
	struct fair_step step = { 0, FAIR_FOREVER, 0 };

	for (; t < b->to; t = next) {
		left = fair_sched_uncommitted_at(s, column, t, &next);
		promised = 0;
		if (promises) {
			fair_must(fair_profile_step_at(
				fair_column_profile(s, column), t, &step));
			promised = (left > 0 ? left : 0) - step.free;
		}
		next = next < step.end ? next : step.end;
		if (left + fair_sched_advance_difference(s, column, was, b, t,
							 &next) <
		    promised)
			return false;
	}
	return true;
}

/* The same of all that it asks for. */
static bool fair_sched_has_room_for_advance(const struct fair_sched *s,
					    const struct fair_advance *was,
					    const struct fair_advance *b,
					    bool promises)
{
	struct fair_claim claim = fair_advance_claim(s, b);
	uint32_t n = fair_sched_columns(s), i;

	for (i = 0; i < n; i++)
		if (fair_column_amount(s, i, &claim) &&
		    !fair_sched_has_column_for_advance(s, i, was, b, promises))
			return false;
	return true;
}

/* 0, or why an advance reservation withholds no such amounts. */
static int fair_sched_validate_withheld(const struct fair_sched *s,
					const struct fair_advance *advance)
{
	const struct fair_advance b = fair_advance_complete(advance);
	uint32_t n = fair_sched_resources(s), r;
	uint32_t k = fair_sched_has_classes(s) ? b.node_class : 0;
	bool asks = false;

	if (k >= fair_sched_class_count(s))
		return -FAIR_EINVAL;
	for (r = 0; r < n; r++) {
		if (b.amount[r] < 0)
			return -FAIR_EINVAL;
		asks |= b.amount[r] > 0;
	}
	for (r = 0; r < n; r++)
		if (b.amount[r] >
		    fair_column_most(s, fair_sched_column(s, k, r)))
			return -FAIR_ERANGE;
	return asks ? 0 : -FAIR_EINVAL;
}

/* 0, or why there can be no such advance reservation. */
static int fair_sched_validate_advance(const struct fair_sched *s, int64_t now,
				       const struct fair_advance *b)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (!b || b->from >= b->to || b->kind > FAIR_ADVANCE_USER)
		return -FAIR_EINVAL;
	if (b->to <= now)
		return -FAIR_ETIME;
	error = fair_sched_validate_withheld(s, b);
	if (error)
		return error;
	if (b->to > FAIR_TIME_MAX || b->to - now >= fair_sched_horizon(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

/* Whether there is room for one more at @now. */
static bool fair_sched_has_advance_left(const struct fair_sched *s, int64_t now)
{
	bool ends = s->advances < s->config.advances;
	uint32_t i;

	for (i = 0; i < s->advances; i++)
		ends |= s->advance[i].to <= now;
	return ends;
}

FAIRSCHED_API int fair_sched_advance_reserve(struct fair_sched *s, int64_t now,
					     const struct fair_advance *advance,
					     bool force)
{
	int error = fair_sched_validate_advance(s, now, advance);
	struct fair_advance b, was;
	struct fair_event e;
	bool changes;
	uint32_t i;

	if (error)
		return error;
	b = fair_advance_complete(advance);
	i = fair_sched_advance_place(s, b.number);
	changes = fair_sched_is_advance(s, i, b.number);
	if (!changes && !fair_sched_has_advance_left(s, now))
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now);
	i = fair_sched_advance_place(s, b.number);
	changes = fair_sched_is_advance(s, i, b.number);
	was = changes ? s->advance[i] : b;
	if (!force &&
	    !fair_sched_has_room_for_advance(s, changes ? &was : NULL, &b,
					     s->planner->promises))
		return -FAIR_ERANGE;
	if (!changes)
		FAIR_MEMMOVE(s->advance + i + 1, s->advance + i,
			     (s->advances++ - i) * sizeof(*s->advance));
	s->advance[i] = b;
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_ADVANCE);
	fair_event_begin(&e, s, FAIR_CAUSE_CAPACITY);
	e.lost = FAIR_FOREVER;
	fair_sched_reset_profile(s, &e, was.from < b.from ? was.from : b.from,
				 was.to > b.to ? was.to : b.to);
	if (changes)
		fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_advance_cancel(struct fair_sched *s, int64_t now,
					    uint64_t number)
{
	uint32_t i = fair_sched_advance_place(s, number);
	int error = fair_sched_validate_time(s, now);
	struct fair_advance was;
	struct fair_event e;

	if (error)
		return error;
	if (!fair_sched_is_advance(s, i, number) || s->advance[i].to <= now)
		return -FAIR_ENOENT;
	fair_sched_advance_time(s, now);
	i = fair_sched_advance_place(s, number);
	was = s->advance[i];
	fair_sched_remove_advance(s, i);
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	fair_sched_reset_profile(s, &e, was.from, was.to);
	fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	fair_sched_react(s);
	return 0;
}
