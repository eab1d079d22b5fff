/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * naive_profile.h - the baseline of profile.h: a sorted array of steps
 *
 * It has separate arrays of times and of free processors, searches a time by
 * bisection and a window linearly, and makes a new step by memmove. Compile it
 * with -O3.
 */
#ifndef FAIR_NAIVE_PROFILE_H
#define FAIR_NAIVE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct naive_profile {
	int64_t *at;   /* a sentinel of INT64_MAX follows the last */
	int32_t *free; /* from at[i] to at[i + 1] */
	size_t n;
};

static inline int naive_init(struct naive_profile *p, size_t steps,
			     int32_t procs)
{
	p->at = (int64_t *)malloc((steps + 4) * sizeof(p->at[0]));
	p->free = (int32_t *)malloc((steps + 4) * sizeof(p->free[0]));
	if (!p->at || !p->free)
		return -1;
	p->n = 1;
	p->at[0] = 0;
	p->at[1] = INT64_MAX;
	p->free[0] = procs;
	return 0;
}

static inline void naive_done(struct naive_profile *p)
{
	free(p->at);
	free(p->free);
}

static inline void naive_copy(struct naive_profile *to,
			      const struct naive_profile *from)
{
	to->n = from->n;
	memcpy(to->at, from->at, (from->n + 1) * sizeof(to->at[0]));
	memcpy(to->free, from->free, from->n * sizeof(to->free[0]));
}

static inline size_t naive_find(const struct naive_profile *p, int64_t t)
{
	const int64_t *a = p->at;
	size_t n = p->n;

	while (n > 1) {
		size_t half = n / 2;

		a = a[half] <= t ? a + half : a;
		n -= half;
	}
	return (size_t)(a - p->at);
}

static inline int64_t naive_earliest(const struct naive_profile *p, int64_t t,
				     int64_t walltime, int32_t procs)
{
	size_t i;

	/* @procs are free throughout [t, at[i]). */
	for (i = naive_find(p, t); i < p->n; i++) {
		if (p->free[i] < procs)
			t = p->at[i + 1];
		else if (p->at[i + 1] - t >= walltime)
			break;
	}
	return t;
}

/* Makes a step begin at @t; returns its index. */
static inline size_t naive_cut(struct naive_profile *p, int64_t t)
{
	size_t i = naive_find(p, t);

	if (p->at[i] == t)
		return i;
	i++;
	memmove(p->at + i + 1, p->at + i, (p->n + 1 - i) * sizeof(p->at[0]));
	memmove(p->free + i + 1, p->free + i, (p->n - i) * sizeof(p->free[0]));
	p->n++;
	p->at[i] = t;
	p->free[i] = p->free[i - 1];
	return i;
}

static inline void naive_join(struct naive_profile *p, size_t i)
{
	if (!i || i == p->n || p->free[i] != p->free[i - 1])
		return;
	memmove(p->at + i, p->at + i + 1, (p->n - i) * sizeof(p->at[0]));
	memmove(p->free + i, p->free + i + 1,
		(p->n - i - 1) * sizeof(p->free[0]));
	p->n--;
}

/* Adds @procs if free stays within 0..@most, by the contract of profile.h. */
static inline bool naive_add(struct naive_profile *p, int64_t start,
			     int64_t walltime, int32_t procs, int32_t most)
{
	size_t i, j, k;

	for (i = naive_find(p, start); p->at[i] < start + walltime; i++)
		if (p->free[i] + procs < 0 || p->free[i] + procs > most)
			return false;
	i = naive_cut(p, start);
	j = naive_cut(p, start + walltime);
	for (k = i; k < j; k++)
		p->free[k] += procs;
	naive_join(p, j);
	naive_join(p, i);
	return true;
}

#endif /* FAIR_NAIVE_PROFILE_H */
