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
 * Each thread plays the whole trace, which is short work, and looks into the
 * future of the jobs of those chunks that it was first to come to. So threads
 * share nothing but who has which chunk, and what they find does not depend on
 * how many there are.
 */
#ifndef FST_H
#define FST_H

#include <pthread.h>

#include "sim.h"

struct fst {
	bool *wanted;	       /* of each job, all to begin with */
	struct fair_fst *time; /* of each job; FAIR_FOREVER: not found */
	/*
	 * Only by how much jobs start later is asked: what is not before a
	 * job's start is told as that, and nobody looks further.
	 */
	bool only_late;
	/* One call at a time, when both times of a job have been found. */
	void (*found)(void *ctx, size_t number);
	void *ctx;
	/* private */
	const struct sim_rules *rules;
	const struct swf_job *job;
	const struct sim_result *result;
	size_t jobs, chunks, left; /* left: chunks that are nobody's yet */
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
