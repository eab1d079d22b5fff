/* SPDX-License-Identifier: MIT OR Unlicense */
/* reproduce - what five papers claim, and what comes out here */
#include "reproduce.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/threads.h"
#include "tools/fairsched/base/words.h"
#include "tools/fairsched/cli/commands.h"
#include "tools/fairsched/cli/fst_options.h"
#include "tools/fairsched/report/fst_run.h"

struct args {
	bool quick;
	int64_t threads;
	const char *traces, *parts;
};

#define AT(field) offsetof(struct args, field)

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
		fprintf(stderr, "fairsched: skipped: no trace %s\n", path);
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

/* ---- what is printed ---- */

struct count {
	size_t agree, differ, unforeseen, skipped;
};

static void print_tolerance(const struct claim *c)
{
	if (c->least <= -NO_LIMIT)
		printf("at most %.*f", c->digits, c->most);
	else if (c->most >= NO_LIMIT)
		printf("at least %.*f", c->digits, c->least);
	else if (c->least < c->most)
		printf("%.*f to %.*f", c->digits, c->least, c->digits, c->most);
	else
		printf("%.*f", c->digits, c->least);
}

static void print_row(const struct claim *c)
{
	printf("| %s | %s | %s | ", c->section, c->text, c->number);
	print_tolerance(c);
	printf(" | ");
}

/* The outcome must be the one that the source states. */
static void print_claim(struct lab *lab, const struct claim *c,
			struct count *count)
{
	double here;
	bool agrees;

	if (lab->status || !c->measure(lab, &here)) {
		count->skipped++;
		print_row(c);
		printf("| %s | skipped |\n", c->trace);
		return;
	}
	agrees = here >= c->least && here <= c->most;
	print_row(c);
	printf("%.*f%s | %s | %s |\n", c->digits, here, c->unit, c->trace,
	       agrees ? "agrees" : "**differs**");
	fflush(stdout);
	if (agrees)
		count->agree++;
	else
		count->differ++;
	if (agrees == !c->why)
		return;
	count->unforeseen++;
	fprintf(stderr, "fairsched: %s: %s: here %.*f, which %s\n", c->section,
		c->text, c->digits, here,
		agrees ? "agrees, against what is stated"
		       : "differs, and no reason is stated");
}

/* One paragraph a reason. */
static void print_reasons(const struct lab *lab, const struct paper *p)
{
	const struct claim *c, *before;

	for (c = p->claims; c < p->claims + p->n; c++) {
		if (!c->why || (lab->quick && c->slow))
			continue;
		for (before = p->claims; before < c; before++)
			if (before->why && !strcmp(before->why, c->why) &&
			    !(lab->quick && before->slow))
				break;
		if (before == c)
			printf("\n%s\n", c->why);
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
	print_reasons(lab, p);
	if (!lab->status)
		p->tables(lab);
	fflush(stdout);
	if (p->close)
		p->close(lab);
	free(lab->state);
}

static void print_head(void)
{
	puts("# What five papers claim, and what we measure\n\nThis page is "
	     "printed by the command:\n\n<!-- not run: it takes two hours of "
	     "processor time and needs the traces -->\n```sh\nfairsched "
	     "reproduce all >docs/REPRODUCTION.md\n```\n\nThe range that "
	     "agrees with a claim is in the source, beside the claim. Most of "
	     "these numbers\nwere known from earlier experiments when the "
	     "ranges were written; those of [RS] by month were\nnot. If a "
	     "number does not agree, the reason is there, too. The command "
	     "fails if a claim agrees\nor differs otherwise than the source "
	     "states. docs/SOURCES.md lists the papers; the traces are\nthose "
	     "of the Parallel Workloads Archive.");
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
		"fairsched: %zu claims: %zu agree, %zu differ; %zu of these "
		"not as stated; %zu skipped\n",
		n->agree + n->differ + n->skipped, n->agree, n->differ,
		n->unforeseen, n->skipped);
	if (lab->status)
		return lab->status;
	return n->unforeseen || n->skipped ? EXIT_FAILED : 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const char *shared = getenv("FAIRSCHED_SHARED");
	unsigned int set = chosen_papers(c, operand, operands);
	const struct args *a = args;
	struct count count = { 0 };
	struct lab lab = { 0 };
	char folder[512];
	size_t i;

	if (!set)
		return EXIT_USAGE;
	snprintf(folder, sizeof(folder), "%s/traces",
		 shared ? shared : "../shared");
	lab.folder = a->traces ? a->traces : folder;
	lab.parts = a->parts;
	lab.quick = a->quick;
	lab.threads = a->threads;
	if (fst_run_folder(lab.parts))
		return EXIT_FAILED;
	print_head();
	for (i = 0; i < PAPERS; i++)
		if (set >> i & 1)
			print_paper(&lab, papers[i], &count);
	return print_count(&lab, &count);
}

const struct command reproduce_command = {
	"reproduce",
	"PAPER ...",
	"what five papers claim, and what comes out here",
	"Measures what the papers claim that fairsched is made from, and prints "
	"as Markdown each claim, the paper's number, what agrees with it, the "
	"number here, and whether it agrees; then why some do not, and the "
	"tables behind. PAPER is cf or compression, rs or relshare, mr or "
	"penalty, sfs, maui, or all.",
	"docs/REPRODUCTION.md is the output for all, which takes two hours of a "
	"processor, most of them for RICC; with --parts it goes on where it was "
	"stopped. Claims whose trace is not there are skipped and counted. The exit "
	"status is 1 if any was skipped, or came out otherwise than the source "
	"says.",
	"fairsched reproduce sfs",
	options,
	1,
	SIZE_MAX,
	run,
	sizeof(struct args),
	NULL,
};
