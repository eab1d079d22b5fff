/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The search for the cheapest nodes skips only what cannot be cheaper: on
 * random machines prices are those of the naive model, whatever the order of
 * the classes.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/priced_nodes.h"
#include "tests/model/penalty_model.h"

static uint64_t odd_number(uint64_t *random)
{
	uint64_t x = test_random(random) >> test_range(random, 0, 63);

	return test_range(random, 0, 3) ? x : ~x;
}

TEST(products_and_quotients)
{
	uint64_t random = 1;
	int i;

	for (i = 0; i < 200000; i++) {
		uint64_t a = odd_number(&random), b = odd_number(&random);
		uint64_t d = odd_number(&random) | 1, q, rest;
		struct fair_wide w = fair_multiply(a, b), x;

		TEST_CHECK(w.low == a * b);
		w.high %= d;
		q = fair_divide(w, d, &rest);
		TEST_CHECK(rest == w.low - q * d);
		x = fair_multiply(q, d); /* <= w < x + d */
		TEST_CHECK(!fair_wide_less(w, x));
		x = fair_wide_add(x, d - 1);
		TEST_CHECK(!fair_wide_less(x, w));
	}
}

TEST(ratios)
{
	uint64_t random = 2;
	int i;

	for (i = 0; i < 200000; i++) {
		int64_t d = (int64_t)(odd_number(&random) >> 2 | 1);
		int64_t b = (int64_t)(odd_number(&random) >> 2);
		int64_t a = (int64_t)(odd_number(&random) % (uint64_t)d);
		int64_t q = fair_penalty_ratio(a, b, d);

		TEST_CHECK(!fair_penalty_is_ratio_below(a, b, d, q));
		TEST_CHECK(fair_penalty_is_ratio_below(a, b, d, q + 1));
	}
}

TEST(bits)
{
	int i;

	TEST_EQ(fair_bits(0), 0);
	for (i = 0; i < 64; i++)
		TEST_EQ(fair_bits((uint64_t)1 << i), i + 1);
	TEST_EQ(fair_bits(UINT64_MAX), 64);
}

struct site {
	size_t classes, resources, chunks;
	struct fair_penalty_class node[MOST_CLASSES];
	int64_t amount[MOST_CLASSES][MOST_RESOURCES];
	bool special[MOST_RESOURCES];
	struct fair_penalty_chunk chunk[MOST_CHUNKS];
	int64_t asked[MOST_CHUNKS][MOST_RESOURCES];
};

static int64_t some_amount(uint64_t *random, int64_t least, int most_bits)
{
	return least +
	       (test_range(random, 0, 1) << test_range(random, 0, most_bits)) +
	       test_range(random, 0, 7);
}

/* All, any part, next to nothing, or seldom more. */
static int64_t part_of(int64_t amount, uint64_t *random)
{
	switch (test_range(random, 0, 3)) {
	case 0:
		return amount;
	case 1:
		return amount < 3 ? 0 : test_range(random, 0, 3);
	case 2:
		return test_range(random, 0, 40)
			       ? test_range(random, 0, amount)
			       : FAIR_PENALTY_MAX >> test_range(random, 0, 60);
	default:
		return test_range(random, 0, amount);
	}
}

/* None, that of a class, or any. */
static int64_t some_spec(int64_t spec, uint64_t *random)
{
	switch (test_range(random, 0, 9)) {
	case 0:
		return spec;
	case 1:
		return INT64_C(1) << test_range(random, 0, 61);
	default:
		return 0;
	}
}

/* 1, little, or about what others cost. */
static int64_t some_cost(int64_t common, uint64_t *random)
{
	switch (test_range(random, 0, 2)) {
	case 0:
		return ONE;
	case 1:
		return test_range(random, 0, 3 * ONE) >>
		       test_range(random, 0, 22);
	default:
		return common + test_range(random, 0, 7);
	}
}

/* In both halves of 64 bits. */
static uint64_t some_properties(uint64_t *random)
{
	return test_random(random) & (3 | UINT64_C(1) << 33);
}

static void random_site(struct site *s, uint64_t *random)
{
	int64_t least[MOST_RESOURCES];
	int64_t cost = INT64_C(1) << test_range(random, 0, 44);
	int64_t cheap = test_range(random, 0, 1) * test_range(random, 0, 20);
	int64_t fast = test_range(random, 0, 1) * test_range(random, 0, 38);
	size_t i, r;

	memset(s, 0, sizeof(*s));
	s->classes = (size_t)test_range(random, 1, MOST_CLASSES);
	s->resources = (size_t)test_range(random, 1, MOST_RESOURCES);
	s->chunks = (size_t)test_range(random, 1, MOST_CHUNKS);
	for (r = 1; r < s->resources; r++)
		s->special[r] = !test_range(random, 0, 3);
	/* Nodes that have about the same of a resource, or not */
	for (r = 0; r < s->resources; r++)
		least[r] = test_range(random, 0, 1)
			   << test_range(random, 0, r ? 40 : 8);
	for (i = 0; i < s->classes; i++) {
		for (r = 0; r < s->resources; r++)
			s->amount[i][r] =
				some_amount(random, least[r], r ? 40 : 8);
		s->amount[i][0]++;
		s->node[i].count = (int32_t)test_range(random, 1, 50);
		s->node[i].spec = test_range(random, 1, 4) * ONE
				  << test_range(random, 0, fast);
		s->node[i].cost = some_cost(cost, random) >> cheap;
		s->node[i].properties = some_properties(random);
		s->node[i].amount = s->amount[i];
	}
	for (i = 0; i < s->chunks; i++) {
		size_t like =
			(size_t)test_range(random, 0, (int64_t)s->classes - 1);

		for (r = 0; r < s->resources; r++)
			s->asked[i][r] = part_of(s->amount[like][r], random);
		s->chunk[i] =
			nodes((int32_t)test_range(random, 1, 9), s->asked[i]);
		s->chunk[i].min_spec = some_spec(s->node[like].spec, random);
		s->chunk[i].max_spec = some_spec(s->node[like].spec, random);
		s->chunk[i].properties =
			some_properties(random) & some_properties(random);
		s->chunk[i].without = some_properties(random) &
				      some_properties(random) & ~UINT64_C(2);
	}
}

static unsigned char site_memory[2][1 << 16];

static int make(struct fair_penalty_machine *m, const struct site *s, int slot)
{
	int err = fair_penalty_init(m, sizeof(*m), site_memory[slot],
				    sizeof(site_memory[slot]), s->node,
				    s->classes, s->resources, s->special);

	TEST_EQ(err, 0);
	TEST_EQ(fair_penalty_check(m), 0);
	return err;
}

/* What formula 8 says of the classes, one at a time. */
static int64_t least_local(const struct fair_penalty_machine *m,
			   const struct fair_penalty_chunk *c)
{
	int64_t least = INT64_MAX, p;
	size_t i;

	for (i = 0; i < m->classes; i++)
		if (!fair_penalty_local(m, c, 1, &i, ONE, &p) && p < least)
			least = p;
	return least;
}

/* The columns never promise more than a node costs. */
static void check_bounds(const struct fair_penalty_machine *m,
			 const struct fair_penalty_chunk *c)
{
	int32_t bound[FAIR_PENALTY_LANES] = { 0 };
	int64_t unit = (int64_t)1 << m->price_shift;
	size_t i, k;

	for (i = 0; i < m->classes; i++) {
		k = i % FAIR_PENALTY_LANES;
		if (!k)
			fair_penalty_bounds(m, c, i / FAIR_PENALTY_LANES,
					    bound);
		TEST_EQ(bound[k] % FAIR_PENALTY_LANES, k);
		if (suits(m, c, i))
			TEST_CHECK((bound[k] >> 5) * unit <= local(m, c, i));
	}
}

/* SPEC that the columns cannot tell apart, and what is next to it. */
TEST(large_spec)
{
	const int64_t spec[2] = { FAIR_PENALTY_MAX, FAIR_PENALTY_MAX - 1 };
	static const int64_t node[2][1] = { { 8 }, { 8 } }, one[1] = { 1 };
	static const int64_t nothing[1] = { 0 };
	struct fair_penalty_class classes[2] = {
		{ 1, spec[0], 2 * ONE, 0, node[0] },
		{ 1, spec[1], ONE, 0, node[1] },
	};
	struct fair_penalty_chunk c = { 1, 0, 0, 0, 0, one };
	struct fair_penalty_machine m;
	static char memory[8192];
	int64_t p;

	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory),
				  classes, 2, 1, NULL));
	TEST_EQ(fair_penalty_check(&m), 0);
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, ONE);
	c.min_spec = spec[0];
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, 2 * ONE);
	/*
	 * A column without a class has 0 of everything, and suits no request.
	 */
	c.amount = nothing;
	c.min_spec = 0;
	c.max_spec = spec[1] - 1;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), -FAIR_ERANGE);
	c.max_spec = 1;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), -FAIR_ERANGE);
	c.amount = one;
	c.max_spec = spec[1];
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, ONE);
}

/* What is about 2^31: there columns begin to shift. */
TEST(around_two_to_31)
{
	int64_t have[2] = { 1, 0 }, asked[2] = { 1, 0 }, p;
	const int64_t first = INT64_C(0x7ffffffd), last = first + 4;
	struct fair_penalty_class node = { 1, 0, ONE, 0, have };
	struct fair_penalty_machine m;
	struct fair_penalty_chunk c[3];
	int k;

	for (have[1] = first; have[1] <= last; have[1]++) {
		node.spec = have[1];
		TEST_EQ(init(&m, &node, 1, NULL), 0);
		TEST_EQ(fair_penalty_check(&m), 0);
		for (asked[1] = first; asked[1] <= last; asked[1]++) {
			c[0] = nodes(1, asked);
			c[1] = c[2] = nodes(1, have);
			c[1].min_spec = c[2].max_spec = asked[1];
			for (k = 0; k < 3; k++) {
				check_bounds(&m, &c[k]);
				TEST_EQ(!fair_penalty(&m, &c[k], 1, ONE, &p),
					k < 2 ? asked[1] <= have[1]
					      : asked[1] >= have[1]);
			}
		}
	}
}

TEST(bounds_are_bounds)
{
	static struct site s;
	struct fair_penalty_machine m;
	uint64_t random = 7;
	size_t k;
	int round;

	for (round = 0; round < 2000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		for (k = 0; k < s.chunks; k++)
			check_bounds(&m, &s.chunk[k]);
	}
}

/* Classes in another order, one of them in two parts: the same machine. */
static void rearrange(struct site *s, uint64_t *random)
{
	size_t i, j;

	for (i = s->classes - 1; i > 0; i--) {
		struct fair_penalty_class swap = s->node[i];

		j = (size_t)test_range(random, 0, (int64_t)i);
		s->node[i] = s->node[j];
		s->node[j] = swap;
	}
	if (s->classes == MOST_CLASSES || s->node[0].count < 2)
		return;
	s->node[s->classes] = s->node[0];
	s->node[s->classes++].count = 1;
	s->node[0].count--;
}

/*
 * Same resources, same penalty: whichever nodes the job gets, however classes
 * and chunks are written down.
 */
TEST(whatever_the_assignment)
{
	static struct site s, t;
	struct fair_penalty_machine m, other;
	uint64_t random = 3;
	int64_t p, q, sum;
	size_t k;
	int round, err;

	for (round = 0; round < 2000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		t = s;
		rearrange(&t, &random);
		if (make(&other, &t, 1))
			return;
		p = q = 0;
		err = fair_penalty(&m, s.chunk, s.chunks, ONE, &p);
		TEST_EQ(fair_penalty(&other, s.chunk, s.chunks, ONE, &q), err);
		TEST_EQ(p, q);
		for (sum = 0, k = 0; k < s.chunks; k++) {
			q = least_local(&m, &s.chunk[k]);
			if (q == INT64_MAX)
				break;
			sum += q;
		}
		TEST_EQ(err, k < s.chunks ? -FAIR_ERANGE : 0);
		TEST_EQ(p, err ? 0 : sum);
	}
}

/* All of a node by any one resource that is not special costs the node. */
TEST(whole_nodes)
{
	static struct site s;
	struct fair_penalty_machine m;
	struct fair_penalty_chunk c;
	int64_t asked[MOST_RESOURCES];
	uint64_t random = 4;
	size_t r, i;
	int round;

	for (round = 0; round < 2000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		i = (size_t)test_range(&random, 0, (int64_t)s.classes - 1);
		r = (size_t)test_range(&random, 0, (int64_t)s.resources - 1);
		if (s.special[r] || !s.amount[i][r])
			continue;
		memset(asked, 0, sizeof(asked));
		asked[r] = s.amount[i][r];
		c = nodes(1, asked);
		TEST_EQ(local(&m, &c, i), s.amount[i][0] * s.node[i].cost);
	}
}

/* The same structures, by the model's names. */
static struct model_machine model_of(const struct site *s)
{
	static struct model_class node[MOST_CLASSES];
	struct model_machine m = { node, s->classes, s->resources, s->special };
	size_t i;

	for (i = 0; i < s->classes; i++) {
		node[i].count = s->node[i].count;
		node[i].spec = s->node[i].spec;
		node[i].cost = s->node[i].cost;
		node[i].properties = s->node[i].properties;
		node[i].amount = s->node[i].amount;
	}
	return m;
}

static const struct model_chunk *model_chunks(const struct site *s)
{
	static struct model_chunk c[MOST_CHUNKS];
	size_t k;

	for (k = 0; k < s->chunks; k++) {
		c[k].count = s->chunk[k].count;
		c[k].min_spec = s->chunk[k].min_spec;
		c[k].max_spec = s->chunk[k].max_spec;
		c[k].properties = s->chunk[k].properties;
		c[k].without = s->chunk[k].without;
		c[k].amount = s->chunk[k].amount;
	}
	return c;
}

static int code(enum model_result r)
{
	return r == MODEL_OK	       ? 0
	       : r == MODEL_UNSUITABLE ? -FAIR_ERANGE
				       : -FAIR_EOVERFLOW;
}

TEST(same_as_the_model)
{
	static struct site s;
	static struct model_penalty want;
	struct fair_penalty_machine m;
	struct model_machine model;
	const struct model_chunk *c;
	uint64_t random = 5;
	int64_t q, p;
	int round, err;

	for (round = 0; round < 1000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		model = model_of(&s);
		c = model_chunks(&s);
		q = test_range(&random, 0, 4 * ONE);
		p = -1;
		err = code(model_local(&model, c, s.chunks, NULL, q, &want));
		TEST_EQ(fair_penalty(&m, s.chunk, s.chunks, q, &p), err);
		if (!err) {
			TEST_EQ(p, want.fixed);
			TEST_CHECK(model_within(&want, p, want.nodes, q));
		}
		err = code(model_pe(&model, c, s.chunks, q, &want));
		TEST_EQ(fair_penalty_pe(&m, s.chunk, s.chunks, q, &p), err);
		if (!err) {
			TEST_EQ(p, want.fixed);
			TEST_CHECK(model_within(&want, p, 1, q));
		}
	}
}

/* A second way to look, for the many blocks of a large machine. */
TEST(ten_thousand_classes)
{
	enum { CLASSES = 10000 };
	size_t bytes = fair_penalty_size(CLASSES, 2), i;
	static struct fair_penalty_class node[CLASSES];
	static int64_t amount[CLASSES][2];
	void *memory = malloc(bytes);
	struct fair_penalty_machine m;
	uint64_t random = 6;
	int round;

	TEST_REQUIRE(memory);
	for (i = 0; i < CLASSES; i++) {
		amount[i][0] = test_range(&random, 1, 128);
		amount[i][1] = test_range(&random, 1, 1024) * GB;
		node[i].count = 1;
		node[i].spec = test_range(&random, ONE, 30 * ONE);
		node[i].cost = test_range(&random, ONE / 2, 2 * ONE);
		node[i].amount = amount[i];
	}
	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, bytes, node, CLASSES,
				  2, NULL));
	TEST_EQ(fair_penalty_check(&m), 0);
	for (round = 0; round < 100; round++) {
		int64_t asked[2] = { test_range(&random, 1, 128),
				     test_range(&random, 0, 1000) * GB };
		struct fair_penalty_chunk c = nodes(1, asked);
		int64_t p = INT64_MAX;
		int err;

		c.min_spec = test_range(&random, 0, 29 * ONE);
		err = fair_penalty(&m, &c, 1, ONE, &p);
		TEST_EQ(p, least_local(&m, &c));
		TEST_EQ(err, p == INT64_MAX ? -FAIR_ERANGE : 0);
	}
	free(memory);
}
