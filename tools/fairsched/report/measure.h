/* SPDX-License-Identifier: MIT OR Unlicense */
/* measure.h - the measures of [CF], and the improvement of a policy by them */
#ifndef MEASURE_H
#define MEASURE_H

#include "report.h"

/* Seconds, or processor-seconds for the fair shares: the less, the better. */
enum measure {
	MEASURE_STRICT,
	MEASURE_RELAXED,
	MEASURE_UNWEIGHTED,
	MEASURE_WEIGHTED,
	MEASURE_WAIT,
	MEASURES
};
extern const char *const measure_names[];

/* Was it computed? */
bool measured(const struct report *r, enum measure m);

/* If it was: the mean over jobs, and half of its 95 % interval or 0. */
double measure_of(const struct report *r, enum measure m);
double measure_error(const struct report *r, enum measure m);

/* Are strict and relaxed of a sample? */
bool measure_sampled(const struct report *r);

/*
 * Where no job of a sample is late: the percentage of all jobs that are late at
 * most, 95 % certain, 100 * (1 - 0.05^(1 / n)), which is nearly 300 / n. Else 0.
 */
double measure_none(const struct report *r, enum measure m);

/*
 * Percent by which @r is better than @base, (base - other) / base [CF 4]: below
 * 0 if it is worse, 0 if they are equal, -INFINITY if there is no percentage
 * because @base is 0.
 */
double improvement(const struct report *base, const struct report *r,
		   enum measure m);

/*
 * Half of the 95 % interval of an improvement, for a sample of fair start times
 * that is the same for both; else 0. That of a ratio of means, by the variance
 * of other - ratio * base over the jobs of the sample.
 */
double improvement_error(const struct report *base, const struct report *r,
			 enum measure m);

#endif /* MEASURE_H */
