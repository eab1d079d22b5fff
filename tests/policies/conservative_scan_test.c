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
