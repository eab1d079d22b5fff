/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "by_class.h"
#include "columns.h"
#include "tools/fairsched/base/table.h"
#include "tools/fairsched/base/text.h"

#define RED "\033[31m"
#define GREEN "\033[32m"

static size_t reports(const struct comparison *c)
{
	return c->machines * c->policies;
}

const struct report *tables_first(const struct comparison *c)
{
	size_t i;

	for (i = 0; i < reports(c); i++)
		if (!*c->report[i].error)
			return &c->report[i];
	return NULL;
}

static double mean_wait_of(const struct report *r)
{
	return r->summary.mean_wait;
}

static double max_wait_of(const struct report *r)
{
	return (double)r->summary.max_wait;
}

/* ---- waits ---- */

static void add_titles(struct table *t, const char *name, const char *area,
		       const struct column *c, size_t n)
{
	size_t i;

	table_row(t, TABLE_TITLE, name);
	for (i = 0; i < n; i++)
		table_cell(t, NULL, "%s", c[i].title);
	table_row(t, TABLE_TITLE, "");
	for (i = 0; i < n; i++)
		table_cell(t, NULL, "%s",
			   c[i].kind == COLUMN_AREA    ? area
			   : c[i].kind == COLUMN_NUMBER ? c[i].unit
			   : c == fairness_column	? "late"
							: "");
}

static void add_numbers(struct table *t, const struct report *r,
			const struct column *c, size_t n)
{
	char text[64];

	for (; n; n--, c++)
		table_cell(t, NULL, "%s",
			   column_text(c, c->value(r), text, sizeof(text)));
}

static void add_row(struct table *t, const struct report *r,
		    const struct column *c, size_t n)
{
	char label[64];

	report_label(r, label, sizeof(label));
	table_row(t, TABLE_ROW, label);
	add_numbers(t, r, c, n);
}

static void add_promises(struct table *t, const struct report *r)
{
	const struct summary *s = &r->summary;

	if (sim_promises(&r->rules))
		table_cell(t, NULL, "%zu/%zu", s->promises_kept,
			   s->promises_kept + s->late.jobs);
	else
		table_cell(t, NULL, "none");
}

int tables_judge(const struct column *c, double value, double first, char *text,
		 size_t size)
{
	double percent =
		first > 0 ? 100 * fabs(value - first) / first : INFINITY;
	bool better = (value > first) == c->more_is_better;
	const char *word = better ? "better" : "worse";

	if (value == first || percent < 0.05) {
		snprintf(text, size, "same");
		return 0;
	}
	if (isinf(percent))
		snprintf(text, size, "%s", word);
	else if (percent < 1)
		snprintf(text, size, "<1%% %s", word);
	else if (percent < 1000)
		snprintf(text, size, "%d%% %s", (int)percent, word);
	else
		snprintf(text, size, "%.0fx %s", value / first, word);
	return better ? 1 : -1;
}

static void add_judgement(struct table *t, const struct report *r,
			  const struct report *first, const struct column *c,
			  size_t n, bool colour)
{
	static const char *const paint[] = { RED, "", GREEN };
	char text[32];
	int which;

	if (r == first)
		return;
	table_row(t, TABLE_REMARK, "");
	for (; n; n--, c++) {
		which = 1 + tables_judge(c, c->value(r), c->value(first), text,
					 sizeof(text));
		table_cell(t, colour ? paint[which] : NULL, "%s", text);
	}
}

static void add_recorded(struct table *t, const struct comparison *c,
			 const struct column *of, size_t n)
{
	struct report r;

	if (report_recorded(&r, c->report))
		t->failed = true;
	else if (r.result)
		add_row(t, &r, of, n);
	report_free(&r);
}

static int make_waits(struct table *t, const struct comparison *c, bool colour)
{
	const struct report *first = tables_first(c), *r = c->report;
	bool both;
	size_t i;

	add_titles(t, "policy", "", column, COLUMNS);
	for (; r < c->report + reports(c); r++) {
		char label[64];

		if (*r->disturbance)
			continue;
		report_label(r, label, sizeof(label));
		if (*r->error) {
			table_line(t, label, "cannot run: ", r->error);
			continue;
		}
		both = sim_promises(&r->rules) && sim_promises(&first->rules);
		add_row(t, r, column, PROMISES_COLUMN);
		add_promises(t, r);
		add_judgement(t, r, first, column, PROMISES_COLUMN + both,
			      colour);
	}
	add_recorded(t, c, column, PROMISES_COLUMN);
	for (i = 0; i < c->left_outs; i++)
		table_line(t, c->left_out[i].label, "cannot run: ",
			   c->left_out[i].why);
	return t->failed ? -1 : 0;
}

/* ---- the shares due and got ---- */

/* Nothing of what is 0 under all: where there is one user, or one account. */
static void make_shares(struct table *t, const struct comparison *c,
			bool colour)
{
	const struct report *first = tables_first(c), *r = c->report;
	const struct report *end = r + reports(c);
	const struct column *of = share_column;
	size_t n = 0;

	for (; r < end; r++)
		if (!*r->error && r->summary.deviation[DUES_ACCOUNTS] > 0)
			n = DUES_KINDS;
		else if (!*r->error && r->summary.deviation[DUES_USERS] > 0)
			n = n ? n : 1;
	if (!n)
		return;
	add_titles(t, "fair share", "", of, n);
	for (r = c->report; r < end; r++) {
		if (*r->error || *r->disturbance)
			continue;
		add_row(t, r, of, n);
		add_judgement(t, r, first, of, n, colour);
	}
	add_recorded(t, c, of, n);
}

/* ---- on nodes ---- */

/* The causes by which any policy broke a promise, by enum fair_cause. */
static size_t causes(const struct comparison *c, size_t *cause)
{
	size_t n = 0, i, k;

	for (k = 0; k < SUMMARY_CAUSES; k++)
		for (i = 0; i < reports(c); i++)
			if (!*c->report[i].error &&
			    c->report[i].summary.late_by[k].jobs) {
				cause[n++] = k;
				break;
			}
	return n;
}

/* How often amounts were free but no nodes, and what became of promises. */
static void make_placement(struct table *t, const struct comparison *c)
{
	const struct report *first = tables_first(c), *r = c->report;
	size_t cause[SUMMARY_CAUSES], n = causes(c, cause), i;
	char label[64];

	if (!first || !report_placed(first))
		return;
	table_row(t, TABLE_TITLE, "no nodes, though free");
	table_cell(t, NULL, "times");
	table_cell(t, NULL, "jobs");
	for (i = 0; i < n; i++)
		table_cell(t, NULL, "broken by");
	table_row(t, TABLE_TITLE, "");
	table_cell(t, NULL, "%s", "");
	table_cell(t, NULL, "%s", "");
	for (i = 0; i < n; i++)
		table_cell(t, NULL, "%s", summary_causes[cause[i]]);
	for (; r < c->report + reports(c); r++) {
		if (*r->error)
			continue;
		report_label(r, label, sizeof(label));
		table_row(t, TABLE_ROW, label);
		table_cell(t, NULL, "%zu", r->totals.unplaced);
		table_cell(t, NULL, "%zu", r->totals.unplaced_jobs);
		for (i = 0; i < n; i++)
			if (sim_promises(&r->rules))
				table_cell(t, NULL, "%zu",
					   r->summary.late_by[cause[i]].jobs);
			else
				table_cell(t, NULL, "none");
	}
}

/* ---- how late, and disturbances ---- */

static void add_time(struct table *t, double seconds)
{
	char text[64];

	table_cell(t, NULL, "%s", units_text(seconds, text, sizeof(text)));
}

static void add_late(struct table *t, const struct lateness *l)
{
	if (!l->jobs)
		return;
	add_time(t, (double)l->p99);
	add_time(t, (double)l->max);
}

/* Where there are several. */
static void add_late_by(struct table *t, const struct summary *s)
{
	char name[TABLE_NAME];
	size_t i;

	for (i = 0; i < SUMMARY_CAUSES; i++) {
		if (!s->late_by[i].jobs || s->late_by[i].jobs == s->late.jobs)
			continue;
		snprintf(name, sizeof(name), "    %s", summary_causes[i]);
		table_row(t, TABLE_ROW, name);
		table_cell(t, NULL, "%s", "");
		table_cell(t, NULL, "%s", "");
		table_cell(t, NULL, "%zu", s->late_by[i].jobs);
		add_late(t, &s->late_by[i]);
	}
}

static bool can_be_late(const struct comparison *c)
{
	size_t i;

	for (i = 0; i < reports(c); i++)
		if (*c->report[i].disturbance ||
		    (!*c->report[i].error && c->report[i].summary.late.jobs))
			return true;
	return false;
}

/* A disturbed run follows the undisturbed one. */
static void add_lateness(struct table *t, const struct report *r)
{
	char label[64];

	if (*r->disturbance)
		snprintf(label, sizeof(label), "  %.61s", r->disturbance);
	else
		report_label(r, label, sizeof(label));
	if (*r->error) {
		table_line(t, label, "cannot run: ", r->error);
		return;
	}
	table_row(t, TABLE_ROW, label);
	add_time(t, mean_wait_of(r));
	add_time(t, max_wait_of(r));
	add_promises(t, r);
	add_late(t, &r->summary.late);
	add_late_by(t, &r->summary);
}

/* What the promises are worth. */
static void make_lateness(struct table *t, const struct comparison *c)
{
	static const char *const title[][2] = {
		{ "mean wait", "" }, { "max wait", "" },
		{ "promises", "kept of" }, { "late", "p99" },
		{ "late", "max" }
	};
	size_t n = sizeof(title) / sizeof(*title), i, k;

	if (!can_be_late(c))
		return;
	for (k = 0; k < 2; k++) {
		table_row(t, TABLE_TITLE, k ? "" : "how late");
		for (i = 0; i < n; i++)
			table_cell(t, NULL, "%s", title[i][k]);
	}
	for (i = 0; i < reports(c); i++)
		add_lateness(t, &c->report[i]);
}

/* ---- unfairness ---- */

static void add_error(struct table *t, const struct report *r, enum measure m,
		      double error, bool percent)
{
	double none = measure_none(r, m);
	char text[32];

	if (none > 0)
		table_cell(t, NULL, "none, <%.2g%%", none);
	else if (percent)
		table_cell(t, NULL, "%.2f", error);
	else
		table_cell(t, NULL, "%s",
			   units_text(error, text, sizeof(text)));
}

/* The confidence intervals of a sample. */
static void add_errors(struct table *t, const struct report *r,
		       double strict_error, double relaxed_error, bool percent)
{
	if (!measure_sampled(r))
		return;
	table_row(t, TABLE_REMARK, "  +- (95 %)");
	add_error(t, r, MEASURE_STRICT, strict_error, percent);
	add_error(t, r, MEASURE_RELAXED, relaxed_error, percent);
}

static void make_unfairness(struct table *t, const struct comparison *c,
			    bool colour)
{
	const struct report *first = c->report, *r;

	add_titles(t, "unfairness",
		   plan_is_open(first->rules.plan) &&
				   first->rules.plan->is_billed
			   ? "cost h short"
			   : "proc h short",
		   fairness_column, FAIRNESS_COLUMNS);
	for (r = first; r < first + reports(c); r++) {
		add_row(t, r, fairness_column, FAIRNESS_COLUMNS);
		add_errors(t, r, measure_error(r, MEASURE_STRICT),
			   measure_error(r, MEASURE_RELAXED), false);
		add_judgement(t, r, first, fairness_column, FAIRNESS_COLUMNS,
			      colour);
	}
}

static void add_improvement(struct table *t, const struct report *base,
			    const struct report *r)
{
	char label[64];
	enum measure m;
	double gain;

	report_label(r, label, sizeof(label));
	table_row(t, TABLE_ROW, label);
	for (m = 0; m < MEASURES; m++) {
		gain = improvement(base, r, m);
		if (isinf(gain))
			table_cell(t, NULL, "worse");
		else
			table_cell(t, NULL, "%.2f", gain);
	}
	add_errors(t, r, improvement_error(base, r, MEASURE_STRICT),
		   improvement_error(base, r, MEASURE_RELAXED), true);
}

/* Machine by machine: the jobs of another may be others. */
static void make_improvements(struct table *t, const struct comparison *c)
{
	const struct report *r = c->report;
	enum measure m;
	size_t i;

	table_row(t, TABLE_TITLE, "improvement");
	for (m = 0; m < MEASURES; m++)
		table_cell(t, NULL, "%s", measure_names[m]);
	table_row(t, TABLE_TITLE, "");
	for (m = 0; m < MEASURES; m++)
		table_cell(t, NULL, "%%");
	for (i = 0; i < reports(c); i++)
		if (i % c->policies)
			add_improvement(t, &r[i - i % c->policies], &r[i]);
}

static void print_sample(const struct comparison *c, FILE *f, size_t room)
{
	const struct report *r = c->report;
	bool none = false;
	size_t i;

	if (!measure_sampled(r))
		return;
	fprintf(f, "\nstrict and relaxed: of a sample, %zu of %zu jobs\n",
		r->unfairness->known, r->summary.jobs);
	for (i = 0; i < reports(c); i++)
		none = none || measure_none(&r[i], MEASURE_STRICT) > 0 ||
		       measure_none(&r[i], MEASURE_RELAXED) > 0;
	if (none)
		text_wrap(f,
			  "none, <x%: none of the sample is late, and fewer "
			  "than x % of all jobs (95 %)",
			  0, room);
}

/* ---- sentences ---- */

static bool any(const struct report *r)
{
	(void)r;
	return true;
}

static bool keeps_promises(const struct report *r)
{
	return sim_promises(&r->rules) && !r->summary.late.jobs;
}

/* Of undisturbed runs: the first of the least by @of that @may; or NULL. */
static const struct report *least_of(const struct comparison *c,
				     bool (*may)(const struct report *r),
				     double (*of)(const struct report *r))
{
	const struct report *least = NULL, *r = c->report;

	for (; r < c->report + reports(c); r++)
		if (!*r->error && !*r->disturbance && may(r) &&
		    (!least || of(r) < of(least)))
			least = r;
	return least;
}

static bool is_tie(const struct comparison *c, const struct report *with)
{
	const struct report *r = c->report, *end = r + reports(c);

	for (; r < end; r++)
		if (!*r->error && !*r->disturbance &&
		    (mean_wait_of(r) != mean_wait_of(with) ||
		     max_wait_of(r) != max_wait_of(with)))
			return false;
	return true;
}

void tables_conclusion(const struct comparison *c, char *text, size_t size)
{
	const struct report *mean = least_of(c, any, mean_wait_of);
	const struct report *most = least_of(c, any, max_wait_of);
	const struct report *kept = least_of(c, keeps_promises, mean_wait_of);
	char name[3][64], time[3][64];

	*text = '\0';
	if (reports(c) < 2 || !mean)
		return;
	report_label(mean, name[0], sizeof(name[0]));
	report_label(most, name[1], sizeof(name[1]));
	units_text(mean_wait_of(mean), time[0], sizeof(time[0]));
	units_text(max_wait_of(most), time[1], sizeof(time[1]));
	if (is_tie(c, mean))
		snprintf(text, size,
			 "Jobs wait the same under all of these, %s on average "
			 "and %s at most. ",
			 time[0], time[1]);
	else
		snprintf(text, size,
			 "Jobs wait least under %s, %s on average; the longest "
			 "wait is shortest under %s, %s. ",
			 name[0], time[0], name[1], time[1]);
	text += strlen(text);
	size -= strlen(text);
	if (!kept) {
		snprintf(text, size,
			 "None of these policies promises a start when a job "
			 "arrives.");
		return;
	}
	report_label(kept, name[2], sizeof(name[2]));
	units_text(mean_wait_of(kept), time[2], sizeof(time[2]));
	snprintf(text, size,
		 "With a promised start that holds, they wait least under %s, "
		 "%s.",
		 name[2], time[2]);
}

/* ---- all of it ---- */

static void print_orders(const struct comparison *c, FILE *f)
{
	const struct report *r = c->report;
	const char *before = r->tells_order ? ", orders " : ", order ";
	uint32_t seen = 0;
	size_t i;

	for (i = 0; i < c->policies; i++) {
		if (seen >> r[i].rules.order & 1)
			continue;
		seen |= 1u << r[i].rules.order;
		fprintf(f, "%s%s", before, order_names[r[i].rules.order]);
		before = ", ";
	}
}

void tables_jobs(const struct swf *t, FILE *f)
{
	size_t repeated = swf_repeated(t), i;

	fprintf(f, "%zu job%s", t->jobs, t->jobs == 1 ? "" : "s");
	if (swf_dropped(t) || t->damaged)
		fprintf(f, " (%zu dropped, %zu line%s damaged)", swf_dropped(t),
			t->damaged, t->damaged == 1 ? "" : "s");
	for (i = 0; i < SWF_NOTES; i++)
		if (t->noted[i])
			fprintf(f, " (%zu %s)", t->noted[i], swf_note_text[i]);
	if (repeated)
		fprintf(f, " (%zu with a number that another has)", repeated);
}

/* Other machines may drop other jobs. */
static void print_heading(const struct comparison *c, FILE *f)
{
	const struct swf *t;
	size_t i;

	for (i = 0; i < c->machines; i++) {
		t = c->report[i * c->policies].trace;
		if (c->machines > 1)
			fprintf(f, "%s on %" PRId32 " processors ",
				i ? "," : ":", t->procs);
		else
			fputs(": ", f);
		tables_jobs(t, f);
		if (c->machines == 1)
			fprintf(f, ", %" PRId32 " processor%s", t->procs,
				t->procs == 1 ? "" : "s");
	}
	print_orders(c, f);
}

static int wrap_heading(const struct comparison *c, FILE *f, size_t room)
{
	char *text = NULL;
	size_t bytes;
	FILE *heading = open_memstream(&text, &bytes);
	int error = heading ? 0 : -1;

	if (heading) {
		fputs(c->report->name, heading);
		print_heading(c, heading);
		error |= ferror(heading);
		error |= fclose(heading);
	}
	if (!error)
		text_wrap(f, text, 0, room);
	free(text);
	return error;
}

static const char *maintained(const struct comparison *c)
{
	size_t i;

	for (i = 0; i < c->policies; i++)
		if (c->report[i].tells_maintenance &&
		    report_maintained(&c->report[i]))
			return c->report[i].rules.maintenance->name;
	return NULL;
}

static void print_legend(const struct comparison *c, FILE *f, const char *star)
{
	if (!maintained(c))
		return;
	fprintf(f, "\n%s with the advance reservations of ", star);
	text_show(f, maintained(c));
	fputs(".\n", f);
}

int tables_print(const struct comparison *c, FILE *f, size_t room, bool colour)
{
	struct table waits, shares, lateness, placement, unfairness, gains;
	char conclusion[512];
	int error;

	table_open(&waits);
	table_open(&shares);
	table_open(&placement);
	table_open(&unfairness);
	table_open(&gains);
	table_open(&lateness);
	error = make_waits(&waits, c, colour);
	make_shares(&shares, c, colour);
	make_lateness(&lateness, c);
	make_placement(&placement, c);
	if (c->report->unfairness)
		make_unfairness(&unfairness, c, colour);
	if (c->report->unfairness && c->policies > 1)
		make_improvements(&gains, c);
	error |= wrap_heading(c, f, room);
	putc('\n', f);
	table_print(&waits, f, room);
	print_legend(c, f, "*");
	tables_conclusion(c, conclusion, sizeof(conclusion));
	if (*conclusion) {
		putc('\n', f);
		text_wrap(f, conclusion, 0, room);
	}
	if (shares.rows)
		putc('\n', f);
	table_print(&shares, f, room);
	if (lateness.rows)
		putc('\n', f);
	table_print(&lateness, f, room);
	if (placement.rows)
		putc('\n', f);
	table_print(&placement, f, room);
	if (unfairness.rows)
		putc('\n', f);
	table_print(&unfairness, f, room);
	if (gains.rows)
		putc('\n', f);
	table_print(&gains, f, room);
	print_sample(c, f, room);
	error |= table_close(&waits);
	error |= table_close(&shares);
	error |= table_close(&lateness);
	error |= table_close(&placement);
	error |= table_close(&unfairness);
	error |= table_close(&gains);
	return error;
}

/* ---- a picture ---- */

static const char class_letter[SUMMARY_CLASSES + 1] = " .:-=+#";

/* The parts of the bar end where the sums do, so that they add up. */
static void print_bar(const char *label, size_t labels,
		      const struct summary *s, size_t wide, FILE *f)
{
	size_t i, at = 0, sum = 0, end;

	fprintf(f, "%-*s |", (int)labels, label);
	for (i = 0; i < SUMMARY_CLASSES; i++) {
		sum += s->waits[i];
		for (end = (sum * wide + s->jobs / 2) / s->jobs; at < end; at++)
			putc(class_letter[i], f);
	}
	fputs("|\n", f);
}

int tables_plot(const struct comparison *c, FILE *f, size_t room)
{
	const struct report *r, *end = c->report + reports(c);
	size_t labels = 8, wide, i; /* of "recorded" */
	char label[64], legend[256];
	struct report recorded;
	size_t n;

	for (r = c->report; r < end; r++) {
		report_label(r, label, sizeof(label));
		labels = strlen(label) > labels ? strlen(label) : labels;
	}
	wide = room > labels + 23 ? room - labels - 3 : 20;
	wide = wide < 100 ? wide : 100;
	if (report_recorded(&recorded, c->report))
		return -1;
	n = (size_t)snprintf(legend, sizeof(legend), "waits of all jobs:");
	for (i = 0; i < SUMMARY_CLASSES; i++)
		n += (size_t)snprintf(legend + n, sizeof(legend) - n,
				      "%s '%c' %s", i ? "," : "",
				      class_letter[i], summary_class_name[i]);
	putc('\n', f);
	text_wrap(f, legend, 0, room);
	for (r = c->report; r < end; r++) {
		if (*r->error)
			continue;
		report_label(r, label, sizeof(label));
		print_bar(label, labels, &r->summary, wide, f);
	}
	if (recorded.result)
		print_bar("recorded", labels, &recorded.summary, wide, f);
	report_free(&recorded);
	return 0;
}

int tables_markdown(const struct comparison *c, FILE *f)
{
	struct table waits, shares, lateness, placement, unfairness;
	char conclusion[512];
	int error;

	table_open(&lateness);
	table_open(&waits);
	table_open(&shares);
	table_open(&placement);
	table_open(&unfairness);
	error = make_waits(&waits, c, false);
	make_shares(&shares, c, false);
	make_lateness(&lateness, c);
	make_placement(&placement, c);
	if (c->report->unfairness)
		make_unfairness(&unfairness, c, false);
	fputs("## ", f);
	text_markdown(f, c->report->name);
	fputs("\n\n", f);
	fputs("The trace", f);
	print_heading(c, f);
	fputs(".\n\n", f);
	table_markdown(&waits, f);
	print_legend(c, f, "\\*");
	tables_conclusion(c, conclusion, sizeof(conclusion));
	if (*conclusion)
		fprintf(f, "\n%s\n", conclusion);
	if (shares.rows)
		putc('\n', f);
	table_markdown(&shares, f);
	if (lateness.rows)
		putc('\n', f);
	table_markdown(&lateness, f);
	if (placement.rows)
		putc('\n', f);
	table_markdown(&placement, f);
	if (unfairness.rows)
		putc('\n', f);
	table_markdown(&unfairness, f);
	error |= table_close(&waits);
	error |= table_close(&shares);
	error |= table_close(&lateness);
	error |= table_close(&placement);
	error |= table_close(&unfairness);
	return error;
}

/* ---- CSV ---- */

static void csv_start(const struct report *r, const char *policy, FILE *f)
{
	text_csv(f, r->name, strlen(r->name));
	fprintf(f, ",%s,", policy);
}

static void csv_summary(const struct report *r, FILE *f)
{
	const struct summary *s = &r->summary;

	fprintf(f, "%" PRId32 ",%zu,%zu,%zu,%.6f,%" PRId64 ",%" PRId64,
		r->trace->procs, s->jobs, swf_dropped(r->trace),
		r->trace->damaged, s->mean_wait, s->p99_wait, s->max_wait);
	fprintf(f, ",%.6f,%.6f,%" PRId64 ",", s->mean_bounded_slowdown,
		s->utilization, s->makespan);
}

static void csv_unfairness(const struct report *r, FILE *f)
{
	enum measure m;

	for (m = MEASURE_STRICT; m <= MEASURE_WEIGHTED; m++) {
		if (measured(r, m))
			fprintf(f, "%.6f", measure_of(r, m));
		putc(',', f);
	}
}

/* Of --place nodes alone: the columns, or a row of them. */
static void csv_placement(const struct report *r, bool head, FILE *f)
{
	size_t i;

	if (!report_placed(r))
		return;
	if (head)
		fputs(",unplaced,unplaced_jobs", f);
	else
		fprintf(f, ",%zu,%zu", r->totals.unplaced,
			r->totals.unplaced_jobs);
	for (i = FAIR_CAUSE_CAPACITY; i < SUMMARY_CAUSES; i++)
		if (head)
			fprintf(f, ",broken_by_%s", summary_causes[i]);
		else if (sim_promises(&r->rules))
			fprintf(f, ",%zu", r->summary.late_by[i].jobs);
		else
			putc(',', f);
}

/* By cause: its jobs, mean, 99th percentile, maximum. */
static void csv_late(const struct summary *s, FILE *f)
{
	const struct lateness *l = &s->late;
	const char *before = "";
	size_t i;

	if (!l->jobs) {
		fputs(",,,,", f);
		return;
	}
	fprintf(f, ",%.6f,%" PRId64 ",%" PRId64 ",", l->mean, l->p99, l->max);
	for (i = 0; i < SUMMARY_CAUSES; i++) {
		l = &s->late_by[i];
		if (!l->jobs)
			continue;
		fprintf(f, "%s%s %zu %.6f %" PRId64 " %" PRId64, before,
			summary_causes[i], l->jobs, l->mean, l->p99, l->max);
		before = "; ";
	}
}

static void csv_shares(const struct summary *s, FILE *f)
{
	fprintf(f, ",%.6f,%.6f", s->deviation[DUES_USERS],
		s->deviation[DUES_ACCOUNTS]);
}

static void csv_report(const struct report *r, FILE *f)
{
	const struct summary *s = &r->summary;

	csv_start(r, policy_names[r->policy], f);
	fprintf(f, "%s,", order_names[r->rules.order]);
	if (r->policy == RULES_DEPTH)
		fprintf(f, "%" PRIu32, r->rules.depth);
	fprintf(f, ",%s,", report_maintained(r) ? "yes" : "no");
	csv_summary(r, f);
	if (sim_promises(&r->rules))
		fprintf(f, "%zu,%zu,", s->promises_kept, s->late.jobs);
	else
		fputs(",,", f);
	csv_unfairness(r, f);
	fprintf(f, "%016" PRIx64 ",", r->totals.digest);
	text_csv(f, r->disturbance, strlen(r->disturbance));
	csv_late(s, f);
	csv_shares(s, f);
	by_class_csv(r, BY_CLASS_VALUES, f);
	csv_placement(r, false, f);
	putc('\n', f);
}

int tables_csv(const struct comparison *c, FILE *f, bool head)
{
	const struct report *r = c->report;
	struct report recorded;
	size_t i;

	if (head)
		fputs("trace,policy,order,depth,maintenance,procs,jobs,dropped,"
		      "damaged,mean_wait,p99_wait,max_wait,"
		      "mean_bounded_slowdown,utilization,makespan,"
		      "promises_kept,promises_broken,strict_unfairness,"
		      "relaxed_unfairness,unweighted_unfairness,"
		      "weighted_unfairness,digest,disturbance,late_mean,"
		      "late_p99,late_max,late_by,user_share_deviation,"
		      "account_share_deviation",
		      f);
	if (head) {
		by_class_csv(r, BY_CLASS_HEAD, f);
		csv_placement(r, true, f);
		putc('\n', f);
	}
	for (; r < c->report + reports(c); r++)
		if (!*r->error)
			csv_report(r, f);
	if (report_recorded(&recorded, c->report))
		return -1;
	if (recorded.result) {
		csv_start(c->report, "recorded", f);
		fputs(",,,", f);
		csv_summary(&recorded, f);
		fputs(",,,,,,,,,,,", f);
		csv_shares(&recorded.summary, f);
		by_class_csv(c->report, BY_CLASS_NOTHING, f);
		for (i = FAIR_CAUSE_CAPACITY - 2;
		     i < SUMMARY_CAUSES && report_placed(c->report); i++)
			putc(',', f);
		putc('\n', f);
	}
	report_free(&recorded);
	return 0;
}
