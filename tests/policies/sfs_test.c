/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"
#include "tests/test.h"
#include "tests/model/sfs_model.h"

#define HOUR INT64_C(3600)
#define DAY INT64_C(86400)
#define MOST_ACCOUNTS 8

static unsigned char memory[4096];

static struct fair_sfs accounts(uint32_t n)
{
	struct fair_sfs s;

	TEST_EQ(fair_sfs_init(&s, sizeof(s), memory, sizeof(memory), n), 0);
	TEST_EQ(fair_sfs_check(&s), 0);
	return s;
}

static struct fair_sfs_allocation allocation(int64_t award, int64_t period,
					     int32_t factor, int32_t unit)
{
	struct fair_sfs_allocation a;

	a.award = award;
	a.period = period;
	a.factor = factor;
	a.unit = unit;
	return a;
}

/* One million processor-hours for a year. */
TEST(equations)
{
	struct fair_sfs_allocation alice =
		allocation(1000000 * HOUR, 365 * DAY, 2, 1);
	int64_t target = -1;

	TEST_EQ(fair_sfs_target(&alice, &target), 0);
	TEST_EQ(target, 228);
}

/* The manual's example. */
TEST(manual)
{
	struct fair_sfs_allocation alice = { 0, 0, 0, 0 };
	unsigned char bytes[256];
	struct fair_sfs s;
	int64_t target;

	alice.award = INT64_C(3600) * 1000000; /* processor-hours */
	alice.period = INT64_C(86400) * 365;
	alice.factor = 2;
	alice.unit = 1;
	TEST_EQ(fair_sfs_target(&alice, &target), 0); /* 228 */
	TEST_EQ(fair_sfs_init(&s, sizeof(s), bytes, sizeof(bytes), 2), 0);
	TEST_EQ(fair_sfs_set_target(&s, 0, target), 0);
	TEST_EQ(fair_sfs_set_target(&s, 1, 58), 0);
	TEST_EQ(fair_sfs_start(&s, 0, 200), 0);
	TEST_CHECK(fair_sfs_gate(&s, 0));
	TEST_EQ(fair_sfs_start(&s, 0, 200), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 0));
	TEST_EQ(fair_sfs_finish(&s, 0, 200), 0);
	TEST_CHECK(fair_sfs_gate(&s, 0));
}

/* THE WORKED EXAMPLE of [SFS] 5; by the scheduler: tests/sched/first_slice_test.c. */
#define EXAMPLE_JOBS 20
static const char example_name[] = "ABCDEFGHJKMNPQRSUVWX";

/* The oracle starts and reserves in the order of the paper. */
TEST(worked_example_by_model)
{
	struct sfs_model_account alice = { 228 * 7, 7, 1, 1 };
	struct sfs_model_account bob = { 58 * 7, 7, 1, 1 };
	static struct sfs_model m;
	char log[EXAMPLE_JOBS + 1] = "";
	size_t i;

	m.account[0] = alice;
	m.account[1] = bob;
	m.jobs = EXAMPLE_JOBS;
	m.procs = 1000;
	for (i = 0; i < EXAMPLE_JOBS; i++) {
		m.job[i].account = i >= 10;
		m.job[i].procs = i < 10 ? 200 : 50;
		m.job[i].walltime = 10;
	}
	sfs_model_instant(&m, 0, 2);
	for (i = 0; i < m.logged; i++)
		log[i] = example_name[m.log[i]];
	TEST_CHECK(!strcmp(log, "ABMNCDEFPQ"));
}

/* Equal to its target passes; one above does not. */
TEST(gate)
{
	struct fair_sfs s = accounts(3);

	TEST_EQ(fair_sfs_set_target(&s, 1, 10), 0);
	TEST_CHECK(fair_sfs_gate(&s, 0)); /* 0 <= 0 */
	TEST_EQ(fair_sfs_start(&s, 0, 1), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 0));
	TEST_EQ(fair_sfs_start(&s, 1, 10), 0);
	TEST_CHECK(fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_start(&s, 1, 1), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_check(&s), 0);
	TEST_EQ(fair_sfs_finish(&s, 1, 1), 0);
	TEST_CHECK(fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_set_target(&s, 1, 9), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_set_target(&s, 2, INT32_MAX), 0);
	TEST_EQ(fair_sfs_start(&s, 2, INT32_MAX), 0);
	TEST_CHECK(fair_sfs_gate(&s, 2));
	TEST_CHECK(!fair_sfs_gate(&s, 3));
	TEST_CHECK(!fair_sfs_gate(&s, UINT32_MAX));
	TEST_EQ(fair_sfs_check(&s), 0);
}

/* A number of any length up to 63 bits. */
static int64_t any(uint64_t *random)
{
	return (int64_t)(test_random(random) >> test_range(random, 1, 63));
}

/* Exactly the largest occupancy at which the gate is to be open. */
TEST(targets)
{
	struct sfs_model_account model;
	struct fair_sfs_allocation a;
	int64_t target, most = 0;
	uint64_t random = 1;
	int i, err;

	for (i = 0; i < 200000; i++) {
		model.award = a.award = any(&random);
		model.period = a.period = any(&random) | 1;
		model.factor = a.factor = (int32_t)(any(&random) & INT32_MAX);
		model.unit = a.unit = (int32_t)(any(&random) & INT32_MAX) | 1;
		target = -1;
		err = fair_sfs_target(&a, &target);
		if (err) {
			TEST_EQ(err, -FAIR_EOVERFLOW);
			TEST_EQ(target, -1);
			TEST_CHECK(
				sfs_model_at_target(&model, INT64_C(1) << 31));
			continue;
		}
		most = target > most ? target : most;
		TEST_CHECK(sfs_model_at_target(&model, target));
		TEST_CHECK(!sfs_model_at_target(&model, target + 1));
	}
	TEST_CHECK(most > INT32_MAX / 2);
	a = allocation(INT32_MAX, 1, 1, 1);
	TEST_EQ(fair_sfs_target(&a, &target), 0);
	TEST_EQ(target, INT32_MAX);
	a = allocation(INT64_MAX, INT64_MAX, INT32_MAX, INT32_MAX);
	TEST_EQ(fair_sfs_target(&a, &target), 0);
	TEST_EQ(target, 1);
}

TEST(invariants)
{
	struct fair_sfs s = accounts(2);

	s.allocation[1].target = -1;
	TEST_EQ(fair_sfs_check(&s), 1);
	s.allocation[1].target = INT64_C(1) << 31;
	TEST_EQ(fair_sfs_check(&s), 1);
	s.allocation[1].target = 0;
	s.allocation[1].occupancy = -1;
	TEST_EQ(fair_sfs_check(&s), 2);
	s.allocation[1].occupancy = 1;
	TEST_EQ(fair_sfs_check(&s), 3);
	s.busy = 1;
	TEST_EQ(fair_sfs_check(&s), 0);
}

TEST(clones)
{
	static unsigned char other[4096];
	struct fair_sfs s = accounts(3), copy;
	int64_t occupancy = 0, target = 0;

	TEST_EQ(fair_sfs_set_target(&s, 1, 10), 0);
	TEST_EQ(fair_sfs_start(&s, 1, 7), 0);
	TEST_EQ(fair_sfs_clone(NULL, other, sizeof(other), &s), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_clone(&copy, NULL, sizeof(other), &s), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_clone(&copy, other, sizeof(other), NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_sfs_clone(&copy, other, fair_sfs_size(3) - 1, &s),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sfs_clone(&copy, other + 1, fair_sfs_size(3), &s), 0);
	TEST_EQ(fair_sfs_finish(&s, 1, 7), 0);
	TEST_EQ(fair_sfs_check(&copy), 0);
	TEST_EQ(fair_sfs_occupancy(&copy, 1, &occupancy, &target), 0);
	TEST_EQ(occupancy, 7);
	TEST_EQ(target, 10);
}

/* 16 bytes each and 7 to align them; 2^28 are too many for 32 bits. */
TEST(sizes)
{
	const bool narrow = SIZE_MAX == UINT32_MAX;
	static uint64_t words[16];
	char *at = (char *)words;
	size_t i, bytes = fair_sfs_size(2);
	uint32_t n = UINT32_MAX / 16; /* just possible */
	struct fair_sfs s;

	TEST_EQ(fair_sfs_size(0), 7);
	TEST_EQ(fair_sfs_size(3), 3 * 16 + 7);
	TEST_EQ(fair_sfs_size(n), (uint64_t)n * 16 + 7);
	TEST_EQ(!fair_sfs_size(n + 1), narrow);
	if (narrow)
		TEST_EQ(fair_sfs_init(&s, sizeof(s), words, sizeof(words),
				      n + 1),
			-FAIR_ENOMEM);
	for (i = 0; i < 8; i++) {
		TEST_EQ(fair_sfs_init(&s, sizeof(s), at + i, bytes, 2), 0);
		TEST_CHECK((char *)s.allocation == at + (i ? 8 : 0));
	}
}

TEST(a_million_accounts)
{
	const uint32_t n = 1000000;
	size_t bytes = fair_sfs_size(n);
	void *big = malloc(bytes);
	uint64_t random = 3;
	struct fair_sfs s;
	uint32_t i, a;

	TEST_REQUIRE(big);
	TEST_CHECK(bytes <= 16 * (size_t)n + 16);
	TEST_EQ(fair_sfs_init(&s, sizeof(s), big, bytes, n), 0);
	for (i = 0; i < n; i++) {
		a = (uint32_t)test_range(&random, 0, n - 1);
		TEST_EQ(fair_sfs_start(&s, a, 1), 0);
		TEST_EQ(fair_sfs_gate(&s, a), false);
	}
	TEST_EQ(fair_sfs_check(&s), 0);
	TEST_EQ(s.busy, n);
	free(big);
}
