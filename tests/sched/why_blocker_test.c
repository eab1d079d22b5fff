/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Why a job waits: the jobs and advance reservations in its way are named, and
 * no other; what only a clone can tell is said to be unknown.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/asked.h"
#include "tests/plain_ledger.h"
#include "tests/site.h"

/* Users by numbers that share a place where it is kept how they compare. */
#define FAR UINT32_C(0x1010100)

static void says(const struct asked *w, uint64_t number, const char *text)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	void *memory = malloc(bytes);
	struct fair_why why;
	char said[1024];

	TEST_EQ(fair_sched_why(&w->s, number, memory, bytes, &why), 0);
	fair_why_text(&why, said, sizeof(said));
	if (strcmp(said, text))
		fprintf(stderr, "%s\n", said);
	TEST_CHECK(!strcmp(said, text));
	free(memory);
}

TEST(sentences)
{
	struct fair_eligibility until = { 0, 0, FAIR_AFTER_NOTHING, false };
	const struct fair_config impatient = { .policy = FAIR_DC,
					       .patience = FAIR_PATIENCE_NONE };
	struct asked w;

	crowded(&w, FAIR_BACKFILL);
	(void)why_step(&w.s, 30, UINT64_MAX);
	says(&w, 1,
	     "Job 1 has waited for 10 s and is the first in the queue. "
	     "It needs 8 processors: 4 are free, enough from 110 on, "
	     "after the end of job 0. It would start now with 4 "
	     "processors. A start is reserved for it at 110.");
	says(&w, 2,
	     "Job 2 has waited for 10 s, 1 job is ahead of it. Now it "
	     "would delay job 1, due to start at 110. It would start now"
	     " with 2 processors, or with a walltime of 80 s. If nothing"
	     " changes it starts at 160.");
	free(w.memory);
	crowded(&w, FAIR_FCFS);
	(void)why_step(&w.s, 30, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 10 s, 1 job is ahead of it. No job "
	     "may pass job 1. No smaller size would start now. If "
	     "nothing changes it starts at 160.");
	free(w.memory);
	crowded(&w, FAIR_CONSERVATIVE);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 0 s, 1 job is ahead of it. Now it "
	     "would delay job 1, due to start at 100. It would start now"
	     " with 2 processors, or with a walltime of 80 s. A start is"
	     " reserved for it at 150.");
	TEST_EQ(fair_sched_capacity(&w.s, 20, -4, NULL, 0), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 1,
	     "Job 1 has waited for 0 s and is the first in the queue. It"
	     " needs 8 processors, and the machine has 6 at present. No "
	     "smaller size would start now. If nothing changes it will "
	     "not start.");
	free(w.memory);
	crowded(&w, FAIR_SFS);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 1,
	     "Job 1 has waited for 0 s and is the first in the queue. It"
	     " needs 8 processors: 4 are free, enough from 100 on, after"
	     " the end of job 0. Its account occupies 6 processors, "
	     "above its target of 5. It would start now with 4 "
	     "processors. If nothing changes it starts at 100.");
	says(&w, 2,
	     "Job 2 has waited for 0 s, 1 job is ahead of it. Its "
	     "account occupies 6 processors, above its target of 5. Now "
	     "it would delay job 1, due to start at 100. It would start "
	     "now with 2 processors, or with a walltime of 80 s. If "
	     "nothing changes it starts at 150.");
	free(w.memory);
	crowded(&w, FAIR_PC);
	until.begin = 40;
	until.after = 1;
	until.end = FAIR_AFTER_OK;
	TEST_EQ(fair_sched_defer(&w.s, 20, 2, &until), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 0 s. Its begin time is 40. It waits for "
	     "the end of job 1. If nothing changes it starts at 150.");
	until.held = true;
	TEST_EQ(fair_sched_defer(&w.s, 20, 2, &until), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 0 s. It is held. Its begin time is 40. "
	     "It waits for the end of job 1. If nothing changes it will "
	     "not start.");
	free(w.memory);
	crowded_by(&w, &impatient);
	(void)why_step(&w.s, 20, UINT64_MAX);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 0), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 0,
	     "Job 0 has waited for 0 s and is the first in the queue. "
	     "Its start was refused until 21. It needs 6 "
	     "processors: 2 are free, enough from 70 on, after the end "
	     "of job 1. No smaller size would start now. A start is "
	     "reserved for it at 150. If nothing changes it starts at "
	     "70.");
	free(w.memory);
}

/* The text in a buffer of @size bytes: cut, ended, and nothing behind it. */
static void cut(const struct fair_why *why, size_t size, const char *whole)
{
	size_t length = strlen(whole), kept = size ? size - 1 : 0;
	char text[1024];

	memset(text, 'x', sizeof(text));
	TEST_EQ(fair_why_text(why, text, size), length);
	if (kept > length)
		kept = length;
	TEST_CHECK(!memcmp(text, whole, kept));
	if (size)
		TEST_EQ(text[kept], 0);
	TEST_EQ(text[kept + !!size], 'x');
}

/* More of them than are named; before second 0; what only a clone can tell. */
TEST(many_blockers)
{
	struct fair_why why;
	char text[1024];
	int i;
	struct asked w = { .config.policy = FAIR_DC,
			   .config.procs = 10,
			   .config.jobs = 20,
			   .config.origin = -1000 };

	{
		size_t bytes = fair_sched_size(&w.config);

		w.memory = malloc(bytes);
		TEST_OK(fair_sched_init(&w.s, sizeof(w.s), w.memory, bytes,
					&w.config));
	}
	w.config.users = w.config.accounts = 1;
	w.now = -1000;
	for (i = 0; i < 9; i++)
		submit(&w, 1, 100 + i);
	(void)why_step(&w.s, -1000, UINT64_MAX);
	submit(&w, 10, 50);
	(void)why_step(&w.s, -990, UINT64_MAX);
	TEST_EQ(fair_sched_why(&w.s, 9, NULL, 0, &why), 0);
	TEST_EQ(why.blockers, 9);
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(!strcmp(text,
		"Job 9 has waited for 10 s and is the first in the queue. It "
		"needs 10 processors: 1 is free, enough from -892 on, after "
		"the end of jobs 0, 1, 2, 3, 4, 5, 6, 7 and 1 more. It would "
		"start now with 1 processor. A start is reserved for it at "
		"-892."));
	why.unknown = FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME;
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(!strstr(text, "size") && !strstr(text, "now with"));
	for (i = 0; i < 30; i++)
		cut(&why, (size_t)i, text);
	why.job.number = UINT64_MAX;
	why.job.submit = 0;
	why.blocker[0].number = UINT64_C(1) << 63;
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "Job 18446744073709551615 has waited for -990"
				" s"));
	TEST_CHECK(strstr(text, "jobs 9223372036854775808, 1, 2"));
	cut(&why, strlen(text), text);
	cut(&why, strlen(text) + 1, text);
	cut(&why, strlen(text) + 2, text);
	free(w.memory);
}

/* By submission, then by number; under the others by priority, whenever they
 * are to start. */
TEST(jobs_that_are_ahead)
{
	static const int64_t came[] = { 10, 5, 10, 10 };
	struct fair_config c = { 0 };
	struct asked w;
	int i;

	c.policy = FAIR_CONSERVATIVE;
	open_asked(&w, &c);
	w.now = 20;
	submit_of(&w, 0, 20, 10, 80);
	for (i = 0; i < 4; i++)
		submit_of(&w, 0, came[i], 10, 10);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).ahead, 1);
	TEST_EQ(quick(&w, 2).ahead, 0);
	TEST_EQ(quick(&w, 3).ahead, 2);
	TEST_EQ(quick(&w, 4).ahead, 3);
	free(w.memory);

	c.policy = FAIR_PC;
	c.order = FAIR_ORDER_SJF;
	open_asked(&w, &c);
	submit(&w, 6, 100);
	submit(&w, 2, 30);
	submit(&w, 10, 50);
	submit(&w, 4, 60);
	step(&w, 0);
	TEST_EQ(quick(&w, 2).promise, 100);
	TEST_EQ(quick(&w, 2).ahead, 0);
	TEST_EQ(quick(&w, 3).promise, 30);
	TEST_EQ(quick(&w, 3).ahead, 1);
	free(w.memory);
}

/*
 * Job 0 of user 2 holds 6 until 100. @most has used 40, @least 10, and 50 more
 * if its narrow job was started behind the wide one, for which 100 is reserved.
 */
static void used(struct asked *w, uint32_t most, uint32_t least, bool narrow,
		 const struct fair_ledger_ops *ledger)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_USAGE,
				 .ledger = ledger,
				 .users = 3 };

	open_asked(w, &c);
	submit_of(w, 2, 0, 6, 100);
	submit_of(w, most, 0, 1, 40);
	submit_of(w, least, 0, 1, 10);
	step(w, 0);
	TEST_EQ(fair_sched_finish(&w->s, 10, 2), 0);
	TEST_EQ(fair_sched_finish(&w->s, 40, 1), 0);
	w->now = 40;
	if (!narrow)
		submit_of(w, most, 40, 3, 200);
	submit_of(w, least, 40, 8, 50);
	if (narrow) {
		submit_of(w, least, 40, 1, 50);
		submit_of(w, most, 40, 3, 200);
	}
	step(w, 40);
}

/* A job whose user has used less is not behind a reservation any more. */
TEST(reserved_for_other_users)
{
	struct fair_why why;
	struct asked w;

	used(&w, 1, 0, true, NULL);
	why = quick(&w, 5);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(why.reasons, FAIR_WHY_NOTHING);
	TEST_EQ(why.unknown & FAIR_UNKNOWN_PROCS, FAIR_UNKNOWN_PROCS);
	TEST_EQ(why.procs, 2); /* to be tried first */
	TEST_EQ(why.walltime, 199);
	free(w.memory);
	used(&w, 0, 1, false, NULL);
	why = quick(&w, 3);
	TEST_EQ(why.ahead, 1);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 4);
	free(w.memory);
}

static void explain(const struct fair_sched *s, const void *ledger,
		    uint32_t slot, struct fair_why *why)
{
	(void)s;
	(void)ledger;
	(void)slot;
	why->reasons |= FAIR_WHY_LIMIT;
}

/* What a ledger of the caller's says of a limit is none of config.limits, which
 * would have jobs in its way. */
TEST(limit_of_the_callers)
{
	static const struct fair_ledger_ops ops = { .name = "limit",
						    .size = plain_size,
						    .init = plain_init,
						    .clone = plain_clone,
						    .explain = explain };
	struct fair_why why;
	struct asked w;

	used(&w, 1, 0, true, &ops);
	why = quick(&w, 5);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.blockers, 0);
	free(w.memory);
}

/* The reservation of a job behind it whose account is below its target. */
TEST(reserved_below_a_target)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct asked w;

	c.policy = FAIR_SFS;
	c.accounts = c.users = 2;
	open_asked(&w, &c);
	submit_of(&w, 0, 0, 6, 100);
	submit_of(&w, 0, 0, 4, 200);
	submit_of(&w, 1, 0, 8, 50);
	step(&w, 0);
	why = quick(&w, 1);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(why.reasons, FAIR_WHY_TARGET | FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 2);
	free(w.memory);
}

/* Easy: all that are free until the first starts, then those that it leaves. */
TEST(room_of_easy)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct asked w;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 2), 0);
	submit(&w, 7, 80);
	step(&w, 20);
	why = quick(&w, 3);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	TEST_EQ(why.procs, 4);
	TEST_EQ(why.walltime, 0);
	TEST_EQ(fair_sched_modify(&w.s, 20, 1, 5, 50), 0);
	TEST_EQ(fair_sched_modify(&w.s, 20, 3, 7, 200), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 3).procs, 4);
	free(w.memory);

	c.policy = FAIR_FCFS;
	c.origin = -1000;
	open_asked(&w, &c);
	submit(&w, 6, 100);
	submit(&w, 8, 50);
	submit(&w, 4, 50);
	step(&w, -1000);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.procs, 0);
	TEST_EQ(why.walltime, 0);
	free(w.memory);
}

/*
 * Reserved are [100, 200) for 2, which leaves 1, [200, 350) for 3, and for 4,
 * behind it, [50, 100): in the way of 3 no longer than that.
 */
TEST(room_beside_reservations)
{
	struct fair_why why;
	struct asked w;
	struct fair_config c = { .policy = FAIR_BACKFILL, .depth = 3 };

	open_asked(&w, &c);
	submit(&w, 5, 100);
	submit(&w, 2, 50);
	submit(&w, 9, 100);
	submit(&w, 4, 150);
	submit(&w, 5, 50);
	step(&w, 0);
	TEST_EQ(quick(&w, 2).until, 100);
	TEST_EQ(quick(&w, 3).until, 200);
	why = quick(&w, 4);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(why.promise, 50);
	TEST_EQ(why.until, 50);
	TEST_EQ(quick(&w, 3).procs, 1);
	free(w.memory);
}

static void is_blocker(const struct fair_blocker *b, uint64_t number,
		       int64_t start, int64_t end, int32_t procs)
{
	TEST_EQ(b->number, number);
	TEST_EQ(b->state, end == FAIR_FOREVER ? FAIR_QUEUED : FAIR_RUNNING);
	TEST_EQ(b->start, start);
	TEST_EQ(b->end, end);
	TEST_EQ(b->procs, procs);
}

TEST(blockers)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct asked w;

	crowded(&w, FAIR_BACKFILL);
	step(&w, 20);
	why = quick(&w, 1);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 0, 20, 100, 6);
	why = quick(&w, 2);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 1, 100, FAIR_FOREVER, 8);
	free(w.memory);

	/* Of two reservations the one that it would run into first. */
	c.policy = FAIR_BACKFILL;
	c.depth = 2;
	open_asked(&w, &c);
	submit(&w, 6, 100);
	submit(&w, 8, 50);
	submit(&w, 10, 50);
	submit(&w, 4, 200);
	step(&w, 0);
	why = quick(&w, 3);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 1, 100, FAIR_FOREVER, 8);
	free(w.memory);

	c.select = FAIR_NOFIT;
	c.depth = 1;
	crowded_by(&w, &c);
	submit(&w, 1, 1);
	step(&w, 20);
	why = quick(&w, 3);
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 1, FAIR_FOREVER, FAIR_FOREVER, 8);
	free(w.memory);
}

/* A job wider than the machine has no blocker. */
TEST(too_wide)
{
	struct fair_why why;
	struct asked w;

	crowded(&w, FAIR_BACKFILL);
	submit(&w, 9, 1);
	TEST_EQ(fair_sched_capacity(&w.s, 20, -2, NULL, 0), 0);
	step(&w, 20);
	why = quick(&w, 3);
	TEST_EQ(why.ahead, 2);
	TEST_EQ(why.reasons, FAIR_WHY_MACHINE);
	TEST_EQ(why.blockers, 0);
	TEST_EQ(why.free_at, FAIR_FOREVER);
	free(w.memory);
}

/* An ineligible job has no place in the queue. */
TEST(ineligible_job_has_no_place)
{
	struct fair_eligibility held = { 0, 0, FAIR_AFTER_NOTHING, true };
	struct fair_why why;
	struct asked w;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_defer(&w.s, 20, 2, &held), 0);
	step(&w, 20);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_INELIGIBLE);
	TEST_EQ(why.ahead, 0);
	free(w.memory);
}

/* What is promised is known, unless tasks of an array are yet to come. */
TEST(known_by_promise)
{
	static const uint32_t policy[] = { FAIR_CONSERVATIVE, FAIR_PC };
	struct asked w;
	int i;
	struct fair_job tasks = { .number = 3,
				  .submit = 20,
				  .procs = 10,
				  .walltime = 1,
				  .tasks = 2 };

	for (i = 0; i < 2; i++) {
		crowded(&w, policy[i]);
		step(&w, 20);
		TEST_EQ(quick(&w, 1).unknown, 0);
		TEST_EQ(quick(&w, 1).until, 100);
		TEST_EQ(fair_sched_submit(&w.s, 20, &tasks), 0);
		step(&w, 20);
		TEST_EQ(quick(&w, 1).unknown, FAIR_UNKNOWN_UNTIL);
		free(w.memory);
	}
}

/* Without a reservation, or without a plan, only a clone can tell. */
TEST(unknown_without_reservation)
{
	struct fair_config c = { 0 };
	struct fair_advance b = { 7, 100, 150, 6, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	struct asked w;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 2), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, 0);
	TEST_EQ(fair_sched_capacity(&w.s, 20, -4, NULL, 0), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, FAIR_UNKNOWN_UNTIL);
	free(w.memory);

	c.policy = FAIR_FCFS;
	c.advances = 1;
	crowded_by(&w, &c);
	TEST_EQ(fair_sched_advance_reserve(&w.s, 20, &b, false), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(quick(&w, 1).until, FAIR_FOREVER);
	free(w.memory);
}

/* A job that ends after the time at which there is room is no blocker. */
TEST(jobs_that_are_in_the_way)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 10);
	enqueue(&x.s, 1, 6, 10);
	enqueue(&x.s, 2, 2, 100);
	enqueue(&x.s, 3, 8, 10);
	TEST_EQ(started(&x.s, 0), 12);
	TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.free_at, 10);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 1);
	TEST_EQ(why.blocker[0].end, 10);
	close_site(&x);
}

/* 2 holds now, since now or before; 1, which begins when the job has ended, does
 * not matter. */
TEST(names_the_reservation_of_now)
{
	struct fair_why why;
	struct site x;
	uint32_t policy;
	int64_t now;

	for (policy = 0; policy <= FAIR_MAUI; policy++)
		for (now = 0; now <= 10; now += 10) {
			open_site(&x, policy, 10);
			TEST_EQ(reserve(&x.s, 0, 1, 100, 200, 6), 0);
			TEST_EQ(reserve(&x.s, 0, 2, 0, 50, 6), 0);
			TEST_EQ(started(&x.s, now), 0);
			enqueue(&x.s, 3, 5, 5);
			TEST_EQ(started(&x.s, now), 0);
			TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
			TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
			TEST_EQ(why.advance.number, 2);
			close_site(&x);
		}
}

/* 1 holds since before, 2 begins while it would run: that one it is. */
TEST(names_the_reservation_in_the_way)
{
	struct fair_why why;
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_site(&x, policy, 10);
		TEST_EQ(reserve(&x.s, 0, 1, 0, 50, 2), 0);
		TEST_EQ(reserve(&x.s, 0, 2, 20, 40, 6), 0);
		enqueue(&x.s, 3, 4, 30);
		TEST_EQ(started(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
		TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
		TEST_EQ(why.advance.number, 2);
		enqueue(&x.s, 4, 9, 5);
		TEST_EQ(started(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
		if (policy != FAIR_FCFS) {
			TEST_CHECK(why.reasons & FAIR_WHY_ADVANCE);
			TEST_EQ(why.advance.number, 1);
		}
		close_site(&x);
	}
}

/* Running jobs hold what it needs now: a reservation later is not in its way
 * yet. */
TEST(processors_before_a_reservation)
{
	struct fair_why why;
	struct site x;
	uint32_t policy;

	for (policy = FAIR_BACKFILL; policy <= FAIR_DC; policy++) {
		open_site(&x, policy, 10);
		enqueue(&x.s, 1, 6, 40);
		TEST_EQ(reserve(&x.s, 0, 2, 50, 60, 10), 0);
		TEST_EQ(started(&x.s, 0), 1);
		enqueue(&x.s, 3, 5, 60);
		TEST_EQ(started(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
		TEST_EQ(why.reasons, FAIR_WHY_PROCS);
		TEST_EQ(why.blockers, 1);
		TEST_EQ(why.blocker[0].number, 1);
		close_site(&x);
	}
}

static int as_equals(void *context, int64_t now, const struct fair_job *a,
		     const struct fair_job *b)
{
	(void)context;
	(void)now;
	(void)a;
	(void)b;
	return 0;
}

/* Reserved is when it starts; but not where the order may change meanwhile. */
TEST(what_is_known)
{
	struct fair_why why;
	struct site x;
	uint32_t order;

	for (order = FAIR_ORDER_FCFS; order <= FAIR_ORDER_COMPARE; order++) {
		if (order == FAIR_ORDER_KEY)
			continue;
		open_site(&x, FAIR_BACKFILL, 10);
		x.config.order = order;
		x.config.compare = as_equals;
		x.config.depth = 2;
		free(x.memory);
		x.bytes = fair_sched_size(&x.config);
		x.memory = malloc(x.bytes);
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
					&x.config));
		enqueue(&x.s, 1, 10, 10);
		TEST_EQ(started(&x.s, 0), 1);
		enqueue(&x.s, 2, 10, 10);
		TEST_EQ(started(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &why), 0);
		TEST_EQ(why.unknown & FAIR_UNKNOWN_UNTIL,
			order == FAIR_ORDER_LXF || order == FAIR_ORDER_USAGE ||
					order == FAIR_ORDER_COMPARE
				? FAIR_UNKNOWN_UNTIL : 0);
		TEST_EQ(why.unknown >> 3, 0);
		if (!why.unknown)
			TEST_EQ(why.until, 10);
		close_site(&x);
	}
}

/* The reservation of user 0 counts as expected usage, so that user 1 is before
 * it now; but a plan makes it first, again and again. */
TEST(reserved_for_a_user_who_expects_it)
{
	struct fair_config c = { .policy = FAIR_RELSHARE,
				 .users = 3,
				 .window = 1000 };
	struct fair_why why;
	struct asked w;

	open_asked(&w, &c);
	submit_of(&w, 2, 0, 6, 100);
	step(&w, 0);
	submit_of(&w, 0, 0, 8, 50);
	submit_of(&w, 1, 0, 3, 200);
	step(&w, 0);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 1);
	free(w.memory);
}

/* Of 150 users with three jobs each, each job has a place of its own. */
TEST(jobs_ahead_by_users)
{
	enum { USERS = 150, WAITING = 3 * USERS };
	static bool seen[WAITING];
	static uint32_t share[USERS];
	struct fair_config c = { .policy = FAIR_RELSHARE,
				 .procs = 10,
				 .jobs = WAITING + USERS,
				 .users = USERS,
				 .window = 1000,
				 .share = share };
	struct fair_decision start[WAITING];
	struct fair_job j = { .walltime = 100, .procs = 10 };
	struct fair_sched s;
	struct fair_why why;
	uint32_t last = 0, overtakes = 0;
	uint64_t running = 0, i;
	void *memory;
	size_t n;

	for (i = 0; i < USERS; i++)
		share[i] = (uint32_t)(1 + i % 7);
	memory = malloc(fair_sched_size(&c));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c),
				&c));
	for (i = 0; i <= WAITING; i++) {
		j.number = i;
		j.user = (uint32_t)(i * 31 % USERS);
		TEST_OK(fair_sched_submit(&s, (int64_t)i, &j));
		if (i % 20 == 19)
			TEST_OK(fair_sched_finish(&s, (int64_t)i, running));
		TEST_OK(fair_sched_step(&s, (int64_t)i, start, WAITING, &n));
		if (n)
			running = start[0].number;
	}
	n = 0;
	for (i = 0; i <= WAITING; i++) {
		if (fair_sched_why(&s, i, NULL, 0, &why))
			continue;
		TEST_CHECK(why.ahead < WAITING && !seen[why.ahead]);
		seen[why.ahead] = true;
		overtakes += why.ahead < last;
		last = why.ahead;
		n++;
	}
	TEST_EQ(n, fair_sched_count(&s, FAIR_QUEUED));
	TEST_CHECK(n > 400);
	for (i = 0; i < n; i++)
		TEST_CHECK(seen[i]);
	TEST_CHECK(overtakes > 10); /* it is no order by arrival */
	free(memory);
}

/* Of nine jobs eight are named. */
TEST(more_than_are_named)
{
	struct fair_why why;
	struct site x;
	uint64_t i;

	open_site(&x, FAIR_BACKFILL, 10);
	for (i = 1; i < 10; i++)
		enqueue(&x.s, i, 1, 100);
	TEST_EQ(started(&x.s, 0), 123456789);
	enqueue(&x.s, 10, 10, 100);
	TEST_EQ(started(&x.s, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 10, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	TEST_EQ(why.blockers, 9);
	TEST_EQ(why.blocker[7].number, 8);
	TEST_EQ(why.left, 0); /* behind them */
	TEST_EQ(why.asked, 0);
	TEST_EQ(why.resources, 0);
	close_site(&x);
}

/* Easy: the extra processors are enough for job 3, whose start was refused. */
TEST(refused_with_room)
{
	struct asked w;

	open_asked(&w, NULL);
	submit(&w, 6, 100);
	submit(&w, 8, 50);
	submit(&w, 2, 200);
	step(&w, 0);
	TEST_OK(fair_sched_refuse_until(&w.s, 0, 2, 30));
	step(&w, 0);
	TEST_EQ(quick(&w, 2).reasons, FAIR_WHY_REFUSED);
	TEST_EQ(quick(&w, 2).blockers, 0);
	free(w.memory);
}

/* Job 1 has a reservation at 200, but job 2 would run into what is withheld from
 * 50 on. */
TEST(withheld_before_a_reservation)
{
	const struct fair_config c = { .policy = FAIR_BACKFILL,
				       .advances = 1 };
	const struct fair_advance b = { .number = 7, .from = 50, .to = 200,
					.procs = 8 };
	struct fair_why why;
	struct asked w;

	open_asked(&w, &c);
	submit(&w, 6, 40);
	step(&w, 0);
	TEST_OK(fair_sched_advance_reserve(&w.s, 0, &b, false));
	submit(&w, 10, 100);
	submit(&w, 4, 300);
	step(&w, 0);
	TEST_EQ(quick(&w, 1).promise, 200);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
	TEST_EQ(why.advance.number, 7);
	TEST_EQ(why.blockers, 0);
	free(w.memory);
}

/* fcfs has no reservations, though a plan of it has a profile. */
TEST(fcfs_knows_no_start)
{
	const struct fair_config c = { .policy = FAIR_FCFS, .advances = 1 };
	struct asked w;
	uint64_t i;

	open_asked(&w, &c);
	for (i = 0; i < w.config.jobs; i++)
		submit(&w, 6, 100);
	step(&w, 0);
	for (i = 1; i < w.config.jobs; i++)
		TEST_EQ(quick(&w, i).unknown, FAIR_UNKNOWN_UNTIL);
	TEST_OK(fair_sched_finish(&w.s, 0, 0));
	submit(&w, 6, 100);
	step(&w, 0);
	TEST_EQ(quick(&w, i).unknown, FAIR_UNKNOWN_UNTIL);
	free(w.memory);
}

/* The order of a plan is asked for with the scheduler at hand, not with what a
 * function before has left. */
TEST(a_plan_in_an_order)
{
	const struct fair_config c = { .policy = FAIR_BACKFILL,
				       .order = FAIR_ORDER_USAGE,
				       .users = 2 };
	struct asked w;

	open_asked(&w, &c);
	submit_of(&w, 1, 0, 8, 100);
	step(&w, 0);
	submit_of(&w, 1, 0, 8, 100);
	submit_of(&w, 0, 0, 9, 100);
	TEST_OK(fair_sched_finish(&w.s, 50, 0));
	write_on_the_stack();
	step(&w, 50);
	TEST_EQ(quick(&w, 1).ahead, 0);
	write_on_the_stack();
	TEST_EQ(fair_sched_count(&w.s, FAIR_RUNNING), 1);
	free(w.memory);
}
