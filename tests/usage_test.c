/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"
#include "test.h"
#include "tests/model/usage_model.h"

#define DAY 86400
#define WEEK (7 * DAY)

static unsigned char memory[8][1 << 16];

static void half_life(struct fair_usage *u, int slot, uint32_t entities,
		      int64_t h)
{
	TEST_EQ(fair_usage_init_half_life(u, sizeof(*u), memory[slot],
					  sizeof(memory[slot]), entities, 4,
					  (uint64_t)slot, h),
		0);
}

static void windows(struct fair_usage *u, int slot, uint32_t entities,
		    uint32_t depth, int64_t interval, uint64_t decay)
{
	TEST_EQ(fair_usage_init_windows(u, sizeof(*u), memory[slot],
					sizeof(memory[slot]), entities, 4,
					(uint64_t)slot, depth, interval, decay),
		0);
}

static uint64_t whole_at(const struct fair_usage *u, uint32_t entity, int64_t t)
{
	uint64_t whole = UINT64_MAX;

	TEST_EQ(fair_usage_at(u, entity, t, &whole, NULL), 0);
	return whole;
}

static int64_t share_at(const struct fair_usage *u, uint32_t entity, int64_t t)
{
	int64_t points = -1;

	TEST_EQ(fair_usage_share(u, entity, t, &points), 0);
	return points;
}

static bool same_reading(const struct fair_usage *a, const struct fair_usage *b,
			 uint32_t entity, int64_t t)
{
	uint64_t w[2], f[2];

	return !fair_usage_at(a, entity, t, &w[0], &f[0]) &&
	       !fair_usage_at(b, entity, t, &w[1], &f[1]) && w[0] == w[1] &&
	       f[0] == f[1];
}

static struct usage_big distance(struct usage_big a, struct usage_big b)
{
	return usage_big_compare(a, b) < 0 ? usage_big_sub(b, a)
					   : usage_big_sub(a, b);
}

/* The example of the manual. */
static void example(void)
{
	struct fair_usage u;
	static unsigned char bytes[4096];
	int64_t points;

	fair_usage_init_half_life(&u, sizeof(u), bytes, sizeof(bytes), 10, 1, 1,
				  7 * 86400);
	fair_usage_hold(&u, 3, 64, 3600);
	fair_usage_settle(&u, 3, 64, 3600, 1000, 2800);
	fair_usage_charge(&u, 4, 1000, 2800, 192);
	fair_usage_share(&u, 3, 90000, &points);
	TEST_EQ(points, 25 << 20);
	TEST_EQ(fair_usage_check(&u), 0);
}

static void sizes(void)
{
	size_t million = fair_usage_size(1000000, 0, 1);

	TEST_CHECK(million >= 32000000 && million < 32000000 + 256);
	TEST_CHECK(fair_usage_size(1000000, 8, 1) < 80 * 1000000 + 256);
	TEST_CHECK(fair_usage_size(1000000, 1, 1) < 24 * 1000000 + 256);
	TEST_EQ(fair_usage_size(0, 0, 1), 0);
	TEST_EQ(fair_usage_size(FAIR_USAGE_ALL, 0, 1), 0);
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
static void exact_sizes(void)
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
		TEST_EQ(fair_usage_init_half_life(&u, sizeof(u), memory[0] + i,
						  bytes, 3, 1, 1, DAY),
			0);
		TEST_EQ((uintptr_t)u.row % 64, 0);
		TEST_CHECK((uintptr_t)u.row - begin < 64);
		TEST_CHECK((uintptr_t)(u.source + 1) - begin <= bytes);
		TEST_EQ(fair_usage_check(&u), 0);
		TEST_EQ(memory[0][i + bytes], 0xa5);
	}
}

static void init_errors(void)
{
	struct fair_usage u, before;
	unsigned char *m = memory[0];
	size_t bytes = fair_usage_size(3, 0, 2), i;
	const size_t ok = sizeof(u);

	memset(&u, 7, sizeof(u));
	before = u;
#define HALF(size, bytes, entities, sources, h)                                \
	fair_usage_init_half_life(&u, size, m, bytes, entities, sources, 1, h)
#define WINDOWS(depth, interval, decay)                                        \
	fair_usage_init_windows(&u, ok, m, sizeof(memory[0]), 3, 2, 1, depth,  \
				interval, decay)
	TEST_EQ(HALF(ok, bytes, 3, 2, 0), -FAIR_EINVAL);
	TEST_EQ(HALF(ok, bytes, 3, 2, -1), -FAIR_EINVAL);
	TEST_EQ(HALF(ok, bytes, 3, 2, FAIR_USAGE_HALF_LIFE + 1), -FAIR_EINVAL);
	TEST_EQ(HALF(ok - 1, bytes, 3, 2, 1), -FAIR_EINVAL);
	TEST_EQ(HALF(ok, bytes, 0, 2, 1), -FAIR_EINVAL);
	TEST_EQ(HALF(ok, bytes, 3, 0, 1), -FAIR_EINVAL);
	TEST_EQ(HALF(ok, bytes - 1, 3, 2, 1), -FAIR_ENOMEM);
	TEST_EQ(WINDOWS(0, 1, 0), -FAIR_EINVAL);
	TEST_EQ(WINDOWS(FAIR_USAGE_DEPTH + 1, 1, 0), -FAIR_EINVAL);
	TEST_EQ(WINDOWS(1, 0, 0), -FAIR_EINVAL);
	TEST_EQ(WINDOWS(1, 1, FAIR_USAGE_ONE + 1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_init_windows(&u, ok + 8, m, bytes, 3, 2, 1, 1, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(fair_usage_init_half_life(&u, ok, NULL, bytes, 3, 2, 1, 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_usage_init_half_life(NULL, ok, m, bytes, 3, 2, 1, 1),
		-FAIR_EINVAL);
	TEST_EQ(fair_usage_init_windows(NULL, ok, m, bytes, 3, 2, 1, 1, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(memcmp(&u, &before, sizeof(u)), 0);
	/* Any alignment will do. */
	for (i = 0; i < 64; i++) {
		TEST_EQ(fair_usage_init_half_life(&u, ok, m + i, bytes, 3, 2, 1,
						  FAIR_USAGE_HALF_LIFE),
			0);
		TEST_CHECK((unsigned char *)(u.source + 2) <= m + i + bytes);
		TEST_EQ((uintptr_t)u.row % 64, 0);
		TEST_EQ(fair_usage_check(&u), 0);
	}
}

/* Correctly rounded: off by at most half of the last place. */
static void tables(void)
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
static void power_of_two(void)
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
static void halves(void)
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
static void limits(void)
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

static void periods(void)
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

/* [MAUI] figure 6: what constant usage counts over 8 windows at 0.75. */
static void maui_figure_6(void)
{
	const int64_t interval = 10000000;
	struct fair_usage u;
	uint64_t whole;

	windows(&u, 0, 2, 8, interval, 3 * FAIR_USAGE_ONE / 4);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 8 * interval - 1, 1), 0);
	whole = whole_at(&u, 0, 8 * interval - 1);
	TEST_EQ((whole + 500) / 1000, 35995);
	/* In a window that has just begun nothing is used yet. */
	TEST_EQ(fair_usage_charge(&u, 0, 8 * interval - 1, 8 * interval, 1), 0);
	whole = whole_at(&u, 0, 8 * interval);
	TEST_EQ(whole, 25995483); /* 0.75 + ... + 0.75^7 */
}

static void windows_split(void)
{
	struct fair_usage u;

	windows(&u, 0, 2, 3, 100, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 1, 150, 420, 2), 0);
	/* window 1: 100, 2: 200, 3: 200, 4: 40 */
	TEST_EQ(whole_at(&u, 1, 420), 40 + 100 + 50);
	TEST_EQ(whole_at(&u, 1, 500), 0 + 20 + 50);
	TEST_EQ(whole_at(&u, 1, 699), 10);
	TEST_EQ(whole_at(&u, 1, 700), 0);
	TEST_EQ(whole_at(&u, 1, INT64_MAX), 0);
	TEST_EQ(whole_at(&u, 0, 420), 0);
	TEST_EQ(whole_at(&u, FAIR_USAGE_ALL, 500), 70);
	/* A late one goes where it belongs; too late, it is lost. */
	TEST_EQ(fair_usage_charge(&u, 0, 200, 201, 4), 0);
	TEST_EQ(whole_at(&u, 0, 420), 1);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 200, 1000), 0);
	TEST_EQ(whole_at(&u, 0, 420), 1);
	TEST_EQ(whole_at(&u, FAIR_USAGE_ALL, 420), 191);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Decay 1 is the plain sum. */
static void windows_undecayed(void)
{
	struct fair_usage u;
	uint64_t fraction = 1, whole = 0;

	windows(&u, 0, 1, 5, 7, FAIR_USAGE_ONE);
	TEST_EQ(fair_usage_charge(&u, 0, 3, 33, INT64_C(1000000000000)), 0);
	TEST_EQ(fair_usage_at(&u, 0, 33, &whole, &fraction), 0);
	TEST_EQ(whole, 30000000000000);
	TEST_EQ(fraction, 0);
	TEST_EQ(whole_at(&u, 0, 35), 26000000000000);
}

static void plain_window(void)
{
	struct fair_usage u;

	windows(&u, 0, 1, 1, DAY, 0);
	TEST_EQ(fair_usage_charge(&u, 0, DAY - 10, DAY + 5, 3), 0);
	TEST_EQ(whole_at(&u, 0, DAY + 5), 15);
	TEST_EQ(whole_at(&u, 0, 2 * DAY - 1), 15);
	TEST_EQ(whole_at(&u, 0, 2 * DAY), 0);
	/* One that never ends forgets nothing. */
	windows(&u, 0, 1, 1, INT64_MAX, 0);
	TEST_EQ(fair_usage_charge(&u, 0, 5, INT64_MAX / 2, 0), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 5, 1000000005, 1), 0);
	TEST_EQ(whole_at(&u, 0, INT64_MAX - 1), 1000000000);
}

/* A steady rate is worth h / ln 2 seconds of it, and halves exactly. */
static void half_life_shape(void)
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

static void underflow(void)
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
static void additive(void)
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
static void one_end(void)
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
	TEST_EQ(fair_usage_hold(&a, 1, 9, 1), 0);
	TEST_EQ(whole_at(&a, 1, 9 * WEEK), before + 9);
}

/* Nothing depends on who looks, or on restarts in between. */
static void reading_is_const(void)
{
	static unsigned char image[1 << 16];
	struct fair_usage a, b;
	size_t bytes;
	int64_t t;

	half_life(&a, 0, 3, 3600);
	half_life(&b, 1, 3, 3600);
	for (t = 0; t < 100000; t += 700) {
		TEST_EQ(fair_usage_charge(&a, (uint32_t)(t % 3), t, t + 700, 9),
			0);
		TEST_EQ(fair_usage_charge(&b, (uint32_t)(t % 3), t, t + 700, 9),
			0);
		whole_at(&a, 1, t + 800);
		share_at(&a, 2, t + 1800);
		bytes = fair_usage_image_size(&a);
		TEST_EQ(fair_usage_save(&a, image, bytes), 0);
		TEST_EQ(fair_usage_load(&a, sizeof(a), memory[0],
					sizeof(memory[0]), image, bytes, NULL),
			0);
	}
	TEST_CHECK(same_reading(&a, &b, 1, t));
	TEST_EQ(memcmp(a.row, b.row, fair_usage_rows_bytes(&a)), 0);
}

static void holds(void)
{
	static unsigned char before[1 << 16];
	struct fair_usage u;

	half_life(&u, 0, 3, DAY);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 5000, 7), 0);
	memcpy(before, u.row, fair_usage_rows_bytes(&u));
	TEST_EQ(fair_usage_hold(&u, 1, 64, 3600), 0);
	TEST_EQ(fair_usage_hold(&u, 2, 1, 100), 0);
	TEST_EQ(whole_at(&u, 1, 5000 + DAY) - whole_at(&u, 1, INT64_C(1) << 40),
		whole_at(&u, 1, 5000 + DAY) - 64 * 3600);
	TEST_EQ(whole_at(&u, FAIR_USAGE_ALL, INT64_C(1) << 40),
		64 * 3600 + 100);
	TEST_EQ(fair_usage_release(&u, 1, 64, 3601), -FAIR_ERANGE);
	TEST_EQ(fair_usage_release(&u, 0, 1, 1), -FAIR_ERANGE);
	TEST_EQ(fair_usage_release(&u, 0, INT64_MAX, INT64_MAX), -FAIR_ERANGE);
	TEST_EQ(fair_usage_release(&u, 3, 1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_release(&u, 1, -1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_release(&u, 1, 1, -1), -FAIR_EINVAL);
	TEST_EQ(fair_usage_check(&u), 0);
	/* Cancelled: nothing is left behind. */
	TEST_EQ(fair_usage_release(&u, 1, 64, 3600), 0);
	TEST_EQ(fair_usage_release(&u, 2, 1, 100), 0);
	TEST_EQ(memcmp(before, u.row, fair_usage_rows_bytes(&u)), 0);
}

static void settled(void)
{
	struct fair_usage u, v;

	half_life(&u, 0, 3, DAY);
	half_life(&v, 1, 3, DAY);
	TEST_EQ(fair_usage_hold(&u, 1, 64, 3600), 0);
	TEST_EQ(fair_usage_settle(&u, 1, 64, 3601, 10, 20), -FAIR_ERANGE);
	TEST_EQ(fair_usage_settle(&u, 1, INT64_MAX, INT64_MAX, 10, 20),
		-FAIR_ERANGE);
	TEST_EQ(fair_usage_settle(&u, 1, 64, -1, 10, 20), -FAIR_EINVAL);
	TEST_EQ(fair_usage_settle(&u, 1, -1, 3600, 10, 20), -FAIR_EINVAL);
	TEST_EQ(fair_usage_settle(&u, 1, 64, 3600, 20, 10), -FAIR_EINVAL);
	TEST_EQ(fair_usage_settle(&u, 1, 64, 3600, -1, 10), -FAIR_EINVAL);
	TEST_EQ(fair_usage_settle(&u, 3, 64, 3600, 10, 20), -FAIR_EINVAL);
	TEST_EQ(fair_usage_settle(&u, 3, 64, 3601, 10, 20), -FAIR_EINVAL);
	TEST_EQ(whole_at(&u, 1, 0), 64 * 3600);
	TEST_EQ(whole_at(&u, FAIR_USAGE_ALL, 0), 64 * 3600);
	TEST_EQ(fair_usage_settle(&u, 1, 64, 3600, 0,
				  INT64_C(0x7fffffffffffffff)),
		0);
	half_life(&u, 0, 3, DAY);
	TEST_EQ(fair_usage_hold(&u, 1, INT64_C(1) << 50, 100), 0);
	TEST_EQ(fair_usage_settle(&u, 1, INT64_C(1) << 50, 100, 0, 40 * DAY),
		-FAIR_EOVERFLOW);
	TEST_EQ(whole_at(&u, 1, 0), (INT64_C(1) << 50) * 100);
	TEST_EQ(fair_usage_settle(&u, 1, INT64_C(1) << 50, 100, 0, 0), 0);
	TEST_EQ(whole_at(&u, 1, 0), 0);
	/* What is settled is what would have been charged. */
	TEST_EQ(fair_usage_hold(&u, 2, 8, 1000), 0);
	TEST_EQ(fair_usage_settle(&u, 2, 8, 1000, 777, 1500), 0);
	TEST_EQ(fair_usage_charge(&v, 2, 777, 1500, 8), 0);
	TEST_CHECK(same_reading(&u, &v, 2, 1500));
	TEST_CHECK(same_reading(&u, &v, FAIR_USAGE_ALL, DAY));
}

static void charge_errors(void)
{
	static unsigned char before[1 << 16];
	const int64_t much = INT64_C(1) << 58;
	struct fair_usage u;
	int i;

	for (i = 0; i < 2; i++) {
		if (i)
			half_life(&u, 0, 2, FAIR_USAGE_HALF_LIFE);
		else
			windows(&u, 0, 2, 1, DAY, 0);
		TEST_EQ(fair_usage_charge(&u, 0, 100, 101, much), 0);
		memcpy(before, memory[0], sizeof(before));
		TEST_EQ(fair_usage_charge(&u, 2, 0, 1, 1), -FAIR_EINVAL);
		TEST_EQ(fair_usage_charge(&u, FAIR_USAGE_ALL, 0, 1, 1),
			-FAIR_EINVAL);
		TEST_EQ(fair_usage_charge(&u, 0, -1, 1, 1), -FAIR_EINVAL);
		TEST_EQ(fair_usage_charge(&u, 0, 2, 1, 1), -FAIR_EINVAL);
		TEST_EQ(fair_usage_charge(&u, 0, 0, 1, -1), -FAIR_EINVAL);
		TEST_EQ(fair_usage_charge(&u, 0, 500, 500, 1), 0);
		TEST_EQ(fair_usage_charge(&u, 0, 0, 500, 0), 0);
		TEST_EQ(fair_usage_charge(&u, 1, 101, 103, much),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_charge(&u, 1, 101, 104, INT64_MAX),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_charge(&u, 1, 101, 200, INT64_MAX),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_hold(&u, 1, much, 3), -FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_hold(&u, 1, INT64_MAX, INT64_MAX),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_hold(&u, 2, 1, 1), -FAIR_EINVAL);
		TEST_EQ(fair_usage_hold(&u, 1, -1, 1), -FAIR_EINVAL);
		TEST_EQ(fair_usage_hold(&u, 1, 1, -1), -FAIR_EINVAL);
		TEST_EQ(memcmp(before, memory[0], sizeof(before)), 0);
		TEST_EQ(fair_usage_hold(&u, 1, much, 2), 0);
		TEST_EQ(fair_usage_hold(&u, 0, 1, 1), -FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_check(&u), 0);
	}
}

/* Sums and products that would wrap around. */
static void overflow(void)
{
	struct fair_usage u;
	int i;

	for (i = 0; i < 2; i++) {
		if (i)
			half_life(&u, 0, 2, FAIR_USAGE_HALF_LIFE);
		else
			windows(&u, 0, 2, 1, FAIR_USAGE_HALF_LIFE, 0);
		/* 2.03 * (2^63 - 1) is 2^64 and a little: t / h = 0.0215 */
		TEST_EQ(fair_usage_charge(&u, 0, 92341797, 92341799, INT64_MAX),
			-FAIR_EOVERFLOW);
		/* 4 * 2^62 is 2^64. */
		TEST_EQ(fair_usage_charge(&u, 0, 0, 4, INT64_C(1) << 62),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_charge(&u, 0, 0, 7, INT64_C(1) << 56), 0);
		TEST_EQ(fair_usage_charge(&u, 1, 7, 10, INT64_C(1) << 56),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_usage_charge(&u, 0, 7, 10, INT64_C(1) << 56),
			-FAIR_EOVERFLOW);
		TEST_EQ(whole_at(&u, 1, 7), 0);
		TEST_EQ(fair_usage_check(&u), 0);
	}
}

/* A row that passes the total, by a fraction, at the limit. */
static void row_overflows(void)
{
	uint64_t *row, *total;
	struct fair_usage u;

	half_life(&u, 0, 2, DAY);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), 0);
	row = fair_usage_row(&u, 0, 0);
	total = fair_usage_row(&u, 0, 2);
	/* As much as another such charge brings to the limit. */
	row[2] = FAIR_USAGE_LIMIT - row[2] - (row[3] > 0);
	row[3] = 0 - row[3];
	total[2] = row[2];
	total[3] = row[3] - 1;
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	total[3] = row[3]--;
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	total[3]--;
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), 0);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* As much as a window may hold, and no more. */
static void full_window(void)
{
	struct fair_usage u;

	windows(&u, 0, 1, 1, INT64_C(1) << 30, 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, INT64_C(1) << 29, INT64_C(1) << 30),
		0);
	TEST_EQ(whole_at(&u, 0, INT64_C(1) << 29), FAIR_USAGE_LIMIT);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* A copy has all of what the other server had charged. */
static void cloned_sources(void)
{
	struct fair_usage a, b, copy;
	int i;

	for (i = 0; i < 2; i++) {
		if (i) {
			half_life(&a, 0, 1, DAY);
			half_life(&b, 1, 1, DAY);
		} else {
			windows(&a, 0, 1, 2, DAY, 1);
			windows(&b, 1, 1, 2, DAY, 1);
		}
		TEST_EQ(fair_usage_charge(&b, 0, 0, 7, 1), 0);
		TEST_EQ(fair_usage_merge(&a, &b), 0);
		memset(memory[2], 0x5a, sizeof(memory[2]));
		TEST_EQ(fair_usage_clone(&copy, memory[2],
					 fair_usage_size(1, a.depth, 4), &a),
			0);
		TEST_EQ(copy.source[1].id, 1);
		TEST_EQ(copy.source[1].changes, 1);
		TEST_EQ(copy.source[1].clock, 7);
		TEST_EQ(fair_usage_check(&copy), 0);
		TEST_CHECK(same_reading(&a, &copy, 0, 7));
	}
}

static void reading_errors(void)
{
	struct fair_usage u;
	uint64_t whole = 5, fraction = 6;
	int64_t points = 7;

	half_life(&u, 0, 2, DAY);
	TEST_EQ(fair_usage_charge(&u, 0, 100, 101, 1), 0);
	TEST_EQ(fair_usage_at(&u, 2, 200, &whole, &fraction), -FAIR_EINVAL);
	TEST_EQ(fair_usage_at(&u, 0, 100, &whole, &fraction), -FAIR_EINVAL);
	TEST_EQ(fair_usage_at(&u, 0, -1, &whole, &fraction), -FAIR_EINVAL);
	TEST_EQ(fair_usage_share(&u, 2, 200, &points), -FAIR_EINVAL);
	TEST_EQ(fair_usage_share(&u, FAIR_USAGE_ALL, 200, &points),
		-FAIR_EINVAL);
	TEST_EQ(fair_usage_share(&u, 0, 100, &points), -FAIR_EINVAL);
	TEST_CHECK(whole == 5 && fraction == 6 && points == 7);
}

static void shares(void)
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
	TEST_EQ(fair_usage_hold(&u, 0, INT64_C(15664243671), 1), 0);
	TEST_EQ(fair_usage_hold(&u, 1, INT64_C(121774709800), 1), 0);
	TEST_EQ(share_at(&u, 0, 0), 11950870);
	TEST_EQ(share_at(&u, 1, 0), 92906730); /* .4987 */
	windows(&u, 0, 2, 1, DAY, 0);
	TEST_EQ(fair_usage_hold(&u, 0, 4, 1), 0);
	TEST_EQ(fair_usage_hold(&u, 1, 3, 1), 0);
	TEST_EQ(share_at(&u, 0, 0), 59918629); /* .57 */
	TEST_EQ(share_at(&u, 1, 0), 44938971); /* .43 */
	/* Half is half. */
	for (i = 0; i < 58; i++) {
		windows(&u, 0, 2, 1, DAY, 0);
		TEST_EQ(fair_usage_hold(&u, 0, INT64_C(1) << i, 1), 0);
		TEST_EQ(fair_usage_hold(&u, 1, INT64_C(1) << i, 1), 0);
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
		TEST_EQ(fair_usage_hold(&u, 0, a, 1), 0);
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

static void targets(void)
{
	static const struct {
		const char *text;
		int64_t points, delta_40, delta_60;
		enum fair_usage_kind kind;
		bool at_60;
	} good[] = {
		{ "50", 50 << 20, 10 << 20, -10 * (1 << 20), FAIR_USAGE_TARGET,
		  true },
		{ "50+", 50 << 20, 10 << 20, 0, FAIR_USAGE_FLOOR, true },
		{ "50.0-", 50 << 20, 0, -10 * (1 << 20), FAIR_USAGE_CEILING,
		  true },
		{ "50.^", 50 << 20, 0, 0, FAIR_USAGE_CAP, false },
		{ "60^", 60 << 20, 0, 0, FAIR_USAGE_CAP, true },
		{ "100.000000000", 100 << 20, 60 << 20, 40 << 20,
		  FAIR_USAGE_TARGET, true },
		{ "0", 0, -40 * (1 << 20), -60 * (1 << 20), FAIR_USAGE_TARGET,
		  true },
		{ "9", 9 << 20, -31 * (1 << 20), -51 * (1 << 20),
		  FAIR_USAGE_TARGET, true },
		{ "0012.5", 25 << 19, -55 * (1 << 19), -95 * (1 << 19),
		  FAIR_USAGE_TARGET, true },
		{ "0.000000477-", 1, 1 - (40 << 20), 1 - (60 << 20),
		  FAIR_USAGE_CEILING, true },
		{ "0.999999999", 1 << 20, -39 * (1 << 20), -59 * (1 << 20),
		  FAIR_USAGE_TARGET, true },
	};
	static const char *const bad[] = { "",
					   "+",
					   ".5",
					   "101",
					   "50%",
					   "50+-",
					   "5 ",
					   " 5",
					   "-5",
					   "100.1",
					   "1e2",
					   "50x",
					   "0.0000000001",
					   "99999999999999999999",
					   /* 2^64 + 50 */
					   "18446744073709551666",
					   "50.+0" };
	struct fair_usage_target target;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		TEST_EQ(fair_usage_parse_target(good[i].text, &target), 0);
		TEST_EQ(target.points, good[i].points);
		TEST_EQ(target.kind, good[i].kind);
		TEST_EQ(fair_usage_delta(&target, 40 << 20), good[i].delta_40);
		TEST_EQ(fair_usage_delta(&target, 60 << 20), good[i].delta_60);
		TEST_EQ(fair_usage_eligible(&target, 60 << 20), good[i].at_60);
		TEST_CHECK(fair_usage_eligible(&target, 0));
	}
	target.kind = FAIR_USAGE_CEILING;
	target.points = 3;
	TEST_EQ(fair_usage_delta(&target, 2), 0);
	TEST_EQ(fair_usage_delta(&target, 4), -1);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		TEST_EQ(fair_usage_parse_target(bad[i], &target), -FAIR_EINVAL);
	TEST_EQ(target.points, 3);
}

/* Three servers; every way of merging them reads the same. */
static void merges(void)
{
	static const int order[6][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};
	struct fair_usage u[3], m[2];
	uint64_t random = 5;
	int i, k;

	for (i = 0; i < 3; i++) {
		half_life(&u[i], i, 4, 1000);
		for (k = 0; k < 50; k++)
			TEST_EQ(fair_usage_charge(
					&u[i],
					(uint32_t)test_range(&random, 0, 3),
					k * 50, k * 50 + 77 + i, k + 1),
				0);
		TEST_EQ(fair_usage_hold(&u[i], 2, i, 1000), 0);
	}
	for (i = 0; i < 6; i++) {
		int64_t t = 5000 + i;

		TEST_EQ(fair_usage_clone(&m[0], memory[3], sizeof(memory[3]),
					 &u[order[i][0]]),
			0);
		TEST_EQ(fair_usage_clone(&m[1], memory[4], sizeof(memory[4]),
					 &u[order[i][1]]),
			0);
		/* (a + b) + c + c and c + (b + (a + b)) */
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][1]]), 0);
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][2]]), 0);
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][2]]), 0);
		TEST_EQ(fair_usage_merge(&m[1], &m[0]), 0);
		TEST_EQ(fair_usage_merge(&m[1], &m[1]), 0);
		for (k = 0; k < 4; k++) {
			TEST_CHECK(same_reading(&m[0], &m[1], (uint32_t)k, t));
			TEST_CHECK(whole_at(&m[0], (uint32_t)k, t) >=
				   whole_at(&u[0], (uint32_t)k, t) +
					   whole_at(&u[1], (uint32_t)k, t) +
					   whole_at(&u[2], (uint32_t)k, t));
		}
		TEST_EQ(fair_usage_check(&m[0]) + fair_usage_check(&m[1]), 0);
		/* What a peer charged later arrives, and replaces. */
		TEST_EQ(fair_usage_charge(&u[order[i][2]], 3, 4000, 4001 + i,
					  1000),
			0);
		TEST_EQ(fair_usage_merge(&m[0], &u[order[i][2]]), 0);
		TEST_EQ(fair_usage_merge(&m[1], &m[0]), 0);
		TEST_CHECK(same_reading(&m[0], &m[1], 3, t));
	}
	/* So does a hold, and that it is taken back. */
	for (i = 1; i >= 0; i--) {
		TEST_EQ(i ? fair_usage_hold(&u[0], 1, 3, 5)
			  : fair_usage_release(&u[0], 1, 3, 5),
			0);
		TEST_EQ(fair_usage_merge(&m[0], &u[0]), 0);
		TEST_EQ(whole_at(&m[0], 1, INT64_MAX), i * 15);
	}
}

/* A reading before a peer's last charge is made at it. */
static void clocks_differ(void)
{
	struct fair_usage a, b;

	windows(&a, 0, 1, 2, 100, FAIR_USAGE_ONE / 2);
	windows(&b, 1, 1, 2, 100, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 90, 1), 0);
	TEST_EQ(fair_usage_charge(&b, 0, 90, 110, 1), 0);
	TEST_EQ(fair_usage_merge(&a, &b), 0);
	TEST_EQ(whole_at(&a, 0, 90), 45 + 5 + 10);
	TEST_EQ(whole_at(&a, 0, 199), 60);
	TEST_EQ(fair_usage_charge(&a, 0, 90, 100, 1), 0);
	TEST_EQ(whole_at(&a, 0, 200), 5);
	TEST_EQ(fair_usage_check(&a), 0);
}

static void merge_errors(void)
{
	static unsigned char before[1 << 16];
	struct fair_usage a, b, old;

	half_life(&a, 0, 4, 1000);
	memcpy(before, memory[0], sizeof(before));
	half_life(&b, 1, 5, 1000);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	half_life(&b, 1, 4, 1001);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	windows(&b, 1, 4, 2, 1000, 1);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	windows(&a, 0, 4, 2, 1000, 0);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	windows(&a, 0, 4, 3, 1000, 1);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	/* No room. */
	TEST_EQ(fair_usage_init_half_life(&a, sizeof(a), memory[0],
					  sizeof(memory[0]), 4, 1, 0, 1000),
		0);
	half_life(&b, 1, 4, 1000);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_ENOSPC);
	TEST_EQ(fair_usage_merge(&b, &a), 0);
	/* Room for one more, as there is one. */
	TEST_EQ(fair_usage_init_half_life(&a, sizeof(a), memory[0],
					  sizeof(memory[0]), 4, 2, 7, 1000),
		0);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_ENOSPC);
	half_life(&b, 1, 4, 1000);
	TEST_EQ(fair_usage_merge(&a, &b), 0);
	TEST_EQ(a.sources, 2);
	TEST_EQ(fair_usage_check(&a), 0);
	/* What is older than what is known changes nothing. */
	half_life(&a, 0, 4, 1000);
	TEST_EQ(fair_usage_clone(&old, memory[2], sizeof(memory[2]), &a), 0);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 10, 1), 0);
	TEST_EQ(fair_usage_merge(&b, &a), 0);
	TEST_EQ(fair_usage_merge(&b, &old), 0);
	TEST_CHECK(same_reading(&a, &b, 0, 10));
	TEST_EQ(fair_usage_merge(&a, &old), 0);
	TEST_CHECK(same_reading(&a, &b, 0, 10));
	half_life(&b, 1, 4, 1000);
	/* Two servers that call themselves 1. */
	half_life(&a, 0, 4, 1000);
	a.source[0].id = 1;
	TEST_EQ(fair_usage_merge(&a, &b), 0);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 10, 1), 0);
	TEST_EQ(fair_usage_charge(&b, 0, 0, 10, 2), 0);
	TEST_EQ(fair_usage_merge(&a, &b), -FAIR_EINVAL);
	TEST_EQ(fair_usage_merge(&b, &a), -FAIR_EINVAL);
	TEST_EQ(fair_usage_clone(&old, memory[2], sizeof(memory[2]), &b), 0);
	TEST_EQ(fair_usage_merge(&old, &b), 0);
	old.source[0].clock++;
	TEST_EQ(fair_usage_merge(&old, &b), -FAIR_EINVAL);
	/* One that comes back from an old image learns its own past. */
	half_life(&a, 0, 4, 1000);
	TEST_EQ(fair_usage_charge(&a, 0, 0, 10, 1), 0);
	TEST_EQ(fair_usage_clone(&old, memory[2], sizeof(memory[2]), &a), 0);
	TEST_EQ(fair_usage_charge(&a, 0, 10, 20, 1), 0);
	half_life(&b, 1, 4, 1000);
	TEST_EQ(fair_usage_merge(&b, &a), 0);
	TEST_EQ(fair_usage_merge(&old, &b), 0);
	TEST_CHECK(same_reading(&old, &a, 0, 500));
	TEST_EQ(fair_usage_clone(&old, memory[2], fair_usage_size(4, 0, 4) - 1,
				 &a),
		-FAIR_ENOMEM);
}

static size_t saved(const struct fair_usage *u, unsigned char *image)
{
	size_t bytes = fair_usage_image_size(u);

	TEST_EQ(fair_usage_save(u, image, bytes - 1), -FAIR_ENOSPC);
	TEST_EQ(fair_usage_save(u, image, bytes), 0);
	return bytes;
}

static int damage_of(const unsigned char *image, size_t bytes)
{
	struct fair_usage u, before;
	int damage = -1, result;

	memset(&u, 7, sizeof(u));
	before = u;
	result = fair_usage_load(&u, sizeof(u), memory[7], sizeof(memory[7]),
				 image, bytes, &damage);
	TEST_EQ(result, damage ? -FAIR_EINVAL : 0);
	TEST_CHECK(!result || !memcmp(&u, &before, sizeof(u)));
	return damage;
}

/* Writes a word and signs the image again. */
static int damage_by(const unsigned char *image, size_t bytes, size_t word,
		     uint64_t value)
{
	static unsigned char copy[1 << 16];
	int damage;

	memcpy(copy, image, bytes);
	fair_usage_put(copy + 8 * word, value);
	fair_usage_put(copy + bytes - 8, fair_usage_hash(copy, bytes - 8));
	damage = damage_of(copy, bytes);
	if (word < 8) /* of the header */
		TEST_EQ(!fair_usage_load_size(copy, bytes), damage != 0);
	return damage;
}

static size_t example_image(unsigned char *image)
{
	struct fair_usage u;

	half_life(&u, 3, 2, 10);
	TEST_EQ(fair_usage_charge(&u, 1, 30, 40, 8), 0);
	TEST_EQ(fair_usage_hold(&u, 0, 3, 5), 0);
	return saved(&u, image);
}

/* Byte by byte what any machine writes. */
static void image_bytes(void)
{
	static unsigned char image[1024];
	static const unsigned char start[] = {
		'f', 'a', 'i', 'r', 's', 'a', 'g', 'e', 1, 0, 0, 0, 0, 0, 0,
		0,   2,	  0,   0,   0,	 0,   0,   0,	0, 0, 0, 0, 0, 0, 0,
		0,   0,	  10,  0,   0,	 0,   0,   0,	0, 0, 0, 0, 0, 0, 0,
		0,   0,	  0,   4,   0,	 0,   0,   0,	0, 0, 0, 1, 0, 0, 0,
		0,   0,	  0,   0,   3,	 0,   0,   0,	0, 0, 0, 0, 2, 0, 0,
		0,   0,	  0,   0,   0,	 40,  0,   0,	0, 0, 0, 0, 0, 0, 0,
		0,   0,	  0,   0,   0,	 0,   15,  0,	0, 0, 0, 0, 0, 0
	};
	static unsigned char room[4096];
	size_t bytes = example_image(image), need, i;
	struct fair_usage u;
	int damage = -1;

	TEST_EQ(bytes, (8 + 3 + 3 * 4 + 1) * 8);
	TEST_EQ(memcmp(image, start, sizeof(start)), 0);
	TEST_EQ(fair_usage_hash(image, bytes), INT64_C(7671133124718207090));
	need = fair_usage_load_size(image, bytes);
	TEST_EQ(need, fair_usage_size(2, 0, 4));
	TEST_EQ(fair_usage_load_size(image, bytes - 1), 0);
	TEST_EQ(fair_usage_load(&u, sizeof(u), room, need - 1, image, bytes,
				&damage),
		-FAIR_ENOMEM);
	TEST_EQ(damage, 0);
	damage = -1;
	TEST_EQ(fair_usage_load(&u, sizeof(u) - 1, room, need, image, bytes,
				&damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, 0);
	for (i = 0; i < 64; i += 7) {
		TEST_EQ(fair_usage_load(&u, sizeof(u), room + i, need, image,
					bytes, NULL),
			0);
		TEST_EQ(whole_at(&u, 1, 40), 57); /* 80 / ln 2 / 2 */
		TEST_EQ(whole_at(&u, 0, 40), 15);
	}
}

/* The largest numbers of an image. */
static void image_largest(void)
{
	static unsigned char image[1 << 16];
	struct fair_usage u;

	TEST_EQ(fair_usage_init_windows(&u, sizeof(u), memory[0],
					sizeof(memory[0]), 1, 1, UINT64_MAX,
					FAIR_USAGE_DEPTH, INT64_MAX,
					FAIR_USAGE_ONE),
		0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(damage_of(image, saved(&u, image)), 0);
	TEST_EQ(fair_usage_init_half_life(&u, sizeof(u), memory[0],
					  sizeof(memory[0]), 2,
					  FAIR_USAGE_SOURCES, UINT64_MAX,
					  FAIR_USAGE_HALF_LIFE),
		0);
	TEST_EQ(damage_of(image, saved(&u, image)), 0);
	/* As much as 32 bits can count: (9 + 2 * (67108862 * 4 + 3)) * 8 */
	u.sources = 2;
	u.entities = 67108861;
	TEST_EQ(fair_usage_image_size(&u), INT64_C(4294967288));
	TEST_EQ(fair_usage_save(&u, image, sizeof(image)), -FAIR_ENOSPC);
	u.entities++;
	TEST_EQ(!fair_usage_image_size(&u), SIZE_MAX == UINT32_MAX);
	TEST_EQ(fair_usage_save(&u, image, sizeof(image)), -FAIR_ENOSPC);
}

static void image_damaged(void)
{
	static unsigned char image[1024], other[80];
	size_t bytes = example_image(image), i;
	int bit;

	TEST_EQ(damage_of(image, bytes), 0);
	for (i = 0; i < bytes; i++)
		for (bit = 0; bit < 8; bit++) {
			image[i] ^= (unsigned char)(1 << bit);
			TEST_CHECK(damage_of(image, bytes) > 0);
			image[i] ^= (unsigned char)(1 << bit);
		}
	for (i = 0; i < bytes; i++)
		TEST_EQ(damage_of(image, i), FAIR_USAGE_CUT);
	image[0]++;
	TEST_EQ(damage_of(image, bytes), FAIR_USAGE_FOREIGN);
	image[0]--;
	image[8]++;
	TEST_EQ(damage_of(image, bytes), FAIR_USAGE_FORMAT);
	image[8]--;
	image[bytes - 1]++;
	TEST_EQ(damage_of(image, bytes), FAIR_USAGE_CHECKSUM);
	/* What tells is read of that length, and no sooner. */
	TEST_EQ(damage_of(other, 15), FAIR_USAGE_CUT);
	TEST_EQ(damage_of(other, 16), FAIR_USAGE_FOREIGN);
	memcpy(other, image, 16);
	TEST_EQ(damage_of(other, 71), FAIR_USAGE_CUT);
	TEST_EQ(damage_of(other, 72), FAIR_USAGE_BROKEN);
}

/* Signed, but no ledger of ours; the words are those of the manual. */
static void image_broken(void)
{
	static const struct {
		size_t word;
		uint64_t value;
		int damage;
	} bad[] = {
		{ 2, 0, FAIR_USAGE_BROKEN },
		{ 2, UINT32_MAX, FAIR_USAGE_BROKEN },
		{ 2, 1, FAIR_USAGE_CUT },
		{ 2, UINT32_MAX - 1, FAIR_USAGE_CUT },
		{ 3, 1025, FAIR_USAGE_BROKEN },
		{ 3, 7, FAIR_USAGE_CUT },
		{ 4, 0, FAIR_USAGE_BROKEN },
		{ 4, UINT64_MAX, FAIR_USAGE_BROKEN },
		{ 4, (UINT64_C(1) << 32) + 1, FAIR_USAGE_BROKEN },
		{ 5, 1, FAIR_USAGE_BROKEN },
		{ 6, 0, FAIR_USAGE_BROKEN },
		{ 6, 17, FAIR_USAGE_BROKEN },
		{ 7, 0, FAIR_USAGE_BROKEN },
		{ 7, 2, FAIR_USAGE_CUT },
		{ 7, 5, FAIR_USAGE_BROKEN },
		{ 10, UINT64_MAX, FAIR_USAGE_BROKEN }, /* clock */
		{ 10, 39, FAIR_USAGE_BROKEN },
		{ 11, 5, FAIR_USAGE_BROKEN },  /* entity 0: period */
		{ 12, 14, FAIR_USAGE_BROKEN }, /* held */
		{ 12, UINT64_MAX, FAIR_USAGE_BROKEN },
		{ 13, 1, FAIR_USAGE_BROKEN }, /* whole */
		{ 13, UINT64_MAX, FAIR_USAGE_BROKEN },
		{ 14, 1000, FAIR_USAGE_BROKEN }, /* fraction */
	};
	static unsigned char image[1024];
	size_t bytes = example_image(image), i;

	TEST_EQ(damage_by(image, bytes, 8, 99), 0); /* another server's */
	TEST_EQ(damage_by(image, bytes, 14, 1), 0); /* within I7 */
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		TEST_EQ(damage_by(image, bytes, bad[i].word, bad[i].value),
			bad[i].damage);
}

/* Each invariant, broken by hand. */
static void check_half_life(void)
{
	struct fair_usage u, peer, good;
	uint64_t *row;
	uint32_t e;

	half_life(&u, 0, 3, 100);
	half_life(&peer, 1, 3, 100);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 250, 3), 0);
	TEST_EQ(fair_usage_charge(&peer, 1, 0, 170, 3), 0);
	TEST_EQ(fair_usage_hold(&u, 2, 3, 30), 0);
	TEST_EQ(fair_usage_merge(&u, &peer), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	good = u;
	u.length = 101;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.inverse++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.scale++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.shift++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.decay = 1;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.length = 0;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.length = FAIR_USAGE_HALF_LIFE * 2;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.source--;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.entities = 0;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.row++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.end.period++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.end.fraction++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.whole++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.end.whole++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.factor++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.fraction++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.from = -1;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.end.t = -1;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.sources = 0;
	TEST_EQ(fair_usage_check(&u), 2);
	u.sources = 5;
	for (e = 2; e < 5; e++)
		u.source[e].id = e;
	TEST_EQ(fair_usage_check(&u), 2);
	u = good;
	u.source[1].id = 0;
	TEST_EQ(fair_usage_check(&u), 2);
	u.source[1].id = 1;
	u.latest++;
	TEST_EQ(fair_usage_check(&u), 3);
	u = good;
	u.source[1].clock = -1;
	TEST_EQ(fair_usage_check(&u), 3);
	u.source[1].clock = 99;
	TEST_EQ(fair_usage_check(&u), 4);
	u.source[1].clock = 170;
	row = fair_usage_row(&u, 0, 0);
	row[0] = 3;
	TEST_EQ(fair_usage_check(&u), 4);
	row[0] = 0;
	row[1] = FAIR_USAGE_LIMIT + 1;
	TEST_EQ(fair_usage_check(&u), 5);
	row[1] = 1;
	TEST_EQ(fair_usage_check(&u), 6);
	row[1] = 0;
	fair_usage_row(&u, 0, 3)[1]++;
	TEST_EQ(fair_usage_check(&u), 6);
	fair_usage_row(&u, 0, 3)[1]--;
	row[2] = FAIR_USAGE_LIMIT + 1;
	TEST_EQ(fair_usage_check(&u), 5);
	row[2] = 1;
	TEST_EQ(fair_usage_check(&u), 7);
	row[2] = 0;
	fair_usage_row(&u, 1, 1)[2] += 2;
	TEST_EQ(fair_usage_check(&u), 7);
	fair_usage_row(&u, 1, 1)[2] -= 2;
	TEST_EQ(fair_usage_check(&u), 0);
	/* After so many changes no difference of fractions is too much. */
	u.source[1].changes = UINT64_MAX / 4;
	fair_usage_row(&u, 1, 3)[3] ^= 1;
	TEST_EQ(fair_usage_check(&u), 0);
	/* Rows of which each could be, but not all of them. */
	for (e = 0; e < 4; e++) {
		fair_usage_row(&u, 1, e)[0] = 1;
		fair_usage_row(&u, 1, e)[2] = FAIR_USAGE_LIMIT;
	}
	TEST_EQ(fair_usage_check(&u), 7);
}

/* What agrees with itself, but no init or charge makes. */
static void check_rule(void)
{
	static const int64_t length[] = { 0, -1, FAIR_USAGE_HALF_LIFE + 1 };
	struct fair_usage u, good, v;
	size_t i;

	half_life(&u, 0, 3, 100);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 250, 3), 0);
	good = u;
	for (i = 0; i < sizeof(length) / sizeof(length[0]); i++) {
		u.length = length[i];
		fair_usage_place(&u, u.row);
		TEST_EQ(fair_usage_check(&u), 1);
	}
	u = good;
	u.entities = 0;
	fair_usage_place(&u, u.row);
	TEST_EQ(fair_usage_check(&u), 1);
	u = v = good;
	u.row++;
	fair_usage_place(&v, u.row);
	u.source = v.source;
	TEST_EQ(fair_usage_check(&u), 1);
	/* A last charge from before time 0, or to before its begin */
	u = good;
	u.last.from = -1;
	u.last.whole = u.last.fraction = 0;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.last.from = 350;
	u.last.whole = u.last.end.whole;
	u.last.fraction = u.last.end.fraction;
	TEST_EQ(fair_usage_check(&u), 1);
}

static void check_windows(void)
{
	struct fair_usage u, good;
	uint64_t *row, was;
	int n;

	windows(&u, 0, 3, 4, 100, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 250, 3), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 150, 3), 0);
	TEST_EQ(fair_usage_hold(&u, 1, INT64_C(1) << 59, 1), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	row = fair_usage_row(&u, 0, 1);
	/* Of the windows from 2 down to 0, and of one before time 0 */
	for (n = 2; n < 6; n++) {
		was = row[n];
		row[n] = FAIR_USAGE_LIMIT / 4 + 1;
		TEST_EQ(fair_usage_check(&u), 5);
		row[n] = was + 1;
		TEST_EQ(fair_usage_check(&u), n < 5 ? 7 : 0);
		row[n] = was - 1;
		TEST_EQ(fair_usage_check(&u), n < 5 ? 7 : 5);
		row[n] = was;
	}
	/* Before time 0 nobody looks. */
	fair_usage_row(&u, 0, 3)[5] = 9;
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(whole_at(&u, FAIR_USAGE_ALL, 250),
		FAIR_USAGE_LIMIT + 150 + 450 / 2 + 600 / 4);
	good = u;
	u.inverse++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.scale++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.shift++;
	TEST_EQ(fair_usage_check(&u), 1);
	u = good;
	u.decay = FAIR_USAGE_ONE + 1;
	TEST_EQ(fair_usage_check(&u), 1);
}

/* I7 to the last unit, both ways: 2 changes + entities = 13. */
static void check_slack(void)
{
	static const struct {
		uint64_t total[2], row[2];
		int broken;
	} t[] = {
		{ { 0, 100 }, { 0, 113 }, 0 },
		{ { 0, 100 }, { 0, 114 }, 7 },
		{ { 0, 100 }, { 0, 87 }, 0 },
		{ { 0, 100 }, { 0, 86 }, 7 },
		{ { 5, 0 }, { 4, UINT64_MAX }, 0 },
		{ { 4, UINT64_MAX }, { 5, 0 }, 0 },
		{ { 5, 0 }, { 4, 0 }, 7 },
		{ { FAIR_USAGE_LIMIT, 0 }, { FAIR_USAGE_LIMIT, 0 }, 0 },
	};
	struct fair_usage u;
	uint64_t *total;
	size_t i;

	half_life(&u, 0, 3, 100);
	total = fair_usage_row(&u, 0, 3);
	u.source[0].changes = 5;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		memcpy(total + 2, t[i].total, sizeof(t[i].total));
		memcpy(fair_usage_row(&u, 0, 1) + 2, t[i].row,
		       sizeof(t[i].row));
		TEST_EQ(fair_usage_check(&u), t[i].broken);
	}
	/* Twice as many changes do not fit, and any fraction is allowed. */
	half_life(&u, 0, 3, 100);
	total[3] = UINT64_MAX;
	u.source[0].changes = UINT64_MAX / 4;
	TEST_EQ(fair_usage_check(&u), 0);
	u.source[0].changes--;
	TEST_EQ(fair_usage_check(&u), 7);
}

/* 32 rows at the limit: their sum is 0, modulo 2^64, as the total. */
static void check_wraps(void)
{
	struct fair_usage u;
	uint32_t e;
	int i;

	for (i = 0; i < 3; i++) {
		if (i == 2)
			windows(&u, 0, 32, 1, DAY, 0);
		else
			half_life(&u, 0, 32, DAY);
		for (e = 0; e < 32; e++)
			fair_usage_row(&u, 0, e)[i ? 2 : 1] = FAIR_USAGE_LIMIT;
		TEST_EQ(fair_usage_check(&u), i ? 7 : 6);
	}
}

/* Late charges, long idle times, sources that come and go: all at random. */
static void against_the_model(void)
{
	static const int64_t lengths[] = {
		1, 2, 7, 3600, WEEK, INT64_C(1) << 32
	};
	uint64_t random = 6, whole = 0, fraction = 0;
	int round, i;

	for (round = 0; round < 60; round++) {
		struct usage_model m = { 0, 0, 0, 0, { NULL }, { 0 } };
		struct usage_model_view view = { { 0 } };
		int64_t length = lengths[round % 6], now = 0;
		struct fair_usage u;

		if (round % 12 < 6) {
			m.half_life = length;
			half_life(&u, 0, 4, length);
		} else {
			m.interval = length;
			m.depth = (int)test_range(&random, 1, 6);
			m.decay = (uint64_t)test_range(&random, 0,
						       (int64_t)FAIR_USAGE_ONE);
			windows(&u, 0, 4, (uint32_t)m.depth, length, m.decay);
		}
		for (i = 0; i < 40; i++) {
			int64_t t0 = test_range(
				&random, 0, length < 100 ? 500 : 9 * length);
			int64_t t1 = t0 + (test_range(&random, 1, 5 * length) >>
					   test_range(&random, 0, 30));
			int64_t rate = test_range(&random, 1, 1 << 24) >>
				       test_range(&random, 0, 24);
			uint32_t e = (uint32_t)test_range(&random, 0, 3);

			TEST_EQ(fair_usage_charge(&u, e, t0, t1, rate), 0);
			if (t0 < t1 && rate) {
				usage_model_charge(&m, 0, e, t0, t1, rate);
				now = t1 > now ? t1 : now;
			}
			view.seen[0] = m.lines[0];
			t1 = now + (i % 3 ? 0 : test_range(&random, 0, length));
			if (i % 4 == 3)
				e = FAIR_USAGE_ALL;
			TEST_EQ(fair_usage_at(&u, e, t1, &whole, &fraction), 0);
			TEST_CHECK(usage_model_agrees(&m, &view, e, t1, 1,
						      whole, fraction));
		}
		TEST_EQ(fair_usage_check(&u), 0);
		usage_model_free(&m);
	}
}

/* Undecayed charges are conserved to the last unit. */
static void conserved(void)
{
	uint64_t random = 7, sum = 0;
	struct fair_usage u;
	int i;

	windows(&u, 0, 9, 1, INT64_MAX, 0);
	for (i = 0; i < 20000; i++) {
		uint32_t e = (uint32_t)test_range(&random, 0, 8);
		int64_t t0 = test_range(&random, 0, 1 << 30);
		int64_t run = test_range(&random, 0, 1 << 20);
		int64_t procs = test_range(&random, 0, 1 << 10);

		TEST_EQ(fair_usage_hold(&u, e, procs, 1 << 20), 0);
		if (i % 5 == 0) {
			TEST_EQ(fair_usage_release(&u, e, procs, 1 << 20), 0);
			continue;
		}
		TEST_EQ(fair_usage_settle(&u, e, procs, 1 << 20, t0, t0 + run),
			0);
		sum += (uint64_t)(run * procs);
	}
	TEST_EQ(whole_at(&u, FAIR_USAGE_ALL, INT64_C(1) << 40), sum);
	for (i = 0; i < 9; i++)
		sum -= whole_at(&u, (uint32_t)i, INT64_C(1) << 40);
	TEST_EQ(sum, 0);
	TEST_EQ(fair_usage_check(&u), 0);
}

int main(void)
{
	TEST_RUN(example);
	TEST_RUN(sizes);
	TEST_RUN(exact_sizes);
	TEST_RUN(init_errors);
	TEST_RUN(tables);
	TEST_RUN(power_of_two);
	TEST_RUN(halves);
	TEST_RUN(limits);
	TEST_RUN(periods);
	TEST_RUN(maui_figure_6);
	TEST_RUN(windows_split);
	TEST_RUN(windows_undecayed);
	TEST_RUN(plain_window);
	TEST_RUN(half_life_shape);
	TEST_RUN(underflow);
	TEST_RUN(additive);
	TEST_RUN(one_end);
	TEST_RUN(reading_is_const);
	TEST_RUN(holds);
	TEST_RUN(settled);
	TEST_RUN(charge_errors);
	TEST_RUN(overflow);
	TEST_RUN(row_overflows);
	TEST_RUN(full_window);
	TEST_RUN(reading_errors);
	TEST_RUN(shares);
	TEST_RUN(targets);
	TEST_RUN(merges);
	TEST_RUN(clocks_differ);
	TEST_RUN(merge_errors);
	TEST_RUN(cloned_sources);
	TEST_RUN(image_bytes);
	TEST_RUN(image_largest);
	TEST_RUN(image_damaged);
	TEST_RUN(image_broken);
	TEST_RUN(check_half_life);
	TEST_RUN(check_rule);
	TEST_RUN(check_windows);
	TEST_RUN(check_slack);
	TEST_RUN(check_wraps);
	TEST_RUN(against_the_model);
	TEST_RUN(conserved);
	return test_report();
}
