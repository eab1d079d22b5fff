/* SPDX-License-Identifier: MIT OR Unlicense */
/* report.h - runs one simulation and sums it up */
#ifndef REPORT_H
#define REPORT_H

#include "procset.h"
#include "summary.h"
#include "tools/fairsched/sim/fst.h"
#include "tools/fairsched/sim/rules.h"

#define REPORT_RECORDED (-1) /* the policy of what the log recorded */

struct report {
	const char *name; /* of the trace */
	const struct swf *trace;
	int policy; /* of policy_names, or REPORT_RECORDED */
	/* What other reports of the comparison differ in, and is said of it: */
	bool tells_order, tells_procs, tells_maintenance;
	char disturbance[64]; /* or "", see disturb_text() */
	size_t late_ends;     /* jobs that it made end late */
	struct sim_rules rules;
	struct sim_result *result; /* of each job */
	struct sim_totals totals;
	struct summary summary;
	struct fst fst;		       /* from report_fst_begin() on */
	struct unfairness *unfairness; /* NULL: not computed */
	char error[512];
};

/*
 * With name, trace, policy and rules set; the machine is that of the trace.
 * Returns 0, or -1 with r->error set. Reports may run in parallel.
 */
int report_run(struct report *r, const struct sim_watch *watch);

/*
 * Makes @r that of what the site's own scheduler did with the trace of @like. A
 * log without all waits leaves r->result NULL. Returns 0, or -1 without memory.
 */
int report_recorded(struct report *r, const struct report *like);

/* Does it promise a start when a job arrives? */
static inline bool report_promises(const struct report *r)
{
	return r->policy != REPORT_RECORDED && sim_promises(&r->rules);
}

/* Sets r->error to what @error, of sim_run(), means. Returns -1. */
int report_explain(struct report *r, int error);
void report_free(struct report *r);

/*
 * A job starts: it takes processors of its class or, with @place, of its nodes,
 * which are numbered through the classes and their nodes.
 */
void report_take(const struct report *r, size_t job, const struct place *place,
		 struct procset *p);

/*
 * Is it fair? Call begin, set r->fst.wanted and found, fst_begin(), then
 * fst_help() in any number of threads, then end. Each returns as report_run().
 */
int report_fst_begin(struct report *r);
int report_fst_end(struct report *r);

/* What the policy is called: "easy", "depth 2", "easy sjf", "easy *". */
void report_policy(const struct report *r, char *text, size_t size);

/* The same with the machine, if that differs: "easy on 164". */
void report_label(const struct report *r, char *text, size_t size);

/* Are its jobs placed on nodes, by --place nodes? */
bool report_placed(const struct report *r);

/* Are there advance reservations of --maintenance? */
bool report_maintained(const struct report *r);

/* One JSON object, no newline behind it. */
void report_json(const struct report *r, FILE *f);

#endif /* REPORT_H */
