/* SPDX-License-Identifier: MIT OR Unlicense */
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/text.h"

static int in_order(const void *a, const void *b)
{
	const struct sacct_name *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void sort(struct names *n)
{
	if (n->names)
		qsort(n->name, n->names, sizeof(*n->name), in_order);
}

/* Without the quotes around it, and with each doubled one once. */
static void unquote(struct sacct_name *name)
{
	size_t i, n = 0;

	if (name->n < 2 || name->p[0] != '"' || name->p[name->n - 1] != '"')
		return;
	for (i = 1; i + 1 < name->n; i++) {
		i += name->p[i] == '"' && i + 2 < name->n &&
		     name->p[i + 1] == '"';
		name->p[n++] = name->p[i];
	}
	name->n = n;
}

static int parse_name(struct csv *csv, struct csv_field line,
		      struct sacct_name *name)
{
	struct csv_field kind, number;
	int i;

	if (csv_parts(line, ',') < 3)
		return csv_fail(csv, csv_column(NULL),
				"%zu fields instead of 3",
				csv_parts(line, ','));
	csv_cut(&line, ',', &kind);
	csv_cut(&line, ',', &number);
	for (i = 0; i < SACCT_KINDS && !csv_is(kind, sacct_kind_text[i]); i++)
		;
	if (i == SACCT_KINDS)
		return csv_fail(csv, csv_column("kind"),
				"'%.*s' is not user, account or partition",
				csv_shown(kind), kind.p);
	name->kind = (enum sacct_kind)i;
	name->number = 0;
	if (!csv_digits(&number, INT64_MAX, &name->number) || number.n)
		return csv_fail(csv, csv_column("number"),
				"'%.*s' is not a number", csv_shown(number),
				number.p);
	if (!line.n)
		return csv_fail(csv, csv_column("name"), "is missing");
	name->n = line.n;
	name->p = malloc(line.n);
	if (!name->p)
		return csv_fail(csv, csv_column(NULL), "out of memory");
	memcpy(name->p, line.p, line.n);
	unquote(name);
	if (text_csv_marked(name->p, name->n))
		memmove(name->p, name->p + 1, --name->n);
	return 0;
}

static int parse_all(struct names *n, struct csv *csv)
{
	struct csv_field line;
	struct sacct_name *more;
	size_t cap = 0;

	if (!csv_line(csv, &line) || !csv_is(line, "kind,number,name"))
		return csv_fail(csv, csv_column(NULL),
				"the header line is not kind,number,name");
	while (csv_line(csv, &line)) {
		if (n->names == cap) {
			cap = cap ? 2 * cap : 64;
			more = realloc(n->name, cap * sizeof(*more));
			if (!more)
				return csv_fail(csv, csv_column(NULL),
						"out of memory");
			n->name = more;
		}
		if (parse_name(csv, line, n->name + n->names))
			return -1;
		n->names++;
	}
	sort(n);
	return 0;
}

int names_parse(struct names *n, const char *name, const char *text,
		size_t bytes)
{
	struct csv csv;

	memset(n, 0, sizeof(*n));
	csv_open(&csv, name, text, bytes, n->error, sizeof(n->error));
	if (!parse_all(n, &csv))
		return 0;
	names_free(n);
	return -1;
}

int names_read(struct names *n, const char *path)
{
	size_t bytes;
	char *text;
	int error;

	memset(n, 0, sizeof(*n));
	if (read_file(path, &text, &bytes, n->error, sizeof(n->error)))
		return -1;
	error = names_parse(n, path, text, bytes);
	free(text);
	return error;
}

void names_take(struct names *n, struct sacct *s)
{
	n->name = s->name;
	n->names = s->names;
	s->name = NULL;
	s->names = 0;
	sort(n);
}

void names_free(struct names *n)
{
	while (n->names)
		free(n->name[--n->names].p);
	free(n->name);
	n->name = NULL;
}

struct csv_field names_of(const struct names *n, enum sacct_kind kind,
			  int64_t number)
{
	struct csv_field f = { NULL, 0 };
	struct sacct_name key = { NULL, 0, kind, number };
	const struct sacct_name *found =
		n && n->names ? bsearch(&key, n->name, n->names, sizeof(key),
				   in_order)
			      : NULL;

	if (found) {
		f.p = found->p;
		f.n = found->n;
	}
	return f;
}

const char *names_text(const struct names *n, enum sacct_kind kind,
		       int64_t number, char *text, size_t size)
{
	struct csv_field f = names_of(n, kind, number);

	if (f.n)
		snprintf(text, size, "%.*s", (int)f.n, f.p);
	else
		snprintf(text, size, "%" PRId64, number);
	return text;
}

bool names_has(const struct names *n, enum sacct_kind kind)
{
	size_t i;

	for (i = 0; n && i < n->names; i++)
		if (n->name[i].kind == kind)
			return true;
	return false;
}

int64_t names_number(const struct names *n, enum sacct_kind kind,
		     const char *text)
{
	const struct sacct_name *s;
	size_t i;

	for (i = 0; n && i < n->names; i++) {
		s = &n->name[i];
		if (s->kind == kind && s->n == strlen(text) &&
		    !memcmp(s->p, text, s->n))
			return s->number;
	}
	return -1;
}

void names_csv(const struct names *n, enum sacct_kind kind, int64_t number,
	       FILE *f)
{
	struct csv_field name = names_of(n, kind, number);

	if (name.n)
		text_csv(f, name.p, name.n);
	else
		fprintf(f, "%" PRId64, number);
}

void names_json(const struct names *n, enum sacct_kind kind, int64_t number,
		FILE *f)
{
	char text[1024];

	names_text(n, kind, number, text, sizeof(text));
	if (names_of(n, kind, number).n)
		text_json(f, text);
	else
		fputs(text, f);
}
