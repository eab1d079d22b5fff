/* SPDX-License-Identifier: MIT OR Unlicense */
#include "procset.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/trace/node_names.h"

int procset_init(struct procset *p, int32_t procs, size_t jobs)
{
	memset(p, 0, sizeof(*p));
	p->procs = procs;
	p->begin = calloc(jobs + 1, sizeof(*p->begin));
	p->count = calloc(jobs + 1, sizeof(*p->count));
	p->cap = p->room = 64;
	p->range = malloc(p->cap * sizeof(*p->range));
	p->free = malloc(p->room * sizeof(*p->free));
	if (p->begin && p->count && p->range && p->free) {
		p->free[0].first = 0;
		p->free[0].last = procs - 1;
		p->frees = 1;
		return 0;
	}
	procset_free(p);
	return -1;
}

void procset_free(struct procset *p)
{
	free(p->begin);
	free(p->count);
	free(p->range);
	free(p->free);
	memset(p, 0, sizeof(*p));
}

/* ---- the ranges that are free: ascending, and none touches the next ---- */

/* Room for @more of them; false without memory. */
static bool grow(struct procset_range **range, size_t n, size_t *cap,
		 size_t more)
{
	size_t room = *cap;
	struct procset_range *r;

	if (more <= room - n)
		return true;
	while (more > room - n)
		room *= 2;
	r = realloc(*range, room * sizeof(*r));
	if (!r)
		return false;
	*range = r;
	*cap = room;
	return true;
}

/* The first free range that ends at @from or behind it. */
static size_t find(const struct procset *p, int32_t from)
{
	size_t low = 0, high = p->frees, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (p->free[middle].last < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct procset_range *ranges_of(const struct procset *p,
					     size_t job)
{
	return p->range + p->begin[job];
}

/*
 * The ascending @r are free no more. Each makes at most one range more: the old
 * ones are read @n places behind those that are written.
 */
static bool take_ranges(struct procset *p, const struct procset_range *r,
			size_t n)
{
	size_t to = n ? find(p, r->first) : 0, at = to + n, end = p->frees + n;
	struct procset_range x;

	if (!grow(&p->free, p->frees, &p->room, n))
		return false;
	memmove(p->free + at, p->free + to,
		(p->frees - to) * sizeof(*p->free));
	while (at < end) {
		x = p->free[at++];
		for (; n && r->first <= x.last && x.first <= x.last; r++, n--) {
			if (x.first < r->first) {
				p->free[to].first = x.first;
				p->free[to++].last = r->first - 1;
			}
			if (x.first <= r->last)
				x.first = r->last + 1;
			if (x.first > x.last)
				break; /* the rest of @r may take of the next */
		}
		if (x.first <= x.last)
			p->free[to++] = x;
	}
	p->frees = to;
	return true;
}

/* The ascending @r are free again. */
static bool give_ranges(struct procset *p, const struct procset_range *r,
			size_t n)
{
	size_t i = p->frees, k, end = p->frees + n;

	if (!grow(&p->free, p->frees, &p->room, n))
		return false;
	while (n)
		if (i && p->free[i - 1].first > r[n - 1].first) {
			p->free[i + n - 1] = p->free[i - 1];
			i--;
		} else {
			p->free[i + n - 1] = r[n - 1];
			n--;
		}
	i -= i > 0;
	for (k = i + 1; k < end; k++)
		if (p->free[k].first > p->free[i].last + 1)
			p->free[++i] = p->free[k];
		else if (p->free[k].last > p->free[i].last)
			p->free[i].last = p->free[k].last;
	p->frees = end ? i + 1 : 0;
	return true;
}

void procset_take(struct procset *p, size_t job, int32_t from, int32_t procs)
{
	p->begin[job] = p->ranges;
	procset_add(p, job, from, procs);
}

void procset_add(struct procset *p, size_t job, int32_t from, int32_t procs)
{
	size_t i = find(p, from), was = p->ranges;
	struct procset_range x;

	if (!p->count[job])
		p->begin[job] = p->ranges;
	for (; procs && i < p->frees && !p->error; i++) {
		x = p->free[i];
		x.first = x.first < from ? from : x.first;
		if (x.last - x.first >= procs)
			x.last = x.first + procs - 1;
		procs -= x.last - x.first + 1;
		p->error = !grow(&p->range, p->ranges, &p->cap, 1);
		if (!p->error)
			p->range[p->ranges++] = x;
	}
	p->error |= !take_ranges(p, p->range + was, p->ranges - was);
	p->count[job] = (int32_t)(p->ranges - p->begin[job]);
}

void procset_give(struct procset *p, size_t job)
{
	if (!p->error)
		p->error = !give_ranges(p, ranges_of(p, job),
					(size_t)p->count[job]);
}

void procset_print(const struct procset *p, size_t job, FILE *f)
{
	const struct procset_range *first = ranges_of(p, job), *r;
	const struct procset_range *end = first + p->count[job];

	for (r = first; r < end; r++) {
		fprintf(f, "%s%" PRId32, r == first ? "" : " ", r->first);
		if (r->last > r->first)
			fprintf(f, "-%" PRId32, r->last);
	}
}

/* ---- nodes ---- */

/* Nodes of a class, by their numbers there from 0, that follow each other. */
struct nodes {
	const struct procset_range *next, *end; /* what is not read yet */
	int32_t from; /* of *next, the first processor that is not read */
	size_t node_class;
	int32_t first, last, first_proc;
};

/* The class that has the next processor, and its nodes in that range. */
static bool read_nodes(struct nodes *n, const struct machine *m)
{
	const struct fair_penalty_class *c = &m->node[n->node_class];
	int32_t procs, last;

	if (n->next == n->end)
		return false;
	procs = (int32_t)c->amount[0];
	while (n->from - n->first_proc >= c->count * procs) {
		n->first_proc += c->count * procs;
		c = &m->node[++n->node_class];
		procs = (int32_t)c->amount[0];
	}
	last = n->first_proc + c->count * procs - 1;
	last = last < n->next->last ? last : n->next->last;
	n->first = (n->from - n->first_proc) / procs;
	n->last = (last - n->first_proc) / procs;
	n->from = last + 1;
	if (last == n->next->last && ++n->next < n->end)
		n->from = n->next->first;
	return true;
}

/* The next nodes, with those that touch them; false: there are none. */
static bool next_nodes(struct nodes *n, const struct machine *m)
{
	struct nodes more;
	int32_t first;

	if (!read_nodes(n, m))
		return false;
	for (more = *n, first = n->first;
	     read_nodes(&more, m) && more.node_class == n->node_class &&
	     more.first <= n->last + 1;
	     *n = more)
		;
	n->first = first;
	return true;
}

void procset_print_nodes(const struct procset *p, size_t job,
			 const struct machine *m, FILE *f)
{
	const struct procset_range *r = ranges_of(p, job);
	struct nodes n = { r, r + p->count[job], r->first, 0, 0, 0, 0 }, next;
	bool open = false, more = next_nodes(&n, m);
	char stem[NODE_NAME];
	const char *comma = "";

	for (; more; n = next) {
		next = n;
		more = next_nodes(&next, m);
		fputs(comma, f);
		if (!open)
			fputs(node_names_stem(m, n.node_class, stem), f);
		if (!open && (n.first < n.last ||
			      (more && next.node_class == n.node_class)))
			open = putc('[', f) == '[';
		fprintf(f, "%" PRId32, n.first + 1);
		if (n.first < n.last)
			fprintf(f, "-%" PRId32, n.last + 1);
		if (open && (!more || next.node_class != n.node_class))
			open = putc(']', f) != ']';
		comma = ",";
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

/* Are its processors the lowest ones that are free? */
static bool has_lowest(const struct procset *p, const struct procset *from,
		       size_t job)
{
	const struct procset_range *r = ranges_of(from, job);
	int32_t n = from->count[job], i;

	for (i = 0; i < n; i++)
		if ((size_t)i >= p->frees || p->free[i].first != r[i].first ||
		    (i + 1 < n ? p->free[i].last != r[i].last
			       : p->free[i].last < r[i].last))
			return false;
	return true;
}

int procset_odd(const struct procset *p, const int64_t *start,
		const int64_t *end, size_t jobs, uint8_t *odd)
{
	struct event *starts = sorted(start, start, jobs);
	struct event *ends = sorted(end, start, jobs);
	uint8_t *runs = calloc(jobs + 1, 1);
	struct procset now;
	size_t i, job, e = 0;
	bool good = !procset_init(&now, p->procs, 0) && starts && ends && runs;

	for (i = 0; good && i < jobs; i++) {
		for (; e < jobs && ends[e].at <= starts[i].at &&
		       runs[ends[e].job];
		     e++)
			good &= give_ranges(&now, ranges_of(p, ends[e].job),
					    (size_t)p->count[ends[e].job]);
		job = starts[i].job;
		odd[job] = !has_lowest(&now, p, job);
		good &= take_ranges(&now, ranges_of(p, job),
				    (size_t)p->count[job]);
		runs[job] = 1;
	}
	free(starts);
	free(ends);
	free(runs);
	procset_free(&now);
	return good ? 0 : -1;
}
