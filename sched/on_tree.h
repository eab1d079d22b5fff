/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/on_tree.h - the tree of accounts of FAIR_ORDER_TREE
 *
 * Uses: types.h.
 */

/**
 * fair_sched_tree() - FAIR_ORDER_TREE: the tree, running jobs provisionally
 * charged. As config.tree of a conversion it keeps its usage.
 * Return: NULL under another order. Any change of the scheduler changes it.
 */
FAIRSCHED_API const struct fair_fairtree *
fair_sched_tree(const struct fair_sched *s);

#ifndef FAIRSCHED_WITHOUT_TREE

/** fair_sched_tree_unit() - its usage for a processor-second, 1 to 2^20; 0: of
 * a half-life that no configuration of a tree has. */
FAIRSCHED_API int64_t fair_sched_tree_unit(const struct fair_config *config);

/**
 * fair_sched_tree_add_account() - FAIR_ORDER_TREE: add an account to the tree.
 * @node:   its number, below config.users, not in use: fair_job.user of a user
 * @parent: an account, or FAIR_FAIRTREE_ROOT
 * @shares: see policies/fairtree.h
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT if @parent does not exist; -FAIR_EINVAL,
 * also under another order. Complexity: O(1) beside that of an event.
 */
FAIRSCHED_API int fair_sched_tree_add_account(struct fair_sched *s, int64_t now,
					      uint32_t node, uint32_t parent,
					      uint32_t shares);

/** fair_sched_tree_add_user() - Return: as fair_sched_tree_add_account(). */
FAIRSCHED_API int fair_sched_tree_add_user(struct fair_sched *s, int64_t now,
					   uint32_t node, uint32_t parent,
					   uint32_t shares);

/**
 * fair_sched_tree_remove() - remove a user without live jobs, or an account
 * without children. What it has used stays in the accounts above it.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL.
 * Complexity: O(live jobs), and fair_fairtree_remove().
 */
FAIRSCHED_API int fair_sched_tree_remove(struct fair_sched *s, int64_t now,
					 uint32_t node);

/**
 * fair_sched_tree_move() - move a node, with all below it and what that has
 * used, to another account.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT if one does not exist; -FAIR_EINVAL if
 * @parent is below @node, and as above; -FAIR_ENOSPC: see FAIR_LIMIT_LEVELS.
 * Complexity: fair_fairtree_move(); with limits of accounts as a limit's.
 */
FAIRSCHED_API int fair_sched_tree_move(struct fair_sched *s, int64_t now,
				       uint32_t node, uint32_t parent);

/**
 * fair_sched_tree_set_shares() - give a node other shares. Return: 0;
 * -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL. Cost: fair_fairtree_set_shares().
 */
FAIRSCHED_API int fair_sched_tree_set_shares(struct fair_sched *s, int64_t now,
					     uint32_t node, uint32_t shares);

#endif /* FAIRSCHED_WITHOUT_TREE */
