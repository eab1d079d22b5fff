/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What was saved and loaded answers as the original does, and a state that
 * cannot be is bad.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/relative.h"

enum { USERS = 3, JOBS = 6, WORDS = 6 };

static int64_t window = 100;
static unsigned char saved[4096], room[1 << 16];
static struct fair_relshare_live jobs[JOBS];

static bool live(const void *context, uint32_t slot,
		 struct fair_relshare_live *job)
{
	const struct fair_relshare *r = (const struct fair_relshare *)context;

	TEST_CHECK(slot < JOBS && !r->usage.latest);
	*job = jobs[slot];
	return job->procs > 0;
}

/* At 130: users 0 and 1 have used some; two jobs run, two wait. */
static void play(struct fair_relshare *r)
{
	static const struct fair_relshare_live now[JOBS] = {
		{ 0, 0, 0, false },  { 1, 4, 200, true }, { 0, 3, 0, false },
		{ 2, 5, 170, true }, { 1, 2, 0, false },  { 0, 0, 0, false },
	};

	memcpy(jobs, now, sizeof(jobs));
	machine(r, USERS, 10, window);
	submit(r, 0, 0, 0, 8);
	start(r, 0, 0, 50);
	submit(r, 10, 1, 1, 4);
	finish(r, 50, 0);
	start(r, 50, 1, 200);
	submit(r, 120, 2, 0, 3);
	submit(r, 120, 3, 2, 5);
	start(r, 120, 3, 170);
	submit(r, 130, 4, 1, 2);
}

static size_t save(const struct fair_relshare *r)
{
	struct fair_checkpoint f;
	size_t bytes;

	fair_checkpoint_write(&f, NULL, 1);
	fair_relshare_save(r, &f);
	bytes = fair_checkpoint_finish(&f);
	TEST_CHECK(bytes <= sizeof(saved));
	fair_checkpoint_write(&f, saved, 1);
	fair_relshare_save(r, &f);
	TEST_EQ(fair_checkpoint_finish(&f), bytes);
	return bytes;
}

static bool load_users(struct fair_relshare *r, uint32_t users, int64_t now,
		       size_t bytes)
{
	struct fair_relshare_config c = plain(users, 10, window);
	struct fair_checkpoint f;

	TEST_EQ(fair_relshare_init(r, sizeof(*r), room, sizeof(room), &c), 0);
	TEST_EQ(fair_checkpoint_read(&f, saved, bytes, 1), 0);
	fair_relshare_load(r, now, JOBS, live, r, &f);
	return !f.bad;
}

static bool load(struct fair_relshare *r, int64_t now, size_t bytes)
{
	return load_users(r, USERS, now, bytes);
}

TEST(loaded_answers_the_same)
{
	struct fair_relshare r, copy;
	static unsigned char first[4096];
	uint64_t a[2], b[2];
	uint32_t u, v;
	size_t bytes;

	play(&r);
	bytes = save(&r);
	memcpy(first, saved, bytes);
	TEST_REQUIRE(load(&copy, 130, bytes));
	TEST_EQ(fair_relshare_check(&copy), 0);
	TEST_EQ(save(&copy), bytes);
	TEST_CHECK(!memcmp(saved, first, bytes));
	for (u = 0; u < USERS; u++) {
		TEST_EQ(used(&copy, u, 130), used(&r, u, 130));
		TEST_EQ(fair_relshare_entitlement(&r, u, 130, &a[0], &a[1]), 0);
		TEST_OK(fair_relshare_entitlement(&copy, u, 130, &b[0], &b[1]));
		TEST_CHECK(a[0] == b[0] && a[1] == b[1]);
		for (v = 0; v < USERS; v++)
			TEST_EQ(fair_relshare_compare(&copy, u, v, NULL),
				fair_relshare_compare(&r, u, v, NULL));
	}
	finish(&r, 160, 3);
	finish(&copy, 160, 3);
	TEST_EQ(used(&copy, 2, 160), used(&r, 2, 160));
}

/* Usage that decays is a part of the state. */
TEST(a_half_life_is_loaded)
{
	struct fair_relshare_config c = plain(USERS, 10, 100);
	struct fair_relshare r, copy;
	struct fair_checkpoint f;
	size_t bytes;

	c.decays = true;
	c.expected = false;
	memset(jobs, 0, sizeof(jobs));
	make(&r, &c);
	submit(&r, 0, 0, 0, 8);
	start(&r, 0, 0, 50);
	finish(&r, 50, 0);
	bytes = save(&r);
	TEST_OK(fair_relshare_init(&copy, sizeof(copy), room, sizeof(room),
				   &c));
	TEST_EQ(fair_checkpoint_read(&f, saved, bytes, 1), 0);
	fair_relshare_load(&copy, 50, JOBS, live, &copy, &f);
	TEST_CHECK(!f.bad);
	TEST_CHECK(used(&r, 0, 50) > 0);
	TEST_EQ(used(&copy, 0, 50), used(&r, 0, 50));
}

static void sign(size_t bytes)
{
	uint64_t hash = fair_fnv(saved, bytes - 8);
	int i;

	for (i = 0; i < 8; i++)
		saved[bytes - 8 + (size_t)i] = (unsigned char)(hash >> 8 * i);
}

/* What loads with another of its words. */
static bool loads_with(size_t word, uint64_t value)
{
	struct fair_relshare r;
	size_t bytes, k;

	play(&r);
	bytes = save(&r);
	for (k = 0; k < 8; k++)
		saved[8 * (WORDS + word) + k] =
			(unsigned char)(value >> 8 * k);
	sign(bytes);
	return load(&r, 130, bytes);
}

/* The first multiple of 100 from -2^62 on. */
#define FIRST ((uint64_t)-INT64_C(4611686018427387900))

/* Words of the state: zero, begin, now, most_share; and of user 0. */
TEST(what_cannot_be_is_bad)
{
	enum { SINCE = 7 + 3 + 3 };
	static const struct {
		size_t word;
		uint64_t value;
	} is[] = {
		{ 0, 200 },	 /* zero behind begin */
		{ 0, 50 },	 /* no window begins then */
		{ 1, 0 },	 /* not the window of now */
		{ 2, 131 },	 /* behind the scheduler's now */
		{ 2, 99 },	 /* before its window */
		{ 3, 0 },	 /* users have more */
		{ 3, UINT32_MAX },
		{ 0, UINT64_MAX }, /* no window begins then either */
		{ 0, FIRST - 100 }, /* too early */
		{ SINCE, UINT64_MAX }, /* user 0 was charged before zero */
		{ SINCE, 131 },
	};
	struct fair_relshare r;
	size_t bytes, i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++)
		TEST_CHECK(!loads_with(is[i].word, is[i].value));
	TEST_CHECK(loads_with(0, FIRST));
	window = 64;
	TEST_CHECK(loads_with(0, (uint64_t)(-(INT64_C(1) << 62))));
	window = 100;
	play(&r);
	bytes = save(&r);
	TEST_CHECK(!load(&r, 129, bytes));
	TEST_CHECK(load(&r, 131, bytes));
}

/* A section that is not there, or of another number of records. */
TEST(sections_are_all_needed)
{
	struct fair_relshare r;
	size_t bytes, at, section;

	for (section = 0; section < 3; section++) {
		play(&r);
		bytes = save(&r);
		for (at = 24; saved[at] != FAIR_RELSHARE_STATE + section;)
			at += 8 * (3 + (size_t)saved[at + 8] *
					       saved[at + 16]);
		saved[at] = 99;
		sign(bytes);
		TEST_CHECK(!load(&r, 130, bytes));
	}
}

/* More users than are known; fewer have used nothing. */
TEST(other_users)
{
	struct fair_relshare r;
	uint32_t users;
	size_t bytes;

	memset(jobs, 0, sizeof(jobs));
	machine(&r, USERS, 10, 100);
	bytes = save(&r);
	for (users = USERS - 1; users <= USERS + 1; users++)
		TEST_EQ(load_users(&r, users, 0, bytes), users >= USERS);
	TEST_EQ(used(&r, USERS, 0), 0);
	TEST_EQ(fair_relshare_check(&r), 0);
}
