/* SPDX-License-Identifier: MIT OR Unlicense */
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "names.h"
#include "tools/fairsched/base/messages.h"

static int fail(struct swf *t, const char *why)
{
	snprintf(t->error, sizeof(t->error), "%s", why);
	return -1;
}

enum trace_format trace_format(struct lines *l)
{
	enum trace_format format = TRACE_SWF;
	const char *line;
	size_t bytes;

	if (lines_next(l, &line, &bytes)) {
		if (sacct_begin(line, bytes))
			format = TRACE_SACCT;
		else if (jobs_begin(line, bytes))
			format = TRACE_JOBS;
	}
	lines_again(l);
	return format;
}

static void tell(struct swf *t, struct sacct *s, const char *name, bool is_jobs)
{
	char before[256];
	size_t i;

	snprintf(before, sizeof(before), "%s: %.200s: ", program_name, name);
	s->noted[SACCT_REQUEUED] = 0;
	if (!note_is_quiet())
		sacct_tell(s, before, stderr);
	if (is_jobs)
		return;

	for (i = 0; i < SACCT_REASONS; i++)
		t->no_jobs += s->dropped[i];
	if (t->no_jobs)
		note("%s: %zu of %zu lines are no job that ran: 'fairsched "
		     "import' counts the reasons",
		     name, t->no_jobs, s->records);
	if (t->guessed_procs)
		note("%s: %" PRId64 " processors, the most that were in use at "
		     "once; give --procs N if the machine is larger",
		     name, s->procs);
}

/* From @s, or from the file @path. */
static int take_names(struct swf *t, struct sacct *s, const char *path)
{
	t->names = calloc(1, sizeof(*t->names));
	if (!t->names)
		return fail(t, "out of memory");
	if (s)
		names_take(t->names, s);
	else if (names_read(t->names, path))
		return fail(t, t->names->error);
	return 0;
}

/* Lines of the text above the first job. */
static unsigned long header_lines(const char *text)
{
	unsigned long n = 0;

	for (; *text == ';'; n++)
		text = strchr(text, '\n') + 1;
	return n;
}

/* What a trace does not hold is taken from @s. */
static void take_asks(struct swf *t, struct sacct *s, unsigned long header)
{
	const struct swf_job *from;
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		from = &s->job[t->job[i].line - header - 1].swf;
		t->job[i].line = from->line;
		t->job[i].ask = from->ask;
		t->job[i].had = from->had;
		t->job[i].array = from->array;
		t->job[i].task = from->task;
	}
	t->asks = s->asks;
	memset(&s->asks, 0, sizeof(s->asks));
}

/* Of the file, for that of the text that was made of it. */
static unsigned long line_of(const struct sacct *s, unsigned long line,
			     unsigned long header)
{
	return s->job[line - header - 1].swf.line;
}

/* Why no job is usable, by the lines of the file. */
static void take_first(struct swf *t, const struct sacct *s, const char *name,
		       unsigned long header)
{
	size_t i;

	for (i = 0; i < SWF_REASONS; i++)
		if (t->first[i].line)
			t->first[i].line =
				line_of(s, t->first[i].line, header);
	swf_has_none(t, name, false);
}

/* By way of the text that import writes: the same jobs. */
static int convert(struct swf *t, struct sacct *s, const char *name,
		   const struct swf_options *o)
{
	char *text = NULL;
	size_t bytes, i;
	FILE *f = open_memstream(&text, &bytes);
	int error = f ? 0 : -1;

	if (f) {
		sacct_write(s, o->procs ? o->procs : s->procs, f);
		error = ferror(f);
		error |= fclose(f);
	}
	if (error)
		error = fail(t, "out of memory");
	else
		error = swf_parse(t, name, text, bytes, o);
	for (i = 0; i < SWF_NOTES && !error; i++)
		if (t->noted[i])
			t->first_noted[i].line = line_of(
				s, t->first_noted[i].line, header_lines(text));
	if (!error)
		take_asks(t, s, header_lines(text));
	if (error && text)
		take_first(t, s, name, header_lines(text));
	free(text);
	t->damaged += s->damaged;
	if (!error && s->damaged)
		memcpy(t->error, s->error, sizeof(t->error));
	return error ? -1 : take_names(t, s, NULL);
}

static int read_history(struct swf *t, const char *name, struct lines *l,
			const struct swf_options *o, enum trace_format format)
{
	struct sacct_options how = { 0 };
	struct sacct s;
	int error = -1;

	how.lenient = o->lenient;
	how.columns = o->columns;
	how.cluster = o->cluster;
	if ((format == TRACE_JOBS ? jobs_from : sacct_from)(&s, name, l,
							    &how)) {
		fail(t, s.error);
	} else if (s.procs > INT32_MAX) {
		fail(t, "more processors were in use at once than this program "
			"supports");
	} else {
		error = convert(t, &s, name, o);
		t->guessed_procs = !o->procs && format == TRACE_SACCT;
		tell(t, &s, name, format == TRACE_JOBS);
	}
	sacct_free(&s);
	return error;
}

/* "12:2": the jobs of user 12, or of that name, come twice as far apart. */
static int spread(struct swf *t, const char *name, const char *text)
{
	const char *colon = strrchr(text, ':');
	double factor = colon ? strtod(colon + 1, NULL) : 0;
	char user[256], why[256];
	int64_t id;

	if (factor < 1e-6 || factor > 1000 || colon == text ||
	    colon[1 + strspn(colon + 1, ".0123456789")]) {
		snprintf(t->error, sizeof(t->error),
			 "%s: --spread '%.200s' is not USER:FACTOR, such as "
			 "12:2, with a FACTOR from 0.000001 to 1000",
			 name, text);
		return -1;
	}
	snprintf(user, sizeof(user), "%.*s", (int)(colon - text), text);
	id = names_number(t->names, SACCT_USER, user);
	if (id < 0 && !user[strspn(user, "0123456789")])
		id = strtoll(user, NULL, 10);
	if (!swf_spread(t, id, factor))
		return 0;
	snprintf(why, sizeof(why), "%.255s", t->error);
	snprintf(t->error, sizeof(t->error), "%s: --spread %.200s: %s", name,
		 text, why);
	return -1;
}

int trace_read(struct swf *t, const char *path, const struct swf_options *o,
	       const char *names)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	enum trace_format format;
	struct lines l;
	int status;

	memset(t, 0, sizeof(*t));
	lines_open(&l, path);
	format = o->columns ? TRACE_SACCT : trace_format(&l);
	if (format == TRACE_SWF)
		status = swf_from(t, name, &l, o);
	else
		status = read_history(t, name, &l, o, format);
	lines_close(&l);
	t->is_sacct = format == TRACE_SACCT;
	if (!status && t->is_epoch && format == TRACE_SWF)
		note("%s: the header has no UnixStartTime; times are taken as "
		     "seconds since 1970",
		     name);
	if (!status && names) {
		if (t->names)
			names_free(t->names);
		free(t->names);
		status = take_names(t, NULL, names);
	}
	if (!status && o->spread)
		status = spread(t, name, o->spread);
	return status;
}
