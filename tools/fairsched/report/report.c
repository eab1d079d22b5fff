/* SPDX-License-Identifier: MIT OR Unlicense */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "by_class.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/text.h"

/* Which job of which file, and what the scheduler said. */
int report_explain(struct report *r, int error)
{
	const struct sim_totals *t = &r->totals;
	char job[64] = "";

	if (t->job != SIZE_MAX)
		snprintf(job, sizeof(job), " job %" PRId64 ":",
			 r->trace->job[t->job].id);
	if (error == -FAIR_ENOMEM)
		snprintf(r->error, sizeof(r->error), "%.150s: out of memory",
			 r->name);
	else if (t->broken)
		snprintf(r->error, sizeof(r->error),
			 "%.150s: at second %" PRId64
			 ": invariant %d of the scheduler is broken",
			 r->name, t->now, t->broken);
	else if (error == -FAIR_EOVERFLOW && *job && sim_promises(&r->rules))
		snprintf(r->error, sizeof(r->error),
			 "%.150s:%s its reservation would end more than 68 "
			 "years after second %" PRId64 ": %s plans no further; "
			 "kill overruns, shorten the requests or take a policy "
			 "without promises",
			 r->name, job, t->now, policy_names[r->policy]);
	else if (error == -FAIR_EOVERFLOW && !*job && sim_asks_maui(&r->rules))
		snprintf(r->error, sizeof(r->error),
			 "%.150s: at second %" PRId64 ", under %s: "
			 "RMPOLLINTERVAL %" PRId64 " makes more iterations than "
			 "%d and %d for each job: take a longer one",
			 r->name, t->now, policy_names[r->policy],
			 r->rules.maui->poll, FAIR_SIMULATED_ROUNDS,
			 FAIR_SIMULATED_ROUNDS_EACH);
	else
		snprintf(r->error, sizeof(r->error),
			 "%.150s:%s at second %" PRId64 ", under %s: %s",
			 r->name, job, t->now, policy_names[r->policy],
			 fair_strerror(error));
	return -1;
}

int report_run(struct report *r, const struct sim_watch *watch)
{
	const struct swf *t = r->trace;
	int error;

	r->totals.job = SIZE_MAX;
	r->rules.procs = t->procs;
	r->rules.epoch = t->unix_start;
	r->result = malloc(t->jobs * sizeof(*r->result));
	if (!r->result)
		return report_explain(r, -FAIR_ENOMEM);
	error = sim_run(&r->rules, t->job, t->jobs, watch, r->result,
			&r->totals);
	if (!error && r->totals.beyond_budgets)
		note("%s under %s: only budgets kept %zu job%s waiting when all"
		     " others had ended: they are lifted from second %" PRId64
		     " on", r->name, policy_names[r->policy],
		     r->totals.beyond_budgets,
		     r->totals.beyond_budgets == 1 ? "" : "s",
		     r->totals.lifted);
	if (!error && summary_make(&r->summary, t, &r->rules, r->result))
		error = -FAIR_ENOMEM;
	return error ? report_explain(r, error) : 0;
}

int report_recorded(struct report *r, const struct report *like)
{
	const struct swf *t = like->trace;
	size_t i;

	memset(r, 0, sizeof(*r));
	for (i = 0; i < t->jobs; i++)
		if (t->job[i].wait < 0)
			return 0;
	r->name = like->name;
	r->trace = t;
	r->policy = REPORT_RECORDED;
	r->rules = like->rules;
	r->tells_procs = like->tells_procs;
	r->result = calloc(t->jobs, sizeof(*r->result));
	if (!r->result)
		return -1;
	for (i = 0; i < t->jobs; i++) {
		r->result[i].start = t->job[i].submit + t->job[i].wait;
		r->result[i].promise = FAIR_FOREVER;
	}
	if (!summary_make(&r->summary, t, &r->rules, r->result))
		return 0;
	report_free(r);
	return -1;
}

struct taker {
	struct procset *procset;
	size_t job;
};

/* The job gets processors of a node, the first of which is @first. */
static void take_node(void *ctx, int32_t first, int32_t procs)
{
	const struct taker *t = ctx;

	procset_add(t->procset, t->job, first, procs);
}

void report_take(const struct report *r, size_t job, const struct place *place,
		 struct procset *p)
{
	struct taker t = { p, job };
	int32_t first = 0;

	if (place) {
		p->error |= place_each(place, job, take_node, &t) != 0;
		return;
	}
	if (plan_is_open(r->rules.plan))
		first = plan_first_proc(r->rules.plan,
					r->result[job].node_class);
	procset_take(p, job, first, r->trace->job[job].procs);
}

int report_fst_begin(struct report *r)
{
	const struct swf *t = r->trace;

	if (fst_open(&r->fst, &r->rules, t->job, t->jobs, r->result,
		     &r->totals))
		return report_explain(r, -FAIR_ENOMEM);
	return 0;
}

int report_fst_end(struct report *r)
{
	r->unfairness = malloc(sizeof(*r->unfairness));
	if (!r->unfairness ||
	    unfairness_make(r->unfairness, r->trace, r->rules.plan, r->result,
			    r->fst.time))
		return report_explain(r, -FAIR_ENOMEM);
	return 0;
}

void report_free(struct report *r)
{
	if (r->fst.time)
		fst_close(&r->fst);
	free(r->unfairness);
	r->unfairness = NULL;
	free(r->result);
	r->result = NULL;
}

bool report_placed(const struct report *r)
{
	return r->rules.place && r->rules.place->jobs &&
	       !r->rules.plan->nodes.count;
}

bool report_maintained(const struct report *r)
{
	return r->rules.maintenance && r->rules.maintenance->n;
}

void report_policy(const struct report *r, char *text, size_t size)
{
	char depth[16] = "";

	if (r->policy == REPORT_RECORDED) {
		snprintf(text, size, "recorded");
		return;
	}
	if (r->policy == RULES_DEPTH)
		snprintf(depth, sizeof(depth), " %" PRIu32, r->rules.depth);
	snprintf(text, size, "%s%s%s%s%s%s%s", policy_names[r->policy], depth,
		 r->tells_order ? " " : "",
		 r->tells_order ? order_names[r->rules.order] : "",
		 r->tells_maintenance && report_maintained(r) ? " *" : "",
		 *r->disturbance ? " " : "", r->disturbance);
}

void report_label(const struct report *r, char *text, size_t size)
{
	size_t n;

	report_policy(r, text, size);
	n = strlen(text);
	if (r->tells_procs && r->policy != REPORT_RECORDED)
		snprintf(text + n, size - n, " on %" PRId32, r->trace->procs);
}

/* Of a sample, the numbers of jobs and half of the 95 % intervals as well. */
static void write_unfairness(const struct unfairness *u, size_t jobs, FILE *f)
{
	if (u->told)
		fprintf(f,
			"  \"strict_unfairness\": %.6f,\n"
			"  \"relaxed_unfairness\": %.6f,\n",
			u->strict, u->relaxed);
	if (u->told && u->known < jobs)
		fprintf(f,
			"  \"fst_jobs\": %zu,\n"
			"  \"strict_late_jobs\": %zu,\n"
			"  \"relaxed_late_jobs\": %zu,\n"
			"  \"strict_unfairness_error\": %.6f,\n"
			"  \"relaxed_unfairness_error\": %.6f,\n",
			u->known, u->strict_late, u->relaxed_late,
			u->strict_error, u->relaxed_error);
	fprintf(f,
		"  \"unweighted_unfairness\": %.6f,\n"
		"  \"weighted_unfairness\": %.6f,\n",
		u->unweighted, u->weighted);
}

static void write_summary(const struct report *r, const struct summary *s,
			  FILE *f)
{
	fprintf(f, "  \"procs\": %" PRId32 ",\n  \"jobs\": %zu,\n",
		r->trace->procs, s->jobs);
	fprintf(f, "  \"dropped\": %zu,\n  \"damaged\": %zu,\n",
		swf_dropped(r->trace), r->trace->damaged);
	fprintf(f, "  \"mean_wait\": %.6f,\n  \"p99_wait\": %" PRId64 ",\n",
		s->mean_wait, s->p99_wait);
	fprintf(f, "  \"max_wait\": %" PRId64 ",\n", s->max_wait);
	fprintf(f, "  \"mean_bounded_slowdown\": %.6f,\n",
		s->mean_bounded_slowdown);
	fprintf(f, "  \"utilization\": %.6f,\n  \"makespan\": %" PRId64,
		s->utilization, s->makespan);
	fprintf(f,
		",\n  \"user_share_deviation\": %.6f,\n"
		"  \"account_share_deviation\": %.6f",
		s->deviation[DUES_USERS], s->deviation[DUES_ACCOUNTS]);
}

/* By cause: { "overrun": 3, "refused": 1 } */
static void write_broken(const struct summary *s, FILE *f)
{
	const char *before = "{ ";
	size_t i;

	fputs("  \"promises_broken_by\": ", f);
	for (i = 0; i < SUMMARY_CAUSES; i++) {
		if (!s->late_by[i].jobs)
			continue;
		fprintf(f, "%s\"%s\": %zu", before, summary_causes[i],
			s->late_by[i].jobs);
		before = ", ";
	}
	fputs(" },\n", f);
}

static void write_late(const char *before, const char *name,
		       const struct lateness *l, FILE *f)
{
	fprintf(f,
		"%s\"%s\": { \"mean\": %.6f, \"p99\": %" PRId64
		", \"max\": %" PRId64 " }",
		before, name, l->mean, l->p99, l->max);
}

/* Seconds after the first promise, of all such jobs and by cause. */
static void write_promises(const struct summary *s, FILE *f)
{
	const char *before = "{\n    ";
	size_t i;

	fprintf(f,
		"  \"promises_kept\": %zu,\n  \"promises_broken\": %zu,\n",
		s->promises_kept, s->late.jobs);
	if (!s->late.jobs)
		return;
	write_broken(s, f);
	write_late("  ", "late", &s->late, f);
	fputs(",\n  \"late_by\": ", f);
	for (i = 0; i < SUMMARY_CAUSES; i++) {
		if (!s->late_by[i].jobs)
			continue;
		write_late(before, summary_causes[i], &s->late_by[i], f);
		before = ",\n    ";
	}
	fputs(" },\n", f);
}

void report_json(const struct report *r, FILE *f)
{
	const struct summary *s = &r->summary;

	fputs("{\n  \"trace\": ", f);
	text_json(f, r->name);
	if (r->policy == REPORT_RECORDED) {
		fputs(",\n  \"policy\": \"recorded\",\n", f);
		write_summary(r, s, f);
		fputs("\n}", f);
		return;
	}
	fprintf(f, ",\n  \"policy\": \"%s\",\n", policy_names[r->policy]);
	fprintf(f, "  \"order\": \"%s\",\n", order_names[r->rules.order]);
	if (r->policy == RULES_DEPTH)
		fprintf(f, "  \"depth\": %" PRIu32 ",\n", r->rules.depth);
	if (r->rules.select)
		fprintf(f, "  \"backfill\": \"%s\",\n",
			select_names[r->rules.select]);
	if (r->tells_maintenance)
		fprintf(f, "  \"maintenance\": %s,\n",
			report_maintained(r) ? "true" : "false");
	if (*r->disturbance)
		fprintf(f,
			"  \"disturbance\": \"%s\",\n"
			"  \"late_ends\": %zu,\n  \"failures\": %zu,\n"
			"  \"requeued\": %zu,\n  \"refused\": %zu,\n",
			r->disturbance, r->late_ends, r->totals.failures,
			r->totals.requeued, r->totals.refused);
	write_summary(r, s, f);
	fputs(",\n", f);
	by_class_json(r, f);
	if (sim_promises(&r->rules))
		write_promises(s, f);
	if (report_placed(r))
		fprintf(f,
			"  \"unplaced\": %zu,\n  \"unplaced_jobs\": %zu,\n",
			r->totals.unplaced, r->totals.unplaced_jobs);
	if (r->unfairness)
		write_unfairness(r->unfairness, s->jobs, f);
	fprintf(f, "  \"digest\": \"%016" PRIx64 "\"\n}", r->totals.digest);
}
