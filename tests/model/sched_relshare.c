/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_relshare.h"

#include <stdlib.h>
#include <string.h>

#include "fairtree_model.h"
#include "relshare_model.h"

struct sched_relshare {
	struct model_relshare *ledger;
	bool only_used;
	uint32_t users;
	int64_t *usage;	  /* of each user, at the last reading */
	uint32_t *number; /* of the job in each slot, or MODEL_NO_JOB */
	size_t slots;
};

static void *array(const void *from, size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	if (from && n)
		memcpy(p, from, n * size);
	return p;
}

/* The shares of each user; of a tree in 2^-20 of the whole, rounded up, then
 * divided by the largest number that divides them all. */
static int64_t *shares_of(const struct model_rules *rules)
{
	int64_t *share = array(NULL, rules->users, sizeof(*share)), most = 1, d;
	const struct fairtree_model *t = rules->tree;
	uint32_t i;

	for (i = 0; i < rules->users; i++) {
		share[i] = rules->share ? rules->share[i] : 1;
		if (t)
			share[i] = t->node[i].kind != 'u'
					   ? 0
					   : (int64_t)(fairtree_model_portion(
							       t, i) + 2047) /
						     2048;
		if (share[i] > most)
			most = share[i];
	}
	for (d = most; t && d > 1; d--) {
		for (i = 0; i < rules->users && share[i] % d == 0; i++)
			;
		if (i == rules->users)
			break;
	}
	for (i = 0; t && i < rules->users; i++)
		share[i] /= d;
	return share;
}

bool sched_relshare_takes(const struct model_rules *rules)
{
	int64_t *share = shares_of(rules), sum = 0;
	uint32_t i;

	for (i = 0; i < rules->users; i++)
		sum += share[i];
	free(share);
	return sum <= 1000;
}

struct sched_relshare *sched_relshare_new(const struct model_rules *rules,
					  int64_t now)
{
	struct sched_relshare *s = array(NULL, 1, sizeof(*s));
	int64_t *share = shares_of(rules), sum = 0;
	uint32_t i;

	s->only_used = rules->only_used;
	s->users = rules->users;
	s->usage = array(NULL, s->users, sizeof(*s->usage));
	for (i = 0; i < s->users; i++)
		sum += share[i];
	/* There is room for shares that change, up to 3 each, in small cases. */
	if (sum < 3 * s->users && s->users < 100)
		sum = 3 * s->users;
	s->ledger = model_relshare_new(s->users, 0, rules->procs, now,
				       rules->window, rules->window_origin,
				       sum ? (unsigned int)sum : 1);
	if (rules->decays)
		model_relshare_decay(s->ledger);
	if (rules->by_difference)
		model_relshare_subtract(s->ledger);
	for (i = 0; i < s->users; i++)
		model_relshare_share(s->ledger, i, (unsigned int)share[i]);
	free(share);
	return s;
}

struct sched_relshare *sched_relshare_copy(const struct sched_relshare *s)
{
	struct sched_relshare *c = array(s, 1, sizeof(*s));

	c->ledger = model_relshare_copy(s->ledger);
	c->usage = array(s->usage, s->users, sizeof(*s->usage));
	c->number = array(s->number, s->slots, sizeof(*s->number));
	return c;
}

void sched_relshare_free(struct sched_relshare *s)
{
	if (!s)
		return;
	model_relshare_free(s->ledger);
	free(s->usage);
	free(s->number);
	free(s);
}

/* Finds the slot of a job; for MODEL_NO_JOB an empty or a new one. */
static size_t slot_of(const struct sched_relshare *s, uint32_t number)
{
	size_t i = 0;

	while (i < s->slots && s->number[i] != number)
		i++;
	return i;
}

void sched_relshare_advance(struct sched_relshare *s, int64_t now)
{
	model_relshare_advance(s->ledger, now);
}

void sched_relshare_capacity(struct sched_relshare *s, int64_t procs)
{
	model_relshare_capacity(s->ledger, procs);
}

void sched_relshare_submit(struct sched_relshare *s, uint32_t number,
			   uint32_t user, int64_t procs)
{
	size_t slot = slot_of(s, MODEL_NO_JOB);
	uint32_t *more;

	if (slot == s->slots) {
		more = array(s->number, s->slots + 1, sizeof(*more));
		free(s->number);
		s->number = more;
		s->slots++;
	}
	s->number[slot] = number;
	model_relshare_submit(s->ledger, slot, user, procs);
}

void sched_relshare_start(struct sched_relshare *s, uint32_t number,
			  int64_t end)
{
	model_relshare_start(s->ledger, slot_of(s, number), end);
}

void sched_relshare_plan(struct sched_relshare *s, uint32_t number, int64_t end)
{
	model_relshare_plan(s->ledger, slot_of(s, number), end);
}

void sched_relshare_requeue(struct sched_relshare *s, uint32_t number)
{
	model_relshare_requeue(s->ledger, slot_of(s, number));
}

void sched_relshare_leave(struct sched_relshare *s, uint32_t number)
{
	size_t slot = slot_of(s, number);

	model_relshare_finish(s->ledger, slot);
	s->number[slot] = MODEL_NO_JOB;
}

int64_t sched_relshare_used(const struct sched_relshare *s, uint32_t user)
{
	return model_relshare_used(s->ledger, user);
}

void sched_relshare_set_used(struct sched_relshare *s, uint32_t user,
			     int64_t used)
{
	model_relshare_set_used(s->ledger, user, used);
}

void sched_relshare_forget(struct sched_relshare *s, uint32_t user)
{
	model_relshare_forget(s->ledger, user);
	model_relshare_share(s->ledger, user, 1);
}

void sched_relshare_share(struct sched_relshare *s, uint32_t user,
			  uint32_t share)
{
	model_relshare_share(s->ledger, user, share);
}

bool sched_relshare_set_window(struct sched_relshare *s, int64_t window)
{
	return model_relshare_set_window(s->ledger, window);
}

void sched_relshare_read_usage(struct sched_relshare *s,
			       const struct sched_relshare_reserved *held)
{
	uint32_t i;

	for (i = 0; i < s->users; i++)
		s->usage[i] = s->only_used ? model_relshare_used(s->ledger, i)
					   : model_relshare_usage(s->ledger, i);
	if (held->procs && !s->only_used)
		s->usage[held->user] += model_relshare_coming(
			s->ledger, held->procs, held->start, held->seconds);
}

int sched_relshare_compare(const struct sched_relshare *s, uint32_t a,
			   uint32_t b)
{
	if (a == b)
		return 0;
	return model_relshare_compare(s->ledger, a, s->usage[a], b,
				      s->usage[b]);
}
