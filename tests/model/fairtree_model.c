/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tests/model/fairtree_model.h"

#include <stdlib.h>
#include <string.h>

void fairtree_model_init(struct fairtree_model *m, size_t nodes)
{
	m->nodes = nodes;
	m->node = (struct fairtree_model_node *)calloc(nodes + 1,
						       sizeof(*m->node));
	m->node[nodes].kind = 'a';
}

void fairtree_model_free(struct fairtree_model *m)
{
	free(m->node);
}

static bool is_account(const struct fairtree_model *m, size_t node)
{
	return node <= m->nodes && m->node[node].kind == 'a';
}

static bool is_lifted(const struct fairtree_model *m, size_t node)
{
	return is_account(m, node) && node != m->nodes &&
	       m->node[node].shares == FAIRTREE_MODEL_PARENT;
}

size_t fairtree_model_level(const struct fairtree_model *m, size_t node)
{
	do
		node = m->node[node].parent;
	while (is_lifted(m, node));
	return node;
}

static bool is_below(const struct fairtree_model *m, size_t node,
		     size_t account)
{
	while (node != account && node != m->nodes)
		node = m->node[node].parent;
	return node == account;
}

bool fairtree_model_add(struct fairtree_model *m, char kind, size_t node,
			size_t parent, uint32_t shares)
{
	if (node >= m->nodes || m->node[node].kind || !is_account(m, parent))
		return false;
	memset(m->node + node, 0, sizeof(*m->node));
	m->node[node].kind = kind;
	m->node[node].parent = parent;
	m->node[node].shares = shares;
	return true;
}

bool fairtree_model_remove(struct fairtree_model *m, size_t node)
{
	size_t i;

	if (node >= m->nodes || !m->node[node].kind)
		return false;
	for (i = 0; i < m->nodes; i++)
		if (m->node[i].kind && m->node[i].parent == node)
			return false;
	if (m->node[node].held)
		return false;
	m->node[node].kind = 0;
	return true;
}

bool fairtree_model_move(struct fairtree_model *m, size_t node, size_t parent)
{
	uint64_t usage, held;
	size_t i;

	if (node >= m->nodes || !m->node[node].kind || !is_account(m, parent) ||
	    is_below(m, parent, node))
		return false;
	usage = m->node[node].usage;
	held = m->node[node].held;
	for (i = node; i != m->nodes;) {
		i = m->node[i].parent;
		m->node[i].usage -= usage;
		m->node[i].held -= held;
	}
	m->node[node].parent = parent;
	for (i = node; i != m->nodes;) {
		i = m->node[i].parent;
		m->node[i].usage += usage;
		m->node[i].held += held;
	}
	return true;
}

void fairtree_model_charge(struct fairtree_model *m, size_t user,
			   uint64_t amount)
{
	m->node[user].usage += amount;
	while (user != m->nodes) {
		user = m->node[user].parent;
		m->node[user].usage += amount;
	}
}

void fairtree_model_halve(struct fairtree_model *m)
{
	size_t i;

	for (i = 0; i <= m->nodes; i++)
		m->node[i].usage =
			(m->node[i].usage - m->node[i].held * m->weight) / 2 +
			m->node[i].held * (m->weight / 2);
	m->weight /= 2;
}

void fairtree_model_hold(struct fairtree_model *m, size_t user,
			 uint64_t amount)
{
	fairtree_model_charge(m, user, amount * m->weight);
	m->node[user].held += amount;
	while (user != m->nodes) {
		user = m->node[user].parent;
		m->node[user].held += amount;
	}
}

void fairtree_model_weigh(struct fairtree_model *m, uint64_t weight)
{
	size_t i;

	for (i = 0; i <= m->nodes; i++)
		m->node[i].usage += m->node[i].held * (weight - m->weight);
	m->weight = weight;
}

#define LIMBS 8

static void times(uint32_t *limb, uint64_t n)
{
	uint32_t product[LIMBS] = { 0 }, part;
	uint64_t carry;
	int i, half;

	for (half = 0; half < 2; half++) {
		part = (uint32_t)(n >> 32 * half);
		carry = 0;
		for (i = 0; i + half < LIMBS; i++) {
			carry += (uint64_t)limb[i] * part + product[i + half];
			product[i + half] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	memcpy(limb, product, sizeof(product));
}

void fairtree_model_reset(struct fairtree_model *m)
{
	size_t i;

	for (i = 0; i <= m->nodes; i++)
		m->node[i].usage = m->node[i].held * m->weight;
}

/* Whether a * b <= c * d. */
static bool is_at_most(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint32_t x[LIMBS] = { 1 }, y[LIMBS] = { 1 };
	int i;

	times(x, a);
	times(x, b);
	times(y, c);
	times(y, d);
	for (i = LIMBS; i-- > 0;)
		if (x[i] != y[i])
			return x[i] < y[i];
	return true;
}

/* The quotient of each usage is sought bit by bit. */
void fairtree_model_scale(struct fairtree_model *m, uint64_t a, uint64_t c)
{
	uint64_t usage, bit;
	size_t i;

	for (i = 0; i <= m->nodes; i++) {
		usage = m->node[i].usage;
		m->node[i].usage = 0;
		for (bit = UINT64_C(1) << 63; bit; bit /= 2)
			if (is_at_most(m->node[i].usage + bit, c, usage, a))
				m->node[i].usage += bit;
	}
}

static uint64_t level_shares(const struct fairtree_model *m, size_t level)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < m->nodes; i++)
		if (m->node[i].kind &&
		    m->node[i].shares != FAIRTREE_MODEL_PARENT &&
		    fairtree_model_level(m, i) == level)
			sum += m->node[i].shares;
	return sum;
}

/* 2: it has used nothing; 0: no shares */
static int class_of(const struct fairtree_model_node *n)
{
	if (n->shares == FAIRTREE_MODEL_PARENT)
		return 2;
	return !n->shares ? 0 : n->usage ? 1 : 2;
}

int fairtree_model_compare(const struct fairtree_model *m, size_t a, size_t b)
{
	const struct fairtree_model_node *n = m->node + a, *o = m->node + b;
	size_t above[2];
	uint32_t x[LIMBS] = { 1 }, y[LIMBS] = { 1 };
	int i;

	if (class_of(n) != 1 || class_of(o) != 1)
		return class_of(o) - class_of(n);
	above[0] = fairtree_model_level(m, a);
	above[1] = fairtree_model_level(m, b);
	times(x, n->shares);
	times(x, m->node[above[0]].usage);
	times(x, level_shares(m, above[1]));
	times(x, o->usage);
	times(y, o->shares);
	times(y, m->node[above[1]].usage);
	times(y, level_shares(m, above[0]));
	times(y, n->usage);
	for (i = LIMBS; i-- > 0;)
		if (x[i] != y[i])
			return x[i] > y[i] ? -1 : 1;
	return 0;
}

static bool has_users(const struct fairtree_model *m, size_t account)
{
	size_t i;

	for (i = 0; i < m->nodes; i++)
		if (m->node[i].kind == 'u' && is_below(m, i, account))
			return true;
	return false;
}

static bool is_first(const struct fairtree_model *m, size_t a, size_t b)
{
	int order = fairtree_model_compare(m, a, b);

	if (!order)
		order = (m->node[b].kind == 'u') - (m->node[a].kind == 'u');
	return order < 0;
}

/* The children of merged accounts in order. Return: their number. */
static size_t collect(const struct fairtree_model *m, const size_t *account,
		      size_t accounts, size_t *child)
{
	size_t n = 0, i, k, at;

	for (i = 0; i < m->nodes; i++) {
		if (!m->node[i].kind || is_lifted(m, i) ||
		    (m->node[i].kind == 'a' && !has_users(m, i)))
			continue;
		for (k = 0; k < accounts; k++)
			if (fairtree_model_level(m, i) == account[k])
				break;
		if (k == accounts)
			continue;
		for (at = n++; at && is_first(m, i, child[at - 1]); at--)
			child[at] = child[at - 1];
		child[at] = i;
	}
	return n;
}

static void walk(struct fairtree_model *m, const size_t *account,
		 size_t accounts, bool tied, uint32_t *place, uint32_t *rank)
{
	size_t *child = (size_t *)malloc((m->nodes + 1) * sizeof(*child));
	size_t n = collect(m, account, accounts, child), i, end;

	for (i = 0; i < n; i = end) {
		if (i)
			tied = !fairtree_model_compare(m, child[i - 1],
						       child[i]);
		end = i + 1;
		if (m->node[child[i]].kind == 'u') {
			if (!tied)
				*rank = *place;
			m->node[child[i]].rank = *rank;
			--*place;
			continue;
		}
		while (end < n &&
		       !fairtree_model_compare(m, child[i], child[end]))
			end++;
		walk(m, child + i, end - i, tied, place, rank);
	}
	free(child);
}

uint64_t fairtree_model_portion(const struct fairtree_model *m, size_t user)
{
	uint64_t portion = UINT64_C(1) << 31, all;
	size_t at = user, level, i;

	for (; at != m->nodes; at = level) {
		level = fairtree_model_level(m, at);
		if (m->node[at].shares == FAIRTREE_MODEL_PARENT)
			continue;
		for (all = i = 0; i < m->nodes; i++)
			if (m->node[i].kind &&
			    m->node[i].shares != FAIRTREE_MODEL_PARENT &&
			    fairtree_model_level(m, i) == level)
				all += m->node[i].shares;
		if (!m->node[at].shares)
			return 0;
		portion = portion * m->node[at].shares / all;
		if (!portion)
			portion = 1;
	}
	return portion;
}

uint32_t fairtree_model_rank(struct fairtree_model *m)
{
	uint32_t users = 0, place, rank;
	size_t i;

	for (i = 0; i < m->nodes; i++)
		users += m->node[i].kind == 'u';
	place = rank = users;
	walk(m, &m->nodes, 1, false, &place, &rank);
	return users;
}

size_t fairtree_model_next(const struct fairtree_model *m)
{
	size_t next = m->nodes, i;

	for (i = 0; i < m->nodes; i++)
		if (m->node[i].kind == 'u' && m->node[i].waits &&
		    (next == m->nodes || m->node[i].rank > m->node[next].rank))
			next = i;
	return next;
}
