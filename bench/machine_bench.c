/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * machine_bench.c - machine.h against a plain sorted array of vectors
 *
 * usage: machine_bench [--quick] > FILE.csv
 *
 * The workload: K classes of R resources (R_K is the end of a case's name): 1024
 * processors, 4096 GiB of memory, and 1024 of each other one. A job asks for 1
 * to 512 processors, for 1/4 to 4 GiB each, and one in four for 1 to 512 of each
 * other resource; for 60 to 86,400 s, all log-uniform. Any class will do. Each
 * of n reservations is at its earliest start from 0. Then
 *
 * machine_query_R_K    earliest start of a random job
 * machine_change_R_K   a reserve at a known start, or a release: the mean
 * machine_settled_R_K  the same, each with a fair_machine_settle() after it
 * machine_stale_R_K    queries after 64 changes without fair_machine_settle()
 * machine_clone_R_K    a copy of all n reservations
 * machine_bytes_R_K    memory for each reservation
 *
 * machine_all_4_1      every job asks for 1 to 512 of each resource, drawn one
 *                      by one: all are equally scarce, and their windows rarely
 *                      meet
 * machine_comb         n windows of one resource, and n of another, which never
 *                      meet; the job needs both
 *
 * naive_...            the same on the array; compares all answers
 */
#define FAIRSCHED_STATIC
#define FAIR_MACHINE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "bench.h"
#include "machine.h"

enum { JOBS = 4096, BATCH = 256, NAIVE_BATCH = 32, GROUP = 16, ALL = 1024 };

struct job {
	int64_t start, walltime;
	uint32_t node_class;
	int32_t amount[FAIR_MACHINE_RESOURCES];
};

/* Steps of one class: an array for each resource. */
struct naive {
	int64_t *at; /* INT64_MAX follows the last */
	int32_t *free[FAIR_MACHINE_RESOURCES];
	size_t n;
};

struct world {
	uint32_t resources, classes;
	size_t n;
	struct fair_machine m;
	void *memory, *other;
	size_t bytes;
	struct naive naive[FAIR_MACHINE_CLASSES];
	struct job *asked; /* JOBS */
	size_t next;	   /* index in @asked */
	uint64_t random;
	bool all; /* ask for all resources */
};

static void must(int result)
{
	bench_must(!result, "a call failed");
}

/* Of each class; memory is in GiB, 4 for a processor. */
static int32_t amount_of(const struct world *w, uint32_t r)
{
	return r == 1 && !w->all ? 4 * ALL : ALL;
}

static void draw(struct world *w, struct job *j)
{
	uint32_t r;

	memset(j, 0, sizeof(*j));
	j->walltime = bench_log_uniform(&w->random, 60, 86400);
	j->amount[0] = (int32_t)bench_log_uniform(&w->random, 1, ALL / 2);
	for (r = 1; r < w->resources; r++) {
		int32_t n = (int32_t)bench_log_uniform(&w->random, 1, ALL / 2);

		if (w->all)
			j->amount[r] = n;
		else if (r == 1)
			j->amount[1] =
				1 +
				(int32_t)(j->amount[0] *
					  bench_log_uniform(&w->random, 1, 15) /
					  4);
		else if (bench_random(&w->random) % 4 == 0)
			j->amount[r] = n;
	}
}

static void open_world(struct world *w, uint32_t resources, uint32_t classes,
		       size_t steps)
{
	static int32_t amount[FAIR_MACHINE_RESOURCES * FAIR_MACHINE_CLASSES];
	struct fair_machine_config config;
	size_t i;

	for (i = 0; i < resources * classes; i++)
		amount[i] = amount_of(w, (uint32_t)(i % resources));
	config.resources = w->resources = resources;
	config.classes = w->classes = classes;
	config.wide = 0;
	config.amount = amount;
	w->random = 1;
	w->bytes = fair_machine_size(&config, steps);
	w->memory = bench_alloc(w->bytes);
	w->other = bench_alloc(w->bytes);
	must(fair_machine_init(&w->m, sizeof(w->m), w->memory, w->bytes,
			       &config, 0));
	w->asked = (struct job *)bench_alloc(JOBS * sizeof(*w->asked));
}

static void close_world(struct world *w)
{
	uint32_t k, r;

	for (k = 0; k < w->classes; k++) {
		free(w->naive[k].at);
		for (r = 0; r < w->resources; r++)
			free(w->naive[k].free[r]);
	}
	free(w->asked);
	free(w->memory);
	free(w->other);
}

static void earliest(const struct world *w, struct job *j)
{
	struct fair_machine_request request = { j->amount, NULL, 0 };

	must(fair_machine_earliest_start(&w->m, 0, j->walltime, &request,
					 &j->start, &j->node_class));
}

static void reserve(struct world *w, const struct job *j)
{
	must(fair_machine_reserve(&w->m, j->node_class, j->start, j->walltime,
				  j->amount));
}

static void release(struct world *w, const struct job *j)
{
	must(fair_machine_release(&w->m, j->node_class, j->start, j->walltime,
				  j->amount));
}

/* ---- the array ---- */

static void naive_build(struct world *w)
{
	int32_t amount[FAIR_MACHINE_RESOURCES];
	int64_t start, end = 0;
	uint32_t k, r;
	size_t room;

	for (k = 0; k < w->classes; k++) {
		struct naive *a = &w->naive[k];

		room = w->resources * fair_machine_steps(&w->m) + 2;
		a->at = (int64_t *)bench_alloc(room * sizeof(*a->at));
		for (r = 0; r < w->resources; r++)
			a->free[r] = (int32_t *)bench_alloc(
				room * sizeof(*a->free[r]));
		for (end = 0, a->n = 0; end < FAIR_FOREVER; a->n++) {
			must(fair_machine_step_at(&w->m, k, end, &start, &end,
						  amount));
			a->at[a->n] = start;
			a->at[a->n + 1] = end;
			for (r = 0; r < w->resources; r++)
				a->free[r][a->n] = amount[r];
		}
	}
}

static int64_t naive_class(const struct naive *a, uint32_t resources,
			   const struct job *j, int64_t before)
{
	int64_t t = 0;
	uint32_t r;
	size_t i;

	/* All amounts are free throughout [t, at[i]). */
	for (i = 0; i < a->n && t < before; i++) {
		for (r = 0; r < resources; r++)
			if (a->free[r][i] < j->amount[r])
				break;
		if (r < resources)
			t = a->at[i + 1];
		else if (a->at[i + 1] - t >= j->walltime)
			break;
	}
	return t < before ? t : before;
}

static int64_t naive_earliest(const struct world *w, const struct job *j)
{
	int64_t t = INT64_MAX;
	uint32_t k;

	for (k = 0; k < w->classes; k++)
		t = naive_class(&w->naive[k], w->resources, j, t);
	return t;
}

/* ---- runs ---- */

static struct job *next_job(struct world *w)
{
	return &w->asked[w->next++ % JOBS];
}

static void run_query(void *ctx)
{
	struct world *w = (struct world *)ctx;
	int i;

	for (i = 0; i < BATCH; i++) {
		struct job j = *next_job(w);

		earliest(w, &j);
		bench_sink += (uint64_t)j.start;
	}
}

static void run_naive(void *ctx)
{
	struct world *w = (struct world *)ctx;
	int i;

	for (i = 0; i < NAIVE_BATCH; i++)
		bench_sink += (uint64_t)naive_earliest(w, next_job(w));
}

/* Groups of jobs that can be reserved together at their starts. */
static void find_starts(struct world *w)
{
	size_t i, k;

	for (i = 0; i < JOBS; i += GROUP) {
		for (k = i; k < i + GROUP; k++) {
			earliest(w, &w->asked[k]);
			reserve(w, &w->asked[k]);
		}
		for (k = i; k < i + GROUP; k++)
			release(w, &w->asked[k]);
	}
	must(fair_machine_settle(&w->m));
}

static void change(struct world *w, bool settle)
{
	int i, k;

	for (i = 0; i < BATCH; i += GROUP) {
		size_t first = w->next % JOBS;

		for (k = 0; k < GROUP; k++) {
			reserve(w, next_job(w));
			if (settle)
				must(fair_machine_settle(&w->m));
		}
		w->next = first;
		for (k = 0; k < GROUP; k++) {
			release(w, next_job(w));
			if (settle)
				must(fair_machine_settle(&w->m));
		}
	}
}

static void run_change(void *ctx)
{
	change((struct world *)ctx, false);
}

static void run_settled(void *ctx)
{
	change((struct world *)ctx, true);
}

static void prepare_stale(void *ctx)
{
	struct world *w = (struct world *)ctx;
	int i;

	must(fair_machine_settle(&w->m));
	w->next = w->next / GROUP * GROUP;
	for (i = 0; i < 32 / GROUP; i++) {
		size_t k, first = w->next % JOBS;

		for (k = first; k < first + GROUP; k++)
			reserve(w, &w->asked[k]);
		for (k = first; k < first + GROUP; k++)
			release(w, &w->asked[k]);
		w->next += GROUP;
	}
}

static void run_clone(void *ctx)
{
	struct world *w = (struct world *)ctx;
	struct fair_machine copy;

	must(fair_machine_clone(&copy, w->other, w->bytes, &w->m));
}

static void compare(const struct world *w)
{
	int i;

	for (i = 0; i < 512; i++) {
		struct job j = w->asked[i];
		int64_t t = naive_earliest(w, &j);

		earliest(w, &j);
		bench_must(j.start == t, "not the same start");
	}
}

/* ---- cases ---- */

static char names[16][48];

static const char *name_of(const char *what, const struct world *w)
{
	static size_t n;
	char *name = names[n++ % 16];

	snprintf(name, sizeof(names[0]), "%s_%u_%u", what, w->resources,
		 w->classes);
	return name;
}

static void fill(struct world *w, size_t n)
{
	struct job j;
	size_t i;

	w->n = n;
	for (i = 0; i < n; i++) {
		draw(w, &j);
		earliest(w, &j);
		reserve(w, &j);
		if (i % 64 == 0)
			must(fair_machine_settle(&w->m));
	}
	must(fair_machine_settle(&w->m));
	for (i = 0; i < JOBS; i++)
		draw(w, &w->asked[i]);
	naive_build(w);
	compare(w);
}

static void bench_queries(struct world *w, const char *what)
{
	char naive[48];
	struct bench_case c = { NULL, w->n, 0, NULL, NULL, 0, 0 };

	snprintf(naive, sizeof(naive), "naive_%s", what);
	c.name = naive;
	c.ops = NAIVE_BATCH;
	c.run = run_naive;
	bench_run(&c, w);
	c.name = what;
	c.ops = BATCH;
	c.run = run_query;
	bench_run(&c, w);
}

static double bench_workload(uint32_t resources, uint32_t classes, size_t n,
			     double one)
{
	bool asked = resources == 4 && classes == 1 && n == 10000;
	struct world *w = (struct world *)bench_alloc(sizeof(*w));
	struct bench_case c = { NULL, n, BATCH, run_query, NULL, 0, 0 };
	double query;

	open_world(w, resources, classes, 2 * n + 1 + 2 * GROUP);
	fill(w, n);
	c.name = name_of("naive_machine_query", w);
	c.ops = NAIVE_BATCH;
	c.run = run_naive;
	bench_run(&c, w);
	c.name = name_of("machine_query", w);
	c.ops = BATCH;
	c.run = run_query;
	c.ratio = asked ? 40 : 0;
	query = bench_run(&c, w);
	c.ratio = 0;
	if (asked)
		bench_value("machine_query_over_one", n, "times", query / one,
			    5);
	find_starts(w);
	c.name = name_of("machine_change", w);
	c.ops = 2 * BATCH;
	c.run = run_change;
	bench_run(&c, w);
	c.name = name_of("machine_settled", w);
	c.run = run_settled;
	bench_run(&c, w);
	c.name = name_of("machine_stale", w);
	c.ops = BATCH;
	c.run = run_query;
	c.prepare = prepare_stale;
	bench_run(&c, w);
	c.prepare = NULL;
	must(fair_machine_settle(&w->m));
	c.name = name_of("machine_clone", w);
	c.ops = 1;
	c.run = run_clone;
	bench_run(&c, w);
	bench_must(!fair_machine_check(&w->m), "an invariant is broken");
	bench_value(name_of("machine_bytes", w), n, "bytes",
		    (double)w->bytes / (double)n, 0);
	close_world(w);
	free(w);
	return query;
}

static void bench_all(size_t n)
{
	struct world *w = (struct world *)bench_alloc(sizeof(*w));

	w->all = true;
	open_world(w, 4, 1, 2 * n + 1);
	fill(w, n);
	bench_queries(w, "machine_all_4_1");
	close_world(w);
	free(w);
}

static void take(struct world *w, int64_t start, int64_t end, int32_t procs,
		 int32_t gpus)
{
	int32_t amount[2];

	amount[0] = procs;
	amount[1] = gpus;
	must(fair_machine_reserve(&w->m, 0, start, end - start, amount));
}

/* Windows of an hour, of processors and of GPUs in turn. */
static void bench_comb(size_t n)
{
	struct world *w = (struct world *)bench_alloc(sizeof(*w));
	int64_t t = 0;
	size_t i;

	w->all = true;
	open_world(w, 2, 1, 4 * n + 10);
	w->n = n;
	for (i = 0; i < n; i++, t += 7200) {
		take(w, t, t + 3600, ALL, 0);
		take(w, t + 3600, t + 7200, 0, ALL);
	}
	for (i = 0; i < JOBS; i++) {
		w->asked[i].walltime = 1800;
		w->asked[i].amount[0] = w->asked[i].amount[1] = 100;
	}
	must(fair_machine_settle(&w->m));
	naive_build(w);
	bench_queries(w, "machine_comb");
	close_world(w);
	free(w);
}

int main(int argc, char **argv)
{
	static const uint32_t resources[] = { 1, 2, 4, 8 };
	static const uint32_t classes[] = { 1, 4, 16 };
	size_t n, k, r;
	double one = 0, query;

	bench_open(argc, argv);
	for (n = 100; n <= 100000; n *= 10) {
		if (bench_asked.quick && n > 10000)
			break;
		for (k = 0; k < 3; k++)
			for (r = 0; r < 4; r++) {
				if (bench_asked.quick && k && r % 2 == 0)
					continue;
				query = bench_workload(resources[r], classes[k],
						       n, one);
				if (!k && !r)
					one = query;
			}
	}
	bench_all(10000);
	bench_comb(10000);
	return 0;
}
