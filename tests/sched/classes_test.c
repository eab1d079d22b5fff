/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Several resources and node classes in the scheduler: random machines and
 * events against the naive model, one resource in one class against the pool,
 * and a class that comes and goes.
 */
#include "fuzz/classes_pair.h"
#include "fuzz/checkpoint_drive.h"
#include "tests/world.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

/* Random machines and events: see classes_pair.h. */
static void against_the_model(uint32_t kind)
{
	static uint8_t data[400];
	uint64_t seed = kind, digest;
	int runs = SOME(TEST_ROUNDS(2000), 20);
	size_t i, size;

	for (; runs > 0; runs--) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		size = (size_t)test_range(&seed, 20, sizeof(data));
		digest = classes_pair_run(data, size, kind, runs % 4, false,
					  false);
		/* Some twice: it is the same again. */
		TEST_CHECK(runs % 8 ||
			   digest == classes_pair_run(data, size, kind,
						      runs % 4, false, false));
	}
}

TEST(fcfs_against_the_model)
{
	against_the_model(FAIR_FCFS);
}

TEST(backfill_against_the_model)
{
	against_the_model(FAIR_BACKFILL);
}

TEST(conservative_against_the_model)
{
	against_the_model(FAIR_CONSERVATIVE);
}

TEST(pc_against_the_model)
{
	against_the_model(FAIR_PC);
}

TEST(dc_against_the_model)
{
	against_the_model(FAIR_DC);
}

TEST(sfs_against_the_model)
{
	against_the_model(FAIR_SFS);
}

TEST(relshare_against_the_model)
{
	against_the_model(FAIR_RELSHARE);
}

TEST(maui_against_the_model)
{
	against_the_model(FAIR_MAUI);
}

TEST(usage_against_the_model)
{
	against_the_model(CLASSES_PAIR_USAGE);
}

TEST(dominant_against_the_model)
{
	against_the_model(CLASSES_PAIR_DOMINANT);
}

TEST(selections_against_the_model)
{
	against_the_model(CLASSES_PAIR_SELECT);
}

/* The same events for a pool and for its one class: each answer is the same. */

static uint64_t as_the_pool(const uint8_t *byte, size_t n)
{
	struct fair_machine_config machine = { 1, 1, 0, NULL };
	struct drive d;
	uint64_t digest;
	int32_t procs;

	drive_new(&d, byte, n);
	procs = d.config.procs;
	machine.amount = &procs;
	drive_use_machine(&d, &machine);
	d.sched[1] = d.sched[0];
	d.schedulers = 2;
	d.config.machine = NULL; /* jobs ask for processors alone */
	FUZZ_ASSERT(!fair_sched_init(&d.sched[0], sizeof(d.sched[0]),
				     d.memory[1], d.bytes, &d.config));
	while (fuzz_more(&d.in)) {
		drive_event(&d);
		FUZZ_ASSERT(!fair_sched_check(&d.sched[1]));
	}
	digest = fair_sched_digest(&d.sched[0]);
	TEST_EQ(fair_sched_digest(&d.sched[1]), digest);
	drive_free(&d);
	return digest;
}

static void draw_bytes(uint8_t *byte, size_t n, uint32_t policy, uint64_t *seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		byte[i] = (uint8_t)test_random(seed);
	byte[0] = (uint8_t)policy;
}

TEST(one_class_is_the_pool)
{
	static uint8_t byte[900];
	uint32_t policy, run;
	uint64_t seed = 5;

	for (policy = FAIR_FCFS; policy <= FAIR_MAUI; policy++)
		for (run = 0; run < SOME(TEST_ROUNDS(400), 5); run++) {
			draw_bytes(byte, sizeof(byte), policy, &seed);
			TEST_CHECK(as_the_pool(byte, sizeof(byte)));
		}
}

/* On a larger machine each policy goes on from a checkpoint with one digest. */
TEST(every_policy_goes_on)
{
	static const int32_t amount[] = { 6, 0, 3, 4, 2, 0, 9, 1, 0 };
	static const struct fair_machine_config machine = { 3, 3, 4, amount };
	static uint8_t byte[900];
	uint32_t policy, run;
	uint64_t seed = 7;
	struct drive d;

	for (policy = FAIR_FCFS; policy <= FAIR_MAUI; policy++)
		for (run = 0; run < SOME(TEST_ROUNDS(400), 5); run++) {
			draw_bytes(byte, sizeof(byte), policy, &seed);
			drive_new(&d, byte, sizeof(byte));
			drive_use_machine(&d, &machine);
			while (fuzz_more(&d.in)) {
				drive_event(&d);
				TEST_EQ(fair_sched_check(&d.sched[0]), 0);
				if (d.in.n % 64 == 7)
					drive_load(&d);
			}
			drive_free(&d);
		}
}

/* Processors and GPUs; class 0 has no GPU. Licences belong to no class. */
static const int32_t amounts[] = { 4, 0, 2, 4, 1, 0 };
static const struct fair_machine_config small_machine = { 3, 2, 4, amounts };

static void open_classes(struct world *w, uint32_t policy)
{
	struct fair_config c = { .policy = policy,
				 .procs = 8,
				 .depth = 1,
				 .machine = &small_machine };

	open_world_of(w, &c);
}

/* @classes: letters in order of preference. */
static void ask(struct world *w, int64_t now, uint64_t number, int64_t walltime,
		int32_t procs, int32_t gpus, const char *classes)
{
	const int32_t amount[] = { 0, gpus, 0 };
	struct fair_job j = a_job(number, now, walltime, procs);
	uint8_t order[2] = { 0, 0 };

	for (; classes[j.class_count]; j.class_count++)
		order[j.class_count] = (uint8_t)(classes[j.class_count] - 'a');
	j.amount = amount;
	j.classes = order;
	TEST_EQ(fair_sched_submit(&w->s, now, &j), 0);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* All of class b is lost under its running jobs, and comes back. */
TEST(a_class_comes_and_goes)
{
	static const uint64_t victim[] = { 2, 3 };
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_classes(&w, policy);
		ask(&w, 0, 1, 100, 4, 0, "a");
		ask(&w, 0, 2, 50, 2, 1, "");
		ask(&w, 0, 3, 60, 2, 0, "ba");
		TEST_EQ(step(&w, 0), 123);
		ask(&w, 5, 4, 20, 3, 0, "ba"); /* b, at 60 */
		ask(&w, 5, 5, 20, 1, 1, "b"); /* at 50 */
		TEST_EQ(fair_sched_class_capacity(&w.s, 10, 1, 0, -4, victim,
						  1),
			-FAIR_ERANGE);
		TEST_EQ(fair_sched_class_capacity(&w.s, 10, 1, 0, -4, victim,
						  2),
			0);
		TEST_EQ(fair_sched_class_capacity(&w.s, 10, 1, 1, -1, NULL, 0),
			0);
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(step(&w, 10), 0);
		TEST_EQ(look(&w, 1).state, FAIR_RUNNING);
		if (policy >= FAIR_CONSERVATIVE) {
			TEST_EQ(look(&w, 4).start, 100);
			TEST_EQ(look(&w, 4).node_class, 0);
			TEST_EQ(look(&w, 4).cause, FAIR_CAUSE_CAPACITY);
			TEST_EQ(look(&w, 5).start, FAIR_FOREVER);
			TEST_EQ(look(&w, 5).node_class, 0);
		}
		/* Another one for b waits for it; what was lost is known. */
		ask(&w, 11, 6, 5, 4, 1, "b");
		TEST_EQ(fair_sched_class_capacity(&w.s, 20, 1, 0, 4, NULL, 0),
			0);
		TEST_EQ(fair_sched_class_capacity(&w.s, 20, 1, 1, 1, NULL, 0),
			0);
		TEST_EQ(step(&w, 20), 45);
		TEST_EQ(look(&w, 4).node_class, 1);
		TEST_EQ(look(&w, 5).node_class, 1);
		TEST_EQ(fair_sched_finish(&w.s, 40, 4), 0);
		TEST_EQ(fair_sched_finish(&w.s, 40, 5), 0);
		TEST_EQ(step(&w, 40), 6);
		close_world(&w);
	}
}

/* A loss of licences moves only what uses them. */
TEST(a_wide_resource_is_lost)
{
	static const int32_t amount[] = { 0, 0, 2 };
	struct fair_job j = a_job(3, 0, 30, 1);
	struct world w;

	open_classes(&w, FAIR_CONSERVATIVE);
	ask(&w, 0, 1, 50, 4, 0, "a");
	ask(&w, 0, 2, 50, 4, 0, "b");
	j.amount = amount;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	ask(&w, 0, 4, 30, 1, 0, "");
	TEST_EQ(step(&w, 0), 12);
	TEST_EQ(look(&w, 3).start, 50);
	/* Of any class; there is none of them in class b. */
	TEST_EQ(fair_sched_class_capacity(&w.s, 5, 1, 2, -1, NULL, 0), 0);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_CAPACITY);
	TEST_EQ(look(&w, 4).start, 50);
	TEST_EQ(look(&w, 4).moves, 0);
	TEST_EQ(fair_sched_class_capacity(&w.s, 6, 0, 2, 1, NULL, 0), 0);
	TEST_EQ(look(&w, 3).start, 50);
	close_world(&w);
}

/* The digest covers the class: the same starts elsewhere have another one. */
TEST(the_digest_covers_the_class)
{
	static const uint64_t word[] = { 0, 1, FAIR_PROMISE, 1,
					 0, 1, FAIR_START,   1 };
	struct world w;
	uint64_t digest;

	open_classes(&w, FAIR_CONSERVATIVE);
	ask(&w, 0, 1, 50, 4, 0, "b");
	TEST_EQ(step(&w, 0), 1);
	digest = fair_sched_digest(&w.s);
	TEST_CHECK(digest == fnv(word, 8));
	close_world(&w);
	open_classes(&w, FAIR_CONSERVATIVE);
	ask(&w, 0, 1, 50, 4, 0, "");
	TEST_EQ(step(&w, 0), 1);
	TEST_CHECK(fair_sched_digest(&w.s) != digest);
	close_world(&w);
}

static uint8_t full_class; /* of the caller's own nodes, until 40 */

static int64_t has_nodes(void *context, const struct fair_job *job,
			 int64_t start, int64_t end)
{
	(void)context;
	(void)end;
	TEST_EQ(job->class_count, 1);
	return job->classes[0] == full_class && start < 40 ? 40 : start;
}

/* Before a start the caller learns its class, under every policy. */
TEST(a_class_that_the_caller_refuses)
{
	struct fair_config c = { .depth = 1,
				 .machine = &small_machine,
				 .fits = has_nodes,
				 .procs = 8 };
	struct world w;

	for (full_class = 0; full_class < 2; full_class++)
		for (c.policy = FAIR_FCFS; c.policy <= FAIR_DC; c.policy++) {
			open_world_of(&w, &c);
			ask(&w, 0, 1, 50, 2, 0, full_class ? "b" : "a");
			ask(&w, 0, 2, 50, 2, 0, full_class ? "a" : "b");
			TEST_EQ(step(&w, 0), c.policy == FAIR_FCFS ? 0 : 2);
			TEST_EQ(look(&w, 1).not_before, 40);
			TEST_EQ(step(&w, 40), c.policy == FAIR_FCFS ? 12 : 1);
			TEST_EQ(look(&w, 1).node_class, full_class);
			close_world(&w);
		}
}
