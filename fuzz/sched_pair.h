/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_pair.h - the scheduler and its naive model, side by side
 *
 * Bytes become events for both. After each event every queued job has the same
 * reservation in both, and every running job the same planned end; starts and
 * promises come in the same order, and their digest is computed here, too. A
 * clone gets all further events. It is taken from the scheduler or from a
 * clone, between two events or in the middle of a step, directly or by a
 * checkpoint; with a scan limit it reacts in pieces, and another clone may
 * replace it between two pieces.
 *
 * Under pc decisions depend on the limit. So the scheduler and the clone have
 * the same one, and the model follows the scheduler: it pauses where that does
 * (C23), and all are compared at each pause, which lasts for a while or until
 * some later event.
 */
#ifndef SCHED_PAIR_H
#define SCHED_PAIR_H

#include <string.h>

#include "fairsched.h"
#include "fuzz/inside.h"
#include "fuzz/fuzz.h"
#include "fuzz/maui_pair.h"
#include "fuzz/why_check.h"
#include "tests/model/fairtree_model.h"
#include "tests/model/sched_model.h"
#include "tests/model/sched_relshare.h"

#define PAIR_JOBS 24
#define PAIR_PROCS 16
#define PAIR_USERS 4
#define PAIR_NODES 12 /* of a tree */

/* The reported history of a job, live or not. */
struct pair_job {
	int64_t first, latest; /* promises */
	int64_t noted; /* the second after its last noted start */
	uint32_t moves, cause;
	struct fair_job job; /* as it was submitted */
};

struct pair {
	struct fuzz_in in;
	struct model *model;
	struct fair_sched *sched,
		*copy; /* moved after each event, see pair_move() */
	struct fair_sched place[4];
	char *memory, *copy_memory, *spare_memory;
	size_t bytes, shift; /* @shift: makes the memory unaligned */
	struct fair_config config;
	struct fair_ledger_ops ledger;
	uint32_t share[PAIR_USERS];
	int64_t target[PAIR_USERS];
	struct fair_fairtree tree;
	unsigned char tree_memory[4096];
	struct maui_pair maui;
	int64_t now;
	bool cloned, events; /* events: more than submit and finish */
	bool limits;	     /* and limits */
	bool arrays;
	uint64_t started; /* a promise of this step showed its start */
	uint32_t live[PAIR_JOBS], lives, numbers, dead, steps;

	struct pair_job *job;	   /* by number */
	struct fair_promise *told; /* promises since the last step */
	size_t tells, most_tells, most_jobs;
	uint64_t digest;		  /* the expected one */
	bool copying;			  /* promised() is called by the copy */
	uint64_t copy_told, told_all;	  /* hashes of the promises of each */
	uint64_t scan_limit, pieces;      /* of the copy; so far */
	uint64_t copy_moves;		  /* promises that it moved earlier */
	int ours, copys;		  /* what an event returned */
	size_t followed; /* pc: of @told, by the model in this call */
	uint64_t start;	 /* pc: of this call; UINT64_MAX: none */
};

static inline void *pair_grow(void *array, size_t *most, size_t n, size_t size)
{
	if (n <= *most)
		return array;
	*most = 2 * n;
	array = realloc(array, *most * size);
	FUZZ_ASSERT(array);
	return array;
}

static inline uint64_t pair_hash(uint64_t hash, uint64_t word)
{
	uint32_t i;

	for (i = 0; i < 8; i++, word >>= 8)
		hash = (hash ^ (word & 0xff)) * UINT64_C(0x100000001b3);
	return hash;
}

static inline void pair_record(struct pair *x, int64_t time, uint64_t number,
			       uint64_t kind)
{
	x->digest = pair_hash(
		pair_hash(pair_hash(x->digest, (uint64_t)time), number), kind);
}

/* Whether each queued job holds a reservation. */
static inline bool pair_keeps_promises(const struct pair *x)
{
	return x->config.policy >= FAIR_CONSERVATIVE &&
	       x->config.policy <= FAIR_DC;
}

/* Whether the model follows the pauses of the scheduler. */
static inline bool pair_follows(const struct pair *x)
{
	return x->config.policy == FAIR_PC;
}

/* Whether @p is the move, or says that the start was due but cannot be now. */
static inline bool pair_is_told(const struct fair_promise *p,
				const struct model_decision *d)
{
	if (p->number != d->number)
		return false;
	return d->kind == MODEL_PROMISE
		       ? p->to == d->time
		       : p->to > d->time && (p->cause == FAIR_CAUSE_REFUSED ||
					     p->cause == FAIR_CAUSE_LATE_STEP);
}

/* Whether a compression moved the job: it was not only placed, and it is not
 * planned inside an advance reservation. */
static inline bool pair_is_compressed(const struct pair *x,
				      const struct fair_promise *p)
{
	return p->cause == FAIR_CAUSE_EARLIER && p->from != FAIR_FOREVER &&
	       !x->job[p->number].job.advance;
}

/* C23: whether the scheduler did that, behind what the model has followed. */
static inline bool pair_goes_on(void *context, const struct model_decision *d)
{
	struct pair *x = (struct pair *)context;
	struct fair_job_status j;
	size_t i = x->followed;

	/* A reaction has begun, though another one may be due by now. A start
	 * behind it may have been refused: see below. */
	if (d->number == MODEL_NO_JOB && d->kind == MODEL_START) {
		while (i < x->tells && !pair_is_compressed(x, x->told + i))
			i++;
		return i < x->tells ||
		       (promising_of(x->sched)->walk.kind !=
				FAIR_CONSERVATIVE_REACTION_PLACES &&
			promising_of(x->sched)->walk.kind !=
				FAIR_CONSERVATIVE_PENDING);
	}
	if (d->number == MODEL_NO_JOB)
		return !x->sched->planner->is_reacting(x->sched) ||
		       fair_sched_count(x->sched, FAIR_DISPLACED);
	if (d->kind == MODEL_START && x->start == d->number)
		return true;
	/* A start was refused, and there is no new promise yet. */
	if (d->kind == MODEL_START &&
	    !fair_sched_lookup(x->sched, d->number, &j) &&
	    j.state == FAIR_DISPLACED)
		return true;
	while (i < x->tells && !pair_is_told(x->told + i, d))
		i++;
	if (i < x->tells && d->kind == MODEL_PROMISE)
		x->followed = i + 1;
	return i < x->tells;
}

/* Orders and refusals: arbitrary pure functions of job and time, with ties. */

/* What is added for a job since its order has changed. The model's functions
 * get no context. */
#define PAIR_CHANGED 4096
static uint8_t pair_changed[PAIR_CHANGED];

static inline int64_t pair_key_of(uint64_t number, int64_t walltime,
				  int32_t procs)
{
	return procs % 4 - walltime / 8 + (int64_t)(number % 3) +
	       pair_changed[number % PAIR_CHANGED];
}

static inline int64_t pair_weight(int64_t now, uint64_t number,
				  int64_t walltime, int32_t procs)
{
	return (now / 16 % 2 ? walltime / 4 : procs * (1 + now % 2)) +
	       pair_changed[number % PAIR_CHANGED];
}

/* Three of four starts are accepted; few are refused until a retry. */
static inline int64_t pair_accepted_at(uint64_t number, int64_t now)
{
	uint64_t x = number * 5 + (uint64_t)now / 4;

	x *= UINT64_C(0x9e3779b97f4a7c15);
	if (x >> 62)
		return now - (int64_t)(x >> 62) + 1;
	return x >> 59 & 7 ? now + 1 + (int64_t)(x >> 56 & 15) : FAIR_FOREVER;
}

static inline int64_t pair_key(void *context, const struct fair_job *j)
{
	(void)context;
	return pair_key_of(j->number, j->walltime, j->procs);
}

static inline int pair_compare(void *context, int64_t now,
			       const struct fair_job *a,
			       const struct fair_job *b)
{
	int64_t x = pair_weight(now, a->number, a->walltime, a->procs);
	int64_t y = pair_weight(now, b->number, b->walltime, b->procs);

	(void)context;
	return (x > y) - (x < y);
}

static inline int64_t pair_fits(void *context, const struct fair_job *j,
				int64_t start, int64_t end)
{
	const struct pair *x = (const struct pair *)context;

	FUZZ_ASSERT(start == x->now && end == start + j->walltime);
	FUZZ_ASSERT(j->cookie == ~(j->number & ~UINT64_C(3)));
	return pair_accepted_at(j->number, start);
}

/* A gate, and a veto for 40 seconds. */
static inline bool pair_is_first(uint64_t number, int64_t now)
{
	return (number / 4 + (uint64_t)now / 16) % 3 != 0;
}

static inline int64_t pair_vetoed_until(uint64_t number, int64_t now)
{
	uint64_t x = number * UINT64_C(0x9e3779b97f4a7c15) >> 57;
	int64_t from = (int64_t)(2 * x);

	return now < from || now >= from + 40 ? now : from + 40;
}

static inline bool pair_gate(const struct fair_sched *s, const void *ledger,
			     uint32_t slot)
{
	FUZZ_ASSERT(*(const uint64_t *)ledger == 7);
	return pair_is_first(s->live[slot].queued.rank.number, s->now);
}

static inline int64_t pair_veto(const struct fair_sched *s, const void *ledger,
				uint32_t slot, int64_t t)
{
	FUZZ_ASSERT(*(const uint64_t *)ledger == 7 &&
		    (t == s->now || s->planner->promises));
	return pair_vetoed_until(s->live[slot].queued.rank.number, t);
}

static inline size_t pair_ledger_size(const struct fair_config *config)
{
	(void)config;
	return sizeof(uint64_t);
}

static inline int pair_ledger_init(struct fair_sched *s, void *ledger)
{
	(void)s;
	*(uint64_t *)ledger = 7;
	return 0;
}

static inline void pair_ledger_clone(struct fair_sched *copy, void *ledger,
				     const struct fair_sched *s,
				     const void *from, const uint32_t *slot)
{
	(void)copy;
	(void)s;
	(void)slot;
	*(uint64_t *)ledger = *(const uint64_t *)from;
}

static inline bool pair_model_gate(const struct model_view *a, int64_t now)
{
	return pair_is_first(a->number, now);
}

static inline int64_t pair_model_veto(const struct model_view *a, int64_t now)
{
	return pair_vetoed_until(a->number, now);
}

static inline int64_t pair_model_key(const struct model_view *a)
{
	return pair_key_of(a->number, a->estimate, a->procs);
}

static inline int pair_model_compare(int64_t now, const struct model_view *a,
				     const struct model_view *b)
{
	int64_t x = pair_weight(now, a->number, a->estimate, a->procs);
	int64_t y = pair_weight(now, b->number, b->estimate, b->procs);

	return (x > y) - (x < y);
}

static inline int64_t pair_model_fits(const struct model_view *a, int64_t now)
{
	return pair_accepted_at(a->number, now);
}

/* Notes a start; the next task of an array is queued from now on. */
static inline void pair_note_start(struct pair *x, uint64_t number)
{
	struct pair_job *j = &x->job[number];

	pair_record(x, x->now, number, FAIR_START);
	j->latest = x->now;
	j->noted = x->now + 1;
	if (j->job.tasks > 1)
		x->live[x->lives++] = (uint32_t)number + 1;
	j->job.tasks = 1;
	x->started = number;
}

/* Notes a start that this step has not returned yet: it precedes the promises of
 * jobs that follow from it. */
static inline void pair_note_new_start(struct pair *x)
{
	struct fair_job_status j;
	uint32_t i;

	for (i = 0; i < x->lives; i++)
		if (x->job[x->live[i]].noted != x->now + 1 &&
		    !fair_sched_lookup(x->sched, x->live[i], &j) &&
		    j.state == FAIR_RUNNING && j.start == x->now) {
			pair_note_start(x, x->live[i]);
			return;
		}
}

/* Checks a promise against the rules and the history of its job. */
static inline void pair_check_promise(void *context,
				      const struct fair_promise *p)
{
	struct pair *x = (struct pair *)context;
	struct pair_job *j = &x->job[p->number];
	uint64_t *all = x->copying ? &x->copy_told : &x->told_all;

	FUZZ_ASSERT(p->to != p->from && p->made <= p->to);
	FUZZ_ASSERT(p->made == (x->copying ? x->copy : x->sched)->now);
	x->copy_moves += p->cause == FAIR_CAUSE_EARLIER;
	FUZZ_ASSERT((p->to > p->from) == (p->cause >= FAIR_CAUSE_CAPACITY));
	*all = pair_hash(pair_hash(*all, p->number), (uint64_t)p->to);
	*all = pair_hash(pair_hash(*all, p->cause), p->culprit);
	if (x->copying)
		return;
	pair_note_new_start(x);
	FUZZ_ASSERT(p->from == j->latest);
	if (j->first == FAIR_FOREVER) {
		j->first = p->to;
		pair_record(x, p->to, p->number, FAIR_PROMISE);
	} else {
		j->moves++;
	}
	if (p->to > p->from) {
		pair_record(x, p->to, p->number, FAIR_DELAY);
		j->cause = p->cause;
	}
	j->latest = p->to;
	x->told = (struct fair_promise *)pair_grow(
		x->told, &x->most_tells, x->tells + 1, sizeof(*x->told));
	x->told[x->tells++] = *p;
}

/* A job equals the submitted one, the model's and its history. */
static inline void pair_compare_job(const struct pair *x,
				    const struct fair_job_status *j)
{
	uint32_t number = (uint32_t)j->job.number;
	const struct pair_job *told = &x->job[number];

	FUZZ_ASSERT(j->job.cookie == ~(j->job.number & ~UINT64_C(3)));
	FUZZ_ASSERT(j->job.tasks == told->job.tasks);
	FUZZ_ASSERT(j->job.submit == told->job.submit);
	FUZZ_ASSERT(maui_pair_is_same_job(&j->job, &told->job));
	FUZZ_ASSERT(j->end == model_end(x->model, number));
	FUZZ_ASSERT((j->state == FAIR_RUNNING) == (j->end != FAIR_FOREVER));
	if (j->state == FAIR_QUEUED)
		FUZZ_ASSERT(j->start == model_promise(x->model, number));
	if (j->state == FAIR_QUEUED)
		FUZZ_ASSERT(j->start == told->latest);
	if (j->state == FAIR_DISPLACED)
		FUZZ_ASSERT(j->start == FAIR_FOREVER);
	if (j->state == FAIR_INELIGIBLE)
		FUZZ_ASSERT(j->start == model_promise(x->model, number));
	if (j->state == FAIR_INELIGIBLE)
		FUZZ_ASSERT(j->start == (told->job.advance ? told->latest
							   : FAIR_FOREVER));
	FUZZ_ASSERT(j->job.advance == told->job.advance);
	FUZZ_ASSERT(j->first_promise == told->first);
	FUZZ_ASSERT(j->moves == told->moves && j->cause == told->cause);
}

/* Enumerates the jobs of @state: in order, and equal to a look-up by number. */
static inline uint32_t
pair_compare_state(struct pair *x, const struct fair_sched *s, uint32_t state)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j, same;
	int64_t last = INT64_MIN, key;
	uint32_t n = 0;

	for (; fair_sched_each(s, state, &at, &j); n++) {
		FUZZ_ASSERT(j.state == state);
		pair_compare_job(x, &j);
		memset(&same, 0xff, sizeof(same));
		FUZZ_ASSERT(!fair_sched_lookup(s, j.job.number, &same));
		FUZZ_ASSERT(same.start == j.start && same.end == j.end);
		key = state == FAIR_RUNNING ? j.end : j.start;
		if (state == FAIR_INELIGIBLE)
			key = (int64_t)j.job.number;
		FUZZ_ASSERT(last <= key);
		last = key;
	}
	return n;
}

/*
 * While a loss is unfinished, the model has taken all jobs out that are not yet
 * put back, and the scheduler only those that may have to move.
 */
static inline void pair_compare_queue(struct pair *x,
				      const struct fair_sched *s)
{
	uint32_t displaced = fair_sched_count(s, FAIR_DISPLACED);

	FUZZ_ASSERT(!displaced == !model_displaced(x->model));
	if (!displaced)
		FUZZ_ASSERT(pair_compare_state(x, s, FAIR_QUEUED) ==
			    model_queued(x->model));
	else
		FUZZ_ASSERT(fair_sched_count(s, FAIR_QUEUED) + displaced ==
				    model_queued(x->model) &&
			    displaced <= model_displaced(x->model));
}

static inline void pair_compare_jobs(struct pair *x, const struct fair_sched *s)
{
	FUZZ_ASSERT(!fair_sched_check(s));
	pair_compare_queue(x, s);
	FUZZ_ASSERT(pair_compare_state(x, s, FAIR_RUNNING) ==
		    model_running(x->model));
	FUZZ_ASSERT(pair_compare_state(x, s, FAIR_INELIGIBLE) ==
		    model_ineligible_jobs(x->model));
	FUZZ_ASSERT(s->advances == model_advances(x->model));
	FUZZ_ASSERT(fair_sched_digest(s) == x->digest);
	if (fair_sched_is_unfinished(s)) {
		FUZZ_ASSERT(fair_sched_next(s) == s->now);
		return;
	}
	FUZZ_ASSERT(!model_is_paused(x->model));
	FUZZ_ASSERT(fair_sched_next(s) == model_next(x->model));
}

/* Moves a scheduler to another address and overwrites the old one. */
static inline struct fair_sched *pair_move_one(struct fair_sched *place,
					       struct fair_sched *s)
{
	struct fair_sched *to = place + (s == place);

	memcpy(to, s, sizeof(*to));
	memset(s, 0xa5, sizeof(*s));
	return to;
}

/* A scheduler holds no pointer into itself: it may be moved like any bytes. */
static inline void pair_move(struct pair *x)
{
	x->sched = pair_move_one(x->place, x->sched);
	x->copy = pair_move_one(x->place + 2, x->copy);
}

static inline void pair_compare_both(struct pair *x)
{
	pair_move(x);
	FUZZ_ASSERT(!model_check(x->model));
	pair_compare_jobs(x, x->sched);
	if (!x->cloned)
		return;
	if (pair_follows(x))
		FUZZ_ASSERT(fair_sched_is_unfinished(x->copy) ==
			    fair_sched_is_unfinished(x->sched));
	else if (fair_sched_is_unfinished(x->copy))
		return;
	pair_compare_jobs(x, x->copy);
	FUZZ_ASSERT(x->copy_told == x->told_all);
}

/* Limits the queue scan of the copy's next call. */
static inline void pair_set_scan_limit(struct pair *x)
{
	x->scan_limit = x->shift % 3 * (1 + x->pieces++ % 5);
	fair_sched_scan_limit(x->copy, x->scan_limit);
	x->copy_moves = 0;
}

/* The same for the next call of both, which the model is to follow. */
static inline void pair_set_scan_limits(struct pair *x)
{
	pair_set_scan_limit(x);
	fair_sched_scan_limit(x->sched, x->scan_limit);
	x->followed = x->tells;
	x->start = UINT64_MAX;
}

static inline void pair_clone(struct pair *x, bool of_copy, bool checkpoint);

/* Checks the copy between two pieces; another clone may replace it. */
static inline void pair_between_pieces(struct pair *x)
{
	FUZZ_ASSERT(!fair_sched_check(x->copy));
	FUZZ_ASSERT(fair_sched_next(x->copy) == x->now);
	if (x->pieces % 7 < 2)
		pair_clone(x, true, x->pieces % 7);
	pair_set_scan_limit(x);
}

/* Resumes the copy to its end, or leaves it unfinished for the next event. */
static inline void pair_resume(struct pair *x)
{
	if (!x->cloned || x->pieces % 4 == 3)
		return;
	x->copying = true;
	pair_set_scan_limit(x);
	while (fair_sched_resume(x->copy)) {
		FUZZ_ASSERT(x->copy_moves <= x->scan_limit);
		pair_between_pieces(x);
	}
}

/* Compares all at a pause; another clone may replace the copy. */
static inline void pair_pause(struct pair *x)
{
	pair_compare_both(x);
	if (x->cloned && x->pieces % 7 < 2)
		pair_clone(x, x->pieces % 3, x->pieces % 7);
}

/*
 * Resumes both, to the end or with @leave perhaps not; returns whether they are
 * there.
 */
static inline bool pair_resume_both(struct pair *x, bool leave)
{
	bool left = fair_sched_is_unfinished(x->sched);

	while (left) {
		if (leave && x->pieces++ % 4 == 3)
			break;
		pair_set_scan_limits(x);
		x->copying = false;
		left = fair_sched_resume(x->sched);
		x->copying = true;
		if (x->cloned)
			FUZZ_ASSERT(fair_sched_resume(x->copy) == left);
		x->copying = false;
		model_resume(x->model);
		pair_pause(x);
	}
	return !left;
}

static inline bool pair_is_named_error(int error)
{
	return error == -FAIR_ENOENT || error == -FAIR_ETIME;
}

/* The three agree on success, and on errors that have one cause alone. */
static inline bool pair_agree(struct pair *x, int models)
{
	int ours = x->ours;

	FUZZ_ASSERT((ours == 0) == (models == 0));
	FUZZ_ASSERT(ours == models || (!pair_is_named_error(ours) &&
				       !pair_is_named_error(models)));
	FUZZ_ASSERT(!x->cloned || x->copys == ours);
	x->copying = false;
	if (pair_follows(x))
		pair_resume_both(x, true);
	else
		pair_resume(x);
	x->copying = false;
	return ours == 0;
}

/* Prepares a call of @s. The copy follows the scheduler. */
static inline struct fair_sched *pair_begin_call(struct pair *x,
						 struct fair_sched *s)
{
	x->copying = s == x->copy;
	if (x->copying && !pair_follows(x))
		pair_set_scan_limit(x);
	else if (!x->copying && pair_follows(x))
		pair_set_scan_limits(x);
	return s;
}

/* The event @name for both; the call of the model follows, and a parenthesis.
 */
#define PAIR_BOTH(x, name, ...)                                                \
	(x)->ours = fair_sched_##name(pair_begin_call((x), (x)->sched),        \
				      __VA_ARGS__),                            \
	(x)->copys = (x)->cloned ? fair_sched_##name(                          \
					   pair_begin_call((x), (x)->copy),    \
					   __VA_ARGS__)                        \
				 : 0,                                          \
	pair_agree((x),

static inline uint32_t pair_draw_job(struct pair *x)
{
	return (uint32_t)fuzz_range(&x->in, 0, (int64_t)x->lives - 1);
}

/* Each call fails for a number of no live job. */
static inline void pair_call_without_job(struct fair_sched *s, int64_t now,
					 uint64_t number)
{
	struct fair_job_status j;

	FUZZ_ASSERT(fair_sched_lookup(s, number, &j) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_finish(s, now, number) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_cancel(s, now, number) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_modify(s, now, number, 1, 1) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_refuse(s, now, number) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_requeue(s, now, number) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_defer(s, now, number, NULL) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_set_penalty(s, now, number, 1) == -FAIR_ENOENT);
	FUZZ_ASSERT(fair_sched_capacity(s, now, -1, &number, 1) ==
		    -FAIR_ENOENT);
}

static inline void pair_forget(struct pair *x, uint32_t i)
{
	x->dead = x->live[i];
	x->live[i] = x->live[--x->lives];
	pair_call_without_job(x->sched, x->now, x->dead);
}

/* Of what the policy does not count: jobs share it if there are limits. */
static inline uint32_t pair_name(const struct pair *x, uint32_t number,
				 uint32_t kind)
{
	return x->config.limits ? (number / 4 + kind) % 3 : number + kind;
}

static inline uint32_t pair_draw_user(struct pair *x, uint32_t number)
{
	if (!x->config.users)
		return pair_name(x, number, 1);
	if (x->config.order == FAIR_ORDER_TREE)
		return (uint32_t)fuzz_range(&x->in, 0, PAIR_USERS - 1);
	return (uint32_t)fuzz_range(&x->in, 0, x->config.users - 1);
}

/* Does it order by priority? */
static inline bool pair_has_maui(const struct pair *x)
{
	return x->config.policy == FAIR_MAUI ||
	       x->config.order == FAIR_ORDER_PRIORITY;
}

/* Whether users have shares: E / U. */
static inline bool pair_has_shares(const struct pair *x)
{
	return x->config.policy == FAIR_RELSHARE ||
	       x->config.order == FAIR_ORDER_RELSHARE;
}

static inline bool pair_has_targets(const struct pair *x)
{
	return x->config.policy == FAIR_SFS || x->config.by_target;
}

/* Has the entity a target, and is it no credential? */
static inline bool pair_is_target(const struct pair *x, uint32_t kind)
{
	return pair_has_targets(x) && kind == FAIR_ENTITY_ACCOUNT;
}

/* Accounts with a target are no credentials. */
static inline void pair_draw_maui_job(struct pair *x, struct fair_job *job,
				      struct model_request *asks)
{
	uint64_t account = job->account;

	maui_pair_draw_job(&x->in, job, asks);
	if (!pair_has_targets(x))
		return;
	job->account = account;
	asks->id[MODEL_ACCOUNT] = MODEL_NO_JOB;
}

static inline uint32_t pair_draw_account(struct pair *x, uint32_t number)
{
	if (!x->config.accounts)
		return pair_name(x, number, 3);
	return (uint32_t)fuzz_range(&x->in, 0, x->config.accounts - 1);
}

/* Often the default, the charge of the processors. */
static inline int64_t pair_draw_penalty(struct pair *x)
{
	int64_t penalty = 0;

	if (x->config.order == FAIR_ORDER_USAGE ||
	    x->config.order == FAIR_ORDER_TREE)
		penalty = fuzz_range(&x->in, -3, 12);
	return penalty < 0 ? 0 : penalty * FAIR_PENALTY_ONE / 2;
}

/* What makes a job ineligible; each kind has its own probability. */
struct pair_eligibility {
	struct fair_eligibility ours;
	struct fair_dependencies list;
	struct fair_dependency on[MODEL_DEPENDENCIES];
	struct model_eligibility models;
};

/* Dependencies on live jobs, some of which are said to have ended. */
static inline void pair_draw_dependencies(struct pair *x, bool bound,
					  struct pair_eligibility *u)
{
	static const uint32_t end[] = { FAIR_AFTER_OK, FAIR_AFTER_ANY,
					FAIR_AFTER_NOT_OK, FAIR_AFTER_START };
	uint8_t what;
	uint32_t i;

	u->list.count = 1 + fuzz_u8(&x->in) % x->config.dependencies;
	for (i = 0; i < u->list.count; i++) {
		what = fuzz_u8(&x->in);
		u->list.any = what >= 128;
		u->on[i].after = x->live[what / 4 % x->lives];
		u->on[i].end = end[what % (bound ? 3 : 4)];
		if (what % 16 == 3)
			u->on[i].ended = what / 16 % 2 ? FAIR_AFTER_OK
						       : FAIR_AFTER_NOT_OK;
		u->models.list[i].after = (uint32_t)u->on[i].after;
		u->models.list[i].end = (enum model_after)u->on[i].end;
		u->models.list[i].ended = (enum model_after)u->on[i].ended;
	}
	u->models.count = u->list.count;
	u->models.any = u->list.any;
}

static inline const struct fair_dependencies *
pair_list_of(struct pair_eligibility *u)
{
	u->list.on = u->on;
	return u->list.count ? &u->list : NULL;
}

static inline struct pair_eligibility pair_draw_eligibility(struct pair *x,
							    bool bound)
{
	uint8_t what = fuzz_u8(&x->in);
	struct pair_eligibility u;

	memset(&u, 0, sizeof(u));
	u.ours.begin = x->now - 3 + what % 32;
	u.ours.held = what >= 224;
	if (x->lives && what >= 64 && what < 192) {
		u.ours.end = what < 128 ? FAIR_AFTER_OK : FAIR_AFTER_ANY;
		u.ours.after = x->live[pair_draw_job(x)];
	}
	u.models.begin = u.ours.begin;
	u.models.held = u.ours.held;
	u.models.end = (enum model_after)u.ours.end;
	u.models.after = (uint32_t)u.ours.after;
	if (x->lives && x->config.dependencies && what % 4 == 3)
		pair_draw_dependencies(x, bound, &u);
	return u;
}

/* One to four, by a byte that another draw reads, too. */
static inline uint32_t pair_draw_tasks(const struct pair *x)
{
	return x->arrays && fuzz_more(&x->in) ? 1 + x->in.p[0] / 64 : 1;
}

/* The number of an advance reservation, live or not. */
static inline uint64_t pair_draw_advance(struct pair *x)
{
	return (uint64_t)fuzz_range(&x->in, 1, x->config.advances + 1);
}

/* With config.ids: the id of the user, group or account @i of the model. */
static inline uint64_t pair_id(uint32_t i)
{
	return i * UINT64_C(0x9e3779b97f4a7c15);
}

/* The kind that the policy counts; FAIR_ENTITY_KINDS: none. */
static inline uint32_t pair_kind(const struct fair_config *c)
{
	if (c->users)
		return c->by_group ? FAIR_ENTITY_GROUP : FAIR_ENTITY_USER;
	return c->accounts ? FAIR_ENTITY_ACCOUNT : FAIR_ENTITY_KINDS;
}

/* What the policy does not count is left out, in two ways. */
static inline void pair_name_job(const struct pair *x, struct fair_job *job)
{
	uint32_t kind;
	uint64_t *id;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		id = fair_job_id(job, kind);
		*id = kind == pair_kind(&x->config) ||
				      (kind == FAIR_ENTITY_ACCOUNT &&
				       x->config.accounts)
			      ? pair_id((uint32_t)*id)
			      : FAIR_NO_ENTITY;
	}
}

/* What the job belongs to, by the numbers of the model. */
static inline void pair_set_limited(const struct pair *x,
				    const struct fair_job *job,
				    struct model_job *m)
{
	struct fair_job ids = *job;
	uint32_t kind, i;
	uint64_t id;

	for (kind = 0; kind < MODEL_KINDS; kind++) {
		id = *fair_job_id(&ids, kind);
		for (i = 0; x->config.ids && id != FAIR_NO_ENTITY &&
			    pair_id(i) != id;
		     i++)
			;
		m->of[kind] = x->config.ids && id != FAIR_NO_ENTITY
				      ? i
				      : (uint32_t)id;
	}
}

/* They join from the last to the first, one in the place of another. */
static inline void pair_join(struct pair *x, uint32_t kind, uint32_t n,
			     int64_t (*share)(const struct pair *x, uint32_t i))
{
	struct fair_sched *s = x->sched;
	struct fair_entity e;
	uint32_t i;

	FUZZ_ASSERT(!fair_sched_add_entity(s, 0, kind, 7));
	FUZZ_ASSERT(!fair_sched_remove_entity(s, 0, kind, 7));
	for (i = n; i-- > 0;) {
		FUZZ_ASSERT(!fair_sched_add_entity(s, 0, kind, pair_id(i)));
		if (share)
			FUZZ_ASSERT(!fair_sched_set_share(s, 0, kind,
							  pair_id(i),
							  share(x, i)));
		FUZZ_ASSERT(!fair_sched_get_entity(s, kind, pair_id(i), &e));
		FUZZ_ASSERT(e.index == n - 1 - i);
	}
	FUZZ_ASSERT(fair_sched_add_entity(s, 0, kind, 7) == -FAIR_ENOSPC);
}

static inline int64_t pair_share_of(const struct pair *x, uint32_t i)
{
	return x->share[i];
}

static inline int64_t pair_target_of(const struct pair *x, uint32_t i)
{
	return x->target[i];
}

static inline void pair_join_all(struct pair *x)
{
	if (x->config.users)
		pair_join(x, pair_kind(&x->config), x->config.users,
			  pair_has_shares(x) ? pair_share_of : NULL);
	if (x->config.accounts)
		pair_join(x, FAIR_ENTITY_ACCOUNT, x->config.accounts,
			  pair_target_of);
}

static inline void pair_submit(struct pair *x, bool ineligible, bool bound)
{
	struct pair_eligibility until;
	static const struct pair_job unborn = {
		FAIR_FOREVER, FAIR_FOREVER, 0, 0, FAIR_CAUSE_NONE, { 0 }
	};
	struct fair_job job = { 0 };
	struct model_job m = { 0 };
	/* Out of order, each once: 7 and 256 are coprime. */
	uint32_t n = 4 * (x->numbers / 256 * 256 + x->numbers * 7 % 256), k;

	job.number = n;
	job.cookie = ~job.number;
	job.user = pair_draw_user(x, n);
	job.group = pair_name(x, n, 2);
	if (x->config.by_group) {
		job.group = job.user;
		job.user = pair_name(x, n, 2);
	}
	job.account = pair_draw_account(x, n);
	job.queue = pair_name(x, n, 4);
	job.qos = pair_name(x, n, 5);
	job.tasks = pair_draw_tasks(x);
	job.submit = x->now - fuzz_range(&x->in, 0, 3) / 3;
	job.walltime = fuzz_range(&x->in, 1, 20);
	job.procs = (int32_t)fuzz_range(&x->in, 1, x->config.procs + 1);
	job.penalty = pair_draw_penalty(x);
	if (pair_has_maui(x))
		pair_draw_maui_job(x, &job, &m.asks);
	if (x->config.policy == FAIR_MAUI &&
	    x->config.order == FAIR_ORDER_TREE && job.user >= PAIR_USERS)
		job.user = m.asks.id[0] = 0;
	if (bound) {
		job.advance = pair_draw_advance(x);
		job.procs = 1 + job.procs / 3;
	}
	m.advance = (uint32_t)job.advance;
	m.tasks = job.tasks;
	m.submit = job.submit;
	m.estimate = job.walltime;
	m.procs = job.procs;
	m.user = (uint32_t)(x->config.by_group ? job.group : job.user);
	m.account = (uint32_t)job.account;
	m.rate = job.penalty;
	if (x->config.ids)
		pair_name_job(x, &job);
	pair_set_limited(x, &job, &m);
	x->job = (struct pair_job *)pair_grow(x->job, &x->most_jobs, n + 1024,
					      sizeof(*x->job));
	for (k = 0; k < job.tasks; k++) {
		x->job[n + k] = unborn;
		x->job[n + k].job = job;
		x->job[n + k].job.tasks = job.tasks - k;
	}
	if (x->lives == x->config.jobs) {
		FUZZ_ASSERT(fair_sched_submit(x->sched, x->now, &job));
		return;
	}
	memset(&until, 0, sizeof(until));
	if (ineligible)
		until = pair_draw_eligibility(x, bound);
	if (PAIR_BOTH(x, submit_dependent, x->now, &job,
		      ineligible ? &until.ours : NULL, pair_list_of(&until))
		    model_submit_ineligible(x->model, x->now, n, &m,
					    ineligible ? &until.models : NULL)))
		{
			x->live[x->lives++] = n;
			x->numbers++;
			job.number += job.tasks - 1;
			job.tasks = 1;
			FUZZ_ASSERT(fair_sched_submit(x->sched, x->now,
						      &job) == -FAIR_EINVAL);
		}
}

static inline void pair_finish(struct pair *x)
{
	int32_t status = x->config.dependencies ? fuzz_u8(&x->in) % 3 : 0;
	uint32_t i = pair_draw_job(x);

	if (PAIR_BOTH(x, exit, x->now, x->live[i], status)
		    model_exit(x->model, x->now, x->live[i], status)))
		pair_forget(x, i);
}

/* Jobs that follow each other, or one of them again and one that waits. */
static inline void pair_finish_many(struct pair *x)
{
	uint32_t name[4], i = pair_draw_job(x), k, n = 0, m;
	uint8_t how = fuzz_u8(&x->in);
	struct fair_job_status j;
	uint64_t number[4];
	int32_t status[4];

	for (k = 0; k < x->lives && n < 1U + how % 4; k++, i++) {
		name[n] = x->live[i % x->lives];
		number[n] = name[n];
		status[n] = x->config.dependencies ? (int32_t)(i % 2) : 0;
		FUZZ_ASSERT(!fair_sched_lookup(x->sched, number[n], &j));
		n += j.state == FAIR_RUNNING || how >> 2 == 63;
	}
	if (n > 1 && how >> 2 == 62)
		number[n - 1] = name[n - 1] = name[0];
	if (!(PAIR_BOTH(x, finish_many, x->now, number, status, n)
		      model_finish_many(x->model, x->now, name, status, n))))
		return;
	for (k = 0; k < n; k++)
		for (m = x->lives; m-- > 0;)
			if (x->live[m] == name[k])
				pair_forget(x, m);
}

static inline void pair_cancel(struct pair *x)
{
	uint32_t i = pair_draw_job(x);

	if (PAIR_BOTH(x, cancel, x->now, x->live[i])
		    model_cancel(x->model, x->now, x->live[i])))
		pair_forget(x, i);
}

/* Also to the present size, which still passes the time. */
static inline void pair_modify(struct pair *x)
{
	uint32_t i = pair_draw_job(x);
	int32_t procs = (int32_t)fuzz_range(&x->in, 1, x->config.procs + 1);
	int64_t walltime = fuzz_range(&x->in, 0, 40);
	struct fair_job_status j;

	FUZZ_ASSERT(!fair_sched_lookup(x->sched, x->live[i], &j));
	if (j.state == FAIR_RUNNING && walltime % 8)
		procs = j.job.procs;
	if (!walltime)
		walltime = j.job.walltime;
	(void)(PAIR_BOTH(x, modify, x->now, x->live[i], procs, walltime)
			 model_modify(x->model, x->now, x->live[i], procs,
				      walltime)));
}

/* A loss names up to two jobs, perhaps one twice, perhaps queued ones. */
static inline void pair_capacity(struct pair *x)
{
	int32_t delta = (int32_t)fuzz_range(&x->in, -6, 6);
	uint32_t i[2] = { 0, 0 }, name[2] = { 0, 0 }, k;
	uint64_t victim[2] = { 0, 0 };
	struct fair_job_status j;
	size_t victims = 0;

	for (k = 0; x->lives && k < 2 && delta < 0; k++) {
		i[victims] = pair_draw_job(x);
		victim[victims] = x->live[i[victims]];
		name[victims] = x->live[i[victims]];
		FUZZ_ASSERT(!fair_sched_lookup(x->sched, victim[victims], &j));
		victims += j.state == FAIR_RUNNING && (k == 0 || delta % 2);
	}
	if (fair_sched_next(x->sched) == FAIR_FOREVER && delta < 0)
		delta = delta / 2;
	if (!(PAIR_BOTH(x, capacity, x->now, delta, victim, victims)
		      model_capacity(x->model, x->now, delta, name, victims))))
		return;
	if (victims == 2 && i[0] < i[1]) {
		pair_forget(x, i[1]);
		victims--;
	}
	for (k = 0; k < victims; k++)
		pair_forget(x, i[k]);
}

/* A job waits again; a reservation job keeps a promise. */
static inline void pair_wait_again(struct pair *x, uint32_t i)
{
	struct pair_job *j = &x->job[x->live[i]];

	j->noted = 0;
	if (!pair_keeps_promises(x) && !j->job.advance)
		j->latest = FAIR_FOREVER;
}

/* Whether the job @a waits for the job or array @b. */
static inline bool pair_is_awaited(const struct pair *x, uint64_t a, uint64_t b)
{
	struct fair_dependency d;
	uint32_t i;

	for (i = 0; fair_sched_dependency(x->sched, a, i, &d); i++)
		if (d.after >= b && d.after - b < x->job[b].job.tasks)
			return true;
	return false;
}

/* Each job of a refused cycle but the first waits for the next. */
static inline void pair_check_cycle(const struct pair *x, uint64_t number,
				    const struct fair_cycle *cycle)
{
	size_t i;

	FUZZ_ASSERT(!cycle->jobs || cycle->job[0] == number);
	for (i = 1; i < cycle->jobs; i++)
		FUZZ_ASSERT(pair_is_awaited(x, cycle->job[i],
					    cycle->job[(i + 1) %
						       cycle->jobs]));
}

static inline void pair_defer(struct pair *x, uint32_t i, bool release)
{
	bool bound = x->job[x->live[i]].job.advance != 0;
	struct pair_eligibility until = pair_draw_eligibility(x, bound);
	struct fair_cycle cycle = { NULL, PAIR_JOBS, 0 };
	uint64_t number[PAIR_JOBS];

	cycle.job = number;
	(void)(PAIR_BOTH(x, depend, x->now, x->live[i],
			 release ? NULL : &until.ours,
			 release ? NULL : pair_list_of(&until), &cycle)
		       model_defer(x->model, x->now, x->live[i],
				   release ? NULL : &until.models)));
	pair_check_cycle(x, x->live[i], &cycle);
}

static inline void pair_requeue(struct pair *x)
{
	uint32_t i = pair_draw_job(x);

	if (PAIR_BOTH(x, requeue, x->now, x->live[i])
		    model_requeue(x->model, x->now, x->live[i])))
		pair_wait_again(x, i);
}

/* Reserves in advance, from about now on; the numbers repeat. */
static inline void pair_reserve_advance(struct pair *x)
{
	struct fair_advance b = { 0 };
	struct model_advance m;
	uint8_t what = fuzz_u8(&x->in);

	b.number = 1 + what % (x->config.advances + 1);
	b.from = x->now + fuzz_range(&x->in, -3, 30);
	b.to = b.from + fuzz_range(&x->in, 1, 30);
	b.procs = (int32_t)fuzz_range(&x->in, 1, x->config.procs + 1);
	b.kind = what % 2;
	m.number = (uint32_t)b.number;
	m.from = b.from;
	m.to = b.to;
	m.procs = b.procs;
	m.bound_jobs = b.kind == FAIR_ADVANCE_USER;
	if (model_advances(x->model) == x->config.advances)
		b.number = m.number = (uint32_t)x->sched->advance[0].number;
	(void)(PAIR_BOTH(x, advance_reserve, x->now, &b, what >= 128)
		       model_advance_reserve(x->model, x->now, &m, what >= 128)));
}

static inline void pair_cancel_advance(struct pair *x)
{
	uint32_t number =
		(uint32_t)fuzz_range(&x->in, 1, x->config.advances + 1);

	(void)(PAIR_BOTH(x, advance_cancel, x->now, number)
		       model_advance_cancel(x->model, x->now, number)));
}

static inline void pair_refuse(struct pair *x)
{
	uint32_t i = pair_draw_job(x);
	int64_t until = x->now + fuzz_range(&x->in, -1, 40);

	if (until > x->now + 36)
		until = FAIR_FOREVER;
	else if (until > x->now + 24)
		until = x->now;
	if (PAIR_BOTH(x, refuse_until, x->now, x->live[i], until)
		    model_refuse_start(x->model, x->now, x->live[i],
				       until == FAIR_FOREVER ? MODEL_NEVER
							     : until)))
		pair_wait_again(x, i);
}

static inline void pair_retry(struct pair *x, uint32_t i)
{
	(void)(PAIR_BOTH(x, retry, x->now, x->live[i])
		       model_retry(x->model, x->now, x->live[i])));
}

/* Of a job and, if it is an array, of the tasks behind it. */
static inline void pair_set_penalty(struct pair *x, uint32_t i)
{
	struct pair_job *told = &x->job[x->live[i]];
	int64_t penalty = pair_draw_penalty(x);
	struct model *trial = model_clone(x->model);
	uint32_t k;

	/* All is compared at a pause, before it returns. */
	if (!model_set_rate(trial, x->now, x->live[i], penalty))
		for (k = told->job.tasks; k-- > 0;)
			told[k].job.penalty = penalty;
	model_free(trial);
	(void)(PAIR_BOTH(x, set_penalty, x->now, x->live[i], penalty)
		       model_set_rate(x->model, x->now, x->live[i], penalty)));
}

static inline void pair_suspend(struct pair *x)
{
	uint32_t i = pair_draw_job(x);

	if (PAIR_BOTH(x, suspend, x->now, x->live[i])
		    model_suspend(x->model, x->now, x->live[i])))
		pair_wait_again(x, i);
}

/* To any size, often more than is free. */
static inline void pair_resize(struct pair *x)
{
	int32_t procs = (int32_t)fuzz_range(&x->in, 0, x->config.procs);
	uint32_t i = pair_draw_job(x);
	struct pair_job *told = &x->job[x->live[i]];
	struct fair_job_status j;

	FUZZ_ASSERT(!fair_sched_lookup(x->sched, x->live[i], &j));
	j.job.procs = procs;
	if (j.state == FAIR_RUNNING)
		told->noted = x->now + 1; /* what starts now is no new start */
	(void)(PAIR_BOTH(x, resize, x->now, x->live[i], &j.job)
		       model_resize(x->model, x->now, x->live[i], procs)));
}

/* Resumes a job, or retries it if it is not suspended. */
static inline void pair_resume_or_retry(struct pair *x, uint32_t i)
{
	struct fair_job_status j;

	FUZZ_ASSERT(!fair_sched_lookup(x->sched, x->live[i], &j));
	if (j.waits & FAIR_WAITS_RESUME)
		(void)(PAIR_BOTH(x, resume_job, x->now, x->live[i])
			       model_resume_job(x->model, x->now, x->live[i])));
	else
		pair_retry(x, i);
}

/* Retry every job that waits for that, at a later time if no event is left. */
static inline void pair_retry_all(struct pair *x)
{
	bool is_idle = fair_sched_next(x->sched) == FAIR_FOREVER;
	struct fair_job_status j;
	uint32_t i;

	for (i = 0; i < x->lives; i++) {
		FUZZ_ASSERT(!fair_sched_lookup(x->sched, x->live[i], &j));
		if (j.state == FAIR_RUNNING || j.not_before != FAIR_FOREVER)
			continue;
		x->now += is_idle ? 4 : 0;
		is_idle = false;
		pair_retry(x, i);
	}
}

/* Save and load: what is loaded saves as the same checkpoint. */
static inline void pair_load_checkpoint(struct pair *x, struct fair_sched *s,
					char *memory,
					const struct fair_sched *from)
{
	size_t bytes = fair_sched_checkpoint_size(from);
	unsigned char *checkpoint = (unsigned char *)malloc(2 * bytes + 1);
	unsigned char *again = checkpoint + bytes + 1; /* unaligned */
	int damage;

	FUZZ_ASSERT(checkpoint && !(bytes % 8));
	FUZZ_ASSERT(fair_sched_save(from, checkpoint, bytes - 1) ==
		    -FAIR_ENOSPC);
	FUZZ_ASSERT(!fair_sched_save(from, checkpoint, bytes));
	FUZZ_ASSERT(fair_sched_load(s, sizeof(*s), memory, x->bytes - 1,
				    &x->config, checkpoint, bytes,
				    &damage) == -FAIR_ENOMEM);
	FUZZ_ASSERT(!fair_sched_load(s, sizeof(*s), memory, x->bytes,
				     &x->config, checkpoint, bytes, &damage));
	FUZZ_ASSERT(!damage && fair_sched_checkpoint_size(s) == bytes);
	FUZZ_ASSERT(!fair_sched_save(s, again, bytes));
	FUZZ_ASSERT(!memcmp(checkpoint, again, bytes));
	free(checkpoint);
}

/* Clones the scheduler or the copy; the clone replaces the copy. */
static inline void pair_clone(struct pair *x, bool of_copy, bool checkpoint)
{
	bool another = x->cloned && of_copy;
	const struct fair_sched *from = another ? x->copy : x->sched;
	char *memory = x->spare_memory;
	struct fair_sched s;

	FUZZ_ASSERT(fair_sched_clone(&s, memory + x->shift, x->bytes - 1,
				     from) == -FAIR_ENOMEM);
	if (checkpoint)
		pair_load_checkpoint(x, &s, memory + x->shift, from);
	else
		FUZZ_ASSERT(!fair_sched_clone(&s, memory + x->shift, x->bytes,
					      from));
	fair_sched_report_to(&s, x->config.promised, x->config.context);
	memset(x->copy_memory, 0xa5, x->bytes + x->shift);
	x->spare_memory = x->copy_memory;
	x->copy_memory = memory;
	*x->copy = s;
	x->cloned = true;
	if (!another)
		x->copy_told = x->told_all;
	if (pair_follows(x)) /* a clone and a loaded one have no limit */
		fair_sched_scan_limit(x->copy, x->scan_limit);
}

static inline void pair_clone_any(struct pair *x, uint8_t how)
{
	pair_clone(x, how % 2, how & 2);
}

/* Takes the starts of the copy's step, @room at a time. */
static inline size_t pair_take_starts(struct pair *x, size_t room,
				      uint64_t *number)
{
	struct fair_sched *s = pair_begin_call(x, x->copy);
	struct fair_decision start[PAIR_JOBS];
	int64_t now = x->now;
	size_t n, i, all = 0;

	do {
		if (fair_sched_is_unfinished(s))
			pair_between_pieces(x);
		FUZZ_ASSERT(!fair_sched_step(s, now, start, room, &n));
		for (i = 0; i < n; i++) {
			FUZZ_ASSERT(start[i].time == now &&
				    start[i].cookie ==
					    ~(start[i].number & ~UINT64_C(3)));
			number[all++] = start[i].number;
		}
	} while (n == room || fair_sched_is_unfinished(s));
	return all;
}

/* [SFS 4.2.1]: the first pass starts only jobs at or below their target. */
static inline void pair_check_first_pass(const struct pair *x, uint64_t number)
{
	int64_t occupancy, target;
	struct fair_job_status j;
	uint32_t i;

	if (x->config.policy != FAIR_SFS || afresh_of(x->sched)->pass)
		return;
	FUZZ_ASSERT(!fair_sched_lookup(x->sched, number, &j));
	if (j.job.advance)
		return;
	i = fair_sched_index(x->sched, FAIR_ENTITY_ACCOUNT, j.job.account);
	FUZZ_ASSERT(!fair_sfs_occupancy(sfs_of(x->sched), i, &occupancy,
					&target));
	FUZZ_ASSERT(occupancy - j.job.procs <= target);
	FUZZ_ASSERT(target == x->target[x->config.ids
						? x->config.accounts - 1 - i
						: i]);
}

/* What pair_step() does after the first start. */
enum pair_midst { PAIR_GO_ON, PAIR_CLONE, PAIR_CHECKPOINT };

/* Takes one start at a time, to see the promises between two starts. */
static inline size_t pair_take_each_start(struct pair *x, uint64_t *number,
					  enum pair_midst midst,
					  size_t *cloned_at)
{
	struct fair_decision start;
	size_t n, all = 0;

	x->started = UINT64_MAX;
	for (;;) {
		FUZZ_ASSERT(!fair_sched_step(pair_begin_call(x, x->sched),
					     x->now, &start, 1, &n));
		pair_move(x);
		if (!n)
			return all;
		if (x->started != start.number)
			pair_note_start(x, start.number);
		x->started = UINT64_MAX;
		pair_check_first_pass(x, start.number);
		number[all++] = start.number;
		if (midst && all == 1) {
			pair_clone(x, false, midst == PAIR_CHECKPOINT);
			*cloned_at = all;
		}
	}
}

static inline void pair_compare_cause(const struct fair_promise *p,
				      const struct model_decision *d)
{
	static const uint32_t cause[] = {
		[MODEL_ARRIVAL] = FAIR_CAUSE_EARLIER,
		[MODEL_COMPLETION] = FAIR_CAUSE_EARLIER,
		[MODEL_CANCELLED] = FAIR_CAUSE_EARLIER,
		[MODEL_GREW] = FAIR_CAUSE_EARLIER,
		[MODEL_FILL] = FAIR_CAUSE_EARLIER,
		[MODEL_OVERRUN] = FAIR_CAUSE_OVERRUN,
		[MODEL_LONGER] = FAIR_CAUSE_OVERRUN,
		[MODEL_LOST] = FAIR_CAUSE_CAPACITY,
		[MODEL_MODIFIED] = FAIR_CAUSE_MODIFIED,
		[MODEL_REFUSED] = FAIR_CAUSE_REFUSED,
		[MODEL_LATE] = FAIR_CAUSE_LATE_STEP,
		[MODEL_NO_SLOT] = FAIR_CAUSE_NO_SLOT,
		[MODEL_DEFERRED] = FAIR_CAUSE_DEFERRED,
		[MODEL_REQUEUED] = FAIR_CAUSE_REQUEUED,
		[MODEL_SUSPENDED] = FAIR_CAUSE_SUSPENDED,
		[MODEL_RELEASED] = FAIR_CAUSE_EARLIER,
		[MODEL_ADVANCE_RESERVED] = FAIR_CAUSE_CAPACITY,
		[MODEL_LIMITED] = FAIR_CAUSE_LIMIT,
		[MODEL_ADVANCE_CANCELLED] = FAIR_CAUSE_EARLIER,
		[MODEL_ADVANCE_CHANGED] = FAIR_CAUSE_ADVANCE,
	};

	FUZZ_ASSERT(p->to == d->time && p->made == d->now);
	if (d->cause == MODEL_ARRIVAL && d->by == d->number)
		FUZZ_ASSERT(p->cause == FAIR_CAUSE_ARRIVAL);
	else
		FUZZ_ASSERT(p->cause == (p->to > p->from ? cause[d->cause]
							 : FAIR_CAUSE_EARLIER));
	if (p->cause == FAIR_CAUSE_OVERRUN)
		FUZZ_ASSERT(p->culprit == d->by);
}

/* Each job's promises come in order. Those of several jobs after one event may
 * come in any order: the scheduler reports a new job last. */
static inline void pair_compare_promise(struct pair *x,
					const struct model_decision *d)
{
	struct fair_promise *p = x->told;

	while (p < x->told + x->tells && p->number != d->number)
		p++;
	FUZZ_ASSERT(p < x->told + x->tells);
	pair_compare_cause(p, d);
	memmove(p, p + 1, (size_t)(x->told + --x->tells - p) * sizeof(*p));
}

static inline void
pair_compare_decisions(struct pair *x, const uint64_t *started, size_t starts)
{
	const struct model_decision *d;
	size_t n, i, k = 0;

	FUZZ_ASSERT(!model_step(x->model, x->now, &d, &n));
	if (model_is_ambiguous(x->model))
		return;
	for (i = 0; i < n; i++) {
		if (d[i].kind == MODEL_START) {
			FUZZ_ASSERT(k < starts && started[k] == d[i].number);
			k++;
		} else {
			pair_compare_promise(x, &d[i]);
		}
	}
	FUZZ_ASSERT(k == starts && !x->tells);
}

/* Every fourth step checks why one of the first eight jobs waits. */
static inline void pair_check_why(struct pair *x)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint32_t skip = x->steps / 4 % 8;

	if (x->steps++ % 4)
		return;
	while (fair_sched_each(x->sched, FAIR_QUEUED, &at, &j))
		if (!skip--)
			why_check(x->sched, j.job.number);
	at.row = at.index = 0;
	while (fair_sched_each(x->sched, FAIR_INELIGIBLE, &at, &j))
		if (!skip--)
			why_check(x->sched, j.job.number);
}

/*
 * Both take one start at a time, and the model follows. Ends where a reaction
 * is unfinished, or the scan limit is reached; true: there is nothing left.
 */
static inline bool pair_step_in_pieces(struct pair *x, enum pair_midst midst)
{
	struct fair_decision start, copys;
	size_t n = 1, copy_n;

	while (n && pair_resume_both(x, true)) {
		FUZZ_ASSERT(!fair_sched_step(pair_begin_call(x, x->sched),
					     x->now, &start, 1, &n));
		if (x->cloned) {
			FUZZ_ASSERT(!fair_sched_step(
				pair_begin_call(x, x->copy), x->now, &copys, 1,
				&copy_n));
			FUZZ_ASSERT(copy_n == n);
			FUZZ_ASSERT(!n || copys.number == start.number);
		}
		x->copying = false;
		if (n && x->started != start.number)
			pair_note_start(x, start.number);
		x->started = UINT64_MAX;
		if (n)
			x->start = start.number;
		if (x->sched->now == x->now) /* else the step has not begun */
			pair_compare_decisions(x, &start.number, n);
		if (n && midst)
			pair_clone(x, false, midst == PAIR_CHECKPOINT);
		midst = PAIR_GO_ON;
		pair_pause(x);
	}
	return !n && !fair_sched_is_unfinished(x->sched);
}

static inline void pair_step(struct pair *x, enum pair_midst midst)
{
	uint64_t ours[PAIR_JOBS], copys[PAIR_JOBS];
	size_t starts, room, begin = 0;

	if (pair_follows(x)) {
		(void)fuzz_u8(&x->in);
		x->started = UINT64_MAX;
		if (pair_step_in_pieces(x, midst))
			pair_check_why(x);
		return;
	}
	room = (size_t)fuzz_range(&x->in, 1, PAIR_JOBS);
	starts = pair_take_each_start(x, ours, midst, &begin);
	pair_compare_decisions(x, ours, starts);
	if (starts && x->config.policy == FAIR_MAUI)
		maui_pair_check_limits(&x->maui, x->sched);
	pair_check_why(x);
	if (!x->cloned)
		return;
	memcpy(copys, ours, begin * sizeof(*ours));
	FUZZ_ASSERT(pair_take_starts(x, room, copys + begin) == starts - begin);
	FUZZ_ASSERT(!memcmp(ours, copys, starts * sizeof(*ours)));
	x->copying = false;
}

/* Advances the time, at most to the next instant unless @late. */
static inline void pair_wait(struct pair *x, int64_t seconds, bool late)
{
	int64_t next;

	pair_step(x, PAIR_GO_ON);
	next = fair_sched_next(x->sched);
	if (late)
		x->now += seconds;
	else if (seconds == INT64_MAX && next == FAIR_FOREVER)
		return; /* reservation jobs without reservation are left */
	else if (seconds > 0 && next > x->now)
		x->now = next - x->now < seconds ? next : x->now + seconds;
}

static inline void pair_defer_any(struct pair *x)
{
	uint32_t i = pair_draw_job(x);

	pair_defer(x, i, fuzz_u8(&x->in) % 2);
}

static inline void pair_draw_tree_change(struct pair *x,
					 struct model_tree_change *c)
{
	static const uint32_t shares[] = { 1, 1, 2, 3, 0,
					   FAIR_FAIRTREE_PARENT };

	c->what = "aursmmss"[fuzz_u8(&x->in) % 8];
	c->node = (uint32_t)fuzz_range(&x->in, 0, PAIR_NODES - 1);
	c->parent = (uint32_t)fuzz_range(&x->in, PAIR_USERS, PAIR_NODES);
	c->shares = shares[fuzz_u8(&x->in) % 6];
}

static inline int pair_tree_call(struct pair *x, struct fair_sched *s,
				 const struct model_tree_change *c,
				 uint32_t parent)
{
	s = pair_begin_call(x, s);
	switch (c->what) {
	case 'a':
		return fair_sched_tree_add_account(s, x->now, c->node, parent,
						   c->shares);
	case 'u':
		return fair_sched_tree_add_user(s, x->now, c->node, parent,
						c->shares);
	case 'r':
		return fair_sched_tree_remove(s, x->now, c->node);
	case 'm':
		return fair_sched_tree_move(s, x->now, c->node, parent);
	default:
		return fair_sched_tree_set_shares(s, x->now, c->node,
						  c->shares);
	}
}

/* The users that jobs are drawn of stay: the model has no other numbers. */
static inline void pair_change_tree(struct pair *x)
{
	struct model_tree_change c;
	uint32_t parent;
	int want, got, copy;

	pair_draw_tree_change(x, &c);
	if (c.what == 'r' && c.node < PAIR_USERS)
		c.what = 's';
	parent = c.parent == PAIR_NODES ? FAIR_FAIRTREE_ROOT : c.parent;
	want = model_change_tree(x->model, x->now, &c);
	got = pair_tree_call(x, x->sched, &c, parent);
	copy = x->cloned ? pair_tree_call(x, x->copy, &c, parent) : got;
	FUZZ_ASSERT(got == copy && !want == !got);
	FUZZ_ASSERT(!got || got == -FAIR_EINVAL || got == -FAIR_ENOENT);
}

/* CHANGES OF JOBS THAT WAIT */

/* Its key and its comparisons change, if the order has any, and it waits. */
static inline void pair_reprioritize(struct pair *x)
{
	uint32_t number = x->live[pair_draw_job(x)];
	uint8_t *changed = &pair_changed[number % PAIR_CHANGED], was = *changed;
	struct fair_job_status j;

	/* What is left of a compression goes by the order that was. */
	if (pair_follows(x))
		pair_resume_both(x, false);
	/* What arrives by now is planned by the order that was, as well. */
	if (x->config.policy == FAIR_DC && x->sched->now < x->now)
		pair_step(x, PAIR_GO_ON);
	FUZZ_ASSERT(!fair_sched_lookup(x->sched, number, &j));
	if (j.state == FAIR_QUEUED || j.state == FAIR_DISPLACED)
		*changed = fuzz_u8(&x->in) % 8;
	if (!(PAIR_BOTH(x, reprioritize, x->now, number)
		      model_reprioritize(x->model, x->now, number))))
		*changed = was;
}

/* As many names as a submitted job has; the model has the user, the account. */
static inline void pair_draw_names(struct pair *x, struct fair_job *job,
				   struct model_job *m)
{
	struct fair_job drawn = *job;
	uint32_t n = (uint32_t)job->number;

	m->user = pair_draw_user(x, n);
	m->account = pair_draw_account(x, n);
	if (pair_has_maui(x)) {
		drawn.account = m->account;
		pair_draw_maui_job(x, &drawn, &m->asks);
		if (x->config.order == FAIR_ORDER_TREE &&
		    drawn.user >= PAIR_USERS)
			drawn.user = m->asks.id[0] = 0;
		m->user = (uint32_t)drawn.user;
		job->user = drawn.user;
		job->group = drawn.group;
		job->account = drawn.account;
		job->qos = drawn.qos;
		job->queue = drawn.queue;
		return;
	}
	job->account = m->account;
	if (x->config.by_group)
		job->group = m->user;
	else
		job->user = m->user;
	if (x->config.limits)
		job->queue = fuzz_u8(&x->in) % 3;
	if (x->config.ids)
		pair_name_job(x, job);
}

/* Of the job @number and all tasks behind it. */
static inline void pair_note_names(struct pair *x, uint32_t number,
				   const struct fair_job *ids)
{
	struct fair_job *told;
	uint32_t k;

	for (k = x->job[number].job.tasks; k-- > 0;) {
		told = &x->job[number + k].job;
		told->user = ids->user;
		told->group = ids->group;
		told->account = ids->account;
		told->qos = ids->qos;
		told->queue = ids->queue;
	}
}

static inline void pair_reassign(struct pair *x)
{
	uint32_t number = x->live[pair_draw_job(x)];
	struct fair_job ids = x->job[number].job;
	struct model_job m = { 0 };
	struct model *trial;

	ids.number = number;
	pair_draw_names(x, &ids, &m);
	pair_set_limited(x, &ids, &m);
	/* All is compared at a pause, before it returns. */
	trial = model_clone(x->model);
	if (!model_reassign(trial, x->now, number, &m))
		pair_note_names(x, number, &ids);
	model_free(trial);
	(void)(PAIR_BOTH(x, reassign, x->now, number, &ids)
			 model_reassign(x->model, x->now, number, &m)));
}

static inline void pair_note_tasks(struct pair *x, uint32_t first,
				   uint32_t tasks)
{
	uint32_t i;

	for (i = 0; i < tasks; i++)
		x->job[first + i].job.tasks = tasks - i;
}

static inline void pair_split_task(struct pair *x)
{
	uint32_t first = x->live[pair_draw_job(x)], k;
	uint32_t tasks = x->job[first].job.tasks;
	struct model *trial = model_clone(x->model);

	k = (uint32_t)fuzz_range(&x->in, 0, tasks - 1);
	if (!model_split_task(trial, x->now, first + k)) {
		pair_note_tasks(x, first, k);
		pair_note_tasks(x, first + k, 1);
	}
	model_free(trial);
	if (!(PAIR_BOTH(x, split_task, x->now, first + k)
		      model_split_task(x->model, x->now, first + k))))
		return;
	if (k)
		x->live[x->lives++] = first + k;
	if (k + 1 < tasks)
		x->live[x->lives++] = first + k + 1;
}

static inline void pair_limit_tasks(struct pair *x)
{
	uint32_t number = x->live[pair_draw_job(x)];
	uint32_t most = fuzz_u8(&x->in) % 4;

	(void)(PAIR_BOTH(x, limit_tasks, x->now, number, most)
			 model_limit_tasks(x->model, x->now, number, most)));
}

/* LIMITS */

/* With config.ids: how many of a kind of entity there are. */
static inline uint32_t pair_most_ids(const struct pair *x, uint32_t kind)
{
	if (kind == FAIR_ENTITY_ACCOUNT && x->config.accounts)
		return x->config.accounts;
	return kind == pair_kind(&x->config) ? x->config.users : 0;
}

/* What the scheduler calls it. */
static inline struct fair_limit pair_limit(const struct pair *x,
					   const struct model_limit *limit)
{
	struct fair_limit l;

	l.kind = limit->kind;
	l.resource = limit->resource == MODEL_LIMIT_BUDGET ? FAIR_LIMIT_BUDGET
							   : limit->resource;
	l.id = limit->whose == MODEL_NO_JOB ? FAIR_LIMIT_EACH
	       : x->config.ids		    ? pair_id(limit->whose)
					    : limit->whose;
	l.amount = limit->amount;
	return l;
}

static inline void pair_set_limit(struct pair *x,
				  const struct model_limit *limit)
{
	struct fair_limit l = pair_limit(x, limit);

	(void)(PAIR_BOTH(x, limit, x->now, &l)
			 model_limit(x->model, x->now, limit)));
}

/* The entity that has a limit of a kind. */
static inline uint32_t pair_limited_entity(uint32_t kind)
{
	return kind < MODEL_KINDS ? kind
	       : kind < MODEL_LIMIT_TREE
		       ? kind - MODEL_LIMIT_GROUP_USER + FAIR_ENTITY_GROUP
		       : FAIR_ENTITY_USER;
}

/* Often below what jobs ask for, at times above all. */
static inline void pair_draw_limit(struct pair *x)
{
	struct model_limit limit = { 0, 0, 0, 0, 0 };
	uint8_t what = fuzz_u8(&x->in);

	limit.kind = what % MODEL_LIMIT_KINDS;
	limit.resource = what / 8 % 2;
	limit.whose = what / 16 % 4;
	limit.amount = fuzz_range(&x->in, -4, x->config.procs + 2);
	if (limit.resource == MODEL_LIMIT_JOBS)
		limit.amount /= 3;
	if (limit.amount < 0)
		limit.amount = MODEL_NEVER;
	if (limit.kind == MODEL_LIMIT_TREE)
		limit.whose = PAIR_USERS + what / 16 % 8; /* accounts */
	else if (limit.whose == 3 ||
		 (x->config.ids &&
		  limit.whose >=
			  pair_most_ids(x, pair_limited_entity(limit.kind))))
		limit.whose = MODEL_NO_JOB;
	pair_set_limit(x, &limit);
}

/* A budget comes, changes or goes, or what was used of it is another. */
static inline void pair_draw_budget(struct pair *x)
{
	struct model_limit budget = { 0, MODEL_LIMIT_BUDGET, 0, 0, 0 };
	uint8_t what = fuzz_u8(&x->in);
	struct fair_limit l;

	budget.kind = what % 6 < MODEL_KINDS ? what % 6 : MODEL_LIMIT_TREE;
	budget.whose = what / 6 % 3;
	if (budget.kind == MODEL_LIMIT_TREE)
		budget.whose = PAIR_USERS + what / 6 % 8;
	else if (x->config.ids &&
		 budget.whose >= pair_most_ids(x, budget.kind))
		return;
	budget.amount = fuzz_range(&x->in, -20, 200);
	l = pair_limit(x, &budget);
	FUZZ_ASSERT(fair_sched_get_spent(x->sched, &l) ==
		    model_spent(x->model, &budget));
	if (what < 180) {
		if (budget.amount < 0)
			budget.amount = MODEL_NEVER;
		pair_set_limit(x, &budget);
	} else if (budget.amount >= 0) {
		(void)(PAIR_BOTH(x, set_spent, x->now, &l, budget.amount)
				 model_set_spent(x->model, x->now, &budget,
						 budget.amount)));
	}
}

/* Those of an entity, or of each of a kind. */
static inline void pair_drop_limits(struct pair *x, uint32_t entity,
				    uint32_t whose)
{
	struct model_limit limit = { 0, 0, whose, MODEL_NEVER, 0 };

	for (; limit.kind < MODEL_LIMIT_TREE; limit.kind++)
		for (limit.resource = 0;
		     limit.resource <= MODEL_LIMIT_BUDGET &&
		     pair_limited_entity(limit.kind) == entity;
		     limit.resource++)
			pair_set_limit(x, &limit);
}

static inline void pair_drop_tree_limits(struct pair *x)
{
	struct model_limit limit = { MODEL_LIMIT_TREE, 0, 0, MODEL_NEVER, 0 };

	for (; limit.whose < PAIR_NODES; limit.whose++)
		for (limit.resource = 0; limit.resource <= MODEL_LIMIT_BUDGET;
		     limit.resource++)
			pair_set_limit(x, &limit);
}

/* CHANGES OF USERS, ACCOUNTS AND CREDENTIALS */

struct pair_entity {
	uint32_t kind, index;
	uint64_t id;
};

static inline bool pair_draw_entity(struct pair *x, struct pair_entity *e)
{
	bool maui = pair_has_maui(x);
	uint32_t n = x->config.users ? x->config.users : x->config.accounts;
	uint8_t what = fuzz_u8(&x->in);

	e->kind = maui ? what % MODEL_KINDS : pair_kind(&x->config);
	if (pair_has_targets(x) &&
	    (what % 2 || e->kind == FAIR_ENTITY_ACCOUNT)) {
		maui = false;
		e->kind = FAIR_ENTITY_ACCOUNT;
		n = x->config.accounts;
	}
	e->index = what / 8 % (maui ? MODEL_IDS : n ? n : 1);
	e->id = x->config.ids ? pair_id(e->index) : e->index;
	return e->kind < FAIR_ENTITY_KINDS &&
	       (pair_has_maui(x) || x->config.order != FAIR_ORDER_TREE);
}

/* The scheduler says what the model does, where that is exact. */
static inline void pair_compare_usage(const struct pair *x,
				      const struct pair_entity *e)
{
	bool rounded = x->config.order == FAIR_ORDER_USAGE;
	struct fair_entity got;
	uint64_t off;

	if (pair_has_maui(x)
		    ? !x->maui.model.usage || pair_is_target(x, e->kind)
		    : (!pair_has_shares(x) || x->config.decays) && !rounded)
		return;
	if (rounded && e->kind != FAIR_ENTITY_USER)
		return;
	FUZZ_ASSERT(!fair_sched_get_entity(x->sched, e->kind, e->id, &got));
	off = got.usage + 1 -
	      (uint64_t)model_used(x->model, (int)e->kind, e->index);
	FUZZ_ASSERT(rounded ? off <= 2 : off == 1);
}

static inline void pair_set_usage(struct pair *x, const struct pair_entity *e,
				  uint64_t usage)
{
	(void)(PAIR_BOTH(x, set_usage, x->now, e->kind, e->id, usage)
			 model_set_usage(x->model, x->now, (int)e->kind,
					 e->index, (int64_t)usage)));
}

static inline void pair_credit(struct pair *x, const struct pair_entity *e)
{
	uint64_t amount = (uint64_t)fuzz_range(&x->in, 0, 4095), off;
	struct fair_credit c;
	int64_t taken = 0;

	if (!(PAIR_BOTH(x, credit, x->now, e->kind, e->id, amount, 4711)
		      model_credit(x->model, x->now, (int)e->kind, e->index,
				   (int64_t)amount, &taken))))
		return;
	if (!fair_sched_get_credit(x->sched, 0, &c)) {
		FUZZ_ASSERT(!x->config.credits);
		return;
	}
	off = (uint64_t)taken - c.taken + 1;
	FUZZ_ASSERT(x->config.order == FAIR_ORDER_USAGE ? off <= 2 : off == 1);
	FUZZ_ASSERT(c.time == x->now && c.id == e->id && c.kind == e->kind);
	FUZZ_ASSERT(c.reason == 4711 && c.amount == amount);
}

static inline void pair_set_share(struct pair *x, const struct pair_entity *e,
				  int64_t share)
{
	if (!(PAIR_BOTH(x, set_share, x->now, e->kind, e->id, share)
		      model_set_share(x->model, x->now, e->index, share))))
		return;
	if (pair_has_targets(x))
		x->target[e->index] = share;
	else
		x->share[e->index] = (uint32_t)share;
}

/* From now on checkpoints are loaded with it, too. */
static inline void pair_set_half_life(struct pair *x)
{
	int64_t half_life = fuzz_range(&x->in, -50, 200);

	bool tree = x->config.order == FAIR_ORDER_TREE;

	half_life = half_life < 0 ? 0 : half_life;
	if (x->config.order != FAIR_ORDER_USAGE && !(tree && half_life)) {
		FUZZ_ASSERT(fair_sched_set_half_life(x->sched, x->now,
						     half_life) ==
			    -FAIR_EINVAL);
		return;
	}
	x->config.half_life = half_life;
	if (tree)
		FUZZ_ASSERT(!fair_fairtree_set_half_life(&x->tree, 0, half_life,
							 1, 1));
	FUZZ_ASSERT(PAIR_BOTH(x, set_half_life, x->now, half_life)
			model_set_half_life(x->model, x->now, half_life)));
}

static inline void pair_set_window(struct pair *x)
{
	int64_t window = fuzz_range(&x->in, 1, 255);
	uint64_t decay = 0;
	bool decays = true;

	if (pair_has_maui(x)) {
		decays = window % 2;
		decay = decays ? 0 : FAIR_USAGE_ONE;
		x->maui.config.interval = window = 1 + window / 4;
		x->maui.config.decay = decay;
	} else if (pair_has_shares(x)) {
		x->config.window = window;
	} else {
		FUZZ_ASSERT(fair_sched_set_window(x->sched, x->now, window,
						  0) == -FAIR_EINVAL);
		return;
	}
	FUZZ_ASSERT(PAIR_BOTH(x, set_window, x->now, window, decay)
			model_set_window(x->model, x->now, window, decays)));
}

/* Limits become higher: running jobs stay within them. */
static inline void pair_set_credential(struct pair *x,
				       const struct pair_entity *e)
{
	struct fair_maui_credential *c =
		&x->maui.credential[e->kind][e->index];
	struct model_credential *m =
		&x->maui.model.credential[e->kind][e->index];
	int r = fuzz_u8(&x->in) % FAIR_THROTTLE_RESOURCES;

	c->priority = m->priority = maui_pair_draw_weight(&x->in);
	c->has_target = m->has_target = fuzz_u8(&x->in) % 4;
	m->target = fuzz_u8(&x->in) % 4;
	c->target.kind = (enum fair_usage_kind)m->target;
	c->target.points = m->points = fuzz_range(&x->in, 0, 100) << 20;
	if (c->hard[r] < 1000)
		c->hard[r] += fuzz_u8(&x->in) % 4;
	m->limit[1][r] = c->hard[r];
	FUZZ_ASSERT(PAIR_BOTH(x, set_credential, x->now, e->kind, e->id, c)
			model_set_credential(x->model, x->now, (int)e->kind,
					     e->index, m)));
}

static inline bool pair_has_job_of(struct pair *x, const struct pair_entity *e)
{
	struct fair_job job;
	uint32_t i;

	for (i = 0; i < x->lives; i++) {
		job = x->job[x->live[i]].job;
		if (*fair_job_id(&job, e->kind) == e->id)
			return true;
	}
	return false;
}

/* One without jobs leaves, and joins again: it has used nothing. */
static inline void pair_leave_and_join(struct pair *x,
				       const struct pair_entity *e)
{
	int64_t share;

	if (!x->config.ids)
		return;
	share = e->kind == FAIR_ENTITY_ACCOUNT ? x->target[e->index]
					       : x->share[e->index];
	if (pair_has_job_of(x, e)) {
		FUZZ_ASSERT(fair_sched_remove_entity(x->sched, x->now, e->kind,
						     e->id) == -FAIR_EINVAL);
		return;
	}
	pair_set_usage(x, e, 0);
	if (x->config.limits)
		pair_drop_limits(x, e->kind, e->index);
	FUZZ_ASSERT(PAIR_BOTH(x, remove_entity, x->now, e->kind, e->id)
			model_forget(x->model, x->now, e->index)));
	FUZZ_ASSERT(PAIR_BOTH(x, add_entity, x->now, e->kind, e->id)
			model_forget(x->model, x->now, e->index)));
	if (pair_has_shares(x) || e->kind == FAIR_ENTITY_ACCOUNT)
		pair_set_share(x, e, share);
}

static inline void pair_change_entity(struct pair *x)
{
	struct pair_entity e;

	if (!pair_draw_entity(x, &e)) {
		if (x->config.order != FAIR_ORDER_TREE)
			return;
		if (fuzz_u8(&x->in) % 4)
			pair_set_half_life(x);
		else
			FUZZ_ASSERT(PAIR_BOTH(x, reset_usage, x->now)
					model_reset_usage(x->model, x->now)));
		return;
	}
	if (x->sched->now == x->now)
		pair_compare_usage(x, &e);
	switch (fuzz_u8(&x->in) % 8) {
	case 0:
		pair_set_usage(x, &e, (uint64_t)fuzz_range(&x->in, 0, 4095));
		break;
	case 1:
	case 2:
		pair_credit(x, &e);
		break;
	case 3:
		FUZZ_ASSERT(PAIR_BOTH(x, reset_usage, x->now)
				model_reset_usage(x->model, x->now)));
		break;
	case 4:
		if (pair_has_maui(x) && !pair_is_target(x, e.kind))
			pair_set_credential(x, &e);
		else if (!x->config.tree &&
			 pair_has_targets(x) == (e.kind ==
						 FAIR_ENTITY_ACCOUNT))
			pair_set_share(x, &e, fuzz_u8(&x->in) % 4);
		break;
	case 5:
		pair_set_half_life(x);
		break;
	case 6:
		pair_set_window(x);
		break;
	default:
		pair_leave_and_join(x, &e);
	}
	pair_compare_usage(x, &e);
}

/* Events of bytes from 230 on. */
static inline void pair_change(struct pair *x, uint8_t what)
{
	if (what < 242)
		pair_change_entity(x);
	else if (what >= 254)
		(void)(PAIR_BOTH(x, replan, x->now)
				 model_replan(x->model, x->now)));
	else if (!x->lives)
		return;
	else if (what < 245)
		pair_reprioritize(x);
	else if (what < 248)
		pair_reassign(x);
	else if (what < 252)
		pair_split_task(x);
	else
		pair_limit_tasks(x);
}

static inline void pair_event(struct pair *x)
{
	uint8_t advances = x->config.advances ? fuzz_u8(&x->in) : 255;
	uint8_t what, limits = x->config.limits ? fuzz_u8(&x->in) : 128;

	if (limits < 40)
		pair_draw_limit(x);
	else if (limits >= 216)
		pair_draw_budget(x);
	if (advances < 24)
		pair_reserve_advance(x);
	else if (advances < 32)
		pair_cancel_advance(x);
	else if (advances < 96)
		pair_submit(x, advances < 40, true);
	what = fuzz_u8(&x->in);
	if (what >= 230 && x->events) {
		pair_change(x, what);
		return;
	}
	what %= 23;

	if (what < 5 || what == 18)
		pair_submit(x, what == 18 && x->events, false);
	else if (what == 7 && x->config.order == FAIR_ORDER_TREE)
		pair_change_tree(x);
	else if (what < 9)
		pair_wait(x, fuzz_range(&x->in, 0, 15), what == 8 && x->events);
	else if (what == 9)
		pair_clone_any(x, fuzz_u8(&x->in));
	else if (what == 16 || what == 17)
		pair_step(x, what == 16 ? PAIR_CLONE : PAIR_CHECKPOINT);
	else if (what == 15 && x->events)
		pair_capacity(x);
	else if (!x->lives)
		return;
	else if (what == 11 && x->events)
		pair_finish_many(x);
	else if (what < 12 || !x->events)
		pair_finish(x);
	else if (what == 12)
		pair_cancel(x);
	else if (what == 13)
		pair_modify(x);
	else if (what == 20 && (x->config.order == FAIR_ORDER_USAGE ||
				x->config.order == FAIR_ORDER_TREE))
		pair_set_penalty(x, pair_draw_job(x));
	else if (what == 19 || what == 20)
		pair_defer_any(x);
	else if (what == 21 && fuzz_more(&x->in) && x->in.p[0] % 2)
		pair_suspend(x);
	else if (what == 21 && fuzz_more(&x->in) && fuzz_u8(&x->in) % 4)
		pair_resize(x);
	else if (what == 21)
		pair_requeue(x);
	else if (what == 22)
		pair_resume_or_retry(x, pair_draw_job(x));
	else
		pair_refuse(x);
}

/* Restores the capacity, then plays all jobs to their ends. */
static inline void pair_drain(struct pair *x)
{
	struct fair_job_status j;
	uint32_t i, rounds;

	(void)(PAIR_BOTH(x, capacity, x->now, 2 * PAIR_PROCS, NULL, 0)
			 model_capacity(x->model, x->now, 2 * PAIR_PROCS, NULL,
					0)));
	for (i = 0; i < x->lives; i++)
		pair_defer(x, i, true);
	for (i = 0; x->config.limits && i < 5 * 4; i++)
		pair_drop_limits(x, i / 4,
				 i % 4 == 3 || (x->config.ids &&
						i % 4 >= pair_most_ids(x, i / 4))
					 ? MODEL_NO_JOB
					 : i % 4);
	if (x->config.limits)
		pair_drop_tree_limits(x);
	for (rounds = 0; x->lives && rounds < 100 * PAIR_JOBS; rounds++) {
		pair_wait(x, INT64_MAX, false);
		if (model_is_ambiguous(x->model))
			return;
		if (fair_sched_is_unfinished(x->sched))
			continue; /* a retry at the same second is in vain */
		pair_retry_all(x);
		for (i = x->lives; i-- > 0;) {
			FUZZ_ASSERT(
				!fair_sched_lookup(x->sched, x->live[i], &j));
			if (j.state == FAIR_INELIGIBLE && j.start == FAIR_FOREVER) {
				FUZZ_ASSERT(PAIR_BOTH(x, cancel, x->now,
						      x->live[i])
						model_cancel(x->model, x->now,
							     x->live[i])));
				pair_forget(x, i);
				continue;
			}
			if (j.state != FAIR_RUNNING || j.end > x->now)
				continue;
			FUZZ_ASSERT(PAIR_BOTH(x, finish, x->now, x->live[i])
					model_finish(x->model, x->now,
						     x->live[i])));
			pair_forget(x, i);
		}
		pair_compare_both(x);
	}
	FUZZ_ASSERT(!x->lives);
}

/* Users are nodes 0 to 3; 12 is the root, as the model has it. */
static inline void pair_draw_tree(struct pair *x, struct model_rules *rules)
{
	struct fairtree_model *m =
		(struct fairtree_model *)malloc(sizeof(*m));
	struct model_tree_change c;
	uint32_t i, parent;

	FUZZ_ASSERT(m);
	fairtree_model_init(m, PAIR_NODES);
	FUZZ_ASSERT(!fair_fairtree_init(&x->tree, sizeof(x->tree),
					x->tree_memory, sizeof(x->tree_memory),
					PAIR_NODES, x->config.half_life));
	for (i = PAIR_NODES; i-- > 0;) {
		pair_draw_tree_change(x, &c);
		if (c.parent <= i ||
		    (c.parent < PAIR_NODES && m->node[c.parent].kind != 'a'))
			c.parent = PAIR_NODES;
		parent = c.parent == PAIR_NODES ? FAIR_FAIRTREE_ROOT : c.parent;
		if (i >= PAIR_USERS && c.what == 's')
			continue;
		fairtree_model_add(m, i < PAIR_USERS ? 'u' : 'a', i, c.parent,
				   c.shares);
		FUZZ_ASSERT(!(i < PAIR_USERS
				      ? fair_fairtree_add_user(&x->tree, i,
							       parent, c.shares)
				      : fair_fairtree_add_account(
						&x->tree, i, parent, c.shares)));
	}
	x->config.ids = 0;
	x->config.users = PAIR_NODES;
	x->config.tree = &x->tree;
	rules->tree = m;
}

/* Shares of a tree; false: their sum is too large for the model. */
static inline bool pair_draw_share_tree(struct pair *x,
					struct model_rules *rules)
{
	uint32_t users = x->config.users, ids = x->config.ids;

	x->config.half_life = 100;
	pair_draw_tree(x, rules);
	rules->users = PAIR_NODES;
	if (sched_relshare_takes(rules))
		return true;
	fairtree_model_free((struct fairtree_model *)rules->tree);
	free((void *)rules->tree);
	rules->tree = NULL;
	x->config.tree = NULL;
	x->config.users = users;
	x->config.ids = ids;
	return false;
}

/* Windows are shorter than a job or longer than a run. */
static inline void pair_draw_shares(struct pair *x, struct model_rules *rules)
{
	uint32_t i, how;

	x->config.users = (uint32_t)fuzz_range(&x->in, 1, PAIR_USERS);
	x->config.window = fuzz_range(&x->in, 1, 255);
	how = fuzz_u8(&x->in);
	x->config.only_used = how % 2;
	x->config.by_group = how / 2 % 2;
	x->config.decays = how / 4 % 2;
	x->config.by_difference = fuzz_u8(&x->in) % 2;
	x->config.window_origin = (int64_t)(how / 8) * 11 - 100;
	for (i = 0; i < x->config.users; i++)
		x->share[i] = (uint32_t)fuzz_range(&x->in, 0, 3);
	if (how / 8 % 4 == 3 && pair_draw_share_tree(x, rules)) {
		rules->users = PAIR_NODES;
	} else {
		x->config.share = x->share;
		rules->users = x->config.users;
		rules->share = x->share;
	}
	rules->window = x->config.window;
	rules->window_origin = x->config.window_origin;
	rules->decays = x->config.decays;
	rules->only_used = x->config.only_used;
	rules->by_difference = x->config.by_difference;
}

/* Targets are from 0 to more than the machine. */
static inline void pair_draw_targets(struct pair *x, struct model_rules *rules)
{
	uint32_t i;

	x->config.accounts = (uint32_t)fuzz_range(&x->in, 1, PAIR_USERS);
	for (i = 0; i < x->config.accounts; i++)
		x->target[i] = fuzz_range(&x->in, 0, PAIR_PROCS + 1);
	x->config.target = x->target;
	rules->target = x->target;
}

/* Sets the caller's own order, if the policy allows one, and refusals. */
static inline void pair_draw_hooks(struct pair *x, struct model_rules *rules,
				   uint8_t what)
{
	if (what >= 216)
		x->config.order = FAIR_ORDER_KEY + what % 2;
	x->config.key = pair_key;
	x->config.compare = pair_compare;
	rules->key = pair_model_key;
	rules->compare = pair_model_compare;
	x->arrays = what >= 180 && what % 3;
	if (what < 180 || what / 9 % 2)
		return;
	x->config.fits = pair_fits;
	rules->fits = pair_model_fits;
}

/* Sets a ledger of the caller's, if the model knows the policy with one. */
static inline void pair_draw_ledger(struct pair *x, struct model_rules *rules,
				    uint8_t what)
{
	x->ledger.name = "pair";
	x->ledger.size = pair_ledger_size;
	x->ledger.init = pair_ledger_init;
	x->ledger.clone = pair_ledger_clone;
	if (x->config.policy > FAIR_SFS)
		return;
	x->config.ledger = &x->ledger;
	if (what % 5 == 4 && x->config.policy != FAIR_CONSERVATIVE &&
	    x->config.policy != FAIR_PC) {
		x->ledger.gate = pair_gate;
		rules->gate = pair_model_gate;
	}
	if (what % 7 > 4) {
		x->ledger.veto = pair_veto;
		rules->veto = pair_model_veto;
	}
}

/* pc and dc have every order. */
static inline void pair_draw_promised_order(struct pair *x)
{
	uint8_t how;

	if ((x->config.policy != FAIR_PC && x->config.policy != FAIR_DC) ||
	    x->config.order < FAIR_ORDER_LJF ||
	    x->config.order > FAIR_ORDER_NARROWEST)
		return;
	how = fuzz_u8(&x->in) % 4;
	if (how == 1) {
		x->config.order = FAIR_ORDER_PRIORITY;
		x->config.ids = 0;
	} else if (how >= 2) {
		x->config.order = FAIR_ORDER_RELSHARE;
	}
}

/* Sets an order that the policy allows; half-lives may be below a walltime. */
static inline void pair_draw_order(struct pair *x, struct model_rules *rules)
{
	uint8_t how;

	if (x->config.policy == FAIR_MAUI &&
	    x->config.order == FAIR_ORDER_USAGE) {
		x->config.order = FAIR_ORDER_TREE;
		x->config.half_life = fuzz_range(&x->in, 1, 200);
	} else if (x->config.policy == FAIR_CONSERVATIVE ||
	    x->config.policy >= FAIR_RELSHARE)
		x->config.order = FAIR_ORDER_FCFS;
	if (x->config.policy == FAIR_SFS &&
	    x->config.order >= FAIR_ORDER_LJF &&
	    x->config.order <= FAIR_ORDER_NARROWEST && fuzz_u8(&x->in) % 2) {
		x->config.order = FAIR_ORDER_PRIORITY;
		x->config.ids = 0;
	}
	pair_draw_promised_order(x);
	if (x->config.order == FAIR_ORDER_TWO_TERM)
		x->config.weight = fuzz_range(&x->in, 0, 4);
	if (x->config.order == FAIR_ORDER_USAGE) {
		x->config.users = (uint32_t)fuzz_range(&x->in, 1, PAIR_USERS);
		how = fuzz_u8(&x->in);
		if (how % 2)
			x->config.half_life = fuzz_range(&x->in, 1, 200);
		if (how % 4 == 3)
			x->config.order = FAIR_ORDER_TREE;
	}
	if (x->config.order == FAIR_ORDER_TREE)
		pair_draw_tree(x, rules);
	rules->order = x->config.order == FAIR_ORDER_TREE ? MODEL_BY_TREE
		       : x->config.order == FAIR_ORDER_PRIORITY
			       ? MODEL_BY_FCFS
		       : x->config.order == FAIR_ORDER_RELSHARE
			       ? MODEL_BY_RELSHARE
			       : (enum model_order)x->config.order;
	rules->weight = x->config.weight;
	rules->half_life = x->config.half_life;
}

static inline void pair_new(struct pair *x, uint32_t first_policy)
{
	static const enum model_policy policy[] = {
		MODEL_FCFS, MODEL_EASY, MODEL_CONSERVATIVE, MODEL_PC,
		MODEL_DC,   MODEL_SFS,  MODEL_RELSHARE,	    MODEL_EASY
	};
	bool all = !first_policy || first_policy > FAIR_DC;
	struct model_rules rules = { 0 };

	x->config.policy = (uint32_t)fuzz_range(
		&x->in, first_policy, all ? FAIR_MAUI : FAIR_DC);
	x->config.order = (uint32_t)fuzz_range(&x->in, 0, FAIR_ORDER_USAGE);
	x->config.depth = (uint32_t)fuzz_range(&x->in, 1, 4);
	x->config.procs = (int32_t)fuzz_range(&x->in, 1, PAIR_PROCS);
	x->config.jobs = PAIR_JOBS - (uint32_t)fuzz_range(&x->in, 0, 7);
	x->config.ineligible = x->config.jobs;
	x->config.promised = pair_check_promise;
	x->config.context = x;
	if (fuzz_more(&x->in)) {
		pair_draw_hooks(x, &rules, x->in.p[0]);
		pair_draw_ledger(x, &rules, x->in.p[0]);
	}
	if (x->events && fuzz_more(&x->in))
		x->config.dependencies = x->in.p[0] % (MODEL_DEPENDENCIES + 1);
	x->shift = (size_t)fuzz_range(&x->in, 0, 8);
	if (x->limits)
		x->config.limits = rules.limits = 1 + (uint32_t)x->shift % 6;
	if (x->events && x->shift > 4)
		x->config.advances = (uint32_t)x->shift - 4;
	if (x->shift % 2 && x->config.policy != FAIR_MAUI)
		x->config.ids = 1;
	/* No patience, for one refusal, for some. */
	rules.patience =
		(int64_t)x->shift % 3 * ((int64_t)x->shift % 4 * 4 + 1);
	x->config.patience =
		rules.patience ? rules.patience : FAIR_PATIENCE_NONE;
	if (x->events) {
		x->config.credits = (uint32_t)x->shift % 3;
		x->config.task_limits = rules.task_limits = 2;
	}
	pair_draw_order(x, &rules);
	if (pair_has_shares(x)) {
		x->config.depth = 1;
		pair_draw_shares(x, &rules);
	}
	if (pair_has_maui(x)) {
		maui_pair_new(&x->maui, &x->in, &rules);
		x->config.maui = &x->maui.config;
	}
	if (x->config.policy == FAIR_DC && !pair_has_shares(x))
		x->config.by_target = fuzz_u8(&x->in) % 4 == 3;
	if (pair_has_targets(x))
		pair_draw_targets(x, &rules);
	if (x->config.policy == FAIR_BACKFILL && !x->ledger.gate &&
	    x->config.order != FAIR_ORDER_USAGE &&
	    x->config.order != FAIR_ORDER_TREE) {
		x->config.select = (uint32_t)fuzz_range(&x->in, 0, FAIR_NOFIT);
		x->config.metric = (uint32_t)fuzz_range(&x->in, 0, 2);
		x->config.longest = fuzz_u8(&x->in) % 2;
	}
	if (x->config.policy != FAIR_MAUI) {
		rules.select = (enum model_select)x->config.select;
		rules.metric = (enum model_metric)x->config.metric;
		rules.longest_first = x->config.longest;
	}
	rules.policy = policy[x->config.policy];
	rules.depth = x->config.depth;
	rules.procs = x->config.procs;
	rules.jobs = x->config.jobs;
	if (pair_follows(x)) {
		rules.goes_on = pair_goes_on;
		rules.context = x;
	}
	x->sched = x->place;
	x->copy = x->place + 2;
	x->model = model_new(&rules, 0);
	if (rules.tree)
		fairtree_model_free((struct fairtree_model *)rules.tree);
	free((void *)rules.tree);
	x->bytes = fair_sched_size(&x->config);
	x->memory = (char *)malloc(x->bytes + x->shift);
	x->copy_memory = (char *)malloc(x->bytes + x->shift);
	x->spare_memory = (char *)malloc(x->bytes + x->shift);
	FUZZ_ASSERT(x->model && x->memory && x->copy_memory && x->spare_memory);
	FUZZ_ASSERT(!fair_sched_init(x->sched, sizeof(*x->sched),
				     x->memory + x->shift, x->bytes,
				     &x->config));
	if (x->config.ids)
		pair_join_all(x);
	memset(pair_changed, 0, sizeof(pair_changed));
	x->digest = UINT64_C(0xcbf29ce484222325);
	x->dead = UINT32_MAX;
}

/* Runs @data once; returns the digest. */
static inline uint64_t pair_run(const uint8_t *data, size_t size,
				uint32_t first_policy, bool events, bool limits)
{
	struct pair x;

	memset(&x, 0, sizeof(x));
	x.in.p = data;
	x.in.n = size;
	x.events = events;
	x.limits = limits;
	pair_new(&x, first_policy);
	while (fuzz_more(&x.in) && !model_is_ambiguous(x.model)) {
		pair_event(&x);
		if (!model_is_ambiguous(x.model))
			pair_compare_both(&x);
	}
	if (!model_is_ambiguous(x.model))
		pair_drain(&x);
	model_free(x.model);
	free(x.memory);
	free(x.copy_memory);
	free(x.spare_memory);
	free(x.job);
	free(x.told);
	return x.digest;
}

#endif /* SCHED_PAIR_H */
