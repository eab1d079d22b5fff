/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * jobs_fuzz.c - the reader and the writer of jobs CSVs
 *
 * The reader must not crash, must count each line once, and must read what the
 * writer writes as the same jobs. Where it accepts all lines, and none has a
 * quote, processors are compared with a naive reader that cuts at commas. The
 * first byte chooses the options, the rest is the file.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tools/fairsched/trace/jobs.h"

/* ---- the naive reader ---- */

/* strchr() finds a NUL, too. */
static bool is_blank(char c)
{
	return c && strchr(" \t\r", c);
}

/* Field @n of a line, without blanks. */
static struct csv_field naive_field(const char *p, const char *end, int n)
{
	struct csv_field f;

	for (; n && p < end; p++)
		n -= *p == ',';
	f.p = p;
	while (p < end && *p != ',')
		p++;
	f.n = (size_t)(p - f.p);
	while (f.n && is_blank(f.p[f.n - 1]))
		f.n--;
	while (f.n && is_blank(*f.p))
		f.p++, f.n--;
	return f;
}

static void compare_procs(const struct sacct *s, const char *p, const char *end)
{
	const char *next;
	struct csv_field f;
	int column = -1;
	size_t i = 0;
	long n;

	for (; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (!next)
			next = end;
		f = naive_field(p, next, 0);
		while (p < next && is_blank(*p))
			p++;
		if (p == next || *p == '#')
			continue;
		if (column < 0) {
			if (memchr(p, '\t', (size_t)(next - p)))
				return;
			do
				f = naive_field(p, next, ++column);
			while (!csv_is(f, "procs") && !csv_is(f, "cpus") &&
			       column < 512);
			if (column == 512)
				return; /* it has another name */
			continue;
		}
		f = naive_field(p, next, column);
		for (n = 0; f.n && *f.p != '.'; f.p++, f.n--)
			n = 10 * n + (*f.p - '0');
		FUZZ_ASSERT(i < s->jobs && s->job[i++].swf.procs == n);
	}
	FUZZ_ASSERT(i == s->jobs);
}

/* ---- comparison ---- */

static int64_t amount_of(const struct sacct *s, size_t i, struct csv_field name)
{
	uint32_t row = s->job[i].swf.ask;
	size_t k;

	for (k = row ? s->asks.row[row - 1].first : 0;
	     row && k < s->asks.row[row - 1].end; k++)
		if (csv_same(s->asks.name[s->asks.ask[k].name], name.p, name.n))
			return s->asks.ask[k].amount;
	return 0;
}

static void compare_jobs(const struct sacct *s, const struct sacct *t)
{
	const struct swf_job *a, *b;
	struct csv_field x, y;
	uint32_t k;
	size_t i;

	FUZZ_ASSERT(s->jobs == t->jobs && s->unix_start == t->unix_start);
	FUZZ_ASSERT(s->procs == t->procs && s->names == t->names);
	FUZZ_ASSERT(s->asks.names == t->asks.names);
	for (i = 0; i < s->jobs; i++) {
		a = &s->job[i].swf;
		b = &t->job[i].swf;
		FUZZ_ASSERT(a->id == b->id && a->submit == b->submit &&
			    a->run == b->run && a->procs == b->procs &&
			    a->request == b->request && a->group == b->group &&
			    a->user_id == b->user_id && a->queue == b->queue &&
			    a->partition == b->partition &&
			    a->requested_memory == b->requested_memory);
		FUZZ_ASSERT(s->job[i].start == t->job[i].start);
		x = asks_of_classes(&s->asks, a->ask);
		y = asks_of_classes(&t->asks, b->ask);
		FUZZ_ASSERT(x.n == y.n && (!x.n || !memcmp(x.p, y.p, x.n)));
		x = asks_of_qos(&s->asks, a->ask);
		y = asks_of_qos(&t->asks, b->ask);
		FUZZ_ASSERT(x.n == y.n && (!x.n || !memcmp(x.p, y.p, x.n)));
		for (k = 0; k < s->asks.names; k++)
			FUZZ_ASSERT(amount_of(s, i, s->asks.name[k]) ==
				    amount_of(t, i, s->asks.name[k]));
	}
}

static bool holds(struct csv_field f, char c)
{
	return f.n && memchr(f.p, c, f.n);
}

/* Names of classes and of columns are written as they are. */
static bool has_quotes(const struct sacct *s)
{
	struct csv_field f;
	size_t i;

	for (i = 0; i < s->jobs; i++) {
		f = asks_of_classes(&s->asks, s->job[i].swf.ask);
		if (holds(f, '"') || holds(f, ','))
			return true;
		if (f.n && (is_blank(*f.p) ||
			    is_blank(f.p[f.n - 1])))
			return true;
	}
	return false;
}

static void write_and_read(const struct sacct *s)
{
	struct sacct_options strict = { 0 };
	char *copy = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&copy, &bytes);
	struct sacct t;

	FUZZ_ASSERT(f);
	FUZZ_ASSERT(!jobs_write(s, s->procs, f));
	fclose(f);
	FUZZ_ASSERT(!jobs_parse(&t, "copy", copy, bytes, &strict));
	compare_jobs(s, &t);
	sacct_free(&t);
	free(copy);
}

static void check(const struct sacct *s)
{
	size_t i;

	FUZZ_ASSERT(s->jobs && s->jobs + s->damaged == s->records);
	FUZZ_ASSERT(s->asks.names <= ASKS_NAMES);
	for (i = 0; i < s->jobs; i++) {
		const struct swf_job *j = &s->job[i].swf;

		FUZZ_ASSERT(j->run >= 0 && j->procs > 0 && j->request >= -1);
		FUZZ_ASSERT(s->job[i].start >= j->submit - 1);
		FUZZ_ASSERT(j->ask <= s->asks.rows);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	uint8_t choice = fuzz_u8(&in);
	const char *text = (const char *)in.p;
	struct sacct_options o = { 0 };
	struct sacct s;

	o.lenient = choice & 1;
	if (jobs_parse(&s, "fuzz", text, in.n, &o)) {
		FUZZ_ASSERT(s.error[0]);
	} else {
		FUZZ_ASSERT(!s.damaged || (o.lenient && s.error[0]));
		check(&s);
		if (!s.damaged && !memchr(text, '"', in.n))
			compare_procs(&s, text, text + in.n);
		if (!has_quotes(&s))
			write_and_read(&s);
	}
	sacct_free(&s);
	return 0;
}
