/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Plans that are made afresh: fcfs stops at the first job that cannot start
 * now, easy reserves for one job, depth N for N, and no job that starts delays
 * a reservation.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

/* The example of the manual; how many jobs run. */
static uint32_t manual(void)
{
	struct fair_queued job[16] = { 0 };
	struct fair_queue running;
	struct fair_backfill b;
	char memory[2][8192];
	uint32_t slot;

	fair_queue_init(&running, sizeof(running), memory[0], 8192, 16, job,
			sizeof(job[0]));
	fair_backfill_init(&b, sizeof(b), memory[1], 8192, 1, false, 16, job,
			   sizeof(job[0]), 100, 0);
	job[0].rank.key = 0; // submitted at 0: first come ...
	job[0].rank.number = 7;
	job[0].walltime = 3600;
	job[0].procs = 64;
	fair_backfill_submit(&b, 0);
	struct fair_iteration it = { 0, &running, NULL }; // now is 0
	while (fair_backfill_due(&b, &it, &slot)) {
		job[slot].rank.key = 0 + job[slot].walltime; // runs until
		fair_queue_insert(&running, slot);
	}

	return running.jobs;
}

TEST(example_of_the_manual)
{
	TEST_EQ(manual(), 1);
}

TEST(shadow_time)
{
	int64_t when = -1;
	int32_t extra = -1;
	struct site s;
	uint32_t i;

	open_site(&s, 1, false, 0);
	TEST_EQ(fair_easy_shadow(&s.running, 3, 2, 7, &when, &extra), 0);
	TEST_EQ(when, 7);
	TEST_EQ(extra, 1);
	/* ends, processors: 10, 2; 10, 3; 20, 4; 1 is free */
	add(&s, 0, 10, 2);
	add(&s, 0, 10, 3);
	add(&s, 0, 20, 4);
	for (i = 0; i < 3; i++)
		s.job[i].rank.key = s.job[i].walltime;
	for (i = 0; i < 3; i++)
		TEST_EQ(fair_queue_insert(&s.running, i), 0);

	/* 2 would do at 10, but both end then */
	TEST_EQ(fair_easy_shadow(&s.running, 1, 3, 0, &when, &extra), 0);
	TEST_EQ(when, 10);
	TEST_EQ(extra, 3);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 6, 0, &when, &extra), 0);
	TEST_EQ(when, 10);
	TEST_EQ(extra, 0);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 7, 0, &when, &extra), 0);
	TEST_EQ(when, 20);
	TEST_EQ(extra, 3);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 1, 15, &when, &extra), 0);
	TEST_EQ(when, 15);
	TEST_EQ(extra, 5);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 10, 20, &when, &extra), 0);
	TEST_EQ(when, 20);
	TEST_EQ(extra, 0);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 11, 20, &when, &extra),
		-FAIR_ERANGE);
	TEST_EQ(when, 20);
	TEST_EQ(extra, 0);
	free(s.memory);
	free(s.more);
}

TEST(may_backfill)
{
	TEST_CHECK(fair_easy_may_backfill(100, 4, 4, 100, 0));
	TEST_CHECK(!fair_easy_may_backfill(101, 4, 4, 100, 3));
	TEST_CHECK(fair_easy_may_backfill(101, 4, 4, 100, 4));
	TEST_CHECK(!fair_easy_may_backfill(50, 5, 4, 100, 9));
}

/* 0 runs until 100, 1 waits for it: shadow time 100, 2 extra processors. */
TEST(easy)
{
	struct site s;

	open_site(&s, 1, false, 1);
	add(&s, 0, 100, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.running.jobs, 1);
	add(&s, 1, 50, 8);
	add(&s, 2, 99, 3);  /* too long by a second, too wide by one */
	add(&s, 2, 98, 1);  /* ends at the shadow time */
	add(&s, 2, 900, 1); /* extra */
	add(&s, 2, 900, 2); /* more than is extra now */
	add(&s, 2, 900, 1); /* extra, the last */
	TEST_EQ(starts(&s, 2), 346);
	TEST_EQ(s.b.shadow_time, 100);
	TEST_EQ(s.b.extra_procs, 0);
	TEST_EQ(s.b.free, 1);
	finish(&s, 50, 3); /* early: 2 and 5 have to wait still */
	TEST_EQ(starts(&s, 50), 0);
	finish(&s, 100, 0);
	TEST_EQ(starts(&s, 100), 1);
	TEST_EQ(s.b.shadow_time, 150);
	close_site(&s);
}

TEST(fcfs)
{
	struct site s;

	open_site(&s, 0, false, 2);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 5);
	add(&s, 0, 1, 1);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.running.jobs, 1);
	TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
	TEST_EQ(starts(&s, 1), 2);
	close_site(&s);
}

TEST(depth)
{
	struct site s;

	TEST_EQ(three_wait(&s, 1), 34);
	close_site(&s);

	TEST_EQ(three_wait(&s, 2), 4);
	TEST_EQ(s.b.reserved, 2);
	TEST_EQ(s.b.held[0].start, 100);
	TEST_EQ(s.b.held[1].start, 150);
	close_site(&s);

	TEST_EQ(three_wait(&s, 3), 4);
	TEST_EQ(s.b.reserved, 3);
	TEST_EQ(s.b.held[2].start, 350);
	finish(&s, 100, 0);
	finish(&s, 100, 4);
	TEST_EQ(starts(&s, 120), 1);
	TEST_EQ(s.b.reserved, 2);
	close_site(&s);
}

/* 2 is reserved for [50, 250): when it is planned afresh, a part has passed. */
TEST(reservations_pass)
{
	static const int64_t late[] = { 50, 170, 250, 600 };
	struct site s;
	uint32_t i;

	for (i = 0; i < 4; i++) {
		TEST_EQ(three_wait(&s, 3), 4);
		finish(&s, 0, 0);
		finish(&s, 0, 4);
		TEST_EQ(starts(&s, 0), 1);
		TEST_EQ(s.b.held[0].start, 50);
		TEST_EQ(fair_profile_advance(&s.b.space.profile, late[i]), 0);
		finish(&s, late[i], 1);
		TEST_EQ(starts(&s, late[i]), 2);
		close_site(&s);
	}
}

TEST(refused_jobs_wait)
{
	struct site s;
	uint32_t d;

	for (d = 0; d < 3; d++) {
		open_site(&s, d, false, 4);
		add(&s, 0, 10, 4);
		add(&s, 0, 10, 4);
		s.job[0].not_before = 6;
		TEST_EQ(starts(&s, 5), d ? 1 : 0);
		if (d == 1)
			TEST_EQ(s.b.shadow_time, 6);
		if (d == 2)
			TEST_EQ(s.b.held[0].start, 6);
		s.job[0].mark = 0;
		fair_backfill_replan(&s.b);
		TEST_EQ(starts(&s, 6), d ? 0 : 1);
		TEST_EQ(s.running.jobs, 2);
		close_site(&s);
	}
}

/* How many jobs a walk scans. */
static uint64_t looks_at(struct site *s, int64_t now)
{
	s->b.scans = 1000;
	starts(s, now);
	return 1000 - s->b.scans;
}

/* From the first rank there is, though the last walk ended behind the last. */
TEST(first_rank)
{
	struct site s;

	open_site(&s, 1, false, 0);
	s.used = 1;
	add(&s, 0, 10, 10);
	TEST_EQ(next(&s), 1);
	s.used = 0;
	add(&s, INT64_MIN, 10, 10);
	TEST_EQ(next(&s), 99);
	finish(&s, 0, 1);
	TEST_EQ(next(&s), 0);
	close_site(&s);
}

/* Nor is it looked at again by the next call. */
TEST(last_rank)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 9);
	add(&s, 0, 10, 10);
	s.job[2].rank.key = INT64_MAX;
	s.job[2].rank.number = UINT64_MAX - 1;
	s.job[2].walltime = 10;
	s.job[2].not_before = 1;
	s.job[2].procs = 1;
	TEST_EQ(fair_backfill_submit(&s.b, 2), 0);
	TEST_EQ(looks_at(&s, 0), 3);
	TEST_EQ(looks_at(&s, 0), 0);
	close_site(&s);
}

/* A job that should have ended may end at any moment. */
TEST(overrun_doubles)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 0, 5, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.b.extra_procs, 0);
	add(&s, 6, 10, 8);
	TEST_EQ(starts(&s, 7), 0);
	TEST_EQ(s.b.shadow_time, 7);
	TEST_EQ(s.b.extra_procs, 2);
	close_site(&s);
}

static void events(uint32_t d)
{
	struct site s;

	open_site(&s, d, false, 5);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_backfill_shrink(&s.b, 0, CLAIM(5)), -FAIR_ERANGE);
	TEST_EQ(s.b.free, 4);
	TEST_EQ(fair_backfill_shrink(&s.b, 0, CLAIM(4)), 0);
	add(&s, 0, 1, 1);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_backfill_give_back(&s.b, 1, FAIR_FOREVER, CLAIM(5)), 0);
	TEST_EQ(s.b.procs, 11);
	TEST_EQ(starts(&s, 1), 2);
	/* The running job gets longer, then shorter. */
	add(&s, 2, 150, 5);
	TEST_EQ(fair_queue_remove(&s.running, 0), 0);
	s.job[0].rank.key = 160;
	TEST_EQ(fair_queue_insert(&s.running, 0), 0);
	TEST_EQ(fair_backfill_extend(&s.b, 2, 100, 160, CLAIM(6)), 0);
	finish(&s, 2, 2);
	TEST_EQ(starts(&s, 2), 3);
	TEST_EQ(fair_queue_remove(&s.running, 0), 0);
	s.job[0].rank.key = 50;
	TEST_EQ(fair_queue_insert(&s.running, 0), 0);
	TEST_EQ(fair_backfill_shorten(&s.b, 50, 160, CLAIM(6)), 0);
	add(&s, 3, 1, 11);
	TEST_EQ(starts(&s, 3), 0);
	finish(&s, 50, 0); /* as planned: nothing to give back */
	TEST_EQ(starts(&s, 50), 1);
	TEST_EQ(s.b.anew, false);
	close_site(&s);
}

TEST(events_with_shadow_time)
{
	events(1);
}

TEST(events_with_profile)
{
	events(2);
}

/* Extra processors are of depth 1; elsewhere they must not run over. */
TEST(starts_without_end)
{
	struct fair_queued job[3] = { 0 };
	char memory[2][65536];
	struct fair_queue running;
	struct fair_iteration it = { 0, &running, NULL };
	struct fair_backfill b;
	uint32_t i, slot = 0;

	TEST_OK(fair_queue_init(&running, sizeof(running), memory[0], 65536, 3,
				job, sizeof(job[0])));
	TEST_OK(fair_backfill_init(&b, sizeof(b), memory[1], 65536, 2, false, 3,
				   job, sizeof(job[0]), INT32_MAX, 0));
	for (i = 0; i < 2; i++) {
		job[i].rank.number = i;
		job[i].walltime = 1000;
		job[i].procs = i ? INT32_MAX : 1;
		TEST_EQ(fair_backfill_submit(&b, i), 0);
	}
	TEST_CHECK(fair_backfill_due(&b, &it, &slot));
	job[0].rank.key = 1000;
	TEST_EQ(fair_queue_insert(&running, 0), 0);
	TEST_CHECK(!fair_backfill_due(&b, &it, &slot));
	for (i = 0; i < 5; i++) {
		job[2].rank.key = 5;
		job[2].rank.number = 2;
		job[2].walltime = 1;
		job[2].procs = INT32_MAX / 2;
		TEST_EQ(fair_backfill_submit(&b, 2), 0);
		it.now = i;
		TEST_CHECK(fair_backfill_due(&b, &it, &slot));
		TEST_EQ(slot, 2);
		TEST_OK(fair_backfill_give_back(&b, i + 1, i + 1,
						CLAIM(INT32_MAX / 2)));
		TEST_EQ(b.extra_procs, 0);
	}
	TEST_EQ(fair_backfill_check(&b, &running), 0);
}

/* A job that is reserved leaves, and one takes its slot. */
TEST(reserved_job_leaves)
{
	struct site s;
	uint32_t d;

	for (d = 1; d < 3; d++) {
		TEST_EQ(three_wait(&s, d), d == 1 ? 34 : 4);
		TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
		TEST_EQ(s.job[1].mark, 0);
		s.used = 1;
		add(&s, 1, 10, 1);
		TEST_EQ(starts(&s, 1), 1);
		close_site(&s);
	}
}
