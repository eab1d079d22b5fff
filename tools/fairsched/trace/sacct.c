/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sacct.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define LATEST (INT64_C(1) << 40) /* as in a trace */
#define LONGEST (INT64_C(1) << 34)
#define MOST_KB (INT64_C(1) << 50)

const char *const sacct_reason_text[SACCT_REASONS][2] = {
	{ "job steps", "job step" },
	{ "jobs that have not ended", "job that has not ended" },
	{ "jobs that never started", "job that never started" },
	{ "jobs without processors", "job without processors" },
};
const char *const sacct_kind_text[SACCT_KINDS] = { "user", "account",
						   "partition" };

enum column {
	ID_RAW,
	ID,
	USER,
	STATE,
	SUBMIT,
	START,
	END,
	CPUS,
	NCPUS,
	LIMIT_RAW,
	LIMIT,
	ACCOUNT,
	PARTITION,
	ELIGIBLE,
	REQ_CPUS,
	REQ_TRES,
	ALLOC_TRES,
	QOS,
	COLUMNS
};

static const char *const column_name[COLUMNS] = {
	"JobIDRaw",  "JobID",	     "User",	  "State",
	"Submit",    "Start",	     "End",	  "AllocCPUS",
	"NCPUS",     "TimelimitRaw", "Timelimit", "Account",
	"Partition", "Eligible",     "ReqCPUS",	  "ReqTRES",
	"AllocTRES", "QOS"
};

/* Where each reason for dropping a line is seen. */
static const enum column reason_column[SACCT_REASONS] = { ID, STATE, START,
							  CPUS };

#define HEADINGS 512

struct reader {
	struct sacct *s;
	const struct sacct_options *o;
	struct csv csv;
	enum column heading[HEADINGS]; /* COLUMNS: not known */
	size_t headings, cap;
	unsigned int seen;		 /* bits of columns */
	struct csv_field field[COLUMNS]; /* of this line */
	char later[256];		 /* errors behind the first */
	size_t first[SACCT_REASONS];	 /* line that was dropped, or 0 */
	bool failed;			 /* by more than a damaged line */
};

static int bad(struct reader *r, enum column c, const char *why)
{
	struct csv_field f = r->field[c];

	return csv_fail(&r->csv, csv_column(column_name[c]), "'%.*s' is %s",
			csv_shown(f), f.p, why);
}

/* Not of a line, and whatever else was skipped. */
static int fail_all(struct reader *r, const char *why)
{
	snprintf(r->s->error, sizeof(r->s->error), "%s: %s", r->csv.name, why);
	return -1;
}

static bool has(const struct reader *r, enum column c)
{
	return r->seen >> c & 1;
}

/* ---- the header line ---- */

static int read_header(struct reader *r)
{
	static const enum column must[][2] = {
		{ ID_RAW, ID },	    { USER, USER },	  { STATE, STATE },
		{ SUBMIT, SUBMIT }, { START, START },	  { END, END },
		{ CPUS, NCPUS },    { LIMIT_RAW, LIMIT },
	};
	struct csv_field line, f;
	unsigned int c;
	size_t i;

	if (!csv_line(&r->csv, &line))
		return r->csv.lines->error
			       ? -1
			       : csv_fail(&r->csv, csv_column(NULL),
					  "the header line is missing");
	if (csv_parts(line, '|') > HEADINGS)
		return csv_fail(&r->csv, csv_column(NULL), "too many columns");
	while (csv_cut(&line, '|', &f)) {
		for (c = 0; c < COLUMNS && !csv_is(f, column_name[c]); c++)
			;
		if (c < COLUMNS && has(r, c))
			return csv_fail(&r->csv, csv_column(NULL),
					"column %s appears twice",
					column_name[c]);
		if (c < COLUMNS)
			r->seen |= 1u << c;
		r->heading[r->headings++] = (enum column)c;
	}
	for (i = 0; i < sizeof(must) / sizeof(*must); i++)
		if (!has(r, must[i][0]) && !has(r, must[i][1]))
			return csv_fail(&r->csv, csv_column(NULL),
					"column %s is missing: see fairsched "
					"import --help",
					column_name[must[i][0]]);
	r->s->asks.has_qos = has(r, QOS);
	if (r->o->eligible && !has(r, ELIGIBLE))
		return csv_fail(&r->csv, csv_column(NULL),
				"column Eligible is missing");
	return 0;
}

/* ---- fields ---- */

static bool is_empty(struct csv_field f)
{
	return !f.n || csv_is(f, "Unknown") || csv_is(f, "None") ||
	       csv_is(f, "N/A");
}

/* Digits and nothing else. */
static bool read_number(struct csv_field f, int64_t most, int64_t *n)
{
	*n = 0;
	return csv_digits(&f, most, n) && !f.n;
}

/* -1: not known. */
static int read_time(struct reader *r, enum column c, int64_t *time)
{
	struct csv_field f = r->field[c];
	struct when when;
	char date[32];

	*time = -1;
	if (is_empty(f))
		return 0;
	if (read_number(f, LATEST, time))
		return 0;
	snprintf(date, sizeof(date), "%.*s", csv_shown(f), f.p);
	if (f.n >= sizeof(date) || !units_when(date, &when) || !when.dated ||
	    when.at < 0 || when.at > LATEST)
		return bad(r, c,
			   "not a time, such as 1700000000 or "
			   "2023-11-14T22:13:20");
	*time = when.at;
	return 0;
}

bool sacct_clock(struct csv_field f, int64_t *seconds)
{
	struct csv_field days = f, part;
	int64_t n, sum = 0;
	size_t parts = 0;
	bool dayed = memchr(f.p, '-', f.n) != NULL;

	if (dayed) {
		csv_cut(&f, '-', &days);
		if (!read_number(days, LONGEST / 86400, &sum))
			return false;
	}
	for (; csv_cut(&f, ':', &part); parts++) {
		if (!read_number(part, LONGEST, &n) || parts == 3 ||
		    sum > LONGEST)
			return false;
		sum = (dayed && !parts ? 24 : 60) * sum + n;
	}
	for (; dayed && parts < 3; parts++)
		sum *= 60;
	*seconds = sum;
	return sum <= LONGEST;
}

/* -1: without one. */
static int read_limit(struct reader *r, int64_t *seconds)
{
	enum column c = has(r, LIMIT_RAW) ? LIMIT_RAW : LIMIT;
	struct csv_field f = r->field[c];
	bool good;

	*seconds = -1;
	if (is_empty(f) || csv_is(f, "UNLIMITED") ||
	    csv_is(f, "Partition_Limit"))
		return 0;
	if (c == LIMIT_RAW) {
		good = read_number(f, LONGEST / 60, seconds);
		*seconds *= 60;
	} else {
		good = sacct_clock(f, seconds);
	}
	if (good)
		return 0;
	return bad(r, c,
		   c == LIMIT
			   ? "not a time limit, such as 1-12:00:00 or UNLIMITED"
			   : "not a time limit: give minutes or UNLIMITED");
}

static int read_procs(struct reader *r, enum column c, int64_t *procs)
{
	struct csv_field f = r->field[c];

	if (f.n && !read_number(f, INT32_MAX, procs))
		return bad(r, c, "not a number of processors");
	return 0;
}

bool sacct_memory(struct csv_field tres, int64_t *kb)
{
	static const char units[] = { 'K', 'M', 'G', 'T', 'P' };
	struct csv_field f;
	const char *unit;
	int64_t whole = 0, tenths = 0, scale;

	while (csv_cut(&tres, ',', &f)) {
		if (f.n < 4 || memcmp(f.p, "mem=", 4))
			continue;
		f.p += 4;
		f.n -= 4;
		if (!csv_digits(&f, MOST_KB, &whole))
			return false;
		if (f.n > 1 && *f.p == '.') {
			f.p++;
			f.n--;
			if (*f.p < '0' || *f.p > '9')
				return false;
			tenths = *f.p - '0';
			while (f.n && *f.p >= '0' && *f.p <= '9')
				f.p++, f.n--;
		}
		unit = f.n == 1 ? memchr(units, *f.p, sizeof(units)) : NULL;
		if (!unit)
			return false;
		scale = INT64_C(1) << 10 * (unit - units);
		if (whole >= MOST_KB / scale)
			return false;
		*kb = whole * scale + tenths * scale / 10;
		return true;
	}
	return true;
}

/* ---- states ---- */

/* The status of a trace; live ones have none yet. */
static const struct state {
	const char *name;
	bool live;
	int status;
} state[] = {
	{ "BOOT_FAIL", false, 0 },     { "CANCELLED", false, 5 },
	{ "COMPLETED", false, 1 },     { "COMPLETING", true, 0 },
	{ "CONFIGURING", true, 0 },    { "DEADLINE", false, 0 },
	{ "FAILED", false, 0 },	       { "NODE_FAIL", false, 0 },
	{ "OUT_OF_MEMORY", false, 0 }, { "PENDING", true, 0 },
	{ "PREEMPTED", false, 0 },     { "REQUEUED", false, 0 },
	{ "RESIZING", true, 0 },       { "REVOKED", false, 0 },
	{ "RUNNING", true, 0 },	       { "SUSPENDED", true, 0 },
	{ "TIMEOUT", false, 0 },
};

/* "CANCELLED by 1000" is CANCELLED. */
static const struct state *read_state(struct reader *r)
{
	struct csv_field f = r->field[STATE], word = { NULL, 0 };
	size_t i;

	csv_cut(&f, ' ', &word);
	for (i = 0; i < sizeof(state) / sizeof(*state); i++)
		if (csv_is(word, state[i].name))
			return &state[i];
	bad(r, STATE, "not a job state");
	return NULL;
}

/* ---- names ---- */

/* Doubles the slots; the names stay. */
static int grow_names(struct sacct *s)
{
	size_t slots = s->slots ? 2 * s->slots : 1024;
	struct sacct_name *name = realloc(s->name, slots / 2 * sizeof(*name));

	if (!name)
		return -1;
	s->name = name;
	free(s->slot);
	s->slot = calloc(slots, sizeof(*s->slot));
	s->slots = s->slot ? slots : 0;
	return s->slot ? 0 : -1;
}

static uint32_t *find_name(struct sacct *s, enum sacct_kind kind,
			   struct csv_field f)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) + (uint64_t)kind;
	const struct sacct_name *n;
	uint32_t *slot;
	size_t i;

	for (i = 0; i < f.n; i++)
		h = (h ^ (unsigned char)f.p[i]) * UINT64_C(0x100000001b3);
	for (i = (size_t)(h ^ h >> 32);; i++) {
		slot = &s->slot[i & (s->slots - 1)];
		n = &s->name[*slot - !!*slot];
		if (!*slot || (n->kind == kind && csv_same(f, n->p, n->n)))
			return slot;
	}
}

int64_t sacct_number(struct sacct *s, enum sacct_kind kind, struct csv_field f)
{
	struct csv_field known;
	struct sacct_name *n;
	uint32_t *slot;
	size_t i;

	if (!f.n)
		return -1;
	if (s->names == s->slots / 2) {
		if (grow_names(s))
			return -2;
		for (i = 0; i < s->names; i++) {
			known.p = s->name[i].p;
			known.n = s->name[i].n;
			*find_name(s, s->name[i].kind, known) = (uint32_t)i + 1;
		}
	}
	slot = find_name(s, kind, f);
	if (!*slot) {
		n = &s->name[s->names];
		n->p = malloc(f.n);
		if (!n->p)
			return -2;
		s->names++;
		memcpy(n->p, f.p, f.n);
		n->n = f.n;
		n->kind = kind;
		n->number = ++s->last[kind];
		*slot = (uint32_t)s->names;
	}
	return s->name[*slot - 1].number;
}

static int read_names(struct reader *r, struct swf_job *j)
{
	j->user_id = sacct_number(r->s, SACCT_USER, r->field[USER]);
	j->group = sacct_number(r->s, SACCT_ACCOUNT, r->field[ACCOUNT]);
	j->queue = sacct_number(r->s, SACCT_PARTITION, r->field[PARTITION]);
	r->failed = j->user_id == -2 || j->group == -2 || j->queue == -2;
	return r->failed ? fail_all(r, "out of memory") : 0;
}

/* ---- what a job asks for beside its processors ---- */

/* Processors, or what no machine has so much of. */
static bool is_no_resource(struct csv_field name)
{
	static const char *const no[] = { "cpu",    "node",  "billing",
					  "energy", "pages", "vmem" };
	size_t i;

	for (i = 0; i < sizeof(no) / sizeof(*no); i++)
		if (csv_is(name, no[i]))
			return true;
	return name.n >= 3 && !memcmp(name.p, "fs/", 3);
}

/* gres/gpu:a100=2 */
static int read_entry(struct reader *r, enum column c, struct csv_field f)
{
	struct csv_field name = f;
	int64_t amount = -1;
	int i;

	csv_cut(&f, '=', &name);
	if (is_no_resource(name))
		return 0;
	if (csv_is(name, "mem")) {
		if (!sacct_memory(r->field[c], &amount))
			return bad(r, c, "not a list of resources");
		amount *= 1024;
		name = (struct csv_field){ "memory", 6 };
	} else if (!name.n || !f.p || !machine_amount(f.p, f.n, &amount)) {
		return bad(r, c, "not a list of resources");
	}
	i = asks_name(&r->s->asks, name);
	if (i == -1)
		return bad(r, c, "one resource too many: 64 are supported");
	r->failed = i < 0 || asks_add(&r->s->asks, i, amount);
	return r->failed ? fail_all(r, "out of memory") : 0;
}

static int read_tres(struct reader *r, struct swf_job *j)
{
	enum column c = r->field[REQ_TRES].n ? REQ_TRES : ALLOC_TRES;
	struct csv_field list = r->field[c], f;
	struct asks *asks = &r->s->asks;

	asks_undo(asks);
	while (list.n && csv_cut(&list, ',', &f))
		if (read_entry(r, c, f))
			return -1;
	r->failed = asks_qos(asks, r->field[QOS]) || asks_end(asks, &j->ask);
	return r->failed ? fail_all(r, "out of memory") : 0;
}

/* ---- a line ---- */

/* 123, 123_4 of an array, 123+1 of a heterogeneous job; a step has a point. */
static int read_id(struct reader *r, int64_t *id, bool *step)
{
	static const char marks[] = { '.', '_', '+' };
	enum column c = has(r, ID_RAW) ? ID_RAW : ID;
	struct csv_field f = r->field[c];

	*id = 0;
	if (!csv_digits(&f, INT64_MAX, id) ||
	    (f.n && !memchr(marks, *f.p, sizeof(marks))))
		return bad(r, c, "not a job number");
	*step = f.n && memchr(f.p, '.', f.n);
	return 0;
}

static int read_times(struct reader *r, struct swf_job *j, int64_t *start,
		      int64_t *end)
{
	int64_t eligible;

	if (read_time(r, SUBMIT, &j->submit) || read_time(r, START, start) ||
	    read_time(r, END, end))
		return -1;
	if (j->submit < 0)
		return bad(r, SUBMIT, "not a time");
	if (!r->o->eligible)
		return 0;
	if (read_time(r, ELIGIBLE, &eligible))
		return -1;
	if (eligible > j->submit)
		j->submit = eligible;
	return 0;
}

/* Run time, processors, request and memory; -1 if they are impossible. */
static int read_run(struct reader *r, struct swf_job *j, int64_t start,
		    int64_t end)
{
	int64_t procs = 0, requested = -1, memory = -1;

	if (end < start || end - start > LONGEST)
		return bad(r, END,
			   "not an end time of a job that started before");
	if (start < j->submit)
		return bad(r, START,
			   r->o->eligible ? "before the job was eligible"
					  : "before the job was submitted");
	j->run = end - start;
	if (read_procs(r, has(r, CPUS) ? CPUS : NCPUS, &procs) ||
	    read_procs(r, REQ_CPUS, &requested) || read_limit(r, &j->request))
		return -1;
	if (!sacct_memory(r->field[REQ_TRES], &memory))
		return bad(r, REQ_TRES, "not a list of resources");
	if (!r->field[REQ_TRES].n &&
	    !sacct_memory(r->field[ALLOC_TRES], &memory))
		return bad(r, ALLOC_TRES, "not a list of resources");
	j->procs = (int32_t)procs;
	j->requested_procs = requested;
	j->requested_memory =
		memory < 0 || !procs ? -1 : memory / procs + !!(memory % procs);
	return 0;
}

/* SACCT_REASONS: it is kept; -1 after an error. */
static int read_job(struct reader *r, struct sacct_job *job)
{
	struct swf_job *j = &job->swf;
	const struct state *how;
	int64_t end;
	bool step = false;

	memset(job, 0, sizeof(*job));
	j->cpu_time = j->used_memory = j->executable = j->partition = -1;
	j->preceding = j->think = -1;
	j->line = (unsigned long)r->csv.line;
	if (read_id(r, &j->id, &step))
		return -1;
	if (step)
		return SACCT_STEP;
	how = read_state(r);
	if (!how || read_times(r, j, &job->start, &end))
		return -1;
	if (how->live || (end < 0 && job->start >= 0))
		return SACCT_LIVE;
	if (job->start < 0 || (how->status == 5 && job->start >= end))
		return SACCT_NEVER;
	if (read_run(r, j, job->start, end))
		return -1;
	if (!j->procs)
		return SACCT_PROCS;
	j->status = how->status;
	if (read_tres(r, j) || read_names(r, j))
		return -1;
	r->s->requeued += csv_is(r->field[STATE], "REQUEUED");
	return SACCT_REASONS;
}

static int cut_line(struct reader *r, struct csv_field line)
{
	size_t i, parts = csv_parts(line, '|');
	struct csv_field f;

	if (parts != r->headings)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu fields instead of %zu: does a column such "
				"as JobName contain a |?",
				parts, r->headings);
	for (i = 0; csv_cut(&line, '|', &f); i++)
		if (r->heading[i] < COLUMNS)
			r->field[r->heading[i]] = f;
	return 0;
}

/* ---- all of them ---- */

/* A start, or an end where procs < 0. */
struct change {
	int64_t time;
	int32_t procs;
};

static int by_time(const void *x, const void *y)
{
	const struct change *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->procs > b->procs) - (a->procs < b->procs); /* ends first */
}

static int by_arrival(const void *x, const void *y)
{
	const struct swf_job *a = &((const struct sacct_job *)x)->swf;
	const struct swf_job *b = &((const struct sacct_job *)y)->swf;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static int find_procs(struct reader *r)
{
	struct sacct *s = r->s;
	struct change *c = malloc((2 * s->jobs + 1) * sizeof(*c));
	int64_t busy = 0;
	size_t i;

	if (!c)
		return fail_all(r, "out of memory");
	for (i = 0; i < s->jobs; i++) {
		c[2 * i].time = s->job[i].start;
		c[2 * i].procs = s->job[i].swf.procs;
		c[2 * i + 1].time = s->job[i].start + s->job[i].swf.run;
		c[2 * i + 1].procs = -s->job[i].swf.procs;
		if (s->job[i].swf.procs > s->procs)
			s->procs = s->job[i].swf.procs;
	}
	qsort(c, 2 * s->jobs, sizeof(*c), by_time);
	for (i = 0; i < 2 * s->jobs; i++) {
		busy += c[i].procs;
		if (busy > s->procs)
			s->procs = busy;
	}
	free(c);
	return 0;
}

/* Returns 0, also for a line that was counted and skipped. */
static int add_line(struct reader *r, struct csv_field line)
{
	struct sacct *s = r->s;
	size_t cap = r->cap ? 2 * r->cap : 4096;
	struct sacct_job *more;
	int reason;

	if (s->jobs == r->cap) {
		more = realloc(s->job, cap * sizeof(*more));
		if (!more)
			return fail_all(r, "out of memory");
		s->job = more;
		r->cap = cap;
	}
	s->records++;
	reason = cut_line(r, line) ? -1 : read_job(r, &s->job[s->jobs]);
	if (reason == SACCT_REASONS)
		s->jobs++;
	else if (reason >= 0 && !s->dropped[reason]++)
		r->first[reason] = (size_t)r->csv.line;
	if (reason >= 0)
		return 0;
	if (!r->o->lenient || r->failed)
		return -1;
	s->damaged++;
	r->csv.error = r->later;
	r->csv.room = sizeof(r->later);
	return 0;
}

/* No job is left: says why. */
static int fail_none(struct reader *r)
{
	struct sacct *s = r->s;
	const char *before = ":";
	char skipped[256];
	size_t i, n;

	snprintf(skipped, sizeof(skipped), "%.255s", s->damaged ? s->error : "");
	fail_all(r, "the file has no job that ended");
	for (i = 0; i < SACCT_REASONS; i++) {
		if (!s->dropped[i])
			continue;
		n = strlen(s->error);
		snprintf(s->error + n, sizeof(s->error) - n,
			 "%s %zu %s (first: line %zu, %s)", before,
			 s->dropped[i],
			 sacct_reason_text[i][s->dropped[i] == 1], r->first[i],
			 column_name[reason_column[i]]);
		before = ",";
	}
	n = strlen(s->error);
	if (s->damaged)
		snprintf(s->error + n, sizeof(s->error) - n,
			 "%s %zu damaged line%s (first: %s)", before,
			 s->damaged, s->damaged == 1 ? "" : "s", skipped);
	return -1;
}

static int parse_all(struct reader *r)
{
	struct sacct *s = r->s;
	struct csv_field line;
	size_t i;

	if (read_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (add_line(r, line))
			return -1;
	if (r->csv.lines->error)
		return -1;
	if (!s->jobs)
		return fail_none(r);
	qsort(s->job, s->jobs, sizeof(*s->job), by_arrival);
	s->unix_start = s->job->swf.submit;
	if (find_procs(r))
		return -1;
	for (i = 0; i < s->jobs; i++) {
		s->job[i].swf.submit -= s->unix_start;
		s->job[i].start -= s->unix_start;
	}
	return 0;
}

int sacct_from(struct sacct *s, const char *name, struct lines *l,
	       const struct sacct_options *o)
{
	struct reader r = { 0 };
	int error;

	memset(s, 0, sizeof(*s));
	r.s = s;
	r.o = o;
	csv_read(&r.csv, name, l, s->error, sizeof(s->error));
	error = parse_all(&r);
	if (l->error)
		fail_all(&r, l->error);
	if (error)
		sacct_free(s);
	return error;
}

int sacct_parse(struct sacct *s, const char *name, const char *text,
		size_t bytes, const struct sacct_options *o)
{
	struct lines l;

	lines_of(&l, text, bytes);
	return sacct_from(s, name, &l, o);
}

int sacct_read(struct sacct *s, const char *path, const struct sacct_options *o)
{
	struct lines l;
	int error;

	lines_open(&l, path);
	error = sacct_from(s, strcmp(path, "-") ? path : "standard input", &l,
			   o);
	lines_close(&l);
	return error;
}

void sacct_write(const struct sacct *s, int64_t procs, FILE *f)
{
	size_t i;

	fputs("; Version: 2.2\n; Note: fairsched import sacct\n", f);
	if (s->unix_start != INT64_MIN)
		fprintf(f, "; UnixStartTime: %" PRId64 "\n"
			   "; TimeZoneString: UTC\n",
			s->unix_start);
	if (procs)
		fprintf(f, "; MaxProcs: %" PRId64 "\n", procs);
	fputs("; Note: fields 12, 13, 15: user, account, partition\n", f);
	for (i = 0; i < s->jobs; i++)
		swf_write_job(f, &s->job[i].swf,
			      s->job[i].start - s->job[i].swf.submit);
}

void sacct_free(struct sacct *s)
{
	while (s->names)
		free(s->name[--s->names].p);
	asks_free(&s->asks);
	free(s->job);
	free(s->name);
	free(s->slot);
	s->job = NULL;
	s->name = NULL;
	s->slot = NULL;
	s->jobs = s->names = s->slots = 0;
}
