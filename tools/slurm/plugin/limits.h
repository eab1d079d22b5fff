/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - limits of associations and QOS, as limits of the scheduler
 *
 *   association of the user       group     MaxJobs, GrpJobs, GrpTRES
 *   accounts above with limits    account, queue
 *   QOS                           QoS       GrpJobs, GrpTRES; of each user
 *                                           MaxJobsPU, MaxTRESPU
 *
 * Other limits are Slurm's alone.
 */
#ifndef FAIRSCHED_SLURM_LIMITS_H
#define FAIRSCHED_SLURM_LIMITS_H

#include "fairsched_single.h"
#include "machine.h"

#define LIMITS_OF_JOB (4 * 2 * (1 + RESOURCES))

/* Whether Slurm enforces limits. */
static inline bool has_limits(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* Fills in what a job belongs to. Returns why it cannot be planned, or NULL. */
const char *read_entities(const job_record_t *j, struct fair_job *job);
/* Returns how many limits there are of what the job belongs to, also those that
 * are FAIR_LIMIT_NONE: LIMITS_OF_JOB at most. */
size_t read_limits(const struct slurm_machine *m, const job_record_t *j,
		   const struct fair_job *job, struct fair_limit *l);
/* Has Slurm name the limit for which a job waits, if there is one. */
void name_limit(job_record_t *j);

#endif
