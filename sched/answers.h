/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/answers.h - what simulated runs, why, what-if and forecasts answer
 *
 * Uses: types.h.
 */

/* Names of what is enumerated, for other languages. */

/** fair_policy_name() - of enum fair_policy, as the command spells it. */
FAIRSCHED_API const char *fair_policy_name(uint32_t policy);

/** fair_order_name() - of enum fair_order. */
FAIRSCHED_API const char *fair_order_name(uint32_t order);

/** fair_state_name() - of enum fair_state. */
FAIRSCHED_API const char *fair_state_name(uint32_t state);

/** fair_cause_name() - of enum fair_cause: why a promise moved. */
FAIRSCHED_API const char *fair_cause_name(uint32_t cause);

/** fair_reason_name() - of the first of a sum of enum fair_reason. */
FAIRSCHED_API const char *fair_reason_name(uint32_t reasons);

/** fair_policy_by_name() - what fair_policy_name() calls so, enum fair_policy;
 * -FAIR_ENOENT: there is none; -FAIR_EINVAL: NULL. */
FAIRSCHED_API int fair_policy_by_name(const char *name);

/** fair_order_by_name() - enum fair_order, or -FAIR_ENOENT, -FAIR_EINVAL. */
FAIRSCHED_API int fair_order_by_name(const char *name);

/** fair_state_by_name() - enum fair_state, or -FAIR_ENOENT, -FAIR_EINVAL. */
FAIRSCHED_API int fair_state_by_name(const char *name);

/** fair_cause_by_name() - enum fair_cause, or -FAIR_ENOENT, -FAIR_EINVAL. */
FAIRSCHED_API int fair_cause_by_name(const char *name);

/** fair_reason_by_name() - enum fair_reason, or -FAIR_ENOENT, -FAIR_EINVAL. */
FAIRSCHED_API int fair_reason_by_name(const char *name);

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/**
 * fair_damage_text() - why fair_sched_load() refuses a checkpoint, in English;
 * of another format it tells that, and the one that this version reads.
 * @damage: as fair_sched_load() sets it
 * @config: as it was given to fair_sched_load(), to name the first field that
 *          the checkpoint has otherwise; NULL: name none
 * @text:   out: terminated by 0; cut if @size is too small
 *
 * Return: the length of the whole text, without the 0.
 */
FAIRSCHED_API size_t fair_damage_text(int damage,
				      const struct fair_config *config,
				      const void *checkpoint, size_t bytes,
				      char *text, size_t size);
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

/**
 * struct fair_cycle - jobs that would wait for each other.
 * @job:  their numbers, up to @room: each waits for the next
 * @jobs: out: how many there are, also if that is more than @room
 */
struct fair_cycle {
	uint64_t *job;
	size_t room, jobs;
};

/**
 * struct fair_simulated_events - what happens in a simulated run.
 * @run:     how long a job really runs, seconds, >= 0, from its start
 * @next:    when the caller's next event is due, e.g. an arrival, seconds;
 *           FAIR_FOREVER: none is left. Without it the run is over when no job
 *           can start or end any more
 * @arrive:  tell the scheduler of the caller's events that are due now: after
 *           the ends of jobs, before the starts
 * @ended:   the job ended
 * @started: the job starts; the step is not over: do not call the scheduler
 * @context: the first argument of each
 *
 * Each but @run may be NULL. What @arrive, @ended or @started returns, if it is
 * not 0, is an error that ends the run.
 */
struct fair_simulated_events {
	int64_t (*run)(void *context, uint64_t number);
	int64_t (*next)(void *context);
	int (*arrive)(void *context, int64_t now);
	int (*ended)(void *context, uint64_t number, int64_t now);
	int (*started)(void *context, uint64_t number, int64_t now);
	void *context;
};

/* Private: when a job that runs will really end. */
struct fair_simulated_end {
	int64_t end;
	uint32_t slot;
};

/*
 * A simulated run may have so many instants, for each job of the configuration
 * and for each event of the caller, and so many more. All others are ends of
 * jobs, which live in the table or are tasks of an array, and iterations of
 * Maui's timer. Beyond them the run is over, with -FAIR_EOVERFLOW from
 * fair_simulated_run_start(), _join() and _instant(), and from all that plays
 * such runs: fair start times, estimates, samples, forecasts, what-if. Only
 * fair_sched_why() answers, and leaves FAIR_UNKNOWN_UNTIL.
 */
#define FAIR_SIMULATED_ROUNDS_EACH 1000
#ifndef FAIR_SIMULATED_ROUNDS
#define FAIR_SIMULATED_ROUNDS 1048576 /* the same in every file */
#endif

/**
 * struct fair_simulated_run - a scheduler whose jobs end by their run times.
 * @until: seconds: nothing happens from then on. For the caller to set, again
 *         and again; FAIR_FOREVER at first
 * @together: ends of one second are one event, as fair_sched_finish_many()
 *         reports them, and not one after another in the order of the starts.
 *         For the caller to set; false at first. The rest is private
 */
struct fair_simulated_run {
	int64_t until;
	bool together;
	struct fair_sched *sched;	/* the caller's, or a clone */
	struct fair_simulated_end *end;	/* the next first: a binary heap */
	uint32_t running;
	int64_t now;
	int64_t busy;			/* when a job ended last; first: now */
	bool played;			/* the instant now */
	int64_t rounds;			/* that may follow */
	struct fair_simulated_events events;
};

/**
 * struct fair_fst - fair start times of a job; FAIR_FOREVER: it never starts.
 * @strict:  its start if no job arrived after it
 * @relaxed: its start if no job arrived after it, and it arrived only when all
 *           jobs that wait before it had started
 */
struct fair_fst {
	int64_t strict, relaxed;
};

/* Why a queued job does not start now: a sum of these. */
enum fair_reason {
	FAIR_WHY_REFUSED = 1,	/* the caller refused its start */
	FAIR_WHY_MACHINE = 2,	/* it is wider than the machine at present */
	FAIR_WHY_PROCS = 4,	/* too few processors are free */
	FAIR_WHY_DELAY = 8,	/* it would delay the first blocker */
	FAIR_WHY_BEHIND = 16,	/* no job may pass the first blocker */
	FAIR_WHY_TARGET = 32,	/* its account is above its target */
	FAIR_WHY_LIMIT = 64,	/* above a limit of its user, group, ... */
	FAIR_WHY_CAP = 128,	/* one of these has used more than its cap */
	FAIR_WHY_NOTHING = 256,	/* none: the next compression may start it */
	FAIR_WHY_INELIGIBLE = 512,	/* it is not queued */
	FAIR_WHY_ADVANCE = 1024,	/* it would run into an advance
					   reservation, or one is active */
	FAIR_WHY_OWN_ADVANCE = 2048,	/* with FAIR_WHY_INELIGIBLE: it waits
					   for its own advance reservation */
	FAIR_WHY_NO_SLOT = 4096,	/* with FAIR_WHY_INELIGIBLE: config.jobs
					   jobs are live, and its start needs
					   one more */
	FAIR_WHY_RESOURCE = 8192,	/* config.machine: each class that may
					   serve it has too little free */
	FAIR_WHY_TREE = 16384,	/* FAIR_ORDER_TREE: a job of another user is the
				   first of the queue */
	FAIR_WHY_SUSPENDED = 32768,	/* with FAIR_WHY_INELIGIBLE */
	FAIR_WHY_VETO = 65536,	/* a ledger does not let it run now */
	FAIR_WHY_NODES = 131072, /* config.nodes: the nodes that it may use do
				    not have room for all its chunks */
	FAIR_WHY_BUDGET = 262144 /* a budget of its user, group, ... has no
				    room for it, or for a job before it */
};

/* Which fields of struct fair_why only a clone could tell: a sum of these. */
enum fair_unknown {
	FAIR_UNKNOWN_PROCS = 1,
	FAIR_UNKNOWN_WALLTIME = 2,
	FAIR_UNKNOWN_UNTIL = 4,
	FAIR_UNKNOWN_AMOUNT = 8,
	FAIR_UNKNOWN_CLASS = 16
};

/**
 * struct fair_blocker - a job that prevents another from starting.
 * @state: enum fair_state
 * @start: running: when it started; queued: its promise or reservation
 * @end:   running: its planned end; queued: FAIR_FOREVER
 */
struct fair_blocker {
	uint64_t number;
	int64_t start, end;
	int32_t procs;
	uint32_t state;
};

#define FAIR_BLOCKERS 8

#ifndef FAIRSCHED_WITHOUT_TREE
/**
 * struct fair_tree_why - why the first job of the queue comes before a job.
 * @first:   the number of that job
 * @user:    its user
 * @tie:     both users share a rank: it was submitted first
 * @node:    [0] the account above the job's user, or that user, and [1] the
 *           same of @user, that differ in their level fair shares: children of
 *           their first common account, or below accounts that tie
 * @account: whose children, or FAIR_FAIRTREE_ROOT
 * @part:    what they have used, and are owed, of what @account has
 */
struct fair_tree_why {
	uint64_t first;
	uint32_t user, node[2], account[2];
	bool tie;
	struct fair_fairtree_part part[2];
};
#endif /* FAIRSCHED_WITHOUT_TREE */

/**
 * struct fair_why - why a job does not start now, and what would change that.
 * @job:       the job as it is
 * @now:       the time of the last step
 * @reasons:   enum fair_reason
 * @machine:   processors of the machine at present
 * @free:      processors not in use
 * @free_at:   when enough processors for it are free, or with
 *             FAIR_WHY_RESOURCE enough of @resource in @node_class, or with
 *             FAIR_WHY_NODES nodes for all its chunks, by the planned ends of
 *             running jobs; with FAIR_WHY_LIMIT alone, config.limits and not
 *             config.maui, when its limits have room; FAIR_FOREVER: never, as
 *             with FAIR_WHY_BUDGET alone
 * @promise:   the start of its reservation; FAIR_FOREVER: it has none
 * @not_before: FAIR_WHY_REFUSED: the caller accepts no start before;
 *             FAIR_FOREVER: not before fair_sched_retry()
 * @occupancy: FAIR_SFS: of its account, processors
 * @target:    FAIR_SFS: of its account
 * @limit:     FAIR_WHY_LIMIT, FAIR_WHY_BUDGET: which one; of resource r of
 *             config.machine, as FAIR_THROTTLE_RESOURCES + r, and of
 *             FAIR_LIMIT_COST or FAIR_LIMIT_BUDGET likewise, less
 *             FAIR_LIMIT_PROCS
 * @ineligible: FAIR_WHY_INELIGIBLE: the conditions that it waits for; of
 *             several dependencies the first that keeps it waiting, for ever if
 *             one does
 * @dependencies: FAIR_WHY_INELIGIBLE: how many there are
 * @advance:   FAIR_WHY_ADVANCE: the first advance reservation in its way;
 *             FAIR_WHY_OWN_ADVANCE: its own; empty interval: it does not exist
 * @ahead:     queued jobs that come before it in the order
 * @blockers:  how many jobs prevent its start: FAIR_WHY_DELAY: the reservations
 *             that begin first; FAIR_WHY_BEHIND: the first job of the queue;
 *             FAIR_WHY_PROCS, FAIR_WHY_RESOURCE: the running jobs that end
 *             until @free_at; FAIR_WHY_NODES: those of them that run on nodes
 *             that it may use; FAIR_WHY_LIMIT alone, likewise: those that hold
 *             the limit while it would run
 * @blocker:   the first of them
 * @node_class: FAIR_WHY_RESOURCE: of the classes that at present have enough of
 *             all resources, or else of all, the one that lacks the fewest; of
 *             equal ones the first in the job's order; UINT32_MAX: @resource
 *             belongs to the whole machine
 * @resource:  FAIR_WHY_RESOURCE: the first that it lacks
 * @left:      FAIR_WHY_RESOURCE: how much of that is free in the class
 * @asked:     FAIR_WHY_RESOURCE: how much of it the job asks for
 * @resources: config.nodes: how many there are
 * @chunk:     config.nodes: of each resource, what a chunk asks for of its
 *             node; of a wide one 0
 * @hosted:    config.nodes: before @free_at, or, if that is now, from then on,
 *             the most chunks that the nodes of a class, with job.span those of
 *             all its classes, have room for beside running jobs; job.chunks:
 *             what is in the way are reservations
 * @freed_by:  FAIR_WHY_NODES: the first job that runs on a node that it may use
 *             and has its planned end at @free_at, if that is a time to come
 * @tree:      FAIR_WHY_TREE: where it is behind the first job of the queue
 * @vetoed_by: FAIR_WHY_VETO: the name of the ledger, of several the last
 * @vetoed_until: FAIR_WHY_VETO: until when; FAIR_FOREVER: not by time alone
 * @unknown:   enum fair_unknown
 * @amount:    FAIR_WHY_RESOURCE: the most of @resource, not processors, with
 *             which it would start now; -1: none
 * @other_class: config.machine: the first class in which it would start now and
 *             that is not among its own; UINT32_MAX: none
 * @procs:     the most processors with which it would start now; 0: none
 * @walltime:  the longest walltime with which it would start now; 0: none
 * @until:     when it starts if nothing else happens and jobs run for their
 *             walltimes; if that is unknown, the promise; FAIR_FOREVER: never
 *
 * @procs, @walltime, @amount, @other_class and @until each stand alone; the job
 * keeps its place in the order. With FAIR_WHY_NOTHING it is its own size that
 * would start, if it were placed again.
 */
struct fair_why {
	struct fair_job job;
	int64_t now;
	uint32_t reasons;
	int32_t machine, free;
	int64_t free_at, promise, not_before;
	int64_t occupancy, target;
#ifndef FAIRSCHED_WITHOUT_THROTTLE
	struct fair_throttle_violation limit;
#endif /* FAIRSCHED_WITHOUT_THROTTLE */
	struct fair_eligibility ineligible;
	uint32_t dependencies;
	struct fair_advance advance;
	uint32_t ahead, blockers;
	struct fair_blocker blocker[FAIR_BLOCKERS];
	uint32_t node_class, resource;
	int32_t left, asked;
	uint32_t resources;
	int32_t chunk[FAIR_MACHINE_RESOURCES], hosted;
	uint64_t freed_by;
#ifndef FAIRSCHED_WITHOUT_TREE
	struct fair_tree_why tree;
#endif /* FAIRSCHED_WITHOUT_TREE */
	const char *vetoed_by;
	int64_t vetoed_until;
	uint32_t unknown;
	int32_t procs, amount;
	uint32_t other_class;
	int64_t walltime, until;
};

/**
 * struct fair_draw - how to draw run times for a forecast.
 * @run:     seconds that @job, queued or running, runs in all, those before it
 *           was suspended (@job->ran) included; a pure function
 *           of its arguments. A result above the walltime counts as the
 *           walltime; one below the time that a running job has run already
 *           means that it ends now
 * @context: its first argument
 * @seed:    of @random, which depends on the seed, the sample and the job's
 *           number only
 * @samples: >= 1, at most so many
 */
struct fair_draw {
	int64_t (*run)(void *context, const struct fair_job_status *job,
		       uint64_t random);
	void *context;
	uint64_t seed;
	uint32_t samples;
};

/**
 * struct fair_forecast - percentiles of a start, by nearest rank.
 * @half_width: seconds: half of the widest of the three 95 % confidence
 *              intervals; FAIR_FOREVER: unknown, for lack of samples or because
 *              the job may never start
 * @samples:    how many there were
 *
 * An interval is between two samples in ascending order, whose ranks follow
 * from the binomial distribution: no distribution of starts is assumed.
 */
struct fair_forecast {
	int64_t p10, p50, p90, half_width;
	uint64_t samples;
};

#ifndef FAIRSCHED_WITHOUT_RUNS
/**
 * fair_sched_sample() - one sample of fair_sched_forecast(), for a caller that
 * takes samples in several threads. Each has its own memory.
 * @i:      number of the sample, from 0
 * @memory: fair_sched_fst_size() bytes, free again afterwards
 * @start:  out: when the job starts in it; FAIR_FOREVER: never
 *
 * Return: 0; -FAIR_ENOENT; -FAIR_EINVAL if it runs; -FAIR_ENOMEM;
 * -FAIR_EOVERFLOW, see FAIR_SIMULATED_ROUNDS.
 * Complexity: a clone and the events until then.
 */
FAIRSCHED_API int fair_sched_sample(const struct fair_sched *s, uint64_t number,
				    const struct fair_draw *draw, uint32_t i,
				    void *memory, size_t bytes, int64_t *start);

/**
 * fair_forecast_add() - add sample f->samples.
 * @f:     zeros before the first one
 * @start: f->samples starts, ascending, and room for one more
 * @x:     start of this one
 *
 * Return: whether half_width is at most 5 % of p90 - p10: no more samples are
 * needed. Complexity: O(samples).
 */
FAIRSCHED_API bool fair_forecast_add(struct fair_forecast *f, int64_t *start,
				     int64_t x);
#endif /* FAIRSCHED_WITHOUT_RUNS */

/**
 * struct fair_change - a job in two schedulers: [0] as is, [1] what if.
 * @start:   FAIR_FOREVER: it does not start, or does not exist
 * @promise: the start of its reservation; FAIR_FOREVER: it has none
 */
struct fair_change {
	uint64_t number;
	int64_t start[2], promise[2];
};
