/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Jobs inside an advance reservation of nodes: which of its nodes they may use,
 * and whether they keep the nodes and the start that they have.
 */
#include "fairsched.h"
#include "tests/world.h"

/* So many nodes of one processor. Set 1 has node 0. */
static void open_many(struct world *w, int32_t n, uint32_t advances)
{
	static int32_t count[1];
	static const struct fair_machine_config machine = { 1, 1, 0, count };
	static const struct fair_node_config nodes = { count, 2, 512, false };
	const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				       .procs = n,
				       .advances = advances,
				       .machine = &machine,
				       .nodes = &nodes };

	count[0] = n;
	open_world_of(w, &c);
	TEST_OK(fair_sched_set_node(&w->s, 1, 0, true));
}

static void open_nodes(struct world *w, uint32_t advances)
{
	open_many(w, 4, advances);
}

/* So many nodes; those of @set if it is not 0. */
static void withhold(struct world *w, uint64_t number, int64_t from, int64_t to,
		     int32_t nodes, uint32_t set)
{
	const struct fair_advance b = { .number = number,
					.from = from,
					.to = to,
					.kind = FAIR_ADVANCE_USER,
					.nodes = nodes,
					.named = set };

	TEST_OK(fair_sched_advance_reserve(&w->s, w->s.now, &b, false));
}

static struct fair_job bound_job(uint64_t number, uint64_t advance,
				 int64_t walltime)
{
	struct fair_job j = a_job(number, 0, walltime, 1);

	j.chunks = 1;
	j.advance = advance;
	return j;
}

static void bind(struct world *w, uint64_t number, uint64_t advance,
		 int64_t walltime)
{
	struct fair_job j = bound_job(number, advance, walltime);

	j.submit = w->s.now;
	TEST_OK(fair_sched_submit(&w->s, w->s.now, &j));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static uint32_t node_of(const struct world *w, uint64_t number)
{
	struct fair_nodes_part part = { 99, 0 };
	uint32_t at = 0;

	TEST_CHECK(fair_sched_nodes(&w->s, number, &at, &part));
	return part.node;
}

/* A job may exclude one of its nodes, and name one. */
TEST(nodes_that_it_may_use)
{
	struct fair_job j = bound_job(1, 7, 10);
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 2, 0);
	TEST_CHECK(fair_sched_advance_has_node(&w.s, 7, 0));
	TEST_CHECK(fair_sched_advance_has_node(&w.s, 7, 1));
	j.excluded = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(look(&w, 1).start, 5);
	TEST_EQ(node_of(&w, 1), 1);
	j.number = 2;
	j.excluded = 0;
	j.named = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(node_of(&w, 2), 0);
	close_world(&w);
	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 0, 1);
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.named = 0;
	j.excluded = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_EINVAL); /* lives */
	j.number = 3;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE);
	close_world(&w);
}

/* The check finds a start before its reservation, where its nodes are free. */
TEST(planned_too_early)
{
	struct fair_live *j;
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 2, 0);
	bind(&w, 1, 7, 10);
	j = w.s.live + w.s.ineligible[0].slot;
	TEST_EQ(j->queued.rank.key, 5);
	TEST_WITH(j->queued.rank.key, 4, fair_sched_check(&w.s), 6);
	close_world(&w);
}

/* Not before the second after it was refused. */
TEST(refused)
{
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 1, 0);
	bind(&w, 1, 7, 10);
	TEST_EQ(step(&w, 5), 1);
	TEST_OK(fair_sched_refuse(&w.s, 5, 1));
	TEST_EQ(look(&w, 1).start, 6);
	TEST_EQ(step(&w, 5), 0);
	TEST_EQ(step(&w, 6), 1);
	close_world(&w);
}

/* It ends with its reservation, and then would end behind it. */
TEST(until_the_end)
{
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 1, 0);
	bind(&w, 1, 7, 25);
	bind(&w, 2, 7, 20);
	TEST_EQ(look(&w, 2).start, 30);
	TEST_OK(fair_sched_modify(&w.s, 1, 2, 1, 21));
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	close_world(&w);
}

/* It was not asked to start in time, and its reservation ends earlier. */
TEST(later_and_shorter)
{
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 1, 0);
	bind(&w, 1, 7, 10);
	TEST_OK(fair_sched_pass_time(&w.s, 8));
	bind(&w, 2, 7, 30);
	TEST_EQ(look(&w, 1).start, 8);
	TEST_EQ(look(&w, 2).start, 18);
	withhold(&w, 7, 5, 47, 1, 0);
	TEST_EQ(look(&w, 1).start, 8);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	close_world(&w);
}

/* Its reservation gets another node, and then takes no job any more. */
TEST(on_another_node)
{
	const struct fair_advance repair = { .number = 7,
					     .from = 5,
					     .to = 50,
					     .kind = FAIR_ADVANCE_MAINTENANCE,
					     .named = 2 };
	struct fair_why why;
	struct world w;

	open_nodes(&w, 1);
	TEST_OK(fair_sched_set_node(&w.s, 2, 2, true));
	withhold(&w, 7, 5, 50, 0, 1);
	bind(&w, 1, 7, 10);
	TEST_EQ(node_of(&w, 1), 0);
	withhold(&w, 7, 5, 50, 0, 2);
	TEST_EQ(look(&w, 1).start, 5);
	TEST_EQ(node_of(&w, 1), 2);
	TEST_OK(fair_sched_advance_reserve(&w.s, 0, &repair, false));
	TEST_EQ(look(&w, 1).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 1).cause, FAIR_CAUSE_ADVANCE);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_OWN_ADVANCE);
	TEST_EQ(why.advance.to, 0);
	close_world(&w);
}

/* Its node goes down before it begins. */
TEST(a_node_goes_down)
{
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 2, 0);
	bind(&w, 1, 7, 10);
	TEST_EQ(node_of(&w, 1), 0);
	TEST_OK(fair_sched_node_down(&w.s, 1, 0, NULL, 0));
	TEST_EQ(look(&w, 1).start, 5);
	TEST_EQ(node_of(&w, 1), 1);
	close_world(&w);
}

/* Job 3 is planned behind job 2, on node 1. It stays there to the end of the
 * reservation, though node 0 comes first. */
TEST(it_keeps_its_nodes)
{
	struct world w;

	open_nodes(&w, 1);
	withhold(&w, 7, 5, 50, 2, 0);
	bind(&w, 1, 7, 45);
	bind(&w, 2, 7, 25);
	bind(&w, 3, 7, 20);
	TEST_EQ(node_of(&w, 1), 0);
	TEST_EQ(node_of(&w, 3), 1);
	TEST_EQ(look(&w, 3).start, 30);
	TEST_EQ(step(&w, 5), 12);
	TEST_OK(fair_sched_modify(&w.s, 6, 1, 1, 25));
	TEST_EQ(look(&w, 3).start, 30);
	TEST_EQ(node_of(&w, 3), 1);
	close_world(&w);
}

/* The third one has what the two before it leave. */
TEST(three_reservations)
{
	struct world w;

	open_nodes(&w, 3);
	withhold(&w, 7, 5, 50, 1, 0);
	withhold(&w, 8, 10, 60, 1, 0);
	withhold(&w, 9, 15, 70, 2, 0);
	bind(&w, 1, 7, 45);
	bind(&w, 2, 8, 50);
	bind(&w, 3, 9, 55);
	TEST_EQ(look(&w, 1).start, 5);
	TEST_EQ(look(&w, 2).start, 10);
	TEST_EQ(look(&w, 3).start, 15);
	TEST_EQ(step(&w, 5), 1);
	TEST_EQ(step(&w, 10), 2);
	TEST_EQ(step(&w, 15), 3);
	close_world(&w);
}

/* What is left of others keeps its nodes, and of those that have gone the nodes
 * are free: 50 of 200 for each. */
TEST(some_are_cancelled)
{
	struct fair_job j = a_job(1, 0, 10, 100);
	struct world w;
	uint32_t n;

	open_many(&w, 200, 4);
	for (n = 0; n < 4; n++)
		withhold(&w, 6 + n, 0, 50, 50, 0);
	TEST_OK(fair_sched_advance_cancel(&w.s, 0, 8));
	TEST_OK(fair_sched_advance_cancel(&w.s, 0, 6));
	TEST_EQ(fair_sched_check(&w.s), 0);
	for (n = 0; n < 200; n++) {
		TEST_EQ(fair_sched_advance_has_node(&w.s, 7, n), n / 50 == 1);
		TEST_EQ(fair_sched_advance_has_node(&w.s, 9, n), n / 50 == 3);
	}
	j.chunks = 100;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(node_of(&w, 1), 0);
	close_world(&w);
}

/* Sets, nodes that are down and those of each reservation are taken over. */
TEST(nodes_are_converted)
{
	struct fair_job j = a_job(1, 0, 10, 1);
	struct world w, copy;
	uint32_t n;

	open_many(&w, 256, 4);
	TEST_OK(fair_sched_set_node(&w.s, 2, 255, true));
	TEST_OK(fair_sched_node_down(&w.s, 0, 254, NULL, 0));
	for (n = 0; n < 4; n++)
		withhold(&w, 6 + n, 100, 150, 60, 0);
	open_many(&copy, 256, 4);
	TEST_OK(fair_sched_convert(&copy.s, sizeof(copy.s), copy.memory,
				   copy.bytes, &copy.config, &w.s));
	for (n = 0; n < 4 * 256; n++)
		TEST_EQ(fair_sched_advance_has_node(&copy.s, 6 + n / 256,
						    n % 256),
			fair_sched_advance_has_node(&w.s, 6 + n / 256,
						    n % 256));
	j.chunks = 1;
	j.named = 2;
	TEST_OK(fair_sched_submit(&copy.s, 0, &j));
	TEST_EQ(step(&copy, 0), 1);
	TEST_EQ(node_of(&copy, 1), 255);
	j = a_job(2, 0, 10, 255);
	j.chunks = 255;
	TEST_OK(fair_sched_submit(&copy.s, 0, &j));
	TEST_EQ(step(&copy, 0), 0);
	close_world(&copy);
	close_world(&w);
}

/* A job of 3 nodes runs: there have to be as many parts, and the same nodes. */
TEST(conversions_to_other_nodes)
{
	static const int32_t four[] = { 4 }, one[] = { 1 };
	static const struct fair_machine_config machine = { 1, 1, 0, four };
	const struct {
		const int32_t *count;
		uint32_t sets, parts;
		int expected;
	} to[] = { { four, 2, 3, 0 },
		   { four, 2, 2, -FAIR_EINVAL },
		   { one, 2, 512, -FAIR_EINVAL },
		   { four, 1, 512, -FAIR_EINVAL } };
	struct fair_job j = a_job(1, 0, 10, 3);
	struct fair_node_config nodes = { 0 };
	struct fair_config c;
	struct world w, copy;
	size_t i;

	open_nodes(&w, 0);
	j.chunks = 3;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	for (i = 0; i < sizeof(to) / sizeof(*to); i++) {
		c = w.config;
		c.machine = &machine;
		nodes = *w.config.nodes;
		nodes.count = to[i].count;
		nodes.sets = to[i].sets;
		nodes.parts = to[i].parts;
		c.nodes = &nodes;
		open_world_of(&copy, &c);
		TEST_EQ(fair_sched_convert(&copy.s, sizeof(copy.s), copy.memory,
					   copy.bytes, &c, &w.s),
			to[i].expected);
		free(copy.memory);
		free(copy.kept);
	}
	close_world(&w);
}

/* The nodes of an advance reservation, as digits. */
static uint64_t nodes_of(const struct world *w, uint64_t number)
{
	uint32_t n = (uint32_t)w->config.nodes->count[0], node;
	uint64_t all = 0;

	for (node = 0; node < n; node++)
		if (fair_sched_advance_has_node(&w->s, number, node))
			all = 10 * all + node;
	return all;
}

/* One node, or those of a set, whatever holds them: which. */
static uint64_t forced(struct world *w, uint64_t number, int64_t from,
		       int64_t to, uint32_t set)
{
	const struct fair_advance b = { .number = number,
					.from = from,
					.to = to,
					.kind = FAIR_ADVANCE_USER,
					.nodes = !set,
					.named = set };

	TEST_OK(fair_sched_advance_reserve(&w->s, w->s.now, &b, true));
	TEST_EQ(fair_sched_check(&w->s), 0);
	return nodes_of(w, number);
}

/* Nodes that are down are the last to be taken, whatever is in use. */
TEST(nodes_that_are_down)
{
	struct world w;

	open_many(&w, 4, 3);
	TEST_OK(fair_sched_node_down(&w.s, 0, 0, NULL, 0));
	TEST_OK(fair_sched_node_down(&w.s, 0, 1, NULL, 0));
	bind(&w, 1, 0, 100);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(node_of(&w, 1), 2);
	withhold(&w, 7, 5, 50, 1, 0);
	TEST_EQ(nodes_of(&w, 7), 3);
	TEST_EQ(forced(&w, 8, 5, 50, 0), 2);
	TEST_EQ(forced(&w, 9, 5, 50, 0), 3);
	close_world(&w);
}

/* Nodes that are in use less are taken: by advance reservations, by a running job
 * and a promise behind it, by a job inside a reservation. */
TEST(nodes_in_use)
{
	struct world w;

	open_many(&w, 2, 4);
	TEST_EQ(forced(&w, 1, 5, 50, 1), 0);
	TEST_EQ(forced(&w, 2, 5, 50, 1), 0);
	TEST_EQ(forced(&w, 3, 5, 50, 0), 1);
	TEST_EQ(forced(&w, 4, 5, 50, 0), 1);
	close_world(&w);

	open_many(&w, 2, 1);
	bind(&w, 1, 0, 10);
	bind(&w, 2, 0, 30);
	TEST_EQ(step(&w, 0), 12);
	bind(&w, 3, 0, 10);
	TEST_EQ(look(&w, 3).start, 10);
	TEST_EQ(forced(&w, 7, 5, 25, 0), 1);
	close_world(&w);

	open_many(&w, 2, 4);
	withhold(&w, 7, 10, 100, 1, 0);
	withhold(&w, 8, 10, 100, 1, 0);
	TEST_EQ(nodes_of(&w, 7), 0);
	bind(&w, 1, 7, 10);
	TEST_EQ(look(&w, 1).start, 10);
	TEST_EQ(forced(&w, 1, 50, 60, 0), 0);
	TEST_EQ(forced(&w, 2, 10, 20, 0), 1);
	close_world(&w);
}

/* A node is in use while a job is planned on it, and not the second before, nor
 * behind: 2 is planned on node 0 from 10 to 20. Easy promises nothing. */
TEST(when_nodes_are_in_use)
{
	static const struct {
		uint32_t policy;
		int64_t from, to;
		uint64_t node;
	} is[] = {
		{ FAIR_CONSERVATIVE, 5, 10, 0 },
		{ FAIR_CONSERVATIVE, 5, 11, 1 },
		{ FAIR_CONSERVATIVE, 12, 15, 1 },
		{ FAIR_CONSERVATIVE, 19, 30, 1 },
		{ FAIR_CONSERVATIVE, 20, 30, 0 },
		{ FAIR_BACKFILL, 5, 8, 0 },
		{ FAIR_BACKFILL, 12, 15, 0 },
	};
	struct fair_job wide = bound_job(1, 0, 10);
	struct fair_config c;
	struct world w;
	size_t i;

	wide.procs = 2;
	wide.chunks = 2;
	for (i = 0; i < sizeof(is) / sizeof(*is); i++) {
		open_many(&w, 2, 1);
		c = w.config;
		close_world(&w);
		c.policy = is[i].policy;
		open_world_of(&w, &c);
		TEST_OK(fair_sched_submit(&w.s, 0, &wide));
		TEST_EQ(step(&w, 0), 1);
		bind(&w, 2, 0, 10);
		TEST_EQ(step(&w, 0), 0);
		TEST_EQ(forced(&w, 7, is[i].from, is[i].to, 0), is[i].node);
		close_world(&w);
	}
	/* Nor is one withheld before a reservation, or behind. */
	open_many(&w, 2, 3);
	withhold(&w, 7, 30, 40, 1, 0);
	withhold(&w, 8, 20, 30, 1, 0);
	withhold(&w, 9, 40, 50, 1, 0);
	TEST_EQ(nodes_of(&w, 7), 0);
	TEST_EQ(nodes_of(&w, 8), 0);
	TEST_EQ(nodes_of(&w, 9), 0);
	close_world(&w);
}

/* Each keeps its nodes, whatever its place among the numbers. */
TEST(one_before_another)
{
	struct world w;

	open_many(&w, 3, 2);
	withhold(&w, 5, 5, 50, 1, 0);
	withhold(&w, 3, 5, 50, 1, 0);
	TEST_EQ(nodes_of(&w, 5), 0);
	TEST_EQ(nodes_of(&w, 3), 1);
	withhold(&w, 3, 5, 60, 2, 0);
	TEST_EQ(nodes_of(&w, 5), 0);
	TEST_EQ(nodes_of(&w, 3), 12);
	close_world(&w);
}

/* Whole nodes: four of twelve processors are free, and no node is. A set has no
 * class. */
TEST(whole_nodes)
{
	static const int32_t procs[] = { 12 }, count[] = { 3 };
	static const struct fair_machine_config machine = { 1, 1, 0, procs };
	static const struct fair_node_config nodes = { count, 1, 64, false };
	const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				       .procs = 12,
				       .advances = 1,
				       .machine = &machine,
				       .nodes = &nodes };
	struct fair_advance b = { .number = 7, .from = 5, .to = 9, .nodes = 1 };
	struct fair_job j = bound_job(0, 0, 10);
	struct world w;

	open_world_of(&w, &c);
	TEST_OK(fair_sched_set_node(&w.s, 1, 2, true));
	for (j.number = 1; j.number <= 3; j.number++) {
		j.procs = j.number == 2 ? 2 : 3;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
	}
	TEST_EQ(step(&w, 0), 123);
	TEST_EQ(fair_sched_advance_reserve(&w.s, 0, &b, false), -FAIR_ERANGE);
	b.nodes = 0;
	b.named = 1;
	b.node_class = 99;
	TEST_EQ(fair_sched_advance_reserve(&w.s, 0, &b, true), 0);
	TEST_EQ(nodes_of(&w, 7), 2);
	close_world(&w);
}

/* Behind the last node there is none, whatever is kept behind it. */
TEST(behind_the_last_node)
{
	struct world w;

	open_many(&w, 64, 1);
	TEST_EQ(fair_sched_node_up(&w.s, 0, 64), -FAIR_EINVAL);
	close_world(&w);
}

/* Of one node with these amounts. */
static void open_one(struct world *w, uint32_t resources, const int32_t *amount)
{
	static const int32_t one = 1;
	static const struct fair_node_config nodes = { &one, 0, 8, false };
	const struct fair_machine_config machine = { resources, 1, 0, amount };
	const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				       .procs = amount[0],
				       .advances = 2,
				       .machine = &machine,
				       .nodes = &nodes };

	open_world_of(w, &c);
}

static void run_on_all(struct world *w, uint64_t number, int64_t walltime,
		       int32_t procs)
{
	struct fair_job j = a_job(number, 0, walltime, procs);

	j.chunks = 1;
	TEST_OK(fair_sched_submit(&w->s, 0, &j));
}

/* The job with all processors that there can be counts as any other. */
TEST(all_of_the_widest_node)
{
	static const int32_t all = INT32_MAX;
	struct world w;

	open_one(&w, 1, &all);
	run_on_all(&w, 1, 100, all);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_advance_reserve(
		&w.s, 0,
		&(struct fair_advance){ .number = 7, .from = 50, .to = 60,
					.nodes = 1 },
		true));
	TEST_OK(fair_sched_advance_cancel(&w.s, 0, 7));
	run_on_all(&w, 2, 5, all);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_OK(fair_sched_node_down(&w.s, 1, 0, NULL, 0));
	TEST_EQ(w.s.busy, 0);
	TEST_OK(fair_sched_node_up(&w.s, 1, 0));
	TEST_EQ(w.s.busy, all);
	close_world(&w);
}

/* A loss of GPUs is one, where a job has all processors: a step reacts. */
TEST(other_resources_are_lost)
{
	static const int32_t amount[] = { 1, 1 };
	struct world w;

	open_one(&w, 2, amount);
	run_on_all(&w, 1, 100, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_OK(fair_sched_advance_reserve(
		&w.s, 0,
		&(struct fair_advance){ .number = 7, .from = 50, .to = 60,
					.nodes = 1 },
		true));
	TEST_EQ(fair_sched_next(&w.s), 0);
	close_world(&w);
}

/* What a job inside a reservation no longer needs of its node is withheld. */
TEST(it_shrinks_inside)
{
	static const int32_t two = 2;
	struct fair_job j = bound_job(1, 7, 100);
	struct world w;

	open_one(&w, 1, &two);
	withhold(&w, 7, 0, 200, 1, 0);
	j.procs = j.chunks = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	j.procs = j.chunks = 1;
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &j));
	run_on_all(&w, 2, 10, 1);
	TEST_EQ(look(&w, 2).start, 200);
	close_world(&w);
}

static size_t of_one(const struct fair_config *config)
{
	(void)config;
	return sizeof(uint32_t);
}

static int none_yet(struct fair_sched *s, void *ledger)
{
	(void)s;
	*(uint32_t *)ledger = 0;
	return 0;
}

static void copy_one(struct fair_sched *to, void *ledger,
		     const struct fair_sched *s, const void *from,
		     const uint32_t *slot)
{
	(void)to;
	(void)s;
	(void)slot;
	*(uint32_t *)ledger = *(const uint32_t *)from;
}

static void count_changes(struct fair_sched *s, void *ledger, uint32_t event,
			  uint32_t slot, int64_t was)
{
	(void)s;
	(void)slot;
	(void)was;
	*(uint32_t *)ledger += event == FAIR_LEDGER_CAPACITY;
}

/* With a node all its resources go, and a ledger is told of each. */
TEST(all_resources_go)
{
	static const int32_t amount[] = { 4, 2 }, one = 1;
	static const struct fair_node_config nodes = { &one, 0, 8, false };
	static const struct fair_machine_config machine = { 2, 1, 0, amount };
	static const struct fair_ledger_ops ops = { .name = "counts",
						    .size = of_one,
						    .init = none_yet,
						    .clone = copy_one,
						    .notify = count_changes };
	const struct fair_billing billing = { { 1 << 20, 3 << 20 },
						false };
	const struct fair_config c = { .policy = FAIR_RELSHARE,
				       .procs = 4,
				       .users = 1,
				       .window = 100,
				       .machine = &machine,
				       .nodes = &nodes,
				       .billing = &billing,
				       .ledger = &ops };
	struct world w;

	open_world_of(&w, &c);
	TEST_OK(fair_sched_node_down(&w.s, 0, 0, NULL, 0));
	TEST_EQ(*(uint32_t *)ledger_of(&w.s, "counts"), 2);
	TEST_OK(fair_sched_node_up(&w.s, 0, 0));
	TEST_EQ(*(uint32_t *)ledger_of(&w.s, "counts"), 4);
	close_world(&w);
}

static void cancel(struct world *w, uint64_t number)
{
	TEST_OK(fair_sched_advance_cancel(&w->s, w->s.now, number));
}

/* What one that is cancelled withheld is no loss of the next one. */
TEST(a_loss_of_those_that_are)
{
	struct world w;

	open_many(&w, 2, 4);
	TEST_OK(fair_sched_set_node(&w.s, 2, 1, true));
	bind(&w, 1, 0, 100);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(node_of(&w, 1), 0);
	withhold(&w, 6, 200, 210, 0, 1);
	withhold(&w, 7, 300, 310, 0, 1);
	withhold(&w, 8, 50, 60, 0, 2);
	cancel(&w, 8);
	cancel(&w, 7);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(fair_sched_next(&w.s), 100);
	TEST_OK(fair_sched_advance_reserve(
		&w.s, 0,
		&(struct fair_advance){ .number = 9, .from = 50, .to = 60,
					.nodes = 0, .named = 1 },
		true));
	TEST_EQ(fair_sched_next(&w.s), 100);
	close_world(&w);
}
