/* SPDX-License-Identifier: MIT OR Unlicense */
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 65536

void lines_open(struct lines *l, const char *path)
{
	memset(l, 0, sizeof(*l));
	l->empty = true;
	l->in = input_open(path, &l->error);
	l->ended = !l->in;
}

void lines_of(struct lines *l, const char *text, size_t bytes)
{
	memset(l, 0, sizeof(*l));
	l->empty = true;
	l->at = text;
	l->end = text + bytes;
	l->ended = true;
}

/* Moves what is left to the front, and reads more behind it. */
static void fill(struct lines *l)
{
	size_t left = (size_t)(l->end - l->at), cap = l->cap, n;
	char *more;

	if (left > LINES_LONGEST) {
		l->error = "a line is longer than 16 MiB";
		return;
	}
	if (left && l->at != l->buffer)
		memmove(l->buffer, l->at, left);
	if (cap - left < FIRST_CAP / 2) {
		cap = cap ? 2 * cap : FIRST_CAP;
		more = realloc(l->buffer, cap);
		if (!more) {
			l->error = strerror(ENOMEM);
			return;
		}
		l->buffer = more;
		l->cap = cap;
	}
	n = input_read(l->in, l->buffer + left, cap - left, &l->error);
	l->ended = !n;
	l->at = l->buffer;
	l->end = l->buffer + left + n;
}

bool lines_next(struct lines *l, const char **line, size_t *bytes)
{
	const char *newline = NULL;
	size_t seen = 0, n;

	if (l->again) {
		l->at -= l->bytes + l->whole;
		l->again = false;
	}
	/* The first @seen bytes of what is left have no newline. */
	while (!l->error) {
		n = (size_t)(l->end - l->at);
		if (n > seen)
			newline = memchr(l->at + seen, '\n', n - seen);
		if (newline || l->ended)
			break;
		seen = n;
		fill(l);
	}
	if (l->error || (!newline && l->at == l->end))
		return false;
	l->empty = false;
	l->whole = newline != NULL;
	*line = l->at;
	*bytes = (size_t)((newline ? newline : l->end) - l->at);
	l->at = newline ? newline + 1 : l->end;
	l->bytes = *bytes;
	return true;
}

void lines_again(struct lines *l)
{
	l->again = !l->empty && !l->error;
}

void lines_close(struct lines *l)
{
	input_close(l->in);
	free(l->buffer);
	l->in = NULL;
	l->buffer = NULL;
}
