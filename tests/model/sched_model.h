/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_model.h - the naive scheduler that every policy is compared with
 *
 * It shares no line with the library: sorted arrays, linear searches, a new
 * walk for every question. Times are seconds, intervals are half-open, a job's
 * interval ends after its estimate. model_run() is a driver of the event form
 * and plays completions at their real run times; the event form itself never
 * looks at run.
 *
 *	struct model_rules r = { MODEL_PC, MODEL_BY_FCFS, 0, 0, 0, 0, 100 };
 *	struct model_job job[] = { { 0, 100, 200, 90, 1, ... }, ... };
 *
 *	model_run(&r, job, n);		job[i].start, .first_promise, ...
 *
 * CHOICES, where the rules are silent or can be read in two ways
 *
 * C1  Overdue. An estimate passes when end <= now. A finish() at exactly that
 *     second is on time, so finish() doubles only ends < now; every other call
 *     (submit, cancel, modify, capacity, step) doubles ends <= now before it
 *     does anything else: a promise made at that second already knows. Earliest
 *     end first, then by number, a job is doubled until its end has not
 *     passed, and the promises that it breaks are remade, before the next job.
 * C2  Remaking promises (overdue, longer, late, lost capacity) is one rule: all
 *     reservations are taken out; in (res, number) order those that still fit
 *     at their res go back; then the rest are placed in the same order.
 * C3  After a doubling the job's estimate is the doubled one: a finish()
 *     before start + 2e is early and runs the reaction.
 * C4  A caller that comes late: a reservation with res < now stays as it is
 *     until step(), and moves for nobody but C2, where what is left of it counts.
 *     step() starts the late ones first, in (res, number) order, for [now, now
 *     + estimate); promises in the way are remade, cause MODEL_LATE. Where
 *     running jobs are in the way, the late one gets the earliest place after
 *     now instead.
 * C5  step() always decides, an event or not: a caller that asks at an instant
 *     of its own has set a timer. next() names only due reservations, passing
 *     estimates and C8.
 * C6  A modified or refused job is placed again; nobody else moves (no
 *     reaction), even if room was made. Shortening a running job by d seconds
 *     is an early completion of those: the reaction runs. If the new estimate
 *     has passed already it is doubled until it has not.
 * C7  A refused start is answered at its own second (start == now), else it is
 *     an error. At that second the job cannot start again: its earliest place
 *     is now + 1.
 * C8  Under the policies that plan afresh a refused job holds no promise that
 *     would make an instant, so next() is now + 1 while one was refused at now.
 * C9  Victims of capacity(-n) end without a reaction of their own; the loss is
 *     dealt with by C2; then, if a victim ended before its estimate, the
 *     reaction runs once, since it may have held more than n. A victim not
 *     needed for the loss still ends. -n with too few processors free is
 *     -MODEL_EINVAL.
 * C10 A job wider than the present capacity, but not than the greatest that the
 *     machine ever had, is accepted and holds the promise MODEL_NEVER until
 *     capacity returns (as reservations do that no longer fit): dc's reaction
 *     places such a job even where it cannot start now. It holds no
 *     reservation of the N under depth; it stops fcfs.
 * C11 A promise is told whenever res gets another value, also twice within one
 *     walk of pc; a job taken out and put back where it was is not told. The
 *     first promise is res when submit() returns. Policies that plan afresh
 *     tell none.
 * C12 Selection other than firstfit: the walk in priority order ends with the
 *     Nth reservation; the jobs behind it are the candidates. Backfill windows
 *     are the widest rectangles of free processors that begin now: each is (w,
 *     end) with w free throughout [now, end) and fewer at end. After each
 *     start (greedy: each set) windows are determined anew and traversed
 *     from the first. greedy: the candidates that fit into the window, the
 *     first 12 of them in priority order; the set with processors <= w whose
 *     sum of the metric is largest; of equal sets the one that holds the
 *     first job, in priority order, by which they differ.
 * C13 Numbers are the caller's (a trace's file order), below MODEL_NOBODY, and
 *     need not come in order.
 * C15 A job set aside is nowhere but in its record. At each call, when estimates
 *     have passed, and behind each end, those that wait for nothing more are
 *     queued, lowest number first; the first time as arrivals. Setting a queued
 *     job aside is a cancel that keeps the record. A job that ended by cancel
 *     or by lost capacity leaves those that wait for its good end aside.
 * C16 A job that is stopped and queued again is placed behind the reaction.
 * C17 A start that rules.fits says no to is made and refused at once, but no
 *     start is told, and maui counts nobody as bypassed. Policies that plan
 *     afresh then begin again at the first job, whatever they had chosen.
 * C18 An array is one job. When it starts, the rest arrives behind that, under
 *     the next number, and a walk begins again as in C17. Until then nobody
 *     else gets one of its numbers. A new one counts as two of rules.jobs; where
 *     so many live its start is refused, as in C17.
 * C19 Bookings hold what they book, but no more than running jobs leave of the
 *     machine: told of any change of those, the capacity or the bookings, they
 *     take or give back second by second. Where they take, C2 follows, once.
 *     One that is not forced is refused if at some second it would not have all
 *     its processors beside running jobs, other bookings and promises. Their
 *     ends are instants of policies that plan afresh while somebody waits.
 * C20 A job with a booking that may have guests waits aside for it. Second by
 *     second such a booking has what it books, less what running jobs and
 *     bookings of lower numbers take. At each change guests keep their places if
 *     they can, by (place, number), the others lose theirs; then, in the same
 *     order, the first that can be earlier is, again and again until none can.
 *     A guest whose time has come starts before the policy decides.
 * C14 relshare, sfs and the order by usage look at each job again at step() if
 *     anything has happened since the last walk, or at another second; else
 *     they have looked at all of them.
 * C15 The order by usage is looked up anew after every start. A running job
 *     counts the walltime that it was last given, overdue or not.
 * C16 sfs: a job wider than the present capacity does not end pass 2.
 */
#ifndef SCHED_MODEL_H
#define SCHED_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_NEVER INT64_MAX	/* no promise, no start */
#define MODEL_NOBODY UINT32_MAX /* no job to name */
/* Estimates and |times| stay below this, procs * estimate below 2^59. */
#define MODEL_LONGEST (INT64_C(1) << 40)

#define MODEL_EINVAL 22
#define MODEL_ERANGE 34

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
	MODEL_BY_KEY, /* rules.key, number */
	MODEL_BY_COMPARE /* rules.compare, submit, number */
};

enum model_select {
	MODEL_FIRSTFIT,
	MODEL_BESTFIT,
	MODEL_GREEDY,
	MODEL_NOFIT /* nobody is backfilled */
};

enum model_metric { MODEL_PROCS, MODEL_SECONDS, MODEL_PROC_SECONDS };

enum model_cause {
	MODEL_NONE,
	MODEL_ARRIVAL,	  /* first promise, or dc at the arrival of job "by" */
	MODEL_COMPLETION, /* of job "by", early; or it was made shorter */
	MODEL_CANCELLED,  /* job "by" left the queue */
	MODEL_GREW,	  /* capacity(+n) */
	MODEL_FILL,	  /* dc at the starts */
	/* Only these move a promise later. */
	MODEL_OVERDUE,	/* job "by" outlived its estimate */
	MODEL_LONGER,	/* running job "by" was made longer */
	MODEL_LOST,	/* capacity(-n) */
	MODEL_MODIFIED, /* the job itself */
	MODEL_REFUSED,	/* the job itself */
	MODEL_LATE,	/* step() was not called in time */
	MODEL_DEFERRED, /* the job itself was set aside: MODEL_NEVER */
	MODEL_REQUEUED, /* the job itself was stopped */
	MODEL_BOOKED,	/* somebody booked, or changed what is booked */
	/* Only earlier. */
	MODEL_RELEASED, /* the job itself, set aside before */
	MODEL_UNBOOKED,
	MODEL_BOOKING /* later too: of a guest, its booking */
};

/* Of FAIR_MAUI, what a job asks for besides processors, and whose it is: user,
 * group, account, QoS, class, each below MODEL_IDS, or MODEL_NOBODY. */
#define MODEL_KINDS 5
#define MODEL_IDS 3
struct model_asks {
	uint32_t id[MODEL_KINDS];
	int32_t nodes;
	int64_t memory, swap, disk, rate;
};

struct model_maui; /* sched_maui.h */

enum model_after { MODEL_AFTER_NOTHING, MODEL_AFTER_OK, MODEL_AFTER_ANY };

/* What a job waits for that is set aside. */
struct model_until {
	int64_t begin;
	uint32_t after;
	enum model_after end;
	bool held;
	bool never; /* the job before it did not end as it had to */
};

struct model_booking {
	uint32_t number;
	int64_t from, to;
	int32_t procs;
	bool guests; /* may have some */
};

/* What rules are asked about. */
struct model_asked {
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
	const uint32_t *share; /* of each; NULL: 1; the sum is at most 1000 */
	int64_t window;
	bool only_used;
	const int64_t *target; /* MODEL_SFS: of each account */
	int64_t weight;	       /* MODEL_BY_LINEAR */
	int64_t half_life;     /* MODEL_BY_USAGE; 0: nothing is forgotten */
	const struct model_maui *maui; /* or NULL; policy is MODEL_EASY then */
	int64_t (*key)(const struct model_asked *a);
	int (*compare)(int64_t now, const struct model_asked *a,
		       const struct model_asked *b);
	bool (*fits)(const struct model_asked *a, int64_t now); /* or NULL */
	uint32_t jobs; /* live at once; 0: any number */
};

struct model_job {
	int64_t submit, run, estimate;
	int32_t procs;
	uint32_t user, account;
	int64_t rate; /* MODEL_BY_USAGE: of a second; 0: procs * 2^20 */
	uint32_t tasks; /* 0: 1; C18 */
	uint32_t booking; /* 0: none; C20 */
	struct model_asks asks;
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

/* Results of jobs[0..n) from the whole trace; 0 or -MODEL_E... */
int model_run(const struct model_rules *rules, struct model_job *job, size_t n);

/* model_run() and the fair start times of every job, each by its own clone. */
int model_fst(const struct model_rules *rules, struct model_job *job, size_t n);

/* Of @job the event form reads submit (<= now), estimate, procs; a driver may
 * keep run and user. */
struct model;
struct model *model_new(const struct model_rules *rules, int64_t now);
struct model *model_clone(const struct model *m);
void model_free(struct model *m);

int model_submit(struct model *m, int64_t now, uint32_t number,
		 const struct model_job *job);
int model_submit_aside(struct model *m, int64_t now, uint32_t number,
		       const struct model_job *job,
		       const struct model_until *until);
int model_defer(struct model *m, int64_t now, uint32_t number,
		const struct model_until *until);
int model_requeue(struct model *m, int64_t now, uint32_t number);
int model_finish(struct model *m, int64_t now, uint32_t number);
int model_cancel(struct model *m, int64_t now, uint32_t number);
int model_modify(struct model *m, int64_t now, uint32_t number, int32_t procs,
		 int64_t estimate);
int model_capacity(struct model *m, int64_t now, int32_t delta,
		   const uint32_t *victim, size_t victims);
int model_book(struct model *m, int64_t now, const struct model_booking *b,
	       bool force);
int model_unbook(struct model *m, int64_t now, uint32_t number);
int model_refuse_start(struct model *m, int64_t now, uint32_t number);

/* Decisions since the previous step(), those of the events included, in the
 * order in which they were made; valid until the next call. */
int model_step(struct model *m, int64_t now, const struct model_decision **d,
	       size_t *n);

/* MODEL_NEVER: nothing is due. */
int64_t model_next(const struct model *m);

size_t model_queued(const struct model *m);
size_t model_running(const struct model *m);
size_t model_asides(const struct model *m);
size_t model_bookings(const struct model *m);
int32_t model_free_procs(const struct model *m);
/* The present promise of a queued job or a guest, MODEL_NEVER without one. */
int64_t model_promise(const struct model *m, uint32_t number);
/* The end of the estimate of a running job, MODEL_NEVER if it does not run. */
int64_t model_end(const struct model *m, uint32_t number);

/* Applies decisions to the results of a caller's table, indexed by number. */
void model_record(const struct model_decision *d, size_t n,
		  struct model_job *job);

/* 0, or the first of: 1 the profile is not the sum of its jobs, 2 more in use
 * than there is, 3 running jobs exceed the machine; of the last step of sfs, 4
 * when pass 1 ended a job of an account at its target or below could have
 * started without delaying a reservation, 5 in the end any job could have. */
int model_check(const struct model *m);

/* What it decides need not be right any more: see sched_usage.h. */
bool model_unsure(const struct model *m);

#endif /* SCHED_MODEL_H */
