/* SPDX-License-Identifier: MIT OR Unlicense */
/* trace_options.h - the options of every command that reads a trace */
#ifndef TRACE_OPTIONS_H
#define TRACE_OPTIONS_H

#include "options.h"
#include "tools/fairsched/trace/trace.h"

struct trace_args {
	int overrun, estimates, memory;
	int64_t procs;
	struct when from, until, to;
	int64_t threshold; /* of the bounded slowdown; 0: not given */
	int64_t ties, walltime;
	const char *spread;
	bool lenient;
	const char *names, *columns, *cluster;
};

extern const char *const overrun_choices[], *const estimate_choices[],
						    *const memory_choices[];

/* clang-format off */
/* Rows of a table of options: how the output of sacct is read. */
#define SACCT_OPTIONS(a, columns, cluster)                                    \
	{ "columns", "LIST", OPTION_NAME, offsetof(a, columns),               \
	  "the names of the columns, with commas between, of a file of sacct " \
	  "-n, which does not say them",                                      \
	  NULL, 0, 0 },                                                       \
	{ "cluster", "NAME", OPTION_NAME, offsetof(a, cluster),               \
	  "only what is of this cluster, by the column Cluster: jobs of "      \
	  "sacct, associations of --tree",                                    \
	  NULL, 0, 0 }

/* Rows of a table of options, for the struct trace_args that is @a.@field. */
#define TRACE_OPTIONS(a, field)                                               \
	{ "procs", "N", OPTION_INTEGER, offsetof(a, field.procs),             \
	  "processors of the machine, default MaxProcs of the trace", NULL,   \
	  1, INT32_MAX },                                                     \
	MORE_TRACE_OPTIONS(a, field)

/* The same without the processors. */
#define MORE_TRACE_OPTIONS(a, field)                                          \
	OPTION_GROUP_OF("Trace"),                                             \
	{ "from", "TIME", OPTION_TIME, offsetof(a, field.from),               \
	  "only jobs submitted at TIME or later: seconds of the trace, 12h, " \
	  "1d12h, or a date such as 2003-05-01T12:30 (UTC) if the trace's "   \
	  "header has UnixStartTime",                                         \
	  NULL, 0, 0 },                                                       \
	{ "until", "TIME", OPTION_TIME, offsetof(a, field.until),             \
	  "only jobs submitted before TIME", NULL, 0, 0 },                    \
	{ "to", "TIME", OPTION_TIME, offsetof(a, field.to),                   \
	  "measure only the jobs submitted from --from to TIME; earlier and " \
	  "later jobs are simulated as warm-up and cool-down",                \
	  NULL, 0, 0 },                                                       \
	{ "overrun", "HOW", OPTION_CHOICE, offsetof(a, field.overrun),        \
	  "a job that runs longer than it requested: extend its request to "  \
	  "its run time (default), or kill it",                               \
	  overrun_choices, 0, 0 },                                            \
	{ "default-walltime", "TIME", OPTION_DURATION,                        \
	  offsetof(a, field.walltime),                                        \
	  "a job that requests no time requests TIME; default: it is planned " \
	  "with its run time, which no scheduler knows",                      \
	  NULL, 1, INT64_C(1) << 34 },                                        \
	{ "estimates", "WHICH", OPTION_CHOICE, offsetof(a, field.estimates),  \
	  "plan with the requested times (default) or with the exact run "    \
	  "times",                                                            \
	  estimate_choices, 0, 0 },                                           \
	{ "memory-unit", "UNIT", OPTION_CHOICE, offsetof(a, field.memory),    \
	  "unit of field 10: KB per processor (default for traces of 18 "     \
	  "columns) or bytes of the whole request (default for 21 columns)",  \
	  memory_choices, 0, 0 },                                             \
	{ "lenient", NULL, OPTION_FLAG, offsetof(a, field.lenient),           \
	  "skip damaged lines and count them", NULL, 0, 0 },                  \
	{ "names", "F", OPTION_FILE, offsetof(a, field.names),                \
	  "the file of import --names: show users, accounts and partitions "  \
	  "by their names",                                                   \
	  NULL, 0, 0 },                                                       \
	SACCT_OPTIONS(a, field.columns, field.cluster)

/* The same, for the commands that measure a schedule. */
#define MEASURE_OPTIONS(a, field)                                             \
	{ "slowdown-threshold", "TIME", OPTION_DURATION,                      \
	  offsetof(a, field.threshold),                                       \
	  "bounded slowdown: shorter runs count as TIME, default 10s",        \
	  NULL, 1, UNITS_LARGEST },                                           \
	{ "spread", "USER:FACTOR", OPTION_NAME, offsetof(a, field.spread),    \
	  "submit the jobs of USER FACTOR times as long after the first of "  \
	  "them: what would the user gain by spreading jobs, or lose",        \
	  NULL, 0, 0 },                                                       \
	{ "ties", "SEED", OPTION_INTEGER, offsetof(a, field.ties),            \
	  "break ties between jobs by a hash of SEED and their numbers "      \
	  "instead of by their places in TRACE: a difference that changes "   \
	  "its sign with SEED is chance. Jobs are listed in that order",      \
	  NULL, 1, INT64_MAX }
/* clang-format on */

struct swf_options trace_options(const struct trace_args *a);

/* What a trace is called in messages and results. */
const char *trace_name(const char *path);

/* In seconds of the trace; returns 0, or the exit status after a message. */
int trace_when(const struct when *when, const struct swf *t, const char *option,
	       int64_t *at);

#endif /* TRACE_OPTIONS_H */
