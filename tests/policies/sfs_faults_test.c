/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that sfs.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "policies/sfs.h"
#include "tests/leaf_faults.h"

static void sfs_targets(void)
{
	struct fair_sfs_allocation a = { 100, 10, 1, 1 }, bad = a;

	FAULT(fair_sfs_target(NULL, &out.a), EINVAL, "no allocation");
	FAULT(fair_sfs_target(&a, NULL), EINVAL, "nowhere to write");
	bad.award = -1;
	FAULT(fair_sfs_target(&bad, &out.a), EINVAL, "an award below 0");
	bad = a;
	bad.period = 0;
	FAULT(fair_sfs_target(&bad, &out.a), EINVAL, "no period");
	bad = a;
	bad.factor = -1;
	FAULT(fair_sfs_target(&bad, &out.a), EINVAL, "a factor below 0");
	bad = a;
	bad.unit = 0;
	FAULT(fair_sfs_target(&bad, &out.a), EINVAL, "a factor without unit");
	bad = a;
	bad.award = bad.period * ((int64_t)INT32_MAX + 1);
	FAULT(fair_sfs_target(&bad, &out.a), EOVERFLOW, "above INT32_MAX");
}

TEST(sfs)
{
	size_t bytes = fair_sfs_size(2), n = sizeof(struct fair_sfs);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_sfs s, copy;

	memset(&s, FILL, n);
	memset(&copy, FILL, n);
	keep(&s, n);
	keep(memory, bytes);
	FAULT(fair_sfs_init(NULL, n, memory, bytes, 2), EINVAL, "no accounts");
	FAULT(fair_sfs_init(&s, n + 1, memory, bytes, 2),
	      EINVAL, "a struct of another size");
	FAULT(fair_sfs_init(&s, n, NULL, bytes, 2), EINVAL, "no memory");
	FAULT(fair_sfs_init(&s, n, memory, bytes - 1, 2),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_sfs_init(&s, n, memory, bytes, 2), 0);
	TEST_EQ(fair_sfs_start(&s, 0, 6), 0);
	keep(&s, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	sfs_targets();
	FAULT(fair_sfs_set_target(NULL, 0, 1), EINVAL, "no accounts");
	FAULT(fair_sfs_set_target(&s, 2, 1), EINVAL, "no such account");
	FAULT(fair_sfs_set_target(&s, 0, -1), EINVAL, "below 0");
	FAULT(fair_sfs_set_target(&s, 0, (int64_t)INT32_MAX + 1),
	      EINVAL, "above INT32_MAX");
	FAULT(fair_sfs_start(NULL, 0, 1), EINVAL, "no accounts");
	FAULT(fair_sfs_start(&s, 2, 1), EINVAL, "no such account");
	FAULT(fair_sfs_start(&s, 0, 0), EINVAL, "no processor");
	FAULT(fair_sfs_finish(NULL, 0, 1), EINVAL, "no accounts");
	FAULT(fair_sfs_finish(&s, 2, 1), EINVAL, "no such account");
	FAULT(fair_sfs_finish(&s, 0, 0), EINVAL, "no processor");
	FAULT(fair_sfs_finish(&s, 0, 7), ERANGE, "fewer run");
	FAULT(fair_sfs_occupancy(NULL, 0, &out.a, &out.b),
	      EINVAL, "no accounts");
	FAULT(fair_sfs_occupancy(&s, 2, &out.a, &out.b),
	      EINVAL, "no such account");
	FAULT(fair_sfs_occupancy(&s, 0, NULL, &out.b),
	      EINVAL, "nowhere to write it");
	FAULT(fair_sfs_occupancy(&s, 0, &out.a, NULL),
	      EINVAL, "nowhere to write its target");
	FAULT(fair_sfs_clone(&copy, other, bytes, NULL), EINVAL, "no accounts");
	FAULT(fair_sfs_clone(&copy, NULL, bytes, &s), EINVAL, "no memory");
	FAULT(fair_sfs_clone(NULL, other, bytes, &s), EINVAL, "no copy");
	FAULT(fair_sfs_clone(&copy, other, bytes - 1, &s),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_sfs_clone(&copy, other, bytes, &s), 0);
	s.busy = s.allocation[0].occupancy = INT64_MAX - 6;
	keep(&s, n);
	keep(memory, bytes);
	FAULT(fair_sfs_start(&s, 1, 7), EOVERFLOW, "one too many");
	TEST_OK(fair_sfs_start(&s, 1, 6));
	leave();
}
