/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * foreign.c - for languages that cannot read a C header. The caller provides
 * memory as 64-bit words; foreign_open() makes a scheduler in it and returns
 * its address. Functions of fairsched.h that take no other structure are called
 * directly.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

static struct fair_config configure(uint32_t policy, int32_t procs,
				    uint32_t jobs)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	config.procs = procs;
	config.jobs = jobs;
	return config;
}

/* Words of memory for a scheduler; 0: the configuration is not valid. */
size_t foreign_words(uint32_t policy, int32_t procs, uint32_t jobs)
{
	struct fair_config config = configure(policy, procs, jobs);
	size_t bytes = fair_sched_size(&config);

	return bytes ? (sizeof(struct fair_sched) + bytes + 7) / 8 : 0;
}

/* Make a scheduler in foreign_words() words; NULL: it is not possible. */
struct fair_sched *foreign_open(uint64_t *memory, uint32_t policy,
				int32_t procs, uint32_t jobs)
{
	struct fair_config config = configure(policy, procs, jobs);
	struct fair_sched *s = (struct fair_sched *)(void *)memory;

	if (fair_sched_init(s, sizeof(*s), s + 1, fair_sched_size(&config),
			    &config))
		return NULL;
	return s;
}

int foreign_submit(struct fair_sched *s, int64_t now, uint64_t number,
		   int64_t walltime, int32_t procs)
{
	struct fair_job job = { 0 };

	job.number = number;
	job.submit = now;
	job.walltime = walltime;
	job.procs = procs;
	return fair_sched_submit(s, now, &job);
}

/* The number of a job to start now; -1: no more jobs, or an error. */
int64_t foreign_start(struct fair_sched *s, int64_t now)
{
	struct fair_decision start;
	size_t n;

	if (fair_sched_step(s, now, &start, 1, &n) || !n)
		return -1;
	return (int64_t)start.number;
}
