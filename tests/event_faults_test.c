/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that the events of fairsched.h document, under every policy: not
 * a byte changes. tests/documented_faults_test.py compares the first strings
 * with what is documented.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/scene.h"

static void of_submit(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no job",
	      fair_sched_submit(s, 5, NULL));
	FAULT(w, "fair_sched_submit: -FAIR_ETIME the clock goes back",
	      fair_sched_submit(s, 4, job(50, 4, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL the clock is out of range",
	      fair_sched_submit(s, LATER, job(50, 4, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL submitted in the future",
	      fair_sched_submit(s, 9, job(50, 10, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no walltime",
	      fair_sched_submit(s, 9, job(50, 5, 0, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no processors",
	      fair_sched_submit(s, 9, job(50, 5, 10, 0)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a number that runs",
	      fair_sched_submit(s, 9, job(1, 5, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a number that waits",
	      fair_sched_submit(s, 9, job(3, 5, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a number that is set aside",
	      fair_sched_submit(s, 9, job(7, 5, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a task's number that waits",
	      fair_sched_submit(s, 9, array(2, 2)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a task's number that is aside",
	      fair_sched_submit(s, 9, array(6, 2)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no numbers for the tasks",
	      fair_sched_submit(s, 9, array(UINT64_MAX - 1, 2)));
	FAULT(w, "fair_sched_submit: -FAIR_ENOENT no such booking",
	      fair_sched_submit(s, 9, bound(8, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_ERANGE wider than the machine was",
	      fair_sched_submit(s, 9, job(50, 5, 10, PROCS + 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW walltime",
	      fair_sched_submit(s, 9, job(50, 5, FAIR_WALLTIME_MAX + 1, 1)));
	if (w->s.planner->promises)
		FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW the horizon",
		      fair_sched_submit(s, 9,
					job(50, 5, fair_sched_horizon(s), 1)));
}

static void of_submit_aside(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_submit_ineligible: -FAIR_EINVAL no job",
	      fair_sched_submit_ineligible(s, 5, NULL, until(0, 0)));
	FAULT(w, "fair_sched_submit_ineligible: -FAIR_ETIME the clock goes back",
	      fair_sched_submit_ineligible(s, 4, job(50, 4, 10, 1), until(0, 0)));
	FAULT(w, "fair_sched_submit_ineligible: -FAIR_ENOENT waits for none",
	      fair_sched_submit_ineligible(s, 9, job(50, 5, 10, 1),
				      until(60, FAIR_AFTER_OK)));
	FAULT(w, "fair_sched_submit_ineligible: -FAIR_ENOENT waits for itself",
	      fair_sched_submit_ineligible(s, 9, job(50, 5, 10, 1),
				      until(50, FAIR_AFTER_ANY)));
	FAULT(w, "fair_sched_submit_ineligible: -FAIR_EINVAL no such end",
	      fair_sched_submit_ineligible(s, 9, job(50, 5, 10, 1),
				      until(1, FAIR_AFTER_NEVER_SATISFIED)));
	FAULT(w, "fair_sched_submit_ineligible: -FAIR_ERANGE as for submit",
	      fair_sched_submit_ineligible(s, 9, job(50, 5, 10, PROCS + 1),
				      until(0, 0)));
	FAULT(w, "fair_sched_submit_ineligible: -FAIR_EOVERFLOW as for submit",
	      fair_sched_submit_ineligible(s, 9,
				      job(50, 5, FAIR_WALLTIME_MAX + 1, 1),
				      until(0, 0)));
}

static void of_waiting_and_running(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_defer: -FAIR_ETIME the clock goes back",
	      fair_sched_defer(s, 4, 3, NULL));
	FAULT(w, "fair_sched_defer: -FAIR_ENOENT not live",
	      fair_sched_defer(s, 9, 50, NULL));
	FAULT(w, "fair_sched_defer: -FAIR_EINVAL runs",
	      fair_sched_defer(s, 9, 1, NULL));
	FAULT(w, "fair_sched_defer: -FAIR_ENOENT waits for none",
	      fair_sched_defer(s, 9, 3, until(50, FAIR_AFTER_ANY)));
	FAULT(w, "fair_sched_defer: -FAIR_EINVAL no such end",
	      fair_sched_defer(s, 9, 3, until(50, FAIR_AFTER_NEVER_SATISFIED)));
	FAULT(w, "fair_sched_defer: -FAIR_EINVAL waits for itself",
	      fair_sched_defer(s, 9, 3, until(3, FAIR_AFTER_ANY)));
	FAULT(w, "fair_sched_requeue: -FAIR_ETIME the clock goes back",
	      fair_sched_requeue(s, 4, 1));
	FAULT(w, "fair_sched_requeue: -FAIR_ENOENT not live",
	      fair_sched_requeue(s, 9, 50));
	FAULT(w, "fair_sched_requeue: -FAIR_EINVAL the clock is out of range",
	      fair_sched_requeue(s, LATER, 1));
	FAULT(w, "fair_sched_requeue: -FAIR_EINVAL waits",
	      fair_sched_requeue(s, 9, 3));
	FAULT(w, "fair_sched_finish: -FAIR_ETIME the clock goes back",
	      fair_sched_finish(s, 4, 1));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL the clock is out of range",
	      fair_sched_finish(s, LATER, 1));
	FAULT(w, "fair_sched_finish: -FAIR_ENOENT not live",
	      fair_sched_finish(s, 9, 50));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL waits",
	      fair_sched_finish(s, 9, 3));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL is set aside",
	      fair_sched_finish(s, 9, 7));
	FAULT(w, "fair_sched_cancel: -FAIR_ETIME the clock goes back",
	      fair_sched_cancel(s, 4, 3));
	FAULT(w, "fair_sched_cancel: -FAIR_ETIME the clock goes back",
	      fair_sched_cancel(s, 4, 1));
	FAULT(w, "fair_sched_cancel: -FAIR_EINVAL the clock is out of range",
	      fair_sched_cancel(s, LATER, 3));
	FAULT(w, "fair_sched_cancel: -FAIR_ENOENT not live",
	      fair_sched_cancel(s, 9, 50));
	FAULT(w, "fair_sched_modify: -FAIR_ETIME the clock goes back",
	      fair_sched_modify(s, 4, 3, 1, 1));
	FAULT(w, "fair_sched_modify: -FAIR_ENOENT not live",
	      fair_sched_modify(s, 9, 50, 1, 1));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL runs with others",
	      fair_sched_modify(s, 9, 1, 5, 50));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL no processors",
	      fair_sched_modify(s, 9, 3, 0, 10));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL no walltime",
	      fair_sched_modify(s, 9, 7, 1, 0));
	FAULT(w, "fair_sched_modify: -FAIR_ERANGE wider than the machine was",
	      fair_sched_modify(s, 9, 3, PROCS + 1, 10));
	FAULT(w, "fair_sched_modify: -FAIR_EOVERFLOW walltime",
	      fair_sched_modify(s, 9, 1, 6, FAIR_WALLTIME_MAX + 1));
	FAULT(w, "fair_sched_refuse: -FAIR_ETIME the clock goes back",
	      fair_sched_refuse(s, 4, 1));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL not now",
	      fair_sched_refuse(s, 6, 1));
	FAULT(w, "fair_sched_refuse: -FAIR_ENOENT not live",
	      fair_sched_refuse(s, 5, 50));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL waits",
	      fair_sched_refuse(s, 5, 3));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL started before",
	      fair_sched_refuse(s, 5, 1));
	FAULT(w, "fair_sched_retry: -FAIR_ETIME the clock goes back",
	      fair_sched_retry(s, 4, 3));
	FAULT(w, "fair_sched_retry: -FAIR_ENOENT not live",
	      fair_sched_retry(s, 5, 50));
	FAULT(w, "fair_sched_retry: -FAIR_EINVAL runs",
	      fair_sched_retry(s, 5, 1));
}

static void of_capacity(struct world *w)
{
	const uint64_t one = 1, twice[2] = { 2, 2 }, mixed[2] = { 1, 3 };
	const uint64_t none = 50;
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_capacity: -FAIR_ETIME the clock goes back",
	      fair_sched_capacity(s, 4, 1, NULL, 0));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL nothing",
	      fair_sched_capacity(s, 9, 0, NULL, 0));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL no victim is named",
	      fair_sched_capacity(s, 9, -1, NULL, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a gain has no victim",
	      fair_sched_capacity(s, 9, 1, &one, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_ENOENT a victim is not live",
	      fair_sched_capacity(s, 9, -1, &none, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a victim waits",
	      fair_sched_capacity(s, 9, -1, mixed, 2));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a victim twice",
	      fair_sched_capacity(s, 9, -1, twice, 2));
	FAULT(w, "fair_sched_capacity: -FAIR_ERANGE all are in use",
	      fair_sched_capacity(s, 9, -1, NULL, 0));
	FAULT(w, "fair_sched_capacity: -FAIR_ERANGE one more than victims have",
	      fair_sched_capacity(s, 9, -7, &one, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_ERANGE as many as can be lost",
	      fair_sched_capacity(s, 9, INT32_MIN, &one, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EOVERFLOW one too many",
	      fair_sched_capacity(s, 9, INT32_MAX - PROCS + 1, NULL, 0));
}

static void of_step(struct world *w)
{
	struct fair_decision start[1] = { { 77, 77, 77, 77 } };
	struct fair_priority_parts parts;
	struct fair_job_status status;
	struct fair_sched *s = &w->s;
	size_t n = 77;

	FAULT(w, "fair_sched_step: -FAIR_ETIME the clock goes back",
	      fair_sched_step(s, 4, start, 1, &n));
	FAULT(w, "fair_sched_step: -FAIR_EINVAL the clock is out of range",
	      fair_sched_step(s, LATER, start, 1, &n));
	FAULT(w, "fair_sched_step: -FAIR_EINVAL nowhere to write starts",
	      fair_sched_step(s, 5, NULL, 1, &n));
	FAULT(w, "fair_sched_step: -FAIR_EINVAL nowhere to write how many",
	      fair_sched_step(s, 5, start, 1, NULL));
	TEST_CHECK(n == 77 && start->number == 77);
	FAULT(w, "fair_sched_pass_time: -FAIR_ETIME the clock goes back",
	      fair_sched_pass_time(s, 4));
	FAULT(w, "fair_sched_pass_time: -FAIR_EINVAL the clock is out of range",
	      fair_sched_pass_time(s, LATER));
	memset(&parts, 0x5a, sizeof(parts));
	FAULT(w, "fair_sched_priority_parts: -FAIR_ENOENT not live",
	      fair_sched_priority_parts(s, 50, &parts));
	FAULT(w, "fair_sched_priority_parts: -FAIR_EINVAL runs",
	      fair_sched_priority_parts(s, 1, &parts));
	FAULT(w, "fair_sched_priority_parts: -FAIR_EINVAL is set aside",
	      fair_sched_priority_parts(s, 7, &parts));
	FAULT(w, "fair_sched_priority_parts: -FAIR_EINVAL nowhere to write",
	      fair_sched_priority_parts(s, 3, NULL));
	if (w->config.policy != FAIR_MAUI)
		FAULT(w, "fair_sched_priority_parts: -FAIR_EINVAL another policy",
		      fair_sched_priority_parts(s, 3, &parts));
	TEST_EQ(parts.priority, INT64_C(0x5a5a5a5a5a5a5a5a));
	memset(&status, 0x5a, sizeof(status));
	FAULT(w, "fair_sched_lookup: -FAIR_ENOENT not live",
	      fair_sched_lookup(s, 50, &status));
	FAULT(w, "fair_sched_lookup: -FAIR_EINVAL nowhere to write",
	      fair_sched_lookup(s, 1, NULL));
	TEST_EQ(status.moves, 0x5a5a5a5a);
}

TEST(events)
{
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 0);
		of_submit(&w);
		of_submit_aside(&w);
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
	FAULT(&w, "fair_sched_capacity: -FAIR_EOVERFLOW a window's usage",
	      fair_sched_capacity(&w.s, 0, 1, NULL, 0));
	TEST_EQ(fair_sched_capacity(&w.s, 0, -11, NULL, 0), 0);
	close_world(&w);
}

TEST(no_room)
{
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 0);
		TEST_EQ(put_aside(&w, 5, 8), 0);
		TEST_EQ(put_aside(&w, 5, 9), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit_ineligible: -FAIR_ENOSPC config.aside",
		      fair_sched_submit_ineligible(&w.s, 9, job(50, 5, 10, 1),
					      until(0, 0)));
		FAULT(&w, "fair_sched_defer: -FAIR_ENOSPC config.aside",
		      fair_sched_defer(&w.s, 9, 3, until(0, 0)));
		crowd(&w);
		FAULT(&w, "fair_sched_submit: -FAIR_ENOSPC config.jobs",
		      fair_sched_submit(&w.s, 9, job(50, 5, 10, 1)));
		TEST_EQ(fair_sched_cancel(&w.s, 5, 8), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit: -FAIR_ENOSPC an array is two",
		      fair_sched_submit(&w.s, 9, array(50, 2)));
		TEST_EQ(fair_sched_submit(&w.s, 5, job(51, 5, 10, 1)), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit_ineligible: -FAIR_ENOSPC config.jobs",
		      fair_sched_submit_ineligible(&w.s, 9, job(50, 5, 10, 1),
					      until(0, 0)));
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
	FAULT(&w, "fair_sched_submit: -FAIR_ENOENT no such account",
	      fair_sched_submit(&w.s, 9, &j));
	close_world(&w);
	open_scene(&w, FAIR_RELSHARE, 0);
	j.account = 0;
	j.user = 2;
	FAULT(&w, "fair_sched_submit: -FAIR_ENOENT no such user",
	      fair_sched_submit(&w.s, 9, &j));
	close_world(&w);
	open_scene(&w, FAIR_MAUI, 0);
	FAULT(&w, "fair_sched_submit: -FAIR_ENOENT Maui's user",
	      fair_sched_submit(&w.s, 9, &j));
	j.user = 1;
	FAULT(&w, "fair_sched_submit: -FAIR_ERANGE not even alone",
	      fair_sched_submit(&w.s, 9, &j));
	j.procs = 3;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	keep(&w);
	FAULT(&w, "fair_sched_modify: -FAIR_ERANGE not even alone",
	      fair_sched_modify(&w.s, 9, 50, 4, 10));
	close_world(&w);
	c.order = FAIR_ORDER_USAGE;
	open_world_of(&w, &c);
	keep(&w);
	j.user = 2;
	FAULT(&w, "fair_sched_submit: -FAIR_ENOENT the ledger's user",
	      fair_sched_submit(&w.s, 9, &j));
	j.user = 0;
	j.penalty = -1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL a negative penalty",
	      fair_sched_submit(&w.s, 9, &j));
	j.penalty = FAIR_RATE_MAX + 1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL too large a penalty",
	      fair_sched_submit(&w.s, 9, &j));
	j.penalty = FAIR_RATE_MAX;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	close_world(&w);
	c.order = FAIR_ORDER_TWO_TERM;
	open_world_of(&w, &c);
	keep(&w);
	j.submit = -FAIR_TIME_MAX - 1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL submitted too long ago",
	      fair_sched_submit(&w.s, 9, &j));
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
	FAULT(w, "fair_sched_advance_reserve: -FAIR_EINVAL none",
	      fair_sched_advance_reserve(s, 9, NULL, true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_ETIME the clock goes back",
	      fair_sched_advance_reserve(s, 4, advance(8, 300, 310, 1), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_EINVAL no second",
	      fair_sched_advance_reserve(s, 9, advance(8, 300, 300, 1), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_ETIME over by then",
	      fair_sched_advance_reserve(s, 9, advance(8, 0, 9, 1), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_EINVAL no processors",
	      fair_sched_advance_reserve(s, 9, advance(8, 300, 310, 0), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_EINVAL no such kind",
	      fair_sched_advance_reserve(s, 9, &odd, true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_ERANGE wider than the machine was",
	      fair_sched_advance_reserve(s, 9, advance(8, 300, 310, PROCS + 1), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_EOVERFLOW at no time",
	      fair_sched_advance_reserve(s, 9, advance(8, 300, LATER, 1), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_EOVERFLOW the horizon",
	      fair_sched_advance_reserve(s, 9, advance(8, 300, 9 + reach, 1), true));
	FAULT(w, "fair_sched_advance_reserve: -FAIR_ENOSPC config.bookings",
	      fair_sched_advance_reserve(s, 9, advance(8, 300, 310, 1), true));
	FAULT(w, "fair_sched_advance_cancel: -FAIR_ETIME the clock goes back",
	      fair_sched_advance_cancel(s, 4, 9));
	FAULT(w, "fair_sched_advance_cancel: -FAIR_EINVAL the clock is out of range",
	      fair_sched_advance_cancel(s, LATER, 9));
	FAULT(w, "fair_sched_advance_cancel: -FAIR_ENOENT none of this number",
	      fair_sched_advance_cancel(s, 9, 8));
	FAULT(w, "fair_sched_submit: -FAIR_ENOENT its booking is over by then",
	      fair_sched_submit(s, 230, bound(9, 1, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_ERANGE wider than its booking",
	      fair_sched_submit(s, 9, bound(9, 1, 7)));
	FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW longer than its booking",
	      fair_sched_submit(s, 9, bound(9, 31, 6)));
	FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW what is left of it",
	      fair_sched_submit(s, 220, bound(9, 11, 6)));
	/* Time passes, but it was 5 before. */
	FAULT(w, "fair_sched_advance_reserve: -FAIR_ERANGE no room, not forced",
	      fair_sched_advance_reserve(s, 5, advance(9, 20, 30, 1), false));
}

TEST(advances)
{
	struct fair_advance maintenance = { 9, 200, 230, 6, FAIR_ADVANCE_MAINTENANCE,
					    0, 0, { 0 } };
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 1);
		of_book(&w);
		TEST_EQ(fair_sched_advance_reserve(&w.s, 5, &maintenance, false), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit: -FAIR_EINVAL it has no guests",
		      fair_sched_submit(&w.s, 9, bound(9, 1, 1)));
		close_world(&w);
	}
}
