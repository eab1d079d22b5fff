/* SPDX-License-Identifier: MIT OR Unlicense */
/* shares_sum.h - the shares due and got of each user and account, over time */
#ifndef SHARES_SUM_H
#define SHARES_SUM_H

#include "dues.h"
#include "report.h"

#define SHARES_PARTS 60 /* of the time, at most; each of whole days */

/* Of one schedule: processor-seconds of each owner in each part. */
struct shares_sum {
	struct shares_owner {
		struct dues_row is; /* its names: those of the first row */
		double due[SHARES_PARTS], got[SHARES_PARTS];
	} * owner[DUES_KINDS];
	size_t owners[DUES_KINDS];
	int64_t from, step; /* seconds of a part */
	bool failed;
};

/* The same parts as all others until @to. Returns 0, or -1 without memory. */
int shares_sum_make(struct shares_sum *s, const struct report *r, int64_t to);
void shares_sum_free(struct shares_sum *s);

double shares_sum_due(const struct shares_owner *o);
double shares_sum_got(const struct shares_owner *o);

/* What the owner is called: "user 7", "ann", "physics". */
void shares_sum_name(const struct report *r, enum dues_kind kind,
		     const struct shares_owner *o, char *text, size_t size);

/* As JSON, for the page to draw: hours. */
void shares_sum_json(const struct shares_sum *s, const struct report *r,
		     FILE *f);

#endif /* SHARES_SUM_H */
