/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What a promise costs fairness, and what fairness costs promises: five logs under
 * {easy, pc, dc} by five orders, and under conservative
 */
#include "reproduce.h"
#include "stored.h"

#include <stdio.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/report/dues.h"
#include "tools/fairsched/report/fst_run.h"

#define TIES 8 /* permutations of the jobs' numbers */
#define DAY 86400

static const struct {
	const char *name;
	int64_t days; /* of the log, 0: all */
} log_of[] = {
	{ "NASA-iPSC-1993-3.1-cln", 0 }, /* --quick has this one */
	{ "KTH-SP2-1996-2", 0 },
	{ "CTC-SP2-1996-3.1-cln", 60 },
	{ "SDSC-SP2-1998-4.2-cln", 180 },
	{ "LLNL-Atlas-2006-2.1-cln", 0 },
};
#define LOGS ((int)(sizeof(log_of) / sizeof(*log_of)))

static const int order_of[] = { FAIR_ORDER_FCFS, FAIR_ORDER_LXF,
				FAIR_ORDER_USAGE, SIM_ORDER_TREE,
				SIM_ORDER_RELSHARE };
static const int policy_of[] = { RULES_EASY, RULES_PC, RULES_DC };

enum { ORDERS = 5, POLICIES = 3, RUNS = POLICIES * ORDERS + 1 };

enum value {
	MEAN,
	LONGEST,
	STRICT,
	RELAXED,
	USERS,
	USERS_WEEK,
	ACCOUNTS,
	KEPT,
	VALUES
};

/* Of one run: as the log has its ties, and over the others. */
struct found {
	double plain[VALUES], least[VALUES], most[VALUES];
};

struct run {
	struct lab *lab;
	int log, number;
};

static int policy(int run)
{
	return run < POLICIES * ORDERS ? policy_of[run / ORDERS]
				       : RULES_CONSERVATIVE;
}

static int order(int run)
{
	return run < POLICIES * ORDERS ? order_of[run % ORDERS]
				       : FAIR_ORDER_FCFS;
}

static void run_name(int run, char *text, size_t size)
{
	snprintf(text, size, "%s %s", policy_names[policy(run)],
		 order_names[order(run)]);
}

/* ---- measuring ---- */

static bool read_log(struct lab *lab, int log, int64_t ties, struct swf *t)
{
	struct swf_options o = { 0 };

	o.ties = ties;
	o.until.given = log_of[log].days;
	o.until.at = log_of[log].days * DAY;
	return lab_read(lab, log_of[log].name, &o, t);
}

/* All users and accounts have one share, by a tree, too, of the log's groups. */
static bool open_rules(struct lab *lab, struct rules_files *files,
		       struct rules_args *args, struct swf *t, int run)
{
	static const char nobody[] = "parent,name,kind,shares\n"
				     "root,nobody,account,0\n";
	int status = 0;

	memset(files, 0, sizeof(*files));
	memset(args, 0, sizeof(*args));
	args->order = order(run);
	args->tree = args->order == SIM_ORDER_TREE ? "the log's" : NULL;
	if (args->tree && tree_parse(&files->tree, args->tree, nobody,
				     sizeof(nobody) - 1, NULL))
		status = input_error("%s", files->tree.error);
	if (!status)
		status = rules_assign(files, args, false, t, log_of[run].name);
	return !status || lab_fail(lab, status);
}

static bool take_values(struct lab *lab, const struct report *r,
			double value[VALUES])
{
	static const struct sim_rules plain;
	const struct summary *s = &r->summary;
	double users, week, accounts;

	if (dues_deviation(r->trace, &plain, r->result, DUES_USERS,
			   DUES_WINDOW, &users) ||
	    dues_deviation(r->trace, &plain, r->result, DUES_USERS,
			   7 * DUES_WINDOW, &week) ||
	    dues_deviation(r->trace, &plain, r->result, DUES_ACCOUNTS,
			   DUES_WINDOW, &accounts))
		return lab_fail(lab, run_error("out of memory"));
	value[MEAN] = s->mean_wait;
	value[LONGEST] = (double)s->max_wait / 3600;
	value[STRICT] = r->unfairness->strict;
	value[RELAXED] = r->unfairness->relaxed;
	value[USERS] = 100 * users;
	value[USERS_WEEK] = 100 * week;
	value[ACCOUNTS] = 100 * accounts;
	value[KEPT] = (double)s->promises_kept;
	return true;
}

static bool play(struct lab *lab, int log, int run, int64_t ties,
		 double value[VALUES])
{
	/* Under easy, that order is a policy. */
	bool ranked = policy(run) == RULES_EASY &&
		      order(run) == SIM_ORDER_RELSHARE;
	struct fst_run_args late = { .fst = true, .only_late = true };
	struct rules_files files;
	struct rules_args args;
	struct report r = { 0 };
	struct swf t;
	bool good;

	if (!read_log(lab, log, ties, &t))
		return false;
	good = open_rules(lab, &files, &args, &t, run);
	args.order = ranked ? FAIR_ORDER_FCFS : args.order;
	late.threads = lab->threads;
	good = good && lab_run(lab, log_of[log].name, &t,
			       ranked ? RULES_RELSHARE : policy(run), &args,
			       &files, NULL, &r);
	if (good && fst_run_run(&r, &late))
		good = lab_fail(lab, EXIT_FAILED);
	good = good && take_values(lab, &r, value);
	report_free(&r);
	rules_close(&files);
	swf_free(&t);
	return good;
}

/* lab_stored() asks for the rows of struct found, one after the other. */
static bool play_ties(void *ctx, double *value)
{
	const struct run *r = ctx;
	struct found f;
	double one[VALUES];
	int tie, i;

	if (!play(r->lab, r->log, r->number, 0, f.plain))
		return false;
	memcpy(f.least, f.plain, sizeof(f.least));
	memcpy(f.most, f.plain, sizeof(f.most));
	for (tie = 1; tie <= TIES; tie++) {
		if (!play(r->lab, r->log, r->number, tie, one))
			return false;
		for (i = 0; i < VALUES; i++) {
			f.least[i] = fmin(f.least[i], one[i]);
			f.most[i] = fmax(f.most[i], one[i]);
		}
	}
	memcpy(value, &f, sizeof(f));
	return true;
}

static bool find(struct lab *lab, const struct swf *t, int log, int run,
		 struct found *f)
{
	struct run r = { lab, log, run };
	char name[128], policy_and_order[64];
	double value[3 * VALUES];

	run_name(run, policy_and_order, sizeof(policy_and_order));
	snprintf(name, sizeof(name), "fair %s %s", log_of[log].name,
		 policy_and_order);
	if (!lab_stored(lab, name, t, value, 3 * VALUES, play_ties, &r))
		return false;
	memcpy(f, value, sizeof(*f));
	return true;
}

/* ---- what is printed ---- */

static void print_value(const struct found *f, enum value v, int digits)
{
	printf(" %.*f", digits, f->plain[v]);
	if (f->least[v] < f->most[v])
		printf(" (%.*f to %.*f)", digits, f->least[v], digits,
		       f->most[v]);
	printf(" |");
}

static void print_run(const struct found *f, int run, size_t jobs)
{
	char name[64];

	run_name(run, name, sizeof(name));
	printf("| %s |", name);
	print_value(f, MEAN, 0);
	print_value(f, LONGEST, 1);
	print_value(f, STRICT, 0);
	print_value(f, RELAXED, 0);
	print_value(f, USERS, 2);
	print_value(f, USERS_WEEK, 2);
	print_value(f, ACCOUNTS, 2);
	if (policy(run) == RULES_EASY)
		puts(" none |");
	else
		printf(" %.0f of %zu |\n", f->least[KEPT], jobs);
	fflush(stdout);
}

static bool print_log(struct lab *lab, int log, struct found found[RUNS])
{
	uint32_t groups = 0;
	struct swf t;
	bool good;
	size_t i;
	int run;

	if (!read_log(lab, log, 0, &t))
		return false;
	good = !swf_rank(&t);
	for (i = 0; i < t.jobs; i++)
		if (t.job[i].share_group >= groups)
			groups = t.job[i].share_group + 1;
	printf("\n%s", log_of[log].name);
	if (log_of[log].days)
		printf(", its first %d days", (int)log_of[log].days);
	printf(": %zu jobs, %d processors, %u users, %u account%s\n\n"
	       "| | mean wait, s | longest, h | strict, s | relaxed, s | users, "
	       "%% of a day | of a week | accounts, %% of a day | promises kept "
	       "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	       t.jobs, (int)t.procs, t.users, groups, groups == 1 ? "" : "s");
	for (run = 0; run < RUNS && good; run++) {
		good = find(lab, &t, log, run, &found[run]);
		if (good)
			print_run(&found[run], run, t.jobs);
	}
	swf_free(&t);
	return good;
}

/* The least deviation of users by usage, tree and relshare. */
static const struct found *fairest(const struct found *of_policy)
{
	const struct found *best = of_policy + 2;
	int i;

	for (i = 3; i < ORDERS; i++)
		if (of_policy[i].plain[USERS] < best->plain[USERS])
			best = of_policy + i;
	return best;
}

/* By how much percent the fairest order changes a value of fcfs: of all logs in
 * which jobs wait for 10 minutes, from the least to the most. */
static void print_change(struct found found[LOGS][RUNS], int policy,
			 enum value v)
{
	double least = NO_LIMIT, most = -NO_LIMIT, change;
	const struct found *fcfs;
	int log;

	for (log = 0; log < LOGS; log++) {
		fcfs = &found[log][policy * ORDERS];
		change = 100 * (fairest(fcfs)->plain[v] / fcfs->plain[v] - 1);
		if (found[log][0].plain[MEAN] < 600)
			continue;
		least = fmin(least, change);
		most = fmax(most, change);
	}
	printf("%+.0f to %+.0f %%", round(least) + 0.0, round(most) + 0.0);
}

static void print_answer(struct found found[LOGS][RUNS])
{
	printf("\nWhat does a promise cost fairness? Of usage, tree and relshare, "
	       "the order that is nearest to the shares\nof users changes their "
	       "deviation from that of fcfs by ");
	print_change(found, 0, USERS);
	printf(" under easy, and by ");
	print_change(found, 1, USERS);
	printf("\nunder pc and ");
	print_change(found, 2, USERS);
	printf(" under dc, which keep their promises (logs whose jobs wait for "
	       "10 minutes or\nmore). What does fairness cost promises? None is "
	       "broken; under dc that order changes the mean wait\nby ");
	print_change(found, 2, MEAN);
	printf(", the longest by ");
	print_change(found, 2, LONGEST);
	printf(" and strict unfairness by ");
	print_change(found, 2, STRICT);
	printf(",\nand under easy, which promises nothing, the longest wait by ");
	print_change(found, 0, LONGEST);
	printf(" and strict unfairness by ");
	print_change(found, 0, STRICT);
	puts(".");
}

int reproduce_fair(struct lab *lab)
{
	static struct found found[LOGS][RUNS];
	int log, logs = lab->quick ? 1 : LOGS;
	bool all = true;

	for (log = 0; log < logs && !lab->status; log++)
		all = print_log(lab, log, found[log]) && all;
	if (all && !lab->quick)
		print_answer(found);
	return lab->status ? lab->status
	       : all && !lab->otherwise ? 0 : EXIT_FAILED;
}
