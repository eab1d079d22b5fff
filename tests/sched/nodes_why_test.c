/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_why_test.c - why a job does not start, on nodes
 *
 * What is told in words; fuzz/classes_pair.h compares the numbers with a naive
 * count.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/test.h"

struct scene {
	struct fair_sched s;
	uint64_t memory[65536 / 8], clone[65536 / 8];
};

static void open_machine(struct scene *x, struct fair_config c,
			 const struct fair_machine_config *machine,
			 const struct fair_node_config *nodes)
{
	c.machine = machine;
	c.nodes = nodes;
	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x->memory));
	TEST_REQUIRE(fair_sched_fst_size(&c) <= sizeof(x->clone));
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &c));
}

/* Three nodes of 4 processors and 2 of resource 1; 5 of resource 2 are of the
 * whole machine. */
static void open_scene(struct scene *x, uint32_t policy)
{
	static const int32_t amount[] = { 12, 6, 5 }, count[] = { 3 };
	static const struct fair_machine_config machine = { 3, 1, 4, amount };
	static const struct fair_node_config nodes = { count, 1, 64, false };
	struct fair_config c = { .policy = policy,
				 .depth = 1,
				 .procs = 12,
				 .jobs = 8 };

	open_machine(x, c, &machine, &nodes);
}

static struct fair_job job(uint64_t number, int32_t chunks, int32_t procs,
			   int64_t walltime)
{
	struct fair_job j = { .number = number,
			      .walltime = walltime,
			      .procs = chunks * procs,
			      .chunks = chunks };

	return j;
}

/* @other and @wide of the resources 1 and 2, of the whole job. */
static void submit(struct scene *x, struct fair_job j, int32_t other,
		   int32_t wide)
{
	int32_t amount[] = { j.procs, other, wide };

	j.amount = amount;
	TEST_OK(fair_sched_submit(&x->s, x->s.now, &j));
}

static size_t starts(struct scene *x, int64_t now)
{
	struct fair_decision start[8];
	size_t n = 0;

	TEST_OK(fair_sched_step(&x->s, now, start, 8, &n));
	return n;
}

static struct fair_why why(struct scene *x, uint64_t number)
{
	struct fair_why w;

	memset(&w, 0, sizeof(w));
	TEST_OK(fair_sched_why(&x->s, number, x->clone, sizeof(x->clone), &w));
	return w;
}

/* Whether that is among what is said. */
static void says(struct scene *x, uint64_t number, const char *said)
{
	struct fair_why w = why(x, number);
	char text[1024];

	TEST_REQUIRE(fair_why_text(&w, text, sizeof(text)) < sizeof(text));
	if (!strstr(text, said))
		printf("%s\n", text);
	TEST_CHECK(strstr(text, said));
}

/* Two nodes have 1 processor free until 100, the third one until 50. */
static void open_busy(struct scene *x, uint32_t policy)
{
	open_scene(x, policy);
	submit(x, job(0, 2, 3, 100), 0, 0);
	submit(x, job(1, 1, 3, 50), 1, 2);
	TEST_EQ(starts(x, 0), 2);
}

TEST(one_chunk_waits_for_a_node)
{
	static struct scene x;
	struct fair_why w;

	open_busy(&x, FAIR_CONSERVATIVE);
	submit(&x, job(2, 1, 2, 10), 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 2, " It needs a node with 2 free processors: none has that"
		    " before job 1 ends at 50. It would start now with 1"
		    " processor. A start is reserved for it at 50.");
	w = why(&x, 2);
	TEST_EQ(w.reasons, FAIR_WHY_NODES);
	TEST_EQ(w.free_at, 50);
	TEST_EQ(w.freed_by, 1);
	TEST_EQ(w.hosted, 0);
	TEST_EQ(w.resources, 3);
	TEST_EQ(w.chunk[0], 2);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 1);
}

TEST(distinct_nodes_and_chunks_that_may_share_one)
{
	struct fair_job apart = job(3, 3, 2, 10);
	static struct scene x;

	open_busy(&x, FAIR_BACKFILL);
	submit(&x, job(2, 4, 2, 10), 4, 0);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 2, " It needs nodes for 4 chunks of 2 free processors and 1 of"
		    " resource 1 each: they have room for at most 2 before job"
		    " 0 ends at 100.");
	apart.per_node = 1;
	TEST_OK(fair_sched_cancel(&x.s, 0, 2));
	submit(&x, apart, 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 3, " It needs 3 nodes with 2 free processors each: at most one"
		    " has that before job 0 ends at 100.");
}

TEST(whole_nodes)
{
	struct fair_job whole = job(2, 2, 1, 10);
	static struct scene x;

	open_busy(&x, FAIR_CONSERVATIVE);
	whole.exclusive = true;
	whole.per_node = 1;
	submit(&x, whole, 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 2, " It needs 2 whole nodes with 1 free processor each: at"
		    " most one has that before job 0 ends at 100.");
	TEST_EQ(why(&x, 2).blockers, 2);
}

TEST(a_named_node_and_one_that_is_down)
{
	struct fair_job named = job(2, 1, 2, 10);
	static struct scene x;
	uint64_t victim = 1;

	open_busy(&x, FAIR_CONSERVATIVE);
	TEST_OK(fair_sched_set_node(&x.s, 1, 2, true));
	named.named = 1;
	submit(&x, named, 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 2, "none has that before job 1 ends at 50.");
	TEST_OK(fair_sched_node_down(&x.s, 1, 2, &victim, 1));
	TEST_EQ(starts(&x, 1), 0);
	says(&x, 2, " It needs a node with 2 free processors: none has that,"
		    " whatever job ends.");
}

TEST(nodes_are_free_but_reserved)
{
	static struct scene x;
	struct fair_why w;

	open_busy(&x, FAIR_CONSERVATIVE);
	submit(&x, job(2, 3, 4, 10), 0, 0);
	submit(&x, job(3, 1, 1, 200), 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 3, " Now it would delay job 2, due to start at 100. It would"
		    " start now with a walltime of 100 s. A start is reserved"
		    " for it at 110.");
	w = why(&x, 3);
	TEST_EQ(w.hosted, 1);
	TEST_EQ(w.free_at, 0);
}

TEST(what_the_whole_machine_lacks)
{
	static struct scene x;

	open_busy(&x, FAIR_CONSERVATIVE);
	submit(&x, job(2, 1, 1, 10), 0, 4);
	TEST_EQ(starts(&x, 0), 0);
	says(&x, 2, " It waits for 4 of resource 2, where 3 are free.");
}

/* Of three classes with 20 nodes each the job may use the two last: one node is
 * free in each, which are not enough for two chunks in one class. */
TEST(free_nodes_of_two_classes)
{
	static const int32_t amount[] = { 20, 20, 20 };
	static const int32_t count[] = { 20, 20, 20 };
	static const struct fair_machine_config machine = { 1, 3, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 128, false };
	static const uint8_t list[] = { 1, 2 };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = 60,
				 .jobs = 8 };
	struct fair_job j = job(0, 19, 1, 100);
	static struct scene x;
	struct fair_why w;

	open_machine(&x, c, &machine, &nodes);
	j.classes = list;
	j.class_count = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	j.number = 1;
	j.classes = list + 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	j.number = 2;
	j.classes = list;
	j.class_count = 2;
	j.chunks = j.procs = 2;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 2);
	TEST_OK(fair_sched_why(&x.s, 2, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_NODES);
	TEST_EQ(w.hosted, 1);
	TEST_EQ(w.free_at, 100);
	TEST_EQ(w.blockers, 2);
	j.number = 3;
	j.chunks = j.procs = 3;
	j.span = true; /* both classes together have two */
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 3, NULL, 0, &w));
	TEST_EQ(w.hosted, 2);
}

/* More nodes than are looked at together: all but the last one are free. */
TEST(nodes_of_many)
{
	static const int32_t amount[] = { 40 }, count[] = { 40 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 1, 128, false };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = 40,
				 .jobs = 8 };
	struct fair_job j = job(0, 1, 1, 100);
	static struct scene x;
	struct fair_why w;

	open_machine(&x, c, &machine, &nodes);
	TEST_OK(fair_sched_set_node(&x.s, 1, 39, true));
	j.named = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 1);
	j = job(1, 40, 1, 10);
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 1, NULL, 0, &w));
	TEST_EQ(w.hosted, 39);
	TEST_EQ(w.free_at, 100);
	TEST_EQ(w.blockers, 1);
}

/* They share a resource of the whole machine, though no node. */
TEST(a_reservation_of_what_the_whole_machine_has)
{
	static struct scene x;
	struct fair_job one = job(2, 1, 4, 50), other = job(3, 1, 4, 200);
	struct fair_why w;

	open_scene(&x, FAIR_CONSERVATIVE);
	TEST_OK(fair_sched_set_node(&x.s, 1, 0, true));
	submit(&x, job(0, 1, 4, 100), 0, 1);
	TEST_EQ(starts(&x, 0), 1);
	one.named = 1;
	submit(&x, one, 0, 5);
	other.excluded = 1;
	submit(&x, other, 0, 1);
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 3);
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.walltime, 100);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 2);
}

/* Of two reservations in its way the one that begins first. */
TEST(the_first_of_two_reservations)
{
	static const int32_t amount[] = { 4 }, count[] = { 1 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 32, false };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .depth = 2,
				 .procs = 4,
				 .jobs = 8 };
	static struct scene x;
	struct fair_why w;

	open_machine(&x, c, &machine, &nodes);
	submit(&x, job(0, 1, 3, 100), 0, 0);
	submit(&x, job(1, 1, 4, 50), 0, 0);
	submit(&x, job(2, 1, 4, 50), 0, 0);
	submit(&x, job(3, 1, 1, 300), 0, 0);
	TEST_EQ(starts(&x, 0), 1);
	w = why(&x, 3);
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 1);
	TEST_EQ(w.blocker[0].start, 100);
}

/* Job 3 has a reservation, but job 5 is before it since job 4, also of user 0,
 * has started: the next plan starts it. */
TEST(reserved_for_a_job_behind_it)
{
	static const int32_t amount[] = { 10 }, count[] = { 1 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 32, false };
	static const struct fair_config c = { .policy = FAIR_BACKFILL,
					      .order = FAIR_ORDER_USAGE,
					      .depth = 1,
					      .procs = 10,
					      .users = 3,
					      .jobs = 8,
					      .machine = &machine,
					      .nodes = &nodes };
	static const struct {
		uint32_t user;
		int32_t procs;
		int64_t walltime;
	} asks[] = { { 2, 6, 100 }, { 1, 1, 40 }, { 0, 1, 10 },
		     { 0, 8, 50 },  { 0, 1, 50 }, { 1, 3, 200 } };
	static struct scene x;
	struct fair_why w;
	struct fair_job j;
	uint32_t i;

	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x.memory));
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&c));
	for (i = 0; i < 6; i++) {
		if (i == 3) {
			TEST_EQ(starts(&x, 0), 3);
			TEST_OK(fair_sched_finish(&x.s, 10, 2));
			TEST_OK(fair_sched_finish(&x.s, 40, 1));
		}
		j = job(i, 1, asks[i].procs, asks[i].walltime);
		j.user = asks[i].user;
		j.submit = i < 3 ? 0 : 40;
		TEST_OK(fair_sched_submit(&x.s, j.submit, &j));
	}
	TEST_EQ(starts(&x, 40), 1);
	TEST_OK(fair_sched_why(&x.s, 5, NULL, 0, &w));
	TEST_EQ(w.ahead, 0);
	TEST_EQ(w.reasons, FAIR_WHY_NOTHING);
	TEST_EQ(w.hosted, 1);
	TEST_EQ(w.blockers, 0);
	TEST_EQ(starts(&x, 41), 1);
	TEST_CHECK(fair_sched_why(&x.s, 5, NULL, 0, &w) < 0);
}

/* Of two classes of one node each the second one is withheld: by sums it is not
 * known that the job may only use that node. */
TEST(a_node_that_an_advance_reservation_has)
{
	static const int32_t amount[] = { 4, 4 }, count[] = { 1, 2 };
	static const struct fair_machine_config machine = { 1, 2, 0, amount };
	static const struct fair_node_config nodes = { count, 1, 64, false };
	static const uint8_t second[] = { 1 };
	const struct fair_advance b = { .number = 7,
					.from = 0,
					.to = 30,
					.kind = FAIR_ADVANCE_MAINTENANCE,
					.node_class = 1,
					.nodes = 1 };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .depth = 1,
				 .procs = 8,
				 .advances = 1,
				 .jobs = 8 };
	struct fair_job j = job(0, 1, 1, 40);
	static struct scene x;
	struct fair_why w;

	open_machine(&x, c, &machine, &nodes);
	TEST_OK(fair_sched_set_node(&x.s, 1, 1, true));
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	TEST_CHECK(fair_sched_advance_has_node(&x.s, 7, 1));
	j.classes = second;
	j.class_count = 1;
	j.named = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 0, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_ADVANCE);
	TEST_EQ(w.advance.number, 7);
	TEST_EQ(w.blockers, 0);
}

/* Job 0 needs both nodes from 60 on; job 1 has the first one until 20. */
static void open_both(struct scene *x)
{
	static const int32_t amount[] = { 8 }, count[] = { 2 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 2, 64, false };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .depth = 3,
				 .procs = 8,
				 .advances = 1,
				 .jobs = 8 };
	struct fair_job j = job(1, 1, 4, 20);

	open_machine(x, c, &machine, &nodes);
	TEST_OK(fair_sched_set_node(&x->s, 1, 0, true));
	TEST_OK(fair_sched_set_node(&x->s, 2, 1, true));
	submit(x, job(0, 2, 4, 50), 0, 0);
	TEST_EQ(starts(x, 0), 1);
	TEST_OK(fair_sched_refuse_until(&x->s, 0, 0, 60));
	j.named = 1;
	submit(x, j, 0, 0);
	TEST_EQ(starts(x, 0), 1);
}

/* What is in the way comes before the job: neither one behind it that starts
 * sooner, nor one that is on the other node sooner. */
TEST(the_first_in_the_way_before_it)
{
	struct fair_job j = job(2, 1, 4, 40);
	static struct scene x;
	struct fair_why w;

	open_both(&x);
	submit(&x, job(2, 1, 4, 100), 0, 0);
	submit(&x, job(3, 2, 4, 20), 0, 0); /* from 20 on */
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 2);
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 0);
	TEST_EQ(w.blocker[0].start, 60);

	open_both(&x);
	j.named = 1;
	submit(&x, j, 0, 0); /* from 20 on */
	submit(&x, job(3, 1, 4, 100), 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 3);
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 0);
}

/* Job 2 would end by then: the advance reservation alone is in its way. */
TEST(none_before_it_while_it_would_run)
{
	const struct fair_advance b = { .number = 7,
					.from = 25,
					.to = 50,
					.kind = FAIR_ADVANCE_MAINTENANCE,
					.nodes = 2 };
	struct fair_job j = job(2, 1, 4, 30);
	static struct scene x;
	struct fair_why w;

	open_both(&x);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	j.named = 2;
	submit(&x, j, 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 2);
	TEST_EQ(w.reasons, FAIR_WHY_ADVANCE);
	TEST_EQ(w.blockers, 0);
}

/* A running job has whole nodes, though it asks for a processor of each. */
TEST(nodes_that_are_whole)
{
	struct fair_job whole = job(0, 3, 1, 100);
	static struct scene x;
	struct fair_why w;

	open_scene(&x, FAIR_CONSERVATIVE);
	whole.exclusive = true;
	whole.per_node = 1;
	submit(&x, whole, 0, 0);
	TEST_EQ(starts(&x, 0), 1);
	submit(&x, job(1, 1, 1, 10), 0, 0);
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 1);
	TEST_EQ(w.reasons, FAIR_WHY_NODES);
	TEST_EQ(w.hosted, 0);
	TEST_EQ(w.free_at, 100);
}

/* Of the jobs that end last the first is named. Of a chunk is what a node has,
 * and what the whole machine has is not. */
TEST(jobs_that_end_at_once)
{
	static struct scene x;
	struct fair_why w;
	uint64_t n;

	open_scene(&x, FAIR_CONSERVATIVE);
	for (n = 0; n < 3; n++)
		submit(&x, job(n, 1, 4, 100), 0, 0);
	TEST_EQ(starts(&x, 0), 3);
	submit(&x, job(3, 3, 4, 10), 0, 2);
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 3);
	TEST_EQ(w.reasons, FAIR_WHY_NODES);
	TEST_EQ(w.free_at, 100);
	TEST_EQ(w.freed_by, 0);
	TEST_EQ(w.chunk[0], 4);
	TEST_EQ(w.chunk[2], 0);
}

/* A job of as many processors as there can be. */
TEST(a_node_of_all_processors)
{
	static const int32_t amount[] = { INT32_MAX }, count[] = { 1 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 8, false };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = INT32_MAX,
				 .jobs = 8 };
	struct fair_job j = job(0, 1, INT32_MAX, 100);
	static struct scene x;
	struct fair_why w;

	open_machine(&x, c, &machine, &nodes);
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 1);
	j = job(1, 1, 1, 10);
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 1, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_NODES);
	TEST_EQ(w.hosted, 0);
	TEST_EQ(w.free_at, 100);
}

/* A limit that is lowered takes its promise; nodes are free to it all the
 * same. */
TEST(nodes_without_a_promise)
{
	static const struct fair_limit limit = { FAIR_ENTITY_USER,
						 FAIR_LIMIT_PROCS,
						 FAIR_LIMIT_EACH, 2 };
	static const int32_t amount[] = { 4 }, count[] = { 2 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 32, false };
	static const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
					      .procs = 4,
					      .users = 1,
					      .jobs = 8,
					      .limits = 1,
					      .limit = &limit,
					      .machine = &machine,
					      .nodes = &nodes };
	struct fair_limit less = limit;
	struct fair_job j = job(0, 1, 2, 10);
	static struct scene x;
	struct fair_why w;

	TEST_REQUIRE(fair_sched_size(&c) <= sizeof(x.memory));
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&c));
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	less.amount = 1;
	TEST_OK(fair_sched_limit(&x.s, 0, &less));
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 0, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(w.promise, FAIR_FOREVER);
	TEST_EQ(w.walltime, 9);
}

/* Job 2 may run on the second node alone, where job 1 is: job 0 is not in its
 * way, though both ask for processors and resource 1, and one for resource 2 of
 * the whole machine. */
TEST(what_is_on_other_nodes)
{
	static const int32_t amount[] = { 4, 2, 5, 4, 2, 0 }, count[] = { 1, 1 };
	static const struct fair_machine_config machine = { 3, 2, 4, amount };
	static const struct fair_node_config nodes = { count, 1, 64, false };
	static const uint8_t on[] = { 0, 1 };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .depth = 1,
				 .procs = 8,
				 .jobs = 8 };
	static struct scene x;
	struct fair_why w;
	uint64_t i;

	open_machine(&x, c, &machine, &nodes);
	for (i = 0; i < 3; i++) {
		struct fair_job j = job(i, 1, 3, 100);

		j.classes = on + (i > 0);
		j.class_count = 1;
		submit(&x, j, 1, i == 0);
	}
	TEST_EQ(starts(&x, 0), 2);
	w = why(&x, 2);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 1);
}

/* Jobs 2 and 3 are promised a node each as jobs 0 and 1 end. Job 4 would delay
 * the one on its own node alone. */
TEST(what_is_promised_on_other_nodes)
{
	static const int32_t amount[] = { 4, 3, 5, 4, 3, 0 }, count[] = { 1, 1 };
	static const struct fair_machine_config machine = { 3, 2, 4, amount };
	static const struct fair_node_config nodes = { count, 1, 64, false };
	static const uint8_t on[] = { 0, 1 };
	static const int32_t procs[] = { 3, 3, 4, 4, 1 };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = 8,
				 .jobs = 8 };
	static struct scene x;
	struct fair_why w;
	uint64_t i;

	open_machine(&x, c, &machine, &nodes);
	for (i = 0; i < 5; i++) {
		struct fair_job j = job(i, 1, procs[i], i < 4 ? 100 : 150);

		j.classes = on + (i % 2 || i == 4);
		j.class_count = 1;
		submit(&x, j, 1, i == 2);
		TEST_EQ(starts(&x, 0), i < 2);
	}
	w = why(&x, 4);
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 3);
}

/* Of two that begin when it has to end, that of the only node that it may use is
 * named. */
TEST(two_advance_reservations)
{
	static const int32_t amount[] = { 8 }, count[] = { 2 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 1, 64, false };
	struct fair_advance b = { .from = 50,
				  .to = 90,
				  .kind = FAIR_ADVANCE_MAINTENANCE,
				  .nodes = 1 };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .depth = 1,
				 .procs = 8,
				 .advances = 2,
				 .jobs = 8 };
	struct fair_job j = job(0, 1, 1, 100);
	static struct scene x;
	struct fair_why w;
	uint64_t i;

	open_machine(&x, c, &machine, &nodes);
	for (i = 1; i < 3; i++) {
		b.number = i;
		TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	}
	TEST_CHECK(fair_sched_advance_has_node(&x.s, 2, 1));
	TEST_OK(fair_sched_set_node(&x.s, 1, 1, true));
	j.named = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(starts(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.s, 0, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_ADVANCE);
	TEST_EQ(w.advance.number, 2);
	TEST_EQ(w.walltime, 50);
}

/* A node is withheld at once, and the only scan is used: a reservation that was
 * taken out leaves its job without nodes until it is made again. */
TEST(nodes_of_a_displaced_job)
{
	static const int32_t amount[] = { 12 }, count[] = { 3 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 16, false };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				 .procs = 12,
				 .jobs = 4,
				 .advances = 1 };
	struct fair_advance a = { .number = 1, .from = 1, .to = 50, .nodes = 1 };
	struct fair_nodes_part part;
	struct fair_job_status j;
	uint32_t at = 0, displaced = 0;
	struct scene x;

	open_machine(&x, c, &machine, &nodes);
	submit(&x, job(1, 2, 4, 10), 0, 0);
	TEST_EQ(starts(&x, 0), 1);
	submit(&x, job(2, 3, 4, 10), 0, 0);
	submit(&x, job(3, 3, 4, 10), 0, 0);
	TEST_CHECK(fair_sched_nodes(&x.s, 3, &at, &part));
	fair_sched_scan_limit(&x.s, 1);
	TEST_OK(fair_sched_advance_reserve(&x.s, 1, &a, true));
	for (j.job.number = 2; j.job.number < 4; j.job.number++) {
		TEST_OK(fair_sched_lookup(&x.s, j.job.number, &j));
		displaced += j.state == FAIR_DISPLACED;
		at = 0;
		TEST_EQ(fair_sched_nodes(&x.s, j.job.number, &at, &part),
			j.state == FAIR_QUEUED);
	}
	TEST_CHECK(displaced);
	TEST_CHECK(!fair_sched_resume(&x.s));
	at = 0;
	TEST_CHECK(fair_sched_nodes(&x.s, 3, &at, &part));
}

/* What is promised to a refused job itself is free to it. */
TEST(refused_until_its_promise)
{
	static struct scene x;
	struct fair_why w;

	open_scene(&x, FAIR_CONSERVATIVE);
	submit(&x, job(0, 1, 4, 100), 0, 0);
	submit(&x, job(1, 2, 4, 100), 0, 0);
	TEST_EQ(starts(&x, 0), 2);
	TEST_OK(fair_sched_refuse(&x.s, 0, 1));
	TEST_EQ(starts(&x, 0), 0);
	w = why(&x, 1);
	TEST_EQ(w.promise, 1);
	TEST_EQ(w.reasons, FAIR_WHY_REFUSED);
	TEST_EQ(w.blockers, 0);
}
