/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/backfill/reservations.h - running jobs and reservations
 *
 * What they hold, in the profile and in the machine; whether a job can start.
 *
 * Uses: nothing else here.
 */

static struct fair_queued *fair_backfill_job(const struct fair_backfill *b,
					     uint32_t slot)
{
	return (struct fair_queued *)(uintptr_t)fair_queue_job(&b->queue, slot);
}

/* Several resources: take or release what the job in @slot asks for. */
static void fair_backfill_change_machine(struct fair_backfill *b, uint32_t slot,
					 int64_t start, int64_t walltime,
					 bool take)
{
	if (b->machine)
		fair_must(fair_machine_jobs_change(b->machine, slot, start,
						   walltime, take));
}

static int fair_backfill_advance(struct fair_backfill *b, int64_t now)
{
	int error = fair_profile_advance(&b->profile, now);

	if (!error && b->machine)
		fair_must(fair_machine_advance(&b->machine->machine, now));
	return error;
}

/* Release what of a reservation is not past. */
static void fair_backfill_release(struct fair_backfill *b,
				  const struct fair_reservation *r)
{
	int64_t start = fair_later(r->start, b->profile.origin);
	int64_t end = r->start + r->walltime;

	if (start >= end)
		return;
	fair_must(fair_profile_release(&b->profile, start, end - start,
				       r->procs));
	fair_backfill_change_machine(b, r->slot, start, end - start, false);
}

static void fair_backfill_drop_reservations(struct fair_backfill *b)
{
	const struct fair_reservation *r;

	if (b->fill.keeps && b->reserved)
		b->kept = b->reserved;
	for (; b->reserved; b->reserved--) {
		r = b->held + b->reserved - 1;
		if (b->depth && r->slot != UINT32_MAX)
			fair_backfill_job(b, r->slot)->mark &=
				~(uint32_t)FAIR_MARK_RESERVED;
		if (b->planned && b->depth)
			fair_backfill_release(b, r);
	}
}

/* Reserve as @r says; false: it does not fit. */
static bool fair_backfill_try_reserved(struct fair_backfill *b,
				       const struct fair_reservation *r)
{
	if (b->machine &&
	    fair_machine_jobs_change(b->machine, r->slot, r->start, r->walltime,
				     true))
		return false;
	return !fair_profile_reserve(&b->profile, r->start, r->walltime,
				     r->procs);
}

/* Whether a class of the machine has room now, which becomes the job's. */
FAIR_APART static bool
fair_backfill_fits(const struct fair_backfill *b, int64_t now, uint32_t slot)
{
	int64_t end = now + fair_backfill_job(b, slot)->walltime;
	struct fair_machine_request request;
	uint32_t node_class;

	request = fair_machine_jobs_request(b->machine, slot);
	if (!fair_machine_fits(&b->machine->machine, now, end, &request,
			       &node_class))
		return false;
	b->machine->node_class[slot] = (uint8_t)node_class;
	return true;
}

/* Whether a job waits without a reservation, and the caller accepts a start. */
static bool fair_backfill_may_start(const struct fair_queued *j, int64_t now)
{
	return !(j->mark & FAIR_MARK_RESERVED) && j->not_before <= now;
}

static bool fair_backfill_can_start(const struct fair_backfill *b, int64_t now,
				    uint32_t slot)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);
	int32_t least = 0;

	if (!fair_backfill_may_start(j, now) || j->procs > b->free)
		return false;
	if (!b->reserved && !b->windows)
		return true;
	if (!b->planned)
		return fair_easy_may_backfill(now + j->walltime, j->procs,
					      b->free, b->shadow_time,
					      b->extra_procs);
	fair_must(fair_profile_min_free(&b->profile, now, now + j->walltime,
					&least));
	return j->procs <= least &&
	       (!b->machine || fair_backfill_fits(b, now, slot));
}

/* The earliest start of a job in the profile, or in the machine. */
static bool fair_backfill_find_start(struct fair_backfill *b, uint32_t slot,
				     int64_t soonest, int64_t *start)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);
	struct fair_machine_request request;
	uint32_t node_class;

	if (!b->machine) {
		fair_profile_settle(&b->profile);
		return !fair_profile_earliest_start(
			&b->profile, soonest, j->walltime, j->procs, start);
	}
	fair_machine_settle(&b->machine->machine);
	request = fair_machine_jobs_request(b->machine, slot);
	if (fair_machine_earliest_start(&b->machine->machine, soonest,
					j->walltime, &request, start,
					&node_class))
		return false;
	b->machine->node_class[slot] = (uint8_t)node_class;
	return true;
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

	if (b->depth && b->reserved == b->depth)
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
		if (!fair_backfill_find_start(b, slot, soonest, &r->start))
			return false;
		fair_must(fair_profile_reserve(&b->profile, r->start,
					       j->walltime, j->procs));
		fair_backfill_change_machine(b, slot, r->start, j->walltime,
					     true);
	}
	if (b->depth) {
		fair_backfill_job(b, slot)->mark |=
			b->fill.keeps ? FAIR_MARK_RESERVED | FAIR_MARK_KEPT
				      : FAIR_MARK_RESERVED;
		b->held[b->reserved].slot = slot;
	}
	b->last_reserved = j->rank;
	b->reserved++;
	b->must_sift = true;
	return true;
}

/* The job leaves the queue, its place @at, and holds its processors from now
 * on. NULL: the place is not known. */
static void fair_backfill_start(struct fair_backfill *b, int64_t now,
				uint32_t slot,
				const struct fair_queue_place *at)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);

	if (at)
		fair_queue_remove_at(&b->queue, *at);
	else
		fair_must(fair_queue_remove(&b->queue, slot));
	b->free -= j->procs;
	b->must_sift = true;
	b->must_sort = b->walk.spreads;
	if (!b->planned && b->reserved && now + j->walltime > b->shadow_time)
		b->extra_procs -= j->procs;
	if (b->planned)
		fair_must(fair_profile_reserve(&b->profile, now, j->walltime,
					       j->procs));
	fair_backfill_change_machine(b, slot, now, j->walltime, true);
}
