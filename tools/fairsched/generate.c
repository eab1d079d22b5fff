/* SPDX-License-Identifier: MIT OR Unlicense */
/* generate - a trace by a published model */
#include <inttypes.h>
#include <stdlib.h>

#include "commands.h"
#include "lublin.h"
#include "report.h"
#include "terminal.h"

struct args {
	int model;
	int64_t seed, jobs, procs;
	double load, overestimate;
};

#define AT(field) offsetof(struct args, field)

static const char *const models[] = { "lublin", NULL };

static const struct option options[] = {
	{ "model", "M", OPTION_CHOICE, AT(model),
	  "Lublin and Feitelson, 2003 (default)", models, 0, 0 },
	{ "seed", "N", OPTION_INTEGER, AT(seed),
	  "another trace for each, default 1", NULL, 0, INT64_MAX },
	{ "jobs", "N", OPTION_INTEGER, AT(jobs), "default 10000", NULL, 1,
	  LUBLIN_MOST_JOBS },
	{ "procs", "N", OPTION_INTEGER, AT(procs),
	  "processors of the machine, default 256", NULL, LUBLIN_LEAST_PROCS,
	  1 << 30 },
	{ "load", "X", OPTION_DECIMAL, AT(load),
	  "processor-seconds of all jobs / (processors * last submit): gaps "
	  "between jobs are scaled to reach it, default as the model has it",
	  NULL, 20, 1000 },
	{ "overestimate", "X", OPTION_DECIMAL, AT(overestimate),
	  "users request 1 to X times the run time, uniformly, default 1", NULL,
	  100, 100000 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* Time-averaged jobs in the queue under easy; -1 after a message. */
static double mean_queue(const struct lublin_rules *rules, struct swf_job *job,
			 size_t jobs)
{
	static const struct rules_args fcfs;
	struct sim_watch watch = { 0 };
	struct report r = { 0 };
	struct swf t = { 0 };
	int status;

	t.job = job;
	t.jobs = jobs;
	t.procs = rules->procs;
	r.name = "what was generated";
	r.trace = &t;
	r.policy = RULES_EASY;
	rules_make(&r.rules, RULES_EASY, &fcfs);
	watch.progress = progress_add;
	progress_begin("mean queue", jobs);
	status = report_run(&r, &watch);
	progress_end();
	report_free(&r);
	if (status) {
		run_error("%s", r.error);
		return -1;
	}
	return r.summary.mean_wait * (double)jobs /
	       (double)(r.summary.makespan ? r.summary.makespan : 1);
}

static int generate(const struct lublin_rules *rules, struct swf_job *job,
		    size_t jobs)
{
	double queue;

	lublin_generate(rules, job, jobs);
	lublin_write(stdout, rules, job, jobs);
	if (fflush(stdout))
		return 0; /* main() tells */
	queue = mean_queue(rules, job, jobs);
	if (queue < 0)
		return EXIT_FAILED;
	fprintf(stderr,
		"seed %" PRIu64 ", load %.4f, mean queue under easy %.1f "
		"jobs\n",
		rules->seed, lublin_load(rules, job, jobs), queue);
	return 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct lublin_rules rules;
	struct swf_job *job = calloc((size_t)a->jobs, sizeof(*job));
	int status;

	(void)c;
	(void)operand;
	(void)operands;
	if (!job)
		return run_error("out of memory");
	rules.seed = (uint64_t)a->seed;
	rules.procs = (int32_t)a->procs;
	rules.load = a->load;
	rules.overestimate = a->overestimate;
	status = generate(&rules, job, (size_t)a->jobs);
	free(job);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->seed = 1;
	a->jobs = 10000;
	a->procs = 256;
	a->overestimate = 1;
}

const struct command generate_command = {
	"generate",
	"",
	"a trace by a published model",
	"Writes a trace in Standard Workload Format to stdout, and to stderr "
	"its seed, the load that it reaches and how many jobs wait on average "
	"under easy.",
	"Sizes, run times and arrivals with a daily cycle, the first day "
	"beginning at midnight. Equal options give equal traces. "
	"docs/lublin.md has the parameters and the sources.",
	"fairsched generate --jobs 10000 --procs 256 --load 0.9 "
	"--overestimate 5 > trace.swf",
	options,
	0,
	0,
	run,
	sizeof(struct args),
	defaults,
};
