/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * html.h - the tables of a page, from which it draws its charts
 *
 *	html_figure(f, "bars", "%", "Improvement", note);
 *	html_table(f, "trace", r, policies);
 *	html_row(f, NULL, "KTH", NULL);
 *	html_value(f, 25.48, 2, 0);			each policy
 *	html_row_end(f);				each row
 *	html_table_end(f);
 *	html_figure_end(f);
 */
#ifndef HTML_H
#define HTML_H

#include <stdio.h>

#include "report.h"

/* Any text, as such. */
void html_text(FILE *f, const char *text);

/* The trace, without its folder and what its name ends in. */
void html_name(FILE *f, const struct report *r);

/*
 * What a figure shows, and its table, folded away. @kind: bars of rows; waits,
 * curve, days or time, lines over what the rows are about. It is of percent,
 * hours, ..., @unit.
 */
void html_figure(FILE *f, const char *kind, const char *unit, const char *title,
		 const char *note);
void html_figure_end(FILE *f);

/* Columns: what rows are about, then the @n policies. */
void html_table(FILE *f, const char *rows, const struct report *r, size_t n);
void html_table_end(FILE *f);

/* What follows is shown while @base is what others are compared with. */
void html_base(FILE *f, const char *tag, const struct report *base,
	       const struct report *first);

/*
 * @x: what the row is about as a number for the chart, or NULL; @help: what
 * @text means, or NULL.
 */
void html_row(FILE *f, const double *x, const char *text, const char *help);
/* Its trace, and what is to be said of it. */
void html_row_of(FILE *f, const struct report *r, const char *more);
void html_row_end(FILE *f);

/* Not escaped. */
void html_cell(FILE *f, const char *format, ...);
/* With half of its interval, unless that is 0; "worse" for -INFINITY. */
void html_value(FILE *f, double value, int digits, double error);

/* The same; @none is that of measure_none(), where no job of a sample is late.
 */
void html_sample(FILE *f, double value, int digits, double error, double none);

#endif /* HTML_H */
