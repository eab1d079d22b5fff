/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Plans that keep promises: each queued job holds a reservation, which moves
 * later only for lost capacity, a refused start or a late step.
 */
#include "tests/promises.h"

/* The example of the manual; processors that are free in the end. */
static int32_t manual(void)
{
	struct fair_queued job[16] = { 0 };
	struct fair_conservative c;
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, 16, 16);
	void *memory = malloc(bytes);
	uint32_t slot;

	fair_conservative_init(&c, sizeof(c), memory, bytes, FAIR_COMPRESS, 16,
			       16, job, sizeof(job[0]), 100, 0);
	job[0].rank.number = 7;
	job[0].walltime = 3600;
	job[0].procs = 64;
	fair_conservative_submit(&c, 0, 0, 0, NULL);
	while (fair_conservative_due(&c, 0, &slot, NULL))
		; // start the job in slot
	fair_conservative_give_back(&c, 600, 600, 3600, CLAIM(64),
				    NULL); // it ended early
	fair_conservative_compress(&c, 600, NULL);

	struct fair_step step;
	fair_profile_step_at(&c.space.profile, 600, &step);
	free(memory);
	return step.end == FAIR_FOREVER ? step.free : -1;
}

TEST(example_of_the_manual)
{
	TEST_EQ(manual(), 100);
}

TEST(withdraw)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(add(&s, 0, 100, 10), 100);
		TEST_EQ(add(&s, 0, 100, 10), 200);
		TEST_EQ(add(&s, 0, 100, 11), FAIR_FOREVER);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(fair_conservative_withdraw(&s.c, 1, s.told), 0);
		TEST_EQ(fair_conservative_withdraw(&s.c, 1, s.told),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_check(&s.c), 0);
		fair_conservative_compress(&s.c, 1, s.told);
		TEST_EQ(s.job[2].rank.key,
			c == FAIR_COMPRESS_DELAYED ? 200 : 100);
		TEST_EQ(fair_conservative_withdraw(&s.c, 3, s.told), 0);
		TEST_EQ(s.c.unplaced, 0);
		TEST_EQ(starts(&s, 100), 2);
		close_site(&s);
	}
}

/* 0 overruns: 1 is in its way and moves, 2 has started, 3 still fits. */
static void take(uint32_t c)
{
	struct site s;

	open_site(&s, c, 1);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 8), 100);
	TEST_EQ(add(&s, 0, 50, 2), 0);
	TEST_EQ(add(&s, 0, 60, 4), 110);
	TEST_EQ(starts(&s, 0), 2);
	TEST_OK(lose(&s, 100, 100, 200, 6));
	TEST_EQ(s.moves, 1);
	was_moved(&s, 0, 1, 100, 200);
	TEST_EQ(s.job[3].rank.key, 110);
	/* Processors that no job holds are taken, and no job moves. */
	TEST_OK(lose(&s, 100, 300, 400, 3));
	TEST_EQ(s.moves, 1);
	/* A node is down for ever: 1, first by turn, will never fit, and 3 has
	 * to wait. */
	TEST_OK(lose(&s, 100, 100, FAIR_FOREVER, 3));
	TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
	TEST_EQ(s.job[3].rank.key, 200);
	TEST_EQ(s.moves, 3);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	/* It is up again. */
	TEST_OK(fair_conservative_give_back(&s.c, 150, 150, FAIR_FOREVER, CLAIM(3),
					    s.told));
	fair_conservative_compress(&s.c, 150, s.told);
	TEST_CHECK(s.job[1].rank.key != FAIR_FOREVER);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	close_site(&s);
}

TEST(take_from_promises)
{
	take(FAIR_COMPRESS);
	take(FAIR_COMPRESS_PRIORITIZED);
	take(FAIR_COMPRESS_DELAYED);
}

/* While no job is in the profile, it is changed: 1 has to move. */
TEST(job_out_of_the_profile_while_it_changes)
{
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 8), 100);
		fair_conservative_displace_all(&s.c, 50, s.told);
		TEST_EQ(s.c.space.profile.origin, 50);
		TEST_EQ(fair_profile_reserve(&s.c.space.profile, 100, 20, 5), 0);
		fair_conservative_end_loss(&s.c, INT64_MIN, 100, 120, s.told);
		TEST_EQ(s.moves, 1);
		was_moved(&s, 0, 1, 100, 120);
		close_site(&s);
	}
}

/* Running jobs hold what is to be taken: nothing changes. */
TEST(take_too_many)
{
	struct fair_profile_leaf *leaf;
	struct fair_conservative was;
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 8), 100);
	TEST_EQ(add(&s, 0, 100, 4), 0);
	leaf = s.c.space.profile.leaf;
	was = s.c;
	TEST_EQ(lose(&s, 0, 50, 60, 5), -FAIR_ERANGE);
	TEST_EQ(lose(&s, 0, 0, FAIR_FOREVER, 5),
		-FAIR_ERANGE);
	TEST_EQ(s.moves, 0);
	TEST_EQ(fair_profile_steps(&s.c.space.profile),
		fair_profile_steps(&was.space.profile));
	TEST_CHECK(s.c.space.profile.leaf == leaf);
	TEST_EQ(s.job[1].rank.key, 100);
	TEST_EQ(s.job[2].rank.key, 0);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	/* 4 are free but for 2, which is promised them: it moves, to 60 by its
	 * turn of 0, and 1 with it, whose turn is 100. */
	TEST_OK(lose(&s, 0, 50, 60, 4));
	was_moved(&s, 0, 2, 0, 60);
	was_moved(&s, 1, 1, 100, 160);
	TEST_EQ(s.moves, 2);
	close_site(&s);
}

/* A refused start is for a later second. */
TEST(put_back_refused)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_OK(fair_conservative_give_back(&s.c, 0, 0, 100, CLAIM(10),
						    s.told));
		s.job[0].not_before = 1;
		TEST_EQ(fair_conservative_put_back(&s.c, 0, 0, 0, s.told), 0);
		TEST_EQ(s.job[0].rank.key, 1);
		fair_conservative_compress(&s.c, 0, s.told);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(s.c.plan.jobs, 1);
		TEST_EQ(s.moves, 0);
		TEST_EQ(starts(&s, 1), 0);
		TEST_EQ(s.c.plan.jobs, 0);
		close_site(&s);
	}
}

/* No job makes way for it, until there is a compression. */
static void put_back_behind(uint32_t compression, int64_t then)
{
	struct site s;

	open_site(&s, compression, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(add(&s, 0, 50, 5), 100);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_give_back(&s.c, 0, 0, 100, CLAIM(10), s.told), 0);
	s.job[0].not_before = 1;
	TEST_EQ(fair_conservative_put_back(&s.c, 0, 0, 0, s.told), 0);
	TEST_EQ(s.job[0].rank.key, 150);
	TEST_EQ(s.moves, 0);
	fair_conservative_compress(&s.c, 0, s.told);
	TEST_EQ(s.job[1].rank.key, 0);
	TEST_EQ(s.job[0].rank.key, then);
	close_site(&s);
}

TEST(put_back)
{
	put_back_behind(FAIR_COMPRESS, 50);
	put_back_behind(FAIR_COMPRESS_PRIORITIZED, 50);
	put_back_behind(FAIR_COMPRESS_DELAYED, 150);
}

/* No call came at 100: 1 moves to 105 and starts, and 2, behind it, moves. */
TEST(late_step)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 10), 110);
		TEST_EQ(starts(&s, 105), 1);
		was_moved(&s, 0, 1, 100, 105);
		was_moved(&s, 1, 2, 110, 115);
		TEST_EQ(s.moves, 2);
		TEST_EQ(starts(&s, 200), 2); /* its time has passed, too */
		was_moved(&s, 2, 2, 115, 200);
		TEST_EQ(s.moves, 3);
		close_site(&s);
	}
}

/* Also of a job that takes all there can be. */
TEST(widest_late)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_OK(fair_conservative_init(
		&s.c, sizeof(s.c), s.memory,
		fair_conservative_size(FAIR_COMPRESS, JOBS, 3), FAIR_COMPRESS,
		JOBS, 3, s.job, sizeof(s.job[0]), INT32_MAX, 0));
	TEST_EQ(add(&s, 0, 100, INT32_MAX), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, INT32_MAX), 100);
	TEST_EQ(starts(&s, 105), 1);
	was_moved(&s, 0, 1, 100, 105);
	close_site(&s);
}

/* Nothing was freed: there is no job to scan, and nothing is left to do. */
TEST(nothing_to_compress)
{
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 1), 100);
		TEST_EQ(add(&s, 0, 10, 1), 100);
		s.c.scans = 1;
		fair_conservative_compress(&s.c, 1, s.told);
		TEST_CHECK(!fair_conservative_is_unfinished(&s.c));
		close_site(&s);
	}
}

/* The late one finds its place taken by a job that came since, and runs. */
TEST(late_behind_running_jobs)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 6), 110);
		/* A running job holds 6 from 110 on: 1 cannot end later. */
		TEST_OK(lose(&s, 0, 110, 150, 4));
		TEST_EQ(s.moves, 0);
		/* What it leaves is free: under dc, 2 starts at once. */
		TEST_EQ(starts(&s, 105), c == FAIR_COMPRESS_DELAYED ? 2 : 0);
		was_moved(&s, 0, 1, 100, 150);
		TEST_EQ(s.moves, c == FAIR_COMPRESS_DELAYED ? 2 : 1);
		TEST_EQ(starts(&s, 110), c == FAIR_COMPRESS_DELAYED ? 0 : 2);
		TEST_EQ(starts(&s, 150), 1);
		close_site(&s);
	}
}

/* The same moves and delays without a callback. */
TEST(without_a_promise_callback)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		s.told = NULL;
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 6), 110);
		finish(&s, 50, 0, 0);
		TEST_EQ(s.job[1].rank.key, 50);
		TEST_OK(lose(&s, 50, 50, 55, 1));
		TEST_EQ(s.job[1].rank.key, 55);
		TEST_OK(lose(&s, 50, 130, 170, 4));
		TEST_OK(lose(&s, 50, 200, 210, 4));
		close_site(&s);

		open_site(&s, c, 0);
		s.told = NULL;
		TEST_EQ(add(&s, 0, 10, 10), 0);
		TEST_OK(lose(&s, 0, 10, 20, 4));
		TEST_EQ(starts(&s, 5), 0); /* 4 are in the way */
		TEST_EQ(s.job[0].rank.key, 20);
		close_site(&s);
	}
}

/* A job of as many processors as there can be. */
TEST(widest)
{
	struct fair_conservative copy;
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		size_t bytes = fair_conservative_size(c, JOBS, 3);
		void *memory = malloc(bytes);

		open_site(&s, c, 0);
		TEST_OK(fair_conservative_init(&s.c, sizeof(s.c), s.memory,
					       bytes, c, JOBS, 3, s.job,
					       sizeof(s.job[0]), INT32_MAX, 0));
		TEST_EQ(add(&s, 0, 100, INT32_MAX), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 50, INT32_MAX), 100);
		TEST_OK(lose(&s, 0, 120, 130, 1));
		TEST_EQ(s.job[1].rank.key, 130);
		/* Under dc a newcomer would overtake it: it goes first. */
		TEST_OK(fair_conservative_give_back(&s.c, 0, 60, 100, CLAIM(INT32_MAX),
						    s.told));
		TEST_EQ(add(&s, 0, 10, 1),
			c == FAIR_COMPRESS_DELAYED ? 110 : 60);
		TEST_EQ(s.job[1].rank.key,
			c == FAIR_COMPRESS_DELAYED ? 60 : 130);
		TEST_OK(lose(&s, 0, 60, FAIR_FOREVER, 1));
		TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
		memset(memory, 0x5a, bytes);
		TEST_OK(fair_conservative_clone(&copy, memory, bytes, s.job,
						&s.c, NULL));
		TEST_EQ(fair_conservative_check(&copy), 0);
		TEST_OK(fair_conservative_give_back(&s.c, 0, 200, FAIR_FOREVER,
						    CLAIM(1), s.told));
		fair_conservative_compress(&s.c, 0, s.told);
		TEST_EQ(s.job[1].rank.key, 200);
		/* A half, and one more. */
		TEST_EQ(fair_conservative_withdraw(&s.c, 1, s.told), 0);
		TEST_EQ(fair_conservative_withdraw(&s.c, 2, s.told), 0);
		TEST_OK(lose(&s, 0, 60, 110, INT32_MAX - 1));
		TEST_EQ(add(&s, 0, 10, INT32_MAX / 2 + 1), 110);
		TEST_EQ(add(&s, 0, 10, INT32_MAX / 2), 120);
		TEST_OK(fair_conservative_give_back(&s.c, 60, 60, 110,
						    CLAIM(INT32_MAX), s.told));
		fair_conservative_compress(&s.c, 60, s.told);
		TEST_EQ(s.job[3].rank.key, 60);
		TEST_EQ(s.job[4].rank.key, 60);
		close_site(&s);
		free(memory);
	}
}

/* Its end is beyond what can be foreseen, until time has passed. */
TEST(beyond_the_horizon)
{
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_OK(fair_conservative_init(
			&s.c, sizeof(s.c), s.memory,
			fair_conservative_size(c, JOBS, 3), c, JOBS, 3, s.job,
			sizeof(s.job[0]), INT32_MAX, -50));
		s.c.space.profile.reach = 150;
		s.c.space.profile.horizon = 100;
		TEST_EQ(add(&s, -50, 100, INT32_MAX), -50);
		TEST_EQ(starts(&s, -50), 0);
		s.used = 0; /* its slot and its number are another's now */
		TEST_EQ(add(&s, -50, 100, INT32_MAX), FAIR_FOREVER);
		TEST_EQ(starts(&s, -1), 0);
		TEST_EQ(s.job[0].rank.key, FAIR_FOREVER);
		fair_conservative_compress(&s.c, 0, s.told);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(s.job[0].rank.key, 50);
		close_site(&s);
	}
}

/* Every job and every other may have a place: each makes two steps. */
TEST(room_for_all)
{
	struct fair_queued job = { { 0, 0 }, 0, 0, 0, 0, 0 };
	struct fair_conservative c;
	uint32_t n;

	for (n = 1; n < 100; n++) {
		uint32_t others = n / 2 + 1;
		size_t bytes = fair_conservative_size(FAIR_COMPRESS, n, others);
		void *memory = malloc(bytes);

		TEST_OK(fair_conservative_init(&c, sizeof(c), memory, bytes,
					       FAIR_COMPRESS, n, others, &job,
					       sizeof(job), 1, 0));
		TEST_CHECK(c.space.profile.cap >= 2 * (n + others) + 1);
		free(memory);
	}
}

/* A copy in other slots goes the same way. */
static void clone_into(uint32_t how, const uint32_t *slot)
{
	size_t bytes = fair_conservative_size(how, JOBS, 3);
	struct site s, copy;
	uint32_t i;

	figure_1(&s, how);
	add(&s, 50, 10, 11);
	open_site(&copy, how, 5);
	for (i = 0; i < JOBS; i++)
		copy.job[slot ? slot[i] : i] = s.job[i];
	TEST_OK(fair_conservative_clone(&copy.c, copy.memory + 5, bytes,
					copy.job, &s.c, slot));
	TEST_EQ(fair_conservative_check(&copy.c), 0);
	TEST_EQ(copy.c.unplaced, 1);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&copy, 50), slot ? slot[3] : 3);
	finish(&s, 60, 3, 50);
	copy.job[slot ? slot[3] : 3] = s.job[3];
	finish(&copy, 60, slot ? slot[3] : 3, 50);
	TEST_EQ(fair_conservative_next(&copy.c), fair_conservative_next(&s.c));
	TEST_EQ(starts(&s, 100), 2);
	TEST_EQ(starts(&copy, 100), slot ? slot[2] : 2);
	close_site(&s);
	close_site(&copy);
}

TEST(clones)
{
	uint32_t slot[JOBS], i, c;

	for (i = 0; i < JOBS; i++)
		slot[i] = JOBS - 1 - i;
	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		clone_into(c, NULL);
		clone_into(c, slot);
	}
}

/* A promise of another life may be later than it need be. */
TEST(restored_late)
{
	uint32_t slot;
	struct site s;
	int64_t now;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_OK(lose(&s, 0, 40, 50, 10));
	s.job[0].rank.key = s.job[0].turn = 20;
	s.job[0].walltime = 5;
	s.job[0].procs = 2;
	TEST_EQ(fair_conservative_restore(&s.c, 0, 0, 0, s.told), 0);
	s.job[1].rank.key = s.job[1].turn = 200;
	s.job[1].rank.number = 1;
	s.job[1].walltime = 50;
	s.job[1].procs = 2;
	TEST_EQ(fair_conservative_restore(&s.c, 0, 1, 1, s.told), 0);
	/* It helps the long one, which alone may begin before and reach it. */
	TEST_EQ(fair_conservative_give_back(&s.c, 0, 40, 50, CLAIM(10), s.told), 0);
	fair_conservative_compress(&s.c, 0, s.told);
	TEST_EQ(s.job[0].rank.key, 20);
	TEST_EQ(s.job[1].rank.key, 0);
	close_site(&s);

	/* dc: at every second a job that can start now starts. */
	for (now = -100; now <= 100; now += 100) {
		open_site(&s, FAIR_COMPRESS_DELAYED, 0);
		TEST_OK(fair_conservative_init(
			&s.c, sizeof(s.c), s.memory,
			fair_conservative_size(FAIR_COMPRESS_DELAYED, JOBS, 3),
			FAIR_COMPRESS_DELAYED, JOBS, 3, s.job, sizeof(s.job[0]),
			PROCS, now));
		s.job[0].not_before = s.job[1].not_before = now;
		s.job[1].rank.key = s.job[1].turn = now + 50;
		s.job[1].walltime = 10;
		s.job[1].procs = 10;
		TEST_EQ(fair_conservative_restore(&s.c, now, 1, 0, s.told), 0);
		TEST_CHECK(fair_conservative_due(&s.c, now, &slot, s.told));
		TEST_EQ(s.job[1].rank.key, now);
		close_site(&s);
	}
}

/* The array ends with the last job. */
TEST(array_ends_with_the_last_job)
{
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, 1, 1);
	struct fair_queued *job = (struct fair_queued *)calloc(1, sizeof(*job));
	void *memory = malloc(bytes);
	struct fair_conservative c;

	if (!job || !memory)
		abort();
	TEST_OK(fair_conservative_init(&c, sizeof(c), memory, bytes,
				       FAIR_COMPRESS, 1, 1, job, sizeof(*job),
				       10, 0));
	c.walk.kind = 1;
	c.walk.next = 1;
	TEST_EQ(fair_conservative_check(&c), 6);
	c.walk.next = UINT32_MAX;
	TEST_EQ(fair_conservative_check(&c), 6);
	free(memory);
	free(job);
}
