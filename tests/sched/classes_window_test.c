/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Jobs that are selected for backfill, where processors are not all that they
 * need: sets of several resources, and nodes.
 */
#include "fairsched.h"
#include "tests/world.h"

static void arrive(struct world *w, uint64_t number, const int32_t *amount,
		   int32_t chunks)
{
	struct fair_job j = a_job(number, 0, 10, amount[0]);

	j.amount = amount;
	j.chunks = chunks;
	if (w->config.maui)
		j.user = j.group = j.account = j.queue = j.qos =
			FAIR_THROTTLE_NONE;
	TEST_OK(fair_sched_submit(&w->s, 0, &j));
}

/* Jobs 2 and 3 wait for the machine, on which 1 runs. */
static void open_waiting(struct world *w, struct fair_config *c,
			 const int32_t *one, const int32_t *all, int32_t chunks)
{
	c->policy = c->maui ? FAIR_MAUI : FAIR_BACKFILL;
	c->depth = c->maui ? 0 : 2;
	c->procs = all[0];
	open_world_of(w, c);
	arrive(w, 1, one, chunks > 0);
	arrive(w, 2, all, chunks);
	arrive(w, 3, all, chunks);
}

/* 4, 5 and 6 have room for their processors, and for the memory of 5 and 6. */
TEST(sets_of_two_resources)
{
	static const int32_t all[] = { 8, 4 }, one[] = { 1, 0 };
	static const int32_t more[] = { 2, 3 }, less[] = { 2, 2 };
	static const struct fair_machine_config machine = { 2, 1, 0, all };
	struct fair_config c = { .select = FAIR_GREEDY, .machine = &machine };
	struct world w;

	open_waiting(&w, &c, one, all, 0);
	arrive(&w, 4, more, 0);
	arrive(&w, 5, less, 0);
	arrive(&w, 6, less, 0);
	TEST_EQ(step(&w, 0), 156);
	close_world(&w);
}

/* One of two nodes is free: for 5, and not for 4. */
TEST(the_first_that_has_room)
{
	static const int32_t all[] = { 8 }, half[] = { 4 }, count[] = { 2 };
	static const struct fair_machine_config machine = { 1, 1, 0, all };
	static const struct fair_node_config nodes = { count, 0, 16, false };
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config c = { .machine = &machine,
				 .nodes = &nodes,
				 .maui = &maui };
	struct world w;

	maui.depth = 2;
	open_waiting(&w, &c, half, all, 2);
	arrive(&w, 4, all, 2);
	arrive(&w, 5, half, 1);
	TEST_EQ(step(&w, 0), 15);
	close_world(&w);
}
