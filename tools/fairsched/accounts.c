/* SPDX-License-Identifier: MIT OR Unlicense */
#include "accounts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

enum column { ACCOUNT, TARGET, AWARD, PERIOD, FACTOR, COLUMNS };

static const char *const column_name[COLUMNS] = { "account", "target", "award",
						  "period", "factor" };

/* Bits of the columns that make a file. */
#define BY_TARGET (1u << ACCOUNT | 1u << TARGET)
#define BY_AWARD (1u << ACCOUNT | 1u << AWARD | 1u << PERIOD | 1u << FACTOR)

struct field {
	const char *p, *end;
};

struct reader {
	struct accounts *a;
	const char *name; /* of the file */
	const char *at, *end;
	long line;
	enum column column[COLUMNS]; /* what each of the file's holds */
	size_t columns, cap;
};

/* ---- errors ---- */

static int fail(struct reader *r, const char *column, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(r->a->error, sizeof(r->a->error), "%s:%ld: %s%s%s", r->name,
		 r->line, column ? column : "", column ? ": " : "", what);
	return -1;
}

/* For "%.*s": enough of it to be found. */
static int shown(struct field f)
{
	return f.end - f.p < 40 ? (int)(f.end - f.p) : 40;
}

static int bad_field(struct reader *r, enum column column, struct field f,
		     const char *why)
{
	return fail(r, column_name[column], "'%.*s' is %s", shown(f), f.p, why);
}

/* ---- lines and fields ---- */

static struct field trimmed(const char *p, const char *end)
{
	struct field f;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end &&
	       (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	f.p = p;
	f.end = end;
	return f;
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
		if (line->p < line->end && *line->p != '#')
			return true;
	}
	return false;
}

/* Cuts the first field off; false if the line has no more. */
static bool next_field(struct field *line, struct field *f)
{
	const char *comma;

	if (!line->p)
		return false;
	comma = memchr(line->p, ',', (size_t)(line->end - line->p));
	*f = trimmed(line->p, comma ? comma : line->end);
	line->p = comma ? comma + 1 : NULL;
	return true;
}

/* Appends digits to a number up to @most; false if there are none. */
static bool read_digits(struct field *f, int64_t most, int64_t *number)
{
	const char *first = f->p;

	for (; f->p < f->end && *f->p >= '0' && *f->p <= '9'; f->p++) {
		if (*number > (most - (*f->p - '0')) / 10)
			return false;
		*number = 10 * *number + (*f->p - '0');
	}
	return f->p > first;
}

/* 26.4 is 264 with 1 place, at most @most and @most_places. */
static bool read_decimal(struct field f, int64_t most, int most_places,
			 int64_t *digits, int *places)
{
	const char *first;

	*digits = *places = 0;
	if (!read_digits(&f, most, digits))
		return false;
	if (f.p < f.end && *f.p == '.') {
		first = ++f.p;
		if (!read_digits(&f, most, digits) || f.p - first > most_places)
			return false;
		*places = (int)(f.p - first);
	}
	return f.p == f.end;
}

static int64_t power_of_10(int n)
{
	int64_t power = 1;

	while (n--)
		power *= 10;
	return power;
}

/* Hours or days of @unit seconds, which a hundred divides. */
static bool read_time(struct field f, int64_t unit, int64_t *seconds)
{
	int places;

	if (!read_decimal(f, INT64_MAX / unit, 2, seconds, &places))
		return false;
	*seconds *= unit / power_of_10(places);
	return true;
}

/* ---- the header line ---- */

static int parse_heading(struct reader *r, struct field f, unsigned int *seen)
{
	unsigned int i;

	for (i = 0; i < COLUMNS; i++)
		if (strlen(column_name[i]) == (size_t)(f.end - f.p) &&
		    !memcmp(column_name[i], f.p, (size_t)(f.end - f.p)))
			break;
	if (i == COLUMNS)
		return fail(r, NULL, "no column is called '%.*s'", shown(f),
			    f.p);
	if (*seen >> i & 1)
		return fail(r, NULL, "two columns %s", column_name[i]);
	*seen |= 1u << i;
	r->column[r->columns++] = (enum column)i;
	return 0;
}

static int parse_header(struct reader *r)
{
	unsigned int seen = 0;
	struct field line, f;

	if (!next_line(r, &line))
		return fail(r, NULL, "no header line");
	while (next_field(&line, &f))
		if (parse_heading(r, f, &seen))
			return -1;
	if (seen != BY_TARGET && seen != BY_AWARD)
		return fail(r, NULL,
			    "columns must be account,target or "
			    "account,award,period,factor");
	return 0;
}

/* ---- accounts ---- */

static int parse_field(struct reader *r, enum column column, struct field f,
		       struct account *j)
{
	struct fair_sfs_allocation *a = &j->allocation;
	int64_t digits;
	int places;

	switch (column) {
	case ACCOUNT:
		if (f.p == f.end)
			return fail(r, column_name[column], "no name");
		j->name = f.p;
		j->bytes = (size_t)(f.end - f.p);
		return 0;
	case TARGET:
		if (!read_decimal(f, INT64_MAX, 9, &a->award, &places))
			return bad_field(r, column, f,
					 "no number of processors");
		a->unit = (int32_t)power_of_10(places);
		return 0;
	case AWARD:
		if (!read_time(f, 3600, &a->award))
			return bad_field(r, column, f,
					 "no number of processor-hours");
		return 0;
	case PERIOD:
		if (!read_time(f, 86400, &a->period) || !a->period)
			return bad_field(r, column, f, "no number of days");
		return 0;
	default:
		if (!read_decimal(f, 999999999, 9, &digits, &places))
			return bad_field(r, column, f, "no factor");
		a->factor = (int32_t)digits;
		a->unit = (int32_t)power_of_10(places);
		return 0;
	}
}

static int grow(struct reader *r)
{
	size_t cap = r->cap ? 2 * r->cap : 64;
	struct account *more;

	if (r->a->accounts < r->cap)
		return 0;
	more = realloc(r->a->account, cap * sizeof(*more));
	if (!more)
		return fail(r, NULL, "out of memory");
	r->a->account = more;
	r->cap = cap;
	return 0;
}

static size_t count_fields(struct field line)
{
	struct field f;
	size_t n = 0;

	while (next_field(&line, &f))
		n++;
	return n;
}

static int parse_account(struct reader *r, struct field line)
{
	struct account *j;
	struct field f;
	size_t i;

	if (count_fields(line) != r->columns)
		return fail(r, NULL, "%zu fields, not %zu", count_fields(line),
			    r->columns);
	if (r->a->accounts == UINT32_MAX)
		return fail(r, NULL, "too many accounts");
	if (grow(r))
		return -1;
	j = r->a->account + r->a->accounts;
	memset(j, 0, sizeof(*j));
	j->line = r->line;
	j->allocation.period = j->allocation.factor = j->allocation.unit = 1;
	for (i = 0; next_field(&line, &f); i++)
		if (parse_field(r, r->column[i], f, j))
			return -1;
	if (fair_sfs_target(&j->allocation, &j->target))
		return fail(r, column_name[r->columns == 2 ? TARGET : AWARD],
			    "a target above %d processors", INT32_MAX);
	r->a->accounts++;
	return 0;
}

static int compare_names(const char *p, size_t n, const struct account *b)
{
	int order = memcmp(p, b->name, n < b->bytes ? n : b->bytes);

	return order ? order : (n > b->bytes) - (n < b->bytes);
}

static int compare(const void *x, const void *y)
{
	const struct account *a = x, *b = y;
	int order = compare_names(a->name, a->bytes, b);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Sorts, and finds the first line that names an account again. */
static int sort(struct reader *r)
{
	struct accounts *a = r->a;
	const struct account *again = NULL, *j;
	struct field f;
	size_t i;

	qsort(a->account, a->accounts, sizeof(*a->account), compare);
	for (i = 1; i < a->accounts; i++) {
		j = a->account + i;
		if (!compare_names(j->name, j->bytes, j - 1) &&
		    (!again || j->line < again->line))
			again = j;
	}
	if (!again)
		return 0;
	f.p = again->name;
	f.end = again->name + again->bytes;
	r->line = again->line;
	return fail(r, column_name[ACCOUNT], "a second '%.*s'", shown(f), f.p);
}

static int parse_all(struct reader *r)
{
	struct field line;

	if (parse_header(r))
		return -1;
	while (next_line(r, &line))
		if (parse_account(r, line))
			return -1;
	if (!r->a->accounts)
		return fail(r, NULL, "no account");
	return sort(r);
}

/* @text becomes the accounts'. */
static int parse_own(struct accounts *a, const char *name, char *text,
		     size_t bytes)
{
	struct reader r = { 0 };
	int error;

	a->text = text;
	r.a = a;
	r.name = name;
	r.at = text;
	r.end = text + bytes;
	error = parse_all(&r);
	if (error)
		accounts_free(a);
	return error;
}

int accounts_parse(struct accounts *a, const char *name, const char *text,
		   size_t bytes)
{
	char *copy = malloc(bytes + 1);

	memset(a, 0, sizeof(*a));
	if (!copy) {
		snprintf(a->error, sizeof(a->error), "%s: out of memory", name);
		return -1;
	}
	memcpy(copy, text, bytes);
	return parse_own(a, name, copy, bytes);
}

int accounts_read(struct accounts *a, const char *path)
{
	size_t bytes;
	char *text;

	memset(a, 0, sizeof(*a));
	if (load(path, &text, &bytes, a->error, sizeof(a->error)))
		return -1;
	return parse_own(a, path, text, bytes);
}

void accounts_free(struct accounts *a)
{
	free(a->account);
	free(a->text);
	a->account = NULL;
	a->text = NULL;
	a->accounts = 0;
}

int64_t accounts_find(const struct accounts *a, const char *name, size_t bytes)
{
	size_t first = 0, last = a->accounts, i;
	int order;

	/* Invariant: if it is there, it is in [first, last). */
	while (first < last) {
		i = first + (last - first) / 2;
		order = compare_names(name, bytes, a->account + i);
		if (!order)
			return (int64_t)i;
		if (order < 0)
			last = i;
		else
			first = i + 1;
	}
	return -1;
}

int64_t accounts_find_number(const struct accounts *a, int64_t number)
{
	char name[32];
	int n = snprintf(name, sizeof(name), "%" PRId64, number);

	return accounts_find(a, name, (size_t)n);
}
