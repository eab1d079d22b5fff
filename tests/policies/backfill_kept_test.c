/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Reservations that the next walk keeps: their turns, and what limits say of
 * them by then.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

/* Up to @limit reservations, kept or not; job 0 has the machine until 10. */
static void open_kept(struct site *s, uint32_t limit, bool keeps)
{
	struct fair_selection fill = { 1,     limit, FAIR_FIRSTFIT, 0,
				       false, false, NULL,	    NULL };

	open_site(s, 4, true, 0);
	walk_by_slot(s);
	fill.keeps = keeps;
	TEST_EQ(fair_backfill_select_by(&s->b, &fill), 0);
	add(s, 0, 10, 10);
	TEST_EQ(starts(s, 0), 0);
}

/* The same, and the last job goes first. */
static void open_reversed(struct site *s, uint32_t limit)
{
	struct fair_walk walk = { 0 };

	open_kept(s, limit, true);
	walk.before = last_first;
	TEST_EQ(fair_backfill_walk_by(&s->b, &walk), 0);
}

static uint32_t add_new(struct site *s, int64_t walltime, int32_t procs)
{
	s->job[s->used].turn = FAIR_FOREVER;
	return add(s, 0, walltime, procs);
}

static int64_t start_of(const struct site *s, uint32_t slot)
{
	uint32_t i;

	for (i = 0; i < s->b.reserved; i++)
		if (s->b.held[i].slot == slot)
			return s->b.held[i].start;
	return FAIR_FOREVER;
}

/* Job 0 goes on until 15, so that 1 starts later than it was promised: of those
 * that are kept the turn is the first of both, and others have none. */
TEST(turns)
{
	struct site s;
	int keeps;

	for (keeps = 0; keeps < 2; keeps++) {
		open_kept(&s, 1, keeps);
		add_new(&s, 10, 10);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(start_of(&s, 1), 10);
		TEST_OK(fair_backfill_extend(&s.b, 5, 10, 15, CLAIM(10)));
		TEST_EQ(fair_queue_remove(&s.running, 0), 0);
		s.job[0].rank.key = 15;
		TEST_EQ(fair_queue_insert(&s.running, 0), 0);
		TEST_EQ(starts(&s, 5), 0);
		TEST_EQ(start_of(&s, 1), 15);
		finish(&s, 15, 0);
		TEST_EQ(starts(&s, 15), 1);
		TEST_EQ(s.job[1].turn, keeps ? 10 : FAIR_FOREVER);
		close_site(&s);
	}
}

/* A job that the caller accepts at no time takes no reservation from others. */
TEST(one_that_waits_for_ever)
{
	struct site s;

	open_kept(&s, 1, true);
	s.job[1].not_before = FAIR_FOREVER;
	add_new(&s, 10, 10);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(start_of(&s, 1), FAIR_FOREVER);
	TEST_EQ(start_of(&s, 2), 10);
	close_site(&s);
}

/* Jobs 1 and 2 have a limit. As it is lowered, and 1 accepted later, 2 has to wait
 * for 1: its place is not in the way of 3, which goes before both. */
TEST(lowered_limits)
{
	const struct fair_quotas_of one = { 0, 7, 0, 1 };
	size_t bytes = fair_quotas_size(1, 1, JOBS, 1);
	struct fair_quotas l;
	struct site s;
	void *memory = malloc(bytes);

	TEST_REQUIRE(memory);
	open_reversed(&s, 4);
	TEST_OK(fair_quotas_init(&l, sizeof(l), memory, bytes, 1, 1, JOBS, 1));
	TEST_OK(fair_quotas_set(&l, 0, 7, 2));
	fair_quotas_join(&l, 1, &one, 1);
	fair_quotas_join(&l, 2, &one, 1);
	fair_space_limit_by(&s.b.space, &l);
	add_new(&s, 3, 4);
	add_new(&s, 9, 4);
	s.job[3].not_before = FAIR_FOREVER;
	add_new(&s, 10, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(start_of(&s, 1), 10);
	TEST_EQ(start_of(&s, 2), 10);
	s.job[3].not_before = 0;
	s.job[1].not_before = 15;
	TEST_OK(fair_quotas_set(&l, 0, 7, 1));
	fair_backfill_displace_all(&s.b, 1);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), 15);
	TEST_EQ(start_of(&s, 2), 18);
	TEST_EQ(start_of(&s, 3), 10);
	close_site(&s);
	free(memory);
}

/* Nor does one that has no place any more: that the caller accepts at no time,
 * or that is too wide. Job 2, which goes first, has the only reservation. */
TEST(one_that_has_no_place)
{
	struct site s;
	int wide;

	for (wide = 0; wide < 2; wide++) {
		open_reversed(&s, 1);
		add_new(&s, 10, 10);
		TEST_EQ(starts(&s, 0), 0);
		finish(&s, 1, 0);
		s.job[1].not_before = 5;
		TEST_EQ(starts(&s, 1), 0);
		TEST_EQ(start_of(&s, 1), 5);
		if (wide)
			TEST_OK(fair_backfill_shrink(&s.b, 1, CLAIM(1)));
		else
			s.job[1].not_before = FAIR_FOREVER;
		fair_backfill_displace_all(&s.b, 2);
		s.job[2].not_before = 3;
		add_new(&s, 10, 9);
		TEST_EQ(starts(&s, 2), 0);
		TEST_EQ(start_of(&s, 1), FAIR_FOREVER);
		TEST_EQ(start_of(&s, 2), 3);
		close_site(&s);
	}
}

/* Both were to start at 10, but there is room for one: that is the first by
 * number, though the other one goes first. */
TEST(equal_turns)
{
	struct site s;

	open_reversed(&s, 2);
	add_new(&s, 10, 5);
	add_new(&s, 10, 5);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(start_of(&s, 1), 10);
	TEST_EQ(start_of(&s, 2), 10);
	finish(&s, 1, 0);
	s.job[1].not_before = s.job[2].not_before = 10;
	TEST_OK(fair_backfill_shrink(&s.b, 1, CLAIM(1)));
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), 10);
	TEST_EQ(start_of(&s, 2), 20);
	close_site(&s);
}

/* It is not in the way before the caller accepts it. */
TEST(one_that_is_accepted_later)
{
	struct site s;

	open_reversed(&s, 2);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	fair_backfill_displace_all(&s.b, 1);
	s.job[1].not_before = 15;
	add_new(&s, 5, 10);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), 15);
	TEST_EQ(start_of(&s, 2), 10);
	close_site(&s);
}

/* The walk is not told of job 1 while @context is set. */
static bool is_vetoed(const void *context, int64_t now, uint32_t slot)
{
	(void)now;
	return slot == 1 && context;
}

/* A place is free while a veto is against its job. */
TEST(a_veto)
{
	struct fair_walk walk = { 0 };
	struct site s;

	open_reversed(&s, 2);
	walk.before = last_first;
	walk.veto = is_vetoed;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(start_of(&s, 1), 10);
	add_new(&s, 5, 10);
	s.context = &s;
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), FAIR_FOREVER);
	TEST_EQ(start_of(&s, 2), 10);
	close_site(&s);
}

/* Nor is it in the way of 3, which goes before 2, and starts. */
TEST(a_veto_before_starts)
{
	struct fair_walk walk = { 0 };
	struct site s;

	open_reversed(&s, 3);
	walk.before = last_first;
	walk.veto = is_vetoed;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	finish(&s, 1, 0);
	s.job[1].not_before = 5;
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), 5);
	add_new(&s, 4, 2);
	add_new(&s, 10, 9);
	s.context = &s;
	TEST_EQ(starts(&s, 1), 3);
	close_site(&s);
}

static uint32_t always_first(const void *context, uint32_t slot)
{
	(void)context;
	return slot == 1 ? FAIR_RESERVES_ALWAYS : FAIR_RESERVES;
}

/* What does not count against the limit does not do so as it is kept. */
TEST(one_that_does_not_count)
{
	const struct fair_selection fill = { 1,	    1,	  FAIR_FIRSTFIT, 0,
					     false, true, always_first,	 NULL };
	struct site s;

	open_reversed(&s, 1);
	TEST_EQ(fair_backfill_select_by(&s.b, &fill), 0);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), 10);
	TEST_EQ(start_of(&s, 2), 20);
	close_site(&s);
}

/* A walk that is given up, after the sort, leaves no kept one pending. */
TEST(begun_again)
{
	struct site s;
	uint32_t slot;

	open_kept(&s, 2, true);
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add_new(&s, 10, 10);
	s.b.scans = 2;
	TEST_CHECK(!due(&s, 1, &slot) && fair_backfill_is_paused(&s.b));
	TEST_EQ(s.b.phase.pending, 1);
	fair_backfill_abandon(&s.b);
	s.b.scans = UINT64_MAX;
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 1), 10);
	TEST_EQ(start_of(&s, 2), 20);
	close_site(&s);
}

/* A veto against job 2, once another one runs. */
static bool waits_for_all(const void *context, int64_t now, uint32_t slot)
{
	(void)now;
	return slot == 2 && ((const struct site *)context)->running.jobs;
}

/* In that order 4 is planned around the place of 2, and 3 starts; 2 may not run
 * any more: 4 starts, and not 1, which comes behind 2. */
TEST(a_veto_of_a_start)
{
	struct fair_walk walk = { 0 };
	struct site s;

	open_reversed(&s, 4);
	walk.before = last_first;
	walk.veto = waits_for_all;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	s.context = &s;
	s.job[1].not_before = FAIR_FOREVER;
	add_new(&s, 3, 8);
	finish(&s, 1, 0);
	s.job[2].not_before = 5;
	add_new(&s, 10, 10);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(start_of(&s, 2), 5);
	s.job[1].not_before = 0;
	add_new(&s, 4, 2);
	add_new(&s, 10, 8);
	TEST_EQ(starts(&s, 1), 34);
	close_site(&s);
}
