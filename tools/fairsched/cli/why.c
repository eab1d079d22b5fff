/* SPDX-License-Identifier: MIT OR Unlicense */
/* why - why a queued job does not start, and a forecast of its start */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "snapshot.h"
#include "tools/fairsched/sim/run_times.h"

struct args {
	struct snapshot_args snapshot;
	int64_t job, samples, seed;
};

struct question {
	const struct args *args;
	struct snapshot snapshot;
	size_t number; /* of the job */
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "job", "ID", OPTION_INTEGER, AT(job), "the job to explain", NULL,
	  INT64_MIN, INT64_MAX },
	{ "samples", "N", OPTION_INTEGER, AT(samples),
	  "simulated runs of the forecast, default 100", NULL, 1, 100000 },
	{ "seed", "N", OPTION_INTEGER, AT(seed),
	  "seed of the forecast, default 0", NULL, 0, INT64_MAX },
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
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++)
		w->blocker[i].number =
			(uint64_t)id_of(q, w->blocker[i].number);
}

static void print_why(const struct fair_why *w)
{
	char text[4096], *p, *next;

	fair_why_text(w, text, sizeof(text));
	for (p = text; p; p = next) { /* one sentence on each line */
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
		       i ? "             job " : "\nblocked by   job ",
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
	struct fair_draw draw = { run_times_draw, NULL, 0, 0 };
	struct fair_forecast f;
	struct run_times h;
	int error;

	if (run_times_open(&h, &q->snapshot.trace, q->snapshot.result,
			   q->snapshot.at))
		return -FAIR_ENOMEM;
	draw.context = &h;
	draw.seed = (uint64_t)q->args->seed;
	draw.samples = (uint32_t)q->args->samples;
	error = fair_sched_forecast(s, q->number, &draw, memory, bytes, &f);
	run_times_close(&h);
	if (error)
		return error;
	printf("\nforecast     of %" PRIu32
	       " simulated runs, with run times from each user's past jobs\n",
	       draw.samples);
	print_percentile("10 % by", f.p10);
	print_percentile("50 % by", f.p50);
	print_percentile("90 % by", f.p90);
	return 0;
}

/* The job is not queued: there is nothing to explain. */
static int print_state(const struct question *q, const struct fair_sched *s)
{
	const struct swf_job *j = &q->snapshot.trace.job[q->number];
	int64_t start = q->snapshot.result[q->number].start;
	struct fair_job_status status;

	printf("Job %" PRId64, j->id);
	if (j->submit > q->snapshot.at)
		printf(" is submitted later, at %" PRId64 ".\n", j->submit);
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

static bool is_repeated(const struct question *q)
{
	const struct swf *t = &q->snapshot.trace;
	size_t i = q->number + 1;

	while (i < t->jobs && t->job[i].id != q->args->job)
		i++;
	return i < t->jobs;
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
	if (a->job == INT64_MIN)
		return usage_error(c, "--job is missing");
	q.args = a;
	status = snapshot_open(&q.snapshot, c, &a->snapshot, operand[0]);
	if (!status) {
		q.number = snapshot_find(&q.snapshot, a->job);
		if (q.number == SIZE_MAX)
			status = input_error("%s: has no job %" PRId64,
					     q.snapshot.name, a->job);
		else if (is_repeated(&q))
			status = input_error("%s: more than one job has the "
					     "number %" PRId64,
					     q.snapshot.name, a->job);
	}
	if (!status)
		status = snapshot_run(&q.snapshot, answer, &q);
	snapshot_close(&q.snapshot);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->snapshot.policy = RULES_EASY;
	a->job = INT64_MIN;
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
	"from the same user's past jobs. All times are seconds of the trace.",
	"fairsched why KTH-SP2-1996-2.swf.gz --at 12h --job 5 "
	"--policy conservative",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
