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
	"zewura,20,80,%" PRId64 "K,"
	"zewura:cl_zewura:nodecpus80:x86_64:brno:nfs4:debian:linux\n"
	"zegox,48,12,%" PRId64 "K,"
	"zegox:cl_zegox:nodecpus12:x86_64:brno:nfs4:debian:linux:infiniband\n";

enum { ZEWURA, ZEGOX, CLUSTERS };
static const int64_t memory_of[CLUSTERS] = { 529426432, 94035968 };

enum { OLD, NEW, METRICS };
enum { ALL, RISE, SAME, KINDS };

enum { FIRST_FIT, BEST_FIT, FITS };
#define REPEATS 16 /* each without another job: 0, STEP, ... */
#define STEP 1000

/* Waits of one kind of jobs under one metric. */
struct waits {
	double mean, slowdown, minute; /* minute: of jobs of at least a minute */
	int64_t p99;
};

/* Of both metrics. */
struct both {
	struct waits of[METRICS][KINDS];
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

/* On the nodes, with all processors. */
static const struct {
	int64_t half_life; /* days */
	int node_fit; /* of node_fits */
} placed_of[] = {
	{ 1, FIT_FIRST }, { 7, FIT_FIRST }, { 365, FIT_FIRST },
	{ 1, FIT_BEST },  { 7, FIT_BEST },  { 365, FIT_BEST },
};
#define PLACED (sizeof(placed_of) / sizeof(*placed_of))
enum { NODES_1, NODES_7, NODES_365, BEST_1 };

/* Rises of at least so many percent are counted. */
static const int limits[] = { 20, 50, 100, 200, 300, 400 };
#define LIMITS (sizeof(limits) / sizeof(*limits))

/* The log, by its jobs' penalties. */
struct priced {
	struct rules_files files;
	struct swf trace;
	bool placed; /* on the nodes: jobs that they cannot hold are left out */
	size_t without; /* so is job number without - 1; 0: none is */
	int64_t *old;	/* penalty of each job */
	size_t left_out, rises, above[LIMITS], users, touched;
	double their_time, decile[10]; /* percent */
	size_t suits[CLUSTERS + 1]; /* placed: jobs by how many clusters suit */
};

struct state {
	struct priced pool, nodes;
	bool read, absent, played, priced, placed;
	struct both waits[SETUPS], on_nodes[PLACED];
	double minutes[FITS][REPEATS]; /* on the nodes, 7 days */
	bool repeated;
	bool scaled;
	double rises_by[3]; /* percent, where nodes have 1, 2, 4 times the memory */
};

static bool out_of_memory(struct lab *lab)
{
	return lab_fail(lab, run_error("out of memory"));
}

static bool charge(struct lab *lab, struct priced *s, int metric)
{
	struct rules_args args = { 0 };

	args.order = FAIR_ORDER_USAGE;
	args.machine = TRACE;
	args.place = s->placed;
	args.charge.metric = metric == OLD ? CHARGE_CPU : CHARGE_BEST;
	return !rules_assign(&s->files, &args, true, &s->trace, TRACE) ||
	       lab_fail(lab, EXIT_FAILED);
}

static double rise_of(const struct priced *s, size_t i)
{
	return 100 * ((double)s->trace.job[i].penalty / (double)s->old[i] - 1);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void count_rises(struct priced *s, double *rise)
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

static void count_users(struct priced *s, bool *touched)
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

static bool compare_penalties(struct lab *lab, struct priced *s)
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

/*
 * Leaves each job's new penalty in the trace, its old one in s->old. Nodes have
 * @times their memory.
 */
static bool open_log(struct lab *lab, struct priced *s, int times)
{
	struct swf_options o = { 0 };
	char text[512];
	size_t i;

	snprintf(text, sizeof(text), machine_text, times * memory_of[ZEWURA],
		 times * memory_of[ZEGOX]);
	if (machine_parse(&s->files.machine, "machine", text, strlen(text)))
		return lab_fail(lab, run_error("%s", s->files.machine.error));
	o.or_procs = machine_procs(&s->files.machine);
	if (!lab_read(lab, TRACE, &o, &s->trace))
		return false;
	if (s->without)
		memmove(s->trace.job + s->without - 1,
			s->trace.job + s->without,
			(s->trace.jobs-- - s->without) *
				sizeof(*s->trace.job));
	if (!charge(lab, s, NEW))
		return false;
	s->left_out = s->trace.damaged + s->trace.dropped[SWF_TOO_WIDE];
	s->old = malloc(s->trace.jobs * sizeof(*s->old));
	if (!s->old)
		return out_of_memory(lab);
	if (!charge(lab, s, OLD))
		return false;
	for (i = 0; i < s->trace.jobs; i++)
		s->old[i] = s->trace.job[i].penalty;
	return charge(lab, s, NEW) && compare_penalties(lab, s);
}

static void close_priced(struct priced *s)
{
	swf_free(&s->trace);
	rules_close(&s->files);
	free(s->old);
}

static const struct priced *log_of(struct lab *lab)
{
	struct state *s = lab->state;

	if (!s->read)
		s->absent = !open_log(lab, &s->pool, 1);
	s->read = true;
	return s->absent ? NULL : &s->pool;
}

static void close_log(struct lab *lab)
{
	struct state *s = lab->state;

	close_priced(&s->pool);
	close_priced(&s->nodes);
}

/* How many clusters could run each job, were they idle [MR 4, figure 4]. */
static bool count_suitable(struct lab *lab, struct priced *s)
{
	struct place p;
	size_t i, n;
	bool good = !place_open(&p, &s->files.place, false);

	for (i = 0; good && i < s->trace.jobs; i++) {
		n = place_can(&p, i, ZEWURA) + place_can(&p, i, ZEGOX);
		s->suits[n]++;
	}
	place_close(&p);
	return good || out_of_memory(lab);
}

static struct priced *nodes_of(struct lab *lab)
{
	struct state *s = lab->state;

	if (!log_of(lab))
		return NULL;
	if (!s->priced) {
		s->nodes.placed = true;
		s->priced = open_log(lab, &s->nodes, 1) &&
			    count_suitable(lab, &s->nodes);
	}
	return s->priced ? &s->nodes : NULL;
}

static const struct state *scaled(struct lab *lab)
{
	struct state *s = lab->state;
	struct priced p;
	int times;

	if (!log_of(lab))
		return NULL;
	for (times = 1; !s->scaled && times <= 4; times *= 2) {
		bool good;

		memset(&p, 0, sizeof(p));
		good = open_log(lab, &p, times);
		if (good)
			s->rises_by[times / 2] = 100 * (double)p.rises /
						 (double)p.trace.jobs;
		close_priced(&p);
		if (!good)
			return NULL;
	}
	s->scaled = true;
	return s;
}

/* ---- waits ---- */

static int ascending_waits(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void take_waits(const struct priced *s, const struct sim_result *result,
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
		w->slowdown += bounded_slowdown(wait[n], t->job[i].run,
						t->threshold);
		w->minute += bounded_slowdown(wait[n++], t->job[i].run, 60);
	}
	if (!n)
		return;
	qsort(wait, n, sizeof(*wait), ascending_waits);
	w->mean /= (double)n;
	w->slowdown /= (double)n;
	w->minute /= (double)n;
	w->p99 = wait[(99 * n + 99) / 100 - 1];
}

/* With the penalties that are in the trace now. */
static bool play_log(struct lab *lab, struct priced *s, int64_t half_life,
		     int32_t procs, int node_fit, struct report *r)
{
	struct rules_args args = { 0 };

	args.order = FAIR_ORDER_USAGE;
	args.half_life = half_life * 86400;
	args.machine = TRACE;
	args.place = s->placed;
	args.node_fit = node_fit;
	s->trace.procs = procs;
	return lab_run(lab, TRACE, &s->trace, RULES_FCFS, &args, &s->files,
		       NULL, r);
}

static bool play_both(struct lab *lab, struct priced *s, int64_t half_life,
		      int32_t procs, int node_fit,
		      struct both *waits)
{
	int64_t *wait = malloc(s->trace.jobs * sizeof(*wait));
	struct report r[METRICS] = { { 0 } };
	bool good = wait ? charge(lab, s, OLD) &&
				   play_log(lab, s, half_life, procs, node_fit,
					    &r[OLD]) &&
				   charge(lab, s, NEW) &&
				   play_log(lab, s, half_life, procs, node_fit,
					    &r[NEW])
			 : out_of_memory(lab);
	int metric, kind;

	for (metric = OLD; good && metric < METRICS; metric++)
		for (kind = ALL; kind < KINDS; kind++)
			take_waits(s, r[metric].result, kind, wait,
				   &waits->of[metric][kind]);
	report_free(&r[OLD]);
	report_free(&r[NEW]);
	free(wait);
	return good;
}

static const struct state *played(struct lab *lab)
{
	struct state *s = lab->state;
	size_t i;

	if (!log_of(lab))
		return NULL;
	for (i = 0; !s->played && i < SETUPS; i++)
		if (!play_both(lab, &s->pool, setups[i].half_life,
			       setups[i].procs, 0, &s->waits[i]))
			return NULL;
	s->played = true;
	return s;
}

static const struct state *placed(struct lab *lab)
{
	struct priced *nodes = nodes_of(lab);
	struct state *s = lab->state;
	size_t i;

	if (!nodes)
		return NULL;
	for (i = 0; !s->placed && i < PLACED; i++)
		if (!play_both(lab, nodes, placed_of[i].half_life,
			       machine_procs(&nodes->files.machine),
			       placed_of[i].node_fit, &s->on_nodes[i]))
			return NULL;
	s->placed = true;
	return s;
}

static double minutes_of(const struct both *waits)
{
	return (waits->of[NEW][RISE].mean - waits->of[OLD][RISE].mean) / 60;
}

/* How much of the minutes is chance? The log, each time without another job. */
static bool repeat(void *ctx, double *value)
{
	struct lab *lab = ctx;
	struct both waits;
	struct priced p;
	bool good = true;
	size_t i;
	int fit;

	for (i = 0; good && i < REPEATS; i++) {
		memset(&p, 0, sizeof(p));
		p.placed = true;
		p.without = STEP * i + 1;
		good = open_log(lab, &p, 1);
		for (fit = FIRST_FIT; good && fit < FITS; fit++) {
			good = play_both(lab, &p, 7,
					 machine_procs(&p.files.machine),
					 FIT_FIRST + fit, &waits);
			value[(size_t)fit * REPEATS + i] = minutes_of(&waits);
		}
		close_priced(&p);
	}
	return good;
}

static const struct state *repeated(struct lab *lab)
{
	struct state *s = lab->state;

	if (!log_of(lab))
		return NULL;
	if (!s->repeated)
		s->repeated = lab_stored(lab, "mr on the nodes, 7 days",
					 &s->pool.trace, s->minutes[0],
					 FITS * REPEATS, repeat, lab);
	return s->repeated ? s : NULL;
}

/* ---- claims ---- */

static double percent(size_t part, size_t whole)
{
	return 100 * (double)part / (double)whole;
}

/* Minutes more that jobs whose penalty rises wait. */
static double more_minutes(const struct state *s, size_t setup)
{
	return minutes_of(&s->waits[setup]);
}

static double nodes_minutes(const struct state *s, size_t setup)
{
	return minutes_of(&s->on_nodes[setup]);
}

/* Jobs of less than a minute count as one. */
static double better_minutes(const struct state *s)
{
	size_t i, n = 0;

	for (i = 0; i < SETUPS; i++)
		n += s->waits[i].of[NEW][ALL].minute <=
		     s->waits[i].of[OLD][ALL].minute;
	return (double)n;
}

/* Of the three from @first on. */
static double better_on_nodes(const struct state *s, size_t first,
			      bool slowdown)
{
	size_t i, n = 0;

	for (i = first; i < first + 3; i++) {
		const struct waits *new = &s->on_nodes[i].of[NEW][ALL],
				   *old = &s->on_nodes[i].of[OLD][ALL];

		n += slowdown ? new->slowdown <= old->slowdown
			      : new->mean <= old->mean;
	}
	return (double)n;
}

/* Of the repeats: the least, the median or the most by @rank 0, 1, 2. */
static double repeat_limit(const struct state *s, int fit, int rank)
{
	double m[REPEATS];

	memcpy(m, s->minutes[fit], sizeof(m));
	qsort(m, REPEATS, sizeof(*m), ascending);
	return rank == 0 ? m[0]
	       : rank == 1 ? (m[REPEATS / 2 - 1] + m[REPEATS / 2]) / 2
			   : m[REPEATS - 1];
}

static double better_slowdowns(const struct state *s)
{
	size_t i, n = 0;

	for (i = 0; i < SETUPS; i++)
		n += s->waits[i].of[NEW][ALL].slowdown <=
		     s->waits[i].of[OLD][ALL].slowdown;
	return (double)n;
}

static double better_waits(const struct state *s)
{
	size_t i, n = 0;

	for (i = 0; i < SETUPS; i++)
		n += s->waits[i].of[NEW][ALL].mean <= s->waits[i].of[OLD][ALL].mean;
	return (double)n;
}

typedef struct priced log_of_is;
typedef struct state played_is, placed_is, scaled_is, repeated_is;
#define MEASURE(name, source, expression)                  \
	static bool name(struct lab *lab, double *here)    \
	{                                                  \
		const source##_is *s = source(lab);        \
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
MEASURE(minutes_1, placed, nodes_minutes(s, NODES_1))
MEASURE(minutes_7, placed, nodes_minutes(s, NODES_7))
MEASURE(minutes_365, placed, nodes_minutes(s, NODES_365))
MEASURE(nodes_slowdowns, placed, better_on_nodes(s, NODES_1, true))
MEASURE(nodes_waits, placed, better_on_nodes(s, NODES_1, false))
MEASURE(slowdowns_minute, played, better_minutes(s))
MEASURE(least_first, repeated, repeat_limit(s, FIRST_FIT, 0))
MEASURE(most_best, repeated, repeat_limit(s, BEST_FIT, 2))
MEASURE(range_first, repeated,
	repeat_limit(s, FIRST_FIT, 2) - repeat_limit(s, FIRST_FIT, 0))
MEASURE(best_waits, placed, better_on_nodes(s, BEST_1, false))
MEASURE(rises_2, scaled, s->rises_by[1])
MEASURE(rises_4, scaled, s->rises_by[2])
/* Hours of all jobs on one pool and on the nodes, old penalty, 7 days. */
MEASURE(wait_pool, played, s->waits[WHOLE_7].of[OLD][ALL].mean / 3600)
MEASURE(wait_nodes, placed, s->on_nodes[NODES_7].of[OLD][ALL].mean / 3600)

static const struct experiment other_log_tests[] = {
	{ "Jobs whose penalty rises if nodes have twice the memory", 0, 4.5, 2,
	  " %", TRACE, false, rises_2 },
	{ "With four times", 0, 2, 2, " %", TRACE, false, rises_4 },
	{ 0 }
};

static const struct reason other_log = {
	"**Another log.** The paper's log is half a year of 26 clusters; ours "
	"is a quarter of two of\nthem, and one of these is zewura, which the "
	"paper chose as example 1 of jobs that take memory\nand leave "
	"processors. So memory weighs more here, three to four times.",
	NULL, other_log_tests
};

static const struct experiment one_pool_tests[] = {
	{ "Hours that all jobs wait on one pool, old penalty, 7 days", 0, 0.5,
	  2, "", TRACE, false, wait_pool },
	{ "On the nodes", 2, NO_LIMIT, 2, "", TRACE, false, wait_nodes },
	{ 0 }
};

static const struct reason one_pool = {
	"**One pool.** The paper places jobs on nodes with processors and "
	"memory. On one pool of 2176\nprocessors hardly a job waits for another, "
	"so that their order does not matter.",
	NULL, one_pool_tests
};

static const struct experiment node_choice_tests[] = {
	{ "Minutes at least, by first fit, of 16 logs without one job each", 66,
	  NO_LIMIT, 1, "", TRACE, false, least_first },
	{ "At most, by best fit", -NO_LIMIT, 16.5, 1, "", TRACE, false,
	  most_best },
	{ "From the least to the most of these logs, by first fit", 33,
	  NO_LIMIT, 1, "", TRACE, false, range_first },
	{ "Half-lives for which waits are no worse on the nodes by best fit", 3,
	  3, 0, " of 3", TRACE, false, best_waits },
	{ 0 }
};

static const struct reason node_choice = {
	"**The choice of nodes.** On the nodes, without backfilling, one job at "
	"the head of the queue that\nneeds much memory stops all others for "
	"hours. How often that happens depends on where jobs are\nput, which the "
	"paper does not say: by first fit the wait grows by hours, by best fit "
	"hardly or not\nat all, and its 33 minutes lie between. One job more or "
	"less in the log moves it by more than 33\nminutes, too.",
	NULL, node_choice_tests
};

static const struct experiment short_jobs_tests[] = {
	{ "Cases in which the slowdown is no worse if jobs below a minute count "
	  "as one minute", 9, 9, 0, " of 9", TRACE, false, slowdowns_minute },
	{ 0 }
};

static const struct reason short_jobs = {
	"**Short jobs.** In one case, 7 days on 1600 processors, the mean "
	"bounded slowdown is 0.4 % worse:\nshort jobs whose penalty rises "
	"wait longer, and the slowdown of a short job is large.",
	NULL, short_jobs_tests
};

static const struct reason two_clusters = {
	"**Two of 26 clusters.** How many clusters suit a job, and how much "
	"their speeds differ, needs the\nother 24.",
	"it needs the log of all clusters, and their SPEC values.", NULL
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
	  " minutes", TRACE, false, minutes_whole, &one_pool },
	{ "4", "on the nodes, half-life 7 days, first fit", "33 minutes", 16.5,
	  66, 1, " minutes", TRACE, false, minutes_7, &node_choice },
	{ "4", "half-life 1 day", "33 minutes", 16.5, 66, 1, " minutes", TRACE,
	  false, minutes_1, &node_choice },
	{ "4", "half-life 365 days", "33 minutes", 16.5, 66, 1, " minutes",
	  TRACE, false, minutes_365, &node_choice },
	{ "4", "on the nodes: bounded slowdowns no worse in", "its one case", 3,
	  3, 0, " of 3 cases", TRACE, false, nodes_slowdowns, &node_choice },
	{ "4", "on the nodes: waits no worse in", "its one case", 3, 3, 0,
	  " of 3 cases", TRACE, false, nodes_waits, &node_choice },
	{ "4", "jobs that 2 clusters or more suit (figure 4, right)", "93.6 %",
	  0, 0, 0, "", "26 clusters", false, NULL, &two_clusters },
	{ "4", "7 clusters or more", "more than 50 %", 0, 0, 0, "",
	  "26 clusters", false, NULL, &two_clusters },
	{ "4", "SPEC differs by more than 11 among the suitable (figure 6)",
	  "89 %", 0, 0, 0, "", "26 clusters", false, NULL, &two_clusters },
	{ "4", "by more than 22", "50 %", 0, 0, 0, "", "26 clusters", false,
	  NULL, &two_clusters },
};

/* ---- tables ---- */

static void print_penalties(const struct priced *s)
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

static void print_waits(const struct both *waits,
			int64_t half_life, const char *on, int kind)
{
	static const char *const name[KINDS] = { "all", "rise", "same" };
	const struct waits *old = &waits->of[OLD][kind],
			   *new = &waits->of[NEW][kind];

	printf("| %" PRId64 " d | %s | %s | %.0f, %.0f | %" PRId64
	       ", %" PRId64 " | %.2f, %.2f |\n",
	       half_life, on, name[kind], old->mean, new->mean, old->p99, new->p99, old->slowdown,
	       new->slowdown);
}

static void print_repeats(const struct state *s)
{
	int fit;

	printf("\nMinutes that jobs whose penalty rises wait longer on the "
	       "nodes, half-life 7 days, %d times without\nanother one of the "
	       "first %d jobs: least, median, most\n\n| node fit | | | |\n"
	       "|---|---:|---:|---:|\n", REPEATS, 100 * REPEATS);
	for (fit = FIRST_FIT; fit < FITS; fit++)
		printf("| %s | %.1f | %.1f | %.1f |\n", node_fits[FIT_FIRST + fit],
		       repeat_limit(s, fit, 0), repeat_limit(s, fit, 1),
		       repeat_limit(s, fit, 2));
}

static void print_suitable(const struct priced *s)
{
	printf("\nFigure 4, right: of the %zu jobs that the nodes can hold "
	       "(%zu are left out) %.1f %% can run on\nboth clusters, %.1f %% "
	       "on one.\n", s->trace.jobs, s->left_out,
	       percent(s->suits[2], s->trace.jobs),
	       percent(s->suits[1], s->trace.jobs));
}

static void tables(struct lab *lab)
{
	const struct state *s;
	char on[32];
	size_t i;
	int kind;

	if (!log_of(lab))
		return;
	print_penalties(log_of(lab));
	s = played(lab);
	if (!s)
		return;
	puts("\nOne queue without backfilling, ordered by usage; old penalty "
	     "and new one\n\n| half-life | processors | jobs | mean wait, s | "
	     "99th percentile | bounded slowdown |\n|---|---|---|---|---|---|");
	for (i = 0; i < SETUPS; i++)
		for (kind = ALL; kind < KINDS; kind++) {
			snprintf(on, sizeof(on), "%" PRId32, setups[i].procs);
			print_waits(&s->waits[i], setups[i].half_life, on, kind);
		}
	if (!placed(lab))
		return;
	puts("\nThe same on the 68 nodes, with their memory\n\n"
	     "| half-life | node fit | jobs | mean wait, s | "
	     "99th percentile | bounded slowdown |\n|---|---|---|---|---|---|");
	for (i = 0; i < PLACED; i++)
		for (kind = ALL; kind < KINDS; kind++)
			print_waits(&s->on_nodes[i], placed_of[i].half_life,
				    node_fits[placed_of[i].node_fit], kind);
	if (repeated(lab))
		print_repeats(lab->state);
	print_suitable(&((struct state *)lab->state)->nodes);
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
