/* SPDX-License-Identifier: MIT OR Unlicense */
#include "fairsched.h"

int alone(void)
{
	static uint64_t memory[1 << 14];
	static struct fair_config config;
	static struct fair_job job;
	struct fair_decision start;
	struct fair_sched s;
	size_t n;

	config.policy = FAIR_CONSERVATIVE;
	config.procs = 8;
	config.jobs = 2;
	if (fair_sched_size(&config) > sizeof(memory))
		return __LINE__;
	if (fair_sched_init(&s, sizeof(s), memory, sizeof(memory), &config))
		return __LINE__;
	job.number = 1;
	job.walltime = 100;
	job.procs = 5;
	if (fair_sched_submit(&s, 0, &job))
		return __LINE__;
	job.number = 2;
	if (fair_sched_submit(&s, 0, &job))
		return __LINE__;
	if (fair_sched_step(&s, 0, &start, 1, &n) || n != 1 ||
	    start.number != 1 || fair_sched_next(&s) != 100)
		return __LINE__;
	if (fair_sched_finish(&s, 60, 1))
		return __LINE__;
	if (fair_sched_step(&s, 60, &start, 1, &n) || n != 1 ||
	    start.number != 2)
		return __LINE__;
	if (fair_sched_check(&s) || fair_version()[0] != '1')
		return __LINE__;
	return 0;
}
