/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that the events of fairsched.h document, under every policy: not a
 * byte changes.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/scene.h"

static void of_submit(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, fair_sched_submit(s, 5, NULL), EINVAL, "no job");
	FAULT(w, fair_sched_submit(s, 4, job(50, 4, 10, 1)),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_submit(s, LATER, job(50, 4, 10, 1)),
	      EINVAL, "the clock is out of range");
	FAULT(w, fair_sched_submit(s, 9, job(50, 10, 10, 1)),
	      EINVAL, "submitted in the future");
	FAULT(w, fair_sched_submit(s, 9, job(50, 5, 0, 1)),
	      EINVAL, "no walltime");
	FAULT(w, fair_sched_submit(s, 9, job(50, 5, 10, 0)),
	      EINVAL, "no processors");
	FAULT(w, fair_sched_submit(s, 9, job(1, 5, 10, 1)),
	      EINVAL, "a number that runs");
	FAULT(w, fair_sched_submit(s, 9, job(3, 5, 10, 1)),
	      EINVAL, "a number that waits");
	FAULT(w, fair_sched_submit(s, 9, job(7, 5, 10, 1)),
	      EINVAL, "an ineligible number");
	FAULT(w, fair_sched_submit(s, 9, array(2, 2)),
	      EINVAL, "a task's number that waits");
	FAULT(w, fair_sched_submit(s, 9, array(6, 2)),
	      EINVAL, "a task's number, ineligible");
	FAULT(w, fair_sched_submit(s, 9, array(UINT64_MAX - 1, 2)),
	      EINVAL, "no numbers for the tasks");
	FAULT(w, fair_sched_submit(s, 9, bound(8, 10, 1)),
	      ENOENT, "no such reservation");
	FAULT(w, fair_sched_submit(s, 9, job(50, 5, 10, PROCS + 1)),
	      ERANGE, "wider than the machine was");
	FAULT(w, fair_sched_submit(s, 9, job(50, 5, FAIR_WALLTIME_MAX + 1, 1)),
	      EOVERFLOW, "walltime");
	if (w->s.planner->promises)
		FAULT(w,
		      fair_sched_submit(s, 9,
					job(50, 5, fair_sched_horizon(s), 1)),
		      EOVERFLOW, "the horizon");
}

static void of_submit_ineligible(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, fair_sched_submit_ineligible(s, 5, NULL, until(0, 0)),
	      EINVAL, "no job");
	FAULT(w, fair_sched_submit_ineligible(s, 4, job(50, 4, 10, 1),
					      until(0, 0)),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_submit_ineligible(s, 9, job(50, 5, 10, 1),
					      until(60, FAIR_AFTER_OK)),
	      ENOENT, "waits for none");
	FAULT(w, fair_sched_submit_ineligible(s, 9, job(50, 5, 10, 1),
					      until(50, FAIR_AFTER_ANY)),
	      ENOENT, "waits for itself");
	FAULT(w,
	      fair_sched_submit_ineligible(s, 9, job(50, 5, 10, 1),
					   until(1, FAIR_AFTER_NEVER_SATISFIED)),
	      EINVAL, "no such end");
	FAULT(w, fair_sched_submit_ineligible(s, 9, job(50, 5, 10, PROCS + 1),
					      until(0, 0)),
	      ERANGE, "as for submit");
	FAULT(w,
	      fair_sched_submit_ineligible(s, 9,
					   job(50, 5, FAIR_WALLTIME_MAX + 1, 1),
					   until(0, 0)),
	      EOVERFLOW, "as for submit");
}

static void of_waiting_and_running(struct world *w)
{
	static const uint64_t ends[] = { 3, 1, 50 };
	struct fair_sched *s = &w->s;

	FAULT(w, fair_sched_defer(s, 4, 3, NULL), ETIME, "the clock goes back");
	FAULT(w, fair_sched_defer(s, 9, 50, NULL), ENOENT, "not live");
	FAULT(w, fair_sched_defer(s, 9, 1, NULL), EINVAL, "runs");
	FAULT(w, fair_sched_defer(s, 9, 3, until(50, FAIR_AFTER_ANY)),
	      ENOENT, "waits for none");
	FAULT(w, fair_sched_defer(s, 9, 3,
				  until(50, FAIR_AFTER_NEVER_SATISFIED)),
	      EINVAL, "no such end");
	FAULT(w, fair_sched_defer(s, 9, 3, until(3, FAIR_AFTER_ANY)),
	      EINVAL, "waits for itself");
	FAULT(w, fair_sched_requeue(s, 4, 1), ETIME, "the clock goes back");
	FAULT(w, fair_sched_requeue(s, 9, 50), ENOENT, "not live");
	FAULT(w, fair_sched_requeue(s, LATER, 1),
	      EINVAL, "the clock is out of range");
	FAULT(w, fair_sched_requeue(s, 9, 3), EINVAL, "waits");
	FAULT(w, fair_sched_finish(s, 4, 1), ETIME, "the clock goes back");
	FAULT(w, fair_sched_finish(s, LATER, 1),
	      EINVAL, "the clock is out of range");
	FAULT(w, fair_sched_finish(s, 9, 50), ENOENT, "not live");
	FAULT(w, fair_sched_finish(s, 9, 3), EINVAL, "waits");
	FAULT(w, fair_sched_finish(s, 9, 7), EINVAL, "is ineligible");
	FAULT(w, fair_sched_finish_many(s, 4, ends, NULL, 1),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_finish_many(s, 9, ends, NULL, 2), EINVAL, "waits");
	FAULT(w, fair_sched_finish_many(s, 9, ends, NULL, 3),
	      EINVAL, "the first that is wrong");
	FAULT(w, fair_sched_finish_many(s, 9, ends + 2, NULL, 1),
	      ENOENT, "not live");
	FAULT(w, fair_sched_cancel(s, 4, 3), ETIME, "the clock goes back");
	FAULT(w, fair_sched_cancel(s, 4, 1), ETIME, "the clock goes back");
	FAULT(w, fair_sched_cancel(s, LATER, 3),
	      EINVAL, "the clock is out of range");
	FAULT(w, fair_sched_cancel(s, 9, 50), ENOENT, "not live");
	FAULT(w, fair_sched_modify(s, 4, 3, 1, 1),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_modify(s, 9, 50, 1, 1), ENOENT, "not live");
	FAULT(w, fair_sched_modify(s, 9, 1, 5, 50), EINVAL, "runs with others");
	FAULT(w, fair_sched_modify(s, 9, 3, 0, 10), EINVAL, "no processors");
	FAULT(w, fair_sched_modify(s, 9, 7, 1, 0), EINVAL, "no walltime");
	FAULT(w, fair_sched_modify(s, 9, 3, PROCS + 1, 10),
	      ERANGE, "wider than the machine was");
	FAULT(w, fair_sched_modify(s, 9, 1, 6, FAIR_WALLTIME_MAX + 1),
	      EOVERFLOW, "walltime");
	FAULT(w, fair_sched_refuse(s, 4, 1), ETIME, "the clock goes back");
	FAULT(w, fair_sched_refuse(s, 6, 1), EINVAL, "not now");
	FAULT(w, fair_sched_refuse(s, 5, 50), ENOENT, "not live");
	FAULT(w, fair_sched_refuse(s, 5, 3), EINVAL, "waits");
	FAULT(w, fair_sched_refuse(s, 5, 1), EINVAL, "started before");
	FAULT(w, fair_sched_refuse_until(s, 4, 1, 9),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_refuse_until(s, 5, 50, 9), ENOENT, "not live");
	FAULT(w, fair_sched_refuse_until(s, 5, 3, 9), EINVAL, "waits");
	FAULT(w, fair_sched_retry(s, 4, 3), ETIME, "the clock goes back");
	FAULT(w, fair_sched_retry(s, 5, 50), ENOENT, "not live");
	FAULT(w, fair_sched_retry(s, 5, 1), EINVAL, "runs");
}

static void of_capacity(struct world *w)
{
	const uint64_t one = 1, twice[2] = { 2, 2 }, mixed[2] = { 1, 3 };
	const uint64_t none = 50;
	struct fair_sched *s = &w->s;

	FAULT(w, fair_sched_capacity(s, 4, 1, NULL, 0),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_capacity(s, 9, 0, NULL, 0), EINVAL, "nothing");
	FAULT(w, fair_sched_capacity(s, 9, -1, NULL, 1),
	      EINVAL, "no victim is named");
	FAULT(w, fair_sched_capacity(s, 9, 1, &one, 1),
	      EINVAL, "a gain has no victim");
	FAULT(w, fair_sched_capacity(s, 9, -1, &none, 1),
	      ENOENT, "a victim is not live");
	FAULT(w, fair_sched_capacity(s, 9, -1, mixed, 2),
	      EINVAL, "a victim waits");
	FAULT(w, fair_sched_capacity(s, 9, -1, twice, 2),
	      EINVAL, "a victim twice");
	FAULT(w, fair_sched_capacity(s, 9, -1, NULL, 0),
	      ERANGE, "all are in use");
	FAULT(w, fair_sched_capacity(s, 9, -7, &one, 1),
	      ERANGE, "one more than victims have");
	FAULT(w, fair_sched_capacity(s, 9, INT32_MIN, &one, 1),
	      ERANGE, "as many as can be lost");
	FAULT(w, fair_sched_capacity(s, 9, INT32_MAX - PROCS + 1, NULL, 0),
	      EOVERFLOW, "one too many");
}

static void of_step(struct world *w)
{
	struct fair_decision start[1] = { { 77, 77, 77, 77 } };
	struct fair_priority_parts parts;
	struct fair_job_status status;
	struct fair_sched *s = &w->s;
	size_t n = 77;

	FAULT(w, fair_sched_step(s, 4, start, 1, &n),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_step(s, LATER, start, 1, &n),
	      EINVAL, "the clock is out of range");
	FAULT(w, fair_sched_step(s, 5, NULL, 1, &n),
	      EINVAL, "nowhere to write starts");
	FAULT(w, fair_sched_step(s, 5, start, 1, NULL),
	      EINVAL, "nowhere to write how many");
	TEST_CHECK(n == 77 && start->number == 77);
	FAULT(w, fair_sched_pass_time(s, 4), ETIME, "the clock goes back");
	FAULT(w, fair_sched_pass_time(s, LATER),
	      EINVAL, "the clock is out of range");
	memset(&parts, 0x5a, sizeof(parts));
	FAULT(w, fair_sched_priority_parts(s, 50, &parts), ENOENT, "not live");
	FAULT(w, fair_sched_priority_parts(s, 1, &parts), EINVAL, "runs");
	FAULT(w, fair_sched_priority_parts(s, 7, &parts),
	      EINVAL, "is ineligible");
	FAULT(w, fair_sched_priority_parts(s, 3, NULL),
	      EINVAL, "nowhere to write");
	if (w->config.policy != FAIR_MAUI)
		FAULT(w, fair_sched_priority_parts(s, 3, &parts),
		      EINVAL, "another policy");
	TEST_EQ(parts.priority, INT64_C(0x5a5a5a5a5a5a5a5a));
	memset(&status, 0x5a, sizeof(status));
	FAULT(w, fair_sched_lookup(s, 50, &status), ENOENT, "not live");
	FAULT(w, fair_sched_lookup(s, 1, NULL), EINVAL, "nowhere to write");
	TEST_EQ(status.moves, 0x5a5a5a5a);
}

TEST(events)
{
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 0);
		of_submit(&w);
		of_submit_ineligible(&w);
		of_waiting_and_running(&w);
		of_capacity(&w);
		of_step(&w);
		TEST_OK(fair_sched_capacity(&w.s, 5, INT32_MAX - PROCS, NULL,
					    0));
		close_world(&w);
	}
}

/* More than the ledger of a window can count. */
TEST(growth_beyond_a_window)
{
	struct fair_config c = config_of(FAIR_RELSHARE);
	struct world w;

	c.window = FAIR_RELSHARE_LIMIT / (PROCS + 1);
	open_world_of(&w, &c);
	TEST_EQ(fair_sched_capacity(&w.s, 0, 1, NULL, 0), 0);
	keep(&w);
	FAULT(&w, fair_sched_capacity(&w.s, 0, 1, NULL, 0),
	      EOVERFLOW, "a window's usage");
	TEST_EQ(fair_sched_capacity(&w.s, 0, -11, NULL, 0), 0);
	close_world(&w);
}

TEST(no_room)
{
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 0);
		TEST_EQ(submit_held(&w, 5, 8), 0);
		TEST_EQ(submit_held(&w, 5, 9), 0);
		keep(&w);
		FAULT(&w, fair_sched_submit_ineligible(&w.s, 9,
						       job(50, 5, 10, 1),
						       until(0, 0)),
		      ENOSPC, "config.ineligible");
		FAULT(&w, fair_sched_defer(&w.s, 9, 3, until(0, 0)),
		      ENOSPC, "config.ineligible");
		crowd(&w);
		FAULT(&w, fair_sched_submit(&w.s, 9, job(50, 5, 10, 1)),
		      ENOSPC, "config.jobs");
		TEST_EQ(fair_sched_cancel(&w.s, 5, 8), 0);
		keep(&w);
		FAULT(&w, fair_sched_submit(&w.s, 9, array(50, 2)),
		      ENOSPC, "an array is two");
		TEST_EQ(fair_sched_submit(&w.s, 5, job(51, 5, 10, 1)), 0);
		keep(&w);
		FAULT(&w, fair_sched_submit_ineligible(&w.s, 9,
						       job(50, 5, 10, 1),
						       until(0, 0)),
		      ENOSPC, "config.jobs");
		close_world(&w);
	}
}

TEST(fields)
{
	struct fair_config c = config_of(FAIR_BACKFILL);
	struct fair_job j = a_job(50, 5, 10, 4);
	struct world w;

	open_scene(&w, FAIR_SFS, 0);
	j.account = 1;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j), ENOENT, "no such account");
	close_world(&w);
	open_scene(&w, FAIR_RELSHARE, 0);
	j.account = 0;
	j.user = 2;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j), ENOENT, "no such user");
	close_world(&w);
	open_scene(&w, FAIR_MAUI, 0);
	FAULT(&w, fair_sched_submit(&w.s, 9, &j), ENOENT, "Maui's user");
	j.user = 1;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j), ERANGE, "not even alone");
	j.procs = 3;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	keep(&w);
	FAULT(&w, fair_sched_modify(&w.s, 9, 50, 4, 10),
	      ERANGE, "not even alone");
	close_world(&w);
	c.order = FAIR_ORDER_USAGE;
	open_world_of(&w, &c);
	keep(&w);
	j.user = 2;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j), ENOENT, "the ledger's user");
	j.user = 0;
	j.penalty = -1;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j), EINVAL, "a negative penalty");
	j.penalty = FAIR_RATE_MAX + 1;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j),
	      EINVAL, "too large a penalty");
	j.penalty = FAIR_RATE_MAX;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	close_world(&w);
	c.order = FAIR_ORDER_TWO_TERM;
	open_world_of(&w, &c);
	keep(&w);
	j.submit = -FAIR_TIME_MAX - 1;
	FAULT(&w, fair_sched_submit(&w.s, 9, &j),
	      EINVAL, "submitted too long ago");
	j.submit++;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	close_world(&w);
}

static void of_book(struct world *w)
{
	struct fair_advance odd = *advance(8, 300, 310, 1);
	struct fair_sched *s = &w->s;
	int64_t reach = fair_sched_horizon(s);

	odd.kind = FAIR_ADVANCE_USER + 1;
	FAULT(w, fair_sched_advance_reserve(s, 9, NULL, true), EINVAL, "none");
	FAULT(w, fair_sched_advance_reserve(s, 4, advance(8, 300, 310, 1),
					    true),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_advance_reserve(s, 9, advance(8, 300, 300, 1),
					    true), EINVAL, "no second");
	FAULT(w, fair_sched_advance_reserve(s, 9, advance(8, 0, 9, 1), true),
	      ETIME, "over by then");
	FAULT(w, fair_sched_advance_reserve(s, 9, advance(8, 300, 310, 0),
					    true), EINVAL, "no processors");
	FAULT(w, fair_sched_advance_reserve(s, 9, &odd, true),
	      EINVAL, "no such kind");
	FAULT(w, fair_sched_advance_reserve(s, 9,
					    advance(8, 300, 310, PROCS + 1),
					    true),
	      ERANGE, "wider than the machine was");
	FAULT(w, fair_sched_advance_reserve(s, 9, advance(8, 300, LATER, 1),
					    true), EOVERFLOW, "at no time");
	FAULT(w, fair_sched_advance_reserve(s, 9, advance(8, 300, 9 + reach, 1),
					    true), EOVERFLOW, "the horizon");
	FAULT(w, fair_sched_advance_reserve(s, 9, advance(8, 300, 310, 1),
					    true), ENOSPC, "config.advances");
	FAULT(w, fair_sched_advance_cancel(s, 4, 9),
	      ETIME, "the clock goes back");
	FAULT(w, fair_sched_advance_cancel(s, LATER, 9),
	      EINVAL, "the clock is out of range");
	FAULT(w, fair_sched_advance_cancel(s, 9, 8),
	      ENOENT, "none of this number");
	FAULT(w, fair_sched_submit(s, 230, bound(9, 1, 1)),
	      ENOENT, "its reservation is over by then");
	FAULT(w, fair_sched_submit(s, 9, bound(9, 1, 7)),
	      ERANGE, "wider than its reservation");
	FAULT(w, fair_sched_submit(s, 9, bound(9, 31, 6)),
	      EOVERFLOW, "longer than its reservation");
	FAULT(w, fair_sched_submit(s, 220, bound(9, 11, 6)),
	      EOVERFLOW, "what is left of it");
	/* Time passes, but it was 5 before. */
	FAULT(w, fair_sched_advance_reserve(s, 5, advance(9, 20, 30, 1), false),
	      ERANGE, "no room, not forced");
}

TEST(advances)
{
	struct fair_advance maintenance = { 9, 200, 230, 6, FAIR_ADVANCE_MAINTENANCE,
					    0, 0, { 0 }, 0, 0 };
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 1);
		of_book(&w);
		TEST_EQ(fair_sched_advance_reserve(&w.s, 5, &maintenance, false), 0);
		keep(&w);
		FAULT(&w, fair_sched_submit(&w.s, 9, bound(9, 1, 1)),
		      EINVAL, "it has no reservation jobs");
		close_world(&w);
	}
}
