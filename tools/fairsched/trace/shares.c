/* SPDX-License-Identifier: MIT OR Unlicense */
#include "shares.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "policies/relshare.h"
#include "tools/fairsched/base/read_file.h"

struct reader {
	struct shares *s;
	struct csv csv;
	size_t cap;
	bool swapped; /* shares,user */
};

static int fail(struct reader *r, const char *why)
{
	return csv_fail(&r->csv, csv_column(NULL), "%s", why);
}

/* A line's two fields. */
static int split(struct reader *r, struct csv_field line,
		 struct csv_field two[2])
{
	size_t n = csv_parts(line, ',');

	if (n != 2)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu field%s instead of 2", n,
				n == 1 ? "" : "s");
	csv_cut(&line, ',', &two[0]);
	csv_cut(&line, ',', &two[1]);
	return 0;
}

static bool parse_integer(struct csv_field f, int64_t least, int64_t most,
			  int64_t *number)
{
	bool minus = f.n && *f.p == '-';
	int64_t n = 0;

	f.p += minus;
	f.n -= minus;
	if (!csv_digits(&f, INT64_MAX, &n) || f.n)
		return false;
	n = minus ? -n : n;
	if (n < least || n > most)
		return false;
	*number = n;
	return true;
}

static int parse_header(struct reader *r)
{
	struct csv_field line, name[2] = { { NULL, 0 } };

	if (!csv_line(&r->csv, &line))
		return fail(r, "the header line is missing");
	if (split(r, line, name))
		return -1;
	r->swapped = csv_is(name[0], "shares") && csv_is(name[1], "user");
	if (!r->swapped &&
	    !(csv_is(name[0], "user") && csv_is(name[1], "shares")))
		return fail(r, "the columns must be user,shares");
	return 0;
}

static struct shares_of_user *grow(struct reader *r)
{
	size_t cap = r->cap ? 2 * r->cap : 64;
	struct shares_of_user *more;

	if (r->s->n == r->cap) {
		more = realloc(r->s->listed, cap * sizeof(*more));
		if (!more)
			return NULL;
		r->s->listed = more;
		r->cap = cap;
	}
	return r->s->listed + r->s->n;
}

static int parse_user(struct reader *r, struct csv_field line)
{
	struct shares_of_user *u = grow(r);
	struct csv_field two[2] = { { NULL, 0 } };
	int64_t shares;

	if (!u)
		return fail(r, "out of memory");
	if (split(r, line, two))
		return -1;
	if (!parse_integer(two[r->swapped], INT64_MIN, INT64_MAX, &u->user))
		return csv_fail(&r->csv, csv_column("user"),
				"'%.*s' is not an integer",
				csv_shown(two[r->swapped]), two[r->swapped].p);
	if (!parse_integer(two[!r->swapped], 0, FAIR_RELSHARE_SHARES, &shares))
		return csv_fail(&r->csv, csv_column("shares"),
				"'%.*s' is not an integer from 0 to %lu",
				csv_shown(two[!r->swapped]), two[!r->swapped].p,
				(unsigned long)FAIR_RELSHARE_SHARES);
	u->shares = (uint32_t)shares;
	u->line = r->csv.line;
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
	struct csv_field line;
	size_t i;

	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (parse_user(r, line))
			return -1;
	if (s->n)
		qsort(s->listed, s->n, sizeof(*s->listed), in_order);
	for (i = 1; i < s->n; i++) {
		if (s->listed[i].user != s->listed[i - 1].user)
			continue;
		r->csv.line = s->listed[i].line;
		return csv_fail(&r->csv, csv_column("user"),
				"%lld appears twice, first in line %ld",
				(long long)s->listed[i].user,
				s->listed[i - 1].line);
	}
	return 0;
}

int shares_parse(struct shares *s, const char *name, const char *text,
		 size_t bytes)
{
	struct reader r = { 0 };

	memset(s, 0, sizeof(*s));
	r.s = s;
	csv_open(&r.csv, name, text, bytes, s->error, sizeof(s->error));
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
	if (read_file(path, &text, &bytes, s->error, sizeof(s->error)))
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
