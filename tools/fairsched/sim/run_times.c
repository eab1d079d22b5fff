/* SPDX-License-Identifier: MIT OR Unlicense */
#include "run_times.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 8 /* for a running job, until it is taken to run as planned */

static bool has_ended(const struct run_times *h,
		      const struct sim_result *result, size_t i)
{
	return result[i].start != FAIR_FOREVER &&
	       result[i].start + h->job[i].run <= h->now;
}

/* Counted, then placed: by user, in file order. */
int run_times_open(struct run_times *h, const struct swf *trace,
		   const struct sim_result *result, int64_t now)
{
	uint32_t n;
	size_t i;

	memset(h, 0, sizeof(*h));
	h->job = trace->job;
	h->now = now;
	h->users = trace->users;
	h->ended = malloc(trace->jobs * sizeof(*h->ended));
	h->first = calloc(trace->users + 2, sizeof(*h->first));
	if (!h->ended || !h->first) {
		run_times_close(h);
		return -1;
	}
	for (i = 0; i < trace->jobs; i++)
		h->first[trace->job[i].user + 2] += has_ended(h, result, i);
	for (n = 2; n < trace->users + 2; n++)
		h->first[n] += h->first[n - 1];
	for (i = 0; i < trace->jobs; i++)
		if (has_ended(h, result, i))
			h->ended[h->first[trace->job[i].user + 1]++] =
				(uint32_t)i;
	return 0;
}

void run_times_close(struct run_times *h)
{
	free(h->ended);
	free(h->first);
	h->ended = h->first = NULL;
}

static int64_t draw(const struct run_times *h, uint32_t first, uint32_t n,
		    int64_t walltime, uint64_t random)
{
	const struct swf_job *j = &h->job[h->ended[first + random % n]];

	return (int64_t)((double)walltime * (double)j->run /
			 (double)j->estimate);
}

int64_t run_times_draw(void *history, const struct fair_job_status *job,
		       uint64_t random)
{
	const struct run_times *h = history;
	uint32_t user = h->job[job->job.number].user;
	uint32_t first = h->first[user], n = h->first[user + 1] - first;
	bool running = job->state == FAIR_RUNNING;
	int64_t ran = running ? h->now - job->start : 0, run;
	int i;

	if (!n) {
		first = 0;
		n = h->first[h->users];
	}
	for (i = 0; n && i < TRIES; i++) {
		run = draw(h, first, n, job->job.walltime, random);
		if (!running || run > ran)
			return run;
		random = random * UINT64_C(6364136223846793005) + 1;
		random ^= random >> 32;
	}
	return INT64_MAX;
}
