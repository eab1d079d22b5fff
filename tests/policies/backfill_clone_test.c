/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A copy of a plan goes on where the original is, and takes nothing over of a
 * walk or a reservation that is out of date.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

/* The rest of a walk goes on in a clone as it does in the original. */
static void clone_of(struct site *s, bool map)
{
	static const uint32_t turned[JOBS] = { 15, 14, 13, 12, 11, 10, 9, 8,
					       7,  6,  5,  4,  3,  2,  1, 0 };
	size_t bytes = fair_backfill_size(s->b.depth, s->b.order.sorts, JOBS);
	uint32_t i, ours, copys;
	struct site c;

	open_site(&c, s->b.depth, s->b.order.sorts, 6);
	for (i = 0; i < JOBS; i++)
		c.job[map ? turned[i] : i] = s->job[i];
	TEST_OK(fair_queue_clone(&c.running, &s->running, map ? turned : NULL));
	TEST_OK(fair_backfill_clone(&c.b, c.memory + 6, bytes, c.job, NULL,
				    &s->b, map ? turned : NULL));
	TEST_EQ(fair_backfill_check(&c.b, &c.running), 0);
	TEST_EQ(c.b.phase.chosen_next, s->b.phase.chosen_next);
	for (i = 0; i < c.b.reserved && c.b.depth; i++)
		TEST_EQ(c.b.held[i].slot,
			map ? turned[s->b.held[i].slot] : s->b.held[i].slot);
	do {
		ours = next(s);
		copys = next(&c);
		if (copys != 99 && map)
			copys = turned[copys];
		TEST_EQ(copys, ours);
	} while (ours != 99 && copys != 99);
	TEST_EQ(s->b.reserved, c.b.reserved);
	close_site(&c);
}

static void clone_in_the_middle(uint32_t d, bool sorts, bool map)
{
	struct site s;
	uint32_t i;

	open_site(&s, d, sorts, 1);
	for (i = 0; i < JOBS - 1; i++)
		add(&s, 0, 10 + i % 3, (int32_t)(i % 5 + 1));
	TEST_EQ(fair_backfill_withdraw(&s.b, 14), 0);
	TEST_EQ(next(&s), 0);
	clone_of(&s, map);
	close_site(&s);
}

static const struct fair_selection greedy = {
	1, 1, FAIR_GREEDY, FAIR_FIT_PROCS, false, false, NULL, NULL
};

/* 2, 4 and 5 were chosen at once, and go on though 3 would do now. */
static void clone_of_a_choice(bool map)
{
	struct site s;

	open_site(&s, 2, true, 1);
	TEST_EQ(fair_backfill_select_by(&s.b, &greedy), 0);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 8);
	add(&s, 0, 100, 2);
	add(&s, 0, 300, 2);
	add(&s, 0, 100, 1);
	add(&s, 0, 100, 1);
	TEST_EQ(next(&s), 0);
	TEST_EQ(next(&s), 2);
	TEST_EQ(s.b.phase.chosen_end - s.b.phase.chosen_next, 2);
	clone_of(&s, map);
	TEST_EQ(s.running.jobs, 4);
	close_site(&s);
}

/* As many as can be chosen at once. */
static void clone_of_the_longest_choice(bool map)
{
	struct site s;
	uint32_t i;

	open_site(&s, 2, true, 1);
	TEST_EQ(fair_backfill_select_by(&s.b, &greedy), 0);
	TEST_EQ(fair_backfill_give_back(&s.b, 0, FAIR_FOREVER, CLAIM(PROCS)), 0);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 2 * PROCS);
	for (i = 0; i < FAIR_GREEDY_JOBS; i++)
		add(&s, 0, 100, 1);
	TEST_EQ(next(&s), 0);
	TEST_EQ(next(&s), 2);
	TEST_EQ(s.b.phase.chosen_end, FAIR_GREEDY_JOBS);
	clone_of(&s, map);
	TEST_EQ(s.running.jobs, 1 + FAIR_GREEDY_JOBS);
	close_site(&s);
}

/* More windows than a profile without them has room for. */
TEST(clone_of_windows)
{
	size_t bytes = fair_backfill_size(2, true, JOBS);
	size_t more = fair_backfill_advances_size(2, JOBS, 5000);
	void *memory = malloc(more), *copys = malloc(more);
	struct site s, c;
	int i;

	TEST_REQUIRE(memory && copys);
	open_site(&s, 2, true, 0);
	open_site(&c, 2, true, 0);
	TEST_EQ(fair_backfill_advances(&s.b, memory, more, 5000, 0), 0);
	fair_backfill_displace_all(&s.b, 0);
	for (i = 0; i < 5000; i++)
		TEST_EQ(fair_profile_reserve(&s.b.space.profile, 2 * i, 1, 1), 0);
	TEST_OK(fair_backfill_clone(&c.b, c.memory, bytes, c.job, NULL, &s.b,
				    NULL));
	TEST_EQ(fair_backfill_clone_advances(&c.b, copys, more, &s.b), 0);
	TEST_EQ(c.b.space.profile.cap, s.b.space.profile.cap);
	close_site(&s);
	close_site(&c);
	free(memory);
	free(copys);
}

TEST(clone_of_one_job)
{
	size_t bytes = fair_backfill_size(2, false, 1);
	char *memory = (char *)malloc(bytes);
	struct fair_backfill b, copy;
	struct site s;

	TEST_REQUIRE(memory);
	open_site(&s, 2, false, 0);
	TEST_OK(fair_backfill_init(&b, sizeof(b), s.memory, bytes, 2, false, 1,
				   s.job, sizeof(s.job[0]), PROCS, 0));
	TEST_OK(fair_backfill_clone(&copy, memory, bytes, s.job, NULL, &b,
				    NULL));
	TEST_EQ(fair_backfill_check(&copy, &s.running), 0);
	free(memory);
	free(s.memory);
	free(s.more);
}

TEST(clones)
{
	uint32_t d;

	for (d = 0; d < 4; d++) {
		clone_in_the_middle(d, false, false);
		clone_in_the_middle(d, false, true);
		clone_in_the_middle(d, true, false);
		clone_in_the_middle(d, true, true);
	}
	clone_of_a_choice(false);
	clone_of_a_choice(true);
	clone_of_the_longest_choice(false);
	clone_of_the_longest_choice(true);
}

/* A job left since the last walk; nothing of it is taken over. */
TEST(clone_of_a_stale_walk)
{
	size_t bytes = fair_backfill_size(1, true, JOBS);
	uint32_t slot[JOBS], i;
	struct site s, c;

	open_site(&s, 1, true, 0);
	open_site(&c, 1, true, 0);
	add(&s, 0, 10, 6);
	add(&s, 0, 10, 1);
	TEST_CHECK(due(&s, 0, &i));
	s.job[i].rank.key = s.job[i].walltime;
	TEST_EQ(fair_queue_insert(&s.running, i), 0);
	TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
	memcpy(c.job, s.job, sizeof(s.job));
	memset(slot, 0xff, sizeof(slot));
	slot[0] = 0;
	TEST_EQ(fair_queue_clone(&c.running, &s.running, slot), 0);
	TEST_OK(fair_backfill_clone(&c.b, c.memory, bytes, c.job, NULL, &s.b,
				    slot));
	TEST_EQ(c.b.order.next, c.b.order.ends);
	TEST_EQ(starts(&c, 0), 0);
	close_site(&s);
	close_site(&c);
}

/* Nor of a reservation whose job has left. */
TEST(clone_of_a_stale_reservation)
{
	size_t bytes = fair_backfill_size(2, false, JOBS);
	uint32_t slot[JOBS], i;
	struct site s, c;

	TEST_EQ(three_wait(&s, 2), 4);
	open_site(&c, 2, false, 2);
	TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
	for (i = 0; i < JOBS; i++)
		slot[i] = i;
	slot[1] = UINT32_MAX - 1;
	memcpy(c.job, s.job, sizeof(s.job));
	TEST_EQ(fair_queue_clone(&c.running, &s.running, slot), 0);
	TEST_OK(fair_backfill_clone(&c.b, c.memory + 2, bytes, c.job, NULL,
				    &s.b, slot));
	TEST_EQ(c.b.held[0].slot, UINT32_MAX);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(starts(&c, 1), 0);
	TEST_EQ(c.b.held[0].slot, s.b.held[0].slot);
	TEST_OK(fair_backfill_clone(&c.b, c.memory + 2, bytes, c.job, NULL,
				    &s.b, NULL));
	TEST_EQ(c.b.held[0].slot, s.b.held[0].slot);
	close_site(&s);
	close_site(&c);
}
