/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A forecast is of samples: the 10th, 50th and 90th percentile by nearest
 * rank, each sample drawn by the published hash of its seed; and no more samples
 * than its confidence intervals ask for.
 */
#include <math.h>

#define FAIRSCHED_IMPLEMENTATION
#include "tests/asked.h"
#include "tests/site.h"

struct checked {
	uint64_t seed, sample;
	uint32_t asked;
};

/* Splitmix64, as published. */
static uint64_t mix(uint64_t x)
{
	x -= UINT64_C(0x9e3779b97f4a7c15);
	return test_random(&x);
}

/* Of 1, at first, and of 2 as it starts; both end at once. */
static int64_t draw_checked(void *context, const struct fair_job_status *job,
		    uint64_t random)
{
	struct checked *d = context;

	TEST_CHECK(random == mix(d->seed +
				 d->sample * UINT64_C(0x9e3779b97f4a7c15) +
				 mix(job->job.number)));
	d->sample += job->job.number == 2;
	d->asked++;
	return INT64_MIN;
}

TEST(samples_are_drawn_by_their_seed)
{
	struct checked d = { 7, 0, 0 };
	struct fair_draw how = { draw_checked, &d, 7, 3 };
	struct fair_forecast f;
	struct site x;
	size_t bytes;
	char *memory;

	TEST_CHECK(fair_sample_mix(UINT64_C(0x9e3779b97f4a7c15)) ==
		   UINT64_C(0xe220a8397b1dcdaf));
	open_site(&x, FAIR_BACKFILL, 10);
	x.config.origin = -100;
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	enqueue_of(&x.s, 1, 0, 0, 10);
	enqueue_of(&x.s, 2, 0, 0, 10);
	TEST_EQ(started(&x.s, -100), 1);
	bytes = fair_sched_forecast_size(&x.config, 3);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_forecast(&x.s, 2, &how, memory, bytes, &f), 0);
	TEST_EQ(f.p10, -100);
	TEST_EQ(f.p90, -100);
	TEST_EQ(d.asked, 6);
	free(memory);
	close_site(&x);
}

/* The k-th sample of job 1 runs for k seconds. */
static int64_t one_second_more(void *context, const struct fair_job_status *job,
			       uint64_t random)
{
	int64_t *k = context;

	(void)random;
	return job->job.number == 1 ? ++*k : 1;
}

/* The first of which so many percent of n are no larger. */
static int64_t of_percent(int64_t n, int64_t percent)
{
	int64_t k = 1;

	while (100 * k < percent * n)
		k++;
	return k;
}

/* 2 waits for 1: it starts at 1, 2 and so on. */
TEST(nearest_of_few)
{
	int64_t k;
	struct fair_draw how = { one_second_more, &k, 0, 0 };
	struct fair_forecast f;
	struct site x;
	char memory[1 << 16];

	open_site(&x, FAIR_FCFS, 10);
	enqueue(&x.s, 1, 10, 100);
	enqueue(&x.s, 2, 10, 10);
	TEST_EQ(started(&x.s, 0), 1);
	for (how.samples = 1; how.samples <= 20; how.samples++) {
		k = 0;
		TEST_OK(fair_sched_forecast(&x.s, 2, &how, memory,
					    sizeof(memory), &f));
		TEST_EQ(k, how.samples);
		TEST_EQ(f.p10, of_percent(k, 10));
		TEST_EQ(f.p50, of_percent(k, 50));
		TEST_EQ(f.p90, of_percent(k, 90));
	}
	close_site(&x);
}

/* As planned, as the array of which it is one is planned. */
static int64_t its_walltime(void *context, const struct fair_job_status *job,
			    uint64_t random)
{
	(void)context;
	(void)random;
	return job->job.walltime;
}

/* 1 runs; then tasks 23 to 25, which came first, then 20 to 22, then 30. */
TEST(samples_of_tasks)
{
	struct fair_draw how = { its_walltime, NULL, 0, 1 };
	struct fair_job early = job_of(23, 10, 3), late = job_of(20, 10, 5);
	struct fair_forecast f;
	struct site x;
	char memory[1 << 16];

	open_site(&x, FAIR_FCFS, 10);
	enqueue(&x.s, 1, 10, 4);
	TEST_EQ(started(&x.s, 0), 1);
	early.tasks = late.tasks = 3;
	early.submit = -1001;
	TEST_EQ(fair_sched_submit(&x.s, 0, &late), 0);
	TEST_EQ(fair_sched_submit(&x.s, 0, &early), 0);
	enqueue(&x.s, 30, 10, 1);
	TEST_EQ(started(&x.s, 0), 0);
	TEST_OK(fair_sched_forecast(&x.s, 30, &how, memory, sizeof(memory),
				    &f));
	TEST_EQ(f.p50, 4 + 3 * 3 + 3 * 5);
	close_site(&x);
}

struct drawn {
	int64_t run[100];
	uint32_t n;
};

/* Of job 0 anything; the others as planned. */
static int64_t draw_and_tell(void *context, const struct fair_job_status *j,
			     uint64_t random)
{
	struct drawn *d = (struct drawn *)context;

	if (j->job.number)
		return j->job.walltime;
	TEST_CHECK(d->n < 100);
	return d->run[d->n++] = (int64_t)(random % 1000000);
}

static int ascending(const void *a, const void *b)
{
	const int64_t *x = (const int64_t *)a, *y = (const int64_t *)b;

	return (*x > *y) - (*x < *y);
}

/* The 10th, 50th and 90th of a hundred. */
TEST(nearest_ranks)
{
	static struct drawn d;
	struct fair_draw draws = { draw_and_tell, &d, 3, 100 };
	struct fair_forecast f;
	struct asked w;
	size_t bytes;
	void *memory;

	open_asked(&w, NULL);
	submit(&w, 10, 1000000);
	submit(&w, 10, 10);
	step(&w, 0);
	bytes = fair_sched_forecast_size(&w.config, draws.samples);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_forecast(&w.s, 1, &draws, memory, bytes, &f), 0);
	TEST_EQ(d.n, 100);
	qsort(d.run, 100, sizeof(d.run[0]), ascending);
	TEST_EQ(f.p10, d.run[9]);
	TEST_EQ(f.p50, d.run[49]);
	TEST_EQ(f.p90, d.run[89]);
	free(memory);
	free(w.memory);
}

/* Half of the time job 0 ends at once, else as planned. */
static int64_t coin(void *context, const struct fair_job_status *j,
		    uint64_t random)
{
	(void)context;
	return j->job.number == 0 && random % 2 ? 0 : j->job.walltime;
}

TEST(percentiles)
{
	struct fair_draw draws = { coin, NULL, 1, 1000 };
	static char memory[65536];
	struct fair_forecast f;
	struct asked w;

	crowded(&w, FAIR_CONSERVATIVE);
	(void)why_step(&w.s, 20, UINT64_MAX);
	TEST_OK(fair_sched_forecast(&w.s, 1, &draws, memory, sizeof(memory),
				    &f));
	TEST_EQ(f.p10, 20);	/* job 1 goes at once, or is promised 100 */
	TEST_EQ(f.p90, 100);
	draws.samples = 1;
	TEST_OK(fair_sched_forecast(&w.s, 2, &draws, memory, sizeof(memory),
				    &f));
	TEST_CHECK(f.p10 == f.p50 && f.p50 == f.p90);
	free(w.memory);
}

/* In floating point, and naively: half of the interval of one percentile. */
static int64_t half_of(const int64_t *sorted, int n, double p)
{
	double d = 1.96 * sqrt(n * p * (1 - p));
	int low = (int)floor(n * p - d + 1e-9);
	int high = (int)ceil(n * p + d - 1e-9) + 1;

	if (low < 1 || high > n || sorted[high - 1] == FAIR_FOREVER)
		return FAIR_FOREVER;
	return (sorted[high - 1] - sorted[low - 1] + 1) / 2;
}

static int64_t widest_of(int64_t a, int64_t b, int64_t c)
{
	int64_t most = a > b ? a : b;

	return most > c ? most : c;
}

/* Samples of @spread values; of 20 values, one never starts. */
static void add_random(uint64_t seed, uint64_t spread, int n)
{
	struct fair_forecast f = { 0, 0, 0, 0, 0 };
	static int64_t start[2000], sorted[2000];
	int64_t half;
	bool enough;
	int i;

	for (i = 0; i < n; i++) {
		sorted[i] = (int64_t)(test_random(&seed) % spread) - 50;
		if (spread == 20 && sorted[i] == -31)
			sorted[i] = FAIR_FOREVER;
		enough = fair_forecast_add(&f, start, sorted[i]);
		qsort(sorted, (size_t)i + 1, sizeof(*sorted), ascending);
		TEST_EQ(f.samples, i + 1);
		half = widest_of(half_of(sorted, i + 1, 0.1),
				 half_of(sorted, i + 1, 0.5),
				 half_of(sorted, i + 1, 0.9));
		TEST_EQ(f.half_width, half);
		TEST_CHECK(!memcmp(start, sorted,
				   ((size_t)i + 1) * sizeof(*start)));
		TEST_EQ(enough, half != FAIR_FOREVER &&
					20 * half <= f.p90 - f.p10);
	}
}

TEST(intervals_like_the_model)
{
	add_random(1, 1000000, 2000);
	add_random(2, 7, 900);
	add_random(3, 20, 400);
	add_random(4, 1, 60);
}

/* With 53 samples the lowest decile has an interval for the first time. */
TEST(samples_end_when_intervals_are_narrow)
{
	struct fair_draw draws = { its_walltime, NULL, 1, 1000 };
	struct fair_forecast f, again = { 0, 0, 0, 0, 0 };
	int64_t start[1000], x;
	static char memory[65536];
	struct asked w;
	bool enough = false;

	crowded(&w, FAIR_CONSERVATIVE);
	(void)why_step(&w.s, 20, UINT64_MAX);
	TEST_OK(fair_sched_forecast(&w.s, 1, &draws, memory, sizeof(memory),
				    &f));
	TEST_EQ(f.samples, 53);
	TEST_EQ(f.half_width, 0);
	TEST_EQ(f.p50, 100);
	draws.run = coin;
	TEST_OK(fair_sched_forecast(&w.s, 1, &draws, memory, sizeof(memory),
				    &f));
	while (!enough && again.samples < 1000) {
		TEST_OK(fair_sched_sample(&w.s, 1, &draws,
					  (uint32_t)again.samples, memory,
					  sizeof(memory), &x));
		enough = fair_forecast_add(&again, start, x);
	}
	TEST_CHECK(!memcmp(&f, &again, sizeof(f)));
	draws.samples = 52;
	TEST_OK(fair_sched_forecast(&w.s, 1, &draws, memory, sizeof(memory),
				    &f));
	TEST_EQ(f.samples, 52);
	TEST_EQ(f.half_width, FAIR_FOREVER);
	free(w.memory);
}

/* Nothing behind the samples is read; of 53 the interval is known. One that
 * never starts is as late as can be, also after one before 0. */
TEST(samples_without_more_room)
{
	struct fair_forecast f = { 0, 0, 0, 0, 0 };
	int64_t *start;
	uint32_t n;

	for (n = 1; n < 60; n++) {
		start = (int64_t *)calloc(n, sizeof(*start));
		f.samples = n - 1;
		TEST_EQ(fair_forecast_add(&f, start, 0), n >= 53);
		TEST_EQ(f.half_width, n >= 53 ? 0 : FAIR_FOREVER);
		free(start);
	}
	start = (int64_t *)calloc(2, sizeof(*start));
	f.samples = 0;
	TEST_CHECK(!fair_forecast_add(&f, start, -5));
	TEST_CHECK(!fair_forecast_add(&f, start, FAIR_FOREVER));
	TEST_EQ(f.p10, -5);
	TEST_EQ(f.p90, FAIR_FOREVER);
	free(start);
}

/* No scheduler has no forecast. */
TEST(no_scheduler)
{
	struct fair_draw how = { its_walltime, NULL, 0, 1 };
	struct fair_forecast f;
	char memory[1 << 16];

	TEST_EQ(fair_sched_forecast(NULL, 1, &how, memory, sizeof(memory), &f),
		-FAIR_EINVAL);
}
