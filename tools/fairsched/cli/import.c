/* SPDX-License-Identifier: MIT OR Unlicense */
/* import - a Slurm site's history as a trace */
#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "trace_options.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/jobs.h"

struct args {
	const char *out, *names, *columns, *cluster;
	int64_t procs;
	int arrival, format;
	bool lenient;
};

enum { SUBMIT, ELIGIBLE };
enum { SWF, JOBS };

#define AT(field) offsetof(struct args, field)

static const char *const arrivals[] = { "submit", "eligible", NULL };
static const char *const formats[] = { "swf", "jobs", NULL };

static const struct option options[] = {
	{ "out", "F", OPTION_OUTPUT, AT(out),
	  "write the trace to F, default stdout", NULL, 0, 0 },
	{ "format", "FORMAT", OPTION_CHOICE, AT(format),
	  "swf: Standard Workload Format (default); jobs: a jobs CSV, with "
	  "what jobs ask for beside processors and memory",
	  formats, 0, 0 },
	{ "names", "F", OPTION_OUTPUT, AT(names),
	  "write the numbers of users, accounts and partitions to F, as CSV",
	  NULL, 0, 0 },
	{ "procs", "N", OPTION_INTEGER, AT(procs),
	  "processors of the machine, default the most that were in use at "
	  "once",
	  NULL, 1, INT32_MAX },
	{ "arrival", "WHEN", OPTION_CHOICE, AT(arrival),
	  "a job arrives when it was submitted (default), or when it became "
	  "eligible: after its begin time, dependency or hold",
	  arrivals, 0, 0 },
	SACCT_OPTIONS(struct args, columns, cluster),
	{ "lenient", NULL, OPTION_FLAG, AT(lenient),
	  "skip damaged lines and count them", NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static void write_names(const struct sacct *s, FILE *f)
{
	size_t i;

	fputs("kind,number,name\n", f);
	for (i = 0; i < s->names; i++) {
		fprintf(f, "%s,%" PRId64 ",", sacct_kind_text[s->name[i].kind],
			s->name[i].number);
		text_csv(f, s->name[i].p, s->name[i].n);
		putc('\n', f);
	}
}

static void tell(const struct sacct *s, const struct args *a, bool is_jobs)
{
	fprintf(stderr, "%zu job%s of %zu lines\n", s->jobs,
		s->jobs == 1 ? "" : "s", s->records);
	sacct_tell_dropped(s, "", stderr);
	if (s->damaged) {
		fprintf(stderr, "damaged: %zu line%s, the first is ",
			s->damaged, s->damaged == 1 ? "" : "s");
		text_show(stderr, s->error);
		putc('\n', stderr);
	}
	sacct_tell(s, "", stderr);
	if (!a->procs && !is_jobs)
		fprintf(stderr,
			"MaxProcs is the most that were in use at once, "
			"%" PRId64
			"; give --procs N if the machine is larger\n",
			s->procs);
}

static int write_all(const struct sacct *s, const struct args *a)
{
	FILE *f = output_open(a->out ? a->out : "-");
	FILE *names = f && a->names ? output_open(a->names) : NULL;
	int64_t procs = a->procs ? a->procs : s->procs;
	int status = EXIT_FAILED;

	if (f && (names || !a->names)) {
		if (a->format == SWF)
			sacct_write(s, procs, f);
		else if (jobs_write(s, procs, f))
			return run_error("out of memory");
		if (names)
			write_names(s, names);
		status = output_commit();
	}
	return status;
}

static int read_history(struct sacct *s, const char *path, bool is_jobs,
			const struct sacct_options *o)
{
	struct lines l;
	int error;

	lines_open(&l, path);
	error = (is_jobs ? jobs_from : sacct_from)(
		s, strcmp(path, "-") ? path : "standard input", &l, o);
	lines_close(&l);
	return error;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	const char *path = operands > 1 ? operand[1] : "-";
	bool is_jobs = !strcmp(operand[0], "jobs");
	struct sacct_options o;
	struct sacct s;
	int status;

	if (!is_jobs && strcmp(operand[0], "sacct"))
		return usage_error(c, "cannot import '%s', only sacct and jobs",
				   operand[0]);
	if (is_jobs && a->arrival)
		return usage_error(c, "--arrival needs sacct");
	if (a->names && !strcmp(a->names, a->out ? a->out : "-"))
		return usage_error(c, "--out and --names are the same file");
	memset(&o, 0, sizeof(o));
	o.columns = a->columns;
	o.cluster = a->cluster;
	o.eligible = a->arrival == ELIGIBLE;
	o.lenient = a->lenient;
	if (read_history(&s, path, is_jobs, &o))
		return input_error("%s", s.error);
	if (s.procs > INT32_MAX)
		status = input_error("%" PRId64
				     " processors were in use at once, more "
				     "than this program supports",
				     s.procs);
	else
		status = write_all(&s, a);
	if (!status)
		tell(&s, a, is_jobs);
	sacct_free(&s);
	return status;
}

const struct command import_command = {
	"import",
	"sacct|jobs [FILE]",
	"import a Slurm site's history, or a jobs CSV, as a trace",
	"Reads the output of Slurm's sacct, or a jobs CSV, from FILE or stdin "
	"and writes a trace in Standard Workload Format to stdout, and counts "
	"of dropped lines to stderr.",
	"The columns may be in any order: JobIDRaw (or JobID), User, Account, "
	"Partition, State, Submit, Eligible, Start, End, TimelimitRaw (or "
	"Timelimit), AllocCPUS (or NCPUS), ReqCPUS, ReqTRES, AllocTRES, QOS (for "
	"--format jobs); other columns are ignored. Dates are read as UTC: SLURM_TIME_FORMAT=%s makes sacct "
	"print seconds. Job steps, and jobs that have not ended or never "
	"started, are dropped. The account becomes field 13 (--account-field "
	"group), the partition field 15. docs/guide/choose.md describes the export. A "
	"jobs CSV has a header line that names its columns; the man page "
	"describes them.",
	"fairsched import sacct month.txt --names names.csv > month.swf",
	options,
	1,
	2,
	run,
	sizeof(struct args),
	NULL,
};
