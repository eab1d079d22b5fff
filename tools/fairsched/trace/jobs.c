/* SPDX-License-Identifier: MIT OR Unlicense */
#include "jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "plan.h"
#include "tools/fairsched/base/text.h"

#define LATEST (INT64_C(1) << 40) /* as in a trace */
#define LONGEST (INT64_C(1) << 34)
#define HEADINGS 512

enum column {
	ID,
	SUBMIT,
	START,
	WALLTIME,
	RUN,
	PROCS,
	USER,
	ACCOUNT,
	PARTITION,
	CLASSES,
	QOS,
	NODES,
	CHUNKS,
	PER_NODE,
	EXCLUSIVE,
	COLUMNS /* and more: COLUMNS + a name of asks */
};

static const char *const column_name[COLUMNS] = {
	"job_id", "submit", "start",   "walltime",  "run",
	"procs",  "user",   "account", "partition", "classes",
	"qos",	  "nodes",   "chunks",	"per_node",  "exclusive"
};

/* What other programs call them; some they write are of no use here. */
#define OF_NO_USE (COLUMNS + ASKS_NAMES)
static const struct csv_title title[] = {
	{ "job_id", ID },
	{ "id", ID },
	{ "jobid", ID },
	{ "job", ID },
	{ "job_number", ID },
	{ "submit", SUBMIT },
	{ "submit_time", SUBMIT },
	{ "submission_time", SUBMIT },
	{ "subtime", SUBMIT },
	{ "arrival", SUBMIT },
	{ "arrival_time", SUBMIT },
	{ "start", START },
	{ "start_time", START },
	{ "starting_time", START },
	{ "walltime", WALLTIME },
	{ "requested_time", WALLTIME },
	{ "request_time", WALLTIME },
	{ "req_time", WALLTIME },
	{ "time_limit", WALLTIME },
	{ "timelimit", WALLTIME },
	{ "run", RUN },
	{ "run_time", RUN },
	{ "runtime", RUN },
	{ "execution_time", RUN },
	{ "duration", RUN },
	{ "elapsed", RUN },
	{ "procs", PROCS },
	{ "cpus", PROCS },
	{ "cores", PROCS },
	{ "processors", PROCS },
	{ "num_procs", PROCS },
	{ "ncpus", PROCS },
	{ "alloccpus", PROCS },
	{ "allocated_processors", PROCS },
	{ "requested_number_of_resources", PROCS },
	{ "user", USER },
	{ "user_id", USER },
	{ "uid", USER },
	{ "account", ACCOUNT },
	{ "group", ACCOUNT },
	{ "group_id", ACCOUNT },
	{ "partition", PARTITION },
	{ "queue", PARTITION },
	{ "classes", CLASSES },
	{ "qos", QOS },
	{ "nodes", NODES },
	{ "chunks", CHUNKS },
	{ "per_node", PER_NODE },
	{ "exclusive", EXCLUSIVE },
	{ "workload_name", OF_NO_USE },
	{ "profile", OF_NO_USE },
	{ "success", OF_NO_USE },
	{ "final_state", OF_NO_USE },
	{ "finish_time", OF_NO_USE },
	{ "waiting_time", OF_NO_USE },
	{ "turnaround_time", OF_NO_USE },
	{ "stretch", OF_NO_USE },
	{ "allocated_resources", OF_NO_USE },
	{ "consumed_energy", OF_NO_USE },
	{ "metadata", OF_NO_USE },
	{ "promised_start", OF_NO_USE },
	{ "strict_fst", OF_NO_USE },
	{ "relaxed_fst", OF_NO_USE },
	{ "penalty", OF_NO_USE },
	{ "class", OF_NO_USE },
	{ "node_list", OF_NO_USE },
};
#define TITLES (sizeof(title) / sizeof(*title))

struct reader {
	struct sacct *s;
	const struct sacct_options *o;
	struct csv csv;
	unsigned int heading[HEADINGS]; /* enum column */
	size_t headings, cap;
	uint64_t seen;			/* bits of columns */
	struct csv_field field[COLUMNS + ASKS_NAMES + 1]; /* of this line */
	size_t rounded;	   /* times of this line */
	bool dated, timed; /* times were dates, or seconds */
	char later[256];   /* errors behind the first */
	bool failed;	   /* by more than a damaged line */
};

static int fail_all(struct reader *r, const char *why)
{
	snprintf(r->s->error, sizeof(r->s->error), "%s: %s", r->csv.name, why);
	r->failed = true;
	return -1;
}

static struct csv_field name_of(const struct reader *r, unsigned int c)
{
	return c < COLUMNS ? csv_column(column_name[c])
			   : r->s->asks.name[c - COLUMNS];
}

static int bad(struct reader *r, unsigned int c, const char *why)
{
	struct csv_field f = r->field[c];

	return csv_fail(&r->csv, name_of(r, c), "'%.*s' is %s", csv_shown(f),
			f.p ? f.p : "", why);
}

static bool has(const struct reader *r, enum column c)
{
	return r->seen >> c & 1;
}

/* ---- lines ---- */

static struct csv_field trimmed(const char *p, size_t bytes)
{
	struct csv_field f = { p, bytes }, line = f;

	csv_cut(&f, '\n', &line);
	return line;
}

/* A tab at either end may have an empty field beside it. */
static struct csv_field line_of(const struct reader *r, const char *p,
				size_t bytes)
{
	struct csv_field f = trimmed(p, bytes);

	if (!f.n || r->csv.mark != '\t')
		return f;
	bytes -= p[bytes - 1] == '\r';
	return (struct csv_field){ p, bytes };
}

/* "# MaxProcs: 16" */
static int read_comment(struct reader *r, struct csv_field line)
{
	static const char *const key[] = { "MaxProcs", "UnixStartTime" };
	const int64_t most[] = { INT32_MAX, LATEST };
	struct csv_field word = line;
	int64_t n = 0;
	int i;

	while (line.n && (*line.p == '#' || *line.p == ' '))
		line.p++, line.n--;
	csv_cut(&line, ':', &word);
	for (i = 0; i < 2 && !csv_is(word, key[i]); i++)
		;
	if (i == 2 || !line.p)
		return 0;
	line = trimmed(line.p, line.n);
	if (!csv_digits(&line, most[i], &n) || line.n || (!i && !n))
		return csv_fail(&r->csv, csv_column(key[i]), "not a number");
	if (i)
		r->s->unix_start = n;
	else
		r->s->procs = n;
	return 0;
}

/* The next line that says something; a comment above the header may. */
static int next_line(struct reader *r, struct csv_field *line)
{
	const char *p;
	size_t n;

	while (lines_next(r->csv.lines, &p, &n)) {
		*line = line_of(r, p, n);
		r->csv.line++;
		if (line->n && *line->p != '#')
			return 1;
		if (line->n && !r->headings && read_comment(r, *line))
			return -1;
	}
	return 0;
}

/* ---- the header line ---- */

static unsigned int known_column(struct csv_field f)
{
	return csv_title(title, TITLES, f, COLUMNS);
}

/* A Standard Workload Format has numbers with blanks between, and node lists
 * with commas behind them. */
bool jobs_begin(const char *line, size_t bytes)
{
	struct csv_field f = trimmed(line, bytes), first = f;
	bool has_comma = f.n && memchr(f.p, ',', f.n);
	bool has_tab = f.n && memchr(f.p, '\t', f.n);

	if (!f.n || *f.p == ';')
		return false;
	csv_cut(&f, ',', &first);
	return *line == '#' ||
	       (has_comma && !memchr(first.p, ' ', first.n) &&
		!memchr(first.p, '\t', first.n)) ||
	       (has_tab && first.n && !strchr("+-.0123456789", *first.p));
}

/* A column of an unknown name is a resource. */
static int resource(struct reader *r, struct csv_field f, unsigned int *c)
{
	int i = asks_name(&r->s->asks, f);

	if (i == -2)
		return fail_all(r, "out of memory");
	if (i < 0)
		return csv_fail(&r->csv, csv_column(NULL),
				"more than %d resources", ASKS_NAMES);
	*c = (unsigned int)(COLUMNS + i);
	return 0;
}

static int add_heading(struct reader *r, struct csv_field f)
{
	unsigned int c = known_column(f);
	size_t i;

	if (r->headings == HEADINGS)
		return csv_fail(&r->csv, csv_column(NULL), "too many columns");
	if (!f.n)
		return csv_fail(&r->csv, csv_column(NULL),
				"column %zu has no name", r->headings + 1);
	if (c == COLUMNS && resource(r, f, &c))
		return -1;
	for (i = 0; i < r->headings; i++)
		if (r->heading[i] == c && c != OF_NO_USE)
			return csv_fail(&r->csv, csv_column(NULL),
					"column %.*s appears twice",
					csv_shown(f), f.p);
	if (c < COLUMNS)
		r->seen |= UINT64_C(1) << c;
	r->heading[r->headings++] = c;
	return 0;
}

static int check_columns(struct reader *r, struct csv_field header)
{
	static const enum column must[] = { SUBMIT, RUN, PROCS };
	const char *missing[3];
	size_t i, n = 0;

	for (i = 0; i < sizeof(must) / sizeof(*must); i++)
		if (!has(r, must[i]))
			missing[n++] = column_name[must[i]];
	return n ? csv_missing(&r->csv, missing, n, header) : 0;
}

static int read_header(struct reader *r)
{
	struct csv_field line, header, f;
	int found = next_line(r, &line);

	if (found < 0 || r->csv.lines->error)
		return -1;
	if (!found)
		return csv_fail(&r->csv, csv_column(NULL),
				"the header line is missing");
	header = line;
	r->s->asks.line = r->csv.line;
	r->csv.mark = memchr(line.p, ',', line.n) ? ',' : csv_mark(line.p, line.n);
	if (csv_begin(&r->csv, line))
		return -1;
	while ((found = csv_field(&r->csv, &line, &f)) > 0)
		if (add_heading(r, f))
			return -1;
	if (found || check_columns(r, header))
		return -1;
	r->s->asks.has_qos = has(r, QOS);
	return 0;
}

/* ---- fields ---- */

static int cut_line(struct reader *r, struct csv_field line)
{
	int found = csv_begin(&r->csv, line);
	struct csv_field f;
	size_t i;

	if (found)
		return -1;
	for (i = 0; (found = csv_field(&r->csv, &line, &f)) > 0; i++)
		if (i < r->headings)
			r->field[r->heading[i]] = f;
	if (found)
		return -1;
	if (i == r->headings)
		return 0;
	return csv_fail(&r->csv, csv_column(NULL), "%zu fields instead of %zu",
			i, r->headings);
}

/* An integer, or a fraction, which is rounded. */
static bool read_number(struct reader *r, struct csv_field f, int64_t *n)
{
	bool rounded;

	if (!f.n || !swf_number(f.p, f.n, n, &rounded))
		return false;
	r->rounded += rounded;
	return true;
}

/* Without a fraction but .0. */
static bool read_integer(struct csv_field f, int64_t most, int64_t *n)
{
	bool rounded;

	return f.n && *f.p >= '0' && *f.p <= '9' &&
	       swf_number(f.p, f.n, n, &rounded) && !rounded && *n <= most;
}

/* Seconds, 1h30m or 1:30:00; -1 if it is empty. */
static int read_duration(struct reader *r, enum column c, int64_t *seconds)
{
	struct csv_field f = r->field[c];
	char text[32];
	bool good;

	*seconds = -1;
	if (!f.n)
		return 0;
	snprintf(text, sizeof(text), "%.*s", csv_shown(f), f.p);
	if (memchr(f.p, ':', f.n))
		good = sacct_clock(f, seconds);
	else
		good = (f.n < sizeof(text) && units_seconds(text, seconds)) ||
		       read_number(r, f, seconds);
	if (good && *seconds >= 0 && *seconds <= LONGEST)
		return 0;
	return bad(r, c, "not a duration, such as 3600, 1h or 1:00:00");
}

static bool read_seconds(struct reader *r, struct csv_field f,
			 struct when *when)
{
	memset(when, 0, sizeof(*when));
	return read_number(r, f, &when->at);
}

/* @missing if it is empty. */
static int read_time(struct reader *r, enum column c, int64_t missing,
		     int64_t *time)
{
	struct csv_field f = r->field[c];
	struct when when;
	char text[32];

	*time = missing;
	if (!f.n)
		return 0;
	snprintf(text, sizeof(text), "%.*s", csv_shown(f), f.p);
	if ((f.n >= sizeof(text) || !units_when(text, &when)) &&
	    !read_seconds(r, f, &when))
		return bad(r, c, "not a time, such as 3600 or "
				 "2023-11-14T22:13:20");
	if (when.at > LATEST || when.at < -LATEST)
		return bad(r, c, "not a time, such as 3600 or "
				 "2023-11-14T22:13:20");
	if (when.dated && when.at < 0)
		return bad(r, c, "a date before 1970");
	if (when.dated ? r->timed : r->dated)
		return bad(r, c, when.dated ? "a date, unlike those above"
					    : "no date, unlike those above");
	r->dated |= when.dated;
	r->timed |= !when.dated;
	*time = when.at;
	return 0;
}

static int read_times(struct reader *r, struct sacct_job *job)
{
	struct swf_job *j = &job->swf;

	if (!r->field[SUBMIT].n)
		return bad(r, SUBMIT, "missing");
	if (read_time(r, SUBMIT, 0, &j->submit) ||
	    read_time(r, START, j->submit - 1, &job->start) ||
	    read_duration(r, RUN, &j->run) ||
	    read_duration(r, WALLTIME, &j->request))
		return -1;
	if (j->run < 0)
		return bad(r, RUN, "missing");
	if (r->field[START].n && job->start < j->submit)
		return bad(r, START, "before the job was submitted");
	return 0;
}

/* A count, 0 if it is empty or missing. */
static int read_count(struct reader *r, enum column c, int32_t *count)
{
	int64_t n = 0;

	*count = 0;
	if (r->field[c].n && !read_integer(r->field[c], INT32_MAX, &n))
		return bad(r, c, "not a number of chunks");
	*count = (int32_t)n;
	return 0;
}

/* Distinct nodes, or chunks that may share one, into which amounts divide. */
static int read_nodes(struct reader *r, const struct swf_job *j)
{
	int32_t nodes, exclusive;
	struct ask_nodes n = { 0 };

	if (read_count(r, NODES, &nodes) || read_count(r, CHUNKS, &n.chunks) ||
	    read_count(r, PER_NODE, &n.per_node) ||
	    read_count(r, EXCLUSIVE, &exclusive))
		return -1;
	if (nodes && n.chunks)
		return bad(r, CHUNKS, "given beside nodes: give one of them");
	if (exclusive > 1)
		return bad(r, EXCLUSIVE, "neither 0 nor 1");
	n.exclusive = exclusive;
	if (nodes)
		n.chunks = nodes;
	if (nodes && !n.per_node)
		n.per_node = 1;
	if (n.chunks && j->procs % n.chunks)
		return bad(r, nodes ? NODES : CHUNKS,
			   "no number into which the job's processors divide");
	asks_nodes(&r->s->asks, n);
	return 0;
}

/* Amounts of resources; the memory of a processor is a field of a trace. */
static int read_asks(struct reader *r, struct swf_job *j)
{
	struct asks *asks = &r->s->asks;
	struct csv_field f;
	int64_t amount, kb;
	size_t i;

	asks_undo(asks);
	for (i = 0; i < asks->names; i++) {
		f = r->field[COLUMNS + i];
		if (!f.n)
			continue;
		if (!machine_amount(f.p, f.n, &amount))
			return bad(r, (unsigned int)(COLUMNS + i),
				   "not an amount, such as 2 or 16G");
		if (!amount)
			continue;
		if (asks_add(asks, (int)i, amount))
			return fail_all(r, "out of memory");
		if (!plan_is_memory(asks->name[i]))
			continue;
		kb = amount / 1024 + !!(amount % 1024);
		j->requested_memory = kb / j->procs + !!(kb % j->procs);
	}
	if (read_nodes(r, j))
		return -1;
	if (asks_classes(asks, r->field[CLASSES]) ||
	    asks_qos(asks, r->field[QOS]) || asks_end(asks, &j->ask))
		return fail_all(r, "out of memory");
	return 0;
}

static int read_names(struct reader *r, struct swf_job *j)
{
	j->user_id = sacct_number(r->s, SACCT_USER, r->field[USER]);
	j->group = sacct_number(r->s, SACCT_ACCOUNT, r->field[ACCOUNT]);
	j->queue = sacct_number(r->s, SACCT_PARTITION, r->field[PARTITION]);
	if (j->user_id == -2 || j->group == -2 || j->queue == -2)
		return fail_all(r, "out of memory");
	return 0;
}

/* Batsim writes w0!12. */
static struct csv_field of_workload(struct csv_field f)
{
	const char *mark = f.n ? memchr(f.p, '!', f.n) : NULL;

	if (mark) {
		f.n -= (size_t)(mark + 1 - f.p);
		f.p = mark + 1;
	}
	return f;
}

static int read_job(struct reader *r, struct sacct_job *job)
{
	struct csv_field id = of_workload(r->field[ID]);
	struct swf_job *j = &job->swf;
	int64_t procs;

	memset(job, 0, sizeof(*job));
	r->rounded = 0;
	j->cpu_time = j->used_memory = j->executable = j->partition = -1;
	j->preceding = j->think = j->status = j->requested_memory = -1;
	j->line = (unsigned long)r->csv.line;
	j->id = (int64_t)r->s->records;
	if (id.n && !read_integer(id, INT64_C(999999999999999999), &j->id))
		return bad(r, ID, "not a job number");
	if (!read_integer(r->field[PROCS], INT32_MAX, &procs) || !procs)
		return bad(r, PROCS, "not a number of processors");
	j->procs = (int32_t)procs;
	j->requested_procs = procs;
	if (read_times(r, job) || read_asks(r, j) || read_names(r, j))
		return -1;
	return 0;
}

/* ---- all of them ---- */

/* Returns 0, also for a line that was counted and skipped. */
static int add_line(struct reader *r, struct csv_field line)
{
	struct sacct *s = r->s;
	size_t cap = r->cap ? 2 * r->cap : 4096;
	struct sacct_job *more;

	if (s->jobs == r->cap) {
		more = realloc(s->job, cap * sizeof(*more));
		if (!more)
			return fail_all(r, "out of memory");
		s->job = more;
		r->cap = cap;
	}
	s->records++;
	if (!cut_line(r, line) && !read_job(r, &s->job[s->jobs])) {
		s->jobs++;
		s->noted[SACCT_ROUNDED] += r->rounded;
		return 0;
	}
	if (!r->o->lenient || r->failed)
		return -1;
	s->damaged++;
	r->csv.error = r->later;
	r->csv.room = sizeof(r->later);
	return 0;
}

/* The number that a name is, written as a number is; -1: it is none. */
static int64_t as_number(const struct sacct_name *name)
{
	struct csv_field f = { name->p, name->n };
	int64_t n = 0;

	if (name->n > 18 || (name->n > 1 && *name->p == '0') ||
	    !csv_digits(&f, INT64_MAX, &n) || f.n)
		return -1;
	return n;
}

static void set_numbers(struct sacct *s, enum sacct_kind kind,
			const int64_t *number)
{
	struct swf_job *j;
	int64_t *id;
	size_t i;

	for (i = 0; i < s->jobs; i++) {
		j = &s->job[i].swf;
		id = kind == SACCT_USER	     ? &j->user_id
		     : kind == SACCT_ACCOUNT ? &j->group
					     : &j->queue;
		if (*id > 0)
			*id = number[*id];
		if (kind == SACCT_PARTITION)
			j->partition = *id;
	}
}

/* If all names of a kind are numbers, they are meant. */
static int use_numbers(struct reader *r, enum sacct_kind kind)
{
	struct sacct *s = r->s;
	int64_t *number = malloc((s->names + 1) * sizeof(*number)), n;
	size_t i, kept = 0;

	if (!number)
		return fail_all(r, "out of memory");
	for (i = 0; i < s->names; i++) {
		n = as_number(&s->name[i]);
		if (s->name[i].kind == kind && n < 0)
			break;
		if (s->name[i].kind == kind)
			number[s->name[i].number] = n;
	}
	if (i == s->names) {
		set_numbers(s, kind, number);
		for (i = 0; i < s->names; i++) {
			if (s->name[i].kind == kind)
				free(s->name[i].p);
			else
				s->name[kept++] = s->name[i];
		}
		s->names = kept;
	}
	free(number);
	return 0;
}

/* Dates become seconds since the first submit. */
static void use_dates(struct reader *r)
{
	struct sacct *s = r->s;
	int64_t first = INT64_MAX;
	size_t i;

	for (i = 0; i < s->jobs; i++)
		if (s->job[i].swf.submit < first)
			first = s->job[i].swf.submit;
	for (i = 0; r->dated && i < s->jobs; i++) {
		s->job[i].swf.submit -= first;
		s->job[i].start -= first;
	}
	if (r->dated)
		s->unix_start = first;
}

static int parse_all(struct reader *r)
{
	struct csv_field line;
	int kind, found;

	if (read_header(r))
		return -1;
	while ((found = next_line(r, &line)) > 0)
		if (add_line(r, line))
			return -1;
	if (found < 0 || r->csv.lines->error)
		return -1;
	if (!r->s->jobs)
		return r->s->damaged ? -1 : fail_all(r, "has no jobs");
	for (kind = 0; kind < SACCT_KINDS; kind++)
		if (use_numbers(r, (enum sacct_kind)kind))
			return -1;
	use_dates(r);
	return 0;
}

int jobs_from(struct sacct *s, const char *name, struct lines *l,
	      const struct sacct_options *o)
{
	struct reader r = { 0 };
	int error;

	memset(s, 0, sizeof(*s));
	s->unix_start = INT64_MIN;
	s->asks.exact = true;
	r.s = s;
	r.o = o;
	csv_read(&r.csv, name, l, s->error, sizeof(s->error));
	error = parse_all(&r);
	if (l->error)
		fail_all(&r, l->error);
	csv_close(&r.csv);
	if (error)
		sacct_free(s);
	return error;
}

int jobs_parse(struct sacct *s, const char *name, const char *text,
	       size_t bytes, const struct sacct_options *o)
{
	struct lines l;

	lines_of(&l, text, bytes);
	return jobs_from(s, name, &l, o);
}

/* ---- writing ---- */

/* The names of a kind by number; false without memory. */
static bool list_names(const struct sacct *s, enum sacct_kind kind,
		       const struct sacct_name ***list)
{
	size_t i;

	*list = calloc((size_t)s->last[kind] + 1, sizeof(**list));
	for (i = 0; *list && i < s->names; i++)
		if (s->name[i].kind == kind)
			(*list)[s->name[i].number] = &s->name[i];
	return *list != NULL;
}

static void write_name(const struct sacct *s, enum sacct_kind kind,
		       const struct sacct_name *const *list, int64_t number,
		       FILE *f)
{
	const struct sacct_name *name =
		number >= 0 && number <= s->last[kind] ? list[number] : NULL;

	putc(',', f);
	if (name)
		text_csv(f, name->p, name->n);
	else if (number >= 0)
		fprintf(f, "%" PRId64, number);
}

/* The nodes only if the processors divide among them, as a jobs CSV has it. */
static void write_asks(const struct asks *a, uint32_t row, int32_t procs,
		       FILE *f)
{
	struct csv_field classes = asks_of_classes(a, row);
	int32_t nodes = asks_of_nodes(a, row).chunks;
	int64_t amount;
	size_t k;
	uint32_t i;

	for (i = 0; i < a->names; i++) {
		amount = 0;
		for (k = row ? a->row[row - 1].first : 0;
		     row && k < a->row[row - 1].end; k++)
			if (a->ask[k].name == i)
				amount = a->ask[k].amount;
		putc(',', f);
		if (amount)
			fprintf(f, "%" PRId64, amount);
	}
	if (a->has_nodes)
		putc(',', f);
	if (nodes && procs % nodes == 0)
		fprintf(f, "%" PRId32, nodes);
	putc(',', f);
	text_csv(f, classes.p ? classes.p : "", classes.n);
}

static void write_header(const struct sacct *s, int64_t procs, FILE *f)
{
	uint32_t i;

	if (procs)
		fprintf(f, "# MaxProcs: %" PRId64 "\n", procs);
	if (s->unix_start != INT64_MIN)
		fprintf(f, "# UnixStartTime: %" PRId64 "\n", s->unix_start);
	fputs("job_id,submit,start,walltime,run,procs", f);
	for (i = 0; i < s->asks.names; i++) {
		putc(',', f);
		text_csv(f, s->asks.name[i].p, s->asks.name[i].n);
	}
	fputs(s->asks.has_nodes ? ",nodes" : "", f);
	fputs(",classes,user,account,partition", f);
	fputs(s->asks.has_qos ? ",qos\n" : "\n", f);
}

static void write_job(const struct sacct *s,
		      const struct sacct_name **const *list,
		      const struct sacct_job *job, FILE *f)
{
	const struct swf_job *j = &job->swf;
	struct csv_field qos = asks_of_qos(&s->asks, j->ask);

	fprintf(f, "%" PRId64 ",%" PRId64 ",", j->id, j->submit);
	if (job->start >= j->submit)
		fprintf(f, "%" PRId64, job->start);
	putc(',', f);
	if (j->request >= 0)
		fprintf(f, "%" PRId64, j->request);
	fprintf(f, ",%" PRId64 ",%" PRId32, j->run, j->procs);
	write_asks(&s->asks, j->ask, j->procs, f);
	write_name(s, SACCT_USER, list[SACCT_USER], j->user_id, f);
	write_name(s, SACCT_ACCOUNT, list[SACCT_ACCOUNT], j->group, f);
	write_name(s, SACCT_PARTITION, list[SACCT_PARTITION], j->queue, f);
	if (s->asks.has_qos)
		putc(',', f);
	if (qos.n)
		text_csv(f, qos.p, qos.n);
	putc('\n', f);
}

int jobs_write(const struct sacct *s, int64_t procs, FILE *f)
{
	const struct sacct_name **list[SACCT_KINDS] = { NULL };
	bool found = true;
	int kind;
	size_t i;

	for (kind = 0; kind < SACCT_KINDS; kind++)
		found &= list_names(s, (enum sacct_kind)kind, &list[kind]);
	if (found)
		write_header(s, procs, f);
	for (i = 0; found && i < s->jobs; i++)
		write_job(s, list, &s->job[i], f);
	for (kind = 0; kind < SACCT_KINDS; kind++)
		free(list[kind]);
	return found ? 0 : -1;
}
