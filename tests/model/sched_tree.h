/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_tree.h - the usage of the accounts and users of a tree, for
 * sched_model.c
 *
 * Charges are computed by the formulas of the manual of fairtree.h, with
 * long double; for each comparison of two users all ranks are found afresh.
 */
#ifndef SCHED_TREE_H
#define SCHED_TREE_H

#include <stdint.h>

#include "sched_model.h"

struct sched_tree;

struct sched_tree *sched_tree_new(const struct model_rules *rules);
struct sched_tree *sched_tree_copy(const struct sched_tree *s);
void sched_tree_free(struct sched_tree *s);

/* Charges the walltime of a job that starts, @rate for each second. */
void sched_tree_start(struct sched_tree *s, uint32_t number, uint32_t user,
		      int64_t rate, int64_t walltime, int64_t now);
void sched_tree_walltime(struct sched_tree *s, uint32_t number,
			 int64_t walltime, int64_t now);
/* Charges the real run time instead. Ignores a job that does not run. */
void sched_tree_leave(struct sched_tree *s, uint32_t number, int64_t now);

void sched_tree_reset(struct sched_tree *s);
void sched_tree_set_half_life(struct sched_tree *s, int64_t half_life,
			      int64_t now);

/* -1 if a has the higher rank, 1 if b has, else 0. */
int sched_tree_compare(struct sched_tree *s, uint32_t a, uint32_t b,
		       int64_t now);

/* 100 * rank / users in 2^-20, rounded down. */
int64_t sched_tree_points(struct sched_tree *s, uint32_t user, int64_t now);

/* The account above a node; the number of nodes is the root, or none. */
uint32_t sched_tree_above(const struct sched_tree *s, uint32_t node);
bool sched_tree_has_account(const struct sched_tree *s, uint32_t node);
uint32_t sched_tree_nodes(const struct sched_tree *s);

/* See model_change_tree(). */
bool sched_tree_change(struct sched_tree *s, const struct model_tree_change *c,
		       int64_t now);

#endif /* SCHED_TREE_H */
