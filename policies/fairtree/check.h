/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/fairtree/check.h - are the invariants kept?
 *
 * Uses: levels.h, heaps.h.
 */

/* I2 of one level; @seen counts its nodes. */
static bool fair_fairtree_has_valid_list(const struct fair_fairtree *f,
					 uint32_t level, uint32_t *seen)
{
	uint32_t i = f->list[level].first, prev = FAIR_FAIRTREE_NONE;

	for (; i != FAIR_FAIRTREE_NONE; prev = i, i = f->list[i].next) {
		if (!fair_fairtree_is_node(f, i) || f->list[i].prev != prev ||
		    fair_fairtree_level(f, i) != level)
			return false;
		++*seen;
	}
	return true;
}

/* I2: prev tells the places of a list apart, so none is there twice. Only
 * accounts have a list. */
static bool fair_fairtree_has_valid_lists(const struct fair_fairtree *f)
{
	uint32_t i, nodes = 0, seen = 0;

	for (i = 0; i <= f->nodes; i++) {
		nodes += fair_fairtree_is_node(f, i);
		if (!fair_fairtree_has_valid_list(f, i, &seen))
			return false;
	}
	return nodes == seen;
}

/* I3 of one account */
static bool fair_fairtree_has_valid_sums(const struct fair_fairtree *f,
					 uint32_t account)
{
	const struct fair_fairtree_node *a = f->node + account, *n;
	uint32_t i = f->list[fair_fairtree_level_below(f, account)].first;
	uint64_t shares = 0, usage = 0, held = 0;
	uint32_t users = 0;

	for (; i != FAIR_FAIRTREE_NONE; i = f->list[i].next) {
		n = f->node + i;
		shares += fair_fairtree_counted(n->shares);
		if (n->parent != account)
			continue;
		users += n->kind == FAIR_FAIRTREE_USER ? 1 : f->list[i].users;
		if (n->usage > INT64_MAX - usage)
			return false;
		usage += n->usage;
		held += f->list[i].held;
	}
	if (fair_fairtree_is_lifted(f, account))
		shares = 0;
	return f->list[account].level_shares == shares &&
	       f->list[account].users == users &&
	       f->list[account].held == held &&
	       a->usage >= usage && a->usage <= INT64_MAX;
}

/* Whether @child of a heap is one of @node's. */
static bool fair_fairtree_has_valid_child(const struct fair_fairtree *f,
					  uint32_t node, uint32_t child)
{
	return child == FAIR_FAIRTREE_NONE ||
	       (fair_fairtree_is_node(f, child) && f->node[child].up == node &&
		f->node[child].waits &&
		f->node[child].kind == f->node[node].kind &&
		fair_fairtree_level(f, child) == fair_fairtree_level(f, node));
}

/* I4 of a node: whether it is in a heap if it waits. */
static bool fair_fairtree_has_valid_place(const struct fair_fairtree *f,
					  uint32_t node)
{
	const struct fair_fairtree_node *n = f->node + node, *up;

	if (!n->waits)
		return n->left == FAIR_FAIRTREE_NONE &&
		       n->right == FAIR_FAIRTREE_NONE;
	if (!fair_fairtree_has_valid_child(f, node, n->left) ||
	    !fair_fairtree_has_valid_child(f, node, n->right))
		return false;
	if (n->up == FAIR_FAIRTREE_NONE)
		return *fair_fairtree_top(f, fair_fairtree_level(f, node),
					  node) == node;
	if (!fair_fairtree_is_node(f, n->up))
		return false;
	up = f->node + n->up;
	return up->left == node || up->right == node;
}

/* I3: what is provisionally charged is in the usage, and stays below 2^63. */
static bool fair_fairtree_has_valid_charges(const struct fair_fairtree *f,
					    uint32_t node)
{
	uint64_t held = f->list[node].held, usage = f->node[node].usage;
	uint64_t most = UINT64_C(2) << f->bits;

	return !held || (held <= (uint64_t)INT64_MAX >> (f->bits + 1) &&
			 usage >= held * f->weight &&
			 usage - held * f->weight + held * most <= INT64_MAX);
}

/* I4 of an account */
static bool fair_fairtree_has_valid_tops(const struct fair_fairtree *f,
					 uint32_t account)
{
	const struct fair_fairtree_list *a = f->list + account;
	uint32_t kind, top;

	for (kind = 0; kind < 2; kind++) {
		top = a->top[kind];
		if (top == FAIR_FAIRTREE_NONE)
			continue;
		if (!fair_fairtree_is_node(f, top) || !f->node[top].waits ||
		    f->node[top].up != FAIR_FAIRTREE_NONE ||
		    fair_fairtree_top(f, account, top) != &a->top[kind] ||
		    fair_fairtree_level(f, top) != account)
			return false;
	}
	return f->node[account].waits == (a->top[0] != FAIR_FAIRTREE_NONE ||
					  a->top[1] != FAIR_FAIRTREE_NONE);
}

/* I5 */
static bool fair_fairtree_has_valid_order(const struct fair_fairtree *f,
					  uint32_t node)
{
	const struct fair_fairtree_node *n = f->node + node;
	uint32_t left = fair_fairtree_dist(f, n->left);
	uint32_t right = fair_fairtree_dist(f, n->right);

	return left >= right && n->dist == right + 1 &&
	       (!left || fair_fairtree_is_above(f, node, n->left)) &&
	       (!right || fair_fairtree_is_above(f, node, n->right));
}

static bool fair_fairtree_is_account(const struct fair_fairtree *f,
				     uint32_t node)
{
	return f->node[node].kind == FAIR_FAIRTREE_ACCOUNT;
}

FAIR_FAIRTREE_API int fair_fairtree_check(const struct fair_fairtree *f)
{
	uint32_t i;

	if (!fair_fairtree_has_valid_ways(f))
		return 1;
	if (!fair_fairtree_has_valid_lists(f))
		return 2;
	for (i = 0; i <= f->nodes; i++)
		if ((fair_fairtree_is_account(f, i) &&
		     !fair_fairtree_has_valid_sums(f, i)) ||
		    !fair_fairtree_has_valid_charges(f, i))
			return 3;
	for (i = 0; i <= f->nodes; i++)
		if ((fair_fairtree_is_account(f, i) &&
		     !fair_fairtree_has_valid_tops(f, i)) ||
		    (fair_fairtree_is_node(f, i) &&
		     !fair_fairtree_has_valid_place(f, i)))
			return 4;
	for (i = 0; i < f->nodes; i++)
		if (fair_fairtree_is_node(f, i) &&
		    !fair_fairtree_has_valid_order(f, i))
			return 5;
	return 0;
}
