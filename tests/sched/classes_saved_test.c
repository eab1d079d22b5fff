/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Checkpoints of several resources and node classes: with any word of one
 * changed, and its checksum right, it is refused or loads as a scheduler without
 * a broken invariant. Conversions between machines.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/checkpoint_drive.h"
#include "tests/world.h"

static const int32_t amount[] = { 6, 0, 3, 4, 2, 0, 9, 1, 0 };
static const struct fair_machine_config machine = { 3, 3, 4, amount };

/* A scheduler in the middle of random events. */
static void open_drive(struct drive *d, uint32_t policy, uint64_t *seed)
{
	static uint8_t byte[900];
	size_t i;

	for (i = 0; i < sizeof(byte); i++)
		byte[i] = (uint8_t)test_random(seed);
	byte[0] = (uint8_t)policy;
	drive_new(d, byte, sizeof(byte));
	drive_use_machine(d, &machine);
	while (fuzz_more(&d->in))
		drive_event(d);
}

/* Whether the checkpoint loads; then all invariants hold. */
static bool loads(struct drive *d, unsigned char *checkpoint, size_t bytes)
{
	fair_put_word(checkpoint + bytes - 8,
			    fair_fnv(checkpoint, bytes - 8));
	if (drive_read_checkpoint(d, checkpoint, bytes, NULL))
		return false;
	TEST_EQ(fair_sched_check(&d->sched[1]), 0);
	return true;
}

TEST(every_word)
{
	static const uint64_t other[] = { 0, 1, 2, 7, 64, 65,
					  UINT64_C(1) << 31, INT64_MAX,
					  UINT64_C(1) << 63, UINT64_MAX };
	const size_t others = sizeof(other) / sizeof(*other);
	const size_t stride = TEST_ROUNDS(8) > 1 ? 1 : 4;
	long refused = 0, loaded = 0;
	unsigned char *checkpoint;
	uint32_t policy, run;
	size_t bytes, at, k;
	uint64_t seed = 3, was;
	struct drive d;

	for (policy = FAIR_FCFS; policy <= FAIR_MAUI; policy++)
		for (run = 0; run < TEST_ROUNDS(2); run++) {
			open_drive(&d, policy, &seed);
			checkpoint = drive_save(&d, &bytes);
			for (at = 24; at < bytes - 8; at += 8) {
				was = fair_get_word(checkpoint + at);
				for (k = at / 8 % stride; k < others + 2;
				     k += stride) {
					fair_put_word(
						checkpoint + at,
						k < others    ? other[k]
						: k == others ? was + 1
							      : was - 1);
					if (loads(&d, checkpoint, bytes))
						loaded++;
					else
						refused++;
				}
				fair_put_word(checkpoint + at, was);
			}
			TEST_CHECK(loads(&d, checkpoint, bytes));
			free(checkpoint);
			drive_free(&d);
		}
	printf("%ld refused, %ld loaded\n", refused, loaded);
	TEST_CHECK(refused > 1000 && loaded > 1000);
}

/* @of: NULL: a pool. */
static void open_machine(struct world *w, uint32_t policy,
			 const struct fair_machine_config *of, int32_t procs)
{
	struct fair_config config = { .policy = policy,
				      .procs = procs,
				      .machine = of };

	open_world_of(w, &config);
}

/* To @other; the processors of a pool where it is NULL. */
static int converted(const struct fair_sched *s,
		     const struct fair_machine_config *other, int32_t procs)
{
	struct fair_config config = s->config;
	struct fair_sched copy;
	size_t bytes;
	void *memory;
	int error;

	config.machine = other;
	config.procs = procs;
	bytes = fair_sched_size(&config);
	memory = malloc(bytes);
	TEST_CHECK(bytes && memory);
	error = fair_sched_convert(&copy, sizeof(copy), memory, bytes, &config,
				   s);
	if (!error)
		TEST_EQ(fair_sched_check(&copy), 0);
	free(memory);
	return error;
}

TEST(conversions)
{
	static const int32_t two[] = { 10, 0, 3, 9, 2, 0 };
	static const int32_t plain[] = { 6, 4, 9 };
	static const int32_t narrow[] = { 6, 0, 4, 2, 9, 1 };
	static const int32_t many[] = { 6, 0, 3, 4, 2, 3, 9, 1, 3 };
	static const struct fair_machine_config classes = { 3, 2, 4, two };
	static const struct fair_machine_config resources = { 2, 3, 0, narrow };
	static const struct fair_machine_config wide = { 3, 3, 0, many };
	static const struct fair_machine_config one = { 1, 3, 0, plain };
	static const int32_t least[] = { 1, 0, 1, 1, 1, 0, 1, 1, 0 };
	static const struct fair_machine_config small = { 3, 3, 4, least };
	struct world w, pool;

	open_machine(&pool, FAIR_CONSERVATIVE, NULL, 19);
	open_machine(&w, FAIR_CONSERVATIVE, &machine, 19);
	submit(&w, 0, 1, 10, 9);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(look(&w, 1).node_class, 2);
	TEST_OK(converted(&w.s, &machine, 19));
	TEST_EQ(converted(&w.s, NULL, 19), -FAIR_EINVAL);
	TEST_EQ(converted(&pool.s, &machine, 19), -FAIR_EINVAL);
	TEST_EQ(converted(&w.s, &classes, 19), -FAIR_EINVAL);
	TEST_EQ(converted(&w.s, &resources, 19), -FAIR_EINVAL);
	TEST_EQ(converted(&w.s, &wide, 19), -FAIR_EINVAL);
	TEST_EQ(converted(&w.s, &one, 19), -FAIR_EINVAL);
	TEST_OK(converted(&w.s, &small, 3)); /* it gains what there is */
	TEST_OK(fair_sched_class_capacity(&w.s, 1, 0, 0, -2, NULL, 0));
	TEST_OK(converted(&w.s, &machine, 19));
	TEST_OK(fair_sched_class_capacity(&w.s, 1, 0, 0, INT32_MAX - 17, NULL,
					  0));
	TEST_OK(converted(&w.s, &machine, 19));
	close_world(&pool);
	close_world(&w);
}

/*
 * relshare: a window of all processors would be above 2^59 processor-seconds.
 * So a class that has grown is not converted to it, though another one is less.
 */
TEST(too_many_for_a_window)
{
	struct fair_config config = { .policy = FAIR_RELSHARE,
				      .procs = 19,
				      .machine = &machine,
				      .jobs = 4,
				      .users = 2,
				      .window = INT64_C(1) << 40 };
	size_t bytes = fair_sched_size(&config);
	void *memory = malloc(bytes);
	struct fair_sched copy;
	struct world w;

	open_machine(&w, FAIR_FCFS, &machine, 19);
	TEST_OK(fair_sched_class_capacity(&w.s, 0, 0, 0, 1 << 20, NULL, 0));
	TEST_OK(fair_sched_class_capacity(&w.s, 0, 1, 0, -1, NULL, 0));
	TEST_EQ(fair_sched_convert(&copy, sizeof(copy), memory, bytes, &config,
				   &w.s),
		-FAIR_EOVERFLOW);
	close_world(&w);
	/* Nor does such a scheduler grow so far. */
	TEST_OK(fair_sched_init(&copy, sizeof(copy), memory, bytes, &config));
	TEST_EQ(fair_sched_class_capacity(&copy, 0, 0, 0, 1 << 20, NULL, 0),
		-FAIR_EOVERFLOW);
	TEST_OK(fair_sched_class_capacity(&copy, 0, 0, 0, 1, NULL, 0));
	free(memory);
}

/* The second of two jobs that greedy chose starts from a checkpoint. */
TEST(a_chosen_job)
{
	static const int32_t procs[] = { 8, 1 };
	static const struct fair_machine_config two = { 1, 2, 0, procs };
	static const uint8_t first[] = { 0 };
	static const int32_t width[] = { 4, 8, 2, 2 };
	struct fair_config config = { .policy = FAIR_BACKFILL,
				      .select = FAIR_GREEDY,
				      .procs = 9,
				      .machine = &two };
	struct fair_decision start[1];
	struct fair_sched copy;
	size_t length, n, i;
	unsigned char *file;
	struct fair_job job;
	struct world w;
	void *memory;
	int damage;

	open_world_of(&w, &config);
	memory = malloc(w.bytes);
	for (i = 0; i < 4; i++) {
		job = a_job(i + 1, 0, 100, width[i]);
		job.classes = first;
		job.class_count = 1;
		TEST_OK(fair_sched_submit(&w.s, 0, &job));
	}
	TEST_OK(fair_sched_step(&w.s, 0, start, 1, &n));
	TEST_CHECK(n == 1 && start->number == 1);
	TEST_OK(fair_sched_step(&w.s, 0, start, 1, &n));
	TEST_CHECK(n == 1 && start->number == 3);
	file = checkpoint_of(&w.s, &length);
	TEST_OK(fair_sched_load(&copy, sizeof(copy), memory, w.bytes,
				&w.config,
				file, length, &damage));
	TEST_OK(fair_sched_step(&copy, 0, start, 1, &n));
	TEST_CHECK(n == 1 && start->number == 4 && start->node_class == 0);
	TEST_OK(fair_sched_check(&copy));
	/* With each word as 1: once the window is of the narrow class. */
	for (i = 24, n = 0; i < length - 8; i += 8) {
		uint64_t was = fair_get_word(file + i);

		fair_put_word(file + i, 1);
		fair_put_word(file + length - 8,
				    fair_fnv(file, length - 8));
		if (fair_sched_load(&copy, sizeof(copy), memory, w.bytes,
				    &w.config, file, length, &damage))
			n++;
		else
			TEST_OK(fair_sched_check(&copy));
		fair_put_word(file + i, was);
	}
	TEST_CHECK(n > 10);
	free(file);
	free(memory);
	close_world(&w);
}

/* It has its class once it starts: a checkpoint before is saved as it was. */
TEST(a_chosen_job_of_the_second_class)
{
	static const int32_t procs[] = { 1, 8 };
	static const struct fair_machine_config two = { 1, 2, 0, procs };
	static const int32_t width[] = { 4, 8, 2, 2 };
	struct fair_config config = { .policy = FAIR_BACKFILL,
				      .select = FAIR_GREEDY,
				      .procs = 9,
				      .machine = &two };
	struct fair_decision start[1];
	struct fair_sched copy;
	unsigned char *file;
	size_t length, n, i;
	struct world w;
	void *memory;

	open_world_of(&w, &config);
	memory = malloc(w.bytes);
	for (i = 0; i < 4; i++)
		submit(&w, 0, i + 1, 100, width[i]);
	for (i = 0; i < 2; i++)
		TEST_OK(fair_sched_step(&w.s, 0, start, 1, &n));
	length = fair_sched_checkpoint_size(&w.s);
	file = (unsigned char *)malloc(2 * length);
	TEST_OK(fair_sched_save(&w.s, file, length));
	TEST_OK(fair_sched_load(&copy, sizeof(copy), memory, w.bytes,
				&w.config, file, length, NULL));
	TEST_OK(fair_sched_save(&copy, file + length, length));
	TEST_CHECK(!memcmp(file, file + length, length));
	TEST_OK(fair_sched_step(&copy, 0, start, 1, &n));
	TEST_EQ(n, 1);
	TEST_EQ(start->number, 4);
	TEST_EQ(start->node_class, 1);
	TEST_OK(fair_sched_check(&copy));
	free(file);
	free(memory);
	close_world(&w);
}

/* Hundreds of reservations, whose profiles are settled now and then. */
TEST(many_reservations)
{
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .procs = 19,
				      .machine = &machine,
				      .jobs = 1500 };
	struct fair_job job;
	struct world w;
	uint32_t i;

	open_world_of(&w, &config);
	for (i = 0; i < 1500; i++) { /* one after another */
		job = a_job(i, 0, 50 + i % 97, 7 + (int32_t)(i % 3));
		TEST_OK(fair_sched_submit(&w.s, 0, &job));
	}
	TEST_EQ(w.s.planner->check(&w.s), 0);
	free(w.memory);
	free(w.kept);
}

/* A broken machine is found, whatever the policy keeps beside it. */
TEST_EACH(broken)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_CONSERVATIVE };
	static const int32_t gpu[] = { 0, 1, 0 }, licence[] = { 0, 0, 1 };
	struct fair_machine *m;
	struct world w;
	int i;

	for (i = 0; i < 2; i++) {
		test_case(fair_policy_name(policy[i]));
		open_machine(&w, policy[i], &machine, 19);
		m = &w.s.classes->jobs.machine;
		TEST_EQ(fair_sched_check(&w.s), 0);
		m->horizon++;
		TEST_CHECK(fair_sched_check(&w.s));
		m->horizon--;
		TEST_OK(fair_machine_reserve(m, 1, 5, 5, gpu));
		TEST_EQ(fair_sched_check(&w.s), i ? 4 : 0);
		TEST_OK(fair_machine_release(m, 1, 5, 5, gpu));
		TEST_OK(fair_machine_reserve(m, 0, 5, 5, licence));
		TEST_EQ(fair_sched_check(&w.s), i ? 4 : 0);
		TEST_OK(fair_machine_release(m, 0, 5, 5, licence));
		TEST_OK(fair_machine_change_capacity(m, 2, 0, 5, 10, -1));
		TEST_EQ(fair_sched_check(&w.s), 4);
		TEST_OK(fair_machine_change_capacity(m, 2, 0, 5, 10, 1));
		TEST_EQ(fair_sched_check(&w.s), 0);
		w.s.now = -1;
		TEST_EQ(fair_sched_check(&w.s), 4);
		free(w.memory);
		free(w.kept);
	}
}

/* A job wider than the machine at present has no start that is certain. */
TEST(wider_than_the_machine)
{
	static const int32_t four[] = { 4 };
	static const struct fair_machine_config one = { 1, 1, 0, four };
	static const uint64_t victim[] = { 1 };
	struct world w;
	int64_t when;
	size_t bytes;
	void *clone;

	open_machine(&w, FAIR_CONSERVATIVE, &one, 4);
	submit(&w, 0, 1, 100, 4);
	submit(&w, 0, 2, 100, 4);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_class_capacity(&w.s, 5, 0, 0, -1, victim, 1));
	bytes = fair_sched_fst_size(&w.config);
	clone = malloc(bytes);
	TEST_OK(fair_sched_estimate(&w.s, 2, clone, bytes, &when));
	TEST_EQ(when, FAIR_FOREVER);
	TEST_OK(fair_sched_class_capacity(&w.s, 6, 0, 0, 1, NULL, 0));
	TEST_OK(fair_sched_estimate(&w.s, 2, clone, bytes, &when));
	TEST_EQ(when, 6);
	free(clone);
	close_world(&w);
}
