/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * machine_pair.h - machine.h against the list of vectors of tests/model
 *
 * Bytes become operations. It compares each answer and checks each state; the
 * result is a digest of all answers.
 */
#ifndef FAIR_MACHINE_PAIR_H
#define FAIR_MACHINE_PAIR_H

#include "machine.h"
#include "tests/model/machine_model.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { MACHINE_PAIR_JOBS = 64, MACHINE_PAIR_STEPS = 4000 };

struct machine_pair_job {
	int64_t start, walltime;
	uint32_t node_class;
	int32_t amount[FAIR_MACHINE_RESOURCES];
};

struct machine_pair {
	struct fuzz_in in;
	struct fair_machine m;
	struct machine_model model;
	void *memory;
	size_t bytes;
	int64_t span;	/* the range of random times */
	int32_t widest; /* the maximum of random amounts */
	struct machine_pair_job job[MACHINE_PAIR_JOBS];
	size_t jobs;
	uint64_t digest;
};

/* What a job asks for. */
struct machine_pair_asked {
	int32_t amount[FAIR_MACHINE_RESOURCES];
	uint8_t order[4];
	struct fair_machine_request request;
};

static void machine_pair_add(struct machine_pair *r, int64_t answer)
{
	r->digest = (r->digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

static int64_t machine_pair_time(struct machine_pair *r)
{
	return r->m.origin + fuzz_range(&r->in, 0, r->span);
}

static int64_t machine_pair_walltime(struct machine_pair *r)
{
	return 1 + fuzz_range(&r->in, 0, r->span / 4);
}

static uint32_t machine_pair_class(struct machine_pair *r)
{
	return (uint32_t)fuzz_range(&r->in, 0, (int64_t)r->m.classes - 1);
}

/* Half of the amounts are 0. */
static void machine_pair_draw(struct machine_pair *r,
			      struct machine_pair_asked *a)
{
	uint32_t i;

	memset(a, 0, sizeof(*a));
	for (i = 0; i < r->m.resources; i++)
		if (!i || fuzz_u8(&r->in) & 1)
			a->amount[i] =
				(int32_t)fuzz_range(&r->in, 1, r->widest);
	a->request.amount = a->amount;
	a->request.classes = a->order;
	a->request.count = fuzz_u8(&r->in) % 4;
	for (i = 0; i < a->request.count; i++)
		a->order[i] = (uint8_t)machine_pair_class(r);
}

static struct machine_pair_job *machine_pair_pick(struct machine_pair *r)
{
	if (!r->jobs)
		return NULL;
	return &r->job[(size_t)fuzz_range(&r->in, 0, (int64_t)r->jobs - 1)];
}

static void machine_pair_reserve(struct machine_pair *r, uint32_t k,
				 int64_t start, int64_t walltime,
				 const int32_t *amount)
{
	struct machine_pair_job *j = &r->job[r->jobs];
	int error;

	if (r->jobs == MACHINE_PAIR_JOBS)
		return;
	error = fair_machine_reserve(&r->m, k, start, walltime, amount);
	FUZZ_ASSERT(error == machine_model_reserve(&r->model, k, start,
						   walltime, amount));
	machine_pair_add(r, error);
	if (error)
		return;
	r->jobs++;
	j->start = start;
	j->walltime = walltime;
	j->node_class = k;
	memcpy(j->amount, amount, r->m.resources * sizeof(*amount));
}

static int machine_pair_release(struct machine_pair *r, uint32_t k,
				int64_t start, int64_t walltime,
				const int32_t *amount)
{
	int error = fair_machine_release(&r->m, k, start, walltime, amount);

	FUZZ_ASSERT(error == machine_model_release(&r->model, k, start,
						   walltime, amount));
	machine_pair_add(r, error);
	return error;
}

static int machine_pair_earliest(struct machine_pair *r, int64_t not_before,
				 int64_t walltime,
				 const struct fair_machine_request *q,
				 int64_t *start, uint32_t *k)
{
	int64_t models = -1;
	uint32_t its = 99;
	int error;

	*start = -1;
	*k = 99;
	error = fair_machine_earliest_start(&r->m, not_before, walltime, q,
					    start, k);
	FUZZ_ASSERT(error == machine_model_earliest_start(
				     &r->model, not_before, walltime, q->amount,
				     q->classes, q->count, &models, &its));
	FUZZ_ASSERT(*start == models && *k == its);
	machine_pair_add(r, *start);
	machine_pair_add(r, *k);
	return error;
}

static void machine_pair_place(struct machine_pair *r)
{
	int64_t not_before =
		fuzz_u8(&r->in) & 1 ? machine_pair_time(r) : r->m.origin;
	int64_t walltime = machine_pair_walltime(r), start;
	struct machine_pair_asked a;
	uint32_t k;

	machine_pair_draw(r, &a);
	if (!machine_pair_earliest(r, not_before, walltime, &a.request, &start,
				   &k))
		machine_pair_reserve(r, k, start, walltime, a.amount);
}

static void machine_pair_move(struct machine_pair *r,
			      struct machine_pair_job *j, uint32_t k,
			      int64_t start)
{
	int32_t most[FAIR_MACHINE_RESOURCES], least[FAIR_MACHINE_RESOURCES];
	int32_t left[FAIR_MACHINE_RESOURCES];
	int64_t end = j->start + j->walltime, hole;
	int error = fair_machine_move(&r->m, j->node_class, j->start, k, start,
				      j->walltime, j->amount, most);
	uint32_t i;

	FUZZ_ASSERT(error == machine_model_move(&r->model, j->node_class,
						j->start, k, start, j->walltime,
						j->amount));
	machine_pair_add(r, error);
	if (error)
		return;
	for (i = 0; i < r->m.resources; i++) {
		bool stays = k == j->node_class || r->m.wide >> i & 1;

		hole = j->start;
		if (stays && start + j->walltime > hole)
			hole = start + j->walltime;
		machine_model_extremes(&r->model, j->node_class, hole, end,
				       least, left);
		FUZZ_ASSERT(most[i] >= left[i]);
		FUZZ_ASSERT(j->amount[i] || most[i] == INT32_MAX);
	}
	j->node_class = k;
	j->start = start;
}

static void machine_pair_earlier(struct machine_pair *r, bool move)
{
	struct machine_pair_job *j = machine_pair_pick(r);
	int64_t not_before, before, ours = -1, models = -1;
	struct machine_pair_asked a;
	uint32_t k = 99, its = 99;
	int error;

	if (!j)
		return;
	machine_pair_draw(r, &a);
	a.request.amount = j->amount;
	not_before = fuzz_u8(&r->in) & 3 ? r->m.origin : machine_pair_time(r);
	before = fuzz_u8(&r->in) & 3 ? INT64_MAX : machine_pair_time(r);
	error = fair_machine_earlier_start(&r->m, not_before, before,
					   j->walltime, &a.request, j->start,
					   j->node_class, &ours, &k);
	FUZZ_ASSERT(error == machine_model_earlier_start(
				     &r->model, not_before, before, j->walltime,
				     j->amount, a.order, a.request.count,
				     j->start, j->node_class, &models, &its));
	FUZZ_ASSERT(ours == models && k == its);
	machine_pair_add(r, ours);
	machine_pair_add(r, k);
	if (!error && move && ours != j->start)
		machine_pair_move(r, j, k, ours);
}

/* Moves to any place: it may not fit there. */
static void machine_pair_push(struct machine_pair *r)
{
	struct machine_pair_job *j = machine_pair_pick(r);
	uint32_t k = machine_pair_class(r);

	if (j && j->start > r->m.origin)
		machine_pair_move(
			r, j, k, fuzz_range(&r->in, r->m.origin, j->start - 1));
}

/* Releases a reservation, or its end from a random time on. */
static void machine_pair_end(struct machine_pair *r, bool early)
{
	struct machine_pair_job *j = machine_pair_pick(r), was;
	int64_t left;

	if (!j)
		return;
	was = *j;
	left = early ? fuzz_range(&r->in, 0, was.walltime - 1) : 0;
	if (machine_pair_release(r, was.node_class, was.start + left,
				 was.walltime - left, was.amount))
		return;
	if (left)
		j->walltime = left;
	else
		*j = r->job[--r->jobs];
}

static void machine_pair_capacity(struct machine_pair *r)
{
	int64_t start =
		fuzz_u8(&r->in) & 1 ? r->m.origin : machine_pair_time(r);
	int64_t end = fuzz_u8(&r->in) & 1 ? FAIR_FOREVER
					  : start + machine_pair_walltime(r);
	int32_t delta =
		(int32_t)fuzz_range(&r->in, -(int64_t)r->widest, r->widest);
	uint32_t k = machine_pair_class(r), resource = fuzz_u8(&r->in) % 9;
	int error = fair_machine_change_capacity(&r->m, k, resource, start, end,
						 delta);

	FUZZ_ASSERT(error == machine_model_change_capacity(&r->model, k,
							   resource, start, end,
							   delta));
	machine_pair_add(r, error);
}

static void machine_pair_advance(struct machine_pair *r)
{
	int64_t origin = r->m.origin + fuzz_range(&r->in, 0, r->span / 8);
	size_t i;

	FUZZ_ASSERT(!fair_machine_advance(&r->m, origin));
	machine_model_advance(&r->model, origin);
	for (i = 0; i < r->jobs;) {
		struct machine_pair_job *j = &r->job[i];
		int64_t end = j->start + j->walltime;

		if (end <= origin) {
			*j = r->job[--r->jobs];
			continue;
		}
		if (j->start < origin)
			j->start = origin;
		j->walltime = end - j->start;
		i++;
	}
}

/* Replaces the machine by a clone, and overwrites the old memory. */
static void machine_pair_clone(struct machine_pair *r)
{
	void *memory = malloc(r->bytes);
	struct fair_machine copy;

	FUZZ_ASSERT(memory);
	FUZZ_ASSERT(!fair_machine_clone(&copy, memory, r->bytes, &r->m));
	FUZZ_ASSERT(copy.cap == r->m.cap);
	memset(r->memory, 0xa5, r->bytes);
	free(r->memory);
	memset(&r->m, 0xa5, sizeof(r->m));
	r->m = copy;
	r->memory = memory;
}

/* Calls with any arguments; a call that fails changes nothing. */
static void machine_pair_any(struct machine_pair *r)
{
	int64_t t = (int64_t)fuzz_u64(&r->in), d = (int64_t)fuzz_u64(&r->in);
	int64_t ours = 1, models = 1;
	struct machine_pair_asked a;
	uint32_t k = fuzz_u8(&r->in), its = k, i;

	machine_pair_draw(r, &a);
	for (i = 0; i < r->m.resources; i++)
		a.amount[i] = (int32_t)fuzz_u32(&r->in);
	a.order[0] = fuzz_u8(&r->in);
	machine_pair_earliest(r, t, d, &a.request, &ours, &k);
	machine_pair_reserve(r, its, t, d, a.amount);
	machine_pair_release(r, its, t, d, a.amount);
	models = ours;
	k = its;
	FUZZ_ASSERT(fair_machine_earlier_start(&r->m, t, d, 9, &a.request, t,
					       its, &ours, &k) ==
		    machine_model_earlier_start(&r->model, t, d, 9, a.amount,
						a.order, a.request.count, t,
						its, &models, &its));
	FUZZ_ASSERT(ours == models && k == its);
}

static void machine_pair_look(struct machine_pair *r)
{
	int32_t least[FAIR_MACHINE_RESOURCES], most[FAIR_MACHINE_RESOURCES];
	int32_t its[FAIR_MACHINE_RESOURCES];
	int64_t start = machine_pair_time(r);
	int64_t end = fuzz_u8(&r->in) & 1 ? FAIR_FOREVER
					  : start + machine_pair_walltime(r);
	uint32_t k = machine_pair_class(r);
	size_t bytes = r->m.resources * sizeof(*least);

	FUZZ_ASSERT(!fair_machine_min_free(&r->m, k, start, end, least));
	machine_model_extremes(&r->model, k, start, end, its, most);
	FUZZ_ASSERT(!memcmp(least, its, bytes));
	machine_pair_earlier(r, false);
}

/* The joint steps of each class are those of the model. */
static void machine_pair_compare(const struct machine_pair *r)
{
	int32_t ours[FAIR_MACHINE_RESOURCES], least[FAIR_MACHINE_RESOURCES];
	int32_t most[FAIR_MACHINE_RESOURCES];
	int64_t start, end;
	uint32_t k, i;

	FUZZ_ASSERT(fair_machine_check(&r->m) == 0);
	FUZZ_ASSERT(fair_machine_steps(&r->m) <= r->m.cap);
	for (k = 0; k < r->m.classes; k++)
		for (end = r->m.origin; end < FAIR_FOREVER;) {
			int64_t t = end;

			FUZZ_ASSERT(!fair_machine_step_at(&r->m, k, t, &start,
							  &end, ours));
			FUZZ_ASSERT(start == t);
			machine_model_extremes(&r->model, k, t, end, least,
					       most);
			for (i = 0; i < r->m.resources; i++)
				FUZZ_ASSERT(ours[i] == least[i] &&
					    ours[i] == most[i]);
		}
}

static void machine_pair_play(struct machine_pair *r)
{
	int op = fuzz_u8(&r->in) % 20;

	if (op < 7)
		machine_pair_place(r);
	else if (op < 9)
		machine_pair_end(r, op == 7);
	else if (op < 12)
		machine_pair_earlier(r, true);
	else if (op == 12)
		machine_pair_push(r);
	else if (op == 13)
		machine_pair_capacity(r);
	else if (op == 14)
		machine_pair_advance(r);
	else if (op == 15)
		machine_pair_clone(r);
	else if (op == 16)
		machine_pair_any(r);
	else if (op == 17)
		FUZZ_ASSERT(!fair_machine_settle(&r->m));
	else
		machine_pair_look(r);
}

/* A machine drawn from the bytes; wide amounts stand in class 0. */
static void machine_pair_open(struct machine_pair *r)
{
	static const int32_t sizes[] = { 3, 40, INT32_MAX };
	static const int64_t spans[] = { 12, 60, 5000, 1 << 24 };
	int32_t amount[FAIR_MACHINE_RESOURCES * 4];
	struct fair_machine_config config;
	uint8_t shape = fuzz_u8(&r->in);
	int64_t origin = shape & 32 ? -1000 : shape & 64 ? INT64_C(1) << 40 : 0;
	uint32_t k, i;

	r->span = spans[shape & 3];
	r->widest = sizes[(shape >> 2 & 7) % 3];
	config.classes = 1 + fuzz_u8(&r->in) % 4;
	config.resources = 1 + fuzz_u8(&r->in) % 4;
	if (shape & 128)
		config.resources = 8;
	config.wide = fuzz_u8(&r->in) & 0xfeu & ((1u << config.resources) - 1);
	config.amount = amount;
	for (k = 0; k < config.classes; k++)
		for (i = 0; i < config.resources; i++) {
			int32_t *n = &amount[k * config.resources + i];

			*n = (int32_t)fuzz_range(&r->in, i ? 0 : 1, r->widest);
			if (k && config.wide >> i & 1)
				*n = 0;
		}
	r->bytes = fair_machine_size(&config, MACHINE_PAIR_STEPS);
	FUZZ_ASSERT(r->bytes);
	r->memory = malloc(r->bytes);
	FUZZ_ASSERT(r->memory);
	FUZZ_ASSERT(!fair_machine_init(&r->m, sizeof(r->m), r->memory, r->bytes,
				       &config, origin));
	FUZZ_ASSERT(r->m.cap >= MACHINE_PAIR_STEPS);
	machine_model_init(&r->model, (int)config.resources,
			   (int)config.classes, config.wide, amount,
			   r->m.horizon - origin, origin);
	/* Most jobs are narrower than the machine. */
	if (shape & 16)
		r->widest = r->widest / 4 + 1;
}

static uint64_t machine_pair_run(const uint8_t *data, size_t size)
{
	struct machine_pair *r = (struct machine_pair *)calloc(1, sizeof(*r));
	uint64_t digest;
	int ops;

	FUZZ_ASSERT(r);
	r->in.p = data;
	r->in.n = size;
	machine_pair_open(r);
	for (ops = 0; fuzz_more(&r->in) && ops < 500; ops++) {
		machine_pair_play(r);
		machine_pair_compare(r);
	}
	digest = r->digest;
	machine_model_free(&r->model);
	free(r->memory);
	free(r);
	return digest;
}

#endif /* FAIR_MACHINE_PAIR_H */
