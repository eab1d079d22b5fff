/* SPDX-License-Identifier: MIT OR Unlicense */
/* why - why a queued job does not start, and a forecast of its start */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "behind.h"
#include "commands.h"
#include "snapshot.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/base/threads.h"
#include "tools/fairsched/report/summary.h"
#include "tools/fairsched/sim/run_times.h"

struct args {
	struct snapshot_args snapshot;
	int64_t samples, seed;
	const char *job, *json;
};

struct question {
	const struct args *args;
	struct snapshot snapshot;
	struct job_name name; /* of the job */
	size_t number;	      /* SIZE_MAX: none has it; SEVERAL */
	FILE *json;    /* NULL: none is asked for */
};

/* Samples of a forecast, a round after the other, each taken by any thread. */
struct sampling {
	const struct question *q;
	const struct fair_sched *s;
	struct fair_draw draw;
	int64_t *start; /* by sample */
	uint32_t next, end; /* of this round */
	int error;
	pthread_mutex_t lock;
};

#define SEVERAL (SIZE_MAX - 1)
#define ROUND 32 /* samples */
#define LABEL 13 /* columns, with the blanks behind it */
#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "job", "ID", OPTION_NAME, AT(job),
	  "the job to explain, such as 123, or 123_4 of an array", NULL, 0, 0 },
	{ "samples", "N", OPTION_INTEGER, AT(samples),
	  "simulated runs of the forecast, at most, default 100", NULL, 1, 100000 },
	{ "seed", "N", OPTION_INTEGER, AT(seed),
	  "seed of the forecast, default 0", NULL, 0, INT64_MAX },
	{ "json", "F", OPTION_OUTPUT, AT(json),
	  "write the answer as JSON, its times in seconds of the trace", NULL,
	  0, 0 },
	SNAPSHOT_OPTIONS(struct args, snapshot),
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static int64_t id_of(const struct question *q, uint64_t number)
{
	return q->snapshot.trace.job[number].id;
}

/* Replaces job numbers, which are the library's, by the ids of the trace. */
static void name_by_id(const struct question *q, struct fair_why *w)
{
	uint32_t i;

	w->job.number = (uint64_t)id_of(q, w->job.number);
	if (w->reasons & FAIR_WHY_TREE)
		w->tree.first = (uint64_t)id_of(q, w->tree.first);
	if (w->reasons & FAIR_WHY_NODES)
		w->freed_by = (uint64_t)id_of(q, w->freed_by);
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++)
		w->blocker[i].number =
			(uint64_t)id_of(q, w->blocker[i].number);
}

/* The next sentence of @text, which is cut behind it; NULL at the end. */
static char *next_sentence(char **text)
{
	char *sentence = *text, *end = strstr(sentence, ". ");

	if (!*sentence)
		return NULL;
	if (end)
		end[1] = '\0';
	*text = end ? end + 2 : sentence + strlen(sentence);
	return sentence;
}

/* In lines that fit, those behind the first from @column on. */
static void print(const char *text, size_t column)
{
	text_wrap(stdout, text, column, terminal_width(stdout));
}

static void say(const struct fair_why *w, char *said, size_t room)
{
	struct fair_why x = *w;

	x.reasons &= ~(uint32_t)FAIR_WHY_TREE;
	fair_why_text(&x, said, room);
}

static void print_why(const struct question *q, const struct fair_why *w)
{
	char text[4096], *rest = text, *sentence, said[4096], dated[4096];

	say(w, said, sizeof(said));
	plan_sentence(&q->snapshot.files.plan, said, text, sizeof(text));
	while ((sentence = next_sentence(&rest)) != NULL) {
		clock_sentence(&q->snapshot.clock, sentence, dated,
			       sizeof(dated));
		print(dated, 0);
	}
	if (w->reasons & FAIR_WHY_TREE)
		print(behind_text(&q->snapshot.files.tree, w, text,
				  sizeof(text)),
		      0);
}

static void print_blockers(const struct question *q, const struct fair_why *w)
{
	const struct clock *c = &q->snapshot.clock;
	const struct fair_blocker *b = w->blocker;
	char start[CLOCK_TEXT], end[CLOCK_TEXT], text[256];
	uint32_t i;
	size_t n;

	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++, b++) {
		n = (size_t)snprintf(text, sizeof(text),
				     "job %" PRId64 ": %" PRId32
				     " processor%s, ",
				     (int64_t)b->number, b->procs,
				     b->procs == 1 ? "" : "s");
		if (b->state == FAIR_RUNNING)
			snprintf(text + n, sizeof(text) - n,
				 "runs since %s until %s at most",
				 clock_date(c, b->start, start),
				 clock_date(c, b->end, end));
		else if (b->start != FAIR_FOREVER)
			snprintf(text + n, sizeof(text) - n, "starts at %s",
				 clock_date(c, b->start, start));
		else
			snprintf(text + n, sizeof(text) - n, "waits");
		fputs(i ? "             " : "\nblocked by   ", stdout);
		print(text, LABEL);
	}
	if (w->blockers > FAIR_BLOCKERS)
		printf("             and %" PRIu32 " more\n",
		       w->blockers - FAIR_BLOCKERS);
}

static void print_percentile(const struct question *q, const char *label,
			     int64_t t)
{
	char text[CLOCK_TEXT];

	printf("%-13s%s\n", label, clock_time(&q->snapshot.clock, t, text));
}

static void print_forecast(const struct question *q,
			   const struct fair_forecast *f)
{
	char text[128], width[CLOCK_TEXT];

	snprintf(text, sizeof(text),
		 "of %" PRIu64 " simulated run%s, with run times from each "
		 "user's past jobs",
		 f->samples, f->samples == 1 ? "" : "s");
	fputs("\nforecast     ", stdout);
	print(text, LABEL);
	print_percentile(q, "10 % by", f->p10);
	print_percentile(q, "50 % by", f->p50);
	print_percentile(q, "90 % by", f->p90);
	if (f->half_width != FAIR_FOREVER)
		printf("each within  %s, with a confidence of 95 %%\n",
		       clock_duration(&q->snapshot.clock, f->half_width,
				      width));
}

/* ---- JSON ---- */

static void write_head(const struct question *q, const char *state)
{
	const struct snapshot *p = &q->snapshot;

	fputs("{\n  \"trace\": ", q->json);
	text_json(q->json, p->name);
	fprintf(q->json,
		",\n  \"policy\": \"%s\",\n  \"at\": %" PRId64
		",\n  \"unix_start\": ",
		policy_names[q->args->snapshot.policy], p->at);
	json_time(q->json, p->trace.unix_start == INT64_MIN
				   ? FAIR_FOREVER
				   : p->trace.unix_start);
	fprintf(q->json, ",\n  \"job\": %" PRId64 ",\n  \"state\": \"%s\"",
		p->trace.job[q->number].id, state);
}

static void write_key(const struct question *q, const char *key, int64_t t)
{
	fprintf(q->json, ",\n  \"%s\": ", key);
	json_time(q->json, t);
}

/* Its start, planned or past, against the first one that it was promised. */
struct lateness_told {
	int64_t first, start;
	uint32_t cause;
	const char *verb;
};

static bool is_late(const struct lateness_told *l)
{
	return l->start != FAIR_FOREVER && l->start > l->first;
}

static void write_late(const struct question *q, const struct lateness_told *l)
{
	write_key(q, "first_promise", l->first);
	if (!is_late(l))
		return;
	write_key(q, "late", l->start - l->first);
	fprintf(q->json, ",\n  \"late_by\": \"%s\"", summary_causes[l->cause]);
}

static void print_late(const struct question *q, const struct lateness_told *l)
{
	char late[CLOCK_TEXT];

	if (is_late(l))
		printf("It %s %s after the first start that it was promised: "
		       "%s.\n",
		       l->verb,
		       clock_duration(&q->snapshot.clock, l->start - l->first,
				      late),
		       fair_cause_name(l->cause));
}

static void write_blockers(const struct question *q, const struct fair_why *w)
{
	const struct fair_blocker *b = w->blocker;
	uint32_t i;

	fprintf(q->json, ",\n  \"blockers\": %" PRIu32 ",\n  \"blocked_by\": [",
		w->blockers);
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++, b++) {
		fprintf(q->json,
			"%s\n    { \"job\": %" PRId64 ", \"procs\": %" PRId32
			", \"state\": \"%s\", \"start\": ",
			i ? "," : "", (int64_t)b->number, b->procs,
			fair_state_name(b->state));
		json_time(q->json, b->start);
		fputs(", \"end\": ", q->json);
		json_time(q->json,
			  b->state == FAIR_RUNNING ? b->end : FAIR_FOREVER);
		fputs(" }", q->json);
	}
	fputs(" ]", q->json);
}

static void write_sentences(const struct question *q, const struct fair_why *w)
{
	char text[4096], *rest = text, *sentence, said[4096];
	const char *before = "\n    ";

	say(w, said, sizeof(said));
	plan_sentence(&q->snapshot.files.plan, said, text, sizeof(text));
	fputs(",\n  \"sentences\": [", q->json);
	while ((sentence = next_sentence(&rest)) != NULL) {
		fputs(before, q->json);
		text_json(q->json, sentence);
		before = ",\n    ";
	}
	if (w->reasons & FAIR_WHY_TREE) {
		fputs(before, q->json);
		text_json(q->json, behind_text(&q->snapshot.files.tree, w,
					       text, sizeof(text)));
	}
	fputs(" ]", q->json);
}

/* What is not known or does not exist is null. */
static int64_t known(const struct fair_why *w, uint32_t unknown, int64_t value)
{
	return w->unknown & unknown || !value ? FAIR_FOREVER : value;
}

static void write_name(const struct question *q, const char *key,
		       const struct csv_field *name)
{
	char text[256] = "";

	fprintf(q->json, ",\n  \"%s\": ", key);
	if (name)
		snprintf(text, sizeof(text), "%.*s", (int)name->n, name->p);
	if (name)
		text_json(q->json, text);
	else
		fputs("null", q->json);
}

/* What it lacks in the class that comes closest, in units of the plan. */
static void write_class(const struct question *q, const struct fair_why *w)
{
	const struct plan *p = &q->snapshot.files.plan;
	bool lacks = w->reasons & FAIR_WHY_RESOURCE;
	bool wide = w->node_class == UINT32_MAX;

	if (!plan_is_open(p))
		return;
	write_name(q, "lacks", lacks ? &p->resource[w->resource] : NULL);
	write_name(q, "lacks_in_class",
		   lacks && !wide ? &p->node_class[w->node_class] : NULL);
	write_key(q, "free", lacks ? w->left : FAIR_FOREVER);
	write_key(q, "needed", lacks ? w->asked : FAIR_FOREVER);
	write_key(q, "amount_to_start_now",
		  lacks && w->amount >= 0 ? w->amount : FAIR_FOREVER);
	if (p->nodes.count && w->hosted < w->job.chunks && !lacks) {
		write_key(q, "chunks", w->job.chunks);
		write_key(q, "chunks_with_room", w->hosted);
		write_key(q, "room_at", w->free_at);
	}
	write_name(q, "class_to_start_now",
		   w->other_class != UINT32_MAX ? &p->node_class[w->other_class]
						: NULL);
}

static void write_why(const struct question *q, const struct fair_why *w,
		      const struct lateness_told *late,
		      const struct fair_forecast *f)
{
	write_head(q, "queued");
	write_key(q, "waited", w->now - w->job.submit);
	write_key(q, "ahead", w->ahead);
	write_sentences(q, w);
	write_blockers(q, w);
	write_key(q, "procs_to_start_now",
		  known(w, FAIR_UNKNOWN_PROCS, w->procs));
	write_key(q, "walltime_to_start_now",
		  known(w, FAIR_UNKNOWN_WALLTIME, w->walltime));
	write_class(q, w);
	write_key(q, "promised_start", w->promise);
	write_late(q, late);
	write_key(q, "planned_start", w->unknown & FAIR_UNKNOWN_UNTIL
					      ? FAIR_FOREVER
					      : w->until);
	write_key(q, "samples", (int64_t)f->samples);
	write_key(q, "p10", f->p10);
	write_key(q, "p50", f->p50);
	write_key(q, "p90", f->p90);
	write_key(q, "half_width", f->half_width);
	fputs("\n}\n", q->json);
}

/* ---- the answer ---- */

/* The next sample of the round; false: none is left. */
static bool next_sample(struct sampling *x, uint32_t *i)
{
	bool more;

	pthread_mutex_lock(&x->lock);
	more = x->next < x->end && !x->error;
	*i = x->next;
	x->next += more;
	pthread_mutex_unlock(&x->lock);
	return more;
}

static void *take_samples(void *arg)
{
	struct sampling *x = arg;
	size_t bytes = fair_sched_fst_size(&x->s->config);
	void *memory = malloc(bytes);
	uint32_t i;
	int error;

	while (next_sample(x, &i)) {
		error = memory ? fair_sched_sample(x->s, x->q->number, &x->draw,
						   i, memory, bytes,
						   x->start + i)
			       : -FAIR_ENOMEM;
		if (!error)
			continue;
		pthread_mutex_lock(&x->lock);
		x->error = error;
		pthread_mutex_unlock(&x->lock);
	}
	free(memory);
	return NULL;
}

/* Adds the samples in their order: the answer does not depend on threads. */
static int collect(struct sampling *x, int64_t *sorted, struct fair_forecast *f)
{
	bool enough = false;

	memset(f, 0, sizeof(*f));
	while (!enough && f->samples < x->draw.samples) {
		x->end = x->draw.samples - x->next < ROUND ? x->draw.samples
							   : x->next + ROUND;
		threads_run(threads_here(), take_samples, x);
		if (x->error)
			return x->error;
		while (!enough && f->samples < x->end)
			enough = fair_forecast_add(f, sorted,
						   x->start[f->samples]);
	}
	return 0;
}

static int forecast(const struct question *q, const struct fair_sched *s,
		    struct fair_forecast *f)
{
	struct sampling x = { 0 };
	struct run_times h;
	int64_t *sorted;
	int error = -FAIR_ENOMEM;

	if (run_times_open(&h, &q->snapshot.trace, q->snapshot.result,
			   q->snapshot.at))
		return error;
	x.q = q;
	x.s = s;
	x.draw.run = run_times_draw;
	x.draw.context = &h;
	x.draw.seed = (uint64_t)q->args->seed;
	x.draw.samples = (uint32_t)q->args->samples;
	x.start = malloc(2 * x.draw.samples * sizeof(*x.start));
	sorted = x.start + x.draw.samples;
	pthread_mutex_init(&x.lock, NULL);
	if (x.start)
		error = collect(&x, sorted, f);
	pthread_mutex_destroy(&x.lock);
	free(x.start);
	run_times_close(&h);
	return error;
}

/* The job is not queued: there is nothing to explain. */
static int tell_state(const struct question *q, const struct fair_sched *s)
{
	const struct swf_job *j = &q->snapshot.trace.job[q->number];
	const struct clock *c = &q->snapshot.clock;
	const struct sim_result *r = &q->snapshot.result[q->number];
	struct lateness_told late = { r->promise, r->began, r->cause,
				      "started" };
	int64_t start = r->start;
	char from[CLOCK_TEXT], to[CLOCK_TEXT];
	struct fair_job_status status;
	bool later = j->submit > q->snapshot.at;
	bool runs = !later && !fair_sched_lookup(s, q->number, &status);

	if (runs)
		start = status.start;
	if (q->json) {
		write_head(q, later ? "not submitted" : runs ? "running"
							     : "ended");
		write_key(q, "submit", j->submit);
		write_key(q, "start", later ? FAIR_FOREVER : start);
		write_key(q, "end",
			  later || runs ? FAIR_FOREVER : start + j->run);
		write_late(q, &late);
		fputs("\n}\n", q->json);
	}
	if (q->json == stdout)
		return 0;
	printf("Job %" PRId64, j->id);
	if (later)
		printf(" is submitted later, at %s.\n",
		       clock_time(c, j->submit, from));
	else if (runs)
		printf(" runs since %s.\n", clock_time(c, start, from));
	else
		printf(" ran from %s to %s.\n", clock_date(c, start, from),
		       clock_date(c, start + j->run, to));
	print_late(q, &late);
	return 0;
}

static void tell(struct question *q, struct fair_why *w,
		 const struct fair_job_status *status,
		 const struct fair_forecast *f)
{
	struct lateness_told late = { status->first_promise, w->promise,
				      status->cause, "is to start" };

	name_by_id(q, w);
	if (q->json)
		write_why(q, w, &late, f);
	if (q->json == stdout)
		return;
	print_why(q, w);
	print_late(q, &late);
	print_blockers(q, w);
	print_forecast(q, f);
}

/* How much a job is the one that is meant: most if it waits. */
static int likely(const struct fair_sched *s, size_t i)
{
	struct fair_job_status status;

	if (fair_sched_lookup(s, i, &status))
		return 1;
	return status.state == FAIR_RUNNING ? 2 : 3;
}

static size_t find_job(const struct question *q, const struct fair_sched *s)
{
	const struct swf *t = &q->snapshot.trace;
	size_t found = SIZE_MAX, i;
	int best = 0, is;

	for (i = 0; i < t->jobs; i++) {
		if (!snapshot_is(&t->job[i], &q->name))
			continue;
		is = likely(s, i);
		found = is > best ? i : is == best ? SEVERAL : found;
		best = is > best ? is : best;
	}
	return found;
}

static int answer(void *ctx, struct fair_sched *s)
{
	struct question *q = ctx;
	struct fair_job_status status;
	struct fair_forecast f;
	struct fair_why w;
	size_t bytes;
	void *memory;
	int error;

	q->number = find_job(q, s);
	if (q->number >= SEVERAL)
		return 0;
	if (fair_sched_lookup(s, q->number, &status) ||
	    status.state == FAIR_RUNNING)
		return tell_state(q, s);
	bytes = fair_sched_fst_size(&s->config);
	memory = bytes ? malloc(bytes) : NULL;
	error = memory ? fair_sched_why(s, q->number, memory, bytes, &w)
		       : -FAIR_ENOMEM;
	if (!error)
		error = forecast(q, s, &f);
	if (!error)
		tell(q, &w, &status, &f);
	free(memory);
	return error;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct question q = { 0 };
	int status;

	(void)operands;
	if (!a->snapshot.at.given)
		return usage_error(c, "--at is missing");
	if (!a->job)
		return usage_error(c, "--job is missing");
	if (!snapshot_name(a->job, &q.name))
		return usage_error(c, "--job: '%s' is not the number of a job, "
				      "such as 123 or 123_4",
				   a->job);
	q.args = a;
	status = snapshot_open(&q.snapshot, c, &a->snapshot, operand[0]);
	if (!status && a->json) {
		q.json = output_open(a->json);
		status = q.json ? 0 : EXIT_FAILED;
	}
	if (!status)
		status = snapshot_run(&q.snapshot, answer, &q);
	if (!status && q.number >= SEVERAL)
		status = input_error(q.number == SEVERAL
					     ? "%s: more than one job has the "
					       "number %s"
					     : "%s: has no job %s",
				     q.snapshot.name, a->job);
	if (!status)
		status = output_commit();
	snapshot_close(&q.snapshot);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->snapshot.policy = RULES_EASY;
	a->samples = 100;
}

const struct command why_command = {
	"why",
	"TRACE",
	"explain why a job does not start, and forecast its start",
	"Simulates TRACE up to --at under one policy and explains why the job "
	"does not start then: the jobs that block it, the smallest change that "
	"would start it now, and a forecast of its start.",
	"Each change is sufficient alone, and leaves the job's place in the "
	"queue as it is. Planned starts assume that no more jobs arrive and "
	"that every job runs for its whole estimate. In each simulated run of "
	"the forecast a job runs for a fraction of its estimate that is drawn "
	"from the same user's past jobs. Times are dates (UTC) if the trace's "
	"header has UnixStartTime, else seconds of the trace.",
	"fairsched why KTH-SP2-1996-2.swf.gz --at 12h --job 5 "
	"--policy conservative",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
