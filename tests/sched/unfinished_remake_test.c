/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A scan limit cuts the work after a loss of processors: displaced jobs have no
 * reservation until they are put back or get another in a later call, by turn
 * and with the cause of the loss. Clones, checkpoints and other events come in
 * between; what is decided does not depend on the limit.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/test.h"

#define PROCS 8
#define WAITING 12
#define LOSERS 10 /* all but 10 and 14, which stay side by side with 12 */
#define TOLD 100

struct site {
	struct fair_sched s;
	struct fair_config config;
	void *memory;
	struct fair_promise told[TOLD];
	size_t tells;
};

static void promised(void *context, const struct fair_promise *p)
{
	struct site *x = (struct site *)context;

	TEST_REQUIRE(x->tells < TOLD);
	x->told[x->tells++] = *p;
}

static void submit(struct fair_sched *s, int64_t now, uint64_t number,
		   int64_t walltime, int32_t procs)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = now;
	j.walltime = walltime;
	j.procs = procs;
	TEST_OK(fair_sched_submit(s, now, &j));
}

static size_t step(struct fair_sched *s, int64_t now)
{
	struct fair_decision start[2 * PROCS];
	size_t n, all = 0;

	do {
		TEST_OK(fair_sched_step(s, now, start, 2 * PROCS, &n));
		all += n;
	} while (fair_sched_is_unfinished(s));
	return all;
}

/*
 * Jobs 1 and 2 run, with 6 and 2 processors, until 100; then jobs of 3 and of 4
 * processors side by side, one pair behind the other.
 */
static void open_site(struct site *x, uint32_t policy)
{
	uint64_t i;

	memset(x, 0, sizeof(*x));
	x->config.policy = policy;
	x->config.procs = PROCS;
	x->config.jobs = WAITING + 4;
	x->config.ineligible = 2;
	x->config.promised = promised;
	x->config.context = x;
	x->memory = malloc(fair_sched_size(&x->config));
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				fair_sched_size(&x->config), &x->config));
	submit(&x->s, 0, 1, 100, 6);
	submit(&x->s, 0, 2, 100, 2);
	TEST_EQ(step(&x->s, 0), 2);
	for (i = 0; i < WAITING; i++)
		submit(&x->s, 0, 10 + i, 10, i % 2 ? 4 : 3);
	x->tells = 0;
}

static void close_site(struct site *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

/* Job 2 ends with the loss of its two processors. */
static void lose(struct site *x, uint64_t scans)
{
	static const uint64_t victim = 2;

	fair_sched_scan_limit(&x->s, scans);
	TEST_OK(fair_sched_capacity(&x->s, 10, -2, &victim, 1));
	TEST_EQ(fair_sched_check(&x->s), 0);
}

static uint32_t count_displaced(const struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint32_t n = 0;

	for (; fair_sched_each(s, FAIR_DISPLACED, &at, &j); n++) {
		TEST_EQ(j.state, FAIR_DISPLACED);
		TEST_EQ(j.start, FAIR_FOREVER);
		TEST_CHECK(j.first_promise != FAIR_FOREVER);
	}
	TEST_EQ(fair_sched_count(s, FAIR_DISPLACED), n);
	at.row = at.index = 0;
	while (fair_sched_each(s, FAIR_QUEUED, &at, &j)) {
		TEST_EQ(j.state, FAIR_QUEUED);
		n++;
	}
	TEST_EQ(n, fair_sched_count(s, FAIR_QUEUED) +
			   fair_sched_count(s, FAIR_DISPLACED));
	return fair_sched_count(s, FAIR_DISPLACED);
}

/* Both were told the same. */
static void compare_told(const struct site *a, const struct site *b)
{
	size_t i;

	TEST_EQ(a->tells, b->tells);
	for (i = 0; i < a->tells && i < b->tells; i++) {
		TEST_EQ(a->told[i].number, b->told[i].number);
		TEST_EQ(a->told[i].from, b->told[i].from);
		TEST_EQ(a->told[i].to, b->told[i].to);
		TEST_EQ(a->told[i].cause, b->told[i].cause);
		TEST_EQ(a->told[i].culprit, b->told[i].culprit);
	}
}

static const uint32_t policies[] = { FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC };

#define POLICIES (sizeof(policies) / sizeof(*policies))

/* Six processors are left, so that no 3 and 4 run side by side any more. */
static void compare_losses(const struct site *x)
{
	static const int64_t number[] = { 11, 12, 13, 15, 16,
					  17, 18, 19, 20, 21 };
	static const int64_t from[] = { 100, 110, 110, 120, 130,
					130, 140, 140, 150, 150 };
	static const int64_t to[] = { 110, 120, 130, 140, 150,
				      160, 150, 170, 180, 190 };
	size_t i;

	for (i = 0; i < LOSERS; i++) {
		TEST_EQ(x->told[i].number, number[i]);
		TEST_EQ(x->told[i].from, from[i]);
		TEST_EQ(x->told[i].to, to[i]);
		TEST_EQ(x->told[i].cause, FAIR_CAUSE_CAPACITY);
	}
}

TEST(a_scan_limit_bounds_new_promises)
{
	struct site all, x;
	uint64_t scans;
	size_t i, told;

	for (i = 0; i < POLICIES; i++) {
		open_site(&all, policies[i]);
		lose(&all, 0);
		compare_losses(&all);
		TEST_EQ(count_displaced(&all.s), 0);
		TEST_CHECK(!fair_sched_is_unfinished(&all.s));
		for (scans = 1; scans <= LOSERS; scans++) {
			open_site(&x, policies[i]);
			lose(&x, scans);
			TEST_EQ(x.tells, scans);
			/* The last job by turn is one of them. */
			while (count_displaced(&x.s)) {
				TEST_CHECK(x.tells < LOSERS);
				TEST_CHECK(fair_sched_is_unfinished(&x.s));
				TEST_EQ(fair_sched_next(&x.s), 10);
				told = x.tells;
				(void)fair_sched_resume(&x.s);
				TEST_EQ(fair_sched_check(&x.s), 0);
				TEST_CHECK(x.tells - told <= scans);
				if (x.tells < LOSERS)
					TEST_EQ(x.tells - told, scans);
			}
			TEST_CHECK(x.tells >= LOSERS);
			while (fair_sched_resume(&x.s))
				;
			compare_told(&all, &x);
			TEST_EQ(fair_sched_digest(&x.s),
				fair_sched_digest(&all.s));
			TEST_EQ(fair_sched_next(&x.s),
				fair_sched_next(&all.s));
			close_site(&x);
		}
		close_site(&all);
	}
}

/* What is saved is loaded, and saved as the same bytes. */
static void save_and_load(struct site *to, const struct site *from)
{
	size_t bytes = fair_sched_checkpoint_size(&from->s);
	unsigned char *saved = malloc(2 * bytes);

	*to = *from;
	to->memory = malloc(fair_sched_size(&to->config));
	to->config.context = to;
	TEST_OK(fair_sched_save(&from->s, saved, bytes));
	TEST_OK(fair_sched_load(&to->s, sizeof(to->s), to->memory,
				fair_sched_size(&to->config), &to->config,
				saved, bytes, NULL));
	TEST_EQ(fair_sched_checkpoint_size(&to->s), bytes);
	TEST_OK(fair_sched_save(&to->s, saved + bytes, bytes));
	TEST_CHECK(!memcmp(saved, saved + bytes, bytes));
	free(saved);
}

static void clone_of(struct site *to, const struct site *from)
{
	*to = *from;
	to->memory = malloc(fair_sched_size(&to->config));
	to->config.context = to;
	TEST_OK(fair_sched_clone(&to->s, to->memory,
				 fair_sched_size(&to->config), &from->s));
	fair_sched_report_to(&to->s, promised, to);
}

/* In the midst of it a copy has the same displaced jobs, and the same end. */
static void copy_and_go_on(uint32_t policy, uint64_t scans,
			   void (*copy)(struct site *, const struct site *))
{
	struct site x, y;

	open_site(&x, policy);
	lose(&x, scans);
	copy(&y, &x);
	TEST_EQ(fair_sched_check(&y.s), 0);
	TEST_CHECK(count_displaced(&y.s) > 0);
	TEST_EQ(count_displaced(&y.s), count_displaced(&x.s));
	TEST_CHECK(fair_sched_is_unfinished(&y.s));
	TEST_EQ(fair_sched_next(&y.s), 10);
	while (fair_sched_resume(&x.s))
		;
	while (fair_sched_resume(&y.s))
		;
	compare_told(&x, &y);
	TEST_EQ(fair_sched_digest(&x.s), fair_sched_digest(&y.s));
	close_site(&y);
	close_site(&x);
}

TEST(copies_go_on)
{
	uint64_t scans;
	size_t i;

	for (i = 0; i < POLICIES; i++)
		for (scans = 1; scans < LOSERS; scans++) {
			copy_and_go_on(policies[i], scans, save_and_load);
			copy_and_go_on(policies[i], scans, clone_of);
		}
}

/* Job 1 may run longer than planned. */
static void extend(struct site *x, uint32_t policy, uint64_t scans)
{
	open_site(x, policy);
	fair_sched_scan_limit(&x->s, scans);
	TEST_OK(fair_sched_modify(&x->s, 10, 1, 6, 150));
	TEST_EQ(fair_sched_check(&x->s), 0);
}

/* What an event finds is complete: an overrun before it is not cut. */
TEST(an_overrun_is_not_cut)
{
	struct fair_decision start[PROCS];
	struct site x;
	size_t n, i;

	for (i = 0; i < POLICIES; i++) {
		open_site(&x, policies[i]);
		fair_sched_scan_limit(&x.s, 1);
		TEST_OK(fair_sched_finish(&x.s, 100, 2));
		while (fair_sched_resume(&x.s))
			;
		TEST_OK(fair_sched_step(&x.s, 100, start, PROCS, &n));
		TEST_EQ(count_displaced(&x.s), 0);
		TEST_EQ(x.told[x.tells - 1].cause, FAIR_CAUSE_OVERRUN);
		close_site(&x);
	}
}

/* New promises name what displaced the old ones, whichever call makes them. */
TEST(the_cause_is_that_of_the_loss)
{
	struct site all, x, y;
	size_t i, k;

	for (i = 0; i < POLICIES; i++) {
		extend(&all, policies[i], 0);
		extend(&x, policies[i], 1);
		TEST_CHECK(count_displaced(&x.s) > 0);
		save_and_load(&y, &x);
		step(&x.s, 10);
		step(&y.s, 10);
		compare_told(&all, &x);
		compare_told(&all, &y);
		TEST_EQ(fair_sched_digest(&x.s), fair_sched_digest(&all.s));
		for (k = 0; k < x.tells; k++) {
			TEST_EQ(x.told[k].cause, FAIR_CAUSE_OVERRUN);
			TEST_EQ(x.told[k].culprit, 1);
		}
		close_site(&y);
		close_site(&x);
		close_site(&all);
	}
}

/*
 * An event that changes the plan first makes all reservations again; under pc
 * the compression goes on behind it.
 */
TEST(events_finish_it)
{
	struct fair_job_status j;
	struct site x, all;
	size_t i;

	for (i = 0; i < POLICIES; i++) {
		open_site(&all, policies[i]);
		lose(&all, 0);
		open_site(&x, policies[i]);
		lose(&x, 1);
		TEST_CHECK(count_displaced(&x.s) > 0);
		submit(&x.s, 10, 50, 10, 1);
		submit(&all.s, 10, 50, 10, 1);
		TEST_EQ(count_displaced(&x.s), 0);
		TEST_OK(fair_sched_lookup(&x.s, 50, &j));
		TEST_EQ(j.state, FAIR_QUEUED);
		while (fair_sched_resume(&x.s))
			;
		TEST_EQ(fair_sched_check(&x.s), 0);
		if (policies[i] != FAIR_PC) {
			compare_told(&all, &x);
			TEST_EQ(fair_sched_digest(&x.s),
				fair_sched_digest(&all.s));
		}
		close_site(&x);
		close_site(&all);
	}
}

/* Reservation jobs are planned after all others: nothing is left to do. */
TEST(reservation_jobs_come_last)
{
	struct fair_advance b = { 0 };
	struct fair_job j = { 0 };
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	free(x.memory);
	x.config.advances = 1;
	x.memory = malloc(fair_sched_size(&x.config));
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
				fair_sched_size(&x.config), &x.config));
	b.number = 1;
	b.from = 500;
	b.to = 600;
	b.procs = 2;
	b.kind = FAIR_ADVANCE_USER;
	submit(&x.s, 0, 1, 100, 4);
	submit(&x.s, 0, 2, 100, 2);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	submit(&x.s, 0, 10, 20, 4);
	submit(&x.s, 0, 11, 20, 4);
	j.number = 3;
	j.walltime = 10;
	j.procs = 1;
	j.advance = 1;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	fair_sched_scan_limit(&x.s, 1);
	TEST_OK(fair_sched_capacity(&x.s, 0, -4, NULL, 0));
	TEST_EQ(count_displaced(&x.s), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_site(&x);
}

/* A displaced job, and one that may yet be displaced, as 21 is, has no certain
 * start: a clone finds it. */
TEST(estimates_finish_it)
{
	int64_t start[2], then;
	struct fair_job_status j;
	struct site x;
	void *memory;
	uint64_t i;
	size_t bytes;

	open_site(&x, FAIR_CONSERVATIVE);
	lose(&x, 1);
	bytes = fair_sched_fst_size(&x.config);
	memory = malloc(bytes);
	for (i = 0; i < 2; i++) {
		TEST_OK(fair_sched_lookup(&x.s, 20 + i, &j));
		TEST_EQ(j.state, i ? FAIR_QUEUED : FAIR_DISPLACED);
		TEST_EQ(fair_sched_estimate(&x.s, 20 + i, NULL, 0, &then),
			-FAIR_ENOMEM);
		TEST_OK(fair_sched_estimate(&x.s, 20 + i, memory, bytes,
					    &start[i]));
	}
	while (fair_sched_resume(&x.s))
		;
	for (i = 0; i < 2; i++) {
		TEST_OK(fair_sched_estimate(&x.s, 20 + i, NULL, 0, &then));
		TEST_EQ(start[i], then);
	}
	free(memory);
	close_site(&x);
}

/* Whatever says that it is displaced but cannot be is no state of a plan. */
TEST(displaced_without_a_place)
{
	struct site x;
	struct fair_queue_place first = { 0, 0 };
	struct fair_conservative *c;
	struct fair_queued *j;

	open_site(&x, FAIR_PC);
	lose(&x, 1);
	c = (struct fair_conservative *)x.s.plan;
	c->displaced++;
	TEST_EQ(fair_conservative_check(c), 7);
	c->displaced--;
	j = fair_conservative_job(c, fair_queue_slot(&c->plan, first));
	j->mark |= FAIR_MARK_DISPLACED;
	c->displaced++;
	TEST_EQ(fair_conservative_check(c), 7);
	j->mark &= ~(uint32_t)FAIR_MARK_DISPLACED;
	c->displaced--;
	close_site(&x);
}
