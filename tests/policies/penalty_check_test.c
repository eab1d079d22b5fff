/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * penalty.h refuses machines and requests that it cannot price, and
 * fair_penalty_check() names the first invariant that is broken.
 */
#include "tests/priced_nodes.h"

/* A class wrong in one field. */
TEST(wrong_classes)
{
	static const int64_t none[2] = { 0, 16 }, less[2] = { 8, -1 };
	static const int64_t more[2] = { 8, FAIR_PENALTY_MAX };
	static const int64_t large[2] = { 8, INT64_MAX };
	static const int64_t third[3] = { 8, 16, -1 };
	struct fair_penalty_class good = paper_classes[0], c = good;
	struct fair_penalty_class pair[2] = { good, good };
	static unsigned char memory[8192];
	struct fair_penalty_machine m;

	TEST_EQ(init(&m, &c, 1, NULL), 0);
	c.count = 0;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c = good;
	c.spec = 0;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.spec = FAIR_PENALTY_MAX + 1;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c = good;
	c.cost = -1;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.cost = FAIR_PENALTY_MAX / 8;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	c.cost++;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EOVERFLOW);
	c = good;
	c.amount = NULL;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = none;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = less;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = large;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = more;
	c.count = 2;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	c.count = 3;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EOVERFLOW);
	/* The last of them, and nothing behind it */
	c = good;
	c.amount = third;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &c, 1,
				  3, NULL),
		-FAIR_EINVAL);
	pair[1].spec = 0;
	TEST_EQ(init(&m, pair, 2, NULL), -FAIR_EINVAL);
}

/* One so cheap that its price counts as nothing where bounds are made. */
TEST(cheap_beside_dear)
{
	static const int64_t amount[2] = { 8, 16 }, one[2] = { 1, 0 };
	struct fair_penalty_class c[2] = { { 1, ONE, 1, 0, amount },
					   { 1, ONE, 1, 0, amount } };
	struct fair_penalty_chunk chunk = nodes(1, one);
	struct fair_penalty_machine m;
	int64_t penalty = 0;

	c[1].cost = FAIR_PENALTY_MAX / 8;
	TEST_EQ(init(&m, c, 2, NULL), 0);
	TEST_CHECK(!(m.node[0].price >> m.price_shift));
	TEST_EQ(fair_penalty_check(&m), 0);
	TEST_EQ(fair_penalty(&m, &chunk, 1, ONE, &penalty), 0);
	TEST_EQ(penalty, 1);	/* a processor of it: 8 / 8 */
}

TEST(too_many_processors)
{
	static const int64_t wide[2] = { INT64_C(1) << 42, 1 };
	static const int64_t fits[2] = { (INT64_C(1) << 42) - 1, 1 };
	struct fair_penalty_class c = { 1, ONE, 1, 0, wide };
	struct fair_penalty_machine m;

	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EOVERFLOW);
	c.amount = fits;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	TEST_EQ(fair_penalty_check(&m), 0);
}

TEST(sizes)
{
	unsigned char memory[8192 + 64];
	size_t bytes = fair_penalty_size(2, 2), shift, i, lane, rest, most;
	struct fair_penalty_machine m;

	TEST_EQ(fair_penalty_size(0, 1), 0);
	TEST_EQ(fair_penalty_size(1, 0), 0);
	TEST_EQ(fair_penalty_size(SIZE_MAX, 1), 0);
	TEST_EQ(fair_penalty_size(1, SIZE_MAX), 0);
	TEST_EQ(fair_penalty_size(SIZE_MAX / 64, 2), 0);
	TEST_EQ(fair_penalty_size(2, SIZE_MAX / 64), 0);
	TEST_EQ(fair_penalty_size(SIZE_MAX - 3, 1), 0);
	TEST_EQ(fair_penalty_size(1, SIZE_MAX / 16 + 1), 0);
	/* Classes by the block; at most a quarter of all that can be had. */
	for (i = 1; i < 100; i++) {
		lane = sizeof(struct fair_penalty_node) + 16 * i + 12;
		rest = sizeof(struct fair_penalty_resource) * i + 63;
		TEST_EQ(fair_penalty_size(1, i), 32 * lane + rest);
		TEST_EQ(fair_penalty_size(32, i), 32 * lane + rest);
		TEST_EQ(fair_penalty_size(33, i), 64 * lane + rest);
		most = SIZE_MAX / 4 / lane / 32 * 32;
		TEST_EQ(fair_penalty_size(most, i), most * lane + rest);
		TEST_EQ(fair_penalty_size(most + 1, i), 0);
	}
	TEST_REQUIRE(bytes && bytes < 8192);
	for (shift = 0; shift < 64; shift++) {
		memset(memory, 0x5a, sizeof(memory));
		TEST_OK(fair_penalty_init(&m, sizeof(m), memory + shift, bytes,
					  paper_classes, 2, 2, NULL));
		TEST_EQ(fair_penalty_check(&m), 0);
		TEST_EQ((uintptr_t)m.have % 64, 0);
		TEST_CHECK((unsigned char *)m.have < memory + shift + 64);
		for (i = 0; i < shift; i++)
			TEST_CHECK(memory[i] == 0x5a);
		for (i = shift + bytes; i < sizeof(memory); i++)
			TEST_CHECK(memory[i] == 0x5a);
	}
}

TEST(unsuitable_and_too_large)
{
	static const int64_t tall[2] = { 1, 513 }, wide[2] = { 81, 1 };
	static const int64_t big[2] = { FAIR_PENALTY_MAX, 1 };
	static const int64_t good[2] = { 8, 16 }, one[2] = { 1, 1 };
	static const size_t used[2] = { 0, 0 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk c[2];
	int64_t p = 7;

	c[0] = nodes(1, good);
	c[1] = nodes(1, tall);
	TEST_EQ(fair_penalty(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_local(&m, c, 2, used, ONE, &p), -FAIR_ERANGE);
	c[1] = nodes(1, wide);
	TEST_EQ(fair_penalty(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), 0);
	c[1].count = 2;
	p = 7; /* the metric before has set it */
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	c[1] = nodes(152, one); /* 160 processors of 160 */
	TEST_EQ(pe(&m, c, 2), 160 * ONE);
	c[1].count++;
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	c[1] = nodes(INT32_MAX, big);
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_cpu(c, 2, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_standard(c, 2, good, 1, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_cpu(c, 1, FAIR_PENALTY_MAX, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty(&m, c, 1, FAIR_PENALTY_MAX, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_local(&m, c, 1, used, FAIR_PENALTY_MAX, &p),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_pe(&m, c, 1, FAIR_PENALTY_MAX, &p),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_standard(c, 1, one, 2, FAIR_PENALTY_MAX, &p),
		-FAIR_EOVERFLOW);
	TEST_EQ(p, 7);
}

TEST(sums_overflow)
{
	static const int64_t node[2] = { 1, 1 };
	struct fair_penalty_class dear = { 1, ONE, FAIR_PENALTY_MAX, 0, node };
	static const size_t used[2] = { 0, 0 };
	struct fair_penalty_machine m;
	struct fair_penalty_chunk c = nodes(2, node);
	int64_t p = 7;

	TEST_EQ(init(&m, &dear, 1, NULL), 0);
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, INT64_MAX - 1);
	p = 7;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE + 1, &p), -FAIR_EOVERFLOW);
	c.count = 3;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_local(&m, &c, 1, used, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(p, 7);
}

/* Breaks each invariant by hand; the machine is made anew every time. */
TEST(invariants)
{
	struct fair_penalty_machine m;

#define BREAK(number, change)                                                  \
	do {                                                                   \
		m = paper();                                                   \
		TEST_EQ(fair_penalty_check(&m), 0);                            \
		change;                                                        \
		TEST_EQ(fair_penalty_check(&m), number);                       \
	} while (0)
	BREAK(1, m.classes = 0);
	BREAK(1, m.resources = 0);
	BREAK(1, m.resource[0].special = true);
	BREAK(2, m.node[1].spec = 0);
	BREAK(2, m.node[1].cost = -1);
	BREAK(2, m.amount[2] = 0);
	BREAK(2, m.amount[0] = INT64_MAX);
	BREAK(2, m.amount[3] = -1);
	BREAK(0, m.amount[4] = -1); /* of no class */
	BREAK(3, m.node[1].price++);
	BREAK(3, m.price_shift = -1);
	BREAK(3, m.node[1].cost = m.node[1].price = 0;
	      m.node[1].cost = FAIR_PENALTY_MAX);
	/* 80 * 2^60 is 0, modulo 2^64. */
	BREAK(3, m.node[1].price = 0; m.node[1].cost = INT64_C(1) << 60);
	BREAK(3, m.price_shift--);
	BREAK(3, m.price_shift = 38);
	BREAK(4, m.have[0]++);
	BREAK(4, m.have[2] = 0);
	BREAK(4, m.resource[1].amount_shift = 1);
	BREAK(4, m.resource[1].amount_shift = -1; m.have[32] = m.have[33] = 0);
	BREAK(4, m.resource[1].amount_shift = 32; m.have[32] = m.have[33] = 0);
	BREAK(5, m.rate[32]++);
	BREAK(5, m.resource[0].rate_shift--);
	BREAK(5, m.resource[0].rate_shift = 64);
	BREAK(5, m.resource[0].rate_shift = -1);
	BREAK(5, m.resource[1].special = true);
	BREAK(5, m.amount[3] = m.have[33] = 0);
	BREAK(6, m.traits[1]++);
	BREAK(6, m.traits[33] ^= 1);
	BREAK(6, m.traits[65] ^= 1);
	BREAK(6, m.spec_shift = 1);
	BREAK(6, m.spec_shift = -1; m.traits[0] = m.traits[1] = 0);
	BREAK(6, m.spec_shift = 32; m.traits[0] = m.traits[1] = 0);
	/* More than is compared. */
	BREAK(6, m.node[0].spec = m.traits[0] = UINT32_C(1) << 31;
	      m.spec_shift = 0);
#undef BREAK
}
