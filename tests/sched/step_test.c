/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A step starts every job that may start now, in as many calls as the caller
 * has room for; fair_sched_next() says when the next step is due, and
 * fair_sched_each() lists the jobs in the order of the plan.
 */
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

TEST(extreme_numbers)
{
	struct fair_job_status j;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 2);
		submit(&w, 0, 5, 10, 10);
		TEST_EQ(step(&w, 0), 5);
		submit(&w, 0, UINT64_MAX, 10, 10);
		submit(&w, 0, 0, 10, 10);
		submit(&w, 0, UINT64_MAX - 1, 10, 1);
		TEST_EQ(step(&w, 1), 0);
		TEST_EQ(fair_sched_finish(&w.s, 2, 5), 0);
		/* In order of arrival, which is that of their numbers here. */
		TEST_EQ(step(&w, 2),
			policy < FAIR_CONSERVATIVE ? 0 : UINT64_MAX);
		TEST_EQ(look(&w, 0).job.number, 0);
		TEST_EQ(fair_sched_cancel(&w.s, 3, UINT64_MAX), 0);
		TEST_EQ(fair_sched_lookup(&w.s, UINT64_MAX, &j), -FAIR_ENOENT);
		close_world(&w);
	}
}

/* 2 and 3 wait; 4 would delay the second reservation, not the first. */
TEST(depths)
{
	struct fair_config config = { 0 };
	struct world w;

	config.policy = FAIR_BACKFILL;
	for (; config.select < FAIR_NOFIT; config.select++)
		for (config.depth = 0; config.depth < 3; config.depth++) {
			open_world_of(&w, &config);
			submit(&w, 0, 1, 100, 6);
			TEST_EQ(step(&w, 0), 1);
			submit(&w, 0, 2, 50, 8);
			submit(&w, 0, 3, 50, 9);
			submit(&w, 0, 4, 1000, 2);
			submit(&w, 0, 5, 1000, 1);
			TEST_EQ(step(&w, 0), config.depth < 2 ? 4 : 5);
			close_world(&w);
		}
}

/* Queued jobs in the order of the plan, running ones by their end. */
TEST(each)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_SJF, 1);
	submit(&w, 0, 1, 30, 5);
	submit(&w, 0, 2, 20, 5);
	TEST_EQ(step(&w, 0), 21);
	submit(&w, 1, 3, 50, 10);
	submit(&w, 1, 4, 40, 10);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
	TEST_EQ(j.job.number, 4);
	TEST_EQ(j.start, FAIR_FOREVER);
	TEST_EQ(j.end, FAIR_FOREVER);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
	TEST_EQ(j.job.number, 3);
	TEST_CHECK(!fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
	TEST_EQ(j.job.number, 3);
	at.row = at.index = 0;
	TEST_CHECK(fair_sched_each(&w.s, FAIR_RUNNING, &at, &j));
	TEST_EQ(j.job.number, 2);
	TEST_EQ(j.start, 0);
	TEST_EQ(j.end, 20);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_RUNNING, &at, &j));
	TEST_CHECK(!fair_sched_each(&w.s, FAIR_RUNNING, &at, &j));
	close_world(&w);
}

TEST(next_step)
{
	struct world w;

	open_world(&w, FAIR_PC, FAIR_ORDER_FCFS, 0);
	TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
	submit(&w, 3, 1, 10, 6);
	TEST_EQ(fair_sched_next(&w.s), 3);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(fair_sched_next(&w.s), 13);
	submit(&w, 4, 2, 1, 6);
	TEST_EQ(fair_sched_finish(&w.s, 6, 1), 0);
	TEST_EQ(fair_sched_next(&w.s), 6);
	close_world(&w);

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 3, 1, 10, 6);
	TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(fair_sched_next(&w.s), 13);
	TEST_EQ(fair_sched_refuse(&w.s, 3, 1), 0);
	TEST_EQ(step(&w, 3), 0);
	TEST_EQ(fair_sched_next(&w.s), 4);
	TEST_EQ(step(&w, 4), 1);
	close_world(&w);
}

/* A hundred starts at once, one at a time or all. */
static uint64_t starts_by(uint32_t policy, uint32_t order, size_t room)
{
	struct fair_decision start[100];
	struct fair_sched s;
	uint64_t told[300], digest;
	size_t i, n, all = 0;
	void *memory;
	struct fair_config c = {
		.policy = policy, .order = order, .procs = 1000, .jobs = 100
	};

	memory = malloc(fair_sched_size(&c));
	if (!memory ||
	    fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c), &c))
		abort();
	for (i = 0; i < 100; i++) {
		struct fair_job j = a_job(i * 37 % 100, 0, 1 + (int64_t)(i % 7),
					  1 + (int32_t)(i % 10));

		j.cookie = i;
		TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
	}
	do {
		TEST_EQ(fair_sched_step(&s, 0, start, room, &n), 0);
		for (i = 0; i < n; i++, all++) {
			TEST_EQ(start[i].number, start[i].cookie * 37 % 100);
			told[3 * all] = (uint64_t)start[i].time;
			told[3 * all + 1] = start[i].number;
			told[3 * all + 2] = FAIR_START;
		}
	} while (n == room && all < 100);
	TEST_EQ(all, 100);
	digest = fair_sched_digest(&s);
	if (policy < FAIR_CONSERVATIVE)
		TEST_CHECK(digest == fnv(told, 300));
	free(memory);
	return digest;
}

/* What a late step left behind is due now: for its start, in an estimate too. */
TEST(next_is_not_in_the_past)
{
	struct fair_decision start[4];
	uint32_t policy;
	int64_t when;
	struct world w;
	size_t n;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 2);
		submit(&w, 0, 1, 100, 10);
		TEST_EQ(step(&w, 0), 1);
		submit(&w, 0, 2, 100, 5);
		submit(&w, 0, 3, 100, 5);
		TEST_OK(fair_sched_finish(&w.s, 500, 1));
		TEST_OK(fair_sched_step(&w.s, 500, start, 1, &n));
		TEST_EQ(n, 1);
		if (policy >= FAIR_CONSERVATIVE) {
			TEST_EQ(fair_sched_next(&w.s), 500);
			TEST_OK(fair_sched_estimate(&w.s, 3, NULL, 0, &when));
			TEST_EQ(when, 500);
		}
		TEST_CHECK(fair_sched_next(&w.s) >= 500);
		TEST_OK(fair_sched_step(&w.s, 500, start, 4, &n));
		TEST_EQ(n, 1);
		close_world(&w);
	}
}

TEST(step_in_pieces_starts_the_same)
{
	uint32_t policy, order;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		for (order = 0; order <= FAIR_ORDER_LXF; order++) {
			if (policy == FAIR_CONSERVATIVE && order)
				continue;
			if (policy > FAIR_CONSERVATIVE &&
			    order == FAIR_ORDER_LXF)
				continue;
			TEST_CHECK(starts_by(policy, order, 1) ==
				   starts_by(policy, order, 100));
			TEST_CHECK(starts_by(policy, order, 7) ==
				   starts_by(policy, order, 100));
		}
	}
}

/*
 * Pass 2 of sfs ends at job 2, which is wider than the present machine and gets
 * no reservation: 3 has none, either, and 4, which would delay 3, starts.
 */
TEST(a_pass_ends_at_a_job_without_a_place)
{
	static const int64_t none[1] = { 0 };
	const struct fair_config config = { .policy = FAIR_SFS,
					    .depth = 1,
					    .procs = 8,
					    .accounts = 1,
					    .target = none };
	struct world w;

	open_world_of(&w, &config);
	TEST_OK(fair_sched_capacity(&w.s, 0, -2, NULL, 0));
	submit(&w, 0, 1, 10, 3);
	submit(&w, 0, 2, 10, 8);
	submit(&w, 0, 3, 10, 6);
	submit(&w, 0, 4, 20, 1);
	TEST_EQ(step(&w, 0), 14);
	close_world(&w);
}
