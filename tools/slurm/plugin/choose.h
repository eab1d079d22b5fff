/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choose.h - the nodes of a job that does not take just any of a set
 *
 * The scheduler plans equal parts on any nodes of one set. A job that names
 * some of its nodes, or counts features, takes some nodes of each of several
 * groups; one that needs other amounts on each node takes them whole. Such a
 * job is planned on nodes that are chosen for it: those on which it could start
 * first. Of one whose nodes have to be all of one group, that group is chosen.
 */
#ifndef FAIRSCHED_SLURM_CHOOSE_H
#define FAIRSCHED_SLURM_CHOOSE_H

#include "nodes.h"
#include "machine.h"

/* Whether a request leaves the choice to us. */
static inline bool must_choose(const struct slurm_request *q)
{
	return q->groups || q->tasks;
}

/* Whether nodes still are a choice for a request; then it is for these. */
bool keep_choice(const struct slurm_machine *m, const uint64_t *nodes,
		 struct slurm_request *q);
/* Chooses the nodes of a request; @planned: what jobs leave free of them. */
void choose_nodes(const struct slurm_machine *m,
		  const struct fair_nodes *planned, int64_t now,
		  int64_t walltime, struct slurm_request *q);

#endif
