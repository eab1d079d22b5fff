/* SPDX-License-Identifier: MIT OR Unlicense */
#include "page.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "by_class.h"
#include "columns.h"
#include "figures.h"
#include "html.h"
#include "page_assets.h"
#include "tables.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/names.h"

#define MARK "<meta name=\"generator\" content=\"fairsched"
#ifndef FAIRSCHED_COMMIT /* tools/build.sh says it */
#define FAIRSCHED_COMMIT "unknown"
#endif
#define PATH_ROOM 32 /* of the names of files in the folder */

/* ---- the folder ---- */

static char *path_of(const struct page *p, const char *name)
{
	size_t n = strlen(p->dir) + PATH_ROOM;
	char *path = malloc(n);

	if (path)
		snprintf(path, n, "%s/%s", p->dir, name);
	return path;
}

static bool is_unfinished(const char *name)
{
	const char *end = strstr(name, OUTPUT_NEW);

	return end && strlen(end) == sizeof(OUTPUT_NEW "XXXXXX") - 1;
}

/* What a run that was killed leaves: trace-1.js, index.html.new.XXXXXX */
static bool is_ours(const char *name)
{
	int n = 0;

	if (sscanf(name, "trace-%*u.js%n", &n) == 0 && n)
		return !name[n] || is_unfinished(name + n);
	return !strncmp(name, "index.html", 10) && is_unfinished(name + 10);
}

static bool has_others(DIR *dir)
{
	struct dirent *e;

	while ((e = readdir(dir)) != NULL)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    !is_ours(e->d_name))
			return true;
	return false;
}

/* Does it begin as the pages written here? */
static bool is_report(const struct page *p)
{
	char *path = path_of(p, "index.html"), head[512] = "";
	FILE *f = path ? fopen(path, "r") : NULL;
	size_t n = f ? fread(head, 1, sizeof(head) - 1, f) : 0;

	head[n] = '\0';
	if (f)
		fclose(f);
	free(path);
	return strstr(head, MARK) != NULL;
}

static int check_folder(struct page *p)
{
	DIR *dir = opendir(p->dir);
	bool others;

	if (!dir)
		return input_error("%s: %s", p->dir, strerror(errno));
	others = has_others(dir);
	closedir(dir);
	if (others && !is_report(p))
		return input_error(
			"%s: the folder is not empty and holds no report",
			p->dir);
	if (access(p->dir, W_OK | X_OK))
		return input_error("%s: %s", p->dir, strerror(errno));
	return 0;
}

int page_open(struct page *p, const char *dir, const struct report *report,
	      size_t traces, size_t policies)
{
	memset(p, 0, sizeof(*p));
	p->dir = dir;
	p->report = report;
	p->traces = traces;
	p->policies = policies;
	p->log = calloc(traces * policies, sizeof(*p->log));
	if (!p->log)
		return run_error("out of memory");
	return output_folder(dir) ? EXIT_FAILED : check_folder(p);
}

static void close_log(struct page_log *l)
{
	procset_free(&l->procset);
	users_close(&l->users);
}

void page_drop(struct page *p, size_t policy)
{
	size_t i, n = 0;

	for (i = 0; i < p->traces * p->policies; i++)
		if (i % p->policies == policy)
			close_log(&p->log[i]);
		else
			p->log[n++] = p->log[i];
	p->policies--;
}

/* Unfinished files of runs that were killed. */
static void remove_unfinished(const struct page *p)
{
	DIR *dir = opendir(p->dir);
	struct dirent *e;

	while (dir && (e = readdir(dir)) != NULL)
		if (is_ours(e->d_name) && is_unfinished(e->d_name))
			unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

/* Of a report with more traces that was here. */
static void remove_data(const struct page *p, size_t number)
{
	char name[PATH_ROOM], *path;
	int missing = 0;

	for (; !missing; number++) {
		snprintf(name, sizeof(name), "trace-%zu.js", number);
		path = path_of(p, name);
		missing = path ? unlink(path) : -1;
		free(path);
	}
}

void page_close(struct page *p, bool written)
{
	size_t i;

	for (i = 0; p->log && i < p->traces * p->policies; i++)
		close_log(&p->log[i]);
	free(p->log);
	if (!p->dir || !written)
		return;
	remove_data(p, p->traces + 1);
	remove_unfinished(p);
}

/* ---- schedules and users of each report ---- */

static void on_arrival(void *log, size_t number, int64_t now)
{
	struct page_log *l = log;

	users_arrive(&l->users, number, now);
}

static void on_start(void *log, size_t number, int64_t now)
{
	struct page_log *l = log;

	report_take(l->report, number, l->place, &l->procset);
	users_start(&l->users, number, now);
}

static void on_finish(void *log, size_t number, int64_t now)
{
	struct page_log *l = log;

	procset_give(&l->procset, number);
	users_finish(&l->users, number, now);
}

int page_watch(struct page *p, const struct report *r,
	       const struct shares *shares, struct sim_watch *watch)
{
	struct page_log *l = &p->log[r - p->report];

	l->report = r;
	watch->ctx = l;
	watch->place = &l->place;
	watch->arrived = on_arrival;
	watch->started = on_start;
	watch->finished = on_finish;
	if (procset_init(&l->procset, r->trace->procs, r->trace->jobs))
		return -FAIR_ENOMEM;
	return users_open(&l->users, r->trace, shares, false);
}

/* ---- schedules, for the page to draw ---- */

static void write_list(FILE *f, const char *name, const struct swf *t,
		       int64_t (*of)(const struct swf *t, size_t i))
{
	size_t i;

	fprintf(f, "\"%s\":[", name);
	for (i = 0; i < t->jobs; i++)
		fprintf(f, i ? ",%" PRId64 : "%" PRId64, of(t, i));
	fputs("],\n", f);
}

/* Less what that of the one before was: shorter. */
static int64_t id_of(const struct swf *t, size_t i)
{
	return t->job[i].id - (i ? t->job[i - 1].id : 0);
}

static int64_t submit_of(const struct swf *t, size_t i)
{
	return t->job[i].submit - (i ? t->job[i - 1].submit : 0);
}

static int64_t run_of(const struct swf *t, size_t i)
{
	return t->job[i].run;
}

static int64_t estimate_of(const struct swf *t, size_t i)
{
	return t->job[i].estimate - (i ? t->job[i - 1].estimate : 0);
}

static int64_t procs_of(const struct swf *t, size_t i)
{
	return t->job[i].procs - (i ? t->job[i - 1].procs : 0);
}

static int64_t user_of(const struct swf *t, size_t i)
{
	return t->job[i].user_id - (i ? t->job[i - 1].user_id : 0);
}

/* ---- node classes ---- */

/* Is there any of resource @i in class @k? Wide ones stand in class 0. */
static int32_t most_of(const struct plan *p, uint32_t k, uint32_t i)
{
	return p->amount[k * p->config.resources + i];
}

/* What the page shows of each resource of each class; in -1: of all classes. */
static void write_parts(const struct plan *p, FILE *f)
{
	const char *comma = "\"parts\":[";
	uint32_t k, i;

	for (k = 0; k < p->config.classes; k++)
		for (i = 0; i < p->config.resources; i++) {
			if (!most_of(p, k, i))
				continue;
			fprintf(f,
				"%s{\"in\":%d,\"of\":%" PRIu32
				",\"most\":%" PRId32 ",\"first\":%" PRId32
				",\"shift\":%d}",
				comma,
				p->config.wide >> i & 1 ? -1 : (int)k, i,
				most_of(p, k, i), plan_first_proc(p, k),
				p->shift[i]);
			comma = ",\n";
		}
	fputs("],\n", f);
}

/* What each job asks for of every resource but processors. */
static void write_asks(const struct plan *p, size_t jobs, FILE *f)
{
	struct fair_job job = { 0 };
	const char *comma = "\"asks\":[";
	int32_t last;
	uint32_t r;
	size_t i;

	for (r = 1; r < p->config.resources; r++) {
		fprintf(f, "%s[", comma);
		for (last = 0, i = 0; i < jobs; i++) {
			plan_ask(p, i, &job);
			fprintf(f, i ? ",%" PRId32 : "%" PRId32,
				job.amount[r] - last);
			last = job.amount[r];
		}
		putc(']', f);
		comma = ",\n";
	}
	if (p->config.resources > 1)
		fputs("],\n", f);
}

/* The class of each job, less that of the one before. */
static void write_classes_of(const struct report *r, FILE *f)
{
	int last = 0, k;
	size_t i;

	fputs("\"classOf\":[", f);
	for (i = 0; i < r->trace->jobs; i++) {
		k = (int)r->result[i].node_class;
		fprintf(f, i ? ",%d" : "%d", k - last);
		last = k;
	}
	fputs("],\n", f);
}

static int64_t promise_of(const struct report *r, size_t i)
{
	return r->result[i].promise;
}

static int64_t fair_of(const struct report *r, size_t i)
{
	return r->fst.time[i].strict;
}

/* Seconds from the start on, less those of the last one; null: there is none. */
static void write_from_start(FILE *f, const char *name, const struct report *r,
			     int64_t (*of)(const struct report *r, size_t i))
{
	int64_t at, last = 0;
	size_t i;

	fprintf(f, "\"%s\":[", name);
	for (i = 0; i < r->trace->jobs; i++) {
		at = of(r, i);
		if (i)
			putc(',', f);
		if (at == FAIR_FOREVER) {
			fputs("null", f);
			continue;
		}
		at -= r->result[i].start;
		fprintf(f, "%" PRId64, at - last);
		last = at;
	}
	fputs("],\n", f);
}

/* The job, then first, count, of all ranges of its processors. */
static void write_ranges(FILE *f, const struct procset *s, size_t job)
{
	const struct procset_range *r = s->range + s->begin[job];
	int32_t k;

	fprintf(f, "%zu", job);
	for (k = 0; k < s->count[job]; k++, r++)
		fprintf(f, ",%" PRId32 ",%" PRId32, r->first,
			r->last - r->first + 1);
}

/* The page finds the others itself: they are most of a large trace. */
static int write_odd(FILE *f, const struct report *r, const struct procset *s)
{
	size_t jobs = r->trace->jobs, i;
	int64_t *start = malloc((jobs + 1) * sizeof(*start));
	int64_t *end = malloc((jobs + 1) * sizeof(*end));
	uint8_t *odd = malloc(jobs + 1);
	const char *comma = "";
	int error = -1;

	for (i = 0; start && end && i < jobs; i++) {
		start[i] = r->result[i].start;
		end[i] = start[i] + r->trace->job[i].run;
	}
	if (start && end && odd)
		error = procset_odd(s, start, end, jobs, odd);
	fputs("\"odd\":[", f);
	for (i = 0; !error && i < jobs; i++) {
		if (!odd[i])
			continue;
		fputs(comma, f);
		write_ranges(f, s, i);
		comma = ",";
	}
	fputs("]}", f);
	free(start);
	free(end);
	free(odd);
	return error;
}

/*
 * How long each job waited, less what the one before did, and where processors
 * do not follow from that.
 */
static int write_plan(FILE *f, const struct report *r, const struct procset *s)
{
	int64_t wait, last = 0;
	size_t i;

	fputs("{\"wait\":[", f);
	for (i = 0; i < r->trace->jobs; i++) {
		wait = r->result[i].start - r->trace->job[i].submit;
		fprintf(f, i ? ",%" PRId64 : "%" PRId64, wait - last);
		last = wait;
	}
	fputs("],\n", f);
	if (sim_promises(&r->rules))
		write_from_start(f, "promise", r, promise_of);
	if (r->unfairness)
		write_from_start(f, "fair", r, fair_of);
	if (plan_is_open(r->rules.plan) && r->rules.plan->config.classes > 1)
		write_classes_of(r, f);
	return write_odd(f, r, s);
}

static void write_users(FILE *f, const struct swf *t)
{
	size_t n = t->names ? t->names->names : 0, i;
	const struct sacct_name *name;
	const char *comma = "";

	fputs("\"names\":{", f);
	for (i = 0; i < n; i++) {
		name = &t->names->name[i];
		if (name->kind != SACCT_USER)
			continue;
		fprintf(f, "%s\"%" PRId64 "\":", comma, name->number);
		text_json_quoted(f, name->p, name->n);
		comma = ",";
	}
	fputs("}\n", f);
}

static int write_data(const struct page *p, size_t trace, FILE *f)
{
	const struct report *r = &p->report[trace * p->policies];
	const struct swf *t = r->trace;
	int error = 0;
	size_t i;

	fprintf(f, "fairsched.data(%zu,`{\"procs\":%" PRId32 ",\n", trace,
		t->procs);
	if (swf_dated(t))
		fprintf(f, "\"unix\":%" PRId64 ",\n", t->unix_start);
	write_list(f, "id", t, id_of);
	write_list(f, "submit", t, submit_of);
	write_list(f, "run", t, run_of);
	write_list(f, "estimate", t, estimate_of);
	write_list(f, "procsOf", t, procs_of);
	write_list(f, "user", t, user_of);
	if (plan_is_open(r->rules.plan)) {
		write_parts(r->rules.plan, f);
		write_asks(r->rules.plan, t->jobs, f);
	}
	write_users(f, t);
	fputs("}`,[\n", f);
	for (i = 0; i < p->policies && !error; i++) {
		fputs(i ? "`,\n`" : "`", f);
		error = write_plan(f, &r[i],
				   &p->log[&r[i] - p->report].procset);
	}
	fputs("`]);\n", f);
	return error;
}

/* ---- tables ---- */

static void write_heading(const struct report *r, size_t number, FILE *f)
{
	const struct swf *t = r->trace;

	fprintf(f, "<h2 id=\"trace-%zu\">", number + 1);
	html_name(f, r);
	fputs("</h2>\n<p>", f);
	tables_jobs(t, f);
	fprintf(f, ", %" PRId32 " processor%s", t->procs,
		t->procs == 1 ? "" : "s");
	if (!r->tells_order)
		fprintf(f, ", order %s", order_names[r->rules.order]);
	if (t->measured)
		fprintf(f,
			"; measured: the %zu jobs submitted from second "
			"%" PRId64 " to %" PRId64,
			r->summary.jobs, t->from, t->to);
	if (measure_sampled(r))
		fprintf(f,
			"; strict and relaxed unfairness: of a <b>sample</b>, "
			"%zu of %zu jobs, &plusmn; the 95 %% interval; where "
			"none of these is late, fewer than so many percent of "
			"all are, 95 %% certain",
			r->unfairness->known, r->summary.jobs);
	fputs(".</p>\n", f);
}

static void write_values(const struct report *r, size_t n,
			 const struct column *c, size_t columns, FILE *f)
{
	bool fair = c == fairness_column, shares = c == share_column, hours;
	char text[64];
	enum measure m;
	size_t i, k;

	for (k = 0; k < columns; k++) {
		m = fair ? (enum measure)k : MEASURE_WAIT;
		hours = c[k].kind != COLUMN_NUMBER;
		snprintf(text, sizeof(text), "%s%s, %s",
			 fair	  ? "unfairness: "
			 : shares ? "fair share: "
				  : "",
			 c[k].title,
			 !hours			     ? c[k].unit
			 : c[k].kind == COLUMN_AREA ? "processor-hours short"
			 : fair			     ? "hours late"
						     : "hours");
		html_row(f, NULL, text);
		for (i = 0; i < n; i++)
			html_sample(f, c[k].value(&r[i]) / (hours ? 3600 : 1),
				    hours ? 3 : c[k].digits,
				    measure_error(&r[i], m) /
					    (hours ? 3600 : 1),
				    measure_none(&r[i], m));
		html_row_end(f);
	}
}

static void write_promises(const struct report *r, size_t n, FILE *f)
{
	size_t i;

	html_row(f, NULL, "promises kept");
	for (i = 0; i < n; i++)
		if (sim_promises(&r[i].rules))
			html_cell(f, "%zu of %zu", r[i].summary.promises_kept,
				  r[i].summary.promises_kept +
					  r[i].summary.late.jobs);
		else
			html_cell(f, "none");
	html_row_end(f);
}

/* Of jobs late by one cause, or by all: SUMMARY_CAUSES. No row without them. */
static void write_late(const struct report *r, size_t n, size_t cause, FILE *f)
{
	bool all = cause == SUMMARY_CAUSES, any = false;
	char text[64], mean[64], p99[64], max[64];
	const struct lateness *l;
	size_t i;

	for (i = 0; i < n; i++)
		any |= (all ? &r[i].summary.late
			    : &r[i].summary.late_by[cause])->jobs > 0;
	if (!any)
		return;
	snprintf(text, sizeof(text), "late by %s",
		 all ? "any cause" : summary_causes[cause]);
	html_row(f, NULL, text);
	for (i = 0; i < n; i++) {
		l = all ? &r[i].summary.late : &r[i].summary.late_by[cause];
		if (!l->jobs)
			html_cell(f, "none");
		else
			html_cell(f, "%zu jobs: %s on average, p99 %s, at most %s",
				  l->jobs,
				  units_text(l->mean, mean, sizeof(mean)),
				  units_text((double)l->p99, p99, sizeof(p99)),
				  units_text((double)l->max, max, sizeof(max)));
	}
	html_row_end(f);
}

/* Of each resource of each class, and the mean waits there. */
static void write_classes(const struct report *r, size_t n, FILE *f)
{
	size_t measures = by_class_measures(r), m, i;
	char name[64], text[80];
	double value;
	bool wait;

	for (m = 0; m < measures; m++) {
		if (isnan(by_class_value(r, m)))
			continue;
		wait = by_class_is_wait(r, m);
		by_class_name(r, m, name, sizeof(name));
		snprintf(text, sizeof(text), "%s, %s", name,
			 wait ? "hours" : "%");
		html_row(f, NULL, text);
		for (i = 0; i < n; i++) {
			value = by_class_value(&r[i], m);
			if (isnan(value))
				html_cell(f, "none");
			else
				html_value(f, wait ? value / 3600 : value, 2,
					   0);
		}
		html_row_end(f);
	}
}

static void write_numbers(const struct report *r, size_t n, FILE *f)
{
	size_t i;

	html_table(f, "measure", r, n, NULL);
	write_values(r, n, column, PROMISES_COLUMN, f);
	write_promises(r, n, f);
	write_late(r, n, SUMMARY_CAUSES, f);
	for (i = 0; i < SUMMARY_CAUSES; i++)
		write_late(r, n, i, f);
	write_classes(r, n, f);
	write_values(r, n, share_column, DUES_KINDS, f);
	if (r->unfairness)
		write_values(r, n, fairness_column, FAIRNESS_COLUMNS, f);
	html_row(f, NULL, "digest");
	for (i = 0; i < n; i++)
		html_cell(f, "<code>%08" PRIx64 "<wbr>%08" PRIx64 "</code>",
			  r[i].totals.digest >> 32,
			  r[i].totals.digest & UINT32_MAX);
	html_row_end(f);
	html_table_end(f);
	if (!r->unfairness)
		fputs("<p class=\"help\">Unfairness was not computed: add "
		      "<code>--fst</code> to the command line below.</p>\n",
		      f);
}

/* ---- words ---- */

static const char *const policy_says[] = {
	"strictly in order: a job that must wait holds up all behind it",
	"in order, but a later job may go first if it does not delay the first "
	"one that waits; no job is promised a start",
	"as easy, but the first several waiting jobs are protected from delay",
	"every job is promised a start when it arrives, and never starts later "
	"than that; holes are filled by jobs that fit",
	"as conservative, and when processors come free early, all jobs are "
	"moved up in order",
	"as conservative, but jobs are moved up only once the holes have been "
	"offered to waiting jobs",
	"users that used less than their share in a window of time go first",
	"each account is kept at its target number of processors at all times",
	"by Maui's priorities and limits, as the site's configuration says",
};

static const struct {
	const char *name, *says;
} measure_says[] = {
	{ "mean wait", "how long a job waits on average, from its submission "
		       "to its start; less is better" },
	{ "p99 wait",
	  "99 of 100 jobs wait at most so long; less is better" },
	{ "max wait", "the longest wait of any job; less is better" },
	{ "slowdown", "how many times longer a job takes than if it had not "
		      "waited, where very short jobs count as longer ones; "
		      "1 is best" },
	{ "utilized", "the part of the processors that jobs kept busy; more is "
		      "better" },
	{ "promises kept", "jobs that started no later than the start they "
			   "were promised; all of them is best" },
	{ "late", "of the other jobs with a promise, how long after it they "
		  "started, by the cause of the last delay; less is better" },
	{ "digest", "a number that is the same if and only if the schedule is "
		    "the same" },
	{ "fair share", "processor time that users, or accounts, got in a day "
			"beyond the share due to them, as a part of all; less "
			"is better" },
	{ "strict unfairness", "how much later a job starts than if no job had "
			       "arrived after it, on average; less is "
			       "better" },
	{ "relaxed unfairness", "the same, but a job counts as arrived once "
				"those before it have started; less is "
				"better" },
	{ "unweighted unfairness", "by how many processor-hours jobs fall "
				   "short of an equal share; less is better" },
	{ "weighted unfairness", "by how many processor-hours jobs fall short "
				 "of a share in proportion to what they asked "
				 "for; less is better" },
	{ "users", "processor-hours that a user got above what was due; near "
		   "0 is best" },
};

/* A sentence for each policy that is here, and for each measure. */
static void write_words(const struct page *p, FILE *f)
{
	uint32_t seen = 0;
	size_t i;

	fputs("<section id=\"words\">\n<h2>What the words mean</h2>\n<dl>\n",
	      f);
	for (i = 0; i < p->policies; i++) {
		int policy = p->report[i].policy;

		if (seen >> policy & 1)
			continue;
		seen |= 1u << policy;
		fprintf(f, "<dt>%s</dt><dd>%s.</dd>\n", policy_names[policy],
			policy_says[policy]);
	}
	if (p->report[0].tells_maintenance)
		fputs("<dt>*</dt><dd>with the advance reservations of "
		      "<code>--maintenance</code>.</dd>\n",
		      f);
	for (i = 0; i < sizeof(measure_says) / sizeof(*measure_says); i++)
		fprintf(f, "<dt>%s</dt><dd>%s.</dd>\n", measure_says[i].name,
			measure_says[i].says);
	fputs("</dl>\n</section>\n", f);
}

/* What the jobs waited at the site, if the log says it. */
static void write_recorded(const struct report *r, FILE *f)
{
	char mean[32], most[32];
	struct summary s;
	bool known;

	if (tables_recorded(r, &s, &known) || !known)
		return;
	fprintf(f,
		"<p class=\"conclusion\">As recorded by the site, jobs waited "
		"%s on average, and %s at most.</p>\n",
		units_text(s.mean_wait, mean, sizeof(mean)),
		units_text((double)s.max_wait, most, sizeof(most)));
}

/* Of each trace; nothing where one policy was run. */
static void write_conclusions(const struct page *p, FILE *f)
{
	struct comparison c = { 0 };
	char text[512];
	size_t i;

	c.machines = 1;
	c.policies = p->policies;
	for (i = 0; i < p->traces; i++) {
		c.report = &p->report[i * p->policies];
		write_recorded(c.report, f);
		tables_conclusion(&c, text, sizeof(text));
		if (!*text)
			continue;
		fputs("<p class=\"conclusion\">", f);
		if (p->traces > 1) {
			fputs("<b>", f);
			html_name(f, c.report);
			fputs(":</b> ", f);
		}
		html_text(f, text);
		fputs("</p>\n", f);
	}
}

/* ---- the page ---- */

static void write_asset(const char *const *piece, FILE *f)
{
	for (; *piece; piece++)
		fputs(*piece, f);
}

/*
 * Nothing but the style and the scripts of this file, and what these scripts load:
 * trace-1.js. Browsers that do not know 'strict-dynamic' take 'self' for it. The
 * hashes are those of the elements below, uPlot, page.js and plan.js;
 * tests/command/report_page_test.py says what they are when a file of assets/ has changed.
 */
static void write_security(FILE *f)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; base-uri 'none'; form-action 'none'; "
		"style-src "
		"'sha256-6n6zKaHCxL1pBZrMk4XNx2kTh3syVVi/X2U2lvby/UA='; "
		"script-src "
		"'sha256-8HJMPQt4+pqttSSgVDHsXTsnQkhebXI11p16kkZbcfk=' "
		"'sha256-FrSadpcL0JOQ34KQG08pUX+EbrQP6wVHNrKdEQUo4OE=' "
		"'sha256-OSD1Yx/0KBiHTOggN8VtKpvvKLq41ouhVi/g6oPrt7g=' "
		"'strict-dynamic' 'self'\">\n", f);
}

static void write_head(const struct page *p, FILE *f)
{
	size_t i;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\">\n",
	      f);
	fprintf(f, MARK " %s\">\n", fair_version());
	write_security(f);
	fputs("<title>", f);
	for (i = 0; i < p->traces; i++) {
		fputs(i ? ", " : "", f);
		html_name(f, &p->report[i * p->policies]);
	}
	fputs(" - fairsched compare</title>\n<style>\n", f);
	write_asset(asset_uplot_css, f);
	write_asset(asset_page_css, f);
	fputs("</style>\n</head>\n<body>\n", f);
}

/* Which policies the charts show, and how. */
static void write_view(const struct page *p, FILE *f)
{
	char text[64];
	size_t i;

	fputs("<div class=\"tools\" id=\"shown\"><fieldset><legend>Charts "
	      "show</legend>\n",
	      f);
	for (i = 0; i < p->policies; i++) {
		report_policy(&p->report[i], text, sizeof(text));
		fprintf(f,
			"<label><input type=\"checkbox\" checked "
			"value=\"%s\"> %s</label>\n",
			text, text);
	}
	fputs("</fieldset>\n<label>Scale <select id=\"scale\">"
	      "<option value=\"plain\">as it is</option>"
	      "<option value=\"log\">logarithmic</option>"
	      "<option value=\"difference\">difference to the first policy"
	      "</option></select></label></div>\n",
	      f);
}

static void write_title(const struct page *p, FILE *f)
{
	size_t i;

	fputs("<header>\n<h1>fairsched compare</h1>\n<nav><ul>\n", f);
	if (p->traces > 1)
		fputs("<li><a href=\"#figures\">Improvement</a></li>\n", f);
	for (i = 0; i < p->traces; i++) {
		fprintf(f, "<li><a href=\"#trace-%zu\">", i + 1);
		html_name(f, &p->report[i * p->policies]);
		fputs("</a></li>\n", f);
	}
	fputs("<li><a href=\"#schedule\">Schedule</a></li>\n"
	      "<li><a href=\"#words\">What the words mean</a></li>\n"
	      "</ul></nav>\n</header>\n<main>\n",
	      f);
	write_conclusions(p, f);
	write_view(p, f);
}

/* Which resource of which class, as write_parts() numbers them. */
static void write_part_choice(const struct report *r, FILE *f)
{
	size_t measures = by_class_measures(r), number = 0, m;
	const struct plan *p = r->rules.plan;
	uint32_t each;
	char text[64];

	if (!measures)
		return;
	each = p->config.resources + 1;
	fputs("<label>Of <select id=\"plan-part\">"
	      "<option value=\"\">all processors</option>",
	      f);
	for (m = 0; m < measures; m++) {
		if (by_class_is_wait(r, m) ||
		    !most_of(p, (uint32_t)m / each, (uint32_t)m % each))
			continue;
		by_class_name(r, m, text, sizeof(text));
		fprintf(f, "<option value=\"%zu\">", number++);
		html_text(f, text);
		fputs("</option>", f);
	}
	fputs("</select></label>\n", f);
}

static void write_choices(const struct page *p, FILE *f)
{
	char text[64];
	size_t i;

	fputs("<label>Trace <select id=\"plan-trace\">", f);
	for (i = 0; i < p->traces; i++) {
		fprintf(f, "<option value=\"%zu\">", i);
		html_name(f, &p->report[i * p->policies]);
		fputs("</option>", f);
	}
	fputs("</select></label>\n"
	      "<label>Policy <select id=\"plan-policy\">",
	      f);
	for (i = 0; i < p->policies; i++) {
		report_policy(&p->report[i], text, sizeof(text));
		fprintf(f, "<option value=\"%zu\">%s</option>", i, text);
	}
	fputs("</select></label>\n"
	      "<label>Below it <select id=\"plan-other\">"
	      "<option value=\"\">nothing</option>",
	      f);
	for (i = 0; i < p->policies; i++) {
		report_policy(&p->report[i], text, sizeof(text));
		fprintf(f, "<option value=\"%zu\">%s</option>", i, text);
	}
	fputs("</select></label>\n", f);
	write_part_choice(p->report, f);
}

static void write_schedule(const struct page *p, FILE *f)
{
	fputs("<section id=\"schedule\">\n<h2>Schedule</h2>\n"
	      "<div class=\"tools\">\n",
	      f);
	write_choices(p, f);
	write_asset(asset_plan_html, f);
	fputs("</section>\n", f);
}

/* Today, or what SOURCE_DATE_EPOCH says. */
static void name_today(char *text, size_t size)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");

	if (!units_date(epoch ? strtoll(epoch, NULL, 10) : (int64_t)time(NULL),
			text, size))
		snprintf(text, size, "at an unknown time");
}

/* With this the page can be made again. */
static void write_footer(const struct page *p, FILE *f)
{
	char today[64];

	name_today(today, sizeof(today));
	fputs("<footer>\n<p>Made by <code>", f);
	html_text(f, p->command ? p->command : "");
	fprintf(f,
		"</code> with fairsched %s, commit %s, on %s UTC. The digests "
		"in the tables tell whether another run is the same.</p>\n",
		fair_version(), FAIRSCHED_COMMIT, today);
	fputs("<p>[CF] A. Rajbhandary, D. Bunde, V. Leung, "
	      "<cite>Variations of conservative backfilling to improve "
	      "fairness</cite>, JSSPP 2013. "
	      "[RS] S. Vasupongayya, <cite>Impact of fair share and its "
	      "configurations on parallel job scheduling algorithms</cite>, "
	      "2009. Charts: uPlot 1.6.32, MIT.</p>\n</footer>\n",
	      f);
}

static void write_scripts(FILE *f)
{
	fputs("<script>\n/*\n", f);
	write_asset(asset_uplot_licence, f);
	fputs("*/\n", f);
	write_asset(asset_uplot_js, f);
	fputs("</script>\n<script type=\"module\">\n", f);
	write_asset(asset_page_js, f);
	fputs("</script>\n<script type=\"module\">\n", f);
	write_asset(asset_plan_js, f);
	fputs("</script>\n", f);
}

static int write_index(const struct page *p, FILE *f)
{
	const struct report *r = p->report;
	int error = 0;
	size_t i;

	write_head(p, f);
	write_title(p, f);
	if (p->traces > 1)
		figures_of_all(r, p->traces, p->policies, f);
	for (i = 0; !error && i < p->traces; i++, r += p->policies) {
		fputs("<section>\n", f);
		write_heading(r, i, f);
		write_numbers(r, p->policies, f);
		if (p->traces == 1)
			figures_of_one(r, p->policies, f);
		error = figures_of_trace(r, p->policies,
					 &p->log[i * p->policies], f);
		fputs("</section>\n", f);
	}
	write_schedule(p, f);
	write_words(p, f);
	fputs("</main>\n", f);
	write_footer(p, f);
	write_scripts(f);
	fputs("</body>\n</html>\n", f);
	return error;
}

static FILE *open_file(struct page *p, const char *name)
{
	char *path = path_of(p, name);
	FILE *f;

	if (!path) {
		run_error("out of memory");
		return NULL;
	}
	f = output_open(path);
	free(path);
	return f;
}

static int explain_failure(const struct page *p)
{
	size_t i;

	for (i = 0; i < p->traces * p->policies; i++) {
		if (p->log[i].users.failed)
			return users_explain(&p->log[i].users, "--report");
		if (p->log[i].procset.error)
			return run_error("out of memory");
	}
	return 0;
}

int page_write(struct page *p)
{
	char name[PATH_ROOM];
	int status = explain_failure(p);
	size_t i;
	FILE *f;

	if (status)
		return status;
	for (i = 0; i < p->traces; i++) {
		snprintf(name, sizeof(name), "trace-%zu.js", i + 1);
		f = open_file(p, name);
		if (!f)
			return EXIT_FAILED;
		if (write_data(p, i, f))
			return run_error("out of memory");
	}
	f = open_file(p, "index.html");
	if (!f)
		return EXIT_FAILED;
	if (write_index(p, f))
		return run_error("out of memory");
	return 0;
}
