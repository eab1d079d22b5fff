/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/fairtree/heaps.h - the leftist heaps of a level
 *
 * Uses: levels.h.
 */

/* Whether @a with the key @x comes before @b of its level and kind. */
static bool fair_fairtree_is_key_above(const struct fair_fairtree *f,
				       struct fair_fairtree_key x, uint32_t a,
				       uint32_t b)
{
	struct fair_fairtree_key y = fair_fairtree_key_of(f, b);
	int order = fair_fairtree_sign(fair_multiply(y.shares, x.usage),
				       fair_multiply(x.shares, y.usage));

	return order ? order < 0 : a < b;
}

static bool fair_fairtree_is_above(const struct fair_fairtree *f, uint32_t a,
				   uint32_t b)
{
	return fair_fairtree_is_key_above(f, fair_fairtree_key_of(f, a), a, b);
}

static uint32_t fair_fairtree_dist(const struct fair_fairtree *f, uint32_t node)
{
	return node == FAIR_FAIRTREE_NONE ? 0 : f->node[node].dist;
}

/* Restores I5 of a node whose children are heaps. Returns whether its dist has
 * changed. */
static bool fair_fairtree_balance(struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node;
	uint32_t left = n->left, dist = n->dist;

	if (fair_fairtree_dist(f, left) < fair_fairtree_dist(f, n->right)) {
		n->left = n->right;
		n->right = left;
	}
	n->dist = (uint8_t)(fair_fairtree_dist(f, n->right) + 1);
	return n->dist != dist;
}

/* Merges two heaps. The top's up is not set. */
static uint32_t fair_fairtree_meld(struct fair_fairtree *f, uint32_t a,
				   uint32_t b)
{
	uint32_t top = a, last = FAIR_FAIRTREE_NONE, other;

	if (a == FAIR_FAIRTREE_NONE || b == FAIR_FAIRTREE_NONE)
		return a < b ? a : b;
	/* Loop invariant: what is linked below top comes before all of a and b.
	 */
	while (a != FAIR_FAIRTREE_NONE) {
		if (!fair_fairtree_is_above(f, a, b)) {
			other = a;
			a = b;
			b = other;
		}
		f->node[a].up = last;
		if (last == FAIR_FAIRTREE_NONE)
			top = a;
		else
			f->node[last].right = a;
		last = a;
		a = f->node[a].right;
	}
	f->node[last].right = b;
	f->node[b].up = last;
	for (; last != FAIR_FAIRTREE_NONE; last = f->node[last].up)
		(void)fair_fairtree_balance(f, last);
	return top;
}

static uint32_t *fair_fairtree_top(const struct fair_fairtree *f,
				   uint32_t level, uint32_t node)
{
	return &f->list[level].top[f->node[node].kind == FAIR_FAIRTREE_ACCOUNT];
}

/* Puts the heap @by in the place of @node, which is no longer a child. */
static void fair_fairtree_replace(struct fair_fairtree *f, uint32_t level,
				  uint32_t node, uint32_t up, uint32_t by)
{
	uint32_t *link = fair_fairtree_top(f, level, node);

	if (up != FAIR_FAIRTREE_NONE)
		link = f->node[up].left == node ? &f->node[up].left
						: &f->node[up].right;
	*link = by;
	if (by != FAIR_FAIRTREE_NONE)
		f->node[by].up = up;
	/* Each turn but the last changes a dist, which is at most 31. */
	while (up != FAIR_FAIRTREE_NONE && fair_fairtree_balance(f, up))
		up = f->node[up].up;
}

static void fair_fairtree_unlink(struct fair_fairtree_node *n)
{
	n->left = n->right = n->up = FAIR_FAIRTREE_NONE;
	n->dist = 1;
}

/* Adds a node that is in no heap. */
static void fair_fairtree_push(struct fair_fairtree *f, uint32_t level,
			       uint32_t node)
{
	uint32_t *top = fair_fairtree_top(f, level, node);

	*top = fair_fairtree_meld(f, *top, node);
	f->node[*top].up = FAIR_FAIRTREE_NONE;
}

static void fair_fairtree_pull(struct fair_fairtree *f, uint32_t level,
			       uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node;
	uint32_t rest = fair_fairtree_meld(f, n->left, n->right);

	fair_fairtree_replace(f, level, node, n->up, rest);
	fair_fairtree_unlink(n);
}

/* Restores the heap after the usage of a node that has a left child grew. */
static void fair_fairtree_sink(struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node;
	struct fair_fairtree_key key = fair_fairtree_key_of(f, node);
	uint32_t up = n->up, rest;

	if (fair_fairtree_is_key_above(f, key, node, n->left) &&
	    (n->right == FAIR_FAIRTREE_NONE ||
	     fair_fairtree_is_key_above(f, key, node, n->right)))
		return;
	rest = fair_fairtree_meld(f, n->left, n->right);
	fair_fairtree_unlink(n);
	rest = fair_fairtree_meld(f, rest, node);
	fair_fairtree_replace(f, fair_fairtree_level(f, node), node, up, rest);
}

/* A node of a level begins to wait, and so perhaps do the accounts above. */
static void fair_fairtree_enter(struct fair_fairtree *f, uint32_t level,
				uint32_t node)
{
	bool waited;

	do {
		waited = f->node[level].waits;
		f->node[level].waits = true;
		fair_fairtree_push(f, level, node);
		node = level;
		if (node == f->nodes)
			return;
		level = fair_fairtree_level(f, node);
	} while (!waited);
}

static void fair_fairtree_leave(struct fair_fairtree *f, uint32_t level,
				uint32_t node)
{
	const struct fair_fairtree_list *l;

	for (;;) {
		fair_fairtree_pull(f, level, node);
		l = f->list + level;
		f->node[level].waits = l->top[0] != FAIR_FAIRTREE_NONE ||
				       l->top[1] != FAIR_FAIRTREE_NONE;
		if (f->node[level].waits || level == f->nodes)
			return;
		node = level;
		level = fair_fairtree_level(f, node);
	}
}
