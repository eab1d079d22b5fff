/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairsched.h - which parallel job starts when, and fairly
 *
 * In ONE file:  #define FAIRSCHED_IMPLEMENTATION
 *               #include "fairsched.h"
 *
 *   submit(job) -------+                           +-> start(job)
 *   finish(job) -------+-> struct fair_sched ------+-> promised(job, t, cause)
 *   cancel(job) -------+   order, gate, plan       +-> next(): call step() then
 *   modify(job) -------+
 *   capacity(n) -------+
 *   advance_reserve() -+   step(now): what starts now?
 *
 * THE FAMILY (each is its own manual, and compiles alone with what it includes)
 *   profile.h                 free processors over time
 *   machine.h, nodes.h        resources of several classes, or nodes, over time
 *   quotas.h                  what the jobs of a user ... hold over time
 *   queue.h                   waiting jobs in order
 *   checkpoint.h              state as bytes that any machine can load
 *   policies/backfill.h       plan afresh: fcfs, easy, reservation depth N
 *   policies/conservative.h   keep promises: conservative, pc, dc
 *   policies/sfs.h            simultaneous fair-share: accounts by occupancy
 *   policies/maui.h           Maui: priority.h, throttle.h and usage.h together
 *   usage.h                   decayed usage ledger
 *   policies/relshare.h       relative share, entitlement
 *   policies/fairtree.h       who is next in a tree of accounts: Fair Tree
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
 * ONE INSTANT. Report all events of one second, then call step(): first
 * completions in the order in which the jobs started, then cancel, modify and
 * capacity, then arrivals. Each event takes effect when it is reported; another
 * order is allowed, and may lead to other decisions. Call step() again at
 * fair_sched_next() at the latest. Time never goes back.
 *
 * POLICIES. Two tables of operations connect a policy to the scheduler: a
 * planner says which job starts when; ledgers, which job goes first and from
 * when on it may run. docs/POLICY.md writes both.
 *
 * PROMISES. Under FAIR_CONSERVATIVE, FAIR_PC and FAIR_DC each queued job holds
 * a reservation. Its start is promised: the guaranteed start time of the
 * literature. A promise moves later only for a named cause: lost capacity, a
 * job that overruns, or an act of the caller (a refused start, modify, defer,
 * requeue, an advance reservation, a step that came too late). Each job keeps
 * its turn, the least start that it was promised: no job is delayed by one with
 * a later turn. A job that overruns is planned to end 1, 2, 4 ... s later.
 *
 * ADVANCE RESERVATIONS. fair_sched_advance_reserve() withholds processors from
 * the queue over a future interval, for maintenance or for a user. Under every
 * policy no queued job is planned or started into it. A promise that needs
 * these processors is replaced by a later one, with a named cause, unless the
 * caller asks for a refusal instead. fair_sched_advance_conflicts() names the
 * running jobs that hold them.
 *
 * RESERVATION JOBS. A job with the number of an advance reservation of kind
 * FAIR_ADVANCE_USER is bound to it: under every policy it runs on its
 * processors and within its interval. Until it starts it is not queued and
 * delays no other job. It has a promise under every policy: the begin of the
 * advance reservation, or the earliest time at which the reservation jobs
 * planned before it leave room; FAIR_FOREVER if there is none. Reservation jobs
 * whose start has come start before all other jobs, by number, whatever the
 * limits of FAIR_MAUI. Their promises move earlier when jobs end early. They
 * move later when the advance reservation has fewer processors, is changed, is
 * withdrawn or is over (FAIR_CAUSE_ADVANCE): to FAIR_FOREVER, until one of that
 * number is made again. A job that runs past the end of its advance reservation
 * overruns as any other. A change of an advance reservation to which n jobs are
 * bound costs O(n^3) at most.
 *
 * REFUSED STARTS. fair_sched_refuse() takes back a start until the next second,
 * and fair_sched_refuse_until() until a time, or until fair_sched_retry();
 * config.fits() can refuse one so before it is made. The job is queued again at
 * its old place. It does not start before that time, and no promise of it is
 * earlier; it keeps this through a checkpoint. With a promise it keeps its turn
 * for config.patience seconds, and waits 1, 2, 4 ... of them unless a time was
 * named; then, or without a time, it goes behind all other promises. The next
 * step reacts: fair_sched_next() is the present second. A planner that plans
 * afresh decides anew what is open in this second, and gives the job a
 * reservation from that time on; under fcfs no job passes it. The start is
 * tried again when the promise is due, or without promises from that time on at
 * each step(), which fair_sched_next() names: a caller is asked once for each
 * time that it named. Forecasts and explanations assume no other refusal.
 *
 * ARRAYS. The waiting tasks of an array are one job, with the number of its
 * next task; fair_job.tasks is how many there are. When that task starts, it
 * becomes a job of its own, and the next task arrives with the same time of
 * submission: an array has one promise at a time. Cancel, modify and defer
 * apply to all waiting tasks. While config.jobs jobs are live there is no slot
 * for the task after it: then the next task is ineligible and has no promise
 * (FAIR_CAUSE_NO_SLOT), unless it is the last one, until a job ends. A
 * checkpoint that is loaded into a larger table has slots again.
 *
 * SEVERAL RESOURCES. With config.machine, jobs ask for amounts of up to 8
 * resources, and name the node classes (64 at most) that may serve them:
 *
 *   static const int32_t amount[] = { 4, 0, 4, 1 }; // procs, GPUs: of a, b
 *   static const struct fair_machine_config machine = { 2, 2, 0, amount };
 *   static const int32_t gpu[] = { 0, 1 };          // resource 0 is job.procs
 *   static const uint8_t b_then_a[] = { 1, 0 };
 *
 *   config.procs = 8;                               // of all classes
 *   config.machine = &machine;
 *   ...
 *   job.amount = gpu;
 *   job.classes = b_then_a;
 *   job.class_count = 2;
 *
 * A job starts in one class, in which all that it asks for is free for its
 * whole walltime: the class with the earliest start, of equal ones the first in
 * its order. Every policy plans so; orders, occupancies and usage count
 * processors, but with config.billing occupancies and usage count costs, and
 * FAIR_ORDER_DOMINANT goes by each user's largest share of a resource. Backfill
 * windows are those of one class after the other. What a policy promises, it
 * promises for all resources; decisions and promises name the class.
 * fair_sched_class_capacity() changes what a class has. An advance reservation
 * withholds amounts of one class; the jobs bound to it run in that class. A
 * planner of one's own takes several resources if it has a space. One resource
 * in one class decides as one pool does. See machine.h.
 *
 * NODES. With config.nodes, jobs are planned on nodes, and advance reservations
 * withhold whole nodes: see sched/on_nodes.h. LIMITS: see sched/on_limits.h.
 *
 * USERS AND IDS. Without config.ids, users, accounts and so on are numbers
 * below config.users, config.accounts ... With it, they are any numbers of 64
 * bits: fair_sched_add_entity() tells of one, also in a running scheduler,
 * while there is room. Shares, targets, limits, usage and the half-life can be
 * changed at any time; fair_sched_credit() takes usage back and keeps a record
 * with the caller's reason. A checkpoint loads into a scheduler with more room.
 * Functions of ledgers (sched/policy.h) see the index of an entity as its id.
 *
 * BOUNDED STEPS. fair_sched_scan_limit() limits how many queued jobs one call
 * scans when it compresses the plan or walks through the queue; what is left
 * goes on in fair_sched_resume() and step():
 *
 *   fair_sched_scan_limit(&sched, 1000);
 *   fair_sched_finish(&sched, now, number);
 *   while (fair_sched_resume(&sched))
 *           serve();                          // yours: others are waiting
 *   do {
 *           fair_sched_step(&sched, now, start, 8, &n);
 *           ...                               // run those that start; serve()
 *   } while (n == 8 || fair_sched_is_unfinished(&sched));
 *
 * Keep the same @now until it is done, however late it is. Jobs that were not
 * scanned keep their promises, and the decisions do not depend on the limit.
 * Any other event first does all the work that is left; a planner that plans
 * afresh drops the plan of an unfinished step instead, and the next step plans
 * again. Clones and loaded checkpoints go on with the work, without a limit.
 *
 * Under FAIR_PC, of one resource in one class, the work after an event may take
 * minutes if tens of thousands of jobs wait. So another event does not wait: it
 * takes effect in the plan as it is, and then the compression goes on, by the
 * same rule: the first job by priority that has an earlier start moves, until
 * none has. Decisions then depend on the limits and on when resume() was
 * called. No job starts before the work is done.
 *
 * Jobs that lost capacity, a longer job or a refused start displaces get new
 * promises within the limit; meanwhile they are FAIR_DISPLACED.
 *
 * Not limited, because it must not wait: submit under FAIR_DC; the new promises
 * of overruns and late steps, or beside reservation jobs. Nor is what is short:
 * O(queued jobs) copied for a walk that sorts or groups, read by a search for
 * the largest expansion factor, and compared under FAIR_MAUI at each start, or
 * sorted there if idle jobs are limited; a selection by backfill windows, as
 * all of FAIR_MAUI are; the work of an order by users for each user.
 *
 * CHECKPOINTS. fair_sched_save() writes the state as bytes; fair_sched_load()
 * goes on from them, also on a machine of the other byte order; the format must
 * be the same. To replace a checkpoint file: write another, fsync, rename.
 *
 * UNITS       seconds (int64_t), intervals half-open; processors (int32_t)
 * ERRORS      0 or -FAIR_E...; an error changes nothing, unless said otherwise.
 *             fair_strerror() prints each. -FAIR_ETIME: @now is before the last
 *             event. -FAIR_ENOENT: there is no live job, advance reservation,
 *             user ... of this number; of an array, the number of the next task
 *             is live. -FAIR_EINVAL: any other bad argument, as @now > 2^60
 * MEMORY      the caller's; struct fair_sched may be moved by memcpy
 * THREADS     const calls may run concurrently
 * COMPLEXITY  at each function
 * DEFINES     FAIRSCHED_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS  I1 those of the planner
 *             I2 each live job is found by its number and is exactly one of
 *                queued, running, ineligible; ineligible jobs and advance
 *                reservations are ordered by number; no other job has the
 *                number of a waiting task; advance reservations end after now
 *             I3 the processors of running jobs are counted and are at most
 *                those of the machine, and no planned end has passed
 *             I4 promises: at all times the free processors, the reserved ones
 *                and those of running jobs and advance reservations are all
 *                processors of the machine; the same of each resource of each
 *                class
 *             I5 a job is promised no later start than at first, unless a cause
 *                is on record
 *             I6 the promise of a reservation job was reported, satisfies I5,
 *                and has its processors in the advance reservation
 * SOURCES     docs/SOURCES.md
 */
#ifndef FAIRSCHED_H
#define FAIRSCHED_H

#include "sched/parts.h"

#ifndef FAIRSCHED_WITHOUT_PROFILE
#ifndef FAIR_PROFILE_H
#include "profile.h"
#endif
#ifndef FAIR_SPACE_H
#include "space.h"
#endif
#endif /* FAIRSCHED_WITHOUT_PROFILE */
#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
#ifndef FAIR_CHECKPOINT_H
#include "checkpoint.h"
#endif
#else /* FAIRSCHED_WITHOUT_CHECKPOINT */
struct fair_checkpoint;
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
#ifndef FAIR_BACKFILL_H
#include "policies/backfill.h"
#endif
#ifndef FAIRSCHED_WITHOUT_CONSERVATIVE
#ifndef FAIR_CONSERVATIVE_H
#include "policies/conservative.h"
#endif
#endif /* FAIRSCHED_WITHOUT_CONSERVATIVE */
#ifndef FAIRSCHED_WITHOUT_SFS
#ifndef FAIR_SFS_H
#include "policies/sfs.h"
#endif
#endif /* FAIRSCHED_WITHOUT_SFS */
#ifndef FAIRSCHED_WITHOUT_USAGE
#ifndef FAIR_USAGE_H
#include "usage.h"
#endif
#endif /* FAIRSCHED_WITHOUT_USAGE */
#ifndef FAIRSCHED_WITHOUT_RELSHARE
#ifndef FAIR_RELSHARE_H
#include "policies/relshare.h"
#endif
#endif /* FAIRSCHED_WITHOUT_RELSHARE */
#ifndef FAIRSCHED_WITHOUT_TREE
#ifndef FAIR_FAIRTREE_H
#include "policies/fairtree.h"
#endif
#endif /* FAIRSCHED_WITHOUT_TREE */
#ifndef FAIRSCHED_WITHOUT_PENALTY
#ifndef FAIR_PENALTY_H
#include "policies/penalty.h"
#endif
#else /* FAIRSCHED_WITHOUT_PENALTY */
#define FAIR_PENALTY_ONE ((int64_t)1 << 20)
#endif /* FAIRSCHED_WITHOUT_PENALTY */
#ifndef FAIRSCHED_WITHOUT_FAIRNESS
#ifndef FAIR_FAIRNESS_H
#include "policies/fairness.h"
#endif
#endif /* FAIRSCHED_WITHOUT_FAIRNESS */
#ifndef FAIRSCHED_WITHOUT_THROTTLE
#ifndef FAIR_THROTTLE_H
#include "policies/throttle.h"
#endif
#endif /* FAIRSCHED_WITHOUT_THROTTLE */
#ifndef FAIRSCHED_WITHOUT_MAUI
#ifndef FAIR_MAUI_H
#include "policies/maui.h"
#endif
#endif /* FAIRSCHED_WITHOUT_MAUI */

#ifndef FAIRSCHED_API
#define FAIRSCHED_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

#include "sched/types.h"
#include "sched/answers.h"
#include "sched/on_nodes.h"
#include "sched/host.h"
#include "sched/on_limits.h"
#include "sched/on_tree.h"
#include "sched/version.h"

/** fair_version() - "1.0.0". */
FAIRSCHED_API const char *fair_version(void);

/** fair_strerror() - an error in English; @error may be negative. */
FAIRSCHED_API const char *fair_strerror(int error);

/** fair_sched_struct_size() - sizeof(struct fair_sched), for bindings. */
FAIRSCHED_API size_t fair_sched_struct_size(void);

/**
 * fair_sched_config_error() - what is wrong with a configuration.
 *
 * Return: NULL if init takes it, which alone reads targets, shares and limits;
 * else which field contradicts which, in English.
 */
FAIRSCHED_API const char *
fair_sched_config_error(const struct fair_config *config);

/**
 * fair_sched_size() - bytes for a scheduler with this configuration.
 *
 * Return: 0 if @config is not valid or too large: fair_sched_config_error().
 */
FAIRSCHED_API size_t fair_sched_size(const struct fair_config *config);

/**
 * fair_sched_init() - begin with an idle machine and an empty queue.
 * @struct_size: sizeof(struct fair_sched) as the caller compiled it
 * @memory:      fair_sched_size() bytes of any alignment, for as long as @s
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes is too small.
 */
FAIRSCHED_API int fair_sched_init(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config);

/**
 * fair_sched_submit() - a job arrives.
 *
 * Policies that promise give it a reservation at once. A job that is wider than
 * the machine at present, but not than it ever was, waits for capacity.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL (a field, a number of a live job, or an
 * advance reservation that is not FAIR_ADVANCE_USER); -FAIR_ENOENT (an advance
 * reservation, user or account that does not exist, or a group, queue or QoS of
 * FAIR_MAUI); -FAIR_ERANGE if the job is wider than the machine ever was or
 * than its advance reservation, or may not run in the class of that, or if a
 * limit forbids it even on an idle machine, see fair_sched_find_limit(), or no
 * class has all of it, see fair_machine_closest(); -FAIR_ENOSPC if config.jobs
 * jobs are live; -FAIR_EOVERFLOW if the walltime is longer than 2^34 s, than
 * the rest of its advance reservation, or than the horizon: at least 68 years.
 * Complexity: see the policy; for an array, or while one waits, O(live jobs)
 * more.
 */
FAIRSCHED_API int fair_sched_submit(struct fair_sched *s, int64_t now,
				    const struct fair_job *job);

/**
 * fair_sched_submit_ineligible() - a job arrives that cannot start yet.
 * @condition: what it waits for; NULL: nothing
 *
 * Until the condition holds, the job is ineligible: it has no reservation, and
 * delays no other job. Then it is queued as if it arrived, with its own time of
 * submission.
 *
 * If the dependency can never be satisfied, since the other job ended
 * otherwise, the job stays ineligible: fair_job_status.waits says so.
 *
 * Return: as fair_sched_submit(); -FAIR_ENOENT also if the job that it depends
 * on is neither live nor a task, whichever, of an array that waits;
 * -FAIR_ENOSPC also if config.ineligible jobs are ineligible.
 */
FAIRSCHED_API int
fair_sched_submit_ineligible(struct fair_sched *s, int64_t now,
			     const struct fair_job *job,
			     const struct fair_eligibility *condition);

/**
 * fair_sched_submit_dependent() - a job arrives that waits for several others.
 * @condition: as for fair_sched_submit_ineligible(), beside the list
 * @list:      its dependencies; NULL: none. Copied
 *
 * The list may name jobs that have ended. If they satisfy it, and @condition
 * holds, the job is queued at once.
 *
 * Return: as fair_sched_submit_ineligible(); -FAIR_ENOENT also if a job of the
 * list is none of these, nor named with how it ended; -FAIR_ENOSPC also if
 * there are more than config.dependencies.
 */
FAIRSCHED_API int
fair_sched_submit_dependent(struct fair_sched *s, int64_t now,
			    const struct fair_job *job,
			    const struct fair_eligibility *condition,
			    const struct fair_dependencies *list);

/**
 * fair_sched_depend() - change what a queued or ineligible job waits for.
 * @condition, @list: replace its condition and its dependencies; NULL: none
 * @cycle: out, may be NULL: on -FAIR_EINVAL the jobs that would wait for each
 *         other, this one first; untouched if it is refused for another reason
 *
 * As fair_sched_defer(). A dependency on the start of a job is satisfied when
 * step() starts it; a start that is refused afterwards changes that no more.
 *
 * Return: as fair_sched_defer(), and -FAIR_ENOENT, -FAIR_ENOSPC as for
 * fair_sched_submit_dependent().
 * Complexity: O(dependencies of ineligible jobs * ineligible jobs), and the
 * policy's reaction.
 */
FAIRSCHED_API int fair_sched_depend(struct fair_sched *s, int64_t now,
				    uint64_t number,
				    const struct fair_eligibility *condition,
				    const struct fair_dependencies *list,
				    struct fair_cycle *cycle);

/**
 * fair_sched_dependency() - what an ineligible job waits for: dependency @i.
 * @dependency: out: FAIR_AFTER_NEVER_SATISFIED if its job ended otherwise
 *
 * Those that are satisfied are forgotten, also all others of a list joined by
 * OR.
 *
 * Return: false if there are no more than @i, or no such job.
 */
FAIRSCHED_API bool fair_sched_dependency(const struct fair_sched *s,
					 uint64_t number, uint32_t i,
					 struct fair_dependency *dependency);

/**
 * fair_sched_defer() - change what a queued or ineligible job waits for.
 * @condition: replaces its condition; NULL: none, release the job
 *
 * A queued job that has to wait loses its reservation, to which the policy
 * reacts as to a cancelled job, and its promise moves to FAIR_FOREVER. The
 * record of its promises stays.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT if it, or the job that it depends on, is
 * not live; -FAIR_EINVAL if it runs or would wait for itself, by way of others;
 * -FAIR_ENOSPC. Complexity: O(config.ineligible) for each job on that way, and
 * the policy's reaction.
 */
FAIRSCHED_API int fair_sched_defer(struct fair_sched *s, int64_t now,
				   uint64_t number,
				   const struct fair_eligibility *condition);

/**
 * fair_sched_requeue() - a running job was stopped, and is queued again.
 *
 * As if it finished, the policy reacted, and it was then queued with its number
 * and its time of submission. At the second of its start use
 * fair_sched_refuse(). It begins again: a job that was suspended or resized
 * asks for its whole walltime, with its present size; fair_sched_modify() gives
 * it other processors.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it does not run, or
 * started at @now; what fair_sched_modify() returns if its whole walltime is
 * too long or FAIR_MAUI forbids it: cancel it.
 */
FAIRSCHED_API int fair_sched_requeue(struct fair_sched *s, int64_t now,
				     uint64_t number);

/**
 * fair_sched_suspend() - a running job is stopped, and goes on later.
 *
 * It returns its processors as if it finished, and the policy reacts; it uses
 * nothing, and is ineligible until fair_sched_resume_job(), with the rest of
 * its walltime, until its planned end. Its promise moves to FAIR_FOREVER. The
 * caller chooses the job; fair_sched_cancel() ends it.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it does not run;
 * -FAIR_ENOSPC if config.ineligible jobs are ineligible; what
 * fair_sched_modify() returns if FAIR_MAUI forbids the rest of an overrun.
 */
FAIRSCHED_API int fair_sched_suspend(struct fair_sched *s, int64_t now,
				     uint64_t number);

/**
 * fair_sched_resume_job() - a suspended job arrives again.
 *
 * With the rest of its walltime, its time of submission, and so its place in
 * the order; a condition that it got by fair_sched_defer() meanwhile holds on.
 * No promise of another job moves later. When step() starts it, it goes on.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it is not suspended.
 */
FAIRSCHED_API int fair_sched_resume_job(struct fair_sched *s, int64_t now,
					uint64_t number);

/**
 * fair_sched_resize() - a running job shrinks or grows, until its planned end.
 * @size: as fair_sched_lookup() returns it, with other @procs, @amount,
 *        @chunks, @penalty, @nodes, @memory, @swap, @disk or @rate, which are
 *        read
 *
 * The policy reacts to what it returns as to a job that ended early. It gets
 * more only if nothing else holds that until its planned end: no running job,
 * advance reservation or promise; in its class, if it is bound in its advance
 * reservation. Usage is charged exactly: from @now on it counts as a job of the
 * new size that has just started, with the rest of the walltime, after @ran
 * seconds.
 *
 * On nodes its chunks stay where they are, as large as @size says. If it has
 * fewer, those on the nodes with the highest numbers go. More go first to nodes
 * that it has and are up, by number, then to others.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL, also if it does not run,
 * or its chunks would not be equal; -FAIR_ERANGE if what it is to have more is
 * not free, or a limit forbids it; -FAIR_ENOSPC beyond
 * config.nodes->parts: then time may have passed nevertheless.
 * Complexity: without promises O(running jobs), with advance reservations
 * O(steps * (advance reservations + running jobs)); what grows in a node class
 * costs a reservation of each queued job.
 */
FAIRSCHED_API int fair_sched_resize(struct fair_sched *s, int64_t now,
				    uint64_t number,
				    const struct fair_job *size);

/**
 * fair_sched_finish() - a running job has ended.
 *
 * If it ends before its planned end, the policy reacts at once: compression.
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it does not run.
 */
FAIRSCHED_API int fair_sched_finish(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_exit() - a running job has ended with an exit status.
 * @status: 0 satisfies FAIR_AFTER_OK, another one FAIR_AFTER_NOT_OK
 * fair_sched_finish() is this with 0. Return: as fair_sched_finish().
 */
FAIRSCHED_API int fair_sched_exit(struct fair_sched *s, int64_t now,
				  uint64_t number, int32_t status);

/**
 * fair_sched_cancel() - a job is withdrawn; a running one ends.
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_cancel(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_modify() - change a job's processors and walltime.
 * @procs: must not change for a running job
 *
 * A queued job keeps its place in an order by submission, and gets a new
 * promise. A running job that gets shorter gives the rest back; one that gets
 * longer delays promises as an overrun does; one whose new walltime has passed
 * overruns.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL; -FAIR_ERANGE;
 * -FAIR_EOVERFLOW as for submit.
 */
FAIRSCHED_API int fair_sched_modify(struct fair_sched *s, int64_t now,
				    uint64_t number, int32_t procs,
				    int64_t walltime);

/**
 * fair_sched_capacity() - the machine gains or loses processors.
 * @delta:  processors, not 0
 * @victim: the @victims running jobs that end with a loss
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT if a victim is not live; -FAIR_EINVAL if
 * one does not run or is named twice, or with config.machine: see
 * fair_sched_class_capacity(); -FAIR_ERANGE if more processors are lost than
 * are free after the victims ended; -FAIR_EOVERFLOW if there would be too many,
 * also under FAIR_RELSHARE if a window of all processors would be above 2^59
 * processor-seconds.
 */
FAIRSCHED_API int fair_sched_capacity(struct fair_sched *s, int64_t now,
				      int32_t delta, const uint64_t *victim,
				      size_t victims);

/**
 * fair_sched_class_capacity() - a node class gains or loses some of a resource.
 * @node_class: number; any one for a wide resource
 * @resource:   number
 * @delta, @victim, @victims: as for fair_sched_capacity()
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT if a victim is not live; -FAIR_EINVAL as
 * for fair_sched_capacity(), without config.machine, or if there is no such
 * class or resource; -FAIR_ERANGE if more is lost than is free after the
 * victims ended, or if the class was configured without the resource;
 * -FAIR_EOVERFLOW as for fair_sched_capacity().
 */
FAIRSCHED_API int fair_sched_class_capacity(struct fair_sched *s, int64_t now,
					    uint32_t node_class,
					    uint32_t resource, int32_t delta,
					    const uint64_t *victim,
					    size_t victims);

/**
 * fair_sched_add_entity() - a user, group, account, QoS or queue joins.
 * @kind: enum fair_entity_kind
 * @id:   any number but FAIR_NO_ENTITY
 *
 * It has used nothing, and the settings of its index: the next one, or that of
 * an entity that was removed, with default settings.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also if it exists, or without
 * config.ids; -FAIR_ENOSPC: a checkpoint loads into a larger scheduler.
 * Complexity: O(1).
 */
FAIRSCHED_API int fair_sched_add_entity(struct fair_sched *s, int64_t now,
					uint32_t kind, uint64_t id);

/**
 * fair_sched_remove_entity() - it leaves, and its place is free.
 *
 * Time passes even if it is refused. Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also
 * if it has a live job or usage, or without config.ids; -FAIR_ENOENT.
 * Complexity: O(live jobs).
 */
FAIRSCHED_API int fair_sched_remove_entity(struct fair_sched *s, int64_t now,
					   uint32_t kind, uint64_t id);

/**
 * fair_sched_set_share() - its share, from @now on.
 * @share: FAIR_RELSHARE: 0 to FAIR_RELSHARE_SHARES; FAIR_SFS: the target of an
 *         account, processors
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also if the policy keeps no shares of
 * this kind; -FAIR_ENOENT. Complexity: as fair_relshare_share(), or O(1).
 */
FAIRSCHED_API int fair_sched_set_share(struct fair_sched *s, int64_t now,
				       uint32_t kind, uint64_t id,
				       int64_t share);

/**
 * fair_sched_set_usage() - set what it has used.
 * @usage: processor-seconds
 *
 * Running jobs are charged as before. Of these calls, time passes also in those
 * that return an error of a ledger. Under FAIR_ORDER_DOMINANT processor-seconds
 * are told; set or credited, they stand for the same share of each resource.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also if the policy charges no usage to
 * this kind, or above 0 with config.decays; -FAIR_ENOENT; -FAIR_EOVERFLOW:
 * 2^59, under FAIR_MAUI and FAIR_RELSHARE what a window holds.
 * Complexity: O(1), under FAIR_MAUI O(credentials).
 */
FAIRSCHED_API int fair_sched_set_usage(struct fair_sched *s, int64_t now,
				       uint32_t kind, uint64_t id,
				       uint64_t usage);

/**
 * fair_sched_credit() - take usage back, e.g. that of a job lost by a node.
 * @amount: processor-seconds; at most what it has used is taken
 * @reason: the caller's own number, which is recorded
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL, always with config.decays, and
 * -FAIR_ENOENT for the same reasons. Complexity: the same.
 */
FAIRSCHED_API int fair_sched_credit(struct fair_sched *s, int64_t now,
				    uint32_t kind, uint64_t id, uint64_t amount,
				    uint32_t reason);

/** fair_sched_get_credit() - of the last config.credits; @i 0: the latest. */
FAIRSCHED_API bool fair_sched_get_credit(const struct fair_sched *s, uint32_t i,
					 struct fair_credit *credit);

/**
 * fair_sched_reset_usage() - all entities have used nothing.
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL: @now. Complexity: O(entities).
 */
FAIRSCHED_API int fair_sched_reset_usage(struct fair_sched *s, int64_t now);

/**
 * fair_sched_set_half_life() - FAIR_ORDER_USAGE, FAIR_ORDER_DOMINANT,
 * FAIR_ORDER_TREE: usage decays otherwise.
 * @half_life: seconds, as config.half_life; 0: it does not decay
 *
 * Each user keeps its usage of @now. Return: 0; -FAIR_ETIME; -FAIR_EINVAL.
 * Complexity: O(users); of a tree see fair_fairtree_set_half_life().
 */
FAIRSCHED_API int fair_sched_set_half_life(struct fair_sched *s, int64_t now,
					   int64_t half_life);

/**
 * fair_sched_set_window() - FAIR_RELSHARE, FAIR_MAUI: other windows from @now.
 * @window: seconds, as config.window or the interval of config.maui
 * @decay:  FAIR_MAUI: as in config.maui; else 0
 * What all have used, and under FAIR_RELSHARE were entitled to, until @now
 * counts in the new window that @now is in. For another number of windows
 * convert. Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also under another policy;
 * -FAIR_EOVERFLOW: see fair_relshare_set_window(), fair_maui_set_window().
 */
FAIRSCHED_API int fair_sched_set_window(struct fair_sched *s, int64_t now,
					int64_t window, uint64_t decay);

#ifndef FAIRSCHED_WITHOUT_MAUI
/**
 * fair_sched_set_credential() - FAIR_MAUI: priority, target and limits.
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL; -FAIR_ENOENT. O(credentials).
 */
FAIRSCHED_API int
fair_sched_set_credential(struct fair_sched *s, int64_t now, uint32_t kind,
			  uint64_t id,
			  const struct fair_maui_credential *credential);
#endif /* FAIRSCHED_WITHOUT_MAUI */

/**
 * fair_sched_get_entity() - what is known of a user, account ...
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOENT, also if no ledger keeps it.
 */
FAIRSCHED_API int fair_sched_get_entity(const struct fair_sched *s,
					uint32_t kind, uint64_t id,
					struct fair_entity *entity);

/** fair_sched_each_entity() - each, by index; @at is 0 at first; or false. */
FAIRSCHED_API bool fair_sched_each_entity(const struct fair_sched *s,
					  uint32_t kind, uint32_t *at,
					  struct fair_entity *entity);

/**
 * fair_sched_reprioritize() - the caller's order of a queued job has changed:
 * config.key() is asked again, and so is config.compare().
 *
 * No reservation moves at once. Return: 0; -FAIR_ETIME; -FAIR_ENOENT;
 * -FAIR_EINVAL if it is not queued, or without FAIR_ORDER_KEY and
 * FAIR_ORDER_COMPARE. Complexity: as to modify it.
 */
FAIRSCHED_API int fair_sched_reprioritize(struct fair_sched *s, int64_t now,
					  uint64_t number);

/**
 * fair_sched_replan() - react as if a job had ended early: FAIR_PC and FAIR_DC
 * by the order of now. Passing time, other shares and credits move no promise.
 * What a veto of config.ledger forbids now is planned again, by turn.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL. Complexity: a compression.
 */
FAIRSCHED_API int fair_sched_replan(struct fair_sched *s, int64_t now);

/**
 * fair_sched_reassign() - a job that waits belongs to another user, group,
 * account, QoS or queue.
 * @ids: its @user, @group, @account, @qos and @queue are read
 *
 * Its promise stays, but with config.limits it is placed again; call
 * reprioritize() if the key changed. Under FAIR_MAUI no job bypassed it then.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL, also if it runs; -FAIR_ENOENT (the job,
 * a user ...); -FAIR_ERANGE: a limit forbids it. Complexity: as to modify it.
 */
FAIRSCHED_API int fair_sched_reassign(struct fair_sched *s, int64_t now,
				      uint64_t number,
				      const struct fair_job *ids);

/**
 * fair_sched_set_penalty() - the charge of a job that waits has changed.
 * @penalty: as in struct fair_job; its start is charged by it [MR 3.4]
 *
 * No promise moves; call reprioritize() if the key changed. Return: 0;
 * -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL, also if it runs. Complexity: O(1).
 */
FAIRSCHED_API int fair_sched_set_penalty(struct fair_sched *s, int64_t now,
					 uint64_t number, int64_t penalty);

/**
 * fair_sched_split_task() - one waiting task of an array becomes a job of its
 * own, which can be cancelled, modified, deferred and so on by its number.
 * @number: of the task
 *
 * The tasks before and behind it stay arrays. All but the first part arrive
 * now, with the same time of submission and a promise of their own.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it is a job of its own;
 * -FAIR_ENOSPC: an array counts as two jobs. Complexity: two submits.
 */
FAIRSCHED_API int fair_sched_split_task(struct fair_sched *s, int64_t now,
					uint64_t number);

/**
 * fair_sched_limit_tasks() - of an array, at most @most tasks run at once.
 * @number: of its next task, which waits
 * @most:   0: any number; those that run already do not count
 *
 * The next waits as one without a slot. A conversion has no such limits.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it is no array;
 * -FAIR_ENOSPC: config.task_limits. Complexity: O(live jobs), as each later
 * start and end of a task.
 */
FAIRSCHED_API int fair_sched_limit_tasks(struct fair_sched *s, int64_t now,
					 uint64_t number, uint32_t most);

#ifndef FAIRSCHED_WITHOUT_ADVANCES
/**
 * fair_sched_advance_reserve() - make or change an advance reservation.
 * @advance: replaces the live one with the same number, if there is one
 * @force:   even if it breaks promises, or running jobs hold its processors
 *
 * No queued job is planned or started into it. The promises that it breaks are
 * made again, with FAIR_CAUSE_CAPACITY. The policy reacts at once to the
 * processors that it gives up.
 *
 * Return: 0; -FAIR_ETIME, also if it would be over at @now; -FAIR_EINVAL;
 * -FAIR_ENOSPC if there are config.advances; -FAIR_EOVERFLOW if it ends beyond
 * the horizon; -FAIR_ERANGE if it is wider than the machine ever was, or asks
 * for more than its class ever had, or if without @force there is too little:
 * then the time has advanced nevertheless.
 * Complexity: a release and a reservation for each queued job, and
 * O(steps * (advance reservations + running jobs)) for the steps of each
 * profile within its interval.
 */
FAIRSCHED_API int fair_sched_advance_reserve(struct fair_sched *s, int64_t now,
					     const struct fair_advance *advance,
					     bool force);

/**
 * fair_sched_advance_cancel() - withdraw an advance reservation; the policy
 * reacts at once.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_advance_cancel(struct fair_sched *s, int64_t now,
					    uint64_t number);

/**
 * fair_sched_advance_get() - the live advance reservation at place @i, by
 * number, until its end has passed. Return: false if there are no more than @i.
 */
FAIRSCHED_API bool fair_sched_advance_get(const struct fair_sched *s,
					  uint32_t i,
					  struct fair_advance *advance);

/**
 * fair_sched_advance_conflicts() - iterate over the running jobs that hold the
 * processors of an advance reservation.
 * @advance: live or not
 * @at:      { 0, 0 } at first; any change of the scheduler ends the iteration
 *
 * If at some second it has too little beside running jobs and other advance
 * reservations: each running job that is planned to end after its first second
 * and holds what it withholds, except those bound to it, by planned end.
 *
 * Return: false at the end. Complexity: O(advance reservations * (advance
 * reservations + running jobs)).
 */
FAIRSCHED_API bool
fair_sched_advance_conflicts(const struct fair_sched *s,
			     const struct fair_advance *advance,
			     struct fair_queue_place *at,
			     struct fair_job_status *status);
#endif /* FAIRSCHED_WITHOUT_ADVANCES */

/**
 * fair_sched_step() - which jobs start now?
 * @start: out: up to @room jobs, in the policy's order
 * @n:     out: how many. Call again if that is @room, or if
 *         fair_sched_is_unfinished(): more may start. The decisions do not
 *         depend on @room
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_step(struct fair_sched *s, int64_t now,
				  struct fair_decision *start, size_t room,
				  size_t *n);

/**
 * fair_sched_scan_limit() - let each call scan at most @scans queued jobs.
 * @scans: 0: any number, as after init
 *
 * See BOUNDED STEPS. Where a walk sorts the queue, finding one job's place
 * there (O(log n) comparisons), or its priority under FAIR_MAUI, is a scan too.
 */
FAIRSCHED_API void fair_sched_scan_limit(struct fair_sched *s, uint64_t scans);

/** fair_sched_is_unfinished() - whether the scan limit left work undone. */
FAIRSCHED_API bool fair_sched_is_unfinished(const struct fair_sched *s);

/**
 * fair_sched_resume() - go on with the policy's reaction to the last event.
 *
 * No job starts and no time passes: another event of this second may follow.
 * Return: true if more of it is left.
 */
FAIRSCHED_API bool fair_sched_resume(struct fair_sched *s);

/**
 * fair_sched_next() - when to call step() if no event happens before.
 *
 * Return: now, if work is unfinished; else the earliest promised start, planned
 * end, end of a veto or of an advance reservation for which queued jobs may
 * wait, or begin time of a job that waits for nothing else, and now if that has
 * passed; FAIR_FOREVER: never.
 * Under FAIR_MAUI, while jobs are queued, also what fair_maui_next() returns:
 * for its timer, its caps and its limits on idle jobs.
 */
FAIRSCHED_API int64_t fair_sched_next(const struct fair_sched *s);

/**
 * fair_sched_pass_time() - it is @now, and no other event is known.
 *
 * No job starts. Jobs whose planned end is @now or earlier overrun.
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL.
 */
FAIRSCHED_API int fair_sched_pass_time(struct fair_sched *s, int64_t now);

#ifndef FAIRSCHED_WITHOUT_MAUI
/**
 * fair_sched_priority_parts() - a queued job's priority now, by config.maui.
 * @parts: out: its components
 *
 * Return: 0; -FAIR_ENOENT; -FAIR_EINVAL under another policy, or if the job is
 * not queued.
 */
FAIRSCHED_API int fair_sched_priority_parts(const struct fair_sched *s,
					    uint64_t number,
					    struct fair_priority_parts *parts);
#endif /* FAIRSCHED_WITHOUT_MAUI */

/** fair_sched_lookup() - a live job. Return: 0; -FAIR_ENOENT; -FAIR_EINVAL. */
FAIRSCHED_API int fair_sched_lookup(const struct fair_sched *s, uint64_t number,
				    struct fair_job_status *status);

/**
 * fair_sched_each() - iterate over the jobs of one enum fair_state.
 * @at: { 0, 0 } at first; any change of the scheduler ends the iteration
 *
 * Queued jobs come in the order of their reservations under policies that
 * promise, else in the order of their priority (FAIR_ORDER_LXF, _USAGE, _TREE
 * and _COMPARE: of their submission); running jobs by planned end; ineligible
 * jobs and reservation jobs that wait by number. To cancel or change jobs on
 * the way, begin again with { 0, 0 } after each change, or collect their
 * numbers first.
 *
 * Return: false at the end.
 */
FAIRSCHED_API bool fair_sched_each(const struct fair_sched *s, uint32_t state,
				   struct fair_queue_place *at,
				   struct fair_job_status *status);

/** fair_sched_count() - of these. O(1); O(queued jobs) while unfinished. */
FAIRSCHED_API uint32_t fair_sched_count(const struct fair_sched *s,
					uint32_t state);

#ifndef FAIRSCHED_WITHOUT_RUNS
/**
 * fair_sched_clone() - a copy that is independent from then on.
 * @memory: fair_sched_size() bytes, for the copy alone
 *
 * It reports no promises: what is tried on it must not reach users.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(live jobs).
 */
FAIRSCHED_API int fair_sched_clone(struct fair_sched *copy, void *memory,
				   size_t bytes, const struct fair_sched *s);
#endif /* FAIRSCHED_WITHOUT_RUNS */

/**
 * fair_sched_report_to() - call another function for each promise.
 * @promised: as in struct fair_config; NULL: none
 * @context:  the first argument of @promised
 */
FAIRSCHED_API void
fair_sched_report_to(struct fair_sched *s,
		     void (*promised)(void *context,
				      const struct fair_promise *promise),
		     void *context);

#ifndef FAIRSCHED_WITHOUT_RUNS
/** fair_sched_fst_size() - bytes for fair start times; 0: as size(). */
FAIRSCHED_API size_t fair_sched_fst_size(const struct fair_config *config);

/**
 * fair_sched_fst() - fair start times of a job that is about to be submitted.
 * @now:     all events before its arrival have been reported
 * @memory:  fair_sched_fst_size() bytes, free again afterwards
 * @run:     the real run time, seconds, >= 0, of a live job, of @job, or of a
 *           task of either
 * @context: the first argument of @run
 * @fst:     out
 *
 * Each is found on a clone that runs on with real run times until the job has
 * started: exact under every policy.
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
 * fair_simulated_run_init() - a clone to be played to its end.
 * @memory: fair_sched_fst_size() bytes that stay with it
 *
 * Where fair start times of all jobs are wanted, one run serves two: before job
 * x arrives, open it, fair_simulated_run_start() gives the strict fair start
 * time of the job that arrived before x, then fair_simulated_run_join() the
 * relaxed one of x. See fair_sched_fst() for the other arguments.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(live jobs).
 */
FAIRSCHED_API int fair_simulated_run_init(
	struct fair_simulated_run *f, size_t struct_size, void *memory,
	size_t bytes, const struct fair_sched *s, int64_t now,
	int64_t (*run)(void *context, uint64_t number), void *context);

/**
 * fair_simulated_run_start() - when a live job starts, or has started.
 * @f:     opened by fair_simulated_run_init()
 * @start: out: FAIR_FOREVER if never, or not before @f->until
 *
 * Return: 0; -FAIR_ENOENT if it is not live; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 */
FAIRSCHED_API int fair_simulated_run_start(struct fair_simulated_run *f,
					   uint64_t number, int64_t *start);

/**
 * fair_simulated_run_join() - when @job starts if it arrives once all jobs did.
 * @f:     opened by fair_simulated_run_init()
 * @start: out: as for fair_simulated_run_start(); then @job has not come, if
 *         not all had started before @f->until
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOENT, -FAIR_ERANGE, -FAIR_ENOSPC,
 * -FAIR_EOVERFLOW as for submit: then all have started.
 */
FAIRSCHED_API int fair_simulated_run_join(struct fair_simulated_run *f,
					  const struct fair_job *job,
					  int64_t *start);

/**
 * fair_simulated_run_attach() - play the caller's scheduler, e.g. by a trace.
 * @end:    array that stays with it: one for each job of the configuration
 * @s:      stays where it is; its running jobs end by @events->run too
 * @events: copied
 *
 *	while ((now = fair_simulated_run_next(&f)) != FAIR_FOREVER && !error)
 *		error = fair_simulated_run_instant(&f, now);
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM: @ends are too few.
 * Complexity: O(running jobs).
 */
FAIRSCHED_API int
fair_simulated_run_attach(struct fair_simulated_run *f, size_t struct_size,
			  struct fair_simulated_end *end, size_t ends,
			  struct fair_sched *s,
			  const struct fair_simulated_events *events);

/**
 * fair_simulated_run_next() - when a job ends, an event of the caller or
 * fair_sched_next() is due.
 *
 * Return: seconds; FAIR_FOREVER: nothing before @f->until.
 * Complexity: as fair_sched_next(); O(queued jobs) if no job runs.
 */
FAIRSCHED_API int64_t
fair_simulated_run_next(const struct fair_simulated_run *f);

/**
 * fair_simulated_run_instant() - jobs end, @arrive is called, jobs start.
 * @now: seconds, fair_simulated_run_next() or before it
 *
 * Again, while jobs of run time 0 have started.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL; -FAIR_EOVERFLOW; what a hook returned.
 * Complexity: O(log n) for each end and start beside that of the events.
 */
FAIRSCHED_API int fair_simulated_run_instant(struct fair_simulated_run *f,
					     int64_t now);

/**
 * fair_sched_estimate() - when a job that is queued or ineligible starts.
 * @memory: fair_sched_fst_size() bytes, free again afterwards; may be NULL if
 *          the job has a promise, or is wider than the machine
 * @start:  out: the promise, if the job has one; else its start if no other
 *          event happens and jobs run for their walltimes; FAIR_FOREVER: never,
 *          or under FAIR_MAUI not before all usage has decayed
 *
 * Return: 0; -FAIR_EINVAL if it runs; -FAIR_ENOENT; -FAIR_ENOMEM;
 * -FAIR_EOVERFLOW.
 * Complexity: O(1) with a promise, else a clone and the events until then: 2 of
 * each task of an array ahead, up to FAIR_SIMULATED_ROUNDS.
 */
FAIRSCHED_API int fair_sched_estimate(const struct fair_sched *s,
				      uint64_t number, void *memory,
				      size_t bytes, int64_t *start);

/** fair_sched_forecast_size() - bytes for that; 0: as fair_sched_size(). */
FAIRSCHED_API size_t fair_sched_forecast_size(const struct fair_config *config,
					      uint32_t samples);

/**
 * fair_sched_forecast() - the distribution of a job's start if jobs run for
 * random times up to their walltimes.
 * @memory:   fair_sched_forecast_size() bytes, free again afterwards
 * @forecast: out
 *
 * Each sample is a clone that runs on with drawn run times until the job
 * starts, without other events. No job overruns: the forecast is never after
 * the job's promise. Samples end when fair_forecast_add() needs no more.
 *
 * Return: 0; -FAIR_EINVAL if it runs; -FAIR_ENOENT; -FAIR_ENOMEM;
 * -FAIR_EOVERFLOW.
 * Complexity: samples * (a clone and the events until then), samples^2/4 moves.
 */
FAIRSCHED_API int fair_sched_forecast(const struct fair_sched *s,
				      uint64_t number,
				      const struct fair_draw *draw,
				      void *memory, size_t bytes,
				      struct fair_forecast *forecast);
#endif /* FAIRSCHED_WITHOUT_RUNS */

#ifndef FAIRSCHED_WITHOUT_WHY
/**
 * fair_sched_why() - why a queued job did not start at the last step.
 * @memory: fair_sched_fst_size() bytes for a clone, free again afterwards;
 *          NULL: what only a clone can tell stays unknown
 * @why:    out
 *
 * The smallest changes are arguments of fair_sched_modify() after which step()
 * would start the job now, if the job kept its place in the order. Under
 * FAIR_FCFS, FAIR_BACKFILL, FAIR_CONSERVATIVE and FAIR_PC they are read from
 * the plan. Under the others a changed job may move jobs that are scanned
 * before it: there they are tried on clones, by bisection. Where a smaller job
 * need not start when a larger one does (FAIR_DC, config.select), bisection
 * finds a change that starts the job while one processor or second more does
 * not, provided that a job of one processor or one second starts.
 *
 * Return: 0; -FAIR_ENOENT; -FAIR_EINVAL if it runs, or if an event happened
 * since a step() that returned less than it had room for; -FAIR_ENOMEM.
 * Complexity: O(log) queries of the profile, and O(queue) for the place in the
 * order; on nodes O(nodes / 32 * nodes that running jobs have), some 40 times;
 * on clones see fair_sched_clone() and fair_sched_estimate().
 */
FAIRSCHED_API int fair_sched_why(const struct fair_sched *s, uint64_t number,
				 void *memory, size_t bytes,
				 struct fair_why *why);

/**
 * fair_why_text() - an explanation in English.
 * @text: out: terminated by 0; cut if @size is too small
 *
 * Return: the length of the whole text, without the 0.
 */
FAIRSCHED_API size_t fair_why_text(const struct fair_why *why, char *text,
				   size_t size);
#endif /* FAIRSCHED_WITHOUT_WHY */

#ifndef FAIRSCHED_WITHOUT_WHATIF
/**
 * fair_sched_convert() - the same jobs under another policy.
 * @b:      out: begins at the present of @a, with an empty digest
 * @config: of @b; its procs and origin are replaced by those of @a
 *
 * Running jobs go on; queued jobs are submitted in the order of (submit,
 * number); ineligible jobs stay ineligible. Entities, their usage and limits
 * are kept, from FAIR_ORDER_DOMINANT to itself of each resource; promises are
 * made anew, and refused starts are forgotten. What a running job has used
 * counts as used now.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOENT if @config has no such account, user or
 * credential; -FAIR_ERANGE if a limit of @config forbids a job; -FAIR_ENOMEM;
 * -FAIR_ENOSPC if @config has room for fewer jobs or limits, or no ineligible;
 * -FAIR_EOVERFLOW as for submit, or if a running job ends beyond the horizon.
 * Complexity: O(n log n) and a submit for each queued job.
 */
FAIRSCHED_API int fair_sched_convert(struct fair_sched *b, size_t struct_size,
				     void *memory, size_t bytes,
				     const struct fair_config *config,
				     const struct fair_sched *a);

/** fair_sched_whatif_size() - bytes for that; 0: as fair_sched_size(). */
FAIRSCHED_API size_t fair_sched_whatif_size(const struct fair_config *a,
					    const struct fair_config *b);

/**
 * fair_sched_whatif() - which jobs start earlier, which later, and which
 * promises change.
 * @a:      the scheduler as it is
 * @b:      what if: a clone of @a, or a conversion of it, after other events
 * @memory: fair_sched_whatif_size() bytes, free again afterwards
 * @change: called for each job, queued or ineligible, whose start or promise
 *          differs
 *
 * The starts are those if no other event happens and jobs run for their
 * walltimes.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM; -FAIR_EOVERFLOW.
 * Complexity: two clones and the events until all jobs have started.
 */
FAIRSCHED_API int
fair_sched_whatif(const struct fair_sched *a, const struct fair_sched *b,
		  void *memory, size_t bytes,
		  void (*change)(void *context,
				 const struct fair_change *change),
		  void *context);
#endif /* FAIRSCHED_WITHOUT_WHATIF */

/** fair_sched_check() - 0, or the first broken invariant: O(jobs * steps). */
FAIRSCHED_API int fair_sched_check(const struct fair_sched *s);

/**
 * fair_sched_digest() - a hash over all decisions so far, in order.
 *
 * FNV-1a 64 over time, number and enum fair_kind of each start, first promise
 * and delay, 8 bytes little-endian each. A promise that moves earlier is not in
 * it, since the start that follows is.
 */
FAIRSCHED_API uint64_t fair_sched_digest(const struct fair_sched *s);

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/** fair_sched_checkpoint_size() - bytes that save() writes: O(live jobs). */
FAIRSCHED_API size_t fair_sched_checkpoint_size(const struct fair_sched *s);

/**
 * fair_sched_save() - write the state as bytes that any machine can load.
 * @checkpoint: out: fair_sched_checkpoint_size() bytes, any alignment
 *
 * It may be called between any two calls, also between two calls of step() at
 * one instant.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC if @bytes is too small.
 * Complexity: O(live jobs + accounts + users).
 */
FAIRSCHED_API int fair_sched_save(const struct fair_sched *s, void *checkpoint,
				  size_t bytes);

/**
 * fair_sched_checkpoint_config() - the configuration of a checkpoint.
 * @config: out: as it was when saved; its pointers are NULL
 * @damage: out, may be NULL: enum fair_checkpoint_damage, 0: none
 *
 * Return: 0; -FAIR_EINVAL if the checkpoint is damaged. Complexity: O(@bytes).
 */
FAIRSCHED_API int fair_sched_checkpoint_config(const void *checkpoint,
					       size_t bytes,
					       struct fair_config *config,
					       int *damage);

/**
 * fair_sched_load() - go on from a checkpoint.
 * @s:          out: untouched on error
 * @memory:     fair_sched_size() bytes
 * @config:     as when saved. @jobs, @ineligible, @dependencies, @advances,
 *              @ids, @limits and @credits may differ if there is room; @users
 *              and @accounts may be more; another @half_life or @window,
 *              interval and decay of @maui hold from then on. No checkpoint has
 *              @patience, @promised, @context, @maui and the other pointers:
 *              they are the caller's. Targets, shares and limits are those of
 *              the checkpoint: @target, @share are read for what is new only
 * @checkpoint: written by fair_sched_save() in the format of this version
 * @damage:     out, may be NULL: enum fair_checkpoint_damage, 0: none
 *
 * The digest goes on, too. Another config.jobs changes the horizon of the plan.
 *
 * Return: 0; -FAIR_EINVAL, also if the checkpoint is damaged; -FAIR_ENOMEM;
 * -FAIR_ENOSPC if @config has no room for a live, ineligible or reservation
 * job.
 * Complexity: as init, and a reservation for each live job; O(live jobs) for
 * each waiting array.
 */
FAIRSCHED_API int fair_sched_load(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config,
				  const void *checkpoint,
				  size_t checkpoint_bytes, int *damage);
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

FAIRSCHED_END_C
#endif /* FAIRSCHED_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIRSCHED_IMPLEMENTED)
#define FAIRSCHED_IMPLEMENTED

FAIRSCHED_BEGIN_C

/* Helpers of the parts that are left out have no caller. */
#if defined(__GNUC__) && FAIRSCHED_PARTS != FAIRSCHED_ALL_PARTS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

/* Rooms: parts of this file, in an order in which each finds what it uses. */
#include "sched/names.h"
#include "sched/nodes.h"
#include "sched/space.h"
#include "sched/ids.h"
#include "sched/table.h"
#include "sched/policy.h"
#include "sched/view.h"
#include "sched/afresh.h"
#include "sched/promising.h"
#include "sched/ledger_usage.h"
#include "sched/ledger_sfs.h"
#include "sched/ledger_relshare.h"
#include "sched/ledger_tree.h"
#include "sched/ledger_maui.h"
#include "sched/ledger_limits.h"
#include "sched/rows.h"
#include "sched/setup.h"
#include "sched/ineligible.h"
#include "sched/reservation.h"
#include "sched/inside.h"
#include "sched/queueing.h"
#include "sched/events.h"
#include "sched/capacity.h"
#include "sched/entities.h"
#include "sched/changes.h"
#include "sched/limit.h"
#include "sched/suspend.h"
#include "sched/resize.h"
#include "sched/tree.h"
#include "sched/advance.h"
#include "sched/step.h"
#include "sched/query.h"
#include "sched/simulated_run.h"
#include "sched/why.h"
#include "sched/text.h"
#include "sched/why_text.h"
#include "sched/whatif.h"
#include "sched/check.h"
#include "sched/saved_classes.h"
#include "sched/checkpoint.h"
#include "sched/grow.h"

FAIRSCHED_PROVIDE_SCHED

#if defined(__GNUC__) && FAIRSCHED_PARTS != FAIRSCHED_ALL_PARTS
#pragma GCC diagnostic pop
#endif

FAIRSCHED_END_C
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
