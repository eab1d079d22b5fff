/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_model.h - the naive scheduler of several resources and node classes
 *
 * It keeps one list of jobs, and no plan: what is free at a second is the sum
 * over this list, and the earliest start is found by trying the present and
 * the end of every job in it. It includes no header of the library.
 *
 *	const int32_t amount[] = { 4, 0, 4, 1 };	of class 0, of class 1
 *	struct classes_rules r = { MODEL_PC, 0, 0, 2, 2, 0, amount };
 *
 * Its rules are C1 to C11, C13, C16 to C20, C24, C25, K1 to K9 and N1 to N9 of
 * docs/RULES.md; but the table is never full.
 */
#ifndef CLASSES_MODEL_H
#define CLASSES_MODEL_H

#include "sched_maui.h"
#include "sched_model.h"

enum {
	CLASSES_RESOURCES = 8,
	CLASSES_MOST = 64,
	CLASSES_NODES = 8,
	CLASSES_SETS = 2,
	CLASSES_LIMITS = 8,
	/* What a limit is of, beside resources: C36, C37. */
	CLASSES_LIMIT_COST = MODEL_LIMIT_PROCS + CLASSES_RESOURCES,
	CLASSES_LIMIT_BUDGET
};

struct classes_rules {
	enum model_policy policy;
	/* up to MODEL_BY_LXF, MODEL_BY_USAGE, MODEL_BY_DOMINANT */
	enum model_order order;
	uint32_t depth;		  /* reservations under MODEL_EASY */
	uint32_t resources, classes, wide;
	const int32_t *amount; /* of a wide resource: in class 0 */
	const int32_t *nodes; /* N1: of each class; NULL: amounts are planned */
	uint32_t sets;	       /* of nodes */
	bool first_fit;	       /* N3 */
	const int64_t *weight; /* K7: of each resource; NULL: none */
	bool maximum;	       /* a job costs the largest weight * amount */
	uint32_t users;	       /* accounts, too; of these: */
	const uint32_t *share; /* MODEL_RELSHARE */
	const int64_t *target; /* MODEL_SFS */
	int64_t window;	       /* MODEL_RELSHARE, and: */
	bool only_used;
	/* Not MODEL_FIRSTFIT: MODEL_EASY only; or of: */
	enum model_select select;
	enum model_metric metric;
	bool longest_first;
	const struct model_maui *maui; /* or NULL; policy is MODEL_EASY then */
	/* When the caller accepts a start, or NULL: always. */
	int64_t (*fits)(uint32_t number, int64_t now);
	int64_t patience; /* C7: seconds */
	uint32_t limits;  /* C36: at most, up to CLASSES_LIMITS */
};

struct classes_job {
	int64_t submit, walltime;
	int32_t amount[CLASSES_RESOURCES]; /* the first is processors */
	uint8_t wanted[CLASSES_MOST];	   /* classes in order of preference */
	uint32_t wants;			   /* 0: all, by number */
	uint32_t tasks;			   /* 0 or 1: no array */
	uint32_t advance;		   /* 0: none; C20 */
	uint32_t user;			   /* and its account */
	uint32_t of[MODEL_KINDS];	   /* C36, or MODEL_NO_JOB */
	struct model_request asks;	   /* of maui */
	int64_t rate; /* MODEL_BY_USAGE: of a second; 0: its cost */
	int32_t chunks, per_node;	   /* of nodes; 0: 1, and any */
	bool exclusive, span;
	uint32_t named, excluded; /* sets; 0: none */
};

struct classes_advance {
	uint32_t number;
	int64_t from, to;
	uint32_t in;
	int32_t amount[CLASSES_RESOURCES];
	bool bound_jobs; /* takes them; else it is maintenance */
	/* Of nodes: how many of class @in; 0: of a set. Those that it has. */
	int32_t nodes;
	uint32_t named;
	bool on[CLASSES_NODES];
};

/* MODEL_NEVER, 0: nowhere. On nodes, @in is the class of the first of them. */
struct classes_place {
	int64_t at;
	uint32_t in;
	int32_t on[CLASSES_NODES]; /* chunks on each node */
};

struct classes_decision {
	enum model_kind kind;
	enum model_cause cause; /* MODEL_NONE for a start */
	uint32_t number, by;
	int64_t now;		    /* when it was decided */
	struct classes_place place; /* the start; the new promise */
};

/* The results are 0 or -MODEL_E... */
struct classes;
struct classes *classes_new(const struct classes_rules *rules, int64_t now);
void classes_free(struct classes *m);

int classes_submit(struct classes *m, int64_t now, uint32_t number,
		   const struct classes_job *job, bool held);
int classes_hold(struct classes *m, int64_t now, uint32_t number);
int classes_release(struct classes *m, int64_t now, uint32_t number);
/* C15: the end that a held job waits for is part of the last event. */
void classes_satisfy(struct classes *m, uint32_t number);
int classes_finish(struct classes *m, int64_t now, uint32_t number);
int classes_cancel(struct classes *m, int64_t now, uint32_t number);
int classes_modify(struct classes *m, int64_t now, uint32_t number,
		   int32_t procs, int64_t walltime);
int classes_capacity(struct classes *m, int64_t now, uint32_t node_class,
		     uint32_t resource, int32_t delta, const uint32_t *victim,
		     size_t victims);
int classes_node(struct classes *m, int64_t now, uint32_t node, bool up,
		 const uint32_t *victim, size_t victims);
int classes_set_node(struct classes *m, uint32_t set, uint32_t node, bool in);
int classes_suspend(struct classes *m, int64_t now, uint32_t number);
int classes_resume(struct classes *m, int64_t now, uint32_t number);
int classes_advance_reserve(struct classes *m, int64_t now,
			    const struct classes_advance *b, bool force);
int classes_advance_cancel(struct classes *m, int64_t now, uint32_t number);
/* Of nodes: a running job has the amounts and chunks of @size. */
int classes_resize(struct classes *m, int64_t now, uint32_t number,
		   const struct classes_job *size);
int classes_requeue(struct classes *m, int64_t now, uint32_t number);
int classes_refuse_start(struct classes *m, int64_t now, uint32_t number);
int classes_retry(struct classes *m, int64_t now, uint32_t number);
int classes_set_rate(struct classes *m, int64_t now, uint32_t number,
		     int64_t rate);
/* C36: adds, changes or removes a limit. */
int classes_limit(struct classes *m, int64_t now,
		  const struct model_limit *limit);
/* C37: ended jobs have used so much of a budget. */
int classes_set_spent(struct classes *m, int64_t now,
		      const struct model_limit *budget, int64_t spent);
int64_t classes_spent(const struct classes *m,
		      const struct model_limit *budget);
/* Sets what a user has used, in processor-seconds, or takes as much back. */
int classes_set_usage(struct classes *m, int64_t now, uint32_t user,
		      int64_t amount);
int classes_credit(struct classes *m, int64_t now, uint32_t user,
		   int64_t amount);

/* Returns the decisions since the previous step(), those of the events
 * included, in their order; valid until the next call. */
int classes_step(struct classes *m, int64_t now,
		 const struct classes_decision **d, size_t *n);

/* MODEL_NEVER: nothing is due. */
int64_t classes_next(const struct classes *m);

size_t classes_queued(const struct classes *m);
size_t classes_running(const struct classes *m);
size_t classes_held(const struct classes *m); /* reservation jobs, too */
size_t classes_advances(const struct classes *m);
/* Whether advance reservation @number withholds a node. */
bool classes_advance_on(const struct classes *m, uint32_t number,
			uint32_t node);
/* Of a queued job its reservation, of a running one its start. */
struct classes_place classes_place_of(const struct classes *m, uint32_t number);
/* The end of the walltime of a running job, MODEL_NEVER if it does not run. */
int64_t classes_end(const struct classes *m, uint32_t number);

/*
 * Whether a queued job would start now if it asked for this instead and kept its
 * place in the order; the caller would accept it.
 */
bool classes_starts_with(const struct classes *m, uint32_t number,
			 const struct classes_job *job);

/* Where a queued job would be placed if it were taken out. */
struct classes_place classes_again(const struct classes *m, uint32_t number);
/*
 * For how many chunks of a queued job nodes have room, in its best class or by
 * span in all, when all jobs have ended that are to end by @t and none started.
 */
int32_t classes_hosted(const struct classes *m, uint32_t number, int64_t t);
/* Whether one of its classes has all that it asks for in this second. */
bool classes_has_now(const struct classes *m, uint32_t number);
/* Of class @in: what there is of a resource, and what is free in this second. */
int64_t classes_present(const struct classes *m, uint32_t in,
			uint32_t resource);
int64_t classes_free_now(const struct classes *m, uint32_t in,
			 uint32_t resource);
/* Whether job @other has a node that queued job @number may use. */
bool classes_may_use_node_of(const struct classes *m, uint32_t number,
			     uint32_t other);

/* Whether no resource of a class is used by more jobs than there is. */
bool classes_is_sound(const struct classes *m);

#endif /* CLASSES_MODEL_H */
