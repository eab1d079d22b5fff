/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#include "profile.h"
#include "test.h"
#include "tests/model/profile_model.h"

/* A profile and its oracle; every call is made to both. */
struct pair {
	struct fair_profile p;
	struct profile_model m;
	void *memory;
	size_t bytes;
};

static void pair_open(struct pair *x, size_t steps, int32_t procs,
		      int64_t origin)
{
	x->bytes = fair_profile_size(steps);
	x->memory = malloc(x->bytes);
	if (!x->memory)
		abort();
	TEST_EQ(fair_profile_init(&x->p, sizeof(x->p), x->memory, x->bytes,
				  procs, origin),
		0);
	TEST_CHECK(x->p.cap >= steps);
	profile_model_init(&x->m, x->p.cap, x->p.horizon - origin, procs,
			   origin);
}

static void pair_close(struct pair *x)
{
	profile_model_free(&x->m);
	free(x->memory);
}

static int reserve(struct pair *x, int64_t start, int64_t walltime,
		   int32_t procs)
{
	int result = fair_profile_reserve(&x->p, start, walltime, procs);

	TEST_EQ(result, profile_model_reserve(&x->m, start, walltime, procs));
	return result;
}

static int release(struct pair *x, int64_t start, int64_t walltime,
		   int32_t procs)
{
	int result = fair_profile_release(&x->p, start, walltime, procs);

	TEST_EQ(result, profile_model_release(&x->m, start, walltime, procs));
	return result;
}

static int change(struct pair *x, int64_t start, int64_t end, int32_t delta)
{
	int result = fair_profile_change_capacity(&x->p, start, end, delta);

	TEST_EQ(result,
		profile_model_change_capacity(&x->m, start, end, delta));
	TEST_EQ(x->p.limit, x->m.limit);
	return result;
}

static int advance(struct pair *x, int64_t origin)
{
	int result = fair_profile_advance(&x->p, origin);

	TEST_EQ(result, profile_model_advance(&x->m, origin));
	return result;
}

/* -1 where there is no answer; what it is then, the model says too. */
static int64_t earliest(struct pair *x, int64_t not_before, int64_t walltime,
			int32_t procs)
{
	int64_t ours = -1, models = -1;

	TEST_EQ(fair_profile_earliest_start(&x->p, not_before, walltime, procs,
					    &ours),
		profile_model_earliest_start(&x->m, not_before, walltime,
					     procs, &models));
	TEST_EQ(ours, models);
	return ours;
}

static int64_t earlier(struct pair *x, int64_t not_before, int64_t before,
		       int64_t walltime, int32_t procs, int64_t current)
{
	int64_t ours = -1, models = -1;

	TEST_EQ(fair_profile_earlier_start(&x->p, not_before, before, walltime,
					   procs, current, &ours),
		profile_model_earlier_start(&x->m, not_before, before,
					    walltime, procs, current,
					    &models));
	TEST_EQ(ours, models);
	return ours;
}

static int32_t least(struct pair *x, int64_t start, int64_t end)
{
	int32_t ours = -1, models = -1;

	TEST_EQ(fair_profile_min_free(&x->p, start, end, &ours),
		profile_model_min_free(&x->m, start, end, &models));
	TEST_EQ(ours, models);
	return ours;
}

/* Checks the invariants and each step. */
static void same(const struct pair *x)
{
	struct fair_step s = { 0, 0, 0 };
	size_t i;

	TEST_EQ(fair_profile_check(&x->p), 0);
	TEST_EQ(fair_profile_steps(&x->p), x->m.n);
	for (i = 0, s.end = x->p.origin; i < x->m.n; i++) {
		int64_t at = s.end;

		TEST_EQ(fair_profile_step_at(&x->p, at, &s), 0);
		TEST_EQ(s.start, x->m.step[i].at);
		TEST_EQ(s.start, at);
		TEST_EQ(s.free, x->m.step[i].free);
	}
	TEST_EQ(s.end, FAIR_FOREVER);
}

static void example(void)
{
	/* As in the manual. */
	static char memory[65536];
	struct fair_profile p;
	int64_t start;

	fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8, 0);
	fair_profile_reserve(&p, 0, 100, 5);
	fair_profile_earliest_start(&p, 0, 60, 4, &start);
	TEST_EQ(start, 100);
	fair_profile_reserve(&p, start, 60, 4);
	fair_profile_release(&p, 40, 60, 5);
	fair_profile_earlier_start(&p, 40, start, 60, 4, start, &start);
	TEST_EQ(start, 40);
	TEST_EQ(fair_profile_check(&p), 0);
}

static void picture(void)
{
	struct pair x;
	struct fair_step s;

	pair_open(&x, 10, 8, 0);
	TEST_EQ(reserve(&x, 0, 100, 4), 0);
	TEST_EQ(reserve(&x, 250, 150, 4), 0);
	TEST_EQ(earliest(&x, 0, 200, 4), 0);
	TEST_EQ(earliest(&x, 0, 200, 5), 400);
	TEST_EQ(earliest(&x, 0, 150, 5), 100);
	TEST_EQ(earliest(&x, 101, 150, 5), 400);
	TEST_EQ(least(&x, 0, 100), 4);
	TEST_EQ(least(&x, 100, 250), 8);
	TEST_EQ(least(&x, 100, 251), 4);
	TEST_EQ(least(&x, 400, FAIR_FOREVER), 8);
	TEST_EQ(fair_profile_step_at(&x.p, 249, &s), 0);
	TEST_CHECK(s.start == 100 && s.end == 250 && s.free == 8);
	TEST_EQ(fair_profile_step_at(&x.p, INT64_MAX, &s), 0);
	TEST_CHECK(s.start == 400 && s.end == FAIR_FOREVER && s.free == 8);
	same(&x);
	pair_close(&x);
}

static void sizes(void)
{
	static const size_t asked[] = { 1,     2,     63,   64,	   65,	 100,
					1000,  1038,  2047, 2048,  4000, 5000,
					10000, 100000 };
	struct fair_profile p;
	size_t i, steps, bytes, before = 0;
	char *memory;

	for (steps = 0; steps < 20000; steps++) {
		bytes = fair_profile_size(steps);
		TEST_CHECK(bytes >= before);
		TEST_CHECK(steps < 1000 || bytes <= 24 * steps);
		before = bytes;
	}
	TEST_EQ(fair_profile_size(SIZE_MAX), 0);
	TEST_EQ(fair_profile_size(SIZE_MAX / 20), 0);
	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		bytes = fair_profile_size(asked[i]);
		/* Of exactly that size, and at an odd address. */
		memory = (char *)malloc(bytes + i);
		TEST_REQUIRE(memory);
		TEST_EQ(fair_profile_init(&p, sizeof(p), memory + i, bytes, 9,
					  0),
			0);
		TEST_CHECK(p.cap >= asked[i]);
		TEST_CHECK(fair_profile_size(p.cap) <= bytes);
		TEST_CHECK(fair_profile_size(p.cap + 1) > bytes);
		TEST_EQ(fair_profile_reserve(&p, 5, 5, 9), 0);
		TEST_EQ(fair_profile_check(&p), 0);
		free(memory);
	}
}

static void init_errors(void)
{
	static char memory[65536];
	struct fair_profile p, was;
	size_t one = fair_profile_size(1);

	memset(&p, 0x5a, sizeof(p));
	was = p;
	TEST_EQ(fair_profile_init(&p, sizeof(p) - 1, memory, sizeof(memory), 8,
				  0),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_init(&p, sizeof(p), NULL, sizeof(memory), 8, 0),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 0, 0),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8,
				  INT64_MAX - (INT64_C(1) << 38) + 1),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, one - 1, 8, 0),
		-FAIR_ENOMEM);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, 0, 8, 0),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&p, &was, sizeof(p)));
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, one, INT32_MAX,
				  INT64_MIN),
		0);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, one, 1,
				  INT64_MAX - (INT64_C(1) << 38)),
		0);
	TEST_EQ(fair_profile_check(&p), 0);
}

static void query_errors(void)
{
	struct pair x;
	struct fair_step s = { 1, 2, 3 };
	int64_t t = 77;
	int32_t n = 77;

	pair_open(&x, 10, 8, 100);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, 0, 4, &t),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, 9, 0, &t),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_earliest_start(&x.p, 99, 9, 4, &t), -FAIR_EINVAL);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, 9, 9, &t),
		-FAIR_ERANGE);
	TEST_EQ(fair_profile_earliest_start(&x.p, x.p.horizon, 1, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_earliest_start(&x.p, INT64_MAX, 1, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, INT64_MAX, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(reserve(&x, 100, 1000, 5), 0);
	/* It would begin in time, and end too late. */
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, x.p.horizon - 100, 4,
					    &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_earlier_start(&x.p, 100, 200, 0, 4, 200, &t),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_earlier_start(&x.p, 100, 200, 9, 0, 200, &t),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_earlier_start(&x.p, 99, 200, 9, 4, 200, &t),
		-FAIR_EINVAL);
	TEST_EQ(fair_profile_earlier_start(&x.p, 100, 200, 9, 4,
					   x.p.horizon + 1, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(t, 77);
	TEST_EQ(fair_profile_min_free(&x.p, 99, 200, &n), -FAIR_EINVAL);
	TEST_EQ(fair_profile_min_free(&x.p, 200, 200, &n), -FAIR_EINVAL);
	TEST_EQ(n, 77);
	TEST_EQ(fair_profile_step_at(&x.p, 99, &s), -FAIR_EINVAL);
	TEST_CHECK(s.start == 1 && s.end == 2 && s.free == 3);
	same(&x);
	pair_close(&x);
}

static void change_errors(void)
{
	struct pair x;
	int64_t last;

	pair_open(&x, 3, 8, 100);
	TEST_EQ(reserve(&x, 99, 1, 1), -FAIR_EINVAL);
	TEST_EQ(reserve(&x, 100, 0, 1), -FAIR_EINVAL);
	TEST_EQ(reserve(&x, 100, 1, 0), -FAIR_EINVAL);
	TEST_EQ(reserve(&x, 100, 1, 9), -FAIR_ERANGE);
	TEST_EQ(reserve(&x, x.p.horizon, 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(reserve(&x, 100, INT64_MAX, 1), -FAIR_EOVERFLOW);
	TEST_EQ(reserve(&x, INT64_MAX, INT64_MAX, 1), -FAIR_EOVERFLOW);
	TEST_EQ(release(&x, 99, 1, 1), -FAIR_EINVAL);
	TEST_EQ(release(&x, 100, 0, 1), -FAIR_EINVAL);
	TEST_EQ(release(&x, 100, 1, 0), -FAIR_EINVAL);
	TEST_EQ(release(&x, 100, 1, 1), -FAIR_ERANGE);
	TEST_EQ(release(&x, x.p.horizon, 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(change(&x, 99, 200, 1), -FAIR_EINVAL);
	TEST_EQ(change(&x, 100, 100, 1), -FAIR_EINVAL);
	TEST_EQ(change(&x, 100, 200, -9), -FAIR_ERANGE);
	TEST_EQ(change(&x, 100, 200, INT32_MIN), -FAIR_ERANGE);
	TEST_EQ(change(&x, 100, 200, INT32_MAX), -FAIR_ERANGE);
	TEST_EQ(change(&x, 100, x.p.horizon + 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(change(&x, x.p.horizon + 1, FAIR_FOREVER, 1), -FAIR_EOVERFLOW);
	TEST_EQ(advance(&x, 99), -FAIR_EINVAL);
	TEST_EQ(advance(&x, INT64_MAX - (INT64_C(1) << 38) + 1),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_steps(&x.p), 1);
	/* As many steps as there are, and not one more. */
	last = 101;
	while (x.p.cap - fair_profile_steps(&x.p) >= 2) {
		TEST_REQUIRE(!reserve(&x, last, 1, 1));
		last += 2;
	}
	if (fair_profile_steps(&x.p) < x.p.cap) {
		TEST_EQ(reserve(&x, last, 2, 1), -FAIR_ENOSPC);
		TEST_EQ(reserve(&x, 100, 1, 2), 0);
	}
	TEST_EQ(fair_profile_steps(&x.p), x.p.cap);
	TEST_EQ(reserve(&x, last, 1, 1), -FAIR_ENOSPC);
	TEST_EQ(release(&x, 100, 1, 1), 0);
	TEST_EQ(change(&x, last, last + 1, -1), -FAIR_ENOSPC);
	TEST_EQ(change(&x, 100, FAIR_FOREVER, 0), 0);
	same(&x);
	pair_close(&x);
}

static void limits(void)
{
	struct pair x;

	pair_open(&x, 50, 10, 0);
	/* All of time: known exactly. */
	TEST_EQ(change(&x, 0, FAIR_FOREVER, -4), 0);
	TEST_EQ(x.p.limit, 6);
	TEST_EQ(reserve(&x, 10, 10, 6), 0);
	TEST_EQ(release(&x, 10, 10, 7), -FAIR_ERANGE);
	TEST_EQ(release(&x, 10, 10, 6), 0);
	TEST_EQ(change(&x, 0, FAIR_FOREVER, 4), 0);
	TEST_EQ(x.p.limit, 10);
	/* A window: what was reserved in it can be released after it. */
	TEST_EQ(change(&x, 100, 200, -10), 0);
	TEST_EQ(reserve(&x, 50, 100, 1), -FAIR_ERANGE);
	TEST_EQ(earliest(&x, 50, 100, 1), 200);
	TEST_EQ(change(&x, 100, 200, 10), 0);
	TEST_EQ(x.p.limit, 20);
	TEST_EQ(fair_profile_steps(&x.p), 1);
	/* More processors for a while. */
	TEST_EQ(reserve(&x, 0, 1000, 10), 0);
	TEST_EQ(change(&x, 0, 100, 5), 0);
	TEST_EQ(release(&x, 0, 1000, 10), 0);
	TEST_EQ(least(&x, 0, 100), 15);
	TEST_EQ(change(&x, 0, FAIR_FOREVER, INT32_MAX - 15), 0);
	TEST_EQ(x.p.limit, INT32_MAX);
	TEST_EQ(earliest(&x, 0, 100, INT32_MAX), 0);
	TEST_EQ(earliest(&x, 0, 101, INT32_MAX), -1);
	same(&x);
	pair_close(&x);
}

/* Breaks one thing, sees the number, mends it. */
#define BROKEN(number, place, value)                            \
	do {                                                    \
		__typeof__(place) was_ = place;                 \
		place = value;                                  \
		TEST_EQ(fair_profile_check(&x.p), number);      \
		place = was_;                                   \
		TEST_EQ(fair_profile_check(&x.p), 0);           \
	} while (0)

