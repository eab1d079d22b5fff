/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A host's loop that survives: a job without a place for an hour, a full table,
 * another policy, a thousand ends in one second, and a crash after each call.
 * Times are milliseconds. docs/examples/host has it in six languages.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

#define HOUR 3600000   /* from then on job 2 has a place */
#define CHANGE 3650000 /* to easy */
#define JOBS 1008      /* jobs 7 to 1006 end in one second */

static struct { int64_t submit, walltime, run, end; int32_t procs; } job[JOBS];
static struct fair_config config;
static struct fair_sched s;
static void *memory;
static int crashes, steps;
static bool crash; /* after each call: go on from a checkpoint */

static void done(int error)
{
	size_t bytes = fair_sched_checkpoint_size(&s);
	size_t size = fair_sched_size(&config);
	void *saved, *other;

	if (!error && !crash)
		return;
	saved = malloc(bytes);
	other = malloc(size);
	if (error || fair_sched_save(&s, saved, bytes) ||
	    fair_sched_load(&s, sizeof(s), other, size, &config, saved, bytes,
			    NULL))
		exit(1);
	free(saved);
	free(memory);
	memory = other;
	crashes++;
}

static void open_with(uint32_t policy, uint32_t jobs)
{
	size_t bytes;

	config = (struct fair_config){ .policy = policy, .depth = 1,
				       .procs = 1000, .jobs = jobs };
	bytes = fair_sched_size(&config);
	memory = malloc(bytes);
	done(fair_sched_init(&s, sizeof(s), memory, bytes, &config));
}

/* A full table moves into a larger one. */
static void submit(int64_t now, int i, int64_t walltime)
{
	struct fair_job j = { .number = (uint64_t)i, .submit = job[i].submit,
			      .walltime = walltime, .procs = job[i].procs };
	int error = fair_sched_submit(&s, now, &j);

	if (error == -FAIR_ENOSPC) {
		size_t bytes;
		void *larger;

		config.jobs *= 2;
		bytes = fair_sched_grow_size(&s, &config);
		larger = malloc(bytes);
		if (fair_sched_grow(&s, larger, bytes, &config))
			exit(1);
		free(memory);
		memory = larger;
		done(0);
		error = fair_sched_submit(&s, now, &j);
	}
	done(error);
}

static int step(int64_t now)
{
	struct fair_decision start[JOBS];
	size_t n, i;
	int started = 0;

	do {
		steps++;
		done(fair_sched_step(&s, now, start, JOBS, &n));
		for (i = 0; i < n; i++) {
			if (start[i].number == 2 && now < HOUR) {
				done(fair_sched_refuse_until(&s, now, 2,
							     FAIR_FOREVER));
				continue;
			}
			job[start[i].number].end =
				now + job[start[i].number].run;
			started++;
		}
	} while (fair_sched_next_start(&s) == now);
	return started;
}

static void finish(int64_t now)
{
	uint64_t ended[JOBS];
	size_t n = 0;

	for (int i = 1; i < JOBS; i++)
		if (job[i].end == now)
			ended[n++] = (uint64_t)i;
	if (n)
		done(fair_sched_finish_many(&s, now, ended, NULL, n));
}

/* Jobs that run keep the rest of their walltimes, and start at once; then come
 * those that wait. */
static void change(int64_t now)
{
	if (!crash)
		printf("change %016" PRIx64 "\n", fair_sched_digest(&s));
	free(memory);
	open_with(FAIR_BACKFILL, config.jobs);
	for (int i = 1; i < JOBS; i++)
		if (job[i].end > now && job[i].end < FAIR_FOREVER)
			submit(now, i, job[i].end - job[i].run +
					       job[i].walltime - now);
	for (int i = 1; i < JOBS; i++)
		if (job[i].end > now && job[i].end < FAIR_FOREVER)
			job[i].run = job[i].end - now;
	step(now);
	for (int i = 1; i < JOBS; i++)
		if (job[i].end == FAIR_FOREVER && job[i].submit < now)
			submit(now, i, job[i].walltime);
}

static int64_t sooner(int64_t next, int64_t now, int64_t t)
{
	return t > now && t < next ? t : next;
}

static void plan(int i, int64_t submit, int64_t walltime, int64_t run,
		 int32_t procs)
{
	job[i].submit = submit;
	job[i].walltime = walltime;
	job[i].run = run;
	job[i].procs = procs;
	job[i].end = FAIR_FOREVER;
}

static uint64_t play(void)
{
	int64_t now = 0, next;
	int started;

	plan(1, 0, 1000, 600, 1000);
	plan(2, 0, 5000, 5000, 500);
	plan(3, 0, 5000, 4000, 500);
	plan(4, 0, 7000, 7000, 1000);
	plan(5, 3640000, 40000, 20000, 1000);
	plan(6, 3640000, 5000, 5000, 10);
	for (int i = 7; i < JOBS; i++)
		plan(i, 3700000, 60000, 30000, 1);
	plan(JOBS - 1, 3700000, 1000, 1000, 1000);
	open_with(FAIR_CONSERVATIVE, 2);
	for (; now != FAIR_FOREVER; now = next) {
		finish(now);
		if (now == HOUR)
			done(fair_sched_retry(&s, now, 2));
		if (now == CHANGE)
			change(now);
		for (int i = 1; i < JOBS; i++)
			if (job[i].submit == now)
				submit(now, i, job[i].walltime);
		started = step(now);
		if (!crash)
			printf("%7" PRId64 " %d start\n", now, started);
		next = fair_sched_next_start(&s);
		next = sooner(sooner(next, now, HOUR), now, CHANGE);
		for (int i = 1; i < JOBS; i++)
			next = sooner(sooner(next, now, job[i].end), now,
				      job[i].submit);
	}
	free(memory);
	return fair_sched_digest(&s);
}

int main(void)
{
	uint64_t digest;

	digest = play();
	printf("steps %d\ndigest %016" PRIx64 "\n", steps, digest);
	crash = true;
	printf("crashes change nothing: %d\n", play() == digest && crashes);
	return 0;
}
