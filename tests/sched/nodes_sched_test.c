/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_sched_test.c - the scheduler on nodes
 *
 * Small scenes; random machines and events under each policy against the naive
 * model, by fuzz/classes_pair.h.
 */
#include "fuzz/classes_pair.h"
#include "tests/test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

struct scene {
	struct fair_sched s;
	uint64_t memory[131072 / 8];
};

/* Nodes of two classes, of one resource; @amount: of all of a class. */
static void open_scene(struct scene *x, uint32_t policy, uint32_t order,
		       const int32_t *amount, const int32_t *count)
{
	struct fair_machine_config machine = { 1, 2, 0, NULL };
	struct fair_node_config nodes = { NULL, 1, 64, false };
	struct fair_config c = { .policy = policy,
				 .order = order,
				 .depth = 1,
				 .advances = 2,
				 .ineligible = 8,
				 .procs = amount[0] + amount[1],
				 .jobs = 8 };

	machine.amount = amount;
	nodes.count = count;
	c.machine = &machine;
	c.nodes = &nodes;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x->memory));
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &c));
}

static void submit(struct scene *x, uint64_t number, int32_t chunks,
		   int32_t procs, int64_t walltime)
{
	struct fair_job j = { .number = number,
			      .walltime = walltime,
			      .procs = chunks * procs,
			      .chunks = chunks };

	TEST_OK(fair_sched_submit(&x->s, x->s.now, &j));
}

/* How many jobs start now. */
static size_t starts(struct scene *x, int64_t now)
{
	struct fair_decision start[8];
	size_t n = 0;

	TEST_OK(fair_sched_step(&x->s, now, start, 8, &n));
	return n;
}

/*
 * Job 2 is reserved at 1, on two idle nodes; then job 3 starts on another one,
 * which is the fuller one at 1. So job 2 takes that next, and job 4 finds none.
 */
TEST(a_plan_is_made_afresh_after_a_start)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	static struct scene x;

	open_scene(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 0, 3, 2, 1);
	submit(&x, 1, 1, 2, 1);
	submit(&x, 2, 3, 2, 1);
	submit(&x, 3, 1, 2, 2);
	TEST_EQ(starts(&x, 0), 3);
	submit(&x, 4, 1, 2, 2);
	TEST_EQ(starts(&x, 0), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/*
 * Job 3, the first by priority, is reserved at 20 on nodes 1 and 2. As job 4
 * leaves node 0 after 20, job 3 can begin earlier, on node 0 and one that it
 * has.
 */
TEST(a_hole_behind_its_start_helps_a_job_on_some_of_its_nodes)
{
	static const int32_t amount[] = { 2, 8 }, count[] = { 1, 2 };
	struct fair_job j = { .number = 3, .walltime = 18, .procs = 6 };
	static const uint8_t first = 0;
	struct fair_job_status status;
	static struct scene x;

	open_scene(&x, FAIR_PC, FAIR_ORDER_WIDEST, amount, count);
	submit(&x, 0, 1, 2, 21);
	submit(&x, 1, 1, 4, 20);
	submit(&x, 2, 1, 4, 5);
	TEST_EQ(starts(&x, 0), 3);
	j.chunks = 3;
	j.per_node = 2;
	j.exclusive = j.span = true;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	j = (struct fair_job){ .number = 4, .walltime = 1, .procs = 2 };
	j.classes = &first;
	j.class_count = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_OK(fair_sched_lookup(&x.s, 3, &status));
	TEST_EQ(status.start, 20);
	TEST_OK(fair_sched_lookup(&x.s, 4, &status));
	TEST_EQ(status.start, 21);
	TEST_OK(fair_sched_finish(&x.s, 1, 0));
	TEST_OK(fair_sched_lookup(&x.s, 4, &status));
	TEST_EQ(status.start, 1);
	TEST_OK(fair_sched_lookup(&x.s, 3, &status));
	TEST_EQ(status.start, 5);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* The nodes of a job, as digits: a node, and its chunks. */
static uint32_t nodes_of(const struct scene *x, uint64_t number)
{
	struct fair_nodes_part part;
	uint32_t at = 0, all = 0;

	while (fair_sched_nodes(&x->s, number, &at, &part))
		all = 100 * all + 10 * part.node + (uint32_t)part.chunks;
	return all;
}

static int resize(struct scene *x, uint64_t number, int32_t chunks,
		  int32_t procs)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&x->s, number, &j));
	j.job.chunks = chunks;
	j.job.procs = chunks * procs;
	return fair_sched_resize(&x->s, x->s.now, number, &j.job);
}

/*
 * 3 nodes of 4. Job 1 has two chunks of 2 on node 0, job 2 all of node 1 until
 * 10; job 3, of 3 on each node, is promised 20. So job 1 may have node 2, too,
 * and node 1 neither now, nor once job 2 has ended, until 30.
 */
static void resizes(uint32_t policy)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	static struct scene x;

	open_scene(&x, policy, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 2, 2, 20);
	submit(&x, 2, 1, 4, 10);
	TEST_EQ(starts(&x, 0), 2);
	TEST_EQ(nodes_of(&x, 1), 2);
	submit(&x, 3, 3, 3, 10);
	TEST_EQ(starts(&x, 0), 0);
	TEST_EQ(resize(&x, 1, 5, 2), -FAIR_ERANGE);
	TEST_OK(resize(&x, 1, 3, 2));
	TEST_EQ(nodes_of(&x, 1), 221);
	TEST_OK(resize(&x, 1, 3, 1)); /* it is thrice, on as many nodes */
	TEST_EQ(nodes_of(&x, 1), 221);
	TEST_OK(resize(&x, 1, 1, 4));
	TEST_EQ(nodes_of(&x, 1), 1);
	TEST_OK(fair_sched_modify(&x.s, 0, 1, 4, 21));
	TEST_EQ(starts(&x, 10), 0);
	TEST_OK(fair_sched_finish(&x.s, 10, 2));
	TEST_EQ(starts(&x, 10), 0);
	TEST_OK(resize(&x, 1, 2, 4));
	TEST_EQ(nodes_of(&x, 1), 111);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

TEST(a_running_job_is_resized_by_chunks)
{
	resizes(FAIR_CONSERVATIVE);
	resizes(FAIR_PC);
	resizes(FAIR_BACKFILL);
}

/* Job 2 is promised node 1 at 5: until then only job 1 could have it. */
TEST(a_promise_is_in_the_way_of_a_resize)
{
	static const int32_t amount[] = { 8, 1 }, count[] = { 2, 1 };
	static struct scene x;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 1, 4, 10);
	submit(&x, 2, 1, 2, 5);
	TEST_EQ(starts(&x, 0), 2);
	submit(&x, 3, 1, 4, 9);
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_finish(&x.s, 4, 2));
	TEST_EQ(resize(&x, 1, 2, 4), -FAIR_ERANGE); /* job 3 is to start */
	TEST_OK(resize(&x, 1, 1, 2));
	TEST_OK(resize(&x, 1, 2, 2)); /* on node 0 */
	TEST_EQ(nodes_of(&x, 1), 2);
	TEST_EQ(starts(&x, 4), 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* Job 2 gets the node that job 1 returns, at once. */
TEST(a_resize_returns_a_node)
{
	static const int32_t amount[] = { 8, 1 }, count[] = { 2, 1 };
	struct fair_job_status j;
	static struct scene x;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 2, 4, 100);
	TEST_EQ(starts(&x, 0), 1);
	submit(&x, 2, 1, 4, 50);
	TEST_OK(fair_sched_lookup(&x.s, 2, &j));
	TEST_EQ(j.start, 100);
	TEST_OK(fair_sched_pass_time(&x.s, 5));
	TEST_OK(resize(&x, 1, 1, 4));
	TEST_EQ(fair_sched_check(&x.s), 0);
	TEST_OK(fair_sched_lookup(&x.s, 2, &j));
	TEST_EQ(j.start, 5);
}

/* The same, where that is no promise: it makes way. */
TEST(a_reservation_makes_way_for_a_resize)
{
	static const int32_t amount[] = { 8, 1 }, count[] = { 2, 1 };
	static struct scene x;

	open_scene(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 1, 4, 10);
	submit(&x, 2, 1, 2, 5);
	TEST_EQ(starts(&x, 0), 2);
	submit(&x, 3, 1, 4, 9);
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_finish(&x.s, 4, 2));
	TEST_OK(resize(&x, 1, 2, 4));
	TEST_EQ(nodes_of(&x, 1), 111);
	TEST_EQ(starts(&x, 4), 0);
	TEST_EQ(starts(&x, 10), 0); /* it overruns */
	TEST_OK(fair_sched_finish(&x.s, 11, 1));
	TEST_EQ(starts(&x, 11), 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/*
 * Nodes 0 and 1 of 4. Job 1 runs on both, and overruns; node 0 goes down
 * meanwhile. Job 2, of 4, was promised 10 on node 0 and gets node 1; job 3 of 2
 * on each waits until node 0 is up.
 */
static void runs_on(uint32_t policy)
{
	static const int32_t amount[] = { 8, 1 }, count[] = { 2, 1 };
	struct fair_job_status j;
	static struct scene x;

	open_scene(&x, policy, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 2, 3, 10);
	TEST_EQ(starts(&x, 0), 1);
	submit(&x, 2, 1, 4, 20);
	submit(&x, 3, 2, 2, 5);
	TEST_EQ(nodes_of(&x, 1), 111);
	TEST_EQ(starts(&x, 1), 0);
	TEST_OK(fair_sched_node_down(&x.s, 2, 0, NULL, 0));
	TEST_EQ(fair_sched_check(&x.s), 0);
	TEST_EQ(starts(&x, 2), 0);
	TEST_OK(fair_sched_lookup(&x.s, 1, &j));
	TEST_CHECK(j.state == FAIR_RUNNING && j.end == 10);
	TEST_EQ(nodes_of(&x, 1), 111);
	TEST_EQ(starts(&x, 10), 0); /* it overruns */
	TEST_OK(fair_sched_lookup(&x.s, 1, &j));
	TEST_EQ(j.end, 11);
	TEST_OK(resize(&x, 1, 3, 1)); /* one more on node 1 */
	TEST_EQ(nodes_of(&x, 1), 112);
	TEST_OK(fair_sched_finish(&x.s, 11, 1));
	TEST_EQ(starts(&x, 11), 1);
	TEST_EQ(nodes_of(&x, 2), 11);
	TEST_EQ(fair_sched_check(&x.s), 0);
	TEST_OK(fair_sched_node_up(&x.s, 12, 0));
	TEST_EQ(starts(&x, 12), 1);
	TEST_EQ(nodes_of(&x, 3), 2);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

TEST(jobs_run_on_where_a_node_goes_down)
{
	runs_on(FAIR_CONSERVATIVE);
	runs_on(FAIR_DC);
	runs_on(FAIR_BACKFILL);
}

/* It comes back before its job ends, which keeps what it holds. */
TEST(a_node_comes_back_under_a_job)
{
	static const int32_t amount[] = { 8, 1 }, count[] = { 2, 1 };
	static struct scene x;

	open_scene(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 1, 3, 10);
	TEST_EQ(starts(&x, 0), 1);
	TEST_OK(fair_sched_node_down(&x.s, 0, 0, NULL, 0));
	submit(&x, 2, 1, 4, 9);
	submit(&x, 3, 1, 2, 9);
	TEST_EQ(starts(&x, 1), 1);
	TEST_EQ(nodes_of(&x, 2), 11);
	TEST_OK(fair_sched_node_up(&x.s, 2, 0));
	TEST_EQ(starts(&x, 2), 0);
	submit(&x, 4, 1, 2, 1);
	TEST_OK(fair_sched_finish(&x.s, 3, 1));
	TEST_EQ(starts(&x, 3), 2);
	TEST_EQ(nodes_of(&x, 3), 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* The nodes of an advance reservation: a bit each. */
static uint32_t withheld(const struct fair_sched *s, uint64_t number)
{
	uint32_t node, all = 0;

	for (node = 0; node < 4; node++)
		if (fair_sched_advance_has_node(s, number, node))
			all |= 1U << node;
	return all;
}

/*
 * 3 nodes of 4. Job 1 has node 0 until 10. Two nodes from 5 to 15 are 1 and 2,
 * on which there is nothing: job 2, of 6 s on two nodes, begins at 15, and job
 * 3 of 5 s at once. All three are withheld only by force: job 1 runs on.
 */
static void withholds(uint32_t policy)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	struct fair_advance b = { .number = 7, .from = 5, .to = 15 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status status;
	static struct scene x;

	open_scene(&x, policy, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 1, 4, 10);
	TEST_EQ(starts(&x, 0), 1);
	b.nodes = 3;
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), -FAIR_ERANGE);
	b.nodes = 2;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 7), 6);
	TEST_CHECK(fair_sched_advance_get(&x.s, 0, &b));
	TEST_CHECK(b.nodes == 2 && b.procs == 8 && b.amount[0] == 8);
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	at.row = at.index = 0;
	submit(&x, 2, 2, 4, 6);
	submit(&x, 3, 2, 2, 5);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(nodes_of(&x, 3), 12);
	TEST_EQ(starts(&x, 10), 0);
	b.nodes = 0;
	b.named = 1;
	TEST_EQ(fair_sched_advance_reserve(&x.s, 10, &b, true), -FAIR_EINVAL);
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, true));
	TEST_OK(fair_sched_set_node(&x.s, 1, 1, true));
	b.to = 20;
	TEST_OK(fair_sched_modify(&x.s, 10, 1, 4, 12));
	TEST_OK(fair_sched_finish(&x.s, 10, 3));
	b.number = 8; /* which there is not yet */
	at.row = at.index = 0;
	TEST_CHECK(fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	TEST_EQ(status.job.number, 1);
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, false)); /* which it has */
	at.row = at.index = 0;
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, true));
	b.named = 2; /* which there is not */
	at.row = at.index = 0;
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	b.named = 1;
	b.number = 7;
	at.row = at.index = 0;
	b.node_class = 99; /* the set has its nodes */
	TEST_OK(fair_sched_advance_reserve(&x.s, 10, &b, true));
	TEST_EQ(withheld(&x.s, 7), 3);
	TEST_CHECK(fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	TEST_EQ(status.job.number, 1);
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	TEST_EQ(fair_sched_check(&x.s), 0);
	TEST_EQ(starts(&x, 12), 0);
	TEST_OK(fair_sched_finish(&x.s, 12, 1));
	submit(&x, 4, 1, 4, 8);
	TEST_EQ(starts(&x, 12), 1);
	TEST_EQ(nodes_of(&x, 4), 21);
	TEST_EQ(starts(&x, 19), 0);
	TEST_OK(fair_sched_finish(&x.s, 20, 4));
	TEST_EQ(starts(&x, 20), 1);
	TEST_EQ(withheld(&x.s, 7), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* No reservation has a node that there is not, as the next one has node 0. */
TEST(nodes_behind_the_last)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	struct fair_advance b = { .number = 1, .from = 10, .to = 20,
				  .nodes = 1 };
	static struct scene x;
	uint32_t node;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	b.number = 2;
	b.from = 20;
	b.to = 30;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 2), 1);
	for (node = 4; node < 200; node++)
		TEST_CHECK(!fair_sched_advance_has_node(&x.s, 1, node));
}

/* Of 3 nodes those that are in use less within the interval, by number. */
TEST(advance_reservations_take_unused_nodes)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	struct fair_advance b = { .number = 1, .from = 10, .to = 20 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status status;
	static struct scene x;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	b.nodes = 1;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 1), 1);
	b.number = 2;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 2), 2);
	b.number = 1;
	b.nodes = 2;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 1), 5);
	b.number = 2;
	b.nodes = 1;
	b.from = 5;
	b.to = 10;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 2), 1);
	/* The profile has what they withhold, at each time. */
	TEST_EQ(fair_sched_check(&x.s), 0);
	x.s.advance[1].from--;
	TEST_EQ(fair_sched_check(&x.s), 4);
	x.s.advance[1].from++;
	x.s.advance[1].to--;
	TEST_EQ(fair_sched_check(&x.s), 4);
	x.s.advance[1].to++;
	TEST_OK(fair_sched_advance_cancel(&x.s, 0, 1));
	TEST_OK(fair_sched_advance_cancel(&x.s, 0, 2));
	/* Job 1 has node 0 until 10, and job 2 all from then on. */
	submit(&x, 1, 1, 2, 10);
	submit(&x, 2, 3, 4, 10);
	TEST_EQ(starts(&x, 0), 1);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_EQ(withheld(&x.s, 2), 2);
	TEST_CHECK(!fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	at.row = at.index = 0;
	b.nodes = 3;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, true));
	TEST_CHECK(fair_sched_advance_conflicts(&x.s, &b, &at, &status));
	TEST_EQ(status.job.number, 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* Jobs 2 and 3 wait in the second reservation, one after another: the check sees
 * that they have one node at one time. */
TEST(reservation_jobs_by_hand)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	struct fair_advance b = { .number = 1, .from = 50, .to = 60,
				  .kind = FAIR_ADVANCE_USER, .nodes = 1 };
	struct fair_job j = { .walltime = 40, .procs = 4, .chunks = 1 };
	static struct scene x;
	struct fair_live *last;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	b.number = j.advance = 2;
	b.from = 0;
	b.to = 200;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	for (j.number = 1; j.number < 4; j.number++)
		TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
	TEST_EQ(x.s.ineligibles, 2);
	last = x.s.live + x.s.ineligible[1].slot;
	TEST_EQ(last->queued.rank.key, 80);
	last->queued.rank.key = 40;
	TEST_EQ(fair_sched_check(&x.s), 6);
	last->queued.rank.key = 80;
	TEST_EQ(fair_sched_check(&x.s), 0);
}

TEST(advance_reservations_withhold_whole_nodes)
{
	withholds(FAIR_CONSERVATIVE);
	withholds(FAIR_PC);
	withholds(FAIR_BACKFILL);
}

static void submit_bound(struct scene *x, uint64_t number, int64_t walltime,
			 uint32_t named)
{
	struct fair_job j = { .number = number,
			      .walltime = walltime,
			      .procs = 4,
			      .chunks = 1,
			      .advance = 7,
			      .named = named };

	TEST_OK(fair_sched_submit(&x->s, x->s.now, &j));
}

static void is_planned(const struct scene *x, uint64_t number, int64_t start,
		       uint32_t nodes)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&x->s, number, &j));
	TEST_EQ(j.start, start);
	TEST_EQ(nodes_of(x, number), nodes);
	TEST_EQ(fair_sched_check(&x->s), 0);
}

/*
 * Nodes 0 and 1 of 4 are reserved from 5 to 60, by force: job 1 has node 0
 * until 20, job 2 node 1 until 30. Job 4 asks for node 1. As job 2 ends at 6,
 * job 3 moves there; node 0 goes down at 6, so that job 5 waits for node 1,
 * too. Job 6 is too long; job 8 is elsewhere.
 */
static void plans_inside(uint32_t policy)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	struct fair_advance b = { .number = 7, .from = 5, .to = 60,
				  .kind = FAIR_ADVANCE_USER, .named = 1 };
	static struct scene x;

	open_scene(&x, policy, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 1, 4, 20);
	submit(&x, 2, 1, 4, 30);
	submit(&x, 8, 1, 4, 20);
	TEST_EQ(starts(&x, 0), 3);
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, true));
	TEST_OK(fair_sched_set_node(&x.s, 1, 1, true));
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, true));
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, false));
	submit_bound(&x, 3, 10, 0);
	submit_bound(&x, 4, 10, 1);
	is_planned(&x, 3, 20, 1);
	is_planned(&x, 4, 30, 11);
	TEST_OK(fair_sched_finish(&x.s, 6, 2));
	is_planned(&x, 3, 6, 11);
	is_planned(&x, 4, 16, 11);
	TEST_EQ(starts(&x, 6), 1);
	TEST_OK(fair_sched_node_down(&x.s, 6, 0, NULL, 0));
	submit_bound(&x, 5, 10, 0);
	is_planned(&x, 5, 26, 11);
	submit_bound(&x, 6, 40, 0);
	is_planned(&x, 6, FAIR_FOREVER, 0);
	TEST_OK(fair_sched_finish(&x.s, 16, 3)); /* as planned */
	TEST_EQ(starts(&x, 16), 1);
	TEST_OK(fair_sched_finish(&x.s, 20, 8)); /* and job 1 is to end now */
	is_planned(&x, 5, 26, 11);
}

TEST(reservation_jobs_are_planned_on_nodes)
{
	plans_inside(FAIR_CONSERVATIVE);
	plans_inside(FAIR_BACKFILL);
}

/* A node of those that are promised is lost to maintenance by force. */
TEST(an_advance_reservation_displaces_promises)
{
	static const int32_t amount[] = { 8, 1 }, count[] = { 2, 1 };
	struct fair_advance b = { .number = 1, .from = 12, .to = 40 };
	struct fair_job_status status;
	static struct scene x;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 2, 4, 10);
	TEST_EQ(starts(&x, 0), 1);
	submit(&x, 2, 1, 4, 10);
	submit(&x, 3, 1, 4, 10);
	b.nodes = 1;
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), -FAIR_ERANGE);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, true));
	TEST_EQ(withheld(&x.s, 1), 1);
	TEST_OK(fair_sched_lookup(&x.s, 2, &status));
	TEST_EQ(status.start, 10); /* on node 1 */
	TEST_OK(fair_sched_lookup(&x.s, 3, &status));
	TEST_EQ(status.start, 20);
	TEST_EQ(status.cause, FAIR_CAUSE_CAPACITY);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* Jobs run for half their walltimes. */
static int64_t half(void *context, uint64_t number)
{
	(void)context;
	return number == 1 ? 5 : 2;
}

static int64_t whole(void *context, const struct fair_job_status *job,
		     uint64_t random)
{
	(void)context;
	(void)random;
	return job->job.walltime;
}

static void count_changes(void *context, const struct fair_change *change)
{
	(void)change;
	++*(int *)context;
}

/*
 * Node 0 is down under job 1, node 2 is withheld from 5 on: the same jobs under
 * another policy are on the same nodes; what is foretold happens.
 */
TEST(questions_know_of_nodes)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	static uint64_t memory[1 << 16];
	struct fair_advance b = { .number = 7, .from = 5, .to = 50 };
	struct fair_job j = { .number = 9, .walltime = 3, .procs = 4 };
	const struct fair_draw draw = { whole, NULL, 1, 3 };
	struct fair_forecast forecast;
	struct fair_job_status status;
	struct fair_config other;
	static struct scene x;
	struct fair_fst fst;
	struct fair_sched c;
	int64_t start;
	int changes = 0;

	open_scene(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 1, 2, 3, 10);
	TEST_EQ(starts(&x, 0), 1);
	TEST_EQ(nodes_of(&x, 1), 111);
	TEST_OK(fair_sched_set_node(&x.s, 1, 2, true));
	b.named = 1;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_OK(fair_sched_node_down(&x.s, 1, 0, NULL, 0));
	submit(&x, 2, 1, 4, 6);
	TEST_EQ(starts(&x, 1), 0);
	TEST_OK(fair_sched_estimate(&x.s, 2, memory, sizeof(memory), &start));
	TEST_EQ(start, 10); /* on node 1 */
	TEST_OK(fair_sched_forecast(&x.s, 2, &draw, memory, sizeof(memory),
				    &forecast));
	TEST_CHECK(forecast.p10 == 10 && forecast.p90 == 10);
	TEST_OK(fair_sched_fst(&x.s, 1, &j, memory, sizeof(memory), half, NULL,
			       &fst));
	TEST_EQ(fst.strict, 1); /* on node 2 */
	other = x.s.config;
	other.policy = FAIR_CONSERVATIVE;
	TEST_OK(fair_sched_convert(&c, sizeof(c), memory, sizeof(memory),
				   &other, &x.s));
	TEST_EQ(fair_sched_check(&c), 0);
	TEST_EQ(withheld(&c, 7), 4);
	TEST_OK(fair_sched_lookup(&c, 2, &status));
	TEST_EQ(status.start, 10);
	TEST_OK(fair_sched_node_up(&c, 1, 0));
	TEST_EQ(fair_sched_check(&c), 0);
	TEST_OK(fair_sched_advance_cancel(&c, 1, 7));
	TEST_OK(fair_sched_lookup(&c, 2, &status));
	TEST_EQ(status.start, 1); /* on node 2 */
	TEST_OK(fair_sched_whatif(&x.s, &c, memory + 40000,
				  (65536 - 40000) * sizeof(*memory),
				  count_changes, &changes));
	TEST_EQ(changes, 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/*
 * Job 1 has node 1 until 60, job 2 node 0 until 10, where job 3 is promised.
 * Both nodes are reserved by force, so that it begins on node 2, at 70. Before
 * that, a reservation of what job 1 has until then takes nothing from any job.
 */
TEST(what_is_reserved_of_several_nodes)
{
	static const int32_t amount[] = { 12, 1 }, count[] = { 3, 1 };
	struct fair_advance b = { .number = 1, .from = 5, .to = 60,
				  .named = 1 };
	static struct scene x;

	open_scene(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, amount, count);
	submit(&x, 2, 1, 4, 10);
	submit(&x, 1, 1, 4, 60);
	submit(&x, 4, 1, 4, 70);
	TEST_EQ(starts(&x, 0), 3);
	submit(&x, 3, 1, 4, 20);
	is_planned(&x, 3, 10, 1);
	TEST_OK(fair_sched_set_node(&x.s, 1, 1, true));
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, true));
	TEST_EQ(fair_sched_next(&x.s), 10);
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, true));
	b.number = 2;
	b.to = 80;
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, true));
	is_planned(&x, 3, 70, 21);
	TEST_EQ(fair_sched_next(&x.s), 0);
	TEST_OK(fair_sched_advance_cancel(&x.s, 0, 1));
	TEST_EQ(withheld(&x.s, 2), 3);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* Whether these two nodes of 128 are withheld, and no other. */
static void withholds_two(const struct fair_sched *s, uint64_t number,
			  uint32_t one, uint32_t two)
{
	struct fair_advance b = { 0 };
	uint32_t node, i = 0;

	while (fair_sched_advance_get(s, i, &b) && b.number != number)
		i++;
	TEST_EQ(b.number, number);
	TEST_CHECK(b.nodes == 2 && b.procs == 8 && b.node_class == 1);
	TEST_EQ(b.named, 0);
	for (node = 0; node < 128; node++)
		TEST_EQ(fair_sched_advance_has_node(s, number, node),
			node == one || node == two);
}

static void is_as_reserved(const struct fair_sched *s)
{
	withholds_two(s, 7, 63, 65);
	withholds_two(s, 8, 64, 127);
	TEST_EQ(fair_sched_check(s), 0);
}

/* More nodes than a word has bits: what is withheld of them, of a clone, and
 * after a checkpoint. */
TEST(many_nodes)
{
	static const int32_t amount[] = { 12, 500 }, count[] = { 3, 125 };
	static const uint32_t named[2][2] = { { 63, 65 }, { 64, 127 } };
	const struct fair_machine_config machine = { 1, 2, 0, amount };
	const struct fair_node_config nodes = { count, 1, 64, false };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .advances = 2,
				 .procs = 512,
				 .jobs = 8 };
	struct fair_job j = { .number = 1, .walltime = 5, .procs = 4 };
	struct fair_advance b = { .named = 1, .kind = FAIR_ADVANCE_USER };
	struct fair_nodes_part part = { 99, 0 };
	struct fair_job_status bound;
	size_t bytes, need;
	struct fair_sched s, other;
	unsigned char *saved;
	void *memory, *rest;
	uint32_t i, k, at;
	int damage;

	c.machine = &machine;
	c.nodes = &nodes;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	rest = malloc(bytes);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &c));
	for (i = 2; i-- > 0;) { /* the first is in the way of the second */
		for (k = 0; k < 2; k++)
			TEST_OK(fair_sched_set_node(&s, 1, named[i][k], true));
		b.number = 7 + i;
		b.from = 10 + 20 * i;
		b.to = 20 + 20 * i;
		TEST_OK(fair_sched_advance_reserve(&s, 0, &b, false));
		for (k = 0; k < 2; k++)
			TEST_OK(fair_sched_set_node(&s, 1, named[i][k],
						    false));
	}
	TEST_OK(fair_sched_set_node(&s, 1, 0, true));
	is_as_reserved(&s);
	memset(rest, 0xa5, bytes);
	TEST_OK(fair_sched_clone(&other, rest, bytes, &s));
	is_as_reserved(&other);
	j.advance = 8;
	TEST_OK(fair_sched_submit(&other, 0, &j)); /* it runs on these nodes */
	TEST_OK(fair_sched_lookup(&other, 1, &bound));
	TEST_EQ(bound.start, 30);
	j.advance = 0;
	memset(rest, 0xa5, bytes);
	need = fair_sched_checkpoint_size(&s);
	saved = (unsigned char *)malloc(need);
	TEST_OK(fair_sched_save(&s, saved, need));
	TEST_OK(fair_sched_load(&other, sizeof(other), rest, bytes, &c, saved,
				need, &damage));
	is_as_reserved(&other);
	j.named = 1; /* the set has node 0 alone */
	TEST_OK(fair_sched_submit(&other, 0, &j));
	at = 0;
	TEST_CHECK(fair_sched_nodes(&other, 1, &at, &part));
	TEST_EQ(part.node, 0);
	j.number = 2;
	TEST_OK(fair_sched_submit(&other, 0, &j));
	TEST_EQ(fair_sched_check(&other), 0);
	free(saved);
	free(rest);
	free(memory);
}

/* There are 8 parts: jobs, or tasks, that ended have left all for the next one. */
TEST(parts_of_jobs_that_ended)
{
	struct fair_job array = { .number = 4, .walltime = 5, .procs = 2,
				  .chunks = 2, .tasks = 4 };
	static const int32_t amount[] = { 8 }, count[] = { 8 };
	const struct fair_machine_config machine = { 1, 1, 0, amount };
	const struct fair_node_config nodes = { count, 0, 8, false };
	struct fair_config c = { .procs = 8, .jobs = 8 };
	static struct scene x;
	uint64_t task;

	c.machine = &machine;
	c.nodes = &nodes;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x.memory));
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&c));
	submit(&x, 1, 4, 1, 5);
	submit(&x, 2, 4, 1, 5);
	TEST_EQ(starts(&x, 0), 2);
	TEST_OK(fair_sched_finish(&x.s, 5, 1));
	TEST_OK(fair_sched_finish(&x.s, 5, 2));
	submit(&x, 3, 8, 1, 5);
	TEST_EQ(starts(&x, 5), 1);
	TEST_OK(fair_sched_finish(&x.s, 10, 3));
	TEST_OK(fair_sched_submit(&x.s, 10, &array));
	TEST_EQ(starts(&x, 10), 4);
	for (task = 4; task < 8; task++)
		TEST_OK(fair_sched_finish(&x.s, 15, task));
	submit(&x, 8, 8, 1, 5);
	TEST_EQ(starts(&x, 15), 1);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* Job 1 has 4 parts of 8, then all, then 4 again. */
TEST(parts_of_a_resized_job)
{
	static const int32_t amount[] = { 8 }, count[] = { 8 };
	const struct fair_machine_config machine = { 1, 1, 0, amount };
	const struct fair_node_config nodes = { count, 0, 8, false };
	struct fair_config c = { .procs = 8, .jobs = 8 };
	struct fair_job one = { .number = 9, .walltime = 5, .procs = 1,
				.chunks = 1 };
	static struct scene x;

	c.machine = &machine;
	c.nodes = &nodes;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x.memory));
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&c));
	submit(&x, 1, 4, 1, 5);
	TEST_EQ(starts(&x, 0), 1);
	TEST_OK(resize(&x, 1, 8, 1));
	TEST_EQ(fair_sched_submit(&x.s, 0, &one), -FAIR_ENOSPC);
	TEST_OK(resize(&x, 1, 4, 1));
	submit(&x, 2, 4, 1, 5);
	TEST_EQ(fair_sched_submit(&x.s, 0, &one), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_check(&x.s), 0);
}

/* Four tasks of 2 parts have all 8, divided or not. */
TEST(parts_of_a_divided_array)
{
	struct fair_job array = { .number = 1, .walltime = 5, .procs = 2,
				  .chunks = 2, .tasks = 4 };
	struct fair_job one = { .number = 9, .walltime = 5, .procs = 1,
				.chunks = 1 };
	static const int32_t amount[] = { 8 }, count[] = { 8 };
	const struct fair_machine_config machine = { 1, 1, 0, amount };
	const struct fair_node_config nodes = { count, 0, 8, false };
	struct fair_config c = { .procs = 8, .jobs = 8 };
	static struct scene x;
	uint64_t task;

	c.machine = &machine;
	c.nodes = &nodes;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x.memory));
	for (task = 1; task < 5; task++) {
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &c));
		TEST_OK(fair_sched_submit(&x.s, 0, &array));
		TEST_EQ(fair_sched_submit(&x.s, 0, &one), -FAIR_ENOSPC);
		TEST_OK(fair_sched_split_task(&x.s, 0, task));
		TEST_EQ(fair_sched_submit(&x.s, 0, &one), -FAIR_ENOSPC);
		TEST_OK(fair_sched_cancel(&x.s, 0, task));
		submit(&x, 9, 2, 1, 5);
		one.number = 10;
		TEST_EQ(fair_sched_submit(&x.s, 0, &one), -FAIR_ENOSPC);
		one.number = 9;
		TEST_EQ(fair_sched_check(&x.s), 0);
	}
}

/* What a job of a pool asks for of nodes: nothing. */
TEST(a_pool_has_no_nodes)
{
	struct fair_config c = { .procs = 8, .jobs = 8 };
	struct fair_job_status j;
	static struct scene x;

	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&c));
	submit(&x, 1, 2, 1, 5);
	TEST_OK(fair_sched_lookup(&x.s, 1, &j));
	TEST_CHECK(!j.job.chunks && !j.job.per_node && !j.job.named &&
		   !j.job.excluded && !j.job.exclusive && !j.job.span);
}

static void against_the_model(uint32_t kind)
{
	static uint8_t data[600];
	uint64_t seed = 5016 + kind, digest;
	int runs = SOME(TEST_ROUNDS(1000), 8);
	size_t i, size;

	for (; runs > 0; runs--) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		size = (size_t)test_range(&seed, 20, sizeof(data));
		digest = classes_pair_run(data, size, kind, runs % 4, true,
					  false);
		TEST_CHECK(runs % 8 ||
			   digest == classes_pair_run(data, size, kind,
						      runs % 4, true, false));
	}
}

TEST_EACH(against_the_model_under_each_policy)
{
	static const struct {
		const char *name;
		uint32_t kind;
	} policy[] = { { "fcfs", FAIR_FCFS },
		       { "easy and depth", FAIR_BACKFILL },
		       { "conservative", FAIR_CONSERVATIVE },
		       { "pc", FAIR_PC },
		       { "dc", FAIR_DC },
		       { "sfs", FAIR_SFS },
		       { "relshare", FAIR_RELSHARE },
		       { "maui", FAIR_MAUI },
		       { "by usage", CLASSES_PAIR_USAGE },
		       { "by dominant share", CLASSES_PAIR_DOMINANT } };
	size_t i;

	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		test_case(policy[i].name);
		against_the_model(policy[i].kind);
	}
}

/* ONE NODE decides as the pool does: the same events go to both. */
enum { LIVE = 12, NUMBERS = 200, POOL = 8 };

struct twins {
	struct fair_sched s[2]; /* the pool, and one node */
	uint64_t live[LIVE];
	uint32_t lives, numbers;
	int64_t now;
};

#define TWINS(x, name, ...) \
	is_same(fair_sched_##name(&(x)->s[0], (x)->now, __VA_ARGS__), \
		fair_sched_##name(&(x)->s[1], (x)->now, __VA_ARGS__))

static bool is_same(int pools, int nodes)
{
	TEST_EQ(pools, nodes);
	return !pools;
}

static void submit_to_both(struct twins *x, uint64_t *seed)
{
	struct fair_job j = { .number = x->numbers, .submit = x->now };

	if (x->lives == LIVE || x->numbers == NUMBERS)
		return;
	j.walltime = test_range(seed, 1, 20);
	j.user = j.account = (uint32_t)test_range(seed, 0, 1);
	j.chunks = 1 << test_range(seed, 0, 2);
	j.procs = j.chunks * (int32_t)test_range(seed, 1, 2);
	if (TWINS(x, submit, &j))
		x->live[x->lives++] = x->numbers++;
}

static void step_both(struct twins *x)
{
	struct fair_decision start[2][LIVE];
	struct fair_job_status j[2];
	size_t n[2], i;

	for (i = 0; i < 2; i++)
		TEST_OK(fair_sched_step(&x->s[i], x->now, start[i], LIVE,
					&n[i]));
	TEST_EQ(n[0], n[1]);
	for (i = 0; i < n[0]; i++)
		TEST_EQ(start[0][i].number, start[1][i].number);
	for (i = 0; i < x->lives; i++) {
		TEST_OK(fair_sched_lookup(&x->s[0], x->live[i], &j[0]));
		TEST_OK(fair_sched_lookup(&x->s[1], x->live[i], &j[1]));
		TEST_CHECK(j[0].start == j[1].start && j[0].end == j[1].end &&
			   j[0].state == j[1].state && j[0].moves == j[1].moves);
	}
	TEST_EQ(fair_sched_next(&x->s[0]), fair_sched_next(&x->s[1]));
	TEST_EQ(fair_sched_check(&x->s[1]), 0);
}

static void event_for_both(struct twins *x, uint64_t *seed)
{
	static const struct fair_eligibility hold = { 0, 0, 0, true };
	uint32_t i = (uint32_t)test_range(seed, 0, (int64_t)x->lives - 1);
	uint64_t n = x->live[i];
	bool left = false;

	switch (test_range(seed, 0, 9)) {
	case 0:
	case 1:
	case 2:
		left = TWINS(x, finish, n);
		break;
	case 3:
		left = TWINS(x, cancel, n);
		break;
	case 4:
		(void)TWINS(x, modify, n, 4, test_range(seed, 4, 4) * 3);
		break;
	case 5:
		(void)TWINS(x, refuse, n);
		break;
	case 6:
		(void)TWINS(x, defer, n, n % 2 ? &hold : NULL);
		break;
	case 7:
		(void)TWINS(x, requeue, n);
		break;
	case 8:
		(void)TWINS(x, suspend, n);
		break;
	default:
		(void)TWINS(x, resume_job, n);
	}
	if (left)
		x->live[i] = x->live[--x->lives];
}

static void play_both(const struct fair_config *pool, uint64_t seed)
{
	static const int32_t amount[] = { POOL }, count[] = { 1 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 0, LIVE, false };
	struct fair_config config[2] = { *pool, *pool };
	struct twins x = { .now = 0 };
	void *memory[2];
	int i;

	config[1].machine = &machine;
	config[1].nodes = &nodes;
	for (i = 0; i < 2; i++) {
		size_t bytes = fair_sched_size(&config[i]);

		memory[i] = malloc(bytes);
		TEST_OK(fair_sched_init(&x.s[i], sizeof(x.s[i]), memory[i],
					bytes, &config[i]));
	}
	while (x.numbers < NUMBERS) {
		if (!x.lives || test_range(&seed, 0, 2))
			submit_to_both(&x, &seed);
		if (x.lives && !test_range(&seed, 0, 1))
			event_for_both(&x, &seed);
		if (x.lives == LIVE || !test_range(&seed, 0, 2)) {
			step_both(&x);
			x.now += test_range(&seed, 0, 6);
		}
	}
	free(memory[0]);
	free(memory[1]);
}

TEST_EACH(one_node_is_a_pool)
{
	static const uint32_t share[] = { 3, 1 };
	static const int64_t target[] = { 2, 5 };
	static const struct {
		const char *name;
		uint32_t policy, order;
	} each[] = { { "one node: fcfs", FAIR_FCFS, 0 },
		     { "one node: easy", FAIR_BACKFILL, 0 },
		     { "one node: lxf", FAIR_BACKFILL, FAIR_ORDER_LXF },
		     { "one node: usage", FAIR_BACKFILL, FAIR_ORDER_USAGE },
		     { "one node: conservative", FAIR_CONSERVATIVE, 0 },
		     { "one node: pc", FAIR_PC, FAIR_ORDER_SJF },
		     { "one node: dc", FAIR_DC, FAIR_ORDER_WIDEST },
		     { "one node: sfs", FAIR_SFS, 0 },
		     { "one node: relshare", FAIR_RELSHARE, 0 } };
	struct fair_config c = { .procs = POOL, .jobs = LIVE, .users = 2,
				 .ineligible = LIVE, .accounts = 2,
				 .share = share, .target = target,
				 .window = 50, .patience = 9 };
	size_t i;
	uint32_t run;

	for (i = 0; i < sizeof(each) / sizeof(*each); i++) {
		test_case(each[i].name);
		c.policy = each[i].policy;
		c.order = each[i].order;
		for (run = 0; run < SOME(TEST_ROUNDS(40), 2); run++) {
			c.depth = c.policy == FAIR_BACKFILL ? 1 + run % 3 : 1;
			play_both(&c, 99 + run);
		}
	}
}
