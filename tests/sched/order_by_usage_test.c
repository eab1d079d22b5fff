/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The order by decayed usage: what a job is charged at its start, at its end
 * and when it changes, and whose job goes first.
 */
#include "fairsched.h"
#include "tests/world.h"

#define PROC_SECONDS(n) ((uint64_t)(n) << 20)

static void open_usage(struct world *w, int64_t half_life)
{
	open_usage_by(w, FAIR_FCFS, half_life);
}

/* At its start a job is charged its walltime; the queue is reordered at once. */
TEST(provisional_charge)
{
	struct world w;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 4, 0);
	submit_of(&w, 1, 0, 100, 4, 0);
	submit_of(&w, 2, 1, 300, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(used(&w, 0, 1000), PROC_SECONDS(400));
	/* User 1 has nothing to his name: his job passes job 1. */
	TEST_EQ(next_start(&w, 1000), 2);
	TEST_EQ(used(&w, 1, 1000), PROC_SECONDS(1200));
	TEST_EQ(next_start(&w, 1000), -1);
	/* Done after 10 s: that is what it used. */
	TEST_EQ(fair_sched_finish(&w.s, 1010, 2), 0);
	TEST_EQ(used(&w, 1, 1010), PROC_SECONDS(40));
	submit_of(&w, 3, 1, 100, 4, 0);
	TEST_EQ(next_start(&w, 1010), 3);
	/* Longer than its walltime: charged for all of it, in the end. */
	TEST_EQ(fair_sched_finish(&w.s, 1150, 0), 0);
	TEST_EQ(used(&w, 0, 1150), PROC_SECONDS(600));
	close_world(&w);
}

TEST(charged_by_penalty)
{
	struct world w;
	struct fair_job j;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 1, 8 * FAIR_PENALTY_ONE);
	submit_of(&w, 1, 1, 100, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(next_start(&w, 1000), 1);
	TEST_EQ(used(&w, 0, 1000), PROC_SECONDS(800));
	TEST_EQ(used(&w, 1, 1000), PROC_SECONDS(400));
	j = a_job(9, 1000, 1, 1);
	j.user = 3;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), -FAIR_ENOENT);
	j.user = 2;
	j.penalty = -1;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), -FAIR_EINVAL);
	j.penalty = ((int64_t)1 << 51) + 1;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), -FAIR_EINVAL);
	j.penalty--;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), 0);
	close_world(&w);
}

/* What never ran, was given another walltime, lost its processors. */
TEST(charges_of_events)
{
	const uint64_t victim = 1;
	struct world w;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 1000, 0), 0);
	TEST_EQ(used(&w, 0, 1000), 0);
	TEST_EQ(next_start(&w, 1001), 0);
	TEST_EQ(fair_sched_modify(&w.s, 1001, 0, 4, 50), 0);
	TEST_EQ(used(&w, 0, 1001), PROC_SECONDS(200));
	TEST_EQ(fair_sched_modify(&w.s, 1001, 0, 4, 500), 0);
	TEST_EQ(used(&w, 0, 1001), PROC_SECONDS(2000));
	TEST_EQ(fair_sched_cancel(&w.s, 1011, 0), 0);
	TEST_EQ(used(&w, 0, 1011), PROC_SECONDS(40));
	submit_of(&w, 1, 1, 100, 8, 0);
	TEST_EQ(next_start(&w, 1011), 1);
	TEST_EQ(fair_sched_capacity(&w.s, 1021, -8, &victim, 1), 0);
	TEST_EQ(used(&w, 1, 1021), PROC_SECONDS(80));
	close_world(&w);
}

/* Usage that two users had at different times is not worth the same. */
TEST(half_lives)
{
	struct world w;

	open_usage(&w, 100);
	submit_of(&w, 0, 0, 10, 8, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 0), 0);
	/* 80 / 4 = 20 after two of them, but that it was not all used at once:
	 * 8 * 100 / ln 2 * (1 - 2^-0.1) / 4 = 19.33 */
	TEST_CHECK(used(&w, 0, 1210) > PROC_SECONDS(193) / 10);
	TEST_CHECK(used(&w, 0, 1210) < PROC_SECONDS(194) / 10);
	TEST_EQ(next_start(&w, 1210), -1);
	submit_of(&w, 1, 1, 3, 8, 0);
	TEST_EQ(next_start(&w, 1210), 1);
	TEST_EQ(fair_sched_finish(&w.s, 1213, 1), 0); /* 24 */
	submit_of(&w, 2, 1, 10, 8, 0);
	submit_of(&w, 3, 0, 10, 8, 0);
	TEST_EQ(next_start(&w, 1213), 3);
	close_world(&w);
}

/*
 * User 0 used twice what user 1 did, but of both less than a unit is left; or
 * neither used anything. One processor is free: whose job gets it?
 */
TEST(by_fractions)
{
	static const struct {
		bool used;
		uint32_t user[4];
		int32_t procs[4];
		int64_t first;
	} line[] = {
		{ true, { 0, 1 }, { 1, 1 }, 3 },
		{ true, { 1, 0, 1 }, { 8, 1, 1 }, 4 },
		{ false, { 0, 1, 0 }, { 8, 1, 1 }, 3 },
		{ false, { 0, 1, 0, 1 }, { 8, 2, 1, 1 }, 4 },
	};
	struct fair_config c;
	struct world w;
	uint64_t i, k;

	for (i = 0; i < 8; i++) {
		open_usage_by(&w, FAIR_BACKFILL, 1);
		if (i > 3) { /* by dominant share: the same */
			c = w.config;
			c.order = FAIR_ORDER_DOMINANT;
			close_world(&w);
			open_world_of(&w, &c);
		}
		for (k = 0; k < 2 && line[i % 4].used; k++) {
			submit_of(&w, k, (uint32_t)k, 10, k ? 2 : 4, 0);
			TEST_EQ(next_start(&w, 1000), k);
		}
		for (k = 0; k < 2 && line[i % 4].used; k++)
			TEST_EQ(fair_sched_finish(&w.s, 1010, k), 0);
		TEST_EQ(fair_sched_pass_time(&w.s, 1040), 0);
		TEST_EQ(used(&w, 0, 1040), 0);
		TEST_EQ(used(&w, 1, 1040), 0);
		submit_of(&w, 9, 2, 100, 7, 0);
		TEST_EQ(next_start(&w, 1040), 9);
		for (k = 0; k < 4 && line[i % 4].procs[k]; k++)
			submit_of(&w, 2 + k, line[i % 4].user[k], 5,
				  line[i % 4].procs[k], 0);
		TEST_EQ(next_start(&w, 1040), line[i % 4].first);
		close_world(&w);
	}
}

/* Usage of a second or less is not rounded: who used half of it goes first. */
TEST(little_usage)
{
	struct world w;
	uint64_t i;

	open_usage(&w, 1);
	for (i = 0; i < 2; i++) {
		submit_of(&w, i, (uint32_t)i, 10, i ? 2 : 4, 0);
		TEST_EQ(next_start(&w, 1000), i);
	}
	for (i = 0; i < 2; i++)
		TEST_OK(fair_sched_finish(&w.s, 1010, i));
	TEST_OK(fair_sched_pass_time(&w.s, 1070));
	submit_of(&w, 2, 0, 5, 8, 0);
	submit_of(&w, 3, 1, 5, 8, 0);
	TEST_EQ(next_start(&w, 1070), 3);
	close_world(&w);
}

/* Of processor-seconds of a caller all bits count. */
TEST(set_and_credited)
{
	struct world w;

	open_usage(&w, 0);
	TEST_OK(fair_sched_set_usage(&w.s, 1000, FAIR_ENTITY_USER, 1,
				     (1 << 21) + 1));
	TEST_EQ(used(&w, 1, 1000), PROC_SECONDS((1 << 21) + 1));
	TEST_OK(fair_sched_credit(&w.s, 1000, FAIR_ENTITY_USER, 1,
				  UINT64_C(1) << 44, 0));
	TEST_EQ(used(&w, 1, 1000), 0);
	close_world(&w);
}

/* Beyond 2^59 the unit of the ledger is twice as large: all are charged. */
TEST(a_ledger_makes_room)
{
	const uint64_t half = (uint64_t)1 << 54;
	struct world w;
	uint64_t i;

	open_usage(&w, 0);
	for (i = 0; i < 3; i++)
		submit_of(&w, i, 0, (int64_t)1 << 34, 2, i == 1 ? 1 << 25 : 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(used(&w, 0, 1000), 2 * half);
	TEST_EQ(next_start(&w, 1000), 1); /* 2^59 more */
	TEST_EQ(used(&w, 0, 1000), 17 * half);
	TEST_EQ(next_start(&w, 1000), 2);
	TEST_EQ(used(&w, 0, 1000), 18 * half);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 1), 0);
	TEST_EQ(used(&w, 0, 1010), 2 * half + 10 * ((uint64_t)1 << 24));
	TEST_EQ(fair_sched_finish(&w.s, 1010, 0), 0);
	TEST_EQ(used(&w, 0, 1010),
		half + 10 * ((uint64_t)1 << 24) + PROC_SECONDS(10));
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* Seven jobs run at the highest rate for ages, each of which makes the unit
 * twice as large: the last one is charged, too. */
TEST(the_coarsest_unit)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_USAGE,
				 .users = 3,
				 .procs = 8,
				 .jobs = 20 };
	const int64_t end = INT64_C(1) << 58;
	struct fair_entity e;
	struct world w;
	uint64_t i;

	open_world_of(&w, &c);
	submit_of(&w, 0, 2, 10, 1, 1);
	for (i = 1; i < 8; i++)
		submit_of(&w, i, i == 7, 10, 1, INT64_C(1) << 51);
	TEST_EQ(step(&w, 0), 1723456);
	for (i = 0; i < 8; i++)
		TEST_OK(fair_sched_finish(&w.s, end, i));
	TEST_OK(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER, 0, &e));
	TEST_CHECK(e.usage == UINT64_MAX);
	submit_of(&w, 8, 1, 10, 8, 0);
	submit_of(&w, 9, 2, 10, 8, 0);
	TEST_EQ(next_start(&w, end), 9);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* So it is when a walltime changes, and at the end. */
TEST(room_for_a_charge_that_changes)
{
	const uint64_t half = (uint64_t)1 << 50;
	struct world w;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 200, 1, INT64_C(1) << 51);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(used(&w, 0, 1000), 400 * half);
	TEST_EQ(fair_sched_modify(&w.s, 1000, 0, 1, 300), 0);
	TEST_EQ(used(&w, 0, 1000), 300 * half);
	TEST_EQ(fair_sched_modify(&w.s, 1000, 0, 1, 100), 0);
	TEST_EQ(used(&w, 0, 1000), 100 * half);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 0), 0);
	TEST_EQ(used(&w, 0, 1010), 10 * half);
	close_world(&w);
}

/* Half a unit is charged as one; a checkpoint and a clone know the unit. */
TEST(a_coarse_unit_is_kept)
{
	struct fair_entity e;
	struct fair_sched b;
	struct world w;
	char *memory;
	void *file;
	size_t bytes;
	int i;

	open_usage(&w, 1000);
	submit_of(&w, 0, 0, (int64_t)1 << 34, 2, INT64_C(1) << 51);
	submit_of(&w, 1, 1, 10, 2, 1);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(next_start(&w, 1000), 1);
	TEST_EQ(used(&w, 0, 1000), (uint64_t)1 << 58);
	TEST_EQ(used(&w, 1, 1000), 10);
	bytes = fair_sched_checkpoint_size(&w.s);
	file = malloc(bytes);
	memory = (char *)malloc(w.bytes);
	TEST_REQUIRE(file && memory);
	TEST_OK(fair_sched_save(&w.s, file, bytes));
	for (i = 0; i < 2; i++) {
		if (i)
			TEST_OK(fair_sched_clone(&b, memory, w.bytes, &w.s));
		else
			TEST_OK(fair_sched_load(&b, sizeof(b), memory, w.bytes,
						&w.config, file, bytes, NULL));
		TEST_EQ(fair_sched_check(&b), 0);
		TEST_OK(fair_sched_set_usage(&b, 1000, FAIR_ENTITY_USER, 2,
					     77));
		TEST_OK(fair_sched_get_entity(&b, FAIR_ENTITY_USER, 2, &e));
		TEST_CHECK(e.usage == 77 || (e.usage == 76 && e.fraction >> 63));
		TEST_OK(fair_sched_finish(&b, 1000, 0));
		TEST_OK(fair_sched_credit(&b, 1000, FAIR_ENTITY_USER, 2,
					  UINT64_MAX, 0));
		TEST_OK(fair_sched_get_entity(&b, FAIR_ENTITY_USER, 2, &e));
		TEST_EQ(e.usage, 0);
	}
	free(file);
	free(memory);
	close_world(&w);
}

/* A conversion keeps usage: what a running job has used, 160, is used now. */
TEST(kept_by_a_conversion)
{
	struct world w, b;
	size_t bytes;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(fair_sched_pass_time(&w.s, 1040), 0);
	memset(&b, 0, sizeof(b));
	b.config = w.config;
	b.config.origin = 1040;
	bytes = fair_sched_size(&b.config);
	b.memory = (char *)malloc(bytes);
	TEST_REQUIRE(b.memory);
	TEST_OK(fair_sched_convert(&b.s, sizeof(b.s), b.memory, bytes,
				   &b.config, &w.s));
	TEST_EQ(used(&b, 0, 1040), PROC_SECONDS(560));
	TEST_EQ(fair_sched_finish(&b.s, 1070, 0), 0);
	TEST_EQ(used(&b, 0, 1070), PROC_SECONDS(280));
	close_world(&b);
	close_world(&w);
}

/* An overrun may need the room that its walltime did not. */
TEST(room_for_an_overrun)
{
	struct fair_job j = a_job(1, 0, 200, 1);
	uint64_t used[2];
	struct world w = { .config.policy = FAIR_BACKFILL,
			   .config.order = FAIR_ORDER_USAGE,
			   .config.procs = 1,
			   .config.jobs = 2,
			   .config.users = 2 };

	open_world_of(&w, &w.config);
	j.penalty = INT64_C(1) << 51;
	j.user = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(next_start(&w, 0), 1);
	TEST_EQ(fair_usage_at(usage_of(&w.s), 1, 0, &used[0], &used[1]), 0);
	TEST_EQ(used[0], UINT64_C(200) << 51);
	TEST_EQ(fair_sched_finish(&w.s, 300, 1), 0);
	TEST_EQ(fair_usage_at(usage_of(&w.s), 1, 300, &used[0], &used[1]), 0);
	TEST_EQ(used[0], UINT64_C(300) << 50);
	close_world(&w);
}

/* Users 0 and 1 tie: the job of one goes between those of the other. */
TEST(users_that_tie_in_a_compression)
{
	struct world w;
	uint64_t n;

	open_usage_by(&w, FAIR_PC, 0);
	submit_of(&w, 1, 2, 100, 8, 0);
	TEST_EQ(step(&w, 1000), 1);
	for (n = 2; n <= 4; n++)
		submit_of(&w, n, n % 2, 10, 8, 0);
	TEST_OK(fair_sched_finish(&w.s, 1050, 1));
	for (n = 2; n <= 4; n++)
		TEST_EQ(look(&w, n).start, 1030 + 10 * (int64_t)n);
	close_world(&w);
}
