/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Shares delivered: two users that always have work, on a simulated month; and a
 * hog that is idle for a week.
 */
#include "fairsched.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#define PROCS 64
#define JOBS 128
#define WAITING 8 /* of each user, always */
#define DAY 86400

static uint64_t random_state = 1;

static int64_t draw(int64_t least, int64_t most)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1;
	return least +
	       (int64_t)((random_state >> 33) % (uint64_t)(most - least + 1));
}

/*
 * Up to half of the machine for up to 2 hours: what runs as a window ends is
 * in part forgotten, so that jobs of 6 hours in windows of a day would get 68.
 */
static void draw_job(struct fair_queued *j)
{
	j->procs = (int32_t)draw(1, PROCS / 2);
	j->walltime = draw(600, 2 * 3600);
}

/* By the ledger: the user furthest below its target is first [MAUI 6.1.3]. */
struct site {
	struct fair_queued job[JOBS];
	uint32_t user[JOBS], waits[2], spare[JOBS], spares;
	struct fair_queue running;
	struct fair_backfill plan;
	struct fair_usage usage;
	struct fair_usage_target target[2];
	struct fair_group groups[2];
	int64_t now, busy[2], delivered[2];
	uint64_t numbers;
	char memory[3][65536];
};

static uint32_t user_of(const void *context, uint32_t slot)
{
	return ((const struct site *)context)->user[slot];
}

static int furthest_below(const void *context, uint32_t a, uint32_t b)
{
	const struct site *s = (const struct site *)context;
	int64_t x, y;

	TEST_EQ(fair_usage_share(&s->usage, a, s->now, &x), 0);
	TEST_EQ(fair_usage_share(&s->usage, b, s->now, &y), 0);
	x = fair_usage_delta(&s->target[a], x);
	y = fair_usage_delta(&s->target[b], y);
	return (y > x) - (y < x);
}

static struct fair_usage_target target_of(int64_t points)
{
	struct fair_usage_target target = { points * FAIR_USAGE_POINT,
					    FAIR_USAGE_TARGET };

	return target;
}

/* half_life 0: 14 windows of 12 hours, each worth 0.8 of the next. */
static struct site *open_site(int64_t half_life,
			      struct fair_usage_target target_0,
			      struct fair_usage_target target_1)
{
	struct site *s = (struct site *)calloc(1, sizeof(*s));
	struct fair_walk walk = { 0 };
	uint32_t i;

	if (!s)
		abort();
	TEST_OK(fair_queue_init(&s->running, sizeof(s->running), s->memory[0],
				sizeof(s->memory[0]), JOBS, s->job,
				sizeof(*s->job)));
	TEST_OK(fair_backfill_init(&s->plan, sizeof(s->plan), s->memory[1],
				   sizeof(s->memory[1]), 1, true, JOBS, s->job,
				   sizeof(*s->job), PROCS, 0));
	if (half_life)
		TEST_OK(fair_usage_init_half_life(
			&s->usage, sizeof(s->usage), s->memory[2],
			sizeof(s->memory[2]), 2, 1, 1, half_life));
	else
		TEST_OK(fair_usage_init_windows(
			&s->usage, sizeof(s->usage), s->memory[2],
			sizeof(s->memory[2]), 2, 1, 1, 14, DAY / 2,
			4 * FAIR_USAGE_ONE / 5));
	s->target[0] = target_0;
	s->target[1] = target_1;
	walk.group = user_of;
	walk.compare = furthest_below;
	walk.groups = s->groups;
	walk.group_count = 2;
	TEST_EQ(fair_backfill_walk_by(&s->plan, &walk), 0);
	for (i = 0; i < JOBS; i++)
		s->spare[s->spares++] = JOBS - 1 - i;
	return s;
}

static void submit(struct site *s, uint32_t user)
{
	uint32_t slot = s->spare[--s->spares];
	struct fair_queued *j = &s->job[slot];

	memset(j, 0, sizeof(*j));
	draw_job(j);
	j->rank.key = s->now;
	j->rank.number = s->numbers++;
	s->user[slot] = user;
	s->waits[user]++;
	TEST_EQ(fair_backfill_submit(&s->plan, slot), 0);
}

/* Running jobs are charged as time passes. */
static void pass_to(struct site *s, int64_t t)
{
	uint32_t i;

	for (i = 0; i < 2; i++) {
		TEST_OK(fair_usage_charge(&s->usage, i, s->now, t, s->busy[i]));
		s->delivered[i] += s->busy[i] * (t - s->now);
	}
	s->now = t;
}

static void finish_first(struct site *s)
{
	const struct fair_queue_place first = { 0, 0 };
	uint32_t slot = fair_queue_slot(&s->running, first);
	const struct fair_queued *j = &s->job[slot];

	pass_to(s, j->rank.key);
	s->busy[s->user[slot]] -= j->procs;
	TEST_EQ(fair_queue_remove(&s->running, slot), 0);
	TEST_EQ(fair_backfill_give_back(&s->plan, s->now, s->now, CLAIM(j->procs)), 0);
	s->spare[s->spares++] = slot;
}

static void start_due(struct site *s)
{
	struct fair_iteration it = { s->now, &s->running, s };
	uint32_t slot;

	while (fair_backfill_due(&s->plan, &it, &slot)) {
		s->waits[s->user[slot]]--;
		s->busy[s->user[slot]] += s->job[slot].procs;
		s->job[slot].rank.key = s->now + s->job[slot].walltime;
		TEST_EQ(fair_queue_insert(&s->running, slot), 0);
	}
}

/* @users that have work, a set of bits, always have it. */
static void run_until(struct site *s, int64_t end, uint32_t users)
{
	uint32_t i;

	while (s->now < end) {
		for (i = 0; i < 2; i++)
			while (users >> i & 1 && s->waits[i] < WAITING)
				submit(s, i);
		start_due(s);
		finish_first(s);
	}
}

static double percent(const int64_t delivered[2])
{
	return 100 * (double)delivered[0] /
	       (double)(delivered[0] + delivered[1]);
}

/* Within one percentage point of 70. */
static void is_70(double points)
{
	TEST_CHECK(points > 69 && points < 71);
	printf("# %.3f : %.3f\n", points, 100 - points);
}

TEST(by_half_life)
{
	struct site *s = open_site(7 * DAY, target_of(70), target_of(30));

	run_until(s, 30 * DAY, 3);
	is_70(percent(s->delivered));
	free(s);
}

TEST(by_windows)
{
	struct site *s = open_site(0, target_of(70), target_of(30));

	run_until(s, 30 * DAY, 3);
	is_70(percent(s->delivered));
	free(s);
}

/*
 * User 0 alone for two weeks, then no user for one: what it used counts half,
 * and user 1, without usage, is before it until both have used as much.
 */
TEST(hog_keeps_its_memory)
{
	struct site *s = open_site(7 * DAY, target_of(50), target_of(50));
	int64_t before[2], since[2];
	uint64_t hog = 0, idle = 0;
	uint32_t i;

	run_until(s, 14 * DAY, 1);
	while (s->running.jobs)
		finish_first(s);
	while (s->waits[0]) {
		start_due(s);
		while (s->running.jobs)
			finish_first(s);
	}
	TEST_EQ(fair_usage_at(&s->usage, 0, s->now, &hog, NULL), 0);
	pass_to(s, s->now + 7 * DAY);
	TEST_EQ(fair_usage_at(&s->usage, 0, s->now, &idle, NULL), 0);
	TEST_CHECK(idle >= hog / 2 - 1 && idle <= hog / 2 + 1);
	memcpy(before, s->delivered, sizeof(before));
	run_until(s, s->now + 2 * DAY, 3);
	for (i = 0; i < 2; i++)
		since[i] = s->delivered[i] - before[i];
	/* User 1's jobs come first; what they leave over is user 0's. */
	TEST_CHECK(percent(since) < 35);
	printf("# %.3f : %.3f in the two days after\n", percent(since),
	       100 - percent(since));
	free(s);
}

/* ---- relative share, through the scheduler ---- */

struct relsite {
	struct fair_sched sched;
	void *memory;
	int64_t now, busy[2], delivered[2];
	uint32_t waits[2];
	uint64_t numbers;
};

static void open_relsite(struct relsite *r, int64_t window, bool only_used)
{
	static const uint32_t share[2] = { 70, 30 };
	struct fair_config c = { 0 };
	size_t bytes;

	memset(r, 0, sizeof(*r));
	c.policy = FAIR_RELSHARE;
	c.procs = PROCS;
	c.jobs = JOBS;
	c.users = 2;
	c.share = share;
	c.window = window;
	c.only_used = only_used;
	bytes = fair_sched_size(&c);
	r->memory = malloc(bytes);
	TEST_REQUIRE(r->memory);
	TEST_OK(fair_sched_init(&r->sched, sizeof(r->sched), r->memory, bytes,
				&c));
}

static void rel_submit(struct relsite *r, uint32_t user)
{
	struct fair_job job = { 0 };
	struct fair_queued j;

	draw_job(&j);
	job.number = r->numbers++;
	job.submit = r->now;
	job.walltime = j.walltime;
	job.procs = j.procs;
	job.user = user;
	r->waits[user]++;
	TEST_EQ(fair_sched_submit(&r->sched, r->now, &job), 0);
}

static void rel_start(struct relsite *r)
{
	struct fair_decision start[JOBS];
	struct fair_job_status j;
	size_t n = 0, i;

	TEST_EQ(fair_sched_step(&r->sched, r->now, start, JOBS, &n), 0);
	for (i = 0; i < n; i++) {
		TEST_REQUIRE(!fair_sched_lookup(&r->sched, start[i].number, &j));
		r->waits[j.job.user]--;
		r->busy[j.job.user] += j.job.procs;
	}
}

static void rel_finish(struct relsite *r)
{
	struct fair_queue_place first = { 0, 0 };
	struct fair_job_status j;
	uint32_t i;

	TEST_REQUIRE(fair_sched_each(&r->sched, FAIR_RUNNING, &first, &j));
	for (i = 0; i < 2; i++)
		r->delivered[i] += r->busy[i] * (j.end - r->now);
	r->now = j.end;
	r->busy[j.job.user] -= j.job.procs;
	TEST_EQ(fair_sched_finish(&r->sched, r->now, j.job.number), 0);
}

static void by_relshare(int64_t window, bool only_used)
{
	struct relsite r;
	uint32_t i;

	open_relsite(&r, window, only_used);
	while (r.now < 30 * DAY) {
		for (i = 0; i < 2; i++)
			while (r.waits[i] < WAITING)
				rel_submit(&r, i);
		rel_start(&r);
		rel_finish(&r);
	}
	is_70(percent(r.delivered));
	free(r.memory);
}

TEST(by_relshare_of_a_day)
{
	by_relshare(DAY, false);
}

TEST(by_relshare_without_expected)
{
	by_relshare(DAY, true);
}

TEST(by_relshare_of_a_week)
{
	by_relshare(7 * DAY, false);
}
