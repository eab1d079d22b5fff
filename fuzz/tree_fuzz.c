/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * tree_fuzz.c - the reader of trees of accounts and users
 *
 * It must not crash, and what it accepts is a tree: every way up leads over
 * accounts to the root, no account is there twice, no user twice below one
 * account. Then users of jobs are looked up: each has a place, and keeps it.
 */
#include <string.h>

#include "fuzz.h"
#include "tools/fairsched/trace/tree.h"

static void check_node(const struct tree *t, uint32_t i)
{
	const struct tree_node *n = t->node + i;
	uint32_t above = n->parent, steps = 0;

	FUZZ_ASSERT(*n->name);
	while (above != TREE_ROOT) {
		FUZZ_ASSERT(above < t->nodes && !t->node[above].is_user);
		FUZZ_ASSERT(++steps <= t->nodes);
		above = t->node[above].parent;
	}
	if (!n->is_user)
		FUZZ_ASSERT(tree_account(t, csv_column(n->name)) == i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csv_field account, user;
	uint32_t i, place, nodes;
	struct tree t;

	if (tree_parse(&t, "fuzz", (const char *)data, size, NULL)) {
		FUZZ_ASSERT(t.error[0] && !t.node);
		return 0;
	}
	nodes = t.nodes;
	for (i = 0; i < nodes; i++) {
		FUZZ_ASSERT(t.node[i].is_listed && t.node[i].line > 1);
		check_node(&t, i);
	}
	for (i = 0; i < nodes && i < 100; i++) {
		account = csv_column(t.node[nodes - 1 - i].name);
		user = csv_column(t.node[i].name);
		place = tree_user(&t, account, user);
		FUZZ_ASSERT(place < t.nodes && t.node[place].is_user);
		FUZZ_ASSERT(tree_user(&t, account, user) == place);
		check_node(&t, place);
	}
	FUZZ_ASSERT(t.nodes == nodes + t.unlisted);
	tree_free(&t);
	return 0;
}
