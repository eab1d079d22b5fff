/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job that is bound to an advance reservation starts within it and takes
 * only from it; no other job is planned otherwise for its sake.
 */
#define FAIR_QUEUE_BLOCK 2 /* few jobs are several rows */
#define FAIR_SIMULATED_ROUNDS 1024
#define FAIRSCHED_IMPLEMENTATION
#include "tests/advance.h"

static void say(const struct advance *x, uint64_t number, const char *sentence)
{
	struct fair_why w;
	char text[512];

	TEST_EQ(fair_sched_why(&x->s, number, NULL, 0, &w), 0);
	TEST_EQ(w.reasons, FAIR_WHY_INELIGIBLE | FAIR_WHY_OWN_ADVANCE);
	TEST_EQ(w.unknown, 0);
	TEST_EQ(w.until, w.promise);
	TEST_CHECK(!w.ineligible.held && !w.ineligible.end && !w.ineligible.after);
	TEST_EQ(w.ineligible.begin, INT64_MIN);
	fair_why_text(&w, text, sizeof(text));
	TEST_CHECK(strstr(text, sentence));
}

/*
 * Reserved: 6 of 10 over [50, 80). Two jobs start with it, a third when one of
 * them ends, a fourth has no room; no other job is planned otherwise.
 */
TEST(reservation_jobs_start_as_promised)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct advance x;
	int64_t start;
	size_t i;

	for (i = 0; i < ADVANCE_POLICIES; i++) {
		open_advance(&x, advance_policies[i]);
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
		say(&x, 4, "reservation, 7, has no room for it before its end"
			   " at 80.");
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
		TEST_EQ(j.job.advance, 7);
		at.row = at.index = 0;
		close_advance(&x);
	}
}

TEST(which_jobs_a_reservation_takes)
{
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(invite(&x, 0, 1, 1, 1), -FAIR_ENOENT);
	TEST_EQ(book(&x, 0, 7, 50, 80, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 7, 30), -FAIR_ERANGE);
	TEST_EQ(invite(&x, 0, 1, 6, 31), -FAIR_EOVERFLOW);
	TEST_EQ(invite(&x, 51, 1, 6, 30), -FAIR_EOVERFLOW);
	TEST_EQ(invite(&x, 51, 1, 6, 29), 0);
	TEST_EQ(starts(&x, 51), 1);
	TEST_EQ(invite(&x, 80, 2, 1, 1), -FAIR_ENOENT);
	close_advance(&x);
}

TEST(moved_and_gone)
{
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 50, 80, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 1, 25), 0);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(book(&x, 0, 7, 40, 75, 6, false), 0);
	TEST_EQ(promise(&x, 1), 40);
	TEST_EQ(promise(&x, 2), 50);
	TEST_EQ(book(&x, 0, 7, 45, 70, 6, false), 0);
	TEST_EQ(promise(&x, 1), 45);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_ADVANCE);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(fair_sched_modify(&x.s, 0, 2, 1, 15), 0);
	TEST_EQ(promise(&x, 2), 55);
	TEST_EQ(fair_sched_modify(&x.s, 0, 1, 7, 11), -FAIR_ERANGE);
	TEST_EQ(fair_sched_modify(&x.s, 0, 1, 6, 26), -FAIR_EOVERFLOW);
	TEST_EQ(promise(&x, 1), 45);
	TEST_EQ(fair_sched_modify(&x.s, 0, 1, 6, 11), 0);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_MODIFIED);
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	TEST_EQ(promise(&x, 2), 45);
	TEST_EQ(starts(&x, 0), 0);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 0, 7), 0);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_ADVANCE);
	TEST_EQ(starts(&x, 0), 0);
	say(&x, 2, "Its advance reservation, 7, is over or was"
		   " withdrawn.");
	TEST_EQ(book(&x, 0, 7, 5, 20, 1, false), 0);
	TEST_EQ(promise(&x, 2), 5);
	TEST_EQ(starts(&x, 6), 0);	/* too late */
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_LATE_STEP);
	TEST_EQ(fair_sched_pass_time(&x.s, 20), 0);
	TEST_EQ(x.s.advances, 0);
	close_advance(&x);
}

/* Refused, requeued, held, overrun: each cause has its name. */
TEST(acts_on_reservation_jobs)
{
	struct fair_eligibility held = { 0, 0, 0, true };
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
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
	TEST_EQ(fair_sched_pass_time(&x.s, 35), 0);
	TEST_EQ(promise(&x, 1), 36);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_OVERRUN);
	TEST_EQ(fair_sched_pass_time(&x.s, 39), 0); /* until 35 + 8 */
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	TEST_EQ(cause(&x, 1), FAIR_CAUSE_OVERRUN);
	TEST_EQ(fair_sched_cancel(&x.s, 40, 2), 0);
	TEST_EQ(promise(&x, 1), 40);
	TEST_EQ(starts(&x, 40), 1);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 40, 7), 0);
	TEST_EQ(fair_sched_finish(&x.s, 50, 1), 0);
	close_advance(&x);
}

/* A copy under another policy has them too, and what is changed shows. */
TEST(reservation_jobs_are_converted)
{
	struct fair_config c = { 0 };
	struct fair_sched other;
	struct advance x;
	void *memory;
	size_t bytes;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 6, 30), 0);
	TEST_EQ(starts(&x, 10), 1);
	c.policy = FAIR_CONSERVATIVE;
	c.procs = 1;
	c.jobs = ADVANCE_JOBS;
	c.advances = 1;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_OK(fair_sched_convert(&other, sizeof(other), memory, bytes, &c,
				   &x.s));
	TEST_EQ(fair_sched_check(&other), 0);
	TEST_EQ(other.bound_jobs, 2);
	TEST_EQ(other.live[other.ineligible[0].slot].queued.rank.key, 20);
	TEST_EQ(fair_sched_finish(&other, 15, 1), 0);
	TEST_EQ(other.live[other.ineligible[0].slot].queued.rank.key, 15);
	free(memory);
	close_advance(&x);
}

static int64_t promises_of_2[2];

static void promise_of_2(void *context, const struct fair_change *change)
{
	(void)context;
	if (change->number == 2)
		memcpy(promises_of_2, change->promise, sizeof(promises_of_2));
}

/*
 * The reservation may be gone, and the converted scheduler have room for none.
 */
TEST(reservation_withdrawn_under_its_jobs)
{
	struct fair_config c = { 0 };
	struct fair_sched other;
	size_t bytes, both;
	struct advance x;
	void *memory, *more;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 6, 30), 0);
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 11, 7), 0);
	c.policy = FAIR_BACKFILL;
	c.jobs = ADVANCE_JOBS;
	c.ineligible = 2;
	c.procs = 1;
	bytes = fair_sched_size(&c);
	both = fair_sched_whatif_size(&x.s.config, &c);
	memory = malloc(bytes);
	more = malloc(both);
	TEST_OK(fair_sched_convert(&other, sizeof(other), memory, bytes, &c,
				   &x.s));
	TEST_EQ(fair_sched_check(&other), 0);
	TEST_EQ(other.running_bound_jobs, 0);
	TEST_EQ(other.bound_jobs, 2);
	TEST_EQ(fair_sched_finish(&other, 15, 1), 0);
	TEST_EQ(fair_sched_check(&other), 0);
	TEST_EQ(book(&x, 11, 7, 30, 70, 6, false), 0);
	TEST_OK(fair_sched_whatif(&x.s, &other, more, both, promise_of_2,
				  NULL));
	TEST_EQ(promises_of_2[0], 30);
	TEST_EQ(promises_of_2[1], FAIR_FOREVER);
	free(memory);
	free(more);
	close_advance(&x);
}

/* Without room for ineligible jobs there is none for reservation jobs. */
TEST(no_room_for_reservation_jobs)
{
	char memory[8192], checkpoint[8192];
	struct fair_config c = { 0 };
	struct fair_sched other;
	struct advance x;
	size_t bytes;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 1, 7), 0);
	bytes = fair_sched_checkpoint_size(&x.s);
	TEST_REQUIRE(bytes <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(&x.s, checkpoint, bytes));
	c = x.s.config;
	c.jobs = 1;
	c.advances = 0;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(memory));
	TEST_EQ(fair_sched_convert(&other, sizeof(other), memory,
				   sizeof(memory), &c, &x.s),
		-FAIR_ENOSPC);
	TEST_EQ(fair_sched_load(&other, sizeof(other), memory, sizeof(memory),
				&c, checkpoint, bytes, NULL),
		-FAIR_ENOSPC);
	c.ineligible = 1;
	TEST_OK(fair_sched_convert(&other, sizeof(other), memory,
				   sizeof(memory), &c, &x.s));
	TEST_OK(fair_sched_load(&other, sizeof(other), memory, sizeof(memory),
				&c, checkpoint, bytes, NULL));
	TEST_EQ(other.bound_jobs, 1);
	TEST_EQ(fair_sched_check(&other), 0);
	close_advance(&x);
}

/* Random jobs of one reservation, counted second by second. */
TEST(a_naive_count)
{
	int64_t at[ADVANCE_JOBS], first[ADVANCE_JOBS], end[ADVANCE_JOBS], now;
	struct fair_job_status j;
	uint64_t seed = 1, k;
	int32_t procs[ADVANCE_JOBS], used;
	struct advance x;
	int round;

	for (round = 0; round < 300; round++) {
		open_advance(&x, advance_policies[(size_t)round % ADVANCE_POLICIES]);
		TEST_EQ(book(&x, 0, 7, 20, 60, 6, false), 0);
		for (k = 0; k < ADVANCE_JOBS; k++) {
			procs[k] = (int32_t)test_range(&seed, 1, 6);
			end[k] = test_range(&seed, 1, 30);
			TEST_EQ(invite(&x, 0, k + 1, procs[k], end[k]), 0);
			end[k] = test_range(&seed, 0, end[k]);
			first[k] = promise(&x, k + 1);
			at[k] = FAIR_FOREVER;
		}
		for (now = 0; now < 61; now++) {
			for (k = 0; k < ADVANCE_JOBS; k++)
				if (at[k] < now && at[k] + end[k] <= now &&
				    !fair_sched_lookup(&x.s, k + 1, &j))
					TEST_OK(fair_sched_finish(&x.s, now,
								  k + 1));
			starts(&x, now);
			for (used = 0, k = 0; k < ADVANCE_JOBS; k++) {
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
		for (k = 0; k < ADVANCE_JOBS; k++)
			TEST_CHECK(first[k] == FAIR_FOREVER ||
				   at[k] <= first[k]);
		close_advance(&x);
	}
}

/* Jobs of one reservation that run into another take from it. */
TEST(overlapping_reservations_share)
{
	struct fair_advance b = { 5, 0, 100, 4, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), 0);
	TEST_EQ(submit_to(&x, 0, 1, 4, 100, 5), 0);
	TEST_EQ(starts(&x, 0), 1);
	b.number = 3;
	b.from = 5;
	b.to = 50;
	b.procs = 10;
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, true), 0);
	TEST_EQ(submit_to(&x, 0, 2, 8, 10, 3), 0);
	TEST_EQ(promise(&x, 2), FAIR_FOREVER);
	close_advance(&x);
}

/* By number, each goes to the next place that is left. */
TEST(to_the_next_place)
{
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 4, 30), 0);
	TEST_EQ(promise(&x, 1), 10);
	TEST_EQ(promise(&x, 2), 20);
	TEST_EQ(book(&x, 0, 7, 15, 60, 6, false), 0);
	TEST_EQ(promise(&x, 1), 15);
	TEST_EQ(promise(&x, 2), 25);
	close_advance(&x);
}

/* What one leaves as it moves earlier is for those before it, too. */
TEST(into_the_place_of_another)
{
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_EQ(book(&x, 0, 7, 10, 60, 6, false), 0);
	TEST_EQ(invite(&x, 0, 2, 4, 30), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(promise(&x, 2), 10);
	TEST_EQ(promise(&x, 1), 40);
	TEST_EQ(book(&x, 0, 7, 5, 60, 6, false), 0);
	TEST_EQ(promise(&x, 2), 5);
	TEST_EQ(promise(&x, 1), 35);
	close_advance(&x);
}

/* One that is stopped waits again behind the policy's reaction, all of it. */
TEST(requeued_reservation_job)
{
	struct fair_job_status j;
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 50), 0);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 1, 7), 0);
	TEST_EQ(add(&x, 1, 2, 10, 10), 0);
	TEST_EQ(add(&x, 1, 3, 10, 10), 0);
	fair_sched_scan_limit(&x.s, 1);
	TEST_EQ(fair_sched_requeue(&x.s, 5, 1), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	TEST_EQ(fair_sched_lookup(&x.s, 3, &j), 0);
	TEST_EQ(j.start, 15);
	TEST_EQ(promise(&x, 1), FAIR_FOREVER);
	close_advance(&x);
}

/*
 * A late step is the cause of later promises, though reservation jobs start
 * with it.
 */
TEST(reservation_jobs_at_a_late_step)
{
	struct fair_job j = { 0 };
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 5, 50, 6, false), 0);
	j.number = 4;
	j.procs = 1;
	j.walltime = 5;
	j.tasks = 2;
	j.advance = 7;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(add(&x, 0, 1, 4, 10), 0);
	TEST_EQ(add(&x, 0, 2, 4, 10), 0);
	TEST_EQ(starts(&x, 5), 3);
	TEST_EQ(cause(&x, 2), FAIR_CAUSE_LATE_STEP);
	close_advance(&x);
}

/* When a job leaves their way, reservation jobs move earlier at once. */
TEST(out_of_their_way)
{
	static const int64_t start[] = { 6, 8, 5 };
	struct advance x;
	int how;

	for (how = 0; how < 3; how++) {
		open_advance(&x, FAIR_BACKFILL);
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
		close_advance(&x);
	}
}

/* A refused job does not start at this second; one that was held comes anew. */
TEST(refused_reservation_job)
{
	struct fair_eligibility held = { 0, 0, 0, true };
	struct advance x;

	open_advance(&x, FAIR_CONSERVATIVE);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(fair_sched_refuse(&x.s, 10, 1), 0);
	TEST_EQ(promise(&x, 1), 11);
	TEST_EQ(fair_sched_next(&x.s), 11);
	TEST_EQ(invite(&x, 10, 2, 6, 10), 0);
	TEST_EQ(promise(&x, 1), 11);
	TEST_EQ(promise(&x, 2), 21);
	TEST_EQ(fair_sched_cancel(&x.s, 10, 2), 0);
	TEST_EQ(fair_sched_defer(&x.s, 10, 1, &held), 0);
	TEST_EQ(fair_sched_defer(&x.s, 10, 1, NULL), 0);
	TEST_EQ(promise(&x, 1), 11);
	close_advance(&x);
}

/* It keeps no turn, however patient the caller is: each time it waits a second. */
TEST(refused_again)
{
	struct fair_config c = advance_config(FAIR_CONSERVATIVE);
	struct advance x;
	int64_t t;

	open_advance_of(&x, &c);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	for (t = 10; t < 14; t++) {
		TEST_EQ(starts(&x, t), 1);
		TEST_EQ(fair_sched_refuse(&x.s, t, 1), 0);
		TEST_EQ(promise(&x, 1), t + 1);
	}
	close_advance(&x);
}

/*
 * A reservation job that starts counts for its account: the others are planned
 * anew.
 */
TEST(reservation_jobs_count_for_accounts)
{
	static const int64_t target[] = { 0, 10 };
	struct fair_config c = advance_config(FAIR_SFS);
	struct fair_job j = { 0 };
	struct advance x;

	c.accounts = 2;
	c.target = target;
	open_advance_of(&x, &c);
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
	close_advance(&x);
}

/* A reservation for less than its jobs use: no other job gains by that. */
TEST(reservation_made_narrower_than_its_jobs)
{
	struct advance x;
	size_t i;

	for (i = 0; i < ADVANCE_POLICIES; i++) {
		open_advance(&x, advance_policies[i]);
		TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
		TEST_EQ(invite(&x, 0, 1, 6, 50), 0);
		TEST_EQ(starts(&x, 0), 1);
		TEST_EQ(book(&x, 0, 7, 0, 50, 3, true), 0);
		TEST_EQ(add(&x, 0, 2, 5, 10), 0);
		TEST_EQ(starts(&x, 0), 0);
		TEST_EQ(fair_sched_modify(&x.s, 0, 2, 4, 10), 0);
		TEST_EQ(starts(&x, 0), 1);
		close_advance(&x);
	}
}

/* It runs until its reservation ends, behind another one in the table. */
TEST(reservation_job_grows)
{
	struct fair_job size = { .procs = 6 };
	struct advance x;

	open_advance(&x, FAIR_BACKFILL);
	TEST_OK(book(&x, 0, 3, 100, 110, 1, false));
	TEST_OK(book(&x, 0, 7, 10, 40, 6, false));
	TEST_OK(invite(&x, 0, 1, 3, 30));
	TEST_EQ(starts(&x, 10), 1);
	TEST_OK(fair_sched_resize(&x.s, 10, 1, &size));
	size.procs = 7;
	TEST_EQ(fair_sched_resize(&x.s, 10, 1, &size), -FAIR_ERANGE);
	close_advance(&x);
}
