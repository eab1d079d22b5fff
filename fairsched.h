/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairsched.h - which parallel job starts when, and fairly
 *
 * In ONE file:  #define FAIRSCHED_IMPLEMENTATION
 *               #include "fairsched.h"
 *
 *   submit(job) --+                              +--> start(job)
 *   finish(job) --+--> struct fair_sched --------+--> promised(job, t, cause)
 *   cancel(job) --+    order, gate, plan         +--> next(): call step() then
 *   modify(job) --+
 *   capacity(n) --+
 *   book(t, t2) --+    step(now): what starts now?
 *
 * THE FAMILY (each header is its own manual, and compiles alone with those that
 * it includes)
 *   profile.h                 free processors over time
 *   queue.h                   waiting jobs in order
 *   policies/backfill.h       plan afresh: fcfs, easy, reservation depth N
 *   policies/conservative.h   keep promises: conservative, pc, dc
 *   policies/sfs.h            simultaneous fair-share: accounts by occupancy
 *   policies/maui.h           Maui: priority.h, throttle.h and usage.h together
 *   usage.h                   decayed usage ledger
 *   policies/relshare.h       relative share, entitlement
 *   policies/penalty.h        what a job costs on a machine of many resources
 *   policies/fairness.h       fair shares, unfairness
 *   fairsched.h               the scheduler that composes them
 *
 * EXAMPLE
 *   struct fair_config config = { 0 };
 *   struct fair_sched sched;
 *   struct fair_job job = { 0 };
 *   struct fair_decision start[8];
 *   size_t n, i;
 *
 *   config.policy = FAIR_CONSERVATIVE;
 *   config.procs = 128;
 *   config.jobs = 1000;                    // queued and running at once
 *   size_t bytes = fair_sched_size(&config);
 *   void *memory = malloc(bytes);
 *   fair_sched_init(&sched, sizeof(sched), memory, bytes, &config);
 *
 *   job.number = 1;                        // at second 100 a job arrives
 *   job.submit = 100;
 *   job.walltime = 3600;
 *   job.procs = 64;
 *   fair_sched_submit(&sched, 100, &job);
 *   fair_sched_step(&sched, 100, start, 8, &n);
 *   for (i = 0; i < n; i++)
 *           run(start[i].number);          // yours; at its end:
 *   fair_sched_finish(&sched, 700, 1);
 *   fair_sched_step(&sched, 700, start, 8, &n);
 *
 * ONE INSTANT. Report everything that happens at one second, then step(): first
 * completions in the order in which the jobs were started, then cancel, modify,
 * capacity, then arrivals. Each takes effect when it is called, so another order
 * is allowed and may decide otherwise. Call step() again at the latest at
 * fair_sched_next(). Time never goes back.
 *
 * PROMISES. Under FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC each waiting job holds a
 * reservation, and its start never moves later but for a named cause: lost
 * capacity, an overdue job, or the caller's own act (a refused start, modify, a
 * job set aside or queued again, a step that came too late).
 *
 * BOOKINGS. fair_sched_book() announces that processors are away, or kept for
 * somebody, over a time to come. Nobody is planned or started into it, whatever
 * the policy; a promise in its way is remade, as by lost capacity, unless the
 * caller would rather be refused. fair_sched_in_way() names running jobs.
 *
 * GUESTS. A job with the number of a booking of kind FAIR_ADVANCE runs inside
 * that: on its processors, within its seconds, whatever the policy. It is set
 * aside until it starts, in nobody's way, and has a promise under every policy:
 * the booking's begin, or the earliest time when guests that came before it
 * leave room; FAIR_FOREVER if there is none. Guests whose time has come start
 * before anybody else, by number, and no limit of FAIR_MAUI holds them back.
 * Their promises move earlier as jobs end early, later when the booking has
 * less room, is changed, withdrawn or over (FAIR_CAUSE_BOOKING): to FAIR_FOREVER,
 * until one of that number is booked again. One that outlives its booking runs
 * on, as any job does that is overdue. Each change of a booking of n guests that
 * wait or run costs up to O(n^3).
 *
 * REFUSED STARTS. fair_sched_refuse() takes a start back, config.fits() is
 * asked before one is made. Either way the job waits again where it was, and
 * does not start before the next second. Where it had a promise, that moves to
 * the earliest time from then on, and nobody else's moves later. What the policy
 * has not decided at this second yet it decides anew, passing the job over:
 * where plans are made afresh its reservation, if it gets one, begins later than
 * now, and fcfs starts nobody. It is asked about again when its promise is due,
 * else at each second at which step() is called: fair_sched_next() is the next
 * one. Estimates, forecasts, fair start times and explanations take it that what
 * the plan can start fits.
 *
 * ARRAYS. The tasks of an array that wait are one job, under the number of the
 * next one; fair_job.tasks tells how many they are. When it starts, the next
 * arrives, with the same time of submission: one promise at a time. What starts
 * is a job of its own. Cancel, modify, defer mean all that wait. A task that
 * there is no room for, since config.jobs are live, does not fit: a refused
 * start.
 *
 * BOUNDED STEPS. fair_sched_budget() says how many waiting jobs a call may look
 * at where it compresses or walks through the queue. What is then left undone is
 * gone on with by fair_sched_go_on() and step(), until there is nothing:
 *
 *   fair_sched_budget(&sched, 1000);
 *   fair_sched_finish(&sched, now, number);
 *   while (fair_sched_go_on(&sched))
 *           serve();                          // yours: others are waiting
 *   do {
 *           fair_sched_step(&sched, now, start, 8, &n);
 *           ...                               // run those that start; serve()
 *   } while (n == 8 || fair_sched_unfinished(&sched));
 *
 * Meanwhile @now stays what it was, however late it is. Jobs that were not
 * looked at keep their promises, and the decisions are those of other budgets.
 * Whatever else is called first does all the rest; where plans are made afresh
 * it drops the plan of an unfinished step, and the next step begins anew. A
 * clone and an image go on where it was, without a budget.
 * Not bounded, since it cannot wait: submit under FAIR_DC; what makes promises
 * anew that are lost, by capacity, bookings, overdue jobs, late steps. Since it
 * is short: O(waiting jobs) copied for a walk that sorts or groups, compared
 * under FAIR_MAUI at each start; a selection by windows; what an order by users
 * computes for each user.
 *
 * IMAGES. fair_sched_save() writes the state as bytes, fair_sched_load() goes on
 * from them, on a machine of another byte order too, and in a later version. To
 * replace an image of before: write another file, fsync, rename.
 *
 * UNITS       seconds (int64_t), intervals half-open; processors (int32_t)
 * ERRORS      0 or -FAIR_E...; on error nothing changed
 * MEMORY      the caller's, fair_sched_size() bytes, no pointer to it is kept by
 *             anything but struct fair_sched
 * THREADS     const calls may run concurrently
 * COMPLEXITY  at each function
 * DEFINES     FAIRSCHED_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 the policy's own
 *             I2 bookings come by number, and end later than now;
 *                a job is found by its number, and is queued, running or set
 *                aside once, the last by number; a task's number is its own
 *             I3 running jobs hold procs processors in all, no more than there
 *                are, and none is past its planned end
 *             I4 promises: free + running + reserved make the machine, always
 *             I5 a reservation is never later than the first promise, unless a
 *                cause is on record
 *             I6 a guest's promise was told, is kept as in I5, and has its
 *                processors in its booking
 * SOURCES     docs/SOURCES.md
 */
#ifndef FAIRSCHED_H
#define FAIRSCHED_H

#ifndef FAIR_PROFILE_H
#include "profile.h"
#endif
#ifndef FAIR_QUEUE_H
#include "queue.h"
#endif
#ifndef FAIR_BACKFILL_H
#include "policies/backfill.h"
#endif
#ifndef FAIR_CONSERVATIVE_H
#include "policies/conservative.h"
#endif
#ifndef FAIR_SFS_H
#include "policies/sfs.h"
#endif
#ifndef FAIR_USAGE_H
#include "usage.h"
#endif
#ifndef FAIR_RELSHARE_H
#include "policies/relshare.h"
#endif
#ifndef FAIR_PENALTY_H
#include "policies/penalty.h"
#endif
#ifndef FAIR_FAIRNESS_H
#include "policies/fairness.h"
#endif
#ifndef FAIR_PRIORITY_H
#include "policies/priority.h"
#endif
#ifndef FAIR_THROTTLE_H
#include "policies/throttle.h"
#endif
#ifndef FAIR_MAUI_H
#include "policies/maui.h"
#endif

#ifndef FAIRSCHED_API
#ifndef FAIRSCHED_STATIC
#define FAIRSCHED_API extern
#elif defined(__GNUC__)
#define FAIRSCHED_API static __attribute__((unused))
#else
#define FAIRSCHED_API static
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIRSCHED_API int fair_sched_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_sched_linked)(void)
	__attribute__((used, retain)) = fair_sched_version_100;
#endif
#endif

enum fair_policy {
	FAIR_FCFS,		/* in order, nobody passes */
	FAIR_BACKFILL,		/* config.depth reservations; easy: 1 */
	FAIR_CONSERVATIVE,	/* a promise to everybody */
	FAIR_PC,		/* the same, prioritized compression */
	FAIR_DC,		/* the same, delayed compression */
	FAIR_SFS,		/* FAIR_BACKFILL, accounts by occupancy first */
	FAIR_RELSHARE,		/* easy, by relative share of users */
	FAIR_MAUI		/* by priority, within limits */
};

enum fair_order {
	FAIR_ORDER_FCFS,	/* by time of submission */
	FAIR_ORDER_SJF,		/* shortest walltime first */
	FAIR_ORDER_LJF,		/* longest walltime first */
	FAIR_ORDER_WIDEST,	/* most processors first */
	FAIR_ORDER_NARROWEST,	/* fewest processors first */
	FAIR_ORDER_LXF,		/* largest (wait + walltime) / walltime first */
	FAIR_ORDER_LINEAR,	/* largest wait + config.weight * procs first */
	FAIR_ORDER_USAGE,	/* smallest decayed usage of the user first */
	FAIR_ORDER_KEY,		/* smallest config.key() first */
	FAIR_ORDER_COMPARE	/* by config.compare() */
};

enum fair_state {
	FAIR_QUEUED,
	FAIR_RUNNING,
	FAIR_ASIDE	/* it may not start yet: see struct fair_until */
};

enum fair_after {
	FAIR_AFTER_NOTHING,
	FAIR_AFTER_OK,		/* after a fair_sched_finish() */
	FAIR_AFTER_ANY,		/* or a cancel, or the loss of its processors */
	FAIR_AFTER_NEVER	/* private: it did not end as it had to */
};

/**
 * struct fair_until - what a job waits for before it is queued.
 * @begin: not before then, seconds
 * @after: not before the end of this live job
 * @end:   enum fair_after: which end
 * @held:  not before the caller says so
 */
struct fair_until {
	int64_t begin;
	uint64_t after;
	uint32_t end;
	bool held;
};

/* Why a promise was made or moved. */
enum fair_cause {
	FAIR_CAUSE_NONE,
	FAIR_CAUSE_ARRIVAL,	/* the first promise */
	FAIR_CAUSE_EARLIER,	/* compression; all below move it later */
	FAIR_CAUSE_CAPACITY,	/* processors were lost */
	FAIR_CAUSE_OVERDUE,	/* a job outlived its walltime, or got more */
	FAIR_CAUSE_REFUSED,	/* the caller refused to start it */
	FAIR_CAUSE_MODIFIED,	/* the caller modified it */
	FAIR_CAUSE_LATE_STEP,	/* the caller came after the time of a start */
	FAIR_CAUSE_DEFERRED,	/* the caller set it aside: to FAIR_FOREVER */
	FAIR_CAUSE_REQUEUED,	/* the caller stopped it, it is queued again */
	FAIR_CAUSE_BOOKING	/* its booking was changed, is gone or over, or
				   another one took its room */
};

/* What a decision is, as the digest sees it. */
enum fair_kind { FAIR_START = 1, FAIR_PROMISE = 2, FAIR_DELAY = 3 };

/**
 * struct fair_job - what the caller knows of a job.
 * @number:   its name; no two live jobs share one; ties end at it
 * @cookie:   the caller's own, returned as it was
 * @submit:   when it was submitted, seconds, not after now
 * @walltime: estimate, seconds, >= 1
 * @procs:    processors, >= 1
 * @penalty:  FAIR_ORDER_USAGE: what a second of it costs, processors in 2^-20,
 *            up to 2^51, see policies/penalty.h; 0: @procs
 * @nodes:    FAIR_MAUI: nodes, >= 0
 * @memory, @swap, @disk: FAIR_MAUI: MB
 * @rate:     FAIR_MAUI: see struct fair_maui_request
 * @tasks:    0, 1: it is one job; more: an array of so many equal ones, whose
 *            numbers are @number, @number + 1 ...; see ARRAYS
 * @booking:  the booking that it runs in, see GUESTS; 0: none
 */
struct fair_job {
	uint64_t number, cookie;
	int64_t submit, walltime;
	int32_t procs;
	uint32_t user, group, account, queue, qos;
	int64_t penalty;
	int32_t nodes;
	int64_t memory, swap, disk, rate;
	uint32_t tasks;
	uint64_t booking;
};

/**
 * struct fair_promise - a promise is made or moved.
 * @made:    now
 * @from:    the start promised before; FAIR_FOREVER: none
 * @to:      the start promised now; FAIR_FOREVER: the machine is too small
 * @cause:   enum fair_cause
 * @culprit: FAIR_CAUSE_OVERDUE: the job that did not end; else @number
 */
struct fair_promise {
	uint64_t number;
	int64_t made, from, to;
	uint32_t cause;
	uint64_t culprit;
};

enum fair_booking_kind {
	FAIR_MAINTENANCE,	/* the processors are away */
	FAIR_ADVANCE		/* they are kept for guests, or for somebody
				   whom the caller serves */
};

/**
 * struct fair_booking - processors that are not there for the queue.
 * @number: its name; no two live bookings share one; 0 has no guests
 * @from:   the first second, may have passed already
 * @to:     the first second behind it, beyond now and within the horizon
 * @procs:  processors, >= 1, not more than the machine ever had
 * @kind:   enum fair_booking_kind
 * @user:   the caller's own
 *
 * A booking yields to jobs that run and to lost capacity: it has what is left
 * of its processors beside them, and all as soon as they have ended.
 */
struct fair_booking {
	uint64_t number;
	int64_t from, to;
	int32_t procs;
	uint32_t kind, user;
};

/**
 * struct fair_config - what a scheduler is; zero what you do not need.
 * @policy:   enum fair_policy
 * @order:    enum fair_order; FAIR_CONSERVATIVE takes FAIR_ORDER_FCFS only,
 *            FAIR_PC and FAIR_DC all but FAIR_ORDER_LXF, FAIR_ORDER_USAGE,
 *            FAIR_ORDER_COMPARE, FAIR_RELSHARE none; FAIR_ORDER_USAGE goes with
 *            FAIR_FIRSTFIT
 * @depth:    FAIR_BACKFILL: reservations of a walk; 0 counts as 1
 * @select:   FAIR_BACKFILL: enum fair_select of the jobs behind them, by
 * @metric:   enum fair_metric, in the
 * @longest:  longest backfill window first, else the widest
 * @procs:    processors of the machine
 * @origin:   the first instant, seconds
 * @jobs:     most jobs queued and running at once; a new array counts as two
 * @accounts: FAIR_SFS: how many; a job's account is below it
 * @target:   FAIR_SFS: of each account, processors that it may occupy before
 *            others go first; see fair_sfs_target(); read by init only
 * @weight:   FAIR_ORDER_LINEAR: seconds of waiting that a processor is worth,
 *            up to 2^28 [SFS 2.3]
 * @half_life: FAIR_ORDER_USAGE: seconds, up to FAIR_USAGE_HALF_LIFE; 0: usage
 *            is never forgotten. Running jobs count as if they took all their
 *            walltime [MR 3.4]. What would bring the ledger above 2^39
 *            processor-seconds is not charged.
 * @users:    FAIR_RELSHARE, FAIR_ORDER_USAGE: how many; a job's user is below it
 * @share:    FAIR_RELSHARE: of each user; NULL: 1 each; read by init only
 * @window:   FAIR_RELSHARE: usage counts from multiples of it on, seconds, of
 *            all processors up to 2^59 processor-seconds
 * @only_used: FAIR_RELSHARE: what jobs will yet use does not count
 * @maui:     FAIR_MAUI: all that it is; init makes a copy
 * @aside:    most jobs set aside at once; with @bookings: as @jobs
 * @bookings: most bookings at once. With any, FAIR_BACKFILL and its like plan
 *            in a profile, with 41 bytes more a job
 * @key:      FAIR_ORDER_KEY: the smallest comes first, ties end at the number;
 *            asked whenever a job is queued: at its arrival, its release, ...
 * @compare:  FAIR_ORDER_COMPARE: < 0 if @a comes before @b at @now, > 0 if
 *            behind, 0: by (submit, number); asked by each walk, which sorts
 * @fits:     unless NULL, asked before a start whether it can be made, over
 *            [@start, @end); a start that it says no to is a refused one
 * @promised: told of every promise, unless NULL
 * @context:  the first argument of these four
 *
 * @key, @compare, @fits are pure functions of their arguments and of what else
 * the caller has decided: the same for a scheduler loaded from an image.
 */
struct fair_config {
	uint32_t policy, order, depth;
	uint32_t select, metric;
	bool longest;
	int32_t procs;
	int64_t origin;
	uint32_t jobs, aside, bookings;
	uint32_t accounts;
	const int64_t *target;
	int64_t weight, half_life;
	uint32_t users;
	const uint32_t *share;
	int64_t window;
	bool only_used;
	const struct fair_maui_config *maui;
	int64_t (*key)(void *context, const struct fair_job *job);
	int (*compare)(void *context, int64_t now, const struct fair_job *a,
		       const struct fair_job *b);
	bool (*fits)(void *context, const struct fair_job *job, int64_t start,
		     int64_t end);
	void (*promised)(void *context, const struct fair_promise *promise);
	void *context;
};

/** struct fair_decision - start this job now. */
struct fair_decision {
	uint64_t number, cookie;
	int64_t time;
};

/**
 * struct fair_job_status - a live job.
 * @state:         enum fair_state
 * @cause:         of the last move to a later time, else FAIR_CAUSE_NONE
 * @moves:         how often its promise was moved
 * @start:         running: since when; else its reservation, FAIR_FOREVER
 *                 where it holds none
 * @end:           running: planned end
 * @first_promise: FAIR_FOREVER: none
 */
struct fair_job_status {
	struct fair_job job;
	uint32_t state, cause, moves;
	int64_t start, end, first_promise;
};

/* Private: a live job in its slot. */
struct fair_live {
	struct fair_queued queued;	/* running: rank.key is the planned end */
	uint64_t cookie;
	int64_t submit;
	int64_t started;
	int64_t first_promise;
	uint32_t user, group, account, queue, qos;
	uint32_t moves;
	uint32_t sequence;		/* running: of starts; else tasks */
					/* that come after this one */
	uint16_t cause;
	uint8_t state;
	bool charged;			/* its walltime is held in the ledger */
	int64_t penalty;
	uint64_t booking;
};

/* Private: a job that is set aside. */
struct fair_aside {
	struct fair_until until;
	int64_t told, was;		/* of a guest, its promises: the last */
					/* that was told; before a plan */
	uint32_t slot;
	bool fresh;			/* it was never queued */
	bool guest;			/* it waits for nothing but its booking */
};

/** struct fair_sched - the scheduler; all fields are private. */
struct fair_sched {
	struct fair_config config;
	int64_t now;
	int32_t procs, most_procs;	/* of the machine: now, ever */
	int32_t busy;			/* in use */
	uint32_t jobs;			/* live */
	uint32_t arrays;		/* that wait, of more than one task */
	uint32_t guests;		/* live jobs with a booking */
	uint32_t refused;		/* jobs with FAIR_MARK_REFUSED */
	uint32_t used, spares;		/* slots ever used; free among them */
	struct fair_aside *aside;	/* by number */
	uint32_t asides;
	struct fair_booking *booking;	/* by number */
	uint32_t booked;
	uint32_t *spare;
	uint32_t *inside;		/* guests that run, where there are */
	uint32_t insides;		/* bookings, in any order */
	uint32_t *hash;			/* slot + 1 by number; 0: none */
	uint32_t hash_shift;
	struct fair_live *live;
	struct fair_queue running;	/* by planned end */
	struct fair_conservative keep;	/* policies that promise */
	struct fair_backfill plan;	/* policies that do not */
	struct fair_sfs sfs;
	struct fair_relshare relshare;
	struct fair_usage usage;	/* FAIR_ORDER_USAGE */
	struct fair_maui maui;
	uint64_t digest;
	uint64_t culprit;
	uint32_t cause;			/* of the moves of this event */
	uint32_t starts;		/* so far, modulo 2^32 */
	bool stepped;			/* nothing happened since step() */
	bool bounded;			/* there was a budget; else none of: */
	uint64_t budget;		/* looks of a call; 0: any number */
	uint32_t pinned;		/* of a clone: slot + 1 of a job whose */
	int64_t pinned_walltime;	/* priority stays; lxf, compare: by */
	int32_t pinned_procs;		/* these */
};

/* Private: when a job that runs will really end. */
struct fair_future_end {
	int64_t end;
	uint32_t slot;
};

/**
 * struct fair_future - a scheduler that no more jobs come to.
 * @until: seconds, in the future: nobody asks for starts that are not before.
 *         For the caller to set, again and again; FAIR_FOREVER at first. The
 *         rest is private
 */
struct fair_future {
	int64_t until;
	struct fair_sched sched;
	struct fair_future_end *end;	/* the next first: a binary heap */
	uint32_t running;
	int64_t now;
	int64_t busy;			/* when a job last ended; at first now */
	bool played;			/* the instant now */
	int64_t (*run)(void *context, uint64_t number);
	void *context;
};

/**
 * struct fair_fst - fair start times of a job, FAIR_FOREVER: never.
 * @strict:  its start if no job arrived after it
 * @relaxed: the same, if it arrived only when all that wait before it had
 *           started
 */
struct fair_fst {
	int64_t strict, relaxed;
};

/* Why a queued job does not start now: a sum of these. */
enum fair_reason {
	FAIR_WHY_REFUSED = 1,	/* the caller refused to start it this second */
	FAIR_WHY_MACHINE = 2,	/* it is wider than the machine at present */
	FAIR_WHY_PROCS = 4,	/* too few processors are free */
	FAIR_WHY_DELAY = 8,	/* it would delay the first blocker */
	FAIR_WHY_BEHIND = 16,	/* nobody passes the first blocker */
	FAIR_WHY_TARGET = 32,	/* its account is above its target */
	FAIR_WHY_LIMIT = 64,	/* over a limit of its user, group, ... */
	FAIR_WHY_CAP = 128,	/* one of these has used more than its cap */
	FAIR_WHY_KEPT = 256,	/* nothing: it moves at the next compression */
	FAIR_WHY_ASIDE = 512,	/* it is set aside, whatever the room */
	FAIR_WHY_BOOKED = 1024,	/* it would run into a booking, or one is on */
	FAIR_WHY_GUEST = 2048	/* with FAIR_WHY_ASIDE: for its own booking */
};

/* What of struct fair_why only a clone could tell: a sum of these. */
enum fair_unknown {
	FAIR_UNKNOWN_PROCS = 1,
	FAIR_UNKNOWN_WALLTIME = 2,
	FAIR_UNKNOWN_UNTIL = 4
};

/**
 * struct fair_blocker - a job in the way of another.
 * @state: enum fair_state
 * @start: running: since when; queued: its promise or reservation
 * @end:   running: planned; queued: FAIR_FOREVER
 */
struct fair_blocker {
	uint64_t number;
	int64_t start, end;
	int32_t procs;
	uint32_t state;
};

#define FAIR_BLOCKERS 8

/**
 * struct fair_why - why a job does not start now, and what would change that.
 * @job:       as it is
 * @now:       of the last step
 * @reasons:   enum fair_reason
 * @machine:   processors at present
 * @free:      processors not in use
 * @free_at:   when as many are free as it needs, by the planned ends of running
 *             jobs; FAIR_FOREVER: never
 * @promise:   its reservation; FAIR_FOREVER: it has none
 * @occupancy: FAIR_SFS: of its account, processors
 * @target:    FAIR_SFS: of its account
 * @limit:     FAIR_WHY_LIMIT: which one
 * @aside:     FAIR_WHY_ASIDE: what it waits for
 * @booking:   FAIR_WHY_BOOKED: the first in its way; FAIR_WHY_GUEST: its own,
 *             of 0 processors if it is not there
 * @ahead:     waiting jobs that come before it in the order
 * @blockers:  how many jobs are in the way: FAIR_WHY_DELAY those whose
 *             reservations begin first, FAIR_WHY_BEHIND the first in the
 *             queue, FAIR_WHY_PROCS running jobs that end until @free_at
 * @blocker:   the first of them
 * @unknown:   enum fair_unknown
 * @procs:     the most with which it would start now; 0: there is none
 * @walltime:  the longest with which it would start now; 0: there is none
 * @until:     when it starts if nothing happens and walltimes hold; where that
 *             is unknown, the promise; FAIR_FOREVER: never
 *
 * Of @procs, @walltime, @until each is meant alone, and the job keeps its place
 * in the order.
 */
struct fair_why {
	struct fair_job job;
	int64_t now;
	uint32_t reasons;
	int32_t machine, free;
	int64_t free_at, promise;
	int64_t occupancy, target;
	struct fair_throttle_block limit;
	struct fair_until aside;
	struct fair_booking booking;
	uint32_t ahead, blockers;
	struct fair_blocker blocker[FAIR_BLOCKERS];
	uint32_t unknown;
	int32_t procs;
	int64_t walltime, until;
};

/**
 * struct fair_draw - how long jobs may really run.
 * @run:     seconds that @job, queued or running, may run in all, a pure
 *           function of its arguments; more than planned counts as planned,
 *           less than a running job has run already as that it ends now
 * @context: its first argument
 * @seed:    of @random, which depends on the sample and the job's number too,
 *           on nothing else
 * @samples: >= 1
 */
struct fair_draw {
	int64_t (*run)(void *context, const struct fair_job_status *job,
		       uint64_t random);
	void *context;
	uint64_t seed;
	uint32_t samples;
};

/** struct fair_forecast - percentiles of a start, by nearest rank. */
struct fair_forecast {
	int64_t p10, p50, p90;
};

/**
 * struct fair_change - what becomes of a job, as things are, as they would be.
 * @start:   FAIR_FOREVER: it does not start, or is not there
 * @promise: its reservation; FAIR_FOREVER: it holds none
 */
struct fair_change {
	uint64_t number;
	int64_t start[2], promise[2];
};

/** fair_version() - "1.0.0". */
FAIRSCHED_API const char *fair_version(void);

/** fair_strerror() - what an error means, for people; @error may be negative. */
FAIRSCHED_API const char *fair_strerror(int error);

/**
 * fair_sched_size() - bytes for a scheduler of @config.
 *
 * Return: 0 if @config is not valid or too large.
 */
FAIRSCHED_API size_t fair_sched_size(const struct fair_config *config);

/**
 * fair_sched_init() - an idle machine and an empty queue.
 * @struct_size: sizeof(struct fair_sched) as the caller compiled it
 * @memory:      fair_sched_size() bytes that stay with it, any alignment
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIRSCHED_API int fair_sched_init(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config);

/**
 * fair_sched_submit() - a job arrives.
 *
 * Policies that promise place it at once. A job wider than the machine at
 * present, but not than it ever was, waits for its capacity.
 *
 * Return: 0; -FAIR_EINVAL (time, a field, a number that is live, a booking that
 * is not, or has no guests); -FAIR_ERANGE if it is wider than the machine ever
 * was or its booking is, or by FAIR_MAUI's limits cannot start even alone;
 * -FAIR_ENOSPC if there are config.jobs; -FAIR_EOVERFLOW if the walltime is
 * beyond 2^34 s, what is left of its booking, or the horizon of the plan, which
 * is at least 68 years away.
 * Complexity: see the policy; for an array, or while one waits, beside that
 * O(live jobs).
 */
FAIRSCHED_API int fair_sched_submit(struct fair_sched *s, int64_t now,
				    const struct fair_job *job);

/**
 * fair_sched_submit_aside() - a job arrives that may not start yet.
 * @until: what it waits for; NULL: nothing
 *
 * Until then it holds no reservation and is in nobody's way; then it is queued
 * as if it arrived, with its own time of submission.
 *
 * Return: as fair_sched_submit(); -FAIR_EINVAL also if the job to wait for is
 * not live, or a task that waits; -FAIR_ENOSPC also if config.aside jobs are
 * set aside.
 */
FAIRSCHED_API int fair_sched_submit_aside(struct fair_sched *s, int64_t now,
					  const struct fair_job *job,
					  const struct fair_until *until);

/**
 * fair_sched_defer() - a waiting job waits for something else.
 * @until: instead of what it waited for; NULL: for nothing any more
 *
 * A queued job that has to wait gives its reservation back, to which the policy
 * reacts as if it were cancelled; its promise moves to FAIR_FOREVER. The record
 * of its promises stays.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC. Complexity: O(config.aside), beside
 * what the policy does.
 */
FAIRSCHED_API int fair_sched_defer(struct fair_sched *s, int64_t now,
				   uint64_t number,
				   const struct fair_until *until);

/**
 * fair_sched_requeue() - a running job is stopped, and queued again.
 *
 * As if it finished and, under its number and time of submission, was queued
 * behind the policy's reaction. At the second of its start refuse it instead.
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_requeue(struct fair_sched *s, int64_t now,
				     uint64_t number);

/**
 * fair_sched_finish() - a running job has ended.
 *
 * Before its planned end, the policy reacts at once: compression.
 *
 * Return: 0; -FAIR_EINVAL if it does not run.
 */
FAIRSCHED_API int fair_sched_finish(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_cancel() - a job is withdrawn; a running one has finished.
 *
 * Return: 0; -FAIR_EINVAL if it is not live.
 */
FAIRSCHED_API int fair_sched_cancel(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_modify() - other processors, another walltime.
 * @procs: of a running job: as before
 *
 * A queued job keeps its place in the order as far as that is by submission and
 * gets a new promise. A running one made shorter gives the rest back; one
 * made longer breaks promises as an overdue job does; a walltime that has
 * passed already counts as overdue.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE; -FAIR_EOVERFLOW as for submit.
 */
FAIRSCHED_API int fair_sched_modify(struct fair_sched *s, int64_t now,
				    uint64_t number, int32_t procs,
				    int64_t walltime);

/**
 * fair_sched_capacity() - the machine gains or loses processors.
 * @delta:  processors, not 0
 * @victim: @victims running jobs that end with a loss
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if more are lost than are free when
 * the victims have ended; -FAIR_EOVERFLOW, also under FAIR_RELSHARE if a window
 * of them all would be above 2^59 processor-seconds.
 */
FAIRSCHED_API int fair_sched_capacity(struct fair_sched *s, int64_t now,
				      int32_t delta, const uint64_t *victim,
				      size_t victims);

/**
 * fair_sched_book() - processors are booked, or a booking is changed.
 * @booking: of a number that is live: takes the place of that one
 * @force:   even if it breaks promises or finds running jobs in its way
 *
 * No job is planned or started into it; where it takes what was promised, the
 * promises are remade, and name FAIR_CAUSE_CAPACITY. What it gives up, the policy
 * reacts to at once.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC if there are config.bookings;
 * -FAIR_EOVERFLOW if it ends beyond the horizon; -FAIR_ERANGE if it is wider than
 * the machine ever was, or if it is not forced, in which case time has
 * passed all the same.
 * Complexity: for each of the waiting jobs a release and a reservation, and
 * O(steps * (bookings + running jobs)) of the profile between its ends.
 */
FAIRSCHED_API int fair_sched_book(struct fair_sched *s, int64_t now,
				  const struct fair_booking *booking,
				  bool force);

/**
 * fair_sched_unbook() - a booking is withdrawn; the policy reacts at once.
 *
 * Return: 0; -FAIR_EINVAL if there is none of this number.
 */
FAIRSCHED_API int fair_sched_unbook(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_booking() - the live booking at place @i, by number; one whose
 * time has passed is gone.
 *
 * Return: false if there are no more than @i.
 */
FAIRSCHED_API bool fair_sched_booking(const struct fair_sched *s, uint32_t i,
				      struct fair_booking *booking);

/**
 * fair_sched_in_way() - go through the running jobs in the way of a booking.
 * @booking: live or not
 * @at:      { 0, 0 } first; any change of the scheduler ends the walk
 *
 * If at some second of it there are not enough processors for it, for the
 * other bookings and for what is planned to run then: each job, but its guests,
 * that is planned to end behind its first second, by planned end.
 *
 * Return: false at the end. Complexity: O(bookings * (bookings + running)).
 */
FAIRSCHED_API bool fair_sched_in_way(const struct fair_sched *s,
				     const struct fair_booking *booking,
				     struct fair_queue_at *at,
				     struct fair_job_status *status);

/**
 * fair_sched_refuse() - a start of this instant cannot be made.
 *
 * The job is queued again, where it was, for a later second.
 *
 * Return: 0; -FAIR_EINVAL if it was not started at @now.
 */
FAIRSCHED_API int fair_sched_refuse(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_step() - what starts now?
 * @start: out: up to @room jobs, in the policy's order
 * @n:     out: how many; as many as @room, or fair_sched_unfinished(): call
 *         again, there may be more. The decisions do not depend on @room.
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_step(struct fair_sched *s, int64_t now,
				  struct fair_decision *start, size_t room,
				  size_t *n);

/**
 * fair_sched_budget() - let no call look at more than @looks waiting jobs.
 * @looks: 0, as at first: there is no bound
 *
 * See BOUNDED STEPS. Where the queue is sorted, a look is also what finds one
 * job its place, O(log n) comparisons, or under FAIR_MAUI its priority.
 */
FAIRSCHED_API void fair_sched_budget(struct fair_sched *s, uint64_t looks);

/** fair_sched_unfinished() - whether a budget left anything undone. */
FAIRSCHED_API bool fair_sched_unfinished(const struct fair_sched *s);

/**
 * fair_sched_go_on() - go on with the policy's reaction to the last event.
 *
 * Nothing starts and no time passes: another event of this second may follow.
 *
 * Return: true if there is more of it.
 */
FAIRSCHED_API bool fair_sched_go_on(struct fair_sched *s);

/**
 * fair_sched_next() - when to call step(), if nothing happens before.
 *
 * Return: now, while anything is unfinished; the next start promised, planned
 * end, end of a booking that jobs may wait for, or begin of a job set aside that
 * waits for nothing else; FAIR_FOREVER: never.
 * FAIR_MAUI, while jobs wait: the next timer, or, if only a cap keeps the
 * machine idle, the next fairshare window.
 */
FAIRSCHED_API int64_t fair_sched_next(const struct fair_sched *s);

/**
 * fair_sched_pass() - time passes, and nothing is known to have happened.
 *
 * Nothing starts: that is what step() is for. Jobs whose planned end is @now or
 * earlier are overdue.
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_pass(struct fair_sched *s, int64_t now);

/**
 * fair_sched_maui() - FAIR_MAUI: the priority of a waiting job now.
 * @parts: out: how it comes about
 *
 * Return: 0; -FAIR_EINVAL for another policy or a job that does not wait.
 */
FAIRSCHED_API int fair_sched_maui(const struct fair_sched *s, uint64_t number,
				  struct fair_priority_parts *parts);

/** fair_sched_lookup() - a live job; -FAIR_EINVAL if there is none. */
FAIRSCHED_API int fair_sched_lookup(const struct fair_sched *s, uint64_t number,
				    struct fair_job_status *status);

/**
 * fair_sched_each() - go through the queued jobs, or the running, or others.
 * @at: { 0, 0 } first; any change of the scheduler ends the walk
 *
 * Queued jobs come in the order of their reservations, or in priority order
 * (lxf, usage, compare: of submission) where there are none; running ones by
 * planned end; those set aside by number.
 *
 * Return: false at the end.
 */
FAIRSCHED_API bool fair_sched_each(const struct fair_sched *s, uint32_t state,
				   struct fair_queue_at *at,
				   struct fair_job_status *status);

/**
 * fair_sched_clone() - a copy that goes its own way.
 * @memory: fair_sched_size() bytes, for the copy alone
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(live jobs).
 */
FAIRSCHED_API int fair_sched_clone(struct fair_sched *copy, void *memory,
				   size_t bytes, const struct fair_sched *s);

/** fair_sched_fst_size() - bytes that fair start times need; 0: as size(). */
FAIRSCHED_API size_t fair_sched_fst_size(const struct fair_config *config);

/**
 * fair_sched_fst() - fair start times of a job that is about to be submitted.
 * @now:     all that happened before its arrival has been reported
 * @memory:  fair_sched_fst_size() bytes, free again afterwards
 * @run:     how long a job that runs or waits, or @job, or a task of either,
 *           really runs, seconds, >= 0, from its start
 * @context: its first argument
 * @fst:     out
 *
 * Each is found on a clone that goes on by real run times until the job has
 * started: exact, whatever the policy.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM; as fair_sched_submit().
 * Complexity: that of the events until then. Source: [CF 3.1, SS05].
 */
FAIRSCHED_API int fair_sched_fst(const struct fair_sched *s, int64_t now,
				 const struct fair_job *job, void *memory,
				 size_t bytes,
				 int64_t (*run)(void *context, uint64_t number),
				 void *context, struct fair_fst *fst);

/**
 * fair_future_open() - a clone to be played to its end.
 * @memory: fair_sched_fst_size() bytes that stay with it
 *
 * Where fair start times of all jobs are wanted, one future serves two: before
 * job x arrives, open it, fair_future_start() gives the strict fair start time
 * of the job that arrived before x, then fair_future_join() the relaxed one of
 * x. See fair_sched_fst() for the other arguments.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(live jobs).
 */
FAIRSCHED_API int fair_future_open(struct fair_future *f, size_t struct_size,
				   void *memory, size_t bytes,
				   const struct fair_sched *s, int64_t now,
				   int64_t (*run)(void *context,
						  uint64_t number),
				   void *context);

/**
 * fair_future_start() - when a live job starts, or has started.
 * @start: out: FAIR_FOREVER if never, or not before @f->until
 *
 * Return: 0; -FAIR_EINVAL if it is not live.
 */
FAIRSCHED_API int fair_future_start(struct fair_future *f, uint64_t number,
				    int64_t *start);

/**
 * fair_future_join() - when @job starts, if it arrives when all jobs have.
 * @start: out: as for fair_future_start(); then @job has not come, if not all
 *         had started before @f->until
 *
 * Return: 0; -FAIR_EINVAL; as fair_sched_submit(): then all have started.
 */
FAIRSCHED_API int fair_future_join(struct fair_future *f,
				   const struct fair_job *job, int64_t *start);

/**
 * fair_sched_estimate() - when a job that waits, or is set aside, starts.
 * @memory: fair_sched_fst_size() bytes, free again afterwards; NULL will do
 *          where there is a promise, or never will be: it is wider than the
 *          machine
 * @start:  out: the promise, where there is one; else the plan: its start if
 *          nothing else happens and walltimes hold; FAIR_FOREVER: never, or
 *          under FAIR_MAUI not before all usage is forgotten
 *
 * Return: 0; -FAIR_EINVAL if it runs or is not live; -FAIR_ENOMEM.
 * Complexity: O(1), else a clone and the events until then.
 */
FAIRSCHED_API int fair_sched_estimate(const struct fair_sched *s,
				      uint64_t number, void *memory,
				      size_t bytes, int64_t *start);

/** fair_sched_forecast_size() - bytes for that; 0: as fair_sched_size(). */
FAIRSCHED_API size_t fair_sched_forecast_size(const struct fair_config *config,
					      uint32_t samples);

/**
 * fair_sched_forecast() - when that may be, walltimes being limits.
 * @memory:   fair_sched_forecast_size() bytes, free again afterwards
 * @forecast: out
 *
 * Each sample is a clone that goes on until the job starts, with run times that
 * are drawn; nothing else happens. Nobody outlives its walltime, so that no
 * promise is broken, and none is exceeded here.
 *
 * Return: 0; -FAIR_EINVAL if it runs or is not live; -FAIR_ENOMEM.
 * Complexity: samples * (a clone and the events until then), and samples^2 / 4
 * moves of 8 bytes.
 */
FAIRSCHED_API int fair_sched_forecast(const struct fair_sched *s,
				      uint64_t number,
				      const struct fair_draw *draw,
				      void *memory, size_t bytes,
				      struct fair_forecast *forecast);

/**
 * fair_sched_why() - why a queued job did not start at the last step.
 * @memory: fair_sched_fst_size() bytes for a clone, free again afterwards;
 *          NULL: what only a clone can tell stays unknown
 * @why:    out
 *
 * The smallest changes are what fair_sched_modify() and then step(), now, would
 * be given, but that the job keeps its place whatever the order. They are
 * read from the plan for FAIR_FCFS, FAIR_BACKFILL, FAIR_CONSERVATIVE and
 * FAIR_PC. Elsewhere a changed job may make others move before it is looked at:
 * they are tried on clones, by bisection. Where a smaller job is not always the
 * one that starts (FAIR_DC, config.select), that finds a change of which one
 * less does not do, if one processor or one second does.
 *
 * Return: 0; -FAIR_EINVAL if it runs or is not live, or if anything happened
 * since step() returned less than it had room for; -FAIR_ENOMEM.
 * Complexity: O(log) queries of the profile, and O(queue) for the place in the
 * order; on clones see fair_sched_clone() and fair_sched_estimate().
 */
FAIRSCHED_API int fair_sched_why(const struct fair_sched *s, uint64_t number,
				 void *memory, size_t bytes,
				 struct fair_why *why);

/**
 * fair_why_text() - the same for people, in English.
 * @text: out: ends with 0, cut where @size is too small
 *
 * Return: the length of the whole text, without the 0.
 */
FAIRSCHED_API size_t fair_why_text(const struct fair_why *why, char *text,
				   size_t size);

/**
 * fair_sched_convert() - the same jobs under another policy.
 * @b:      out: begins at the present of @a with an empty digest
 * @config: of @b, but for procs and origin, which are those of @a
 *
 * What runs goes on; what waits is submitted in the order of (submit, number);
 * what is set aside stays there.
 * Usage counts from now on, promises are made anew, refused starts forgotten.
 *
 * Return: 0; -FAIR_EINVAL, also for a job whose account or user is not one of
 * @config; -FAIR_ERANGE if its limits forbid one for ever; -FAIR_ENOMEM;
 * -FAIR_ENOSPC if @config has room for fewer jobs;
 * -FAIR_EOVERFLOW as for submit, also if what runs is planned to end beyond the
 * horizon.
 * Complexity: O(n log n) and a submit for each waiting job.
 */
FAIRSCHED_API int fair_sched_convert(struct fair_sched *b, size_t struct_size,
				     void *memory, size_t bytes,
				     const struct fair_config *config,
				     const struct fair_sched *a);

/** fair_sched_whatif_size() - bytes for that; 0: as fair_sched_size(). */
FAIRSCHED_API size_t fair_sched_whatif_size(const struct fair_config *a,
					    const struct fair_config *b);

/**
 * fair_sched_whatif() - who starts earlier, who later, whose promise changes.
 * @a:      as things are
 * @b:      as they would be: a clone of @a, or what was converted from it, that
 *          was told other events
 * @memory: fair_sched_whatif_size() bytes, free again afterwards
 * @change: told of each job, waiting or set aside, whose start or promise
 *          differs
 *
 * Starts are those of the plan: nothing else happens and walltimes hold.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 * Complexity: two clones and the events until all have started.
 */
FAIRSCHED_API int
fair_sched_whatif(const struct fair_sched *a, const struct fair_sched *b,
		  void *memory, size_t bytes,
		  void (*change)(void *context,
				 const struct fair_change *change),
		  void *context);

/**
 * fair_sched_check() - 0, or the number of the first broken invariant.
 *
 * Complexity: O(live jobs * steps of the profile).
 */
FAIRSCHED_API int fair_sched_check(const struct fair_sched *s);

/**
 * fair_sched_digest() - a hash over all decisions so far, in order.
 *
 * FNV-1a 64 over time, number and enum fair_kind of each start, first promise
 * and delay, 8 bytes little-endian each. A promise that moves earlier is not
 * part of it: it ends in a start.
 */
FAIRSCHED_API uint64_t fair_sched_digest(const struct fair_sched *s);

/* Why an image was refused. */
enum fair_image_damage {
	FAIR_IMAGE_CUT = 1,	/* not as long as it says */
	FAIR_IMAGE_FOREIGN,	/* not an image of a scheduler */
	FAIR_IMAGE_LATER,	/* of a later version than this one */
	FAIR_IMAGE_CHECKSUM,	/* changed since it was saved */
	FAIR_IMAGE_BROKEN,	/* no scheduler can be as it says */
	FAIR_IMAGE_CONFIG	/* of a scheduler of another config */
};

/** fair_image_strerror() - the same, for people; 0: no damage. */
FAIRSCHED_API const char *fair_image_strerror(int damage);

/**
 * fair_sched_image_size() - bytes that fair_sched_save() writes.
 *
 * Complexity: O(live jobs), 176 bytes each and more.
 */
FAIRSCHED_API size_t fair_sched_image_size(const struct fair_sched *s);

/**
 * fair_sched_save() - write the state as bytes that any machine can load.
 * @image: out: fair_sched_image_size() bytes, any alignment
 *
 * It may be taken between any two calls, also between two calls of step() of
 * one instant.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC if @bytes is too small.
 * Complexity: O(live jobs + accounts + users).
 */
FAIRSCHED_API int fair_sched_save(const struct fair_sched *s, void *image,
				  size_t bytes);

/**
 * fair_sched_image_config() - of which scheduler is it?
 * @config: out: as it was when saved; its pointers are NULL
 * @damage: out, may be NULL: enum fair_image_damage, 0 if there is none
 *
 * Return: 0; -FAIR_EINVAL if the image is damaged. Complexity: O(@bytes).
 */
FAIRSCHED_API int fair_sched_image_config(const void *image, size_t bytes,
					  struct fair_config *config,
					  int *damage);

/**
 * fair_sched_load() - go on from where a scheduler was saved.
 * @s:           out: untouched on error
 * @memory:      fair_sched_size() bytes
 * @config:      as when saved, but for @jobs, @aside, @bookings, which may be any
 *               number that is enough, and @promised, @context; targets and
 *               shares are those of the image, @maui is the caller's
 * @image:       what fair_sched_save() of this version or an earlier one wrote
 * @damage:      out, may be NULL: enum fair_image_damage, 0 if there is none
 *
 * The digest goes on, too. With another @jobs, the horizon of the plan is
 * another.
 *
 * Return: 0; -FAIR_EINVAL, also if the image is damaged; -FAIR_ENOMEM;
 * -FAIR_ENOSPC if more jobs are live or set aside than @config has room for.
 * Complexity: as to init, and to reserve once for each live job; O(live jobs) for
 * each array that waits.
 */
FAIRSCHED_API int fair_sched_load(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config,
				  const void *image, size_t image_bytes,
				  int *damage);

#ifdef __cplusplus
}
#endif
#endif /* FAIRSCHED_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIRSCHED_IMPLEMENTED)
#define FAIRSCHED_IMPLEMENTED

#ifndef FAIR_ASSERT
#if defined(__GNUC__)
#define FAIR_ASSERT(x) ((x) ? (void)0 : __builtin_trap())
#else
#include <stdlib.h>
#define FAIR_ASSERT(x) ((x) ? (void)0 : abort())
#endif
#endif
#ifndef FAIR_MEMCPY
#if defined(__GNUC__)
#define FAIR_MEMCPY __builtin_memcpy
#define FAIR_MEMMOVE __builtin_memmove
#define FAIR_MEMSET __builtin_memset
#define FAIR_MEMCMP __builtin_memcmp
#else
#include <string.h>
#define FAIR_MEMCPY memcpy
#define FAIR_MEMMOVE memmove
#define FAIR_MEMSET memset
#define FAIR_MEMCMP memcmp
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

FAIRSCHED_API int fair_sched_version_100(void)
{
	return FAIRSCHED_VERSION;
}

FAIRSCHED_API const char *fair_version(void)
{
	return "1.0.0";
}

FAIRSCHED_API const char *fair_strerror(int error)
{
	switch (error > 0 ? -error : error) {
	case 0:
		return "no error";
	case -FAIR_ENOMEM:
		return "the memory passed in is too small";
	case -FAIR_EINVAL:
		return "an argument is not valid";
	case -FAIR_ENOSPC:
		return "as many jobs as there is room for";
	case -FAIR_ERANGE:
		return "more processors than there are";
	case -FAIR_EOVERFLOW:
		return "a time is too far away";
	default:
		return "unknown error";
	}
}

#define FAIR_WALLTIME_MAX ((int64_t)1 << 34)	/* 544 years */
#define FAIR_TIME_MAX ((int64_t)1 << 60)	/* no sum of times overflows */
#define FAIR_WEIGHT_MAX ((int64_t)1 << 28)	/* nor does one with this many */
#define FAIR_RATE_MAX ((int64_t)1 << 51)	/* 2^31 processors */

static bool fair_sched_promises(const struct fair_config *config)
{
	return config->policy >= FAIR_CONSERVATIVE && config->policy <= FAIR_DC;
}

static uint32_t fair_sched_compression(const struct fair_config *config)
{
	return config->policy - FAIR_CONSERVATIVE + FAIR_COMPRESS;
}

static uint32_t fair_sched_depth(const struct fair_config *config)
{
	uint32_t least = config->select ? 2 : 1;

	if (config->policy == FAIR_FCFS)
		return 0;
	if (config->policy == FAIR_MAUI)
		return config->jobs < 2 ? 2 : config->jobs;
	return config->depth < least ? least : config->depth;
}

static bool fair_sched_sorts(const struct fair_config *config)
{
	return config->order == FAIR_ORDER_LXF ||
	       config->order == FAIR_ORDER_USAGE ||
	       config->order == FAIR_ORDER_COMPARE || config->select ||
	       config->policy == FAIR_RELSHARE || config->policy == FAIR_MAUI;
}

/* What the order needs, and that the policy takes it. */
static bool fair_sched_order_valid(const struct fair_config *config)
{
	if (config->policy == FAIR_CONSERVATIVE ||
	    config->policy == FAIR_RELSHARE || config->policy == FAIR_MAUI)
		return config->order == FAIR_ORDER_FCFS;
	if (config->order == FAIR_ORDER_LINEAR)
		return config->weight >= 0 && config->weight <= FAIR_WEIGHT_MAX;
	if (config->order == FAIR_ORDER_USAGE &&
	    (config->select || !config->users || config->half_life < 0 ||
	     config->half_life > FAIR_USAGE_HALF_LIFE))
		return false;
	return !fair_sched_promises(config) || config->order < FAIR_ORDER_LXF ||
	       config->order == FAIR_ORDER_KEY;
}

/* That what the order calls is there. */
static bool fair_sched_calls(const struct fair_config *config)
{
	return (config->order != FAIR_ORDER_KEY || config->key) &&
	       (config->order != FAIR_ORDER_COMPARE || config->compare);
}

static bool fair_sched_valid(const struct fair_config *config)
{
	if (!config || config->policy > FAIR_MAUI || config->procs < 1 ||
	    config->order > FAIR_ORDER_COMPARE || config->jobs < 1 ||
	    config->jobs > UINT32_MAX / 4 || config->aside > config->jobs ||
	    config->bookings > 1U << 20 ||
	    config->origin < -FAIR_TIME_MAX || config->origin > FAIR_TIME_MAX)
		return false;
	if (config->select > FAIR_NOFIT ||
	    config->metric > FAIR_FIT_PROC_SECONDS ||
	    (config->select && config->policy != FAIR_BACKFILL))
		return false;
	if (config->policy == FAIR_SFS && !config->accounts)
		return false;
	if (config->policy == FAIR_RELSHARE &&
	    (config->depth > 1 || !config->users || config->window < 1))
		return false;
	if (config->policy == FAIR_MAUI &&
	    (!config->maui || config->maui->select > FAIR_NOFIT ||
	     config->maui->metric > FAIR_FIT_PROC_SECONDS))
		return false;
	return fair_sched_order_valid(config);
}

/* At most two thirds full. */
static uint32_t fair_sched_hash_bits(uint32_t jobs)
{
	uint32_t bits = 4;

	while (((uint64_t)1 << bits) < (uint64_t)jobs + jobs / 2)
		bits++;
	return bits;
}

/* Bytes of the plan without the part for bookings. */
static size_t fair_sched_plan_size(const struct fair_config *config)
{
	return fair_backfill_size(fair_sched_depth(config),
				  fair_sched_sorts(config), config->jobs);
}

static size_t fair_sched_windows_size(const struct fair_config *config)
{
	return fair_backfill_windows_size(fair_sched_depth(config),
					  config->jobs, config->bookings);
}

/* SIZE_MAX: more than can be. */
static size_t fair_sched_sum(size_t a, size_t b)
{
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* Bytes of the policy's part. */
static size_t fair_sched_policy_size(const struct fair_config *config)
{
	size_t plan, windows;

	if (fair_sched_promises(config))
		return fair_conservative_size(fair_sched_compression(config),
					      config->jobs,
					      2 + config->bookings);
	plan = fair_sched_plan_size(config);
	if (!config->bookings)
		return plan;
	windows = fair_sched_windows_size(config);
	return plan && windows ? fair_sched_sum(plan, windows) : 0;
}

static struct fair_relshare_config
fair_sched_relshare(const struct fair_config *config)
{
	const struct fair_relshare_config r = {
		config->users,
		config->jobs,
		config->procs,
		!config->only_used, /* expected */
		config->origin,
		config->window,
		0, /* first */
	};

	return r;
}

/* It fits 32 bits, as the ledger does with more bytes a user. */
static size_t fair_sched_groups_size(const struct fair_config *config)
{
	return 3 + config->users * sizeof(struct fair_group);
}

/* Bytes of what else the policy keeps; 0 if it is not valid. */
static size_t fair_sched_ledger_size(const struct fair_config *config)
{
	struct fair_relshare_config r = fair_sched_relshare(config);

	if (config->policy == FAIR_SFS)
		return fair_sfs_size(config->accounts);
	if (config->policy == FAIR_MAUI)
		return fair_maui_size(config->maui, config->jobs);
	if (config->policy != FAIR_RELSHARE)
		return 1;
	if (!fair_relshare_size(&r))
		return 0;
	return fair_sched_sum(fair_sched_groups_size(config),
			      fair_relshare_size(&r));
}

static uint32_t fair_sched_usage_depth(const struct fair_config *config)
{
	return config->half_life ? 0 : 1;
}

/* Bytes of the ledger that orders jobs; SIZE_MAX if there are too many users. */
static size_t fair_sched_usage_size(const struct fair_config *config)
{
	size_t size;

	if (config->order != FAIR_ORDER_USAGE)
		return 0;
	size = fair_usage_size(config->users, fair_sched_usage_depth(config),
			       1);
	if (!size)
		return SIZE_MAX;
	return fair_sched_sum(fair_sched_groups_size(config), size);
}

/* There is room for every guest, also for one that is stopped or refused. */
static uint32_t fair_sched_most_aside(const struct fair_config *config)
{
	return config->bookings ? config->jobs : config->aside;
}

static uint32_t fair_sched_most_inside(const struct fair_config *config)
{
	return config->bookings ? config->jobs : 0;
}

static size_t fair_sched_table_size(const struct fair_config *config)
{
	return 8 + config->jobs * sizeof(struct fair_live) +
	       fair_sched_most_aside(config) * sizeof(struct fair_aside) +
	       config->bookings * sizeof(struct fair_booking) +
	       config->jobs * sizeof(uint32_t) +
	       fair_sched_most_inside(config) * sizeof(uint32_t) +
	       (sizeof(uint32_t) << fair_sched_hash_bits(config->jobs));
}

FAIRSCHED_API size_t fair_sched_size(const struct fair_config *config)
{
	uint64_t live = (uint64_t)sizeof(struct fair_live) +
			sizeof(struct fair_aside);
	size_t policy, ledger, size;

	if (!fair_sched_valid(config) || !fair_sched_calls(config) ||
	    live * config->jobs > SIZE_MAX / 8)
		return 0;
	policy = fair_sched_policy_size(config);
	ledger = fair_sched_ledger_size(config);
	if (!policy || !ledger)
		return 0;
	/* Of these two, what comes with a job is less than what is live. */
	size = fair_sched_table_size(config) + fair_queue_size(config->jobs);
	size = fair_sched_sum(size, fair_sched_usage_size(config));
	size = fair_sched_sum(size, fair_sched_sum(policy, ledger));
	return size > SIZE_MAX / 4 ? 0 : size;
}

/*
 * Proved: where the scheduler begins, by fair_sched_valid() and sizes that were
 * asked for; else by I1 to I3 and what was asked before anything changed.
 */
static void fair_sched_must(int error)
{
	FAIR_ASSERT(error == 0);
	(void)error;
}

/* In pass 0 only accounts at or below their target [SFS 4.2]. */
static bool fair_sched_gate(const void *context, int64_t now, uint32_t slot,
			    uint32_t pass)
{
	const struct fair_sched *s = (const struct fair_sched *)context;

	(void)now;
	(void)pass;
	return fair_sfs_gate(&s->sfs, s->live[slot].account);
}

static int fair_sched_init_sfs(struct fair_sched *s, char *memory)
{
	const struct fair_config *config = &s->config;
	struct fair_walk walk = s->plan.walk;
	uint32_t i;
	int error = fair_sfs_init(&s->sfs, sizeof(s->sfs), memory,
				  fair_sched_ledger_size(config),
				  config->accounts);

	for (i = 0; !error && i < config->accounts; i++)
		error = fair_sfs_set_target(&s->sfs, i,
					    config->target ? config->target[i]
							   : INT32_MAX);
	walk.gate = fair_sched_gate;
	walk.passes = 2;
	return error ? error : fair_backfill_walk_by(&s->plan, &walk);
}

static uint32_t fair_sched_user(const void *context, uint32_t slot)
{
	return ((const struct fair_sched *)context)->live[slot].user;
}

/* Who is entitled to most, for what was used, comes next [RS III-B]. */
static int fair_sched_entitled(const void *context, uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_relshare_reserved held;
	const struct fair_live *j;

	if (!s->plan.reserved)
		return fair_relshare_compare(&s->relshare, a, b, NULL);
	j = s->live + s->plan.held[0].slot;
	held.user = j->user;
	held.procs = j->queued.procs;
	held.start = s->plan.planned ? s->plan.held[0].start
				     : s->plan.shadow_time;
	held.walltime = j->queued.walltime;
	return fair_relshare_compare(&s->relshare, a, b, &held);
}

/* The groups of the walk lie before the ledger. */
static struct fair_group *fair_sched_groups(char *memory)
{
	return (struct fair_group *)(void *)(memory +
					     (4 - (uintptr_t)memory % 4) % 4);
}

static int fair_sched_init_relshare(struct fair_sched *s, char *memory)
{
	const struct fair_config *config = &s->config;
	struct fair_relshare_config r = fair_sched_relshare(config);
	size_t groups = fair_sched_groups_size(config);
	struct fair_walk walk;
	uint32_t i;
	int error = fair_relshare_init(&s->relshare, sizeof(s->relshare),
				       memory + groups,
				       fair_relshare_size(&r), &r);

	FAIR_MEMSET(&walk, 0, sizeof(walk));
	walk.group = fair_sched_user;
	walk.compare = fair_sched_entitled;
	walk.groups = fair_sched_groups(memory);

	for (i = 0; !error && config->share && i < config->users; i++)
		error = fair_relshare_share(&s->relshare, config->origin, i,
					    config->share[i]);
	return error ? error : fair_backfill_walk_by(&s->plan, &walk);
}

/* Who has used least comes next [MR] formula 1. */
static int fair_sched_used_less(const void *context, uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	int64_t t = s->now - s->config.origin;
	uint64_t x[2] = { 0, 0 }, y[2] = { 0, 0 };

	(void)fair_usage_at(&s->usage, a, t, &x[0], &x[1]);
	(void)fair_usage_at(&s->usage, b, t, &y[0], &y[1]);
	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return (x[1] > y[1]) - (x[1] < y[1]);
}

static void fair_sched_init_usage(struct fair_sched *s, char *memory)
{
	const struct fair_config *c = &s->config;
	uint32_t depth = fair_sched_usage_depth(c);
	size_t groups = fair_sched_groups_size(c);
	size_t bytes = fair_usage_size(c->users, depth, 1);
	struct fair_walk walk;

	fair_sched_must(depth ? fair_usage_init_windows(
					&s->usage, sizeof(s->usage),
					memory + groups, bytes, c->users, 1, 0,
					depth, INT64_MAX, 0)
			      : fair_usage_init_half_life(
					&s->usage, sizeof(s->usage),
					memory + groups, bytes, c->users, 1, 0,
					c->half_life));
	FAIR_MEMSET(&walk, 0, sizeof(walk));
	walk.group = fair_sched_user;
	walk.compare = fair_sched_used_less;
	walk.groups = fair_sched_groups(memory);
	fair_sched_must(fair_backfill_walk_by(&s->plan, &walk));
}

static void fair_sched_describe(const struct fair_sched *s,
				const struct fair_live *j,
				struct fair_job_status *status);

/* What the caller compares; a pinned job as it was. */
static struct fair_job fair_sched_compared(const struct fair_sched *s,
					   uint32_t slot)
{
	struct fair_job_status j;

	fair_sched_describe(s, s->live + slot, &j);
	if (slot + 1 == s->pinned) {
		j.job.procs = s->pinned_procs;
		j.job.walltime = s->pinned_walltime;
	}
	return j.job;
}

static bool fair_sched_called_before(const void *context, int64_t now,
				     uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_job x = fair_sched_compared(s, a);
	struct fair_job y = fair_sched_compared(s, b);
	int order = s->config.compare(s->config.context, now, &x, &y);

	if (order)
		return order < 0;
	return fair_rank_below(s->live[a].queued.rank, s->live[b].queued.rank);
}

static void fair_sched_init_compare(struct fair_sched *s)
{
	struct fair_walk walk;

	FAIR_MEMSET(&walk, 0, sizeof(walk));
	walk.before = fair_sched_called_before;
	fair_sched_must(fair_backfill_walk_by(&s->plan, &walk));
}

/* MAUI */

/* Highest priority, then first come. */
static bool fair_sched_prior_before(const void *context, int64_t now,
				    uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	int64_t x = s->maui.job[a].priority, y = s->maui.job[b].priority;

	(void)now;
	if (x != y)
		return x > y;
	return fair_rank_below(s->live[a].queued.rank, s->live[b].queued.rank);
}

static bool fair_sched_maui_gate(const void *context, int64_t now,
				 uint32_t slot, uint32_t pass)
{
	const struct fair_sched *s = (const struct fair_sched *)context;

	return fair_maui_gate(&s->maui, now, slot,
			      now + s->live[slot].queued.walltime, pass);
}

static uint32_t fair_sched_maui_reserves(const void *context, uint32_t slot)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	uint32_t flags = s->maui.job[slot].flags;

	if (flags & FAIR_MAUI_NORESERVATION)
		return FAIR_RESERVES_NEVER;
	return flags & FAIR_MAUI_RESERVEALWAYS ? FAIR_RESERVES_ALWAYS
					       : FAIR_RESERVES;
}

/* Steps 6 to 8 of [MAUI] 3 are the pass that reserves and two selections. */
static int fair_sched_init_maui(struct fair_sched *s, char *memory)
{
	const struct fair_config *config = &s->config;
	const struct fair_maui_config *c = config->maui;
	struct fair_walk walk;
	struct fair_fill fill = { 2, c->depth, c->select, c->metric,
				  c->longest, fair_sched_maui_reserves };
	int error = fair_maui_init(&s->maui, sizeof(s->maui), memory,
				   fair_sched_ledger_size(config), c,
				   config->jobs, config->procs, config->origin);

	FAIR_MEMSET(&walk, 0, sizeof(walk));
	walk.before = fair_sched_prior_before;
	walk.gate = fair_sched_maui_gate;
	if (fill.limit > config->jobs)
		fill.limit = config->jobs;
	if (!error)
		error = fair_backfill_walk_by(&s->plan, &walk);
	return error ? error : fair_backfill_fill_by(&s->plan, &fill);
}

static struct fair_maui_request
fair_sched_maui_request(const struct fair_job *job)
{
	struct fair_maui_request r;

	FAIR_MEMSET(&r, 0, sizeof(r));
	r.id[FAIR_THROTTLE_USER] = job->user;
	r.id[FAIR_THROTTLE_GROUP] = job->group;
	r.id[FAIR_THROTTLE_ACCOUNT] = job->account;
	r.id[FAIR_THROTTLE_QOS] = job->qos;
	r.id[FAIR_THROTTLE_CLASS] = job->queue;
	r.procs = job->procs;
	r.nodes = job->nodes;
	r.walltime = job->walltime;
	r.memory = job->memory;
	r.swap = job->swap;
	r.disk = job->disk;
	r.rate = job->rate;
	return r;
}

static bool fair_sched_ranked_before(const void *context, int64_t now,
				     uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;

	(void)now;
	return fair_rank_below(s->live[a].queued.rank, s->live[b].queued.rank);
}

/* Backfill by windows, not in the order of the walk. */
static void fair_sched_init_select(struct fair_sched *s)
{
	const struct fair_config *config = &s->config;
	struct fair_walk walk = { NULL, NULL, NULL, NULL, NULL, NULL, 1 };
	struct fair_fill fill = { 1, config->depth, config->select,
				  config->metric, config->longest, NULL };

	if (config->order == FAIR_ORDER_COMPARE)
		walk.before = fair_sched_called_before;
	else if (config->order != FAIR_ORDER_LXF)
		walk.before = fair_sched_ranked_before;
	if (!fill.limit)
		fill.limit = 1;
	fair_sched_must(fair_backfill_walk_by(&s->plan, &walk));
	fair_sched_must(fair_backfill_fill_by(&s->plan, &fill));
}

static int fair_sched_init_ledger(struct fair_sched *s, char *memory)
{
	int error = 0;

	if (s->config.select)
		fair_sched_init_select(s);
	else if (s->config.order == FAIR_ORDER_COMPARE)
		fair_sched_init_compare(s);
	if (s->config.order == FAIR_ORDER_USAGE)
		fair_sched_init_usage(
			s, memory + fair_sched_ledger_size(&s->config));
	if (s->config.policy == FAIR_SFS)
		error = fair_sched_init_sfs(s, memory);
	else if (s->config.policy == FAIR_RELSHARE)
		error = fair_sched_init_relshare(s, memory);
	else if (s->config.policy == FAIR_MAUI)
		error = fair_sched_init_maui(s, memory);
	s->config.maui = s->maui.config;
	s->config.target = NULL;
	s->config.share = NULL;
	return error;
}

static void fair_sched_init_policy(struct fair_sched *s, char *memory,
				   size_t bytes)
{
	const struct fair_config *config = &s->config;
	size_t plan;

	if (fair_sched_promises(config)) {
		fair_sched_must(fair_conservative_init(
			&s->keep, sizeof(s->keep), memory, bytes,
			fair_sched_compression(config), config->jobs,
			2 + config->bookings, s->live, sizeof(*s->live),
			config->procs, config->origin));
		return;
	}
	plan = fair_sched_plan_size(config);
	fair_sched_must(fair_backfill_init(
		&s->plan, sizeof(s->plan), memory, plan,
		fair_sched_depth(config), fair_sched_sorts(config),
		config->jobs, s->live, sizeof(*s->live), config->procs,
		config->origin, NULL));
	if (config->bookings)
		fair_sched_must(fair_backfill_windows(
			&s->plan, memory + plan, bytes - plan,
			config->bookings, config->origin));
}

static void fair_sched_clear_hash(struct fair_sched *s, uint32_t jobs)
{
	uint32_t bits = fair_sched_hash_bits(jobs);

	s->hash_shift = 64 - bits;
	FAIR_MEMSET(s->hash, 0, sizeof(*s->hash) << bits);
}

/* Lay out memory and begin with the empty table, hashed for so many jobs. */
static char *fair_sched_lay_out(struct fair_sched *s, char *at, uint32_t hashed)
{
	const struct fair_config *config = &s->config;
	size_t running = fair_queue_size(config->jobs);
	char *table = at + (8 - (uintptr_t)at % 8) % 8;

	s->live = (struct fair_live *)(void *)table;
	s->aside = (struct fair_aside *)(void *)(s->live + config->jobs);
	s->booking = (struct fair_booking *)(void *)(
		s->aside + fair_sched_most_aside(config));
	s->spare = (uint32_t *)(void *)(s->booking + config->bookings);
	s->inside = s->spare + config->jobs;
	s->hash = s->inside + fair_sched_most_inside(config);
	fair_sched_clear_hash(s, hashed);
	at += fair_sched_table_size(config);
	(void)fair_queue_init(&s->running, sizeof(s->running), at, running,
			      config->jobs, s->live,
			      sizeof(*s->live));
	return at + running;
}

FAIRSCHED_API int fair_sched_init(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config)
{
	struct fair_sched x;
	char *at;
	int error;

	if (!s || !memory || struct_size != sizeof(*s) ||
	    !fair_sched_valid(config) || !fair_sched_calls(config))
		return -FAIR_EINVAL;
	if (!fair_sched_size(config) || bytes < fair_sched_size(config))
		return -FAIR_ENOMEM;
	FAIR_MEMSET(&x, 0, sizeof(x));
	x.config = *config;
	x.now = config->origin;
	x.procs = x.most_procs = config->procs;
	x.digest = UINT64_C(0xcbf29ce484222325);
	at = fair_sched_lay_out(&x, (char *)memory, config->jobs);
	fair_sched_init_policy(&x, at, fair_sched_policy_size(config));
	error = fair_sched_init_ledger(&x,
				       at + fair_sched_policy_size(config));
	if (!error)
		*s = x;
	return error;
}

FAIRSCHED_API uint64_t fair_sched_digest(const struct fair_sched *s)
{
	return s->digest;
}

/* FNV-1a of the 8 bytes of @word; those above the last that is not 0 at once. */
static uint64_t fair_sched_fnv(uint64_t digest, uint64_t word)
{
	static const uint64_t power[9] = { /* of the prime */
		1,
		UINT64_C(0x100000001b3),
		UINT64_C(0x366000002e329),
		UINT64_C(0x8a97b0004e7feab),
		UINT64_C(0x9ffaac085635bc91),
		UINT64_C(0xcaee32a7d4f6a63),
		UINT64_C(0xdc966432edf1c639),
		UINT64_C(0xc5527b8a51d3d2db),
		UINT64_C(0x1efac7090aef4a21)
	};
	uint32_t left = 8;

	for (; word; word >>= 8, left--)
		digest = (digest ^ (word & 0xff)) * power[1];
	return digest * power[left];
}

static void fair_sched_record(struct fair_sched *s, int64_t time,
			      uint64_t number, uint64_t kind)
{
	uint64_t digest = fair_sched_fnv(s->digest, (uint64_t)time);

	s->digest = fair_sched_fnv(fair_sched_fnv(digest, number), kind);
}

/* THE TABLE: slots of live jobs, found by number through linear probing. */

/* Sixteen numbers in a row share a cache line; their home is multiplied. */
static uint32_t fair_sched_home(const struct fair_sched *s, uint64_t number)
{
	return (uint32_t)(((number >> 4) * UINT64_C(0x9e3779b97f4a7c15)) >>
			  s->hash_shift) ^
	       (number & 15);
}

static uint32_t fair_sched_mask(const struct fair_sched *s)
{
	return (uint32_t)(((uint64_t)1 << (64 - s->hash_shift)) - 1);
}

/* The number's place in the hash, or the free one where it would go. */
static uint32_t fair_sched_probe(const struct fair_sched *s, uint64_t number)
{
	uint32_t mask = fair_sched_mask(s), i = fair_sched_home(s, number);

	while (s->hash[i] &&
	       s->live[s->hash[i] - 1].queued.rank.number != number)
		i = (i + 1) & mask;
	return i;
}

static struct fair_live *fair_sched_find(const struct fair_sched *s,
					 uint64_t number)
{
	uint32_t entry = s->hash[fair_sched_probe(s, number)];

	return entry ? s->live + entry - 1 : NULL;
}

static uint32_t fair_sched_slot(const struct fair_sched *s,
				const struct fair_live *j)
{
	return (uint32_t)(j - s->live);
}

static const struct fair_queue *fair_sched_waiting(const struct fair_sched *s)
{
	return fair_sched_promises(&s->config) ? &s->keep.plan : &s->plan.queue;
}

static void fair_sched_hash_slot(struct fair_sched *s, uint32_t slot)
{
	s->hash[fair_sched_probe(s, s->live[slot].queued.rank.number)] =
		slot + 1;
}

static void fair_sched_hash_all(struct fair_sched *s,
				const struct fair_queue *q)
{
	struct fair_queue_at at = { 0, 0 };

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++)
		fair_sched_hash_slot(s, fair_queue_slot(q, at));
}

/* A clone begins with a hash for the jobs that it has. */
static void fair_sched_grow_hash(struct fair_sched *s)
{
	uint32_t twice = 2 * (s->jobs + 1), i;

	if (fair_sched_hash_bits(s->jobs + 1) <= 64 - s->hash_shift)
		return;
	fair_sched_clear_hash(s, twice < s->config.jobs ? twice
							: s->config.jobs);
	fair_sched_hash_all(s, &s->running);
	fair_sched_hash_all(s, fair_sched_waiting(s));
	for (i = 0; i < s->asides; i++)
		fair_sched_hash_slot(s, s->aside[i].slot);
}

/* Whether @a numbers from @x on and @b from @y on have one in common. */
static bool fair_sched_overlap(uint64_t x, uint32_t a, uint64_t y, uint32_t b)
{
	return x < y ? y - x < a : x - y < b;
}

/* Of a live job: how many it is yet. */
static uint32_t fair_sched_tasks(const struct fair_live *j)
{
	return j->state == FAIR_RUNNING ? 1 : 1 + j->sequence;
}

/* A job of @q that has one of @tasks numbers, but that is not @but. */
static const struct fair_live *
fair_sched_among(const struct fair_sched *s, const struct fair_queue *q,
		 uint64_t number, uint32_t tasks, const struct fair_live *but)
{
	struct fair_queue_at at = { 0, 0 };
	const struct fair_live *j;

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (j != but && fair_sched_overlap(j->queued.rank.number,
						   fair_sched_tasks(j), number,
						   tasks))
			return j;
	}
	return NULL;
}

/* A live job, not @but, that has one of these numbers or a task to come has. */
static const struct fair_live *
fair_sched_holder(const struct fair_sched *s, uint64_t number, uint32_t tasks,
		  const struct fair_live *but)
{
	const struct fair_live *j = fair_sched_find(s, number);
	uint32_t i;

	if (j && j != but)
		return j;
	if (tasks <= 1 && !s->arrays)
		return NULL;
	j = fair_sched_among(s, fair_sched_waiting(s), number, tasks, but);
	if (!j && tasks > 1)
		j = fair_sched_among(s, &s->running, number, tasks, but);
	for (i = 0; !j && i < s->asides; i++) {
		j = s->live + s->aside[i].slot;
		if (j == but || !fair_sched_overlap(j->queued.rank.number,
						    fair_sched_tasks(j),
						    number, tasks))
			j = NULL;
	}
	return j;
}

static struct fair_live *fair_sched_add(struct fair_sched *s,
					const struct fair_job *job)
{
	uint32_t slot = s->spares ? s->spare[--s->spares] : s->used++;
	struct fair_live *j = s->live + slot;

	fair_sched_grow_hash(s);
	FAIR_MEMSET(j, 0, sizeof(*j));
	s->hash[fair_sched_probe(s, job->number)] = slot + 1;
	j->queued.rank.number = job->number;
	j->queued.walltime = job->walltime;
	j->queued.procs = job->procs;
	j->cookie = job->cookie;
	j->submit = job->submit;
	j->user = job->user;
	j->group = job->group;
	j->account = job->account;
	j->queue = job->queue;
	j->qos = job->qos;
	j->penalty = job->penalty;
	j->booking = job->booking;
	s->guests += j->booking != 0;
	j->first_promise = FAIR_FOREVER;
	j->sequence = job->tasks > 1 ? job->tasks - 1 : 0;
	s->arrays += j->sequence > 0;
	s->jobs++;
	return j;
}

/* Close the gap: each entry behind it that may move up to it does. */
static void fair_sched_drop(struct fair_sched *s, struct fair_live *j)
{
	uint32_t mask = fair_sched_mask(s), home;
	uint32_t gap = fair_sched_probe(s, j->queued.rank.number), i = gap;

	for (;;) {
		i = (i + 1) & mask;
		if (!s->hash[i])
			break;
		home = fair_sched_home(
			s, s->live[s->hash[i] - 1].queued.rank.number);
		if (((i - home) & mask) < ((i - gap) & mask))
			continue;
		s->hash[gap] = s->hash[i];
		gap = i;
	}
	s->hash[gap] = 0;
	s->spare[s->spares++] = fair_sched_slot(s, j);
	s->arrays -= j->sequence > 0;
	s->guests -= j->booking != 0;
	s->jobs--;
}

/* PROMISES */

static int64_t fair_sched_key(const struct fair_sched *s,
			      const struct fair_live *j)
{
	struct fair_job_status status;

	fair_sched_describe(s, j, &status);
	return s->config.key(s->config.context, &status.job);
}

static int64_t fair_sched_priority(const struct fair_sched *s,
				   const struct fair_live *j)
{
	switch (s->config.order) {
	case FAIR_ORDER_SJF:
		return j->queued.walltime;
	case FAIR_ORDER_LJF:
		return -j->queued.walltime;
	case FAIR_ORDER_WIDEST:
		return -(int64_t)j->queued.procs;
	case FAIR_ORDER_NARROWEST:
		return j->queued.procs;
	case FAIR_ORDER_LINEAR:
		return j->submit - s->config.weight * j->queued.procs;
	case FAIR_ORDER_KEY:
		return fair_sched_key(s, j);
	default:
		return j->submit;
	}
}

/* A waiting job has another reservation than before, @from. */
static void fair_sched_promised(struct fair_sched *s, struct fair_live *j,
				int64_t from, uint32_t cause)
{
	int64_t to = j->queued.rank.key;
	struct fair_promise promise;

	if (to == from)
		return;
	if (j->first_promise == FAIR_FOREVER) {
		j->first_promise = to;
		fair_sched_record(s, to, j->queued.rank.number, FAIR_PROMISE);
	} else {
		j->moves++;
	}
	if (to > from) {
		j->cause = (uint8_t)cause;
		fair_sched_record(s, to, j->queued.rank.number, FAIR_DELAY);
	}
	if (!s->config.promised)
		return;
	promise.number = j->queued.rank.number;
	promise.made = s->now;
	promise.from = from;
	promise.to = to;
	promise.cause = cause;
	if (to < from && cause != FAIR_CAUSE_ARRIVAL)
		promise.cause = FAIR_CAUSE_EARLIER;
	promise.culprit = cause == FAIR_CAUSE_OVERDUE ? s->culprit
						      : promise.number;
	s->config.promised(s->config.context, &promise);
}

static void fair_sched_moved(void *context, uint32_t slot, int64_t from)
{
	struct fair_sched *s = (struct fair_sched *)context;

	fair_sched_promised(s, s->live + slot, from, s->cause);
}

/* What moves from here on does so for @cause. */
static void fair_sched_because(struct fair_sched *s, uint32_t cause,
			       uint64_t culprit)
{
	s->cause = cause;
	s->culprit = culprit;
	s->keep.moved = fair_sched_moved;
	s->keep.context = s;
	s->plan.running = &s->running;
	s->plan.walk.context = s;
}

/* TIME */

static struct fair_live *fair_sched_first_running(const struct fair_sched *s)
{
	const struct fair_queue_at first = { 0, 0 };

	return s->running.jobs ? s->live + fair_queue_slot(&s->running, first)
			       : NULL;
}

static void fair_sched_run_until(struct fair_sched *s, struct fair_live *j,
				 int64_t end)
{
	uint32_t slot = fair_sched_slot(s, j);

	fair_sched_must(fair_queue_remove(&s->running, slot));
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_maui_move(&s->maui, slot,
					       j->queued.rank.key, end));
	j->queued.rank.key = end;
	fair_sched_must(fair_queue_insert(&s->running, slot));
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_plan(&s->relshare, s->now, slot,
						   end));
}

/* BOOKINGS */

static bool fair_booking_holds(const struct fair_booking *b, int64_t t)
{
	return b->from <= t && t < b->to;
}

/* What running guests of a booking use at @t; *@until: until one ends. */
static int64_t fair_sched_guests_at(const struct fair_sched *s, uint64_t number,
				    int64_t t, int64_t *until)
{
	const struct fair_live *j;
	int64_t procs = 0, end;
	uint32_t i;

	for (i = 0; i < s->insides; i++) {
		j = s->live + s->inside[i];
		end = j->queued.rank.key;
		if (j->booking != number || end <= t)
			continue;
		procs += j->queued.procs;
		if (end < *until)
			*until = end;
	}
	return procs;
}

/* What it holds at @t beside its running guests. */
static int64_t fair_sched_rest(const struct fair_sched *s,
			       const struct fair_booking *b, int64_t t)
{
	int64_t until = FAIR_FOREVER, rest;

	if (!fair_booking_holds(b, t))
		return 0;
	rest = b->procs - fair_sched_guests_at(s, b->number, t, &until);
	return rest > 0 ? rest : 0;
}

/*
 * What running jobs and the first @n bookings leave of the machine at @t >= now,
 * perhaps less than nothing; *@until: the first time behind @t when that may be
 * other.
 */
static int64_t fair_sched_left_by(const struct fair_sched *s, uint32_t n,
				  int64_t t, int64_t *until)
{
	const struct fair_rank behind = { t + 1, 0 };
	struct fair_queue_at at = fair_queue_seek(&s->running, behind);
	int64_t procs = s->procs;
	const struct fair_live *j;
	uint32_t i;

	*until = FAIR_FOREVER;
	for (i = 0; i < n; i++) {
		const struct fair_booking *b = s->booking + i;
		int64_t next = t < b->from ? b->from : b->to;

		procs -= fair_sched_rest(s, b, t);
		if (t < next && next < *until)
			*until = next;
	}
	for (; fair_queue_narrower(&s->running, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(&s->running, at);
		procs -= j->queued.procs;
		if (j->queued.rank.key < *until)
			*until = j->queued.rank.key;
	}
	return procs;
}

static int64_t fair_sched_left(const struct fair_sched *s, int64_t t,
			       int64_t *until)
{
	return fair_sched_left_by(s, s->booked, t, until);
}

/* What is free for those that wait. */
static int32_t fair_sched_room_at(const struct fair_sched *s, int64_t t,
				  int64_t *until)
{
	int64_t left = fair_sched_left(s, t, until);

	return left > 0 ? (int32_t)left : 0;
}

static bool fair_sched_crosses(const struct fair_sched *s, int64_t from,
			       int64_t end)
{
	uint32_t i = 0;

	while (i < s->booked &&
	       (s->booking[i].to <= from || s->booking[i].from >= end))
		i++;
	return i < s->booked && from < end;
}

/* Nobody waits in it: let the profile be what is left, over [@from, @end). */
static void fair_sched_level(const struct fair_sched *s, struct fair_profile *p,
			     int64_t from, int64_t end)
{
	struct fair_step step;
	int64_t until;
	int32_t more;

	for (; from < end; from = until) {
		more = fair_sched_room_at(s, from, &until);
		fair_sched_must(fair_profile_step_at(p, from, &step));
		until = until < step.end ? until : step.end;
		until = until < end ? until : end;
		more -= step.free;
		if (until == FAIR_FOREVER)
			fair_sched_must(fair_profile_change_capacity(
				p, from, until, more));
		else if (more > 0)
			fair_sched_must(fair_profile_release(
				p, from, until - from, more));
		else if (more < 0)
			fair_sched_must(fair_profile_reserve(
				p, from, until - from, -more));
	}
}

/* Nobody waits in the profile until fair_sched_land(). */
static struct fair_profile *fair_sched_lift(struct fair_sched *s)
{
	if (fair_sched_promises(&s->config)) {
		fair_conservative_lift(&s->keep, s->now);
		return &s->keep.profile;
	}
	fair_backfill_lift(&s->plan, s->now);
	return &s->plan.profile;
}

static void fair_sched_land(struct fair_sched *s, int64_t from, int64_t end)
{
	if (fair_sched_promises(&s->config))
		fair_conservative_land(&s->keep, s->now, from, end);
}

/* What runs or is booked has changed within [@from, @end), from now on. */
static void fair_sched_relevel(struct fair_sched *s, int64_t from, int64_t end)
{
	struct fair_profile *p = fair_sched_lift(s);

	if (from < s->now)
		from = s->now;
	fair_sched_level(s, p, from, end);
	fair_sched_land(s, from, end);
}

/* The machine, where there are bookings, is @delta larger than it was. */
static void fair_sched_resize(struct fair_sched *s, int32_t delta)
{
	struct fair_profile *p = fair_sched_lift(s);

	if (!fair_sched_promises(&s->config)) {
		s->plan.procs += delta;
		s->plan.free += delta;
	}
	if (delta > 0)
		fair_sched_must(fair_profile_change_capacity(
			p, s->now, FAIR_FOREVER, delta));
	fair_sched_level(s, p, s->now, FAIR_FOREVER);
	fair_sched_land(s, s->now, FAIR_FOREVER);
}

static void fair_sched_drop_booking(struct fair_sched *s, uint32_t i)
{
	FAIR_MEMMOVE(s->booking + i, s->booking + i + 1,
		     (--s->booked - i) * sizeof(*s->booking));
}

/* Those whose time has passed; who waited for that is looked at again. */
static void fair_sched_pass_bookings(struct fair_sched *s)
{
	uint32_t i = 0;

	while (i < s->booked) {
		if (s->booking[i].to > s->now) {
			i++;
			continue;
		}
		fair_sched_drop_booking(s, i);
		fair_backfill_replan(&s->plan);
	}
}

static void fair_sched_hold(struct fair_sched *s, int64_t from, int64_t end,
			    int32_t procs)
{
	if (fair_sched_crosses(s, from, end))
		fair_sched_relevel(s, from, end);
	else if (fair_sched_promises(&s->config))
		fair_sched_must(fair_conservative_take(&s->keep, s->now, from,
						       end, procs));
	else
		fair_sched_must(fair_backfill_extend(&s->plan, s->now, from,
						     end, procs));
}

static void fair_sched_plan_guests(struct fair_sched *s);

/* A running job holds its processors longer than planned, against promises. */
static void fair_sched_extend(struct fair_sched *s, struct fair_live *j,
			      int64_t end)
{
	int64_t from = j->queued.rank.key;

	if (from < s->now)
		from = s->now;
	fair_sched_run_until(s, j, end);
	fair_sched_because(s, FAIR_CAUSE_OVERDUE, j->queued.rank.number);
	if (from < end)	/* else it ends now, after all */
		fair_sched_hold(s, from, end, j->queued.procs);
	fair_sched_plan_guests(s);
}

/* How far ahead the policy can plan: see the horizon of profile.h. */
static int64_t fair_sched_reach(const struct fair_sched *s)
{
	if (fair_sched_promises(&s->config))
		return s->keep.profile.horizon - s->keep.profile.origin;
	if (s->plan.planned)
		return s->plan.profile.horizon - s->plan.profile.origin;
	return FAIR_TIME_MAX;
}

/*
 * The planned length doubles until it has not passed at @time, as far as can be
 * planned.
 */
static int64_t fair_sched_doubled(const struct fair_sched *s, int64_t start,
				  int64_t end, int64_t time)
{
	int64_t last = s->now + fair_sched_reach(s);

	while (end < time)
		end += end - start;
	return end < last ? end : last;
}

/* Marks of refused starts hold for one second. */
static void fair_sched_forgive(struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_waiting(s);
	struct fair_queue_at at = { 0, 0 };

	for (; s->refused && fair_queue_narrower(q, &at, INT32_MAX);
	     at.index++) {
		struct fair_queued *j =
			&s->live[fair_queue_slot(q, at)].queued;

		s->refused -= j->mark & FAIR_MARK_REFUSED;
		j->mark &= ~(uint32_t)FAIR_MARK_REFUSED;
	}
	fair_backfill_replan(&s->plan);
}

/* USAGE: a running job is charged its walltime, in the end what it took. */

static int64_t fair_sched_rate(const struct fair_live *j)
{
	return j->penalty ? j->penalty : j->queued.procs * FAIR_PENALTY_ONE;
}

static void fair_sched_charge(struct fair_sched *s, struct fair_live *j)
{
	if (s->config.order != FAIR_ORDER_USAGE)
		return;
	j->charged = !fair_usage_hold(&s->usage, j->user, fair_sched_rate(j),
				      j->queued.walltime);
}

static void fair_sched_settle(struct fair_sched *s, struct fair_live *j)
{
	int64_t rate = fair_sched_rate(j), walltime = j->queued.walltime;
	int64_t origin = s->config.origin;
	int64_t from = j->started > origin ? j->started : origin;

	if (j->charged && fair_usage_settle(&s->usage, j->user, rate, walltime,
					    from - origin, s->now - origin))
		fair_sched_must(fair_usage_release(&s->usage, j->user, rate,
						   walltime));
	j->charged = false;
}

/* Another walltime, of a running job that is charged perhaps. */
static void fair_sched_change_walltime(struct fair_sched *s,
				       struct fair_live *j, int64_t walltime)
{
	if (j->charged)
		fair_sched_must(fair_usage_release(&s->usage, j->user,
						   fair_sched_rate(j),
						   j->queued.walltime));
	j->queued.walltime = walltime;
	fair_sched_must(fair_queue_rekey(&s->running, fair_sched_slot(s, j)));
	if (j->charged)
		fair_sched_charge(s, j);
}

/* EVENTS */

static void fair_sched_seat(struct fair_sched *s, struct fair_live *j,
			    int64_t from, uint32_t cause);

/* A job is queued: again, if it had a promise @from. */
static void fair_sched_enqueue(struct fair_sched *s, struct fair_live *j,
			       int64_t from, uint32_t cause)
{
	uint32_t slot = fair_sched_slot(s, j);
	int64_t priority;

	if (j->booking) {
		fair_sched_seat(s, j, from, cause);
		return;
	}
	priority = fair_sched_priority(s, j);
	j->state = FAIR_QUEUED;
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_submit(&s->relshare, s->now,
						     slot, j->user,
						     j->queued.procs));
	if (!fair_sched_promises(&s->config)) {
		j->queued.rank.key = priority;
		fair_sched_must(fair_backfill_submit(&s->plan, slot));
		return;
	}
	if (cause == FAIR_CAUSE_ARRIVAL)
		fair_sched_must(fair_conservative_submit(&s->keep, s->now, slot,
							 priority));
	else
		fair_sched_must(fair_conservative_put_back(&s->keep, s->now,
							   slot, priority));
	fair_sched_promised(s, j, from, cause);
}

/* JOBS SET ASIDE */

static bool fair_sched_eligible(const struct fair_sched *s,
				const struct fair_until *until)
{
	return !until->held && !until->end && until->begin <= s->now;
}

/* Its place in aside[], or where it would be. */
static uint32_t fair_sched_aside(const struct fair_sched *s, uint64_t number)
{
	uint32_t i = 0;

	while (i < s->asides &&
	       s->live[s->aside[i].slot].queued.rank.number < number)
		i++;
	return i;
}

static void fair_sched_put_aside(struct fair_sched *s, struct fair_live *j,
				 const struct fair_until *until, bool fresh)
{
	uint32_t i = fair_sched_aside(s, j->queued.rank.number);

	FAIR_MEMMOVE(s->aside + i + 1, s->aside + i,
		     (s->asides++ - i) * sizeof(*s->aside));
	s->aside[i].until = *until;
	s->aside[i].slot = fair_sched_slot(s, j);
	s->aside[i].fresh = fresh;
	s->aside[i].guest = false;
	s->aside[i].told = FAIR_FOREVER;
	j->state = FAIR_ASIDE;
	j->queued.rank.key = FAIR_FOREVER;
}

static void fair_sched_take_from_aside(struct fair_sched *s, uint32_t i)
{
	FAIR_MEMMOVE(s->aside + i, s->aside + i + 1,
		     (--s->asides - i) * sizeof(*s->aside));
}

/* Lowest number first, all that have nothing more to wait for are queued. */
static void fair_sched_wake(struct fair_sched *s)
{
	struct fair_aside a;
	uint32_t i = 0;

	while (i < s->asides) {
		a = s->aside[i];
		if (a.guest || !fair_sched_eligible(s, &a.until)) {
			i++;
			continue;
		}
		fair_sched_take_from_aside(s, i);
		fair_sched_enqueue(s, s->live + a.slot, FAIR_FOREVER,
				   a.fresh ? FAIR_CAUSE_ARRIVAL
					   : FAIR_CAUSE_DEFERRED);
	}
}

/* A job is gone: who waited for that waits no longer, or for ever. */
static void fair_sched_ended(struct fair_sched *s, uint64_t number,
			     uint32_t tasks, bool ok)
{
	struct fair_until *u;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		u = &s->aside[i].until;
		if (!fair_sched_overlap(number, tasks, u->after, 1) ||
		    !u->end || u->end == FAIR_AFTER_NEVER)
			continue;
		u->end = ok || u->end == FAIR_AFTER_ANY ? FAIR_AFTER_NOTHING
							: FAIR_AFTER_NEVER;
	}
}

/* When the first is to be queued by time alone, or a guest is to start. */
static int64_t fair_sched_next_begin(const struct fair_sched *s)
{
	const struct fair_aside *a = s->aside;
	int64_t begin = FAIR_FOREVER, next;

	for (; a < s->aside + s->asides; a++) {
		next = FAIR_FOREVER;
		if (a->guest)
			next = s->live[a->slot].queued.rank.key;
		else if (!a->until.held && !a->until.end)
			next = a->until.begin;
		if (next < begin)
			begin = next;
	}
	return begin;
}

/* GUESTS */

/* Its place by number, or where it would be. */
static uint32_t fair_sched_booking_place(const struct fair_sched *s,
					 uint64_t number)
{
	uint32_t i = 0;

	while (i < s->booked && s->booking[i].number < number)
		i++;
	return i;
}

static bool fair_sched_is_booked(const struct fair_sched *s, uint32_t i,
				 uint64_t number)
{
	return i < s->booked && s->booking[i].number == number;
}

/* The place of a booking that may have guests; s->booked: there is none. */
static uint32_t fair_sched_host(const struct fair_sched *s, uint64_t number)
{
	uint32_t i = fair_sched_booking_place(s, number);

	if (!fair_sched_is_booked(s, i, number) ||
	    s->booking[i].kind != FAIR_ADVANCE)
		return s->booked;
	return i;
}

/*
 * Whether nobody takes from the booking at place @i what it books: those who run
 * as it begins end, and of other bookings only those with lower numbers can.
 */
static bool fair_sched_undisturbed(const struct fair_sched *s, uint32_t i)
{
	const struct fair_booking *b = s->booking + i;
	int64_t t = b->from > s->now ? b->from : s->now, until;
	int64_t left = fair_sched_left_by(s, 0, t, &until) - b->procs;

	left += fair_sched_guests_at(s, b->number, t, &until);
	while (i--)
		left -= s->booking[i].procs;
	return left >= 0;
}

/*
 * What a waiting guest finds at @t in the booking at place @i: what others
 * leave, of bookings those with lower numbers first, and no more than is booked.
 */
static int64_t fair_sched_guest_room(const struct fair_sched *s, uint32_t i,
				     bool undisturbed,
				     const struct fair_live *guest, int64_t t,
				     int64_t *until)
{
	const struct fair_booking *b = s->booking + i;
	int64_t room = b->procs, left = room, start, next;
	const struct fair_live *j;

	*until = FAIR_FOREVER;
	if (!undisturbed)
		left = fair_sched_left_by(s, i, t, until);
	room -= fair_sched_guests_at(s, b->number, t, until);
	if (left < room)
		room = left;
	if (b->to < *until)
		*until = b->to;
	for (i = 0; i < s->asides; i++) {
		j = s->live + s->aside[i].slot;
		start = j->queued.rank.key;
		if (j == guest || j->booking != b->number ||
		    start == FAIR_FOREVER)
			continue;
		next = t < start ? start : start + j->queued.walltime;
		if (start <= t && t < next)
			room -= j->queued.procs;
		if (t < next && next < *until)
			*until = next;
	}
	return room;
}

/* When it can in that booking, not before @from; FAIR_FOREVER: not at all. */
static int64_t fair_sched_guest_start_in(const struct fair_sched *s, uint32_t i,
					 bool undisturbed,
					 const struct fair_live *j, int64_t from)
{
	const struct fair_booking *b = s->booking + i;
	int64_t start = b->from > from ? b->from : from, t, until;

	for (t = start; start < b->to && b->to - start >= j->queued.walltime;
	     t = until) {
		if (fair_sched_guest_room(s, i, undisturbed, j, t, &until) <
		    j->queued.procs)
			start = until;
		else if (until - start >= j->queued.walltime)
			return start;
	}
	return FAIR_FOREVER;
}

static int64_t fair_sched_guest_start(const struct fair_sched *s,
				      const struct fair_live *j, int64_t from)
{
	uint32_t i = fair_sched_host(s, j->booking);
	int64_t soonest = s->now + (j->queued.mark & FAIR_MARK_REFUSED);

	if (i == s->booked)
		return FAIR_FOREVER;
	return fair_sched_guest_start_in(s, i, fair_sched_undisturbed(s, i), j,
					 from > soonest ? from : soonest);
}

/* Of those that wait, the first behind @last as they stood before the plan. */
static struct fair_live *fair_sched_next_guest(const struct fair_sched *s,
					       struct fair_rank *last)
{
	const struct fair_rank behind = *last;
	struct fair_live *first = NULL;
	struct fair_rank r;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		r.key = s->aside[i].was;
		r.number = s->live[s->aside[i].slot].queued.rank.number;
		if (!s->aside[i].guest || !fair_rank_below(behind, r) ||
		    (first && !fair_rank_below(r, *last)))
			continue;
		first = s->live + s->aside[i].slot;
		*last = r;
	}
	return first;
}

/* Those whose old place will not do any more have none. */
static void fair_sched_keep_guests(struct fair_sched *s)
{
	struct fair_rank at = { INT64_MIN, 0 };
	struct fair_live *j;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		j = s->live + s->aside[i].slot;
		s->aside[i].was = j->queued.rank.key;
		j->queued.rank.key = FAIR_FOREVER;
	}
	while ((j = fair_sched_next_guest(s, &at)) && at.key != FAIR_FOREVER)
		if (fair_sched_guest_start(s, j, at.key) == at.key)
			j->queued.rank.key = at.key;
}

/* The first of them that can be earlier is. */
static bool fair_sched_hurry_guests(struct fair_sched *s)
{
	struct fair_rank at = { INT64_MIN, 0 };
	struct fair_live *j;
	int64_t start;

	while ((j = fair_sched_next_guest(s, &at))) {
		start = fair_sched_guest_start(s, j, INT64_MIN);
		if (start < j->queued.rank.key) {
			j->queued.rank.key = start;
			return true;
		}
	}
	return false;
}

/*
 * Each guest keeps its place, but for those that lost it; then, in the order of
 * these, each moves earlier that can, until none can. So nobody is delayed by
 * another guest, and planned twice is as planned once.
 */
static void fair_sched_plan_guests(struct fair_sched *s)
{
	struct fair_live *j;
	uint32_t i, cause;
	int64_t told;

	if (!s->guests || !s->asides)
		return;
	fair_sched_keep_guests(s);
	while (fair_sched_hurry_guests(s))
		;
	for (i = 0; i < s->asides; i++) {
		j = s->live + s->aside[i].slot;
		told = s->aside[i].told;
		s->aside[i].told = j->queued.rank.key;
		cause = s->cause;
		if (fair_sched_host(s, j->booking) == s->booked)
			cause = FAIR_CAUSE_BOOKING;
		if (j->first_promise == FAIR_FOREVER)
			cause = FAIR_CAUSE_ARRIVAL;
		if (s->aside[i].guest)
			fair_sched_promised(s, j, told, cause);
	}
}

/* A guest waits for its booking; it was promised @from before. */
static void fair_sched_seat(struct fair_sched *s, struct fair_live *j,
			    int64_t from, uint32_t cause)
{
	static const struct fair_until nothing = { INT64_MIN, 0, 0, false };
	uint32_t was = s->cause, i = fair_sched_aside(s, j->queued.rank.number);

	fair_conservative_end(&s->keep);	/* that is told first */
	fair_sched_put_aside(s, j, &nothing, false);
	s->aside[i].guest = true;
	s->aside[i].told = from;
	s->cause = cause;
	fair_sched_plan_guests(s);
	s->cause = was;
}

/* Time has passed: those that were to start before have another place. */
static void fair_sched_late_guests(struct fair_sched *s)
{
	bool late = false;
	struct fair_queued *j;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		j = &s->live[s->aside[i].slot].queued;
		j->mark = 0;
		late |= j->rank.key < s->now;
	}
	fair_sched_because(s, FAIR_CAUSE_LATE_STEP, 0);
	if (late)
		fair_sched_plan_guests(s);
}

/* Why a job cannot be named for a booking. */
static int fair_sched_uninvited(const struct fair_sched *s, int64_t now,
				const struct fair_job *job)
{
	uint32_t i = fair_sched_host(s, job->booking);
	const struct fair_booking *b = s->booking + i;

	if (!job->booking)
		return 0;
	if (i == s->booked || b->to <= now)
		return -FAIR_EINVAL;
	if (job->procs > b->procs)
		return -FAIR_ERANGE;
	if (job->walltime > b->to - (b->from > now ? b->from : now))
		return -FAIR_EOVERFLOW;
	return 0;
}

/* BUDGETS */

FAIRSCHED_API void fair_sched_budget(struct fair_sched *s, uint64_t looks)
{
	s->budget = looks;
	s->bounded = true;
}

/* What the policy does not use says no. */
FAIRSCHED_API bool fair_sched_unfinished(const struct fair_sched *s)
{
	return s->bounded && (fair_conservative_unfinished(&s->keep) ||
			      fair_backfill_paused(&s->plan));
}

static void fair_sched_look(struct fair_sched *s, uint64_t looks)
{
	fair_conservative_budget(&s->keep, looks);
	fair_backfill_budget(&s->plan, looks);
}

/* What this call may do. */
static void fair_sched_look_within(struct fair_sched *s)
{
	fair_sched_look(s, s->budget ? s->budget : UINT64_MAX);
}

/* Something else is to happen, with a budget of its own. */
static void fair_sched_end_walk(struct fair_sched *s)
{
	if (fair_sched_unfinished(s)) {
		fair_sched_because(s, FAIR_CAUSE_EARLIER, 0);
		fair_sched_look(s, UINT64_MAX);
		(void)fair_conservative_go_on(&s->keep);
		fair_backfill_replan(&s->plan);
		s->plan.paused = false;
	}
	fair_sched_look_within(s);
}

FAIRSCHED_API bool fair_sched_go_on(struct fair_sched *s)
{
	if (s->keep.walk.kind != FAIR_CONSERVATIVE_REACTION)
		return false;
	fair_sched_because(s, FAIR_CAUSE_EARLIER, 0);
	fair_sched_look_within(s);
	return !fair_conservative_go_on(&s->keep);
}

/*
 * It is @now. A planned end has passed if it is before @passed: a finish() may
 * still report one at this second, any other event sees the job overdue.
 */
static void fair_sched_arrive_at(struct fair_sched *s, int64_t now,
				 int64_t passed)
{
	bool later = now > s->now;
	struct fair_live *j;

	if (s->bounded)
		fair_sched_end_walk(s);
	if (later && s->refused)
		fair_sched_forgive(s);
	s->now = now;
	if (s->booked)
		fair_sched_pass_bookings(s);
	if (later && s->guests)
		fair_sched_late_guests(s);
	if (s->config.policy == FAIR_MAUI)
		fair_maui_advance(&s->maui, now);
	s->stepped = false;
	while ((j = fair_sched_first_running(s)) && j->queued.rank.key < passed)
		fair_sched_extend(s, j,
				  fair_sched_doubled(s, j->started,
						     j->queued.rank.key,
						     passed));
	fair_sched_because(s, FAIR_CAUSE_EARLIER, 0);
	fair_sched_wake(s);
}

static void fair_sched_withdraw(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);

	s->refused -= j->queued.mark & FAIR_MARK_REFUSED;
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(
			fair_relshare_finish(&s->relshare, s->now, slot));
	if (fair_sched_promises(&s->config))
		fair_sched_must(fair_conservative_withdraw(&s->keep, slot));
	else
		fair_sched_must(fair_backfill_withdraw(&s->plan, slot));
}

/* @procs that were to be held until @end are free from now on. */
static void fair_sched_give_back(struct fair_sched *s, int64_t end,
				 int32_t procs)
{
	if (fair_sched_crosses(s, s->now, end)) {
		if (!fair_sched_promises(&s->config))
			s->plan.free += procs;
		fair_sched_relevel(s, s->now, end);
	} else if (!fair_sched_promises(&s->config)) {
		fair_sched_must(fair_backfill_give_back(&s->plan, s->now, end,
							procs));
	} else if (s->now < end) {
		fair_sched_must(fair_conservative_give_back(
			&s->keep, s->now, s->now, end, procs));
	}
}

static void fair_sched_react(struct fair_sched *s)
{
	if (fair_sched_promises(&s->config))
		fair_conservative_compress(&s->keep, s->now);
}

/* It is not a running guest any more, if it was one. */
static void fair_sched_go_out(struct fair_sched *s, uint32_t slot)
{
	uint32_t i = 0;

	while (i < s->insides && s->inside[i] != slot)
		i++;
	if (i < s->insides)
		s->inside[i] = s->inside[--s->insides];
}

static void fair_sched_go_in(struct fair_sched *s, uint32_t slot)
{
	if (s->live[slot].booking && s->config.bookings)
		s->inside[s->insides++] = slot;
}

/* A running job leaves the machine; true if it was before its planned end. */
static bool fair_sched_leave(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);
	int64_t end = j->queued.rank.key;

	fair_sched_must(fair_queue_remove(&s->running, slot));
	fair_sched_go_out(s, slot);
	j->sequence = 0;
	s->busy -= j->queued.procs;
	if (s->config.policy == FAIR_SFS)
		fair_sched_must(fair_sfs_finish(&s->sfs, j->account,
						j->queued.procs));
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(
			fair_relshare_finish(&s->relshare, s->now, slot));
	fair_sched_settle(s, j);
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_maui_finish(&s->maui, slot, end));
	fair_sched_give_back(s, end, j->queued.procs);
	return s->now < end;
}

static bool fair_sched_no_time(const struct fair_sched *s, int64_t now)
{
	return now < s->now || now > FAIR_TIME_MAX;
}

static int fair_sched_acceptable(const struct fair_sched *s, int32_t procs,
				 int64_t walltime)
{
	if (walltime < 1 || procs < 1)
		return -FAIR_EINVAL;
	if (procs > s->most_procs)
		return -FAIR_ERANGE;
	if (walltime > FAIR_WALLTIME_MAX || walltime >= fair_sched_reach(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

/* Whether the job's fields are what the policy and the order need. */
static bool fair_sched_takes(const struct fair_sched *s,
			     const struct fair_job *job)
{
	const struct fair_config *c = &s->config;
	bool charges = c->order == FAIR_ORDER_USAGE;

	if (c->policy == FAIR_SFS && job->account >= c->accounts)
		return false;
	if ((charges || c->policy == FAIR_RELSHARE) && job->user >= c->users)
		return false;
	if (charges && (job->penalty < 0 || job->penalty > FAIR_RATE_MAX))
		return false;
	return c->order != FAIR_ORDER_LINEAR || job->submit >= -FAIR_TIME_MAX;
}

FAIRSCHED_API int fair_sched_pass(struct fair_sched *s, int64_t now)
{
	if (fair_sched_no_time(s, now))
		return -FAIR_EINVAL;
	fair_sched_arrive_at(s, now, now + 1);
	return 0;
}

/* Whether somebody can wait for that. */
static bool fair_sched_until(const struct fair_sched *s, uint64_t number,
			     const struct fair_until *until)
{
	const struct fair_live *j;

	if (!until || !until->end)
		return true;
	j = fair_sched_holder(s, until->after, 1, NULL);
	return until->end <= FAIR_AFTER_ANY && j &&
	       j->queued.rank.number != number;
}

FAIRSCHED_API int fair_sched_submit_aside(struct fair_sched *s, int64_t now,
					  const struct fair_job *job,
					  const struct fair_until *until)
{
	struct fair_maui_request request;
	struct fair_live *j;
	int error;

	if (!job || fair_sched_no_time(s, now) || job->submit > now ||
	    !fair_sched_takes(s, job) ||
	    (job->tasks > 1 && job->number > UINT64_MAX - job->tasks) ||
	    fair_sched_holder(s, job->number, job->tasks ? job->tasks : 1,
			      NULL) ||
	    !fair_sched_until(s, job->number, until))
		return -FAIR_EINVAL;
	error = fair_sched_acceptable(s, job->procs, job->walltime);
	if (!error)
		error = fair_sched_uninvited(s, now, job);
	request = fair_sched_maui_request(job);
	if (!error && s->config.policy == FAIR_MAUI)
		error = fair_maui_possible(&s->maui, &request);
	if (error)
		return error;
	if (s->jobs + s->arrays + (job->tasks > 1) >= s->config.jobs ||
	    (until && s->asides == fair_sched_most_aside(&s->config)))
		return -FAIR_ENOSPC;
	fair_sched_arrive_at(s, now, now + 1);
	j = fair_sched_add(s, job);
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_maui_submit(
			&s->maui, fair_sched_slot(s, j), &request));
	if (until && !fair_sched_eligible(s, until))
		fair_sched_put_aside(s, j, until, true);
	else
		fair_sched_enqueue(s, j, FAIR_FOREVER, FAIR_CAUSE_ARRIVAL);
	return 0;
}

FAIRSCHED_API int fair_sched_submit(struct fair_sched *s, int64_t now,
				    const struct fair_job *job)
{
	return fair_sched_submit_aside(s, now, job, NULL);
}

/* A job that is set aside waits for something else, a guest perhaps again. */
static void fair_sched_wait_for(struct fair_sched *s, struct fair_live *j,
				const struct fair_until *until)
{
	struct fair_aside *a =
		s->aside + fair_sched_aside(s, j->queued.rank.number);
	int64_t from = j->queued.rank.key;

	a->until = *until;
	if (a->guest && !fair_sched_eligible(s, until)) {
		a->guest = false;
		j->queued.mark = 0;
		j->queued.rank.key = FAIR_FOREVER;
		fair_sched_promised(s, j, from, FAIR_CAUSE_DEFERRED);
		fair_sched_plan_guests(s);
	}
	fair_sched_wake(s);
}

FAIRSCHED_API int fair_sched_defer(struct fair_sched *s, int64_t now,
				   uint64_t number,
				   const struct fair_until *until)
{
	const struct fair_until nothing = { INT64_MIN, 0, 0, false };
	struct fair_live *j = fair_sched_find(s, number);
	int64_t from;

	if (fair_sched_no_time(s, now) || !j || j->state == FAIR_RUNNING ||
	    !fair_sched_until(s, number, until))
		return -FAIR_EINVAL;
	if (j->state == FAIR_QUEUED && until &&
	    s->asides == fair_sched_most_aside(&s->config))
		return -FAIR_ENOSPC;
	fair_sched_arrive_at(s, now, now + 1);
	if (!until)
		until = &nothing;
	if (j->state == FAIR_ASIDE) {
		fair_sched_wait_for(s, j, until);
	} else if (!fair_sched_eligible(s, until)) {
		from = j->queued.rank.key;
		fair_sched_withdraw(s, j);
		j->queued.mark = 0;
		fair_sched_put_aside(s, j, until, false);
		if (fair_sched_promises(&s->config))
			fair_sched_promised(s, j, from, FAIR_CAUSE_DEFERRED);
		fair_sched_react(s);
	}
	return 0;
}

/* A running job is gone for good. */
static void fair_sched_end_now(struct fair_sched *s, int64_t now,
			       struct fair_live *j, bool ok)
{
	bool early;

	fair_sched_arrive_at(s, now, now);
	early = fair_sched_leave(s, j);
	fair_sched_plan_guests(s);
	if (early)
		fair_sched_react(s);
	fair_sched_drop(s, j);
	fair_sched_ended(s, j->queued.rank.number, 1, ok);
	fair_sched_wake(s);
}

static int fair_sched_end(struct fair_sched *s, int64_t now, uint64_t number,
			  bool ok)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_no_time(s, now) || !j || j->state != FAIR_RUNNING)
		return -FAIR_EINVAL;
	fair_sched_end_now(s, now, j, ok);
	return 0;
}

FAIRSCHED_API int fair_sched_finish(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	return fair_sched_end(s, now, number, true);
}

FAIRSCHED_API int fair_sched_requeue(struct fair_sched *s, int64_t now,
				     uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_no_time(s, now) || !j || j->state != FAIR_RUNNING ||
	    j->started == now)
		return -FAIR_EINVAL;
	fair_sched_arrive_at(s, now, now + 1);
	(void)fair_sched_leave(s, j);	/* early: now + 1 has not passed */
	fair_sched_plan_guests(s);
	fair_sched_react(s);
	fair_sched_enqueue(s, j, j->started, FAIR_CAUSE_REQUEUED);
	return 0;
}

FAIRSCHED_API int fair_sched_cancel(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (fair_sched_no_time(s, now) || !j)
		return -FAIR_EINVAL;
	if (j->state == FAIR_RUNNING)
		return fair_sched_end(s, now, number, false);
	fair_sched_arrive_at(s, now, now + 1);
	if (j->state == FAIR_ASIDE) {
		fair_sched_take_from_aside(s, fair_sched_aside(s, number));
		fair_sched_plan_guests(s);
	} else {
		fair_sched_withdraw(s, j);
		fair_sched_react(s);
	}
	fair_sched_drop(s, j);
	fair_sched_ended(s, number, 1 + j->sequence, false);
	fair_sched_wake(s);
	return 0;
}

static void fair_sched_modify_running(struct fair_sched *s, struct fair_live *j,
				      int64_t walltime)
{
	int64_t was = j->queued.rank.key;
	int64_t end = fair_sched_doubled(s, j->started, j->started + walltime,
					 s->now + 1);

	fair_sched_change_walltime(s, j, walltime);
	if (end > was) {
		fair_sched_extend(s, j, end);
	} else if (end < was) {
		fair_sched_run_until(s, j, end);
		if (fair_sched_crosses(s, end, was))
			fair_sched_relevel(s, end, was);
		else if (fair_sched_promises(&s->config))
			fair_sched_must(fair_conservative_give_back(
				&s->keep, s->now, end, was, j->queued.procs));
		else
			fair_sched_must(fair_backfill_shorten(
				&s->plan, end, was, j->queued.procs));
		fair_sched_plan_guests(s);
		fair_sched_react(s);
	}
}

FAIRSCHED_API int fair_sched_modify(struct fair_sched *s, int64_t now,
				    uint64_t number, int32_t procs,
				    int64_t walltime)
{
	struct fair_live *j = fair_sched_find(s, number);
	int error = fair_sched_acceptable(s, procs, walltime);
	int64_t from;

	if (fair_sched_no_time(s, now) || !j ||
	    (j->state == FAIR_RUNNING && procs != j->queued.procs))
		return -FAIR_EINVAL;
	if (!error && s->config.policy == FAIR_MAUI)
		error = fair_maui_modify(&s->maui, fair_sched_slot(s, j), procs,
					 walltime);
	if (error)
		return error;
	fair_sched_arrive_at(s, now, now + 1);
	if (j->state == FAIR_RUNNING) {
		fair_sched_modify_running(s, j, walltime);
		return 0;
	}
	from = j->queued.rank.key;
	if (j->state == FAIR_QUEUED)
		fair_sched_withdraw(s, j);
	j->queued.procs = procs;
	j->queued.walltime = walltime;
	if (j->state == FAIR_ASIDE && !s->aside[fair_sched_aside(s, number)].guest)
		return 0;
	if (j->state == FAIR_ASIDE)
		fair_sched_take_from_aside(s, fair_sched_aside(s, number));
	else
		s->refused += j->queued.mark & FAIR_MARK_REFUSED;
	fair_sched_enqueue(s, j, from, FAIR_CAUSE_MODIFIED);
	return 0;
}

/* Mark the victims; the number marked before the first that is no victim. */
static size_t fair_sched_mark_victims(const struct fair_sched *s,
				      const uint64_t *victim, size_t victims,
				      int64_t *procs)
{
	struct fair_live *j;
	size_t i;

	for (i = 0; i < victims; i++) {
		j = fair_sched_find(s, victim[i]);
		if (!j || j->state != FAIR_RUNNING || j->queued.mark)
			break;
		j->queued.mark = FAIR_MARK_DISPLACED;
		*procs += j->queued.procs;
	}
	return i;
}

static int fair_sched_lose(struct fair_sched *s, int32_t procs)
{
	if (fair_sched_promises(&s->config))
		return fair_conservative_take(&s->keep, s->now, s->now,
					      FAIR_FOREVER, procs);
	return fair_backfill_shrink(&s->plan, s->now, procs);
}

FAIRSCHED_API int fair_sched_capacity(struct fair_sched *s, int64_t now,
				      int32_t delta, const uint64_t *victim,
				      size_t victims)
{
	int64_t procs = 0;
	size_t marked, i;
	bool early = false;

	if (fair_sched_no_time(s, now) || !delta ||
	    (victims && (!victim || delta > 0)))
		return -FAIR_EINVAL;
	if (delta > INT32_MAX - s->procs ||
	    (delta > 0 && s->config.policy == FAIR_RELSHARE &&
	     s->config.window > FAIR_RELSHARE_LIMIT / (s->procs + delta)))
		return -FAIR_EOVERFLOW;
	marked = fair_sched_mark_victims(s, victim, victims, &procs);
	for (i = 0; i < marked; i++)
		fair_sched_find(s, victim[i])->queued.mark = 0;
	if (marked < victims)
		return -FAIR_EINVAL;
	if (-(int64_t)delta > s->procs - s->busy + procs)
		return -FAIR_ERANGE;
	fair_sched_arrive_at(s, now, now + 1);
	for (i = 0; i < victims; i++) {
		struct fair_live *j = fair_sched_find(s, victim[i]);

		early |= fair_sched_leave(s, j);
		fair_sched_drop(s, j);
		fair_sched_ended(s, victim[i], 1, false);
	}
	s->procs += delta;
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_capacity(&s->relshare, now,
						       s->procs));
	if (s->procs > s->most_procs)
		s->most_procs = s->procs;
	if (delta < 0)
		fair_sched_because(s, FAIR_CAUSE_CAPACITY, 0);
	if (s->booked)
		fair_sched_resize(s, delta);
	else if (delta < 0)
		fair_sched_must(fair_sched_lose(s, -delta));
	else
		fair_sched_give_back(s, FAIR_FOREVER, delta);
	fair_sched_plan_guests(s);
	fair_sched_because(s, FAIR_CAUSE_EARLIER, 0);
	if (early || delta > 0)
		fair_sched_react(s);
	fair_sched_wake(s);
	return 0;
}

/* What @was, and @b in its place, leave more or less at @t: @b holds then. */
static int64_t fair_sched_differs(const struct fair_sched *s,
				  const struct fair_booking *was,
				  const struct fair_booking *b, int64_t t,
				  int64_t *until)
{
	int64_t procs = was ? fair_sched_rest(s, was, t) : 0;

	if (b->to < *until)
		*until = b->to;
	return procs - fair_sched_rest(s, b, t);
}

/*
 * Whether @b, in the place of @was, has all its processors beside what runs, is
 * booked or, where that is a promise, reserved.
 */
static bool fair_sched_has_room(const struct fair_sched *s,
				const struct fair_booking *was,
				const struct fair_booking *b)
{
	int64_t t = b->from > s->now ? b->from : s->now, until, left, waits;
	struct fair_step step = { 0, FAIR_FOREVER, 0 };

	for (; t < b->to; t = until) {
		left = fair_sched_left(s, t, &until);
		waits = 0;
		if (fair_sched_promises(&s->config)) {
			fair_sched_must(fair_profile_step_at(&s->keep.profile,
							     t, &step));
			waits = (left > 0 ? left : 0) - step.free;
		}
		until = until < step.end ? until : step.end;
		if (left + fair_sched_differs(s, was, b, t, &until) < waits)
			return false;
	}
	return true;
}

static int fair_sched_bookable(const struct fair_sched *s, int64_t now,
			       const struct fair_booking *b)
{
	if (!b || fair_sched_no_time(s, now) || b->from >= b->to ||
	    b->to <= now || b->procs < 1 || b->kind > FAIR_ADVANCE)
		return -FAIR_EINVAL;
	if (b->procs > s->most_procs)
		return -FAIR_ERANGE;
	if (b->to > FAIR_TIME_MAX || b->to - now >= fair_sched_reach(s))
		return -FAIR_EOVERFLOW;
	return 0;
}

FAIRSCHED_API int fair_sched_book(struct fair_sched *s, int64_t now,
				  const struct fair_booking *booking,
				  bool force)
{
	int error = fair_sched_bookable(s, now, booking);
	struct fair_booking was;
	bool changes;
	uint32_t i;

	if (error)
		return error;
	i = fair_sched_booking_place(s, booking->number);
	changes = fair_sched_is_booked(s, i, booking->number);
	if (!changes && s->booked == s->config.bookings)
		return -FAIR_ENOSPC;
	fair_sched_arrive_at(s, now, now + 1);
	i = fair_sched_booking_place(s, booking->number);
	changes = fair_sched_is_booked(s, i, booking->number);
	was = changes ? s->booking[i] : *booking;
	if (!force && !fair_sched_has_room(s, changes ? &was : NULL, booking))
		return -FAIR_ERANGE;
	if (!changes)
		FAIR_MEMMOVE(s->booking + i + 1, s->booking + i,
			     (s->booked++ - i) * sizeof(*s->booking));
	s->booking[i] = *booking;
	fair_sched_because(s, FAIR_CAUSE_BOOKING, 0);
	fair_sched_plan_guests(s);
	fair_sched_because(s, FAIR_CAUSE_CAPACITY, 0);
	fair_sched_relevel(s, was.from < booking->from ? was.from
						       : booking->from,
			   was.to > booking->to ? was.to : booking->to);
	fair_sched_because(s, FAIR_CAUSE_EARLIER, 0);
	if (changes)
		fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_unbook(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	uint32_t i = fair_sched_booking_place(s, number);
	struct fair_booking was;

	if (fair_sched_no_time(s, now) || !fair_sched_is_booked(s, i, number))
		return -FAIR_EINVAL;
	fair_sched_arrive_at(s, now, now + 1);
	i = fair_sched_booking_place(s, number);
	if (!fair_sched_is_booked(s, i, number))
		return 0;	/* its time has passed meanwhile */
	was = s->booking[i];
	fair_sched_drop_booking(s, i);
	fair_sched_relevel(s, was.from, was.to);
	fair_sched_plan_guests(s);
	fair_sched_react(s);
	return 0;
}

FAIRSCHED_API int fair_sched_refuse(struct fair_sched *s, int64_t now,
				    uint64_t number)
{
	struct fair_live *j = fair_sched_find(s, number);

	if (now != s->now || !j || j->state != FAIR_RUNNING ||
	    j->started != now)
		return -FAIR_EINVAL;
	if (s->bounded)
		fair_sched_end_walk(s);
	s->stepped = false;
	fair_sched_leave(s, j);
	fair_sched_plan_guests(s);
	j->queued.mark |= FAIR_MARK_REFUSED;
	s->refused += !j->booking;
	fair_sched_enqueue(s, j, now, FAIR_CAUSE_REFUSED);
	return 0;
}

/* STARTS */

/*
 * Step 5: once an iteration; false: the budget ran out. The plan has not begun,
 * and does not need its resume yet: that is where this goes on.
 */
static bool fair_sched_prioritize(struct fair_sched *s)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_priority_parts parts;
	const struct fair_live *j;
	uint32_t slot;

	if (fair_backfill_paused(&s->plan))
		at = fair_queue_seek(&s->plan.queue, s->plan.resume);
	for (; fair_queue_narrower(&s->plan.queue, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->plan.queue, at);
		j = s->live + slot;
		if (!fair_backfill_look(&s->plan)) {
			s->plan.resume = j->queued.rank;
			return false;
		}
		if (slot + 1 == s->pinned)
			continue;
		fair_sched_must(fair_maui_parts(&s->maui, slot, j->submit,
						j->queued.walltime, &parts));
		s->maui.job[slot].priority = parts.priority;
	}
	return true;
}

/* The job in @slot, no longer queued, goes before these. */
static void fair_sched_bypass(struct fair_sched *s, uint32_t slot)
{
	struct fair_queue_at at = { 0, 0 };
	uint32_t other;

	for (; fair_queue_narrower(&s->plan.queue, &at, INT32_MAX);
	     at.index++) {
		other = fair_queue_slot(&s->plan.queue, at);
		if (fair_sched_prior_before(s, s->now, other, slot))
			s->maui.job[other].bypassed++;
	}
}

/*
 * It counts, but asks no limit: the gate has, or it runs by right: a guest, and
 * what is taken over or loaded, when others may have taken its room since.
 */
static int fair_sched_start_maui(struct fair_sched *s, uint32_t slot,
				 int64_t end)
{
	struct fair_throttle_job *asks = &s->maui.job[slot].asks;
	uint32_t exempt = asks->exempt;
	int error;

	asks->exempt = UINT32_MAX;
	error = fair_maui_start(&s->maui, s->now, slot, end);
	asks->exempt = exempt;
	return error;
}

static void fair_sched_start(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;

	if (s->config.policy == FAIR_MAUI && !j->booking)
		fair_sched_bypass(s, slot);
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_sched_start_maui(
			s, slot, s->now + j->queued.walltime));
	j->state = FAIR_RUNNING;
	j->started = s->now;
	j->sequence = s->starts++;
	j->queued.rank.key = s->now + j->queued.walltime;
	fair_sched_must(fair_queue_insert(&s->running, slot));
	fair_sched_go_in(s, slot);
	s->busy += j->queued.procs;
	if (s->config.policy == FAIR_SFS)
		fair_sched_must(fair_sfs_start(&s->sfs, j->account,
					       j->queued.procs));
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_start(&s->relshare, s->now, slot,
						    j->queued.rank.key));
	fair_sched_charge(s, j);
	fair_sched_record(s, s->now, j->queued.rank.number, FAIR_START);
}

/* A task of an array has started: the next one arrives. */
static void fair_sched_next_task(struct fair_sched *s,
				 const struct fair_live *started,
				 uint32_t tasks)
{
	struct fair_maui_request request;
	struct fair_job_status status;
	struct fair_live *j;

	fair_sched_describe(s, started, &status);
	status.job.number++;
	status.job.tasks = tasks;
	s->arrays--;
	j = fair_sched_add(s, &status.job);
	request = fair_sched_maui_request(&status.job);
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_maui_submit(
			&s->maui, fair_sched_slot(s, j), &request));
	fair_sched_enqueue(s, j, FAIR_FOREVER, FAIR_CAUSE_ARRIVAL);
}

static void fair_sched_begin_step(struct fair_sched *s, int64_t now)
{
	fair_sched_arrive_at(s, now, now + 1);
	fair_sched_because(s, FAIR_CAUSE_LATE_STEP, 0);
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_advance(&s->relshare, now));
}

/* A job that is due, and holds its processors, waits again instead. */
static void fair_sched_turn_away(struct fair_sched *s, struct fair_live *j)
{
	uint32_t slot = fair_sched_slot(s, j);

	j->queued.mark |= FAIR_MARK_REFUSED;
	if (j->booking) {	/* it took nothing from the plan */
		fair_sched_enqueue(s, j, s->now, FAIR_CAUSE_REFUSED);
		return;
	}
	s->refused++;
	fair_sched_give_back(s, s->now + j->queued.walltime, j->queued.procs);
	if (!fair_sched_promises(&s->config)) {
		fair_sched_must(fair_backfill_submit(&s->plan, slot));
		return;
	}
	fair_sched_must(fair_conservative_put_back(&s->keep, s->now, slot,
						   fair_sched_priority(s, j)));
	fair_sched_promised(s, j, s->now, FAIR_CAUSE_REFUSED);
}

/* Whether a job that is due can start: the caller's word, and room. */
static bool fair_sched_fits(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	struct fair_job_status status;

	if (j->sequence && s->jobs == s->config.jobs) {
		fair_sched_turn_away(s, j);
		return false;
	}
	if (!s->config.fits)
		return true;
	fair_sched_describe(s, j, &status);
	if (s->config.fits(s->config.context, &status.job, s->now,
			   s->now + j->queued.walltime))
		return true;
	fair_sched_turn_away(s, j);
	return false;
}

/* The first guest whose time has come, no longer set aside. */
static bool fair_sched_guest_due(struct fair_sched *s, uint32_t *slot)
{
	uint32_t i;

	for (i = 0; s->guests && i < s->asides; i++) {
		*slot = s->aside[i].slot;
		if (s->live[*slot].queued.rank.key > s->now)
			continue;
		fair_sched_take_from_aside(s, i);
		return true;
	}
	return false;
}

/* A guest is about to start: it is not one of those that the policy planned. */
static void fair_sched_let_in(struct fair_sched *s, uint32_t slot)
{
	const struct fair_live *j = s->live + slot;

	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_submit(&s->relshare, s->now,
						     slot, j->user,
						     j->queued.procs));
	if (!fair_sched_promises(&s->config)) {
		s->plan.free -= j->queued.procs;
		fair_backfill_replan(&s->plan);
	}
}

/* The next job that is due, if the budget reaches it. */
static bool fair_sched_due(struct fair_sched *s, uint32_t *slot)
{
	if (fair_sched_guest_due(s, slot))
		return true;
	if (fair_sched_promises(&s->config))
		return fair_conservative_due(&s->keep, s->now, slot);
	if (s->config.policy == FAIR_MAUI &&
	    fair_backfill_begins(&s->plan, s->now) &&
	    !fair_sched_prioritize(s))
		return false;
	return fair_backfill_due(&s->plan, s->now, slot);
}

static bool fair_sched_start_next(struct fair_sched *s, uint32_t *slot)
{
	uint32_t tasks;

	do {
		if (!fair_sched_due(s, slot)) {
			s->stepped = !fair_sched_unfinished(s);
			return false;
		}
	} while ((s->config.fits || s->arrays) && !fair_sched_fits(s, *slot));
	if (s->live[*slot].booking)
		fair_sched_let_in(s, *slot);
	tasks = s->live[*slot].sequence;
	fair_sched_start(s, *slot);
	if (tasks)
		fair_sched_next_task(s, s->live + *slot, tasks);
	return true;
}

/* Begin the step, or go on with it; false: a rest from before it is left. */
static bool fair_sched_resume_step(struct fair_sched *s, int64_t now)
{
	bool reaction = s->keep.walk.kind == FAIR_CONSERVATIVE_REACTION;
	uint64_t looks;

	if (!fair_sched_unfinished(s)) {
		fair_sched_begin_step(s, now);
		return true;
	}
	fair_sched_because(s, FAIR_CAUSE_LATE_STEP, 0);
	fair_sched_look_within(s);
	if (!reaction && now == s->now)
		return true;
	if (!fair_conservative_go_on(&s->keep))
		return false;
	looks = s->keep.looks;
	fair_sched_begin_step(s, now);
	fair_sched_look(s, looks);
	return true;
}

FAIRSCHED_API int fair_sched_step(struct fair_sched *s, int64_t now,
				  struct fair_decision *start, size_t room,
				  size_t *n)
{
	uint32_t slot;
	size_t i = 0;

	if (fair_sched_no_time(s, now) || !start || !n)
		return -FAIR_EINVAL;
	if (!fair_sched_resume_step(s, now))
		room = 0;
	for (; i < room && fair_sched_start_next(s, &slot); i++) {
		start[i].number = s->live[slot].queued.rank.number;
		start[i].cookie = s->live[slot].cookie;
		start[i].time = now;
	}
	*n = i;
	return 0;
}

/* The first multiple of @step after now, counted from @from. */
static int64_t fair_sched_next_multiple(const struct fair_sched *s,
					int64_t from, int64_t step)
{
	return s->now + step - (s->now - from) % step;
}

/* While jobs wait: the timer; on an idle machine what may lift a cap. */
static int64_t fair_sched_maui_next(const struct fair_sched *s)
{
	const struct fair_maui *m = &s->maui;

	if (!s->plan.queue.jobs)
		return FAIR_FOREVER;
	if (m->config->poll)
		return fair_sched_next_multiple(s, s->config.origin,
						m->config->poll);
	if (!m->barred || s->running.jobs)
		return FAIR_FOREVER;
	return fair_sched_next_multiple(s, m->zero, m->config->interval);
}

/* While jobs wait that hold no promise: when the first booking ends. */
static int64_t fair_sched_next_booked(const struct fair_sched *s)
{
	int64_t next = FAIR_FOREVER;
	uint32_t i;

	if (!s->plan.queue.jobs)
		return next;
	for (i = 0; i < s->booked; i++)
		if (s->booking[i].to < next)
			next = s->booking[i].to;
	return next;
}

FAIRSCHED_API int64_t fair_sched_next(const struct fair_sched *s)
{
	const struct fair_live *j = fair_sched_first_running(s);
	int64_t next = j ? j->queued.rank.key : FAIR_FOREVER, due;

	if (fair_sched_unfinished(s))
		return s->now;
	if (fair_sched_promises(&s->config))
		due = fair_conservative_next(&s->keep);
	else
		due = s->refused ? s->now + 1 : FAIR_FOREVER;
	if (due < next)
		next = due;
	due = fair_sched_next_begin(s);
	if (due < next)
		next = due;
	due = fair_sched_next_booked(s);
	if (due < next)
		next = due;
	due = s->config.policy == FAIR_MAUI ? fair_sched_maui_next(s)
					    : FAIR_FOREVER;
	return due < next ? due : next;
}

/* QUERIES */

/* What only FAIR_MAUI keeps; else 0. */
static void fair_sched_describe_maui(const struct fair_sched *s,
				     const struct fair_live *j,
				     struct fair_job *job)
{
	struct fair_maui_request r;

	FAIR_MEMSET(&r, 0, sizeof(r));
	if (s->config.policy == FAIR_MAUI)
		r = fair_maui_asks(&s->maui, fair_sched_slot(s, j));
	job->nodes = r.nodes;
	job->memory = r.memory;
	job->swap = r.swap;
	job->disk = r.disk;
	job->rate = r.rate;
}

static void fair_sched_describe(const struct fair_sched *s,
				const struct fair_live *j,
				struct fair_job_status *status)
{
	bool running = j->state == FAIR_RUNNING;

	status->job.number = j->queued.rank.number;
	status->job.cookie = j->cookie;
	status->job.submit = j->submit;
	status->job.walltime = j->queued.walltime;
	status->job.procs = j->queued.procs;
	status->job.user = j->user;
	status->job.group = j->group;
	status->job.account = j->account;
	status->job.queue = j->queue;
	status->job.qos = j->qos;
	status->job.penalty = j->penalty;
	status->job.tasks = fair_sched_tasks(j);
	status->job.booking = j->booking;
	fair_sched_describe_maui(s, j, &status->job);
	status->state = j->state;
	status->cause = j->cause;
	status->moves = j->moves;
	status->first_promise = j->first_promise;
	status->end = FAIR_FOREVER;
	if (running)
		status->end = j->queued.rank.key;
	if (running)
		status->start = j->started;
	else if (fair_sched_promises(&s->config) || j->booking)
		status->start = j->queued.rank.key;
	else
		status->start = FAIR_FOREVER;
}

FAIRSCHED_API int fair_sched_lookup(const struct fair_sched *s, uint64_t number,
				    struct fair_job_status *status)
{
	const struct fair_live *j = fair_sched_find(s, number);

	if (!j || !status)
		return -FAIR_EINVAL;
	fair_sched_describe(s, j, status);
	return 0;
}

FAIRSCHED_API int fair_sched_maui(const struct fair_sched *s, uint64_t number,
				  struct fair_priority_parts *parts)
{
	const struct fair_live *j = fair_sched_find(s, number);

	if (!j || !parts || s->config.policy != FAIR_MAUI ||
	    j->state != FAIR_QUEUED)
		return -FAIR_EINVAL;
	return fair_maui_parts(&s->maui, fair_sched_slot(s, j), j->submit,
			       j->queued.walltime, parts);
}

FAIRSCHED_API bool fair_sched_each(const struct fair_sched *s, uint32_t state,
				   struct fair_queue_at *at,
				   struct fair_job_status *status)
{
	const struct fair_queue *q = state == FAIR_RUNNING
					     ? &s->running
					     : fair_sched_waiting(s);

	if (state == FAIR_ASIDE) {
		if (at->index >= s->asides)
			return false;
		fair_sched_describe(s, s->live + s->aside[at->index++].slot,
				    status);
		return true;
	}
	if (!fair_queue_narrower(q, at, INT32_MAX))
		return false;
	fair_sched_describe(s, s->live + fair_queue_slot(q, *at), status);
	at->index++;
	return true;
}

FAIRSCHED_API bool fair_sched_booking(const struct fair_sched *s, uint32_t i,
				      struct fair_booking *booking)
{
	if (i >= s->booked)
		return false;
	*booking = s->booking[i];
	return true;
}

/* Some second of it has too few processors. */
static bool fair_sched_is_short(const struct fair_sched *s,
				const struct fair_booking *b)
{
	uint32_t i = fair_sched_booking_place(s, b->number);
	const struct fair_booking *was = NULL;
	int64_t t = b->from > s->now ? b->from : s->now, until, left;

	if (fair_sched_is_booked(s, i, b->number))
		was = s->booking + i;
	for (; t < b->to; t = until) {
		left = fair_sched_left(s, t, &until);
		if (left + fair_sched_differs(s, was, b, t, &until) < 0)
			return true;
	}
	return false;
}

FAIRSCHED_API bool fair_sched_in_way(const struct fair_sched *s,
				     const struct fair_booking *booking,
				     struct fair_queue_at *at,
				     struct fair_job_status *status)
{
	struct fair_rank behind = { booking->from + 1, 0 };

	if (!at->row && !at->index) {
		if (!fair_sched_is_short(s, booking))
			return false;
		*at = fair_queue_seek(&s->running, behind);
	}
	do {
		if (!fair_sched_each(s, FAIR_RUNNING, at, status))
			return false;
	} while (status->job.booking && status->job.booking == booking->number);
	return true;
}

/* Live jobs move together: the copy's slots are 0, 1, 2 ... */
static void fair_sched_copy_job(struct fair_sched *copy, uint32_t *slot,
				const struct fair_sched *s, uint32_t from)
{
	slot[from] = copy->used;
	copy->live[copy->used] = s->live[from];
	if (s->config.policy == FAIR_MAUI)
		copy->maui.job[copy->used] = s->maui.job[from];
	copy->hash[fair_sched_probe(copy, s->live[from].queued.rank.number)] =
		++copy->used;
}

static void fair_sched_copy_jobs(struct fair_sched *copy, uint32_t *slot,
				 const struct fair_sched *s,
				 const struct fair_queue *q)
{
	struct fair_queue_at at = { 0, 0 };

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++)
		fair_sched_copy_job(copy, slot, s, fair_queue_slot(q, at));
}

static void fair_sched_copy_aside(struct fair_sched *copy, uint32_t *slot,
				  const struct fair_sched *s)
{
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		fair_sched_copy_job(copy, slot, s, s->aside[i].slot);
		copy->aside[i] = s->aside[i];
		copy->aside[i].slot = slot[s->aside[i].slot];
	}
}

static void fair_sched_clone_relshare(struct fair_sched *copy, char *memory,
				      const struct fair_sched *s,
				      const uint32_t *slot)
{
	size_t groups = fair_sched_groups_size(&s->config);

	copy->plan.walk.groups = fair_sched_groups(memory);
	FAIR_MEMCPY(copy->plan.walk.groups, s->plan.walk.groups,
		    s->config.users * sizeof(struct fair_group));
	fair_sched_must(fair_relshare_clone(
		&copy->relshare, memory + groups,
		fair_sched_ledger_size(&s->config) - groups, &s->relshare,
		slot));
}

static void fair_sched_clone_usage(struct fair_sched *copy, char *memory,
				   const struct fair_sched *s)
{
	size_t groups = fair_sched_groups_size(&s->config);

	copy->plan.walk.groups = fair_sched_groups(memory);
	FAIR_MEMCPY(copy->plan.walk.groups, s->plan.walk.groups,
		    s->config.users * sizeof(struct fair_group));
	fair_sched_must(fair_usage_clone(
		&copy->usage, memory + groups,
		fair_sched_usage_size(&s->config) - groups, &s->usage));
}

static void fair_sched_clone_plan(struct fair_sched *copy, char *memory,
				  const struct fair_sched *s,
				  const uint32_t *slot)
{
	size_t plan = fair_sched_plan_size(&s->config);

	fair_sched_must(fair_backfill_clone(&copy->plan, memory, plan,
					    copy->live, NULL, &s->plan, slot));
	if (s->config.bookings)
		fair_sched_must(fair_backfill_clone_windows(
			&copy->plan, memory + plan,
			fair_sched_windows_size(&s->config), &s->plan));
}

FAIRSCHED_API int fair_sched_clone(struct fair_sched *copy, void *memory,
				   size_t bytes, const struct fair_sched *s)
{
	size_t policy = fair_sched_policy_size(&s->config);
	size_t ledger = fair_sched_ledger_size(&s->config);
	struct fair_sched x = *s;
	uint32_t *slot, i;
	char *at;

	if (!copy || !memory)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_size(&s->config))
		return -FAIR_ENOMEM;
	at = fair_sched_lay_out(&x, (char *)memory, s->jobs);
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_maui_clone(&x.maui, at + policy, ledger,
						&s->maui));
	x.config.maui = x.maui.config;
	slot = x.spare;		/* no slot of the copy is spare */
	x.used = x.spares = 0;
	x.bounded = fair_sched_unfinished(s);
	x.budget = 0;
	fair_sched_copy_jobs(&x, slot, s, &s->running);
	fair_sched_copy_jobs(&x, slot, s, fair_sched_waiting(s));
	fair_sched_copy_aside(&x, slot, s);
	for (i = 0; i < s->insides; i++)
		x.inside[i] = slot[s->inside[i]];
	FAIR_MEMCPY(x.booking, s->booking, s->booked * sizeof(*s->booking));
	fair_sched_must(fair_queue_clone(&x.running, &s->running, slot));
	if (fair_sched_promises(&s->config))
		fair_sched_must(fair_conservative_clone(
			&x.keep, at, policy, x.live, &s->keep, slot));
	else
		fair_sched_clone_plan(&x, at, s, slot);
	if (s->config.policy == FAIR_SFS)
		fair_sched_must(fair_sfs_clone(&x.sfs, at + policy, ledger,
					       &s->sfs));
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_clone_relshare(&x, at + policy, s, slot);
	if (s->config.order == FAIR_ORDER_USAGE)
		fair_sched_clone_usage(&x, at + policy + ledger, s);
	*copy = x;
	return 0;
}

/* FUTURES */

/* Of ends at one second, that of the job that was started first. */
static bool fair_future_before(const struct fair_future *f,
			       struct fair_future_end a,
			       struct fair_future_end b)
{
	const struct fair_live *x = f->sched.live + a.slot;
	const struct fair_live *y = f->sched.live + b.slot;

	if (a.end != b.end)
		return a.end < b.end;
	if (x->started != y->started)
		return x->started < y->started;
	return x->sequence - y->sequence > UINT32_MAX / 2;
}

/* The place @i is free: down to a leaf with it, then up as far as @x goes. */
static void fair_future_put(struct fair_future *f, uint32_t i,
			    struct fair_future_end x)
{
	uint32_t top = i, n = f->running, child;

	for (; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n &&
			 fair_future_before(f, f->end[child + 1],
					    f->end[child]);
		f->end[i] = f->end[child];
	}
	for (; i > top && fair_future_before(f, x, f->end[(i - 1) / 2]);
	     i = (i - 1) / 2)
		f->end[i] = f->end[(i - 1) / 2];
	f->end[i] = x;
}

static struct fair_future_end fair_future_of(const struct fair_future *f,
					     uint32_t slot)
{
	const struct fair_live *j = f->sched.live + slot;
	struct fair_future_end x;
	int64_t run = f->run(f->context, j->queued.rank.number);

	x.end = j->started + (run < FAIR_TIME_MAX ? run : FAIR_TIME_MAX);
	x.slot = slot;
	return x;
}

static void fair_future_push(struct fair_future *f, uint32_t slot)
{
	struct fair_future_end x = fair_future_of(f, slot);
	uint32_t i = f->running++;

	for (; i && fair_future_before(f, x, f->end[(i - 1) / 2]);
	     i = (i - 1) / 2)
		f->end[i] = f->end[(i - 1) / 2];
	f->end[i] = x;
}

static void fair_future_finish(struct fair_future *f)
{
	struct fair_sched *s = &f->sched;
	struct fair_live *j = s->live + f->end[0].slot;

	if (--f->running)
		fair_future_put(f, 0, f->end[f->running]);
	f->busy = f->now;
	fair_sched_end_now(s, f->now, j, true);
}

/* Whether somebody will start as promised; a task does only if it has room. */
static bool fair_future_promises(const struct fair_future *f)
{
	const struct fair_sched *s = &f->sched;
	const struct fair_queue *q = fair_sched_waiting(s);
	struct fair_queue_at at = { 0, 0 };
	const struct fair_live *j;

	if (!fair_sched_promises(&s->config))
		return false;
	for (; fair_queue_narrower(q, &at, s->procs); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (j->queued.rank.key != FAIR_FOREVER &&
		    (!j->sequence || s->jobs < s->config.jobs))
			return true;
	}
	return false;
}

/*
 * Can a start be due to time alone? Promises are due, bookings end; under
 * FAIR_MAUI usage of whole windows is forgotten, one after another, and with it
 * the cap of who used it; who was refused is asked about a second later. A task
 * without room for one more is refused every second, but nobody ends who would
 * make any.
 */
static bool fair_future_hopes(const struct fair_future *f)
{
	const struct fair_sched *s = &f->sched;
	struct fair_queue_at at = { 0, 0 };
	int64_t idle = f->now - f->busy;

	return fair_queue_narrower(fair_sched_waiting(s), &at, s->procs) &&
	       (s->booked || !idle || fair_future_promises(f) ||
		(s->config.policy == FAIR_MAUI &&
		 idle / s->maui.config->interval <= s->maui.config->windows));
}

/*
 * To the next instant, if there is one before @until; timers alone would go on
 * for ever.
 */
static bool fair_future_advance(struct fair_future *f)
{
	int64_t due = fair_sched_next(&f->sched);
	int64_t begin = fair_sched_next_begin(&f->sched);

	if (!f->running && begin == FAIR_FOREVER && !fair_future_hopes(f))
		return false;
	if (f->running && f->end[0].end < due)
		due = f->end[0].end;
	if (due >= f->until)
		return false;
	if (due > f->now)
		f->now = due;
	return true;
}

/* All of an instant but arrivals; false: there is none. */
static bool fair_future_pass(struct fair_future *f)
{
	uint32_t slot;

	if (f->played && !fair_future_advance(f))
		return false;
	while (f->running && f->end[0].end <= f->now)
		fair_future_finish(f);
	fair_sched_begin_step(&f->sched, f->now);
	while (fair_sched_start_next(&f->sched, &slot))
		fair_future_push(f, slot);
	f->played = true;
	return true;
}

static int64_t fair_future_started(struct fair_future *f,
				   const struct fair_live *j)
{
	while (j->state != FAIR_RUNNING && fair_future_pass(f))
		;
	return j->state == FAIR_RUNNING ? j->started : FAIR_FOREVER;
}

FAIRSCHED_API int fair_future_open(struct fair_future *f, size_t struct_size,
				   void *memory, size_t bytes,
				   const struct fair_sched *s, int64_t now,
				   int64_t (*run)(void *context,
						  uint64_t number),
				   void *context)
{
	size_t size = fair_sched_size(&s->config);
	uint32_t i;
	char *end;

	if (!f || struct_size != sizeof(*f) || !memory || !run ||
	    fair_sched_no_time(s, now))
		return -FAIR_EINVAL;
	if (bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	fair_sched_must(fair_sched_clone(&f->sched, memory, size, s));
	f->sched.config.promised = NULL;
	f->sched.config.fits = NULL;
	end = (char *)memory + size;
	f->end = (struct fair_future_end *)(void *)(
		end + (8 - (uintptr_t)end % 8) % 8);
	f->now = f->busy = now;
	f->until = FAIR_FOREVER;
	f->played = s->now < now;	/* nothing happens now */
	f->run = run;
	f->context = context;
	/* The clone's first slots are those of jobs that run. */
	f->running = s->running.jobs;
	for (i = 0; i < f->running; i++)
		f->end[i] = fair_future_of(f, i);
	for (i = f->running / 2; i-- > 0;)
		fair_future_put(f, i, f->end[i]);
	return 0;
}

FAIRSCHED_API int fair_future_start(struct fair_future *f, uint64_t number,
				    int64_t *start)
{
	const struct fair_live *j = fair_sched_find(&f->sched, number);

	if (!j || !start)
		return -FAIR_EINVAL;
	*start = fair_future_started(f, j);
	return 0;
}

FAIRSCHED_API int fair_future_join(struct fair_future *f,
				   const struct fair_job *job, int64_t *start)
{
	struct fair_sched *s = &f->sched;
	int error;

	if (!job || !start)
		return -FAIR_EINVAL;
	while (fair_sched_waiting(s)->jobs) {
		if (fair_future_pass(f))
			continue;
		*start = FAIR_FOREVER;
		return 0;
	}
	error = fair_sched_submit(s, f->now, job);
	if (error)
		return error;
	f->played = false;
	*start = fair_future_started(f, fair_sched_find(s, job->number));
	return 0;
}

FAIRSCHED_API size_t fair_sched_fst_size(const struct fair_config *config)
{
	size_t size = fair_sched_size(config);

	return size ? size + 8 + config->jobs * sizeof(struct fair_future_end)
		    : 0;
}

FAIRSCHED_API int fair_sched_fst(const struct fair_sched *s, int64_t now,
				 const struct fair_job *job, void *memory,
				 size_t bytes,
				 int64_t (*run)(void *context, uint64_t number),
				 void *context, struct fair_fst *fst)
{
	struct fair_future f;
	struct fair_fst found;
	int error;

	if (!s || !fst)
		return -FAIR_EINVAL;
	error = fair_future_open(&f, sizeof(f), memory, bytes, s, now, run,
				 context);
	if (!error)
		error = fair_future_join(&f, job, &found.relaxed);
	if (!error)
		error = fair_future_open(&f, sizeof(f), memory, bytes, s, now,
					 run, context);
	if (!error)
		error = fair_sched_submit(&f.sched, now, job);
	f.played = false;
	if (!error)
		error = fair_future_start(&f, job->number, &found.strict);
	if (!error)
		*fst = found;
	return error;
}

/* ESTIMATES */

static int64_t fair_sched_planned_run(void *context, uint64_t number)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	const struct fair_live *j = fair_sched_holder(s, number, 1, NULL);

	return j->state == FAIR_RUNNING ? j->queued.rank.key - j->started
					: j->queued.walltime;
}

/* When it starts if nothing happens, and every job ends as planned. */
static int64_t fair_sched_planned(const struct fair_sched *s, void *memory,
				  size_t bytes, uint64_t number)
{
	struct fair_future f;
	int64_t start = FAIR_FOREVER;

	fair_sched_must(fair_future_open(&f, sizeof(f), memory, bytes, s,
					 s->now, fair_sched_planned_run,
					 (void *)(uintptr_t)s));
	fair_sched_must(fair_future_start(&f, number, &start));
	return start;
}

/*
 * Whether its key says when @j starts, if nothing happens: a promise, or never
 * if it is wider than the machine. For want of room before the horizon others
 * have no promise, and start nevertheless.
 */
static bool fair_sched_certain(const struct fair_sched *s,
			       const struct fair_live *j)
{
	if (j->queued.rank.key == FAIR_FOREVER)
		return j->queued.procs > s->procs;
	return j->booking || fair_sched_promises(&s->config);
}

FAIRSCHED_API int fair_sched_estimate(const struct fair_sched *s,
				      uint64_t number, void *memory,
				      size_t bytes, int64_t *start)
{
	const struct fair_live *j = s ? fair_sched_find(s, number) : NULL;

	if (!j || !start || j->state == FAIR_RUNNING)
		return -FAIR_EINVAL;
	if (fair_sched_certain(s, j)) {
		*start = j->queued.rank.key;
		return 0;
	}
	if (!memory || bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	*start = fair_sched_planned(s, memory, bytes, number);
	return 0;
}

FAIRSCHED_API size_t fair_sched_forecast_size(const struct fair_config *config,
					      uint32_t samples)
{
	size_t size = fair_sched_fst_size(config);

	if (!size || samples > (SIZE_MAX / 2 - size) / sizeof(int64_t))
		return 0;
	return size + 8 + samples * sizeof(int64_t);
}

/* Private: one sample. */
struct fair_sample {
	const struct fair_sched *s;
	const struct fair_draw *draw;
	uint64_t seed;
};

/* A bijection in which each bit depends on all. Source: [SLF14], mix64. */
static uint64_t fair_sample_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static int64_t fair_sample_run(void *context, uint64_t number)
{
	const struct fair_sample *x = (const struct fair_sample *)context;
	int64_t most = fair_sched_planned_run((void *)(uintptr_t)x->s, number);
	struct fair_job_status job;
	int64_t run;

	fair_sched_describe(x->s, fair_sched_holder(x->s, number, 1, NULL),
			    &job);
	run = x->draw->run(x->draw->context, &job,
			   fair_sample_mix(x->seed + fair_sample_mix(number)));
	if (run < 0)
		return 0;
	return run < most ? run : most;
}

/* Into the ascending start[0 .. n). */
static void fair_sample_insert(int64_t *start, uint32_t n, int64_t x)
{
	uint32_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (start[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	FAIR_MEMMOVE(start + low + 1, start + low, (n - low) * sizeof(*start));
	start[low] = x;
}

/* The smallest of which at least @percent of all are no larger. */
static int64_t fair_sample_percentile(const int64_t *start, uint32_t n,
				      uint32_t percent)
{
	return start[((uint64_t)n * percent + 99) / 100 - 1];
}

FAIRSCHED_API int fair_sched_forecast(const struct fair_sched *s,
				      uint64_t number,
				      const struct fair_draw *draw,
				      void *memory, size_t bytes,
				      struct fair_forecast *forecast)
{
	const struct fair_live *j = s ? fair_sched_find(s, number) : NULL;
	struct fair_sample x;
	struct fair_future f;
	int64_t *start;
	size_t clone;
	char *at;
	uint32_t i;

	if (!j || j->state == FAIR_RUNNING || !draw || !draw->run ||
	    !draw->samples || !memory || !forecast)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_forecast_size(&s->config, draw->samples))
		return -FAIR_ENOMEM;
	clone = fair_sched_fst_size(&s->config);
	at = (char *)memory + clone;
	start = (int64_t *)(void *)(at + (8 - (uintptr_t)at % 8) % 8);
	x.s = s;
	x.draw = draw;
	for (i = 0; i < draw->samples; i++) {
		int64_t when = FAIR_FOREVER;

		x.seed = draw->seed + i * UINT64_C(0x9e3779b97f4a7c15);
		fair_sched_must(fair_future_open(&f, sizeof(f), memory, clone,
						 s, s->now, fair_sample_run,
						 &x));
		fair_sched_must(fair_future_start(&f, number, &when));
		fair_sample_insert(start, i, when);
	}
	forecast->p10 = fair_sample_percentile(start, i, 10);
	forecast->p50 = fair_sample_percentile(start, i, 50);
	forecast->p90 = fair_sample_percentile(start, i, 90);
	return 0;
}

/* WHY NOT NOW */

/* The plan as it is without some reservations. */
struct fair_view {
	const struct fair_profile *profile;
	const struct fair_reservation *out;
	uint32_t outs;
};

/* What those hold at @t; *@until: when that changes, if it is earlier. */
static int32_t fair_view_added(const struct fair_view *v, int64_t t,
			       int64_t *until)
{
	int32_t procs = 0;
	int64_t start, end;
	uint32_t i;

	for (i = 0; i < v->outs; i++) {
		start = v->out[i].start;
		end = start + v->out[i].walltime;
		if (start <= t && t < end)
			procs += v->out[i].procs;
		if (t < start && start < *until)
			*until = start;
		if (t < end && end < *until)
			*until = end;
	}
	return procs;
}

static int32_t fair_view_min(const struct fair_view *v, int64_t from,
			     int64_t until)
{
	int32_t least = 0;

	fair_sched_must(fair_profile_min_free(v->profile, from, until, &least));
	return least;
}

/* Processors that are free throughout [@from, @until). */
static int32_t fair_view_free(const struct fair_view *v, int64_t from,
			      int64_t until)
{
	int32_t least = INT32_MAX, procs;
	int64_t next;

	for (; from < until; from = next) {
		next = until;
		procs = fair_view_added(v, from, &next);
		procs += fair_view_min(v, from, next);
		if (least > procs)
			least = procs;
	}
	return least;
}

/* Until when @procs are free from @from on: at most @until. */
static int64_t fair_view_lasts(const struct fair_view *v, int64_t from,
			       int64_t until, int32_t procs)
{
	int64_t next, middle;
	int32_t least;

	for (; from < until; from = next) {
		next = until;
		least = procs - fair_view_added(v, from, &next);
		if (fair_view_min(v, from, next) < least)
			break;
	}
	if (from >= until)
		return until;
	/* They are free until @from; not all the time until @next. */
	while (next - from > 1) {
		middle = from + (next - from) / 2;
		if (fair_view_min(v, from, middle) < least)
			next = middle;
		else
			from = middle;
	}
	return from;
}

static bool fair_sched_comes_before(const struct fair_sched *s, uint32_t a,
				    uint32_t b)
{
	struct fair_backfill plan;
	uint32_t x, y;
	int order;

	if (s->config.policy == FAIR_CONSERVATIVE)
		return s->live[a].submit < s->live[b].submit ||
		       (s->live[a].submit == s->live[b].submit &&
			s->live[a].queued.rank.number <
				s->live[b].queued.rank.number);
	if (fair_sched_promises(&s->config))
		return fair_rank_below(s->keep.rank[a], s->keep.rank[b]);
	if (!fair_sched_sorts(&s->config))
		return fair_rank_below(s->live[a].queued.rank,
				       s->live[b].queued.rank);
	plan = s->plan;
	plan.walk.context = s;
	if (plan.walk.group) {
		x = plan.walk.group(s, a);
		y = plan.walk.group(s, b);
		order = plan.walk.compare(s, x, y);
		return order ? order < 0
			     : fair_rank_below(s->live[a].queued.rank,
					       s->live[b].queued.rank);
	}
	return fair_backfill_before(&plan, s->now, a, b);
}

/* Private: how groups compare with that of one job, as far as asked. */
#define FAIR_GROUPS_ASKED 64

struct fair_groups_asked {
	uint32_t group[FAIR_GROUPS_ASKED];	/* + 1; 0: none */
	int order[FAIR_GROUPS_ASKED];
};

/* As fair_sched_comes_before(), where jobs come by groups. */
static bool fair_sched_group_before(const struct fair_sched *s, uint32_t a,
				    uint32_t b, struct fair_groups_asked *asked)
{
	uint32_t x = s->plan.walk.group(s, a);
	uint32_t i = x % FAIR_GROUPS_ASKED;

	if (asked->group[i] != x + 1) {
		asked->group[i] = x + 1;
		asked->order[i] = s->plan.walk.compare(
			s, x, s->plan.walk.group(s, b));
	}
	return asked->order[i] ? asked->order[i] < 0
			       : fair_rank_below(s->live[a].queued.rank,
						 s->live[b].queued.rank);
}

static uint32_t fair_sched_ahead(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_queue *q = fair_sched_waiting(s);
	struct fair_queue_at at = { 0, 0 };
	struct fair_groups_asked asked;
	bool grouped = s->plan.walk.group != NULL;
	uint32_t ahead = 0, other;

	FAIR_MEMSET(&asked, 0, sizeof(asked));
	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++) {
		other = fair_queue_slot(q, at);
		ahead += grouped ? fair_sched_group_before(s, other, slot,
							   &asked)
				 : fair_sched_comes_before(s, other, slot);
	}
	return ahead;
}

/* How many of the walk's reservations were made before @slot was looked at. */
static uint32_t fair_sched_held_before(const struct fair_sched *s,
				       uint32_t slot)
{
	const struct fair_reservation *held = s->plan.held;
	uint32_t i = 0;

	while (i < s->plan.reserved && held[i].slot != slot &&
	       (s->plan.walk.gate ||
		fair_sched_comes_before(s, held[i].slot, slot)))
		i++;
	return i;
}

/* Private: the room that a job has now. */
struct fair_room {
	struct fair_view view;
	struct fair_reservation own;	/* of a policy that promises */
	uint32_t before;	/* reservations, of jobs ahead of it */
	int32_t procs;		/* with its walltime, at most */
	int64_t walltime;	/* with its processors, at most its own */
};

/* Beside the reservation of the first, see fair_easy_may_backfill(). */
static void fair_sched_easy_room(const struct fair_sched *s,
				 const struct fair_queued *j,
				 struct fair_room *r)
{
	const struct fair_backfill *b = &s->plan;
	int32_t extra = b->extra_procs < b->free ? b->extra_procs : b->free;
	bool passes = !r->before || s->now + j->walltime <= b->shadow_time;

	r->procs = passes ? b->free : extra;
	if (b->depth == 0 && r->before)
		r->procs = 0;
	if (j->procs <= r->procs)
		r->walltime = j->walltime;
	else if (b->depth && j->procs <= b->free)
		r->walltime = b->shadow_time - s->now;
}

static void fair_sched_view_room(const struct fair_sched *s,
				 const struct fair_queued *j,
				 struct fair_room *r)
{
	int64_t end = s->now + j->walltime;

	if (!s->plan.depth && r->before)
		return;		/* nobody passes */
	r->walltime = fair_view_lasts(&r->view, s->now, end, j->procs) - s->now;
	r->procs = fair_view_free(&r->view, s->now, end);
}

/*
 * If the job were another size now. The reservations of jobs that come before it
 * in the order stay where they are, for they do not depend on it; those of
 * jobs behind it must not be in its way.
 */
static void fair_sched_room(const struct fair_sched *s, uint32_t slot,
			    struct fair_room *r)
{
	const struct fair_queued *j = &s->live[slot].queued;

	FAIR_MEMSET(r, 0, sizeof(*r));
	if (fair_sched_promises(&s->config)) {
		r->own.start = j->rank.key;
		r->own.walltime = j->walltime;
		r->own.procs = j->procs;
		r->view.profile = &s->keep.profile;
		r->view.out = &r->own;
		r->view.outs = j->rank.key != FAIR_FOREVER;
		fair_sched_view_room(s, j, r);
		return;
	}
	if (s->plan.depth == 0)
		r->before = s->plan.last_reserved.number != j->rank.number;
	else
		r->before = fair_sched_held_before(s, slot);
	r->view.profile = &s->plan.profile;
	r->view.out = s->plan.held + r->before;
	r->view.outs = s->plan.depth ? s->plan.reserved - r->before : 0;
	if (s->plan.planned)
		fair_sched_view_room(s, j, r);
	else
		fair_sched_easy_room(s, j, r);
}

static void fair_why_block(const struct fair_sched *s, struct fair_why *w,
			   uint32_t slot, int64_t start)
{
	const struct fair_live *j = s->live + slot;
	struct fair_blocker *b;

	if (w->blockers++ >= FAIR_BLOCKERS)
		return;
	b = w->blocker + w->blockers - 1;
	b->number = j->queued.rank.number;
	b->procs = j->queued.procs;
	b->state = j->state;
	b->start = j->state == FAIR_RUNNING ? j->started : start;
	b->end = j->state == FAIR_RUNNING ? j->queued.rank.key : FAIR_FOREVER;
}

/* Running jobs that must end before as many processors are free. */
static void fair_why_running(const struct fair_sched *s, struct fair_why *w)
{
	struct fair_queue_at at = { 0, 0 };
	uint32_t slot;

	for (; fair_queue_narrower(&s->running, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&s->running, at);
		if (s->live[slot].queued.rank.key > w->free_at)
			break;
		fair_why_block(s, w, slot, 0);
	}
}

/*
 * Those whose reservations begin at @time, when it would still run: its own
 * begins later, for while that lasts there is room for it.
 */
static void fair_why_reserved(const struct fair_sched *s,
			      const struct fair_room *r, int64_t time,
			      struct fair_why *w)
{
	const struct fair_rank first = { time, 0 };
	const struct fair_reservation *held = s->plan.held;
	struct fair_queue_at at;
	uint32_t slot, i;

	for (i = 0; i < r->before; i++)
		if (!s->plan.planned)
			fair_why_block(s, w, held[i].slot, s->plan.shadow_time);
		else if (held[i].start == time)
			fair_why_block(s, w, held[i].slot, time);
	if (!fair_sched_promises(&s->config))
		return;
	at = fair_queue_seek(&s->keep.plan, first);
	for (;; at.index++) {
		(void)fair_queue_narrower(&s->keep.plan, &at, INT32_MAX);
		slot = fair_queue_slot(&s->keep.plan, at);
		if (s->live[slot].queued.rank.key != time)
			break;
		fair_why_block(s, w, slot, time);
	}
}

/* Bookings that begin at @time, when it would still run, or hold since before. */
static void fair_why_booked(const struct fair_sched *s, int64_t time,
			    struct fair_why *w)
{
	uint32_t i;

	for (i = s->booked; i-- > 0;) {
		if (s->booking[i].from != time &&
		    (time != s->now || !fair_booking_holds(s->booking + i, time)))
			continue;
		w->reasons |= FAIR_WHY_BOOKED;
		w->booking = s->booking[i];
	}
}

/* The first job that could not start. */
static uint32_t fair_sched_head(const struct fair_sched *s)
{
	if (s->plan.depth)
		return s->plan.held[0].slot;
	return fair_sched_slot(
		s, fair_sched_find(s, s->plan.last_reserved.number));
}

static void fair_why_limits(const struct fair_sched *s, uint32_t slot,
			    struct fair_why *w)
{
	if (fair_maui_barred(&s->maui, slot))
		w->reasons |= FAIR_WHY_CAP;
	if (fair_throttle_test(&s->maui.throttle, s->now,
			       &s->maui.job[slot].asks,
			       s->now + w->job.walltime, FAIR_THROTTLE_HARD,
			       &w->limit))
		w->reasons |= FAIR_WHY_LIMIT;
}

static void fair_why_reason(const struct fair_sched *s, uint32_t slot,
			    const struct fair_room *r, struct fair_why *w)
{
	const struct fair_live *j = s->live + slot;

	if (j->queued.mark & FAIR_MARK_REFUSED)
		w->reasons |= FAIR_WHY_REFUSED;
	if (w->job.procs > w->machine)
		w->reasons |= FAIR_WHY_MACHINE;
	else if (w->job.procs > w->free)
		w->reasons |= FAIR_WHY_PROCS;
	if (s->config.policy == FAIR_SFS &&
	    !fair_sfs_gate(&s->sfs, j->account))
		w->reasons |= FAIR_WHY_TARGET;
	if (s->config.policy == FAIR_MAUI)
		fair_why_limits(s, slot, w);
	if (r->before && (s->config.policy == FAIR_FCFS ||
			  s->config.select == FAIR_NOFIT)) {
		w->reasons |= FAIR_WHY_BEHIND;
		fair_why_block(s, w, fair_sched_head(s), FAIR_FOREVER);
	} else if (w->reasons & FAIR_WHY_PROCS) {
		fair_why_running(s, w);
	} else if (!(w->reasons & FAIR_WHY_MACHINE) &&
		   r->walltime < w->job.walltime) {
		fair_why_reserved(s, r, s->now + r->walltime, w);
		if (w->blockers)
			w->reasons |= FAIR_WHY_DELAY;
		fair_why_booked(s, s->now + r->walltime, w);
	} else if (!w->reasons) {
		w->reasons = FAIR_WHY_KEPT;
	}
}

static void fair_why_describe(const struct fair_sched *s, uint32_t slot,
			      struct fair_why *w)
{
	struct fair_job_status status;
	int32_t extra;

	fair_sched_describe(s, s->live + slot, &status);
	FAIR_MEMSET(w, 0, sizeof(*w));
	w->job = status.job;
	w->now = s->now;
	w->machine = s->procs;
	w->free = s->procs - s->busy;
	w->promise = status.start;
	w->until = status.start;
	if (status.state == FAIR_QUEUED)
		w->ahead = fair_sched_ahead(s, slot);
	if (fair_easy_shadow(&s->running, w->free, w->job.procs, s->now,
			     &w->free_at, &extra))
		w->free_at = FAIR_FOREVER;
	if (s->config.policy == FAIR_SFS)
		(void)fair_sfs_occupancy(&s->sfs, status.job.account,
					 &w->occupancy, &w->target);
}

/*
 * When it starts, if nothing happens: as promised, unless its promise can move
 * earlier without an event (dc). A reservation of a walk is kept by the walks
 * that follow, as long as the order does not change and nobody comes.
 */
static void fair_why_until(const struct fair_sched *s, uint32_t slot,
			   struct fair_why *w)
{
	const struct fair_backfill *b = &s->plan;
	const struct fair_queued *j = &s->live[slot].queued;
	int64_t from = s->now + (j->mark & FAIR_MARK_REFUSED);
	int32_t extra;
	uint32_t i;

	if ((s->config.policy == FAIR_CONSERVATIVE ||
	     s->config.policy == FAIR_PC) &&
	    !s->arrays && fair_sched_certain(s, s->live + slot))
		return;
	w->unknown |= FAIR_UNKNOWN_UNTIL;
	if (s->config.policy > FAIR_BACKFILL || b->walk.group || s->asides ||
	    s->arrays ||
	    s->config.order == FAIR_ORDER_LXF ||
	    s->config.order == FAIR_ORDER_COMPARE || !b->reserved)
		return;
	if (!b->planned && b->last_reserved.number == j->rank.number) {
		w->unknown &= ~(uint32_t)FAIR_UNKNOWN_UNTIL;
		if (!fair_easy_shadow(&s->running, w->free, j->procs, from,
				      &w->promise, &extra))
			w->until = w->promise;
	}
	for (i = 0; b->planned && b->depth && i < b->reserved; i++) {
		if (b->held[i].slot != slot)
			continue;
		w->unknown &= ~(uint32_t)FAIR_UNKNOWN_UNTIL;
		w->until = w->promise = b->held[i].start;
	}
}

/*
 * dc: whether nobody can start now even if the job were not there. Then a
 * change of it moves nobody, and nobody makes room for it.
 */
static bool fair_sched_quiet(const struct fair_sched *s, uint32_t slot,
			     const struct fair_room *r)
{
	const struct fair_queue *q = &s->keep.plan;
	struct fair_queue_at at = { 0, 0 };
	struct fair_reservation out[2];
	struct fair_view view = { &s->keep.profile, out, 2 };
	const struct fair_queued *k;
	uint32_t other;

	out[0] = r->own;
	if (r->own.start == FAIR_FOREVER)
		return true;
	for (; fair_queue_narrower(q, &at, s->procs - s->busy); at.index++) {
		other = fair_queue_slot(q, at);
		k = &s->live[other].queued;
		if (other == slot || s->now + k->walltime <= r->own.start)
			continue;
		out[1].start = k->rank.key;
		out[1].walltime = k->walltime;
		out[1].procs = k->procs;
		view.outs = 1 + (k->rank.key != FAIR_FOREVER);
		if (fair_view_free(&view, s->now, s->now + k->walltime) >=
		    k->procs)
			return false;
	}
	return true;
}

/* lxf, but that one job has the place that its old walltime gives it. */
static bool fair_sched_pinned_before(const void *context, int64_t now,
				     uint32_t a, uint32_t b)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	struct fair_queued x = s->live[a].queued, y = s->live[b].queued;

	if (a + 1 == s->pinned)
		x.walltime = s->pinned_walltime;
	if (b + 1 == s->pinned)
		y.walltime = s->pinned_walltime;
	return fair_backfill_lxf_before(&x, &y, now);
}

/* Its priority of now; it is not asked for again. */
static void fair_sched_pin_maui(struct fair_sched *clone, uint32_t slot,
				int32_t procs, int64_t walltime)
{
	const struct fair_live *j = clone->live + slot;
	struct fair_priority_parts parts;

	fair_sched_must(fair_maui_parts(&clone->maui, slot, j->submit,
					j->queued.walltime, &parts));
	fair_sched_must(fair_maui_modify(&clone->maui, slot, procs, walltime));
	clone->maui.job[slot].priority = parts.priority;
}

/*
 * Of a clone: change a queued job, which keeps its place. Its priority goes on
 * as a time of submission, by which no other job is queued any more. Of the
 * policies that promise, only dc has to try.
 */
static void fair_sched_reshape(struct fair_sched *clone, struct fair_live *j,
			       int32_t procs, int64_t walltime)
{
	uint32_t slot = fair_sched_slot(clone, j);
	int64_t from = j->queued.rank.key;

	if (!fair_sched_promises(&clone->config))
		j->submit = from;
	else
		j->submit = clone->keep.rank[slot].key;
	clone->pinned = slot + 1;
	if (clone->config.policy == FAIR_MAUI) {
		fair_sched_pin_maui(clone, slot, procs, walltime);
	} else if (clone->config.order == FAIR_ORDER_LXF) {
		clone->pinned_walltime = j->queued.walltime;
		clone->plan.walk.before = fair_sched_pinned_before;
	} else if (clone->config.order == FAIR_ORDER_COMPARE) {
		clone->pinned_walltime = j->queued.walltime;
		clone->pinned_procs = j->queued.procs;
	} else if (!clone->plan.walk.group) {
		clone->config.order = FAIR_ORDER_FCFS;
	}
	fair_sched_arrive_at(clone, clone->now, clone->now + 1);
	fair_sched_withdraw(clone, j);
	j->queued.procs = procs;
	j->queued.walltime = walltime;
	clone->refused += j->queued.mark & FAIR_MARK_REFUSED;
	fair_sched_enqueue(clone, j, from, FAIR_CAUSE_MODIFIED);
}

/* Private: a job, a clone, and which of its sizes is looked for. */
struct fair_search {
	const struct fair_sched *s;
	const struct fair_why *why;
	void *memory;
	size_t bytes;
	bool by_walltime;
};

static bool fair_search_starts(const struct fair_search *q, int64_t size)
{
	struct fair_sched clone;
	struct fair_live *j;
	uint32_t slot;

	fair_sched_must(
		fair_sched_clone(&clone, q->memory, q->bytes, q->s));
	clone.config.promised = NULL;
	clone.config.fits = NULL;
	j = fair_sched_find(&clone, q->why->job.number);
	if (q->by_walltime)
		fair_sched_reshape(&clone, j, q->why->job.procs, size);
	else
		fair_sched_reshape(&clone, j, (int32_t)size,
				   q->why->job.walltime);
	fair_sched_begin_step(&clone, clone.now);
	while (fair_sched_start_next(&clone, &slot))
		if (clone.live + slot == j)
			return true;
	return false;
}

/* The largest size below @present that starts, near @guess; 0: none. */
static int64_t fair_search_size(const struct fair_search *q, int64_t guess,
				int64_t present)
{
	int64_t low = 0, high = present, size = guess;

	if (size < 1)
		size = 1;
	if (size >= present)
		size = present - 1;
	if (size < 1)
		return 0;
	/* low starts, high does not: at the end they are neighbours. */
	if (fair_search_starts(q, size))
		low = size;
	else
		high = size;
	if (!low && high > 1 && fair_search_starts(q, 1))
		low = 1;
	if (!low)
		return 0;
	for (size = low + 1; high - low > 1; size = low + (high - low) / 2) {
		if (fair_search_starts(q, size))
			low = size;
		else
			high = size;
	}
	return low;
}

/* Below what it is: where that is not known to do, as much less as can be. */
static int64_t fair_why_less(int64_t size, int64_t present)
{
	return size < present ? size : present - 1;
}

static void fair_why_change(const struct fair_sched *s, uint32_t slot,
			    const struct fair_room *r, struct fair_why *w)
{
	bool plain = (s->config.policy <= FAIR_PC && !s->config.select &&
		      !s->plan.walk.group) ||
		     (s->config.policy == FAIR_DC &&
		      fair_sched_quiet(s, slot, r));

	w->procs = (int32_t)fair_why_less(r->procs, w->job.procs);
	w->walltime = fair_why_less(r->walltime, w->job.walltime);
	if (!plain)
		w->unknown |= FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME;
	if (!(w->reasons & FAIR_WHY_REFUSED) &&
	    !(w->job.tasks > 1 && s->jobs == s->config.jobs))
		return;
	w->procs = 0;
	w->walltime = 0;
	w->unknown &= FAIR_UNKNOWN_UNTIL;
}

/* What is unknown is found on clones. */
static void fair_why_try(const struct fair_sched *s, void *memory,
			 size_t bytes, struct fair_why *w)
{
	struct fair_search q;

	q.s = s;
	q.why = w;
	q.memory = memory;
	q.bytes = bytes;
	q.by_walltime = false;
	if (w->unknown & FAIR_UNKNOWN_PROCS)
		w->procs = (int32_t)fair_search_size(&q, w->procs,
						     w->job.procs);
	q.by_walltime = true;
	if (w->unknown & FAIR_UNKNOWN_WALLTIME)
		w->walltime =
			fair_search_size(&q, w->walltime, w->job.walltime);
	if (w->unknown & FAIR_UNKNOWN_UNTIL)
		w->until = fair_sched_planned(s, memory, bytes, w->job.number);
	w->unknown = 0;
}

/* A guest starts as planned unless something happens, or a task has no room. */
static void fair_why_aside(const struct fair_sched *s,
			   const struct fair_live *j, struct fair_why *w)
{
	const struct fair_aside *a =
		s->aside + fair_sched_aside(s, j->queued.rank.number);
	uint32_t i = fair_sched_host(s, j->booking);

	w->reasons = FAIR_WHY_ASIDE;
	w->aside = a->until;
	/* A task without room is refused: then others hold their place sooner. */
	w->unknown = a->guest && !s->arrays ? 0 : FAIR_UNKNOWN_UNTIL;
	if (!a->guest)
		return;
	w->reasons |= FAIR_WHY_GUEST;
	if (i < s->booked)
		w->booking = s->booking[i];
}

FAIRSCHED_API int fair_sched_why(const struct fair_sched *s, uint64_t number,
				 void *memory, size_t bytes,
				 struct fair_why *why)
{
	const struct fair_live *j = s ? fair_sched_find(s, number) : NULL;
	struct fair_room r;
	struct fair_why w;
	uint32_t slot;

	if (!j || !why || j->state == FAIR_RUNNING || !s->stepped)
		return -FAIR_EINVAL;
	if (memory && bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	slot = fair_sched_slot(s, j);
	fair_why_describe(s, slot, &w);
	if (j->state == FAIR_ASIDE) {
		fair_why_aside(s, j, &w);
	} else {
		fair_sched_room(s, slot, &r);
		fair_why_reason(s, slot, &r, &w);
		fair_why_until(s, slot, &w);
		fair_why_change(s, slot, &r, &w);
	}
	if (memory)
		fair_why_try(s, memory, bytes, &w);
	*why = w;
	return 0;
}

/* Private: a text as it grows; what does not fit is counted. */
struct fair_text {
	char *at;
	size_t size, length;
};

static void fair_text_add(struct fair_text *t, const char *more)
{
	for (; *more; more++, t->length++)
		if (t->length < t->size)
			t->at[t->length] = *more;
}

static void fair_text_number(struct fair_text *t, uint64_t rest)
{
	char digit[24];
	size_t i = sizeof(digit) - 1;

	digit[i] = 0;
	do {
		digit[--i] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	fair_text_add(t, digit + i);
}

/* @format with a number for each %, for each # one of a job or booking. */
static void fair_text_fill(struct fair_text *t, const char *format, int64_t a,
			   int64_t b)
{
	char c[2] = { 0, 0 };

	for (; *format; format++) {
		c[0] = *format;
		if (*format != '%' && *format != '#') {
			fair_text_add(t, c);
			continue;
		}
		if (*format == '%' && a < 0) {
			fair_text_add(t, "-");
			fair_text_number(t, 0 - (uint64_t)a);
		} else {
			fair_text_number(t, (uint64_t)a);
		}
		a = b;
	}
}

static void fair_text_blockers(struct fair_text *t, const struct fair_why *w)
{
	uint32_t i;

	fair_text_add(t, w->blockers > 1 ? "jobs " : "job ");
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++)
		fair_text_fill(t, i ? ", #" : "#",
			       (int64_t)w->blocker[i].number, 0);
	if (w->blockers > FAIR_BLOCKERS)
		fair_text_fill(t, " and % more",
			       (int64_t)w->blockers - FAIR_BLOCKERS, 0);
}

static void fair_text_procs(struct fair_text *t, const struct fair_why *w)
{
	if (w->reasons & FAIR_WHY_MACHINE) {
		fair_text_fill(t,
			       " It needs % processors, and the machine has %"
			       " at present.",
			       w->job.procs, w->machine);
		return;
	}
	fair_text_fill(t, " It needs % processors: % are free", w->job.procs,
		       w->free);
	fair_text_fill(t, ", enough from % on", w->free_at, 0);
	if (!(w->reasons & FAIR_WHY_BEHIND)) {
		fair_text_add(t, ", after the end of ");
		fair_text_blockers(t, w);
	}
	fair_text_add(t, ".");
}

static void fair_text_limit(struct fair_text *t,
			    const struct fair_throttle_block *limit)
{
	static const char *const kind[] = { "user", "group", "account", "QOS",
					    "class" };
	static const char *const resource[] = { "jobs", "processors", "nodes",
						"MB", "processor-seconds" };

	fair_text_add(t, " It asks for ");
	fair_text_fill(t, "% more ", limit->asked, 0);
	fair_text_add(t, resource[limit->resource]);
	fair_text_fill(t, " than the % in use, above the limit of % of its ",
		       limit->used, limit->limit);
	fair_text_add(t, kind[limit->kind]);
	fair_text_add(t, ".");
}

static void fair_text_aside(struct fair_text *t, const struct fair_why *w)
{
	if (w->aside.held)
		fair_text_add(t, " It is held.");
	if (w->aside.begin > w->now)
		fair_text_fill(t, " It is not to begin before %.",
			       w->aside.begin, 0);
	if (w->aside.end == FAIR_AFTER_NEVER)
		fair_text_fill(t, " Job # did not end as it had to.",
			       (int64_t)w->aside.after, 0);
	else if (w->aside.end)
		fair_text_fill(t, " It waits for the end of job #.",
			       (int64_t)w->aside.after, 0);
}

static void fair_text_booked(struct fair_text *t, const struct fair_why *w)
{
	const struct fair_booking *b = &w->booking;
	bool away = b->kind == FAIR_MAINTENANCE;

	if (b->from > w->now)
		fair_text_fill(t, away ? " It would run into the maintenance"
					 " window at %."
				       : " It would run into the advance"
					 " reservation at %.",
			       b->from, 0);
	else
		fair_text_fill(t, away ? " % processors are away for"
					 " maintenance until %."
				       : " % processors are reserved in advance"
					 " until %.",
			       b->procs, b->to);
}

static void fair_text_guest(struct fair_text *t, const struct fair_why *w)
{
	int64_t number = (int64_t)w->job.booking;

	if (!w->booking.procs)
		fair_text_fill(t, " Its advance reservation, #, is gone.",
			       number, 0);
	else if (w->promise == FAIR_FOREVER)
		fair_text_fill(t,
			       " In its advance reservation, #, until %, there"
			       " is no room left for it.",
			       number, w->booking.to);
	else if (w->booking.from > w->now)
		fair_text_fill(t, " Its advance reservation, #, begins at %.",
			       number, w->booking.from);
	else
		fair_text_fill(t, " It waits for room in its advance"
				  " reservation, #.",
			       number, 0);
}

static void fair_text_reasons(struct fair_text *t, const struct fair_why *w)
{
	if (w->reasons & FAIR_WHY_ASIDE)
		fair_text_aside(t, w);
	if (w->reasons & FAIR_WHY_GUEST)
		fair_text_guest(t, w);
	if (w->reasons & FAIR_WHY_REFUSED)
		fair_text_add(t, " Its start was refused at this second.");
	if (w->reasons & (FAIR_WHY_MACHINE | FAIR_WHY_PROCS))
		fair_text_procs(t, w);
	if (w->reasons & FAIR_WHY_TARGET)
		fair_text_fill(t,
			       " Its account occupies % processors, above its"
			       " target of %.",
			       w->occupancy, w->target);
	if (w->reasons & FAIR_WHY_LIMIT)
		fair_text_limit(t, &w->limit);
	if (w->reasons & FAIR_WHY_CAP)
		fair_text_add(t, " Its user, group, account, QOS or class has"
				 " used more than its cap.");
	if (w->reasons & FAIR_WHY_BEHIND) {
		fair_text_add(t, " Nobody goes ahead of ");
		fair_text_blockers(t, w);
		fair_text_add(t, ".");
	}
	if (w->reasons & FAIR_WHY_DELAY) {
		fair_text_add(t, " Now it would delay ");
		fair_text_blockers(t, w);
		fair_text_fill(t, ", due to start at %.", w->blocker[0].start,
			       0);
	}
	if (w->reasons & FAIR_WHY_BOOKED)
		fair_text_booked(t, w);
	if (w->reasons & FAIR_WHY_KEPT)
		fair_text_add(t, " Nothing is in its way: the next change of"
				 " the plan may start it.");
}

/* What would start it now. */
static void fair_text_sizes(struct fair_text *t, const struct fair_why *w)
{
	bool procs = w->procs && !(w->unknown & FAIR_UNKNOWN_PROCS);
	bool walltime = w->walltime && !(w->unknown & FAIR_UNKNOWN_WALLTIME);

	if (!procs && !walltime) {
		if (!(w->unknown & ~(uint32_t)FAIR_UNKNOWN_UNTIL))
			fair_text_add(t, " No smaller size would start now.");
		return;
	}
	fair_text_add(t, " It would start now with");
	if (procs)
		fair_text_fill(t, w->procs == 1 ? " % processor"
						: " % processors",
			       w->procs, 0);
	if (procs && walltime)
		fair_text_add(t, ", or with");
	if (walltime)
		fair_text_fill(t, " a walltime of % s", w->walltime, 0);
	fair_text_add(t, ".");
}

static void fair_text_until(struct fair_text *t, const struct fair_why *w)
{
	if (w->promise != FAIR_FOREVER)
		fair_text_fill(t, " A start is reserved for it at %.",
			       w->promise, 0);
	if (w->unknown & FAIR_UNKNOWN_UNTIL)
		return;
	if (w->until == FAIR_FOREVER)
		fair_text_add(t, " As things are it will not start.");
	else if (w->until != w->promise)
		fair_text_fill(t, " If nothing changes it starts at %.",
			       w->until, 0);
}

FAIRSCHED_API size_t fair_why_text(const struct fair_why *why, char *text,
				   size_t size)
{
	struct fair_text t;

	t.at = text;
	t.size = size;
	t.length = 0;
	fair_text_fill(&t, "Job # has waited for % s", (int64_t)why->job.number,
		       why->now - why->job.submit);
	if (why->reasons & FAIR_WHY_ASIDE)
		fair_text_add(&t, ".");
	else if (why->ahead)
		fair_text_fill(&t, why->ahead == 1 ? ", % job is ahead of it."
						   : ", % jobs are ahead of it.",
			       why->ahead, 0);
	else
		fair_text_add(&t, " and is the first in the queue.");
	fair_text_reasons(&t, why);
	if (!(why->reasons & FAIR_WHY_ASIDE))
		fair_text_sizes(&t, why);
	fair_text_until(&t, why);
	if (size)
		text[t.length < size ? t.length : size - 1] = 0;
	return t.length;
}

/* WHAT IF */

/* By (submit, number). */
static bool fair_sched_came_before(const struct fair_sched *s, uint32_t a,
				   uint32_t b)
{
	struct fair_rank x, y;

	x.key = s->live[a].submit;
	x.number = s->live[a].queued.rank.number;
	y.key = s->live[b].submit;
	y.number = s->live[b].queued.rank.number;
	return fair_rank_below(x, y);
}

static void fair_sched_sift(const struct fair_sched *s, uint32_t *heap,
			    uint32_t parent, uint32_t top)
{
	uint32_t slot = heap[parent], child;

	for (; (child = 2 * parent + 1) < top; parent = child) {
		if (child + 1 < top &&
		    fair_sched_came_before(s, heap[child], heap[child + 1]))
			child++;
		if (!fair_sched_came_before(s, slot, heap[child]))
			break;
		heap[parent] = heap[child];
	}
	heap[parent] = slot;
}

/* Slots of waiting jobs, those that came first first. */
static uint32_t fair_sched_by_arrival(const struct fair_sched *s,
				      uint32_t *slot)
{
	const struct fair_queue *q = fair_sched_waiting(s);
	struct fair_queue_at at = { 0, 0 };
	uint32_t n = 0, i, last;

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++)
		slot[n++] = fair_queue_slot(q, at);
	for (i = n / 2; i-- > 0;)
		fair_sched_sift(s, slot, i, n);
	for (i = n; i-- > 1;) {
		last = slot[0];
		slot[0] = slot[i];
		slot[i] = last;
		fair_sched_sift(s, slot, 0, i);
	}
	return n;
}

/* A job that runs already. */
static int fair_sched_take_over(struct fair_sched *s,
				const struct fair_job_status *job)
{
	struct fair_maui_request request;
	struct fair_live *j;
	int error;

	if (!fair_sched_takes(s, &job->job))
		return -FAIR_EINVAL;
	if (s->jobs == s->config.jobs)
		return -FAIR_ENOSPC;
	if (job->end - s->now > fair_sched_reach(s))
		return -FAIR_EOVERFLOW;
	request = fair_sched_maui_request(&job->job);
	error = s->config.policy == FAIR_MAUI
			? fair_maui_possible(&s->maui, &request)
			: 0;
	if (error)
		return error;
	j = fair_sched_add(s, &job->job);
	if (s->config.policy == FAIR_MAUI)
		fair_sched_must(fair_maui_submit(
			&s->maui, fair_sched_slot(s, j), &request));
	if (!fair_sched_promises(&s->config))
		s->plan.free -= job->job.procs;
	if (job->end > s->now)
		fair_sched_hold(s, s->now, job->end, job->job.procs);
	if (s->config.policy == FAIR_RELSHARE)
		fair_sched_must(fair_relshare_submit(
			&s->relshare, s->now, fair_sched_slot(s, j), j->user,
			j->queued.procs));
	fair_sched_start(s, fair_sched_slot(s, j));
	fair_sched_run_until(s, j, job->end);
	j->started = job->start;
	return 0;
}

/* What it waits for may be set aside too, and come later. */
static int fair_sched_set_aside(struct fair_sched *b,
				const struct fair_sched *a,
				const struct fair_aside *from)
{
	static const struct fair_until held = { INT64_MIN, 0, 0, true };
	struct fair_job_status job;
	int error;

	fair_sched_describe(a, a->live + from->slot, &job);
	job.job.booking = 0;	/* which may be gone */
	error = fair_sched_submit_aside(b, a->now, &job.job, &held);
	if (error)
		return error;
	b->aside[fair_sched_aside(b, job.job.number)].until = from->until;
	fair_sched_find(b, job.job.number)->booking =
		a->live[from->slot].booking;
	b->guests += a->live[from->slot].booking != 0;
	return 0;
}

static int fair_sched_take_over_all(struct fair_sched *b,
				    const struct fair_sched *a)
{
	const uint64_t none = b->digest;
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status job;
	uint32_t n, i;
	int error = 0;

	if (a->procs < a->most_procs)
		error = fair_sched_capacity(b, a->now, a->procs - a->most_procs,
					    NULL, 0);
	while (!error && fair_sched_each(a, FAIR_RUNNING, &at, &job))
		error = fair_sched_take_over(b, &job);
	b->digest = none;
	if (!error && a->booked > b->config.bookings)
		error = -FAIR_ENOSPC;
	for (i = 0; !error && i < a->booked; i++)
		error = fair_sched_book(b, a->now, a->booking + i, true);
	if (!error && (a->jobs > b->config.jobs ||
		       a->asides > fair_sched_most_aside(&b->config)))
		error = -FAIR_ENOSPC;
	if (error)
		return error;
	n = fair_sched_by_arrival(a, b->spare);	/* no slot is spare yet */
	for (i = 0; !error && i < n; i++) {
		fair_sched_describe(a, a->live + b->spare[i], &job);
		error = fair_sched_submit(b, a->now, &job.job);
	}
	for (i = 0; !error && i < a->asides; i++)
		error = fair_sched_set_aside(b, a, &a->aside[i]);
	if (!error)
		fair_sched_wake(b);	/* guests */
	return error;
}

FAIRSCHED_API int fair_sched_convert(struct fair_sched *b, size_t struct_size,
				     void *memory, size_t bytes,
				     const struct fair_config *config,
				     const struct fair_sched *a)
{
	struct fair_config c;
	struct fair_sched x;
	int error;

	if (!b || !config || !a || struct_size != sizeof(*b))
		return -FAIR_EINVAL;
	c = *config;
	c.procs = a->most_procs;
	c.origin = a->now;
	error = fair_sched_init(&x, sizeof(x), memory, bytes, &c);
	if (!error)
		error = fair_sched_take_over_all(&x, a);
	if (!error)
		*b = x;
	return error;
}

/* Private: when the jobs of a scheduler start, by slot. */
struct fair_starts {
	const struct fair_sched *s;
	struct fair_future future;
	int64_t *start;
};

/* It is asked how long a job runs when it starts, and at first. */
static int64_t fair_starts_run(void *context, uint64_t number)
{
	struct fair_starts *x = (struct fair_starts *)context;
	const struct fair_live *j = fair_sched_find(x->s, number);

	if (j)	/* else it is a later task */
		x->start[fair_sched_slot(x->s, j)] =
			j->state == FAIR_RUNNING ? j->started : x->future.now;
	return fair_sched_planned_run((void *)(uintptr_t)x->s, number);
}

static void fair_starts_all(struct fair_starts *x, const struct fair_sched *s,
			    int64_t *start, void *memory, size_t bytes)
{
	uint32_t i;

	x->s = s;
	x->start = start;
	for (i = 0; i < s->used; i++)
		start[i] = FAIR_FOREVER;
	fair_sched_must(fair_future_open(&x->future, sizeof(x->future), memory,
					 bytes, s, s->now, fair_starts_run, x));
	while ((fair_sched_waiting(&x->future.sched)->jobs ||
		x->future.sched.asides) &&
	       fair_future_pass(&x->future))
		;
}

static size_t fair_sched_whatif_clone(const struct fair_config *a,
				      const struct fair_config *b)
{
	size_t x = fair_sched_fst_size(a), y = fair_sched_fst_size(b);

	if (!x || !y)
		return 0;
	return x > y ? x : y;
}

FAIRSCHED_API size_t fair_sched_whatif_size(const struct fair_config *a,
					    const struct fair_config *b)
{
	size_t size = fair_sched_whatif_clone(a, b);

	if (!size)
		return 0;
	return size + 8 + ((size_t)a->jobs + b->jobs) * sizeof(int64_t);
}

static void fair_change_side(struct fair_change *c, uint32_t side,
			     const struct fair_sched *s, const int64_t *start)
{
	const struct fair_live *j = fair_sched_find(s, c->number);

	c->start[side] = c->promise[side] = FAIR_FOREVER;
	if (!j)
		return;
	c->start[side] = start[fair_sched_slot(s, j)];
	if (j->state != FAIR_RUNNING &&
	    (fair_sched_promises(&s->config) || j->booking))
		c->promise[side] = j->queued.rank.key;
}

/* A job that waits in @b alone comes in the second turn. */
static void fair_sched_changes(const struct fair_sched *const s[2],
			       int64_t *const start[2], uint32_t turn,
			       uint32_t state,
			       void (*change)(void *context,
					      const struct fair_change *change),
			       void *context)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	const struct fair_live *other;
	struct fair_change c;

	while (fair_sched_each(s[turn], state, &at, &j)) {
		other = fair_sched_find(s[0], j.job.number);
		if (turn && other && other->state != FAIR_RUNNING)
			continue;
		c.number = j.job.number;
		fair_change_side(&c, 0, s[0], start[0]);
		fair_change_side(&c, 1, s[1], start[1]);
		if (c.start[0] != c.start[1] || c.promise[0] != c.promise[1])
			change(context, &c);
	}
}

FAIRSCHED_API int
fair_sched_whatif(const struct fair_sched *a, const struct fair_sched *b,
		  void *memory, size_t bytes,
		  void (*change)(void *context,
				 const struct fair_change *change),
		  void *context)
{
	const struct fair_sched *s[2];
	struct fair_starts x;
	int64_t *start[2];
	size_t clone;
	char *at;

	if (!a || !b || !memory || !change)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_whatif_size(&a->config, &b->config))
		return -FAIR_ENOMEM;
	clone = fair_sched_whatif_clone(&a->config, &b->config);
	at = (char *)memory + clone;
	s[0] = a;
	s[1] = b;
	start[0] = (int64_t *)(void *)(at + (8 - (uintptr_t)at % 8) % 8);
	start[1] = start[0] + a->config.jobs;
	fair_starts_all(&x, a, start[0], memory, clone);
	fair_starts_all(&x, b, start[1], memory, clone);
	fair_sched_changes(s, start, 0, FAIR_QUEUED, change, context);
	fair_sched_changes(s, start, 0, FAIR_ASIDE, change, context);
	fair_sched_changes(s, start, 1, FAIR_QUEUED, change, context);
	fair_sched_changes(s, start, 1, FAIR_ASIDE, change, context);
	return 0;
}

/* What is reserved for @q's jobs at @time. */
static int64_t fair_sched_held(const struct fair_sched *s,
			       const struct fair_queue *q, int64_t time)
{
	struct fair_queue_at at = { 0, 0 };
	const struct fair_live *j;
	int64_t procs = 0, start;

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		start = j->queued.rank.key;
		if (start <= time && time < start + j->queued.walltime)
			procs += j->queued.procs;
	}
	return procs;
}

static int64_t fair_sched_in_use(const struct fair_sched *s)
{
	struct fair_queue_at at = { 0, 0 };
	int64_t procs = 0;

	for (; fair_queue_narrower(&s->running, &at, INT32_MAX); at.index++)
		procs += s->live[fair_queue_slot(&s->running, at)].queued.procs;
	return procs;
}

static bool fair_sched_sums(const struct fair_sched *s)
{
	struct fair_step step;
	int64_t t, until;

	for (t = s->now; t != FAIR_FOREVER; t = until) {
		if (fair_profile_step_at(&s->keep.profile, t, &step) ||
		    step.free + fair_sched_held(s, &s->keep.plan, t) !=
			    fair_sched_room_at(s, t, &until))
			return false;
		until = until < step.end ? until : step.end;
	}
	return true;
}

/* I5, for one waiting job. */
static bool fair_sched_kept(const struct fair_sched *s,
			    const struct fair_live *j)
{
	return (!fair_sched_promises(&s->config) && !j->booking) || j->cause ||
	       j->queued.rank.key <= j->first_promise;
}

static bool fair_sched_all_found(const struct fair_sched *s,
				 const struct fair_queue *q, uint32_t state)
{
	struct fair_queue_at at = { 0, 0 };
	const struct fair_live *j;

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (fair_sched_find(s, j->queued.rank.number) != j ||
		    j->state != state)
			return false;
	}
	return true;
}

/* An array that waits: true if it is one, and shares its numbers. */
static bool fair_sched_array(const struct fair_sched *s, uint32_t slot,
			     uint32_t *arrays)
{
	const struct fair_live *j = s->live + slot;

	if (!j->sequence)
		return false;
	(*arrays)++;
	return fair_sched_holder(s, j->queued.rank.number, 1 + j->sequence, j);
}

static bool fair_sched_arrays_alone(const struct fair_sched *s)
{
	const struct fair_queue *q = fair_sched_waiting(s);
	struct fair_queue_at at = { 0, 0 };
	uint32_t arrays = 0, i;
	bool shared = false;

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++)
		shared |= fair_sched_array(s, fair_queue_slot(q, at), &arrays);
	for (i = 0; i < s->asides; i++)
		shared |= fair_sched_array(s, s->aside[i].slot, &arrays);
	return !shared && arrays == s->arrays;
}

static bool fair_sched_aside_found(const struct fair_sched *s)
{
	const struct fair_live *j;
	uint64_t next = 0;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		j = s->live + s->aside[i].slot;
		if (fair_sched_find(s, j->queued.rank.number) != j ||
		    j->state != FAIR_ASIDE || j->queued.rank.number < next)
			return false;
		next = j->queued.rank.number + 1;
	}
	return s->asides <= fair_sched_most_aside(&s->config);
}

/* Of each guest that waits: it has room where it was promised that, or none. */
static bool fair_sched_guests_fit(const struct fair_sched *s)
{
	const struct fair_live *j;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		j = s->live + s->aside[i].slot;
		if (s->aside[i].told != j->queued.rank.key ||
		    (!s->aside[i].guest &&
		     j->queued.rank.key != FAIR_FOREVER) ||
		    !fair_sched_kept(s, j))
			return false;
		if (j->queued.rank.key != FAIR_FOREVER &&
		    fair_sched_guest_start(s, j, j->queued.rank.key) !=
			    j->queued.rank.key)
			return false;
	}
	return true;
}

static bool fair_sched_guests_counted(const struct fair_sched *s)
{
	struct fair_queue_at at = { 0, 0 };
	uint32_t n = 0, waiting = 0, i;

	for (; fair_queue_narrower(&s->running, &at, INT32_MAX); at.index++)
		n += s->live[fair_queue_slot(&s->running, at)].booking != 0;
	for (i = 0; i < s->asides; i++)
		waiting += s->live[s->aside[i].slot].booking != 0;
	for (i = 0; i < s->insides; i++)
		if (!s->live[s->inside[i]].booking ||
		    s->live[s->inside[i]].state != FAIR_RUNNING)
			return false;
	return n + waiting == s->guests &&
	       (!s->config.bookings || n == s->insides);
}

static bool fair_sched_bookings_good(const struct fair_sched *s)
{
	uint32_t i;

	for (i = 0; i < s->booked; i++)
		if (s->booking[i].to <= s->now ||
		    s->booking[i].from >= s->booking[i].to ||
		    (i && s->booking[i].number <= s->booking[i - 1].number))
			return false;
	return s->booked <= s->config.bookings;
}

FAIRSCHED_API int fair_sched_check(const struct fair_sched *s)
{
	bool promises = fair_sched_promises(&s->config);
	const struct fair_queue *waiting = fair_sched_waiting(s);
	const struct fair_live *first = fair_sched_first_running(s);
	struct fair_queue_at at = { 0, 0 };
	struct fair_backfill plan = s->plan;

	plan.running = &s->running;
	if (promises ? fair_conservative_check(&s->keep)
		     : fair_backfill_check(&plan))
		return 1;
	if (fair_queue_check(&s->running) ||
	    s->jobs != s->running.jobs + waiting->jobs + s->asides ||
	    !fair_sched_aside_found(s) || !fair_sched_arrays_alone(s) ||
	    !fair_sched_bookings_good(s) ||
	    !fair_sched_guests_counted(s) ||
	    s->jobs != s->used - s->spares ||
	    !fair_sched_all_found(s, waiting, FAIR_QUEUED) ||
	    !fair_sched_all_found(s, &s->running, FAIR_RUNNING))
		return 2;
	if (s->busy != fair_sched_in_use(s) || s->busy > s->procs ||
	    (!promises && s->plan.free != s->procs - s->busy) ||
	    (first && first->queued.rank.key < s->now) ||
	    (s->config.policy == FAIR_SFS &&
	     (fair_sfs_check(&s->sfs) || s->sfs.busy != s->busy)) ||
	    (s->config.policy == FAIR_RELSHARE &&
	     fair_relshare_check(&s->relshare)) ||
	    (s->config.order == FAIR_ORDER_USAGE &&
	     fair_usage_check(&s->usage)) ||
	    (s->config.policy == FAIR_MAUI && fair_maui_check(&s->maui)))
		return 3;
	if (promises && !fair_sched_sums(s))
		return 4;
	for (; fair_queue_narrower(waiting, &at, INT32_MAX); at.index++)
		if (!fair_sched_kept(s, s->live + fair_queue_slot(waiting, at)))
			return 5;
	return fair_sched_guests_fit(s) ? 0 : 6;
}

/*
 * THE STATE IMAGE: words of 8 bytes, little-endian.
 *
 *   magic | version | bytes in all | section ... | FNV-1a 64 of what precedes
 *
 *   section: what it is | records | words in a record | the records
 *
 * A later version adds words at the end of a record, or sections: what is not
 * in an image reads as 0. What can be told from the jobs is not in it: the
 * profile, occupancies, orders are made anew, so that they cannot contradict.
 * A hash by FNV-1a tells any two images that differ in one byte: each step is
 * one to one.
 */
#define FAIR_IMAGE_MAGIC UINT64_C(0x6574617473726166) /* "farstate" */
#define FAIR_IMAGE_VERSION 3
#define FAIR_IMAGE_HEADER 3	/* words of the image, and of a section */

enum fair_image_section {
	FAIR_IMAGE_OF_CONFIG = 1,
	FAIR_IMAGE_OF_STATE,
	FAIR_IMAGE_OF_JOBS,	/* running, queued, those set aside */
	FAIR_IMAGE_OF_KEEP,	/* policies that promise */
	FAIR_IMAGE_OF_WALK,	/* those that do not */
	FAIR_IMAGE_OF_HELD,	/* reservations of the walk */
	FAIR_IMAGE_OF_ORDER,	/* numbers: what is left of the walk */
	FAIR_IMAGE_OF_CHOSEN,	/* numbers */
	FAIR_IMAGE_OF_TARGETS,	/* FAIR_SFS */
	FAIR_IMAGE_OF_RELSHARE,
	FAIR_IMAGE_OF_USERS,	/* of FAIR_RELSHARE */
	FAIR_IMAGE_OF_LEDGER,	/* its usage ledger's own image */
	FAIR_IMAGE_OF_USAGE,	/* FAIR_ORDER_USAGE: likewise */
	FAIR_IMAGE_OF_MAUI,
	FAIR_IMAGE_OF_REQUESTS,	/* FAIR_MAUI: of the jobs, in their order */
	FAIR_IMAGE_OF_KINDS,	/* ledgers of users and so on: this and more */
	FAIR_IMAGE_OF_ASIDE = FAIR_IMAGE_OF_KINDS + FAIR_THROTTLE_KINDS,
	FAIR_IMAGE_OF_BOOKINGS
};

/* Reads or writes: one list of fields serves both. */
struct fair_image {
	unsigned char *out;	/* NULL: reads, or counts only */
	const unsigned char *in; /* NULL: writes; the next word */
	const unsigned char *body, *end; /* reads: the sections */
	size_t words;		/* written */
	uint64_t width, left;	/* reads: words in a record; left in this one */
	bool bad;		/* a number is out of its range */
};

static void fair_image_put(unsigned char *p, uint64_t word)
{
	int i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)(word >> 8 * i);
}

static uint64_t fair_image_get(const unsigned char *p)
{
	uint64_t word = 0;
	int i;

	for (i = 0; i < 8; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

static uint64_t fair_image_hash(const unsigned char *p, size_t bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return hash;
}

static void fair_image_u64(struct fair_image *f, uint64_t *x)
{
	if (f->in) {
		*x = f->left ? fair_image_get(f->in) : 0;
		f->in += f->left ? 8 : 0;
		f->left -= f->left ? 1 : 0;
		return;
	}
	if (f->out)
		fair_image_put(f->out + 8 * f->words, *x);
	f->words++;
}

static void fair_image_i64(struct fair_image *f, int64_t *x)
{
	uint64_t word = (uint64_t)*x;

	fair_image_u64(f, &word);
	*x = (int64_t)word;
}

static void fair_image_u32(struct fair_image *f, uint32_t *x)
{
	uint64_t word = *x;

	fair_image_u64(f, &word);
	f->bad |= word > UINT32_MAX;
	*x = (uint32_t)word;
}

/* None is negative. */
static void fair_image_i32(struct fair_image *f, int32_t *x)
{
	uint32_t word = (uint32_t)*x;

	fair_image_u32(f, &word);
	f->bad |= word > INT32_MAX;
	*x = (int32_t)(word & INT32_MAX);
}

static void fair_image_bool(struct fair_image *f, bool *x)
{
	uint32_t word = *x;

	fair_image_u32(f, &word);
	f->bad |= word > 1;
	*x = word != 0;
}

/* Words of the section at @p, its header included. */
static size_t fair_image_extent(const unsigned char *p)
{
	return (size_t)(FAIR_IMAGE_HEADER +
			fair_image_get(p + 8) * fair_image_get(p + 16));
}

/* Begin a section; to read, find it. Returns its records. */
static uint64_t fair_image_section(struct fair_image *f, uint64_t what,
				   uint64_t records, uint64_t width)
{
	const unsigned char *p = f->body;

	if (!f->in) {
		fair_image_u64(f, &what);
		fair_image_u64(f, &records);
		fair_image_u64(f, &width);
		return records;
	}
	while (p < f->end && fair_image_get(p) != what)
		p += 8 * fair_image_extent(p);
	f->left = f->width = 0;
	if (p == f->end)
		return 0;
	f->in = p + 8 * FAIR_IMAGE_HEADER;
	f->width = fair_image_get(p + 16);
	return fair_image_get(p + 8);
}

/* The next record: words of the last one that are not known here are passed. */
static void fair_image_record(struct fair_image *f)
{
	if (!f->in)
		return;
	f->in += 8 * f->left;
	f->left = f->width;
}

static void fair_image_one(struct fair_image *f, uint64_t what, uint64_t width)
{
	f->bad |= fair_image_section(f, what, 1, width) != 1;
	if (!f->bad)
		fair_image_record(f);
}

static void fair_image_config(struct fair_image *f, struct fair_config *c)
{
	fair_image_one(f, FAIR_IMAGE_OF_CONFIG, 17);
	fair_image_u32(f, &c->policy);
	fair_image_u32(f, &c->order);
	fair_image_u32(f, &c->depth);
	fair_image_u32(f, &c->select);
	fair_image_u32(f, &c->metric);
	fair_image_bool(f, &c->longest);
	fair_image_i32(f, &c->procs);
	fair_image_i64(f, &c->origin);
	fair_image_u32(f, &c->jobs);
	fair_image_u32(f, &c->accounts);
	fair_image_u32(f, &c->users);
	fair_image_i64(f, &c->window);
	fair_image_bool(f, &c->only_used);
	fair_image_i64(f, &c->weight);
	fair_image_i64(f, &c->half_life);
	fair_image_u32(f, &c->aside);
	fair_image_u32(f, &c->bookings);
}

static void fair_image_state(struct fair_image *f, struct fair_sched *s)
{
	fair_image_one(f, FAIR_IMAGE_OF_STATE, 6);
	fair_image_i64(f, &s->now);
	fair_image_i32(f, &s->procs);
	fair_image_i32(f, &s->most_procs);
	fair_image_u64(f, &s->digest);
	fair_image_u32(f, &s->starts);
	fair_image_bool(f, &s->stepped);
}

#define FAIR_IMAGE_JOB 22

static void fair_image_job(struct fair_image *f, struct fair_live *j)
{
	uint32_t state = j->state, cause = j->cause;
	uint32_t follow = fair_sched_tasks(j) - 1;

	fair_image_record(f);
	fair_image_u64(f, &j->queued.rank.number);
	fair_image_i64(f, &j->queued.rank.key);
	fair_image_i64(f, &j->queued.walltime);
	fair_image_i32(f, &j->queued.procs);
	fair_image_u32(f, &j->queued.mark);
	fair_image_u64(f, &j->cookie);
	fair_image_i64(f, &j->submit);
	fair_image_i64(f, &j->started);
	fair_image_i64(f, &j->first_promise);
	fair_image_u32(f, &j->user);
	fair_image_u32(f, &j->group);
	fair_image_u32(f, &j->account);
	fair_image_u32(f, &j->queue);
	fair_image_u32(f, &j->qos);
	fair_image_u32(f, &j->moves);
	fair_image_u32(f, &state);
	fair_image_u32(f, &cause);
	fair_image_u32(f, &j->sequence);
	fair_image_bool(f, &j->charged);
	fair_image_i64(f, &j->penalty);
	fair_image_u32(f, &follow);
	fair_image_u64(f, &j->booking);
	f->bad |= state > FAIR_ASIDE || cause > FAIR_CAUSE_BOOKING ||
		  (j->booking && state == FAIR_QUEUED);
	j->state = (uint8_t)state;
	j->cause = (uint8_t)cause;
	if (state != FAIR_RUNNING)
		j->sequence = follow;
}

/* Without `tight`, dc looks at every job once more, and decides the same. */
static void fair_image_keep(struct fair_image *f, struct fair_conservative *c)
{
	struct fair_conservative_walk *w = &c->walk;

	fair_image_one(f, FAIR_IMAGE_OF_KEEP, 10);
	fair_image_i64(f, &c->risen.from);
	fair_image_i64(f, &c->risen.to);
	fair_image_i32(f, &c->risen.most);
	fair_image_i64(f, &c->filled);
	fair_image_u32(f, &w->kind);
	fair_image_i64(f, &w->risen.from);
	fair_image_i64(f, &w->risen.to);
	fair_image_i64(f, &w->risen.longest);
	fair_image_i32(f, &w->risen.most);
}

/* Beside that, the number of the job that a walk goes on at. */
static void fair_image_save_keep(struct fair_image *f, struct fair_sched *s)
{
	struct fair_conservative_walk *w = &s->keep.walk;
	uint64_t number = 0;

	if (w->kind)
		number = s->live[w->next].queued.rank.number;
	else
		w->risen = fair_rise_none();
	fair_image_keep(f, &s->keep);
	fair_image_u64(f, &number);
}

static void fair_image_rank(struct fair_image *f, struct fair_rank *r)
{
	fair_image_i64(f, &r->key);
	fair_image_u64(f, &r->number);
}

static void fair_image_walk(struct fair_image *f, struct fair_backfill *b)
{
	fair_image_one(f, FAIR_IMAGE_OF_WALK, 19);
	fair_image_rank(f, &b->resume);
	fair_image_rank(f, &b->last_reserved);
	fair_image_u32(f, &b->pass);
	fair_image_u32(f, &b->reserved);
	fair_image_i64(f, &b->shadow_time);
	fair_image_i32(f, &b->extra_procs);
	fair_image_i64(f, &b->walked);
	fair_image_bool(f, &b->again);
	fair_image_u32(f, &b->next);
	fair_image_u32(f, &b->ends);
	fair_image_u32(f, &b->left);
	fair_image_u32(f, &b->counted);
	fair_image_bool(f, &b->closed);
	fair_image_u32(f, &b->chosen_next);
	fair_image_u32(f, &b->chosen_end);
	fair_image_u32(f, &b->unsorted);
	fair_image_bool(f, &b->paused);
}

/* Write @n numbers of jobs in slots. */
static void fair_image_numbers(struct fair_image *f, const struct fair_sched *s,
			       const uint32_t *slot, uint32_t n)
{
	for (; n--; slot++)
		fair_image_u64(f, &s->live[*slot].queued.rank.number);
}

/*
 * A walk that begins anew keeps nothing of the last one but reservations; of
 * another, what was looked at is gone. Returns the place of what is left, behind
 * sorted[0 .. left), where jobs are not in groups.
 */
static const uint32_t *fair_image_tidy(struct fair_backfill *b, int64_t now)
{
	const uint32_t *rest = b->sorted + b->left;
	struct fair_group *groups = b->walk.groups, *g;
	uint32_t i;

	if (fair_backfill_begins(b, now)) {
		b->again = true;
		b->next = b->ends = b->left = b->heap = b->unsorted = 0;
		b->chosen_next = b->chosen_end = 0;
	}
	if (b->walk.group) {
		for (b->ends = i = 0; i < b->heap; i++) {
			g = groups + groups[i].heap;
			b->ends += g->ends - g->next;
		}
	} else if (b->next > b->left) {
		rest = b->sorted + b->next;
		b->ends -= b->next - b->left;
		b->next = b->left;
	}
	return rest;
}

/* Only the first group can be empty: the last one is about to take its place. */
static void fair_image_groups(struct fair_image *f, const struct fair_sched *s)
{
	const struct fair_backfill *b = &s->plan;
	const struct fair_group *groups = b->walk.groups, *g;
	uint32_t i, heap = b->heap;

	for (i = 0; i < heap; i++) {
		g = groups + groups[i].heap;
		if (g->next == g->ends)
			g = groups + groups[--heap].heap;
		fair_image_numbers(f, s, b->sorted + g->next,
				   g->ends - g->next);
	}
}

static void fair_image_held(struct fair_image *f, const struct fair_sched *s)
{
	const struct fair_backfill *b = &s->plan;
	uint32_t i, held = b->depth ? b->reserved : 0, gone;
	struct fair_reservation r;
	uint64_t number;

	fair_image_section(f, FAIR_IMAGE_OF_HELD, held, 5);
	for (i = 0; i < held; i++) {
		r = b->held[i];
		gone = r.slot == UINT32_MAX;
		number = gone ? 0 : s->live[r.slot].queued.rank.number;
		if (!b->planned)
			r.start = r.walltime = r.procs = 0;
		fair_image_i64(f, &r.start);
		fair_image_i64(f, &r.walltime);
		fair_image_i32(f, &r.procs);
		fair_image_u32(f, &gone);
		fair_image_u64(f, &number);
	}
}

static void fair_image_save_plan(struct fair_image *f, struct fair_sched *s)
{
	struct fair_backfill *b = &s->plan;
	const uint32_t *rest = fair_image_tidy(b, s->now);

	fair_image_walk(f, b);
	fair_image_held(f, s);
	fair_image_section(f, FAIR_IMAGE_OF_ORDER, b->ends, 1);
	if (b->walk.group) {
		fair_image_groups(f, s);
	} else {
		fair_image_numbers(f, s, b->sorted, b->left);
		fair_image_numbers(f, s, rest, b->ends - b->left);
	}
	fair_image_section(f, FAIR_IMAGE_OF_CHOSEN,
			   b->chosen_end - b->chosen_next, 1);
	fair_image_numbers(f, s, b->chosen + b->chosen_next,
			   b->chosen_end - b->chosen_next);
}

static void fair_image_relshare(struct fair_image *f, struct fair_relshare *r)
{
	int i;

	fair_image_one(f, FAIR_IMAGE_OF_RELSHARE, 7);
	fair_image_i64(f, &r->zero);
	fair_image_i64(f, &r->begin);
	fair_image_i64(f, &r->now);
	fair_image_u32(f, &r->most_share);
	for (i = 0; i < 3; i++)
		fair_image_u64(f, &r->sum.word[i]);
}

static void fair_image_user(struct fair_image *f, struct fair_relshare_user *u)
{
	int i;

	fair_image_record(f);
	for (i = 0; i < 3; i++)
		fair_image_u64(f, &u->base.word[i]);
	fair_image_i64(f, &u->since);
	fair_image_u32(f, &u->share);
	fair_image_bool(f, &u->full);
}

static void fair_image_ledger(struct fair_image *f, uint64_t what,
			      const struct fair_usage *u)
{
	size_t bytes = fair_usage_image_size(u);

	fair_image_section(f, what, 1, bytes / 8);
	if (f->out)
		fair_sched_must(
			fair_usage_save(u, f->out + 8 * f->words, bytes));
	f->words += bytes / 8;
}

static void fair_image_save_relshare(struct fair_image *f, struct fair_sched *s)
{
	const struct fair_relshare *r = &s->relshare;
	uint32_t i;

	fair_image_relshare(f, &s->relshare);
	fair_image_section(f, FAIR_IMAGE_OF_USERS, r->config.users, 6);
	for (i = 0; i < r->config.users; i++) {
		struct fair_relshare_user u = r->user[i];

		fair_image_user(f, &u);
	}
	fair_image_ledger(f, FAIR_IMAGE_OF_LEDGER, &r->usage);
}

static void fair_image_maui(struct fair_image *f, struct fair_maui *m)
{
	int kind;

	fair_image_one(f, FAIR_IMAGE_OF_MAUI, 3 + FAIR_THROTTLE_KINDS);
	fair_image_i64(f, &m->zero);
	fair_image_i64(f, &m->now);
	fair_image_u32(f, &m->config->usage);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		fair_image_u32(f, &m->config->count[kind]);
}

static void fair_image_request(struct fair_image *f,
			       struct fair_maui_request *r,
			       struct fair_maui_job *j)
{
	fair_image_record(f);
	fair_image_i32(f, &r->nodes);
	fair_image_i64(f, &r->memory);
	fair_image_i64(f, &r->swap);
	fair_image_i64(f, &r->disk);
	fair_image_i64(f, &r->rate);
	fair_image_i64(f, &j->bypassed);
	fair_image_i64(f, &j->priority);
}

static void fair_image_save_request(struct fair_image *f,
				    const struct fair_maui *m, uint32_t slot)
{
	struct fair_maui_request r = fair_maui_asks(m, slot);
	struct fair_maui_job j = m->job[slot];

	fair_image_request(f, &r, &j);
}

static void fair_image_save_requests(struct fair_image *f,
				     const struct fair_maui *m,
				     const struct fair_queue *q)
{
	struct fair_queue_at at = { 0, 0 };

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++)
		fair_image_save_request(f, m, fair_queue_slot(q, at));
}

static void fair_image_save_maui(struct fair_image *f, struct fair_sched *s)
{
	struct fair_maui *m = &s->maui;
	uint32_t i;
	int kind;

	fair_image_maui(f, m);
	fair_image_section(f, FAIR_IMAGE_OF_REQUESTS, s->jobs, 7);
	fair_image_save_requests(f, m, &s->running);
	fair_image_save_requests(f, m, &s->plan.queue);
	for (i = 0; i < s->asides; i++)
		fair_image_save_request(f, m, s->aside[i].slot);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (fair_maui_ledger_size(m->config, kind))
			fair_image_ledger(
				f, FAIR_IMAGE_OF_KINDS + (uint64_t)kind,
				&m->usage[kind]);
}

static void fair_image_save_jobs(struct fair_image *f,
				 const struct fair_sched *s,
				 const struct fair_queue *q)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_live j;

	for (; fair_queue_narrower(q, &at, INT32_MAX); at.index++) {
		j = s->live[fair_queue_slot(q, at)];
		fair_image_job(f, &j);
	}
}

static void fair_image_aside(struct fair_image *f, uint64_t *number,
			     struct fair_aside *a)
{
	fair_image_record(f);
	fair_image_u64(f, number);
	fair_image_i64(f, &a->until.begin);
	fair_image_u64(f, &a->until.after);
	fair_image_u32(f, &a->until.end);
	fair_image_bool(f, &a->until.held);
	fair_image_bool(f, &a->fresh);
	f->bad |= a->until.end > FAIR_AFTER_NEVER;
}

/* The jobs, then what they wait for. */
static void fair_image_save_aside(struct fair_image *f,
				  const struct fair_sched *s)
{
	struct fair_aside a;
	struct fair_live j;
	uint64_t number;
	uint32_t i;

	for (i = 0; i < s->asides; i++) {
		j = s->live[s->aside[i].slot];
		fair_image_job(f, &j);
	}
	fair_image_section(f, FAIR_IMAGE_OF_ASIDE, s->asides, 6);
	for (i = 0; i < s->asides; i++) {
		a = s->aside[i];
		number = s->live[a.slot].queued.rank.number;
		fair_image_aside(f, &number, &a);
	}
}

static void fair_image_booking(struct fair_image *f, struct fair_booking *b)
{
	fair_image_record(f);
	fair_image_u64(f, &b->number);
	fair_image_i64(f, &b->from);
	fair_image_i64(f, &b->to);
	fair_image_i32(f, &b->procs);
	fair_image_u32(f, &b->kind);
	fair_image_u32(f, &b->user);
}

static void fair_image_save_bookings(struct fair_image *f,
				     const struct fair_sched *s)
{
	struct fair_booking b;
	uint32_t i;

	fair_image_section(f, FAIR_IMAGE_OF_BOOKINGS, s->booked, 6);
	for (i = 0; i < s->booked; i++) {
		b = s->booking[i];
		fair_image_booking(f, &b);
	}
}

/* Words written; @out may be NULL. */
static size_t fair_image_write(const struct fair_sched *s, unsigned char *out)
{
	struct fair_sched x = *s;	/* all but the arrays */
	struct fair_image f;
	uint64_t word[FAIR_IMAGE_HEADER] = { FAIR_IMAGE_MAGIC,
					     FAIR_IMAGE_VERSION, 0 };
	uint32_t i;

	FAIR_MEMSET(&f, 0, sizeof(f));
	f.out = out;
	for (i = 0; i < FAIR_IMAGE_HEADER; i++)
		fair_image_u64(&f, word + i);
	fair_image_config(&f, &x.config);
	fair_image_state(&f, &x);
	fair_image_section(&f, FAIR_IMAGE_OF_JOBS, s->jobs, FAIR_IMAGE_JOB);
	fair_image_save_jobs(&f, s, &s->running);
	fair_image_save_jobs(&f, s, fair_sched_waiting(s));
	fair_image_save_aside(&f, s);
	fair_image_save_bookings(&f, s);
	if (fair_sched_promises(&s->config))
		fair_image_save_keep(&f, &x);
	else
		fair_image_save_plan(&f, &x);
	if (s->config.policy == FAIR_SFS)
		fair_image_section(&f, FAIR_IMAGE_OF_TARGETS,
				   s->config.accounts, 1);
	for (i = 0; s->config.policy == FAIR_SFS && i < s->config.accounts; i++)
		fair_image_i64(&f, &x.sfs.account[i].target);
	if (s->config.policy == FAIR_RELSHARE)
		fair_image_save_relshare(&f, &x);
	if (s->config.order == FAIR_ORDER_USAGE)
		fair_image_ledger(&f, FAIR_IMAGE_OF_USAGE, &s->usage);
	if (s->config.policy == FAIR_MAUI)
		fair_image_save_maui(&f, &x);
	if (out) {
		fair_image_put(out + 16, 8 * (f.words + 1));
		fair_image_put(out + 8 * f.words,
			       fair_image_hash(out, 8 * f.words));
	}
	return f.words + 1;
}

FAIRSCHED_API size_t fair_sched_image_size(const struct fair_sched *s)
{
	return 8 * fair_image_write(s, NULL);
}

FAIRSCHED_API int fair_sched_save(const struct fair_sched *s, void *image,
				  size_t bytes)
{
	if (!image)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_image_size(s))
		return -FAIR_ENOSPC;
	fair_image_write(s, (unsigned char *)image);
	return 0;
}

FAIRSCHED_API const char *fair_image_strerror(int damage)
{
	switch (damage) {
	case 0:
		return "no damage";
	case FAIR_IMAGE_CUT:
		return "the image is torn: it is not as long as it says";
	case FAIR_IMAGE_FOREIGN:
		return "this is no image of a scheduler";
	case FAIR_IMAGE_LATER:
		return "the image is of a later version";
	case FAIR_IMAGE_CHECKSUM:
		return "the image was changed since it was saved";
	case FAIR_IMAGE_BROKEN:
		return "no scheduler can be as the image says";
	case FAIR_IMAGE_CONFIG:
		return "the image is of a scheduler of another config";
	default:
		return "unknown damage";
	}
}

/* The sections fill the image. */
static bool fair_image_filled(const struct fair_image *f)
{
	const unsigned char *p = f->body;
	uint64_t records, width, room;

	while (p < f->end) {
		room = (uint64_t)(f->end - p) / 8;
		if (room < FAIR_IMAGE_HEADER)
			return false;
		records = fair_image_get(p + 8);
		width = fair_image_get(p + 16);
		if (!width || records > (room - FAIR_IMAGE_HEADER) / width)
			return false;
		p += 8 * fair_image_extent(p);
	}
	return true;
}

static int fair_image_open(struct fair_image *f, const void *image,
			   size_t bytes)
{
	const unsigned char *p = (const unsigned char *)image;
	uint64_t version;

	if (bytes < 8)
		return FAIR_IMAGE_CUT;
	if (fair_image_get(p) != FAIR_IMAGE_MAGIC)
		return FAIR_IMAGE_FOREIGN;
	if (bytes < 8 * (FAIR_IMAGE_HEADER + 1))
		return FAIR_IMAGE_CUT;
	version = fair_image_get(p + 8);
	if (version < 1 || version > FAIR_IMAGE_VERSION)
		return FAIR_IMAGE_LATER;
	if (fair_image_get(p + 16) != bytes || bytes % 8)
		return FAIR_IMAGE_CUT;
	FAIR_MEMSET(f, 0, sizeof(*f));
	f->in = f->body = p + 8 * FAIR_IMAGE_HEADER;
	f->end = p + bytes - 8;
	if (fair_image_get(f->end) != fair_image_hash(p, bytes - 8))
		return FAIR_IMAGE_CHECKSUM;
	return fair_image_filled(f) ? 0 : FAIR_IMAGE_BROKEN;
}

/*
 * Of the image, and the caller's: the same but for the room for jobs and
 * bookings, and what no image has. Without bookings there may be no profile.
 */
static bool fair_image_same(const struct fair_config *a,
			    const struct fair_config *b)
{
	return a->policy == b->policy && a->order == b->order &&
	       a->depth == b->depth && a->select == b->select &&
	       a->metric == b->metric && a->longest == b->longest &&
	       a->procs == b->procs && a->origin == b->origin &&
	       a->accounts == b->accounts && a->users == b->users &&
	       a->window == b->window && a->only_used == b->only_used &&
	       a->weight == b->weight && a->half_life == b->half_life &&
	       (b->bookings || !a->bookings || fair_sched_promises(a));
}

static int fair_image_read_config(struct fair_image *f,
				  struct fair_config *config)
{
	struct fair_maui_config anything = fair_maui_defaults();
	bool valid;

	FAIR_MEMSET(config, 0, sizeof(*config));
	fair_image_config(f, config);
	config->maui = &anything;
	valid = !f->bad && fair_sched_valid(config);
	config->maui = NULL;
	return valid ? 0 : FAIR_IMAGE_BROKEN;
}

/* 0 or an error; @damage hears why. */
static int fair_image_refuse(int error, int *damage)
{
	if (damage)
		*damage = error > 0 ? error : 0;
	return error > 0 ? -FAIR_EINVAL : error;
}

FAIRSCHED_API int fair_sched_image_config(const void *image, size_t bytes,
					  struct fair_config *config,
					  int *damage)
{
	struct fair_config c;
	struct fair_image f;
	int error = image && config ? fair_image_open(&f, image, bytes)
				    : -FAIR_EINVAL;

	if (!error)
		error = fair_image_read_config(&f, &c);
	if (!error)
		*config = c;
	return fair_image_refuse(error, damage);
}

/* It is now, with as many processors as there were, all of them free. */
static int fair_sched_load_state(struct fair_sched *s, struct fair_image *f)
{
	int32_t procs = s->procs, delta;

	fair_image_state(f, s);
	delta = s->procs - procs;
	if (f->bad || s->most_procs < s->procs || s->most_procs < procs ||
	    s->now < s->config.origin || s->now > FAIR_TIME_MAX)
		return FAIR_IMAGE_BROKEN;
	if (fair_sched_promises(&s->config))
		fair_sched_must(fair_profile_advance(&s->keep.profile, s->now));
	else if (s->plan.planned)
		fair_sched_must(fair_profile_advance(&s->plan.profile, s->now));
	if (delta < 0)
		fair_sched_must(fair_sched_lose(s, -delta));
	else if (delta)
		fair_sched_give_back(s, FAIR_FOREVER, delta);
	if (s->config.policy == FAIR_RELSHARE &&
	    fair_relshare_capacity(&s->relshare, s->now, s->procs))
		return FAIR_IMAGE_BROKEN;
	return 0;
}

static bool fair_sched_load_running(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	struct fair_profile *p = NULL;
	int64_t left;

	j->queued.mark = 0;
	if (j->started > s->now || j->started < -FAIR_TIME_MAX ||
	    j->queued.rank.key < s->now || j->queued.rank.key <= j->started ||
	    j->queued.rank.key > 2 * FAIR_TIME_MAX ||
	    j->queued.procs > s->procs - s->busy)
		return false;
	left = j->queued.rank.key - s->now;
	if (fair_sched_promises(&s->config))
		p = &s->keep.profile;
	else if (s->plan.planned)
		p = &s->plan.profile;
	if (p && left && fair_profile_reserve(p, s->now, left, j->queued.procs))
		return false;
	s->busy += j->queued.procs;
	fair_sched_go_in(s, slot);
	if (!fair_sched_promises(&s->config))
		s->plan.free -= j->queued.procs;
	if (s->config.policy == FAIR_SFS)
		fair_sched_must(fair_sfs_start(&s->sfs, j->account,
					       j->queued.procs));
	return !fair_queue_insert(&s->running, slot);
}

static bool fair_sched_load_queued(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;

	j->queued.mark &= FAIR_MARK_REFUSED;
	s->refused += j->queued.mark;
	if (fair_sched_promises(&s->config))
		return fair_sched_kept(s, j) &&
		       !fair_conservative_restore(&s->keep, s->now, slot,
						  fair_sched_priority(s, j));
	j->queued.rank.key = fair_sched_priority(s, j);
	return !fair_queue_insert(&s->plan.queue, slot);
}

static bool fair_sched_load_job(struct fair_sched *s,
				const struct fair_live *from)
{
	bool keyed = s->config.order == FAIR_ORDER_KEY &&
		     from->state == FAIR_QUEUED &&
		     !fair_sched_promises(&s->config);
	struct fair_job job;
	uint32_t slot;

	FAIR_MEMSET(&job, 0, sizeof(job));
	job.number = from->queued.rank.number;
	job.submit = from->submit;
	job.walltime = from->queued.walltime;
	job.procs = from->queued.procs;
	job.user = from->user;
	job.account = from->account;
	job.penalty = from->penalty;
	job.booking = from->booking;
	if (fair_sched_find(s, job.number) || job.submit > s->now ||
	    !fair_sched_takes(s, &job) ||
	    fair_sched_acceptable(s, job.procs, job.walltime) ||
	    (from->queued.rank.key < -FAIR_TIME_MAX && !keyed) ||
	    job.number > UINT64_MAX - (fair_sched_tasks(from) - 1) ||
	    (from->charged && (s->config.order != FAIR_ORDER_USAGE ||
			       from->state != FAIR_RUNNING)))
		return false;
	slot = fair_sched_slot(s, fair_sched_add(s, &job));
	s->live[slot] = *from;
	s->arrays += fair_sched_tasks(from) > 1;
	if (from->state == FAIR_ASIDE)
		return fair_sched_kept(s, from);
	return from->state == FAIR_RUNNING ? fair_sched_load_running(s, slot)
					   : fair_sched_load_queued(s, slot);
}

/* It waits for its booking, and is to start at @start. */
static void fair_sched_load_guest(struct fair_sched *s, struct fair_live *j,
				  int64_t start)
{
	struct fair_aside *a =
		s->aside + fair_sched_aside(s, j->queued.rank.number);

	a->guest = true;
	a->told = j->queued.rank.key = start;
	j->queued.mark &= FAIR_MARK_REFUSED;
}

/* What those of the jobs wait for that are neither queued nor running. */
static int fair_sched_load_aside(struct fair_sched *s, struct fair_image *f)
{
	uint64_t n = fair_image_section(f, FAIR_IMAGE_OF_ASIDE, 0, 0), number;
	struct fair_aside a;
	struct fair_live *j;
	int64_t key;

	if (n > fair_sched_most_aside(&s->config))
		return -FAIR_ENOSPC;
	for (FAIR_MEMSET(&a, 0, sizeof(a)); n--;) {
		number = 0;
		fair_image_aside(f, &number, &a);
		j = fair_sched_find(s, number);
		if (f->bad || !j || j->state != FAIR_ASIDE ||
		    fair_sched_aside(s, number) < s->asides)
			return FAIR_IMAGE_BROKEN;
		key = j->queued.rank.key;
		fair_sched_put_aside(s, j, &a.until, a.fresh);
		if (j->booking && fair_sched_eligible(s, &a.until))
			fair_sched_load_guest(s, j, key);
		else
			j->queued.mark = 0;
	}
	return s->jobs == s->running.jobs + fair_sched_waiting(s)->jobs +
				  s->asides &&
			       fair_sched_arrays_alone(s) &&
			       fair_sched_guests_fit(s)
		       ? 0
		       : FAIR_IMAGE_BROKEN;
}

/* Nobody waits yet. */
static int fair_sched_load_bookings(struct fair_sched *s,
				    const struct fair_image *image)
{
	struct fair_profile *p = fair_sched_promises(&s->config)
					 ? &s->keep.profile
					 : &s->plan.profile;
	struct fair_image f = *image;
	uint64_t n = fair_image_section(&f, FAIR_IMAGE_OF_BOOKINGS, 0, 0);
	struct fair_booking b;
	int64_t from;

	if (n > s->config.bookings)
		return -FAIR_ENOSPC;
	for (FAIR_MEMSET(&b, 0, sizeof(b)); n--;) {
		fair_image_booking(&f, &b);
		if (f.bad || fair_sched_bookable(s, s->now, &b) ||
		    (s->booked && b.number <= s->booking[s->booked - 1].number))
			return FAIR_IMAGE_BROKEN;
		s->booking[s->booked++] = b;
		from = b.from > s->now ? b.from : s->now;
		fair_sched_level(s, p, from, b.to);
	}
	return 0;
}

static int fair_sched_load_jobs(struct fair_sched *s, struct fair_image *f)
{
	uint64_t n = fair_image_section(f, FAIR_IMAGE_OF_JOBS, 0, 0);
	bool running = true;
	struct fair_live j;
	int error = 0;

	if (n > s->config.jobs)
		return -FAIR_ENOSPC;
	for (FAIR_MEMSET(&j, 0, sizeof(j)); n-- && !error;) {
		fair_image_job(f, &j);
		if (running && j.state != FAIR_RUNNING && !f->bad) {
			running = false;
			error = fair_sched_load_bookings(s, f);
		}
		/* Bookings and limits take those that run to come first. */
		f->bad |= !running && j.state == FAIR_RUNNING;
		if (!error && (f->bad || !fair_sched_load_job(s, &j)))
			error = FAIR_IMAGE_BROKEN;
	}
	return running && !error ? fair_sched_load_bookings(s, f) : error;
}

/* The slot of a queued job, read by its number. */
static uint32_t fair_sched_load_slot(const struct fair_sched *s,
				     struct fair_image *f)
{
	const struct fair_live *j;
	uint64_t number = 0;

	fair_image_u64(f, &number);
	j = fair_sched_find(s, number);
	f->bad |= !j || j->state != FAIR_QUEUED;
	return f->bad ? 0 : fair_sched_slot(s, j);
}

/* What of a reservation is not past stands in the profile. */
static bool fair_sched_load_reserved(struct fair_backfill *b, int64_t now,
				     const struct fair_reservation *r)
{
	int64_t start = r->start < now ? now : r->start, end;

	if (r->start < -FAIR_TIME_MAX || r->start > 2 * FAIR_TIME_MAX ||
	    r->walltime < 1 || r->walltime > FAIR_WALLTIME_MAX || r->procs < 1)
		return false;
	end = r->start + r->walltime;
	return start >= end ||
	       !fair_profile_reserve(&b->profile, start, end - start, r->procs);
}

static void fair_sched_load_held(struct fair_sched *s, struct fair_image *f)
{
	struct fair_backfill *b = &s->plan;
	uint64_t n = fair_image_section(f, FAIR_IMAGE_OF_HELD, 0, 0);
	struct fair_reservation r = { 0, 0, 0, 0 };
	uint32_t gone = 0, i;

	f->bad |= n != (b->depth ? b->reserved : 0) ||
		  b->reserved > (b->depth ? b->depth : 1);
	for (i = 0; i < n && !f->bad; i++) {
		fair_image_record(f);
		fair_image_i64(f, &r.start);
		fair_image_i64(f, &r.walltime);
		fair_image_i32(f, &r.procs);
		fair_image_u32(f, &gone);
		f->bad |= gone && !b->again;
		r.slot = gone ? UINT32_MAX : fair_sched_load_slot(s, f);
		if (!gone)
			s->live[r.slot].queued.mark |= FAIR_MARK_RESERVED;
		if (b->planned && b->depth == 1 && !r.walltime && !gone) {
			/* of a scheduler that planned by the shadow time */
			r.start = b->shadow_time;
			r.walltime = s->live[r.slot].queued.walltime;
			r.procs = s->live[r.slot].queued.procs;
		}
		b->held[i] = r;
		f->bad |= b->planned && (r.walltime || !gone) &&
			  !fair_sched_load_reserved(b, s->now, &r);
	}
}

/* No job twice. */
static void fair_sched_load_slots(struct fair_sched *s, struct fair_image *f,
				  uint32_t *slot, uint32_t n)
{
	const uint32_t seen = UINT32_C(1) << 31;
	uint32_t i;

	for (i = 0; i < n && !f->bad; i++) {
		fair_image_record(f);
		slot[i] = fair_sched_load_slot(s, f);
		f->bad |= (s->live[slot[i]].queued.mark & seen) != 0;
		s->live[slot[i]].queued.mark |= seen;
	}
	for (i = 0; i < n && !f->bad; i++)
		s->live[slot[i]].queued.mark &= ~seen;
}

/* They are left, and all fit in. */
static void fair_sched_load_chosen(struct fair_sched *s, struct fair_image *f)
{
	struct fair_backfill *b = &s->plan;
	const struct fair_queued *j;
	uint32_t i, k;

	f->bad |= fair_image_section(f, FAIR_IMAGE_OF_CHOSEN, 0, 0) !=
		  b->chosen_end - b->chosen_next;
	fair_sched_load_slots(s, f, b->chosen + b->chosen_next,
			      b->chosen_end - b->chosen_next);
	for (i = b->chosen_next; i < b->chosen_end && !f->bad; i++) {
		j = &s->live[b->chosen[i]].queued;
		for (k = 0; k < b->left && b->sorted[k] != b->chosen[i]; k++)
			;
		f->bad |= k == b->left ||
			  fair_profile_reserve(&b->profile, s->now,
					       j->walltime, j->procs);
	}
	while (i-- > b->chosen_next && !f->bad) {
		j = &s->live[b->chosen[i]].queued;
		fair_sched_must(fair_profile_release(
			&b->profile, s->now, j->walltime, j->procs));
	}
}

/* The jobs that are left, by groups in the order of the heap. */
static void fair_sched_load_groups(struct fair_sched *s, struct fair_image *f)
{
	struct fair_backfill *b = &s->plan;
	struct fair_group *groups = b->walk.groups, *g = NULL;
	uint32_t i, group;

	b->sift = true;
	for (i = 0; i < s->config.users; i++)
		groups[i].ends = 0;
	for (i = 0; i < b->ends && !f->bad; i++) {
		group = b->walk.group(s, b->sorted[i]);
		if (g != groups + group) {
			g = groups + group;
			f->bad |= g->ends != 0;
			g->next = i;
			groups[b->heap++].heap = group;
		}
		g->ends = i + 1;
	}
}

static void fair_sched_load_keep(struct fair_sched *s, struct fair_image *f)
{
	struct fair_conservative_walk *w = &s->keep.walk;

	fair_image_keep(f, &s->keep);
	f->bad |= w->kind > FAIR_CONSERVATIVE_START ||
		  w->risen.from < -FAIR_TIME_MAX;
	if (!w->kind)
		return;
	w->next = fair_sched_load_slot(s, f);
	/* Beside those of dc, starts wait for jobs without reservation only. */
	f->bad |= w->kind == FAIR_CONSERVATIVE_START &&
		  s->config.policy != FAIR_DC &&
		  s->live[w->next].queued.rank.key != FAIR_FOREVER;
}

/* A step is over when each job was looked at: under fcfs, the first. */
static bool fair_sched_half_stepped(const struct fair_sched *s)
{
	const struct fair_backfill *b = &s->plan;
	const struct fair_live *j;

	if (b->depth || !b->queue.jobs)
		return b->again;
	j = fair_sched_find(s, b->last_reserved.number);
	return b->again || !b->reserved || !j || j->state != FAIR_QUEUED;
}

static void fair_sched_load_walk(struct fair_sched *s, struct fair_image *f)
{
	struct fair_backfill *b = &s->plan;

	fair_image_walk(f, b);
	f->bad |= b->next > b->ends || b->left > b->ends ||
		  b->ends > (b->sorts ? b->queue.jobs : 0) ||
		  (b->unsorted && (b->next || b->left || b->walk.group ||
				   b->unsorted >= b->ends + b->ends / 2)) ||
		  b->chosen_next > b->chosen_end ||
		  b->chosen_end > FAIR_GREEDY_JOBS ||
		  (!b->again && b->walked > s->now) ||
		  b->pass > b->walk.passes + b->fill.passes + 1;
	if (f->bad)
		return;
	f->bad |= fair_image_section(f, FAIR_IMAGE_OF_ORDER, 0, 0) != b->ends;
	fair_sched_load_slots(s, f, b->sorted, b->ends);
	if (b->walk.group)
		fair_sched_load_groups(s, f);
	if (!f->bad)
		fair_sched_load_held(s, f);
	if (!f->bad)
		fair_sched_load_chosen(s, f);
	f->bad |= s->stepped && fair_sched_half_stepped(s);
}

static void fair_sched_load_targets(struct fair_sched *s, struct fair_image *f)
{
	int64_t target = 0;
	uint32_t i;

	f->bad |= fair_image_section(f, FAIR_IMAGE_OF_TARGETS, 0, 0) !=
		  s->config.accounts;
	for (i = 0; !f->bad && i < s->config.accounts; i++) {
		fair_image_record(f);
		fair_image_i64(f, &target);
		f->bad |= fair_sfs_set_target(&s->sfs, i, target) != 0;
	}
}

/* Its users' jobs are those of @s. */
static void fair_sched_load_requests(struct fair_sched *s, uint32_t user_jobs)
{
	struct fair_relshare *r = &s->relshare;
	uint32_t i;

	for (i = 0; i < user_jobs; i++) {
		const struct fair_live *live = s->live + i;
		struct fair_relshare_job *j = r->job + i;
		struct fair_relshare_user *u = r->user + live->user;

		if (live->state == FAIR_ASIDE)
			continue;
		j->end = live->queued.rank.key;
		j->procs = live->queued.procs;
		j->user = live->user;
		j->at = r->live;
		j->running = live->state == FAIR_RUNNING;
		r->list[r->live++] = i;
		u->request += j->procs;
		if (!j->running)
			continue;
		r->busy += j->procs;
		u->busy += j->procs;
		u->due += fair_relshare_until(r, j->procs, j->end);
	}
	for (i = 0; i < s->config.users; i++) {
		struct fair_relshare_user *u = r->user + i;
		uint32_t at;

		if (!u->request)
			continue;
		at = fair_relshare_place(r, i);
		FAIR_MEMMOVE(r->order + at + 1, r->order + at,
			     (r->active++ - at) * sizeof(*r->order));
		r->order[at] = i;
		fair_relshare_count(r, u, 1);
	}
}

/* Of the same rule, in the memory that it has; its one source is 0. */
static bool fair_image_load_ledger(struct fair_image *f, uint64_t what,
				   int64_t now, struct fair_usage *u)
{
	size_t bytes = fair_usage_size(u->entities, u->depth, u->sources_max);
	struct fair_usage x;

	if (fair_image_section(f, what, 0, 0) != 1 ||
	    fair_usage_load_size(f->in, 8 * (size_t)f->width) != bytes ||
	    fair_usage_load(&x, sizeof(x), u->row, bytes, f->in,
			    8 * (size_t)f->width, NULL) ||
	    x.entities != u->entities || x.depth != u->depth ||
	    x.length != u->length || x.decay != u->decay ||
	    x.source[0].id || x.latest > now)
		return false;
	*u = x;
	return true;
}

static void fair_sched_load_relshare(struct fair_sched *s, struct fair_image *f)
{
	struct fair_relshare *r = &s->relshare;
	uint32_t i;

	fair_image_relshare(f, r);
	f->bad |= r->now > s->now || r->begin > r->now || r->zero > r->begin ||
		  r->zero < INT64_MIN / 2 ||
		  r->begin != fair_relshare_window(r, r->now) ||
		  r->zero != fair_relshare_window(r, r->zero) ||
		  fair_image_section(f, FAIR_IMAGE_OF_USERS, 0, 0) !=
			  s->config.users;
	for (i = 0; !f->bad && i < s->config.users; i++) {
		struct fair_relshare_user *u = r->user + i;

		fair_image_user(f, u);
		f->bad |= u->since < r->zero || u->since > r->now ||
			  u->share > r->most_share;
	}
	f->bad |= r->most_share > FAIR_RELSHARE_SHARES;
	if (f->bad)
		return;
	fair_sched_load_requests(s, s->used);
	f->bad |= fair_relshare_check(r) ||
		  !fair_image_load_ledger(f, FAIR_IMAGE_OF_LEDGER,
					  r->now - r->zero, &r->usage);
}

/*
 * Limits were kept when it started, whatever its planned end is by now: when the
 * last of those that run had started, each had a second or more left.
 */
static bool fair_sched_load_request(struct fair_sched *s, struct fair_image *f,
				    uint32_t slot)
{
	struct fair_maui *m = &s->maui;
	struct fair_maui_request r;
	struct fair_job_status j;
	struct fair_maui_job more;

	FAIR_MEMSET(m->job + slot, 0, sizeof(*m->job));
	FAIR_MEMSET(&more, 0, sizeof(more));
	fair_sched_describe(s, s->live + slot, &j);
	j.job.walltime = 1;
	r = fair_sched_maui_request(&j.job);
	fair_image_request(f, &r, &more);
	if (f->bad || more.bypassed < 0 || more.bypassed > INT64_MAX / 2 ||
	    fair_maui_submit(m, slot, &r))
		return false;
	m->job[slot].bypassed = more.bypassed;
	m->job[slot].priority = more.priority;
	if (j.state != FAIR_RUNNING)
		return true;
	return !fair_sched_start_maui(s, slot, s->now + 1);
}

static void fair_sched_load_maui(struct fair_sched *s, struct fair_image *f)
{
	struct fair_maui *m = &s->maui;
	struct fair_maui_config was = *m->config;
	uint32_t i;
	int kind;

	fair_image_maui(f, m);
	f->bad |= m->now > s->now || m->zero > m->now ||
		  m->zero < -FAIR_MAUI_TIME || m->now < -FAIR_TIME_MAX ||
		  m->zero % was.interval != 0 || was.usage != m->config->usage ||
		  fair_image_section(f, FAIR_IMAGE_OF_REQUESTS, 0, 0) !=
			  s->jobs;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		f->bad |= was.count[kind] != m->config->count[kind];
	for (i = 0; i < s->used && !f->bad; i++)
		f->bad |= !fair_sched_load_request(s, f, i);
	/* No running job ends before now, see fair_sched_load_running(). */
	for (i = 0; i < s->running.jobs && !f->bad; i++)
		fair_sched_must(fair_maui_move(m, i, s->now + 1,
					       s->live[i].queued.rank.key));
	for (kind = 0; kind < FAIR_THROTTLE_KINDS && !f->bad; kind++)
		if (fair_maui_ledger_size(&was, kind))
			f->bad |= !fair_image_load_ledger(
				f, FAIR_IMAGE_OF_KINDS + (uint64_t)kind,
				m->now - m->zero, &m->usage[kind]);
	if (!f->bad)
		fair_maui_look(m);
}

/* Into an idle scheduler. */
static int fair_sched_load_into(struct fair_sched *s, struct fair_image *f)
{
	int error = fair_sched_load_state(s, f);

	if (!error)
		error = fair_sched_load_jobs(s, f);
	if (!error)
		error = fair_sched_load_aside(s, f);
	if (error)
		return error;
	if (fair_sched_promises(&s->config))
		fair_sched_load_keep(s, f);
	else
		fair_sched_load_walk(s, f);
	s->bounded = true;
	s->bounded = fair_sched_unfinished(s);
	if (s->config.policy == FAIR_SFS && !f->bad)
		fair_sched_load_targets(s, f);
	if (s->config.policy == FAIR_RELSHARE && !f->bad)
		fair_sched_load_relshare(s, f);
	if (s->config.order == FAIR_ORDER_USAGE && !f->bad)
		f->bad |= !fair_image_load_ledger(
			f, FAIR_IMAGE_OF_USAGE, s->now - s->config.origin,
			&s->usage);
	if (s->config.policy == FAIR_MAUI && !f->bad)
		fair_sched_load_maui(s, f);
	return f->bad ? FAIR_IMAGE_BROKEN : 0;
}

FAIRSCHED_API int fair_sched_load(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config,
				  const void *image, size_t image_bytes,
				  int *damage)
{
	struct fair_config c, was;
	struct fair_image f;
	struct fair_sched x;
	int error;

	if (!s || !image || !fair_sched_valid(config))
		return fair_image_refuse(-FAIR_EINVAL, damage);
	error = fair_image_open(&f, image, image_bytes);
	if (!error)
		error = fair_image_read_config(&f, &was);
	if (!error && !fair_image_same(&was, config))
		error = FAIR_IMAGE_CONFIG;
	if (error)
		return fair_image_refuse(error, damage);
	c = *config;
	c.target = NULL;
	c.share = NULL;
	error = fair_sched_init(&x, struct_size, memory, bytes, &c);
	if (!error)
		error = fair_sched_load_into(&x, &f);
	if (!error)
		*s = x;
	return fair_image_refuse(error, damage);
}

#ifdef __cplusplus
}
#endif
#endif /* FAIRSCHED_IMPLEMENTED */

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
