/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * RESERVATIONPOLICY: under HIGHEST a job that has had a reservation has one until
 * it starts, through every event. The jobs of user 2 go before all others.
 */
#include "tests/maui_site.h"

static void begin_kept(struct maui_site *x, uint32_t policy, uint32_t depth)
{
	site_begin(x);
	x->config.reservations = policy;
	x->config.depth = depth;
	x->config.priority.weight[FAIR_PRIORITY_USER] = 1;
	x->user[2].priority = 1000;
	x->sched_config.procs = 8;
	x->sched_config.advances = 1;
}

static void open_kept(struct maui_site *x, uint32_t policy, uint32_t depth)
{
	begin_kept(x, policy, depth);
	site_open(x);
}

/*
 *	8 |000000|111111|222    a job of user 2 arrives at 50; under the other
 *	0 |000000|222|111111    policies it delays job 1
 *	  0     100    200
 */
static void open_example(struct maui_site *x, uint32_t policy, uint32_t depth)
{
	open_kept(x, policy, depth);
	submit(x, job_of(0, 8, 100));
	step(x, 0);
	x->now = 1;
	submit(x, job_of(1, 8, 100));
	step(x, 1);
	x->now = 50;
	submit(x, job_of(2, 8, 50));
	step(x, 50);
}

static void finish(struct maui_site *x, int64_t now, uint64_t number)
{
	TEST_EQ(fair_sched_finish(&x->sched, now, number), 0);
	step(x, now);
}

TEST(the_example)
{
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 8);
	TEST_EQ(estimate(&x, 1), 100);
	TEST_EQ(estimate(&x, 2), 200);
	finish(&x, 100, 0);
	TEST_EQ(x.start[1], 100);
	finish(&x, 200, 1);
	TEST_EQ(x.start[2], 200);
	site_close(&x);
}

TEST(reservations_that_are_not_kept)
{
	static const uint32_t policy[] = { FAIR_MAUI_CURRENTHIGHEST,
					   FAIR_MAUI_NEVER };
	struct maui_site x;
	int i;

	for (i = 0; i < 2; i++) {
		open_example(&x, policy[i], 8);
		finish(&x, 100, 0);
		TEST_EQ(x.start[2], 100);
		finish(&x, 150, 2);
		TEST_EQ(x.start[1], 150);
		site_close(&x);
	}
}

/* Under NEVER a narrow job passes a wide one for ever. */
TEST(no_reservations)
{
	struct maui_site x;

	open_kept(&x, FAIR_MAUI_NEVER, 8);
	submit(&x, job_of(0, 4, 100));
	step(&x, 0);
	submit(&x, job_of(1, 8, 100));
	submit(&x, job_of(1, 4, 1000));
	TEST_EQ(step(&x, 10), 1);
	TEST_EQ(x.start[2], 10);
	site_close(&x);
}

TEST(an_early_end_moves_it_earlier)
{
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 8);
	finish(&x, 60, 0);
	TEST_EQ(x.start[1], 60);
	TEST_EQ(x.start[2], -1);
	site_close(&x);
}

/* The depth is 1: job 1 has the only reservation, and job 3 may pass job 2. */
TEST(it_counts_towards_the_depth)
{
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 1);
	TEST_EQ(fair_sched_cancel(&x.sched, 50, 2), 0);
	x.now = 50;
	submit(&x, job_of(2, 8, 50));
	step(&x, 50);
	TEST_EQ(x.sched.ledgers, 1);
	TEST_EQ(estimate(&x, 1), 100);
	finish(&x, 100, 0);
	TEST_EQ(x.start[1], 100);
	site_close(&x);
}

/* Two processors are lost: the wide job has no place, and the other one gets the
 * earliest; when they return the claim of the wide one does, too. */
TEST(lost_capacity)
{
	struct maui_site x;
	uint64_t wide, narrow;

	open_kept(&x, FAIR_MAUI_HIGHEST, 2);
	submit(&x, job_of(0, 4, 100));
	step(&x, 0);
	wide = submit(&x, job_of(1, 8, 100));
	narrow = submit(&x, job_of(1, 6, 100));
	step(&x, 1);
	TEST_EQ(estimate(&x, wide), 100);
	TEST_EQ(estimate(&x, narrow), 200);
	TEST_EQ(fair_sched_capacity(&x.sched, 10, -2, NULL, 0), 0);
	step(&x, 10);
	TEST_EQ(estimate(&x, narrow), 100);
	TEST_EQ(fair_sched_capacity(&x.sched, 20, 2, NULL, 0), 0);
	x.now = 20;
	submit(&x, job_of(2, 8, 50));
	step(&x, 20);
	TEST_EQ(estimate(&x, narrow), 100);
	TEST_EQ(estimate(&x, wide), 200);
	site_close(&x);
}

/* An advance reservation takes its place: it gets the next one, by turn before
 * the job of user 2, whose place it takes. */
TEST(a_lost_place)
{
	struct fair_advance a = { 7, 90, 120, 1, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 8);
	TEST_EQ(fair_sched_advance_reserve(&x.sched, 60, &a, true), 0);
	step(&x, 60);
	TEST_EQ(estimate(&x, 1), 120);
	TEST_EQ(estimate(&x, 2), 220);
	site_close(&x);
}

TEST(cancel_and_modify)
{
	struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct maui_site x;

	/* Modified, it gets the earliest that others leave, in its turn. */
	open_example(&x, FAIR_MAUI_HIGHEST, 1);
	TEST_EQ(fair_sched_modify(&x.sched, 60, 1, 8, 90), 0);
	step(&x, 60);
	TEST_EQ(estimate(&x, 1), 100);
	TEST_EQ(fair_sched_defer(&x.sched, 60, 1, &held), 0);
	TEST_EQ(fair_sched_defer(&x.sched, 60, 1, NULL), 0);
	step(&x, 60);
	TEST_EQ(estimate(&x, 1), 100);
	TEST_EQ(fair_sched_cancel(&x.sched, 70, 1), 0);
	step(&x, 70);
	TEST_EQ(estimate(&x, 2), 100);
	site_close(&x);
}

/* A refused start is none: the job has a reservation, whatever the depth. */
TEST(a_refused_start)
{
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 1);
	finish(&x, 100, 0);
	TEST_EQ(x.start[1], 100);
	TEST_EQ(fair_sched_refuse(&x.sched, 100, 1), 0);
	step(&x, 100);
	TEST_EQ(x.start[2], 100);
	TEST_EQ(estimate(&x, 1), 150);
	x.now = 110;
	submit(&x, job_of(2, 8, 50));
	step(&x, 110);
	TEST_EQ(estimate(&x, 1), 150);
	/* A start that was made is one: stopped, it is as any other job. */
	finish(&x, 150, 2);
	TEST_EQ(fair_sched_requeue(&x.sched, 160, 1), 0);
	step(&x, 160);
	TEST_EQ(x.start[3], 160);
	site_close(&x);
}

/*
 * Job 0 was to start at 0, so that it comes before job 2 where both lose their
 * places, since job 1 does not end at 20.
 *
 *	8 |    |222222|0|      8 |           |0|222222
 *	4 |1111|222222|0|  --> 4 |11111|     |0|222222
 *	  0    20     50 60      0    21     50 60
 */
TEST(the_turn_of_a_refused_start)
{
	struct maui_site x;

	open_kept(&x, FAIR_MAUI_HIGHEST, 8);
	submit(&x, job_of(0, 8, 10));
	step(&x, 0);
	TEST_EQ(fair_sched_refuse_until(&x.sched, 0, 0, 50), 0);
	TEST_CHECK(!(x.sched.live[0].queued.mark & FAIR_MARK_TURN));
	submit(&x, job_of(0, 4, 20));
	step(&x, 0);
	TEST_EQ(x.start[1], 0);
	submit(&x, job_of(0, 8, 30));
	step(&x, 0);
	TEST_EQ(estimate(&x, 2), 20);
	step(&x, 20);
	TEST_EQ(estimate(&x, 0), 50);
	TEST_EQ(estimate(&x, 2), 60);
	site_close(&x);
}

/* As above, but what is refused is a task of an array that may run no more of
 * them: until it may, it loses its turn. */
TEST(the_turn_of_a_task_without_a_slot)
{
	struct maui_site x;
	struct fair_job j;

	begin_kept(&x, FAIR_MAUI_HIGHEST, 8);
	x.sched_config.task_limits = 1;
	site_open(&x);
	j = job_of(0, 4, 10);
	j.tasks = 2;
	submit(&x, j);
	x.number = 2;
	TEST_OK(fair_sched_limit_tasks(&x.sched, 0, 0, 2));
	step(&x, 0);
	TEST_OK(fair_sched_limit_tasks(&x.sched, 0, 0, 1));
	TEST_OK(fair_sched_refuse_until(&x.sched, 0, 1, 50));
	finish(&x, 1, 0);
	x.now = 1;
	submit(&x, job_of(0, 4, 19));
	step(&x, 1);
	submit(&x, job_of(0, 8, 30));
	step(&x, 1);
	TEST_EQ(estimate(&x, 3), 20);
	TEST_EQ(estimate(&x, 1), 50);
	step(&x, 20);
	TEST_EQ(estimate(&x, 3), 21);
	TEST_EQ(estimate(&x, 1), 51);
	site_close(&x);
}

/* As above, but job 0 was stopped: it has the turn of its reservation. */
TEST(the_turn_of_a_job_that_was_stopped)
{
	struct maui_site x;

	open_kept(&x, FAIR_MAUI_HIGHEST, 8);
	submit(&x, job_of(0, 8, 10));
	step(&x, 0);
	TEST_EQ(x.start[0], 0);
	TEST_OK(fair_sched_requeue(&x.sched, 1, 0));
	x.now = 1;
	submit(&x, job_of(2, 4, 20));
	submit(&x, job_of(2, 8, 30));
	step(&x, 1);
	TEST_EQ(x.start[1], 1);
	TEST_EQ(estimate(&x, 2), 21);
	TEST_EQ(estimate(&x, 0), 51);
	step(&x, 21);
	TEST_EQ(estimate(&x, 2), 22);
	TEST_EQ(estimate(&x, 0), 52);
	site_close(&x);
}

/* A start refused until a retry: the claim waits, the place does not. */
static int64_t until_retry(void *context, const struct fair_job *job,
			   int64_t start, int64_t end)
{
	(void)context;
	(void)end;
	return job->number == 1 ? FAIR_FOREVER : start;
}

TEST(refused_until_a_retry)
{
	struct maui_site x;

	begin_kept(&x, FAIR_MAUI_HIGHEST, 1);
	x.sched_config.fits = until_retry;
	site_open(&x);
	submit(&x, job_of(0, 8, 100));
	step(&x, 0);
	x.now = 1;
	submit(&x, job_of(1, 8, 100));
	step(&x, 1);
	finish(&x, 100, 0); /* job 1 is refused */
	TEST_EQ(x.start[1], -1);
	x.now = 110;
	submit(&x, job_of(2, 8, 50));
	step(&x, 110);
	TEST_EQ(x.start[2], 110);
	x.sched.config.fits = NULL;
	TEST_EQ(fair_sched_retry(&x.sched, 120, 1), 0);
	step(&x, 120);
	TEST_EQ(estimate(&x, 1), 160);
	site_close(&x);
}

/* Its turn is the last one then: job 3 has a reservation by now, and keeps its
 * place as a job overruns. */
TEST(behind_others_after_a_retry)
{
	struct maui_site x;

	begin_kept(&x, FAIR_MAUI_HIGHEST, 2);
	x.sched_config.fits = until_retry;
	site_open(&x);
	submit(&x, job_of(0, 8, 100));
	step(&x, 0);
	x.now = 1;
	submit(&x, job_of(1, 8, 100));
	step(&x, 1);
	finish(&x, 100, 0); /* job 1 is refused */
	x.now = 110;
	submit(&x, job_of(2, 8, 50));
	step(&x, 110);
	TEST_EQ(x.start[2], 110);
	submit(&x, job_of(2, 8, 30));
	step(&x, 115);
	TEST_EQ(estimate(&x, 3), 160);
	x.sched.config.fits = NULL;
	TEST_EQ(fair_sched_retry(&x.sched, 120, 1), 0);
	step(&x, 120);
	step(&x, 121);
	TEST_EQ(estimate(&x, 3), 160);
	TEST_EQ(estimate(&x, 1), 190);
	step(&x, 160); /* job 2 overruns */
	finish(&x, 165, 2);
	TEST_EQ(x.start[3], 165);
	site_close(&x);
}

/*
 * At 20 a job of user 0 in a class of high priority starts, so that job 1 of this
 * user is above its soft limit and gives its place up. Job 2, which was planned
 * around this place, starts at once.
 *
 *	8 |      |11111|       8 |  3222222222
 *	6 |000000|11111|  -->  6 |000000
 *	  0     100            0  20    100
 */
TEST(a_limit)
{
	struct fair_job urgent = job_of(0, 1, 50);
	struct maui_site x;

	begin_kept(&x, FAIR_MAUI_HIGHEST, 8);
	x.user[0].soft[FAIR_THROTTLE_JOBS] = 1;
	x.config.priority.weight[FAIR_PRIORITY_QUEUE] = 1;
	x.class_[1].priority = 5000;
	urgent.queue = 1;
	site_open(&x);
	submit(&x, job_of(1, 6, 100));
	step(&x, 0);
	submit(&x, job_of(0, 8, 100));
	step(&x, 10);
	TEST_EQ(estimate(&x, 1), 100);
	x.now = 20;
	submit(&x, job_of(2, 1, 200));
	submit(&x, urgent);
	step(&x, 20);
	TEST_EQ(x.start[2], 20);
	TEST_EQ(x.start[3], 20);
	finish(&x, 70, 3); /* now it has one again, before later ones */
	x.now = 80;
	submit(&x, job_of(2, 8, 100));
	step(&x, 80);
	TEST_EQ(estimate(&x, 1), 220);
	TEST_EQ(estimate(&x, 4), 320);
	site_close(&x);
}

static void load(struct maui_site *x, struct maui_site *y)
{
	size_t bytes = fair_sched_checkpoint_size(&x->sched);
	void *checkpoint = malloc(bytes);
	int damage;

	*y = *x;
	y->memory = malloc(fair_sched_size(&x->sched_config));
	TEST_REQUIRE(checkpoint && y->memory);
	TEST_EQ(fair_sched_save(&x->sched, checkpoint, bytes), 0);
	TEST_EQ(fair_sched_load(&y->sched, sizeof(y->sched), y->memory,
				fair_sched_size(&x->sched_config),
				&y->sched_config, checkpoint, bytes, &damage),
		0);
	free(checkpoint);
}

/* Several resources: a class of the machine keeps the place. */
TEST(node_classes)
{
	static const int32_t amounts[] = { 8, 16 }, all[] = { 0, 16 };
	static const struct fair_machine_config machine = { 2, 1, 0, amounts };
	struct fair_job job = job_of(1, 2, 100);
	struct maui_site x, y;

	begin_kept(&x, FAIR_MAUI_HIGHEST, 8);
	x.sched_config.advances = 0;
	x.sched_config.machine = &machine;
	site_open(&x);
	job.amount = all;
	submit(&x, job_of(0, 8, 100));
	step(&x, 0);
	submit(&x, job);
	step(&x, 1);
	job.user = 2;
	x.now = 50;
	submit(&x, job);
	step(&x, 50);
	load(&x, &y);
	finish(&y, 100, 0);
	TEST_EQ(y.start[1], 100);
	site_close(&y);
	TEST_EQ(estimate(&x, 1), 100);
	/* With less memory neither has a place; then user 2 is first. */
	TEST_EQ(fair_sched_class_capacity(&x.sched, 60, 0, 1, -4, NULL, 0), 0);
	step(&x, 60);
	TEST_EQ(estimate(&x, 1), FAIR_FOREVER);
	TEST_EQ(fair_sched_class_capacity(&x.sched, 70, 0, 1, 4, NULL, 0), 0);
	step(&x, 70);
	TEST_EQ(estimate(&x, 2), 100);
	TEST_EQ(estimate(&x, 1), 200);
	site_close(&x);
}

/* Of two classes of 8 processors 0 is in use until 200, and 1 until 100, when job
 * 2 is to start there. */
static void open_classes(struct maui_site *x)
{
	static const int32_t amounts[] = { 8, 8 };
	static const struct fair_machine_config machine = { 1, 2, 0, amounts };
	static const uint8_t one_class[] = { 0, 1 };
	struct fair_job job = job_of(0, 6, 200);

	begin_kept(x, FAIR_MAUI_HIGHEST, 8);
	x->sched_config.advances = 0;
	x->sched_config.procs = 16;
	x->sched_config.machine = &machine;
	x->qos[1].flags = FAIR_MAUI_NORESERVATION;
	site_open(x);
	job.class_count = 1;
	job.classes = one_class;
	submit(x, job);
	job.walltime = 100;
	job.classes++;
	submit(x, job);
	step(x, 0);
	submit(x, job_of(1, 8, 100));
	step(x, 1);
	TEST_EQ(estimate(x, 2), 100);
	job = job_of(2, 8, 100);
	job.class_count = 1;
	job.classes = one_class;
	x->now = 50;
	submit(x, job);
}

/* Job 2 stays in its class: 3, which goes first, starts in the other one. */
TEST(the_class_of_a_place)
{
	struct maui_site x;

	open_classes(&x);
	finish(&x, 50, 0);
	TEST_EQ(x.start[3], 50);
	TEST_EQ(estimate(&x, 2), 100);
	site_close(&x);
}

/* Job 4, which may get no reservation, goes before 2, whose place is in its way.
 * As 2 starts in the other class, 4 is still there for the backfill. */
TEST(a_place_that_is_left)
{
	static const uint8_t second = 1;
	struct fair_job job = job_of(2, 2, 100);
	struct maui_site x;

	open_classes(&x);
	TEST_EQ(fair_sched_cancel(&x.sched, 50, 3), 0);
	job.qos = 1;
	job.class_count = 1;
	job.classes = &second;
	submit(&x, job);
	finish(&x, 50, 0);
	TEST_EQ(x.start[2], 50);
	TEST_EQ(x.start[4], 50);
	site_close(&x);
}

/* Its class is too small by then: it has a place in the other one before 3. */
TEST(a_place_in_another_class)
{
	struct maui_site x;

	open_classes(&x);
	TEST_EQ(fair_sched_class_capacity(&x.sched, 50, 1, 0, -1, NULL, 0), 0);
	step(&x, 50);
	TEST_EQ(estimate(&x, 2), 200);
	TEST_EQ(estimate(&x, 3), 300);
	site_close(&x);
}

/* Both are too small: a walk that pauses behind the start of 4 holds nothing for
 * it that could be saved. */
TEST(no_place_in_any_class)
{
	struct fair_decision start;
	struct maui_site x, y;
	size_t n;

	open_classes(&x);
	TEST_EQ(fair_sched_class_capacity(&x.sched, 50, 0, 0, -1, NULL, 0), 0);
	TEST_EQ(fair_sched_class_capacity(&x.sched, 50, 1, 0, -1, NULL, 0), 0);
	submit(&x, job_of(2, 1, 100));
	TEST_EQ(fair_sched_step(&x.sched, 50, &start, 1, &n), 0);
	TEST_EQ(start.number, 4);
	load(&x, &y);
	TEST_EQ(estimate(&y, 2), FAIR_FOREVER);
	site_close(&x);
	site_close(&y);
}

/* What is loaded, at any time, keeps the same reservations. */
TEST(checkpoints)
{
	struct maui_site x, y;
	uint32_t when;

	for (when = 0; when < 4; when++) {
		open_example(&x, FAIR_MAUI_HIGHEST, 1);
		if (when == 1) /* no walk has restored it */
			TEST_EQ(fair_sched_capacity(&x.sched, 60, 1, NULL, 0),
				0);
		if (when == 2) {
			finish(&x, 100, 0);
			TEST_EQ(fair_sched_refuse(&x.sched, 100, 1), 0);
		}
		if (when == 3)
			finish(&x, 100, 0);
		load(&x, &y);
		if (when == 3) { /* a running job knows that it had one */
			TEST_EQ(fair_sched_refuse(&y.sched, 100, 1), 0);
			step(&y, 100);
			TEST_EQ(y.start[2], 100);
			TEST_EQ(estimate(&y, 1), 150);
		} else if (when == 2) {
			step(&y, 100);
			TEST_EQ(y.start[2], 100);
			TEST_EQ(estimate(&y, 1), 150);
		} else {
			finish(&y, 100, 0);
			TEST_EQ(y.start[1], 100);
		}
		site_close(&x);
		site_close(&y);
	}
}

/* Job 1 has started, and is requeued: it has had no reservation yet, and the
 * next one is that of a job of user 2. */
TEST(a_requeued_job)
{
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 1);
	finish(&x, 100, 0);
	TEST_EQ(x.start[1], 100);
	TEST_OK(fair_sched_requeue(&x.sched, 110, 1));
	x.now = 110;
	submit(&x, job_of(2, 8, 50));
	step(&x, 110);
	TEST_EQ(x.start[2], 110);
	TEST_EQ(estimate(&x, 3), 160);
	TEST_EQ(estimate(&x, 1), 210);
	site_close(&x);
}

/* The same of a job that is suspended, and resumed at once. */
TEST(a_suspended_job)
{
	struct maui_site x;

	open_example(&x, FAIR_MAUI_HIGHEST, 1);
	finish(&x, 100, 0);
	TEST_EQ(x.start[1], 100);
	TEST_OK(fair_sched_suspend(&x.sched, 110, 1));
	TEST_OK(fair_sched_resume_job(&x.sched, 110, 1));
	x.now = 110;
	submit(&x, job_of(2, 8, 50));
	step(&x, 110);
	TEST_EQ(x.start[2], 110);
	TEST_EQ(estimate(&x, 3), 160);
	TEST_EQ(estimate(&x, 1), 210);
	site_close(&x);
}

/* Job 1 is held for a while: job 2 gets its place, and keeps it as job 0
 * overruns, before job 1, which has lost its turn. */
TEST(a_turn_that_a_held_job_loses)
{
	struct fair_eligibility held = { .held = true };
	struct maui_site x;

	open_kept(&x, FAIR_MAUI_HIGHEST, 8);
	submit(&x, job_of(0, 8, 100));
	step(&x, 0);
	submit(&x, job_of(0, 8, 100));
	submit(&x, job_of(0, 8, 100));
	step(&x, 0);
	TEST_OK(fair_sched_defer(&x.sched, 10, 1, &held));
	step(&x, 10);
	TEST_OK(fair_sched_defer(&x.sched, 20, 1, NULL));
	step(&x, 20);
	TEST_EQ(estimate(&x, 2), 100);
	TEST_EQ(estimate(&x, 1), 200);
	step(&x, 100);
	TEST_EQ(estimate(&x, 2), 101);
	TEST_EQ(estimate(&x, 1), 201);
	site_close(&x);
}

/* Loaded under another policy, the next plan is made afresh: one that keeps no
 * reservation, or has kept none so far. */
TEST(another_policy)
{
	static const uint32_t policy[2] = { FAIR_MAUI_HIGHEST,
					    FAIR_MAUI_CURRENTHIGHEST };
	struct maui_site x, y, z;
	uint32_t capacity, from;

	for (capacity = 0; capacity < 4; capacity++) {
		from = capacity / 2;
		open_kept(&x, policy[from], 8);
		submit(&x, job_of(0, 8, 100));
		step(&x, 0);
		submit(&x, job_of(1, 8, 100));
		step(&x, 1);
		if (capacity % 2)
			TEST_EQ(fair_sched_capacity(&x.sched, 60, 1, NULL, 0),
				0);
		x.config.reservations = policy[!from];
		load(&x, &y);
		y.now = 60;
		submit(&y, job_of(2, 8, 50));
		finish(&y, 100, 0);
		TEST_EQ(y.start[2], 100);
		load(&y, &z);
		site_close(&x);
		site_close(&y);
		site_close(&z);
	}
}
