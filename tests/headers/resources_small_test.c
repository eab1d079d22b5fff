/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * resources_small_test.c - every state of a small machine
 *
 * Two classes with 2 processors; class 1 has a GPU, or there is a licence for
 * both; 4 seconds. From the idle machine on every sequence of changes is made, 3
 * of them (light: 2); results are those of the model, and of each state every
 * question is asked. Reservations move wherever they can.
 */
#define FAIR_MACHINE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "machine.h"
#include "tests/model/machine_model.h"
#include "tests/test.h"

#ifdef TEST_LIGHT
enum { DEPTH = 2 };
#else
enum { DEPTH = 3 };
#endif
enum { SECONDS = 4, STEPS = 16, BYTES = 1 << 17, DEEPEST = 3 };

enum kind { RESERVE, RELEASE, MOVE, CAPACITY };

struct change {
	enum kind kind;
	uint32_t k, to_k; /* class; resource of a change of capacity */
	int64_t start, end, to;
	int32_t amount[2];
};

struct state {
	struct fair_machine m;
	struct machine_model model;
	uint64_t memory[BYTES / 8];
};

static const int32_t vectors[][2] = { { 1, 0 }, { 2, 0 }, { 1, 1 }, { 0, 1 } };
static struct change change[4096];
static size_t changes, states;
static struct state at[DEEPEST + 1];

static void one(enum kind kind, uint32_t k, int64_t start, int64_t end,
		uint32_t to_k, int64_t to, const int32_t *amount)
{
	struct change *c = &change[changes++];

	c->kind = kind;
	c->k = k;
	c->to_k = to_k;
	c->start = start;
	c->end = end;
	c->to = to;
	memcpy(c->amount, amount, sizeof(c->amount));
}

static void list_interval(uint32_t k, int64_t start, int64_t end)
{
	uint32_t to_k;
	int64_t to;
	int v;

	for (v = 0; v < 4; v++) {
		one(RESERVE, k, start, end, 0, 0, vectors[v]);
		if (v % 2 == 0)
			one(RELEASE, k, start, end, 0, 0, vectors[v]);
		for (to = 0; to < start; to++)
			for (to_k = 0; to_k < 2 && v > 1; to_k++)
				one(MOVE, k, start, end, to_k, to, vectors[v]);
	}
	one(CAPACITY, k, start, end, 1, 0, vectors[0]);
}

static void list_changes(void)
{
	int64_t start, end;
	uint32_t k;

	for (k = 0; k < 2; k++)
		for (start = 0; start < SECONDS; start++)
			for (end = start + 1; end <= SECONDS; end++)
				list_interval(k, start, end);
}

/* Every start, of every walltime and vector, from every second on. */
static void ask_one(const struct state *s, const int32_t *amount,
		    int64_t walltime, const uint8_t *order, uint32_t count,
		    int64_t from)
{
	struct fair_machine_request request = { amount, order, count };
	int64_t t = -1, u = -1, current;
	uint32_t k = 9, j = 9, own;

	TEST_EQ(fair_machine_earliest_start(&s->m, from, walltime, &request, &t,
					    &k),
		machine_model_earliest_start(&s->model, from, walltime, amount,
					     order, count, &u, &j));
	TEST_CHECK(t == u && k == j);
	for (own = 0; own < 2; own++)
		for (current = from; current <= SECONDS; current += 2) {
			TEST_EQ(fair_machine_earlier_start(
					&s->m, from, current, walltime,
					&request, current, own, &t, &k),
				machine_model_earlier_start(
					&s->model, from, current, walltime,
					amount, order, count, current, own, &u,
					&j));
			TEST_CHECK(t == u && k == j);
		}
}

static void ask(const struct state *s)
{
	static const uint8_t back[] = { 1, 0 };
	int64_t walltime, from;
	int v;

	states++;
	TEST_OK(fair_machine_check(&s->m));
	for (v = 0; v < 4; v++)
		for (walltime = 1; walltime <= SECONDS; walltime += 2)
			for (from = 0; from < SECONDS; from += 2) {
				ask_one(s, vectors[v], walltime, NULL, 0, from);
				ask_one(s, vectors[v], walltime, back, 2, from);
			}
}

/* A reservation moves only if it is there: then its release succeeds. */
static bool can_move(const struct state *s, const struct change *c)
{
	static struct state copy;

	TEST_OK(fair_machine_clone(&copy.m, copy.memory, sizeof(copy.memory),
				   &s->m));
	return !fair_machine_release(&copy.m, c->k, c->start, c->end - c->start,
				     c->amount);
}

static int make(struct state *s, const struct change *c)
{
	int64_t walltime = c->end - c->start;
	int32_t most[2];
	int error, its;

	if (c->kind == RESERVE) {
		error = fair_machine_reserve(&s->m, c->k, c->start, walltime,
					     c->amount);
		its = machine_model_reserve(&s->model, c->k, c->start, walltime,
					    c->amount);
	} else if (c->kind == RELEASE) {
		error = fair_machine_release(&s->m, c->k, c->start, walltime,
					     c->amount);
		its = machine_model_release(&s->model, c->k, c->start, walltime,
					    c->amount);
	} else if (c->kind == MOVE) {
		error = fair_machine_move(&s->m, c->k, c->start, c->to_k, c->to,
					  walltime, c->amount, most);
		its = machine_model_move(&s->model, c->k, c->start, c->to_k,
					 c->to, walltime, c->amount);
	} else {
		error = fair_machine_change_capacity(&s->m, c->k, c->to_k,
						     c->start, c->end, -1);
		its = machine_model_change_capacity(&s->model, c->k, c->to_k,
						    c->start, c->end, -1);
	}
	TEST_EQ(error, its);
	return error;
}

static void copy_model(struct machine_model *to,
		       const struct machine_model *from)
{
	struct machine_model_step *step = to->step;
	size_t room = to->room;

	*to = *from;
	to->room = room;
	to->step = step;
	if (!step || room < from->room) {
		to->room = from->room;
		to->step = (struct machine_model_step *)realloc(
			step, to->room * sizeof(*step));
	}
	TEST_REQUIRE(to->step);
	memcpy(to->step, from->step, from->n * sizeof(*from->step));
}

/* Changes after the @first one only: the order of two is tried once. */
static void explore(int depth, size_t first)
{
	struct state *s = &at[depth], *next = s + 1;
	size_t i;

	ask(s);
	for (i = depth == DEPTH ? changes : first; i < changes; i++) {
		if (change[i].kind == MOVE && !can_move(s, &change[i]))
			continue;
		TEST_REQUIRE(!fair_machine_clone(&next->m, next->memory,
						 sizeof(next->memory), &s->m));
		copy_model(&next->model, &s->model);
		if (!make(next, &change[i]))
			explore(depth + 1, i % 3 ? i : 0);
	}
}

static void all_of(uint32_t wide, const int32_t *amount)
{
	struct fair_machine_config config = { 2, 2, wide, amount };
	struct state *s = &at[0];
	int i;

	TEST_REQUIRE(fair_machine_size(&config, STEPS) <= BYTES);
	TEST_REQUIRE(!fair_machine_init(&s->m, sizeof(s->m), s->memory,
					sizeof(s->memory), &config, 0));
	machine_model_init(&s->model, 2, 2, wide, amount, s->m.horizon, 0);
	states = 0;
	if (!changes)
		list_changes();
	explore(0, 0);
	printf("%zu states\n", states);
	for (i = 0; i <= DEEPEST; i++) {
		machine_model_free(&at[i].model);
		at[i].model.step = NULL;
		at[i].model.room = 0;
	}
}

TEST(gpus_of_a_class)
{
	const int32_t amount[] = { 2, 0, 2, 1 };

	all_of(0, amount);
}

TEST(a_licence_of_all)
{
	const int32_t amount[] = { 2, 1, 2, 0 };

	all_of(2, amount);
}
