/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * plan.h - what the jobs of a trace ask of a machine, for --plan
 *
 * A machine file becomes a machine of machine.h: each class has its nodes'
 * amounts together. Resources are those of the file, in a unit that is a power
 * of 1024, so that they fit into 31 bits; machines are rounded down, jobs up.
 *
 * A job asks for its processors, for memory (the resource ram or memory) by
 * field 10, and for the classes whose column partitions names its field 16. A
 * jobs CSV names any resource and classes. A class whose column qos names QoS
 * serves only jobs that have one of these, by the column qos of a jobs CSV or QOS
 * of sacct. Of sacct, gres/gpu:a100 is the
 * resource gpu:a100 if there is one, else gpu or gpus, of the classes with the
 * property a100 if there are any; license/x is x. Its partition is a name.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "machine.h"
#include "swf.h"

#define PLAN_ERROR 1024

/* Equal parts of a job, each on one node. */
struct plan_chunks {
	int32_t count, per_node; /* per_node 0: any number */
	bool exclusive;
	uint32_t named, excluded; /* sets of nodes, from 1; 0: all, none */
};

/* Ascending nodes, by their numbers; owned. */
struct plan_set {
	uint32_t *node;
	size_t nodes;
};

struct plan {
	struct fair_machine_config config; /* resources 0: nothing is planned */
	struct fair_node_config nodes; /* count NULL: classes are planned */
	int32_t *nodes_count;	       /* of nodes */
	struct plan_chunks *chunks;    /* of each job, if nodes are planned */
	struct plan_set *set;	       /* nodes.sets of them */
	const struct machine *machine;
	const char *path;		      /* of the machine, the caller's */
	int32_t *amount;		      /* of config */
	int shift[FAIR_MACHINE_RESOURCES];    /* a unit is 1 << shift */
	struct csv_field resource[FAIR_MACHINE_RESOURCES];
	struct csv_field node_class[FAIR_MACHINE_CLASSES];
	int32_t *ask; /* of each job, of each resource */
	int32_t *had; /* likewise, what was allocated in the log */
	uint8_t *classes; /* of each job: a list of config.classes */
	uint8_t *count; /* of these; 0: all */
	struct fair_billing billing; /* of a unit of each resource, */
	bool is_billed;		     /* if there are weights */
	struct fair_billing whole;   /* the same, in whole costs that are */
	int64_t scale;		     /* so many to a processor */
};

/* The machine. Returns 0, or -1 with a message in @error. */
int plan_open(struct plan *p, const struct machine *m, const char *path,
	      char *error);

/* Nodes, not amounts of classes. Likewise. */
int plan_on_nodes(struct plan *p, bool first_fit, char *error);

/*
 * Nodes: job @i has chunks of these amounts, in the machine's own units, but of
 * wide resources what it asked for; @suit: how many nodes of a class may have
 * them. False: no nodes can hold it.
 */
bool plan_set_chunks(struct plan *p, size_t i, struct plan_chunks chunks,
		     const int64_t *amount,
		     int32_t (*suit)(const void *ctx, uint32_t node_class),
		     const void *ctx);

/* The number of the set of these ascending nodes, from 1, which is made if it is
 * not there; 0: of none; -1: too many sets; -2: no memory. */
int plan_set_of(struct plan *p, const uint32_t *node, size_t nodes);

/* The same if it was made; 0: it was not. */
uint32_t plan_find_set(const struct plan *p, const uint32_t *node,
		       size_t nodes);

/*
 * --billing: what resources cost, "cpus=1,memory=0.25G,gpus=10": a processor, a
 * GiB, a GPU; others cost nothing. With "max," before, a job costs the largest
 * of these, not their sum. Policies sfs and relshare count whole costs: weights
 * times the least power of 2 that makes them whole, or rounded, with the largest
 * one by which the machine costs below 2^31. Likewise; the error is of the
 * option.
 */
int plan_bill(struct plan *p, const char *weights, char *error);

/* What a second of job @i costs, in whole costs; after plan_jobs(), if billed. */
int32_t plan_cost(const struct plan *p, size_t i);

/* What a second of it costs by --billing, in 2^-20. */
int64_t plan_second_cost(const struct plan *p, size_t i);

/*
 * What the jobs ask for. Likewise; @path is of the trace. Jobs that no class can
 * run are dropped as too wide.
 */
int plan_jobs(struct plan *p, struct swf *t, const char *path, char *error);

/* A plan of the same machine, without jobs. Returns 0, or -1 without memory. */
int plan_copy(struct plan *p, const struct plan *of);

/*
 * What a job asks for of each resource of @m, in its units, to sum[0 ...
 * m->resources - 1] with as much room behind; and the properties that its class
 * must have.
 */
uint64_t plan_amounts(const struct machine *m, const struct swf *t,
		      const struct swf_job *j, int64_t *sum);
bool plan_is_memory(struct csv_field resource);

/* Whether class @k serves jobs of that QoS; no bytes: of none. */
bool plan_serves(const struct plan *p, size_t k, struct csv_field qos);

/*
 * Why no class runs a job that asks for these amounts of one of @classes (@count
 * 0: of any), as "gpus: class big has 4, which comes closest to 9", to @text;
 * false: one does.
 */
bool plan_lacks(const struct plan *p, const struct fair_machine_request *request,
		char *text, size_t size);

/* So much of a resource in units of the plan. */
int32_t plan_round_up(const struct plan *p, uint32_t r, int64_t amount);

/* What job @from asks for becomes what job @to does, which is dropped. */
void plan_move(struct plan *p, size_t from, size_t to);

/* Also after an error. */
void plan_free(struct plan *p);

/* Is anything planned but processors? */
static inline bool plan_is_open(const struct plan *p)
{
	return p && p->config.resources;
}

/* The first processor of class @k: they are numbered through the classes. */
int32_t plan_first_proc(const struct plan *p, uint32_t k);

/*
 * Copies a sentence of fair_why_text() with the names of classes and resources
 * instead of their numbers; without a plan as it is.
 */
void plan_sentence(const struct plan *p, const char *sentence, char *text,
		   size_t size);

/* Fills in what job @i asks for. */
void plan_ask(const struct plan *p, size_t i, struct fair_job *job);

/* What job @i was given of resource @r; if nothing says so, what it asks for. */
int32_t plan_had(const struct plan *p, size_t i, uint32_t r);

#endif /* PLAN_H */
