/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * No job runs into an advance reservation, whatever the policy; the running
 * jobs in its way are named, and the policy reacts when it is moved or
 * withdrawn.
 */
#define FAIR_QUEUE_BLOCK 2 /* few jobs are several rows */
#define FAIR_SIMULATED_ROUNDS 1024
#define FAIRSCHED_IMPLEMENTATION
#include "tests/advance.h"
#include "tests/site.h"

/* A job that would run into it waits for its end, under every policy. */
TEST(no_job_runs_into_it)
{
	struct fair_why w;
	char text[256];
	struct advance x;
	size_t i;

	for (i = 0; i < ADVANCE_POLICIES; i++) {
		open_advance(&x, advance_policies[i]);
		TEST_EQ(book(&x, 0, 8, 50, 80, 10, false), 0);
		TEST_EQ(add(&x, 0, 1, 4, 50), 0);
		TEST_EQ(starts(&x, 0), 1);
		TEST_EQ(add(&x, 0, 2, 4, 51), 0);
		TEST_EQ(starts(&x, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &w), 0);
		TEST_EQ(w.reasons, FAIR_WHY_ADVANCE);
		TEST_EQ(w.advance.number, 8);
		TEST_EQ(w.walltime, 50);
		fair_why_text(&w, text, sizeof(text));
		TEST_CHECK(strstr(text, "into the maintenance window at 50"));
		TEST_EQ(fair_sched_finish(&x.s, 50, 1), 0);
		TEST_EQ(starts(&x, 50), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &w), 0);
		fair_why_text(&w, text, sizeof(text));
		TEST_CHECK(strstr(text, "10 processors are unavailable for "
					"maintenance until 80"));
		TEST_EQ(fair_sched_next(&x.s), 80);
		TEST_EQ(starts(&x, 80), 1);
		TEST_EQ(x.s.advances, 0);
		close_advance(&x);
	}
}

/* It is withdrawn, or moved, and the policy reacts. */
TEST(changed_and_withdrawn)
{
	struct fair_job_status j;
	struct advance x;
	uint64_t number;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 1, 5, 20, 8, false), 0);
	TEST_EQ(add(&x, 0, 1, 3, 10), 0);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 20);
	TEST_EQ(book(&x, 1, 1, 15, 30, 8, true), 0);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 1); /* it moved behind it, then before it */
	TEST_EQ(j.cause, FAIR_CAUSE_CAPACITY);
	TEST_EQ(book(&x, 1, 2, 2, 9, 8, false), -FAIR_ERANGE);
	TEST_EQ(book(&x, 1, 2, 2, 9, 8, true), 0);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 30);
	TEST_EQ(j.cause, FAIR_CAUSE_CAPACITY);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 1, 2), 0);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 1, 2), -FAIR_ENOENT);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 1);
	/* One that has ended is gone, and leaves room for another one. */
	TEST_EQ(fair_sched_advance_cancel(&x.s, 30, 1), -FAIR_ENOENT);
	TEST_EQ(fair_sched_next(&x.s), 1);
	TEST_EQ(book(&x, 1, 2, 2, 9, 1, true), 0);
	for (number = 3; x.s.advances < x.s.config.advances; number++)
		TEST_EQ(book(&x, 1, number, 90, 95, 1, true), 0);
	TEST_EQ(book(&x, 8, number, 90, 95, 1, true), -FAIR_ENOSPC);
	TEST_EQ(book(&x, 9, number, 90, 95, 1, true), 0);
	close_advance(&x);
}

/* Which running jobs would meet a reservation of [50, 80), or of [90, 95). */
TEST(what_crosses_them)
{
	static const struct {
		int64_t from, end;
		bool crosses;
	} change[] = {
		{ 0, 50, false }, { 0, 51, true }, { 60, 70, true },
		{ 60, 60, false }, { 79, 90, true }, { 80, 90, false },
		{ 80, 91, true }, { 94, 99, true }, { 95, 99, false },
	};
	struct advance x;
	size_t i;

	open_advance(&x, FAIR_BACKFILL);
	TEST_CHECK(!fair_sched_has_advance_within(&x.s, 0, 100));
	TEST_EQ(book(&x, 0, 8, 50, 80, 3, false), 0);
	TEST_EQ(book(&x, 0, 9, 90, 95, 3, false), 0);
	for (i = 0; i < sizeof(change) / sizeof(change[0]); i++)
		TEST_EQ(fair_sched_has_advance_within(&x.s, change[i].from, change[i].end),
			change[i].crosses);
	close_advance(&x);
}

/*
 * Running jobs in its way are named and stay; as they end, the reservation gets
 * its processors.
 */
TEST(running_jobs_in_the_way)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_advance b;
	struct fair_job_status j;
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(add(&x, 0, 1, 6, 5), 0);
	TEST_EQ(add(&x, 0, 2, 4, 100), 0);
	TEST_EQ(starts(&x, 0), 2);
	TEST_EQ(book(&x, 1, 9, 50, 60, 8, false), -FAIR_ERANGE);
	TEST_EQ(book(&x, 1, 9, 50, 60, 8, true), 0);
	TEST_CHECK(fair_sched_advance_get(&x.s, 0, &b));
	TEST_CHECK(!fair_sched_advance_get(&x.s, 1, &b));
	TEST_CHECK(fair_sched_advance_conflicts(&x.s, &b, &at, &j));
	TEST_EQ(j.job.number, 2);
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &j));
	TEST_EQ(add(&x, 1, 3, 1, 50), 0);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(starts(&x, 5), 0);
	TEST_EQ(fair_sched_finish(&x.s, 6, 2), 0);
	TEST_EQ(starts(&x, 6), 1);
	at.row = at.index = 0;
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &j));
	close_advance(&x);
}

/* Only job 2, to which all is promised from 100 on, is in the way: none that
 * runs. */
TEST(a_promise_in_the_way)
{
	const struct fair_advance b = { .number = 9,
					.from = 50,
					.to = 150,
					.procs = 5,
					.kind = FAIR_ADVANCE_USER };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(add(&x, 0, 1, 5, 100), 0);
	TEST_EQ(add(&x, 0, 2, 10, 100), 0);
	TEST_EQ(starts(&x, 0), 1);
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &j));
	close_advance(&x);
}

/*
 * A reservation that has begun; jobs in several rows of the queue. Its own jobs
 * are in the way of no other.
 */
TEST(running_jobs_by_rows)
{
	static const uint64_t by_end[] = { 1, 2, 3, 6, 4, 5 };
	struct fair_advance b = { 9, 0, 50, 10, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct advance x;
	uint64_t n;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 5, 60, 3, false), 0);
	for (n = 1; n < 6; n++)
		TEST_EQ(add(&x, 0, n, 1, 4 + 10 * (int64_t)n), 0);
	TEST_EQ(starts(&x, 0), 5);
	TEST_EQ(invite(&x, 5, 6, 2, 30), 0);
	TEST_EQ(starts(&x, 5), 1);
	for (n = 0; n < 6; n++) {	/* jobs of another reservation, too */
		TEST_CHECK(fair_sched_advance_conflicts(&x.s, &b, &at, &j));
		TEST_EQ(j.job.number, by_end[n]);
	}
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &j));
	b.number = 7;
	at.row = at.index = 0;
	for (n = 1; n < 6; n++) {
		TEST_CHECK(fair_sched_advance_conflicts(&x.s, &b, &at, &j));
		TEST_EQ(j.job.number, n);	/* its own is passed by */
	}
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &j));
	close_advance(&x);
}

/* A 1, then the jobs in its way, as digits. */
static uint64_t in_way(const struct advance *x, uint64_t number, int64_t from,
		       int64_t to, int32_t procs)
{
	struct fair_advance b = { number, from, to, procs, 0, 0, 0, { 0 }, 0, 0 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint64_t all = 1;

	while (fair_sched_advance_conflicts(&x->s, &b, &at, &j))
		all = 10 * all + j.job.number;
	TEST_CHECK(!fair_sched_advance_conflicts(&x->s, &b, &at, &j)); /* nor again */
	return all;
}

/* Exact to the second and to the processor. */
TEST(in_the_way_of_what)
{
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(add(&x, 0, 2, 1, 49), 0);
	TEST_EQ(add(&x, 0, 1, 2, 50), 0);
	TEST_EQ(add(&x, 0, 0, 4, 51), 0);
	TEST_EQ(starts(&x, 0), 3);
	TEST_EQ(in_way(&x, 9, 50, 60, 7), 10);
	TEST_EQ(in_way(&x, 9, 30, 40, 4), 1210);
	TEST_EQ(in_way(&x, 9, 30, 40, 3), 1);
	TEST_EQ(in_way(&x, 0, 30, 40, 4), 1210);	/* no reservation jobs */
	TEST_EQ(book(&x, 0, 5, 30, 40, 2, false), 0);
	TEST_EQ(in_way(&x, 3, 30, 40, 2), 1210);	/* beside 5 */
	TEST_EQ(book(&x, 0, 7, 30, 40, 1, false), 0);
	TEST_EQ(in_way(&x, 7, 30, 40, 1), 1);	/* in its own place */
	TEST_EQ(fair_sched_finish(&x.s, 49, 1), 0);
	TEST_EQ(in_way(&x, 9, 0, 60, 6), 1);	/* 2 is to end now */
	TEST_EQ(in_way(&x, 9, 0, 60, 7), 120);
	close_advance(&x);
}

/*
 * Nothing happens until a reservation ends, but by then another user has used
 * less.
 */
TEST(shares_as_a_reservation_ends)
{
	struct fair_config c = advance_config(FAIR_RELSHARE);
	struct fair_job_status status;
	struct fair_job j = { 0 };
	struct advance x;

	c.users = 2;
	c.only_used = true;
	open_advance_of(&x, &c);
	TEST_EQ(add(&x, 0, 1, 10, 10), 0);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(book(&x, 0, 8, 10, 30, 5, false), 0);
	TEST_EQ(fair_sched_finish(&x.s, 10, 1), 0);
	j.user = 1;
	j.number = 2;
	j.submit = 10;
	j.procs = 5;
	j.walltime = 500;
	TEST_EQ(fair_sched_submit(&x.s, 10, &j), 0);
	TEST_EQ(starts(&x, 10), 1);
	j.number = 3;
	TEST_EQ(fair_sched_submit(&x.s, 10, &j), 0);
	TEST_EQ(add(&x, 10, 4, 5, 500), 0);
	TEST_EQ(starts(&x, 10), 0);
	TEST_EQ(starts(&x, 30), 1);
	TEST_EQ(fair_sched_lookup(&x.s, 4, &status), 0);
	TEST_EQ(status.state, FAIR_RUNNING);
	close_advance(&x);
}

/* One ends as the next is withdrawn. */
TEST(withdrawn_as_another_ends)
{
	struct fair_advance b;
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 1, 0, 10, 2, false), 0);
	TEST_EQ(book(&x, 0, 2, 0, 50, 3, false), 0);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 10, 2), 0);
	TEST_CHECK(!fair_sched_advance_get(&x.s, 0, &b));
	close_advance(&x);
}

TEST(at_the_end_of_time)
{
	const int64_t last = (int64_t)1 << 60;
	struct fair_config c = advance_config(FAIR_BACKFILL);
	struct advance x;

	c.origin = last - 10;
	open_advance_of(&x, &c);
	TEST_EQ(book(&x, last - 10, 8, last - 5, last + 1, 1, false),
		-FAIR_EOVERFLOW);
	TEST_EQ(book(&x, last - 10, 8, last - 5, last, 1, false), 0);
	close_advance(&x);
}

/* To the last second of what can be planned, from now on. */
TEST(as_far_as_can_be)
{
	struct advance x;
	int64_t reach;
	size_t i;

	for (i = 0; i < ADVANCE_POLICIES; i++) {
		open_advance(&x, advance_policies[i]);
		TEST_EQ(fair_sched_pass_time(&x.s, 100), 0);
		reach = fair_sched_horizon(&x.s);
		TEST_EQ(book(&x, 100, 8, 100 + reach / 2, 100 + reach, 1,
			     false), -FAIR_EOVERFLOW);
		TEST_OK(book(&x, 100, 8, 100 + reach / 2, 99 + reach, 1,
			     false));
		close_advance(&x);
	}
}

/* The number of a reservation that is over may be reserved again. */
TEST(reserved_again_after_its_end)
{
	struct fair_advance b;
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_site(&x, policy, 10);
		TEST_EQ(reserve(&x.s, 0, 7, 5, 10, 6), 0);
		TEST_EQ(reserve(&x.s, 10, 7, 20, 30, 6), 0);
		TEST_CHECK(fair_sched_advance_get(&x.s, 0, &b));
		TEST_EQ(b.from, 20);
		TEST_CHECK(!fair_sched_advance_get(&x.s, 1, &b));
		TEST_EQ(fair_sched_advance_cancel(&x.s, 30, 7), -FAIR_ENOENT);
		TEST_EQ(fair_sched_advance_cancel(&x.s, 29, 7), 0);
		TEST_CHECK(!fair_sched_advance_get(&x.s, 0, &b));
		close_site(&x);
	}
}

static uint32_t opened_for;

static void note_displacement(struct fair_sched *s, struct fair_event *e)
{
	opened_for = e->cause;
	fair_promising.displace_all(s, e);
}

/* A planner is told why its reservations are removed. */
TEST(what_a_planner_is_told_as_it_is_withdrawn)
{
	void (*volatile leave)(void) = write_on_the_stack;
	struct fair_planner_ops own = fair_promising;
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_OK(book(&x, 0, 8, 50, 80, 10, false));
	own.displace_all = note_displacement;
	x.s.planner = &own;
	leave();
	TEST_OK(fair_sched_advance_cancel(&x.s, 0, 8));
	TEST_EQ(opened_for, FAIR_CAUSE_EARLIER);
	close_advance(&x);
}

/* Of one pool: a class and other resources are not read. */
TEST(what_a_pool_does_not_read)
{
	struct fair_advance b = { .number = 8, .from = 50, .to = 80,
				  .procs = 3, .node_class = 5 };
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	b.amount[1] = -1;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	b.procs = 0;
	b.amount[1] = 1;
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), -FAIR_EINVAL);
	close_advance(&x);
}
