/* SPDX-License-Identifier: MIT OR Unlicense */
/* merge - joins files of fair start times */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/sim/fst_file.h"

struct args {
	const char *part;
	bool partial;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "part", "F", OPTION_OUTPUT, AT(part),
	  "write the joined file to F, default stdout", NULL, 0, 0 },
	{ "partial", NULL, OPTION_FLAG, AT(partial),
	  "allow missing jobs, such as those outside of a sample", NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static int read_parts(struct fst_file *p, char **path, size_t paths)
{
	size_t i;
	int error;

	for (i = 0; i < paths; i++) {
		error = fst_file_read(p, path[i]);
		if (error > 0)
			return input_error("%s: no such file, or it is empty",
					   path[i]);
		if (error)
			return input_error("%s", p->error);
	}
	return 0;
}

static size_t missing(const struct fst_file *p, size_t *first)
{
	size_t i, n = 0;

	for (i = p->jobs; i-- > 0;) {
		if (p->time[i].strict != FAIR_FOREVER)
			continue;
		*first = i;
		n++;
	}
	return n;
}

static int run(const struct command *c, void *args, char **path, size_t paths)
{
	const struct args *a = args;
	struct fst_file p = { 0 };
	size_t n, first = 0;
	FILE *f = NULL;
	int status = read_parts(&p, path, paths);

	(void)c;
	n = status ? 0 : missing(&p, &first);
	if (n && !a->partial)
		status =
			run_error("%zu of %zu jobs have no fair start time, "
				  "the first is number %zu: is a part missing?",
				  n, p.jobs, first);
	if (!status)
		f = output_open(a->part ? a->part : "-");
	if (f)
		fst_file_write(&p, f);
	if (!status)
		status = f ? output_commit() : EXIT_FAILED;
	free(p.time);
	return status;
}

const struct command merge_command = {
	"merge",
	"PART ...",
	"join the fair start times of several shards",
	"Joins the files that 'fairsched simulate --fst --shard I/N --part F' "
	"wrote, on one computer or on many, into one file. It has the same "
	"bytes as that of one run without --shard.",
	"'fairsched simulate --fst --part F' reads the times from that file. "
	"Two files may hold times of the same job if these are equal.",
	"fairsched merge kth.1 kth.2 --part kth.all",
	options,
	1,
	SIZE_MAX,
	run,
	sizeof(struct args),
	NULL,
};
