/* SPDX-License-Identifier: MIT OR Unlicense */
#include <limits.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "fuzz/sched_pair.h"
#include "test.h"
#include "tests/world.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

static uint64_t ran;

static void run(uint64_t number)
{
	ran = ran * 10 + number;
}

/* The example of the manual; its digest. */
static uint64_t manual(void)
{
	struct fair_config config = { 0 };
	struct fair_sched sched;
	struct fair_job job = { 0 };
	struct fair_decision start[8];
	size_t n, i;

	config.policy = FAIR_CONSERVATIVE;
	config.procs = 128;
	config.jobs = 1000; // queued and running at once
	size_t bytes = fair_sched_size(&config);
	void *memory = malloc(bytes);
	fair_sched_init(&sched, sizeof(sched), memory, bytes, &config);

	job.number = 1; // at second 100 a job arrives
	job.submit = 100;
	job.walltime = 3600;
	job.procs = 64;
	fair_sched_submit(&sched, 100, &job);
	fair_sched_step(&sched, 100, start, 8, &n);
	for (i = 0; i < n; i++)
		run(start[i].number); // yours; at its end:
	fair_sched_finish(&sched, 700, 1);
	fair_sched_step(&sched, 700, start, 8, &n);

	TEST_EQ(fair_sched_check(&sched), 0);
	TEST_EQ(fair_sched_next(&sched), FAIR_FOREVER);
	free(memory);
	return fair_sched_digest(&sched);
}

/* FNV-1a over words, as published; nothing of it is the library's. */
static uint64_t fnv(const uint64_t *word, size_t words)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	size_t i, k;

	for (i = 0; i < words; i++) {
		for (k = 0; k < 8; k++) {
			hash ^= word[i] >> (8 * k) & 255;
			hash *= UINT64_C(1099511628211);
		}
	}
	return hash;
}

static void example_of_the_manual(void)
{
	static const uint64_t told[] = { 100, 1, FAIR_PROMISE,
					 100, 1, FAIR_START };

	TEST_CHECK(manual() == fnv(told, 6));
	TEST_EQ(ran, 1);
}

/* Numbers of any length in bytes. */
static void digests(void)
{
	uint64_t told[] = { 0, 0, FAIR_PROMISE, 0, 0, FAIR_START };
	struct world w;
	uint32_t shift;

	for (shift = 0; shift < 64; shift += 8) {
		open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
		told[1] = told[4] = UINT64_C(0xa5) << shift;
		submit(&w, 0, told[1], 10, 1);
		(void)step(&w, 0);
		TEST_CHECK(fair_sched_digest(&w.s) == fnv(told, 6));
		close_world(&w);
	}
}

static void texts(void)
{
	static const int errors[] = { 0,
				      FAIR_ENOMEM,
				      FAIR_EINVAL,
				      FAIR_ENOSPC,
				      FAIR_ERANGE,
				      FAIR_EOVERFLOW,
				      1 };
	size_t i, k;

	TEST_CHECK(!strcmp(fair_version(), "1.0.0"));
	TEST_EQ(FAIRSCHED_VERSION, 100);
	for (i = 0; i < 7; i++) {
		TEST_CHECK(!strcmp(fair_strerror(errors[i]),
				   fair_strerror(-errors[i])));
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_strerror(errors[i]),
					  fair_strerror(errors[k])));
	}
	TEST_CHECK(!strcmp(fair_strerror(0), "no error"));
	TEST_CHECK(!strcmp(fair_strerror(1), "unknown error"));
	TEST_CHECK(!strcmp(fair_strerror(INT_MIN), "unknown error"));
	TEST_CHECK(!strcmp(fair_strerror(INT_MAX), "unknown error"));
}

/* Configurations with one field changed; which are refused. */
static void configurations(void)
{
	static const struct {
		uint32_t policy, order;
		bool valid;
	} pair[] = {
		{ FAIR_FCFS, FAIR_ORDER_LXF, true },
		{ FAIR_BACKFILL, FAIR_ORDER_LXF, true },
		{ FAIR_BACKFILL, FAIR_ORDER_USAGE + 1, false },
		{ FAIR_BACKFILL, FAIR_ORDER_USAGE, false }, /* of no user */
		{ FAIR_BACKFILL, FAIR_ORDER_LINEAR, true },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_LINEAR, false },
		{ FAIR_PC, FAIR_ORDER_LINEAR, true },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, true },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_SJF, false },
		{ FAIR_PC, FAIR_ORDER_NARROWEST, true },
		{ FAIR_PC, FAIR_ORDER_LXF, false },
		{ FAIR_DC, FAIR_ORDER_WIDEST, true },
		{ FAIR_DC, FAIR_ORDER_LXF, false },
		{ FAIR_SFS, FAIR_ORDER_FCFS, false }, /* of no account */
		{ FAIR_RELSHARE, FAIR_ORDER_SJF, false },
		{ 1000, FAIR_ORDER_FCFS, false },
	};
	struct fair_config good = { 0 }, c;
	size_t i;

	good.policy = FAIR_PC;
	good.procs = 1;
	good.jobs = 1;
	for (i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		c = good;
		c.policy = pair[i].policy;
		c.order = pair[i].order;
		TEST_EQ(fair_sched_size(&c) > 0, pair[i].valid);
	}
	TEST_EQ(fair_sched_size(NULL), 0);
	c = good;
	c.procs = 0;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.jobs = 0;
	TEST_EQ(fair_sched_size(&c), 0);
	c.jobs = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.origin = FAIR_TIME_MAX + 1;
	TEST_EQ(fair_sched_size(&c), 0);
	c.origin = -FAIR_TIME_MAX - 1;
	TEST_EQ(fair_sched_size(&c), 0);
	c.origin = -FAIR_TIME_MAX;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c = good;
	c.policy = FAIR_BACKFILL;
	c.depth = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	c.policy = FAIR_RELSHARE;
	c.depth = 2;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.policy = FAIR_SFS;
	c.accounts = 1;
	TEST_CHECK(fair_sched_size(&c) > 0);
}

static void configurations_of_orders(void)
{
	struct fair_config good = { 0 }, c;

	good.policy = FAIR_SFS;
	good.accounts = good.users = good.jobs = 1;
	good.procs = 1;
	good.order = FAIR_ORDER_USAGE;
	TEST_CHECK(fair_sched_size(&good) > 0);
	c = good;
	c.half_life = FAIR_USAGE_HALF_LIFE;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c.half_life = FAIR_USAGE_HALF_LIFE + 1;
	TEST_EQ(fair_sched_size(&c), 0);
	c.half_life = -1;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.policy = FAIR_PC;
	TEST_EQ(fair_sched_size(&c), 0);
	c.policy = FAIR_RELSHARE;
	TEST_EQ(fair_sched_size(&c), 0);
	c.policy = FAIR_BACKFILL;
	c.depth = 2;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c.select = FAIR_BESTFIT;
	TEST_EQ(fair_sched_size(&c), 0);
	c = good;
	c.order = FAIR_ORDER_LINEAR;
	c.weight = FAIR_WEIGHT_MAX;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c.weight++;
	TEST_EQ(fair_sched_size(&c), 0);
	c.weight = -1;
	TEST_EQ(fair_sched_size(&c), 0);
}

/* @bytes are enough at any address, one less is not. */
static void sizes_are_exact(void)
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
			TEST_EQ(fair_sched_init(&s, sizeof(s), memory + shift,
						bytes, &c),
				0);
			TEST_EQ(fair_sched_check(&s), 0);
			s = was;
			free(memory);
		}
	}
}

/* The table, by number too, and the queue of those that run. */
static size_t table(uint32_t jobs)
{
	size_t places = 16;

	while (places < jobs + jobs / 2)
		places *= 2;
	return 8 + jobs * (sizeof(struct fair_live) + sizeof(uint32_t)) +
	       places * sizeof(uint32_t) + fair_queue_size(jobs);
}

/* A plan, with a byte where a policy has no ledger. */
static size_t plan(uint32_t depth, bool sorts, uint32_t jobs)
{
	return table(jobs) + fair_backfill_size(depth, sorts, jobs) + 1;
}

static void sizes_are_those_of_the_parts(void)
{
	const size_t groups = 3 + 3 * sizeof(struct fair_group);
	struct fair_relshare_config relshare = { 0 };
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config c = { 0 };

	relshare.users = c.users = c.accounts = 3;
	relshare.procs = c.procs = 1;
	relshare.window = c.window = 1;
	c.maui = &maui;
	for (c.jobs = 1; c.jobs < 40; c.jobs++) {
		c.policy = FAIR_FCFS;
		TEST_EQ(fair_sched_size(&c), plan(0, false, c.jobs));
		c.policy = FAIR_CONSERVATIVE;
		TEST_EQ(fair_sched_size(&c),
			table(c.jobs) +
				fair_conservative_size(FAIR_COMPRESS, c.jobs,
						       2) +
				1);
		c.policy = FAIR_MAUI;
		TEST_EQ(fair_sched_size(&c),
			plan(c.jobs == 1 ? 2 : c.jobs, true, c.jobs) - 1 +
				fair_maui_size(&maui, c.jobs));
	}
	relshare.jobs = c.jobs = 5;
	c.policy = FAIR_SFS;
	TEST_EQ(fair_sched_size(&c), plan(1, false, 5) - 1 + fair_sfs_size(3));
	c.policy = FAIR_RELSHARE;
	TEST_EQ(fair_sched_size(&c), plan(1, true, 5) - 1 + groups +
					     fair_relshare_size(&relshare));
	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	TEST_EQ(fair_sched_size(&c),
		plan(1, true, 5) + groups + fair_usage_size(3, 1, 1));
	c.order = FAIR_ORDER_FCFS;
	c.select = FAIR_BESTFIT;
	TEST_EQ(fair_sched_size(&c), plan(2, true, 5));
	c.select = 0;
	c.bookings = 2;
	TEST_EQ(fair_sched_size(&c),
		plan(1, false, 5) + fair_backfill_windows_size(1, 5, 2) +
			2 * sizeof(struct fair_booking) +
			5 * (sizeof(struct fair_aside) + sizeof(uint32_t)));
}

/* Too many to be numbered, or only too many for so little memory. */
static void most_jobs(void)
{
	struct fair_config c = { 0 };
	struct fair_sched s;
	char memory[1];

	c.procs = 1;
	c.jobs = UINT32_MAX / 4;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, 1, &c), -FAIR_ENOMEM);
	c.jobs++;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, 1, &c), -FAIR_EINVAL);
}

/* Where a size is of 32 bits: bytes, and those of jobs alone. */
static void most_bytes(void)
{
	const uint32_t job = sizeof(struct fair_live) +
			     sizeof(struct fair_aside);
	const size_t most = SIZE_MAX / 4;
	struct fair_config c = { 0 };

	c.procs = 1;
	c.jobs = (uint32_t)(SIZE_MAX / 8) / job;
	TEST_CHECK(fair_sched_size(&c) > 0);
	c.jobs++;
	TEST_EQ(fair_sched_size(&c), 0);
	c.policy = FAIR_SFS;
	c.accounts = 1;
	for (c.jobs = 1; (most - fair_sched_size(&c)) %
			 sizeof(struct fair_sfs_account); c.jobs++)
		TEST_REQUIRE(c.jobs < 100);
	c.accounts += (uint32_t)((most - fair_sched_size(&c)) /
				 sizeof(struct fair_sfs_account));
	TEST_EQ(fair_sched_size(&c), most);
	c.accounts++;
	TEST_EQ(fair_sched_size(&c), 0);
	for (; c.accounts < UINT32_MAX - (1U << 24); c.accounts += 1U << 24)
		TEST_EQ(fair_sched_size(&c), 0);
}

static void parts_that_are_too_large(void)
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
	/* A profile has up to 2^31 - 1 steps: a booking is too much. */
	c = good;
	c.policy = FAIR_BACKFILL;
	c.depth = UINT32_MAX / 4 - c.jobs;
	TEST_EQ(fair_sched_size(&c) > 0, SIZE_MAX > UINT32_MAX);
	c.bookings = 1;
	TEST_EQ(fair_sched_size(&c), 0);
	c.depth = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	if (SIZE_MAX == UINT32_MAX)
		most_bytes();
}

static void init_errors(void)
{
	struct fair_config c = { 0 };
	struct fair_sched s, was;
	size_t bytes;
	void *memory;

	c.jobs = 5;
	c.procs = 5;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	memset(&s, 0x5a, sizeof(s));
	was = s;
	TEST_EQ(fair_sched_init(NULL, sizeof(s), memory, bytes, &c),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_init(&s, sizeof(s) - 1, memory, bytes, &c),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_init(&s, sizeof(s), NULL, bytes, &c), -FAIR_EINVAL);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, NULL),
		-FAIR_EINVAL);
	c.policy = FAIR_BACKFILL;
	c.depth = UINT32_MAX;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c),
		-FAIR_ENOMEM);
	c.procs = -1;
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c),
		-FAIR_EINVAL);
	TEST_CHECK(!memcmp(&s, &was, sizeof(s)));
	free(memory);
}

/* At 10: 1 runs since 0, 2 since 10, 3 waits. */
static void busy_world(struct world *w, uint32_t policy)
{
	open_world(w, policy, FAIR_ORDER_FCFS, policy == FAIR_FCFS ? 2 : 0);
	submit(w, 0, 1, 100, 6);
	TEST_EQ(step(w, 0), 1);
	submit(w, 10, 2, 50, 3);
	submit(w, 10, 3, 50, 9);
	TEST_EQ(step(w, 10), 2);
	keep(w);
}

static void submit_errors(struct world *w)
{
	static const struct {
		uint64_t number;
		int64_t now, submit, walltime;
		int32_t procs;
		int error;
	} bad[] = {
		{ 4, 9, 9, 1, 1, FAIR_EINVAL },
		{ 4, INT64_MIN, INT64_MIN, 1, 1, FAIR_EINVAL },
		{ 4, FAIR_TIME_MAX + 1, 9, 1, 1, FAIR_EINVAL },
		{ 4, INT64_MAX, 9, 1, 1, FAIR_EINVAL },
		{ 4, 10, 11, 1, 1, FAIR_EINVAL },
		{ 1, 10, 10, 1, 1, FAIR_EINVAL },
		{ 3, 10, 10, 1, 1, FAIR_EINVAL },
		{ 4, 10, 10, 0, 1, FAIR_EINVAL },
		{ 4, 10, 10, INT64_MIN, 1, FAIR_EINVAL },
		{ 4, 10, 10, 1, 0, FAIR_EINVAL },
		{ 4, 10, 10, 1, INT32_MIN, FAIR_EINVAL },
		{ 4, 10, 10, 1, PROCS + 1, FAIR_ERANGE },
		{ 4, 10, 10, (INT64_C(1) << 34) + 1, 1, FAIR_EOVERFLOW },
		{ 4, 10, 10, INT64_MAX, 1, FAIR_EOVERFLOW },
	};
	struct fair_job j;
	size_t i;

	TEST_EQ(fair_sched_submit(&w->s, 10, NULL), -FAIR_EINVAL);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		j = a_job(bad[i].number, bad[i].submit, bad[i].walltime,
			  bad[i].procs);
		TEST_EQ(fair_sched_submit(&w->s, bad[i].now, &j),
			-bad[i].error);
	}
	TEST_CHECK(unchanged(w));
}

static void finish_and_cancel_errors(struct world *w)
{
	TEST_EQ(fair_sched_finish(&w->s, 10, 4), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish(&w->s, 10, 3), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish(&w->s, 9, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish(&w->s, INT64_MAX, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_cancel(&w->s, 10, 4), -FAIR_EINVAL);
	TEST_EQ(fair_sched_cancel(&w->s, 9, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_cancel(&w->s, 9, 3), -FAIR_EINVAL);
	TEST_EQ(fair_sched_cancel(&w->s, INT64_MAX, 3), -FAIR_EINVAL);
	TEST_CHECK(unchanged(w));
}

static void modify_errors(struct world *w)
{
	const int64_t most = INT64_C(1) << 34;

	TEST_EQ(fair_sched_modify(&w->s, 10, 4, 1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, 9, 3, 1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, INT64_MAX, 3, 1, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, 10, 1, 5, 100), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, 10, 3, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, 10, 3, 1, 0), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, 10, 1, 6, 0), -FAIR_EINVAL);
	TEST_EQ(fair_sched_modify(&w->s, 10, 3, PROCS + 1, 1), -FAIR_ERANGE);
	TEST_EQ(fair_sched_modify(&w->s, 10, 3, 1, most + 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_modify(&w->s, 10, 1, 6, INT64_MAX), -FAIR_EOVERFLOW);
	TEST_CHECK(unchanged(w));
}

static void capacity_errors(struct world *w)
{
	static const uint64_t queued[] = { 1, 3 }, dead[] = { 1, 2, 77 };
	static const uint64_t twice[] = { 2, 1, 2 }, both[] = { 2, 1 };

#define CAPACITY(now, delta, victim, victims)                                  \
	fair_sched_capacity(&w->s, (now), (delta), (victim), (victims))
	TEST_EQ(CAPACITY(10, 0, NULL, 0), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(9, 1, NULL, 0), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(INT64_MAX, 1, NULL, 0), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(10, -1, NULL, 1), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(10, 1, both, 1), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(10, -1, queued, 2), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(10, -1, dead, 3), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(10, -1, twice, 3), -FAIR_EINVAL);
	TEST_EQ(CAPACITY(10, INT32_MAX, NULL, 0), -FAIR_EOVERFLOW);
	TEST_EQ(CAPACITY(10, INT32_MAX - PROCS + 1, NULL, 0), -FAIR_EOVERFLOW);
	TEST_EQ(CAPACITY(10, -2, NULL, 0), -FAIR_ERANGE);
	TEST_EQ(CAPACITY(10, -5, both, 1), -FAIR_ERANGE);
	TEST_EQ(CAPACITY(10, -11, both, 2), -FAIR_ERANGE);
	TEST_EQ(CAPACITY(10, INT32_MIN, both, 2), -FAIR_ERANGE);
	TEST_CHECK(unchanged(w));
}

static void other_errors(struct world *w)
{
	struct fair_decision start[2];
	struct fair_job_status status;
	struct fair_sched copy;
	size_t n = 77;

	TEST_EQ(fair_sched_refuse(&w->s, 10, 4), -FAIR_EINVAL);
	TEST_EQ(fair_sched_refuse(&w->s, 10, 3), -FAIR_EINVAL);
	TEST_EQ(fair_sched_refuse(&w->s, 10, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_refuse(&w->s, 11, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_step(&w->s, 9, start, 2, &n), -FAIR_EINVAL);
	TEST_EQ(fair_sched_step(&w->s, INT64_MAX, start, 2, &n), -FAIR_EINVAL);
	TEST_EQ(fair_sched_step(&w->s, 10, NULL, 2, &n), -FAIR_EINVAL);
	TEST_EQ(fair_sched_step(&w->s, 10, start, 2, NULL), -FAIR_EINVAL);
	TEST_EQ(n, 77);
	TEST_EQ(fair_sched_lookup(&w->s, 4, &status), -FAIR_EINVAL);
	TEST_EQ(fair_sched_lookup(&w->s, 1, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_sched_clone(NULL, w->kept, w->bytes, &w->s), -FAIR_EINVAL);
	TEST_EQ(fair_sched_clone(&copy, NULL, w->bytes, &w->s), -FAIR_EINVAL);
	TEST_EQ(fair_sched_clone(&copy, w->kept, w->bytes - 1, &w->s),
		-FAIR_ENOMEM);
	TEST_CHECK(unchanged(w));
	TEST_EQ(fair_sched_step(&w->s, 10, start, 0, &n), 0);
	TEST_EQ(n, 0);
}

static void no_more_room(struct world *w)
{
	struct fair_job j = a_job(0, 10, 1, 1);

	for (j.number = 100; w->s.jobs < JOBS; j.number++)
		TEST_EQ(fair_sched_submit(&w->s, 10, &j), 0);
	keep(w);
	TEST_EQ(fair_sched_submit(&w->s, 10, &j), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_submit(&w->s, 50, &j), -FAIR_ENOSPC);
	TEST_CHECK(unchanged(w));
	TEST_EQ(fair_sched_cancel(&w->s, 10, 101), 0);
	TEST_EQ(fair_sched_submit(&w->s, 10, &j), 0);
}

static void errors_change_nothing(void)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_world(&w, policy);
		submit_errors(&w);
		finish_and_cancel_errors(&w);
		modify_errors(&w);
		capacity_errors(&w);
		other_errors(&w);
		no_more_room(&w);
		close_world(&w);
	}
}

/* What broke it is undone by taking the kept bytes back. */
static void broken(struct world *w, int invariant)
{
	TEST_EQ(fair_sched_check(&w->s), invariant);
	w->s = w->was;
	memcpy(w->memory, w->kept, w->bytes);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void invariants_of_any_policy(struct world *w)
{
	struct fair_live *running = fair_sched_find(&w->s, 1);
	struct fair_live *queued = fair_sched_find(&w->s, 3);

	running->queued.rank.key = 59; /* behind one that ends at 60 */
	broken(w, 2);
	w->s.running.jobs++;
	broken(w, 2);
	w->s.jobs++;
	broken(w, 2);
	w->s.used++;
	broken(w, 2);
	queued->state = FAIR_RUNNING;
	broken(w, 2);
	running->state = FAIR_QUEUED;
	broken(w, 2);
	w->s.hash[fair_sched_probe(&w->s, 3)] = 0;
	broken(w, 2);
	w->s.hash[fair_sched_probe(&w->s, 1)] = 0;
	broken(w, 2);
	w->s.busy++;
	broken(w, 3);
	w->s.now = 61; /* 2 should have ended at 60 */
	broken(w, 3);
}

static void invariants_of_promises(struct world *w)
{
	struct fair_live *queued = fair_sched_find(&w->s, 3);

	fair_sched_find(&w->s, 2)->queued.rank.key--; /* amid a step */
	broken(w, 4);
	w->s.keep.plan.jobs++;
	broken(w, 1);
	w->s.procs = w->s.busy - 1;
	broken(w, 3);
	w->s.procs++;
	broken(w, 4);
	queued->queued.walltime++;
	broken(w, 4);
	w->s.now = -1;
	broken(w, 4);
	queued->first_promise--;
	broken(w, 5);
	queued->first_promise--;
	queued->cause = FAIR_CAUSE_CAPACITY;
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void invariants_of_plans(struct world *w)
{
	w->s.plan.queue.jobs++;
	broken(w, 1);
	w->s.plan.reserved += 5;
	broken(w, 1);
	w->s.plan.free--;
	broken(w, 1);
	w->s.procs++;
	broken(w, 3);
}

/* What the policy counts is what runs. */
static void invariants_of_parts(void)
{
	struct fair_config config = { 0 };
	struct world w;

	config.policy = FAIR_SFS;
	config.accounts = 1;
	open_world_of(&w, &config);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	w.s.sfs.busy++;
	w.s.sfs.account[0].occupancy++;
	broken(&w, 3);
	w.s.sfs.account[0].target = -1;
	broken(&w, 3);
	close_world(&w);
	config.policy = FAIR_RELSHARE;
	config.users = 1;
	config.window = 10;
	open_world_of(&w, &config);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	w.s.relshare.busy++;
	broken(&w, 3);
	close_world(&w);
}

/* A clone's hash is as large as it has to be, until more come. */
static void growing_clones(void)
{
	static char memory[1 << 20];
	struct fair_config config = { 0 };
	struct fair_sched s, clone;
	char *copy = memory + sizeof(memory) / 2;
	struct fair_job j;
	uint32_t bits;

	config.policy = FAIR_CONSERVATIVE;
	config.procs = 3;
	config.jobs = 1000;
	TEST_REQUIRE(fair_sched_size(&config) <= sizeof(memory) / 2);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, sizeof(memory) / 2,
				&config), 0);
	TEST_EQ(fair_sched_clone(&clone, copy, sizeof(memory) / 2, &s), 0);
	bits = 64 - clone.hash_shift;
	TEST_CHECK(bits < 64 - s.hash_shift);
	for (j = a_job(1, 0, 9, 1); j.number <= 1000; j.number++)
		TEST_EQ(fair_sched_submit(&clone, 0, &j), 0);
	TEST_EQ(clone.hash_shift, s.hash_shift);
	TEST_EQ(fair_sched_check(&clone), 0);
}

static void invariants_broken_by_hand(void)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_world(&w, policy);
		invariants_of_any_policy(&w);
		if (policy < FAIR_CONSERVATIVE)
			invariants_of_plans(&w);
		else
			invariants_of_promises(&w);
		close_world(&w);
	}
}

/* Every cause, and what is told of it. */
static void promises(void)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 10);
	told(&w, 1, 0, FAIR_FOREVER, 0, FAIR_CAUSE_ARRIVAL, 1);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 5, 2, 50, 8);
	told(&w, 2, 5, FAIR_FOREVER, 100, FAIR_CAUSE_ARRIVAL, 2);
	submit(&w, 5, 3, 50, 4);
	told(&w, 3, 5, FAIR_FOREVER, 150, FAIR_CAUSE_ARRIVAL, 3);
	TEST_EQ(fair_sched_modify(&w.s, 6, 3, 2, 60), 0);
	told(&w, 3, 6, 150, 100, FAIR_CAUSE_EARLIER, 3);
	TEST_EQ(fair_sched_modify(&w.s, 7, 3, 3, 60), 0);
	told(&w, 3, 7, 100, 150, FAIR_CAUSE_MODIFIED, 3);
	/* Job 1 is overdue as somebody looks. */
	TEST_EQ(step(&w, 100), 0);
	told(&w, 2, 100, 100, 200, FAIR_CAUSE_OVERDUE, 1);
	told(&w, 3, 100, 150, 250, FAIR_CAUSE_OVERDUE, 1);
	TEST_EQ(look(&w, 1).end, 200);
	TEST_EQ(fair_sched_next(&w.s), 200);
	TEST_EQ(fair_sched_modify(&w.s, 110, 1, 10, 220), 0);
	told(&w, 2, 110, 200, 310, FAIR_CAUSE_OVERDUE, 1);
	TEST_EQ(fair_sched_finish(&w.s, 120, 1), 0);
	told(&w, 3, 120, 250, 120, FAIR_CAUSE_EARLIER, 3);
	told(&w, 2, 120, 310, 180, FAIR_CAUSE_EARLIER, 2);
	TEST_EQ(step(&w, 120), 3);
	TEST_EQ(fair_sched_capacity(&w.s, 121, -3, NULL, 0), 0);
	told(&w, 2, 121, 180, FAIR_FOREVER, FAIR_CAUSE_CAPACITY, 2);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_EQ(fair_sched_capacity(&w.s, 122, 3, NULL, 0), 0);
	told(&w, 2, 122, FAIR_FOREVER, 180, FAIR_CAUSE_EARLIER, 2);
	TEST_EQ(fair_sched_finish(&w.s, 130, 3), 0);
	told(&w, 2, 130, 180, 130, FAIR_CAUSE_EARLIER, 2);
	TEST_EQ(step(&w, 130), 2);
	TEST_EQ(fair_sched_refuse(&w.s, 130, 2), 0);
	told(&w, 2, 130, 130, 131, FAIR_CAUSE_REFUSED, 2);
	TEST_EQ(look(&w, 2).first_promise, 100);
	TEST_EQ(look(&w, 2).moves, 7);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

static void promises_late(void)
{
	struct fair_job_status j;
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 10);
	submit(&w, 0, 2, 100, 10);
	w.asked = w.tells;
	TEST_EQ(step(&w, 3), 1);
	told(&w, 2, 3, 100, 103, FAIR_CAUSE_LATE_STEP, 2);
	j = look(&w, 2);
	TEST_EQ(j.first_promise, 100);
	TEST_EQ(j.start, 103);
	TEST_EQ(j.moves, 1);
	TEST_EQ(j.cause, FAIR_CAUSE_LATE_STEP);
	TEST_EQ(w.tells, w.asked);
	close_world(&w);
}

/* A job of 5 s in which nobody looks: it doubles at each look. */
static void overdue(void)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		submit(&w, 0, 1, 5, 10);
		TEST_EQ(step(&w, 0), 1);
		submit(&w, 1, 2, 5, 10);
		TEST_EQ(fair_sched_next(&w.s), 5);
		TEST_EQ(fair_sched_pass(&w.s, 4), 0);
		TEST_EQ(look(&w, 1).end, 5);
		TEST_EQ(step(&w, 5), 0);
		TEST_EQ(fair_sched_next(&w.s), 10);
		TEST_EQ(step(&w, 19), 0);
		TEST_EQ(fair_sched_next(&w.s), 20);
		TEST_EQ(fair_sched_finish(&w.s, 20, 1), 0);
		TEST_EQ(step(&w, 20), 2);
		TEST_EQ(look(&w, 2).end, 25);
		/* A completion may still come at the second of the end. */
		TEST_EQ(fair_sched_finish(&w.s, 25, 2), 0);
		TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
		close_world(&w);
	}
}

/* As far as 2^60 s: nothing overflows, nobody traps. */
static void far_away(void)
{
	const int64_t century = INT64_C(3155760000);
	struct fair_job j;
	struct world w;
	uint32_t policy;
	int64_t now;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		j = a_job(9, 0, INT64_C(1) << 34, 1);
		if (policy == FAIR_FCFS)
			TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
		else
			TEST_EQ(fair_sched_submit(&w.s, 0, &j),
				-FAIR_EOVERFLOW);
		j = a_job(8, INT64_MIN, INT64_C(1) << 30, 1);
		TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
		submit(&w, 0, 1, 1, 5);
		submit(&w, 0, 2, 1, 5);
		step(&w, 0);
		for (now = century; now < FAIR_TIME_MAX; now *= 3) {
			step(&w, now);
			TEST_CHECK(fair_sched_next(&w.s) > now);
		}
		step(&w, FAIR_TIME_MAX);
		TEST_EQ(fair_sched_modify(&w.s, FAIR_TIME_MAX, 8, 1,
					  INT64_C(1) << 30),
			0);
		TEST_EQ(fair_sched_finish(&w.s, FAIR_TIME_MAX, 8), 0);
		close_world(&w);
	}
}

/* Walltimes up to the horizon of the plan start; no longer ones are taken. */
static void horizon(void)
{
	struct fair_job j;
	struct world w;
	uint32_t policy;
	int64_t reach;

	for (policy = FAIR_BACKFILL; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		reach = fair_sched_reach(&w.s);
		TEST_CHECK(reach > INT64_C(68) * 365 * 86400);
		j = a_job(1, 0, reach, 1);
		TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_EOVERFLOW);
		submit(&w, 0, 1, reach - 1, 1);
		TEST_EQ(step(&w, 0), 1);
		TEST_EQ(fair_sched_refuse(&w.s, 0, 1), 0);
		TEST_EQ(step(&w, 1), 1);
		TEST_EQ(fair_sched_modify(&w.s, 2, 1, 1, reach),
			-FAIR_EOVERFLOW);
		TEST_EQ(fair_sched_modify(&w.s, 2, 1, 1, 5), 0);
		TEST_EQ(fair_sched_modify(&w.s, 3, 1, 1, reach - 1), 0);
		TEST_EQ(look(&w, 1).end, reach);
		TEST_EQ(step(&w, 3), 0);
		close_world(&w);
	}
}

/* 2,048 steps, of these jobs and two others, are 68 years more. */
static void horizon_by_jobs(void)
{
	struct fair_config c = { 0 };
	struct fair_job j = a_job(1, 0, INT64_C(3) << 30, 1);
	struct fair_sched s;
	size_t bytes;
	void *memory;

	c.policy = FAIR_CONSERVATIVE;
	c.procs = 1;
	for (c.jobs = 1021; c.jobs < 1023; c.jobs++) {
		bytes = fair_sched_size(&c);
		memory = malloc(bytes);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
		TEST_EQ(fair_sched_submit(&s, 0, &j),
			c.jobs < 1022 ? -FAIR_EOVERFLOW : 0);
		free(memory);
	}
}

/* 3 has no place before the horizon, until the horizon has moved on. */
static void beyond_the_horizon(void)
{
	const int64_t half = INT64_C(1) << 30;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 3);
		submit(&w, 0, 1, half, 10);
		submit(&w, 0, 2, half, 10);
		submit(&w, 0, 3, 10, 10);
		TEST_EQ(step(&w, 0), 1);
		if (policy >= FAIR_CONSERVATIVE)
			TEST_EQ(look(&w, 2).first_promise, FAIR_FOREVER);
		TEST_EQ(fair_sched_cancel(&w.s, 1, 3), 0);
		TEST_EQ(fair_sched_finish(&w.s, half, 1), 0);
		TEST_EQ(step(&w, half), 2);
		if (policy >= FAIR_CONSERVATIVE)
			TEST_EQ(look(&w, 2).first_promise, half);
		close_world(&w);
	}
}

/* Time passes by an event that changes nothing: the order changes still. */
static void order_that_time_changes(void)
{
	struct world w;

	/* 1 runs to 100; factors at 1: 2 has 2, 3 has 2; at 41: 42, 21. */
	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_LXF, 1);
	submit(&w, 0, 1, 100, 8);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 100, 10);
	submit(&w, 0, 3, 200, 1);
	TEST_EQ(step(&w, 0), 0); /* 2 is reserved, 3 would delay it */
	TEST_EQ(fair_sched_modify(&w.s, 50, 1, 8, 100), 0);
	TEST_EQ(step(&w, 50), 0);
	submit(&w, 60, 4, 1, 3);
	TEST_EQ(step(&w, 60), 0);
	TEST_EQ(fair_sched_modify(&w.s, 99, 1, 8, 100), 0);
	/* 4, of factor 40, has overtaken 2 and leaves 7 beside it. */
	TEST_EQ(step(&w, 99), 3);
	close_world(&w);
}

static void names_at_the_ends(void)
{
	struct fair_job_status j;
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 2);
		submit(&w, 0, 5, 10, 10);
		TEST_EQ(step(&w, 0), 5);
		submit(&w, 0, UINT64_MAX, 10, 10);
		submit(&w, 0, 0, 10, 10);
		submit(&w, 0, UINT64_MAX - 1, 10, 1);
		TEST_EQ(step(&w, 1), 0);
		TEST_EQ(fair_sched_finish(&w.s, 2, 5), 0);
		/* In order of arrival, which is that of their numbers here. */
		TEST_EQ(step(&w, 2),
			policy < FAIR_CONSERVATIVE ? 0 : UINT64_MAX);
		TEST_EQ(look(&w, 0).job.number, 0);
		TEST_EQ(fair_sched_cancel(&w.s, 3, UINT64_MAX), 0);
		TEST_EQ(fair_sched_lookup(&w.s, UINT64_MAX, &j), -FAIR_EINVAL);
		close_world(&w);
	}
}

/* What only other policies and orders ask for may be anything. */
static void fields_of_others(void)
{
	struct fair_config config = { 0 };
	struct fair_job j = a_job(1, 0, 10, 10);
	struct world w;

	config.policy = FAIR_BACKFILL;
	config.window = INT64_MAX;
	open_world_of(&w, &config);
	j.penalty = -1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(fair_sched_capacity(&w.s, 0, 1, NULL, 0), 0);
	close_world(&w);
}

/* Wider than the machine is, but not than it was. */
static void waits_for_capacity(void)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_world(&w, policy, FAIR_ORDER_FCFS, 2);
		TEST_EQ(fair_sched_capacity(&w.s, 0, -10, NULL, 0), 0);
		submit(&w, 1, 1, 10, 10);
		TEST_EQ(look(&w, 1).first_promise, FAIR_FOREVER);
		TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
		TEST_EQ(step(&w, 2), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 3, 9, NULL, 0), 0);
		TEST_EQ(step(&w, 3), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 4, 2, NULL, 0), 0);
		TEST_EQ(step(&w, 4), 1);
		TEST_EQ(look(&w, 1).start, 4);
		close_world(&w);
	}
}

/* Running jobs that end with the processors that they were on. */
static void victims(void)
{
	static const uint64_t victim[] = { 2, 1 };
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_world(&w, policy);
		TEST_EQ(fair_sched_capacity(&w.s, 20, -4, victim, 1), 0);
		TEST_EQ(w.s.procs, 6);
		TEST_EQ(w.s.busy, 6);
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 21, -1, victim + 1, 1), 0);
		TEST_EQ(w.s.procs, 5);
		TEST_EQ(step(&w, 21), 0);
		TEST_EQ(fair_sched_capacity(&w.s, 22, 5, NULL, 0), 0);
		TEST_EQ(step(&w, 22), 3);
		close_world(&w);
	}
}

/* 2 and 3 wait; 4 would delay the second reservation, not the first. */
static void depths(void)
{
	struct fair_config config = { 0 };
	struct world w;

	config.policy = FAIR_BACKFILL;
	for (; config.select < FAIR_NOFIT; config.select++)
		for (config.depth = 0; config.depth < 3; config.depth++) {
			open_world_of(&w, &config);
			submit(&w, 0, 1, 100, 6);
			TEST_EQ(step(&w, 0), 1);
			submit(&w, 0, 2, 50, 8);
			submit(&w, 0, 3, 50, 9);
			submit(&w, 0, 4, 1000, 2);
			submit(&w, 0, 5, 1000, 1);
			TEST_EQ(step(&w, 0), config.depth < 2 ? 4 : 5);
			close_world(&w);
		}
}

/* Queued jobs in the order of the plan, running ones by their end. */
static void each(void)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_SJF, 1);
	submit(&w, 0, 1, 30, 5);
	submit(&w, 0, 2, 20, 5);
	TEST_EQ(step(&w, 0), 21);
	submit(&w, 1, 3, 50, 10);
	submit(&w, 1, 4, 40, 10);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
	TEST_EQ(j.job.number, 4);
	TEST_EQ(j.start, FAIR_FOREVER);
	TEST_EQ(j.end, FAIR_FOREVER);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
	TEST_EQ(j.job.number, 3);
	TEST_CHECK(!fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
	TEST_EQ(j.job.number, 3);
	at.row = at.index = 0;
	TEST_CHECK(fair_sched_each(&w.s, FAIR_RUNNING, &at, &j));
	TEST_EQ(j.job.number, 2);
	TEST_EQ(j.start, 0);
	TEST_EQ(j.end, 20);
	TEST_CHECK(fair_sched_each(&w.s, FAIR_RUNNING, &at, &j));
	TEST_CHECK(!fair_sched_each(&w.s, FAIR_RUNNING, &at, &j));
	close_world(&w);
}

static void next_step(void)
{
	struct world w;

	open_world(&w, FAIR_PC, FAIR_ORDER_FCFS, 0);
	TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
	submit(&w, 3, 1, 10, 6);
	TEST_EQ(fair_sched_next(&w.s), 3);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(fair_sched_next(&w.s), 13);
	submit(&w, 4, 2, 1, 6);
	TEST_EQ(fair_sched_finish(&w.s, 6, 1), 0);
	TEST_EQ(fair_sched_next(&w.s), 6);
	close_world(&w);

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 3, 1, 10, 6);
	TEST_EQ(fair_sched_next(&w.s), FAIR_FOREVER);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(fair_sched_next(&w.s), 13);
	TEST_EQ(fair_sched_refuse(&w.s, 3, 1), 0);
	TEST_EQ(step(&w, 3), 0);
	TEST_EQ(fair_sched_next(&w.s), 4);
	TEST_EQ(step(&w, 4), 1);
	close_world(&w);
}

/* A hundred starts at once, one at a time or all. */
static uint64_t starts_by(uint32_t policy, uint32_t order, size_t room)
{
	struct fair_config c = { 0 };
	struct fair_decision start[100];
	struct fair_sched s;
	uint64_t told[300], digest;
	size_t i, n, all = 0;
	void *memory;

	c.policy = policy;
	c.order = order;
	c.procs = 1000;
	c.jobs = 100;
	memory = malloc(fair_sched_size(&c));
	if (!memory ||
	    fair_sched_init(&s, sizeof(s), memory, fair_sched_size(&c), &c))
		abort();
	for (i = 0; i < 100; i++) {
		struct fair_job j = a_job(i * 37 % 100, 0, 1 + (int64_t)(i % 7),
					  1 + (int32_t)(i % 10));

		j.cookie = i;
		TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
	}
	do {
		TEST_EQ(fair_sched_step(&s, 0, start, room, &n), 0);
		for (i = 0; i < n; i++, all++) {
			TEST_EQ(start[i].number, start[i].cookie * 37 % 100);
			told[3 * all] = (uint64_t)start[i].time;
			told[3 * all + 1] = start[i].number;
			told[3 * all + 2] = FAIR_START;
		}
	} while (n == room && all < 100);
	TEST_EQ(all, 100);
	digest = fair_sched_digest(&s);
	if (policy < FAIR_CONSERVATIVE)
		TEST_CHECK(digest == fnv(told, 300));
	free(memory);
	return digest;
}

static void room(void)
{
	uint32_t policy, order;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		for (order = 0; order <= FAIR_ORDER_LXF; order++) {
			if (policy == FAIR_CONSERVATIVE && order)
				continue;
			if (policy > FAIR_CONSERVATIVE &&
			    order == FAIR_ORDER_LXF)
				continue;
			TEST_CHECK(starts_by(policy, order, 1) ==
				   starts_by(policy, order, 100));
			TEST_CHECK(starts_by(policy, order, 7) ==
				   starts_by(policy, order, 100));
		}
	}
}

#define MILLION SOME(TEST_ROUNDS(1000000), 10000)

/* Of 1 to 3 processors on 4. */
static void million_queued(struct fair_sched *s)
{
	struct fair_decision start[4];
	struct fair_job_status j;
	struct fair_queue_at at = { 0, 0 };
	uint64_t i;
	size_t n;

	for (i = 0; i < MILLION; i++) {
		struct fair_job job = a_job(i, 0, 60 + (int64_t)(i % 7) * 60,
					    1 + (int32_t)(i % 3));

		job.cookie = i ^ 5;
		if (fair_sched_submit(s, 0, &job))
			break;
	}
	TEST_EQ(i, MILLION);
	TEST_EQ(fair_sched_step(s, 0, start, 4, &n), 0);
	TEST_EQ(n, 3);
	TEST_EQ(start[0].number, 0);
	TEST_EQ(start[1].number, 1);
	TEST_EQ(start[2].number, 3);
	for (i = 0; i < MILLION; i++)
		if (fair_sched_lookup(s, i, &j) || j.job.cookie != (i ^ 5))
			break;
	TEST_EQ(i, MILLION);
	for (i = 0; fair_sched_each(s, FAIR_QUEUED, &at, &j); i++)
		;
	TEST_EQ(i, MILLION - 3);
	TEST_EQ(fair_sched_finish(s, 60, 0), 0);
	TEST_EQ(fair_sched_finish(s, 61, 1), 0); /* early */
	TEST_EQ(fair_sched_step(s, 61, start, 4, &n), 0);
	TEST_CHECK(n > 0);
	TEST_EQ(fair_queue_check(fair_sched_waiting(s)), 0);
	TEST_EQ(s->jobs, MILLION - 2);
	/* Prioritized compression restarts for minutes: docs/PERFORMANCE.md. */
	for (i = 0; i < 5 && s->config.policy != FAIR_PC; i++)
		TEST_EQ(fair_sched_cancel(s, 62, MILLION / 2 + 1000 * i), 0);
	if (i == 5)
		TEST_EQ(fair_sched_lookup(s, MILLION / 2, &j), -FAIR_EINVAL);
}

static void million(uint32_t policy, const char *name)
{
	struct fair_config c = { 0 };
	struct fair_sched s;
	size_t bytes;
	void *memory;

	c.policy = policy;
	c.procs = 4;
	c.jobs = MILLION;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	printf("fairsched.h: %d jobs, %s: %.1f bytes a job\n", MILLION, name,
	       (double)bytes / MILLION);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
	million_queued(&s);
	free(memory);
}

static void million_jobs(void)
{
	million(FAIR_BACKFILL, "easy");
	million(FAIR_CONSERVATIVE, "conservative");
	million(FAIR_PC, "pc");
	million(FAIR_DC, "dc");
}

/* Accounts and users: 0 to 3, of which there is no 3. */
static struct fair_config shared(uint32_t policy)
{
	static const int64_t target[3] = { 2, 4, 8 };
	static const uint32_t share[3] = { 1, 2, 3 };
	struct fair_config c = { 0 };

	c.policy = policy;
	c.procs = PROCS;
	c.jobs = JOBS;
	c.accounts = policy == FAIR_SFS ? 3 : 0;
	c.target = target;
	c.users = policy == FAIR_RELSHARE ? 3 : 0;
	c.share = share;
	c.window = 50;
	return c;
}

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
		TEST_EQ(fair_sched_step(&w->s, w->now, ours + all, room, &n),
			0);
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
	TEST_EQ(fair_sched_init(&w.s, sizeof(w.s), memory[0] + seed % 8,
				w.bytes, &w.config),
		0);
	TEST_EQ(fair_sched_clone(&w.copy, memory[1] + seed % 8, w.bytes, &w.s),
		0);
	for (i = 0; i < 200; i++) {
		shared_event(&w);
		if (i % 3 == 0)
			shared_step(&w, JOBS / (1 + i % 4));
		if (i % 50 == 0)
			TEST_EQ(fair_sched_clone(&w.copy, memory[1] + seed % 8,
						 w.bytes, &w.s),
				0);
		TEST_EQ(fair_sched_check(&w.s), 0);
		TEST_EQ(fair_sched_check(&w.copy), 0);
		TEST_CHECK(fair_sched_digest(&w.s) ==
			   fair_sched_digest(&w.copy));
	}
	w.s.busy++;
	TEST_EQ(fair_sched_check(&w.s), 3);
	w.s.busy--;
	w.s.sfs.busy++;
	TEST_EQ(fair_sched_check(&w.s), policy == FAIR_SFS ? 3 : 0);
	free(memory[0]);
	free(memory[1]);
}

static void bad_targets_and_shares(void)
{
	static const int64_t target[3] = { 2, -1, 8 };
	static const uint32_t share[3] = { 1, UINT32_MAX, 3 };
	struct fair_config c;
	struct fair_sched s, was;
	void *memory;

	memset(&s, 0x5a, sizeof(s));
	was = s;
	for (c = shared(FAIR_SFS); c.policy; c = shared(FAIR_RELSHARE)) {
		c.target = target;
		c.share = share;
		memory = malloc(fair_sched_size(&c));
		TEST_REQUIRE(memory);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory,
					fair_sched_size(&c), &c),
			-FAIR_EINVAL);
		TEST_CHECK(!memcmp(&s, &was, sizeof(s)));
		free(memory);
		if (c.policy == FAIR_RELSHARE)
			break;
	}
}

static void sfs_and_its_clone(void)
{
	uint64_t seed;

	for (seed = 0; seed < 100; seed++)
		shared_run(FAIR_SFS, seed);
}

static void relshare_and_its_clone(void)
{
	uint64_t seed;

	for (seed = 0; seed < 100; seed++)
		shared_run(FAIR_RELSHARE, seed);
}

/* Random events, of each policy, and the naive model: see sched_pair.h. */
static void against_the_model(uint32_t policy, int runs)
{
	static uint8_t data[400];
	uint64_t seed = policy;
	size_t i, size;

	for (runs = SOME(TEST_ROUNDS(runs), 20); runs > 0; runs--) {
		for (i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)test_random(&seed);
		data[0] = 0; /* the first policy */
		size = (size_t)test_range(&seed, 20, sizeof(data));
		TEST_CHECK(pair_run(data, size, policy, runs % 2) ==
			   pair_run(data, size, policy, runs % 2));
	}
}

static void fcfs_against_the_model(void)
{
	against_the_model(FAIR_FCFS, 1000);
}

static void backfill_against_the_model(void)
{
	against_the_model(FAIR_BACKFILL, 2000);
}

static void conservative_against_the_model(void)
{
	against_the_model(FAIR_CONSERVATIVE, 2000);
}

static void pc_against_the_model(void)
{
	against_the_model(FAIR_PC, 2000);
}

static void dc_against_the_model(void)
{
	against_the_model(FAIR_DC, 2000);
}

static void maui_against_the_model(void)
{
	against_the_model(FAIR_MAUI, 2000);
}

static void sfs_against_the_model(void)
{
	against_the_model(FAIR_SFS, 2000);
}

/* What a unit that was compiled against another version does not link with. */
static void versions(void)
{
	TEST_EQ(fair_sched_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_profile_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_queue_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_usage_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_backfill_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_conservative_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_fairness_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_maui_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_penalty_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_priority_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_relshare_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_sfs_version_100(), FAIRSCHED_VERSION);
	TEST_EQ(fair_throttle_version_100(), FAIRSCHED_VERSION);
}

int main(void)
{
	TEST_RUN(versions);
	TEST_RUN(example_of_the_manual);
	TEST_RUN(digests);
	TEST_RUN(texts);
	TEST_RUN(configurations);
	TEST_RUN(configurations_of_orders);
	TEST_RUN(sizes_are_exact);
	TEST_RUN(sizes_are_those_of_the_parts);
	TEST_RUN(most_jobs);
	TEST_RUN(parts_that_are_too_large);
	TEST_RUN(init_errors);
	TEST_RUN(errors_change_nothing);
	TEST_RUN(invariants_broken_by_hand);
	TEST_RUN(invariants_of_parts);
	TEST_RUN(growing_clones);
	TEST_RUN(promises);
	TEST_RUN(promises_late);
	TEST_RUN(overdue);
	TEST_RUN(far_away);
	TEST_RUN(horizon);
	TEST_RUN(horizon_by_jobs);
	TEST_RUN(beyond_the_horizon);
	TEST_RUN(order_that_time_changes);
	TEST_RUN(names_at_the_ends);
	TEST_RUN(fields_of_others);
	TEST_RUN(waits_for_capacity);
	TEST_RUN(victims);
	TEST_RUN(depths);
	TEST_RUN(each);
	TEST_RUN(next_step);
	TEST_RUN(room);
	TEST_RUN(million_jobs);
	TEST_RUN(bad_targets_and_shares);
	TEST_RUN(sfs_and_its_clone);
	TEST_RUN(relshare_and_its_clone);
	TEST_RUN(fcfs_against_the_model);
	TEST_RUN(backfill_against_the_model);
	TEST_RUN(conservative_against_the_model);
	TEST_RUN(pc_against_the_model);
	TEST_RUN(dc_against_the_model);
	TEST_RUN(maui_against_the_model);
	TEST_RUN(sfs_against_the_model);
	return test_report();
}
