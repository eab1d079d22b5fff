/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/fairtree/ranks.h - rank all users
 *
 * Uses: levels.h.
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

/* Marks of the stack of fair_fairtree_sort(). */
#define FAIR_FAIRTREE_LAST (UINT32_C(1) << 31) /* of its siblings */
#define FAIR_FAIRTREE_TIED (UINT32_C(1) << 30) /* with what is before it */
#define FAIR_FAIRTREE_NUMBER (FAIR_FAIRTREE_TIED - 1)

/* Whether @a is walked after @b, and lies below it on a stack: users are walked
 * before accounts that they tie with. */
static bool fair_fairtree_is_below(const void *context, uint32_t a, uint32_t b)
{
	const struct fair_fairtree *f = (const struct fair_fairtree *)context;
	int order = fair_fairtree_compare(f, a, b);

	if (!order)
		order = f->node[b].kind - f->node[a].kind;
	return order > 0;
}

/* Pushes the children of accounts that tie, which rank[] links. */
static uint32_t fair_fairtree_push_children(struct fair_fairtree *f,
					    uint32_t account, uint32_t n,
					    uint32_t tied)
{
	uint32_t *stack = f->scratch, base = n, i;

	for (; account != FAIR_FAIRTREE_NONE; account = f->rank[account])
		for (i = f->list[account].first; i != FAIR_FAIRTREE_NONE;
		     i = f->list[i].next)
			if (fair_fairtree_is_ranked(f, i))
				stack[n++] = i;
	fair_sort(stack + base, n - base, fair_fairtree_is_below, f);
	for (i = base; i + 1 < n; i++)
		if (fair_fairtree_ties(f, stack[i], stack[i + 1]))
			stack[i] |= FAIR_FAIRTREE_TIED;
	stack[n - 1] |= tied;
	stack[base] |= FAIR_FAIRTREE_LAST;
	return n;
}

FAIR_FAIRTREE_API void fair_fairtree_sort(struct fair_fairtree *f)
{
	uint32_t *stack = f->scratch, n = 0, node, item, account;
	uint32_t place = fair_fairtree_users(f), rank = place;

	if (!place)
		return;
	f->rank[f->nodes] = FAIR_FAIRTREE_NONE;
	n = fair_fairtree_push_children(f, f->nodes, n, 0);
	while (n) {
		item = stack[--n];
		node = item & FAIR_FAIRTREE_NUMBER;
		if (f->node[node].kind == FAIR_FAIRTREE_USER) {
			if (!(item & FAIR_FAIRTREE_TIED))
				rank = place;
			f->rank[node] = rank;
			place--;
			continue;
		}
		/* Siblings that tie with an account are accounts. */
		f->rank[node] = FAIR_FAIRTREE_NONE;
		for (account = node; !(item & FAIR_FAIRTREE_LAST) &&
				     stack[n - 1] & FAIR_FAIRTREE_TIED;) {
			uint32_t other = stack[--n];

			item |= other & FAIR_FAIRTREE_LAST;
			other &= FAIR_FAIRTREE_NUMBER;
			f->rank[other] = account;
			account = other;
		}
		n = fair_fairtree_push_children(f, account, n,
						item & FAIR_FAIRTREE_TIED);
	}
}

FAIR_FAIRTREE_API uint32_t fair_fairtree_rank(const struct fair_fairtree *f,
					      uint32_t user)
{
	return f->rank[user];
}
