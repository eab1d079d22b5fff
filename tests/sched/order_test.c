/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The queue is walked in the configured order, by the caller's key or
 * comparison as well, and ties end at the number.
 */
#include "fairsched.h"
#include "tests/world.h"

static int64_t least_key(void *context, const struct fair_job *job)
{
	(void)context;
	return job->number % 2 ? INT64_MIN : INT64_MAX;
}

/* Any number is a key, in a checkpoint too. */
TEST(by_extreme_keys)
{
	struct fair_sched copy;
	unsigned char *checkpoint;
	struct world w;
	size_t bytes;
	struct fair_config config = { .policy = FAIR_BACKFILL,
				      .order = FAIR_ORDER_KEY,
				      .key = least_key };

	open_world_of(&w, &config);
	submit(&w, 0, 8, 10, 10);
	submit(&w, 0, 6, 10, 10);
	submit(&w, 0, 7, 10, 10);
	checkpoint = checkpoint_of(&w.s, &bytes);
	TEST_OK(fair_sched_load(&copy, sizeof(copy), w.kept, w.bytes, &w.config,
				checkpoint, bytes, NULL));
	TEST_EQ(fair_sched_check(&copy), 0);
	free(checkpoint);
	TEST_EQ(step(&w, 0), 7);
	TEST_EQ(fair_sched_finish(&w.s, 5, 7), 0);
	TEST_EQ(step(&w, 5), 6);
	close_world(&w);
}

/* Ties end at the number; a modified job is asked about again. */
TEST(by_key)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL, FAIR_PC,
					   FAIR_DC };
	struct world w;
	size_t i;

	for (i = 0; i < 4; i++) {
		open_ordered(&w, policy[i], FAIR_ORDER_KEY);
		submit(&w, 0, 9, 200, 10);
		TEST_EQ(step(&w, 0), 9);
		submit(&w, 2, 5, 10, 2);
		submit(&w, 2, 4, 10, 6);
		submit(&w, 3, 3, 10, 6);
		TEST_EQ(fair_sched_modify(&w.s, 4, 5, 7, 10), 0);
		TEST_EQ(fair_sched_finish(&w.s, 5, 9), 0);
		TEST_EQ(step(&w, 5), 5);
		TEST_EQ(fair_sched_finish(&w.s, 6, 5), 0);
		TEST_EQ(step(&w, 6), 3);
		close_world(&w);
	}
}

TEST(by_comparison)
{
	static const struct {
		uint32_t policy, select;
	} by[] = { { FAIR_FCFS, 0 },
		   { FAIR_BACKFILL, 0 },
		   { FAIR_BACKFILL, FAIR_BESTFIT } };
	struct world w;
	size_t i;
	struct fair_config config = { .order = FAIR_ORDER_COMPARE,
				      .compare = parity };

	for (i = 0; i < 3; i++) {
		config.policy = by[i].policy;
		config.select = by[i].select;
		open_world_of(&w, &config);
		/* A selection is a pass of its own over those left. */
		TEST_EQ(afresh_of(&w.s)->phase.by.passes, config.select ? 1 : 0);
		submit(&w, 0, 9, 200, 10);
		TEST_EQ(step(&w, 0), 9);
		submit(&w, 1, 7, 10, 10);
		submit(&w, 2, 5, 10, 10);
		submit(&w, 3, 2, 10, 10);
		submit(&w, 3, 4, 10, 10);
		TEST_EQ(step(&w, 4), 0);
		TEST_EQ(fair_sched_finish(&w.s, 5, 9), 0);
		TEST_EQ(step(&w, 5), 7); /* submitted before 5 */
		TEST_EQ(fair_sched_finish(&w.s, 100, 7), 0);
		TEST_EQ(step(&w, 100), 2);
		TEST_EQ(fair_sched_finish(&w.s, 105, 2), 0);
		TEST_EQ(step(&w, 105), 4);
		close_world(&w);
	}
}

/* Time passes by an event that changes nothing: the order changes still. */
TEST(order_that_time_changes)
{
	struct world w;

	/* 1 runs to 100; factors at 1: 2 has 2, 3 has 2; at 41: 42, 21. */
	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_LXF, 1);
	submit(&w, 0, 1, 100, 8);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 100, 10);
	submit(&w, 0, 3, 200, 1);
	TEST_EQ(step(&w, 0), 0); /* 2 is reserved, 3 would delay it */
	TEST_EQ(fair_sched_modify(&w.s, 50, 1, 8, 100), 0);
	TEST_EQ(step(&w, 50), 0);
	submit(&w, 60, 4, 1, 3);
	TEST_EQ(step(&w, 60), 0);
	TEST_EQ(fair_sched_modify(&w.s, 99, 1, 8, 100), 0);
	/* 4, of factor 40, has overtaken 2 and leaves 7 beside it. */
	TEST_EQ(step(&w, 99), 3);
	close_world(&w);
}

TEST(linear)
{
	/* A processor is worth 10 s: 2 of them make up for 10 s of waiting. */
	static const int64_t want[] = { 2, 3, 1, -1 };
	struct fair_job j;
	size_t i;
	struct world w = { .config.policy = FAIR_BACKFILL,
			   .config.order = FAIR_ORDER_TWO_TERM,
			   .config.weight = 10,
			   .config.procs = 4,
			   .config.jobs = 4 };

	open_world_of(&w, &w.config);
	submit(&w, 0, 0, 100, 4);
	TEST_EQ(next_start(&w, 0), 0);
	submit(&w, 0, 1, 50, 1);
	submit(&w, 9, 2, 50, 2);
	j = a_job(3, 10, 50, 2);	/* as job 1, but for ... */
	j.submit = 9;			/* ... one second */
	TEST_EQ(fair_sched_submit(&w.s, 10, &j), 0);
	TEST_EQ(fair_sched_finish(&w.s, 50, 0), 0);
	TEST_EQ(next_start(&w, 50), want[0]);
	TEST_EQ(next_start(&w, 50), want[1]);
	TEST_EQ(fair_sched_finish(&w.s, 60, 2), 0);
	for (i = 2; i < 4; i++)
		TEST_EQ(next_start(&w, 60), want[i]);
	j.number = 9;
	j.submit = -((int64_t)1 << 60) - 1;
	TEST_EQ(fair_sched_submit(&w.s, 60, &j), -FAIR_EINVAL);
	j.submit++;
	TEST_EQ(fair_sched_submit(&w.s, 60, &j), 0);
	close_world(&w);
}

/*
 * In backfill windows, too, the job with the largest expansion factor goes
 * first.
 */
TEST(stretched_windows)
{
	struct world w = { .config.policy = FAIR_BACKFILL,
			   .config.order = FAIR_ORDER_LXF,
			   .config.select = FAIR_GREEDY,
			   .config.procs = 1,
			   .config.jobs = 3 };

	open_world_of(&w, &w.config);
	submit(&w, 0, 1, 10, 1);
	TEST_EQ(next_start(&w, 0), 1);
	submit(&w, 0, 2, 100, 1);
	submit(&w, 1, 3, 1, 1);
	TEST_EQ(fair_sched_finish(&w.s, 10, 1), 0);
	TEST_EQ(next_start(&w, 10), 3);
	close_world(&w);
}

/* Job 2 is of user 1, who has enough, until it is of user 0. */
TEST(reassigned_within_a_second)
{
	struct fair_config config = { .policy = FAIR_MAUI,
				      .users = 2,
				      .accounts = 1 };
	struct fair_maui_credential user[2] = {
		fair_maui_credential_defaults(), fair_maui_credential_defaults()
	};
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_job j = a_job(1, 0, 100, 3);
	struct world w;
	uint32_t kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		maui.count[kind] = 1;
	user[1].hard[FAIR_THROTTLE_PROCS] = 3;
	maui.count[FAIR_THROTTLE_USER] = 2;
	maui.credential[FAIR_THROTTLE_USER] = user;
	config.maui = &maui;
	open_world_of(&w, &config);
	j.user = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	j.user = 0;
	TEST_OK(fair_sched_reassign(&w.s, 0, 2, &j));
	TEST_EQ(step(&w, 0), 2);
	j.swap = 9;
	TEST_OK(fair_sched_resize(&w.s, 0, 2, &j));
	TEST_EQ(look(&w, 2).job.swap, 9);
	close_world(&w);
}

/* pc compresses by the priorities of now: the short job waits the longer, for
 * its walltime. */
TEST(compression_by_priorities)
{
	static const int64_t walltime[] = { 40, 10 };
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config config = { .policy = FAIR_PC,
				      .order = FAIR_ORDER_PRIORITY,
				      .users = 1,
				      .accounts = 1,
				      .maui = &maui };
	struct world w;
	uint32_t first, kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		maui.count[kind] = 1;
	maui.priority.weight[FAIR_PRIORITY_XFACTOR] = 1;
	for (first = 0; first < 2; first++) {
		open_world_of(&w, &config);
		submit(&w, 0, 9, 100, 10);
		TEST_EQ(step(&w, 0), 9);
		submit(&w, 0, 1, walltime[first], 10);
		submit(&w, 0, 2, walltime[!first], 10);
		TEST_OK(fair_sched_finish(&w.s, 50, 9));
		TEST_EQ(look(&w, first ? 1 : 2).start, 50);
		TEST_EQ(look(&w, first ? 2 : 1).start, 60);
		close_world(&w);
	}
}

/* The job of this number goes before all others. */
static uint64_t favourite;

static int by_favourite(void *context, int64_t now, const struct fair_job *a,
			const struct fair_job *b)
{
	(void)context;
	(void)now;
	return (b->number == favourite) - (a->number == favourite);
}

/* Job 2 waits for the reservation of job 3. If the order changes it starts in
 * the same second: as that is told of a job, or of all. */
TEST(another_order_in_the_same_second)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_COMPARE,
				 .depth = 1,
				 .compare = by_favourite };
	struct world w;
	int all;

	for (all = 0; all < 2; all++) {
		favourite = 3;
		open_world_of(&w, &c);
		submit(&w, 0, 1, 50, 6);
		TEST_EQ(step(&w, 0), 1);
		submit(&w, 0, 2, 100, 4);
		submit(&w, 0, 3, 50, 8);
		TEST_EQ(step(&w, 0), 0);
		favourite = 2;
		TEST_EQ(step(&w, 0), 0);
		TEST_OK(all ? fair_sched_replan(&w.s, 0)
			    : fair_sched_reprioritize(&w.s, 0, 2));
		TEST_EQ(step(&w, 0), 2);
		close_world(&w);
	}
}
