/* SPDX-License-Identifier: MIT OR Unlicense */
/* bookings_test.c - maintenance windows and advance reservations, by hand */
#include <stdlib.h>
#include <string.h>

#define FAIR_QUEUE_BLOCK 2	/* few jobs are several rows */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "test.h"

#define JOBS 8
#define POLICIES (sizeof(policies) / sizeof(policies[0]))

static const uint32_t policies[] = { FAIR_FCFS, FAIR_BACKFILL,
				     FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC,
				     FAIR_SFS, FAIR_RELSHARE };

struct site {
	struct fair_sched s;
	void *memory;
	size_t bytes;
};

static struct fair_config config_of(uint32_t policy)
{
	struct fair_config c = { 0 };

	c.policy = policy;
	c.procs = 10;
	c.jobs = JOBS;
	c.bookings = 2;
	c.accounts = c.users = 1;
	c.window = 1000;
	return c;
}

static void open_site_of(struct site *x, const struct fair_config *c)
{
	x->bytes = fair_sched_size(c);
	x->memory = malloc(x->bytes);
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes, c),
		0);
}

static void open_site(struct site *x, uint32_t policy)
{
	struct fair_config c = config_of(policy);

	open_site_of(x, &c);
}

static void close_site(struct site *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

static int submit(struct site *x, int64_t now, uint64_t number, int32_t procs,
		  int64_t walltime, uint64_t booking)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = now;
	j.procs = procs;
	j.walltime = walltime;
	j.booking = booking;
	return fair_sched_submit(&x->s, now, &j);
}

static int add(struct site *x, int64_t now, uint64_t number, int32_t procs,
	       int64_t walltime)
{
	return submit(x, now, number, procs, walltime, 0);
}

/* A job in booking 7. */
static int invite(struct site *x, int64_t now, uint64_t number, int32_t procs,
		  int64_t walltime)
{
	return submit(x, now, number, procs, walltime, 7);
}

static int64_t promise(const struct site *x, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(&x->s, number, &j), 0);
	TEST_EQ(j.state, FAIR_ASIDE);
	return j.start;
}

static uint32_t cause(const struct site *x, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(&x->s, number, &j), 0);
	return j.cause;
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
	b.kind = number == 7 ? FAIR_ADVANCE : FAIR_MAINTENANCE;
	return fair_sched_book(&x->s, now, &b, force);
}

/* Whoever would run into it waits for its end, whatever the policy. */
static void nobody_runs_into_it(void)
{
	struct fair_why w;
	char text[256];
	struct site x;
	size_t i;

	for (i = 0; i < POLICIES; i++) {
		open_site(&x, policies[i]);
		TEST_EQ(book(&x, 0, 8, 50, 80, 10, false), 0);
		TEST_EQ(add(&x, 0, 1, 4, 50), 0);
		TEST_EQ(starts(&x, 0), 1);
		TEST_EQ(add(&x, 0, 2, 4, 51), 0);
		TEST_EQ(starts(&x, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &w), 0);
		TEST_EQ(w.reasons, FAIR_WHY_BOOKED);
		TEST_EQ(w.booking.number, 8);
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

static int64_t planned(const struct site *x, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(&x->s, number, &j), 0);
	return j.start;
}

/*
 * 3 and 4, promised 30 and 40, would run into it. 3 is too long to end before
 * it, and so leaves its place to 4. Before 30 nothing has become free.
 */
static void places_before_it(void)
{
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	TEST_EQ(add(&x, 0, 1, 5, 30), 0);
	TEST_EQ(add(&x, 0, 2, 5, 40), 0);
	TEST_EQ(starts(&x, 0), 2);
	TEST_EQ(add(&x, 0, 3, 5, 25), 0);
	TEST_EQ(add(&x, 0, 4, 5, 20), 0);
	TEST_EQ(planned(&x, 3), 30);
	TEST_EQ(planned(&x, 4), 40);
	TEST_EQ(book(&x, 0, 8, 50, 80, 10, true), 0);
	TEST_EQ(planned(&x, 3), 80);
	TEST_EQ(planned(&x, 4), 30);
	TEST_EQ(x.s.keep.risen.from, 30);
	close_site(&x);
}

/* Which changes of what runs meet a booking: of [50, 80) and [90, 95). */
static void what_crosses_them(void)
{
	static const struct {
		int64_t from, end;
		bool crosses;
	} change[] = {
		{ 0, 50, false }, { 0, 51, true }, { 60, 70, true },
		{ 60, 60, false }, { 79, 90, true }, { 80, 90, false },
		{ 80, 91, true }, { 94, 99, true }, { 95, 99, false },
	};
	struct site x;
	size_t i;

	open_site(&x, FAIR_BACKFILL);
	TEST_CHECK(!fair_sched_crosses(&x.s, 0, 100));
	TEST_EQ(book(&x, 0, 8, 50, 80, 3, false), 0);
	TEST_EQ(book(&x, 0, 9, 90, 95, 3, false), 0);
	for (i = 0; i < sizeof(change) / sizeof(change[0]); i++)
		TEST_EQ(fair_sched_crosses(&x.s, change[i].from, change[i].end),
			change[i].crosses);
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

/* One that has begun; who is in several rows; its guests are in nobody's way. */
static void running_jobs_by_rows(void)
{
	static const uint64_t by_end[] = { 1, 2, 3, 6, 4, 5 };
	struct fair_booking b = { 9, 0, 50, 10, FAIR_MAINTENANCE, 0 };
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	struct site x;
	uint64_t n;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 5, 60, 3, false), 0);
	for (n = 1; n < 6; n++)
		TEST_EQ(add(&x, 0, n, 1, 4 + 10 * (int64_t)n), 0);
	TEST_EQ(starts(&x, 0), 5);
	TEST_EQ(invite(&x, 5, 6, 2, 30), 0);
	TEST_EQ(starts(&x, 5), 1);
	for (n = 0; n < 6; n++) {	/* guests of another, too */
		TEST_CHECK(fair_sched_in_way(&x.s, &b, &at, &j));
		TEST_EQ(j.job.number, by_end[n]);
	}
	TEST_CHECK(!fair_sched_in_way(&x.s, &b, &at, &j));
	b.number = 7;
	at.row = at.index = 0;
	for (n = 1; n < 6; n++) {
		TEST_CHECK(fair_sched_in_way(&x.s, &b, &at, &j));
		TEST_EQ(j.job.number, n);	/* its own is passed by */
	}
	TEST_CHECK(!fair_sched_in_way(&x.s, &b, &at, &j));
	close_site(&x);
}

/* A 1, then who is in its way, as digits. */
static uint64_t in_way(const struct site *x, uint64_t number, int64_t from,
		       int64_t to, int32_t procs)
{
	struct fair_booking b = { number, from, to, procs, 0, 0 };
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	uint64_t all = 1;

	while (fair_sched_in_way(&x->s, &b, &at, &j))
		all = 10 * all + j.job.number;
	TEST_CHECK(!fair_sched_in_way(&x->s, &b, &at, &j)); /* nor again */
	return all;
}

/* To the second and to the processor, whoever asks for what. */
static void in_the_way_of_what(void)
{
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(add(&x, 0, 2, 1, 49), 0);
	TEST_EQ(add(&x, 0, 1, 2, 50), 0);
	TEST_EQ(add(&x, 0, 0, 4, 51), 0);
	TEST_EQ(starts(&x, 0), 3);
	TEST_EQ(in_way(&x, 9, 50, 60, 7), 10);
	TEST_EQ(in_way(&x, 9, 30, 40, 4), 1210);
	TEST_EQ(in_way(&x, 9, 30, 40, 3), 1);
	TEST_EQ(in_way(&x, 0, 30, 40, 4), 1210);	/* no guests */
	TEST_EQ(book(&x, 0, 5, 30, 40, 2, false), 0);
	TEST_EQ(in_way(&x, 3, 30, 40, 2), 1210);	/* beside 5 */
	TEST_EQ(book(&x, 0, 7, 30, 40, 1, false), 0);
	TEST_EQ(in_way(&x, 7, 30, 40, 1), 1);	/* in its own place */
	TEST_EQ(fair_sched_finish(&x.s, 49, 1), 0);
	TEST_EQ(in_way(&x, 9, 0, 60, 6), 1);	/* 2 is to end now */
	TEST_EQ(in_way(&x, 9, 0, 60, 7), 120);
	close_site(&x);
}

/* ---- guests ---- */

static void say(const struct site *x, uint64_t number, const char *sentence)
{
	struct fair_why w;
	char text[512];

	TEST_EQ(fair_sched_why(&x->s, number, NULL, 0, &w), 0);
	TEST_EQ(w.reasons, FAIR_WHY_ASIDE | FAIR_WHY_GUEST);
	TEST_EQ(w.unknown, 0);
	TEST_EQ(w.until, w.promise);
	TEST_CHECK(!w.aside.held && !w.aside.end && !w.aside.after);
	TEST_EQ(w.aside.begin, INT64_MIN);
	fair_why_text(&w, text, sizeof(text));
	TEST_CHECK(strstr(text, sentence));
}

/*
 * Booked: 6 of 10 over [50, 80). Two start with it, a third when one of them
 * ends, a fourth has no room; nobody else is planned otherwise.
 */
static void guests_start_as_promised(void)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	struct site x;
	int64_t start;
	size_t i;

	for (i = 0; i < POLICIES; i++) {
		open_site(&x, policies[i]);
		TEST_EQ(book(&x, 0, 7, 50, 80, 6, false), 0);
		TEST_EQ(invite(&x, 0, 1, 4, 20), 0);
		TEST_EQ(invite(&x, 1, 2, 2, 30), 0);
		TEST_EQ(invite(&x, 2, 3, 3, 10), 0);
		TEST_EQ(invite(&x, 2, 4, 4, 11), 0);
		TEST_EQ(promise(&x, 1), 50);
		TEST_EQ(promise(&x, 2), 50);
		TEST_EQ(promise(&x, 3), 70);
		TEST_EQ(promise(&x, 4), FAIR_FOREVER);
		TEST_EQ(fair_sched_estimate(&x.s, 3, NULL, 0, &start), 0);
		TEST_EQ(start, 70);
		TEST_EQ(add(&x, 2, 5, 10, 20), 0);
		TEST_EQ(add(&x, 2, 6, 4, 70), 0);
		TEST_EQ(starts(&x, 2), 1);
		say(&x, 1, "reservation, 7, begins at 50. A start is reserved"
			   " for it at 50.");
		say(&x, 4, "reservation, 7, until 80, there is no room left");
		TEST_EQ(fair_sched_finish(&x.s, 22, 5), 0);
		TEST_EQ(starts(&x, 22), 1);
		TEST_EQ(fair_sched_next(&x.s), 50);
		TEST_EQ(starts(&x, 50), 2);
		say(&x, 3, "waits for room in its advance reservation, 7.");
		TEST_EQ(fair_sched_finish(&x.s, 60, 1), 0);
		TEST_EQ(promise(&x, 3), 60);
		TEST_EQ(promise(&x, 4), FAIR_FOREVER);
		TEST_EQ(starts(&x, 60), 1);
		TEST_EQ(fair_sched_finish(&x.s, 65, 3), 0);
		TEST_EQ(promise(&x, 4), 65);
		TEST_EQ(starts(&x, 65), 1);
		TEST_CHECK(fair_sched_each(&x.s, FAIR_RUNNING, &at, &j));
		TEST_EQ(j.job.number, 4);
		TEST_EQ(j.job.booking, 7);
		at.row = at.index = 0;
		close_site(&x);
	}
}

static void who_may_be_a_guest(void)
{
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(invite(&x, 0, 1, 1, 1), -FAIR_EINVAL);
	TEST_EQ(book(&x, 0, 7, 50, 80, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 7, 30), -FAIR_ERANGE);
	TEST_EQ(invite(&x, 0, 1, 6, 31), -FAIR_EOVERFLOW);
	TEST_EQ(invite(&x, 51, 1, 6, 30), -FAIR_EOVERFLOW);
	TEST_EQ(invite(&x, 51, 1, 6, 29), 0);
	TEST_EQ(starts(&x, 51), 1);
	TEST_EQ(invite(&x, 80, 2, 1, 1), -FAIR_EINVAL);
	close_site(&x);
}

static void moved_and_gone(void)
{
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 50, 80, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 1, 25), 0);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(book(&x, 0, 7, 40, 75, 6, false), 0);
	TEST_EQ(promise(&x, 1), 40);
	TEST_EQ(promise(&x, 2), 50);
	TEST_EQ(book(&x, 0, 7, 45, 70, 6, false), 0);
	TEST_EQ(promise(&x, 1), 45);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_BOOKING);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(fair_sched_modify(&x.s, 0, 2, 1, 15), 0);
	TEST_EQ(promise(&x, 2), 55);
	TEST_EQ(fair_sched_modify(&x.s, 0, 1, 6, 11), 0);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_MODIFIED);
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	TEST_EQ(promise(&x, 2), 45);
	TEST_EQ(starts(&x, 0), 0);
	TEST_EQ(fair_sched_unbook(&x.s, 0, 7), 0);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_BOOKING);
	TEST_EQ(starts(&x, 0), 0);
	say(&x, 2, "Its advance reservation, 7, is gone.");
	TEST_EQ(book(&x, 0, 7, 5, 20, 1, false), 0);
	TEST_EQ(promise(&x, 2), 5);
	TEST_EQ(starts(&x, 6), 0);	/* too late */
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_LATE_STEP);
	TEST_EQ(fair_sched_pass(&x.s, 20), 0);
	TEST_EQ(x.s.booked, 0);
	close_site(&x);
}

/* Refused, stopped, deferred, overdue: each by its name. */
static void acts_on_guests(void)
{
	struct fair_until held = { 0, 0, 0, true };
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 5, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 5, 20), 0);
	TEST_EQ(promise(&x, 2), 20);
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(fair_sched_refuse(&x.s, 10, 1), 0);
	TEST_EQ(promise(&x, 2), 10);
	TEST_EQ(promise(&x, 1), 30);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_REFUSED);
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(fair_sched_requeue(&x.s, 15, 2), 0);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_REQUEUED);
	TEST_EQ(promise(&x, 1), 15);
	TEST_EQ(promise(&x, 2), 25);
	TEST_EQ(fair_sched_defer(&x.s, 15, 1, &held), 0);
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_DEFERRED);
	TEST_EQ(starts(&x, 15), 1);
	TEST_EQ(fair_sched_defer(&x.s, 15, 1, NULL), 0);
	TEST_EQ(fair_sched_defer(&x.s, 15, 1, NULL), 0);
	TEST_EQ(promise(&x, 1), 35);
	TEST_EQ(starts(&x, 15), 0);
	say(&x, 1, "It waits for room in its advance reservation, 7.");
	TEST_EQ(fair_sched_pass(&x.s, 35), 0);
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_OVERDUE);
	TEST_EQ(fair_sched_cancel(&x.s, 36, 2), 0);
	TEST_EQ(promise(&x, 1), 36);
	TEST_EQ(starts(&x, 36), 1);
	TEST_EQ(fair_sched_unbook(&x.s, 36, 7), 0);
	TEST_EQ(fair_sched_finish(&x.s, 46, 1), 0);
	close_site(&x);
}

/* A copy under another policy has them too, and what is changed shows. */
static void guests_go_along(void)
{
	struct fair_config c = { 0 };
	struct fair_sched other;
	struct site x;
	void *memory;
	size_t bytes;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 6, 30), 0);
	TEST_EQ(starts(&x, 10), 1);
	c.policy = FAIR_CONSERVATIVE;
	c.procs = 1;
	c.jobs = JOBS;
	c.bookings = 1;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_convert(&other, sizeof(other), memory, bytes, &c,
				   &x.s), 0);
	TEST_EQ(fair_sched_check(&other), 0);
	TEST_EQ(other.guests, 2);
	TEST_EQ(other.live[other.aside[0].slot].queued.rank.key, 20);
	TEST_EQ(fair_sched_finish(&other, 15, 1), 0);
	TEST_EQ(other.live[other.aside[0].slot].queued.rank.key, 15);
	free(memory);
	close_site(&x);
}

static int64_t promises_of_2[2];

static void promise_of_2(void *context, const struct fair_change *change)
{
	(void)context;
	if (change->number == 2)
		memcpy(promises_of_2, change->promise, sizeof(promises_of_2));
}

/* Its booking may be gone, and none be left in what it is converted to. */
static void guests_of_none(void)
{
	struct fair_config c = { 0 };
	struct fair_sched other;
	size_t bytes, both;
	struct site x;
	void *memory, *more;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 6, 30), 0);
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(fair_sched_unbook(&x.s, 11, 7), 0);
	c.policy = FAIR_BACKFILL;
	c.jobs = JOBS;
	c.aside = 2;
	c.procs = 1;
	bytes = fair_sched_size(&c);
	both = fair_sched_whatif_size(&x.s.config, &c);
	memory = malloc(bytes);
	more = malloc(both);
	TEST_EQ(fair_sched_convert(&other, sizeof(other), memory, bytes, &c,
				   &x.s), 0);
	TEST_EQ(fair_sched_check(&other), 0);
	TEST_EQ(other.insides, 0);
	TEST_EQ(other.guests, 2);
	TEST_EQ(fair_sched_finish(&other, 15, 1), 0);
	TEST_EQ(fair_sched_check(&other), 0);
	TEST_EQ(book(&x, 11, 7, 30, 70, 6, false), 0);
	TEST_EQ(fair_sched_whatif(&x.s, &other, more, both, promise_of_2,
				  NULL), 0);
	TEST_EQ(promises_of_2[0], 30);
	TEST_EQ(promises_of_2[1], FAIR_FOREVER);
	free(memory);
	free(more);
	close_site(&x);
}

static void invariants_of_guests(void)
{
	struct fair_live *j;
	struct site x;
	uint32_t slot, i;

	open_site(&x, FAIR_FCFS);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 6, 30), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
	j = x.s.live + x.s.aside[1].slot;
	j->queued.rank.key--;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.aside[1].told--;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.aside[1].told = j->queued.rank.key = FAIR_FOREVER;
	TEST_EQ(fair_sched_check(&x.s), 6);	/* no cause */
	x.s.aside[1].told = j->queued.rank.key = 20;
	x.s.aside[1].told++;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.aside[1].told--;
	x.s.aside[1].guest = false;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.aside[1].guest = true;
	x.s.guests--;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.guests++;
	TEST_EQ(add(&x, 0, 3, 1, 5), 0);
	TEST_EQ(starts(&x, 0), 1);
	slot = fair_sched_slot(&x.s, fair_sched_find(&x.s, 3));
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(x.s.insides, 1);
	x.s.insides = 0;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.insides = 1;
	i = x.s.inside[0];
	x.s.inside[0] = slot;	/* no guest */
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.inside[0] = x.s.aside[0].slot;	/* does not run */
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.inside[0] = i;
	close_site(&x);
	open_site(&x, FAIR_FCFS);
	TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 3, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 3, 10), 0);
	TEST_EQ(add(&x, 0, 3, 1, 5), 0);
	TEST_EQ(starts(&x, 0), 3);
	i = x.s.inside[1];
	x.s.inside[1] = fair_sched_slot(&x.s, fair_sched_find(&x.s, 3));
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.inside[1] = i;
	close_site(&x);
}

/* Any guests of one booking: second by second, by hand. */
static void a_naive_count(void)
{
	int64_t at[JOBS], first[JOBS], end[JOBS], now;
	struct fair_job_status j;
	uint64_t seed = 1, k;
	int32_t procs[JOBS], used;
	struct site x;
	int round;

	for (round = 0; round < 300; round++) {
		open_site(&x, policies[(size_t)round % POLICIES]);
		TEST_EQ(book(&x, 0, 7, 20, 60, 6, false), 0);
		for (k = 0; k < JOBS; k++) {
			procs[k] = (int32_t)test_range(&seed, 1, 6);
			end[k] = test_range(&seed, 1, 30);
			TEST_EQ(invite(&x, 0, k + 1, procs[k], end[k]), 0);
			end[k] = test_range(&seed, 0, end[k]);
			first[k] = promise(&x, k + 1);
			at[k] = FAIR_FOREVER;
		}
		for (now = 0; now < 61; now++) {
			for (k = 0; k < JOBS; k++)
				if (at[k] < now && at[k] + end[k] <= now &&
				    !fair_sched_lookup(&x.s, k + 1, &j))
					TEST_EQ(fair_sched_finish(&x.s, now,
								  k + 1), 0);
			starts(&x, now);
			for (used = 0, k = 0; k < JOBS; k++) {
				if (fair_sched_lookup(&x.s, k + 1, &j) ||
				    j.state != FAIR_RUNNING)
					continue;
				at[k] = j.start;
				used += procs[k];
				TEST_CHECK(now >= 20 && j.end <= 60);
				TEST_CHECK(at[k] <= first[k]);
			}
			TEST_CHECK(used <= 6);
		}
		for (k = 0; k < JOBS; k++)
			TEST_CHECK(first[k] == FAIR_FOREVER ||
				   at[k] <= first[k]);
		close_site(&x);
	}
}

/* Guests of one booking that run into another take from it. */
static void guests_of_another(void)
{
	struct fair_booking b = { 5, 0, 100, 4, FAIR_ADVANCE, 0 };
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(fair_sched_book(&x.s, 0, &b, false), 0);
	TEST_EQ(submit(&x, 0, 1, 4, 100, 5), 0);
	TEST_EQ(starts(&x, 0), 1);
	b.number = 3;
	b.from = 5;
	b.to = 50;
	b.procs = 10;
	TEST_EQ(fair_sched_book(&x.s, 0, &b, true), 0);
	TEST_EQ(submit(&x, 0, 2, 8, 10, 3), 0);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	close_site(&x);
}

/* What one leaves as it moves earlier is for those before it, too. */
static void into_the_place_of_another(void)
{
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 4, 30), 0);
	TEST_EQ(promise(&x, 1), 10);
	TEST_EQ(promise(&x, 2), 20);
	TEST_EQ(book(&x, 0, 7, 15, 60, 6, false), 0);
	TEST_EQ(promise(&x, 2), 15);
	TEST_EQ(promise(&x, 1), 45);
	close_site(&x);
}

/* One that is stopped waits again behind the policy's reaction, all of it. */
static void stopped_guest(void)
{
	struct fair_job_status j;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 50), 0);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(fair_sched_unbook(&x.s, 1, 7), 0);
	TEST_EQ(add(&x, 1, 2, 10, 10), 0);
	TEST_EQ(add(&x, 1, 3, 10, 10), 0);
	fair_sched_budget(&x.s, 1);
	TEST_EQ(fair_sched_requeue(&x.s, 5, 1), 0);
	TEST_CHECK(!fair_sched_unfinished(&x.s));
	TEST_EQ(fair_sched_lookup(&x.s, 3, &j), 0);
	TEST_EQ(j.start, 15);
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	close_site(&x);
}

/* A late step is why others wait longer, though guests came with it. */
static void guests_at_a_late_step(void)
{
	struct fair_job j = { 0 };
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 5, 50, 6, false), 0);
	j.number = 4;
	j.procs = 1;
	j.walltime = 5;
	j.tasks = 2;
	j.booking = 7;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(add(&x, 0, 1, 4, 10), 0);
	TEST_EQ(add(&x, 0, 2, 4, 10), 0);
	TEST_EQ(starts(&x, 5), 3);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_LATE_STEP);
	close_site(&x);
}

/* Who was in their way, and is not any more: guests are earlier at once. */
static void out_of_their_way(void)
{
	static const int64_t start[] = { 6, 8, 5 };
	struct site x;
	int how;

	for (how = 0; how < 3; how++) {
		open_site(&x, FAIR_BACKFILL);
		TEST_EQ(add(&x, 0, 1, 10, 30), 0);
		TEST_EQ(starts(&x, 0), 1);
		TEST_EQ(book(&x, 0, 7, 5, 50, 10, true), 0);
		TEST_EQ(invite(&x, 0, 2, 10, 10), 0);
		TEST_EQ(promise(&x, 2), 30);
		if (how == 0)
			TEST_EQ(fair_sched_requeue(&x.s, 6, 1), 0);
		else if (how == 1)
			TEST_EQ(fair_sched_modify(&x.s, 6, 1, 10, 8), 0);
		else
			TEST_EQ(fair_sched_refuse(&x.s, 0, 1), 0);
		TEST_EQ(promise(&x, 2), start[how]);
		close_site(&x);
	}
}

/* Not at this second, whoever comes; but who was set aside comes anew. */
static void refused_guest(void)
{
	struct fair_until held = { 0, 0, 0, true };
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(fair_sched_refuse(&x.s, 10, 1), 0);
	TEST_EQ(promise(&x, 1), 11);
	TEST_EQ(invite(&x, 10, 2, 6, 10), 0);
	TEST_EQ(promise(&x, 1), 11);
	TEST_EQ(promise(&x, 2), 21);
	TEST_EQ(fair_sched_cancel(&x.s, 10, 2), 0);
	TEST_EQ(fair_sched_defer(&x.s, 10, 1, &held), 0);
	TEST_EQ(fair_sched_defer(&x.s, 10, 1, NULL), 0);
	TEST_EQ(promise(&x, 1), 10);
	close_site(&x);
}

/* A guest that starts counts for its account: the others are planned anew. */
static void guests_of_accounts(void)
{
	static const int64_t target[] = { 0, 10 };
	struct fair_config c = config_of(FAIR_SFS);
	struct fair_job j = { 0 };
	struct site x;

	c.accounts = 2;
	c.target = target;
	open_site_of(&x, &c);
	TEST_EQ(book(&x, 0, 7, 0, 100, 2, false), 0);
	j.account = 1;
	j.number = 1;
	j.procs = 5;
	j.walltime = 50;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(add(&x, 0, 2, 8, 10), 0);
	j.number = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	j.number = 4;
	j.procs = 3;
	j.walltime = 60;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(starts(&x, 0), 0);	/* 4 would delay 2 */
	TEST_EQ(invite(&x, 0, 5, 1, 10), 0);
	TEST_EQ(starts(&x, 0), 2);	/* but not 3 */
	close_site(&x);
}

/* Until a booking ends nothing happens, but who has used less is another. */
static void shares_as_a_booking_ends(void)
{
	struct fair_config c = config_of(FAIR_RELSHARE);
	struct fair_job_status status;
	struct fair_job j = { 0 };
	struct site x;

	c.users = 2;
	c.only_used = true;
	open_site_of(&x, &c);
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
	close_site(&x);
}

/* One ends as the next is withdrawn. */
static void withdrawn_as_another_ends(void)
{
	struct fair_booking b;
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 1, 0, 10, 2, false), 0);
	TEST_EQ(book(&x, 0, 2, 0, 50, 3, false), 0);
	TEST_EQ(fair_sched_unbook(&x.s, 10, 2), 0);
	TEST_CHECK(!fair_sched_booking(&x.s, 0, &b));
	close_site(&x);
}

static void at_the_end_of_time(void)
{
	const int64_t last = (int64_t)1 << 60;
	struct fair_config c = config_of(FAIR_BACKFILL);
	struct site x;

	c.origin = last - 10;
	open_site_of(&x, &c);
	TEST_EQ(book(&x, last - 10, 8, last - 5, last + 1, 1, false),
		-FAIR_EOVERFLOW);
	TEST_EQ(book(&x, last - 10, 8, last - 5, last, 1, false), 0);
	close_site(&x);
}

/* Booked less than its guests use: nobody else gains by that. */
static void less_than_its_guests(void)
{
	struct site x;
	size_t i;

	for (i = 0; i < POLICIES; i++) {
		open_site(&x, policies[i]);
		TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
		TEST_EQ(invite(&x, 0, 1, 6, 50), 0);
		TEST_EQ(starts(&x, 0), 1);
		TEST_EQ(book(&x, 0, 7, 0, 50, 3, true), 0);
		TEST_EQ(add(&x, 0, 2, 5, 10), 0);
		TEST_EQ(starts(&x, 0), 0);
		TEST_EQ(fair_sched_modify(&x.s, 0, 2, 4, 10), 0);
		TEST_EQ(starts(&x, 0), 1);
		close_site(&x);
	}
}

/* To the last second of what can be planned, from now on. */
static void as_far_as_can_be(void)
{
	struct site x;
	int64_t reach;
	size_t i;

	for (i = 0; i < POLICIES; i++) {
		open_site(&x, policies[i]);
		TEST_EQ(fair_sched_pass(&x.s, 100), 0);
		reach = fair_sched_reach(&x.s);
		TEST_EQ(book(&x, 100, 8, 100 + reach / 2, 100 + reach, 1,
			     false), -FAIR_EOVERFLOW);
		TEST_EQ(book(&x, 100, 8, 100 + reach / 2, 99 + reach, 1,
			     false), 0);
		close_site(&x);
	}
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
	x.s.booking[1].to = 0;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.booking[1].to = 5;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.booking[1].to = 7;
	x.s.booking[0].from = -9;
	x.s.booking[0].to = 0;	/* it has passed */
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.booking[0].from = 5;
	x.s.booking[0].to = 6;
	close_site(&x);
}

int main(void)
{
	TEST_RUN(nobody_runs_into_it);
	TEST_RUN(changed_and_withdrawn);
	TEST_RUN(places_before_it);
	TEST_RUN(what_crosses_them);
	TEST_RUN(running_jobs_in_the_way);
	TEST_RUN(running_jobs_by_rows);
	TEST_RUN(in_the_way_of_what);
	TEST_RUN(guests_start_as_promised);
	TEST_RUN(who_may_be_a_guest);
	TEST_RUN(moved_and_gone);
	TEST_RUN(acts_on_guests);
	TEST_RUN(guests_go_along);
	TEST_RUN(guests_of_none);
	TEST_RUN(invariants_of_guests);
	TEST_RUN(a_naive_count);
	TEST_RUN(guests_of_another);
	TEST_RUN(into_the_place_of_another);
	TEST_RUN(stopped_guest);
	TEST_RUN(guests_at_a_late_step);
	TEST_RUN(out_of_their_way);
	TEST_RUN(refused_guest);
	TEST_RUN(guests_of_accounts);
	TEST_RUN(shares_as_a_booking_ends);
	TEST_RUN(withdrawn_as_another_ends);
	TEST_RUN(at_the_end_of_time);
	TEST_RUN(less_than_its_guests);
	TEST_RUN(as_far_as_can_be);
	TEST_RUN(errors);
	return test_report();
}
