/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What the scheduler asks of maui.h beside the gate: priorities, bypassed jobs,
 * flags, copies of jobs, changes of usage and of credentials, and a state that is
 * saved and loaded.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "policies/maui.h"
#include "tests/test.h"

#define HIGH (UINT64_C(1) << 32) /* no bit of 32 */

enum { JOBS = 3 };

static struct fair_maui_credential user[2];
static struct fair_maui_qos qos[1];
static unsigned char saved[4096];
static uint64_t rooms[2][1024];

static struct fair_maui_config configuration(void)
{
	struct fair_maui_config c = fair_maui_defaults();

	user[0] = user[1] = fair_maui_credential_defaults();
	user[0].hard[FAIR_THROTTLE_PROCS] = 4;
	user[1].has_target = true;
	user[1].target.points = 30 * FAIR_USAGE_POINT;
	user[1].target.kind = FAIR_USAGE_CAP;
	qos[0].flags = FAIR_MAUI_RESERVEALWAYS;
	c.usage = FAIR_MAUI_PROCS;
	c.interval = 100;
	c.count[FAIR_THROTTLE_USER] = 2;
	c.count[FAIR_THROTTLE_QOS] = 1;
	c.credential[FAIR_THROTTLE_USER] = user;
	c.qos = qos;
	return c;
}

static struct fair_maui_request request(uint32_t of, uint32_t quality,
					int32_t procs)
{
	struct fair_maui_request r;

	memset(&r, 0, sizeof(r));
	memset(r.id, 0xff, sizeof(r.id));
	r.id[FAIR_THROTTLE_USER] = of;
	r.id[FAIR_THROTTLE_QOS] = quality;
	r.procs = procs;
	r.nodes = 1;
	r.walltime = 60;
	r.memory = 7;
	r.rate = 5;
	return r;
}

static void open_in(struct fair_maui *m, int place, int64_t origin)
{
	struct fair_maui_config c = configuration();

	TEST_OK(fair_maui_init(m, sizeof(*m), rooms[place],
			       sizeof(rooms[place]), &c, JOBS, 10, origin));
}

static void submit_all(struct fair_maui *m)
{
	struct fair_maui_request r[JOBS] = {
		request(0, 0, 3),
		request(1, FAIR_THROTTLE_NONE, 9),
		request(0, FAIR_THROTTLE_NONE, 2),
	};
	int i;

	for (i = 0; i < JOBS; i++)
		TEST_EQ(fair_maui_submit(m, (uint32_t)i, &r[i]), 0);
}

/* It is 250: user 1 has used the machine; jobs 0 to 2 wait. */
static void play(struct fair_maui *m)
{
	TEST_EQ(FAIR_THROTTLE_NONE, UINT32_MAX);
	open_in(m, 0, -30);
	submit_all(m);
	TEST_EQ(fair_maui_start(m, -30, 1, 250), 0);
	fair_maui_advance(m, 250);
	TEST_EQ(fair_maui_finish(m, 1, 250), 0);
	submit_all(m);
	TEST_CHECK(fair_maui_is_over_cap(m, 1));
	fair_maui_bypass(m, 0);
	fair_maui_bypass(m, 0);
	fair_maui_prioritize(m, 0, 100, 60);
}

TEST(flags_are_those_of_the_qos)
{
	struct fair_maui m;

	play(&m);
	TEST_EQ(fair_maui_flags(&m, 0), FAIR_MAUI_RESERVEALWAYS);
	TEST_EQ(fair_maui_flags(&m, 1), 0);
}

/* As fair_maui_parts() said when it was asked for. */
TEST(priority_is_the_last_computed)
{
	struct fair_priority_parts parts;
	struct fair_maui m;

	play(&m);
	TEST_EQ(fair_maui_parts(&m, 0, 100, 60, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 2 * FAIR_PRIORITY_ONE);
	TEST_EQ(fair_maui_priority(&m, 0), parts.priority);
	fair_maui_advance(&m, 250 + 3600);
	TEST_EQ(fair_maui_priority(&m, 0), parts.priority);
	fair_maui_prioritize(&m, 0, 100, 60);
	TEST_CHECK(fair_maui_priority(&m, 0) > parts.priority);
}

TEST(starts_whatever_its_limits)
{
	struct fair_maui m;

	play(&m);
	TEST_EQ(fair_maui_start(&m, 250, 0, 310), 0);
	TEST_EQ(fair_maui_start(&m, 250, 2, 310), -FAIR_ERANGE);
	fair_maui_force_start(&m, 250, 2, 310);
	TEST_EQ(fair_maui_check(&m), 0);
	/* Its exemptions are those that it had. */
	TEST_EQ(m.job[2].asks.exempt, 0);
	TEST_EQ(fair_maui_finish(&m, 2, 310), 0);
	TEST_EQ(fair_maui_finish(&m, 0, 310), 0);
	TEST_EQ(fair_maui_check(&m), 0);
}

/* Its user has 4 processors: job 0 has 2 of them, as job 2, and gets a third one
 * only by force. */
TEST(grows_within_its_limits)
{
	struct fair_maui_request r = request(0, 0, 2);
	struct fair_maui m;

	play(&m);
	TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
	TEST_EQ(fair_maui_start(&m, 250, 0, 310), 0);
	TEST_EQ(fair_maui_start(&m, 250, 2, 310), 0);
	r.procs = 3;
	TEST_EQ(fair_maui_resize(&m, 250, 0, 310, &r, false), -FAIR_ERANGE);
	TEST_EQ(m.job[0].asks.procs, 2);
	TEST_EQ(fair_maui_resize(&m, 250, 0, 310, &r, true), 0);
	TEST_EQ(m.job[0].asks.procs, 3);
	TEST_EQ(fair_maui_check(&m), 0);
}

/* Multiples of 100. */
TEST(the_window_of_the_origin)
{
	struct fair_maui m;

	open_in(&m, 0, -30);
	TEST_EQ(m.zero, -100);
	open_in(&m, 0, -100);
	TEST_EQ(m.zero, -100);
	open_in(&m, 0, 0);
	TEST_EQ(m.zero, 0);
	open_in(&m, 0, 130);
	TEST_EQ(m.zero, 100);
}

/* The selection begins with the soft limits. */
TEST(nothing_is_skipped_as_a_selection_begins)
{
	struct fair_maui m;

	open_in(&m, 0, 0);
	m.skipped_at = 3;
	fair_maui_begin_selection(&m, FAIR_THROTTLE_HARD);
	TEST_EQ(m.skipped_at, 3);
	fair_maui_begin_selection(&m, FAIR_THROTTLE_SOFT);
	TEST_EQ(m.skipped_at, INT64_MAX);
}

static uint64_t charged(const struct fair_maui *m, uint32_t id)
{
	uint64_t whole = UINT64_MAX, fraction;

	TEST_CHECK(fair_maui_charged(m, FAIR_THROTTLE_USER, id, &whole,
				     &fraction));
	return whole;
}

/* Nobody is over a cap of nothing. */
TEST(usage_is_set)
{
	uint64_t whole, fraction;
	struct fair_maui m;
	int kind;

	play(&m);
	TEST_EQ(charged(&m, 1), 9 * 280);
	TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_USER, 1, 5, 0), 0);
	TEST_EQ(charged(&m, 1), 5);
	TEST_CHECK(fair_maui_is_over_cap(&m, 1));
	TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_USER, 1, 0, 0), 0);
	TEST_CHECK(!fair_maui_is_over_cap(&m, 1));
	TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_USER, 1,
				      (UINT64_C(1) << 51) + 1, 0),
		-FAIR_EOVERFLOW);
	for (kind = -1; kind <= FAIR_THROTTLE_KINDS; kind++) {
		whole = kind == FAIR_THROTTLE_USER ? 2 : 1;
		TEST_EQ(fair_maui_set_charged(&m, kind, (uint32_t)whole, 1, 0),
			-FAIR_EINVAL);
		TEST_EQ(fair_maui_credit(&m, kind, (uint32_t)whole, &fraction),
			-FAIR_EINVAL);
		TEST_CHECK(!fair_maui_charged(&m, kind, (uint32_t)whole, &whole,
					      &fraction));
	}
	TEST_EQ(fair_maui_set_charged(&m, -1, 0, 1, 0), -FAIR_EINVAL);
	TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_KINDS, 0, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_check(&m), 0);
}

/* Of a window: as much as is left of it counts from now on. */
TEST(room_in_a_window)
{
	const uint64_t most = (UINT64_C(1) << 59) / 7;
	/* What is charged less than @most, and the user of a job of 1. */
	static const struct {
		uint64_t less;
		uint32_t user;
		bool room;
	} c[] = { { 0, UINT32_MAX, false },   { 1, UINT32_MAX, true },
		  { 256 * 100, 0, false },    { 256 * 100 + 1, 0, true },
		  { 256 * 100, 1, false },    { 256 * 100 + 1, 1, true } };
	struct fair_maui_request r;
	struct fair_maui m;
	uint64_t amount;
	size_t i;

	for (i = 0; i < sizeof(c) / sizeof(*c); i++) {
		open_in(&m, 0, 0);
		amount = most - c[i].less;
		TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_USER, 0,
					      amount >> 8, amount << 56),
			0);
		if (c[i].user < 2) {
			r = request(c[i].user, 0, 1);
			TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
			TEST_EQ(fair_maui_start(&m, 0, 0, 60), 0);
		}
		TEST_EQ(fair_maui_has_room(&m), c[i].room);
	}
}

/* What was charged counts in the window of now. */
TEST(another_window)
{
	struct fair_maui_config c = configuration();
	struct fair_maui m;

	play(&m);
	TEST_EQ(fair_maui_set_window(&m, 50, FAIR_USAGE_ONE / 2), 0);
	TEST_EQ(m.zero, -100);
	TEST_EQ(charged(&m, 1), 9 * 280);
	fair_maui_advance(&m, 300);
	TEST_EQ(charged(&m, 1), 9 * 140);
	TEST_EQ(fair_maui_check(&m), 0);
	/* From -2^61 on there is no window of 1000 s. */
	c.interval = 1;
	TEST_OK(fair_maui_init(&m, sizeof(m), rooms[0], sizeof(rooms[0]), &c,
			       JOBS, 10, -(INT64_C(1) << 61)));
	TEST_EQ(fair_maui_set_window(&m, 1000, 0), -FAIR_EOVERFLOW);
}

TEST(another_credential)
{
	struct fair_maui_credential none = fair_maui_credential_defaults();
	struct fair_maui m;

	play(&m);
	TEST_EQ(fair_maui_set_credential(&m, FAIR_THROTTLE_USER, 1, &none), 0);
	TEST_CHECK(!fair_maui_is_over_cap(&m, 1));
	TEST_EQ(fair_maui_set_credential(&m, FAIR_THROTTLE_USER, 1, &user[1]),
		0);
	TEST_CHECK(fair_maui_is_over_cap(&m, 1));
	/* Of two, one has no cap any more. */
	TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_USER, 0, 5, 0), 0);
	TEST_EQ(fair_maui_set_charged(&m, FAIR_THROTTLE_USER, 1, 5, 0), 0);
	TEST_EQ(fair_maui_set_credential(&m, FAIR_THROTTLE_USER, 0, &user[1]),
		0);
	TEST_EQ(fair_maui_set_credential(&m, FAIR_THROTTLE_USER, 1, &none), 0);
	TEST_CHECK(fair_maui_is_over_cap(&m, 0));
	TEST_CHECK(!fair_maui_is_over_cap(&m, 1));
	TEST_EQ(fair_maui_set_credential(&m, -1, 0, &none), -FAIR_EINVAL);
	TEST_EQ(fair_maui_set_credential(&m, FAIR_THROTTLE_KINDS, 0, &none),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_check(&m), 0);
}

TEST(jobs_are_cloned_one_by_one)
{
	struct fair_maui m, copy;

	play(&m);
	TEST_EQ(fair_maui_clone(&copy, rooms[1], sizeof(rooms[1]), &m), 0);
	fair_maui_clone_job(&copy, 2, &m, 0);
	TEST_EQ(fair_maui_request_of(&copy, 2).procs, 3);
	TEST_EQ(fair_maui_flags(&copy, 2), FAIR_MAUI_RESERVEALWAYS);
	TEST_EQ(fair_maui_priority(&copy, 2), fair_maui_priority(&m, 0));
}

static size_t save(const struct fair_maui *m)
{
	struct fair_checkpoint f;
	size_t bytes = 0;
	uint32_t i, round;

	for (round = 0; round < 2; round++) {
		fair_checkpoint_write(&f, round ? saved : NULL, 1);
		fair_maui_save(m, JOBS, &f);
		for (i = 0; i < JOBS; i++)
			fair_maui_save_job(m, i, &f);
		fair_maui_save_usage(m, &f);
		TEST_CHECK(!f.bad);
		bytes = fair_checkpoint_finish(&f);
		TEST_CHECK(bytes <= sizeof(saved));
	}
	return bytes;
}

static bool load(struct fair_maui *m, int64_t now, uint32_t jobs, size_t bytes)
{
	const struct fair_maui_request r[JOBS] = {
		request(0, 0, 3),
		request(1, FAIR_THROTTLE_NONE, 9),
		request(0, FAIR_THROTTLE_NONE, 2),
	};
	struct fair_checkpoint f;
	uint32_t i;

	open_in(m, 1, -30);
	TEST_EQ(fair_checkpoint_read(&f, saved, bytes, 1), 0);
	fair_maui_load(m, now, jobs, &f);
	for (i = 0; i < jobs && !f.bad; i++)
		fair_maui_load_job(m, i, r[i], &f);
	fair_maui_load_usage(m, &f);
	return !f.bad;
}

TEST(loaded_answers_the_same)
{
	static unsigned char first[4096];
	struct fair_priority_parts a, b;
	struct fair_maui m, copy;
	size_t bytes;
	uint32_t i;

	play(&m);
	bytes = save(&m);
	memcpy(first, saved, bytes);
	TEST_REQUIRE(load(&copy, 250, JOBS, bytes));
	TEST_EQ(fair_maui_check(&copy), 0);
	TEST_EQ(save(&copy), bytes);
	TEST_CHECK(!memcmp(saved, first, bytes));
	for (i = 0; i < JOBS; i++) {
		TEST_EQ(fair_maui_is_over_cap(&copy, i), fair_maui_is_over_cap(&m, i));
		TEST_EQ(fair_maui_priority(&copy, i),
			fair_maui_priority(&m, i));
		TEST_EQ(fair_maui_parts(&m, i, 100, 60, &a), 0);
		TEST_EQ(fair_maui_parts(&copy, i, 100, 60, &b), 0);
		TEST_CHECK(!memcmp(&a, &b, sizeof(a)));
	}
}

static void sign(size_t bytes)
{
	uint64_t hash = fair_fnv(saved, bytes - 8);
	int i;

	for (i = 0; i < 8; i++)
		saved[bytes - 8 + (size_t)i] = (unsigned char)(hash >> 8 * i);
}

/* With a word of a section of one record changed. */
static bool loads_of(const struct fair_maui *m, uint64_t section, size_t word,
		     uint64_t value)
{
	struct fair_maui x;
	size_t bytes, at, i;

	bytes = save(m);
	for (at = 24; saved[at] != section;)
		at += 8 * (3 + (size_t)saved[at + 8] * saved[at + 16]);
	for (i = 0; i < 8; i++)
		saved[at + 8 * word + i] = (unsigned char)(value >> 8 * i);
	sign(bytes);
	return load(&x, 250, JOBS, bytes);
}

static bool loads_with(uint64_t section, size_t word, uint64_t value)
{
	struct fair_maui m;

	play(&m);
	return loads_of(&m, section, word, value);
}

TEST(what_cannot_be_is_bad)
{
	enum { STATE = 3, ZERO = STATE, NOW, USAGE, COUNT,
	       INTERVAL = COUNT + FAIR_THROTTLE_KINDS, DECAY, SKIPPED_AT };
	/* Of job 0: its nodes and memory, how often it was bypassed, its rank,
	 * and by which credential it was skipped. */
	enum { JOB = 3, MEMORY, BYPASSED = JOB + 5, RANK = JOB + 7, SKIPPED };
	struct fair_maui m;
	size_t bytes;

	TEST_CHECK(loads_with(FAIR_MAUI_STATE, NOW, 250));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, NOW, 251));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, NOW, (uint64_t)-101));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, NOW,
			       (uint64_t)(-(INT64_C(1) << 60) - 1)));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, ZERO, 300));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, ZERO, (uint64_t)-99));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, ZERO,
			       (uint64_t)(-FAIR_MAUI_TIME / 100 * 100 - 100)));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, USAGE, 0));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, COUNT, 1));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, NOW, (uint64_t)-50));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, ZERO, (uint64_t)-101));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, COUNT, UINT64_C(2) | HIGH));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, INTERVAL, 50));
	TEST_CHECK(!loads_with(FAIR_MAUI_STATE, SKIPPED_AT, UINT64_MAX));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, JOB, UINT64_C(1) | HIGH));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, MEMORY, UINT64_MAX));
	TEST_CHECK(loads_with(FAIR_MAUI_JOBS, BYPASSED, INT64_MAX / 2));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, BYPASSED,
			       (uint64_t)INT64_MAX / 2 + 1));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, BYPASSED, UINT64_MAX));
	TEST_CHECK(loads_with(FAIR_MAUI_JOBS, RANK, 100 * FAIR_USAGE_POINT));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, RANK,
			       100 * FAIR_USAGE_POINT + 1));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, RANK, UINT64_MAX));
	/* Soft and hard by its user, by the group that it has not, by none. */
	TEST_CHECK(loads_with(FAIR_MAUI_JOBS, SKIPPED, 0x101));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, SKIPPED, 0x002));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, SKIPPED, 0x200));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, SKIPPED, 0x006));
	TEST_CHECK(!loads_with(FAIR_MAUI_JOBS, SKIPPED, 0x10000));
	/* No ledger of users. */
	TEST_CHECK(!loads_with(FAIR_MAUI_LEDGERS, 0, 99));
	play(&m);
	bytes = save(&m);
	TEST_CHECK(!load(&m, 249, JOBS, bytes));
	TEST_CHECK(!load(&m, 250, JOBS - 1, bytes));
	TEST_CHECK(load(&m, 251, JOBS, bytes));
	/* Nothing was charged, but now is before the origin. */
	open_in(&m, 0, -30);
	submit_all(&m);
	TEST_CHECK(loads_of(&m, FAIR_MAUI_STATE, NOW, (uint64_t)-30));
	TEST_CHECK(!loads_of(&m, FAIR_MAUI_STATE, NOW, (uint64_t)-50));
	/* The window that it was given is a part of the state. */
	play(&m);
	TEST_EQ(fair_maui_set_window(&m, 50, FAIR_USAGE_ONE / 2), 0);
	bytes = save(&m);
	TEST_CHECK(load(&m, 250, JOBS, bytes));
	TEST_EQ(m.config->interval, 50);
}
