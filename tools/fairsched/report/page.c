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
#include "glance.h"
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

void page_drop(struct page *p, size_t policy)
{
	size_t i, n = 0;

	for (i = 0; i < p->traces * p->policies; i++)
		if (i % p->policies == policy)
			procset_free(&p->log[i].procset);
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
		procset_free(&p->log[i].procset);
	free(p->log);
	if (!p->dir || !written)
		return;
	remove_data(p, p->traces + 1);
	remove_unfinished(p);
}

/* ---- the schedule of each report ---- */

static void on_start(void *log, size_t number, int64_t now)
{
	struct page_log *l = log;

	(void)now;
	report_take(l->report, number, l->place, &l->procset);
}

static void on_finish(void *log, size_t number, int64_t now)
{
	struct page_log *l = log;

	(void)now;
	procset_give(&l->procset, number);
}

int page_watch(struct page *p, const struct report *r, struct sim_watch *watch)
{
	struct page_log *l = &p->log[r - p->report];

	l->report = r;
	watch->ctx = l;
	watch->place = &l->place;
	watch->started = on_start;
	watch->finished = on_finish;
	return procset_init(&l->procset, r->trace->procs, r->trace->jobs)
		       ? -FAIR_ENOMEM
		       : 0;
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

static int write_data(const struct page *p, const struct shown *s, size_t trace,
		      FILE *f)
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
	fputs("`],[\n", f);
	for (i = 0; i < s->n; i++) {
		fputs(i ? "`,\n`" : "`", f);
		shares_sum_json(&s->shares[i], &s->report[i], f);
	}
	fputs("`]);\n", f);
	return error;
}

/* ---- tables ---- */
/* What a measure means, behind its name. */
static const struct {
	const char *name, *says;
} measure_says[] = {
	{ "mean wait", "from submission to start; less is better" },
	{ "p99 wait", "99 of 100 jobs wait at most so long; less is better" },
	{ "max wait", "the longest of any job; less is better" },
	{ "slowdown",
	  "how many times longer a job takes than without its wait, "
	  "short jobs counted as longer ones; 1 is best" },
	{ "utilized", "the part of the processors that jobs kept busy; more is "
		      "better" },
	{ "users",
	  "processor time that users got in a day beyond the share due "
	  "to them, as a part of all; less is better" },
	{ "accounts", "the same, of accounts" },
	{ "strict", "how much later a job starts than if no job had arrived "
		    "after it, on average; less is better" },
	{ "relaxed",
	  "the same, but a job counts as arrived once those before it "
	  "have started; less is better" },
	{ "unweighted", "processor-hours by which jobs fall short of an equal "
			"share; less is better" },
	{ "weighted", "the same, of a share in proportion to what they asked "
		      "for; less is better" },
};

static const char *help_of(const char *name)
{
	size_t i = 0;

	while (strcmp(measure_says[i].name, name))
		i++;
	return measure_says[i].says;
}

static void write_values(const struct shown *s, const struct column *c,
			 size_t columns, FILE *f)
{
	bool fair = c == fairness_column;
	char text[64], more[64];
	const struct report *r;
	enum measure m;
	size_t k;

	for (k = 0; k < columns; k++) {
		m = fair ? (enum measure)k : MEASURE_WAIT;
		snprintf(text, sizeof(text), "%s%s%s", c[k].title,
			 c[k].kind == COLUMN_NUMBER ? ", "
			 : c[k].kind == COLUMN_AREA ? ", proc h"
						    : "",
			 c[k].kind == COLUMN_NUMBER ? c[k].unit : "");
		html_row(f, NULL, text, help_of(c[k].title));
		for (r = s->report; r < s->report + s->n; r++) {
			if (fair && !measured(r, m)) {
				html_cell(f, "-");
				continue;
			}
			column_text(&c[k], c[k].value(r), text, sizeof(text));
			if (fair && measure_none(r, m) > 0)
				html_cell(f,
					  "%s<small>none late: &lt; %.2g %% of "
					  "all</small>",
					  text, measure_none(r, m));
			else if (fair && measure_error(r, m) > 0)
				html_cell(f, "%s &plusmn; %s", text,
					  column_text(&c[k],
						      measure_error(r, m), more,
						      sizeof(more)));
			else
				html_cell(f, "%s", text);
		}
		html_row_end(f);
	}
}

/* Of jobs late by one cause, or by all: SUMMARY_CAUSES. No row without them. */
static void write_late(const struct shown *s, size_t cause, FILE *f)
{
	bool all = cause == SUMMARY_CAUSES, any = false;
	char text[64], mean[64], p99[64], max[64];
	const struct lateness *l;
	const struct report *r;

	for (r = s->report; r < s->report + s->n; r++)
		any |= (all ? &r->summary.late : &r->summary.late_by[cause])
			       ->jobs > 0;
	if (!any)
		return;
	snprintf(text, sizeof(text), "late by %s",
		 all ? "any cause" : summary_causes[cause]);
	html_row(f, NULL, text, "jobs that start after the start promised");
	for (r = s->report; r < s->report + s->n; r++) {
		l = all ? &r->summary.late : &r->summary.late_by[cause];
		if (!l->jobs)
			html_cell(f, "none");
		else
			html_cell(f,
				  "%zu job%s: %s on average, p99 %s, at most "
				  "%s",
				  l->jobs, l->jobs == 1 ? "" : "s",
				  units_text(l->mean, mean, sizeof(mean)),
				  units_text((double)l->p99, p99, sizeof(p99)),
				  units_text((double)l->max, max, sizeof(max)));
	}
	html_row_end(f);
}

/* Of each resource of each class, and the mean waits there. */
static void write_classes(const struct shown *s, FILE *f)
{
	const struct report *first = s->first, *r;
	size_t measures = by_class_measures(first), m;
	char name[64], text[80];
	double value;
	bool wait;

	for (m = 0; m < measures; m++) {
		if (isnan(by_class_value(first, m)))
			continue;
		wait = by_class_is_wait(first, m);
		by_class_name(first, m, name, sizeof(name));
		snprintf(text, sizeof(text), "%s%s", name, wait ? "" : ", %");
		html_row(f, NULL, text, NULL);
		for (r = s->report; r < s->report + s->n; r++) {
			value = r < first ? NAN : by_class_value(r, m);
			if (isnan(value))
				html_cell(f, "-");
			else if (wait)
				html_cell(
					f, "%s",
					units_text(value, text, sizeof(text)));
			else
				html_value(f, value, 2, 0);
		}
		html_row_end(f);
	}
}

static void write_numbers(const struct shown *s, FILE *f)
{
	const struct report *r;
	size_t i;

	html_table(f, "measure", s->report, s->n);
	write_values(s, column, PROMISES_COLUMN, f);
	html_row(f, NULL, "promises kept",
		 "jobs that started no later than promised; all is best");
	for (r = s->report; r < s->report + s->n; r++)
		if (report_promises(r))
			html_cell(f, "%zu of %zu", r->summary.promises_kept,
				  r->summary.promises_kept +
					  r->summary.late.jobs);
		else
			html_cell(f, "none");
	html_row_end(f);
	for (i = SUMMARY_CAUSES + 1; i-- > 0;)
		write_late(s, i, f);
	write_classes(s, f);
	write_values(s, share_column, DUES_KINDS, f);
	if (s->first->unfairness)
		write_values(s, fairness_column, FAIRNESS_COLUMNS, f);
	html_table_end(f);
	if (!s->first->unfairness)
		fputs("<p class=\"help\">Unfairness was not computed: add "
		      "<code>--fst</code> to the command line below.</p>\n",
		      f);
}

/* ---- the page ---- */

static void write_asset(const char *const *piece, FILE *f)
{
	for (; *piece; piece++)
		fputs(*piece, f);
}

/*
 * Nothing but the style and the scripts of this file, and what these scripts
 * load: trace-1.js. Browsers that do not know 'strict-dynamic' take 'self' for
 * it. The hashes are those of the elements below, page.js and plan.js;
 * tests/command/report_page_test.py says what they are when a file of assets/
 * has changed.
 */
static void write_security(FILE *f)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; base-uri 'none'; form-action 'none'; "
	      "style-src "
	      "'sha256-lagO57tMVR73+cizNMGUHN3y7cThIoYnTByuX9DqlO4='; "
	      "script-src "
	      "'sha256-bC52oSqvNWVGsHO0rzjKyUpN8sRnb1DkoCTl3wetJFM=' "
	      "'sha256-TBmgR1/sEOBzEXg/F2QqrPARJLGimyN7/usu5no12pI=' "
	      "'strict-dynamic' 'self'\">\n",
	      f);
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
	write_asset(asset_page_css, f);
	fputs("</style>\n</head>\n<body>\n", f);
}

static void write_options(const struct report *r, size_t n, bool named,
			  const struct report *chosen, FILE *f)
{
	char text[64];
	size_t i;

	for (i = 0; i < n; i++) {
		report_policy(&r[i], text, sizeof(text));
		if (named)
			fprintf(f, "<option%s>%s</option>",
				&r[i] == chosen ? " selected" : "", text);
		else
			fprintf(f, "<option value=\"%zu\">%s</option>", i,
				text);
	}
}

/* That of the traces which has most columns: what the log recorded as well. */
static const struct shown *widest(const struct shown *s, size_t traces)
{
	const struct shown *end = s + traces, *most = s;

	for (; s < end; s++)
		most = s->n > most->n ? s : most;
	return most;
}

static void write_title(const struct page *p, const struct shown *s, FILE *f)
{
	const struct shown *w = widest(s, p->traces);

	fputs("<header>\n<h1>", f);
	if (p->traces == 1)
		html_name(f, p->report);
	else
		fprintf(f, "%zu traces", p->traces);
	fputs("</h1>\n<nav><ul>\n<li><a href=\"#users\">Users: how long do I "
	      "wait?</a></li>\n<li><a href=\"#administrators\">Administrators: "
	      "schedule, queue, tables</a></li>\n</ul></nav>\n"
	      "<label>Compare with <select id=\"base\">",
	      f);
	write_options(w->report, w->n, true, w->first, f);
	fputs("</select></label>\n</header>\n<main>\n", f);
}

/* ---- for users ---- */

static void name_trace(const struct page *p, size_t trace, FILE *f)
{
	if (p->traces < 2)
		return;
	fputs("<h3>", f);
	html_name(f, &p->report[trace * p->policies]);
	fputs("</h3>\n", f);
}

static int write_for_users(const struct page *p, const struct shown *s, FILE *f)
{
	const struct shown *w = widest(s, p->traces);
	int error = 0;
	size_t i;

	fputs("<section id=\"users\">\n<h2>Users: how long do I wait?</h2>\n"
	      "<div class=\"tools\"><label>Under <select id=\"mine\">",
	      f);
	write_options(w->report, w->n, true, w->first, f);
	fputs("</select></label></div>\n", f);
	for (i = 0; i < p->traces && !error; i++) {
		name_trace(p, i, f);
		error = figures_for_users(&s[i], f);
	}
	write_asset(asset_share_html, f);
	fputs("</section>\n", f);
	return error;
}

/* ---- for administrators ---- */

/* Which policies the charts show, and how. */
static void write_view(const struct shown *s, FILE *f)
{
	char text[64];
	size_t i;

	fputs("<div class=\"tools\" id=\"shown\"><fieldset><legend>Charts "
	      "show</legend>\n",
	      f);
	for (i = 0; i < s->n; i++) {
		report_policy(&s->report[i], text, sizeof(text));
		fprintf(f,
			"<label><input type=\"checkbox\" checked "
			"value=\"%s\"> %s</label>\n",
			text, text);
	}
	fputs("</fieldset>\n<label>Scale <select id=\"scale\">"
	      "<option value=\"plain\">as it is</option>"
	      "<option value=\"log\">logarithmic</option>"
	      "<option value=\"difference\">difference to what is compared with"
	      "</option></select></label></div>\n",
	      f);
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

static void write_schedule(const struct page *p, FILE *f)
{
	size_t i;

	fputs("<h3 id=\"schedule\">Schedule</h3>\n<div class=\"tools\">\n"
	      "<label>Trace <select id=\"plan-trace\">",
	      f);
	for (i = 0; i < p->traces; i++) {
		fprintf(f, "<option value=\"%zu\">", i);
		html_name(f, &p->report[i * p->policies]);
		fputs("</option>", f);
	}
	fputs("</select></label>\n<label>Policy <select id=\"plan-policy\">",
	      f);
	write_options(p->report, p->policies, false, NULL, f);
	fputs("</select></label>\n<label>Below it <select id=\"plan-other\">"
	      "<option value=\"\">nothing</option>",
	      f);
	write_options(p->report, p->policies, false, NULL, f);
	fputs("</select></label>\n", f);
	write_part_choice(p->report, f);
	write_asset(asset_plan_html, f);
}

static int write_for_administrators(const struct page *p, const struct shown *s,
				    FILE *f)
{
	int error = 0;
	size_t i;

	fputs("<section id=\"administrators\">\n<h2>Administrators</h2>\n", f);
	write_schedule(p, f);
	write_view(widest(s, p->traces), f);
	for (i = 0; i < p->traces && !error; i++) {
		name_trace(p, i, f);
		error = figures_over_time(&s[i], f);
		fputs("<details class=\"tables\"><summary>All numbers</summary>"
		      "\n",
		      f);
		write_numbers(&s[i], f);
		fputs("</details>\n", f);
		if (!error)
			error = figures_of_one(&s[i], f);
	}
	fputs("</section>\n", f);
	return error;
}

/* Today, or what SOURCE_DATE_EPOCH says. */
static void name_today(char *text, size_t size)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");

	if (!units_date(epoch ? strtoll(epoch, NULL, 10) : (int64_t)time(NULL),
			text, size))
		snprintf(text, size, "at an unknown time");
}

/* With this the page can be made again, and a schedule told from another. */
static void write_footer(const struct page *p, FILE *f)
{
	const struct report *r = p->report;
	char text[64];
	size_t i;

	name_today(text, sizeof(text));
	fputs("<footer>\n<p>Made by <code>", f);
	html_text(f, p->command ? p->command : "");
	fprintf(f,
		"</code> with fairsched %s, commit %s, on %s UTC.</p>\n"
		"<p>Digests, the same if and only if the schedule is:",
		fair_version(), FAIRSCHED_COMMIT, text);
	for (i = 0; i < p->traces * p->policies; i++, r++) {
		fputs(i ? "; " : " ", f);
		if (p->traces > 1) {
			html_name(f, r);
			putc(' ', f);
		}
		report_policy(r, text, sizeof(text));
		fprintf(f, "%s <code>%016" PRIx64 "</code>", text,
			r->totals.digest);
	}
	fputs(".</p>\n", f);
	if (p->report->tells_maintenance)
		fputs("<p>*: with the advance reservations of "
		      "<code>--maintenance</code>.</p>\n",
		      f);
	fputs("</footer>\n", f);
}

static void write_scripts(FILE *f)
{
	fputs("<script type=\"module\">\n", f);
	write_asset(asset_page_js, f);
	fputs("</script>\n<script type=\"module\">\n", f);
	write_asset(asset_plan_js, f);
	fputs("</script>\n", f);
}

static int write_index(const struct page *p, const struct shown *s, FILE *f)
{
	int error;
	size_t i;

	write_head(p, f);
	write_title(p, s, f);
	for (i = 0; i < p->traces; i++) {
		fprintf(f, "<section id=\"trace-%zu\">\n", i + 1);
		if (p->traces > 1) {
			fputs("<h2>", f);
			html_name(f, s[i].first);
			fputs("</h2>\n", f);
		}
		glance_write(&s[i], f);
		fputs("</section>\n", f);
	}
	if (p->traces > 1)
		figures_of_all(p->report, p->traces, p->policies, f);
	error = write_for_users(p, s, f);
	if (!error)
		error = write_for_administrators(p, s, f);
	fputs("</main>\n", f);
	write_footer(p, f);
	write_scripts(f);
	fputs("</body>\n</html>\n", f);
	return error;
}

/* ---- what is shown of each trace ---- */

static int show(const struct page *p, struct shown *s, size_t trace)
{
	const struct report *r = &p->report[trace * p->policies];
	size_t i;
	int64_t to;

	s->report = malloc((p->policies + 1) * sizeof(*s->report));
	s->shares = calloc(p->policies + 1, sizeof(*s->shares));
	if (!s->report || !s->shares || report_recorded(s->report, r))
		return -1;
	s->n = s->report->result ? 1 : 0;
	s->first = s->report + s->n;
	memcpy(s->report + s->n, r, p->policies * sizeof(*r));
	s->n += p->policies;
	to = figures_until(s->report, s->n);
	for (i = 0; i < s->n; i++)
		if (shares_sum_make(&s->shares[i], &s->report[i], to))
			return -1;
	return 0;
}

/* The other reports are those of the page. */
static void show_no_more(struct shown *s)
{
	size_t i;

	if (s->first && s->first > s->report)
		report_free(s->report);
	for (i = 0; s->shares && i < s->n; i++)
		shares_sum_free(&s->shares[i]);
	free(s->report);
	free(s->shares);
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

static int write_files(struct page *p, const struct shown *s)
{
	char name[PATH_ROOM];
	size_t i;
	FILE *f;

	for (i = 0; i < p->traces; i++) {
		snprintf(name, sizeof(name), "trace-%zu.js", i + 1);
		f = open_file(p, name);
		if (!f)
			return EXIT_FAILED;
		if (write_data(p, &s[i], i, f))
			return run_error("out of memory");
	}
	f = open_file(p, "index.html");
	if (!f)
		return EXIT_FAILED;
	return write_index(p, s, f) ? run_error("out of memory") : 0;
}

int page_write(struct page *p)
{
	struct shown *s = calloc(p->traces, sizeof(*s));
	bool failed = !s;
	size_t i;
	int status;

	for (i = 0; i < p->traces * p->policies; i++)
		failed = failed || p->log[i].procset.error;
	for (i = 0; i < p->traces && !failed; i++)
		failed = show(p, &s[i], i) != 0;
	status = failed ? run_error("out of memory") : write_files(p, s);
	for (i = 0; s && i < p->traces; i++)
		show_no_more(&s[i]);
	free(s);
	return status;
}
