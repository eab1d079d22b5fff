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
 * Uses: policy.h.
 */

/* Private: a profile, and the reservations to be taken out of it. */
struct fair_view {
	const struct fair_profile *profile;
	const struct fair_reservation *removed;
	uint32_t removals;
};

/*
 * Processors of the removed reservations at @t; *@change: lowered to the first
 * time after @t at which that number changes.
 */
static int32_t fair_view_removed_procs(const struct fair_view *v, int64_t t,
				       int64_t *change)
{
	int32_t procs = 0;
	int64_t start, end;
	uint32_t i;

	for (i = 0; i < v->removals; i++) {
		start = v->removed[i].start;
		end = start + v->removed[i].walltime;
		if (start <= t && t < end)
			procs += v->removed[i].procs;
		if (t < start && start < *change)
			*change = start;
		if (t < end && end < *change)
			*change = end;
	}
	return procs;
}

/* Processors free in the profile itself throughout [@from, @end). */
static int32_t fair_view_min_free(const struct fair_view *v, int64_t from,
				  int64_t end)
{
	int32_t least = 0;

	fair_must(fair_profile_min_free(v->profile, from, end, &least));
	return least;
}

/* Processors free throughout [@from, @end). */
static int32_t fair_view_free(const struct fair_view *v, int64_t from,
			      int64_t end)
{
	int32_t least = INT32_MAX, procs;
	int64_t next;

	for (; from < end; from = next) {
		next = end;
		procs = fair_view_removed_procs(v, from, &next);
		procs += fair_view_min_free(v, from, next);
		if (least > procs)
			least = procs;
	}
	return least;
}

/* The largest t <= @end such that @procs are free throughout [@from, t). */
static int64_t fair_view_free_until(const struct fair_view *v, int64_t from,
				    int64_t end, int32_t procs)
{
	int64_t next, middle;
	int32_t least;

	for (; from < end; from = next) {
		next = end;
		least = procs - fair_view_removed_procs(v, from, &next);
		if (fair_view_min_free(v, from, next) < least)
			break;
	}
	if (from >= end)
		return end;
	/* Loop invariant: they are free until @from, but not until @next. */
	while (next - from > 1) {
		middle = from + (next - from) / 2;
		if (fair_view_min_free(v, from, middle) < least)
			next = middle;
		else
			from = middle;
	}
	return from;
}

/* The size with which @j would start at @now. */
static void fair_view_room(const struct fair_view *v, int64_t now,
			   const struct fair_queued *j, struct fair_room *r)
{
	int64_t end = now + j->walltime;

	r->walltime = fair_view_free_until(v, now, end, j->procs) - now;
	r->procs = fair_view_free(v, now, end);
}
