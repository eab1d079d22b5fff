/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that fairtree.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "policies/fairtree.h"
#include "leaf_faults.h"

static void inits(struct fair_fairtree *f, void *memory, size_t bytes)
{
	size_t n = sizeof(*f);

	FAULT("fair_fairtree_init: -FAIR_EINVAL no tree",
	      fair_fairtree_init(NULL, n, memory, bytes, 4, 10));
	FAULT("fair_fairtree_init: -FAIR_EINVAL a struct of another size",
	      fair_fairtree_init(f, n - 1, memory, bytes, 4, 10));
	FAULT("fair_fairtree_init: -FAIR_EINVAL no memory",
	      fair_fairtree_init(f, n, NULL, bytes, 4, 10));
	FAULT("fair_fairtree_init: -FAIR_EINVAL no nodes",
	      fair_fairtree_init(f, n, memory, bytes, 0, 10));
	FAULT("fair_fairtree_init: -FAIR_EINVAL no half-life",
	      fair_fairtree_init(f, n, memory, bytes, 4, 0));
	FAULT("fair_fairtree_init: -FAIR_EINVAL a half-life above the most",
	      fair_fairtree_init(f, n, memory, bytes, 4,
				 FAIR_USAGE_HALF_LIFE + 1));
	FAULT("fair_fairtree_init: -FAIR_ENOMEM one byte less",
	      fair_fairtree_init(f, n, memory, bytes - 1, 4, 10));
}

/* 0: an account, below it 1: a user, 2: an account; 3 is free. */
static void changes(struct fair_fairtree *f)
{
	FAULT("fair_fairtree_add_account: -FAIR_EINVAL no such number",
	      fair_fairtree_add_account(f, 4, FAIR_FAIRTREE_ROOT, 1));
	FAULT("fair_fairtree_add_account: -FAIR_EINVAL a number in use",
	      fair_fairtree_add_account(f, 1, FAIR_FAIRTREE_ROOT, 1));
	FAULT("fair_fairtree_add_account: -FAIR_EINVAL below a user",
	      fair_fairtree_add_account(f, 3, 1, 1));
	FAULT("fair_fairtree_add_user: -FAIR_EINVAL a number in use",
	      fair_fairtree_add_user(f, 0, FAIR_FAIRTREE_ROOT, 1));
	FAULT("fair_fairtree_add_user: -FAIR_EINVAL below nothing",
	      fair_fairtree_add_user(f, 3, 4, 1));
	FAULT("fair_fairtree_remove: -FAIR_EINVAL no such node",
	      fair_fairtree_remove(f, 3));
	FAULT("fair_fairtree_remove: -FAIR_EINVAL an account with children",
	      fair_fairtree_remove(f, 0));
	FAULT("fair_fairtree_move: -FAIR_EINVAL no such node",
	      fair_fairtree_move(f, 4, 0));
	FAULT("fair_fairtree_move: -FAIR_EINVAL below a user",
	      fair_fairtree_move(f, 2, 1));
	FAULT("fair_fairtree_move: -FAIR_EINVAL below itself",
	      fair_fairtree_move(f, 0, 2));
	FAULT("fair_fairtree_set_shares: -FAIR_EINVAL no such node",
	      fair_fairtree_set_shares(f, 3, 1));
	FAULT("fair_fairtree_charge: -FAIR_EINVAL an account",
	      fair_fairtree_charge(f, 0, 0, 1, 1));
	FAULT("fair_fairtree_charge: -FAIR_EINVAL before time 0",
	      fair_fairtree_charge(f, 1, -1, 1, 1));
	FAULT("fair_fairtree_charge: -FAIR_EINVAL ends before it begins",
	      fair_fairtree_charge(f, 1, 1, 0, 1));
	FAULT("fair_fairtree_charge: -FAIR_EINVAL a rate below 0",
	      fair_fairtree_charge(f, 1, 0, 1, -1));
	FAULT("fair_fairtree_charge: -FAIR_EOVERFLOW more than a word",
	      fair_fairtree_charge(f, 1, 0, 5, INT64_MAX));
	FAULT("fair_fairtree_charge: -FAIR_EOVERFLOW in a later period",
	      fair_fairtree_charge(f, 1, 0, 50, INT64_MAX / 50));
	FAULT("fair_fairtree_charge_provisional: -FAIR_EINVAL an account",
	      fair_fairtree_charge_provisional(f, 0, 1, 1));
	FAULT("fair_fairtree_charge_provisional: -FAIR_EINVAL a rate below 0",
	      fair_fairtree_charge_provisional(f, 1, -1, 1));
	FAULT("fair_fairtree_charge_provisional: -FAIR_EINVAL below 0 s",
	      fair_fairtree_charge_provisional(f, 1, 1, -1));
	FAULT("fair_fairtree_charge_provisional: -FAIR_EOVERFLOW above 2^63",
	      fair_fairtree_charge_provisional(f, 1, 1, INT64_MAX / 2));
	FAULT("fair_fairtree_charge_provisional: -FAIR_EOVERFLOW two words",
	      fair_fairtree_charge_provisional(f, 1, INT64_MAX, INT64_MAX));
	FAULT("fair_fairtree_cancel_provisional: -FAIR_EINVAL an account",
	      fair_fairtree_cancel_provisional(f, 0, 1, 1));
	FAULT("fair_fairtree_cancel_provisional: -FAIR_EINVAL a rate below 0",
	      fair_fairtree_cancel_provisional(f, 1, -1, 1));
	FAULT("fair_fairtree_cancel_provisional: -FAIR_EINVAL below 0 s",
	      fair_fairtree_cancel_provisional(f, 1, 1, -1));
	FAULT("fair_fairtree_cancel_provisional: -FAIR_ERANGE more than is",
	      fair_fairtree_cancel_provisional(f, 1, 1, 1));
	FAULT("fair_fairtree_cancel_provisional: -FAIR_ERANGE two words",
	      fair_fairtree_cancel_provisional(f, 1, INT64_MAX, INT64_MAX));
	FAULT("fair_fairtree_pass_time: -FAIR_EINVAL before time 0",
	      fair_fairtree_pass_time(f, -1));
	TEST_EQ(fair_fairtree_charge_provisional(f, 1, 3, 4), 0);
	TEST_EQ(fair_fairtree_remove(f, 1), -FAIR_EINVAL);
	TEST_EQ(fair_fairtree_cancel_provisional(f, 1, 3, 4), 0);
	FAULT("fair_fairtree_set_waiting: -FAIR_EINVAL an account",
	      fair_fairtree_set_waiting(f, 2, true));
}

static void queries(const struct fair_fairtree *f, void *other, size_t bytes)
{
	struct fair_fairtree copy;
	struct fair_fairtree_part part;
	uint32_t x = 9, y = 9;

	keep(&out, sizeof(out));
	memset(&copy, FILL, sizeof(copy));
	memset(&part, FILL, sizeof(part));
	keep(&copy, sizeof(copy));
	keep(&part, sizeof(part));
	keep(&x, sizeof(x));
	FAULT("fair_fairtree_part_of: -FAIR_EINVAL no such node",
	      fair_fairtree_part_of(f, 3, &part));
	FAULT("fair_fairtree_branch: -FAIR_EINVAL an account",
	      fair_fairtree_branch(f, 0, 1, &x, &y));
	FAULT("fair_fairtree_branch: -FAIR_EINVAL an account",
	      fair_fairtree_branch(f, 1, 0, &x, &y));
	FAULT("fair_fairtree_branch: -FAIR_EINVAL one user twice",
	      fair_fairtree_branch(f, 1, 1, &x, &y));
	FAULT("fair_fairtree_clone: -FAIR_ENOMEM one byte less",
	      fair_fairtree_clone(&copy, other, bytes - 1, f));
	forget();
	TEST_EQ(fair_fairtree_clone(&copy, other, bytes, f), 0);
	TEST_EQ(fair_fairtree_check(&copy), 0);
}

TEST(tree)
{
	size_t bytes = fair_fairtree_size(4);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_fairtree f;

	memset(&out, FILL, sizeof(out));
	memset(&f, FILL, sizeof(f));
	keep(&f, sizeof(f));
	keep(memory, bytes);
	inits(&f, memory, bytes);
	forget();
	TEST_EQ(fair_fairtree_init(&f, sizeof(f), memory, bytes, 4, 10), 0);
	TEST_EQ(fair_fairtree_add_account(&f, 0, FAIR_FAIRTREE_ROOT, 1), 0);
	TEST_EQ(fair_fairtree_add_user(&f, 1, 0, 1), 0);
	TEST_EQ(fair_fairtree_add_account(&f, 2, 0, 1), 0);
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 5, 100), 0);
	TEST_EQ(fair_fairtree_set_waiting(&f, 1, true), 0);
	fair_fairtree_sort(&f);
	keep(&f, sizeof(f));
	keep(memory, bytes);
	changes(&f);
	queries(&f, other, bytes);
	leave();
}
