/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * limits.h - limits that plans and promises keep, for --limits FILE
 *
 *	kind,name,resource,amount
 *	user,*,processors,40
 *	user,ann,processors,128
 *	account,physics,jobs,10
 *	qos,short,processors,256
 *
 * A header line names the columns, in any order; then each line is the most
 * that the jobs of a user, group, account, QoS or queue hold at one time, in
 * jobs or in processors. The name * means each of that kind that has no line of
 * its own for the resource. Names are those of the trace, or the numbers of its
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
#include "swf.h"

/* Jobs and processors: those of a machine file are not read yet. */
#define LIMITS_RESOURCES (FAIR_LIMIT_PROCS + 1)

/* Of one of a kind, or of each. */
struct limits_entry {
	uint32_t kind; /* enum fair_entity_kind; accounts are groups */
	char *name;    /* NULL: each */
	int64_t amount[LIMITS_RESOURCES]; /* or FAIR_LIMIT_NONE */
	long line[LIMITS_RESOURCES];      /* 0: it has none */
};

struct limits {
	struct limits_entry *entry;
	size_t entries, cap;
	bool told;	    /* which names no job has */
	const char *path; /* of the file, which stays the caller's */
	uint64_t digest;  /* of its text; 0: there is none */
	char error[1024];
};

/* Reads @path, "-" for stdin. Returns 0, or -1 with l->error set. */
int limits_read(struct limits *l, const char *path);

/* The same from memory; @name is for messages. */
int limits_parse(struct limits *l, const char *name, const char *text,
		 size_t bytes);

/* Also after an error; l->error stays. */
void limits_free(struct limits *l);

/*
 * After swf_rank(). Sets the QoS and entries of all jobs, drops those that ask for
 * more than a limit, and tells once on stderr which names no job has. Returns 0,
 * or -1 with l->error set.
 */
int limits_assign(struct limits *l, struct swf *t);

/*
 * The limits for the scheduler, by the jobs' numbers: an array to free().
 * @by_node: a job's user is its node of a tree. Returns 0, or -1 without memory.
 */
int limits_make(const struct limits *l, const struct swf_job *job, size_t jobs,
		bool by_node, struct fair_limit **limit, uint32_t *n);

/* What the job belongs to, for the scheduler; the user and group are set. */
void limits_describe(const struct swf_job *from, struct fair_job *job);

#endif /* LIMITS_H */
