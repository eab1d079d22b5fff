/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * unfinished_backlog_test.c - three quarters of a machine are lost before a
 * deep queue, and come back; the work is resumed to the end within a scan limit
 *
 * FAIRSCHED_WAITING (600) jobs wait for 512 processors under a policy that
 * promises; a call scans a 40th of them. At each pause at which jobs are
 * displaced, and at each FAIRSCHED_CHECK_EACH-th (50) of the others, the
 * invariants hold, and all jobs are there. In the end all is as after one call
 * without a limit.
 */
#include "fairsched.h"
#include "tests/test.h"

enum { PROCS = 512, LOST = 3 * PROCS / 4, ROOM = 64, BEGIN = 30 };

struct backlog {
	struct fair_sched s;
	struct fair_config config;
	void *memory;
	uint32_t waiting;
	uint64_t victim[PROCS]; /* jobs that hold what is lost */
	size_t victims;
	uint64_t pauses, displaced_pauses, checks, most_displaced;
};

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* From 1 to 2^@octaves - 1, as likely in each octave. */
static uint32_t draw(uint64_t *random, uint32_t octaves)
{
	uint32_t least;

	*random = *random * UINT64_C(6364136223846793005) + 1442695;
	least = 1U << (*random >> 60) % octaves;
	return least + (uint32_t)(*random >> 33) % least;
}

static void open_backlog(struct backlog *b, uint32_t policy)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_decision start[ROOM];
	struct fair_job_status status;
	struct fair_job j = { 0 };
	uint64_t random = 1;
	int32_t left;
	size_t n;

	memset(b, 0, sizeof(*b));
	b->waiting = (uint32_t)from_environment("FAIRSCHED_WAITING", 600);
	b->config.policy = policy;
	b->config.procs = PROCS;
	b->config.jobs = b->waiting + PROCS;
	b->memory = malloc(fair_sched_size(&b->config));
	TEST_OK(fair_sched_init(&b->s, sizeof(b->s), b->memory,
				fair_sched_size(&b->config), &b->config));
	for (; fair_sched_count(&b->s, FAIR_QUEUED) < b->waiting; j.number++) {
		j.procs = (int32_t)draw(&random, 7);
		j.walltime = 60 * draw(&random, 10);
		TEST_OK(fair_sched_submit(&b->s, 0, &j));
		TEST_OK(fair_sched_step(&b->s, 0, start, ROOM, &n));
	}
	left = b->s.procs - b->s.busy;
	while (left < LOST &&
	       fair_sched_each(&b->s, FAIR_RUNNING, &at, &status)) {
		b->victim[b->victims++] = status.job.number;
		left += status.job.procs;
	}
}

static void close_backlog(struct backlog *b)
{
	TEST_EQ(fair_sched_check(&b->s), 0);
	free(b->memory);
}

static void pause(struct backlog *b, uint64_t each)
{
	uint32_t displaced = fair_sched_count(&b->s, FAIR_DISPLACED);

	if (displaced > b->most_displaced)
		b->most_displaced = displaced;
	b->displaced_pauses += displaced > 0;
	b->pauses++;
	if (!displaced && b->pauses % each)
		return;
	b->checks++;
	TEST_EQ(fair_sched_check(&b->s), 0);
	TEST_EQ(fair_sched_count(&b->s, FAIR_QUEUED) + displaced, b->waiting);
	TEST_EQ(fair_sched_next(&b->s), BEGIN);
}

/* Processors are lost with their jobs, or with @returns they come back. */
static void change(struct backlog *b, bool returns, uint64_t scans)
{
	uint64_t each = from_environment("FAIRSCHED_CHECK_EACH", 50);

	fair_sched_scan_limit(&b->s, scans);
	TEST_OK(fair_sched_capacity(&b->s, BEGIN, returns ? LOST : -LOST,
				    b->victim, returns ? 0 : b->victims));
	if (!returns)
		TEST_EQ(fair_sched_is_unfinished(&b->s), scans > 0);
	while (fair_sched_is_unfinished(&b->s)) {
		pause(b, each);
		(void)fair_sched_resume(&b->s);
	}
}

static void compare(const struct backlog *a, const struct backlog *b)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status x, y;

	while (fair_sched_each(&a->s, FAIR_QUEUED, &at, &x)) {
		TEST_OK(fair_sched_lookup(&b->s, x.job.number, &y));
		TEST_EQ(x.start, y.start);
		TEST_EQ(x.moves, y.moves);
		TEST_EQ(x.cause, y.cause);
	}
	TEST_EQ(fair_sched_digest(&a->s), fair_sched_digest(&b->s));
}

static void lose_and_gain(uint32_t policy)
{
	struct backlog all, b;

	open_backlog(&all, policy);
	open_backlog(&b, policy);
	change(&b, false, b.waiting / 40);
	printf("# %s, lost: %u waiting, %u displaced at most, %u pauses with"
	       " them, %u pauses, %u checks\n",
	       fair_policy_name(policy), (unsigned)b.waiting,
	       (unsigned)b.most_displaced, (unsigned)b.displaced_pauses,
	       (unsigned)b.pauses, (unsigned)b.checks);
	TEST_CHECK(b.displaced_pauses > 0);
	change(&all, false, 0);
	compare(&all, &b);
	change(&b, true, b.waiting / 40);
	change(&all, true, 0);
	compare(&all, &b);
	close_backlog(&b);
	close_backlog(&all);
}

TEST(conservative)
{
	lose_and_gain(FAIR_CONSERVATIVE);
}

TEST(delayed_compression)
{
	lose_and_gain(FAIR_DC);
}

TEST(prioritized_compression)
{
	lose_and_gain(FAIR_PC);
}
