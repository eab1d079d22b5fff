/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/backfill/order.h - the next job of a walk
 *
 * By rank, sorted, or group by group.
 *
 * Uses: reservations.h.
 */

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_SORT
#define FAIRSCHED_SHARED_SORT

/* Whether @a comes before @b. */
typedef bool fair_before(const void *context, uint32_t a, uint32_t b);

/*
 * Moves heap[parent] down. Invariant of the heap below @top: each parent comes
 * after its children, so that the last one is at 0.
 */
static inline void fair_sift(uint32_t *heap, uint32_t parent, uint32_t top,
			     fair_before *before, const void *context)
{
	uint32_t moved = heap[parent], child;

	for (; (child = 2 * parent + 1) < top; parent = child) {
		if (child + 1 < top &&
		    before(context, heap[child], heap[child + 1]))
			child++;
		if (!before(context, moved, heap[child]))
			break;
		heap[parent] = heap[child];
	}
	heap[parent] = moved;
}

/* The last one goes to the end of the heap below @top, and out of it. */
static inline void fair_sift_out(uint32_t *heap, uint32_t top,
				 fair_before *before, const void *context)
{
	uint32_t last = heap[0];

	heap[0] = heap[top];
	heap[top] = last;
	fair_sift(heap, 0, top, before, context);
}

/* Heap sort: in place, O(n log n). */
static inline void fair_sort(uint32_t *x, uint32_t n, fair_before *before,
			     const void *context)
{
	uint32_t i;

	for (i = n / 2; i-- > 0;)
		fair_sift(x, i, n, before, context);
	for (i = n; i-- > 1;)
		fair_sift_out(x, i, before, context);
}
#endif /* FAIRSCHED_SHARED_SORT */

/* A walk, and what it is asked for. */
struct fair_backfill_walk {
	const struct fair_backfill *b;
	const struct fair_iteration *it;
};

static bool fair_backfill_before(const void *context, uint32_t x, uint32_t y)
{
	const struct fair_backfill_walk *w =
		(const struct fair_backfill_walk *)context;

	if (w->b->walk.before)
		return w->b->walk.before(w->it->context, w->it->now, x, y);
	return fair_backfill_lxf_before(fair_backfill_job(w->b, x),
					fair_backfill_job(w->b, y),
					w->it->now);
}

/* Count one scan; false: the limit is reached. */
static bool fair_backfill_scan(struct fair_backfill *b)
{
	b->paused = !b->scans;
	b->scans -= !b->paused;
	return !b->paused;
}

/*
 * Heap sort the jobs, of which none was scanned: in place, O(n log n). Of its
 * n / 2 + n - 1 steps the first n / 2 build the heap; each of the others takes
 * the last job of the heap out of it. False: the sort paused at the scan limit.
 */
static bool fair_backfill_sort(struct fair_backfill *b,
			       const struct fair_iteration *it)
{
	struct fair_walk_order *o = &b->order;
	const struct fair_backfill_walk walk = { b, it };

	for (; o->unsorted; o->unsorted--) {
		if (!fair_backfill_scan(b))
			return false;
		if (o->unsorted >= o->ends)
			fair_sift(o->sorted, o->unsorted - o->ends, o->ends,
				  fair_backfill_before, &walk);
		else
			fair_sift_out(o->sorted, o->unsorted,
				      fair_backfill_before, &walk);
	}
	return true;
}

/*
 * THE LARGEST EXPANSION FACTOR FIRST
 *
 * A walk in this order scans few jobs: those that get a reservation, and then
 * those that can start. So each is searched for when its turn comes, and the
 * queue is not sorted.
 *
 * L1. The factor (wait + walltime) / walltime grows with the wait and falls
 * with the walltime. So no job of a block goes before one that has the rank of
 * its first job and the walltime of its shortest one.
 */

static bool fair_backfill_searches(const struct fair_backfill *b)
{
	return b->order.sorts && !b->walk.before && !b->walk.group &&
	       !b->phase.by.passes;
}

/* The first job behind that of b->order.resume that fits into @hole. */
static bool fair_backfill_search(struct fair_backfill *b, int64_t now,
				 const struct fair_queue_hole *hole,
				 uint32_t *slot)
{
	const struct fair_queued *j, *best = NULL;
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued last, bound;
	uint32_t row = UINT32_MAX;

	last.rank = b->order.resume;
	last.walltime = b->order.resume_walltime;
	if (last.walltime < 0)
		return false;
	/* Invariant: @best is the first of them before @at. */
	for (; fair_queue_next_short(&b->queue, &at, hole); at.index++) {
		if (row != at.row && best) {
			row = at.row;
			bound = fair_queue_bound(&b->queue, row);
			if (fair_backfill_lxf_before(best, &bound, now)) {
				at.index = FAIR_QUEUE_BLOCK; /* L1 */
				continue;
			}
		}
		j = fair_backfill_job(b, fair_queue_slot(&b->queue, at));
		if ((last.walltime &&
		     !fair_backfill_lxf_before(&last, j, now)) ||
		    (best && !fair_backfill_lxf_before(j, best, now)))
			continue;
		best = j;
		*slot = fair_queue_slot(&b->queue, at);
	}
	if (!best)
		return false;
	b->order.resume = best->rank;
	b->order.resume_walltime = best->walltime;
	return true;
}

/*
 * GROUPS
 *
 * Within a group jobs come by rank. So the first job of all is the first of its
 * group, and a scan changes the priority of the first group only: a heap of
 * groups needs no more than sifting that one.
 */

static struct fair_group *fair_backfill_group(const struct fair_backfill *b,
					      const struct fair_iteration *it,
					      struct fair_queue_place at)
{
	return b->walk.groups +
	       b->walk.group(it->context, fair_queue_slot(&b->queue, at));
}

static int fair_backfill_compare(const struct fair_backfill *b,
				 const struct fair_iteration *it, uint32_t i,
				 uint32_t j)
{
	return b->walk.compare(it->context, b->walk.groups[i].heap,
			       b->walk.groups[j].heap);
}

/* Whether @x comes before @y, whose groups compare as @order; 0: by rank. */
static bool fair_backfill_is_first(const struct fair_backfill *b, int order,
				   uint32_t x, uint32_t y)
{
	return order ? order < 0
		     : fair_rank_is_before(fair_backfill_job(b, x)->rank,
					   fair_backfill_job(b, y)->rank);
}

/* Whether the group at @i of the heap comes before that at @j. */
static bool fair_backfill_group_before(const struct fair_backfill *b,
				       const struct fair_iteration *it,
				       uint32_t i, uint32_t j)
{
	const struct fair_group *g = b->walk.groups;
	int order = fair_backfill_compare(b, it, i, j);

	i = b->order.sorted[g[g[i].heap].next];
	j = b->order.sorted[g[g[j].heap].next];
	return fair_backfill_is_first(b, order, i, j);
}

static void fair_backfill_sift_group(struct fair_backfill *b,
				     const struct fair_iteration *it,
				     uint32_t parent)
{
	struct fair_group *groups = b->walk.groups;
	uint32_t child, group;

	for (; (child = 2 * parent + 1) < b->order.heap; parent = child) {
		if (child + 1 < b->order.heap &&
		    fair_backfill_group_before(b, it, child + 1, child))
			child++;
		if (!fair_backfill_group_before(b, it, child, parent))
			break;
		group = groups[parent].heap;
		groups[parent].heap = groups[child].heap;
		groups[child].heap = group;
	}
}

static void fair_backfill_sift_groups(struct fair_backfill *b,
				      const struct fair_iteration *it)
{
	uint32_t i;

	for (i = b->order.heap / 2; i-- > 0;)
		fair_backfill_sift_group(b, it, i);
	b->order.must_sort = false;
}

/* Restore the heap after a change of the group at 0, the only one that may be
 * without jobs, and out of order unless b->order.must_sort. */
static void fair_backfill_sift_first(struct fair_backfill *b,
				     const struct fair_iteration *it)
{
	struct fair_group *groups = b->walk.groups;
	const struct fair_group *top = groups + groups[0].heap;

	if (top->next == top->ends)
		groups[0].heap = groups[--b->order.heap].heap;
	if (b->order.must_sort)
		fair_backfill_sift_groups(b, it);
	fair_backfill_sift_group(b, it, 0);
	b->order.must_sift = false;
	b->order.strict = (b->order.heap < 2 ||
			   fair_backfill_compare(b, it, 0, 1) < 0) &&
			  (b->order.heap < 3 ||
			   fair_backfill_compare(b, it, 0, 2) < 0);
}

/* While no other group has its priority, the first group stays the first until
 * a start or a reservation changes that priority, or its jobs end. */
static bool fair_backfill_next_of_groups(struct fair_backfill *b,
					 const struct fair_iteration *it,
					 uint32_t *slot)
{
	struct fair_group *top;

	if (b->order.must_sift && b->order.heap)
		fair_backfill_sift_first(b, it);
	if (!b->order.heap)
		return false;
	top = b->walk.groups + b->walk.groups[0].heap;
	*slot = b->order.sorted[top->next++];
	b->order.must_sift = !b->order.strict || top->next == top->ends;
	return true;
}

/* Sort the queue by groups: count the jobs of each, make room, fill it in. */
static void fair_backfill_begin_groups(struct fair_backfill *b,
				       const struct fair_iteration *it)
{
	struct fair_group *groups = b->walk.groups, *g;
	struct fair_queue_place at = { 0, 0 };
	uint32_t i;

	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++)
		fair_backfill_group(b, it, at)->ends = 0;
	at.row = at.index = b->order.heap = 0;
	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++) {
		g = fair_backfill_group(b, it, at);
		if (!g->ends++)
			groups[b->order.heap++].heap = (uint32_t)(g - groups);
	}
	for (i = 0; i < b->order.heap; i++) {
		g = groups + groups[i].heap;
		g->next = b->order.ends;
		b->order.ends += g->ends;
		g->ends = g->next;
	}
	at.row = at.index = 0;
	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++)
		b->order.sorted[fair_backfill_group(b, it, at)->ends++] =
			fair_queue_slot(&b->queue, at);
	fair_backfill_sift_groups(b, it);
	b->order.must_sift = true;
}

static void fair_backfill_begin_pass(struct fair_backfill *b,
				     const struct fair_iteration *it)
{
	struct fair_queue_place at = { 0, 0 };

	b->order.resume.key = INT64_MIN;
	b->order.resume.number = 0;
	b->order.resume_walltime = 0;
	b->order.unsorted = b->order.next = b->order.ends = 0;
	if (!b->order.sorts || fair_backfill_searches(b))
		return;
	if (b->walk.group) {
		fair_backfill_begin_groups(b, it);
		return;
	}
	for (; fair_queue_next_fitting(&b->queue, &at, INT32_MAX); at.index++)
		b->order.sorted[b->order.ends++] =
			fair_queue_slot(&b->queue, at);
	if (b->order.ends > 1)
		b->order.unsorted = b->order.ends / 2 + b->order.ends - 1;
}

/* Whether the job may start, or get a reservation, in this pass. */
static bool fair_backfill_admits(const struct fair_backfill *b,
				 const struct fair_iteration *it, uint32_t slot)
{
	const struct fair_walk *w = &b->walk;

	if ((w->veto && w->veto(it->context, it->now, slot)) ||
	    !fair_backfill_is_allowed(b, it->now, slot))
		return false;
	if (b->phase.by.admits)
		return b->phase.by.admits(it->context, it->now, slot, b->pass);
	return b->pass || !w->gate || w->gate(it->context, it->now, slot);
}

/* The next job in the order of this pass; without sorting, only jobs that fit
 * into @hole. */
static bool fair_backfill_next_in_order(struct fair_backfill *b,
					const struct fair_iteration *it,
					struct fair_queue_place *at,
					const struct fair_queue_hole *hole,
					uint32_t *slot)
{
	if (b->walk.group)
		return fair_backfill_next_of_groups(b, it, slot);
	if (fair_backfill_searches(b))
		return fair_backfill_search(b, it->now, hole, slot);
	if (b->order.sorts) {
		if (b->order.next == b->order.ends)
			return false;
		*slot = b->order.sorted[b->order.next++];
		return true;
	}
	if (!fair_queue_next_short(&b->queue, at, hole))
		return false;
	*slot = fair_queue_slot(&b->queue, *at);
	return true;
}

FAIR_BACKFILL_API bool
fair_backfill_goes_before(const struct fair_backfill *b,
			  const struct fair_iteration *it, uint32_t x,
			  uint32_t y)
{
	const struct fair_backfill_walk walk = { b, it };
	int order = 0;

	if (b->order.sorts && !b->walk.group)
		return fair_backfill_before(&walk, x, y);
	if (b->order.sorts)
		order = b->walk.compare(it->context,
					b->walk.group(it->context, x),
					b->walk.group(it->context, y));
	return fair_backfill_is_first(b, order, x, y);
}
