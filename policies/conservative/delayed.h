/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/delayed.h - dc: jobs move only when they must
 *
 * Uses: reservations.h, scan.h.
 */

/*
 * DELAYED COMPRESSION
 *
 * It leaves jobs where they are although an earlier start is free.
 *
 * D1. When the last submission made dc scan all jobs, none had an earlier start
 * before packed_until. So before packed_until, only starts whose window meets
 * the interval freed since then need a query, as in F1. Any submission proves
 * the same as far as it looked: the last one before recent_until, which may be
 * sooner, but less was freed since.
 */

/*
 * The first start of @j, from @now on, that needs a query by D1, if no start
 * before @until was possible until @freed was freed.
 */
static int64_t fair_conservative_first_unproved(const struct fair_freed *freed,
						int64_t until, int64_t now,
						const struct fair_queued *j)
{
	if (j->rank.key == FAIR_FOREVER) /* the horizon has advanced */
		return now;
	if (freed->most >= j->procs && freed->from < until + j->walltime &&
	    freed->to > now)
		until = freed->from - j->walltime + 1;
	return fair_later(now, until);
}

static int64_t
fair_conservative_first_candidate(const struct fair_conservative *c,
				  int64_t now, const struct fair_queued *j)
{
	return fair_conservative_first_unproved(&c->freed, c->packed_until, now,
						j);
}

/* By D1, only jobs whose reservation starts behind this need a query. */
static int64_t
fair_conservative_first_queried(const struct fair_conservative *c,
				const struct fair_freed *freed, int64_t until)
{
	if (!fair_space_is_pool(&c->space)) /* M1 */
		return INT64_MIN;
	return freed->from < until ? freed->from : until;
}

/*
 * The next job by priority, of at most @procs processors, whose reservation
 * starts behind @after, and by @until or so that it would end by then.
 */
static bool fair_conservative_next_queried(struct fair_conservative *c,
					   struct fair_queue_place *at,
					   int64_t after, int32_t procs,
					   int64_t until)
{
	const struct fair_queue_filter queried = {
		after, until,
		until == INT64_MAX ? until : until - c->space.profile.origin,
		procs
	};
	const struct fair_queue_place end = { UINT32_MAX, 0 };

	return fair_queue_next_matching(&c->priority, at, end, &queried);
}

/*
 * WHICH JOBS CAN START NOW
 *
 * D2. Let t(p) be the first instant from now on with fewer than p free
 * processors. A job of p processors that holds [s, s + d) can start now if
 * min(now + d, s) <= t(p): from s on its own processors are free.
 *
 * t(p) follows from the running minima: the instants with fewer free processors
 * than at any instant since now. They are found only as far as a query needs,
 * each by the run of as many free processors as at the one before.
 */
#ifndef FAIR_CONSERVATIVE_MINIMA
#define FAIR_CONSERVATIVE_MINIMA 32 /* at least 1 */
#endif

struct fair_minima {
	int64_t now, searched; /* those of [now, searched) are found */
	int64_t when[FAIR_CONSERVATIVE_MINIMA];
	int32_t free[FAIR_CONSERVATIVE_MINIMA]; /* decreasing */
	uint32_t count; /* at least 1, unless nothing is searched */
};

/* Search up to @end, or until fewer than @procs are free, or @m is full. */
static void fair_conservative_search(const struct fair_conservative *c,
				     struct fair_minima *m, int64_t end,
				     int32_t procs)
{
	int64_t from = m->now;
	struct fair_step step;
	uint32_t n;

	while (m->searched < end) {
		n = m->count;
		if (n == FAIR_CONSERVATIVE_MINIMA ||
		    (n && m->free[n - 1] < procs))
			return;
		if (n)
			fair_must(fair_profile_run(&c->space.profile,
						   m->free[n - 1], &from,
						   &m->searched));
		if (m->searched >= end)
			return;
		fair_must(fair_profile_step_at(&c->space.profile, m->searched,
					       &step));
		m->when[n] = m->searched;
		m->free[n] = step.free;
		m->count++;
		m->searched = step.end;
	}
}

/*
 * Forget the minima, and find v >= t(p) for every job's p: the first instant at
 * which fewer processors are free than the narrowest job needs. By D2, a job
 * with now + d > v and s > v cannot start now: the filter of
 * fair_conservative_next_queried() skips whole blocks of such jobs. INT64_MAX
 * if few jobs are queued.
 */
static int64_t fair_conservative_begin_minima(const struct fair_conservative *c,
					      struct fair_minima *m,
					      int64_t now)
{
	int32_t narrowest;
	int64_t end;

	m->now = m->searched = now;
	m->count = 0;
	if (c->priority.rows < 4)
		return INT64_MAX;
	narrowest = fair_conservative_narrowest(c);
	fair_conservative_search(c, m, now + 1, narrowest);
	end = m->searched;
	if (m->free[0] < narrowest)
		return now;
	fair_must(fair_profile_run(&c->space.profile, narrowest, &now, &end));
	return end;
}

/* By D2; by a query where the minima do not reach far enough. */
static bool fair_conservative_can_start_now(struct fair_conservative *c,
					    struct fair_minima *m,
					    uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t end = m->now + j->walltime;
	uint32_t i = 0;

	if (end > j->rank.key)
		end = j->rank.key;
	fair_conservative_search(c, m, end, j->procs);
	while (i < m->count && m->free[i] >= j->procs)
		i++;
	if (i < m->count && m->when[i] < end)
		return false;
	if (!fair_space_needs_slots(&c->space) &&
	    (i < m->count || m->searched >= end))
		return true;
	return fair_conservative_earlier(c, m->now, m->now + 1, slot) == m->now;
}

/* The start that dc gives the job now; its present one: it stays. */
static int64_t fair_conservative_fill_start(struct fair_conservative *c,
					    struct fair_minima *m,
					    uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t now = m->now;

	if (j->rank.key == FAIR_FOREVER)
		return fair_conservative_earlier(c, now, now + 1, slot);
	if (j->rank.key > now && j->not_before <= now &&
	    fair_conservative_first_candidate(c, now, j) == now &&
	    fair_conservative_can_start_now(c, m, slot))
		return now;
	return j->rank.key;
}

/* Move the job to @to, which is before its reservation; another scan may find
 * what it leaves. */
static void fair_conservative_fill_hole(struct fair_conservative *c,
					struct fair_queue_place at, int64_t to,
					const struct fair_moves *moves)
{
	fair_conservative_note_freed(
		c, fair_conservative_promote(c, at, to, moves));
	c->filled = INT64_MIN;
}

/*
 * A GATE
 *
 * It may count the jobs that are to start now, also those that stay where they
 * are: so a pass comes to each job in turn. The scan limit does not cut it.
 */

static void fair_conservative_fill_pass(struct fair_conservative *c,
					struct fair_minima *m, bool gated,
					const struct fair_moves *moves)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;
	uint32_t slot;
	int64_t to;

	for (; fair_queue_next_fitting(&c->priority, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&c->priority, at);
		j = fair_conservative_job(c, slot);
		if (gated && !moves->gate(moves->context, slot))
			continue;
		to = fair_conservative_fill_start(c, m, slot);
		if (to < j->rank.key) {
			fair_conservative_fill_hole(c, at, to, moves);
			(void)fair_conservative_begin_minima(c, m, m->now);
		}
		if (j->rank.key > m->now || j->mark & FAIR_MARK_FILLED)
			continue;
		j->mark |= FAIR_MARK_FILLED;
		moves->filled(moves->context, slot, true);
	}
}

static void fair_conservative_fill_by_gate(struct fair_conservative *c,
					   struct fair_minima *m,
					   const struct fair_moves *moves)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;
	uint32_t slot;

	fair_conservative_sort(c, moves);
	fair_conservative_fill_pass(c, m, true, moves);
	fair_conservative_fill_pass(c, m, false, moves);
	for (; fair_queue_next_fitting(&c->plan, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->plan, at);
		j = fair_conservative_job(c, slot);
		if (j->rank.key > m->now)
			break;
		j->mark &= ~(uint32_t)FAIR_MARK_FILLED;
		moves->filled(moves->context, slot, false);
	}
}

/* Move each job that can start now, by priority [CF14 2]. */
static bool fair_conservative_fill(struct fair_conservative *c, int64_t now,
				   const struct fair_moves *moves)
{
	struct fair_minima minima;
	struct fair_queue_place at = fair_conservative_place(c);
	struct fair_step first;
	struct fair_queued *j;
	uint32_t slot;
	int64_t to, until = fair_conservative_begin_minima(c, &minima, now);

	fair_must(fair_profile_step_at(&c->space.profile, now, &first));
	/* Invariant: no job before @at can start now, unless a move behind it
	 * left a hole: then `filled` says to scan again. */
	while (fair_conservative_next_queried(
		c, &at,
		fair_conservative_first_queried(c, &c->freed, c->packed_until),
		c->unplaced ? INT32_MAX : first.free,
		c->unplaced ? INT64_MAX : until)) {
		if (moves && moves->gate) {
			fair_conservative_fill_by_gate(c, &minima, moves);
			return true;
		}
		if (fair_conservative_begins(c, &at, moves))
			continue;
		slot = fair_queue_slot(&c->priority, at);
		if (!c->scans)
			return fair_conservative_pause(c, slot, c->walk.freed);
		c->scans--;
		j = fair_conservative_job(c, slot);
		to = fair_conservative_fill_start(c, &minima, slot);
		if (to == j->rank.key) {
			at.index++;
			continue;
		}
		fair_conservative_fill_hole(c, at, to, moves);
		at.index++;
		until = fair_conservative_begin_minima(c, &minima, now);
		if (to == now)
			first.free -= j->procs;
	}
	return true;
}

/* The start of the last reservation of all. */
static int64_t fair_conservative_last(const struct fair_conservative *c)
{
	struct fair_queue_place at = { c->plan.rows, 0 };

	if (at.row == 0)
		return INT64_MIN;
	at.row--;
	at.index = c->plan.block[c->plan.row[at.row].block].count - 1;
	return fair_conservative_job(c, fair_queue_slot(&c->plan, at))
		->rank.key;
}

/* Whether by D1 no queued job has an earlier start before @until. */
static bool fair_conservative_is_proved(const struct fair_conservative *c,
					int64_t until)
{
	return !c->unplaced && c->recent.from == INT64_MAX &&
	       until <= c->recent_until;
}

/* The first start that needs a query by D1, of what was freed since, too. */
static int64_t
fair_conservative_first_overtaken(const struct fair_conservative *c,
				  int64_t now, const struct fair_queued *j)
{
	return fair_conservative_first_unproved(
		&c->recent, c->recent_until,
		fair_conservative_first_candidate(c, now, j), j);
}

/* No job had an earlier start before @until, but for what was freed since. */
static void fair_conservative_note_proof(struct fair_conservative *c,
					 int64_t until, struct fair_freed freed)
{
	c->recent_until = until;
	c->recent = freed;
	if (until < c->packed_until)
		return;
	c->packed_until = until;
	c->freed = freed;
}

/* Of jobs that are queried beside the newcomer the order matters. */
static void
fair_conservative_sort_overtaken(struct fair_conservative *c, uint32_t newcomer,
				 int64_t after, const struct fair_moves *moves)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_conservative_next_queried(c, &at, after, INT32_MAX,
					      INT64_MAX);
	     at.index++)
		if (fair_queue_slot(&c->priority, at) != newcomer) {
			fair_conservative_sort(c, moves);
			return;
		}
}

/*
 * A newcomer that starts at @first would overtake jobs that could move: they
 * go first. By priority, each job gets the earliest start before @until, which
 * is one second behind the newcomer's end [CF14 2]; at its turn the newcomer is
 * reserved, and true returned, if @first is not free any more. If it still is,
 * jobs behind it may use earlier starts yet, and it is not.
 */
static bool fair_conservative_move_overtaken(struct fair_conservative *c,
					     int64_t now, uint32_t newcomer,
					     int64_t first, int64_t until,
					     const struct fair_moves *moves)
{
	struct fair_freed hole, freed = fair_freed_none();
	struct fair_failures failed;
	struct fair_queue_place at = { 0, 0 };
	bool placed = false;
	struct fair_queued *j;
	int64_t after, from, to;
	uint32_t slot;

	if (fair_conservative_is_proved(c, until))
		return false;
	after = fair_conservative_first_queried(c, &c->recent,
						c->recent_until);
	fair_failures_begin(&failed, c, now);
	if (fair_conservative_last(c) <= after)
		at.row = c->priority.rows; /* no job needs a query */
	else if (moves && moves->sort)
		fair_conservative_sort_overtaken(c, newcomer, after, moves);
	/* Invariant (D1): each job before @at had no earlier start before
	 * @until when it was scanned; @freed was freed since. */
	for (; fair_conservative_next_queried(c, &at, after, INT32_MAX,
					      INT64_MAX);
	     at.index++) {
		slot = fair_queue_slot(&c->priority, at);
		j = fair_conservative_job(c, slot);
		from = now; /* of the newcomer nothing is proved */
		if (slot != newcomer)
			from = fair_conservative_first_overtaken(c, now, j);
		from = fair_failures_skip(&failed, from, j);
		to = fair_conservative_earlier(c, from, until, slot);
		if (to == j->rank.key) {
			fair_failures_add(&failed, j, until);
		} else if (slot != newcomer) {
			hole = fair_conservative_promote(c, at, to, moves);
			fair_failures_forget(&failed, hole.from);
			fair_conservative_note_freed(c, hole);
			fair_freed_add(&freed, hole);
		} else if (to != first) {
			fair_conservative_reserve(c, slot, to);
			placed = true;
		}
	}
	fair_conservative_note_proof(c, until, freed);
	return placed;
}

/* dc: reserve for the newcomer after the jobs that it would overtake moved. */
static void fair_conservative_place_newcomer(struct fair_conservative *c,
					     int64_t now, uint32_t slot,
					     const struct fair_moves *moves)
{
	struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t first = fair_conservative_earliest(c, now, slot);

	j->rank.key = FAIR_FOREVER;
	if (first == FAIR_FOREVER) { /* it overtakes no job */
		fair_conservative_reserve(c, slot, first);
		return;
	}
	if (!fair_conservative_move_overtaken(c, now, slot, first,
					      first + j->walltime + 1, moves))
		fair_conservative_reserve(
			c, slot, fair_conservative_earliest(c, now, slot));
	c->filled = INT64_MIN;
}
