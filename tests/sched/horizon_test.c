/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A plan reaches a fixed time ahead: a walltime up to that horizon starts, a
 * longer one is refused, and a job without a place before the horizon has no
 * promise until the horizon has moved on.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

/* As far as 2^60 s nothing overflows. */
TEST(far_away)
{
	const int64_t century = INT64_C(3155760000);
	struct fair_job j;
	struct world w;
	uint32_t policy;
	int64_t now;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		j = a_job(9, 0, INT64_C(1) << 34, 1);
		if (policy == FAIR_FCFS)
			TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
		else
			TEST_EQ(fair_sched_submit(&w.s, 0, &j),
				-FAIR_EOVERFLOW);
		j = a_job(8, INT64_MIN, INT64_C(1) << 30, 1);
		TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
		submit(&w, 0, 1, 1, 5);
		submit(&w, 0, 2, 1, 5);
		step(&w, 0);
		for (now = century; now < FAIR_TIME_MAX; now *= 3) {
			step(&w, now);
			TEST_CHECK(fair_sched_next(&w.s) > now);
		}
		step(&w, FAIR_TIME_MAX);
		TEST_OK(fair_sched_modify(&w.s, FAIR_TIME_MAX, 8, 1,
					  INT64_C(1) << 30));
		TEST_EQ(fair_sched_finish(&w.s, FAIR_TIME_MAX, 8), 0);
		close_world(&w);
	}
}

#define EVENTS 14

static int any_event(struct world *w, int64_t now, int kind)
{
	const struct fair_advance a = {
		.number = 1, .from = now + 5, .to = now + 9, .procs = 2
	};
	struct fair_job j = a_job(5, now, 10, 4);
	struct fair_decision start[JOBS];
	size_t n;

	switch (kind) {
	case 0:
		return fair_sched_capacity(&w->s, now, -3, NULL, 0);
	case 1:
		return fair_sched_capacity(&w->s, now, 3, NULL, 0);
	case 2:
		return fair_sched_finish(&w->s, now, 1);
	case 3:
		return fair_sched_cancel(&w->s, now, 2);
	case 4:
		return fair_sched_modify(&w->s, now, 2, 1, 5);
	case 5:
		return fair_sched_modify(&w->s, now, 1, 4, 20);
	case 6:
		return fair_sched_requeue(&w->s, now, 1);
	case 7:
		return fair_sched_suspend(&w->s, now, 1);
	case 8:
		return fair_sched_refuse(&w->s, now, 1);
	case 9:
		return fair_sched_submit(&w->s, now, &j);
	case 10:
		return fair_sched_advance_reserve(&w->s, now, &a, true);
	case 11:
		j.procs = 3;
		return fair_sched_resize(&w->s, now, 1, &j);
	case 12:
		j.procs = 6;
		return fair_sched_resize(&w->s, now, 1, &j);
	default:
		return fair_sched_step(&w->s, now, start, JOBS, &n);
	}
}

/* Job 1 runs if @started, 2 waits; then two events, the first late. */
static int late_events(const struct fair_config *c, bool started, int64_t late,
		       int first, int second)
{
	struct world w;
	int error[2];

	open_world_of(&w, c);
	submit(&w, 0, 1, first % 2 ? 10 : 1 << 30, 4);
	submit(&w, 0, 2, 10, 10);
	if (started)
		step(&w, 0);
	error[0] = any_event(&w, late, first);
	TEST_EQ(fair_sched_check(&w.s), 0);
	error[1] = any_event(&w, late + (second & 1), second);
	TEST_EQ(fair_sched_check(&w.s), 0);
	step(&w, late + 2);
	step(&w, late + 30);
	close_world(&w);
	return !error[0] + !error[1];
}

/* The time since the last event is of no limit: it may be in milliseconds. */
TEST(events_after_any_pause)
{
	static const int32_t amount[] = { PROCS, 4 };
	const struct fair_machine_config machine = { 2, 1, 0, amount };
	const int64_t late[] = { 9, INT64_C(1) << 32, INT64_C(1700000000000),
				 INT64_C(1) << 59 };
	struct fair_config c = { .advances = 2 };
	int i, first, second, done = 0;

	for (c.policy = FAIR_FCFS; c.policy <= FAIR_DC; c.policy++)
		for (i = 0; i < 16; i++) {
			c.machine = i & 4 ? &machine : NULL;
			c.advances = i & 8 ? 2 : 0;
			for (first = 0; first < EVENTS; first++)
				for (second = 0; second < EVENTS; second++)
					done += late_events(&c, second % 3,
							    late[i & 3], first,
							    second);
		}
	TEST_CHECK(done > 10000);
}

/* Walltimes up to the horizon of the plan start; no longer ones are taken. */
TEST(walltimes_up_to_the_horizon)
{
	struct fair_job j;
	struct world w;
	uint32_t policy;
	int64_t reach;

	for (policy = FAIR_BACKFILL; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		reach = fair_sched_horizon(&w.s);
		TEST_CHECK(reach > INT64_C(68) * 365 * 86400);
		j = a_job(1, 0, reach, 1);
		TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_EOVERFLOW);
		submit(&w, 0, 1, reach - 1, 1);
		TEST_EQ(step(&w, 0), 1);
		TEST_EQ(fair_sched_refuse(&w.s, 0, 1), 0);
		TEST_EQ(step(&w, 1), 1);
		TEST_EQ(fair_sched_modify(&w.s, 2, 1, 1, reach),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_sched_modify(&w.s, 2, 1, 1, 5), 0);
		TEST_EQ(fair_sched_modify(&w.s, 3, 1, 1, reach - 1), 0);
		TEST_EQ(look(&w, 1).end, reach);
		TEST_EQ(step(&w, 3), 0);
		close_world(&w);
	}
}

/* 2,048 steps, of these jobs and two others, are 68 years more. */
TEST(horizon_by_jobs)
{
	struct fair_job j = a_job(1, 0, INT64_C(3) << 30, 1);
	struct fair_sched s;
	size_t bytes;
	void *memory;
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .procs = 1 };

	for (c.jobs = 1021; c.jobs < 1023; c.jobs++) {
		bytes = fair_sched_size(&c);
		memory = malloc(bytes);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
		TEST_EQ(fair_sched_submit(&s, 0, &j),
			c.jobs < 1022 ? -FAIR_EOVERFLOW : 0);
		free(memory);
	}
}

/* 3 has no place before the horizon, until the horizon has moved on. */
TEST(beyond_the_horizon)
{
	const int64_t half = INT64_C(1) << 30;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		submit(&w, 0, 1, half, 10);
		submit(&w, 0, 2, half, 10);
		submit(&w, 0, 3, 10, 10);
		TEST_EQ(step(&w, 0), 1);
		if (policy >= FAIR_CONSERVATIVE)
			TEST_EQ(look(&w, 2).first_promise, FAIR_FOREVER);
		TEST_EQ(fair_sched_cancel(&w.s, 1, 3), 0);
		TEST_EQ(fair_sched_finish(&w.s, half, 1), 0);
		TEST_EQ(step(&w, half), 2);
		if (policy >= FAIR_CONSERVATIVE)
			TEST_EQ(look(&w, 2).first_promise, half);
		close_world(&w);
	}
}

/* Behind 1 there is no room for 2 before the horizon, which moves on. */
TEST(place_beyond_the_horizon)
{
	struct fair_why why;
	struct site x;
	uint32_t policy;
	int64_t start;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		open_site(&x, policy, 10);
		enqueue(&x.s, 1, 10, 100);
		enqueue(&x.s, 2, 10, fair_sched_horizon(&x.s) - 1);
		enqueue(&x.s, 3, 10, 1);
		TEST_EQ(fair_sched_capacity(&x.s, 0, 1, NULL, 0), 0);
		enqueue(&x.s, 4, 11, 1);
		TEST_EQ(started(&x.s, 0), 1);
		TEST_EQ(fair_sched_capacity(&x.s, 0, -1, NULL, 0), 0);
		TEST_EQ(started(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &why), 0);
		TEST_EQ(why.promise, FAIR_FOREVER);
		TEST_CHECK(why.unknown & FAIR_UNKNOWN_UNTIL);
		TEST_EQ(fair_sched_why(&x.s, 2, x.other, x.more, &why), 0);
		TEST_EQ(why.unknown, 0);
		TEST_EQ(why.until, 101);
		TEST_EQ(fair_sched_estimate(&x.s, 2, NULL, 0, &start),
			-FAIR_ENOMEM);
		TEST_OK(fair_sched_estimate(&x.s, 2, x.other, x.more, &start));
		TEST_EQ(start, 101);
		/* A promise, and what is wider than the machine. */
		TEST_EQ(fair_sched_estimate(&x.s, 3, NULL, 0, &start), 0);
		TEST_EQ(start, 100);
		TEST_EQ(fair_sched_estimate(&x.s, 4, NULL, 0, &start), 0);
		TEST_EQ(start, FAIR_FOREVER);
		TEST_EQ(fair_sched_finish(&x.s, 100, 1), 0);
		TEST_EQ(started(&x.s, 100), 3);
		TEST_EQ(fair_sched_finish(&x.s, 101, 3), 0);
		TEST_EQ(started(&x.s, 101), 2);
		close_site(&x);
	}
}

/* A job without a promise waits for another to end. */
TEST(no_promise)
{
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE, 10);
	enqueue(&x.s, 1, 10, 100);
	enqueue(&x.s, 2, 10, fair_sched_horizon(&x.s) - 1);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(in_future(&x, 2), 10);
	close_site(&x);
}
