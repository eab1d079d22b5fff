/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/view.h - the availability profile without some of its reservations
 *
 * An explanation asks how large a job could be to start now if it, or the jobs
 * behind it, had no reservation:
 *
 *   free  |######
 *         |######+++++++      + processors of the removed reservations
 *         |########################
 *         +-----------------------> time
 *          now    fair_view_free_until()
 *
 * With several resources it is asked of one column after the other.
 *
 * Uses: policy.h.
 */

/*
 * Private: a profile, and the reservations to be taken out of it.
 * @columns: whose @column it is a profile of; NULL: it counts processors
 */
struct fair_view {
	const struct fair_profile *profile;
	const struct fair_reservation *removed;
	uint32_t removals;
	const struct fair_sched *columns;
	uint32_t column;
};

#ifndef FAIRSCHED_WITHOUT_PROFILE

/* What a removed reservation holds in the profile. */
static int32_t fair_view_amount(const struct fair_view *v, uint32_t i)
{
	struct fair_claim claim;

	if (!v->columns)
		return v->removed[i].procs;
	claim = fair_sched_claim(v->columns, v->removed[i].slot);
	return fair_column_amount(v->columns, v->column, &claim);
}

/*
 * What the removed reservations hold at @t; *@change: lowered to the first
 * time after @t at which that changes.
 */
static int32_t fair_view_removed_amount(const struct fair_view *v, int64_t t,
				       int64_t *change)
{
	int32_t amount = 0;
	int64_t start, end;
	uint32_t i;

	for (i = 0; i < v->removals; i++) {
		start = v->removed[i].start;
		end = start + v->removed[i].walltime;
		if (start <= t && t < end)
			amount += fair_view_amount(v, i);
		if (t < start && start < *change)
			*change = start;
		if (t < end && end < *change)
			*change = end;
	}
	return amount;
}

/* What is free in the profile itself throughout [@from, @end). */
static int32_t fair_view_min_free(const struct fair_view *v, int64_t from,
				  int64_t end)
{
	int32_t least = 0;

	fair_must(fair_profile_min_free(v->profile, from, end, &least));
	return least;
}

/* What is free throughout [@from, @end). */
static int32_t fair_view_free(const struct fair_view *v, int64_t from,
			      int64_t end)
{
	int32_t least = INT32_MAX, procs;
	int64_t next;

	for (; from < end; from = next) {
		next = end;
		procs = fair_view_removed_amount(v, from, &next);
		procs += fair_view_min_free(v, from, next);
		if (least > procs)
			least = procs;
	}
	return least;
}

/* The largest t <= @end such that @amount is free throughout [@from, t). */
static int64_t fair_view_free_until(const struct fair_view *v, int64_t from,
				    int64_t end, int32_t amount)
{
	int64_t next = end, middle;
	int32_t least = amount;

	for (; from < end; from = next) {
		next = end;
		least = amount - fair_view_removed_amount(v, from, &next);
		if (fair_view_min_free(v, from, next) < least)
			break;
	}
	/* Loop invariant: they are free until @from, but not until @next; if
	 * they are free until @end, that is both. */
	while (next - from > 1) {
		middle = from + (next - from) / 2;
		if (fair_view_min_free(v, from, middle) < least)
			next = middle;
		else
			from = middle;
	}
	return from;
}

/* Until when class @k has, from now on, all that the job in @slot asks for. */
static int64_t fair_view_class_until(struct fair_view *v, uint32_t slot,
				     uint32_t k)
{
	const struct fair_sched *s = v->columns;
	struct fair_claim claim = fair_sched_claim(s, slot);
	int64_t until = s->now + s->live[slot].queued.walltime;
	int32_t amount;

	claim.node_class = k;
	for (v->column = 0; v->column < fair_sched_columns(s); v->column++) {
		amount = fair_column_amount(s, v->column, &claim);
		v->profile = fair_column_profile(s, v->column);
		if (amount && !v->profile)
			until = s->now; /* the class never has any */
		else if (amount)
			until = fair_view_free_until(v, s->now, until, amount);
	}
	return until;
}

/* In the class that has all of it longest, the first in the job's order. */
static void fair_view_machine_room(struct fair_view *v, uint32_t slot,
				   struct fair_room *r)
{
	const struct fair_sched *s = v->columns;
	uint32_t n = fair_sched_choices(s, slot), i, k;
	int64_t walltime;

	for (i = 0; i < n; i++) {
		k = fair_sched_choice(s, slot, i);
		walltime = fair_view_class_until(v, slot, k) - s->now;
		if (walltime <= r->walltime)
			continue;
		r->walltime = walltime;
		r->node_class = k;
	}
}

/* The size with which the job in @slot would start now. */
static void fair_view_room(const struct fair_view *v,
			   const struct fair_sched *s, uint32_t slot,
			   struct fair_room *r)
{
	int64_t end = s->now + s->live[slot].queued.walltime;
	struct fair_view of_column = *v;

	r->procs = fair_view_free(v, s->now, end);
	of_column.columns = s;
	fair_view_machine_room(&of_column, slot, r);
}

#else /* FAIRSCHED_WITHOUT_PROFILE */

#define fair_view_room fair_absent

#endif /* FAIRSCHED_WITHOUT_PROFILE */
