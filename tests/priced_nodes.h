/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * priced_nodes.h - machines whose nodes have prices
 */
#ifndef PRICED_NODES_H
#define PRICED_NODES_H

#include "policies/penalty.h"
#include "tests/test.h"

#define ONE FAIR_PENALTY_ONE
#define GB INT64_C(1073741824)
#define MOST_CLASSES 100
#define MOST_RESOURCES 6
#define MOST_CHUNKS 6

/* The machine of [MR] example 3, memory in GB. */
static const int64_t small_node[2] = { 8, 16 }, large_node[2] = { 80, 512 };

static const struct fair_penalty_class paper_classes[2] = {
	{ 10, 10 * ONE, ONE, 1, small_node },
	{ 1, 26 * ONE, ONE, 2, large_node },
};

static unsigned char paper_memory[8192];

static inline struct fair_penalty_machine paper(void)
{
	struct fair_penalty_machine m;

	TEST_OK(fair_penalty_init(&m, sizeof(m), paper_memory,
				  sizeof(paper_memory), paper_classes, 2, 2,
				  NULL));
	return m;
}

static inline struct fair_penalty_chunk nodes(int32_t count,
					      const int64_t *amount)
{
	struct fair_penalty_chunk c = { count, 0, 0, 0, 0, amount };

	return c;
}

static inline int64_t cheapest(const struct fair_penalty_machine *m,
			       const struct fair_penalty_chunk *c,
			       size_t chunks)
{
	int64_t p = -1;

	TEST_EQ(fair_penalty(m, c, chunks, ONE, &p), 0);
	return p;
}

static inline int64_t local(const struct fair_penalty_machine *m,
			    const struct fair_penalty_chunk *c,
			    size_t node_class)
{
	int64_t p = -1;

	TEST_EQ(fair_penalty_local(m, c, 1, &node_class, ONE, &p), 0);
	return p;
}

static inline int64_t pe(const struct fair_penalty_machine *m,
			 const struct fair_penalty_chunk *c, size_t chunks)
{
	int64_t p = -1;

	TEST_EQ(fair_penalty_pe(m, c, chunks, ONE, &p), 0);
	return p;
}

/* Tenths, as the papers print them. */
static inline int64_t tenths(int64_t fixed)
{
	return (fixed * 10 + ONE / 2) / ONE;
}

static inline int init(struct fair_penalty_machine *m,
		       const struct fair_penalty_class *c, size_t classes,
		       const bool *special)
{
	static unsigned char memory[8192];
	struct fair_penalty_machine before;
	int err;

	memset(m, 0x5a, sizeof(*m));
	before = *m;
	err = fair_penalty_init(m, sizeof(*m), memory, sizeof(memory), c,
				classes, 2, special);
	TEST_CHECK(!err || !memcmp(m, &before, sizeof(before)));
	return err;
}

/* Whether a node of the class can hold one node of the chunk. */
static inline bool suits(const struct fair_penalty_machine *m,
		  const struct fair_penalty_chunk *chunk, size_t node_class)
{
	struct fair_penalty_chunk one = *chunk;
	int64_t p;

	one.count = 1;
	return fair_penalty_local(m, &one, 1, &node_class, ONE, &p) !=
	       -FAIR_ERANGE;
}

#endif /* PRICED_NODES_H */
