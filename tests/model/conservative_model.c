/* SPDX-License-Identifier: MIT OR Unlicense */
#include "conservative_model.h"

#define JOBS CONSERVATIVE_MODEL_JOBS
#define NEVER CONSERVATIVE_MODEL_NEVER

void conservative_model_use(struct conservative_model *m, int64_t start,
			    int64_t end, int32_t procs)
{
	int64_t last = end == NEVER ? start : end;

	if (m->last < last)
		m->last = last;
	for (; start < end && start < CONSERVATIVE_MODEL_SECONDS; start++)
		m->used[start] += procs;
}

/* Adds the job's reservation to the plan; sign < 0: removes it. */
static void hold(struct conservative_model *m,
		 const struct conservative_model_job *j, int32_t sign)
{
	if (j->key != NEVER)
		conservative_model_use(m, j->key, j->key + j->walltime,
				       sign * j->procs);
}

static bool fits(const struct conservative_model *m, int64_t start, int64_t end,
		 int32_t procs)
{
	for (; start < end && start < CONSERVATIVE_MODEL_SECONDS; start++)
		if (m->used[start] + procs > m->procs)
			return false;
	return true;
}

/* The earliest place from @start on of a job whose reservation is not in the
 * plan. */
static int64_t earliest_from(const struct conservative_model *m,
			     const struct conservative_model_job *j,
			     int64_t start)
{
	int64_t t;

	if (start < m->now)
		start = m->now;
	if (start < j->not_before)
		start = j->not_before;
	t = start;
	if (start == NEVER)
		return NEVER;
	for (; t < start + j->walltime && t <= m->last; t++)
		if (m->used[t] + j->procs > m->procs)
			start = t + 1;
	if (start > m->last && m->used[m->last] + j->procs > m->procs)
		return NEVER;
	return start > m->now + m->reach - j->walltime ? NEVER : start;
}

static int64_t earliest(const struct conservative_model *m,
			const struct conservative_model_job *j)
{
	return earliest_from(m, j, m->now);
}

/* The earliest place of a job in the plan; a late job keeps its place. */
static int64_t earlier(struct conservative_model *m,
		       const struct conservative_model_job *j)
{
	int64_t start;

	if (j->key < m->now)
		return j->key;
	hold(m, j, -1);
	start = earliest(m, j);
	hold(m, j, 1);
	return start;
}

/* Gives a job that is not in the plan a place there. */
static void place(struct conservative_model *m,
		  struct conservative_model_job *j, int64_t to)
{
	j->key = to;
	if (to < j->turn)
		j->turn = to;
	hold(m, j, 1);
}

static void move(struct conservative_model *m, uint32_t job, int64_t to)
{
	struct conservative_model_job *j = &m->job[job];
	int64_t from = j->key;

	hold(m, j, -1);
	place(m, j, to);
	m->moved(m->context, job, from);
}

/* Lists the queued jobs by turn or by priority; returns their number. */
static uint32_t sorted(const struct conservative_model *m, bool by_priority,
		       uint32_t *list)
{
	uint32_t i, k, n = 0;

	for (i = 0; i < JOBS; i++) {
		const struct conservative_model_job *a = &m->job[i], *b;

		if (!a->waits)
			continue;
		for (k = n++; k; k--) {
			int64_t x = by_priority ? a->priority : a->turn, y;

			b = &m->job[list[k - 1]];
			y = by_priority ? b->priority : b->turn;
			if (x > y || (x == y && a->number > b->number))
				break;
			list[k] = list[k - 1];
		}
		list[k] = i;
	}
	return n;
}

/* A reaction begins with the jobs that have no place. */
static void place_unplaced(struct conservative_model *m)
{
	uint32_t list[JOBS], n = sorted(m, false, list), i;

	for (i = 0; i < n; i++) {
		const struct conservative_model_job *j = &m->job[list[i]];

		if (j->key == NEVER && earliest(m, j) != NEVER)
			move(m, list[i], earliest(m, j));
	}
}

/* Moves each job that can start now. */
static void fill(struct conservative_model *m)
{
	uint32_t list[JOBS], n = sorted(m, true, list), i;

	for (i = 0; i < n; i++) {
		int64_t to = earlier(m, &m->job[list[i]]);

		if (to != m->job[list[i]].key && to == m->now)
			move(m, list[i], to);
	}
}

void conservative_model_compress(struct conservative_model *m)
{
	uint32_t list[JOBS], n, i;
	int64_t to;

	m->pending = false;
	place_unplaced(m);
	if (m->compression == CONSERVATIVE_MODEL_DELAYED) {
		fill(m);
		return;
	}
	n = sorted(m, m->compression == CONSERVATIVE_MODEL_PRIORITIZED, list);
	for (i = 0; i < n; i++) {
		to = earlier(m, &m->job[list[i]]);
		if (to == m->job[list[i]].key)
			continue;
		move(m, list[i], to);
		if (m->compression == CONSERVATIVE_MODEL_PRIORITIZED)
			i = UINT32_MAX; /* begin again */
	}
}

/* Places the jobs that the newcomer would overtake before it. */
static void make_way(struct conservative_model *m, uint32_t newcomer)
{
	struct conservative_model_job *x = &m->job[newcomer];
	uint32_t list[JOBS], n = sorted(m, true, list), i;
	int64_t first = earliest(m, x), to;

	for (i = 0; i < n && first != NEVER; i++) {
		struct conservative_model_job *j = &m->job[list[i]];

		to = earlier(m, j);
		if (to == j->key || to > first + x->walltime)
			continue;
		if (j != x) {
			move(m, list[i], to);
		} else if (to != first) {
			place(m, x, to);
		}
	}
}

void conservative_model_submit(struct conservative_model *m, uint32_t job,
			       bool back)
{
	struct conservative_model_job *j = &m->job[job];

	j->waits = true;
	j->key = j->turn = NEVER;
	if (!back && m->compression == CONSERVATIVE_MODEL_DELAYED)
		make_way(m, job);
	if (j->key == NEVER)
		place(m, j, earliest(m, j));
}

void conservative_model_withdraw(struct conservative_model *m, uint32_t job)
{
	hold(m, &m->job[job], -1);
	m->job[job].waits = false;
}

/* Lists the jobs that end after @from by turn, and takes them out. */
static uint32_t displace(struct conservative_model *m, int64_t from,
			 uint32_t *list)
{
	uint32_t n = sorted(m, false, list), i, out = 0;

	for (i = 0; i < n; i++) {
		const struct conservative_model_job *j = &m->job[list[i]];

		if (j->key == NEVER || j->key + j->walltime <= from)
			continue;
		hold(m, j, -1);
		list[out++] = list[i];
	}
	return out;
}

/* Each returns to its place, or moves to the next one. */
static void put_back(struct conservative_model *m, const uint32_t *list,
		     uint32_t n)
{
	uint32_t i;

	m->pending = true;
	for (i = 0; i < n; i++) {
		struct conservative_model_job *j = &m->job[list[i]];
		int64_t from = j->key;

		place(m, j, earliest_from(m, j, from));
		if (j->key != from)
			m->moved(m->context, list[i], from);
	}
}

bool conservative_model_take(struct conservative_model *m, int64_t start,
			     int64_t end, int32_t procs)
{
	uint32_t list[JOBS], n = displace(m, start, list), i;

	if (!fits(m, start, end, procs)) {
		for (i = 0; i < n; i++)
			hold(m, &m->job[list[i]], 1);
		return false;
	}
	conservative_model_use(m, start, end, procs);
	put_back(m, list, n);
	return true;
}

/* No reservation stays in the past: a loss from the first one on. */
static void displace_late(struct conservative_model *m)
{
	uint32_t list[JOBS], i;
	int64_t first = NEVER;

	for (i = 0; i < JOBS; i++)
		if (m->job[i].waits && m->job[i].key < first)
			first = m->job[i].key;
	if (first < m->now)
		put_back(m, list, displace(m, first, list));
}

uint32_t conservative_model_due(struct conservative_model *m)
{
	uint32_t due = JOBS, i;

	displace_late(m);
	if (m->pending)
		conservative_model_compress(m);
	place_unplaced(m);
	if (m->compression == CONSERVATIVE_MODEL_DELAYED)
		fill(m);
	for (i = 0; i < JOBS; i++)
		if (m->job[i].waits && m->job[i].key == m->now &&
		    (due == JOBS || m->job[i].number < m->job[due].number))
			due = i;
	if (due < JOBS)
		m->job[due].waits = false;
	return due;
}
