/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * After an early completion the reservations are compressed: conservative in
 * the order of the plan, pc by priority from the top after each move, dc at
 * the starts and arrivals.
 */
#include "tests/promises.h"

TEST(in_the_order_of_the_plan)
{
	struct site s;

	figure_1(&s, FAIR_COMPRESS);
	TEST_EQ(s.moves, 2);
	was_moved(&s, 0, 3, 100, 50);
	was_moved(&s, 1, 2, 200, 100);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&s, 100), 2);
	TEST_EQ(fair_conservative_next(&s.c), FAIR_FOREVER);
	close_site(&s);
}

TEST(prioritized)
{
	struct site s;

	figure_1(&s, FAIR_COMPRESS_PRIORITIZED);
	TEST_EQ(s.moves, 3);
	was_moved(&s, 0, 2, 200, 150);
	was_moved(&s, 1, 3, 100, 50);
	was_moved(&s, 2, 2, 150, 100);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&s, 100), 2);
	close_site(&s);
}

TEST(delayed)
{
	struct site s;

	figure_1(&s, FAIR_COMPRESS_DELAYED);
	TEST_EQ(s.moves, 1);
	was_moved(&s, 0, 3, 100, 50);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&s, 99), 0);
	TEST_EQ(starts(&s, 100), 2);
	was_moved(&s, 1, 2, 200, 100);
	close_site(&s);
}

/* dc has looked for starts in this second, and does so again. */
TEST(what_is_freed_later)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 5), 100);
	TEST_EQ(starts(&s, 50), 0);
	TEST_OK(fair_conservative_give_back(&s.c, 50, 50, 100, CLAIM(10),
					    s.told));
	TEST_EQ(starts(&s, 50), 1);
	close_site(&s);
}

/*
 * dc: 2 needs 8 and is promised 100. At 40 job 0 ends early, but 1 holds 4
 * until 60: 2 stays. 3 arrives at 41 and could start; where it ends behind 60,
 * 2 goes before it.
 */
static void newcomer(int64_t walltime, int64_t promise, uint32_t moves)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 3);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(add(&s, 0, 60, 4), 0);
	TEST_EQ(starts(&s, 0), 1);
	TEST_EQ(add(&s, 0, 50, 8), 100);
	finish(&s, 40, 0, 0);
	TEST_EQ(starts(&s, 40), 0);
	TEST_EQ(s.moves, 0);
	TEST_EQ(add(&s, 41, walltime, 6), promise);
	TEST_EQ(s.moves, moves);
	if (moves)
		was_moved(&s, 0, 2, 100, 60);
	close_site(&s);
}

TEST(no_job_is_overtaken)
{
	newcomer(10, 41, 0);
	newcomer(18, 41, 0);
	newcomer(19, 41, 1); /* 60 <= 41 + 19, and it is not in the way */
	newcomer(20, 110, 1);
	newcomer(30, 110, 1);
}

/* dc: as its own turn comes, the newcomer finds an earlier place. */
TEST(newcomer_moves_up)
{
	struct fair_queued *j;
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 6), 100);
	TEST_EQ(add(&s, 0, 10, 4), 100);
	TEST_EQ(add(&s, 0, 10, 6), 110);
	finish(&s, 50, 0, 0);
	TEST_EQ(s.job[1].rank.key, 50);
	TEST_EQ(s.job[2].rank.key, 50);
	TEST_EQ(s.job[3].rank.key, 110);
	j = &s.job[4];
	j->rank.number = s.used++;
	j->walltime = 100;
	j->procs = 6;
	/* It has the highest priority; 3 is looked at after it. */
	TEST_EQ(fair_conservative_submit(&s.c, 50, 4, -1, s.told), 0);
	TEST_EQ(s.job[3].rank.key, 60);
	TEST_EQ(j->rank.key, 70);
	close_site(&s);
}

/* Eight jobs that move, each behind the one before it in priority. */
TEST(many_parts)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 8);
	TEST_EQ(add(&s, 0, 1000, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	for (i = 1; i < JOBS - 1; i++) {
		s.job[i].rank.number = i;
		s.job[i].walltime = 10;
		s.job[i].procs = 10;
		TEST_OK(fair_conservative_submit(&s.c, 0, i, -(int64_t)i,
						 s.told));
	}
	TEST_EQ(fair_conservative_check(&s.c), 0);
	finish(&s, 500, 0, 0);
	/* 18 first, to 500; then 17, whose old place no job takes. */
	was_moved(&s, 0, 18, 1170, 500);
	was_moved(&s, 1, 17, 1160, 510);
	for (i = 1; i < JOBS - 1; i++)
		TEST_EQ(s.job[i].rank.key, 500 + 10 * (18 - (int64_t)i));
	close_site(&s);
}

/* As a hole of 5 s wanders on, each goes before those that moved before it. */
TEST(one_after_the_other)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 1000, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	for (i = 1; i < JOBS; i++) {
		s.job[i].rank.number = i;
		s.job[i].walltime = 10;
		s.job[i].procs = 10;
		TEST_OK(fair_conservative_submit(&s.c, 0, i, -(int64_t)i,
						 s.told));
	}
	finish(&s, 995, 0, 0);
	TEST_EQ(s.moves, JOBS - 1);
	for (i = 1; i < JOBS; i++)
		was_moved(&s, i - 1, i, 990 + 10 * i, 985 + 10 * i);
	close_site(&s);
}

/* dc: 100 are free at 10, then one less each second, down to 60. */
TEST(down_the_stairs)
{
	enum { STAIRS = 40 };
	struct fair_queued job[3] = { { { 0, 0 }, 1000, 100, 0, 0, 0 },
				      { { 0, 1 }, 100, 65, 0, 0, 0 },
				      { { 0, 2 }, 100, 35, 0, 0, 0 } };
	size_t bytes = fair_conservative_size(FAIR_COMPRESS_DELAYED, 3, STAIRS);
	void *memory = malloc(bytes);
	struct fair_conservative c;
	uint32_t slot;

	TEST_OK(fair_conservative_init(&c, sizeof(c), memory, bytes,
				       FAIR_COMPRESS_DELAYED, 3, STAIRS, job,
				       sizeof(job[0]), 100, 0));
	for (slot = 0; slot < 3; slot++)
		TEST_EQ(fair_conservative_submit(&c, 0, slot, slot, NULL), 0);
	TEST_CHECK(fair_conservative_due(&c, 0, &slot, NULL));
	TEST_EQ(fair_conservative_give_back(&c, 10, 10, 1000, CLAIM(100), NULL), 0);
	for (slot = 0; slot < STAIRS; slot++)
		TEST_EQ(fair_conservative_take(&c, 10, 20 + slot, 1000, CLAIM(1), NULL), 0);
	fair_conservative_compress(&c, 10, NULL);
	TEST_EQ(job[1].rank.key, 1000);
	TEST_EQ(job[2].rank.key, 10);
	TEST_EQ(fair_conservative_check(&c), 0);
	free(memory);
}

/*
 * dc: 300 jobs, of two widths in turn, and of another the last, wait for 1000;
 * then what runs ends at 10, but for so many stairs. No job is left that could
 * start.
 */
static void long_queue(int32_t odd, int32_t even, int32_t last, uint32_t stairs)
{
	enum { LONG = 300, STAIRS = 40, NOW = 10 };
	static struct fair_queued job[LONG + 1];
	size_t bytes = fair_conservative_size(FAIR_COMPRESS_DELAYED, LONG + 1,
					      STAIRS + 1);
	void *memory = malloc(bytes);
	struct fair_conservative c;
	uint32_t slot, started = 0;
	int64_t start;

	TEST_OK(fair_conservative_init(
		&c, sizeof(c), memory, bytes, FAIR_COMPRESS_DELAYED, LONG + 1,
		STAIRS + 1, job, sizeof(job[0]), 100, 0));
	for (slot = 0; slot <= LONG; slot++) {
		job[slot].rank.number = slot;
		job[slot].walltime = slot ? 100 : 1000;
		job[slot].procs = slot == 0	 ? 100
				  : slot == LONG ? last
				  : slot % 2	 ? odd
						 : even;
		TEST_EQ(fair_conservative_submit(&c, 0, slot, slot, NULL), 0);
	}
	TEST_CHECK(fair_conservative_due(&c, 0, &slot, NULL));
	TEST_EQ(fair_conservative_give_back(&c, NOW, NOW, 1000, CLAIM(100), NULL), 0);
	for (slot = 0; slot < stairs; slot++)
		TEST_EQ(fair_conservative_take(&c, NOW, 20 + slot, 1000, CLAIM(1), NULL), 0);
	fair_conservative_compress(&c, NOW, NULL);
	while (fair_conservative_due(&c, NOW, &slot, NULL))
		started++;
	TEST_CHECK(started > 0);
	for (slot = 1; slot <= LONG; slot++)
		if (job[slot].rank.key > NOW) {
			TEST_OK(fair_profile_earlier_start(
				&c.space.profile, NOW, NOW + 1, job[slot].walltime,
				job[slot].procs, job[slot].rank.key, &start));
			TEST_CHECK(start > NOW);
		}
	TEST_EQ(fair_conservative_check(&c), 0);
	free(memory);
}

TEST(long_queues)
{
	long_queue(60, 40, 40, 0); /* nothing is free from 1000 on */
	long_queue(60, 30, 30, 0); /* less than any job needs is */
	long_queue(55, 51, 51, 0); /* nor are 45 or 49 enough */
	long_queue(60, 60, 20, 0); /* the last might go on for ever, */
	long_queue(60, 55, 20, 0); /* or farther than any job looks */
	long_queue(60, 40, 40, 40); /* down to 60 */
	long_queue(35, 30, 30, 40);
}

/* pc: the freed interval is over before a job is scanned. */
TEST(freed_in_the_past)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 5, 3), 100);
	TEST_EQ(add(&s, 0, 1, 3), 100);
	TEST_EQ(fair_conservative_give_back(&s.c, 10, 10, 20, CLAIM(3), s.told), 0);
	s.c.scans = 7;
	fair_conservative_compress(&s.c, 30, s.told);
	TEST_EQ(s.c.scans, 7);
	TEST_EQ(s.moves, 0);
	close_site(&s);
}

/* Two become free; a job that needs more is not scanned. */
TEST(too_wide_for_what_is_freed)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_PRIORITIZED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 2), 0);
		TEST_EQ(add(&s, 0, 100, 8), 0);
		TEST_EQ(starts(&s, 0), 1);
		TEST_EQ(add(&s, 0, 10, 9), 100);
		TEST_EQ(add(&s, 0, 10, 2), 110);
		finish(&s, 50, 0, 0);
		TEST_EQ(s.moves, 1);
		was_moved(&s, 0, 3, 110, 50);
		close_site(&s);
	}
}

/* pc: the job in the way moves to now; the one before it follows at once. */
TEST(freed_for_now)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 15, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 15, 16, CLAIM(1), s.told), 0);
	s.used = 2;
	TEST_EQ(add(&s, 0, 1, 4), 15);
	s.used = 1;
	TEST_EQ(add(&s, 0, 10, 6), 16);
	finish(&s, 10, 0, 0);
	TEST_EQ(s.moves, 2);
	was_moved(&s, 0, 2, 15, 10);
	was_moved(&s, 1, 1, 16, 10);
	close_site(&s);
}

/* dc: the same second is looked at again, whatever freed processors in it. */
TEST(again_in_the_same_second)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 4), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 100, 10), 100);
	TEST_EQ(add(&s, 0, 200, 6), 200);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_withdraw(&s.c, 1, s.told), 0);
	TEST_EQ(starts(&s, 0), 2);
	close_site(&s);

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 100, 10), 100);
	TEST_EQ(starts(&s, 50), 0);
	fair_conservative_displace_all(&s.c, 50, s.told);
	TEST_EQ(fair_profile_release(&s.c.space.profile, 50, 50, 10), 0);
	fair_conservative_end_loss(&s.c, INT64_MIN, 50, 100, s.told);
	TEST_EQ(starts(&s, 50), 1);
	close_site(&s);
}

/* The end of the walk that was cut short is followed by one from the top. */
TEST(due_after_a_compression)
{
	uint32_t slot;
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 15, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 15, 16, CLAIM(1), s.told), 0);
	s.used = 2;
	TEST_EQ(add(&s, 0, 1, 4), 15);
	s.used = 1;
	TEST_EQ(add(&s, 0, 10, 6), 16);
	s.c.scans = 0;
	finish(&s, 10, 0, 0);
	TEST_CHECK(fair_conservative_is_unfinished(&s.c));
	s.c.scans = UINT64_MAX;
	TEST_EQ(starts(&s, 10), 12);
	close_site(&s);

	/* That of a second ago tells nothing of this one. */
	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 200, 6), 0);
	TEST_EQ(add(&s, 0, 101, 4), 0);
	TEST_EQ(starts(&s, 0), 1);
	TEST_EQ(add(&s, 0, 10, 8), 200);
	TEST_EQ(add(&s, 0, 10, 11), FAIR_FOREVER);
	finish(&s, 50, 0, 0);
	s.c.scans = 0;
	TEST_CHECK(!fair_conservative_due(&s.c, 100, &slot, s.told));
	TEST_CHECK(fair_conservative_is_unfinished(&s.c));
	s.c.scans = UINT64_MAX;
	TEST_EQ(starts(&s, 101), 2);
	close_site(&s);
}

/* dc: 2 must start at once to end by the horizon, and 1 is in its way at 30. As 1
 * moves to now, 2 gets a place before 3, which could start now as well. */
TEST(a_place_at_once)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	s.c.space.profile.reach = s.c.space.profile.horizon = 60;
	TEST_EQ(add(&s, 0, 30, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_OK(lose(&s, 0, 30, 40, 3));
	TEST_EQ(add(&s, 0, 10, 6), 30);
	TEST_EQ(add(&s, 0, 60, 4), FAIR_FOREVER);
	TEST_EQ(add(&s, 0, 10, 4), 40);
	finish(&s, 0, 0, 0);
	TEST_EQ(s.job[1].rank.key, 0);
	TEST_EQ(s.job[2].rank.key, 0);
	TEST_EQ(s.job[3].rank.key, 40);
	close_site(&s);
}

static void stays_sorted(void *context, uint32_t *slot, uint32_t jobs)
{
	(void)context;
	(void)slot;
	(void)jobs;
}

static bool admits_all(void *context, uint32_t slot)
{
	(void)context;
	(void)slot;
	return true;
}

static void ignores(void *context, uint32_t slot, bool starts)
{
	(void)context;
	(void)slot;
	(void)starts;
}

/* dc, on a machine of all 2^31 - 1 processors. */
static void open_widest(struct site *s)
{
	open_site(s, FAIR_COMPRESS_DELAYED, 0);
	TEST_OK(fair_conservative_init(
		&s->c, sizeof(s->c), s->memory,
		fair_conservative_size(FAIR_COMPRESS_DELAYED, JOBS, 3),
		FAIR_COMPRESS_DELAYED, JOBS, 3, s->job, sizeof(s->job[0]),
		INT32_MAX, 0));
}

/* dc: a job as wide as can be starts now, by a gate or without, also while
 * another one, which is too long, has no place. */
TEST(the_widest_starts_now)
{
	uint32_t gated, slot;
	struct site s;

	for (gated = 0; gated < 2; gated++) {
		open_widest(&s);
		s.tell.sort = gated ? NULL : stays_sorted;
		s.tell.gate = gated ? admits_all : NULL;
		s.tell.filled = ignores;
		TEST_EQ(add(&s, 0, 100, INT32_MAX), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, INT32_MAX), 100);
		TEST_EQ(add(&s, 0, INT64_MAX, 1), FAIR_FOREVER);
		finish(&s, 50, 0, 0);
		TEST_EQ(s.job[1].rank.key, 50);
		TEST_CHECK(fair_conservative_due(&s.c, 50, &slot, s.told));
		TEST_EQ(slot, 1);
		close_site(&s);
	}
}

static uint32_t sorts;

static void counts(void *context, uint32_t *slot, uint32_t jobs)
{
	stays_sorted(context, slot, jobs);
	sorts++;
}

/* dc: job 2 would start at 60. The queue is sorted, as 1 could move there, however
 * wide it is, and goes first; also if nothing is told. */
TEST(the_widest_is_overtaken)
{
	uint32_t silent;
	struct site s;

	for (silent = 0; silent < 2; silent++) {
		open_widest(&s);
		s.tell.sort = counts;
		s.told = silent ? NULL : &s.tell;
		TEST_EQ(add(&s, 0, 100, INT32_MAX), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 50, INT32_MAX), 100);
		TEST_OK(fair_conservative_give_back(&s.c, 0, 60, 100,
						    CLAIM(INT32_MAX), s.told));
		sorts = 0;
		TEST_EQ(add(&s, 0, 10, 1), 110);
		TEST_EQ(s.job[1].rank.key, 60);
		TEST_EQ(sorts, !silent);
		close_site(&s);
	}
}
