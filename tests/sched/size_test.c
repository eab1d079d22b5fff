/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The size functions give the exact number of bytes: that many are enough at
 * any address, one less is refused, and a size that cannot be counted is 0.
 */
#include <limits.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

/* @bytes are enough at any address, one less is not. */
TEST(sizes_are_exact)
{
	struct fair_config c = { 0 };
	struct fair_sched s, was;
	char *memory;
	size_t shift;

	memset(&s, 0x5a, sizeof(s));
	was = s;
	c.procs = 5;
	for (c.policy = FAIR_FCFS; c.policy <= FAIR_DC; c.policy++) {
		for (c.jobs = 1; c.jobs < 40; c.jobs += 7) {
			size_t bytes = fair_sched_size(&c);

			shift = c.jobs % 9;
			memory = (char *)malloc(bytes + shift);
			TEST_REQUIRE(memory);
			TEST_EQ(fair_sched_init(&s, sizeof(s), memory + shift,
						bytes - 1, &c),
				-FAIR_ENOMEM);
			TEST_CHECK(!memcmp(&s, &was, sizeof(s)));
			TEST_OK(fair_sched_init(&s, sizeof(s), memory + shift,
						bytes, &c));
			TEST_EQ(fair_sched_check(&s), 0);
			s = was;
			free(memory);
		}
	}
}

/* The table, by number too, and the queue of those that run: its blocks are those
 * of the queue of the planner. */
static size_t table(uint32_t jobs)
{
	size_t places = 16;

	while (places < jobs + jobs / 2)
		places *= 2;
	return 8 + jobs * (sizeof(struct fair_live) + sizeof(uint32_t)) +
	       jobs / 2 * sizeof(struct fair_ineligible) +
	       places * sizeof(uint32_t) + fair_queue_share_size(jobs);
}

/* The state of a planner or of a ledger, with what aligns it. */
static size_t state(size_t bytes)
{
	return bytes + 8;
}

/* The table and a plan that is made afresh, in groups of so many users. */
static size_t plan(uint32_t depth, bool sorts, uint32_t jobs, uint32_t users)
{
	return table(jobs) + state(sizeof(struct fair_backfill) +
				   fair_backfill_size(depth, sorts, jobs) +
				   users * sizeof(struct fair_group));
}

TEST(sizes_are_those_of_the_parts)
{
	struct fair_relshare_config relshare = { 0 };
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config c = { 0 };

	relshare.users = c.users = c.accounts = 3;
	relshare.procs = c.procs = 1;
	relshare.window = c.window = 1;
	c.maui = &maui;
	for (c.jobs = 1; c.jobs < 40; c.jobs++) {
		c.policy = FAIR_FCFS;
		TEST_EQ(fair_sched_size(&c), plan(0, false, c.jobs, 0));
		c.policy = FAIR_CONSERVATIVE;
		TEST_EQ(fair_sched_size(&c),
			table(c.jobs) +
				state(sizeof(struct fair_conservative) +
				      fair_conservative_size(FAIR_COMPRESS,
							     c.jobs, 2)));
		c.policy = FAIR_MAUI;
		TEST_EQ(fair_sched_size(&c),
			plan(c.jobs == 1 ? 2 : c.jobs, true, c.jobs, 0) +
				state(sizeof(struct fair_maui) +
				      fair_maui_size(&maui, c.jobs)));
	}
	relshare.jobs = c.jobs = 5;
	c.policy = FAIR_SFS;
	TEST_EQ(fair_sched_size(&c),
		plan(1, false, 5, 0) +
			state(sizeof(struct fair_sfs) + fair_sfs_size(3)));
	c.policy = FAIR_RELSHARE;
	TEST_EQ(fair_sched_size(&c),
		plan(1, true, 5, 3) + state(sizeof(struct fair_relshare) +
					    fair_relshare_size(&relshare)));
	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	TEST_EQ(fair_sched_size(&c),
		plan(1, true, 5, 3) + state(sizeof(struct fair_charge) +
					    fair_usage_size(3, 0, 1)));
	c.order = FAIR_ORDER_FCFS;
	c.select = FAIR_BESTFIT;
	TEST_EQ(fair_sched_size(&c), plan(2, true, 5, 0));
	c.select = 0;
	c.advances = 2;
	TEST_EQ(fair_sched_size(&c),
		plan(1, false, 5, 0) + fair_backfill_advances_size(1, 5, 2) +
			2 * sizeof(struct fair_advance) +
			3 * sizeof(struct fair_ineligible) +
			5 * (2 * sizeof(uint64_t) + sizeof(uint32_t)));
}

/* What a configuration has room for takes as many bytes. */
TEST(each_table_takes_its_bytes)
{
	struct fair_config c = { .procs = 5, .jobs = 10 };
	size_t bytes = fair_sched_size(&c);

	c.credits = 7;
	bytes += 7 * sizeof(struct fair_credit);
	TEST_EQ(fair_sched_size(&c), bytes);
	c.task_limits = 3;
	bytes += 3 * sizeof(struct fair_task_limit);
	TEST_EQ(fair_sched_size(&c), bytes);
	c.dependencies = 2;
	bytes += 20 * sizeof(struct fair_dependency);
	TEST_EQ(fair_sched_size(&c), bytes);
	c.ineligible = 4;
	bytes += 4 * sizeof(struct fair_ineligible) +
		 10 * (sizeof(int64_t) + sizeof(uint64_t));
	TEST_EQ(fair_sched_size(&c), bytes);
}

/*
 * One resource in one class is planned as the pool: a job asks for an amount, a
 * class that may serve it, how many these are, and has a class.
 */
TEST(one_class_takes_8_bytes_a_job)
{
	static const int32_t procs[] = { 64 };
	static const struct fair_machine_config machine = { 1, 1, 0, procs };
	struct fair_config c = { .procs = 64, .depth = 1, .jobs = 100000 };
	size_t pool;

	for (c.policy = FAIR_FCFS; c.policy <= FAIR_DC; c.policy++) {
		c.machine = NULL;
		pool = fair_sched_size(&c);
		c.machine = &machine;
		TEST_CHECK(fair_sched_size(&c) - pool <= 8 * c.jobs);
	}
}

/* Too many to be numbered, or only too many for so little memory. */
/* What classes have follows three arrays, and ends with their memory. */
TEST(classes_are_laid_out)
{
	static const int32_t amount[] = { 8, 1, 120, 2 };
	static const struct fair_machine_config machine = { 2, 2, 0, amount };
	struct fair_config c = { .procs = 128, .jobs = 30 };
	const struct fair_classes *x;
	struct fair_sched s;
	void *memory;

	c.machine = &machine;
	memory = malloc(fair_sched_size(&c));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c),
				&c));
	x = s.classes;
	TEST_CHECK((const char *)(x->most + 4) + fair_classes_memory(&c) ==
		   (const char *)x + fair_classes_size(&c));
	free(memory);
}

/* 128 nodes, two words of bits: each part begins where the one before it ends,
 * and the caller's configuration may go. */
TEST(nodes_are_laid_out)
{
	static const int32_t amount[] = { 8, 248 };
	static const struct fair_machine_config machine = { 1, 2, 0, amount };
	int32_t count[] = { 4, 124 };
	struct fair_node_config nodes = { count, 1, 8, false };
	struct fair_config c = { .procs = 256, .jobs = 300 };
	const struct fair_node_space *x;
	struct fair_node_amounts amounts;
	struct fair_sched s;
	void *memory;

	c.machine = &machine;
	c.nodes = &nodes;
	for (c.advances = 0; c.advances <= 2; c.advances += 2) {
		count[0] = 4;
		count[1] = 124;
		memory = malloc(fair_sched_size(&c));
		TEST_OK(fair_sched_init(&s, sizeof(s), memory,
					fair_sched_size(&c), &c));
		fair_node_amounts_set(&amounts, &c);
		TEST_EQ(fair_node_space_memory(&s.config),
			fair_nodes_size(&amounts.config, 300,
					c.advances ? 8 + 2 * 3 * 128 : 8));
		x = s.nodes;
		TEST_CHECK((const char *)x->withheld ==
			   (const char *)(x + 1) + sizeof(count));
		TEST_CHECK(!c.advances ||
			   (x->uses == (const uint32_t *)(x->withheld + 6) &&
			    x->inside_memory == x->uses + 128));
		count[0] = count[1] = 9;
		TEST_CHECK(s.config.nodes->count[0] == 4 &&
			   s.config.nodes->count[1] == 124);
		free(memory);
	}
}

TEST(most_jobs)
{
	struct fair_sched s;
	char memory[1];
	struct fair_config c = { .procs = 1, .jobs = UINT32_MAX / 4 };

	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, 1, &c), -FAIR_ENOMEM);
	c.jobs++;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, 1, &c), -FAIR_EINVAL);
}

/* Where a size is of 32 bits: bytes, and those of jobs alone. */
static void most_bytes(void)
{
	const uint32_t job = sizeof(struct fair_live) +
			     sizeof(struct fair_ineligible);
	const size_t most = SIZE_MAX / 4;
	struct fair_config c = { .procs = 1,
				 .jobs = (uint32_t)(SIZE_MAX / 8) / job };

	TEST_CHECK(fair_sched_size(&c) > 0);
	c.jobs++;
	TEST_EQ(fair_sched_size(&c), 0);
	c.policy = FAIR_SFS;
	c.accounts = 1;
	for (c.jobs = 1; (most - fair_sched_size(&c)) %
			 sizeof(struct fair_sfs_state); c.jobs++)
		TEST_REQUIRE(c.jobs < 100);
	c.accounts += (uint32_t)((most - fair_sched_size(&c)) /
				 sizeof(struct fair_sfs_state));
	TEST_EQ(fair_sched_size(&c), most);
	c.accounts++;
	TEST_EQ(fair_sched_size(&c), 0);
	for (; c.accounts < UINT32_MAX - (1U << 24); c.accounts += 1U << 24)
		TEST_EQ(fair_sched_size(&c), 0);
}

TEST(parts_that_are_too_large)
{
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config good = { 0 }, c;

	good.procs = 3;
	good.jobs = 5;
	good.users = 1;
	good.policy = FAIR_RELSHARE;
	good.window = FAIR_RELSHARE_LIMIT / 3;
	TEST_CHECK(fair_sched_size(&good) > 0);
	c = good;
	c.window++;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.policy = FAIR_MAUI;
	c.maui = &maui;
	TEST_CHECK(fair_sched_size(&c) > 0);
	maui.interval = 0;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c.users = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	/*
	 * A profile has up to 2^31 - 1 steps: one advance reservation is too
	 * much.
	 */
	c = good;
	c.policy = FAIR_BACKFILL;
	c.depth = UINT32_MAX / 4 - c.jobs;
	TEST_EQ(fair_sched_size(&c) > 0, SIZE_MAX > UINT32_MAX);
	c.advances = 1;
	TEST_EQ(fair_sched_size(&c), 0);
	c.depth = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	/* Nor has one the room for two steps of each of so many jobs. */
	c = good;
	c.jobs = UINT32_MAX / 4;
	for (c.policy = FAIR_CONSERVATIVE; c.policy <= FAIR_DC; c.policy++)
		TEST_EQ(fair_sched_size(&c), 0);
	if (SIZE_MAX == UINT32_MAX)
		most_bytes();
}

/* A clone's hash is as large as it has to be, until more come. */
TEST(growing_clones)
{
	static char memory[1 << 20];
	struct fair_sched s, clone;
	char *copy = memory + sizeof(memory) / 2;
	struct fair_job j;
	uint32_t bits;
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .procs = 3,
				      .jobs = 1000 };

	TEST_REQUIRE(fair_sched_size(&config) <= sizeof(memory) / 2);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, sizeof(memory) / 2,
				&config));
	TEST_EQ(fair_sched_clone(&clone, copy, sizeof(memory) / 2, &s), 0);
	bits = 64 - clone.hash_shift;
	TEST_CHECK(bits < 64 - s.hash_shift);
	for (j = a_job(1, 0, 9, 1); j.number <= 1000; j.number++)
		TEST_EQ(fair_sched_submit(&clone, 0, &j), 0);
	TEST_EQ(clone.hash_shift, s.hash_shift);
	TEST_EQ(fair_sched_check(&clone), 0);
}

/* As many as half of what a size_t counts has room for, or as 32 bits count. */
TEST(most_samples)
{
	struct site x;
	size_t size, most;

	open_site(&x, FAIR_FCFS, 10);
	size = fair_sched_fst_size(&x.config);
	most = (SIZE_MAX / 2 - size) / sizeof(int64_t);
	if (most < UINT32_MAX)
		TEST_OK(fair_sched_forecast_size(&x.config,
						 (uint32_t)most + 1));
	else
		most = UINT32_MAX;
	TEST_EQ(fair_sched_forecast_size(&x.config, (uint32_t)most),
		size + 8 + most * sizeof(int64_t));
	close_site(&x);
}

/* A plan has room for the advance reservations that there can be; with classes
 * it has a profile in any case. */
TEST(advance_reservations_of_a_plan)
{
	static const int32_t amount[] = { 3, 4 };
	const struct fair_machine_config machine = { 1, 2, 0, amount };
	struct fair_config c = { .procs = 7, .jobs = 5 };
	uint32_t classes;

	for (classes = 0; classes < 2; classes++) {
		c.machine = classes ? &machine : NULL;
		for (c.advances = 1; c.advances < 4; c.advances++)
			TEST_EQ(fair_afresh_advances(&c), c.advances);
		c.advances = 0;
		TEST_EQ(fair_afresh_advances(&c), classes);
	}
}

/* Two numbers for each user are between the planner and its memory. */
TEST(numbers_of_groups)
{
	const struct fair_config c = { .policy = FAIR_PC,
				       .order = FAIR_ORDER_USAGE,
				       .procs = 3,
				       .jobs = 3,
				       .users = 3 };
	struct fair_promising_order o;
	size_t bytes = fair_sched_size(&c);
	char *memory = (char *)malloc(bytes);
	struct fair_conservative *plan;
	struct fair_sched s;

	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &c));
	plan = fair_promising_of(&s);
	o = fair_promising_order_of(&s);
	TEST_EQ((char *)o.group - (char *)(plan + 1), 0);
	TEST_EQ((char *)fair_promising_plan_memory(plan, &c) -
			(char *)(o.place + c.users),
		0);
	TEST_EQ((char *)fair_promising_plan_memory(plan, &c) +
			fair_promising_memory(&c) - (char *)plan,
		(int64_t)s.planner->size(&c));
	free(memory);
}

/* Nor is what functions before it left on the stack to a scheduler. */
TEST(set_up_on_any_stack)
{
	static const uint32_t policy[] = { FAIR_RELSHARE, FAIR_MAUI };
	void (*volatile leave)(void) = write_on_the_stack;
	struct fair_walk *walk;
	struct site x;
	size_t i;

	for (i = 0; i < 2; i++) {
		open_site(&x, policy[i], 10);
		x.config.advances = 0;
		leave();
		TEST_CHECK(fair_sched_size(&x.config) > 0);
		leave();
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
					&x.config));
		walk = &afresh_of(&x.s)->walk;
		TEST_CHECK(!walk->gate && !walk->veto);
		TEST_EQ(!walk->before, policy[i] == FAIR_RELSHARE);
		TEST_EQ(!walk->prepare, policy[i] == FAIR_RELSHARE);
		TEST_EQ(!walk->group, policy[i] == FAIR_MAUI);
		TEST_EQ(!walk->compare, policy[i] == FAIR_MAUI);
		TEST_EQ(!walk->group_count, policy[i] == FAIR_MAUI);
		close_site(&x);
	}
}
