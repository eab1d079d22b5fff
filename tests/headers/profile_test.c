/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_test.c - the contract of profile.h: answers, errors, memory, clones
 */
#include "tests/profile_both.h"

TEST(the_manuals_example)
{
	/* As in the manual. */
	static char memory[65536];
	struct fair_profile p;
	int64_t start = -1;

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

TEST(the_manuals_picture)
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
	TEST_EQ(advance(&x, 0), 0); /* it is that already */
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

TEST(limit_follows_the_capacity)
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
	TEST_REQUIRE(!fair_profile_is_flat(&x.p));
	same(&x);
	pair_close(&x);
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
static void random_history(const struct shape *shape, uint64_t seed)
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
TEST(queries_agree_at_the_edges_of_steps)
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

TEST(random_histories_agree)
{
	static const struct shape shapes[] = {
		{ 1, 100, 200 },	 { 7, 5000, 500 },
		{ 1024, 86400, 1500 },	 { 100000, 86400, 1500 },
		{ INT32_MAX, 300, 300 }, { 16, 1 << 30, 400 },
	};
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		random_history(&shapes[i], i);
}

/* Steps that no leaf can span together, to the horizon. */
TEST(steps_reach_the_horizon)
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
TEST(memory_suffices_for_cap_steps)
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
		TEST_OK(fair_profile_init(&p, sizeof(p), memory, bytes, 4, 0));
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

TEST(queries_write_nothing)
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

TEST(a_clone_is_independent)
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

/* 5 or 6 are free up to @x, but for some seconds each 200 s and the last at
 * @x - @since; then none for 50 s, and then all 10. */
static void open_with_runs(struct fair_profile *p, void *memory, size_t bytes,
			   int64_t x, int64_t since)
{
	int64_t t, last = x - since - 10;
	bool none;

	TEST_OK(fair_profile_init(p, sizeof(*p), memory, bytes, 10, 0));
	for (t = 0; t < x; t++) {
		none = t < last ? t % 200 < 10 : t < last + 10;
		TEST_OK(fair_profile_reserve(p, t, 1,
					     none	 ? 10
					     : t % 2 ? 4
						     : 5));
	}
	TEST_OK(fair_profile_reserve(p, x, 50, 10));
	TEST_OK(fair_profile_settle(p));
}

/* Once those are free, a run of 5 reaches there from leaves before: it begins
 * where the last one began, wherever in its leaf the change is. */
TEST(runs_that_reach_what_gets_free)
{
	size_t bytes = fair_profile_size(2000);
	void *memory = malloc(bytes);
	int64_t x, since, t = -1;
	struct fair_profile p;

	TEST_REQUIRE(memory);
	for (since = 20; since < 320; since += 140) {
		for (x = 700; x < 764; x++) {
			open_with_runs(&p, memory, bytes, x, since);
			TEST_OK(fair_profile_earliest_start(&p, 0, 400, 5,
							    &t));
			TEST_EQ(t, x + 50);
			TEST_OK(fair_profile_release(&p, x, 50, 10));
			TEST_OK(fair_profile_earliest_start(&p, 0, 400, 5,
							    &t));
			TEST_EQ(t, x - since);
		}
	}
	free(memory);
}
