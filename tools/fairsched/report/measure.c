/* SPDX-License-Identifier: MIT OR Unlicense */
#include "measure.h"

#include <math.h>

const char *const measure_names[] = { "strict",	  "relaxed", "unweighted",
				      "weighted", "wait",    NULL };

bool measured(const struct report *r, enum measure m)
{
	if (m == MEASURE_WAIT)
		return true;
	if (m == MEASURE_STRICT || m == MEASURE_RELAXED)
		return r->unfairness && r->unfairness->told;
	return r->unfairness;
}

double measure_of(const struct report *r, enum measure m)
{
	switch (m) {
	case MEASURE_STRICT:
		return r->unfairness->strict;
	case MEASURE_RELAXED:
		return r->unfairness->relaxed;
	case MEASURE_UNWEIGHTED:
		return r->unfairness->unweighted;
	case MEASURE_WEIGHTED:
		return r->unfairness->weighted;
	default:
		return r->summary.mean_wait;
	}
}

double measure_error(const struct report *r, enum measure m)
{
	if (m == MEASURE_STRICT)
		return r->unfairness->strict_error;
	return m == MEASURE_RELAXED ? r->unfairness->relaxed_error : 0;
}

bool measure_sampled(const struct report *r)
{
	return measured(r, MEASURE_STRICT) &&
	       r->unfairness->known < r->summary.jobs;
}

double measure_none(const struct report *r, enum measure m)
{
	const struct unfairness *u = r->unfairness;

	if (m > MEASURE_RELAXED || !measure_sampled(r) ||
	    (m == MEASURE_STRICT ? u->strict_late : u->relaxed_late))
		return 0;
	return -100 * expm1(log(0.05) / (double)u->known);
}

double improvement(const struct report *base, const struct report *r,
		   enum measure m)
{
	double was = measure_of(base, m), is = measure_of(r, m);

	if (is == was)
		return 0;
	return was > 0 ? 100 * (was - is) / was : -INFINITY;
}

static double late_job(const struct report *r, size_t i, enum measure m)
{
	const struct fair_fst *fst = &r->fst.time[i];

	return late(r->result[i].start,
		    m == MEASURE_STRICT ? fst->strict : fst->relaxed);
}

double improvement_error(const struct report *base, const struct report *r,
			 enum measure m)
{
	const struct swf *t = r->trace;
	size_t n = r->unfairness ? r->unfairness->known : 0, i;
	double was, ratio, x, sum = 0, squares = 0;

	if (r == base || !measured(r, m) || !(measure_error(base, m) > 0))
		return 0;
	was = measure_of(base, m);
	ratio = measure_of(r, m) / was;
	for (i = 0; i < t->jobs; i++) {
		if (!swf_measures(t, t->job[i].submit) ||
		    r->fst.time[i].strict == FAIR_FOREVER)
			continue;
		x = late_job(r, i, m) - ratio * late_job(base, i, m);
		sum += x;
		squares += x * x;
	}
	return 100 * sample_error(sum, squares, n, r->summary.jobs) / was;
}
