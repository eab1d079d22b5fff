/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * selective_model.h - selective reservations, naively
 *
 * Lists of jobs and advance reservations, and no profile: what is free of a
 * resource in a class is added up anew for each second that matters. Events are
 * valid; times are small. One pool is one class of one resource.
 */
#ifndef SELECTIVE_MODEL_H
#define SELECTIVE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SELECTIVE_MODEL_JOBS = 32,
	SELECTIVE_MODEL_ADVANCES = 4,
	SELECTIVE_MODEL_RESOURCES = 3,
	SELECTIVE_MODEL_CLASSES = 3,
	SELECTIVE_MODEL_USERS = 2,
	SELECTIVE_MODEL_TOLD = 4096
};

#define SELECTIVE_MODEL_NEVER INT64_MAX

enum selective_model_state {
	SELECTIVE_MODEL_GONE,
	SELECTIVE_MODEL_QUEUED,
	SELECTIVE_MODEL_RUNNING,
	SELECTIVE_MODEL_HELD
};

/* The values of enum fair_cause. */
enum selective_model_cause {
	SELECTIVE_MODEL_NONE,
	SELECTIVE_MODEL_ARRIVAL,
	SELECTIVE_MODEL_EARLIER,
	SELECTIVE_MODEL_CAPACITY,
	SELECTIVE_MODEL_OVERRUN,
	SELECTIVE_MODEL_REFUSED,
	SELECTIVE_MODEL_MODIFIED,
	SELECTIVE_MODEL_LATE_STEP,
	SELECTIVE_MODEL_DEFERRED,
	SELECTIVE_MODEL_REQUEUED,
	SELECTIVE_MODEL_LIMIT = 13
};

/* What a job asks for; without @wants any class, by number. */
struct selective_model_request {
	int64_t submit, walltime, amount[SELECTIVE_MODEL_RESOURCES];
	int wants, wanted[SELECTIVE_MODEL_CLASSES], user;
};

struct selective_model_job {
	enum selective_model_state state;
	uint64_t number;
	struct selective_model_request asks;
	int64_t start; /* running: since when; else its reservation */
	int in;	       /* its class */
	int64_t end;   /* running: planned */
	int64_t first_promise;
	enum selective_model_cause cause;
	int moves;
	int64_t not_before; /* the caller accepts no start before */
	bool fresh;   /* held, and never queued */
	bool lost;    /* its reservation, while the others are kept */
};

struct selective_model_advance {
	bool there;
	int64_t from, to, amount[SELECTIVE_MODEL_RESOURCES];
	int in;
};

struct selective_model_told {
	uint64_t number;
	int64_t made, from, to;
	int in;
	enum selective_model_cause cause;
	uint64_t culprit;
};

/* What a machine has; a wide resource belongs to all classes, in class 0. */
struct selective_model_machine {
	int resources, classes;
	bool wide[SELECTIVE_MODEL_RESOURCES];
	int64_t has[SELECTIVE_MODEL_CLASSES][SELECTIVE_MODEL_RESOURCES];
};

struct selective_model {
	int64_t numerator, denominator, now;
	struct selective_model_machine machine, most; /* now; at first */
	struct selective_model_job job[SELECTIVE_MODEL_JOBS]; /* by number */
	struct selective_model_advance advance[SELECTIVE_MODEL_ADVANCES];
	int64_t limit[SELECTIVE_MODEL_USERS]; /* processors at one time */
	struct selective_model_told told[SELECTIVE_MODEL_TOLD];
	size_t tolds;
	bool owes; /* a compression: of the next event or step, after a loss */
};

void selective_model_init(struct selective_model *m,
			  const struct selective_model_machine *machine,
			  int64_t origin, int64_t numerator,
			  int64_t denominator);

/* Whether a class had, at first, what a job asks for, and its user may. */
bool selective_model_can_serve(const struct selective_model *m,
			       const struct selective_model_request *asks);

/* Job number @n is not there; @held: it is not queued yet. */
void selective_model_submit(struct selective_model *m, int64_t now, int n,
			    const struct selective_model_request *asks,
			    bool held);
void selective_model_finish(struct selective_model *m, int64_t now, int n);
void selective_model_cancel(struct selective_model *m, int64_t now, int n);
void selective_model_requeue(struct selective_model *m, int64_t now, int n);
void selective_model_modify(struct selective_model *m, int64_t now, int n,
			    int64_t procs, int64_t walltime);
void selective_model_hold(struct selective_model *m, int64_t now, int n);
void selective_model_unhold(struct selective_model *m, int64_t now, int n);
/* Resource @r of class @k, free but for running jobs that are no victims. */
int64_t selective_model_idle(const struct selective_model *m, int k, int r,
			     const int *victim, int victims);
void selective_model_capacity(struct selective_model *m, int64_t now, int k,
			      int r, int64_t delta, const int *victim,
			      int victims);
void selective_model_advance(struct selective_model *m, int64_t now, int n,
			     const struct selective_model_advance *advance);
void selective_model_no_advance(struct selective_model *m, int64_t now, int n);
void selective_model_limit(struct selective_model *m, int64_t now, int user,
			   int64_t procs);
void selective_model_refuse(struct selective_model *m, int n);
void selective_model_pass(struct selective_model *m, int64_t now);

/* The jobs that start, in order; how many. */
int selective_model_step(struct selective_model *m, int64_t now, int *start);
int64_t selective_model_next(const struct selective_model *m);

#endif /* SELECTIVE_MODEL_H */
