/* SPDX-License-Identifier: MIT OR Unlicense */
#include "trace_options.h"

#include <string.h>

const char *const overrun_choices[] = { "extend", "kill", NULL };
const char *const estimate_choices[] = { "request", "exact", NULL };
const char *const memory_choices[] = { "auto", "kb", "bytes", NULL };

struct swf_options trace_options(const struct trace_args *a)
{
	struct swf_options o = { 0 };

	o.procs = (int32_t)a->procs;
	o.overrun_kill = a->overrun;
	o.exact = a->estimates;
	o.walltime = a->walltime;
	o.lenient = a->lenient;
	o.columns = a->columns;
	o.cluster = a->cluster;
	o.memory = (enum swf_memory)a->memory;
	o.from = a->from;
	o.until = a->until;
	o.to = a->to;
	o.threshold = a->threshold;
	o.ties = a->ties;
	o.spread = a->spread;
	return o;
}

const char *trace_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

int trace_when(const struct when *when, const struct swf *t, const char *option,
	       int64_t *at)
{
	if (when->dated && t->unix_start == INT64_MIN)
		return input_error("the trace has no UnixStartTime: give %s in "
				   "seconds, not as a date",
				   option);
	*at = when->at - (when->dated ? t->unix_start : 0);
	return 0;
}
