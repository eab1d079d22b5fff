/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairtree.h - small trees for tests: accounts are added, users too and charged
 * for one second, so that usages are proportional to the rates
 */
#ifndef TESTS_FAIRTREE_H
#define TESTS_FAIRTREE_H

#include "policies/fairtree.h"
#include "test.h"

#define ROOT FAIR_FAIRTREE_ROOT
#define PARENT FAIR_FAIRTREE_PARENT

static unsigned char tree_memory[2][1 << 16];

static inline void tree_init(struct fair_fairtree *f, uint32_t nodes)
{
	TEST_EQ(fair_fairtree_init(f, sizeof(*f), tree_memory[0],
				   sizeof(tree_memory[0]), nodes, 604800),
		0);
}

static inline void add_account(struct fair_fairtree *f, uint32_t node,
			       uint32_t parent, uint32_t shares)
{
	TEST_EQ(fair_fairtree_add_account(f, node, parent, shares), 0);
}

/* A user that waits. */
static inline void add_user(struct fair_fairtree *f, uint32_t node,
			    uint32_t parent, uint32_t shares, int64_t used)
{
	TEST_EQ(fair_fairtree_add_user(f, node, parent, shares), 0);
	TEST_EQ(fair_fairtree_charge(f, node, 0, 1, used), 0);
	TEST_EQ(fair_fairtree_set_waiting(f, node, true), 0);
}

static inline uint32_t rank_of(struct fair_fairtree *f, uint32_t user)
{
	fair_fairtree_sort(f);
	return fair_fairtree_rank(f, user);
}

/* What next() returns, each user taken away in turn, as digits. */
static inline uint64_t order_of(struct fair_fairtree *f)
{
	uint32_t next, taken[16], n = 0;
	uint64_t order = 0;

	while (n < 16 && (next = fair_fairtree_next(f)) != FAIR_FAIRTREE_NONE) {
		order = order * 10 + next;
		taken[n++] = next;
		fair_fairtree_set_waiting(f, next, false);
	}
	while (n)
		fair_fairtree_set_waiting(f, taken[--n], true);
	return order;
}

#endif /* TESTS_FAIRTREE_H */
