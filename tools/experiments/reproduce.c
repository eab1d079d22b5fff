/* SPDX-License-Identifier: MIT OR Unlicense */
/* reproduce - what five papers claim, and what comes out here */
#include "reproduce.h"
#include "stored.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/threads.h"
#include "tools/fairsched/base/words.h"
#include "tools/fairsched/cli/fst_options.h"
#include "tools/fairsched/report/fst_run.h"

struct args {
	bool quick, whole;
	int64_t threads;
	const char *traces, *parts, *stored, *store;
};

#define AT(field) offsetof(struct args, field)
#define STORED "tools/experiments/stored.tsv"

static const struct option options[] = {
	{ "quick", NULL, OPTION_FLAG, AT(quick),
	  "only what takes seconds: examples, and claims about one small trace",
	  NULL, 0, 0 },
	{ "traces", "DIR", OPTION_FILE, AT(traces),
	  "the folder of the traces, default $FAIRSCHED_SHARED/traces, or "
	  "../shared/traces",
	  NULL, 0, 0 },
	{ "parts", "DIR", OPTION_FILE, AT(parts),
	  "keep fair start times in DIR, so that a run that was interrupted "
	  "goes on; DIR is made",
	  NULL, 0, 0 },
	{ "stored", "FILE", OPTION_FILE, AT(stored),
	  "results of long experiments, default " STORED, NULL, 0, 0 },
	{ "whole", NULL, OPTION_FLAG, AT(whole),
	  "make the long experiments again, and fail if a result is not the one "
	  "that is stored",
	  NULL, 0, 0 },
	{ "store", "FILE", OPTION_FILE, AT(store),
	  "keep what long experiments find in FILE, one after the other; what "
	  "FILE has is not made again, so that a run that was interrupted goes "
	  "on",
	  NULL, 0, 0 },
	{ "threads", "N", OPTION_INTEGER, AT(threads),
	  "of fair start times, default one a processor here", NULL, 1,
	  THREADS },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static const struct paper *const papers[] = {
	&reproduce_cf, &reproduce_rs, &reproduce_mr, &reproduce_sfs,
	&reproduce_maui,
};
#define PAPERS (sizeof(papers) / sizeof(*papers))

/* ---- the lab ---- */

bool lab_fail(struct lab *lab, int status)
{
	if (!lab->status)
		lab->status = status;
	return false;
}

bool lab_read(struct lab *lab, const char *name, const struct swf_options *o,
	      struct swf *t)
{
	static const struct swf_options as_it_is;
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s.swf.gz", lab->folder, name);
	if (access(path, R_OK)) {
		note("skipped: no trace %s", path);
		return false;
	}
	if (swf_read(t, path, o ? o : &as_it_is))
		return lab_fail(lab, input_error("%s", t->error));
	return true;
}

bool lab_parse(struct lab *lab, const char *name, const char *text,
	       struct swf *t)
{
	static const struct swf_options as_it_is;

	if (swf_parse(t, name, text, strlen(text), &as_it_is))
		return lab_fail(lab, input_error("%s", t->error));
	return true;
}

bool lab_run(struct lab *lab, const char *name, const struct swf *t, int policy,
	     const struct rules_args *args, const struct rules_files *files,
	     const struct sim_watch *watch, struct report *r)
{
	static const struct rules_args plain;
	const char *why;

	memset(r, 0, sizeof(*r));
	r->name = name;
	r->trace = t;
	r->policy = policy;
	why = rules_make(&r->rules, policy, args ? args : &plain);
	if (why)
		return lab_fail(lab, run_error("%s", why));
	if (files)
		rules_bind(&r->rules, files);
	if (report_run(r, watch))
		return lab_fail(lab, run_error("%s", r->error));
	return true;
}

/* A run that is interrupted behind this has the result. */
static bool keep_found(struct lab *lab)
{
	FILE *f = lab->store ? output_open(lab->store) : NULL;

	if (f)
		stored_write(lab->found, f);
	return !lab->store || (f && !output_commit()) ||
	       lab_fail(lab, EXIT_FAILED);
}

static void compare_with_stored(struct lab *lab, const char *name,
				const double *stored, const double *found,
				size_t n)
{
	size_t i;

	if (stored_same(stored, found, n))
		return;
	fprintf(stderr, "%s: %s: not what is stored:", program_name, name);
	for (i = 0; i < n; i++)
		if (!stored_same(&stored[i], &found[i], 1))
			fprintf(stderr, " %zu: %g, here %g", i, stored[i],
				found[i]);
	fputc('\n', stderr);
	lab->otherwise++;
}

/* What this run or the one that it continues found, or finds now. */
static const double *find_again(struct lab *lab, const char *name,
				const struct swf *t, size_t n,
				bool (*of)(void *ctx, double *value), void *ctx)
{
	const double *found = stored_find(lab->found, name, t, n);
	double value[STORED_VALUES];

	if (found)
		return found;
	if (!of(ctx, value))
		lab_fail(lab, EXIT_FAILED);
	else if (!stored_put(lab->found, name, t, value, n))
		lab_fail(lab, run_error("out of memory"));
	else if (keep_found(lab))
		found = stored_find(lab->found, name, t, n);
	return found;
}

bool lab_stored(struct lab *lab, const char *name, const struct swf *t,
		double *value, size_t n,
		bool (*of)(void *ctx, double *value), void *ctx)
{
	const double *stored = stored_find(lab->stored, name, t, n);
	const double *found = stored;

	if (!stored || lab->whole)
		found = find_again(lab, name, t, n, of, ctx);
	if (!found)
		return false;
	if (stored)
		compare_with_stored(lab, name, stored, found, n);
	memcpy(value, found, n * sizeof(*value));
	return true;
}

/* ---- what is printed ---- */

const struct reason by_chance = { "", NULL, NULL };

/* What a claim comes out as; the last is no result. */
enum mark { AGREES, CHANCE, TESTED, UNTESTED, CLOSED, SKIPPED, MARKS };

static const char *const mark_text[MARKS] = {
	"agrees",
	"**undecided**",
	"**differs**, tested",
	"**differs**, untested",
	"cannot be tested here",
	"skipped",
};

struct count {
	size_t of[MARKS], unforeseen;
};

/* Rows for the table of what is not decided. */
#define OPEN_ROWS 256
struct open_row {
	const char *title; /* of the paper: [CF] and so on */
	const struct claim *claim;
	char number[32], interval[64];
	size_t coins;
	enum mark mark;
};
static struct open_row open_row[OPEN_ROWS];
static size_t open_rows;

static void print_range(double least, double most, int digits, const char *unit)
{
	if (least <= -NO_LIMIT)
		printf("at most %.*f%s", digits, most, unit);
	else if (most >= NO_LIMIT)
		printf("at least %.*f%s", digits, least, unit);
	else if (least < most)
		printf("%.*f to %.*f%s", digits, least, digits, most, unit);
	else
		printf("%.*f%s", digits, least, unit);
}

static void print_row(const struct claim *c)
{
	printf("| %s | %s | %s | ", c->section, c->text, c->number);
	if (c->measure)
		print_range(c->least, c->most, c->digits, "");
	printf(" | ");
}

static void complain(struct count *count, const char *what, double here,
		     int digits, const char *why)
{
	count->unforeseen++;
	fprintf(stderr, "%s: %s: here %.*f, which %s\n", program_name, what,
		digits, here, why);
}

/* How likely at most @k of @n coins show heads. */
static double at_most(size_t k, size_t n)
{
	double p = pow(0.5, (double)n), sum = p;
	size_t i;

	for (i = 1; i <= k; i++)
		sum += p *= (double)(n - i + 1) / (double)i;
	return sum;
}

/* The most heads of @n coins that at most one of 20 throws has. */
static size_t rare_heads(size_t n)
{
	size_t k = 0;

	while (k < n && at_most(k, n) <= 0.05)
		k++;
	return k ? k - 1 : 0;
}

static bool lies_in(const struct claim *c, double here)
{
	return here >= c->least && here <= c->most;
}

/* Could coins, or what the interval is over, have had it otherwise? */
static bool is_chance(const struct lab *lab, const struct claim *c, double here)
{
	size_t n = lab->coins, k = (size_t)(here / 100 * (double)n + 0.5);

	if (n && at_most(k, n) > 0.05 && at_most(n - k, n) > 0.05)
		return true;
	return lab->least < lab->most &&
	       (lies_in(c, lab->least) != lies_in(c, here) ||
		lies_in(c, lab->most) != lies_in(c, here));
}

static enum mark mark_of(const struct lab *lab, const struct claim *c,
			 double here)
{
	if (is_chance(lab, c, here))
		return CHANCE;
	if (lies_in(c, here))
		return AGREES;
	return c->why && c->why->experiment && !c->why->open ? TESTED
							      : UNTESTED;
}

/* The outcome must be the one that the source states. */
static void check_mark(const struct claim *c, double here, enum mark mark,
		       struct count *count)
{
	char what[512];

	snprintf(what, sizeof(what), "%s: %s", c->section, c->text);
	if ((mark == CHANCE) != (c->why == &by_chance))
		complain(count, what, here, c->digits,
			 mark == CHANCE ? "chance decides, and the source does "
					  "not say so"
					: "chance does not decide");
	else if (mark != CHANCE && (mark == AGREES) == !!c->why)
		complain(count, what, here, c->digits,
			 c->why ? "agrees, against what is stated"
				: "differs, and no reason is stated");
}

/* Counts the claim, and keeps it for the table of what is not decided. */
static void take_mark(const struct lab *lab, const struct paper *p,
		      const struct claim *c, enum mark mark, double here,
		      struct count *count)
{
	struct open_row *r = &open_row[open_rows];

	count->of[mark]++;
	if (mark == AGREES || mark == TESTED || mark == SKIPPED)
		return;
	if (open_rows == OPEN_ROWS) {
		complain(count, c->text, here, c->digits,
			 "finds no room in the table of what is open");
		return;
	}
	memset(r, 0, sizeof(*r));
	r->title = p->title;
	r->claim = c;
	r->mark = mark;
	r->coins = lab->coins;
	if (mark != CLOSED)
		snprintf(r->number, sizeof(r->number), "%.*f%s", c->digits,
			 here, c->unit);
	if (lab->least < lab->most)
		snprintf(r->interval, sizeof(r->interval), "%.*f to %.*f",
			 c->digits, lab->least, c->digits, lab->most);
	open_rows++;
}

static void print_here(const struct lab *lab, const struct claim *c,
		       double here)
{
	printf("%.*f%s", c->digits, here, c->unit);
	if (lab->coins)
		printf(" of %zu", lab->coins);
	if (lab->least < lab->most)
		printf(" (%.*f to %.*f)", c->digits, lab->least, c->digits,
		       lab->most);
	printf(" | ");
}

static void print_claim(struct lab *lab, const struct paper *p,
			const struct claim *c, struct count *count)
{
	enum mark mark = c->measure ? SKIPPED : CLOSED;
	double here = 0;

	print_row(c);
	lab->coins = 0;
	lab->least = lab->most = 0;
	if (c->measure && !lab->status && c->measure(lab, &here)) {
		mark = mark_of(lab, c, here);
		print_here(lab, c, here);
		check_mark(c, here, mark, count);
	} else {
		printf("| ");
	}
	printf("%s | %s |\n", c->trace, mark_text[mark]);
	fflush(stdout);
	take_mark(lab, p, c, mark, here, count);
}

static void print_experiment(struct lab *lab, const struct experiment *e,
			     struct count *count)
{
	bool holds;
	double here;

	printf("- %s (%s): ", e->text, e->trace);
	if (lab->status || !e->measure(lab, &here)) {
		puts("skipped");
		return;
	}
	holds = here >= e->least && here <= e->most;
	printf("%.*f%s%s; it must be ", e->digits, here, e->unit,
	       holds ? "" : ", **which refutes it**");
	print_range(e->least, e->most, e->digits, e->unit);
	putchar('\n');
	if (!holds)
		complain(count, e->text, here, e->digits, "refutes a reason");
}

/* The reason, the experiments that would refute it, and what they gave. */
static void print_reason(struct lab *lab, const struct reason *r,
			 struct count *count)
{
	const struct experiment *e;
	bool any = false;

	printf("\n%s\n", r->text);
	for (e = r->experiment; e && e->measure; e++) {
		if (lab->quick && e->slow)
			continue;
		if (!any)
			puts("\nTested:\n");
		any = true;
		print_experiment(lab, e, count);
	}
	if (r->open)
		printf("\nUntested: %s\n", r->open);
}

/* Each once. */
static void print_reasons(struct lab *lab, const struct paper *p,
			  struct count *count)
{
	const struct claim *c, *before;

	for (c = p->claims; c < p->claims + p->n; c++) {
		if (!c->why || c->why == &by_chance ||
		    (lab->quick && c->slow))
			continue;
		for (before = p->claims; before < c; before++)
			if (before->why == c->why &&
			    !(lab->quick && before->slow))
				break;
		if (before == c)
			print_reason(lab, c->why, count);
	}
}

static void print_paper(struct lab *lab, const struct paper *p,
			struct count *count)
{
	const struct claim *c;

	lab->state = calloc(1, p->state_bytes);
	if (!lab->state) {
		lab_fail(lab, run_error("out of memory"));
		return;
	}
	printf("\n## %s\n\n%s\n\n", p->title, p->text);
	puts("| | the paper claims | number | agrees if | here | trace | |\n"
	     "|---|---|---|---|---|---|---|");
	for (c = p->claims; c < p->claims + p->n; c++)
		if (!lab->quick || !c->slow)
			print_claim(lab, p, c, count);
	print_reasons(lab, p, count);
	if (!lab->status)
		p->tables(lab);
	fflush(stdout);
	if (p->close)
		p->close(lab);
	free(lab->state);
}

static size_t claims_of(const struct count *n)
{
	size_t sum = 0;
	int m;

	for (m = 0; m < MARKS; m++)
		sum += n->of[m];
	return sum;
}

static void print_counts(const char *name, const struct count *n)
{
	int m;

	printf("| %s | %zu |", name, claims_of(n));
	for (m = 0; m < SKIPPED; m++)
		printf(" %zu |", n->of[m]);
	putchar('\n');
}

static void add_counts(struct count *sum, const struct count *n)
{
	int m;

	for (m = 0; m < MARKS; m++)
		sum->of[m] += n->of[m];
	sum->unforeseen += n->unforeseen;
}

static void print_head(void)
{
	puts("# What five papers claim, and what we measure\n\nThis page is "
	     "printed by the program of tools/experiments:\n\n<!-- not run: it "
	     "takes minutes and needs the traces -->\n```sh\n"
	     "sh tools/experiments/build.sh\nbuild/reproduce all "
	     ">docs/REPRODUCTION.md\n```\n\nThe range that agrees with a claim "
	     "is in the source, beside the claim. Most of these numbers\nwere "
	     "known from earlier experiments when the ranges were written. "
	     "docs/SOURCES.md lists the papers;\nthe traces are those of the "
	     "Parallel Workloads Archive. The command fails if a claim or an\n"
	     "experiment comes out otherwise than the source states. Results of "
	     "long experiments are stored,\nwith checksums, in " STORED
	     "; with `--whole` they are found again,\nover a night, and with "
	     "`--store FILE` a run that was interrupted goes on.\n\n"
	     "The marks follow these rules:\n\n"
	     "- A claim *agrees* if its number lies in its range.\n"
	     "- A word has one range: *comparable* and *similar* are within a "
	     "quarter, 0.75 to 1.25. What a paper\n  says of each month must "
	     "hold in all months; if it makes two exceptions in its ten months, "
	     "in 80 %;\n  if it makes one, in 90 %. *Most* is half at least.\n"
	     "- A claim is *undecided* if chance could have had it otherwise: "
	     "the number counts cases, such as\n  months, and more than one of "
	     "20 throws of as many coins would be as far from half; or the\n  "
	     "interval in brackets, over ties, slices of a log or origins of "
	     "months, crosses the limit.\n"
	     "- It *differs, tested*, if experiments are listed that would have "
	     "refuted the reason, each with the\n  range in which the reason "
	     "holds, and they did not.\n"
	     "- It *differs, untested*, if there is no experiment, or something "
	     "that would have to be tested is\n  open.\n"
	     "- What needs a log or a machine that we do not have *cannot be "
	     "tested here*.");
}

/* ---- the command ---- */

static const struct paper *find_paper(const char *word)
{
	size_t i;

	for (i = 0; i < PAPERS; i++)
		if (!strcmp(papers[i]->key, word) ||
		    !strcmp(papers[i]->name, word))
			return papers[i];
	return NULL;
}

/* Bits of papers[]; 0 after a message. */
static unsigned int chosen_papers(const struct command *c, char **operand,
				  size_t operands)
{
	const char *words[2 * PAPERS + 2] = { NULL }, *meant;
	const struct paper *p;
	unsigned int set = 0;
	size_t i, k;

	for (i = 0; i < operands; i++) {
		if (!strcmp(operand[i], "all"))
			set |= (1u << PAPERS) - 1;
		p = find_paper(operand[i]);
		for (k = 0; k < PAPERS; k++)
			set |= (unsigned int)(p == papers[k]) << k;
		if (p || !strcmp(operand[i], "all"))
			continue;
		for (k = 0; k < PAPERS; k++) {
			words[2 * k] = papers[k]->key;
			words[2 * k + 1] = papers[k]->name;
		}
		words[2 * PAPERS] = "all";
		meant = closest_word(operand[i], words);
		usage_error(c, "no paper '%s'%s%s%s", operand[i],
			    meant ? ": did you mean " : "", meant ? meant : "",
			    meant ? "?" : "");
		return 0;
	}
	return set;
}

static int print_count(const struct lab *lab, const struct count *n)
{
	size_t otherwise = n->unforeseen + lab->otherwise;

	fprintf(stderr,
		"%s: %zu claims: %zu agree, %zu undecided, %zu differ for a "
		"tested reason, %zu for an untested one, %zu cannot be tested; "
		"%zu not as stated; %zu skipped\n",
		program_name, claims_of(n), n->of[AGREES], n->of[CHANCE],
		n->of[TESTED], n->of[UNTESTED], n->of[CLOSED], otherwise,
		n->of[SKIPPED]);
	if (lab->status)
		return lab->status;
	return otherwise || n->of[SKIPPED] ? EXIT_FAILED : 0;
}

static void print_refuted(const struct open_row *r)
{
	const struct reason *why = r->claim->why;

	if (r->coins)
		printf("at most %zu of %zu", rare_heads(r->coins), r->coins);
	else if (r->mark == CHANCE)
		printf("an interval outside of the range");
	else
		printf("%s", why && why->open ? why->open : "another number");
}

static void print_open_row(const struct open_row *r)
{
	const struct claim *c = r->claim;

	printf("| %.*s %s] %s, %s | ", (int)strcspn(r->title, "]"), r->title,
	       c->section, c->text, c->trace);
	if (c->measure)
		print_range(c->least, c->most, c->digits, c->unit);
	else
		printf("%s", c->number);
	printf(" | %s | %s | ", r->number, r->interval);
	print_refuted(r);
	printf(" | %s |\n", mark_text[r->mark]);
}

static void print_open_rows(void)
{
	size_t i;

	if (!open_rows)
		return;
	puts("\n## What is not decided\n\n| claim | agrees if | number | "
	     "interval | what would have refuted it | result |\n"
	     "|---|---|---|---|---|---|");
	for (i = 0; i < open_rows; i++)
		print_open_row(&open_row[i]);
}

static void print_all_counts(unsigned int set, const struct count *count)
{
	size_t i;

	puts("\n## Counts\n\n| paper | claims | agree | undecided | differ, "
	     "tested | differ, untested | cannot be tested |\n"
	     "|---|---:|---:|---:|---:|---:|---:|");
	for (i = 0; i < PAPERS; i++)
		if (set >> i & 1)
			print_counts(papers[i]->key, &count[i]);
	if (set & (set - 1))
		print_counts("all", &count[PAPERS]);
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const char *shared = getenv("FAIRSCHED_SHARED");
	bool fair = operands == 1 && !strcmp(operand[0], "fair");
	unsigned int set = fair ? 0 : chosen_papers(c, operand, operands);
	const struct args *a = args;
	struct count count[PAPERS + 1] = { { { 0 }, 0 } };
	struct stored stored, found = { 0 };
	struct lab lab = { 0 };
	char folder[512];
	int status;
	size_t i;

	if (!set && !fair)
		return EXIT_USAGE;
	snprintf(folder, sizeof(folder), "%s/traces",
		 shared ? shared : "../shared");
	lab.folder = a->traces ? a->traces : folder;
	lab.parts = a->parts;
	lab.quick = a->quick;
	lab.whole = a->whole;
	lab.threads = a->threads;
	lab.stored = &stored;
	lab.found = &found;
	lab.store = a->store;
	status = 0;
	if (stored_read(&stored, a->stored ? a->stored : STORED) < 0)
		status = input_error("%s", stored.error);
	else if (a->store && stored_read(&found, a->store) < 0)
		status = input_error("%s", found.error);
	else if (lab.parts && output_folder(lab.parts))
		status = EXIT_FAILED;
	if (status) {
		stored_free(&found);
		stored_free(&stored);
		return status;
	}
	if (!fair)
		print_head();
	for (i = 0; i < PAPERS; i++) {
		if (!(set >> i & 1))
			continue;
		print_paper(&lab, papers[i], &count[i]);
		add_counts(&count[PAPERS], &count[i]);
	}
	if (!a->quick && !fair) {
		print_open_rows();
		print_all_counts(set, count);
	}
	status = fair ? reproduce_fair(&lab)
		      : print_count(&lab, &count[PAPERS]);
	stored_free(&found);
	stored_free(&stored);
	return status;
}

const struct command reproduce_command = {
	"",
	"PAPER ...",
	"what five papers claim, and what comes out here",
	"Measures what the papers claim that fairsched is made from, and prints "
	"as Markdown each claim, the paper's number, what agrees with it, the "
	"number here, and whether it agrees; then why some do not, what would "
	"have refuted that, and the tables behind. PAPER is cf or "
	"compression, rs or relshare, mr or "
	"penalty, sfs, maui, or all; or fair: what promises cost fairness.",
	"docs/REPRODUCTION.md is the output for all, the end of docs/FAIRNESS.md "
	"that for fair. Long experiments are not "
	"made again: their results are read from --stored, unless the trace is "
	"another one. With --whole they are, which takes a night; with --store "
	"they go on where they were stopped, and with --parts those of the "
	"trace RICC. Claims whose trace is not "
	"there are skipped and counted. The exit status is 1 if any was skipped, "
	"or came out otherwise than the source says.",
	"reproduce sfs",
	options,
	1,
	SIZE_MAX,
	run,
	sizeof(struct args),
	NULL,
};
