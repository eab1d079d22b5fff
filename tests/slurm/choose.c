/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choose.c - the plugin's choice of nodes against all sets of nodes
 *
 * slurm_plugin_test.py builds it with tools/slurm/plugin/choose.c and Slurm's
 * headers. On six nodes of two kinds with random reservations, the choice must
 * be able to start when, second by second, any set of nodes first can.
 */
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "tools/slurm/plugin/choose.h"

#include <stdio.h>
#include <stdlib.h>

#undef xcalloc
#undef xfree

#define TRIALS 20000
#define NODES 6
#define LARGE 0x30 /* the last two have 8 processors, the others 4 */
#define END 400	   /* nothing is reserved so late */

void *slurm_xcalloc(size_t count, size_t size, bool clear, bool try,
		    const char *file, int line, const char *function)
{
	(void)clear, (void)try, (void)file, (void)line, (void)function;
	return calloc(count, size);
}

void slurm_xfree(void **p)
{
	free(*p);
	*p = NULL;
}

static uint8_t kind_of[NODES] = { 0, 0, 0, 0, 1, 1 };
static const uint64_t tasks_on[] = { 4, 8 };
static uint64_t up;
static struct slurm_machine machine = { .resources = 1,
					.classes = 2,
					.amount = { 4, 8 },
					.count = { 4, 2 },
					.nodes = NODES,
					.words = 1,
					.kind_of = kind_of,
					.up = &up };
static struct fair_nodes nodes;
static char memory[1 << 20];

static uint64_t draw(uint64_t n)
{
	return (uint64_t)rand() % n;
}

static void reserve_some(void)
{
	struct fair_nodes_config config = { 1, 2, 0, 0, machine.count,
					    machine.amount, false };

	fair_nodes_init(&nodes, sizeof(nodes), memory, sizeof(memory), &config,
			12, 100, 0);
	for (uint32_t slot = 0; slot < 12; slot++) {
		int32_t amount = (int32_t)(1 + draw(4));
		struct fair_nodes_request r = { &amount, 1, 0, false, true,
						0,	 0, NULL, 0 };

		fair_nodes_set_job(&nodes, slot, &r);
		fair_nodes_assign(&nodes, slot, (uint32_t)draw(NODES), 1);
		fair_nodes_reserve(&nodes, slot, (int64_t)draw(60),
				   (int64_t)(1 + draw(40)));
	}
}

/* Some of its nodes; counts of two groups; all of one; whole nodes. */
static struct slurm_request draw_request(uint64_t *all, uint64_t *group)
{
	struct slurm_request q = { .nodes = all, .most = NODES };
	uint64_t kind = draw(4);
	int32_t part = (int32_t)(1 + draw(4));

	*all = draw(3) ? (1 << NODES) - 1 : draw(1 << NODES) | 3;
	group[0] = kind == 1 ? draw(8) | 1 : kind ? 15 : 1u << draw(NODES);
	group[1] = kind == 1 ? 0x38 : LARGE;
	q.chunks = (int32_t)(1 + draw(4));
	q.groups = kind == 3 ? 0 : kind ? 2 : 1;
	for (uint32_t g = 0; g < q.groups; g++)
		q.group[g] = (struct slurm_group){ kind < 2, 0, group + g };
	if (kind == 1)
		q.chunks = MAX(q.chunks, 2);
	q.of_one = kind == 2;
	q.exclusive = kind == 3;
	q.tasks = kind == 3 ? 1 + draw(30) : 0;
	q.tasks_on = tasks_on;
	q.amount[0] = q.tasks ? 0 : part * q.chunks;
	return q;
}

/* The nodes of a set that have enough from @t on. */
static uint64_t find_free(const struct slurm_request *q, uint64_t set,
			  int64_t t, int64_t walltime)
{
	int32_t free, needs;

	for (uint32_t i = 0; i < NODES; i++) {
		needs = q->exclusive ? machine.amount[kind_of[i]]
				     : q->amount[0] / q->chunks;
		fair_nodes_min_free(&nodes, i, t, t + walltime, &free);
		if (!(up >> i & 1) || free < needs)
			set &= ~((uint64_t)1 << i);
	}
	return set;
}

static bool is_asked_for(const struct slurm_request *q, uint64_t set)
{
	uint64_t tasks = 0, groups = 0;
	int32_t count = 0;

	for (uint32_t i = 0; i < NODES; i++)
		if (set >> i & 1) {
			tasks += tasks_on[kind_of[i]];
			count++;
		}
	if (q->tasks ? tasks < q->tasks || count < q->chunks
		     : count != q->chunks)
		return false;
	for (uint32_t g = 0; g < q->groups; g++)
		groups += q->of_one ? !(set & ~*q->group[g].nodes)
				    : (set & *q->group[g].nodes) != 0;
	return q->of_one ? groups > 0 : groups == q->groups;
}

/* When some of a set, or @all of it, can first start; END: never. */
static int64_t first_start(const struct slurm_request *q, uint64_t set,
			   bool all, int64_t t, int64_t walltime)
{
	for (; t < END; t++) {
		uint64_t free = find_free(q, set, t, walltime), some;

		if (all && free != set)
			continue;
		for (some = free; some; some = all ? 0 : (some - 1) & free)
			if (is_asked_for(q, some))
				return t;
	}
	return END;
}

static bool is_good_trial(unsigned int seed)
{
	uint64_t set, all, group[2];
	struct slurm_request q, asked;
	int64_t walltime, now, start;

	srand(seed);
	up = (1 << NODES) - 1;
	if (!draw(5))
		up &= ~((uint64_t)1 << draw(NODES));
	reserve_some();
	q = draw_request(&set, group);
	walltime = (int64_t)(1 + draw(30));
	now = (int64_t)draw(10);
	asked = q;
	all = set;
	start = first_start(&asked, set, false, now, walltime);
	choose_nodes(&machine, &nodes, now, walltime, &q);
	if (q.why || start == END) /* perhaps one waits for a node to be up */
		return start == END && (q.why || up != (1 << NODES) - 1);
	if (first_start(&asked, set, !q.of_one, now, walltime) != start)
		return false;
	asked.nodes = &all;
	return keep_choice(&machine, &set, &asked) && all == set &&
	       asked.chunks == q.chunks && asked.amount[0] == q.amount[0];
}

int main(void)
{
	for (unsigned int seed = 0; seed < TRIALS; seed++)
		if (!is_good_trial(seed)) {
			printf("not ok choice %u\n", seed);
			return 1;
		}
	return 0;
}
