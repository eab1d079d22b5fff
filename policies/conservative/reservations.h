/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/reservations.h - make and move reservations
 *
 * In the profile, the machine and the plan; searches for an earlier start.
 *
 * Uses: nothing else here.
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
	from = fair_later(from, c->profile.origin);
	if (from >= to)
		return;
	hole.from = from;
	hole.to = to;
	fair_must(fair_profile_max_free(&c->profile, from, to, &hole.most));
	fair_conservative_note_freed(c, hole);
}

static struct fair_queued *
fair_conservative_job(const struct fair_conservative *c, uint32_t slot)
{
	return (struct fair_queued *)(void *)(c->jobs + slot * c->stride);
}

static void fair_conservative_report(const struct fair_moves *moves,
				     uint32_t slot, int64_t from)
{
	if (moves)
		moves->moved(moves->context, slot, from);
}

/*
 * SEVERAL RESOURCES, NODE CLASSES
 *
 * The machine holds what the profile does, resource by resource and class by
 * class; the processors of the profile are the sum over all classes. So a job
 * finds no start where the profile has none, and F1 to F3 and D1 hold class by
 * class, with these differences:
 *
 * M1. In another class than its own, j needs all of [u, u + d) although u < s:
 * what was freed behind s can help it, too. In F1 that is any u with u + d >
 * from and u < to. In F2 the second case covers it.
 * M2. What F3 proves in one class says nothing of another: it is not used.
 * M3. By M1, F4 fails as well: a hole can help a job before the one that left
 * it, in the next scan. So it counts as freed then.
 */

static uint32_t fair_conservative_slot(const struct fair_conservative *c,
				       const struct fair_queued *j)
{
	return (uint32_t)((size_t)((const char *)j - c->jobs) / c->stride);
}

/* The class in which the job in @slot is reserved. */
static uint8_t *fair_conservative_class(const struct fair_conservative *c,
					uint32_t slot)
{
	return c->machine->node_class + slot;
}

static int fair_conservative_advance(struct fair_conservative *c, int64_t now)
{
	int error = fair_profile_advance(&c->profile, now);

	if (!error && c->machine)
		fair_must(fair_machine_advance(&c->machine->machine, now));
	return error;
}

/* Take the part of the reservation that is not past, or give it back. */
static int fair_conservative_change(struct fair_conservative *c,
				    const struct fair_queued *j, bool take)
{
	int64_t start = j->rank.key, end;
	int error = 0;

	if (start == FAIR_FOREVER)
		return 0;
	end = start + j->walltime;
	start = fair_later(start, c->profile.origin);
	if (start >= end)
		return 0;
	if (c->machine)
		error = fair_machine_jobs_change(c->machine,
						 fair_conservative_slot(c, j),
						 start, end - start, take);
	return error ? error
		     : (take ? fair_profile_reserve : fair_profile_release)(
			       &c->profile, start, end - start, j->procs);
}

/* Reserve from @to on for a job that is not in the plan; FAIR_FOREVER: it has
 * no reservation. */
static void fair_conservative_reserve(struct fair_conservative *c,
				      uint32_t slot, int64_t to)
{
	struct fair_queued *j = fair_conservative_job(c, slot);

	j->rank.key = to;
	c->unplaced += to == FAIR_FOREVER;
	if (c->machine)
		*fair_conservative_class(c, slot) =
			to == FAIR_FOREVER ? 0 : (uint8_t)c->found;
	fair_must(fair_queue_insert(&c->plan, slot));
	if (c->compression != FAIR_COMPRESS)
		fair_must(fair_queue_update(&c->priority, slot));
	fair_must(fair_conservative_change(c, j, true));
}

/* The reservation from @from on moves to @to in the class found; returns
 * whether it leaves all of its class. */
FAIR_APART static bool
fair_conservative_move_class(struct fair_conservative *c, uint32_t slot,
			     int64_t from, int64_t to, int64_t walltime)
{
	struct fair_claim claim = fair_machine_jobs_claim(c->machine, slot);
	struct fair_machine *m = &c->machine->machine;
	int32_t most[FAIR_MACHINE_RESOURCES];

	*fair_conservative_class(c, slot) = (uint8_t)c->found;
	if (from == FAIR_FOREVER)
		fair_must(fair_machine_reserve(m, c->found, to, walltime,
					       claim.amount));
	else
		fair_must(fair_machine_move(m, claim.node_class, from, c->found,
					    to, walltime, claim.amount, most));
	return from != FAIR_FOREVER && claim.node_class != c->found;
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
	bool leaves = c->machine && fair_conservative_move_class(
					    c, slot, from, to, j->walltime);

	/* Callers skip the jobs for which they find no earlier start. */
	FAIR_ASSERT(to < from);
	if (from == FAIR_FOREVER) {
		c->unplaced--;
		fair_must(fair_profile_reserve(&c->profile, to, j->walltime,
					       j->procs));
	} else {
		fair_must(fair_profile_move(&c->profile, from, to, j->walltime,
					    j->procs, &hole.most));
		hole.to = from + j->walltime;
		hole.from = from > to + j->walltime ? from : to + j->walltime;
		if (leaves) {
			hole.from = from;
			fair_must(fair_profile_max_free(
				&c->profile, from, hole.to, &hole.most));
		}
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

/* The same, for a job at a place in the priority order. */
static struct fair_freed
fair_conservative_promote(struct fair_conservative *c,
			  struct fair_queue_place priority, int64_t to,
			  const struct fair_moves *moves)
{
	uint32_t slot = fair_queue_slot(&c->priority, priority);
	struct fair_freed hole;
	struct fair_queue_place at;
	bool found = fair_queue_find(&c->plan,
				     fair_conservative_job(c, slot)->rank, &at);

	FAIR_ASSERT(found); /* by I4 both orders hold it */
	(void)found;
	hole = fair_conservative_move(c, at, to, moves);
	fair_queue_update_at(&c->priority, priority);
	return hole;
}

/*
 * The profile's index pays from some hundreds of steps on, and a query over a
 * few leaves that changed costs less than bringing them up to date: see
 * docs/PERFORMANCE.md.
 */
static void fair_conservative_settle_profile(struct fair_conservative *c)
{
	if (fair_profile_steps(&c->profile) <= 1000 || ++c->queries % 64)
		return;
	fair_must(fair_profile_settle(&c->profile));
	if (c->machine)
		fair_must(fair_machine_settle(&c->machine->machine));
}

/* What @j asks of the machine. */
static struct fair_machine_request
fair_conservative_request(const struct fair_conservative *c,
			  const struct fair_queued *j)
{
	return fair_machine_jobs_request(c->machine,
					 fair_conservative_slot(c, j));
}

/* The same as fair_conservative_earliest(), in the machine. */
FAIR_APART static int64_t
fair_conservative_earliest_in(struct fair_conservative *c, int64_t not_before,
			      const struct fair_queued *j)
{
	struct fair_machine_request request = fair_conservative_request(c, j);
	int64_t start = FAIR_FOREVER;

	(void)fair_machine_earliest_start(&c->machine->machine, not_before,
					  j->walltime, &request, &start,
					  &c->found);
	return start;
}

/* The earliest start of a job that is not in the profile. */
static int64_t fair_conservative_earliest(struct fair_conservative *c,
					  int64_t not_before,
					  const struct fair_queued *j)
{
	int64_t start = FAIR_FOREVER;

	fair_conservative_settle_profile(c);
	not_before = fair_later(not_before, j->not_before);
	if (c->machine)
		return fair_conservative_earliest_in(c, not_before, j);
	(void)fair_profile_earliest_start(&c->profile, not_before, j->walltime,
					  j->procs, &start);
	return start;
}

/* The same as fair_conservative_earlier(), in the machine. */
FAIR_APART static int64_t
fair_conservative_earlier_on(struct fair_conservative *c, int64_t not_before,
			     int64_t before, const struct fair_queued *j)
{
	struct fair_machine_request request = fair_conservative_request(c, j);
	uint32_t slot = fair_conservative_slot(c, j);
	int64_t start = j->rank.key;

	(void)fair_machine_earlier_start(
		&c->machine->machine, not_before, before, j->walltime, &request,
		start, *fair_conservative_class(c, slot), &start, &c->found);
	return start;
}

/*
 * The earliest start in [not_before, before) of a queued job, with its own
 * reservation counted as free; its present start if there is none.
 */
static inline int64_t
fair_conservative_earlier(struct fair_conservative *c, int64_t not_before,
			  int64_t before, const struct fair_queued *j)
{
	int64_t start = j->rank.key;

	not_before = fair_later(not_before, j->not_before);
	if (not_before >= before || not_before >= start)
		return start;
	if (start == FAIR_FOREVER) {
		start = fair_conservative_earliest(c, not_before, j);
		return start < before ? start : FAIR_FOREVER;
	}
	fair_conservative_settle_profile(c);
	if (c->machine)
		return fair_conservative_earlier_on(c, not_before, before, j);
	(void)fair_profile_earlier_start(&c->profile, not_before, before,
					 j->walltime, j->procs, start, &start);
	return start;
}

/* The same by F1: only @freed was freed since it had no earlier start. */
static inline int64_t
fair_conservative_earlier_in(struct fair_conservative *c, int64_t now,
			     const struct fair_freed *freed,
			     const struct fair_queued *j)
{
	int64_t from;

	FAIR_ASSERT(j->procs <= freed->most); /* scans skip wider jobs */
	if (freed->to <= now || (freed->from >= j->rank.key && !c->machine))
		return j->rank.key;
	from = freed->from - j->walltime + 1;
	return fair_conservative_earlier(c, fair_later(now, from), freed->to,
					 j);
}
