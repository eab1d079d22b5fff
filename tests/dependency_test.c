/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job that depends on another becomes eligible when that one ends as it had
 * to; a dependency that was not satisfied never will be.
 */
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"

/* Which ends set a job free that waits for one: finish, cancel, victim. */
TEST(dependencies)
{
	static const int64_t free_at[2][3] = { { 10, -1, -1 }, { 10, 10, 10 } };
	const uint64_t victim = 1;
	struct world w;
	uint32_t end;
	int how;

	for (end = FAIR_AFTER_OK; end <= FAIR_AFTER_ANY; end++)
		for (how = 0; how < 3; how++) {
			busy(&w, FAIR_DC);
			TEST_EQ(put_aside(&w, 5, 8, until(0, 1, end, false)), 0);
			TEST_EQ(put_aside(&w, 5, 9, until(0, 8, end, false)), 0);
			TEST_EQ(step(&w, 9), 0);
			if (how == 0)
				TEST_EQ(fair_sched_finish(&w.s, 10, 1), 0);
			else if (how == 1)
				TEST_EQ(fair_sched_cancel(&w.s, 10, 1), 0);
			else
				TEST_OK(fair_sched_capacity(&w.s, 10, -1,
							    &victim, 1));
			TEST_EQ(step(&w, 10),
				free_at[end - FAIR_AFTER_OK][how] < 0 ? 0 : 8);
			TEST_CHECK(is_aside(&w, 9));
			close_world(&w);
		}
}

/* 7 waits for 1, 8 for 3, 9 for 2 or 4: the end of 2 or 3 is theirs alone. */
TEST(ends_of_others)
{
	const uint64_t victim = 2;
	struct world w;
	int how;

	for (how = 0; how < 3; how++) {
		busy(&w, FAIR_BACKFILL);
		TEST_OK(put_aside(&w, 0, 7,
				  until(0, 1, FAIR_AFTER_ANY, false)));
		TEST_OK(put_aside(&w, 0, 8,
				  until(0, 3, FAIR_AFTER_ANY, false)));
		TEST_OK(put_aside(
			&w, 0, 9,
			until(0, how == 2 ? 4 : 2, FAIR_AFTER_ANY, false)));
		if (how == 0)
			TEST_EQ(fair_sched_finish(&w.s, 10, 2), 0);
		else if (how == 1)
			TEST_OK(fair_sched_capacity(&w.s, 10, -1, &victim, 1));
		else
			TEST_EQ(fair_sched_cancel(&w.s, 10, 3), 0);
		TEST_CHECK(is_aside(&w, 7));
		TEST_EQ(is_aside(&w, 8), how != 2);
		TEST_EQ(is_aside(&w, 9), how == 2);
		close_world(&w);
	}
}

/*
 * A dependency that was not satisfied never will be, even if its number is used
 * again.
 */
TEST(failed_for_good)
{
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(put_aside(&w, 5, 9, until(0, 1, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 10, 1), 0);
	submit(&w, 10, 1, 5, 6);
	TEST_EQ(step(&w, 10), 1);
	TEST_EQ(fair_sched_finish(&w.s, 12, 1), 0);
	TEST_CHECK(is_aside(&w, 9));
	TEST_EQ(w.s.ineligible[0].condition.end, FAIR_AFTER_NEVER_SATISFIED);
	close_world(&w);
}

static uint32_t waits(struct world *w, uint64_t number)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&w->s, number, &j));
	return j.waits;
}

/* Each job that waits says for what, also that it waits for ever. */
TEST(what_it_waits_for)
{
	const struct fair_eligibility first = until(0, 2, FAIR_AFTER_OK, false);
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(waits(&w, 1), 0);
	TEST_OK(put_aside(&w, 5, 7, until(9, 1, FAIR_AFTER_OK, true)));
	TEST_EQ(waits(&w, 7), FAIR_WAITS_HELD | FAIR_WAITS_BEGIN |
				      FAIR_WAITS_DEPENDENCY);
	TEST_OK(fair_sched_cancel(&w.s, 9, 1));
	TEST_EQ(waits(&w, 7), FAIR_WAITS_HELD | FAIR_WAITS_FOR_EVER);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_INELIGIBLE, &at, &j));
	TEST_EQ(j.waits, FAIR_WAITS_HELD | FAIR_WAITS_FOR_EVER);
	TEST_OK(fair_sched_defer(&w.s, 9, 7, &first));
	TEST_EQ(waits(&w, 7), FAIR_WAITS_DEPENDENCY);
	close_world(&w);
}

/* 9 waits for 8, 8 for 7: 7 cannot wait for 9, but once 8 does not wait. */
TEST(cycles)
{
	const struct fair_eligibility last = until(0, 9, FAIR_AFTER_ANY, false);
	struct world w;

	busy(&w, FAIR_FCFS);
	TEST_OK(put_aside(&w, 5, 7, until(0, 0, 0, true)));
	TEST_OK(put_aside(&w, 5, 8, until(0, 7, FAIR_AFTER_OK, false)));
	TEST_OK(put_aside(&w, 5, 9, until(0, 8, FAIR_AFTER_OK, false)));
	TEST_EQ(fair_sched_defer(&w.s, 5, 7, &last), -FAIR_EINVAL);
	TEST_OK(fair_sched_defer(&w.s, 5, 8, NULL));
	TEST_OK(fair_sched_defer(&w.s, 5, 7, &last));
	close_world(&w);
}
