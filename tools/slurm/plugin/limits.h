/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - limits of associations and QOS, as limits of the scheduler
 *
 *   association of the user       group     MaxJobs, GrpJobs, GrpTRES
 *   accounts above with limits,   account, queue
 *   under sfs first its own
 *   QOS                           QoS       GrpJobs, GrpTRES; of each user
 *                                           MaxJobsPU, MaxTRESPU
 *
 * Other limits are Slurm's alone.
 */
#ifndef FAIRSCHED_SLURM_LIMITS_H
#define FAIRSCHED_SLURM_LIMITS_H

#include "fairsched.h"
#include "machine.h"

#define LIMITS_OF_JOB (4 * 2 * (1 + RESOURCES))

/* Whether Slurm enforces limits. */
static inline bool has_limits(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* Fills in what a job belongs to under a policy. Returns why it cannot be
 * planned, or NULL. */
const char *read_entities(const job_record_t *j, uint32_t policy,
			  struct fair_job *job);
/* Returns how much of the whole the job's account has by its shares and those
 * above it, under sfs, or else its user; 0 without an association. */
int64_t read_share(const job_record_t *j, uint32_t policy, int64_t whole);
/* Returns how many limits there are of what the job belongs to, also those that
 * are FAIR_LIMIT_NONE: LIMITS_OF_JOB at most. */
size_t read_limits(const struct slurm_machine *m, const job_record_t *j,
		   uint32_t policy, const struct fair_job *job,
		   struct fair_limit *l);
/* Has Slurm name the limit for which a job waits, if there is one. */
void name_limit(job_record_t *j);

#endif
