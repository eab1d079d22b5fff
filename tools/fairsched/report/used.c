/* SPDX-License-Identifier: MIT OR Unlicense */
#include "used.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "fairsched.h"
#include "policies/fairtree.h"
#include "policies/penalty.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/jobs.h"
#include "tools/fairsched/trace/trace.h"

#define MOST_MONTHS 12000
#define MOST_CELLS 4194304 /* months times accounts and users */
#define FRACTION 18446744073709551616.0 /* 2^64 */

const char *const used_resource_text[USED_RESOURCES] = { "processors",
							 "memory", "gpus" };

/* ---- jobs ---- */

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earliest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct csv_field user_name(const struct used *u, enum sacct_kind kind,
				  int64_t number, char *text, size_t room)
{
	struct csv_field f = names_of(&u->names, kind, number);

	if (f.n)
		return f;
	if (number >= 0)
		snprintf(text, room, "%" PRId64, number);
	else
		snprintf(text, room, "%s", kind == SACCT_USER ? "unknown" : "");
	return csv_column(text);
}

/* Of a job; more than fits is too much for a ledger, too. */
static int64_t megabytes(int64_t kb, int64_t procs)
{
	if (kb > (INT64_MAX - 1023) / procs)
		return INT64_MAX;
	return kb > 0 ? (kb * procs + 1023) / 1024 : 0;
}

/* GPUs of any type: gres/gpu, or where that is missing all gres/gpu:TYPE. */
static int64_t gpus(const struct asks *a, uint32_t row)
{
	int64_t all = 0, typed = 0;
	size_t i;

	for (i = row ? a->row[row - 1].first : 0;
	     row && i < a->row[row - 1].end; i++) {
		struct csv_field name = a->name[a->ask[i].name];

		if (csv_is(name, "gres/gpu"))
			all = a->ask[i].amount;
		else if (name.n > 9 && !memcmp(name.p, "gres/gpu:", 9))
			typed += a->ask[i].amount;
	}
	return all ? all : typed;
}

/* NULL without memory. */
static struct used_job *add_job(struct used *u, const struct swf_job *j,
				int64_t start, int64_t kb,
				const struct asks *asks)
{
	size_t cap = u->cap ? 2 * u->cap : 4096;
	char user[32], account[32];
	struct used_job *job = u->job;

	if (u->jobs == u->cap) {
		job = realloc(u->job, cap * sizeof(*job));
		if (!job)
			return NULL;
		u->job = job;
		u->cap = cap;
	}
	job += u->jobs++;
	job->start = start;
	job->end = start + j->run;
	job->pause = 0;
	job->rate[USED_PROCESSORS] = j->procs;
	job->rate[USED_MEMORY] = megabytes(kb, j->procs);
	job->rate[USED_GPUS] = gpus(asks, j->ask);
	u->has[USED_PROCESSORS] = true;
	u->has[USED_MEMORY] |= kb > 0;
	u->has[USED_GPUS] |= job->rate[USED_GPUS] > 0;
	job->user = tree_user(&u->tree,
			      user_name(u, SACCT_ACCOUNT, j->group, account,
					sizeof(account)),
			      user_name(u, SACCT_USER, j->user_id, user,
					sizeof(user)));
	return job->user != TREE_NONE ? job : NULL;
}

/* Logs are either all dated, or all in seconds of their own. */
static int check_dates(struct used *u, const char *path, int64_t epoch)
{
	bool dated = epoch != INT64_MIN;

	if (u->is_log && dated != u->is_dated)
		return input_error("%s: %s UnixStartTime, unlike the first",
				   path, dated ? "has a" : "has no");
	u->is_log = true;
	u->is_dated = dated;
	return 0;
}

static void tell(const char *path, const char *before, size_t n,
		 const char *what)
{
	if (!n)
		return;
	text_show(stderr, path);
	fprintf(stderr, ": %s%zu %s\n", before, n, what);
}

static void tell_damaged(const char *path, size_t n, const char *first)
{
	if (!n)
		return;
	text_show(stderr, path);
	fprintf(stderr, ": damaged: %zu line%s, the first is ", n,
		n == 1 ? "" : "s");
	text_show(stderr, first);
	putc('\n', stderr);
}

static void tell_without_wait(const char *path, size_t n)
{
	tell(path, "", n,
	     n == 1 ? "job without a wait counts as started when it "
		      "was submitted"
		    : "jobs without a wait count as started when they "
		      "were submitted");
}

static int add_trace(struct used *u, const char *path, const struct swf *t)
{
	int64_t epoch = t->unix_start == INT64_MIN ? 0 : t->unix_start, wait;
	size_t i, unknown = 0;
	int status = check_dates(u, path, t->unix_start);

	for (i = 0; i < t->jobs && !status; i++) {
		wait = t->job[i].wait;
		unknown += wait < 0;
		if (!add_job(u, &t->job[i],
			     epoch + t->job[i].submit +
				     earliest(latest(wait, 0), UNITS_LARGEST),
			     swf_memory_kb(t, &t->job[i]), &t->asks))
			status = run_error("out of memory");
	}
	for (i = 0; i < SWF_REASONS; i++)
		tell(path, "dropped: ", t->dropped[i], swf_reason_text[i]);
	tell(path, "jobs: ", t->noted[SWF_ODD_STATUS],
	     swf_note_text[SWF_ODD_STATUS]);
	tell_damaged(path, t->damaged, t->error);
	tell_without_wait(path, unknown);
	return status;
}

static int read_trace(struct used *u, const char *path, const char *text,
		      size_t bytes)
{
	struct swf_options o = { 0 };
	struct swf t;
	int status;

	o.or_procs = INT32_MAX;
	o.lenient = u->lenient;
	if (text ? swf_parse(&t, path, text, bytes, &o)
		 : swf_read(&t, path, &o))
		return input_error("%s", t.error);
	status = add_trace(u, path, &t);
	swf_free(&t);
	return status;
}

static int add_sacct(struct used *u, const char *path, struct sacct *s)
{
	struct names was = u->names;
	int status = check_dates(u, path, s->unix_start);
	int64_t epoch = s->unix_start == INT64_MIN ? 0 : s->unix_start;
	const struct sacct_job *j = s->job;
	struct used_job *job;
	size_t i, unknown = 0;
	char before[256];

	s->noted[SACCT_REQUEUED] = 0;
	names_take(&u->names, s);
	for (i = 0; i < s->jobs && !status; i++, j++) {
		unknown += j->start < j->swf.submit;
		job = add_job(u, &j->swf,
			      epoch + latest(j->start, j->swf.submit),
			      j->swf.requested_memory, &s->asks);
		if (!job) {
			status = run_error("out of memory");
			break;
		}
		job->pause = j->suspended;
	}
	tell_without_wait(path, unknown);
	names_free(&u->names);
	u->names = was;
	snprintf(before, sizeof(before), "%.250s: ", path);
	sacct_tell(s, before, stderr);
	sacct_tell_dropped(s, before, stderr);
	tell_damaged(path, s->damaged, s->error);
	return status;
}

/* Of sacct, or a jobs CSV. */
static int read_history(struct used *u, const char *path, const char *text,
			size_t bytes, bool is_jobs)
{
	struct sacct_options o = { 0 };
	struct lines l;
	struct sacct s;
	int status;

	o.used = true;
	o.lenient = u->lenient;
	o.columns = u->columns;
	o.cluster = u->cluster;
	if (text)
		lines_of(&l, text, bytes);
	else
		lines_open(&l, path);
	status = (is_jobs ? jobs_from : sacct_from)(&s, path, &l, &o);
	lines_close(&l);
	if (status)
		return input_error("%s", s.error);
	/* A jobs CSV and a trace may have other accounts than the tree. */
	u->tree.tells_gone = !is_jobs;
	status = add_sacct(u, path, &s);
	u->tree.tells_gone = false;
	sacct_free(&s);
	return status;
}

/* ---- ledgers ---- */

/* Sections of a scheduler's checkpoint that are ledgers of users, and how much
 * of one is a processor-second: of sched/ledger_relshare.h, policies/relshare.h and
 * policies/maui.h. */
static const struct {
	uint64_t section;
	double unit;
} ledgers[] = {
	{ 13, (double)FAIR_PENALTY_ONE },
	{ 12, 1 },
	{ 16, 1 },
};

static uint64_t word_at(const char *text, size_t bytes, size_t i)
{
	uint64_t word = 0;
	size_t k;

	for (k = 8; k-- > 0 && bytes >= 8 * i + 8;)
		word = word << 8 | (unsigned char)text[8 * i + k];
	return word;
}

#define LEDGER UINT64_C(0x6567617372696166)  /* "fairsage" */
#define SCHED UINT64_C(0x6574617473726166)   /* "farstate" */
#define SAVED UINT64_C(0x64657661736d6973)   /* "simsaved" */
#define SAVED_HEAD 8			     /* words */
#define SAVED_EVENT 3

/* The ledger in a scheduler's checkpoint; NULL: it has none. */
static const char *find_ledger(const char *text, size_t *bytes, double *unit)
{
	struct fair_checkpoint f;
	const unsigned char *at;
	size_t i;

	if (fair_checkpoint_read(&f, text, *bytes, word_at(text, *bytes, 1)))
		return NULL;
	for (i = 0; i < sizeof(ledgers) / sizeof(*ledgers); i++) {
		at = fair_checkpoint_find(&f, ledgers[i].section, bytes);
		*unit = ledgers[i].unit;
		if (at)
			return (const char *)at;
	}
	return NULL;
}

static bool make_cells(struct used *u)
{
	size_t cells = u->months * USED_RESOURCES;
	size_t nodes = (size_t)u->tree.nodes + 1;

	if (nodes == 1 || SIZE_MAX / sizeof(*u->sum) / cells < nodes)
		return false;
	u->sum = calloc(cells * nodes, sizeof(*u->sum));
	return u->sum;
}

/* ---- a tree in a checkpoint ---- */

#define TREE_SECTION 32 /* policies/fairtree.h */

static bool has_tree(const char *text, size_t bytes)
{
	struct fair_checkpoint f;

	return !fair_checkpoint_read(&f, text, bytes,
				     word_at(text, bytes, 1)) &&
	       fair_checkpoint_section(&f, TREE_SECTION, 0, 0);
}

/* Returns the memory of @f; NULL: the checkpoint is damaged, or out of memory. */
static void *load_tree(struct fair_fairtree *f, struct fair_config *config,
		       const char *text, size_t bytes)
{
	struct fair_checkpoint c;
	size_t size = 0;
	void *memory;

	if (!fair_sched_checkpoint_config(text, bytes, config, NULL) &&
	    !fair_checkpoint_read(&c, text, bytes, word_at(text, bytes, 1)) &&
	    fair_checkpoint_section(&c, TREE_SECTION, 0, 0) == config->users)
		size = fair_fairtree_size(config->users);
	memory = size ? malloc(size) : NULL;
	if (memory && !fair_fairtree_init(f, sizeof(*f), memory, size,
					  config->users, config->half_life))
		fair_fairtree_load(f, &c);
	else
		c.bad = true;
	if (!c.bad)
		return memory;
	free(memory);
	return NULL;
}

/* Adds the nodes in use, by their numbers in @f; @at: the same in u->tree. The
 * file of --tree names them: those after its nodes are told by their numbers. */
static int add_nodes(struct used *u, const char *path, uint32_t *at,
		     const struct fair_fairtree *f, uint32_t nodes)
{
	struct tree named = u->tree;
	struct fair_fairtree_info info;
	char text[32];
	uint32_t i;
	bool user;
	int status = 0;

	memset(&u->tree, 0, sizeof(u->tree));
	for (i = 0; i < nodes && !status; i++) {
		if (fair_fairtree_info_of(f, i, &info))
			continue;
		user = fair_fairtree_has_user(f, i);
		snprintf(text, sizeof(text), "%" PRIu32, i);
		at[i] = tree_add(&u->tree, user, TREE_ROOT,
				 csv_column(i < named.nodes
						    ? named.node[i].name
						    : text),
				 info.shares);
		if (at[i] == TREE_NONE)
			status = run_error("out of memory");
		else if (i < named.nodes &&
			 (named.node[i].is_user != user ||
			  named.node[i].parent != info.parent))
			status = input_error("%s: its tree is not that of "
					     "--tree: there is no such '%s'",
					     path, named.node[i].name);
	}
	tree_free(&named);
	return status;
}

/* Parents, usage and ranks of the nodes of a tree. */
static void take_nodes(struct used *u, const uint32_t *at,
		       struct fair_fairtree *f, const struct fair_config *c)
{
	double unit = (double)fair_sched_tree_unit(c);
	double *own = used_cell(u, 0, USED_PROCESSORS);
	struct fair_fairtree_info info;
	uint32_t i, n, parent, root = u->tree.nodes;

	fair_fairtree_sort(f);
	(void)fair_fairtree_info_of(f, FAIR_FAIRTREE_ROOT, &info);
	unit *= (double)info.unit;
	own[root] = (double)info.usage / unit;
	for (i = 0; i < c->users; i++) {
		if (fair_fairtree_info_of(f, i, &info))
			continue;
		n = at[i];
		parent = info.parent == FAIR_FAIRTREE_ROOT ? TREE_ROOT
							   : at[info.parent];
		u->tree.node[n].parent = parent;
		own[n] += (double)info.usage / unit;
		own[parent == TREE_ROOT ? root : parent] -=
			(double)info.usage / unit;
		if (fair_fairtree_has_user(f, i))
			u->rank[n] = fair_fairtree_rank(f, i);
	}
}

/* Its shares are its own. */
static int read_saved_tree(struct used *u, const char *path, const char *text,
			   size_t bytes)
{
	struct fair_config config;
	struct fair_fairtree f;
	void *memory = load_tree(&f, &config, text, bytes);
	uint32_t *at;
	int status;

	if (!memory)
		return input_error("%s: the tree is damaged", path);
	at = malloc(config.users * sizeof(*at));
	status = at ? add_nodes(u, path, at, &f, config.users)
		    : run_error("out of memory");
	u->months = 1;
	u->is_ledger = true;
	u->rank = calloc((size_t)u->tree.nodes + 1, sizeof(*u->rank));
	if (!status && !u->tree.nodes)
		status = input_error("%s: the tree is empty", path);
	if (!status && (!u->rank || !make_cells(u)))
		status = run_error("out of memory");
	if (!status)
		take_nodes(u, at, &f, &config);
	free(at);
	free(memory);
	return status;
}

/* ---- any ledger ---- */

/* Skips what simulate --save writes around the scheduler's checkpoint. */
static const char *unwrap(const char *text, size_t *bytes)
{
	uint64_t events = word_at(text, *bytes, 7), before;

	if (word_at(text, *bytes, 0) != SAVED)
		return text;
	before = 8 * (SAVED_HEAD + SAVED_EVENT * events);
	if (events > *bytes / 8 || before + 8 > *bytes) {
		*bytes = 0;
		return text;
	}
	*bytes -= (size_t)before + 8;
	return text + before;
}

static int merge_ledger(struct used *u, const char *path,
			const struct fair_usage *ledger, void *memory,
			double unit)
{
	int error = 0;

	if (!u->is_ledger) {
		u->ledger = *ledger;
		u->memory = memory;
		u->unit = unit;
		u->is_ledger = true;
		return 0;
	}
	error = u->unit != unit ? -FAIR_EINVAL
				: fair_usage_merge(&u->ledger, ledger);
	free(memory);
	if (error == -FAIR_ENOSPC)
		return input_error("%s: the first ledger has no room for its "
				   "source",
				   path);
	return error ? input_error("%s: its rule, its users or its changes do "
				   "not agree with the first ledger's",
				   path)
		     : 0;
}

static int read_ledger(struct used *u, const char *path, const char *text,
		       size_t bytes)
{
	struct fair_usage ledger;
	double unit = 1;
	void *memory;
	size_t room;

	text = unwrap(text, &bytes);
	if (u->rank || (u->is_ledger && has_tree(text, bytes)))
		return input_error("%s: a tree and its usage cannot be merged",
				   path);
	if (has_tree(text, bytes))
		return read_saved_tree(u, path, text, bytes);
	if (word_at(text, bytes, 0) != LEDGER)
		text = find_ledger(text, &bytes, &unit);
	if (!text)
		return input_error("%s: a checkpoint without a ledger of "
				   "users, or damaged",
				   path);
	room = fair_usage_load_size(text, bytes);
	memory = malloc(room ? room : 1);
	if (!memory)
		return run_error("out of memory");
	if (!room || fair_usage_load(&ledger, sizeof(ledger), memory, room,
				     text, bytes, NULL)) {
		free(memory);
		return input_error("%s: the ledger is damaged", path);
	}
	return merge_ledger(u, path, &ledger, memory, unit);
}

/* ---- any of them ---- */

#define PEEK ((size_t)4096)

/* What a file begins with; of stdin all, as it cannot be read twice. */
static int peek(const char *path, char **text, size_t *bytes, char *error,
		size_t room)
{
	const char *why = NULL;
	struct input *in;
	size_t at = 0, n = 0;
	char *first;

	if (!strcmp(path, "-"))
		return read_file(path, text, bytes, error, room);
	first = malloc(PEEK);
	in = first ? input_open(path, &why) : NULL;
	do {
		at += n;
		n = in && PEEK - at >= 3
			    ? input_read(in, first + at, PEEK - at, &why)
			    : 0;
	} while (n);
	input_close(in);
	if (first && !why) {
		*text = first;
		*bytes = at;
		return 0;
	}
	snprintf(error, room, "%s: %s", path, why ? why : "out of memory");
	free(first);
	return -1;
}

static enum trace_format format_of(const char *text, size_t bytes)
{
	struct lines l;

	lines_of(&l, text, bytes);
	return trace_format(&l);
}

static int read_known(struct used *u, const char *path, const char *text,
		      size_t bytes, bool all)
{
	uint64_t magic = word_at(text, bytes, 0);
	bool ledger = magic == LEDGER || magic == SCHED || magic == SAVED;
	enum trace_format format;
	char error[1024], *whole;
	int status;

	if (ledger ? u->is_log : u->is_ledger)
		return input_error("%s: a log and a ledger cannot be merged",
				   path);
	format = ledger	      ? TRACE_SWF
		 : u->columns ? TRACE_SACCT
			      : format_of(text, bytes);
	if (!ledger && format == TRACE_SWF)
		return read_trace(u, path, all ? text : NULL, bytes);
	if (!ledger)
		return read_history(u, path, all ? text : NULL, bytes,
				    format == TRACE_JOBS);
	if (all)
		return read_ledger(u, path, text, bytes);
	if (read_file(path, &whole, &bytes, error, sizeof(error)))
		return input_error("%s", error);
	status = read_ledger(u, path, whole, bytes);
	free(whole);
	return status;
}

int used_read(struct used *u, const char *path)
{
	bool all = !strcmp(path, "-");
	char error[1024], *text;
	size_t bytes;
	int status;

	if (peek(path, &text, &bytes, error, sizeof(error)))
		return input_error("%s", error);
	status = read_known(u, all ? "standard input" : path, text, bytes, all);
	free(text);
	return status;
}

/* ---- months ---- */

#define DAY 86400

/* Days from 1970-01-01 to the first of a month, 12 * year + month - 1. */
static int64_t month_begins(int64_t month)
{
	static const int before[] = { 0,   31,	59,  90,  120, 151,
				      181, 212, 243, 273, 304, 334 };
	int64_t year = month / 12, y = year - 1;
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return 365 * (year - 1970) + y / 4 - y / 100 + y / 400 - 477 +
	       before[month % 12] + (leap && month % 12 > 1);
}

static int64_t month_of(int64_t seconds)
{
	int64_t month = (seconds / DAY) * 12 / 366 + 1970 * 12 - 12;

	while (month_begins(month + 1) * DAY <= seconds)
		month++;
	return month;
}

static bool is_given(const struct when *when, const struct used *u,
		       const char *option, int *status)
{
	if (when->given && when->dated != u->is_dated && !*status)
		*status = input_error(
			u->is_dated ? "--%s: give a date: the logs are dated"
				    : "--%s: give seconds: the trace has no "
				      "UnixStartTime",
			option);
	return when->given;
}

/* The period of all, by its jobs or as it is asked for. */
static int find_period(struct used *u)
{
	int status = 0;
	size_t i;

	u->begin = INT64_MAX;
	u->end = INT64_MIN;
	for (i = 0; i < u->jobs; i++) {
		if (u->job[i].start < u->begin)
			u->begin = u->job[i].start;
		u->end = latest(u->end, u->job[i].end + u->job[i].pause);
	}
	if (is_given(&u->from, u, "from", &status))
		u->begin = u->from.at;
	if (is_given(&u->until, u, "until", &status))
		u->end = u->until.at;
	if (!status && u->begin > u->end)
		status = input_error("no job ran in this period");
	u->months = 1;
	if (status || !u->by_month)
		return status;
	if (!u->is_dated || u->begin < 0)
		return input_error("months are not known: the trace has no "
				   "UnixStartTime");
	u->month = month_of(u->begin);
	u->months = (size_t)(month_of(u->end - (u->end > u->begin)) -
			     u->month) + 1;
	if (u->months > MOST_MONTHS)
		return input_error("the logs are of more than %d months",
				   MOST_MONTHS);
	return u->months > MOST_CELLS / ((size_t)u->tree.nodes + 1)
		       ? input_error("--by month: the logs are of %zu months "
				     "and %" PRIu32 " accounts and users, more "
				     "than %d of both: take a part by --from "
				     "and --until",
				     u->months, u->tree.nodes, MOST_CELLS)
		       : 0;
}

/* ---- sums ---- */

static double reading(const struct fair_usage *ledger, uint32_t entity,
		      int64_t at)
{
	uint64_t whole = 0, fraction = 0;

	(void)fair_usage_at(ledger, entity, at, &whole, &fraction);
	return (double)whole + (double)fraction / FRACTION;
}

/* What of [*from, *until) a job had @resource. Returns false for nothing. */
static bool clip(const struct used *u, const struct used_job *j,
		 enum used_resource resource, int64_t *from, int64_t *until)
{
	bool paused = resource == USED_PROCESSORS && !u->as_sshare;

	*from = latest(*from, j->start);
	*until = earliest(*until, j->end + (paused ? 0 : j->pause));
	return *from < *until;
}

/* One cell: charges each job for its part of [from, until). */
static int sum_cell(struct used *u, struct fair_usage *ledger,
		    enum used_resource resource, int64_t from, int64_t until,
		    double *sum)
{
	const struct used_job *j;
	int64_t start, end;
	uint32_t n;
	size_t i;
	int error = 0;

	for (i = 0; i < u->jobs && !error; i++) {
		j = u->job + i;
		start = from;
		end = until;
		if (clip(u, j, resource, &start, &end))
			error = fair_usage_charge(ledger, j->user,
						  start - u->begin,
						  end - u->begin,
						  j->rate[resource]);
	}
	if (error)
		return run_error("the usage of all jobs is too large");
	for (n = 0; n < u->tree.nodes; n++)
		sum[n] = reading(ledger, n, u->end - u->begin);
	return 0;
}

static int make_ledger(const struct used *u, struct fair_usage *ledger,
		       void *memory, size_t bytes)
{
	return u->half_life
		       ? fair_usage_init_half_life(ledger, sizeof(*ledger),
						   memory, bytes, u->tree.nodes,
						   1, 1, u->half_life)
		       : fair_usage_init_windows(ledger, sizeof(*ledger),
						 memory, bytes, u->tree.nodes,
						 1, 1, 1, INT64_MAX, 0);
}

static int sum_cells(struct used *u, void *memory, size_t bytes)
{
	struct fair_usage ledger;
	int64_t from = u->begin, until = u->end;
	size_t month;
	int r, status = 0;

	for (month = 0; month < u->months && !status; month++) {
		if (u->by_month) {
			int64_t at = u->month + (int64_t)month;

			from = latest(u->begin, month_begins(at) * DAY);
			until = earliest(u->end, month_begins(at + 1) * DAY);
		}
		for (r = 0; r < USED_RESOURCES && !status; r++) {
			if (make_ledger(u, &ledger, memory, bytes))
				return run_error("out of memory");
			status = sum_cell(u, &ledger, (enum used_resource)r,
					  from, until,
					  used_cell(u, month,
						    (enum used_resource)r));
		}
	}
	return status;
}

static int sum_logs(struct used *u)
{
	size_t bytes;
	void *memory;
	int status = find_period(u);

	if (status)
		return status;
	bytes = fair_usage_size(u->tree.nodes, u->half_life ? 0 : 1, 1);
	memory = bytes ? malloc(bytes) : NULL;
	status = memory && make_cells(u) ? sum_cells(u, memory, bytes)
					 : run_error("out of memory");
	free(memory);
	return status;
}

/* The users of a ledger are numbers, or have the names of these. */
static int sum_ledger(struct used *u)
{
	uint32_t i, n = u->ledger.entities;
	uint32_t *user = malloc(n * sizeof(*user));
	char text[32];
	int status = 0;

	for (i = 0; user && i < n; i++) {
		user[i] = tree_user(&u->tree, csv_column(NULL),
				    user_name(u, SACCT_USER, i, text,
					      sizeof(text)));
		if (user[i] == TREE_NONE)
			break;
	}
	u->months = 1;
	if (!user || i < n || !make_cells(u))
		status = run_error("out of memory");
	for (i = 0; i < n && !status; i++)
		used_cell(u, 0, USED_PROCESSORS)[user[i]] +=
			reading(&u->ledger, i, u->ledger.latest) / u->unit;
	free(user);
	return status;
}

static int check_ledger(const struct used *u)
{
	if (u->by_month || u->from.given || u->until.given || u->half_life)
		return input_error("a ledger has no dates: --by month, --from, "
				   "--until and --half-life need logs");
	return 0;
}

int used_sum(struct used *u)
{
	int status = u->is_ledger ? check_ledger(u) : 0;

	if (!u->is_ledger && !u->jobs)
		status = input_error("no job is left");
	if (!status && !u->rank)
		status = u->is_ledger ? sum_ledger(u) : sum_logs(u);
	if (!status && u->tree.unlisted && u->tree.node[0].is_listed)
		fprintf(stderr,
			"%" PRIu32
			" accounts and users are not in the tree: %s\n",
			u->tree.unlisted,
			u->tree.gone ? "they are gone and have no share"
				     : "each has 1 share");
	return status;
}

/* ---- ranks ---- */

/* Without a half-life every user is charged for the same second, so that charges
 * are in proportion to usage. */
static int charge_tree(const struct used *u, struct fair_fairtree *f)
{
	const struct used_job *j;
	int64_t start, end;
	int error = 0;
	uint32_t n;
	size_t i;

	for (n = 0; n < u->tree.nodes && !u->half_life && !error; n++)
		if (u->tree.node[n].is_user)
			error = fair_fairtree_charge(
				f, n, 0, 1,
				(int64_t)used_cell(u, 0, USED_PROCESSORS)[n]);
	for (i = 0; i < u->jobs && u->half_life && !error; i++) {
		j = u->job + i;
		start = u->begin;
		end = u->end;
		if (clip(u, j, USED_PROCESSORS, &start, &end))
			error = fair_fairtree_charge(f, j->user,
						     start - u->begin,
						     end - u->begin,
						     j->rate[USED_PROCESSORS]);
	}
	return error;
}

/* Each account is first below the root, as its parent may come later. */
static int make_tree(const struct used *u, struct fair_fairtree *f)
{
	const struct tree_node *node = u->tree.node;
	uint32_t n;
	int error = 0;

	for (n = 0; n < u->tree.nodes && !error; n++)
		if (!node[n].is_user)
			error = fair_fairtree_add_account(
				f, n, FAIR_FAIRTREE_ROOT, 1);
	for (n = 0; n < u->tree.nodes && !error; n++)
		if (!node[n].is_user)
			error = fair_fairtree_move(f, n, node[n].parent);
	for (n = 0; n < u->tree.nodes && !error; n++)
		error = node[n].is_user
				? fair_fairtree_add_user(f, n, node[n].parent,
							 node[n].shares)
				: fair_fairtree_set_shares(f, n,
							   node[n].shares);
	if (!error)
		error = charge_tree(u, f);
	/* The accounts above them keep what they used. */
	for (n = u->tree.nodes; n-- > 0 && !error;)
		if (node[n].is_gone && node[n].is_user)
			error = fair_fairtree_remove(f, n);
	for (n = u->tree.nodes; n-- > 0 && !error;)
		if (node[n].is_gone && !node[n].is_user)
			error = fair_fairtree_remove(f, n);
	return error;
}

uint32_t *used_ranks(const struct used *u)
{
	size_t bytes = fair_fairtree_size(u->tree.nodes);
	void *memory = bytes ? malloc(bytes) : NULL;
	uint32_t *rank = calloc(u->tree.nodes, sizeof(*rank)), n;
	struct fair_fairtree f;
	int error = -FAIR_ENOMEM;

	if (rank && u->rank) {
		memcpy(rank, u->rank, u->tree.nodes * sizeof(*rank));
		free(memory);
		return rank;
	}
	if (memory && rank)
		error = fair_fairtree_init(
			&f, sizeof(f), memory, bytes, u->tree.nodes,
			u->half_life ? u->half_life : FAIR_USAGE_HALF_LIFE);
	if (!error)
		error = make_tree(u, &f);
	if (!error)
		fair_fairtree_sort(&f);
	for (n = 0; n < u->tree.nodes && !error; n++)
		if (u->tree.node[n].is_user && !u->tree.node[n].is_gone)
			rank[n] = fair_fairtree_rank(&f, n);
	free(memory);
	if (!error)
		return rank;
	free(rank);
	(void)run_error("%s", fair_strerror(error));
	return NULL;
}

void used_free(struct used *u)
{
	tree_free(&u->tree);
	names_free(&u->names);
	free(u->job);
	free(u->rank);
	free(u->sum);
	free(u->memory);
}
