/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that relshare.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "policies/relshare.h"
#include "leaf_faults.h"

static void relshare_init(struct fair_relshare *r, void *memory, size_t bytes,
			  const struct fair_relshare_config *good)
{
	const int64_t late = (INT64_C(1) << 62) + 1;
	struct fair_relshare_config bad[10], huge = *good;
	size_t n = sizeof(*r), i;

	for (i = 0; i < 10; i++)
		bad[i] = *good;
	bad[0].users = 0;
	bad[1].users = FAIR_RELSHARE_USERS + 1;
	bad[2].jobs = 0;
	bad[3].jobs = FAIR_RELSHARE_JOBS + 1;
	bad[4].procs = 0;
	bad[5].window = 0;
	bad[6].origin = -late;
	bad[7].origin = late;
	bad[8].first = -late;
	bad[9].first = late;
	keep(r, n);
	keep(memory, bytes);
	FAULT("fair_relshare_init: -FAIR_EINVAL nothing",
	      fair_relshare_init(NULL, n, memory, bytes, good));
	FAULT("fair_relshare_init: -FAIR_EINVAL a struct of another size",
	      fair_relshare_init(r, n + 1, memory, bytes, good));
	FAULT("fair_relshare_init: -FAIR_EINVAL no memory",
	      fair_relshare_init(r, n, NULL, bytes, good));
	FAULT("fair_relshare_init: -FAIR_EINVAL no config",
	      fair_relshare_init(r, n, memory, bytes, NULL));
	for (i = 0; i < 10; i++) {
		TEST_EQ(fair_relshare_size(&bad[i]), 0);
		FAULT("fair_relshare_init: -FAIR_EINVAL a config out of range",
		      fair_relshare_init(r, n, memory, bytes, &bad[i]));
	}
	huge.window = (INT64_C(1) << 59) / huge.procs + 1;
	FAULT("fair_relshare_init: -FAIR_EOVERFLOW a window too long",
	      fair_relshare_init(r, n, memory, bytes, &huge));
	FAULT("fair_relshare_init: -FAIR_ENOMEM one byte less",
	      fair_relshare_init(r, n, memory, bytes - 1, good));
	forget();
}

/* It is 5, of a window of 100: job 0 waits, job 1 runs; slot 2 is free. */
static void relshare_events(struct fair_relshare *r)
{
	const int64_t late = (INT64_C(1) << 62) + 1;

	FAULT("fair_relshare_share: -FAIR_EINVAL the clock goes back",
	      fair_relshare_share(r, 4, 0, 1));
	FAULT("fair_relshare_share: -FAIR_EINVAL no such user",
	      fair_relshare_share(r, 5, 2, 1));
	FAULT("fair_relshare_share: -FAIR_EINVAL too many shares",
	      fair_relshare_share(r, 5, 0, FAIR_RELSHARE_SHARES + 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL the clock goes back",
	      fair_relshare_submit(r, 4, 2, 0, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL no such slot",
	      fair_relshare_submit(r, 5, 3, 0, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL a slot in use",
	      fair_relshare_submit(r, 5, 0, 0, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL no such user",
	      fair_relshare_submit(r, 5, 2, 2, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL no processor",
	      fair_relshare_submit(r, 5, 2, 0, 0));
	FAULT("fair_relshare_start: -FAIR_EINVAL the clock goes back",
	      fair_relshare_start(r, 4, 0, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL no such slot",
	      fair_relshare_start(r, 5, 3, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL a free slot",
	      fair_relshare_start(r, 5, 2, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL it runs",
	      fair_relshare_start(r, 5, 1, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL ends in the past",
	      fair_relshare_start(r, 5, 0, 4));
	FAULT("fair_relshare_start: -FAIR_ERANGE more than are free",
	      fair_relshare_start(r, 5, 0, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL the clock goes back",
	      fair_relshare_plan(r, 4, 1, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL no such slot",
	      fair_relshare_plan(r, 5, 3, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL it waits",
	      fair_relshare_plan(r, 5, 0, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL ends in the past",
	      fair_relshare_plan(r, 5, 1, 4));
	FAULT("fair_relshare_finish: -FAIR_EINVAL the clock goes back",
	      fair_relshare_finish(r, 4, 1));
	FAULT("fair_relshare_finish: -FAIR_EINVAL no such slot",
	      fair_relshare_finish(r, 5, 3));
	FAULT("fair_relshare_finish: -FAIR_EINVAL a free slot",
	      fair_relshare_finish(r, 5, 2));
	FAULT("fair_relshare_capacity: -FAIR_EINVAL the clock goes back",
	      fair_relshare_capacity(r, 4, 9));
	FAULT("fair_relshare_capacity: -FAIR_EINVAL below 0",
	      fair_relshare_capacity(r, 5, -1));
	FAULT("fair_relshare_capacity: -FAIR_ERANGE more are in use",
	      fair_relshare_capacity(r, 5, 5));
	FAULT("fair_relshare_advance: -FAIR_EINVAL the clock goes back",
	      fair_relshare_advance(r, 4));
	FAULT("fair_relshare_advance: -FAIR_EINVAL the clock is out of range",
	      fair_relshare_advance(r, late));
}

static void relshare_readings(const struct fair_relshare *r)
{
	FAULT("fair_relshare_entitled: -FAIR_EINVAL no such user",
	      fair_relshare_entitled(r, 2, &out.c, &out.d));
	FAULT("fair_relshare_entitled: -FAIR_EINVAL nowhere to write",
	      fair_relshare_entitled(r, 0, NULL, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL no such user",
	      fair_relshare_entitlement(r, 2, 5, &out.c, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL in the past",
	      fair_relshare_entitlement(r, 0, 4, &out.c, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL behind the window",
	      fair_relshare_entitlement(r, 0, 101, &out.c, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL nowhere to write",
	      fair_relshare_entitlement(r, 0, 5, NULL, &out.d));
	FAULT("fair_relshare_used: -FAIR_EINVAL no such user",
	      fair_relshare_used(r, 2, 5, &out.c));
	FAULT("fair_relshare_used: -FAIR_EINVAL in the past",
	      fair_relshare_used(r, 0, 4, &out.c));
	FAULT("fair_relshare_used: -FAIR_EINVAL behind the window",
	      fair_relshare_used(r, 0, 101, &out.c));
	FAULT("fair_relshare_used: -FAIR_EINVAL nowhere to write",
	      fair_relshare_used(r, 0, 5, NULL));
}

TEST(relshare)
{
	const struct fair_relshare_config c = { 2, 3, 10, false, 0, 100, 0,
					       false };
	size_t bytes = fair_relshare_size(&c), n;
	void *memory = room(bytes), *other = room(bytes);
	struct fair_relshare r, copy;

	n = sizeof(r);
	memset(&r, FILL, n);
	memset(&copy, FILL, n);
	relshare_init(&r, memory, bytes, &c);
	TEST_EQ(fair_relshare_init(&r, n, memory, bytes, &c), 0);
	TEST_EQ(fair_relshare_submit(&r, 5, 0, 0, 5), 0);
	TEST_EQ(fair_relshare_submit(&r, 5, 1, 1, 6), 0);
	TEST_EQ(fair_relshare_start(&r, 5, 1, 20), 0);
	keep(&r, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	relshare_events(&r);
	relshare_readings(&r);
	FAULT("fair_relshare_clone: -FAIR_EINVAL no copy",
	      fair_relshare_clone(NULL, other, bytes, &r, NULL));
	FAULT("fair_relshare_clone: -FAIR_EINVAL no memory",
	      fair_relshare_clone(&copy, NULL, bytes, &r, NULL));
	FAULT("fair_relshare_clone: -FAIR_ENOMEM one byte less",
	      fair_relshare_clone(&copy, other, bytes - 1, &r, NULL));
	TEST_EQ(fair_relshare_check(&r), 0);
	forget();
	TEST_EQ(fair_relshare_clone(&copy, other, bytes, &r, NULL), 0);
	r.config.window = INT64_C(1) << 56;
	keep(&r, n);
	FAULT("fair_relshare_capacity: -FAIR_EOVERFLOW the window's area",
	      fair_relshare_capacity(&r, 5, 11));
	leave();
}
