/* SPDX-License-Identifier: MIT OR Unlicense */
#include "penalty_model.h"

#include <stdlib.h>

#define UNIT ((int64_t)1 << 20)

/* Big natural numbers by schoolbook methods; the caller avoids overflow. */

static struct model_big big(uint64_t x)
{
	struct model_big b = { 0, { 0 } };

	for (; x; x >>= 32)
		b.d[b.n++] = (uint32_t)x;
	return b;
}

static uint32_t limb(const struct model_big *a, int i)
{
	return i < a->n ? a->d[i] : 0;
}

static void push(struct model_big *a, uint64_t limb_or_0)
{
	if (!limb_or_0)
		return;
	if (a->n == MODEL_LIMBS)
		abort();
	a->d[a->n++] = (uint32_t)limb_or_0;
}

static int compare(const struct model_big *a, const struct model_big *b)
{
	int i;

	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (i = a->n - 1; i >= 0; i--)
		if (a->d[i] != b->d[i])
			return a->d[i] < b->d[i] ? -1 : 1;
	return 0;
}

static struct model_big plus(const struct model_big *a,
			     const struct model_big *b)
{
	struct model_big sum = { a->n > b->n ? a->n : b->n, { 0 } };
	uint64_t carry = 0;
	int i;

	for (i = 0; i < sum.n; i++) {
		carry += (uint64_t)limb(a, i) + limb(b, i);
		sum.d[i] = (uint32_t)carry;
		carry >>= 32;
	}
	push(&sum, carry);
	return sum;
}

/* a - b, for a >= b */
static struct model_big minus(const struct model_big *a,
			      const struct model_big *b)
{
	struct model_big left = *a;
	int64_t borrow = 0;
	int i;

	for (i = 0; i < left.n; i++) {
		borrow += (int64_t)left.d[i] - limb(b, i);
		left.d[i] = (uint32_t)borrow;
		borrow = borrow < 0 ? -1 : 0;
	}
	while (left.n && !left.d[left.n - 1])
		left.n--;
	return left;
}

static struct model_big times(const struct model_big *a,
			      const struct model_big *b)
{
	struct model_big p = { 0, { 0 } };
	uint64_t carry;
	int i, j;

	if (!a->n || !b->n)
		return p;
	if (a->n + b->n > MODEL_LIMBS)
		abort();
	for (i = 0; i < a->n; i++) {
		carry = 0;
		for (j = 0; j < b->n; j++) {
			carry += (uint64_t)a->d[i] * b->d[j] + p.d[i + j];
			p.d[i + j] = (uint32_t)carry;
			carry >>= 32;
		}
		p.d[i + j] = (uint32_t)carry;
	}
	p.n = a->n + b->n;
	if (!p.d[p.n - 1])
		p.n--;
	return p;
}

static struct model_big times_int(const struct model_big *a, int64_t x)
{
	struct model_big b = big((uint64_t)x);

	return times(a, &b);
}

/* Fractions, never reduced */

static struct model_ratio ratio(int64_t num, int64_t den)
{
	struct model_ratio r;

	r.num = big((uint64_t)num);
	r.den = big((uint64_t)den);
	return r;
}

static int ratio_compare(const struct model_ratio *a,
			 const struct model_ratio *b)
{
	struct model_big left = times(&a->num, &b->den);
	struct model_big right = times(&b->num, &a->den);

	return compare(&left, &right);
}

static struct model_ratio ratio_plus(const struct model_ratio *a,
				     const struct model_ratio *b)
{
	struct model_big left = times(&a->num, &b->den);
	struct model_big right = times(&b->num, &a->den);
	struct model_ratio r;

	r.num = plus(&left, &right);
	r.den = times(&a->den, &b->den);
	return r;
}

static struct model_ratio ratio_times(const struct model_ratio *a, int64_t num,
				      int64_t den)
{
	struct model_ratio r;

	r.num = times_int(&a->num, num);
	r.den = times_int(&a->den, den);
	return r;
}

static struct model_ratio larger(const struct model_ratio *a,
				 const struct model_ratio *b)
{
	return ratio_compare(a, b) < 0 ? *b : *a;
}

/* The largest f with f <= 2^20 * r + 1/2, if it has 63 bits. */
static bool nearest(const struct model_ratio *r, int64_t *fixed)
{
	struct model_big twice = times_int(&r->num, 2 * UNIT);
	struct model_big limit = plus(&twice, &r->den);
	struct model_big step, den2 = times_int(&r->den, 2);
	uint64_t f = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		struct model_big guess = big(f | (uint64_t)1 << bit);

		step = times(&guess, &den2);
		if (compare(&step, &limit) <= 0)
			f |= (uint64_t)1 << bit;
	}
	if (f >> 63)
		return false;
	*fixed = (int64_t)f;
	return true;
}

bool model_suits(const struct model_machine *m, const struct model_chunk *c,
		 size_t node_class)
{
	const struct model_class *node = &m->node[node_class];
	size_t r;

	for (r = 0; r < m->resources; r++)
		if (node->amount[r] < c->amount[r])
			return false;
	if (node->spec < c->min_spec)
		return false;
	if (c->max_spec && node->spec > c->max_spec)
		return false;
	if (c->properties & ~node->properties)
		return false;
	return !(c->without & node->properties);
}

/* PE(j, i): max(reqCPU / availCPU, ...) * availCPU * node_cost */
static struct model_ratio node_price(const struct model_machine *m,
				     const struct model_chunk *c, size_t i)
{
	const struct model_class *node = &m->node[i];
	struct model_ratio most = ratio(0, 1), share;
	size_t r;

	for (r = 0; r < m->resources; r++) {
		if (!c->amount[r] || (m->special && m->special[r]))
			continue;
		share = ratio(c->amount[r], node->amount[r]);
		most = larger(&most, &share);
	}
	most = ratio_times(&most, node->amount[0], 1);
	return ratio_times(&most, node->cost, UNIT);
}

/* min over M_j, or the node given */
static bool cheapest(const struct model_machine *m, const struct model_chunk *c,
		     const size_t *assigned, struct model_ratio *price)
{
	struct model_ratio p;
	bool found = false;
	size_t i;

	for (i = 0; i < m->classes; i++) {
		if (assigned && *assigned != i)
			continue;
		if (!model_suits(m, c, i))
			continue;
		p = node_price(m, c, i);
		if (!found || ratio_compare(&p, price) < 0)
			*price = p;
		found = true;
	}
	return found;
}

/* Applies the queue's cost to the exact and to the rounded value. */
static enum model_result finish(struct model_penalty *p, int64_t sum,
				int64_t queue_cost)
{
	struct model_ratio rounded = ratio(sum, UNIT);

	rounded = ratio_times(&rounded, queue_cost, UNIT);
	p->exact = ratio_times(&p->exact, queue_cost, UNIT);
	return nearest(&rounded, &p->fixed) ? MODEL_OK : MODEL_OVERFLOW;
}

enum model_result model_local(const struct model_machine *m,
			      const struct model_chunk *chunk, size_t chunks,
			      const size_t *assigned, int64_t queue_cost,
			      struct model_penalty *penalty)
{
	struct model_ratio price;
	int64_t sum = 0, fixed;
	size_t k;

	penalty->exact = ratio(0, 1);
	penalty->nodes = 0;
	for (k = 0; k < chunks; k++) {
		if (!cheapest(m, &chunk[k], assigned ? &assigned[k] : NULL,
			      &price))
			return MODEL_UNSUITABLE;
		if (!nearest(&price, &fixed) ||
		    fixed > (INT64_MAX - sum) / chunk[k].count)
			return MODEL_OVERFLOW;
		sum += fixed * chunk[k].count;
		price = ratio_times(&price, chunk[k].count, 1);
		penalty->exact = ratio_plus(&penalty->exact, &price);
		penalty->nodes += chunk[k].count;
	}
	return finish(penalty, sum, queue_cost);
}

static struct model_big asked(const struct model_chunk *chunk, size_t chunks,
			      size_t r)
{
	struct model_big sum = big(0), part;
	size_t k;

	for (k = 0; k < chunks; k++) {
		part = big((uint64_t)chunk[k].amount[r]);
		part = times_int(&part, chunk[k].count);
		sum = plus(&sum, &part);
	}
	return sum;
}

static bool too_large(const struct model_big *a)
{
	struct model_big most = big(INT64_MAX);

	return compare(a, &most) > 0;
}

/*
 * Rounds the exact value once, then applies the queue's cost. INT64_MAX counts
 * as an overflow.
 */
static enum model_result whole(struct model_penalty *p, int64_t queue_cost)
{
	int64_t fixed;

	p->nodes = 1;
	if (!nearest(&p->exact, &fixed) || fixed == INT64_MAX)
		return MODEL_OVERFLOW;
	return finish(p, fixed, queue_cost);
}

enum model_result model_pe(const struct model_machine *m,
			   const struct model_chunk *chunk, size_t chunks,
			   int64_t queue_cost, struct model_penalty *penalty)
{
	struct model_ratio most = ratio(0, 1), share;
	int64_t total, procs = 0;
	size_t r, i;

	for (i = 0; i < m->classes; i++)
		procs += m->node[i].count * m->node[i].amount[0];
	for (r = 0; r < m->resources; r++) {
		for (i = 0, total = 0; i < m->classes; i++)
			total += m->node[i].count * m->node[i].amount[r];
		share.num = asked(chunk, chunks, r);
		share.den = big((uint64_t)total);
		if (compare(&share.num, &share.den) > 0)
			return MODEL_UNSUITABLE;
		if (share.num.n && !(m->special && m->special[r]))
			most = larger(&most, &share);
	}
	penalty->exact = ratio_times(&most, procs, 1);
	return whole(penalty, queue_cost);
}

enum model_result model_standard(const struct model_chunk *chunk, size_t chunks,
				 const int64_t *standard, size_t resources,
				 int64_t queue_cost,
				 struct model_penalty *penalty)
{
	struct model_ratio share;
	size_t r;

	penalty->exact = ratio(0, 1);
	for (r = 0; r < resources; r++) {
		if (!standard[r])
			continue;
		share.num = asked(chunk, chunks, r);
		share.den = big((uint64_t)standard[r]);
		if (too_large(&share.num))
			return MODEL_OVERFLOW;
		penalty->exact = larger(&penalty->exact, &share);
	}
	return whole(penalty, queue_cost);
}

enum model_result model_cpu(const struct model_chunk *chunk, size_t chunks,
			    int64_t queue_cost, struct model_penalty *penalty)
{
	penalty->exact.num = asked(chunk, chunks, 0);
	penalty->exact.den = big(1);
	return whole(penalty, queue_cost);
}

enum model_result model_charge(int64_t walltime, int64_t spec, int64_t penalty,
			       int64_t *charge)
{
	struct model_ratio r = ratio(walltime, 1);

	r = ratio_times(&r, spec, UNIT);
	r = ratio_times(&r, penalty, UNIT);
	return nearest(&r, charge) ? MODEL_OK : MODEL_OVERFLOW;
}

bool model_within(const struct model_penalty *p, int64_t fixed, int64_t halves,
		  int64_t factor)
{
	/* times den * 2^20: both sides are integers */
	struct model_big got = times_int(&p->exact.den, fixed);
	struct model_big want = times_int(&p->exact.num, UNIT);
	struct model_big bound = big((uint64_t)halves), unit = big(1 << 20);

	got = times_int(&got, 2 * UNIT);
	want = times_int(&want, 2 * UNIT);
	got = compare(&got, &want) < 0 ? minus(&want, &got)
				       : minus(&got, &want);
	bound = times_int(&bound, factor);
	bound = plus(&bound, &unit);
	bound = times(&bound, &p->exact.den);
	return compare(&got, &bound) <= 0;
}
