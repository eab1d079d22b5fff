/* SPDX-License-Identifier: MIT OR Unlicense */
/* bookings_test.c - maintenance windows and advance reservations, by hand */
#include <stdlib.h>
#include <string.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "test.h"

#define JOBS 8

struct site {
	struct fair_sched s;
	void *memory;
	size_t bytes;
};

static void open_site(struct site *x, uint32_t policy)
{
	struct fair_config c = { 0 };

	c.policy = policy;
	c.procs = 10;
	c.jobs = JOBS;
	c.bookings = 2;
	c.accounts = c.users = 1;
	c.window = 1000;
	x->bytes = fair_sched_size(&c);
	x->memory = malloc(x->bytes);
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes, &c),
		0);
}

static void close_site(struct site *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

static int add(struct site *x, int64_t now, uint64_t number, int32_t procs,
	       int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = now;
	j.procs = procs;
	j.walltime = walltime;
	return fair_sched_submit(&x->s, now, &j);
}

static size_t starts(struct site *x, int64_t now)
{
	struct fair_decision d[JOBS];
	size_t n = 0;

	TEST_EQ(fair_sched_step(&x->s, now, d, JOBS, &n), 0);
	return n;
}

static int book(struct site *x, int64_t now, uint64_t number, int64_t from,
		int64_t to, int32_t procs, bool force)
{
	struct fair_booking b = { 0 };

	b.number = number;
	b.from = from;
	b.to = to;
	b.procs = procs;
	return fair_sched_book(&x->s, now, &b, force);
}

/* Whoever would run into it waits for its end, whatever the policy. */
static void nobody_runs_into_it(void)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL,
					   FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC,
					   FAIR_SFS, FAIR_RELSHARE };
	struct fair_why w;
	char text[256];
	struct site x;
	size_t i;

	for (i = 0; i < sizeof(policy) / sizeof(policy[0]); i++) {
		open_site(&x, policy[i]);
		TEST_EQ(book(&x, 0, 7, 50, 80, 10, false), 0);
		TEST_EQ(add(&x, 0, 1, 4, 50), 0);
		TEST_EQ(starts(&x, 0), 1);
		TEST_EQ(add(&x, 0, 2, 4, 51), 0);
		TEST_EQ(starts(&x, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &w), 0);
		TEST_EQ(w.reasons, FAIR_WHY_BOOKED);
		TEST_EQ(w.booking.number, 7);
		TEST_EQ(w.walltime, 50);
		fair_why_text(&w, text, sizeof(text));
		TEST_CHECK(strstr(text, "into the maintenance window at 50"));
		TEST_EQ(fair_sched_finish(&x.s, 50, 1), 0);
		TEST_EQ(starts(&x, 50), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &w), 0);
		fair_why_text(&w, text, sizeof(text));
		TEST_CHECK(strstr(text, "10 processors are away for maintenance"
					" until 80"));
		TEST_EQ(fair_sched_next(&x.s), 80);
		TEST_EQ(starts(&x, 80), 1);
		TEST_EQ(x.s.booked, 0);
		close_site(&x);
	}
}

/* It is withdrawn, or moved, and the policy reacts. */
static void changed_and_withdrawn(void)
{
	struct fair_job_status j;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 1, 5, 20, 8, false), 0);
	TEST_EQ(add(&x, 0, 1, 3, 10), 0);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 20);
	TEST_EQ(book(&x, 1, 1, 15, 30, 8, true), 0);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 1);
	TEST_EQ(j.cause, FAIR_CAUSE_NONE);
	TEST_EQ(book(&x, 1, 2, 2, 9, 8, false), -FAIR_ERANGE);
	TEST_EQ(book(&x, 1, 2, 2, 9, 8, true), 0);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 30);
	TEST_EQ(j.cause, FAIR_CAUSE_CAPACITY);
	TEST_EQ(fair_sched_unbook(&x.s, 1, 2), 0);
	TEST_EQ(fair_sched_unbook(&x.s, 1, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_lookup(&x.s, 1, &j), 0);
	TEST_EQ(j.start, 1);
	close_site(&x);
}

/* Running jobs are named, and stay; as they end, the booking gets its own. */
static void running_jobs_in_the_way(void)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_booking b;
	struct fair_job_status j;
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(add(&x, 0, 1, 6, 5), 0);
	TEST_EQ(add(&x, 0, 2, 4, 100), 0);
	TEST_EQ(starts(&x, 0), 2);
	TEST_EQ(book(&x, 1, 9, 50, 60, 8, false), -FAIR_ERANGE);
	TEST_EQ(book(&x, 1, 9, 50, 60, 8, true), 0);
	TEST_CHECK(fair_sched_booking(&x.s, 0, &b));
	TEST_CHECK(!fair_sched_booking(&x.s, 1, &b));
	TEST_CHECK(fair_sched_in_way(&x.s, &b, &at, &j));
	TEST_EQ(j.job.number, 2);
	TEST_CHECK(!fair_sched_in_way(&x.s, &b, &at, &j));
	TEST_EQ(add(&x, 1, 3, 1, 50), 0);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(starts(&x, 5), 0);
	TEST_EQ(fair_sched_finish(&x.s, 6, 2), 0);
	TEST_EQ(starts(&x, 6), 1);
	at.row = at.index = 0;
	TEST_CHECK(!fair_sched_in_way(&x.s, &b, &at, &j));
	close_site(&x);
}

static void errors(void)
{
	struct site x;

	open_site(&x, FAIR_PC);
	TEST_EQ(fair_sched_book(&x.s, 0, NULL, true), -FAIR_EINVAL);
	TEST_EQ(book(&x, 0, 1, 5, 5, 1, true), -FAIR_EINVAL);
	TEST_EQ(book(&x, 0, 1, -5, 0, 1, true), -FAIR_EINVAL);
	TEST_EQ(book(&x, 0, 1, 5, 6, 0, true), -FAIR_EINVAL);
	TEST_EQ(book(&x, -1, 1, 5, 6, 1, true), -FAIR_EINVAL);
	TEST_EQ(book(&x, 0, 1, 5, 6, 11, true), -FAIR_ERANGE);
	TEST_EQ(book(&x, 0, 1, 5, INT64_MAX, 1, true), -FAIR_EOVERFLOW);
	TEST_EQ(book(&x, 0, 1, 5, 6, 1, true), 0);
	TEST_EQ(book(&x, 0, 2, 5, 6, 1, true), 0);
	TEST_EQ(book(&x, 0, 3, 5, 6, 1, true), -FAIR_ENOSPC);
	TEST_EQ(book(&x, 0, 2, 5, 7, 1, true), 0);
	TEST_EQ(fair_sched_unbook(&x.s, -1, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_check(&x.s), 0);
	x.s.booking[1].number = 1;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.booking[1].number = 2;
	close_site(&x);
}

int main(void)
{
	TEST_RUN(nobody_runs_into_it);
	TEST_RUN(changed_and_withdrawn);
	TEST_RUN(running_jobs_in_the_way);
	TEST_RUN(errors);
	return test_report();
}
