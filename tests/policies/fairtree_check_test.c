/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fair_fairtree_check() names the first invariant that is broken, and what was
 * saved with one is not loaded.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/fairtree.h"

enum { A = 7, B = 8, LIFTED = 9, NODES = 11 };

/* a: users 0 1 2 3, of which 3 does not wait; b: users 4 5, lifted: 6 */
static void make(struct fair_fairtree *f)
{
	uint32_t i;

	tree_init(f, NODES);
	add_account(f, A, ROOT, 1);
	add_account(f, B, ROOT, 2);
	add_account(f, LIFTED, B, PARENT);
	for (i = 0; i < 4; i++)
		add_user(f, i, A, 1, 4 + i);
	add_user(f, 4, B, 1, 9);
	add_user(f, 5, B, 1, 9);
	add_user(f, 6, LIFTED, 1, 9);
	TEST_EQ(fair_fairtree_set_waiting(f, 3, false), 0);
	TEST_EQ(fair_fairtree_check(f), 0);
}

static struct fair_fairtree f;

/* Sets a field, checks, and makes the tree again. */
#define BREAK(invariant, field, value)                                         \
	do {                                                                   \
		make(&f);                                                      \
		(field) = (value);                                             \
		test_equal(fair_fairtree_check(&f), (invariant), __FILE__,     \
			   __LINE__, #field);                                  \
	} while (0)

TEST(ways)
{
	BREAK(1, f.node[0].parent, 1);
	BREAK(1, f.node[0].parent, NODES + 1);
	BREAK(1, f.node[A].parent, A);
	BREAK(1, f.node[A].kind, FAIR_FAIRTREE_FREE);
	BREAK(1, f.node[NODES].shares, PARENT);
}

TEST(lists)
{
	BREAK(2, f.list[0].prev, 3);
	BREAK(2, f.list[A].first, 2);
	BREAK(2, f.list[A].first, FAIR_FAIRTREE_NONE);
	BREAK(2, f.list[A].first, NODES);
	BREAK(2, f.node[0].parent, B);
}

TEST(sums)
{
	BREAK(3, f.list[A].users, 5);
	BREAK(3, f.list[A].level_shares, 5);
	BREAK(3, f.node[0].usage, f.node[A].usage);
	BREAK(3, f.node[NODES].usage, UINT64_C(1) << 63);
	BREAK(3, f.node[0].usage, UINT64_MAX);
	BREAK(3, f.node[6].usage, UINT64_C(1) << 40);
	BREAK(3, f.list[LIFTED].level_shares, 1);
	BREAK(3, f.node[0].kind, FAIR_FAIRTREE_ACCOUNT);
	/* Of the account above, and of the root, there is none. */
	make(&f);
	f.list[0].held = 1;
	f.node[0].usage = f.weight;
	TEST_EQ(fair_fairtree_check(&f), 3);
}

/* One user, and so the root, with such a provisional charge and usage. */
static int charged(uint64_t held, uint64_t usage, uint64_t weight)
{
	tree_init(&f, 1);
	add_user(&f, 0, ROOT, 1, 0);
	TEST_EQ(f.bits, 15);
	f.list[0].held = f.list[1].held = held;
	f.node[0].usage = f.node[1].usage = usage;
	f.weight = weight;
	return fair_fairtree_check(&f);
}

/* A unit weighs 2^15 or more, and 2^16 in the end: then the usage is below
 * 2^63. The numbers that are refused would be less than that modulo 2^64. */
TEST(charges)
{
	const uint64_t one = UINT64_C(1) << 15;
	const uint64_t most = (UINT64_C(1) << 47) - 1;

	TEST_EQ(charged(1, one, one), 0);
	TEST_EQ(charged(1, one - 1, one), 3);
	TEST_EQ(charged(most, most * one, one), 0);
	TEST_EQ(charged(most, most * one + 2 * one, one), 3);
	TEST_EQ(charged(1, INT64_MAX, one), 3);
	TEST_EQ(charged(2 * most + 1, UINT64_C(1) << 62, 1), 3);
	TEST_EQ(charged(UINT64_C(1) << 49, 0, one), 3);
}

/* All carries of (2^128 - 1)^2. */
TEST(products)
{
	const struct fair_wide most = { UINT64_MAX, UINT64_MAX };
	uint64_t product[4];

	fair_fairtree_product(most, most, product);
	TEST_CHECK(product[0] == 1 && product[1] == 0 &&
		   product[2] == UINT64_MAX - 1 && product[3] == UINT64_MAX);
}

TEST(heaps)
{
	uint32_t top, left;

	make(&f);
	top = f.list[A].top[0];
	left = f.node[top].left;
	BREAK(4, f.node[A].waits, false);
	BREAK(4, f.node[3].waits, true);
	BREAK(4, f.node[3].left, 0);
	BREAK(4, f.node[3].right, 0);
	BREAK(4, f.list[A].top[0], FAIR_FAIRTREE_NONE);
	BREAK(4, f.list[A].top[0], left);
	BREAK(4, f.list[A].top[0], NODES);
	BREAK(4, f.list[A].top[0], 3);
	BREAK(4, f.list[A].top[0], B);
	BREAK(4, f.list[A].top[1], top);
	BREAK(4, f.list[A].top[0], f.list[B].top[0]);
	BREAK(4, f.node[top].waits, false);
	BREAK(4, f.node[left].up, FAIR_FAIRTREE_NONE);
	BREAK(4, f.node[left].up, NODES);
	BREAK(4, f.node[left].up, 4);
	BREAK(4, f.node[left].waits, false);
	BREAK(4, f.node[top].left, NODES);
	BREAK(4, f.node[top].left, f.node[top].right);
	BREAK(4, f.node[top].right, 3);
	BREAK(4, f.node[top].left, 4);
	BREAK(4, f.node[top].left, A);
	BREAK(4, f.node[top].left, FAIR_FAIRTREE_NONE);
	/* It is in no heap, and above it is no node. */
	make(&f);
	f.node[top].left = FAIR_FAIRTREE_NONE;
	f.node[left].up = NODES;
	TEST_EQ(fair_fairtree_check(&f), 4);
	/* A child says that it is one, but is of another level or kind, or
	 * does not wait. */
	make(&f);
	f.node[4].up = 4;
	f.node[4].left = 0;
	f.node[0].up = 4;
	TEST_EQ(fair_fairtree_check(&f), 4);
	make(&f);
	f.node[top].left = A;
	f.node[A].up = top;
	TEST_EQ(fair_fairtree_check(&f), 4);
	make(&f);
	f.node[top].left = 3;
	f.node[3].up = top;
	TEST_EQ(fair_fairtree_check(&f), 4);
}

/* Accounts 0 and 1, then users, of which 2 has used most: it is below. */
static void make_accounts_first(void)
{
	uint32_t i;

	tree_init(&f, NODES);
	add_account(&f, 0, ROOT, 1);
	add_account(&f, 1, ROOT, 1);
	for (i = 2; i < 7; i++)
		add_user(&f, i, 0, 1, 12 - i);
	add_user(&f, 7, 1, 1, 5);
	TEST_EQ(fair_fairtree_set_waiting(&f, 4, false), 0);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

TEST(tops)
{
	const uint32_t wrong[] = { NODES, 4, 2, 1, 7 };
	size_t i;

	for (i = 0; i < 5; i++) {
		make_accounts_first();
		f.list[0].top[0] = wrong[i];
		TEST_EQ(fair_fairtree_check(&f), 4);
	}
	make_accounts_first();
	TEST_CHECK(f.node[2].up != FAIR_FAIRTREE_NONE);
	f.node[2].up = NODES;
	TEST_EQ(fair_fairtree_check(&f), 4);
	f.node[2].up = 7;
	TEST_EQ(fair_fairtree_check(&f), 4);
	/* The other top of the level is its own child's. */
	make_accounts_first();
	f.list[0].top[0] = 1;
	f.node[1].up = FAIR_FAIRTREE_NONE;
	TEST_EQ(fair_fairtree_check(&f), 4);
	make_accounts_first();
	f.list[NODES].top[1] = f.list[0].top[0];
	TEST_EQ(fair_fairtree_check(&f), 4);
}

TEST(order)
{
	uint32_t top, left, right;

	make(&f);
	top = f.list[A].top[0];
	left = f.node[top].left;
	right = f.node[top].right;
	TEST_CHECK(left != FAIR_FAIRTREE_NONE && right != FAIR_FAIRTREE_NONE);
	BREAK(5, f.node[top].dist, 3);
	make(&f);
	f.list[A].level_shares += 999;
	f.node[left].shares = 1000;
	TEST_EQ(fair_fairtree_check(&f), 5);
	make(&f);
	f.list[A].level_shares += 999;
	f.node[right].shares = 1000;
	TEST_EQ(fair_fairtree_check(&f), 5);
	/* More on the right than on the left. */
	make(&f);
	f.node[top].left = FAIR_FAIRTREE_NONE;
	f.node[left].up = right;
	f.node[right].right = left;
	TEST_EQ(fair_fairtree_check(&f), 5);
}

/* SAVED */

static unsigned char checkpoint[8192];

static size_t save(void)
{
	struct fair_checkpoint c;

	fair_checkpoint_write(&c, checkpoint, 1);
	fair_fairtree_save(&f, &c);
	return fair_checkpoint_finish(&c);
}

static bool load(struct fair_fairtree *g, size_t bytes, uint32_t nodes)
{
	struct fair_checkpoint c;

	TEST_EQ(fair_fairtree_init(g, sizeof(*g), tree_memory[1],
				   sizeof(tree_memory[1]), nodes, 604800),
		0);
	TEST_EQ(fair_checkpoint_read(&c, checkpoint, bytes, 1), 0);
	fair_fairtree_load(g, &c);
	return !c.bad;
}

TEST(saved)
{
	struct fair_fairtree g, copy;
	uint64_t want;
	uint32_t i;

	make(&f);
	TEST_EQ(fair_fairtree_charge(&f, 0, 604800, 604900, 1), 0);
	TEST_CHECK(load(&g, save(), NODES));
	TEST_EQ(fair_fairtree_check(&g), 0);
	TEST_EQ(order_of(&g), order_of(&f));
	for (i = 0; i < 7; i++)
		TEST_EQ(rank_of(&g, i), rank_of(&f, i));
	TEST_EQ(fair_fairtree_charge(&f, 6, 604900, 605000, 2), 0);
	TEST_EQ(fair_fairtree_charge(&g, 6, 604900, 605000, 2), 0);
	for (i = 0; i <= NODES; i++)
		TEST_EQ(g.node[i].usage, f.node[i].usage);
	/* Of as many nodes, or more: the root has the last number. */
	TEST_CHECK(!load(&g, save(), NODES - 1));
	TEST_CHECK(load(&g, save(), NODES + 3));
	TEST_EQ(order_of(&g), order_of(&f));
	TEST_EQ(g.node[A].parent, NODES + 3);
	TEST_EQ(g.node[NODES + 3].usage, f.node[NODES].usage);
	TEST_EQ(fair_fairtree_add_user(&g, NODES + 2, ROOT, 1), 0);
	want = order_of(&f);
	memset(tree_memory[1], 0xa5, sizeof(tree_memory[1]));
	TEST_EQ(fair_fairtree_clone(&copy, tree_memory[1],
				    sizeof(tree_memory[1]), &f),
		0);
	for (i = 0; i < 7; i++)
		TEST_EQ(fair_fairtree_rank(&copy, i),
			fair_fairtree_rank(&f, i));
	memset(tree_memory[0], 0x5a, 8192);
	TEST_EQ(fair_fairtree_check(&copy), 0);
	TEST_EQ(order_of(&copy), want);
}

/* Saves a tree with a wrong field, which is not loaded. */
#define REFUSE(field, value)                                                   \
	do {                                                                   \
		struct fair_fairtree g;                                        \
		make(&f);                                                      \
		(field) = (value);                                             \
		test_check(!load(&g, save(), NODES), __FILE__, __LINE__,       \
			   #field);                                            \
	} while (0)

TEST(damaged)
{
	REFUSE(f.node[0].kind, 3);
	REFUSE(f.node[0].parent, 1);
	REFUSE(f.node[0].parent, NODES + 1);
	REFUSE(f.node[A].parent, A);
	REFUSE(f.node[NODES].usage, 1);
	REFUSE(f.node[NODES].usage, UINT64_MAX);
	REFUSE(f.node[0].usage, UINT64_MAX);
}

/* An account that waits by itself. */
TEST(damaged_account)
{
	struct fair_fairtree g;
	size_t bytes;

	make(&f);
	bytes = save();
	/* Header, two sections' heads, a record of 2 words, A of 5 words. */
	checkpoint[8 * (3 + 3 + 2 + 3 + A * 5 + 4)] = 1;
	{
		uint64_t hash = fair_fnv(checkpoint, bytes - 8);
		size_t i;

		for (i = 0; i < 8; i++)
			checkpoint[bytes - 8 + i] =
				(unsigned char)(hash >> 8 * i);
	}
	TEST_CHECK(!load(&g, bytes, NODES));
}
