/* SPDX-License-Identifier: MIT OR Unlicense */
/* priority - the components of each queued job's priority */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/sim/rules.h"
#include "tools/fairsched/trace/names.h"
#include "trace_options.h"

struct args {
	struct trace_args trace;
	struct when at;
	const char *config, *json;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "at", "TIME", OPTION_TIME, AT(at),
	  "the time of the queue: seconds of the trace, 12h, 1d12h, or a date",
	  NULL, 0, 0 },
	{ "config", "F", OPTION_FILE, AT(config),
	  "Maui's configuration, see docs/MAUI.md; default: Maui's defaults",
	  NULL, 0, 0 },
	{ "json", "F", OPTION_OUTPUT, AT(json),
	  "write the same as JSON, a list of the jobs", NULL, 0, 0 },
	TRACE_OPTIONS(struct args, trace),
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

struct row {
	uint64_t number;
	int64_t wait;
	struct fair_priority_parts parts;
};

/* The queue at that time. */
struct run {
	struct swf trace;
	struct maui maui;
	struct row *row;
	size_t rows;
};

static int highest_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->parts.priority != y->parts.priority)
		return x->parts.priority > y->parts.priority ? -1 : 1;
	if (x->wait != y->wait)
		return x->wait > y->wait ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void look(void *ctx, struct fair_sched *sched, int64_t at)
{
	struct fair_queue_place from = { 0, 0 };
	struct fair_job_status j;
	struct run *r = ctx;
	struct row *row;

	/* Before the first job it is too early. */
	if (fair_sched_pass_time(sched, at))
		return;
	while (fair_sched_each(sched, FAIR_QUEUED, &from, &j)) {
		row = &r->row[r->rows++];
		row->number = j.job.number;
		row->wait = at - j.job.submit;
		(void)fair_sched_priority_parts(sched, row->number, &row->parts);
	}
	qsort(r->row, r->rows, sizeof(*r->row), highest_first);
}

static void put_fixed(FILE *f, int64_t value)
{
	fprintf(f, "%.6f", (double)value / (double)FAIR_PRIORITY_ONE);
}

static void print_fixed(int64_t value)
{
	putchar(',');
	put_fixed(stdout, value);
}

static void print_row(const struct run *r, const struct row *row)
{
	const struct swf_job *j = &r->trace.job[row->number];
	int i;

	printf("%" PRId64 ",", j->id);
	names_csv(r->trace.names, SACCT_USER, j->user_id, stdout);
	putchar(',');
	names_csv(r->trace.names, SACCT_ACCOUNT, j->group, stdout);
	putchar(',');
	names_csv(r->trace.names, SACCT_PARTITION, j->queue, stdout);
	printf(",%s,%" PRId64, maui_jobs_qos(&r->maui, j), row->wait);
	print_fixed(row->parts.priority);
	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		print_fixed(row->parts.component[i]);
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++)
		print_fixed(row->parts.part[i]);
	putchar('\n');
}

static void print_rows(const struct run *r)
{
	size_t i;
	int k;

	fputs("job_id,user,group,class,qos,wait,priority", stdout);
	for (k = 0; k < FAIR_PRIORITY_COMPONENTS; k++)
		printf(",%s", fair_priority_component_name(k));
	for (k = 0; k < FAIR_PRIORITY_PARTS; k++)
		printf(",%s_part", fair_priority_part_name(k));
	putchar('\n');
	for (i = 0; i < r->rows; i++)
		print_row(r, &r->row[i]);
}

/* The columns of the CSV are the keys. */
static void write_number(FILE *f, const char *key, const char *more,
			 int64_t fixed)
{
	fprintf(f, ", \"%s%s\": ", key, more);
	put_fixed(f, fixed);
}

static void write_row(const struct run *r, const struct row *row, FILE *f)
{
	const struct swf_job *j = &r->trace.job[row->number];
	int i;

	fprintf(f, "  { \"job_id\": %" PRId64 ", \"user\": ", j->id);
	names_json(r->trace.names, SACCT_USER, j->user_id, f);
	fputs(", \"group\": ", f);
	names_json(r->trace.names, SACCT_ACCOUNT, j->group, f);
	fputs(", \"class\": ", f);
	names_json(r->trace.names, SACCT_PARTITION, j->queue, f);
	fputs(", \"qos\": ", f);
	text_json(f, maui_jobs_qos(&r->maui, j));
	fprintf(f, ", \"wait\": %" PRId64, row->wait);
	write_number(f, "priority", "", row->parts.priority);
	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		write_number(f, fair_priority_component_name(i), "",
			     row->parts.component[i]);
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++)
		write_number(f, fair_priority_part_name(i), "_part",
			     row->parts.part[i]);
	fputs(" }", f);
}

static int write_rows(const struct run *r, const char *path)
{
	FILE *f = output_open(path);
	size_t i;

	if (!f)
		return EXIT_FAILED;
	putc('[', f);
	for (i = 0; i < r->rows; i++) {
		fputs(i ? ",\n" : "\n", f);
		write_row(r, &r->row[i], f);
	}
	fputs(" ]\n", f);
	return output_commit();
}

static int simulate(struct run *r, const char *path, int64_t at)
{
	struct sim_watch watch = { 0 };
	struct sim_rules rules = { 0 };
	struct sim_result *result;
	struct sim_totals totals;
	int error;

	watch.ctx = r;
	watch.progress = progress_add;
	watch.stopped = look;
	watch.stop = at;
	rules.policy = FAIR_MAUI;
	rules.procs = r->trace.procs;
	rules.maui = &r->maui;
	result = malloc(r->trace.jobs * sizeof(*result));
	r->row = malloc(r->trace.jobs * sizeof(*r->row));
	error = -FAIR_ENOMEM;
	progress_begin("simulating", r->trace.jobs);
	if (result && r->row)
		error = sim_run(&rules, r->trace.job, r->trace.jobs, &watch,
				result, &totals);
	progress_end();
	free(result);
	return error ? run_error("%s: %s", trace_name(path),
				 fair_strerror(error))
		     : 0;
}

static int run_trace(struct run *r, const struct args *a, const char *path)
{
	struct swf_options o = trace_options(&a->trace);
	char error[MAUI_JOBS_ERROR];
	int64_t at = 0;
	int status;

	status = a->config ? maui_load(&r->maui, a->config)
			   : maui_parse(&r->maui, "defaults", "", 0);
	if (status)
		return input_error("%s", r->maui.error);
	if (trace_read(&r->trace, path, &o, a->trace.names))
		return input_error("%s", r->trace.error);
	if (maui_jobs_admit(&r->maui, &r->trace, path, error))
		return input_error("%s", error);
	status = trace_when(&a->at, &r->trace, "--at", &at);
	if (!status)
		status = simulate(r, path, at);
	if (!status && a->json)
		status = write_rows(r, a->json);
	if (!status && !(a->json && !strcmp(a->json, "-")))
		print_rows(r);
	return status;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct run r = { 0 };
	int status;

	(void)operands;
	if (!a->at.given)
		return usage_error(c, "--at is missing");
	status = run_trace(&r, a, operand[0]);
	free(r.row);
	maui_free(&r.maui);
	swf_free(&r.trace);
	return status;
}

const struct command priority_command = {
	"priority",
	"TRACE",
	"print the components of each queued job's priority",
	"Simulates TRACE under policy maui up to --at, and prints the jobs "
	"that are queued then, highest priority first, as CSV: the priority, "
	"its six components, and each subcomponent (NAME_part) before its "
	"component's cap and weight.",
	"Jobs that start in that second are not queued any more. docs/MAUI.md "
	"defines the subcomponents; its times are in minutes, the waits here "
	"in seconds.",
	"fairsched priority KTH-SP2-1996-2.swf.gz --at 30d",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	NULL,
};
