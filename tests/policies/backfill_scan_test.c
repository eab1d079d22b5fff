/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each job is scanned once as long as nothing changes: a walk that pauses goes
 * on behind the last job, and sorting counts as a scan.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

/* How many jobs a walk scans. */
static uint64_t looks_at(struct site *s, int64_t now)
{
	s->b.scans = 1000;
	starts(s, now);
	return 1000 - s->b.scans;
}

/*
 * fcfs scans no job behind the first one that waits; the others, without
 * reservations left, none that is too wide or too long; and later the newcomer
 * alone.
 */
TEST(scans_of_each_policy)
{
	static const uint64_t all[] = { 2, 4, 4, 5 }, later[] = { 0, 0, 1, 1 };
	struct site s;
	uint32_t d;

	for (d = 0; d < 4; d++) {
		open_site(&s, d, false, 0);
		add(&s, 0, 100, 6);
		add(&s, 0, 50, 8);
		add(&s, 0, 200, 9);
		add(&s, 0, 300, 2);
		add(&s, 0, 100, 1);
		TEST_EQ(looks_at(&s, 0), all[d]);
		TEST_EQ(looks_at(&s, 0), 0);
		add(&s, 1, 300, 1);
		TEST_EQ(looks_at(&s, 1), later[d]);
		add(&s, 1, 300, 10);
		TEST_EQ(looks_at(&s, 1), 0);
		TEST_EQ(fair_backfill_withdraw(&s.b, 6), 0);
		TEST_EQ(looks_at(&s, 2), 0);
		close_site(&s);
	}
}

/* One that no machine is wide enough for is not looked at again either. */
TEST(scans_newcomers_alone)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 11);
	add(&s, 0, 10, 10);
	TEST_EQ(looks_at(&s, 0), 2);
	add(&s, 5, 10, 1);
	TEST_EQ(looks_at(&s, 0), 1);
	TEST_EQ(s.b.reserved, 1);
	finish(&s, 3, 1);
	TEST_EQ(looks_at(&s, 3), 2);
	TEST_EQ(s.b.reserved, 0);
	add(&s, 4, 10, 1);
	TEST_EQ(looks_at(&s, 4), 1);
	add(&s, 4, 10, 11);
	TEST_EQ(looks_at(&s, 4), 1);
	TEST_EQ(fair_backfill_withdraw(&s.b, 4), 0);
	TEST_EQ(looks_at(&s, 4), 0);
	close_site(&s);
}

/* A walk that pauses at each job goes on behind it. */
TEST(scans_one_by_one)
{
	struct site s;
	uint32_t slot, i;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 9);
	TEST_EQ(looks_at(&s, 0), 1);
	add(&s, 0, 10, 10);
	for (i = 0; i < 3; i++)
		s.job[add(&s, 0, 10, 1)].not_before = 1;
	for (i = 0; i < 4; i++) {
		s.b.scans = 1;
		TEST_CHECK(!due(&s, 0, &slot));
		TEST_EQ(fair_backfill_is_paused(&s.b), i < 3);
		TEST_EQ(s.b.scans, 0);
	}
	close_site(&s);
}

/* Sorting counts as a scan, too, and may be put off. */
TEST(scans_of_sorting)
{
	struct site s;
	uint32_t slot, i;

	open_site(&s, 1, true, 0);
	walk_by_slot(&s);
	for (i = 0; i < 5; i++)
		add(&s, 0, 10, 10);
	/* 2 make a heap, 4 take it apart; one starts, one is reserved. */
	for (i = 0; i < 6; i++) {
		s.b.scans = 1;
		TEST_CHECK(!due(&s, 0, &slot));
		TEST_CHECK(fair_backfill_is_paused(&s.b));
		TEST_EQ(s.b.order.unsorted, 5 - i);
	}
	TEST_EQ(looks_at(&s, 0), 2);
	fair_backfill_replan(&s.b);
	s.b.scans = 1;
	TEST_CHECK(!due(&s, 0, &slot));
	for (i = 0; i < 5; i++)
		if (s.b.queue.jobs > 1 && s.job[i].rank.key == 0)
			TEST_EQ(fair_backfill_withdraw(&s.b, i), 0);
	finish(&s, 1, 0);
	TEST_EQ(looks_at(&s, 1), 1); /* one alone needs no order */
	close_site(&s);
}

/* What changes the walk, or the plan, has the next one begin anew. */
TEST(a_change_begins_the_walk_anew)
{
	const struct fair_selection fill = { 1,	    1,	   0,	 0,
					     false, false, NULL, NULL };
	struct fair_walk walk = { 0 };
	int32_t least = -1;
	struct site s;

	open_site(&s, 2, true, 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_CHECK(!fair_backfill_must_begin(&s.b, 0));
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_CHECK(fair_backfill_must_begin(&s.b, 0));
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_backfill_select_by(&s.b, &fill), 0);
	TEST_CHECK(fair_backfill_must_begin(&s.b, 0));
	close_site(&s);
	TEST_EQ(three_wait(&s, 3), 4);
	TEST_CHECK(!fair_backfill_must_begin(&s.b, 5));
	fair_backfill_displace_all(&s.b, 5);
	TEST_CHECK(fair_backfill_must_begin(&s.b, 5));
	TEST_EQ(s.b.reserved, 0);
	TEST_EQ(s.b.space.profile.origin, 5);
	TEST_EQ(fair_profile_min_free(&s.b.space.profile, 100, 900, &least), 0);
	TEST_EQ(least, PROCS);
	close_site(&s);
}

/* How often jobs were to be selected; whether they are. */
struct selection {
	uint32_t calls;
	bool selects;
};

static bool selects(const void *context)
{
	return ((const struct selection *)context)->selects;
}

static void count_call(void *context, int64_t now, const uint32_t *slot,
		       uint32_t jobs)
{
	struct selection *x = (struct selection *)context;

	TEST_EQ(now, 0);
	TEST_EQ(jobs, 2);
	TEST_EQ(slot[0], 1);
	TEST_EQ(slot[1], 0);
	x->calls++;
}

/* Of all jobs in their order, if at all: that sort has no limit, and what comes
 * then has one. */
TEST(selection_before_the_walk)
{
	struct fair_walk walk = { .before = last_first,
				  .selects = selects,
				  .select = count_call };
	struct selection x = { 0, false };
	struct site s;
	uint32_t slot;

	for (; !x.calls; x.selects = true) {
		open_site(&s, 1, true, 0);
		s.context = &x;
		TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
		add(&s, 0, 10, 10);
		add(&s, 0, 10, 11);
		s.b.scans = 1;
		TEST_CHECK(!due(&s, 0, &slot));
		TEST_CHECK(fair_backfill_is_paused(&s.b));
		TEST_EQ(x.calls, x.selects);
		close_site(&s);
	}
}

/* A walk that goes on behind job 0, which just started, scans none twice. */
TEST(scans_behind_job_0)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 1, 300, 1);
	add(&s, 0, 100, 6);
	add(&s, 0, 50, 8);
	TEST_EQ(looks_at(&s, 1), 3);
	TEST_EQ(s.b.reserved, 1);
	TEST_EQ(s.running.jobs, 2);
	close_site(&s);
}

/* Job 0 runs for a second, then those that are as wide as the machine: one that
 * is longer than that second is not looked at, whatever the time is. */
static void longer_than_the_hole(uint32_t depth, int64_t now)
{
	struct site s;
	uint32_t i;

	open_site(&s, depth, false, 0);
	add(&s, now, 1, 6);
	for (i = 0; i < depth; i++)
		add(&s, now, 10, 10);
	add(&s, now, 2, 1);
	add(&s, now, 1, 1);
	for (i = 0; i < s.used; i++)
		s.job[i].not_before = INT64_MIN;
	TEST_EQ(looks_at(&s, now), depth + 2);
	TEST_EQ(s.b.reserved, depth);
	TEST_EQ(s.running.jobs, 2);
	close_site(&s);
}

TEST(scans_of_a_short_hole)
{
	longer_than_the_hole(1, 100);
	longer_than_the_hole(1, -500);
	longer_than_the_hole(2, 100);
	longer_than_the_hole(3, 0);
}
