/* SPDX-License-Identifier: MIT OR Unlicense */
/* [SFS]: simultaneous fair-share */
#include "reproduce.h"
#include "sfs_plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/trace/sfs_trace.h"

#define DAY 86400.0
#define SEEDS 300

enum { ALICE = 1, BOB, CHRIS };

/*
 * Eligible time dominates: a node is worth a second of waiting. Nodes do: twelve
 * minutes, so that 250 nodes go before 65 that wait a day and a half longer.
 */
#define BY_TIME 1
#define BY_NODES 720

/* What is played SEEDS times. */
enum {
	SCENARIO_1, /* 9.3.1 to 9.3.4 */
	SCENARIO_2,
	SCENARIO_3,
	SCENARIO_4,
	EASY_TIME,
	EASY_NODES,
	WALLTIMES, /* by time and nodes, 21 to 25 hours each */
	TARGETS = WALLTIMES + 10, /* in depth 1 and 2 */
	SETUPS = TARGETS + 12
};

struct setup {
	const char *name;
	int hours, policy;
	int64_t weight, target, depth; /* Alice's target */
};

static const struct setup setups[SETUPS] = {
	{ "9.3.1 linear, eligible time", 24, RULES_FCFS, BY_TIME, 0, 0 },
	{ "9.3.2 linear, node count", 24, RULES_FCFS, BY_NODES, 0, 0 },
	{ "9.3.3 SFS, eligible time", 24, RULES_SFS, BY_TIME, 1000, 1 },
	{ "9.3.4 SFS, node count", 24, RULES_SFS, BY_NODES, 1000, 1 },
	{ "easy, eligible time", 24, RULES_EASY, BY_TIME, 0, 0 },
	{ "easy, node count", 24, RULES_EASY, BY_NODES, 0, 0 },
	{ "21 hours, eligible time", 21, RULES_FCFS, BY_TIME, 0, 0 },
	{ "22 hours, eligible time", 22, RULES_FCFS, BY_TIME, 0, 0 },
	{ "23 hours, eligible time", 23, RULES_FCFS, BY_TIME, 0, 0 },
	{ "24 hours, eligible time", 24, RULES_FCFS, BY_TIME, 0, 0 },
	{ "25 hours, eligible time", 25, RULES_FCFS, BY_TIME, 0, 0 },
	{ "21 hours, node count", 21, RULES_FCFS, BY_NODES, 0, 0 },
	{ "22 hours, node count", 22, RULES_FCFS, BY_NODES, 0, 0 },
	{ "23 hours, node count", 23, RULES_FCFS, BY_NODES, 0, 0 },
	{ "24 hours, node count", 24, RULES_FCFS, BY_NODES, 0, 0 },
	{ "25 hours, node count", 25, RULES_FCFS, BY_NODES, 0, 0 },
	{ "250 nodes", 24, RULES_SFS, BY_TIME, 250, 1 },
	{ "500 nodes", 24, RULES_SFS, BY_TIME, 500, 1 },
	{ "750 nodes", 24, RULES_SFS, BY_TIME, 750, 1 },
	{ "999 nodes", 24, RULES_SFS, BY_TIME, 999, 1 },
	{ "1000 nodes", 24, RULES_SFS, BY_TIME, 1000, 1 },
	{ "1250 nodes", 24, RULES_SFS, BY_TIME, 1250, 1 },
	{ "250 nodes, depth 2", 24, RULES_SFS, BY_TIME, 250, 2 },
	{ "500 nodes, depth 2", 24, RULES_SFS, BY_TIME, 500, 2 },
	{ "750 nodes, depth 2", 24, RULES_SFS, BY_TIME, 750, 2 },
	{ "999 nodes, depth 2", 24, RULES_SFS, BY_TIME, 999, 2 },
	{ "1000 nodes, depth 2", 24, RULES_SFS, BY_TIME, 1000, 2 },
	{ "1250 nodes, depth 2", 24, RULES_SFS, BY_TIME, 1250, 2 },
};

/* Days over the seeds. */
struct days {
	double mean, least, most;
};

enum { ALICE_WAITS, BOB_WAITS, CHRIS_WAITS, BOB_TAKES, NUMBERS };

struct played {
	bool done;
	struct days days[NUMBERS];
};

/* Variants of the small simulator. */
enum { LIKE_OURS, NO_BACKFILL, NO_SKIP, UNRESERVED, SLICES, DEEP, VARIANTS };

static const struct {
	const char *name;
	struct sfs_plain rules; /* but weight and targets */
} variant_of[VARIANTS] = {
	{ "as in the library", { .depth = 1, .backfills = true,
				 .reserves = true } },
	{ "no backfill", { .depth = 0 } },
	{ "no backfill, pass 1 in strict order", { .depth = 0, .stops = true } },
	{ "no reservations in pass 1", { .depth = 1, .backfills = true } },
	{ "occupancy by time slices", { .depth = 1, .backfills = true,
					.reserves = true, .slices = true } },
	{ "the same, depth 64", { .depth = 64, .backfills = true,
				  .reserves = true, .slices = true } },
};

static const int64_t target_of_alice[] = { 250, 500, 750, 1000, 1250 };
#define ALICES (sizeof(target_of_alice) / sizeof(*target_of_alice))
enum { AT_250, AT_500, AT_750, AT_1000, AT_1250 };

struct state {
	struct played of[SETUPS];
	struct played plain[2][VARIANTS][ALICES]; /* by time, by nodes */
};

/* ---- the workload of section 9 ---- */

/* Days that each user's first job waits, and from Bob's first to his last. */
static void take_waits(const struct swf *t, const struct sim_result *result,
		       double days[NUMBERS])
{
	int64_t first[CHRIS + 1], waits[CHRIS + 1] = { 0 }, last = 0, user;
	size_t i;

	first[ALICE] = first[BOB] = first[CHRIS] = INT64_MAX;
	for (i = 0; i < t->jobs; i++) {
		user = t->job[i].user_id;
		if (result[i].start < first[user]) {
			first[user] = result[i].start;
			waits[user] = result[i].start - t->job[i].submit;
		}
		if (user == BOB && result[i].start > last)
			last = result[i].start;
	}
	days[ALICE_WAITS] = (double)waits[ALICE] / DAY;
	days[BOB_WAITS] = (double)waits[BOB] / DAY;
	days[CHRIS_WAITS] = (double)waits[CHRIS] / DAY;
	days[BOB_TAKES] = (double)(last - first[BOB]) / DAY;
}

static bool play_seed(struct lab *lab, const struct setup *setup,
		      struct rules_files *files, uint64_t seed,
		      double days[NUMBERS])
{
	struct sfs_trace_rules how = { seed, setup->hours * 3600 };
	struct rules_args args = { 0 };
	struct swf_job job[SFS_TRACE_JOBS];
	struct swf t = { 0 };
	struct report r;
	bool good;

	sfs_trace_generate(&how, job);
	t.job = job;
	t.jobs = SFS_TRACE_JOBS;
	t.procs = SFS_TRACE_PROCS;
	args.order = FAIR_ORDER_TWO_TERM;
	args.weight = setup->weight;
	args.depth = setup->depth;
	args.accounts = setup->target ? "targets" : NULL;
	if (rules_assign(files, &args, false, &t, "generated"))
		return lab_fail(lab, EXIT_FAILED);
	good = lab_run(lab, setup->name, &t, setup->policy, &args, files, NULL,
		       &r);
	if (good)
		take_waits(&t, r.result, days);
	report_free(&r);
	return good;
}

static void add_days(struct days *d, double x, uint64_t seed)
{
	d->mean += x / SEEDS;
	d->least = seed == 1 ? x : fmin(d->least, x);
	d->most = seed == 1 ? x : fmax(d->most, x);
}

/* Accounts 1, 2, ... with these targets. */
static bool open_accounts(struct lab *lab, struct accounts *a, int64_t alice,
			  int bob, int chris)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "account,target\n1,%" PRId64 "\n2,%d\n3,%d\n", alice, bob,
		 chris);
	if (accounts_parse(a, "targets", text, strlen(text)))
		return lab_fail(lab, run_error("%s", a->error));
	return true;
}

static const struct played *played(struct lab *lab, int number)
{
	struct played *p = &((struct state *)lab->state)->of[number];
	struct rules_files files = { 0 };
	double days[NUMBERS] = { 0 };
	uint64_t seed;
	int i;

	if (p->done)
		return p;
	p->done = open_accounts(lab, &files.accounts, setups[number].target, 130,
				750);
	for (seed = 1; p->done && seed <= SEEDS; seed++) {
		p->done = play_seed(lab, &setups[number], &files, seed, days);
		for (i = 0; p->done && i < NUMBERS; i++)
			add_days(&p->days[i], days[i], seed);
	}
	rules_close(&files);
	return p->done ? p : NULL;
}

/* ---- the small simulator ---- */

static struct sfs_plain plain_rules(int variant, bool by_nodes, int64_t target)
{
	struct sfs_plain r = variant_of[variant].rules;

	r.gate = target > 0;
	r.weight = by_nodes ? BY_NODES : BY_TIME;
	r.target[ALICE] = target;
	r.target[BOB] = 130;
	r.target[CHRIS] = 750;
	return r;
}

static void play_plain(const struct sfs_plain *rules, uint64_t seed,
		       struct swf *t, struct sim_result *result)
{
	struct sfs_trace_rules how = { seed, 24 * 3600 };

	sfs_trace_generate(&how, t->job);
	t->jobs = SFS_TRACE_JOBS;
	sfs_plain_run(rules, SFS_TRACE_PROCS, t->job, t->jobs, result);
}

static const struct played *plain(struct lab *lab, int by_nodes, int variant,
				  size_t alice)
{
	struct state *s = lab->state;
	struct played *p = &s->plain[by_nodes][variant][alice];
	struct sfs_plain rules =
		plain_rules(variant, by_nodes, target_of_alice[alice]);
	struct sim_result result[SFS_TRACE_JOBS];
	struct swf_job job[SFS_TRACE_JOBS];
	struct swf t = { 0 };
	double days[NUMBERS];
	uint64_t seed;
	int i;

	t.job = job;
	for (seed = 1; !p->done && seed <= SEEDS; seed++) {
		play_plain(&rules, seed, &t, result);
		take_waits(&t, result, days);
		for (i = 0; i < NUMBERS; i++)
			add_days(&p->days[i], days[i], seed);
	}
	p->done = true;
	return p;
}

/* Of the four scenarios and easy, the numbers that the library has otherwise. */
static bool plain_differs(struct lab *lab, double *here)
{
	static const struct {
		int setup, variant;
		bool by_nodes;
		int64_t target;
	} same[] = {
		{ SCENARIO_1, NO_BACKFILL, false, 0 },
		{ SCENARIO_2, NO_BACKFILL, true, 0 },
		{ SCENARIO_3, LIKE_OURS, false, 1000 },
		{ SCENARIO_4, LIKE_OURS, true, 1000 },
		{ EASY_TIME, LIKE_OURS, false, 0 },
		{ EASY_NODES, LIKE_OURS, true, 0 },
		{ TARGETS, LIKE_OURS, false, 250 },
		{ TARGETS + 1, LIKE_OURS, false, 500 },
	};
	struct sim_result result[SFS_TRACE_JOBS];
	struct swf_job job[SFS_TRACE_JOBS];
	struct swf t = { 0 };
	size_t k;

	*here = 0;
	t.job = job;
	for (k = 0; k < sizeof(same) / sizeof(*same); k++) {
		struct sfs_plain rules = plain_rules(
			same[k].variant, same[k].by_nodes, same[k].target);
		const struct played *p = played(lab, same[k].setup);
		double days[NUMBERS], sum[NUMBERS] = { 0 };
		uint64_t seed;
		int i;

		if (!p)
			return false;
		for (seed = 1; seed <= SEEDS; seed++) {
			play_plain(&rules, seed, &t, result);
			take_waits(&t, result, days);
			for (i = 0; i < NUMBERS; i++)
				sum[i] += days[i] / SEEDS;
		}
		for (i = 0; i < NUMBERS; i++)
			*here += fabs(sum[i] - p->days[i].mean) > 1e-9;
	}
	return true;
}

/* The least or the greatest mean, with Alice's targets @from to @to. */
static double plain_limit(struct lab *lab, int by_nodes, int variant,
			  size_t from, size_t to, int number, bool greatest)
{
	double limit = greatest ? 0 : NO_LIMIT, its;
	size_t i;

	for (i = from; i <= to; i++) {
		its = plain(lab, by_nodes, variant, i)->days[number].mean;
		limit = greatest ? fmax(limit, its) : fmin(limit, its);
	}
	return limit;
}

#define PLAIN(name, by_nodes, variant, from, to, number, greatest)            \
	static bool name(struct lab *lab, double *here)                       \
	{                                                                     \
		*here = plain_limit(lab, by_nodes, variant, from, to, number, \
				    greatest);                                \
		return true;                                                  \
	}
PLAIN(bob_gated, 0, NO_SKIP, AT_250, AT_1000, BOB_WAITS, true)
PLAIN(bob_skipped, 0, NO_BACKFILL, AT_250, AT_1000, BOB_WAITS, true)
PLAIN(bob_open, 0, NO_SKIP, AT_1250, AT_1250, BOB_WAITS, true)
PLAIN(chris_gated, 0, NO_SKIP, AT_250, AT_1000, CHRIS_WAITS, false)
PLAIN(chris_nodes, 1, NO_SKIP, AT_250, AT_1000, CHRIS_WAITS, true)
PLAIN(chris_unreserved, 0, UNRESERVED, AT_250, AT_250, CHRIS_WAITS, false)
PLAIN(bob_slices, 0, SLICES, AT_250, AT_1250, BOB_WAITS, true)
PLAIN(chris_slices, 0, SLICES, AT_250, AT_1250, CHRIS_WAITS, false)
PLAIN(chris_slices_nodes, 1, SLICES, AT_250, AT_1250, CHRIS_WAITS, true)
PLAIN(chris_slices_high, 1, SLICES, AT_750, AT_1250, CHRIS_WAITS, true)
PLAIN(chris_deep, 1, DEEP, AT_250, AT_1250, CHRIS_WAITS, true)

#define MEAN(name, setup, number)                          \
	static bool name(struct lab *lab, double *here)    \
	{                                                  \
		const struct played *p = played(lab, setup); \
                                                           \
		if (p)                                     \
			*here = p->days[number].mean;      \
		return p;                                  \
	}
MEAN(scenario_1_bob, SCENARIO_1, BOB_WAITS)
MEAN(scenario_1_chris, SCENARIO_1, CHRIS_WAITS)
MEAN(scenario_2_bob, SCENARIO_2, BOB_WAITS)
MEAN(scenario_2_chris, SCENARIO_2, CHRIS_WAITS)
MEAN(scenario_3_bob, SCENARIO_3, BOB_WAITS)
MEAN(scenario_3_chris, SCENARIO_3, CHRIS_WAITS)
MEAN(scenario_4_bob, SCENARIO_4, BOB_WAITS)
MEAN(scenario_4_chris, SCENARIO_4, CHRIS_WAITS)
MEAN(low_target_chris, TARGETS, CHRIS_WAITS)

/* The longest that Alice's first job waits in any of the four. */
static bool alice(struct lab *lab, double *here)
{
	const struct played *p;
	int i;

	*here = 0;
	for (i = SCENARIO_1; i <= SCENARIO_4; i++) {
		p = played(lab, i);
		if (!p)
			return false;
		*here = fmax(*here, p->days[ALICE_WAITS].most);
	}
	return true;
}

/* ---- the examples of sections 4 and 5 ---- */

/* Processors of an account by its award, period and factor. */
static bool target_of(struct lab *lab, int factor, double *here)
{
	struct accounts a = { 0 };
	char text[128];
	bool good;

	snprintf(text, sizeof(text),
		 "account,award,period,factor\nalice,1000000,365,%d\n", factor);
	good = !accounts_parse(&a, "award", text, strlen(text));
	if (good)
		*here = (double)a.account[0].target;
	else
		lab_fail(lab, run_error("%s", a.error));
	accounts_free(&a);
	return good;
}

static bool ideal_occupancy(struct lab *lab, double *here)
{
	return target_of(lab, 1, here);
}

static bool target_occupancy(struct lab *lab, double *here)
{
	return target_of(lab, 2, here);
}

#define EXAMPLE_JOBS 20

/* In which order jobs start at second 0. */
struct order {
	size_t number[EXAMPLE_JOBS], n;
};

static void on_start(void *ctx, size_t number, int64_t now)
{
	struct order *o = ctx;

	if (!now)
		o->number[o->n++] = number;
}

static void example_jobs(struct swf_job job[EXAMPLE_JOBS])
{
	int i;

	memset(job, 0, EXAMPLE_JOBS * sizeof(*job));
	for (i = 0; i < EXAMPLE_JOBS; i++) {
		job[i].id = i + 1;
		job[i].user_id = i < 10 ? ALICE : BOB;
		job[i].procs = i < 10 ? 200 : 50;
		job[i].run = job[i].estimate = job[i].request = 3600;
	}
}

/* By an award as in equation 2 (228) or by the printed target (288). */
static bool play_example(struct lab *lab, int target, struct order *order)
{
	struct rules_files files = { 0 };
	struct rules_args args = { 0 };
	struct sim_watch watch = { 0 };
	struct swf_job job[EXAMPLE_JOBS];
	struct swf t = { 0 };
	struct report r = { 0 };
	bool good;

	example_jobs(job);
	t.job = job;
	t.jobs = EXAMPLE_JOBS;
	t.procs = 1000;
	args.order = FAIR_ORDER_WIDEST;
	args.depth = 2;
	args.accounts = "targets";
	order->n = 0;
	watch.ctx = order;
	watch.started = on_start;
	good = open_accounts(lab, &files.accounts, target, 58, 0);
	if (good && rules_assign(&files, &args, false, &t, "example"))
		good = lab_fail(lab, EXIT_FAILED);
	good = good && lab_run(lab, "example", &t, RULES_SFS, &args, &files,
			       &watch, &r);
	report_free(&r);
	rules_close(&files);
	return good;
}

/* How many of the first eight start as the lists of section 5 say. */
static bool lists(struct lab *lab, int target, double *here)
{
	/* A B | M N | C D | P Q: two of pass 1 each, pass 2, backfill */
	static const size_t want[8] = { 0, 1, 10, 11, 2, 3, 12, 13 };
	struct order order;
	size_t i;

	if (!play_example(lab, target, &order))
		return false;
	*here = order.n > 8 ? -1.0 : 0.0;
	for (i = 0; i < 8 && i < order.n; i++)
		*here += order.number[i] == want[i];
	return true;
}

static bool lists_228(struct lab *lab, double *here)
{
	return lists(lab, 228, here);
}

static bool lists_288(struct lab *lab, double *here)
{
	return lists(lab, 288, here);
}

/* Of Bob when pass 1 ends: his jobs before any of pass 2. */
static bool bob_occupies(struct lab *lab, double *here)
{
	struct order order;
	size_t i;

	if (!play_example(lab, 228, &order))
		return false;
	*here = 0;
	for (i = 0; i < 4 && i < order.n; i++)
		*here += order.number[i] < 10 ? 0 : 50;
	return true;
}

#define MODEL "generated, 300 seeds"

static const struct experiment misprints_tests[] = {
	{ "Starts in the order of the paper's lists by the target of equation "
	  "2, 228", 8, 8, 0, "", "its example", false, lists_228 },
	{ "By the printed target, 288", 8, 8, 0, "", "its example", false,
	  lists_288 },
	{ "Nodes of Bob's jobs among A, B, M, N, with which pass 1 ends in the "
	  "paper, too", 100, 100, 0, "", "its example", false, bob_occupies },
	{ 0 }
};

static const struct reason misprints = {
	"**Misprints of the example.** Section 5 prints a target of 288 where "
	"the paper's own equation 2\ngives 228; both lead to the same lists. "
	"It also prints an occupancy of 50 for Bob, \"exceeded\",\nwhen two of "
	"his jobs of 50 nodes run.",
	NULL, misprints_tests
};

static const struct experiment reserved_tests[] = {
	{ "Days that Chris's job waits with a target of 250 if pass 1 makes no "
	  "reservations", 2, NO_LIMIT, 2, "", MODEL, false, chris_unreserved },
	{ "Means of the small simulator that are not the library's, of four "
	  "in each of eight setups", 0, 0, 0, "", MODEL, false, plain_differs },
	{ 0 }
};

static const struct reason reserved = {
	"**Reservations in pass 1.** The paper does not say whether pass 1 makes "
	"them; the library's does.\nWith a target of 250 Alice's jobs are taken "
	"out of pass 1 so soon that its one reservation is\nChris's, whose 750 "
	"nodes are then kept free. Without reservations in pass 1, and without "
	"backfilling,\nhe waits multiple days with every target that was tried, "
	"as the paper says.",
	NULL, reserved_tests
};

static const struct experiment slices_tests[] = {
	{ "Days that Chris's job waits, at most, with targets of 750, 1000 and "
	  "1250", 0, 1, 2, "", MODEL, false, chris_slices_high },
	{ "With each of the targets, but reservations for up to 64 jobs", 0, 1,
	  2, "", MODEL, false, chris_deep },
	{ 0 }
};

static const struct reason slices = {
	"**Time slices and low targets.** With a target of 250 or 500 Alice's "
	"oldest jobs still wait on day 7\nand go before Chris's. One of them "
	"gets the one reservation of pass 1, in the first slice in which\nher "
	"account is not above its target, and nothing keeps 750 nodes free for "
	"Chris. The paper gives\nneither targets nor depth.",
	NULL, slices_tests
};

static const struct claim claims[] = {
	{ "4.1", "ideal occupancy of 1,000,000 node-hours in a year", "114",
	  114, 114, 0, " nodes", "equation 1", false, ideal_occupancy, NULL },
	{ "4.1", "target occupancy, twice as much", "228", 228, 228, 0,
	  " nodes", "equation 2", false, target_occupancy, NULL },
	{ "5", "the same in the example", "288", 288, 288, 0, " nodes",
	  "equation 2", false, target_occupancy, &misprints },
	{ "5", "starts in the order A B M N C D P Q, and no more, with 228",
	  "8", 8, 8, 0, " in place", "its example", false, lists_228, NULL },
	{ "5", "occupancy of Bob when pass 1 ends", "50", 50, 50, 0, " nodes",
	  "its example", false, bob_occupies, &misprints },
	{ "5", "the same with 288", "8", 8, 8, 0, " in place", "its example",
	  false, lists_288, NULL },

	{ "9.3", "Alice's first job starts in all four scenarios",
	  "immediately", 0, 0, 2, " days", MODEL, false, alice, NULL },
	{ "9.3.1", "linear, eligible time: Bob's jobs start after",
	  "about 1 1/2 days", 1.25, 1.75, 2, " days", MODEL, false,
	  scenario_1_bob, NULL },
	{ "9.3.1", "Chris's job starts after", "6 to 7 days", 6, 7, 2, " days",
	  MODEL, false, scenario_1_chris, NULL },
	{ "9.3.2", "linear, node count: Bob's", "more than 2 1/2, about 3 days",
	  2.5, 3.5, 2, " days", MODEL, false, scenario_2_bob, NULL },
	{ "9.3.2", "Chris's", "less than a day", 0, 1, 2, " days", MODEL, false,
	  scenario_2_chris, NULL },
	{ "9.3.3", "SFS, eligible time: Bob's", "immediately", 0, 0, 2, " days",
	  MODEL, false, scenario_3_bob, NULL },
	{ "9.3.3", "Chris's", "6 to 7 days", 6, 7, 2, " days", MODEL, false,
	  scenario_3_chris, NULL },
	{ "9.3.4", "SFS, node count: Bob's", "immediately", 0, 0, 2, " days",
	  MODEL, false, scenario_4_bob, NULL },
	{ "9.3.4", "Chris's", "within a day", 0, 1, 2, " days", MODEL, false,
	  scenario_4_chris, NULL },
	{ "9.3.3",
	  "it is SFS that lets Bob run: without backfilling, with targets of "
	  "250 to 1000 for Alice, he waits at most",
	  "immediately", 0, 0, 2, " days", MODEL, false, bob_gated, NULL },
	{ "9.3.3", "the same if pass 1 goes on behind jobs that do not fit",
	  "immediately", 0, 0, 2, " days", MODEL, false, bob_skipped, NULL },
	{ "9.3.1",
	  "and it is the gate: with a target of 1250, which Alice's five jobs "
	  "do not exceed, as by the linear scheduler",
	  "about 1 1/2 days", 1.25, 1.75, 2, " days", MODEL, false, bob_open,
	  NULL },
	{ "9.3.3",
	  "SFS does not help Chris there: without backfilling, with these "
	  "targets, he waits at least",
	  "multiple days", 2, NO_LIMIT, 2, " days", MODEL, false, chris_gated,
	  NULL },
	{ "9.3.3", "the same by the library, with a target of 250",
	  "multiple days", 2, NO_LIMIT, 2, " days", MODEL, false,
	  low_target_chris, &reserved },
	{ "9.3.4", "node count, without backfilling, these targets: Chris's",
	  "within a day", 0, 1, 2, " days", MODEL, false, chris_nodes, NULL },
	{ "4.2",
	  "occupancy by future time slices, targets of 250 to 1250: Bob's, at "
	  "most",
	  "immediately", 0, 0, 2, " days", MODEL, false, bob_slices, NULL },
	{ "9.3.3", "eligible time: Chris's, at least", "multiple days", 2,
	  NO_LIMIT, 2, " days", MODEL, false, chris_slices, NULL },
	{ "9.3.4", "node count: Chris's, at most", "within a day", 0, 1, 2,
	  " days", MODEL, false, chris_slices_nodes, &slices },
};

/* ---- tables ---- */

static void print_rows(struct lab *lab, const char *title, int from, int to)
{
	const struct played *p;
	int i, k;

	printf("\n%s; days: the mean of %d seeds, the least and the most\n\n"
	       "| | Bob's first | Chris's | Bob's first to last "
	       "|\n|---|---|---|---|\n",
	       title, SEEDS);
	for (i = from; i < to; i++) {
		p = played(lab, i);
		if (!p)
			return;
		printf("| %s |", setups[i].name);
		for (k = BOB_WAITS; k < NUMBERS; k++)
			printf(" %.2f (%.2f to %.2f) |", p->days[k].mean,
			       p->days[k].least, p->days[k].most);
		putchar('\n');
	}
}

static void print_variants(struct lab *lab, int by_nodes)
{
	const struct played *p;
	size_t a;
	int v, k;

	printf("\nVariants of simultaneous fair share, %s dominant; mean days "
	       "of %d seeds until Bob's first job starts, until Chris's does, "
	       "and from Bob's first to his last\n\n| Alice's target |",
	       by_nodes ? "node count" : "eligible time", SEEDS);
	for (v = LIKE_OURS; v < VARIANTS; v++)
		printf(" %s |", variant_of[v].name);
	puts("\n|---|---|---|---|---|---|---|");
	for (a = 0; a < ALICES; a++) {
		printf("| %" PRId64 " nodes |", target_of_alice[a]);
		for (v = LIKE_OURS; v < VARIANTS; v++) {
			p = plain(lab, by_nodes, v, a);
			for (k = BOB_WAITS; k < NUMBERS; k++)
				printf(" %.2f%s", p->days[k].mean,
				       k < BOB_TAKES ? "," : " |");
		}
		putchar('\n');
	}
}

static void tables(struct lab *lab)
{
	print_rows(lab, "The four scenarios, and backfilling without accounts",
		   SCENARIO_1, WALLTIMES);
	print_rows(lab, "Other walltimes, linear scheduler", WALLTIMES,
		   TARGETS);
	print_rows(lab, "Alice's target, SFS, eligible time dominant", TARGETS,
		   SETUPS);
	print_variants(lab, 0);
	print_variants(lab, 1);
}

const struct paper reproduce_sfs = {
	"sfs",
	"sfs",
	"[SFS] A better way of scheduling jobs on HPC systems: simultaneous "
	"fair-share",
	"The workload is that of section 9.2, `fairsched generate --model "
	"sfs`: 1400 nodes, empty at\nfirst; on days 1 to 7 Alice submits 12 "
	"jobs of 250 nodes and Bob 6 of 65, on day 7 Chris one of\n750. The "
	"paper gives neither walltimes nor targets: here all jobs have a "
	"walltime of a day,\nwhich gives the paper's latencies (below), and "
	"targets are Alice 1000, Bob 130, Chris 750. The\ntwo-term priority is "
	"wait + weight * nodes: where eligible time dominates, a node is worth "
	"a\nsecond, where the node count does, twelve minutes.\n\nThe paper "
	"leaves open whether its schedulers backfill, whether pass 1 makes "
	"reservations, and\nwhether occupancy counts in future time slices "
	"[SFS 4.2]. The library makes reservations in pass 1\nand backfills; a "
	"small simulator has the others (last two tables). Closest to the "
	"paper's\nlatencies in all four scenarios, whatever the target, is no "
	"backfilling and a pass 1 in strict\norder. With backfilling Bob's "
	"first job starts at once by easy, too, which has no accounts: what\n"
	"SFS adds for him then is the time until his last one.",
	claims,
	sizeof(claims) / sizeof(*claims),
	sizeof(struct state),
	tables,
	NULL,
};
