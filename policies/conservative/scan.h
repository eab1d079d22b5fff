/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/scan.h - scans of the queued jobs
 *
 * Failed searches that spare others, pauses, and the two scans in the order of
 * the plan: compression, and jobs without a reservation.
 *
 * Uses: reservations.h.
 */

/*
 * FAILED SEARCHES PREDICT OTHERS
 *
 * F3. Let job e, of procs p and walltime d, have no start before `until` <=
 * s(e), with its own reservation counted as free: from each of these starts its
 * window meets, before s(e), an instant with fewer than p free. That instant is
 * in the window of every job of at least p and d too, and not in that job's own
 * reservation if this starts at s(e) or later: so that job has no start before
 * `until` either, as long as no processors are freed before s(e).
 */
#define FAIR_FAILURES 4

/* The last failed searches of a scan, the oldest replaced first. */
struct fair_failures {
	int64_t walltime[FAIR_FAILURES];
	int64_t start[FAIR_FAILURES];  /* s(e) */
	uint64_t until[FAIR_FAILURES]; /* after now; 0: unused */
	int32_t procs[FAIR_FAILURES];
	int64_t now;
	uint32_t count;
	bool unused; /* M2 */
};

static void fair_failures_begin(struct fair_failures *failed,
				const struct fair_conservative *c, int64_t now)
{
	FAIR_MEMSET(failed, 0, sizeof(*failed));
	failed->now = now;
	failed->unused = !fair_space_is_pool(&c->space);
}

/*
 * The first start of @j from @from on that F3 does not rule out. The loop has
 * no branch, because none would be predictable.
 */
static int64_t fair_failures_skip(const struct fair_failures *failed,
				  int64_t from, const struct fair_queued *j)
{
	uint64_t until = 0;
	int64_t first;
	uint32_t i;

	for (i = 0; i < FAIR_FAILURES; i++) {
		uint64_t its =
			failed->until[i] &
			-(uint64_t)((failed->procs[i] <= j->procs) &
				    (failed->walltime[i] <= j->walltime) &
				    (failed->start[i] <= j->rank.key));

		until = its > until ? its : until;
	}
	first = (int64_t)((uint64_t)failed->now + until);
	return first > from ? first : from;
}

/* A job that the caller accepts only later proves nothing, nor does one that a
 * limit holds back (L4). */
static inline void fair_failures_add(struct fair_failures *failed,
				     const struct fair_queued *j,
				     int64_t until)
{
	uint32_t i;

	if (until > j->rank.key)
		until = j->rank.key;
	if (until <= failed->now || j->not_before > failed->now ||
	    failed->unused || fair_conservative_is_limited_job(j))
		return;
	i = failed->count++ % FAIR_FAILURES;
	failed->walltime[i] = j->walltime;
	failed->start[i] = j->rank.key;
	failed->until[i] = (uint64_t)until - (uint64_t)failed->now;
	failed->procs[i] = j->procs;
}

/* Processors were freed from @from on: F3 holds for earlier s(e) only. */
static void fair_failures_forget(struct fair_failures *failed, int64_t from)
{
	uint32_t i;

	for (i = 0; i < FAIR_FAILURES; i++)
		if (failed->start[i] > from)
			failed->until[i] = 0;
}

/*
 * Equal jobs often stand one behind the other. @j at @at has no start before
 * @until <= s(j): by F3 no job has one that asks for at least as much and whose
 * reservation starts no earlier. Skip such jobs next to @j whose reservation
 * starts by @until, and all of them if starts from @limit on need no query. A
 * skipped job counts as scanned.
 */
static void fair_conservative_skip_larger(struct fair_conservative *c,
					  const struct fair_queue *q,
					  struct fair_queue_place *at,
					  const struct fair_queued *j,
					  int64_t until, int64_t limit)
{
	const struct fair_queue_block *b = q->block + q->row[at->row].block;
	bool proves = j->not_before <= c->space.profile.origin &&
		      fair_space_is_pool(&c->space) &&
		      !fair_conservative_is_limited_job(j);
	const struct fair_queued *x;

	if (until >= limit)
		until = INT64_MAX;
	while (++at->index < b->count && proves && c->scans) {
		x = fair_conservative_job(c, b->slot[at->index]);
		if (x->procs < j->procs || x->walltime < j->walltime ||
		    x->rank.key < j->rank.key || x->rank.key > until)
			return;
		c->scans--;
	}
}

static int32_t fair_conservative_narrowest(const struct fair_conservative *c)
{
	int32_t narrowest = INT32_MAX;
	uint32_t row;

	for (row = 0; row < c->priority.rows; row++)
		if (c->priority.row[row].min_procs < narrowest)
			narrowest = c->priority.row[row].min_procs;
	return narrowest;
}

/*
 * PAUSED SCANS
 *
 * A scan that pauses resumes at the job that it would have scanned next. That
 * job is still queued (I6): every other change of the state finishes the scan
 * first, or resumes elsewhere (P3). All jobs before it have seen every freed
 * interval, so that one interval covers what the jobs behind have not seen.
 */
enum fair_conservative_kind {
	FAIR_CONSERVATIVE_DONE,
	FAIR_CONSERVATIVE_REACTION, /* a compression */
	FAIR_CONSERVATIVE_START,    /* dc: of fair_conservative_due() */
	FAIR_CONSERVATIVE_PENDING,  /* a compression, after the reservations
				       that a loss displaced are made again */
	FAIR_CONSERVATIVE_REACTION_PLACES, /* before the compression, jobs */
	FAIR_CONSERVATIVE_START_PLACES	   /* without a reservation get one; */
					   /* the same before the start */
};

/* Whether a limit is set: without one, UINT64_MAX counts down. */
static bool
fair_conservative_is_limited(const struct fair_conservative *c)
{
	return c->scans <= UINT32_MAX;
}

static bool fair_conservative_is_placing(const struct fair_conservative *c)
{
	return c->walk.kind >= FAIR_CONSERVATIVE_REACTION_PLACES;
}

static void fair_conservative_begin_walk(struct fair_conservative *c,
					 uint32_t kind, struct fair_freed freed)
{
	c->walk.freed = freed;
	c->walk.next = UINT32_MAX;
	c->walk.kind = kind;
}

/* Always false: the scan is not finished. */
static bool fair_conservative_pause(struct fair_conservative *c, uint32_t slot,
				    struct fair_freed unseen)
{
	c->walk.freed = unseen;
	c->walk.next = slot;
	return false;
}

/* What the jobs behind the pause have not seen, no job has seen; how long the
 * runs are is measured as a scan begins, and no part of a checkpoint. */
static void fair_conservative_end_walk(struct fair_conservative *c)
{
	c->walk.freed.longest = 0;
	fair_freed_add(&c->freed, c->walk.freed);
	c->walk.kind = FAIR_CONSERVATIVE_DONE;
}

/*
 * A SCAN'S ORDER
 *
 * Where the order changes, a scan by priority sorts the queue as it comes to
 * its first job, and keeps that order to its end. A scan that comes to no job
 * sorts nothing.
 */
static void fair_conservative_sort(struct fair_conservative *c,
				   const struct fair_moves *moves)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t n = 0, i;

	if (!moves->sort)
		return;
	for (; fair_queue_next_fitting(&c->priority, &at, INT32_MAX);
	     at.index++)
		c->sorted[n++] = fair_queue_slot(&c->priority, at);
	moves->sort(moves->context, c->sorted, n);
	for (i = 0; i < n; i++)
		c->rank[c->sorted[i]].key = i;
	fair_queue_reorder(&c->priority, c->sorted);
	c->reordered = true;
}

/* Whether the scan has just sorted, so that @at is the first place again. */
static bool fair_conservative_begins(struct fair_conservative *c,
				     struct fair_queue_place *at,
				     const struct fair_moves *moves)
{
	if (c->walk.next != UINT32_MAX || !moves || !moves->sort)
		return false;
	fair_conservative_sort(c, moves);
	at->row = at->index = 0;
	c->walk.next = fair_queue_slot(&c->priority, *at);
	return true;
}

/* Where a scan by priority resumes. */
static struct fair_queue_place
fair_conservative_place(const struct fair_conservative *c)
{
	const struct fair_queue_place first = { 0, 0 };

	return c->walk.next == UINT32_MAX
		       ? first
		       : fair_queue_seek(&c->priority, c->rank[c->walk.next]);
}

/*
 * The place behind the old one of the job that moved. If the job is still at
 * @at that is the next place, unless jobs that were before it are behind it
 * now.
 */
static struct fair_queue_place
fair_conservative_behind(const struct fair_conservative *c,
			 struct fair_queue_place at, uint32_t slot,
			 struct fair_rank was)
{
	const struct fair_queue *q = &c->plan;

	if (at.row < q->rows &&
	    at.index + 1 < q->block[q->row[at.row].block].count &&
	    fair_queue_slot(q, at) == slot) {
		at.index++;
		slot = fair_queue_slot(q, at);
		if (!fair_rank_is_before(fair_conservative_job(c, slot)->rank,
					 was))
			return at;
	}
	return fair_queue_seek_near(q, at, was);
}

/*
 * COMPRESSION BY TURN
 *
 * F4. While no job is late, the order of the turns is that of the plan, and one
 * scan leaves every job at its earliest start. A job only moves earlier, so
 * that the hole it leaves lies behind all starts of the jobs before it, and
 * matters only to the jobs that follow. Nor are the jobs that follow in its
 * way: their reservations start at its own or later, where its own processors
 * are free to it. They cannot be left out of a forecast of it, though: a job
 * that moves before it in this scan is in its way in the next one.
 *
 * A hole that a late job leaves, or any hole if there are late jobs, may lie
 * before the start of a job that was scanned already: it counts as freed then.
 */

/* Each job, by turn, gets the earliest start. */
static bool fair_conservative_in_order(struct fair_conservative *c, int64_t now,
				       const struct fair_moves *moves)
{
	struct fair_freed freed = c->walk.freed, hole;
	struct fair_turns turns = { { 0, 0 }, 0 };
	struct fair_failures failed;
	struct fair_rank was;
	struct fair_queued *j;
	int64_t from, until, to;
	uint32_t slot = c->walk.next;

	fair_failures_begin(&failed, c, now);
	if (slot != UINT32_MAX)
		turns = fair_conservative_seek_turn(
			c, fair_conservative_turn(c, slot));
	/* Invariant (F4): each job that still comes had no earlier start before
	 * @freed was freed, and each other one has none but where c->freed was
	 * freed. */
	for (;;) {
		slot = fair_conservative_next_by_turn(c, &turns, freed.most);
		if (slot == UINT32_MAX)
			return true;
		if (!c->scans)
			return fair_conservative_pause(c, slot, freed);
		c->scans--;
		j = fair_conservative_job(c, slot);
		until = freed.to < j->rank.key ? freed.to : j->rank.key;
		if (until > c->space.profile.horizon)
			until = c->space.profile.horizon;
		from = fair_failures_skip(&failed, now, j);
		to = fair_conservative_earlier_in(c, from, &freed, slot);
		if (to == j->rank.key) {
			if (freed.from <= now &&
			    !fair_conservative_is_limited_job(j)) {
				fair_failures_add(&failed, j, until);
				from = until;
			}
			if (c->lates)
				fair_conservative_pass_turn(c, &turns, slot);
			else
				fair_conservative_skip_larger(
					c, &c->plan, &turns.at, j, from,
					freed.to);
			continue;
		}
		was = fair_conservative_turn(c, slot);
		if (!c->lates) {
			hole = fair_conservative_move(c, turns.at, to, moves);
			turns.at = fair_conservative_behind(c, turns.at, slot,
							    was);
			if (!fair_space_is_pool(&c->space)) /* M3 */
				fair_conservative_note_freed(c, hole);
		} else {
			hole = fair_conservative_move_slot(c, slot, to, moves);
			turns = fair_conservative_seek_turn(c, was);
			turns.late += turns.late < c->lates &&
				      c->late[turns.late] == slot;
			fair_failures_forget(&failed, hole.from);
			fair_conservative_note_freed(c, hole);
		}
		fair_freed_add(&freed, hole);
	}
}

/* JOBS WITHOUT A RESERVATION: the late ones go first by turn, the others have
 * none that is before FAIR_FOREVER. */

static uint32_t
fair_conservative_next_unplaced(const struct fair_conservative *c,
				struct fair_turns *t)
{
	uint32_t slot;

	for (; t->late < c->lates; t->late++)
		if (fair_conservative_job(c, c->late[t->late])->rank.key ==
		    FAIR_FOREVER)
			return c->late[t->late];
	for (; fair_queue_next_fitting(&c->plan, &t->at, INT32_MAX);
	     t->at.index++) {
		slot = fair_queue_slot(&c->plan, t->at);
		if (!fair_conservative_is_late(fair_conservative_job(c, slot)))
			return slot;
	}
	return UINT32_MAX;
}

/* By turn, they get the earliest start, where there is one: capacity may have
 * returned, or the horizon has advanced. */
static bool fair_conservative_place_unplaced(struct fair_conservative *c,
					     int64_t now,
					     const struct fair_moves *moves)
{
	struct fair_rank nowhere = { FAIR_FOREVER, 0 };
	struct fair_turns t = { { 0, 0 }, 0 };
	uint32_t slot = c->walk.next;
	int64_t to;

	if (!c->unplaced)
		return true;
	t.at = fair_queue_seek(&c->plan, nowhere);
	if (slot != UINT32_MAX) {
		t.late = fair_conservative_late_place(
			c, fair_conservative_turn(c, slot));
		if (!fair_conservative_is_late(fair_conservative_job(c, slot)))
			t.at = fair_queue_seek(
				&c->plan, fair_conservative_job(c, slot)->rank);
	}
	while (c->unplaced) {
		slot = fair_conservative_next_unplaced(c, &t);
		if (slot == UINT32_MAX)
			break;
		if (!c->scans)
			return fair_conservative_pause(c, slot, c->walk.freed);
		c->scans--;
		to = fair_conservative_earliest(c, now, slot);
		if (to == FAIR_FOREVER) {
			fair_conservative_pass_turn(c, &t, slot);
			continue;
		}
		if (t.late == c->lates)
			nowhere = fair_conservative_job(c, slot)->rank;
		(void)fair_conservative_move_slot(c, slot, to, moves);
		t.at = fair_queue_seek(&c->plan, nowhere);
	}
	return true;
}
