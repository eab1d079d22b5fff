/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that machine.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "machine.h"
#include "tests/leaf_faults.h"

/* Two classes with processors, GPUs in the second, licences for both. */
static const int32_t amounts[] = { 10, 0, 3, 8, 2, 0 };
static const struct fair_machine_config config = { 3, 2, 4, amounts };
static const int32_t one[] = { 1, 0, 0 }, none[] = { 0, 0, 0 };
static const int32_t gpu[] = { 1, 1, 0 }, few[] = { 4, 0, 1 };

static void machine_init(struct fair_machine *m, size_t size, void *memory,
			 size_t bytes)
{
	struct fair_machine_config wrong = config;
	size_t n = sizeof(*m);

	wrong.classes = 65;
	keep(m, n);
	keep(memory, bytes);
	FAULT(fair_machine_init(m, n + 1, memory, bytes, &config, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_machine_init(m, n, NULL, bytes, &config, 0),
	      EINVAL, "no memory");
	FAULT(fair_machine_init(m, n, memory, bytes, &wrong, 0),
	      EINVAL, "too many classes");
	FAULT(fair_machine_init(m, n, memory, bytes, &config,
				INT64_MAX - (INT64_C(1) << 38) + 1),
	      EOVERFLOW, "an origin too late");
	FAULT(fair_machine_init(m, n, memory, size - 1, &config, 0),
	      ENOMEM, "no room for one step");
	forget();
}

static void starts(const struct fair_machine *m)
{
	struct fair_machine_request all = { one, NULL, 0 };
	struct fair_machine_request nothing = { none, NULL, 0 };
	const uint8_t order[] = { 0, 2 };
	struct fair_machine_request unknown = { one, order, 2 };
	struct fair_machine_request first = { gpu, order, 1 };
	const int32_t minus[] = { 1, -1, 0 }, many[] = { 11, 0, 0 };
	struct fair_machine_request negative = { minus, NULL, 0 };
	struct fair_machine_request wide = { many, NULL, 0 };
	int64_t end = m->horizon;
	uint32_t k = 9;

	keep(&k, sizeof(k));
	FAULT(fair_machine_earliest_start(m, -1, 1, &all, &out.a, &k),
	      EINVAL, "before the origin");
	FAULT(fair_machine_earliest_start(m, 0, 0, &all, &out.a, &k),
	      EINVAL, "no walltime");
	FAULT(fair_machine_earliest_start(m, 0, 1, &nothing, &out.a, &k),
	      EINVAL, "asks for nothing");
	FAULT(fair_machine_earliest_start(m, 0, 1, &negative, &out.a, &k),
	      EINVAL, "a negative amount");
	FAULT(fair_machine_earliest_start(m, 0, 1, &unknown, &out.a, &k),
	      EINVAL, "an unknown class");
	FAULT(fair_machine_earliest_start(m, 0, 1, &wide, &out.a, &k),
	      ERANGE, "never so many");
	FAULT(fair_machine_earliest_start(m, 0, 1, &first, &out.a, &k),
	      ERANGE, "no GPU in its class");
	FAULT(fair_machine_earliest_start(m, end + 1, 1, &all, &out.a, &k),
	      EOVERFLOW, "begins too late");
	FAULT(fair_machine_earliest_start(m, 0, end + 1, &all, &out.a, &k),
	      EOVERFLOW, "too long");
	all.amount = few;
	FAULT(fair_machine_earlier_start(m, -1, 9, 9, &all, 10, 0, &out.a, &k),
	      EINVAL, "before the origin");
	FAULT(fair_machine_earlier_start(m, 0, 9, 0, &all, 10, 0, &out.a, &k),
	      EINVAL, "no walltime");
	FAULT(fair_machine_earlier_start(m, 0, 9, 9, &nothing, 10, 0, &out.a,
					 &k), EINVAL, "asks for nothing");
	FAULT(fair_machine_earlier_start(m, 0, 9, 9, &all, 10, 2, &out.a, &k),
	      EINVAL, "in an unknown class");
	FAULT(fair_machine_earlier_start(m, 0, 9, 9, &all, end + 1, 0, &out.a,
					 &k), EOVERFLOW, "holds no such place");
	free(kept[--keeps].copy); /* of this frame */
}

static void looks(const struct fair_machine *m)
{
	int32_t least[3] = { -1, -1, -1 };

	keep(least, sizeof(least));
	FAULT(fair_machine_min_free(m, 0, -1, 1, least),
	      EINVAL, "before the origin");
	FAULT(fair_machine_min_free(m, 0, 5, 5, least), EINVAL, "empty");
	FAULT(fair_machine_min_free(m, 2, 0, 5, least),
	      EINVAL, "an unknown class");
	FAULT(fair_machine_step_at(m, 0, -1, &out.a, &out.b, least),
	      EINVAL, "before the origin");
	FAULT(fair_machine_step_at(m, 2, 0, &out.a, &out.b, least),
	      EINVAL, "an unknown class");
	free(kept[--keeps].copy); /* of this frame */
}

static void changes(struct fair_machine *m)
{
	int32_t most[3] = { -1, -1, -1 };
	int64_t end = m->horizon;

	FAULT(fair_machine_reserve(m, 0, -1, 1, one),
	      EINVAL, "before the origin");
	FAULT(fair_machine_reserve(m, 0, 0, 0, one), EINVAL, "no walltime");
	FAULT(fair_machine_reserve(m, 0, 0, 1, none), EINVAL, "nothing");
	FAULT(fair_machine_reserve(m, 2, 0, 1, one),
	      EINVAL, "an unknown class");
	FAULT(fair_machine_reserve(m, 0, end + 1, 1, one),
	      EOVERFLOW, "begins too late");
	FAULT(fair_machine_reserve(m, 0, end, 1, one),
	      EOVERFLOW, "ends too late");
	FAULT(fair_machine_reserve(m, 0, 0, 11, amounts),
	      ERANGE, "more than are free");
	FAULT(fair_machine_release(m, 0, -1, 1, one),
	      EINVAL, "before the origin");
	FAULT(fair_machine_release(m, 0, end, 1, one),
	      EOVERFLOW, "ends too late");
	FAULT(fair_machine_release(m, 0, 10, 10, amounts),
	      ERANGE, "more than are taken");
	FAULT(fair_machine_release(m, 0, 10, 10, gpu),
	      ERANGE, "no GPU in its class");
	FAULT(fair_machine_move(m, 0, 10, 0, -1, 10, few, most),
	      EINVAL, "before the origin");
	FAULT(fair_machine_move(m, 0, 10, 0, 10, 10, few, most),
	      EINVAL, "not earlier");
	FAULT(fair_machine_move(m, 2, 10, 0, 5, 10, few, most),
	      EINVAL, "from an unknown class");
	FAULT(fair_machine_move(m, 0, 10, 2, 5, 10, few, most),
	      EINVAL, "to an unknown class");
	FAULT(fair_machine_move(m, 0, end, 0, 10, 1, few, most),
	      EOVERFLOW, "holds no such place");
	FAULT(fair_machine_move(m, 0, 10, 0, 0, 10, few, most),
	      ERANGE, "more than are free");
	FAULT(fair_machine_change_capacity(m, 0, 0, -1, 1, 1),
	      EINVAL, "before the origin");
	FAULT(fair_machine_change_capacity(m, 2, 0, 0, 1, 1),
	      EINVAL, "an unknown class");
	FAULT(fair_machine_change_capacity(m, 0, 3, 0, 1, 1),
	      EINVAL, "unknown resource");
	FAULT(fair_machine_change_capacity(m, 0, 0, 0, end + 1, 1),
	      EOVERFLOW, "ends too late");
	FAULT(fair_machine_change_capacity(m, 0, 0, 0, 11, -7),
	      ERANGE, "more than are free");
	FAULT(fair_machine_change_capacity(m, 0, 1, 0, 11, 1),
	      ERANGE, "has no GPU");
	FAULT(fair_machine_advance(m, -1), EINVAL, "back");
	FAULT(fair_machine_advance(m, INT64_MAX - (INT64_C(1) << 38) + 1),
	      EOVERFLOW, "an origin too late");
	TEST_CHECK(most[0] == -1 && most[1] == -1 && most[2] == -1);
}

/* Where nothing else fits into the profile of processors. */
static void full(struct fair_machine *m)
{
	int32_t most[3] = { -1, -1, -1 };
	int64_t t;

	for (t = 30; fair_machine_steps(m) + 1 < m->cap; t += 10)
		TEST_OK(fair_machine_reserve(m, 0, t, 5, one));
	if (fair_machine_steps(m) < m->cap)
		TEST_OK(fair_machine_change_capacity(m, 0, 0, t, FAIR_FOREVER,
						     -1));
	forget();
	keep(m, sizeof(*m));
	keep(rooms[0].all, rooms[0].bytes + FENCE);
	FAULT(fair_machine_reserve(m, 0, 21, 5, one), ENOSPC, "one more step");
	FAULT(fair_machine_release(m, 0, 12, 2, few), ENOSPC, "a part of it");
	FAULT(fair_machine_change_capacity(m, 0, 0, 21, 22, -1),
	      ENOSPC, "a window");
	FAULT(fair_machine_move(m, 0, 13, 0, 11, 3, few, most),
	      ENOSPC, "a part of it");
	TEST_EQ(most[0], -1);
}

TEST(machine_jobs)
{
	size_t bytes = fair_machine_jobs_size(&config, 3, 300);
	size_t least = fair_machine_jobs_size(&config, 3, 1);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_machine_config wrong = config;
	struct fair_machine_jobs x, copy;
	const int32_t minus[] = { 1, -1, 0 };
	const uint8_t unknown[] = { 0, 2 }, twice[] = { 1, 1 };
	const uint8_t order[] = { 1, 0 };
	struct fair_machine_request r;
	struct fair_claim claim;
	int i;

	wrong.resources = 9;
	memset(&x, FILL, sizeof(x));
	memset(&copy, FILL, sizeof(copy));
	TEST_EQ(fair_machine_jobs_size(&wrong, 3, 300), 0);
	keep(&x, sizeof(x));
	FAULT(fair_machine_jobs_init(&x, 1, memory, bytes, &config, 3, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_machine_jobs_init(&x, sizeof(x), NULL, bytes, &config, 3, 0),
	      EINVAL, "no memory");
	FAULT(fair_machine_jobs_init(&x, sizeof(x), memory, bytes, &wrong, 3,
				     0), EINVAL, "too many resources");
	FAULT(fair_machine_jobs_init(&x, sizeof(x), memory, least - 1, &config,
				     3, 0), ENOMEM, "no room for one step");
	FAULT(fair_machine_jobs_init(&x, sizeof(x), memory, bytes, &config, 3,
				     INT64_MAX),
	      EOVERFLOW, "an origin too late");
	forget();
	TEST_OK(fair_machine_jobs_init(&x, sizeof(x), memory, bytes, &config, 3,
				       0));
	TEST_CHECK(x.machine.cap >= 300);
	keep(&x, sizeof(x));
	keep(memory, bytes);
	keep(&copy, sizeof(copy));
	FAULT(fair_machine_jobs_set(&x, 3, 1, NULL, NULL, 0),
	      EINVAL, "no such slot");
	FAULT(fair_machine_jobs_set(&x, 2, 0, NULL, NULL, 0),
	      EINVAL, "no processors");
	FAULT(fair_machine_jobs_set(&x, 2, 1, minus, NULL, 0),
	      EINVAL, "a negative amount");
	FAULT(fair_machine_jobs_set(&x, 2, 1, NULL, unknown, 2),
	      EINVAL, "no such class");
	FAULT(fair_machine_jobs_set(&x, 2, 1, NULL, twice, 2),
	      EINVAL, "a class named twice");
	FAULT(fair_machine_jobs_clone(&copy, NULL, bytes, &x),
	      EINVAL, "no memory");
	FAULT(fair_machine_jobs_clone(&copy, other, 64, &x),
	      ENOMEM, "no room for requests");
	FAULT(fair_machine_jobs_clone(&copy, other, 400, &x),
	      ENOMEM, "no room for one step");
	forget();
	TEST_OK(fair_machine_jobs_set(&x, 2, 4, gpu, order, 2));
	TEST_OK(fair_machine_jobs_clone(&copy, other, bytes, &x));
	fair_machine_jobs_copy(&copy, 0, &x, 2);
	for (i = 0; i < 2; i++) {
		r = fair_machine_jobs_request(i ? &copy : &x, i ? 0 : 2);
		claim = fair_machine_jobs_claim(i ? &copy : &x, i ? 0 : 2);
		TEST_CHECK(r.amount[0] == 4 && r.amount[1] == 1 &&
			   r.amount[2] == 0 && r.count == 2 &&
			   r.classes[0] == 1 && r.classes[1] == 0);
		TEST_CHECK(claim.procs == 4 && claim.node_class == 0 &&
			   claim.amount == r.amount);
	}
	leave();
}

TEST(machine)
{
	size_t least = fair_machine_size(&config, 1);
	size_t bytes = fair_machine_size(&config, 300);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_machine m, copy;

	memset(&m, FILL, sizeof(m));
	memset(&copy, FILL, sizeof(copy));
	machine_init(&m, least, memory, bytes);
	TEST_OK(fair_machine_init(&m, sizeof(m), other, least, &config, 0));
	TEST_OK(fair_machine_init(&m, sizeof(m), memory, bytes, &config, 0));
	TEST_CHECK(m.cap >= 300);
	TEST_OK(fair_machine_reserve(&m, 0, 0, 5,
				     (const int32_t[]){ 9, 0, 0 }));
	TEST_OK(fair_machine_reserve(&m, 0, 10, 10, few));
	keep(&m, sizeof(m));
	keep(memory, bytes);
	keep(&out, sizeof(out));
	starts(&m);
	looks(&m);
	changes(&m);
	keep(&copy, sizeof(copy));
	FAULT(fair_machine_clone(&copy, NULL, bytes, &m), EINVAL, "no memory");
	FAULT(fair_machine_clone(&copy, other, least - 1, &m),
	      ENOMEM, "no room for one step");
	full(&m);
	FAULT(fair_machine_clone(&copy, other, least, &m),
	      ENOMEM, "no room for its steps");
	TEST_OK(fair_machine_clone(&copy, other, bytes, &m));
	TEST_OK(fair_machine_check(&m));
	leave();
}
