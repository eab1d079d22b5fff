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
	memset(x->memory, 0xa5, x->bytes);
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
		profile_model_earliest_start(&x->m, not_before, walltime, procs,
					     &models));
	TEST_EQ(ours, models);
	return ours;
}

static int64_t earlier(struct pair *x, int64_t not_before, int64_t before,
		       int64_t walltime, int32_t procs, int64_t current)
{
	int64_t ours = -1, models = -1;

	TEST_EQ(fair_profile_earlier_start(&x->p, not_before, before, walltime,
					   procs, current, &ours),
		profile_model_earlier_start(&x->m, not_before, before, walltime,
					    procs, current, &models));
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
	int64_t start, end;

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
	start = 500;
	end = FAIR_FOREVER;
	TEST_EQ(fair_profile_run(&x.p, 5, &start, &end), 0);
	TEST_CHECK(start == 400 && end == FAIR_FOREVER);
	TEST_EQ(advance(&x, 0), 0);	/* it is that already */
	same(&x);
	pair_close(&x);

	/* It begins before 0, and goes on for ever. */
	pair_open(&x, 10, 8, -5);
	TEST_EQ(reserve(&x, 5, 10, 4), 0);
	TEST_EQ(least(&x, -5, FAIR_FOREVER), 4);
	TEST_EQ(earliest(&x, -5, 11, 8), 15);
	TEST_EQ(earliest(&x, INT64_MAX, 1, 8), -1);
	pair_close(&x);
}

/* One array after the other, each at a line of 64 bytes, and nothing else. */
static void layout(const struct fair_profile *p, const char *memory)
{
	size_t chunks = p->chunks_max, columns = 64 * chunks, used = 0, i;
	size_t spans = p->cap / 2048 < 64 ? 1 + p->cap / 2048 : 64;
	const struct {
		const void *at;
		size_t bytes;
	} part[] = {
		{ p->leaf, p->leaves_max * sizeof(p->leaf[0]) },
		{ p->row, chunks * p->stride * FAIR_PROFILE_ROWS * 4 },
		{ p->base, columns * 8 },
		{ p->id, columns * 4 },
		{ p->least, columns * 4 },
		{ p->count, columns * 2 },
		{ p->stale, chunks * 8 },
		{ p->used, chunks * 2 },
		{ p->order, chunks * 4 },
		{ p->first, 8 * (chunks <= 8 ? 8 : (chunks + 63) / 64 * 64) },
		{ p->top, 4 * (chunks * (FAIR_PROFILE_LANES + 1) + 16) },
	};

	memory += (64 - (uintptr_t)memory % 64) % 64;
	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		TEST_CHECK((const char *)part[i].at == memory + used);
		used += (part[i].bytes + 63) / 64 * 64;
	}
	TEST_EQ(fair_profile_size(p->cap), used + 63);
	TEST_EQ(p->horizon - p->origin, (int64_t)spans * (INT32_MAX - 1));
}

/* The manual: L, with the leaf and the step more of a change; and C. */
static void numbers(size_t steps)
{
	size_t spans = steps / 2048 < 64 ? 1 + steps / 2048 : 64;
	struct fair_profile p;

	fair_profile_layout(&p, NULL, steps);
	TEST_EQ(p.leaves_max, 2 * ((steps + 1) / 63 + spans - 1) + 1 + 1);
	TEST_CHECK(p.chunks_max <= steps / 1896 + 4);
	TEST_CHECK((size_t)p.width * p.chunks_max >= p.leaves_max);
	TEST_CHECK(p.width <= 64 && p.width == p.stride);
	TEST_EQ(p.stride % 16, 0);
}

static void sizes(void)
{
	static const size_t asked[] = { 1,    2,    63,	   64,	  65,
					100,  1000, 1038,  2047,  2048,
					4000, 5000, 10000, 100000, 129024,
					200000 };
	struct fair_profile p;
	size_t i, steps, bytes, before = 0;
	char *memory;

	for (steps = 1; steps <= INT32_MAX / 32; steps += 1 + steps / 64)
		numbers(steps);
	for (steps = 1; steps < 140000; steps++)
		TEST_EQ(fair_profile_spans(steps),
			steps / 2048 < 64 ? 1 + steps / 2048 : 64);
	for (steps = 1; steps < 200; steps++) {
		TEST_EQ(fair_profile_firsts(steps),
			steps <= 8 ? 8 : (steps + 63) / 64 * 64);
		TEST_EQ(fair_profile_tops(steps),
			steps * (FAIR_PROFILE_LANES + 1) + 16);
	}
	for (steps = 0; steps < 20000; steps++) {
		bytes = fair_profile_size(steps);
		TEST_CHECK(bytes >= before);
		TEST_CHECK(steps < 1000 ||
			   (20 * steps <= bytes && bytes <= 24 * steps));
		before = bytes;
	}
	TEST_EQ(fair_profile_size(SIZE_MAX), 0);
	TEST_EQ(fair_profile_size(SIZE_MAX / 20), 0);
	steps = fair_profile_room(SIZE_MAX / 2);
	TEST_CHECK(fair_profile_size(steps) && !fair_profile_size(steps + 1));
	TEST_CHECK(steps == INT32_MAX || sizeof(size_t) == 4);
	TEST_EQ(fair_profile_room(SIZE_MAX / 8 + 1), steps);
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
		layout(&p, memory + i);
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
	int64_t t = 77, start, end;
	int32_t n = 77;

	/* The last second is farther from the horizon than int64_t goes. */
	pair_open(&x, 10, 8, -(INT64_C(1) << 33));
	TEST_CHECK(x.p.horizon < 0);
	TEST_EQ(fair_profile_earliest_start(&x.p, INT64_MAX, 1, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_reserve(&x.p, INT64_MAX, 1, 4), -FAIR_EOVERFLOW);
	same(&x);
	pair_close(&x);
	pair_open(&x, 10, 8, -100);
	TEST_EQ(earliest(&x, INT64_MAX, 1, 4), -1);
	TEST_EQ(reserve(&x, INT64_MAX, 1, 4), -FAIR_EOVERFLOW);
	pair_close(&x);
	pair_open(&x, 10, 8, 100);
	/* It ends at the horizon. */
	TEST_EQ(earliest(&x, 100, x.p.horizon - 100, 4), 100);
	TEST_EQ(earliest(&x, 100, x.p.horizon, 9), -1);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, 0, 4, &t), -FAIR_EINVAL);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, 9, 0, &t), -FAIR_EINVAL);
	TEST_EQ(fair_profile_earliest_start(&x.p, 99, 9, 4, &t), -FAIR_EINVAL);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, 9, 9, &t), -FAIR_ERANGE);
	TEST_EQ(fair_profile_earliest_start(&x.p, x.p.horizon, 1, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_earliest_start(&x.p, INT64_MAX, 1, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_earliest_start(&x.p, 100, INT64_MAX, 4, &t),
		-FAIR_EOVERFLOW);
	TEST_EQ(reserve(&x, 100, 1000, 5), 0);
	TEST_EQ(earliest(&x, 100, x.p.horizon - 1100, 4), 1100);
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
	TEST_EQ(fair_profile_max_free(&x.p, 99, 200, &n), -FAIR_EINVAL);
	TEST_EQ(fair_profile_max_free(&x.p, 200, 200, &n), -FAIR_EINVAL);
	start = 99;
	end = 200;
	TEST_EQ(fair_profile_run(&x.p, 1, &start, &end), -FAIR_EINVAL);
	start = 200;
	TEST_EQ(fair_profile_run(&x.p, 1, &start, &end), -FAIR_EINVAL);
	TEST_EQ(start, 200);
	TEST_EQ(end, 200);
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
	TEST_EQ(reserve(&x, 101, 3, 1), 0);
	for (last = 105; x.p.cap - fair_profile_steps(&x.p) >= 2; last += 2)
		TEST_REQUIRE(!reserve(&x, last, 1, 1));
	TEST_EQ(reserve(&x, last, 1, 1), -FAIR_ENOSPC);
	if (fair_profile_steps(&x.p) < x.p.cap)
		TEST_EQ(change(&x, last + 5, FAIR_FOREVER, -1), 0);
	TEST_EQ(fair_profile_steps(&x.p), x.p.cap);
	TEST_EQ(reserve(&x, last + 2, 1, 1), -FAIR_ENOSPC);
	TEST_EQ(release(&x, 102, 1, 1), -FAIR_ENOSPC);
	TEST_EQ(change(&x, last + 2, last + 3, -1), -FAIR_ENOSPC);
	/* A change that takes as many as it gives. */
	TEST_EQ(release(&x, 101, 2, 1), 0);
	TEST_EQ(change(&x, 100, FAIR_FOREVER, 0), 0);
	TEST_EQ(change(&x, 100, 101, 0), 0);
	same(&x);
	/* The latest origin that there is. */
	TEST_EQ(advance(&x, INT64_MAX - (INT64_C(1) << 38)), 0);
	same(&x);
	pair_close(&x);
}

static void limits(void)
{
	struct pair x;
	int i;

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
	TEST_EQ(change(&x, 0, x.p.horizon, -1), 0);
	TEST_EQ(change(&x, x.p.horizon, FAIR_FOREVER, -1), 0);
	TEST_EQ(change(&x, 0, FAIR_FOREVER, -x.p.limit / 4), 0);
	TEST_EQ(change(&x, 0, FAIR_FOREVER, x.p.limit / 3), 0);
	same(&x);
	pair_close(&x);

	pair_open(&x, 50, 15, 0);
	TEST_EQ(reserve(&x, 100, 900, 5), 0);
	TEST_EQ(change(&x, 0, FAIR_FOREVER, INT32_MAX - 16), 0);
	TEST_EQ(x.p.limit, INT32_MAX - 1);
	TEST_EQ(change(&x, 0, FAIR_FOREVER, 1), 0);
	TEST_EQ(x.p.limit, INT32_MAX);
	TEST_EQ(earliest(&x, 0, 100, INT32_MAX), 0);
	TEST_EQ(earliest(&x, 0, 101, INT32_MAX), 1000);
	same(&x);
	pair_close(&x);

	/* All that there is goes at once, and comes in two parts. */
	pair_open(&x, 50, INT32_MAX, 0);
	for (i = 0; i < 4; i++) {
		TEST_EQ(change(&x, 0, FAIR_FOREVER, -INT32_MAX), 0);
		TEST_EQ(change(&x, 0, 10, INT32_MAX), 0);
		TEST_EQ(change(&x, 10, FAIR_FOREVER, INT32_MAX), 0);
		TEST_EQ(least(&x, 0, FAIR_FOREVER), INT32_MAX);
	}
	same(&x);
	pair_close(&x);

	/* One of as many as there can be, in many leaves. */
	pair_open(&x, 1500, INT32_MAX, 0);
	for (i = 0; i < 600; i++)
		TEST_EQ(reserve(&x, 10 * i, 5, 1), 0);
	TEST_REQUIRE(!fair_profile_flat(&x.p));
	same(&x);
	pair_close(&x);
}

static void move_errors(void)
{
	struct fair_profile *p;
	int32_t most = 77;
	struct pair x;

	pair_open(&x, 20, 8, 100);
	p = &x.p;
	TEST_EQ(reserve(&x, 200, 50, 5), 0);
	TEST_EQ(reserve(&x, 150, 10, 4), 0);
	TEST_EQ(fair_profile_move(p, 200, 99, 50, 5, &most), -FAIR_EINVAL);
	TEST_EQ(fair_profile_move(p, 200, 200, 50, 5, &most), -FAIR_EINVAL);
	TEST_EQ(fair_profile_move(p, 200, 180, 0, 5, &most), -FAIR_EINVAL);
	TEST_EQ(fair_profile_move(p, 200, 180, 50, 0, &most), -FAIR_EINVAL);
	TEST_EQ(fair_profile_move(p, p->horizon, 180, 50, 5, &most),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_profile_move(p, p->horizon - 10, 180, 50, 5, &most),
		-FAIR_EOVERFLOW);
	/* It is not there; somebody is in its way. */
	TEST_EQ(fair_profile_move(p, 201, 180, 50, 5, &most), -FAIR_ERANGE);
	TEST_EQ(fair_profile_move(p, 200, 155, 50, 5, &most), -FAIR_ERANGE);
	TEST_EQ(fair_profile_move(p, 200, 105, 50, 5, &most), -FAIR_ERANGE);
	TEST_EQ(most, 77);
	same(&x);
	TEST_EQ(fair_profile_move(p, 200, 160, 50, 5, &most), 0);
	TEST_CHECK(most >= 8);
	profile_model_release(&x.m, 200, 50, 5);
	profile_model_reserve(&x.m, 160, 50, 5);
	same(&x);
	pair_close(&x);
}

/* Jobs that are in a profile. */
struct jobs {
	struct job {
		int64_t start, walltime;
		int32_t procs;
	} job[4000];
	size_t n;
};

struct shape {
	int32_t procs;
	int64_t longest;
	size_t jobs;
};

static int64_t some_length(uint64_t *random, int64_t longest)
{
	/* As many short ones as long ones. */
	return 1 + test_range(random, 0, longest) / test_range(random, 1, 99);
}

static int32_t some_procs(uint64_t *random, int32_t most)
{
	int32_t part = (int32_t)test_range(random, 1, 30);

	return 1 + (int32_t)test_range(random, 0, most - 1) / part;
}

static void ask(struct pair *x, const struct shape *shape, uint64_t *random)
{
	int64_t end = x->m.step[x->m.n - 1].at + 1;
	int64_t t = test_range(random, x->p.origin, end);
	int64_t w = some_length(random, shape->longest);

	earliest(x, t, w, some_procs(random, shape->procs));
	earliest(x, x->p.origin, w, some_procs(random, shape->procs));
	least(x, t, t + w);
}

static void try_to_move(struct pair *x, struct jobs *jobs, uint64_t *random)
{
	int32_t most = 0, free_procs = 0;
	int64_t to, end, left;
	struct job *j;

	if (!jobs->n)
		return;
	j = &jobs->job[test_random(random) % jobs->n];
	to = earlier(x, x->p.origin, INT64_MAX, j->walltime, j->procs,
		     j->start);
	if (to == j->start)
		return;
	TEST_EQ(fair_profile_move(&x->p, j->start, to, j->walltime, j->procs,
				  &most),
		0);
	profile_model_release(&x->m, j->start, j->walltime, j->procs);
	profile_model_reserve(&x->m, to, j->walltime, j->procs);
	/* Behind where both are, more is free than before, by its own. */
	end = j->start + j->walltime;
	left = to + j->walltime > j->start ? to + j->walltime : j->start;
	TEST_EQ(fair_profile_max_free(&x->p, left, end, &free_procs), 0);
	TEST_CHECK(j->procs <= free_procs && free_procs <= most);
	j->start = to;
}

static void place(struct pair *x, struct jobs *jobs, const struct shape *shape,
		  uint64_t *random)
{
	struct job *j = &jobs->job[jobs->n];

	j->procs = some_procs(random, shape->procs);
	j->walltime = some_length(random, shape->longest);
	j->start = earliest(x, x->p.origin, j->walltime, j->procs);
	if (j->start >= 0 && !reserve(x, j->start, j->walltime, j->procs))
		jobs->n++;
}

static void forget(struct pair *x, struct jobs *jobs, int64_t now)
{
	size_t i;

	TEST_EQ(advance(x, now), 0);
	for (i = 0; i < jobs->n;) {
		struct job *j = &jobs->job[i];

		if (j->start + j->walltime <= now) {
			*j = jobs->job[--jobs->n];
			continue;
		}
		if (j->start < now) {
			j->walltime -= now - j->start;
			j->start = now;
		}
		i++;
	}
}

/* Fills, lives, and empties it; the model sees each answer. */
static void life(const struct shape *shape, uint64_t seed)
{
	static struct jobs jobs;
	struct pair x;
	const size_t most = shape->jobs * TEST_ROUNDS(5) / 5;
	size_t i;

	jobs.n = 0;
	pair_open(&x, 2 * shape->jobs + 10, shape->procs, 0);
	for (i = 0; i < 3 * most; i++) {
		if (jobs.n < most)
			place(&x, &jobs, shape, &seed);
		ask(&x, shape, &seed);
		if (i % 3 == 0)
			try_to_move(&x, &jobs, &seed);
		if (i % 7 == 0)
			fair_profile_settle(&x.p);
		if (i > most && i % 50 == 0)
			forget(&x, &jobs,
			       x.p.origin + some_length(&seed, shape->longest));
		if (i % 100 == 0)
			same(&x);
	}
	while (jobs.n) {
		const struct job *j = &jobs.job[test_random(&seed) % jobs.n];

		TEST_EQ(release(&x, j->start, j->walltime, j->procs), 0);
		jobs.job[j - jobs.job] = jobs.job[jobs.n - 1];
		jobs.n--;
	}
	TEST_EQ(fair_profile_steps(&x.p), 1);
	same(&x);
	pair_close(&x);
}

/* A second where a step begins, or one beside it. */
static int64_t some_edge(const struct pair *x, uint64_t *random)
{
	size_t i = (size_t)test_random(random) % x->m.n;
	int64_t t = x->m.step[i].at + test_range(random, -1, 1);

	return t < x->p.origin ? x->p.origin : t;
}

static void run_around(const struct pair *x, int32_t procs, int64_t start,
		       int64_t end)
{
	int64_t first = start, last = end;

	TEST_EQ(fair_profile_run(&x->p, procs, &start, &end),
		profile_model_run(&x->m, procs, &first, &last));
	TEST_EQ(start, first);
	TEST_EQ(end, last);
}

/* All that can be asked, about moments at which something changes. */
static void questions(void)
{
	static const size_t jobs[] = { 1, 8, 40, 200, 500 };
	const struct shape shape = { 64, 4000, 600 };
	static struct jobs there;
	struct fair_step step;
	uint64_t random = 9;
	size_t i, k;

	for (i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct pair x;

		pair_open(&x, 2 * jobs[i] + 10, shape.procs,
			  i % 2 ? 0 : INT64_C(1) << 40);
		for (there.n = 0, k = 0; k < jobs[i]; k++)
			place(&x, &there, &shape, &random);
		if (i % 2)
			fair_profile_settle(&x.p);
		for (k = 0; k < 400; k++) {
			int64_t a = some_edge(&x, &random);
			int64_t b = some_edge(&x, &random);
			int64_t c = some_edge(&x, &random);
			int64_t w = b > a && k % 2 ? b - a : 1 + c - x.p.origin;
			int32_t procs = some_procs(&random, shape.procs);

			earliest(&x, a, w, procs);
			earlier(&x, a, c, w, procs, b);
			earlier(&x, a, INT64_MAX, w, procs, b);
			earlier(&x, a, b - w + 1, w, procs, b);
			earlier(&x, x.p.origin, b - w, w, procs, b);
			earlier(&x, x.p.origin, INT64_MAX, w, procs, b);
			run_around(&x, procs, a, a < b ? b : a + w);
			run_around(&x, procs, a, FAIR_FOREVER);
			least(&x, a, a + w);
			least(&x, a, FAIR_FOREVER);
		}
		earlier(&x, x.p.origin, INT64_MAX, 5, 64, x.p.horizon);
		TEST_EQ(fair_profile_step_at(&x.p, INT64_MAX, &step), 0);
		TEST_EQ(step.start, x.m.step[x.m.n - 1].at);
		TEST_CHECK(step.end == FAIR_FOREVER);
		pair_close(&x);
	}
}

static void lives(void)
{
	static const struct shape shapes[] = {
		{ 1, 100, 200 },	 { 7, 5000, 500 },
		{ 1024, 86400, 1500 },	 { 100000, 86400, 1500 },
		{ INT32_MAX, 300, 300 }, { 16, 1 << 30, 400 },
	};
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		life(&shapes[i], i);
}

/* @n windows of @length and @procs, with nothing between them. */
static void comb(struct pair *x, int n, int64_t length, int32_t procs)
{
	int32_t all = x->p.limit;
	int i;

	TEST_EQ(reserve(x, 0, n * (length + 1), all - procs), 0);
	for (i = 0; i < n; i++)
		TEST_EQ(reserve(x, i * (length + 1) + length, 1, procs), 0);
}

static void combs(void)
{
	const int n = 600 * TEST_ROUNDS(5), half = n / 2;
	struct pair x;
	int settled;

	pair_open(&x, 3 * (size_t)n, 1024, 0);
	comb(&x, n, 3600, 100);
	for (settled = 0; settled < 2; settled++) {
		TEST_EQ(earliest(&x, 0, 3600, 100), 0);
		TEST_EQ(earliest(&x, 1, 3600, 100), 3601);
		TEST_EQ(earliest(&x, 0, 3601, 100), n * INT64_C(3601));
		TEST_EQ(earliest(&x, 0, 1, 101), n * INT64_C(3601));
		TEST_EQ(earliest(&x, 5, 3601, 1), n * INT64_C(3601));
		/* A window in the middle, of three. */
		TEST_EQ(release(&x, half * 3601 - 1, 1, 100), 0);
		TEST_EQ(release(&x, (half + 1) * 3601 - 1, 1, 100), 0);
		TEST_EQ(earliest(&x, 0, 3601, 100), (half - 1) * 3601);
		TEST_EQ(earliest(&x, 0, 10802, 100), (half - 1) * 3601);
		TEST_EQ(earliest(&x, 0, 10803, 100), n * INT64_C(3601));
		TEST_EQ(reserve(&x, half * 3601 - 1, 1, 100), 0);
		TEST_EQ(reserve(&x, (half + 1) * 3601 - 1, 1, 100), 0);
		same(&x);
		fair_profile_settle(&x.p);
	}
	pair_close(&x);
}

/*
 * Steps of 8 and 9 free processors, nothing else: runs go on through many
 * leaves and chunks, and end at one second without any.
 */
static void long_runs(void)
{
	const int64_t n = 1000 * TEST_ROUNDS(6);
	struct pair x;
	int64_t t, s;

	pair_open(&x, 2 * (size_t)n + 10, 10, 0);
	TEST_EQ(reserve(&x, 0, 4 * n, 1), 0);
	for (t = 0; t < n; t++)
		TEST_EQ(fair_profile_reserve(&x.p, 4 * t, 2, 1), 0);
	profile_model_free(&x.m);
	profile_model_init(&x.m, x.p.cap, x.p.horizon, 10, 0);
	profile_model_reserve(&x.m, 0, 4 * n, 1);
	for (t = 0; t < n; t++)
		profile_model_reserve(&x.m, 4 * t, 2, 1);
	fair_profile_settle(&x.p);
	for (s = 10; s < 4 * n; s += 1777) {
		/* The wall, and what was behind it and before. */
		TEST_EQ(reserve(&x, s, 1, 8), 0);
		TEST_EQ(earliest(&x, 0, s, 2), 0);
		TEST_EQ(earliest(&x, 0, s + 1, 2), s + 1);
		TEST_EQ(earliest(&x, 0, 10, 10), 4 * n);
		fair_profile_settle(&x.p);
		TEST_EQ(earliest(&x, 0, s, 2), 0);
		TEST_EQ(earliest(&x, 0, s + 1, 2), s + 1);
		TEST_EQ(fair_profile_check(&x.p), 0);
		TEST_EQ(release(&x, s, 1, 8), 0);
		/* The leaves before the wall are dirty: they reach further. */
		TEST_EQ(earliest(&x, 0, 4 * n, 8), 0);
		TEST_EQ(earliest(&x, 3, 4 * n + 8, 8), 3);
		TEST_EQ(fair_profile_check(&x.p), 0);
	}
	same(&x);
	pair_close(&x);
}

/* From 6000 on there are too few for ever: the search goes to the end. */
static void too_few_in_the_end(void)
{
	const int64_t n = 600;
	struct pair x;
	int64_t t;

	pair_open(&x, 2 * (size_t)n + 10, 10, 0);
	for (t = 0; t < n; t++)
		TEST_EQ(reserve(&x, 10 * t, 5, 1), 0);
	TEST_EQ(change(&x, 10 * n, FAIR_FOREVER, -6), 0);
	fair_profile_settle(&x.p);
	TEST_EQ(earliest(&x, 0, 10 * n, 9), 0);
	TEST_EQ(earliest(&x, 0, 10 * n + 1, 5), -1);
	TEST_EQ(earliest(&x, 1, 10 * n, 5), -1);
	/* What is known of a leaf as a whole is too much; exactly, it is not. */
	TEST_EQ(change(&x, 0, FAIR_FOREVER, -4), 0);
	TEST_EQ(reserve(&x, 0, 10 * n, 5), 0);
	TEST_EQ(release(&x, 0, 10 * n, 5), 0);
	TEST_EQ(release(&x, 0, 10 * n, 1), -FAIR_ERANGE);
	TEST_EQ(release(&x, 1, 10 * n, 1), -FAIR_ERANGE);
	same(&x);
	pair_close(&x);
}

/*
 * A run that starts in, passes through, or ends in a leaf that is dirty: the
 * steps between @from and @to are lifted out of a wall, leaf by leaf.
 */
static void dirty_leaves(void)
{
	const int64_t n = 2000;
	struct pair x;
	int64_t t, from, length;

	pair_open(&x, 2 * (size_t)n + 200, 10, 0);
	for (t = 0; t < n; t++)
		TEST_EQ(reserve(&x, 10 * t, 10, 8 + (int32_t)t % 2), 0);
	for (from = 95; from < 10 * n - 6000; from += 8 * 1337 / TEST_ROUNDS(8))
		for (length = 10; length < 6000; length *= 3) {
			fair_profile_settle(&x.p);
			TEST_EQ(release(&x, from, length, 5), 0);
			TEST_EQ(earliest(&x, 0, length, 6), from);
			TEST_EQ(earliest(&x, 0, length + 1, 6), 10 * n);
			TEST_EQ(earliest(&x, from + 3, length - 3, 6),
				from + 3);
			TEST_EQ(fair_profile_check(&x.p), 0);
			TEST_EQ(reserve(&x, from, length, 5), 0);
			TEST_EQ(earliest(&x, 0, length, 6), 10 * n);
			TEST_EQ(fair_profile_check(&x.p), 0);
		}
	same(&x);
	pair_close(&x);
}

/* I7: of steps that one leaf can hold there is one leaf. */
static void one_leaf(void)
{
	const int64_t origin = INT64_C(1) << 40, span = INT32_MAX - 1;
	struct pair x;
	int t;

	pair_open(&x, 2048, 10, origin);
	for (t = 0; t < 40; t++)
		TEST_EQ(reserve(&x, origin + 10 + 10 * t, 5, 1), 0);
	TEST_EQ(x.p.leaves, 2);
	for (; x.m.n > 63; t--)
		TEST_EQ(release(&x, origin + 10 * t, 5, 1), 0);
	/* With a step less they fit. */
	TEST_EQ(x.p.leaves, 2);
	TEST_EQ(reserve(&x, origin + 5, 5, 1), 0);
	same(&x);
	TEST_EQ(x.m.n, 62 + 1);
	TEST_EQ(release(&x, origin + 5, 10, 1), 0);
	TEST_EQ(x.m.n, 62 - 1);
	TEST_EQ(x.p.leaves, 1);
	same(&x);
	pair_close(&x);

	/* As far as a leaf spans, and a second more. */
	pair_open(&x, 2048, 10, -origin);
	TEST_EQ(reserve(&x, span - origin + 10, 10, 1), 0);
	TEST_EQ(reserve(&x, span - origin, 5, 1), 0);
	same(&x);
	TEST_EQ(release(&x, span - origin, 5, 1), 0);
	TEST_EQ(x.p.leaves, 2);
	TEST_EQ(advance(&x, 19 - origin), 0);
	TEST_EQ(x.p.leaves, 2);
	TEST_EQ(advance(&x, 20 - origin), 0);
	TEST_EQ(x.p.leaves, 1);
	same(&x);
	pair_close(&x);
}

/* Adjacent jobs of one processor and of two, a step each. */
static void stairs(struct pair *x, int64_t n, int64_t length)
{
	int64_t t;

	for (t = 0; t < n; t++)
		TEST_EQ(reserve(x, length * t, length, 1 + (int32_t)(t % 2)),
			0);
}

/* A full leaf shares its steps, or is split: what fits then becomes one leaf. */
static void neighbours(void)
{
	struct pair x;
	int64_t t;

	/* 3, 64 and 20 steps. */
	pair_open(&x, 500, 10, 0);
	stairs(&x, 148, 5);
	TEST_EQ(x.p.leaves, 3);
	for (t = 2; t < 64; t++)
		TEST_EQ(release(&x, 5 * t, 5, 1 + (int32_t)(t % 2)), 0);
	same(&x);
	TEST_EQ(x.p.leaves, 3);
	TEST_EQ(reserve(&x, 5 * 70 + 1, 2, 1), 0);
	same(&x);
	TEST_EQ(x.p.leaves, 2);
	pair_close(&x);

	/* The one in the middle loses steps, and both are more than half full. */
	pair_open(&x, 500, 10, 0);
	stairs(&x, 190, 5);
	TEST_EQ(x.p.leaves, 3);
	for (t = 20; t < 64; t++)
		TEST_EQ(release(&x, 5 * t, 5, 1 + (int32_t)(t % 2)), 0);
	for (t = 66; t < 128; t++) {
		TEST_EQ(release(&x, 5 * t, 5, 1 + (int32_t)(t % 2)), 0);
		TEST_EQ(fair_profile_check(&x.p), 0);
	}
	same(&x);
	pair_close(&x);

	/* Too far for the whole leaf, not for half of it. */
	pair_open(&x, 2048, 10, 0);
	stairs(&x, 64, 1 << 25);
	TEST_EQ(reserve(&x, (INT64_C(1) << 31) + 10, 5, 1), 0);
	same(&x);
	TEST_EQ(reserve(&x, 10 * (INT64_C(1) << 25) + 5, 5, 1), 0);
	same(&x);
	pair_close(&x);
}

/* When a wall is gone, runs from before it go on: wherever it was in a leaf. */
static void walls(void)
{
	struct fair_profile *p;
	struct pair x;
	int64_t t;

	pair_open(&x, 1500, 1000000, 0);
	p = &x.p;
	for (t = 0; t < 700; t++)
		TEST_EQ(fair_profile_reserve(p, t, 1, 1 + (int32_t)(t % 2)), 0);
	fair_profile_settle(p);
	for (t = 200; t < 270; t++) {
		TEST_EQ(fair_profile_reserve(p, t, 1, 900000), 0);
		fair_profile_settle(p);
		TEST_EQ(fair_profile_release(p, t, 1, 900000), 0);
		TEST_EQ(fair_profile_check(p), 0);
	}
	pair_close(&x);
}

/* Time goes on to the last leaf of the first of two chunks. */
static void last_of_a_chunk(const struct pair *x)
{
	void *memory = malloc(x->bytes);
	struct fair_profile p;
	size_t used, chunk;

	TEST_REQUIRE(memory);
	for (used = 2; used <= 64; used++) {
		TEST_EQ(fair_profile_clone(&p, memory, x->bytes, &x->p), 0);
		chunk = p.order[0] * (size_t)64;
		if (used > p.used[chunk / 64])
			break;
		TEST_EQ(fair_profile_advance(&p, p.base[chunk + used - 1]), 0);
		TEST_EQ(fair_profile_check(&p), 0);
	}
	TEST_EQ(used, 65);
	free(memory);
}

/* All leaves of a chunk, and one more, and back. */
static void a_full_chunk(void)
{
	struct fair_profile *p;
	int64_t t, start;
	struct pair x;

	pair_open(&x, 5000, 10, 0);
	p = &x.p;
	TEST_EQ(p->width, 64);
	for (t = 0; p->leaves < 65 && t < 5000; t++) {
		int32_t procs = 1 + (int32_t)(t % 2);

		TEST_EQ(fair_profile_reserve(p, 5 * t, 5, procs), 0);
		if (p->leaves < 64)
			continue;
		TEST_EQ(fair_profile_check(p), 0);
		TEST_EQ(fair_profile_earliest_start(p, 5 * t, 5, 10, &start),
			0);
		TEST_EQ(start, 5 * t + 5);
		TEST_EQ(fair_profile_settle(p), 0);
		TEST_EQ(fair_profile_release(p, 5 * t, 5, procs), 0);
		TEST_EQ(fair_profile_check(p), 0);
		TEST_EQ(fair_profile_reserve(p, 5 * t, 5, procs), 0);
		TEST_EQ(fair_profile_check(p), 0);
	}
	TEST_EQ(p->chunks, 2);
	TEST_EQ(fair_profile_check(p), 0);
	last_of_a_chunk(&x);
	while (t-- > 0) {
		TEST_EQ(fair_profile_release(p, 5 * t, 5, 1 + (int32_t)(t % 2)),
			0);
		if (t % 256 == 0)
			TEST_EQ(fair_profile_check(p), 0);
	}
	same(&x);
	pair_close(&x);
}

/* Steps that no leaf can span together, to the horizon. */
static void far(void)
{
	struct pair x;
	uint64_t random = 3;
	int64_t start, walltime;
	int i;

	pair_open(&x, 5000, 100, -50);
	for (i = 0; i < 300; i++) {
		start = test_range(&random, -50, x.p.horizon - 1);
		walltime = test_range(&random, 1, x.p.horizon - start);
		reserve(&x, start, walltime,
			(int32_t)test_range(&random, 1, 3));
		earliest(&x, start, walltime,
			 (int32_t)test_range(&random, 1, 100));
		if (i % 10 == 0)
			fair_profile_settle(&x.p);
		if (i % 50 == 0)
			same(&x);
	}
	/* Almost as many steps as there is room for, crowded at the end. */
	for (i = 0; fair_profile_steps(&x.p) + 2 <= x.p.cap; i++)
		if (fair_profile_reserve(&x.p, x.p.horizon - 2 * i - 1, 1, 1))
			break;
	TEST_EQ(fair_profile_check(&x.p), 0);
	for (i = 0; i < 40; i++)
		TEST_EQ(fair_profile_advance(&x.p, x.p.origin + (1 << 29)), 0);
	TEST_EQ(fair_profile_check(&x.p), 0);
	pair_close(&x);
}

/*
 * The memory suffices, whatever comes: steps come and go where leaves are
 * least full, until all of the capacity is used, again and again.
 */
static void full(void)
{
	static const size_t sizes[] = { 5, 64, 65, 66, 130, 1000, 5000 };
	struct fair_profile p;
	uint64_t random = 1;
	size_t i, bytes, round;
	int64_t t, span;
	void *memory;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		bytes = fair_profile_size(sizes[i]);
		memory = malloc(bytes);
		TEST_REQUIRE(memory);
		TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes, 4, 0),
			0);
		span = 4 * (int64_t)p.cap;
		for (round = 0; round < 6; round++) {
			size_t tries = 20 * p.cap;

			while (tries-- && fair_profile_steps(&p) < p.cap) {
				t = test_range(&random, 0, span);
				fair_profile_reserve(&p, t, 1, 1);
			}
			TEST_EQ(fair_profile_check(&p), 0);
			TEST_CHECK(fair_profile_steps(&p) + 8 > p.cap);
			/* Thins it out, evenly or in one place. */
			for (t = 0; t < span; t++)
				if (round % 2 ? t % 64 > 2 : t < span / 2)
					while (!fair_profile_release(&p, t, 1,
								     1))
						;
			TEST_EQ(fair_profile_check(&p), 0);
		}
		free(memory);
	}
}

static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
	const unsigned char *b = (const unsigned char *)data;
	size_t i;

	for (i = 0; i < bytes; i++)
		h = (h ^ b[i]) * UINT64_C(1099511628211);
	return h;
}

static void queries_write_nothing(void)
{
	const struct shape shape = { 64, 4000, 300 };
	static struct jobs jobs;
	uint64_t random = 5, before;
	struct pair x;
	int i;

	pair_open(&x, 700, shape.procs, 0);
	memset(x.memory, 0, x.bytes);
	fair_profile_init(&x.p, sizeof(x.p), x.memory, x.bytes, shape.procs, 0);
	for (i = 0; i < 300; i++) {
		place(&x, &jobs, &shape, &random);
		if (i % 20)
			continue;
		before = hash(0, x.memory, x.bytes);
		ask(&x, &shape, &random);
		earlier(&x, 0, INT64_MAX, jobs.job[0].walltime,
			jobs.job[0].procs, jobs.job[0].start);
		same(&x);
		TEST_CHECK(hash(0, x.memory, x.bytes) == before);
	}
	pair_close(&x);
}

static void clones(void)
{
	const struct shape shape = { 64, 4000, 3000 };
	static struct jobs jobs;
	struct fair_profile copy, was;
	uint64_t random = 6;
	struct pair x, y;
	size_t bytes, i;
	void *memory, *larger;

	pair_open(&x, 20000, shape.procs, 0);
	for (i = 0; i < 500 * TEST_ROUNDS(5); i++)
		place(&x, &jobs, &shape, &random);
	TEST_EQ(fair_profile_clone(&copy, NULL, 100, &x.p), -FAIR_EINVAL);
	memset(&copy, 0x5a, sizeof(copy));
	was = copy;
	bytes = fair_profile_size(fair_profile_steps(&x.p));
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_EQ(fair_profile_clone(&copy, memory, fair_profile_size(10), &x.p),
		-FAIR_ENOMEM);
	TEST_EQ(fair_profile_clone(&copy, memory, fair_profile_size(1) - 1,
				   &x.p),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&copy, &was, sizeof(copy)));
	TEST_EQ(fair_profile_clone(&copy, memory, bytes, &x.p), 0);
	y.p = copy;
	profile_model_copy(&y.m, &x.m);
	same(&y);
	/* Both live on, apart. */
	y.m.most = copy.cap;
	y.m.reach = copy.horizon - copy.origin;
	for (i = 0; i < 300; i++) {
		ask(&x, &shape, &random);
		ask(&y, &shape, &random);
		try_to_move(&y, &jobs, &random);
		if (i % 10 == 0)
			fair_profile_settle(&y.p);
	}
	same(&x);
	same(&y);
	/* Far away: what fits by number may not by time. */
	TEST_EQ(reserve(&x, x.p.horizon - 1, 1, 1), 0);
	TEST_EQ(fair_profile_clone(&was, y.p.leaf, bytes, &x.p), -FAIR_ENOMEM);
	/* To the horizon, in a memory as large. */
	larger = malloc(x.bytes);
	TEST_REQUIRE(larger);
	TEST_EQ(fair_profile_clone(&was, larger, x.bytes, &x.p), 0);
	TEST_EQ(fair_profile_check(&was), 0);
	free(larger);
	profile_model_free(&y.m);
	free(memory);
	pair_close(&x);
}

/* What is greater than @x, or has bit @bit, among the first @n of @a. */
static uint64_t naive_gt(const int32_t *a, size_t n, int32_t x)
{
	uint64_t bits = 0;
	size_t k;

	for (k = 0; k < n; k++)
		bits |= (uint64_t)(a[k] > x) << k;
	return bits;
}

static uint64_t naive_has(const int32_t *a, size_t n, size_t bit)
{
	uint64_t bits = 0;
	size_t k;

	for (k = 0; k < n; k++)
		bits |= (uint64_t)(a[k] >> bit & 1) << k;
	return bits;
}

/* A leaf of @n steps. */
static void some_leaf(struct fair_profile_leaf *leaf, size_t n,
		      uint64_t *random)
{
	size_t k;

	for (k = 0; k < 64; k++) {
		leaf->free[k] = leaf->off[k] = INT32_MAX;
		if (k >= n)
			continue;
		leaf->free[k] = (int32_t)test_range(random, 0, 40);
		leaf->off[k] = k ? leaf->off[k - 1] + (int32_t)test_range(
							 random, 1, 1 << 24)
				 : 0;
	}
}

/* Sums, masks and searches, by instructions of any kind, as by plain loops. */
static void vectors(void)
{
	struct fair_profile_leaf leaf, was;
	int32_t a[64], x, low, high;
	uint64_t random = 7, bits;
	size_t n, k, i, j;
	int round;

	for (k = 0; k < 64; k++) {
		TEST_EQ(fair_profile_msb(test_random(&random) >> (63 - k) |
					 UINT64_C(1) << k),
			k);
		for (n = 0; n < 70; n++)
			TEST_CHECK((fair_profile_below(n) >> k & 1) == (k < n));
	}
	for (round = 0; round < 1300; round++) {
		n = (size_t)round % 65;
		x = (int32_t)test_range(&random, -1, 41);
		some_leaf(&leaf, n, &random);
		TEST_CHECK(fair_profile_gt64(leaf.free, x) ==
			   naive_gt(leaf.free, 64, x));
		TEST_CHECK(fair_profile_gt(leaf.free, n, x) ==
			   naive_gt(leaf.free, n, x));
		for (k = 0; k < 64; k++)
			a[k] = (int32_t)(test_random(&random) >> 38);
		TEST_CHECK(fair_profile_has(a, n, (size_t)round % 26) ==
			   naive_has(a, n, (size_t)round % 26));
		i = (size_t)round % 3 * 16;
		TEST_CHECK(fair_profile_gt16(a + i, x) ==
			   naive_gt(a + i, 16, x));
		TEST_CHECK(fair_profile_has16(a + i, (size_t)round % 26) ==
			   naive_has(a + i, 16, (size_t)round % 26));
		bits = test_random(&random) & test_random(&random) & 0xffff;
		for (k = 0; k < 16 && !(bits >> k & 1); k++)
			;
		TEST_EQ(fair_profile_until(bits), k);
		low = INT32_MAX;
		for (k = 0; k < 64; k++)
			low = leaf.free[k] < low ? leaf.free[k] : low;
		TEST_EQ(fair_profile_leaf_least(&leaf), low);
		if (!n)
			continue;
		/* Where a step begins, or just before. */
		x = leaf.off[test_random(&random) % n];
		x -= x && round % 2;
		for (k = 0; k + 1 < n && leaf.off[k + 1] <= x; k++)
			;
		TEST_EQ(fair_profile_step_of(&leaf, x), k);
		TEST_EQ(fair_profile_step_of(&leaf, INT64_MAX), n - 1);
		i = (size_t)test_random(&random) % n;
		j = i + (size_t)test_random(&random) % (n - i) + 1;
		low = high = x = leaf.free[i];
		was = leaf;
		for (k = i; k < j; k++) {
			low = was.free[k] < low ? was.free[k] : low;
			high = was.free[k] > high ? was.free[k] : high;
			was.free[k] += 7;
		}
		fair_profile_scan(&leaf, i, j, &x, &leaf.off[0]);
		TEST_EQ(x, low);
		TEST_EQ(leaf.off[0], high);
		leaf.off[0] = 0;
		fair_profile_leaf_add(&leaf, i, j, 7);
		TEST_CHECK(!memcmp(&leaf, &was, sizeof(leaf)));
	}
}

/* Behind a multiple of 16 numbers, and behind a profile, nothing is read. */
static void ends_of_memory(void)
{
	static char memory[65536];
	struct fair_profile *p = (struct fair_profile *)malloc(sizeof(*p));
	int32_t *a;
	size_t n, k;

	TEST_REQUIRE(p);
	TEST_EQ(fair_profile_init(p, sizeof(*p), memory, sizeof(memory), 1000,
				  0),
		0);
	TEST_EQ(fair_profile_lanes(p, 1000), FAIR_PROFILE_LANES);
	free(p);
	for (n = 1; n <= 64; n++) {
		a = (int32_t *)malloc((n + 15) / 16 * 16 * sizeof(*a));
		TEST_REQUIRE(a);
		for (k = 0; k < (n + 15) / 16 * 16; k++)
			a[k] = (int32_t)(k * 5 % 16);
		TEST_CHECK(fair_profile_gt(a, n, 7) == naive_gt(a, n, 7));
		TEST_CHECK(fair_profile_has(a, n, 2) == naive_has(a, n, 2));
		free(a);
	}
}

/* Where there was anything but 0 or 1. */
static void fill_the_stack(void)
{
	volatile char was[8192];
	size_t i;

	for (i = 0; i < sizeof(was); i++)
		was[i] = 0x5a;
}

/* All of a new profile is set, whatever the stack was before. */
static void set_at_first(void)
{
	static char memory[65536];
	void (*volatile fill)(void) = fill_the_stack;
	struct fair_profile p;
	unsigned char settled;

	fill();
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8, 0),
		0);
	memcpy(&settled, &p.settled, 1);
	TEST_CHECK(settled <= 1);
}

/* The last of @n ascending numbers that is <= @t. */
static size_t naive_last(const int64_t *a, size_t n, int64_t t)
{
	while (n > 1 && a[n - 1] > t)
		n--;
	return n - 1;
}

static void positions(void)
{
	static int64_t first[256];
	struct fair_profile p;
	size_t n, k, i;

	memset(&p, 0, sizeof(p));
	p.first = first;
	for (n = 1; n < 200; n++) {
		for (i = 0; i < 256; i++)
			first[i] = i < n			  ? 2 * (int64_t)i
				   : i < fair_profile_firsts(n) ? INT64_MAX
								: 0;
		p.chunks = (uint32_t)n;
		for (k = 0; k < 2 * n + 2; k++) {
			TEST_EQ(fair_profile_position(&p, (int64_t)k),
				naive_last(first, n, (int64_t)k));
			if (n > 8)
				TEST_EQ(fair_profile_last64(first, (int64_t)k),
					naive_last(first, 64, (int64_t)k));
		}
	}
}

/* Is each threshold @more / 64 above the one before, at least by 1? */
static bool ascend_by(const struct fair_profile *p, int64_t more)
{
	int64_t q = 1, step;
	size_t k;

	for (k = 0; k < FAIR_PROFILE_LANES; k++) {
		if (p->lane[k] != (q <= p->limit ? q : INT32_MAX))
			return false;
		step = q * more / 64;
		q += step ? step : 1;
	}
	return true;
}

/* How many thresholds are reached; they are ascending, from 1 on. */
static void thresholds(void)
{
	static const int32_t machines[] = { 1,	  2,	  7,	  24,
					    25,	  100,	  1024,	  86400,
					    1 << 24, INT32_MAX };
	static char memory[65536];
	struct fair_profile p;
	size_t i, k, l, n;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		TEST_EQ(fair_profile_init(&p, sizeof(p), memory, sizeof(memory),
					  machines[i], 0),
			0);
		for (k = 1; k < 200 && !ascend_by(&p, (int64_t)k); k++)
			;
		TEST_CHECK(k < 200);
		for (k = 0; k < FAIR_PROFILE_LANES; k++) {
			TEST_CHECK(p.lane[k + 1] > p.lane[k] ||
				   p.lane[k + 1] == INT32_MAX);
			TEST_CHECK(p.lane[k] <= machines[i] ||
				   p.lane[k] == INT32_MAX);
			for (l = n = 0; l < FAIR_PROFILE_LANES; l++)
				n += p.lane[l] <= p.lane[k];
			TEST_EQ(fair_profile_lanes(&p, p.lane[k]), n);
			if (p.lane[k] < INT32_MAX)
				TEST_EQ(fair_profile_lanes(&p, p.lane[k] - 1),
					k);
		}
		TEST_EQ(fair_profile_lanes(&p, INT32_MAX), FAIR_PROFILE_LANES);
		for (; k < 32; k++)
			TEST_EQ(p.lane[k], INT32_MAX);
	}
}

/* The runs of a leaf, by plain loops and by others. */
static void runs(void)
{
	enum { LANES = FAIR_PROFILE_LANES };
	/* And one behind, not to be touched. */
	int32_t lane[LANES + 1], best[LANES + 1], begin[LANES + 1];
	int32_t longest, from;
	struct fair_profile_leaf leaf;
	uint64_t random = 8;
	size_t n, k, l;
	int round;

	for (round = 0; round < 640; round++) {
		n = 1 + (size_t)round % 64;
		some_leaf(&leaf, n, &random);
		for (l = 0; l <= LANES; l++)
			lane[l] = (int32_t)test_range(&random, 1, 41);
		best[LANES] = begin[LANES] = -1;
		fair_profile_runs(lane, &leaf, n - 1, best, begin);
		TEST_CHECK(best[LANES] == -1 && begin[LANES] == -1);
		for (l = 0; l < LANES; l++) {
			longest = from = 0;
			for (k = 1; k < n; k++) {
				if (leaf.free[k - 1] < lane[l])
					from = leaf.off[k];
				if (leaf.off[k] - from > longest)
					longest = leaf.off[k] - from;
			}
			TEST_EQ(best[l], longest);
			TEST_EQ(begin[l], from);
		}
#if defined(FAIR_PROFILE_SSE2)
		if (__builtin_cpu_supports("avx2")) {
			int32_t fast[2][LANES];

			fair_profile_runs_avx2(lane, &leaf, n - 1, fast[0],
					       fast[1]);
			TEST_CHECK(!memcmp(fast[0], best, sizeof(fast[0])));
			TEST_CHECK(!memcmp(fast[1], begin, sizeof(fast[1])));
		}
#endif
	}
}

int main(void)
{
	TEST_RUN(example);
	TEST_RUN(picture);
	TEST_RUN(vectors);
	TEST_RUN(ends_of_memory);
	TEST_RUN(set_at_first);
	TEST_RUN(positions);
	TEST_RUN(thresholds);
	TEST_RUN(runs);
	TEST_RUN(sizes);
	TEST_RUN(init_errors);
	TEST_RUN(query_errors);
	TEST_RUN(change_errors);
	TEST_RUN(move_errors);
	TEST_RUN(limits);
	TEST_RUN(questions);
	TEST_RUN(lives);
	TEST_RUN(combs);
	TEST_RUN(long_runs);
	TEST_RUN(too_few_in_the_end);
	TEST_RUN(dirty_leaves);
	TEST_RUN(one_leaf);
	TEST_RUN(neighbours);
	TEST_RUN(walls);
	TEST_RUN(a_full_chunk);
	TEST_RUN(far);
	TEST_RUN(full);
	TEST_RUN(queries_write_nothing);
	TEST_RUN(clones);
	return test_report();
}
