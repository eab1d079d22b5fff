/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * tree.h - accounts and users with their shares, for --tree FILE
 *
 *	parent,name,shares		parent,name,kind,shares
 *	root,physics,3			root,physics,account,3
 *	physics,ann,1			physics,ann,user,parent
 *
 * A header line, then an account or a user a line, in any order; blank lines
 * and those that begin with # are skipped. Without a kind a name is an account
 * if it is a parent too. An account has one parent, a user may have several.
 * shares are an integer from 0 to 4294967294, or parent. Or the output of
 * sacctmgr -P show assoc format=cluster,account,user,share,parentname; of several
 * clusters one is to be chosen. Errors name file, line and field.
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv.h"

#define TREE_ROOT UINT32_MAX /* as a parent */
#define TREE_NONE UINT32_MAX /* as a node */
#define TREE_PARENT UINT32_MAX /* as shares: those of the parent */
#define TREE_NODES (UINT32_C(1) << 30)
#define TREE_DEPTH 1000 /* accounts below one another */

struct tree_node {
	char *name;
	uint32_t parent, shares;
	bool is_user, is_listed; /* in the file */
	bool is_gone; /* it has used something, and has no share any more */
	long line;
	uint32_t next; /* private: of the same hash */
};

struct tree {
	struct tree_node *node;
	uint32_t nodes, unlisted, gone;
	bool is_exported; /* by sacctmgr: there is nobody else now */
	bool tells_gone;  /* the caller's: who is not in such a file, is gone */
	char error[1024];
	/* private */
	uint32_t *slot, cap, slots;
};

/* Reads @path, "-" for stdin; of a file with a column Cluster only what is of
 * @cluster, unless that is NULL. Returns 0, or -1 with t->error set. */
int tree_read(struct tree *t, const char *path, const char *cluster);

/* The same from memory; @name is for messages. */
int tree_parse(struct tree *t, const char *name, const char *text,
	       size_t bytes, const char *cluster);

/* Also after an error; t->error stays. */
void tree_free(struct tree *t);

/* TREE_NONE without memory. */
uint32_t tree_add(struct tree *t, bool is_user, uint32_t parent,
		  struct csv_field name, uint32_t shares);

/* Of any parent; TREE_NONE: there is none. */
uint32_t tree_account(const struct tree *t, struct csv_field name);

/* The user of that name below an account; TREE_NONE: there is none. */
uint32_t tree_user_below(const struct tree *t, uint32_t account,
			 struct csv_field name);

/*
 * The user of a job: the one below its account; or, if the file has no such
 * account, the only one of that name. Whatever is missing is added, with 1
 * share, a user without an account below the root. With tells_gone and an
 * exported file it is gone: it has no share, and is nobody else. TREE_NONE without
 * memory.
 */
uint32_t tree_user(struct tree *t, struct csv_field account,
		   struct csv_field user);

#endif /* TREE_H */
