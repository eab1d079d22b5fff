/* SPDX-License-Identifier: MIT OR Unlicense */
/* sched_parts.h - what the files of the naive scheduler share */
#ifndef SCHED_PARTS_H
#define SCHED_PARTS_H

#include "sched_model.h"

struct sched_relshare;
struct sched_sfs;
struct sched_tree;
struct sched_usage;

struct edge {
	int64_t at;
	int32_t delta;
};

/* Processors in use as a sorted array of changes. */
struct profile {
	struct edge *edge;
	size_t n, cap;
};

struct live {
	int64_t ran; /* before it was suspended or resized, */
	int64_t overran; /* of these, beyond what it asked for */
	uint32_t number, user, account;
	uint32_t follow;  /* not running: tasks of the array after this one */
	uint32_t advance; /* or 0 */
	bool promised;	  /* a reservation job had a promise */
	int64_t submit, run, estimate, rate;
	int32_t procs;
	struct model_request asks;
	int64_t bypassed, priority;
	bool kept;	    /* it once had a reservation that is kept */
	int64_t place;	    /* where, or MODEL_NEVER */
	int64_t allowed;    /* the caller accepts no start before; or -NEVER */
	int64_t res;	    /* not running: the promise, or MODEL_NEVER */
	int64_t turn;	    /* C3, or MODEL_NEVER */
	int64_t planned;    /* in a plan afresh: its start, or MODEL_NEVER */
	uint32_t of[MODEL_KINDS];
	int64_t refused;    /* C7: the first time of a row, */
	uint32_t refusals;  /* which has so many */
	bool displaced;	    /* C2: it has lost it, and @res is where it was */
	bool revoked;	    /* C37: and has to ask its budgets again */
	bool waits;	    /* C37: it has none, and waits for a budget */
	bool filled;	    /* C35: this fill has it start now */
	int64_t start, end; /* running: its interval in the profile */
	int64_t began;	    /* running: before it was resized */
};

/* What a job that has left the machine used. */
struct past {
	uint32_t id[MODEL_KINDS];
	int64_t start, end, rate;
};

/* Set or credited usage of maui, in 2^-8, in the window of @at. */
struct given {
	int kind;
	uint32_t id; /* or MODEL_NO_JOB */
	int64_t at, amount;
};

struct task_limit {
	uint32_t first, tasks, most;
};

struct ineligible {
	struct live job;
	struct model_eligibility until;
	bool fresh;	   /* never queued */
	bool suspended;	   /* C24 */
	bool bound;	   /* eligible but for its advance reservation */
	int64_t told, was; /* the reported promise, the one before a plan */
};

struct model {
	struct model_rules rules;
	int64_t origin, now;
	int32_t capacity, most; /* present, and the greatest ever */
	struct live *queue;	/* in the order of the calls */
	size_t queued, queue_cap;
	struct live *running; /* in start order */
	size_t runs, run_cap;
	struct ineligible *ineligible; /* in any order */
	size_t ineligibles, ineligible_cap;
	bool again;		       /* C17: the scan begins anew */
	bool paused, stopped;	       /* C23: a compression, a step */
	uint32_t *walk; /* C34: of a paused compression, the order; or NULL */
	bool pending;		       /* C2: the reaction to a loss */
	bool places;  /* C23: a reaction has jobs to place without a reservation */
	size_t displaced;	       /* C2: jobs; */
	enum model_cause lost_by;      /* of their new promises */
	uint32_t lost_to;
	struct model_advance *advance; /* in any order */
	size_t advances, advance_cap;
	int32_t *held; /* by advance reservations, by second from held_from */
	int64_t held_from;
	size_t helds, held_cap;
	struct profile profile; /* running jobs, promises, @held */
	struct model_decision *told;
	size_t tells, told_cap;
	bool taken; /* step() has returned @told */
	struct past *past;
	size_t pasts, past_cap;
	struct given *given;
	size_t givens, given_cap;
	int64_t used_from; /* maui: what was used before is in @given */
	struct task_limit *limit;
	size_t limits, limit_cap;
	struct model_limit *most_held; /* C36 */
	size_t most_helds, most_held_cap;
	struct sched_relshare *relshare; /* NULL under other policies */
	struct sched_sfs *sfs;		 /* likewise */
	struct sched_usage *usage;	 /* NULL under other orders */
	struct sched_tree *tree;
	bool walked; /* C14, M1: no event since the last scan */
	bool passes; /* M6: the last iteration passed over a job, */
	size_t ran;  /* when so many jobs ran */
	int broken;  /* the result of model_check() for sfs */
};

struct window {
	int32_t procs;
	int64_t end; /* or MODEL_NEVER */
};

void *must(void *p); /* aborts if @p is NULL */
void *grow(void *p, size_t *cap, size_t n, size_t size);
void *copy_of(const void *p, size_t n, size_t size);
void profile_use(struct profile *p, int64_t start, int64_t end, int32_t procs);
int64_t profile_place(const struct profile *p, int32_t capacity, int64_t from,
		      int64_t seconds, int32_t procs);
struct live *find(struct live *list, size_t n, uint32_t number);
int64_t not_before(const struct model *m, const struct live *j);
int64_t place(const struct model *m, const struct profile *p,
	      const struct live *j, int64_t from);
bool is_allowed(const struct model *m, const struct live *j);
void forget_plan(struct model *m);
bool can_start(const struct model *m, uint32_t number);
bool start(struct model *m, uint32_t number);
bool window_at(const struct model *m, const struct profile *p, size_t k,
	       struct window *w);
size_t choose(const struct model *m, const struct window *w, struct live **fit,
	      size_t n);

bool maui_possible(const struct model *m, const struct model_request *asks,
		   int32_t procs, int64_t estimate);
bool maui_can_grow(const struct model *m, uint32_t number, int32_t procs);
void maui_leave(struct model *m, uint32_t number);
int64_t maui_take(struct model *m, int kind, uint32_t id, int64_t amount);
int64_t maui_used(const struct model *m, int kind, uint32_t id);
void maui_give(struct model *m, int kind, uint32_t id, int64_t amount);
void maui_set_window(struct model *m, int64_t window, bool decays);
struct model_maui *maui_copy(const struct model_maui *maui);
void maui_set_credential(struct model *m, int kind, uint32_t id,
			 const struct model_credential *c);
void maui_step(struct model *m);
/* Of the queued jobs, now. */
void maui_prioritize(struct model *m);
/* M2: @j is about to start, if it can. */
void maui_bypass(struct model *m, const struct live *j);
bool maui_is_within(const struct model *m, const struct live *j, int level);
bool maui_is_over_cap(const struct model *m, const struct live *j);
int64_t maui_priority(const struct model *m, const struct live *j);
/* MODEL_NOBF and so on, of its QoS. */
uint32_t maui_flags(const struct model *m, const struct live *j);
int64_t maui_next(const struct model *m);

#endif
