/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * naive_nodes.h - the baseline of nodes.h: a sorted array of steps of each node
 *
 * A query sweeps over the arrays of all nodes of a class. For one chunk it
 * looks for the first window of each node before the best one so far; for more
 * it sorts all changes of what a node hosts. Compile it with -O3.
 */
#ifndef FAIR_NAIVE_NODES_H
#define FAIR_NAIVE_NODES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAIVE_CLASSES = 8, NAIVE_RESOURCES = 3 };

/* From at on. */
struct naive_step {
	int64_t at;
	int32_t free[NAIVE_RESOURCES];
};

struct naive_line {
	struct naive_step *step; /* one of INT64_MAX follows the last */
	size_t n, room;
};

struct naive_event {
	int64_t at, change;
};

struct naive_pick {
	int32_t least, chunks;
	uint32_t node;
};

struct naive_nodes {
	uint32_t classes, first[NAIVE_CLASSES + 1]; /* the last: all nodes */
	int32_t has[NAIVE_CLASSES][NAIVE_RESOURCES];
	struct naive_line *line; /* of each node */
	struct naive_event *event;
	size_t room;
	struct naive_pick *pick;
};

struct naive_request {
	int32_t amount[NAIVE_RESOURCES]; /* of a chunk */
	int32_t chunks, per_node;	 /* per_node 0: any number */
	bool exclusive;
	const uint8_t *classes;
	uint32_t count; /* of them; 0: all */
	int64_t walltime;
};

/* Room for @n more steps. Returns 0, or -1 without memory. */
static inline int naive_line_grow(struct naive_line *l, size_t n)
{
	void *step;

	if (l->n + n < l->room)
		return 0;
	l->room = 2 * (l->n + n);
	step = realloc(l->step, l->room * sizeof(*l->step));
	if (!step)
		return -1;
	l->step = (struct naive_step *)step;
	return 0;
}

/* Nodes without jobs from 0 on. Returns 0, or -1 without memory. */
static inline int naive_nodes_open(struct naive_nodes *n)
{
	uint32_t nodes = n->first[n->classes], k, i;

	n->line = (struct naive_line *)calloc(nodes, sizeof(*n->line));
	n->pick = (struct naive_pick *)calloc(nodes, sizeof(*n->pick));
	if (!n->line || !n->pick)
		return -1;
	for (k = 0; k < n->classes; k++)
		for (i = n->first[k]; i < n->first[k + 1]; i++) {
			if (naive_line_grow(n->line + i, 1))
				return -1;
			n->line[i].n = 1;
			n->line[i].step[0].at = 0;
			n->line[i].step[1].at = INT64_MAX;
			memcpy(n->line[i].step[0].free, n->has[k],
			       sizeof(n->has[k]));
		}
	return 0;
}

static inline void naive_nodes_close(struct naive_nodes *n)
{
	uint32_t i;

	for (i = 0; n->line && i < n->first[n->classes]; i++)
		free(n->line[i].step);
	free(n->line);
	free(n->event);
	free(n->pick);
}

static inline bool naive_holds(const struct naive_step *s, const int32_t *a)
{
	int r;

	for (r = 0; r < NAIVE_RESOURCES; r++)
		if (s->free[r] < a[r])
			return false;
	return true;
}

/* The first start of one chunk on a node from @t on, or @best. */
static inline int64_t naive_first_window(const struct naive_line *l,
					 const int32_t *amount,
					 int64_t walltime, int64_t t,
					 int64_t best)
{
	const struct naive_step *s = l->step;

	while (s[1].at <= t)
		s++;
	/* The chunk fits throughout [t, s->at). */
	for (; t < best; s++) {
		if (!naive_holds(s, amount))
			t = s[1].at;
		else if (s[1].at - t >= walltime)
			return t;
	}
	return best;
}

/* Most chunks of a job on one node. */
static inline int64_t naive_most(const struct naive_request *q)
{
	return q->per_node && q->per_node < q->chunks ? q->per_node : q->chunks;
}

/* Chunks that fit into a step of a node of class @k. */
static inline int64_t naive_hosts(const struct naive_nodes *n, uint32_t k,
				  const struct naive_step *s,
				  const struct naive_request *q)
{
	int64_t most = naive_most(q);
	int r;

	for (r = 0; r < NAIVE_RESOURCES; r++) {
		int32_t free = s->free[r];

		if (q->exclusive && free < n->has[k][r])
			return 0;
		if (q->amount[r] && free / q->amount[r] < most)
			most = free / q->amount[r];
	}
	return most;
}

/* The changes of what a node hosts from @t on and before @best: each window of
 * so many chunks. Returns how many there are with these. */
static inline size_t naive_changes(struct naive_nodes *n, uint32_t k,
				   uint32_t node, const struct naive_request *q,
				   int64_t t, int64_t best, size_t events,
				   int64_t *now)
{
	const struct naive_step *s = n->line[node].step, *e;
	int64_t was = -1, most, until, h;

	while (t < best) {
		until = INT64_MAX;
		while (s[1].at <= t)
			s++;
		for (e = s, most = naive_most(q);; e++) {
			h = naive_hosts(n, k, e, q);
			if (h <= most && h < naive_most(q))
				until = e[1].at;
			most = h < most ? h : most;
			if (e[1].at == INT64_MAX || e[1].at - t >= q->walltime)
				break;
		}
		if (e[1].at < INT64_MAX && e[1].at - q->walltime + 1 < until)
			until = e[1].at - q->walltime + 1;
		if (was < 0) {
			*now += most;
		} else if (most != was) {
			n->event[events].at = t;
			n->event[events++].change = most - was;
		}
		was = most;
		t = until;
	}
	return events;
}

static inline int naive_by_time(const void *a, const void *b)
{
	int64_t x = ((const struct naive_event *)a)->at;
	int64_t y = ((const struct naive_event *)b)->at;

	return x < y ? -1 : x > y;
}

/* A node has at most two changes for each of its steps. */
static inline void naive_room(struct naive_nodes *n, uint32_t k)
{
	size_t need = 0;
	uint32_t i;

	for (i = n->first[k]; i < n->first[k + 1]; i++)
		need += 2 * n->line[i].n;
	if (need <= n->room)
		return;
	free(n->event);
	n->room = 2 * need;
	n->event = (struct naive_event *)malloc(n->room * sizeof(*n->event));
	if (!n->event)
		abort();
}

/* The first start of several chunks on nodes of class @k. */
static inline int64_t naive_first_many(struct naive_nodes *n, uint32_t k,
				       const struct naive_request *q, int64_t t,
				       int64_t best)
{
	size_t events = 0, i = 0;
	int64_t now = 0;
	uint32_t node;

	naive_room(n, k);
	for (node = n->first[k]; node < n->first[k + 1]; node++)
		events = naive_changes(n, k, node, q, t, best, events, &now);
	if (now >= q->chunks)
		return t;
	qsort(n->event, events, sizeof(*n->event), naive_by_time);
	while (now < q->chunks && i < events)
		for (t = n->event[i].at; i < events && n->event[i].at == t; i++)
			now += n->event[i].change;
	return now < q->chunks ? best : t;
}

/* The earliest start from @t on; *@k: in which class. */
static inline int64_t naive_nodes_earliest(struct naive_nodes *n,
					   const struct naive_request *q,
					   int64_t t, uint32_t *k)
{
	uint32_t count = q->count ? q->count : n->classes, i, c, node;
	int64_t best = INT64_MAX, start;

	for (i = 0; i < count; i++) {
		c = q->count ? q->classes[i] : i;
		start = best;
		if (q->chunks > 1 || q->exclusive)
			start = naive_first_many(n, c, q, t, best);
		else
			for (node = n->first[c]; node < n->first[c + 1]; node++)
				start = naive_first_window(n->line + node,
							   q->amount,
							   q->walltime, t,
							   start);
		if (start < best) {
			best = start;
			*k = c;
		}
	}
	return best;
}

static inline int naive_by_least(const void *a, const void *b)
{
	const struct naive_pick *x = (const struct naive_pick *)a;
	const struct naive_pick *y = (const struct naive_pick *)b;

	if (x->least != y->least)
		return x->least < y->least ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The nodes of class @k for a start at @t, in n->pick; returns how many. */
static inline uint32_t naive_nodes_choose(struct naive_nodes *n,
					  const struct naive_request *q,
					  int64_t t, uint32_t k)
{
	int64_t left = q->chunks, h, hosts;
	uint32_t node, count = 0, i;
	const struct naive_step *s;
	struct naive_pick *p;

	for (node = n->first[k]; node < n->first[k + 1]; node++) {
		p = n->pick + count;
		p->node = node;
		p->least = INT32_MAX;
		hosts = q->chunks;
		for (s = n->line[node].step; s->at < t + q->walltime; s++) {
			if (s[1].at <= t)
				continue;
			h = naive_hosts(n, k, s, q);
			hosts = h < hosts ? h : hosts;
			if (s->free[0] < p->least)
				p->least = s->free[0];
		}
		p->chunks = (int32_t)hosts;
		if (q->exclusive)
			p->least = 0;
		count += hosts > 0;
	}
	qsort(n->pick, count, sizeof(*n->pick), naive_by_least);
	for (i = 0; i < count && left > 0; i++) {
		if (n->pick[i].chunks > left)
			n->pick[i].chunks = (int32_t)left;
		left -= n->pick[i].chunks;
	}
	return i;
}

/* Makes a step begin at @t; returns its index. There is room. */
static inline size_t naive_line_cut(struct naive_line *l, int64_t t)
{
	size_t i = l->n - 1;

	while (l->step[i].at > t)
		i--;
	if (l->step[i].at == t)
		return i;
	memmove(l->step + i + 1, l->step + i,
		(++l->n - i) * sizeof(*l->step));
	l->step[++i].at = t;
	return i;
}

static inline void naive_line_join(struct naive_line *l, size_t i)
{
	if (!i || memcmp(l->step[i].free, l->step[i - 1].free,
			 sizeof(l->step[i].free)))
		return;
	memmove(l->step + i, l->step + i + 1,
		(l->n-- - i) * sizeof(*l->step));
}

/* Adds @sign times the chunks of a job to what is free of a node in [@t, @end),
 * and forgets what ends by @now. Returns 0, or -1 without memory. */
static inline int naive_nodes_add(struct naive_nodes *n, uint32_t node,
				  const struct naive_request *q, int32_t chunks,
				  int32_t sign, int64_t t, int64_t end,
				  int64_t now)
{
	struct naive_line *l = n->line + node;
	size_t past = 0, i, j;
	uint32_t k = 0;
	int r;

	while (node >= n->first[k + 1])
		k++;
	while (l->step[past + 1].at <= now)
		past++;
	l->n -= past;
	memmove(l->step, l->step + past, (l->n + 1) * sizeof(*l->step));
	if (naive_line_grow(l, 3))
		return -1;
	i = naive_line_cut(l, t);
	j = naive_line_cut(l, end);
	for (; l->step[i].at < end; i++)
		for (r = 0; r < NAIVE_RESOURCES; r++)
			l->step[i].free[r] +=
				sign * (q->exclusive ? n->has[k][r]
						     : q->amount[r] * chunks);
	naive_line_join(l, j);
	for (i = 0; l->step[i].at < t;)
		i++;
	naive_line_join(l, i);
	return 0;
}

#endif /* FAIR_NAIVE_NODES_H */
