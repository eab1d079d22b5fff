/* SPDX-License-Identifier: MIT OR Unlicense */
/* price.h - what a second of a Slurm job costs, by --machine and --charge */
#ifndef PRICE_H
#define PRICE_H

#include "../fairsched/rules.h"
#include "slurm.h"

/*
 * Nodes, processors, memory, GRES that the machine has a column of, and
 * features that it has as properties, where all of them are asked for: a&b.
 * Returns 0 with *@rate as of fair_job.penalty; -1: no node suits the job.
 */
int price(const struct rules_files *files, const struct rules_args *args,
	  const struct slurm_job *j, int64_t *rate);

#endif /* PRICE_H */
