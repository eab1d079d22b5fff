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

/* The earliest place of a job whose reservation is not in the plan. */
static int64_t earliest(const struct conservative_model *m,
			const struct conservative_model_job *j)
{
	int64_t start = m->now > j->not_before ? m->now : j->not_before;
	int64_t t = start;

	if (start == NEVER)
		return NEVER;
	for (; t < start + j->walltime && t <= m->last; t++)
		if (m->used[t] + j->procs > m->procs)
			start = t + 1;
	if (start > m->last && m->used[m->last] + j->procs > m->procs)
		return NEVER;
	return start > m->now + m->reach - j->walltime ? NEVER : start;
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

static void move(struct conservative_model *m, uint32_t job, int64_t to)
{
	struct conservative_model_job *j = &m->job[job];
	int64_t from = j->key;

	hold(m, j, -1);
	j->key = to;
	hold(m, j, 1);
	m->moved(m->context, job, from);
}

/* Lists the queued jobs by start or by priority; returns their number. */
static uint32_t sorted(const struct conservative_model *m, bool by_priority,
		       uint32_t *list)
{
	uint32_t i, k, n = 0;

	for (i = 0; i < JOBS; i++) {
		const struct conservative_model_job *a = &m->job[i], *b;

		if (!a->waits)
			continue;
		for (k = n++; k; k--) {
			int64_t x = by_priority ? a->priority : a->key, y;

			b = &m->job[list[k - 1]];
			y = by_priority ? b->priority : b->key;
			if (x > y || (x == y && a->number > b->number))
				break;
			list[k] = list[k - 1];
		}
		list[k] = i;
	}
	return n;
}

/* Moves each job that can start now; places each job without a place. */
static void fill(struct conservative_model *m)
{
	uint32_t list[JOBS], n = sorted(m, true, list), i;

	for (i = 0; i < n; i++) {
		const struct conservative_model_job *j = &m->job[list[i]];
		int64_t to = earlier(m, j);

		if (to != j->key && (to == m->now || j->key == NEVER))
			move(m, list[i], to);
	}
}

void conservative_model_compress(struct conservative_model *m)
{
	uint32_t list[JOBS], n, i;
	int64_t to;

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
			x->key = to;
			hold(m, x, 1);
		}
	}
}

void conservative_model_submit(struct conservative_model *m, uint32_t job,
			       bool back)
{
	struct conservative_model_job *j = &m->job[job];

	j->waits = true;
	j->key = NEVER;
	if (!back && m->compression == CONSERVATIVE_MODEL_DELAYED)
		make_way(m, job);
	if (j->key != NEVER)
		return;
	j->key = earliest(m, j);
	hold(m, j, 1);
}

void conservative_model_withdraw(struct conservative_model *m, uint32_t job)
{
	hold(m, &m->job[job], -1);
	m->job[job].waits = false;
}

bool conservative_model_take(struct conservative_model *m, int64_t start,
			     int64_t end, int32_t procs)
{
	uint32_t list[JOBS], n = sorted(m, false, list), i, rest = 0;
	bool good;

	for (i = 0; i < n; i++)
		hold(m, &m->job[list[i]], -1);
	good = fits(m, start, end, procs);
	if (good)
		conservative_model_use(m, start, end, procs);
	for (i = 0; i < n; i++) {
		struct conservative_model_job *j = &m->job[list[i]];

		if (j->key == NEVER ||
		    fits(m, j->key < m->now ? m->now : j->key,
			 j->key + j->walltime, j->procs))
			hold(m, j, 1);
		else
			list[rest++] = list[i];
	}
	for (i = 0; i < rest; i++) {
		struct conservative_model_job *j = &m->job[list[i]];
		int64_t from = j->key;

		j->key = earliest(m, j);
		hold(m, j, 1);
		m->moved(m->context, list[i], from);
	}
	return good;
}

uint32_t conservative_model_due(struct conservative_model *m)
{
	uint32_t list[JOBS], n, i;

	for (;;) {
		struct conservative_model_job *j;
		int64_t was, end, not_before;

		n = sorted(m, false, list);
		for (i = 0; i < n; i++) /* an earlier job may fit now */
			if (m->job[list[i]].key == NEVER &&
			    earliest(m, &m->job[list[i]]) != NEVER &&
			    m->compression != CONSERVATIVE_MODEL_DELAYED)
				move(m, list[i], earliest(m, &m->job[list[i]]));
		if (m->compression == CONSERVATIVE_MODEL_DELAYED)
			fill(m);
		n = sorted(m, false, list);
		if (!n || m->job[list[0]].key > m->now)
			return JOBS;
		j = &m->job[list[0]];
		was = j->key;
		end = was + j->walltime;
		j->waits = false;
		if (was == m->now ||
		    conservative_model_take(m, end < m->now ? m->now : end,
					    m->now + j->walltime, j->procs)) {
			j->key = m->now;
			return list[0];
		}
		/* Running jobs are in its way: give it the next place. */
		hold(m, j, -1);
		not_before = j->not_before;
		j->not_before = m->now + 1;
		j->key = earliest(m, j);
		j->not_before = not_before;
		hold(m, j, 1);
		j->waits = true;
		m->moved(m->context, list[0], was);
	}
}
