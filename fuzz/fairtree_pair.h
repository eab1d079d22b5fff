/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairtree_pair.h - a tree and its model, driven by bytes
 *
 * After each operation the next user and all invariants are compared, and often
 * all ranks and usages. What must fail changes nothing.
 */
#ifndef FAIR_FAIRTREE_PAIR_H
#define FAIR_FAIRTREE_PAIR_H

#include <string.h>

#include "fuzz.h"
#include "policies/fairtree.h"
#include "tests/model/fairtree_model.h"

#define FAIRTREE_PAIR_NODES 12
#define FAIRTREE_PAIR_BYTES 4096
#define FAIRTREE_PAIR_STEPS 300

struct fairtree_pair {
	struct fuzz_in in;
	struct fair_fairtree f;
	struct fairtree_model m;
	int64_t half_life, now;
	uint64_t digest;
	unsigned char memory[2][FAIRTREE_PAIR_BYTES];
	unsigned char checkpoint[4096];
};

static inline int64_t fairtree_pair_half_life(struct fairtree_pair *p)
{
	static const int64_t lives[] = { 1, 2, 100, 604800, 4294967296 };

	return lives[fuzz_u8(&p->in) % 5];
}

static inline void fairtree_pair_init(struct fairtree_pair *p,
				      const uint8_t *data, size_t size)
{
	memset(p, 0, sizeof(*p));
	p->in.p = data;
	p->in.n = size;
	p->half_life = fairtree_pair_half_life(p);
	FUZZ_ASSERT(!fair_fairtree_init(&p->f, sizeof(p->f), p->memory[0],
					FAIRTREE_PAIR_BYTES,
					FAIRTREE_PAIR_NODES, p->half_life));
	fairtree_model_init(&p->m, FAIRTREE_PAIR_NODES);
	p->m.weight = p->f.weight;
}

static inline void fairtree_pair_compare_nodes(const struct fairtree_pair *p)
{
	const struct fairtree_model_node *n = p->m.node;
	struct fair_fairtree_part part;
	struct fair_fairtree_info info;
	uint32_t i;

	for (i = 0; i < FAIRTREE_PAIR_NODES; i++, n++) {
		FUZZ_ASSERT(!n->kind == !p->f.node[i].kind);
		if (!n->kind) {
			FUZZ_ASSERT(fair_fairtree_part_of(&p->f, i, &part) ==
				    -FAIR_EINVAL);
			FUZZ_ASSERT(fair_fairtree_info_of(&p->f, i, &info) ==
				    -FAIR_EINVAL);
			continue;
		}
		FUZZ_ASSERT(!fair_fairtree_info_of(&p->f, i, &info));
		FUZZ_ASSERT(info.usage == n->usage);
		FUZZ_ASSERT(info.unit == p->f.weight);
		FUZZ_ASSERT(info.shares == n->shares);
		FUZZ_ASSERT(info.parent == (n->parent == p->m.nodes
						    ? FAIR_FAIRTREE_ROOT
						    : n->parent));
		FUZZ_ASSERT(p->f.list[i].held == n->held);
		FUZZ_ASSERT(!fair_fairtree_part_of(&p->f, i, &part));
		FUZZ_ASSERT(part.used >= 0 && part.owed >= 0 &&
			    part.used <= 100 * FAIR_USAGE_POINT &&
			    part.owed <= 100 * FAIR_USAGE_POINT);
		FUZZ_ASSERT(fair_fairtree_portion(&p->f, i) ==
			    (n->kind == 'u' ? fairtree_model_portion(&p->m, i)
					    : 0));
		if (n->kind == 'u')
			FUZZ_ASSERT(fair_fairtree_rank(&p->f, i) == n->rank);
	}
}

/* The next user, and by taking each away for a while, those behind it. */
static inline void fairtree_pair_compare_order(struct fairtree_pair *p)
{
	bool waits[FAIRTREE_PAIR_NODES] = { 0 };
	uint32_t i, next;
	size_t want;

	do {
		next = fair_fairtree_next(&p->f);
		want = fairtree_model_next(&p->m);
		FUZZ_ASSERT(want == p->m.nodes ? next == FAIR_FAIRTREE_NONE
					       : next == want);
		if (next != FAIR_FAIRTREE_NONE) {
			waits[next] = true;
			p->m.node[next].waits = false;
			FUZZ_ASSERT(
				!fair_fairtree_set_waiting(&p->f, next, false));
		}
		FUZZ_ASSERT(!fair_fairtree_check(&p->f));
		p->digest = p->digest * 31 + next;
	} while (next != FAIR_FAIRTREE_NONE);
	for (i = 0; i < FAIRTREE_PAIR_NODES; i++) {
		if (!waits[i])
			continue;
		p->m.node[i].waits = true;
		FUZZ_ASSERT(!fair_fairtree_set_waiting(&p->f, i, true));
	}
}

/* Each two users are in the order of their ranks. */
static inline void fairtree_pair_compare_users(const struct fairtree_pair *p)
{
	const struct fairtree_model_node *n = p->m.node;
	uint32_t a, b;
	int order;

	for (a = 0; a < FAIRTREE_PAIR_NODES; a++) {
		FUZZ_ASSERT(fair_fairtree_has_user(&p->f, a) ==
			    (n[a].kind == 'u'));
		for (b = 0; b < FAIRTREE_PAIR_NODES; b++) {
			if (n[a].kind != 'u' || n[b].kind != 'u')
				continue;
			order = fair_fairtree_compare_users(&p->f, a, b,
							    NULL, NULL);
			FUZZ_ASSERT((order > 0) == (n[a].rank < n[b].rank));
			FUZZ_ASSERT((order < 0) == (n[a].rank > n[b].rank));
		}
	}
}

static inline void fairtree_pair_compare(struct fairtree_pair *p)
{
	uint32_t next = fair_fairtree_next(&p->f);

	FUZZ_ASSERT(!fair_fairtree_check(&p->f));
	FUZZ_ASSERT(fairtree_model_rank(&p->m) == fair_fairtree_users(&p->f));
	FUZZ_ASSERT(next == FAIR_FAIRTREE_NONE
			    ? fairtree_model_next(&p->m) == p->m.nodes
			    : fairtree_model_next(&p->m) == next);
	fair_fairtree_sort(&p->f);
	fairtree_pair_compare_nodes(p);
	fairtree_pair_compare_users(p);
}

static inline uint32_t fairtree_pair_node(struct fairtree_pair *p)
{
	return fuzz_u8(&p->in) % (FAIRTREE_PAIR_NODES + 1);
}

/* Accounts are rare: the root more often. */
static inline uint32_t fairtree_pair_parent(struct fairtree_pair *p)
{
	uint32_t choice = fuzz_u8(&p->in) % 24;

	return choice < FAIRTREE_PAIR_NODES ? choice : FAIR_FAIRTREE_ROOT;
}

static inline size_t fairtree_pair_model_parent(uint32_t parent)
{
	return parent == FAIR_FAIRTREE_ROOT   ? FAIRTREE_PAIR_NODES
	       : parent < FAIRTREE_PAIR_NODES ? parent
					      : SIZE_MAX;
}

static inline uint32_t fairtree_pair_shares(struct fairtree_pair *p)
{
	static const uint32_t shares[] = { 0, 1, 1, 1,
					   2, 3, 6, FAIR_FAIRTREE_PARENT };
	uint32_t choice = fuzz_u8(&p->in);

	return choice < 240 ? shares[choice % 8] : UINT32_MAX - choice % 8;
}

static inline void fairtree_pair_add(struct fairtree_pair *p)
{
	bool user = fuzz_u8(&p->in) & 1;
	uint32_t node = fairtree_pair_node(p);
	uint32_t parent = fairtree_pair_parent(p);
	uint32_t shares = fairtree_pair_shares(p);
	bool good =
		fairtree_model_add(&p->m, user ? 'u' : 'a', node,
				   fairtree_pair_model_parent(parent), shares);
	int error =
		user ? fair_fairtree_add_user(&p->f, node, parent, shares)
		     : fair_fairtree_add_account(&p->f, node, parent, shares);

	FUZZ_ASSERT(error == (good ? 0 : -FAIR_EINVAL));
}

static inline void fairtree_pair_move(struct fairtree_pair *p)
{
	uint32_t node = fairtree_pair_node(p);
	uint32_t parent = fairtree_pair_parent(p);
	bool good = fairtree_model_move(&p->m, node,
					fairtree_pair_model_parent(parent));

	FUZZ_ASSERT(fair_fairtree_move(&p->f, node, parent) ==
		    (good ? 0 : -FAIR_EINVAL));
}

static inline void fairtree_pair_set_shares(struct fairtree_pair *p)
{
	uint32_t node = fairtree_pair_node(p);
	uint32_t shares = fairtree_pair_shares(p);
	bool good = node < p->m.nodes && p->m.node[node].kind;

	FUZZ_ASSERT(fair_fairtree_set_shares(&p->f, node, shares) ==
		    (good ? 0 : -FAIR_EINVAL));
	if (good)
		p->m.node[node].shares = shares;
}

static inline void fairtree_pair_charge(struct fairtree_pair *p)
{
	static const int64_t steps[] = { 0, 1, 1, 1, 10, 86400, 604800 };
	uint32_t user = fairtree_pair_node(p);
	int64_t t0 = p->now, t1, rate;
	uint64_t amount, period = p->f.period;
	bool good = user < p->m.nodes && p->m.node[user].kind == 'u';
	int choice = fuzz_u8(&p->in), error;

	if (choice >= 200)
		t0 += p->half_life * (choice % 3);
	else if (choice >= 180)
		t0 = t0 > p->half_life ? t0 - p->half_life : 0;
	t1 = t0 + steps[choice % 7];
	rate = fuzz_u8(&p->in) % 5;
	if (rate == 4)
		rate = INT64_C(1) << fuzz_u8(&p->in) % 63;
	error = fair_fairtree_charge(&p->f, user, t0, t1, rate);
	if (error) {
		FUZZ_ASSERT(error == (good ? -FAIR_EOVERFLOW : -FAIR_EINVAL));
		FUZZ_ASSERT(p->f.period == period);
		return;
	}
	FUZZ_ASSERT(good);
	if (t0 == t1 || !rate)
		return;
	p->now = t1 > p->now ? t1 : p->now;
	for (; period < p->f.period; period++)
		fairtree_model_halve(&p->m);
	amount = p->f.last.unit;
	for (period = p->f.last.period; period < p->f.period; period++)
		amount /= 2;
	fairtree_model_charge(&p->m, user, amount * (uint64_t)rate);
}

/* 2^(x / h) for x below h = 1, 2, 100, 604800, 2^32, by halving x / h. */
static inline double fairtree_pair_exp2(double x)
{
	double sum = 1, term = 1;
	int i;

	for (i = 1; i < 30; i++)
		sum += term *= x * 0.69314718055994530942 / i;
	return sum;
}

static inline void fairtree_pair_pass_time(struct fairtree_pair *p)
{
	int64_t now = p->now + (fuzz_u8(&p->in) % 8 - 3) * p->half_life / 3;
	uint64_t period, was = p->f.period;
	double want;

	now = now < 0 ? 0 : now; /* or before a charge, even a period */
	period = (uint64_t)(now / p->half_life);

	FUZZ_ASSERT(fair_fairtree_pass_time(&p->f, -1) == -FAIR_EINVAL);
	FUZZ_ASSERT(!fair_fairtree_pass_time(&p->f, now));
	p->now = now > p->now ? now : p->now;
	FUZZ_ASSERT(p->f.period == (period > was ? period : was));
	for (; was < period; was++)
		fairtree_model_halve(&p->m);
	fairtree_model_weigh(&p->m, p->f.weight);
	want = fairtree_pair_exp2((double)(now % p->half_life) /
				  (double)p->half_life) *
	       (double)(UINT64_C(1) << p->f.bits);
	for (; was > period; period++)
		want /= 2;
	FUZZ_ASSERT((double)p->f.weight <= want * (1 + 1e-8));
	FUZZ_ASSERT((double)p->f.weight >= want * (1 - 1e-8) - 1);
}

/* 2^bits * 2^(x / h), with the bits of h. */
static inline double fairtree_pair_weight(int64_t now, int64_t half_life)
{
	double weight = (double)(UINT64_C(1) << 34);
	int64_t h;

	for (h = half_life; h > 1; h /= 2)
		weight /= 2;
	return weight * fairtree_pair_exp2((double)(now % half_life) /
					   (double)half_life);
}

/* What is provisionally charged is taken back, all else is scaled. */
static inline void fairtree_pair_rescale(struct fairtree_pair *p,
					 uint64_t from, uint64_t to,
					 uint64_t periods)
{
	struct fairtree_model_node *n = p->m.node;
	size_t i;

	for (i = 0; i <= p->m.nodes; i++, n++) {
		n->usage -= n->held * p->m.weight;
		n->held = 0;
	}
	while (periods--)
		fairtree_model_halve(&p->m);
	fairtree_model_scale(&p->m, to, from);
	p->m.weight = p->f.weight;
}

static inline void fairtree_pair_set_half_life(struct fairtree_pair *p)
{
	int choice = fuzz_u8(&p->in), error;
	int64_t half_life = fairtree_pair_half_life(p);
	int64_t from = INT64_C(1) << choice % 21, to = 1 << choice / 8 % 21;
	int64_t now = p->now - choice / 4 % 2 * p->half_life;
	const struct fairtree_model_node *root = p->m.node + p->m.nodes;
	struct fair_fairtree was;
	double want, most;
	int64_t period;

	now = now < 0 ? 0 : now;
	period = now / p->half_life;
	FUZZ_ASSERT(!fair_fairtree_clone(&was, p->memory[1],
					 FAIRTREE_PAIR_BYTES, &p->f));
	error = fair_fairtree_set_half_life(&p->f, now, half_life, from, to);
	if ((uint64_t)period < was.period) {
		FUZZ_ASSERT(error == -FAIR_EINVAL);
		return;
	}
	want = fairtree_pair_weight(now, half_life);
	most = ((double)(root->usage - root->held * p->m.weight) / (double)from)
	       * (want * (double)to / fairtree_pair_weight(now, p->half_life));
	for (; (uint64_t)period > was.period; period--)
		most /= 2;
	if (error) {
		FUZZ_ASSERT(error == -FAIR_EOVERFLOW && most > 9.223e18);
		FUZZ_ASSERT(p->f.half_life == p->half_life);
		return;
	}
	FUZZ_ASSERT(most < 9.224e18);
	FUZZ_ASSERT((double)p->f.weight <= want * (1 + 1e-8));
	FUZZ_ASSERT((double)p->f.weight >= want * (1 - 1e-8) - 1);
	period = (int64_t)((uint64_t)(now / p->half_life) - was.period);
	FUZZ_ASSERT(!fair_fairtree_pass_time(&was, now));
	fairtree_pair_rescale(p, was.weight * (uint64_t)from,
			      p->f.weight * (uint64_t)to, (uint64_t)period);
	p->half_life = half_life;
	p->now = now;
}

static inline void fairtree_pair_hold(struct fairtree_pair *p)
{
	uint32_t user = fairtree_pair_node(p);
	bool good = user < p->m.nodes && p->m.node[user].kind == 'u';
	int choice = fuzz_u8(&p->in), error;
	int64_t rate = fuzz_u8(&p->in) % 5, seconds = 1 + choice / 2 % 4;
	uint64_t amount;

	if (rate == 4)
		rate = INT64_C(1) << fuzz_u8(&p->in) % 63;
	amount = (uint64_t)rate * (uint64_t)seconds;
	if (choice % 2) {
		error = fair_fairtree_charge_provisional(&p->f, user, rate,
							 seconds);
		FUZZ_ASSERT(good ? !error || error == -FAIR_EOVERFLOW
				 : error == -FAIR_EINVAL);
		if (!error)
			fairtree_model_hold(&p->m, user, amount);
		return;
	}
	error = fair_fairtree_cancel_provisional(&p->f, user, rate, seconds);
	FUZZ_ASSERT(error == (!good			      ? -FAIR_EINVAL
			      : amount > p->m.node[user].held ||
					      rate > INT64_MAX / seconds
				      ? -FAIR_ERANGE
				      : 0));
	if (!error)
		fairtree_model_hold(&p->m, user, -amount);
}

static inline void fairtree_pair_wait(struct fairtree_pair *p)
{
	uint32_t user = fairtree_pair_node(p);
	bool waits = fuzz_u8(&p->in) % 4;
	bool good = user < p->m.nodes && p->m.node[user].kind == 'u';

	FUZZ_ASSERT(fair_fairtree_set_waiting(&p->f, user, waits) ==
		    (good ? 0 : -FAIR_EINVAL));
	if (good)
		p->m.node[user].waits = waits;
}

static inline void fairtree_pair_branch(struct fairtree_pair *p)
{
	uint32_t a = fairtree_pair_node(p), x;
	uint32_t b = fairtree_pair_node(p), y;
	bool good = a != b && a < p->m.nodes && b < p->m.nodes &&
		    p->m.node[a].kind == 'u' && p->m.node[b].kind == 'u';
	const struct fairtree_model *m = &p->m;
	size_t i, k;

	FUZZ_ASSERT(fair_fairtree_branch(&p->f, a, b, &x, &y) ==
		    (good ? 0 : -FAIR_EINVAL));
	if (!good)
		return;
	for (i = a; i != m->nodes; i = fairtree_model_level(m, i))
		for (k = b; k != m->nodes; k = fairtree_model_level(m, k))
			if (fairtree_model_level(m, i) ==
			    fairtree_model_level(m, k)) {
				FUZZ_ASSERT(x == i && y == k);
				return;
			}
}

/* Saves and loads, or clones, to the other memory. */
static inline void fairtree_pair_copy(struct fairtree_pair *p)
{
	int choice = fuzz_u8(&p->in);
	struct fair_fairtree f;
	struct fair_checkpoint c;
	size_t bytes, at;
	uint8_t flip;

	memset(p->memory[1], 0xa5, FAIRTREE_PAIR_BYTES);
	if (choice % 2) {
		FUZZ_ASSERT(!fair_fairtree_clone(&f, p->memory[1],
						 FAIRTREE_PAIR_BYTES, &p->f));
		memset(p->memory[0], 0x5a, FAIRTREE_PAIR_BYTES);
		FUZZ_ASSERT(!fair_fairtree_check(&f));
		FUZZ_ASSERT(!fair_fairtree_clone(&p->f, p->memory[0],
						 FAIRTREE_PAIR_BYTES, &f));
		return;
	}
	FUZZ_ASSERT(!fair_fairtree_init(&f, sizeof(f), p->memory[1],
					FAIRTREE_PAIR_BYTES,
					FAIRTREE_PAIR_NODES, p->half_life));
	fair_checkpoint_write(&c, p->checkpoint, 1);
	fair_fairtree_save(&p->f, &c);
	bytes = fair_checkpoint_finish(&c);
	FUZZ_ASSERT(bytes <= sizeof(p->checkpoint));
	/* A tree that is accepted is a tree. Its records begin at 104. */
	at = 104 + fuzz_u16(&p->in) % (bytes - 112);
	flip = choice & 2 ? fuzz_u8(&p->in) : 0;
	FUZZ_ASSERT(!fair_checkpoint_read(&c, p->checkpoint, bytes, 1));
	p->checkpoint[at] ^= flip;
	fair_fairtree_load(&f, &c);
	if (!flip)
		FUZZ_ASSERT(!c.bad);
	if (!c.bad)
		FUZZ_ASSERT(!fair_fairtree_check(&f));
	if (!flip)
		FUZZ_ASSERT(!fair_fairtree_clone(&p->f, p->memory[0],
						 FAIRTREE_PAIR_BYTES, &f));
}

static inline void fairtree_pair_remove(struct fairtree_pair *p)
{
	uint32_t node = fairtree_pair_node(p);

	FUZZ_ASSERT(fair_fairtree_remove(&p->f, node) ==
		    (fairtree_model_remove(&p->m, node) ? 0 : -FAIR_EINVAL));
}

static inline void fairtree_pair_step(struct fairtree_pair *p)
{
	uint8_t what;

	switch (fuzz_u8(&p->in) % 16) {
	case 0:
	case 1:
	case 2:
	case 3:
		fairtree_pair_add(p);
		break;
	case 4:
		fairtree_pair_hold(p);
		break;
	case 5:
		fairtree_pair_pass_time(p);
		break;
	case 6:
		fairtree_pair_charge(p);
		break;
	case 7:
	case 8:
	case 9:
		fairtree_pair_wait(p);
		break;
	case 10:
		fairtree_pair_move(p);
		break;
	case 11:
		fairtree_pair_set_shares(p);
		break;
	case 12:
		fairtree_pair_remove(p);
		break;
	case 13:
		fairtree_pair_copy(p);
		break;
	case 14:
		what = fuzz_u8(&p->in);
		if (what % 2)
			fairtree_pair_branch(p);
		else if (what >= 208)
			fairtree_pair_set_half_life(p);
		else if (what >= 200) {
			fair_fairtree_reset(&p->f);
			fairtree_model_reset(&p->m);
		}
		else
			fairtree_pair_hold(p);
		break;
	default:
		fairtree_pair_compare(p);
		fairtree_pair_compare_order(p);
	}
	fairtree_pair_compare(p);
}

/* Return: a digest of all answers. */
static inline uint64_t fairtree_pair_run(const uint8_t *data, size_t size)
{
	struct fairtree_pair p;
	int steps;

	fairtree_pair_init(&p, data, size);
	for (steps = 0; fuzz_more(&p.in) && steps < FAIRTREE_PAIR_STEPS;
	     steps++)
		fairtree_pair_step(&p);
	fairtree_pair_compare(&p);
	fairtree_pair_compare_order(&p);
	fairtree_model_free(&p.m);
	return p.digest;
}

#endif /* FAIR_FAIRTREE_PAIR_H */
