/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * place.h - jobs on the nodes of a machine file, for --place and --plan nodes
 *
 * A job is so many equal parts, each of which is on one node: those of its node
 * request, if the trace has one. Else as many as its amounts, but memory, have
 * as greatest common divisor, so that 8 processors and 2 GPUs are two parts of 4
 * and 1, and 8 processors with memory eight parts; memory is divided among them.
 * What is of the whole machine is on no node.
 *
 * First fit puts each part on the first node with room, best fit on the one with
 * the fewest free processors, the first of equal ones. With --plan nodes the
 * scheduler says which nodes, and this one that they have room.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/fairsched/trace/charge.h"
#include "tools/fairsched/trace/machine.h"
#include "tools/fairsched/trace/plan.h"
#include "tools/fairsched/trace/swf.h"

#define PLACE_ERROR 1024
#define PLACE_NODES 1000000 /* at most */
#define PLACE_ANY UINT32_MAX /* a class: any of them */

/* Equal parts of a job. */
struct place_part {
	int32_t count, most; /* most: on one node; 0: any number */
	bool whole; /* nodes that no other job uses */
	uint64_t properties, without;
	int64_t min_spec, max_spec; /* 0: any */
	uint32_t named, excluded;   /* sets of nodes of the plan; 0: none */
	size_t amount; /* of one: place_jobs.amount from there on */
};

/* Why no nodes can hold a job. */
enum place_drop {
	PLACE_NO_ROOM,
	PLACE_KINDS,   /* its chunks are of several kinds */
	PLACE_UNKNOWN, /* it needs what no node is known to have */
	PLACE_DROPS
};
extern const char *const place_drop_text[PLACE_DROPS];

/* What each job of a trace needs of nodes. */
struct place_jobs {
	const struct machine *machine;
	struct place_part *part;
	size_t *first; /* of each job, and one more */
	int64_t *amount;
	size_t parts, parts_room, amounts_room, jobs;
	size_t dropped[PLACE_DROPS];
	unsigned long first_dropped[PLACE_DROPS]; /* line of the first */
	size_t changed; /* jobs with other processors than in the trace */
	struct charge_words words; /* where nodes are planned; of the trace */
};

/*
 * Drops jobs that no nodes can hold; with an open plan @p the classes whose nodes
 * cannot hold a job are taken out of its list, and a plan of nodes gets the
 * chunks. Returns 0, or -1 with a message in @error; then place_jobs_free().
 */
int place_jobs_open(struct place_jobs *j, const struct machine *m,
		    struct plan *p, struct swf *t, const char *path,
		    char *error);
void place_jobs_free(struct place_jobs *j);

/* Job @to, which is dropped, becomes @from; those between them are dropped, too.
 * In ascending order. */
void place_jobs_move(struct place_jobs *j, size_t from, size_t to);

/* Where jobs run. */
struct place {
	const struct place_jobs *jobs;
	bool best;
	size_t nodes, resources;
	uint32_t *node_class; /* of each node */
	size_t *first;	      /* node of each class, and one more */
	int64_t *free;	      /* of each node, of each resource */
	struct place_held {
		uint32_t node, next; /* next: index + 1, or 0 */
		int32_t parts;
		size_t part;
	} *held;
	size_t helds, helds_room;
	uint32_t unused; /* held: index + 1 of the first */
	uint32_t *head;	 /* of each job: index + 1 of its first held, or 0 */
	int64_t *end;	 /* of each job that runs: when it ends at the latest */
	uint32_t *running, *at; /* jobs; where each is among them */
	size_t runs;
	int64_t *scratch;
	struct place_node *order;
	bool failed; /* no memory */
};

/* Returns 0, or -1 without memory; then place_close(). */
int place_open(struct place *p, const struct place_jobs *jobs, bool best);
void place_close(struct place *p);

/* The job runs until @end at the latest on nodes of the class; false: they have
 * no room, and nothing has changed. */
bool place_take(struct place *p, size_t job, uint32_t node_class, int64_t end);
/* The same on nodes that the caller chose, one after the other. */
bool place_put(struct place *p, size_t job, uint32_t node, int32_t parts);
void place_run(struct place *p, size_t job);
void place_give(struct place *p, size_t job);

/* Would place_take() place it? */
bool place_can(struct place *p, size_t job, uint32_t node_class);

/*
 * When it could be placed if running jobs end at their latest and no other one
 * starts: one of their ends. INT64_MAX: never, or now. O(nodes * log(running)).
 */
int64_t place_when(struct place *p, size_t job, uint32_t node_class);

/*
 * The job's processors, node by node: from @first on @procs of them; processors
 * are numbered through the nodes. Returns 0, or -1 without memory.
 */
int place_each(const struct place *p, size_t job,
	       void (*take)(void *ctx, int32_t first, int32_t procs),
	       void *ctx);

#endif /* PLACE_H */
