/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that fairtree.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/fairtree.h"
#include "tests/leaf_faults.h"

static void inits(struct fair_fairtree *f, void *memory, size_t bytes)
{
	size_t n = sizeof(*f);

	FAULT(fair_fairtree_init(NULL, n, memory, bytes, 4, 10),
	      EINVAL, "no tree");
	FAULT(fair_fairtree_init(f, n - 1, memory, bytes, 4, 10),
	      EINVAL, "a struct of another size");
	FAULT(fair_fairtree_init(f, n, NULL, bytes, 4, 10),
	      EINVAL, "no memory");
	FAULT(fair_fairtree_init(f, n, memory, bytes, 0, 10),
	      EINVAL, "no nodes");
	FAULT(fair_fairtree_init(f, n, memory, bytes, 4, 0),
	      EINVAL, "no half-life");
	FAULT(fair_fairtree_init(f, n, memory, bytes, 4,
				 FAIR_USAGE_HALF_LIFE + 1),
	      EINVAL, "a half-life above the most");
	FAULT(fair_fairtree_init(f, n, memory, bytes - 1, 4, 10),
	      ENOMEM, "one byte less");
}

/* 0: an account, below it 1: a user, 2: an account; 3 is free. */
static void changes(struct fair_fairtree *f)
{
	FAULT(fair_fairtree_add_account(f, 4, FAIR_FAIRTREE_ROOT, 1),
	      EINVAL, "no such number");
	FAULT(fair_fairtree_add_account(f, 1, FAIR_FAIRTREE_ROOT, 1),
	      EINVAL, "a number in use");
	FAULT(fair_fairtree_add_account(f, 3, 1, 1), EINVAL, "below a user");
	FAULT(fair_fairtree_add_user(f, 0, FAIR_FAIRTREE_ROOT, 1),
	      EINVAL, "a number in use");
	FAULT(fair_fairtree_add_user(f, 3, 4, 1), EINVAL, "below nothing");
	FAULT(fair_fairtree_remove(f, 3), EINVAL, "no such node");
	FAULT(fair_fairtree_remove(f, 0), EINVAL, "an account with children");
	FAULT(fair_fairtree_move(f, 4, 0), EINVAL, "no such node");
	FAULT(fair_fairtree_move(f, 2, 1), EINVAL, "below a user");
	FAULT(fair_fairtree_move(f, 0, 2), EINVAL, "below itself");
	FAULT(fair_fairtree_set_shares(f, 3, 1), EINVAL, "no such node");
	FAULT(fair_fairtree_charge(f, 0, 0, 1, 1), EINVAL, "an account");
	FAULT(fair_fairtree_charge(f, 1, -1, 1, 1), EINVAL, "before time 0");
	FAULT(fair_fairtree_charge(f, 1, 1, 0, 1),
	      EINVAL, "ends before it begins");
	FAULT(fair_fairtree_charge(f, 1, 0, 1, -1), EINVAL, "a rate below 0");
	FAULT(fair_fairtree_charge(f, 1, 0, 5, INT64_MAX),
	      EOVERFLOW, "more than a word");
	FAULT(fair_fairtree_charge(f, 1, 0, 50, INT64_MAX / 50),
	      EOVERFLOW, "in a later period");
	FAULT(fair_fairtree_charge_provisional(f, 0, 1, 1),
	      EINVAL, "an account");
	FAULT(fair_fairtree_charge_provisional(f, 1, -1, 1),
	      EINVAL, "a rate below 0");
	FAULT(fair_fairtree_charge_provisional(f, 1, 1, -1),
	      EINVAL, "below 0 s");
	FAULT(fair_fairtree_charge_provisional(f, 1, 1, INT64_MAX / 2),
	      EOVERFLOW, "above 2^63");
	FAULT(fair_fairtree_charge_provisional(f, 1, INT64_MAX, INT64_MAX),
	      EOVERFLOW, "two words");
	FAULT(fair_fairtree_cancel_provisional(f, 0, 1, 1),
	      EINVAL, "an account");
	FAULT(fair_fairtree_cancel_provisional(f, 1, -1, 1),
	      EINVAL, "a rate below 0");
	FAULT(fair_fairtree_cancel_provisional(f, 1, 1, -1),
	      EINVAL, "below 0 s");
	FAULT(fair_fairtree_cancel_provisional(f, 1, 1, 1),
	      ERANGE, "more than is");
	FAULT(fair_fairtree_cancel_provisional(f, 1, INT64_MAX, INT64_MAX),
	      ERANGE, "two words");
	FAULT(fair_fairtree_pass_time(f, -1), EINVAL, "before time 0");
	FAULT(fair_fairtree_set_half_life(f, -1, 5, 1, 1),
	      EINVAL, "before time 0");
	FAULT(fair_fairtree_set_half_life(f, 0, 0, 1, 1),
	      EINVAL, "no half-life");
	FAULT(fair_fairtree_set_half_life(f, 0, FAIR_USAGE_HALF_LIFE + 1, 1, 1),
	      EINVAL, "a half-life above the most");
	FAULT(fair_fairtree_set_half_life(f, 0, 5, 0, 1), EINVAL, "no unit");
	FAULT(fair_fairtree_set_half_life(f, 0, 5, FAIR_FAIRTREE_UNITS + 1, 1),
	      EINVAL, "a unit above the most");
	FAULT(fair_fairtree_set_half_life(f, 0, 5, 1, 0), EINVAL, "no unit");
	FAULT(fair_fairtree_set_half_life(f, 0, 5, 1, FAIR_FAIRTREE_UNITS + 1),
	      EINVAL, "a unit above the most");
	TEST_EQ(fair_fairtree_charge_provisional(f, 1, 3, 4), 0);
	TEST_EQ(fair_fairtree_remove(f, 1), -FAIR_EINVAL);
	TEST_EQ(fair_fairtree_cancel_provisional(f, 1, 3, 4), 0);
	FAULT(fair_fairtree_set_waiting(f, 2, true), EINVAL, "an account");
	FAULT(fair_fairtree_set_half_life(f, 0, 10, 1, FAIR_FAIRTREE_UNITS),
	      EOVERFLOW, "what is used is 2^63 then");
}

static void queries(const struct fair_fairtree *f, void *other, size_t bytes)
{
	struct fair_fairtree copy;
	struct fair_fairtree_part part;
	struct fair_fairtree_info info;
	uint32_t x = 9, y = 9;

	keep(&out, sizeof(out));
	memset(&copy, FILL, sizeof(copy));
	memset(&part, FILL, sizeof(part));
	memset(&info, FILL, sizeof(info));
	keep(&copy, sizeof(copy));
	keep(&part, sizeof(part));
	keep(&info, sizeof(info));
	keep(&x, sizeof(x));
	FAULT(fair_fairtree_part_of(f, 3, &part), EINVAL, "no such node");
	FAULT(fair_fairtree_info_of(f, 3, &info), EINVAL, "no such node");
	FAULT(fair_fairtree_branch(f, 0, 1, &x, &y), EINVAL, "an account");
	FAULT(fair_fairtree_branch(f, 1, 0, &x, &y), EINVAL, "an account");
	FAULT(fair_fairtree_branch(f, 1, 1, &x, &y), EINVAL, "one user twice");
	FAULT(fair_fairtree_clone(&copy, other, bytes - 1, f),
	      ENOMEM, "one byte less");
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
	TEST_EQ(fair_fairtree_charge(&f, 1, 0, 5, 1 << 20), 0);
	TEST_EQ(fair_fairtree_set_waiting(&f, 1, true), 0);
	fair_fairtree_sort(&f);
	keep(&f, sizeof(f));
	keep(memory, bytes);
	changes(&f);
	queries(&f, other, bytes);
	while (!fair_fairtree_coarsen(&f))
		;
	FAILS(fair_fairtree_coarsen(&f), ERANGE, "no bit to take off");
	leave();
}
