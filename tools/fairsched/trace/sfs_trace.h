/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_trace.h - the workload of the simultaneous fair share paper
 *
 * [SFS 9.2]: a machine of 1400 nodes, empty on day 1; on days 1 to 7 Alice
 * (user 1) submits 12 jobs of 250 nodes and Bob (2) 6 of 65, on day 7 Chris (3)
 * one of 750. Each runs for a random 70 to 95 % of its walltime, to the second.
 * The paper does not give walltimes; here all jobs have the same: docs/SFS.md.
 */
#ifndef SFS_TRACE_H
#define SFS_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "swf.h"

#define SFS_TRACE_PROCS 1400
#define SFS_TRACE_JOBS (7 * (12 + 6) + 1)

struct sfs_trace_rules {
	uint64_t seed;
	int64_t walltime; /* seconds */
};

void sfs_trace_generate(const struct sfs_trace_rules *r,
			struct swf_job job[SFS_TRACE_JOBS]);

/* As a trace that says in its header how to make it again. */
void sfs_trace_write(FILE *f, const struct sfs_trace_rules *r,
		     const struct swf_job job[SFS_TRACE_JOBS]);

#endif /* SFS_TRACE_H */
