/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_small_test.c - the profile with leaves and chunks so small that few
 * steps fill all of them, with and without AVX2
 */
int has_avx2(void);
/* With its declaration, for who has the macros alone: tools/mutants.py. */
#define HAS_AVX2 __extension__({ int has_avx2(void); has_avx2(); })
#define __builtin_cpu_supports(feature) HAS_AVX2
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#define FAIR_PROFILE_LEAF_MAX 4
#define FAIR_PROFILE_CHUNK_MAX 2
#define FAIR_PROFILE_FLAT 2
#include "fuzz/profile_pair.h"
#undef __builtin_cpu_supports
#include "test.h"

static bool no_avx2;
static unsigned asked;

int has_avx2(void)
{
	asked++;
#if defined(FAIR_PROFILE_SSE2)
	return !no_avx2 && __builtin_cpu_supports("avx2");
#else
	return 0;
#endif
}

/* Whatever the machine has, the answers are the model's, and the same. */
static void against_the_model(void)
{
	static uint8_t data[TEST_ROUNDS(3000)];
	uint64_t seed = 1, digest;
	int run;
	size_t i;

	for (run = 0; run < TEST_ROUNDS(80); run++) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		no_avx2 = true;
		TEST_CHECK(!has_avx2());
		digest = profile_pair_run(data, sizeof(data));
		no_avx2 = false;
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
	TEST_EQ(fair_profile_init(&r->p, sizeof(r->p), r->memory, r->bytes,
				  procs, origin),
		0);
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
		for (l = 0; l <= FAIR_PROFILE_NEWS; l++)
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

/* A settled index of which all is new: entries and maxima are what they are to be. */
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
		TEST_EQ(*fair_profile_entry(p, s.at, FAIR_PROFILE_DIRTY), 0);
		TEST_EQ(fair_profile_top(p, FAIR_PROFILE_NEWS)[s.pos], 0);
	} while (fair_profile_next(p, &s));
}

/* Settling after a change that adds steps, but moves no leaf, forgets no entry. */
static void settle_once(struct run *r)
{
	size_t bytes = 64 * r->p.chunks_max * sizeof(r->p.base[0]);
	void *base = malloc(bytes);
	size_t steps = r->p.steps;
	int64_t start = some_time(r), walltime = some_walltime(r);
	int32_t procs = some_procs(r);

	TEST_REQUIRE(base);
	memcpy(base, r->p.base, bytes);
	fair_profile_index(&r->p);
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

/* The column of the leaf at @s: nothing in it may be less, or dirty. */
static void break_entries(struct fair_profile *p,
			  const struct fair_profile_spot *s)
{
	int32_t *dirty = fair_profile_entry(p, s->at, FAIR_PROFILE_DIRTY);
	int32_t *news = fair_profile_top(p, FAIR_PROFILE_NEWS) + s->pos, *e;
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
		*news = FAIR_PROFILE_RISEN;
		broken(p, 8, dirty, 1 << l, 4);
		*news = 0;
		p->stale[s->at / 64] |= UINT64_C(1) << s->at % 64;
		broken(p, 8, dirty, 1 << l, 4);
		p->stale[s->at / 64] = 0;
	}
}

static void invariants(void)
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
		TEST_EQ(reserve(&r, -9000 + 170 * i % 400, 10, 10 + 37 * i % 83),
			0);
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

static void settled(void)
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
		no_avx2 = run % 2;
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		r.in.p = data;
		r.in.n = sizeof(data);
		while (fuzz_more(&r.in)) {
			operate(&r);
			unused(&r.p);
			compare(&r);
			if (r.in.n % 3 == 0 && !fair_profile_flat(&r.p))
				settle_once(&r);
		}
		close_run(&r);
	}
#if defined(FAIR_PROFILE_SSE2)
	TEST_CHECK(asked);
#endif
}

static void ask(struct run *r, uint64_t *seed)
{
	int64_t walltime = test_range(seed, 1, 60), start, ours = 0, models = 1;
	int64_t current = test_range(seed, 0, 400);
	int32_t procs = (int32_t)test_range(seed, 1, 300);

	earliest(r, 0, walltime, procs, &start);
	TEST_EQ(fair_profile_earlier_start(&r->p, 0, INT64_MAX, walltime, procs,
					   current, &ours),
		profile_model_earlier_start(&r->m, 0, INT64_MAX, walltime,
					    procs, current, &models));
	TEST_EQ(ours, models);
}

/* Jobs come one by one, and go in another order. */
static void come_and_go(void)
{
	uint64_t seed = 6;
	struct run r;
	int64_t t;
	int i, k;

	for (i = 0; i < 4 * TEST_ROUNDS(8); i++) {
		open_run(&r, 400, 300, 0);
		for (k = 0; k < 70; k++) {
			t = test_range(&seed, 0, 400);
			TEST_EQ(reserve(&r, t, test_range(&seed, 1, 30 << i % 4),
					(int32_t)test_range(&seed, 1, 4)),
				0);
			if (i == 3 || (k % 8 == 7 && i % 2))
				fair_profile_settle(&r.p);
			compare(&r);
		}
		while (r.jobs) {
			struct job *j = &r.job[test_random(&seed) % r.jobs];

			TEST_EQ(release(&r, j->start, j->walltime, j->procs),
				0);
			*j = r.job[--r.jobs];
			if (i == 3 || (r.jobs % 8 == 7 && i % 2))
				fair_profile_settle(&r.p);
			compare(&r);
			ask(&r, &seed);
			unused(&r.p);
		}
		TEST_EQ(fair_profile_steps(&r.p), 1);
		close_run(&r);
	}
}

/*
 * A run through many leaves ends at a wall. With new steps before it there are
 * more leaves, and those from which it was just in sight have to know when the
 * wall is gone: whether they are split, or pass steps to the leaf before, which
 * has room for @thin of them and ends with a wall of its own, or not.
 */
static void through_leaves(int64_t t, int64_t before, int thin, int32_t procs)
{
	const int64_t wall = 170;
	struct run r;
	int64_t i;

	open_run(&r, 300, 10, 0);
	for (i = 0; i < 60; i++)
		TEST_EQ(reserve(&r, 4 * i, 2, 1), 0);
	for (i = 0; i < thin; i++)
		TEST_EQ(release(&r, t / 4 * 4 + (before ? -12 : 4) + 4 * i, 2,
				1),
			0);
	if (before)
		TEST_EQ(reserve(&r, before, 1, 8), 0);
	TEST_EQ(reserve(&r, wall, 1, procs), 0);
	fair_profile_settle(&r.p);
	TEST_EQ(reserve(&r, t, 1, 1), 0);
	TEST_EQ(fair_profile_check(&r.p), 0);
	TEST_EQ(release(&r, wall, 1, procs), 0);
	TEST_EQ(fair_profile_check(&r.p), 0);
	close_run(&r);
}

static void through_many_leaves(void)
{
	int64_t t, before;
	int thin;

	for (t = 90; t <= 170; t++)
		for (thin = 0; thin < 3; thin++) {
			through_leaves(t, 0, thin, 8);
			if (t < 170)	/* and one that leaves nothing */
				through_leaves(t, 0, thin, 10);
			for (before = t - 6; before < t; before++)
				through_leaves(t, before, thin, 8);
		}
}

/* More are free than there are thresholds for; two such steps become one. */
static void all_that_can_be(void)
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

/*
 * No chunk but the one at @room has room: of each behind it a leaf moves to the
 * one before, and the longest window, @longest, is found wherever it is then.
 */
static void the_only_room(size_t room, int longest)
{
	struct run r;
	struct fair_profile *p = &r.p;
	struct fair_profile_spot s;
	int64_t start;
	size_t pos;
	int i;

	open_run(&r, 16, 10, 0);
	TEST_EQ(reserve(&r, 0, 650, 10), 0);
	for (i = 0; i < 6; i++)
		TEST_EQ(release(&r, 100 * i + 50, i == longest ? 40 : 20, 10),
			0);
	TEST_REQUIRE(p->steps >= p->chunks_max * p->width);
	while (p->leaves + 1 < p->chunks_max * p->width) {
		s.pos = 0;
		s.at = p->order[0] * (size_t)64;
		while (p->count[s.at] < 2)
			TEST_REQUIRE(fair_profile_next(p, &s));
		fair_profile_split(p, p->base[s.at], p->count[s.at] / 2, 0);
	}
	for (pos = 0; p->used[p->order[pos]] == p->width; pos++)
		;
	TEST_REQUIRE(pos >= room);
	for (; pos > room; pos--)
		fair_profile_shift_later(p, pos - 1, 1);
	fair_profile_settle(p);
	fair_profile_make_room(p, p->chunks - 1u);
	TEST_CHECK(p->used[p->order[room]] == p->width);
	TEST_CHECK(p->used[p->order[p->chunks - 1]] < p->width);
	earliest(&r, 0, 30, 10, &start);
	TEST_EQ(start, 100 * longest + 50);
	close_run(&r);
}

static void room_in_one_chunk(void)
{
	int longest;

	for (longest = 0; longest < 6; longest++) {
		the_only_room(0, longest);
		the_only_room(1, longest);
	}
}

/* Takes all but @left at @t; returns how many that is. */
static int32_t take(struct run *r, int64_t t, int32_t left)
{
	int32_t n = -1;

	TEST_EQ(fair_profile_min_free(&r->p, t, t + 1, &n), 0);
	if (n > left)
		TEST_EQ(reserve(r, t, 1, n - left), 0);
	return n - left;
}

/* The same for one processor: walls are of all, and maybe what is taken. */
static void one_through_leaves(int64_t t, int64_t before, int32_t left)
{
	const int64_t wall = 170;
	int32_t procs;
	struct run r;
	int64_t i;

	open_run(&r, 300, 10, 0);
	for (i = 0; i < 60; i++)
		TEST_EQ(reserve(&r, 4 * i, 2, 1), 0);
	TEST_EQ(release(&r, t / 4 * 4 - 12, 2, 1), 0);
	take(&r, before, 0);
	procs = take(&r, wall, 0);
	fair_profile_settle(&r.p);
	take(&r, t, left);
	TEST_EQ(fair_profile_check(&r.p), 0);
	TEST_EQ(release(&r, wall, 1, procs), 0);
	TEST_EQ(fair_profile_check(&r.p), 0);
	close_run(&r);
}

static void one_through_many_leaves(void)
{
	int64_t t, before;

	for (t = 90; t < 170; t++)
		for (before = t - 6; before < t; before++) {
			one_through_leaves(t, before, 0);
			one_through_leaves(t, before, 1);
		}
}

/* Takes all that is free in the step at @s; returns how many that is. */
static int32_t take_step(struct run *r, const struct fair_profile_spot *s)
{
	int64_t t = fair_profile_step_start(&r->p, s);
	int32_t n = fair_profile_at(&r->p, s);

	TEST_EQ(reserve(r, t, fair_profile_step_end(&r->p, s) - t, n), 0);
	return n;
}

/*
 * The leaf number @i is full, and the one before ends with a wall: it gets the
 * first steps of this one, and what begins there ends nine leaves further on.
 */
static void passed_behind_a_wall(int i, size_t k)
{
	struct fair_profile_spot a, b, wall;
	struct fair_profile *p;
	int64_t t, start, end;
	int32_t procs;
	struct run r;

	open_run(&r, 300, 10, 0);
	p = &r.p;
	for (t = 0; t < 60; t++)
		TEST_EQ(reserve(&r, 10 * t, 5, 1), 0);
	b = fair_profile_find_leaf(p, 0);
	while (i--)
		fair_profile_next(p, &b);
	while (p->count[b.at] < FAIR_PROFILE_LEAF_MAX)
		TEST_REQUIRE(!reserve(&r, fair_profile_leaf_end(p, &b) - 1, 1,
				      p->count[b.at]));
	a = b;
	fair_profile_prev(p, &a);
	for (; a.k; a.k--)
		take_step(&r, &a);
	wall = b;
	for (i = 0; i < FAIR_PROFILE_REACH; i++)
		TEST_REQUIRE(fair_profile_next(p, &wall));
	wall.k = 1;
	start = fair_profile_step_start(p, &wall);
	end = fair_profile_step_end(p, &wall);
	procs = take_step(&r, &wall);
	fair_profile_settle(p);
	b.k = k;
	TEST_EQ(reserve(&r, fair_profile_step_start(p, &b), 1, 3), 0);
	TEST_EQ(fair_profile_check(p), 0);
	TEST_EQ(release(&r, start, end - start, procs), 0);
	TEST_EQ(fair_profile_check(p), 0);
	close_run(&r);
}

static void passed_behind_walls(void)
{
	size_t k;
	int i;

	for (i = 1; i < 16; i++)
		for (k = 1; k < FAIR_PROFILE_LEAF_MAX; k++)
			passed_behind_a_wall(i, k);
}

/* One window among many chunks, found by a mark or by an entry; then they go. */
static void one_window(void)
{
	struct run r;
	int64_t t, start;

	open_run(&r, 300, 10, 0);
	for (t = 0; t < 200; t++)
		TEST_EQ(reserve(&r, 4 * t, 4, 8 + (int32_t)(t % 2)), 0);
	TEST_REQUIRE(r.p.chunks > 40);
	for (t = 0; t < 200; t++) {
		fair_profile_settle(&r.p);
		TEST_EQ(release(&r, 4 * t, 4, 5), 0);
		earliest(&r, 0, 4, 6, &start);
		TEST_EQ(start, 4 * t);
		fair_profile_settle(&r.p);
		earliest(&r, 0, 4, 6, &start);
		TEST_EQ(start, 4 * t);
		TEST_EQ(reserve(&r, 4 * t, 4, 5), 0);
	}
	for (t = 0; t < 790; t += 3) {
		TEST_EQ(fair_profile_advance(&r.p, t), 0);
		TEST_EQ(profile_model_advance(&r.m, t), 0);
		compare(&r);
		unused(&r.p);
	}
	close_run(&r);
}

/* As many steps as there may be: what adds none is done, and no more. */
static void at_capacity(void)
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
			reserve(&r, some_time(&r), some_walltime(&r),
				some_procs(&r));
			release(&r, some_time(&r), some_walltime(&r),
				some_procs(&r));
			earlier(&r, true);
			compare(&r);
			if (fair_profile_steps(&r.p) == r.p.cap) {
				TEST_EQ(fair_profile_clone(&copy, memory,
							   r.bytes, &r.p),
					0);
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
static void crowded(void)
{
	/* Of 177 steps the leaves have 64 chunks, and first[] has no more. */
	static const size_t caps[] = { 8, 40, 177, 202 };
	uint64_t seed = 2;
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
	/* Near and far leaves come, next to each other, and share nothing. */
	for (t = 0; t < 60; t++) {
		TEST_EQ(fair_profile_reserve(&p, gap + 1000 - 10 * t, 5, 1), 0);
		TEST_EQ(fair_profile_reserve(&p, 1000 + 10 * t, 5, 1), 0);
		TEST_EQ(fair_profile_check(&p), 0);
	}
	free(memory);
}

/* A full leaf gives nothing to the next one if that is too far away. */
static void too_far_to_share(void)
{
	const int64_t far = INT64_C(1) << 32;
	size_t bytes = fair_profile_size(3 * 2048);
	void *memory = malloc(bytes);
	struct fair_profile p;
	int64_t t;

	TEST_REQUIRE(memory);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes, 10, 0), 0);
	TEST_EQ(fair_profile_reserve(&p, far, 10, 6), 0);
	for (t = 0; t < 20; t++) {
		TEST_EQ(fair_profile_reserve(&p, 10 * t, 5, 1), 0);
		TEST_EQ(fair_profile_check(&p), 0);
	}
	TEST_EQ(first(&p, 0, far, 5), 0);
	free(memory);
}

/* What a clone has to reach is its last step, not the leaf that holds it. */
static void as_far_as_a_clone(void)
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
			TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes,
						  10, 0),
				0);
			for (i = 0; i < jobs; i++)
				TEST_EQ(fair_profile_reserve(&p, 10 * i + 1, 5,
							     1),
					0);
			last = FAIR_PROFILE_SPAN + over;
			TEST_EQ(fair_profile_reserve(&p, last - 1, 1, 1), 0);
			TEST_EQ(fair_profile_clone(&copy, memory + bytes, less,
						   &p),
				over ? -FAIR_ENOMEM : 0);
		}
	free(memory);
}

/* Only what has passed is free for long: the search ends at the last chunk. */
static void nothing_behind_all(void)
{
	size_t cap;
	struct run r;
	int64_t t, start;

	for (cap = 8; cap < 60; cap += 3) {
		open_run(&r, cap, INT32_MAX, 0);
		for (t = 0; fair_profile_steps(&r.p) + 3 <= r.p.cap; t++)
			TEST_EQ(reserve(&r, 100 + 2 * t, 1, INT32_MAX - 1), 0);
		TEST_EQ(change(&r, 100 + 2 * t, FAIR_FOREVER, 1 - INT32_MAX),
			0);
		for (; t >= 0; t--) {
			earliest(&r, 101 + 2 * t, 50, 2, &start);
			TEST_EQ(start, -1);
			if (t % 4 == 0)
				fair_profile_settle(&r.p);
		}
		close_run(&r);
	}
}

/* Before is before: a run up to @current may begin then, and is not taken. */
static void not_at_before(void)
{
	int64_t t, start, before;
	struct run r;

	open_run(&r, 100, 10, 0);
	for (t = 0; t < 40; t++)
		TEST_EQ(reserve(&r, 10 * t, 5, 4), 0);
	TEST_REQUIRE(!fair_profile_flat(&r.p));
	for (before = 204; before < 208; before++) {
		TEST_EQ(fair_profile_earlier_start(&r.p, 196, before, 5, 8, 210,
						   &start),
			0);
		TEST_EQ(start, before > 205 ? 205 : 210);
	}
	close_run(&r);
}

/* A window as long as an entry says, and one second less and more. */
static void as_long_as_an_entry(void)
{
	const int64_t longest = INT32_MAX, far = INT64_C(1) << 33;
	size_t bytes = fair_profile_size(5 * 2048);
	int64_t length, t, start;
	struct fair_profile p;
	void *memory = malloc(bytes);

	TEST_REQUIRE(memory);
	for (length = longest - 2; length <= longest + 1; length++) {
		TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes, 10, 0),
			0);
		for (t = 0; t < 20; t++)
			TEST_EQ(fair_profile_reserve(&p, far + 10 * t, 5, 1),
				0);
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

int main(void)
{
	TEST_RUN(longer_than_a_leaf);
	TEST_RUN(too_far_to_share);
	TEST_RUN(as_far_as_a_clone);
	TEST_RUN(nothing_behind_all);
	TEST_RUN(not_at_before);
	TEST_RUN(as_long_as_an_entry);
	TEST_RUN(crowded);
	TEST_RUN(come_and_go);
	TEST_RUN(through_many_leaves);
	TEST_RUN(all_that_can_be);
	TEST_RUN(room_in_one_chunk);
	TEST_RUN(one_through_many_leaves);
	TEST_RUN(passed_behind_walls);
	TEST_RUN(one_window);
	TEST_RUN(at_capacity);
	TEST_RUN(settled);
	TEST_RUN(invariants);
	TEST_RUN(against_the_model);
	return test_report();
}
