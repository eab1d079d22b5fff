/* SPDX-License-Identifier: MIT OR Unlicense */
#include "profile_model.h"

#include <stdlib.h>
#include <string.h>

enum { INVALID = -22, NO_SPACE = -28, OUT_OF_RANGE = -34, TOO_LATE = -75 };

void profile_model_init(struct profile_model *m, size_t most, int64_t reach,
			int32_t procs, int64_t origin)
{
	m->room = 16;
	m->step = (struct profile_model_step *)malloc(m->room *
						      sizeof(m->step[0]));
	if (!m->step)
		abort();
	m->n = 1;
	m->most = most;
	m->origin = origin;
	m->reach = reach;
	m->limit = procs;
	m->step[0].at = origin;
	m->step[0].free = procs;
}

void profile_model_free(struct profile_model *m)
{
	free(m->step);
}

void profile_model_copy(struct profile_model *to,
			const struct profile_model *from)
{
	*to = *from;
	to->step = (struct profile_model_step *)malloc(to->room *
						       sizeof(to->step[0]));
	if (!to->step)
		abort();
	memcpy(to->step, from->step, from->n * sizeof(to->step[0]));
}

static int64_t end_of(const struct profile_model *m, size_t i)
{
	return i + 1 < m->n ? m->step[i + 1].at : INT64_MAX;
}

/* Whether @procs are free from step @i to @end. */
static int is_free(const struct profile_model *m, size_t i, int64_t end,
		   int32_t procs)
{
	for (; i < m->n && m->step[i].at < end; i++)
		if (m->step[i].free < procs)
			return 0;
	return 1;
}

int profile_model_earliest_start(const struct profile_model *m,
				 int64_t not_before, int64_t walltime,
				 int32_t procs, int64_t *start)
{
	int64_t horizon = m->origin + m->reach;
	size_t i;

	if (walltime < 1 || procs < 1 || not_before < m->origin)
		return INVALID;
	if (not_before > horizon || walltime > horizon - not_before)
		return TOO_LATE;
	/* The earliest start is not_before or the beginning of a step. */
	for (i = 0; i < m->n; i++) {
		int64_t t = m->step[i].at;

		if (end_of(m, i) <= not_before || m->step[i].free < procs)
			continue;
		if (t < not_before)
			t = not_before;
		if (!is_free(m, i, t + walltime, procs))
			continue;
		if (walltime > horizon - t)
			return TOO_LATE;
		*start = t;
		return 0;
	}
	return OUT_OF_RANGE;
}

int profile_model_earlier_start(const struct profile_model *m,
				int64_t not_before, int64_t before,
				int64_t walltime, int32_t procs,
				int64_t current, int64_t *start)
{
	size_t i;

	if (walltime < 1 || procs < 1 || not_before < m->origin)
		return INVALID;
	if (current > m->origin + m->reach)
		return TOO_LATE;
	*start = current;
	for (i = 0; i < m->n; i++) {
		int64_t t = m->step[i].at, end;

		if (end_of(m, i) <= not_before || m->step[i].free < procs)
			continue;
		if (t < not_before)
			t = not_before;
		if (t >= before || t >= current)
			break;
		/* From current on the job itself holds the processors. */
		end = walltime < current - t ? t + walltime : current;
		if (is_free(m, i, end, procs)) {
			*start = t;
			break;
		}
	}
	return 0;
}

int profile_model_min_free(const struct profile_model *m, int64_t start,
			   int64_t end, int32_t *free_procs)
{
	int64_t least = INT64_MAX;
	size_t i;

	if (start < m->origin || end <= start)
		return INVALID;
	for (i = 0; i < m->n; i++)
		if (m->step[i].at < end && end_of(m, i) > start &&
		    m->step[i].free < least)
			least = m->step[i].free;
	*free_procs = (int32_t)least;
	return 0;
}

int profile_model_run(const struct profile_model *m, int32_t procs,
		      int64_t *start, int64_t *end)
{
	size_t i;

	if (*start < m->origin || *end <= *start)
		return INVALID;
	for (i = m->n; i-- > 0;) /* backwards: each step that reaches start */
		if (m->step[i].at < *start && end_of(m, i) >= *start &&
		    m->step[i].free >= procs)
			*start = m->step[i].at;
	for (i = 0; i < m->n; i++)
		if (m->step[i].at <= *end && end_of(m, i) > *end &&
		    m->step[i].free >= procs)
			*end = end_of(m, i);
	return 0;
}

static void profile_model_cut(struct profile_model *m, int64_t t)
{
	size_t i;

	for (i = 0; end_of(m, i) <= t; i++)
		;
	if (m->step[i].at == t)
		return;
	if (m->n == m->room) {
		m->room *= 2;
		m->step = (struct profile_model_step *)realloc(
			m->step, m->room * sizeof(m->step[0]));
		if (!m->step)
			abort();
	}
	memmove(m->step + i + 1, m->step + i, (m->n - i) * sizeof(m->step[0]));
	m->n++;
	m->step[i + 1].at = t;
}

/* Joins neighbouring steps with equal free. */
static void profile_model_tidy(struct profile_model *m)
{
	size_t i, n = 0;

	for (i = 0; i < m->n; i++)
		if (!n || m->step[i].free != m->step[n - 1].free)
			m->step[n++] = m->step[i];
	m->n = n;
}

static int profile_model_add(struct profile_model *m, int64_t start,
			     int64_t end, int64_t delta, int64_t limit)
{
	struct profile_model copy;
	int result = 0;
	size_t i;

	profile_model_copy(&copy, m);
	profile_model_cut(&copy, start);
	if (end < INT64_MAX)
		profile_model_cut(&copy, end);
	for (i = 0; i < copy.n; i++) {
		struct profile_model_step *s = &copy.step[i];

		if (s->at < start || s->at >= end)
			continue;
		s->free += delta;
		if (s->free < 0 || s->free > limit)
			result = OUT_OF_RANGE;
	}
	profile_model_tidy(&copy);
	if (!result && copy.n > copy.most)
		result = NO_SPACE;
	if (result) {
		profile_model_free(&copy);
		return result;
	}
	profile_model_free(m);
	*m = copy;
	return 0;
}

static int bad_interval(const struct profile_model *m, int64_t start,
			int64_t walltime, int32_t procs)
{
	int64_t horizon = m->origin + m->reach;

	if (walltime < 1 || procs < 1 || start < m->origin)
		return INVALID;
	if (start > horizon || walltime > horizon - start)
		return TOO_LATE;
	return 0;
}

int profile_model_reserve(struct profile_model *m, int64_t start,
			  int64_t walltime, int32_t procs)
{
	int bad = bad_interval(m, start, walltime, procs);

	return bad ? bad
		   : profile_model_add(m, start, start + walltime,
				       -(int64_t)procs, INT32_MAX);
}

int profile_model_release(struct profile_model *m, int64_t start,
			  int64_t walltime, int32_t procs)
{
	int bad = bad_interval(m, start, walltime, procs);

	return bad ? bad
		   : profile_model_add(m, start, start + walltime, procs,
				       m->limit);
}

int profile_model_change_capacity(struct profile_model *m, int64_t start,
				  int64_t end, int32_t delta)
{
	int64_t horizon = m->origin + m->reach;
	int bad;

	if (start < m->origin || end <= start)
		return INVALID;
	if (start > horizon || (end > horizon && end < INT64_MAX))
		return TOO_LATE;
	bad = profile_model_add(m, start, end, delta, INT32_MAX);
	if (bad)
		return bad;
	/* The limit is known only if the change lasts for all time. */
	if (delta > 0 || (start == m->origin && end == INT64_MAX))
		m->limit += delta;
	if (m->limit > INT32_MAX)
		m->limit = INT32_MAX;
	return 0;
}

int profile_model_advance(struct profile_model *m, int64_t origin)
{
	size_t i;

	if (origin < m->origin)
		return INVALID;
	if (origin > INT64_MAX - ((int64_t)1 << 38))
		return TOO_LATE;
	for (i = 0; end_of(m, i) <= origin; i++)
		;
	m->n -= i;
	memmove(m->step, m->step + i, m->n * sizeof(m->step[0]));
	m->step[0].at = m->origin = origin;
	return 0;
}
