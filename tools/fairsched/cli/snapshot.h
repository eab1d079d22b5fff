/* SPDX-License-Identifier: MIT OR Unlicense */
/* snapshot.h - simulates a trace up to some time, for a look at the scheduler
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "clock.h"
#include "rules_options.h"
#include "tools/fairsched/sim/rules.h"
#include "trace_options.h"

struct snapshot_args {
	struct trace_args trace;
	struct rules_args rules;
	int policy;
	bool seconds; /* not dates */
	struct when at;
	uint32_t also; /* other policies whose options are allowed, 1 <<
			  RULES_... */
};

struct snapshot {
	const char *name;
	struct swf trace;
	struct rules_files files;
	struct sim_rules rules;
	struct sim_result *result; /* start: FAIR_FOREVER before it started */
	int64_t at;
	struct clock clock; /* whose present is at */
	int policy;
	/* Private to snapshot_run(): */
	int (*then)(void *ctx, struct fair_sched *sched);
	void *ctx;
	int error;
};

/* clang-format off */
/* Rows of a table of options, for the struct snapshot_args that is @a.@field. */
#define SNAPSHOT_OPTIONS(a, field)                                            \
	{ "at", "TIME", OPTION_TIME, offsetof(a, field.at),                   \
	  "the time to look at: seconds of the trace, 12h, 1d12h, or a date", \
	  NULL, 0, 0 },                                                       \
	{ "policy", "P", OPTION_CHOICE, offsetof(a, field.policy),            \
	  "the scheduling policy, default easy", policy_names, 0, 0 },        \
	{ "seconds", NULL, OPTION_FLAG, offsetof(a, field.seconds),           \
	  "print times in seconds of the trace, not as dates (UTC)", NULL, 0, \
	  0 },                                                                \
	RULES_OPTIONS(a, field.rules),                                        \
	TRACE_OPTIONS(a, field.trace)
/* clang-format on */

/*
 * Reads the trace and the files that options name; p->at is set if a time is
 * given. Returns 0 or the exit status, after a message; then snapshot_close().
 */
int snapshot_open(struct snapshot *p, const struct command *c,
		  const struct snapshot_args *a, const char *path);
void snapshot_close(struct snapshot *p);

/*
 * Simulates up to p->at, then calls @then, which returns 0 or -FAIR_E... Jobs
 * that start at p->at only because time has passed have no start in p->result.
 * Returns the exit status, after a message.
 */
int snapshot_run(struct snapshot *p,
		 int (*then)(void *ctx, struct fair_sched *sched), void *ctx);

/* A job as it is called on the command line: 123, or 123_4 of an array. */
struct job_name {
	int64_t id, task; /* task -1: none */
};

bool snapshot_name(const char *text, struct job_name *name);
bool snapshot_is(const struct swf_job *j, const struct job_name *name);

#endif /* SNAPSHOT_H */
