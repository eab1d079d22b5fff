/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * resources_test.c - machine.h: hand-computed starts, classes and moves; and
 * one pool, which is its profile
 */
#define FAIR_MACHINE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "machine.h"
#include "tests/test.h"

enum { BYTES = 1 << 19 };

static uint64_t memory[BYTES / 8], other[BYTES / 8];
static struct fair_machine m;

static void open_machine(uint32_t resources, uint32_t classes, uint32_t wide,
			 const int32_t *amount)
{
	struct fair_machine_config config;

	config.resources = resources;
	config.classes = classes;
	config.wide = wide;
	config.amount = amount;
	TEST_OK(fair_machine_init(&m, sizeof(m), memory, sizeof(memory),
				  &config, 0));
}

/* The start and the class of a job that names @count classes. */
static void expect(int64_t walltime, const int32_t *amount,
		   const uint8_t *classes, uint32_t count, int64_t start,
		   uint32_t node_class)
{
	struct fair_machine_request request = { amount, classes, count };
	uint32_t k = 99;
	int64_t t = -1;

	TEST_OK(fair_machine_earliest_start(&m, m.origin, walltime, &request,
					    &t, &k));
	TEST_EQ(t, start);
	TEST_EQ(k, node_class);
}

/* The manual's. */
TEST(example)
{
	const int32_t amount[] = { 4, 0, 4, 1 };
	struct fair_machine_config config = { 2, 2, 0, amount };
	const int32_t two[] = { 2, 1 }, four[] = { 4, 0 };
	const uint8_t b_then_a[] = { 1, 0 };
	struct fair_machine_request request = { four, b_then_a, 2 };
	uint32_t node_class;
	int64_t start;

	fair_machine_init(&m, sizeof(m), memory, sizeof(memory), &config, 0);
	fair_machine_reserve(&m, 0, 0, 100, four);
	fair_machine_reserve(&m, 1, 0, 50, two);
	fair_machine_earliest_start(&m, 0, 10, &request, &start, &node_class);
	TEST_EQ(start, 50);
	TEST_EQ(node_class, 1);
	fair_machine_reserve(&m, node_class, start, 10, four);
	fair_machine_release(&m, 0, 20, 80, four);
	fair_machine_earlier_start(&m, 20, start, 10, &request, start,
				   node_class, &start, &node_class);
	TEST_EQ(start, 20);
	TEST_EQ(node_class, 0);
}

/*
 *	processors 8 |    44|########|44______   # all, 4 half
 *	GPUs       2 |######|________|######|__
 *	             0      10      20      30
 */
TEST(windows_must_meet)
{
	const int32_t amount[] = { 8, 2 }, procs[] = { 8, 0 };
	const int32_t half[] = { 4, 0 }, gpus[] = { 0, 2 };
	const int32_t both[] = { 4, 1 };

	open_machine(2, 1, 0, amount);
	TEST_OK(fair_machine_reserve(&m, 0, 4, 6, half));
	TEST_OK(fair_machine_reserve(&m, 0, 10, 10, procs));
	TEST_OK(fair_machine_reserve(&m, 0, 20, 2, half));
	TEST_OK(fair_machine_reserve(&m, 0, 0, 10, gpus));
	TEST_OK(fair_machine_reserve(&m, 0, 20, 10, gpus));
	expect(1, both, NULL, 0, 30, 0);
	expect(10, half, NULL, 0, 0, 0);
	expect(11, half, NULL, 0, 20, 0);
	expect(10, gpus, NULL, 0, 10, 0);
	expect(11, gpus, NULL, 0, 30, 0);
	TEST_OK(fair_machine_check(&m));
}

TEST(ties_follow_preference)
{
	const int32_t amount[] = { 4, 4, 4 }, job[] = { 3 };
	const uint8_t order[] = { 2, 0 }, twice[] = { 1, 1 };

	open_machine(1, 3, 0, amount);
	expect(5, job, NULL, 0, 0, 0);
	expect(5, job, order, 2, 0, 2);
	TEST_OK(fair_machine_reserve(&m, 2, 0, 7, job));
	expect(5, job, order, 2, 0, 0);
	TEST_OK(fair_machine_reserve(&m, 0, 0, 9, job));
	expect(5, job, order, 2, 7, 2);
	expect(5, job, twice, 2, 0, 1);
}

/* Licences delay a job whatever its class. */
TEST(wide_resources_belong_to_all)
{
	const int32_t amount[] = { 4, 3, 4, 0 }, job[] = { 1, 2 };
	const int32_t none[] = { 4, 0 };

	open_machine(2, 2, 2, amount);
	TEST_CHECK(fair_machine_profile(&m, 0, 1) ==
		   fair_machine_profile(&m, 1, 1));
	TEST_OK(fair_machine_reserve(&m, 1, 0, 30, job));
	expect(5, job, NULL, 0, 30, 0);
	expect(5, none, NULL, 0, 0, 0);
	TEST_OK(fair_machine_change_capacity(&m, 1, 1, 0, FAIR_FOREVER, -1));
	TEST_OK(fair_machine_change_capacity(&m, 0, 1, 0, FAIR_FOREVER, 1));
	TEST_OK(fair_machine_release(&m, 0, 10, 20, (const int32_t[]){ 0, 2 }));
	expect(5, job, NULL, 0, 10, 0);
}

/* A class without GPUs is passed over; a zero amount has no profile. */
TEST(what_a_class_has_none_of)
{
	const int32_t amount[] = { 4, 0, 4, 2 }, gpu[] = { 1, 1 };
	struct fair_machine_request request = { gpu, NULL, 0 };
	const uint8_t first[] = { 0 };
	int32_t free[2], most[2];
	uint32_t k = 7;
	int64_t t = -1, a = 3, b = 4;

	open_machine(2, 2, 0, amount);
	expect(5, gpu, NULL, 0, 0, 1);
	TEST_CHECK(!fair_machine_profile(&m, 0, 1));
	TEST_CHECK(!fair_machine_profile(&m, 2, 0));
	TEST_CHECK(!fair_machine_profile(&m, 0, 2));
	request.classes = first;
	request.count = 1;
	TEST_EQ(fair_machine_earliest_start(&m, 0, 1, &request, &t, &k),
		-FAIR_ERANGE);
	TEST_EQ(t, -1);
	TEST_EQ(k, 7);
	TEST_OK(fair_machine_min_free(&m, 0, 0, 9, free));
	TEST_EQ(free[0], 4);
	TEST_EQ(free[1], 0);
	TEST_OK(fair_machine_step_at(&m, 0, 5, &a, &b, free));
	TEST_EQ(a, 0);
	TEST_CHECK(b == FAIR_FOREVER && free[1] == 0);
	TEST_OK(fair_machine_reserve(&m, 0, 9, 1, (const int32_t[]){ 1, 0 }));
	TEST_EQ(fair_machine_move(&m, 0, 9, 1, 5, 1, gpu, most), -FAIR_ERANGE);
	TEST_EQ(fair_machine_move(&m, 1, 9, 0, 5, 1, gpu, most), -FAIR_ERANGE);
}

/* In its class a job's own amounts are free to it; elsewhere only wide ones. */
TEST(own_amounts_are_free)
{
	const int32_t amount[] = { 4, 1, 4, 0 }, job[] = { 3, 1 };
	const int32_t procs[] = { 3, 0 };
	struct fair_machine_request request = { job, NULL, 0 };
	int32_t most[2];
	uint32_t k;
	int64_t t;

	open_machine(2, 2, 2, amount);
	TEST_OK(fair_machine_reserve(&m, 0, 0, 8, procs));
	TEST_OK(fair_machine_reserve(&m, 1, 0, 5, procs));
	TEST_OK(fair_machine_reserve(&m, 1, 9, 9, procs));
	TEST_OK(fair_machine_reserve(&m, 0, 20, 10, job));
	TEST_OK(fair_machine_earlier_start(&m, 0, 20, 10, &request, 20, 0, &t,
					   &k));
	TEST_EQ(t, 8);
	TEST_EQ(k, 0);
	TEST_OK(fair_machine_earlier_start(&m, 0, 20, 4, &request, 20, 0, &t,
					   &k));
	TEST_EQ(t, 5);
	TEST_EQ(k, 1);
	TEST_OK(fair_machine_earlier_start(&m, 0, 5, 4, &request, 20, 0, &t,
					   &k));
	TEST_EQ(t, 20);
	TEST_EQ(k, 0);
	TEST_OK(fair_machine_move(&m, 0, 20, 0, 15, 10, job, most));
	TEST_EQ(most[0], 4);
	TEST_EQ(most[1], 1);
	TEST_EQ(fair_machine_move(&m, 0, 15, 1, 5, 10, job, most),
		-FAIR_ERANGE);
	TEST_OK(fair_machine_move(&m, 0, 15, 0, 8, 10, job, most));
	expect(1, job, NULL, 0, 5, 1);
}

TEST(move_to_another_class)
{
	const int32_t amount[] = { 4, 2, 1, 4, 2, 0 }, job[] = { 3, 1, 1 };
	int32_t most[3], free[3];

	open_machine(3, 2, 4, amount);
	TEST_OK(fair_machine_reserve(&m, 0, 30, 10, job));
	TEST_OK(fair_machine_move(&m, 0, 30, 1, 25, 10, job, most));
	TEST_EQ(most[0], 4);
	TEST_EQ(most[1], 2);
	TEST_EQ(most[2], 1);
	TEST_OK(fair_machine_min_free(&m, 0, 0, FAIR_FOREVER, free));
	TEST_CHECK(free[0] == 4 && free[1] == 2 && free[2] == 0);
	TEST_OK(fair_machine_min_free(&m, 1, 25, 35, free));
	TEST_CHECK(free[0] == 1 && free[1] == 1 && free[2] == 0);
}

/* What fails at the last resource leaves the others as they were. */
TEST(all_or_nothing)
{
	const int32_t amount[] = { 4, 4, 1, 4, 4, 0 }, job[] = { 2, 2, 1 };
	const int32_t last[] = { 0, 0, 1 };
	int32_t most[3], free[3];
	uint32_t k;

	open_machine(3, 2, 4, amount);
	TEST_OK(fair_machine_reserve(&m, 0, 30, 10, job));
	TEST_OK(fair_machine_reserve(&m, 0, 0, 10, last));
	TEST_EQ(fair_machine_reserve(&m, 0, 5, 10, job), -FAIR_ERANGE);
	TEST_EQ(fair_machine_release(&m, 0, 30, 11, job), -FAIR_ERANGE);
	TEST_EQ(fair_machine_release(&m, 0, 30, 10,
				     (const int32_t[]){ 2, 2, 2 }),
		-FAIR_ERANGE);
	TEST_EQ(fair_machine_move(&m, 0, 30, 0, 5, 10, job, most),
		-FAIR_ERANGE);
	TEST_EQ(fair_machine_move(&m, 0, 30, 1, 5, 10, job, most),
		-FAIR_ERANGE);
	/* It is not in class 1. */
	TEST_EQ(fair_machine_move(&m, 1, 30, 0, 12, 10, job, most),
		-FAIR_ERANGE);
	for (k = 0; k < 2; k++) {
		TEST_OK(fair_machine_min_free(&m, k, 0, 30, free));
		TEST_CHECK(free[0] == 4 && free[1] == 4 && free[2] == 0);
		TEST_OK(fair_machine_min_free(&m, k, 30, 40, free));
		TEST_CHECK(free[0] == (k ? 4 : 2) && free[2] == 0);
	}
	TEST_EQ(fair_machine_steps(&m), 4);
	TEST_OK(fair_machine_check(&m));
}

TEST(one_pool_is_its_profile)
{
	const int32_t amount[] = { 100 };
	struct fair_machine_config config = { 1, 1, 0, amount };
	struct fair_profile p;
	uint64_t random = 1;
	int i;

	TEST_CHECK(fair_machine_size(&config, 1000) <
		   fair_profile_size(1000) + 600);
	open_machine(1, 1, 0, amount);
	TEST_OK(fair_profile_init(&p, sizeof(p), other, sizeof(other), 100, 0));
	for (i = 0; i < 1000; i++) {
		int32_t job[1], most[1] = { -1 }, its = -1;
		struct fair_machine_request request = { job, NULL, 0 };
		int64_t d = test_range(&random, 1, 50), t = -1, u = -1, v = -1;
		int64_t before = test_range(&random, m.origin, 900);
		uint32_t k = 9;

		job[0] = (int32_t)test_range(&random, 1, 100);
		TEST_EQ(fair_machine_earliest_start(&m, m.origin, d, &request,
						    &t, &k),
			fair_profile_earliest_start(&p, m.origin, d, job[0],
						    &u));
		TEST_EQ(t, u);
		TEST_EQ(k, 0);
		TEST_EQ(fair_machine_reserve(&m, 0, t + 9, d, job),
			fair_profile_reserve(&p, t + 9, d, job[0]));
		TEST_EQ(fair_machine_earlier_start(&m, m.origin, before, d,
						   &request, t + 9, 0, &u, &k),
			fair_profile_earlier_start(&p, m.origin, before, d,
						   job[0], t + 9, &v));
		TEST_EQ(u, v);
		TEST_EQ(fair_machine_move(&m, 0, t + 9, 0, u, d, job, most),
			fair_profile_move(&p, t + 9, u, d, job[0], &its));
		TEST_EQ(most[0], its);
		if (i % 3 == 0)
			TEST_EQ(fair_machine_release(&m, 0, u, d, job),
				fair_profile_release(&p, u, d, job[0]));
		TEST_EQ(fair_machine_advance(&m, i / 4),
			fair_profile_advance(&p, i / 4));
		TEST_EQ(fair_machine_steps(&m), fair_profile_steps(&p));
	}
	TEST_OK(fair_machine_check(&m));
	TEST_EQ(fair_machine_reserve(&m, 1, 900, 1, amount), -FAIR_EINVAL);
	TEST_EQ(fair_machine_release(&m, 1, 900, 1, amount), -FAIR_EINVAL);
	TEST_EQ(fair_machine_move(&m, 1, 900, 0, 800, 1, amount, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_machine_move(&m, 0, 900, 1, 800, 1, amount, NULL),
		-FAIR_EINVAL);
}

TEST(sizes)
{
	int32_t amount[8 * 64];
	struct fair_machine_config config = { 8, 64, 0xfe, amount };
	size_t i;

	for (i = 0; i < sizeof(amount) / sizeof(*amount); i++)
		amount[i] = i < 8 || i % 8 == 0;
	TEST_CHECK(fair_machine_size(&config, 10) > 71 * fair_profile_size(10));
	TEST_OK(fair_machine_size(&config, SIZE_MAX));
	amount[9] = 1; /* a wide resource in class 1 */
	TEST_OK(fair_machine_size(&config, 10));
	amount[9] = 0;
	amount[8] = 0; /* no processors */
	TEST_OK(fair_machine_size(&config, 10));
	amount[8] = 1;
	amount[1] = -1;
	TEST_OK(fair_machine_size(&config, 10));
	amount[1] = 0;
	TEST_CHECK(fair_machine_size(&config, 10) > 0);
	config.wide = 1;
	TEST_OK(fair_machine_size(&config, 10));
	config.wide = 0x100;
	TEST_OK(fair_machine_size(&config, 10));
	config.wide = 0;
	config.resources = 9;
	TEST_OK(fair_machine_size(&config, 10));
	config.resources = 0;
	TEST_OK(fair_machine_size(&config, 10));
	config.resources = 1;
	config.classes = 65;
	TEST_OK(fair_machine_size(&config, 10));
	config.classes = 0;
	TEST_OK(fair_machine_size(&config, 10));
	config.classes = 1;
	config.amount = NULL;
	TEST_OK(fair_machine_size(&config, 10));
	TEST_OK(fair_machine_size(NULL, 10));
}

/* A start exists, but the job would end after the horizon. */
TEST(beyond_the_horizon)
{
	const int32_t amount[] = { 4, 2, 4, 0 }, job[] = { 4, 2 };
	struct fair_machine_request request = { job, NULL, 0 };
	uint32_t k = 9;
	int64_t t = -1;

	open_machine(2, 2, 0, amount);
	TEST_OK(fair_machine_reserve(&m, 0, 0, 10, job));
	TEST_OK(fair_machine_earliest_start(&m, 0, m.horizon - 10, &request, &t,
					    &k));
	TEST_EQ(t, 10);
	t = -1;
	TEST_EQ(fair_machine_earliest_start(&m, 0, m.horizon - 9, &request, &t,
					    &k),
		-FAIR_EOVERFLOW);
	TEST_EQ(t, -1);
	TEST_OK(fair_machine_change_capacity(&m, 0, 1, 5, FAIR_FOREVER, 0));
	TEST_OK(fair_machine_change_capacity(&m, 0, 1, 10, FAIR_FOREVER, -1));
	TEST_EQ(fair_machine_earliest_start(&m, 0, m.horizon - 9, &request, &t,
					    &k),
		-FAIR_ERANGE);
	TEST_EQ(fair_machine_earliest_start(&m, 1, m.horizon, &request, &t,
					    &k),
		-FAIR_EOVERFLOW);
}

/* The last second of all is one. */
TEST(reserved_at_the_horizon)
{
	const int32_t amount[] = { 4, 2, 4, 0 }, job[] = { 4, 2 };
	struct fair_machine_request request = { job, NULL, 0 };
	const int32_t gpus[] = { 0, 2 };
	int32_t most[2];
	uint32_t k = 9;
	int64_t t = -1;

	open_machine(2, 2, 0, amount);
	TEST_OK(fair_machine_earlier_start(&m, 0, 9, 1, &request, m.horizon, 1,
					   &t, &k));
	TEST_EQ(t, 0);
	TEST_EQ(k, 0);
	/* That it begins too soon comes before that no class has it. */
	TEST_EQ(fair_machine_move(&m, 0, 10, 1, -1, 10, gpus, most),
		-FAIR_EINVAL);
	TEST_EQ(fair_machine_reserve(&m, 1, m.horizon, 1, gpus),
		-FAIR_EOVERFLOW);
}

/* A GPU is not free, so that processors move back; all steps are in use, and
 * without the job there would be two more. */
TEST(moves_back_without_a_step)
{
	const int32_t amount[] = { 4, 1 }, job[] = { 1, 1 }, one[] = { 1, 0 };
	struct fair_machine_config config = { 2, 1, 0, amount };
	const int32_t gpu[] = { 0, 1 };
	int32_t most[2];
	int64_t t = 100;

	TEST_OK(fair_machine_init(&m, sizeof(m), memory,
				  fair_machine_size(&config, 1), &config, 0));
	TEST_OK(fair_machine_reserve(&m, 0, 10, 10, job));
	TEST_OK(fair_machine_reserve(&m, 0, 5, 5, gpu));
	TEST_OK(fair_machine_reserve(&m, 0, 0, 10, one));
	TEST_OK(fair_machine_reserve(&m, 0, 0, 5, one));
	TEST_OK(fair_machine_reserve(&m, 0, 15, 15, one));
	TEST_OK(fair_machine_reserve(&m, 0, 20, 10, one));
	while (!fair_machine_reserve(&m, 0, t, 1, one))
		t += 2;
	TEST_EQ(fair_machine_move(&m, 0, 10, 0, 5, 10, job, most),
		-FAIR_ERANGE);
	TEST_EQ(fair_machine_check(&m), 0);
}

/* A list of one class, of one job. */
TEST(one_of_all)
{
	const int32_t amount[] = { 4 };
	struct fair_machine_config config = { 1, 1, 0, amount };
	const uint8_t first[] = { 0 };
	struct fair_machine_jobs x;

	TEST_OK(fair_machine_jobs_init(&x, sizeof(x), memory, sizeof(memory),
				       &config, 1, 0));
	TEST_OK(fair_machine_jobs_set(&x, 0, 1, NULL, first, 1));
	TEST_EQ(fair_machine_jobs_request(&x, 0).classes[0], 0);
	TEST_EQ(fair_machine_jobs_request(&x, 0).count, 1);
}

/* Memory of any alignment, and just enough for one step. */
TEST(any_alignment)
{
	const int32_t amount[] = { 4, 2 };
	struct fair_machine_config config = { 2, 1, 0, amount };
	size_t bytes = fair_machine_size(&config, 3);
	size_t least = fair_machine_jobs_size(&config, 3, 1);
	struct fair_machine_jobs x, copy;
	char *at = (char *)memory, *there = (char *)other;
	int i;

	for (i = 0; i < 64; i++, at++, there++) {
		TEST_OK(fair_machine_init(&m, sizeof(m), at, bytes, &config,
					  0));
		TEST_EQ((uintptr_t)m.profile % 64, 0);
		TEST_OK(fair_machine_jobs_init(&x, sizeof(x), at, least,
					       &config, 3, 0));
		TEST_EQ((uintptr_t)x.amount % 64, 0);
		TEST_OK(fair_machine_jobs_clone(&copy, there, least, &x));
		TEST_EQ((uintptr_t)copy.amount % 64, 0);
	}
}

/* Processors, GPUs and licences of all; only class 2 has most GPUs. */
TEST(closest)
{
	static const int32_t amount[] = { 4, 0, 3, 8, 1, 0, 4, 2, 0, 16, 0, 0 };
	static const uint8_t order[] = { 3, 2, 0 };
	struct fair_machine_config config = { 3, 4, 4, amount };
	static const struct {
		int32_t amount[3];
		uint32_t count, node_class, resource;
	} row[] = {
		{ { 1, 0, 3 }, 0, 0, 3 }, /* the first of several */
		{ { 5, 0, 0 }, 0, 1, 3 },
		{ { 1, 3, 0 }, 0, 2, 1 }, /* it has most of them */
		{ { 17, 0, 0 }, 0, 3, 0 },
		{ { 1, 0, 4 }, 0, 0, 2 }, /* no class has more licences */
		{ { 9, 1, 0 }, 0, 1, 0 }, /* first lacks processors, then GPUs */
		{ { 5, 2, 4 }, 0, 1, 1 }, /* two of three */
		{ { 4, 1, 0 }, 3, 2, 3 },
		{ { 4, 0, 0 }, 3, 3, 3 },
		{ { 4, 5, 0 }, 1, 3, 1 },
	};
	struct fair_machine_request request = { NULL, order, 0 };
	uint32_t r;
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		request.amount = row[i].amount;
		request.count = row[i].count;
		TEST_EQ(fair_machine_closest(&config, &request, &r),
			row[i].node_class);
		TEST_EQ(r, row[i].resource);
	}
}

TEST(check_finds_what_is_broken)
{
	const int32_t amount[] = { 4, 2 };
	struct fair_machine was;

	open_machine(2, 1, 0, amount);
	TEST_OK(fair_machine_settle(&m));
	TEST_OK(fair_machine_check(&m));
	was = m;
	m.resources = 0;
	TEST_EQ(fair_machine_check(&m), 1);
	m.resources = 9;
	TEST_EQ(fair_machine_check(&m), 1);
	m = was;
	m.classes = 0;
	TEST_EQ(fair_machine_check(&m), 1);
	m.classes = 65;
	TEST_EQ(fair_machine_check(&m), 1);
	m = was;
	m.profiles = 0;
	TEST_EQ(fair_machine_check(&m), 1);
	m = was;
	m.origin++;
	TEST_EQ(fair_machine_check(&m), 2);
	m = was;
	m.horizon++;
	TEST_EQ(fair_machine_check(&m), 2);
	m = was;
	m.profile[0].origin++;
	TEST_EQ(fair_machine_check(&m), 2);
	m.profile[0].origin--;
	m.profile[1].steps++;
	TEST_EQ(fair_machine_check(&m), 3);
}

/* As many classes as there may be. */
TEST(many_classes)
{
	int32_t amount[FAIR_MACHINE_CLASSES], i;

	for (i = 0; i < FAIR_MACHINE_CLASSES; i++)
		amount[i] = 1 + i;
	open_machine(1, FAIR_MACHINE_CLASSES, 0, amount);
	TEST_EQ(fair_machine_check(&m), 0);
}
