/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - Slurm's nodes and trackable resources as node classes and amounts
 *
 *   partitions, features and GRES of a node      its class
 *   processors, each GRES, and memory if jobs
 *   consume it (CR_..._Memory)                   resources
 *   licences                                     wide resources
 *
 * All calls need slurmctld's locks on configuration, jobs, nodes, partitions.
 */
#ifndef FAIRSCHED_SLURM_MACHINE_H
#define FAIRSCHED_SLURM_MACHINE_H

#include "src/slurmctld/slurmctld.h"

#include "version.h"

#define RESOURCES 8
#define CLASSES 64

/**
 * struct slurm_machine - what the nodes have, by class.
 * @wide:   a bit for each licence
 * @name:   of a resource, as Slurm calls it
 * @kind:   of a resource
 * @gres:   of a GRES: Slurm's number of its plugin
 * @key:    of a class: what its nodes have in common
 * @node:   of a class: index of one node of it
 * @amount: of each resource of class 0, then of class 1, ...: of all nodes
 * @usable: the same, of the nodes that are up
 * @draining: of @usable, what jobs have on nodes that take no others
 * @drained: of a class: when the last of them is to end
 * @awaits_nodes: some of @usable have yet to register
 * @nodes, @of: the class of each node, -1: none
 */
struct slurm_machine {
	uint32_t resources, classes, wide;
	char *name[RESOURCES];
	enum { PROCESSORS, MEMORY, GRES, LICENCE } kind[RESOURCES];
	uint32_t gres[RESOURCES];
	char *key[CLASSES];
	int node[CLASSES];
	int32_t amount[RESOURCES * CLASSES], usable[RESOURCES * CLASSES];
	int32_t draining[RESOURCES * CLASSES];
	time_t drained[CLASSES];
	bool awaits_nodes;
	int nodes;
	signed char *of;
};

/**
 * struct slurm_waiting - a job in Slurm's queue.
 * @at:   its place there
 * @part: a partition in which it may start
 */
struct slurm_waiting {
	uint32_t job_id;
	size_t at;
	part_record_t *part;
};

/** struct slurm_request - what a job asks for, or has. */
struct slurm_request {
	int32_t amount[RESOURCES];
	uint8_t classes[CLASSES];
	uint32_t count;
};

/* Reads all nodes. @awaits_nodes: those that have yet to register are usable.
 * Returns whether there is a processor. */
bool read_machine(struct slurm_machine *m, bool awaits_nodes);
void free_machine(struct slurm_machine *m);
/* Equal for machines whose classes and resources are the same. */
uint64_t hash_machine(const struct slurm_machine *m);

/* What a job asks for that waits for @partitions. @count 0: no class may serve it. */
void read_request(const struct slurm_machine *m, job_record_t *j,
		  const struct slurm_waiting *w, size_t partitions,
		  struct slurm_request *r);
/* Whether a job has something allocated. */
static inline bool has_allocation(const job_record_t *j)
{
	return IS_JOB_RUNNING(j) || IS_JOB_SUSPENDED(j) || IS_JOB_COMPLETING(j);
}
/* What a job has; its class is that of its first node. */
void read_allocation(const struct slurm_machine *m, job_record_t *j,
		     struct slurm_request *r);
/* What a running job has on nodes that take no others is usable until its @end. */
void keep_usable(struct slurm_machine *m, const job_record_t *j,
		 const struct slurm_request *r, time_t end);
/* What a reservation withholds: of each resource of class 0, of class 1, ... */
void read_reservation(const struct slurm_machine *m, const slurmctld_resv_t *r,
		      int32_t *amount);
/* Adds the nodes of all other classes to those that the job excludes; returns
 * what it excluded, for allow_nodes(). Its partition becomes one of the class. */
bitstr_t *exclude_nodes(const struct slurm_machine *m, job_record_t *j,
			const struct slurm_waiting *w, size_t partitions,
			uint32_t node_class);
void allow_nodes(job_record_t *j, bitstr_t *excluded);

#endif
