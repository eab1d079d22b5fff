/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A running job is suspended: it returns its processors, and goes on later with
 * the rest of its walltime.
 */
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"

static uint32_t waits(struct world *w, uint64_t number)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&w->s, number, &j));
	return j.waits;
}

/* The rest of a job that overran until it is as long as can be is saved. */
TEST(the_longest_rest)
{
	const int64_t last = INT64_C(1) << 60;
	static const uint32_t policies[] = { FAIR_FCFS, FAIR_BACKFILL,
					     FAIR_CONSERVATIVE };
	static char memory[1 << 16], other[1 << 16], checkpoint[1 << 13];
	struct fair_job job = { .number = 1, .walltime = 3, .procs = 2 };
	struct fair_job half = { .procs = 1 };
	struct fair_sched s, loaded;
	struct fair_config config;
	struct fair_decision start;
	uint32_t i, resizes;
	size_t n;

	for (i = 0; i < 6; i++) {
		resizes = i / 3;
		memset(&config, 0, sizeof(config));
		config.policy = policies[i % 3];
		config.procs = 4;
		config.jobs = config.ineligible = config.advances = 4;
		TEST_OK(fair_sched_init(&s, sizeof(s), memory, sizeof(memory),
					&config));
		TEST_OK(fair_sched_submit(&s, 0, &job));
		TEST_OK(fair_sched_step(&s, 0, &start, 1, &n));
		TEST_EQ(n, 1);
		TEST_OK(resizes ? fair_sched_resize(&s, last, 1, &half)
				: fair_sched_suspend(&s, last, 1));
		TEST_OK(fair_sched_check(&s));
		TEST_OK(fair_sched_save(&s, checkpoint, sizeof(checkpoint)));
		TEST_OK(fair_sched_load(&loaded, sizeof(loaded), other,
					sizeof(other), &config, checkpoint,
					fair_sched_checkpoint_size(&s), NULL));
		if (!resizes)
			TEST_OK(fair_sched_resume_job(&loaded, last, 1));
		TEST_OK(fair_sched_check(&loaded));
	}
}

/* 4 waits behind 3: when 1 and 2 are suspended, 3 starts at once. */
TEST(another_job_starts)
{
	struct fair_job_status j;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy(&w, policy);
		TEST_OK(fair_sched_suspend(&w.s, 10, 1));
		TEST_OK(fair_sched_suspend(&w.s, 10, 2));
		TEST_CHECK(is_ineligible(&w, 1) && is_ineligible(&w, 2));
		TEST_EQ(waits(&w, 1), FAIR_WAITS_RESUME);
		j = look(&w, 1);
		TEST_EQ(j.ran, 10);
		TEST_EQ(j.job.walltime, 40);
		TEST_EQ(step(&w, 10), 3);
		TEST_OK(fair_sched_resume_job(&w.s, 20, 2));
		j = look(&w, 2);
		TEST_EQ(j.state, FAIR_QUEUED);
		TEST_EQ(waits(&w, 2), 0);
		if (policy >= FAIR_CONSERVATIVE)
			TEST_EQ(j.cause, FAIR_CAUSE_SUSPENDED);
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

/* It runs again for what was left: 50 seconds in all, in two parts. */
TEST(the_rest)
{
	struct fair_job_status j;
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_suspend(&w.s, 20, 1));
	TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
	TEST_OK(fair_sched_resume_job(&w.s, 100, 1));
	TEST_EQ(step(&w, 100), 1);
	j = look(&w, 1);
	TEST_EQ(j.start, 100);
	TEST_EQ(j.end, 130);
	TEST_EQ(j.ran, 20);
	TEST_OK(fair_sched_suspend(&w.s, 110, 1));
	TEST_EQ(look(&w, 1).ran, 30);
	TEST_EQ(look(&w, 1).job.walltime, 20);
	TEST_OK(fair_sched_cancel(&w.s, 120, 1));
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* At 55 an overrun of a job of 50 seconds is planned to end at 50 + 8. */
TEST(the_rest_of_an_overrun)
{
	struct world w;

	open_world(&w, FAIR_PC, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_suspend(&w.s, 55, 1));
	TEST_EQ(look(&w, 1).job.walltime, 3);
	close_world(&w);
}

/* Of 6 processors FAIR_MAUI allows 100 seconds: at 228 an overrun, until
 * 100 + 256, has 128 left, at 256 it has 100. */
TEST(the_rest_is_beyond_a_limit)
{
	struct fair_maui_credential user = fair_maui_credential_defaults();
	struct fair_maui_config m = fair_maui_defaults();
	struct fair_config c = { .policy = FAIR_MAUI, .maui = &m };
	struct world w;
	int kind;

	user.hard[FAIR_THROTTLE_PROC_SECONDS] = 6 * 100;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		m.count[kind] = 1;
	m.credential[FAIR_THROTTLE_USER] = &user;
	open_world_of(&w, &c);
	submit(&w, 0, 1, 100, 6);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	TEST_EQ(fair_sched_suspend(&w.s, 228, 1), -FAIR_ERANGE);
	TEST_CHECK(unchanged(&w));
	TEST_OK(fair_sched_suspend(&w.s, 256, 1));
	TEST_EQ(look(&w, 1).job.walltime, 100);
	TEST_OK(fair_sched_resume_job(&w.s, 310, 1));
	TEST_EQ(step(&w, 310), 1);
	TEST_EQ(look(&w, 1).end, 410);
	TEST_OK(fair_sched_modify(&w.s, 310, 1, 6, 100)); /* 356 in all */
	keep(&w);
	TEST_EQ(fair_sched_requeue(&w.s, 320, 1), -FAIR_ERANGE);
	TEST_CHECK(unchanged(&w));
	close_world(&w);
}

/* Requeued, it begins again: its whole walltime, its present size. */
TEST(requeued)
{
	struct fair_job size;
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_suspend(&w.s, 20, 1));
	TEST_OK(fair_sched_resume_job(&w.s, 30, 1));
	TEST_EQ(step(&w, 30), 1);
	TEST_OK(fair_sched_requeue(&w.s, 40, 1));
	TEST_EQ(look(&w, 1).job.walltime, 50);
	TEST_EQ(look(&w, 1).ran, 0);
	TEST_EQ(step(&w, 40), 1);
	TEST_EQ(look(&w, 1).end, 90);
	size = look(&w, 1).job;
	size.procs = 4;
	TEST_OK(fair_sched_resize(&w.s, 50, 1, &size));
	TEST_OK(fair_sched_requeue(&w.s, 60, 1));
	TEST_EQ(look(&w, 1).job.walltime, 50);
	TEST_EQ(look(&w, 1).job.procs, 4);
	TEST_OK(fair_sched_modify(&w.s, 60, 1, 6, 50));
	TEST_EQ(step(&w, 60), 1);
	TEST_EQ(look(&w, 1).end, 110);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/*
 * What it overran is no part of that, resized and suspended in between or not;
 * nor is a resize a start that was promised.
 */
TEST(requeued_after_an_overrun)
{
	struct fair_job size;
	struct world w;
	int i;

	for (i = 0; i < 8; i++) {
		open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
		submit(&w, 0, 1, 15, 6);
		TEST_EQ(step(&w, 0), 1);
		size = look(&w, 1).job;
		size.procs = 5;
		if (i & 1)
			TEST_OK(fair_sched_resize(&w.s, 5, 1, &size));
		if (i & 2)
			TEST_OK(fair_sched_resize(&w.s, 20, 1, &size));
		if (i & 4)
			TEST_OK(fair_sched_modify(&w.s, 21, 1,
						  look(&w, 1).job.procs, 30));
		w.asked = w.tells;
		TEST_OK(fair_sched_requeue(&w.s, 22, 1));
		told(&w, 1, 22, 0, 22, FAIR_CAUSE_REQUEUED, 1);
		TEST_EQ(look(&w, 1).job.walltime,
			!(i & 4)  ? 15
			: i & 2 ? 50
			: i & 1 ? 35
				: 30);
		close_world(&w);
	}
}

/* It has run for more than the longest walltime. */
TEST(requeued_beyond_the_longest_walltime)
{
	const int64_t half = (INT64_C(1) << 33) + 1;
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, half, 6);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_suspend(&w.s, 2 * half, 1));
	TEST_OK(fair_sched_resume_job(&w.s, 2 * half, 1));
	TEST_EQ(step(&w, 2 * half), 1);
	TEST_OK(fair_sched_modify(&w.s, 2 * half, 1, 6, half));
	keep(&w);
	TEST_EQ(fair_sched_requeue(&w.s, 2 * half + 1, 1), -FAIR_EOVERFLOW);
	TEST_CHECK(unchanged(&w));
	close_world(&w);
}

/* A condition that it gets meanwhile holds on after it is resumed. */
TEST(held_meanwhile)
{
	const struct fair_eligibility held = until(0, 0, 0, true);
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_OK(fair_sched_suspend(&w.s, 10, 1));
	TEST_OK(fair_sched_defer(&w.s, 10, 1, NULL));
	TEST_EQ(waits(&w, 1), FAIR_WAITS_RESUME);
	TEST_OK(fair_sched_defer(&w.s, 10, 1, &held));
	TEST_EQ(waits(&w, 1), FAIR_WAITS_RESUME | FAIR_WAITS_HELD);
	TEST_OK(fair_sched_resume_job(&w.s, 11, 1));
	TEST_EQ(waits(&w, 1), FAIR_WAITS_HELD);
	TEST_EQ(fair_sched_resume_job(&w.s, 11, 1), -FAIR_EINVAL);
	TEST_OK(fair_sched_defer(&w.s, 12, 1, NULL));
	TEST_EQ(waits(&w, 1), 0);
	close_world(&w);
}

static int64_t fifty(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 50;
}

/* A checkpoint, a clone, a conversion: the same end of a job of 50 seconds. */
TEST(kept)
{
	struct fair_simulated_run f;
	struct fair_job_status j;
	struct fair_sched s[3];
	unsigned char *checkpoint;
	char *memory[3], *simulated;
	size_t bytes, checkpoint_bytes;
	struct world w;
	int64_t start;
	int damage, i, round;

	for (round = 0; round < 3; round++) {
		open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
		submit(&w, 0, 1, 60, 6);
		TEST_EQ(step(&w, 0), 1);
		TEST_OK(fair_sched_suspend(&w.s, 20, 1));
		if (round > 0)
			TEST_OK(fair_sched_resume_job(&w.s, 30, 1));
		if (round > 1)
			TEST_EQ(step(&w, 30), 1);
		submit(&w, 30, 2, 10, 6);
		bytes = fair_sched_size(&w.config);
		checkpoint_bytes = fair_sched_checkpoint_size(&w.s);
		checkpoint = (unsigned char *)malloc(checkpoint_bytes);
		for (i = 0; i < 3; i++)
			memory[i] = (char *)malloc(bytes);
		simulated = (char *)malloc(fair_sched_fst_size(&w.config));
		TEST_OK(fair_sched_save(&w.s, checkpoint, checkpoint_bytes));
		TEST_OK(fair_sched_clone(&s[0], memory[0], bytes, &w.s));
		TEST_OK(fair_sched_load(&s[1], sizeof(s[1]), memory[1], bytes,
					&w.config, checkpoint, checkpoint_bytes,
					&damage));
		TEST_OK(fair_sched_convert(&s[2], sizeof(s[2]), memory[2],
					   bytes, &w.config, &w.s));
		for (i = 0; i < 3; i++) {
			TEST_OK(fair_sched_lookup(&s[i], 1, &j));
			TEST_EQ(j.ran, 20);
			TEST_EQ(j.waits, round ? 0 : FAIR_WAITS_RESUME);
			TEST_OK(fair_simulated_run_init(
				&f, sizeof(f), simulated,
				fair_sched_fst_size(&w.config), &s[i], 30,
				fifty, NULL));
			TEST_OK(fair_simulated_run_start(&f, 2, &start));
			TEST_EQ(start, round ? 60 : 30);
			TEST_EQ(fair_sched_check(&s[i]), 0);
			free(memory[i]);
		}
		free(simulated);
		free(checkpoint);
		close_world(&w);
	}
}

TEST(why_it_does_not_run)
{
	struct fair_why why;
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_OK(fair_sched_suspend(&w.s, 10, 1));
	TEST_EQ(step(&w, 10), 0);
	TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_SUSPENDED);
	close_world(&w);
}
