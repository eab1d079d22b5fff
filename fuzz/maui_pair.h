/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui_pair.h - draws a configuration of Maui and the credentials of jobs, for
 * the scheduler and for its naive model
 *
 * It draws no target of the expansion factor and no decay between 0 and 1:
 * their values are rounded, and priority_fuzz.c and usage_fuzz.c compare them.
 */
#ifndef MAUI_PAIR_H
#define MAUI_PAIR_H

#include <string.h>

#include "fairsched.h"
#include "fuzz/fuzz.h"
#include "tests/model/sched_maui.h"

struct maui_pair {
	struct fair_maui_config config;
	struct fair_maui_credential credential[MODEL_KINDS][MODEL_IDS];
	struct fair_maui_qos qos[MODEL_IDS];
	struct model_maui model;
};

/* Mostly small. */
static inline int64_t maui_pair_draw_weight(struct fuzz_in *in)
{
	static const int64_t weight[8] = { 0, 1, 2, 3, 60, -1, -60, 1000 };

	return weight[fuzz_u8(in) % 8];
}

static inline void maui_pair_draw_weights(struct maui_pair *p,
					  struct fuzz_in *in)
{
	struct fair_priority_config *c = &p->config.priority;
	int component = fuzz_u8(in) % FAIR_PRIORITY_COMPONENTS;
	int part = fuzz_u8(in) % FAIR_PRIORITY_PARTS;

	c->component_weight[component] = maui_pair_draw_weight(in);
	c->weight[part] = maui_pair_draw_weight(in);
	if (fuzz_u8(in) % 4)
		return;
	c->component_cap[component] = fuzz_range(in, 0, 255) << 18;
	c->cap[part] = fuzz_range(in, 0, 255) << 16;
}

static inline void maui_pair_draw_target(struct maui_pair *p,
					 struct fuzz_in *in)
{
	int kind = fuzz_u8(in) % MODEL_KINDS, id = fuzz_u8(in) % MODEL_IDS;
	struct fair_maui_credential *c = &p->credential[kind][id];
	struct model_credential *m = &p->model.credential[kind][id];

	c->priority = m->priority = maui_pair_draw_weight(in);
	c->has_target = m->has_target = true;
	m->target = fuzz_u8(in) % 4;
	c->target.kind = (enum fair_usage_kind)m->target;
	c->target.points = m->points = fuzz_range(in, 0, 100) << 20;
}

/* Limits are low enough to matter, down to those that no job passes. */
static inline void maui_pair_draw_limit(struct maui_pair *p, struct fuzz_in *in)
{
	static const int64_t most[FAIR_THROTTLE_RESOURCES] = { 3,  16,	16,
							       64, 200, 3 };
	int kind = fuzz_u8(in) % MODEL_KINDS, id = fuzz_u8(in) % MODEL_IDS;
	int r = fuzz_u8(in) % FAIR_THROTTLE_RESOURCES;
	struct fair_maui_credential *c = &p->credential[kind][id];

	c->soft[r] = fuzz_range(in, 0, most[r]);
	c->hard[r] = fuzz_range(in, 0, most[r]);
}

static inline void maui_pair_draw_qos(struct maui_pair *p, struct fuzz_in *in)
{
	int id = fuzz_u8(in) % MODEL_IDS;
	struct fair_maui_qos *q = &p->qos[id];
	struct model_qos *m = &p->model.qos[id];

	q->flags = m->flags = fuzz_u8(in) % 8;
	q->exempt = m->exempt = fuzz_u8(in) % 32;
	q->queue_time_weight = m->queue_time_weight = maui_pair_draw_weight(in);
	q->xfactor_weight = m->xfactor_weight = maui_pair_draw_weight(in);
	q->queue_time_target = m->queue_time_target = fuzz_range(in, 0, 30);
}

/* Copies weights, caps and limits to the model's configuration. */
static inline void maui_pair_copy_to_model(struct maui_pair *p)
{
	const struct fair_priority_config *c = &p->config.priority;
	int kind, id, r;

	memcpy(p->model.component_weight, c->component_weight,
	       sizeof(c->component_weight));
	memcpy(p->model.component_cap, c->component_cap,
	       sizeof(c->component_cap));
	memcpy(p->model.weight, c->weight, sizeof(c->weight));
	memcpy(p->model.cap, c->cap, sizeof(c->cap));
	for (kind = 0; kind < MODEL_KINDS; kind++)
		for (id = 0; id < MODEL_IDS; id++)
			for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++) {
				p->model.credential[kind][id].limit[0][r] =
					p->credential[kind][id].soft[r];
				p->model.credential[kind][id].limit[1][r] =
					p->credential[kind][id].hard[r];
			}
}

/* The windows of usage are shorter than a job or longer than a run. */
static inline void maui_pair_draw_usage(struct maui_pair *p, struct fuzz_in *in)
{
	struct fair_maui_config *c = &p->config;
	struct model_maui *m = &p->model;

	m->usage = fuzz_u8(in) % 4;
	m->windows = fuzz_range(in, 1, 4);
	m->interval = fuzz_range(in, 1, 60);
	m->decays = fuzz_u8(in) % 2;
	m->poll = fuzz_u8(in) % 4 ? 0 : fuzz_range(in, 1, 20);
	m->machine[0] = fuzz_range(in, 0, 99);
	m->machine[1] = fuzz_range(in, 0, 99);
	m->machine[2] = fuzz_range(in, 0, 99);
	c->usage = (uint32_t)m->usage;
	c->windows = (uint32_t)m->windows;
	c->interval = m->interval;
	c->decay = m->decays ? 0 : FAIR_USAGE_ONE;
	c->poll = m->poll;
	c->machine.memory = m->machine[0];
	c->machine.swap = m->machine[1];
	c->machine.disk = m->machine[2];
}

static inline void maui_pair_new(struct maui_pair *p, struct fuzz_in *in,
				 struct model_rules *rules)
{
	int kind, id, settings = fuzz_u8(in) % 16, bits;

	p->config = fair_maui_defaults();
	p->config.qos = p->qos;
	for (kind = 0; kind < MODEL_KINDS; kind++) {
		p->config.count[kind] = MODEL_IDS;
		p->config.credential[kind] = p->credential[kind];
		for (id = 0; id < MODEL_IDS; id++)
			p->credential[kind][id] =
				fair_maui_credential_defaults();
	}
	maui_pair_draw_usage(p, in);
	while (settings--) {
		switch (fuzz_u8(in) % 4) {
		case 0:
			maui_pair_draw_weights(p, in);
			break;
		case 1:
			maui_pair_draw_target(p, in);
			break;
		case 2:
			maui_pair_draw_limit(p, in);
			break;
		default:
			maui_pair_draw_qos(p, in);
		}
	}
	maui_pair_copy_to_model(p);
	p->config.depth = p->model.depth = (uint32_t)fuzz_range(in, 0, 4);
	p->config.select = (uint32_t)fuzz_range(in, 0, FAIR_NOFIT);
	p->config.metric = (uint32_t)fuzz_range(in, 0, FAIR_FIT_PROC_SECONDS);
	bits = fuzz_u8(in);
	p->config.longest = bits % 2;
	p->config.reservations = (uint32_t)bits / 2 % 3;
	p->model.reservations = (int)p->config.reservations;
	p->config.soft_only = p->model.soft_only =
		p->config.select == FAIR_NOFIT;
	rules->select = (enum model_select)p->config.select;
	rules->metric = (enum model_metric)p->config.metric;
	rules->longest_first = p->config.longest;
	rules->maui = &p->model;
}

static inline void maui_pair_draw_job(struct fuzz_in *in, struct fair_job *job,
				      struct model_request *asks)
{
	int kind;

	for (kind = 0; kind < MODEL_KINDS; kind++) {
		asks->id[kind] = fuzz_u8(in) % (MODEL_IDS + 1);
		if (asks->id[kind] == MODEL_IDS)
			asks->id[kind] = MODEL_NO_JOB;
	}
	job->user = asks->id[0];
	job->group = asks->id[1];
	job->account = asks->id[2];
	job->qos = asks->id[3];
	job->queue = asks->id[4];
	job->nodes = asks->nodes = (int32_t)fuzz_range(in, 0, 9);
	job->memory = asks->memory = fuzz_range(in, 0, 50);
	job->swap = asks->swap = fuzz_range(in, 0, 50);
	job->disk = asks->disk = fuzz_range(in, 0, 50);
	job->rate = asks->rate = fuzz_range(in, 0, 999);
}

static inline bool maui_pair_is_same_job(const struct fair_job *a,
					 const struct fair_job *b)
{
	return a->user == b->user && a->group == b->group &&
	       a->account == b->account && a->queue == b->queue &&
	       a->qos == b->qos && a->nodes == b->nodes &&
	       a->memory == b->memory && a->swap == b->swap &&
	       a->disk == b->disk && a->rate == b->rate &&
	       a->penalty == b->penalty;
}

static inline uint32_t maui_pair_id(const struct fair_job *job, int kind)
{
	const uint64_t id[MODEL_KINDS] = { job->user, job->group, job->account,
					   job->qos, job->queue };

	return (uint32_t)id[kind];
}

/* What a running job holds of a resource; 0 of the last two. */
static inline int64_t maui_pair_holds(const struct fair_job *job, int resource)
{
	const int64_t held[FAIR_THROTTLE_RESOURCES] = { 1, job->procs,
							job->nodes, job->memory,
							0, 0 };

	return held[resource];
}

/*
 * After starts no hard limit is exceeded by jobs that are not exempt, except
 * for the processor-seconds: an overrun needs more of them than it was granted.
 */
static inline void maui_pair_check_limits(const struct maui_pair *p,
					  const struct fair_sched *s)
{
	int64_t used[MODEL_KINDS][MODEL_IDS][FAIR_THROTTLE_RESOURCES];
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	bool exempt;
	uint32_t id;
	int kind, r;

	memset(used, 0, sizeof(used));
	while (fair_sched_each(s, FAIR_RUNNING, &at, &j)) {
		if (j.job.advance)
			continue; /* limits do not apply to reservation jobs */
		for (kind = 0; kind < MODEL_KINDS; kind++) {
			id = maui_pair_id(&j.job, kind);
			exempt = j.job.qos != FAIR_THROTTLE_NONE &&
				 p->qos[j.job.qos].exempt >> kind & 1;
			if (id == FAIR_THROTTLE_NONE || exempt)
				continue;
			for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
				used[kind][id][r] += maui_pair_holds(&j.job, r);
		}
	}
	for (kind = 0; kind < MODEL_KINDS; kind++)
		for (id = 0; id < MODEL_IDS; id++)
			for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
				FUZZ_ASSERT(used[kind][id][r] <=
					    p->credential[kind][id].hard[r]);
}

#endif /* MAUI_PAIR_H */
