/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that quotas.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "quotas.h"
#include "tests/leaf_faults.h"

TEST(limits)
{
	enum { KINDS = 3, LIMITS = 2, JOBS = 4 };
	size_t bytes = fair_quotas_size(KINDS, LIMITS, JOBS, KINDS);
	size_t n = sizeof(struct fair_quotas);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_quotas l, copy;
	struct fair_quotas_of of[KINDS];
	uint32_t i, slot;

	memset(&l, FILL, n);
	keep(&l, n);
	keep(memory, bytes);
	FAULT(fair_quotas_init(NULL, n, memory, bytes, KINDS, LIMITS, JOBS,
			       KINDS),
	      EINVAL, "no limits");
	FAULT(fair_quotas_init(&l, n + 1, memory, bytes, KINDS, LIMITS, JOBS,
			       KINDS),
	      EINVAL, "a struct of another size");
	FAULT(fair_quotas_init(&l, n, NULL, bytes, KINDS, LIMITS, JOBS,
			       KINDS),
	      EINVAL, "no memory");
	FAULT(fair_quotas_init(&l, n, memory, bytes - 1, KINDS, LIMITS, JOBS,
			       KINDS),
	      ENOMEM, "one byte less");
	FAULT(fair_quotas_init(&l, n, memory, bytes, KINDS, 0, JOBS,
			       KINDS),
	      ENOMEM, "no size");
	forget();
	TEST_OK(fair_quotas_init(&l, n, memory, bytes, KINDS, LIMITS, JOBS,
				 KINDS));
	TEST_OK(fair_quotas_set(&l, 0, FAIR_QUOTAS_EACH, 4));
	TEST_OK(fair_quotas_set(&l, 1, FAIR_QUOTAS_EACH, 4));
	for (slot = 0; slot < JOBS; slot++) {
		for (i = 0; i < KINDS; i++) {
			of[i].what = i;
			of[i].whose = slot;
			of[i].part = 0;
			of[i].amount = 1;
		}
		fair_quotas_join(&l, slot, of, KINDS);
		fair_quotas_hold(&l, slot, slot, 10 + slot);
	}
	keep(&l, n);
	keep(memory, bytes);
	keep(&copy, n);
	FAULT(fair_quotas_set(&l, KINDS, 1, 1), EINVAL, "no kind");
	FAULT(fair_quotas_set(&l, 0, 1, -1), EINVAL, "a negative amount");
	FAULT(fair_quotas_set(&l, 0, 1, 1), ENOSPC, "one too many");
	FAULT(fair_quotas_set(&l, 2, FAIR_QUOTAS_EACH, 1), ENOSPC,
	      "one too many of each");
	FAULT(fair_quotas_clone(&copy, other, bytes - 1, &l), ENOMEM,
	      "one byte less");
	forget();
	TEST_OK(fair_quotas_clone(&copy, other, bytes, &l));
	for (slot = 0; slot < JOBS; slot++)
		fair_quotas_copy_job(&copy, slot, &l, slot);
	TEST_EQ(fair_quotas_check(&copy), 0);
	for (slot = 0; slot < JOBS; slot++)
		fair_quotas_leave(&copy, slot);
	TEST_EQ(fair_quotas_check(&copy), 0);
	leave();
}
