/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/fairtree/ranks.h - rank all users
 *
 * Uses: levels.h.
 */

/* Marks of the stack of fair_fairtree_sort(). */
#define FAIR_FAIRTREE_LAST (UINT32_C(1) << 31) /* of its siblings */
#define FAIR_FAIRTREE_TIED (UINT32_C(1) << 30) /* with what is before it */
#define FAIR_FAIRTREE_NUMBER (FAIR_FAIRTREE_TIED - 1)

/* Whether @a is walked before @b: users before accounts that they tie with. */
static bool fair_fairtree_is_before(const struct fair_fairtree *f, uint32_t a,
				    uint32_t b)
{
	int order = fair_fairtree_compare(f, a, b);

	if (!order)
		order = f->node[b].kind - f->node[a].kind;
	return order ? order < 0 : a < b;
}

/* Moves x[i] down a heap of n nodes with the last one on top. */
static void fair_fairtree_sift(const struct fair_fairtree *f, uint32_t *x,
			       uint32_t i, uint32_t n)
{
	uint32_t child, moved = x[i];

	for (; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n &&
		    !fair_fairtree_is_before(f, x[child + 1], x[child]))
			child++;
		if (fair_fairtree_is_before(f, x[child], moved))
			break;
		x[i] = x[child];
	}
	x[i] = moved;
}

/* Sorts nodes for a stack: the first goes on top, at the end. */
static void fair_fairtree_heapsort(const struct fair_fairtree *f, uint32_t *x,
				   uint32_t n)
{
	uint32_t i, first;

	for (i = n / 2; i-- > 0;)
		fair_fairtree_sift(f, x, i, n);
	for (i = n; i-- > 1;) {
		first = x[0];
		x[0] = x[i];
		x[i] = first;
		fair_fairtree_sift(f, x, 0, i);
	}
	/* Now the last one of the walk is at the end. */
	for (i = 0; i < n / 2; i++) {
		first = x[i];
		x[i] = x[n - 1 - i];
		x[n - 1 - i] = first;
	}
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
	fair_fairtree_heapsort(f, stack + base, n - base);
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
