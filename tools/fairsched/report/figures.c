/* SPDX-License-Identifier: MIT OR Unlicense */
#include "figures.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "tools/fairsched/trace/names.h"

#define BUCKETS 240 /* of time, at most */

/* ---- improvement ---- */

static const char *const titles[] = {
	"Strict", "Relaxed", "Unweighted", "Weighted", "Mean wait",
};
static const char *const notes[] = {
	"seconds that jobs start later than if no job had arrived after them "
	"([CF], figures 4 and 6).",
	"the same, had each arrived when those before it had started ([CF], "
	"figures 4 and 6).",
	"processor-seconds that jobs get less than an equal share ([CF], "
	"figure 7, top).",
	"processor-seconds that jobs get less than a share in proportion to "
	"their requests ([CF], figure 7, bottom).",
	"seconds that jobs wait ([CF], figure 8).",
};

/* Behind the name of a row. */
static const char *sample_of(const struct report *r, enum measure m)
{
	bool by_start = m == MEASURE_STRICT || m == MEASURE_RELAXED;

	return by_start && measure_sampled(r) ? " (sample)" : "";
}

static void write_gains(FILE *f, const struct report *r, size_t policies,
			enum measure m)
{
	const struct report *base = measure_base(r, policies);
	size_t i;

	for (i = 0; i < policies; i++)
		if (&r[i] != base)
			html_sample(f, improvement(base, &r[i], m), 2,
				    improvement_error(base, &r[i], m),
				    measure_none(&r[i], m));
	html_row_end(f);
}

static void figure_of_all(const struct report *r, size_t traces,
			  size_t policies, enum measure m, FILE *f)
{
	const struct report *end = r + traces * policies;
	char title[64], note[256];

	snprintf(note, sizeof(note), "Percent better than %s: %s",
		 policy_names[measure_base(r, policies)->policy], notes[m]);
	snprintf(title, sizeof(title), "%s%s", titles[m],
		 m == MEASURE_WAIT ? "" : " unfairness");
	html_figure(f, "bars", "%", title, note, true);
	html_table(f, "trace", r, policies, measure_base(r, policies));
	for (; r < end; r += policies) {
		html_row_of(f, r, sample_of(r, m));
		write_gains(f, r, policies, m);
	}
	html_table_end(f);
	html_figure_end(f);
}

void figures_of_all(const struct report *r, size_t traces, size_t policies,
		    FILE *f)
{
	enum measure m;

	if (policies < 2)
		return;
	fputs("<section>\n<h2 id=\"figures\">Improvement</h2>\n"
	      "<div class=\"charts\">\n",
	      f);
	for (m = 0; m < MEASURES; m++)
		if (measured(r, m))
			figure_of_all(r, traces, policies, m, f);
	fputs("</div>\n</section>\n", f);
}

void figures_of_one(const struct report *r, size_t policies, FILE *f)
{
	char note[256];
	enum measure m;

	if (policies < 2)
		return;
	snprintf(note, sizeof(note),
		 "Unfairness and wait, percent better than %s; below 0, worse "
		 "([CF], figures 4, 6, 7, 8).",
		 policy_names[measure_base(r, policies)->policy]);
	html_figure(f, "bars", "%", "Improvement", note, true);
	html_table(f, "measure", r, policies, measure_base(r, policies));
	for (m = 0; m < MEASURES; m++) {
		if (!measured(r, m))
			continue;
		snprintf(note, sizeof(note), "%s%s", titles[m],
			 sample_of(r, m));
		html_row(f, NULL, note);
		write_gains(f, r, policies, m);
	}
	html_table_end(f);
	html_figure_end(f);
}

/* ---- distributions ---- */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double wait_of(const struct swf *t, const struct swf_job *j,
		      int64_t start)
{
	(void)t;
	return (double)(start - j->submit);
}

static double slowdown_of(const struct swf *t, const struct swf_job *j,
			  int64_t start)
{
	return bounded_slowdown(start - j->submit, j->run, t->threshold);
}

/* Sorted, of the jobs that are measured; NULL without memory. */
static double *values_of(const struct report *r,
			 double (*of)(const struct swf *t,
				      const struct swf_job *j, int64_t start))
{
	const struct swf *t = r->trace;
	double *value = malloc(t->jobs * sizeof(*value));
	size_t i, n = 0;

	for (i = 0; value && i < t->jobs; i++)
		if (swf_measures(t, t->job[i].submit))
			value[n++] = of(t, &t->job[i], r->result[i].start);
	if (value)
		qsort(value, n, sizeof(*value), ascending);
	return value;
}

/* How many of @n are at most @x. */
static size_t count_to(const double *value, size_t n, double x)
{
	size_t low = 0, middle;

	while (low < n) {
		middle = low + (n - low) / 2;
		if (value[middle] <= x)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/*
 * Ten rows a decade, from 1 to where all policies have all jobs; of waits from
 * 10 s, on whole seconds, and the chart has them in hours.
 */
static void write_shares(FILE *f, double *const *value, size_t policies,
			 size_t jobs, bool waits)
{
	static const double tenth[] = {
		1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8
	};
	double decade = waits ? 10 : 1, x = 1, most = 1, at;
	char text[64];
	size_t i, k;

	for (i = 0; i < policies; i++)
		if (value[i][jobs - 1] > most)
			most = value[i][jobs - 1];
	for (k = 0; k == 0 || x < most; k++) {
		if (k && k % 10 == 0)
			decade *= 10;
		x = tenth[k % 10] * decade;
		if (waits)
			x = round(x);
		at = waits ? x / 3600 : x;
		if (waits)
			units_text(x, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%.10g", x);
		html_row(f, &at, text);
		for (i = 0; i < policies; i++)
			html_value(f,
				   100 * (double)count_to(value[i], jobs, x) /
					   (double)jobs,
				   2, 0);
		html_row_end(f);
	}
}

static int write_distribution(FILE *f, const struct report *r, size_t policies,
			      double (*of)(const struct swf *,
					   const struct swf_job *, int64_t))
{
	double **value = calloc(policies, sizeof(*value));
	int error = value ? 0 : -1;
	size_t i;

	for (i = 0; !error && i < policies; i++) {
		value[i] = values_of(&r[i], of);
		error = value[i] ? 0 : -1;
	}
	if (!error)
		write_shares(f, value, policies, r->summary.jobs,
			     of == wait_of);
	for (i = 0; value && i < policies; i++)
		free(value[i]);
	free(value);
	return error;
}

static int figure_of_waits(const struct report *r, size_t policies, FILE *f)
{
	int error;

	html_figure(f, "curve", "%", "Waits",
		    "Percent of jobs that wait for at most so long; the axis is in hours.",
		    false);
	html_table(f, "wait", r, policies, NULL);
	error = write_distribution(f, r, policies, wait_of);
	html_table_end(f);
	html_figure_end(f);
	return error;
}

static int figure_of_slowdowns(const struct report *r, size_t policies, FILE *f)
{
	char note[160];
	int error;

	snprintf(
		note, sizeof(note),
		"Percent of jobs whose bounded slowdown, max(1, (wait + run) / "
		"max(run, %" PRId64 " s)), is at most so much.",
		r->trace->threshold);
	html_figure(f, "curve", "%", "Slowdown", note, false);
	html_table(f, "slowdown", r, policies, NULL);
	error = write_distribution(f, r, policies, slowdown_of);
	html_table_end(f);
	html_figure_end(f);
	return error;
}

/* ---- utilization over time ---- */

/* The period that is shown, in equal parts. */
struct buckets {
	int64_t from, to, length;
	size_t n;
	double *used; /* processor-seconds, policy by policy */
};

/* What is measured, or else from the first submit to the last end of all. */
static void find_period(struct buckets *b, const struct report *r,
			size_t policies)
{
	const struct swf *t = r->trace;
	size_t i, k;
	int64_t end;

	b->from = t->from;
	b->to = t->measured ? t->to : t->from + 1;
	for (k = 0; !t->measured && k < policies; k++)
		for (i = 0; i < t->jobs; i++) {
			end = r[k].result[i].start + t->job[i].run;
			b->to = end > b->to ? end : b->to;
		}
}

static void choose_length(struct buckets *b)
{
	static const int64_t lengths[] = { 1,	  10,	 60,	 300,
					   900,	  3600,	 10800,	 21600,
					   43200, 86400, 172800, 604800 };
	int64_t whole = b->to - b->from;
	size_t i = 0;

	while (i + 1 < sizeof(lengths) / sizeof(*lengths) &&
	       whole / lengths[i] >= BUCKETS)
		i++;
	b->length = lengths[i];
	while (whole / b->length >= BUCKETS)
		b->length *= 2;
	b->n = (size_t)((whole + b->length - 1) / b->length);
}

static void add_run(const struct buckets *b, double *used, int64_t from,
		    int64_t to, int32_t procs)
{
	int64_t end, at;
	size_t i;

	from = from > b->from ? from : b->from;
	to = to < b->to ? to : b->to;
	for (at = from; at < to; at = end) {
		i = (size_t)((at - b->from) / b->length);
		end = b->from + ((int64_t)i + 1) * b->length;
		end = end < to ? end : to;
		used[i] += (double)(end - at) * procs;
	}
}

static void name_time(char *text, size_t size, const struct swf *t, int64_t at)
{
	if (!swf_dated(t) ||
	    !units_date(t->unix_start + at, text, size))
		snprintf(text, size, "%.4f d", (double)at / 86400);
}

static void write_buckets(FILE *f, const struct buckets *b,
			  const struct report *r, size_t policies)
{
	const struct swf *t = r->trace;
	char text[64];
	int64_t at, end;
	size_t i, k;
	double x;

	for (i = 0; i < b->n; i++) {
		at = b->from + (int64_t)i * b->length;
		end = at + b->length < b->to ? at + b->length : b->to;
		x = (double)at;
		if (swf_dated(t))
			x += (double)t->unix_start;
		name_time(text, sizeof(text), t, at);
		html_row(f, &x, text);
		for (k = 0; k < policies; k++)
			html_value(f,
				   100 * b->used[k * b->n + i] /
					   ((double)(end - at) * t->procs),
				   2, 0);
		html_row_end(f);
	}
}

static void name_length(char *text, size_t size, int64_t length)
{
	static const struct {
		int64_t seconds;
		const char *name;
	} unit[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	size_t i = 0;

	while (length < unit[i].seconds)
		i++;
	snprintf(text, size, "%" PRId64 " %s", length / unit[i].seconds,
		 unit[i].name);
}

static int figure_of_utilization(const struct report *r, size_t policies,
				 FILE *f)
{
	const struct swf *t = r->trace;
	struct buckets b;
	char length[32], note[128];
	size_t i, k;

	find_period(&b, r, policies);
	choose_length(&b);
	b.used = calloc(policies * b.n, sizeof(*b.used));
	if (!b.used)
		return -1;
	for (k = 0; k < policies; k++)
		for (i = 0; i < t->jobs; i++)
			add_run(&b, b.used + k * b.n, r[k].result[i].start,
				r[k].result[i].start + t->job[i].run,
				t->job[i].procs);
	name_length(length, sizeof(length), b.length);
	snprintf(note, sizeof(note),
		 "Percent of the processors that are used, means of %s.",
		 length);
	html_figure(f, !swf_dated(t) ? "days" : "time", "%",
		    "Utilization", note, false);
	html_table(f, "from", r, policies, NULL);
	write_buckets(f, &b, r, policies);
	html_table_end(f);
	html_figure_end(f);
	free(b.used);
	return 0;
}

/* ---- users ---- */

struct user {
	size_t number;
	double most; /* the largest deviation */
};

static int most_first(const void *a, const void *b)
{
	const struct user *x = a, *y = b;

	if (x->most != y->most)
		return x->most > y->most ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static double deviation(const struct users_row *row)
{
	return row->used - row->entitled;
}

/* The users with jobs, by the deviation from their entitlement. */
static size_t sort_users(struct user *user, struct users_row *const *row,
			 size_t users, size_t policies)
{
	size_t i, k, n = 0;
	double dev;

	for (i = 0; i < users; i++) {
		if (!row[0][i].jobs)
			continue;
		user[n].number = i;
		user[n].most = 0;
		for (k = 0; k < policies; k++) {
			dev = fabs(deviation(&row[k][i]));
			if (dev > user[n].most)
				user[n].most = dev;
		}
		n++;
	}
	qsort(user, n, sizeof(*user), most_first);
	return n;
}

static void name_user(const struct swf *t, int64_t id, char *text, size_t size)
{
	char name[96];

	if (id < 0) {
		snprintf(text, size, "unknown user");
		return;
	}
	swf_user(t, id, name, sizeof(name));
	snprintf(text, size, "%s%s",
		 names_of(t->names, SACCT_USER, id).n ? "" : "user ", name);
}

static void write_users(FILE *f, const struct swf *t, const struct user *user,
			size_t n, struct users_row *const *row, size_t policies)
{
	char text[128];
	size_t i, k;

	for (i = 0; i < n; i++) {
		name_user(t, row[0][user[i].number].id, text, sizeof(text));
		html_row(f, NULL, text);
		for (k = 0; k < policies; k++)
			html_value(f, deviation(&row[k][user[i].number]), 1, 0);
		html_row_end(f);
	}
}

static int figure_of_users(const struct report *r, size_t policies,
			   struct page_log *log, FILE *f)
{
	size_t users = r->trace->users, k, n;
	struct users_row **row = calloc(policies, sizeof(*row));
	struct user *user = malloc(users * sizeof(*user));
	int error = row && user ? 0 : -1;

	assert(policies);
	for (k = 0; !error && k < policies; k++) {
		row[k] = users_rows(&log[k].users, r[k].result);
		error = row[k] ? 0 : -1;
	}
	html_figure(f, "bars", "hours", "Users",
		    "Processor-hours that a user got above what was due, by "
		    "equal shares or those of --shares; below 0, less (dev of "
		    "[RS]). The largest first.",
		    false);
	html_table(f, "user", r, policies, NULL);
	if (!error) {
		n = sort_users(user, row, users, policies);
		write_users(f, r->trace, user, n, row, policies);
	}
	html_table_end(f);
	html_figure_end(f);
	for (k = 0; row && k < policies; k++)
		free(row[k]);
	free(row);
	free(user);
	return error;
}

int figures_of_trace(const struct report *r, size_t policies,
		     struct page_log *log, FILE *f)
{
	int error;

	fputs("<div class=\"charts\">\n", f);
	error = figure_of_waits(r, policies, f);
	if (!error)
		error = figure_of_slowdowns(r, policies, f);
	fputs("</div>\n", f);
	if (!error)
		error = figure_of_utilization(r, policies, f);
	return error ? error : figure_of_users(r, policies, log, f);
}
