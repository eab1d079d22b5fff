/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - Slurm's nodes and jobs, as nodes and requests of the scheduler
 *
 *   nodes with equal amounts and weight          a class, by weight
 *   processors, each GRES, and memory if jobs
 *   consume it (CR_..._Memory)                   resources
 *   licences                                     wide resources
 *   partitions, features, node lists             sets of nodes
 *
 * Nodes are numbered class by class, in a class as Slurm does; a set is a bit
 * for each. All calls need slurmctld's locks on configuration, jobs, nodes and
 * partitions.
 */
#ifndef FAIRSCHED_SLURM_MACHINE_H
#define FAIRSCHED_SLURM_MACHINE_H

#include "src/slurmctld/slurmctld.h"

#include "version.h"

#define RESOURCES 8
#define CLASSES 64
#define NODE_GROUPS 8

/**
 * struct slurm_machine - what the nodes have.
 * @wide:    a bit for each licence
 * @name:    of a resource, as Slurm calls it
 * @kind:    of a resource
 * @gres:    of a GRES: Slurm's number of its plugin
 * @amount:  of each resource of a node of class 0, of class 1, ...; licences
 *           are in class 0
 * @count:   of a class: its nodes
 * @weight:  of a class
 * @nodes:   how many there are
 * @words:   of a set
 * @of:      by Slurm's number: ours; -1: it is not planned
 * @index:   by our number: Slurm's
 * @kind_of: by our number: the class
 * @up:      the set of nodes that take jobs
 * @awaits_nodes: some of @up have yet to register
 */
struct slurm_machine {
	uint32_t resources, classes, wide;
	char *name[RESOURCES];
	enum { PROCESSORS, MEMORY, GRES, LICENCE } kind[RESOURCES];
	uint32_t gres[RESOURCES];
	int32_t amount[RESOURCES * CLASSES];
	int32_t count[CLASSES];
	uint32_t weight[CLASSES];
	uint32_t nodes, slurm_nodes;
	size_t words;
	int *of, *index;
	uint8_t *kind_of;
	uint64_t *up;
	bool awaits_nodes;
};

/**
 * struct slurm_waiting - a job in Slurm's queue.
 * @at:       its place there
 * @part:     a partition in which it may start
 * @priority: there
 */
struct slurm_waiting {
	uint32_t job_id, priority;
	size_t at;
	part_record_t *part;
};

/**
 * struct slurm_group - nodes of which a job takes so many.
 * @size: how many there are
 */
struct slurm_group {
	uint32_t count, size;
	uint64_t *nodes;
};

/**
 * struct slurm_request - what a job asks for, or has.
 * @amount:    of each resource, of all chunks
 * @chunks:    equal parts, on as many nodes
 * @least:     processors that Slurm has to take on each node: the first one
 *             gives what is left when each of the others gives as many
 * @exclusive: takes nodes whole
 * @nodes:     the set of those that it may use; valid until the next request,
 *             as those of groups are
 * @group:     it takes so many nodes of each; the smallest first
 * @groups:    how many; 0: it takes any of @nodes
 * @of_one:    all of its nodes are of one of these
 * @tasks:     it has whole nodes, on which so many fit; 0: equal parts
 * @tasks_on:  with @tasks: how many fit on a node of each class
 * @most:      of the nodes that are chosen for it
 * @why:       it cannot be planned
 * @forbidden: nor started
 */
struct slurm_request {
	int32_t amount[RESOURCES];
	int32_t chunks;
	uint32_t least;
	bool exclusive;
	uint64_t *nodes;
	struct slurm_group group[NODE_GROUPS];
	uint32_t groups;
	bool of_one;
	uint64_t tasks;
	const uint64_t *tasks_on;
	uint32_t most;
	const char *why;
	bool forbidden;
};

/* Reads all nodes. @awaits_nodes: those that have yet to register are up.
 * Returns whether there is a node. */
bool read_machine(struct slurm_machine *m, bool awaits_nodes);
void free_machine(struct slurm_machine *m);
/* Equal for machines whose nodes and resources are the same. */
uint64_t hash_machine(const struct slurm_machine *m);

/* What a job asks for that waits for @partitions. */
void read_request(const struct slurm_machine *m, job_record_t *j,
		  const struct slurm_waiting *w, size_t partitions,
		  struct slurm_request *q);
/* What a job has. */
void read_allocation(const struct slurm_machine *m, job_record_t *j,
		     struct slurm_request *q);
/* The set of nodes of a bitmap of Slurm's. */
void read_nodes(const struct slurm_machine *m, const bitstr_t *bits,
		uint64_t *nodes);

/* Whether a job has something allocated. */
static inline bool has_allocation(const job_record_t *j)
{
	return IS_JOB_RUNNING(j) || IS_JOB_SUSPENDED(j) || IS_JOB_COMPLETING(j);
}

static inline bool has_node(const uint64_t *nodes, uint32_t node)
{
	return nodes[node / 64] >> node % 64 & 1;
}

#endif
