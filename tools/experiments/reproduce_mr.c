/* SPDX-License-Identifier: MIT OR Unlicense */
/* [MR]: multi-resource aware fairsharing for heterogeneous systems */
#include "reproduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/penalty.h"
#include "tools/fairsched/base/messages.h"

#define TRACE "CERIT-SC-wagap-2013Q1-21col"
#define ONE FAIR_PENALTY_ONE

/* ---- examples 2 to 5 ---- */

bool lab_penalty(struct lab *lab, const struct fair_penalty_class *node,
		 size_t classes, enum lab_metric metric, size_t on,
		 const int64_t request[2], double *here)
{
	struct fair_penalty_chunk chunk = { 1, 0, 0, 0, 0, request };
	static unsigned char memory[8192];
	struct fair_penalty_machine m;
	int64_t penalty = 0;
	int error = fair_penalty_init(&m, sizeof(m), memory, sizeof(memory),
				      node, classes, 2, NULL);

	if (!error && metric == LAB_PE)
		error = fair_penalty_pe(&m, &chunk, 1, ONE, &penalty);
	else if (!error && metric == LAB_LOCAL)
		error = fair_penalty_local(&m, &chunk, 1, &on, ONE, &penalty);
	else if (!error)
		error = fair_penalty(&m, &chunk, 1, ONE, &penalty);
	*here = (double)penalty / ONE;
	return !error || lab_fail(lab, run_error("%s", fair_strerror(error)));
}

/* 20 % of 128 processors and half of the memory. */
static bool example_2(struct lab *lab, double *here)
{
	static const int64_t node[2] = { 1280, 1000 }, request[2] = { 256, 500 };
	static const struct fair_penalty_class machine = { 1, ONE, ONE, 0,
							   node };
	bool good = lab_penalty(lab, &machine, 1, LAB_PE, 0, request, here);

	*here /= 10; /* in tenths of a processor, for 25.6 is no integer */
	return good;
}

static const int64_t small_node[2] = { 8, 16 }, large_node[2] = { 80, 512 };
static const struct fair_penalty_class example_nodes[2] = {
	{ 10, ONE, ONE, 0, small_node },
	{ 1, ONE, ONE, 0, large_node },
};
enum { SMALL, LARGE };

#define EXAMPLE(name, metric, on, cpus, ram)                                \
	static bool name(struct lab *lab, double *here)                     \
	{                                                                   \
		static const int64_t request[2] = { cpus, ram };            \
                                                                            \
		return lab_penalty(lab, example_nodes, 2, metric, on,        \
				  request, here);                           \
	}
EXAMPLE(example_3, LAB_PE, 0, 1, 512)
EXAMPLE(example_3_here, LAB_LOCAL, LARGE, 1, 512)
EXAMPLE(example_4, LAB_PE, 0, 80, 80)
EXAMPLE(example_4_here, LAB_LOCAL, LARGE, 80, 80)
EXAMPLE(example_5_small, LAB_LOCAL, SMALL, 1, 16)
EXAMPLE(example_5_large, LAB_LOCAL, LARGE, 1, 16)
EXAMPLE(example_5_best, LAB_CHEAPEST, 0, 1, 16)

static bool example_3_share(struct lab *lab, double *here)
{
	bool good = example_3(lab, here);

	*here *= 100 / 160.0;
	return good;
}

/* ---- the log ---- */

/* Nodes as requests name them; infiniband was asked for once. */
static const char machine_text[] =
	"class,count,cpus,ram,properties\n"
	"zewura,20,80,529426432K,"
	"zewura:cl_zewura:nodecpus80:x86_64:brno:nfs4:debian:linux\n"
	"zegox,48,12,94035968K,"
	"zegox:cl_zegox:nodecpus12:x86_64:brno:nfs4:debian:linux:infiniband\n";

enum { OLD, NEW, METRICS };
enum { ALL, RISE, SAME, KINDS };

/* Waits of one kind of jobs under one metric. */
struct waits {
	double mean, slowdown;
	int64_t p99;
};

static const struct {
	int64_t half_life; /* days */
	int32_t procs;
} setups[] = {
	{ 1, 2176 }, { 7, 2176 }, { 365, 2176 }, { 1, 1600 },  { 7, 1600 },
	{ 365, 1600 }, { 1, 1500 }, { 7, 1500 }, { 365, 1500 },
};
#define SETUPS (sizeof(setups) / sizeof(*setups))
enum { WHOLE_7 = 1, FEWER_7 = 4 }; /* of 7 days */

/* Rises of at least so many percent are counted. */
static const int limits[] = { 20, 50, 100, 200, 300, 400 };
#define LIMITS (sizeof(limits) / sizeof(*limits))

struct state {
	bool read, absent, played;
	struct rules_files files;
	struct swf trace;
	int64_t *old;	/* penalty of each job */
	size_t left_out, rises, above[LIMITS], users, touched;
	double their_time, decile[10]; /* percent */
	struct waits waits[SETUPS][METRICS][KINDS];
};

static bool out_of_memory(struct lab *lab)
{
	return lab_fail(lab, run_error("out of memory"));
}

static bool charge(struct lab *lab, struct state *s, int metric)
{
	struct rules_args args = { 0 };

	args.order = FAIR_ORDER_USAGE;
	args.machine = TRACE;
	args.charge.metric = metric == OLD ? CHARGE_CPU : CHARGE_BEST;
	return !rules_assign(&s->files, &args, true, &s->trace, TRACE) ||
	       lab_fail(lab, EXIT_FAILED);
}

static double rise_of(const struct state *s, size_t i)
{
	return 100 * ((double)s->trace.job[i].penalty / (double)s->old[i] - 1);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void count_rises(struct state *s, double *rise)
{
	double time = 0, its = 0, work;
	size_t i, k;

	for (i = 0; i < s->trace.jobs; i++) {
		work = (double)s->trace.job[i].run * s->trace.job[i].procs;
		time += work;
		if (s->trace.job[i].penalty <= s->old[i])
			continue;
		its += work;
		rise[s->rises] = rise_of(s, i);
		for (k = 0; k < LIMITS; k++)
			s->above[k] += rise[s->rises] >= limits[k];
		s->rises++;
	}
	s->their_time = 100 * its / time;
	qsort(rise, s->rises, sizeof(*rise), ascending);
	for (k = 1; k <= 10; k++)
		s->decile[k - 1] = rise[(k * s->rises + 9) / 10 - 1];
}

static void count_users(struct state *s, bool *touched)
{
	const struct swf *t = &s->trace;
	bool *seen = touched + t->users;
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		seen[t->job[i].user] = true;
		if (t->job[i].penalty > s->old[i])
			touched[t->job[i].user] = true;
	}
	for (i = 0; i < t->users; i++) {
		s->users += seen[i];
		s->touched += touched[i];
	}
}

static bool compare_penalties(struct lab *lab, struct state *s)
{
	const struct swf *t = &s->trace;
	double *rise = malloc(t->jobs * sizeof(*rise));
	bool *users = calloc(2 * t->users, sizeof(*users)), good = rise && users;

	if (good) {
		count_rises(s, rise);
		count_users(s, users);
	} else {
		out_of_memory(lab);
	}
	free(rise);
	free(users);
	return good;
}

/* Leaves each job's new penalty in the trace, its old one in s->old. */
static bool open_log(struct lab *lab, struct state *s)
{
	struct swf_options o = { 0 };
	size_t i;

	if (machine_parse(&s->files.machine, "machine", machine_text,
			  sizeof(machine_text) - 1))
		return lab_fail(lab, run_error("%s", s->files.machine.error));
	o.or_procs = machine_procs(&s->files.machine);
	if (!lab_read(lab, TRACE, &o, &s->trace) || !charge(lab, s, NEW))
		return false;
	s->left_out = s->trace.damaged;
	s->old = malloc(s->trace.jobs * sizeof(*s->old));
	if (!s->old)
		return out_of_memory(lab);
	if (!charge(lab, s, OLD))
		return false;
	for (i = 0; i < s->trace.jobs; i++)
		s->old[i] = s->trace.job[i].penalty;
	return charge(lab, s, NEW) && compare_penalties(lab, s);
}

static const struct state *log_of(struct lab *lab)
{
	struct state *s = lab->state;

	if (!s->read)
		s->absent = !open_log(lab, s);
	s->read = true;
	return s->absent ? NULL : s;
}

static void close_log(struct lab *lab)
{
	struct state *s = lab->state;

	swf_free(&s->trace);
	rules_close(&s->files);
	free(s->old);
}

/* ---- waits ---- */

static int ascending_waits(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void take_waits(const struct state *s, const struct sim_result *result,
		       int kind, int64_t *wait, struct waits *w)
{
	const struct swf *t = &s->trace;
	size_t i, n = 0;
	bool rises;

	memset(w, 0, sizeof(*w));
	for (i = 0; i < t->jobs; i++) {
		rises = t->job[i].penalty > s->old[i];
		if ((kind == RISE && !rises) || (kind == SAME && rises))
			continue;
		wait[n] = result[i].start - t->job[i].submit;
		w->mean += (double)wait[n];
		w->slowdown += bounded_slowdown(wait[n++], t->job[i].run,
						t->threshold);
	}
	if (!n)
		return;
	qsort(wait, n, sizeof(*wait), ascending_waits);
	w->mean /= (double)n;
	w->slowdown /= (double)n;
	w->p99 = wait[(99 * n + 99) / 100 - 1];
}

/* With the penalties that are in the trace now. */
static bool play_log(struct lab *lab, struct state *s, size_t setup,
		     struct report *r)
{
	struct rules_args args = { 0 };

	args.order = FAIR_ORDER_USAGE;
	args.half_life = setups[setup].half_life * 86400;
	s->trace.procs = setups[setup].procs;
	return lab_run(lab, TRACE, &s->trace, RULES_FCFS, &args, &s->files,
		       NULL, r);
}

static bool play_both(struct lab *lab, struct state *s, size_t setup,
		      int64_t *wait)
{
	struct report r[METRICS] = { { 0 } };
	bool good = charge(lab, s, OLD) && play_log(lab, s, setup, &r[OLD]) &&
		    charge(lab, s, NEW) && play_log(lab, s, setup, &r[NEW]);
	int metric, kind;

	for (metric = OLD; good && metric < METRICS; metric++)
		for (kind = ALL; kind < KINDS; kind++)
			take_waits(s, r[metric].result, kind, wait,
				   &s->waits[setup][metric][kind]);
	report_free(&r[OLD]);
	report_free(&r[NEW]);
	return good;
}

static const struct state *played(struct lab *lab)
{
	struct state *s = lab->state;
	int64_t *wait;
	size_t i;

	if (!log_of(lab))
		return NULL;
	if (s->played)
		return s;
	wait = malloc(s->trace.jobs * sizeof(*wait));
	if (!wait) {
		out_of_memory(lab);
		return NULL;
	}
	s->played = true;
	for (i = 0; s->played && i < SETUPS; i++)
		s->played = play_both(lab, s, i, wait);
	free(wait);
	return s->played ? s : NULL;
}

/* ---- claims ---- */

static double percent(size_t part, size_t whole)
{
	return 100 * (double)part / (double)whole;
}

/* Minutes more that jobs whose penalty rises wait. */
static double more_minutes(const struct state *s, size_t setup)
{
	return (s->waits[setup][NEW][RISE].mean -
		s->waits[setup][OLD][RISE].mean) / 60;
}

static double better_slowdowns(const struct state *s)
{
	size_t i, n = 0;

	for (i = 0; i < SETUPS; i++)
		n += s->waits[i][NEW][ALL].slowdown <=
		     s->waits[i][OLD][ALL].slowdown;
	return (double)n;
}

static double better_waits(const struct state *s)
{
	size_t i, n = 0;

	for (i = 0; i < SETUPS; i++)
		n += s->waits[i][NEW][ALL].mean <= s->waits[i][OLD][ALL].mean;
	return (double)n;
}

#define MEASURE(name, source, expression)                  \
	static bool name(struct lab *lab, double *here)    \
	{                                                  \
		const struct state *s = source(lab);       \
                                                           \
		if (s)                                     \
			*here = expression;                \
		return s;                                  \
	}
MEASURE(jobs_rise, log_of, percent(s->rises, s->trace.jobs))
MEASURE(their_time, log_of, s->their_time)
MEASURE(users_touched, log_of, percent(s->touched, s->users))
MEASURE(above_20, log_of, percent(s->above[0], s->rises))
MEASURE(above_100, log_of, percent(s->above[2], s->rises))
MEASURE(slowdowns, played, better_slowdowns(s))
MEASURE(mean_waits, played, better_waits(s))
MEASURE(minutes_whole, played, more_minutes(s, WHOLE_7))
MEASURE(minutes_fewer, played, more_minutes(s, FEWER_7))

static const struct reason other_log = {
	"**Another log.** The paper's log is half a year of 26 clusters; ours "
	"is a quarter of two of\nthem, and one of these is zewura, which the "
	"paper chose as example 1 of jobs that take memory\nand leave "
	"processors. So memory weighs more here, by a factor of two to three, "
	"and the share of\njobs whose penalty rises, and the rise, are higher.",
	NULL, NULL
};

static const struct reason short_queue = {
	"**A short queue.** In the log the two clusters are busy to 52 %, so "
	"that in any order hardly a\njob waits for another. On 1600 and 1500 "
	"of the 2176 processors the order matters.",
	NULL, NULL
};

static const struct reason short_jobs = {
	"**Short jobs.** In one case, 7 days on 1600 processors, the mean "
	"bounded slowdown is 0.4 % worse:\nshort jobs whose penalty rises "
	"wait longer, and the slowdown of a short job is large. Where jobs\n"
	"below a minute count as one minute it is better in all nine.",
	NULL, NULL
};

static const struct claim claims[] = {
	{ "2.3", "example 2: 20 % of 128 processors, half of the memory",
	  "PE 64", 64, 64, 1, "", "example 2", false, example_2, NULL },
	{ "2.3", "example 3: 1 processor and 512 of 672 GB", "PE 121.9", 121.85,
	  121.95, 2, "", "example 3", false, example_3, NULL },
	{ "2.3", "which is so much of all resources", "approximately 76 %",
	  75.5, 76.5, 1, " %", "example 3", false, example_3_share, NULL },
	{ "2.3", "example 4: 80 processors and 80 GB", "PE 80", 80, 80, 1, "",
	  "example 4", false, example_4, NULL },
	{ "3.1", "on the machine that is used, example 3", "80", 80, 80, 1, "",
	  "example 3", false, example_3_here, NULL },
	{ "3.1", "and example 4", "80", 80, 80, 1, "", "example 4", false,
	  example_4_here, NULL },
	{ "3.1", "example 5: 1 processor and 16 GB on a node of type 1", "8", 8,
	  8, 1, "", "example 5", false, example_5_small, NULL },
	{ "3.1", "on one of type 2", "2.5", 2.5, 2.5, 1, "", "example 5", false,
	  example_5_large, NULL },
	{ "3.1", "wherever it runs, the cheapest (formula 5)", "2.5", 2.5, 2.5,
	  1, "", "example 5", false, example_5_best, NULL },

	{ "4", "jobs whose penalty rises", "less than 2 %", 0, 2, 2, " %",
	  TRACE, false, jobs_rise, &other_log },
	{ "4", "their processor time", "more than 5 %", 5, 100, 2, " %", TRACE,
	  false, their_time, NULL },
	{ "4", "users with such a job", "approximately 40 %", 35, 45, 2, " %",
	  TRACE, false, users_touched, NULL },
	{ "4", "of those jobs, a rise of 20 % or more", "nearly 90 %", 85, 90,
	  2, " %", TRACE, false, above_20, &other_log },
	{ "4", "of those jobs, a rise of 100 % or more", "40 %", 35, 45, 2,
	  " %", TRACE, false, above_100, &other_log },
	{ "4", "bounded slowdowns slightly better: no worse on average in",
	  "its one case", 9, 9, 0, " of 9 cases", TRACE, false, slowdowns,
	  &short_jobs },
	{ "4", "waits slightly better: no worse on average in", "its one case",
	  5, 9, 0, " of 9 cases", TRACE, false, mean_waits, NULL },
	{ "4", "jobs whose penalty rises wait longer by", "33 minutes", 16.5,
	  66, 1, " minutes", TRACE ", 1600 processors", false, minutes_fewer,
	  NULL },
	{ "4", "the same on all processors", "33 minutes", 16.5, 66, 1,
	  " minutes", TRACE, false, minutes_whole, &short_queue },
};

/* ---- tables ---- */

static void print_penalties(const struct state *s)
{
	size_t k;

	printf("\nPenalties of %zu jobs, %zu that no node suits left out: %zu "
	       "rise, of %zu of %zu users\n\n| rise, %% |",
	       s->trace.jobs, s->left_out, s->rises, s->touched, s->users);
	for (k = 0; k < LIMITS; k++)
		printf(" >= %d |", limits[k]);
	printf("\n|---|");
	for (k = 0; k < LIMITS; k++)
		printf("---:|");
	printf("\n| of those jobs |");
	for (k = 0; k < LIMITS; k++)
		printf(" %.2f %% |", percent(s->above[k], s->rises));
	printf("\n\nDeciles of the rise, percent:");
	for (k = 0; k < 10; k++)
		printf("%s %.0f", k ? "," : "", s->decile[k]);
	putchar('\n');
}

static void print_waits(const struct state *s, size_t setup, int kind)
{
	static const char *const name[KINDS] = { "all", "rise", "same" };
	const struct waits *old = &s->waits[setup][OLD][kind],
			   *new = &s->waits[setup][NEW][kind];

	printf("| %" PRId64 " d | %" PRId32 " | %s | %.0f, %.0f | %" PRId64
	       ", %" PRId64 " | %.2f, %.2f |\n",
	       setups[setup].half_life, setups[setup].procs, name[kind],
	       old->mean, new->mean, old->p99, new->p99, old->slowdown,
	       new->slowdown);
}

static void tables(struct lab *lab)
{
	const struct state *s;
	size_t i;
	int kind;

	if (!log_of(lab))
		return;
	print_penalties(lab->state);
	s = played(lab);
	if (!s)
		return;
	puts("\nOne queue without backfilling, ordered by usage; old penalty "
	     "and new one\n\n| half-life | processors | jobs | mean wait, s | "
	     "99th percentile | bounded slowdown |\n|---|---|---|---|---|---|");
	for (i = 0; i < SETUPS; i++)
		for (kind = ALL; kind < KINDS; kind++)
			print_waits(s, i, kind);
}

const struct paper reproduce_mr = {
	"mr",
	"penalty",
	"[MR] Multi-resource aware fairsharing for heterogeneous systems",
	"We do not have the log of the paper's experiment, half a year of 26 "
	"clusters, but the first\nquarter of 2013 of two of them, zewura (20 "
	"nodes of 80 processors) and zegox (48 of 12). What\nthe paper says "
	"about walltimes on 26 clusters of different speed cannot be tested "
	"with it. The\npaper has one experiment with waits; we have nine, by "
	"half-life and processors (below). The\nminutes depend on the queue, "
	"so that a factor of two agrees.",
	claims,
	sizeof(claims) / sizeof(*claims),
	sizeof(struct state),
	tables,
	close_log,
};
