/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/fairtree/compare.h - which of two users is served first
 *
 * Uses: levels.h.
 */

/* @user, or the account above it at @depth: 1 is below the root. */
static uint32_t fair_fairtree_at_depth(const struct fair_fairtree *f,
				       uint32_t user, uint32_t depth)
{
	uint32_t i = fair_fairtree_depth(f, user);

	for (; i > depth; i--)
		user = fair_fairtree_level(f, user);
	return user;
}

/* Whether a child of accounts that tie with those above @user comes before the
 * one at @depth: a walk over all nodes of that depth. */
static bool fair_fairtree_is_passed(const struct fair_fairtree *f,
				    uint32_t user, uint32_t depth)
{
	uint32_t at = 1, i = f->list[f->nodes].first, next;
	int order;

	while (i != FAIR_FAIRTREE_NONE) {
		order = fair_fairtree_is_ranked(f, i)
				? fair_fairtree_compare(
					  f, i,
					  fair_fairtree_at_depth(f, user, at))
				: 1;
		if (order < 0 && at == depth)
			return true;
		next = !order && at < depth ? f->list[i].first
					    : FAIR_FAIRTREE_NONE;
		if (next != FAIR_FAIRTREE_NONE)
			at++;
		else
			next = f->list[i].next;
		/* Loop invariant: all below i, and before it, were seen. */
		while (next == FAIR_FAIRTREE_NONE && at > 1) {
			i = fair_fairtree_level(f, i);
			next = f->list[i].next;
			at--;
		}
		i = next;
	}
	return false;
}

/* Whether @user has the best rank below the account above it at @depth, and
 * those that tie with that. */
static bool fair_fairtree_is_best(const struct fair_fairtree *f, uint32_t user,
				  uint32_t depth)
{
	uint32_t deepest = fair_fairtree_depth(f, user);

	while (depth++ < deepest)
		if (fair_fairtree_is_passed(f, user, depth))
			return false;
	return true;
}

/* Walks down from where the ways to @a and @b part, as long as accounts tie. */
static int fair_fairtree_decide(const struct fair_fairtree *f, uint32_t a,
				uint32_t b, uint32_t *x, uint32_t *y)
{
	uint32_t depth;
	int order;

	fair_must(fair_fairtree_branch(f, a, b, x, y));
	for (depth = fair_fairtree_depth(f, *x);; depth++) {
		order = fair_fairtree_compare(f, *x, *y);
		if (order)
			return order;
		if (*x == a || *y == b)
			break;
		*x = fair_fairtree_at_depth(f, a, depth + 1);
		*y = fair_fairtree_at_depth(f, b, depth + 1);
	}
	if (*x != a)
		return fair_fairtree_is_best(f, a, depth) ? 0 : 1;
	return fair_fairtree_is_best(f, b, depth) ? 0 : -1;
}

FAIR_FAIRTREE_API int
fair_fairtree_compare_users(const struct fair_fairtree *f, uint32_t a,
			    uint32_t b, uint32_t *x, uint32_t *y)
{
	uint32_t i = a, k = b;
	int order = a == b ? 0 : fair_fairtree_decide(f, a, b, &i, &k);

	if (x) {
		*x = i;
		*y = k;
	}
	return order;
}
