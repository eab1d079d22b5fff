/* SPDX-License-Identifier: MIT OR Unlicense */
#include <stdlib.h>

#define FAIRSCHED_IMPLEMENTATION
#include "policies/backfill.h"
#include "test.h"

/* The example of the manual; how many jobs run. */
static uint32_t manual(void)
{
	struct fair_queued job[16] = { 0 };
	struct fair_queue running;
	struct fair_backfill b;
	char memory[2][8192];
	uint32_t slot;

	fair_queue_init(&running, sizeof(running), memory[0], 8192, 16, job,
			sizeof(job[0]));
	fair_backfill_init(&b, sizeof(b), memory[1], 8192, 1, false, 16, job,
			   sizeof(job[0]), 100, 0, &running);
	job[0].rank.key = 0; // submitted at 0: first come ...
	job[0].rank.number = 7;
	job[0].walltime = 3600;
	job[0].procs = 64;
	fair_backfill_submit(&b, 0);
	while (fair_backfill_due(&b, 0, &slot)) {
		job[slot].rank.key = 0 + job[slot].walltime; // runs until
		fair_queue_insert(&running, slot);
	}

	return running.jobs;
}

static void example_of_the_manual(void)
{
	TEST_EQ(manual(), 1);
}

#define JOBS 16
#define PROCS 10

/* A machine, its running jobs and what waits. */
struct site {
	struct fair_queued job[JOBS];
	struct fair_queue running;
	struct fair_backfill b;
	char *memory, *more;
	uint32_t used;
};

static void open_site(struct site *s, uint32_t depth, bool sorts, size_t shift)
{
	size_t bytes = fair_backfill_size(depth, sorts, JOBS);
	size_t more = fair_queue_size(JOBS);
	char *held;

	memset(s, 0, sizeof(*s));
	s->memory = (char *)malloc(bytes + shift);
	s->more = (char *)malloc(more);
	if (!s->memory || !s->more)
		abort();
	TEST_EQ(fair_queue_init(&s->running, sizeof(s->running), s->more, more,
				JOBS, s->job, sizeof(s->job[0])),
		0);
	TEST_EQ(fair_backfill_init(&s->b, sizeof(s->b), s->memory + shift,
				   bytes - 1, depth, sorts, JOBS, s->job,
				   sizeof(s->job[0]), PROCS, 0, &s->running),
		-FAIR_ENOMEM);
	TEST_EQ(fair_backfill_init(&s->b, sizeof(s->b), s->memory + shift,
				   bytes, depth, sorts, JOBS, s->job,
				   sizeof(s->job[0]), PROCS, 0, &s->running),
		0);
	TEST_CHECK(fair_backfill_begins(&s->b, 0));
	held = (char *)s->b.held;
	TEST_EQ((uintptr_t)held % 8, 0);
	TEST_CHECK(held < s->memory + shift + more +
				  fair_backfill_profile_size(depth, JOBS) + 8);
	TEST_CHECK((char *)(s->b.sorted + (sorts ? JOBS : 0)) <=
		   s->memory + shift + bytes);
}

static void close_site(struct site *s)
{
	TEST_EQ(fair_backfill_check(&s->b), 0);
	free(s->memory);
	free(s->more);
}

/* The slot of a new job, which is also its number. */
static uint32_t add(struct site *s, int64_t submit, int64_t walltime,
		    int32_t procs)
{
	struct fair_queued *j = &s->job[s->used];

	j->rank.key = submit;
	j->rank.number = s->used;
	j->walltime = walltime;
	j->procs = procs;
	TEST_EQ(fair_backfill_submit(&s->b, s->used), 0);
	return s->used++;
}

/* Who starts now, as digits of their slots: 1, then 3, is 13; nobody is 0. */
static uint32_t starts(struct site *s, int64_t now)
{
	uint32_t slot, all = 0;

	while (fair_backfill_due(&s->b, now, &slot)) {
		s->job[slot].rank.key = now + s->job[slot].walltime;
		TEST_EQ(fair_queue_insert(&s->running, slot), 0);
		TEST_EQ(fair_backfill_check(&s->b), 0);
		all = 10 * all + slot;
	}
	TEST_EQ(fair_backfill_check(&s->b), 0);
	return all;
}

/* The next start; 99 if there is none. */
static uint32_t next(struct site *s)
{
	uint32_t slot;

	if (!fair_backfill_due(&s->b, 0, &slot))
		return 99;
	s->job[slot].rank.key = s->job[slot].walltime;
	TEST_EQ(fair_queue_insert(&s->running, slot), 0);
	return slot;
}

static void finish(struct site *s, int64_t now, uint32_t slot)
{
	TEST_EQ(fair_queue_remove(&s->running, slot), 0);
	TEST_EQ(fair_backfill_give_back(&s->b, now, s->job[slot].rank.key,
					s->job[slot].procs),
		0);
	TEST_EQ(fair_backfill_check(&s->b), 0);
}

static void shadow_time(void)
{
	int64_t when = -1;
	int32_t extra = -1;
	struct site s;
	uint32_t i;

	open_site(&s, 1, false, 0);
	TEST_EQ(fair_easy_shadow(&s.running, 3, 2, 7, &when, &extra), 0);
	TEST_EQ(when, 7);
	TEST_EQ(extra, 1);
	/* ends, processors: 10, 2; 10, 3; 20, 4; 1 is free */
	add(&s, 0, 10, 2);
	add(&s, 0, 10, 3);
	add(&s, 0, 20, 4);
	for (i = 0; i < 3; i++)
		s.job[i].rank.key = s.job[i].walltime;
	for (i = 0; i < 3; i++)
		TEST_EQ(fair_queue_insert(&s.running, i), 0);

	/* 2 would do at 10, but both end then */
	TEST_EQ(fair_easy_shadow(&s.running, 1, 3, 0, &when, &extra), 0);
	TEST_EQ(when, 10);
	TEST_EQ(extra, 3);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 6, 0, &when, &extra), 0);
	TEST_EQ(when, 10);
	TEST_EQ(extra, 0);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 7, 0, &when, &extra), 0);
	TEST_EQ(when, 20);
	TEST_EQ(extra, 3);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 1, 15, &when, &extra), 0);
	TEST_EQ(when, 15);
	TEST_EQ(extra, 5);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 10, 20, &when, &extra), 0);
	TEST_EQ(when, 20);
	TEST_EQ(extra, 0);
	TEST_EQ(fair_easy_shadow(&s.running, 1, 11, 20, &when, &extra),
		-FAIR_ERANGE);
	TEST_EQ(when, 20);
	TEST_EQ(extra, 0);
	free(s.memory);
	free(s.more);
}

static void may_backfill(void)
{
	TEST_CHECK(fair_easy_may_backfill(100, 4, 4, 100, 0));
	TEST_CHECK(!fair_easy_may_backfill(101, 4, 4, 100, 3));
	TEST_CHECK(fair_easy_may_backfill(101, 4, 4, 100, 4));
	TEST_CHECK(!fair_easy_may_backfill(50, 5, 4, 100, 9));
}

/* 0 runs until 100, 1 waits for it: shadow time 100, 2 extra processors. */
static void easy(void)
{
	struct site s;

	open_site(&s, 1, false, 1);
	add(&s, 0, 100, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.running.jobs, 1);
	add(&s, 1, 50, 8);
	add(&s, 2, 99, 3);  /* too long by a second, too wide by one */
	add(&s, 2, 98, 1);  /* ends at the shadow time */
	add(&s, 2, 900, 1); /* extra */
	add(&s, 2, 900, 2); /* more than is extra now */
	add(&s, 2, 900, 1); /* extra, the last */
	TEST_EQ(starts(&s, 2), 346);
	TEST_EQ(s.b.shadow_time, 100);
	TEST_EQ(s.b.extra_procs, 0);
	TEST_EQ(s.b.free, 1);
	finish(&s, 50, 3); /* early: 2 and 5 have to wait still */
	TEST_EQ(starts(&s, 50), 0);
	finish(&s, 100, 0);
	TEST_EQ(starts(&s, 100), 1);
	TEST_EQ(s.b.shadow_time, 150);
	close_site(&s);
}

static void fcfs(void)
{
	struct site s;

	open_site(&s, 0, false, 2);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 5);
	add(&s, 0, 1, 1);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.running.jobs, 1);
	TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
	TEST_EQ(starts(&s, 1), 2);
	close_site(&s);
}

/* 0 runs, 1 and 2 are too wide; 3 delays 2, but not 1. */
static uint32_t three_wait(struct site *s, uint32_t depth)
{
	open_site(s, depth, false, 3);
	add(s, 0, 100, 6);
	add(s, 0, 50, 8);
	add(s, 0, 200, 9);
	add(s, 0, 300, 2);
	add(s, 0, 100, 1);
	return starts(s, 0);
}

static void depth(void)
{
	struct site s;

	TEST_EQ(three_wait(&s, 1), 34);
	close_site(&s);

	TEST_EQ(three_wait(&s, 2), 4);
	TEST_EQ(s.b.reserved, 2);
	TEST_EQ(s.b.held[0].start, 100);
	TEST_EQ(s.b.held[1].start, 150);
	close_site(&s);

	TEST_EQ(three_wait(&s, 3), 4);
	TEST_EQ(s.b.reserved, 3);
	TEST_EQ(s.b.held[2].start, 350);
	finish(&s, 100, 0);
	finish(&s, 100, 4);
	TEST_EQ(starts(&s, 120), 1);
	TEST_EQ(s.b.reserved, 2);
	close_site(&s);
}

/* 2 is reserved for [50, 250): when it is planned afresh, a part has passed. */
static void reservations_pass(void)
{
	static const int64_t late[] = { 50, 170, 250, 600 };
	struct site s;
	uint32_t i;

	for (i = 0; i < 4; i++) {
		TEST_EQ(three_wait(&s, 3), 4);
		finish(&s, 0, 0);
		finish(&s, 0, 4);
		TEST_EQ(starts(&s, 0), 1);
		TEST_EQ(s.b.held[0].start, 50);
		TEST_EQ(fair_profile_advance(&s.b.profile, late[i]), 0);
		finish(&s, late[i], 1);
		TEST_EQ(starts(&s, late[i]), 2);
		close_site(&s);
	}
}

static void refused_jobs_wait(void)
{
	struct site s;
	uint32_t d;

	for (d = 0; d < 3; d++) {
		open_site(&s, d, false, 4);
		add(&s, 0, 10, 4);
		add(&s, 0, 10, 4);
		s.job[0].mark = FAIR_MARK_REFUSED;
		TEST_EQ(starts(&s, 5), d ? 1 : 0);
		if (d == 1)
			TEST_EQ(s.b.shadow_time, 6);
		if (d == 2)
			TEST_EQ(s.b.held[0].start, 6);
		s.job[0].mark = 0;
		fair_backfill_replan(&s.b);
		TEST_EQ(starts(&s, 6), d ? 0 : 1);
		TEST_EQ(s.running.jobs, 2);
		close_site(&s);
	}
}

/* How many jobs a walk looks at. */
static uint64_t looks_at(struct site *s, int64_t now)
{
	fair_backfill_budget(&s->b, 1000);
	starts(s, now);
	return 1000 - s->b.looks;
}

/*
 * fcfs at none behind the first that waits; others, without reservations left,
 * at none that is too wide; and later at the newcomer alone.
 */
static void looks(void)
{
	static const uint64_t all[] = { 2, 4, 5, 5 };
	struct site s;
	uint32_t d;

	for (d = 0; d < 4; d++) {
		open_site(&s, d, false, 0);
		add(&s, 0, 100, 6);
		add(&s, 0, 50, 8);
		add(&s, 0, 200, 9);
		add(&s, 0, 300, 2);
		add(&s, 0, 100, 1);
		TEST_EQ(looks_at(&s, 0), all[d]);
		TEST_EQ(looks_at(&s, 0), 0);
		add(&s, 1, 300, 1);
		TEST_EQ(looks_at(&s, 1), d > 0);
		add(&s, 1, 300, 10);
		TEST_EQ(looks_at(&s, 1), 0);
		TEST_EQ(fair_backfill_withdraw(&s.b, 6), 0);
		TEST_EQ(looks_at(&s, 2), 0);
		close_site(&s);
	}
}

/* One that no machine is wide enough for is not looked at again either. */
static void looks_at_newcomers(void)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 11);
	add(&s, 0, 10, 10);
	TEST_EQ(looks_at(&s, 0), 2);
	add(&s, 5, 10, 1);
	TEST_EQ(looks_at(&s, 0), 1);
	TEST_EQ(s.b.reserved, 1);
	finish(&s, 3, 1);
	TEST_EQ(looks_at(&s, 3), 2);
	TEST_EQ(s.b.reserved, 0);
	add(&s, 4, 10, 1);
	TEST_EQ(looks_at(&s, 4), 1);
	add(&s, 4, 10, 11);
	TEST_EQ(looks_at(&s, 4), 1);
	TEST_EQ(fair_backfill_withdraw(&s.b, 4), 0);
	TEST_EQ(looks_at(&s, 4), 0);
	close_site(&s);
}

/* A walk that pauses at each job goes on behind it. */
static void looks_one_by_one(void)
{
	struct site s;
	uint32_t slot, i;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 9);
	TEST_EQ(looks_at(&s, 0), 1);
	add(&s, 0, 10, 10);
	for (i = 0; i < 3; i++)
		add(&s, 0, 100, 1);
	for (i = 0; i < 4; i++) {
		fair_backfill_budget(&s.b, 1);
		TEST_CHECK(!fair_backfill_due(&s.b, 0, &slot));
		TEST_EQ(fair_backfill_paused(&s.b), i < 3);
		TEST_EQ(s.b.looks, 0);
	}
	close_site(&s);
}

/* Neither sorts again, nor looks again, nor where nothing is free. */
static void looks_of_a_phase(void)
{
	const struct fair_fill fill = { 1, 1, 0, 0, false, NULL };
	struct site s;
	uint32_t slot, i, free;

	for (free = 0; free < 2; free++) {
		open_site(&s, 2, true, 0);
		TEST_EQ(fair_backfill_fill_by(&s.b, &fill), 0);
		add(&s, 0, 100, 10 - (int32_t)free);
		TEST_EQ(looks_at(&s, 0), 1);
		add(&s, 0, 10, 10);
		for (i = 0; i < 2; i++)
			add(&s, 0, 200, 2);
		/* 1 + 2 to sort, 3 for the reservation, 2 that do not fit. */
		for (i = 0; i < 6 + 2 * free; i++) {
			TEST_EQ(fair_backfill_paused(&s.b), i > 0);
			fair_backfill_budget(&s.b, 1);
			TEST_CHECK(!fair_backfill_due(&s.b, 0, &slot));
			TEST_EQ(s.b.looks, 0);
		}
		TEST_CHECK(!fair_backfill_paused(&s.b));
		TEST_EQ(looks_at(&s, 0), 0);
		close_site(&s);
	}
}

/* To sort is to look, too, and may be put off. */
static void looks_of_sorting(void)
{
	struct site s;
	uint32_t slot, i;

	open_site(&s, 1, true, 0);
	for (i = 0; i < 5; i++)
		add(&s, 0, 10, 10);
	/* 2 make a heap, 4 take it apart; one starts, one is reserved. */
	for (i = 0; i < 6; i++) {
		fair_backfill_budget(&s.b, 1);
		TEST_CHECK(!fair_backfill_due(&s.b, 0, &slot));
		TEST_CHECK(fair_backfill_paused(&s.b));
		TEST_EQ(s.b.unsorted, 5 - i);
	}
	TEST_EQ(looks_at(&s, 0), 2);
	fair_backfill_replan(&s.b);
	fair_backfill_budget(&s.b, 1);
	TEST_CHECK(!fair_backfill_due(&s.b, 0, &slot));
	for (i = 0; i < 5; i++)
		if (s.b.queue.jobs > 1 && s.job[i].rank.key == 0)
			TEST_EQ(fair_backfill_withdraw(&s.b, i), 0);
	finish(&s, 1, 0);
	TEST_EQ(looks_at(&s, 1), 1); /* one alone needs no order */
	close_site(&s);
}

/* From the first rank there is, though the last walk ended behind the last. */
static void first_rank(void)
{
	struct site s;

	open_site(&s, 1, false, 0);
	s.used = 1;
	add(&s, 0, 10, 10);
	TEST_EQ(next(&s), 1);
	s.used = 0;
	add(&s, INT64_MIN, 10, 10);
	TEST_EQ(next(&s), 99);
	finish(&s, 0, 1);
	TEST_EQ(next(&s), 0);
	close_site(&s);
}

/* Nor is it looked at again by the next call. */
static void last_rank(void)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 9);
	add(&s, 0, 10, 10);
	s.job[2].rank.key = INT64_MAX;
	s.job[2].rank.number = UINT64_MAX - 1;
	s.job[2].walltime = 100;
	s.job[2].procs = 1;
	TEST_EQ(fair_backfill_submit(&s.b, 2), 0);
	TEST_EQ(looks_at(&s, 0), 3);
	TEST_EQ(looks_at(&s, 0), 0);
	close_site(&s);
}

/* Who should have ended may end at any moment. */
static void overdue(void)
{
	struct site s;

	open_site(&s, 1, false, 0);
	add(&s, 0, 5, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(s.b.extra_procs, 0);
	add(&s, 6, 10, 8);
	TEST_EQ(starts(&s, 7), 0);
	TEST_EQ(s.b.shadow_time, 7);
	TEST_EQ(s.b.extra_procs, 2);
	close_site(&s);
}

static void events(uint32_t d)
{
	struct site s;

	open_site(&s, d, false, 5);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 6);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_backfill_shrink(&s.b, 0, 5), -FAIR_ERANGE);
	TEST_EQ(s.b.free, 4);
	TEST_EQ(fair_backfill_shrink(&s.b, 0, 4), 0);
	add(&s, 0, 1, 1);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_backfill_give_back(&s.b, 1, FAIR_FOREVER, 5), 0);
	TEST_EQ(s.b.procs, 11);
	TEST_EQ(starts(&s, 1), 2);
	/* The running job gets longer, then shorter. */
	add(&s, 2, 150, 5);
	TEST_EQ(fair_queue_remove(&s.running, 0), 0);
	s.job[0].rank.key = 160;
	TEST_EQ(fair_queue_insert(&s.running, 0), 0);
	TEST_EQ(fair_backfill_extend(&s.b, 2, 100, 160, 6), 0);
	finish(&s, 2, 2);
	TEST_EQ(starts(&s, 2), 3);
	TEST_EQ(fair_queue_remove(&s.running, 0), 0);
	s.job[0].rank.key = 50;
	TEST_EQ(fair_queue_insert(&s.running, 0), 0);
	TEST_EQ(fair_backfill_shorten(&s.b, 50, 160, 6), 0);
	add(&s, 3, 1, 11);
	TEST_EQ(starts(&s, 3), 0);
	finish(&s, 50, 0); /* as planned: nothing to give back */
	TEST_EQ(starts(&s, 50), 1);
	TEST_EQ(s.b.again, false);
	close_site(&s);
}

static void events_with_shadow_time(void)
{
	events(1);
}

static void events_with_profile(void)
{
	events(2);
}

/* (9 + 1) / 1 is above (10 + 2) / 2; at 0 they were equal. */
static void expansion_factor(void)
{
	struct site s;

	open_site(&s, 1, true, 7);
	add(&s, 0, 100, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 0, 2, 10);
	add(&s, 1, 1, 10);
	add(&s, 1, 1, 10);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(s.b.sorted[0], 1);
	finish(&s, 10, 0);
	TEST_EQ(starts(&s, 10), 2); /* and 3 by its number behind it */
	finish(&s, 11, 2);
	TEST_EQ(starts(&s, 11), 3);
	finish(&s, 12, 3);
	TEST_EQ(starts(&s, 12), 1);
	close_site(&s);
}

/* Factors that differ in the last of 97 bits; a stay of nearly 2^64 s. */
static void expansion_factor_is_exact(void)
{
	const int64_t year = INT64_C(1) << 34;
	const struct fair_queued old = { { -(INT64_C(1) << 62), 0 }, 1, 1, 0 };
	const struct fair_queued new = { { 0, 1 }, INT64_C(1) << 40, 1, 0 };
	struct site s;

	/* 2^62 + 1 and 1: times 2^40 the lower halves are the same. */
	TEST_CHECK(fair_backfill_lxf_before(&old, &new, 0));
	TEST_CHECK(!fair_backfill_lxf_before(&new, &old, 0));
	open_site(&s, 1, true, 0);
	add(&s, 0, 1, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, -(INT64_C(1) << 62), year, 10);
	add(&s, -(INT64_C(1) << 62) + 1, year - 1, 10);
	TEST_EQ(starts(&s, 0), 0);
	/* 2^62 / 2^34 is below (2^62 - 1) / (2^34 - 1). */
	TEST_EQ(s.b.sorted[0], 2);
	add(&s, INT64_MIN, year, 10);
	TEST_EQ(starts(&s, INT64_C(1) << 60), 0);
	TEST_EQ(s.b.sorted[0], 3);
	close_site(&s);
}

/* The next rank after the last number begins with another key. */
static void last_number(void)
{
	struct site s;
	uint32_t slot;

	open_site(&s, 1, false, 0);
	add(&s, 0, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 0, 10, 10);
	s.job[2].rank.key = 0;
	s.job[2].rank.number = UINT64_MAX;
	s.job[2].walltime = s.job[2].procs = 1;
	TEST_EQ(fair_backfill_submit(&s.b, 2), 0);
	TEST_CHECK(!fair_backfill_due(&s.b, 0, &slot));
	TEST_EQ(fair_backfill_shrink(&s.b, 0, 0), 0);
	s.used = 3;
	add(&s, 1, 1, 1);
	finish(&s, 0, 0);
	TEST_EQ(starts(&s, 0), 1);
	close_site(&s);
}

/* Extra processors are of depth 1; elsewhere they must not run over. */
static void starts_without_end(void)
{
	struct fair_queued job[3] = { 0 };
	char memory[2][65536];
	struct fair_queue running;
	struct fair_backfill b;
	uint32_t i, slot = 0;

	TEST_EQ(fair_queue_init(&running, sizeof(running), memory[0], 65536, 3,
				job, sizeof(job[0])),
		0);
	TEST_EQ(fair_backfill_init(&b, sizeof(b), memory[1], 65536, 2, false, 3,
				   job, sizeof(job[0]), INT32_MAX, 0, &running),
		0);
	for (i = 0; i < 2; i++) {
		job[i].rank.number = i;
		job[i].walltime = 1000;
		job[i].procs = i ? INT32_MAX : 1;
		TEST_EQ(fair_backfill_submit(&b, i), 0);
	}
	TEST_CHECK(fair_backfill_due(&b, 0, &slot));
	job[0].rank.key = 1000;
	TEST_EQ(fair_queue_insert(&running, 0), 0);
	TEST_CHECK(!fair_backfill_due(&b, 0, &slot));
	for (i = 0; i < 5; i++) {
		job[2].rank.key = 5;
		job[2].rank.number = 2;
		job[2].walltime = 1;
		job[2].procs = INT32_MAX / 2;
		TEST_EQ(fair_backfill_submit(&b, 2), 0);
		TEST_CHECK(fair_backfill_due(&b, i, &slot));
		TEST_EQ(slot, 2);
		TEST_EQ(fair_backfill_give_back(&b, i + 1, i + 1,
						INT32_MAX / 2),
			0);
		TEST_EQ(b.extra_procs, 0);
	}
	TEST_EQ(fair_backfill_check(&b), 0);
}

/* Two jobs a user: who has fewest starts and reservations is first. */
struct users {
	const struct fair_backfill *b;
	uint32_t started[JOBS];
	struct fair_group groups[JOBS];
};

static uint32_t user_of(const void *context, uint32_t slot)
{
	(void)context;
	return slot / 2;
}

static uint32_t had(const struct users *u, uint32_t user)
{
	uint32_t n = u->started[user], i;

	for (i = 0; i < u->b->reserved; i++)
		n += u->b->held[i].slot / 2 == user;
	return n;
}

static int fewest_first(const void *context, uint32_t a, uint32_t b)
{
	const struct users *u = (const struct users *)context;

	TEST_CHECK(a < JOBS && b < JOBS);
	return a < JOBS && b < JOBS ? (int)had(u, a) - (int)had(u, b) : 0;
}

static void walk_by_users(struct site *s, struct users *users)
{
	struct fair_walk walk = { 0 };

	memset(users, 0, sizeof(*users));
	memset(users->groups, 0xff, sizeof(users->groups));
	users->b = &s->b;
	walk.group = user_of;
	walk.compare = fewest_first;
	walk.groups = users->groups;
	walk.context = users;
	TEST_EQ(fair_backfill_walk_by(&s->b, &walk), 0);
}

static bool last_first(const void *context, int64_t now, uint32_t a, uint32_t b)
{
	(void)context;
	(void)now;
	return a > b;
}

/* In the first pass, of two, job 0 has to wait. */
static bool not_at_once(const void *context, int64_t now, uint32_t slot,
			uint32_t pass)
{
	(void)context;
	(void)now;
	TEST_EQ(pass, 0);
	return slot != 0;
}

/* What changes the walk, or the plan, has the next one begin anew. */
static void anew(void)
{
	const struct fair_fill fill = { 1, 1, 0, 0, false, NULL };
	struct fair_walk walk = { 0 };
	int32_t least = -1;
	struct site s;

	open_site(&s, 2, true, 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_CHECK(!fair_backfill_begins(&s.b, 0));
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_CHECK(fair_backfill_begins(&s.b, 0));
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), 0);
	TEST_CHECK(fair_backfill_begins(&s.b, 0));
	close_site(&s);
	TEST_EQ(three_wait(&s, 3), 4);
	TEST_CHECK(!fair_backfill_begins(&s.b, 5));
	fair_backfill_lift(&s.b, 5);
	TEST_CHECK(fair_backfill_begins(&s.b, 5));
	TEST_EQ(s.b.reserved, 0);
	TEST_EQ(s.b.profile.origin, 5);
	TEST_EQ(fair_profile_min_free(&s.b.profile, 100, 900, &least), 0);
	TEST_EQ(least, PROCS);
	close_site(&s);
}

static void walk_errors(void)
{
	struct fair_walk walk = { 0 };
	struct site s;

	open_site(&s, 1, false, 0);
	TEST_EQ(fair_backfill_walk_by(&s.b, NULL), -FAIR_EINVAL);
	walk.before = last_first;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), -FAIR_EINVAL);
	walk.before = NULL;
	walk.group = user_of;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), -FAIR_EINVAL);
	TEST_CHECK(!s.b.walk.before && !s.b.walk.group);
	walk.group = NULL;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	close_site(&s);
}

static bool by_rank(const void *context, int64_t now, uint32_t a, uint32_t b)
{
	(void)context;
	(void)now;
	return a < b;
}

static void bad_fills(void)
{
	const struct fair_fill good = {
		1, 2, FAIR_BESTFIT, FAIR_FIT_PROCS, false, NULL
	};
	struct fair_walk walk = { 0 };
	struct fair_fill fill = good;
	struct site s;

	open_site(&s, 2, false, 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), -FAIR_EINVAL);
	close_site(&s);
	open_site(&s, 1, true, 0);
	fill.limit = 1;
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), -FAIR_EINVAL);
	close_site(&s);
	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, NULL), -FAIR_EINVAL);
	fill.limit = 3;
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), -FAIR_EINVAL);
	fill = good;
	fill.select = FAIR_NOFIT + 1;
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), -FAIR_EINVAL);
	fill = good;
	fill.metric = FAIR_FIT_PROC_SECONDS + 1;
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), -FAIR_EINVAL);
	walk.passes = 2;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &good), -FAIR_EINVAL);
	walk.passes = 1;
	walk.group = user_of;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &good), -FAIR_EINVAL);
	walk.group = NULL;
	walk.before = by_rank;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &good), 0);
	close_site(&s);
}

static bool not_at_first(const void *context, int64_t now, uint32_t slot,
			 uint32_t pass)
{
	(void)context;
	(void)now;
	(void)slot;
	return pass > 0;
}

/* A window as wide as a number can be. */
static void widest_window(void)
{
	const struct fair_fill fill = {
		1, 1, FAIR_BESTFIT, FAIR_FIT_PROCS, false, NULL
	};
	struct fair_walk walk = {
		NULL, not_at_first, NULL, NULL, NULL, NULL, 0
	};
	struct site s;

	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), 0);
	TEST_EQ(fair_backfill_give_back(&s.b, 0, FAIR_FOREVER,
					INT32_MAX - PROCS),
		0);
	add(&s, 0, 10, INT32_MAX);
	TEST_EQ(next(&s), 0);
	close_site(&s);
}

/* Products of more than 63 bits are all the same: the first wins. */
static void metrics_that_saturate(void)
{
	struct fair_fill fill = {
		1, 0, FAIR_BESTFIT, FAIR_FIT_PROC_SECONDS, false, NULL
	};
	struct fair_queued longest = { { 0, 0 }, INT64_C(1) << 62, 2, 0 };
	struct fair_queued most = { { 0, 0 }, INT64_MAX / 2, 2, 0 };
	struct fair_queued wide = { { 0, 0 }, 10, 3, 0 };
	struct site s;

	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &fill), 0);
	TEST_EQ(fair_backfill_metric(&s.b, &longest), INT64_MAX);
	TEST_EQ(fair_backfill_metric(&s.b, &most), INT64_MAX - 1);
	TEST_EQ(fair_backfill_metric(&s.b, &wide), 30);
	close_site(&s);
}

/* Of sets whose sum cannot be told any more the first one counts. */
static void sums_that_saturate(void)
{
	static const int32_t procs[2][3] = { { 3, 2, 1 }, /* 3/4, 1/2, 1/4 */
					     { 5, 5, 10 } };
	struct fair_window w = { INT64_MAX, PROCS };
	struct fair_fill fill = {
		1, 0, FAIR_GREEDY, FAIR_FIT_PROC_SECONDS, false, NULL
	};
	struct site s;
	uint32_t i, j;

	for (i = 0; i < 2; i++) {
		open_site(&s, 2, true, 0);
		TEST_EQ(fair_backfill_fill_by(&s.b, &fill), 0);
		for (j = 0; j < 3; j++) {
			s.job[j].walltime = INT64_MAX / 4;
			s.job[j].procs = procs[i][j];
			s.b.chosen[j] = j;
		}
		fair_backfill_choose_set(&s.b, &w, 3);
		TEST_EQ(s.b.chosen_end, 3 - i);
		TEST_EQ(s.b.chosen[0], 0);
		TEST_EQ(s.b.chosen[1], 1);
		close_site(&s);
	}
}

/* What stands in memory one behind the other, and where it is too much. */
static void sizes(void)
{
	const uint32_t most = UINT32_MAX / 4, half = UINT32_C(1) << 31;
	size_t profile = fair_profile_size(2 * (20 + 3) + 1);
	uint64_t bytes;
	uint32_t i;

	TEST_EQ(fair_backfill_size(1, false, 20),
		fair_queue_size(20) + sizeof(struct fair_reservation) + 8);
	TEST_EQ(fair_backfill_size(3, true, 20),
		fair_queue_size(20) + profile +
			3 * sizeof(struct fair_reservation) + 8 + 20 * 4);
	TEST_EQ(fair_backfill_windows_size(3, 20, 5),
		fair_profile_size(2 * (20 + 3) + 1 + 2 * 5));
	for (i = 1; i <= 100; i++) {
		TEST_EQ(fair_backfill_size(2, false, i),
			fair_queue_size(i) +
				fair_profile_size(2 * (i + 2) + 1) +
				2 * sizeof(struct fair_reservation) + 8);
		TEST_EQ(fair_backfill_windows_size(2, i, 3),
			fair_profile_size(2 * (i + 2) + 1 + 2 * 3));
	}
	for (i = 1; i <= most - most / 8; i += i / 64 + 1) {
		profile = fair_profile_size(2 * ((size_t)i + 20) + 1);
		bytes = fair_queue_size(20) + (uint64_t)profile +
			i * (uint64_t)sizeof(struct fair_reservation) + 8;
		if (i > 1)
			TEST_EQ(fair_backfill_size(i, false, 20),
				profile && bytes <= SIZE_MAX ? bytes : 0);
		bytes = (uint64_t)fair_queue_size(i) +
			sizeof(struct fair_reservation) + 8 + 4 * (uint64_t)i;
		TEST_EQ(fair_backfill_size(1, true, i),
			fair_queue_size(i) && bytes <= SIZE_MAX ? bytes : 0);
	}
	TEST_EQ(fair_backfill_size(0, false, most + 1), 0);
	TEST_EQ(fair_backfill_size(most + 1, false, 1), 0);
	TEST_EQ(fair_backfill_size(half, false, 1), 0);
	TEST_EQ(fair_backfill_windows_size(half, 1, 1), 0);
	TEST_EQ(fair_backfill_windows_size(1, half, 1), 0);
	TEST_EQ(fair_backfill_windows_size(1, 1, half), 0);
	TEST_EQ(fair_backfill_windows_size(1, most + 1, 1), 0);
	TEST_EQ(fair_backfill_windows_size(most + 1, 1, 1), 0);
	TEST_EQ(fair_backfill_windows_size(1, 1, most + 1), 0);
	if (SIZE_MAX > UINT32_MAX) {
		TEST_CHECK(fair_backfill_size(0, false, most) > most);
		TEST_CHECK(fair_backfill_size(most - 8, false, 1) > most);
		TEST_EQ(fair_backfill_size(most, false, 1), 0);
		TEST_EQ(fair_backfill_size(2, false, most), 0);
		TEST_CHECK(fair_backfill_size(most, false, 0) > most);
		TEST_CHECK(fair_backfill_windows_size(most, 0, 0) > most);
		TEST_CHECK(fair_backfill_windows_size(0, most, 0) > most);
		TEST_CHECK(fair_backfill_windows_size(0, 0, most) > most);
		TEST_CHECK(fair_backfill_windows_size(1, most - 8, 1) > most);
		TEST_CHECK(fair_backfill_windows_size(most - 8, 1, 1) > most);
		TEST_CHECK(fair_backfill_windows_size(1, 1, most - 8) > most);
		TEST_EQ(fair_backfill_windows_size(1, most, 1), 0);
	}
}

/* Products whose halves and carries are all in use. */
static void long_products(void)
{
	uint64_t p[2];

	fair_backfill_multiply(UINT64_MAX, UINT64_MAX, p);
	TEST_CHECK(p[0] == UINT64_MAX - 1 && p[1] == 1);
	fair_backfill_multiply(UINT64_C(0x123456789abcdef0),
			       UINT64_C(0xfedcba9876543210), p);
	TEST_CHECK(p[0] == UINT64_C(0x121fa00ad77d7422) &&
		   p[1] == UINT64_C(0x236d88fe5618cf00));
	fair_backfill_multiply(UINT64_C(0x8000000180000001),
			       UINT64_C(0x8000000380000003), p);
	TEST_CHECK(p[0] == UINT64_C(0x4000000280000007) && p[1] == UINT64_C(0x4000000800000003));
}

/* Without a profile, too, that would look at them. */
static void errors_of_init(void)
{
	size_t bytes = fair_backfill_size(1, false, JOBS);
	static char memory[8192], was[8192];
	struct fair_backfill b;
	struct site s;

	open_site(&s, 1, false, 0);
	TEST_EQ(fair_backfill_init(&b, sizeof(b), NULL, bytes, 1, false, JOBS,
				   s.job, sizeof(s.job[0]), PROCS, 0,
				   &s.running),
		-FAIR_EINVAL);
	TEST_EQ(fair_backfill_init(&b, sizeof(b), s.memory, bytes, 1, false,
				   JOBS, s.job, sizeof(s.job[0]), 0, 0,
				   &s.running),
		-FAIR_EINVAL);
	TEST_EQ(fair_backfill_init(&b, sizeof(b), s.memory, bytes, 1, false,
				   UINT32_MAX, s.job, sizeof(s.job[0]), PROCS,
				   0, &s.running),
		-FAIR_ENOMEM);
	TEST_EQ(fair_backfill_init(&b, sizeof(b), NULL, 0, 1, false, JOBS,
				   s.job, sizeof(s.job[0]), PROCS, 0,
				   &s.running),
		-FAIR_EINVAL);
	TEST_EQ(fair_backfill_windows(&s.b, NULL, 0, 1, 0), -FAIR_EINVAL);
	memset(memory, 0x5a, sizeof(memory));
	memcpy(was, memory, sizeof(was));
	TEST_EQ(fair_backfill_init(&b, sizeof(b), memory, sizeof(memory),
				   UINT32_MAX, false, JOBS, s.job,
				   sizeof(s.job[0]), PROCS, INT64_MAX,
				   &s.running),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(memory, was, sizeof(was)));
	close_site(&s);
}

/* Room for windows: what it takes, and what is refused. */
static void windows_errors(void)
{
	const uint32_t many = UINT32_MAX / 4 + 1;
	size_t bytes = fair_backfill_windows_size(1, JOBS, 3);
	struct fair_backfill was, copy;
	struct site s;
	void *memory = malloc(bytes);

	TEST_REQUIRE(memory && bytes);
	TEST_EQ(fair_backfill_windows_size(many, 1, 1), 0);
	TEST_EQ(fair_backfill_windows_size(1, many, 1), 0);
	TEST_EQ(fair_backfill_windows_size(1, 1, many), 0);
	open_site(&s, 1, true, 0);
	was = s.b;
	TEST_EQ(fair_backfill_windows(NULL, memory, bytes, 3, 0), -FAIR_EINVAL);
	TEST_EQ(fair_backfill_windows(&s.b, NULL, bytes, 3, 0), -FAIR_EINVAL);
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes, 0, 0), -FAIR_EINVAL);
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes - 1, 3, 0),
		-FAIR_ENOMEM);
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes, many, 0),
		-FAIR_ENOMEM);
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes, many, INT64_MAX),
		-FAIR_ENOMEM);
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes, 3, INT64_MAX),
		-FAIR_EOVERFLOW);
	TEST_CHECK(!memcmp(&s.b, &was, sizeof(was)));
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes, 3, 0), 0);
	was = copy = s.b;
	TEST_EQ(fair_backfill_clone_windows(&copy, memory, bytes - 1, &s.b),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&copy, &was, sizeof(was)));
	add(&s, 0, 10, 3);
	TEST_EQ(fair_backfill_windows(&s.b, memory, bytes, 3, 0), -FAIR_EINVAL);
	close_site(&s);
	free(memory);
}

static void order_of_the_callers(void)
{
	struct fair_walk walk = { 0 };
	struct site s;

	open_site(&s, 1, true, 6);
	walk.before = last_first;
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	add(&s, 0, 10, 3);
	add(&s, 0, 10, 3);
	add(&s, 0, 10, 4);
	TEST_EQ(starts(&s, 0), 210);
	close_site(&s);
}

static void order_that_starts_change(void)
{
	static const uint32_t want[] = { 0, 2, 4, 1, 3 };
	struct users users;
	struct site s;
	uint32_t slot, i;

	open_site(&s, 1, true, 0);
	walk_by_users(&s, &users);
	for (i = 0; i < 5; i++)
		add(&s, 0, 10, 1);
	for (i = 0; i < 5; i++) {
		TEST_CHECK(fair_backfill_due(&s.b, 0, &slot));
		TEST_EQ(slot, want[i]);
		users.started[slot / 2]++;
	}
	TEST_CHECK(!fair_backfill_due(&s.b, 0, &slot));
	free(s.memory);
	free(s.more);
}

/* Jobs as wide as a number can be, in each order of the walk. */
static void as_wide_as_can_be(void)
{
	struct users users;
	struct site s;
	int how;

	for (how = 0; how < 3; how++) {
		open_site(&s, 1, how > 0, 0);
		if (how == 2)
			walk_by_users(&s, &users);
		TEST_EQ(fair_backfill_give_back(&s.b, 0, FAIR_FOREVER,
						INT32_MAX - PROCS),
			0);
		add(&s, 0, 10, INT32_MAX);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(s.running.jobs, 1);
		add(&s, 1, 10, INT32_MAX);
		TEST_EQ(starts(&s, 1), 0);
		TEST_EQ(s.b.shadow_time, 10);
		finish(&s, 10, 0);
		TEST_EQ(starts(&s, 10), 1);
		close_site(&s);
	}
}

/* The second reservation is of who comes first after the first one. */
static void order_that_reservations_change(void)
{
	struct users users;
	struct site s;
	uint32_t i;

	open_site(&s, 2, true, 0);
	walk_by_users(&s, &users);
	add(&s, 0, 10, 10);
	TEST_EQ(starts(&s, 0), 0);
	add(&s, 5, 10, 10);
	for (i = 0; i < 3; i++)
		add(&s, 1, 10, 10);
	TEST_EQ(starts(&s, 5), 0);
	TEST_EQ(s.b.held[0].slot, 2);
	TEST_EQ(s.b.held[1].slot, 4);
	TEST_EQ(s.b.held[1].start, 20);
	close_site(&s);
}

static void gate_and_passes(void)
{
	struct fair_walk walk = { 0 };
	struct site s;
	uint32_t d;

	for (d = 1; d < 3; d++) {
		open_site(&s, d, d == 2, 0);
		walk.gate = not_at_once;
		walk.before = d == 2 ? last_first : NULL;
		walk.passes = 2;
		TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
		add(&s, 0, 10, 6);
		add(&s, 0, 10, 3);
		add(&s, 0, 10, 8);
		add(&s, 0, 10, 2);
		/* Pass 1: 1 starts, 2 is reserved, 3 fits; pass 2: 0 does
		 * not. Or from the end: 3, 2; 1 and 0 do not fit. */
		TEST_EQ(starts(&s, 0), d == 2 ? 32 : 13);
		TEST_EQ(s.b.pass, 1);
		TEST_EQ(s.b.reserved, d);
		TEST_EQ(fair_backfill_withdraw(&s.b, 0), 0);
		TEST_EQ(s.b.again, true);
		TEST_EQ(starts(&s, 0), 0);
		close_site(&s);
	}
}

/* A job that is reserved leaves, and one takes its slot. */
static void reserved_job_leaves(void)
{
	struct site s;
	uint32_t d;

	for (d = 1; d < 3; d++) {
		TEST_EQ(three_wait(&s, d), d == 1 ? 34 : 4);
		TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
		TEST_EQ(s.job[1].mark, 0);
		s.used = 1;
		add(&s, 1, 10, 1);
		TEST_EQ(starts(&s, 1), 1);
		close_site(&s);
	}
}

static void errors(void)
{
	struct site s;
	struct fair_backfill b, was;
	size_t bytes = fair_backfill_size(2, true, JOBS), size = sizeof(b);

	open_site(&s, 2, true, 0);
	memset(&b, 0x5a, sizeof(b));
	was = b;
#define INIT(b, size, memory, bytes, array, stride, procs, origin)             \
	fair_backfill_init((b), (size), (memory), (bytes), 2, true, JOBS,      \
			   (array), (stride), (procs), (origin), &s.running)
	TEST_EQ(INIT(NULL, size, s.memory, bytes, s.job, 32, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&b, size - 1, s.memory, bytes, s.job, 32, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&b, size, NULL, bytes, s.job, 32, 1, 0), -FAIR_EINVAL);
	TEST_EQ(INIT(&b, size, s.memory, bytes, NULL, 32, 1, 0), -FAIR_EINVAL);
	TEST_EQ(INIT(&b, size, s.memory, bytes, s.job, 31, 1, 0), -FAIR_EINVAL);
	TEST_EQ(INIT(&b, size, s.memory, bytes, s.job, 32, 0, 0), -FAIR_EINVAL);
	TEST_EQ(INIT(&b, size, s.memory, bytes, s.job, 32, 1, INT64_MAX),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_backfill_init(&b, size, s.memory, bytes, 2, true,
				   UINT32_MAX, s.job, 32, 1, 0, &s.running),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&b, &was, sizeof(b)));
	TEST_EQ(fair_backfill_size(UINT32_MAX, true, 1), 0);
	TEST_EQ(fair_backfill_size(1, true, UINT32_MAX), 0);

	add(&s, 0, 10, 6);
	add(&s, 0, 10, 6);
	TEST_EQ(starts(&s, 0), 0);
	was = s.b;
	s.job[5].rank = s.job[1].rank;
	s.job[5].walltime = s.job[5].procs = 1;
	TEST_EQ(fair_backfill_submit(&s.b, 5), -FAIR_EINVAL);
	TEST_EQ(fair_backfill_withdraw(&s.b, 5), -FAIR_EINVAL);
	TEST_EQ(fair_backfill_shrink(&s.b, 0, 5), -FAIR_ERANGE);
	TEST_CHECK(!memcmp(&s.b, &was, sizeof(was)));
	/* What no running job holds, or before the first instant. */
	TEST_CHECK(fair_backfill_give_back(&s.b, 20, 30, 4));
	TEST_CHECK(fair_backfill_give_back(&s.b, -1, 30, 4));
	TEST_CHECK(fair_backfill_shrink(&s.b, -1, 4));
	TEST_CHECK(fair_backfill_extend(&s.b, 0, 20, 30, 11));
	TEST_CHECK(fair_backfill_extend(&s.b, -1, 20, 30, 1));
	TEST_EQ(s.b.free, 4);
	TEST_EQ(s.b.procs, PROCS);
	TEST_EQ(fair_backfill_clone(&b, s.memory, bytes - 1, s.job, NULL, &s.b,
				    NULL),
		-FAIR_ENOMEM);
	while (s.used < JOBS)
		add(&s, 1, 1, 10);
	TEST_EQ(fair_queue_remove(&s.running, 0), 0);
	s.job[0].rank.key = 0;
	TEST_EQ(fair_backfill_submit(&s.b, 0), 0);
	TEST_EQ(s.b.queue.jobs, JOBS);
	TEST_EQ(fair_backfill_submit(&s.b, 0), -FAIR_ENOSPC);
	free(s.memory);
	free(s.more);
}

static void invariants_broken_by_hand(void)
{
	struct site s;
	uint32_t d;

	for (d = 0; d < 4; d++) {
		three_wait(&s, d);
		TEST_EQ(fair_backfill_check(&s.b), 0);
		s.b.queue.jobs++;
		TEST_EQ(fair_backfill_check(&s.b), 1);
		s.b.queue.jobs--;
		if (d > 1) {
			s.b.profile.origin++;
			TEST_EQ(fair_backfill_check(&s.b), 2);
			s.b.profile.origin--;
		}
		s.b.free++;
		TEST_EQ(fair_backfill_check(&s.b), 3);
		s.b.free--;
		s.b.procs -= PROCS;
		s.b.free -= PROCS;
		TEST_EQ(fair_backfill_check(&s.b), 3);
		s.b.procs += PROCS;
		s.b.free += PROCS;
		s.b.reserved++;
		TEST_EQ(fair_backfill_check(&s.b), 4);
		s.b.reserved--;
		close_site(&s);
	}
}

/* The rest of a walk goes on in a clone as it does in the original. */
static void clone_of(struct site *s, bool map)
{
	static const uint32_t turned[JOBS] = { 15, 14, 13, 12, 11, 10, 9, 8,
					       7,  6,  5,  4,  3,  2,  1, 0 };
	size_t bytes = fair_backfill_size(s->b.depth, s->b.sorts, JOBS);
	uint32_t i, ours, copys;
	struct site c;

	open_site(&c, s->b.depth, s->b.sorts, 6);
	for (i = 0; i < JOBS; i++)
		c.job[map ? turned[i] : i] = s->job[i];
	TEST_EQ(fair_queue_clone(&c.running, &s->running, map ? turned : NULL),
		0);
	TEST_EQ(fair_backfill_clone(&c.b, c.memory + 6, bytes, c.job,
				    &c.running, &s->b, map ? turned : NULL),
		0);
	TEST_EQ(fair_backfill_check(&c.b), 0);
	TEST_EQ(c.b.chosen_next, s->b.chosen_next);
	for (i = 0; i < c.b.reserved && c.b.depth; i++)
		TEST_EQ(c.b.held[i].slot,
			map ? turned[s->b.held[i].slot] : s->b.held[i].slot);
	do {
		ours = next(s);
		copys = next(&c);
		if (copys != 99 && map)
			copys = turned[copys];
		TEST_EQ(copys, ours);
	} while (ours != 99 && copys != 99);
	TEST_EQ(s->b.reserved, c.b.reserved);
	close_site(&c);
}

static void clone_in_the_middle(uint32_t d, bool sorts, bool map)
{
	struct site s;
	uint32_t i;

	open_site(&s, d, sorts, 1);
	for (i = 0; i < JOBS - 1; i++)
		add(&s, 0, 10 + i % 3, (int32_t)(i % 5 + 1));
	TEST_EQ(fair_backfill_withdraw(&s.b, 14), 0);
	TEST_EQ(next(&s), 0);
	clone_of(&s, map);
	close_site(&s);
}

static const struct fair_fill greedy = {
	1, 1, FAIR_GREEDY, FAIR_FIT_PROCS, false, NULL
};

/* 2, 4 and 5 were chosen at once, and go on though 3 would do now. */
static void clone_of_a_choice(bool map)
{
	struct site s;

	open_site(&s, 2, true, 1);
	TEST_EQ(fair_backfill_fill_by(&s.b, &greedy), 0);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 8);
	add(&s, 0, 100, 2);
	add(&s, 0, 300, 2);
	add(&s, 0, 100, 1);
	add(&s, 0, 100, 1);
	TEST_EQ(next(&s), 0);
	TEST_EQ(next(&s), 2);
	TEST_EQ(s.b.chosen_end - s.b.chosen_next, 2);
	clone_of(&s, map);
	TEST_EQ(s.running.jobs, 4);
	close_site(&s);
}

/* As many as can be chosen at once. */
static void clone_of_the_longest_choice(bool map)
{
	struct site s;
	uint32_t i;

	open_site(&s, 2, true, 1);
	TEST_EQ(fair_backfill_fill_by(&s.b, &greedy), 0);
	TEST_EQ(fair_backfill_give_back(&s.b, 0, FAIR_FOREVER, PROCS), 0);
	add(&s, 0, 100, 6);
	add(&s, 0, 100, 2 * PROCS);
	for (i = 0; i < FAIR_GREEDY_JOBS; i++)
		add(&s, 0, 100, 1);
	TEST_EQ(next(&s), 0);
	TEST_EQ(next(&s), 2);
	TEST_EQ(s.b.chosen_end, FAIR_GREEDY_JOBS);
	clone_of(&s, map);
	TEST_EQ(s.running.jobs, 1 + FAIR_GREEDY_JOBS);
	close_site(&s);
}

/* The thirteenth job would fill the window, with three of the others. */
static void more_than_are_tried(void)
{
	struct site s;
	uint32_t i;

	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, &greedy), 0);
	add(&s, 0, 100, 1);
	add(&s, 0, 100, 10);
	for (i = 0; i < FAIR_GREEDY_JOBS; i++)
		add(&s, 0, 10, 2);
	add(&s, 0, 10, 3);
	TEST_EQ(starts(&s, 0), 2345);
	TEST_EQ(s.b.free, 1);
	close_site(&s);
}

/* More windows than a profile without them has room for. */
static void clone_of_windows(void)
{
	size_t bytes = fair_backfill_size(2, true, JOBS);
	size_t more = fair_backfill_windows_size(2, JOBS, 5000);
	void *memory = malloc(more), *copys = malloc(more);
	struct site s, c;
	int i;

	TEST_REQUIRE(memory && copys);
	open_site(&s, 2, true, 0);
	open_site(&c, 2, true, 0);
	TEST_EQ(fair_backfill_windows(&s.b, memory, more, 5000, 0), 0);
	fair_backfill_lift(&s.b, 0);
	for (i = 0; i < 5000; i++)
		TEST_EQ(fair_profile_reserve(&s.b.profile, 2 * i, 1, 1), 0);
	TEST_EQ(fair_backfill_clone(&c.b, c.memory, bytes, c.job, &c.running,
				    &s.b, NULL),
		0);
	TEST_EQ(fair_backfill_clone_windows(&c.b, copys, more, &s.b), 0);
	TEST_EQ(c.b.profile.cap, s.b.profile.cap);
	close_site(&s);
	close_site(&c);
	free(memory);
	free(copys);
}

static void clone_of_one_job(void)
{
	size_t bytes = fair_backfill_size(2, false, 1);
	char *memory = (char *)malloc(bytes);
	struct fair_backfill b, copy;
	struct site s;

	TEST_REQUIRE(memory);
	open_site(&s, 2, false, 0);
	TEST_EQ(fair_backfill_init(&b, sizeof(b), s.memory, bytes, 2, false, 1,
				   s.job, sizeof(s.job[0]), PROCS, 0,
				   &s.running),
		0);
	TEST_EQ(fair_backfill_clone(&copy, memory, bytes, s.job, &s.running, &b,
				    NULL),
		0);
	TEST_EQ(fair_backfill_check(&copy), 0);
	free(memory);
	free(s.memory);
	free(s.more);
}

static void clones(void)
{
	uint32_t d;

	for (d = 0; d < 4; d++) {
		clone_in_the_middle(d, false, false);
		clone_in_the_middle(d, false, true);
		clone_in_the_middle(d, true, false);
		clone_in_the_middle(d, true, true);
	}
	clone_of_a_choice(false);
	clone_of_a_choice(true);
	clone_of_the_longest_choice(false);
	clone_of_the_longest_choice(true);
}

/* A job left since the last walk; nothing of it is taken over. */
static void clone_of_a_stale_walk(void)
{
	size_t bytes = fair_backfill_size(1, true, JOBS);
	uint32_t slot[JOBS], i;
	struct site s, c;

	open_site(&s, 1, true, 0);
	open_site(&c, 1, true, 0);
	add(&s, 0, 10, 6);
	add(&s, 0, 10, 1);
	TEST_CHECK(fair_backfill_due(&s.b, 0, &i));
	s.job[i].rank.key = s.job[i].walltime;
	TEST_EQ(fair_queue_insert(&s.running, i), 0);
	TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
	memcpy(c.job, s.job, sizeof(s.job));
	memset(slot, 0xff, sizeof(slot));
	slot[0] = 0;
	TEST_EQ(fair_queue_clone(&c.running, &s.running, slot), 0);
	TEST_EQ(fair_backfill_clone(&c.b, c.memory, bytes, c.job, &c.running,
				    &s.b, slot),
		0);
	TEST_EQ(c.b.next, c.b.ends);
	TEST_EQ(starts(&c, 0), 0);
	close_site(&s);
	close_site(&c);
}

/* Nor of a reservation whose job has left. */
static void clone_of_a_stale_reservation(void)
{
	size_t bytes = fair_backfill_size(2, false, JOBS);
	uint32_t slot[JOBS], i;
	struct site s, c;

	TEST_EQ(three_wait(&s, 2), 4);
	open_site(&c, 2, false, 2);
	TEST_EQ(fair_backfill_withdraw(&s.b, 1), 0);
	for (i = 0; i < JOBS; i++)
		slot[i] = i;
	slot[1] = UINT32_MAX - 1;
	memcpy(c.job, s.job, sizeof(s.job));
	TEST_EQ(fair_queue_clone(&c.running, &s.running, slot), 0);
	TEST_EQ(fair_backfill_clone(&c.b, c.memory + 2, bytes, c.job,
				    &c.running, &s.b, slot),
		0);
	TEST_EQ(c.b.held[0].slot, UINT32_MAX);
	TEST_EQ(starts(&s, 1), 0);
	TEST_EQ(starts(&c, 1), 0);
	TEST_EQ(c.b.held[0].slot, s.b.held[0].slot);
	TEST_EQ(fair_backfill_clone(&c.b, c.memory + 2, bytes, c.job,
				    &c.running, &s.b, NULL),
		0);
	TEST_EQ(c.b.held[0].slot, s.b.held[0].slot);
	close_site(&s);
	close_site(&c);
}

/* BACKFILL AS A PHASE: against windows that are looked at second by second. */

enum { SECONDS = 40 };

/* Free processors of each second; the last one is for ever. */
struct sky {
	int32_t free[SECONDS];
};

static void cover(struct sky *sky, int64_t from, int64_t seconds, int32_t procs)
{
	for (; seconds-- > 0 && from < SECONDS; from++)
		sky->free[from] -= procs;
}

/* How long @procs are free from now on. */
static int64_t window_end(const struct sky *sky, int32_t procs)
{
	int64_t t = 0;

	while (t < SECONDS && sky->free[t] >= procs)
		t++;
	return t < SECONDS ? t : FAIR_FOREVER;
}

static bool is_inside(const struct fair_queued *j, int32_t procs, int64_t end)
{
	return j->procs <= procs && j->walltime <= end;
}

/* Processors of the first window that any job left fits into; 0: none. */
static int32_t first_window(const struct site *s, const struct sky *sky,
			    uint32_t left, bool longest)
{
	int32_t width, procs, found = 0;
	uint32_t i;

	for (width = 1; width <= PROCS; width++) {
		procs = longest ? width : PROCS + 1 - width;
		/* Wider for as long? Then that is the window. */
		if (window_end(sky, procs) == 0 ||
		    window_end(sky, procs) == window_end(sky, procs + 1))
			continue;
		for (i = 0; i < JOBS && !found; i++)
			if (left >> i & 1 &&
			    is_inside(&s->job[i], procs,
				      window_end(sky, procs)))
				found = procs;
	}
	return found;
}

static int64_t degree(const struct fair_queued *j, uint32_t metric)
{
	return metric == FAIR_FIT_PROCS	    ? j->procs
	       : metric == FAIR_FIT_SECONDS ? j->walltime
					    : j->procs * j->walltime;
}

/* The set, of jobs of @of, that a window is filled best by; the first of equal. */
static uint32_t best_set(const struct site *s, uint32_t of, uint32_t metric,
			 int32_t procs, uint32_t most)
{
	uint32_t set, best = 0, differ;
	int64_t sum, best_sum = 0, in_use;
	int i, n;

	for (set = 1; set < 1u << JOBS; set++) {
		if (set & ~of)
			continue;
		for (sum = in_use = 0, i = n = 0; i < JOBS; i++)
			if (set >> i & 1) {
				sum += degree(&s->job[i], metric);
				in_use += s->job[i].procs;
				n++;
			}
		differ = set ^ best;
		if (in_use <= procs && (uint32_t)n <= most &&
		    (sum > best_sum ||
		     (sum == best_sum && set & differ & -differ))) {
			best = set;
			best_sum = sum;
		}
	}
	return best;
}

/* Who starts next, together. */
static uint32_t choice(const struct site *s, const struct sky *sky,
		       uint32_t left, const struct fair_fill *fill)
{
	int32_t procs;
	uint32_t fit = 0, i;

	if (fill->select == FAIR_FIRSTFIT) {
		for (i = 0; i < JOBS; i++)
			if (left >> i & 1 &&
			    s->job[i].walltime <=
				    window_end(sky, s->job[i].procs))
				return 1u << i;
		return 0;
	}
	procs = first_window(s, sky, left, fill->longest);
	for (i = 0; i < JOBS && procs; i++)
		if (left >> i & 1 && is_inside(&s->job[i], procs,
					       window_end(sky, procs)))
			fit |= 1u << i;
	return best_set(s, fit, fill->metric, procs,
			fill->select == FAIR_BESTFIT ? 1 : JOBS);
}

/* After the reservations few may start in a pass, and not everybody. */
static bool few_may(const void *context, int64_t now, uint32_t slot,
		    uint32_t pass)
{
	(void)now;
	return !pass || (*(const uint32_t *)context < 2 * pass + slot % 2 &&
			 (slot + pass) % 4 != 0);
}

/*
 * Job 0 runs, 1 is too wide to start and holds a reservation behind it; 9 is
 * refused.
 */
static void select_from(uint64_t *random, const struct fair_fill *fill)
{
	uint32_t started = 0, left = 0, set, may, pass, i;
	struct fair_walk walk = {
		by_rank, few_may, NULL, NULL, NULL, &started, 0
	};
	struct sky sky;
	struct site s;
	int32_t runs = (int32_t)test_range(random, 1, PROCS - 1);

	walk.gate = fill->passes > 1 ? few_may : NULL;
	open_site(&s, 2, true, 0);
	TEST_EQ(fair_backfill_walk_by(&s.b, &walk), 0);
	TEST_EQ(fair_backfill_fill_by(&s.b, fill), 0);
	for (i = 0; i < SECONDS; i++)
		sky.free[i] = PROCS;
	add(&s, 0, test_range(random, 1, 20), runs);
	add(&s, 0, test_range(random, 1, 15),
	    (int32_t)test_range(random, PROCS - runs + 1, PROCS));
	cover(&sky, 0, s.job[0].walltime, runs);
	cover(&sky, s.job[0].walltime, s.job[1].walltime, s.job[1].procs);
	for (i = 2; i < 10; i++) {
		add(&s, 0, test_range(random, 1, 30),
		    (int32_t)test_range(random, 1, 5));
		left |= 1u << i;
	}
	s.job[9].mark = *random % 2 ? FAIR_MARK_REFUSED : 0;
	if (s.job[9].mark)
		left &= ~(1u << 9);
	TEST_EQ(next(&s), 0);
	for (pass = 1; pass <= fill->passes; pass++)
		for (;;) {
			for (may = i = 0; i < JOBS; i++)
				if (!walk.gate || few_may(&started, 0, i, pass))
					may |= 1u << i;
			set = choice(&s, &sky, left & may, fill);
			if (!set)
				break;
			for (i = 0; i < JOBS; i++)
				if (set >> i & 1 &&
				    (!walk.gate ||
				     few_may(&started, 0, i, pass))) {
					TEST_EQ(next(&s), i);
					started++;
					cover(&sky, 0, s.job[i].walltime,
					      s.job[i].procs);
					left &= ~(1u << i);
				}
		}
	TEST_EQ(next(&s), 99);
	close_site(&s);
}

static void selections(void)
{
	struct fair_fill fill = { 1, 1, 0, 0, false, NULL };
	uint64_t random = 1;
	int round;

	for (round = 0; round < 60; round++)
		for (fill.select = 0; fill.select < FAIR_NOFIT; fill.select++)
			for (fill.metric = 0; fill.metric < 3; fill.metric++) {
				fill.passes = (uint32_t)round / 2 % 3 + 1;
				fill.longest = round % 2;
				select_from(&random, &fill);
			}
}

/*
 * WALKS: at each step who starts, and who is reserved what, is compared with a
 * naive walk that begins anew, second by second, whatever the events before.
 */

enum order { BY_RANK, BY_FACTOR, LAST_FIRST, BY_USERS, ORDERS };
enum { NOBODY, WAITS, RUNS };

struct walker {
	struct site s;
	struct users users;
	struct fair_fill fill; /* passes > 0: backfill in order */
	enum order order;
	uint32_t depth, passes;
	int state[JOBS];
	uint32_t had[JOBS];    /* starts of users, then reservations */
	int64_t now, from, to; /* one processor is away */
	uint64_t random, numbers;

	struct sky sky; /* what the naive walk says */
	uint32_t start[JOBS], starts, held[JOBS], helds;
	int64_t at[JOBS];
};

static bool is_free(const struct sky *sky, int64_t from,
		    const struct fair_queued *j)
{
	int64_t t;

	for (t = from; t < from + j->walltime; t++)
		if (sky->free[t < SECONDS ? t : SECONDS - 1] < j->procs)
			return false;
	return true;
}

/* Some wait for another pass, or for another instant. */
static bool some_may(const void *context, int64_t now, uint32_t slot,
		     uint32_t pass)
{
	(void)context;
	return (slot + (uint64_t)now / 2 + pass) % 3 != 0;
}

static uint32_t some_reserve(const void *context, uint32_t slot)
{
	(void)context;
	return slot % 4 == 1   ? FAIR_RESERVES_NEVER
	       : slot % 4 == 2 ? FAIR_RESERVES_ALWAYS
			       : FAIR_RESERVES;
}

static bool goes_first(const struct walker *w, uint32_t a, uint32_t b)
{
	const struct fair_queued *x = &w->s.job[a], *y = &w->s.job[b];
	int64_t p = 0, q = 0;

	if (w->order == LAST_FIRST)
		return a > b;
	if (w->order == BY_FACTOR) {
		p = (w->now - y->rank.key + y->walltime) * x->walltime;
		q = (w->now - x->rank.key + x->walltime) * y->walltime;
	} else if (w->order == BY_USERS) {
		p = w->had[a / 2];
		q = w->had[b / 2];
	}
	if (p != q)
		return p < q;
	return x->rank.key != y->rank.key ? x->rank.key < y->rank.key
					  : x->rank.number < y->rank.number;
}

/* Whether the job starts now. */
static bool starts_here(struct walker *w, uint32_t i)
{
	const struct fair_queued *j = &w->s.job[i];

	if (j->mark & FAIR_MARK_REFUSED || !is_free(&w->sky, 0, j))
		return false;
	cover(&w->sky, 0, j->walltime, j->procs);
	w->start[w->starts++] = i;
	w->had[i / 2]++;
	return true;
}

/* Whether it gets a reservation. */
static bool reserves_here(struct walker *w, uint32_t i)
{
	const struct fair_queued *j = &w->s.job[i];
	int64_t t = j->mark & FAIR_MARK_REFUSED;

	if (w->helds == (w->depth ? w->depth : 1))
		return false;
	while (w->depth && t < SECONDS && !is_free(&w->sky, t, j))
		t++;
	if (t == SECONDS)
		return false;
	if (w->depth)
		cover(&w->sky, t, j->walltime, j->procs);
	w->held[w->helds] = i;
	w->at[w->helds++] = w->now + t;
	w->had[i / 2]++;
	return true;
}

/* The first of @of, which it leaves. */
static uint32_t take_first(const struct walker *w, uint32_t *of)
{
	uint32_t i, first = JOBS;

	for (i = 0; i < JOBS; i++)
		if (*of >> i & 1 && (first == JOBS || goes_first(w, i, first)))
			first = i;
	*of &= ~(1u << first);
	return first;
}

static void one_walk(struct walker *w, uint32_t waiting)
{
	uint32_t passes = w->passes ? w->passes : 1, pass, of, i;

	for (pass = 0; pass < passes; pass++)
		for (of = waiting; of && (w->depth || !w->helds);) {
			i = take_first(w, &of);
			if (pass + 1 < passes &&
			    !some_may(NULL, w->now, i, pass))
				continue;
			if (starts_here(w, i) || reserves_here(w, i))
				waiting &= ~(1u << i);
		}
}

/* [MAUI] 3, steps 6 to 8. */
static void walk_and_fill(struct walker *w, uint32_t waiting)
{
	uint32_t of = waiting, counted = 0, pass, i, how;
	bool closed = false, may;

	while (of) {
		i = take_first(w, &of);
		how = w->fill.reserves ? some_reserve(NULL, i) : FAIR_RESERVES;
		may = !w->passes || some_may(NULL, w->now, i, 0);
		if ((closed && how != FAIR_RESERVES_ALWAYS) || !may)
			continue;
		if (starts_here(w, i)) {
			waiting &= ~(1u << i);
		} else if (how == FAIR_RESERVES && counted == w->fill.limit) {
			closed = true;
		} else if (how != FAIR_RESERVES_NEVER && reserves_here(w, i)) {
			waiting &= ~(1u << i);
			counted += how == FAIR_RESERVES;
			closed |= how == FAIR_RESERVES &&
				  counted == w->fill.limit;
		}
	}
	for (pass = 1; pass <= w->fill.passes; pass++)
		for (of = waiting; of && w->fill.select != FAIR_NOFIT;) {
			i = take_first(w, &of);
			may = !w->passes || some_may(NULL, w->now, i, pass);
			if (may && starts_here(w, i))
				waiting &= ~(1u << i);
		}
}

static void naive_walk(struct walker *w)
{
	uint32_t waiting = 0, i;

	for (i = 0; i < SECONDS; i++)
		w->sky.free[i] = w->s.b.procs -
				 (w->now + i >= w->from && w->now + i < w->to);
	for (i = 0; i < JOBS; i++) {
		w->had[i] = w->users.started[i];
		if (w->state[i] == WAITS)
			waiting |= 1u << i;
		if (w->state[i] == RUNS)
			cover(&w->sky, 0, w->s.job[i].rank.key - w->now,
			      w->s.job[i].procs);
	}
	w->starts = w->helds = 0;
	if (w->fill.passes)
		walk_and_fill(w, waiting);
	else
		one_walk(w, waiting);
}

/* A copy goes on, where all that was is no more. */
static void become_a_copy(struct walker *w, void **windows)
{
	size_t bytes = fair_backfill_size(w->depth, w->s.b.sorts, JOBS);
	size_t more = fair_backfill_windows_size(w->depth, JOBS, 3);
	char *memory = (char *)malloc(bytes);
	void *other = malloc(more);
	struct fair_backfill copy;

	if (!memory || !other)
		abort();
	TEST_EQ(fair_backfill_clone(&copy, memory, bytes, w->s.job,
				    &w->s.running, &w->s.b, NULL),
		0);
	if (w->s.b.windows)
		TEST_EQ(fair_backfill_clone_windows(&copy, other, more,
						    &w->s.b),
			0);
	TEST_EQ(fair_backfill_paused(&copy), fair_backfill_paused(&w->s.b));
	TEST_EQ(fair_backfill_begins(&copy, w->now),
		fair_backfill_begins(&w->s.b, w->now));
	memset(w->s.memory, 0x5a, bytes);
	memset(*windows, 0x5a, more);
	free(w->s.memory);
	free(*windows);
	w->s.memory = memory;
	*windows = other;
	w->s.b = copy;
}

static void walk_is_naive(struct walker *w, void **windows)
{
	uint32_t n = 0, slot, i;

	if (w->order == BY_USERS) /* starts changed it */
		fair_backfill_replan(&w->s.b);
	naive_walk(w);
	for (;;) {
		if (test_range(&w->random, 0, 3) == 0)
			become_a_copy(w, windows);
		if (w->random % 2)
			fair_backfill_budget(&w->s.b, w->random / 2 % 4);
		if (!fair_backfill_due(&w->s.b, w->now, &slot)) {
			TEST_EQ(fair_backfill_check(&w->s.b), 0);
			if (!fair_backfill_paused(&w->s.b))
				break;
			fair_backfill_budget(&w->s.b, UINT64_MAX);
			continue;
		}
		TEST_CHECK(n < w->starts && slot == w->start[n]);
		n++;
		w->state[slot] = RUNS;
		w->users.started[slot / 2]++;
		w->s.job[slot].rank.key = w->now + w->s.job[slot].walltime;
		TEST_EQ(fair_queue_insert(&w->s.running, slot), 0);
		TEST_EQ(fair_backfill_check(&w->s.b), 0);
	}
	fair_backfill_budget(&w->s.b, UINT64_MAX);
	if (w->s.b.planned)
		TEST_EQ(w->s.b.profile.origin, w->now);
	TEST_EQ(n, w->starts);
	TEST_EQ(w->s.b.reserved, w->helds);
	for (i = 0; i < w->helds && w->depth; i++) {
		TEST_EQ(w->s.b.held[i].slot, w->held[i]);
		TEST_CHECK(w->s.job[w->held[i]].mark & FAIR_MARK_RESERVED);
		TEST_EQ(w->s.b.planned ? w->s.b.held[i].start
				       : w->s.b.shadow_time,
			w->at[i]);
	}
	for (i = n = 0; i < JOBS; i++)
		n += w->s.job[i].mark / FAIR_MARK_RESERVED;
	TEST_EQ(n, w->depth ? w->helds : 0);
}

/* It leaves the running jobs, and comes back with another end. */
static void ends_at(struct walker *w, uint32_t slot, int64_t end)
{
	TEST_EQ(fair_queue_remove(&w->s.running, slot), 0);
	w->s.job[slot].rank.key = end;
	TEST_EQ(fair_queue_insert(&w->s.running, slot), 0);
}

static void job_event(struct walker *w, uint32_t i)
{
	struct fair_queued *j = &w->s.job[i];
	int64_t was = j->rank.key, end;
	uint32_t k;

	if (w->state[i] == NOBODY) {
		j->rank.key = w->now - test_range(&w->random, 0, 5);
		j->rank.number = w->numbers++;
		j->walltime = test_range(&w->random, 1, 6);
		j->procs = (int32_t)test_range(&w->random, 1, PROCS + 1);
		j->mark = 0;
		TEST_EQ(fair_backfill_submit(&w->s.b, i), 0);
		w->state[i] = WAITS;
	} else if (w->state[i] == WAITS && w->random % 3) {
		j->mark |= FAIR_MARK_REFUSED;
		fair_backfill_replan(&w->s.b);
	} else if (w->state[i] == WAITS) {
		TEST_EQ(fair_backfill_withdraw(&w->s.b, i), 0);
		for (k = 0; k < w->s.b.reserved && w->depth; k++)
			TEST_CHECK(w->s.b.held[k].slot != i);
		TEST_CHECK(!(j->mark & FAIR_MARK_RESERVED));
		j->mark = 0;
		w->state[i] = NOBODY;
	} else if (w->random % 3 == 0) {
		finish(&w->s, w->now, i);
		w->state[i] = NOBODY;
	} else if (w->random % 3 == 1 && was > w->now + 1) {
		end = test_range(&w->random, w->now + 1, was - 1);
		ends_at(w, i, end);
		TEST_EQ(fair_backfill_shorten(&w->s.b, end, was, j->procs), 0);
	} else if (!w->s.b.windows && was < w->now + 8) {
		ends_at(w, i, was + 2);
		TEST_EQ(fair_backfill_extend(&w->s.b, w->now, was, was + 2,
					     j->procs),
			0);
	}
}

static void machine_event(struct walker *w)
{
	struct fair_backfill *b = &w->s.b;

	if (b->windows)
		return;
	if (b->procs < PROCS)
		TEST_EQ(fair_backfill_give_back(b, w->now, FAIR_FOREVER, 2), 0);
	else if (b->free > 1)
		TEST_EQ(fair_backfill_shrink(b, w->now, 2), 0);
}

/* Each second what has its end there ends, and nobody is refused any more. */
static void next_second(struct walker *w)
{
	uint32_t i;

	if (++w->now == w->to)
		fair_backfill_replan(&w->s.b);
	for (i = 0; i < JOBS; i++) {
		if (w->s.job[i].mark & FAIR_MARK_REFUSED)
			fair_backfill_replan(&w->s.b);
		w->s.job[i].mark &= ~(uint32_t)FAIR_MARK_REFUSED;
		if (w->state[i] == RUNS && w->s.job[i].rank.key == w->now) {
			finish(&w->s, w->now, i);
			w->state[i] = NOBODY;
		}
	}
}

static void open_walker(struct walker *w, void **windows)
{
	size_t more = fair_backfill_windows_size(w->depth, JOBS, 3);
	struct fair_walk walk = { 0 };
	struct fair_backfill *b = &w->s.b;

	open_site(&w->s, w->depth, w->order != BY_RANK, 0);
	*windows = malloc(more);
	if (!*windows)
		abort();
	if (w->numbers % 2) {
		w->from = 4;
		w->to = 12;
		TEST_EQ(fair_backfill_windows(b, *windows, more, 3, 0), 0);
		fair_backfill_lift(b, 0);
		TEST_EQ(fair_profile_reserve(&b->profile, 4, 8, 1), 0);
	}
	if (w->order == BY_USERS)
		walk_by_users(&w->s, &w->users);
	walk = b->walk;
	walk.before = w->order == LAST_FIRST ? last_first : NULL;
	walk.gate = w->passes ? some_may : NULL;
	walk.passes = w->fill.passes ? 1 : w->passes;
	TEST_EQ(fair_backfill_walk_by(b, &walk), 0);
	if (w->fill.passes)
		TEST_EQ(fair_backfill_fill_by(b, &w->fill), 0);
}

static void walk_some(enum order order, uint32_t depth, uint32_t passes,
		      const struct fair_fill *fill, uint64_t seed)
{
	static struct walker w;
	void *windows;
	int i;

	memset(&w, 0, sizeof(w));
	w.order = order;
	w.depth = depth;
	w.passes = passes;
	w.numbers = seed;
	w.random = seed;
	if (fill)
		w.fill = *fill;
	open_walker(&w, &windows);
	for (i = 0; i < 60; i++) {
		switch (test_range(&w.random, 0, 9)) {
		case 0:
			machine_event(&w);
			break;
		case 1:
		case 2:
			next_second(&w);
			break;
		default:
			job_event(&w,
				  (uint32_t)test_range(&w.random, 0, JOBS - 1));
		}
		if (test_random(&w.random) % 4)
			walk_is_naive(&w, &windows);
	}
	close_site(&w.s);
	free(windows);
}

static void walks(void)
{
	static const struct fair_fill fills[] = {
		{ 1, 2, FAIR_FIRSTFIT, 0, false, some_reserve },
		{ 2, 1, FAIR_FIRSTFIT, 0, false, NULL },
		{ 1, 0, FAIR_NOFIT, 0, false, some_reserve },
	};
	enum order order;
	uint32_t depth, passes;
	uint64_t round;

	for (round = 0; round < TEST_ROUNDS(160); round++)
		for (order = BY_RANK; order < ORDERS; order++)
			for (depth = 0; depth < 4; depth++)
				for (passes = 0; passes < 3; passes++)
					walk_some(order, depth, passes, NULL,
						  round);
	for (round = 0; round < TEST_ROUNDS(160); round++)
		for (order = BY_FACTOR; order < BY_USERS; order++)
			for (depth = 2; depth < 5; depth++)
				for (passes = 0; passes < 2; passes++)
					walk_some(order, depth, passes,
						  &fills[round % 3], round);
}

int main(void)
{
	TEST_RUN(example_of_the_manual);
	TEST_RUN(shadow_time);
	TEST_RUN(may_backfill);
	TEST_RUN(easy);
	TEST_RUN(fcfs);
	TEST_RUN(depth);
	TEST_RUN(reservations_pass);
	TEST_RUN(refused_jobs_wait);
	TEST_RUN(looks);
	TEST_RUN(looks_at_newcomers);
	TEST_RUN(looks_one_by_one);
	TEST_RUN(looks_of_a_phase);
	TEST_RUN(looks_of_sorting);
	TEST_RUN(first_rank);
	TEST_RUN(last_rank);
	TEST_RUN(overdue);
	TEST_RUN(events_with_shadow_time);
	TEST_RUN(events_with_profile);
	TEST_RUN(expansion_factor);
	TEST_RUN(expansion_factor_is_exact);
	TEST_RUN(last_number);
	TEST_RUN(starts_without_end);
	TEST_RUN(anew);
	TEST_RUN(walk_errors);
	TEST_RUN(bad_fills);
	TEST_RUN(widest_window);
	TEST_RUN(metrics_that_saturate);
	TEST_RUN(sums_that_saturate);
	TEST_RUN(sizes);
	TEST_RUN(long_products);
	TEST_RUN(errors_of_init);
	TEST_RUN(windows_errors);
	TEST_RUN(order_of_the_callers);
	TEST_RUN(order_that_starts_change);
	TEST_RUN(as_wide_as_can_be);
	TEST_RUN(order_that_reservations_change);
	TEST_RUN(gate_and_passes);
	TEST_RUN(reserved_job_leaves);
	TEST_RUN(errors);
	TEST_RUN(invariants_broken_by_hand);
	TEST_RUN(more_than_are_tried);
	TEST_RUN(selections);
	TEST_RUN(walks);
	TEST_RUN(clones);
	TEST_RUN(clone_of_windows);
	TEST_RUN(clone_of_one_job);
	TEST_RUN(clone_of_a_stale_walk);
	TEST_RUN(clone_of_a_stale_reservation);
	return test_report();
}
