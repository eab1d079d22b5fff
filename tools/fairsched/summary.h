/* SPDX-License-Identifier: MIT OR Unlicense */
/* summary.h - a schedule in a few numbers */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdio.h>

#include "sim.h"

/* Seconds, and shares of 1. */
struct summary {
	size_t jobs, promises_kept, promises_broken;
	double mean_wait, mean_bounded_slowdown, utilization;
	int64_t p99_wait, max_wait; /* nearest rank */
	int64_t makespan;	    /* last end - first submit */
};

/* Returns 0, or -1 without memory. */
int summary_make(struct summary *s, const struct swf *t,
		 const struct sim_result *result);

#endif /* SUMMARY_H */
