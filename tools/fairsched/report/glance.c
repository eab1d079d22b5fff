/* SPDX-License-Identifier: MIT OR Unlicense */
#include "glance.h"

#include <inttypes.h>
#include <string.h>

#include "columns.h"
#include "tables.h"
#include "tools/fairsched/base/units.h"

#define CLOSE 0.05 /* of a mean wait: no difference to rely on */

static const char *const policy_says[] = {
	"strictly in order: a job that must wait holds up all behind it",
	"a later job may go first if the first one that waits is not delayed",
	"as easy, but the first several waiting jobs are not delayed",
	"every job is promised a start when it arrives; holes are filled by "
	"jobs that fit",
	"as conservative, and all move up in order when processors come free "
	"early",
	"as conservative, but jobs move up only once waiting jobs were offered "
	"the holes",
	"users that used less than their share in a window of time go first",
	"each account is kept at its target number of processors",
	"by Maui's priorities and limits, as the site's configuration says",
};

const char *glance_policy(int policy)
{
	return policy == REPORT_RECORDED ? "what the site had, by its log"
					 : policy_says[policy];
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- what was simulated ---- */

static void name_machine(const struct report *r, FILE *f)
{
	const struct plan *p = r->rules.plan;
	uint32_t nodes = 0, k;

	fprintf(f, "<b>%" PRId32 " processor%s</b>", r->trace->procs,
		plural((size_t)r->trace->procs));
	if (!plan_is_open(p))
		return;
	for (k = 0; p->nodes.count && k < p->config.classes; k++)
		nodes += (uint32_t)p->nodes.count[k];
	if (nodes)
		fprintf(f, " on %" PRIu32 " node%s", nodes, plural(nodes));
	if (p->config.classes > 1)
		fprintf(f, " of %" PRIu32 " classes", p->config.classes);
}

static void name_dates(const struct swf *t, FILE *f)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	char from[64], to[64], length[64];
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		if (!swf_measures(t, t->job[i].submit))
			continue;
		first = t->job[i].submit < first ? t->job[i].submit : first;
		last = t->job[i].submit > last ? t->job[i].submit : last;
	}
	units_text((double)(last - first), length, sizeof(length));
	if (swf_dated(t) &&
	    units_date(t->unix_start + first, from, sizeof(from)) &&
	    units_date(t->unix_start + last, to, sizeof(to)))
		fprintf(f, "from <b>%.10s</b> to <b>%.10s</b> (%s)", from, to,
			length);
	else
		fprintf(f, "over <b>%s</b>, without dates", length);
}

static void write_what(const struct report *r, FILE *f)
{
	const struct swf *t = r->trace;

	fprintf(f,
		"<p class=\"fact\" data-fact=\"what\"><b>%zu job%s</b> "
		"submitted ",
		r->summary.jobs, plural(r->summary.jobs));
	name_dates(t, f);
	fputs(", simulated on ", f);
	name_machine(r, f);
	if (!r->tells_order && r->rules.order != FAIR_ORDER_FCFS)
		fprintf(f, ", order %s", order_names[r->rules.order]);
	if (t->measured)
		fprintf(f,
			"; of %zu, those submitted from second %" PRId64
			" to %" PRId64 " are measured",
			t->jobs, t->from, t->to);
	fputs(".</p>\n", f);
}

/* ---- what was left out or guessed ---- */

/* The first behind @lead, the others behind a semicolon. */
static void write_count(FILE *f, size_t *told, const char *lead, size_t n,
			const char *what, const char *text)
{
	if (!n)
		return;
	fprintf(f, "%s%zu %s%s%s%s%s", (*told)++ ? "; " : lead, n, what,
		plural(n), *text ? " (" : "", text, *text ? ")" : "");
}

static size_t write_dropped(const struct swf *t, FILE *f)
{
	static const char lead[] = "Left out: ";
	size_t told = 0, i;

	write_count(f, &told, lead, t->no_jobs, "line", "no job that ran");
	for (i = 0; i < SWF_REASONS; i++)
		write_count(f, &told, lead, t->dropped[i], "job",
			    swf_reason_text[i]);
	write_count(f, &told, lead, t->damaged, "damaged line", "");
	return told;
}

static size_t write_guessed(const struct report *r, const char *lead, FILE *f)
{
	const struct swf *t = r->trace;
	size_t told = 0, i;

	for (i = 0; i < SWF_NOTES; i++)
		write_count(f, &told, lead, t->noted[i], "job",
			    swf_note_text[i]);
	write_count(f, &told, lead, swf_repeated(t), "job",
		    "whose number another has");
	if (t->guessed_procs && !plan_is_open(r->rules.plan))
		fprintf(f,
			"%sthe %" PRId32 " processors, the most that were in "
			"use at once",
			told++ ? "; " : lead, t->procs);
	if (t->is_epoch)
		fprintf(f, "%sthat times are seconds since 1970",
			told++ ? "; " : lead);
	return told;
}

static void write_left_out(const struct report *r, FILE *f)
{
	size_t left;

	fputs("<p class=\"fact\" data-fact=\"left-out\">", f);
	left = write_dropped(r->trace, f);
	fputs(left ? ". " : "Nothing was left out", f);
	if (!write_guessed(r, left ? "Guessed: " : ". Guessed: ", f))
		fputs(left ? "Nothing was guessed" : " or guessed", f);
	fputs(".</p>\n", f);
}

/* ---- waits and promises ---- */

static void write_judged(const struct shown *s, const struct report *r,
			 const struct column *c, FILE *f)
{
	const struct report *base;
	char text[64];

	column_text(c, c->value(r), text, sizeof(text));
	fprintf(f, "<td>%s", text);
	for (base = s->report; base < s->report + s->n; base++) {
		html_base(f, "small", base, s->first);
		if (base != r) {
			tables_judge(c, c->value(r), c->value(base), text,
				     sizeof(text));
			fputs(text, f);
		}
		fputs("</small>", f);
	}
	fputs("</td>", f);
}

static void write_promises(const struct report *r, FILE *f)
{
	const struct lateness *late = &r->summary.late;
	char mean[32], most[32];

	if (!report_promises(r))
		html_cell(f, r->policy == REPORT_RECORDED ? "-" : "none given");
	else if (!late->jobs)
		html_cell(f, "all kept<small>%zu of %zu</small>",
			  r->summary.promises_kept, r->summary.promises_kept);
	else
		html_cell(f,
			  "%zu of %zu kept<small>others %s late on average, %s "
			  "at most</small>",
			  r->summary.promises_kept,
			  r->summary.promises_kept + late->jobs,
			  units_text(late->mean, mean, sizeof(mean)),
			  units_text((double)late->max, most, sizeof(most)));
}

static void write_policies(const struct shown *s, FILE *f)
{
	const struct report *r;
	char text[64];

	fputs("<div class=\"scroll\"><table id=\"policies\">\n<thead><tr><th "
	      "scope=\"col\">policy</th><th scope=\"col\">mean wait</th><th "
	      "scope=\"col\">longest wait</th><th scope=\"col\">promised starts"
	      "</th></tr></thead>\n<tbody>\n",
	      f);
	if (s->first == s->report)
		fputs("<tr data-fact=\"site\"><th scope=\"row\">recorded<small>"
		      "what the site had: the log does not say how long jobs "
		      "waited</small></th><td>-</td><td>-</td><td>-</td>"
		      "</tr>\n",
		      f);
	for (r = s->report; r < s->report + s->n; r++) {
		report_policy(r, text, sizeof(text));
		fprintf(f, "<tr data-fact=\"%s\">",
			r < s->first ? "site" : "policy");
		fprintf(f, "<th scope=\"row\">%s<small>%s</small></th>", text,
			glance_policy(r->policy));
		write_judged(s, r, &column[0], f);
		write_judged(s, r, &column[2], f);
		write_promises(r, f);
		html_row_end(f);
	}
	html_table_end(f);
}

/* ---- the picture ---- */

static void write_bar(const struct report *r, FILE *f)
{
	double all = (double)r->summary.jobs, at = 0, part;
	char text[64];
	size_t i;

	report_policy(r, text, sizeof(text));
	fprintf(f,
		"<span>%s</span><svg viewBox=\"0 0 100 1\" "
		"preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s: ",
		text, text);
	for (i = 0; i < SUMMARY_CLASSES; i++) {
		fprintf(f, "%s%.0f %% ", i ? ", " : "",
			100 * (double)r->summary.waits[i] / all);
		html_text(f, summary_class_name[i]);
	}
	fputs("\">", f);
	for (i = 0; i < SUMMARY_CLASSES; i++, at += part) {
		part = 100 * (double)r->summary.waits[i] / all;
		fprintf(f,
			"<rect class=\"w%zu\" x=\"%.3f\" width=\"%.3f\" "
			"height=\"1\"/>",
			i, at, part);
	}
	fputs("</svg>\n", f);
}

static void write_picture(const struct shown *s, FILE *f)
{
	size_t i;

	fputs("<figure data-fact=\"picture\"><figcaption><b>How long jobs wait"
	      "</b>, as parts of all jobs</figcaption>\n"
	      "<div class=\"stack\">\n",
	      f);
	for (i = 0; i < s->n; i++)
		write_bar(&s->report[i], f);
	fputs("</div>\n<ul class=\"legend\">", f);
	for (i = 0; i < SUMMARY_CLASSES; i++) {
		fprintf(f, "<li><i class=\"w%zu\"></i>", i);
		html_text(f, summary_class_name[i]);
		fputs("</li>", f);
	}
	fputs("</ul>\n</figure>\n", f);
}

/* ---- advice, and its doubt ---- */

static bool is_close(const struct report *r, const struct report *best)
{
	return r->summary.mean_wait <= (1 + CLOSE) * best->summary.mean_wait;
}

/* The policy with the least mean wait; @kept: of those whose promises hold. */
static const struct report *least(const struct shown *s, bool kept)
{
	const struct report *best = NULL, *r;

	for (r = s->first; r < s->report + s->n; r++)
		if ((!kept || (report_promises(r) && !r->summary.late.jobs)) &&
		    !*r->disturbance &&
		    (!best || r->summary.mean_wait < best->summary.mean_wait))
			best = r;
	return best;
}

static void name_wait(const struct report *r, FILE *f)
{
	char policy[64], wait[64];

	report_policy(r, policy, sizeof(policy));
	units_text(r->summary.mean_wait, wait, sizeof(wait));
	fprintf(f, "<b>%s</b> (%s on average)", policy, wait);
}

static void write_advice(const struct shown *s, FILE *f)
{
	const struct report *best = least(s, false), *kept = least(s, true);

	fputs("<p class=\"fact\" data-fact=\"advice\"><b>Advice:</b> ", f);
	if (!best || s->report + s->n - s->first < 2) {
		fputs("none, since nothing is compared: give --policies.</p>\n",
		      f);
		return;
	}
	fputs("take ", f);
	if (kept && is_close(kept, best)) {
		name_wait(kept, f);
		fputs(": every job starts when it was promised to", f);
		if (kept->summary.mean_wait > best->summary.mean_wait) {
			fputs(", and jobs wait hardly less under any other; "
			      "least under ",
			      f);
			name_wait(best, f);
		} else {
			fputs(", and jobs wait no less under any other", f);
		}
	} else {
		name_wait(best, f);
		fputs(", where jobs wait least", f);
		if (kept) {
			fputs("; if users need a promised start that holds, ",
			      f);
			name_wait(kept, f);
		}
	}
	fputs(".</p>\n", f);
}

/* The policies whose means are too close to be told apart. */
static void write_ties(const struct shown *s, const struct report *best,
		       FILE *f)
{
	const struct report *r;
	const char *before = "";
	char text[64];
	size_t n = 0;

	for (r = s->first; r < s->report + s->n; r++)
		n += !*r->disturbance && is_close(r, best);
	if (n < 2)
		return;
	for (r = s->first; r < s->report + s->n; r++) {
		if (*r->disturbance || !is_close(r, best))
			continue;
		report_policy(r, text, sizeof(text));
		fprintf(f, "%s%s", before, text);
		before = ", ";
	}
	fputs(" are within 5 %: another month may rank them otherwise. ", f);
}

static void write_doubt(const struct shown *s, FILE *f)
{
	const struct report *best = least(s, false);
	const struct swf *t = s->first->trace;
	double run = 0, asked = 0;
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		run += (double)t->job[i].run;
		asked += (double)t->job[i].estimate;
	}
	fputs("<p class=\"fact\" data-fact=\"doubt\"><b>Doubt:</b> ", f);
	if (best)
		write_ties(s, best, f);
	if (t->noted[SWF_NO_REQUEST] == t->jobs)
		fputs("No job asks for a time, so that all are planned with "
		      "their run times: real users know less. ",
		      f);
	else if (asked > 0)
		fprintf(f,
			"Jobs ran %.0f %% of the time they asked for, on which "
			"plans and promises rest. ",
			100 * run / asked);
	if (measure_sampled(s->first))
		fprintf(f,
			"Strict and relaxed unfairness are of a "
			"<b>sample</b>, %zu of %zu jobs. ",
			s->first->unfairness->known, s->first->summary.jobs);
	if (best && s->first > s->report &&
	    s->report->summary.mean_wait < best->summary.mean_wait)
		fputs("By its log the site did better than all of these. ", f);
	if (s->first > s->report)
		fputs("The site may have had limits, priorities and outages "
		      "that are not simulated.",
		      f);
	fputs("</p>\n", f);
}

void glance_write(const struct shown *s, FILE *f)
{
	write_what(s->first, f);
	write_left_out(s->first, f);
	fputs("<div class=\"glance\">\n", f);
	write_policies(s, f);
	write_picture(s, f);
	fputs("</div>\n", f);
	write_advice(s, f);
	write_doubt(s, f);
}
