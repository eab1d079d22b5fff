/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * trace.h - a trace by its content: Standard Workload Format, a jobs CSV, or
 * what sacct -P prints; the last two are read as import reads them
 */
#ifndef TRACE_H
#define TRACE_H

#include "sacct.h"
#include "swf.h"

/* By its first line. */
enum trace_format { TRACE_SWF, TRACE_SACCT, TRACE_JOBS };

/* Looks at the first line, which is read again. */
enum trace_format trace_format(struct lines *l);

/*
 * Reads @path, "-" for stdin, and the file @names of --names unless it is NULL.
 * Notes on stderr what of a sacct file is no job. Returns 0, or -1 with t->error
 * set; then swf_free(). Lines of jobs are those of the file.
 */
int trace_read(struct swf *t, const char *path, const struct swf_options *o,
	       const char *names);

#endif /* TRACE_H */
