/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that relshare.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/relshare.h"
#include "tests/leaf_faults.h"

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
	FAULT(fair_relshare_init(NULL, n, memory, bytes, good),
	      EINVAL, "nothing");
	FAULT(fair_relshare_init(r, n + 1, memory, bytes, good),
	      EINVAL, "a struct of another size");
	FAULT(fair_relshare_init(r, n, NULL, bytes, good), EINVAL, "no memory");
	FAULT(fair_relshare_init(r, n, memory, bytes, NULL),
	      EINVAL, "no config");
	for (i = 0; i < 10; i++) {
		TEST_EQ(fair_relshare_size(&bad[i]), 0);
		FAULT(fair_relshare_init(r, n, memory, bytes, &bad[i]),
		      EINVAL, "a config out of range");
	}
	huge.window = (INT64_C(1) << 59) / huge.procs + 1;
	TEST_EQ(fair_relshare_size(&huge), 0);
	FAULT(fair_relshare_init(r, n, memory, bytes, &huge),
	      EOVERFLOW, "a window too long");
	FAULT(fair_relshare_init(r, n, memory, bytes - 1, good),
	      ENOMEM, "one byte less");
	forget();
}

/* It is 5, of a window of 100: job 0 waits, job 1 runs; slot 2 is free. */
static void relshare_events(struct fair_relshare *r)
{
	const int64_t late = (INT64_C(1) << 62) + 1;

	FAULT(fair_relshare_share(r, 4, 0, 1), EINVAL, "the clock goes back");
	FAULT(fair_relshare_share(r, 5, 2, 1), EINVAL, "no such user");
	FAULT(fair_relshare_share(r, 5, 0, FAIR_RELSHARE_SHARES + 1),
	      EINVAL, "too many shares");
	FAULT(fair_relshare_submit(r, 4, 2, 0, 1),
	      EINVAL, "the clock goes back");
	FAULT(fair_relshare_submit(r, 5, 3, 0, 1), EINVAL, "no such slot");
	FAULT(fair_relshare_submit(r, 5, 0, 0, 1), EINVAL, "a slot in use");
	FAULT(fair_relshare_submit(r, 5, 2, 2, 1), EINVAL, "no such user");
	FAULT(fair_relshare_submit(r, 5, 2, 0, 0), EINVAL, "no processor");
	FAULT(fair_relshare_start(r, 4, 0, 9), EINVAL, "the clock goes back");
	FAULT(fair_relshare_start(r, 5, 3, 9), EINVAL, "no such slot");
	FAULT(fair_relshare_start(r, 5, 2, 9), EINVAL, "a free slot");
	FAULT(fair_relshare_start(r, 5, 1, 9), EINVAL, "it runs");
	FAULT(fair_relshare_start(r, 5, 0, 4), EINVAL, "ends in the past");
	FAULT(fair_relshare_start(r, 5, 0, 9), ERANGE, "more than are free");
	FAULT(fair_relshare_plan(r, 4, 1, 9), EINVAL, "the clock goes back");
	FAULT(fair_relshare_plan(r, 5, 3, 9), EINVAL, "no such slot");
	FAULT(fair_relshare_plan(r, 5, 0, 9), EINVAL, "it waits");
	FAULT(fair_relshare_plan(r, 5, 1, 4), EINVAL, "ends in the past");
	FAULT(fair_relshare_finish(r, 4, 1), EINVAL, "the clock goes back");
	FAULT(fair_relshare_finish(r, 5, 3), EINVAL, "no such slot");
	FAULT(fair_relshare_finish(r, 5, 2), EINVAL, "a free slot");
	FAULT(fair_relshare_capacity(r, 4, 9), EINVAL, "the clock goes back");
	FAULT(fair_relshare_capacity(r, 5, -1), EINVAL, "below 0");
	FAULT(fair_relshare_set_window(r, 4, 9), EINVAL, "the clock goes back");
	FAULT(fair_relshare_set_window(r, 5, 0), EINVAL, "no time");
	FAULT(fair_relshare_set_window(r, 5, INT64_MAX), EOVERFLOW, "too long");
	FAULT(fair_relshare_advance(r, 4), EINVAL, "the clock goes back");
	FAULT(fair_relshare_advance(r, late),
	      EINVAL, "the clock is out of range");
}

static void relshare_readings(const struct fair_relshare *r)
{
	FAULT(fair_relshare_entitled(r, 2, &out.c, &out.d),
	      EINVAL, "no such user");
	FAULT(fair_relshare_entitled(r, 0, NULL, &out.d),
	      EINVAL, "nowhere to write");
	FAULT(fair_relshare_entitlement(r, 2, 5, &out.c, &out.d),
	      EINVAL, "no such user");
	FAULT(fair_relshare_entitlement(r, 0, 4, &out.c, &out.d),
	      EINVAL, "in the past");
	FAULT(fair_relshare_entitlement(r, 0, 101, &out.c, &out.d),
	      EINVAL, "behind the window");
	FAULT(fair_relshare_entitlement(r, 0, 5, NULL, &out.d),
	      EINVAL, "nowhere to write");
	FAULT(fair_relshare_used(r, 2, 5, &out.c), EINVAL, "no such user");
	FAULT(fair_relshare_used(r, 0, 4, &out.c), EINVAL, "in the past");
	FAULT(fair_relshare_used(r, 0, 101, &out.c),
	      EINVAL, "behind the window");
	FAULT(fair_relshare_used(r, 0, 5, NULL), EINVAL, "nowhere to write");
}

TEST(relshare)
{
	const struct fair_relshare_config c = { 2, 3, 10, false, 0, 100, 0,
					       false, false };
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
	FAULT(fair_relshare_clone(NULL, other, bytes, &r, NULL),
	      EINVAL, "no copy");
	FAULT(fair_relshare_clone(&copy, NULL, bytes, &r, NULL),
	      EINVAL, "no memory");
	FAULT(fair_relshare_clone(&copy, other, bytes - 1, &r, NULL),
	      ENOMEM, "one byte less");
	TEST_EQ(fair_relshare_check(&r), 0);
	forget();
	TEST_EQ(fair_relshare_clone(&copy, other, bytes, &r, NULL), 0);
	r.config.window = INT64_C(1) << 56;
	keep(&r, n);
	FAULT(fair_relshare_capacity(&r, 5, 11),
	      EOVERFLOW, "the window's area");
	leave();
}

/* The machine was larger than it was first, and more than that is in use. */
TEST(jobs_that_run_on)
{
	const struct fair_relshare_config c = { 2, 3, 10, false, 0, 100, 0,
						false, false };
	size_t bytes = fair_relshare_size(&c);
	void *memory = room(bytes);
	struct fair_relshare r;

	TEST_OK(fair_relshare_init(&r, sizeof(r), memory, bytes, &c));
	TEST_OK(fair_relshare_capacity(&r, 0, 20));
	TEST_OK(fair_relshare_submit(&r, 0, 0, 0, 12));
	TEST_OK(fair_relshare_start(&r, 0, 0, 9));
	FAULT(fair_relshare_capacity(&r, 5, 5), ERANGE, "more are in use");
	TEST_OK(fair_relshare_capacity(&r, 5, 12));
	leave();
}
