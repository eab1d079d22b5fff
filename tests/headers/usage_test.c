/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The decayed usage ledger: usage halves in a half-life within the stated
 * bound, charges add up, and nothing depends on when it is read.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/ledger.h"
#include "tests/model/usage_model.h"

static struct usage_big distance(struct usage_big a, struct usage_big b)
{
	return usage_big_compare(a, b) < 0 ? usage_big_sub(b, a)
					   : usage_big_sub(a, b);
}

/* The example of the manual. */
TEST(example)
{
	struct fair_usage u;
	static unsigned char bytes[4096];
	int64_t points;

	fair_usage_init_half_life(&u, sizeof(u), bytes, sizeof(bytes), 10, 1, 1,
				  7 * 86400);
	fair_usage_charge_provisional(&u, 3, 64, 3600);
	fair_usage_charge_final(&u, 3, 64, 3600, 1000, 2800);
	fair_usage_charge(&u, 4, 1000, 2800, 192);
	fair_usage_share(&u, 3, 90000, &points);
	TEST_EQ(points, 25 << 20);
	TEST_EQ(fair_usage_check(&u), 0);
}

TEST(sizes)
{
	size_t million = fair_usage_size(1000000, 0, 1);

	TEST_CHECK(million >= 32000000 && million < 32000000 + 256);
	TEST_CHECK(fair_usage_size(1000000, 8, 1) < 80 * 1000000 + 256);
	TEST_CHECK(fair_usage_size(1000000, 1, 1) < 24 * 1000000 + 256);
	TEST_EQ(fair_usage_size(0, 0, 1), 0);
	TEST_EQ(fair_usage_size(FAIR_USAGE_TOTAL, 0, 1), 0);
	TEST_EQ(fair_usage_size(1, FAIR_USAGE_DEPTH + 1, 1), 0);
	TEST_EQ(fair_usage_size(1, 0, 0), 0);
	TEST_EQ(fair_usage_size(1, 0, FAIR_USAGE_SOURCES + 1), 0);
	TEST_CHECK(fair_usage_size(1, FAIR_USAGE_DEPTH, FAIR_USAGE_SOURCES));
#if SIZE_MAX == UINT32_MAX
	TEST_EQ(fair_usage_size(UINT32_MAX - 1, 0, 1), 0);
#endif
}

/* A row an entity and one for all, in words; the sources; 63 to align them.
 * All but the last bytes of 32 bits are not too many. */
TEST(exact_sizes)
{
	const size_t source = sizeof(struct fair_usage_source);
	const uint32_t most = (UINT32_MAX - 63 - (uint32_t)source) / 32 - 1;
	const size_t bytes = fair_usage_size(3, 0, 1);
	struct fair_usage u;
	uintptr_t begin, i;

	TEST_EQ(fair_usage_size(3, 0, 2), (4 * 4 * 8 + source) * 2 + 63);
	TEST_EQ(fair_usage_size(3, 1, 2), (4 * 3 * 8 + source) * 2 + 63);
	TEST_EQ(fair_usage_size(3, 5, 1), 4 * 7 * 8 + source + 63);
	TEST_EQ(fair_usage_size(most, 0, 1), (most + 1) * 32 + source + 63);
	TEST_EQ(!fair_usage_size(most + 1, 0, 1), SIZE_MAX == UINT32_MAX);
	TEST_EQ(!fair_usage_size(most, 0, 2), SIZE_MAX == UINT32_MAX);
	TEST_EQ(!fair_usage_size(1 << 26, 0, 2), SIZE_MAX == UINT32_MAX);
	/* 178956967 * 3 * 8 + 24 + 63 is UINT32_MAX. */
	TEST_EQ(fair_usage_size(178956966, 1, 1), UINT32_MAX);
	for (i = 0; i < 64; i++) {
		begin = (uintptr_t)memory[0] + i;
		memset(memory[0], 0xa5, i + bytes + 1);
		TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory[0] + i,
						  bytes, 3, 1, 1, DAY));
		TEST_EQ((uintptr_t)u.row % 64, 0);
		TEST_CHECK((uintptr_t)u.row - begin < 64);
		TEST_CHECK((uintptr_t)(u.source + 1) - begin <= bytes);
		TEST_EQ(fair_usage_check(&u), 0);
		TEST_EQ(memory[0][i + bytes], 0xa5);
	}
}

/* Correctly rounded: off by at most half of the last place. */
TEST(tables)
{
	const struct usage_big one = usage_big_from(1, 0);
	struct usage_big exact, got;
	int64_t i;

	for (i = 0; i < 64; i++) {
		got = usage_big_from(fair_usage_coarse[i], 0);
		got = usage_big_shift(got, 63);
		exact = usage_big_exp2(i, 64);
		TEST_CHECK(usage_big_compare(distance(got, exact),
					     usage_big_from(0, 1)) <= 0);
		got = usage_big_from(0, fair_usage_fine[i]);
		exact = usage_big_sub(usage_big_exp2(i, 4096), one);
		got = distance(got, exact);
		got = usage_big_add(got, got);
		TEST_CHECK(usage_big_compare(got, usage_big_from(0, 1)) <= 0);
	}
}

/* The proof says 8 * 2^-64 of the result, which is at least 1. */
TEST(power_of_two)
{
	uint64_t random = 1, q;
	double worst = 0, ulps;
	int i;

	for (i = 0; i < 4096 + TEST_ROUNDS(16000); i++) {
		struct usage_big exact, got, off;

		q = test_random(&random) & ~(uint64_t)3;
		if (i < 4096)
			q = (uint64_t)i << 52 | (i & 1 ? 0xffffffffffffc : 0);
		exact = usage_big_exp2((int64_t)(q >> 2), INT64_C(1) << 62);
		got = usage_big_shift(usage_big_from(fair_usage_exp2(q), 0),
				      63);
		off = distance(got, exact);
		TEST_CHECK(usage_big_compare(
				   usage_big_mul(usage_big_from(8, 0),
						 usage_big_shift(exact, 64)),
				   off) > 0);
		/* in 2^-64 of the result, of which q gives the size */
		ulps = (off.limb[3] + off.limb[2] / 4294967296.0) /
		       ((double)fair_usage_exp2(q) / 9223372036854775808.0);
		worst = ulps > worst ? ulps : worst;
	}
	printf("# 2^x: off by at most %.2f * 2^-64 of it\n", worst);
	TEST_EQ(fair_usage_exp2(0), INT64_MIN);
}

/* What is half, again and again. */
TEST(halves)
{
	const struct fair_usage_fixed all = { UINT64_MAX, UINT64_MAX - 5 };
	struct fair_usage_fixed half = all, shifted;
	uint64_t n;

	for (n = 0; n < 200; n++) {
		shifted = fair_usage_shift(all, n);
		TEST_CHECK(shifted.whole == half.whole &&
			   shifted.fraction == half.fraction);
		half.fraction = half.whole << 63 | half.fraction >> 1;
		half.whole /= 2;
	}
}

/* Products are as large as the limit, and no larger. */
TEST(limits)
{
	const uint64_t half = UINT64_C(1) << 63, most = FAIR_USAGE_LIMIT;
	const struct {
		struct fair_usage_fixed a;
		uint64_t n, whole, fraction;
		bool fits;
	} t[] = {
		{ { most, 5 }, 1, most, 5, true },
		{ { 1, 0 }, most, most, 0, true },
		{ { 1, 0 }, most + 1, 0, 0, false },
		{ { 1, half }, most / 3 * 2, most / 3 * 3, 0, true },
		{ { 0, half }, 2 * most + 1, most, half, true },
		{ { 0, half }, 2 * most + 2, 0, 0, false },
		{ { 1, half }, most, 0, 0, false },
		{ { most, 0 }, most, 0, 0, false },
	};
	struct fair_usage_fixed a;
	uint64_t product = 7;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		a = t[i].a;
		TEST_EQ(fair_usage_times(&a, t[i].n), t[i].fits);
		TEST_CHECK(!t[i].fits || (a.whole == t[i].whole &&
					  a.fraction == t[i].fraction));
	}
	TEST_CHECK(!fair_usage_product(1, (int64_t)most + 1, &product));
	TEST_CHECK(!fair_usage_product((int64_t)most, 32, &product));
	TEST_EQ(product, 7);
	TEST_CHECK(fair_usage_product((int64_t)most / 2, 2, &product));
	TEST_EQ(product, most);
}

TEST(periods)
{
	uint64_t random = 2, into;
	struct fair_usage u;
	int64_t length, t;
	int i;

	for (i = 0; i < 20000; i++) {
		length = (int64_t)(test_random(&random) >> 1) >>
			 test_range(&random, 0, 62);
		length += !length;
		windows(&u, 0, 1, 1, length, 0);
		t = (int64_t)(test_random(&random) >> 1) >>
		    test_range(&random, 0, 62);
		if (i % 3 == 0)
			t -= t % length;
		if (i % 3 == 1)
			t = t < length ? length - 1 : t - t % length - 1;
		if (i % 100 == 0)
			t = INT64_MAX;
		TEST_EQ(fair_usage_period(&u, t, &into), t / length);
		TEST_EQ(into, t % length);
	}
}

/* A steady rate is worth h / ln 2 seconds of it, and halves exactly. */
TEST(half_life_shape)
{
	struct fair_usage u;
	uint64_t now[2] = { 0, 0 }, later[2] = { 1, 1 };

	half_life(&u, 0, 1, 2);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 100, 1000), 0);
	TEST_EQ(whole_at(&u, 0, 100), 2885); /* 2 / ln 2 = 2.88539 */
	TEST_EQ(fair_usage_at(&u, 0, 100, &now[0], &now[1]), 0);
	TEST_EQ(fair_usage_at(&u, 0, 102, &later[0], &later[1]), 0);
	TEST_EQ(later[0], now[0] / 2);
	TEST_EQ(later[1], (now[0] & 1) << 63 | now[1] >> 1);
	/* One second of a long half-life is a second. */
	half_life(&u, 0, 1, FAIR_USAGE_HALF_LIFE);
	TEST_EQ(fair_usage_charge(&u, 0, 1000000, 1000001, 1 << 30), 0);
	TEST_EQ(whole_at(&u, 0, 1000001), (1 << 30) - 1);
	TEST_EQ(fair_usage_check(&u), 0);
}

TEST(underflow)
{
	struct fair_usage u;
	uint64_t whole = 1, fraction = 1;
	int64_t t;

	half_life(&u, 0, 2, 10);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1000, 1000000), 0);
	for (t = 1000; t < 3000; t++) {
		uint64_t last = whole_at(&u, 0, t);

		TEST_CHECK(whole_at(&u, 0, t + 1) <= last);
	}
	TEST_EQ(fair_usage_at(&u, 0, INT64_MAX, &whole, &fraction), 0);
	TEST_EQ(whole, 0);
	TEST_EQ(fraction, 0);
	TEST_EQ(share_at(&u, 0, INT64_MAX), 0);
	t = INT64_MAX - 10;
	TEST_EQ(fair_usage_charge(&u, 1, t, INT64_MAX, 1 << 20), 0);
	TEST_EQ(whole_at(&u, 1, INT64_MAX), 7563876); /* 10 / ln 2 / 2 */
	TEST_EQ(share_at(&u, 1, INT64_MAX), 100 << 20);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Within a period pieces add up exactly, whatever the rate. */
TEST(additive)
{
	struct fair_usage a, b;
	uint64_t random = 3;
	int64_t t, next;

	half_life(&a, 0, 1, WEEK);
	half_life(&b, 1, 1, WEEK);
	TEST_EQ(fair_usage_charge(&a, 0, WEEK, 2 * WEEK - 1, 123), 0);
	for (t = WEEK; t < 2 * WEEK - 1; t = next) {
		next = t + test_range(&random, 1, 5000);
		if (next > 2 * WEEK - 1)
			next = 2 * WEEK - 1;
		TEST_EQ(fair_usage_charge(&b, 0, t, next, 123), 0);
	}
	TEST_CHECK(same_reading(&a, &b, 0, 2 * WEEK));
}

/* Charges that end together are of what each took. */
TEST(one_end)
{
	struct fair_usage a, b;
	uint64_t before;

	half_life(&a, 0, 2, WEEK);
	half_life(&b, 1, 2, WEEK);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 2 * WEEK, 7), 0);
	TEST_EQ(fair_usage_charge(&a, 1, WEEK / 2, 2 * WEEK, 7), 0);
	TEST_EQ(fair_usage_charge(&b, 1, WEEK / 2, 2 * WEEK, 7), 0);
	TEST_CHECK(same_reading(&a, &b, 1, 3 * WEEK));
	/* As much is held as periods pass by. */
	before = whole_at(&a, 1, 9 * WEEK);
	TEST_EQ(fair_usage_charge_provisional(&a, 1, 9, 1), 0);
	TEST_EQ(whole_at(&a, 1, 9 * WEEK), before + 9);
}

/* Nothing depends on readings, or on restarts in between. */
TEST(reading_is_const)
{
	static unsigned char checkpoint[1 << 16];
	struct fair_usage a, b;
	size_t bytes;
	int64_t t;

	half_life(&a, 0, 3, 3600);
	half_life(&b, 1, 3, 3600);
	for (t = 0; t < 100000; t += 700) {
		TEST_OK(fair_usage_charge(&a, (uint32_t)(t % 3), t, t + 700,
					  9));
		TEST_OK(fair_usage_charge(&b, (uint32_t)(t % 3), t, t + 700,
					  9));
		whole_at(&a, 1, t + 800);
		share_at(&a, 2, t + 1800);
		bytes = fair_usage_checkpoint_size(&a);
		TEST_EQ(fair_usage_save(&a, checkpoint, bytes), 0);
		TEST_OK(fair_usage_load(&a, sizeof(a), memory[0],
					sizeof(memory[0]), checkpoint, bytes,
					NULL));
	}
	TEST_CHECK(same_reading(&a, &b, 1, t));
	TEST_EQ(memcmp(a.row, b.row, fair_usage_rows_bytes(&a)), 0);
}

TEST(shares)
{
	struct fair_usage u;
	uint64_t random = 4;
	int i;

	windows(&u, 0, 3, 1, DAY, 0);
	TEST_EQ(share_at(&u, 0, 0), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 100, 1), 0);
	TEST_EQ(share_at(&u, 0, 100), 100 << 20);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 100, 2), 0);
	TEST_EQ(share_at(&u, 0, 100), 34952533); /* 33.333 points */
	TEST_EQ(share_at(&u, 1, 100), 69905067);
	/* A row may pass its total, by I7. */
	half_life(&u, 0, 2, DAY);
	fair_usage_row(&u, 0, 0)[3] = 3;
	fair_usage_row(&u, 0, 2)[3] = 2;
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(share_at(&u, 0, 0), 100 << 20);
	/* No bit is lost of what is little, nor of integers below 2^37. */
	fair_usage_row(&u, 0, 1)[3] = 5;
	fair_usage_row(&u, 0, 2)[3] = 8;
	TEST_EQ(share_at(&u, 0, 0), 75 << 19);
	windows(&u, 0, 2, 1, DAY, 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 0, INT64_C(15664243671), 1), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, INT64_C(121774709800), 1), 0);
	TEST_EQ(share_at(&u, 0, 0), 11950870);
	TEST_EQ(share_at(&u, 1, 0), 92906730); /* .4987 */
	windows(&u, 0, 2, 1, DAY, 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 0, 4, 1), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 3, 1), 0);
	TEST_EQ(share_at(&u, 0, 0), 59918629); /* .57 */
	TEST_EQ(share_at(&u, 1, 0), 44938971); /* .43 */
	/* Half is half. */
	for (i = 0; i < 58; i++) {
		windows(&u, 0, 2, 1, DAY, 0);
		TEST_EQ(fair_usage_charge_provisional(&u, 0, INT64_C(1) << i, 1), 0);
		TEST_EQ(fair_usage_charge_provisional(&u, 1, INT64_C(1) << i, 1), 0);
		TEST_EQ(share_at(&u, 1, 0), 50 << 20);
	}
	/* Any size: one place is the most that it is off. */
	for (i = 0; i < 1000; i++) {
		int64_t a = test_range(&random, 1, INT64_C(1) << 57) >>
			    test_range(&random, 0, 56);
		int64_t b = test_range(&random, 1, INT64_C(1) << 57) >>
			    test_range(&random, 0, 56);
		struct usage_big low, exact, high, sum, all;
		int64_t points;

		a += !a;
		b += !b;
		windows(&u, 0, 3, 1, DAY, 0);
		TEST_EQ(fair_usage_charge_provisional(&u, 0, a, 1), 0);
		TEST_EQ(fair_usage_charge(&u, 1, 0, 1, b), 0);
		points = share_at(&u, 0, 1);
		all = usage_big_from(100 << 20, 0);
		sum = usage_big_from((uint64_t)a + (uint64_t)b, 0);
		exact = usage_big_mul(all, usage_big_from((uint64_t)a, 0));
		exact = usage_big_add(exact, exact);
		low = usage_big_mul(usage_big_from(2 * (uint64_t)points + 2, 0),
				    sum);
		high = usage_big_mul(
			usage_big_from(points ? 2 * (uint64_t)points - 2 : 0,
				       0),
			sum);
		TEST_CHECK(usage_big_compare(high, exact) <= 0);
		TEST_CHECK(usage_big_compare(exact, low) < 0);
	}
}

TEST(targets)
{
	static const struct {
		struct fair_usage_target target;
		int64_t delta_40, delta_60;
		bool eligible_60;
	} c[] = {
		{ { 50, FAIR_USAGE_TARGET }, 10, -10, true },
		{ { 50, FAIR_USAGE_FLOOR }, 10, 0, true },
		{ { 50, FAIR_USAGE_CEILING }, 0, -10, true },
		{ { 50, FAIR_USAGE_CAP }, 0, 0, false },
		{ { 60, FAIR_USAGE_CAP }, 0, 0, true },
		{ { 100, FAIR_USAGE_TARGET }, 60, 40, true },
		{ { 0, FAIR_USAGE_TARGET }, -40, -60, true },
	};
	struct fair_usage_target target;
	size_t i;

	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		target = c[i].target;
		TEST_EQ(fair_usage_delta(&target, 40), c[i].delta_40);
		TEST_EQ(fair_usage_delta(&target, 60), c[i].delta_60);
		TEST_EQ(fair_usage_is_eligible(&target, 60), c[i].eligible_60);
		TEST_CHECK(fair_usage_is_eligible(&target, 0));
	}
}
