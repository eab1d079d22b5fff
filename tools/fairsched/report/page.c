/* SPDX-License-Identifier: MIT OR Unlicense */
#include "page.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "columns.h"
#include "figures.h"
#include "html.h"
#include "page_assets.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/output.h"

#define MARK "<meta name=\"generator\" content=\"fairsched"
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

/* What a run that was killed leaves: trace-1.js, index.html.XXXXXX */
static bool is_ours(const char *name)
{
	int n = 0;

	if (sscanf(name, "trace-%*u.js%n", &n) == 0 && n)
		return !name[n] || name[n] == '.';
	return !strncmp(name, "index.html.", 11);
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
	if (mkdir(dir, 0777) == 0)
		p->made = true;
	else if (errno != EEXIST)
		return run_error("%s: %s", dir, strerror(errno));
	return check_folder(p);
}

/* Unfinished files of runs that were killed. */
static void remove_unfinished(const struct page *p)
{
	DIR *dir = opendir(p->dir);
	struct dirent *e;

	while (dir && (e = readdir(dir)) != NULL) {
		const char *unfinished = strstr(e->d_name, ".js.");

		if (is_ours(e->d_name) &&
		    (unfinished || !strncmp(e->d_name, "index", 5)))
			unlinkat(dirfd(dir), e->d_name, 0);
	}
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

	for (i = 0; p->log && i < p->traces * p->policies; i++) {
		procset_free(&p->log[i].procset);
		users_close(&p->log[i].users);
	}
	free(p->log);
	if (!p->dir)
		return;
	if (written) {
		remove_data(p, p->traces + 1);
		remove_unfinished(p);
	}
	if (!written && p->made)
		rmdir(p->dir);
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

	procset_take(&l->procset, number, l->users.trace->job[number].procs);
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

	watch->ctx = l;
	watch->arrived = on_arrival;
	watch->started = on_start;
	watch->finished = on_finish;
	if (procset_init(&l->procset, r->trace->procs, r->trace->jobs))
		return -FAIR_ENOMEM;
	return users_open(&l->users, r->trace, shares);
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
	return t->job[i].estimate;
}

static int64_t procs_of(const struct swf *t, size_t i)
{
	return t->job[i].procs;
}

static int64_t user_of(const struct swf *t, size_t i)
{
	return t->job[i].user_id;
}

/* How long each job waited; first, count, of all ranges of its processors. */
static void write_plan(FILE *f, const struct report *r, const struct procset *s)
{
	const struct procset_range *range;
	const char *comma = "";
	int32_t k;
	size_t i;

	fputs("{\"wait\":[", f);
	for (i = 0; i < r->trace->jobs; i++)
		fprintf(f, i ? ",%" PRId64 : "%" PRId64,
			r->result[i].start - r->trace->job[i].submit);
	fputs("],\n\"range\":[", f);
	for (i = 0; i < r->trace->jobs; i++) {
		range = s->range + s->begin[i];
		for (k = 0; k < s->count[i]; k++, comma = ",")
			fprintf(f, "%s%" PRId32 ",%" PRId32, comma,
				range[k].first,
				range[k].last - range[k].first + 1);
	}
	fputs("]}", f);
}

static void write_data(const struct page *p, size_t trace, FILE *f)
{
	const struct report *r = &p->report[trace * p->policies];
	const struct swf *t = r->trace;
	size_t i;

	fprintf(f, "fairsched.data(%zu,`{\"procs\":%" PRId32 ",\n", trace,
		t->procs);
	if (t->unix_start != INT64_MIN)
		fprintf(f, "\"unix\":%" PRId64 ",\n", t->unix_start);
	write_list(f, "id", t, id_of);
	write_list(f, "submit", t, submit_of);
	write_list(f, "run", t, run_of);
	write_list(f, "estimate", t, estimate_of);
	write_list(f, "procsOf", t, procs_of);
	write_list(f, "user", t, user_of);
	fputs("\"plans\":[", f);
	for (i = 0; i < p->policies; i++) {
		fputs(i ? ",\n" : "", f);
		write_plan(f, &r[i], &p->log[&r[i] - p->report].procset);
	}
	fputs("]}`);\n", f);
}

/* ---- tables ---- */

static void write_heading(const struct report *r, size_t number, FILE *f)
{
	const struct swf *t = r->trace;

	fprintf(f, "<h2 id=\"trace-%zu\">", number + 1);
	html_name(f, r);
	fprintf(f, "</h2>\n<p>%zu jobs", t->jobs);
	if (swf_dropped(t) || t->damaged)
		fprintf(f, " (%zu dropped, %zu lines damaged)", swf_dropped(t),
			t->damaged);
	fprintf(f, ", %" PRId32 " processor%s, order %s", t->procs,
		t->procs == 1 ? "" : "s", order_names[r->rules.order]);
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
	bool fair = c == fairness_column;
	char text[64];
	enum measure m;
	size_t i, k;

	for (k = 0; k < columns; k++) {
		m = fair ? (enum measure)k : MEASURE_WAIT;
		snprintf(text, sizeof(text), "%s%s, %s",
			 fair ? "unfairness: " : "", c[k].title, c[k].unit);
		html_row(f, NULL, text);
		for (i = 0; i < n; i++)
			html_sample(f, c[k].value(&r[i]), c[k].digits,
				    measure_error(&r[i], m),
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
					  r[i].summary.promises_broken);
		else
			html_cell(f, "none");
	html_row_end(f);
}

static void write_numbers(const struct report *r, size_t n, FILE *f)
{
	size_t i;

	html_table(f, "measure", r, n, NULL);
	write_values(r, n, column, PROMISES_COLUMN, f);
	write_promises(r, n, f);
	if (r->unfairness)
		write_values(r, n, fairness_column, FAIRNESS_COLUMNS, f);
	html_row(f, NULL, "digest");
	for (i = 0; i < n; i++)
		html_cell(f, "<code>%08" PRIx64 "<wbr>%08" PRIx64 "</code>",
			  r[i].totals.digest >> 32,
			  r[i].totals.digest & UINT32_MAX);
	html_row_end(f);
	html_table_end(f);
}

/* ---- the page ---- */

static void write_asset(const char *const *piece, FILE *f)
{
	for (; *piece; piece++)
		fputs(*piece, f);
}

static void write_head(const struct page *p, FILE *f)
{
	size_t i;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\">\n",
	      f);
	fprintf(f, MARK " %s\">\n<title>", fair_version());
	for (i = 0; i < p->traces; i++) {
		fputs(i ? ", " : "", f);
		html_name(f, &p->report[i * p->policies]);
	}
	fputs(" - fairsched compare</title>\n<style>\n", f);
	write_asset(asset_uplot_css, f);
	write_asset(asset_page_css, f);
	fputs("</style>\n</head>\n<body>\n", f);
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
	fputs("<li><a href=\"#schedule\">Schedule</a></li>\n</ul></nav>\n"
	      "</header>\n<main>\n",
	      f);
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
	fputs("</select></label>\n", f);
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

static void write_footer(FILE *f)
{
	fputs("<footer>\n<p>[CF] A. Rajbhandary, D. Bunde, V. Leung, "
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
	fputs("</main>\n", f);
	write_footer(f);
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

static bool failed(const struct page *p)
{
	size_t i;

	for (i = 0; i < p->traces * p->policies; i++)
		if (p->log[i].procset.error || p->log[i].users.failed)
			return true;
	return false;
}

int page_write(struct page *p)
{
	char name[PATH_ROOM];
	size_t i;
	FILE *f;

	if (failed(p))
		return run_error("out of memory");
	for (i = 0; i < p->traces; i++) {
		snprintf(name, sizeof(name), "trace-%zu.js", i + 1);
		f = open_file(p, name);
		if (!f)
			return EXIT_FAILED;
		write_data(p, i, f);
	}
	f = open_file(p, "index.html");
	if (!f)
		return EXIT_FAILED;
	if (write_index(p, f))
		return run_error("out of memory");
	return 0;
}
