/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * limits.h - limits that plans and promises keep, for --limits FILE
 *
 *	kind,name,resource,amount
 *	user,*,processors,40
 *	user,ann,processors,128
 *	account,physics,jobs,10
 *	qos,short,processors,256
 *	qos-user,short,gpus,4
 *	tree,faculty,memory,2T
 *
 * A header line names the columns, in any order; then each line is the most
 * that the jobs of a user, group, account, QoS or queue hold at one time, in
 * jobs, in processors, in another resource of --machine with --plan, or in cost
 * with --billing. A budget is the most in all, in processor-seconds or, with
 * --billing, in cost. Of kind
 * qos-user, account-user, group-user or queue-user each user has as much within
 * that QoS, account, ...; an account of kind tree has it with all below it in
 * --tree. The name * means each of that kind that has no line of
 * its own for the resource. Or the file is the output of sacctmgr, see assoc.h.
 * Names are those of the trace, or the numbers of its
 * fields: user 12, group or account 13, queue 15. Blank lines and those that
 * begin with # are skipped.
 *
 * A job that asks for more than a limit is dropped. Jobs of unknown users are of
 * one user; a job of an unknown group, queue or QoS has no limit of that kind,
 * but with --share-by group those of unknown groups are one group.
 * With --tree a limit of a user holds in each of its accounts.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "plan.h"
#include "swf.h"
#include "tree.h"

/* Of one of a kind, or of each. */
struct limits_entry {
	uint32_t kind; /* enum fair_limit_kind; accounts are groups */
	char *name;    /* NULL: each */
	char *account; /* by the tree: the user of that name in this; or NULL */
	int64_t amount[FAIR_LIMIT_RESOURCES]; /* or FAIR_LIMIT_NONE */
	long line[FAIR_LIMIT_RESOURCES];      /* 0: it has none */
	int64_t most[FAIR_LIMIT_RESOURCES];   /* of one job, likewise */
	bool has_most;
	long at; /* of all; 0: the lines are those of the amounts */
};

/* How the output of sacctmgr is read: see assoc.h. */
struct limits_how {
	const char *cluster; /* NULL: there is one */
	bool by_tree;	     /* accounts count what is below them */
	bool decays;	     /* usage does */
};

struct limits {
	struct limits_entry *entry;
	size_t entries, cap;
	bool told;	    /* which names no job has */
	const struct plan *plan; /* the caller's, or NULL */
	const char *path; /* of the file, which stays the caller's */
	uint64_t digest;  /* of its text; 0: there is none */
	char error[1024];
};

/* Reads @path, "-" for stdin. @plan: has resources, in its units; or NULL. Returns
 * 0, or -1 with l->error set. */
int limits_read(struct limits *l, const char *path, const struct plan *plan,
		const struct limits_how *how);

/* The same from memory; @name is for messages. */
int limits_parse(struct limits *l, const char *name, const char *text,
		 size_t bytes, const struct plan *plan,
		 const struct limits_how *how);

/* For assoc.c: an entry without a limit, of that name; NULL: no memory. */
struct limits_entry *limits_add(struct limits *l, uint32_t kind,
				struct csv_field name);
void limits_clear(struct limits_entry *e);

/* Also after an error; l->error stays. */
void limits_free(struct limits *l);

/* The line of the first limit of an account of a tree; 0: there is none. */
long limits_of_tree(const struct limits *l);

/*
 * After swf_rank(), if need be, and when the plan has its jobs. Sets the QoS and entries of all
 * jobs, drops those that ask for more than a limit, and tells once on stderr which
 * names no job has. @tree: NULL: there is none; @move: what @ctx knows of job @from
 * is that of job @to, which is dropped. Returns 0, or -1 with l->error set.
 */
int limits_assign(struct limits *l, struct swf *t, const struct tree *tree,
		  void (*move)(void *ctx, size_t from, size_t to), void *ctx);

/*
 * The limits for the scheduler, by the jobs' numbers: an array to free().
 * @tree: a job's user is its node of this; or NULL. @scale: how much larger
 * than in the file its costs are. Returns 0, or -1 without memory.
 */
int limits_make(const struct limits *l, const struct swf_job *job, size_t jobs,
		const struct tree *tree, int64_t scale,
		struct fair_limit **limit, uint32_t *n);

/* What the job belongs to, for the scheduler; the user and group are set. */
void limits_describe(const struct swf_job *from, struct fair_job *job);

#endif /* LIMITS_H */
