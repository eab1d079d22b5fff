/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that profile.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "profile.h"
#include "tests/leaf_faults.h"

static void profile_init(struct fair_profile *p, size_t size, void *memory,
			 size_t bytes)
{
	size_t n = sizeof(*p);

	keep(p, n);
	keep(memory, bytes);
	FAULT(fair_profile_init(p, n + 1, memory, bytes, 10, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_profile_init(p, n, NULL, bytes, 10, 0), EINVAL, "no memory");
	FAULT(fair_profile_init(p, n, memory, bytes, 0, 0),
	      EINVAL, "no processor");
	FAULT(fair_profile_init(p, n, memory, bytes, 10,
				INT64_MAX - (INT64_C(1) << 38) + 1),
	      EOVERFLOW, "an origin too late");
	FAULT(fair_profile_init(p, n, memory, size - 1, 10, 0),
	      ENOMEM, "no room for one step");
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
	FAULT(fair_profile_earliest_start(p, -1, 1, 1, &out.a),
	      EINVAL, "before the origin");
	FAULT(fair_profile_earliest_start(p, 0, 0, 1, &out.a),
	      EINVAL, "no walltime");
	FAULT(fair_profile_earliest_start(p, 0, 1, 0, &out.a),
	      EINVAL, "no processor");
	FAULT(fair_profile_earliest_start(p, 0, 1, 11, &out.a),
	      ERANGE, "never so many");
	FAULT(fair_profile_earliest_start(p, end + 1, 1, 1, &out.a),
	      EOVERFLOW, "begins too late");
	FAULT(fair_profile_earliest_start(p, 0, end + 1, 1, &out.a),
	      EOVERFLOW, "too long");
	FAULT(fair_profile_earliest_start(p, 0, end - 19, 7, &out.a),
	      EOVERFLOW, "too long by then");
	FAULT(fair_profile_earlier_start(p, -1, 10, 10, 4, 10, &out.a),
	      EINVAL, "before the origin");
	FAULT(fair_profile_earlier_start(p, 0, 10, 0, 4, 10, &out.a),
	      EINVAL, "no walltime");
	FAULT(fair_profile_earlier_start(p, 0, 10, 10, 0, 10, &out.a),
	      EINVAL, "no processor");
	FAULT(fair_profile_earlier_start(p, 0, 10, 10, 4, end + 1, &out.a),
	      EOVERFLOW, "holds no such place");
	FAULT(fair_profile_min_free(p, -1, 1, &procs),
	      EINVAL, "before the origin");
	FAULT(fair_profile_min_free(p, 5, 5, &procs), EINVAL, "empty");
	FAULT(fair_profile_max_free(p, -1, 1, &procs),
	      EINVAL, "before the origin");
	FAULT(fair_profile_max_free(p, 5, 5, &procs), EINVAL, "empty");
	FAULT(fair_profile_step_at(p, -1, &step), EINVAL, "before the origin");
	from = -1;
	to = 1;
	FAULT(fair_profile_run(p, 1, &from, &to), EINVAL, "before the origin");
	TEST_CHECK(from == -1 && to == 1);
	from = to = 5;
	FAULT(fair_profile_run(p, 1, &from, &to), EINVAL, "empty");
	TEST_CHECK(from == 5 && to == 5);
	to = 6;
	FAULT(fair_profile_run(p, 0, &from, &to), EINVAL, "no processor");
	TEST_CHECK(from == 5 && to == 6);
	keeps -= 2;	/* of this frame */
	free(kept[keeps].copy);
	free(kept[keeps + 1].copy);
}

static void profile_changes(struct fair_profile *p)
{
	int64_t end = p->horizon;
	int32_t most = -1;

	FAULT(fair_profile_reserve(p, -1, 1, 1), EINVAL, "before the origin");
	FAULT(fair_profile_reserve(p, 0, 0, 1), EINVAL, "no walltime");
	FAULT(fair_profile_reserve(p, 0, 1, 0), EINVAL, "no processor");
	FAULT(fair_profile_reserve(p, end + 1, 1, 1),
	      EOVERFLOW, "begins too late");
	FAULT(fair_profile_reserve(p, end, 1, 1), EOVERFLOW, "ends too late");
	FAULT(fair_profile_reserve(p, 0, 11, 7), ERANGE, "more than are free");
	FAULT(fair_profile_release(p, -1, 1, 1), EINVAL, "before the origin");
	FAULT(fair_profile_release(p, 10, 0, 1), EINVAL, "no walltime");
	FAULT(fair_profile_release(p, 10, 1, 0), EINVAL, "no processor");
	FAULT(fair_profile_release(p, end + 1, 1, 1),
	      EOVERFLOW, "begins too late");
	FAULT(fair_profile_release(p, end, 1, 1), EOVERFLOW, "ends too late");
	FAULT(fair_profile_release(p, 10, 10, 5),
	      ERANGE, "more than are taken");
	FAULT(fair_profile_move(p, 10, -1, 10, 4, &most),
	      EINVAL, "before the origin");
	FAULT(fair_profile_move(p, 10, 0, 0, 4, &most), EINVAL, "no walltime");
	FAULT(fair_profile_move(p, 10, 0, 10, 0, &most),
	      EINVAL, "no processor");
	FAULT(fair_profile_move(p, 10, 10, 10, 4, &most),
	      EINVAL, "not earlier");
	FAULT(fair_profile_move(p, end, 10, 1, 1, &most),
	      EOVERFLOW, "holds no such place");
	FAULT(fair_profile_move(p, 10, 0, 10, 5, &most),
	      ERANGE, "holds less there");
	FAULT(fair_profile_move(p, 10, 0, 10, 4, &most),
	      ERANGE, "more than are free");
	FAULT(fair_profile_change_capacity(p, -1, 1, 1),
	      EINVAL, "before the origin");
	FAULT(fair_profile_change_capacity(p, 5, 5, 1), EINVAL, "empty");
	FAULT(fair_profile_change_capacity(p, end + 1, FAIR_FOREVER, 1),
	      EOVERFLOW, "begins too late");
	FAULT(fair_profile_change_capacity(p, 0, end + 1, 1),
	      EOVERFLOW, "ends too late");
	FAULT(fair_profile_change_capacity(p, 0, 11, -7),
	      ERANGE, "more than are free");
	FAULT(fair_profile_change_capacity(p, 0, 11, INT32_MAX - 9),
	      ERANGE, "too many");
	FAULT(fair_profile_advance(p, -1), EINVAL, "back");
	FAULT(fair_profile_advance(p, INT64_MAX - (INT64_C(1) << 38) + 1),
	      EOVERFLOW, "an origin too late");
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
	FAULT(fair_profile_reserve(p, 20, 5, 1), ENOSPC, "one more step");
	FAULT(fair_profile_release(p, 12, 2, 4), ENOSPC, "a part of it");
	FAULT(fair_profile_change_capacity(p, 21, 22, -1), ENOSPC, "a window");
	FAULT(fair_profile_move(p, 12, 5, 3, 4, &most), ENOSPC, "a part of it");
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
	FAULT(fair_profile_clone(&copy, NULL, bytes, &p), EINVAL, "no memory");
	FAULT(fair_profile_clone(&copy, other, one - 1, &p),
	      ENOMEM, "no room for one step");
	profile_full(&p);
	FAULT(fair_profile_clone(&copy, other, one, &p),
	      ENOMEM, "no room for its steps");
	TEST_EQ(fair_profile_clone(&copy, other, bytes, &p), 0);
	TEST_EQ(fair_profile_check(&p), 0);
	/* The last origin that there is. */
	TEST_EQ(fair_profile_advance(&p, INT64_MAX - (INT64_C(1) << 38)), 0);
	leave();
}
