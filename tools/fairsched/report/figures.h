/* SPDX-License-Identifier: MIT OR Unlicense */
/* figures.h - the figures of a page */
#ifndef FIGURES_H
#define FIGURES_H

#include "measure.h"
#include "page.h"

/* Of @r[trace * policies + policy]: what is gained on conservative [CF]. */
void figures_of_all(const struct report *r, size_t traces, size_t policies,
		    FILE *f);

/* The same of one trace, in one figure. */
void figures_of_one(const struct report *r, size_t policies, FILE *f);

/*
 * Waits, slowdowns and utilization of one trace, and what each user got.
 * Returns 0, or -1 without memory.
 */
int figures_of_trace(const struct report *r, size_t policies,
		     struct page_log *log, FILE *f);

#endif /* FIGURES_H */
