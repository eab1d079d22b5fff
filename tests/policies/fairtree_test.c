/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Fair Tree: ranks and next users equal those of the model, for all small trees
 * and for random changes; charges add up exactly, and decay changes no order.
 */
#include "tests/fairtree.h"
#include "fuzz/fairtree_pair.h"

/* Of the small trees a light round tries one in so many. */
#ifdef TEST_LIGHT
#define TEST_STRIDE 31
#else
#define TEST_STRIDE 1
#endif

/* The example of the manual. */
TEST(example)
{
	static unsigned char memory[8192];
	struct fair_fairtree f;
	struct fair_fairtree_part part;
	struct fair_fairtree_info info;
	uint32_t x, y;

	TEST_EQ(fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), 10,
				   7 * 86400),
		0);
	fair_fairtree_add_account(&f, 0, FAIR_FAIRTREE_ROOT, 3);
	fair_fairtree_add_account(&f, 1, FAIR_FAIRTREE_ROOT, 1);
	fair_fairtree_add_user(&f, 2, 0, 1);
	fair_fairtree_add_user(&f, 3, 0, 1);
	fair_fairtree_add_user(&f, 4, 1, 1);
	fair_fairtree_charge(&f, 2, 0, 3600, 24);
	fair_fairtree_charge(&f, 3, 0, 3600, 8);
	fair_fairtree_charge(&f, 4, 0, 3600, 32);
	fair_fairtree_set_waiting(&f, 2, true);
	fair_fairtree_set_waiting(&f, 4, true);
	TEST_EQ(fair_fairtree_next(&f), 2);
	fair_fairtree_sort(&f);
	TEST_EQ(fair_fairtree_rank(&f, 3), 3);
	TEST_EQ(fair_fairtree_rank(&f, 2), 2);
	TEST_EQ(fair_fairtree_rank(&f, 4), 1);
	TEST_EQ(fair_fairtree_users(&f), 3);
	TEST_EQ(fair_fairtree_part_of(&f, 1, &part), 0);
	TEST_EQ(part.used, 50 * FAIR_USAGE_POINT);
	TEST_EQ(part.owed, 25 * FAIR_USAGE_POINT);
	TEST_EQ(fair_fairtree_info_of(&f, 1, &info), 0);
	TEST_CHECK(info.parent == FAIR_FAIRTREE_ROOT && info.shares == 1);
	TEST_EQ(fair_fairtree_info_of(&f, 4, &info), 0);
	TEST_CHECK(info.parent == 1 && info.shares == 1);
	TEST_EQ(fair_fairtree_info_of(&f, FAIR_FAIRTREE_ROOT, &info), 0);
	TEST_CHECK(info.parent == FAIR_FAIRTREE_ROOT && !info.shares);
	/* 64 processors for an hour, at its end nearly not decayed. */
	TEST_EQ(fair_fairtree_pass_time(&f, 3600), 0);
	TEST_EQ(fair_fairtree_info_of(&f, FAIR_FAIRTREE_ROOT, &info), 0);
	TEST_CHECK(info.usage / info.unit > 64 * 3590 &&
		   info.usage / info.unit < 64 * 3600);
	TEST_EQ(fair_fairtree_pass_time(&f, 3600 + 7 * 86400), 0);
	TEST_EQ(fair_fairtree_info_of(&f, FAIR_FAIRTREE_ROOT, &info), 0);
	TEST_CHECK(info.usage / info.unit > 32 * 3590 &&
		   info.usage / info.unit < 32 * 3600);
	TEST_EQ(fair_fairtree_branch(&f, 2, 4, &x, &y), 0);
	TEST_CHECK(x == 0 && y == 1);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

TEST(sizes)
{
	TEST_EQ(fair_fairtree_size(9), 10 * 80 + 63 + fair_usage_size(1, 0, 1));
	TEST_EQ(sizeof(struct fair_fairtree_node), 32);
	TEST_EQ(sizeof(struct fair_fairtree_list), 40);
	TEST_EQ(fair_fairtree_size(0), 0);
	TEST_EQ(fair_fairtree_size(FAIR_FAIRTREE_NODES + 1), 0);
	TEST_EQ(!fair_fairtree_size(FAIR_FAIRTREE_NODES),
		SIZE_MAX == UINT32_MAX);
}

/* Memory of any alignment: nothing lies before it, nor behind its end. */
TEST(any_alignment)
{
	char *at = (char *)tree_memory[0];
	struct fair_fairtree f;
	int i;

	for (i = 0; i < 64; i++, at++) {
		TEST_EQ(fair_fairtree_init(&f, sizeof(f), at,
					   fair_fairtree_size(4), 4, 100),
			0);
		TEST_EQ((uintptr_t)f.node % 64, 0);
		TEST_CHECK((char *)f.node >= at && (char *)f.node < at + 64);
		TEST_CHECK(f.rank == (uint32_t *)(f.list + 5) &&
			   f.scratch == f.rank + 5);
	}
}

/* EVERY SMALL TREE */

struct choice {
	uint32_t parent, shares, used;
	bool user;
};

static struct {
	struct fair_fairtree f;
	struct fairtree_model m;
	struct choice node[5];
	uint32_t nodes, trees;
} small;

static void build(void)
{
	const struct choice *c = small.node;
	uint32_t i;
	size_t above;

	fairtree_model_init(&small.m, small.nodes);
	fair_fairtree_init(&small.f, sizeof(small.f), tree_memory[0],
			   sizeof(tree_memory[0]), small.nodes, 604800);
	for (i = 0; i < small.nodes; i++, c++) {
		above = c->parent == ROOT ? small.nodes : c->parent;
		fairtree_model_add(&small.m, c->user ? 'u' : 'a', i, above,
				   c->shares);
		if (!c->user) {
			fair_fairtree_add_account(&small.f, i, c->parent,
						  c->shares);
			continue;
		}
		fair_fairtree_add_user(&small.f, i, c->parent, c->shares);
		fair_fairtree_charge(&small.f, i, 0, 1, c->used);
		fair_fairtree_set_waiting(&small.f, i, true);
		fairtree_model_charge(&small.m, i, c->used);
		small.m.node[i].waits = true;
	}
}

/* Ranks, and all users in order, each away once it was the next. */
static bool is_as_model(void)
{
	uint32_t next, i, n = 0, users = fairtree_model_rank(&small.m);

	fair_fairtree_sort(&small.f);
	for (i = 0; i < small.nodes; i++)
		if (small.node[i].user &&
		    fair_fairtree_rank(&small.f, i) != small.m.node[i].rank)
			return false;
	while ((next = fair_fairtree_next(&small.f)) != FAIR_FAIRTREE_NONE) {
		if (next != fairtree_model_next(&small.m))
			return false;
		fair_fairtree_set_waiting(&small.f, next, false);
		small.m.node[next].waits = false;
		n++;
	}
	return n == users && fair_fairtree_users(&small.f) == users &&
	       !fair_fairtree_check(&small.f);
}

static void try_tree(void)
{
	if (small.trees++ % TEST_STRIDE)
		return;
	build();
	TEST_CHECK(is_as_model());
	fairtree_model_free(&small.m);
}

/* Each choice of the nodes from @i on; parents are accounts before them. */
static void choose(uint32_t i)
{
	static const uint32_t shares[] = { 1, 0, PARENT, 2 };
	uint32_t most = small.nodes < 5 ? 4 : 3, parent, s, used;
	struct choice *c = small.node + i;

	if (i == small.nodes) {
		try_tree();
		return;
	}
	for (parent = 0; parent <= i; parent++) {
		if (parent < i && small.node[parent].user)
			continue;
		c->parent = parent < i ? parent : ROOT;
		/* Of a node without usage an account is one choice more. */
		for (s = 0; s < most; s++)
			for (used = 0; used < most; used++) {
				c->shares = shares[s];
				c->user = used > 0;
				c->used = used - c->user;
				choose(i + 1);
			}
	}
}

TEST(every_small_tree)
{
	for (small.nodes = 1; small.nodes <= 5; small.nodes++)
		choose(0);
	printf("# %lu trees\n", (unsigned long)small.trees);
}

/* CHANGES */

TEST(random_changes)
{
	static unsigned char bytes[1200];
	uint64_t random = 24;
	size_t k;
	int i;

	for (i = 0; i < TEST_ROUNDS(400); i++) {
		for (k = 0; k < sizeof(bytes); k++)
			bytes[k] = (unsigned char)test_random(&random);
		TEST_CHECK(fairtree_pair_run(bytes, sizeof(bytes)) != 0);
	}
}

/* 30 accounts with 3 users each, all tied: by number, then one is behind. */
TEST(many_ties)
{
	static unsigned char memory[1 << 14];
	struct fair_fairtree f;
	uint32_t i, k;

	fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), 120, 1000);
	for (i = 0; i < 30; i++)
		add_account(&f, 90 + i, ROOT, 1);
	for (i = 0; i < 90; i++)
		add_user(&f, i, 90 + i % 30, 1, 0);
	for (i = 0; i < 90; i++)
		TEST_EQ(rank_of(&f, i), 90);
	for (i = 0; i < 90; i++) {
		TEST_EQ(fair_fairtree_next(&f), i);
		TEST_EQ(fair_fairtree_check(&f), 0);
		fair_fairtree_set_waiting(&f, i, false);
	}
	TEST_EQ(fair_fairtree_next(&f), FAIR_FAIRTREE_NONE);
	/* 1 for each: all tie again. Account 90 is behind once 0 has 2. */
	for (i = 0; i < 90; i++) {
		fair_fairtree_charge(&f, i, 0, 1, 1);
		fair_fairtree_set_waiting(&f, i, true);
	}
	TEST_EQ(fair_fairtree_next(&f), 0);
	fair_fairtree_charge(&f, 0, 0, 1, 1);
	for (i = k = 0; i < 90; i++)
		k += rank_of(&f, i) == 90;
	TEST_EQ(k, 87);
	TEST_EQ(fair_fairtree_next(&f), 1);
	TEST_EQ(rank_of(&f, 30), 3);
	TEST_EQ(rank_of(&f, 0), 1);
}

/* TIME */

/* G grows by bits and h as it says; pieces add up, rates are factors. */
TEST(pieces)
{
	static const int64_t lives[] = { 3, 4, 3600, 604800,
					 FAIR_USAGE_HALF_LIFE };
	struct fair_fairtree f;
	uint64_t first;
	int64_t h, t;
	size_t i;

	for (i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		h = lives[i];
		TEST_EQ(fair_fairtree_init(&f, sizeof(f), tree_memory[0],
					   sizeof(tree_memory[0]), 4, h),
			0);
		add_account(&f, 3, ROOT, 1);
		add_user(&f, 0, 3, 1, 0);
		add_user(&f, 1, 3, 3, 0);
		add_user(&f, 2, ROOT, 0, 0);
		t = h < 100 ? 2 : 100; /* ends in the same period */
		TEST_EQ(fair_fairtree_charge(&f, 0, h, h + t / 2, 7), 0);
		first = f.node[0].usage;
		TEST_EQ(fair_fairtree_charge(&f, 0, h + t / 2, h + t, 7), 0);
		TEST_EQ(fair_fairtree_charge(&f, 1, h, h + t, 21), 0);
		TEST_EQ(f.node[1].usage, 3 * f.node[0].usage);
		TEST_CHECK(f.node[0].usage);
		TEST_EQ(f.node[3].usage, 4 * f.node[0].usage);
		/* They tie, also later. */
		TEST_EQ(rank_of(&f, 0), 3);
		TEST_EQ(rank_of(&f, 1), 3);
		TEST_EQ(rank_of(&f, 2), 1);
		TEST_EQ(fair_fairtree_next(&f), 0);
		/* It begins as the last one did, and ends sooner. */
		TEST_EQ(fair_fairtree_charge(&f, 2, h, h + t / 2, 7), 0);
		TEST_EQ(f.node[2].usage, first);
	}
}

static uint64_t used(const struct fair_fairtree *f, uint32_t node)
{
	return f->node[node].usage >> f->bits;
}

/* A second costs 1 at the begin of a period, nearly 2 at its end, and half of
 * that when the next one begins. */
TEST(decay)
{
	struct fair_fairtree f;

	tree_init(&f, 3);
	add_user(&f, 0, ROOT, 1, 1 << 20);
	TEST_EQ(used(&f, 0), 1 << 20);
	add_user(&f, 1, ROOT, 1, 0);
	TEST_EQ(fair_fairtree_charge(&f, 1, 302400, 302401, 1 << 20), 0);
	/* sqrt 2, and G is off by less than 2^-15 seconds. */
	TEST_CHECK(used(&f, 1) - 1482911 + 32 <= 64);
	TEST_EQ(fair_fairtree_next(&f), 0);
	TEST_EQ(fair_fairtree_charge(&f, 1, 604800, 604801, 1), 0);
	TEST_EQ(used(&f, 0), 1 << 19);
	TEST_EQ(fair_fairtree_check(&f), 0);
	/* A charge for an earlier time is worth less now. */
	TEST_EQ(fair_fairtree_charge(&f, 0, 0, 1, 1 << 20), 0);
	TEST_EQ(used(&f, 0), 1 << 20);
	/* After 64 half-lives nothing is left, and nothing of then counts. */
	add_user(&f, 2, ROOT, 1, 0);
	TEST_EQ(fair_fairtree_charge(&f, 2, 64 * 604800, 64 * 604800 + 1, 5),
		0);
	TEST_EQ(used(&f, 0), 0);
	TEST_EQ(used(&f, 2), 5);
	TEST_EQ(fair_fairtree_charge(&f, 0, 0, 1, INT64_MAX), 0);
	TEST_EQ(used(&f, 0), 0);
	TEST_EQ(fair_fairtree_check(&f), 0);
	/* A long interval that began 70 half-lives ago. */
	TEST_EQ(fair_fairtree_charge(&f, 1, 604800, 71 * 604800, 1), 0);
	TEST_EQ(used(&f, 1), 872541); /* 604800 / ln 2 */
}

/* Usage is the same by any half-life, and decays by the last one. */
TEST(another_half_life)
{
	static const int64_t lives[] = { 1, INT64_C(1) << 32, 604800, 60, 7 };
	struct fair_fairtree f;
	int64_t now = 10 * 604800, half_life;
	size_t i;

	tree_init(&f, 3);
	add_account(&f, 2, ROOT, 1);
	add_user(&f, 0, 2, 1, 0);
	add_user(&f, 1, ROOT, 1, 0);
	TEST_EQ(fair_fairtree_charge(&f, 0, now, now + 1, 4000), 0);
	TEST_EQ(fair_fairtree_charge(&f, 1, now, now + 1, 999), 0);
	TEST_EQ(fair_fairtree_charge_provisional(&f, 1, 8, 4), 0);
	for (i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		half_life = lives[i];
		TEST_EQ(fair_fairtree_set_half_life(&f, now, half_life, 1, 1),
			0);
		TEST_CHECK(fair_fairtree_is_like(&f, 3, half_life));
		TEST_EQ(fair_fairtree_check(&f), 0);
		TEST_EQ(fair_fairtree_provisional(&f), 0);
		TEST_EQ(f.node[0].usage / f.weight, 4000 >> i);
		TEST_EQ(f.node[2].usage, f.node[0].usage);
		TEST_EQ(order_of(&f), 10);
		now += half_life;
		TEST_EQ(fair_fairtree_pass_time(&f, now), 0);
		TEST_EQ(f.node[0].usage / f.weight, 4000 >> (i + 1));
	}
	/* Not at a time that is past; in units of a sixteenth. */
	TEST_EQ(fair_fairtree_set_half_life(&f, now - 7, 60, 1, 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_fairtree_set_half_life(&f, now, 60, 1, 16), 0);
	TEST_EQ(f.node[0].usage / f.weight / 16, 4000 >> i);
}

/* What is provisionally charged stays. */
TEST(reset)
{
	struct fair_fairtree f;

	tree_init(&f, 3);
	add_account(&f, 2, ROOT, 1);
	add_user(&f, 0, 2, 1, 50);
	add_user(&f, 1, 2, 1, 40);
	TEST_EQ(fair_fairtree_charge_provisional(&f, 1, 8, 4), 0);
	TEST_EQ(order_of(&f), 1); /* 0, then 1 */
	fair_fairtree_reset(&f);
	TEST_EQ(fair_fairtree_check(&f), 0);
	TEST_EQ(order_of(&f), 1);
	TEST_EQ(f.node[0].usage, 0);
	TEST_EQ(f.node[1].usage, 32 * f.weight);
	TEST_EQ(f.node[2].usage, 32 * f.weight);
	fair_fairtree_cancel_all(&f);
	TEST_EQ(f.node[2].usage, 0);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

/* Without its provisional charge user 1 is the first again. */
TEST(no_provisional_charges)
{
	struct fair_fairtree f;

	tree_init(&f, 2);
	add_user(&f, 0, ROOT, 1, 5);
	add_user(&f, 1, ROOT, 1, 4);
	TEST_OK(fair_fairtree_charge_provisional(&f, 1, 8, 4));
	TEST_EQ(fair_fairtree_next(&f), 0);
	fair_fairtree_cancel_all(&f);
	TEST_EQ(fair_fairtree_next(&f), 1);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

/* 2^63 is too much by the other half-life, and changes nothing. */
TEST(no_room_for_a_half_life)
{
	struct fair_fairtree f;
	uint64_t usage;

	tree_init(&f, 1);
	add_user(&f, 0, ROOT, 1, INT64_C(1) << 43);
	usage = f.node[0].usage;
	TEST_EQ(fair_fairtree_set_half_life(&f, 1, 1, 1, 1), -FAIR_EOVERFLOW);
	TEST_CHECK(fair_fairtree_is_like(&f, 1, 604800));
	TEST_EQ(f.node[0].usage, usage);
	TEST_EQ(fair_fairtree_charge(&f, 0, 1, 2, 1), 0);
	TEST_EQ(f.node[0].usage, usage + f.last.unit);
	TEST_EQ(fair_fairtree_set_half_life(&f, 1, 1, 1 << 20, 1), 0);
}

/* A bit less: usages are halved, the order stays; rates count as before. */
TEST(coarser)
{
	struct fair_fairtree f;
	uint64_t usage, weight;
	int64_t t;

	tree_init(&f, 2);
	add_user(&f, 0, ROOT, 1, 1000);
	add_user(&f, 1, ROOT, 1, 1001);
	TEST_OK(fair_fairtree_charge_provisional(&f, 0, 3, 5));
	for (t = 0; t < 2; t++) { /* the second that was charged last, too */
		TEST_OK(fair_fairtree_charge(&f, 1, t, t + 1, 1));
		usage = f.node[1].usage;
		weight = f.weight;
		TEST_OK(fair_fairtree_coarsen(&f));
		TEST_EQ(f.node[1].usage, usage / 2);
		TEST_EQ(f.weight, weight / 2);
		TEST_EQ(fair_fairtree_check(&f), 0);
		usage = f.node[1].usage;
		TEST_OK(fair_fairtree_charge(&f, 1, t, t + 1, 8));
		TEST_EQ(f.node[1].usage, usage + 8 * f.last.unit);
		TEST_CHECK(f.last.unit >> f.bits == 1);
	}
	while (f.bits > 1)
		TEST_OK(fair_fairtree_coarsen(&f));
	TEST_EQ(fair_fairtree_coarsen(&f), -FAIR_ERANGE);
	TEST_EQ(f.list[0].held, 15);
	TEST_OK(fair_fairtree_cancel_provisional(&f, 0, 3, 5));
	TEST_EQ(fair_fairtree_check(&f), 0);
}

/* The order is that of usage.h's readings, to its error. */
TEST(as_usage)
{
	static unsigned char ledger[4096];
	struct fair_usage u;
	struct fair_fairtree f;
	uint64_t random = 3, whole[8];
	uint32_t i, k;
	int64_t t = 0, t0;
	int round;

	fair_usage_init_half_life(&u, sizeof(u), ledger, sizeof(ledger), 8, 1,
				  1, 604800);
	tree_init(&f, 8);
	for (i = 0; i < 8; i++)
		add_user(&f, i, ROOT, 1, 0);
	for (round = 0; round < 3000; round++) {
		i = (uint32_t)test_range(&random, 0, 7);
		t0 = t;
		t += test_range(&random, 1, 5000);
		fair_usage_charge(&u, i, t0, t, 100);
		fair_fairtree_charge(&f, i, t0, t, 100);
	}
	fair_fairtree_sort(&f);
	for (i = 0; i < 8; i++)
		fair_usage_at(&u, i, t, &whole[i], NULL);
	for (i = 0; i < 8; i++)
		for (k = 0; k < 8; k++)
			TEST_CHECK(whole[i] + 2 >= whole[k] ||
				   fair_fairtree_rank(&f, i) >
					   fair_fairtree_rank(&f, k));
}

/* A provisional unit counts what one of that time is worth now. */
TEST(provisional_before_charges)
{
	struct fair_fairtree f;
	int64_t week = 604800;

	tree_init(&f, 2);
	add_user(&f, 0, ROOT, 1, 0);
	add_user(&f, 1, ROOT, 1, 0);
	TEST_EQ(fair_fairtree_charge(&f, 0, 3 * week, 3 * week + 1, 4), 0);
	TEST_EQ(fair_fairtree_charge_provisional(&f, 1, 8, 4), 0);
	TEST_EQ(fair_fairtree_pass_time(&f, week), 0);
	TEST_EQ(used(&f, 0), 4);
	TEST_EQ(used(&f, 1), 8); /* 32, two periods ago */
	TEST_EQ(fair_fairtree_pass_time(&f, 3 * week), 0);
	TEST_EQ(used(&f, 1), 32);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

TEST(largest)
{
	struct fair_fairtree f;
	int64_t most;

	tree_init(&f, 2);
	add_user(&f, 0, ROOT, 1, 0);
	add_user(&f, 1, ROOT, 1, 0);
	TEST_EQ(fair_fairtree_charge(&f, 0, 0, 1, 1), 0);
	most = (int64_t)(INT64_MAX / f.last.unit) - 1;
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 1, most + 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 1, most), 0);
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 1, INT64_MAX), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairtree_check(&f), 0);
	/* A period later there is room for as much again. */
	TEST_EQ(fair_fairtree_charge(&f, 1, 604800, 604801, most / 2 - 1), 0);
	TEST_EQ(fair_fairtree_charge(&f, 1, 604800, 604801, 9),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_fairtree_charge(&f, 1, 65 * 604800, 65 * 604800 + 1, most),
		0);
}

/* A provisional charge of 2^46 will be worth 2^62, in this period and after. */
TEST(largest_beside_a_provisional_charge)
{
	const uint64_t late = UINT64_C(1) << 62;
	struct fair_fairtree f;
	uint64_t room, unit;

	tree_init(&f, 2);
	add_user(&f, 0, ROOT, 1, 1);
	add_user(&f, 1, ROOT, 1, 0);
	unit = f.last.unit;
	TEST_OK(fair_fairtree_charge_provisional(&f, 1, INT64_C(1) << 46, 1));
	room = INT64_MAX - late - unit;
	TEST_EQ(fair_fairtree_charge(&f, 0, 0, 1, (int64_t)(room / unit) + 1),
		-FAIR_EOVERFLOW);
	TEST_OK(fair_fairtree_charge(&f, 0, 0, 1, (int64_t)(room / unit)));
	room = INT64_MAX - late - f.node[0].usage / 2;
	TEST_EQ(fair_fairtree_charge(&f, 0, 604800, 604801,
				     (int64_t)(room / unit) + 1),
		-FAIR_EOVERFLOW);
	TEST_OK(fair_fairtree_charge(&f, 0, 604800, 604801,
				     (int64_t)(room / unit)));
	TEST_EQ(fair_fairtree_check(&f), 0);
}

/* THE TREE */

/* What a removed user used stays above; what moves takes its usage along. */
TEST(usage_is_kept)
{
	struct fair_fairtree f;

	tree_init(&f, 9);
	add_account(&f, 6, ROOT, 1);
	add_account(&f, 7, ROOT, 1);
	add_user(&f, 0, 6, 1, 30);
	add_user(&f, 1, 6, 1, 10);
	add_user(&f, 2, 7, 1, 30);
	TEST_EQ(order_of(&f), 210);
	TEST_EQ(fair_fairtree_remove(&f, 0), 0);
	TEST_EQ(order_of(&f), 21);
	TEST_EQ(fair_fairtree_move(&f, 1, 7), 0);
	TEST_EQ(order_of(&f), 12);
	TEST_EQ(used(&f, 6), 30);
	TEST_EQ(used(&f, 7), 40);
	add_user(&f, 3, 6, 1, 0);
	TEST_EQ(order_of(&f), 312);
	TEST_EQ(fair_fairtree_remove(&f, 6), -FAIR_EINVAL);
	TEST_EQ(fair_fairtree_move(&f, 7, 6), 0);
	TEST_EQ(order_of(&f), 312);
	TEST_EQ(fair_fairtree_move(&f, 6, 7), -FAIR_EINVAL);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

/* An account with shares of its parent lifts its users to the others. */
TEST(lifted)
{
	struct fair_fairtree f;

	tree_init(&f, 9);
	add_account(&f, 6, ROOT, 1);
	add_account(&f, 7, 6, 1);
	add_user(&f, 0, 7, 1, 5);
	add_user(&f, 1, 7, 1, 3);
	add_user(&f, 2, 6, 1, 4);
	TEST_EQ(order_of(&f), 210);
	TEST_EQ(fair_fairtree_set_shares(&f, 7, PARENT), 0);
	TEST_EQ(order_of(&f), 120);
	/* It has children, although its level has none; they move with it. */
	TEST_EQ(fair_fairtree_remove(&f, 7), -FAIR_EINVAL);
	add_account(&f, 8, ROOT, PARENT);
	TEST_EQ(fair_fairtree_move(&f, 7, 8), 0);
	TEST_EQ(fair_fairtree_check(&f), 0);
	TEST_EQ(order_of(&f), 120);
	TEST_EQ(used(&f, 8), 8);
	TEST_EQ(fair_fairtree_set_shares(&f, 8, 1), 0);
	TEST_EQ(order_of(&f), 210);
	/* A user with shares of its parent comes first. */
	TEST_EQ(fair_fairtree_set_shares(&f, 0, PARENT), 0);
	TEST_EQ(order_of(&f), 201);
	TEST_EQ(fair_fairtree_check(&f), 0);
}

/* A user that ties with an account shares the rank of its best user, also if
 * that one is in an account within, and goes by its number. */
TEST(user_and_account)
{
	struct fair_fairtree f;

	tree_init(&f, 9);
	add_account(&f, 6, ROOT, 2);
	add_account(&f, 7, 6, 2);
	add_user(&f, 4, ROOT, 1, 3);
	add_user(&f, 0, 7, 1, 4);
	add_user(&f, 1, 7, 1, 0);
	add_user(&f, 2, 6, 1, 2);
	TEST_EQ(rank_of(&f, 4), 4);
	TEST_EQ(rank_of(&f, 2), 4);
	TEST_EQ(rank_of(&f, 1), 4);
	TEST_EQ(rank_of(&f, 0), 1);
	TEST_EQ(order_of(&f), 1240);
	/* The best user need not wait. */
	fair_fairtree_set_waiting(&f, 1, false);
	TEST_EQ(order_of(&f), 240);
	fair_fairtree_set_waiting(&f, 2, false);
	TEST_EQ(order_of(&f), 40);
	/* Empty accounts take no part. */
	add_account(&f, 8, 6, 5);
	TEST_EQ(rank_of(&f, 4), 4);
	TEST_EQ(order_of(&f), 40);
}

/* Of merged accounts the users may all come before the accounts below. */
TEST(merged_users_first)
{
	struct fair_fairtree f;

	tree_init(&f, 9);
	add_account(&f, 5, ROOT, 1);
	add_account(&f, 6, ROOT, 1);
	add_account(&f, 7, 5, 1);
	add_account(&f, 8, 6, 1);
	add_user(&f, 0, 7, 1, 6);
	add_user(&f, 1, 8, 1, 5);
	add_user(&f, 2, 5, 1, 1);
	add_user(&f, 3, 6, 1, 2);
	TEST_EQ(order_of(&f), 2310);
	TEST_EQ(rank_of(&f, 0), 1);
}

/* Accounts that tie need not be next to each other in the heap: it has 4 on top,
 * then 5, which has used more, and 6, which ties with 4. */
TEST(tie_on_the_right)
{
	struct fair_fairtree f;

	tree_init(&f, 7);
	add_account(&f, 4, ROOT, 1);
	add_account(&f, 5, ROOT, 1);
	add_account(&f, 6, ROOT, 1);
	add_user(&f, 3, 4, 1, 1);
	add_user(&f, 2, 5, 1, 2);
	add_user(&f, 1, 6, 1, 1);
	TEST_EQ(f.node[4].right, 6);
	TEST_EQ(order_of(&f), 132);
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 1, 4), 0);
	TEST_EQ(fair_fairtree_next(&f), 3);
	TEST_EQ(order_of(&f), 321);
}

/* Accounts that tie, in accounts that tie: their users decide. */
TEST(accounts_tie_twice)
{
	struct fair_fairtree f;
	uint32_t x, y, i;

	tree_init(&f, 8);
	for (i = 4; i < 6; i++) {
		add_account(&f, i, ROOT, 1);
		add_account(&f, i + 2, i, 1);
	}
	add_user(&f, 0, 6, 1, 3);
	add_user(&f, 1, 6, 1, 1);
	add_user(&f, 2, 7, 1, 2);
	add_user(&f, 3, 7, 1, 2);
	TEST_EQ(order_of(&f), 1230);
	TEST_CHECK(fair_fairtree_compare_users(&f, 0, 2, &x, &y) > 0);
	TEST_CHECK(x == 0 && y == 2);
	TEST_CHECK(fair_fairtree_compare_users(&f, 1, 2, &x, &y) < 0);
	TEST_EQ(fair_fairtree_compare_users(&f, 2, 3, &x, &y), 0);
}

/* A heap of 100 users, which any one may leave. */
TEST(a_large_heap)
{
	struct fair_fairtree f;
	uint32_t i;

	tree_init(&f, 100);
	for (i = 0; i < 100; i++)
		add_user(&f, i, ROOT, 1, i * 37 % 101);
	for (i = 0; i < 100; i++) {
		TEST_OK(fair_fairtree_set_waiting(&f, i * 63 % 100, false));
		TEST_EQ(fair_fairtree_check(&f), 0);
	}
}

/* Products of 256 bits: of merged accounts, users that differ by 1 of 2^40. */
TEST(merged_large_usages)
{
	const int64_t large = INT64_C(1) << 40;
	struct fair_fairtree f;

	tree_init(&f, 6);
	add_account(&f, 4, ROOT, 1 << 20);
	add_account(&f, 5, ROOT, 1 << 20);
	add_user(&f, 0, 4, 1 << 30, large);
	add_user(&f, 1, 4, 1 << 30, large);
	add_user(&f, 2, 5, 1 << 30, large + 1);
	add_user(&f, 3, 5, 1 << 30, large - 1);
	TEST_EQ(order_of(&f), 3012);
	TEST_EQ(rank_of(&f, 3), 4);
	TEST_EQ(rank_of(&f, 0), 3);
	TEST_EQ(rank_of(&f, 1), 3);
	TEST_EQ(rank_of(&f, 2), 1);
}

TEST(no_user)
{
	struct fair_fairtree f;

	tree_init(&f, 2);
	fair_fairtree_sort(&f);
	TEST_EQ(fair_fairtree_users(&f), 0);
	TEST_EQ(fair_fairtree_next(&f), FAIR_FAIRTREE_NONE);
	TEST_EQ(fair_fairtree_check(&f), 0);
	add_user(&f, 0, ROOT, 1, 1);
	TEST_EQ(fair_fairtree_set_waiting(&f, 0, true), 0);
	TEST_EQ(order_of(&f), 0);
	TEST_EQ(fair_fairtree_next(&f), 0);
}
