/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_bench.c - profile.h against a plain sorted array
 *
 * usage: profile_bench [--quick] > FILE.csv
 *
 * The workload: P processors (1024 or 100,000, the end of a case's name); jobs
 * of 1 to P/2 processors and of 60 to 86,400 s, both log-uniform; each of n
 * reservations is at its earliest start from 0. Then
 *
 * profile_query_P     earliest start of a random job
 * profile_change_P    a reserve at a known start, or a release: the mean
 * profile_settled_P   the same, each with a fair_profile_settle() after it
 * profile_stale_P     queries after 64 changes without fair_profile_settle()
 * profile_compress_P  releases the first job, then moves each later one, in the
 *                     order of starts, to its earliest start: time for a move
 * profile_bytes_P     memory for each step
 *
 * profile_easy        earliest start among n running jobs without reservations
 * profile_comb_short  n windows, each one second too short
 * profile_comb_narrow n windows, each one processor too narrow
 * profile_comb_both   the same, and wide windows of one second between them:
 *                     no index entry helps
 * profile_wall        a change that covers all n steps
 * profile_clone       copies n reservations, in memory for a million steps
 *
 * naive_...           the same on naive_profile.h; compares all answers
 */
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#include "bench.h"
#include "profile.h"
#include "naive_profile.h"

enum { JOBS = 8192, BATCH = 512, NAIVE_BATCH = 128, GROUP = 16 };

struct job {
	int64_t start, walltime;
	int32_t procs;
};

struct world {
	int32_t procs;
	size_t n, steps;
	struct fair_profile p;
	struct naive_profile naive;
	void *memory, *other;
	size_t bytes;
	struct job *job;   /* reserved, in the order of starts */
	struct job *asked; /* JOBS, to query or to reserve and release */
	size_t next;	   /* index in @asked */
	uint64_t random;
};

static void must(int result)
{
	bench_must(!result, "a call failed");
}

static struct job *draw(struct world *w, size_t n)
{
	struct job *j = (struct job *)bench_alloc(n * sizeof(*j));
	size_t i;

	for (i = 0; i < n; i++) {
		j[i].procs =
			(int32_t)bench_log_uniform(&w->random, 1, w->procs / 2);
		j[i].walltime = bench_log_uniform(&w->random, 60, 86400);
	}
	return j;
}

static void open_world(struct world *w, int32_t procs, size_t steps)
{
	memset(w, 0, sizeof(*w));
	w->procs = procs;
	w->steps = steps;
	w->random = 1;
	w->bytes = fair_profile_size(steps);
	w->memory = bench_alloc(w->bytes);
	must(fair_profile_init(&w->p, sizeof(w->p), w->memory, w->bytes, procs,
			       0));
	bench_must(!naive_init(&w->naive, steps, procs), "out of memory");
}

static void close_world(struct world *w)
{
	naive_done(&w->naive);
	free(w->memory);
	free(w->job);
	free(w->asked);
}

static void take(struct world *w, int64_t start, int64_t walltime,
		 int32_t procs)
{
	must(fair_profile_reserve(&w->p, start, walltime, procs));
	bench_must(naive_add(&w->naive, start, walltime, -procs, w->procs),
		   "naive is full");
}

static int by_start(const void *a, const void *b)
{
	const struct job *x = (const struct job *)a;
	const struct job *y = (const struct job *)b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Makes groups of jobs that can be reserved together at their starts. */
static void find_starts(struct world *w)
{
	size_t i, k;

	for (i = 0; i < JOBS; i += GROUP) {
		for (k = i; k < i + GROUP; k++) {
			struct job *j = &w->asked[k];

			must(fair_profile_earliest_start(&w->p, 0, j->walltime,
							 j->procs, &j->start));
			must(fair_profile_reserve(&w->p, j->start, j->walltime,
						  j->procs));
		}
		for (k = i; k < i + GROUP; k++) {
			const struct job *j = &w->asked[k];

			must(fair_profile_release(&w->p, j->start, j->walltime,
						  j->procs));
		}
		fair_profile_settle(&w->p);
	}
}

static void build(struct world *w, int32_t procs, size_t n)
{
	size_t i;

	open_world(w, procs, 2 * n + 1 + 2 * GROUP);
	w->n = n;
	w->job = draw(w, n);
	w->asked = draw(w, JOBS);
	for (i = 0; i < n; i++) {
		struct job *j = &w->job[i];

		must(fair_profile_earliest_start(&w->p, 0, j->walltime,
						 j->procs, &j->start));
		must(fair_profile_reserve(&w->p, j->start, j->walltime,
					  j->procs));
		fair_profile_settle(&w->p);
	}
	qsort(w->job, n, sizeof(w->job[0]), by_start);
	for (i = 0; i < n; i++)
		bench_must(naive_add(&w->naive, w->job[i].start,
				     w->job[i].walltime, -w->job[i].procs,
				     procs),
			   "naive is full");
	bench_must(w->naive.n == fair_profile_steps(&w->p),
		   "not the same steps");
	find_starts(w);
}

/* Takes the next jobs of @asked. */
static const struct job *some(struct world *w, size_t n)
{
	if (w->next + n > JOBS)
		w->next = 0;
	w->next += n;
	return w->asked + w->next - n;
}

static void run_query(void *ctx)
{
	struct world *w = (struct world *)ctx;
	const struct job *j = some(w, BATCH);
	int64_t start = 0;
	size_t i;

	for (i = 0; i < BATCH; i++) {
		fair_profile_earliest_start(&w->p, 0, j[i].walltime, j[i].procs,
					    &start);
		bench_sink += (uint64_t)start;
	}
}

static void naive_query(void *ctx)
{
	struct world *w = (struct world *)ctx;
	const struct job *j = some(w, NAIVE_BATCH);
	size_t i;

	for (i = 0; i < NAIVE_BATCH; i++)
		bench_sink += (uint64_t)naive_earliest(
			&w->naive, 0, j[i].walltime, j[i].procs);
}

static void compare_queries(struct world *w)
{
	size_t i, n = w->n > 10000 ? 64 : 1024;
	int64_t start = 0;

	for (i = 0; i < n; i++) {
		const struct job *j = &w->asked[i];

		must(fair_profile_earliest_start(&w->p, 0, j->walltime,
						 j->procs, &start));
		bench_must(start == naive_earliest(&w->naive, 0, j->walltime,
						   j->procs),
			   "not the same start");
	}
}

static void run_change(void *ctx)
{
	struct world *w = (struct world *)ctx;
	const struct job *j = some(w, BATCH);
	size_t i, k;

	for (i = 0; i < BATCH; i += GROUP, j += GROUP) {
		for (k = 0; k < GROUP; k++)
			bench_sink += (uint64_t)fair_profile_reserve(
				&w->p, j[k].start, j[k].walltime, j[k].procs);
		for (k = 0; k < GROUP; k++)
			bench_sink += (uint64_t)fair_profile_release(
				&w->p, j[k].start, j[k].walltime, j[k].procs);
	}
}

static void run_settled(void *ctx)
{
	struct world *w = (struct world *)ctx;
	const struct job *j = some(w, BATCH);
	size_t i, k;

	for (i = 0; i < BATCH; i += GROUP, j += GROUP) {
		for (k = 0; k < GROUP; k++) {
			bench_sink += (uint64_t)fair_profile_reserve(
				&w->p, j[k].start, j[k].walltime, j[k].procs);
			fair_profile_settle(&w->p);
		}
		for (k = 0; k < GROUP; k++) {
			bench_sink += (uint64_t)fair_profile_release(
				&w->p, j[k].start, j[k].walltime, j[k].procs);
			fair_profile_settle(&w->p);
		}
	}
}

static void naive_change(void *ctx)
{
	struct world *w = (struct world *)ctx;
	const struct job *j = some(w, BATCH);
	size_t i, k;

	for (i = 0; i < BATCH; i += GROUP, j += GROUP) {
		for (k = 0; k < GROUP; k++)
			bench_sink +=
				naive_add(&w->naive, j[k].start, j[k].walltime,
					  -j[k].procs, w->procs);
		for (k = 0; k < GROUP; k++)
			bench_sink +=
				naive_add(&w->naive, j[k].start, j[k].walltime,
					  j[k].procs, w->procs);
	}
}

/* Makes 64 changes without fair_profile_settle(). */
static void prepare_stale(void *ctx)
{
	struct world *w = (struct world *)ctx;
	const struct job *j = some(w, BATCH);
	size_t i, k;

	fair_profile_settle(&w->p);
	for (i = 0; i < 32; i += GROUP, j += GROUP) {
		for (k = 0; k < GROUP; k++)
			must(fair_profile_reserve(&w->p, j[k].start,
						  j[k].walltime, j[k].procs));
		for (k = 0; k < GROUP; k++)
			must(fair_profile_release(&w->p, j[k].start,
						  j[k].walltime, j[k].procs));
	}
}

/* Copies the profile, to compress the copy. */
static void prepare_compress(void *ctx)
{
	struct world *w = (struct world *)ctx;

	must(fair_profile_clone(&w[1].p, w[1].memory, w[1].bytes, &w[0].p));
}

static uint64_t compress(struct world *w)
{
	struct fair_profile *p = &w[1].p;
	const struct job *j = w->job;
	uint64_t sum = 0;
	size_t i;

	must(fair_profile_release(p, j[0].start, j[0].walltime, j[0].procs));
	for (i = 1; i < w->n; i++) {
		int64_t start = 0;

		fair_profile_earlier_start(p, 0, INT64_MAX, j[i].walltime,
					   j[i].procs, j[i].start, &start);
		sum += (uint64_t)start;
		if (start == j[i].start)
			continue;
		must(fair_profile_release(p, j[i].start, j[i].walltime,
					  j[i].procs));
		must(fair_profile_reserve(p, start, j[i].walltime, j[i].procs));
		fair_profile_settle(p);
	}
	return sum;
}

static void run_compress(void *ctx)
{
	bench_sink += compress((struct world *)ctx);
}

static void naive_prepare(void *ctx)
{
	struct world *w = (struct world *)ctx;

	naive_copy(&w[1].naive, &w[0].naive);
}

static uint64_t naive_compress(struct world *w)
{
	struct naive_profile *p = &w[1].naive;
	const struct job *j = w->job;
	uint64_t sum = 0;
	size_t i;

	naive_add(p, j[0].start, j[0].walltime, j[0].procs, w->procs);
	for (i = 1; i < w->n; i++) {
		int64_t start;

		naive_add(p, j[i].start, j[i].walltime, j[i].procs, w->procs);
		start = naive_earliest(p, 0, j[i].walltime, j[i].procs);
		naive_add(p, start, j[i].walltime, -j[i].procs, w->procs);
		sum += (uint64_t)start;
	}
	return sum;
}

static void run_naive_compress(void *ctx)
{
	bench_sink += naive_compress((struct world *)ctx);
}

/* The targets at 4.2 GHz for n = 100, 1,000, ... and 1024 processors. */
struct target {
	double query, query_ratio, change, change_ratio, job, job_ratio;
};

static const struct target targets[] = {
	{ 0, 1, 0, 1.2, 0, 0 },	    { 60, 4, 55, 2, 0, 2.2 },
	{ 80, 85, 60, 5, 240, 16 }, { 200, 550, 75, 18, 280, 0 },
	{ 1000, 0, 90, 0, 0, 0 },
};

static void bench_workload(int32_t procs, size_t n, const struct target *t)
{
	char name[6][40];
	const char *what[6] = { "query", "change",   "settled",
				"stale", "compress", "bytes" };
	double more = procs > 1024 ? 1.5 : 1;
	struct world w[2];
	int i;

	for (i = 0; i < 6; i++)
		snprintf(name[i], sizeof(name[i]), "naive_profile_%s_%d",
			 what[i], (int)procs);
	build(&w[0], procs, n);
	open_world(&w[1], procs, w[0].steps);
	compare_queries(&w[0]);
	if (n <= 100000) {
		const struct bench_case c[] = {
			{ name[0], n, NAIVE_BATCH, naive_query, NULL, 0, 0 },
			{ name[1], n, 2 * BATCH, naive_change, NULL, 0, 0 },
			{ name[4], n, n, run_naive_compress, naive_prepare, 0,
			  0 },
		};

		bench_run(&c[0], w);
		bench_run(&c[1], w);
		if (n <= 10000)
			bench_run(&c[2], w);
	}
	{
		const struct bench_case c[] = {
			{ name[0] + 6, n, BATCH, run_query, NULL,
			  t->query * more, t->query_ratio / more },
			{ name[1] + 6, n, 2 * BATCH, run_change, NULL,
			  t->change * more, t->change_ratio / more },
			{ name[2] + 6, n, 2 * BATCH, run_settled, NULL, 0, 0 },
			{ name[3] + 6, n, BATCH, run_query, prepare_stale, 0,
			  0 },
			{ name[4] + 6, n, n, run_compress, prepare_compress,
			  t->job * more, t->job_ratio / more },
		};

		bench_run(&c[0], w);
		bench_run(&c[1], w);
		bench_run(&c[2], w);
		bench_run(&c[3], w);
		fair_profile_settle(&w[0].p);
		bench_run(&c[4], w);
	}
	if (n <= 10000) {
		prepare_compress(w);
		naive_prepare(w);
		bench_must(compress(w) == naive_compress(w),
			   "not the same compression");
	}
	bench_must(!fair_profile_check(&w[0].p), "an invariant is broken");
	bench_value(name[5] + 6, n, "bytes",
		    (double)fair_profile_size(2 * n + 1) / (double)(2 * n + 1),
		    n >= 1000 ? 24 : 0);
	close_world(&w[1]);
	close_world(&w[0]);
}

static void bench_asked_jobs(struct world *w, const char *naive_name,
			     double target)
{
	const struct bench_case c[] = {
		{ naive_name, w->n, NAIVE_BATCH, naive_query, NULL, 0, 0 },
		{ naive_name + 6, w->n, BATCH, run_query, NULL, target, 0 },
	};

	fair_profile_settle(&w->p);
	compare_queries(w);
	bench_run(&c[0], w);
	bench_run(&c[1], w);
	bench_must(!fair_profile_check(&w->p), "an invariant is broken");
	close_world(w);
}

/* A profile of n running jobs without reservations. */
static void bench_easy(size_t n)
{
	struct world w;
	size_t i;

	open_world(&w, 100000, 2 * n + 1);
	w.n = n;
	for (i = 0; i < n; i++)
		take(&w, 0, bench_log_uniform(&w.random, 60, 86400),
		     (int32_t)(100000 / n));
	w.asked = draw(&w, JOBS);
	for (i = 0; i < JOBS; i++)
		w.asked[i].procs =
			(int32_t)bench_log_uniform(&w.random, 1, 100000);
	bench_asked_jobs(&w, "naive_profile_easy", 0);
}

/* A profile of n windows of 3,600 s and 100 processors; the job fits none. */
static void bench_comb(size_t n, const char *naive_name, int64_t walltime,
		       int32_t procs, bool wide, double target)
{
	struct world w;
	int64_t t;
	size_t i;

	open_world(&w, 1024, 4 * n + 10);
	w.n = n;
	for (i = 0, t = 0; i < n; i++, t += 3602) {
		take(&w, t, 3600, 924);
		take(&w, t + 3600, 1, 1024);
		if (!wide)
			take(&w, t + 3601, 1, 1024);
	}
	w.asked = draw(&w, JOBS);
	for (i = 0; i < JOBS; i++) {
		w.asked[i].walltime = walltime;
		w.asked[i].procs = procs;
	}
	bench_asked_jobs(&w, naive_name, target);
}

static void run_wall(void *ctx)
{
	struct world *w = (struct world *)ctx;

	must(fair_profile_reserve(&w->p, 0, (int64_t)w->n * 20, 1));
	must(fair_profile_release(&w->p, 0, (int64_t)w->n * 20, 1));
}

static void naive_wall(void *ctx)
{
	struct world *w = (struct world *)ctx;

	bench_must(naive_add(&w->naive, 0, (int64_t)w->n * 20, -1, 9) &&
			   naive_add(&w->naive, 0, (int64_t)w->n * 20, 1, 9),
		   "naive is full");
}

static void bench_wall(size_t n)
{
	const struct bench_case c[] = {
		{ "naive_profile_wall", n, 2, naive_wall, NULL, 0, 0 },
		{ "profile_wall", n, 2, run_wall, NULL, 0, 0 },
	};
	struct world w;
	size_t i;

	open_world(&w, 9, 2 * n + 10);
	w.n = n;
	for (i = 0; i < n; i++)
		take(&w, (int64_t)i * 20, 10, 1);
	bench_run(&c[0], &w);
	bench_run(&c[1], &w);
	close_world(&w);
}

static void bench_clone(size_t n)
{
	const struct bench_case c = {
		"profile_clone",  n, 1, prepare_compress, NULL,
		20.0 * (double)n, 0
	};
	struct world w[2];

	build(&w[0], 1024, n);
	open_world(&w[1], 1024, 1000000);
	bench_run(&c, w);
	close_world(&w[1]);
	close_world(&w[0]);
}

int main(int argc, char **argv)
{
	size_t n, i;

	bench_open(argc, argv);
	for (n = 100, i = 0; n <= 1000000; n *= 10, i++) {
		if (bench_asked.quick && n > 10000)
			break;
		bench_workload(1024, n, &targets[i]);
		bench_workload(100000, n, &targets[i]);
	}
	bench_easy(100);
	bench_easy(1000);
	/* The target is four times that of a query of the workload. */
	bench_comb(10000, "naive_profile_comb_short", 3601, 100, false, 320);
	bench_comb(10000, "naive_profile_comb_narrow", 3600, 101, false, 320);
	bench_comb(10000, "naive_profile_comb_both", 3600, 101, true, 0);
	bench_wall(10000);
	bench_clone(1000);
	return 0;
}
