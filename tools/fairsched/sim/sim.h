/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sim.h - simulates a trace with the scheduler of fairsched.h
 *
 *	struct sim_rules r = { FAIR_BACKFILL, FAIR_ORDER_FCFS, 1, t.procs };
 *	struct sim_result *result = malloc(t.jobs * sizeof(*result));
 *	struct sim_totals totals;
 *
 *	sim_run(&r, t.job, t.jobs, NULL, result, &totals);
 *
 * Only the simulation knows the run time of a job: the scheduler learns of a
 * completion when it happens.
 */
#ifndef SIM_H
#define SIM_H

#include <stddef.h>
#include <stdint.h>

#include "disturb.h"
#include "fairsched.h"
#include "place.h"
#include "saved_run.h"
#include "tools/fairsched/trace/accounts.h"
#include "tools/fairsched/trace/limits.h"
#include "tools/fairsched/trace/maintenance.h"
#include "tools/fairsched/trace/maui_jobs.h"
#include "tools/fairsched/trace/plan.h"
#include "tools/fairsched/trace/shares.h"
#include "tools/fairsched/trace/swf.h"
#include "tools/fairsched/trace/tree.h"

/* By Maui's priority: FAIR_MAUI, without limits, on FAIR_FCFS, FAIR_BACKFILL;
 * FAIR_ORDER_PRIORITY on FAIR_SFS, FAIR_PC, FAIR_DC. */
#define SIM_ORDER_PRIORITY (FAIR_ORDER_USAGE + 1)
/* FAIR_ORDER_TREE: the command counts on from its own orders. */
#define SIM_ORDER_TREE (FAIR_ORDER_USAGE + 2)
/* Likewise. */
#define SIM_ORDER_DOMINANT (FAIR_ORDER_USAGE + 3)
#define SIM_ORDER_RELSHARE (FAIR_ORDER_USAGE + 4)

struct sim_rules {
	uint32_t policy, order; /* enum fair_policy, enum fair_order */
	const struct fair_planner_ops *planner; /* FAIR_CUSTOM */
	uint32_t depth;		/* reservations of FAIR_BACKFILL, FAIR_SFS */
	/* FAIR_BACKFILL: enum fair_select, enum fair_metric */
	uint32_t select, metric;
	bool longest; /* windows first */
	int32_t procs;		/* of the machine */
	/* FAIR_RELSHARE, SIM_ORDER_RELSHARE: */
	int64_t window;
	struct when window_origin;
	bool only_used, by_group, by_difference;
	bool decays; /* window is a half-life */
	const struct shares *shares; /* NULL: 1 each */
	const struct accounts *accounts; /* FAIR_SFS; FAIR_DC: a gate */
	const struct maui *maui;	 /* FAIR_MAUI, SIM_ORDER_PRIORITY */
	int64_t weight;			 /* FAIR_ORDER_TWO_TERM */
	int64_t half_life;		 /* of usage, SIM_ORDER_TREE, too */
	const struct tree *tree;	 /* SIM_ORDER_TREE */
	const struct maintenance *maintenance; /* or NULL */
	const struct limits *limits;	       /* or NULL */
	const struct plan *plan; /* several resources, if it is open */
	const struct place_jobs *place; /* on nodes, if it has jobs */
	bool best_fit;
	uint32_t more_windows; /* room for so many others, and as many jobs */
	int64_t epoch;			 /* of the trace, for its dates */
	bool together;		/* ends of one second are one event */
	bool dependencies; /* a job waits for the preceding job of field 17 */
	/* Jobs end late by disturb_ends(), before. */
	struct disturb disturb;
	int64_t patience; /* of the scheduler */
};

/* Of one job. */
struct sim_result {
	int64_t start;
	int64_t began;	 /* the first start, if a failure ended that run */
	int64_t promise; /* the first, or FAIR_FOREVER */
	uint32_t node_class; /* by rules.plan: where it ran */
	uint32_t cause; /* enum fair_cause of the last delay of its promise */
};

struct sim_totals {
	uint64_t digest, instants;
	uint32_t live; /* most jobs at once */
	size_t follow; /* jobs that waited for a preceding one */
	/* By rules.place: starts for which amounts were free, and no nodes */
	size_t unplaced, unplaced_jobs;
	/* By rules.disturb; a job is requeued when its processor fails. */
	size_t failures, requeued, refused;
	/* Jobs that only budgets kept waiting when all others had ended; these
	 * budgets were lifted then. */
	size_t beyond_budgets;
	int64_t lifted;
	/* Of a run that failed: */
	int broken; /* the invariant that stopped it, or 0 */
	size_t job; /* the one in hand, or SIZE_MAX */
	int64_t now;
};

/* Callbacks; each may be NULL. A job's number is its index. */
struct sim_watch {
	void *ctx;
	void (*arrived)(void *ctx, size_t number, int64_t now);
	void (*started)(void *ctx, size_t number, int64_t now);
	const struct place **place; /* where running jobs are; or NULL */
	void (*finished)(void *ctx, size_t number, int64_t now);
	void (*promised)(void *ctx, const struct fair_promise *promise);
	void (*progress)(void *ctx, size_t finished); /* since the last */
	uint64_t check_every; /* instants between two fair_sched_check() */
	uint32_t live;	      /* totals.live of a run before, or 0 */
	/* Before a job is submitted; what is not 0 ends the simulation. */
	int (*arriving)(void *ctx, const struct fair_sched *sched,
			const struct fair_job *job);
	void *arriving_ctx;
	/* After the instants up to then, instead of playing on; or NULL. */
	void (*stopped)(void *ctx, struct fair_sched *sched, int64_t stop);
	int64_t stop;
	struct saved *saved; /* opened; where to go on from, and to save to */
};

/*
 * Runs all jobs to their ends. Returns 0; -FAIR_ENOMEM; what the scheduler or
 * watch->arriving returned; -FAIR_EINVAL if the scheduler failed: it broke an
 * invariant (totals->broken), started a job twice, never, or on too few
 * processors; or if watch->saved could not be read or written (see its error).
 * O(log n) for each job beside the scheduler's time. The callbacks get the
 * events of a saved run again, except promises.
 */
int sim_run(const struct sim_rules *rules, const struct swf_job *job,
	    size_t jobs, const struct sim_watch *watch,
	    struct sim_result *result, struct sim_totals *totals);

/*
 * The jobs of @from, a scheduler of the same trace, under other rules: memory to
 * free() afterwards, also after an error. Returns 0 or -FAIR_E...
 */
int sim_convert(const struct sim_rules *rules, const struct swf_job *job,
		size_t jobs, const struct fair_sched *from,
		struct fair_sched *sched, void **memory);

/*
 * What of @c follows from the rules; @site is opened where sim_asks_maui(), and
 * changed for an order by priority.
 */
void sim_config(const struct sim_rules *rules, struct maui_jobs *site,
		struct fair_config *c);

/* Is a job described by struct maui_jobs? */
static inline bool sim_asks_maui(const struct sim_rules *rules)
{
	return rules->policy == FAIR_MAUI || rules->order == SIM_ORDER_PRIORITY;
}

/* Whether users have relative shares. */
static inline bool sim_has_shares(const struct sim_rules *rules)
{
	return rules->policy == FAIR_RELSHARE ||
	       rules->order == SIM_ORDER_RELSHARE;
}

/* Whether accounts have targets. */
static inline bool sim_has_targets(const struct sim_rules *rules)
{
	return rules->policy == FAIR_SFS ||
	       (rules->policy == FAIR_DC && rules->accounts &&
		rules->accounts->accounts);
}

/* Whether users are nodes of the tree. */
static inline bool sim_has_nodes(const struct sim_rules *rules)
{
	return rules->order == SIM_ORDER_TREE ||
	       ((sim_has_shares(rules) || rules->policy == FAIR_MAUI) &&
		rules->tree && rules->tree->nodes);
}

/* Does the policy promise a start when a job arrives? */
static inline bool sim_promises(const struct sim_rules *rules)
{
	return rules->policy == FAIR_CONSERVATIVE || rules->policy == FAIR_PC ||
	       rules->policy == FAIR_DC;
}

#endif /* SIM_H */
