/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * dues.h - the share due to each user and account, and the share got
 *
 * The time is cut into windows, from the first submit or the period measured on.
 * In each, processor-seconds:
 *
 *	demand	what the jobs of a user can use there: each from its submit or
 *		the window's begin on, for what is left of its run time
 *	got	what they used
 *	due	the part of what all got that is in proportion to its shares, but
 *		no more than its demand; what is over goes to the others likewise
 *
 * Shares are those of --tree, level by level, or of --shares, or else 1 each. The
 * deviation of the shares is what was got beyond the due, as a part of all.
 */
#ifndef DUES_H
#define DUES_H

#include <stdio.h>

#include "tools/fairsched/sim/sim.h"

enum dues_kind { DUES_USERS, DUES_ACCOUNTS, DUES_KINDS };

#define DUES_WINDOW 86400 /* seconds, unless the caller says otherwise */

/* Of a user or an account with demand in a window. */
struct dues_row {
	int64_t from;
	uint32_t index; /* of the user, the account or the node, from 0 */
	int64_t number; /* of the user or group in the trace; not by a tree */
	const struct tree_node *node; /* by a tree; NULL: the root */
	uint32_t shares;
	int64_t got;
	double demand, due;
};

/* Window by window. Returns 0, or -1 without memory. */
int dues_each(const struct swf *t, const struct sim_rules *rules,
	      const struct sim_result *result, enum dues_kind kind,
	      int64_t window, void (*row)(void *ctx, const struct dues_row *r),
	      void *ctx);

/* From 0 to 1. Returns as dues_each(). */
int dues_deviation(const struct swf *t, const struct sim_rules *rules,
		   const struct sim_result *result, enum dues_kind kind,
		   int64_t window, double *deviation);

/* All rows as CSV. Returns as dues_each(). */
int dues_write(const struct swf *t, const struct sim_rules *rules,
	       const struct sim_result *result, FILE *f);

#endif /* DUES_H */
