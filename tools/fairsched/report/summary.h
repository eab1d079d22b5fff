/* SPDX-License-Identifier: MIT OR Unlicense */
/* summary.h - the summary of a schedule: waits, utilization, unfairness */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdio.h>

#include "dues.h"

/* Seconds, and shares of 1. */
#define SUMMARY_CLASSES 7 /* of waits */
extern const char *const summary_class_name[SUMMARY_CLASSES];
size_t summary_class_of(int64_t wait);

#define SUMMARY_CAUSES 13
extern const char *const summary_causes[SUMMARY_CAUSES]; /* by enum fair_cause */

/* Of jobs that start after the first start they were promised. */
struct lateness {
	size_t jobs;
	double mean;
	int64_t p99, max; /* nearest rank */
};

struct summary {
	size_t waits[SUMMARY_CLASSES]; /* jobs by how long they wait */
	size_t jobs, promises_kept;
	struct lateness late;			/* promises broken */
	struct lateness late_by[SUMMARY_CAUSES]; /* by the last delay */
	double mean_wait, mean_bounded_slowdown;
	double utilization; /* over the makespan, or the period measured */
	int64_t p99_wait, max_wait; /* nearest rank */
	int64_t makespan;	    /* last end - first submit */
	double deviation[DUES_KINDS]; /* of the shares, by dues.h */
};

/* How unfair a schedule is to its jobs, on average: [CF 3]. */
struct unfairness {
	size_t known;		/* jobs whose fair start times are known */
	bool told;		/* known is all jobs, or a sample of them */
	double strict, relaxed; /* of those, seconds */
	double strict_error, relaxed_error; /* half of a 95 % interval */
	size_t strict_late, relaxed_late;   /* jobs of those known */
	double unweighted, weighted; /* processor-seconds, or cost-seconds */
};

/* max(1, (wait + run) / max(run, threshold)); @threshold >= 1 s. */
double bounded_slowdown(int64_t wait, int64_t run, int64_t threshold);

/* Seconds after the fair start time, or 0. */
double late(int64_t start, int64_t fair_start);

/*
 * Half of the 95 % interval of the mean of a sample of @n of @jobs, as far as a
 * normal distribution holds; 0 where there is none.
 */
double sample_error(double sum, double squares, size_t n, size_t jobs);

/* A time, or the nearest one of the period that is measured. */
int64_t summary_clamp(const struct swf *t, int64_t time);

/*
 * Of the jobs that are measured; shares are those of @rules. Returns 0, or -1
 * without memory.
 */
int summary_make(struct summary *s, const struct swf *t,
		 const struct sim_rules *rules,
		 const struct sim_result *result);

/* The same; fair shares by cost if @plan has weights; @time is FAIR_FOREVER where a fair start time is not known. */
int unfairness_make(struct unfairness *u, const struct swf *t,
		    const struct plan *plan, const struct sim_result *result,
		    const struct fair_fst *time);

#endif /* SUMMARY_H */
