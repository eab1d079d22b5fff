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
			TEST_EQ(submit_if(&w, 5, 8, until(0, 1, end, false)), 0);
			TEST_EQ(submit_if(&w, 5, 9, until(0, 8, end, false)), 0);
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
			TEST_CHECK(is_ineligible(&w, 9));
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
		TEST_OK(submit_if(&w, 0, 7,
				  until(0, 1, FAIR_AFTER_ANY, false)));
		TEST_OK(submit_if(&w, 0, 8,
				  until(0, 3, FAIR_AFTER_ANY, false)));
		TEST_OK(submit_if(
			&w, 0, 9,
			until(0, how == 2 ? 4 : 2, FAIR_AFTER_ANY, false)));
		if (how == 0)
			TEST_EQ(fair_sched_finish(&w.s, 10, 2), 0);
		else if (how == 1)
			TEST_OK(fair_sched_capacity(&w.s, 10, -1, &victim, 1));
		else
			TEST_EQ(fair_sched_cancel(&w.s, 10, 3), 0);
		TEST_CHECK(is_ineligible(&w, 7));
		TEST_EQ(is_ineligible(&w, 8), how != 2);
		TEST_EQ(is_ineligible(&w, 9), how == 2);
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
	TEST_EQ(submit_if(&w, 5, 9, until(0, 1, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 10, 1), 0);
	submit(&w, 10, 1, 5, 6);
	TEST_EQ(step(&w, 10), 1);
	TEST_EQ(fair_sched_finish(&w.s, 12, 1), 0);
	TEST_CHECK(is_ineligible(&w, 9));
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
	TEST_OK(submit_if(&w, 5, 7, until(9, 1, FAIR_AFTER_OK, true)));
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
	TEST_OK(submit_if(&w, 5, 7, until(0, 0, 0, true)));
	TEST_OK(submit_if(&w, 5, 8, until(0, 7, FAIR_AFTER_OK, false)));
	TEST_OK(submit_if(&w, 5, 9, until(0, 8, FAIR_AFTER_OK, false)));
	TEST_EQ(fair_sched_defer(&w.s, 5, 7, &last), -FAIR_EINVAL);
	TEST_OK(fair_sched_defer(&w.s, 5, 8, NULL));
	TEST_OK(fair_sched_defer(&w.s, 5, 7, &last));
	close_world(&w);
}

/* A job of 10 seconds that waits for a list. */
static int put_behind(struct world *w, int64_t now, uint64_t number,
		      const struct fair_dependency *on, uint32_t count,
		      bool any)
{
	const struct fair_dependencies list = { on, count, any };
	struct fair_job j = a_job(number, now, 10, 1);

	return fair_sched_submit_dependent(&w->s, now, &j, NULL, &list);
}

/* What one job waits for comes before a list. */
TEST(one_and_a_list)
{
	const struct fair_dependency on = { 2, FAIR_AFTER_ANY, 0 };
	const struct fair_dependencies list = { &on, 1, false };
	const struct fair_eligibility one = { 0, 1, FAIR_AFTER_OK, false };
	struct fair_job j = a_job(8, 5, 10, 1);
	struct fair_dependency d;
	struct fair_why why;
	struct world w;

	busy_with(&w, FAIR_PC, 3);
	TEST_OK(fair_sched_submit_dependent(&w.s, 5, &j, &one, &list));
	TEST_CHECK(fair_sched_dependency(&w.s, 8, 0, &d));
	TEST_CHECK(d.after == 1 && d.end == FAIR_AFTER_OK);
	TEST_CHECK(fair_sched_dependency(&w.s, 8, 1, &d));
	TEST_CHECK(d.after == 2 && d.end == FAIR_AFTER_ANY);
	TEST_CHECK(!fair_sched_dependency(&w.s, 8, 2, &d));
	TEST_EQ(step(&w, 5), 0);
	TEST_OK(fair_sched_why(&w.s, 8, NULL, 0, &why));
	TEST_EQ(why.dependencies, 2);
	TEST_EQ(why.ineligible.after, 1);
	TEST_EQ(why.ineligible.end, FAIR_AFTER_OK);
	close_world(&w);
}

static const uint32_t kinds[] = { FAIR_AFTER_OK, FAIR_AFTER_ANY,
				  FAIR_AFTER_NOT_OK, FAIR_AFTER_START };

/* How the end of a job satisfies each kind: finish, exit 1, cancel, victim. */
TEST(exit_status)
{
	static const uint32_t free_after[4][4] = {
		{ 1, 0, 0, 0 },
		{ 1, 1, 1, 1 },
		{ 0, 1, 1, 1 },
		{ 1, 1, 1, 1 },
	};
	const uint64_t victim = 1;
	struct world w;
	uint32_t k, end;
	int how;

	for (k = 0; k < 4; k++)
		for (how = 0; how < 4; how++) {
			struct fair_dependency on = { 1, kinds[k], 0 };

			end = kinds[k];
			busy_with(&w, FAIR_BACKFILL, 1);
			TEST_OK(put_behind(&w, 5, 8, &on, 1, false));
			TEST_EQ(submit_if(&w, 5, 9, until(0, 1, end, false)), 0);
			TEST_EQ(is_ineligible(&w, 8), end != FAIR_AFTER_START);
			TEST_EQ(is_ineligible(&w, 9), end != FAIR_AFTER_START);
			if (how < 2)
				TEST_OK(fair_sched_exit(&w.s, 10, 1, how));
			else if (how == 2)
				TEST_OK(fair_sched_cancel(&w.s, 10, 1));
			else
				TEST_OK(fair_sched_capacity(&w.s, 10, -1,
							    &victim, 1));
			TEST_EQ(is_ineligible(&w, 8), !free_after[k][how]);
			TEST_EQ(is_ineligible(&w, 9), !free_after[k][how]);
			TEST_EQ(waits(&w, 8), free_after[k][how]
						      ? 0
						      : FAIR_WAITS_FOR_EVER);
			close_world(&w);
		}
}

/* AND: after both; OR: after the first. In either order, 8 and 9. */
TEST(lists)
{
	const struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					       { 2, FAIR_AFTER_ANY, 0 } };
	struct fair_dependency d;
	struct world w;
	uint64_t first;

	for (first = 1; first <= 2; first++) {
		busy_with(&w, FAIR_CONSERVATIVE, 2);
		TEST_OK(put_behind(&w, 5, 8, on, 2, false));
		TEST_OK(put_behind(&w, 5, 9, on, 2, true));
		TEST_EQ(waits(&w, 8), FAIR_WAITS_DEPENDENCY);
		TEST_CHECK(fair_sched_dependency(&w.s, 8, 1, &d));
		TEST_CHECK(d.after == 2 && d.end == FAIR_AFTER_ANY);
		TEST_CHECK(!fair_sched_dependency(&w.s, 8, 2, &d));
		TEST_CHECK(!fair_sched_dependency(&w.s, 1, 0, &d));
		TEST_CHECK(!fair_sched_dependency(&w.s, 77, 0, &d));
		TEST_OK(fair_sched_finish(&w.s, 10, first));
		TEST_CHECK(is_ineligible(&w, 8) && !is_ineligible(&w, 9));
		TEST_CHECK(fair_sched_dependency(&w.s, 8, 0, &d));
		TEST_EQ(d.after, 3 - first);
		TEST_CHECK(!fair_sched_dependency(&w.s, 8, 1, &d));
		TEST_OK(fair_sched_finish(&w.s, 11, 3 - first));
		TEST_CHECK(!is_ineligible(&w, 8));
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

/* OR waits for ever once all have failed, AND once one has. */
TEST(lists_that_fail)
{
	const struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					       { 2, FAIR_AFTER_OK, 0 } };
	struct fair_dependency d;
	struct fair_why why;
	struct world w;

	busy_with(&w, FAIR_PC, 3);
	TEST_OK(put_behind(&w, 5, 8, on, 2, false));
	TEST_OK(put_behind(&w, 5, 9, on, 2, true));
	TEST_OK(fair_sched_exit(&w.s, 10, 1, 7));
	TEST_EQ(waits(&w, 8), FAIR_WAITS_FOR_EVER);
	TEST_EQ(waits(&w, 9), FAIR_WAITS_DEPENDENCY);
	/* 8 has failed with 1, 9 waits for 2. */
	(void)step(&w, 10);
	TEST_OK(fair_sched_why(&w.s, 8, NULL, 0, &why));
	TEST_EQ(why.ineligible.after, 1);
	TEST_EQ(why.ineligible.end, FAIR_AFTER_NEVER_SATISFIED);
	TEST_OK(fair_sched_why(&w.s, 9, NULL, 0, &why));
	TEST_EQ(why.dependencies, 2);
	TEST_EQ(why.ineligible.after, 2);
	TEST_EQ(why.ineligible.end, FAIR_AFTER_OK);
	TEST_OK(fair_sched_cancel(&w.s, 11, 2));
	TEST_EQ(waits(&w, 8), FAIR_WAITS_FOR_EVER);
	TEST_EQ(waits(&w, 9), FAIR_WAITS_FOR_EVER);
	TEST_CHECK(fair_sched_dependency(&w.s, 9, 1, &d));
	TEST_CHECK(d.after == 2 && d.end == FAIR_AFTER_NEVER_SATISFIED);
	TEST_OK(fair_sched_defer(&w.s, 12, 9, NULL));
	TEST_EQ(waits(&w, 9), 0);
	close_world(&w);
}

/* Jobs that have ended, named with how; others are unknown. */
TEST(ended_jobs)
{
	static const bool is_free[2][4] = { { true, true, false, true },
					    { false, true, true, true } };
	struct world w;
	uint32_t i, k;

	busy_with(&w, FAIR_DC, 1);
	for (i = 0; i < 2; i++)
		for (k = 0; k < 4; k++) {
			struct fair_dependency on = { 40, kinds[k], 0 };

			TEST_EQ(put_behind(&w, 5, 8, &on, 1, false),
				-FAIR_ENOENT);
			on.ended = i ? FAIR_AFTER_NOT_OK : FAIR_AFTER_OK;
			TEST_OK(put_behind(&w, 5, 8, &on, 1, false));
			TEST_EQ(is_ineligible(&w, 8), !is_free[i][k]);
			TEST_OK(fair_sched_cancel(&w.s, 5, 8));
			TEST_OK(put_behind(&w, 5, 8, &on, 1, true));
			TEST_EQ(is_ineligible(&w, 8), !is_free[i][k]);
			TEST_OK(fair_sched_cancel(&w.s, 5, 8));
		}
	close_world(&w);
}

/* A kind that does not exist. */
TEST(no_such_kind)
{
	struct fair_dependency on = { 1, FAIR_AFTER_START + 1, 0 };
	struct world w;

	busy_with(&w, FAIR_BACKFILL, 1);
	TEST_EQ(put_behind(&w, 5, 8, &on, 1, false), -FAIR_EINVAL);
	on.end = FAIR_AFTER_START;
	TEST_OK(put_behind(&w, 5, 8, &on, 1, false));
	close_world(&w);
}

/* 8 and 9 become eligible in the very step that starts 3, and start in it. */
TEST(after_a_start)
{
	const struct fair_dependency on = { 3, FAIR_AFTER_START, 0 };
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_with(&w, policy, 1);
		TEST_OK(put_behind(&w, 5, 8, &on, 1, false));
		TEST_OK(fair_sched_finish(&w.s, 10, 1));
		TEST_OK(fair_sched_finish(&w.s, 10, 2));
		TEST_CHECK(is_ineligible(&w, 8));
		TEST_EQ(step(&w, 10), 38);
		close_world(&w);
		busy_with(&w, policy, 1);
		TEST_OK(submit_if(&w, 5, 9,
				  until(5, 3, FAIR_AFTER_START, false)));
		TEST_OK(fair_sched_finish(&w.s, 10, 1));
		TEST_EQ(step(&w, 10), 0);
		TEST_OK(fair_sched_finish(&w.s, 20, 2));
		TEST_EQ(step(&w, 20), 39);
		close_world(&w);
	}
}

/* 9 waits for 8, 8 for 2 and 7; the jobs of each cycle are named. */
TEST(jobs_of_a_cycle)
{
	struct fair_dependency on[3] = { { 2, FAIR_AFTER_OK, 0 },
					 { 7, FAIR_AFTER_OK, 0 },
					 { 8, FAIR_AFTER_OK, 0 } };
	struct fair_dependencies list = { on, 1, false };
	const struct fair_eligibility last = until(0, 9, FAIR_AFTER_ANY, false);
	uint64_t number[3] = { 0, 0, 0 };
	struct fair_cycle cycle = { number, 2, 0 };
	struct world w;

	busy_with(&w, FAIR_FCFS, 3);
	TEST_OK(submit_if(&w, 5, 7, until(0, 0, 0, true)));
	TEST_OK(put_behind(&w, 5, 8, on, 2, false));
	TEST_OK(put_behind(&w, 5, 9, on + 2, 1, true));
	TEST_EQ(fair_sched_depend(&w.s, 5, 7, &last, NULL, &cycle),
		-FAIR_EINVAL);
	TEST_EQ(cycle.jobs, 3);
	TEST_CHECK(number[0] == 7 && number[1] == 9 && !number[2]);
	cycle.room = 3;
	on[0].after = 9;
	TEST_EQ(fair_sched_depend(&w.s, 5, 7, NULL, &list, &cycle),
		-FAIR_EINVAL);
	TEST_CHECK(number[0] == 7 && number[1] == 9 && number[2] == 8);
	TEST_EQ(fair_sched_depend(&w.s, 5, 7, NULL, &list, NULL), -FAIR_EINVAL);
	on[0].after = 7;
	TEST_EQ(fair_sched_depend(&w.s, 5, 7, NULL, &list, &cycle),
		-FAIR_EINVAL);
	TEST_CHECK(cycle.jobs == 1 && number[0] == 7);
	on[0].after = 2;
	TEST_OK(fair_sched_depend(&w.s, 5, 7, NULL, &list, &cycle));
	TEST_EQ(cycle.jobs, 1);
	on[0].after = 9;
	on[0].ended = FAIR_AFTER_NOT_OK; /* an older job of that number */
	TEST_OK(fair_sched_depend(&w.s, 5, 7, NULL, &list, NULL));
	TEST_EQ(waits(&w, 7), FAIR_WAITS_FOR_EVER);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* 5 waits for 6 and 7, 6 for 3; 7 waits for none, and the search goes back. */
TEST(a_cycle_beside_a_dead_end)
{
	const struct fair_dependency on[3] = { { 6, FAIR_AFTER_OK, 0 },
					       { 7, FAIR_AFTER_OK, 0 },
					       { 3, FAIR_AFTER_OK, 0 } };
	const struct fair_eligibility last = until(0, 5, FAIR_AFTER_OK, false);
	struct world w;

	busy_with(&w, FAIR_FCFS, 2);
	TEST_OK(submit_if(&w, 5, 7, until(0, 0, 0, true)));
	TEST_OK(put_behind(&w, 5, 6, on + 2, 1, false));
	TEST_OK(put_behind(&w, 5, 5, on, 2, false));
	TEST_EQ(fair_sched_defer(&w.s, 5, 3, &last), -FAIR_EINVAL);
	close_world(&w);
}

/* What no list may say; a queued job waits from now on. */
TEST(faults_of_lists)
{
	struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					 { 2, FAIR_AFTER_OK, 0 } };
	struct fair_dependencies list = { on, 2, false };
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 1);
	TEST_EQ(put_behind(&w, 5, 8, on, 2, false), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL), -FAIR_ENOSPC);
	list.count = 1;
	on[0].end = FAIR_AFTER_NOTHING;
	TEST_EQ(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL), -FAIR_EINVAL);
	on[0].end = FAIR_AFTER_NEVER_SATISFIED;
	TEST_EQ(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL), -FAIR_EINVAL);
	on[0].end = FAIR_AFTER_OK;
	on[0].ended = FAIR_AFTER_ANY;
	TEST_EQ(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL), -FAIR_EINVAL);
	on[0].ended = 0;
	TEST_EQ(fair_sched_depend(&w.s, 5, 1, NULL, &list, NULL), -FAIR_EINVAL);
	TEST_OK(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL));
	TEST_CHECK(is_ineligible(&w, 3));
	list.count = 0;
	list.any = true;
	TEST_OK(fair_sched_depend(&w.s, 6, 3, NULL, &list, NULL));
	TEST_CHECK(!is_ineligible(&w, 3));
	close_world(&w);
}

/* The tasks of an array that is divided wait as the array did. */
TEST(lists_of_single_tasks)
{
	const struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					       { 2, FAIR_AFTER_OK, 0 } };
	struct fair_dependencies list = { on, 2, false };
	struct fair_job j = a_job(20, 5, 10, 1);
	struct fair_dependency d;
	struct world w;
	uint64_t n;

	for (list.any = false;; list.any = true) {
		busy_with(&w, FAIR_CONSERVATIVE, 3);
		j.tasks = 3;
		TEST_OK(fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list));
		TEST_OK(fair_sched_exit(&w.s, 10, 1, list.any));
		TEST_OK(fair_sched_split_task(&w.s, 10, 21));
		for (n = 20; n <= 22; n++) {
			TEST_CHECK(is_ineligible(&w, n));
			TEST_CHECK(fair_sched_dependency(&w.s, n, list.any,
							 &d));
			TEST_EQ(d.after, 2);
		}
		TEST_OK(fair_sched_exit(&w.s, 11, 2, 0));
		TEST_EQ(fair_sched_count(&w.s, FAIR_INELIGIBLE), 0);
		close_world(&w);
		if (list.any)
			break;
	}
}

/* Any task of an array that waits can be waited for, not the next one alone. */
TEST(a_task_that_is_not_the_next)
{
	const struct fair_dependency on[2] = { { 22, FAIR_AFTER_OK, 0 },
					       { 23, FAIR_AFTER_OK, 0 } };
	struct fair_job j = a_job(20, 5, 10, 1);
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 1);
	j.tasks = 3;
	TEST_OK(fair_sched_submit(&w.s, 5, &j));
	TEST_EQ(put_behind(&w, 5, 30, on + 1, 1, false), -FAIR_ENOENT);
	TEST_OK(put_behind(&w, 5, 30, on, 1, false));
	TEST_CHECK(is_ineligible(&w, 30));
	close_world(&w);
}

/* A checkpoint, a clone and a conversion keep what is left of a list. */
TEST(lists_are_kept)
{
	const struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					       { 2, FAIR_AFTER_OK, 0 } };
	struct fair_sched s[3];
	struct fair_config c;
	unsigned char *checkpoint;
	char *memory[3];
	struct world w;
	size_t bytes, checkpoint_bytes;
	int damage, i;

	busy_with(&w, FAIR_CONSERVATIVE, 2);
	TEST_OK(put_behind(&w, 5, 8, on, 2, false));
	TEST_OK(put_behind(&w, 5, 9, on, 2, true));
	TEST_OK(fair_sched_exit(&w.s, 10, 1, 0));
	TEST_OK(put_behind(&w, 10, 7, on + 1, 1, true));
	c = w.config;
	bytes = fair_sched_size(&c);
	checkpoint_bytes = fair_sched_checkpoint_size(&w.s);
	checkpoint = (unsigned char *)malloc(checkpoint_bytes);
	for (i = 0; i < 3; i++)
		memory[i] = (char *)malloc(bytes);
	TEST_OK(fair_sched_save(&w.s, checkpoint, checkpoint_bytes));
	TEST_OK(fair_sched_clone(&s[0], memory[0], bytes, &w.s));
	c.dependencies = 1;
	TEST_OK(fair_sched_load(&s[1], sizeof(s[1]), memory[1], bytes, &c,
				checkpoint, checkpoint_bytes, &damage));
	TEST_OK(fair_sched_convert(&s[2], sizeof(s[2]), memory[2], bytes, &c,
				   &w.s));
	for (i = 0; i < 3; i++) {
		struct fair_dependency d;

		TEST_CHECK(fair_sched_dependency(&s[i], 8, 0, &d));
		TEST_EQ(d.after, 2);
		TEST_CHECK(!fair_sched_dependency(&s[i], 8, 1, &d));
		TEST_CHECK(fair_sched_dependency(&s[i], 7, 0, &d));
		TEST_OK(fair_sched_exit(&s[i], 11, 2, 0));
		TEST_EQ(fair_sched_count(&s[i], FAIR_INELIGIBLE), 0);
		TEST_EQ(fair_sched_check(&s[i]), 0);
	}
	c.dependencies = 0;
	TEST_EQ(fair_sched_load(&s[1], sizeof(s[1]), memory[1], bytes, &c,
				checkpoint, checkpoint_bytes, &damage),
		-FAIR_ENOSPC);
	TEST_EQ(fair_sched_convert(&s[2], sizeof(s[2]), memory[2], bytes, &c,
				   &w.s),
		-FAIR_ENOSPC);
	for (i = 0; i < 3; i++)
		free(memory[i]);
	free(checkpoint);
	close_world(&w);
}

/* Of no dependencies, one is not needed. */
TEST(an_empty_list)
{
	struct fair_dependencies list = { NULL, 0, true };
	struct fair_job j = a_job(5, 0, 10, 1);
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 2);
	TEST_OK(fair_sched_submit_dependent(&w.s, 0, &j, NULL, &list));
	TEST_EQ(look(&w, 5).state, FAIR_QUEUED);
	close_world(&w);
}

/* A live job of the next number is another job; so is the first one, 0, to a
 * list of which nothing is left. */
TEST(jobs_of_other_numbers)
{
	const struct fair_dependency on = { 5, FAIR_AFTER_OK, 0 };
	const struct fair_dependencies list = { &on, 1, false };
	struct fair_eligibility first = until(0, 9, FAIR_AFTER_OK, false);
	struct fair_cycle cycle = { NULL, 0, 77 };
	struct fair_job j = a_job(4, 5, 10, 8);
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 2);
	submit(&w, 5, 6, 10, 8);
	TEST_EQ(submit_if(&w, 5, 8, until(0, 5, FAIR_AFTER_OK, false)),
		-FAIR_ENOENT);
	j.tasks = 2;
	TEST_OK(fair_sched_submit(&w.s, 5, &j));
	TEST_OK(fair_sched_depend(&w.s, 5, 6, NULL, &list, &cycle));
	TEST_EQ(cycle.jobs, 77);
	TEST_OK(submit_if(&w, 5, 9, until(0, 0, 0, true)));
	submit(&w, 5, 0, 10, 8);
	TEST_OK(fair_sched_defer(&w.s, 5, 0, &first));
	close_world(&w);
}

/* What has ended is told by the end that is left. */
TEST(what_is_left_of_a_job_that_ended)
{
	const struct fair_dependency on = { 5, FAIR_AFTER_NOT_OK,
					    FAIR_AFTER_OK };
	struct fair_dependency d;
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 1);
	TEST_OK(put_behind(&w, 5, 8, &on, 1, false));
	TEST_CHECK(fair_sched_dependency(&w.s, 8, 0, &d));
	TEST_EQ(d.end, FAIR_AFTER_NEVER_SATISFIED);
	TEST_EQ(d.ended, 0);
	close_world(&w);
}

/* Behind the last list there are the planner and the ledgers. */
TEST(a_list_of_the_last_job_is_converted)
{
	const struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					       { 2, FAIR_AFTER_OK, 0 } };
	struct fair_config c;
	struct fair_sched s;
	struct world w;
	size_t bytes;
	void *memory;

	busy_with(&w, FAIR_CONSERVATIVE, 2);
	TEST_OK(put_behind(&w, 5, 4, on, 2, false));
	c = w.config;
	c.jobs = 4;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_OK(fair_sched_convert(&s, sizeof(s), memory, bytes, &c, &w.s));
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_OK(fair_sched_exit(&s, 50, 1, 0));
	TEST_OK(fair_sched_exit(&s, 60, 2, 0));
	TEST_EQ(fair_sched_count(&s, FAIR_INELIGIBLE), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	free(memory);
	close_world(&w);
}

/* The start of job 5 is not that of job 6. */
TEST(the_start_of_another_job)
{
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 1);
	submit(&w, 5, 5, 10, 4);
	submit(&w, 5, 6, 10, 4);
	TEST_OK(submit_if(&w, 5, 8, until(0, 6, FAIR_AFTER_START, false)));
	TEST_EQ(step(&w, 5), 5);
	TEST_CHECK(is_ineligible(&w, 8));
	close_world(&w);
}
