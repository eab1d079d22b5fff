/* SPDX-License-Identifier: MIT OR Unlicense */
/* rules.h - policies and orders by the names that users give them */
#ifndef RULES_H
#define RULES_H

#include "options.h"
#include "shares.h"
#include "sim.h"

/* Seconds: times any number of processors they stay below 2^59. */
#define RULES_WINDOW (INT64_C(1) << 28)

/* An index of policy_names: easy and depth N are one policy of the library. */
enum {
	RULES_FCFS,
	RULES_EASY,
	RULES_DEPTH,
	RULES_CONSERVATIVE,
	RULES_PC,
	RULES_DC,
	RULES_RELSHARE
};

extern const char *const policy_names[]; /* NULL at the end */
extern const char *const order_names[];	 /* by enum fair_order */

struct rules_args {
	int order;
	int64_t depth, window; /* 0 where none was given */
	bool no_expected;
	const char *shares;
};

/* What the options name. */
struct rules_files {
	struct shares shares;
};

/* clang-format off */
/* Rows of a table of options, for the struct rules_args that is @a.@field. */
#define RULES_OPTIONS(a, field)                                          \
	{ "order", "O", OPTION_CHOICE, offsetof(a, field.order),         \
	  "of the queue, default fcfs", order_names, 0, 0 },             \
	{ "depth", "N", OPTION_INTEGER, offsetof(a, field.depth),        \
	  "reservations of policy depth, default 1", NULL, 1,            \
	  UINT32_MAX },                                                  \
	{ "window", "TIME", OPTION_DURATION, offsetof(a, field.window),  \
	  "of relshare: shares and usage count from multiples of it on, " \
	  "default 1d",                                                  \
	  NULL, 1, RULES_WINDOW },                                       \
	{ "no-expected", NULL, OPTION_FLAG,                              \
	  offsetof(a, field.no_expected),                                \
	  "of relshare: what running and reserved jobs will yet use in " \
	  "the window does not count",                                   \
	  NULL, 0, 0 },                                                  \
	{ "shares", "F", OPTION_FILE, offsetof(a, field.shares),         \
	  "of relshare: CSV with the columns user,shares; others have 1", \
	  NULL, 0, 0 }
/* clang-format on */

/*
 * What sim_run() needs, but for procs and files. An option of another policy
 * has no effect. Returns NULL, or why these do not go together.
 */
const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args);

/* NULL, or which option no policy of this set takes: bits 1 << RULES_... */
const char *rules_idle(const struct rules_args *args, uint32_t policies);

/* Returns 0, or the exit status after a message; then rules_close(). */
int rules_open(struct rules_files *files, const struct rules_args *args);
void rules_close(struct rules_files *files);

#endif /* RULES_H */
