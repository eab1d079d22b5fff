/* SPDX-License-Identifier: MIT OR Unlicense */
#include "figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "tools/fairsched/base/units.h"

#define BUCKETS 240 /* of time, at most */

/* ---- improvement ---- */

static const char *const titles[] = {
	"Strict", "Relaxed", "Unweighted", "Weighted", "Mean wait",
};
static const char *const notes[] = {
	"how much later jobs start than if no job had arrived after them.",
	"the same, had each job arrived when those before it had started.",
	"the processor time by which jobs fall short of an equal share.",
	"the same, of a share in proportion to what they ask for.",
	"how long jobs wait.",
};

/* Behind the name of a row. */
static const char *sample_of(const struct report *r, enum measure m)
{
	bool by_start = m == MEASURE_STRICT || m == MEASURE_RELAXED;

	return by_start && measure_sampled(r) ? " (sample)" : "";
}

static void write_gains(FILE *f, const struct report *r, size_t n,
			const struct report *base, enum measure m)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!measured(&r[i], m))
			html_cell(f, "-");
		else
			html_sample(f, improvement(base, &r[i], m), 2,
				    improvement_error(base, &r[i], m),
				    measure_none(&r[i], m));
	html_row_end(f);
}

static void figure_of_all(const struct report *r, size_t traces,
			  size_t policies, enum measure m, FILE *f)
{
	const struct report *of;
	char title[64], note[256];
	size_t base, i;

	snprintf(note, sizeof(note),
		 "Percent better than <b class=\"base\"></b>: %s", notes[m]);
	snprintf(title, sizeof(title), "%s%s", titles[m],
		 m == MEASURE_WAIT ? "" : " unfairness");
	html_figure(f, "bars", "%", title, note);
	html_table(f, "trace", r, policies);
	for (base = 0; base < policies; base++) {
		fputs("</tbody>", f);
		html_base(f, "tbody", &r[base], r);
		for (i = 0; i < traces; i++) {
			of = &r[i * policies];
			html_row_of(f, of, sample_of(of, m));
			write_gains(f, of, policies, &of[base], m);
		}
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
	fputs("<section>\n<h2 id=\"figures\">Improvement on all traces</h2>\n"
	      "<div class=\"charts\">\n",
	      f);
	for (m = 0; m < MEASURES; m++)
		if (measured(r, m))
			figure_of_all(r, traces, policies, m, f);
	fputs("</div>\n</section>\n", f);
}

static void figure_of_gains(const struct shown *s, FILE *f)
{
	const struct report *base;
	char text[64];
	enum measure m;

	if (s->n < 2)
		return;
	html_figure(f, "bars", "%", "Improvement",
		    "Unfairness and wait, percent better than <b "
		    "class=\"base\"></b>; below 0, worse.");
	html_table(f, "measure", s->report, s->n);
	for (base = s->report; base < s->report + s->n; base++) {
		fputs("</tbody>", f);
		html_base(f, "tbody", base, s->first);
		for (m = 0; m < MEASURES; m++) {
			if (!measured(base, m))
				continue;
			snprintf(text, sizeof(text), "%s%s", titles[m],
				 sample_of(base, m));
			html_row(f, NULL, text, NULL);
			write_gains(f, s->report, s->n, base, m);
		}
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
 * 10 s, on whole seconds.
 */
static void write_shares(FILE *f, double *const *value, size_t policies,
			 size_t jobs, bool waits)
{
	static const double tenth[] = {
		1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8
	};
	double decade = waits ? 10 : 1, x = 1, most = 1;
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
		if (waits)
			units_text(x, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%.10g", x);
		html_row(f, &x, text, NULL);
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

static int figure_of_waits(const struct shown *s, FILE *f)
{
	int error;

	html_figure(f, "waits", "%", "Waits",
		    "Percent of jobs that wait for at most so long.");
	html_table(f, "wait", s->report, s->n);
	error = write_distribution(f, s->report, s->n, wait_of);
	html_table_end(f);
	html_figure_end(f);
	return error;
}

static int figure_of_slowdowns(const struct shown *s, FILE *f)
{
	char note[160];
	int error;

	snprintf(
		note, sizeof(note),
		"Percent of jobs whose bounded slowdown, max(1, (wait + run) / "
		"max(run, %" PRId64 " s)), is at most so much.",
		s->first->trace->threshold);
	html_figure(f, "curve", "%", "Slowdown", note);
	html_table(f, "slowdown", s->report, s->n);
	error = write_distribution(f, s->report, s->n, slowdown_of);
	html_table_end(f);
	html_figure_end(f);
	return error;
}

/* The wait that so many percent of the jobs do not exceed, by nearest rank. */
static int table_of_percentiles(const struct shown *s, FILE *f)
{
	static const size_t percent[] = { 10, 25, 50, 75, 90, 95, 99, 100 };
	const size_t n = sizeof(percent) / sizeof(*percent);
	size_t i, k, jobs;
	double *value;
	char text[64];

	fputs("<h3>Of 100 jobs, so many wait at most</h3>\n"
	      "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">"
	      "policy</th>",
	      f);
	for (k = 0; k < n; k++)
		fprintf(f, "<th scope=\"col\">%zu</th>", percent[k]);
	fputs("</tr></thead>\n<tbody>\n", f);
	for (i = 0; i < s->n; i++) {
		value = values_of(&s->report[i], wait_of);
		if (!value)
			return -1;
		report_policy(&s->report[i], text, sizeof(text));
		html_row(f, NULL, text, NULL);
		jobs = s->report[i].summary.jobs;
		for (k = 0; k < n; k++)
			html_cell(f, "%s",
				  units_text(
					  value[(percent[k] * jobs + 99) / 100 -
						1],
					  text, sizeof(text)));
		html_row_end(f);
		free(value);
	}
	html_table_end(f);
	return 0;
}

/* ---- waits by size and length ---- */

#define SIZES 9
#define LENGTHS 7
static const int32_t sizes[SIZES] = { 1,    4,	  16,	 64,	   256,
				      1024, 4096, 16384, INT32_MAX };
static const struct {
	int64_t most;
	const char *name;
} length_class[LENGTHS] = {
	{ 600, "10 min" },     { 3600, "1 h" },	   { 14400, "4 h" },
	{ 43200, "12 h" },     { 86400, "1 day" }, { 259200, "3 days" },
	{ INT64_MAX, "more" },
};

struct cell_job {
	size_t cell;
	double wait;
};

static int by_cell(const void *a, const void *b)
{
	const struct cell_job *x = a, *y = b;

	if (x->cell != y->cell)
		return x->cell < y->cell ? -1 : 1;
	return ascending(&x->wait, &y->wait);
}

/* Sorted, and where each cell begins; NULL without memory. */
static struct cell_job *cells_of(const struct report *r,
				 size_t begin[SIZES * LENGTHS + 1])
{
	const struct swf *t = r->trace;
	struct cell_job *job = malloc(t->jobs * sizeof(*job));
	size_t i, n = 0, row, column;

	for (i = 0; job && i < t->jobs; i++) {
		if (!swf_measures(t, t->job[i].submit))
			continue;
		for (row = 0; t->job[i].procs > sizes[row];)
			row++;
		for (column = 0;
		     t->job[i].estimate > length_class[column].most;)
			column++;
		job[n].cell = row * LENGTHS + column;
		job[n++].wait = (double)(r->result[i].start - t->job[i].submit);
	}
	if (job)
		qsort(job, n, sizeof(*job), by_cell);
	for (i = 0, row = 0; job && row <= SIZES * LENGTHS; row++) {
		while (i < n && job[i].cell < row)
			i++;
		begin[row] = i;
	}
	return job;
}

static void write_cell(const struct cell_job *job, size_t n, FILE *f)
{
	char half[32], most[32];

	if (!n) {
		html_cell(f, "%s", "");
		return;
	}
	fprintf(f,
		"<td class=\"w%zu\">%s<small>90 %%: %s<br>%zu "
		"job%s</small></td>",
		summary_class_of((int64_t)job[(n + 1) / 2 - 1].wait),
		units_text(job[(n + 1) / 2 - 1].wait, half, sizeof(half)),
		units_text(job[(90 * n + 99) / 100 - 1].wait, most,
			   sizeof(most)),
		n, n == 1 ? "" : "s");
}

static void name_size(size_t row, char *text, size_t size)
{
	if (!row)
		snprintf(text, size, "1 processor");
	else if (row == SIZES - 1)
		snprintf(text, size, "more");
	else
		snprintf(text, size, "%" PRId32 " to %" PRId32,
			 sizes[row - 1] + 1, sizes[row]);
}

static int heat_of(const struct report *r, FILE *f)
{
	size_t begin[SIZES * LENGTHS + 1], row, column, at, any;
	struct cell_job *job = cells_of(r, begin);
	bool used[LENGTHS] = { false };
	char text[64];

	if (!job)
		return -1;
	for (at = 0; at < SIZES * LENGTHS; at++)
		used[at % LENGTHS] |= begin[at + 1] > begin[at];
	fputs("<div class=\"scroll\"><table class=\"heat\">\n<thead><tr>"
	      "<th scope=\"col\">size \\ length, at most</th>",
	      f);
	for (column = 0; column < LENGTHS; column++)
		if (used[column])
			fprintf(f, "<th scope=\"col\">%s</th>",
				length_class[column].name);
	fputs("</tr></thead>\n<tbody>\n", f);
	for (row = 0; row < SIZES; row++) {
		at = row * LENGTHS;
		any = begin[at + LENGTHS] - begin[at];
		if (!any)
			continue;
		name_size(row, text, sizeof(text));
		html_row(f, NULL, text, NULL);
		for (column = 0; column < LENGTHS; column++, at++)
			if (used[column])
				write_cell(job + begin[at],
					   begin[at + 1] - begin[at], f);
		html_row_end(f);
	}
	html_table_end(f);
	free(job);
	return 0;
}

/* One table for each policy: the page shows that which is chosen. */
static int figure_of_heat(const struct shown *s, FILE *f)
{
	char text[64];
	int error = 0;
	size_t i;

	fputs("<h3>By the size and the length of the job</h3>\n"
	      "<p class=\"help\">Half of the jobs of a cell wait at most so "
	      "long, 9 of 10 at most what stands below. Size: processors. "
	      "Length: the time that the job asks for.</p>\n<div>\n",
	      f);
	for (i = 0; i < s->n && !error; i++) {
		report_policy(&s->report[i], text, sizeof(text));
		fprintf(f, "<div data-policy=\"%s\"%s><h4>Under %s</h4>\n",
			text, &s->report[i] == s->first ? "" : " hidden", text);
		error = heat_of(&s->report[i], f);
		fputs("</div>\n", f);
	}
	fputs("</div>\n", f);
	return error;
}

int figures_for_users(const struct shown *s, FILE *f)
{
	int error = figure_of_heat(s, f);

	if (!error)
		error = table_of_percentiles(s, f);
	return error ? error : figure_of_waits(s, f);
}

/* ---- utilization over time ---- */

/* The period that is shown, in equal parts. */
struct buckets {
	int64_t from, to, length;
	size_t n;
	double *used; /* processor-seconds or job-seconds, policy by policy */
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

int64_t figures_until(const struct report *r, size_t n)
{
	struct buckets b;

	find_period(&b, r, n);
	return b.to;
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
			  const struct report *r, size_t policies, double whole)
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
		html_row(f, &x, text, NULL);
		for (k = 0; k < policies; k++)
			html_value(f,
				   b->used[k * b->n + i] /
					   ((double)(end - at) * whole),
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

/* Means over each part: of processors used, or of jobs that wait. */
static int figure_over_time(const struct shown *s, bool queue, FILE *f)
{
	const struct report *r = s->report;
	const struct swf *t = r->trace;
	const char *kind = swf_dated(t) ? "time" : "days";
	struct buckets b;
	char length[32], note[128];
	int64_t from, to;
	size_t i, k;

	find_period(&b, r, s->n);
	choose_length(&b);
	b.used = calloc(s->n * b.n, sizeof(*b.used));
	if (!b.used)
		return -1;
	for (k = 0; k < s->n; k++)
		for (i = 0; i < t->jobs; i++) {
			from = r[k].result[i].start;
			to = queue ? from : from + t->job[i].run;
			from = queue ? t->job[i].submit : from;
			add_run(&b, b.used + k * b.n, from, to,
				queue ? 1 : t->job[i].procs);
		}
	name_length(length, sizeof(length), b.length);
	snprintf(note, sizeof(note), "%s, means of %s.",
		 queue ? "Jobs that wait"
		       : "Percent of the processors that are used",
		 length);
	html_figure(f, kind, queue ? "jobs" : "%",
		    queue ? "Queue" : "Utilization", note);
	html_table(f, "from", r, s->n);
	write_buckets(f, &b, r, s->n, queue ? 1 : t->procs / 100.0);
	html_table_end(f);
	html_figure_end(f);
	free(b.used);
	return 0;
}

int figures_over_time(const struct shown *s, FILE *f)
{
	int error;

	fputs("<div class=\"charts\">\n", f);
	error = figure_over_time(s, true, f);
	if (!error)
		error = figure_over_time(s, false, f);
	fputs("</div>\n", f);
	return error;
}

/* ---- users and accounts ---- */

struct owner {
	size_t number;
	double most; /* the largest deviation */
};

static int most_first(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	if (x->most != y->most)
		return x->most > y->most ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Hours that the owner got beyond what was due. */
static double deviation(const struct shares_sum *s, enum dues_kind kind,
			size_t number)
{
	const struct shares_owner *o;

	if (number >= s->owners[kind])
		return 0;
	o = &s->owner[kind][number];
	return shares_sum_got(o) - shares_sum_due(o);
}

/* Those with jobs, by the largest deviation from what was due. */
static size_t sort_owners(struct owner *owner, const struct shown *s,
			  enum dues_kind kind)
{
	size_t i, k, n = 0;

	for (i = 0; i < s->shares->owners[kind]; i++) {
		if (!(s->shares->owner[kind][i].is.demand > 0))
			continue;
		owner[n].number = i;
		owner[n].most = 0;
		for (k = 0; k < s->n; k++)
			owner[n].most =
				fmax(owner[n].most,
				     fabs(deviation(&s->shares[k], kind, i)));
		n++;
	}
	qsort(owner, n, sizeof(*owner), most_first);
	return n;
}

static int figure_of_owners(const struct shown *s, enum dues_kind kind, FILE *f)
{
	size_t n = s->shares->owners[kind], i, k;
	struct owner *owner = malloc((n + 1) * sizeof(*owner));
	char text[256];

	if (!owner)
		return -1;
	n = sort_owners(owner, s, kind);
	if (n < 2 && kind == DUES_ACCOUNTS) { /* it has what all have */
		free(owner);
		return 0;
	}
	html_figure(f, "bars", "hours",
		    kind == DUES_USERS ? "Users" : "Accounts",
		    "Processor-hours got beyond the share due, day by day; "
		    "below 0, less. The largest first.");
	html_table(f, kind == DUES_USERS ? "user" : "account", s->report, s->n);
	for (i = 0; i < n; i++) {
		shares_sum_name(s->report, kind,
				&s->shares->owner[kind][owner[i].number], text,
				sizeof(text));
		html_row(f, NULL, text, NULL);
		for (k = 0; k < s->n; k++)
			html_value(
				f,
				deviation(&s->shares[k], kind, owner[i].number),
				1, 0);
		html_row_end(f);
	}
	html_table_end(f);
	html_figure_end(f);
	free(owner);
	return 0;
}

int figures_of_one(const struct shown *s, FILE *f)
{
	int error;

	fputs("<div class=\"charts\">\n", f);
	figure_of_gains(s, f);
	error = figure_of_slowdowns(s, f);
	if (!error)
		error = figure_of_owners(s, DUES_USERS, f);
	if (!error)
		error = figure_of_owners(s, DUES_ACCOUNTS, f);
	fputs("</div>\n", f);
	return error;
}
