/* SPDX-License-Identifier: MIT OR Unlicense */
#include "stored.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/fairsched/base/read_file.h"

#define LINE (STORED_VALUES * 32 + 256)

/* What a schedule depends on. */
static uint64_t trace_hash(const struct swf *t)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i, k;

	for (i = 0; i < t->jobs; i++) {
		const struct swf_job *j = &t->job[i];
		const int64_t word[] = { j->submit, j->run, j->estimate,
					 j->procs, j->user_id, t->procs };

		for (k = 0; k < sizeof(word) / sizeof(*word); k++)
			hash = (hash ^ (uint64_t)word[k]) *
			       UINT64_C(0x100000001b3);
	}
	return hash;
}

/* A line without its checksum, and its length. */
static size_t line_of(const struct stored_row *r, char line[LINE])
{
	size_t at, i;

	at = (size_t)snprintf(line, LINE, "%.200s\t%016" PRIx64, r->name,
			      r->trace);
	for (i = 0; i < r->n; i++)
		at += (size_t)snprintf(line + at, LINE - at, "%c%.9g",
				       i ? ' ' : '\t', r->value[i]);
	return at;
}

static struct stored_row *find_row(const struct stored *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->rows; i++)
		if (!strcmp(s->row[i].name, name))
			return &s->row[i];
	return NULL;
}

static bool put(struct stored *s, const char *name, uint64_t trace,
		const double *value, size_t n)
{
	struct stored_row *r = find_row(s, name), *grown;
	double *copy = malloc(n * sizeof(*copy));
	char *its = malloc(strlen(name) + 1);

	grown = r ? s->row : realloc(s->row, (s->rows + 1) * sizeof(*grown));
	if (grown)
		s->row = grown;
	if (!copy || !its || !grown) {
		free(copy);
		free(its);
		return false;
	}
	if (r) {
		free(r->name);
		free(r->value);
	} else {
		r = &s->row[s->rows++];
	}
	memcpy(copy, value, n * sizeof(*copy));
	r->name = strcpy(its, name);
	r->trace = trace;
	r->value = copy;
	r->n = n;
	return true;
}

/* Takes a line in; NULL, or what is wrong with it. */
static const char *take(struct stored *s, char *line)
{
	char *trace = strchr(line, '\t'), *check, *values, *end;
	char text[LINE];
	double value[STORED_VALUES];
	uint64_t hash, sum;
	size_t n = 0, bytes;

	check = trace ? strchr(trace + 1, '\t') : NULL;
	values = check ? strchr(check + 1, '\t') : NULL;
	if (!values)
		return "a name, a hash, a checksum and values are wanted";
	*trace++ = *check++ = *values = '\0';
	hash = strtoull(trace, NULL, 16);
	sum = strtoull(check, NULL, 16);
	for (end = values + 1; *end && n < STORED_VALUES; n++)
		value[n] = strtod(end, &end);
	if (!put(s, line, hash, value, n))
		return "out of memory";
	bytes = line_of(find_row(s, line), text);
	return *end || text_digest(text, bytes) != sum
		       ? "the checksum does not match"
		       : NULL;
}

int stored_read(struct stored *s, const char *path)
{
	char *text = NULL, *line, *next;
	const char *wrong = NULL;
	size_t bytes, number = 1;

	memset(s, 0, sizeof(*s));
	if (access(path, F_OK))
		return 1;
	if (read_file(path, &text, &bytes, s->error, sizeof(s->error)))
		return -1;
	for (line = text; !wrong && *line; line = next, number++) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (*line && *line != '#')
			wrong = take(s, line);
		if (wrong)
			snprintf(s->error, sizeof(s->error), "%.200s:%zu: %s",
				 path, number, wrong);
	}
	free(text);
	return wrong ? -1 : 0;
}

void stored_free(struct stored *s)
{
	size_t i;

	for (i = 0; i < s->rows; i++) {
		free(s->row[i].name);
		free(s->row[i].value);
	}
	free(s->row);
	memset(s, 0, sizeof(*s));
}

const double *stored_find(const struct stored *s, const char *name,
			  const struct swf *t, size_t n)
{
	const struct stored_row *r = find_row(s, name);

	return r && r->n == n && r->trace == trace_hash(t) ? r->value : NULL;
}

bool stored_put(struct stored *s, const char *name, const struct swf *t,
		const double *value, size_t n)
{
	return put(s, name, trace_hash(t), value, n);
}

bool stored_same(const double *a, const double *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i] && !(fabs(a[i] - b[i]) <= 0.0051))
			return false;
	return true;
}

void stored_write(const struct stored *s, FILE *f)
{
	char line[LINE], *values;
	size_t i, bytes;

	fputs("# reproduce: results of long experiments; --whole "
	      "finds them again\n# name, hash of the jobs, checksum of both "
	      "and the values, values\n", f);
	for (i = 0; i < s->rows; i++) {
		bytes = line_of(&s->row[i], line);
		values = strrchr(line, '\t');
		fprintf(f, "%.*s\t%016" PRIx64 "%s\n", (int)(values - line),
			line, text_digest(line, bytes), values);
	}
}
