/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Limits that plans and promises keep, by hand: each policy, limits that come,
 * change and go, refusals, explanations, checkpoints, conversions.
 */
#include "fairsched.h"
#include "tests/world.h"

/* A machine of 10; users have at most @procs each, and user 9 has all. */
static void open_planned(struct world *w, uint32_t policy, int64_t procs,
			 uint32_t depth, uint32_t advances)
{
	static struct fair_limit limit[3] = {
		{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, FAIR_LIMIT_EACH, 0 },
		{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 9, 10 },
		{ FAIR_ENTITY_USER, FAIR_LIMIT_JOBS, 0, FAIR_LIMIT_NONE },
	};
	struct fair_config config = { .policy = policy,
				      .depth = depth,
				      .advances = advances,
				      .limits = 3,
				      .limit = limit };

	limit[0].amount = procs;
	open_world_of(w, &config);
}

static void open_limited(struct world *w, uint32_t policy, int64_t procs)
{
	open_planned(w, policy, procs, 0, 0);
}

static void arrive(struct world *w, int64_t now, uint64_t number,
		      int64_t walltime, int32_t procs, uint64_t user)
{
	struct fair_job j = a_job(number, now, walltime, procs);

	j.user = user;
	TEST_OK(fair_sched_submit(&w->s, now, &j));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void limit_to(struct world *w, int64_t now, uint32_t resource,
		     uint64_t user, int64_t amount)
{
	const struct fair_limit l = { FAIR_ENTITY_USER, resource, user,
				      amount };

	TEST_OK(fair_sched_limit(&w->s, now, &l));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* 2 has room on the machine at 0, and its user only when 1 ends. */
TEST(a_promise_keeps_the_limit)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		open_limited(&w, policy, 4);
		arrive(&w, 0, 1, 100, 3, 1);
		TEST_EQ(step(&w, 0), 1);
		arrive(&w, 0, 2, 100, 3, 1);
		arrive(&w, 0, 3, 100, 3, 2);
		TEST_EQ(look(&w, 2).start, 100);
		TEST_EQ(look(&w, 3).start, 0);
		TEST_EQ(step(&w, 0), 3);
		TEST_OK(fair_sched_finish(&w.s, 40, 1));
		TEST_EQ(look(&w, 2).start, 40);
		TEST_EQ(step(&w, 40), 2);
		close_world(&w);
	}
}

/* 2 is passed over, and 3 with it, which the machine has no room for; 4 starts.
 * A job that a limit holds back is no reason for fcfs to stop. */
TEST(one_that_plans_afresh_passes_over)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_BACKFILL; policy++) {
		open_limited(&w, policy, 4);
		arrive(&w, 0, 1, 100, 3, 1);
		arrive(&w, 0, 2, 100, 3, 1);
		arrive(&w, 0, 4, 100, 4, 2);
		TEST_EQ(step(&w, 0), 14);
		/* 5 of user 9 has the reservation: 2 delays no job. */
		arrive(&w, 0, 5, 10, 10, 9);
		arrive(&w, 0, 6, 10, 3, 3);
		TEST_EQ(step(&w, 0), policy == FAIR_BACKFILL ? 6 : 0);
		TEST_OK(fair_sched_finish(&w.s, 50, 1));
		TEST_EQ(step(&w, 50), 2);
		close_world(&w);
	}
}

/* The reservation of easy counts: 3 would be beside it at 100. Once 4 runs, the
 * limit of 2 has no room from now on, and holds back no other job. */
TEST(a_reservation_counts)
{
	struct world w;

	open_limited(&w, FAIR_BACKFILL, 8);
	arrive(&w, 0, 1, 100, 8, 2);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 100, 8, 1);
	arrive(&w, 0, 3, 101, 1, 1);
	arrive(&w, 0, 4, 100, 1, 1);
	TEST_EQ(step(&w, 0), 4);
	arrive(&w, 0, 5, 101, 2, 3);
	TEST_EQ(step(&w, 0), 3);
	close_world(&w);
}

/* A scan starts 4, which leaves the limit of 2, reserved for at 600, no room:
 * only the next scan passes 2 over, and starts 3. So it is if 5 is reserved for
 * first, and 2 at 610; and where advance reservations may be made. */
TEST(what_starts_denies_in_the_next_scan)
{
	struct world w;
	uint32_t depth, advances;

	for (depth = 1; depth < 3; depth++)
		for (advances = 0; advances < 2; advances++) {
			open_planned(&w, FAIR_BACKFILL, 10, depth, advances);
			arrive(&w, 498, 1, 100, 5, 2);
			if (depth == 2)
				arrive(&w, 499, 5, 10, 6, 4);
			arrive(&w, 500, 2, 50, 9, 1);
			arrive(&w, 500, 3, 1000, 2, 3);
			TEST_EQ(step(&w, 500), 1);
			arrive(&w, 510, 4, 60, 2, 1);
			TEST_EQ(step(&w, 510), 4);
			TEST_EQ(step(&w, 510), 0);
			TEST_EQ(step(&w, 511), 3);
			close_world(&w);
		}
}

/* By turn: 2 stays, 3 moves behind it; with none left there is no promise. */
TEST(lowered_and_raised)
{
	struct world w;

	open_limited(&w, FAIR_CONSERVATIVE, 8);
	arrive(&w, 0, 1, 100, 10, 9);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 50, 4, 1);
	arrive(&w, 0, 3, 50, 4, 1);
	TEST_EQ(look(&w, 3).start, 100);
	limit_to(&w, 10, FAIR_LIMIT_PROCS, FAIR_LIMIT_EACH, 7);
	TEST_EQ(fair_sched_next(&w.s), 10);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_EQ(look(&w, 3).start, 150);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_LIMIT);
	limit_to(&w, 20, FAIR_LIMIT_JOBS, 1, 0);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 2).cause, FAIR_CAUSE_LIMIT);
	limit_to(&w, 30, FAIR_LIMIT_JOBS, 1, 1);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_EQ(look(&w, 3).start, 150);
	limit_to(&w, 40, FAIR_LIMIT_JOBS, 1, FAIR_LIMIT_NONE);
	limit_to(&w, 40, FAIR_LIMIT_PROCS, FAIR_LIMIT_EACH, 8);
	TEST_EQ(look(&w, 3).start, 100);
	close_world(&w);
}

/* 2 has the reservation, and its user has less from now on: 3, which would delay
 * it, starts in the same second. */
TEST(a_lowered_limit_takes_the_reservation)
{
	struct world w;

	open_planned(&w, FAIR_BACKFILL, 4, 1, 0);
	arrive(&w, 0, 1, 100, 4, 1);
	arrive(&w, 0, 2, 10, 8, 9);
	arrive(&w, 0, 3, 200, 4, 2);
	TEST_EQ(step(&w, 0), 1);
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 9, 7);
	TEST_EQ(step(&w, 0), 3);
	close_world(&w);
}

/* Running jobs go on above a limit; the next one waits for both. */
TEST(running_jobs_go_on)
{
	struct world w;

	open_limited(&w, FAIR_CONSERVATIVE, 8);
	arrive(&w, 0, 1, 100, 4, 1);
	arrive(&w, 0, 2, 60, 4, 1);
	TEST_EQ(step(&w, 0), 12);
	limit_to(&w, 10, FAIR_LIMIT_PROCS, 1, 3);
	arrive(&w, 10, 3, 10, 1, 1);
	TEST_EQ(look(&w, 3).start, 100);
	TEST_OK(fair_sched_finish(&w.s, 20, 2));
	TEST_EQ(look(&w, 3).start, 100);
	/* An overrun takes of the limit, too. */
	TEST_OK(fair_sched_pass_time(&w.s, 100));
	TEST_EQ(look(&w, 3).start, 101);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_OVERRUN);
	TEST_OK(fair_sched_finish(&w.s, 100, 1));
	TEST_EQ(step(&w, 100), 3);
	close_world(&w);
}

TEST(what_no_machine_could_start)
{
	struct fair_job j = a_job(1, 0, 10, 5), grown = j;
	struct fair_limit limit;
	struct world w;

	open_limited(&w, FAIR_PC, 4);
	j.user = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE);
	TEST_CHECK(fair_sched_find_limit(&w.s, &j, &limit));
	TEST_EQ(limit.kind, FAIR_ENTITY_USER);
	TEST_EQ(limit.resource, FAIR_LIMIT_PROCS);
	TEST_EQ(limit.id, 1);
	TEST_EQ(limit.amount, 4);
	j.procs = 4;
	TEST_CHECK(!fair_sched_find_limit(&w.s, &j, &limit));
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(fair_sched_modify(&w.s, 0, 1, 5, 10), -FAIR_ERANGE);
	grown.user = 9;
	TEST_OK(fair_sched_reassign(&w.s, 0, 1, &grown));
	TEST_OK(fair_sched_modify(&w.s, 0, 1, 5, 10));
	grown.user = 2;
	TEST_EQ(fair_sched_reassign(&w.s, 0, 1, &grown), -FAIR_ERANGE);
	TEST_EQ(step(&w, 0), 1);
	close_world(&w);
}

/* A running job grows as far as its limit has room beside promises. */
TEST(growing)
{
	struct fair_job size = a_job(1, 0, 0, 4);
	struct world w;

	open_limited(&w, FAIR_CONSERVATIVE, 6);
	arrive(&w, 0, 1, 100, 3, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 10, 2, 1);
	size.procs = 5;
	TEST_EQ(fair_sched_resize(&w.s, 0, 1, &size), -FAIR_ERANGE);
	size.procs = 4;
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &size));
	arrive(&w, 0, 3, 10, 1, 1);
	TEST_EQ(look(&w, 3).start, 10);
	size.procs = 1;
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &size));
	TEST_EQ(look(&w, 3).start, 0);
	close_world(&w);
}

/* 3 is reserved at 50, beside 1, and counts for their user: under easy it makes
 * way. */
TEST(growing_before_a_reservation)
{
	struct fair_job size = a_job(1, 0, 0, 4);
	struct world w;

	open_limited(&w, FAIR_BACKFILL, 6);
	arrive(&w, 0, 1, 100, 3, 1);
	arrive(&w, 0, 2, 50, 6, 9);
	arrive(&w, 0, 3, 10, 3, 1);
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &size));
	size.procs = 5; /* the machine has no more */
	TEST_EQ(fair_sched_resize(&w.s, 0, 1, &size), -FAIR_ERANGE);
	TEST_EQ(step(&w, 0), 0);
	close_world(&w);
}

/* Of two resources the second: a limit of one that does not grow is not asked,
 * though it is exceeded. */
TEST(growing_in_another_resource)
{
	static const int32_t has[] = { 10, 4 };
	static const struct fair_machine_config machine = { 2, 1, 0, has };
	struct fair_limit limit[] = {
		{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 1, 9 },
		{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS + 1, 1, 2 },
	};
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .machine = &machine,
				      .limits = 2,
				      .limit = limit };
	int32_t asked[] = { 4, 1 };
	struct fair_job j = a_job(1, 0, 100, 4);
	struct world w;

	open_world_of(&w, &config);
	j.amount = asked;
	j.user = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 1, 3);
	asked[1] = 3;
	TEST_EQ(fair_sched_resize(&w.s, 0, 1, &j), -FAIR_ERANGE);
	asked[1] = 2;
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &j));
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 1, 4);
	limit_to(&w, 0, FAIR_LIMIT_PROCS + 1, 1, 1);
	j.procs = 5;
	TEST_EQ(fair_sched_resize(&w.s, 0, 1, &j), -FAIR_ERANGE);
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 1, 5);
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &j));
	close_world(&w);
}

/* As many processors as there may be. */
TEST(the_widest_job)
{
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .procs = INT32_MAX,
				      .limits = 1 };
	struct fair_sched copy;
	struct world w;
	char *memory;

	open_world_of(&w, &config);
	arrive(&w, 0, 1, 100, INT32_MAX, 1);
	arrive(&w, 0, 2, 100, INT32_MAX, 1);
	TEST_EQ(step(&w, 0), 1);
	limit_to(&w, 0, FAIR_LIMIT_JOBS, 1, 0);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	memory = (char *)malloc(w.bytes);
	TEST_OK(fair_sched_clone(&copy, memory, w.bytes, &w.s));
	TEST_EQ(fair_sched_check(&copy), 0);
	TEST_CHECK((char *)copy.limits->each <
		   (char *)(copy.limits + 1) + sizeof(int64_t));
	free(memory);
	close_world(&w);
}

/* 2 becomes a job of another user, who has room: it is planned again. */
TEST(reassigned)
{
	struct fair_job ids = { .user = 2 };
	struct world w;

	open_limited(&w, FAIR_CONSERVATIVE, 4);
	arrive(&w, 0, 1, 100, 3, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 100, 3, 1);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_OK(fair_sched_reassign(&w.s, 5, 2, &ids));
	TEST_EQ(look(&w, 2).start, 5);
	close_world(&w);
}

/* What a job holds itself is no reason to wait. */
TEST(why_not)
{
	struct fair_why why;
	struct world w;

	open_limited(&w, FAIR_CONSERVATIVE, 4);
	arrive(&w, 0, 1, 100, 10, 9);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 150, 3, 1);
	arrive(&w, 0, 3, 10, 3, 1);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	TEST_CHECK(!(why.reasons & FAIR_WHY_LIMIT));
	close_world(&w);
}

/* 3 would run into the promise of 2, at 50, and not into that of 4. */
TEST(which_promises_are_in_the_way)
{
	struct fair_why why;
	struct world w;

	open_limited(&w, FAIR_CONSERVATIVE, 4);
	arrive(&w, 0, 1, 50, 8, 9);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 100, 3, 1);
	arrive(&w, 0, 3, 100, 2, 1);
	arrive(&w, 0, 4, 100, 4, 1);
	TEST_EQ(look(&w, 2).start, 50);
	TEST_EQ(look(&w, 3).start, 150);
	TEST_EQ(look(&w, 4).start, 250);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 3, NULL, 0, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_LIMIT);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 2);
	close_world(&w);
}

/* Around second 0, too, a job that waits holds nothing. */
TEST(no_job_that_waits_is_in_the_way)
{
	static const struct fair_limit limit = { FAIR_ENTITY_USER,
						 FAIR_LIMIT_PROCS,
						 FAIR_LIMIT_EACH, 4 };
	const struct fair_config config = { .policy = FAIR_BACKFILL,
					    .origin = -50,
					    .limits = 1,
					    .limit = &limit };
	struct fair_why why;
	struct world w;

	open_world_of(&w, &config);
	arrive(&w, -50, 1, 100, 3, 1);
	TEST_EQ(step(&w, -50), 1);
	arrive(&w, -50, 2, 100, 3, 1);
	arrive(&w, -50, 3, 100, 3, 1);
	TEST_EQ(step(&w, -50), 0);
	TEST_OK(fair_sched_why(&w.s, 3, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 1);
	close_world(&w);
}

/* At 10 it is known that the limit has room from 30 on. */
TEST(when_a_limit_has_room)
{
	struct fair_why why;
	struct world w;

	open_limited(&w, FAIR_BACKFILL, 4);
	arrive(&w, 0, 1, 30, 3, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 10, 2, 50, 3, 1);
	TEST_EQ(step(&w, 10), 0);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.free_at, 30);
	close_world(&w);
}

/* Each limit of now is that of the conversion, whatever it was configured as. */
TEST(converted)
{
	static const struct fair_limit was = { FAIR_ENTITY_USER,
					       FAIR_LIMIT_JOBS,
					       FAIR_LIMIT_EACH, 3 };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .limits = 1,
				 .limit = &was };
	struct fair_limit now = was;
	struct world w, to;
	uint32_t at = 0;

	open_world_of(&w, &c);
	now.amount = 2;
	TEST_OK(fair_sched_limit(&w.s, 0, &now));
	open_world_of(&to, &c);
	TEST_OK(fair_sched_convert(&to.s, sizeof(to.s), to.memory, to.bytes,
				   &to.config, &w.s));
	TEST_CHECK(fair_sched_each_limit(&to.s, &at, &now));
	TEST_EQ(now.amount, 2);
	TEST_CHECK(!fair_sched_each_limit(&to.s, &at, &now));
	close_world(&to);
	close_world(&w);
}

/* The reservation of easy may be another one in a plan of another second. */
TEST(what_a_plan_with_limits_knows)
{
	struct fair_why why;
	struct world w;

	open_limited(&w, FAIR_BACKFILL, 8);
	arrive(&w, 0, 1, 100, 8, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 100, 8, 2);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	TEST_CHECK(why.unknown & FAIR_UNKNOWN_UNTIL);
	close_world(&w);
}

/* Seconds before 0: a job that holds nothing holds nothing until 0 either. */
TEST(before_zero)
{
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_JOBS,
				    FAIR_LIMIT_EACH, 0 };
	struct fair_config config = { .policy = FAIR_PC,
				      .origin = -100,
				      .limits = 1,
				      .limit = &limit };
	struct fair_job j = a_job(1, -100, 10, 4);
	struct world w;

	open_world_of(&w, &config);
	limit.amount = FAIR_LIMIT_NONE;
	TEST_OK(fair_sched_limit(&w.s, -100, &limit));
	TEST_OK(fair_sched_submit(&w.s, -100, &j));
	TEST_EQ(look(&w, 1).start, -100);
	limit.amount = 0;
	TEST_OK(fair_sched_limit(&w.s, -100, &limit));
	TEST_EQ(look(&w, 1).start, FAIR_FOREVER);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

TEST(why)
{
	char text[400];
	struct world w;
	struct fair_why why;

	open_limited(&w, FAIR_BACKFILL, 4);
	arrive(&w, 0, 1, 100, 3, 1);
	arrive(&w, 0, 2, 100, 3, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(!strcmp(text, "Job 2 has waited for 0 s and is the first in"
				 " the queue. It asks for 3 processors beside"
				 " the 3 in use; the limit of its user is 4, which"
				 " has room after job 1, from 100 on."));
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 1);
	TEST_EQ(why.free_at, 100);
	/* It will never have room. */
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 1, 2);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.free_at, FAIR_FOREVER);
	close_world(&w);
}

/* The limits of now are saved, not those of the configuration. */
TEST(checkpoints)
{
	struct fair_sched loaded;
	struct fair_limit limit;
	unsigned char *bytes;
	uint32_t at = 0, n = 0;
	struct world w;
	char *memory;
	size_t size;
	int damage;

	open_limited(&w, FAIR_DC, 4);
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 9, FAIR_LIMIT_NONE);
	limit_to(&w, 0, FAIR_LIMIT_JOBS, 1, 1);
	arrive(&w, 0, 1, 100, 2, 1);
	arrive(&w, 0, 2, 100, 2, 1);
	TEST_EQ(step(&w, 0), 1);
	bytes = checkpoint_of(&w.s, &size);
	memory = (char *)malloc(w.bytes);
	TEST_OK(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, bytes, size, &damage));
	TEST_EQ(fair_sched_check(&loaded), 0);
	for (; fair_sched_each_limit(&loaded, &at, &limit); n++)
		TEST_EQ(limit.amount, limit.resource == FAIR_LIMIT_JOBS ? 1
									 : 4);
	TEST_EQ(n, 2);
	w.config.limits = 1;
	w.config.limit = NULL;
	TEST_EQ(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, bytes, size, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_CONFIG);
	free(memory);
	free(bytes);
	close_world(&w);
}

/* User 2 is limited, job 1 queued and withdrawn, user 3 limited; the users. */
static uint64_t limited_users(struct fair_sched *s)
{
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 2, 7 };
	uint64_t all = 0;
	uint32_t at = 0;

	TEST_OK(fair_sched_limit(s, 0, &limit));
	TEST_OK(fair_sched_pass_time(s, 5));
	TEST_OK(fair_sched_cancel(s, 5, 1));
	limit.id = 3;
	TEST_OK(fair_sched_limit(s, 5, &limit));
	while (fair_sched_each_limit(s, &at, &limit))
		if (limit.id != FAIR_LIMIT_EACH)
			all = 10 * all + limit.id;
	return all;
}

/* An ineligible job counts for no limit, nor does it in a checkpoint. */
TEST(an_ineligible_job_of_a_checkpoint)
{
	static const struct fair_eligibility later = { 5, 0, 0, false };
	const struct fair_job job = a_job(1, 0, 10, 1);
	struct fair_sched loaded;
	unsigned char *bytes;
	struct world w;
	char *memory;
	size_t size;

	open_limited(&w, FAIR_DC, 4);
	limit_to(&w, 0, FAIR_LIMIT_PROCS, 9, FAIR_LIMIT_NONE);
	TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &job, &later));
	bytes = checkpoint_of(&w.s, &size);
	memory = (char *)malloc(w.bytes);
	TEST_OK(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, bytes, size, NULL));
	TEST_EQ(limited_users(&w.s), 23);
	TEST_EQ(limited_users(&loaded), 23);
	free(memory);
	free(bytes);
	close_world(&w);
}

/* Under another policy the same limits hold, if there is room for them. */
TEST(conversions)
{
	struct fair_config other = { .policy = FAIR_BACKFILL, .jobs = JOBS };
	struct fair_decision start[4];
	struct fair_sched b;
	struct world w;
	char *memory;
	size_t n;

	open_limited(&w, FAIR_CONSERVATIVE, 4);
	arrive(&w, 0, 1, 100, 2, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 100, 3, 1);
	other.procs = PROCS;
	memory = (char *)malloc(w.bytes + 100000);
	TEST_EQ(fair_sched_convert(&b, sizeof(b), memory, w.bytes + 100000,
				   &other, &w.s),
		-FAIR_ENOSPC);
	other.limits = 2;
	TEST_OK(fair_sched_convert(&b, sizeof(b), memory, w.bytes + 100000,
				   &other, &w.s));
	TEST_EQ(fair_sched_check(&b), 0);
	TEST_OK(fair_sched_step(&b, 0, start, 4, &n));
	TEST_EQ(n, 0);
	TEST_OK(fair_sched_finish(&b, 10, 1));
	TEST_OK(fair_sched_step(&b, 10, start, 4, &n));
	TEST_EQ(n, 1);
	free(memory);
	close_world(&w);
}

/* An entity that leaves takes its limit with it. */
TEST(entities)
{
	struct fair_config config = { .policy = FAIR_PC, .ids = 2,
				      .limits = 1 };
	struct fair_limit l = { FAIR_ENTITY_QOS, FAIR_LIMIT_JOBS, 77, 1 };
	struct fair_job j = a_job(1, 0, 10, 5);
	struct world w, none;
	uint32_t at = 0;

	open_world_of(&w, &config);
	TEST_EQ(fair_sched_limit(&w.s, 0, &l), -FAIR_ENOENT);
	TEST_OK(fair_sched_add_entity(&w.s, 0, FAIR_ENTITY_QOS, 77));
	TEST_OK(fair_sched_limit(&w.s, 0, &l));
	TEST_CHECK(fair_sched_each_limit(&w.s, &at, &l));
	TEST_EQ(l.id, 77);
	/* A job asks for more than that of its own id, and one of no id not. */
	l.amount = 4;
	l.resource = FAIR_LIMIT_PROCS;
	TEST_EQ(fair_sched_limit(&w.s, 0, &l), -FAIR_ENOSPC);
	l.resource = FAIR_LIMIT_JOBS;
	l.amount = 0;
	TEST_OK(fair_sched_limit(&w.s, 0, &l));
	j.qos = 77;
	TEST_CHECK(fair_sched_find_limit(&w.s, &j, &l));
	TEST_EQ(l.id, 77);
	j.qos = 78;
	TEST_CHECK(!fair_sched_find_limit(&w.s, &j, &l));
	/* Where there are no limits nothing is spent. */
	l.resource = FAIR_LIMIT_BUDGET;
	config.limits = 0;
	open_world_of(&none, &config);
	TEST_EQ(fair_sched_get_spent(&none.s, &l), 0);
	close_world(&none);
	TEST_OK(fair_sched_remove_entity(&w.s, 0, FAIR_ENTITY_QOS, 77));
	at = 0;
	TEST_CHECK(!fair_sched_each_limit(&w.s, &at, &l));
	close_world(&w);
}

/* Not that of one of another kind, whose number within is the same. */
TEST(entities_of_two_kinds)
{
	struct fair_config config = { .policy = FAIR_PC, .ids = 2,
				      .limits = 2 };
	struct fair_limit of_user = { FAIR_ENTITY_USER, FAIR_LIMIT_JOBS, 7, 1 };
	struct fair_limit l = { FAIR_ENTITY_GROUP, FAIR_LIMIT_PROCS, 8, 2 };
	uint32_t at = 0;
	struct world w;

	open_world_of(&w, &config);
	TEST_OK(fair_sched_add_entity(&w.s, 0, FAIR_ENTITY_USER, 7));
	TEST_OK(fair_sched_add_entity(&w.s, 0, FAIR_ENTITY_GROUP, 8));
	TEST_OK(fair_sched_limit(&w.s, 0, &l));
	TEST_OK(fair_sched_limit(&w.s, 0, &of_user));
	TEST_OK(fair_sched_remove_entity(&w.s, 0, FAIR_ENTITY_GROUP, 8));
	TEST_CHECK(fair_sched_each_limit(&w.s, &at, &l));
	TEST_CHECK(!memcmp(&l, &of_user, sizeof(l)));
	TEST_CHECK(!fair_sched_each_limit(&w.s, &at, &l));
	TEST_OK(fair_sched_remove_entity(&w.s, 0, FAIR_ENTITY_USER, 7));
	at = 0;
	TEST_CHECK(!fair_sched_each_limit(&w.s, &at, &l));
	close_world(&w);
}

/* Two GPUs for each user of a machine of four: 2 waits for those of 1, and 3, which
 * asks for none, is not held back though the limit is exceeded. */
TEST(of_another_resource)
{
	static const int32_t has[] = { 10, 4 };
	static const struct fair_machine_config machine = { 2, 1, 0, has };
	const struct fair_limit none = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS + 1,
					 FAIR_LIMIT_EACH, 0 };
	const struct fair_limit limit = { FAIR_ENTITY_USER,
					  FAIR_LIMIT_PROCS + 1,
					  FAIR_LIMIT_EACH, 2 };
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .machine = &machine,
				      .limits = 1,
				      .limit = &limit };
	int32_t asked[] = { 1, 2 };
	struct fair_job j = a_job(1, 0, 100, 1);
	struct fair_limit found;
	struct fair_why why;
	struct world w;
	char text[400];

	open_world_of(&w, &config);
	j.amount = asked;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "It asks for 2 of resource 1 beside the 2 in use;"
				" the limit of its user is 2, which has room"
				" after job 1, from 100 on."));
	asked[1] = 3;
	j.number = 3;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE);
	TEST_CHECK(fair_sched_find_limit(&w.s, &j, &found));
	TEST_EQ(found.resource, FAIR_LIMIT_PROCS + 1);
	TEST_OK(fair_sched_limit(&w.s, 0, &none));
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	j.amount = NULL;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* Each user has 4 processors. Job 1 of user 1 runs on 3 until 100, and job 2
 * waits for as many; so many of all are reserved from 120 to 150. */
static void open_window(struct world *w, int32_t procs)
{
	const struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS,
					  FAIR_LIMIT_EACH, 4 };
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .advances = 1,
				      .limits = 1,
				      .limit = &limit };
	struct fair_advance b = { .number = 1, .from = 120, .to = 150,
				  .procs = procs, .kind = FAIR_ADVANCE_USER };

	open_world_of(w, &config);
	arrive(w, 0, 1, 100, 3, 1);
	TEST_EQ(step(w, 0), 1);
	TEST_OK(fair_sched_advance_reserve(&w->s, 0, &b, false));
	arrive(w, 0, 2, 30, 3, 1);
}

/* A window of the whole machine and a limit: 2 has to wait for both. */
TEST(beside_advance_reservations)
{
	struct world w;

	open_window(&w, 10);
	TEST_EQ(look(&w, 2).start, 150);
	TEST_OK(fair_sched_advance_cancel(&w.s, 10, 1));
	TEST_EQ(look(&w, 2).start, 100);
	close_world(&w);
}

/* Job 3, inside, counts for user 2, then for user 1. */
TEST(a_reservation_job_of_another_user)
{
	struct fair_job bound = a_job(3, 0, 10, 3), ids = { .user = 1 };
	struct world w;

	open_window(&w, 6);
	bound.user = 2;
	bound.advance = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &bound));
	TEST_EQ(look(&w, 3).start, 120);
	arrive(&w, 0, 4, 100, 3, 2);
	TEST_EQ(look(&w, 4).start, 0);
	TEST_OK(fair_sched_cancel(&w.s, 0, 4));
	TEST_OK(fair_sched_reassign(&w.s, 0, 3, &ids));
	arrive(&w, 0, 4, 130, 3, 2);
	TEST_EQ(look(&w, 4).start, 0);
	TEST_EQ(look(&w, 2).start, 130);
	close_world(&w);
}

/* Job 3 asks for more than the limit of its user, and gets it inside its advance
 * reservation, at 120. So job 2 has to end before, or begin behind it. */
TEST(reservation_jobs_count_and_are_not_held_back)
{
	struct fair_job bound = a_job(3, 0, 10, 5);
	struct world w;

	open_window(&w, 6);
	TEST_EQ(look(&w, 2).start, 100);
	bound.user = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &bound), -FAIR_ERANGE);
	bound.advance = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &bound));
	TEST_EQ(look(&w, 3).start, 120);
	TEST_EQ(look(&w, 2).start, 130);
	TEST_EQ(look(&w, 2).cause, FAIR_CAUSE_LIMIT);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_modify(&w.s, 4, 3, 5, 5));
	TEST_EQ(step(&w, 4), 0);
	TEST_EQ(look(&w, 2).start, 125);
	TEST_OK(fair_sched_cancel(&w.s, 5, 3));
	TEST_EQ(step(&w, 5), 0);
	TEST_EQ(look(&w, 2).start, 100);
	close_world(&w);
}

/* Inside it job 3 grows, too; before, the limit of its user is another one. */
TEST(reservation_jobs_grow)
{
	struct fair_job bound = a_job(3, 0, 10, 5);
	struct world w;

	open_window(&w, 6);
	bound.user = 1;
	bound.advance = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &bound));
	limit_to(&w, 0, FAIR_LIMIT_PROCS, FAIR_LIMIT_EACH, 3);
	TEST_EQ(look(&w, 2).start, 130);
	TEST_OK(fair_sched_finish(&w.s, 100, 1));
	TEST_EQ(step(&w, 120), 3);
	bound.procs = 6;
	TEST_OK(fair_sched_resize(&w.s, 120, 3, &bound));
	TEST_EQ(look(&w, 3).job.procs, 6);
	close_world(&w);
}

/* Task 3 starts in the advance reservation, and task 4 comes there: job 5 of the
 * same user is displaced, to 21. What it held is for job 6 behind it, rather
 * than for job 7, which waited for the start. */
TEST(a_reservation_task_displaces_before_others_come)
{
	const struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 3,
					  4 };
	const struct fair_eligibility started = { 0, 3, FAIR_AFTER_START,
						  false };
	const struct fair_advance b = { .number = 1, .from = 1, .to = 100,
					.procs = 3, .kind = FAIR_ADVANCE_USER };
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .advances = 1,
				      .limits = 1,
				      .limit = &limit };
	struct fair_job j = a_job(3, 0, 10, 3);
	struct world w;

	open_world_of(&w, &config);
	arrive(&w, 0, 2, 10, 7, 1);
	TEST_EQ(step(&w, 0), 2);
	TEST_OK(fair_sched_advance_reserve(&w.s, 0, &b, false));
	j.user = 3;
	j.tasks = 2;
	j.advance = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	arrive(&w, 0, 5, 10, 3, 3);
	arrive(&w, 0, 6, 10, 7, 1);
	j = a_job(7, 0, 10, 7);
	TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &j, &started));
	TEST_EQ(look(&w, 5).start, 11);
	TEST_EQ(look(&w, 6).start, 21);
	TEST_EQ(step(&w, 1), 3);
	TEST_EQ(look(&w, 4).start, 11);
	TEST_EQ(look(&w, 5).start, 21);
	TEST_EQ(look(&w, 6).start, 10);
	TEST_EQ(look(&w, 7).start, 31);
	close_world(&w);
}

/* Each user has 3 processors within QoS 5, and what they like in QoS 6. */
TEST(of_each_user_within_another)
{
	const struct fair_limit limit = { FAIR_LIMIT_QOS_USER, FAIR_LIMIT_PROCS,
					  5, 3 };
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .limits = 2,
				      .limit = NULL };
	struct fair_job j = a_job(1, 0, 100, 2);
	struct fair_limit found;
	struct fair_why why;
	char text[400];
	struct world w;

	open_world_of(&w, &config);
	TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	j.user = 1;
	j.qos = 5;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 2;
	j.qos = 6;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 3;
	j.qos = 5;
	j.user = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 123);
	j.number = 4;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(look(&w, 4).start, 100);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 4, NULL, 0, &why));
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "the limit of its user in its QOS is 3, which"
				" has room after job 3, from 100 on."));
	j.number = 5;
	j.procs = 4;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE);
	TEST_CHECK(fair_sched_find_limit(&w.s, &j, &found));
	TEST_CHECK(!memcmp(&found, &limit, sizeof(found)));
	j.user = FAIR_NO_ENTITY; /* of no user, it is of no user's limit */
	TEST_CHECK(!fair_sched_find_limit(&w.s, &j, &found));
	close_world(&w);
}

/* Accounts 0, with 4 processors, and 1 below it, with 2 jobs; 2 apart. Users 3 of
 * 0, 4 of 1, 5 of 2. */
static void open_limited_tree(struct world *w)
{
	struct fair_config config = { .policy = FAIR_PC,
				      .order = FAIR_ORDER_TREE,
				      .users = 20,
				      .half_life = 100,
				      .limits = 10 };
	struct fair_limit limit = { FAIR_LIMIT_TREE, FAIR_LIMIT_PROCS, 0, 4 };

	open_world_of(w, &config);
	TEST_EQ(fair_sched_limit(&w->s, 0, &limit), -FAIR_ENOENT);
	TEST_OK(fair_sched_tree_add_account(&w->s, 0, 0, FAIR_FAIRTREE_ROOT,
					    1));
	TEST_OK(fair_sched_tree_add_account(&w->s, 0, 1, 0, 1));
	TEST_OK(fair_sched_tree_add_account(&w->s, 0, 2, FAIR_FAIRTREE_ROOT,
					    1));
	TEST_OK(fair_sched_tree_add_user(&w->s, 0, 3, 0, 1));
	TEST_OK(fair_sched_tree_add_user(&w->s, 0, 4, 1, 1));
	TEST_OK(fair_sched_tree_add_user(&w->s, 0, 5, 2, 1));
	TEST_OK(fair_sched_limit(&w->s, 0, &limit));
	limit.id = 1;
	limit.resource = FAIR_LIMIT_JOBS;
	limit.amount = 2;
	TEST_OK(fair_sched_limit(&w->s, 0, &limit));
	limit.id = 3;
	TEST_EQ(fair_sched_limit(&w->s, 0, &limit), -FAIR_ENOENT);
	limit.id = 20;
	TEST_EQ(fair_sched_limit(&w->s, 0, &limit), -FAIR_ENOENT);
	limit.id = FAIR_LIMIT_EACH;
	TEST_EQ(fair_sched_limit(&w->s, 0, &limit), -FAIR_ENOENT);
}

/* Job 3 of user 4 waits for job 1 of user 3, 4 of user 5 for neither. Then
 * account 1 moves to 2, and 2 gets a limit: 3 waits no longer; with another user
 * below 0, the job of 5 does, and account 1 without users takes its limit along. */
TEST(of_accounts_of_a_tree)
{
	struct fair_limit limit = { FAIR_LIMIT_TREE, FAIR_LIMIT_PROCS, 2, 6 };
	struct fair_sched loaded;
	unsigned char *bytes;
	struct fair_why why;
	uint32_t at = 0, n = 0;
	struct world w;
	char text[400], *memory;
	size_t size;
	int damage;

	open_limited_tree(&w);
	arrive(&w, 0, 1, 100, 3, 3);
	arrive(&w, 0, 2, 100, 1, 4);
	TEST_EQ(step(&w, 0), 12);
	arrive(&w, 0, 3, 50, 2, 4);
	arrive(&w, 0, 4, 50, 5, 5);
	TEST_EQ(look(&w, 3).start, 100);
	TEST_EQ(look(&w, 4).start, 0);
	TEST_EQ(step(&w, 0), 4);
	TEST_OK(fair_sched_why(&w.s, 3, NULL, 0, &why));
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "the limit of its account in the tree is 4"));
	bytes = checkpoint_of(&w.s, &size);
	memory = (char *)malloc(w.bytes);
	TEST_OK(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, bytes, size, &damage));
	TEST_EQ(fair_sched_check(&loaded), 0);
	free(memory);
	free(bytes);
	TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	TEST_OK(fair_sched_tree_move(&w.s, 10, 1, 2));
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(step(&w, 10), 0);
	TEST_EQ(look(&w, 3).start, 50); /* job 4 has 5 of the 6 of account 2 */
	TEST_OK(fair_sched_tree_move(&w.s, 20, 1, 0));
	TEST_EQ(look(&w, 3).start, 100);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_LIMIT);
	TEST_OK(fair_sched_finish(&w.s, 30, 2));
	TEST_OK(fair_sched_finish(&w.s, 30, 4));
	TEST_OK(fair_sched_cancel(&w.s, 30, 3));
	TEST_OK(fair_sched_tree_remove(&w.s, 30, 4));
	TEST_OK(fair_sched_tree_remove(&w.s, 30, 1));
	while (fair_sched_each_limit(&w.s, &at, &limit))
		n++;
	TEST_EQ(n, 2);
	close_world(&w);
}

/* No account of the tree has a limit: as a user moves, nothing is planned again.
 * So the next event is the end of job 1. */
TEST(a_move_that_no_limit_meets)
{
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 3, 4 };
	struct fair_config config = { .policy = FAIR_PC,
				      .order = FAIR_ORDER_TREE,
				      .users = 20,
				      .half_life = 100 };
	struct world w;

	for (config.limits = 0; config.limits < 2; config.limits++) {
		open_world_of(&w, &config);
		TEST_OK(fair_sched_tree_add_account(
			&w.s, 0, 0, FAIR_FAIRTREE_ROOT, 1));
		TEST_OK(fair_sched_tree_add_user(&w.s, 0, 3, 0, 1));
		if (config.limits)
			TEST_OK(fair_sched_limit(&w.s, 0, &limit));
		arrive(&w, 0, 1, 100, 3, 3);
		TEST_EQ(step(&w, 0), 1);
		TEST_EQ(fair_sched_next(&w.s), 100);
		TEST_OK(fair_sched_tree_move(&w.s, 0, 3, FAIR_FAIRTREE_ROOT));
		TEST_EQ(fair_sched_next(&w.s), 100);
		close_world(&w);
	}
}

/* The same where there are limits of each other kind. */
TEST(a_move_that_no_limit_of_many_meets)
{
	struct fair_limit limit = { 0, 0, FAIR_LIMIT_EACH, 1000 };
	struct fair_config config = { .policy = FAIR_PC,
				      .order = FAIR_ORDER_TREE,
				      .users = 20,
				      .half_life = 100,
				      .limits = 2 * FAIR_LIMIT_TREE };
	struct world w;

	open_world_of(&w, &config);
	for (; limit.kind < FAIR_LIMIT_TREE; limit.kind++) {
		limit.resource = FAIR_LIMIT_JOBS;
		TEST_OK(fair_sched_limit(&w.s, 0, &limit));
		limit.resource = FAIR_LIMIT_PROCS;
		TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	}
	TEST_OK(fair_sched_tree_add_account(&w.s, 0, 0, FAIR_FAIRTREE_ROOT,
					    1));
	TEST_OK(fair_sched_tree_add_user(&w.s, 0, 3, 0, 1));
	arrive(&w, 0, 1, 100, 3, 3);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_OK(fair_sched_tree_move(&w.s, 0, 3, FAIR_FAIRTREE_ROOT));
	TEST_EQ(fair_sched_next(&w.s), 100);
	close_world(&w);
}

/* Job 2 waits for processors of account 0, which alone has a limit, and one of
 * processors alone, until its user goes. */
TEST(a_move_from_a_limit_of_processors)
{
	struct fair_limit none = { FAIR_LIMIT_TREE, FAIR_LIMIT_JOBS, 1,
				   FAIR_LIMIT_NONE };
	struct world w;

	open_limited_tree(&w);
	TEST_OK(fair_sched_limit(&w.s, 0, &none));
	arrive(&w, 0, 1, 100, 3, 3);
	arrive(&w, 0, 2, 50, 3, 3);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_OK(fair_sched_tree_move(&w.s, 10, 3, 2));
	TEST_EQ(step(&w, 10), 2);
	close_world(&w);
}

/* Job 2 is promised within the budget of its account; that of the account to
 * which its user moves has less. A move that fails asks no budget. */
TEST(a_move_to_a_smaller_budget)
{
	struct fair_limit limit = { FAIR_LIMIT_TREE, FAIR_LIMIT_BUDGET, 0,
				    1000 };
	struct world w;

	open_limited_tree(&w);
	TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	limit.id = 2;
	limit.amount = 250;
	TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	arrive(&w, 0, 1, 50, 4, 3);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 50, 4, 3);
	TEST_EQ(look(&w, 2).start, 50);
	keep(&w);
	TEST_EQ(fair_sched_tree_move(&w.s, 0, 3, 3), -FAIR_ENOENT);
	TEST_CHECK(unchanged(&w));
	TEST_OK(fair_sched_tree_move(&w.s, 10, 3, 2));
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 2).cause, FAIR_CAUSE_LIMIT);
	close_world(&w);
}

/* Eight accounts with limits, one below another, and no ninth. */
TEST(levels_of_a_tree)
{
	struct fair_limit limit = { FAIR_LIMIT_TREE, FAIR_LIMIT_JOBS, 0, 4 };
	struct world w;
	uint32_t i;

	open_limited_tree(&w);
	for (i = 6; i < 13; i++)
		TEST_OK(fair_sched_tree_add_account(&w.s, 0, i, i == 6 ? 2
								: i - 1, 1));
	for (i = 6; i < 13; i++) {
		limit.id = i;
		TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	}
	/* 6 .. 12 below 2, which has none. Below 0 it would be the eighth. */
	TEST_OK(fair_sched_tree_move(&w.s, 0, 6, 0));
	TEST_EQ(fair_sched_tree_move(&w.s, 0, 6, 1), -FAIR_ENOSPC);
	TEST_OK(fair_sched_tree_move(&w.s, 0, 6, 2));
	TEST_EQ(fair_sched_tree_move(&w.s, 0, 0, 12), -FAIR_ENOSPC);
	TEST_OK(fair_sched_tree_move(&w.s, 0, 0, 11));
	limit.id = 2;
	TEST_EQ(fair_sched_limit(&w.s, 0, &limit), -FAIR_ENOSPC);
	for (limit.id = 11; limit.id <= 12; limit.id++) /* is none more */
		TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	close_world(&w);
}

/* A tree of accounts 1 to @n, each below the one before, and user @n + 1 below
 * the last; account 0 is apart. Its memory is the caller's. */
static struct fair_fairtree *a_chain(uint32_t n)
{
	static struct fair_fairtree tree, *f = &tree;
	static char memory[1 << 18];
	uint32_t i;

	TEST_OK(fair_fairtree_init(f, sizeof(*f), memory, sizeof(memory), n + 2,
				   100));
	for (i = 0; i < n; i++)
		TEST_OK(fair_fairtree_add_account(
			f, i + 1, i ? i : FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_fairtree_add_user(f, n + 1, n, 1));
	TEST_OK(fair_fairtree_add_account(f, 0, FAIR_FAIRTREE_ROOT, 1));
	return f;
}

static struct fair_config limited_chain(const struct fair_fairtree *f,
					struct fair_limit *limit,
					uint32_t limits)
{
	struct fair_config config = { .policy = FAIR_PC,
				      .order = FAIR_ORDER_TREE,
				      .procs = 4,
				      .jobs = 4,
				      .half_life = 100 };
	uint32_t i;

	config.users = f->nodes;
	config.tree = f;
	config.limits = limits;
	config.limit = limit;
	for (i = 0; i < limits; i++)
		limit[i] = (struct fair_limit){ FAIR_LIMIT_TREE,
						FAIR_LIMIT_JOBS, i + 1, 1 };
	return config;
}

/* The configuration has eight accounts with limits, one below another; the one
 * apart may go below them, until it has a limit, too. Nine are none. */
TEST(configured_levels_of_a_tree)
{
	struct fair_fairtree *f = a_chain(9);
	struct fair_limit limit[9], found;
	struct fair_config config = limited_chain(f, limit, 9);
	size_t bytes = fair_sched_size(&config);
	void *memory = malloc(bytes);
	struct fair_job j = a_job(1, 0, 10, 1);
	struct fair_sched s;

	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &config),
		-FAIR_EINVAL);
	limit[8].id = 0;
	limit[8].amount = FAIR_LIMIT_NONE;
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &config));
	TEST_OK(fair_sched_tree_move(&s, 0, 0, 9));
	TEST_OK(fair_sched_tree_move(&s, 0, 0, FAIR_FAIRTREE_ROOT));
	limit[8].amount = 0;
	TEST_OK(fair_sched_limit(&s, 0, &limit[8]));
	TEST_EQ(fair_sched_tree_move(&s, 0, 0, 9), -FAIR_ENOSPC);
	TEST_OK(fair_sched_tree_move(&s, 0, 0, 7));
	j.user = 10;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	j.number = 2;
	j.user = 0; /* an account, and no user */
	TEST_CHECK(!fair_sched_find_limit(&s, &j, &found));
	/* Limits of the tree go with its order. */
	limit[8].id = 10;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &config),
		-FAIR_EINVAL);
	config.order = FAIR_ORDER_FCFS;
	config.users = 0;
	config.half_life = 0;
	config.limits = 1;
	TEST_CHECK(fair_sched_config_error(&config) ||
		   fair_sched_init(&s, sizeof(s), memory, bytes, &config) ==
			   -FAIR_EINVAL);
	free(memory);
}

/* Any number of accounts without limits above a user. */
TEST(a_deep_tree)
{
	struct fair_fairtree *f = a_chain(400);
	struct fair_limit limit[1];
	struct fair_config config = limited_chain(f, limit, 1);
	size_t bytes = fair_sched_size(&config);
	void *memory = malloc(bytes);
	struct fair_job j = a_job(1, 0, 10, 1);
	struct fair_job_status status;
	struct fair_sched s;

	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &config));
	j.user = 401;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	j.number = 2;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_OK(fair_sched_lookup(&s, 2, &status));
	TEST_EQ(status.start, 10);
	TEST_EQ(fair_sched_check(&s), 0);
	free(memory);
}

/* In a checkpoint a limit of the tree is one of an account. */
TEST(damaged_limit_of_a_tree)
{
	const uint32_t whats = (uint32_t)FAIR_LIMIT_KINDS *
			       (uint32_t)FAIR_LIMIT_RESOURCES;
	struct fair_sched loaded;
	unsigned char *bytes;
	struct world w;
	char *memory;
	uint32_t row;
	size_t size;
	int damage;

	open_limited_tree(&w);
	for (row = 0; w.s.limits->row[row].whose != 1;)
		row++;
	w.s.limits->row[row].whose = 3; /* a user */
	bytes = checkpoint_of(&w.s, &size);
	w.s.limits->row[row].whose = 1;
	memory = (char *)malloc(w.bytes);
	TEST_EQ(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, bytes, size, &damage),
		-FAIR_EINVAL);
	w.s.limits->row[row].what += whats;
	free(bytes);
	bytes = checkpoint_of(&w.s, &size);
	w.s.limits->row[row].what -= whats;
	TEST_EQ(fair_sched_load(&loaded, sizeof(loaded), memory, w.bytes,
				&w.config, bytes, size, &damage),
		-FAIR_EINVAL);
	free(memory);
	free(bytes);
	close_world(&w);
}

static void expect_error(const struct fair_config *config, const char *text)
{
	const char *error = fair_sched_config_error(config);

	TEST_CHECK(error && strstr(error, text));
}

TEST(configurations)
{
	struct fair_limit bad = { FAIR_LIMIT_KINDS, 0, 0, 1 };
	struct fair_limit two[] = { { 0, 0, 0, 1 }, { 0, 0, 1, -1 } };
	struct fair_config config = { .policy = FAIR_PC,
				      .procs = 4,
				      .jobs = 4,
				      .limits = 1 };
	struct fair_sched s;
	char memory[1 << 15];

	TEST_CHECK(!fair_sched_config_error(&config));
	config.advances = 1;
	TEST_CHECK(!fair_sched_config_error(&config));
	config.advances = 0;
	config.limit = &bad;
	expect_error(&config, "limit has a kind");
	bad.kind = 0;
	bad.amount = -1;
	expect_error(&config, "limit has a kind");
	config.limit = two;
	config.limits = 2;
	expect_error(&config, "limit has a kind");
	config.limit = &bad;
	config.limits = 1;
	bad.amount = 1;
	bad.resource = FAIR_LIMIT_PROCS + 1; /* the pool has no such */
	expect_error(&config, "limit has a kind");
	bad.resource = 0;
	config.ids = 1;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, sizeof(memory), &config),
		-FAIR_EINVAL);
	config.ids = 0;
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, sizeof(memory),
				&config));
	TEST_CHECK(!s.config.limit); /* it was read once */
	config.limits = UINT32_MAX;
	config.limit = NULL;
	TEST_EQ(fair_sched_size(&config), 0);
}

/* A reservation job that is held no longer counts for the limit of its user. */
TEST(a_held_reservation_job)
{
	static const struct fair_limit one = { FAIR_ENTITY_USER,
					       FAIR_LIMIT_JOBS, 1, 1 };
	static const struct fair_advance advance = { .number = 1,
						     .from = 10,
						     .to = 90,
						     .procs = 4,
						     .kind = FAIR_ADVANCE_USER };
	const struct fair_eligibility held = { .held = true };
	struct fair_config c = { .advances = 1, .limits = 1, .limit = &one };
	struct fair_job j;
	struct world w;

	for (c.policy = FAIR_FCFS; c.policy <= FAIR_DC; c.policy++) {
		open_world_of(&w, &c);
		TEST_OK(fair_sched_advance_reserve(&w.s, 0, &advance, false));
		j = a_job(1, 0, 50, 2);
		j.user = 1;
		j.advance = 1;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		j = a_job(2, 0, 30, 2);
		j.user = 1;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		TEST_EQ(step(&w, 0), 0);
		TEST_OK(fair_sched_defer(&w.s, 0, 1, &held));
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(step(&w, 0), 2);
		close_world(&w);
	}
}
