/* SPDX-License-Identifier: MIT OR Unlicense */
/* generate - writes a trace by a published workload model */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/report/report.h"
#include "tools/fairsched/trace/classes_trace.h"
#include "tools/fairsched/trace/lublin.h"
#include "tools/fairsched/trace/sfs_trace.h"

struct args {
	int model;
	int64_t seed, jobs, procs, walltime; /* but for seed: 0: not given */
	double load, overestimate;
	const char *machine_out;
	bool nodes;
};

enum { LUBLIN, SFS };

#define AT(field) offsetof(struct args, field)

static const char *const models[] = { "lublin", "sfs", NULL };

static const struct option options[] = {
	{ "model", "M", OPTION_CHOICE, AT(model),
	  "Lublin and Feitelson, 2003 (default), or the workload of the "
	  "simultaneous fair share paper",
	  models, 0, 0 },
	{ "seed", "N", OPTION_INTEGER, AT(seed),
	  "seed of the random numbers, default 1", NULL, 0, INT64_MAX },
	{ "walltime", "TIME", OPTION_DURATION, AT(walltime),
	  "model sfs: walltime of every job, default 1d", NULL, 1,
	  INT64_C(1) << 32 },
	{ "jobs", "N", OPTION_INTEGER, AT(jobs),
	  "model lublin: number of jobs, default 10000", NULL, 1,
	  LUBLIN_MOST_JOBS },
	{ "procs", "N", OPTION_INTEGER, AT(procs),
	  "model lublin: processors of the machine, default 256", NULL,
	  LUBLIN_LEAST_PROCS, 1 << 30 },
	{ "load", "X", OPTION_DECIMAL, AT(load),
	  "model lublin: scale the interarrival times to this load, which is "
	  "the processor-seconds of all jobs / (processors * last submit); "
	  "default: as the model gives it",
	  NULL, 20, 1000 },
	{ "overestimate", "X", OPTION_DECIMAL, AT(overestimate),
	  "model lublin: users request 1 to X times the run time, uniformly "
	  "distributed, default 1",
	  NULL, 100, 100000 },
	{ "machine-out", "F", OPTION_OUTPUT, AT(machine_out),
	  "model lublin: write a machine of four node classes with memory and "
	  "GPUs to F, for --machine F --plan classes, and to stdout a jobs CSV "
	  "for it; at least 320 processors, default 1600",
	  NULL, 0, 0 },
	{ "nodes", NULL, OPTION_FLAG, AT(nodes),
	  "--machine-out: the jobs say what they ask of nodes, for --plan "
	  "nodes",
	  NULL, 0, 0 },
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
		return 0; /* main() reports it */
	queue = mean_queue(rules, job, jobs);
	if (queue < 0)
		return EXIT_FAILED;
	fprintf(stderr,
		"seed %" PRIu64 ", load %.4f, mean queue under easy %.1f "
		"jobs\n",
		rules->seed, lublin_load(rules, job, jobs), queue);
	return 0;
}

static int write_classes(const struct args *a, const struct lublin_rules *rules,
			 struct swf_job *job, size_t jobs)
{
	struct lublin_rules small = classes_trace_rules(rules);
	FILE *machine = output_open(a->machine_out);
	int status = machine ? 0 : EXIT_FAILED;

	if (machine) {
		classes_trace_machine(machine, rules->procs);
		status = output_commit();
	}
	if (status)
		return status;
	lublin_generate(&small, job, jobs);
	classes_trace_write(stdout, rules, job, jobs, a->nodes);
	if (!fflush(stdout)) /* else main() reports it */
		fprintf(stderr, "seed %" PRIu64 "\n", rules->seed);
	return 0;
}

static int run_lublin(const struct args *a)
{
	struct lublin_rules rules;
	size_t jobs = a->jobs ? (size_t)a->jobs : 10000;
	struct swf_job *job = calloc(jobs, sizeof(*job));
	int status;

	if (!job)
		return run_error("out of memory");
	rules.seed = (uint64_t)a->seed;
	rules.procs = a->machine_out ? 1600 : 256;
	if (a->procs)
		rules.procs = (int32_t)a->procs;
	rules.load = a->load;
	rules.overestimate = a->overestimate > 0 ? a->overestimate : 1;
	status = a->machine_out ? write_classes(a, &rules, job, jobs)
				: generate(&rules, job, jobs);
	free(job);
	return status;
}

static int run_sfs(const struct args *a)
{
	struct swf_job job[SFS_TRACE_JOBS];
	struct sfs_trace_rules rules;

	rules.seed = (uint64_t)a->seed;
	rules.walltime = a->walltime ? a->walltime : 86400;
	sfs_trace_generate(&rules, job);
	sfs_trace_write(stdout, &rules, job);
	if (!fflush(stdout)) /* else main() reports it */
		fprintf(stderr, "seed %" PRIu64 ", walltime %" PRId64 " s\n",
			rules.seed, rules.walltime);
	return 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;

	(void)operand;
	(void)operands;
	if (a->model == LUBLIN && a->walltime)
		return usage_error(c, "--walltime needs --model sfs");
	if (a->model == SFS && a->jobs)
		return usage_error(c, "--jobs needs --model lublin");
	if (a->model == SFS && a->machine_out)
		return usage_error(c, "--machine-out needs --model lublin");
	if (a->nodes && !a->machine_out)
		return usage_error(c, "--nodes needs --machine-out");
	if (a->machine_out && a->procs && a->procs < CLASSES_TRACE_LEAST)
		return usage_error(c, "--machine-out needs at least %d "
				      "processors", CLASSES_TRACE_LEAST);
	if (a->machine_out && !strcmp(a->machine_out, "-"))
		return usage_error(c, "--machine-out needs a file: stdout is "
				      "for the jobs");
	if (a->model == SFS && a->procs)
		return usage_error(c, "--procs needs --model lublin");
	if (a->model == SFS && (a->load > 0 || a->overestimate > 0))
		return usage_error(
			c, "--load and --overestimate need --model lublin");
	return a->model == SFS ? run_sfs(a) : run_lublin(a);
}

static void defaults(void *args)
{
	struct args *a = args;

	a->seed = 1;
}

const struct command generate_command = {
	"generate",
	"",
	"generate a trace by a published workload model",
	"Writes a trace in Standard Workload Format to stdout, and its seed to "
	"stderr; for model lublin also its load and the mean queue length "
	"under policy easy.",
	"lublin: sizes, run times and arrivals with a daily cycle that begins "
	"at midnight; docs/lublin.md has the parameters and the sources. sfs: "
	"Alice (user 1), Bob (2) and Chris (3) submit jobs to 1400 processors "
	"for a week; see docs/SFS.md. Equal options give equal traces.",
	"fairsched generate --jobs 10000 --procs 256 --load 0.9 "
	"--overestimate 5 > trace.swf",
	options,
	0,
	0,
	run,
	sizeof(struct args),
	defaults,
};
