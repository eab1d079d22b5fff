/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * csv.h - lines and fields of the files that are tables: jobs, machine, shares
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
 * a carriage return at the end too. Fields point into the text, which stays the
 * caller's. csv_cut() knows no quotes; csv_field() takes them away.
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
	char mark; /* between the fields: a comma, | or a tab */
	char *error;
	size_t room;
	char *copy, *to; /* of a line, without its quotes */
	size_t copy_room;
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

/*
 * Of a line that may have quotes, unless | is between its fields: csv_begin()
 * makes room for them, csv_field() cuts one off, or returns 0 if nothing is left.
 * Both return -1 after an error. csv_close() frees the room.
 */
int csv_begin(struct csv *c, struct csv_field line);
int csv_field(struct csv *c, struct csv_field *line, struct csv_field *f);
void csv_close(struct csv *c);

/* What is between the names of columns in that line. */
char csv_mark(const char *line, size_t bytes);

/* A name that files have for a column, in small or capital letters. */
struct csv_title {
	const char *name;
	unsigned int column;
};

/* The column that has the name @f, else @unknown. */
unsigned int csv_title(const struct csv_title *title, size_t titles,
		       struct csv_field f, unsigned int unknown);

/* Fails for the @n columns that the line @header does not have. */
int csv_missing(struct csv *c, const char *const *column, size_t n,
		struct csv_field header);

/* A column by its name; NULL: none. */
struct csv_field csv_column(const char *name);

#endif /* CSV_H */
