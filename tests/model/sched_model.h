/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_model.h - the naive scheduler that every policy is compared with
 *
 * It shares no line with the library: it sorts arrays, searches linearly and
 * walks anew for every question. Times are seconds, intervals are half-open, a
 * job's interval ends after its estimate. model_run() drives the event form and
 * plays completions at their real run times; the event form itself never reads
 * run.
 *
 *	struct model_rules r = { MODEL_PC, MODEL_BY_FCFS, 0, 0, 0, 0, 100 };
 *	struct model_job job[] = { { 0, 100, 200, 90, 1, ... }, ... };
 *
 *	model_run(&r, job, n);		job[i].start, .first_promise, ...
 *
 * What it decides where the papers are silent is C1 to C36 of docs/RULES.md. There the
 * reserved start is res, and the walltime the estimate.
 */
#ifndef SCHED_MODEL_H
#define SCHED_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_NEVER INT64_MAX	/* no promise, no start */
#define MODEL_NO_JOB UINT32_MAX /* no job to name */
/* Estimates and |times| stay below this, procs * estimate below 2^59. */
#define MODEL_LONGEST (INT64_C(1) << 40)

#define MODEL_ENOENT 2	/* no such job, advance reservation, user */
#define MODEL_EINVAL 22
#define MODEL_ERANGE 34
#define MODEL_ETIME 62	/* the time goes back */

enum model_policy {
	MODEL_FCFS,
	MODEL_EASY, /* depth N */
	MODEL_CONSERVATIVE,
	MODEL_PC,
	MODEL_DC,
	MODEL_RELSHARE,
	MODEL_SFS
};

enum model_order {
	MODEL_BY_FCFS,
	MODEL_BY_SJF,
	MODEL_BY_LJF,
	MODEL_BY_WIDEST,
	MODEL_BY_NARROWEST,
	MODEL_BY_LXF,
	MODEL_BY_LINEAR,
	MODEL_BY_USAGE,
	MODEL_BY_KEY,	 /* rules.key, number */
	MODEL_BY_COMPARE, /* rules.compare, submit, number */
	MODEL_BY_TREE,
	MODEL_BY_DOMINANT, /* of classes_model.h */
	MODEL_BY_RELSHARE /* of MODEL_PC, MODEL_DC; has what MODEL_RELSHARE has */
};

enum model_select {
	MODEL_FIRSTFIT,
	MODEL_BESTFIT,
	MODEL_GREEDY,
	MODEL_NO_BACKFILL /* no job is backfilled */
};

enum model_metric { MODEL_PROCS, MODEL_SECONDS, MODEL_PROC_SECONDS };

enum model_cause {
	MODEL_NONE,
	MODEL_ARRIVAL,	  /* first promise, or dc at the arrival of job "by" */
	MODEL_COMPLETION, /* of job "by", early; or it was made shorter */
	MODEL_CANCELLED,  /* job "by" left the queue */
	MODEL_GREW,	  /* capacity(+n) */
	MODEL_FILL,	  /* dc before each start */
	/* Only these move a promise later. */
	MODEL_OVERRUN,	/* job "by" outlived its estimate */
	MODEL_LONGER,	/* running job "by" was made longer */
	MODEL_LOST,	/* capacity(-n) */
	MODEL_MODIFIED, /* the job itself */
	MODEL_REFUSED,	/* the job itself */
	MODEL_LATE,	/* step() was not called in time */
	MODEL_NO_SLOT,	/* the job itself, an array: MODEL_NEVER */
	MODEL_DEFERRED, /* the job itself became ineligible: MODEL_NEVER */
	MODEL_REQUEUED, /* the job itself */
	MODEL_SUSPENDED, /* the job itself: MODEL_NEVER */
	MODEL_ADVANCE_RESERVED, /* an advance reservation came or changed */
	MODEL_LIMITED, /* a limit was added or lowered */
	/* Only earlier. */
	MODEL_RELEASED, /* the job itself became eligible */
	MODEL_ADVANCE_CANCELLED,
	MODEL_ADVANCE_CHANGED /* of the job's own reservation; later, too */
};

/* What maui knows of a job besides processors. @id: user, group, account, QoS,
 * class, each below MODEL_IDS, or MODEL_NO_JOB. */
#define MODEL_KINDS 5
#define MODEL_IDS 3
struct model_request {
	uint32_t id[MODEL_KINDS];
	int32_t nodes;
	int64_t memory, swap, disk, rate;
};

struct model_maui; /* sched_maui.h */
struct model_decision;

/* C36: jobs that belong to the same of a kind: user, group, account, QoS,
 * queue; of each user within one; below an account of the tree. */
enum {
	MODEL_LIMIT_GROUP_USER = MODEL_KINDS,
	MODEL_LIMIT_ACCOUNT_USER,
	MODEL_LIMIT_QOS_USER,
	MODEL_LIMIT_QUEUE_USER,
	MODEL_LIMIT_TREE,
	MODEL_LIMIT_KINDS
};
#define MODEL_LIMIT_LEVELS 8
enum model_limited {
	MODEL_LIMIT_JOBS,
	MODEL_LIMIT_PROCS,
	MODEL_LIMIT_RESOURCES,
	MODEL_LIMIT_BUDGET = MODEL_LIMIT_RESOURCES /* C37 */
};

struct model_limit {
	uint32_t kind, resource;
	uint32_t whose; /* MODEL_NO_JOB: each that has no limit of its own */
	int64_t amount; /* MODEL_NEVER: none */
	int64_t spent;	/* C37: the model's own, of a budget */
};

enum model_after {
	MODEL_AFTER_NOTHING,
	MODEL_AFTER_OK,
	MODEL_AFTER_ANY,
	MODEL_AFTER_NOT_OK = 4,
	MODEL_AFTER_START
};

/* @ended: how the job ended, if it is not live. */
struct model_dependency {
	uint32_t after;
	enum model_after end, ended;
	bool satisfied, never_satisfied;
};

#define MODEL_DEPENDENCIES 3

/* What makes a job ineligible. */
struct model_eligibility {
	int64_t begin;
	uint32_t after;
	enum model_after end;
	bool held;
	bool never_satisfied; /* the dependency */
	struct model_dependency list[MODEL_DEPENDENCIES];
	uint32_t count; /* of the list, beside @after */
	bool any;	/* one of the list is enough */
};

struct model_advance {
	uint32_t number;
	int64_t from, to;
	int32_t procs;
	bool bound_jobs; /* kind user: jobs may be bound to it */
};

/* What rules.key, .compare and .fits see of a job. */
struct model_view {
	uint32_t number;
	int64_t submit, estimate;
	int32_t procs;
};

struct model_rules {
	enum model_policy policy;
	enum model_order order;
	uint32_t depth; /* reservations under MODEL_EASY, MODEL_SFS */
	enum model_select select;
	enum model_metric metric;
	bool longest_first; /* windows; else widest first */
	int32_t procs;
	/* MODEL_RELSHARE: */
	uint32_t users;
	const uint32_t
		*share; /* by user; NULL: 1 each; the sum is at most 1000 */
	int64_t window, window_origin;
	bool only_used, by_difference;
	bool decays; /* the window is a half-life */
	const int64_t *target;	       /* MODEL_SFS: by account; MODEL_DC: C35 */
	int64_t weight;		       /* MODEL_BY_LINEAR */
	int64_t half_life;	       /* MODEL_BY_USAGE; 0: no decay; -TREE */
	const struct fairtree_model *tree; /* MODEL_BY_TREE: at first; maui: its ranks, too;
					      MODEL_RELSHARE: has the shares */
	const struct model_maui *maui; /* or NULL; MODEL_EASY, or C29 */
	int64_t (*key)(const struct model_view *a);
	int (*compare)(int64_t now, const struct model_view *a,
		       const struct model_view *b);
	int64_t (*fits)(const struct model_view *a, int64_t now); /* or NULL */
	int64_t patience; /* C7: seconds */
	/* C30: of MODEL_FCFS, _EASY without selection, _SFS; of MODEL_DC, C35;
	 * and with it, but not of MODEL_DC */
	bool (*gate)(const struct model_view *a, int64_t now);	  /* or NULL */
	int64_t (*veto)(const struct model_view *a, int64_t now); /* or NULL */
	uint32_t jobs; /* most live jobs; 0: any number */
	uint32_t task_limits; /* most arrays with a limit */
	uint32_t limits;      /* most limits; C36 */
	const struct model_limit *limit; /* model_run(): as many from the start */
	/* C23: whether @d, a start or a promise, is decided now; of
	 * MODEL_NO_JOB: whether the compression has seen that no move is left; as
	 * a start: whether it has begun. NULL: always */
	bool (*goes_on)(void *context, const struct model_decision *d);
	void *context;
};

/* What changes in the tree of MODEL_BY_TREE. */
struct model_tree_change {
	char what; /* adds an 'a'ccount, a 'u'ser, 'r'emoves, 'm'oves, 's'hares */
	uint32_t node, parent, shares;
};

struct model_job {
	int64_t submit, run, estimate;
	int32_t procs;
	uint32_t user, account;
	int64_t rate;	  /* MODEL_BY_USAGE: for each second; 0: procs * 2^20 */
	uint32_t tasks;	  /* 0: 1; C18 */
	uint32_t advance; /* 0: none; C20 */
	uint32_t of[MODEL_KINDS]; /* C36: for limits, or MODEL_NO_JOB */
	struct model_request asks;
	/* results */
	int64_t start, first_promise, latest_promise; /* or MODEL_NEVER */
	int64_t strict_fst, relaxed_fst;	      /* by model_fst() */
	uint32_t moves;		/* changes of the promise after the first */
	uint32_t broken;	/* of them, to a later time */
	uint32_t by;		/* named by the last move */
	enum model_cause cause; /* of the last move */
};

enum model_kind { MODEL_START, MODEL_PROMISE };

struct model_decision {
	enum model_kind kind;
	enum model_cause cause; /* MODEL_NONE for a start */
	uint32_t number, by;
	int64_t now;  /* when it was decided */
	int64_t time; /* the start; the new promise */
};

/* Simulates a whole trace, fills in the results; 0 or -MODEL_E... */
int model_run(const struct model_rules *rules, struct model_job *job, size_t n);

/* model_run() and the fair start times of every job, each from a clone. */
int model_fst(const struct model_rules *rules, struct model_job *job, size_t n);

/* The event form. It reads submit (<= now), estimate and procs of @job. */
struct model;
struct model *model_new(const struct model_rules *rules, int64_t now);
struct model *model_clone(const struct model *m);
void model_free(struct model *m);

int model_submit(struct model *m, int64_t now, uint32_t number,
		 const struct model_job *job);
int model_submit_ineligible(struct model *m, int64_t now, uint32_t number,
			    const struct model_job *job,
			    const struct model_eligibility *until);
int model_defer(struct model *m, int64_t now, uint32_t number,
		const struct model_eligibility *until);
int model_requeue(struct model *m, int64_t now, uint32_t number);
int model_suspend(struct model *m, int64_t now, uint32_t number);
int model_resume_job(struct model *m, int64_t now, uint32_t number);
int model_resize(struct model *m, int64_t now, uint32_t number, int32_t procs);
int model_finish(struct model *m, int64_t now, uint32_t number);
int model_exit(struct model *m, int64_t now, uint32_t number, int32_t status);
int model_finish_many(struct model *m, int64_t now, const uint32_t *number,
		      const int32_t *status, size_t n);
int model_cancel(struct model *m, int64_t now, uint32_t number);
int model_modify(struct model *m, int64_t now, uint32_t number, int32_t procs,
		 int64_t estimate);
int model_capacity(struct model *m, int64_t now, int32_t delta,
		   const uint32_t *victim, size_t victims);
int model_advance_reserve(struct model *m, int64_t now,
			  const struct model_advance *b, bool force);
int model_advance_cancel(struct model *m, int64_t now, uint32_t number);
/* @not_before: @now: the caller does not say; MODEL_NEVER: until a retry */
int model_refuse_start(struct model *m, int64_t now, uint32_t number,
		       int64_t not_before);
int model_retry(struct model *m, int64_t now, uint32_t number);
int model_set_rate(struct model *m, int64_t now, uint32_t number, int64_t rate);
/* C34: the reaction to an early completion. */
int model_replan(struct model *m, int64_t now);

/* What the caller's order says of a queued job has changed. */
int model_reprioritize(struct model *m, int64_t now, uint32_t number);
/* @job: its user, account, of, and of maui the ids of what it asks are read. */
int model_reassign(struct model *m, int64_t now, uint32_t number,
		   const struct model_job *job);
int model_split_task(struct model *m, int64_t now, uint32_t number);
int model_limit_tasks(struct model *m, int64_t now, uint32_t number,
		      uint32_t most);

/* C36: adds, changes or removes a limit. */
int model_limit(struct model *m, int64_t now, const struct model_limit *limit);

/* C37: ended jobs have used so much of a budget. */
int model_set_spent(struct model *m, int64_t now,
		    const struct model_limit *budget, int64_t spent);
int64_t model_spent(const struct model *m, const struct model_limit *budget);

/* C28. @kind of maui; else users, or the accounts of sfs. Processor-seconds. */
#define MODEL_ACCOUNT 2
int model_set_usage(struct model *m, int64_t now, int kind, uint32_t id,
		    int64_t usage);
/* @taken: out: about what was taken */
int model_credit(struct model *m, int64_t now, int kind, uint32_t id,
		 int64_t amount, int64_t *taken);
/* What it has used; by usage, in jobs that ended, or about that. */
int64_t model_used(const struct model *m, int kind, uint32_t id);
int model_reset_usage(struct model *m, int64_t now);
/* Of a user of relshare, or the target of an account of sfs. */
int model_set_share(struct model *m, int64_t now, uint32_t id, int64_t share);
/* A user without jobs is another one. */
int model_forget(struct model *m, int64_t now, uint32_t user);
int model_set_half_life(struct model *m, int64_t now, int64_t half_life);
/* @decays: of maui */
int model_set_window(struct model *m, int64_t now, int64_t window, bool decays);
struct model_credential; /* sched_maui.h */
int model_set_credential(struct model *m, int64_t now, int kind, uint32_t id,
			 const struct model_credential *c);

/* Returns the decisions since the previous step(), those of the events
 * included, in their order; valid until the next call. */
int model_step(struct model *m, int64_t now, const struct model_decision **d,
	       size_t *n);

/* C23: go on with a paused compression. */
void model_resume(struct model *m);
bool model_is_paused(const struct model *m);

/* MODEL_NEVER: nothing is due. */
int64_t model_next(const struct model *m);

size_t model_queued(const struct model *m);
size_t model_displaced(const struct model *m); /* C26: of the queued ones */
size_t model_running(const struct model *m);
size_t model_ineligible_jobs(const struct model *m);
size_t model_advances(const struct model *m);
int32_t model_free_procs(const struct model *m);
/* The promise of a queued or a reservation job, MODEL_NEVER without one. */
int64_t model_promise(const struct model *m, uint32_t number);
/* The end of the estimate of a running job, MODEL_NEVER if it does not run. */
int64_t model_end(const struct model *m, uint32_t number);

/* Applies decisions to the results of a caller's table, indexed by number. */
void model_record(const struct model_decision *d, size_t n,
		  struct model_job *job);

/* Returns 0, or the first of: 1 the profile is not the sum of its jobs, 2 it
 * uses more than the capacity, 3 running jobs exceed the machine; of the last
 * step of sfs, 4 pass 1 ended while a job of an account at or below its target
 * could start without delaying a reservation, 5 the step ended while any job
 * could; 6 a promise exceeds a limit. */
int model_check(const struct model *m);

/*
 * Changes the tree of MODEL_BY_TREE. A user that jobs of the model belong to is
 * not removed. Return: 0; -MODEL_ETIME; -MODEL_EINVAL: it cannot be, for any
 * reason.
 */
int model_change_tree(struct model *m, int64_t now,
		      const struct model_tree_change *c);

/* Its decisions may differ from the exact ones: see sched_usage.h. */
bool model_is_ambiguous(const struct model *m);

#endif /* SCHED_MODEL_H */
