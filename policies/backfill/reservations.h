/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/backfill/reservations.h - running jobs and reservations
 *
 * What they hold in the space; whether a job can start.
 *
 * Uses: nothing else here.
 */

static struct fair_queued *fair_backfill_job(const struct fair_backfill *b,
					     uint32_t slot)
{
	return (struct fair_queued *)(uintptr_t)fair_queue_job(&b->queue, slot);
}

/* Take or release, over [@start, @end), what the job of a reservation asks for.
 */
static int fair_backfill_change_reserved(struct fair_backfill *b,
					 const struct fair_reservation *r,
					 int64_t start, int64_t end, bool take)
{
	return fair_space_change_job(&b->space, r->slot, r->procs, start, end,
				     take);
}

/* Release what of a reservation is not past. */
static void fair_backfill_release(struct fair_backfill *b,
				  const struct fair_reservation *r)
{
	fair_must(fair_backfill_change_reserved(
		b, r, fair_later(r->start, b->space.profile.origin),
		r->start + r->walltime, false));
}

static void fair_backfill_drop_reservations(struct fair_backfill *b)
{
	const struct fair_reservation *r;

	if (b->phase.by.keeps && b->reserved)
		b->kept = b->reserved;
	for (; b->reserved; b->reserved--) {
		r = b->held + b->reserved - 1;
		if (b->depth && r->slot != UINT32_MAX)
			fair_backfill_job(b, r->slot)->mark &=
				~(uint32_t)FAIR_MARK_RESERVED;
		if (b->planned && b->depth)
			fair_backfill_release(b, r);
		else if (b->depth) /* with limits, no job is gone */
			fair_space_hold(&b->space, r->slot, 0, 0);
	}
}

#ifndef FAIRSCHED_WITHOUT_PROFILE
/* Reserve as @r says; false: it does not fit. */
static bool fair_backfill_try_reserved(struct fair_backfill *b,
				       const struct fair_reservation *r)
{
	return fair_space_allows(&b->space, r->slot, r->start,
				 r->start + r->walltime) &&
	       !fair_backfill_change_reserved(b, r, r->start,
					      r->start + r->walltime, true);
}
#endif /* FAIRSCHED_WITHOUT_PROFILE */

/* Whether the limits of a job have room for it from now on. */
static bool fair_backfill_is_allowed(const struct fair_backfill *b, int64_t now,
				     uint32_t slot)
{
	return fair_space_allows(&b->space, slot, now,
				 now + fair_backfill_job(b, slot)->walltime);
}

/* Whether a job without a reservation can start now; its place is then where it
 * has room. */
static bool fair_backfill_can_start(struct fair_backfill *b, int64_t now,
				    uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);

	if (j->not_before > now || j->procs > b->free)
		return false;
	if (!b->reserved && !b->advances)
		return true;
	if (!b->planned)
		return fair_easy_may_backfill(now + j->walltime, j->procs,
					      b->free, b->shadow_time,
					      b->extra_procs);
	if (!fair_space_fits(&b->space, slot, j, now))
		return false;
	fair_space_settle_job(&b->space, slot, j, now);
	return true;
}

/* Whether the walk makes more reservations: pass 2 behind a gate makes none. */
static bool fair_backfill_may_reserve(const struct fair_backfill *b)
{
	return !b->depth || (b->reserved < b->depth && b->pass != 2);
}

/* Reserve for a job that cannot start, if the depth permits it; returns whether
 * it has a reservation. */
static bool fair_backfill_reserve(struct fair_backfill *b,
				  const struct fair_iteration *it,
				  uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);
	struct fair_reservation *r = b->held + b->reserved;
	int64_t soonest;

	if (!fair_backfill_may_reserve(b))
		return false;
	soonest = fair_later(it->now, j->not_before);
	if (b->depth && soonest == FAIR_FOREVER)
		return false;
	if (b->depth && !b->planned &&
	    fair_easy_shadow(it->running, b->free, j->procs, soonest,
			     &b->shadow_time, &b->extra_procs))
		return false;
	if (b->depth && b->planned) {
		r->walltime = j->walltime;
		r->procs = j->procs;
		r->slot = slot;
		fair_space_settle(&b->space);
		r->start = fair_space_earliest(&b->space, slot, j, soonest);
		if (r->start == FAIR_FOREVER)
			return false;
		fair_space_settle_job(&b->space, slot, j, r->start);
		fair_must(fair_backfill_change_reserved(
			b, r, r->start, r->start + j->walltime, true));
	}
	if (b->depth) {
		fair_backfill_job(b, slot)->mark |=
			b->phase.by.keeps ? FAIR_MARK_RESERVED | FAIR_MARK_KEPT
				      : FAIR_MARK_RESERVED;
		b->held[b->reserved].slot = slot;
		if (!b->planned)
			fair_space_hold(&b->space, slot, b->shadow_time,
					b->shadow_time + j->walltime);
	}
	if (b->phase.by.keeps && r->start < fair_backfill_job(b, slot)->turn)
		fair_backfill_job(b, slot)->turn = r->start;
	b->last_reserved = j->rank;
	b->reserved++;
	b->order.must_sift = true;
	return true;
}

/* The job leaves the queue, its place @at, and holds its processors from now
 * on. NULL: the place is not known. */
static void fair_backfill_start(struct fair_backfill *b, int64_t now,
				uint32_t slot,
				const struct fair_queue_place *at)
{
	struct fair_queued *j = fair_backfill_job(b, slot);

	if (b->phase.by.keeps && now < j->turn)
		j->turn = now; /* it has this one if the start is refused */
	if (at)
		fair_queue_remove_at(&b->queue, *at);
	else
		fair_must(fair_queue_remove(&b->queue, slot));
	b->free -= j->procs;
	b->order.must_sift = true;
	b->order.must_sort = b->walk.spreads;
	if (!b->planned && b->reserved && now + j->walltime > b->shadow_time)
		b->extra_procs -= j->procs;
	if (b->planned)
		fair_must(fair_space_change_job(&b->space, slot, j->procs, now,
						now + j->walltime, true));
}
