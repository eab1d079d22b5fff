/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/remake.h - reservations that a loss displaces
 *
 *   take out what is in the way --> by turn: put back, or give the earliest
 *                                   start, within the scan limit
 *
 * Uses: turns.h, reservations.h.
 */

/*
 * A LOSS
 *
 * By the rule, all reservations that end after the loss begins are taken out;
 * then each, by turn, is put back, or gets the earliest start that running
 * jobs, the reservations that were not taken out and the jobs before it leave.
 *
 * L1. Only the displaced jobs need be looked at. The others fit beside each
 * other, so that each of them fits beside those of them that are before it: it
 * is put back.
 *
 * L2. A displaced job may be in the way of no job before it by turn, but those
 * behind it may be in its way where they are reserved. Wherever the job is
 * tried, those behind it are displaced first. They come later in the same pass,
 * and most of them are put back.
 */

/* Give the reservation back; the job keeps its place in the plan. */
static void fair_conservative_displace(struct fair_conservative *c,
				       uint32_t slot)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	fair_must(fair_conservative_change(c, slot, false));
	if (!c->displaced++)
		c->remade.key = INT64_MIN;
	if (!fair_conservative_is_late(j))
		fair_conservative_add_late(c, slot);
	j->mark |= FAIR_MARK_DISPLACED;
}

static uint32_t
fair_conservative_count_displaced(const struct fair_conservative *c)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot, n = 0;

	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		n += fair_conservative_job(c, slot)->mark & FAIR_MARK_DISPLACED;
	}
	return n;
}

/* Whether a job holds a reservation that meets [@from, @end). */
static bool fair_conservative_meets(const struct fair_queued *j, int64_t from,
				    int64_t end)
{
	return j->rank.key < end && j->rank.key + j->walltime > from &&
	       !(j->mark & FAIR_MARK_DISPLACED);
}

/*
 * Displace reservations until the claim is free over [@from, @end).
 * -FAIR_ERANGE: running jobs hold it.
 */
static int fair_conservative_make_way(struct fair_conservative *c, int64_t from,
				      int64_t end,
				      const struct fair_claim *claim)
{
	int64_t lack = fair_space_lack(&c->space, from, end, claim);
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	/* Invariant: the claim is free over [from, lack), and no job before
	 * @at holds a reservation that meets @lack. */
	for (; lack != FAIR_FOREVER &&
	       fair_queue_next_fitting(&c->plan, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		if (!fair_conservative_meets(fair_conservative_job(c, slot),
					     lack, lack + 1))
			continue;
		fair_conservative_displace(c, slot);
		lack = fair_space_lack(&c->space, lack, end, claim);
	}
	return lack == FAIR_FOREVER ? 0 : -FAIR_ERANGE;
}

/* The same of limits: displace the jobs that meet a time at which one of theirs
 * is exceeded, until running jobs alone exceed any. */
static void fair_conservative_make_way_in_limits(struct fair_conservative *c)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_queued *j;
	uint32_t slot;

	/* Invariant: the reservations before @at exceed no limit. */
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		j = fair_conservative_job(c, slot);
		if (j->rank.key == FAIR_FOREVER)
			break;
		if (!(j->mark & FAIR_MARK_DISPLACED) &&
		    fair_space_is_over(&c->space, slot, j->rank.key))
			fair_conservative_displace(c, slot);
	}
}

/*
 * L3. What was cleared for a job is clear for those behind it by turn, too:
 * each reservation of the loss that starts in [from, end), of a job behind the
 * one that was tried last, is displaced.
 */
struct fair_cleared {
	int64_t from, end;
};

/*
 * By L2: displace the jobs behind @slot by turn whose reservations are part of
 * the loss and meet [@from, @end). None of them starts before the turn of
 * @slot, so early that it ends by @from, or in @cleared.
 */
static void fair_conservative_clear(struct fair_conservative *c, uint32_t slot,
				    struct fair_cleared *cleared, int64_t from,
				    int64_t end)
{
	struct fair_rank turn = fair_conservative_turn(c, slot);
	struct fair_rank begin = { fair_later(turn.key, from - c->longest), 0 };
	struct fair_queue_place at = fair_queue_seek(&c->plan, begin);
	const struct fair_queued *j;
	uint32_t other;

	while (fair_queue_next_fitting(&c->plan, &at, INT32_MAX)) {
		other = fair_queue_slot(&c->plan, at);
		j = fair_conservative_job(c, other);
		if (j->rank.key >= end)
			break;
		if (j->rank.key >= cleared->from &&
		    j->rank.key < cleared->end) {
			begin.key = cleared->end;
			at = fair_queue_seek(&c->plan, begin);
			continue;
		}
		at.index++;
		if (fair_conservative_meets(j, fair_later(from, c->lost),
					    end) &&
		    fair_rank_is_before(turn, fair_conservative_turn(c, other)))
			fair_conservative_displace(c, other);
	}
	if (from < cleared->from || from > cleared->end)
		cleared->from = cleared->end = from;
	cleared->end = fair_later(cleared->end, end);
}

/* Whether what a displaced job held is free for it, and it holds it again. */
static bool fair_conservative_hold_again(struct fair_conservative *c,
					 uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);

	return fair_space_allows(&c->space, slot, j->rank.key,
				 j->rank.key + j->walltime) &&
	       !fair_conservative_change(c, slot, true);
}

/* Whether a displaced job is put back where it was reserved. */
static bool fair_conservative_put_in_place(struct fair_conservative *c,
					   uint32_t slot,
					   struct fair_cleared *cleared)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t start = j->rank.key;

	if (start < c->space.profile.origin || start < j->not_before)
		return false;
	if (fair_conservative_hold_again(c, slot))
		return true;
	fair_conservative_clear(c, slot, cleared, start, start + j->walltime);
	return fair_conservative_hold_again(c, slot);
}

/*
 * The earliest start of a displaced job from that of its reservation on, beside
 * running jobs and those before it by turn.
 */
static int64_t
fair_conservative_earliest_by_turn(struct fair_conservative *c, uint32_t slot,
				   struct fair_cleared *cleared)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t from = fair_later(j->rank.key, c->space.profile.origin);
	bool is_pool = fair_space_is_pool(&c->space);
	int64_t until, start, end;

	from = fair_later(from, j->not_before);
	until = from;
	if (from == FAIR_FOREVER)
		return FAIR_FOREVER;
	start = fair_conservative_earliest(c, from, slot);
	end = start == FAIR_FOREVER ? start : start + j->walltime;
	/* Invariant: no job behind it has a reservation that meets [from,
	 * until); beside those that remain it ends at @end, or earlier. Of
	 * classes, another one may come first at the same time. */
	while (until < end && !(is_pool && start == from)) {
		until += fair_later(until - from, j->walltime);
		if (until > end || until > c->space.profile.horizon)
			until = end;
		fair_conservative_clear(c, slot, cleared, from, until);
		start = fair_conservative_earliest(c, from, slot);
		end = start == FAIR_FOREVER ? start : start + j->walltime;
	}
	return start;
}

/* The displaced job, whose start is lost, gets another. */
static void fair_conservative_replace(struct fair_conservative *c,
				      uint32_t slot,
				      struct fair_cleared *cleared,
				      const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t was = j->rank.key;
	int64_t to = fair_conservative_earliest_by_turn(c, slot, cleared);

	fair_must(fair_queue_remove(&c->plan, slot));
	fair_conservative_reserve(c, slot, to);
	fair_conservative_add_freed(c, was, was + j->walltime);
	if (to != was) /* else in another class */
		fair_conservative_report(moves, slot, was);
}

static void fair_conservative_end_displacement(struct fair_conservative *c,
					       uint32_t slot)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	c->displaced--;
	j->mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
	if (!fair_conservative_is_late(j))
		fair_conservative_remove_late(c, slot);
}

/* Put the reservations back that are no part of the loss. */
static void fair_conservative_spare(struct fair_conservative *c)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_queued *j;
	uint32_t slot;

	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		j = fair_conservative_job(c, slot);
		if (j->rank.key >= c->lost)
			break;
		if (!(j->mark & FAIR_MARK_DISPLACED) ||
		    j->rank.key + j->walltime > c->lost)
			continue;
		fair_must(fair_conservative_change(c, slot, true));
		fair_conservative_end_displacement(c, slot);
	}
}

/* The next displaced job by turn; there is one. */
static uint32_t
fair_conservative_next_displaced(const struct fair_conservative *c)
{
	uint32_t i = fair_conservative_late_place(c, c->remade);

	while (!(fair_conservative_job(c, c->late[i])->mark &
		 FAIR_MARK_DISPLACED))
		i++;
	return c->late[i];
}

/* By turn, each displaced job is put back, or gets another start; false: the
 * scan limit is reached. */
static bool fair_conservative_remake(struct fair_conservative *c,
				     const struct fair_moves *moves)
{
	struct fair_cleared cleared = { INT64_MAX, INT64_MAX };
	uint32_t slot;

	if (c->displaced && c->remade.key == INT64_MIN)
		c->remade.key++; /* the loss is complete */
	/* Invariant: the displaced jobs are behind @remade by turn. */
	while (c->displaced) {
		slot = fair_conservative_next_displaced(c);
		if (!fair_conservative_put_in_place(c, slot, &cleared)) {
			if (!c->scans)
				return false;
			c->scans--;
			fair_conservative_replace(c, slot, &cleared, moves);
		}
		c->remade = fair_conservative_turn(c, slot);
		fair_conservative_end_displacement(c, slot);
	}
	return true;
}

/* The same, whatever the limit. */
static void fair_conservative_finish_remake(struct fair_conservative *c,
					    const struct fair_moves *moves)
{
	uint64_t scans = c->scans;

	c->scans = UINT64_MAX;
	(void)fair_conservative_remake(c, moves);
	c->scans = scans;
}
