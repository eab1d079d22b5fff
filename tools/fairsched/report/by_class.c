/* SPDX-License-Identifier: MIT OR Unlicense */
#include "by_class.h"

#include <math.h>
#include <stdio.h>

#include "tools/fairsched/base/table.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/base/units.h"

/* A class and a resource of it; its wait, if there is no such resource. */
struct by_class {
	uint32_t k, r;
};

static struct by_class place_of(const struct report *r, size_t measure)
{
	uint32_t each = r->rules.plan->config.resources + 1;

	return (struct by_class){ (uint32_t)(measure / each),
			       (uint32_t)(measure % each) };
}

size_t by_class_measures(const struct report *r)
{
	const struct plan *p = r->rules.plan;

	return plan_is_open(p) ? (size_t)p->config.classes *
					 (p->config.resources + 1)
			       : 0;
}

bool by_class_is_wait(const struct report *r, size_t measure)
{
	return place_of(r, measure).r == r->rules.plan->config.resources;
}

void by_class_name(const struct report *r, size_t measure, char *text,
		   size_t size)
{
	const struct plan *p = r->rules.plan;
	struct by_class at = place_of(r, measure);
	struct csv_field of = p->node_class[at.k];
	struct csv_field what = by_class_is_wait(r, measure)
					? csv_column("wait")
					: p->resource[at.r];

	if (p->config.wide >> at.r & 1)
		snprintf(text, size, "%.*s", (int)what.n, what.p);
	else
		snprintf(text, size, "%.*s %.*s", (int)of.n, of.p, (int)what.n,
			 what.p);
}

static double mean_wait(const struct report *r, uint32_t k)
{
	const struct swf *t = r->trace;
	double sum = 0, jobs = 0;
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		if (r->result[i].node_class != k ||
		    !swf_measures(t, t->job[i].submit))
			continue;
		sum += (double)(r->result[i].start - t->job[i].submit);
		jobs++;
	}
	return jobs > 0 ? sum / jobs : NAN;
}

/* In units times seconds. */
static double used_of(const struct report *r, struct by_class at)
{
	bool wide = r->rules.plan->config.wide >> at.r & 1;
	const struct swf *t = r->trace;
	int64_t start, end;
	double used = 0;
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		if (!wide && r->result[i].node_class != at.k)
			continue;
		start = summary_clamp(t, r->result[i].start);
		end = summary_clamp(t, r->result[i].start + t->job[i].run);
		used += (double)(end - start) *
			plan_had(r->rules.plan, i, at.r);
	}
	return used;
}

double by_class_value(const struct report *r, size_t measure)
{
	const struct plan *p = r->rules.plan;
	const struct swf *t = r->trace;
	double seconds = t->measured ? (double)(t->to - t->from)
				     : (double)r->summary.makespan;
	struct by_class at = place_of(r, measure);
	int32_t most;

	if (by_class_is_wait(r, measure))
		return mean_wait(r, at.k);
	most = p->amount[at.k * p->config.resources + at.r];
	return most && seconds > 0
		       ? 100 * used_of(r, at) / ((double)most * seconds)
		       : NAN;
}

/* "utilization_gpu_gpus", "mean_wait_gpu" */
static void print_column(const struct report *r, size_t measure, FILE *f)
{
	const struct plan *p = r->rules.plan;
	struct by_class at = place_of(r, measure);
	struct csv_field of = p->node_class[at.k];
	char text[256];
	int n;

	if (by_class_is_wait(r, measure))
		n = snprintf(text, sizeof(text), "mean_wait_%.*s",
			     csv_shown(of), of.p);
	else
		n = snprintf(text, sizeof(text), "utilization%s%.*s_%.*s",
			     p->config.wide >> at.r & 1 ? "" : "_",
			     p->config.wide >> at.r & 1 ? 0 : csv_shown(of),
			     of.p, csv_shown(p->resource[at.r]),
			     p->resource[at.r].p);
	text_csv(f, text, (size_t)n);
}

static bool is_wide_elsewhere(const struct report *r, size_t measure)
{
	struct by_class at = place_of(r, measure);

	return at.k && !by_class_is_wait(r, measure) &&
	       r->rules.plan->config.wide >> at.r & 1;
}

void by_class_csv(const struct report *r, enum by_class_cells cells, FILE *f)
{
	size_t n = by_class_measures(r), i;
	double value;

	for (i = 0; i < n; i++) {
		if (is_wide_elsewhere(r, i))
			continue;
		putc(',', f);
		value = cells == BY_CLASS_VALUES ? by_class_value(r, i) : NAN;
		if (cells == BY_CLASS_HEAD)
			print_column(r, i, f);
		else if (!isnan(value))
			fprintf(f, "%.6f",
				by_class_is_wait(r, i) ? value : value / 100);
	}
}

static void json_key(struct csv_field name, FILE *f)
{
	char text[256];

	snprintf(text, sizeof(text), "%.*s", (int)name.n, name.p);
	text_json(f, text);
}

/* { "cpus": 0.791700, "gpus": 0.173200 }, of class @k or of the whole machine */
static void json_utilization(const struct report *r, uint32_t k, bool wide,
			     FILE *f)
{
	const struct plan *p = r->rules.plan;
	const char *before = "{ ";
	double value;
	uint32_t i;

	for (i = 0; i < p->config.resources; i++) {
		if ((p->config.wide >> i & 1) != wide)
			continue;
		value = by_class_value(
			r, (size_t)k * (p->config.resources + 1) + i);
		if (isnan(value))
			continue;
		fputs(before, f);
		json_key(p->resource[i], f);
		fprintf(f, ": %.6f", value / 100);
		before = ", ";
	}
	fputs(*before == '{' ? "{ }" : " }", f);
}

void by_class_json(const struct report *r, FILE *f)
{
	const struct plan *p = r->rules.plan;
	double wait;
	uint32_t k;

	if (!by_class_measures(r))
		return;
	fputs("  \"classes\": [", f);
	for (k = 0; k < p->config.classes; k++) {
		fputs(k ? ",\n    { \"class\": " : "\n    { \"class\": ", f);
		json_key(p->node_class[k], f);
		wait = mean_wait(r, k);
		if (isnan(wait))
			fputs(", \"mean_wait\": null", f);
		else
			fprintf(f, ", \"mean_wait\": %.6f", wait);
		fputs(", \"utilization\": ", f);
		json_utilization(r, k, false, f);
		fputs(" }", f);
	}
	fputs(" ],\n", f);
	if (!p->config.wide)
		return;
	fputs("  \"of_all_classes\": ", f);
	json_utilization(r, 0, true, f);
	fputs(",\n", f);
}

static void add_cell(struct table *t, const struct report *r, size_t measure)
{
	double value = r->error[0] ? NAN : by_class_value(r, measure);
	char text[64];

	if (isnan(value))
		table_cell(t, NULL, "%s", "");
	else if (by_class_is_wait(r, measure))
		table_cell(t, NULL, "%s", units_text(value, text, sizeof(text)));
	else
		table_cell(t, NULL, "%.2f %%", value);
}

static void make(struct table *t, const struct comparison *c,
		 const struct report *first)
{
	size_t n = c->machines * c->policies, measures, i, k;
	char text[256];

	measures = by_class_measures(first);
	table_row(t, TABLE_TITLE, "by class");
	for (i = 0; i < n; i++) {
		report_label(&c->report[i], text, sizeof(text));
		table_cell(t, NULL, "%s", text);
	}
	for (k = 0; k < measures; k++) {
		if (isnan(by_class_value(first, k)))
			continue;
		by_class_name(first, k, text, sizeof(text));
		table_row(t, TABLE_ROW, text);
		for (i = 0; i < n; i++)
			add_cell(t, &c->report[i], k);
	}
}

int by_class_print(const struct comparison *c, FILE *f, size_t room)
{
	const struct report *first = tables_first(c);
	struct table t;

	if (!first || !by_class_measures(first))
		return 0;
	table_open(&t);
	make(&t, c, first);
	putc('\n', f);
	if (room)
		table_print(&t, f, room);
	else
		table_markdown(&t, f);
	return table_close(&t);
}
