/* SPDX-License-Identifier: MIT OR Unlicense */
#include "behind.h"

#include <inttypes.h>
#include <stdio.h>

/* "account physics has used 61 % of root and has 25 % of its shares" */
static void put_part(const struct tree *t, const struct fair_why *w, int i,
		     char *text, size_t room)
{
	const struct fair_tree_why *x = &w->tree;
	const struct tree_node *n = t->node + x->node[i];
	const double one = (double)FAIR_USAGE_POINT;

	snprintf(text, room,
		 "%s %s has used %.0f %% of %s and has %.0f %% of its shares",
		 n->is_user ? "user" : "account", n->name,
		 (double)x->part[i].used / one,
		 x->account[i] == FAIR_FAIRTREE_ROOT
			 ? "root"
			 : t->node[x->account[i]].name,
		 (double)x->part[i].owed / one);
}

const char *behind_text(const struct tree *t, const struct fair_why *w,
			char *text, size_t room)
{
	char part[2][512];
	int i;

	for (i = 0; i < 2; i++)
		put_part(t, w, i, part[i], sizeof(part[i]));
	snprintf(text, room,
		 "Job %" PRIu64 " of user %s is behind job %" PRIu64
		 " of user %s: %s%s%s.",
		 w->job.number, t->node[w->job.user].name, w->tree.first,
		 t->node[w->tree.user].name,
		 w->tree.tie ? "they share a rank, and it was submitted first"
			     : part[0],
		 w->tree.tie ? "" : ", ", w->tree.tie ? "" : part[1]);
	return text;
}
