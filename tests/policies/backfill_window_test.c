/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Backfill selection: the job, or the set of jobs, that fits a backfill window
 * best by the chosen metric starts, as an exhaustive search finds it.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

static bool by_rank(const void *context, int64_t now, uint32_t a, uint32_t b)
{
	(void)context;
	(void)now;
	return a < b;
}

static bool not_at_first(const void *context, int64_t now, uint32_t slot,
			 uint32_t pass)
{
	(void)context;
	(void)now;
	(void)slot;
	return pass > 0;
}

/* A window as wide as a number can be. */
TEST(widest_window)
{
	const struct fair_selection fill = {
		1, 1, FAIR_BESTFIT, FAIR_FIT_PROCS, false, false, NULL,
		not_at_first
	};
	struct site s;

	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_select_by(&s.b, &fill), 0);
	TEST_OK(fair_backfill_give_back(&s.b, 0, FAIR_FOREVER,
					CLAIM(INT32_MAX - PROCS)));
	add(&s, 0, 10, INT32_MAX);
	TEST_EQ(next(&s), 0);
	close_site(&s);
}

/* Products of more than 63 bits are all the same: the first wins. */
TEST(metrics_that_saturate)
{
	struct fair_selection fill = {
		1,     0,     FAIR_BESTFIT, FAIR_FIT_PROC_SECONDS,
		false, false, NULL,	    NULL
	};
	struct fair_queued longest = { { 0, 0 }, INT64_C(1) << 62, 2, 0, 0, 0 };
	struct fair_queued most = { { 0, 0 }, INT64_MAX / 2, 2, 0, 0, 0 };
	struct fair_queued wide = { { 0, 0 }, 10, 3, 0, 0, 0 };
	struct site s;

	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_select_by(&s.b, &fill), 0);
	TEST_EQ(fair_backfill_metric(&s.b, &longest), INT64_MAX);
	TEST_EQ(fair_backfill_metric(&s.b, &most), INT64_MAX - 1);
	TEST_EQ(fair_backfill_metric(&s.b, &wide), 30);
	close_site(&s);
}

/* Of sets whose sums saturate the first one counts. */
TEST(sums_that_saturate)
{
	static const int32_t procs[2][3] = { { 3, 2, 1 }, /* 3/4, 1/2, 1/4 */
					     { 5, 5, 10 } };
	struct fair_window w = { INT64_MAX, PROCS };
	struct fair_selection fill = { 1,	    0,
				       FAIR_GREEDY, FAIR_FIT_PROC_SECONDS,
				       false,	    false,
				       NULL,	    NULL };
	struct site s;
	uint32_t i, j;

	for (i = 0; i < 2; i++) {
		open_site(&s, 2, true, 0);
		TEST_EQ(fair_backfill_select_by(&s.b, &fill), 0);
		for (j = 0; j < 3; j++) {
			s.job[j].walltime = INT64_MAX / 4;
			s.job[j].procs = procs[i][j];
			s.b.phase.chosen[j] = j;
		}
		fair_backfill_choose_set(&s.b, &w, 3);
		TEST_EQ(s.b.phase.chosen_end, 3 - i);
		TEST_EQ(s.b.phase.chosen[0], 0);
		TEST_EQ(s.b.phase.chosen[1], 1);
		close_site(&s);
	}
}

static const struct fair_selection greedy = { 1,	   1,
					      FAIR_GREEDY, FAIR_FIT_PROCS,
					      false,	   false,
					      NULL,	   NULL };

/* The thirteenth job would fill the window, with three of the others. */
TEST(more_than_are_tried)
{
	struct site s;
	uint32_t i;

	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_select_by(&s.b, &greedy), 0);
	add(&s, 0, 100, 1);
	add(&s, 0, 100, 10);
	for (i = 0; i < FAIR_GREEDY_JOBS; i++)
		add(&s, 0, 10, 2);
	add(&s, 0, 10, 3);
	TEST_EQ(starts(&s, 0), 2345);
	TEST_EQ(s.b.free, 1);
	close_site(&s);
}

enum { SECONDS = 40 };

/* Free processors of each second; the last one is for ever. */
struct sky {
	int32_t free[SECONDS];
};

static void cover(struct sky *sky, int64_t from, int64_t seconds, int32_t procs)
{
	for (; seconds-- > 0 && from < SECONDS; from++)
		sky->free[from] -= procs;
}

/* How long @procs are free from now on. */
static int64_t window_end(const struct sky *sky, int32_t procs)
{
	int64_t t = 0;

	while (t < SECONDS && sky->free[t] >= procs)
		t++;
	return t < SECONDS ? t : FAIR_FOREVER;
}

static bool is_inside(const struct fair_queued *j, int32_t procs, int64_t end)
{
	return j->procs <= procs && j->walltime <= end;
}

/* Processors of the first window that any job left fits into; 0: none. */
static int32_t first_window(const struct site *s, const struct sky *sky,
			    uint32_t left, bool longest)
{
	int32_t width, procs, found = 0;
	uint32_t i;

	for (width = 1; width <= PROCS; width++) {
		procs = longest ? width : PROCS + 1 - width;
		/* Wider for as long? Then that is the window. */
		if (window_end(sky, procs) == 0 ||
		    window_end(sky, procs) == window_end(sky, procs + 1))
			continue;
		for (i = 0; i < JOBS && !found; i++)
			if (left >> i & 1 && is_inside(&s->job[i], procs,
						       window_end(sky, procs)))
				found = procs;
	}
	return found;
}

static int64_t degree(const struct fair_queued *j, uint32_t metric)
{
	return metric == FAIR_FIT_PROCS	    ? j->procs
	       : metric == FAIR_FIT_SECONDS ? j->walltime
					    : j->procs * j->walltime;
}

/* The set, of jobs of @of, that a window is filled best by; the first of equal. */
static uint32_t best_set(const struct site *s, uint32_t of, uint32_t metric,
			 int32_t procs, uint32_t most)
{
	uint32_t set, best = 0, differ;
	int64_t sum, best_sum = 0, in_use;
	int i, n;

	for (set = 1; set < 1u << JOBS; set++) {
		if (set & ~of)
			continue;
		for (sum = in_use = 0, i = n = 0; i < JOBS; i++)
			if (set >> i & 1) {
				sum += degree(&s->job[i], metric);
				in_use += s->job[i].procs;
				n++;
			}
		differ = set ^ best;
		if (in_use <= procs && (uint32_t)n <= most &&
		    (sum > best_sum ||
		     (sum == best_sum && set & differ & -differ))) {
			best = set;
			best_sum = sum;
		}
	}
	return best;
}

/* The jobs that start next, together. */
static uint32_t choice(const struct site *s, const struct sky *sky,
		       uint32_t left, const struct fair_selection *fill)
{
	int32_t procs;
	uint32_t fit = 0, i;

	procs = first_window(s, sky, left, fill->longest);
	for (i = 0; i < JOBS && procs; i++)
		if (left >> i & 1 &&
		    is_inside(&s->job[i], procs, window_end(sky, procs)))
			fit |= 1u << i;
	if (fill->select == FAIR_FIRSTFIT)
		return fit & -fit;
	return best_set(s, fit, fill->metric, procs,
			fill->select == FAIR_BESTFIT ? 1 : JOBS);
}

/* After the reservations few may start in a pass, and not everybody. */
static bool few_may(const void *context, int64_t now, uint32_t slot,
		    uint32_t pass)
{
	(void)now;
	return !pass || (*(const uint32_t *)context < 2 * pass + slot % 2 &&
			 (slot + pass) % 4 != 0);
}

/*
 * Job 0 runs, 1 is too wide to start and holds a reservation behind it; 9 is
 * refused.
 */
static void select_from(uint64_t *random, struct fair_selection *fill)
{
	uint32_t started = 0, left = 0, set, may, pass, i;
	const struct fair_walk walk = { .before = by_rank };
	struct sky sky;
	struct site s;
	int32_t runs = (int32_t)test_range(random, 1, PROCS - 1);

	fill->admits = fill->passes > 1 ? few_may : NULL;
	open_site(&s, 2, true, 0);
	s.context = &started;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_EQ(fair_backfill_select_by(&s.b, fill), 0);
	for (i = 0; i < SECONDS; i++)
		sky.free[i] = PROCS;
	add(&s, 0, test_range(random, 1, 20), runs);
	add(&s, 0, test_range(random, 1, 15),
	    (int32_t)test_range(random, PROCS - runs + 1, PROCS));
	cover(&sky, 0, s.job[0].walltime, runs);
	cover(&sky, s.job[0].walltime, s.job[1].walltime, s.job[1].procs);
	for (i = 2; i < 10; i++) {
		add(&s, 0, test_range(random, 1, 30),
		    (int32_t)test_range(random, 1, 5));
		left |= 1u << i;
	}
	s.job[9].not_before = *random % 2;
	if (s.job[9].not_before)
		left &= ~(1u << 9);
	TEST_EQ(next(&s), 0);
	for (pass = 1; pass <= fill->passes; pass++)
		for (;;) {
			for (may = i = 0; i < JOBS; i++)
				if (!fill->admits ||
				    few_may(&started, 0, i, pass))
					may |= 1u << i;
			set = choice(&s, &sky, left & may, fill);
			if (!set)
				break;
			for (i = 0; i < JOBS; i++)
				if (set >> i & 1 &&
				    (!fill->admits ||
				     few_may(&started, 0, i, pass))) {
					TEST_EQ(next(&s), i);
					started++;
					cover(&sky, 0, s.job[i].walltime,
					      s.job[i].procs);
					left &= ~(1u << i);
				}
		}
	TEST_EQ(next(&s), 99);
	close_site(&s);
}

TEST(selections)
{
	struct fair_selection fill = { 1, 1, 0, 0, false, false, NULL, NULL };
	uint64_t random = 1;
	int round;

	for (round = 0; round < 60; round++)
		for (fill.select = 0; fill.select < FAIR_NOFIT; fill.select++)
			for (fill.metric = 0; fill.metric < 3; fill.metric++) {
				fill.passes = (uint32_t)round / 2 % 3 + 1;
				fill.longest = round % 2;
				select_from(&random, &fill);
			}
}
