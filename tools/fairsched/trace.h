/* SPDX-License-Identifier: MIT OR Unlicense */
/* trace.h - the options of every command that reads a trace */
#ifndef TRACE_H
#define TRACE_H

#include "options.h"
#include "swf.h"

struct trace_args {
	int overrun, estimates, memory;
	int64_t procs;
	struct when from, until, to;
	bool lenient;
};

extern const char *const overrun_choices[], *const estimate_choices[],
						    *const memory_choices[];

/* clang-format off */
/* Rows of a table of options, for the struct trace_args that is @a.@field. */
#define TRACE_OPTIONS(a, field)                                               \
	{ "procs", "N", OPTION_INTEGER, offsetof(a, field.procs),             \
	  "processors of the machine, default MaxProcs of the trace", NULL,   \
	  1, INT32_MAX },                                                     \
	{ "from", "TIME", OPTION_TIME, offsetof(a, field.from),               \
	  "only jobs submitted at TIME or later: seconds of the trace, 12h, " \
	  "1d12h, or a date as 2003-05-01T12:30 (UTC) if its header has "     \
	  "UnixStartTime",                                                    \
	  NULL, 0, 0 },                                                       \
	{ "until", "TIME", OPTION_TIME, offsetof(a, field.until),             \
	  "only jobs submitted before TIME", NULL, 0, 0 },                    \
	{ "to", "TIME", OPTION_TIME, offsetof(a, field.to),                   \
	  "measure the jobs submitted from --from to TIME; those before and " \
	  "after are simulated too, to warm up and cool down",                \
	  NULL, 0, 0 },                                                       \
	{ "overrun", "HOW", OPTION_CHOICE, offsetof(a, field.overrun),        \
	  "a job that runs longer than it requested had requested its run "   \
	  "time (default), or is killed",                                     \
	  overrun_choices, 0, 0 },                                            \
	{ "estimates", "WHICH", OPTION_CHOICE, offsetof(a, field.estimates),  \
	  "plan with what users requested (default), or with run times",      \
	  estimate_choices, 0, 0 },                                           \
	{ "memory-unit", "UNIT", OPTION_CHOICE, offsetof(a, field.memory),    \
	  "of field 10: KB per processor (default for 18 columns) or bytes "  \
	  "of the whole request (for 21)",                                    \
	  memory_choices, 0, 0 },                                             \
	{ "lenient", NULL, OPTION_FLAG, offsetof(a, field.lenient),           \
	  "count damaged lines and skip them", NULL, 0, 0 }
/* clang-format on */

struct swf_options trace_options(const struct trace_args *a);

/* What a trace is called in messages and results. */
const char *trace_name(const char *path);

/* In seconds of the trace; returns 0, or the exit status after a message. */
int trace_when(const struct when *when, const struct swf *t, const char *option,
	       int64_t *at);

#endif /* TRACE_H */
