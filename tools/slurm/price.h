/* SPDX-License-Identifier: MIT OR Unlicense */
/* price.h - the charge rate of a Slurm job, by --machine and --charge */
#ifndef PRICE_H
#define PRICE_H

#include "slurm.h"
#include "tools/fairsched/sim/rules.h"

/*
 * The request has nodes, processors, memory, the GRES that are columns of the
 * machine, and the features that are its properties, joined by & (all of them).
 * Returns 0 with *@rate in units of fair_job.penalty; -1 if no node suits the
 * job.
 */
int price_job(const struct rules_files *files, const struct rules_args *args,
	      const struct slurm_job *j, int64_t *rate);

#endif /* PRICE_H */
