/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * traces_bench.c - whole traces, in jobs per second without the reading
 *
 * usage: traces_bench [--quick | --full] > FILE.csv
 *
 * lublin_POLICY          fairsched generate --seed 4 --procs 256 --load 0.95
 *                        --overestimate 5: 10,000 jobs, of which 93 are queued
 *                        on average under conservative
 * lublin_busy_...        --load 1.1: 190 are queued
 * naive_...              the same on naive arrays; compares the schedules
 * nodes_LOG_POLICY       logs with requests for nodes, by --plan nodes: the
 *                        cluster of [MR] under conservative, with --quick its
 *                        first 6,000 jobs; with --full all policies, and a week
 *                        of 217 nodes
 * naive_nodes_...        the same by a sweep over the timelines of all nodes;
 *                        compares the schedules
 * TRACE_POLICY           logs of the Parallel Workloads Archive, from
 *                        $FAIRSCHED_SHARED/traces (default ../shared); three of
 *                        them, with --full all
 * traces_together        with --full: eleven logs under four policies
 *
 * n is the number of jobs; an operation is a job.
 */
#include "bench.h"

#include "naive_sched.h"
#include "tools/fairsched/sim/rules.h"
#include "tools/fairsched/sim/sim.h"
#include "tools/fairsched/trace/lublin.h"
#include "tools/fairsched/trace/trace.h"

#define LUBLIN_JOBS 10000

static const struct {
	const char *name;
	uint32_t policy;
} policies[] = {
	{ "easy", FAIR_BACKFILL },
	{ "conservative", FAIR_CONSERVATIVE },
	{ "pc", FAIR_PC },
	{ "dc", FAIR_DC },
};
#define POLICIES (sizeof(policies) / sizeof(policies[0]))
#define CONSERVATIVE 1

/*
 * Targets: ns for each job, or the seconds that the simulator of [CF] takes for
 * the whole log, of which a 30th is wanted.
 */
static const struct {
	const char *name, *file;
	int32_t procs; /* 0: the header's */
	bool always;
	double ns[POLICIES], seconds[POLICIES];
} logs[] = {
	{ "KTH-SP2", "KTH-SP2-1996-2", 0, true, { 500, 1000 }, { 0 } },
	{ "SDSC-SP2", "SDSC-SP2-1998-4.2-cln", 0, true, { 500, 1000 }, { 0 } },
	{ "BLUE",
	  "SDSC-BLUE-2000-4.2-cln",
	  0,
	  true,
	  { 500, 1000 },
	  { 0, 7.8, 88, 27 } },
	{ "HPC2N", "HPC2N-2002-2.2-cln", 0, false, { 0 }, { 0, 34, 600, 146 } },
	{ "NASA", "NASA-iPSC-1993-3.1-cln", 0, false, { 0 }, { 0 } },
	{ "Thunder", "LLNL-Thunder-2007-1.1-cln", 0, false, { 0 }, { 0 } },
	{ "CTC", "CTC-SP2-1996-3.1-cln", 0, false, { 0 }, { 0 } },
	{ "LANL", "LANL-CM5-1994-4.1-cln", 0, false, { 0 }, { 0 } },
	{ "DS", "SDSC-DS-2004-2.1-cln", 0, false, { 0 }, { 0 } },
	{ "Atlas", "LLNL-Atlas-2006-2.1-cln", 0, false, { 0 }, { 0 } },
	{ "CERIT",
	  "CERIT-SC-wagap-2013Q1-21col",
	  20 * 80 + 48 * 12,
	  false,
	  { 0 },
	  { 0 } },
	/* Not in the sum: its queue has 2,658 jobs on average. The aim is 5 s
	 * under conservative and dc, 20 under pc, for all 447,786 jobs. */
	{ "RICC",
	  "RICC-2010-2",
	  0,
	  false,
	  { 0, 11166, 44664, 11166 },
	  { 0 } },
};
#define LOGS (sizeof(logs) / sizeof(logs[0]))

struct traces {
	const struct swf_job *job;
	size_t jobs;
	struct sim_rules rules;
	struct sim_result *result;
	int64_t *start;
	struct naive_request *request; /* of each job, on nodes */
};

static void simulate(void *ctx)
{
	struct traces *t = ctx;
	struct sim_totals totals;

	bench_must(
		!sim_run(&t->rules, t->job, t->jobs, NULL, t->result, &totals),
		"the simulation");
	bench_sink += totals.digest;
}

static void simulate_naive(void *ctx)
{
	struct traces *t = ctx;

	bench_must(!naive_sched_run(t->job, t->jobs, t->rules.procs, NULL,
				    NULL, t->start),
		   "the naive simulation");
}

/* Without jobs. */
static void open_naive_nodes(const struct plan *p, struct naive_nodes *n)
{
	uint32_t k, r;

	memset(n, 0, sizeof(*n));
	n->classes = p->config.classes;
	bench_must(n->classes <= NAIVE_CLASSES && !p->config.wide &&
			   p->config.resources <= NAIVE_RESOURCES,
		   "the naive nodes have no room");
	for (k = 0; k < n->classes; k++) {
		n->first[k + 1] = n->first[k] + (uint32_t)p->nodes.count[k];
		for (r = 0; r < p->config.resources; r++)
			n->has[k][r] =
				p->amount[k * p->config.resources + r] /
				p->nodes.count[k];
	}
	bench_must(!naive_nodes_open(n), "memory");
}

static void simulate_naive_nodes(void *ctx)
{
	struct traces *t = ctx;
	struct naive_nodes n;

	open_naive_nodes(t->rules.plan, &n);
	bench_must(!naive_sched_run(t->job, t->jobs, t->rules.procs, &n,
				    t->request, t->start),
		   "the naive simulation");
	naive_nodes_close(&n);
}

/* What each job asks for. */
static struct naive_request *naive_requests(const struct traces *t)
{
	struct naive_request *all = bench_alloc(t->jobs * sizeof(*all)), *q;
	uint32_t resources = t->rules.plan->config.resources, r;
	struct fair_job job;
	size_t i;

	memset(all, 0, t->jobs * sizeof(*all));
	for (i = 0; i < t->jobs; i++) {
		memset(&job, 0, sizeof(job));
		plan_ask(t->rules.plan, i, &job);
		q = all + i;
		for (r = 0; r < resources; r++)
			q->amount[r] =
				(r ? job.amount[r] : t->job[i].procs) /
				job.chunks;
		q->chunks = job.chunks;
		q->per_node = job.per_node;
		q->exclusive = job.exclusive;
		q->classes = job.classes;
		q->count = job.class_count;
		q->walltime = t->job[i].estimate;
	}
	return all;
}

/* Returns the median of a whole run in ns; @times: as fast as the naive one. */
static double run(struct traces *t, const char *name, size_t policy,
		  double target, double times)
{
	struct bench_case c = { 0 };
	char text[128];

	snprintf(text, sizeof(text), "%s_%s", name, policies[policy].name);
	t->rules.policy = policies[policy].policy;
	t->rules.order = FAIR_ORDER_FCFS;
	t->rules.depth = 1;
	c.name = text;
	c.n = c.ops = t->jobs;
	c.run = simulate;
	c.target = target;
	c.ratio = times;
	return bench_run(&c, t) * (double)t->jobs;
}

/* ---- Lublin ---- */

/* Compares the schedule in t->result with that of naive arrays. */
static void run_naive(struct traces *t, const char *name)
{
	struct bench_case c = { 0 };
	size_t i;

	c.name = name;
	c.n = c.ops = t->jobs;
	c.run = t->request ? simulate_naive_nodes : simulate_naive;
	bench_run(&c, t);
	for (i = 0; i < t->jobs; i++)
		bench_must(t->start[i] == t->result[i].start,
			   "the naive schedule is another one");
}

static void run_lublin(void)
{
	struct lublin_rules rules = { 4, 256, 0.95, 5 };
	struct swf_job *job = bench_alloc(LUBLIN_JOBS * sizeof(*job));
	struct traces t = { 0 };
	size_t i;

	t.job = job;
	t.jobs = LUBLIN_JOBS;
	t.rules.procs = rules.procs;
	t.result = bench_alloc(t.jobs * sizeof(*t.result));
	t.start = bench_alloc(t.jobs * sizeof(*t.start));
	lublin_generate(&rules, job, t.jobs);
	for (i = 0; i < POLICIES; i++)
		if (i != CONSERVATIVE)
			run(&t, "lublin", i, 0, 0);
	run(&t, "lublin", CONSERVATIVE, 2000, 0);
	run_naive(&t, "naive_lublin_conservative");
	rules.load = 1.1;
	lublin_generate(&rules, job, t.jobs);
	run(&t, "lublin_busy", CONSERVATIVE, 0, 0);
	run_naive(&t, "naive_lublin_busy_conservative");
	free(t.start);
	free(t.result);
	free(job);
}

/* ---- logs ---- */

static void log_path(char *path, size_t size, const char *file,
		     const char *suffix)
{
	const char *shared = getenv("FAIRSCHED_SHARED");

	snprintf(path, size, "%s/traces/%s%s", shared ? shared : "../shared",
		 file, suffix);
}

/* ---- nodes ---- */

/* The first @most jobs of a log on its machine. */
static void run_nodes_log(const char *name, const char *log, size_t most,
			  bool naive)
{
	struct rules_args args = { 0 };
	struct swf_options o = { 0 };
	struct rules_files files;
	char path[4096], machine[4096], text[64];
	struct traces t = { 0 };
	struct swf s;
	size_t i;

	memset(&files, 0, sizeof(files));
	args.plan = PLAN_NODES;
	args.machine = machine;
	log_path(path, sizeof(path), log, ".csv.gz");
	log_path(machine, sizeof(machine), log, "-machine.csv");
	if (access(path, R_OK)) {
		fprintf(stderr, "bench: SKIPPED %s: no file\n", name);
		return;
	}
	bench_must(!rules_open(&files, &args, NULL), "the machine");
	rules_set_procs(&files, &args, &o);
	bench_must(!trace_read(&s, path, &o, NULL) &&
			   !rules_assign(&files, &args, false, &s, path),
		   "the log of nodes");
	t.job = s.job;
	t.jobs = s.jobs < most ? s.jobs : most;
	t.rules.procs = s.procs;
	rules_bind(&t.rules, &files);
	t.result = bench_alloc(t.jobs * sizeof(*t.result));
	t.start = bench_alloc(t.jobs * sizeof(*t.start));
	t.request = naive_requests(&t);
	for (i = 0; i < POLICIES; i++)
		if (i != CONSERVATIVE && bench_asked.full)
			run(&t, name, i, 0, 0);
	run(&t, name, CONSERVATIVE, 0, naive ? 15 : 0);
	snprintf(text, sizeof(text), "naive_%s_conservative", name);
	if (naive)
		run_naive(&t, text);
	free(t.request);
	free(t.start);
	free(t.result);
	rules_close(&files);
	swf_free(&s);
}

static void run_nodes(void)
{
	run_nodes_log("nodes_CERIT", "CERIT-nodes",
		      bench_asked.quick ? 6000 : SIZE_MAX, true);
	if (bench_asked.full)
		run_nodes_log("nodes_UB", "UB-week", SIZE_MAX, false);
}

/* Returns ns for all policies together, 0 if the log is missing. */
static double run_log(size_t log)
{
	struct swf_options o = { 0 };
	struct traces t = { 0 };
	double ns = 0, target;
	char path[4096];
	struct swf s;
	size_t i;

	o.procs = logs[log].procs;
	log_path(path, sizeof(path), logs[log].file, ".swf.gz");
	if (swf_read(&s, path, &o)) {
		fprintf(stderr, "bench: SKIPPED %s: %s\n", logs[log].name,
			s.error);
		swf_free(&s);
		return 0;
	}
	t.job = s.job;
	t.jobs = s.jobs;
	t.rules.procs = s.procs;
	t.result = bench_alloc(t.jobs * sizeof(*t.result));
	for (i = 0; i < POLICIES; i++) {
		target = logs[log].seconds[i] * 1e9 / 30 / (double)t.jobs;
		if (logs[log].ns[i] > 0)
			target = logs[log].ns[i];
		ns += run(&t, logs[log].name, i, target, 0);
	}
	free(t.result);
	swf_free(&s);
	return ns;
}

static void run_logs(void)
{
	double sum = 0, ns;
	size_t i, found = 0;

	for (i = 0; i < LOGS; i++) {
		if (!bench_asked.full && !logs[i].always)
			continue;
		if (bench_asked.quick && i)
			continue;
		if (i == LOGS - 1 && found)
			bench_value("traces_together", found, "ns", sum,
				    found == LOGS - 1 ? 60e9 : 0);
		ns = run_log(i);
		sum += ns;
		found += ns > 0;
	}
}

int main(int argc, char **argv)
{
	bench_open(argc, argv);
	run_lublin();
	run_nodes();
	run_logs();
	return 0;
}
