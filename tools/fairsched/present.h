/* SPDX-License-Identifier: MIT OR Unlicense */
/* present.h - a trace played up to some time, and the scheduler as it is then */
#ifndef PRESENT_H
#define PRESENT_H

#include "rules.h"
#include "trace.h"

struct present_args {
	struct trace_args trace;
	struct rules_args rules;
	int policy;
	struct when at;
	uint32_t also; /* other policies that options may be of: 1 << RULES_... */
};

struct present {
	const char *name;
	struct swf trace;
	struct rules_files files;
	struct sim_rules rules;
	struct sim_result *result; /* start: FAIR_FOREVER before it started */
	int64_t at;
	/* Private to present_run(): */
	int (*then)(void *ctx, struct fair_sched *sched);
	void *ctx;
	int error;
};

/* clang-format off */
/* Rows of a table of options, for the struct present_args that is @a.@field. */
#define PRESENT_OPTIONS(a, field)                                            \
	{ "at", "TIME", OPTION_TIME, offsetof(a, field.at),                  \
	  "the present: seconds of the trace, 12h, 1d12h, or a date",        \
	  NULL, 0, 0 },                                                      \
	{ "policy", "P", OPTION_CHOICE, offsetof(a, field.policy),           \
	  "default easy", policy_names, 0, 0 },                              \
	RULES_OPTIONS(a, field.rules),                                       \
	TRACE_OPTIONS(a, field.trace)
/* clang-format on */

/*
 * Reads the trace and the files that options name; p->at is set if a time is
 * given. Returns 0 or the exit status, after a message; then present_close().
 */
int present_open(struct present *p, const struct command *c,
		 const struct present_args *a, const char *path);
void present_close(struct present *p);

/*
 * Up to p->at, then @then, which returns 0 or -FAIR_E... Jobs that start at p->at
 * only because time has passed have no start in p->result. Returns the exit status,
 * after a message.
 */
int present_run(struct present *p,
		int (*then)(void *ctx, struct fair_sched *sched), void *ctx);

/* The first job of that id; SIZE_MAX: none. */
size_t present_find(const struct present *p, int64_t id);

#endif /* PRESENT_H */
