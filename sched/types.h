/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/types.h - jobs, configuration, decisions, status, and their names
 *
 * The structures that a caller fills in and reads, then the two tables through
 * which the scheduler calls a policy: struct fair_planner_ops and struct
 * fair_ledger_ops; sched/answers.h has what explanations and forecasts tell.
 */

/* Errors that no other header returns; the values are those of Linux. */
#define FAIR_ENOENT 2
#define FAIR_ETIME 62

enum fair_policy {
	FAIR_FCFS,		/* in order; no job passes another */
	FAIR_BACKFILL,		/* config.depth reservations; easy: 1 */
	FAIR_CONSERVATIVE,	/* every queued job has a promised start */
	FAIR_PC,		/* the same, with prioritized compression */
	FAIR_DC,		/* the same, with delayed compression */
	FAIR_SFS,		/* FAIR_BACKFILL, accounts by occupancy first */
	FAIR_RELSHARE,		/* easy, users by relative share */
	FAIR_MAUI,		/* by priority, within throttling limits */
	FAIR_CUSTOM		/* config.planner: the caller's own */
};

enum fair_order {
	FAIR_ORDER_FCFS,	/* by time of submission */
	FAIR_ORDER_SJF,		/* shortest walltime first */
	FAIR_ORDER_LJF,		/* longest walltime first */
	FAIR_ORDER_WIDEST,	/* most processors first */
	FAIR_ORDER_NARROWEST,	/* fewest processors first */
	FAIR_ORDER_LXF,		/* largest (wait + walltime) / walltime first */
	FAIR_ORDER_TWO_TERM,	/* largest wait + config.weight * procs first */
	FAIR_ORDER_USAGE,	/* smallest decayed usage of the user first */
	FAIR_ORDER_KEY,		/* smallest config.key() first */
	FAIR_ORDER_COMPARE,	/* by config.compare() */
	FAIR_ORDER_TREE,	/* by the user's rank in a tree of accounts */
	FAIR_ORDER_DOMINANT,	/* smallest dominant share of the user first */
	FAIR_ORDER_PRIORITY,	/* highest priority of FAIR_MAUI first */
	FAIR_ORDER_RELSHARE	/* largest relative share of the user first */
};

enum fair_state {
	FAIR_QUEUED,
	FAIR_RUNNING,
	FAIR_INELIGIBLE, /* live, but not queued: see struct fair_eligibility */
	FAIR_DISPLACED	/* queued, but its reservation, which a loss took, is
			   not made again yet: see BOUNDED STEPS */
};

enum fair_after { /* what of another job a dependency asks for */
	FAIR_AFTER_NOTHING,	/* there is no dependency */
	FAIR_AFTER_OK,		/* fair_sched_finish(), or _exit() with 0 */
	FAIR_AFTER_ANY,		/* any end */
	FAIR_AFTER_NEVER_SATISFIED, /* of a query: the job ended otherwise */
	FAIR_AFTER_NOT_OK,	/* another exit, cancel, lost processors */
	FAIR_AFTER_START	/* its start, or its end without one */
};

/**
 * struct fair_eligibility - the conditions under which a job is queued.
 * @begin: its begin time: the job is ineligible before, seconds
 * @after: the number of the live job that it depends on
 * @end:   enum fair_after: which end of @after satisfies the dependency
 * @held:  the caller holds the job; fair_sched_defer() releases it
 */
struct fair_eligibility {
	int64_t begin;
	uint64_t after;
	uint32_t end;
	bool held;
};

/**
 * struct fair_dependency - a dependency on another job.
 * @after: the number of a live job, or of one that has ended
 * @end:   enum fair_after: what of it satisfies the dependency
 * @ended: the job has ended: FAIR_AFTER_OK or FAIR_AFTER_NOT_OK; 0: it is live
 */
struct fair_dependency {
	uint64_t after;
	uint32_t end, ended;
};

/**
 * struct fair_dependencies - several dependencies of a job.
 * @on:    the first
 * @count: how many, up to config.dependencies
 * @any:   one of them is enough: OR; else all are needed: AND
 */
struct fair_dependencies {
	const struct fair_dependency *on;
	uint32_t count;
	bool any;
};

/* Why a promise was made or moved. */
enum fair_cause {
	FAIR_CAUSE_NONE,
	FAIR_CAUSE_ARRIVAL,	/* the first promise, or of a resumed job */
	FAIR_CAUSE_EARLIER,	/* compression; all causes below delay it */
	FAIR_CAUSE_CAPACITY,	/* the machine lost processors */
	FAIR_CAUSE_OVERRUN,	/* a job ran past its walltime, or got more */
	FAIR_CAUSE_REFUSED,	/* the caller refused the start */
	FAIR_CAUSE_MODIFIED,	/* the caller modified the job */
	FAIR_CAUSE_LATE_STEP,	/* the step came after the promised start */
	FAIR_CAUSE_DEFERRED,	/* the caller made the job ineligible: to
				   FAIR_FOREVER */
	FAIR_CAUSE_REQUEUED,	/* the caller stopped and requeued the job */
	FAIR_CAUSE_ADVANCE,	/* its advance reservation was changed, was
				   withdrawn or is over, or another one took
				   its processors */
	FAIR_CAUSE_NO_SLOT,	/* config.jobs jobs are live, and the start of
				   the task needs one more: to FAIR_FOREVER */
	FAIR_CAUSE_SUSPENDED,	/* the caller suspended it: to FAIR_FOREVER */
	FAIR_CAUSE_LIMIT	/* a limit was added or lowered */
};

/* What a job belongs to; the order is that of enum fair_throttle_kind. */
enum fair_entity_kind {
	FAIR_ENTITY_USER,
	FAIR_ENTITY_GROUP,
	FAIR_ENTITY_ACCOUNT,
	FAIR_ENTITY_QOS,
	FAIR_ENTITY_QUEUE,
	FAIR_ENTITY_KINDS
};

/* As an id of a job: it belongs to no entity of this kind. */
#define FAIR_NO_ENTITY UINT32_MAX

/**
 * struct fair_entity - a user, group, account, QoS or queue.
 * @id:       the caller's
 * @index:    its place in the tables of the ledgers, and in arrays of the
 *            configuration
 * @usage:    processor-seconds that a ledger of the policy has charged until
 *            now, decayed; cost in place of it if jobs have a penalty
 * @fraction: its fraction, in 2^-64
 * @share:    FAIR_RELSHARE: share; FAIR_SFS: target, processors; else 0
 */
struct fair_entity {
	uint64_t id;
	uint32_t index;
	uint64_t usage, fraction;
	int64_t share;
};

/**
 * struct fair_credit - usage that was taken back.
 * @id, @kind: whose: enum fair_entity_kind
 * @reason: the caller's own number
 * @amount: processor-seconds, as asked for
 * @taken:  how much of it the entity had
 */
struct fair_credit {
	int64_t time;
	uint64_t id;
	uint32_t kind, reason;
	uint64_t amount, taken;
};

/* What a decision is, as the digest records it. */
enum fair_kind { FAIR_START = 1, FAIR_PROMISE = 2, FAIR_DELAY = 3 };

/**
 * struct fair_job - what the caller knows of a job.
 * @number:   identifies the job; unique among live jobs; breaks ties
 * @cookie:   64 bits of the caller's own, returned unchanged
 * @submit:   time of submission, seconds, not after now;
 *            FAIR_ORDER_TWO_TERM: from -2^60 on
 * @walltime: walltime limit, seconds, >= 1
 * @procs:    processors, >= 1
 * @user, @group, @account, @queue, @qos: ids, see USERS AND IDS in fairsched.h
 * @penalty:  FAIR_ORDER_USAGE: the charge per second, processors in 2^-20, up
 *            to 2^51, see policies/penalty.h; 0: @procs
 * @nodes:    FAIR_MAUI: nodes, >= 0
 * @memory, @swap, @disk: FAIR_MAUI: MB. These and @nodes count for its
 *            priorities and limits alone; planned are @procs and @amount, so
 *            that memory that is planned stands in @amount, too
 * @rate:     FAIR_MAUI: see struct fair_maui_request
 * @tasks:    0 or 1: a single job; more: an array of this many equal tasks,
 *            numbered @number, @number + 1 ...; see ARRAYS in fairsched.h
 * @advance:  the number of the advance reservation that the job is bound to,
 *            see RESERVATION JOBS; 0: none
 * @amount:   config.machine: of each resource; the first is @procs and is not
 *            read; NULL: none of the others. Copied, as @classes is
 * @classes:  config.machine: that may serve the job, in order of preference
 * @class_count: of @classes; 0: all, by number
 * @chunks:   config.nodes: equal parts of the job, each on one node; 0: 1. Its
 *            processors and amounts divide evenly among them, but for those of
 *            wide resources
 * @per_node: config.nodes: most of them on one node; 0: any number
 * @exclusive: config.nodes: takes each of its nodes whole
 * @span:     config.nodes: may use several of its classes at one time
 * @named:    config.nodes: the set of nodes that it may use; 0: all
 * @excluded: config.nodes: the set of those that it may not use; 0: none
 */
struct fair_job {
	uint64_t number, cookie;
	int64_t submit, walltime;
	int32_t procs;
	uint64_t user, group, account, queue, qos;
	int64_t penalty;
	int32_t nodes;
	int64_t memory, swap, disk, rate;
	uint32_t tasks;
	uint64_t advance;
	const int32_t *amount;
	const uint8_t *classes;
	uint32_t class_count;
	int32_t chunks, per_node;
	bool exclusive, span;
	uint32_t named, excluded;
};

/**
 * struct fair_promise - a promise was made or moved; @cookie is the job's.
 * @made:    the present
 * @from:    the start promised before; FAIR_FOREVER: none
 * @to:      the start promised now; FAIR_FOREVER: the machine is too small
 * @cause:   enum fair_cause
 * @culprit: FAIR_CAUSE_OVERRUN: the job that overran; else @number
 * @node_class: config.machine: the class in which it is to start
 */
struct fair_promise {
	uint64_t number, cookie;
	int64_t made, from, to;
	uint32_t cause, node_class;
	uint64_t culprit;
};

enum fair_advance_kind {
	FAIR_ADVANCE_MAINTENANCE,	/* the processors are unavailable */
	FAIR_ADVANCE_USER		/* the processors are reserved for the
					   jobs bound to it, or for a use that
					   the caller manages itself */
};

/**
 * struct fair_advance - an advance reservation: processors withheld from the
 * queue over a time interval.
 * @number: identifies it; unique among live ones; no job can be bound to 0
 * @from:   its first second; may have passed already
 * @to:     the first second after it; after now and within the horizon
 * @procs:  processors, >= 1, at most as many as the machine ever had; with
 *          config.machine of the class, >= 0
 * @kind:   enum fair_advance_kind
 * @user:   the caller's own
 * @node_class: config.machine: whose amounts
 * @amount: config.machine: of each resource, at most what the class ever had,
 *          not all 0; the first is @procs and is not read
 * @nodes, @named: config.nodes: in place of amounts, see sched/on_nodes.h
 *
 * Running jobs and lost capacity come first: while there are too few
 * processors, an advance reservation has those that are left, and it gets the
 * rest as running jobs end. So it does of each resource.
 */
struct fair_advance {
	uint64_t number;
	int64_t from, to;
	int32_t procs;
	uint32_t kind, user;
	uint32_t node_class;
	int32_t amount[FAIR_MACHINE_RESOURCES];
	int32_t nodes;
	uint32_t named;
};

struct fair_sched;
struct fair_why;
struct fair_classes;
struct fair_node_space;
struct fair_node_config;
struct fair_limit;
struct fair_planner_ops;
struct fair_ledger_ops;

#define FAIR_PATIENCE 60	/* fair_config.patience, by default */
#define FAIR_PATIENCE_NONE (-1) /* a refused job loses its turn at once */

/**
 * struct fair_config - the configuration; a field that is not needed is zero.
 * @policy:   enum fair_policy
 * @order:    enum fair_order; sched/rows.h has a table of what goes with what.
 *            FAIR_RELSHARE and FAIR_MAUI order the queue themselves;
 *            FAIR_ORDER_RELSHARE needs what FAIR_RELSHARE does; under
 *            FAIR_MAUI with FAIR_ORDER_TREE the FSDelta of a user is 100 *
 *            rank / users of @tree, weighed by FAIR_PRIORITY_FS_USER, as each
 *            iteration begins; @maui has a user for each node;
 *            FAIR_ORDER_PRIORITY: the priorities of @maui, as each iteration
 *            begins. Its caps, depth and selection do not count, nor a limit
 *            that other jobs exhaust, and accounts with a @target are no
 *            accounts of @maui. Under FAIR_PC and FAIR_DC an order that
 *            changes is that of the beginning of each compression
 * @depth:    FAIR_BACKFILL: reservations in each plan; 0 counts as 1
 * @select:   FAIR_BACKFILL: enum fair_select: which of the jobs without a
 *            reservation are backfilled
 * @metric:   enum fair_metric: the degree of fit that @select compares
 * @longest:  @select tries the longest backfill window first, else the widest
 * @procs:    processors of the machine
 * @machine:  several resources or node classes, see SEVERAL RESOURCES in
 *            fairsched.h; NULL: one pool of @procs; read by init and the size
 *            functions only
 * @nodes:    jobs are planned on nodes, see NODES in fairsched.h; needs
 *            @machine, and takes no @select, and of @maui FAIR_FIRSTFIT or
 *            FAIR_NOFIT; NULL: amounts; read by init and the size functions
 * @origin:   the first instant, seconds
 * @jobs:     most live jobs at once; a new array counts as two
 * @ineligible: most ineligible jobs at once; if @advances is not 0: @jobs;
 *            an array that waits for a slot only does not count
 * @dependencies: most dependencies of a job, see fair_sched_depend(), up to
 *            2^16: 16 bytes each for each of @jobs
 * @advances: most advance reservations at once. Room for any takes 36 bytes
 *            for each job, for ineligible jobs alone 16; the policies that
 *            plan afresh then use a profile, 41 bytes more for each job
 * @accounts: FAIR_SFS, @by_target: how many; a job's account is less
 * @target:   FAIR_SFS, @by_target: for each account, the processors that it
 *            may occupy before jobs of other accounts go first; see
 *            fair_sfs_target(); read by init only
 * @weight:   FAIR_ORDER_TWO_TERM: one processor counts as this many seconds of
 *            waiting, up to 2^28 [SFS 2.3]
 * @billing:  with machine: what a second of a job costs, for FAIR_ORDER_USAGE,
 *            and what counts for the targets of FAIR_SFS and the shares of
 *            FAIR_RELSHARE; NULL: its processors. These two take weights of
 *            whole processors, not 0 for processors, and a machine that costs
 *            at most 2^31 - 1. Copied, read by init and the size functions only
 * @half_life: FAIR_ORDER_USAGE, FAIR_ORDER_DOMINANT: seconds, up to
 *            FAIR_USAGE_HALF_LIFE; 0: usage does not decay. A running job is
 *            charged its whole walltime [MR 3.4]. No charge is dropped: where
 *            a ledger is full, its unit becomes twice as large.
 *            FAIR_ORDER_TREE: the same, from 1 on; a walltime of 2^60 units of
 *            fair_sched_tree_unit() is not charged
 * @users:    FAIR_RELSHARE, FAIR_ORDER_USAGE, FAIR_ORDER_DOMINANT: how many; a
 *            job's user is less.
 *            FAIR_ORDER_TREE: most accounts and users together; a job's user is
 *            the number of a user in the tree
 * @tree:     FAIR_ORDER_TREE: a tree of as many nodes and the same half-life,
 *            with its usage; init copies it; NULL: an empty one, see
 *            fair_sched_tree_add_account().
 *            FAIR_RELSHARE, in place of @share: such a tree; the share of a
 *            user is its fair_fairtree_portion() of the whole, rounded up to
 *            2^-20; other nodes have none. Usage is that of FAIR_RELSHARE;
 *            read by init only
 * @by_group: FAIR_RELSHARE: groups have the shares, not users; @users is how
 *            many, and a job's group is less
 * @share:    FAIR_RELSHARE: the share of each user; NULL: 1 each; read by init
 *            only
 * @window:   FAIR_RELSHARE: seconds; usage is counted anew from each multiple
 *            of it; @procs * @window is at most 2^59 processor-seconds
 * @window_origin: FAIR_RELSHARE: a window begins then, and others whole windows
 *            before and after it; from -2^62 to 2^62
 * @decays:   FAIR_RELSHARE: @window is a half-life of entitlement and usage, up
 *            to FAIR_RELSHARE_HALF_LIFE
 * @by_difference: FAIR_RELSHARE: the user with the largest entitled share less
 *            usage comes first, not that with the largest quotient
 * @by_target: FAIR_DC: what can start now is looked for among the jobs of
 *            accounts at or below their @target first, as under FAIR_SFS
 * @only_used: FAIR_RELSHARE: the expected usage of running jobs does not count
 * @ids:      0: users, accounts ... are numbers below their count, and exist
 *            from the start. Else none exists until fair_sched_add_entity(),
 *            ids are any numbers of the caller's, the counts of the policy are
 *            how many there is room for, and @ids is the room of each kind that
 *            it does not count. FAIR_ORDER_TREE takes none: a tree numbers its
 *            accounts and users together
 * @task_limits: most arrays at once with a fair_sched_limit_tasks()
 * @limits:   most fair_sched_limit() at once, see sched/on_limits.h
 * @limit:    as many of them that hold from the start; NULL: none
 * @credits:  the latest fair_sched_credit() of which a record is kept
 * @maui:     FAIR_MAUI, FAIR_ORDER_PRIORITY: its configuration; init copies it
 * @key:      FAIR_ORDER_KEY: the job with the smallest key is first, ties go
 *            to the lower number; called whenever a job is queued, at its
 *            arrival, at its release and so on
 * @compare:  FAIR_ORDER_COMPARE: < 0 if @a comes before @b at @now, > 0 if
 *            after, 0: by (submit, number); each walk sorts the queue by it
 * @fits:     unless NULL, called before a start: from when on does the caller
 *            accept that the job runs, for [@start, @end) at first? @start or
 *            earlier: it starts. Later: it does not start before that time,
 *            see REFUSED STARTS. FAIR_FOREVER, or a time after 2^61: not
 *            before fair_sched_retry().
 *            With @machine @job names one class, in which it is to start
 * @patience: seconds; the policies that promise: as long after the first of
 *            several refusals in a row a job keeps its turn, see REFUSED
 *            STARTS. 0: FAIR_PATIENCE; FAIR_PATIENCE_NONE: not at all
 * @promised: unless NULL, called for every promise
 * @context:  the first argument of these four
 * @planner:  FAIR_CUSTOM: the caller's table; see sched/policy.h
 * @ledger:   unless NULL, a ledger of the caller's beside those of the policy.
 *            Its order stands in place of @order, by which jobs go that are
 *            equal in it; sched/rows.h tells which policies take it
 *
 * @key, @compare, @fits depend only on their arguments and on what the caller
 * itself has decided: they answer the same after a checkpoint is loaded.
 */
struct fair_config {
	uint32_t policy, order, depth;
	uint32_t select, metric;
	bool longest;
	int32_t procs;
	const struct fair_machine_config *machine;
	const struct fair_node_config *nodes;
	const struct fair_billing *billing;
	int64_t origin;
	uint32_t jobs, ineligible, advances, dependencies;
	uint32_t accounts;
	const int64_t *target;
	int64_t weight, half_life;
	uint32_t users;
	const struct fair_fairtree *tree;
	const uint32_t *share;
	int64_t window, window_origin;
	bool only_used, by_group, by_difference, decays, by_target;
	uint32_t ids, credits, task_limits, limits;
	const struct fair_limit *limit;
	const struct fair_maui_config *maui;
	int64_t (*key)(void *context, const struct fair_job *job);
	int (*compare)(void *context, int64_t now, const struct fair_job *a,
		       const struct fair_job *b);
	int64_t (*fits)(void *context, const struct fair_job *job,
			int64_t start, int64_t end);
	int64_t patience;
	void (*promised)(void *context, const struct fair_promise *promise);
	void *context;
	const struct fair_planner_ops *planner;
	const struct fair_ledger_ops *ledger;
};

/** struct fair_decision - start this job now; with a machine, in a class. */
struct fair_decision {
	uint64_t number, cookie;
	int64_t time;
	uint32_t node_class;
};

/* What an ineligible job waits for: a sum of these. */
enum fair_waits {
	FAIR_WAITS_HELD = 1,
	FAIR_WAITS_BEGIN = 2,		/* its begin time */
	FAIR_WAITS_DEPENDENCY = 4,
	FAIR_WAITS_FOR_EVER = 8,	/* a dependency that is never
					   satisfied: cancel or defer the job */
	FAIR_WAITS_SLOT = 16,		/* see ARRAYS in fairsched.h */
	FAIR_WAITS_ADVANCE = 32,	/* its advance reservation */
	FAIR_WAITS_RESUME = 64		/* fair_sched_resume_job() */
};

/**
 * struct fair_job_status - a live job.
 * @state:         enum fair_state
 * @waits:         enum fair_waits; 0: it is not ineligible
 * @cause:         enum fair_cause of the last delay; FAIR_CAUSE_NONE: none
 * @moves:         how often its promise was moved
 * @start:         running: when it started, or was resized last; else the start
 *                 of its reservation, FAIR_FOREVER if it has none
 * @end:           running: its planned end
 * @first_promise: FAIR_FOREVER: none
 * @not_before:    it waits: the caller accepts no start before, see
 *                 config.fits(); FAIR_FOREVER: not before fair_sched_retry()
 * @node_class:    config.machine: where it runs or is to start; else 0
 * @ran:           seconds before @start: it was suspended or resized
 */
struct fair_job_status {
	struct fair_job job;
	uint32_t state, waits, cause, moves, node_class;
	int64_t start, end, first_promise, not_before;
	int64_t ran;
};

/* Private: a live job in its slot. */
struct fair_live {
	struct fair_queued queued; /* rank.key of a running job is its */
				   /* planned end */
	uint64_t cookie;
	int64_t submit;
	int64_t first_promise;
	uint32_t user, group, account, queue, qos;
	uint32_t moves;
	uint32_t starts_before; /* if it runs, of all jobs */
	uint32_t tasks_behind;	/* of its array, that wait as this */
	uint8_t cause;
	uint8_t refusals;		/* in a row, of its start */
	uint8_t state;
	bool charged;			/* provisionally, with its walltime */
	int64_t started;		/* if it runs */
	int64_t refused;		/* when the first of these was */
	int64_t penalty;
	int64_t ran;			/* seconds, before it started, */
	int64_t resized;		/* of these, since it was to start, */
	int64_t overran;		/* and more than it asked for */
};

/* Private: an ineligible job, or one that waits for its advance reservation. */
struct fair_ineligible {
	struct fair_eligibility condition;
	uint32_t slot;
	bool is_new;			/* it was never queued */
	bool is_planned;		/* in the advance reservation of it */
	bool is_any;			/* one of its list is enough */
	bool is_suspended;
};

/* Private: of @tasks tasks, numbered from @first on, @most run at once. */
struct fair_task_limit {
	uint64_t first;
	uint32_t tasks, most;
};

/* Private: the ids of one kind. */
struct fair_ids {
	uint64_t *id;		/* by index */
	uint32_t *hash;		/* index + 1 by id; 0: none */
	uint32_t *spare;	/* indexes of entities that were removed */
	uint32_t room, used, spares, bits;
};

/* Most ledgers at once: limits, of the order, of the policy, the caller's. */
#define FAIR_LEDGERS 4

/* Private: a ledger's table, and its state. */
struct fair_ledger {
	const struct fair_ledger_ops *ops;
	void *state;
};

/** struct fair_sched - the scheduler; all fields are private. */
struct fair_sched {
	struct fair_config config;
	void *promised_context;		/* of config.promised */
	int64_t now;
	int32_t procs;			/* of the machine at present */
	int32_t max_procs;		/* the most that it ever had */
	int32_t busy;			/* processors of running jobs */
	uint32_t jobs;			/* live */
	uint32_t waiting_arrays;	/* with more than one task left */
	uint32_t bound_jobs;		/* live reservation jobs */
	int64_t next_retry;		/* first not_before of a queued job */
	uint32_t slots;			/* of live[], in use or used before */
	uint32_t free_slots;		/* of these, without a job */
	struct fair_ineligible *ineligible;	/* by number */
	uint32_t ineligibles;
	int64_t *previous_start;	/* of these, in the plan before */
	uint64_t *bound_to;		/* by slot: an advance reservation; */
					/* NULL: no room for such jobs */
	struct fair_dependency *dependency;	/* by slot */
	struct fair_advance *advance;	/* by number */
	uint32_t advances;
	uint32_t *free_slot;
	uint32_t *running_bound_job;	/* slots of running reservation jobs, */
	uint32_t running_bound_jobs;	/* unordered, if config.advances */
	uint32_t *hash;			/* slot + 1 by number; 0: none */
	uint32_t hash_shift;
	struct fair_live *live;
	struct fair_queue running;	/* by planned end */
	const struct fair_planner_ops *planner;
	void *plan;			/* the planner's state */
	struct fair_moves moves;	/* of its events */
	struct fair_classes *classes;	/* config.machine; NULL: one pool */
	struct fair_node_space *nodes;	/* config.nodes; NULL: amounts */
	struct fair_quotas *limits;	/* config.limits; NULL: none */
	uint64_t parts;			/* nodes that live jobs may hold */
	struct fair_ids *ids;		/* config.ids; by kind */
	struct fair_credit *credit;	/* a ring of config.credits */
	uint64_t credits;		/* so far */
	struct fair_task_limit *task_limit;
	uint32_t task_limits;
	struct fair_ledger ledger[FAIR_LEDGERS];
	uint32_t ledgers;
	uint64_t digest;
	uint32_t displaced_by;		/* the last cause that displaced jobs */
	uint64_t displaced_culprit;
	uint32_t start_count;		/* modulo 2^32 */
	bool is_step_complete;		/* no event since, and none left */
	bool owes_reaction;		/* to a loss: at the next event */
	bool has_scan_limit;		/* one was set, perhaps to 0 */
	uint64_t scan_limit;		/* scans of a call; 0: any number */
	uint32_t pinned;		/* of a clone: slot + 1 of a job that */
	int64_t pinned_walltime;	/* keeps its place in the order; */
	int32_t pinned_procs;		/* its size before it was changed */
};

/**
 * struct fair_event - an event, for an operation that can move a promise.
 * @cause:   enum fair_cause of the promises that it delays
 * @culprit: FAIR_CAUSE_OVERRUN: the job that overran
 * @lost:    when a loss begins: reservations that end by then are no part of it
 * @report:  through which the planners of this library report moved
 *           reservations; see fair_sched_report_promise()
 */
struct fair_event {
	struct fair_sched *sched;
	uint32_t cause;
	uint64_t culprit;
	int64_t lost;
	struct fair_moves report;
};

/**
 * struct fair_room - the size at which a queued job would start now, if it
 * keeps its place in the order and other jobs keep their reservations.
 * @procs:        the most processors, with its present walltime
 * @walltime:     the longest walltime, with its present processors; at most its
 *                present walltime
 * @is_exact:     both are exact; else they are guesses to be tried on clones
 * @must_follow:  the job cannot start before the one in slot @head_slot
 * @reservations_ahead: reservations of jobs that come before it
 * @node_class:   with config.machine: where @walltime would be
 */
struct fair_room {
	int32_t procs;
	int64_t walltime;
	bool is_exact, must_follow;
	uint32_t head_slot, reservations_ahead, node_class;
};

/**
 * struct fair_planner_ops - a planner: which job starts when.
 * @name:     for messages
 * @promises: each queued job holds a reservation that starts at rank.key,
 *            FAIR_FOREVER while it has none, and each start is reported as a
 *            promise. The scheduler reports that of the job that is submitted,
 *            the planner all that it moves, through e->report
 * @heeds_ledgers: its plans keep the order, the gates and the vetoes of
 *            ledgers, see fair_ledgers_order(), _gate() and _veto(); else no
 *            configuration has both this planner and a ledger with one of them
 *
 * s->plan is the planner's state, s->live[slot].queued a queued job; the
 * planner sets its rank.key. The time is s->now, unless it is an argument. The
 * scheduler checks the arguments first: what returns void cannot fail. Comments
 * say when an operation is called, and, if it may be NULL, what that means.
 */
struct fair_planner_ops {
	const char *name;
	bool promises;

	/* Before init: bytes of the state; 0: not valid or too large. */
	size_t (*size)(const struct fair_config *config);
	/* At init: an idle machine, no job; size() bytes aligned to 8. */
	void (*init)(struct fair_sched *s, void *state);
	/* At a clone: copy the state; slot[i] is the copy's slot for slot i. */
	void (*clone)(struct fair_sched *copy, void *state,
		      const struct fair_sched *s, const uint32_t *slot);
	/* At any time: the queued jobs. */
	const struct fair_queue *(*queue)(const struct fair_sched *s);
	/*
	 * At any time: the space that it plans in, which init() and clone()
	 * prepare by fair_space_init() and fair_space_clone(). The scheduler
	 * adds config.machine to it after both. NULL: it has none.
	 */
	struct fair_space *(*space)(const struct fair_sched *s);

	/*
	 * When a job is queued; @was_queued: not for the first time.
	 * queued.mark may say that it keeps its turn: FAIR_MARK_TURN, it ran
	 * before; FAIR_MARK_DISPLACED, its start at rank.key was refused, and
	 * end_loss() comes next.
	 */
	void (*submit)(struct fair_sched *s, struct fair_event *e,
		       uint32_t slot, int64_t priority, bool was_queued);
	/* When a queued job is cancelled, deferred or modified. */
	void (*withdraw)(struct fair_sched *s, struct fair_event *e,
			 uint32_t slot);
	/*
	 * When a running job ends or gets shorter: what it held is free over
	 * [@from, @end), or from now on if @from is now. @end FAIR_FOREVER: the
	 * machine gains it.
	 */
	void (*give_back)(struct fair_sched *s, struct fair_event *e,
			  int64_t from, int64_t end,
			  const struct fair_claim *claim);
	/*
	 * When a running job overruns or gets longer: it holds @claim over
	 * [@from, @end) too. @end FAIR_FOREVER: the machine loses it.
	 * end_loss() comes next, or another take() of the same loss.
	 */
	void (*take)(struct fair_sched *s, struct fair_event *e, int64_t from,
		     int64_t end, const struct fair_claim *claim);
	/*
	 * When the scheduler itself changes the profile: add @procs to the
	 * machine's size and @free to the processors not in use; NULL: the
	 * planner counts neither.
	 */
	void (*change_counts)(struct fair_sched *s, int32_t procs,
			      int32_t free);
	/*
	 * Before the scheduler changes the profile: remove all reservations.
	 * end_loss() comes next.
	 */
	void (*displace_all)(struct fair_sched *s, struct fair_event *e);
	/*
	 * When time has passed beyond the first start that is promised: remove
	 * the reservations whose start is before now. end_loss() comes next.
	 * NULL: due() moves them.
	 */
	void (*catch_up)(struct fair_sched *s, struct fair_event *e);
	/*
	 * At the end of a loss: plan again what was removed, or is in the way,
	 * by turn. [@from, @end) may have become free. NULL: the next step
	 * does.
	 */
	void (*end_loss)(struct fair_sched *s, struct fair_event *e,
			 int64_t from, int64_t end);

	/*
	 * After an event that freed processors: move reservations earlier;
	 * NULL: there are none to move.
	 */
	void (*react)(struct fair_sched *s, struct fair_event *e);
	/*
	 * In a step, until it returns false: choose the next job that starts
	 * now, and remove it from the queue.
	 */
	bool (*due)(struct fair_sched *s, struct fair_event *e, uint32_t *slot);
	/*
	 * In fair_sched_next(): when a start is due without another event;
	 * NULL: when the caller accepts one that it refused.
	 */
	int64_t (*next)(const struct fair_sched *s);
	/*
	 * When decisions of this second no longer hold: decide again; NULL: the
	 * planner remembers none.
	 */
	void (*replan)(struct fair_sched *s);

	/*
	 * At any time: how many jobs this call may still scan, for the
	 * scheduler to set; UINT64_MAX: all. NULL: a call leaves no work
	 * undone, and the next four are NULL, too.
	 */
	uint64_t *(*scans)(const struct fair_sched *s);
	/* After a call: whether the scan limit left work undone. */
	bool (*is_unfinished)(const struct fair_sched *s);
	/* The same: whether that is a reaction to an event; NULL: never. */
	bool (*is_reacting)(const struct fair_sched *s);
	/* In fair_sched_resume(): go on with that; true: it is done. */
	bool (*resume)(struct fair_sched *s, struct fair_event *e);
	/* Before another event: finish it, or drop an unfinished plan. */
	void (*finish)(struct fair_sched *s, struct fair_event *e);

	/* When FAIR_RELSHARE orders users: the first reservation of a plan. */
	bool (*first_reservation)(const struct fair_sched *s,
				  struct fair_reservation *reservation);
	/*
	 * In an explanation: queued jobs that come before the one in @slot;
	 * NULL: those before it in the queue.
	 */
	uint32_t (*ahead)(const struct fair_sched *s, uint32_t slot);
	/*
	 * In an explanation: see struct fair_room; @room is zero at first.
	 * NULL: what the space has beside the reservations of other jobs, to be
	 * tried on clones.
	 */
	void (*room)(const struct fair_sched *s, uint32_t slot,
		     struct fair_room *room);
	/*
	 * In an explanation: fair_why_add_blocker() for each reservation that
	 * starts at @time; NULL: for each job that is promised @time.
	 */
	void (*blockers)(const struct fair_sched *s, uint32_t slot,
			 const struct fair_room *room, int64_t time,
			 struct fair_why *why);
	/*
	 * In an explanation: true if @why->until, and @why->promise if the plan
	 * has one, say when the job starts; false, or NULL: only a clone can.
	 */
	bool (*start_is_known)(const struct fair_sched *s, uint32_t slot,
			       struct fair_why *why);
	/*
	 * On a clone: fix the job's place in the order before it is resized.
	 * NULL: that does not depend on its size.
	 */
	void (*keep_place)(struct fair_sched *clone, uint32_t slot);

	/* At save: its own state, if any; a caller's sections are >= 1000. */
	void (*save)(const struct fair_sched *s, struct fair_checkpoint *f);
	/*
	 * At load, for each queued job; rank.key is the saved one, and
	 * queued.mark has FAIR_MARK_DISPLACED if that is to be made again.
	 */
	bool (*restore)(struct fair_sched *s, uint32_t slot, int64_t priority);
	/* At load, after the jobs: what save() wrote, if anything. */
	void (*load)(struct fair_sched *s, struct fair_checkpoint *f);
	/* In fair_sched_check(): 0, or the broken invariant of fairsched.h. */
	int (*check)(const struct fair_sched *s);

	/*
	 * When the caller's key of the queued job in @slot has changed; NULL:
	 * the job is withdrawn and submitted again, but a planner that promises
	 * takes no such change.
	 */
	void (*reprioritize)(struct fair_sched *s, struct fair_event *e,
			     uint32_t slot, int64_t priority);
	bool heeds_ledgers;
};

/* What the caller changes of an entity. */
enum fair_entity_change {
	FAIR_ENTITY_FORGET,	/* all, as if it were new */
	FAIR_ENTITY_USAGE,	/* its usage is that of struct fair_entity */
	FAIR_ENTITY_CREDIT,	/* its usage is taken back, and set to what the
				   entity had of it */
	FAIR_ENTITY_SHARE
};

/* What a ledger is told of; of _CAPACITY, _TIME, _STEP slot and @was are 0. */
enum fair_ledger_event {
	FAIR_LEDGER_QUEUED,	/* a job is queued */
	FAIR_LEDGER_WITHDRAWN,	/* a queued job is cancelled, deferred or
				   modified */
	FAIR_LEDGER_STARTED,
	FAIR_LEDGER_EXTENDED,	/* its planned end changed; @was: before */
	FAIR_LEDGER_RESIZED,	/* its walltime changed; @was: before */
	FAIR_LEDGER_ENDED,	/* a running job ends or is requeued; or it is
				   resized: then _QUEUED, _STARTED follow */
	FAIR_LEDGER_CAPACITY,	/* s->procs has changed, or its cost */
	FAIR_LEDGER_TIME,	/* time has passed: it is s->now */
	FAIR_LEDGER_STEP,	/* a step begins */
	FAIR_LEDGER_FILLED,	/* with a gate: FAIR_DC has the job start now,
				   before it does: it counts as running */
	FAIR_LEDGER_UNFILLED	/* the same plan has ended: it no longer does */
};

enum fair_saved { FAIR_SAVES_WINDOW = 1, FAIR_SAVES_HALF_LIFE = 2 };

/**
 * struct fair_ledger_ops - a ledger: which job goes first, and which may start.
 * @name:    for messages
 * @spreads: a start of one group may change the order of all others, too
 * @saves:   a sum of enum fair_saved: its checkpoint has these fields of the
 *           configuration, which may have changed
 *
 * An operation may be NULL, except for @size, @init and @clone. The comment of
 * each operation says when the scheduler calls it.
 */
struct fair_ledger_ops {
	const char *name;
	bool spreads;
	uint32_t saves;

	/* Before init: what it does not take, in English; NULL: nothing. */
	const char *(*find_error)(const struct fair_config *config);
	/* Before init: bytes of the state; 0: not valid or too large. */
	size_t (*size)(const struct fair_config *config);
	/* At init: 0 or an error of the configuration. */
	int (*init)(struct fair_sched *s, void *ledger);
	/* At a clone: copy the state; slot[i] is the copy's slot for slot i. */
	void (*clone)(struct fair_sched *copy, void *ledger,
		      const struct fair_sched *s, const void *from,
		      const uint32_t *slot);

	/*
	 * Whenever a plan compares the queued jobs in slots @a and @b, at
	 * s->now: < 0 if the first goes before, > 0 if the other, 0: by
	 * config.order. With group(), @a and @b are groups, in which jobs go by
	 * config.order. Of several ledgers with an order the last one decides.
	 */
	int (*order)(const struct fair_sched *s, const void *ledger, uint32_t a,
		     uint32_t b);
	/*
	 * Beside order(): the group of the job in @slot, below config.users;
	 * admit() refuses other jobs. Only starts and reservations of its own
	 * jobs change the place of a group, unless @spreads.
	 */
	uint32_t (*group)(const struct fair_sched *s, const void *ledger,
			  uint32_t slot);
	/* As a plan begins, for each queued job, before it is compared. */
	void (*prepare)(struct fair_sched *s, void *ledger, uint32_t slot);
	/*
	 * As a plan comes to the job in @slot: whether it goes first. A plan
	 * goes twice over the queue: over the jobs that all gates admit, then
	 * over all. A gate says which jobs go first, never which may not.
	 */
	bool (*gate)(const struct fair_sched *s, const void *ledger,
		     uint32_t slot);
	/*
	 * As a plan comes to the job in @slot: from which time >= @t on may it
	 * run for its whole walltime? FAIR_FOREVER, or a time after 2^61: not
	 * by time alone. Policies that promise ask it of any start, and again
	 * by fair_sched_replan(); the caller alone decides the answer. Others
	 * ask it of now, and pass the job over; there it may depend on running
	 * jobs, too, and no start lifts it. Reservation jobs are not asked for.
	 */
	int64_t (*veto)(const struct fair_sched *s, const void *ledger,
			uint32_t slot, int64_t t);

	/*
	 * Before a job is accepted: 0; -FAIR_EINVAL: a field is not valid;
	 * -FAIR_ENOENT: there is no such user, account ...; or why it could
	 * never start, which does not matter at load.
	 */
	int (*admit)(const struct fair_sched *s, const void *ledger,
		     const struct fair_job *job);
	/* When a job was accepted: it is in @slot. */
	void (*submit)(struct fair_sched *s, void *ledger, uint32_t slot,
		       const struct fair_job *job);
	/* When one of enum fair_ledger_event happened to the job in @slot. */
	void (*notify)(struct fair_sched *s, void *ledger, uint32_t event,
		       uint32_t slot, int64_t was);
	/* Before a job is resized: 0, or an error, which changes nothing. */
	int (*modify)(struct fair_sched *s, void *ledger, uint32_t slot,
		      int32_t procs, int64_t walltime);
	/* Before the machine grows: whether it may have, or cost, @procs. */
	bool (*can_grow)(const struct fair_sched *s, const void *ledger,
			 int32_t procs);
	/*
	 * In fair_sched_next(): when a job may start by the ledger's doing,
	 * beside the times that veto() names.
	 */
	int64_t (*next)(const struct fair_sched *s, const void *ledger);
	/*
	 * In a simulated run of an idle machine: whether a job may still start
	 * after @idle seconds without an event, beside those with a veto.
	 */
	bool (*can_change)(const struct fair_sched *s, const void *ledger,
			   int64_t idle);

	/* In a query: fill in the fields that only the ledger keeps. */
	void (*describe)(const struct fair_sched *s, const void *ledger,
			 uint32_t slot, struct fair_job *job);
	/*
	 * In an explanation: add the reasons why it holds the job back, beside
	 * FAIR_WHY_VETO.
	 */
	void (*explain)(const struct fair_sched *s, const void *ledger,
			uint32_t slot, struct fair_why *why);
	/* On a clone, before a job is resized: fix its priority. */
	void (*keep_place)(struct fair_sched *clone, void *ledger,
			   uint32_t slot, int32_t procs, int64_t walltime);

	/* At save. */
	void (*save)(const struct fair_sched *s, const void *ledger,
		     struct fair_checkpoint *f);
	/* At load, after the planner. */
	void (*load)(struct fair_sched *s, void *ledger,
		     struct fair_checkpoint *f);
	/* In fair_sched_check(): 0, or a broken invariant of its own. */
	int (*check)(const struct fair_sched *s, const void *ledger);

	/* In a query: what it keeps of an entity; false: nothing. */
	bool (*read)(const struct fair_sched *s, const void *ledger,
		     uint32_t kind, struct fair_entity *entity);
	/*
	 * When the caller changes an entity that the ledger keeps: 0;
	 * -FAIR_EINVAL: there is no such change; -FAIR_EOVERFLOW.
	 */
	int (*write)(struct fair_sched *s, void *ledger, uint32_t kind,
		     enum fair_entity_change change,
		     struct fair_entity *entity);

	/* At load, before the jobs: what admit() must know of. */
	void (*preload)(struct fair_sched *s, void *ledger,
			struct fair_checkpoint *f);
	/*
	 * When a running job gets the size of @job until its planned end, in
	 * place of FAIR_LEDGER_ENDED, _QUEUED and _STARTED: 0; -FAIR_ERANGE: a
	 * limit of the policy forbids it, which changes nothing. A ledger of
	 * the caller's returns 0.
	 */
	int (*resize)(struct fair_sched *s, void *ledger, uint32_t slot,
		      const struct fair_job *job);
	/*
	 * In a simulated run in which nothing else happens before @until: as
	 * next(), or a later time before @until, if all that next() would name
	 * until then start no job and leave behind what that one leaves. NULL:
	 * as next().
	 */
	int64_t (*next_before)(const struct fair_sched *s, const void *ledger,
			       int64_t until);
	/*
	 * Before init: how many entities of a kind it has room for; NULL:
	 * config.users or config.accounts.
	 */
	uint32_t (*entities)(const struct fair_config *config, uint32_t kind);
	/*
	 * In a conversion: what the running job in @slot will be charged a
	 * second, in the unit of read(); NULL: what it used is charged already.
	 */
	int64_t (*rate)(const struct fair_sched *s, uint32_t slot);
};

/**
 * fair_ledgers_order() - the order of the ledgers, for a planner.
 * @a, @b: slots of queued jobs
 *
 * Return: < 0 if the job in @a goes before that in @b, > 0 if after it, 0: by
 * config.order, since no ledger has an order, or for this one they are equal.
 */
FAIRSCHED_API int fair_ledgers_order(const struct fair_sched *s, uint32_t a,
				     uint32_t b);

/** fair_ledgers_gate() - whether all gates admit the queued job in @slot. */
FAIRSCHED_API bool fair_ledgers_gate(const struct fair_sched *s, uint32_t slot);

/**
 * fair_ledgers_veto() - from when on the ledgers let the job in @slot run.
 *
 * Return: @t, if no ledger has a veto now; else a later time before which one
 * has, or FAIR_FOREVER.
 */
FAIRSCHED_API int64_t fair_ledgers_veto(const struct fair_sched *s,
					uint32_t slot, int64_t t);
