/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * lublin.h - jobs by the model of Lublin and Feitelson [LF03]
 *
 *	struct lublin_rules r = { 1, 256, 0.9, 5 };
 *	struct swf_job *job = malloc(10000 * sizeof(*job));
 *
 *	lublin_generate(&r, job, 10000);
 *
 * Sizes, run times that depend on them, and arrivals with a daily cycle, with
 * the parameters published for jobs of all types (docs/lublin.md). The first n
 * jobs of a seed are the same however many follow, but for --load.
 */
#ifndef LUBLIN_H
#define LUBLIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "swf.h"

#define LUBLIN_LEAST_PROCS 10 /* log2 of it - 2.5 is above the least size */
#define LUBLIN_MOST_JOBS 1000000

struct lublin_rules {
	uint64_t seed;
	int32_t procs; /* >= LUBLIN_LEAST_PROCS */
	/*
	 * Processor-seconds of all jobs / (procs * last submit); the gaps
	 * between arrivals are scaled to reach it, under the same daily cycle.
	 * In [0.2, 10]; 0: that of the model.
	 */
	double load;
	double overestimate; /* requests are 1 to so many times the run time */
};

/*
 * @jobs in 1..LUBLIN_MOST_JOBS, in the order of arrival from a midnight on.
 * O(1) a job.
 */
void lublin_generate(const struct lublin_rules *r, struct swf_job *job,
		     size_t jobs);

/* The load as above. */
double lublin_load(const struct lublin_rules *r, const struct swf_job *job,
		   size_t jobs);

/* As a trace that says in its header how to make it again. */
void lublin_write(FILE *f, const struct lublin_rules *r,
		  const struct swf_job *job, size_t jobs);

#endif /* LUBLIN_H */
