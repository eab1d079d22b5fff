/* SPDX-License-Identifier: MIT OR Unlicense */
#include "csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/text.h"

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
	c->mark = ',';
	c->error = error;
	c->room = room;
	c->copy = NULL;
	c->copy_room = 0;
}

void csv_close(struct csv *c)
{
	free(c->copy);
	c->copy = NULL;
}

/* Without blanks around it; a tab is none where it separates fields. */
static struct csv_field trimmed(const char *p, const char *end, char mark)
{
	char tab = mark == '\t' ? ' ' : '\t';
	struct csv_field f;

	while (p < end && (*p == ' ' || *p == tab))
		p++;
	while (p < end &&
	       (end[-1] == ' ' || end[-1] == tab || end[-1] == '\r'))
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
		*line = trimmed(p, p + n, c->mark);
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
	*part = trimmed(from->p, at ? at : end, ',');
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

/* ---- fields in quotes ---- */

int csv_begin(struct csv *c, struct csv_field line)
{
	if (c->copy_room < line.n) {
		free(c->copy);
		c->copy_room = 2 * line.n;
		c->copy = malloc(c->copy_room);
	}
	c->to = c->copy;
	if (line.n && !c->copy) {
		c->copy_room = 0;
		return csv_fail(c, csv_column(NULL), "out of memory");
	}
	return memchr(line.p, '\0', line.n)
		       ? csv_fail(c, csv_column(NULL), "a NUL character")
		       : 0;
}

/* "As here"; moves past the mark. */
static bool cut_quoted(struct csv *c, struct csv_field *from,
		       struct csv_field *f)
{
	const char *p = from->p + 1, *end = from->p + from->n;

	f->p = c->to;
	for (; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
		p += *p == '"';
		*c->to++ = *p;
	}
	f->n = (size_t)(c->to - f->p);
	if (p == end)
		return false;
	while (++p < end && *p != c->mark && (*p == ' ' || *p == '\t'))
		;
	if (p < end && *p != c->mark)
		return false;
	from->p = p < end ? p + 1 : NULL;
	from->n = p < end ? (size_t)(end - p - 1) : 0;
	return true;
}

/* What text_csv() wrote, too. */
int csv_field(struct csv *c, struct csv_field *line, struct csv_field *f)
{
	size_t marked;

	if (!line->p)
		return 0;
	if (c->mark == '|')
		return csv_cut(line, '|', f);
	while (line->n && *line->p != c->mark &&
	       (*line->p == ' ' || *line->p == '\t'))
		line->p++, line->n--;
	if (!line->n || *line->p != '"')
		csv_cut(line, c->mark, f);
	else if (!cut_quoted(c, line, f))
		return csv_fail(c, csv_column(NULL), "a quote is not closed");
	marked = text_csv_marked(f->p, f->n);
	f->p += marked;
	f->n -= marked;
	return 1;
}

/* ---- names of columns ---- */

char csv_mark(const char *line, size_t bytes)
{
	static const char marks[] = { '|', ',', '\t' };
	size_t i;

	for (i = 0; i < sizeof(marks); i++)
		if (memchr(line, marks[i], bytes))
			return marks[i];
	return ',';
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_title(struct csv_field f, const char *name)
{
	size_t i;

	for (i = 0; i < f.n && name[i] && small(f.p[i]) == small(name[i]); i++)
		;
	return i == f.n && !name[i];
}

unsigned int csv_title(const struct csv_title *title, size_t titles,
		       struct csv_field f, unsigned int unknown)
{
	size_t i;

	for (i = 0; i < titles; i++)
		if (is_title(f, title[i].name))
			return title[i].column;
	return unknown;
}

int csv_missing(struct csv *c, const char *const *column, size_t n,
		struct csv_field header)
{
	char list[160] = "";
	size_t i, at = 0;

	for (i = 0; i < n && at < sizeof(list); i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s",
				       !i	    ? ""
				       : i + 1 < n ? ", "
						    : " and ",
				       column[i]);
	return csv_fail(c, csv_column(NULL),
			"column%s %s %s missing: the first line is '%.*s'",
			n > 1 ? "s" : "", list, n > 1 ? "are" : "is",
			header.n < 80 ? (int)header.n : 80, header.p);
}

struct csv_field csv_column(const char *name)
{
	struct csv_field column;

	column.p = name;
	column.n = name ? strlen(name) : 0;
	return column;
}
