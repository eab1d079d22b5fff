/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_small_test.c - the profile with leaves and chunks so small that few
 * steps fill all of them
 */
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#define FAIR_PROFILE_LEAF_MAX 4
#define FAIR_PROFILE_CHUNK_MAX 2
#define FAIR_PROFILE_FLAT 2
#include "fuzz/profile_pair.h"
#include "tests/test.h"

/* Random operations have the model's answers, twice the same. */
TEST(random_operations_agree)
{
	static uint8_t data[TEST_ROUNDS(3000)];
	uint64_t seed = 1, digest;
	int run;
	size_t i;

	for (run = 0; run < TEST_ROUNDS(80); run++) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		digest = profile_pair_run(data, sizeof(data));
		TEST_CHECK(profile_pair_run(data, sizeof(data)) == digest);
	}
}

static void open_run(struct run *r, size_t cap, int32_t procs, int64_t origin)
{
	memset(r, 0, sizeof(*r));
	r->bytes = fair_profile_size(cap);
	r->memory = malloc(r->bytes);
	if (!r->memory)
		abort();
	memset(r->memory, 0xa5, r->bytes);
	TEST_OK(fair_profile_init(&r->p, sizeof(r->p), r->memory, r->bytes,
				  procs, origin));
	profile_model_init(&r->m, r->p.cap, r->p.horizon - origin, procs,
			   origin);
}

static int change(struct run *r, int64_t start, int64_t end, int32_t delta)
{
	int err = fair_profile_change_capacity(&r->p, start, end, delta);

	TEST_EQ(err, profile_model_change_capacity(&r->m, start, end, delta));
	return err;
}

static void close_run(struct run *r)
{
	profile_model_free(&r->m);
	free(r->memory);
}

/* What is unused is marked so. */
static void unused(const struct fair_profile *p)
{
	size_t pos, c, l;

	for (pos = 0; pos < p->chunks; pos++) {
		c = p->order[pos];
		for (l = p->used[c]; l < 64; l++)
			TEST_CHECK(p->base[c * 64 + l] == INT64_MAX);
	}
	for (; pos < p->chunks_max; pos++) {
		TEST_CHECK(p->first[pos] == INT64_MAX);
		for (l = 0; l <= FAIR_PROFILE_FLAGS; l++)
			TEST_EQ(fair_profile_top(p, l)[pos], 0);
	}
	for (; pos < fair_profile_firsts(p->chunks_max); pos++)
		TEST_CHECK(p->first[pos] == INT64_MAX);
}

/* The manual on entries, naively: of the leaf at @s, for the threshold @q. */
static int64_t naive_entry(const struct fair_profile *p,
			   struct fair_profile_spot s, int32_t q)
{
	int64_t t, begin = -1, best = 0;
	size_t at, beyond = 0;

	for (;;) {
		t = fair_profile_step_start(p, &s);
		if (begin >= p->origin && fair_profile_at(p, &s) < q) {
			best = t - begin > best ? t - begin : best;
			begin = -1;
		} else if (begin < p->origin && !beyond &&
			   fair_profile_at(p, &s) >= q) {
			begin = t;
		}
		if (begin < p->origin && beyond)
			return best < INT32_MAX ? best : INT32_MAX;
		at = s.at;
		if (!fair_profile_after(p, &s) ||
		    (s.at != at && ++beyond > FAIR_PROFILE_REACH))
			return begin < p->origin ? best : INT32_MAX;
	}
}

/* Entries and maxima, all settled anew, are what they ought to be. */
static void index_is_exact(const struct fair_profile *p)
{
	struct fair_profile_spot s = { 0, p->order[0] * (size_t)64, 0 };
	int32_t top[FAIR_PROFILE_LANES] = { 0 }, most = -1, entry;
	size_t l;

	do {
		for (l = 0; l < FAIR_PROFILE_LANES; l++) {
			entry = *fair_profile_entry(p, s.at, l);
			TEST_EQ(entry, naive_entry(p, s, p->lane[l]));
			top[l] = entry > top[l] ? entry : top[l];
			if (s.at % 64 + 1u == p->used[s.at / 64]) {
				TEST_EQ(fair_profile_top(p, l)[s.pos], top[l]);
				top[l] = 0;
			}
		}
		fair_profile_max_free(p, p->base[s.at],
				      fair_profile_leaf_end(p, &s), &most);
		TEST_EQ(*fair_profile_entry(p, s.at, FAIR_PROFILE_MOST), most);
		TEST_EQ(*fair_profile_entry(p, s.at,
					    FAIR_PROFILE_UNDERESTIMATE),
			0);
		TEST_EQ(fair_profile_top(p, FAIR_PROFILE_FLAGS)[s.pos], 0);
	} while (fair_profile_next(p, &s));
}

/* Settling after a change that adds steps, but moves no leaf, forgets no entry. */
static void settle_once(struct run *r)
{
	size_t bytes = 64 * r->p.chunks_max * sizeof(r->p.base[0]);
	void *base = malloc(bytes);
	size_t steps = r->p.steps;
	int64_t start = draw_time(r), walltime = draw_walltime(r);
	int32_t procs = draw_procs(r);

	TEST_REQUIRE(base);
	memcpy(base, r->p.base, bytes);
	fair_profile_index_begin(&r->p);
	TEST_EQ(fair_profile_settle(&r->p), 0);
	index_is_exact(&r->p);
	if (reserve(r, start, walltime, procs))
		release(r, start, walltime, procs);
	compare(r);
	TEST_EQ(fair_profile_settle(&r->p), 0);
	compare(r);
	if (!memcmp(base, r->p.base, bytes) && r->p.steps == steps + 2)
		index_is_exact(&r->p);
	free(base);
}

/* Puts @value of @bytes at @place: does the check see it? And mends it. */
static void broken(const struct fair_profile *p, int number, void *place,
		   int64_t value, size_t bytes)
{
	int32_t half = (int32_t)value;
	uint16_t quarter = (uint16_t)value;
	char was[8];

	memcpy(was, place, bytes);
	memcpy(place,
	       bytes == 8   ? (const void *)&value
	       : bytes == 4 ? (const void *)&half
			    : (const void *)&quarter,
	       bytes);
	TEST_EQ(fair_profile_check(p), number);
	memcpy(place, was, bytes);
	TEST_EQ(fair_profile_check(p), 0);
}

/* One step in the first leaf and in the second: they ought to be one. */
static void break_neighbours(struct run *r)
{
	char *was = (char *)malloc(r->bytes);
	struct fair_profile_spot s = { 0, r->p.order[0] * (size_t)64, 0 };
	int32_t procs;
	size_t k;

	TEST_REQUIRE(was);
	memcpy(was, r->memory, r->bytes);
	for (procs = 0; procs < 2; procs++) {
		struct fair_profile_leaf *leaf = fair_profile_leaf_at(&r->p, &s);

		for (k = 1; k < 64; k++)
			leaf->off[k] = leaf->free[k] = INT32_MAX;
		leaf->free[0] = r->p.least[s.at] = procs;
		r->p.count[s.at] = 1;
		fair_profile_next(&r->p, &s);
	}
	TEST_EQ(fair_profile_check(&r->p), 7);
	memcpy(r->memory, was, r->bytes);
	TEST_EQ(fair_profile_check(&r->p), 0);
	free(was);
}

/* The column of the leaf at @s: nothing in it may be less, or marked. */
static void break_entries(struct fair_profile *p,
			  const struct fair_profile_spot *s)
{
	int32_t *marks =
		fair_profile_entry(p, s->at, FAIR_PROFILE_UNDERESTIMATE);
	int32_t *flags = fair_profile_top(p, FAIR_PROFILE_FLAGS) + s->pos, *e;
	size_t l;

	for (l = 0; l <= FAIR_PROFILE_MOST; l++) {
		e = fair_profile_entry(p, s->at, l);
		/* A run through eight leaves may have an end behind them. */
		if (*e && (*e < INT32_MAX || l == 0))
			broken(p, 8, e, *e - 1, 4);
		if (l == FAIR_PROFILE_MOST)
			break;
		e = fair_profile_top(p, l) + s->pos;
		if (*e)
			broken(p, 8, e, *e - 1, 4);
		*flags = FAIR_PROFILE_TOP_UNDERESTIMATE;
		broken(p, 8, marks, 1 << l, 4);
		*flags = 0;
		p->stale[s->at / 64] |= UINT64_C(1) << s->at % 64;
		broken(p, 8, marks, 1 << l, 4);
		p->stale[s->at / 64] = 0;
	}
}

TEST(check_finds_each_broken_invariant)
{
	struct fair_profile *p;
	struct fair_profile_leaf *leaf;
	struct fair_profile_spot s;
	struct run r;
	size_t a, b, c, n;
	int32_t i;

	/* All of time lies before 0. */
	open_run(&r, 60, 100, -9000);
	p = &r.p;
	for (i = 0; i < 40; i++)
		TEST_OK(reserve(&r, -9000 + 170 * i % 400, 10,
				10 + 37 * i % 83));
	fair_profile_settle(p);
	compare(&r);
	c = p->order[0];
	s.pos = 0;
	a = s.at = c * 64;
	leaf = p->leaf + p->id[a];
	n = p->count[a];
	TEST_REQUIRE(fair_profile_next(p, &s));
	b = s.at;
	TEST_REQUIRE(n >= 3 && p->chunks_fresh < p->chunks_max);
	broken(p, 1, &p->steps, 0, sizeof(p->steps));
	broken(p, 1, &p->steps, (int64_t)p->steps + 1, sizeof(p->steps));
	broken(p, 1, &p->cap, (int64_t)p->steps - 1, sizeof(p->cap));
	broken(p, 1, &p->leaves, p->leaves - 1, 4);
	broken(p, 1, &p->leaves_max, p->leaves - 1, 4);
	broken(p, 0, &p->leaves_max, p->leaves, 4);
	broken(p, 1, &p->chunks, 0, 4);
	broken(p, 1, &p->chunks, p->chunks_fresh + 1, 4);
	broken(p, 1, &p->chunks_fresh, p->chunks_max + 1, 4);
	p->used[p->chunks_fresh] = 1;
	broken(p, 1, &p->order[0], p->chunks_fresh, 4);
	broken(p, 1, &p->used[c], 0, 2);
	broken(p, 1, &p->used[c], p->width + 1, 2);
	broken(p, 2, &p->first[0], -9001, 8);
	broken(p, 2, &p->first[1], p->first[1] + 1, 8);
	broken(p, 2, &p->origin, -9001, 8);
	broken(p, 2, &p->count[a], 0, 2);
	broken(p, 2, &p->count[a], FAIR_PROFILE_LEAF_MAX + 1, 2);
	broken(p, 2, &p->count[a], (int64_t)n - 1, 2);
	broken(p, 2, &leaf->off[0], 1, 4);
	broken(p, 2, &leaf->off[n], 0, 4);
	broken(p, 2, &leaf->free[n], 0, 4);
	broken(p, 2, &leaf->off[63], 0, 4);
	broken(p, 2, &leaf->free[63], 0, 4);
	broken(p, 3, &leaf->off[2], leaf->off[1], 4);
	broken(p, 3, &p->base[b], -9000, 8);
	broken(p, 3, &p->horizon, -8601, 8);
	broken(p, 0, &p->horizon, -8600, 8);
	broken(p, 4, &leaf->free[1], -1, 4);
	broken(p, 4, &leaf->free[1], 101, 4);
	broken(p, 4, &p->limit, 99, 4);
	broken(p, 5, &leaf->free[1], leaf->free[2], 4);
	broken(p, 6, &p->least[b], p->least[b] - 1, 4);
	s = fair_profile_last_leaf(p);
	do
		break_entries(p, &s);
	while (fair_profile_prev(p, &s));
	break_neighbours(&r);
	close_run(&r);
}

TEST(a_settled_index_is_exact)
{
	static const int32_t machines[] = { 3, 40, 1000, INT32_MAX };
	static uint8_t data[1000];
	uint64_t seed = 4;
	struct run r;
	size_t i, run;

	for (run = 0; run < 4 * TEST_ROUNDS(8); run++) {
		open_run(&r, 50 * (1 + run % 4), machines[run % 4], 0);
		r.widest = machines[run % 4] / (2 + (int32_t)run % 3) + 1;
		r.span = 500 << run % 8;
		/* More than there are thresholds for. */
		if (run % 8 == 0)
			TEST_EQ(change(&r, 0, FAIR_FOREVER, INT32_MAX - 3), 0);
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		r.in.p = data;
		r.in.n = sizeof(data);
		while (fuzz_more(&r.in)) {
			play_operation(&r);
			unused(&r.p);
			compare(&r);
			if (r.in.n % 3 == 0 && !fair_profile_is_flat(&r.p))
				settle_once(&r);
		}
		close_run(&r);
	}
}

/* More are free than there are thresholds for; two such steps become one. */
TEST(as_many_processors_as_can_be)
{
	struct run r;
	int64_t t, start;

	open_run(&r, 60, 3, 0);
	TEST_EQ(change(&r, 0, FAIR_FOREVER, INT32_MAX - 3), 0);
	for (t = 0; t < 80; t += 4)
		TEST_EQ(reserve(&r, t, 2, 1), 0);
	for (t = 4; t < 80; t += 4) {
		fair_profile_settle(&r.p);
		TEST_EQ(release(&r, t, 2, 1), 0);
		TEST_EQ(fair_profile_check(&r.p), 0);
		earliest(&r, 0, 6, INT32_MAX, &start);
		TEST_EQ(start, t - 2);
		TEST_EQ(reserve(&r, t, 2, 1), 0);
	}
	close_run(&r);
}

/* As many steps as there may be: what adds none is done, and no more. */
TEST(a_full_profile_takes_what_adds_no_step)
{
	static uint8_t data[TEST_ROUNDS(8000)];
	struct fair_profile copy;
	uint64_t seed = 5;
	struct run r;
	size_t i, cap;
	void *memory;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)test_random(&seed);
	for (cap = 4; cap < 40; cap += cap / 3) {
		open_run(&r, cap, 5, 0);
		memory = malloc(r.bytes);
		TEST_REQUIRE(memory);
		r.widest = 5;
		r.span = 60;
		r.in.p = data;
		r.in.n = sizeof(data);
		while (fuzz_more(&r.in)) {
			reserve(&r, draw_time(&r), draw_walltime(&r),
				draw_procs(&r));
			release(&r, draw_time(&r), draw_walltime(&r),
				draw_procs(&r));
			earlier(&r, true);
			compare(&r);
			if (fair_profile_steps(&r.p) == r.p.cap) {
				TEST_OK(fair_profile_clone(&copy, memory,
							   r.bytes, &r.p));
				TEST_EQ(fair_profile_check(&copy), 0);
			}
		}
		close_run(&r);
		free(memory);
	}
}

/* Of the step at @s alone, which is not the first. */
static void drop_step(struct run *r, const struct fair_profile_spot *s,
		      int32_t procs)
{
	int64_t t = fair_profile_step_start(&r->p, s);

	TEST_EQ(release(r, 0, t, procs), 0);
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
static void thin_out(struct run *r, int32_t procs)
{
	struct fair_profile_spot s = { 0, r->p.order[0] * (size_t)64, 0 };

	do
		while (can_lose(r, &s)) {
			s.k = r->p.count[s.at] - 1u;
			drop_step(r, &s, procs);
		}
	while (fair_profile_next(&r->p, &s));
}

/*
 * As many leaves as there can be: stairs, so that each job [0, t) adds one step.
 * All chunks are in use and full; leaves move along, and the memory suffices.
 */
TEST(all_leaves_and_chunks_come_into_use)
{
	/* Of 177 steps the leaves have 64 chunks, and first[] has no more. */
	static const size_t caps[] = { 8, 40, 177, 202 };
	uint64_t seed = 1;
	struct run r;
	size_t cap, leaves, k;
	struct fair_step step;
	int32_t procs;
	int64_t t;
	int i;

	for (k = 0; k < sizeof(caps) / sizeof(caps[0]); k++) {
		cap = caps[k];
		open_run(&r, cap, INT32_MAX, 0);
		procs = INT32_MAX / (int32_t)r.p.cap;
		leaves = 0;
		for (i = 0; i < 60; i++) {
			t = test_range(&seed, 1, 8 * (int64_t)cap);
			while (fair_profile_steps(&r.p) < r.p.cap) {
				r.jobs = 0;
				fair_profile_step_at(&r.p, ++t, &step);
				if (step.start < t)
					reserve(&r, 0, t, procs);
				if (i % 16 == 0)
					TEST_EQ(fair_profile_check(&r.p), 0);
			}
			compare(&r);
			thin_out(&r, procs);
			compare(&r);
			unused(&r.p);
			leaves = r.p.leaves > leaves ? r.p.leaves : leaves;
		}
		TEST_EQ(r.p.chunks, r.p.chunks_max);
		TEST_CHECK(cap != 177 || r.p.chunks == 64);
		/* Nowhere: all chunks are looked at; then they go. */
		TEST_EQ(change(&r, 0, FAIR_FOREVER, -1), 0);
		earliest(&r, 0, 1, INT32_MAX, &t);
		TEST_EQ(t, -1);
		fair_profile_settle(&r.p);
		earliest(&r, 0, 1, INT32_MAX, &t);
		do {
			fair_profile_step_at(&r.p, r.p.origin, &step);
			if (step.end == FAIR_FOREVER)
				break;
			TEST_EQ(fair_profile_advance(&r.p, step.end), 0);
			TEST_EQ(fair_profile_check(&r.p), 0);
		} while (fair_profile_steps(&r.p) > 1);
		unused(&r.p);
		TEST_CHECK(leaves + 6 >= r.p.leaves_max);
		close_run(&r);
	}
}

static int64_t first(const struct fair_profile *p, int64_t not_before,
		     int64_t walltime, int32_t procs)
{
	int64_t start = -1;

	TEST_OK(fair_profile_earliest_start(p, not_before, walltime, procs,
					    &start));
	return start;
}

/* Windows that are longer than a leaf can span, and times behind all leaves. */
TEST(windows_exceed_the_span_of_a_leaf)
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
	/* Near and far leaves come, next to each other. */
	for (t = 0; t < 60; t++) {
		TEST_EQ(fair_profile_reserve(&p, gap + 1000 - 10 * t, 5, 1), 0);
		TEST_EQ(fair_profile_reserve(&p, 1000 + 10 * t, 5, 1), 0);
		TEST_EQ(fair_profile_check(&p), 0);
	}
	free(memory);
}

/* What a clone has to reach is its last step, not the leaf that holds it. */
TEST(a_clone_must_reach_the_last_step)
{
	size_t bytes = fair_profile_size(3 * 2048), less;
	char *memory = (char *)malloc(2 * bytes);
	struct fair_profile p, copy;
	int64_t last, over;
	int jobs, i;

	TEST_REQUIRE(memory);
	for (jobs = 1; jobs < 12; jobs++)
		for (over = 0; over < 2; over++) {
			less = fair_profile_size(40);
			TEST_OK(fair_profile_init(&p, sizeof(p), memory, bytes,
						  10, 0));
			for (i = 0; i < jobs; i++)
				TEST_OK(fair_profile_reserve(&p, 10 * i + 1, 5,
							     1));
			last = FAIR_PROFILE_SPAN + over;
			TEST_EQ(fair_profile_reserve(&p, last - 1, 1, 1), 0);
			TEST_EQ(fair_profile_clone(&copy, memory + bytes, less,
						   &p),
				over ? -FAIR_ENOMEM : 0);
		}
	free(memory);
}

/* Only what has passed is free for long: the search ends at the last chunk. */
TEST(the_search_ends_at_the_last_chunk)
{
	size_t cap;
	struct run r;
	int64_t t, start;

	for (cap = 8; cap < 60; cap += 3) {
		open_run(&r, cap, INT32_MAX, 0);
		for (t = 0; fair_profile_steps(&r.p) + 3 <= r.p.cap; t++)
			TEST_EQ(reserve(&r, 100 + 2 * t, 1, INT32_MAX - 1), 0);
		TEST_OK(change(&r, 100 + 2 * t, FAIR_FOREVER, 1 - INT32_MAX));
		for (; t >= 0; t--) {
			earliest(&r, 101 + 2 * t, 50, 2, &start);
			TEST_EQ(start, -1);
			if (t % 4 == 0)
				fair_profile_settle(&r.p);
		}
		close_run(&r);
	}
}

/* A window as long as an entry says, and one second less and more. */
TEST(windows_as_long_as_an_entry_are_found)
{
	const int64_t longest = INT32_MAX, far = INT64_C(1) << 33;
	size_t bytes = fair_profile_size(5 * 2048);
	int64_t length, t, start;
	struct fair_profile p;
	void *memory = malloc(bytes);

	TEST_REQUIRE(memory);
	for (length = longest - 2; length <= longest + 1; length++) {
		TEST_OK(fair_profile_init(&p, sizeof(p), memory, bytes, 10, 0));
		for (t = 0; t < 20; t++)
			TEST_OK(fair_profile_reserve(&p, far + 10 * t, 5, 1));
		TEST_EQ(fair_profile_reserve(&p, length, far - length, 9), 0);
		for (t = 0; t < 2; t++) {	/* and when it is settled */
			TEST_EQ(fair_profile_check(&p), 0);
			for (start = length - 2; start <= length; start++)
				TEST_EQ(first(&p, 0, start, 10), 0);
			for (; start <= length + 2; start++)
				TEST_EQ(first(&p, 0, start, 10), far + 195);
			fair_profile_settle(&p);
		}
	}
	free(memory);
}

/* A step within a full leaf begins a run that ends at a fall nine leaves on: as
 * the fall goes, the run is longer than its leaf knows. */
TEST(a_run_from_a_new_step)
{
	struct run r;
	int64_t t;

	open_run(&r, 400, 10, 0);
	for (t = 10; t < 166; t += 4)
		TEST_OK(fair_profile_reserve(&r.p, t, 2, 1));
	TEST_OK(fair_profile_reserve(&r.p, 139, 6, 7));
	fair_profile_settle(&r.p);
	TEST_OK(fair_profile_reserve(&r.p, 66, 9, 8));
	TEST_OK(fair_profile_release(&r.p, 139, 6, 7));
	TEST_EQ(fair_profile_check(&r.p), 0);
	TEST_OK(fair_profile_earliest_start(&r.p, 66, 70, 3, &t));
	TEST_EQ(t, 75);
	close_run(&r);
}
