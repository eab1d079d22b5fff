/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * swf_fuzz.c - the reader and the writer of traces
 *
 * The reader must not crash, must not misread a line that it accepts, and must
 * read a written trace as the same. The first byte chooses the options, the
 * rest is the trace. Accepted lines are compared with a naive reader that
 * shares no line with the library's: it splits lines at blanks and computes
 * with decimal digits.
 */
#include <stddef.h>
#include <string.h>

#include "fuzz.h"
#include "tools/fairsched/trace/swf.h"

/* ---- the naive reader: the 18 numbers of a line and what follows ---- */

struct naive {
	int64_t f[19];
	int columns;
};

static size_t blanks(const char *p)
{
	return strspn(p, " \t\r");
}

static size_t letters(const char *p)
{
	return strcspn(p, " \t\r");
}

/* Reads the digits before a point, at most 19. */
static bool whole(const char *p, size_t n, uint64_t *v)
{
	for (*v = 0; n; n--, p++) {
		if (*v > UINT64_MAX / 10 - 1)
			return false;
		*v = *v * 10 + (uint64_t)(*p - '0');
	}
	return true;
}

/* Rounds to nearest, halves up. */
static bool naive_number(const char *p, size_t n, int64_t *v)
{
	bool minus = *p == '-', half, more, any;
	size_t sign = *p == '-' || *p == '+', before, after;
	uint64_t u;

	p += sign;
	n -= sign;
	before = strspn(p, "0123456789");
	after = p[before] == '.' ? strspn(p + before + 1, "0123456789") : 0;
	if (before + after == 0 || !whole(p, before, &u))
		return false;
	if (before + after + (p[before] == '.') != n || u > INT64_MAX - 1)
		return false;
	p += before + 1;
	half = after && p[0] >= '5';
	more = after && strspn(p + 1, "0") < after - 1;
	any = after && strspn(p, "0") < after;
	if (!minus) {
		*v = (int64_t)u + half;
	} else {
		/* floor(-x); its fraction is 1 - fraction */
		*v = -(int64_t)u - any;
		*v += any && (!half || (p[0] == '5' && !more));
	}
	return true;
}

static bool naive_line(const char *p, struct naive *r)
{
	size_t n;

	r->columns = 0;
	for (p += blanks(p); *p; p += n, p += blanks(p)) {
		n = letters(p);
		r->columns++;
		if (r->columns > 18)
			continue;
		if (!naive_number(p, n, &r->f[r->columns]))
			return false;
	}
	return r->columns >= 18 && r->columns <= 21;
}

/* ---- comparison ---- */

static int64_t first_positive(int64_t a, int64_t b)
{
	return a > 0 ? a : b;
}

static bool dropped(const int64_t *f, int32_t machine)
{
	int64_t procs = first_positive(f[5], f[8]);
	int64_t run = f[4] == -1 ? f[6] : f[4];

	if (procs <= 0 || procs > machine || run < 0)
		return true;
	return (f[11] >= 2 && f[11] <= 4) || (f[11] == 5 && run == 0);
}

static void compare_job(const struct swf_job *j, const struct naive *r,
			const struct swf_options *o)
{
	const int64_t *f = r->f;
	int64_t run = f[4] == -1 ? f[6] : f[4];
	int64_t estimate = run;

	if (o->overrun_kill && f[9] > 0 && f[9] < run)
		estimate = run = f[9];
	if (!o->exact && f[9] > estimate)
		estimate = f[9];
	FUZZ_ASSERT(j->id == f[1] && j->submit == f[2] && j->run == run);
	FUZZ_ASSERT(j->procs == first_positive(f[5], f[8]));
	FUZZ_ASSERT(j->estimate == (estimate < 1 ? 1 : estimate));
	FUZZ_ASSERT(j->cpu_time == f[6] && j->used_memory == f[7]);
	FUZZ_ASSERT(j->requested_procs == f[8] && j->request == f[9]);
	FUZZ_ASSERT(j->requested_memory == f[10] && j->status == f[11]);
	FUZZ_ASSERT(j->user_id == f[12] && j->group == f[13]);
	FUZZ_ASSERT(j->executable == f[14] && j->queue == f[15]);
	FUZZ_ASSERT(j->partition == f[16] && j->preceding == f[17]);
	FUZZ_ASSERT(j->think == f[18]);
	FUZZ_ASSERT(!j->more == (r->columns != 21));
}

/* The naive reader accepts each line that the strict reader accepts. */
static void compare_lines(const struct swf *t, const char *text, size_t bytes,
			  const struct swf_options *o)
{
	char *line = malloc(bytes + 1);
	size_t i = 0, n, at, records = 0;
	struct naive r;

	FUZZ_ASSERT(line);
	for (at = 0; at < bytes; at += n + 1) {
		const char *end = memchr(text + at, '\n', bytes - at);

		n = end ? (size_t)(end - text) - at : bytes - at;
		memcpy(line, text + at, n);
		line[n] = '\0';
		if (blanks(line) == n || line[blanks(line)] == ';')
			continue;
		FUZZ_ASSERT(!memchr(line, '\0', n) || o->lenient);
		if (!naive_line(line, &r)) {
			FUZZ_ASSERT(o->lenient);
			continue;
		}
		if (o->lenient)
			continue;
		records++;
		if (!dropped(r.f, t->procs)) {
			FUZZ_ASSERT(i < t->jobs);
			compare_job(&t->job[i++], &r, o);
		}
	}
	free(line);
	if (o->lenient)
		return;
	FUZZ_ASSERT(i == t->jobs && records == t->records && !t->damaged);
}

static void compare_jobs(const struct swf *t, const struct swf *u)
{
	struct swf_job a, b;
	size_t i;

	FUZZ_ASSERT(t->jobs == u->jobs && t->procs == u->procs);
	FUZZ_ASSERT(t->users == u->users && t->memory == u->memory);
	/* Jobs that were dropped may tell that times are not since 1970. */
	FUZZ_ASSERT(t->unix_start == u->unix_start || swf_dropped(t));
	for (i = 0; i < t->jobs; i++) {
		a = t->job[i];
		b = u->job[i];
		FUZZ_ASSERT(a.more_bytes == b.more_bytes);
		FUZZ_ASSERT(!a.more_bytes ||
			    !memcmp(a.more, b.more, a.more_bytes));
		FUZZ_ASSERT(swf_memory_kb(t, &a) == swf_memory_kb(u, &b));
		FUZZ_ASSERT(a.submit == b.submit && a.run == b.run &&
			    a.estimate == b.estimate && a.procs == b.procs &&
			    a.user == b.user);
		FUZZ_ASSERT(!memcmp(&a.id, &b.id,
				    offsetof(struct swf_job, more) -
					    offsetof(struct swf_job, id)));
	}
}

static void write_and_read(const struct swf *t, const struct swf_options *o)
{
	struct swf_options strict = *o;
	char *copy = NULL;
	size_t bytes = 0, i;
	FILE *f = open_memstream(&copy, &bytes);
	struct swf u;

	FUZZ_ASSERT(f);
	swf_write_header(f, t);
	for (i = 0; i < t->jobs; i++)
		swf_write_job(f, &t->job[i], -1);
	fclose(f);
	strict.lenient = false;
	FUZZ_ASSERT(!swf_parse(&u, "copy", copy, bytes, &strict));
	FUZZ_ASSERT(swf_dropped(&u) == 0);
	compare_jobs(t, &u);
	swf_free(&u);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	uint8_t choice = fuzz_u8(&in);
	struct swf_options o = { 0 };
	struct swf t;

	o.overrun_kill = choice & 1;
	o.exact = choice >> 1 & 1;
	o.lenient = choice >> 2 & 1;
	o.procs = choice >> 3 & 1 ? 64 : 0;
	o.memory = (enum swf_memory)((choice >> 4) % 3);
	if (swf_parse(&t, "fuzz", (const char *)in.p, in.n, &o)) {
		FUZZ_ASSERT(t.error[0]);
	} else {
		FUZZ_ASSERT(t.jobs > 0 && t.procs > 0);
		FUZZ_ASSERT(t.jobs + swf_dropped(&t) == t.records);
		compare_lines(&t, (const char *)in.p, in.n, &o);
		write_and_read(&t, &o);
	}
	swf_free(&t);
	return 0;
}
