/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_pair.h - nodes.h against the naive list of tests/model
 *
 * Bytes become operations. It compares each answer and checks each state; the
 * result is a digest of all answers.
 */
#ifndef FAIR_NODES_PAIR_H
#define FAIR_NODES_PAIR_H

#include "nodes.h"
#include "tests/model/nodes_model.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum {
	NODES_PAIR_JOBS = 16,
	NODES_PAIR_PARTS = 4000,
	NODES_PAIR_CLASSES = 4
};

struct nodes_pair {
	struct fuzz_in in;
	struct fair_nodes n;
	struct nodes_model model;
	void *memory;
	size_t bytes;
	int64_t span;	/* the range of random times */
	int32_t widest; /* the maximum of random amounts */
	bool is_held[NODES_PAIR_JOBS];
	int64_t start[NODES_PAIR_JOBS], walltime[NODES_PAIR_JOBS];
	uint64_t digest;
};

static void nodes_pair_add(struct nodes_pair *r, int64_t answer)
{
	r->digest = (r->digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

static int64_t nodes_pair_time(struct nodes_pair *r)
{
	return r->n.origin + fuzz_range(&r->in, 0, r->span);
}

static int64_t nodes_pair_walltime(struct nodes_pair *r)
{
	return 1 + fuzz_range(&r->in, 0, r->span / 4);
}

static uint32_t nodes_pair_slot(struct nodes_pair *r, bool is_held)
{
	uint32_t first = fuzz_u8(&r->in), i, slot;

	for (i = 0; i < NODES_PAIR_JOBS; i++) {
		slot = (first + i) % NODES_PAIR_JOBS;
		if (r->is_held[slot] == is_held)
			return slot;
	}
	return NODES_PAIR_JOBS;
}

/* The model's job is the request of the slot. */
static void nodes_pair_mirror(struct nodes_pair *r, uint32_t slot)
{
	struct fair_nodes_request q = fair_nodes_asked(&r->n, slot);
	struct nodes_model_job *j = &r->model.job[slot];
	uint32_t i;

	memset(j, 0, sizeof(*j));
	j->asks = true;
	for (i = 0; i < r->n.resources; i++)
		j->amount[i] = q.amount[i];
	j->chunks = q.chunks;
	j->per_node = q.per_node;
	j->exclusive = q.exclusive;
	j->span = q.span;
	j->named = (int)q.named;
	j->excluded = (int)q.excluded;
	j->classes = (int)(q.count ? q.count : r->n.classes);
	for (i = 0; i < (uint32_t)j->classes; i++)
		j->order[i] = q.count ? q.classes[i] : (int)i;
}

/* Any request; false: it is none. */
static bool nodes_pair_draw(struct nodes_pair *r, uint32_t slot)
{
	int32_t amount[FAIR_NODES_RESOURCES] = { 0 };
	struct fair_nodes_request q;
	uint8_t order[NODES_PAIR_CLASSES], shape = fuzz_u8(&r->in), k;
	uint32_t i;

	if ((shape & 12) == 8) { /* what another job asks for */
		i = fuzz_u8(&r->in) % NODES_PAIR_JOBS;
		q = fair_nodes_asked(&r->n, i);
		if (i == slot || fair_nodes_set_job(&r->n, slot, &q))
			return false;
		nodes_pair_mirror(r, slot);
		return true;
	}
	for (i = 0; i < r->n.resources; i++)
		if (!i || fuzz_u8(&r->in) & 1)
			amount[i] = (int32_t)fuzz_range(&r->in, i != 0,
							r->widest);
	q.amount = amount;
	q.chunks = shape & 1 ? 1 : (int32_t)fuzz_range(&r->in, 1, 9);
	q.per_node = shape & 2 ? (int32_t)fuzz_range(&r->in, 0, 3) : 0;
	q.exclusive = (shape & 12) == 12;
	q.span = (shape & 48) == 48;
	q.named = shape & 64 ? fuzz_u8(&r->in) % 4u : 0;
	q.excluded = shape & 128 ? fuzz_u8(&r->in) % 4u : 0;
	q.classes = order;
	q.count = 0;
	if (shape & 16)
		for (i = 0; i < NODES_PAIR_CLASSES; i++) {
			k = fuzz_u8(&r->in) % NODES_PAIR_CLASSES;
			if (k < r->n.classes &&
			    !(q.count && memchr(order, k, q.count)))
				order[q.count++] = k;
		}
	if (fair_nodes_set_job(&r->n, slot, &q))
		return false;
	nodes_pair_mirror(r, slot);
	return true;
}

/* The parts are those of the model. */
static void nodes_pair_match(struct nodes_pair *r, uint32_t slot)
{
	struct fair_nodes_part part;
	uint32_t at = 0, node = 0;

	while (fair_nodes_next_part(&r->n, slot, &at, &part)) {
		for (; node < part.node; node++)
			FUZZ_ASSERT(!r->model.job[slot].on[node]);
		FUZZ_ASSERT(r->model.job[slot].on[node++] == part.chunks);
		nodes_pair_add(r, part.node);
		nodes_pair_add(r, part.chunks);
	}
	for (; node < r->n.nodes; node++)
		FUZZ_ASSERT(!r->model.job[slot].on[node]);
}

static void nodes_pair_reserve(struct nodes_pair *r, uint32_t slot,
			       int64_t start, int64_t walltime)
{
	int error = fair_nodes_reserve(&r->n, slot, start, walltime);

	FUZZ_ASSERT(error ==
		    nodes_model_reserve(&r->model, (int)slot, start, walltime));
	nodes_pair_add(r, error);
	if (error)
		return;
	r->is_held[slot] = true;
	r->start[slot] = start;
	r->walltime[slot] = walltime;
}

static int nodes_pair_choose(struct nodes_pair *r, uint32_t slot,
			     int64_t start, int64_t walltime)
{
	bool is_interval = start >= r->n.origin && walltime > 0 &&
			   walltime <= r->n.horizon - start;
	bool fits = is_interval &&
		    fair_nodes_fits(&r->n, slot, start, start + walltime);
	int error;

	FUZZ_ASSERT(!is_interval ||
		    fair_nodes_fits_again(&r->n, slot, start,
					  start + walltime) == fits);
	error = fair_nodes_choose(&r->n, slot, start, walltime);
	FUZZ_ASSERT(error ==
		    nodes_model_choose(&r->model, (int)slot, start, walltime));
	FUZZ_ASSERT(fits == !error);
	nodes_pair_match(r, slot);
	nodes_pair_add(r, error);
	return error;
}

static void nodes_pair_place(struct nodes_pair *r)
{
	int64_t not_before =
		fuzz_u8(&r->in) & 1 ? nodes_pair_time(r) : r->n.origin;
	int64_t walltime = nodes_pair_walltime(r), start = -1, its = -1;
	uint32_t slot = nodes_pair_slot(r, false);
	int error;

	if (slot == NODES_PAIR_JOBS || !nodes_pair_draw(r, slot))
		return;
	error = fair_nodes_earliest_start(&r->n, slot, not_before, walltime,
					  &start);
	FUZZ_ASSERT(error == nodes_model_earliest(&r->model, (int)slot,
						  not_before, walltime, &its));
	FUZZ_ASSERT(start == its);
	nodes_pair_add(r, start);
	if (!error && !nodes_pair_choose(r, slot, start, walltime))
		nodes_pair_reserve(r, slot, start, walltime);
}

/* On any nodes at any time: it may not fit there. */
static void nodes_pair_put(struct nodes_pair *r)
{
	int64_t start = nodes_pair_time(r), walltime = nodes_pair_walltime(r);
	uint32_t slot = nodes_pair_slot(r, false), node, i;
	int32_t chunks;

	if (slot == NODES_PAIR_JOBS || !nodes_pair_draw(r, slot))
		return;
	if (fuzz_u8(&r->in) & 1)
		nodes_pair_choose(r, slot, start, walltime);
	for (i = fuzz_u8(&r->in) % 4; i > 0; i--) {
		node = fuzz_u8(&r->in) % (r->n.nodes + 1);
		chunks = fuzz_u8(&r->in) % 4;
		if (!fair_nodes_assign(&r->n, slot, node, chunks))
			r->model.job[slot].on[node] = chunks;
	}
	nodes_pair_match(r, slot);
	FUZZ_ASSERT(fair_nodes_fits_parts(&r->n, slot, start,
					  start + walltime) ==
		    nodes_model_fits_own(&r->model, (int)slot, start,
					 start + walltime));
	nodes_pair_reserve(r, slot, start, walltime);
}

static void nodes_pair_move(struct nodes_pair *r, uint32_t slot, int64_t to)
{
	int error = fair_nodes_move(&r->n, slot, r->start[slot], to,
				    r->walltime[slot]);

	FUZZ_ASSERT(error == nodes_model_move(&r->model, (int)slot,
					      r->start[slot], to,
					      r->walltime[slot]));
	nodes_pair_match(r, slot);
	nodes_pair_add(r, error);
	if (!error)
		r->start[slot] = to;
}

static void nodes_pair_earlier(struct nodes_pair *r, bool move)
{
	uint32_t slot = nodes_pair_slot(r, true);
	int64_t not_before, before, start = -1, its = -1;
	int error;

	if (slot == NODES_PAIR_JOBS)
		return;
	not_before = fuzz_u8(&r->in) & 3 ? r->n.origin : nodes_pair_time(r);
	before = fuzz_u8(&r->in) & 3 ? INT64_MAX : nodes_pair_time(r);
	error = fair_nodes_earlier_start(&r->n, slot, not_before, before,
					 r->walltime[slot], r->start[slot],
					 &start);
	FUZZ_ASSERT(error == nodes_model_earlier(&r->model, (int)slot,
						 not_before, before,
						 r->walltime[slot],
						 r->start[slot], &its));
	FUZZ_ASSERT(start == its);
	if (!error && not_before >= r->n.origin) {
		/* What it remembers changes no answer. */
		error = fair_nodes_earlier_again(&r->n, slot, r->n.origin,
						 not_before, before,
						 r->walltime[slot],
						 r->start[slot], &its);
		FUZZ_ASSERT(!error && its == start);
	}
	nodes_pair_add(r, start);
	if (!error && move && start != r->start[slot])
		nodes_pair_move(r, slot, start);
}

/* What is remembered of one job changes no answer to another. */
static void nodes_pair_all_again(struct nodes_pair *r)
{
	int64_t before = fuzz_u8(&r->in) & 1 ? r->n.origin + 1
					     : nodes_pair_time(r);
	int64_t start, again;
	uint32_t i;

	for (i = 0; i < NODES_PAIR_JOBS; i++) {
		if (!r->is_held[i])
			continue;
		FUZZ_ASSERT(!fair_nodes_earlier_start(
			&r->n, i, r->n.origin, before, r->walltime[i],
			r->start[i], &start));
		FUZZ_ASSERT(!fair_nodes_earlier_again(
			&r->n, i, r->n.origin, r->n.origin, before,
			r->walltime[i], r->start[i], &again));
		FUZZ_ASSERT(again == start);
		nodes_pair_add(r, start);
	}
}

/* Moves to any time: it may not fit there. */
static void nodes_pair_push(struct nodes_pair *r)
{
	uint32_t slot = nodes_pair_slot(r, true);

	if (slot < NODES_PAIR_JOBS)
		nodes_pair_move(r, slot, nodes_pair_time(r));
}

static int nodes_pair_release(struct nodes_pair *r, uint32_t slot,
			      int64_t start, int64_t walltime)
{
	int error = fair_nodes_release(&r->n, slot, start, walltime);

	FUZZ_ASSERT(error ==
		    nodes_model_release(&r->model, (int)slot, start, walltime));
	nodes_pair_add(r, error);
	return error;
}

/* Releases a reservation, or its end from a random time on. */
static void nodes_pair_end(struct nodes_pair *r, bool early)
{
	uint32_t slot = nodes_pair_slot(r, true);
	int64_t left;

	if (slot == NODES_PAIR_JOBS)
		return;
	left = early ? fuzz_range(&r->in, 0, r->walltime[slot] - 1) : 0;
	if (nodes_pair_release(r, slot, r->start[slot] + left,
			       r->walltime[slot] - left))
		return;
	r->walltime[slot] = left;
	if (left)
		return;
	r->is_held[slot] = false;
	FUZZ_ASSERT(!fair_nodes_forget(&r->n, slot));
	nodes_model_forget(&r->model, (int)slot);
}

/* A node is taken for an interval, or all are given back; jobs that held some
 * of it do not any more. */
static void nodes_pair_fill(struct nodes_pair *r)
{
	int64_t start = nodes_pair_time(r);
	int64_t end = start + nodes_pair_walltime(r);
	uint32_t node = fuzz_u8(&r->in) % (r->n.nodes + 1), i;
	int error;

	if (fuzz_u8(&r->in) & 1) {
		error = fair_nodes_fill(&r->n, node, start, end);
		FUZZ_ASSERT(error == (node < r->n.nodes ? 0 : -FAIR_EINVAL));
		if (!error)
			nodes_model_fill(&r->model, (int)node, start, end);
		return;
	}
	for (i = 0; i < NODES_PAIR_JOBS; i++)
		if (r->is_held[i] && r->start[i] < end &&
		    r->start[i] + r->walltime[i] > start)
			return;
	FUZZ_ASSERT(!fair_nodes_clear(&r->n, start, end));
	nodes_model_clear(&r->model, start, end);
}

/* What a job holds gets another size, mostly of as large chunks. */
static void nodes_pair_resize(struct nodes_pair *r)
{
	uint32_t slot = nodes_pair_slot(r, true), i;
	int32_t amount[FAIR_NODES_RESOURCES];
	struct fair_nodes_request size;
	bool less = false, its = false;
	uint8_t shape = fuzz_u8(&r->in);
	int error;

	if (slot == NODES_PAIR_JOBS)
		return;
	size = fair_nodes_asked(&r->n, slot);
	for (i = 0; i < r->n.resources; i++)
		amount[i] = shape & 1 ? size.amount[i]
				      : (int32_t)fuzz_range(&r->in, i == 0,
							    r->widest);
	size.amount = amount;
	size.chunks = (int32_t)fuzz_range(&r->in, 1, 9);
	size.per_node = size.exclusive = size.span = 0; /* is not read */
	error = fair_nodes_can_resize(&r->n, slot, &size, r->start[slot],
				      r->walltime[slot], &less);
	FUZZ_ASSERT(error == fair_nodes_resize(&r->n, slot, &size,
					       r->start[slot],
					       r->walltime[slot]));
	FUZZ_ASSERT(error == nodes_model_resize(&r->model, (int)slot, amount,
						size.chunks, r->start[slot],
						r->walltime[slot], &its));
	FUZZ_ASSERT(less == its);
	nodes_pair_match(r, slot);
	nodes_pair_add(r, error);
}

static void nodes_pair_nodes(struct nodes_pair *r)
{
	uint32_t node = fuzz_u8(&r->in) % r->n.nodes;
	uint32_t set = 1 + fuzz_u8(&r->in) % 3u;
	uint8_t what = fuzz_u8(&r->in);

	if (what & 1) {
		FUZZ_ASSERT(!fair_nodes_set(&r->n, set, node, what & 2));
		r->model.set[set][node] = what & 2;
		FUZZ_ASSERT(fair_nodes_has(&r->n, set, node) == (what & 2) / 2);
		return;
	}
	r->model.down[node] = (what & 6) == 6;
	FUZZ_ASSERT(!((what & 6) == 6 ? fair_nodes_down
				      : fair_nodes_up)(&r->n, node));
	FUZZ_ASSERT(fair_nodes_is_down(&r->n, node) == r->model.down[node]);
}

static void nodes_pair_advance(struct nodes_pair *r, int64_t by)
{
	int64_t origin = r->n.origin + by;
	uint32_t i;

	FUZZ_ASSERT(!fair_nodes_advance(&r->n, origin));
	nodes_model_advance(&r->model, origin);
	for (i = 0; i < NODES_PAIR_JOBS; i++) {
		int64_t end = r->start[i] + r->walltime[i];

		if (!r->is_held[i] || r->start[i] >= origin)
			continue;
		r->start[i] = origin;
		r->walltime[i] = end - origin;
		if (end > origin)
			continue;
		r->is_held[i] = false;
		FUZZ_ASSERT(!fair_nodes_forget(&r->n, i));
		nodes_model_forget(&r->model, (int)i);
	}
}

/* Replaces the nodes by a clone, and overwrites the old memory. */
static void nodes_pair_clone(struct nodes_pair *r)
{
	void *memory = malloc(r->bytes);
	struct fair_nodes copy;
	uint32_t i;

	FUZZ_ASSERT(memory);
	FUZZ_ASSERT(!fair_nodes_clone(&copy, memory, r->bytes, r->n.jobs,
				      r->n.parts, &r->n));
	for (i = 0; i < NODES_PAIR_JOBS; i++)
		if (r->model.job[i].asks)
			FUZZ_ASSERT(!fair_nodes_copy_job(&copy, i, &r->n, i));
	memset(r->memory, 0xa5, r->bytes);
	free(r->memory);
	memset(&r->n, 0xa5, sizeof(r->n));
	r->n = copy;
	r->memory = memory;
}

/* Calls with any arguments; a call that fails changes nothing. */
static void nodes_pair_any(struct nodes_pair *r)
{
	int64_t t = (int64_t)fuzz_u64(&r->in), d = (int64_t)fuzz_u64(&r->in);
	uint32_t slot = nodes_pair_slot(r, false);
	int64_t start = 1, its = 1;

	if (slot == NODES_PAIR_JOBS)
		return;
	if (!nodes_pair_draw(r, slot))
		FUZZ_ASSERT(fair_nodes_set(&r->n, slot, UINT32_MAX, true));
	if (!r->model.job[slot].asks)
		return;
	FUZZ_ASSERT(fair_nodes_earliest_start(&r->n, slot, t, d, &start) ==
		    nodes_model_earliest(&r->model, (int)slot, t, d, &its));
	FUZZ_ASSERT(start == its);
	nodes_pair_choose(r, slot, t, d);
	nodes_pair_reserve(r, slot, t, d);
	if (!r->is_held[slot])
		nodes_pair_release(r, slot, t, d);
}

/* A node, and the wide amounts, over time. */
static void nodes_pair_look(struct nodes_pair *r)
{
	uint32_t node = fuzz_u8(&r->in) % r->n.nodes, i;
	int64_t start = nodes_pair_time(r), t;
	int64_t end = start + 1 + fuzz_u8(&r->in) % 9;
	int32_t amount[FAIR_NODES_RESOURCES];
	int64_t least;

	FUZZ_ASSERT(!fair_nodes_min_free(&r->n, node, start, end, amount));
	for (i = 0; i < r->n.resources; i++) {
		int at = (int)(r->n.wide >> i & 1 ? r->n.nodes : node);

		least = INT64_MAX;
		for (t = start; t < end; t++) {
			int64_t free = nodes_model_free_at(&r->model, at,
							   (int)i, t);

			least = free < least ? free : least;
		}
		FUZZ_ASSERT(least == amount[i]);
	}
	nodes_pair_earlier(r, false);
	nodes_pair_all_again(r);
}

/* Whether a node of the model has the step. */
static bool nodes_pair_is_step(const struct nodes_pair *r, uint32_t node,
			       int64_t t, const int32_t *amount)
{
	uint32_t i;

	for (i = 0; i < r->n.resources; i++)
		if (!(r->n.wide >> i & 1) &&
		    nodes_model_free_at(&r->model, (int)node, (int)i, t) !=
			    amount[i])
			return false;
	return true;
}

/* The steps of each node are those of the model. */
static void nodes_pair_compare(const struct nodes_pair *r)
{
	int32_t amount[FAIR_NODES_RESOURCES];
	int64_t start, end, at;
	uint32_t node;
	size_t i;

	FUZZ_ASSERT(fair_nodes_check(&r->n) == 0);
	for (node = 0; node < r->n.nodes; node++)
		for (end = r->n.origin; end < FAIR_FOREVER;) {
			int64_t t = end;

			FUZZ_ASSERT(!fair_nodes_step_at(&r->n, node, t, &start,
							&end, amount));
			FUZZ_ASSERT(start == t);
			FUZZ_ASSERT(nodes_pair_is_step(r, node, t, amount));
			FUZZ_ASSERT(end == FAIR_FOREVER ||
				    !nodes_pair_is_step(r, node, end, amount));
			for (i = 0; i < 2 * r->model.n; i++) {
				at = i & 1 ? r->model.entry[i / 2].end
					   : r->model.entry[i / 2].from;
				if (at > start && at < end)
					FUZZ_ASSERT(nodes_pair_is_step(
						r, node, at, amount));
			}
		}
}

static void nodes_pair_play(struct nodes_pair *r)
{
	int op = fuzz_u8(&r->in) % 24;

	if (op < 6)
		nodes_pair_place(r);
	else if (op < 8)
		nodes_pair_end(r, op == 7);
	else if (op < 11)
		nodes_pair_earlier(r, true);
	else if (op == 11)
		nodes_pair_push(r);
	else if (op == 12)
		nodes_pair_put(r);
	else if (op == 13)
		nodes_pair_nodes(r);
	else if (op == 14)
		nodes_pair_advance(r, fuzz_range(&r->in, 0, r->span / 8));
	else if (op == 15)
		nodes_pair_clone(r);
	else if (op == 16)
		nodes_pair_any(r);
	else if (op >= 22)
		nodes_pair_fill(r);
	else if (op >= 20)
		nodes_pair_resize(r);
	else if (op == 17)
		FUZZ_ASSERT(!fair_nodes_settle(&r->n));
	else
		nodes_pair_look(r);
}

/* A machine drawn from the bytes; wide amounts stand in class 0. */
static void nodes_pair_open(struct nodes_pair *r)
{
	static const int32_t sizes[] = { 3, 12, INT32_MAX };
	static const int64_t spans[] = { 12, 60, 5000, 1 << 24 };
	int32_t amount[FAIR_NODES_RESOURCES * NODES_PAIR_CLASSES];
	int32_t count[NODES_PAIR_CLASSES];
	struct fair_nodes_config config;
	uint8_t shape = fuzz_u8(&r->in);
	int64_t origin = shape & 32 ? -1000 : shape & 64 ? INT64_C(1) << 40 : 0;
	uint32_t k, i;

	r->span = spans[shape & 3];
	r->widest = sizes[(shape >> 2 & 7) % 3];
	config.classes = 1 + fuzz_u8(&r->in) % NODES_PAIR_CLASSES;
	config.resources = 1 + fuzz_u8(&r->in) % 4;
	config.wide = fuzz_u8(&r->in) & 0xeu & ((1u << config.resources) - 1);
	config.sets = 3;
	config.first_fit = shape & 128;
	config.count = count;
	config.amount = amount;
	for (k = 0; k < config.classes; k++) {
		count[k] = 1 + fuzz_u8(&r->in) % (shape & 16 ? 40 : 3);
		for (i = 0; i < config.resources; i++) {
			int32_t *n = &amount[k * config.resources + i];

			*n = (int32_t)fuzz_range(&r->in, i ? 0 : 1, r->widest);
			if (k && config.wide >> i & 1)
				*n = 0;
		}
	}
	r->bytes = fair_nodes_size(&config, NODES_PAIR_JOBS, NODES_PAIR_PARTS);
	FUZZ_ASSERT(r->bytes);
	r->memory = malloc(r->bytes);
	FUZZ_ASSERT(r->memory);
	FUZZ_ASSERT(!fair_nodes_init(&r->n, sizeof(r->n), r->memory, r->bytes,
				     &config, NODES_PAIR_JOBS,
				     NODES_PAIR_PARTS, origin));
	nodes_model_init(&r->model, (int)config.resources, (int)config.classes,
			 config.wide, config.first_fit, count, amount,
			 r->n.horizon - origin, origin);
	if (r->widest > 12)
		r->widest = r->widest / 4 + 1;
}

static uint64_t nodes_pair_run(const uint8_t *data, size_t size)
{
	struct nodes_pair *r = (struct nodes_pair *)calloc(1, sizeof(*r));
	uint64_t digest;
	int ops;

	FUZZ_ASSERT(r);
	r->in.p = data;
	r->in.n = size;
	nodes_pair_open(r);
	for (ops = 0; fuzz_more(&r->in) && ops < 300; ops++) {
		nodes_pair_play(r);
		nodes_pair_compare(r);
	}
	/* Once beyond the time from which offsets are counted anew. */
	nodes_pair_advance(r, INT64_C(3) << 29);
	nodes_pair_compare(r);
	digest = r->digest;
	nodes_model_free(&r->model);
	free(r->memory);
	free(r);
	return digest;
}

#endif /* FAIR_NODES_PAIR_H */
