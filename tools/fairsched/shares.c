/* SPDX-License-Identifier: MIT OR Unlicense */
#include "shares.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "policies/relshare.h"

struct field {
	const char *p; /* in the text */
	size_t n;
};

struct reader {
	struct shares *s;
	const char *name; /* of the file */
	const char *at, *end;
	long line;
	size_t cap;
	bool swapped; /* shares,user */
};

static int fail(struct reader *r, long line, const char *format, ...)
{
	size_t cap = sizeof(r->s->error), n;
	va_list ap;

	snprintf(r->s->error, cap, "%s:%ld: ", r->name, line);
	n = strlen(r->s->error);
	va_start(ap, format);
	vsnprintf(r->s->error + n, cap - n, format, ap);
	va_end(ap);
	return -1;
}

static struct field trimmed(const char *p, const char *end)
{
	struct field s;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end &&
	       (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	s.p = p;
	s.n = (size_t)(end - p);
	return s;
}

static bool is(struct field f, const char *name)
{
	return f.n == strlen(name) && !memcmp(f.p, name, f.n);
}

/* The next line that says something. */
static bool next_line(struct reader *r, struct field *line)
{
	const char *newline;

	while (r->at < r->end) {
		newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		newline = newline ? newline : r->end;
		*line = trimmed(r->at, newline);
		r->at = newline < r->end ? newline + 1 : r->end;
		r->line++;
		if (line->n && *line->p != '#')
			return true;
	}
	return false;
}

/* A line's two fields. */
static int split(struct reader *r, struct field line, struct field two[2])
{
	const char *end = line.p + line.n, *comma = NULL, *p;
	size_t fields = 1;

	for (p = line.p; p < end; p++)
		if (*p == ',') {
			comma = comma ? comma : p;
			fields++;
		}
	if (fields != 2)
		return fail(r, r->line, "%zu field%s, not 2", fields,
			    fields == 1 ? "" : "s");
	two[0] = trimmed(line.p, comma);
	two[1] = trimmed(comma + 1, end);
	return 0;
}

static bool parse_integer(struct field f, int64_t least, int64_t most,
			  int64_t *number)
{
	bool minus = f.n && *f.p == '-';
	int64_t n = 0;
	size_t i;

	for (i = minus; i < f.n; i++) {
		if (f.p[i] < '0' || f.p[i] > '9' ||
		    n > (INT64_MAX - (f.p[i] - '0')) / 10)
			return false;
		n = 10 * n + (f.p[i] - '0');
	}
	n = minus ? -n : n;
	if (i == minus || n < least || n > most)
		return false;
	*number = n;
	return true;
}

static int parse_header(struct reader *r)
{
	struct field line, name[2];

	if (!next_line(r, &line))
		return fail(r, r->line, "no header line");
	if (split(r, line, name))
		return -1;
	r->swapped = is(name[0], "shares") && is(name[1], "user");
	if (!r->swapped && !(is(name[0], "user") && is(name[1], "shares")))
		return fail(r, r->line, "the columns are not user and shares");
	return 0;
}

static struct shares_of_user *grow(struct reader *r)
{
	size_t cap = r->cap ? 2 * r->cap : 64;
	void *p = r->s->listed;

	if (r->s->n == r->cap) {
		p = realloc(p, cap * sizeof(*r->s->listed));
		if (!p)
			return NULL;
		r->s->listed = p;
		r->cap = cap;
	}
	return r->s->listed + r->s->n;
}

static int parse_user(struct reader *r, struct field line)
{
	struct shares_of_user *u = grow(r);
	struct field two[2];
	int64_t shares;

	if (!u)
		return fail(r, r->line, "out of memory");
	if (split(r, line, two))
		return -1;
	if (!parse_integer(two[r->swapped], INT64_MIN, INT64_MAX, &u->user))
		return fail(r, r->line, "user: '%.*s' is no integer",
			    (int)two[r->swapped].n, two[r->swapped].p);
	if (!parse_integer(two[!r->swapped], 0, FAIR_RELSHARE_SHARES, &shares))
		return fail(r, r->line,
			    "shares: '%.*s' is no integer from 0 to %lu",
			    (int)two[!r->swapped].n, two[!r->swapped].p,
			    (unsigned long)FAIR_RELSHARE_SHARES);
	u->shares = (uint32_t)shares;
	u->line = r->line;
	r->s->n++;
	return 0;
}

/* By user, then by line. */
static int in_order(const void *a, const void *b)
{
	const struct shares_of_user *x = a, *y = b;

	if (x->user != y->user)
		return x->user < y->user ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static int parse_all(struct reader *r)
{
	struct shares *s = r->s;
	struct field line;
	size_t i;

	if (parse_header(r))
		return -1;
	while (next_line(r, &line))
		if (parse_user(r, line))
			return -1;
	if (s->n)
		qsort(s->listed, s->n, sizeof(*s->listed), in_order);
	for (i = 1; i < s->n; i++)
		if (s->listed[i].user == s->listed[i - 1].user)
			return fail(r, s->listed[i].line,
				    "user: a second %lld, after line %ld",
				    (long long)s->listed[i].user,
				    s->listed[i - 1].line);
	return 0;
}

int shares_parse(struct shares *s, const char *name, const char *text,
		 size_t bytes)
{
	struct reader r = { 0 };

	memset(s, 0, sizeof(*s));
	r.s = s;
	r.name = name;
	r.at = text;
	r.end = text + bytes;
	if (!parse_all(&r))
		return 0;
	shares_free(s);
	return -1;
}

int shares_read(struct shares *s, const char *path)
{
	size_t bytes;
	char *text;
	int err;

	memset(s, 0, sizeof(*s));
	if (load(path, &text, &bytes, s->error, sizeof(s->error)))
		return -1;
	err = shares_parse(s, path, text, bytes);
	free(text);
	return err;
}

void shares_free(struct shares *s)
{
	free(s->listed);
	s->listed = NULL;
	s->n = 0;
}

uint32_t shares_of(const struct shares *s, int64_t user)
{
	size_t low = 0, high = s->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->listed[middle].user < user)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < s->n && s->listed[low].user == user)
		return s->listed[low].shares;
	return 1;
}
