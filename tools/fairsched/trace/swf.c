/* SPDX-License-Identifier: MIT OR Unlicense */
#include "swf.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "random.h"
#include "tools/fairsched/base/lines.h"
#include "tools/fairsched/base/text.h"

#define SWF_COLUMNS 18
#define SWF_CZECH_COLUMNS 21
#define SWF_LARGEST INT64_C(999999999999999999) /* 18 digits */
#define SWF_LATEST (INT64_C(1) << 40)  /* of a submit time, either way */
#define SWF_LONGEST (INT64_C(1) << 34) /* of a run; the library's limit */

const char *const swf_reason_text[SWF_REASONS] = {
	"no processors",
	"no run time",
	"status 2-5: parts of jobs, cancelled jobs",
	"wider than the machine",
	"no node fits",
	"outside of --from and --until",
	"rejected by --config",
	"beyond a limit of --limits",
};

const char *const swf_note_text[SWF_NOTES] = {
	"of a status that means nothing, counted as ran",
	"without a requested time, planned with their run times",
};

static const char *const field_name[SWF_COLUMNS + 1] = {
	NULL,
	"job number",
	"submit time",
	"wait time",
	"run time",
	"allocated processors",
	"average CPU time",
	"used memory",
	"requested processors",
	"requested time",
	"requested memory",
	"status",
	"user",
	"group",
	"executable",
	"queue",
	"partition",
	"preceding job",
	"think time",
};

/* The current line, and the arrays that grow while lines are read. */
struct reader {
	struct swf *t;
	const struct swf_options *o;
	const char *name;
	const char *line, *end; /* without its newline */
	unsigned long number;
	size_t cap;
	int columns;	/* of the records so far; 0: none yet */
	int32_t procs;	/* by the header; 0: none yet */
	uint32_t *slot; /* open addressing: user + 1, by hash of user_id */
	int64_t *user;	/* id of each user */
	size_t slots;	/* a power of two, more than twice the users */
	size_t kept, room; /* bytes of t->text */
};

/* ---- characters ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

static const char *token_end(const char *p, const char *end)
{
	while (p < end && !is_blank(*p))
		p++;
	return p;
}

/*
 * The digits behind a point: which way they round. Halves go up, which for a
 * negative number is towards zero.
 */
static const char *read_fraction(const char *p, const char *end, bool negative,
				 bool *away)
{
	const char *first = p;
	bool more = false;

	while (p < end && is_digit(*p)) {
		more |= p > first && *p != '0';
		p++;
	}
	*away = p > first &&
		(*first > '5' || (*first == '5' && (!negative || more)));
	return p;
}

/* Reads a number; returns its end, or NULL if there is none, or it is too large. */
static const char *read_number(const char *p, const char *end, int64_t *number)
{
	bool negative = p < end && *p == '-', away = false;
	const char *digits;
	int64_t n = 0;
	size_t seen;

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	for (digits = p; p < end && is_digit(*p); p++) {
		if (n > SWF_LARGEST / 10)
			return NULL;
		n = 10 * n + (*p - '0');
	}
	seen = (size_t)(p - digits);
	if (p < end && *p == '.') {
		digits = p + 1;
		p = read_fraction(digits, end, negative, &away);
		seen += (size_t)(p - digits);
	}
	n += away;
	if (!seen || n > SWF_LARGEST)
		return NULL;
	*number = negative ? -n : n;
	return p;
}

bool swf_number(const char *text, size_t bytes, int64_t *number, bool *rounded)
{
	const char *end = text + bytes, *p = memchr(text, '.', bytes);

	*rounded = false;
	for (; p && p < end; p++)
		*rounded |= *p > '0' && *p <= '9';
	return read_number(text, end, number) == end;
}

/* ---- errors ---- */

static int fail(struct swf *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(t->error, sizeof(t->error), format, args);
	va_end(args);
	return -1;
}

/* This line is damaged: skipped if lenient, when the first one is kept. */
static int damaged(struct reader *r, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (r->o->lenient && r->t->damaged++)
		return 0;
	fail(r->t, "%s:%lu: %s", r->name, r->number, what);
	return r->o->lenient ? 0 : -1;
}

static int bad_field(struct reader *r, int field, const char *p,
		     const char *end, const char *why)
{
	int n = end - p < 40 ? (int)(end - p) : 40;

	return damaged(r, "field %d (%s): '%.*s' is %s", field,
		       field_name[field], n, p, why);
}

/* ---- what is kept of the text ---- */

#define HEADER ((size_t)1 << 20) /* bytes at most */

/* Appends to t->text; no memory is an error. */
static int keep_text(struct reader *r, const char *p, size_t n)
{
	size_t room = r->room ? r->room : 4096;
	char *more = r->t->text;

	while (room - r->kept < n)
		room *= 2;
	if (room != r->room)
		more = realloc(more, room);
	if (!more)
		return fail(r->t, "%s: out of memory", r->name);
	r->t->text = more;
	r->room = room;
	memcpy(more + r->kept, p, n);
	r->kept += n;
	return 0;
}

/* ---- header ---- */

static bool is_key(const char *p, const char *end, const char *key)
{
	size_t n = strlen(key);

	if ((size_t)(end - p) < n || memcmp(p, key, n))
		return false;
	p = skip_blanks(p + n, end);
	return p < end && *p == ':';
}

/* The value of a key: one number, then a blank, a bracket or nothing. */
static bool header_number(const char *p, const char *end, int64_t *number)
{
	const char *last;

	p = memchr(p, ':', (size_t)(end - p));
	p = skip_blanks(p + 1, end);
	for (last = p; last < end && !is_blank(*last) && *last != '('; last++)
		;
	return read_number(p, last, number) == last;
}

static int read_max_procs(struct reader *r, const char *p)
{
	int64_t procs;

	if (r->o->procs)
		return 0;
	if (!header_number(p, r->end, &procs) || procs < 1 || procs > INT32_MAX)
		return damaged(r, "MaxProcs is not a number of processors");
	if (r->procs && r->procs != procs)
		return damaged(
			r, "MaxProcs differs from %" PRId32 " in a line above",
			r->procs);
	r->procs = (int32_t)procs;
	return 0;
}

static int read_header(struct reader *r, const char *p)
{
	int64_t number;

	while (p < r->end && (*p == ';' || is_blank(*p)))
		p++;
	if (is_key(p, r->end, "MaxProcs"))
		return read_max_procs(r, p);
	if (r->columns)
		return 0;
	if (r->kept > HEADER)
		return fail(r->t, "%s: the header is longer than 1 MiB",
			    r->name);
	if (keep_text(r, r->line, (size_t)(r->end - r->line)) ||
	    keep_text(r, "\n", 1))
		return -1;
	r->t->header_bytes = r->kept;
	if (is_key(p, r->end, "UnixStartTime") &&
	    header_number(p, r->end, &number) && number >= 0 &&
	    number <= SWF_LATEST)
		r->t->unix_start = number;
	return 0;
}

/* ---- records ---- */

static void *grow(void *p, size_t n, size_t size)
{
	return n > SIZE_MAX / size ? NULL : realloc(p, n * size);
}

static size_t user_hash(const struct reader *r, int64_t id)
{
	uint64_t h = (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 32) & (r->slots - 1);
}

static uint32_t *user_slot(const struct reader *r, int64_t id)
{
	size_t i = user_hash(r, id);

	while (r->slot[i] && r->user[r->slot[i] - 1] != id)
		i = (i + 1) & (r->slots - 1);
	return &r->slot[i];
}

static int grow_users(struct reader *r)
{
	size_t slots = r->slots ? 2 * r->slots : 1024;
	uint32_t *slot = calloc(slots, sizeof(*slot));
	int64_t *user = grow(r->user, slots / 2, sizeof(*user));
	uint32_t i;

	free(r->slot);
	r->slot = slot;
	if (user)
		r->user = user;
	if (!slot || !user)
		return -1;
	r->slots = slots;
	for (i = 0; i < r->t->users; i++)
		*user_slot(r, user[i]) = i + 1;
	return 0;
}

static int number_user(struct reader *r, struct swf_job *j)
{
	uint32_t *slot;

	if (r->t->users >= r->slots / 2 && grow_users(r))
		return -1;
	slot = user_slot(r, j->user_id);
	if (!*slot) {
		r->user[r->t->users] = j->user_id;
		*slot = ++r->t->users;
	}
	j->user = *slot - 1;
	return 0;
}

/* SWF_REASONS if the job is kept; its width is checked after the last line. */
static enum swf_reason reason(const struct swf_job *j, int64_t procs)
{
	if (procs <= 0)
		return SWF_NO_PROCS;
	if (j->run < 0)
		return SWF_NO_RUN;
	if ((j->status >= 2 && j->status <= 4) || (j->status == 5 && !j->run))
		return SWF_STATUS;
	return procs > INT32_MAX ? SWF_TOO_WIDE : SWF_REASONS;
}

static void set_estimate(struct swf_job *j, const struct swf_options *o)
{
	bool kill = o->overrun_kill && j->request > 0;

	if (kill && j->run > j->request)
		j->run = j->request;
	j->estimate = j->run;
	if (!o->exact && j->request > j->estimate)
		j->estimate = j->request;
	if (j->estimate < 1)
		j->estimate = 1;
}

static void keep_first(struct swf_dropped *first, unsigned long line, int field,
		       int64_t value)
{
	if (!first->line || line < first->line)
		*first = (struct swf_dropped){ line, field, value };
}

static void drop(struct swf *t, enum swf_reason why, unsigned long line,
		 int field, int64_t value)
{
	t->dropped[why]++;
	keep_first(&t->first[why], line, field, value);
}

/* The field that is the first to say so. */
static int field_of(enum swf_reason why, const int64_t *f)
{
	switch (why) {
	case SWF_NO_PROCS:
		return 8;
	case SWF_NO_RUN:
		return 4;
	case SWF_STATUS:
		return 11;
	default:
		return f[5] > 0 ? 5 : 8;
	}
}

static int keep(struct reader *r, const int64_t *f, const char *more)
{
	struct swf_job j = { 0 };
	int64_t procs = f[5] > 0 ? f[5] : f[8];
	enum swf_reason why;

	j.submit = f[2];
	j.run = f[4] == -1 ? f[6] : f[4];
	j.status = f[11];
	r->t->records++;
	why = reason(&j, procs);
	if (why != SWF_REASONS) {
		drop(r->t, why, r->number, field_of(why, f),
		     f[field_of(why, f)]);
		return 0;
	}
	j.procs = (int32_t)procs;
	j.array = j.task = -1;
	j.id = f[1];
	j.wait = f[3];
	j.cpu_time = f[6];
	j.used_memory = f[7];
	j.requested_procs = f[8];
	j.request = f[9] > 0 || !r->o->walltime ? f[9] : r->o->walltime;
	j.requested_memory = f[10];
	j.user_id = f[12];
	j.group = f[13];
	j.executable = f[14];
	j.queue = f[15];
	j.partition = f[16];
	j.preceding = f[17];
	j.think = f[18];
	j.more_bytes = more ? (size_t)(r->end - more) : 0;
	if (more && keep_text(r, more, j.more_bytes))
		return -1;
	j.line = r->number;
	set_estimate(&j, r->o);
	if (r->t->jobs == r->cap) {
		size_t cap = r->cap ? 2 * r->cap : 4096;
		void *p = grow(r->t->job, cap, sizeof(j));

		if (!p)
			return fail(r->t, "%s: out of memory", r->name);
		r->t->job = p;
		r->cap = cap;
	}
	if (r->t->jobs == UINT32_MAX - 1)
		return fail(r->t, "%s: too many jobs", r->name);
	r->t->job[r->t->jobs++] = j;
	return 0;
}

static bool is_too_long(int field, int64_t t)
{
	if (field == 2)
		return t > SWF_LATEST || t < -SWF_LATEST;
	return (field == 4 || field == 6 || field == 9) && t > SWF_LONGEST;
}

static bool has_only_digits(const char *p, const char *end)
{
	p += *p == '-';
	while (p < end && is_digit(*p))
		p++;
	return p == end && is_digit(p[-1]);
}

/* 0: read; 1: damaged and skipped; -1: damaged. */
static int read_fields(struct reader *r, const char **at, int64_t *f)
{
	const char *p = *at, *end, *last;
	int i;

	for (i = 1; i <= SWF_COLUMNS; i++) {
		p = skip_blanks(p, r->end);
		if (p == r->end)
			return damaged(r, "field %d (%s) is missing", i,
				       field_name[i]) |
			       1;
		last = read_number(p, r->end, &f[i]);
		end = last ? last : p;
		if (end < r->end && !is_blank(*end))
			end = token_end(end, r->end);
		if (last != end)
			return bad_field(r, i, p, end,
					 has_only_digits(p, end)
						 ? "too large a number"
						 : "not a number") |
			       1;
		if (is_too_long(i, f[i]))
			return bad_field(r, i, p, end, "too long") | 1;
		p = end;
	}
	*at = skip_blanks(p, r->end);
	return 0;
}

static int read_record(struct reader *r, const char *p)
{
	int64_t f[SWF_COLUMNS + 1];
	const char *more = p, *q;
	int columns = SWF_COLUMNS, status = read_fields(r, &more, f);

	if (status)
		return status > 0 ? 0 : -1;
	for (q = more; q < r->end;
	     q = skip_blanks(token_end(q, r->end), r->end))
		columns++;
	if (columns > SWF_CZECH_COLUMNS)
		return damaged(r, "%d columns, more than 21", columns);
	if (r->columns &&
	    (columns == SWF_CZECH_COLUMNS) != (r->columns == SWF_CZECH_COLUMNS))
		return damaged(r, "%d columns, and %d above", columns,
			       r->columns);
	if (!r->columns)
		r->columns = columns;
	return keep(r, f, columns == SWF_CZECH_COLUMNS ? more : NULL);
}

static int read_line(struct reader *r)
{
	const char *p = skip_blanks(r->line, r->end);

	r->number++;
	if (p == r->end)
		return 0;
	if (*p == ';')
		return read_header(r, p);
	if (memchr(p, '\0', (size_t)(r->end - p)))
		return damaged(r, "a NUL character");
	return read_record(r, p);
}

static int read_lines(struct reader *r, struct lines *l)
{
	size_t bytes;

	while (lines_next(l, &r->line, &bytes)) {
		r->end = r->line + bytes;
		if (read_line(r))
			return -1;
	}
	return l->error ? fail(r->t, "%s: %s", r->name, l->error) : 0;
}

/* Nothing is appended any more: points into t->text. */
static void point_to_text(struct swf *t)
{
	const char *more;
	size_t i;

	t->header = t->text ? t->text : "";
	more = t->header + t->header_bytes;
	for (i = 0; i < t->jobs; i++) {
		if (!t->job[i].more_bytes)
			continue;
		t->job[i].more = more;
		more += t->job[i].more_bytes;
	}
}

/* ---- all of it ---- */

/* To seconds of the trace, @otherwise where it is not given. */
static int resolve(struct reader *r, const struct when *w, int64_t otherwise,
		   int64_t *at)
{
	*at = w->given ? w->at : otherwise;
	if (!w->given || !w->dated)
		return 0;
	if (r->t->unix_start == INT64_MIN)
		return fail(r->t,
			    "%s: the header has no UnixStartTime: give times "
			    "in seconds, not as dates",
			    r->name);
	*at -= r->t->unix_start;
	return 0;
}

/* Its field 5, which counts if it is positive, is not kept for itself. */
static void drop_wide(struct swf *t, const struct swf_job *j)
{
	drop(t, SWF_TOO_WIDE, j->line, j->procs == j->requested_procs ? 8 : 5,
	     j->procs);
}

static int drop_more(struct reader *r)
{
	struct swf *t = r->t;
	int64_t from, until, first = INT64_MAX;
	size_t i, kept = 0;

	t->measured = r->o->to.given;
	if (resolve(r, &r->o->from, INT64_MIN, &from) ||
	    resolve(r, &r->o->until, INT64_MAX, &until) ||
	    resolve(r, &r->o->to, INT64_MAX, &t->to))
		return -1;
	for (i = 0; i < t->jobs; i++) {
		int64_t submit = t->job[i].submit;

		if (t->job[i].procs > t->procs) {
			drop_wide(t, &t->job[i]);
		} else if ((submit < from && !t->measured) || submit >= until) {
			drop(t, SWF_OUTSIDE, t->job[i].line, 2, submit);
		} else {
			t->job[kept++] = t->job[i];
			first = submit < first ? submit : first;
		}
	}
	t->jobs = kept;
	t->from = t->measured && r->o->from.given ? from : first;
	return 0;
}

bool swf_has_none(struct swf *t, const char *name, bool numbered)
{
	const struct swf_dropped *first;
	char number[32] = "", skipped[256];
	const char *before = ":";
	size_t i, n;

	if (t->jobs || !t->records)
		return false;
	snprintf(skipped, sizeof(skipped), "%.255s", t->damaged ? t->error : "");
	fail(t,
	     t->records == 1 ? "%.200s: its only job is not usable"
			     : "%.200s: none of its %zu jobs is usable",
	     name, t->records);
	for (i = 0; i < SWF_REASONS; i++) {
		first = &t->first[i];
		if (!first->line)
			continue;
		if (numbered)
			snprintf(number, sizeof(number), "field %d, ",
				 first->field);
		n = strlen(t->error);
		snprintf(t->error + n, sizeof(t->error) - n,
			 "%s %s %zu (first: line %lu, %s%s: %" PRId64 ")",
			 before, swf_reason_text[i], t->dropped[i], first->line,
			 number, field_name[first->field], first->value);
		before = ",";
	}
	n = strlen(t->error);
	if (t->damaged)
		snprintf(t->error + n, sizeof(t->error) - n,
			 ", damaged lines %zu (first: %s)", t->damaged,
			 skipped);
	return true;
}

/* Of the jobs that are left. */
static void take_notes(struct swf *t, const struct swf_options *o)
{
	const struct swf_job *j = t->job;
	size_t i;

	for (i = 0; i < t->jobs; i++, j++) {
		if (j->status < -1 || j->status > 5) {
			t->noted[SWF_ODD_STATUS]++;
			keep_first(&t->first_noted[SWF_ODD_STATUS], j->line, 11,
				   j->status);
		}
		if (j->request <= 0 && !o->exact) {
			t->noted[SWF_NO_REQUEST]++;
			keep_first(&t->first_noted[SWF_NO_REQUEST], j->line, 9,
				   j->request);
		}
	}
}

#define YEAR_1990 INT64_C(631152000)

/* Times of so long after 1970 are dates, if the header does not say otherwise. */
static void find_epoch(struct swf *t)
{
	size_t i;

	for (i = 0; i < t->jobs && t->job[i].submit >= YEAR_1990; i++)
		;
	t->is_epoch = t->jobs && i == t->jobs && t->unix_start <= 0;
	if (t->is_epoch)
		t->unix_start = 0;
}

struct shuffled {
	uint64_t hash;
	size_t from;
};

static int by_hash(const void *a, const void *b)
{
	const struct shuffled *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* Orders the jobs by a hash of @seed and their ids. */
static int shuffle(struct swf *t, int64_t seed)
{
	struct shuffled *order = malloc(t->jobs * sizeof(*order));
	struct swf_job *job = malloc(t->jobs * sizeof(*job));
	uint64_t state = (uint64_t)seed, of_seed = random_bits(&state);
	bool good = order && job;
	size_t i;

	for (i = 0; good && i < t->jobs; i++) {
		state = of_seed ^ (uint64_t)t->job[i].id;
		order[i].hash = random_bits(&state);
		order[i].from = i;
	}
	if (good) {
		qsort(order, t->jobs, sizeof(*order), by_hash);
		for (i = 0; i < t->jobs; i++)
			job[i] = t->job[order[i].from];
		free(t->job);
		t->job = job;
	} else {
		free(job);
	}
	free(order);
	return good ? 0 : -1;
}

static bool measures_any(const struct swf *t)
{
	size_t i;

	for (i = 0; i < t->jobs && !swf_measures(t, t->job[i].submit); i++)
		;
	return i < t->jobs;
}

static int finish(struct reader *r)
{
	struct swf *t = r->t;
	size_t i;

	if (!t->records)
		return t->damaged ? -1 : fail(t, "%s: has no jobs", r->name);
	t->procs = r->o->procs ? r->o->procs : r->procs;
	if (!t->procs)
		t->procs = r->o->or_procs;
	if (!t->procs)
		return fail(t,
			    "%s: the number of processors is unknown: the "
			    "header has no MaxProcs, and --procs is not given",
			    r->name);
	find_epoch(t);
	if (drop_more(r))
		return -1;
	take_notes(t, r->o);
	if (swf_has_none(t, r->name, true))
		return -1;
	if (!measures_any(t))
		return fail(t, "%s: no job was submitted from --from to --to",
			    r->name);
	for (i = 0; i < t->jobs; i++)
		if (number_user(r, &t->job[i]))
			return fail(t, "%s: out of memory", r->name);
	if (r->o->ties && shuffle(t, r->o->ties))
		return fail(t, "%s: out of memory", r->name);
	t->threshold = r->o->threshold ? r->o->threshold : SWF_THRESHOLD;
	t->memory = r->o->memory;
	if (t->memory == SWF_MEMORY_AUTO)
		t->memory = r->columns == SWF_CZECH_COLUMNS ? SWF_MEMORY_BYTES
							    : SWF_MEMORY_KB;
	return 0;
}

int swf_from(struct swf *t, const char *name, struct lines *l,
	     const struct swf_options *o)
{
	struct reader r = { 0 };
	int status;

	memset(t, 0, sizeof(*t));
	t->unix_start = INT64_MIN;
	r.t = t;
	r.o = o;
	r.name = name;
	status = read_lines(&r, l);
	point_to_text(t);
	if (!status)
		status = finish(&r);
	free(r.slot);
	free(r.user);
	if (status)
		swf_free(t);
	return status;
}

int swf_parse(struct swf *t, const char *name, const char *text, size_t bytes,
	      const struct swf_options *o)
{
	struct lines l;

	lines_of(&l, text, bytes);
	return swf_from(t, name, &l, o);
}

int swf_read(struct swf *t, const char *path, const struct swf_options *o)
{
	struct lines l;
	int status;

	lines_open(&l, path);
	status = swf_from(t, strcmp(path, "-") ? path : "standard input", &l,
			  o);
	lines_close(&l);
	return status;
}

/* ---- ranks of groups and queues ---- */

int swf_spread(struct swf *t, int64_t user_id, double factor)
{
	int64_t first = INT64_MAX;
	double submit;
	size_t i;

	for (i = 0; i < t->jobs; i++)
		if (t->job[i].user_id == user_id && t->job[i].submit < first)
			first = t->job[i].submit;
	if (first == INT64_MAX)
		return fail(t, "the trace has no such user");
	for (i = 0; i < t->jobs; i++) {
		if (t->job[i].user_id != user_id)
			continue;
		submit = (double)(t->job[i].submit - first) * factor +
			 (double)first;
		if (submit > (double)SWF_LATEST)
			return fail(t, "line %lu: the job would be submitted "
				    "after 2^40 s", t->job[i].line);
		t->job[i].submit = (int64_t)floor(submit);
	}
	if (!measures_any(t))
		return fail(t, "no job is submitted from --from to --to then");
	return 0;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Drops what repeats the number before it. */
static size_t drop_repeated(int64_t *number, size_t all)
{
	size_t i, n = 0;

	for (i = 0; i < all; i++)
		if (!n || number[n - 1] != number[i])
			number[n++] = number[i];
	return n;
}

/* Keeps each number once, in order; most logs have long runs of few numbers. */
static size_t sort_numbers(int64_t *number, size_t all)
{
	all = drop_repeated(number, all);
	qsort(number, all, sizeof(*number), by_number);
	return drop_repeated(number, all);
}

static uint32_t rank_of(const int64_t *number, size_t n, int64_t one)
{
	const int64_t *found =
		bsearch(&one, number, n, sizeof(*number), by_number);

	return (uint32_t)(found - number);
}

int swf_rank(struct swf *t)
{
	int64_t *number = malloc((t->jobs + 1) * sizeof(*number));
	size_t i, n;

	if (!number)
		return -1;
	for (i = 0; i < t->jobs; i++)
		number[i] = t->job[i].group;
	n = sort_numbers(number, t->jobs);
	for (i = 0; i < t->jobs; i++)
		t->job[i].share_group = rank_of(number, n, t->job[i].group);
	for (i = 0; i < t->jobs; i++)
		number[i] = t->job[i].queue;
	n = sort_numbers(number, t->jobs);
	for (i = 0; i < t->jobs; i++)
		t->job[i].share_queue = rank_of(number, n, t->job[i].queue);
	free(number);
	return 0;
}

void swf_free(struct swf *t)
{
	free(t->job);
	free(t->text);
	if (t->names)
		names_free(t->names);
	free(t->names);
	asks_free(&t->asks);
	t->names = NULL;
	t->job = NULL;
	t->text = NULL;
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

size_t swf_repeated(const struct swf *t)
{
	size_t i = 1, n = 0;
	int64_t *id;

	while (i < t->jobs && t->job[i - 1].id < t->job[i].id)
		i++;
	if (i >= t->jobs)
		return 0; /* most logs number their jobs in this order */
	id = malloc(t->jobs * sizeof(*id));
	for (i = 0; id && i < t->jobs; i++)
		id[i] = t->job[i].id;
	if (id)
		qsort(id, t->jobs, sizeof(*id), ascending);
	for (i = 1; id && i < t->jobs; i++)
		n += id[i] == id[i - 1];
	free(id);
	return n;
}

const char *swf_note_of(const struct swf *t, enum swf_note note, char *text,
			size_t size)
{
	const struct swf_dropped *first = &t->first_noted[note];

	*text = '\0';
	if (t->noted[note])
		snprintf(text, size,
			 "%zu %s (first: line %lu, field %d, %s: %" PRId64 ")",
			 t->noted[note], swf_note_text[note], first->line,
			 first->field, field_name[first->field], first->value);
	return text;
}

size_t swf_dropped(const struct swf *t)
{
	size_t i, n = 0;

	for (i = 0; i < SWF_REASONS; i++)
		n += t->dropped[i];
	return n;
}

int64_t swf_memory_kb(const struct swf *t, const struct swf_job *j)
{
	int64_t m = j->requested_memory;

	if (m <= 0)
		return j->used_memory > 0 ? j->used_memory : -1;
	if (t->memory == SWF_MEMORY_KB)
		return m;
	m = m / 1024 + !!(m % 1024);
	return m / j->procs + !!(m % j->procs);
}

const char *swf_user(const struct swf *t, int64_t user, char *text, size_t size)
{
	return names_text(t->names, SACCT_USER, user, text, size);
}

void swf_write_header(FILE *f, const struct swf *t)
{
	const char *p = t->header, *last = p + t->header_bytes, *end, *key;

	fprintf(f, "; MaxProcs: %" PRId32 "\n", t->procs);
	for (; p < last; p = end + (end < last)) {
		end = memchr(p, '\n', (size_t)(last - p));
		if (!end)
			end = last;
		p = skip_blanks(p, end);
		for (key = p; key < end && (*key == ';' || is_blank(*key));)
			key++;
		if (p == end || *p != ';' || is_key(key, end, "MaxProcs"))
			continue;
		text_bytes(f, p, (size_t)(end - p));
		putc('\n', f);
	}
}

void swf_write_job(FILE *f, const struct swf_job *j, int64_t wait)
{
	const int64_t field[SWF_COLUMNS] = {
		j->id,		j->submit,
		wait,		j->run,
		j->procs,	j->cpu_time,
		j->used_memory, j->requested_procs,
		j->request,	j->requested_memory,
		j->status,	j->user_id,
		j->group,	j->executable,
		j->queue,	j->partition,
		j->preceding,	j->think,
	};
	int i;

	for (i = 0; i < SWF_COLUMNS; i++)
		fprintf(f, i ? " %" PRId64 : "%" PRId64, field[i]);
	if (j->more) {
		putc(' ', f);
		text_bytes(f, j->more, j->more_bytes);
	}
	putc('\n', f);
}
