/* SPDX-License-Identifier: MIT OR Unlicense */
#include "csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void csv_open(struct csv *c, const char *name, const char *text, size_t bytes,
	      char *error, size_t room)
{
	lines_of(&c->own, text, bytes);
	csv_read(c, name, &c->own, error, room);
}

void csv_read(struct csv *c, const char *name, struct lines *lines, char *error,
	      size_t room)
{
	c->name = name;
	c->lines = lines;
	c->line = 0;
	c->error = error;
	c->room = room;
}

static struct csv_field trimmed(const char *p, const char *end)
{
	struct csv_field f;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end &&
	       (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	f.p = p;
	f.n = (size_t)(end - p);
	return f;
}

bool csv_line(struct csv *c, struct csv_field *line)
{
	const char *p;
	size_t n;

	while (lines_next(c->lines, &p, &n)) {
		*line = trimmed(p, p + n);
		c->line++;
		if (line->n && *line->p != '#')
			return true;
	}
	return false;
}

bool csv_cut(struct csv_field *from, char mark, struct csv_field *part)
{
	const char *end = from->p ? from->p + from->n : NULL, *at;

	if (!from->p)
		return false;
	at = memchr(from->p, mark, from->n);
	*part = trimmed(from->p, at ? at : end);
	from->p = at ? at + 1 : NULL;
	from->n = at ? (size_t)(end - at - 1) : 0;
	return true;
}

size_t csv_parts(struct csv_field from, char mark)
{
	struct csv_field part;
	size_t n = 0;

	while (csv_cut(&from, mark, &part))
		n++;
	return n;
}

bool csv_same(struct csv_field f, const char *p, size_t bytes)
{
	return f.n == bytes && !memcmp(f.p, p, bytes);
}

bool csv_is(struct csv_field f, const char *word)
{
	return csv_same(f, word, strlen(word));
}

int csv_shown(struct csv_field f)
{
	size_t n = f.n < 40 ? f.n : 40;

	while (n < f.n && n && (f.p[n] & 0xc0) == 0x80)
		n--;
	return (int)n;
}

bool csv_digits(struct csv_field *f, int64_t most, int64_t *number)
{
	const char *first = f->p;

	for (; f->n && *f->p >= '0' && *f->p <= '9'; f->p++, f->n--) {
		if (*number > (most - (*f->p - '0')) / 10)
			return false;
		*number = 10 * *number + (*f->p - '0');
	}
	return f->p > first;
}

int csv_fail(struct csv *c, struct csv_field column, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(c->error, c->room, "%s:%ld: %.*s%s%s", c->name, c->line,
		 (int)column.n, column.n ? column.p : "", column.n ? ": " : "",
		 what);
	return -1;
}

struct csv_field csv_column(const char *name)
{
	struct csv_field column;

	column.p = name;
	column.n = name ? strlen(name) : 0;
	return column;
}
