/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_small_test.c - every plan of four jobs (light: three) on one to three
 * nodes
 *
 * Two nodes of 2 processors, and one with a GPU as well. Each sequence of jobs
 * is reserved at the earliest starts; then each of them ends early or leaves,
 * and each other moves as far as it can. Starts and nodes are those of the
 * model.
 */
#define FAIRSCHED_STATIC
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "tests/model/nodes_model.h"
#include "nodes.h"
#include "tests/test.h"

#ifdef TEST_LIGHT
enum { JOBS = 3 };
#else
enum { JOBS = 4 };
#endif
enum { DEEPEST = 4, PARTS = 32, BYTES = 1 << 15 };

/* Chunks of processors and GPUs. */
static const struct {
	int32_t amount[2], chunks, per_node;
	bool exclusive, span;
	int64_t walltime;
} kinds[] = {
	{ { 1, 0 }, 1, 0, false, false, 2 },
	{ { 2, 0 }, 1, 0, false, false, 1 },
	{ { 1, 0 }, 2, 1, false, false, 3 },
	{ { 1, 0 }, 3, 0, false, true, 2 },
	{ { 1, 1 }, 1, 0, false, false, 2 },
	{ { 1, 0 }, 1, 0, true, false, 1 },
	{ { 2, 0 }, 2, 0, false, true, 2 },
	{ { 0, 1 }, 1, 0, false, false, 4 },
};

struct state {
	struct fair_nodes n;
	struct nodes_model model;
	int64_t start[DEEPEST];
	int kind[DEEPEST];
	uint64_t memory[BYTES / 8];
};

static struct state at[DEEPEST + 2];
static size_t plans;

static void copy_model(struct nodes_model *to, const struct nodes_model *from)
{
	struct nodes_model_entry *entry = to->entry;

	*to = *from;
	to->room = from->n + 16;
	to->entry = (struct nodes_model_entry *)realloc(
		entry, to->room * sizeof(*entry));
	TEST_REQUIRE(to->entry);
	if (from->n)
		memcpy(to->entry, from->entry, from->n * sizeof(*entry));
}

static void copy(struct state *to, const struct state *from)
{
	uint32_t i;

	memcpy(to->start, from->start, sizeof(to->start));
	memcpy(to->kind, from->kind, sizeof(to->kind));
	TEST_OK(fair_nodes_clone(&to->n, to->memory, BYTES, JOBS, PARTS,
				 &from->n));
	for (i = 0; i < JOBS; i++)
		if (from->model.job[i].asks)
			TEST_OK(fair_nodes_copy_job(&to->n, i, &from->n, i));
	copy_model(&to->model, &from->model);
}

static void match(struct state *s, uint32_t slot)
{
	int64_t sum = 0, on = 0, *its = s->model.job[slot].on;
	struct fair_nodes_part part;
	uint32_t i = 0;

	while (fair_nodes_next_part(&s->n, slot, &i, &part)) {
		TEST_EQ(part.chunks, its[part.node]);
		sum += part.chunks;
	}
	for (i = 0; i < s->n.nodes; i++)
		on += its[i];
	TEST_EQ(sum, on);
}

static bool ask(struct state *s, uint32_t slot)
{
	struct nodes_model_job *j = &s->model.job[slot];
	struct fair_nodes_request q = { NULL, 0, 0, false, false,
					0,    0, NULL, 0 };
	int k = s->kind[slot], i;

	q.amount = kinds[k].amount;
	q.chunks = kinds[k].chunks;
	q.per_node = kinds[k].per_node;
	q.exclusive = kinds[k].exclusive;
	q.span = kinds[k].span;
	TEST_OK(fair_nodes_set_job(&s->n, slot, &q));
	memset(j, 0, sizeof(*j));
	j->asks = true;
	j->amount[0] = q.amount[0];
	j->amount[1] = q.amount[1];
	j->chunks = q.chunks;
	j->per_node = q.per_node;
	j->exclusive = q.exclusive;
	j->span = q.span;
	j->classes = (int)s->n.classes;
	for (i = 0; i < j->classes; i++)
		j->order[i] = i;
	return fair_nodes_can_serve(&s->n, &q);
}

/* The job is reserved at its earliest start; false: it never can be. */
static bool place(struct state *s, uint32_t slot)
{
	int64_t walltime = kinds[s->kind[slot]].walltime, t = -1, u = -1;
	bool can = ask(s, slot);
	int error = fair_nodes_earliest_start(&s->n, slot, 0, walltime, &t);

	TEST_EQ(error, nodes_model_earliest(&s->model, (int)slot, 0, walltime,
					    &u));
	TEST_EQ(t, u);
	TEST_EQ(can, !error);
	if (error)
		return false;
	TEST_OK(fair_nodes_choose(&s->n, slot, t, walltime));
	TEST_OK(nodes_model_choose(&s->model, (int)slot, t, walltime));
	match(s, slot);
	TEST_OK(fair_nodes_reserve(&s->n, slot, t, walltime));
	TEST_OK(nodes_model_reserve(&s->model, (int)slot, t, walltime));
	s->start[slot] = t;
	return true;
}

/* The job gives its last @left seconds back, and the others move. */
static void end(struct state *s, uint32_t slot, int64_t left)
{
	int64_t walltime = kinds[s->kind[slot]].walltime, t, u;
	uint32_t i;

	t = s->start[slot] + walltime - left;
	TEST_OK(fair_nodes_release(&s->n, slot, t, left));
	TEST_OK(nodes_model_release(&s->model, (int)slot, t, left));
	for (i = 0; i < JOBS; i++) {
		if (i == slot)
			continue;
		walltime = kinds[s->kind[i]].walltime;
		TEST_OK(fair_nodes_earlier_start(&s->n, i, 0, INT64_MAX,
						 walltime, s->start[i], &t));
		TEST_OK(nodes_model_earlier(&s->model, (int)i, 0, INT64_MAX,
					    walltime, s->start[i], &u));
		TEST_EQ(t, u);
		if (t == s->start[i])
			continue;
		TEST_OK(fair_nodes_move(&s->n, i, s->start[i], t, walltime));
		TEST_OK(nodes_model_move(&s->model, (int)i, s->start[i], t,
					 walltime));
		match(s, i);
		s->start[i] = t;
	}
	TEST_OK(fair_nodes_check(&s->n));
}

static void explore(uint32_t depth)
{
	struct state *s = &at[depth], *next = s + 1;
	uint32_t i;
	int64_t left;

	for (i = 0; depth == JOBS && i < JOBS; i++)
		for (left = 1; left <= kinds[s->kind[i]].walltime; left++) {
			plans++;
			copy(next, s);
			end(next, i, left);
		}
	for (i = 0; depth < JOBS && i < sizeof(kinds) / sizeof(*kinds); i++) {
		copy(next, s);
		next->kind[depth] = (int)i;
		if (place(next, depth))
			explore(depth + 1);
	}
}

static void all_of(int nodes, bool first_fit)
{
	static const int32_t counts[][2] = { { 1, 0 }, { 1, 1 }, { 2, 1 } };
	static const int32_t amount[] = { 2, 0, 2, 1 };
	const int32_t *count = counts[nodes - 1];
	struct fair_nodes_config config = { 2, 0,     0,      0,
					    0, amount, first_fit };
	struct state *s = &at[0];
	size_t i;

	config.classes = nodes > 1 ? 2 : 1;
	config.count = count;
	TEST_REQUIRE(fair_nodes_size(&config, JOBS, PARTS) <= BYTES);
	TEST_OK(fair_nodes_init(&s->n, sizeof(s->n), s->memory, BYTES, &config,
				JOBS, PARTS, 0));
	nodes_model_init(&s->model, 2, (int)config.classes, 0, first_fit,
			 count, amount, s->n.horizon, 0);
	plans = 0;
	explore(0);
	printf("%zu plans\n", plans);
	for (i = 0; i < sizeof(at) / sizeof(*at); i++) {
		nodes_model_free(&at[i].model);
		memset(&at[i].model, 0, sizeof(at[i].model));
	}
}

TEST(one_node)
{
	all_of(1, false);
}

TEST(two_nodes)
{
	all_of(2, false);
}

TEST(three_nodes_best_fit)
{
	all_of(3, false);
}

TEST(three_nodes_first_fit)
{
	all_of(3, true);
}
