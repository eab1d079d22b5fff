/* SPDX-License-Identifier: MIT OR Unlicense */
/* rules.h - policies and orders by the names that users give them */
#ifndef RULES_H
#define RULES_H

#include "options.h"
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

struct rules_args {
	int order;
	int64_t depth;
};

/* clang-format off */
/* Rows of a table of options, for the struct rules_args that is @a.@field. */
#define RULES_OPTIONS(a, field)                                          \
	{ "order", "O", OPTION_CHOICE, offsetof(a, field.order),         \
	  "of the queue, default fcfs", order_names, 0, 0 },             \
	{ "depth", "N", OPTION_INTEGER, offsetof(a, field.depth),        \
	  "reservations of policy depth, default 1", NULL, 1, UINT32_MAX }
/* clang-format on */

/*
 * What sim_run() needs, but for procs. args->depth is 0 where none was given.
 * Returns NULL, or why these do not go together.
 */
const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args);

#endif /* RULES_H */
