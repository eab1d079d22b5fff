/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fst.h - fair start times of a trace, by any number of threads
 *
 *	struct fst f;
 *
 *	sim_run(&rules, job, jobs, NULL, result, &totals);
 *	fst_open(&f, &rules, job, jobs, result, &totals);
 *	... f.wanted[i] = false where it need not be found ...
 *	fst_begin(&f);
 *	... any number of threads: fst_help(&f);
 *	... f.time[i].strict, f.time[i].relaxed ...
 *	fst_close(&f);
 *
 * Each thread simulates the whole trace, which is cheap, and makes the
 * simulated runs for the jobs of those chunks that it reached first. Threads
 * share only the owner of each chunk, so the results do not depend on the number
 * of threads.
 */
#ifndef FST_H
#define FST_H

#include <pthread.h>

#include "sim.h"

struct fst {
	bool *wanted;	       /* of each job, all to begin with */
	struct fair_fst *time; /* of each job; FAIR_FOREVER: not found */
	/*
	 * Only the delay of each job is needed: a fair start time that is not
	 * before the job's start is reported as that start, and the search
	 * ends.
	 */
	bool only_late;
	/* One call at a time, when both times of a job have been found. */
	void (*found)(void *ctx, size_t number);
	void *ctx;
	/* private */
	const struct sim_rules *rules;
	const struct swf_job *job;
	const struct sim_result *result;
	size_t jobs, chunks, left; /* left: chunks without an owner */
	uint32_t live;
	uint16_t *owner; /* of each chunk */
	uint16_t threads;
	pthread_mutex_t lock;
};

/*
 * What sim_run() was given and what it found, which stays.
 * Returns 0 or -FAIR_ENOMEM; then fst_close().
 */
int fst_open(struct fst *f, const struct sim_rules *rules,
	     const struct swf_job *job, size_t jobs,
	     const struct sim_result *result, const struct sim_totals *totals);
void fst_close(struct fst *f);

/* Wanted is set: threads may begin. */
void fst_begin(struct fst *f);

/*
 * One thread's part: returns when there is no more that it could begin with.
 * Returns 0, -FAIR_ENOMEM or what sim_run() does.
 */
int fst_help(struct fst *f);

#endif /* FST_H */
