/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/why.h - why a job does not start now
 *
 *   fair_sched_why()
 *     fair_why_describe()        the job, the machine, what ledgers say
 *     planner->room()            the size that would start now, from the plan
 *     fair_why_set_reasons()     the reasons and the blockers
 *     planner->start_is_known()  when it starts, from the plan
 *     fair_why_set_sizes()       the smallest changes, from that room
 *     fair_why_search_clones()   what the plan cannot tell, by bisection
 *
 * Uses: simulated_run.h.
 */

#ifndef FAIRSCHED_WITHOUT_WHY

/* REASONS */

/* Add the running jobs that end until enough processors are free. */
static void fair_why_add_running_blockers(const struct fair_sched *s,
					  struct fair_why *w)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		if (fair_live_end(s->live + slot) > w->free_at)
			break;
		fair_why_add_blocker(s, w, slot, 0);
	}
}

/* Whether the advance reservation at place @i has a node that the job in @slot
 * may use. */
static bool fair_why_has_node(const struct fair_sched *s, uint32_t slot,
			      uint32_t i)
{
	uint32_t nodes = fair_sched_plan_nodes(s)->nodes, node;

	for (node = 0; node < nodes; node++)
		if (fair_sched_withholds(s, i, node) &&
		    fair_why_may_use(s, slot, node))
			return true;
	return false;
}

/*
 * The first advance reservation, by number, that begins at @time, while the job
 * would still run; if @time is now, one that is active.
 */
static void fair_why_advance(const struct fair_sched *s, uint32_t slot,
			     const struct fair_room *r, int64_t time,
			     struct fair_why *w)
{
	struct fair_claim claim = fair_sched_claim(s, slot), withheld;
	uint32_t i;

	claim.node_class = r->node_class;
	for (i = s->advances; i-- > 0;) {
		if (s->advance[i].from != time &&
		    (time != s->now ||
		     !fair_advance_is_active(s->advance + i, time)))
			continue;
		withheld = fair_advance_claim(s, s->advance + i);
		if (fair_sched_plan_nodes(s)
			    ? !fair_why_has_node(s, slot, i)
			    : !fair_sched_do_claims_meet(s, &claim, &withheld))
			continue;
		w->reasons |= FAIR_WHY_ADVANCE;
		w->advance = s->advance[i];
	}
}

/*
 * Several resources: whether @b leaves a class that may serve the job too
 * little, while the job in @slot would run if it started now.
 */
static bool fair_why_is_in_the_way(const struct fair_sched *s, uint32_t slot,
				   const struct fair_advance *b)
{
	int64_t t = b->from > s->now ? b->from : s->now, change;
	const struct fair_live *j = s->live + slot;
	struct fair_claim claim = fair_sched_bound_claim(s, j, b);
	struct fair_claim withheld = fair_advance_claim(s, b);
	uint32_t n = fair_sched_columns(s), i;

	if (t - s->now >= j->queued.walltime ||
	    !fair_sched_may_run_in(s, slot, b->node_class))
		return false;
	for (i = 0; i < n; i++)
		if (fair_column_amount(s, i, &withheld) &&
		    fair_sched_plannable_at(s, i, t, &change) <
			    fair_column_amount(s, i, &claim))
			return true;
	return false;
}

static void fair_why_class_advance(const struct fair_sched *s, uint32_t slot,
				   struct fair_why *w)
{
	uint32_t i;

	for (i = s->advances; i-- > 0;) {
		if (!fair_why_is_in_the_way(s, slot, s->advance + i))
			continue;
		w->reasons |= FAIR_WHY_ADVANCE;
		w->advance = s->advance[i];
	}
}

/* Queued jobs that are promised to start at @time. */
static void fair_why_add_promised_blockers(const struct fair_sched *s,
					   uint32_t own,
					   const struct fair_room *r,
					   int64_t time, struct fair_why *w)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(q, at);
		if (s->live[slot].queued.rank.key == time &&
		    fair_why_is_rival(s, own, r, slot))
			fair_why_add_blocker(s, w, slot, time);
	}
}

/*
 * How many resources class @k lacks now for @w->job, and the first of them. One
 * of which the class has too little at present counts as more than all others.
 */
static uint32_t fair_why_lacks(const struct fair_sched *s, uint32_t k,
			       const int32_t *amount, struct fair_why *w)
{
	uint32_t resources = fair_sched_resources(s), lacks = 0, r, column;
	int32_t free;

	for (r = resources; r-- > 0;) {
		column = fair_sched_column(s, k, r);
		free = fair_column_free_now(s, column);
		if (free >= amount[r])
			continue;
		lacks += fair_column_present(s, column) < amount[r]
				 ? resources + 1
				 : 1;
		w->node_class = fair_sched_is_wide(s, r) ? UINT32_MAX : k;
		w->resource = r;
		w->left = free;
		w->asked = amount[r];
	}
	return lacks;
}

/*
 * Several resources: the running jobs that end until the class that comes
 * closest has enough of what it lacks.
 */
static void fair_why_add_class_blockers(const struct fair_sched *s,
					struct fair_why *w)
{
	uint32_t k = w->node_class == UINT32_MAX ? 0 : w->node_class;
	uint32_t column = fair_sched_column(s, k, w->resource);
	struct fair_queue_place at = { 0, 0 };
	int64_t left = w->left;
	struct fair_claim claim;
	uint32_t slot;

	w->free_at = FAIR_FOREVER;
	for (; left < w->asked &&
	       fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		claim = fair_sched_claim(s, slot);
		if (!fair_column_amount(s, column, &claim))
			continue;
		left += fair_column_amount(s, column, &claim);
		fair_why_add_blocker(s, w, slot, 0);
		if (left >= w->asked)
			w->free_at = fair_live_end(s->live + slot);
	}
}

/*
 * Several resources: the class that comes closest. Where a class has all of it
 * now, a reservation is in the way later.
 */
static void fair_why_set_class(const struct fair_sched *s, uint32_t slot,
			       struct fair_why *w)
{
	struct fair_machine_request request = fair_sched_request(s, slot);
	uint32_t n = fair_sched_choices(s, slot);
	uint32_t least = UINT32_MAX, lacks, i;
	struct fair_why closest = *w;

	for (i = 0; i < n && least; i++) {
		lacks = fair_why_lacks(s, fair_sched_choice(s, slot, i),
				       request.amount, w);
		if (lacks < least)
			closest = *w;
		least = lacks < least ? lacks : least;
	}
	*w = closest;
	if (least)
		w->reasons |= FAIR_WHY_RESOURCE;
	if (least && w->resource)
		w->unknown |= FAIR_UNKNOWN_AMOUNT;
	if (request.count)
		w->unknown |= FAIR_UNKNOWN_CLASS;
}

/* NODES */

/* Private: nodes that are looked at together, and what jobs leave of them. */
#define FAIR_WHY_BLOCK 32

struct fair_why_block {
	uint32_t first, end;
	int32_t left[FAIR_WHY_BLOCK][FAIR_NODES_RESOURCES];
};

/* What the job in @slot, which runs, has of the block. */
static void fair_why_take(const struct fair_sched *s, uint32_t slot,
			  struct fair_why_block *b)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_request asked = fair_nodes_asked(n, slot);
	struct fair_nodes_part part;
	uint32_t at = 0, r;

	while (fair_nodes_next_part(n, slot, &at, &part)) {
		if (part.node < b->first || part.node >= b->end)
			continue;
		for (r = 0; r < n->resources; r++)
			b->left[part.node - b->first][r] -=
				asked.exclusive
					? fair_nodes_whole(n, part.node, r)
				: n->wide >> r & 1 ? 0
						   : asked.amount[r] *
							     part.chunks;
	}
}

/* What jobs that run beyond @t, by their planned ends, leave. */
static void fair_why_fill(const struct fair_sched *s, int64_t t,
			  struct fair_why_block *b)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t node, slot, r;

	for (node = b->first; node < b->end; node++)
		for (r = 0; r < n->resources; r++)
			b->left[node - b->first][r] =
				fair_nodes_whole(n, node, r);
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		if (fair_live_end(s->live + slot) > t)
			fair_why_take(s, slot, b);
	}
}

/* How many chunks of the job in @slot a node has room for. */
static int32_t fair_why_node_hosts(const struct fair_sched *s, uint32_t slot,
				   uint32_t node, const int32_t *left)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_request asked = fair_nodes_asked(n, slot);
	int32_t most = asked.chunks;
	uint32_t r;

	if (!fair_why_may_use(s, slot, node))
		return 0;
	if (asked.per_node && asked.per_node < most)
		most = asked.per_node;
	for (r = 0; r < n->resources; r++) {
		if (asked.exclusive && left[r] < fair_nodes_whole(n, node, r))
			return 0;
		if (!(n->wide >> r & 1) && asked.amount[r] &&
		    left[r] / asked.amount[r] < most)
			most = left[r] / asked.amount[r];
	}
	return most;
}

/* How many of them the nodes of class @k have room for, when all jobs have
 * ended that are to end by @t. */
static int64_t fair_why_class_hosts(const struct fair_sched *s, uint32_t slot,
				    uint32_t k, int64_t t)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	uint32_t end = fair_nodes_first(n, k + 1), node;
	struct fair_why_block b;
	int64_t hosts = 0;

	for (b.first = fair_nodes_first(n, k); b.first < end; b.first = b.end) {
		b.end = end - b.first < FAIR_WHY_BLOCK
				? end
				: b.first + FAIR_WHY_BLOCK;
		fair_why_fill(s, t, &b);
		for (node = b.first; node < b.end; node++)
			hosts += fair_why_node_hosts(s, slot, node,
						     b.left[node - b.first]);
	}
	return hosts;
}

/* The same of all its classes together, with span, or of the best one; no more
 * than it has. */
static int32_t fair_why_hosts(const struct fair_sched *s, uint32_t slot,
			      int64_t t)
{
	struct fair_nodes_request asked =
		fair_nodes_asked(fair_sched_plan_nodes(s), slot);
	uint32_t n = fair_sched_choices(s, slot), i;
	int64_t most = 0, hosts;

	for (i = 0; i < n; i++) {
		hosts = fair_why_class_hosts(s, slot,
					     fair_sched_choice(s, slot, i), t);
		if (asked.span)
			most += hosts;
		else if (hosts > most)
			most = hosts;
	}
	return most < asked.chunks ? (int32_t)most : asked.chunks;
}

/* The latest planned end of a running job; now: none runs. */
static int64_t fair_why_last_end(const struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	int64_t end = s->now, one;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		one = fair_live_end(
			s->live + fair_queue_slot(&s->running, at));
		end = fair_later(end, one);
	}
	return end;
}

/* When enough nodes are free by the planned ends of running jobs. */
static void fair_why_set_free_nodes(const struct fair_sched *s, uint32_t slot,
				    struct fair_why *w)
{
	int64_t low = s->now, high = fair_why_last_end(s), middle;

	w->free_at = low;
	w->hosted = fair_why_hosts(s, slot, low);
	if (w->hosted == w->job.chunks)
		return;
	w->free_at = FAIR_FOREVER;
	if (fair_why_hosts(s, slot, high) < w->job.chunks) {
		w->hosted = fair_why_hosts(s, slot, high);
		return;
	}
	/* Loop invariant: there is room for all at @high, not at @low. */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (fair_why_hosts(s, slot, middle) < w->job.chunks)
			low = middle;
		else
			high = middle;
	}
	w->free_at = high;
	w->hosted = fair_why_hosts(s, slot, low);
}

/* The running jobs that end until @w->free_at on nodes that it may use. */
static void fair_why_add_node_blockers(const struct fair_sched *s,
				       uint32_t slot, struct fair_why *w)
{
	struct fair_queue_place at = { 0, 0 };
	bool found = false;
	uint32_t other;
	int64_t end;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		other = fair_queue_slot(&s->running, at);
		end = fair_live_end(s->live + other);
		if (end > w->free_at)
			break;
		if (!fair_why_share_nodes(s, slot, other))
			continue;
		fair_why_add_blocker(s, w, other, 0);
		if (end < w->free_at || found)
			continue;
		found = true;
		w->freed_by = s->live[other].queued.rank.number;
	}
}

/* What the whole machine or, if that has enough, its nodes lack for the job. */
static void fair_why_set_nodes(const struct fair_sched *s, uint32_t slot,
			       struct fair_why *w)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_request asked = fair_nodes_asked(n, slot);
	int32_t wide[FAIR_NODES_RESOURCES];
	uint32_t r;

	w->resources = n->resources;
	for (r = 0; r < n->resources; r++) {
		wide[r] = n->wide >> r & 1 ? asked.amount[r] : 0;
		w->chunk[r] = asked.amount[r] - wide[r];
	}
	if (asked.count)
		w->unknown |= FAIR_UNKNOWN_CLASS;
	if (fair_why_lacks(s, 0, wide, w)) {
		w->reasons |= FAIR_WHY_RESOURCE;
		w->unknown |= FAIR_UNKNOWN_AMOUNT;
		return;
	}
	fair_why_set_free_nodes(s, slot, w);
	if (w->hosted < asked.chunks)
		w->reasons |= FAIR_WHY_NODES;
}

/* The longest time, up to its walltime, that the job in @slot fits on nodes
 * from now on beside reservations; its own, which a complete step has made
 * again if it was lost, is free to it. */
static int64_t fair_why_fits_for(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	const struct fair_queued *j = &s->live[slot].queued;
	int64_t low = 0, high = j->walltime + 1, middle, start = j->rank.key;
	bool own = s->planner->promises && start > s->now &&
		   start != FAIR_FOREVER;

	/* Loop invariant: it fits for @low, or that is 0, not for @high. */
	while (high - low > 1) {
		bool fits;

		middle = low + (high - low) / 2;
		if (own)
			fits = !fair_nodes_earlier_start(n, slot, s->now,
							 s->now + 1, middle,
							 j->rank.key, &start) &&
			       start == s->now;
		else
			fits = fair_nodes_fits(n, slot, s->now,
					       s->now + middle);
		if (fits)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* It would run into reservations: those that begin when it has to end. */
static void fair_why_set_delay(const struct fair_sched *s, uint32_t slot,
			       const struct fair_room *r, struct fair_why *w)
{
	int64_t time = s->now + r->walltime;

	if (s->planner->blockers)
		s->planner->blockers(s, slot, r, time, w);
	else if (s->planner->promises)
		fair_why_add_promised_blockers(s, slot, r, time, w);
	if (w->blockers)
		w->reasons |= FAIR_WHY_DELAY;
	fair_why_advance(s, slot, r, time, w);
}

#ifndef FAIRSCHED_WITHOUT_LIMITS
/* Whether a job holds its limits at a time within [now, @end), or, @ever,
 * counts for its budgets. */
static bool fair_why_holds_limits(const struct fair_sched *s, uint32_t slot,
				  int64_t end, bool ever)
{
	const struct fair_quotas_job *held = s->limits->job + slot;

	if (ever)
		return !held->asks;
	return held->from < held->end && held->from < end &&
	       held->end > s->now;
}

/* The jobs that hold what a limit has, while the one in @slot would run; and
 * when all its limits have room. */
static void fair_why_add_limit_blockers(const struct fair_sched *s,
					uint32_t slot, struct fair_why *w)
{
	const struct fair_queue *queue[] = { &s->running, fair_sched_queue(s) };
	const struct fair_live *j = s->live + slot;
	int64_t end = s->now + j->queued.walltime, until = FAIR_FOREVER, used;
	struct fair_quotas_of limit;
	uint32_t other, i;

	if (s->planner->promises)
		until = fair_live_promise(j);
	if (!fair_quotas_blocker(s->limits, slot, s->now, j->queued.walltime,
				 until, &limit, &used))
		return;
	for (i = 0; i < 2; i++) {
		struct fair_queue_place at = { 0, 0 };

		for (; fair_queue_next_fitting(queue[i], &at, INT32_MAX);
		     at.index++) {
			other = fair_queue_slot(queue[i], at);
			if (other != slot &&
			    fair_quotas_belongs(s->limits, other, &limit) &&
			    fair_why_holds_limits(
				    s, other, end,
				    limit.what / FAIR_LIMIT_KINDS ==
					    FAIR_LIMIT_BUDGET))
				fair_why_add_blocker(
					s, w, other,
					s->live[other].queued.rank.key);
		}
	}
	w->free_at = fair_quotas_earliest(s->limits, slot, s->now,
					  j->queued.walltime, until);
	if (w->free_at > until) /* from then on it has its own */
		w->free_at = until;
}
#endif /* FAIRSCHED_WITHOUT_LIMITS */

/* The first of the reasons that holds names the jobs in the way. */
static void fair_why_set_blockers(const struct fair_sched *s, uint32_t slot,
				  const struct fair_room *r, struct fair_why *w)
{
	if (r->must_follow) {
		w->reasons |= FAIR_WHY_BEHIND;
		fair_why_add_blocker(s, w, r->head_slot, FAIR_FOREVER);
	} else if (w->reasons & FAIR_WHY_RESOURCE) {
		fair_why_add_class_blockers(s, w);
	} else if (w->reasons & FAIR_WHY_NODES) {
		fair_why_add_node_blockers(s, slot, w);
	} else if (w->reasons & FAIR_WHY_PROCS) {
		fair_why_add_running_blockers(s, w);
	} else if (!(w->reasons & FAIR_WHY_MACHINE) &&
		   r->walltime < w->job.walltime) {
		fair_why_set_delay(s, slot, r, w);
	}
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (s->limits && ((w->reasons == FAIR_WHY_LIMIT && !s->config.maui) ||
			  w->reasons == FAIR_WHY_BUDGET))
		fair_why_add_limit_blockers(s, slot, w);
#endif /* FAIRSCHED_WITHOUT_LIMITS */
}

static void fair_why_set_reasons(const struct fair_sched *s, uint32_t slot,
				 const struct fair_room *r, struct fair_why *w)
{
	bool on_nodes = fair_sched_plan_nodes(s);

	if (w->not_before > s->now)
		w->reasons |= FAIR_WHY_REFUSED;
	if (on_nodes)
		fair_why_set_nodes(s, slot, w);
	else if (fair_sched_has_classes(s))
		fair_why_set_class(s, slot, w);
	if (fair_sched_has_classes(s) && (w->reasons & FAIR_WHY_RESOURCE ||
					  r->walltime < w->job.walltime))
		fair_why_class_advance(s, slot, w);
	if (w->job.procs > w->machine)
		w->reasons |= FAIR_WHY_MACHINE;
	else if (w->job.procs > w->free && !on_nodes)
		w->reasons |= FAIR_WHY_PROCS;
	fair_why_set_blockers(s, slot, r, w);
	if (!(w->reasons & ~(uint32_t)FAIR_WHY_TREE))
		w->reasons |= FAIR_WHY_NOTHING;
}

/* Jobs before the one in @slot; NULL: in the order of the queue. */
static uint32_t fair_why_ahead(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t n = 0;

	if (s->planner->ahead)
		return s->planner->ahead(s, slot);
	for (; fair_queue_next_fitting(q, &at, INT32_MAX) &&
	       fair_queue_slot(q, at) != slot;
	     at.index++)
		n++;
	return n;
}

static void fair_why_describe(const struct fair_sched *s, uint32_t slot,
			      struct fair_why *w)
{
	struct fair_job_status status;
	int32_t extra;

	fair_sched_describe(s, s->live + slot, &status);
	FAIR_MEMSET(w, 0, sizeof(*w));
	w->job = status.job;
	w->now = s->now;
	w->machine = s->procs;
	w->free = s->procs - s->busy;
	w->promise = status.start;
	w->not_before = status.not_before;
	w->until = fair_later(s->now, status.start);
	w->amount = -1;
	w->other_class = UINT32_MAX;
	if (status.state == FAIR_QUEUED)
		w->ahead = fair_why_ahead(s, slot);
	if (fair_easy_shadow(&s->running, w->free, w->job.procs, s->now,
			     &w->free_at, &extra))
		w->free_at = FAIR_FOREVER;
	fair_ledgers_explain(s, slot, w);
}

/*
 * The room for a job; NULL: what the space has beside the reservations of other
 * jobs. If that is enough, the job is held back for those before it.
 */
static void fair_why_room(const struct fair_sched *s, uint32_t slot,
			  struct fair_room *r)
{
	const struct fair_queued *j = &s->live[slot].queued;
	struct fair_reservation own = { j->rank.key, j->walltime, j->procs,
					slot };
	const struct fair_queue_place first = { 0, 0 };
	struct fair_view view = { NULL, &own, 0, NULL, 0 };

	FAIR_MEMSET(r, 0, sizeof(*r));
	if (s->planner->room) {
		s->planner->room(s, slot, r);
		return;
	}
	view.removals = s->planner->promises && own.start != FAIR_FOREVER;
	if (fair_sched_space(s)) {
		view.profile = fair_sched_profile(s);
		fair_view_room(&view, s, slot, r);
	} else {
		r->procs = j->procs;
		r->walltime = j->walltime;
	}
	r->head_slot = fair_queue_slot(fair_sched_queue(s), first);
	r->must_follow = !s->planner->promises && r->head_slot != slot &&
			 j->not_before <= s->now && r->procs >= j->procs &&
			 r->walltime == j->walltime;
}

/* SMALLEST CHANGES */

/* Private: a size that is tried, and what it is a size of. */
enum fair_search_kind {
	FAIR_SEARCH_PROCS,
	FAIR_SEARCH_WALLTIME,
	FAIR_SEARCH_AMOUNT, /* of @resource */
	FAIR_SEARCH_CLASS   /* the only class that may serve the job */
};

/* The job in @slot of a clone, which is not queued, asks for another amount. */
static void fair_sched_change_request(struct fair_sched *clone, uint32_t slot,
				      uint32_t kind, uint32_t resource,
				      int64_t size)
{
	if (kind == FAIR_SEARCH_AMOUNT)
		fair_sched_set_amount(clone, slot, resource, (int32_t)size);
	if (kind == FAIR_SEARCH_CLASS)
		fair_sched_set_only_class(clone, slot, (uint32_t)size);
}

/*
 * On a clone: take a queued job out, to be resized in its place in the order.
 * Return: the start of its reservation.
 */
static int64_t fair_sched_begin_resize(struct fair_sched *clone,
				       struct fair_live *j, int32_t procs,
				       int64_t walltime)
{
	uint32_t slot = fair_sched_slot(clone, j);
	int64_t from = j->queued.rank.key;

	if (clone->planner->keep_place)
		clone->planner->keep_place(clone, slot);
	clone->pinned = slot + 1;
	clone->pinned_walltime = j->queued.walltime;
	clone->pinned_procs = j->queued.procs;
	fair_ledgers_keep_place(clone, slot, procs, walltime);
	fair_sched_advance_time(clone, clone->now);
	fair_sched_withdraw(clone, j);
	return from;
}

/* On a clone: resize a queued job, which keeps its place in the order. */
static void fair_sched_resize_in_place(struct fair_sched *clone,
				       struct fair_live *j, int32_t procs,
				       int64_t walltime)
{
	int64_t from = fair_sched_begin_resize(clone, j, procs, walltime);

	j->queued.procs = procs;
	j->queued.walltime = walltime;
	fair_sched_set_amount(clone, fair_sched_slot(clone, j), 0, procs);
	fair_sched_queue_job(clone, j, from, FAIR_CAUSE_MODIFIED);
}

/* The same, of another resource, or of the only class that may serve it. */
static void fair_sched_replace_request(struct fair_sched *clone,
				       struct fair_live *j, uint32_t kind,
				       uint32_t resource, int64_t size)
{
	int64_t from = fair_sched_begin_resize(clone, j, j->queued.procs,
					       j->queued.walltime);

	fair_sched_change_request(clone, fair_sched_slot(clone, j), kind,
				  resource, size);
	fair_sched_queue_job(clone, j, from, FAIR_CAUSE_MODIFIED);
}

/* Private: the job, memory for clones, and the kind of size that is searched.
 */
struct fair_search {
	const struct fair_sched *s;
	const struct fair_why *why;
	void *memory;
	size_t bytes;
	uint32_t kind;
	int32_t chunks; /* processors are so many times the size */
};

/* Whether the job, with this size, starts on a clone. */
static bool fair_search_can_start(const struct fair_search *q, int64_t size)
{
	struct fair_sched clone;
	struct fair_live *j;
	uint32_t slot;

	fair_must(fair_sched_clone(&clone, q->memory, q->bytes, q->s));
	clone.config.fits = NULL;
	j = fair_sched_find(&clone, q->why->job.number);
	if (q->kind == FAIR_SEARCH_WALLTIME)
		fair_sched_resize_in_place(&clone, j, q->why->job.procs, size);
	else if (q->kind == FAIR_SEARCH_PROCS)
		fair_sched_resize_in_place(&clone, j,
					   (int32_t)size * q->chunks,
					   q->why->job.walltime);
	else
		fair_sched_replace_request(&clone, j, q->kind, q->why->resource,
					   size);
	fair_sched_begin_step(&clone, clone.now);
	while (fair_sched_start_next(&clone, &slot))
		if (clone.live + slot == j)
			return true;
	return false;
}

/* The largest size below @present that starts, near @guess; 0: none. */
static int64_t fair_search_largest_size(const struct fair_search *q,
					int64_t guess, int64_t present)
{
	int64_t low = 0, high = present, size = guess;

	if (size < 1)
		size = 1;
	if (size >= present)
		size = present - 1;
	if (size < 1)
		return 0;
	/* Loop invariant: with @low it starts or @low is 0, with @high not. */
	if (fair_search_can_start(q, size))
		low = size;
	else
		high = size;
	if (!low && high > 1 && fair_search_can_start(q, 1))
		low = 1;
	if (!low)
		return 0;
	for (size = low + 1; high - low > 1; size = low + (high - low) / 2) {
		if (fair_search_can_start(q, size))
			low = size;
		else
			high = size;
	}
	return low;
}

/* A guess, lowered to the size below the present one if it is not smaller. */
static int64_t fair_why_smaller(int64_t size, int64_t present)
{
	return size < present ? size : present - 1;
}

static void fair_why_set_sizes(const struct fair_room *r, struct fair_why *w)
{
	w->procs = (int32_t)fair_why_smaller(r->procs, w->job.procs);
	w->walltime = fair_why_smaller(r->walltime, w->job.walltime);
	if (w->reasons & FAIR_WHY_NOTHING && r->is_exact) {
		w->procs = w->job.procs;
		w->walltime = w->job.walltime;
	}
	if (!r->is_exact)
		w->unknown |= FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME;
	if (!(w->reasons & FAIR_WHY_REFUSED))
		return;
	w->procs = 0;
	w->walltime = 0;
	w->unknown &= FAIR_UNKNOWN_UNTIL;
}

/* The most of the resource that it lacks; -1: it would not start with none. */
static int32_t fair_search_amount(const struct fair_search *q,
				  const struct fair_why *w)
{
	int64_t most = fair_search_largest_size(q, w->left, w->asked);

	return most || fair_search_can_start(q, 0) ? (int32_t)most : -1;
}

/* The first class not of the job in which it would start now. */
static uint32_t fair_search_class(const struct fair_search *q,
				  const struct fair_why *w)
{
	uint32_t n = fair_sched_class_count(q->s), k, i;

	for (k = 0; k < n; k++) {
		for (i = 0; i < w->job.class_count; i++)
			if (w->job.classes[i] == k)
				break;
		if (i == w->job.class_count && fair_search_can_start(q, k))
			return k;
	}
	return UINT32_MAX;
}

/* Find on clones what is unknown. */
static void fair_why_search_clones(const struct fair_sched *s, void *memory,
				   size_t bytes, struct fair_why *w)
{
	struct fair_search q;

	q.s = s;
	q.why = w;
	q.memory = memory;
	q.bytes = bytes;
	q.chunks = w->job.chunks ? w->job.chunks : 1;
	q.kind = FAIR_SEARCH_PROCS;
	if (w->unknown & FAIR_UNKNOWN_PROCS)
		w->procs = q.chunks * (int32_t)fair_search_largest_size(
					      &q, w->procs / q.chunks,
					      w->job.procs / q.chunks);
	q.kind = FAIR_SEARCH_WALLTIME;
	if (w->unknown & FAIR_UNKNOWN_WALLTIME)
		w->walltime = fair_search_largest_size(&q, w->walltime,
						       w->job.walltime);
	q.kind = FAIR_SEARCH_AMOUNT;
	if (w->unknown & FAIR_UNKNOWN_AMOUNT)
		w->amount = fair_search_amount(&q, w);
	q.kind = FAIR_SEARCH_CLASS;
	if (w->unknown & FAIR_UNKNOWN_CLASS)
		w->other_class = fair_search_class(&q, w);
	if (w->unknown & FAIR_UNKNOWN_UNTIL &&
	    !fair_sched_planned(s, memory, bytes, w->job.number, &w->until))
		w->unknown = 0;
	w->unknown &= FAIR_UNKNOWN_UNTIL;
}

/* The first dependency that keeps the job waiting, for ever or not. */
static void fair_why_dependencies(const struct fair_sched *s,
				  const struct fair_ineligible *a,
				  struct fair_why *w)
{
	bool never = fair_sched_is_never_satisfied(s, a), chosen = false;
	struct fair_dependency d;

	while (fair_sched_dependency(s, w->job.number, w->dependencies, &d)) {
		w->dependencies++;
		if (chosen || (d.end == FAIR_AFTER_NEVER_SATISFIED) != never)
			continue;
		chosen = true;
		w->ineligible.after = d.after;
		w->ineligible.end = d.end;
	}
}

/*
 * A reservation job starts as planned if nothing else happens, unless an array
 * waits: a task without a slot loses its place, and other jobs take it.
 */
static void fair_why_ineligible(const struct fair_sched *s,
				const struct fair_live *j, struct fair_why *w)
{
	const struct fair_ineligible *a =
		s->ineligible +
		fair_sched_ineligible_place(s, j->queued.rank.number);
	uint32_t i = fair_sched_usable_advance(s, fair_sched_bound_to(s, j));

	w->reasons = FAIR_WHY_INELIGIBLE;
	if (!fair_sched_has_slot(s, j))
		w->reasons |= FAIR_WHY_NO_SLOT;
	if (a->is_suspended)
		w->reasons |= FAIR_WHY_SUSPENDED;
	w->ineligible = a->condition;
	fair_why_dependencies(s, a, w);
	w->unknown =
		a->is_planned && !s->waiting_arrays ? 0 : FAIR_UNKNOWN_UNTIL;
	if (!a->is_planned)
		return;
	w->reasons |= FAIR_WHY_OWN_ADVANCE;
	if (i < s->advances)
		w->advance = s->advance[i];
}

FAIRSCHED_API int fair_sched_why(const struct fair_sched *s, uint64_t number,
				 void *memory, size_t bytes,
				 struct fair_why *why)
{
	const struct fair_live *j = s ? fair_sched_find(s, number) : NULL;
	int error = fair_sched_validate_waiting(j);
	struct fair_room r;
	struct fair_why w;
	uint32_t slot;

	if (!s || !why || !s->is_step_complete)
		return -FAIR_EINVAL;
	if (error)
		return error;
	if (memory && bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	slot = fair_sched_slot(s, j);
	fair_why_describe(s, slot, &w);
	if (j->state == FAIR_INELIGIBLE) {
		fair_why_ineligible(s, j, &w);
	} else {
		fair_why_room(s, slot, &r);
		if (fair_sched_plan_nodes(s))
			r.walltime = fair_why_fits_for(s, slot);
		fair_why_set_reasons(s, slot, &r, &w);
		if (!s->planner->start_is_known ||
		    !s->planner->start_is_known(s, slot, &w))
			w.unknown |= FAIR_UNKNOWN_UNTIL;
		fair_why_set_sizes(&r, &w);
	}
	if (memory)
		fair_why_search_clones(s, memory, bytes, &w);
	*why = w;
	return 0;
}

#endif /* FAIRSCHED_WITHOUT_WHY */
