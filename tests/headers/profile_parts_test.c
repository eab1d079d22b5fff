/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_parts_test.c - private functions of profile.h against plain loops
 */
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#include "profile.h"
#include "tests/test.h"

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

TEST(size_suffices_for_its_steps)
{
	static const size_t asked[] = { 1,     2,      63,     64,
					65,    100,    1000,   1038,
					2047,  2048,   4000,   5000,
					10000, 100000, 129024, 200000 };
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
		TEST_OK(fair_profile_init(&p, sizeof(p), memory + i, bytes, 9,
					  0));
		TEST_CHECK(p.cap >= asked[i]);
		TEST_CHECK(fair_profile_size(p.cap) <= bytes);
		TEST_CHECK(fair_profile_size(p.cap + 1) > bytes);
		layout(&p, memory + i);
		TEST_EQ(fair_profile_reserve(&p, 5, 5, 9), 0);
		TEST_EQ(fair_profile_check(&p), 0);
		free(memory);
	}
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
		leaf->off[k] =
			k ? leaf->off[k - 1] +
					(int32_t)test_range(random, 1, 1 << 24)
			  : 0;
	}
}

/* Sums, masks and searches, by instructions of any kind, as by plain loops. */
TEST(masks_equal_plain_loops)
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
TEST(nothing_is_read_behind_arrays)
{
	static char memory[65536];
	struct fair_profile *p = (struct fair_profile *)malloc(sizeof(*p));
	int32_t *a;
	size_t n, k;

	TEST_REQUIRE(p);
	TEST_OK(fair_profile_init(p, sizeof(*p), memory, sizeof(memory), 1000,
				  0));
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
TEST(init_sets_every_field)
{
	static char memory[65536];
	void (*volatile fill)(void) = fill_the_stack;
	struct fair_profile p;
	unsigned char any;

	fill();
	TEST_OK(fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8, 0));
	memcpy(&any, &p.any_stale, 1);
	TEST_CHECK(any <= 1);
}

/* The last of @n ascending numbers that is <= @t. */
static size_t naive_last(const int64_t *a, size_t n, int64_t t)
{
	while (n > 1 && a[n - 1] > t)
		n--;
	return n - 1;
}

TEST(position_is_the_last_that_began)
{
	static int64_t first[256];
	struct fair_profile p;
	size_t n, k, i;

	memset(&p, 0, sizeof(p));
	p.first = first;
	for (n = 1; n < 200; n++) {
		for (i = 0; i < 256; i++)
			first[i] = i < n			? 2 * (int64_t)i
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
TEST(lanes_ascend_in_equal_ratios)
{
	static const int32_t machines[] = {
		1, 2, 7, 24, 25, 100, 1024, 86400, 1 << 24, INT32_MAX
	};
	static char memory[65536];
	struct fair_profile p;
	size_t i, k, l, n;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		TEST_OK(fair_profile_init(&p, sizeof(p), memory, sizeof(memory),
					  machines[i], 0));
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
TEST(runs_are_the_longest_of_their_lane)
{
	enum { LANES = FAIR_PROFILE_LANES };
	/* And one behind, not to be touched. */
	int32_t lane[LANES + 1], best[LANES + 1], open[LANES + 1];
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
		best[LANES] = open[LANES] = -1;
		fair_profile_runs(lane, &leaf, n - 1, best, open);
		TEST_CHECK(best[LANES] == -1 && open[LANES] == -1);
		for (l = 0; l < LANES; l++) {
			longest = from = 0;
			for (k = 1; k < n; k++) {
				if (leaf.free[k - 1] < lane[l])
					from = leaf.off[k];
				if (leaf.off[k] - from > longest)
					longest = leaf.off[k] - from;
			}
			TEST_EQ(best[l], longest);
			TEST_EQ(open[l], leaf.off[n - 1] - from);
		}
	}
}
