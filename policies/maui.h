/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui.h - Maui: the priority of each job, and the limits that let it start
 *
 * It keeps what usage.h, priority.h and throttle.h need to know of live jobs
 * from one scheduling iteration to the next:
 *
 *	          running jobs                      waiting jobs
 *	               |                                 |
 *	       usage of the last                    priority -- order
 *	       windows, in percent --- FSDelta ---------+
 *	               |                                 |
 *	               +-- over its cap? -------- gate --+-- may it start?
 *	       jobs, processors ... in use,              |
 *	       soft and hard limits ---------------------+
 *
 * Users, groups, accounts, QoS and queues are credentials; each has a number
 * of its own kind, from 0 on.
 *
 * INSTALL
 *	In ONE file:	#define FAIR_MAUI_IMPLEMENTATION
 *			#define FAIR_USAGE_IMPLEMENTATION
 *			#define FAIR_PRIORITY_IMPLEMENTATION
 *			#define FAIR_THROTTLE_IMPLEMENTATION
 *			#include "maui.h"
 *	FAIRSCHED_IMPLEMENTATION does it for the whole family.
 *
 * EXAMPLE
 *	struct fair_maui_credential user[2] = {
 *		fair_maui_credential_defaults(), fair_maui_credential_defaults()
 *	};
 *	struct fair_maui_config config = fair_maui_defaults();
 *	struct fair_maui_request job = { { 1, FAIR_THROTTLE_NONE,
 *					   FAIR_THROTTLE_NONE,
 *					   FAIR_THROTTLE_NONE,
 *					   FAIR_THROTTLE_NONE },
 *					 16, 16, 3600, 0, 0, 0, 0 };
 *	struct fair_priority_parts parts;
 *	struct fair_maui m;
 *
 *	user[1].priority = 100;			// PRIORITY=100
 *	user[1].hard[FAIR_THROTTLE_PROCS] = 32;	// MAXPROC=16,32
 *	user[1].soft[FAIR_THROTTLE_PROCS] = 16;
 *	config.priority.weight[FAIR_PRIORITY_USER] = 1;
 *	config.count[FAIR_THROTTLE_USER] = 2;
 *	config.credential[FAIR_THROTTLE_USER] = user;
 *	size_t bytes = fair_maui_size(&config, 10);	// 10 slots of jobs
 *	void *memory = malloc(bytes);
 *	fair_maui_init(&m, sizeof(m), memory, bytes, &config, 10, 128, 0);
 *
 *	fair_maui_submit(&m, 0, &job);		// into slot 0, at 0
 *	fair_maui_submit(&m, 1, &job);
 *	fair_maui_start(&m, 0, 0, 3600);
 *	fair_maui_parts(&m, 1, 0, 3600, &parts);	// 100 << 20
 *	fair_maui_gate(&m, 0, 1, 3600, FAIR_MAUI_SOFT);	// false: 32 > 16
 *	fair_maui_gate(&m, 0, 1, 3600, FAIR_MAUI_HARD);	// true
 *
 * USAGE is charged while a job runs, exactly, however often it is read; enum
 * fair_maui_usage says what counts. Windows begin at multiples of their length.
 * Usage is not charged that would take a window of one credential beyond
 * 2^59 / windows of 2^-8 processor-seconds, nor the processor equivalents of
 * one job beyond 2^24.
 *
 * UNITS	seconds, from the origin to 2^60; processors, nodes, MB
 * ERRORS	0 or -FAIR_E...; an error changes nothing.
 *		-FAIR_EINVAL	an argument out of its range, or NULL
 *		-FAIR_ENOMEM	fewer bytes than fair_maui_size()
 *		-FAIR_ERANGE	a limit forbids it
 * MEMORY	the caller's: fair_maui_size() bytes, any alignment
 * THREADS	const calls may run concurrently
 * COMPLEXITY	at each function
 * DEFINES	FAIR_MAUI_API, FAIRSCHED_STATIC, FAIR_ASSERT
 * INVARIANTS	I1 the limits' own
 *		I2 the ledgers' own
 *		I3 the rate of a credential is 0 or more, and 0 if none of its
 *		   jobs runs
 * SOURCES	[MAUI] Jackson, Snell, Clement: Core Algorithms of the Maui
 *		Scheduler, JSSPP 2001: 2, 3, 5, 6
 */
#ifndef FAIR_MAUI_H
#define FAIR_MAUI_H

#ifndef FAIR_CHECKPOINT_H
#include "../checkpoint.h"
#endif
#ifndef FAIR_USAGE_H
#include "../usage.h"
#endif
#ifndef FAIR_PRIORITY_H
#include "priority.h"
#endif
#ifndef FAIR_THROTTLE_H
#include "throttle.h"
#endif

#ifndef FAIR_MAUI_API
#define FAIR_MAUI_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_MAUI_API, fair_maui);

/* FSPOLICY: what a running job uses each second. */
enum fair_maui_usage {
	FAIR_MAUI_NOTHING,
	FAIR_MAUI_PROCS,       /* PSDEDICATED */
	FAIR_MAUI_EQUIVALENTS, /* PESDEDICATED, to the nearest 2^-8 */
	FAIR_MAUI_RATE	       /* PSUTILIZED: the rate in its request */
};

/* QFLAGS. */
enum fair_maui_flag {
	FAIR_MAUI_NOBF = 1,	     /* never backfilled */
	FAIR_MAUI_NORESERVATION = 2, /* never gets a reservation */
	FAIR_MAUI_RESERVEALWAYS = 4  /* gets one whatever the depth */
};

/* RESERVATIONPOLICY. */
enum fair_maui_reservations {
	FAIR_MAUI_CURRENTHIGHEST, /* each plan makes its reservations afresh */
	FAIR_MAUI_HIGHEST,	  /* once made, a job has one until it starts */
	FAIR_MAUI_NEVER		  /* no reservations */
};

/* The phases of an iteration: steps 6, 7 and 8 of [MAUI] 3. */
enum fair_maui_phase {
	FAIR_MAUI_FIRST, /* in priority order, soft limits */
	FAIR_MAUI_SOFT,	 /* backfill, soft limits */
	FAIR_MAUI_HARD	 /* backfill, hard limits */
};

/**
 * struct fair_maui_credential - the settings of one user, group, ...
 * @priority:   PRIORITY
 * @target:     FSTARGET, if @has_target; at least 0
 * @soft, @hard: limits by enum fair_throttle_resource, >= 0
 */
struct fair_maui_credential {
	int64_t priority;
	struct fair_usage_target target;
	bool has_target;
	int64_t soft[FAIR_THROTTLE_RESOURCES];
	int64_t hard[FAIR_THROTTLE_RESOURCES];
};

/**
 * struct fair_maui_qos - the further settings of a QoS.
 * @flags:  enum fair_maui_flag
 * @exempt: as of struct fair_throttle_job
 * the rest: as of struct fair_priority_job
 */
struct fair_maui_qos {
	uint32_t flags, exempt;
	int64_t queue_time_weight, xfactor_weight;
	int64_t queue_time_target, xfactor_target;
};

/**
 * struct fair_maui_config - the settings of a site.
 * @priority:   weights and caps
 * @machine:    memory, swap and disk of all nodes, MB, for processor
 *              equivalents; 0: not known
 * @depth:      RESERVATIONDEPTH
 * @select:     BACKFILLPOLICY, enum fair_select
 * @metric:     BACKFILLMETRIC, enum fair_metric
 * @longest:    the longest backfill window first
 * @reservations: RESERVATIONPOLICY, enum fair_maui_reservations
 * @usage:      enum fair_maui_usage
 * @windows:    FSDEPTH, 1 .. FAIR_USAGE_DEPTH
 * @interval:   FSINTERVAL, seconds, >= 1
 * @decay:      FSDECAY, 0 .. FAIR_USAGE_ONE
 * @poll:       the timer of iterations while jobs are queued, seconds; 0: none
 * @soft_only:  no backfill by hard limits: the soft limits are hard
 * @count:      credentials of each kind
 * @credential: of each kind, @count[kind]; NULL: no settings
 * @qos:        of each QoS; NULL: no settings
 */
struct fair_maui_config {
	struct fair_priority_config priority;
	struct fair_priority_amounts machine;
	uint32_t depth, select, metric;
	bool longest, soft_only;
	uint32_t reservations;
	uint32_t usage, windows;
	int64_t interval;
	uint64_t decay;
	int64_t poll;
	uint32_t count[FAIR_THROTTLE_KINDS];
	const struct fair_maui_credential *credential[FAIR_THROTTLE_KINDS];
	const struct fair_maui_qos *qos;
};

/**
 * struct fair_maui_request - the credentials of a job, and what it asks for.
 * @id:       of each kind, below its count, or FAIR_THROTTLE_NONE
 * @procs:    processors, >= 1
 * @nodes:    nodes, >= 0
 * @walltime: seconds, >= 1
 * @memory, @swap, @disk: MB, 0 .. 2^40
 * @rate:     FAIR_MAUI_RATE: usage a second, in 2^-8 processors, 0 .. 2^32
 */
struct fair_maui_request {
	uint32_t id[FAIR_THROTTLE_KINDS];
	int32_t procs, nodes;
	int64_t walltime, memory, swap, disk, rate;
};

/* Private: a live job in its slot. */
struct fair_maui_job {
	struct fair_throttle_job asks;
	int64_t swap, disk, rate;
	int64_t pe;
	int64_t bypassed, priority;
	int64_t rank; /* fair_maui_set_rank(); 0: none */
	uint32_t flags;
	/* 1 + the kind of a credential whose idle limit skips it; 0: none */
	uint8_t skipped_by[FAIR_THROTTLE_LEVELS];
};

/* Private: the present state of a credential. */
struct fair_maui_standing {
	int64_t priority;
	struct fair_usage_target target;
	int64_t delta; /* FSDelta */
	int64_t rate;  /* of its running jobs */
	int64_t idle;  /* the hard limit on its idle jobs */
	bool has_target, over_cap;
};

/**
 * struct fair_maui - the state.
 * @config: a planner may read it; its pointers are NULL
 *
 * All other fields are private.
 */
struct fair_maui {
	struct fair_maui_config *config;
	struct fair_throttle throttle;
	struct fair_usage usage[FAIR_THROTTLE_KINDS];
	struct fair_maui_standing *standing[FAIR_THROTTLE_KINDS];
	struct fair_maui_qos *qos;
	struct fair_maui_job *job;
	uint32_t jobs;
	uint32_t over_cap; /* credentials */
	int64_t zero, now; /* the time 0 of the ledgers; the present */
	bool limits_idle; /* a credential has had a limit on idle jobs */
	int64_t running, skipped_at; /* jobs; when a limit last skipped a job,
					INT64_MAX: it skips none */
};

/** fair_maui_defaults() - Maui's: the longest wait first, one reservation. */
FAIR_MAUI_API struct fair_maui_config fair_maui_defaults(void);

/** fair_maui_credential_defaults() - no priority, no target, no limit. */
FAIR_MAUI_API struct fair_maui_credential fair_maui_credential_defaults(void);

/**
 * fair_maui_size() - bytes for up to @jobs live jobs.
 *
 * Return: 0 if @config is not valid or too large.
 */
FAIR_MAUI_API size_t fair_maui_size(const struct fair_maui_config *config,
				    uint32_t jobs);

/**
 * fair_maui_init() - a state without jobs and usage.
 * @struct_size: sizeof(struct fair_maui)
 * @memory:      @bytes bytes that stay with it
 * @config:      this call alone reads it and what it points to
 * @jobs:        slots of live jobs
 * @procs:       processors of the machine, for processor equivalents
 * @origin:      the first now, seconds
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(credentials + jobs).
 */
FAIR_MAUI_API int fair_maui_init(struct fair_maui *m, size_t struct_size,
				 void *memory, size_t bytes,
				 const struct fair_maui_config *config,
				 uint32_t jobs, int32_t procs, int64_t origin);

/**
 * fair_maui_admit() - whether a job can ever start.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE: its limits forbid it even if no other
 * job runs. Complexity: O(1).
 */
FAIR_MAUI_API int fair_maui_admit(const struct fair_maui *m,
				  const struct fair_maui_request *request);

/**
 * fair_maui_submit() - a job is queued in @slot; no job has bypassed it.
 *
 * Return: as fair_maui_admit(). Complexity: O(1).
 */
FAIR_MAUI_API int fair_maui_submit(struct fair_maui *m, uint32_t slot,
				   const struct fair_maui_request *request);

/** fair_maui_request_of() - the request of the job in @slot, walltime 0. */
FAIR_MAUI_API struct fair_maui_request
fair_maui_request_of(const struct fair_maui *m, uint32_t slot);

/**
 * fair_maui_modify() - a job asks for other processors or another walltime, and
 * keeps the priority that was computed last.
 * @procs: of a running job: as before
 *
 * Return: as fair_maui_admit(). Complexity: O(1).
 */
FAIR_MAUI_API int fair_maui_modify(struct fair_maui *m, uint32_t slot,
				   int32_t procs, int64_t walltime);

/**
 * fair_maui_resize() - a running job asks for something else from @now on. The
 * jobs that have bypassed it stay counted.
 * @end:    its planned end
 * @forced: whatever its limits
 *
 * Return: 0; as fair_maui_submit(); -FAIR_ERANGE if it does not run or asks for
 * more processors, nodes or memory, and a hard limit forbids that.
 * Complexity: O(1).
 */
FAIR_MAUI_API int fair_maui_resize(struct fair_maui *m, int64_t now,
				   uint32_t slot, int64_t end,
				   const struct fair_maui_request *request,
				   bool forced);

/**
 * fair_maui_advance() - charge usage until @now, and compare it with targets.
 * @now: not earlier than at the last call; before any other call of an instant
 *
 * Complexity: O(credentials), times the windows for those with targets.
 * Source: [MAUI] 6.1.
 */
FAIR_MAUI_API void fair_maui_advance(struct fair_maui *m, int64_t now);

/**
 * fair_maui_parts() - the priority of a queued job now, and its parts.
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1). Source: [MAUI] 5.
 */
FAIR_MAUI_API int fair_maui_parts(const struct fair_maui *m, uint32_t slot,
				  int64_t submit, int64_t walltime,
				  struct fair_priority_parts *parts);

/** fair_maui_is_over_cap() - whether a credential of the job is over its cap.
 */
FAIR_MAUI_API bool fair_maui_is_over_cap(const struct fair_maui *m,
					 uint32_t slot);

/**
 * fair_maui_gate() - whether a queued job may start now.
 * @end:   its planned end
 * @phase: enum fair_maui_phase
 *
 * Complexity: O(1). Source: [MAUI] 2.5, 3.
 */
FAIR_MAUI_API bool fair_maui_gate(const struct fair_maui *m, int64_t now,
				  uint32_t slot, int64_t end, uint32_t phase);

/** fair_maui_limits_idle() - whether iterations begin with a selection. */
FAIR_MAUI_API bool fair_maui_limits_idle(const struct fair_maui *m);

/**
 * fair_maui_begin_selection() - of the jobs that an iteration considers by the
 * limits of @level, soft first. End it by fair_maui_end_selection().
 */
FAIR_MAUI_API void fair_maui_begin_selection(struct fair_maui *m, int level);

/**
 * fair_maui_select() - the next queued job, in the order of the iteration.
 * @end:  its planned end
 * @idle: it counts as idle; else the limits on idle jobs do not apply to it
 *
 * Complexity: O(1). Source: [MAG] 6.2.3.
 */
FAIR_MAUI_API void fair_maui_select(struct fair_maui *m, int64_t now,
				    uint32_t slot, int64_t end, int level,
				    bool idle);

/** fair_maui_end_selection() - O(credentials). */
FAIR_MAUI_API void fair_maui_end_selection(struct fair_maui *m);

/**
 * fair_maui_is_over_limit() - whether a hard limit forbids a queued job to
 * start.
 * @end: its planned end
 * @why: out: the first such limit, as of fair_throttle_test(); without one,
 *       the limit on idle jobs by which the iteration skipped the job, with
 *       @used == @limit
 *
 * Complexity: O(1). Source: [MAUI] 2.5.
 */
FAIR_MAUI_API bool fair_maui_is_over_limit(const struct fair_maui *m,
					   int64_t now, uint32_t slot,
					   int64_t end,
					   struct fair_throttle_violation *why);

/**
 * fair_maui_next() - when an iteration can start a job although no event
 * occurs.
 * @origin: the timer's time 0
 * @idle:   no job runs
 *
 * Return: the next time of the timer; without one, a second later if a limit on
 * idle jobs skipped a job and another has started since, or on an idle machine
 * with a credential over its cap the begin of the next window; else
 * FAIR_FOREVER, which is INT64_MAX. Complexity: O(1).
 */
FAIR_MAUI_API int64_t fair_maui_next(const struct fair_maui *m, int64_t now,
				     int64_t origin, bool idle);

/**
 * fair_maui_last() - the last time of the timer from @next, one of its times,
 * on that is before @until; without a timer @next. Complexity: O(1).
 */
FAIR_MAUI_API int64_t fair_maui_last(const struct fair_maui *m, int64_t next,
				     int64_t until);

/**
 * fair_maui_has_room() - whether what runs now overflows no window of usage,
 * for however long. Complexity: O(credentials).
 */
FAIR_MAUI_API bool fair_maui_has_room(const struct fair_maui *m);

/**
 * fair_maui_can_change() - whether a cap can still be lifted on a machine that
 * has been idle for @idle seconds: its windows are not yet all forgotten.
 */
FAIR_MAUI_API bool fair_maui_can_change(const struct fair_maui *m,
					int64_t idle);

/**
 * fair_maui_start() - a queued job starts.
 *
 * Return: as fair_throttle_charge().
 */
FAIR_MAUI_API int fair_maui_start(struct fair_maui *m, int64_t now,
				  uint32_t slot, int64_t end);

/**
 * fair_maui_move() - a running job has another planned end.
 *
 * Return: as fair_throttle_change_end().
 */
FAIR_MAUI_API int fair_maui_move(struct fair_maui *m, uint32_t slot,
				 int64_t was, int64_t end);

/**
 * fair_maui_finish() - a running job ends.
 *
 * Return: as fair_throttle_release().
 */
FAIR_MAUI_API int fair_maui_finish(struct fair_maui *m, uint32_t slot,
				   int64_t end);

/**
 * fair_maui_clone() - an independent copy without the jobs: the caller copies
 * each one by fair_maui_clone_job().
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(credentials).
 */
FAIR_MAUI_API int fair_maui_clone(struct fair_maui *copy, void *memory,
				  size_t bytes, const struct fair_maui *m);

/**
 * fair_maui_force_start() - a job starts, whatever its limits: the gate was
 * open for it, or an advance reservation entitles it to start.
 */
FAIR_MAUI_API void fair_maui_force_start(struct fair_maui *m, int64_t now,
					 uint32_t slot, int64_t end);

/** fair_maui_prioritize() - compute the priority of a job, and keep it. */
FAIR_MAUI_API void fair_maui_prioritize(struct fair_maui *m, uint32_t slot,
					int64_t submit, int64_t walltime);

/** fair_maui_priority() - what fair_maui_prioritize() computed last. */
FAIR_MAUI_API int64_t fair_maui_priority(const struct fair_maui *m,
					 uint32_t slot);

/**
 * fair_maui_set_rank() - the fair-share factor of a job's user in a tree.
 * @points: percentage points in 2^-20, above 0; 0: none
 *
 * It counts in place of the FSDelta of the user, until it is set again.
 */
FAIR_MAUI_API void fair_maui_set_rank(struct fair_maui *m, uint32_t slot,
				      int64_t points);

/** fair_maui_bypass() - a job of lower priority has started. */
FAIR_MAUI_API void fair_maui_bypass(struct fair_maui *m, uint32_t slot);

/** fair_maui_flags() - enum fair_maui_flag of the QoS of the job in @slot. */
FAIR_MAUI_API uint32_t fair_maui_flags(const struct fair_maui *m,
				       uint32_t slot);

/** fair_maui_clone_job() - copy the job in @from to slot @to of @copy. */
FAIR_MAUI_API void fair_maui_clone_job(struct fair_maui *copy, uint32_t to,
				       const struct fair_maui *m,
				       uint32_t from);

/**
 * fair_maui_save() - write the state without jobs and usage. Call then
 * fair_maui_save_job() for each of @jobs, then fair_maui_save_usage().
 */
FAIR_MAUI_API void fair_maui_save(const struct fair_maui *m, uint32_t jobs,
				  struct fair_checkpoint *f);
FAIR_MAUI_API void fair_maui_save_job(const struct fair_maui *m, uint32_t slot,
				      struct fair_checkpoint *f);
FAIR_MAUI_API void fair_maui_save_usage(const struct fair_maui *m,
					struct fair_checkpoint *f);

/**
 * fair_maui_load() - read the same by three calls, into a state of the same
 * configuration without jobs. @f->bad marks a state that cannot be.
 * @request: what the scheduler knows of the job; its walltime is not read
 */
FAIR_MAUI_API void fair_maui_load(struct fair_maui *m, int64_t now,
				  uint32_t jobs, struct fair_checkpoint *f);
FAIR_MAUI_API void fair_maui_load_job(struct fair_maui *m, uint32_t slot,
				      struct fair_maui_request request,
				      struct fair_checkpoint *f);
FAIR_MAUI_API void fair_maui_load_usage(struct fair_maui *m,
					struct fair_checkpoint *f);

/**
 * fair_maui_set_credential() - change the settings of a credential.
 * @kind: enum fair_throttle_kind
 * @id:   below its count
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(credentials).
 */
FAIR_MAUI_API int
fair_maui_set_credential(struct fair_maui *m, int kind, uint32_t id,
			 const struct fair_maui_credential *credential);

/**
 * fair_maui_set_window() - windows are longer or shorter, or decay otherwise,
 * from the present on.
 * @interval, @decay: as in the configuration
 *
 * What each credential has used, decayed until now, counts in the window that
 * the present is in. How many windows count cannot change.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW: all have used more than one window
 * holds, 2^51 / windows processor-seconds.
 * Complexity: O(credentials * windows).
 */
FAIR_MAUI_API int fair_maui_set_window(struct fair_maui *m, int64_t interval,
				       uint64_t decay);

/**
 * fair_maui_charged() - what a credential has used, decayed.
 * @whole:    out: processor-seconds
 * @fraction: out: in 2^-64
 *
 * Return: false: there is no ledger of this kind.
 */
FAIR_MAUI_API bool fair_maui_charged(const struct fair_maui *m, int kind,
				     uint32_t id, uint64_t *whole,
				     uint64_t *fraction);

/**
 * fair_maui_set_charged() - set what fair_maui_charged() returns.
 *
 * Return: 0; -FAIR_EINVAL: there is no ledger of this kind; -FAIR_EOVERFLOW.
 * Complexity: O(credentials + windows).
 */
FAIR_MAUI_API int fair_maui_set_charged(struct fair_maui *m, int kind,
					uint32_t id, uint64_t whole,
					uint64_t fraction);

/**
 * fair_maui_credit() - take processor-seconds back, as far as there are any.
 * @amount: then: what was taken
 *
 * Return: 0; -FAIR_EINVAL: there is no ledger of this kind.
 * Complexity: O(credentials + windows).
 */
FAIR_MAUI_API int fair_maui_credit(struct fair_maui *m, int kind, uint32_t id,
				   uint64_t *amount);

/** fair_maui_check() - 0, or the first broken invariant. */
FAIR_MAUI_API int fair_maui_check(const struct fair_maui *m);

FAIRSCHED_END_C
#endif /* FAIR_MAUI_H */

#if !defined(FAIR_MAUI_IMPLEMENTED) && (defined(FAIR_MAUI_IMPLEMENTATION) ||   \
					defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_MAUI_IMPLEMENTED

FAIRSCHED_PROVIDE(FAIR_MAUI_API, fair_maui)

#define FAIR_MAUI_MOST ((int64_t)1 << 40)  /* MB */
#define FAIR_MAUI_RATES ((int64_t)1 << 32) /* of a job */
#define FAIR_MAUI_TIME ((int64_t)1 << 61)
#define FAIR_MAUI_FRACTION 8 /* bits of a rate's */

FAIR_MAUI_API struct fair_maui_config fair_maui_defaults(void)
{
	struct fair_maui_config config;

	FAIR_MEMSET(&config, 0, sizeof(config));
	config.priority = fair_priority_defaults();
	config.depth = 1;
	config.windows = 7;
	config.interval = 86400;
	config.decay = FAIR_USAGE_ONE;
	return config;
}

FAIR_MAUI_API struct fair_maui_credential fair_maui_credential_defaults(void)
{
	struct fair_maui_credential c;
	int r;

	FAIR_MEMSET(&c, 0, sizeof(c));
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		c.soft[r] = c.hard[r] = FAIR_THROTTLE_UNLIMITED;
	return c;
}

/* SIZE */

static bool fair_maui_is_amount(int64_t a)
{
	return a >= 0 && a <= FAIR_MAUI_MOST;
}

static bool fair_maui_valid(const struct fair_maui_config *c)
{
	return c && c->usage <= FAIR_MAUI_RATE && c->windows >= 1 &&
	       c->windows <= FAIR_USAGE_DEPTH && c->interval >= 1 &&
	       c->interval <= FAIR_MAUI_TIME && c->decay <= FAIR_USAGE_ONE &&
	       c->poll >= 0 && c->poll <= FAIR_MAUI_TIME &&
	       fair_maui_is_amount(c->machine.memory) &&
	       fair_maui_is_amount(c->machine.swap) &&
	       fair_maui_is_amount(c->machine.disk);
}

/* No ledger if no usage counts, nor for a kind without credentials. The last
 * entity is what jobs without a credential of this kind used: a percentage is
 * of all that was delivered. */
static size_t fair_maui_ledger_size(const struct fair_maui_config *c, int kind)
{
	if (!c->usage || !c->count[kind])
		return 0;
	return fair_usage_size(c->count[kind] + 1, c->windows, 1);
}

FAIR_MAUI_API size_t fair_maui_size(const struct fair_maui_config *config,
				    uint32_t jobs)
{
	uint64_t bytes, ledger;
	int kind;

	if (!fair_maui_valid(config) || !fair_throttle_size(config->count))
		return 0;
	bytes = (uint64_t)fair_throttle_size(config->count) + 8 +
		sizeof(*config) +
		(uint64_t)jobs * sizeof(struct fair_maui_job) +
		config->count[FAIR_THROTTLE_QOS] *
			(uint64_t)sizeof(struct fair_maui_qos);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		ledger = fair_maui_ledger_size(config, kind);
		if (!ledger && config->usage && config->count[kind])
			return 0;
		bytes += ledger + ((uint64_t)config->count[kind] + 1) *
					  sizeof(struct fair_maui_standing);
	}
	return bytes > SIZE_MAX / 2 ? 0 : (size_t)bytes;
}

/*
 * Lay out memory, with a copy of @config; returns the place of the limits,
 * which the ledgers follow.
 */
static char *fair_maui_lay_out(struct fair_maui *m, void *memory,
			       const struct fair_maui_config *config)
{
	char *at = (char *)memory + (8 - (uintptr_t)memory % 8) % 8;
	int kind;

	m->config = (struct fair_maui_config *)(void *)at;
	*m->config = *config;
	at += sizeof(*config);
	m->job = (struct fair_maui_job *)(void *)at;
	at = (char *)(m->job + m->jobs);
	m->qos = (struct fair_maui_qos *)(void *)at;
	at = (char *)(m->qos + m->config->count[FAIR_THROTTLE_QOS]);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		m->standing[kind] = (struct fair_maui_standing *)(void *)at;
		at = (char *)(m->standing[kind] + m->config->count[kind] + 1);
	}
	return at;
}

/* INIT */

static void fair_maui_init_ledgers(struct fair_maui *m, char *at)
{
	const struct fair_maui_config *c = m->config;
	size_t bytes;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		bytes = fair_maui_ledger_size(c, kind);
		if (bytes)
			fair_must(fair_usage_init_windows(
				&m->usage[kind], sizeof(m->usage[kind]), at,
				bytes, c->count[kind] + 1, 1, 0, c->windows,
				c->interval, c->decay));
		at += bytes;
	}
}

static int fair_maui_init_credential(struct fair_maui *m, int kind, uint32_t id,
				     const struct fair_maui_credential *c)
{
	struct fair_maui_standing *s = m->standing[kind] + id;
	int64_t hard;
	int r, error = 0;

	if (c->has_target && c->target.points < 0)
		return -FAIR_EINVAL;
	s->priority = c->priority;
	s->target = c->target;
	s->has_target = c->has_target;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES && !error; r++) {
		hard = c->hard[r];
		if (m->config->soft_only && c->soft[r] < hard)
			hard = c->soft[r];
		error = fair_throttle_set_limit(&m->throttle, kind, id, r,
						c->soft[r], hard);
		s->idle = hard; /* idle jobs are the last resource */
	}
	m->limits_idle |= s->idle < FAIR_THROTTLE_UNLIMITED;
	return error;
}

/* A QoS is valid if its jobs have a priority. */
static int fair_maui_init_qos(struct fair_maui *m,
			      const struct fair_maui_qos *qos)
{
	uint32_t i;

	for (i = 0; i < m->config->count[FAIR_THROTTLE_QOS]; i++) {
		FAIR_MEMSET(m->qos + i, 0, sizeof(*m->qos));
		if (!qos)
			continue;
		if (qos[i].queue_time_target < 0 || qos[i].xfactor_target < 0)
			return -FAIR_EINVAL;
		m->qos[i] = qos[i];
	}
	return 0;
}

static int fair_maui_init_credentials(struct fair_maui *m,
				      const struct fair_maui_config *c)
{
	int kind, error = 0;
	uint32_t id;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		FAIR_MEMSET(m->standing[kind], 0,
			    ((size_t)c->count[kind] + 1) *
				    sizeof(*m->standing[kind]));
		for (id = 0;
		     id < c->count[kind] && c->credential[kind] && !error; id++)
			error = fair_maui_init_credential(
				m, kind, id, c->credential[kind] + id);
		m->config->credential[kind] = NULL;
	}
	m->config->qos = NULL;
	return error ? error : fair_maui_init_qos(m, c->qos);
}

/* FSDelta and cap of each credential with a target. */
static void fair_maui_update_standings(struct fair_maui *m)
{
	struct fair_maui_standing *s;
	int64_t points = 0;
	uint32_t id;
	int kind;

	m->over_cap = 0;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS && m->config->usage; kind++) {
		for (id = 0; id < m->config->count[kind]; id++) {
			s = m->standing[kind] + id;
			if (!s->has_target)
				continue;
			fair_must(fair_usage_share(&m->usage[kind], id,
						   m->now - m->zero, &points));
			s->delta = fair_usage_delta(&s->target, points);
			s->over_cap =
				!fair_usage_is_eligible(&s->target, points);
			m->over_cap += s->over_cap;
		}
	}
}

/* 0 if fair_priority() accepts the weights and caps. */
static int fair_maui_try_priority(const struct fair_maui_config *config)
{
	struct fair_priority_parts parts;
	struct fair_priority_job job;

	FAIR_MEMSET(&job, 0, sizeof(job));
	job.walltime = 1;
	return fair_priority(&config->priority, &job, &parts);
}

FAIR_MAUI_API int fair_maui_init(struct fair_maui *m, size_t struct_size,
				 void *memory, size_t bytes,
				 const struct fair_maui_config *config,
				 uint32_t jobs, int32_t procs, int64_t origin)
{
	struct fair_maui x;
	int64_t into;
	size_t limits;
	char *at;
	int error;

	if (!m || !memory || struct_size != sizeof(*m) || procs < 1 ||
	    origin < -FAIR_MAUI_TIME || origin > FAIR_MAUI_TIME ||
	    !fair_maui_valid(config) || fair_maui_try_priority(config))
		return -FAIR_EINVAL;
	if (!fair_maui_size(config, jobs) ||
	    bytes < fair_maui_size(config, jobs))
		return -FAIR_ENOMEM;
	FAIR_MEMSET(&x, 0, sizeof(x));
	x.jobs = jobs;
	at = fair_maui_lay_out(&x, memory, config);
	x.config->machine.procs = procs;
	x.config->machine.nodes = 0;
	x.now = origin;
	into = origin % config->interval;
	x.zero = origin - into - (into < 0 ? config->interval : 0);
	x.skipped_at = INT64_MAX;
	limits = fair_throttle_size(config->count);
	fair_must(fair_throttle_init(&x.throttle, sizeof(x.throttle), at,
				     limits, config->count, origin));
	fair_maui_init_ledgers(&x, at + limits);
	error = fair_maui_init_credentials(&x, config);
	if (error)
		return error;
	fair_maui_update_standings(&x);
	*m = x;
	return 0;
}

/* JOBS */

/* A job in the form of limits and priority; its ids are in range. */
static struct fair_maui_job
fair_maui_make(const struct fair_maui *m,
	       const struct fair_maui_request *request)
{
	struct fair_priority_amounts asks;
	uint32_t qos = request->id[FAIR_THROTTLE_QOS];
	struct fair_maui_job j;

	FAIR_MEMSET(&j, 0, sizeof(j));
	FAIR_MEMCPY(j.asks.id, request->id, sizeof(j.asks.id));
	j.asks.procs = request->procs;
	j.asks.nodes = request->nodes;
	j.asks.memory = request->memory;
	j.swap = request->swap;
	j.disk = request->disk;
	j.rate = request->rate;
	if (qos != FAIR_THROTTLE_NONE) {
		j.flags = m->qos[qos].flags;
		j.asks.exempt = m->qos[qos].exempt;
	}
	asks.nodes = request->nodes;
	asks.procs = request->procs;
	asks.memory = request->memory;
	asks.swap = request->swap;
	asks.disk = request->disk;
	(void)fair_priority_pe(&asks, &m->config->machine, &j.pe);
	return j;
}

FAIR_MAUI_API int fair_maui_admit(const struct fair_maui *m,
				  const struct fair_maui_request *request)
{
	struct fair_maui_job j;
	int kind, level;

	if (!m || !request || request->procs < 1 || request->nodes < 0 ||
	    request->walltime < 1 || !fair_maui_is_amount(request->memory) ||
	    !fair_maui_is_amount(request->swap) ||
	    !fair_maui_is_amount(request->disk) || request->rate < 0 ||
	    request->rate > FAIR_MAUI_RATES)
		return -FAIR_EINVAL;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (request->id[kind] != FAIR_THROTTLE_NONE &&
		    request->id[kind] >= m->config->count[kind])
			return -FAIR_EINVAL;
	j = fair_maui_make(m, request);
	level = j.flags & FAIR_MAUI_NOBF ? FAIR_THROTTLE_SOFT
					 : FAIR_THROTTLE_HARD;
	return fair_throttle_test_empty(&m->throttle, &j.asks,
					request->walltime, level, NULL)
		       ? -FAIR_ERANGE
		       : 0;
}

FAIR_MAUI_API int fair_maui_submit(struct fair_maui *m, uint32_t slot,
				   const struct fair_maui_request *request)
{
	int error = fair_maui_admit(m, request);

	if (!error && slot >= m->jobs)
		error = -FAIR_EINVAL;
	if (!error)
		m->job[slot] = fair_maui_make(m, request);
	return error;
}

FAIR_MAUI_API struct fair_maui_request
fair_maui_request_of(const struct fair_maui *m, uint32_t slot)
{
	const struct fair_maui_job *j = m->job + slot;
	struct fair_maui_request request;

	FAIR_MEMSET(&request, 0, sizeof(request));
	FAIR_MEMCPY(request.id, j->asks.id, sizeof(request.id));
	request.procs = j->asks.procs;
	request.nodes = j->asks.nodes;
	request.memory = j->asks.memory;
	request.swap = j->swap;
	request.disk = j->disk;
	request.rate = j->rate;
	return request;
}

FAIR_MAUI_API int fair_maui_modify(struct fair_maui *m, uint32_t slot,
				   int32_t procs, int64_t walltime)
{
	struct fair_maui_request request = fair_maui_request_of(m, slot);
	struct fair_maui_job was = m->job[slot];
	int error;

	request.procs = procs;
	request.walltime = walltime;
	error = fair_maui_submit(m, slot, &request);
	if (error)
		return error;
	m->job[slot].bypassed = was.bypassed;
	m->job[slot].priority = was.priority;
	m->job[slot].rank = was.rank;
	return 0;
}

/* USAGE */

/*
 * Of a running job, each second, in 2^-FAIR_MAUI_FRACTION processors. No sum
 * overflows: processors are those of the machine, other rates and jobs below
 * 2^33 and 2^30.
 */
static int64_t fair_maui_rate(const struct fair_maui *m,
			      const struct fair_maui_job *j)
{
	const int shift = 20 - FAIR_MAUI_FRACTION;
	int64_t rate;

	switch (m->config->usage) {
	case FAIR_MAUI_PROCS:
		return (int64_t)j->asks.procs << FAIR_MAUI_FRACTION;
	case FAIR_MAUI_EQUIVALENTS:
		rate = (j->pe >> shift) + (j->pe >> (shift - 1) & 1);
		return rate < FAIR_MAUI_RATES ? rate : FAIR_MAUI_RATES;
	case FAIR_MAUI_RATE:
		return j->rate;
	default:
		return 0;
	}
}

static void fair_maui_add_rate(struct fair_maui *m,
			       const struct fair_maui_job *j, int64_t rate)
{
	uint32_t id;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		id = j->asks.id[kind];
		if (id == FAIR_THROTTLE_NONE)
			id = m->config->count[kind];
		m->standing[kind][id].rate += rate;
	}
}

FAIR_MAUI_API void fair_maui_advance(struct fair_maui *m, int64_t now)
{
	int64_t from = m->now - m->zero, rate;
	uint32_t id;
	int kind;

	if (now <= m->now)
		return;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!fair_maui_ledger_size(m->config, kind))
			continue;
		for (id = 0; id <= m->config->count[kind]; id++) {
			rate = m->standing[kind][id].rate;
			if (rate) /* an overflow is not charged */
				(void)fair_usage_charge(&m->usage[kind], id,
							from, now - m->zero,
							rate);
		}
	}
	m->now = now;
	fair_maui_update_standings(m);
}

/* PRIORITY */

static int64_t fair_maui_wait(const struct fair_maui *m, int64_t submit)
{
	uint64_t wait = (uint64_t)m->now - (uint64_t)submit;

	return wait > INT64_MAX ? INT64_MAX : (int64_t)wait;
}

FAIR_MAUI_API int fair_maui_parts(const struct fair_maui *m, uint32_t slot,
				  int64_t submit, int64_t walltime,
				  struct fair_priority_parts *parts)
{
	const struct fair_maui_standing *s;
	const struct fair_maui_qos *qos;
	const struct fair_maui_job *j;
	struct fair_priority_job job;
	int kind;

	if (!m || slot >= m->jobs || submit > m->now)
		return -FAIR_EINVAL;
	j = m->job + slot;
	FAIR_MEMSET(&job, 0, sizeof(job));
	job.wait = fair_maui_wait(m, submit);
	job.walltime = walltime;
	job.request.nodes = j->asks.nodes;
	job.request.procs = j->asks.procs;
	job.request.memory = j->asks.memory;
	job.request.swap = j->swap;
	job.request.disk = j->disk;
	job.pe = j->pe;
	job.bypassed = j->bypassed;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (j->asks.id[kind] == FAIR_THROTTLE_NONE)
			continue;
		s = m->standing[kind] + j->asks.id[kind];
		job.fs_delta[kind] = s->delta;
		job.given[kind] = s->priority;
	}
	if (j->rank)
		job.fs_delta[FAIR_THROTTLE_USER] = j->rank;
	if (j->asks.id[FAIR_THROTTLE_QOS] != FAIR_THROTTLE_NONE) {
		qos = m->qos + j->asks.id[FAIR_THROTTLE_QOS];
		job.xfactor_target = qos->xfactor_target;
		job.queue_time_target = qos->queue_time_target;
		job.xfactor_weight = qos->xfactor_weight;
		job.queue_time_weight = qos->queue_time_weight;
	}
	return fair_priority(&m->config->priority, &job, parts);
}

/* LIMITS */

FAIR_MAUI_API bool fair_maui_is_over_cap(const struct fair_maui *m,
					 uint32_t slot)
{
	const uint32_t *id = m->job[slot].asks.id;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS && m->over_cap; kind++)
		if (id[kind] != FAIR_THROTTLE_NONE &&
		    m->standing[kind][id[kind]].over_cap)
			return true;
	return false;
}

FAIR_MAUI_API bool fair_maui_gate(const struct fair_maui *m, int64_t now,
				  uint32_t slot, int64_t end, uint32_t phase)
{
	const struct fair_maui_job *j = m->job + slot;
	int level = phase == FAIR_MAUI_HARD ? FAIR_THROTTLE_HARD
					    : FAIR_THROTTLE_SOFT;

	if (phase != FAIR_MAUI_FIRST && j->flags & FAIR_MAUI_NOBF)
		return false;
	return !j->skipped_by[level] && !fair_maui_is_over_cap(m, slot) &&
	       !fair_throttle_test(&m->throttle, now, &j->asks, end, level,
				   NULL);
}

FAIR_MAUI_API bool fair_maui_limits_idle(const struct fair_maui *m)
{
	return m->limits_idle;
}

FAIR_MAUI_API void fair_maui_begin_selection(struct fair_maui *m, int level)
{
	if (level == FAIR_THROTTLE_SOFT)
		m->skipped_at = INT64_MAX;
}

FAIR_MAUI_API void fair_maui_end_selection(struct fair_maui *m)
{
	fair_throttle_deselect(&m->throttle);
}

FAIR_MAUI_API void fair_maui_select(struct fair_maui *m, int64_t now,
				    uint32_t slot, int64_t end, int level,
				    bool idle)
{
	struct fair_maui_job *j = m->job + slot;
	struct fair_throttle_violation why;

	j->skipped_by[level] = 0;
	/* The limits on idle jobs are for what no other limit forbids. */
	if (!idle || fair_maui_is_over_cap(m, slot) ||
	    fair_throttle_test(&m->throttle, now, &j->asks, end, level, NULL) ||
	    fair_throttle_select(&m->throttle, now, &j->asks, end, level,
				 &why) != 1)
		return;
	j->skipped_by[level] = (uint8_t)(1 + why.kind);
	m->skipped_at = m->running;
}

/* The limit of the credential that skips the job in @slot. */
static bool fair_maui_is_skipped(const struct fair_maui *m, uint32_t slot,
				 struct fair_throttle_violation *why)
{
	const struct fair_maui_job *j = m->job + slot;
	int kind = j->skipped_by[FAIR_THROTTLE_HARD] - 1;

	if (kind < 0)
		return false;
	why->kind = (enum fair_throttle_kind)kind;
	why->id = j->asks.id[kind];
	why->resource = FAIR_THROTTLE_IDLE_JOBS;
	why->level = FAIR_THROTTLE_HARD;
	why->used = why->limit = m->standing[kind][why->id].idle;
	why->asked = 1;
	return true;
}

FAIR_MAUI_API bool fair_maui_is_over_limit(const struct fair_maui *m,
					   int64_t now, uint32_t slot,
					   int64_t end,
					   struct fair_throttle_violation *why)
{
	return fair_throttle_test(&m->throttle, now, &m->job[slot].asks, end,
				  FAIR_THROTTLE_HARD, why) ||
	       fair_maui_is_skipped(m, slot, why);
}

/* The first time after @now that is a multiple of @step from @from on. */
static int64_t fair_maui_multiple(int64_t now, int64_t from, int64_t step)
{
	return now + step - (now - from) % step;
}

FAIR_MAUI_API int64_t fair_maui_next(const struct fair_maui *m, int64_t now,
				     int64_t origin, bool idle)
{
	if (m->config->poll)
		return fair_maui_multiple(now, origin, m->config->poll);
	if (m->running > m->skipped_at)
		return now + 1;
	if (!m->over_cap || !idle)
		return INT64_MAX;
	return fair_maui_multiple(now, m->zero, m->config->interval);
}

FAIR_MAUI_API int64_t fair_maui_last(const struct fair_maui *m, int64_t next,
				     int64_t until)
{
	const int64_t poll = m->config->poll;

	return poll && next < until ? next + (until - 1 - next) / poll * poll
				    : next;
}

/* A window is below all that is charged and what it is charged from now on. */
FAIR_MAUI_API bool fair_maui_has_room(const struct fair_maui *m)
{
	const struct fair_maui_config *c = m->config;
	uint64_t whole, fraction, left;
	uint32_t id;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!fair_maui_ledger_size(c, kind))
			continue;
		fair_must(fair_usage_charged(&m->usage[kind], FAIR_USAGE_TOTAL,
					     m->now - m->zero, &whole,
					     &fraction));
		left = (UINT64_C(1) << 59) / c->windows;
		if (whole >= left)
			return false;
		left = (left - whole - 1) / (uint64_t)c->interval;
		for (id = 0; id <= c->count[kind]; id++) {
			if ((uint64_t)m->standing[kind][id].rate > left)
				return false;
			left -= (uint64_t)m->standing[kind][id].rate;
		}
	}
	return true;
}

/* An idle machine forgets one window after another. */
FAIR_MAUI_API bool fair_maui_can_change(const struct fair_maui *m, int64_t idle)
{
	return idle / m->config->interval <= m->config->windows;
}

FAIR_MAUI_API int fair_maui_start(struct fair_maui *m, int64_t now,
				  uint32_t slot, int64_t end)
{
	struct fair_maui_job *j = m->job + slot;
	int error = fair_throttle_charge(&m->throttle, now, &j->asks, end);

	if (error)
		return error;
	fair_maui_add_rate(m, j, fair_maui_rate(m, j));
	m->running++;
	return 0;
}

FAIR_MAUI_API int fair_maui_move(struct fair_maui *m, uint32_t slot,
				 int64_t was, int64_t end)
{
	return fair_throttle_change_end(&m->throttle, &m->job[slot].asks, was,
					end);
}

FAIR_MAUI_API int fair_maui_finish(struct fair_maui *m, uint32_t slot,
				   int64_t end)
{
	struct fair_maui_job *j = m->job + slot;
	int error = fair_throttle_release(&m->throttle, &j->asks, end);

	if (error)
		return error;
	fair_maui_add_rate(m, j, -fair_maui_rate(m, j));
	m->running--;
	return 0;
}

/* COPIES AND CHECKS */

FAIR_MAUI_API int fair_maui_clone(struct fair_maui *copy, void *memory,
				  size_t bytes, const struct fair_maui *m)
{
	size_t limits, ledger;
	struct fair_maui x;
	char *at;
	int kind;

	if (!copy || !memory || !m)
		return -FAIR_EINVAL;
	if (bytes < fair_maui_size(m->config, m->jobs))
		return -FAIR_ENOMEM;
	x = *m;
	at = fair_maui_lay_out(&x, memory, m->config);
	limits = fair_throttle_size(m->config->count);
	(void)fair_throttle_clone(&x.throttle, at, limits, &m->throttle);
	at += limits;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		ledger = fair_maui_ledger_size(m->config, kind);
		if (ledger)
			(void)fair_usage_clone(&x.usage[kind], at, ledger,
					       &m->usage[kind]);
		at += ledger;
		FAIR_MEMCPY(x.standing[kind], m->standing[kind],
			    ((size_t)m->config->count[kind] + 1) *
				    sizeof(**m->standing));
	}
	FAIR_MEMCPY(x.qos, m->qos,
		    m->config->count[FAIR_THROTTLE_QOS] * sizeof(*m->qos));
	*copy = x;
	return 0;
}

FAIR_MAUI_API void fair_maui_force_start(struct fair_maui *m, int64_t now,
					 uint32_t slot, int64_t end)
{
	struct fair_throttle_job *asks = &m->job[slot].asks;
	uint32_t exempt = asks->exempt;

	asks->exempt = UINT32_MAX;
	fair_must(fair_maui_start(m, now, slot, end));
	asks->exempt = exempt;
}

FAIR_MAUI_API int fair_maui_resize(struct fair_maui *m, int64_t now,
				   uint32_t slot, int64_t end,
				   const struct fair_maui_request *request,
				   bool forced)
{
	int error = fair_maui_admit(m, request);
	struct fair_maui_job was;

	if (!error && slot >= m->jobs)
		error = -FAIR_EINVAL;
	if (error)
		return error;
	was = m->job[slot];
	forced |= request->procs <= was.asks.procs &&
		  request->nodes <= was.asks.nodes &&
		  request->memory <= was.asks.memory;
	error = fair_maui_finish(m, slot, end);
	if (error)
		return error;
	m->job[slot] = fair_maui_make(m, request);
	m->job[slot].bypassed = was.bypassed;
	m->job[slot].priority = was.priority;
	if (!forced)
		error = fair_maui_start(m, now, slot, end);
	if (error)
		m->job[slot] = was;
	if (error || forced)
		fair_maui_force_start(m, now, slot, end);
	return error;
}

FAIR_MAUI_API void fair_maui_prioritize(struct fair_maui *m, uint32_t slot,
					int64_t submit, int64_t walltime)
{
	struct fair_priority_parts parts;

	fair_must(fair_maui_parts(m, slot, submit, walltime, &parts));
	m->job[slot].priority = parts.priority;
}

FAIR_MAUI_API int64_t fair_maui_priority(const struct fair_maui *m,
					 uint32_t slot)
{
	return m->job[slot].priority;
}

FAIR_MAUI_API void fair_maui_set_rank(struct fair_maui *m, uint32_t slot,
				      int64_t points)
{
	m->job[slot].rank = points;
}

FAIR_MAUI_API void fair_maui_bypass(struct fair_maui *m, uint32_t slot)
{
	m->job[slot].bypassed++;
}

FAIR_MAUI_API uint32_t fair_maui_flags(const struct fair_maui *m, uint32_t slot)
{
	return m->job[slot].flags;
}

FAIR_MAUI_API void fair_maui_clone_job(struct fair_maui *copy, uint32_t to,
				       const struct fair_maui *m, uint32_t from)
{
	copy->job[to] = m->job[from];
}

/* CHECKPOINTS */

enum fair_maui_section {
	FAIR_MAUI_STATE = 14,
	FAIR_MAUI_JOBS,
	FAIR_MAUI_LEDGERS /* of kind 0; the others follow */
};

static void fair_maui_fields(struct fair_checkpoint *f, struct fair_maui *m,
			     struct fair_maui_config *config)
{
	int kind;

	fair_checkpoint_one(f, FAIR_MAUI_STATE, 6 + FAIR_THROTTLE_KINDS);
	fair_checkpoint_i64(f, &m->zero);
	fair_checkpoint_i64(f, &m->now);
	fair_checkpoint_u32(f, &config->usage);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		fair_checkpoint_u32(f, &config->count[kind]);
	fair_checkpoint_i64(f, &config->interval);
	fair_checkpoint_u64(f, &config->decay);
	fair_checkpoint_i64(f, &m->skipped_at);
}

static void fair_maui_job_fields(struct fair_checkpoint *f,
				 struct fair_maui_request *r,
				 struct fair_maui_job *j)
{
	uint32_t skipped = (uint32_t)j->skipped_by[FAIR_THROTTLE_SOFT] |
			   (uint32_t)j->skipped_by[FAIR_THROTTLE_HARD] << 8;

	fair_checkpoint_record(f);
	fair_checkpoint_i32(f, &r->nodes);
	fair_checkpoint_i64(f, &r->memory);
	fair_checkpoint_i64(f, &r->swap);
	fair_checkpoint_i64(f, &r->disk);
	fair_checkpoint_i64(f, &r->rate);
	fair_checkpoint_i64(f, &j->bypassed);
	fair_checkpoint_i64(f, &j->priority);
	fair_checkpoint_i64(f, &j->rank);
	fair_checkpoint_u32(f, &skipped);
	f->bad |= skipped >> 16 != 0;
	j->skipped_by[FAIR_THROTTLE_SOFT] = (uint8_t)skipped;
	j->skipped_by[FAIR_THROTTLE_HARD] = (uint8_t)(skipped >> 8);
}

FAIR_MAUI_API void fair_maui_save(const struct fair_maui *m, uint32_t jobs,
				  struct fair_checkpoint *f)
{
	struct fair_maui_config config = *m->config;
	struct fair_maui x = *m;

	fair_maui_fields(f, &x, &config);
	fair_checkpoint_section(f, FAIR_MAUI_JOBS, jobs, 9);
}

FAIR_MAUI_API void fair_maui_save_job(const struct fair_maui *m, uint32_t slot,
				      struct fair_checkpoint *f)
{
	struct fair_maui_request r = fair_maui_request_of(m, slot);
	struct fair_maui_job j = m->job[slot];

	fair_maui_job_fields(f, &r, &j);
}

FAIR_MAUI_API void fair_maui_save_usage(const struct fair_maui *m,
					struct fair_checkpoint *f)
{
	unsigned char *at;
	size_t bytes;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!fair_maui_ledger_size(m->config, kind))
			continue;
		bytes = fair_usage_checkpoint_size(&m->usage[kind]);
		at = fair_checkpoint_bytes(
			f, FAIR_MAUI_LEDGERS + (uint64_t)kind, bytes);
		if (at)
			fair_must(fair_usage_save(&m->usage[kind], at, bytes));
	}
}

/* The windows of the ledgers; those of @m are still empty. */
static void fair_maui_load_rule(struct fair_maui *m,
				const struct fair_maui_config *was,
				struct fair_checkpoint *f)
{
	int kind;

	if (!was->interval) /* saved by a program that did not save it */
		return;
	f->bad |= !fair_maui_valid(was);
	if (f->bad)
		return;
	m->config->interval = was->interval;
	m->config->decay = was->decay;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (fair_maui_ledger_size(m->config, kind))
			fair_must(fair_usage_change_rule(&m->usage[kind], 0,
							 was->interval,
							 was->decay));
}

FAIR_MAUI_API void fair_maui_load(struct fair_maui *m, int64_t now,
				  uint32_t jobs, struct fair_checkpoint *f)
{
	struct fair_maui_config was = *m->config;
	int kind;

	fair_maui_fields(f, m, &was);
	fair_maui_load_rule(m, &was, f);
	f->bad |= m->now > now || m->zero > m->now ||
		  m->zero < -FAIR_MAUI_TIME || m->now < m->throttle.origin ||
		  m->zero % m->config->interval != 0 ||
		  was.usage != m->config->usage ||
		  fair_checkpoint_section(f, FAIR_MAUI_JOBS, 0, 0) != jobs;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		f->bad |= was.count[kind] != m->config->count[kind];
	f->bad |= m->skipped_at < 0;
	if (!m->limits_idle) /* the rules are those of this configuration */
		m->skipped_at = INT64_MAX;
}

/* Whether the job has the credentials that skip it. */
static bool fair_maui_can_be_skipped(const struct fair_maui_job *j,
				     const uint32_t *id)
{
	int level, kind;

	for (level = 0; level < FAIR_THROTTLE_LEVELS; level++) {
		kind = j->skipped_by[level];
		if (kind > FAIR_THROTTLE_KINDS ||
		    (kind && id[kind - 1] == FAIR_THROTTLE_NONE))
			return false;
	}
	return true;
}

FAIR_MAUI_API void fair_maui_load_job(struct fair_maui *m, uint32_t slot,
				      struct fair_maui_request request,
				      struct fair_checkpoint *f)
{
	struct fair_maui_job more;

	FAIR_MEMSET(m->job + slot, 0, sizeof(*m->job));
	FAIR_MEMSET(&more, 0, sizeof(more));
	request.walltime = 1;
	fair_maui_job_fields(f, &request, &more);
	f->bad |= more.bypassed < 0 || more.bypassed > INT64_MAX / 2 ||
		  more.rank < 0 || more.rank > 100 * FAIR_USAGE_POINT ||
		  !fair_maui_can_be_skipped(&more, request.id) ||
		  fair_maui_submit(m, slot, &request);
	if (f->bad)
		return;
	m->job[slot].bypassed = more.bypassed;
	m->job[slot].priority = more.priority;
	m->job[slot].rank = more.rank;
	if (m->limits_idle)
		FAIR_MEMCPY(m->job[slot].skipped_by, more.skipped_by,
			    sizeof(more.skipped_by));
}

FAIR_MAUI_API void fair_maui_load_usage(struct fair_maui *m,
					struct fair_checkpoint *f)
{
	const unsigned char *ledger;
	size_t bytes = 0;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS && !f->bad; kind++) {
		if (!fair_maui_ledger_size(m->config, kind))
			continue;
		ledger = fair_checkpoint_find(
			f, FAIR_MAUI_LEDGERS + (uint64_t)kind, &bytes);
		f->bad |= !ledger ||
			  fair_usage_reload(&m->usage[kind], m->now - m->zero,
					    ledger, bytes);
	}
	if (!f->bad)
		fair_maui_update_standings(m);
}

/* CHANGES */

static bool fair_maui_has_ledger(const struct fair_maui *m, int kind,
				 uint32_t id)
{
	return kind >= 0 && kind < FAIR_THROTTLE_KINDS && m->config->usage &&
	       id < m->config->count[kind];
}

FAIR_MAUI_API int
fair_maui_set_credential(struct fair_maui *m, int kind, uint32_t id,
			 const struct fair_maui_credential *credential)
{
	int r;

	if (kind < 0 || kind >= FAIR_THROTTLE_KINDS || !credential ||
	    id >= m->config->count[kind])
		return -FAIR_EINVAL;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		if (credential->soft[r] < 0 || credential->hard[r] < 0)
			return -FAIR_EINVAL;
	fair_must(fair_maui_init_credential(m, kind, id, credential));
	m->standing[kind][id].delta = 0;
	m->standing[kind][id].over_cap = false;
	fair_maui_update_standings(m);
	return 0;
}

/* Whether one window of each ledger holds all that is charged. */
static bool fair_maui_fits_window(const struct fair_maui *m)
{
	uint64_t whole = 0, fraction;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!fair_maui_ledger_size(m->config, kind))
			continue;
		fair_must(fair_usage_charged(&m->usage[kind], FAIR_USAGE_TOTAL,
					     m->now - m->zero, &whole,
					     &fraction));
		if (whole >= (UINT64_C(1) << 59) / m->config->windows)
			return false;
	}
	return true;
}

FAIR_MAUI_API int fair_maui_set_window(struct fair_maui *m, int64_t interval,
				       uint64_t decay)
{
	struct fair_maui_config config = *m->config;
	int64_t into, zero;
	int kind;

	config.interval = interval;
	config.decay = decay;
	if (!fair_maui_valid(&config))
		return -FAIR_EINVAL;
	into = m->zero % interval;
	zero = m->zero - into - (into < 0 ? interval : 0);
	if (zero < -FAIR_MAUI_TIME || !fair_maui_fits_window(m))
		return -FAIR_EOVERFLOW;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!fair_maui_ledger_size(m->config, kind))
			continue;
		/* One window without end: only then may the zero move. */
		fair_must(fair_usage_change_rule(&m->usage[kind],
						 m->now - m->zero, INT64_MAX,
						 0));
		fair_must(fair_usage_change_rule(
			&m->usage[kind], m->now - zero, interval, decay));
	}
	m->zero = zero;
	m->config->interval = interval;
	m->config->decay = decay;
	fair_maui_update_standings(m);
	return 0;
}

FAIR_MAUI_API bool fair_maui_charged(const struct fair_maui *m, int kind,
				     uint32_t id, uint64_t *whole,
				     uint64_t *fraction)
{
	uint64_t part = 0;

	if (!fair_maui_has_ledger(m, kind, id))
		return false;
	fair_must(fair_usage_charged(&m->usage[kind], id, m->now - m->zero,
				     whole, &part));
	*fraction = *whole << (64 - FAIR_MAUI_FRACTION) |
		    part >> FAIR_MAUI_FRACTION;
	*whole >>= FAIR_MAUI_FRACTION;
	return true;
}

FAIR_MAUI_API int fair_maui_set_charged(struct fair_maui *m, int kind,
					uint32_t id, uint64_t whole,
					uint64_t fraction)
{
	int error;

	if (!fair_maui_has_ledger(m, kind, id))
		return -FAIR_EINVAL;
	if (whole >> (59 - FAIR_MAUI_FRACTION))
		return -FAIR_EOVERFLOW;
	error = fair_usage_set(&m->usage[kind], id, m->now - m->zero,
			       whole << FAIR_MAUI_FRACTION |
				       fraction >> (64 - FAIR_MAUI_FRACTION),
			       0);
	fair_maui_update_standings(m);
	return error;
}

FAIR_MAUI_API int fair_maui_credit(struct fair_maui *m, int kind, uint32_t id,
				   uint64_t *amount)
{
	struct fair_usage_refund credit = { 0, 0, 0, 0, 0 };

	if (!fair_maui_has_ledger(m, kind, id))
		return -FAIR_EINVAL;
	credit.t = m->now - m->zero;
	credit.entity = id;
	credit.amount = *amount >> (59 - FAIR_MAUI_FRACTION)
				? UINT64_MAX
				: *amount << FAIR_MAUI_FRACTION;
	fair_must(fair_usage_credit(&m->usage[kind], &credit));
	*amount = credit.taken >> FAIR_MAUI_FRACTION;
	fair_maui_update_standings(m);
	return 0;
}

/* I3, of one credential. */
static bool fair_maui_is_standing(const struct fair_maui *m, int kind,
				  uint32_t id)
{
	int64_t rate = m->standing[kind][id].rate, jobs = 0;

	(void)fair_throttle_used(&m->throttle, m->now, kind, id,
				 FAIR_THROTTLE_JOBS, &jobs);
	return rate >= 0 && (jobs || !rate);
}

FAIR_MAUI_API int fair_maui_check(const struct fair_maui *m)
{
	uint32_t id;
	int kind;

	if (fair_throttle_check(&m->throttle))
		return 1;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (fair_maui_ledger_size(m->config, kind) &&
		    fair_usage_check(&m->usage[kind]))
			return 2;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		for (id = 0; id < m->config->count[kind]; id++)
			if (!fair_maui_is_standing(m, kind, id))
				return 3;
	return 0;
}
#endif /* FAIR_MAUI_IMPLEMENTED */

/*
 * This file is available under either of two licences: choose one.
 *
 * A - MIT License
 * Copyright (c) 2026 The fairsched authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 *
 * B - Public domain (www.unlicense.org)
 *
 * This is free and unencumbered software released into the public domain.
 *
 * Anyone is free to copy, modify, publish, use, compile, sell, or distribute
 * this software, either in source code form or as a compiled binary, for any
 * purpose, commercial or non-commercial, and by any means.
 *
 * In jurisdictions that recognize copyright laws, the author or authors of
 * this software dedicate any and all copyright interest in the software to
 * the public domain. We make this dedication for the benefit of the public at
 * large and to the detriment of our heirs and successors. We intend this
 * dedication to be an overt act of relinquishment in perpetuity of all
 * present and future rights to this software under copyright law.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
 * ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
