/* SPDX-License-Identifier: MIT OR Unlicense */
#include "by_class.h"

#include <math.h>
#include <stdio.h>

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
	double sum = 0, jobs = 0;
	size_t i;

	for (i = 0; i < r->trace->jobs; i++) {
		if (r->result[i].node_class != k)
			continue;
		sum += (double)(r->result[i].start - r->trace->job[i].submit);
		jobs++;
	}
	return jobs > 0 ? sum / jobs : NAN;
}

/* In units times seconds. */
static double used_of(const struct report *r, struct by_class at)
{
	bool wide = r->rules.plan->config.wide >> at.r & 1;
	struct fair_job job = { 0 };
	double used = 0;
	size_t i;

	for (i = 0; i < r->trace->jobs; i++) {
		if (!wide && r->result[i].node_class != at.k)
			continue;
		plan_ask(r->rules.plan, i, &job);
		used += (double)r->trace->job[i].run * job.amount[at.r];
	}
	return used;
}

double by_class_value(const struct report *r, size_t measure)
{
	const struct plan *p = r->rules.plan;
	double seconds = (double)r->summary.makespan;
	struct by_class at = place_of(r, measure);
	int32_t most;

	if (by_class_is_wait(r, measure))
		return mean_wait(r, at.k);
	most = p->amount[at.k * p->config.resources + at.r];
	return most && seconds > 0
		       ? 100 * used_of(r, at) / ((double)most * seconds)
		       : NAN;
}

static void print_cell(const struct report *r, size_t measure, bool markdown,
		       FILE *f)
{
	const char *before = markdown ? " | " : "  ";
	int width = markdown ? 0 : 12;
	double value = r->error[0] ? NAN : by_class_value(r, measure);
	char text[64];

	if (isnan(value))
		text[0] = '\0';
	else if (by_class_is_wait(r, measure))
		units_text(value, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%.2f %%", value);
	fprintf(f, "%s%*s", before, width, text);
}

static void print_line(const struct comparison *c, const struct report *first,
		       size_t measure, bool markdown, FILE *f)
{
	size_t n = c->machines * c->policies, i;
	char text[64];

	if (isnan(by_class_value(first, measure)))
		return;
	by_class_name(first, measure, text, sizeof(text));
	fprintf(f, markdown ? "| %s" : "%-22s", text);
	for (i = 0; i < n; i++)
		print_cell(&c->report[i], measure, markdown, f);
	fputs(markdown ? " |\n" : "\n", f);
}

void by_class_print(const struct comparison *c, FILE *f, bool markdown)
{
	const struct report *first = tables_first(c);
	size_t n = c->machines * c->policies, measures, i;
	char text[64];

	measures = first ? by_class_measures(first) : 0;
	if (!measures)
		return;
	fprintf(f, markdown ? "\n| by class" : "\n%-22s", "by class");
	for (i = 0; i < n; i++) {
		report_policy(&c->report[i], text, sizeof(text));
		fprintf(f, markdown ? " | %s" : "  %12s", text);
	}
	fputs(markdown ? " |\n|---" : "\n", f);
	for (i = 0; i < n && markdown; i++)
		fputs("|---:", f);
	fputs(markdown ? "|\n" : "", f);
	for (i = 0; i < measures; i++)
		print_line(c, first, i, markdown, f);
}
