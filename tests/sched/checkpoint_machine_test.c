/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A checkpoint of a machine of classes, or of nodes: it loads on the same machine
 * only, at the limits of what a machine can have, and not if its words contradict
 * one another.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/small.h"

/* A small scheduler of this machine; @nodes may be NULL. */
static void open_machine(struct small *x,
			 const struct fair_machine_config *machine,
			 const struct fair_node_config *nodes)
{
	uint32_t k;

	small_open(x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x->config.accounts = x->config.users = 0;
	x->config.machine = machine;
	x->config.nodes = nodes;
	for (x->config.procs = 0, k = 0; k < machine->classes; k++)
		x->config.procs += machine->amount[k * machine->resources];
	small_again(x);
}

/* The configuration differs in that. */
static void other(struct small *x, const char *field)
{
	char text[128];

	small_load(x, -FAIR_EINVAL, FAIR_CHECKPOINT_CONFIG);
	(void)fair_damage_text(FAIR_CHECKPOINT_CONFIG, &x->config,
			       x->checkpoint, x->bytes, text, sizeof(text));
	TEST_CHECK(strstr(text, ": another ") &&
		   !strcmp(strstr(text, ": another ") + 10, field));
}

/* Of several fields that differ the first is told. */
TEST(the_first_difference)
{
	static const int32_t amount[] = { 3, 1 }, count[] = { 3, 1 };
	static const struct fair_machine_config two = { 1, 2, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 16, false };
	static const struct fair_billing billing = {
		{ FAIR_PENALTY_ONE }, false
	};
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_save(&x);
	x.config.machine = &two;
	x.config.nodes = &nodes;
	x.config.billing = &billing;
	other(&x, "machine");
	x.config.policy = FAIR_FCFS;
	other(&x, "policy");
	open_machine(&x, &two, NULL);
	small_save(&x);
	x.config.nodes = &nodes;
	x.config.billing = &billing;
	other(&x, "nodes");
	x.config.nodes = NULL;
	other(&x, "billing");
}

/* Of 25 processors, and of as many with 25 of another resource: 25 is what the
 * section of the amounts is called, too. */
TEST(another_machine)
{
	static const int32_t amount[] = { FAIR_SECTION_AMOUNTS,
					  FAIR_SECTION_AMOUNTS };
	static const struct fair_machine_config one = { 1, 1, 0, amount };
	static const struct fair_machine_config two = { 2, 1, 0, amount };
	static struct small x;

	open_machine(&x, &one, NULL);
	small_save(&x);
	small_load(&x, 0, 0);
	x.config.machine = &two;
	other(&x, "machine");
}

/* The widest job there can be is saved with what it asks for. */
TEST(the_widest_job)
{
	static const int32_t amount[] = { INT32_MAX };
	static const struct fair_machine_config one = { 1, 1, 0, amount };
	static struct small x;
	int running;

	for (running = 0; running < 2; running++) {
		open_machine(&x, &one, NULL);
		small_submit(&x, 0, 1, INT32_MAX);
		if (running)
			small_step(&x, 0);
		small_save(&x);
		small_load(&x, 0, 0);
	}
}

/* The job is saved, loaded and saved as it was, and may not ask for more classes
 * than there are. */
static void loads_as_saved(const struct fair_machine_config *machine,
			   const struct fair_job *job)
{
	static unsigned char file[1 << 13], again[1 << 13];
	struct fair_config c = { .policy = FAIR_FCFS, .jobs = 4,
				 .procs = 9 * (int32_t)machine->classes,
				 .machine = machine };
	size_t bytes = fair_sched_size(&c), saved;
	struct fair_job_status status;
	void *memory = malloc(bytes);
	struct fair_sched s;
	uint64_t width;
	int damage;

	TEST_REQUIRE(memory);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &c));
	TEST_OK(fair_sched_submit(&s, 0, job));
	saved = fair_sched_checkpoint_size(&s);
	TEST_OK(fair_sched_save(&s, file, sizeof(file)));
	TEST_OK(fair_sched_load(&s, sizeof(s), memory, bytes, &c, file, saved,
				NULL));
	TEST_OK(fair_sched_save(&s, again, sizeof(again)));
	TEST_CHECK(!memcmp(again, file, saved));
	TEST_OK(fair_sched_lookup(&s, job->number, &status));
	TEST_EQ(status.job.class_count, job->class_count);
	TEST_CHECK(!memcmp(status.job.classes, job->classes,
			   job->class_count));
	TEST_CHECK(!memcmp(status.job.amount + 1, job->amount + 1,
			   (machine->resources - 1) * sizeof(int32_t)));
	fair_put_word(section(file, FAIR_SECTION_REQUESTS, &width),
		      machine->classes + 1);
	good_again(file, saved);
	TEST_EQ(fair_sched_load(&s, sizeof(s), memory, bytes, &c, file, saved,
				&damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
	free(memory);
}

/* As many classes as words have, and as many of these and of resources as there
 * can be. */
TEST(the_largest_machines)
{
	static int32_t amount[FAIR_MACHINE_CLASSES];
	static uint8_t list[FAIR_MACHINE_CLASSES];
	static const int32_t asks[FAIR_MACHINE_RESOURCES] = { 0, 2, 3, 4,
							      5, 6, 7, 8 };
	struct fair_machine_config machine = { 1, 0, 0, amount };
	struct fair_job job = { .number = 1, .walltime = 10, .procs = 1 };
	uint32_t i;

	for (i = 0; i < FAIR_MACHINE_CLASSES; i++) {
		amount[i] = 9;
		list[i] = (uint8_t)(i ^ 7);
	}
	job.amount = asks;
	job.classes = list;
	for (i = 8; i <= FAIR_MACHINE_CLASSES; i *= 2) {
		machine.classes = job.class_count = i;
		loads_as_saved(&machine, &job);
	}
	list[0] = 0;
	machine.classes = job.class_count = 1;
	machine.resources = FAIR_MACHINE_RESOURCES;
	loads_as_saved(&machine, &job);
}

/* What a class has, and had, is what it was configured with, or more: not less at
 * the most, not other processors than there are. */
TEST(amounts)
{
	enum { PRESENT = 1, MOST = 2, RECORD = 3 };
	static const int32_t amount[] = { 4, 2 };
	static const struct fair_machine_config two = { 1, 2, 0, amount };
	static struct small x;

	open_machine(&x, &two, NULL);
	TEST_OK(fair_sched_class_capacity(&x.s, 0, 0, 0, -2, NULL, 0));
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_AMOUNTS, MOST, 3);
	small_breaks(&x, FAIR_SECTION_AMOUNTS, PRESENT, 1);
	small_breaks(&x, FAIR_SECTION_AMOUNTS, RECORD + PRESENT, 3);
}

/* One request for each job. */
TEST(one_request_more)
{
	static const int32_t amount[] = { 4, 2 };
	static const struct fair_machine_config two = { 1, 2, 0, amount };
	unsigned char was[2 * 8 * 4];
	static struct small x;
	uint64_t width, n;

	open_machine(&x, &two, NULL);
	small_submit(&x, 0, 1, 1);
	small_submit(&x, 0, 2, 2);
	for (n = 1; n <= 3; n++) {
		small_save(&x);
		memcpy(was, section(x.checkpoint, FAIR_SECTION_REQUESTS, &width),
		       sizeof(was));
		TEST_EQ(2 * 8 * width, sizeof(was));
		small_instead(&x, FAIR_SECTION_REQUESTS, n, width);
		memcpy(small_word(&x, FAIR_SECTION_REQUESTS, 0), was,
		       sizeof(was) / 2 * (size_t)(n < 2 ? n : 2));
		if (n == 2)
			small_load(&x, 0, 0);
		else
			small_broken(&x);
	}
}

/* Nodes 0 to 2 are of one class, and 3 of another; 2 is down. */
static void open_nodes(struct small *x)
{
	static const int32_t amount[] = { 12, 4 }, count[] = { 3, 1 };
	static const struct fair_machine_config two = { 1, 2, 0, amount };
	static const struct fair_node_config nodes = { count, 0, 16, false };

	open_machine(x, &two, &nodes);
	TEST_OK(fair_sched_node_down(&x->s, 0, 2, NULL, 0));
	small_save(x);
	small_load(x, 0, 0);
}

/* What the classes lack is what is down. */
TEST(amounts_of_nodes)
{
	enum { PROCS = 1, PRESENT = 1, MOST = 2, RECORD = 3 };
	static struct small x;

	open_nodes(&x);
	TEST_EQ(from_checkpoint(&x, FAIR_SECTION_AMOUNTS, PRESENT), 8);
	TEST_EQ(from_checkpoint(&x, FAIR_SECTION_STATE, PROCS), 12);
	small_put(&x, FAIR_SECTION_AMOUNTS, PRESENT, 9);
	small_put(&x, FAIR_SECTION_STATE, PROCS, 13);
	small_broken(&x);
	small_put(&x, FAIR_SECTION_AMOUNTS, PRESENT, 8);
	small_put(&x, FAIR_SECTION_AMOUNTS, RECORD + PRESENT, 3);
	small_put(&x, FAIR_SECTION_STATE, PROCS, 11);
	small_broken(&x);
	small_put(&x, FAIR_SECTION_AMOUNTS, RECORD + PRESENT, 4);
	small_put(&x, FAIR_SECTION_STATE, PROCS, 12);
	small_breaks(&x, FAIR_SECTION_AMOUNTS, MOST, 13);
}

/* Of two nodes that are down the first is 2: the other one is not it again, nor
 * behind the last. */
TEST(nodes_that_are_down)
{
	static const uint64_t other_node[] = { 2, 4, 5, UINT32_MAX };
	static struct small x;
	size_t i;

	for (i = 0; i < sizeof(other_node) / sizeof(*other_node); i++) {
		open_nodes(&x);
		small_instead(&x, FAIR_SECTION_NODES_DOWN, 2, 1);
		small_put(&x, FAIR_SECTION_NODES_DOWN, 0, 2);
		small_put(&x, FAIR_SECTION_NODES_DOWN, 1, other_node[i]);
		small_broken(&x);
	}
}
