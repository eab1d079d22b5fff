/* SPDX-License-Identifier: MIT OR Unlicense */
/* compare - several policies on one or more traces */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "fst_options.h"
#include "rules_options.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/report/by_class.h"
#include "tools/fairsched/report/fst_run.h"
#include "tools/fairsched/report/measure.h"
#include "tools/fairsched/report/page.h"
#include "tools/fairsched/report/tables.h"
#include "tools/fairsched/trace/lublin.h"
#include "trace_options.h"

struct args {
	struct trace_args trace;
	struct integers procs;
	struct rules_args rules;
	struct choices policies, orders;
	struct fst_run_args fst_run;
	struct disturb_args disturb;
	int64_t threads;
	bool plot;
	const char *json, *csv, *markdown, *report, *parts;
};

/* A policy as it is run on every trace. */
struct variant {
	int policy, order;
	bool maintained; /* with --maintenance, if any */
	int disturbance; /* its kind, DISTURB_KINDS: none */
};

/* A trace in which jobs end late. */
struct late {
	struct swf trace;
	size_t jobs;
};

/* Every variant on every trace: report[trace * policies + variant]. */
struct work {
	const struct args *args;
	struct swf *trace; /* [path * machines + machine] */
	struct late *late; /* of each, if jobs end late */
	struct rules_jobs *jobs; /* of each */
	struct variant *variant;
	size_t machines, traces, policies, reports;
	struct disturb disturb;
	uint32_t orders; /* bits are 1 << order */
	struct report *report;
	struct fst_run *fst_run; /* of each report */
	struct rules_files files;
	struct page page; /* --report */
	pthread_mutex_t lock;
	size_t next; /* report to run */
	struct left_out *left_out; /* policies that cannot run here */
	size_t left_outs;
	int status; /* of the whole */
	int failed; /* EXIT_FAILED if a run failed */
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "policies", "P,...", OPTION_CHOICES, AT(policies),
	  "policies to compare, or 'all'; the first is the baseline of the "
	  "others, and one that cannot run with the other options is a line "
	  "that says why; default: easy, then all that support the order",
	  policy_names, 0, 0 },
	{ "order", "O,...", OPTION_CHOICES, AT(orders),
	  "orders of the queue, each under every policy, default fcfs",
	  order_names, 0, 0 },
	MORE_RULES_OPTIONS(struct args, rules),
	PLACE_OPTIONS(struct args, rules),
	DISTURB_OPTIONS(struct args, disturb),
	SAMPLE_OPTIONS(struct args, fst_run),
	{ "procs", "N,...", OPTION_INTEGERS, AT(procs),
	  "processors of the machine, default MaxProcs of the trace; several "
	  "machines side by side",
	  NULL, 1, INT32_MAX },
	MORE_TRACE_OPTIONS(struct args, trace),
	MEASURE_OPTIONS(struct args, trace),
	OPTION_GROUP_OF("Output"),
	{ "threads", "N", OPTION_INTEGER, AT(threads),
	  "simulations in parallel, default one for each processor of this "
	  "computer",
	  NULL, 1, THREADS },
	{ "plot", NULL, OPTION_FLAG, AT(plot),
	  "print how long jobs wait as a bar for each policy, as on a terminal "
	  "of 100 columns and more",
	  NULL, 0, 0 },
	{ "json", "F", OPTION_OUTPUT, AT(json),
	  "write a JSON list of the summaries of all runs, as simulate --json, "
	  "and of what the log recorded",
	  NULL, 0, 0 },
	{ "csv", "F", OPTION_OUTPUT, AT(csv),
	  "write CSV with one row for each run, and for what the log recorded",
	  NULL, 0, 0 },
	{ "markdown", "F", OPTION_OUTPUT, AT(markdown),
	  "write the tables as Markdown", NULL, 0, 0 },
	{ "report", "DIR", OPTION_FILE, AT(report),
	  "write a page to DIR/index.html with tables, charts and zoomable "
	  "schedules; DIR is created, or must hold an earlier report",
	  NULL, 0, 0 },
	{ "parts", "DIR", OPTION_FILE, AT(parts),
	  "keep fair start times in DIR, so that an interrupted run can "
	  "continue; DIR is created",
	  NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* The rules under one of the orders. */
static struct rules_args args_of(const struct work *w, int order)
{
	struct rules_args args = w->args->rules;

	args.order = order;
	return args;
}

/* ---- traces ---- */

/* The same text as that of generate. */
static char *generated_text(size_t *bytes)
{
	static const struct lublin_rules rules = { 1, 256, 0.9, 5 };
	const size_t jobs = 10000;
	struct swf_job *job = calloc(jobs, sizeof(*job));
	char *text = NULL;
	FILE *f = job ? open_memstream(&text, bytes) : NULL;
	int failed = 1;

	if (f) {
		lublin_generate(&rules, job, jobs);
		lublin_write(f, &rules, job, jobs);
		failed = ferror(f);
		failed |= fclose(f);
	}
	free(job);
	if (!failed)
		return text;
	free(text);
	return NULL;
}

static int read_generated(struct swf *t, const struct swf_options *o)
{
	size_t bytes;
	char *text = generated_text(&bytes);
	int error;

	if (!text)
		return run_error("out of memory");
	error = swf_parse(t, "generated", text, bytes, o);
	free(text);
	return error ? input_error("%s", t->error) : 0;
}

/* @path NULL: the generated one. */
static int read_trace(struct work *w, size_t i, const char *path)
{
	struct swf_options o = trace_options(&w->args->trace);
	struct rules_args args = args_of(w, w->variant[0].order);
	struct swf *t = &w->trace[i];
	int status = 0;

	if (w->args->procs.n)
		o.procs = (int32_t)w->args->procs.value[i % w->machines];
	rules_set_procs(&w->files, &w->args->rules, &o);
	args.orders = w->orders;
	if (!path)
		status = read_generated(t, &o);
	else if (trace_read(t, path, &o, w->args->trace.names))
		status = input_error("%s", t->error);
	if (!status)
		status = rules_assign(&w->files, &args, w->args->trace.lenient,
				      t, path ? path : "generated");
	if (!status && rules_keep(&w->files, &w->jobs[i]))
		status = run_error("out of memory");
	return status;
}

/* A copy in which jobs end late; the rest is that of the trace. */
static int make_late(struct work *w, size_t i)
{
	struct swf *late = &w->late[i].trace;
	size_t bytes = w->trace[i].jobs * sizeof(*late->job);

	if (!w->disturb.end_late)
		return 0;
	*late = w->trace[i];
	late->job = malloc(bytes);
	if (!late->job)
		return run_error("out of memory");
	memcpy(late->job, w->trace[i].job, bytes);
	w->late[i].jobs = disturb_ends(&w->disturb, late->job, late->jobs);
	return 0;
}

static int read_traces(struct work *w, char **path, size_t paths)
{
	int status = 0;
	size_t i;

	for (i = 0; i < w->traces && !status; i++) {
		status = read_trace(w, i,
				    paths ? path[i / w->machines] : NULL);
		if (!status)
			status = make_late(w, i);
	}
	return status;
}

/* ---- running ---- */

static struct report *take(struct work *w)
{
	struct report *r = NULL;

	pthread_mutex_lock(&w->lock);
	if (w->next < w->reports)
		r = &w->report[w->next++];
	pthread_mutex_unlock(&w->lock);
	return r;
}

/* Unfairness and the page look at all reports. */
static bool needs_all(const struct work *w)
{
	return w->args->fst_run.fst || w->args->report;
}

static int run_one(struct work *w, struct report *r)
{
	struct sim_watch watch = { 0 };

	watch.progress = progress_add;
	if (w->args->report && page_watch(&w->page, r, &watch)) {
		snprintf(r->error, sizeof(r->error), "out of memory");
		return -1;
	}
	return report_run(r, &watch);
}

static void *run_reports(void *arg)
{
	struct work *w = arg;
	struct report *r;

	while ((r = take(w)) != NULL) {
		/* If it fails the table says so, and the others go on. */
		(void)run_one(w, r);
		if (!needs_all(w) && !w->args->rules.plan)
			report_free(r);
	}
	return NULL;
}

/* Each thread begins with another report, then helps with the next ones. */
static void *help_fst(void *arg)
{
	struct work *w = arg;
	struct fst_run *f;
	size_t i, first;
	int error = 0;

	pthread_mutex_lock(&w->lock);
	first = w->next++;
	pthread_mutex_unlock(&w->lock);
	for (i = 0; !error && i < w->reports; i++) {
		f = &w->fst_run[(first + i) % w->reports];
		error = fst_help(&f->report->fst);
		pthread_mutex_lock(&w->lock);
		f->error = f->error ? f->error : error;
		pthread_mutex_unlock(&w->lock);
	}
	return NULL;
}

/* What distinguishes the reports of a trace, as the end of a file's name. */
static void part_name(const struct report *r, char *name, size_t size)
{
	bool maintained = r->tells_maintenance && report_maintained(r);
	int n;

	n = snprintf(name, size, "%s%s%s%s", policy_names[r->policy],
		     r->tells_order ? "." : "",
		     r->tells_order ? order_names[r->rules.order] : "",
		     maintained ? ".maintenance" : "");
	if (r->tells_procs)
		snprintf(name + n, size - (size_t)n, ".%" PRId32,
			 r->trace->procs);
}

/* Opens the fair start times of a report, or closes them if @wanted is NULL. */
static int open_or_close(struct work *w, size_t i, size_t *wanted)
{
	struct fst_run_args a = w->args->fst_run;
	struct report *r = &w->report[i];
	char *part = NULL, name[128];
	int status;

	a.only_late = true;
	if (w->args->parts) {
		part_name(r, name, sizeof(name));
		part = fst_run_part(w->args->parts, r->name, name);
		if (!part)
			return run_error("out of memory");
	}
	a.part = part;
	if (wanted)
		status = fst_run_open(&w->fst_run[i], r, &a, wanted);
	else
		status = fst_run_close(&w->fst_run[i], &a);
	free(part);
	return status;
}

static int run_fst(struct work *w, size_t threads)
{
	size_t total = 0, i;
	const char *parts = w->args->parts;
	int status = parts ? output_folder(parts) : 0, error;

	for (i = 0; i < w->reports && !status; i++)
		status = open_or_close(w, i, &total);
	if (status)
		return status;
	w->next = 0;
	progress_begin("fair start times", total);
	threads_run(threads, help_fst, w);
	progress_end();
	for (i = 0; i < w->reports; i++) {
		error = open_or_close(w, i, NULL);
		status = status ? status : error;
	}
	error = output_commit();
	return status ? status : error;
}

static bool leave_out(struct work *w, int policy, int order, const char *why)
{
	struct left_out *more =
		realloc(w->left_out, (w->left_outs + 1) * sizeof(*more));

	if (!more)
		return false;
	w->left_out = more;
	more += w->left_outs++;
	snprintf(more->label, sizeof(more->label), "%s%s%s",
		 policy_names[policy], w->args->orders.n > 1 ? " " : "",
		 w->args->orders.n > 1 ? order_names[order] : "");
	snprintf(more->why, sizeof(more->why), "%s", why);
	return true;
}

static void drop(struct work *w, size_t variant)
{
	size_t i, n = 0;

	for (i = 0; i < w->reports; i++)
		if (i % w->policies == variant)
			report_free(&w->report[i]);
		else
			w->report[n++] = w->report[i];
	if (w->args->report)
		page_drop(&w->page, variant);
	w->reports = n;
	w->policies--;
	for (i = variant; i < w->policies; i++)
		w->variant[i] = w->variant[i + 1];
}

/* Unfairness and the page are of the policies that ran on every trace. */
static int drop_failed(struct work *w)
{
	size_t variant = 0, i;

	while (variant < w->policies) {
		for (i = variant; i < w->reports && !*w->report[i].error;)
			i += w->policies;
		if (i >= w->reports) {
			variant++;
			continue;
		}
		w->failed = run_error("%s", w->report[i].error);
		if (!leave_out(w, w->report[i].policy,
			       (int)w->report[i].rules.order,
			       w->report[i].error))
			return run_error("out of memory");
		drop(w, variant);
	}
	return w->policies ? 0 : w->failed;
}

static int run_work(struct work *w)
{
	size_t threads = (size_t)w->args->threads, total = 0, i;

	if (!threads)
		threads = threads_here();
	for (i = 0; i < w->reports; i++)
		total += w->report[i].trace->jobs;
	progress_begin("comparing", total);
	threads_run(threads < w->reports ? threads : w->reports, run_reports,
		    w);
	progress_end();
	if (needs_all(w))
		w->status = drop_failed(w);
	if (w->args->fst_run.fst && !w->status)
		w->status = run_fst(w, threads);
	for (i = 0; i < w->reports; i++)
		if (*w->report[i].error)
			w->failed = run_error("%s", w->report[i].error);
	return w->status;
}

/* ---- the tables ---- */

static struct comparison comparison_of(const struct work *w, size_t path)
{
	struct comparison c = { 0 };

	c.report = &w->report[path * w->machines * w->policies];
	c.machines = w->machines;
	c.policies = w->policies;
	c.left_out = w->left_out;
	c.left_outs = w->left_outs;
	return c;
}

static int print_tables(const struct work *w, bool generated)
{
	const char *base = policy_names[w->report->policy];
	const struct report *first;
	size_t room = terminal_width(stdout), i;
	bool colour = terminal_colour(stdout);
	bool plot = w->args->plot || (terminal_is(stdout) && room >= 100);
	struct comparison c;
	char label[64];
	int error = 0;

	for (i = 0; i < w->traces / w->machines && !error; i++) {
		c = comparison_of(w, i);
		if (tables_first(&c))
			error = tables_print(&c, stdout, room, colour);
		if (!error)
			error = by_class_print(&c, stdout, room);
		if (tables_first(&c) && plot && !error)
			error = tables_plot(&c, stdout, room);
		putchar('\n');
	}
	if (error)
		return run_error("out of memory");
	c = comparison_of(w, 0);
	first = tables_first(&c);
	if (first && w->policies * w->machines > 1) {
		report_label(first, label, sizeof(label));
		printf("Better and worse: than %s.\n", label);
	}
	if (w->policies > 1 && w->args->fst_run.fst)
		printf("Improvement: (%s - other) / %s.\n", base, base);
	if (generated)
		text_wrap(stdout,
			  "The trace is that of 'fairsched generate --load 0.9 "
			  "--overestimate 5'.",
			  0, room);
	return 0;
}

static int write_comparisons(const struct work *w, FILE *csv, FILE *markdown)
{
	struct comparison c;
	int error = 0;
	size_t i;

	for (i = 0; i < w->traces / w->machines && !error; i++) {
		c = comparison_of(w, i);
		if (csv)
			error = tables_csv(&c, csv, !i);
		if (markdown && i)
			putc('\n', markdown);
		if (markdown && !error && tables_first(&c))
			error = tables_markdown(&c, markdown);
		if (markdown && !error)
			error = by_class_print(&c, markdown, 0);
	}
	return error ? run_error("out of memory") : 0;
}

/* ---- the command ---- */

static int write_json(const struct work *w, FILE *f)
{
	size_t each = w->machines * w->policies, i;
	const char *before = "[";
	struct report recorded;

	for (i = 0; i < w->reports; i++) {
		const struct report *r = &w->report[i];

		if (!*r->error) {
			fputs(before, f);
			report_json(r, f);
			before = ",\n";
		}
		if ((i + 1) % each)
			continue;
		r = &w->report[i + 1 - each];
		if (report_recorded(&recorded, r))
			return run_error("out of memory");
		if (recorded.result) {
			fputs(before, f);
			report_json(&recorded, f);
			before = ",\n";
		}
		report_free(&recorded);
	}
	fputs(*before == '[' ? "[]\n" : "]\n", f);
	return 0;
}

static int open_output(const char *path, FILE **f)
{
	*f = path ? output_open(path) : NULL;
	return path && !*f ? EXIT_FAILED : 0;
}

static int write_results(struct work *w, bool generated)
{
	FILE *json = NULL, *csv = NULL, *markdown = NULL;
	int status = open_output(w->args->json, &json);

	if (!status)
		status = open_output(w->args->csv, &csv);
	if (!status)
		status = open_output(w->args->markdown, &markdown);
	if (!status && json)
		status = write_json(w, json);
	if (!status)
		status = write_comparisons(w, csv, markdown);
	if (!status && w->args->report)
		status = page_write(&w->page);
	if (!status)
		status = output_commit();
	if (!status && json != stdout && csv != stdout && markdown != stdout)
		status = print_tables(w, generated);
	return status;
}

static bool add_variant(struct work *w, int policy, int order, bool maintained,
			int disturbance)
{
	struct variant *more = realloc(w->variant, (w->policies + 1) *
							   sizeof(*more));

	if (!more)
		return false;
	w->variant = more;
	more += w->policies++;
	more->policy = policy;
	more->order = order;
	more->maintained = maintained;
	more->disturbance = disturbance;
	return true;
}

/* A policy with an order: undisturbed, then with each disturbance alone. */
static bool add_each(struct work *w, int policy, int order)
{
	bool added = add_variant(w, policy, order, false, DISTURB_KINDS);
	int k;

	if (w->args->rules.maintenance && added)
		added = add_variant(w, policy, order, true, DISTURB_KINDS);
	for (k = 0; k < DISTURB_KINDS && added; k++)
		if (disturb_said(&w->args->disturb, k))
			added = add_variant(w, policy, order, false, k);
	return added;
}

/* The policies that support the order, except those that rank users. */
static bool add_defaults(struct work *w, int order)
{
	struct rules_args args = args_of(w, order);
	struct sim_rules made;
	bool added = add_each(w, RULES_EASY, order);
	int i;

	for (i = 0; i <= RULES_DC && added; i++)
		if (i != RULES_EASY && i != RULES_DEPTH &&
		    !rules_make(&made, i, &args))
			added = add_each(w, i, order);
	if (args.depth && added)
		added = add_each(w, RULES_DEPTH, order);
	return added;
}

/* The policies that were asked for; those that cannot run are left out. */
static bool add_chosen(struct work *w, int order)
{
	const struct choices *p = &w->args->policies;
	struct rules_args args = args_of(w, order);
	struct sim_rules made;
	bool added = true;
	const char *why;
	size_t i;

	for (i = 0; i < p->n && added; i++) {
		why = rules_make(&made, p->index[i], &args);
		added = why ? leave_out(w, p->index[i], order, why)
			    : add_each(w, p->index[i], order);
	}
	return added;
}

/* Every order with every policy. */
static bool add_variants(struct work *w)
{
	struct choices orders = w->args->orders;
	bool added = true;
	size_t i;

	if (!orders.n)
		orders.index[orders.n++] = FAIR_ORDER_FCFS;
	for (i = 0; i < orders.n && added; i++) {
		w->orders |= 1u << orders.index[i];
		added = w->args->policies.n ? add_chosen(w, orders.index[i])
					    : add_defaults(w, orders.index[i]);
	}
	return added;
}

static const char *make_rules(struct work *w)
{
	struct rules_args args;
	const struct variant *v;
	const char *why = NULL;
	uint32_t policies = 0;
	struct report *r;
	size_t i;

	for (i = 0; i < w->reports && !why; i++) {
		r = &w->report[i];
		v = &w->variant[i % w->policies];
		r->policy = v->policy;
		policies |= 1u << r->policy;
		args = args_of(w, v->order);
		why = rules_make(&r->rules, r->policy, &args);
		rules_bind(&r->rules, &w->files);
		r->rules.plan = &w->jobs[i / w->policies].plan;
		r->rules.place = &w->jobs[i / w->policies].place;
		if (!v->maintained)
			r->rules.maintenance = NULL;
		r->rules.disturb = disturb_only(&w->disturb, v->disturbance);
		r->rules.patience = w->args->disturb.patience;
		r->rules.together = w->args->disturb.together;
		disturb_text(&w->args->disturb, v->disturbance == DISTURB_KINDS
							? -1
							: v->disturbance,
			     r->disturbance, sizeof(r->disturbance));
		r->tells_order = w->args->orders.n > 1;
		r->tells_procs = w->machines > 1;
		r->tells_maintenance = args.maintenance != NULL;
	}
	args = args_of(w, w->variant[0].order);
	args.orders = w->orders;
	args.reports_shares = true;
	if (w->args->fst_run.fst)
		args.billing = NULL; /* fair shares by cost */
	return why ? why : rules_idle(&args, policies);
}

static int open_work(struct work *w, size_t paths)
{
	w->traces = (paths ? paths : 1) * w->machines;
	w->reports = w->traces * w->policies;
	w->trace = calloc(w->traces, sizeof(*w->trace));
	w->late = calloc(w->traces, sizeof(*w->late));
	w->jobs = calloc(w->traces, sizeof(*w->jobs));
	w->report = calloc(w->reports, sizeof(*w->report));
	w->fst_run = calloc(w->reports, sizeof(*w->fst_run));
	return w->trace && w->late && w->jobs && w->report && w->fst_run
		       ? 0
		       : run_error("out of memory");
}

static void close_work(struct work *w, int status)
{
	size_t i;

	page_close(&w->page, !status);
	for (i = 0; w->report && i < w->reports; i++)
		report_free(&w->report[i]);
	for (i = 0; w->trace && i < w->traces; i++)
		swf_free(&w->trace[i]);
	for (i = 0; w->late && i < w->traces; i++)
		free(w->late[i].trace.job);
	for (i = 0; w->jobs && i < w->traces; i++)
		rules_jobs_free(&w->jobs[i]);
	free(w->trace);
	free(w->late);
	free(w->jobs);
	free(w->report);
	free(w->fst_run);
	free(w->variant);
	free(w->left_out);
	rules_close(&w->files);
	pthread_mutex_destroy(&w->lock);
}

static int compare(struct work *w, char **path, size_t paths)
{
	int status = read_traces(w, path, paths);
	size_t i;

	if (!status && w->args->report)
		status = page_open(&w->page, w->args->report, w->report,
				   w->traces, w->policies);
	w->page.command = options_line();
	if (status)
		return status;
	for (i = 0; i < w->reports; i++) {
		w->report[i].trace = &w->trace[i / w->policies];
		if (w->report[i].rules.disturb.end_late) {
			w->report[i].trace = &w->late[i / w->policies].trace;
			w->report[i].late_ends = w->late[i / w->policies].jobs;
		}
		w->report[i].name =
			paths ? trace_name(path[i / w->policies / w->machines])
			      : "generated";
	}
	status = run_work(w);
	if (!status)
		status = write_results(w, !paths);
	return status ? status : w->failed;
}

/* Why the options contradict each other, or NULL. */
static const char *check_args(const struct args *a, char **operand,
			      size_t operands)
{
	const char *why = fst_run_check(&a->fst_run,
					disturb_is_given(&a->disturb));
	size_t i;

	if (!why && a->parts && !a->fst_run.fst)
		why = "--parts needs --fst";
	for (i = 0; i < operands && !why; i++)
		if (a->procs.n > 1 && !strcmp(operand[i], "-"))
			why = "several --procs need a trace that can be read "
			      "again, not standard input";
	if (!why && a->procs.n && (a->rules.plan || a->rules.place))
		why = "--procs cannot be combined with --plan classes, --plan "
		      "nodes or --place nodes: the machine file says how many "
		      "there are";
	if (!why && a->rules.place && a->fst_run.fst)
		why = "--place nodes cannot be combined with --fst";
	return why;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct work w = { 0 };
	const char *why = check_args(a, operand, operands);
	char error[DISTURB_ERROR];
	int status;

	if (!why)
		why = rules_disturb(&w.disturb, &a->disturb, &a->rules,
				    a->fst_run.fst, error, sizeof(error));
	w.disturb.seed = (uint64_t)a->fst_run.seed;
	if (why)
		return usage_error(c, "%s", why);
	w.args = a;
	w.machines = a->procs.n ? a->procs.n : 1;
	pthread_mutex_init(&w.lock, NULL);
	status = add_variants(&w) ? 0 : run_error("out of memory");
	if (!status && !w.policies)
		status = usage_error(c, "%s", w.left_out[0].why);
	if (!status)
		status = open_work(&w, operands);
	why = status ? NULL : make_rules(&w);
	if (why)
		status = usage_error(c, "%s", why);
	if (!status)
		status = rules_open(&w.files, &a->rules, a->trace.cluster);
	if (!status)
		status = compare(&w, operand, operands);
	close_work(&w, status);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->disturb.patience = FAIR_PATIENCE;
}

const struct command compare_command = {
	"compare",
	"[TRACE ...]",
	"compare several policies on one or more traces",
	"Simulates each TRACE (as simulate does) under several policies, in "
	"parallel, and prints a table: waiting time, bounded slowdown, utilization, promises kept, and how much better or worse "
	"each value is than under the first policy. With --maintenance each "
	"policy runs without and with it (*). --fst adds unfairness, and "
	"its improvement in percent over the first; --report writes a page.",
	"Without a TRACE it uses a generated one: 10,000 jobs of the "
	"Lublin-Feitelson model for 256 processors at a load of 0.9, requests "
	"1 to 5 times the run time. 'fairsched simulate --help' defines the "
	"columns.",
	"fairsched compare KTH-SP2-1996-2.swf.gz --policies easy,conservative",
	options,
	0,
	SIZE_MAX,
	run,
	sizeof(struct args),
	defaults,
};
