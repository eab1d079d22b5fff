/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_FAIRNESS_IMPLEMENTATION
#include "policies/fairness.h"
#include "tests/test.h"
#include "tests/model/fairness_model.h"

#define MOST_JOBS 64

static unsigned char memory[1 << 16];
static struct fairness_model model;
static struct fairness_ratio exact;

static struct fair_fairness machine(int32_t widest)
{
	struct fair_fairness f;

	TEST_OK(fair_fairness_init(&f, sizeof(f), memory, sizeof(memory),
				   widest, 0));
	return f;
}

static struct fair_fairness_job arrive(struct fair_fairness *f, int64_t now,
				       int32_t procs)
{
	struct fair_fairness_job j;

	TEST_EQ(fair_fairness_arrive(f, now, procs, &j), 0);
	return j;
}

static struct fair_fairness_job run(struct fair_fairness *f, int64_t now,
				    int32_t procs)
{
	struct fair_fairness_job j = arrive(f, now, procs);

	TEST_EQ(fair_fairness_start(f, now, &j), 0);
	return j;
}

static struct fair_fairness_share at(const struct fair_fairness *f, int64_t now,
				     const struct fair_fairness_job *j)
{
	struct fair_fairness_share share = { { 0, 0 }, { 0, 0 }, 0 };

	TEST_EQ(fair_fairness_check(f), 0);
	TEST_EQ(fair_fairness_at(f, now, j, &share), 0);
	return share;
}

static bool is(struct fair_fairness_amount a, int64_t whole, uint64_t fraction)
{
	return a.whole == whole && a.fraction == fraction;
}

/* floor(2^64 * a / b), 0 <= a < b < 2^32 */
static uint64_t fraction(uint64_t a, uint64_t b)
{
	return (a << 32) / b << 32 | ((a << 32) % b << 32) / b;
}

/* The example of the manual. */
TEST(manual)
{
	struct fair_fairness f;
	struct fair_fairness_job a, b;
	struct fair_fairness_share share;
	struct fair_fairness_mean mean = { { 0, 0 }, 0 };
	unsigned char bytes[512];

	TEST_OK(fair_fairness_init(&f, sizeof(f), bytes, sizeof(bytes), 10, 0));
	TEST_EQ(fair_fairness_arrive(&f, 0, 10, &a), 0);
	TEST_EQ(fair_fairness_start(&f, 0, &a), 0);
	TEST_EQ(fair_fairness_arrive(&f, 40, 2, &b), 0);
	TEST_EQ(fair_fairness_complete(&f, 100, &a, &share), 0);
	TEST_CHECK(is(share.weighted, 40 * 10 + 60 * 10 * 10 / 12, 0));
	TEST_CHECK(is(share.unweighted, 400 + 60 * 5, 0));
	TEST_EQ(share.used, 1000);
	TEST_EQ(fair_fairness_start(&f, 100, &b), 0);
	TEST_EQ(fair_fairness_complete(&f, 150, &b, &share), 0);
	TEST_CHECK(is(share.unweighted, 220, 0));
	TEST_EQ(share.used, 100);
	TEST_OK(fair_fairness_mean_add(
		&mean, fair_fairness_unfairness(share.unweighted, share.used)));
	TEST_CHECK(is(mean.sum, 120, 0));
	TEST_EQ(fair_fairness_check(&f), 0);
}

/* "a 10-processor job and a 20-processor job are active" on 30 processors:
 * the fair share of the smaller one is 10, not 15. [CF 3.2] */
TEST(paper_small_job)
{
	struct fair_fairness f = machine(30);
	struct fair_fairness_job small = run(&f, 0, 10), large = run(&f, 0, 20);

	TEST_CHECK(is(at(&f, 7, &small).unweighted, 70, 0));
	TEST_CHECK(is(at(&f, 7, &large).unweighted, 7 * 15, 0));
	TEST_CHECK(is(at(&f, 7, &small).weighted, 70, 0));
	TEST_CHECK(is(at(&f, 7, &large).weighted, 140, 0));
}

/* "5 active jobs on a 100-processor system but only 90 processors are being
 * used, each job's fair share is 90/5 = 18" */
TEST(paper_idle_processors)
{
	struct fair_fairness f = machine(100);
	struct fair_fairness_job j[5];
	int i;

	for (i = 0; i < 5; i++)
		j[i] = i < 3 ? run(&f, 0, 30) : arrive(&f, 0, 50);
	for (i = 0; i < 5; i++)
		TEST_CHECK(is(at(&f, 3, &j[i]).unweighted, 54, 0));
	/* Weighted: 90 of 190 requested. */
	TEST_CHECK(is(at(&f, 19, &j[0]).weighted, 270, 0));
	TEST_CHECK(is(at(&f, 19, &j[4]).weighted, 450, 0));
}

/* in use / active is 4: jobs of 3, 4, 5 are below, at and above it. */
TEST(at_a_level)
{
	struct fair_fairness f = machine(8);
	struct fair_fairness_job j[3];
	int i;

	for (i = 0; i < 3; i++)
		j[i] = run(&f, 0, 3 + i);
	for (i = 0; i < 3; i++)
		TEST_CHECK(is(at(&f, 10, &j[i]).unweighted, i ? 40 : 30, 0));
	/* And of 13 / 4, between 3 and 4. */
	j[0] = run(&f, 10, 1);
	TEST_CHECK(is(at(&f, 11, &j[0]).unweighted, 1, 0));
	TEST_CHECK(is(at(&f, 11, &j[1]).unweighted, 43, fraction(1, 4)));
}

/* Nothing is in use, or there is no job: no fair share. */
TEST(idle)
{
	struct fair_fairness f = machine(8);
	struct fair_fairness_job a = arrive(&f, 5, 8), b;
	struct fair_fairness_share share;

	TEST_CHECK(is(at(&f, INT64_MAX, &a).unweighted, 0, 0));
	TEST_EQ(fair_fairness_complete(&f, 100, &a, &share), 0);
	TEST_CHECK(is(share.unweighted, 0, 0) && is(share.weighted, 0, 0));
	TEST_EQ(share.used, 0);
	b = run(&f, INT64_MAX - 100, 1);
	TEST_CHECK(is(at(&f, INT64_MAX, &b).unweighted, 100, 0));
	TEST_CHECK(is(at(&f, INT64_MAX, &b).weighted, 100, 0));
	TEST_EQ(at(&f, INT64_MAX, &b).used, 100);
}

/* a / d as a fraction of big integers */
static void set_exact(struct fair_fairness_amount a, uint64_t d)
{
	uint32_t num[4] = { (uint32_t)a.fraction, (uint32_t)(a.fraction >> 32),
			    (uint32_t)a.whole,
			    (uint32_t)((uint64_t)a.whole >> 32) };
	uint32_t den[4] = { 0, 0, (uint32_t)d, (uint32_t)(d >> 32) };

	memcpy(exact.num.d, num, sizeof(num));
	memcpy(exact.den.d, den, sizeof(den));
	for (exact.num.n = 4; exact.num.n && !num[exact.num.n - 1];)
		exact.num.n--;
	exact.den.n = den[3] ? 4 : 3;
}

TEST(divisions)
{
	struct fair_fairness_amount a, q, below;
	uint64_t random = 1, d;
	int64_t times;
	int i;

	for (i = 0; i < 200000; i++) {
		a.whole = (int64_t)(test_random(&random) >>
				    test_range(&random, 2, 63));
		a.fraction = test_random(&random);
		d = test_random(&random) >> test_range(&random, 16, 63) | 1;
		d -= i % 3 == 0 && d > 1;
		set_exact(a, d);
		q = fair_fairness_divide(a, d);
		TEST_CHECK(
			fairness_model_within(&exact, q.whole, q.fraction, 1));
		/* Rounded down below 0 too: d times less is one less. */
		times = test_range(&random, 0, INT64_MAX / 4 / (int64_t)d);
		a.whole -= times * (int64_t)d;
		below = fair_fairness_divide(a, d);
		TEST_CHECK(is(below, q.whole - times, q.fraction));
	}
	a.whole = (INT64_C(1) << 40) - 1;
	a.fraction = 0;
	q = fair_fairness_divide(a, UINT64_C(1) << 40);
	TEST_CHECK(is(q, 0, 0 - (UINT64_C(1) << 24)));
}

/* A machine that is always full of jobs of any width up to @widest. */
static void against_model(int32_t widest, void *bytes, uint64_t random)
{
	struct fair_fairness_job kept[MOST_JOBS];
	int64_t arrived[MOST_JOBS], now = 0, then, requested = 0, n;
	int32_t procs[MOST_JOBS];
	struct fair_fairness_share share;
	struct fair_fairness f;
	int i, active = 0;

	TEST_OK(fair_fairness_init(&f, sizeof(f), bytes,
				   fair_fairness_size(widest), widest, 0));
	model.stretches = 0;
	for (i = 0; i < 160; i++) {
		then = now + test_range(&random, 1, 100000);
		if (active && !fairness_model_keep(&model, now, then, active,
						   requested, f.busy))
			break;
		now = then;
		if (active < 8 ||
		    (active < MOST_JOBS && test_random(&random) & 1)) {
			procs[active] = (int32_t)test_range(
				&random, 1,
				widest >> test_range(&random, 0, 6));
			arrived[active] = now;
			requested += procs[active];
			kept[active] = arrive(&f, now, procs[active]);
			if (test_random(&random) & 1)
				TEST_OK(fair_fairness_start(&f, now,
							    &kept[active]));
			active++;
			continue;
		}
		active--;
		requested -= procs[active];
		TEST_OK(fair_fairness_complete(&f, now, &kept[active], &share));
		n = fairness_model_count(&model, arrived[active], now);
		fairness_model_share(&model, arrived[active], now,
				     procs[active], false, &exact);
		TEST_CHECK(fairness_model_within(&exact, share.unweighted.whole,
						 share.unweighted.fraction,
						 (uint64_t)n));
		fairness_model_share(&model, arrived[active], now,
				     procs[active], true, &exact);
		TEST_CHECK(fairness_model_within(
			&exact, share.weighted.whole, share.weighted.fraction,
			(uint64_t)n * (uint64_t)procs[active]));
	}
	TEST_EQ(fair_fairness_check(&f), 0);
}

TEST(wide_jobs)
{
	const int32_t widest = 3000000;
	void *bytes = malloc(fair_fairness_size(widest));
	uint64_t seed;

	TEST_REQUIRE(bytes);
	for (seed = 1; seed <= 3; seed++)
		against_model(widest, bytes, seed);
	for (seed = 4; seed <= 10; seed++)
		against_model(1000 + (int32_t)seed, bytes, seed);
	free(bytes);
}

/*
 * Weighted shares are the processors in use, shared out, so over all jobs their
 * unfairness is 0 whatever the order; unweighted ones are no more than that.
 */
TEST(what_the_means_say)
{
	struct fair_fairness_mean weighted = { { 0, 0 }, 0 },
				  unweighted = { { 0, 0 }, 0 };
	struct fair_fairness f = machine(100);
	struct fair_fairness_job kept[MOST_JOBS];
	struct fair_fairness_share share;
	struct fair_fairness_amount mean = { 0, 0 };
	uint64_t random = 5;
	int64_t now = 0;
	int i, k;

	for (i = 0; i < 2000; i++) {
		for (k = 0; k < 10; k++)
			kept[k] = arrive(&f, now += test_range(&random, 0, 9),
					 (int32_t)test_range(&random, 1, 100));
		for (k = 0; k < 10; k++) {
			now += test_range(&random, 0, 50);
			TEST_EQ(fair_fairness_start(&f, now, &kept[k]), 0);
			now += test_range(&random, 0, 500);
			TEST_OK(fair_fairness_complete(&f, now, &kept[k],
						       &share));
			TEST_OK(fair_fairness_mean_add(
				&weighted,
				fair_fairness_unfairness(share.weighted,
							 share.used)));
			TEST_OK(fair_fairness_mean_add(
				&unweighted,
				fair_fairness_unfairness(share.unweighted,
							 share.used)));
		}
	}
	TEST_EQ(fair_fairness_mean_value(&weighted, &mean), 0);
	TEST_EQ(mean.whole, -1);
	/* 20 stretches of a job of 100 processors at most */
	TEST_CHECK(mean.fraction >= (uint64_t)0 - 2 * 20 * 100);
	TEST_EQ(fair_fairness_mean_value(&unweighted, &mean), 0);
	TEST_CHECK(mean.whole < 0);
}

TEST(amounts)
{
	struct fair_fairness_amount a = { 3, 7 };

	TEST_CHECK(is(fair_fairness_unfairness(a, 5), -2, 7));
	TEST_CHECK(is(fair_fairness_positive(fair_fairness_unfairness(a, 5)), 0, 0));
	TEST_CHECK(is(fair_fairness_positive(fair_fairness_unfairness(a, 3)), 0, 7));
	TEST_CHECK(is(fair_fairness_positive(a), 3, 7));
}

/* max(0, start - FST) of four jobs. */
TEST(means)
{
	static const int64_t start[] = { 10, 5, 7, 0 }, fair[] = { 3, 9, 7, 0 };
	struct fair_fairness_mean m = { { 0, 0 }, 0 };
	struct fair_fairness_amount mean = { -7, 7 }, third = { -1, 0 };
	int i;

	TEST_EQ(fair_fairness_mean_value(&m, &mean), -FAIR_ERANGE);
	TEST_CHECK(is(mean, -7, 7));
	for (i = 0; i < 4; i++)
		TEST_EQ(fair_fairness_mean_add_delay(&m, start[i], fair[i]), 0);
	TEST_EQ(fair_fairness_mean_value(&m, &mean), 0);
	TEST_CHECK(is(mean, 1, fraction(3, 4)));
	/* -1 of three: -1/3 rounded down */
	m.sum = third;
	m.n = 3;
	TEST_EQ(fair_fairness_mean_value(&m, &mean), 0);
	TEST_CHECK(is(mean, -1, fraction(2, 3)));
	m.sum.whole = -3;
	TEST_EQ(fair_fairness_mean_value(&m, &mean), 0);
	TEST_CHECK(is(mean, -1, 0));
	TEST_EQ(fair_fairness_mean_add_delay(&m, 3, -5), 0);
	TEST_CHECK(is(m.sum, 5, 0));
}

/* A level each and 7 bytes to align them; 2^31 are too many for 32 bits. */
TEST(sizes)
{
	const bool narrow = SIZE_MAX == UINT32_MAX;
	const size_t level = sizeof(struct fair_fairness_level);
	static uint64_t words[32];
	char *at = (char *)words;
	size_t i, bytes = fair_fairness_size(2);
	struct fair_fairness f;
	int32_t n = (int32_t)((UINT32_MAX - 7) / level);

	TEST_EQ(fair_fairness_size(1), level + 7);
	TEST_EQ(fair_fairness_size(5), 5 * level + 7);
	TEST_EQ(fair_fairness_size(n), (size_t)n * level + 7);
	TEST_EQ(!fair_fairness_size(n + 1), narrow);
	TEST_EQ(!fair_fairness_size(INT32_MAX), narrow);
	TEST_EQ(fair_fairness_init(&f, sizeof(f), at, sizeof(words), INT32_MAX,
				   0),
		-FAIR_ENOMEM);
	for (i = 0; i < 8; i++) {
		TEST_OK(fair_fairness_init(&f, sizeof(f), at + i, bytes, 2, 0));
		TEST_CHECK((char *)f.tree == at + (i ? 8 : 0));
	}
}

/* Everything that measures time refuses more than 2^62 processor-seconds. */
TEST(overflows)
{
	struct fair_fairness f = machine(8), was;
	struct fair_fairness_job j = run(&f, 0, 8), k = arrive(&f, 0, 1), l;
	struct fair_fairness_share share, untouched;
	int64_t late = (INT64_C(1) << 59) + 1;

	was = f;
	memset(&share, 0x5a, sizeof(share));
	untouched = share;
	TEST_EQ(fair_fairness_arrive(&f, late, 1, &l), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairness_start(&f, late, &k), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairness_at(&f, late, &j, &share), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairness_complete(&f, late, &j, &share), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairness_complete(&f, INT64_MAX, &j, &share),
		-FAIR_EOVERFLOW);
	TEST_CHECK(!memcmp(&share, &untouched, sizeof(share)));
	f.used = INT64_C(1) << 61; /* half of it is used */
	TEST_EQ(fair_fairness_at(&f, late - 1, &j, &share), -FAIR_EOVERFLOW);
	TEST_EQ(fair_fairness_at(&f, late / 2, &j, &share), 0);
	f.used = was.used;
	f.requested = (INT64_C(1) << 48) - 1;
	TEST_EQ(fair_fairness_arrive(&f, 1, 1, &l), -FAIR_EOVERFLOW);
	f.requested = was.requested;
	TEST_CHECK(!memcmp(&f, &was, sizeof(f)));
	TEST_EQ(fair_fairness_complete(&f, late - 1, &j, &share), 0);
	TEST_EQ(share.used, INT64_C(1) << 62);
	/* 8 of 9 requested for 2^59 seconds; of 2 jobs, 4 */
	TEST_CHECK(is(share.unweighted, INT64_C(1) << 61, 0));
	TEST_EQ(share.weighted.whole, INT64_C(4099276460824344803));
	TEST_EQ(fair_fairness_check(&f), 0);
}

TEST(invariants)
{
	struct fair_fairness f = machine(8), good;
	struct fair_fairness_level tree[8];
	int i;

	for (i = 0; i < 3; i++)
		(void)run(&f, i, 2);
	(void)arrive(&f, 10, 8);
	(void)arrive(&f, 20, 8);
	TEST_EQ(fair_fairness_check(&f), 0);
	good = f;
	memcpy(tree, f.tree, sizeof(tree));

	f.busy = -1;
	TEST_EQ(fair_fairness_check(&f), 1);
	f.busy = f.requested + 1;
	TEST_EQ(fair_fairness_check(&f), 1);
	f = good;
	f.active = -1;
	TEST_EQ(fair_fairness_check(&f), 1);
	f.active = f.requested + 1;
	TEST_EQ(fair_fairness_check(&f), 1);
	f.active = 0;
	TEST_EQ(fair_fairness_check(&f), 1);
	f = good;
	f.weight.whole = -1;
	TEST_EQ(fair_fairness_check(&f), 2);
	f.weight.whole = f.seconds + 1;
	TEST_EQ(fair_fairness_check(&f), 2);
	f.weight.whole = f.seconds;
	f.weight.fraction = 1;
	TEST_EQ(fair_fairness_check(&f), 2);
	f = good;
	f.seconds = f.used + 1;
	TEST_EQ(fair_fairness_check(&f), 2);
	f = good;
	f.used = (INT64_C(1) << 62) + 1;
	TEST_EQ(fair_fairness_check(&f), 2);
	f = good;
	f.tree[2].seconds = -1;
	TEST_EQ(fair_fairness_check(&f), 3);
	f.tree[2].seconds = f.seconds + 1;
	TEST_EQ(fair_fairness_check(&f), 3);
	memcpy(f.tree, tree, sizeof(tree));
	f.tree[2].area.whole = -1;
	TEST_EQ(fair_fairness_check(&f), 3);
	f.tree[2].area.whole = f.used + 1;
	TEST_EQ(fair_fairness_check(&f), 3);
	memcpy(f.tree, tree, sizeof(tree));
	f.tree[0].area.fraction = 1; /* of a level where no time was spent */
	TEST_EQ(fair_fairness_check(&f), 4);
	memcpy(f.tree, tree, sizeof(tree));
	f.tree[0].area.whole = 1;
	TEST_EQ(fair_fairness_check(&f), 4);
	memcpy(f.tree, tree, sizeof(tree));
	f.tree[1].area.whole += f.tree[1].seconds + 1;
	TEST_EQ(fair_fairness_check(&f), 4);
	memcpy(f.tree, tree, sizeof(tree));
	TEST_EQ(fair_fairness_check(&f), 0);
}

/* What levels 0 and 1 add up to: the last fraction before a carry; a second,
 * then a processor-second too many. */
TEST(levels_by_hand)
{
	struct fair_fairness f = machine(2);

	f.seconds = f.used = f.tree[1].area.whole = f.tree[1].seconds = 3;
	f.tree[0].area.fraction = f.tree[1].area.fraction = UINT64_MAX;
	f.tree[0].seconds = 1;
	TEST_EQ(fair_fairness_check(&f), 0);
	f.tree[1].seconds = 4;
	TEST_EQ(fair_fairness_check(&f), 3);
	f.tree[0].seconds = 3;
	f.tree[0].area.whole = 2;
	f.seconds = f.tree[1].seconds = 7;
	f.tree[1].area.whole = f.used = 9;
	TEST_EQ(fair_fairness_check(&f), 0);
	f.used = 8;
	TEST_EQ(fair_fairness_check(&f), 3);
}
