/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A walk that was saved and loaded goes on where it was; what an explanation
 * asks of the order, and what counts without a walk.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

static unsigned char saved[4096];

static size_t save(const struct site *s, int64_t now)
{
	struct fair_checkpoint f;
	size_t bytes;

	fair_checkpoint_write(&f, NULL, 1);
	fair_backfill_save(&s->b, now, &f);
	bytes = fair_checkpoint_finish(&f);
	TEST_CHECK(bytes <= sizeof(saved));
	fair_checkpoint_write(&f, saved, 1);
	fair_backfill_save(&s->b, now, &f);
	TEST_EQ(fair_checkpoint_finish(&f), bytes);
	TEST_CHECK(!f.bad);
	return bytes;
}

static uint32_t slot_of(const void *context, uint64_t number)
{
	const struct site *s = (const struct site *)context;
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	for (; fair_queue_next_fitting(&s->b.queue, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->b.queue, at);
		if (s->job[slot].rank.number == number)
			return slot;
	}
	return UINT32_MAX;
}

static bool is_complete(const struct site *s)
{
	struct fair_checkpoint f = { .find = slot_of, .context = s };

	return fair_backfill_is_complete(&s->b, &f);
}

/* The jobs that run and wait in @from, in an empty @to. */
static void restore(struct site *to, const struct site *from, int64_t now)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t slot;

	memcpy(to->job, from->job, sizeof(to->job));
	for (; fair_queue_next_fitting(&from->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&from->running, at);
		TEST_EQ(fair_queue_insert(&to->running, slot), 0);
		fair_backfill_count(&to->b, 0, -to->job[slot].procs);
		if (to->b.planned)
			TEST_OK(fair_profile_reserve(&to->b.space.profile, now,
						     to->job[slot].rank.key -
							     now,
						     to->job[slot].procs));
	}
	at.row = at.index = 0;
	for (; fair_queue_next_fitting(&from->b.queue, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&from->b.queue, at);
		to->job[slot].mark = 0;
		TEST_EQ(fair_queue_insert(&to->b.queue, slot), 0);
	}
	to->used = from->used;
}

static bool load(struct site *s, int64_t now, size_t bytes)
{
	struct fair_iteration it = iteration(s, now);
	struct fair_checkpoint f;

	TEST_EQ(fair_checkpoint_read(&f, saved, bytes, 1), 0);
	f.find = slot_of;
	f.context = s;
	fair_backfill_load(&s->b, &it, &f);
	return !f.bad;
}

/* In each order, paused after each number of scans. */
TEST(a_walk_goes_on_from_a_checkpoint)
{
	struct users users[2];
	struct site s, t;
	uint32_t depth, how, scans, slot;
	size_t bytes;

	for (depth = 0; depth < 4; depth++)
		for (how = 0; how < 3; how++)
			for (scans = 0; scans < 12; scans++) {
				open_site(&s, depth, how > 0, 0);
				open_site(&t, depth, how > 0, 0);
				if (how == 2) {
					walk_by_users(&s, &users[0]);
					walk_by_users(&t, &users[1]);
				}
				add(&s, 0, 100, 6);
				add(&s, 1, 50, 8);
				add(&s, 1, 200, 9);
				add(&s, 1, 300, 2);
				add(&s, 2, 40, 1);
				TEST_CHECK(due(&s, 2, &slot));
				s.job[slot].rank.key = 2 + s.job[slot].walltime;
				TEST_EQ(fair_queue_insert(&s.running, slot), 0);
				s.b.scans = scans;
				TEST_EQ(s.b.scans, scans);
				(void)due(&s, 2, &slot);
				if (!fair_backfill_is_paused(&s.b)) {
					/* a start, which is not of interest */
					close_site(&t);
					free(s.memory);
					free(s.more);
					continue;
				}
				bytes = save(&s, 2);
				restore(&t, &s, 2);
				TEST_CHECK(load(&t, 2, bytes));
				TEST_CHECK(fair_backfill_is_paused(&t.b));
				TEST_EQ(t.b.reserved, s.b.reserved);
				TEST_OK(fair_backfill_check(&t.b, &t.running));
				s.b.scans = UINT64_MAX;
				TEST_EQ(starts(&s, 2), starts(&t, 2));
				TEST_EQ(t.b.reserved, s.b.reserved);
				TEST_EQ(is_complete(&t),
					is_complete(&s));
				close_site(&s);
				close_site(&t);
			}
}

/* What was saved is a walk that begins anew. */
TEST(a_dropped_walk_begins_anew)
{
	struct site s;
	uint32_t slot;

	open_site(&s, 1, true, 0);
	walk_by_slot(&s);
	add(&s, 0, 10, 10);
	add(&s, 0, 10, 1);
	s.b.scans = 1;
	TEST_CHECK(!due(&s, 0, &slot) && fair_backfill_is_paused(&s.b));
	TEST_CHECK(!fair_backfill_must_begin(&s.b, 0));
	fair_backfill_abandon(&s.b);
	TEST_CHECK(!fair_backfill_is_paused(&s.b));
	TEST_CHECK(fair_backfill_must_begin(&s.b, 0));
	TEST_CHECK(!is_complete(&s));
	s.b.scans = UINT64_MAX;
	TEST_EQ(starts(&s, 0), 0);
	TEST_CHECK(is_complete(&s));
	close_site(&s);
}

TEST(fcfs_is_complete_at_the_job_that_it_stops_at)
{
	struct site s;

	open_site(&s, 0, false, 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_CHECK(is_complete(&s));
	add(&s, 0, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 0, 10, 10);
	TEST_CHECK(!is_complete(&s));
	TEST_EQ(starts(&s, 0), 0);
	TEST_CHECK(is_complete(&s));
	close_site(&s);
}

static bool no_job(const void *context, int64_t now, uint32_t slot)
{
	(void)context;
	(void)now;
	(void)slot;
	return true;
}

/* It passes over jobs that a veto is against. */
TEST(fcfs_is_complete_behind_vetoes)
{
	struct fair_walk walk = { .veto = no_job };
	struct site s;

	open_site(&s, 0, false, 0);
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	add(&s, 0, 10, 1);
	TEST_CHECK(!is_complete(&s));
	TEST_EQ(starts(&s, 0), 0);
	TEST_CHECK(is_complete(&s));
	close_site(&s);
}

TEST(fcfs_keeps_no_reservation)
{
	struct site s, t;
	size_t bytes;

	open_site(&s, 0, false, 0);
	open_site(&t, 0, false, 0);
	s.b.kept = 1; /* and there is none */
	bytes = save(&s, 0);
	restore(&t, &s, 0);
	TEST_CHECK(!load(&t, 0, bytes));
	close_site(&s);
	close_site(&t);
}

/* With another shadow time, the word 6 of the walk; @waits: it is that of a
 * reservation. */
static bool loads_with_shadow(bool waits, int64_t shadow)
{
	struct site s, t;
	size_t bytes;
	bool good;

	if (waits)
		(void)three_wait(&s, 1);
	else
		open_site(&s, 1, false, 0);
	open_site(&t, 1, false, 0);
	bytes = save(&s, 0);
	TEST_EQ(fair_get_word(saved + 24), FAIR_BACKFILL_WALK);
	fair_put_word(saved + 8 * (6 + 6), (uint64_t)shadow);
	fair_put_word(saved + bytes - 8, fair_fnv(saved, bytes - 8));
	restore(&t, &s, 0);
	good = load(&t, 0, bytes);
	close_site(&s);
	close_site(&t);
	return good;
}

/* From -2^60 to 2^61, or none; that of a reservation is some. */
TEST(shadow_times)
{
	const int64_t far = INT64_C(1) << 60;

	TEST_CHECK(loads_with_shadow(false, -far));
	TEST_CHECK(!loads_with_shadow(false, -far - 1));
	TEST_CHECK(loads_with_shadow(false, 2 * far));
	TEST_CHECK(!loads_with_shadow(false, 2 * far + 1));
	TEST_CHECK(!loads_with_shadow(false, INT64_MAX - 1));
	TEST_CHECK(loads_with_shadow(false, INT64_MAX));
	TEST_CHECK(loads_with_shadow(true, 2 * far));
	TEST_CHECK(!loads_with_shadow(true, INT64_MAX));
}

/* Of job 1, with another start. */
static bool loads_kept(int64_t start)
{
	const struct fair_selection keeps = { 1,     2,	   FAIR_FIRSTFIT, 0,
					      false, true, NULL,	  NULL };
	unsigned char *p = saved + 8 * FAIR_CHECKPOINT_HEADER;
	struct site s, t;
	size_t bytes;
	bool good;

	open_site(&s, 2, true, 0);
	open_site(&t, 2, true, 0);
	TEST_EQ(fair_backfill_select_by(&s.b, &keeps), 0);
	TEST_EQ(fair_backfill_select_by(&t.b, &keeps), 0);
	add(&s, 0, 10, 10);
	add(&s, 0, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	fair_backfill_displace_all(&s.b, 0);
	TEST_EQ(s.b.kept, 1);
	bytes = save(&s, 0);
	while (fair_get_word(p) != FAIR_BACKFILL_HELD)
		p += 8 * fair_checkpoint_extent(p);
	p += 8 * FAIR_CHECKPOINT_HEADER;
	TEST_EQ(fair_get_word(p), 10);
	fair_put_word(p, (uint64_t)start);
	fair_put_word(saved + bytes - 8, fair_fnv(saved, bytes - 8));
	restore(&t, &s, 0);
	good = load(&t, 0, bytes);
	close_site(&s);
	close_site(&t);
	return good;
}

/* The same times. */
TEST(kept_reservations)
{
	const int64_t far = INT64_C(1) << 60;

	TEST_CHECK(loads_kept(-far));
	TEST_CHECK(!loads_kept(-far - 1));
	TEST_CHECK(loads_kept(2 * far));
	TEST_CHECK(!loads_kept(2 * far + 1));
}

/* (wait + walltime) / walltime; at 10: 2, 11, 2 of an earlier job. */
TEST(expansion_factor)
{
	const struct fair_queued j[] = { { { 0, 2 }, 10, 1, 0, 0, 0 },
					 { { 0, 1 }, 1, 1, 0, 0, 0 },
					 { { -10, 9 }, 20, 1, 0, 0, 0 } };

	TEST_CHECK(fair_backfill_lxf_before(&j[1], &j[0], 10));
	TEST_CHECK(!fair_backfill_lxf_before(&j[0], &j[1], 10));
	TEST_CHECK(fair_backfill_lxf_before(&j[2], &j[0], 10));
	TEST_CHECK(!fair_backfill_lxf_before(&j[0], &j[2], 10));
	TEST_CHECK(!fair_backfill_lxf_before(&j[0], &j[0], 10));
}

/* By rank, by the caller's order, by users: of all pairs, and counted. */
TEST(who_goes_before)
{
	static const uint32_t order[3][4] = { { 0, 1, 2, 3 },
					      { 3, 2, 1, 0 },
					      { 2, 3, 0, 1 } };
	struct fair_iteration it;
	struct fair_walk walk = { 0 };
	struct users users;
	struct site s;
	uint32_t how, i, k;

	for (how = 0; how < 3; how++) {
		open_site(&s, 1, how > 0, 0);
		walk.before = last_first;
		if (how == 1)
			TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
		if (how == 2) {
			walk_by_users(&s, &users);
			users.started[0] = 5;
		}
		for (i = 0; i < 4; i++)
			add(&s, 0, 10 - i, i < 3 ? 1 : INT32_MAX);
		it = iteration(&s, 7);
		for (i = 0; i < 4; i++) {
			TEST_EQ(fair_backfill_ahead(&s.b, &it, order[how][i]),
				i);
			for (k = 0; k < 4; k++)
				TEST_EQ(fair_backfill_goes_before(
						&s.b, &it, order[how][i],
						order[how][k]),
					i < k);
		}
		close_site(&s);
	}
}

/* Behind the reservation of 6, the jobs 2 and 3 of one user and 4 of another one
 * come by their submit times: where 2 does not fit, 4 starts, and not 3. */
TEST(users_that_tie)
{
	struct users users;
	struct site s;

	open_site(&s, 1, true, 0);
	walk_by_users(&s, &users);
	add(&s, -9, 100, 6);
	add(&s, -9, 100, 10);
	TEST_OK(fair_backfill_withdraw(&s.b, 1));
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.running.jobs, 1);
	add(&s, 0, 10, 5);
	add(&s, 20, 10, 3);
	add(&s, 10, 10, 3);
	add(&s, 30, 10, 3);
	add(&s, -1, 10, 10);
	TEST_EQ(starts(&s, 30), 4);
	close_site(&s);
}

static uint32_t prepared[JOBS];

static void prepare(void *context, int64_t now, uint32_t slot)
{
	(void)context;
	TEST_EQ(now, 7);
	prepared[slot]++;
}

/* Each job once, before any is considered; a scan limit puts it off. */
TEST(prepares_each_job_once)
{
	struct fair_walk walk = { 0 };
	struct site s;
	uint32_t slot, i;

	memset(prepared, 0, sizeof(prepared));
	open_site(&s, 1, true, 0);
	walk.prepare = prepare;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	for (i = 0; i < 4; i++)
		add(&s, 0, 10, i < 3 ? 10 : INT32_MAX);
	for (i = 0; i < 4; i++) {
		s.b.scans = 1;
		TEST_CHECK(!due(&s, 7, &slot));
		TEST_CHECK(fair_backfill_is_paused(&s.b));
		TEST_EQ(prepared[i], 1);
		TEST_EQ(prepared[i + 1], 0);
	}
	s.b.scans = UINT64_MAX;
	TEST_EQ(starts(&s, 7), 0);
	TEST_EQ(s.running.jobs, 1);
	for (i = 0; i < 4; i++)
		TEST_EQ(prepared[i], 1);
	close_site(&s);
}

/* Counts alone: the profile is the caller's to change. */
TEST(counts_processors)
{
	struct site s;

	open_site(&s, 1, false, 0);
	fair_backfill_count(&s.b, 3, 3);
	TEST_CHECK(s.b.procs == PROCS + 3 && s.b.free == PROCS + 3);
	fair_backfill_count(&s.b, -3, -3);
	close_site(&s);
}
