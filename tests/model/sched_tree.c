/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_tree.h"

#include <stdlib.h>
#include <string.h>

#include "fairtree_model.h"
#include "sched_parts.h"

#define LN2 0.693147180559945309417232121458176568L

struct charge {
	uint32_t number, user;
	uint64_t rate;
	int64_t start, walltime, unscaled; /* the rate in 2^-20 */
};

struct sched_tree {
	struct fairtree_model tree;
	int64_t half_life, period;
	int bits, shift; /* of the rate: see ledger_tree.h */
	int64_t procs;
	struct charge *charge; /* of the running jobs */
	size_t n;
};

static void copy_tree(struct fairtree_model *to,
		      const struct fairtree_model *from)
{
	fairtree_model_init(to, from->nodes);
	memcpy(to->node, from->node, (from->nodes + 1) * sizeof(*to->node));
	to->weight = from->weight;
}

static void set_half_life(struct sched_tree *s, int64_t half_life)
{
	int64_t h, unit;

	s->half_life = half_life;
	s->bits = 34;
	for (h = s->half_life; h > 1; h /= 2)
		s->bits--;
	s->shift = 0;
	for (unit = 1048576; unit > 1; unit /= 2, s->shift++)
		if (s->procs * unit < 16 * s->half_life)
			break;
}

struct sched_tree *sched_tree_new(const struct model_rules *rules)
{
	struct sched_tree *s = must(calloc(1, sizeof(*s)));

	copy_tree(&s->tree, rules->tree);
	s->procs = rules->procs;
	set_half_life(s, rules->half_life);
	s->tree.weight = UINT64_C(1) << s->bits;
	return s;
}

struct sched_tree *sched_tree_copy(const struct sched_tree *s)
{
	struct sched_tree *c = must(calloc(1, sizeof(*c)));

	*c = *s;
	copy_tree(&c->tree, &s->tree);
	c->charge = must(calloc(s->n + 1, sizeof(*c->charge)));
	if (s->n)
		memcpy(c->charge, s->charge, s->n * sizeof(*c->charge));
	return c;
}

void sched_tree_free(struct sched_tree *s)
{
	if (s) {
		fairtree_model_free(&s->tree);
		free(s->charge);
	}
	free(s);
}

/* 2^(x / h), x < h */
static long double growth(const struct sched_tree *s, int64_t x)
{
	long double y = (long double)x / (long double)s->half_life * LN2;
	long double sum = 1, term = 1;
	int i;

	for (i = 1; i < 40; i++)
		sum += term *= y / i;
	return sum;
}

static long double one(const struct sched_tree *s)
{
	return (long double)(UINT64_C(1) << s->bits);
}

/* G of the manual */
static uint64_t integral(const struct sched_tree *s, int64_t t)
{
	return (uint64_t)(one(s) * (long double)s->half_life / LN2 *
			  growth(s, t % s->half_life));
}

static void pass_time(struct sched_tree *s, int64_t now)
{
	for (; s->period < now / s->half_life; s->period++)
		fairtree_model_halve(&s->tree);
	fairtree_model_weigh(&s->tree,
			     (uint64_t)(one(s) *
					growth(s, now % s->half_life)));
}

static void hold(struct sched_tree *s, const struct charge *c, int sign)
{
	uint64_t amount = c->rate * (uint64_t)c->walltime;

	fairtree_model_hold(&s->tree, c->user, sign > 0 ? amount : -amount);
}

void sched_tree_start(struct sched_tree *s, uint32_t number, uint32_t user,
		      int64_t rate, int64_t walltime, int64_t now)
{
	struct charge *c;

	pass_time(s, now);
	s->charge = must(realloc(s->charge, (s->n + 1) * sizeof(*c)));
	c = &s->charge[s->n++];
	c->number = number;
	c->user = user;
	c->unscaled = rate;
	c->rate = (uint64_t)(rate >> s->shift);
	c->start = now;
	c->walltime = walltime;
	hold(s, c, 1);
}

static struct charge *charge_of(struct sched_tree *s, uint32_t number)
{
	size_t i = 0;

	while (i < s->n && s->charge[i].number != number)
		i++;
	return i < s->n ? &s->charge[i] : NULL;
}

void sched_tree_walltime(struct sched_tree *s, uint32_t number,
			 int64_t walltime, int64_t now)
{
	struct charge *c = charge_of(s, number);

	pass_time(s, now);
	hold(s, c, -1);
	c->walltime = walltime;
	hold(s, c, 1);
}

void sched_tree_leave(struct sched_tree *s, uint32_t number, int64_t now)
{
	struct charge *c = charge_of(s, number);
	uint64_t begin;
	int64_t period;

	if (!c)
		return;
	pass_time(s, now);
	hold(s, c, -1);
	begin = integral(s, c->start);
	for (period = c->start / s->half_life; period < s->period; period++)
		begin /= 2;
	if (c->start < now)
		fairtree_model_charge(&s->tree, c->user,
				      (integral(s, now) - begin) * c->rate);
	*c = s->charge[--s->n];
}

void sched_tree_reset(struct sched_tree *s)
{
	fairtree_model_reset(&s->tree);
}

void sched_tree_set_half_life(struct sched_tree *s, int64_t half_life,
			      int64_t now)
{
	uint64_t weight;
	int shift = s->shift;
	size_t i;

	pass_time(s, now);
	for (i = 0; i < s->n; i++)
		hold(s, s->charge + i, -1);
	set_half_life(s, half_life);
	weight = (uint64_t)(one(s) * growth(s, now % half_life));
	fairtree_model_scale(&s->tree, weight << (20 - s->shift),
			     s->tree.weight << (20 - shift));
	s->tree.weight = weight;
	s->period = now / half_life;
	for (i = 0; i < s->n; i++) {
		s->charge[i].rate =
			(uint64_t)(s->charge[i].unscaled >> s->shift);
		hold(s, s->charge + i, 1);
	}
}

int sched_tree_compare(struct sched_tree *s, uint32_t a, uint32_t b,
		       int64_t now)
{
	uint32_t x, y;

	pass_time(s, now);
	fairtree_model_rank(&s->tree);
	x = s->tree.node[a].rank;
	y = s->tree.node[b].rank;
	return (x < y) - (x > y);
}

int64_t sched_tree_points(struct sched_tree *s, uint32_t user, int64_t now)
{
	int64_t users;

	pass_time(s, now);
	users = fairtree_model_rank(&s->tree);
	return (100 * 1048576) * (int64_t)s->tree.node[user].rank / users;
}

uint32_t sched_tree_nodes(const struct sched_tree *s)
{
	return (uint32_t)s->tree.nodes;
}

bool sched_tree_has_account(const struct sched_tree *s, uint32_t node)
{
	return node < s->tree.nodes && s->tree.node[node].kind == 'a';
}

uint32_t sched_tree_above(const struct sched_tree *s, uint32_t node)
{
	return node < s->tree.nodes && s->tree.node[node].kind
		       ? (uint32_t)s->tree.node[node].parent
		       : (uint32_t)s->tree.nodes;
}

bool sched_tree_change(struct sched_tree *s, const struct model_tree_change *c,
		       int64_t now)
{
	struct fairtree_model *m = &s->tree;

	pass_time(s, now);
	switch (c->what) {
	case 'a':
	case 'u':
		return fairtree_model_add(m, c->what, c->node, c->parent,
					  c->shares);
	case 'r':
		return fairtree_model_remove(m, c->node);
	case 'm':
		return fairtree_model_move(m, c->node, c->parent);
	default:
		if (c->node >= m->nodes || !m->node[c->node].kind)
			return false;
		m->node[c->node].shares = c->shares;
		return true;
	}
}
