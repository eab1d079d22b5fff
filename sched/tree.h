/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/tree.h - change the tree of FAIR_ORDER_TREE in a running scheduler
 *
 *   test the time and the numbers --> policies/fairtree.h --> decide again
 *
 * Usage is kept: policies/fairtree.h says where.
 *
 * Uses: entities.h, limit.h.
 */

#ifndef FAIRSCHED_WITHOUT_TREE

/* The tree; *error: 0, or why no event may change it at @now. */
static struct fair_fairtree *fair_sched_tree_at(struct fair_sched *s,
						int64_t now, int *error)
{
	*error = fair_sched_validate_time(s, now);
	if (!*error && !fair_sched_tree(s))
		*error = -FAIR_EINVAL;
	return (struct fair_fairtree *)(uintptr_t)fair_sched_tree(s);
}

/* 0, or -FAIR_ENOENT if a node or a parent does not exist. */
static int fair_sched_validate_node(const struct fair_fairtree *f,
				    uint32_t node)
{
	return fair_fairtree_has_user(f, node) ||
			       fair_fairtree_has_account(f, node)
		       ? 0
		       : -FAIR_ENOENT;
}

static int fair_sched_validate_parent(const struct fair_fairtree *f,
				      uint32_t parent)
{
	return parent == FAIR_FAIRTREE_ROOT ||
			       fair_fairtree_has_account(f, parent)
		       ? 0
		       : -FAIR_ENOENT;
}

#ifndef FAIRSCHED_WITHOUT_LIMITS
/* Whether an account of the tree has a limit. */
static bool fair_sched_has_tree_limits(const struct fair_sched *s)
{
	uint32_t r;

	for (r = 0; s->limits && r < FAIR_LIMIT_RESOURCES; r++)
		if (fair_quotas_counts(s->limits,
				       fair_limit_what(FAIR_LIMIT_TREE, r)))
			return true;
	return false;
}
#endif /* FAIRSCHED_WITHOUT_LIMITS */

/* The tree was changed at @now, unless there was an @error. */
static int fair_sched_tree_changed(struct fair_sched *s, int64_t now, int error)
{
	if (error)
		return error;
	fair_sched_advance_time(s, now);
	fair_ledgers_notify(s, FAIR_LEDGER_TIME, 0, 0);
	fair_planner_replan(s);
	return 0;
}

FAIRSCHED_API int fair_sched_tree_add_account(struct fair_sched *s, int64_t now,
					      uint32_t node, uint32_t parent,
					      uint32_t shares)
{
	int error;
	struct fair_fairtree *f = fair_sched_tree_at(s, now, &error);

	if (!error)
		error = fair_sched_validate_parent(f, parent);
	if (!error)
		error = fair_fairtree_add_account(f, node, parent, shares);
	return fair_sched_tree_changed(s, now, error);
}

FAIRSCHED_API int fair_sched_tree_add_user(struct fair_sched *s, int64_t now,
					   uint32_t node, uint32_t parent,
					   uint32_t shares)
{
	int error;
	struct fair_fairtree *f = fair_sched_tree_at(s, now, &error);

	if (!error)
		error = fair_sched_validate_parent(f, parent);
	if (!error)
		error = fair_fairtree_add_user(f, node, parent, shares);
	return fair_sched_tree_changed(s, now, error);
}

FAIRSCHED_API int fair_sched_tree_remove(struct fair_sched *s, int64_t now,
					 uint32_t node)
{
	int error;
	struct fair_fairtree *f = fair_sched_tree_at(s, now, &error);

	if (!error)
		error = fair_sched_validate_node(f, node);
	if (!error && fair_sched_has_job_of(s, FAIR_ENTITY_USER, node))
		error = -FAIR_EINVAL;
	if (!error)
		error = fair_fairtree_remove(f, node);
	if (!error)
		fair_sched_drop_limits(s, true, FAIR_ENTITY_USER, node);
	return fair_sched_tree_changed(s, now, error);
}

FAIRSCHED_API int fair_sched_tree_move(struct fair_sched *s, int64_t now,
				       uint32_t node, uint32_t parent)
{
	int error;
	struct fair_fairtree *f = fair_sched_tree_at(s, now, &error);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	bool limited = fair_sched_has_tree_limits(s);
#endif /* FAIRSCHED_WITHOUT_LIMITS */

	if (!error)
		error = fair_sched_validate_node(f, node);
	if (!error)
		error = fair_sched_validate_parent(f, parent);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (!error && limited &&
	    fair_limit_most_levels(s->limits, f, node) -
			    fair_limit_levels(s->limits, f,
					      fair_limit_above(f, node)) +
			    fair_limit_levels(s->limits, f, parent) >
		    FAIR_LIMIT_LEVELS)
		error = -FAIR_ENOSPC;
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	if (!error)
		error = fair_fairtree_move(f, node, parent);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (!error && limited)
		fair_sched_rejoin_limits(s);
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	error = fair_sched_tree_changed(s, now, error);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (!error && limited) {
		fair_sched_revoke_budgets(s, NULL);
		fair_sched_apply_limit(s, true, true);
	}
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	return error;
}

FAIRSCHED_API int fair_sched_tree_set_shares(struct fair_sched *s, int64_t now,
					     uint32_t node, uint32_t shares)
{
	int error;
	struct fair_fairtree *f = fair_sched_tree_at(s, now, &error);

	if (!error)
		error = fair_sched_validate_node(f, node);
	if (!error)
		error = fair_fairtree_set_shares(f, node, shares);
	return fair_sched_tree_changed(s, now, error);
}

#endif /* FAIRSCHED_WITHOUT_TREE */
