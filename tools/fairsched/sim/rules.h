/* SPDX-License-Identifier: MIT OR Unlicense */
/* rules.h - the rules of a simulation by the names of the command line */
#ifndef RULES_H
#define RULES_H

#include "sim.h"
#include "tools/fairsched/trace/accounts.h"
#include "tools/fairsched/trace/charge.h"
#include "tools/fairsched/trace/limits.h"
#include "tools/fairsched/trace/machine.h"
#include "tools/fairsched/trace/maintenance.h"
#include "tools/fairsched/trace/maui_config.h"
#include "tools/fairsched/trace/plan.h"
#include "tools/fairsched/trace/shares.h"
#include "tools/fairsched/trace/tree.h"

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
extern const char *const account_fields[], *const share_entities[],
	*const share_orders[];
extern const char *const plan_names[]; /* what is planned */
extern const char *const place_names[], *const node_fits[];
extern const char *const never_decays[]; /* a half-life */
#define RULES_NO_DECAY (-1)		 /* which stands for it */

enum { PLAN_PROCESSORS, PLAN_CLASSES, PLAN_NODES }; /* of plan_names */
enum { FIT_AUTO, FIT_FIRST, FIT_BEST };		    /* of node_fits */

struct rules_args {
	int order, select, metric;
	uint32_t orders; /* of other runs, which share the trace and the files:
			    bits are 1 << order */
	bool longest;
	int64_t depth, window; /* 0 where none was given */
	struct when window_origin;
	int share_by; /* an index of share_entities */
	int share; /* of share_orders */
	bool no_expected;
	bool reports_shares; /* the caller's: --shares and --tree are used */
	const char *shares;
	const char *accounts, *machine, *config, *maintenance, *tree, *limits;
	int plan; /* an index of plan_names */
	const char *billing;
	int place, node_fit; /* of place_names and node_fits */
	struct charge_rules charge;
	int account_field;
	int64_t weight, half_life; /* 0 where none was given */
};

/* The files that the options name. */
struct rules_files {
	struct shares shares;
	struct accounts accounts;
	struct machine machine;
	struct plan plan;
	struct place_jobs place;
	struct maui maui;
	struct maintenance maintenance;
	struct limits limits;
	struct tree tree;
};

/* What the jobs of one of several traces ask for. */
struct rules_jobs {
	struct plan plan;
	struct place_jobs place;
};

/*
 * Makes what sim_run() needs, except procs and files. An option of another
 * policy has no effect. Returns NULL, or why the options contradict each other.
 */
const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args);

/* Whether jobs are on nodes: of --plan, or of --place. */
bool rules_on_nodes(const struct rules_args *args);

/* Sets @d. NULL, or why @args are wrong, by @error, or exclude other options. */
const char *rules_disturb(struct disturb *d, const struct disturb_args *args,
			  const struct rules_args *rules, bool fst, char *error,
			  size_t room);

/* NULL, or which option no policy of the set uses; bits are 1 << RULES_... */
const char *rules_idle(const struct rules_args *args, uint32_t policies);

/* Returns 0, or the exit status after a message; then rules_close(). */
int rules_open(struct rules_files *files, const struct rules_args *args,
	       const char *cluster);
void rules_close(struct rules_files *files);

/* The machine's processors: where it is planned by classes or jobs are placed,
 * else where nothing else says. */
void rules_set_procs(const struct rules_files *files,
		     const struct rules_args *args, struct swf_options *o);

/*
 * Sets each job's account, penalty and memory. With --lenient, jobs without
 * them are dropped as damaged; under --config, the jobs that it rejects are
 * dropped. Returns 0, or the exit status after a message.
 */
int rules_assign(struct rules_files *files, const struct rules_args *args,
		 bool lenient, struct swf *t, const char *path);

/*
 * After rules_assign(), before it is called for another trace: @jobs takes over
 * what those of this one ask for. Returns 0, or -1 without memory; then
 * rules_jobs_free().
 */
int rules_keep(struct rules_files *files, struct rules_jobs *jobs);
void rules_jobs_free(struct rules_jobs *jobs);

/* A hash of the files that a scheduler's checkpoint does not hold; 0: none. */
uint64_t rules_digest(const struct rules_files *files);

/* Points @rules at the files, after rules_open(). */
void rules_bind(struct sim_rules *rules, const struct rules_files *files);

#endif /* RULES_H */
