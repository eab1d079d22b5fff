/* SPDX-License-Identifier: MIT OR Unlicense */
/* rules.h - policies and orders by the names that users give them */
#ifndef RULES_H
#define RULES_H

#include "accounts.h"
#include "charge.h"
#include "machine.h"
#include "maintenance.h"
#include "maui.h"
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
	RULES_RELSHARE,
	RULES_SFS,
	RULES_MAUI
};

extern const char *const policy_names[]; /* NULL at the end */
extern const char *const order_names[];	 /* by sim_rules.order */
extern const char *const select_names[], *const metric_names[];
extern const char *const account_fields[];

struct rules_args {
	int order, select, metric;
	int other_order; /* that another run has, in what is shared by both */
	bool longest;
	int64_t depth, window; /* 0 where none was given */
	bool no_expected;
	const char *shares;
	const char *accounts, *machine, *config, *standard, *maintenance;
	int account_field, charge;
	int64_t weight, half_life; /* 0 where none was given */
};

/* What the options name. */
struct rules_files {
	struct shares shares;
	struct accounts accounts;
	struct machine machine;
	struct maui maui;
	struct maintenance maintenance;
};

/* clang-format off */
/* Rows of a table of options, for the struct rules_args that is @a.@field. */
#define RULES_OPTIONS(a, field)                                          \
	{ "order", "O", OPTION_CHOICE, offsetof(a, field.order),         \
	  "of the queue, default fcfs", order_names, 0, 0 },             \
	{ "depth", "N", OPTION_INTEGER, offsetof(a, field.depth),        \
	  "reservations of policies depth and sfs, default 1", NULL, 1,  \
	  UINT32_MAX },                                                  \
	{ "backfill", "WHOM", OPTION_CHOICE, offsetof(a, field.select),  \
	  "of easy and depth: who passes the reservations, default "     \
	  "firstfit",                                                    \
	  select_names, 0, 0 },                                          \
	{ "metric", "M", OPTION_CHOICE, offsetof(a, field.metric),       \
	  "of --backfill bestfit and greedy: how well a job fills a "    \
	  "backfill window, default procs",                              \
	  metric_names, 0, 0 },                                          \
	{ "longest", NULL, OPTION_FLAG, offsetof(a, field.longest),      \
	  "of --backfill bestfit and greedy: the longest window first, " \
	  "not the widest",                                              \
	  NULL, 0, 0 },                                                  \
	{ "weight", "TIME", OPTION_DURATION, offsetof(a, field.weight),  \
	  "of order linear: a processor is worth so much waiting", NULL, \
	  1, INT64_C(1) << 28 },                                         \
	{ "half-life", "TIME", OPTION_DURATION,                          \
	  offsetof(a, field.half_life),                                  \
	  "of order usage: then usage counts half, default 7d", NULL, 1, \
	  FAIR_USAGE_HALF_LIFE },                                        \
	{ "machine", "F", OPTION_FILE, offsetof(a, field.machine),       \
	  "of order usage: CSV of node classes with the columns class,"  \
	  "count,cpus and any other resource, spec,cost,properties,nodes", \
	  NULL, 0, 0 },                                                  \
	{ "charge", "METRIC", OPTION_CHOICE, offsetof(a, field.charge),  \
	  "of order usage: what a second of a job counts, best with "    \
	  "--machine, else cpu",                                         \
	  charge_metrics, 0, 0 },                                        \
	{ "standard-job", "REQUEST", OPTION_FILE,                        \
	  offsetof(a, field.standard),                                   \
	  "of --charge standard: what counts as one job, default "       \
	  "cpus=1:ram=1G",                                               \
	  NULL, 0, 0 },                                                  \
	{ "accounts", "F", OPTION_FILE, offsetof(a, field.accounts),     \
	  "of sfs: CSV with the columns account,target or account,award," \
	  "period,factor",                                               \
	  NULL, 0, 0 },                                                  \
	{ "account-field", "FIELD", OPTION_CHOICE,                       \
	  offsetof(a, field.account_field),                              \
	  "of sfs: which field of the trace names the account, default " \
	  "user",                                                        \
	  account_fields, 0, 0 },                                        \
	{ "config", "F", OPTION_FILE, offsetof(a, field.config),         \
	  "of maui and order priority: Maui's configuration, see "       \
	  "docs/MAUI.md; jobs that it refuses are dropped",                                         \
	  NULL, 0, 0 },                                                  \
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
	  NULL, 0, 0 },                                                  \
	{ "maintenance", "F", OPTION_FILE, offsetof(a, field.maintenance), \
	  "CSV of windows in which processors are away, with the columns " \
	  "begin,end,processors and perhaps announced,kind",             \
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

/*
 * Each job's account, penalty and memory; with --lenient jobs that have none are
 * dropped as damaged, and under --config those that it refuses. Returns 0, or the exit status after a message.
 */
int rules_assign(const struct rules_files *files, const struct rules_args *args,
		 bool lenient, struct swf *t, const char *path);

/* Of what these files say that no image of a scheduler has; 0: nothing. */
uint64_t rules_digest(const struct rules_files *files);

/* To a simulation that begins after rules_open(). */
void rules_bind(struct sim_rules *rules, const struct rules_files *files);

#endif /* RULES_H */
