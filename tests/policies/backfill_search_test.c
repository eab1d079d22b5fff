/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * By the largest expansion factor, a walk searches for each job when its turn
 * comes. It starts and reserves what a walk does that sorts the whole queue.
 */
#define FAIRSCHED_IMPLEMENTATION
#define JOBS 400 /* several blocks of the queue */
#include "tests/plan.h"

static bool is_factor_larger(const void *context, int64_t now, uint32_t a,
			     uint32_t b)
{
	const struct site *s = (const struct site *)context;

	return fair_backfill_lxf_before(s->job + a, s->job + b, now);
}

static void sort_by_factor(struct site *s)
{
	struct fair_walk walk = { 0 };

	walk.before = is_factor_larger;
	s->context = s;
	TEST_EQ(fair_backfill_walk_by(&s->b, &walk), 0);
}

/* Starts what @s and @sorted both start at @now, and nothing else. */
static void compare_starts(struct site *s, struct site *sorted, int64_t now)
{
	uint32_t slot = 0, its = 0, i;
	bool starts;

	do {
		starts = due(s, now, &slot);
		TEST_REQUIRE(due(sorted, now, &its) == starts);
		if (!starts)
			break;
		TEST_EQ(slot, its);
		s->job[slot].rank.key = now + s->job[slot].walltime;
		sorted->job[slot].rank.key = s->job[slot].rank.key;
		TEST_OK(fair_queue_insert(&s->running, slot));
		TEST_OK(fair_queue_insert(&sorted->running, slot));
	} while (starts);
	TEST_EQ(s->b.reserved, sorted->b.reserved);
	for (i = 0; i < s->b.reserved && s->b.depth; i++)
		TEST_EQ(s->b.held[i].slot, sorted->b.held[i].slot);
	TEST_OK(fair_backfill_check(&s->b, &s->running));
}

static void finish_first(struct site *s, int64_t now)
{
	struct fair_queue_place at = { 0, 0 };

	if (fair_queue_next_fitting(&s->running, &at, INT32_MAX))
		finish(s, now, fair_queue_slot(&s->running, at));
}

TEST(a_search_finds_what_a_sort_does)
{
	uint32_t depth, i, round;
	struct site s, sorted;
	uint64_t seed = 5;
	int64_t now, walltime;
	int32_t procs;

	for (round = 0; round < 12; round++) {
		depth = round % 4;
		open_site(&s, depth, true, 0);
		open_site(&sorted, depth, true, 0);
		sort_by_factor(&sorted);
		for (now = i = 0; i < JOBS; i++) {
			walltime = 1 + (int64_t)(test_random(&seed) % 40);
			procs = 1 + (int32_t)(test_random(&seed) % PROCS);
			add(&s, now, walltime, procs);
			add(&sorted, now, walltime, procs);
			if (test_random(&seed) % 8 == 0) {
				s.job[i].not_before = now + 20;
				sorted.job[i].not_before = now + 20;
			}
			if (test_random(&seed) % 4)
				continue;
			compare_starts(&s, &sorted, now);
			now += (int64_t)(test_random(&seed) % 9);
			finish_first(&s, now);
			finish_first(&sorted, now);
			compare_starts(&s, &sorted, now);
		}
		TEST_CHECK(s.b.queue.rows > 2);
		for (i = 0; i < JOBS / 2; i++, now++) {
			finish_first(&s, now);
			finish_first(&sorted, now);
			compare_starts(&s, &sorted, now);
		}
		close_site(&s);
		close_site(&sorted);
	}
}

/* A walk that pauses goes on behind the job that it scanned last. */
TEST(a_search_goes_on_where_it_paused)
{
	struct site s, whole;
	uint32_t slot, other;

	open_site(&s, 1, true, 0);
	open_site(&whole, 1, true, 0);
	for (slot = 0; slot < 90; slot++) {
		add(&s, -(int64_t)slot, 10 + slot % 7, 1 + (int32_t)slot % 5);
		add(&whole, -(int64_t)slot, 10 + slot % 7,
		    1 + (int32_t)slot % 5);
	}
	while (due(&whole, 0, &other)) {
		do
			s.b.scans = 1;
		while (!due(&s, 0, &slot) && fair_backfill_is_paused(&s.b));
		TEST_EQ(slot, other);
		TEST_EQ(s.b.scans, 0);
	}
	TEST_EQ(s.b.held[0].slot, whole.b.held[0].slot);
	free(s.memory);
	free(s.more);
	free(whole.memory);
	free(whole.more);
}
