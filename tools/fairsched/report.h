/* SPDX-License-Identifier: MIT OR Unlicense */
/* report.h - one simulation, from its rules to its numbers */
#ifndef REPORT_H
#define REPORT_H

#include "rules.h"
#include "summary.h"

struct report {
	const char *name; /* of the trace */
	const struct swf *trace;
	int policy; /* of policy_names */
	struct sim_rules rules;
	struct sim_result *result; /* of each job */
	struct sim_totals totals;
	struct summary summary;
	char error[256];
};

/*
 * With name, trace, policy and rules set; the machine is that of the trace.
 * Returns 0, or -1 with r->error set. Reports may run in parallel.
 */
int report_run(struct report *r, const struct sim_watch *watch);
void report_free(struct report *r);

/* One JSON object, no newline behind it. */
void report_json(const struct report *r, FILE *f);

#endif /* REPORT_H */
