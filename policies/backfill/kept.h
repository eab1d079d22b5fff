/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/backfill/kept.h - a walk begins
 *
 * Either without reservations, or with those kept of the walk before.
 *
 * Uses: reservations.h, order.h.
 */

/*
 * L2. With limits, a walk passes over a job that has a reservation, if it would
 * meet another one of the same limit now, or if others have started since that
 * leave it no room. Of a single reservation that depends on running jobs alone,
 * which only end, and then the walk begins anew in any case: so it can be told
 * at the time of the walk that made it. A job that was passed over stays so.
 * It is asked with limits only: then no reservation is of a job that has gone,
 * since fair_backfill_withdraw() drops them all.
 */
static bool fair_backfill_is_first_denied(const struct fair_backfill *b)
{
	const struct fair_reservation *r = b->held;

	return b->depth && b->reserved &&
	       !fair_space_allows_until(
		       &b->space, r->slot, b->walk_time,
		       fair_backfill_job(b, r->slot)->walltime,
		       b->planned ? r->start : b->shadow_time);
}

/* Whether a later walk may decide otherwise, though nothing has happened: on
 * nodes, a start decides which nodes are the best for a reservation. */
static bool fair_backfill_begins_anew(const struct fair_backfill *b)
{
	return b->order.sorts || b->walk.gate || b->walk.veto ||
	       fair_space_has_nodes(&b->space) ||
	       (fair_space_has_limits(&b->space) &&
		(b->depth > 1 || fair_backfill_is_first_denied(b)));
}

/* Whether the next fair_backfill_due() begins a walk at the first job. */
static bool fair_backfill_must_begin(const struct fair_backfill *b, int64_t now)
{
	return b->anew ||
	       (fair_backfill_begins_anew(b) && b->walk_time != now);
}

#ifndef FAIRSCHED_WITHOUT_PROFILE

static uint32_t fair_backfill_how_reserves(const struct fair_backfill *b,
					   const struct fair_iteration *it,
					   uint32_t slot)
{
	return b->phase.by.reserves ? b->phase.by.reserves(it->context, slot)
				: (uint32_t)FAIR_RESERVES;
}

/* Whether a reservation is kept for the job. */
static bool fair_backfill_is_kept(const struct fair_backfill *b, uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);

	return b->phase.by.keeps && j->mark & FAIR_MARK_KEPT &&
	       j->not_before != FAIR_FOREVER && j->procs <= b->procs;
}

/* Whether @x comes before @y, by (turn, number). */
static bool fair_backfill_is_kept_before(const struct fair_backfill *b,
					 const struct fair_reservation *x,
					 const struct fair_reservation *y)
{
	const struct fair_queued *i = fair_backfill_job(b, x->slot);
	const struct fair_queued *j = fair_backfill_job(b, y->slot);

	return i->turn != j->turn ? i->turn < j->turn
				  : i->rank.number < j->rank.number;
}

/* Sort the kept reservations of admitted jobs; O(n) if they are. */
static uint32_t fair_backfill_sort_kept(struct fair_backfill *b,
					const struct fair_iteration *it)
{
	struct fair_reservation r;
	uint32_t i, k, n = 0;

	for (i = 0; i < b->kept; i++) {
		r = b->held[i];
		if (r.slot == UINT32_MAX || !fair_backfill_is_kept(b, r.slot) ||
		    !fair_backfill_admits(b, it, r.slot))
			continue;
		for (k = n++;
		     k && fair_backfill_is_kept_before(b, &r, b->held + k - 1);
		     k--)
			b->held[k] = b->held[k - 1];
		b->held[k] = r;
	}
	return n;
}

/*
 * A kept reservation stays where it is, or gets the earliest start from there
 * on; false: there is none.
 */
static bool fair_backfill_restore(struct fair_backfill *b,
				  const struct fair_iteration *it,
				  struct fair_reservation *r)
{
	struct fair_queued *j = fair_backfill_job(b, r->slot);
	int64_t soonest = fair_later(it->now, j->not_before);

	if (r->start >= soonest && fair_backfill_try_reserved(b, r))
		return true;
	r->start = fair_space_earliest(&b->space, r->slot, j,
				       fair_later(r->start, soonest));
	if (r->start == FAIR_FOREVER)
		return false;
	fair_space_settle_job(&b->space, r->slot, j, r->start);
	return fair_backfill_try_reserved(b, r);
}

/* A walk begins: restore the kept reservations, by turn, as after a loss. */
static void fair_backfill_restore_kept(struct fair_backfill *b,
				       const struct fair_iteration *it)
{
	uint32_t n = fair_backfill_sort_kept(b, it), i;
	struct fair_reservation r;

	b->kept = 0;
	for (i = 0; i < n; i++) {
		r = b->held[i];
		if (!fair_backfill_restore(b, it, &r))
			continue;
		fair_backfill_job(b, r.slot)->mark |= FAIR_MARK_RESERVED;
		b->held[b->reserved++] = r;
	}
	for (i = 0; i < b->order.ends; i++)
		b->phase.pending +=
			fair_backfill_is_kept(b, b->order.sorted[i]) &&
			fair_backfill_how_reserves(b, it, b->order.sorted[i]) ==
				FAIR_RESERVES;
}

/* The walk comes to the job: drop its kept reservation; false: it has none. */
static bool fair_backfill_release_kept(struct fair_backfill *b, uint32_t slot)
{
	struct fair_queued *j = fair_backfill_job(b, slot);
	struct fair_reservation *r = b->held;

	if (!(j->mark & FAIR_MARK_RESERVED))
		return false;
	while (r->slot != slot)
		r++;
	fair_backfill_release(b, r);
	j->mark &= ~(uint32_t)FAIR_MARK_RESERVED;
	b->reserved--;
	FAIR_MEMMOVE(r, r + 1, (size_t)(b->held + b->reserved - r) *
				       sizeof(*r));
	return true;
}

#endif /* FAIRSCHED_WITHOUT_PROFILE */

/* Let the ledger select jobs in their order. */
static void fair_backfill_select(struct fair_backfill *b,
				 const struct fair_iteration *it)
{
	uint64_t scans = b->scans;

	b->scans = UINT64_MAX;
	(void)fair_backfill_sort(b, it);
	b->scans = scans;
	b->walk.select(it->context, it->now, b->order.sorted, b->order.ends);
}

static void fair_backfill_begin(struct fair_backfill *b,
				const struct fair_iteration *it)
{
	fair_backfill_drop_reservations(b);
	b->anew = false;
	b->walk_time = it->now;
	b->pass = 0;
	b->phase.remaining = b->phase.counted = 0;
	b->phase.chosen_next = b->phase.chosen_end = 0;
	b->phase.pending = 0;
	b->phase.limit_reached = false;
	fair_backfill_begin_pass(b, it);
	if (b->walk.selects && b->walk.selects(it->context))
		fair_backfill_select(b, it);
#ifndef FAIRSCHED_WITHOUT_PROFILE
	if (b->phase.by.keeps)
		fair_backfill_restore_kept(b, it);
#endif /* FAIRSCHED_WITHOUT_PROFILE */
}
