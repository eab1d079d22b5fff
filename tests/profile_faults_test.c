/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that profile.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "profile.h"
#include "leaf_faults.h"

static void profile_init(struct fair_profile *p, size_t size, void *memory,
			 size_t bytes)
{
	size_t n = sizeof(*p);

	keep(p, n);
	keep(memory, bytes);
	FAULT("fair_profile_init: -FAIR_EINVAL a struct of another size",
	      fair_profile_init(p, n + 1, memory, bytes, 10, 0));
	FAULT("fair_profile_init: -FAIR_EINVAL no memory",
	      fair_profile_init(p, n, NULL, bytes, 10, 0));
	FAULT("fair_profile_init: -FAIR_EINVAL no processor",
	      fair_profile_init(p, n, memory, bytes, 0, 0));
	FAULT("fair_profile_init: -FAIR_EOVERFLOW an origin too late",
	      fair_profile_init(p, n, memory, bytes, 10,
				INT64_MAX - (INT64_C(1) << 38) + 1));
	FAULT("fair_profile_init: -FAIR_ENOMEM no room for one step",
	      fair_profile_init(p, n, memory, size - 1, 10, 0));
	forget();
}

/* Of 10 processors, 9 are reserved for [0, 5), 4 for [10, 20). */
static void profile_queries(const struct fair_profile *p)
{
	struct fair_step step = { -1, -1, -1 };
	int64_t end = p->horizon, from, to;
	int32_t procs = -1;

	keep(&step, sizeof(step));
	keep(&procs, sizeof(procs));
	FAULT("fair_profile_earliest_start: -FAIR_EINVAL before the origin",
	      fair_profile_earliest_start(p, -1, 1, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EINVAL no walltime",
	      fair_profile_earliest_start(p, 0, 0, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EINVAL no processor",
	      fair_profile_earliest_start(p, 0, 1, 0, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_ERANGE never so many",
	      fair_profile_earliest_start(p, 0, 1, 11, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EOVERFLOW begins too late",
	      fair_profile_earliest_start(p, end + 1, 1, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EOVERFLOW too long",
	      fair_profile_earliest_start(p, 0, end + 1, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EOVERFLOW too long by then",
	      fair_profile_earliest_start(p, 0, end - 19, 7, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EINVAL before the origin",
	      fair_profile_earlier_start(p, -1, 10, 10, 4, 10, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EINVAL no walltime",
	      fair_profile_earlier_start(p, 0, 10, 0, 4, 10, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EINVAL no processor",
	      fair_profile_earlier_start(p, 0, 10, 10, 0, 10, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EOVERFLOW holds no such place",
	      fair_profile_earlier_start(p, 0, 10, 10, 4, end + 1, &out.a));
	FAULT("fair_profile_min_free: -FAIR_EINVAL before the origin",
	      fair_profile_min_free(p, -1, 1, &procs));
	FAULT("fair_profile_min_free: -FAIR_EINVAL empty",
	      fair_profile_min_free(p, 5, 5, &procs));
	FAULT("fair_profile_max_free: -FAIR_EINVAL before the origin",
	      fair_profile_max_free(p, -1, 1, &procs));
	FAULT("fair_profile_max_free: -FAIR_EINVAL empty",
	      fair_profile_max_free(p, 5, 5, &procs));
	FAULT("fair_profile_step_at: -FAIR_EINVAL before the origin",
	      fair_profile_step_at(p, -1, &step));
	from = -1;
	to = 1;
	FAULT("fair_profile_run: -FAIR_EINVAL before the origin",
	      fair_profile_run(p, 1, &from, &to));
	TEST_CHECK(from == -1 && to == 1);
	from = to = 5;
	FAULT("fair_profile_run: -FAIR_EINVAL empty",
	      fair_profile_run(p, 1, &from, &to));
	TEST_CHECK(from == 5 && to == 5);
	keeps -= 2;	/* of this frame */
	free(kept[keeps].copy);
	free(kept[keeps + 1].copy);
}

static void profile_changes(struct fair_profile *p)
{
	int64_t end = p->horizon;
	int32_t most = -1;

	FAULT("fair_profile_reserve: -FAIR_EINVAL before the origin",
	      fair_profile_reserve(p, -1, 1, 1));
	FAULT("fair_profile_reserve: -FAIR_EINVAL no walltime",
	      fair_profile_reserve(p, 0, 0, 1));
	FAULT("fair_profile_reserve: -FAIR_EINVAL no processor",
	      fair_profile_reserve(p, 0, 1, 0));
	FAULT("fair_profile_reserve: -FAIR_EOVERFLOW begins too late",
	      fair_profile_reserve(p, end + 1, 1, 1));
	FAULT("fair_profile_reserve: -FAIR_EOVERFLOW ends too late",
	      fair_profile_reserve(p, end, 1, 1));
	FAULT("fair_profile_reserve: -FAIR_ERANGE more than are free",
	      fair_profile_reserve(p, 0, 11, 7));
	FAULT("fair_profile_release: -FAIR_EINVAL before the origin",
	      fair_profile_release(p, -1, 1, 1));
	FAULT("fair_profile_release: -FAIR_EINVAL no walltime",
	      fair_profile_release(p, 10, 0, 1));
	FAULT("fair_profile_release: -FAIR_EINVAL no processor",
	      fair_profile_release(p, 10, 1, 0));
	FAULT("fair_profile_release: -FAIR_EOVERFLOW begins too late",
	      fair_profile_release(p, end + 1, 1, 1));
	FAULT("fair_profile_release: -FAIR_EOVERFLOW ends too late",
	      fair_profile_release(p, end, 1, 1));
	FAULT("fair_profile_release: -FAIR_ERANGE more than are taken",
	      fair_profile_release(p, 10, 10, 5));
	FAULT("fair_profile_move: -FAIR_EINVAL before the origin",
	      fair_profile_move(p, 10, -1, 10, 4, &most));
	FAULT("fair_profile_move: -FAIR_EINVAL no walltime",
	      fair_profile_move(p, 10, 0, 0, 4, &most));
	FAULT("fair_profile_move: -FAIR_EINVAL no processor",
	      fair_profile_move(p, 10, 0, 10, 0, &most));
	FAULT("fair_profile_move: -FAIR_EINVAL not earlier",
	      fair_profile_move(p, 10, 10, 10, 4, &most));
	FAULT("fair_profile_move: -FAIR_EOVERFLOW holds no such place",
	      fair_profile_move(p, end, 10, 1, 1, &most));
	FAULT("fair_profile_move: -FAIR_ERANGE holds less there",
	      fair_profile_move(p, 10, 0, 10, 5, &most));
	FAULT("fair_profile_move: -FAIR_ERANGE more than are free",
	      fair_profile_move(p, 10, 0, 10, 4, &most));
	FAULT("fair_profile_change_capacity: -FAIR_EINVAL before the origin",
	      fair_profile_change_capacity(p, -1, 1, 1));
	FAULT("fair_profile_change_capacity: -FAIR_EINVAL empty",
	      fair_profile_change_capacity(p, 5, 5, 1));
	FAULT("fair_profile_change_capacity: -FAIR_EOVERFLOW begins too late",
	      fair_profile_change_capacity(p, end + 1, FAIR_FOREVER, 1));
	FAULT("fair_profile_change_capacity: -FAIR_EOVERFLOW ends too late",
	      fair_profile_change_capacity(p, 0, end + 1, 1));
	FAULT("fair_profile_change_capacity: -FAIR_ERANGE more than are free",
	      fair_profile_change_capacity(p, 0, 11, -7));
	FAULT("fair_profile_change_capacity: -FAIR_ERANGE too many",
	      fair_profile_change_capacity(p, 0, 11, INT32_MAX - 9));
	FAULT("fair_profile_advance: -FAIR_EINVAL back",
	      fair_profile_advance(p, -1));
	FAULT("fair_profile_advance: -FAIR_EOVERFLOW an origin too late",
	      fair_profile_advance(p, INT64_MAX - (INT64_C(1) << 38) + 1));
	TEST_EQ(most, -1);
}

/* Where nothing else fits, and nothing moves into what is taken. */
static void profile_full(struct fair_profile *p)
{
	int32_t most = -1;
	int64_t t;

	for (t = 30; fair_profile_steps(p) + 1 < p->cap; t += 10)
		TEST_EQ(fair_profile_reserve(p, t, 5, 10), 0);
	if (fair_profile_steps(p) < p->cap)
		TEST_EQ(fair_profile_reserve(p, t - 5, 1, 1), 0);
	forget();
	keep(p, sizeof(*p));
	keep(rooms[0].all, rooms[0].bytes + FENCE);
	FAULT("fair_profile_reserve: -FAIR_ENOSPC one more step",
	      fair_profile_reserve(p, 20, 5, 1));
	FAULT("fair_profile_release: -FAIR_ENOSPC a part of it",
	      fair_profile_release(p, 12, 2, 4));
	FAULT("fair_profile_change_capacity: -FAIR_ENOSPC a window",
	      fair_profile_change_capacity(p, 21, 22, -1));
	FAULT("fair_profile_move: -FAIR_ENOSPC a part of it",
	      fair_profile_move(p, 12, 5, 3, 4, &most));
	TEST_EQ(most, -1);
}

TEST(profile)
{
	size_t one = fair_profile_size(1), bytes = fair_profile_size(300);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_profile p, copy;

	memset(&p, FILL, sizeof(p));
	memset(&copy, FILL, sizeof(copy));
	profile_init(&p, one, memory, bytes);
	TEST_EQ(fair_profile_init(&p, sizeof(p), other, one, 10, 0), 0);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes, 10, 0), 0);
	TEST_CHECK(p.cap >= 300);
	TEST_EQ(fair_profile_reserve(&p, 0, 5, 9), 0);
	TEST_EQ(fair_profile_reserve(&p, 10, 10, 4), 0);
	keep(&p, sizeof(p));
	keep(memory, bytes);
	keep(&out, sizeof(out));
	profile_queries(&p);
	profile_changes(&p);
	keep(&copy, sizeof(copy));
	FAULT("fair_profile_clone: -FAIR_EINVAL no memory",
	      fair_profile_clone(&copy, NULL, bytes, &p));
	FAULT("fair_profile_clone: -FAIR_ENOMEM no room for one step",
	      fair_profile_clone(&copy, other, one - 1, &p));
	profile_full(&p);
	FAULT("fair_profile_clone: -FAIR_ENOMEM no room for its steps",
	      fair_profile_clone(&copy, other, one, &p));
	TEST_EQ(fair_profile_clone(&copy, other, bytes, &p), 0);
	TEST_EQ(fair_profile_check(&p), 0);
	leave();
}
