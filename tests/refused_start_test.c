/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job whose start the caller refuses goes behind what is planned already,
 * not before the next second, and keeps the cause; policies that plan afresh
 * pass it over for this second.
 */
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

/* Jobs 1 and 2 run until 50 and 60, jobs 3 (wide) and 4 wait. */
static void busy(struct world *w, uint32_t policy)
{
	open_world(w, policy, FAIR_ORDER_FCFS, 1);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 60, 4);
	submit(w, 0, 3, 30, 8);
	submit(w, 0, 4, 40, 8);
	TEST_EQ(step(w, 0), 12);
	w->asked = w->tells;
}

static int64_t fits_from[10]; /* by number */
static int asked;

static bool fits(void *context, const struct fair_job *job, int64_t start,
		 int64_t end)
{
	TEST_EQ(start, ((struct world *)context)->s.now);
	TEST_EQ(end, start + job->walltime);
	asked++;
	return start >= fits_from[job->number];
}

/* Job 1 does not fit before 3, job 2 is as wide, job 3 goes beside either. */
static void refusing(struct world *w, uint32_t policy, uint32_t depth)
{
	struct fair_config config = { .policy = policy,
				      .depth = depth,
				      .fits = fits };

	memset(fits_from, 0, sizeof(fits_from));
	fits_from[1] = 3;
	asked = 0;
	open_world_of(w, &config);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 40, 6);
	submit(w, 0, 3, 30, 4);
	w->asked = w->tells;
}

TEST(passed_over)
{
	uint64_t empty;
	struct world w;

	refusing(&w, FAIR_FCFS, 0); /* no job passes */
	empty = fair_sched_digest(&w.s);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(asked, 1); /* once a second */
	TEST_CHECK(fair_sched_digest(&w.s) == empty);
	TEST_EQ(fair_sched_next(&w.s), 1);
	TEST_EQ(step(&w, 1), 0);
	TEST_EQ(step(&w, 3), 1);
	close_world(&w);
	refusing(&w, FAIR_BACKFILL, 1); /* its reservation begins at 1 */
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(step(&w, 2), 0);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(asked, 4);
	close_world(&w);
	refusing(&w, FAIR_BACKFILL, 2);
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(step(&w, 3), 1);
	close_world(&w);
}

TEST(refused_promises)
{
	struct world w;
	int64_t start;

	refusing(&w, FAIR_CONSERVATIVE, 0);
	/* 1 goes behind 2; the reaction moves 2 to 0, then 1 forward. */
	TEST_EQ(step(&w, 0), 23);
	told(&w, 1, 0, 0, 90, FAIR_CAUSE_REFUSED, 1);
	told(&w, 2, 0, 50, 0, FAIR_CAUSE_EARLIER, 2);
	told(&w, 1, 0, 90, 40, FAIR_CAUSE_EARLIER, 1);
	TEST_EQ(look(&w, 2).start, 0);
	TEST_EQ(fair_sched_estimate(&w.s, 1, NULL, 0, &start), 0);
	TEST_EQ(start, 40);
	TEST_EQ(look(&w, 1).cause, FAIR_CAUSE_REFUSED);
	TEST_EQ(fair_sched_finish(&w.s, 1, 2), 0);
	told(&w, 1, 1, 40, 1, FAIR_CAUSE_EARLIER, 1);
	TEST_EQ(step(&w, 1), 0);
	told(&w, 1, 1, 1, 2, FAIR_CAUSE_REFUSED, 1);
	TEST_EQ(fair_sched_next(&w.s), 2);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

/* A start is refused at its second, and explained at the next step. */
TEST(refused_in_time)
{
	struct fair_why why;
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 2), 0);
	TEST_EQ(fair_sched_why(&w.s, 3, NULL, 0, &why), -FAIR_EINVAL);
	TEST_EQ(fair_sched_pass_time(&w.s, 5), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_refuse(&w.s, 5, 1), -FAIR_EINVAL);
	close_world(&w);
}

/* What is asked of the plan takes it that the caller can start. */
TEST(estimates_fit)
{
	struct fair_why why;
	struct world w;
	char text[512];
	int64_t start;
	char *memory;
	size_t bytes;

	refusing(&w, FAIR_BACKFILL, 1);
	fits_from[1] = FAIR_FOREVER;
	TEST_EQ(step(&w, 0), 3);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	asked = 0;
	TEST_EQ(fair_sched_estimate(&w.s, 1, memory, bytes, &start), 0);
	TEST_EQ(start, 1);
	TEST_EQ(fair_sched_why(&w.s, 1, memory, bytes, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_REFUSED);
	TEST_EQ(why.until, 1);
	(void)fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "refused at this second"));
	TEST_EQ(asked, 0);
	free(memory);
	close_world(&w);
}
