/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * penalty_fuzz.c - penalty.h against the exact rationals of tests/model
 *
 * An input is a machine, which penalty.h may refuse, and jobs. Each metric of
 * each job must be the exact value, rounded as the manual says, within the
 * manual's bound, or fail as the model does. Two runs have one digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_PENALTY_IMPLEMENTATION
#include "policies/penalty.h"
#include "tests/model/penalty_model.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { CLASSES = 80, RESOURCES = 5, CHUNKS = 5, JOBS = 16 };

struct run {
	struct fuzz_in in;
	struct fair_penalty_machine m;
	struct model_machine model;
	struct fair_penalty_class node[CLASSES];
	struct model_class model_node[CLASSES];
	int64_t amount[CLASSES][RESOURCES];
	bool special[RESOURCES];
	size_t classes, resources, chunks;
	struct fair_penalty_chunk chunk[CHUNKS];
	struct model_chunk model_chunk[CHUNKS];
	int64_t asked[CHUNKS][RESOURCES], standard[RESOURCES];
	size_t assigned[CHUNKS];
	uint64_t digest;
};

static void add_to_digest(struct run *r, int64_t answer)
{
	r->digest = (r->digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

/* Draws any amount, often next to a power of two. */
static int64_t amount(struct fuzz_in *in, int64_t most)
{
	int shift = fuzz_u8(in);

	switch (shift >> 6) {
	case 0:
		return fuzz_range(in, 0, most < 255 ? most : 255);
	case 1:
		return fuzz_range(in, 0, most);
	case 2:
		return most - fuzz_range(in, 0, most < 3 ? most : 3);
	default:
		shift = shift & 63;
		if (shift > 61 || INT64_C(1) << shift > most)
			return most;
		return (INT64_C(1) << shift) - fuzz_range(in, 0, 1);
	}
}

static int64_t spec(struct fuzz_in *in)
{
	return fuzz_range(in, 1, 8) << 18;
}

static void fill_class(struct run *r, struct fair_penalty_class *c,
		       int64_t *have, int64_t procs_most, int64_t rest_most,
		       int32_t count_most)
{
	size_t k;

	for (k = 0; k < r->resources; k++)
		have[k] = amount(&r->in, k ? rest_most : procs_most);
	have[0] += !have[0];
	c->count = (int32_t)amount(&r->in, count_most);
	c->count += !c->count;
	c->spec = spec(&r->in);
	c->cost = fuzz_range(&r->in, 0, 1) ? FAIR_PENALTY_ONE
					   : amount(&r->in, INT64_C(1) << 40);
	c->properties = fuzz_u8(&r->in);
	c->amount = have;
}

static void fill_model(struct run *r)
{
	size_t i;

	for (i = 0; i < r->classes; i++) {
		r->model_node[i].count = r->node[i].count;
		r->model_node[i].spec = r->node[i].spec;
		r->model_node[i].cost = r->node[i].cost;
		r->model_node[i].properties = r->node[i].properties;
		r->model_node[i].amount = r->node[i].amount;
	}
	r->model.node = r->model_node;
	r->model.classes = r->classes;
	r->model.resources = r->resources;
	r->model.special = r->special;
}

/* Few bytes make many classes: each resembles one of the first. */
static void make_machine(struct run *r)
{
	size_t own, i, k;
	int64_t procs = INT64_C(1) << fuzz_range(&r->in, 0, 36);
	int32_t count = fuzz_range(&r->in, 0, 1) ? 1 : INT32_MAX;
	int64_t rest = INT64_C(1) << fuzz_range(&r->in, 0, 61);

	r->resources = (size_t)fuzz_range(&r->in, 1, RESOURCES);
	own = (size_t)fuzz_range(&r->in, 1, 8);
	r->classes = own + (size_t)fuzz_range(&r->in, 0, CLASSES - 8);
	for (i = 0; i < own; i++)
		fill_class(r, &r->node[i], r->amount[i], procs, rest, count);
	for (; i < r->classes; i++) {
		memcpy(r->amount[i], r->amount[i % own], sizeof(r->amount[i]));
		r->node[i] = r->node[i % own];
		r->node[i].amount = r->amount[i];
		k = (size_t)fuzz_range(&r->in, 0, 2 * RESOURCES - 1);
		if (k < r->resources && r->amount[i][k])
			r->amount[i][k] =
				fuzz_range(&r->in, 1, r->amount[i][k]);
	}
	for (k = 1; k < r->resources; k++)
		r->special[k] = fuzz_range(&r->in, 0, 3) == 0;
	fill_model(r);
}

static bool fits(const struct run *r)
{
	int64_t total, most;
	size_t i, k;

	for (i = 0; i < r->classes; i++)
		if (r->node[i].cost &&
		    r->amount[i][0] > FAIR_PENALTY_MAX / r->node[i].cost)
			return false;
	for (k = 0; k < r->resources; k++) {
		most = k ? INT64_MAX : (INT64_C(1) << 42) - 1;
		for (i = 0, total = 0; i < r->classes; i++) {
			if (r->amount[i][k] > (most - total) / r->node[i].count)
				return false;
			total += r->node[i].count * r->amount[i][k];
		}
	}
	return true;
}

/* Draws a job that resembles one of the classes, or none. */
static void make_job(struct run *r)
{
	struct fuzz_in *in = &r->in;
	size_t i, k, like;

	r->chunks = (size_t)fuzz_range(in, 1, CHUNKS);
	for (i = 0; i < r->chunks; i++) {
		struct fair_penalty_chunk *c = &r->chunk[i];

		memset(c, 0, sizeof(*c));
		like = (size_t)fuzz_range(in, 0, (int64_t)r->classes - 1);
		r->assigned[i] = like;
		for (k = 0; k < r->resources; k++)
			r->asked[i][k] = amount(in, r->amount[like][k]);
		if (fuzz_range(in, 0, 15) == 0)
			r->asked[i][0] = amount(in, FAIR_PENALTY_MAX);
		c->count = (int32_t)amount(in, INT32_MAX);
		c->count += !c->count;
		c->amount = r->asked[i];
		if (fuzz_range(in, 0, 1)) {
			c->min_spec = spec(in);
			c->max_spec = fuzz_range(in, 0, 1) * spec(in);
			c->properties = fuzz_u8(in) & fuzz_u8(in);
			c->without = fuzz_u8(in) & fuzz_u8(in);
		}
		r->model_chunk[i].count = c->count;
		r->model_chunk[i].min_spec = c->min_spec;
		r->model_chunk[i].max_spec = c->max_spec;
		r->model_chunk[i].properties = c->properties;
		r->model_chunk[i].without = c->without;
		r->model_chunk[i].amount = c->amount;
	}
	for (k = 0; k < r->resources; k++)
		r->standard[k] = amount(in, FAIR_PENALTY_MAX);
	r->standard[0] += !r->standard[0];
}

/* @halves: how many roundings precede the queue's cost. */
static void compare(struct run *r, int err, int64_t got,
		    enum model_result wanted, const struct model_penalty *want,
		    int64_t halves, int64_t queue_cost)
{
	add_to_digest(r, err);
	add_to_digest(r, got);
	if (wanted != MODEL_OK) {
		FUZZ_ASSERT(err == (wanted == MODEL_UNSUITABLE
					    ? -FAIR_ERANGE
					    : -FAIR_EOVERFLOW));
		FUZZ_ASSERT(got == -1);
		return;
	}
	FUZZ_ASSERT(!err);
	FUZZ_ASSERT(got == want->fixed);
	FUZZ_ASSERT(model_within(want, got, halves, queue_cost));
}

static void price_job(struct run *r)
{
	const struct fair_penalty_machine *m = &r->m;
	const struct fair_penalty_chunk *c = r->chunk;
	const struct model_chunk *mc = r->model_chunk;
	size_t n = r->chunks;
	struct model_penalty want;
	enum model_result wanted;
	int64_t q, p = -1;
	int err;

	q = fuzz_range(&r->in, 0, 1) ? FAIR_PENALTY_ONE
				     : amount(&r->in, FAIR_PENALTY_MAX);
	wanted = model_local(&r->model, mc, n, NULL, q, &want);
	err = fair_penalty(m, c, n, q, &p);
	compare(r, err, p, wanted, &want, want.nodes, q);

	p = -1;
	wanted = model_local(&r->model, mc, n, r->assigned, q, &want);
	err = fair_penalty_local(m, c, n, r->assigned, q, &p);
	compare(r, err, p, wanted, &want, want.nodes, q);

	p = -1;
	wanted = model_pe(&r->model, mc, n, q, &want);
	err = fair_penalty_pe(m, c, n, q, &p);
	compare(r, err, p, wanted, &want, 1, q);

	p = -1;
	wanted = model_standard(mc, n, r->standard, r->resources, q, &want);
	err = fair_penalty_standard(c, n, r->standard, r->resources, q, &p);
	compare(r, err, p, wanted, &want, 1, q);

	p = -1;
	wanted = model_cpu(mc, n, q, &want);
	err = fair_penalty_cpu(c, n, q, &p);
	compare(r, err, p, wanted, &want, 0, q);
}

static void charge_job(struct run *r)
{
	int64_t walltime = amount(&r->in, INT64_MAX);
	int64_t penalty = amount(&r->in, INT64_MAX);
	int64_t slow = INT64_MAX, got = -1, want = -1;
	size_t k;
	int err;

	for (k = 0; k < r->chunks; k++)
		if (r->node[r->assigned[k]].spec < slow)
			slow = r->node[r->assigned[k]].spec;
	slow = fuzz_range(&r->in, 0, 1) ? slow
					: 1 + amount(&r->in, INT64_MAX / 4);
	err = fair_penalty_charge(walltime, slow, penalty, &got);
	if (model_charge(walltime, slow, penalty, &want) != MODEL_OK)
		FUZZ_ASSERT(err == -FAIR_EOVERFLOW && got == -1);
	else
		FUZZ_ASSERT(!err && got == want);
	add_to_digest(r, got);
}

static void suits(struct run *r)
{
	struct fair_penalty_chunk one;
	int64_t p;
	size_t i, k;

	for (k = 0; k < r->chunks; k++) {
		one = r->chunk[k];
		one.count = 1;
		for (i = 0; i < r->classes; i++)
			FUZZ_ASSERT(
				(fair_penalty_local(&r->m, &one, 1, &i,
						    FAIR_PENALTY_ONE, &p) !=
				 -FAIR_ERANGE) ==
				model_suits(&r->model, &r->model_chunk[k], i));
	}
}

static uint64_t run(const uint8_t *data, size_t size)
{
	static struct run r;
	void *memory;
	size_t bytes;
	int err, jobs;

	memset(&r, 0, sizeof(r));
	r.in.p = data;
	r.in.n = size;
	make_machine(&r);
	bytes = fair_penalty_size(r.classes, r.resources);
	memory = malloc(bytes);
	FUZZ_ASSERT(bytes && memory);
	err = fair_penalty_init(&r.m, sizeof(r.m), memory, bytes, r.node,
				r.classes, r.resources, r.special);
	FUZZ_ASSERT(err == (fits(&r) ? 0 : -FAIR_EOVERFLOW));
	add_to_digest(&r, err);
	if (!err)
		FUZZ_ASSERT(!fair_penalty_check(&r.m));
	for (jobs = 0; !err && fuzz_more(&r.in) && jobs < JOBS; jobs++) {
		make_job(&r);
		suits(&r);
		price_job(&r);
		charge_job(&r);
	}
	free(memory);
	return r.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FUZZ_ASSERT(run(data, size) == run(data, size));
	return 0;
}
