/* SPDX-License-Identifier: MIT OR Unlicense */
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_RUN 60 /* runs below it count as long in the bounded slowdown */

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static double bounded_slowdown(int64_t wait, int64_t run)
{
	return (double)(wait + run) /
	       (double)(run > SHORT_RUN ? run : SHORT_RUN);
}

int summary_make(struct summary *s, const struct swf *t,
		 const struct sim_result *result)
{
	int64_t *wait = malloc(t->jobs * sizeof(*wait));
	int64_t first = INT64_MAX, last = INT64_MIN, end;
	double waits = 0, slowdowns = 0, used = 0;
	const struct swf_job *j;
	size_t i;

	if (!wait)
		return -1;
	memset(s, 0, sizeof(*s));
	s->jobs = t->jobs;
	for (i = 0; i < t->jobs; i++) {
		j = &t->job[i];
		wait[i] = result[i].start - j->submit;
		waits += (double)wait[i];
		slowdowns += bounded_slowdown(wait[i], j->run);
		used += (double)j->run * j->procs;
		end = result[i].start + j->run;
		first = j->submit < first ? j->submit : first;
		last = end > last ? end : last;
		if (result[i].promise == FAIR_FOREVER)
			continue;
		if (result[i].start <= result[i].promise)
			s->promises_kept++;
		else
			s->promises_broken++;
	}
	qsort(wait, t->jobs, sizeof(*wait), compare);
	s->mean_wait = waits / (double)t->jobs;
	s->mean_bounded_slowdown = slowdowns / (double)t->jobs;
	s->p99_wait = wait[(99 * t->jobs + 99) / 100 - 1];
	s->max_wait = wait[t->jobs - 1];
	s->makespan = last - first;
	if (s->makespan)
		s->utilization = used / ((double)s->makespan * t->procs);
	free(wait);
	return 0;
}
