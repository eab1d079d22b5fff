/* SPDX-License-Identifier: MIT OR Unlicense */
/* columns.h - the columns of compare, on a terminal and in a page */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "measure.h"

struct column {
	const char *title, *unit;
	double (*value)(const struct report *r);
	enum { COLUMN_TIME, COLUMN_AREA, COLUMN_NUMBER } kind;
	int digits;
	bool more_is_better;
};

/* For people: a duration, processor-hours, or a number. Returns @text. */
const char *column_text(const struct column *c, double value, char *text,
			size_t size);

#define COLUMNS 6
#define PROMISES_COLUMN (COLUMNS - 1) /* of policies that promise */
extern const struct column column[COLUMNS];

extern const struct column share_column[DUES_KINDS];

#define FAIRNESS_COLUMNS 4 /* enum measure says which */
extern const struct column fairness_column[FAIRNESS_COLUMNS];

#endif /* COLUMNS_H */
