/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/reservations.h - make and move reservations
 *
 * In the space and the plan; searches for an earlier start.
 *
 * Uses: turns.h.
 */

/*
 * WHICH JOBS A FREED INTERVAL CAN HELP
 *
 * Let job j of walltime d hold [s, s + d), and let it have had no earlier start
 * when it was last scanned.
 *
 * F1. If j can start at some u < s now, processors were freed since then within
 * [u, min(u + d, s)): elsewhere its window is as it was. So if all intervals
 * freed since then lie inside [from, to), only starts u with u + d > from and
 * u < to need a query, and only if j needs no more than the `most` that is free
 * at any instant of them.
 *
 * F2. If u + d >= s, enough processors are free in [s - 1, s) as well; as j
 * could not start at s - 1, they were freed there: s is in (from, to].
 * Otherwise all of [u, u + d) is free now, and part of a run of free processors
 * that meets [from, to): d is at most the `longest` of these runs. That stays
 * true while other jobs take processors, because runs then only shrink; and
 * where a later freed interval joins two runs, it meets both.
 */
static void fair_freed_add(struct fair_freed *freed, struct fair_freed more)
{
	if (freed->from > more.from)
		freed->from = more.from;
	if (freed->to < more.to)
		freed->to = more.to;
	if (freed->longest < more.longest)
		freed->longest = more.longest;
	if (freed->most < more.most)
		freed->most = more.most;
}

static struct fair_freed fair_freed_none(void)
{
	struct fair_freed none = { INT64_MAX, INT64_MIN, 0, 0 };

	return none;
}

static void fair_conservative_note_freed(struct fair_conservative *c,
					 struct fair_freed hole)
{
	fair_freed_add(&c->freed, hole);
	fair_freed_add(&c->recent, hole);
}

/* [from, to) was just released: jobs may start there, and perhaps now. */
static void fair_conservative_add_freed(struct fair_conservative *c,
					int64_t from, int64_t to)
{
	struct fair_freed hole = fair_freed_none();

	c->filled = INT64_MIN;
	from = fair_later(from, c->space.profile.origin);
	if (from >= to)
		return;
	hole.from = from;
	hole.to = to;
	hole.most = fair_space_most_freed(&c->space, from, to);
	fair_conservative_note_freed(c, hole);
}

static void fair_conservative_report(const struct fair_moves *moves,
				     uint32_t slot, int64_t from)
{
	if (moves)
		moves->moved(moves->context, slot, from);
}

/*
 * A SPACE THAT IS NO POOL
 *
 * The profile then has the processors of all classes, so that a job finds no
 * start where the profile has none. F1 to F3 and D1 hold class by class, with
 * these differences:
 *
 * M1. In another class than its own, j needs all of [u, u + d) although u < s:
 * what was freed behind s can help it, too. In F1 that is any u with u + d >
 * from and u < to. In F2 the second case covers it.
 * M2. What F3 proves in one class says nothing of another: it is not used.
 * M3. By M1, F4 fails as well: a hole can help a job before the one that left
 * it, in the next scan. So it counts as freed then.
 * M4. On nodes, an earlier start may take some of the job's own nodes, and
 * others. From s on its reservation hides from the profile what is free to it:
 * neither the most that is free nor, in F2, the end of a run rules that out.
 */

/*
 * LIMITS
 *
 * F1 and F2 hold as they stand: j starts earlier only if processors, or what
 * its limits allow, were freed within [u, min(u + d, s)), and what a job gives
 * back of both is the same interval; a limit that is raised frees all time.
 * From s on its own hold is free to it. F4 and D1 follow from these. D2 tells
 * of processors alone: where it says yes, limits are asked.
 *
 * L4. F3 says what the space lacks. So a search that a limit made go on proves
 * nothing of other jobs; nor does one that F1 makes shorter, if a limit may
 * have been in the way before. Such a job is marked until it is placed anew.
 */

/* By L4, after a search of the job; @anew: of all starts from now on. */
static void fair_conservative_mark(struct fair_conservative *c, uint32_t slot,
				   bool anew)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	if (fair_space_held_back(&c->space))
		j->mark |= FAIR_MARK_LIMITED;
	else if (anew)
		j->mark &= ~(uint32_t)FAIR_MARK_LIMITED;
}

/* Whether by L4 no search of the job proves anything of others. */
static bool fair_conservative_is_limited_job(const struct fair_queued *j)
{
	return j->mark & FAIR_MARK_LIMITED;
}

/* Take the part of the reservation that is not past, or give it back. */
static int fair_conservative_change(struct fair_conservative *c, uint32_t slot,
				    bool take)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t start = j->rank.key;

	if (start == FAIR_FOREVER)
		return 0;
	return fair_space_change_job(&c->space, slot, j->procs,
				     fair_later(start, c->space.profile.origin),
				     start + j->walltime, take);
}

/*
 * Reserve from @to on, where that start was found, for a job that is not in the
 * plan; FAIR_FOREVER: it has no reservation. If its turn is before, the caller
 * makes it a late one.
 */
static void fair_conservative_reserve(struct fair_conservative *c,
				      uint32_t slot, int64_t to)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	j->rank.key = to;
	if (to < j->turn)
		j->turn = to;
	fair_must(fair_queue_insert(&c->plan, slot));
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_update(&c->priority, slot));
	if (to != FAIR_FOREVER) {
		fair_space_reserve(&c->space, slot, j);
		return;
	}
	c->unplaced++;
	fair_space_forget_job(&c->space, slot);
}

/* Move the job at @at of the plan to the earlier start @to; returns the hole
 * that it leaves. */
static struct fair_freed fair_conservative_move(struct fair_conservative *c,
						struct fair_queue_place at,
						int64_t to,
						const struct fair_moves *moves)
{
	uint32_t slot = fair_queue_slot(&c->plan, at);
	struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank rank = { to, j->rank.number };
	struct fair_freed hole = fair_freed_none();
	int64_t from = j->rank.key;

	/* Callers skip the jobs for which they find no earlier start. */
	FAIR_ASSERT(to < from);
	if (j->turn < from && to <= j->turn)
		fair_conservative_remove_late(c, slot);
	if (to < j->turn)
		j->turn = to;
	if (from == FAIR_FOREVER) {
		c->unplaced--;
		fair_space_settle_job(&c->space, slot, j, to);
		fair_must(fair_space_change_job(&c->space, slot, j->procs,
						to, to + j->walltime, true));
	} else {
		hole.to = from + j->walltime;
		hole.from = from > to + j->walltime ? from : to + j->walltime;
		if (fair_space_move(&c->space, slot, j, to, &hole.most))
			hole.from = from;
	}
	if (fair_queue_can_rerank(&c->plan, at, rank)) {
		j->rank = rank;
	} else {
		fair_queue_remove_at(&c->plan, at);
		j->rank = rank;
		fair_must(fair_queue_insert(&c->plan, slot));
	}
	fair_conservative_report(moves, slot, from);
	return hole;
}

static struct fair_queue_place
fair_conservative_plan_place(const struct fair_conservative *c, uint32_t slot)
{
	struct fair_queue_place at;
	bool found = fair_queue_find(&c->plan,
				     fair_conservative_job(c, slot)->rank, &at);

	FAIR_ASSERT(found); /* every queued job is in the plan */
	(void)found;
	return at;
}

/* The same, for a job at a place in the priority order. */
static struct fair_freed
fair_conservative_promote(struct fair_conservative *c,
			  struct fair_queue_place priority, int64_t to,
			  const struct fair_moves *moves)
{
	uint32_t slot = fair_queue_slot(&c->priority, priority);
	struct fair_freed hole = fair_conservative_move(
		c, fair_conservative_plan_place(c, slot), to, moves);

	fair_queue_update_at(&c->priority, priority);
	return hole;
}

/* The same, for any job. */
static struct fair_freed
fair_conservative_move_slot(struct fair_conservative *c, uint32_t slot,
			    int64_t to, const struct fair_moves *moves)
{
	struct fair_freed hole = fair_conservative_move(
		c, fair_conservative_plan_place(c, slot), to, moves);

	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_update(&c->priority, slot));
	return hole;
}

/*
 * The profile's index pays from some hundreds of steps on, that of nodes
 * always; and a query over a few leaves that changed costs less than bringing
 * them up to date: see docs/PERFORMANCE.md.
 */
static void fair_conservative_settle(struct fair_conservative *c)
{
	if ((fair_space_has_nodes(&c->space) ||
	     fair_profile_steps(&c->space.profile) > 1000) &&
	    ++c->queries % 64 == 0)
		fair_space_settle(&c->space);
}

/* The earliest start of a job that has no reservation. */
static int64_t fair_conservative_earliest(struct fair_conservative *c,
					  int64_t not_before, uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t start;

	fair_conservative_settle(c);
	start = fair_space_earliest(&c->space, slot, j,
				    fair_later(not_before, j->not_before));
	fair_conservative_mark(c, slot,
			       not_before <= c->space.profile.origin);
	return start;
}

/*
 * The earliest start in [not_before, before) of a queued job, with its own
 * reservation counted as free; its present start if there is none.
 */
static inline int64_t
fair_conservative_earlier(struct fair_conservative *c, int64_t not_before,
			  int64_t before, uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t start = j->rank.key;

	not_before = fair_later(not_before, j->not_before);
	if (not_before >= before || not_before >= start)
		return start;
	if (start == FAIR_FOREVER) {
		start = fair_conservative_earliest(c, not_before, slot);
		return start < before ? start : FAIR_FOREVER;
	}
	fair_conservative_settle(c);
	start = fair_space_earlier(&c->space, slot, j, not_before, before);
	fair_conservative_mark(c, slot, false);
	return start;
}

/* The same by F1: only @freed was freed since it had no earlier start. */
static inline int64_t
fair_conservative_earlier_in(struct fair_conservative *c, int64_t now,
			     const struct fair_freed *freed, uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	int64_t from;

	FAIR_ASSERT(j->procs <= freed->most); /* scans skip wider jobs */
	if (freed->from >= j->rank.key && fair_space_is_pool(&c->space))
		return j->rank.key;
	from = freed->from - j->walltime + 1;
	return fair_conservative_earlier(c, fair_later(now, from), freed->to,
					 slot);
}
