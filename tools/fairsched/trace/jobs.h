/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * jobs.h - a trace as CSV whose header line names its columns
 *
 *	# MaxProcs: 16
 *	job_id,submit,walltime,run,procs,gpus,memory,classes,user,account
 *	1,0,1h,1800,4,2,16G,gpu,ann,physics
 *	2,60,7200,7000,8,,64G,big:gpu,bob,biology
 *
 * Columns are in any order; submit, run and procs (or cpus) must be there. Any
 * other name is a resource of the machine, an amount of the whole job with the
 * units of a machine file. classes has : between, the preferred one first.
 * Times are seconds, durations as 1h or 1:00:00; submit and start may be dates,
 * all of them, and the first submit is then time 0. Users, accounts and
 * partitions are numbers, or names if one of that kind is none; a qos is a name.
 * A field may be in quotes. Blank lines and those that begin with # are skipped, but for
 * MaxProcs and UnixStartTime above the header line.
 */
#ifndef JOBS_H
#define JOBS_H

#include "sacct.h"

/* Is this the first line of such a file? */
bool jobs_begin(const char *line, size_t bytes);

/* As sacct_from(), in the order of the file; o->eligible has no effect. */
int jobs_from(struct sacct *s, const char *name, struct lines *lines,
	      const struct sacct_options *o);

/* The same from memory. */
int jobs_parse(struct sacct *s, const char *name, const char *text,
	       size_t bytes, const struct sacct_options *o);

/*
 * The jobs as such a file; @procs is 0 where it is not known. Returns 0, or -1
 * without memory.
 */
int jobs_write(const struct sacct *s, int64_t procs, FILE *f);

#endif /* JOBS_H */
