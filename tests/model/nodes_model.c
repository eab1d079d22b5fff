/* SPDX-License-Identifier: MIT OR Unlicense */
#include "nodes_model.h"

#include <stdlib.h>
#include <string.h>

enum { INVALID = -22, OUT_OF_RANGE = -34, TOO_LATE = -75 };

void nodes_model_init(struct nodes_model *m, int resources, int classes,
		      unsigned int wide, bool first_fit, const int32_t *count,
		      const int32_t *amount, int64_t reach, int64_t origin)
{
	int k, i, r;

	memset(m, 0, sizeof(*m));
	m->resources = resources;
	m->classes = classes;
	m->wide = wide;
	m->first_fit = first_fit;
	m->reach = reach;
	m->origin = origin;
	for (k = 0; k < classes; k++)
		for (i = 0; i < count[k]; i++) {
			for (r = 0; r < resources; r++)
				if (!(wide >> r & 1))
					m->has[m->nodes][r] =
						amount[k * resources + r];
			m->class_of[m->nodes++] = k;
		}
	for (r = 0; r < resources; r++)
		m->has[m->nodes][r] = wide >> r & 1 ? amount[r] : 0;
}

void nodes_model_free(struct nodes_model *m)
{
	free(m->entry);
}

void nodes_model_forget(struct nodes_model *m, int slot)
{
	memset(m->job[slot].on, 0, sizeof(m->job[slot].on));
}

int64_t nodes_model_free_at(const struct nodes_model *m, int node, int r,
			    int64_t t)
{
	int64_t free = m->has[node][r];
	size_t i;

	for (i = 0; i < m->n; i++)
		if (m->entry[i].node == node && m->entry[i].from <= t &&
		    t < m->entry[i].end)
			free -= m->entry[i].amount[r];
	return free;
}

/* What a job holds of a node with so many chunks of it; of node m->nodes: its
 * wide amounts. */
static int64_t holds(const struct nodes_model *m,
		     const struct nodes_model_job *j, int node, int r)
{
	if (node == m->nodes)
		return m->wide >> r & 1 ? j->amount[r] : 0;
	if (!j->on[node] || m->wide >> r & 1)
		return 0;
	return j->exclusive ? m->has[node][r] : j->on[node] * j->amount[r];
}

/* A question: what the job holds from current on counts as free, if own. */
struct ask {
	const struct nodes_model *m;
	const struct nodes_model_job *j;
	int64_t walltime, current;
	bool own;
};

static int64_t free_to(const struct ask *a, int node, int r, int64_t t)
{
	int64_t free = nodes_model_free_at(a->m, node, r, t);

	return a->own && t >= a->current ? free + holds(a->m, a->j, node, r)
					 : free;
}

/* The least that is free throughout [t, t + walltime). */
static int64_t least(const struct ask *a, int node, int r, int64_t t)
{
	int64_t end = t + a->walltime, free, most = free_to(a, node, r, t), at;
	size_t i;

	for (i = 0; i <= 2 * a->m->n; i++) {
		at = i == 2 * a->m->n ? a->current
		     : i & 1	      ? a->m->entry[i / 2].end
				      : a->m->entry[i / 2].from;
		if (at <= t || at >= end ||
		    (i < 2 * a->m->n && a->m->entry[i / 2].node != node))
			continue;
		free = free_to(a, node, r, at);
		most = free < most ? free : most;
	}
	return most;
}

static int64_t hosts(const struct ask *a, int node, int64_t t)
{
	const struct nodes_model_job *j = a->j;
	int64_t h = j->chunks, one;
	int r;

	if (j->per_node && j->per_node < h)
		h = j->per_node;
	for (r = 0; r < a->m->resources; r++) {
		if (a->m->wide >> r & 1)
			continue;
		if (!j->amount[r] && !j->exclusive)
			continue;
		one = least(a, node, r, t);
		if (j->exclusive && one != a->m->has[node][r])
			return 0;
		if (j->amount[r] && one / j->amount[r] < h)
			h = one / j->amount[r];
	}
	return h;
}

static bool may_use(const struct nodes_model *m,
		    const struct nodes_model_job *j, int node)
{
	return !m->down[node] && !(j->excluded && m->set[j->excluded][node]) &&
	       (!j->named || m->set[j->named][node]);
}

/* The place of the node's class in the order from @first to @last; -1: none. */
static int place_of(const struct nodes_model *m,
		    const struct nodes_model_job *j, int node, int first,
		    int last)
{
	int i;

	for (i = first; i < last; i++)
		if (m->class_of[node] == j->order[i])
			return i;
	return -1;
}

static bool wide_fits(const struct ask *a, int64_t t)
{
	int r;

	for (r = 0; r < a->m->resources; r++)
		if (a->m->wide >> r & 1 && a->j->amount[r] &&
		    least(a, a->m->nodes, r, t) < a->j->amount[r])
			return false;
	return true;
}

static bool fits_in(const struct ask *a, int64_t t, int first, int last)
{
	int64_t sum = 0;
	int node;

	for (node = 0; node < a->m->nodes; node++)
		if (may_use(a->m, a->j, node) &&
		    place_of(a->m, a->j, node, first, last) >= 0)
			sum += hosts(a, node, t);
	return sum >= a->j->chunks;
}

/* The first of its classes in which the job fits, or all; -1: none. */
static int fitting(const struct ask *a, int64_t t)
{
	int i;

	if (!wide_fits(a, t))
		return -1;
	if (a->j->span)
		return fits_in(a, t, 0, a->j->classes) ? 0 : -1;
	for (i = 0; i < a->j->classes; i++)
		if (fits_in(a, t, i, i + 1))
			return i;
	return -1;
}

/* The first start in [from, before); INT64_MAX: none. */
static int64_t search(const struct ask *a, int64_t from, int64_t before)
{
	int64_t best = INT64_MAX, at;
	size_t i;

	for (i = 0; i <= 2 * a->m->n; i++) {
		at = i == 2 * a->m->n ? from
		     : i & 1	      ? a->m->entry[i / 2].end
				      : a->m->entry[i / 2].from;
		if (at >= from && at < before && at < best &&
		    fitting(a, at) >= 0)
			best = at;
	}
	return best;
}

static int interval(const struct nodes_model *m, int slot, int64_t start,
		    int64_t walltime)
{
	int64_t horizon = m->origin + m->reach;

	if (slot >= NODES_MODEL_JOBS || !m->job[slot].asks || walltime < 1 ||
	    start < m->origin)
		return INVALID;
	if (start > horizon || walltime > horizon - start)
		return TOO_LATE;
	return 0;
}

static struct ask ask(const struct nodes_model *m, int slot, int64_t walltime)
{
	struct ask a;

	a.m = m;
	a.j = &m->job[slot];
	a.walltime = walltime;
	a.current = 0;
	a.own = false;
	return a;
}

int nodes_model_earliest(const struct nodes_model *m, int slot,
			 int64_t not_before, int64_t walltime, int64_t *start)
{
	int error = interval(m, slot, not_before, walltime);
	struct ask a;
	int64_t t;

	if (error)
		return error;
	a = ask(m, slot, walltime);
	t = search(&a, not_before, INT64_MAX);
	if (t == INT64_MAX)
		return OUT_OF_RANGE;
	if (walltime > m->origin + m->reach - t)
		return TOO_LATE;
	*start = t;
	return 0;
}

static bool has_nodes(const struct nodes_model *m, int slot)
{
	int i = 0;

	while (i < m->nodes && !m->job[slot].on[i])
		i++;
	return i < m->nodes;
}

int nodes_model_earlier(const struct nodes_model *m, int slot,
			int64_t not_before, int64_t before, int64_t walltime,
			int64_t current, int64_t *start)
{
	struct ask a;
	int64_t t;

	if (walltime < 1 || not_before < m->origin || !has_nodes(m, slot))
		return INVALID;
	if (current > m->origin + m->reach)
		return TOO_LATE;
	a = ask(m, slot, walltime);
	a.current = current;
	a.own = true;
	t = search(&a, not_before, before < current ? before : current);
	*start = t < INT64_MAX ? t : current;
	return 0;
}

bool nodes_model_fits_own(const struct nodes_model *m, int slot, int64_t start,
			  int64_t end)
{
	struct ask a = ask(m, slot, end - start);
	int node, r;

	for (node = 0; node < m->nodes; node++) {
		if (!a.j->on[node])
			continue;
		for (r = 0; r < m->resources; r++)
			if (holds(m, a.j, node, r) > least(&a, node, r, start))
				return false;
	}
	return wide_fits(&a, start);
}

/* Whether node @b comes after node @a: their keys, by class @first and on. */
static bool is_better(const struct ask *a, int64_t t, int first, int last,
		      int x, int y)
{
	int px = place_of(a->m, a->j, x, first, last);
	int py = place_of(a->m, a->j, y, first, last);
	int64_t lx = 0, ly = 0;

	if (!a->m->first_fit && !a->j->exclusive) {
		lx = least(a, x, 0, t);
		ly = least(a, y, 0, t);
	}
	if (lx != ly)
		return lx < ly;
	return px != py ? px < py : x < y;
}

int nodes_model_choose(struct nodes_model *m, int slot, int64_t start,
		       int64_t walltime)
{
	int error = interval(m, slot, start, walltime), first, last, node, best;
	int64_t on[NODES_MODEL_NODES] = { 0 }, left, h;
	struct ask a;

	if (error)
		return error;
	a = ask(m, slot, walltime);
	first = fitting(&a, start);
	if (first < 0)
		return OUT_OF_RANGE;
	last = a.j->span ? a.j->classes : first + 1;
	for (left = a.j->chunks; left; left -= on[best]) {
		best = -1;
		for (node = 0; node < m->nodes; node++)
			if (!on[node] && may_use(m, a.j, node) &&
			    place_of(m, a.j, node, first, last) >= 0 &&
			    hosts(&a, node, start) &&
			    (best < 0 ||
			     is_better(&a, start, first, last, node, best)))
				best = node;
		h = hosts(&a, best, start);
		on[best] = h < left ? h : left;
	}
	memcpy(m->job[slot].on, on, sizeof(on));
	return 0;
}

static void push(struct nodes_model *m, const struct nodes_model_entry *e)
{
	if (m->n == m->room) {
		m->room = 2 * m->room + 16;
		m->entry = (struct nodes_model_entry *)realloc(
			m->entry, m->room * sizeof(*m->entry));
		if (!m->entry)
			abort();
	}
	m->entry[m->n++] = *e;
}

/* One more entry; the state is not looked at. */
static void add(struct nodes_model *m, int slot, int node, int64_t from,
		int64_t end, int sign)
{
	struct nodes_model_entry e;
	int r;

	e.node = node;
	e.from = from;
	e.end = end;
	for (r = 0; r < NODES_MODEL_RESOURCES; r++)
		e.amount[r] = sign * holds(m, &m->job[slot], node, r);
	push(m, &e);
}

/* Drops the last entry together with one that it gives back whole. */
static void settle(struct nodes_model *m)
{
	struct nodes_model_entry *last = &m->entry[m->n - 1], *e;
	size_t i;
	int r;

	for (i = 0; i + 1 < m->n; i++) {
		e = &m->entry[i];
		for (r = 0; r < NODES_MODEL_RESOURCES; r++)
			if (e->amount[r] != -last->amount[r])
				break;
		if (r < NODES_MODEL_RESOURCES || e->node != last->node ||
		    e->from != last->from || e->end != last->end)
			continue;
		*e = m->entry[m->n - 2];
		m->n -= 2;
		return;
	}
}

/* Whether what the last entry changed is within bounds while it lasts. */
static bool is_sound(const struct nodes_model *m)
{
	const struct nodes_model_entry *e = &m->entry[m->n - 1];
	int64_t t, free;
	size_t i;
	int r;

	for (i = 0; i < 2 * m->n; i++) {
		t = i & 1 ? m->entry[i / 2].end : m->entry[i / 2].from;
		if (m->entry[i / 2].node != e->node)
			continue;
		t = t < e->from ? e->from : t;
		for (r = 0; r < m->resources && t < e->end; r++) {
			free = nodes_model_free_at(m, e->node, r, t);
			if (free < 0 || free > m->has[e->node][r])
				return false;
		}
	}
	return true;
}

/* The entries before a change. */
struct keep {
	struct nodes_model_entry *entry;
	size_t n;
};

static void keep(const struct nodes_model *m, struct keep *was)
{
	was->n = m->n;
	was->entry = (struct nodes_model_entry *)malloc(
		(m->n + 1) * sizeof(*was->entry));
	if (!was->entry)
		abort();
	if (m->n)
		memcpy(was->entry, m->entry, m->n * sizeof(*m->entry));
}

/* To the entries before it, if there was an error. */
static void go_back(struct nodes_model *m, struct keep *was, int error)
{
	if (error && was->n)
		memcpy(m->entry, was->entry, was->n * sizeof(*m->entry));
	if (error)
		m->n = was->n;
	free(was->entry);
}

static int change(struct nodes_model *m, int slot, int64_t start,
		  int64_t walltime, int sign)
{
	int error = interval(m, slot, start, walltime), node;
	struct keep was;

	if (!error && !has_nodes(m, slot))
		error = INVALID;
	keep(m, &was);
	for (node = 0; node <= m->nodes && !error; node++) {
		if (node < m->nodes && !m->job[slot].on[node])
			continue;
		add(m, slot, node, start, start + walltime, sign);
		if (!is_sound(m))
			error = OUT_OF_RANGE;
		else
			settle(m);
	}
	go_back(m, &was, error);
	return error;
}

int nodes_model_reserve(struct nodes_model *m, int slot, int64_t start,
			int64_t walltime)
{
	return change(m, slot, start, walltime, 1);
}

int nodes_model_release(struct nodes_model *m, int slot, int64_t start,
			int64_t walltime)
{
	return change(m, slot, start, walltime, -1);
}

int nodes_model_move(struct nodes_model *m, int slot, int64_t current,
		     int64_t start, int64_t walltime)
{
	int error = interval(m, slot, start, walltime);
	struct keep was;

	keep(m, &was);
	if (!error && start >= current)
		error = INVALID;
	if (!error)
		error = nodes_model_release(m, slot, current, walltime);
	if (!error)
		error = nodes_model_choose(m, slot, start, walltime);
	if (!error)
		error = nodes_model_reserve(m, slot, start, walltime);
	go_back(m, &was, error);
	return error;
}

/* Whether what the job has on a node is free in the interval, and enough. */
static bool fits_on(const struct ask *a, int node, int64_t start)
{
	int r;

	if (a->j->per_node && a->j->on[node] > a->j->per_node)
		return false;
	for (r = 0; r < a->m->resources; r++)
		if (holds(a->m, a->j, node, r) > least(a, node, r, start) ||
		    (!(a->m->wide >> r & 1) &&
		     a->j->on[node] * a->j->amount[r] > a->m->has[node][r]))
			return false;
	return true;
}

/* One more chunk on a node that the job has; false: there is no room. */
static bool add_chunk(struct nodes_model *m, const struct ask *a, int node,
		      int64_t start)
{
	struct nodes_model_job *j = &m->job[a->j - m->job];

	if (m->down[node])
		return false;
	j->on[node]++;
	if (fits_on(a, node, start))
		return true;
	j->on[node]--;
	return false;
}

/* The best node that the job does not have yet, without span of class @k; -1:
 * none. */
static int other_node(const struct ask *a, int k, int64_t start)
{
	int node, best = -1;

	for (node = 0; node < a->m->nodes; node++)
		if (!a->j->on[node] && may_use(a->m, a->j, node) &&
		    (a->j->span
			     ? place_of(a->m, a->j, node, 0, a->j->classes) >= 0
			     : a->m->class_of[node] == k) &&
		    hosts(a, node, start) &&
		    (best < 0 || is_better(a, start, 0, a->j->classes, node,
					   best)))
			best = node;
	return best;
}

/* The chunks of the job, which holds nothing, at its new size. */
static int place_size(struct nodes_model *m, int slot, int64_t start,
		      int64_t walltime)
{
	struct nodes_model_job *j = &m->job[slot];
	struct ask a = ask(m, slot, walltime);
	bool had[NODES_MODEL_NODES];
	int64_t left = j->chunks, h;
	int node, k = -1;

	for (node = 0; node < m->nodes; node++) {
		had[node] = j->on[node] > 0;
		if (had[node] && k < 0)
			k = m->class_of[node];
		if (j->on[node] > left)
			j->on[node] = left;
		left -= j->on[node];
		if (!fits_on(&a, node, start))
			return OUT_OF_RANGE;
	}
	for (node = 0; node < m->nodes; node++)
		while (had[node] && left && add_chunk(m, &a, node, start))
			left--;
	while (left) {
		node = other_node(&a, k, start);
		if (node < 0)
			return OUT_OF_RANGE;
		h = hosts(&a, node, start);
		j->on[node] = h < left ? h : left;
		left -= j->on[node];
	}
	return wide_fits(&a, start) ? 0 : OUT_OF_RANGE;
}

static bool gives_back(const struct nodes_model *m,
		       const struct nodes_model_job *was,
		       const struct nodes_model_job *j)
{
	int node, r;

	for (node = 0; node <= m->nodes; node++)
		for (r = 0; r < m->resources; r++)
			if (holds(m, was, node, r) > holds(m, j, node, r))
				return true;
	return false;
}

int nodes_model_resize(struct nodes_model *m, int slot, const int32_t *amount,
		       int64_t chunks, int64_t start, int64_t walltime,
		       bool *less)
{
	struct nodes_model_job *j = &m->job[slot], was = *j;
	int error, r;
	struct keep kept;

	keep(m, &kept);
	error = nodes_model_release(m, slot, start, walltime);
	for (r = 0; r < m->resources; r++)
		j->amount[r] = amount[r];
	j->chunks = chunks;
	if (!error)
		error = place_size(m, slot, start, walltime);
	if (!error)
		error = nodes_model_reserve(m, slot, start, walltime);
	go_back(m, &kept, error);
	if (error)
		*j = was;
	else
		*less = gives_back(m, &was, j);
	return error;
}

/* Sets what is free of a node in [start, end): all, or with @take nothing. */
static void level(struct nodes_model *m, int node, int64_t start, int64_t end,
		  bool take)
{
	struct nodes_model_entry e;
	int64_t t, next, at;
	bool differs;
	size_t i;
	int r;

	for (t = start; t < end; t = next) {
		next = end;
		differs = false;
		for (i = 0; i < 2 * m->n; i++) {
			at = i & 1 ? m->entry[i / 2].end : m->entry[i / 2].from;
			if (at > t && at < next)
				next = at;
		}
		e.node = node;
		e.from = t;
		e.end = next;
		for (r = 0; r < NODES_MODEL_RESOURCES; r++) {
			e.amount[r] = nodes_model_free_at(m, node, r, t) -
				      (take ? 0 : m->has[node][r]);
			differs |= e.amount[r] != 0;
		}
		if (differs)
			push(m, &e);
	}
}

void nodes_model_fill(struct nodes_model *m, int node, int64_t start,
		      int64_t end)
{
	level(m, node, start, end, true);
}

void nodes_model_clear(struct nodes_model *m, int64_t start, int64_t end)
{
	int node;

	for (node = 0; node <= m->nodes; node++)
		level(m, node, start, end, false);
}

void nodes_model_advance(struct nodes_model *m, int64_t origin)
{
	size_t i, n = 0;

	m->origin = origin;
	for (i = 0; i < m->n; i++)
		if (m->entry[i].end > origin)
			m->entry[n++] = m->entry[i];
	m->n = n;
}
