/* SPDX-License-Identifier: MIT OR Unlicense */
#include "classes_ledger.h"

#include <stdlib.h>
#include <string.h>

#include "sched_parts.h"
#include "sched_relshare.h"
#include "sched_sfs.h"
#include "sched_usage.h"

struct classes_ledger {
	struct classes_rules rules;
	struct model_rules model; /* what the parts need of them */
	int64_t total[CLASSES_RESOURCES]; /* of all classes, as configured */
	struct sched_relshare *relshare;
	struct sched_sfs *sfs;
	/* One by cost, or one of each resource. */
	struct sched_usage *usage[CLASSES_RESOURCES];
};

int64_t classes_ledger_cost(const struct classes_rules *rules,
			    const int32_t *amount)
{
	int64_t cost = 0, one;

	if (!rules->weight)
		return amount[0];
	for (uint32_t r = 0; r < rules->resources; r++) {
		one = rules->weight[r] * amount[r];
		if (!rules->maximum)
			cost += one;
		else if (one > cost)
			cost = one;
	}
	return cost;
}

int64_t classes_ledger_machine(const struct classes_rules *rules,
			       int64_t capacity[][CLASSES_RESOURCES])
{
	int64_t cost = 0;

	for (uint32_t k = 0; k < rules->classes; k++)
		for (uint32_t r = 0; r < rules->resources; r++)
			cost += capacity[k][r] *
				(rules->weight ? rules->weight[r] : !r);
	return cost;
}

static void open_model(struct classes_ledger *l)
{
	struct model_rules *m = &l->model;
	int64_t capacity[CLASSES_MOST][CLASSES_RESOURCES] = { { 0 } };

	for (uint32_t k = 0; k < l->rules.classes; k++)
		for (uint32_t r = 0; r < l->rules.resources; r++) {
			capacity[k][r] =
				l->rules.amount[k * l->rules.resources + r];
			l->total[r] += capacity[k][r];
		}
	m->procs = (int32_t)classes_ledger_machine(&l->rules, capacity);
	m->users = l->rules.users;
	m->share = l->rules.share;
	m->window = l->rules.window;
	m->only_used = l->rules.only_used;
	m->target = l->rules.target;
}

struct classes_ledger *classes_ledger_new(const struct classes_rules *rules,
					  int64_t now)
{
	struct classes_ledger *l = must(calloc(1, sizeof(*l)));
	uint32_t r = 0;

	l->rules = *rules;
	open_model(l);
	if (rules->policy == MODEL_RELSHARE)
		l->relshare = sched_relshare_new(&l->model, now);
	if (rules->policy == MODEL_SFS)
		l->sfs = sched_sfs_new(&l->model);
	if (rules->order == MODEL_BY_USAGE)
		l->usage[0] = sched_usage_new(&l->model);
	for (; rules->order == MODEL_BY_DOMINANT && r < rules->resources; r++)
		l->usage[r] = sched_usage_new(&l->model);
	if (l->relshare || l->sfs || l->usage[0])
		return l;
	free(l);
	return NULL;
}

struct classes_ledger *classes_ledger_copy(const struct classes_ledger *l)
{
	struct classes_ledger *c;

	if (!l)
		return NULL;
	c = must(malloc(sizeof(*c)));
	*c = *l;
	if (l->relshare)
		c->relshare = sched_relshare_copy(l->relshare);
	if (l->sfs)
		c->sfs = sched_sfs_copy(l->sfs);
	for (uint32_t r = 0; r < CLASSES_RESOURCES && l->usage[r]; r++)
		c->usage[r] = sched_usage_copy(l->usage[r]);
	return c;
}

void classes_ledger_free(struct classes_ledger *l)
{
	if (!l)
		return;
	sched_relshare_free(l->relshare);
	sched_sfs_free(l->sfs);
	for (uint32_t r = 0; r < CLASSES_RESOURCES; r++)
		sched_usage_free(l->usage[r]);
	free(l);
}

void classes_ledger_advance(struct classes_ledger *l, int64_t now)
{
	if (l && l->relshare)
		sched_relshare_advance(l->relshare, now);
}

void classes_ledger_capacity(struct classes_ledger *l, int64_t cost)
{
	if (l && l->relshare)
		sched_relshare_capacity(l->relshare, cost);
}

void classes_ledger_queue(struct classes_ledger *l, uint32_t number,
			  const struct classes_job *j)
{
	if (l && l->relshare)
		sched_relshare_submit(l->relshare, number, j->user,
				      classes_ledger_cost(&l->rules,
							  j->amount));
}

void classes_ledger_start(struct classes_ledger *l, uint32_t number,
			  const struct classes_job *j, int64_t now)
{
	int64_t cost, one;

	if (!l)
		return;
	cost = classes_ledger_cost(&l->rules, j->amount);
	if (l->relshare)
		sched_relshare_start(l->relshare, number, now + j->walltime);
	if (l->sfs)
		sched_sfs_start(l->sfs, number, j->user, (int32_t)cost);
	for (uint32_t r = 0; r < CLASSES_RESOURCES && l->usage[r]; r++) {
		one = l->rules.order != MODEL_BY_USAGE ? j->amount[r]
		      : j->rate			       ? j->rate
						       : cost;
		sched_usage_start(l->usage[r], number, j->user, one << 20,
				  j->walltime, now);
	}
}

void classes_ledger_walltime(struct classes_ledger *l, uint32_t number,
			     int64_t walltime)
{
	for (uint32_t r = 0; l && r < CLASSES_RESOURCES && l->usage[r]; r++)
		sched_usage_walltime(l->usage[r], number, walltime);
}

void classes_ledger_end(struct classes_ledger *l, uint32_t number, int64_t end)
{
	if (l && l->relshare)
		sched_relshare_plan(l->relshare, number, end);
}

void classes_ledger_leave(struct classes_ledger *l, uint32_t number,
			  int64_t now)
{
	if (l && l->relshare)
		sched_relshare_leave(l->relshare, number);
	if (l && l->sfs)
		sched_sfs_leave(l->sfs, number);
	for (uint32_t r = 0; l && r < CLASSES_RESOURCES && l->usage[r]; r++)
		sched_usage_leave(l->usage[r], number, now);
}

void classes_ledger_set(struct classes_ledger *l, uint32_t user, int64_t amount,
			int64_t now)
{
	for (uint32_t r = 0; r < CLASSES_RESOURCES && l->usage[r]; r++)
		sched_usage_set(l->usage[r], user,
				amount * l->total[r] / l->total[0], now);
}

void classes_ledger_credit(struct classes_ledger *l, uint32_t user,
			   int64_t amount, int64_t now)
{
	for (uint32_t r = 0; r < CLASSES_RESOURCES && l->usage[r]; r++)
		sched_usage_credit(l->usage[r], user,
				   amount * l->total[r] / l->total[0], now);
}

void classes_ledger_read(struct classes_ledger *l,
			 const struct classes_job *held, int64_t start)
{
	struct sched_relshare_reserved h = { 0, 0, 0, 0 };

	if (!l || !l->relshare)
		return;
	if (held) {
		h.user = held->user;
		h.procs = (int32_t)classes_ledger_cost(&l->rules, held->amount);
		h.start = start;
		h.seconds = held->walltime;
	}
	sched_relshare_read_usage(l->relshare, &h);
}

/* Quotients of small integers: equal ones are rounded alike. */
static long double dominant_share(const struct classes_ledger *l, uint32_t user,
				  int64_t now)
{
	long double most = 0, share;

	for (uint32_t r = 0; r < l->rules.resources; r++) {
		if (!l->total[r])
			continue;
		share = sched_usage_read(l->usage[r], user, now) /
			(long double)l->total[r];
		if (share > most)
			most = share;
	}
	return most;
}

int classes_ledger_compare(struct classes_ledger *l, uint32_t a, uint32_t b,
			   int64_t now)
{
	long double x, y;

	if (l->relshare)
		return sched_relshare_compare(l->relshare, a, b);
	if (l->rules.order == MODEL_BY_USAGE)
		return sched_usage_compare(l->usage[0], a, b, now);
	x = dominant_share(l, a, now);
	y = dominant_share(l, b, now);
	return (x > y) - (x < y);
}

bool classes_ledger_is_above(const struct classes_ledger *l, uint32_t account)
{
	return l && l->sfs && sched_sfs_above_target(l->sfs, account);
}
