/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sfs_trace.h"

#include <inttypes.h>
#include <stddef.h>

#include "random.h"

#define DAY 86400
#define DAYS 7

enum { ALICE = 1, BOB, CHRIS };

struct batch {
	const struct sfs_trace_rules *rules;
	uint64_t random;
	struct swf_job *job;
	size_t jobs;
};

static void submit(struct batch *b, int day, int64_t user, int32_t procs,
		   int jobs)
{
	static const struct swf_job none = { 0 };
	struct swf_job *j;
	double share;

	for (; jobs; jobs--) {
		share = 0.70 + 0.25 * random_uniform(&b->random);
		j = &b->job[b->jobs++];
		*j = none;
		j->id = (int64_t)b->jobs;
		j->submit = (int64_t)(day - 1) * DAY;
		j->procs = procs;
		j->requested_procs = procs;
		j->request = j->estimate = b->rules->walltime;
		j->run = (int64_t)(share * (double)j->request + 0.5);
		j->user_id = user;
		j->cpu_time = j->used_memory = j->requested_memory = -1;
		j->status = 1;
		j->group = j->executable = j->queue = j->partition = -1;
		j->preceding = j->think = -1;
	}
}

void sfs_trace_generate(const struct sfs_trace_rules *r,
			struct swf_job job[SFS_TRACE_JOBS])
{
	struct batch b = { r, r->seed, job, 0 };
	int day;

	for (day = 1; day <= DAYS; day++) {
		submit(&b, day, ALICE, 250, 12);
		submit(&b, day, BOB, 65, 6);
	}
	submit(&b, DAYS, CHRIS, 750, 1);
}

void sfs_trace_write(FILE *f, const struct sfs_trace_rules *r,
		     const struct swf_job job[SFS_TRACE_JOBS])
{
	int i;

	fprintf(f,
		"; Version: 2.2\n; Computer: a model\n"
		"; Note: fairsched generate --model sfs --seed %" PRIu64
		" --walltime %" PRId64 "\n"
		"; MaxJobs: %d\n; MaxRecords: %d\n"
		"; UnixStartTime: 0\n; TimeZoneString: UTC\n; MaxProcs: %d\n",
		r->seed, r->walltime, SFS_TRACE_JOBS, SFS_TRACE_JOBS,
		SFS_TRACE_PROCS);
	for (i = 0; i < SFS_TRACE_JOBS; i++)
		swf_write_job(f, &job[i], -1);
}
