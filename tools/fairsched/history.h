/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * history.h - how long jobs may run, by how long jobs of the same user ran
 *
 * Of a job that ended, the share of its estimate that it took. Another job of
 * its user takes one of these shares of its own estimate, chosen at random; of
 * a running job, one that it has not taken yet. A user without any draws from
 * those of all users, and without any of them a job runs as long as planned.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "fairsched.h"
#include "sim.h"
#include "swf.h"

struct history {
	const struct swf_job *job;
	uint32_t *ended;	/* numbers of jobs, user after user */
	uint32_t *first;	/* by user: in ended[]; behind the last: all */
	uint32_t users;
	int64_t now;
};

/* What ended by @now. Returns 0, or -1 without memory. */
int history_open(struct history *h, const struct swf *trace,
		 const struct sim_result *result, int64_t now);
void history_close(struct history *h);

/* A run of struct fair_draw, with the history as its context. */
int64_t history_run(void *history, const struct fair_job_status *job,
		    uint64_t random);

#endif /* HISTORY_H */
