/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a job that does not take just any of a set. */
#include "choose.h"

#include "src/common/xmalloc.h"

#define ROUNDS 20 /* then the nodes are those of the last one */

/* A node that a job may use. */
struct candidate {
	int64_t start; /* when it has what the job asks for of it */
	uint64_t tasks;
	uint32_t node;
};

struct choice {
	const struct slurm_request *q;
	struct candidate *of; /* the first ones are better */
	size_t count;
	uint64_t *nodes; /* that are chosen */
	int64_t start;	 /* of the last one */
	uint64_t tasks;
	uint32_t chosen;
};

static void take(struct choice *c, const struct candidate *node)
{
	c->nodes[node->node / 64] |= (uint64_t)1 << node->node % 64;
	c->start = MAX(c->start, node->start);
	c->tasks += node->tasks;
	c->chosen++;
}

/* Takes the first nodes of a group. Returns whether there are enough. */
static bool take_group(struct choice *c, const struct slurm_group *g)
{
	uint32_t left = g->count;

	for (size_t i = 0; left && i < c->count; i++)
		if (has_node(g->nodes, c->of[i].node) &&
		    !has_node(c->nodes, c->of[i].node)) {
			take(c, c->of + i);
			left--;
		}
	return !left;
}

static bool has_enough(const struct choice *c)
{
	return c->chosen >= (uint32_t)c->q->chunks && c->tasks >= c->q->tasks;
}

/* Takes the first nodes of each group, then of all. Returns whether these are
 * what the request asks for. */
static bool take_nodes(const struct slurm_machine *m, struct choice *c)
{
	memset(c->nodes, 0, m->words * sizeof(*c->nodes));
	c->start = 0;
	c->tasks = c->chosen = 0;
	for (uint32_t g = 0; g < c->q->groups; g++)
		if (!take_group(c, c->q->group + g))
			return false;
	for (size_t i = 0; i < c->count && !has_enough(c); i++)
		if (!has_node(c->nodes, c->of[i].node))
			take(c, c->of + i);
	return has_enough(c) && c->chosen <= c->q->most;
}

static int compare_candidates(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	if (a->start != b->start)
		return (a->start > b->start) * 2 - 1;
	if (a->tasks != b->tasks)
		return (a->tasks < b->tasks) * 2 - 1;
	return (a->node > b->node) * 2 - 1;
}

/* Whether so much is free that the job has what it takes of the node. */
static bool is_enough(const struct slurm_machine *m,
		      const struct slurm_request *q, uint32_t node,
		      const int32_t *free)
{
	const int32_t *whole = m->amount + m->kind_of[node] * m->resources;

	for (uint32_t r = 0; r < m->resources; r++)
		if (!(m->wide >> r & 1) &&
		    free[r] < (q->exclusive ? whole[r]
					    : q->amount[r] / q->chunks))
			return false;
	return true;
}

/* When the node first has enough for the whole walltime, from @t on. */
static int64_t find_start(const struct slurm_machine *m,
			  const struct fair_nodes *planned,
			  const struct slurm_request *q, uint32_t node,
			  int64_t t, int64_t walltime)
{
	int64_t start = t, from, end = t;
	int32_t free[RESOURCES];

	if (!has_node(m->up, node))
		return FAIR_FOREVER;
	/* Invariant: the node has enough throughout [start, end). */
	while (end != FAIR_FOREVER && end - start < walltime) {
		fair_nodes_step_at(planned, node, end, &from, &end, free);
		if (!is_enough(m, q, node, free))
			start = end;
	}
	return start;
}

static bool may_take(const struct slurm_request *q, uint32_t group,
		     uint32_t node)
{
	return has_node(q->nodes, node) &&
	       (!q->of_one || has_node(q->group[group].nodes, node));
}

static uint64_t tasks_on_node(const struct slurm_machine *m,
			      const struct slurm_request *q, uint32_t node)
{
	return q->tasks ? q->tasks_on[m->kind_of[node]] : 0;
}

/* All nodes that the job may use, of @group if all are of one. */
static struct choice begin_choice(const struct slurm_machine *m,
				  const struct slurm_request *q, uint32_t group)
{
	struct choice c = { .q = q };

	c.of = xcalloc(m->nodes + 1, sizeof(*c.of));
	c.nodes = xcalloc(m->words, sizeof(*c.nodes));
	for (uint32_t i = 0; i < m->nodes; i++)
		if (may_take(q, group, i)) {
			c.of[c.count].tasks = tasks_on_node(m, q, i);
			c.of[c.count++].node = i;
		}
	return c;
}

static void free_choice(struct choice *c)
{
	xfree(c->of);
	xfree(c->nodes);
}

/* The request is for these nodes; whole ones count with as many processors as
 * the smallest has. */
static void ask_for(const struct slurm_machine *m, const uint64_t *nodes,
		    struct slurm_request *q)
{
	int32_t least = INT32_MAX, count = 0;

	memcpy(q->nodes, nodes, m->words * sizeof(*nodes));
	for (uint32_t i = 0; i < m->nodes; i++)
		if (has_node(nodes, i)) {
			least = MIN(least,
				    m->amount[m->kind_of[i] * m->resources]);
			count++;
		}
	if (q->tasks) {
		q->chunks = count;
		q->amount[0] = least * count;
	}
}

/* Whether the nodes are those of a group that the job may use, and enough of
 * them are up. */
static bool is_group(const struct slurm_machine *m,
		     const struct slurm_request *q, uint32_t group,
		     const uint64_t *nodes)
{
	int32_t up = 0;

	for (uint32_t i = 0; i < m->nodes; i++) {
		if (has_node(nodes, i) != may_take(q, group, i))
			return false;
		up += has_node(nodes, i) && has_node(m->up, i);
	}
	return up >= q->chunks;
}

/* Whether the nodes are up, and enough of each group and of all. */
static bool is_choice(const struct slurm_machine *m,
		      const struct slurm_request *q, const uint64_t *nodes)
{
	uint32_t in_group[NODE_GROUPS] = { 0 };
	struct choice c = { .q = q };
	bool is_good = true;

	for (uint32_t i = 0; i < m->nodes; i++) {
		if (!has_node(nodes, i))
			continue;
		is_good &= has_node(q->nodes, i) && has_node(m->up, i);
		c.tasks += tasks_on_node(m, q, i);
		c.chosen++;
		for (uint32_t g = 0; g < q->groups; g++)
			in_group[g] += has_node(q->group[g].nodes, i);
	}
	for (uint32_t g = 0; g < q->groups; g++)
		is_good &= in_group[g] >= q->group[g].count;
	return is_good && has_enough(&c) && c.chosen <= q->most;
}

bool keep_choice(const struct slurm_machine *m, const uint64_t *nodes,
		 struct slurm_request *q)
{
	bool is_good = !q->of_one && is_choice(m, q, nodes);

	for (uint32_t g = 0; q->of_one && g < q->groups; g++)
		is_good |= is_group(m, q, g, nodes);
	if (is_good)
		ask_for(m, nodes, q);
	return is_good;
}

/* When the last of the nodes that are up has what the job asks for. */
static int64_t last_start(const struct choice *c)
{
	size_t n = c->count;

	while (n && c->of[n - 1].start == FAIR_FOREVER)
		n--;
	return n ? c->of[n - 1].start : 0;
}

/*
 * Each round takes those that could start first at @t or later, each by itself.
 * They cannot start together before the last of them can: the next round goes
 * on there, until they can. Returns whether there are enough.
 */
static bool choose_first(const struct slurm_machine *m,
			 const struct fair_nodes *planned, int64_t t,
			 int64_t walltime, struct choice *c)
{
	bool is_good = false;

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < c->count; i++)
			c->of[i].start = find_start(m, planned, c->q,
						    c->of[i].node, t, walltime);
		qsort(c->of, c->count, sizeof(*c->of), compare_candidates);
		is_good = take_nodes(m, c);
		if (!is_good) /* better ones may be free by then */
			c->start = last_start(c);
		if (c->start <= t || c->start == FAIR_FOREVER)
			break;
		t = c->start;
	}
	return is_good;
}

/* All that there is to choose from. */
static void take_candidates(const struct slurm_machine *m, struct choice *c)
{
	memset(c->nodes, 0, m->words * sizeof(*c->nodes));
	for (size_t i = 0; i < c->count; i++)
		take(c, c->of + i);
}

void choose_nodes(const struct slurm_machine *m,
		  const struct fair_nodes *planned, int64_t now,
		  int64_t walltime, struct slurm_request *q)
{
	struct choice best = { .start = FAIR_FOREVER }, c;

	for (uint32_t g = 0; g < (q->of_one ? q->groups : 1); g++) {
		c = begin_choice(m, q, g);
		if (choose_first(m, planned, now, walltime, &c) &&
		    (!best.of || c.start < best.start)) {
			struct choice was = best;

			best = c;
			c = was;
		}
		free_choice(&c);
	}
	if (!best.of)
		q->why = "no nodes have what it asks for";
	else if (q->of_one)
		take_candidates(m, &best);
	if (best.of)
		ask_for(m, best.nodes, q);
	free_choice(&best);
}
