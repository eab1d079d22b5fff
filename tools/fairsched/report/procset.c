/* SPDX-License-Identifier: MIT OR Unlicense */
#include "procset.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int procset_init(struct procset *p, int32_t procs, size_t jobs)
{
	memset(p, 0, sizeof(*p));
	p->words = (size_t)procs / 64 + 1;
	p->taken = calloc(p->words, sizeof(*p->taken));
	p->begin = calloc(jobs + 1, sizeof(*p->begin));
	p->count = calloc(jobs + 1, sizeof(*p->count));
	if (p->taken && p->begin && p->count)
		return 0;
	procset_free(p);
	return -1;
}

void procset_free(struct procset *p)
{
	free(p->taken);
	free(p->begin);
	free(p->count);
	free(p->range);
	memset(p, 0, sizeof(*p));
}

static bool is_taken(const struct procset *p, int32_t i)
{
	return p->taken[i / 64] >> (i % 64) & 1;
}

static void flip(struct procset *p, int32_t i)
{
	p->taken[i / 64] ^= UINT64_C(1) << (i % 64);
}

static struct procset_range *add_range(struct procset *p, int32_t first)
{
	size_t cap = p->cap ? 2 * p->cap : 4096;
	struct procset_range *range;

	if (p->ranges == p->cap) {
		range = realloc(p->range, cap * sizeof(*range));
		p->error |= !range;
		if (!range)
			return NULL;
		p->range = range;
		p->cap = cap;
	}
	range = &p->range[p->ranges++];
	range->first = first;
	return range;
}

void procset_take(struct procset *p, size_t job, int32_t procs)
{
	struct procset_range *range;
	int32_t i;

	while (p->taken[p->full] == UINT64_MAX)
		p->full++;
	i = (int32_t)p->full * 64;
	p->begin[job] = p->ranges;
	while (procs && !p->error) {
		while (is_taken(p, i))
			i++;
		range = add_range(p, i);
		for (; range && procs && !is_taken(p, i); procs--)
			flip(p, i++);
		if (range)
			range->last = i - 1;
	}
	p->count[job] = (int32_t)(p->ranges - p->begin[job]);
}

void procset_give(struct procset *p, size_t job)
{
	const struct procset_range *r = p->range + p->begin[job];
	const struct procset_range *end = r + p->count[job];
	int32_t i;

	if (p->error)
		return;
	if ((size_t)r->first / 64 < p->full)
		p->full = (size_t)r->first / 64;
	for (; r < end; r++)
		for (i = r->first; i <= r->last; i++)
			flip(p, i);
}

void procset_print(const struct procset *p, size_t job, FILE *f)
{
	const struct procset_range *first = p->range + p->begin[job], *r;
	const struct procset_range *end = first + p->count[job];

	for (r = first; r < end; r++) {
		fprintf(f, "%s%" PRId32, r == first ? "" : " ", r->first);
		if (r->last > r->first)
			fprintf(f, "-%" PRId32, r->last);
	}
}
