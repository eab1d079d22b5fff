/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The errors of lists of dependencies, exit statuses and suspensions.
 */
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"
#include "tests/faults.h"

#define FAILS(what, call) TEST_CHECK(is_fault(what, #call, call))

/* Each error of a call that takes a list, and of an exit. */
TEST(documented_faults)
{
	struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					 { 77, FAIR_AFTER_OK, 0 } };
	struct fair_dependencies list = { on, 2, false };
	struct fair_job j = a_job(20, 5, 10, 1);
	struct world w;

	busy_with(&w, FAIR_CONSERVATIVE, 2);
	FAILS("fair_sched_depend: -FAIR_ENOENT waits for none",
	      fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL));
	FAILS("fair_sched_depend: -FAIR_ETIME the clock goes back",
	      fair_sched_depend(&w.s, -1, 3, NULL, &list, NULL));
	FAILS("fair_sched_submit_dependent: -FAIR_ENOENT waits for none",
	      fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list));
	FAILS("fair_sched_submit_dependent: -FAIR_ETIME the clock goes back",
	      fair_sched_submit_dependent(&w.s, -1, &j, NULL, &list));
	on[1].after = 2;
	list.count = 3;
	FAILS("fair_sched_depend: -FAIR_ENOSPC config.dependencies",
	      fair_sched_depend(&w.s, 5, 3, NULL, &list, NULL));
	FAILS("fair_sched_submit_dependent: -FAIR_ENOSPC config.dependencies",
	      fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list));
	list.count = 2;
	FAILS("fair_sched_depend: -FAIR_EINVAL runs",
	      fair_sched_depend(&w.s, 5, 1, NULL, &list, NULL));
	FAILS("fair_sched_submit_dependent: -FAIR_EINVAL no job",
	      fair_sched_submit_dependent(&w.s, 5, NULL, NULL, &list));
	j.procs = PROCS + 1;
	FAILS("fair_sched_submit_dependent: -FAIR_ERANGE wider than the machine",
	      fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list));
	j.procs = 1;
	j.walltime = INT64_MAX;
	FAILS("fair_sched_submit_dependent: -FAIR_EOVERFLOW too long",
	      fair_sched_submit_dependent(&w.s, 5, &j, NULL, &list));
	FAILS("fair_sched_exit: -FAIR_ENOENT not live",
	      fair_sched_exit(&w.s, 5, 77, 0));
	FAILS("fair_sched_exit: -FAIR_EINVAL waits",
	      fair_sched_exit(&w.s, 5, 3, 0));
	FAILS("fair_sched_exit: -FAIR_ETIME the clock goes back",
	      fair_sched_exit(&w.s, -1, 1, 0));
	close_world(&w);
}

TEST(faults_of_suspensions)
{
	struct world w;

	busy(&w, FAIR_BACKFILL);
	FAILS("fair_sched_suspend: -FAIR_ENOENT not live",
	      fair_sched_suspend(&w.s, 10, 77));
	FAILS("fair_sched_suspend: -FAIR_EINVAL waits",
	      fair_sched_suspend(&w.s, 10, 3));
	FAILS("fair_sched_suspend: -FAIR_ETIME the clock goes back",
	      fair_sched_suspend(&w.s, -1, 1));
	FAILS("fair_sched_resume_job: -FAIR_ENOENT not live",
	      fair_sched_resume_job(&w.s, 10, 77));
	FAILS("fair_sched_resume_job: -FAIR_EINVAL runs",
	      fair_sched_resume_job(&w.s, 10, 1));
	FAILS("fair_sched_resume_job: -FAIR_ETIME the clock goes back",
	      fair_sched_resume_job(&w.s, -1, 3));
	TEST_EQ(fair_sched_resume_job(&w.s, 10, 3), -FAIR_EINVAL);
	TEST_OK(put_aside(&w, 10, 5, until(0, 0, 0, true)));
	TEST_EQ(fair_sched_resume_job(&w.s, 10, 5), -FAIR_EINVAL);
	TEST_OK(put_aside(&w, 10, 6, until(0, 0, 0, true)));
	TEST_OK(put_aside(&w, 10, 7, until(0, 0, 0, true)));
	FAILS("fair_sched_suspend: -FAIR_ENOSPC config.ineligible",
	      fair_sched_suspend(&w.s, 10, 1));
	close_world(&w);
}
