/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Promises under orders that change: what replan() does and what it does not
 * take, and the gate of dc.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plain_ledger.h"
#include "tests/world.h"

static void ask(struct world *w, uint64_t number, uint32_t who,
		int64_t walltime, int32_t procs)
{
	struct fair_job j = a_job(number, 0, walltime, procs);

	j.user = j.account = who;
	TEST_OK(fair_sched_submit(&w->s, 0, &j));
}

/* Jobs of the whole machine: 1 of user 0 runs until 100, 3 of user 0 and 4 of
 * user 1 stand behind a hole that job 2 has left. */
static void open_hole(struct world *w, uint32_t policy)
{
	const struct fair_config c = { .policy = policy,
				       .order = FAIR_ORDER_USAGE,
				       .users = 2 };

	open_world_of(w, &c);
	ask(w, 1, 0, 100, PROCS);
	TEST_EQ(step(w, 0), 1);
	ask(w, 2, 0, 50, PROCS);
	ask(w, 3, 0, 50, PROCS);
	ask(w, 4, 1, 50, PROCS);
	TEST_OK(fair_sched_modify(&w->s, 0, 2, PROCS, 200));
	TEST_EQ(look(w, 3).start, 150);
	TEST_EQ(look(w, 4).start, 200);
	TEST_EQ(look(w, 2).start, 250);
}

/* User 1 has used nothing: its job goes first; dc moves what can start now. */
TEST(a_reaction_on_demand)
{
	struct world w;

	open_hole(&w, FAIR_PC);
	TEST_OK(fair_sched_replan(&w.s, 0));
	TEST_EQ(look(&w, 4).start, 100);
	TEST_EQ(look(&w, 3).start, 150);
	TEST_EQ(look(&w, 2).start, 200);
	TEST_EQ(fair_sched_replan(&w.s, -1), -FAIR_ETIME);
	TEST_EQ(fair_sched_replan(&w.s, INT64_MAX), -FAIR_EINVAL);
	close_world(&w);
	open_hole(&w, FAIR_DC);
	TEST_OK(fair_sched_replan(&w.s, 0));
	TEST_EQ(look(&w, 4).start, 200);
	TEST_OK(fair_sched_finish(&w.s, 90, 1));
	TEST_EQ(step(&w, 90), 4);
	TEST_EQ(look(&w, 3).start, 150);
	close_world(&w);
}

/* Other usage is no event: it counts from the next reaction on. */
TEST(usage_that_is_set)
{
	struct world w;

	open_hole(&w, FAIR_PC);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 1, 100000));
	TEST_EQ(step(&w, 10), 0);
	TEST_EQ(look(&w, 3).start, 150);
	TEST_EQ(look(&w, 4).start, 200);
	TEST_OK(fair_sched_replan(&w.s, 10));
	TEST_EQ(look(&w, 3).start, 100);
	TEST_EQ(look(&w, 4).start, 150);
	close_world(&w);
}

/* Jobs of 2 of 4 processors; those of account 2 end at @end. */
static void open_targets(struct world *w, const int64_t *target, bool gated)
{
	const struct fair_config c = { .policy = FAIR_DC,
				       .procs = 4,
				       .accounts = 3,
				       .target = target,
				       .by_target = gated };

	open_world_of(w, &c);
}

/* Account 0 is above its target while job 1 runs: 4 goes before 3. */
TEST(the_gate_of_dc)
{
	static const int64_t target[] = { 0, 4, 4 };
	struct world w;
	int gated;

	for (gated = 0; gated < 2; gated++) {
		open_targets(&w, target, gated);
		ask(&w, 1, 0, 100, 2);
		ask(&w, 2, 2, 50, 2);
		TEST_EQ(step(&w, 0), 12);
		ask(&w, 3, 0, 30, 2);
		ask(&w, 4, 1, 30, 2);
		TEST_EQ(look(&w, 3).start, 50);
		TEST_EQ(look(&w, 4).start, 80);
		TEST_OK(fair_sched_finish(&w.s, 10, 2));
		TEST_EQ(look(&w, gated ? 4 : 3).start, 10);
		TEST_EQ(step(&w, 10), gated ? 4 : 3);
		TEST_OK(fair_sched_finish(&w.s, 40, gated ? 4 : 3));
		/* A promise that is due starts whatever the gate says. */
		TEST_EQ(step(&w, 50), gated ? 3 : 4);
		close_world(&w);
	}
}

/* The fill counts the job that it has just placed: 3 takes account 1 above its
 * target, so that 5 goes before 4. */
TEST(the_gate_counts_what_it_lets_in)
{
	static const int64_t target[] = { 4, 1, 4 };
	struct world w;
	int gated;

	for (gated = 0; gated < 2; gated++) {
		open_targets(&w, target, gated);
		ask(&w, 1, 2, 50, 4);
		TEST_EQ(step(&w, 0), 1);
		ask(&w, 3, 1, 100, 2);
		ask(&w, 4, 1, 100, 2);
		ask(&w, 5, 0, 40, 2);
		TEST_OK(fair_sched_finish(&w.s, 10, 1));
		TEST_EQ(step(&w, 10), gated ? 35 : 34);
		close_world(&w);
	}
}

/* Neither pc nor conservative has a gate, and the error says so. */
TEST(no_other_gate)
{
	static const uint32_t policy[] = { FAIR_PC, FAIR_CONSERVATIVE,
					   FAIR_BACKFILL };
	struct fair_config c = { .procs = 4, .jobs = 4, .accounts = 1 };
	size_t i;

	for (i = 0; i < 3; i++) {
		c.policy = policy[i];
		c.by_target = false;
		TEST_CHECK(!fair_sched_config_error(&c));
		c.by_target = true;
		TEST_REQUIRE(fair_sched_config_error(&c));
		TEST_CHECK(strstr(fair_sched_config_error(&c), "FAIR_DC"));
	}
	c.policy = FAIR_DC;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.accounts = 0;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "accounts"));
}

/*
 * At 100 job 3 has waited longer for its walltime than job 2, which starts: it
 * has been bypassed, and so goes before job 4.
 */
TEST(a_start_bypasses_by_priorities_of_now)
{
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config c = { .policy = FAIR_PC,
				 .order = FAIR_ORDER_PRIORITY,
				 .procs = INT32_MAX,
				 .users = 1,
				 .accounts = 1,
				 .maui = &maui };
	struct world w;
	uint32_t kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		maui.count[kind] = 1;
	maui.priority.weight[FAIR_PRIORITY_XFACTOR] = 1;
	maui.priority.component_weight[FAIR_PRIORITY_BYPASS] = 1000;
	open_world_of(&w, &c);
	submit(&w, 0, 1, 100, INT32_MAX);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 100, INT32_MAX);
	submit(&w, 0, 5, 200, INT32_MAX);
	submit(&w, 0, 3, 10, INT32_MAX);
	TEST_OK(fair_sched_finish(&w.s, 100, 1));
	TEST_EQ(step(&w, 100), 2);
	submit(&w, 101, 4, 1, INT32_MAX);
	TEST_OK(fair_sched_finish(&w.s, 150, 2));
	TEST_EQ(look(&w, 3).start, 150);
	TEST_EQ(look(&w, 4).start, 160);
	TEST_EQ(look(&w, 5).start, 161);
	close_world(&w);
}

/* A ledger orders in place of the configuration: the long job was there first. */
TEST(a_ledger_in_place_of_lxf)
{
	static const struct fair_ledger_ops ops = { .name = "ties",
						    .size = plain_size,
						    .init = plain_init,
						    .order = all_tie };
	struct fair_config c = { .policy = FAIR_PC,
				 .order = FAIR_ORDER_LXF };
	struct world w;

	for (c.ledger = NULL;; c.ledger = &ops) {
		open_world_of(&w, &c);
		submit(&w, 0, 1, 100, PROCS);
		submit(&w, 0, 2, 200, PROCS);
		submit(&w, 1, 3, 10, PROCS);
		TEST_EQ(step(&w, 1), 1);
		TEST_OK(fair_sched_finish(&w.s, 50, 1));
		TEST_EQ(step(&w, 50), c.ledger ? 2 : 3);
		close_world(&w);
		if (c.ledger)
			break;
	}
}
