/* SPDX-License-Identifier: GPL-2.0-or-later */
/* version.h - what differs between the versions of Slurm: 22.05 and 24.11 */
#ifndef FAIRSCHED_SLURM_VERSION_H
#define FAIRSCHED_SLURM_VERSION_H

#include "slurm/slurm.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
#include "src/common/gres.h"
#include "src/common/slurm_priority.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/preempt.h"
#include "src/slurmctld/srun_comm.h"
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;
typedef struct job_details job_details_t;
#define cluster_license_list license_list

static inline int place_job(job_record_t *j)
{
	return select_nodes(j, false, NULL, NULL, false,
			    SLURMDB_JOB_FLAG_SCHED);
}
#else
#include "src/common/job_features.h"
#include "src/common/job_record.h"
#include "src/common/node_features.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/preempt.h"
#include "src/interfaces/priority.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/proc_req.h"

static inline int place_job(job_record_t *j)
{
	job_node_select_t select = { .job_ptr = j };

	return select_nodes(&select, false, false, SLURMDB_JOB_FLAG_SCHED);
}
#endif

#endif
