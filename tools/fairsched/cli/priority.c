/* SPDX-License-Identifier: MIT OR Unlicense */
/* priority - the components of each queued job's priority */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "priority_tree.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/sim/rules.h"
#include "tools/fairsched/trace/names.h"

struct args {
	struct snapshot_args snapshot;
	int order; /* of orders */
	const char *json;
};

enum { BY_PRIORITY, BY_TREE };

static const char *const orders[] = { "priority", "tree", NULL };

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "at", "TIME", OPTION_TIME, AT(snapshot.at),
	  "the time of the queue: seconds of the trace, 12h, 1d12h, or a date",
	  NULL, 0, 0 },
	{ "order", "O", OPTION_CHOICE, AT(order),
	  "priority: policy maui; tree: policy easy by --tree, each job with "
	  "the reason why it is behind a job of another user; default priority",
	  orders, 0, 0 },
	{ "config", "F", OPTION_FILE, AT(snapshot.rules.config),
	  "Maui's configuration, see docs/MAUI.md; default: Maui's defaults",
	  NULL, 0, 0 },
	{ "machine", "F", OPTION_FILE, AT(snapshot.rules.machine),
	  "node classes, CSV of the columns class,count,cpus,ram and so on: "
	  "processor equivalents count memory against all of their ram",
	  NULL, 0, 0 },
	{ "tree", "F", OPTION_FILE, AT(snapshot.rules.tree),
	  "accounts, users, shares, CSV of the columns parent,name,shares and "
	  "perhaps kind, or what sacctmgr -P show assoc prints; under policy "
	  "maui a user's fair-share factor is the component fs_user",
	  NULL, 0, 0 },
	{ "half-life", "TIME", OPTION_DURATION, AT(snapshot.rules.half_life),
	  "--tree: half-life of the decayed usage, default 7d", NULL, 1,
	  FAIR_USAGE_HALF_LIFE },
	{ "json", "F", OPTION_OUTPUT, AT(json),
	  "write the same as JSON, a list of the jobs", NULL, 0, 0 },
	TRACE_OPTIONS(struct args, snapshot.trace),
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
	struct rules_files files;
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
	const char *qos = maui_jobs_qos(&r->files.maui, j);
	int i;

	printf("%" PRId64 ",", j->id);
	names_csv(r->trace.names, SACCT_USER, j->user_id, stdout);
	putchar(',');
	names_csv(r->trace.names, SACCT_ACCOUNT, j->group, stdout);
	putchar(',');
	names_csv(r->trace.names, SACCT_PARTITION, j->queue, stdout);
	putchar(',');
	text_csv(stdout, qos, strlen(qos));
	printf(",%" PRId64, row->wait);
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

	fputs("job_id,user,group,queue,qos,wait,priority", stdout);
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
	fputs(", \"queue\": ", f);
	names_json(r->trace.names, SACCT_PARTITION, j->queue, f);
	fputs(", \"qos\": ", f);
	text_json(f, maui_jobs_qos(&r->files.maui, j));
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

static int simulate(struct run *r, const char *path, int64_t at,
		    struct sim_rules rules)
{
	struct sim_watch watch = { 0 };
	struct sim_result *result;
	struct sim_totals totals;
	int error;

	watch.ctx = r;
	watch.progress = progress_add;
	watch.stopped = look;
	watch.stop = at;
	rules_bind(&rules, &r->files);
	rules.procs = r->trace.procs;
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

/* The configuration, or Maui's defaults. */
static int open_files(struct run *r, const struct rules_args *a,
		      const char *cluster)
{
	int status = rules_open(&r->files, a, cluster);

	if (!status && !a->config &&
	    maui_parse(&r->files.maui, "defaults", "", 0))
		status = input_error("%s", r->files.maui.error);
	if (!status && a->machine)
		r->files.maui.memory = machine_memory(&r->files.machine);
	return status;
}

static int assign(struct run *r, const struct snapshot_args *a,
		  const char *path)
{
	char error[MAUI_JOBS_ERROR];
	int status = rules_assign(&r->files, &a->rules, a->trace.lenient,
				  &r->trace, path);

	if (!status && !a->rules.config &&
	    maui_jobs_admit(&r->files.maui, &r->trace, path, error))
		status = input_error("%s", error);
	return status;
}

static int run_trace(struct run *r, const struct snapshot_args *a,
		     const char *path, const char *json)
{
	struct swf_options o = trace_options(&a->trace);
	struct rules_args rules_args = a->rules;
	struct sim_rules rules;
	int64_t at = 0;
	int status = open_files(r, &a->rules, a->trace.cluster);

	if (status)
		return status;
	if (trace_read(&r->trace, path, &o, a->trace.names))
		return input_error("%s", r->trace.error);
	status = assign(r, a, path);
	if (!status)
		status = trace_when(&a->at, &r->trace, "--at", &at);
	rules_args.config = "defaults"; /* or what it is */
	(void)rules_make(&rules, RULES_MAUI, &rules_args);
	if (!status)
		status = simulate(r, path, at, rules);
	if (!status && json)
		status = write_rows(r, json);
	if (!status && !(json && !strcmp(json, "-")))
		print_rows(r);
	return status;
}

static const char *idle(const struct args *a)
{
	const struct rules_args *r = &a->snapshot.rules;

	if (a->order == BY_TREE && r->config)
		return "--config needs --order priority";
	if (a->order == BY_TREE && !r->tree)
		return "--order tree needs --tree";
	return r->half_life && !r->tree ? "--half-life needs --tree" : NULL;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	const char *why = idle(a);
	struct run r = { 0 };
	int status;

	(void)operands;
	if (!a->snapshot.at.given)
		return usage_error(c, "--at is missing");
	if (why)
		return usage_error(c, "%s", why);
	if (a->order == BY_TREE)
		return priority_by_tree(c, &a->snapshot, operand[0], a->json);
	status = run_trace(&r, &a->snapshot, operand[0], a->json);
	free(r.row);
	rules_close(&r.files);
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
	"component's cap and weight. With --order tree: the rank of each job's "
	"user, its fair-share factor (rank over users), the job of another "
	"user that is before it, and why.",
	"Jobs that start in that second are not queued any more. docs/MAUI.md "
	"defines the subcomponents; its times are in minutes, the waits here "
	"in seconds. docs/FAIRTREE.md defines ranks.",
	"fairsched priority KTH-SP2-1996-2.swf.gz --at 30d",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	NULL,
};
