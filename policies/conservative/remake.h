/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/remake.h - reservations that a loss displaces
 *
 *   take all out --> put back those that fit --> make the others again
 *                                                within the scan limit
 *
 * Uses: reservations.h.
 */

/* Release or reserve for all queued jobs. */
static void fair_conservative_change_all(struct fair_conservative *c, bool take)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++)
		fair_must(fair_conservative_change(
			c, fair_queue_slot(&c->plan, at), take));
}

/*
 * Put back the reservations that still fit, tried in the order of the plan. The
 * other jobs are displaced: they have none, but keep their places in the plan.
 */
static void fair_conservative_displace(struct fair_conservative *c)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	c->remade.key = INT64_MIN;
	c->remade.number = 0;
	c->filled = INT64_MIN;
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		if (!fair_conservative_change(c, slot, true))
			continue;
		fair_conservative_job(c, slot)->mark |= FAIR_MARK_DISPLACED;
		c->displaced++;
	}
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

/* A displaced job gets the earliest start. */
static void fair_conservative_replace(struct fair_conservative *c,
				      uint32_t slot,
				      const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t was = j->rank.key;

	fair_must(fair_queue_remove(&c->plan, slot));
	fair_conservative_reserve(
		c, slot,
		fair_conservative_earliest(c, c->space.profile.origin, slot));
	fair_conservative_add_freed(c, was, was + j->walltime);
	fair_conservative_report(moves, slot, was);
	j->mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
	c->displaced--;
}

/*
 * In the order of the plan, each displaced job gets the earliest start; false:
 * the scan limit is reached.
 */
static bool fair_conservative_remake(struct fair_conservative *c,
				     const struct fair_moves *moves)
{
	struct fair_queue_place at;
	uint32_t slot;

	if (!c->displaced)
		return true;
	at = fair_queue_seek(&c->plan, c->remade);
	/* Invariant: the displaced jobs are at @at and behind. */
	while (c->displaced) {
		(void)fair_queue_next_fitting(&c->plan, &at, INT32_MAX);
		slot = fair_queue_slot(&c->plan, at);
		if (!(fair_conservative_job(c, slot)->mark &
		      FAIR_MARK_DISPLACED)) {
			at.index++;
			continue;
		}
		if (!c->scans)
			return false;
		c->scans--;
		c->remade = fair_conservative_job(c, slot)->rank;
		fair_conservative_replace(c, slot, moves);
		at = fair_queue_seek(&c->plan, c->remade);
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
