/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that sfs.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "policies/sfs.h"
#include "leaf_faults.h"

static void sfs_targets(void)
{
	struct fair_sfs_allocation a = { 100, 10, 1, 1 }, bad = a;

	FAULT("fair_sfs_ideal: -FAIR_EINVAL no allocation",
	      fair_sfs_ideal(NULL, &out.a));
	FAULT("fair_sfs_ideal: -FAIR_EINVAL nowhere to write",
	      fair_sfs_ideal(&a, NULL));
	FAULT("fair_sfs_target: -FAIR_EINVAL no allocation",
	      fair_sfs_target(NULL, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL nowhere to write",
	      fair_sfs_target(&a, NULL));
	bad.award = -1;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL an award below 0",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL an award below 0",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.period = 0;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL no period",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL no period",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.factor = -1;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL a factor below 0",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL a factor below 0",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.unit = 0;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL a factor without unit",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL a factor without unit",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.award = INT64_MAX;
	FAULT("fair_sfs_ideal: -FAIR_EOVERFLOW too many processors",
	      fair_sfs_ideal(&bad, &out.a));
	bad.award = bad.period * ((int64_t)INT32_MAX + 1);
	FAULT("fair_sfs_target: -FAIR_EOVERFLOW above INT32_MAX",
	      fair_sfs_target(&bad, &out.a));
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
	FAULT("fair_sfs_init: -FAIR_EINVAL no accounts",
	      fair_sfs_init(NULL, n, memory, bytes, 2));
	FAULT("fair_sfs_init: -FAIR_EINVAL a struct of another size",
	      fair_sfs_init(&s, n + 1, memory, bytes, 2));
	FAULT("fair_sfs_init: -FAIR_EINVAL no memory",
	      fair_sfs_init(&s, n, NULL, bytes, 2));
	FAULT("fair_sfs_init: -FAIR_ENOMEM one byte less",
	      fair_sfs_init(&s, n, memory, bytes - 1, 2));
	forget();
	TEST_EQ(fair_sfs_init(&s, n, memory, bytes, 2), 0);
	TEST_EQ(fair_sfs_start(&s, 0, 6), 0);
	keep(&s, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	sfs_targets();
	FAULT("fair_sfs_set_target: -FAIR_EINVAL no accounts",
	      fair_sfs_set_target(NULL, 0, 1));
	FAULT("fair_sfs_set_target: -FAIR_EINVAL no such account",
	      fair_sfs_set_target(&s, 2, 1));
	FAULT("fair_sfs_set_target: -FAIR_EINVAL below 0",
	      fair_sfs_set_target(&s, 0, -1));
	FAULT("fair_sfs_set_target: -FAIR_EINVAL above INT32_MAX",
	      fair_sfs_set_target(&s, 0, (int64_t)INT32_MAX + 1));
	FAULT("fair_sfs_start: -FAIR_EINVAL no accounts",
	      fair_sfs_start(NULL, 0, 1));
	FAULT("fair_sfs_start: -FAIR_EINVAL no such account",
	      fair_sfs_start(&s, 2, 1));
	FAULT("fair_sfs_start: -FAIR_EINVAL no processor",
	      fair_sfs_start(&s, 0, 0));
	FAULT("fair_sfs_finish: -FAIR_EINVAL no accounts",
	      fair_sfs_finish(NULL, 0, 1));
	FAULT("fair_sfs_finish: -FAIR_EINVAL no such account",
	      fair_sfs_finish(&s, 2, 1));
	FAULT("fair_sfs_finish: -FAIR_EINVAL no processor",
	      fair_sfs_finish(&s, 0, 0));
	FAULT("fair_sfs_finish: -FAIR_ERANGE fewer run",
	      fair_sfs_finish(&s, 0, 7));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL no accounts",
	      fair_sfs_occupancy(NULL, 0, &out.a, &out.b));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL no such account",
	      fair_sfs_occupancy(&s, 2, &out.a, &out.b));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL nowhere to write it",
	      fair_sfs_occupancy(&s, 0, NULL, &out.b));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL nowhere to write its target",
	      fair_sfs_occupancy(&s, 0, &out.a, NULL));
	FAULT("fair_sfs_clone: -FAIR_EINVAL no accounts",
	      fair_sfs_clone(&copy, other, bytes, NULL));
	FAULT("fair_sfs_clone: -FAIR_EINVAL no memory",
	      fair_sfs_clone(&copy, NULL, bytes, &s));
	FAULT("fair_sfs_clone: -FAIR_EINVAL no copy",
	      fair_sfs_clone(NULL, other, bytes, &s));
	FAULT("fair_sfs_clone: -FAIR_ENOMEM one byte less",
	      fair_sfs_clone(&copy, other, bytes - 1, &s));
	forget();
	TEST_EQ(fair_sfs_clone(&copy, other, bytes, &s), 0);
	s.busy = s.allocation[0].occupancy = INT64_MAX - 6;
	keep(&s, n);
	keep(memory, bytes);
	FAULT("fair_sfs_start: -FAIR_EOVERFLOW one too many",
	      fair_sfs_start(&s, 1, 7));
	leave();
}
