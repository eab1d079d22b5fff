/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * quotas_test.c - quotas.h: against sums at each second; errors; invariants,
 * broken by hand
 */
#define FAIRSCHED_STATIC
#define FAIR_QUOTAS_IMPLEMENTATION
#include "quotas.h"
#include "tests/test.h"

enum { JOBS = 12, KINDS = 3, WHOSE = 3, LAST = 80 };

static uint64_t memory[8192], other[8192];
static struct fair_quotas l;

/* What the limits are told. */
static int64_t amount[KINDS][WHOSE + 1]; /* the last is that of each */
static struct fair_quotas_of of[JOBS][KINDS];
static int64_t from[JOBS], end[JOBS];
static bool joined[JOBS];

static uint32_t state;

static uint32_t draw(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % n;
}

static void open_limits(uint32_t limits)
{
	TEST_OK(fair_quotas_init(&l, sizeof(l), memory,
				 fair_quotas_size(KINDS, limits, JOBS, KINDS),
				 KINDS, limits, JOBS, KINDS));
}

static int64_t amount_for(uint32_t kind, uint32_t whose)
{
	return amount[kind][whose] != FAIR_QUOTAS_NONE ? amount[kind][whose]
						       : amount[kind][WHOSE];
}

/* Whether job @x has room beside the others at @t. */
static bool has_room_at(uint32_t x, int64_t t)
{
	int64_t held;
	uint32_t k, j;

	for (k = 0; k < KINDS; k++) {
		held = of[x][k].amount;
		for (j = 0; j < JOBS; j++)
			if (j != x && joined[j] && from[j] <= t && t < end[j] &&
			    of[j][k].whose == of[x][k].whose &&
			    of[j][k].part == of[x][k].part)
				held += of[j][k].amount;
		if (of[x][k].amount && held > amount_for(k, of[x][k].whose))
			return false;
	}
	return true;
}

static int64_t earliest(uint32_t x, int64_t start, int64_t walltime,
			int64_t until)
{
	int64_t t, u;

	for (t = start; t < LAST && t < until; t++) {
		for (u = t; u < t + walltime && u < until && has_room_at(x, u);)
			u++;
		if (u == t + walltime || u == until)
			return t;
	}
	return until < LAST ? until : INT64_MAX;
}

static void rejoin(void)
{
	uint32_t j;

	for (j = 0; j < JOBS; j++)
		if (joined[j])
			fair_quotas_leave(&l, j);
	for (j = 0; j < JOBS; j++)
		if (joined[j]) {
			fair_quotas_join(&l, j, of[j], KINDS);
			fair_quotas_hold(&l, j, from[j], end[j]);
		}
}

static void set_any(uint32_t limits)
{
	uint32_t kind = draw(KINDS), whose = draw(WHOSE + 1), n = 0, k, w;
	int64_t a = draw(4) ? draw(8) : FAIR_QUOTAS_NONE;
	bool full;

	for (k = 0; k < KINDS; k++)
		for (w = 0; w <= WHOSE; w++)
			n += amount[k][w] != FAIR_QUOTAS_NONE;
	full = n == limits && amount[kind][whose] == FAIR_QUOTAS_NONE;
	TEST_EQ(fair_quotas_is_full(&l, kind,
				    whose == WHOSE ? FAIR_QUOTAS_EACH : whose),
		full);
	TEST_EQ(fair_quotas_set(&l, kind,
				whose == WHOSE ? FAIR_QUOTAS_EACH : whose, a),
		full && a != FAIR_QUOTAS_NONE ? -FAIR_ENOSPC : 0);
	if (full)
		return;
	amount[kind][whose] = a;
	rejoin();
}

static void join(uint32_t x)
{
	uint32_t k;

	for (k = 0; k < KINDS; k++) {
		of[x][k].what = k;
		of[x][k].whose = draw(WHOSE);
		of[x][k].part = k ? 0 : draw(3); /* 0: of all together */
		of[x][k].amount = draw(5);
	}
	joined[x] = true;
	from[x] = end[x] = 0;
	fair_quotas_join(&l, x, of[x], KINDS);
}

static void ask(uint32_t x)
{
	int64_t start = draw(20), walltime = 1 + draw(8), want, got;
	int64_t until = from[x] < end[x] ? from[x] : INT64_MAX;

	want = earliest(x, start, walltime, until);
	got = fair_quotas_earliest(&l, x, start, walltime, until);
	if (want >= until)
		TEST_CHECK(got >= until);
	else
		TEST_EQ(got, want);
}

static void copy_all(void)
{
	struct fair_quotas copy;
	uint32_t j;

	TEST_EQ(fair_quotas_clone(&copy, other, 8, &l), -FAIR_ENOMEM);
	TEST_OK(fair_quotas_clone(&copy, other, sizeof(other), &l));
	for (j = 0; j < JOBS; j++)
		if (joined[j])
			fair_quotas_copy_job(&copy, j, &l, j);
	TEST_EQ(fair_quotas_check(&copy), 0);
	memset(memory, 0xa5, sizeof(memory));
	TEST_OK(fair_quotas_clone(&l, memory, sizeof(memory), &copy));
	for (j = 0; j < JOBS; j++)
		if (joined[j])
			fair_quotas_copy_job(&l, j, &copy, j);
}

static void change(uint32_t limits)
{
	uint32_t x = draw(JOBS), what = draw(8);

	if (what == 0) {
		set_any(limits);
	} else if (!joined[x]) {
		join(x);
	} else if (what == 1) {
		joined[x] = false;
		fair_quotas_leave(&l, x);
	} else if (what < 4) {
		from[x] = draw(20);
		end[x] = from[x] + draw(10);
		fair_quotas_hold(&l, x, from[x], end[x]);
	} else if (what == 4) {
		from[x] = end[x] = 0;
		fair_quotas_release(&l, x);
	} else {
		ask(x);
	}
	if (!draw(16))
		copy_all();
	TEST_EQ(fair_quotas_check(&l), 0);
}

TEST(random_jobs)
{
	uint32_t seed, i, k, w;

	for (seed = 1; seed < 2000; seed++) {
		state = seed;
		memset(joined, 0, sizeof(joined));
		for (k = 0; k < KINDS; k++)
			for (w = 0; w <= WHOSE; w++)
				amount[k][w] = FAIR_QUOTAS_NONE;
		open_limits(1 + seed % 5);
		for (i = 0; i < 80; i++)
			change(1 + seed % 5);
	}
}

/* Job 0 holds 4 of 6 until 24, job 1 another 2 in [20, 24). */
TEST(blocker)
{
	const struct fair_quotas_of four = { 0, 7, 0, 4 }, two = { 0, 7, 0, 2 };
	struct fair_quotas_of limit;
	int64_t used = 0;

	open_limits(2);
	TEST_OK(fair_quotas_set(&l, 0, 7, 6));
	fair_quotas_join(&l, 0, &four, 1);
	fair_quotas_join(&l, 1, &two, 1);
	fair_quotas_join(&l, 2, &two, 1);
	fair_quotas_hold(&l, 0, 0, 24);
	fair_quotas_hold(&l, 1, 20, 24);
	TEST_EQ(fair_quotas_earliest(&l, 2, 0, 20, INT64_MAX), 0);
	TEST_EQ(fair_quotas_earliest(&l, 2, 0, 21, INT64_MAX), 24);
	TEST_CHECK(!fair_quotas_blocker(&l, 2, 0, 20, INT64_MAX, &limit,
					&used));
	TEST_CHECK(fair_quotas_blocker(&l, 2, 0, 21, INT64_MAX, &limit,
				       &used));
	TEST_EQ(used, 6);
	TEST_EQ(limit.whose, 7);
	TEST_EQ(limit.amount, 6);
	TEST_CHECK(!fair_quotas_is_over(&l, 1));
	TEST_CHECK(fair_quotas_can_grow(&l, 0, 1, 2, 100));
	TEST_CHECK(!fair_quotas_can_grow(&l, 0, 0, 1, 1));
	TEST_OK(fair_quotas_set(&l, 0, 7, 5));
	TEST_CHECK(fair_quotas_is_over(&l, 1));
	TEST_EQ(fair_quotas_earliest(&l, 2, 0, 1, INT64_MAX), 24);
	TEST_OK(fair_quotas_set(&l, 0, 7, 1));
	TEST_EQ(fair_quotas_earliest(&l, 2, 0, 1, INT64_MAX), INT64_MAX);
}

/* A job that holds 4 from 30 on may begin sooner; a limit of user 7 only, and
 * one that is set later, does not hold that of user 8. */
TEST(own_room)
{
	const struct fair_quotas_of seven = { 0, 7, 0, 4 };
	const struct fair_quotas_of eight = { 0, 8, 0, 4 };
	struct fair_quotas_of limit;
	int64_t used;

	open_limits(2);
	TEST_OK(fair_quotas_set(&l, 0, 7, 6));
	fair_quotas_join(&l, 0, &seven, 1);
	fair_quotas_join(&l, 1, &seven, 1);
	fair_quotas_join(&l, 2, &eight, 1);
	fair_quotas_hold(&l, 0, 0, 24);
	fair_quotas_hold(&l, 1, 30, 40);
	TEST_CHECK(!fair_quotas_blocker(&l, 1, 24, 10, 30, &limit, &used));
	TEST_CHECK(fair_quotas_blocker(&l, 1, 23, 10, 30, &limit, &used));
	TEST_CHECK(fair_quotas_belongs(&l, 1, &seven));
	TEST_CHECK(!fair_quotas_belongs(&l, 2, &eight));
	TEST_OK(fair_quotas_set(&l, 0, 8, 1));
	TEST_EQ(fair_quotas_earliest(&l, 2, 0, 1, INT64_MAX), 0);
}

/* Memory of any alignment: nothing lies before it, nor behind its end. */
TEST(any_alignment)
{
	size_t size = fair_quotas_size(KINDS, 2, JOBS, KINDS);
	char *at = (char *)memory;

	for (; at < (char *)memory + 8; at++) {
		TEST_OK(fair_quotas_init(&l, sizeof(l), at, size, KINDS, 2,
					 JOBS, KINDS));
		TEST_EQ((uintptr_t)l.each % 8, 0);
		TEST_CHECK((char *)l.each >= at && (char *)l.each < at + 8);
	}
}

/* The limits that are set, by number: one of each, and one of its own. */
TEST(all_limits)
{
	struct fair_quotas_of limit;
	uint32_t at = 0, n = 0;

	open_limits(2);
	TEST_OK(fair_quotas_set(&l, 1, FAIR_QUOTAS_EACH, 3));
	TEST_OK(fair_quotas_set(&l, 2, 9, 4));
	TEST_EQ(fair_quotas_set(&l, 2, 8, 4), -FAIR_ENOSPC);
	TEST_EQ(fair_quotas_get(&l, 1, 5), 3);
	TEST_EQ(fair_quotas_get(&l, 2, 5), FAIR_QUOTAS_NONE);
	TEST_CHECK(fair_quotas_counts(&l, 1) && !fair_quotas_counts(&l, 0));
	for (; fair_quotas_next(&l, &at, &limit); n++)
		TEST_EQ(limit.amount, 3 + n);
	TEST_EQ(n, 2);
	TEST_OK(fair_quotas_set(&l, 2, 9, FAIR_QUOTAS_NONE));
	TEST_OK(fair_quotas_set(&l, 2, 9, FAIR_QUOTAS_NONE));
	TEST_OK(fair_quotas_set(&l, 2, 8, 4));
	TEST_EQ(fair_quotas_check(&l), 0);
}

TEST(errors)
{
	size_t size = fair_quotas_size(KINDS, 2, JOBS, KINDS);

	TEST_EQ(fair_quotas_size(0, 1, 1, 1), 0);
	TEST_EQ(fair_quotas_size(1025, 1, 1, 1), 0);
	TEST_EQ(fair_quotas_size(1, 0, 1, 1), 0);
	TEST_EQ(fair_quotas_size(1, UINT32_MAX / 8 + 1, 1, 1), 0);
	TEST_EQ(fair_quotas_size(1, 1, 0, 1), 0);
	TEST_EQ(fair_quotas_size(1, 1, UINT32_MAX / 4 + 1, 1), 0);
	TEST_EQ(fair_quotas_size(1024, 1024, UINT32_MAX / 4, 1024), 0);
	TEST_EQ(fair_quotas_size(1, 1, 1, 0), 0);
	TEST_EQ(fair_quotas_size(1, 1, 1, 1025), 0);
	TEST_CHECK(fair_quotas_size(1024, 1, 1, 1024));
	TEST_EQ(fair_quotas_size(1, UINT32_MAX / 8, 1, 1) > 0,
		SIZE_MAX > UINT32_MAX);
	TEST_EQ(fair_quotas_init(NULL, sizeof(l), memory, size, KINDS, 2, JOBS,
				 KINDS),
		-FAIR_EINVAL);
	TEST_EQ(fair_quotas_init(&l, sizeof(l), NULL, size, KINDS, 2, JOBS,
				 KINDS),
		-FAIR_EINVAL);
	TEST_EQ(fair_quotas_init(&l, 1, memory, size, KINDS, 2, JOBS, KINDS),
		-FAIR_EINVAL);
	TEST_EQ(fair_quotas_init(&l, sizeof(l), memory, size - 1, KINDS, 2,
				 JOBS, KINDS),
		-FAIR_ENOMEM);
	TEST_EQ(fair_quotas_init(&l, sizeof(l), memory, size, KINDS, 0, JOBS,
				 KINDS),
		-FAIR_ENOMEM);
	open_limits(2);
	TEST_EQ(fair_quotas_set(&l, KINDS, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_quotas_set(&l, 0, 0, -1), -FAIR_EINVAL);
}

/* Of a budget of 100, 30 are spent and 40 committed: there is room for 30, until
 * it is raised. A job that was displaced keeps what it has; one that gave up
 * waits, and holds back the one behind it. */
TEST(budgets)
{
	const struct fair_quotas_of forty = { 1, 7, 0, 40 };
	const struct fair_quotas_of twenty = { 1, 7, 0, 20 };
	struct fair_quotas_of limit;
	int64_t used = 0;

	open_limits(2);
	fair_quotas_budget(&l, 1, true);
	TEST_OK(fair_quotas_set(&l, 1, 7, 100));
	fair_quotas_set_spent(&l, 1, 6, 30); /* there is none */
	fair_quotas_set_spent(&l, 1, 7, 30);
	TEST_EQ(fair_quotas_spent(&l, 1, 7), 30);
	TEST_EQ(fair_quotas_spent(&l, 1, 6), 0);
	fair_quotas_join(&l, 0, &forty, 1);
	fair_quotas_join(&l, 1, &forty, 1);
	fair_quotas_join(&l, 2, &twenty, 1);
	TEST_EQ(fair_quotas_earliest(&l, 0, 5, 9, INT64_MAX), 5);
	fair_quotas_hold(&l, 0, 5, 9);
	fair_quotas_release(&l, 0);
	TEST_EQ(fair_quotas_earliest(&l, 0, 5, 9, INT64_MAX), 5);
	TEST_EQ(fair_quotas_earliest(&l, 1, 5, 9, INT64_MAX), INT64_MAX);
	TEST_CHECK(fair_quotas_blocker(&l, 1, 5, 9, INT64_MAX, &limit, &used));
	TEST_EQ(used, 70);
	TEST_EQ(limit.amount, 100);
	TEST_CHECK(!fair_quotas_blocker(&l, 2, 5, 9, INT64_MAX, &limit,
					&used));
	TEST_CHECK(fair_quotas_can_spend(&l, 0, 30));
	TEST_CHECK(!fair_quotas_can_spend(&l, 0, 31));
	fair_quotas_give_up(&l, 1);
	fair_quotas_give_up(&l, 2);
	TEST_CHECK(fair_quotas_waits(&l, 2));
	TEST_EQ(fair_quotas_earliest(&l, 2, 5, 9, INT64_MAX), INT64_MAX);
	TEST_CHECK(fair_quotas_blocker(&l, 2, 5, 9, INT64_MAX, &limit, &used));
	TEST_CHECK(fair_quotas_begin_trial(&l));
	TEST_CHECK(!fair_quotas_try(&l, 1) && !fair_quotas_try(&l, 2));
	TEST_CHECK(!fair_quotas_begin_trial(&l)); /* nothing has changed */
	TEST_OK(fair_quotas_set(&l, 1, 7, 110));
	TEST_CHECK(fair_quotas_begin_trial(&l));
	TEST_CHECK(fair_quotas_try(&l, 1));
	fair_quotas_hold(&l, 1, 9, 20);
	TEST_CHECK(!fair_quotas_try(&l, 2));
	TEST_EQ(fair_quotas_check(&l), 0);
	fair_quotas_revoke(&l, 1);
	TEST_CHECK(fair_quotas_is_over(&l, 1) && !fair_quotas_is_over(&l, 0));
	fair_quotas_spend(&l, 0, 25);
	fair_quotas_leave(&l, 0);
	TEST_EQ(fair_quotas_spent(&l, 1, 7), 55);
	fair_quotas_leave(&l, 2); /* it waited, and is listed no more */
	fair_quotas_give_up(&l, 1);
	TEST_CHECK(fair_quotas_begin_trial(&l));
	TEST_EQ(l.waiting, 1);
	l.job[1].listed = false;
	TEST_EQ(fair_quotas_check(&l), 5);
	l.job[1].listed = true;
	l.job[1].asks = false;
	TEST_EQ(fair_quotas_check(&l), 5);
	l.job[1].asks = true;
	l.wait[0] = 2;
	TEST_EQ(fair_quotas_check(&l), 5);
	l.wait[0] = 1;
	fair_quotas_leave(&l, 1);
	TEST_OK(fair_quotas_set(&l, 1, 7, FAIR_QUOTAS_NONE));
	TEST_OK(fair_quotas_set(&l, 1, 7, 5));
	TEST_EQ(fair_quotas_spent(&l, 1, 7), 0);
	TEST_EQ(fair_quotas_check(&l), 0);
}

/* Without keeping, a job counts while it holds something. No sum overflows. */
TEST(budgets_that_are_not_kept)
{
	const struct fair_quotas_of all = { 1, 7, 0, INT64_MAX };

	open_limits(2);
	fair_quotas_budget(&l, 1, false);
	TEST_OK(fair_quotas_set(&l, 1, 7, INT64_MAX - 1));
	fair_quotas_join(&l, 0, &all, 1);
	fair_quotas_hold(&l, 0, 5, 9);
	TEST_CHECK(l.row[0].held > 0);
	fair_quotas_release(&l, 0);
	TEST_EQ(l.row[0].held, 0);
	fair_quotas_give_up(&l, 0);
	TEST_CHECK(!fair_quotas_waits(&l, 0));
	fair_quotas_spend(&l, 0, INT64_MAX);
	fair_quotas_spend(&l, 0, INT64_MAX);
	TEST_EQ(fair_quotas_spent(&l, 1, 7), FAIR_QUOTAS_SPENT);
	TEST_OK(fair_quotas_set(&l, 1, 7, 9));
	TEST_EQ(fair_quotas_earliest(&l, 0, 5, 9, INT64_MAX), INT64_MAX);
	l.trusts = true;
	TEST_EQ(fair_quotas_earliest(&l, 0, 5, 9, INT64_MAX), 5);
	TEST_EQ(fair_quotas_check(&l), 0);
}

/* Three jobs, one after the other, have a step at each second from 5 on. */
static void broken_trees(void)
{
	const struct fair_quotas_of four = { 0, 7, 0, 4 };
	struct fair_quotas_step *s;
	uint32_t i;

	open_limits(3);
	fair_quotas_budget(&l, 1, false);
	TEST_OK(fair_quotas_set(&l, 0, 7, 9));
	for (i = 0; i < 3; i++) {
		fair_quotas_join(&l, i, &four, 1);
		fair_quotas_hold(&l, i, 5 + i, 6 + 2 * i);
	}
	TEST_OK(fair_quotas_set(&l, 0, 7, 4));
	TEST_EQ(fair_quotas_check(&l), 0);
	for (i = 1; i < 6; i++) {
		s = l.step + i;
		if (!s->delta)
			continue;
		if (s->left) {
			TEST_WITH(l.step[s->left].up, i + 1,
				  fair_quotas_check(&l) != 0, true);
			TEST_WITH(l.step[s->left].heap, s->heap + 1,
				  fair_quotas_check(&l) != 0, true);
		}
		if (s->right) {
			TEST_WITH(l.step[s->right].up, i + 1,
				  fair_quotas_check(&l) != 0, true);
			TEST_WITH(l.step[s->right].heap, s->heap + 1,
				  fair_quotas_check(&l) != 0, true);
		}
	}
	TEST_WITH(l.row[0].stepped, false, fair_quotas_check(&l), 4);
	TEST_WITH(l.budgets, 0, fair_quotas_check(&l), 4);
	TEST_EQ(fair_quotas_check(&l), 0);
}

/* Each invariant is broken, and found. */
TEST(invariants)
{
	const struct fair_quotas_of four = { 0, 7, 0, 4 };
	struct fair_quotas_step *s;
	uint32_t root;
	int64_t time;

	open_limits(1);
	TEST_OK(fair_quotas_set(&l, 0, FAIR_QUOTAS_EACH, 6));
	fair_quotas_join(&l, 0, &four, 1);
	fair_quotas_hold(&l, 0, 5, 9);
	TEST_EQ(fair_quotas_check(&l), 0);
	l.row[0].whose = 6;
	TEST_EQ(fair_quotas_check(&l), 1);
	l.row[0].whose = 7;
	l.row[0].jobs = 2;
	TEST_EQ(fair_quotas_check(&l), 2);
	l.row[0].jobs = 1;
	l.row[0].held++;
	TEST_EQ(fair_quotas_check(&l), 2);
	l.row[0].held--;
	l.row[0].asked++;
	TEST_EQ(fair_quotas_check(&l), 2);
	l.row[0].asked--;
	l.row[0].first = 0;
	TEST_EQ(fair_quotas_check(&l), 2);
	l.row[0].first = 1;
	l.part[0].before = 1;
	TEST_EQ(fair_quotas_check(&l), 2);
	l.part[0].before = 0;
	l.each[0] = 3;
	TEST_EQ(fair_quotas_check(&l), 4);
	TEST_OK(fair_quotas_set(&l, 0, FAIR_QUOTAS_EACH, 3));
	TEST_EQ(fair_quotas_check(&l), 0);
	root = l.row[0].root;
	s = l.step + root;
	s->sum++;
	TEST_EQ(fair_quotas_check(&l), 3);
	s->sum--;
	s->most++;
	TEST_EQ(fair_quotas_check(&l), 3);
	s->most--;
	s->least++;
	TEST_EQ(fair_quotas_check(&l), 3);
	s->least--;
	time = l.step[1].time;
	l.step[1].time = l.step[2].time;
	TEST_EQ(fair_quotas_check(&l), 3);
	l.step[1].time = time;
	memset(l.step + 3, 0, sizeof(*l.step));
	l.step[3].right = root;
	s->up = 3;
	TEST_EQ(fair_quotas_check(&l), 3);
	s->up = 1;
	TEST_EQ(fair_quotas_check(&l), 3);
	s->up = 0;
	l.job[0].end = 10;
	TEST_EQ(fair_quotas_check(&l), 4);
	l.job[0].end = 9;
	TEST_EQ(fair_quotas_check(&l), 0);
	l.row[0].root = 0;
	TEST_EQ(fair_quotas_check(&l), 4);
	broken_trees();
	open_limits(2);
	TEST_OK(fair_quotas_set(&l, 0, FAIR_QUOTAS_EACH, 6));
	fair_quotas_join(&l, 0, &four, 1);
	fair_quotas_join(&l, 1, &(struct fair_quotas_of){ 0, 8, 0, 4 }, 1);
	TEST_EQ(fair_quotas_check(&l), 0);
	l.row[0].first = l.most + 1; /* each has the job of the other */
	l.row[1].first = 1;
	TEST_EQ(fair_quotas_check(&l), 2);
}
