/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A clone decides what its original decides, whichever of the two is told of
 * an event first.
 */
#include "fairsched.h"
#include "tests/world.h"

struct shared_world {
	struct fair_config config;
	struct fair_sched s, copy;
	char *memory[2];
	size_t bytes;
	uint64_t seed, numbers;
	int64_t now;
};

/* To both; they answer the same. */
static void shared_event(struct shared_world *w)
{
	uint64_t number = (uint64_t)test_range(&w->seed, 0, 20);
	int64_t what = test_range(&w->seed, 0, 10), x, y;
	struct fair_job j;

	x = test_range(&w->seed, 1, 9);
	y = test_range(&w->seed, 1, 30);
	j = a_job(w->numbers, w->now, y, (int32_t)x);
	j.account = j.user = (uint32_t)test_range(&w->seed, 0, 3);
	number = w->numbers > number ? w->numbers - number : 0;
#define BOTH(name, ...)                                                        \
	TEST_EQ(fair_sched_##name(&w->s, __VA_ARGS__),                         \
		fair_sched_##name(&w->copy, __VA_ARGS__))
	if (what < 4 && j.account == 3) {
		TEST_CHECK(fair_sched_submit(&w->s, w->now, &j));
	} else if (what < 4) {
		BOTH(submit, w->now, &j);
		w->numbers++;
	} else if (what < 7) {
		BOTH(finish, w->now, number);
	} else if (what == 7) {
		BOTH(cancel, w->now, number);
	} else if (what == 8) {
		BOTH(modify, w->now, number, (int32_t)x, y);
	} else if (what == 9) {
		BOTH(capacity, w->now, (int32_t)(x - 4), NULL, 0);
	} else {
		BOTH(refuse, w->now, number);
	}
}

static void shared_step(struct shared_world *w, size_t room)
{
	struct fair_decision ours[JOBS], copys;
	size_t n, all = 0, k;

	do {
		TEST_OK(fair_sched_step(&w->s, w->now, ours + all, room, &n));
		all += n;
	} while (n == room && all + room <= JOBS);
	for (k = 0; k <= all; k++) {
		TEST_EQ(fair_sched_step(&w->copy, w->now, &copys, 1, &n), 0);
		TEST_EQ(n, k < all);
		if (n)
			TEST_EQ(copys.number, ours[k].number);
	}
	w->now += test_range(&w->seed, 0, 6);
}

/* Events without a model: invariants hold, and a clone does the same. */
static void shared_run(uint32_t policy, uint64_t seed)
{
	struct shared_world w;
	char *memory[2];
	uint32_t i;

	memset(&w, 0, sizeof(w));
	w.config = shared(policy);
	if (seed % 4 == 0) {
		w.config.target = NULL;
		w.config.share = NULL;
	}
	w.seed = seed;
	w.bytes = fair_sched_size(&w.config);
	memory[0] = (char *)malloc(w.bytes + seed % 8);
	memory[1] = (char *)malloc(w.bytes + seed % 8);
	TEST_REQUIRE(memory[0] && memory[1]);
	TEST_EQ(fair_sched_init(&w.s, sizeof(w.s), memory[0] + seed % 8,
				w.bytes - 1, &w.config),
		-FAIR_ENOMEM);
	TEST_OK(fair_sched_init(&w.s, sizeof(w.s), memory[0] + seed % 8,
				w.bytes, &w.config));
	TEST_OK(fair_sched_clone(&w.copy, memory[1] + seed % 8, w.bytes, &w.s));
	for (i = 0; i < 200; i++) {
		shared_event(&w);
		if (i % 3 == 0)
			shared_step(&w, JOBS / (1 + i % 4));
		if (i % 50 == 0)
			TEST_OK(fair_sched_clone(&w.copy, memory[1] + seed % 8,
						 w.bytes, &w.s));
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(fair_sched_check(&w.copy), 0);
		TEST_CHECK(fair_sched_digest(&w.s) ==
			   fair_sched_digest(&w.copy));
	}
	w.s.busy++;
	TEST_EQ(fair_sched_check(&w.s), 3);
	w.s.busy--;
	TEST_EQ(fair_sched_check(&w.s), 0);
	if (policy == FAIR_SFS) {
		sfs_of(&w.s)->busy++;
		TEST_EQ(fair_sched_check(&w.s), 3);
	}
	free(memory[0]);
	free(memory[1]);
}

TEST(sfs_and_its_clone)
{
	uint64_t seed;

	for (seed = 0; seed < 100; seed++)
		shared_run(FAIR_SFS, seed);
}

TEST(relshare_and_its_clone)
{
	uint64_t seed;

	for (seed = 0; seed < 100; seed++)
		shared_run(FAIR_RELSHARE, seed);
}

static void count(void *context, const struct fair_promise *promise)
{
	(void)promise;
	++*(int *)context;
}

/* What is tried on a clone reaches only callbacks that the caller names. */
TEST(promises_of_a_clone)
{
	static char memory[2][1 << 14];
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .procs = 4,
				 .jobs = 8, .promised = count };
	struct fair_job job = { .number = 1, .walltime = 10, .procs = 4 };
	struct fair_sched s, copy;
	int told = 0, tried = 0;

	c.context = &told;
	TEST_OK(fair_sched_init(&s, sizeof(s), memory[0], sizeof(memory[0]),
				&c));
	TEST_OK(fair_sched_submit(&s, 0, &job));
	TEST_EQ(told, 1);
	TEST_OK(fair_sched_clone(&copy, memory[1], sizeof(memory[1]), &s));
	job.number = 2;
	TEST_OK(fair_sched_submit(&copy, 0, &job));
	TEST_EQ(told, 1);
	fair_sched_report_to(&copy, count, &tried);
	job.number = 3;
	TEST_OK(fair_sched_submit(&copy, 0, &job));
	TEST_EQ(told, 1);
	TEST_EQ(tried, 1);
	TEST_OK(fair_sched_submit(&s, 0, &job));
	TEST_EQ(told, 2);
}
