/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of a scheduler on nodes changes nothing: configurations, requests,
 * nodes that come and go, sets, advance reservations, and what is not planned
 * on nodes.
 */
#include "fairsched.h"
#include "tests/leaf_faults.h"

/* Two nodes of 4 processors and a GPU, one of 8; licences for all. */
static const int32_t amounts[] = { 8, 2, 3, 8, 0, 0 }, count[] = { 2, 1 };
static const struct fair_machine_config machine = { 3, 2, 4, amounts };
static const struct fair_node_config nodes = { count, 2, 8, false };

static struct fair_config config_of(uint32_t policy)
{
	struct fair_config config = { .policy = policy,
				      .procs = 16,
				      .jobs = 8,
				      .advances = 1,
				      .machine = &machine,
				      .nodes = &nodes };

	return config;
}

static void is_wrong(const struct fair_config *config, const char *why)
{
	const char *said = fair_sched_config_error(config);

	TEST_CHECK(said && strstr(said, why));
	TEST_EQ(fair_sched_size(config), 0);
}

TEST(configurations)
{
	static const int32_t odd[] = { 3, 1 }, none[] = { 0, 1 };
	static const int32_t many[] = { 65535, 1 };
	static const int32_t much[] = { 65535, 0, 0, 1, 0, 0 };
	struct fair_config c = config_of(FAIR_CONSERVATIVE);
	struct fair_machine_config other = machine;
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_node_config n = nodes;

	maui.select = FAIR_BESTFIT;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.machine = NULL;
	is_wrong(&c, "nodes needs machine");
	c.machine = &machine;
	c.nodes = &n;
	n.count = NULL;
	is_wrong(&c, "no count");
	n.count = odd;
	is_wrong(&c, "does not divide");
	n.count = none;
	is_wrong(&c, "does not divide");
	n = nodes;
	n.sets = FAIR_NODES_SETS + 1;
	is_wrong(&c, "too many nodes or sets");
	n = nodes;
	n.parts = 0;
	is_wrong(&c, "parts is not from 1 to 2^28");
	n.parts = (1U << 28) + 1;
	is_wrong(&c, "parts is not from 1 to 2^28");
	n = nodes;
	n.parts = 1U << 28;
	c.advances = 1;
	is_wrong(&c, "nodes and advances need more than 2^28 parts");
	c.advances = 0;
	/* 32 bits do not count the bytes of so many. */
	TEST_EQ(!fair_sched_config_error(&c), sizeof(size_t) > 4);
	n.parts = 8;
	TEST_CHECK(!fair_sched_config_error(&c));
	c = config_of(FAIR_BACKFILL);
	c.depth = 1;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.select = FAIR_BESTFIT;
	is_wrong(&c, "backfill windows are not planned on nodes");
	c = config_of(FAIR_MAUI);
	c.maui = &maui;
	is_wrong(&c, "backfill windows are not planned on nodes");
	c.policy = FAIR_DC; /* its priorities alone are used */
	c.order = FAIR_ORDER_PRIORITY;
	TEST_CHECK(!fair_sched_config_error(&c));
	c = config_of(FAIR_MAUI);
	c.maui = &maui;
	maui.select = FAIR_NOFIT;
	TEST_CHECK(!fair_sched_config_error(&c));
	n.count = many;
	other.amount = much;
	c = config_of(FAIR_FCFS);
	c.procs = 65536;
	c.machine = &other;
	c.nodes = &n;
	is_wrong(&c, "too many nodes or sets");
}

static struct fair_job job_of(uint64_t number, int32_t chunks, int32_t procs)
{
	struct fair_job job = { .number = number,
				.walltime = 100,
				.procs = procs,
				.chunks = chunks };

	return job;
}

/* Job 1 runs on nodes 0 and 1, job 2 on 2; job 3 waits for set 2: node 2. */
static void begin(struct fair_sched *s, void *memory, size_t bytes,
		  const struct fair_config *config)
{
	struct fair_decision start[8];
	struct fair_job job = job_of(1, 2, 6);
	size_t n;

	TEST_OK(fair_sched_init(s, sizeof(*s), memory, bytes, config));
	TEST_OK(fair_sched_set_node(s, 2, 2, true));
	TEST_OK(fair_sched_submit(s, 0, &job));
	job = job_of(2, 1, 5);
	TEST_OK(fair_sched_submit(s, 0, &job));
	job = job_of(3, 1, 8);
	job.named = 2;
	TEST_OK(fair_sched_submit(s, 0, &job));
	TEST_OK(fair_sched_step(s, 0, start, 8, &n));
	TEST_EQ(n, 2);
	TEST_EQ(fair_sched_check(s), 0);
}

static void submissions(struct fair_sched *s)
{
	static const int32_t gpus[] = { 0, 1, 0 }, licences[] = { 0, 0, 4 };
	static const uint8_t second[] = { 1 };
	struct fair_job job = job_of(4, -1, 2);

	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "no chunks");
	job = job_of(4, 2, 3);
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "half a processor");
	job = job_of(4, 2, 2);
	job.amount = gpus;
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "half a GPU");
	job = job_of(4, 2, 2);
	job.per_node = -1;
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "on no node");
	job = job_of(4, 2, 2);
	job.named = 3;
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "no such set");
	job.named = 0;
	job.excluded = 3;
	FAULT(fair_sched_submit(s, 1, &job), EINVAL, "no such set");
	job = job_of(4, 1, 9);
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "wider than a node");
	job = job_of(4, 3, 9);
	job.per_node = 1;
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "two nodes of a class");
	job = job_of(4, 1, 8);
	job.excluded = 2;
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "not the only one");
	job = job_of(4, 1, 1);
	job.named = 1;
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "an empty set");
	job = job_of(4, 1, 1);
	job.amount = licences;
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "more licences");
	job.amount = gpus;
	job.classes = second;
	job.class_count = 1;
	FAULT(fair_sched_submit(s, 1, &job), ERANGE, "no GPU in this class");
	/* 4 of 8 parts are in use: by 2 + 1 + 1 chunks. */
	job = job_of(4, 2, 2);
	job.tasks = 3;
	FAULT(fair_sched_submit(s, 1, &job), ENOSPC, "too many nodes in all");
}

static void coming_and_going(struct fair_sched *s)
{
	const uint64_t queued = 3, unknown = 9, one = 1, twice[] = { 1, 1 };

	FAULT(fair_sched_set_node(s, 0, 0, true), EINVAL, "no such set");
	FAULT(fair_sched_set_node(s, 3, 0, true), EINVAL, "no such set");
	FAULT(fair_sched_set_node(s, 1, 3, true), EINVAL, "no such node");
	FAULT(fair_sched_set_node(s, 2, 0, true), EINVAL, "job 3 asks for it");
	FAULT(fair_sched_node_down(s, -1, 0, &one, 1), ETIME,
	      "the clock goes back");
	FAULT(fair_sched_node_down(s, 1, 0, &unknown, 1), ENOENT,
	      "an unknown victim");
	FAULT(fair_sched_node_down(s, 1, 0, &queued, 1), EINVAL,
	      "a victim that waits");
	FAULT(fair_sched_node_down(s, 1, 0, twice, 2), EINVAL,
	      "a victim named twice");
	FAULT(fair_sched_node_down(s, 1, 3, &one, 1), EINVAL, "no such node");
	FAULT(fair_sched_node_down(s, 1, 0, NULL, 1), EINVAL, "no list");
	FAULT(fair_sched_node_up(s, -1, 0), ETIME, "the clock goes back");
	FAULT(fair_sched_node_up(s, 1, 0), EINVAL, "it is up");
	FAULT(fair_sched_node_up(s, 1, 3), EINVAL, "no such node");
	FAULT(fair_sched_node_up(s, 1, UINT32_MAX), EINVAL, "no such node");
	FAULT(fair_sched_class_capacity(s, 1, 0, 0, -1, &one, 1), EINVAL,
	      "nodes come and go whole");
}

static void advances(struct fair_sched *s)
{
	struct fair_advance b = { .number = 1, .from = 200, .to = 300 };
	struct fair_job job = job_of(9, 1, 1);

	FAULT(fair_sched_advance_reserve(s, 1, &b, true), EINVAL, "no nodes");
	b.nodes = -1;
	FAULT(fair_sched_advance_reserve(s, 1, &b, true), EINVAL, "below 0");
	b.nodes = 1;
	b.named = 1;
	FAULT(fair_sched_advance_reserve(s, 1, &b, true), EINVAL, "both");
	b.named = 0;
	b.node_class = 2;
	FAULT(fair_sched_advance_reserve(s, 1, &b, true), EINVAL, "no class");
	b.node_class = 1;
	b.nodes = 2;
	FAULT(fair_sched_advance_reserve(s, 1, &b, true), ERANGE,
	      "the class has one node");
	b.nodes = 0;
	b.named = 3;
	FAULT(fair_sched_advance_reserve(s, 1, &b, true), EINVAL, "no set");
	b.named = 1;
	FAULT(fair_sched_advance_reserve(s, 1, &b, true), EINVAL, "empty");
	FAULT(fair_sched_advance_cancel(s, 1, 1), ENOENT, "there is none");
	job.advance = 1;
	FAULT(fair_sched_submit(s, 1, &job), ENOENT, "there is none yet");
	TEST_CHECK(!fair_sched_advance_has_node(s, 1, 0));
}

static void faults(uint32_t policy)
{
	struct fair_config config = config_of(policy);
	size_t bytes = fair_sched_size(&config);
	struct fair_nodes_part part;
	const uint64_t one = 1;
	void *memory = room(bytes);
	struct fair_job size = job_of(1, 5, 4);
	struct fair_sched s;
	uint32_t at = 0;

	begin(&s, memory, bytes, &config);
	keep(&s, sizeof(s));
	keep(memory, bytes);
	submissions(&s);
	coming_and_going(&s);
	advances(&s);
	FAULT(fair_sched_modify(&s, 1, 3, 9, 100), ERANGE, "wider than a node");
	FAULT(fair_sched_resize(&s, 1, 1, &size), EINVAL,
	      "its chunks would not be equal");
	size.chunks = 0;
	size.procs = 0;
	FAULT(fair_sched_resize(&s, 1, 1, &size), EINVAL, "no processor");
	TEST_CHECK(!fair_sched_nodes(&s, 9, &at, &part));
	forget();
	TEST_OK(fair_sched_node_down(&s, 1, 0, &one, 1));
	FAILS(fair_sched_node_down(&s, 1, 0, NULL, 0), EINVAL, "it is down");
	TEST_OK(fair_sched_cancel(&s, 1, 3));
	TEST_OK(fair_sched_set_node(&s, 2, 2, false));
	TEST_OK(fair_sched_node_up(&s, 1, 0));
	TEST_EQ(fair_sched_check(&s), 0);
	leave();
}

/* All parts are promised: a job gets no second node. */
TEST(parts)
{
	struct fair_config config = config_of(FAIR_CONSERVATIVE);
	struct fair_node_config n = nodes;
	struct fair_job job = job_of(1, 1, 2);
	struct fair_decision start[2];
	struct fair_sched s;
	size_t bytes, i;
	void *memory;

	n.parts = 2;
	config.nodes = &n;
	bytes = fair_sched_size(&config);
	memory = room(bytes);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &config));
	TEST_OK(fair_sched_submit(&s, 0, &job));
	job.number = 2;
	TEST_OK(fair_sched_submit(&s, 0, &job));
	TEST_OK(fair_sched_step(&s, 0, start, 2, &i));
	TEST_EQ(i, 2);
	job.procs = 4;
	job.chunks = 2;
	FAILS(fair_sched_resize(&s, 0, 1, &job), ENOSPC, "no part is left");
	TEST_EQ(fair_sched_check(&s), 0);
	leave();
}

TEST(plan_afresh)
{
	faults(FAIR_FCFS);
}

TEST(promises)
{
	faults(FAIR_DC);
}

/* Of amounts nothing is said of nodes. */
TEST(without_nodes)
{
	struct fair_config config = config_of(FAIR_PC);
	struct fair_nodes_part part;
	struct fair_sched s;
	size_t bytes;
	void *memory;
	uint32_t at = 0;

	config.nodes = NULL;
	bytes = fair_sched_size(&config);
	memory = room(bytes);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &config));
	keep(&s, sizeof(s));
	keep(memory, bytes);
	FAULT(fair_sched_node_down(&s, 1, 0, NULL, 0), EINVAL, "no nodes");
	FAULT(fair_sched_node_up(&s, 1, 0), EINVAL, "no nodes");
	FAULT(fair_sched_set_node(&s, 1, 0, true), EINVAL, "no nodes");
	TEST_CHECK(!fair_sched_nodes(&s, 1, &at, &part));
	leave();
}
