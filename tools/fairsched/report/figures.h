/* SPDX-License-Identifier: MIT OR Unlicense */
/* figures.h - the charts of a page, as tables */
#ifndef FIGURES_H
#define FIGURES_H

#include "html.h"
#include "measure.h"
#include "shares_sum.h"

/* All reports of one trace, with what the log recorded. */
struct shown {
	struct report *report;	   /* recorded first, if the log has it */
	struct shares_sum *shares; /* of each */
	size_t n;
	const struct report *first; /* the baseline, unless another is chosen */
};

/* The measures of all traces in percent better than each policy. */
void figures_of_all(const struct report *r, size_t traces, size_t policies,
		    FILE *f);

/* For users: how long jobs wait. Returns 0, or -1 without memory. */
int figures_for_users(const struct shown *s, FILE *f);

/* The last end under any of them, or that of the period measured. */
int64_t figures_until(const struct report *r, size_t n);

/* For administrators: queue, utilization; what tables are about. The same. */
int figures_over_time(const struct shown *s, FILE *f);
int figures_of_one(const struct shown *s, FILE *f);

#endif /* FIGURES_H */
