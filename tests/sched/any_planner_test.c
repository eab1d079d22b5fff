/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each planner through any_planner.h: those of the library, and the two of
 * docs/examples.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "docs/examples/selective.h"
#include "docs/examples/starving.h"
#include "tests/any_planner.h"
#include "tests/site.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define ROUNDS 1
#else
#define ROUNDS TEST_ROUNDS(40)
#endif

/* Processors, GPUs, licences of the whole machine. */
static const int32_t amount[] = { 4, 0, 2, 6, 3, 0, 5, 1, 0 };
static const struct fair_machine_config classes = { 3, 3, 1U << 2, amount };

static struct selective_policy two_thirds, at_once;
static struct starving_policy patient, impatient;
static struct fair_maui_config maui;
static const int64_t target[2] = { 3, 6 };

/* A row of the policies, by name. */
static const struct {
	const char *name;
	struct fair_config config;
} rows[] = {
	{ "fcfs", { .policy = FAIR_FCFS } },
	{ "easy", { .policy = FAIR_BACKFILL } },
	{ "easy by sjf", { .policy = FAIR_BACKFILL, .order = FAIR_ORDER_SJF } },
	{ "easy by lxf", { .policy = FAIR_BACKFILL, .order = FAIR_ORDER_LXF } },
	{ "depth", { .policy = FAIR_BACKFILL, .depth = 4 } },
	{ "greedy", { .policy = FAIR_BACKFILL, .select = FAIR_GREEDY } },
	{ "conservative", { .policy = FAIR_CONSERVATIVE } },
	{ "pc", { .policy = FAIR_PC } },
	{ "pc by sjf", { .policy = FAIR_PC, .order = FAIR_ORDER_SJF } },
	{ "dc", { .policy = FAIR_DC } },
	{ "sfs",
	  { .policy = FAIR_SFS, .accounts = 2, .target = target } },
	{ "relshare", { .policy = FAIR_RELSHARE, .users = 3, .window = 100 } },
	{ "maui", { .policy = FAIR_MAUI, .maui = &maui } },
	{ "selective",
	  { .policy = FAIR_CUSTOM, .planner = &two_thirds.ops } },
	{ "starving", { .policy = FAIR_CUSTOM, .planner = &patient.ops } },
};

/* One pool, then classes. */
static uint64_t run(const struct fair_config *config)
{
	struct fair_config with_classes = *config;

	with_classes.machine = &classes;
	with_classes.procs = 15;
	return any_planner_run(config, 1, ROUNDS) ^
	       any_planner_run(&with_classes, 1, ROUNDS);
}

static void run_with_limits(const struct fair_config *config)
{
	struct fair_config limited = *config;

	limited.users = 3;
	limited.limits = 8;
	(void)run(&limited);
}

TEST_EACH(planners)
{
	size_t i;

	maui = fair_maui_defaults();
	maui.count[FAIR_THROTTLE_USER] = 3;
	two_thirds = selective_above(3, 2);
	at_once = selective_above(1, 2);
	patient = starving_after(20);
	impatient = starving_after(0);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_case(rows[i].name);
		(void)run(&rows[i].config);
		run_with_limits(&rows[i].config);
	}
}

TEST(without_patience_it_is_easy)
{
	static const struct fair_config easy = { .policy = FAIR_BACKFILL };
	static const struct fair_config starving = {
		.policy = FAIR_CUSTOM, .planner = &impatient.ops
	};

	TEST_CHECK(run(&easy) == run(&starving));
}

/* STARVING, rule by rule */

static struct fair_sched site;

static void submit(int64_t now, uint64_t number, int32_t procs,
		   int64_t walltime)
{
	const struct fair_job j = { .number = number,
				    .submit = now,
				    .walltime = walltime,
				    .procs = procs };

	TEST_OK(fair_sched_submit(&site, now, &j));
}

/* The jobs that start, as digits of their numbers. */
static uint64_t step(int64_t now)
{
	struct fair_decision start[9];
	uint64_t digits = 0;
	size_t n = 0, i;

	TEST_OK(fair_sched_step(&site, now, start, 9, &n));
	for (i = 0; i < n; i++)
		digits = 10 * digits + start[i].number;
	return digits;
}

TEST(a_starving_job_is_not_delayed)
{
	static const struct fair_config config = { .policy = FAIR_CUSTOM,
						   .planner = &patient.ops,
						   .procs = 10,
						   .jobs = 9 };
	static char memory[1 << 14];
	struct starving *c;
	struct fair_why why;

	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	submit(0, 1, 6, 100);
	submit(0, 2, 10, 50); /* starves from 20 on */
	TEST_EQ(step(0), 1);
	submit(19, 3, 4, 90);
	TEST_EQ(step(19), 3); /* until 109: job 2 is delayed */
	TEST_OK(fair_sched_finish(&site, 20, 3));
	submit(20, 4, 4, 81);
	submit(20, 5, 4, 80);
	TEST_EQ(step(20), 5); /* until 100 */
	TEST_OK(fair_sched_finish(&site, 30, 5));
	TEST_EQ(step(30), 0);
	TEST_OK(fair_sched_why(&site, 4, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.blocker[0].number, 2);
	TEST_EQ(why.ahead, 1);
	TEST_EQ(fair_sched_next(&site), 100);
	TEST_OK(fair_sched_finish(&site, 100, 1));
	TEST_EQ(step(100), 2);

	c = starving_of(&site);
	TEST_EQ(fair_sched_check(&site), 0);
	TEST_WITH(c->queue.jobs, 9, fair_sched_check(&site), 1);
	TEST_WITH(c->space.profile.cap, 0, fair_sched_check(&site), 1);
}

/* Its start was refused until now, when it would delay job 2: that is why. */
TEST(behind_a_starving_job_after_a_refusal)
{
	static const struct fair_config config = { .policy = FAIR_CUSTOM,
						   .planner = &patient.ops,
						   .procs = 10,
						   .jobs = 9 };
	static char memory[1 << 14];
	struct fair_why why;

	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	submit(0, 1, 6, 100);
	submit(0, 2, 10, 50); /* starves from 20 on */
	TEST_EQ(step(0), 1);
	submit(29, 3, 4, 71);
	TEST_EQ(step(29), 3); /* until 100 */
	TEST_OK(fair_sched_refuse(&site, 29, 3));
	TEST_EQ(step(29), 0);
	TEST_EQ(step(30), 0);
	TEST_OK(fair_sched_why(&site, 3, NULL, 0, &why));
	TEST_EQ(why.not_before, 30);
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.blocker[0].number, 2);
}

/* All processors are free, and as many as can be: job 2 would delay job 1. */
TEST(behind_the_widest_starving_job)
{
	static const struct fair_config config = { .policy = FAIR_CUSTOM,
						   .planner = &patient.ops,
						   .procs = INT32_MAX,
						   .jobs = 9 };
	static char memory[1 << 14];
	struct fair_why why;

	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	submit(0, 1, INT32_MAX, 10); /* starves from 20 on */
	TEST_EQ(step(0), 1);
	TEST_OK(fair_sched_refuse_until(&site, 0, 1, 50));
	TEST_EQ(step(0), 0);
	submit(30, 2, INT32_MAX, 100);
	TEST_EQ(step(30), 0);
	TEST_OK(fair_sched_why(&site, 2, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.blocker[0].number, 1);
}

/* What is promised to it is free to a refused job. */
TEST(refused_until_its_promise)
{
	static const struct fair_config config = { .policy = FAIR_CUSTOM,
						   .planner = &at_once.ops,
						   .procs = 10,
						   .jobs = 9 };
	static char memory[1 << 14];
	struct fair_why why;

	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	submit(0, 1, 6, 100);
	TEST_EQ(step(0), 1);
	TEST_OK(fair_sched_refuse(&site, 0, 1));
	TEST_EQ(step(0), 0);
	TEST_OK(fair_sched_why(&site, 1, NULL, 0, &why));
	TEST_EQ(why.promise, 1);
	TEST_EQ(why.reasons, FAIR_WHY_REFUSED);
	TEST_EQ(why.blockers, 0);
}

/* An advance reservation is in the way of each, and none is of another. */
TEST(jobs_beside_an_advance_reservation)
{
	static const struct fair_config config = { .policy = FAIR_CUSTOM,
						   .planner = &patient.ops,
						   .procs = 10,
						   .advances = 1,
						   .jobs = 9 };
	const struct fair_advance b = { .number = 7,
					.to = 50,
					.procs = 6,
					.kind = FAIR_ADVANCE_MAINTENANCE };
	static char memory[1 << 14];
	struct fair_why why;
	uint64_t n;

	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	TEST_OK(fair_sched_advance_reserve(&site, 0, &b, false));
	submit(0, 1, 5, 10);
	submit(0, 2, 5, 10);
	submit(0, 3, 5, 10);
	TEST_EQ(step(0), 0);
	for (n = 1; n < 4; n++) {
		TEST_OK(fair_sched_why(&site, n, NULL, 0, &why));
		TEST_EQ(why.ahead, n - 1);
		TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
		TEST_EQ(why.blockers, 0);
	}
}

TEST(starving_takes_the_order_of_submission)
{
	struct fair_config config = { .policy = FAIR_CUSTOM,
				      .planner = &patient.ops,
				      .procs = 10,
				      .jobs = 9 };

	TEST_CHECK(fair_sched_size(&config));
	TEST_WITH(config.order, FAIR_ORDER_SJF, fair_sched_size(&config), 0);
	config.jobs = UINT32_MAX / 4;
	TEST_CHECK(sizeof(size_t) > 4 || !fair_sched_size(&config));
}

/* A JOB THAT IS RESIZED: what a planner is told */

static struct told {
	uint32_t displaced, taken, ended, wrong; /* calls */
	int64_t lost, from, end;	       /* of the last end_loss() */
} told;

static void note_displacement(struct fair_sched *s, struct fair_event *e)
{
	told.displaced++;
	told.wrong += e->cause != FAIR_CAUSE_MODIFIED;
	(s->planner->promises ? fair_promising : fair_afresh)
		.displace_all(s, e);
}

static void note_take(struct fair_sched *s, struct fair_event *e, int64_t from,
		      int64_t end, const struct fair_claim *claim)
{
	told.taken++;
	told.wrong += e->cause != FAIR_CAUSE_MODIFIED;
	fair_promising.take(s, e, from, end, claim);
}

static void note_end_of_loss(struct fair_sched *s, struct fair_event *e,
			     int64_t from, int64_t end)
{
	told.ended++;
	told.lost = e->lost;
	told.from = from;
	told.end = end;
	fair_promising.end_loss(s, e, from, end);
}

/* Job 1 of 4 processors grows by one and shrinks again, on nodes or not. */
static void resize_told(const struct fair_config *config,
			struct fair_planner_ops *own)
{
	void (*volatile leave)(void) = write_on_the_stack;
	static char memory[1 << 16];
	struct fair_job_status j;

	own->displace_all = note_displacement;
	TEST_REQUIRE(fair_sched_size(config) <= sizeof(memory));
	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				config));
	submit(0, 1, 4, 50);
	TEST_EQ(step(0), 1);
	site.planner = own;
	memset(&told, 0, sizeof(told));
	TEST_OK(fair_sched_lookup(&site, 1, &j));
	leave();
	j.job.procs = 5;
	j.job.chunks = config->nodes ? 5 : 0;
	TEST_OK(fair_sched_resize(&site, 5, 1, &j.job));
	TEST_EQ(told.wrong, 0);
}

TEST(a_planner_is_told_of_a_resize)
{
	static const int32_t all[] = { 10 }, count[] = { 1 };
	static const struct fair_machine_config one = { 1, 1, 0, all };
	static const struct fair_node_config on = { count, 0, 16, false };
	struct fair_planner_ops promising = fair_promising;
	struct fair_planner_ops afresh = fair_afresh;
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = 10,
				 .jobs = 9 };

	promising.take = note_take;
	promising.end_loss = note_end_of_loss;
	resize_told(&c, &promising);
	TEST_EQ(told.taken, 1);
	c.machine = &one;
	c.nodes = &on;
	resize_told(&c, &promising);
	TEST_EQ(told.displaced, 1);
	TEST_EQ(told.ended, 1);
	TEST_EQ(told.lost, FAIR_FOREVER);
	TEST_EQ(told.from, 5);
	TEST_EQ(told.end, 50);
	c.policy = FAIR_BACKFILL;
	resize_told(&c, &afresh);
	TEST_EQ(told.displaced, 2); /* and before, to see if there is room */
}

/* A planner without scans has nothing to finish as a reservation job comes. */
TEST(a_planner_that_finishes_nothing)
{
	const struct fair_config config = { .policy = FAIR_CUSTOM,
					    .planner = &two_thirds.ops,
					    .procs = 10,
					    .advances = 1,
					    .ineligible = 2,
					    .jobs = 9 };
	static const struct fair_advance window = {
		.number = 1, .from = 10, .to = 90, .procs = 4,
		.kind = FAIR_ADVANCE_USER
	};
	const struct fair_job bound = {
		.number = 1, .walltime = 50, .procs = 4, .advance = 1
	};
	static char memory[1 << 16];
	struct fair_job_status j;

	two_thirds = selective_above(3, 2);
	TEST_CHECK(!two_thirds.ops.scans && !two_thirds.ops.finish);
	TEST_REQUIRE(fair_sched_size(&config) <= sizeof(memory));
	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	TEST_OK(fair_sched_advance_reserve(&site, 0, &window, false));
	TEST_OK(fair_sched_submit(&site, 0, &bound));
	TEST_OK(fair_sched_lookup(&site, 1, &j));
	TEST_EQ(j.start, 10);
}

static size_t long_queue_size(const struct fair_config *config)
{
	struct fair_config c = *config;

	c.jobs *= 100;
	return starving_size(&c);
}

static void long_queue_init(struct fair_sched *s, void *state)
{
	s->config.jobs *= 100;
	starving_init(s, state);
	s->config.jobs /= 100;
}

/* Its queue is longer than that of running jobs, which shares no blocks with a
 * planner of the caller's. */
TEST(a_planner_with_a_long_queue)
{
	static char memory[1 << 20];
	struct starving_policy own = patient;
	const struct fair_config config = { .policy = FAIR_CUSTOM,
					    .planner = &own.ops,
					    .procs = 10,
					    .jobs = 9 };

	own.ops.size = long_queue_size;
	own.ops.init = long_queue_init;
	TEST_OK(fair_sched_init(&site, sizeof(site), memory, sizeof(memory),
				&config));
	submit(0, 1, 6, 10);
	submit(0, 2, 6, 10);
	TEST_EQ(step(0), 1);
	TEST_EQ(fair_sched_check(&site), 0);
	TEST_OK(fair_sched_finish(&site, 10, 1));
	TEST_EQ(step(10), 2);
}
