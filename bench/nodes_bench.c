/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_bench.c - nodes.h against a plain sweep over the timelines of all nodes
 *
 * usage: nodes_bench [--quick] > FILE.csv
 *
 * The workload: N nodes (the end of a case's name) of 64 processors, 256 GiB
 * and 4 GPUs. A job asks for 1 to 16 chunks of 1 to 64 processors, of 1 to 4
 * GiB for each, one in four of 1 to 4 GPUs; one in ten is exclusive; for 60 to
 * 86,400 s, all log-uniform. Each of n reservations is at its earliest start
 * from 0, by bestfit. Then
 *
 * nodes_one_N      earliest start of a random chunk
 * nodes_many_N     of 16 equal chunks
 * nodes_whole_N    of 4 whole nodes
 * nodes_place_N    the same as nodes_many, and the nodes of it
 * nodes_change_N   a reserve on known nodes, or a release, of a job of the
 *                  workload: the mean
 * nodes_settle_N   a fair_nodes_settle() after each of these changes
 * nodes_clone_N    a copy of all n reservations
 * nodes_bytes_N    memory for each node of a reservation
 *
 * naive_...        by naive_nodes.h. Compares all answers
 */
#define FAIRSCHED_STATIC
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "bench.h"
#include "naive_nodes.h"
#include "nodes.h"

enum { ASKED = 512, BATCH = 64, NAIVE_BATCH = 4, SLOTS = 3 * ASKED,
       R = NAIVE_RESOURCES };

struct job {
	struct fair_nodes_request q;
	int32_t amount[R];
	int64_t walltime, start;
};

struct world {
	struct fair_nodes n;
	void *memory, *other;
	size_t bytes, jobs, next;
	uint64_t random, parts;
	struct job asked[SLOTS]; /* by slot: of one chunk, many, whole nodes */
	struct job draft;
	uint32_t first; /* slot of those that are asked */
	struct naive_nodes naive;
};

static void must(int result)
{
	bench_must(!result, "a call failed");
}

static void draw(struct world *w, struct job *j, int32_t chunks)
{
	memset(j, 0, sizeof(*j));
	j->q.chunks = chunks;
	j->walltime = bench_log_uniform(&w->random, 60, 86400);
	j->amount[0] = (int32_t)bench_log_uniform(&w->random, 1, 64);
	j->amount[1] = (int32_t)(j->amount[0] *
				 bench_log_uniform(&w->random, 1, 4));
	if (bench_random(&w->random) % 4 == 0)
		j->amount[2] = (int32_t)bench_log_uniform(&w->random, 1, 4);
}

static void set(struct world *w, uint32_t slot, struct job *j)
{
	j->q.amount = j->amount;
	must(fair_nodes_set_job(&w->n, slot, &j->q));
}

static void reserve(struct world *w, uint32_t slot, struct job *j)
{
	must(fair_nodes_earliest_start(&w->n, slot, 0, j->walltime,
				       &j->start));
	must(fair_nodes_choose(&w->n, slot, j->start, j->walltime));
	must(fair_nodes_reserve(&w->n, slot, j->start, j->walltime));
}

static void fill(struct world *w, size_t jobs)
{
	struct job *j = &w->draft;
	uint32_t i;

	for (i = 0; i < jobs; i++) {
		draw(w, j, (int32_t)bench_log_uniform(&w->random, 1, 16));
		j->q.exclusive = bench_random(&w->random) % 10 == 0;
		set(w, SLOTS + i, j);
		reserve(w, SLOTS + i, j);
		w->parts += fair_nodes_parts(&w->n, SLOTS + i);
		if (i % 16 == 0)
			must(fair_nodes_settle(&w->n));
	}
	must(fair_nodes_settle(&w->n));
	for (i = 0; i < SLOTS; i++) {
		j = &w->asked[i];
		draw(w, j, i < ASKED ? 1 : i < 2 * ASKED ? 16 : 4);
		j->q.exclusive = i >= 2 * ASKED;
		set(w, i, j);
	}
}

/* ---- the arrays ---- */

static void naive_build(struct world *w)
{
	int64_t start, end;
	struct naive_line *l;
	uint32_t i;

	memset(&w->naive, 0, sizeof(w->naive));
	w->naive.classes = 1;
	w->naive.first[1] = w->n.nodes;
	for (i = 0; i < R; i++)
		w->naive.has[0][i] = fair_nodes_whole(&w->n, 0, i);
	must(naive_nodes_open(&w->naive));
	for (i = 0; i < w->n.nodes; i++) {
		l = w->naive.line + i;
		for (l->n = 0, end = 0; end < FAIR_FOREVER; l->n++) {
			must(naive_line_grow(l, 1));
			must(fair_nodes_step_at(&w->n, i, end, &start, &end,
						l->step[l->n].free));
			l->step[l->n].at = start;
			l->step[l->n + 1].at = end;
		}
	}
}

static int64_t naive(struct world *w, const struct job *j)
{
	struct naive_request q;
	uint32_t k;

	memset(&q, 0, sizeof(q));
	memcpy(q.amount, j->amount, sizeof(q.amount));
	q.chunks = j->q.chunks;
	q.exclusive = j->q.exclusive;
	q.walltime = j->walltime;
	return naive_nodes_earliest(&w->naive, &q, 0, &k);
}

/* ---- runs ---- */

static uint32_t next_slot(struct world *w)
{
	return w->first + (uint32_t)(w->next++ % ASKED);
}

static void run_query(void *ctx)
{
	struct world *w = (struct world *)ctx;
	int64_t t = 0;
	int i;

	for (i = 0; i < BATCH; i++) {
		uint32_t slot = next_slot(w);

		must(fair_nodes_earliest_start(&w->n, slot, 0,
					       w->asked[slot].walltime, &t));
		bench_sink += (uint64_t)t;
	}
}

static void run_place(void *ctx)
{
	struct world *w = (struct world *)ctx;
	int64_t t = 0;
	int i;

	for (i = 0; i < BATCH; i++) {
		uint32_t slot = next_slot(w);
		const struct job *j = &w->asked[slot];

		must(fair_nodes_earliest_start(&w->n, slot, 0, j->walltime,
					       &t));
		must(fair_nodes_choose(&w->n, slot, t, j->walltime));
	}
}

static void run_naive(void *ctx)
{
	struct world *w = (struct world *)ctx;
	int i;

	for (i = 0; i < NAIVE_BATCH; i++)
		bench_sink += (uint64_t)naive(w, &w->asked[next_slot(w)]);
}

static void change(struct world *w, bool settle)
{
	uint32_t slot = w->first + (uint32_t)(w->next++ % ASKED), i;
	struct job *j = &w->asked[slot];

	must(fair_nodes_earliest_start(&w->n, slot, 0, j->walltime, &j->start));
	must(fair_nodes_choose(&w->n, slot, j->start, j->walltime));
	for (i = 0; i < BATCH / 2; i++) {
		must(fair_nodes_reserve(&w->n, slot, j->start, j->walltime));
		if (settle)
			must(fair_nodes_settle(&w->n));
		must(fair_nodes_release(&w->n, slot, j->start, j->walltime));
		if (settle)
			must(fair_nodes_settle(&w->n));
	}
}

static void run_change(void *ctx)
{
	change((struct world *)ctx, false);
}

static void run_settle(void *ctx)
{
	change((struct world *)ctx, true);
}

static void run_clone(void *ctx)
{
	struct world *w = (struct world *)ctx;
	struct fair_nodes copy;

	must(fair_nodes_clone(&copy, w->other, w->bytes, w->n.jobs,
			      w->n.parts, &w->n));
}

static void compare(struct world *w)
{
	uint32_t i;
	int64_t t = 0;

	for (i = 0; i < SLOTS; i += w->n.nodes > 100 ? 16 : 1) {
		const struct job *j = &w->asked[i];

		must(fair_nodes_earliest_start(&w->n, i, 0, j->walltime, &t));
		bench_must(t == naive(w, j), "not the same start");
	}
}

/* ---- cases ---- */

static void bench_case(struct world *w, const char *name, uint32_t first,
		       void (*run)(void *ctx), size_t ops, double ratio)
{
	struct bench_case c = { NULL, w->jobs, ops, run, NULL, 0, ratio };
	char text[96];

	snprintf(text, sizeof(text), "%s_%u", name, w->n.nodes);
	c.name = text;
	w->first = first;
	w->next = 0;
	bench_run(&c, w);
}

static void bench_queries(struct world *w, const char *kind, uint32_t first,
			  double ratio)
{
	char name[64];

	snprintf(name, sizeof(name), "naive_nodes_%s", kind);
	bench_case(w, name, first, run_naive, NAIVE_BATCH, 0);
	snprintf(name, sizeof(name), "nodes_%s", kind);
	bench_case(w, name, first, run_query, BATCH, ratio);
}

static void bench_world(int32_t nodes, size_t jobs)
{
	bool asked = nodes == 1024 && jobs == 10000;
	struct world *w = (struct world *)bench_alloc(sizeof(*w));
	const int32_t amount[] = { 64, 256, 4 };
	struct fair_nodes_config config = { R, 1, 0, 0, &nodes, amount, false };
	uint32_t slots = (uint32_t)(SLOTS + jobs);
	uint32_t parts = (uint32_t)(16 * jobs + 16 * SLOTS);
	char name[64];

	w->random = 1;
	w->jobs = jobs;
	w->bytes = fair_nodes_size(&config, slots, parts);
	w->memory = bench_alloc(w->bytes);
	w->other = bench_alloc(w->bytes);
	must(fair_nodes_init(&w->n, sizeof(w->n), w->memory, w->bytes, &config,
			     slots, parts, 0));
	fill(w, jobs);
	naive_build(w);
	compare(w);
	bench_queries(w, "one", 0, asked ? 50 : 0);
	bench_queries(w, "many", ASKED, asked ? 30 : 0);
	bench_queries(w, "whole", 2 * ASKED, asked ? 30 : 0);
	bench_case(w, "nodes_place", ASKED, run_place, BATCH, 0);
	bench_case(w, "nodes_change", ASKED, run_change, BATCH, 0);
	bench_case(w, "nodes_settle", ASKED, run_settle, BATCH, 0);
	bench_case(w, "nodes_clone", 0, run_clone, 1, 0);
	snprintf(name, sizeof(name), "nodes_bytes_%d", nodes);
	bench_value(name, jobs, "bytes",
		    (double)(fair_nodes_size(&config, slots, parts) -
			     fair_nodes_size(&config, slots, 0)) /
			    parts, 0);
	bench_must(!fair_nodes_check(&w->n), "an invariant is broken");
	naive_nodes_close(&w->naive);
	free(w->memory);
	free(w->other);
	free(w);
}

int main(int argc, char **argv)
{
	static const int32_t nodes[] = { 64, 1024, 8192 };
	size_t jobs;
	int i;

	bench_open(argc, argv);
	for (jobs = 100; jobs <= 100000; jobs *= 10) {
		if (bench_asked.quick && jobs > 10000)
			break;
		for (i = 0; i < 3; i++)
			bench_world(nodes[i], jobs);
	}
	return 0;
}
