/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A ledger of the caller's stands beside those of the policy. One that takes no
 * part, because all its operations but three are NULL, changes no decision, no
 * clone and no checkpoint.
 */
#include "tests/world.h"

static size_t bytes_of(const struct fair_config *config)
{
	(void)config;
	return sizeof(uint64_t);
}

static int begin(struct fair_sched *s, void *ledger)
{
	(void)s;
	*(uint64_t *)ledger = 7;
	return 0;
}

static void copy(struct fair_sched *to, void *ledger,
		 const struct fair_sched *s, const void *from,
		 const uint32_t *slot)
{
	(void)to;
	(void)s;
	(void)slot;
	*(uint64_t *)ledger = *(const uint64_t *)from;
}

static uint64_t submit_job(struct fair_sched *s, int64_t now, uint64_t number,
			   int32_t procs)
{
	struct fair_job job = { .number = number,
				.submit = now,
				.walltime = 20 + (int64_t)number,
				.procs = procs };

	TEST_EQ(fair_sched_submit(s, now, &job), 0);
	return number;
}

/* Ten jobs, one that ends early, one that shrinks, a clone and a checkpoint on
 * the way. */
static uint64_t play(const struct fair_config *config)
{
	static unsigned char memory[3][1 << 17], bytes[1 << 16];
	struct fair_sched s, clone, loaded;
	struct fair_decision start[16];
	struct fair_job_status second;
	uint64_t number;
	size_t n;

	TEST_CHECK(fair_sched_size(config) <= sizeof(memory[0]));
	TEST_OK(fair_sched_init(&s, sizeof(s), memory[0], sizeof(memory[0]),
				config));
	for (number = 1; number <= 10; number++)
		submit_job(&s, 0, number, 1 + (int32_t)number % 5);
	TEST_EQ(fair_sched_step(&s, 0, start, 16, &n), 0);
	TEST_CHECK(n > 1);
	TEST_EQ(fair_sched_finish(&s, 5, start[0].number), 0);
	TEST_OK(fair_sched_lookup(&s, start[1].number, &second));
	second.job.procs = 1;
	TEST_OK(fair_sched_resize(&s, 5, start[1].number, &second.job));
	TEST_EQ(fair_sched_clone(&clone, memory[1], sizeof(memory[1]), &s), 0);
	TEST_EQ(fair_sched_check(&clone), 0);
	TEST_CHECK(fair_sched_checkpoint_size(&s) <= sizeof(bytes));
	TEST_EQ(fair_sched_save(&s, bytes, sizeof(bytes)), 0);
	TEST_OK(fair_sched_load(&loaded, sizeof(loaded), memory[2],
				sizeof(memory[2]), config, bytes,
				fair_sched_checkpoint_size(&s), NULL));
	TEST_EQ(fair_sched_step(&s, 5, start, 16, &n), 0);
	TEST_EQ(fair_sched_step(&clone, 5, start, 16, &n), 0);
	TEST_EQ(fair_sched_step(&loaded, 5, start, 16, &n), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_CHECK(fair_sched_digest(&clone) == fair_sched_digest(&s));
	TEST_CHECK(fair_sched_digest(&loaded) == fair_sched_digest(&s));
	return fair_sched_digest(&s);
}

TEST(ledger_without_operations)
{
	struct fair_config with = { 0 }, without;
	struct fair_ledger_ops ops;
	uint32_t policy;

	memset(&ops, 0, sizeof(ops));
	ops.name = "silent";
	ops.size = bytes_of;
	ops.init = begin;
	ops.clone = copy;
	with.procs = 8;
	with.jobs = 16;
	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		with.policy = policy;
		without = with;
		with.ledger = &ops;
		without.ledger = NULL;
		TEST_CHECK(play(&with) == play(&without));
	}
}
