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
	  "write the results of long experiments to FILE", NULL, 0, 0 },
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

/* Finds the values again, or for the first time; with those stored, or NULL. */
static bool compute(struct lab *lab, const char *name, const struct swf *t,
		    double *value, size_t n, const double *stored,
		    bool (*of)(void *ctx, double *value), void *ctx)
{
	double found[STORED_VALUES];
	size_t i;

	if (!of(ctx, found))
		return lab_fail(lab, EXIT_FAILED);
	if (stored && !stored_same(stored, found, n)) {
		fprintf(stderr, "%s: %s: not what is stored:", program_name,
			name);
		for (i = 0; i < n; i++)
			if (!stored_same(&stored[i], &found[i], 1))
				fprintf(stderr, " %zu: %g, here %g", i,
					stored[i], found[i]);
		fputc('\n', stderr);
		lab->otherwise++;
	}
	if (!stored_put(lab->stored, name, t, found, n))
		return lab_fail(lab, run_error("out of memory"));
	memcpy(value, found, n * sizeof(*value));
	return true;
}

bool lab_stored(struct lab *lab, const char *name, const struct swf *t,
		double *value, size_t n,
		bool (*of)(void *ctx, double *value), void *ctx)
{
	const double *stored = stored_find(lab->stored, name, t, n);

	if (!stored || lab->whole)
		return compute(lab, name, t, value, n, stored, of, ctx);
	memcpy(value, stored, n * sizeof(*value));
	return true;
}

/* ---- what is printed ---- */

struct count {
	size_t agree, tested, untested, closed, unforeseen, skipped;
};

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

/* The outcome must be the one that the source states. */
static void print_outcome(const struct claim *c, double here,
			  struct count *count)
{
	bool agrees = here >= c->least && here <= c->most;
	bool tested = c->why && c->why->experiment;
	char what[512];

	printf("%.*f%s | %s | %s |\n", c->digits, here, c->unit, c->trace,
	       agrees	? "agrees"
	       : tested ? "**differs**, tested"
			: "**differs**, untested");
	fflush(stdout);
	count->agree += agrees;
	count->tested += !agrees && tested;
	count->untested += !agrees && !tested;
	snprintf(what, sizeof(what), "%s: %s", c->section, c->text);
	if (agrees == !!c->why)
		complain(count, what, here, c->digits,
			 agrees ? "agrees, against what is stated"
				: "differs, and no reason is stated");
}

static void print_claim(struct lab *lab, const struct claim *c,
			struct count *count)
{
	double here;

	print_row(c);
	if (!c->measure) {
		printf("| %s | cannot be tested here |\n", c->trace);
		count->closed++;
	} else if (lab->status || !c->measure(lab, &here)) {
		printf("| %s | skipped |\n", c->trace);
		count->skipped++;
	} else {
		print_outcome(c, here, count);
	}
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
		printf("\n%s %s\n",
		       r->experiment ? "Not tested:" : "Untested:", r->open);
}

/* Each once. */
static void print_reasons(struct lab *lab, const struct paper *p,
			  struct count *count)
{
	const struct claim *c, *before;

	for (c = p->claims; c < p->claims + p->n; c++) {
		if (!c->why || (lab->quick && c->slow))
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
			print_claim(lab, c, count);
	print_reasons(lab, p, count);
	if (!lab->status)
		p->tables(lab);
	fflush(stdout);
	if (p->close)
		p->close(lab);
	free(lab->state);
}

static void print_counts(const char *name, const struct count *n)
{
	printf("| %s | %zu | %zu | %zu | %zu | %zu |\n", name,
	       n->agree + n->tested + n->untested + n->closed + n->skipped,
	       n->agree, n->tested, n->untested, n->closed);
}

static void add_counts(struct count *sum, const struct count *n)
{
	sum->agree += n->agree;
	sum->tested += n->tested;
	sum->untested += n->untested;
	sum->closed += n->closed;
	sum->unforeseen += n->unforeseen;
	sum->skipped += n->skipped;
}

static void print_head(void)
{
	puts("# What five papers claim, and what we measure\n\nThis page is "
	     "printed by the program of tools/experiments:\n\n<!-- not run: it "
	     "takes minutes and needs the traces -->\n```sh\n"
	     "sh tools/experiments/build.sh\nbuild/reproduce all "
	     ">docs/REPRODUCTION.md\n```\n\nThe range that agrees with a claim "
	     "is in the source, beside the claim. Most of these numbers\nwere "
	     "known from earlier experiments when the ranges were written; "
	     "those of [RS] by month were\nnot. A claim agrees, or differs for "
	     "a reason. The reason is *tested* if an experiment is listed\nthat "
	     "would have refuted it, with the range in which it holds; else it "
	     "is *untested*. What needs\na log or a machine that we do not have "
	     "*cannot be tested here*. The command fails if a claim or\nan "
	     "experiment comes out otherwise than the source states. "
	     "docs/SOURCES.md lists the papers; the\ntraces are those of the "
	     "Parallel Workloads Archive. Results of long experiments are "
	     "stored, with\nchecksums, in " STORED "; with `--whole` they\nare "
	     "found again, in 43 minutes of a processor of 3.7 GHz; those of "
	     "RICC take an hour\nand a half more, half an hour of it under "
	     "conservative and an hour under pc.");
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
	fprintf(stderr,
		"%s: %zu claims: %zu agree, %zu differ for a tested "
		"reason, %zu for an untested one, %zu cannot be tested; %zu "
		"not as stated; %zu skipped\n",
		program_name,
		n->agree + n->tested + n->untested + n->closed + n->skipped,
		n->agree, n->tested, n->untested, n->closed,
		n->unforeseen + lab->otherwise, n->skipped);
	if (lab->status)
		return lab->status;
	return n->unforeseen || lab->otherwise || n->skipped ? EXIT_FAILED : 0;
}

static int write_stored(const struct lab *lab, const char *path)
{
	FILE *f = path ? output_open(path) : NULL;

	if (f)
		stored_write(lab->stored, f);
	return !path ? 0 : f ? output_commit() : EXIT_FAILED;
}

static void print_all_counts(unsigned int set, const struct count *count)
{
	size_t i;

	puts("\n## Counts\n\n| paper | claims | agree | differ, tested | "
	     "differ, untested | cannot be tested |\n"
	     "|---|---:|---:|---:|---:|---:|");
	for (i = 0; i < PAPERS; i++)
		if (set >> i & 1)
			print_counts(papers[i]->key, &count[i]);
	if (set & (set - 1))
		print_counts("all", &count[PAPERS]);
	if (set == (1u << PAPERS) - 1)
		puts("\nWhat changed\n\n| | claims | agree | differ, tested | "
		     "differ, untested | cannot be tested |\n"
		     "|---|---:|---:|---:|---:|---:|\n"
		     "| first edition | 155 | 118 | 0 | 37 | 0 |\n"
		     "| with [RS] by month, [MR] on nodes, [MAUI] by slices | "
		     "203 | 142 | 45 | 12 | 4 |\n\n"
		     "Since the latter: ten sentences about the traces that [CF] "
		     "left out are no claims any more, and its\nrow by the "
		     "authors' ties is an experiment; figure 1 is claimed; four "
		     "numbers of jobs of versions that\nwe do not have cannot be "
		     "tested; the four other untested reasons have experiments.");
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const char *shared = getenv("FAIRSCHED_SHARED");
	bool fair = operands == 1 && !strcmp(operand[0], "fair");
	unsigned int set = fair ? 0 : chosen_papers(c, operand, operands);
	const struct args *a = args;
	struct count count[PAPERS + 1] = { { 0 } };
	struct stored stored;
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
	if (stored_read(&stored, a->stored ? a->stored : STORED) < 0) {
		status = input_error("%s", stored.error);
		stored_free(&stored);
		return status;
	}
	if (lab.parts && output_folder(lab.parts))
		return EXIT_FAILED;
	if (!fair)
		print_head();
	for (i = 0; i < PAPERS; i++) {
		if (!(set >> i & 1))
			continue;
		print_paper(&lab, papers[i], &count[i]);
		add_counts(&count[PAPERS], &count[i]);
	}
	if (!a->quick && !fair)
		print_all_counts(set, count);
	status = fair ? reproduce_fair(&lab)
		      : print_count(&lab, &count[PAPERS]);
	if (!lab.status && write_stored(&lab, a->store))
		status = EXIT_FAILED;
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
	"have refuted that, and the tables behind. PAPER is cf or compression, rs or relshare, mr or "
	"penalty, sfs, maui, or all; or fair: what promises cost fairness.",
	"docs/REPRODUCTION.md is the output for all, the end of docs/FAIRNESS.md "
	"that for fair. Long experiments are not "
	"made again: their results are read from --stored, unless the trace is "
	"another one. With --whole they take 45 minutes of a processor, and "
	"an hour and a half more if the trace RICC is there; with --parts these "
	"go on where they were stopped. Claims whose trace is not "
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
