/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/backfill/phase.h - backfill as a phase of its own
 *
 * Starts and reservations first, then a selection for each backfill window
 * [MAUI 3, steps 6 to 8].
 *
 * Uses: reservations.h, order.h, kept.h.
 */

#ifndef FAIRSCHED_WITHOUT_PROFILE

/* Reserve for a job that cannot start, if its QoS and the limit permit it. */
static bool fair_backfill_try_reserve(struct fair_backfill *b,
				      const struct fair_iteration *it,
				      uint32_t slot)
{
	uint32_t how = fair_backfill_how_reserves(b, it, slot);

	if (how == FAIR_RESERVES_NEVER)
		return false;
	if (how == FAIR_RESERVES && !fair_backfill_is_kept(b, slot) &&
	    b->phase.counted + b->phase.pending >= b->phase.by.limit) {
		b->phase.limit_reached = true;
		return false;
	}
	if (!fair_backfill_reserve(b, it, slot))
		return false;
	if (how == FAIR_RESERVES)
		b->phase.limit_reached |=
			++b->phase.counted >= b->phase.by.limit;
	return true;
}

/* Whether pass 0 may start the job or reserve for it. */
static bool fair_backfill_is_admitted(const struct fair_backfill *b,
				      const struct fair_iteration *it,
				      uint32_t slot)
{
	return !b->phase.limit_reached || fair_backfill_is_kept(b, slot) ||
	       fair_backfill_how_reserves(b, it, slot) == FAIR_RESERVES_ALWAYS;
}

/*
 * Pass 0: starts and reservations in order. A job that gets neither remains for
 * backfill. Invariant: sorted[0 .. remaining) are these of sorted[0 .. next).
 * If a job's limit was reached in this pass, and jobs before it were planned
 * around its kept reservation, the walk begins again, without that.
 */
static bool fair_backfill_due_or_reserve(struct fair_backfill *b,
					 const struct fair_iteration *it,
					 uint32_t *slot)
{
	bool kept;

	while (b->order.next < b->order.ends) {
		if (!fair_backfill_scan(b))
			return false;
		*slot = b->order.sorted[b->order.next++];
		kept = fair_backfill_release_kept(b, *slot);
		b->phase.pending -= fair_backfill_is_kept(b, *slot) &&
			      fair_backfill_how_reserves(b, it, *slot) ==
				      FAIR_RESERVES;
		if (fair_backfill_is_admitted(b, it, *slot) &&
		    fair_backfill_admits(b, it, *slot)) {
			if (fair_backfill_can_start(b, it->now, *slot)) {
				fair_backfill_start(b, it->now, *slot, NULL);
				return true;
			}
			if (fair_backfill_try_reserve(b, it, *slot))
				continue;
		} else if (kept &&
			   fair_backfill_is_allowed(b, it->now, *slot)) {
			b->anew = true;
			return false;
		}
		b->order.sorted[b->phase.remaining++] = *slot;
	}
	b->order.ends = b->phase.remaining;
	return false;
}

/* Start the job at @i of the remaining ones. */
static void fair_backfill_start_remaining(struct fair_backfill *b,
					  const struct fair_iteration *it,
					  uint32_t i)
{
	uint32_t slot = b->order.sorted[i];

	b->order.ends = --b->phase.remaining;
	FAIR_MEMMOVE(b->order.sorted + i, b->order.sorted + i + 1,
		     (b->phase.remaining - i) * sizeof(*b->order.sorted));
	fair_backfill_start(b, it->now, slot, NULL);
}

/* A backfill window: @procs are free over [now, @end), fewer at @end. */
struct fair_window {
	int64_t end;
	int32_t procs;
};

/* The processors whose windows are tried. */
static const struct fair_profile *
fair_backfill_fill_profile(const struct fair_backfill *b)
{
	return fair_space_class_profile(&b->space, b->phase.node_class);
}

/* Whether a job may fill a window now. */
static bool fair_backfill_can_fill(const struct fair_backfill *b,
				   const struct fair_iteration *it,
				   uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);

	return j->not_before <= it->now &&
	       fair_space_fits_class(&b->space, slot, j, it->now,
				     b->phase.node_class);
}

/* The longest window of at least @procs. */
static struct fair_window fair_backfill_window_of(const struct fair_backfill *b,
						  int64_t now, int32_t procs)
{
	struct fair_window w = { now, INT32_MAX };
	struct fair_step step;

	while (w.end != FAIR_FOREVER) {
		fair_must(fair_profile_step_at(fair_backfill_fill_profile(b),
					       w.end, &step));
		if (step.free < procs)
			break;
		if (step.free < w.procs)
			w.procs = step.free;
		w.end = step.end;
	}
	return w;
}

/*
 * The first window into which any of the remaining jobs fits. From the widest
 * on, windows get longer: a job first fits into the window as wide as the
 * minimum of free processors during its walltime, and the shortest job is the
 * first to fit. From the longest on, they get wider: the narrowest job is the
 * first to fit.
 */
static bool fair_backfill_first_window(const struct fair_backfill *b,
				       const struct fair_iteration *it,
				       struct fair_window *w)
{
	int64_t least = INT64_MAX, size;
	const struct fair_queued *j, *first = NULL;
	int32_t procs = 0;
	uint32_t i;

	for (i = 0; i < b->phase.remaining && b->free > 0; i++) {
		j = fair_backfill_job(b, b->order.sorted[i]);
		size = b->phase.by.longest ? j->procs : j->walltime;
		if (size >= least ||
		    !fair_backfill_can_fill(b, it, b->order.sorted[i]) ||
		    !fair_backfill_admits(b, it, b->order.sorted[i]))
			continue;
		least = size;
		first = j;
	}
	if (!first)
		return false;
	procs = first->procs;
	if (!b->phase.by.longest)
		fair_must(fair_profile_min_free(
			fair_backfill_fill_profile(b), it->now,
			it->now + first->walltime, &procs));
	*w = fair_backfill_window_of(b, it->now, procs);
	return true;
}

static int64_t fair_backfill_metric(const struct fair_backfill *b,
				    const struct fair_queued *j)
{
	if (b->phase.by.metric == FAIR_FIT_PROCS)
		return j->procs;
	if (b->phase.by.metric == FAIR_FIT_SECONDS)
		return j->walltime;
	return j->walltime > INT64_MAX / j->procs ? INT64_MAX
						  : j->walltime * j->procs;
}

/*
 * Keep the best set of the @n chosen jobs that fits into @w. Bit n - 1 - i of a
 * mask stands for chosen[i]: of two sets with equal sums, the one that has the
 * first job by which they differ has the greater mask, and is tried first.
 */
static void fair_backfill_choose_set(struct fair_backfill *b,
				     const struct fair_window *w, uint32_t n)
{
	struct fair_phase *p = &b->phase;
	int64_t most = -1, sum, metric, procs;
	const struct fair_queued *j;
	uint32_t mask, best = 0, i;

	for (mask = ((uint32_t)1 << n) - 1; mask; mask--) {
		if (!fair_space_is_pool(&b->space) &&
		    !fair_space_has_room(&b->space, &b->queue, p->chosen, mask,
					 n, b->walk_time, p->node_class))
			continue;
		for (sum = procs = 0, i = 0; i < n; i++) {
			if (!(mask >> (n - 1 - i) & 1))
				continue;
			j = fair_backfill_job(b, p->chosen[i]);
			metric = fair_backfill_metric(b, j);
			sum = metric > INT64_MAX - sum ? INT64_MAX
						       : sum + metric;
			procs += j->procs;
		}
		if (procs <= w->procs && sum > most) {
			most = sum;
			best = mask;
		}
	}
	for (p->chosen_end = i = 0; i < n; i++)
		if (best >> (n - 1 - i) & 1)
			p->chosen[p->chosen_end++] = p->chosen[i];
}

/* Choose the jobs for the first window into which any fits; false: none. */
static bool fair_backfill_choose(struct fair_backfill *b,
				 const struct fair_iteration *it)
{
	uint32_t select = b->phase.by.select;
	uint32_t jobs = select == FAIR_FIRSTFIT ? 1 : FAIR_GREEDY_JOBS;
	bool best = select == FAIR_BESTFIT;
	const struct fair_queued *j;
	struct fair_window w;
	uint32_t i, n = 0;
	int64_t most = -1;

	if (!fair_backfill_first_window(b, it, &w))
		return false;
	for (i = 0; i < b->phase.remaining && n < jobs; i++) {
		j = fair_backfill_job(b, b->order.sorted[i]);
		if (j->not_before > it->now || j->procs > w.procs ||
		    it->now + j->walltime > w.end ||
		    (!fair_space_is_pool(&b->space) &&
		     !fair_backfill_can_fill(b, it, b->order.sorted[i])) ||
		    (best && fair_backfill_metric(b, j) <= most) ||
		    !fair_backfill_admits(b, it, b->order.sorted[i]))
			continue;
		most = fair_backfill_metric(b, j);
		n = best ? 0 : n;
		b->phase.chosen[n++] = b->order.sorted[i];
	}
	b->phase.chosen_next = 0;
	fair_backfill_choose_set(b, &w, n);
	return true;
}

/* The first of the chosen jobs was just admitted, so that each turn of the
 * outer loop starts a job. */
static bool fair_backfill_due_by_window(struct fair_backfill *b,
					const struct fair_iteration *it,
					uint32_t *slot)
{
	uint32_t i;

	do {
		while (b->phase.chosen_next < b->phase.chosen_end) {
			*slot = b->phase.chosen[b->phase.chosen_next++];
			if (!fair_backfill_admits(b, it, *slot))
				continue;
			for (i = 0; b->order.sorted[i] != *slot; i++)
				;
			fair_space_set_class(&b->space, *slot,
					     b->phase.node_class);
			fair_backfill_start_remaining(b, it, i);
			return true;
		}
	} while (fair_backfill_choose(b, it));
	return false;
}

/* Pass 0, which may begin again; true: a job is due, or the walk paused. */
static bool fair_backfill_reserves_first(struct fair_backfill *b,
					 const struct fair_iteration *it,
					 uint32_t *slot, bool *is_due)
{
	*is_due = false;
	while (fair_backfill_must_begin(b, it->now) || !b->pass) {
		if (fair_backfill_must_begin(b, it->now))
			fair_backfill_begin(b, it);
		if (!fair_backfill_sort(b, it))
			return true;
		*is_due = fair_backfill_due_or_reserve(b, it, slot);
		if (*is_due || b->paused)
			return true;
		b->pass = !b->anew;
		b->order.next = b->phase.node_class = 0;
	}
	return false;
}

/* On nodes no windows are told apart: the first job that has room starts. */
static bool fair_backfill_due_by_room(struct fair_backfill *b,
				      const struct fair_iteration *it,
				      uint32_t *slot)
{
	uint32_t i;

	for (i = 0; i < b->phase.remaining && b->free > 0; i++) {
		*slot = b->order.sorted[i];
		if (fair_backfill_admits(b, it, *slot) &&
		    fair_backfill_can_start(b, it->now, *slot)) {
			fair_backfill_start_remaining(b, it, i);
			return true;
		}
	}
	return false;
}

/* Each other pass selects for the windows of one class after the other. */
static bool fair_backfill_due_by_class(struct fair_backfill *b,
				       const struct fair_iteration *it,
				       uint32_t *slot)
{
	do {
		if (fair_backfill_due_by_window(b, it, slot))
			return true;
	} while (++b->phase.node_class < fair_space_classes(&b->space));
	b->phase.node_class = 0;
	return false;
}

static bool fair_backfill_due_by_phase(struct fair_backfill *b,
				       const struct fair_iteration *it,
				       uint32_t *slot)
{
	bool is_due;

	if (fair_backfill_reserves_first(b, it, slot, &is_due))
		return is_due;
	if (b->phase.by.select == FAIR_NOFIT)
		return false;
	for (; b->pass <= b->phase.by.passes; b->pass++)
		if (fair_space_has_nodes(&b->space)
			    ? fair_backfill_due_by_room(b, it, slot)
			    : fair_backfill_due_by_class(b, it, slot))
			return true;
	return false;
}

#endif /* FAIRSCHED_WITHOUT_PROFILE */
