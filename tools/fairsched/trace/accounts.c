/* SPDX-License-Identifier: MIT OR Unlicense */
#include "accounts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "tools/fairsched/base/read_file.h"

enum column { ACCOUNT, TARGET, AWARD, PERIOD, FACTOR, COLUMNS };

static const char *const column_name[COLUMNS] = { "account", "target", "award",
						  "period", "factor" };

/* Bits of the columns that make a file. */
#define BY_TARGET (1u << ACCOUNT | 1u << TARGET)
#define BY_AWARD (1u << ACCOUNT | 1u << AWARD | 1u << PERIOD | 1u << FACTOR)

struct reader {
	struct accounts *a;
	struct csv csv;
	enum column column[COLUMNS]; /* what each of the file's holds */
	size_t columns, cap;
};

static int fail(struct reader *r, const char *why)
{
	return csv_fail(&r->csv, csv_column(NULL), "%s", why);
}

static int bad_field(struct reader *r, enum column column, struct csv_field f,
		     const char *why)
{
	return csv_fail(&r->csv, csv_column(column_name[column]),
			"'%.*s' is %s", csv_shown(f), f.p, why);
}

/* ---- numbers ---- */

/* 26.4 is 264 with 1 place, at most @most and @most_places. */
static bool read_decimal(struct csv_field f, int64_t most, int most_places,
			 int64_t *digits, int *places)
{
	const char *first;

	*digits = *places = 0;
	if (!csv_digits(&f, most, digits))
		return false;
	if (f.n && *f.p == '.') {
		first = ++f.p;
		f.n--;
		if (!csv_digits(&f, most, digits) || f.p - first > most_places)
			return false;
		*places = (int)(f.p - first);
	}
	return !f.n;
}

static int64_t power_of_10(int n)
{
	int64_t power = 1;

	while (n--)
		power *= 10;
	return power;
}

/* Hours or days of @unit seconds, which a hundred divides. */
static bool read_time(struct csv_field f, int64_t unit, int64_t *seconds)
{
	int places;

	if (!read_decimal(f, INT64_MAX / unit, 2, seconds, &places))
		return false;
	*seconds *= unit / power_of_10(places);
	return true;
}

/* ---- the header line ---- */

static int parse_heading(struct reader *r, struct csv_field f,
			 unsigned int *seen)
{
	unsigned int i;

	for (i = 0; i < COLUMNS; i++)
		if (csv_is(f, column_name[i]))
			break;
	if (i == COLUMNS)
		return csv_fail(&r->csv, csv_column(NULL),
				"unknown column '%.*s'", csv_shown(f), f.p);
	if (*seen >> i & 1)
		return csv_fail(&r->csv, csv_column(NULL),
				"column %s appears twice", column_name[i]);
	*seen |= 1u << i;
	r->column[r->columns++] = (enum column)i;
	return 0;
}

static int parse_header(struct reader *r)
{
	unsigned int seen = 0;
	struct csv_field line, f;

	if (!csv_line(&r->csv, &line))
		return fail(r, "the header line is missing");
	while (csv_cut(&line, ',', &f))
		if (parse_heading(r, f, &seen))
			return -1;
	if (seen != BY_TARGET && seen != BY_AWARD)
		return fail(r, "the columns must be account,target or "
			       "account,award,period,factor");
	return 0;
}

/* ---- accounts ---- */

static int parse_field(struct reader *r, enum column column, struct csv_field f,
		       struct account *j)
{
	struct fair_sfs_allocation *a = &j->allocation;
	int64_t digits;
	int places;

	switch (column) {
	case ACCOUNT:
		if (!f.n)
			return csv_fail(&r->csv, csv_column("account"),
					"the name is missing");
		j->name = f.p;
		j->bytes = f.n;
		return 0;
	case TARGET:
		if (!read_decimal(f, INT64_MAX, 9, &a->award, &places))
			return bad_field(r, column, f,
					 "not a number of processors");
		a->unit = (int32_t)power_of_10(places);
		return 0;
	case AWARD:
		if (!read_time(f, 3600, &a->award))
			return bad_field(r, column, f,
					 "not a number of processor-hours");
		return 0;
	case PERIOD:
		if (!read_time(f, 86400, &a->period) || !a->period)
			return bad_field(r, column, f, "not a number of days");
		return 0;
	default:
		if (!read_decimal(f, 999999999, 9, &digits, &places))
			return bad_field(r, column, f, "not a factor");
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
		return fail(r, "out of memory");
	r->a->account = more;
	r->cap = cap;
	return 0;
}

static int parse_account(struct reader *r, struct csv_field line)
{
	struct account *j;
	struct csv_field f;
	size_t i;

	if (csv_parts(line, ',') != r->columns)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu fields instead of %zu",
				csv_parts(line, ','), r->columns);
	if (r->a->accounts == UINT32_MAX)
		return fail(r, "too many accounts");
	if (grow(r))
		return -1;
	j = r->a->account + r->a->accounts;
	memset(j, 0, sizeof(*j));
	j->line = r->csv.line;
	j->allocation.period = j->allocation.factor = j->allocation.unit = 1;
	for (i = 0; csv_cut(&line, ',', &f); i++)
		if (parse_field(r, r->column[i], f, j))
			return -1;
	if (fair_sfs_target(&j->allocation, &j->target))
		return csv_fail(
			&r->csv,
			csv_column(
				column_name[r->columns == 2 ? TARGET : AWARD]),
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
	struct csv_field f;
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
	f.n = again->bytes;
	r->csv.line = again->line;
	return csv_fail(&r->csv, csv_column("account"), "'%.*s' appears twice",
			csv_shown(f), f.p);
}

static int parse_all(struct reader *r)
{
	struct csv_field line;

	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (parse_account(r, line))
			return -1;
	if (!r->a->accounts)
		return fail(r, "the file has no account");
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
	csv_open(&r.csv, name, text, bytes, a->error, sizeof(a->error));
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
	if (read_file(path, &text, &bytes, a->error, sizeof(a->error)))
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
