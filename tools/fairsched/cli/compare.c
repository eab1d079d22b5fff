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
#include "tools/fairsched/report/columns.h"
#include "tools/fairsched/report/fst_run.h"
#include "tools/fairsched/report/measure.h"
#include "tools/fairsched/report/page.h"
#include "tools/fairsched/trace/lublin.h"
#include "trace_options.h"

struct args {
	struct trace_args trace;
	struct rules_args rules;
	struct fst_run_args fst_run;
	struct choices policies;
	int64_t threads;
	const char *json, *report, *parts;
};

/* Every policy on every trace: report[trace * policies + policy]. */
struct work {
	const struct args *args;
	struct swf *trace;
	size_t traces, policies, reports;
	struct report *report;
	struct fst_run *fst_run; /* of each report */
	struct rules_files files;
	struct page page; /* --report */
	pthread_mutex_t lock;
	size_t next; /* report to run */
	struct left_out {
		int policy;
		const char *why;
	} left_out[CHOICES]; /* policies that cannot run here */
	size_t left_outs;
	int status;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "policies", "P,...", OPTION_CHOICES, AT(policies),
	  "policies to compare, or 'all'; the first is the baseline of the "
	  "others, and one that cannot run with the other options is a line "
	  "that says why; default: easy, then all that support the order",
	  policy_names, 0, 0 },
	RULES_OPTIONS(struct args, rules),
	SAMPLE_OPTIONS(struct args, fst_run),
	{ "threads", "N", OPTION_INTEGER, AT(threads),
	  "simulations in parallel, default one for each processor of this "
	  "computer",
	  NULL, 1, THREADS },
	{ "json", "F", OPTION_OUTPUT, AT(json),
	  "write a JSON list of the summaries of all runs, as simulate --json",
	  NULL, 0, 0 },
	{ "report", "DIR", OPTION_FILE, AT(report),
	  "write a page to DIR/index.html with tables, charts and zoomable "
	  "schedules; DIR is created, or must hold an earlier report",
	  NULL, 0, 0 },
	{ "parts", "DIR", OPTION_FILE, AT(parts),
	  "keep fair start times in DIR, so that an interrupted run can "
	  "continue; DIR is created",
	  NULL, 0, 0 },
	TRACE_OPTIONS(struct args, trace),
	MEASURE_OPTIONS(struct args, trace),
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

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

static int read_generated(struct work *w, const struct swf_options *o)
{
	size_t bytes;
	char *text = generated_text(&bytes);
	int error;

	if (!text)
		return run_error("out of memory");
	error = swf_parse(&w->trace[0], "generated", text, bytes, o);
	free(text);
	return error ? input_error("%s", w->trace[0].error) : 0;
}

static int read_traces(struct work *w, char **path, size_t paths)
{
	struct swf_options o = trace_options(&w->args->trace);
	int status = 0;
	size_t i;

	o.or_procs = machine_procs(&w->files.machine);
	if (!paths)
		status = read_generated(w, &o);
	for (i = 0; i < paths && !status; i++)
		if (swf_read(&w->trace[i], path[i], &o))
			status = input_error("%s", w->trace[i].error);
	for (i = 0; i < w->traces && !status; i++)
		status = rules_assign(&w->files, &w->args->rules,
				      w->args->trace.lenient, &w->trace[i],
				      paths ? path[i] : "generated");
	return status;
}

/* ---- running ---- */

static struct report *take(struct work *w)
{
	struct report *r = NULL;

	pthread_mutex_lock(&w->lock);
	if (!w->status && w->next < w->reports)
		r = &w->report[w->next++];
	pthread_mutex_unlock(&w->lock);
	return r;
}

static void fail(struct work *w)
{
	pthread_mutex_lock(&w->lock);
	w->status = EXIT_FAILED;
	pthread_mutex_unlock(&w->lock);
}

static int run_one(struct work *w, struct report *r)
{
	struct sim_watch watch = { 0 };

	watch.progress = progress_add;
	if (w->args->report &&
	    page_watch(&w->page, r, &w->files.shares, &watch)) {
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
		if (run_one(w, r))
			fail(w);
		if (!w->args->fst_run.fst && !w->args->report)
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

/* Opens the fair start times of a report, or closes them if @wanted is NULL. */
static int open_or_close(struct work *w, size_t i, size_t *wanted)
{
	struct fst_run_args a = w->args->fst_run;
	struct report *r = &w->report[i];
	char *part = NULL;
	int status;

	a.only_late = true;
	if (w->args->parts) {
		part = fst_run_part(w->args->parts, r->name,
				    policy_names[r->policy]);
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
	int status = fst_run_folder(w->args->parts), error;

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
	if (w->args->fst_run.fst && !w->status)
		w->status = run_fst(w, threads);
	for (i = 0; i < w->reports; i++)
		if (*w->report[i].error)
			run_error("%s", w->report[i].error);
	return w->status;
}

/* ---- the table ---- */

#define NAME_WIDTH 12
#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

static void print_titles(const char *name, const struct column *c, size_t n)
{
	size_t i;

	printf("%-*s", NAME_WIDTH, name);
	for (i = 0; i < n; i++)
		printf(" %*s", c[i].width, c[i].title);
	printf("\n%-*s", NAME_WIDTH, "");
	for (i = 0; i < n; i++)
		printf(" %*s", c[i].width, c[i].unit);
	putchar('\n');
}

static void print_name(const struct report *r)
{
	char text[64];

	report_policy(r, text, sizeof(text));
	printf("%-*s", NAME_WIDTH, text);
}

static void print_numbers(const struct report *r, const struct column *c,
			  size_t n)
{
	size_t i;

	print_name(r);
	for (i = 0; i < n; i++)
		printf(" %*.*f", c[i].width, c[i].digits, c[i].value(r));
}

static void print_values(const struct report *r)
{
	const struct summary *s = &r->summary;
	char text[64];

	print_numbers(r, column, PROMISES_COLUMN);
	snprintf(text, sizeof(text), "%zu/%zu", s->promises_kept,
		 s->promises_kept + s->promises_broken);
	printf(" %*s\n", column[PROMISES_COLUMN].width,
	       sim_promises(&r->rules) ? text : "none");
}

/* How much better or worse @value is than @first; its colour or "". */
static const char *judge(const struct column *c, double value, double first,
			 char *text, size_t size)
{
	double percent =
		first > 0 ? 100 * fabs(value - first) / first : INFINITY;
	bool better = (value > first) == c->more_is_better;
	const char *word = better ? "better" : "worse";

	if (value == first || percent < 0.05) {
		snprintf(text, size, "same");
		return "";
	}
	if (isinf(percent))
		snprintf(text, size, "%s", word);
	else if (percent < 1)
		snprintf(text, size, "<1%% %s", word);
	else if (percent < 1000)
		snprintf(text, size, "%d%% %s", (int)percent, word);
	else
		snprintf(text, size, "%.0fx %s", value / first, word);
	return better ? GREEN : RED;
}

static void print_judgement(const struct report *r, const struct report *first,
			    const struct column *c, size_t n, bool colour)
{
	const char *paint;
	char text[32];

	printf("%-*s", NAME_WIDTH, "");
	for (; n; n--, c++) {
		paint = judge(c, c->value(r), c->value(first), text,
			      sizeof(text));
		if (!colour)
			paint = "";
		printf(" %s%*s%s", paint, c->width, text, *paint ? PLAIN : "");
	}
	putchar('\n');
}

static void print_error(const struct report *r, enum measure m, double error,
			int width)
{
	double none = measure_none(r, m);
	char text[32];

	if (none > 0)
		snprintf(text, sizeof(text), "none, <%.2g%%", none);
	else
		snprintf(text, sizeof(text), "%.2f", error);
	printf(" %*s", width, text);
}

/* The confidence intervals of a sample. */
static void print_errors(const struct report *r, double strict_error,
			 double relaxed_error, int width)
{
	if (!measure_sampled(r))
		return;
	printf("%-*s", NAME_WIDTH, "  +- (95 %)");
	print_error(r, MEASURE_STRICT, strict_error, width);
	print_error(r, MEASURE_RELAXED, relaxed_error, width);
	putchar('\n');
}

static void print_fairness(const struct report *first, size_t policies,
			   bool colour)
{
	const struct column *c = fairness_column;
	const struct report *r;

	putchar('\n');
	print_titles("unfairness", c, FAIRNESS_COLUMNS);
	for (r = first; r < first + policies; r++) {
		print_numbers(r, c, FAIRNESS_COLUMNS);
		putchar('\n');
		print_errors(r, measure_error(r, MEASURE_STRICT),
			     measure_error(r, MEASURE_RELAXED), c->width);
		if (r > first)
			print_judgement(r, first, c, FAIRNESS_COLUMNS, colour);
	}
}

#define GAIN_WIDTH 12

static void print_improvement(const struct report *base, const struct report *r)
{
	double gain;
	enum measure m;

	print_name(r);
	for (m = 0; m < MEASURES; m++) {
		gain = improvement(base, r, m);
		if (isinf(gain))
			printf(" %*s", GAIN_WIDTH, "worse");
		else
			printf(" %*.2f", GAIN_WIDTH, gain);
	}
	putchar('\n');
	print_errors(r, improvement_error(base, r, MEASURE_STRICT),
		     improvement_error(base, r, MEASURE_RELAXED), GAIN_WIDTH);
}

static void print_improvements(const struct report *first, size_t policies)
{
	const struct report *base = measure_base(first, policies), *r;
	enum measure m;

	printf("\n%-*s", NAME_WIDTH, "improvement");
	for (m = 0; m < MEASURES; m++)
		printf(" %*s", GAIN_WIDTH, measure_names[m]);
	printf("\n%-*s", NAME_WIDTH, "");
	for (m = 0; m < MEASURES; m++)
		printf(" %*s", GAIN_WIDTH, "%");
	putchar('\n');
	for (r = first; r < first + policies; r++)
		if (r != base)
			print_improvement(base, r);
}

static void print_sample(const struct report *r, size_t policies)
{
	bool none = false;
	size_t i;

	if (!measure_sampled(r))
		return;
	printf("\nstrict and relaxed: of a sample, %zu of %zu jobs\n",
	       r->unfairness->known, r->summary.jobs);
	for (i = 0; i < policies; i++)
		none = none || measure_none(&r[i], MEASURE_STRICT) > 0 ||
		       measure_none(&r[i], MEASURE_RELAXED) > 0;
	if (none)
		puts("none, <x%: none of the sample is late, and fewer than x % "
		     "of all jobs (95 %)");
}

/* What the site's own scheduler did, where the log has all waits. */
static int print_recorded(const struct swf *t)
{
	struct sim_result *result = malloc(t->jobs * sizeof(*result));
	struct report r = { 0 };
	bool known = true;
	size_t i;

	for (i = 0; result && i < t->jobs; i++) {
		known = known && t->job[i].wait >= 0;
		result[i].start = t->job[i].submit + t->job[i].wait;
		result[i].promise = FAIR_FOREVER;
	}
	if (!result || (known && summary_make(&r.summary, t, result))) {
		free(result);
		return run_error("out of memory");
	}
	free(result);
	if (!known)
		return 0;
	printf("%-*s", NAME_WIDTH, "recorded");
	for (i = 0; i < PROMISES_COLUMN; i++)
		printf(" %*.*f", column[i].width, column[i].digits,
		       column[i].value(&r));
	putchar('\n');
	return 0;
}

static double mean_wait_of(const struct report *r)
{
	return r->summary.mean_wait;
}

static double max_wait_of(const struct report *r)
{
	return (double)r->summary.max_wait;
}

/* The least of @n by @of; the first of equal ones. */
static const struct report *least_of(const struct report *r, size_t n,
				     double (*of)(const struct report *r))
{
	const struct report *least = r;
	size_t i;

	for (i = 1; i < n; i++)
		if (of(&r[i]) < of(least))
			least = &r[i];
	return least;
}

static void print_conclusion(const struct report *r, size_t n)
{
	const struct report *mean = least_of(r, n, mean_wait_of),
			    *most = least_of(r, n, max_wait_of), *kept = NULL;
	char name[64], time[64];
	size_t i;

	report_policy(mean, name, sizeof(name));
	printf("\nJobs wait least under %s, %s on average", name,
	       units_text(mean->summary.mean_wait, time, sizeof(time)));
	report_policy(most, name, sizeof(name));
	printf(";\nthe longest wait is shortest under %s, %s.\n", name,
	       units_text((double)most->summary.max_wait, time, sizeof(time)));
	for (i = 0; i < n; i++)
		if (sim_promises(&r[i].rules) &&
		    !r[i].summary.promises_broken &&
		    (!kept || mean_wait_of(&r[i]) < mean_wait_of(kept)))
			kept = &r[i];
	if (!kept) {
		puts("None of these policies promises a start when a job "
		     "arrives.");
		return;
	}
	report_policy(kept, name, sizeof(name));
	printf("With a promised start that holds, they wait least under %s, "
	       "%s.\n",
	       name, units_text(kept->summary.mean_wait, time, sizeof(time)));
}

static void print_table(const struct report *first, size_t policies,
			const struct work *w)
{
	const struct left_out *l;
	bool colour = terminal_colour(stdout), both;
	const struct swf *t = first->trace;
	size_t i;

	text_show(stdout, first->name);
	printf(": %zu jobs", t->jobs);
	if (swf_dropped(t) || t->damaged)
		printf(" (%zu dropped, %zu lines damaged)", swf_dropped(t),
		       t->damaged);
	printf(", %" PRId32 " processor%s, order %s\n\n", t->procs,
	       t->procs == 1 ? "" : "s", order_names[first->rules.order]);
	print_titles("policy", column, COLUMNS);
	for (i = 0; i < policies; i++) {
		both = sim_promises(&first[i].rules) &&
		       sim_promises(&first->rules);
		print_values(&first[i]);
		if (i)
			print_judgement(&first[i], first, column,
					PROMISES_COLUMN + both, colour);
	}
	print_recorded(t);
	for (l = w->left_out; l < w->left_out + w->left_outs; l++)
		printf("%-*s cannot run: %s\n", NAME_WIDTH,
		       policy_names[l->policy], l->why);
	if (policies > 1)
		print_conclusion(first, policies);
	if (!first->unfairness)
		return;
	print_fairness(first, policies, colour);
	if (policies > 1)
		print_improvements(first, policies);
	print_sample(first, policies);
}

static void print_tables(const struct work *w, bool generated)
{
	const struct report *r = measure_base(w->report, w->policies);
	const char *base = policy_names[r->policy];
	size_t i;

	for (i = 0; i < w->traces; i++) {
		print_table(&w->report[i * w->policies], w->policies, w);
		putchar('\n');
	}
	if (w->policies > 1)
		printf("Better and worse: than %s.\n",
		       policy_names[w->report[0].policy]);
	if (w->policies > 1 && w->args->fst_run.fst)
		printf("Improvement: (%s - other) / %s.\n", base, base);
	if (generated)
		puts("The trace is that of 'fairsched generate --load 0.9 "
		     "--overestimate 5'.");
}

/* ---- the command ---- */

static void write_json(const struct work *w, FILE *f)
{
	size_t i;

	for (i = 0; i < w->reports; i++) {
		fputs(i ? ",\n" : "[", f);
		report_json(&w->report[i], f);
	}
	fputs("]\n", f);
}

static int write_results(struct work *w, bool generated)
{
	const char *path = w->args->json;
	FILE *f = path ? output_open(path) : NULL;
	int status = path && !f ? EXIT_FAILED : 0;

	if (f)
		write_json(w, f);
	if (!status && w->args->report)
		status = page_write(&w->page);
	if (!status)
		status = output_commit();
	if (!status && f != stdout)
		print_tables(w, generated);
	return status;
}

/* The policies that support the order, except those that rank users. */
static void default_policies(struct choices *p, const struct rules_args *rules)
{
	struct sim_rules made;
	int i;

	p->n = 0;
	p->index[p->n++] = RULES_EASY;
	for (i = 0; i <= RULES_DC; i++)
		if (i != RULES_EASY && i != RULES_DEPTH &&
		    !rules_make(&made, i, rules))
			p->index[p->n++] = i;
	if (rules->depth)
		p->index[p->n++] = RULES_DEPTH;
}

/* Moves the policies that cannot run to w->left_out; NULL if others remain. */
static const char *leave_out(struct work *w, struct choices *p)
{
	const char *why = NULL, *reason;
	struct sim_rules made;
	size_t i, kept = 0;

	for (i = 0; i < p->n; i++) {
		reason = rules_make(&made, p->index[i], &w->args->rules);
		if (!reason) {
			p->index[kept++] = p->index[i];
			continue;
		}
		why = why ? why : reason;
		w->left_out[w->left_outs].policy = p->index[i];
		w->left_out[w->left_outs++].why = reason;
	}
	p->n = kept;
	return kept ? NULL : why;
}

static const char *make_rules(struct work *w, const struct choices *p)
{
	struct rules_args args = w->args->rules;
	const char *why = NULL;
	uint32_t policies = 0;
	struct report *r;
	size_t i;

	for (i = 0; i < w->reports && !why; i++) {
		r = &w->report[i];
		r->policy = p->index[i % p->n];
		policies |= 1u << r->policy;
		why = rules_make(&r->rules, r->policy, &args);
		rules_bind(&r->rules, &w->files);
	}
	if (w->args->report)
		args.shares = NULL; /* they are used, after all */
	return why ? why : rules_idle(&args, policies);
}

static int open_work(struct work *w, size_t paths)
{
	w->traces = paths ? paths : 1;
	w->reports = w->traces * w->policies;
	w->trace = calloc(w->traces, sizeof(*w->trace));
	w->report = calloc(w->reports, sizeof(*w->report));
	w->fst_run = calloc(w->reports, sizeof(*w->fst_run));
	return w->trace && w->report && w->fst_run ? 0
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
	free(w->trace);
	free(w->report);
	free(w->fst_run);
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
	if (status)
		return status;
	for (i = 0; i < w->reports; i++) {
		w->report[i].trace = &w->trace[i / w->policies];
		w->report[i].name =
			paths ? trace_name(path[i / w->policies]) : "generated";
	}
	status = run_work(w);
	if (!status)
		status = write_results(w, !paths);
	output_abandon();
	return status;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct choices policies = a->policies;
	struct work w = { 0 };
	const char *why;
	int status;

	w.args = a;
	why = fst_run_check(&a->fst_run);
	if (a->parts && !a->fst_run.fst)
		why = "--parts needs --fst";
	if (why)
		return usage_error(c, "%s", why);
	if (!policies.n)
		default_policies(&policies, &a->rules);
	why = leave_out(&w, &policies);
	if (why)
		return usage_error(c, "%s", why);
	w.policies = policies.n;
	pthread_mutex_init(&w.lock, NULL);
	status = open_work(&w, operands);
	why = status ? NULL : make_rules(&w, &policies);
	if (why)
		status = usage_error(c, "%s", why);
	if (!status)
		status = rules_open(&w.files, &a->rules);
	if (!status)
		status = compare(&w, operand, operands);
	close_work(&w, status);
	return status;
}

const struct command compare_command = {
	"compare",
	"[TRACE ...]",
	"compare several policies on one or more traces",
	"Simulates each TRACE (as simulate does) under several policies, in "
	"parallel, and prints a table: waiting time in seconds, bounded "
	"slowdown, utilization, promises kept, and how much better or worse "
	"each value is than under the first policy. --fst adds unfairness, and "
	"its improvement in percent over conservative, or over the first "
	"policy if conservative is not compared; --report writes a page.",
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
	NULL,
};
