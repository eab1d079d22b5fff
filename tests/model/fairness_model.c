/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tests/model/fairness_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- integers ---- */

static void big_set(struct fairness_big *a, uint32_t x)
{
	a->n = x > 0;
	a->d[0] = x;
}

static void big_push(struct fairness_big *a, uint64_t limb)
{
	if (!limb)
		return;
	if (a->n == FAIRNESS_MODEL_LIMBS)
		abort();
	a->d[a->n++] = (uint32_t)limb;
}

static void big_add(struct fairness_big *a, const struct fairness_big *b)
{
	uint64_t carry = 0;
	size_t i;

	while (a->n < b->n)
		a->d[a->n++] = 0;
	for (i = 0; i < a->n; i++) {
		carry += (uint64_t)a->d[i] + (i < b->n ? b->d[i] : 0);
		a->d[i] = (uint32_t)carry;
		carry >>= 32;
	}
	big_push(a, carry);
}

static void big_multiply_32(struct fairness_big *a, uint32_t x)
{
	uint64_t carry = 0;
	size_t i;

	for (i = 0; i < a->n; i++) {
		carry += (uint64_t)a->d[i] * x;
		a->d[i] = (uint32_t)carry;
		carry >>= 32;
	}
	big_push(a, carry);
	while (a->n && !a->d[a->n - 1])
		a->n--;
}

/* a * 2^32 */
static void big_shift(struct fairness_big *a)
{
	if (!a->n)
		return;
	if (a->n == FAIRNESS_MODEL_LIMBS)
		abort();
	memmove(a->d + 1, a->d, a->n * sizeof(a->d[0]));
	a->d[0] = 0;
	a->n++;
}

static void big_multiply(struct fairness_big *a, uint64_t x)
{
	struct fairness_big high = *a;

	big_multiply_32(&high, (uint32_t)(x >> 32));
	big_shift(&high);
	big_multiply_32(a, (uint32_t)x);
	big_add(a, &high);
}

/* a = a / x, x < 2^48; returns the rest. */
static uint64_t big_divide(struct fairness_big *a, uint64_t x)
{
	uint64_t rest = 0, high, low;
	size_t i;

	for (i = a->n; i-- > 0;) {
		rest = rest << 16 | a->d[i] >> 16;
		high = rest / x;
		rest = (rest % x) << 16 | (a->d[i] & 0xffff);
		low = rest / x;
		rest %= x;
		a->d[i] = (uint32_t)(high << 16 | low);
	}
	while (a->n && !a->d[a->n - 1])
		a->n--;
	return rest;
}

static int big_compare(const struct fairness_big *a,
		       const struct fairness_big *b)
{
	size_t i;

	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (i = a->n; i-- > 0;)
		if (a->d[i] != b->d[i])
			return a->d[i] < b->d[i] ? -1 : 1;
	return 0;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	uint64_t t;

	for (; b; b = t) {
		t = a % b;
		a = b;
	}
	return a;
}

/* sum += a * b * c / d */
static void ratio_add(struct fairness_ratio *sum, uint64_t a, uint64_t b,
		      uint64_t c, uint64_t d)
{
	struct fairness_big term = sum->den;
	uint64_t common = gcd(d, big_divide(&term, d));

	term = sum->den;
	big_divide(&term, common);
	big_multiply(&term, a);
	big_multiply(&term, b);
	big_multiply(&term, c);
	big_multiply(&sum->num, d / common);
	big_multiply(&sum->den, d / common);
	big_add(&sum->num, &term);
}

/* ---- shares ---- */

bool fairness_model_keep(struct fairness_model *m, int64_t start, int64_t end,
			 int64_t active, int64_t requested, int64_t in_use)
{
	struct fairness_model_stretch *s = m->stretch + m->stretches;

	if (m->stretches == FAIRNESS_MODEL_STRETCHES)
		return false;
	s->start = start;
	s->end = end;
	s->active = active;
	s->requested = requested;
	s->in_use = in_use;
	m->stretches++;
	return true;
}

static bool is_in(const struct fairness_model_stretch *s, int64_t from,
		  int64_t to)
{
	return from <= s->start && s->end <= to && s->start < s->end;
}

void fairness_model_share(const struct fairness_model *m, int64_t from,
			  int64_t to, int32_t procs, bool weighted,
			  struct fairness_ratio *share)
{
	const struct fairness_model_stretch *s;
	uint64_t p = (uint64_t)procs, seconds, d, weight, in_use;
	size_t i;

	big_set(&share->num, 0);
	big_set(&share->den, 1);
	for (i = 0; i < m->stretches; i++) {
		s = m->stretch + i;
		if (!is_in(s, from, to))
			continue;
		seconds = (uint64_t)s->end - (uint64_t)s->start;
		in_use = (uint64_t)s->in_use;
		d = (uint64_t)(weighted ? s->requested : s->active);
		weight = weighted ? p : 1;
		/* The lower of weight * in_use / d and p. */
		if (in_use / d > p / weight ||
		    (in_use / d == p / weight && in_use % d))
			ratio_add(share, p, seconds, 1, 1);
		else
			ratio_add(share, weight, in_use, seconds, d);
	}
}

int64_t fairness_model_count(const struct fairness_model *m, int64_t from,
			     int64_t to)
{
	int64_t n = 0;
	size_t i;

	for (i = 0; i < m->stretches; i++)
		n += is_in(m->stretch + i, from, to) && m->stretch[i].in_use;
	return n;
}

bool fairness_model_within(const struct fairness_ratio *share, int64_t whole,
			   uint64_t fraction, uint64_t units)
{
	struct fairness_big exact = share->num, fixed = share->den, more;

	if (whole < 0)
		return false;
	big_shift(&exact);
	big_shift(&exact);
	big_multiply(&fixed, (uint64_t)whole);
	big_shift(&fixed);
	big_shift(&fixed);
	more = share->den;
	big_multiply(&more, fraction);
	big_add(&fixed, &more);
	if (big_compare(&exact, &fixed) < 0)
		return false;
	more = share->den;
	big_multiply(&more, units);
	big_add(&fixed, &more);
	return big_compare(&exact, &fixed) <= 0;
}
