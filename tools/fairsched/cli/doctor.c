/* SPDX-License-Identifier: MIT OR Unlicense */
/* doctor - what a file is, what is read of it, and totals to compare with */
#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "tools/fairsched/base/text.h"
#include "trace_options.h"

struct args {
	struct trace_args trace;
};

#define AT(field) offsetof(struct args, field)
#define LABEL 12 /* columns */

static const struct option options[] = {
	TRACE_OPTIONS(struct args, trace),
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void print_label(const char *label)
{
	printf("%-*s", LABEL, label);
}

/* ---- what the file is ---- */

static enum trace_format format_of(const char *path, const struct trace_args *a)
{
	enum trace_format format;
	struct lines l;

	if (a->columns)
		return TRACE_SACCT;
	lines_open(&l, path);
	format = trace_format(&l);
	lines_close(&l);
	return format;
}

/* What import says of it: lines that are no job, remarks. */
static int print_history(const char *path, const struct trace_args *a)
{
	struct sacct_options o = { 0 };
	struct sacct s;
	int status = 0;

	o.lenient = a->lenient;
	o.columns = a->columns;
	o.cluster = a->cluster;
	if (sacct_read(&s, path, &o)) {
		status = input_error("%s", s.error);
	} else {
		print_label("lines");
		printf("%zu, of which %zu are jobs that ran\n", s.records,
		       s.jobs);
		sacct_tell_dropped(&s, "", stdout);
		sacct_tell(&s, "", stdout);
	}
	sacct_free(&s);
	return status;
}

/* ---- what was read, dropped, guessed ---- */

static void print_dropped(const struct swf *t)
{
	const char *label = "dropped";
	size_t i;

	print_label("read");
	printf("%zu job%s of %zu\n", t->jobs, plural(t->jobs), t->records);
	if (!swf_dropped(t)) {
		print_label(label);
		puts("none");
	}
	for (i = 0; i < SWF_REASONS; i++) {
		if (!t->dropped[i])
			continue;
		print_label(label);
		printf("%zu job%s: %s; the first is on line %lu\n",
		       t->dropped[i], plural(t->dropped[i]),
		       swf_reason_text[i], t->first[i].line);
		label = "";
	}
	print_label("damaged");
	if (!t->damaged) {
		puts("none");
		return;
	}
	printf("%zu line%s, the first is ", t->damaged, plural(t->damaged));
	text_show(stdout, t->error);
	putchar('\n');
}

static void print_guessed(const struct swf *t)
{
	size_t repeated = swf_repeated(t), i;
	bool any = t->guessed_procs || t->is_epoch || repeated;

	if (t->guessed_procs) {
		print_label("guessed");
		printf("%" PRId32 " processors, the most that were in use at "
		       "once: --procs N says it\n", t->procs);
	}
	if (t->is_epoch) {
		print_label("guessed");
		puts("times are seconds since 1970");
	}
	for (i = 0; i < SWF_NOTES; i++) {
		if (!t->noted[i])
			continue;
		any = true;
		print_label(i == SWF_NO_REQUEST ? "guessed" : "remark");
		printf("%zu job%s %s\n", t->noted[i], plural(t->noted[i]),
		       swf_note_text[i]);
	}
	if (repeated) {
		print_label("remark");
		printf("%zu job%s with a number that another has\n", repeated,
		       plural(repeated));
	}
	if (!any) {
		print_label("guessed");
		puts("nothing");
	}
}

/* ---- totals ---- */

struct totals {
	int64_t first, last, end; /* submit, submit, end */
	double area, run, wait;
	size_t waits; /* known */
	uint32_t groups, queues;
};

static struct totals totals_of(const struct swf *t)
{
	struct totals s = { INT64_MAX, INT64_MIN, INT64_MIN, 0, 0, 0, 0, 0, 0 };
	const struct swf_job *j;
	int64_t end;

	for (j = t->job; j < t->job + t->jobs; j++) {
		end = j->submit + (j->wait > 0 ? j->wait : 0) + j->run;
		s.first = j->submit < s.first ? j->submit : s.first;
		s.last = j->submit > s.last ? j->submit : s.last;
		s.end = end > s.end ? end : s.end;
		s.area += (double)j->run * j->procs;
		s.run += (double)j->run;
		s.wait += j->wait >= 0 ? (double)j->wait : 0;
		s.waits += j->wait >= 0;
		if (j->share_group >= s.groups)
			s.groups = j->share_group + 1;
		if (j->share_queue >= s.queues)
			s.queues = j->share_queue + 1;
	}
	return s;
}

static void print_time(const struct swf *t, const char *label, int64_t at)
{
	char date[64];

	print_label(label);
	printf("second %" PRId64, at);
	if (swf_dated(t) && units_date(t->unix_start + at, date, sizeof(date)))
		printf(", %s UTC", date);
	putchar('\n');
}

static void print_totals(const struct swf *t)
{
	struct totals s = totals_of(t);
	char text[64];

	print_label("machine");
	if (t->procs == INT32_MAX)
		puts("unknown: no MaxProcs in the file, and no --procs");
	else
		printf("%" PRId32 " processor%s\n", t->procs,
		       plural((size_t)t->procs));
	print_label("owners");
	printf("%" PRIu32 " user%s, %" PRIu32 " account%s (groups), %" PRIu32
	       " partition%s (queues)\n", t->users, plural(t->users), s.groups,
	       plural(s.groups), s.queues, plural(s.queues));
	print_time(t, "submitted", s.first);
	print_time(t, "to", s.last);
	print_time(t, "last end", s.end);
	print_label("waits");
	if (!s.waits)
		puts("not in the file: there is nothing \"recorded\"");
	else if (s.waits < t->jobs)
		printf("of %zu jobs alone: there is nothing \"recorded\"\n",
		       s.waits);
	else
		printf("%s on average\n",
		       units_text(s.wait / (double)s.waits, text, sizeof(text)));
	print_label("totals");
	printf("%zu jobs, %.0f processor-seconds, %.0f seconds of run time\n",
	       t->jobs, s.area, s.run);
}

/* ---- the same by awk ---- */

static void print_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	putchar('\'');
}

/* Only where options leave all of the file as it is. */
static bool is_whole(const struct trace_args *a)
{
	return !a->overrun && !a->from.given && !a->until.given &&
	       !a->to.given && !a->columns && !a->cluster;
}

static void print_awk(const char *path, const struct swf *t,
		      enum trace_format format)
{
	puts("\nThe same totals by awk:");
	fputs("  gzip -dcf ", stdout);
	print_quoted(path);
	if (format == TRACE_SWF)
		printf(" | awk '!/^[[:space:]]*(;|$)/ {\n"
		       "    p = $5 > 0 ? $5 : $8; r = $4 == -1 ? $6 : $4\n"
		       "    if (p > 0 && p <= %" PRId32 " && r >= 0 && "
		       "!($11 >= 2 && $11 <= 4) && !($11 == 5 && !r)) {\n",
		       t->procs);
	else
		fputs(" | awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) "
		      "c[$i] = i }\n    NR > 1 && $c[\"Start\"] ~ /^[0-9]+$/ && "
		      "$c[\"End\"] ~ /^[0-9]+$/ &&\n"
		      "    $(c[\"JobIDRaw\"] ? c[\"JobIDRaw\"] : "
		      "c[\"JobID\"]) !~ /[.]/ {\n"
		      "    p = $c[\"AllocCPUS\"]; r = $c[\"End\"] - "
		      "$c[\"Start\"]\n"
		      "    if (p > 0) {\n", stdout);
	puts("        n++; area += p * r; run += r\n    }\n"
	     "  } END { printf \"%d jobs, %.0f processor-seconds, %.0f seconds "
	     "of run time\\n\",\n    n, area, run }'");
	if (format == TRACE_SACCT)
		puts("It needs the columns Start and End in seconds "
		     "(SLURM_TIME_FORMAT=%s) and\nAllocCPUS; jobs that were "
		     "suspended or requeued are counted otherwise.");
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	static const char *const name[] = {
		"a trace in Standard Workload Format", "the output of sacct",
		"a jobs CSV",
	};
	const struct args *a = args;
	struct swf_options o = trace_options(&a->trace);
	enum trace_format format;
	const char *path = *operand;
	struct swf t = { 0 };
	int status = 0;

	(void)operands;
	if (!strcmp(path, "-"))
		return usage_error(c, "FILE is read twice: it cannot be "
				      "standard input");
	note_quiet();
	o.or_procs = INT32_MAX;
	format = format_of(path, &a->trace);
	if (trace_read(&t, path, &o, a->trace.names) || swf_rank(&t)) {
		status = *t.error ? input_error("%s", t.error)
				  : run_error("out of memory");
	} else {
		text_show(stdout, path);
		printf(": %s\n\n", name[format]);
		if (format == TRACE_SACCT)
			status = print_history(path, &a->trace);
	}
	if (!status) {
		print_dropped(&t);
		print_guessed(&t);
		print_totals(&t);
		if (format != TRACE_JOBS && is_whole(&a->trace))
			print_awk(path, &t, format);
	}
	swf_free(&t);
	return status;
}

const struct command doctor_command = {
	"doctor",
	"FILE",
	"say what a file is, and what is read, dropped, guessed of it",
	"Reads FILE as the other commands do, and prints what it is (a trace "
	"in Standard Workload Format, the output of sacct, a jobs CSV), what "
	"is read, dropped and guessed of it, its period, and totals to compare "
	"with those of the site; for a trace and for sacct also a program of "
	"awk that prints the same totals.",
	NULL,
	"fairsched doctor month.txt",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	NULL,
};
