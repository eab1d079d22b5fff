/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_model.h - naive oracle of jobs on nodes
 *
 * It keeps a list of all that was ever taken and given back, adds it up for
 * every question, and tries every time at which something changes. It includes
 * no header of the library and repeats the contract: results are 0 or the
 * negative of the documented error number. It is never full.
 */
#ifndef FAIR_NODES_MODEL_H
#define FAIR_NODES_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	NODES_MODEL_NODES = 256,
	NODES_MODEL_JOBS = 64,
	NODES_MODEL_SETS = 4,
	NODES_MODEL_RESOURCES = 8
};

/* Taken of a node over [from, end); of the last one: wide amounts. */
struct nodes_model_entry {
	int node;
	int64_t from, end;
	int64_t amount[NODES_MODEL_RESOURCES]; /* < 0: given back */
};

struct nodes_model_job {
	bool asks;
	int64_t amount[NODES_MODEL_RESOURCES];
	int64_t chunks, per_node;
	bool exclusive, span;
	int named, excluded; /* sets, from 1; 0: none */
	int classes;	     /* all of them, or those in order */
	int order[64];
	int64_t on[NODES_MODEL_NODES]; /* chunks on each node; 0: none */
};

struct nodes_model {
	int nodes, classes, resources;
	unsigned int wide;
	bool first_fit;
	int64_t origin, reach;
	int class_of[NODES_MODEL_NODES];
	int64_t has[NODES_MODEL_NODES + 1][NODES_MODEL_RESOURCES];
	bool down[NODES_MODEL_NODES];
	bool set[NODES_MODEL_SETS + 1][NODES_MODEL_NODES];
	struct nodes_model_job job[NODES_MODEL_JOBS];
	struct nodes_model_entry *entry;
	size_t n, room;
};

/* As fair_nodes_init(); @count: nodes of each class. */
void nodes_model_init(struct nodes_model *m, int resources, int classes,
		      unsigned int wide, bool first_fit, const int32_t *count,
		      const int32_t *amount, int64_t reach, int64_t origin);
void nodes_model_free(struct nodes_model *m);
/* Forgets what the job holds on nodes. */
void nodes_model_forget(struct nodes_model *m, int slot);

int nodes_model_earliest(const struct nodes_model *m, int slot,
			 int64_t not_before, int64_t walltime, int64_t *start);
int nodes_model_earlier(const struct nodes_model *m, int slot,
			int64_t not_before, int64_t before, int64_t walltime,
			int64_t current, int64_t *start);
/* Whether the job has room on the nodes that it has. */
bool nodes_model_fits_own(const struct nodes_model *m, int slot, int64_t start,
			  int64_t end);
int nodes_model_choose(struct nodes_model *m, int slot, int64_t start,
		       int64_t walltime);
int nodes_model_reserve(struct nodes_model *m, int slot, int64_t start,
			int64_t walltime);
int nodes_model_release(struct nodes_model *m, int slot, int64_t start,
			int64_t walltime);
int nodes_model_move(struct nodes_model *m, int slot, int64_t current,
		     int64_t start, int64_t walltime);
/* The job, whose parts are taken, has another size; *less: gives some back. */
int nodes_model_resize(struct nodes_model *m, int slot, const int32_t *amount,
		       int64_t chunks, int64_t start, int64_t walltime,
		       bool *less);
/* Takes all that is free of a node; and gives all back, of all nodes. */
void nodes_model_fill(struct nodes_model *m, int node, int64_t start,
		      int64_t end);
void nodes_model_clear(struct nodes_model *m, int64_t start, int64_t end);
void nodes_model_advance(struct nodes_model *m, int64_t origin);
/* What is free of a node at @t; of node m->nodes: wide amounts. */
int64_t nodes_model_free_at(const struct nodes_model *m, int node, int r,
			    int64_t t);

#endif /* FAIR_NODES_MODEL_H */
