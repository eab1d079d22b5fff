/* SPDX-License-Identifier: MIT OR Unlicense */
/* simulate - simulates a trace under one policy */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "fst_options.h"
#include "gantt.h"
#include "rules_options.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/report/by_class.h"
#include "tools/fairsched/report/fst_run.h"
#include "tools/fairsched/report/measure.h"
#include "tools/fairsched/report/procset.h"
#include "tools/fairsched/report/report.h"
#include "tools/fairsched/report/users.h"
#include "tools/fairsched/sim/rules.h"
#include "tools/fairsched/trace/names.h"
#include "trace_options.h"

struct args {
	struct trace_args trace;
	struct rules_args rules;
	struct fst_run_args fst_run;
	struct disturb_args disturb;
	int policy;
	const char *jobs_out, *users_out, *shares_out, *swf_out, *promises_out;
	const char *json;
	const char *save, *load;
	struct when save_at, gantt[2];
	int64_t save_every;
	bool dependencies, check;
};

/* One simulation and its output files. */
struct run {
	const struct args *args;
	struct swf trace;
	struct rules_files files;
	struct report report;
	struct procset procset;
	const struct place *place; /* by --place nodes, else NULL */
	struct users users;
	struct saved saved;
	int64_t gantt[2]; /* from and to */
	FILE *jobs_out, *users_out, *shares_out, *swf_out, *promises_out, *json;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "policy", "P", OPTION_CHOICE, AT(policy),
	  "the scheduling policy, default easy", policy_names, 0, 0 },
	RULES_OPTIONS(struct args, rules),
	FST_OPTIONS(struct args, fst_run),
	OPTION_GROUP_OF("Simulation"),
	{ "dependencies", NULL, OPTION_FLAG, AT(dependencies),
	  "a job waits until the preceding job (field 17 of the trace) has "
	  "ended, and for the think time (field 18) after that",
	  NULL, 0, 0 },
	{ "check", NULL, OPTION_FLAG, AT(check),
	  "verify all invariants of the scheduler after each instant: slow",
	  NULL, 0, 0 },
	PLACE_OPTIONS(struct args, rules),
	DISTURB_OPTIONS(struct args, disturb),
	TRACE_OPTIONS(struct args, trace),
	MEASURE_OPTIONS(struct args, trace),
	OPTION_GROUP_OF("Output"),
	{ "jobs-out", "F", OPTION_OUTPUT, AT(jobs_out),
	  "CSV with one row for each job, columns as in Batsim's jobs CSV",
	  NULL, 0, 0 },
	{ "users-out", "F", OPTION_OUTPUT, AT(users_out),
	  "CSV with one row for each user: jobs, processor-hours, entitlement "
	  "and usage, waits",
	  NULL, 0, 0 },
	{ "shares-out", "F", OPTION_OUTPUT, AT(shares_out),
	  "CSV with one row for each day of each user and account: its shares, "
	  "demand, the processor-seconds due and got",
	  NULL, 0, 0 },
	{ "promises-out", "F", OPTION_OUTPUT, AT(promises_out),
	  "CSV with one row for each promised start: the job, when it was "
	  "made, the old and the new start, the cause of the change",
	  NULL, 0, 0 },
	{ "swf-out", "F", OPTION_OUTPUT, AT(swf_out),
	  "write the trace with the waiting times of this schedule", NULL, 0,
	  0 },
	{ "json", "F", OPTION_OUTPUT, AT(json), "write the summary as JSON",
	  NULL, 0, 0 },
	{ "gantt", "FROM TO", OPTION_PERIOD, AT(gantt),
	  "print a picture of the schedule from FROM to TO: seconds of the "
	  "trace, 12h, 1d12h, or dates",
	  NULL, 0, 0 },
	OPTION_GROUP_OF("Interrupted and continued"),
	{ "save", "F", OPTION_OUTPUT, AT(save),
	  "save the simulation to F; --load continues it", NULL, 0, 0 },
	{ "save-at", "TIME", OPTION_TIME, AT(save_at),
	  "save at TIME: seconds of the trace, 12h, 1d12h, or a date", NULL, 0,
	  0 },
	{ "save-every", "N", OPTION_INTEGER, AT(save_every),
	  "save after every N instants, replacing the file of the last time",
	  NULL, 1, INT64_MAX },
	{ "load", "F", OPTION_FILE, AT(load),
	  "continue the simulation that --save wrote to F; the trace and the "
	  "options must be the same",
	  NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* ---- files ---- */

static const char *or_empty(char *text, size_t size, int64_t t)
{
	if (t == FAIR_FOREVER)
		return "";
	snprintf(text, size, "%" PRId64, t);
	return text;
}

static void write_promise(void *ctx, const struct fair_promise *p)
{
	const struct run *r = ctx;
	const struct swf_job *job = r->trace.job;
	char from[24], to[24], culprit[24] = "";

	if (p->cause == FAIR_CAUSE_OVERRUN)
		snprintf(culprit, sizeof(culprit), "%" PRId64,
			 job[p->culprit].id);
	fprintf(r->promises_out, "%" PRId64 ",%" PRId64 ",%s,%s,%s,%s\n",
		job[p->number].id, p->made,
		or_empty(from, sizeof(from), p->from),
		or_empty(to, sizeof(to), p->to), summary_causes[p->cause],
		culprit);
}

/* Which processors each job has. */
static bool has_procset(const struct run *r)
{
	return r->jobs_out || r->args->gantt[0].given;
}

static void on_arrival(void *ctx, size_t number, int64_t now)
{
	struct run *r = ctx;

	users_arrive(&r->users, number, now);
}

static void on_start(void *ctx, size_t number, int64_t now)
{
	struct run *r = ctx;

	if (has_procset(r))
		report_take(&r->report, number, r->place, &r->procset);
	if (r->users_out)
		users_start(&r->users, number, now);
}

static void on_finish(void *ctx, size_t number, int64_t now)
{
	struct run *r = ctx;

	if (has_procset(r))
		procset_give(&r->procset, number);
	if (r->users_out)
		users_finish(&r->users, number, now);
}

static void write_job(const struct run *r, size_t i)
{
	const struct swf_job *j = &r->trace.job[i];
	int64_t start = r->report.result[i].start, turnaround;
	char promise[24], strict[24], relaxed[24];
	struct fair_fst fst = { FAIR_FOREVER, FAIR_FOREVER };
	struct csv_field name;
	FILE *f = r->jobs_out;

	if (r->report.unfairness)
		fst = r->report.fst.time[i];

	turnaround = start + j->run - j->submit;
	fprintf(f,
		"%" PRId64 ",%" PRId64 ",%" PRId32 ",%" PRId64 ",%" PRId64
		",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",",
		j->id, j->submit, j->procs, j->estimate, start, j->run,
		start + j->run, start - j->submit, turnaround);
	if (j->run)
		fprintf(f, "%.6f", (double)turnaround / (double)j->run);
	putc(',', f);
	procset_print(&r->procset, i, f);
	putc(',', f);
	names_csv(r->trace.names, SACCT_USER, j->user_id, f);
	fprintf(f, ",%s,%s,%s,",
		or_empty(promise, sizeof(promise), r->report.result[i].promise),
		or_empty(strict, sizeof(strict), fst.strict),
		or_empty(relaxed, sizeof(relaxed), fst.relaxed));
	if (j->penalty)
		fprintf(f, "%.6f", (double)j->penalty / FAIR_PENALTY_ONE);
	if (plan_is_open(&r->files.plan)) {
		name = r->files.plan.node_class[r->report.result[i].node_class];
		putc(',', f);
		text_csv(f, name.p, name.n);
	}
	if (r->files.plan.nodes.count) {
		fputs(",\"", f);
		procset_print_nodes(&r->procset, i, &r->files.machine, f);
		putc('"', f);
	}
	putc('\n', f);
}

static void write_jobs(const struct run *r)
{
	size_t i;

	fputs("job_id,submission_time,requested_number_of_resources,"
	      "requested_time,starting_time,execution_time,finish_time,"
	      "waiting_time,turnaround_time,stretch,allocated_resources,user,"
	      "promised_start,strict_fst,relaxed_fst,penalty",
	      r->jobs_out);
	fputs(plan_is_open(&r->files.plan) ? ",class" : "", r->jobs_out);
	fputs(r->files.plan.nodes.count ? ",node_list\n" : "\n", r->jobs_out);
	for (i = 0; i < r->trace.jobs; i++)
		write_job(r, i);
}

static void write_swf(const struct run *r)
{
	size_t i;

	swf_write_header(r->swf_out, &r->trace);
	for (i = 0; i < r->trace.jobs; i++)
		swf_write_job(r->swf_out, &r->trace.job[i],
			      r->report.result[i].start -
				      r->trace.job[i].submit);
}

/* ---- summary ---- */

static void print_dropped(const struct swf *t)
{
	const char *comma = " (";
	size_t i, n = swf_dropped(t);
	char text[256];

	printf("dropped                 %zu", n);
	for (i = 0; i < SWF_REASONS; i++) {
		if (!t->dropped[i])
			continue;
		printf("%s%s %zu", comma, swf_reason_text[i], t->dropped[i]);
		comma = ", ";
	}
	puts(n ? ")" : "");
	for (i = 0; i < SWF_NOTES; i++)
		if (t->noted[i])
			printf("noted                   %s\n",
			       swf_note_of(t, (enum swf_note)i, text,
					   sizeof(text)));
	n = swf_repeated(t);
	if (n)
		printf("repeated numbers        %zu job%s\n", n,
		       n == 1 ? "" : "s");
	if (t->damaged) {
		printf("damaged lines           %zu (", t->damaged);
		text_show(stdout, t->error);
		puts(")");
	}
}

/* Which jobs no nodes can hold, and which words of node requests say nothing of
 * this machine. */
static void print_requests(const struct place_jobs *j)
{
	const struct charge_words *w = &j->words;
	const char *comma = "";
	size_t i;

	for (i = 0; i < PLACE_DROPS; i++)
		if (j->dropped[i])
			printf("no node fits            %zu: %s (first: line "
			       "%lu)\n",
			       j->dropped[i], place_drop_text[i],
			       j->first_dropped[i]);
	if (j->changed)
		printf("processors changed      %zu: those of the nodes that "
		       "they ask for\n",
		       j->changed);
	if (w->words)
		printf("words not known         ");
	for (i = 0; i < w->words; i++, comma = ", ")
		printf("%s%.*s %zu", comma, csv_shown(w->word[i].name),
		       w->word[i].name.p, w->word[i].jobs);
	if (w->more)
		printf(" and others %zu", w->more);
	if (w->words)
		putchar('\n');
}

static void print_unfair(const struct report *r, enum measure m)
{
	double error = measure_error(r, m), none = measure_none(r, m);
	const char *name = measure_names[m];

	printf("%s unfairness%*s%.3f s", name, (int)(13 - strlen(name)), "",
	       measure_of(r, m));
	if (error > 0)
		printf(" +- %.3f (95 %%)", error);
	if (none > 0)
		printf(", none late: < %.2g %% of all (95 %%)", none);
	putchar('\n');
}

static void print_unfairness(const struct report *r)
{
	const struct unfairness *u = r->unfairness;
	const char *unit = r->rules.plan->is_billed ? "cost-seconds"
						    : "processor-seconds";

	if (u->known < r->summary.jobs)
		printf("fair start times        %zu of %zu\n", u->known,
		       r->summary.jobs);
	if (u->told) {
		print_unfair(r, MEASURE_STRICT);
		print_unfair(r, MEASURE_RELAXED);
	}
	printf("unweighted unfairness   %.3f %s\n"
	       "weighted unfairness     %.3f %s\n",
	       u->unweighted, unit, u->weighted, unit);
}

static void print_backfill(const struct sim_rules *rules)
{
	printf("backfill                %s", select_names[rules->select]);
	if (rules->select != FAIR_NOFIT)
		printf(" by %s, %s window first", metric_names[rules->metric],
		       rules->longest ? "longest" : "widest");
	putchar('\n');
}

/* From a minute on, also as people say it. */
static void print_seconds(const char *name, double seconds, int digits)
{
	char text[64];

	printf("%-23s %.*f s", name, digits, seconds);
	if (seconds >= 60)
		printf(" (%s)", units_text(seconds, text, sizeof(text)));
	putchar('\n');
}

/* Of each resource of each class, and of the jobs of each class. */
static void print_classes(const struct run *run)
{
	size_t n = by_class_measures(&run->report), i;
	char name[64], text[64];
	double value;

	for (i = 0; i < n; i++) {
		value = by_class_value(&run->report, i);
		if (isnan(value))
			continue;
		by_class_name(&run->report, i, name, sizeof(name));
		if (by_class_is_wait(&run->report, i))
			printf("  %-22s%s\n", name,
			       units_text(value, text, sizeof(text)));
		else
			printf("  %-22s%.2f %%\n", name, value);
	}
}

static void print_late(const char *name, const struct lateness *l)
{
	char p99[64], max[64];

	printf("%-24s%zu", name, l->jobs);
	if (l->jobs)
		printf(", late by %.3f s on average, p99 %s, at most %s",
		       l->mean, units_text((double)l->p99, p99, sizeof(p99)),
		       units_text((double)l->max, max, sizeof(max)));
	putchar('\n');
}

/* Why jobs were late: the last delay of each. */
static void print_promises(const struct summary *s)
{
	char name[32];
	size_t i;

	printf("promises kept           %zu\n", s->promises_kept);
	print_late("promises broken", &s->late);
	for (i = 0; i < SUMMARY_CAUSES; i++) {
		snprintf(name, sizeof(name), "  %s", summary_causes[i]);
		if (s->late_by[i].jobs)
			print_late(name, &s->late_by[i]);
	}
}

static void print_shares(const struct summary *s)
{
	printf("users off their shares  %.2f %%\n"
	       "accounts off theirs     %.2f %%\n",
	       100 * s->deviation[DUES_USERS],
	       100 * s->deviation[DUES_ACCOUNTS]);
}

/* How often amounts were free, but no nodes. */
static void print_placement(const struct run *r)
{
	const struct sim_totals *t = &r->report.totals;

	if (r->args->rules.place)
		printf("no nodes, though free   %zu time%s, %zu job%s\n",
		       t->unplaced, t->unplaced == 1 ? "" : "s",
		       t->unplaced_jobs, t->unplaced_jobs == 1 ? "" : "s");
}

static void print_disturbance(const struct report *r)
{
	const struct sim_totals *t = &r->totals;
	const struct disturb *d = &r->rules.disturb;

	if (!*r->disturbance)
		return;
	printf("disturbed by            %s, seed %" PRIu64 "\n",
	       r->disturbance, d->seed);
	if (d->end_late)
		printf("  jobs ended late       %zu\n", r->late_ends);
	if (d->mtbf)
		printf("  failures              %zu\n"
		       "  jobs requeued         %zu\n",
		       t->failures, t->requeued);
	if (d->refuse_share)
		printf("  starts refused        %zu\n", t->refused);
}

static void print_summary(const struct run *r)
{
	const struct report *report = &r->report;
	const struct summary *s = &report->summary;

	fputs("trace                   ", stdout);
	text_show(stdout, report->name);
	putchar('\n');
	printf("policy                  %s", policy_names[report->policy]);
	if (report->policy == RULES_DEPTH)
		printf(" %" PRIu32, report->rules.depth);
	printf(", order %s\n", order_names[report->rules.order]);
	if (report->rules.select)
		print_backfill(&report->rules);
	printf("processors              %" PRId32 "\n", r->trace.procs);
	printf("jobs                    %zu\n", s->jobs);
	if (report->rules.dependencies)
		printf("waited for another      %zu\n", report->totals.follow);
	print_dropped(&r->trace);
	if (r->args->rules.plan == PLAN_NODES)
		print_requests(&r->files.place);
	print_disturbance(report);
	print_seconds("mean wait", s->mean_wait, 3);
	print_seconds("99th percentile wait", (double)s->p99_wait, 0);
	print_seconds("maximum wait", (double)s->max_wait, 0);
	printf("mean bounded slowdown   %.3f\n", s->mean_bounded_slowdown);
	printf("utilization             %.2f %%\n", 100 * s->utilization);
	print_classes(r);
	print_seconds("makespan", (double)s->makespan, 0);
	print_shares(s);
	if (sim_promises(&report->rules))
		print_promises(s);
	print_placement(r);
	if (report->unfairness)
		print_unfairness(report);
	printf("digest                  %016" PRIx64 "\n",
	       report->totals.digest);
}

/* ---- the command ---- */

static int open_output(const char *path, FILE **f)
{
	if (!path)
		return 0;
	*f = output_open(path);
	return *f ? 0 : EXIT_FAILED;
}

static int open_outputs(struct run *r)
{
	const struct args *a = r->args;

	if (open_output(a->jobs_out, &r->jobs_out) ||
	    open_output(a->users_out, &r->users_out) ||
	    open_output(a->shares_out, &r->shares_out) ||
	    open_output(a->swf_out, &r->swf_out) ||
	    open_output(a->promises_out, &r->promises_out) ||
	    open_output(a->json, &r->json))
		return EXIT_FAILED;
	if (has_procset(r) &&
	    procset_init(&r->procset, r->trace.procs, r->trace.jobs))
		return run_error("out of memory");
	if (r->users_out && users_open(&r->users, &r->trace, &r->files.shares))
		return run_error("out of memory");
	if (r->promises_out)
		fputs("job_id,made,from,to,cause,cause_job\n", r->promises_out);
	return 0;
}

static int simulate(struct run *r)
{
	struct fst_run_args fst_run = r->args->fst_run;
	struct sim_watch watch = { 0 };
	int status;

	/* Unless they are read. */
	fst_run.only_late = !fst_run.part && !r->jobs_out;
	watch.ctx = r;
	watch.started = on_start;
	watch.finished = on_finish;
	if (r->users_out)
		watch.arrived = on_arrival;
	if (r->promises_out)
		watch.promised = write_promise;
	watch.progress = progress_add;
	watch.saved = &r->saved;
	watch.place = &r->place;
	watch.check_every = r->args->check;
	r->report.trace = &r->trace;
	progress_begin("simulating", r->trace.jobs);
	status = report_run(&r->report, &watch);
	progress_end();
	if (r->saved.error[0])
		return r->saved.unwritten ? run_error("%s", r->saved.error)
					  : input_error("%s", r->saved.error);
	if (status)
		return run_error("%s", r->report.error);
	if (r->procset.error)
		return run_error("out of memory");
	return fst_run.fst ? fst_run_run(&r->report, &fst_run) : 0;
}

static int print_gantt(const struct run *r)
{
	struct clock clock = { 0 };

	if (!r->args->gantt[0].given)
		return 0;
	clock.epoch = swf_dated(&r->trace) ? r->trace.unix_start : INT64_MIN;
	return gantt_print(&r->report, &r->procset, &clock, r->gantt[0],
			   r->gantt[1], terminal_width(stdout))
		       ? run_error("out of memory")
		       : 0;
}

/* stdout is for the summary unless a file was asked for there. */
static int write_results(struct run *r)
{
	int status;

	if (r->jobs_out)
		write_jobs(r);
	if (r->users_out &&
	    users_write(&r->users, r->report.result, r->users_out))
		return users_explain(&r->users, "--users-out");
	if (r->shares_out && dues_write(&r->trace, &r->report.rules,
					r->report.result, r->shares_out))
		return run_error("out of memory");
	if (r->swf_out)
		write_swf(r);
	if (r->json) {
		report_json(&r->report, r->json);
		putc('\n', r->json);
	}
	status = output_commit();
	if (!status && r->jobs_out != stdout && r->users_out != stdout &&
	    r->shares_out != stdout && r->swf_out != stdout &&
	    r->promises_out != stdout && r->json != stdout) {
		print_summary(r);
		status = print_gantt(r);
	}
	return status;
}

/* A hash of the dependencies and think times; 0 without --dependencies. */
static uint64_t dependencies_digest(const struct run *r)
{
	const struct swf_job *j = r->trace.job;
	uint64_t digest = 0;

	for (; r->args->dependencies && j < r->trace.job + r->trace.jobs; j++) {
		digest = digest * 31 + (uint64_t)j->preceding;
		digest = digest * 31 + (uint64_t)j->think + 1;
	}
	return digest;
}

static int open_saved(struct run *r)
{
	const struct args *a = r->args;
	struct saved *s = &r->saved;
	uint64_t rules = rules_digest(&r->files) ^ dependencies_digest(r);

	s->to = a->save;
	s->from = a->load;
	s->every = (uint64_t)a->save_every;
	s->once = a->save_at.given;
	if (s->once && trace_when(&a->save_at, &r->trace, "--save-at", &s->at))
		return EXIT_USAGE;
	return saved_open(s, &r->trace, rules) ? input_error("%s", s->error)
					       : 0;
}

static int read_gantt(struct run *r)
{
	const struct when *w = r->args->gantt;
	int status = 0, i;

	for (i = 0; i < 2 && w[0].given && !status; i++)
		status = trace_when(&w[i], &r->trace, "--gantt", &r->gantt[i]);
	if (!status && w[0].given && r->gantt[0] >= r->gantt[1])
		status = input_error("--gantt: its FROM is not before its TO");
	return status;
}

static int run_trace(struct run *r, const char *path)
{
	struct swf_options o = trace_options(&r->args->trace);
	int status;

	rules_set_procs(&r->files, &r->args->rules, &o);
	r->report.name = trace_name(path);
	if (trace_read(&r->trace, path, &o, r->args->trace.names))
		return input_error("%s", r->trace.error);
	status = rules_assign(&r->files, &r->args->rules,
			      r->args->trace.lenient, &r->trace, path);
	r->report.late_ends = disturb_ends(&r->report.rules.disturb,
					   r->trace.job, r->trace.jobs);
	if (!status)
		status = read_gantt(r);
	if (!status)
		status = open_saved(r);
	if (!status)
		status = open_outputs(r);
	if (!status)
		status = simulate(r);
	if (!status)
		status = write_results(r);
	return status;
}

static int check_save(const struct command *c, const struct args *a)
{
	if (a->save && !strcmp(a->save, "-"))
		return usage_error(c, "--save needs a file, not stdout");
	if (!a->save != (!a->save_at.given && !a->save_every))
		return usage_error(c, "--save needs --save-at or --save-every, "
				      "and each of them needs --save");
	return 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct rules_args rules = a->rules;
	struct run r = { 0 };
	char error[DISTURB_ERROR];
	const char *why;
	int status;

	(void)operands;
	r.args = a;
	r.report.policy = a->policy;
	why = rules_make(&r.report.rules, a->policy, &a->rules);
	r.report.rules.dependencies = a->dependencies;
	rules.reports_shares = true;
	if (a->fst_run.fst)
		rules.billing = NULL; /* fair shares by cost */
	if (!why)
		why = rules_disturb(&r.report.rules.disturb, &a->disturb,
				    &a->rules, a->fst_run.fst, error,
				    sizeof(error));
	r.report.rules.disturb.seed = (uint64_t)a->fst_run.seed;
	disturb_text(&a->disturb, DISTURB_KINDS, r.report.disturbance,
		     sizeof(r.report.disturbance));
	r.report.rules.patience = a->disturb.patience;
	r.report.rules.together = a->disturb.together;
	if (!why && *r.report.disturbance && (a->save || a->load))
		why = "--end-late, --failures and --refuse cannot be combined "
		      "with --save or --load";
	if (!why)
		why = rules_idle(&rules, 1u << a->policy);
	if (!why)
		why = fst_run_check(&a->fst_run,
				    disturb_is_given(&a->disturb));
	if (!why && a->dependencies && a->fst_run.fst)
		why = "--fst cannot be combined with --dependencies: the "
		      "submit times of dependent jobs would change";
	if (!why && (a->rules.plan || a->rules.place) && a->trace.procs)
		why = "--procs cannot be combined with --plan classes, --plan "
		      "nodes or --place nodes: the machine file says how many "
		      "there are";
	if (!why && a->rules.place && a->fst_run.fst)
		why = "--place nodes cannot be combined with --fst";
	if (!why && rules_on_nodes(&a->rules) && (a->save || a->load))
		why = "--plan nodes and --place nodes cannot be combined with "
		      "--save or --load";
	if (why)
		return usage_error(c, "%s", why);
	status = check_save(c, a);
	if (!status)
		status = rules_open(&r.files, &a->rules, a->trace.cluster);
	rules_bind(&r.report.rules, &r.files);
	if (!status)
		status = run_trace(&r, operand[0]);
	procset_free(&r.procset);
	users_close(&r.users);
	saved_close(&r.saved);
	report_free(&r.report);
	swf_free(&r.trace);
	rules_close(&r.files);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->policy = RULES_EASY;
	a->disturb.patience = FAIR_PATIENCE;
}

const struct command simulate_command = {
	"simulate",
	"TRACE",
	"simulate a trace under one policy and print a summary",
	"Simulates TRACE, a file in Standard Workload Format (plain or packed "
	"by gzip, xz or zstd, - for stdin), under one policy and prints a "
	"summary of the "
	"schedule.",
	"An output file may be - for stdout, which replaces the summary. "
	"Slowdown is bounded: max(1, (wait + run) / max(run, 10 s)); "
	"--slowdown-threshold changes the 10 s. Makespan is the "
	"last end minus the first submit, utilization the processor-seconds "
	"used divided by processors * makespan, or by the period where --to "
	"gives one; --jobs-out lists the jobs outside of it too. Percentiles "
	"are nearest rank. "
	"Unfairness is a mean over all jobs, with 0 for a job that was treated "
	"better than fair: strict and relaxed in seconds that a job starts "
	"after its fair start time; unweighted and weighted in "
	"processor-seconds that it got less than an equal share, or less than "
	"a share in proportion to its request. The strict fair start time of a "
	"job is its start if no job arrived after it; the relaxed one, if it "
	"arrived when the jobs that waited before it had started. After --load "
	"all results but --promises-out cover the whole trace. To continue a "
	"run that was killed: fairsched simulate T --save F --save-every 1000, "
	"then fairsched simulate T --load F.",
	"fairsched simulate KTH-SP2-1996-2.swf.gz --policy conservative "
	"--jobs-out jobs.csv",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
