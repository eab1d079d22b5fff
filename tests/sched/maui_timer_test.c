/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A simulated run leaves out iterations of Maui's timer that decide nothing.
 * One that plays every iteration decides the same, and leaves the same state
 * behind at any time; and no run has more iterations than its limit.
 */
#define FAIR_QUEUE_BLOCK 2 /* these are the sizes of rows_of_two.c */
#define FAIR_SIMULATED_ROUNDS 1024
#define FAIRSCHED_IMPLEMENTATION
#include "tests/maui_site.h"

#define MOST 14 /* jobs */

/* A trace, and its run. */
struct trial {
	struct maui_site site;
	struct fair_fairtree tree;
	struct fair_job job[MOST];
	int64_t run[MOST];
	size_t jobs, arrived, instants, bytes;
	struct fair_simulated_run simulated;
	struct fair_simulated_end end[JOBS];
	char *saved, tree_memory[1024];
};

static int64_t run_of(void *context, uint64_t number)
{
	return ((struct trial *)context)->run[number];
}

static int64_t next_of(void *context)
{
	const struct trial *x = context;

	return x->arrived == x->jobs ? FAIR_FOREVER
				     : x->job[x->arrived].submit;
}

static int arrive(void *context, int64_t now)
{
	struct trial *x = context;

	for (; next_of(x) == now; x->arrived++)
		(void)fair_sched_submit(&x->site.sched, now,
					x->job + x->arrived);
	return 0;
}

/* A job that its limits forbid does not come. */
static void draw_jobs(struct trial *x, uint64_t *r)
{
	int64_t now = 0;
	size_t i;

	x->jobs = (size_t)test_range(r, 2, MOST);
	for (i = 0; i < x->jobs; i++) {
		now += test_range(r, 0, 1) ? test_range(r, 0, 300) : 0;
		x->job[i] = job_of((uint32_t)test_range(r, 0, 2),
				   (int32_t)test_range(r, 1, 6),
				   test_range(r, 1, 400));
		x->job[i].queue = (uint64_t)test_range(r, 0, 1);
		x->job[i].qos = (uint64_t)test_range(r, 0, 1);
		x->job[i].number = i;
		x->job[i].submit = now;
		x->run[i] = test_range(r, 0, x->job[i].walltime);
	}
}

static void draw_credential(struct fair_maui_credential *c, uint64_t *r)
{
	static const int64_t most[] = { 3, 12, 12, 9, 2000, 3 };
	int i = (int)test_range(r, 0, FAIR_THROTTLE_RESOURCES - 1);

	c->priority = test_range(r, 0, 1) * test_range(r, 0, 5);
	c->has_target = test_range(r, 0, 1);
	c->target.kind = (enum fair_usage_kind)test_range(
		r, FAIR_USAGE_TARGET, FAIR_USAGE_CAP);
	c->target.points = test_range(r, 0, 100) << 20;
	if (test_range(r, 0, 1)) {
		c->hard[i] = test_range(r, 1, most[i]);
		c->soft[i] = test_range(r, 0, c->hard[i]);
	}
}

static void draw_site(struct trial *x, uint64_t *r)
{
	struct fair_maui_config *c = &x->site.config;
	int i;

	site_begin(&x->site);
	for (i = 0; i < 3; i++)
		draw_credential(x->site.user + i, r);
	draw_credential(x->site.class_, r);
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++)
		c->priority.weight[i] =
			test_range(r, 0, 2) ? 0 : test_range(r, -3, 9);
	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		c->priority.component_weight[i] = test_range(r, 0, 3);
	x->site.qos[0].queue_time_weight = test_range(r, 0, 3);
	x->site.qos[1].queue_time_target = test_range(r, 0, 400);
	c->poll = test_range(r, 1, 40);
	c->usage = (uint32_t)test_range(r, 0, 2);
	c->windows = (uint32_t)test_range(r, 1, 4);
	c->interval = test_range(r, 1, 100);
	c->decay = test_range(r, 0, 1) ? FAIR_USAGE_ONE / 2 : 0;
	c->depth = (uint32_t)test_range(r, 0, 2);
	c->select = (uint32_t)test_range(r, FAIR_FIRSTFIT, FAIR_NOFIT);
	c->reservations = (uint32_t)test_range(r, 0, FAIR_MAUI_NEVER);
	x->site.sched_config.advances = 2;
}

/* Users by Fair Tree, too. */
static void draw_tree(struct trial *x, uint64_t *r)
{
	struct fair_config *c = &x->site.sched_config;
	uint32_t i;

	if (test_range(r, 0, 2))
		return;
	c->order = FAIR_ORDER_TREE;
	c->users = 3;
	c->half_life = test_range(r, 1, 300);
	c->tree = &x->tree;
	TEST_OK(fair_fairtree_init(&x->tree, sizeof(x->tree), x->tree_memory,
				   sizeof(x->tree_memory), 3, c->half_life));
	for (i = 0; i < 3; i++)
		TEST_OK(fair_fairtree_add_user(&x->tree, i, FAIR_FAIRTREE_ROOT,
					       1 + i));
}

/* Until @stop; @naive: through all times that fair_sched_next() names. */
static void play(struct trial *x, uint64_t seed, int64_t stop, bool naive)
{
	const struct fair_simulated_events events = { run_of, next_of, arrive,
						      NULL,   NULL,    x };
	struct fair_advance b = { 0 };
	struct fair_sched *s = &x->site.sched;
	int64_t now, tick;
	int i;

	memset(x, 0, sizeof(*x));
	draw_site(x, &seed);
	draw_jobs(x, &seed);
	draw_tree(x, &seed);
	site_open(&x->site);
	b.number = 1;
	b.procs = (int32_t)test_range(&seed, 1, 6);
	b.from = test_range(&seed, 0, 500);
	b.to = b.from + test_range(&seed, 1, 300);
	if (test_range(&seed, 0, 1))
		TEST_OK(fair_sched_advance_reserve(s, 0, &b, true));
	TEST_OK(fair_simulated_run_attach(&x->simulated, sizeof(x->simulated),
					  x->end, JOBS, s, &events));
	x->simulated.until = stop;
	for (;; x->instants++) {
		now = fair_simulated_run_next(&x->simulated);
		tick = naive && x->instants ? fair_sched_next(s) : FAIR_FOREVER;
		now = tick < now && tick < stop ? tick : now;
		if (now == FAIR_FOREVER)
			break;
		TEST_OK(fair_simulated_run_instant(&x->simulated, now));
	}
	/* Nothing else may differ, and no decision under FAIR_MAUI reads it. */
	memset(&afresh_of(s)->last_reserved, 0, sizeof(struct fair_rank));
	for (i = 0; i < FAIR_THROTTLE_KINDS && x->site.config.usage; i++)
		if (x->site.config.count[i])
			maui_of(s)->usage[i].source[0].changes = 0;
	x->bytes = fair_sched_checkpoint_size(s);
	x->saved = malloc(x->bytes);
	TEST_REQUIRE(x->saved);
	TEST_OK(fair_sched_save(s, x->saved, x->bytes));
}

static void close_trial(struct trial *x)
{
	free(x->saved);
	site_close(&x->site);
}

TEST(as_if_every_iteration_was_played)
{
	static struct trial all, some;
	size_t iterations = 0, left_out = 0;
	uint64_t seed, r;

	for (seed = 0; seed < TEST_ROUNDS(8000); seed++) {
		int64_t stop;

		r = seed + 1000000;
		stop = test_range(&r, 1, 4000);
		play(&all, seed, stop, true);
		play(&some, seed, stop, false);
		TEST_CHECK(fair_sched_digest(&all.site.sched) ==
			   fair_sched_digest(&some.site.sched));
		TEST_REQUIRE(some.bytes == all.bytes &&
			     !memcmp(some.saved, all.saved, all.bytes));
		iterations += all.instants;
		left_out += all.instants - some.instants;
		close_trial(&all);
		close_trial(&some);
	}
	/* What it is for: this is much of the work. */
	TEST_CHECK(left_out > iterations / 10);
}

static int64_t never(void *context)
{
	(void)context;
	return FAIR_FOREVER;
}

/* Where nothing else is to come the timer is next. */
TEST(nothing_but_the_timer)
{
	static struct trial x;
	const struct fair_simulated_events events = { run_of, never, NULL,
						      NULL,   NULL,  &x };

	site_begin(&x.site);
	x.site.config.poll = 30;
	site_open(&x.site);
	submit(&x.site, job_of(0, 6, 10));
	TEST_OK(fair_sched_capacity(&x.site.sched, 0, -1, NULL, 0));
	TEST_EQ(step(&x.site, 0), 0);
	TEST_OK(fair_simulated_run_attach(&x.simulated, sizeof(x.simulated),
					  x.end, JOBS, &x.site.sched,
					  &events));
	TEST_EQ(fair_simulated_run_next(&x.simulated), 30);
	site_close(&x.site);
}

/* One job waits behind another for ten years, with a timer of a second. */
static void wait_for_years(struct trial *x, struct maui_site *site)
{
	site_begin(site);
	site->config.poll = 1;
	site->config.select = FAIR_NOFIT;
	x->run[0] = 315360000;
	x->run[1] = 10;
	x->run[2] = 10;
}

TEST(a_long_wait)
{
	const struct fair_simulated_events events = { run_of, NULL, NULL,
						      NULL,   NULL, NULL };
	static struct trial x;
	static char memory[1 << 18];
	struct fair_simulated_events e = events;
	int64_t start = -1, now = 0, narrow;
	int error = 0;

	for (narrow = 0; narrow < 2; narrow++) {
		memset(&x, 0, sizeof(x));
		wait_for_years(&x, &x.site);
		e.context = &x;
		site_open(&x.site);
		submit(&x.site, job_of(0, 6 - (int32_t)narrow, x.run[0]));
		step(&x.site, 0);
		submit(&x.site, job_of(0, 6, 10));
		if (narrow) /* its priority could rise above that of the wide */
			submit(&x.site, job_of(0, 1, x.run[0] + 1));
		TEST_EQ(fair_sched_estimate(&x.site.sched, 1, memory,
					    sizeof(memory), &start),
			narrow ? -FAIR_EOVERFLOW : 0);
		TEST_EQ(start, x.run[0]); /* an error leaves it as it was */
		TEST_OK(fair_simulated_run_attach(
			&x.simulated, sizeof(x.simulated), x.end, JOBS,
			&x.site.sched, &e));
		for (x.instants = 0; !error; x.instants++) {
			now = fair_simulated_run_next(&x.simulated);
			if (now == FAIR_FOREVER)
				break;
			error = fair_simulated_run_instant(&x.simulated, now);
		}
		TEST_EQ(error, narrow ? -FAIR_EOVERFLOW : 0);
		TEST_CHECK(narrow ? x.instants > FAIR_SIMULATED_ROUNDS
				  : x.instants < 8);
		site_close(&x.site);
	}
}
