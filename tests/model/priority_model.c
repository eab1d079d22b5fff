/* SPDX-License-Identifier: MIT OR Unlicense */
#include "priority_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- long integers >= 0 ---- */

enum { LIMBS = 20 }; /* of 32 bits, little-endian */

struct big {
	uint32_t limb[LIMBS];
};

static struct big big(uint64_t a)
{
	struct big r;

	memset(&r, 0, sizeof(r));
	r.limb[0] = (uint32_t)a;
	r.limb[1] = (uint32_t)(a >> 32);
	return r;
}

static struct big add(struct big a, struct big b)
{
	uint64_t carry = 0;
	int i;

	for (i = 0; i < LIMBS; i++) {
		carry += (uint64_t)a.limb[i] + b.limb[i];
		a.limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		abort();
	return a;
}

static int compare(struct big a, struct big b)
{
	int i;

	for (i = LIMBS - 1; i > 0 && a.limb[i] == b.limb[i]; i--)
		;
	return (a.limb[i] > b.limb[i]) - (a.limb[i] < b.limb[i]);
}

/* a - b, a >= b */
static struct big sub(struct big a, struct big b)
{
	int64_t borrow = 0;
	int i;

	for (i = 0; i < LIMBS; i++) {
		borrow += (int64_t)a.limb[i] - b.limb[i];
		a.limb[i] = (uint32_t)borrow;
		borrow = borrow < 0 ? -1 : 0;
	}
	if (borrow)
		abort();
	return a;
}

static struct big mul(struct big a, struct big b)
{
	struct big r = big(0);
	uint64_t carry;
	int i, j;

	for (i = 0; i < LIMBS; i++) {
		carry = 0;
		for (j = 0; j < LIMBS; j++) {
			if (i + j >= LIMBS) {
				if (carry || (a.limb[i] && b.limb[j]))
					abort();
				continue;
			}
			carry +=
				(uint64_t)a.limb[i] * b.limb[j] + r.limb[i + j];
			r.limb[i + j] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	return r;
}

static struct big times(struct big a, uint64_t b)
{
	return mul(a, big(b));
}

/* ---- values ---- */

static const uint64_t one = 1 << 20;

/* value = floor(2^20 n / d + 1/2), or the largest there is */
static bool rounded(int64_t value, struct big n, struct big d)
{
	struct big twice = times(n, 2 * one), floor;

	if (value < 0)
		return false;
	floor = times(d, 2 * (uint64_t)value);
	twice = add(twice, d);
	if (compare(twice, floor) < 0)
		return false;
	return value == INT64_MAX ||
	       compare(twice, add(floor, times(d, 2))) < 0;
}

/* |value - 2^20 n / d| <= 501 / 1000 */
static bool near(int64_t value, struct big n, struct big d)
{
	struct big ours, exact = times(n, 1000 * one);

	if (value < 0)
		return false;
	ours = times(d, 1000);
	ours = times(ours, (uint64_t)value);
	if (compare(ours, exact) > 0)
		return compare(sub(ours, exact), times(d, 501)) <= 0;
	return compare(sub(exact, ours), times(d, 501)) <= 0;
}

bool priority_model_queue_time(int64_t value, int64_t wait)
{
	return rounded(value, big((uint64_t)wait), big(60));
}

bool priority_model_xfactor(int64_t value, int64_t wait, int64_t walltime)
{
	return rounded(value, add(big((uint64_t)wait), big((uint64_t)walltime)),
		       big((uint64_t)walltime));
}

/*
 * max(0.0001, n / d)^-2 as a fraction; negative: n / d < 0.
 */
static void reciprocal_square(struct big *n, struct big *d, bool negative)
{
	struct big square;

	if (negative || compare(times(*n, 10000), *d) < 0) {
		*n = big(1);
		*d = big(10000);
	}
	square = mul(*n, *n);
	*n = mul(*d, *d);
	*d = square;
}

bool priority_model_queue_time_target(int64_t value, int64_t target,
				      int64_t wait)
{
	bool late = wait > target;
	struct big n = big((uint64_t)(late ? wait - target : target - wait));
	struct big d = big(60);

	reciprocal_square(&n, &d, late);
	return rounded(value, n, d);
}

bool priority_model_xfactor_target(int64_t value, int64_t target, int64_t wait,
				   int64_t walltime)
{
	/* target / 2^20 - (wait + walltime) / walltime */
	struct big l = big((uint64_t)walltime);
	struct big a = times(l, (uint64_t)target);
	struct big b = times(add(l, big((uint64_t)wait)), one);
	struct big n, d = times(l, one);
	bool late = compare(a, b) < 0;

	n = late ? sub(b, a) : sub(a, b);
	reciprocal_square(&n, &d, late);
	return near(value, n, d);
}

bool priority_model_pe(int64_t value, const int64_t *asked,
		       const int64_t *total)
{
	struct big n = big((uint64_t)asked[0]), d = big((uint64_t)total[0]);
	int i;

	for (i = 1; i < 4; i++) {
		struct big a = big((uint64_t)asked[i]);
		struct big t = big((uint64_t)total[i]);

		if (total[i] && compare(mul(a, d), mul(n, t)) > 0) {
			n = a;
			d = t;
		}
	}
	return rounded(value, times(n, (uint64_t)total[0]), d);
}

/* ---- table 2 ---- */

int64_t priority_model_times(int64_t a, int64_t b)
{
	const int64_t most = INT64_MAX;

	if (!a || !b)
		return 0;
	if (a == INT64_MIN)
		return b == 1 ? -most : b < 0 ? most : -most;
	if (b == INT64_MIN)
		return priority_model_times(b, a);
	if ((a < 0 ? -a : a) > most / (b < 0 ? -b : b))
		return (a < 0) == (b < 0) ? most : -most;
	return a * b;
}

static int64_t plus(int64_t a, int64_t b)
{
	uint64_t sum = (uint64_t)a + (uint64_t)b;

	/* Signs that agree give that sign, or it has overflowed. */
	if (a >= 0 && b >= 0 && sum > (uint64_t)INT64_MAX)
		return INT64_MAX;
	if (a < 0 && b < 0 && sum <= (uint64_t)INT64_MAX + 1)
		return -INT64_MAX;
	return (int64_t)sum;
}

static int64_t min(int64_t cap, int64_t a)
{
	return cap != 0 && cap < a ? cap : a;
}

/* The sum of parts first .. last in their order. */
static int64_t parts(struct priority_model *m, int first, int last)
{
	int64_t weight, sum = 0;
	int i;

	for (i = first; i <= last; i++) {
		weight = m->weight[i];
		if (i == 0 && m->queue_time_weight)
			weight = plus(weight, m->queue_time_weight);
		if (i == 1 && m->xfactor_weight)
			weight = plus(weight, m->xfactor_weight);
		m->part[i] = priority_model_times(weight,
						  min(m->cap[i], m->value[i]));
		sum = plus(sum, m->part[i]);
	}
	return sum;
}

void priority_model(struct priority_model *m)
{
	int64_t service = parts(m, 0, 1);
	int64_t resource = parts(m, 2, 7);
	int64_t fairshare = parts(m, 8, 12);
	int64_t directspec = parts(m, 13, 17);
	int64_t target = parts(m, 18, 19);
	int64_t bypass = parts(m, 20, 20);
	int i;

	m->factor[0] = min(m->component_cap[0], service);
	m->factor[1] = min(m->component_cap[1], resource);
	m->factor[2] = min(m->component_cap[2], fairshare);
	m->factor[3] = min(m->component_cap[3], directspec);
	m->factor[4] = min(m->component_cap[4], target);
	m->factor[5] = min(m->component_cap[5], bypass);
	m->priority = 0;
	for (i = 0; i < 6; i++) {
		m->component[i] = priority_model_times(m->component_weight[i],
						       m->factor[i]);
		m->priority = plus(m->priority, m->component[i]);
	}
}
