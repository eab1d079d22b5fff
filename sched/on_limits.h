/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/on_limits.h - limits that plans and promises keep
 *
 * A limit is the most that the jobs of a user, group, account, QoS or queue may
 * hold at one time, in jobs, processors, cost or another resource: running jobs
 * until their planned ends, reserved jobs in their reservations. A job that
 * asks for none of it is not held back by it. Within a group, account, QoS or
 * queue a limit may be for each user, and in FAIR_ORDER_TREE one of an account
 * counts the jobs of all users below it.
 *
 *   static const struct fair_limit limit[] = {
 *           { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, FAIR_LIMIT_EACH, 64 },
 *           { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 7, 256 },   // but user 7
 *   };
 *
 *   config.limits = 2;		// at most, at any time
 *   config.limit = limit;	// from the start; or later:
 *   ...
 *   fair_sched_limit(&sched, now, &limit[1]);
 *
 * Under the policies that promise, a start is promised where the machine and
 * all limits of the job have room for its whole walltime. So a promise keeps
 * them, and never moves later for one that stood when it was made. Under those
 * that plan afresh, a job for which a limit has no room from now on for its
 * whole walltime is passed over, without a reservation, and delays no other.
 *
 * A limit that is added or lowered is a loss: jobs that run go on, and promises
 * that exceed it move, by turn, with FAIR_CAUSE_LIMIT; a job that asks for more
 * than it has no promise. One that is raised or removed is as a job that ended
 * early. Of an array its running and reserved tasks count.
 *
 * A budget is the most that jobs may use in all, in processor-seconds, or in
 * cost with config.billing: what ended jobs have used since it was set, which
 * does not decay, and the whole walltimes of running and reserved jobs. A job
 * for which it has no room has no promise, or is passed over, and is in the way
 * of none; FAIR_WHY_BUDGET says so. Under the policies that promise, such jobs
 * are tried by (submit, number) where room may have come: as a job ends early
 * or is cancelled, or the budget is raised; one that finds none holds back
 * those behind it that the same budget counts. A promise that was made stays,
 * though a job of the same owner overruns: what it used counts at its end. A
 * budget that is lowered is a loss for the promises of its owner, which are
 * made again by turn.
 *
 * FAIR_MAUI has limits of its own beside these, which it alone keeps. A planner
 * of the caller's keeps limits if it plans in a space, see docs/POLICY.md. Jobs
 * that are bound to an advance reservation count where they are planned in it,
 * and are not held back: as one of them moves, promises that exceed a limit do,
 * with FAIR_CAUSE_LIMIT. An exclusive job counts as what it asks for. See
 * quotas.h.
 *
 * Uses: types.h.
 */

/* Whose jobs a limit counts: one of enum fair_entity_kind, or else of these. */
enum fair_limit_kind {
	FAIR_LIMIT_GROUP_USER = FAIR_ENTITY_KINDS, /* each user within one */
	FAIR_LIMIT_ACCOUNT_USER,
	FAIR_LIMIT_QOS_USER,
	FAIR_LIMIT_QUEUE_USER,
	FAIR_LIMIT_TREE, /* all below an account of the tree */
	FAIR_LIMIT_KINDS
};

/* Most accounts with limits on the way from a node of the tree to its root. */
#define FAIR_LIMIT_LEVELS 8

/* What a limit counts. */
enum fair_limit_resource {
	FAIR_LIMIT_JOBS,
	FAIR_LIMIT_PROCS, /* + r: resource r of config.machine, of the job */
	FAIR_LIMIT_COST = FAIR_LIMIT_PROCS + FAIR_MACHINE_RESOURCES,
	FAIR_LIMIT_BUDGET, /* whole units of what jobs use in all */
	FAIR_LIMIT_RESOURCES
};

/* As an id: each entity that has no limit of its own on this resource. */
#define FAIR_LIMIT_EACH UINT64_MAX
/* As an amount: there is no limit. */
#define FAIR_LIMIT_NONE INT64_MAX

/**
 * struct fair_limit - the most that jobs of an entity may hold at one time.
 * @kind:     enum fair_entity_kind, enum fair_limit_kind
 * @resource: FAIR_LIMIT_JOBS; FAIR_LIMIT_PROCS; FAIR_LIMIT_PROCS + a resource;
 *            FAIR_LIMIT_COST with config.billing: by its weights, in 2^-20;
 *            FAIR_LIMIT_BUDGET: processor-seconds, or cost by the same weights,
 *            what a job uses being rounded up
 * @id:       the caller's; of the entity within which each user has the limit,
 *            or of an account of the tree; or FAIR_LIMIT_EACH, but not with
 *            FAIR_LIMIT_TREE. A budget is of one entity or account, and not of
 *            each, nor of users within one
 * @amount:   >= 0; or FAIR_LIMIT_NONE. What a job costs, or uses of a budget,
 *            counts as 2^61 / config.jobs if it is more
 */
struct fair_limit {
	uint32_t kind, resource;
	uint64_t id;
	int64_t amount;
};

#ifndef FAIRSCHED_WITHOUT_LIMITS

/**
 * fair_sched_limit() - add, change or remove a limit.
 * @limit: replaces that of the same kind, resource and id; FAIR_LIMIT_NONE
 *         removes it
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also without config.limits;
 * -FAIR_ENOENT: there is no such entity, or account of the tree; -FAIR_ENOSPC:
 * config.limits, or FAIR_LIMIT_LEVELS one below another, are set. Complexity:
 * O(live jobs * log), and the policy's reaction; FAIR_LIMIT_TREE: and O(nodes *
 * depth).
 */
FAIRSCHED_API int fair_sched_limit(struct fair_sched *s, int64_t now,
				   const struct fair_limit *limit);

/**
 * fair_sched_set_spent() - what ended jobs have used of a budget is @spent from
 * now on: less is a credit, which may make room for jobs; more is a loss.
 * @budget: its kind, resource and id
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL; -FAIR_ENOENT: there is no such budget.
 */
FAIRSCHED_API int fair_sched_set_spent(struct fair_sched *s, int64_t now,
				       const struct fair_limit *budget,
				       int64_t spent);

/** fair_sched_get_spent() - what they have used of it; 0: there is none. */
FAIRSCHED_API int64_t fair_sched_get_spent(const struct fair_sched *s,
					   const struct fair_limit *budget);

/**
 * fair_sched_each_limit() - the limits that are set, in any order.
 * @at: 0 at first; changed; any change of the scheduler ends the iteration
 *
 * Return: false at the end.
 */
FAIRSCHED_API bool fair_sched_each_limit(const struct fair_sched *s,
					 uint32_t *at,
					 struct fair_limit *limit);

/**
 * fair_sched_find_limit() - the first limit that forbids a job even on an empty
 * machine, so that fair_sched_submit() refuses it.
 * @limit: out: with the id of the job's entity, also if it is one of each
 *
 * Return: whether there is one.
 */
FAIRSCHED_API bool fair_sched_find_limit(const struct fair_sched *s,
					 const struct fair_job *job,
					 struct fair_limit *limit);

#endif /* FAIRSCHED_WITHOUT_LIMITS */
