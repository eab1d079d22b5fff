/* SPDX-License-Identifier: MIT OR Unlicense */
/* usage - who used what, and what each user is owed */
#include <string.h>

#include "commands.h"
#include "trace_options.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/report/owed.h"

struct args {
	struct choices by;
	struct texts merge;
	const char *tree, *names, *csv, *json, *columns, *cluster;
	struct when from, until;
	int64_t half_life;
	bool lenient;
};

enum { ACCOUNT, USER, MONTH, RESOURCE };

#define AT(field) offsetof(struct args, field)

static const char *const breakdowns[] = { "account", "user", "month",
					  "resource", NULL };

static const struct option options[] = {
	{ "by", "LIST", OPTION_CHOICES, AT(by),
	  "a row for each of these, default account,user", breakdowns, 0, 0 },
	{ "tree", "F", OPTION_FILE, AT(tree),
	  "shares: a CSV of parent,name,shares, or the output of sacctmgr -P "
	  "show assoc; default: 1 share each, or those of a saved tree",
	  NULL, 0, 0 },
	{ "merge", "F", OPTION_TEXTS, AT(merge),
	  "add the usage of another server: a log to a log, a ledger to a "
	  "ledger; may be repeated",
	  NULL, 0, 0 },
	{ "names", "F", OPTION_FILE, AT(names),
	  "the names of a trace's users and accounts, as import --names writes "
	  "them",
	  NULL, 0, 0 },
	{ "from", "TIME", OPTION_TIME, AT(from),
	  "count usage from TIME: a date, or seconds of a trace without dates",
	  NULL, 0, 0 },
	{ "until", "TIME", OPTION_TIME, AT(until), "count usage before TIME",
	  NULL, 0, 0 },
	{ "half-life", "TIME", OPTION_DURATION, AT(half_life),
	  "usage decays by half in TIME, up to the end; default: it does not",
	  NULL, 1, FAIR_USAGE_HALF_LIFE },
	{ "csv", "F", OPTION_OUTPUT, AT(csv), "write the rows as CSV", NULL, 0,
	  0 },
	{ "json", "F", OPTION_OUTPUT, AT(json), "write the rows as JSON", NULL,
	  0, 0 },
	SACCT_OPTIONS(struct args, columns, cluster),
	{ "lenient", NULL, OPTION_FLAG, AT(lenient),
	  "skip damaged lines and count them", NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static int write_all(const struct owed *o, const struct args *a)
{
	FILE *csv = a->csv ? output_open(a->csv) : NULL;
	FILE *json = a->json ? output_open(a->json) : NULL;
	int status = EXIT_FAILED;

	if ((csv || !a->csv) && (json || !a->json)) {
		if (csv)
			owed_write_csv(o, csv);
		if (json)
			owed_write_json(o, json);
		if (!is_stdout(a->csv) && !is_stdout(a->json) &&
		    owed_write_table(o, stdout, terminal_width(stdout)))
			status = run_error("out of memory");
		else
			status = output_commit();
	}
	return status;
}

static struct owed_by breakdown(const struct choices *c)
{
	struct owed_by by = { false, !c->n, !c->n, false };
	size_t i;

	for (i = 0; i < c->n; i++) {
		by.account |= c->index[i] == ACCOUNT;
		by.user |= c->index[i] == USER;
		by.month |= c->index[i] == MONTH;
		by.resource |= c->index[i] == RESOURCE;
	}
	return by;
}

static int read_all(struct used *u, const struct args *a, const char *path)
{
	size_t i;
	int status;

	if (a->tree && tree_read(&u->tree, a->tree, a->cluster))
		return input_error("%s", u->tree.error);
	if (a->names && names_read(&u->names, a->names))
		return input_error("%s", u->names.error);
	status = used_read(u, path);
	for (i = 0; i < a->merge.n && !status; i++)
		status = used_read(u, a->merge.text[i]);
	return status ? status : used_sum(u);
}

/* The files of --merge are inputs, too. */
static int check_outputs(const struct command *c, const struct args *a)
{
	const char *out[] = { a->csv, a->json };
	const char *const name[] = { "csv", "json" };
	size_t i, k;

	for (i = 0; i < 2; i++)
		for (k = 0; k < a->merge.n && out[i]; k++)
			if (output_is_input(out[i], a->merge.text[k]))
				return usage_error(c,
						   "--%s %s would replace the "
						   "file of --merge",
						   name[i], out[i]);
	return 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct owed_by by = breakdown(&a->by);
	struct used u = { 0 };
	struct owed o = { 0 };
	int status;

	(void)operands;
	if (by.month && a->half_life)
		return usage_error(c, "--half-life does not go with --by month: "
				      "it is as of one time");
	status = check_outputs(c, a);
	if (status)
		return status;
	u.from = a->from;
	u.until = a->until;
	u.half_life = a->half_life;
	u.by_month = by.month;
	u.lenient = a->lenient;
	u.columns = a->columns;
	u.cluster = a->cluster;
	u.as_sshare = a->tree != NULL;
	status = read_all(&u, a, operand[0]);
	if (!status)
		status = owed_make(&o, &u, &by);
	if (!status)
		status = write_all(&o, a);
	owed_free(&o);
	used_free(&u);
	return status;
}

const struct command usage_command = {
	"usage",
	"FILE",
	"print who used what, what the share was and what is owed",
	"Reads FILE and prints for each account and user the shares, what part "
	"of everything these are, what was used, and what is owed: the part of "
	"all that was used, minus what it used itself. Below 0 it used more "
	"than its share. The rank is that of Fair Tree: the highest goes first.",
	"FILE is a trace in Standard Workload Format with waits, the output of "
	"sacct -P, or a ledger: saved by usage.h, in a checkpoint of the "
	"scheduler, or in what simulate --save wrote. A checkpoint ordered by "
	"a tree has shares and ranks of its own, and --tree names its nodes: "
	"the same file as then. A job belongs to its "
	"user below its account (field 13 of a trace); if the tree has no "
	"such account, to the only user of that name; what is not in the tree "
	"has 1 share. --by resource also counts memory and GPUs, where jobs "
	"request them. CSV and JSON are in processor-, MB- and GPU-seconds, the "
	"table in hours and GB. Months are those of UTC.",
	"fairsched usage KTH-SP2-1996-2.swf.gz --by user",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	NULL,
};
