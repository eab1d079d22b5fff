/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_pair.h - the scheduler of classes, or nodes, and its naive model
 *
 * Bytes become a small machine, then events for both. After each event every
 * job has the same state, place, class and end in both; starts and promises
 * come in the same order, and their digest is computed here, too. A copy, cloned or
 * loaded from a checkpoint between two events or in the middle of a step, gets
 * all further events, and reacts in pieces. What an explanation says that would
 * start a job is tried in the model, which plans again.
 */
#ifndef CLASSES_PAIR_H
#define CLASSES_PAIR_H

#include <string.h>

#include "fairsched.h"
#include "fuzz/fuzz.h"
#include "fuzz/maui_pair.h"
#include "tests/model/classes_model.h"

/* Most jobs when another arrives; most live ones, with tasks; numbers. */
enum {
	CLASSES_PAIR_JOBS = 16,
	CLASSES_PAIR_ROOM = 120,
	CLASSES_PAIR_ADVANCES = 3,
	CLASSES_PAIR_USERS = 4,
	CLASSES_PAIR_LARGEST = 2000
};

/* What is paired: the policies, two orders of FAIR_BACKFILL, its selections. */
enum classes_pair_kind {
	CLASSES_PAIR_USAGE = FAIR_MAUI + 1,
	CLASSES_PAIR_DOMINANT,
	CLASSES_PAIR_SELECT,
	CLASSES_PAIR_KINDS
};

/* The reported history of a job, live or not. */
struct classes_pair_job {
	struct classes_job asks;
	struct fair_job job; /* what Maui knows of it */
	int64_t submit, first, latest; /* promises */
	uint32_t moves, cause;
	uint32_t after; /* it waits for the end of this one, plus 1; 0: none */
};

struct classes_pair {
	struct fuzz_in in;
	struct classes *model;
	struct fair_sched sched, copy;
	char *memory, *copy_memory;
	size_t bytes;
	struct fair_config config;
	struct fair_machine_config machine;
	struct fair_node_config nodes;
	int32_t count[CLASSES_MOST]; /* of nodes, of each class */
	struct fair_billing billing;
	struct maui_pair maui;
	int64_t weight[CLASSES_RESOURCES]; /* in whole processors */
	uint32_t share[CLASSES_PAIR_USERS];
	int64_t target[CLASSES_PAIR_USERS];
	int32_t amount[CLASSES_RESOURCES * CLASSES_MOST];
	int64_t now;
	bool has_copy, events; /* events: more than submit and finish */
	bool limits;
	uint32_t live[CLASSES_PAIR_ROOM], lives, numbers;
	struct classes_pair_job job[CLASSES_PAIR_LARGEST];
	struct fair_promise told[CLASSES_PAIR_LARGEST]; /* since a step */
	size_t tells;
	uint64_t digest; /* the expected one */
	bool copying;	 /* the copy calls promised() */
	uint64_t told_all, copy_told; /* hashes of the promises of each */
	uint64_t started; /* a promise of this call showed its start */
};

static inline bool classes_pair_promises(const struct classes_pair *x)
{
	return x->config.policy >= FAIR_CONSERVATIVE &&
	       x->config.policy <= FAIR_DC;
}

static inline uint64_t classes_pair_hash(uint64_t hash, uint64_t word)
{
	for (int i = 0; i < 8; i++, word >>= 8)
		hash = (hash ^ (word & 255)) * UINT64_C(0x100000001b3);
	return hash;
}

/* With nodes, of a start: how many it has, and each with its chunks. */
static inline void classes_pair_record_nodes(struct classes_pair *x,
					     uint64_t number)
{
	struct fair_nodes_part part[CLASSES_NODES];
	uint32_t at = 0, n = 0, i;

	while (fair_sched_nodes(&x->sched, number, &at, &part[n]))
		n++;
	x->digest = classes_pair_hash(x->digest, n);
	for (i = 0; i < n; i++) {
		x->digest = classes_pair_hash(x->digest, part[i].node);
		x->digest = classes_pair_hash(x->digest,
					      (uint64_t)part[i].chunks);
	}
}

/* N7: with more than one class or resource the digest covers the class; on
 * nodes, the nodes of a start. */
static inline void classes_pair_record(struct classes_pair *x, int64_t time,
				       uint64_t number, uint64_t kind,
				       uint32_t node_class)
{
	x->digest = classes_pair_hash(x->digest, (uint64_t)time);
	x->digest = classes_pair_hash(x->digest, number);
	x->digest = classes_pair_hash(x->digest, kind);
	if (x->config.nodes && kind == FAIR_START)
		classes_pair_record_nodes(x, number);
	else if (!x->config.nodes &&
		 (x->machine.classes > 1 || x->machine.resources > 1))
		x->digest = classes_pair_hash(x->digest, node_class);
}

/* Three of four starts are accepted; few are refused until a retry. */
static inline int64_t classes_pair_accepts(uint64_t number, int64_t now)
{
	uint64_t x = (number * 5 + (uint64_t)now / 4) *
		     UINT64_C(0x9e3779b97f4a7c15);

	if (x >> 62)
		return now;
	return x >> 59 & 7 ? now + 1 + (int64_t)(x >> 56 & 15) : FAIR_FOREVER;
}

static inline int64_t classes_pair_fits(void *context,
					const struct fair_job *j, int64_t start,
					int64_t end)
{
	const struct classes_pair *x = (const struct classes_pair *)context;

	FUZZ_ASSERT(start == x->now && end == start + j->walltime);
	return classes_pair_accepts(j->number, start);
}

static inline int64_t classes_pair_model_fits(uint32_t number, int64_t now)
{
	return classes_pair_accepts(number, now);
}

/* Notes a start; the next task of an array is queued from now on. */
static inline void classes_pair_note_start(struct classes_pair *x,
					   uint64_t number, uint32_t node_class)
{
	struct classes_pair_job *j = &x->job[number];

	classes_pair_record(x, x->now, number, FAIR_START, node_class);
	j->latest = x->now;
	if (j->asks.tasks > 1)
		x->live[x->lives++] = (uint32_t)number + 1;
	j->asks.tasks = 1;
	x->started = number;
}

/* The promise of a task: the one before it has started. */
static inline void classes_pair_note_task(struct classes_pair *x,
					  uint64_t number)
{
	struct fair_job_status j;

	if (!(number % 4) || x->job[number - 1].asks.tasks < 2)
		return;
	FUZZ_ASSERT(!fair_sched_lookup(&x->sched, number - 1, &j));
	classes_pair_note_start(x, number - 1, j.node_class);
}

static inline void classes_pair_promised(void *context,
					 const struct fair_promise *p)
{
	struct classes_pair *x = (struct classes_pair *)context;
	struct classes_pair_job *j = &x->job[p->number];
	uint64_t *all = x->copying ? &x->copy_told : &x->told_all;

	FUZZ_ASSERT(p->to != p->from && p->made <= p->to && p->made == x->now);
	FUZZ_ASSERT((p->to > p->from) == (p->cause >= FAIR_CAUSE_CAPACITY));
	FUZZ_ASSERT(p->to != FAIR_FOREVER || !p->node_class);
	*all = classes_pair_hash(*all, p->number);
	*all = classes_pair_hash(*all, (uint64_t)p->to);
	*all = classes_pair_hash(*all, p->node_class);
	*all = classes_pair_hash(*all, p->cause);
	*all = classes_pair_hash(*all, p->culprit);
	if (x->copying)
		return;
	classes_pair_note_task(x, p->number);
	FUZZ_ASSERT(p->from == j->latest);
	if (j->first == FAIR_FOREVER) {
		j->first = p->to;
		classes_pair_record(x, p->to, p->number, FAIR_PROMISE,
				    p->node_class);
	} else {
		j->moves++;
	}
	if (p->to > p->from) {
		classes_pair_record(x, p->to, p->number, FAIR_DELAY,
				    p->node_class);
		j->cause = p->cause;
	}
	j->latest = p->to;
	FUZZ_ASSERT(x->tells < CLASSES_PAIR_LARGEST);
	x->told[x->tells++] = *p;
}

/* ---- comparison ---- */

/* What was submitted is what is returned. */
static inline void classes_pair_compare_request(const struct classes_pair *x,
						const struct fair_job *j)
{
	const struct classes_job *asks = &x->job[j->number].asks;

	FUZZ_ASSERT(j->procs == asks->amount[0]);
	FUZZ_ASSERT(j->walltime == asks->walltime || x->events);
	FUZZ_ASSERT(j->tasks == asks->tasks);
	if (x->config.policy == FAIR_MAUI)
		FUZZ_ASSERT(maui_pair_is_same_job(j, &x->job[j->number].job));
	else
		FUZZ_ASSERT(j->user == asks->user && j->account == asks->user);
	FUZZ_ASSERT(j->penalty == asks->rate * FAIR_PENALTY_ONE);
	FUZZ_ASSERT(j->class_count == asks->wants);
	for (uint32_t i = 0; i < asks->wants; i++)
		FUZZ_ASSERT(j->classes[i] == asks->wanted[i]);
	for (uint32_t r = 1; r < x->machine.resources; r++)
		FUZZ_ASSERT((j->amount ? j->amount[r] : 0) == asks->amount[r]);
	if (!x->config.nodes)
		return;
	FUZZ_ASSERT(j->chunks == (asks->chunks ? asks->chunks : 1));
	FUZZ_ASSERT(j->per_node == asks->per_node);
	FUZZ_ASSERT(j->exclusive == asks->exclusive && j->span == asks->span);
	FUZZ_ASSERT(j->named == asks->named && j->excluded == asks->excluded);
}

/* The nodes of a place, in ascending order, and no others. */
static inline void classes_pair_compare_nodes(const struct fair_sched *s,
					      uint32_t number,
					      const struct classes_place *place)
{
	struct fair_nodes_part part;
	uint32_t at = 0, node;

	for (node = 0; node < CLASSES_NODES; node++) {
		if (place->at == MODEL_NEVER || !place->on[node])
			continue;
		FUZZ_ASSERT(fair_sched_nodes(s, number, &at, &part));
		FUZZ_ASSERT(part.node == node &&
			    part.chunks == place->on[node]);
	}
	FUZZ_ASSERT(!fair_sched_nodes(s, number, &at, &part));
}

static inline void classes_pair_compare_job(const struct classes_pair *x,
					    const struct fair_sched *s,
					    uint32_t number)
{
	struct classes_place place = classes_place_of(x->model, number);
	int64_t end = classes_end(x->model, number);
	const struct classes_pair_job *told = &x->job[number];
	struct fair_job_status j;

	FUZZ_ASSERT(!fair_sched_lookup(s, number, &j));
	FUZZ_ASSERT((j.state == FAIR_RUNNING) == (end != MODEL_NEVER));
	FUZZ_ASSERT(j.job.cookie == ~(uint64_t)(number / 4 * 4));
	FUZZ_ASSERT(j.start == place.at && j.node_class == place.in);
	FUZZ_ASSERT(j.end == end);
	FUZZ_ASSERT(j.first_promise == told->first);
	FUZZ_ASSERT(j.moves == told->moves && j.cause == told->cause);
	if (classes_pair_promises(x) && j.state == FAIR_QUEUED)
		FUZZ_ASSERT(j.start == told->latest);
	if (classes_pair_promises(x) || j.state == FAIR_RUNNING)
		classes_pair_compare_nodes(s, number, &place);
	classes_pair_compare_request(x, &j.job);
}

static inline void classes_pair_compare_one(const struct classes_pair *x,
					    const struct fair_sched *s)
{
	FUZZ_ASSERT(!fair_sched_check(s));
	FUZZ_ASSERT(fair_sched_count(s, FAIR_QUEUED) ==
		    classes_queued(x->model));
	FUZZ_ASSERT(fair_sched_count(s, FAIR_RUNNING) ==
		    classes_running(x->model));
	FUZZ_ASSERT(fair_sched_count(s, FAIR_INELIGIBLE) ==
		    classes_held(x->model));
	FUZZ_ASSERT(fair_sched_next(s) == classes_next(x->model));
	FUZZ_ASSERT(fair_sched_digest(s) == x->digest);
	for (uint32_t i = 1; i <= CLASSES_PAIR_ADVANCES + 1; i++)
		for (uint32_t node = 0; node < CLASSES_NODES; node++)
			FUZZ_ASSERT(fair_sched_advance_has_node(s, i, node) ==
				    classes_advance_on(x->model, i, node));
	for (uint32_t i = 0; i < x->lives; i++)
		classes_pair_compare_job(x, s, x->live[i]);
}

static inline void classes_pair_compare(const struct classes_pair *x)
{
	FUZZ_ASSERT(classes_is_sound(x->model));
	classes_pair_compare_one(x, &x->sched);
	if (!x->has_copy)
		return;
	classes_pair_compare_one(x, &x->copy);
	FUZZ_ASSERT(x->copy_told == x->told_all);
}

/* ---- calls ---- */

/* Whether decisions depend on the pieces: prioritized compression of a pool. */
static inline bool classes_pair_is_cut(const struct classes_pair *x)
{
	return x->config.policy == FAIR_PC && x->machine.classes == 1 &&
	       x->machine.resources == 1 && !x->config.nodes;
}

/* Lets the copy react in pieces. */
static inline struct fair_sched *classes_pair_of(struct classes_pair *x,
						 bool copy)
{
	x->copying = copy;
	if (copy && !classes_pair_is_cut(x))
		fair_sched_scan_limit(&x->copy, x->numbers % 4);
	return copy ? &x->copy : &x->sched;
}

static inline bool classes_pair_is_named_error(int error)
{
	return error == -FAIR_ENOENT || error == -FAIR_ETIME;
}

/* All agree on success, and on errors that have one cause alone. */
static inline bool classes_pair_agree(struct classes_pair *x, int ours,
				      int copys, int models)
{
	FUZZ_ASSERT((ours == 0) == (models == 0));
	FUZZ_ASSERT(ours == models || !(classes_pair_is_named_error(ours) ||
					classes_pair_is_named_error(models)));
	FUZZ_ASSERT(!x->has_copy || copys == ours);
	x->copying = true;
	while (x->has_copy && fair_sched_resume(&x->copy))
		;
	x->copying = false;
	return ours == 0;
}

#define CLASSES_PAIR_BOTH(x, name, ...)                                        \
	classes_pair_agree(                                                    \
		(x),                                                           \
		fair_sched_##name(classes_pair_of((x), false), __VA_ARGS__),   \
		(x)->has_copy ? fair_sched_##name(classes_pair_of((x), true),  \
						  __VA_ARGS__)                 \
			      : 0,

static inline uint32_t classes_pair_draw_live(struct classes_pair *x)
{
	return (uint32_t)fuzz_range(&x->in, 0, (int64_t)x->lives - 1);
}

static inline void classes_pair_forget(struct classes_pair *x, uint32_t number)
{
	struct fair_job_status j;

	for (uint32_t i = 0; i < x->lives; i++)
		if (x->live[i] == number)
			x->live[i--] = x->live[--x->lives];
	FUZZ_ASSERT(fair_sched_lookup(&x->sched, number, &j) == -FAIR_ENOENT);
}

/* Any classes in any order; few are none, or named twice. */
static inline void classes_pair_draw_classes(struct classes_pair *x,
					     struct classes_job *asks)
{
	uint32_t k = x->machine.classes, what = fuzz_u8(&x->in), first, stride;

	asks->wants = what % (k + 1);
	first = what / 8 % k;
	stride = what / 64 % 2 ? k - 1 : 1; /* down, or up */
	for (uint32_t i = 0; i < asks->wants; i++)
		asks->wanted[i] = (uint8_t)((first + i * stride) % k);
	if (what == 255)
		asks->wanted[asks->wants++] = (uint8_t)first;
	if (what == 254)
		asks->wanted[asks->wants++] = (uint8_t)k;
}

/* Mostly of equal chunks, and of sets that are there. */
static inline void classes_pair_draw_chunks(struct classes_pair *x,
					    struct classes_job *asks)
{
	uint8_t what = fuzz_u8(&x->in), sets = fuzz_u8(&x->in);

	asks->chunks = what % 8 < 5 ? what % 8 : 1;
	asks->per_node = what / 8 % 8 < 3 ? what / 8 % 8 : 0;
	asks->exclusive = what >= 208;
	asks->span = what / 64 % 2;
	if (sets >= 128) {
		asks->named = sets % 4 < 3 ? sets % 4 : 0;
		asks->excluded = sets / 4 % 4 < 3 ? sets / 4 % 4 : 0;
	}
	asks->amount[0] = 1 + asks->amount[0] % 3;
	for (uint32_t r = 0; r < x->machine.resources; r++)
		if (!(x->machine.wide >> r & 1) && asks->chunks)
			asks->amount[r] *= asks->chunks;
	if (what == 7)
		asks->per_node = -1;
	asks->amount[0] += what == 207; /* they do not divide, perhaps */
}

static inline uint64_t classes_pair_id(const struct fair_job *job, uint32_t kind)
{
	switch (kind) {
	case FAIR_ENTITY_USER:
		return job->user;
	case FAIR_ENTITY_GROUP:
		return job->group;
	case FAIR_ENTITY_ACCOUNT:
		return job->account;
	case FAIR_ENTITY_QOS:
		return job->qos;
	default:
		return job->queue;
	}
}

static inline void classes_pair_draw_job(struct classes_pair *x,
					 struct classes_job *asks,
					 struct fair_job *job)
{
	memset(asks, 0, sizeof(*asks));
	memset(job, 0, sizeof(*job));
	asks->submit = x->now - fuzz_range(&x->in, 0, 3) / 3;
	asks->walltime = fuzz_range(&x->in, 1, 20);
	asks->amount[0] = (int32_t)fuzz_range(&x->in, 1, 7);
	for (uint32_t r = 1; r < x->machine.resources; r++) {
		uint8_t what = fuzz_u8(&x->in);

		if (what % 2)
			asks->amount[r] = what == 255 ? -1 : what / 2 % 5;
	}
	classes_pair_draw_classes(x, asks);
	if (x->config.advances &&
	    fuzz_u8(&x->in) < (classes_advances(x->model) ? 160 : 10))
		asks->advance = 1 + fuzz_u8(&x->in) % CLASSES_PAIR_ADVANCES;
	if (x->config.nodes)
		classes_pair_draw_chunks(x, asks);
	asks->tasks = 1;
	if (fuzz_u8(&x->in) < 40)
		asks->tasks = 1 + fuzz_u8(&x->in) % 4;
	if (x->config.users)
		asks->user = (uint32_t)fuzz_range(&x->in, 0,
						  x->config.users - 1);
	job->user = job->account = asks->user;
	if (x->config.limits)
		job->group = fuzz_u8(&x->in) % 3;
	if (x->config.policy == FAIR_MAUI)
		maui_pair_draw_job(&x->in, job, &asks->asks);
	for (uint32_t kind = 0; kind < MODEL_KINDS; kind++)
		asks->of[kind] = (uint32_t)classes_pair_id(job, kind);
}

static inline bool classes_pair_asks_procs_only(const struct classes_pair *x,
						const struct classes_job *asks)
{
	for (uint32_t r = 1; r < x->machine.resources; r++)
		if (asks->amount[r])
			return false;
	return true;
}

static inline void classes_pair_expect(struct classes_pair *x, uint32_t n,
				       const struct classes_job *asks,
				       const struct fair_job *job)
{
	for (uint32_t k = 0; k < asks->tasks; k++) {
		struct classes_pair_job *j = &x->job[n + k];

		j->asks = *asks;
		j->job = *job;
		j->asks.tasks = asks->tasks - k;
		j->first = j->latest = FAIR_FOREVER;
		j->moves = 0;
		j->cause = FAIR_CAUSE_NONE;
		j->after = 0;
	}
}

static inline bool classes_pair_is_live(const struct classes_pair *x,
					uint32_t number)
{
	for (uint32_t i = 0; i < x->lives; i++)
		if (x->live[i] == number)
			return true;
	return false;
}

/* What a job waits for: the caller, or on nodes the end of another job. */
static inline struct fair_eligibility
classes_pair_draw_condition(struct classes_pair *x, uint32_t *after)
{
	struct fair_eligibility until = { 0, 0, 0, true };
	uint32_t n;

	*after = 0;
	if (!x->config.nodes || !x->lives || fuzz_u8(&x->in) % 4 == 0)
		return until;
	n = x->live[classes_pair_draw_live(x)];
	if (x->job[n].asks.tasks > 1 || n % 4)
		return until;
	*after = n + 1;
	until.after = n;
	until.end = FAIR_AFTER_ANY;
	until.held = false;
	return until;
}

/* In the model a job that waits for another is held: it is released now, the
 * lowest number first, if that one has ended. */
static inline void classes_pair_release_followers(struct classes_pair *x)
{
	uint32_t n, i;

	do {
		n = CLASSES_PAIR_LARGEST;
		for (i = 0; i < x->lives; i++)
			if (x->live[i] < n && x->job[x->live[i]].after &&
			    !classes_pair_is_live(
				    x, x->job[x->live[i]].after - 1))
				n = x->live[i];
		if (n == CLASSES_PAIR_LARGEST)
			return;
		x->job[n].after = 0;
		classes_satisfy(x->model, n);
	} while (true);
}

static inline void classes_pair_submit(struct classes_pair *x, bool held)
{
	struct fair_eligibility hold = { 0, 0, 0, true };
	struct classes_job asks;
	struct fair_job job;
	uint32_t after = 0;
	/* Out of order, each once: 7 and 256 are coprime. */
	uint32_t n = 4 * (x->numbers / 256 * 256 + x->numbers * 7 % 256);

	if (x->lives >= CLASSES_PAIR_JOBS || n + 4 > CLASSES_PAIR_LARGEST)
		return;
	classes_pair_draw_job(x, &asks, &job);
	classes_pair_expect(x, n, &asks, &job);
	job.number = n;
	job.cookie = ~job.number;
	job.submit = asks.submit;
	job.walltime = asks.walltime;
	job.procs = asks.amount[0];
	job.tasks = asks.tasks;
	job.advance = asks.advance;
	job.class_count = asks.wants;
	job.classes = asks.wanted;
	job.amount = asks.amount;
	job.chunks = asks.chunks;
	job.per_node = asks.per_node;
	job.exclusive = asks.exclusive;
	job.span = asks.span;
	job.named = asks.named;
	job.excluded = asks.excluded;
	if (classes_pair_asks_procs_only(x, &asks) && x->numbers % 2)
		job.amount = NULL;
	asks.amount[0] = -1; /* is not read */
	if (held)
		hold = classes_pair_draw_condition(x, &after);
	if (CLASSES_PAIR_BOTH(x, submit_ineligible, x->now, &job,
			      held ? &hold : NULL)
		    classes_submit(x->model, x->now, n, &x->job[n].asks,
				   held))) {
		x->live[x->lives++] = n;
		x->numbers++;
		x->job[n].after = after;
	}
}

static inline void classes_pair_finish(struct classes_pair *x)
{
	uint32_t n = x->live[classes_pair_draw_live(x)];

	if (CLASSES_PAIR_BOTH(x, finish, x->now, n)
		    classes_finish(x->model, x->now, n)))
		classes_pair_forget(x, n);
}

static inline void classes_pair_drop(struct classes_pair *x, uint32_t n)
{
	if (CLASSES_PAIR_BOTH(x, cancel, x->now, n)
		    classes_cancel(x->model, x->now, n)))
		classes_pair_forget(x, n);
}

static inline void classes_pair_cancel(struct classes_pair *x)
{
	classes_pair_drop(x, x->live[classes_pair_draw_live(x)]);
}

static inline void classes_pair_modify(struct classes_pair *x)
{
	uint32_t n = x->live[classes_pair_draw_live(x)];
	struct classes_job *asks = &x->job[n].asks;
	int32_t procs = (int32_t)fuzz_range(&x->in, 0, 10);
	int64_t walltime = fuzz_range(&x->in, 1, 40);

	if (x->config.nodes && procs % 2)
		procs = procs / 2 * (asks->chunks ? asks->chunks : 1);
	else if (procs > 7)
		procs = asks->amount[0];
	if (!(CLASSES_PAIR_BOTH(x, modify, x->now, n, procs, walltime)
		      classes_modify(x->model, x->now, n, procs, walltime))))
		return;
	for (uint32_t k = asks->tasks; k-- > 0;) {
		x->job[n + k].asks.amount[0] = procs;
		x->job[n + k].asks.walltime = walltime;
	}
}

/* The charge under FAIR_ORDER_USAGE: 0 is the cost, below is refused. */
static inline void classes_pair_set_penalty(struct classes_pair *x, uint32_t n)
{
	struct classes_job *asks = &x->job[n].asks;
	int64_t rate = fuzz_range(&x->in, -1, 12);

	if (!(CLASSES_PAIR_BOTH(x, set_penalty, x->now, n,
				rate * FAIR_PENALTY_ONE)
		      classes_set_rate(x->model, x->now, n, rate))))
		return;
	for (uint32_t k = asks->tasks; k-- > 0;)
		x->job[n + k].asks.rate = rate;
}

/* What a user has used is set, or some is taken back: of each resource. */
static inline void classes_pair_set_usage(struct classes_pair *x)
{
	uint32_t user = (uint32_t)fuzz_range(&x->in, 0, x->config.users - 1);
	int64_t amount = fuzz_range(&x->in, -50, 50);

	if (amount < 0)
		(void)(CLASSES_PAIR_BOTH(x, credit, x->now, FAIR_ENTITY_USER,
					 user, (uint64_t)-amount, 0)
			       classes_credit(x->model, x->now, user,
					      -amount)));
	else
		(void)(CLASSES_PAIR_BOTH(x, set_usage, x->now, FAIR_ENTITY_USER,
					 user, (uint64_t)amount)
			       classes_set_usage(x->model, x->now, user,
						 amount)));
}

/* A loss names up to two jobs, perhaps one twice, perhaps queued ones. */
static inline void classes_pair_capacity(struct classes_pair *x)
{
	int32_t delta = (int32_t)fuzz_range(&x->in, -5, 5);
	uint32_t in = (uint32_t)fuzz_range(&x->in, 0, x->machine.classes);
	uint32_t r = (uint32_t)fuzz_range(&x->in, 0, x->machine.resources);
	uint32_t name[2] = { 0, 0 };
	uint64_t victim[2] = { 0, 0 };
	size_t victims = 0;

	in -= in == x->machine.classes && fuzz_u8(&x->in) % 8;
	r -= r == x->machine.resources && fuzz_u8(&x->in) % 8;
	for (; x->lives && delta < 0 && victims < 2 && fuzz_u8(&x->in) % 2;
	     victims++) {
		name[victims] = x->live[classes_pair_draw_live(x)];
		victim[victims] = name[victims];
	}
	if (!(CLASSES_PAIR_BOTH(x, class_capacity, x->now, in, r, delta, victim,
				victims)
		      classes_capacity(x->model, x->now, in, r, delta, name,
				       victims))))
		return;
	while (victims)
		classes_pair_forget(x, name[--victims]);
}

/* A node goes down, with all jobs that run on it, or some, or comes back. */
static inline void classes_pair_node(struct classes_pair *x)
{
	uint32_t node = (uint32_t)fuzz_range(&x->in, 0, CLASSES_NODES);
	uint32_t name[CLASSES_PAIR_ROOM];
	uint64_t victim[CLASSES_PAIR_ROOM];
	uint8_t what = fuzz_u8(&x->in);
	size_t victims = 0;

	for (uint32_t i = 0; i < x->lives && what % 2; i++) {
		uint32_t n = x->live[i];

		if (classes_end(x->model, n) == MODEL_NEVER ||
		    node >= CLASSES_NODES || (what & 6 && what >> i % 8 & 1) ||
		    (what < 240 &&
		     !classes_place_of(x->model, n).on[node]))
			continue;
		name[victims] = n;
		victim[victims++] = n;
	}
	if (!(what % 2)) {
		(void)(CLASSES_PAIR_BOTH(x, node_up, x->now, node)
			       classes_node(x->model, x->now, node, true, NULL,
					    0)));
		return;
	}
	if (!(CLASSES_PAIR_BOTH(x, node_down, x->now, node, victim, victims)
		      classes_node(x->model, x->now, node, false, name,
				   victims))))
		return;
	while (victims)
		classes_pair_forget(x, name[--victims]);
}

static inline void classes_pair_set_node(struct classes_pair *x)
{
	uint8_t what = fuzz_u8(&x->in);
	uint32_t set = what % 4, node = what / 4 % 8;

	(void)(CLASSES_PAIR_BOTH(x, set_node, set, node, what < 128)
		       classes_set_node(x->model, set, node, what < 128)));
}

/* Reserves in advance, from about now on, of a class that may be none. */
static inline void classes_pair_reserve(struct classes_pair *x)
{
	struct fair_advance b = { 0 };
	struct classes_advance m = { 0 };
	uint8_t what = fuzz_u8(&x->in);
	uint32_t r;

	m.number = 1 + what % (CLASSES_PAIR_ADVANCES + 1);
	m.from = x->now + fuzz_range(&x->in, -3, 30);
	m.to = m.from + fuzz_range(&x->in, 1, 30);
	m.in = (uint32_t)fuzz_range(&x->in, 0, x->machine.classes);
	m.in -= m.in == x->machine.classes && fuzz_u8(&x->in) % 8;
	m.bound_jobs = what & 4;
	for (r = 0; r < x->machine.resources; r++)
		m.amount[r] = (int32_t)fuzz_range(&x->in, -1, 12) / 2;
	if (x->config.nodes && what / 8 % 4)
		m.nodes = m.amount[0] / 2;
	else if (x->config.nodes)
		m.named = fuzz_u8(&x->in) % 4;
	if (classes_advances(x->model) == CLASSES_PAIR_ADVANCES)
		m.number = (uint32_t)x->sched.advance[what % 3].number;
	b.number = m.number;
	b.from = m.from;
	b.to = m.to;
	b.kind = m.bound_jobs ? FAIR_ADVANCE_USER : FAIR_ADVANCE_MAINTENANCE;
	b.node_class = m.in;
	b.procs = m.amount[0];
	b.nodes = m.nodes;
	b.named = m.named;
	memcpy(b.amount, m.amount, sizeof(b.amount));
	b.amount[0] = -1; /* is not read */
	(void)(CLASSES_PAIR_BOTH(x, advance_reserve, x->now, &b, what >= 128)
		       classes_advance_reserve(x->model, x->now, &m,
					       what >= 128)));
}

static inline void classes_pair_unreserve(struct classes_pair *x,
					  uint32_t number)
{
	(void)(CLASSES_PAIR_BOTH(x, advance_cancel, x->now, number)
		       classes_advance_cancel(x->model, x->now, number)));
}

/* A job that waits again without a promise. */
static inline void classes_pair_wait_again(struct classes_pair *x, uint32_t n)
{
	if (!classes_pair_promises(x) && !x->job[n].asks.advance)
		x->job[n].latest = FAIR_FOREVER;
}

static inline void classes_pair_requeue(struct classes_pair *x)
{
	uint32_t n = x->live[classes_pair_draw_live(x)];

	if (CLASSES_PAIR_BOTH(x, requeue, x->now, n)
		    classes_requeue(x->model, x->now, n)))
		classes_pair_wait_again(x, n);
}

static inline void classes_pair_refuse(struct classes_pair *x)
{
	uint32_t n = x->live[classes_pair_draw_live(x)];

	if (CLASSES_PAIR_BOTH(x, refuse, x->now, n)
		    classes_refuse_start(x->model, x->now, n)))
		classes_pair_wait_again(x, n);
}

/* On nodes: other chunks, mostly as large as they are. */
static inline void classes_pair_resize(struct classes_pair *x, uint32_t n)
{
	struct classes_job *asks = &x->job[n].asks, size = *asks;
	int32_t chunks = (int32_t)fuzz_range(&x->in, 0, 4);
	uint8_t what = fuzz_u8(&x->in);
	struct fair_job_status j;

	size.chunks = chunks;
	for (uint32_t r = 0; r < x->machine.resources; r++) {
		if (what % 4 == 3)
			size.amount[r] = (int32_t)fuzz_range(&x->in, !r, 5);
		else if (!(x->machine.wide >> r & 1))
			size.amount[r] /= asks->chunks ? asks->chunks : 1;
		if (!(x->machine.wide >> r & 1) && chunks && what < 240)
			size.amount[r] *= chunks;
	}
	FUZZ_ASSERT(!fair_sched_lookup(&x->sched, n, &j));
	j.job.chunks = chunks;
	j.job.procs = size.amount[0];
	j.job.amount = size.amount;
	if (!(CLASSES_PAIR_BOTH(x, resize, x->now, n, &j.job)
		      classes_resize(x->model, x->now, n, &size))))
		return;
	asks->chunks = chunks;
	memcpy(asks->amount, size.amount, sizeof(size.amount));
}

static inline void classes_pair_suspend(struct classes_pair *x)
{
	uint32_t n = x->live[classes_pair_draw_live(x)];

	if (CLASSES_PAIR_BOTH(x, suspend, x->now, n)
		    classes_suspend(x->model, x->now, n)))
		classes_pair_wait_again(x, n);
}

static inline void classes_pair_resume(struct classes_pair *x, uint32_t n)
{
	(void)(CLASSES_PAIR_BOTH(x, resume_job, x->now, n)
		       classes_resume(x->model, x->now, n)));
}

static inline void classes_pair_hold(struct classes_pair *x, uint32_t n)
{
	static const struct fair_eligibility hold = { 0, 0, 0, true };

	if (CLASSES_PAIR_BOTH(x, defer, x->now, n, &hold)
		    classes_hold(x->model, x->now, n)))
		x->job[n].after = 0;
}

static inline void classes_pair_release(struct classes_pair *x, uint32_t n)
{
	if (CLASSES_PAIR_BOTH(x, defer, x->now, n, NULL)
		    classes_release(x->model, x->now, n)))
		x->job[n].after = 0;
}

static inline void classes_pair_retry(struct classes_pair *x, uint32_t n)
{
	(void)(CLASSES_PAIR_BOTH(x, retry, x->now, n)
		       classes_retry(x->model, x->now, n)));
}

/* The copy is one of the scheduler, or of the copy, from now on. */
static inline void classes_pair_copy(struct classes_pair *x, bool of_copy,
				     bool saved)
{
	const struct fair_sched *from =
		x->has_copy && of_copy ? &x->copy : &x->sched;
	char *memory = (char *)malloc(x->bytes);
	struct fair_sched s;

	FUZZ_ASSERT(memory);
	if (saved) {
		size_t bytes = fair_sched_checkpoint_size(from);
		unsigned char *checkpoint = (unsigned char *)malloc(2 * bytes);
		int damage;

		FUZZ_ASSERT(checkpoint &&
			    !fair_sched_save(from, checkpoint, bytes));
		FUZZ_ASSERT(!fair_sched_load(&s, sizeof(s), memory, x->bytes,
					     &x->config, checkpoint, bytes,
					     &damage));
		FUZZ_ASSERT(!fair_sched_save(&s, checkpoint + bytes, bytes));
		FUZZ_ASSERT(!memcmp(checkpoint, checkpoint + bytes, bytes));
		free(checkpoint);
	} else {
		FUZZ_ASSERT(!fair_sched_clone(&s, memory, x->bytes, from));
	}
	fair_sched_report_to(&s, classes_pair_promised, x);
	free(x->copy_memory);
	x->copy_memory = memory;
	x->copy = s;
	if (!x->has_copy || !of_copy)
		x->copy_told = x->told_all;
	x->has_copy = true;
}

/* ---- steps ---- */

static inline void
classes_pair_compare_promise(struct classes_pair *x,
			     const struct classes_decision *d)
{
	static const uint32_t later[] = {
		[MODEL_OVERRUN] = FAIR_CAUSE_OVERRUN,
		[MODEL_LONGER] = FAIR_CAUSE_OVERRUN,
		[MODEL_LOST] = FAIR_CAUSE_CAPACITY,
		[MODEL_MODIFIED] = FAIR_CAUSE_MODIFIED,
		[MODEL_REFUSED] = FAIR_CAUSE_REFUSED,
		[MODEL_LATE] = FAIR_CAUSE_LATE_STEP,
		[MODEL_DEFERRED] = FAIR_CAUSE_DEFERRED,
		[MODEL_REQUEUED] = FAIR_CAUSE_REQUEUED,
		[MODEL_SUSPENDED] = FAIR_CAUSE_SUSPENDED,
		[MODEL_ADVANCE_RESERVED] = FAIR_CAUSE_CAPACITY,
		[MODEL_ADVANCE_CHANGED] = FAIR_CAUSE_ADVANCE,
		[MODEL_LIMITED] = FAIR_CAUSE_LIMIT,
	};
	struct fair_promise *p = x->told;

	/* Those of several jobs after one event may come in any order. */
	while (p < x->told + x->tells && p->number != d->number)
		p++;
	FUZZ_ASSERT(p < x->told + x->tells);
	FUZZ_ASSERT(p->to == d->place.at && p->node_class == d->place.in);
	FUZZ_ASSERT(p->made == d->now);
	if (d->cause == MODEL_ARRIVAL && d->by == d->number)
		FUZZ_ASSERT(p->cause == FAIR_CAUSE_ARRIVAL);
	else if (p->to < p->from)
		FUZZ_ASSERT(p->cause == FAIR_CAUSE_EARLIER);
	else
		FUZZ_ASSERT(d->cause < sizeof(later) / sizeof(*later) &&
			    p->cause == later[d->cause]);
	if (p->cause == FAIR_CAUSE_OVERRUN)
		FUZZ_ASSERT(p->culprit == d->by);
	memmove(p, p + 1, (size_t)(x->told + --x->tells - p) * sizeof(*p));
}

static inline void classes_pair_compare_step(struct classes_pair *x,
					     const struct fair_decision *start,
					     size_t starts)
{
	const struct classes_decision *d;
	size_t n, i, k = 0;

	FUZZ_ASSERT(!classes_step(x->model, x->now, &d, &n));
	for (i = 0; i < n; i++) {
		if (d[i].kind == MODEL_PROMISE) {
			classes_pair_compare_promise(x, &d[i]);
			continue;
		}
		FUZZ_ASSERT(k < starts && start[k].number == d[i].number);
		FUZZ_ASSERT(start[k].node_class == d[i].place.in);
		FUZZ_ASSERT(start[k].cookie ==
			    ~(start[k].number / 4 * 4));
		FUZZ_ASSERT(start[k++].time == x->now);
	}
	FUZZ_ASSERT(k == starts && !x->tells);
}

/* One at a time, to see the promises between two starts. */
static inline size_t classes_pair_take_starts(struct classes_pair *x,
					      struct fair_decision *start,
					      uint8_t midst, size_t *copied_at)
{
	size_t n, all = 0;

	for (;; all++) {
		x->started = UINT64_MAX;
		FUZZ_ASSERT(!fair_sched_step(classes_pair_of(x, false), x->now,
					     &start[all], 1, &n));
		if (!n)
			return all;
		if (x->started != start[all].number)
			classes_pair_note_start(x, start[all].number,
						start[all].node_class);
		if (!all && midst < 16) {
			classes_pair_copy(x, false, midst % 2);
			*copied_at = 1;
		}
	}
}

static inline void classes_pair_compare_starts(struct classes_pair *x,
					       const struct fair_decision *ours,
					       size_t starts, size_t room)
{
	struct fair_decision start[CLASSES_PAIR_ROOM];
	struct fair_sched *s = classes_pair_of(x, true);
	size_t n, i;

	do {
		FUZZ_ASSERT(!fair_sched_step(s, x->now, start, room, &n));
		for (i = 0; i < n; i++, ours++, starts--)
			FUZZ_ASSERT(starts && start[i].number == ours->number &&
				    start[i].node_class == ours->node_class);
	} while (n == room || fair_sched_is_unfinished(s));
	FUZZ_ASSERT(!starts);
	x->copying = false;
}

static inline void classes_pair_step(struct classes_pair *x, uint8_t midst)
{
	struct fair_decision start[CLASSES_PAIR_ROOM];
	size_t copied_at = 0, starts;

	starts = classes_pair_take_starts(x, start, midst, &copied_at);
	classes_pair_compare_step(x, start, starts);
	if (x->has_copy)
		classes_pair_compare_starts(x, start + copied_at,
					    starts - copied_at,
					    1 + midst % CLASSES_PAIR_JOBS);
	if (starts && x->config.policy == FAIR_MAUI)
		maui_pair_check_limits(&x->maui, &x->sched);
}

/* ---- explanations ---- */

/* Whether it would start with another size, by planning again in the model. */
static inline bool classes_pair_would_start(const struct classes_pair *x,
					    const struct fair_why *w,
					    int64_t procs, int64_t walltime,
					    int64_t amount)
{
	uint32_t n = (uint32_t)w->job.number;
	struct classes_job asks = x->job[n].asks;

	asks.walltime = walltime;
	asks.amount[0] = (int32_t)procs;
	if (w->resource)
		asks.amount[w->resource] = (int32_t)amount;
	return classes_starts_with(x->model, n, &asks);
}

static inline bool classes_pair_would_start_in(const struct classes_pair *x,
					       const struct fair_why *w,
					       uint32_t k)
{
	uint32_t n = (uint32_t)w->job.number;
	struct classes_job asks = x->job[n].asks;

	asks.walltime = w->job.walltime;
	asks.wanted[0] = (uint8_t)k;
	asks.wants = 1;
	return classes_starts_with(x->model, n, &asks);
}

/* With the answer it starts now, with one more it does not. */
static inline void classes_pair_compare_sizes(const struct classes_pair *x,
					      const struct fair_why *w)
{
	const struct fair_job *j = &w->job;

	FUZZ_ASSERT(!w->procs || classes_pair_would_start(x, w, w->procs,
							  j->walltime,
							  w->asked));
	FUZZ_ASSERT(w->procs + 1 == j->procs ||
		    !classes_pair_would_start(x, w, w->procs + 1, j->walltime,
					      w->asked));
	FUZZ_ASSERT(!w->walltime || classes_pair_would_start(x, w, j->procs,
							     w->walltime,
							     w->asked));
	FUZZ_ASSERT(w->walltime + 1 == j->walltime ||
		    !classes_pair_would_start(x, w, j->procs, w->walltime + 1,
					      w->asked));
	if (!(w->reasons & FAIR_WHY_RESOURCE) || !w->resource)
		return;
	FUZZ_ASSERT(w->left < w->asked &&
		    w->asked == x->job[j->number].asks.amount[w->resource]);
	FUZZ_ASSERT(w->amount < 0 ||
		    classes_pair_would_start(x, w, j->procs, j->walltime,
					     w->amount));
	FUZZ_ASSERT(w->amount + 1 == w->asked ||
		    !classes_pair_would_start(x, w, j->procs, j->walltime,
					      w->amount + 1));
}

/* The first class that is not its own in which it starts now. */
static inline void classes_pair_compare_class(const struct classes_pair *x,
					      const struct fair_why *w)
{
	const struct classes_job *asks = &x->job[w->job.number].asks;
	uint32_t k, i;

	for (k = 0; asks->wants && k < x->machine.classes &&
		    k <= w->other_class;
	     k++) {
		for (i = 0; i < asks->wants && asks->wanted[i] != k;)
			i++;
		if (i == asks->wants)
			FUZZ_ASSERT(classes_pair_would_start_in(x, w, k) ==
				    (k == w->other_class));
	}
	FUZZ_ASSERT(asks->wants || w->other_class == UINT32_MAX);
}

/*
 * By planning again it is said that nothing prevents its start if nothing does,
 * and that a resource lacks if no class has all of it now.
 */
static inline void classes_pair_compare_reasons(const struct classes_pair *x,
						const struct fair_why *w)
{
	uint32_t n = (uint32_t)w->job.number;
	struct classes_place place = classes_again(x->model, n);

	if (!x->config.nodes)
		FUZZ_ASSERT((w->reasons & FAIR_WHY_RESOURCE) ==
			    (classes_has_now(x->model, n) ? 0
							  : FAIR_WHY_RESOURCE));
	if (w->reasons & FAIR_WHY_NOTHING && x->config.policy != FAIR_MAUI)
		FUZZ_ASSERT(classes_starts_with(x->model, n,
						&x->job[n].asks));
	if (!classes_pair_promises(x))
		return;
	if (w->reasons & FAIR_WHY_NOTHING)
		FUZZ_ASSERT(place.at == x->now);
	if (w->reasons & (FAIR_WHY_DELAY | FAIR_WHY_RESOURCE |
			  FAIR_WHY_ADVANCE | FAIR_WHY_NODES))
		FUZZ_ASSERT(place.at > x->now);
}

/* When nodes have room for all chunks, by trying the ends of running jobs. */
static inline int64_t classes_pair_hosted_at(const struct classes_pair *x,
					     uint32_t n, int32_t chunks)
{
	int64_t best = classes_hosted(x->model, n, x->now) == chunks
			       ? x->now
			       : MODEL_NEVER;

	for (uint32_t i = 0; i < x->lives; i++) {
		int64_t end = classes_end(x->model, x->live[i]);

		if (end < best &&
		    classes_hosted(x->model, n, end) == chunks)
			best = end;
	}
	return best;
}

/* What lacks on nodes, by a naive count; and what is told of it. */
static inline void classes_pair_compare_hosted(const struct classes_pair *x,
					       const struct fair_why *w)
{
	uint32_t n = (uint32_t)w->job.number;
	int64_t at = classes_pair_hosted_at(x, n, w->job.chunks);
	int64_t before = at == MODEL_NEVER ? x->now + 10000
					   : at - (at > x->now);

	if (w->reasons &
	    (FAIR_WHY_RESOURCE | FAIR_WHY_LIMIT | FAIR_WHY_BUDGET))
		return;
	FUZZ_ASSERT(w->free_at == at);
	FUZZ_ASSERT(w->hosted == classes_hosted(x->model, n, before));
	FUZZ_ASSERT((at == x->now) == !(w->reasons & FAIR_WHY_NODES));
	FUZZ_ASSERT(at == x->now || w->hosted < w->job.chunks);
	if (at == x->now || at == MODEL_NEVER || w->reasons & FAIR_WHY_BEHIND)
		return;
	FUZZ_ASSERT(classes_end(x->model, (uint32_t)w->freed_by) == at);
	FUZZ_ASSERT(w->blockers &&
		    w->blocker[0].state == FAIR_RUNNING);
}

/* The running jobs that end until nodes have room and have one that it may use;
 * of those that end last, the one of the least number. */
static inline void classes_pair_compare_hosts(const struct classes_pair *x,
					      const struct fair_why *w)
{
	uint32_t n = (uint32_t)w->job.number, blockers = 0;
	uint64_t last = UINT64_MAX;

	if ((w->reasons & (FAIR_WHY_RESOURCE | FAIR_WHY_NODES |
			   FAIR_WHY_BEHIND)) != FAIR_WHY_NODES ||
	    w->hosted == w->job.chunks)
		return;
	for (uint32_t i = 0; i < x->lives; i++) {
		int64_t end = classes_end(x->model, x->live[i]);

		if (end > w->free_at || end == MODEL_NEVER ||
		    !classes_may_use_node_of(x->model, n, x->live[i]))
			continue;
		blockers++;
		if (end == w->free_at && x->live[i] < last)
			last = x->live[i];
	}
	FUZZ_ASSERT(w->blockers == blockers);
	FUZZ_ASSERT(w->free_at == FAIR_FOREVER || w->freed_by == last);
}

/* What a running job has of what is said to lack; 0: it does not run. */
static inline int64_t classes_pair_holds(const struct classes_pair *x,
					 const struct fair_why *w, uint32_t n)
{
	if (classes_end(x->model, n) == MODEL_NEVER ||
	    (w->node_class != UINT32_MAX &&
	     classes_place_of(x->model, n).in != w->node_class))
		return 0;
	return x->job[n].asks.amount[w->resource];
}

/* The running jobs that hold what lacks, up to the first end at which it does
 * not lack any more. */
static inline void classes_pair_compare_holders(const struct classes_pair *x,
						const struct fair_why *w)
{
	int64_t free_at = FAIR_FOREVER, left = w->left;

	for (uint32_t i = 0; i < x->lives; i++) {
		int64_t end = classes_end(x->model, x->live[i]), sum = w->left;

		for (uint32_t k = 0; k < x->lives; k++)
			if (classes_end(x->model, x->live[k]) <= end)
				sum += classes_pair_holds(x, w, x->live[k]);
		if (sum >= w->asked && end < free_at)
			free_at = end;
	}
	FUZZ_ASSERT(w->free_at == free_at);
	for (uint32_t i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++) {
		const struct fair_blocker *b = w->blocker + i;

		FUZZ_ASSERT(left < w->asked && b->end <= free_at);
		FUZZ_ASSERT(classes_pair_holds(x, w, (uint32_t)b->number));
		left += classes_pair_holds(x, w, (uint32_t)b->number);
	}
	if (w->blockers <= FAIR_BLOCKERS)
		FUZZ_ASSERT((left >= w->asked) == (free_at < FAIR_FOREVER));
}

/* How many resources a class lacks, one of which there is too little as all
 * others and one; and the first of them. */
static inline uint32_t classes_pair_count_lacks(const struct classes_pair *x,
						const struct classes_job *asks,
						uint32_t k, uint32_t *first)
{
	uint32_t lacks = 0;

	for (uint32_t r = x->machine.resources; r-- > 0;) {
		if (classes_free_now(x->model, k, r) >= asks->amount[r])
			continue;
		lacks += classes_present(x->model, k, r) < asks->amount[r]
				 ? x->machine.resources + 1
				 : 1;
		*first = r;
	}
	return lacks;
}

/* The first of its classes that lacks the least. */
static inline void classes_pair_compare_lack(const struct classes_pair *x,
					     const struct fair_why *w)
{
	const struct classes_job *asks = &x->job[w->job.number].asks;
	uint32_t n = asks->wants ? asks->wants : x->machine.classes, i;
	uint32_t least = UINT32_MAX, lacks, k, r = 0, best = 0, first = 0;

	for (i = 0; i < n; i++) {
		k = asks->wants ? asks->wanted[i] : i;
		lacks = classes_pair_count_lacks(x, asks, k, &r);
		if (lacks >= least)
			continue;
		least = lacks;
		best = k;
		first = r;
	}
	if (!(w->reasons & FAIR_WHY_RESOURCE)) {
		FUZZ_ASSERT(w->amount == -1);
		return;
	}
	FUZZ_ASSERT(w->resource == first && w->asked == asks->amount[first]);
	FUZZ_ASSERT(w->left == classes_free_now(x->model, best, first));
	FUZZ_ASSERT(w->node_class ==
		    (x->machine.wide >> first & 1 ? UINT32_MAX : best));
	FUZZ_ASSERT(w->resource || w->amount == -1);
	if (!(w->reasons & FAIR_WHY_BEHIND))
		classes_pair_compare_holders(x, w);
}

/* Of the sizes those that divide among its chunks. */
static inline void
classes_pair_compare_node_sizes(const struct classes_pair *x,
				const struct fair_why *w)
{
	const struct fair_job *j = &w->job;
	int32_t more = w->procs + j->chunks;

	FUZZ_ASSERT(w->procs % j->chunks == 0 && more <= j->procs);
	FUZZ_ASSERT(!w->procs || classes_pair_would_start(x, w, w->procs,
							  j->walltime, 0));
	FUZZ_ASSERT(more == j->procs ||
		    !classes_pair_would_start(x, w, more, j->walltime, 0));
	FUZZ_ASSERT(!w->walltime || classes_pair_would_start(x, w, j->procs,
							     w->walltime, 0));
	FUZZ_ASSERT(w->walltime + 1 == j->walltime ||
		    !classes_pair_would_start(x, w, j->procs, w->walltime + 1,
					      0));
}

/* After a step: is what an explanation says so? */
static inline void classes_pair_explain(struct classes_pair *x, uint32_t n)
{
	size_t bytes = fair_sched_fst_size(&x->config);
	struct fair_job_status status;
	struct fair_why w;
	void *memory;

	FUZZ_ASSERT(!fair_sched_lookup(&x->sched, n, &status));
	if (status.state != FAIR_QUEUED)
		return;
	memory = malloc(bytes);
	FUZZ_ASSERT(memory &&
		    !fair_sched_why(&x->sched, n, memory, bytes, &w));
	free(memory);
	FUZZ_ASSERT(w.reasons && !w.unknown);
	if (w.reasons & FAIR_WHY_REFUSED)
		return;
	classes_pair_compare_reasons(x, &w);
	if (x->config.nodes) {
		classes_pair_compare_hosted(x, &w);
		classes_pair_compare_hosts(x, &w);
		if (!w.resource)
			classes_pair_compare_node_sizes(x, &w);
	} else {
		classes_pair_compare_sizes(x, &w);
		classes_pair_compare_lack(x, &w);
	}
	classes_pair_compare_class(x, &w);
}

/* Advances the time, at most to the next instant unless @late. */
static inline void classes_pair_wait(struct classes_pair *x, int64_t seconds,
				     bool late, uint8_t midst)
{
	int64_t next;

	classes_pair_step(x, midst);
	if (x->lives && midst >= 192)
		classes_pair_explain(x, x->live[midst % x->lives]);
	next = fair_sched_next(&x->sched);
	if (late || next - x->now > seconds)
		x->now += seconds;
	else if (next > x->now)
		x->now = next;
}

static inline void classes_pair_change(struct classes_pair *x, uint8_t what)
{
	uint32_t n = x->live[classes_pair_draw_live(x)];

	switch (what % 17) {
	case 14:
	case 15:
		if (x->config.advances && x->config.nodes)
			classes_pair_reserve(x);
		break;
	case 16:
		if (x->config.nodes)
			classes_pair_unreserve(
				x,
				1 + fuzz_u8(&x->in) % CLASSES_PAIR_ADVANCES);
		break;
	case 13:
		if (x->config.nodes)
			classes_pair_resize(x, n);
		break;
	case 10:
	case 11:
		if (x->config.advances && !x->config.nodes)
			classes_pair_reserve(x);
		else if (what % 17 == 10)
			classes_pair_suspend(x);
		else
			classes_pair_resume(x, n);
		break;
	case 12:
		if (x->config.nodes)
			classes_pair_set_node(x);
		else
			classes_pair_unreserve(
				x,
				1 + fuzz_u8(&x->in) % CLASSES_PAIR_ADVANCES);
		break;
	case 0:
	case 1:
		classes_pair_cancel(x);
		break;
	case 2:
		classes_pair_modify(x);
		break;
	case 3:
	case 4:
		if (x->config.nodes && what < 250)
			classes_pair_node(x);
		else
			classes_pair_capacity(x);
		break;
	case 5:
		classes_pair_requeue(x);
		break;
	case 6:
		classes_pair_refuse(x);
		break;
	case 7:
		classes_pair_hold(x, n);
		break;
	case 8:
		classes_pair_release(x, n);
		break;
	default:
		if (x->config.order == FAIR_ORDER_USAGE && what >= 230)
			classes_pair_set_penalty(x, n);
		else if (what >= 217 &&
			 (x->config.order == FAIR_ORDER_USAGE ||
			  x->config.order == FAIR_ORDER_DOMINANT))
			classes_pair_set_usage(x);
		else
			classes_pair_retry(x, n);
	}
}

/* What the scheduler calls it: cost is in 2^-20 there. */
static inline struct fair_limit
classes_pair_limit_of(const struct model_limit *limit)
{
	struct fair_limit l;

	l.kind = limit->kind;
	l.resource = limit->resource;
	l.id = limit->whose == 3 ? FAIR_LIMIT_EACH : limit->whose;
	l.amount = limit->amount;
	if (limit->resource == CLASSES_LIMIT_COST && l.amount != MODEL_NEVER)
		l.amount *= FAIR_PENALTY_ONE;
	return l;
}

/* The last is that of each. */
static inline void classes_pair_set_limit(struct classes_pair *x,
					  const struct model_limit *limit)
{
	struct fair_limit l = classes_pair_limit_of(limit);
	struct model_limit models = *limit;

	if (models.whose == 3)
		models.whose = MODEL_NO_JOB;
	(void)(CLASSES_PAIR_BOTH(x, limit, x->now, &l)
		       classes_limit(x->model, x->now, &models)));
}

/* Often below what jobs ask for, at times above all. */
static inline void classes_pair_limit(struct classes_pair *x, uint8_t what,
				      int64_t amount)
{
	struct model_limit limit = { what % 9, what / 36, what / 9 % 4, amount,
				     0 };

	classes_pair_set_limit(x, &limit);
}

/* Of cost, or a budget; or what was used of one is another. */
static inline void classes_pair_draw_cost(struct classes_pair *x)
{
	uint8_t what = fuzz_u8(&x->in);
	struct model_limit limit = { what % 9, CLASSES_LIMIT_COST,
				     what / 9 % 4,
				     fuzz_range(&x->in, -8, 30), 0 };
	struct fair_limit l;

	if (what >= 100) {
		limit.kind = what % MODEL_KINDS;
		limit.resource = CLASSES_LIMIT_BUDGET;
		limit.whose %= 3;
		limit.amount *= 5;
	}
	l = classes_pair_limit_of(&limit);
	if (what >= 100)
		FUZZ_ASSERT(fair_sched_get_spent(&x->sched, &l) ==
			    classes_spent(x->model, &limit));
	if (what >= 220 && limit.amount >= 0) {
		(void)(CLASSES_PAIR_BOTH(x, set_spent, x->now, &l,
					 limit.amount)
			       classes_set_spent(x->model, x->now, &limit,
						 limit.amount)));
		return;
	}
	if (limit.amount < 0)
		limit.amount = MODEL_NEVER;
	classes_pair_set_limit(x, &limit);
}

static inline void classes_pair_drop_costs(struct classes_pair *x)
{
	struct model_limit limit = { 0, CLASSES_LIMIT_COST, 0, MODEL_NEVER, 0 };

	for (; limit.resource <= CLASSES_LIMIT_BUDGET; limit.resource++)
		for (limit.kind = 0; limit.kind < 9; limit.kind++)
			for (limit.whose = 0; limit.whose < 4; limit.whose++)
				classes_pair_set_limit(x, &limit);
}

/* How many limits can be drawn: kinds, whose, resources. */
static inline uint8_t classes_pair_limits(const struct classes_pair *x)
{
	return (uint8_t)(36 * (MODEL_LIMIT_PROCS + x->machine.resources));
}

static inline void classes_pair_draw_limit(struct classes_pair *x)
{
	uint8_t what = fuzz_u8(&x->in) % classes_pair_limits(x);
	int64_t amount = fuzz_range(&x->in, -3, 10);

	if (what / 36 != MODEL_LIMIT_PROCS)
		amount /= 3;
	classes_pair_limit(x, what, amount < 0 ? MODEL_NEVER : amount);
}

static inline void classes_pair_event(struct classes_pair *x)
{
	uint8_t what = x->config.limits ? fuzz_u8(&x->in) : 128;

	if (what < 40)
		classes_pair_draw_limit(x);
	else if (what >= 216)
		classes_pair_draw_cost(x);
	what = fuzz_u8(&x->in);
	if (what < 80)
		classes_pair_submit(x, what < 8 && x->events);
	else if (what < 150)
		classes_pair_wait(x, fuzz_range(&x->in, 0, 15),
				  what > 144 && x->events, fuzz_u8(&x->in));
	else if (what < 160)
		classes_pair_copy(x, what % 2, what & 2);
	else if (x->lives && (what < 200 || !x->events))
		classes_pair_finish(x);
	else if (x->lives)
		classes_pair_change(x, what);
}

/* Ends what is planned to end now; a call in between would let it overrun. */
static inline void classes_pair_finish_due(struct classes_pair *x)
{
	for (uint32_t i = x->lives; i-- > 0;) {
		uint32_t n = x->live[i];

		if (classes_end(x->model, n) > x->now)
			continue;
		FUZZ_ASSERT(CLASSES_PAIR_BOTH(x, finish, x->now, n)
				classes_finish(x->model, x->now, n)));
		classes_pair_forget(x, n);
		classes_pair_release_followers(x);
	}
}

/* Whether nothing happens unless the caller does; Maui may poll for ever. */
static inline bool classes_pair_is_stuck(const struct classes_pair *x)
{
	return fair_sched_next(&x->sched) == FAIR_FOREVER ||
	       (x->config.policy == FAIR_MAUI &&
		!fair_sched_count(&x->sched, FAIR_RUNNING));
}

/* Returns all that was lost, then plays all jobs to their ends. */
static inline void classes_pair_drain(struct classes_pair *x)
{
	for (uint32_t k = 0; k < x->machine.classes; k++)
		for (uint32_t r = 0; r < x->machine.resources; r++)
			(void)(CLASSES_PAIR_BOTH(x, class_capacity, x->now, k,
						 r, 99, NULL, 0)
				       classes_capacity(x->model, x->now, k, r,
							99, NULL, 0)));
	for (uint32_t i = 0; i < CLASSES_NODES; i++)
		(void)(CLASSES_PAIR_BOTH(x, node_up, x->now, i)
			       classes_node(x->model, x->now, i, true, NULL,
					    0)));
	for (uint8_t i = 0; x->config.limits && i < classes_pair_limits(x); i++)
		classes_pair_limit(x, i, MODEL_NEVER);
	if (x->config.limits)
		classes_pair_drop_costs(x);
	for (uint32_t i = 0; i <= CLASSES_PAIR_ADVANCES; i++)
		classes_pair_unreserve(x, i + 1);
	for (uint32_t i = x->lives; i-- > 0;)
		if (x->job[x->live[i]].asks.advance) {
			classes_pair_drop(x, x->live[i]);
			classes_pair_release_followers(x);
		}
	for (uint32_t i = 0; i < x->lives; i++) {
		classes_pair_release(x, x->live[i]);
		classes_pair_resume(x, x->live[i]);
	}
	for (int rounds = 0; x->lives && rounds < 3000; rounds++) {
		classes_pair_wait(x, 1000000, false, 255);
		classes_pair_finish_due(x);
		if (classes_pair_is_stuck(x))
			x->now += 4; /* the caller changes its mind */
		for (uint32_t i = 0; i < x->lives && classes_pair_is_stuck(x);
		     i++)
			classes_pair_retry(x, x->live[i]);
		classes_pair_compare(x);
	}
	FUZZ_ASSERT(!x->lives);
}

/* ---- a machine ---- */

/* Up to CLASSES_NODES nodes, each of what a class had; sets of them. */
static inline void classes_pair_draw_nodes(struct classes_pair *x)
{
	uint8_t what = fuzz_u8(&x->in);
	uint32_t k, r;

	for (k = 0; k < x->machine.classes; k++) {
		x->count[k] = (int32_t)fuzz_range(&x->in, 1, k ? 2 : 4);
		for (r = 0; r < x->machine.resources; r++)
			if (!(x->machine.wide >> r & 1))
				x->amount[k * x->machine.resources + r] *=
					x->count[k];
		x->config.procs +=
			x->amount[k * x->machine.resources] -
			x->amount[k * x->machine.resources] / x->count[k];
	}
	x->nodes.count = x->count;
	x->nodes.sets = what % 4 ? CLASSES_SETS : 0;
	x->nodes.parts = CLASSES_PAIR_ROOM * CLASSES_NODES;
	x->nodes.first_fit = what / 4 % 3 == 0;
	x->config.nodes = &x->nodes;
}

static inline void classes_pair_draw_machine(struct classes_pair *x)
{
	uint32_t k, r;

	x->machine.resources = (uint32_t)fuzz_range(&x->in, 1, 3);
	x->machine.classes = (uint32_t)fuzz_range(&x->in, 1, 3);
	x->machine.wide = fuzz_u8(&x->in) % 8 & ~UINT32_C(1);
	x->machine.wide &= (UINT32_C(1) << x->machine.resources) - 1;
	for (k = 0; k < x->machine.classes; k++) {
		for (r = 0; r < x->machine.resources; r++) {
			int32_t n = (int32_t)fuzz_range(&x->in, 0, 5);

			if (k && x->machine.wide >> r & 1)
				n = 0;
			x->amount[k * x->machine.resources + r] = n + !r;
		}
		x->config.procs += x->amount[k * x->machine.resources];
	}
	x->machine.amount = x->amount;
	x->config.machine = &x->machine;
}

/* Users, shares, targets and perhaps weights; none of 0 for processors. */
static inline void classes_pair_draw_users(struct classes_pair *x,
					   struct classes_rules *rules)
{
	uint8_t what = fuzz_u8(&x->in);
	uint32_t i;

	x->config.users = x->config.accounts =
		(uint32_t)fuzz_range(&x->in, 1, CLASSES_PAIR_USERS);
	for (i = 0; i < x->config.users; i++) {
		x->share[i] = (uint32_t)fuzz_range(&x->in, 0, 3);
		x->target[i] = fuzz_range(&x->in, 0, 20);
	}
	for (i = 0; i < x->machine.resources; i++) {
		x->weight[i] = fuzz_range(&x->in, !i, 5);
		x->billing.weight[i] = x->weight[i] * FAIR_PENALTY_ONE;
	}
	x->billing.maximum = rules->maximum = what % 2;
	x->config.only_used = rules->only_used = what / 2 % 2;
	x->config.window = rules->window = 1 + what / 4 * 3;
	if (fuzz_u8(&x->in) % 4) {
		x->config.billing = &x->billing;
		rules->weight = x->weight;
	}
	x->config.share = rules->share = x->share;
	x->config.target = rules->target = x->target;
	rules->users = x->config.users;
}

static inline void classes_pair_draw_order(struct classes_pair *x,
					   struct classes_rules *rules,
					   uint32_t kind, uint8_t what)
{
	x->config.order = what / 4 % (FAIR_ORDER_LXF + 1);
	if (x->config.policy == FAIR_CONSERVATIVE ||
	    x->config.policy == FAIR_RELSHARE)
		x->config.order = FAIR_ORDER_FCFS;
	rules->order = (enum model_order)x->config.order;
	if (kind == FAIR_MAUI) {
		x->config.order = FAIR_ORDER_FCFS;
	} else if (kind == CLASSES_PAIR_SELECT) {
		x->config.select = (uint32_t)fuzz_range(&x->in, 1, FAIR_NOFIT);
		x->config.metric = what / 32 % 3;
		x->config.longest = what % 2;
		rules->select = (enum model_select)x->config.select;
		rules->metric = (enum model_metric)x->config.metric;
		rules->longest_first = x->config.longest;
	} else if (kind == CLASSES_PAIR_USAGE) {
		x->config.order = FAIR_ORDER_USAGE;
		rules->order = MODEL_BY_USAGE;
	} else if (kind == CLASSES_PAIR_DOMINANT) {
		x->config.order = FAIR_ORDER_DOMINANT;
		rules->order = MODEL_BY_DOMINANT;
	}
}

static inline void classes_pair_draw_maui(struct classes_pair *x,
					  struct classes_rules *rules)
{
	struct model_rules drawn = { 0 };

	maui_pair_new(&x->maui, &x->in, &drawn);
	x->config.maui = &x->maui.config;
	if (x->config.nodes && x->maui.config.select != FAIR_NOFIT) { /* M7 */
		x->maui.config.select = FAIR_FIRSTFIT;
		drawn.select = MODEL_FIRSTFIT;
	}
	rules->maui = drawn.maui;
	rules->select = drawn.select;
	rules->metric = drawn.metric;
	rules->longest_first = drawn.longest_first;
}

static inline void classes_pair_draw_rules(struct classes_pair *x,
					   struct classes_rules *rules,
					   uint32_t kind)
{
	static const enum model_policy of[] = { MODEL_FCFS, MODEL_EASY,
						MODEL_CONSERVATIVE, MODEL_PC,
						MODEL_DC, MODEL_SFS,
						MODEL_RELSHARE, MODEL_EASY };
	static const uint32_t by_usage[] = { FAIR_BACKFILL, FAIR_PC, FAIR_DC };
	uint8_t what = fuzz_u8(&x->in);

	x->config.policy = kind <= FAIR_MAUI ? kind : FAIR_BACKFILL;
	if (kind == CLASSES_PAIR_USAGE || kind == CLASSES_PAIR_DOMINANT)
		x->config.policy = by_usage[fuzz_u8(&x->in) % 3];
	x->config.depth = 1 + what % 3;
	if (kind == FAIR_RELSHARE)
		x->config.depth = 1;
	if (x->limits)
		x->config.limits = 1 + what % 5;
	if (what % 64 < 40)
		x->config.advances = CLASSES_PAIR_ADVANCES;
	x->config.fits = what >= 192 ? classes_pair_fits : NULL;
	memset(rules, 0, sizeof(*rules));
	rules->limits = x->config.limits;
	rules->patience = what % 7 * 3;
	x->config.patience =
		rules->patience ? rules->patience : FAIR_PATIENCE_NONE;
	rules->fits = what >= 192 ? classes_pair_model_fits : NULL;
	rules->policy = of[x->config.policy];
	classes_pair_draw_order(x, rules, kind, what);
	rules->depth = x->config.depth;
	rules->resources = x->machine.resources;
	rules->classes = x->machine.classes;
	rules->wide = x->machine.wide;
	rules->amount = x->amount;
	rules->nodes = x->nodes.count;
	rules->sets = x->nodes.sets;
	rules->first_fit = x->nodes.first_fit;
	if (kind == FAIR_MAUI)
		classes_pair_draw_maui(x, rules);
	else if (kind > FAIR_DC && kind < CLASSES_PAIR_SELECT)
		classes_pair_draw_users(x, rules);
}

static inline void classes_pair_new(struct classes_pair *x, uint32_t kind,
				    bool nodes)
{
	struct classes_rules rules;

	classes_pair_draw_machine(x);
	if (nodes && kind != CLASSES_PAIR_SELECT)
		classes_pair_draw_nodes(x);
	classes_pair_draw_rules(x, &rules, kind);
	x->config.jobs = x->config.ineligible = CLASSES_PAIR_ROOM;
	x->config.promised = classes_pair_promised;
	x->config.context = x;
	x->model = classes_new(&rules, 0);
	x->bytes = fair_sched_size(&x->config);
	x->memory = (char *)malloc(x->bytes);
	FUZZ_ASSERT(x->bytes && x->memory);
	FUZZ_ASSERT(!fair_sched_init(&x->sched, sizeof(x->sched), x->memory,
				     x->bytes, &x->config));
	x->digest = UINT64_C(0xcbf29ce484222325);
}

/* Runs @data once: FAIR_FCFS to CLASSES_PAIR_SELECT; returns the digest.
 * @nodes: jobs are planned on nodes, under kinds that can; @limits: limits
 * change. */
static inline uint64_t classes_pair_run(const uint8_t *data, size_t size,
					uint32_t kind, bool events, bool nodes,
					bool limits)
{
	struct classes_pair *x = (struct classes_pair *)calloc(1, sizeof(*x));
	uint64_t digest;

	FUZZ_ASSERT(x);
	x->in.p = data;
	x->in.n = size;
	x->events = events;
	x->limits = limits;
	classes_pair_new(x, kind, nodes);
	while (fuzz_more(&x->in)) {
		classes_pair_event(x);
		classes_pair_release_followers(x);
		classes_pair_compare(x);
	}
	classes_pair_drain(x);
	digest = x->digest;
	classes_free(x->model);
	free(x->memory);
	free(x->copy_memory);
	free(x);
	return digest;
}

#endif /* CLASSES_PAIR_H */
