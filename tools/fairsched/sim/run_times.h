/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * run_times.h - random run times, from the user's past jobs
 *
 * A past job gives the fraction of its estimate that it ran. Another job of the
 * same user draws one of these fractions of its own estimate; a running job
 * draws one that exceeds its present run time. A user without past jobs draws
 * from those of all users; if there are none, a job runs for its whole
 * estimate.
 */
#ifndef RUN_TIMES_H
#define RUN_TIMES_H

#include "fairsched.h"
#include "sim.h"
#include "tools/fairsched/trace/swf.h"

struct run_times {
	const struct swf_job *job;
	uint32_t *ended;	/* numbers of jobs, user after user */
	uint32_t *first;	/* by user: in ended[]; behind the last: all */
	uint32_t users;
	int64_t now;
};

/* Collects the jobs that ended by @now. Returns 0, or -1 without memory. */
int run_times_open(struct run_times *h, const struct swf *trace,
		   const struct sim_result *result, int64_t now);
void run_times_close(struct run_times *h);

/* The run() of struct fair_draw; its context is a struct run_times. */
int64_t run_times_draw(void *history, const struct fair_job_status *job,
		       uint64_t random);

#endif /* RUN_TIMES_H */
