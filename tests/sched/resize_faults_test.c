/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A running job shrinks, and what it returns is free; it grows if nothing else
 * holds that until its planned end. Usage is charged exactly.
 */
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"
#include "tests/faults.h"

static int resize(struct world *w, int64_t now, uint64_t number, int32_t procs)
{
	struct fair_job j = look(w, number).job;

	j.procs = procs;
	return fair_sched_resize(&w->s, now, number, &j);
}

/* 3 needs 8 processors, beside 1: it starts when 2 is gone and 1 is small. */
TEST(another_job_starts)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy(&w, policy);
		TEST_OK(fair_sched_finish(&w.s, 10, 2));
		TEST_EQ(step(&w, 10), 0);
		TEST_OK(resize(&w, 10, 1, 2));
		TEST_EQ(look(&w, 1).job.procs, 2);
		TEST_EQ(look(&w, 1).ran, 10);
		TEST_EQ(look(&w, 1).start, 10);
		TEST_EQ(look(&w, 1).end, 50);
		TEST_EQ(look(&w, 1).job.walltime, 40);
		TEST_EQ(step(&w, 10), 3);
		TEST_EQ(resize(&w, 20, 1, 3), -FAIR_ERANGE);
		TEST_OK(fair_sched_finish(&w.s, 30, 3));
		if (policy >= FAIR_CONSERVATIVE) /* 4 has a promise */
			TEST_EQ(resize(&w, 30, 1, PROCS), -FAIR_ERANGE);
		TEST_OK(fair_sched_cancel(&w.s, 30, 4));
		TEST_OK(resize(&w, 30, 1, PROCS));
		TEST_EQ(look(&w, 1).ran, 30);
		TEST_OK(resize(&w, 30, 1, PROCS));
		TEST_EQ(look(&w, 1).end, 50);
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

/* At 10 four processors are free, from 60 on none: 3 has them by promise. */
TEST(no_promise_is_broken)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 100, 3);
	submit(&w, 0, 2, 60, 3);
	TEST_EQ(step(&w, 0), 12);
	submit(&w, 10, 3, 30, PROCS - 3);
	TEST_EQ(look(&w, 3).start, 60);
	TEST_EQ(resize(&w, 10, 1, 4), -FAIR_ERANGE);
	TEST_OK(resize(&w, 10, 2, PROCS - 3));
	TEST_EQ(look(&w, 3).start, 60);
	TEST_EQ(w.s.busy, PROCS);
	close_world(&w);
	/* A plan that is made afresh promises nothing. */
	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 100, 3);
	submit(&w, 0, 2, 60, 3);
	TEST_EQ(step(&w, 0), 12);
	submit(&w, 10, 3, 30, PROCS - 3);
	TEST_EQ(step(&w, 10), 0);
	TEST_OK(resize(&w, 10, 1, 4));
	TEST_EQ(step(&w, 60), 0);
	close_world(&w);
}

static int reserve(struct world *w, uint64_t number, int64_t from, int64_t to,
		   int32_t procs, uint32_t kind)
{
	struct fair_advance b = { number, from, to, procs, kind, 0, 0, { 0 }, 0, 0 };

	return fair_sched_advance_reserve(&w->s, w->s.now, &b, false);
}

static void submit_bound(struct world *w, uint64_t number, int64_t walltime,
			 int32_t procs)
{
	struct fair_job j = a_job(number, w->s.now, walltime, procs);

	j.advance = 7;
	TEST_OK(fair_sched_submit(&w->s, w->s.now, &j));
}

/* A maintenance window bounds the growth; a reservation job has its own. */
TEST(advance_reservations)
{
	struct fair_config c = { .advances = 2 };
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		c.policy = policy;
		open_world_of(&w, &c);
		submit(&w, 0, 1, 50, 2);
		TEST_EQ(step(&w, 0), 1);
		TEST_OK(reserve(&w, 6, 40, 60, PROCS - 3,
				FAIR_ADVANCE_MAINTENANCE));
		TEST_OK(resize(&w, 5, 1, 3));
		TEST_EQ(resize(&w, 5, 1, 4), -FAIR_ERANGE);
		TEST_OK(reserve(&w, 6, 50, 60, PROCS,
				FAIR_ADVANCE_MAINTENANCE));
		TEST_OK(resize(&w, 5, 1, 4));
		TEST_OK(fair_sched_advance_cancel(&w.s, 5, 6));
		TEST_OK(fair_sched_finish(&w.s, 6, 1));
		TEST_OK(reserve(&w, 7, 6, 100, 6, FAIR_ADVANCE_USER));
		submit_bound(&w, 2, 50, 2);
		TEST_EQ(step(&w, 6), 2);
		TEST_EQ(resize(&w, 7, 2, 7), -FAIR_ERANGE);
		submit_bound(&w, 3, 10, 3); /* planned at once */
		TEST_EQ(resize(&w, 7, 2, 4), -FAIR_ERANGE);
		TEST_OK(resize(&w, 7, 2, 3));
		TEST_EQ(step(&w, 7), 3);
		submit(&w, 7, 4, 10, PROCS - 6);
		TEST_EQ(step(&w, 7), 4); /* all else is free as before */
		TEST_OK(fair_sched_finish(&w.s, 8, 3));
		TEST_OK(fair_sched_finish(&w.s, 8, 4));
		TEST_OK(fair_sched_modify(&w.s, 8, 2, 3, 93));
		TEST_EQ(look(&w, 2).end, 100);
		TEST_OK(resize(&w, 8, 2, 4)); /* up to its end */
		TEST_OK(resize(&w, 8, 2, 3));
		TEST_OK(fair_sched_modify(&w.s, 8, 2, 3, 120));
		TEST_EQ(resize(&w, 8, 2, 4), -FAIR_ERANGE); /* beyond 100 */
		TEST_OK(resize(&w, 8, 2, 2));
		TEST_OK(fair_sched_advance_cancel(&w.s, 8, 7));
		TEST_OK(resize(&w, 8, 2, 4)); /* as any other */
		TEST_OK(reserve(&w, 7, 20, 200, 5, FAIR_ADVANCE_USER));
		TEST_EQ(resize(&w, 9, 2, 5), -FAIR_ERANGE); /* not yet */
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

/* Job 1 overruns, and has 5 of the 8 that are reserved from 10 on. */
TEST(an_advance_reservation_that_lacks)
{
	struct fair_config c = { .policy = FAIR_BACKFILL, .advances = 1 };
	struct world w;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, 5);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(reserve(&w, 7, 10, 100, 8, FAIR_ADVANCE_USER));
	TEST_EQ(step(&w, 10), 0);
	submit_bound(&w, 2, 50, 3);
	TEST_EQ(step(&w, 10), 2);
	TEST_EQ(resize(&w, 10, 2, 6), -FAIR_ERANGE);
	TEST_OK(resize(&w, 10, 2, 5));
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* 10 s of 2, 30 s of 5, 20 s of 1, as of three jobs. */
TEST(charges_are_exact)
{
	struct world w;

	open_usage_by(&w, FAIR_BACKFILL, 0);
	submit_of(&w, 1, 1, 100, 2, 0);
	TEST_EQ(step(&w, 1000), 1);
	TEST_EQ(used(&w, 1, 1000), PROC_SECONDS(200));
	TEST_OK(resize(&w, 1010, 1, 5));
	TEST_EQ(used(&w, 1, 1010), PROC_SECONDS(20 + 90 * 5));
	TEST_OK(resize(&w, 1040, 1, 1));
	TEST_OK(fair_sched_finish(&w.s, 1060, 1));
	TEST_EQ(used(&w, 1, 1060), PROC_SECONDS(20 + 150 + 20));
	submit_of(&w, 2, 2, 100, 2, 3 << 20);
	TEST_EQ(step(&w, 1060), 2);
	TEST_OK(resize(&w, 1070, 2, 1)); /* the caller's charge stays */
	TEST_OK(fair_sched_finish(&w.s, 1080, 2));
	TEST_EQ(used(&w, 2, 1080), PROC_SECONDS(60));
	close_world(&w);
}

/* A job that was resized and queued again asks for its last size. */
TEST(queued_again)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(resize(&w, 10, 1, 2));
	/* In that second it is requeued, not refused: it started before. */
	TEST_EQ(fair_sched_refuse(&w.s, 10, 1), -FAIR_EINVAL);
	TEST_OK(fair_sched_requeue(&w.s, 10, 1));
	TEST_EQ(look(&w, 1).job.procs, 2);
	TEST_EQ(step(&w, 20), 1);
	TEST_OK(resize(&w, 20, 1, 3));
	TEST_OK(fair_sched_refuse(&w.s, 20, 1));
	TEST_EQ(look(&w, 1).start, 21);
	TEST_EQ(look(&w, 1).job.procs, 3);
	close_world(&w);
}

/* A job in a class grows in that class, one resource up and another down. */
TEST(several_resources)
{
	static const int32_t amount[] = { 4, 2, 8, 3 };
	static const struct fair_machine_config machine = { 2, 2, 0, amount };
	const int32_t one[] = { 0, 1 }, two[] = { 0, 2 }, none[] = { 0, 0 };
	const int32_t bad[] = { 0, -1 }, all[] = { 0, 3 };
	struct fair_config c = { .machine = &machine, .procs = 12 };
	struct fair_job_status s;
	struct fair_job j;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		c.policy = policy;
		open_world_of(&w, &c);
		j = a_job(1, 0, 50, 2);
		j.amount = one;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		TEST_EQ(step(&w, 0), 1);
		j.amount = two;
		TEST_OK(fair_sched_resize(&w.s, 5, 1, &j)); /* GPUs alone */
		TEST_OK(fair_sched_lookup(&w.s, 1, &s));
		TEST_EQ(s.job.amount[1], 2);
		TEST_EQ(fair_sched_check(&w.s), 0);
		j.amount = all;
		TEST_EQ(fair_sched_resize(&w.s, 5, 1, &j), -FAIR_ERANGE);
		j.amount = bad;
		TEST_EQ(fair_sched_resize(&w.s, 5, 1, &j), -FAIR_EINVAL);
		j.amount = none;
		j.procs = 4;
		TEST_OK(fair_sched_resize(&w.s, 6, 1, &j)); /* both */
		TEST_EQ(fair_sched_check(&w.s), 0);
		j.procs = 5; /* the other class has them */
		TEST_EQ(fair_sched_resize(&w.s, 6, 1, &j), -FAIR_ERANGE);
		j.procs = 4;
		j.amount = one;
		TEST_OK(fair_sched_resize(&w.s, 7, 1, &j));
		j.amount = NULL; /* returns a GPU, and nothing else */
		TEST_OK(fair_sched_resize(&w.s, 8, 1, &j));
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

/* A class that has nothing of a resource gives none, whatever another has. */
TEST(resource_of_another_class)
{
	static const int32_t amount[] = { 4, 0, 8, 3 };
	static const struct fair_machine_config machine = { 2, 2, 0, amount };
	const int32_t none[] = { 0, 0 }, one[] = { 0, 1 }, two[] = { 0, 2 };
	struct fair_config c = { .machine = &machine, .procs = 12 };
	struct fair_job j;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		c.policy = policy;
		open_world_of(&w, &c);
		j = a_job(1, 0, 50, 2);
		j.amount = none;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		j.number = 2;
		j.amount = one;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		TEST_EQ(step(&w, 0), 12);
		TEST_EQ(look(&w, 1).node_class, 0);
		TEST_EQ(look(&w, 2).node_class, 1);
		TEST_EQ(fair_sched_resize(&w.s, 5, 1, &j), -FAIR_ERANGE);
		j.amount = two;
		TEST_OK(fair_sched_resize(&w.s, 5, 2, &j));
		close_world(&w);
	}
}

/* A clone says what it would change: 2 could start at 20. */
static void note(void *context, const struct fair_change *change)
{
	int64_t *start = (int64_t *)context;

	TEST_EQ(change->number, 2);
	start[0] = change->start[0];
	start[1] = change->start[1];
}

TEST(what_if)
{
	struct fair_sched b;
	int64_t start[2] = { 0, 0 };
	struct world w;
	size_t bytes;
	void *memory;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 100, PROCS);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 10, 2);
	bytes = fair_sched_size(&w.config);
	memory = malloc(bytes);
	TEST_OK(fair_sched_clone(&b, memory, bytes, &w.s));
	w.was = w.s;
	w.s = b;
	TEST_OK(resize(&w, 20, 1, PROCS - 2));
	b = w.s;
	w.s = w.was;
	bytes = fair_sched_whatif_size(&w.config, &w.config);
	{
		void *room = malloc(bytes);

		TEST_OK(fair_sched_whatif(&w.s, &b, room, bytes, note, start));
		free(room);
	}
	TEST_EQ(start[0], 100);
	TEST_EQ(start[1], 20);
	free(memory);
	close_world(&w);
}

TEST(faults_of_resizes)
{
	struct fair_job j = a_job(1, 0, 50, 2);
	struct world w;

	busy(&w, FAIR_BACKFILL);
	FAILS(fair_sched_resize(&w.s, 10, 77, &j), ENOENT, "not live");
	FAILS(fair_sched_resize(&w.s, 10, 3, &j), EINVAL, "waits");
	FAILS(fair_sched_resize(&w.s, -1, 1, &j), ETIME, "the clock goes back");
	TEST_EQ(fair_sched_resize(&w.s, 10, 1, NULL), -FAIR_EINVAL);
	j.procs = 0;
	TEST_EQ(fair_sched_resize(&w.s, 10, 1, &j), -FAIR_EINVAL);
	j.procs = PROCS;
	FAILS(fair_sched_resize(&w.s, 10, 1, &j), ERANGE, "others run");
	close_world(&w);
	open_usage_by(&w, FAIR_BACKFILL, 0);
	submit_of(&w, 1, 1, 100, 2, 0);
	TEST_EQ(step(&w, 1000), 1);
	j.procs = 1;
	j.penalty = -1;
	FAILS(fair_sched_resize(&w.s, 1010, 1, &j), EINVAL, "a charge below 0");
	close_world(&w);
}
