/* SPDX-License-Identifier: MIT OR Unlicense */
/* priority_tree.h - priority --order tree: each queued job's rank, and why */
#ifndef PRIORITY_TREE_H
#define PRIORITY_TREE_H

#include "snapshot.h"

/* Returns the exit status. */
int priority_by_tree(const struct command *c, const struct snapshot_args *args,
		     const char *path, const char *json);

#endif /* PRIORITY_TREE_H */
