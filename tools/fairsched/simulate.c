/* SPDX-License-Identifier: MIT OR Unlicense */
/* simulate - a trace under one policy */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "procset.h"
#include "rules.h"
#include "summary.h"

struct args {
	int policy, order, memory, estimates, overrun;
	int64_t procs, depth;
	bool lenient;
	const char *jobs_out, *swf_out, *promises_out, *json;
};

/* One simulation and all that it leaves. */
struct run {
	const struct args *args;
	const char *trace_name;
	struct swf trace;
	struct sim_rules rules;
	struct sim_result *result;
	struct sim_totals totals;
	struct summary summary;
	struct procset procset;
	FILE *jobs_out, *swf_out, *promises_out, *json;
};

static const char *const overrun_choices[] = { "extend", "kill", NULL };
static const char *const estimate_choices[] = { "request", "exact", NULL };
static const char *const memory_choices[] = { "auto", "kb", "bytes", NULL };

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "policy", "P", OPTION_CHOICE, AT(policy), "default easy",
	  policy_names, 0, 0 },
	{ "order", "O", OPTION_CHOICE, AT(order), "of the queue, default fcfs",
	  order_names, 0, 0 },
	{ "depth", "N", OPTION_INTEGER, AT(depth),
	  "reservations of --policy depth, default 1", NULL, 1, UINT32_MAX },
	{ "procs", "N", OPTION_INTEGER, AT(procs),
	  "processors of the machine, default MaxProcs of the trace", NULL, 1,
	  INT32_MAX },
	{ "overrun", "HOW", OPTION_CHOICE, AT(overrun),
	  "a job that runs longer than it requested had requested its run "
	  "time (default), or is killed",
	  overrun_choices, 0, 0 },
	{ "estimates", "WHICH", OPTION_CHOICE, AT(estimates),
	  "plan with what users requested (default), or with run times",
	  estimate_choices, 0, 0 },
	{ "memory-unit", "UNIT", OPTION_CHOICE, AT(memory),
	  "of field 10: KB per processor (default for 18 columns) or bytes "
	  "of the whole request (for 21)",
	  memory_choices, 0, 0 },
	{ "lenient", NULL, OPTION_FLAG, AT(lenient),
	  "count damaged lines and skip them", NULL, 0, 0 },
	{ "jobs-out", "F", OPTION_FILE, AT(jobs_out),
	  "CSV, one row a job, columns as Batsim's", NULL, 0, 0 },
	{ "promises-out", "F", OPTION_FILE, AT(promises_out),
	  "CSV, one row a promise: when, to whom, from, to, why", NULL, 0, 0 },
	{ "swf-out", "F", OPTION_FILE, AT(swf_out),
	  "the trace with the waits of this schedule", NULL, 0, 0 },
	{ "json", "F", OPTION_FILE, AT(json), "the summary as JSON", NULL, 0,
	  0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* ---- files ---- */

static const char *const cause_names[] = {
	"none",	   "arrival", "earlier",  "capacity",
	"overdue", "refused", "modified", "late_step",
};

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

	if (p->cause == FAIR_CAUSE_OVERDUE)
		snprintf(culprit, sizeof(culprit), "%" PRId64,
			 job[p->culprit].id);
	fprintf(r->promises_out, "%" PRId64 ",%" PRId64 ",%s,%s,%s,%s\n",
		job[p->number].id, p->made,
		or_empty(from, sizeof(from), p->from),
		or_empty(to, sizeof(to), p->to), cause_names[p->cause],
		culprit);
}

static void take_procs(void *ctx, size_t number, int64_t now)
{
	struct run *r = ctx;

	(void)now;
	procset_take(&r->procset, number, r->trace.job[number].procs);
}

static void give_procs(void *ctx, size_t number, int64_t now)
{
	struct run *r = ctx;

	(void)now;
	procset_give(&r->procset, number);
}

static void write_job(const struct run *r, size_t i)
{
	const struct swf_job *j = &r->trace.job[i];
	int64_t start = r->result[i].start, turnaround;
	char promise[24];
	FILE *f = r->jobs_out;

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
	fprintf(f, ",%" PRId64 ",%s,,\n", j->user_id,
		or_empty(promise, sizeof(promise), r->result[i].promise));
}

static void write_jobs(const struct run *r)
{
	size_t i;

	fputs("job_id,submission_time,requested_number_of_resources,"
	      "requested_time,starting_time,execution_time,finish_time,"
	      "waiting_time,turnaround_time,stretch,allocated_resources,user,"
	      "promised_start,strict_fst,relaxed_fst\n",
	      r->jobs_out);
	for (i = 0; i < r->trace.jobs; i++)
		write_job(r, i);
}

static void write_swf(const struct run *r)
{
	size_t i;

	swf_write_header(r->swf_out, &r->trace);
	for (i = 0; i < r->trace.jobs; i++)
		swf_write_job(r->swf_out, &r->trace.job[i],
			      r->result[i].start - r->trace.job[i].submit);
}

/* ---- summary ---- */

static void write_string(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			fprintf(f, "\\u%04x", (unsigned int)*s);
		else
			putc(*s, f);
	}
	putc('"', f);
}

static void write_json(const struct run *r)
{
	const struct summary *s = &r->summary;
	FILE *f = r->json;

	fputs("{\n  \"trace\": ", f);
	write_string(f, r->trace_name);
	fprintf(f, ",\n  \"policy\": \"%s\",\n  \"order\": \"%s\",\n",
		policy_names[r->args->policy], order_names[r->args->order]);
	fprintf(f, "  \"procs\": %" PRId32 ",\n  \"jobs\": %zu,\n",
		r->trace.procs, s->jobs);
	fprintf(f, "  \"dropped\": %zu,\n  \"damaged\": %zu,\n",
		swf_dropped(&r->trace), r->trace.damaged);
	fprintf(f, "  \"mean_wait\": %.6f,\n  \"p99_wait\": %" PRId64 ",\n",
		s->mean_wait, s->p99_wait);
	fprintf(f, "  \"max_wait\": %" PRId64 ",\n", s->max_wait);
	fprintf(f, "  \"mean_bounded_slowdown\": %.6f,\n",
		s->mean_bounded_slowdown);
	fprintf(f, "  \"utilization\": %.6f,\n  \"makespan\": %" PRId64 ",\n",
		s->utilization, s->makespan);
	if (sim_promises(&r->rules))
		fprintf(f,
			"  \"promises_kept\": %zu,\n"
			"  \"promises_broken\": %zu,\n",
			s->promises_kept, s->promises_broken);
	fprintf(f, "  \"digest\": \"%016" PRIx64 "\"\n}\n", r->totals.digest);
}

static void print_dropped(const struct swf *t)
{
	const char *comma = " (";
	size_t i, n = swf_dropped(t);

	printf("dropped                 %zu", n);
	for (i = 0; i < SWF_REASONS; i++) {
		if (!t->dropped[i])
			continue;
		printf("%s%s %zu", comma, swf_reason_text[i], t->dropped[i]);
		comma = ", ";
	}
	puts(n ? ")" : "");
	if (t->damaged)
		printf("damaged lines           %zu (%s)\n", t->damaged,
		       t->error);
}

static void print_summary(const struct run *r)
{
	const struct summary *s = &r->summary;

	printf("trace                   %s\n", r->trace_name);
	printf("policy                  %s", policy_names[r->args->policy]);
	if (r->args->policy == RULES_DEPTH)
		printf(" %" PRIu32, r->rules.depth);
	printf(", order %s\n", order_names[r->args->order]);
	printf("processors              %" PRId32 "\n", r->trace.procs);
	printf("jobs                    %zu\n", s->jobs);
	print_dropped(&r->trace);
	printf("mean wait               %.3f s\n", s->mean_wait);
	printf("99th percentile wait    %" PRId64 " s\n", s->p99_wait);
	printf("maximum wait            %" PRId64 " s\n", s->max_wait);
	printf("mean bounded slowdown   %.3f\n", s->mean_bounded_slowdown);
	printf("utilization             %.2f %%\n", 100 * s->utilization);
	printf("makespan                %" PRId64 " s\n", s->makespan);
	if (sim_promises(&r->rules))
		printf("promises kept           %zu\n"
		       "promises broken         %zu\n",
		       s->promises_kept, s->promises_broken);
	printf("digest                  %016" PRIx64 "\n", r->totals.digest);
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
	    open_output(a->swf_out, &r->swf_out) ||
	    open_output(a->promises_out, &r->promises_out) ||
	    open_output(a->json, &r->json))
		return EXIT_FAILED;
	if (r->jobs_out &&
	    procset_init(&r->procset, r->trace.procs, r->trace.jobs))
		return run_error("out of memory");
	if (r->promises_out)
		fputs("job_id,made,from,to,cause,culprit\n", r->promises_out);
	return 0;
}

static int simulate(struct run *r)
{
	struct sim_watch watch = { 0 };
	int error;

	watch.ctx = r;
	if (r->jobs_out) {
		watch.started = take_procs;
		watch.finished = give_procs;
	}
	if (r->promises_out)
		watch.promised = write_promise;
	r->rules.procs = r->trace.procs;
	r->result = malloc(r->trace.jobs * sizeof(*r->result));
	if (!r->result)
		return run_error("out of memory");
	error = sim_run(&r->rules, r->trace.job, r->trace.jobs, &watch,
			r->result, &r->totals);
	if (error)
		return run_error("%s: the scheduler: %s", r->trace_name,
				 fair_strerror(error));
	if (summary_make(&r->summary, &r->trace, r->result) || r->procset.error)
		return run_error("out of memory");
	return 0;
}

/* stdout is for the summary unless a file was asked for there. */
static int write_results(const struct run *r)
{
	int status;

	if (r->jobs_out)
		write_jobs(r);
	if (r->swf_out)
		write_swf(r);
	if (r->json)
		write_json(r);
	status = output_commit();
	if (!status && r->jobs_out != stdout && r->swf_out != stdout &&
	    r->promises_out != stdout && r->json != stdout)
		print_summary(r);
	return status;
}

static int run_trace(struct run *r, const char *path)
{
	struct swf_options o = { 0 };
	int status;

	o.procs = (int32_t)r->args->procs;
	o.overrun_kill = r->args->overrun;
	o.exact = r->args->estimates;
	o.lenient = r->args->lenient;
	o.memory = (enum swf_memory)r->args->memory;
	r->trace_name = strcmp(path, "-") ? path : "standard input";
	if (swf_read(&r->trace, path, &o))
		return input_error("%s", r->trace.error);
	status = open_outputs(r);
	if (!status)
		status = simulate(r);
	if (!status)
		status = write_results(r);
	output_abandon();
	return status;
}

/* No two results may go to one place. */
static int check_outputs(const struct command *c, const struct args *a)
{
	const char *path[] = { a->jobs_out, a->swf_out, a->promises_out,
			       a->json };
	size_t i, j;

	for (i = 0; i < 4; i++)
		for (j = 0; j < i; j++)
			if (path[i] && path[j] && !strcmp(path[i], path[j]))
				return usage_error(c, "two outputs to '%s'",
						   path[i]);
	return 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct run r = { 0 };
	const char *why;
	int status;

	(void)operands;
	r.args = a;
	why = rules_make(&r.rules, a->policy, a->order, a->depth);
	if (why)
		return usage_error(c, "%s", why);
	status = check_outputs(c, a);
	if (!status)
		status = run_trace(&r, operand[0]);
	procset_free(&r.procset);
	free(r.result);
	swf_free(&r.trace);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->policy = RULES_EASY;
}

const struct command simulate_command = {
	"simulate",
	"TRACE",
	"Plays TRACE, a file in Standard Workload Format (plain or gzipped, - "
	"for stdin), under one policy and sums the schedule up.",
	"Files may be - for stdout, instead of the summary. Slowdown is "
	"bounded: (wait + run) / max(60 s, run). Makespan is the last end "
	"minus the "
	"first submit, utilization the processor-seconds run divided by "
	"processors * makespan. Percentiles are nearest rank.",
	"fairsched simulate KTH-SP2-1996-2.swf.gz --policy conservative "
	"--jobs-out jobs.csv",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
