/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_sched_test.c - the scheduler on nodes
 *
 * Small scenes; random machines and events under each policy against the naive
 * model, by fuzz/classes_pair.h.
 */
#include "fuzz/classes_pair.h"
#include "tests/test.h"

struct scene {
	struct fair_sched s;
	uint64_t memory[65536 / 8];
};

/* Nodes of two classes, of one resource; @amount: of all of a class. */
static void open_scene(struct scene *x, uint32_t policy, uint32_t order,
		       const int32_t *amount, const int32_t *count)
{
	struct fair_machine_config machine = { 1, 2, 0, NULL };
	struct fair_node_config nodes = { NULL, 0, 64, false };
	struct fair_config c = { .policy = policy,
				 .order = order,
				 .depth = 1,
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

static void against_the_model(uint32_t kind)
{
	static uint8_t data[600];
	uint64_t seed = 16 + kind, digest;
	int runs = TEST_ROUNDS(1000);
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
		for (run = 0; run < TEST_ROUNDS(40); run++) {
			c.depth = c.policy == FAIR_BACKFILL ? 1 + run % 3 : 1;
			play_both(&c, 99 + run);
		}
	}
}
