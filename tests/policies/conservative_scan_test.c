/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Compression scans at most as many jobs as it may, and goes on later: scan by
 * scan it ends as at once.
 */
#include "tests/promises.h"

/*
 * Each job that finds nothing counts as a scan, and so does one that is passed
 * by.
 */
TEST(scans_are_counted)
{
	uint32_t c, i, slot;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		while (s.used < 8)
			add(&s, 0, 10, s.used < 6 ? 10 : 11);
		TEST_OK(fair_conservative_give_back(&s.c, 0, 0, 100, CLAIM(9),
						    s.told));
		TEST_OK(fair_conservative_give_back(&s.c, 0, 90, 95, CLAIM(1),
						    s.told));
		if (c != FAIR_COMPRESS_DELAYED) {
			s.c.scans = 4;
			fair_conservative_compress(&s.c, 0, s.told);
			TEST_CHECK(fair_conservative_is_unfinished(&s.c));
			s.c.scans = 3;
			TEST_CHECK(fair_conservative_resume(&s.c, s.told));
		}
		/*
		 * Two jobs are unplaced: the due one is known after as many
		 * scans.
		 */
		for (i = 0; i < 20; i++) {
			s.c.scans = 1;
			TEST_CHECK(!fair_conservative_due(&s.c, 1, &slot, s.told));
			if (!fair_conservative_is_unfinished(&s.c))
				break;
		}
		TEST_CHECK(i > 0 && i < 20);
		TEST_EQ(s.moves, 0);
		close_site(&s);
	}
}

/* It is 90. Jobs 1, of two processors, and 2, of eight, are to start at 100, and 3
 * at 110. Two processors become free before and behind, which help none. */
static void open_between(struct site *s, uint32_t compression)
{
	open_site(s, compression, 0);
	TEST_EQ(add(s, 0, 100, 8), 0);
	TEST_EQ(starts(s, 0), 0);
	TEST_OK(lose(s, 0, 0, 100, 2));
	TEST_OK(lose(s, 0, 110, 120, 2));
	TEST_EQ(add(s, 0, 10, 2), 100);
	TEST_EQ(add(s, 0, 10, 8), 100);
	TEST_EQ(add(s, 0, 10, 8), 110);
	TEST_OK(fair_conservative_give_back(&s->c, 90, 90, 95, CLAIM(2),
					    s->told));
}

/* How many of so many scans are used then. */
static uint64_t scans_between(uint32_t compression, bool behind,
			      uint64_t scans)
{
	struct site s;

	open_between(&s, compression);
	if (behind)
		TEST_OK(fair_conservative_give_back(&s.c, 90, 110, 120,
						    CLAIM(2), s.told));
	s.c.scans = scans;
	fair_conservative_compress(&s.c, 90, s.told);
	TEST_CHECK(!fair_conservative_is_unfinished(&s.c));
	TEST_EQ(s.moves, 0);
	close_site(&s);
	return scans - s.c.scans;
}

/* Jobs that are passed by with one that finds nothing count as scanned: all
 * behind it, or up to where it was looked for. But pc scans each one if there is
 * a limit. */
TEST(passed_by)
{
	const uint64_t limit = UINT64_C(1) << 32;

	TEST_EQ(scans_between(FAIR_COMPRESS, false, UINT64_MAX), 3);
	TEST_EQ(scans_between(FAIR_COMPRESS, false, 7), 3);
	TEST_EQ(scans_between(FAIR_COMPRESS, true, 7), 2);
	TEST_EQ(scans_between(FAIR_COMPRESS_PRIORITIZED, true, UINT64_MAX), 2);
	TEST_EQ(scans_between(FAIR_COMPRESS_PRIORITIZED, true, limit), 1);
	TEST_EQ(scans_between(FAIR_COMPRESS_PRIORITIZED, true, limit + 1), 2);
}

/* What a limit holds back says nothing of others: none is passed by with it. */
TEST(passed_by_no_limit)
{
	struct site s;

	open_between(&s, FAIR_COMPRESS);
	s.job[1].mark |= FAIR_MARK_LIMITED;
	s.c.scans = 7;
	fair_conservative_compress(&s.c, 90, s.told);
	TEST_EQ(s.c.scans, 6);
	close_site(&s);
}

/* But others are as soon as it was placed anew, and with one that is accepted from
 * now on. */
TEST(passed_by_again)
{
	struct site s;

	open_between(&s, FAIR_COMPRESS);
	s.job[1].mark |= FAIR_MARK_LIMITED;
	s.job[1].not_before = 90;
	TEST_OK(fair_conservative_withdraw(&s.c, 1, s.told));
	TEST_OK(fair_conservative_put_back(&s.c, 90, 1, 1, s.told));
	TEST_EQ(s.job[1].rank.key, 100);
	s.c.scans = 7;
	fair_conservative_compress(&s.c, 90, s.told);
	TEST_EQ(s.c.scans, 5);
	close_site(&s);
}

/* So are a longer job that is as wide, a wide one behind it that is not longer, and
 * one that has no place, which is scanned for that, too. */
TEST(passed_by_together)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 8), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_OK(lose(&s, 0, 0, 100, 2));
	TEST_EQ(add(&s, 0, 10, 2), 100);
	TEST_EQ(add(&s, 0, 11, 2), 100);
	TEST_EQ(add(&s, 0, 10, 6), 100);
	TEST_EQ(add(&s, 0, INT64_MAX, 3), FAIR_FOREVER);
	TEST_OK(fair_conservative_give_back(&s.c, 90, 90, 95, CLAIM(2),
					    s.told));
	s.c.scans = 9;
	fair_conservative_compress(&s.c, 90, s.told);
	TEST_EQ(s.moves, 0);
	TEST_EQ(s.c.scans, 4);
	close_site(&s);
}

/* A job without a place is scanned for one, and then in the compression. */
TEST(the_greatest_numbers)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	s.job[1].rank.number = UINT64_MAX - 1;
	s.job[1].walltime = INT64_MAX;
	s.job[1].procs = 1;
	TEST_OK(fair_conservative_submit(&s.c, 0, 1, 0, s.told));
	TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
	s.c.scans = 7;
	finish(&s, 50, 0, 0);
	TEST_EQ(s.c.scans, 5);
	close_site(&s);
}

/* pc: one processor is missing from 110 on, so that no run is long enough for a
 * job that needs all: it is not scanned (F2). */
TEST(runs_for_the_widest)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_OK(fair_conservative_init(
		&s.c, sizeof(s.c), s.memory,
		fair_conservative_size(FAIR_COMPRESS_PRIORITIZED, JOBS, 3),
		FAIR_COMPRESS_PRIORITIZED, JOBS, 3, s.job, sizeof(s.job[0]),
		INT32_MAX, 0));
	TEST_EQ(add(&s, 0, 100, INT32_MAX), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_OK(lose(&s, 0, 110, 200, 1));
	TEST_EQ(add(&s, 0, 100, INT32_MAX), 200);
	s.c.scans = 7;
	finish(&s, 50, 0, 0);
	TEST_EQ(s.c.scans, 7);
	TEST_EQ(s.moves, 0);
	close_site(&s);
}

/* At the scan limit no job moves; scan by scan it ends as at once. */
TEST(scan_by_scan)
{
	struct site s, at_once;
	uint32_t c, i, calls;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		figure_1(&at_once, c);
		open_figure_1(&s, c);
		TEST_CHECK(fair_conservative_resume(&s.c, s.told));
		s.c.scans = 0;
		finish(&s, 50, 1, 0);
		TEST_CHECK(fair_conservative_is_unfinished(&s.c));
		TEST_EQ(s.moves, 0);
		for (calls = 0; !fair_conservative_resume(&s.c, s.told); calls++) {
			TEST_EQ(fair_conservative_check(&s.c), 0);
			s.c.scans = 1;
		}
		TEST_CHECK(calls > 0);
		TEST_EQ(s.moves, at_once.moves);
		for (i = 0; i < JOBS; i++)
			TEST_EQ(s.job[i].rank.key, at_once.job[i].rank.key);
		close_site(&s);
		close_site(&at_once);
	}
}

/* The question for the due job first goes on with the unfinished reaction. */
TEST(due_goes_on)
{
	uint32_t c, slot = JOBS;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_figure_1(&s, c);
		s.c.scans = 0;
		finish(&s, 50, 1, 0);
		TEST_CHECK(!fair_conservative_due(&s.c, 50, &slot, s.told));
		TEST_EQ(s.moves, 0);
		s.c.scans = UINT64_MAX;
		TEST_EQ(starts(&s, 50), 3);
		close_site(&s);
	}
	/* A second later, the walk of that second first. */
	figure_1(&s, FAIR_COMPRESS_DELAYED);
	TEST_EQ(starts(&s, 50), 3);
	s.c.scans = 0;
	TEST_CHECK(!fair_conservative_due(&s.c, 100, &slot, s.told));
	TEST_CHECK(fair_conservative_is_unfinished(&s.c));
	s.c.scans = UINT64_MAX;
	TEST_EQ(starts(&s, 101), 2);
	was_moved(&s, 1, 2, 200, 100);
	close_site(&s);
}

/* A step comes late and finds no scan left: the jobs that have lost their start
 * come first, and no other scan begins until they have another (I6). */
TEST(late_without_scans)
{
	uint32_t c, slot;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 11), FAIR_FOREVER);
		s.c.scans = 0;
		TEST_CHECK(!fair_conservative_due(&s.c, 105, &slot, s.told));
		TEST_EQ(s.c.displaced, 1);
		TEST_EQ(fair_conservative_check(&s.c), 0);
		s.c.scans = UINT64_MAX;
		TEST_EQ(starts(&s, 105), 1);
		close_site(&s);
	}
}

/*
 * What another call does first is not taken off the scans that are left; a
 * prioritized compression is not finished first.
 */
TEST(scans_are_left)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_figure_1(&s, c);
		s.c.scans = 0;
		finish(&s, 50, 1, 0);
		TEST_CHECK(fair_conservative_is_unfinished(&s.c));
		s.c.scans = 77;
		TEST_EQ(fair_conservative_withdraw(&s.c, 2, s.told), 0);
		TEST_EQ(fair_conservative_is_unfinished(&s.c),
			c == FAIR_COMPRESS_PRIORITIZED);
		TEST_EQ(s.c.scans, 77);
		close_site(&s);
	}
}

/* A scan that has paused is finished before a loss. */
TEST(a_loss_comes_later)
{
	struct site s;

	open_figure_1(&s, FAIR_COMPRESS);
	s.c.scans = 0;
	finish(&s, 50, 1, 0);
	TEST_CHECK(fair_conservative_is_unfinished(&s.c));
	TEST_OK(fair_conservative_take(&s.c, 50, 900, 910, CLAIM(1), s.told));
	TEST_CHECK(!fair_conservative_is_unfinished(&s.c));
	TEST_EQ(s.moves, 2);
	close_site(&s);
}

/* A machine as wide as can be, in use until 100; the scans are at their limit. */
static void open_widest(struct site *s)
{
	open_site(s, FAIR_COMPRESS, 0);
	TEST_OK(fair_conservative_give_back(&s->c, 0, 0, FAIR_FOREVER,
					    CLAIM(INT32_MAX - PROCS), s->told));
	TEST_EQ(add(s, 0, 100, INT32_MAX), 0);
	TEST_EQ(starts(s, 0), 0);
	s->c.scans = 0;
}

/* Jobs 2 and 3 end by 105, as a loss begins: they are no part of that, and wait for
 * no scan, though 1 comes before them by turn. The next start is at once, until 1 has
 * one. */
TEST(what_ends_before_a_loss)
{
	struct site s;

	open_widest(&s);
	s.c.scans = UINT64_MAX;
	TEST_EQ(add(&s, 1, 10, INT32_MAX), 100);
	TEST_OK(lose(&s, 1, 105, 120, 1));
	TEST_EQ(s.job[1].rank.key, 120);
	TEST_EQ(add(&s, 1, 2, INT32_MAX), 100);
	TEST_EQ(add(&s, 1, 3, INT32_MAX), 102);
	s.c.scans = 0;
	fair_conservative_displace_all(&s.c, 2, s.told);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	TEST_EQ(s.c.displaced, 3);
	TEST_OK(fair_space_change(&s.c.space, 120, 150, CLAIM(1), true));
	fair_conservative_end_loss(&s.c, 105, 105, 105, s.told);
	TEST_EQ(s.c.displaced, 1);
	TEST_EQ(fair_conservative_next(&s.c), 2);
	s.c.scans = UINT64_MAX;
	TEST_CHECK(fair_conservative_resume(&s.c, s.told));
	TEST_EQ(s.job[2].rank.key, 100);
	TEST_EQ(s.job[3].rank.key, 102);
	TEST_EQ(s.job[1].rank.key, 150);
	TEST_EQ(fair_conservative_next(&s.c), 100);
	close_site(&s);
}

/* Job 1 goes before the wide job 2, which was to start where 1 finds room. */
TEST(a_wide_job_makes_way)
{
	struct site s;

	open_widest(&s);
	TEST_EQ(add(&s, 1, 10, 5), 100);
	TEST_EQ(add(&s, 1, 10, INT32_MAX), 110);
	s.c.scans = UINT64_MAX;
	TEST_OK(lose(&s, 2, 100, 110, INT32_MAX));
	TEST_EQ(s.job[1].rank.key, 110);
	TEST_EQ(s.job[2].rank.key, 120);
	close_site(&s);
}

/* Three jobs from 100 on, one after the other; the machine is in use until then,
 * and the scans are at their limit. */
static void open_row(struct site *s)
{
	uint32_t i;

	open_site(s, FAIR_COMPRESS, 0);
	TEST_EQ(add(s, 0, 100, 10), 0);
	TEST_EQ(starts(s, 0), 0);
	for (i = 0; i < 3; i++)
		TEST_EQ(add(s, 1, 10, 10), 100 + 10 * i);
	s->c.scans = 0;
}

/* Neither the job that ends as a lack begins, nor the one that starts as it
 * ends. */
TEST(who_is_in_the_way)
{
	struct site s;

	open_row(&s);
	TEST_OK(fair_conservative_take(&s.c, 2, 119, 120, CLAIM(1), s.told));
	TEST_EQ(s.c.displaced, 1);
	TEST_CHECK(s.job[2].mark & FAIR_MARK_DISPLACED);
	free(s.memory);
	open_row(&s);
	TEST_OK(fair_conservative_take(&s.c, 2, 110, 111, CLAIM(1), s.told));
	TEST_EQ(s.c.displaced, 1);
	TEST_CHECK(s.job[2].mark & FAIR_MARK_DISPLACED);
	free(s.memory);
}

/* To be put back takes no scan, also of one that is not accepted before. */
TEST(put_back)
{
	struct site s;

	open_row(&s);
	s.job[1].not_before = 100;
	fair_conservative_displace_all(&s.c, 2, s.told);
	TEST_EQ(s.c.displaced, 3);
	fair_conservative_end_loss(&s.c, INT64_MIN, 2, 2, s.told);
	TEST_EQ(s.c.displaced, 0);
	TEST_EQ(s.moves, 0);
	close_site(&s);
}

/* Five processors are lost. Jobs 1 and 2 have five each: 1 is put back, by turn,
 * and 2 waits for a scan. Of three and seven the first one is put back beside the
 * loss, and whoever is behind both stays. */
TEST(put_back_by_turn)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 1, 10, 5), 100);
	TEST_EQ(add(&s, 1, 10, 5), 100);
	s.c.scans = 0;
	TEST_OK(lose(&s, 2, 100, 110, 5));
	TEST_EQ(s.c.displaced, 1);
	TEST_CHECK(s.job[2].mark & FAIR_MARK_DISPLACED);
	close_site(&s);
	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 1, 20, 3), 100);
	TEST_EQ(add(&s, 1, 5, 7), 100);
	TEST_EQ(add(&s, 1, 10, 7), 105);
	s.c.scans = 0;
	TEST_OK(lose(&s, 2, 100, 101, 5));
	TEST_EQ(s.c.displaced, 1);
	TEST_CHECK(s.job[2].mark & FAIR_MARK_DISPLACED);
	close_site(&s);
}

/* Jobs 1 and 2 have a limit together, and 3, as wide as the machine, has one of
 * its own. */
static void open_limited(struct site *s, struct fair_quotas *l, void *memory,
			 size_t bytes)
{
	struct fair_quotas_of of = { 0, 7, 0, 1 };

	open_widest(s);
	TEST_OK(fair_quotas_init(l, sizeof(*l), memory, bytes, 1, 2, JOBS, 1));
	TEST_OK(fair_quotas_set(l, 0, 7, 2));
	TEST_OK(fair_quotas_set(l, 0, 8, 1));
	fair_quotas_join(l, 1, &of, 1);
	fair_quotas_join(l, 2, &of, 1);
	of.whose = 8;
	fair_quotas_join(l, 3, &of, 1);
	fair_space_limit_by(&s->c.space, l);
	TEST_EQ(add(s, 1, 10, 5), 100);
	TEST_EQ(add(s, 1, 10, 5), 100);
	TEST_EQ(add(s, 1, 10, INT32_MAX), 110);
	TEST_EQ(add(s, 1, 10, 5), 100);
}

/* Who is over a lowered limit is displaced, and who is behind 1 while it is put
 * back, but not 3. */
TEST(lowered_limits)
{
	size_t bytes = fair_quotas_size(1, 2, JOBS, 1);
	void *memory = malloc(bytes);
	struct fair_quotas l;
	struct site s;

	TEST_REQUIRE(memory);
	open_limited(&s, &l, memory, bytes);
	TEST_OK(fair_quotas_set(&l, 0, 7, 1));
	l.exceeded = true;
	TEST_OK(fair_conservative_catch_up(&s.c, 2, s.told));
	fair_conservative_end_loss(&s.c, INT64_MIN, 2, 2, s.told);
	TEST_EQ(s.c.displaced, 2);
	TEST_CHECK(s.job[2].mark & FAIR_MARK_DISPLACED);
	TEST_CHECK(s.job[4].mark & FAIR_MARK_DISPLACED);
	s.c.scans = UINT64_MAX;
	TEST_CHECK(fair_conservative_resume(&s.c, s.told));
	TEST_EQ(s.job[1].rank.key, 100);
	TEST_EQ(s.job[2].rank.key, 110);
	TEST_EQ(s.job[3].rank.key, 120);
	TEST_OK(fair_quotas_set(&l, 0, 8, 0));
	l.exceeded = true;
	TEST_OK(fair_conservative_catch_up(&s.c, 2, s.told));
	fair_conservative_end_loss(&s.c, INT64_MIN, 2, 2, s.told);
	TEST_EQ(s.job[3].rank.key, FAIR_FOREVER);
	TEST_EQ(s.job[2].rank.key, 110);
	close_site(&s);
	free(memory);
}

static int64_t never_later(const void *vetoer, uint32_t slot, int64_t t)
{
	(void)slot;
	return *(const bool *)vetoer ? FAIR_FOREVER : t;
}

/* A veto against a job that has lost its place already. */
TEST(vetoed_in_a_loss)
{
	bool vetoed = false;
	struct site s;

	open_row(&s);
	s.c.scans = UINT64_MAX;
	fair_space_veto_by(&s.c.space, never_later, &vetoed);
	fair_conservative_displace_all(&s.c, 2, s.told);
	vetoed = true;
	fair_space_veto_anew(&s.c.space);
	fair_conservative_end_loss(&s.c, INT64_MIN, 2, 2, s.told);
	TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
	close_site(&s);
}

/* A job of five processors that is accepted from @start on, with that turn. */
static void add_of_turn(struct site *s, int64_t start, int64_t turn)
{
	struct fair_queued *j = &s->job[s->used];

	j->rank.number = s->used;
	j->walltime = 10;
	j->procs = 5;
	j->not_before = start;
	j->turn = turn;
	j->mark = FAIR_MARK_TURN;
	TEST_OK(fair_conservative_put_back(&s->c, 0, s->used, s->used, s->told));
	TEST_EQ(s->job[s->used++].rank.key, start);
}

/* Five processors are lost from 100 to 210. Of each two jobs that start together
 * the first one stays, by turn: what was cleared at 100 and at 200 is not so in
 * between. */
TEST(cleared_here_and_there)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS, 0);
	add_of_turn(&s, 100, 1);
	add_of_turn(&s, 200, 2);
	add_of_turn(&s, 150, 3);
	for (i = 0; i < 3; i++)
		add_of_turn(&s, 100 + 50 * i, FAIR_FOREVER);
	TEST_OK(lose(&s, 0, 100, 210, 5));
	TEST_EQ(s.job[0].rank.key, 100);
	TEST_EQ(s.job[1].rank.key, 200);
	TEST_EQ(s.job[2].rank.key, 150);
	TEST_EQ(s.moves, 3);
	close_site(&s);
}

/* Two classes of five processors, all of one for each job. */
static const int32_t five[] = { 5, 5 };

static void open_classes(struct site *s, struct fair_machine_jobs *m)
{
	static const struct fair_machine_config config = { 1, 2, 0, five };
	static uint64_t memory[1 << 13];
	uint32_t i;

	open_site(s, FAIR_COMPRESS, 0);
	TEST_OK(fair_machine_jobs_init(m, sizeof(*m), memory, sizeof(memory),
				       &config, JOBS, 0));
	for (i = 0; i < JOBS; i++)
		TEST_OK(fair_machine_jobs_set(m, i, 5, five, NULL, 0));
	fair_space_plan_on(&s->c.space, m);
}

/* What gets the same start in another class was not moved. */
TEST(the_same_time_in_another_class)
{
	const struct fair_claim claim = { 5, 0, five, 0 };
	struct fair_machine_jobs m;
	struct site s;

	open_classes(&s, &m);
	add_of_turn(&s, 100, FAIR_FOREVER);
	TEST_EQ(fair_space_class(&s.c.space, 0), 0);
	TEST_OK(fair_conservative_take(&s.c, 0, 100, 110, &claim, s.told));
	fair_conservative_end_loss(&s.c, 100, 100, 100, s.told);
	TEST_EQ(s.job[0].rank.key, 100);
	TEST_EQ(fair_space_class(&s.c.space, 0), 1);
	TEST_EQ(s.moves, 0);
	close_site(&s);
}

/* Class 0 is in use until 100, and 1 until 95, but job 2 is to start there at 105
 * and in the way of 3. As 2 moves, 3 has been scanned: it moves in the next
 * scan. */
TEST(a_hole_in_another_class)
{
	const struct fair_claim claim = { 5, 0, five, 0 };
	static const uint8_t second[] = { 1, 0 };
	struct fair_machine_jobs m;
	struct site s;

	open_classes(&s, &m);
	TEST_EQ(add(&s, 0, 100, 5), 0);
	TEST_EQ(add(&s, 0, 95, 5), 0);
	TEST_EQ(starts(&s, 0), 1);
	TEST_OK(fair_machine_jobs_set(&m, 2, 5, five, second, 2));
	add_of_turn(&s, 105, FAIR_FOREVER);
	s.job[2].not_before = INT64_MIN;
	TEST_EQ(add(&s, 0, 15, 5), 100);
	TEST_OK(fair_conservative_give_back(&s.c, 40, 50, 60, &claim, s.told));
	fair_conservative_compress(&s.c, 40, s.told);
	TEST_EQ(s.job[2].rank.key, 50);
	TEST_EQ(s.job[3].rank.key, 100);
	fair_conservative_compress(&s.c, 40, s.told);
	TEST_EQ(s.job[3].rank.key, 95);
	close_site(&s);
}

/* Job 2 leaves all of its class, also before what was freed, as it moves to the
 * other one five seconds sooner: 3 comes in its place. */
TEST(all_of_a_class_is_left)
{
	const struct fair_claim claim = { 5, 0, five, 0 };
	static const uint8_t second[] = { 1, 0 };
	struct fair_machine_jobs m;
	struct site s;

	open_classes(&s, &m);
	TEST_EQ(add(&s, 0, 95, 5), 0);
	TEST_EQ(add(&s, 0, 100, 5), 0);
	TEST_EQ(starts(&s, 0), 1);
	TEST_OK(fair_conservative_take(&s.c, 0, 110, 115, &claim, s.told));
	TEST_OK(fair_machine_jobs_set(&m, 2, 5, five, second, 2));
	TEST_OK(fair_machine_jobs_set(&m, 3, 5, five, second, 1));
	TEST_EQ(add(&s, 0, 20, 5), 100);
	TEST_EQ(add(&s, 0, 10, 5), 120);
	TEST_OK(fair_conservative_give_back(&s.c, 40, 110, 115, &claim, s.told));
	fair_conservative_compress(&s.c, 40, s.told);
	TEST_EQ(s.job[2].rank.key, 95);
	TEST_EQ(s.job[3].rank.key, 100);
	close_site(&s);
}

/* As many late jobs as there is room for: what stands behind their list, as the
 * last one leaves, stays as it is. */
TEST(all_are_late)
{
	enum { BEHIND = 256 };
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, JOBS, 3), i;
	unsigned char *behind;
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	s.memory = (char *)realloc(s.memory, bytes + BEHIND);
	TEST_REQUIRE(s.memory);
	behind = (unsigned char *)s.memory + bytes;
	TEST_OK(fair_conservative_init(&s.c, sizeof(s.c), s.memory, bytes,
				       FAIR_COMPRESS, JOBS, 3, s.job,
				       sizeof(s.job[0]), PROCS, 0));
	for (i = 0; i < BEHIND; i++)
		behind[i] = (unsigned char)i;
	for (i = 0; i < JOBS; i++)
		add_of_turn(&s, 100 + 10 * (int64_t)i, (int64_t)i);
	TEST_EQ(s.c.lates, JOBS);
	TEST_OK(fair_conservative_withdraw(&s.c, JOBS - 1, s.told));
	for (i = 0; i < BEHIND; i++)
		TEST_EQ(behind[i], i);
	close_site(&s);
}

/* Job 1 is accepted where it is to start: of 2 that says nothing. */
TEST(accepted_later)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 10), 100);
	TEST_EQ(add(&s, 0, 10, 10), 110);
	s.job[1].not_before = 100;
	finish(&s, 50, 0, 0);
	TEST_EQ(s.job[1].rank.key, 100);
	TEST_EQ(s.job[2].rank.key, 50);
	close_site(&s);
}

/* Each job without a place is looked at once, also behind one that gets one; then
 * the compression scans the two that have one. */
TEST(scans_for_places)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 10, 30), FAIR_FOREVER);
	TEST_EQ(add(&s, 0, 10, 12), FAIR_FOREVER);
	TEST_EQ(add(&s, 0, 10, 12), FAIR_FOREVER);
	TEST_OK(fair_conservative_give_back(&s.c, 5, 5, FAIR_FOREVER, CLAIM(2),
					    s.told));
	s.c.scans = 1000;
	fair_conservative_compress(&s.c, 5, s.told);
	TEST_EQ(s.job[1].rank.key, 5);
	TEST_EQ(s.job[2].rank.key, 15);
	TEST_EQ(s.c.scans, 995);
	TEST_OK(fair_conservative_withdraw(&s.c, 0, s.told));
	close_site(&s);
}

/* Under pc an event gives places, and leaves the compression for later. */
TEST(places_come_first)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 1, 10, 12), FAIR_FOREVER);
	TEST_OK(fair_conservative_give_back(&s.c, 5, 5, FAIR_FOREVER, CLAIM(2),
					    s.told));
	s.c.scans = 0;
	fair_conservative_compress(&s.c, 5, s.told);
	TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
	TEST_EQ(add(&s, 6, 20, 12), 110);
	TEST_EQ(s.job[1].rank.key, 100);
	TEST_CHECK(fair_conservative_is_reacting(&s.c));
	close_site(&s);
}

/* One that is not the next to be scanned leaves, and the scan goes on where it
 * was. */
TEST(the_place_of_a_pause)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	for (i = 0; i < 4; i++)
		add(&s, 1, 20 + i, 10);
	s.c.scans = 2;
	TEST_OK(fair_conservative_give_back(&s.c, 5, 90, 100, CLAIM(10),
					    s.told));
	fair_conservative_compress(&s.c, 5, s.told);
	TEST_CHECK(fair_conservative_is_unfinished(&s.c));
	TEST_EQ(s.c.walk.next, 2);
	TEST_OK(fair_conservative_withdraw(&s.c, 4, s.told));
	TEST_EQ(s.c.walk.next, 2);
	TEST_OK(fair_conservative_withdraw(&s.c, 2, s.told));
	TEST_EQ(s.c.walk.next, 1);
	close_site(&s);
}

static void keep_order(void *context, uint32_t *slot, uint32_t jobs)
{
	(void)context;
	(void)slot;
	(void)jobs;
}

/* An event ends a scan in an order that changes: what was freed is left, and how
 * long its runs are is not, as if it came from a checkpoint. */
TEST(runs_are_measured_again)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	s.tell.sort = keep_order;
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	for (i = 0; i < 4; i++)
		add(&s, 1, 20 + i, 10);
	s.c.scans = 1;
	TEST_OK(fair_conservative_give_back(&s.c, 5, 90, 100, CLAIM(10),
					    s.told));
	fair_conservative_compress(&s.c, 5, s.told);
	TEST_CHECK(fair_conservative_is_unfinished(&s.c));
	TEST_CHECK(s.c.walk.freed.longest > 0);
	add(&s, 6, 10, 1);
	TEST_CHECK(s.c.freed.from < s.c.freed.to);
	TEST_EQ(s.c.freed.longest, 0);
	close_site(&s);
}
