/* SPDX-License-Identifier: MIT OR Unlicense */
/* tables.h - what compare says of one trace: tables, Markdown, CSV, sentences */
#ifndef TABLES_H
#define TABLES_H

#include "measure.h"

struct column; /* of columns.h */

/* A policy that cannot run with the other options. */
struct left_out {
	char label[64], why[512];
};

/* All reports of one trace. */
struct comparison {
	/* [machine * policies + policy]; one that failed has an error */
	const struct report *report;
	size_t machines, policies;
	const struct left_out *left_out;
	size_t left_outs;
};

/* The report that the others are compared with: the first; NULL: all failed. */
const struct report *tables_first(const struct comparison *c);

/* For people, in lines of @room characters. Returns 0, or -1 without memory. */
int tables_print(const struct comparison *c, FILE *f, size_t room, bool colour);

/* How long jobs wait, as a bar for each report. Returns 0, or -1 as above. */
int tables_plot(const struct comparison *c, FILE *f, size_t room);

/* The same numbers as Markdown. */
int tables_markdown(const struct comparison *c, FILE *f);

/* In seconds; @head: with the names of the columns. */
int tables_csv(const struct comparison *c, FILE *f, bool head);

/*
 * How much better or worse @value is than @first, in words. Returns 1: better,
 * -1: worse, 0: the same.
 */
int tables_judge(const struct column *c, double value, double first, char *text,
		 size_t size);

/* "1981 jobs", and how many are dropped, damaged, or share their number. */
void tables_jobs(const struct swf *t, FILE *f);

/*
 * Two sentences: under which policies jobs wait least, and under which of those
 * that promise a start. "" unless there are two reports.
 */
void tables_conclusion(const struct comparison *c, char *text, size_t size);

#endif /* TABLES_H */
