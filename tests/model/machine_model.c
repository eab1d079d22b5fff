/* SPDX-License-Identifier: MIT OR Unlicense */
#include "machine_model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = -22, OUT_OF_RANGE = -34, TOO_LATE = -75 };

static bool is_wide(const struct machine_model *m, int r)
{
	return m->wide >> r & 1;
}

/* Where a vector has resource @r of class @k. */
static int cell(const struct machine_model *m, uint32_t k, int r)
{
	return (is_wide(m, r) ? 0 : (int)k * m->resources) + r;
}

static void resize(struct machine_model *m, size_t room)
{
	m->step = (struct machine_model_step *)realloc(m->step,
						       room * sizeof(*m->step));
	if (!m->step)
		abort();
	m->room = room;
}

void machine_model_init(struct machine_model *m, int resources, int classes,
			unsigned int wide, const int32_t *amount, int64_t reach,
			int64_t origin)
{
	int i;

	memset(m, 0, sizeof(*m));
	resize(m, 8);
	memset(m->step, 0, sizeof(*m->step));
	m->n = 1;
	m->origin = m->step[0].at = origin;
	m->reach = reach;
	m->resources = resources;
	m->classes = classes;
	m->wide = wide;
	for (i = 0; i < resources * classes; i++)
		m->step[0].free[i] = m->limit[i] = m->configured[i] = amount[i];
}

void machine_model_free(struct machine_model *m)
{
	free(m->step);
}

static int64_t end_of(const struct machine_model *m, size_t i)
{
	return i + 1 < m->n ? m->step[i + 1].at : INT64_MAX;
}

static bool is_amount(const struct machine_model *m, const int32_t *amount)
{
	bool some = false;
	int r;

	for (r = 0; r < m->resources; r++) {
		if (amount[r] < 0)
			return false;
		some |= amount[r] > 0;
	}
	return some;
}

static bool is_order(const struct machine_model *m, const uint8_t *order,
		     uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (order[i] >= m->classes)
			return false;
	return true;
}

/* A reservation that may move: what it has is free to it. */
struct own {
	int64_t from; /* its start */
	int64_t node_class;
};

/* Are all amounts free in class @k throughout [@t, @t + @walltime)? */
static bool fits(const struct machine_model *m, uint32_t k,
		 const int32_t *amount, int64_t t, int64_t walltime,
		 const struct own *own)
{
	size_t i;
	int r;

	for (i = 0; i < m->n && m->step[i].at < t + walltime; i++) {
		int64_t from = m->step[i].at > t ? m->step[i].at : t;

		if (end_of(m, i) <= t)
			continue;
		for (r = 0; r < m->resources; r++) {
			bool its =
				own && (own->node_class == k || is_wide(m, r));

			if (m->step[i].free[cell(m, k, r)] < amount[r] &&
			    !(its && from >= own->from))
				return false;
		}
	}
	return true;
}

/* The first start in class @k before @before; INT64_MAX if there is none. */
static int64_t first(const struct machine_model *m, uint32_t k,
		     const int32_t *amount, int64_t not_before, int64_t before,
		     int64_t walltime, const struct own *own)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		int64_t t = m->step[i].at;

		if (end_of(m, i) <= not_before)
			continue;
		t = t < not_before ? not_before : t;
		if (t < before && fits(m, k, amount, t, walltime, own))
			return t;
	}
	return INT64_MAX;
}

static int64_t first_of_all(const struct machine_model *m,
			    const int32_t *amount, const uint8_t *order,
			    uint32_t count, int64_t not_before, int64_t before,
			    int64_t walltime, const struct own *own,
			    uint32_t *k)
{
	uint32_t n = count ? count : (uint32_t)m->classes, i;
	int64_t best = INT64_MAX;

	for (i = 0; i < n; i++) {
		uint32_t c = count ? order[i] : i;
		int64_t t =
			first(m, c, amount, not_before, before, walltime, own);

		if (t < best) {
			best = t;
			*k = c;
		}
	}
	return best;
}

int machine_model_earliest_start(const struct machine_model *m,
				 int64_t not_before, int64_t walltime,
				 const int32_t *amount, const uint8_t *order,
				 uint32_t count, int64_t *start, uint32_t *k)
{
	int64_t horizon = m->origin + m->reach, t;
	uint32_t c = 0;

	if (walltime < 1 || not_before < m->origin || !is_amount(m, amount) ||
	    !is_order(m, order, count))
		return INVALID;
	if (not_before > horizon || walltime > horizon - not_before)
		return TOO_LATE;
	t = first_of_all(m, amount, order, count, not_before, INT64_MAX,
			 walltime, NULL, &c);
	if (t == INT64_MAX)
		return OUT_OF_RANGE;
	if (walltime > horizon - t)
		return TOO_LATE;
	*start = t;
	*k = c;
	return 0;
}

int machine_model_earlier_start(const struct machine_model *m,
				int64_t not_before, int64_t before,
				int64_t walltime, const int32_t *amount,
				const uint8_t *order, uint32_t count,
				int64_t current, uint32_t current_class,
				int64_t *start, uint32_t *k)
{
	struct own own = { current, current_class };
	uint32_t c = current_class;
	int64_t t;

	if (walltime < 1 || not_before < m->origin || !is_amount(m, amount) ||
	    !is_order(m, order, count) || current_class >= (uint32_t)m->classes)
		return INVALID;
	if (current > m->origin + m->reach)
		return TOO_LATE;
	t = first_of_all(m, amount, order, count, not_before,
			 before < current ? before : current, walltime, &own,
			 &c);
	*start = t < INT64_MAX ? t : current;
	*k = c;
	return 0;
}

void machine_model_extremes(const struct machine_model *m, uint32_t k,
			    int64_t start, int64_t end, int32_t *least,
			    int32_t *most)
{
	size_t i;
	int r;

	for (r = 0; r < m->resources; r++) {
		least[r] = INT32_MAX;
		most[r] = 0;
		for (i = 0; i < m->n; i++) {
			int32_t f = (int32_t)m->step[i].free[cell(m, k, r)];

			if (m->step[i].at >= end || end_of(m, i) <= start)
				continue;
			least[r] = f < least[r] ? f : least[r];
			most[r] = f > most[r] ? f : most[r];
		}
	}
}

/* Makes a step begin at @t; returns its index. */
static size_t cut(struct machine_model *m, int64_t t)
{
	size_t i = 0;

	while (i < m->n && m->step[i].at < t)
		i++;
	if (t == INT64_MAX || (i < m->n && m->step[i].at == t))
		return i;
	if (m->n == m->room)
		resize(m, 2 * m->room);
	memmove(m->step + i + 1, m->step + i, (m->n - i) * sizeof(*m->step));
	m->step[i] = m->step[i - 1];
	m->step[i].at = t;
	m->n++;
	return i;
}

/* Adds @delta if free stays in [0, @limit]; steps are never joined. */
static int add(struct machine_model *m, int c, int64_t start, int64_t end,
	       int64_t delta, int64_t limit)
{
	size_t i, j, a, b;

	for (i = 0; i < m->n; i++)
		if (m->step[i].at < end && end_of(m, i) > start &&
		    (m->step[i].free[c] + delta < 0 ||
		     m->step[i].free[c] + delta > limit))
			return OUT_OF_RANGE;
	a = cut(m, start);
	b = cut(m, end);
	for (j = a; j < b; j++)
		m->step[j].free[c] += delta;
	return 0;
}

static int interval(const struct machine_model *m, uint32_t k, int64_t start,
		    int64_t walltime, const int32_t *amount)
{
	int64_t horizon = m->origin + m->reach;

	if (k >= (uint32_t)m->classes || !is_amount(m, amount) ||
	    walltime < 1 || start < m->origin)
		return INVALID;
	if (start > horizon || walltime > horizon - start)
		return TOO_LATE;
	return 0;
}

/* Takes all amounts of some resources or none; @sign < 0 takes. */
static int change(struct machine_model *m, uint32_t k, int64_t start,
		  int64_t walltime, const int32_t *amount, int sign,
		  unsigned int which)
{
	int r, error = 0;

	for (r = 0; r < m->resources && !error; r++) {
		int c = cell(m, k, r);

		if (!amount[r] || !(which >> r & 1))
			continue;
		error = m->configured[c]
				? add(m, c, start, start + walltime,
				      sign * (int64_t)amount[r],
				      sign < 0 ? INT64_MAX : m->limit[c])
				: OUT_OF_RANGE;
	}
	return error;
}

/* Makes both changes, or none. */
static int change_both(struct machine_model *m, uint32_t k, int64_t start,
		       int64_t walltime, const int32_t *amount, int sign)
{
	size_t bytes = m->n * sizeof(*m->step), n = m->n;
	struct machine_model_step *was =
		(struct machine_model_step *)malloc(bytes);
	int error = interval(m, k, start, walltime, amount);

	if (!was)
		abort();
	memcpy(was, m->step, bytes);
	if (!error)
		error = change(m, k, start, walltime, amount, sign, 0xff);
	if (error) {
		memcpy(m->step, was, bytes);
		m->n = n;
	}
	free(was);
	return error;
}

int machine_model_reserve(struct machine_model *m, uint32_t k, int64_t start,
			  int64_t walltime, const int32_t *amount)
{
	return change_both(m, k, start, walltime, amount, -1);
}

int machine_model_release(struct machine_model *m, uint32_t k, int64_t start,
			  int64_t walltime, const int32_t *amount)
{
	return change_both(m, k, start, walltime, amount, 1);
}

/* All of the old is given back, then all of the new is taken. */
int machine_model_move(struct machine_model *m, uint32_t current_class,
		       int64_t current, uint32_t k, int64_t start,
		       int64_t walltime, const int32_t *amount)
{
	size_t bytes = m->n * sizeof(*m->step), n = m->n;
	struct machine_model_step *was =
		(struct machine_model_step *)malloc(bytes);
	int error = interval(m, current_class, current, walltime, amount);

	if (!was)
		abort();
	memcpy(was, m->step, bytes);
	if (!error && (k >= (uint32_t)m->classes || start < m->origin ||
		       start >= current))
		error = INVALID;
	if (!error)
		error = change(m, current_class, current, walltime, amount, 1,
			       0xff);
	if (!error)
		error = change(m, k, start, walltime, amount, -1, 0xff);
	if (error) {
		memcpy(m->step, was, bytes);
		m->n = n;
	}
	free(was);
	return error;
}

int machine_model_change_capacity(struct machine_model *m, uint32_t k,
				  uint32_t resource, int64_t start, int64_t end,
				  int32_t delta)
{
	int64_t horizon = m->origin + m->reach;
	bool whole = start == m->origin && end == INT64_MAX;
	int c, error;

	if (k >= (uint32_t)m->classes || resource >= (uint32_t)m->resources)
		return INVALID;
	c = cell(m, k, (int)resource);
	if (!m->configured[c])
		return OUT_OF_RANGE;
	if (start < m->origin || end <= start)
		return INVALID;
	if (start > horizon || (end > horizon && end != INT64_MAX))
		return TOO_LATE;
	error = add(m, c, start, end, delta, INT32_MAX);
	if (!error && (delta > 0 || whole))
		m->limit[c] += delta;
	if (m->limit[c] > INT32_MAX)
		m->limit[c] = INT32_MAX;
	return error;
}

void machine_model_advance(struct machine_model *m, int64_t origin)
{
	size_t i = 0;

	while (end_of(m, i) <= origin)
		i++;
	memmove(m->step, m->step + i, (m->n - i) * sizeof(*m->step));
	m->n -= i;
	m->origin = m->step[0].at = origin;
}
