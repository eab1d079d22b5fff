/* SPDX-License-Identifier: MIT OR Unlicense */
/* why - what keeps a waiting job from starting, and when it will */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "history.h"
#include "present.h"

struct args {
	struct present_args present;
	int64_t job, samples, seed;
};

struct question {
	const struct args *args;
	struct present present;
	size_t number; /* of the job */
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "job", "ID", OPTION_INTEGER, AT(job), "which one", NULL, INT64_MIN,
	  INT64_MAX },
	{ "samples", "N", OPTION_INTEGER, AT(samples),
	  "futures to draw for the forecast, default 100", NULL, 1, 100000 },
	{ "seed", "N", OPTION_INTEGER, AT(seed), "others than by default",
	  NULL, 0, INT64_MAX },
	PRESENT_OPTIONS(struct args, present),
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

static int64_t id_of(const struct question *q, uint64_t number)
{
	return q->present.trace.job[number].id;
}

/* The library knows a job by its number, people by its id. */
static void name_by_id(const struct question *q, struct fair_why *w)
{
	uint32_t i;

	w->job.number = (uint64_t)id_of(q, w->job.number);
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++)
		w->blocker[i].number =
			(uint64_t)id_of(q, w->blocker[i].number);
}

static void print_why(const struct fair_why *w)
{
	char text[4096], *p, *next;

	fair_why_text(w, text, sizeof(text));
	for (p = text; p; p = next) {	/* a sentence a line */
		next = strstr(p, ". ");
		if (next) {
			next[1] = 0;
			next += 2;
		}
		puts(p);
	}
}

static void print_blockers(const struct fair_why *w)
{
	const struct fair_blocker *b = w->blocker;
	uint32_t i;

	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++, b++) {
		printf("%s%" PRId64 ": %" PRId32 " processor%s",
		       i ? "             job " : "\nin the way   job ",
		       (int64_t)b->number, b->procs, b->procs == 1 ? "" : "s");
		if (b->state == FAIR_RUNNING)
			printf(", runs since %" PRId64 " until %" PRId64
			       " at most\n",
			       b->start, b->end);
		else if (b->start != FAIR_FOREVER)
			printf(", starts at %" PRId64 "\n", b->start);
		else
			puts(", waits");
	}
	if (w->blockers > FAIR_BLOCKERS)
		printf("             and %" PRIu32 " more\n",
		       w->blockers - FAIR_BLOCKERS);
}

static void print_percentile(const char *label, int64_t t)
{
	printf("%-13s", label);
	if (t == FAIR_FOREVER)
		puts("never");
	else
		printf("%" PRId64 "\n", t);
}

static int print_forecast(const struct question *q, const struct fair_sched *s,
			  void *memory, size_t bytes)
{
	struct fair_draw draw = { history_run, NULL, 0, 0 };
	struct fair_forecast f;
	struct history h;
	int error;

	if (history_open(&h, &q->present.trace, q->present.result,
			 q->present.at))
		return -FAIR_ENOMEM;
	draw.context = &h;
	draw.seed = (uint64_t)q->args->seed;
	draw.samples = (uint32_t)q->args->samples;
	error = fair_sched_forecast(s, q->number, &draw, memory, bytes, &f);
	history_close(&h);
	if (error)
		return error;
	printf("\nforecast     of %" PRIu32 " futures, with run times of the "
	       "users' own past\n",
	       draw.samples);
	print_percentile("10 % by", f.p10);
	print_percentile("50 % by", f.p50);
	print_percentile("90 % by", f.p90);
	return 0;
}

/* Nothing to explain: it does not wait. */
static int print_state(const struct question *q, const struct fair_sched *s)
{
	const struct swf_job *j = &q->present.trace.job[q->number];
	int64_t start = q->present.result[q->number].start;
	struct fair_job_status status;

	printf("Job %" PRId64, j->id);
	if (j->submit > q->present.at)
		printf(" is submitted at %" PRId64 ", later.\n", j->submit);
	else if (!fair_sched_lookup(s, q->number, &status))
		printf(" runs since %" PRId64 ".\n", status.start);
	else
		printf(" ran from %" PRId64 " to %" PRId64 ".\n", start,
		       start + j->run);
	return 0;
}

static int answer(void *ctx, struct fair_sched *s)
{
	struct question *q = ctx;
	struct fair_job_status status;
	struct fair_why w;
	size_t bytes;
	void *memory;
	int error;

	if (fair_sched_lookup(s, q->number, &status) ||
	    status.state == FAIR_RUNNING)
		return print_state(q, s);
	bytes = fair_sched_forecast_size(&s->config,
					 (uint32_t)q->args->samples);
	memory = bytes ? malloc(bytes) : NULL;
	error = memory ? fair_sched_why(s, q->number, memory, bytes, &w)
		       : -FAIR_ENOMEM;
	if (!error) {
		name_by_id(q, &w);
		print_why(&w);
		print_blockers(&w);
		error = print_forecast(q, s, memory, bytes);
	}
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
	if (!a->present.at.given)
		return usage_error(c, "--at is missing");
	if (a->job == INT64_MIN)
		return usage_error(c, "--job is missing");
	q.args = a;
	status = present_open(&q.present, c, &a->present, operand[0]);
	if (!status) {
		q.number = present_find(&q.present, a->job);
		if (q.number == SIZE_MAX)
			status = input_error("%s: no job %" PRId64,
					     q.present.name, a->job);
	}
	if (!status)
		status = present_run(&q.present, answer, &q);
	present_close(&q.present);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->present.policy = RULES_EASY;
	a->job = INT64_MIN;
	a->samples = 100;
}

const struct command why_command = {
	"why",
	"TRACE",
	"why a job does not start, and when it will",
	"Plays TRACE up to --at under one policy and says why the job that "
	"waits then does not start: what is in its way, the smallest change "
	"that would start it, and when it will.",
	"Each change is meant alone, and the job keeps its place in the order. "
	"Starts at a time are those of the plan: nothing else happens and "
	"every job takes its whole estimate. In the futures of the forecast a "
	"job takes a share of its estimate that another of the same user's "
	"took before. All times are seconds of the trace.",
	"fairsched why KTH-SP2-1996-2.swf.gz --at 12h --job 5 "
	"--policy conservative",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
