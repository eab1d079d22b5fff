/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The loop of ../loop.c for a kernel: no C library, no headers except those of
 * the compiler, no floating point, static functions and memory.
 */
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "start.h"

#define JOBS 4

static const struct {
	int64_t submit, walltime, run;
	int32_t procs;
} life[JOBS] = { { 0, 100, 60, 5 }, { 10, 50, 50, 6 },
		 { 20, 30, 30, 3 }, { 30, 200, 90, 2 } };

static int64_t ends[JOBS] = { FAIR_FOREVER, FAIR_FOREVER, FAIR_FOREVER,
			      FAIR_FOREVER };

static int report(struct fair_sched *s, int64_t now)
{
	struct fair_job job;
	int i, error = 0;

	for (i = 0; i < JOBS; i++)
		if (ends[i] == now)
			error |= fair_sched_finish(s, now, (uint64_t)i + 1);
	for (i = 0; i < JOBS; i++) {
		if (life[i].submit != now)
			continue;
		job = (struct fair_job){ .number = (uint64_t)i + 1,
					 .submit = now,
					 .walltime = life[i].walltime,
					 .procs = life[i].procs };
		error |= fair_sched_submit(s, now, &job);
	}
	return error;
}

static void run(const struct fair_decision *d)
{
	put_number((uint64_t)d->time, 10, 3, ' ');
	put(" job ");
	put_number(d->number, 10, 1, ' ');
	put("\n");
	ends[d->number - 1] = d->time + life[d->number - 1].run;
}

static int64_t later(const struct fair_sched *s, int64_t now)
{
	int64_t next = fair_sched_next(s);
	int i;

	for (i = 0; i < JOBS; i++) {
		if (life[i].submit > now && life[i].submit < next)
			next = life[i].submit;
		if (ends[i] > now && ends[i] < next)
			next = ends[i];
	}
	return next;
}

int program(void)
{
	static const struct fair_config config = { .policy = FAIR_CONSERVATIVE,
						   .procs = 8,
						   .jobs = JOBS };
	static unsigned char memory[65536];
	static struct fair_sched s;
	struct fair_decision d;
	int64_t now;
	size_t n;

	if (fair_sched_init(&s, sizeof(s), memory, sizeof(memory), &config))
		return 1;
	for (now = 0; now != FAIR_FOREVER; now = later(&s, now)) {
		if (report(&s, now))
			return 1;
		while (!fair_sched_step(&s, now, &d, 1, &n) && n)
			run(&d);
	}
	put("digest ");
	put_number(fair_sched_digest(&s), 16, 16, '0');
	put("\n");
	return 0;
}
