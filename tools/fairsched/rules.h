/* SPDX-License-Identifier: MIT OR Unlicense */
/* rules.h - policies and orders by the names that users give them */
#ifndef RULES_H
#define RULES_H

#include "sim.h"

/* An index of policy_names: easy and depth N are one policy of the library. */
enum {
	RULES_FCFS,
	RULES_EASY,
	RULES_DEPTH,
	RULES_CONSERVATIVE,
	RULES_PC,
	RULES_DC
};

extern const char *const policy_names[]; /* NULL at the end */
extern const char *const order_names[];	 /* by enum fair_order */

/*
 * What sim_run() needs, but for procs. @depth is 0 where none was given.
 * Returns NULL, or why the three do not go together.
 */
const char *rules_make(struct sim_rules *rules, int policy, int order,
		       int64_t depth);

#endif /* RULES_H */
