/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/fairtree/levels.h - nodes, and the order of siblings
 *
 * Uses: nothing.
 */

static bool fair_fairtree_is(const struct fair_fairtree *f, uint32_t node,
			     enum fair_fairtree_kind kind)
{
	return node < f->nodes && f->node[node].kind == (uint8_t)kind;
}

static bool fair_fairtree_is_node(const struct fair_fairtree *f, uint32_t node)
{
	return node < f->nodes && f->node[node].kind != FAIR_FAIRTREE_FREE;
}

/* An account without shares of its own: its level is above it. */
static bool fair_fairtree_is_lifted(const struct fair_fairtree *f,
				    uint32_t node)
{
	return f->node[node].shares == FAIR_FAIRTREE_PARENT &&
	       f->node[node].kind == FAIR_FAIRTREE_ACCOUNT;
}

/* The account whose level the children of @account are in. */
static uint32_t fair_fairtree_level_below(const struct fair_fairtree *f,
					  uint32_t account)
{
	while (fair_fairtree_is_lifted(f, account))
		account = f->node[account].parent;
	return account;
}

static uint32_t fair_fairtree_level(const struct fair_fairtree *f,
				    uint32_t node)
{
	return fair_fairtree_level_below(f, f->node[node].parent);
}

/* Whether a node takes part in the order of its level. */
static bool fair_fairtree_is_ranked(const struct fair_fairtree *f,
				    uint32_t node)
{
	return f->node[node].kind == FAIR_FAIRTREE_USER ||
	       (f->list[node].users && !fair_fairtree_is_lifted(f, node));
}

static uint32_t fair_fairtree_counted(uint32_t shares)
{
	return shares == FAIR_FAIRTREE_PARENT ? 0 : shares;
}

/* THE ORDER OF SIBLINGS */

/* Shares and usage, as if zero shares had used something. */
struct fair_fairtree_key {
	uint64_t shares, usage;
};

static struct fair_fairtree_key
fair_fairtree_key_of(const struct fair_fairtree *f, uint32_t node)
{
	const struct fair_fairtree_node *n = f->node + node;
	struct fair_fairtree_key key;

	key.shares = n->shares;
	key.usage = n->shares == FAIR_FAIRTREE_PARENT ? 0
		    : n->shares			      ? n->usage
						      : n->usage | 1;
	return key;
}

/* The sign of the difference of two products. */
static int fair_fairtree_sign(struct fair_wide a, struct fair_wide b)
{
	return fair_wide_less(b, a) - fair_wide_less(a, b);
}

/* -1 if @a of the same level as @b has the larger level fair share; 0: a tie.
 * Zero usage against zero shares is 0 * 0 against shares * usage. */
static int fair_fairtree_compare_siblings(const struct fair_fairtree *f,
					  uint32_t a, uint32_t b)
{
	struct fair_fairtree_key x = fair_fairtree_key_of(f, a);
	struct fair_fairtree_key y = fair_fairtree_key_of(f, b);

	return fair_fairtree_sign(fair_multiply(y.shares, x.usage),
				  fair_multiply(x.shares, y.usage));
}

/* a * b, the lowest word first */
static void fair_fairtree_product(struct fair_wide a, struct fair_wide b,
				  uint64_t product[4])
{
	struct fair_wide low = fair_multiply(a.low, b.low);
	struct fair_wide high = fair_multiply(a.high, b.high);
	struct fair_wide cross[2];
	int i;

	cross[0] = fair_multiply(a.low, b.high);
	cross[1] = fair_multiply(a.high, b.low);
	product[0] = low.low;
	product[1] = low.high;
	product[2] = high.low;
	product[3] = high.high;
	for (i = 0; i < 2; i++) {
		product[1] += cross[i].low;
		cross[i].high += product[1] < cross[i].low; /* < 2^64 */
		product[2] += cross[i].high;
		product[3] += product[2] < cross[i].high;
	}
}

/* Usage above and shares: the numerator of the level fair share is shares *
 * usage of all siblings, the denominator usage * shares of all siblings. */
static int fair_fairtree_compare_finite(const struct fair_fairtree *f,
					uint32_t a, uint32_t b)
{
	uint32_t p = fair_fairtree_level(f, a), q = fair_fairtree_level(f, b);
	uint64_t x[4], y[4];
	int i = 3;

	fair_fairtree_product(
		fair_multiply(f->node[a].shares, f->list[q].level_shares),
		fair_multiply(f->node[p].usage, f->node[b].usage), x);
	fair_fairtree_product(
		fair_multiply(f->node[b].shares, f->list[p].level_shares),
		fair_multiply(f->node[q].usage, f->node[a].usage), y);
	while (i && x[i] == y[i])
		i--;
	return (x[i] < y[i]) - (x[i] > y[i]);
}

/* 0: unlimited, it has used nothing; 1; 2: zero shares */
static int fair_fairtree_kind(const struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_key key = fair_fairtree_key_of(f, node);

	return !key.shares ? 2 : key.usage != 0;
}

/* The same for nodes of any two levels. */
static int fair_fairtree_compare(const struct fair_fairtree *f, uint32_t a,
				 uint32_t b)
{
	int x, y;

	if (fair_fairtree_level(f, a) == fair_fairtree_level(f, b))
		return fair_fairtree_compare_siblings(f, a, b);
	x = fair_fairtree_kind(f, a);
	y = fair_fairtree_kind(f, b);
	if (x != 1 || y != 1)
		return (x > y) - (x < y);
	return fair_fairtree_compare_finite(f, a, b);
}

static bool fair_fairtree_ties(const struct fair_fairtree *f, uint32_t a,
			       uint32_t b)
{
	return a != FAIR_FAIRTREE_NONE && fair_fairtree_compare(f, a, b) == 0;
}

static uint32_t fair_fairtree_depth(const struct fair_fairtree *f,
				    uint32_t node)
{
	uint32_t depth = 0;

	for (; node != f->nodes; node = fair_fairtree_level(f, node))
		depth++;
	return depth;
}

/* INVARIANTS */

/* I1 */
static bool fair_fairtree_has_valid_ways(const struct fair_fairtree *f)
{
	uint32_t i, node, steps;

	for (i = 0; i < f->nodes; i++) {
		node = i;
		for (steps = 0; f->node[i].kind && node != f->nodes; steps++) {
			node = f->node[node].parent;
			if (node > f->nodes || steps == f->nodes ||
			    f->node[node].kind != FAIR_FAIRTREE_ACCOUNT)
				return false;
		}
	}
	return f->node[f->nodes].shares != FAIR_FAIRTREE_PARENT;
}
