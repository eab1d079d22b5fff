/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The errors of lists of dependencies, exit statuses and suspensions.
 */
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"
#include "tests/faults.h"

/* Each error of a call that takes a list, and of an exit. */
TEST(documented_faults)
{
	struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					 { 77, FAIR_AFTER_OK, 0 } };
	struct fair_dependencies list = { on, 2, false };
	struct fair_job j = a_job(20, 5, 10, 1);
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 2);
	FAILS(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL),
	      ENOENT, "waits for none");
	FAILS(fair_sched_depend(&w.s, -1, 3, NULL, &list, NULL),
	      ETIME, "the clock goes back");
	FAILS(fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list),
	      ENOENT, "waits for none");
	FAILS(fair_sched_submit_dependent(&w.s, -1, &j, NULL, &list),
	      ETIME, "the clock goes back");
	on[1].after = 2;
	list.count = 3;
	FAILS(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL),
	      ENOSPC, "config.dependencies");
	FAILS(fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list),
	      ENOSPC, "config.dependencies");
	list.count = 2;
	FAILS(fair_sched_depend(&w.s, 5, 1, NULL, &list, NULL), EINVAL, "runs");
	FAILS(fair_sched_submit_dependent(&w.s, 5, NULL, NULL, &list),
	      EINVAL, "no job");
	j.procs = PROCS + 1;
	FAILS(fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list),
	      ERANGE, "wider than the machine");
	j.procs = 1;
	j.walltime = INT64_MAX;
	FAILS(fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list),
	      EOVERFLOW, "too long");
	j.walltime = 10;
	for (j.number = 5; j.number < 8; j.number++)
		TEST_OK(submit_if(&w, 5, j.number, until(0, 0, 0, true)));
	FAILS(fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list),
	      ENOSPC, "config.ineligible");
	FAILS(fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL),
	      ENOSPC, "config.ineligible");
	FAILS(fair_sched_exit(&w.s, 5, 77, 0), ENOENT, "not live");
	FAILS(fair_sched_exit(&w.s, 5, 3, 0), EINVAL, "waits");
	FAILS(fair_sched_exit(&w.s, -1, 1, 0), ETIME, "the clock goes back");
	close_world(&w);
}

TEST(faults_of_suspensions)
{
	struct world w;

	busy(&w, FAIR_BACKFILL);
	FAILS(fair_sched_suspend(&w.s, 10, 77), ENOENT, "not live");
	FAILS(fair_sched_suspend(&w.s, 10, 3), EINVAL, "waits");
	FAILS(fair_sched_suspend(&w.s, -1, 1), ETIME, "the clock goes back");
	FAILS(fair_sched_resume_job(&w.s, 10, 77), ENOENT, "not live");
	FAILS(fair_sched_resume_job(&w.s, 10, 1), EINVAL, "runs");
	FAILS(fair_sched_resume_job(&w.s, -1, 3), ETIME, "the clock goes back");
	TEST_EQ(fair_sched_resume_job(&w.s, 10, 3), -FAIR_EINVAL);
	TEST_OK(submit_if(&w, 10, 5, until(0, 0, 0, true)));
	TEST_EQ(fair_sched_resume_job(&w.s, 10, 5), -FAIR_EINVAL);
	TEST_OK(submit_if(&w, 10, 6, until(0, 0, 0, true)));
	TEST_OK(submit_if(&w, 10, 7, until(0, 0, 0, true)));
	FAILS(fair_sched_suspend(&w.s, 10, 1), ENOSPC, "config.ineligible");
	close_world(&w);
}
