/* SPDX-License-Identifier: MIT OR Unlicense */
#include "throttle_model.h"

#define LATEST (INT64_C(1) << 32) /* after the origin */

void throttle_model_init(struct throttle_model *m, int64_t origin)
{
	int level, kind, id, r;

	m->origin = origin;
	m->jobs = m->idles = 0;
	for (level = 0; level < 2; level++)
		for (kind = 0; kind < THROTTLE_MODEL_KINDS; kind++)
			for (id = 0; id < THROTTLE_MODEL_MOST; id++)
				for (r = 0; r < THROTTLE_MODEL_RESOURCES; r++)
					m->limit[level][kind][id][r] =
						INT64_MAX;
}

static int64_t cut(const struct throttle_model *m, int64_t t)
{
	return t - LATEST > m->origin ? m->origin + LATEST : t;
}

/* What a job holds of a resource at @now. */
static int64_t holds(const struct throttle_model *m,
		     const struct throttle_model_job *j, int64_t now,
		     int resource)
{
	switch (resource) {
	case 0:
		return 1;
	case 1:
		return j->procs;
	case 2:
		return j->nodes;
	case 3:
		return j->memory;
	case 5:
		return 0;
	default:
		return j->procs * (cut(m, j->end) - cut(m, now));
	}
}

static bool is_of(const struct throttle_model_job *j, int kind, uint32_t id)
{
	return kind < 0 || j->id[kind] == id;
}

/* @kind below 0: the usage of all jobs. */
int64_t throttle_model_used(const struct throttle_model *m, int64_t now,
			    int kind, uint32_t id, int resource)
{
	int64_t sum = 0;
	int i;

	for (i = 0; i < m->jobs; i++)
		if (is_of(&m->job[i], kind, id))
			sum += holds(m, &m->job[i], now, resource);
	return sum < 0 ? 0 : sum;
}

static int64_t selected(const struct throttle_model *m, int kind, uint32_t id)
{
	int64_t sum = 0;
	int i;

	for (i = 0; i < m->idles; i++)
		sum += m->idle[i].id[kind] == id;
	return sum;
}

static int test(const struct throttle_model *m, int64_t now,
		const struct throttle_model_job *job, int level, int64_t idle,
		struct throttle_model_why *why)
{
	const int64_t most = INT64_C(1) << 61;
	int kind, r;

	if (throttle_model_used(m, now, -1, 0, 2) + job->nodes > most ||
	    throttle_model_used(m, now, -1, 0, 3) + job->memory > most)
		return -1;
	for (kind = 0; kind < THROTTLE_MODEL_KINDS; kind++) {
		uint32_t id = job->id[kind];

		if (id == UINT32_MAX || job->exempt & (1u << kind))
			continue;
		for (r = 0; r < THROTTLE_MODEL_RESOURCES; r++) {
			why->kind = kind;
			why->resource = r;
			why->limit = m->limit[level][kind][id][r];
			why->used = throttle_model_used(m, now, kind, id, r);
			why->asked = holds(m, job, now, r);
			if (r == 5) {
				why->used = selected(m, kind, id);
				why->asked = idle;
			}
			if (why->used > why->limit ||
			    why->asked > why->limit - why->used)
				return 1;
		}
	}
	return 0;
}

int throttle_model_test(const struct throttle_model *m, int64_t now,
			const struct throttle_model_job *job, int level,
			struct throttle_model_why *why)
{
	return test(m, now, job, level, 0, why);
}

int throttle_model_select(const struct throttle_model *m, int64_t now,
			  const struct throttle_model_job *job, int level,
			  struct throttle_model_why *why)
{
	return test(m, now, job, level, 1, why);
}

int throttle_model_start(const struct throttle_model *m, int64_t now,
			 const struct throttle_model_job *job)
{
	struct throttle_model_why why;
	int answer = throttle_model_test(m, now, job, 1, &why);

	if (!answer &&
	    throttle_model_used(m, now, -1, 0, 1) + job->procs > INT32_MAX)
		return -1;
	return answer;
}

int throttle_model_possible(const struct throttle_model *m,
			    const struct throttle_model_job *job,
			    int64_t walltime, struct throttle_model_why *why)
{
	struct throttle_model idle = *m;
	struct throttle_model_job alone = *job;

	idle.jobs = idle.idles = 0;
	idle.origin = 0;
	alone.end = walltime;
	return test(&idle, 0, &alone, 1, 1, why);
}
