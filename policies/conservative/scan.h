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

/* A job that the caller accepts only later proves nothing. */
static inline void fair_failures_add(struct fair_failures *failed,
				     const struct fair_queued *j,
				     int64_t until)
{
	uint32_t i;

	if (until > j->rank.key)
		until = j->rank.key;
	if (until <= failed->now || j->not_before > failed->now ||
	    failed->unused)
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
		      fair_space_is_pool(&c->space);
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
	FAIR_CONSERVATIVE_START,    /* of fair_conservative_due() */
	FAIR_CONSERVATIVE_PENDING   /* a compression, after the reservations
				       that a loss displaced are made again */
};

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

static struct fair_queue_place
fair_conservative_place(const struct fair_conservative *c, bool by_priority)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot = c->walk.next;

	if (slot == UINT32_MAX)
		return at;
	return by_priority
		       ? fair_queue_seek(&c->priority, c->rank[slot])
		       : fair_queue_seek(&c->plan,
					 fair_conservative_job(c, slot)->rank);
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
 * COMPRESSION IN THE ORDER OF THE PLAN
 *
 * F4. One scan in the order of the plan leaves every job at its earliest start.
 * A job only moves earlier, so that the hole it leaves lies behind all starts
 * of the jobs before it, and matters only to the jobs that follow. Nor are the
 * jobs that follow in its way: their reservations start at its own or later,
 * where its own processors are free to it. They cannot be left out of a
 * forecast of it, though: a job that moves before it in this scan is in its way
 * in the next one.
 */
static bool fair_conservative_in_order(struct fair_conservative *c, int64_t now,
				       const struct fair_moves *moves)
{
	struct fair_queue_place at = fair_conservative_place(c, false);
	struct fair_freed freed = c->walk.freed, hole;
	struct fair_failures failed;
	int64_t from, until, to;

	fair_failures_begin(&failed, c, now);
	/* Invariant (F4): each job before @at has no earlier start, and each
	 * job from @at on had none before @freed was freed. */
	while (fair_queue_next_fitting(&c->plan, &at, freed.most)) {
		uint32_t slot = fair_queue_slot(&c->plan, at);
		const struct fair_queued *j = fair_conservative_job(c, slot);
		struct fair_rank was = j->rank;

		if (!c->scans)
			return fair_conservative_pause(c, slot, freed);
		c->scans--;
		until = freed.to < was.key ? freed.to : was.key;
		if (until > c->space.profile.horizon)
			until = c->space.profile.horizon;
		from = fair_failures_skip(&failed, now, j);
		to = was.key;
		if (from < until)
			to = fair_conservative_earlier_in(c, from, &freed,
							  slot);
		if (to == was.key) {
			if (from < until && freed.from <= now) {
				fair_failures_add(&failed, j, until);
				from = until;
			}
			fair_conservative_skip_larger(c, &c->plan, &at, j, from,
						      freed.to);
			continue;
		}
		hole = fair_conservative_move(c, at, to, moves);
		fair_freed_add(&freed, hole);
		if (!fair_space_is_pool(&c->space)) /* M3 */
			fair_conservative_note_freed(c, hole);
		at = fair_conservative_behind(c, at, slot, was);
	}
	return true;
}

/* The horizon advances: a job without a start before it may have one now. */
static bool fair_conservative_place_unplaced(struct fair_conservative *c,
					     int64_t now,
					     const struct fair_moves *moves)
{
	const struct fair_rank nowhere = { FAIR_FOREVER, 0 };
	struct fair_queue_place at =
		c->walk.next == UINT32_MAX ? fair_queue_seek(&c->plan, nowhere)
					   : fair_conservative_place(c, false);
	struct fair_rank was;
	struct fair_queued *j;
	uint32_t slot;
	int64_t to;

	while (fair_queue_next_fitting(&c->plan, &at, INT32_MAX)) {
		slot = fair_queue_slot(&c->plan, at);
		if (!c->scans)
			return fair_conservative_pause(c, slot, c->walk.freed);
		c->scans--;
		j = fair_conservative_job(c, slot);
		was = j->rank;
		to = fair_conservative_earliest(c, now, slot);
		if (to == FAIR_FOREVER) {
			at.index++;
			continue;
		}
		(void)fair_conservative_move(c, at, to, moves);
		if (c->compression != FAIR_COMPRESS)
			fair_must(fair_queue_update(&c->priority, slot));
		at = fair_queue_seek(&c->plan, was);
	}
	return true;
}
