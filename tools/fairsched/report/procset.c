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

void procset_take(struct procset *p, size_t job, int32_t from, int32_t procs)
{
	p->begin[job] = p->ranges;
	procset_add(p, job, from, procs);
}

void procset_add(struct procset *p, size_t job, int32_t from, int32_t procs)
{
	struct procset_range *range;
	int32_t i;

	while (p->taken[p->full] == UINT64_MAX)
		p->full++;
	i = (int32_t)p->full * 64 > from ? (int32_t)p->full * 64 : from;
	if (!p->count[job])
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

/* ---- what follows from starts and ends ---- */

struct event {
	int64_t at, start;
	size_t job;
};

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static struct event *sorted(const int64_t *at, const int64_t *start, size_t jobs)
{
	struct event *e = malloc((jobs + 1) * sizeof(*e));
	size_t i;

	for (i = 0; e && i < jobs; i++) {
		e[i].at = at[i];
		e[i].start = start[i];
		e[i].job = i;
	}
	if (e)
		qsort(e, jobs, sizeof(*e), by_time);
	return e;
}

static void put(struct procset *p, const struct procset *from, size_t job,
		bool taken)
{
	const struct procset_range *r = from->range + from->begin[job];
	const struct procset_range *end = r + from->count[job];
	uint64_t bit;
	int32_t i;

	for (; r < end; r++)
		for (i = r->first; i <= r->last; i++) {
			bit = UINT64_C(1) << (i % 64);
			if (taken)
				p->taken[i / 64] |= bit;
			else
				p->taken[i / 64] &= ~bit;
		}
	r = from->range + from->begin[job];
	if (!taken && r < end && (size_t)r->first / 64 < p->full)
		p->full = (size_t)r->first / 64;
}

/* Are its processors the lowest ones that are free? */
static bool has_lowest(struct procset *p, const struct procset *from,
		       size_t job)
{
	const struct procset_range *r = from->range + from->begin[job];
	const struct procset_range *end = r + from->count[job];
	int32_t i;

	while (p->full < p->words && p->taken[p->full] == UINT64_MAX)
		p->full++;
	for (i = (int32_t)p->full * 64; r < end; r++) {
		for (; i < r->first; i++)
			if (!is_taken(p, i))
				return false;
		for (; i <= r->last; i++)
			if (is_taken(p, i))
				return false;
	}
	return true;
}

int procset_odd(const struct procset *p, const int64_t *start,
		const int64_t *end, size_t jobs, uint8_t *odd)
{
	struct event *starts = sorted(start, start, jobs);
	struct event *ends = sorted(end, start, jobs);
	uint8_t *runs = calloc(jobs + 1, 1);
	struct procset now = { 0 };
	size_t i, e = 0;

	now.words = p->words;
	now.taken = calloc(p->words, sizeof(*now.taken));
	if (starts && ends && runs && now.taken) {
		for (i = 0; i < jobs; i++) {
			for (; e < jobs && ends[e].at <= starts[i].at &&
			       runs[ends[e].job];
			     e++)
				put(&now, p, ends[e].job, false);
			odd[starts[i].job] =
				!has_lowest(&now, p, starts[i].job);
			put(&now, p, starts[i].job, true);
			runs[starts[i].job] = 1;
		}
	}
	i = starts && ends && runs && now.taken;
	free(starts);
	free(ends);
	free(runs);
	free(now.taken);
	return i ? 0 : -1;
}
