/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sacct.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/text.h"

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

/* A noun, "s" if there are several, and the rest of the sentence. */
static const char *const note_text[SACCT_NOTES][3] = {
	{ "requeued", "run", ", each imported as a job of its own" },
	{ "resized", "part", " of a job, each imported as a job of its own" },
	{ "suspended", "job", ", the time of which is no run time" },
	{ "repeated", "line", ", as in a file before" },
	{ "other clusters", "line", "" },
	{ "rounded", "time", " with a fraction of a second" },
};

void sacct_tell(const struct sacct *s, const char *before, FILE *f)
{
	size_t i;

	for (i = 0; i < SACCT_NOTES; i++) {
		if (!s->noted[i])
			continue;
		text_show(f, before);
		fprintf(f, "%s: %zu %s%s%s\n", note_text[i][0], s->noted[i],
			note_text[i][1], s->noted[i] == 1 ? "" : "s",
			note_text[i][2]);
	}
}

void sacct_tell_dropped(const struct sacct *s, const char *before, FILE *f)
{
	size_t i;

	for (i = 0; i < SACCT_REASONS; i++) {
		if (!s->dropped[i])
			continue;
		text_show(f, before);
		fprintf(f, "dropped: %zu %s\n", s->dropped[i],
			sacct_reason_text[i][s->dropped[i] == 1]);
	}
}

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
	ALLOC_GRES,
	ELAPSED_RAW,
	ELAPSED,
	SUSPENDED,
	CLUSTER,
	NNODES,
	REQ_NODES,
	COLUMNS
};

static const struct csv_title title[COLUMNS] = {
	{ "JobIDRaw", ID_RAW },
	{ "JobID", ID },
	{ "User", USER },
	{ "State", STATE },
	{ "Submit", SUBMIT },
	{ "Start", START },
	{ "End", END },
	{ "AllocCPUS", CPUS },
	{ "NCPUS", NCPUS },
	{ "TimelimitRaw", LIMIT_RAW },
	{ "Timelimit", LIMIT },
	{ "Account", ACCOUNT },
	{ "Partition", PARTITION },
	{ "Eligible", ELIGIBLE },
	{ "ReqCPUS", REQ_CPUS },
	{ "ReqTRES", REQ_TRES },
	{ "AllocTRES", ALLOC_TRES },
	{ "QOS", QOS },
	{ "AllocGRES", ALLOC_GRES },
	{ "ElapsedRaw", ELAPSED_RAW },
	{ "Elapsed", ELAPSED },
	{ "Suspended", SUSPENDED },
	{ "Cluster", CLUSTER },
	{ "NNodes", NNODES },
	{ "ReqNodes", REQ_NODES },
};

/* Where each reason for dropping a line is seen. */
static const enum column reason_column[SACCT_REASONS] = { ID, STATE, START,
							  CPUS };

#define HEADINGS 512
#define CLUSTERS 8 /* at most in a message */
#define SACCT_SKIPPED (SACCT_REASONS + 1)

struct reader {
	struct sacct *s;
	const struct sacct_options *o;
	struct csv csv;
	unsigned int heading[HEADINGS]; /* COLUMNS: not known */
	size_t headings, headers, cap;
	unsigned int seen;		 /* bits of columns */
	struct csv_field field[COLUMNS]; /* of this line */
	char cluster[CLUSTERS][64];	 /* of the lines so far */
	size_t clusters;
	int64_t *resized; /* numbers of jobs that were */
	size_t resizes, resized_room;
	char later[256];	   /* errors behind the first */
	size_t first[SACCT_REASONS]; /* line that was dropped, or 0 */
	bool failed;		   /* by more than a damaged line */
};

static int bad(struct reader *r, enum column c, const char *why)
{
	struct csv_field f = r->field[c];

	return csv_fail(&r->csv, csv_column(title[c].name), "'%.*s' is %s",
			csv_shown(f), f.n ? f.p : "", why);
}

/* Not of a line, and whatever else was skipped. */
static int fail_all(struct reader *r, const char *why)
{
	snprintf(r->s->error, sizeof(r->s->error), "%s: %s", r->csv.name, why);
	r->failed = true;
	return -1;
}

static bool has(const struct reader *r, enum column c)
{
	return r->seen >> c & 1;
}

/* ---- the header line ---- */

static unsigned int column_of(struct csv_field f)
{
	return csv_title(title, COLUMNS, f, COLUMNS);
}

/* The columns that a line names. */
static unsigned int named(struct csv_field line, char mark)
{
	unsigned int seen = 0, c;
	struct csv_field f;

	while (csv_cut(&line, mark, &f)) {
		if (f.n > 1 && *f.p == '"' && f.p[f.n - 1] == '"')
			f.p++, f.n -= 2;
		c = column_of(f);
		if (c < COLUMNS)
			seen |= 1u << c;
	}
	return seen;
}

/* No line of a job has these for its number, its state and its end. */
static bool is_header(struct csv_field line, char mark)
{
	unsigned int seen = named(line, mark);

	return (seen & (1u << ID | 1u << ID_RAW)) && (seen >> STATE & 1) &&
	       (seen >> END & 1);
}

/* Without -P blanks are between the names. */
static bool is_table(struct csv_field line)
{
	struct csv_field word = { NULL, 0 };

	while (csv_cut(&line, ' ', &word) && !word.n)
		;
	return line.p && column_of(word) < COLUMNS;
}

bool sacct_begin(const char *line, size_t bytes)
{
	struct csv_field f = { line, bytes };

	return bytes && *line != ';' &&
	       (memchr(line, '|', bytes) || is_table(f) ||
		is_header(f, csv_mark(line, bytes)));
}

static int check_columns(struct reader *r, struct csv_field header)
{
	static const enum column must[][4] = {
		{ ID_RAW, ID, ID, ID },
		{ USER, USER, USER, USER },
		{ STATE, STATE, STATE, STATE },
		{ SUBMIT, SUBMIT, SUBMIT, SUBMIT },
		{ START, START, START, START },
		{ END, END, END, END },
		{ CPUS, NCPUS, ALLOC_TRES, REQ_CPUS },
		{ LIMIT_RAW, LIMIT, LIMIT, LIMIT },
	};
	const size_t n = sizeof(must) / sizeof(*must) - r->o->used;
	const char *missing[sizeof(must) / sizeof(*must) + 2];
	size_t i, k, misses = 0;

	for (i = 0; i < n; i++) {
		for (k = 0; k < 4 && !has(r, must[i][k]); k++)
			;
		if (k == 4)
			missing[misses++] = title[must[i][0]].name;
	}
	if (r->o->eligible && !has(r, ELIGIBLE))
		missing[misses++] = title[ELIGIBLE].name;
	if (r->o->cluster && !has(r, CLUSTER))
		missing[misses++] = title[CLUSTER].name;
	if (!misses)
		return 0;
	r->failed = true;
	if (r->seen || r->o->columns)
		return csv_missing(&r->csv, missing, misses, header);
	if (is_table(header))
		return csv_fail(&r->csv, csv_column(NULL),
				"blanks are between the names of columns: "
				"export by sacct -P");
	return csv_fail(&r->csv, csv_column(NULL),
			"the first line names no column, as from sacct -n: "
			"export without -n, or give the names by --columns "
			"JobIDRaw,User,...");
}

static int add_heading(struct reader *r, struct csv_field f)
{
	unsigned int c = column_of(f);

	if (r->headings == HEADINGS)
		return csv_fail(&r->csv, csv_column(NULL), "too many columns");
	if (c < COLUMNS && has(r, c))
		return csv_fail(&r->csv, csv_column(NULL),
				"column %s appears twice", title[c].name);
	if (c < COLUMNS)
		r->seen |= 1u << c;
	r->heading[r->headings++] = c;
	return 0;
}

static int read_header(struct reader *r, struct csv_field line)
{
	struct csv_field header = line, f;
	int found;

	r->csv.error = r->s->error;
	r->csv.room = sizeof(r->s->error);
	r->headings = r->seen = 0;
	memset(r->field, 0, sizeof(r->field));
	if (csv_begin(&r->csv, line))
		return -1;
	while ((found = csv_field(&r->csv, &line, &f)) > 0)
		if (add_heading(r, f))
			return -1;
	r->headers++;
	r->s->asks.has_qos |= has(r, QOS);
	return found || check_columns(r, header);
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

/* By the first of the columns that the file has. */
static int read_allocated(struct reader *r, int64_t *procs)
{
	struct csv_field list = r->field[ALLOC_TRES], f;

	if (has(r, CPUS) || has(r, NCPUS))
		return read_procs(r, has(r, CPUS) ? CPUS : NCPUS, procs);
	while (list.n && csv_cut(&list, ',', &f)) {
		if (f.n < 4 || memcmp(f.p, "cpu=", 4))
			continue;
		f.p += 4;
		f.n -= 4;
		return read_number(f, INT32_MAX, procs)
			       ? 0
			       : bad(r, ALLOC_TRES, "not a list of resources");
	}
	return has(r, ALLOC_TRES) && !has(r, REQ_CPUS)
		       ? 0
		       : read_procs(r, REQ_CPUS, procs);
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
	{ "RESIZING", true, 1 },       { "REVOKED", false, 0 },
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

/* gpu:a100:2(S:0-1) of older versions, as gres/gpu:a100 */
static int read_gres(struct reader *r, struct csv_field f)
{
	struct csv_field name, part = f;
	char text[128] = "gres/";
	int64_t amount;
	int i;

	csv_cut(&f, '(', &part);
	name = part;
	for (f = part; csv_cut(&f, ':', &part) && f.p;)
		;
	if (part.p > name.p && read_number(part, INT32_MAX, &amount))
		name.n = (size_t)(part.p - name.p) - 1;
	else
		amount = 1;
	if (!name.n || name.n > sizeof(text) - 6)
		return bad(r, ALLOC_GRES, "not a list of resources");
	memcpy(text + 5, name.p, name.n);
	text[5 + name.n] = '\0';
	i = asks_name(&r->s->asks, csv_column(text));
	if (i == -1)
		return bad(r, ALLOC_GRES,
			   "one resource too many: 64 are supported");
	r->failed = i < 0 || asks_add(&r->s->asks, i, amount);
	return r->failed ? fail_all(r, "out of memory") : 0;
}

/* The resources of column @c, else of AllocGRES. */
static int read_list(struct reader *r, enum column c)
{
	struct csv_field gres = r->field[ALLOC_GRES], list, f;

	asks_undo(&r->s->asks);
	for (list = r->field[c]; list.n && csv_cut(&list, ',', &f);) {
		if (f.n > 5 && !memcmp(f.p, "gres/", 5))
			gres.n = 0;
		if (read_entry(r, c, f))
			return -1;
	}
	while (gres.n && !is_empty(gres) && csv_cut(&gres, ',', &f))
		if (read_gres(r, f))
			return -1;
	return 0;
}

/* Those of a job, by what it asked for or, for its usage, by what it had. */
static enum column tres_column(const struct reader *r)
{
	bool used = r->o->used ? r->field[ALLOC_TRES].n != 0
			       : !r->field[REQ_TRES].n;

	return used ? ALLOC_TRES : REQ_TRES;
}

/* Distinct nodes, by the first that says so of NNodes, ReqNodes and node= of the
 * list in column @tres. */
static int read_nodes(struct reader *r, enum column tres)
{
	struct csv_field list = r->field[tres], f = r->field[NNODES];
	struct csv_field name = csv_column("");
	struct ask_nodes nodes = { 0, 1, false, true };
	enum column c = NNODES;
	int64_t n = 0;

	if (is_empty(f))
		f = r->field[c = REQ_NODES];
	if (is_empty(f)) {
		c = tres;
		while (!csv_is(name, "node") && list.n &&
		       csv_cut(&list, ',', &f))
			csv_cut(&f, '=', &name);
		f = csv_is(name, "node") ? f : csv_column("");
	}
	if (f.n && !read_number(f, INT32_MAX, &n))
		return bad(r, c, "not a number of nodes");
	nodes.chunks = (int32_t)n;
	if (n)
		asks_nodes(&r->s->asks, nodes);
	return 0;
}

/* What it asked for, and what it had besides, if both are told. */
static int read_tres(struct reader *r, struct swf_job *j)
{
	struct asks *asks = &r->s->asks;
	enum column c = tres_column(r);

	if (read_list(r, c) || read_nodes(r, c))
		return -1;
	r->failed = asks_qos(asks, r->field[QOS]) || asks_end(asks, &j->ask);
	if (!r->failed && c == REQ_TRES && r->field[ALLOC_TRES].n) {
		if (read_list(r, ALLOC_TRES))
			return -1;
		r->failed = asks_end(asks, &j->had);
	}
	return r->failed ? fail_all(r, "out of memory") : 0;
}

/* ---- a line ---- */

/* 123_4 of JobID */
static void read_task(struct csv_field f, struct swf_job *j)
{
	j->array = j->task = 0;
	if (csv_digits(&f, INT64_MAX, &j->array) && f.n-- && *f.p++ == '_' &&
	    csv_digits(&f, INT64_MAX, &j->task))
		return;
	j->array = j->task = -1;
}

/* 123, 123_4 of an array, 123+1 of a heterogeneous job; a step has a point. */
static int read_id(struct reader *r, struct sacct_job *j, bool *step)
{
	static const char marks[] = { '.', '_', '+' };
	enum column c = has(r, ID_RAW) ? ID_RAW : ID;
	struct csv_field f = r->field[c];

	j->name = text_digest(f.n ? f.p : "", f.n);
	if (!csv_digits(&f, INT64_MAX, &j->swf.id) ||
	    (f.n && !memchr(marks, *f.p, sizeof(marks))))
		return bad(r, c, "not a job number");
	*step = f.n && memchr(f.p, '.', f.n);
	read_task(r->field[has(r, ID) ? ID : ID_RAW], &j->swf);
	return 0;
}

/* Jobs that were resized have a record for each size. */
static int note_resized(struct reader *r, int64_t id)
{
	size_t room = r->resized_room ? 2 * r->resized_room : 64;
	int64_t *more = r->resized;

	if (r->resizes == r->resized_room) {
		more = realloc(more, room * sizeof(*more));
		if (!more)
			return fail_all(r, "out of memory");
		r->resized = more;
		r->resized_room = room;
	}
	r->resized[r->resizes++] = id;
	return 0;
}

static bool was_resized(const struct reader *r, int64_t id)
{
	size_t i = r->resizes;

	while (i && r->resized[i - 1] != id)
		i--;
	return i > 0;
}

/* -1: not told. */
static int read_elapsed(struct reader *r, int64_t *elapsed)
{
	enum column c = has(r, ELAPSED_RAW) ? ELAPSED_RAW : ELAPSED;
	struct csv_field f = r->field[c];

	*elapsed = -1;
	if (!f.n || (c == ELAPSED_RAW ? read_number(f, LONGEST, elapsed)
				      : sacct_clock(f, elapsed)))
		return 0;
	return bad(r, c, "not a duration, such as 1-12:00:00");
}

/* Is it of a job that was resized? Elapsed counts from the start of the first
 * part, which may be in the file of another month. Of local times, which can go
 * back, that says nothing. */
static bool is_later_part(struct reader *r, int64_t id, int64_t length)
{
	struct csv_field pause = r->field[SUSPENDED];
	int64_t elapsed, suspended = 0;

	if (was_resized(r, id))
		return true;
	return !memchr(r->field[START].p, 'T', r->field[START].n) &&
	       !read_elapsed(r, &elapsed) &&
	       (!pause.n || sacct_clock(pause, &suspended)) &&
	       elapsed >= 0 && elapsed + suspended == length;
}

/* From its submission to its start and its end. The parts of a job that was
 * resized have the start of the first one; each is submitted when it begins. */
static int read_times(struct reader *r, struct sacct_job *job, int64_t *end)
{
	struct swf_job *j = &job->swf;
	int64_t *start = &job->start, eligible;

	if (read_time(r, SUBMIT, &j->submit) || read_time(r, START, start) ||
	    read_time(r, END, end))
		return -1;
	if (j->submit < 0)
		return bad(r, SUBMIT, "not a time");
	if (*start >= 0 && *start < j->submit && j->submit <= *end &&
	    is_later_part(r, j->id, *end - *start)) {
		job->before = j->submit - *start;
		*start = j->submit;
	}
	if (!r->o->eligible)
		return 0;
	if (read_time(r, ELIGIBLE, &eligible))
		return -1;
	if (eligible > j->submit)
		j->submit = eligible;
	return 0;
}

/* Why a time is before another one: dates of a clock that was put back are. */
static int bad_order(struct reader *r, enum column c, const char *why)
{
	struct csv_field f = r->field[c];
	char text[160];

	if (!f.n || !memchr(f.p, 'T', f.n))
		return bad(r, c, why);
	snprintf(text, sizeof(text),
		 "%s; if the clock was put back then, export seconds: "
		 "SLURM_TIME_FORMAT=%%s sacct ...",
		 why);
	return bad(r, c, text);
}

/* Seconds of the run in which the job was suspended. */
static int read_suspended(struct reader *r, struct sacct_job *job)
{
	int64_t *n = &job->suspended, elapsed;
	int64_t all = job->before + job->swf.run; /* of which Elapsed is */

	if (r->field[SUSPENDED].n &&
	    (!sacct_clock(r->field[SUSPENDED], n) || *n > job->swf.run))
		return bad(r, SUSPENDED,
			   "not a part of the time from Start to End");
	if (read_elapsed(r, &elapsed))
		return -1;
	if (elapsed < 0)
		return 0;
	if (elapsed > all - *n + 1)
		return bad_order(r, END,
				 "less than Elapsed and Suspended after Start");
	if (r->field[SUSPENDED].n)
		return 0;
	*n = all - elapsed;
	return *n <= job->swf.run
		       ? 0
		       : bad_order(r, END,
				   "more than Elapsed after the job's resize");
}

/* Run time, processors, request and memory; -1 if they are impossible. */
static int read_run(struct reader *r, struct sacct_job *job, int64_t end)
{
	int64_t procs = 0, requested = -1, memory = -1;
	struct swf_job *j = &job->swf;
	enum column c = tres_column(r);

	if (end < job->start || end - job->start > LONGEST)
		return bad_order(
			r, END, "not an end time of a job that started before");
	if (job->start < j->submit)
		return bad_order(r, START,
				 r->o->eligible
					 ? "before the job was eligible"
				 : has(r, ELAPSED) || has(r, ELAPSED_RAW)
					 ? "before the job was submitted"
					 : "before the job was submitted: if "
					   "it was resized, export Elapsed, "
					   "too");
	j->run = end - job->start;
	if (read_suspended(r, job) || read_allocated(r, &procs) ||
	    read_procs(r, REQ_CPUS, &requested) || read_limit(r, &j->request))
		return -1;
	if (job->suspended < 0)
		job->suspended = 0;
	j->run -= job->suspended;
	if (!sacct_memory(r->field[c], &memory))
		return bad(r, c, "not a list of resources");
	j->procs = (int32_t)procs;
	j->requested_procs = requested;
	j->requested_memory =
		memory < 0 || !procs ? -1 : memory / procs + !!(memory % procs);
	return 0;
}

/* Whether a line is of the cluster that was asked for. */
static bool is_of_cluster(struct reader *r)
{
	struct csv_field f = r->field[CLUSTER];
	size_t i;

	if (r->o->cluster)
		return csv_is(f, r->o->cluster);
	for (i = 0; i < r->clusters; i++)
		if (f.n >= 63 || csv_is(f, r->cluster[i]))
			return true;
	if (f.n && f.n < 63 && i < CLUSTERS)
		memcpy(r->cluster[r->clusters++], f.p, f.n);
	return true;
}

/* SACCT_REASONS: it is kept; SACCT_SKIPPED: not of this cluster; -1 after an
 * error. */
static int read_job(struct reader *r, struct sacct_job *job)
{
	struct swf_job *j = &job->swf;
	const struct state *how;
	bool step = false, resizing;
	int64_t end;

	memset(job, 0, sizeof(*job));
	j->cpu_time = j->used_memory = j->executable = j->partition = -1;
	j->preceding = j->think = -1;
	j->line = (unsigned long)r->csv.line;
	if (!is_of_cluster(r))
		return SACCT_SKIPPED;
	if (read_id(r, job, &step))
		return -1;
	if (step)
		return SACCT_STEP;
	how = read_state(r);
	if (!how || read_times(r, job, &end))
		return -1;
	resizing = !strcmp(how->name, "RESIZING") && end >= 0;
	if ((how->live && !resizing) || (end < 0 && job->start >= 0))
		return SACCT_LIVE;
	if (job->start < 0 || (how->status == 5 && job->start >= end))
		return SACCT_NEVER;
	if ((resizing && note_resized(r, j->id)) || read_run(r, job, end))
		return -1;
	if (how->status == 5 && !j->run)
		return SACCT_NEVER; /* but for a pause */
	if (!j->procs)
		return SACCT_PROCS;
	j->status = how->status;
	if (read_tres(r, j) || read_names(r, j))
		return -1;
	r->s->noted[SACCT_REQUEUED] += csv_is(r->field[STATE], "REQUEUED");
	r->s->noted[SACCT_RESIZED] += resizing;
	r->s->noted[SACCT_SUSPENDED] += job->suspended > 0;
	return SACCT_REASONS;
}

/* A | in a name of the last column is a part of it, if nobody reads that. */
static int cut_line(struct reader *r, struct csv_field line)
{
	struct csv_field whole = line, f;
	int found = csv_begin(&r->csv, line);
	size_t i;

	for (i = 0; !found && (found = csv_field(&r->csv, &line, &f)) > 0;
	     i++, found = 0)
		if (i < r->headings && r->heading[i] < COLUMNS)
			r->field[r->heading[i]] = f;
	if (found)
		return -1;
	if (i == r->headings ||
	    (i > r->headings && r->heading[r->headings - 1] == COLUMNS))
		return 0;
	return csv_fail(&r->csv, csv_column(NULL),
			"%zu fields instead of %zu: does a column such as "
			"JobName contain a %s? Put it last, or leave it out",
			csv_parts(whole, r->csv.mark), r->headings,
			r->csv.mark == '|'  ? "|"
			: r->csv.mark == ',' ? "comma"
					     : "tab");
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

/* When a job was suspended is not known, but that it ran at first. */
static int64_t busy_until(const struct sacct_job *j)
{
	return j->start + (j->suspended && j->swf.run ? 1 : j->swf.run);
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
		c[2 * i + 1].time = busy_until(&s->job[i]);
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
	if (is_header(line, r->csv.mark))
		return read_header(r, line);
	s->records++;
	reason = cut_line(r, line) ? -1 : read_job(r, &s->job[s->jobs]);
	if (reason == SACCT_REASONS)
		s->jobs++;
	else if (reason == SACCT_SKIPPED)
		s->noted[SACCT_OTHERS]++;
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

/* Of --columns, or the first line. */
static int read_first(struct reader *r)
{
	struct csv_field line;

	if (r->o->columns) {
		line = csv_column(r->o->columns);
		r->csv.mark = ',';
		if (read_header(r, line))
			return -1;
	}
	if (!csv_line(&r->csv, &line))
		return r->csv.lines->error || r->o->columns
			       ? -!!r->csv.lines->error
			       : csv_fail(&r->csv, csv_column(NULL),
					  "the header line is missing");
	r->csv.mark = csv_mark(line.p, line.n);
	return r->o->columns ? add_line(r, line) : read_header(r, line);
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
			 title[reason_column[i]].name);
		before = ",";
	}
	n = strlen(s->error);
	if (s->noted[SACCT_OTHERS]) {
		snprintf(s->error + n, sizeof(s->error) - n,
			 "%s %zu of other clusters than '%.40s'", before,
			 s->noted[SACCT_OTHERS], r->o->cluster);
		before = ",";
	}
	n = strlen(s->error);
	if (s->damaged)
		snprintf(s->error + n, sizeof(s->error) - n,
			 "%s %zu damaged line%s (first: %s)", before,
			 s->damaged, s->damaged == 1 ? "" : "s", skipped);
	return -1;
}

static int check_clusters(struct reader *r)
{
	char names[CLUSTERS * 66] = "", why[sizeof(names) + 64];
	size_t i, n = 0;

	if (r->clusters < 2)
		return 0;
	for (i = 0; i < r->clusters; i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
				      i ? ", " : "", r->cluster[i]);
	snprintf(why, sizeof(why),
		 "jobs of several clusters (%s): choose one by --cluster NAME",
		 names);
	return fail_all(r, why);
}

static int by_name(const void *x, const void *y)
{
	const struct sacct_job *a = x, *b = y;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->swf.line > b->swf.line) - (a->swf.line < b->swf.line);
}

/* A job is in the file of each month in which it ran. */
static void leave_repeated(struct sacct *s)
{
	struct sacct_job *j = s->job, *last = j;
	size_t i;

	qsort(s->job, s->jobs, sizeof(*s->job), by_name);
	for (i = 1; i < s->jobs; i++) {
		if (j[i].name == last->name && j[i].start == last->start &&
		    j[i].swf.submit == last->swf.submit &&
		    j[i].swf.run == last->swf.run &&
		    j[i].swf.procs == last->swf.procs)
			s->noted[SACCT_TWICE]++;
		else
			*++last = j[i];
	}
	s->jobs = (size_t)(last - j) + 1;
}

static int parse_all(struct reader *r)
{
	struct sacct *s = r->s;
	struct csv_field line;
	size_t i;

	if (read_first(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (add_line(r, line))
			return -1;
	if (r->csv.lines->error || check_clusters(r))
		return -1;
	if (!s->jobs)
		return fail_none(r);
	if (r->headers > 1)
		leave_repeated(s);
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
	csv_close(&r.csv);
	free(r.resized);
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
