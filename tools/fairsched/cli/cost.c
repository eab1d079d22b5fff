/* SPDX-License-Identifier: MIT OR Unlicense */
/* cost - what one request is charged on a machine */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "tools/fairsched/base/table.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/charge.h"

struct args {
	const char *machine, *standard;
	int64_t walltime;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "machine", "F", OPTION_FILE, AT(machine),
	  "node classes, CSV with the columns class,count,cpus, any other "
	  "resources, spec,cost,properties,nodes",
	  NULL, 0, 0 },
	{ "walltime", "TIME", OPTION_DURATION, AT(walltime),
	  "how long the job runs, default 1h", NULL, 1, UNITS_LARGEST },
	{ "standard-job", "REQUEST", OPTION_NAME, AT(standard),
	  "the resources of one standard job, default cpus=1:ram=1G", NULL, 0,
	  0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* The metrics that need no node list. */
static const enum charge_metric metrics[] = { CHARGE_CPU, CHARGE_STANDARD,
					      CHARGE_PE, CHARGE_BEST };

/* A trace of one job, as a record of 21 columns. */
static int read_request(struct swf *t, const char *request,
			const struct machine *m)
{
	struct swf_options o = { 0 };
	char text[1024];
	int n = snprintf(text, sizeof(text),
			 "1 0 -1 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1 {} q %s\n",
			 request);

	if (!*request || strpbrk(request, " \t\r\n;") ||
	    (size_t)n >= sizeof(text))
		return input_error("'%s' is not a request, such as "
				   "2:ppn=8:mem=16gb",
				   request);
	o.procs = machine_procs(m);
	return swf_parse(t, "request", text, (size_t)n, &o)
		       ? input_error("'%s': %s", request, t->error)
		       : 0;
}

static const char *behind(const char *text, const char *mark)
{
	const char *at = strstr(text, mark);

	return at ? at + strlen(mark) : text;
}

/* In processors, fixed point. A message begins with the line and the field. */
static int charge(const struct args *a, const struct machine *m,
		  enum charge_metric metric, const char *request,
		  int64_t *penalty)
{
	struct charge_rules rules = { 0 };
	char error[CHARGE_ERROR];
	const char *why;
	struct swf t = { 0 };
	int status = read_request(&t, request, m);

	rules.metric = (int)metric;
	rules.standard = a->standard;
	if (!status && charge_trace(m, &rules, false, &t, "request", error)) {
		why = behind(behind(error, ": "), ": ");
		status = input_error("'%s': %s", request, why);
	}
	if (!status)
		*penalty = t.job[0].penalty;
	swf_free(&t);
	return status;
}

static int print_costs(const struct args *a, const int64_t *penalty,
		       const char *request)
{
	double hours = (double)a->walltime / 3600, procs;
	char walltime[64];
	struct table t;
	size_t i;

	text_show(stdout, request);
	printf(" for %s on ",
	       units_text((double)a->walltime, walltime, sizeof(walltime)));
	text_show(stdout, a->machine);
	fputs("\n\n", stdout);
	table_open(&t);
	table_row(&t, TABLE_TITLE, "charge");
	table_cell(&t, NULL, "processors");
	table_cell(&t, NULL, "processor-hours");
	for (i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		procs = (double)penalty[i] / (double)FAIR_PENALTY_ONE;
		table_row(&t, TABLE_ROW, charge_metrics[metrics[i]]);
		table_cell(&t, NULL, "%.2f", procs);
		table_cell(&t, NULL, "%.2f", procs * hours);
	}
	table_print(&t, stdout, terminal_width(stdout));
	return table_close(&t) ? run_error("out of memory") : 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	int64_t penalty[sizeof(metrics) / sizeof(*metrics)];
	const struct args *a = args;
	struct machine m;
	int status = 0;
	size_t i;

	(void)operands;
	if (!a->machine)
		return usage_error(c, "--machine is missing");
	if (machine_read(&m, a->machine))
		status = input_error("%s", m.error);
	for (i = 0; i < sizeof(metrics) / sizeof(*metrics) && !status; i++)
		status = charge(a, &m, metrics[i], operand[0], &penalty[i]);
	if (!status)
		status = print_costs(a, penalty, operand[0]);
	machine_free(&m);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->walltime = 3600;
}

const struct command cost_command = {
	"cost",
	"REQUEST",
	"show what a request is charged on a machine",
	"Prints how many processors a job with that request is charged for, "
	"by each metric of --charge, and the processor-hours of its walltime.",
	"A REQUEST is that of column 21 of a trace, as 2:ppn=8:mem=16gb for two "
	"nodes, with + between unlike ones. docs/PENALTY.md defines it and the "
	"metrics; 'local' needs the nodes of a job and is not among them.",
	"fairsched cost 2:ppn=8:mem=16gb --machine machine.csv --walltime 1d",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
