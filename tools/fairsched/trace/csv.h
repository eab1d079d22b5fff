/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * csv.h - lines and fields of the small files: accounts, machine, shares
 *
 *	struct csv c;
 *	struct csv_field line, f;
 *
 *	csv_open(&c, "shares.csv", text, bytes, error, sizeof(error));
 *	while (csv_line(&c, &line))
 *		while (csv_cut(&line, ',', &f))
 *			...
 *			return csv_fail(&c, csv_column("user"), "no name");
 *
 * Blank lines and those that begin with # are skipped, spaces around fields and
 * a carriage return at the end too. There are no quotes. Fields point into the
 * text, which stays the caller's.
 */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/fairsched/base/lines.h"

struct csv_field {
	const char *p; /* not terminated; NULL: nothing is left */
	size_t n;
};

struct csv {
	const char *name; /* of the file, for messages */
	struct lines own, *lines;
	long line; /* of the last csv_line(), from 1 */
	char *error;
	size_t room;
};

/* Fields point into the lines, which csv_line() moves on. */
void csv_read(struct csv *c, const char *name, struct lines *lines, char *error,
	      size_t room);

void csv_open(struct csv *c, const char *name, const char *text, size_t bytes,
	      char *error, size_t room);

/* The next line that says something; false, too, after c->lines->error. */
bool csv_line(struct csv *c, struct csv_field *line);

/* Cuts a part off *from: up to @mark, or all. False if nothing was left. */
bool csv_cut(struct csv_field *from, char mark, struct csv_field *part);

/* How many parts csv_cut() will cut. */
size_t csv_parts(struct csv_field from, char mark);

bool csv_same(struct csv_field f, const char *p, size_t bytes);
bool csv_is(struct csv_field f, const char *word);

/* For "%.*s": enough of it to be found, in whole characters. */
int csv_shown(struct csv_field f);

/*
 * Appends digits, cut off *f, to a number, 0 at first, up to @most; false if
 * there are none or too many.
 */
bool csv_digits(struct csv_field *f, int64_t most, int64_t *number);

/* "file:line: column: what" to the error, without a column if it has no bytes;
 * returns -1. */
int csv_fail(struct csv *c, struct csv_field column, const char *format, ...);

/* A column by its name; NULL: none. */
struct csv_field csv_column(const char *name);

#endif /* CSV_H */
