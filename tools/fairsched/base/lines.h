/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * lines.h - a file or a text line by line, in memory for one line
 *
 *	struct lines l;
 *	const char *line;
 *	size_t bytes;
 *
 *	lines_open(&l, "trace.swf.gz");
 *	while (lines_next(&l, &line, &bytes))
 *		...
 *	if (l.error)
 *		puts(l.error);
 *	lines_close(&l);
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "input.h"

#define LINES_LONGEST ((size_t)1 << 24) /* bytes of a line; more is an error */

struct lines {
	struct input *in; /* NULL: @at is the whole text */
	const char *at, *end;
	char *buffer;
	size_t cap;
	bool ended;	   /* nothing is left but what is in memory */
	bool empty;	   /* there was no line yet */
	bool whole;	   /* the last line had its newline */
	bool again;	   /* the last line comes once more */
	size_t bytes;	   /* of it */
	const char *error; /* NULL: none */
};

/* "-" for stdin. An error is that of the first lines_next(), too. */
void lines_open(struct lines *l, const char *path);

/* @text stays the caller's. */
void lines_of(struct lines *l, const char *text, size_t bytes);

/*
 * The next line without its newline, good until the next call. False at the end
 * and after an error. The last line may lack its newline.
 */
bool lines_next(struct lines *l, const char **line, size_t *bytes);

/*
 * The next lines_next() is the last one again, if there was one. Once, and
 * with nothing in between.
 */
void lines_again(struct lines *l);

void lines_close(struct lines *l);

#endif /* LINES_H */
