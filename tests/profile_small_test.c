/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_small_test.c - the profile with leaves and chunks so small that few
 * steps fill all of them, with and without AVX2
 */
static int has_avx2(void);
#define __builtin_cpu_supports(feature) has_avx2()
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#define FAIR_PROFILE_LEAF_MAX 4
#define FAIR_PROFILE_CHUNK_MAX 2
#define FAIR_PROFILE_FLAT 2
#include "fuzz/profile_pair.h"
#undef __builtin_cpu_supports
#include "test.h"

static bool no_avx2;

static int has_avx2(void)
{
#if defined(FAIR_PROFILE_SSE2)
	return !no_avx2 && __builtin_cpu_supports("avx2");
#else
	return 0;
#endif
}

/* Whatever the machine has, the answers are the model's, and the same. */
static void against_the_model(void)
{
	static uint8_t data[1500];
	uint64_t seed = 1, digest;
	int run;
	size_t i;

	for (run = 0; run < TEST_ROUNDS(160); run++) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		no_avx2 = true;
		TEST_CHECK(!has_avx2());
		digest = profile_pair_run(data, sizeof(data));
		no_avx2 = false;
		TEST_CHECK(profile_pair_run(data, sizeof(data)) == digest);
	}
}

/* Of the step at @s alone, which is not the first. */
static void drop_step(struct run *r, const struct fair_profile_spot *s)
{
	int64_t t = fair_profile_step_start(&r->p, s);

	TEST_EQ(release(r, 0, t, 1), 0);
}

/* Is the leaf at @s too full to be merged if it had one step less? */
static bool can_lose(const struct run *r, const struct fair_profile_spot *s)
{
	const struct fair_profile *p = &r->p;
	struct fair_profile_spot a = *s, b = *s;
	int least = FAIR_PROFILE_LEAF_MERGE + 2 - p->count[s->at];

	return p->count[s->at] > 1 &&
	       (!fair_profile_prev(p, &a) || p->count[a.at] >= least) &&
	       (!fair_profile_next(p, &b) || p->count[b.at] >= least);
}

/* Leaves lose what they can without being merged. */
static void thin_out(struct run *r)
{
	struct fair_profile_spot s = { 0, r->p.order[0] * (size_t)64, 0 };

	do
		while (can_lose(r, &s)) {
			s.k = r->p.count[s.at] - 1u;
			drop_step(r, &s);
		}
	while (fair_profile_next(&r->p, &s));
}

/*
 * As many leaves as there can be: stairs, so that each job [0, t) adds one step.
 * All chunks are in use and full; leaves move along, and the memory suffices.
 */
static void crowded(void)
{
	uint64_t seed = 2;
	struct run r;
	size_t cap, leaves;
	int64_t t;
	int i;

	for (cap = 8; cap < 300; cap += cap / 2) {
		memset(&r, 0, sizeof(r));
		r.bytes = fair_profile_size(cap);
		r.memory = malloc(r.bytes);
		TEST_REQUIRE(r.memory);
		TEST_EQ(fair_profile_init(&r.p, sizeof(r.p), r.memory, r.bytes,
					  INT32_MAX, 0),
			0);
		profile_model_init(&r.m, r.p.cap, r.p.horizon, INT32_MAX, 0);
		leaves = 0;
		for (i = 0; i < 60; i++) {
			t = test_range(&seed, 1, 8 * (int64_t)cap);
			while (fair_profile_steps(&r.p) < r.p.cap) {
				r.jobs = 0;
				reserve(&r, 0, t++, 1);
			}
			compare(&r);
			thin_out(&r);
			compare(&r);
			leaves = r.p.leaves > leaves ? r.p.leaves : leaves;
		}
		TEST_EQ(r.p.chunks, r.p.chunks_max);
		TEST_CHECK(leaves + 6 >= r.p.leaves_max);
		profile_model_free(&r.m);
		free(r.memory);
	}
}

static int64_t first(const struct fair_profile *p, int64_t not_before,
		     int64_t walltime, int32_t procs)
{
	int64_t start = -1;

	TEST_EQ(fair_profile_earliest_start(p, not_before, walltime, procs,
					    &start),
		0);
	return start;
}

/* Windows that are longer than a leaf can span, and times behind all leaves. */
static void longer_than_a_leaf(void)
{
	const int64_t far = INT64_C(1) << 31, gap = 2 * far;
	struct fair_profile p;
	size_t bytes = fair_profile_size(3 * 2048);
	void *memory = malloc(bytes);
	int64_t t;

	TEST_REQUIRE(memory);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes, 10, 0), 0);
	for (t = 0; t < 100; t++)
		TEST_EQ(fair_profile_reserve(&p, 10 * t, 5, 4), 0);
	TEST_EQ(fair_profile_reserve(&p, gap, 10, 6), 0);
	for (t = 0; t < 2; t++) {	/* and when it is settled */
		TEST_EQ(first(&p, 0, far, 7), 995);
		TEST_EQ(first(&p, 1, far, 6), 1);
		TEST_EQ(first(&p, 0, gap - 995, 7), 995);
		TEST_EQ(first(&p, 0, gap - 994, 7), gap + 10);
		TEST_EQ(first(&p, 996, gap - 995, 7), gap + 10);
		TEST_EQ(first(&p, far, 100, 7), far);
		TEST_EQ(first(&p, far + 1000, far, 7), gap + 10);
		TEST_EQ(first(&p, gap + far - 1, 1, 10), gap + far - 1);
		fair_profile_settle(&p);
		TEST_EQ(fair_profile_check(&p), 0);
	}
	free(memory);
}

int main(void)
{
	TEST_RUN(longer_than_a_leaf);
	TEST_RUN(crowded);
	TEST_RUN(against_the_model);
	return test_report();
}
