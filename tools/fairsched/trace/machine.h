/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * machine.h - node classes, for --machine FILE
 *
 *	class,count,cpus,ram,gpus?,spec,cost,properties
 *	zewura,20,80,512G,,26.4,1,brno:nfs4
 *	doom,10,16,64G,2,31,2.5,brno:gpu
 *
 * A header line, then a class a line; blank lines and those that begin with #
 * are skipped. class, count and cpus must be there; every column but these,
 * spec, cost, properties and nodes is a resource of one node, special if its
 * name ends in ?, of the whole machine if it ends in *. Amounts are integers, or with K, M, G, T, P that power of
 * 1024; an empty one is 0. spec and cost are decimal numbers, 1 if empty;
 * properties are names with : between, nodes the numbers that a trace has for
 * them, as 7:10-29; partitions names those that the class is in, as 1:3; qos
 * names the only QoS that it serves, as urgent:debug. A slurm.conf is read as
 * well, see slurm_conf.h.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv.h"
#include "policies/penalty.h"

#define MACHINE_PROPERTIES 64 /* bits of a class's properties */

/* Node numbers of a class, @first to @last. */
struct machine_nodes {
	int64_t first, last;
	size_t node_class;
};

struct machine {
	struct fair_penalty_class *node;
	struct csv_field *class_name; /* of each node class */
	size_t classes, resources;
	struct csv_field *resource_name; /* without the ? */
	bool *special;			 /* of each resource */
	bool *wide;			 /* of the whole machine, with a * */
	struct csv_field *partitions;	 /* of each class, with : between */
	struct csv_field *qos;		 /* likewise; nothing: it serves all */
	long *line;			 /* of each class, for messages */
	bool has_qos;			 /* a class does not serve all */
	int64_t *amount;		 /* what the classes point to */
	struct csv_field property[MACHINE_PROPERTIES]; /* by bit */
	size_t properties;
	struct machine_nodes *nodes;
	size_t ranges;
	char *text; /* a copy of the file */
	char error[1024];
};

/* Reads @path, "-" for stdin. Returns 0, or -1 with m->error set. */
int machine_read(struct machine *m, const char *path);

/* The same from memory; @name is for messages. */
int machine_parse(struct machine *m, const char *name, const char *text,
		  size_t bytes);

/* Also after an error; m->error stays. */
void machine_free(struct machine *m);

/* Where the name is: a resource's or class's number, -1 if there is none. */
int machine_resource(const struct machine *m, const char *name, size_t bytes);
int machine_class(const struct machine *m, const char *name, size_t bytes);

/* The bit of a property; 0 if no class has it, so that no class suits. */
uint64_t machine_property(const struct machine *m, const char *name,
			  size_t bytes);

/* The class of the node with that number, -1 if none says so. */
int machine_node(const struct machine *m, int64_t number);

/* MB of ram or memory, of all nodes; 0 if there is no such column. */
int64_t machine_memory(const struct machine *m);

/* All processors, or 0 if they are more than INT32_MAX. */
int32_t machine_procs(const struct machine *m);

/* 26.4, to the nearest fixed point; or nothing at all for 1. */
bool machine_decimal(struct csv_field s, int64_t *fixed);

/* 512G, 512g or 512gb; false if it is no such number. */
bool machine_amount(const char *p, size_t bytes, int64_t *amount);

#endif /* MACHINE_H */
