/* SPDX-License-Identifier: MIT OR Unlicense */
/* A scheduler loop. It advances to the next event; a real one waits for it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

#define JOBS 4
static struct { int64_t submit, walltime, run, end; int32_t procs; } job[] = {
	{ 0, 100, 60, FAIR_FOREVER, 5 }, { 10, 50, 50, FAIR_FOREVER, 6 },
	{ 20, 30, 30, FAIR_FOREVER, 3 }, { 30, 200, 90, FAIR_FOREVER, 2 }
};

static void report(struct fair_sched *s, int64_t now) /* ends, then arrivals */
{
	for (uint64_t i = 0; i < JOBS; i++)
		if (job[i].end == now)
			fair_sched_finish(s, now, i + 1);
	for (uint64_t i = 0; i < JOBS; i++) {
		struct fair_job arrival = { .number = i + 1, .submit = now,
					    .walltime = job[i].walltime,
					    .procs = job[i].procs };
		if (job[i].submit == now)
			fair_sched_submit(s, now, &arrival);
	}
}

int main(void)
{
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .procs = 8, .jobs = JOBS };
	size_t bytes = fair_sched_size(&config), n;
	void *memory = malloc(bytes);
	struct fair_decision d;
	struct fair_sched s;
	int64_t now, next;

	if (fair_sched_init(&s, sizeof(s), memory, bytes, &config))
		return 1;
	for (now = 0; now != FAIR_FOREVER; now = next) {
		report(&s, now);
		while (!fair_sched_step(&s, now, &d, 1, &n) && n) {
			printf("%3" PRId64 " job %" PRIu64 "\n", now, d.number);
			job[d.number - 1].end = now + job[d.number - 1].run;
		}
		next = fair_sched_next(&s);
		for (int i = 0; i < JOBS; i++) {
			if (job[i].submit > now && job[i].submit < next)
				next = job[i].submit;
			if (job[i].end > now && job[i].end < next)
				next = job[i].end;
		}
	}
	printf("digest %016" PRIx64 "\n", fair_sched_digest(&s));
	free(memory);
	return 0;
}
