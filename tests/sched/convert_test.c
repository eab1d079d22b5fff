/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A scheduler that is converted to another policy takes all of its jobs and
 * advance reservations along, in the order of arrival, or nothing at all.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/site.h"

static void count_promise(void *context, const struct fair_promise *promise)
{
	(void)promise;
	++*(int *)context;
}

/* Whatever the order was before, promises are made first come, first served. */
TEST(in_order_of_arrival)
{
	static const int64_t came[] = { 5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 3, 5 };
	enum { N = sizeof(came) / sizeof(came[0]) };
	struct fair_config c;
	struct fair_job_status a, b;
	struct fair_sched s;
	struct fair_job j;
	struct site x;
	char *memory;
	uint64_t i, k;

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(fair_sched_pass_time(&x.s, 10), 0);
	for (i = 0; i < N; i++) {
		j = job_of(i, 10, 1);
		j.submit = came[i];
		TEST_EQ(fair_sched_submit(&x.s, 10, &j), 0);
	}
	c = x.config;
	c.policy = FAIR_CONSERVATIVE;
	memory = malloc(fair_sched_size(&c));
	TEST_OK(fair_sched_convert(&s, sizeof(s), memory, fair_sched_size(&c),
				   &c, &x.s));
	for (i = 0; i < N; i++)
		for (k = 0; k < N; k++) {
			TEST_EQ(fair_sched_lookup(&s, i, &a), 0);
			TEST_EQ(fair_sched_lookup(&s, k, &b), 0);
			TEST_EQ(a.start < b.start,
				came[i] < came[k] ||
					(i < k && came[i] == came[k]));
		}
	free(memory);
	close_site(&x);
}

/* In memory of its own, x->other. */
static int converts(struct site *x, const struct fair_config *c,
		    struct fair_sched *s)
{
	free(x->other);
	x->more = fair_sched_size(c);
	x->other = malloc(x->more);
	return fair_sched_convert(s, sizeof(*s), x->other, x->more, c, &x->s);
}

TEST(converted_in_order_of_number)
{
	struct fair_config c;
	struct fair_job_status j;
	struct fair_sched s;
	struct site x;
	uint64_t n, i;

	for (n = 1; n < 9; n++) {
		open_site(&x, FAIR_BACKFILL, 10);
		for (i = 0; i < n; i++)
			enqueue(&x.s, i, 10, 10);
		c = x.config;
		c.policy = FAIR_CONSERVATIVE;
		TEST_EQ(converts(&x, &c, &s), 0);
		for (i = 0; i < n; i++) {
			TEST_EQ(fair_sched_lookup(&s, i, &j), 0);
			TEST_EQ(j.start, 10 * (int64_t)i);
		}
		close_site(&x);
	}
}

/*
 * Running and waiting jobs and forced reservations are converted, whatever the
 * configuration says of the machine. The digest begins anew.
 */
TEST(converts_what_runs_waits_and_is_reserved)
{
	struct fair_advance b = { 8, 10, 20, 5, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	struct fair_config c;
	struct fair_sched s;
	struct site x;
	uint64_t none;

	open_site(&x, FAIR_BACKFILL, 10);
	none = fair_sched_digest(&x.s);
	enqueue(&x.s, 1, 10, 100);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(fair_sched_advance_reserve(&x.s, 3, &b, true), 0);
	b.number = 9;
	b.from = 15;
	TEST_EQ(fair_sched_advance_reserve(&x.s, 3, &b, true), 0);
	enqueue(&x.s, 2, 10, 10);
	c = x.config;
	c.jobs = 2;
	c.procs = 1;
	c.origin = 99;
	TEST_EQ(converts(&x, &c, &s), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_CHECK(fair_sched_digest(&s) == none);
	TEST_EQ(s.now, 3);
	TEST_EQ(s.jobs, 2);
	TEST_CHECK(fair_sched_advance_get(&s, 0, &b));
	TEST_EQ(b.number, 8);
	TEST_EQ(b.from, 10);
	TEST_CHECK(fair_sched_advance_get(&s, 1, &b));
	TEST_EQ(b.number, 9);
	TEST_EQ(b.from, 15);
	TEST_CHECK(!fair_sched_advance_get(&s, 2, &b));
	TEST_EQ(fair_sched_finish(&s, 20, 1), 0);
	TEST_EQ(started(&s, 20), 2);
	close_site(&x);
}

/* Of 2,000 jobs, and so with a plan that is longer than that of a few. */
static void open_large(struct site *x)
{
	open_site(x, FAIR_BACKFILL, 10);
	x->config.jobs = 2000;
	x->bytes = fair_sched_size(&x->config);
	free(x->memory);
	x->memory = malloc(x->bytes);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
}

/* What runs may end at the horizon, seen from now, but not behind it. */
TEST(up_to_the_horizon)
{
	int64_t now = INT64_C(1) << 40, reach;
	struct fair_config c;
	struct fair_job_status j;
	struct fair_sched s;
	struct site x;

	open_large(&x);
	c = x.config;
	c.jobs = SITE_JOBS;
	c.policy = FAIR_CONSERVATIVE;
	TEST_EQ(converts(&x, &c, &s), 0);
	reach = fair_sched_horizon(&s);
	TEST_EQ(fair_sched_pass_time(&x.s, now), 0);
	enqueue(&x.s, 1, 1, reach);
	TEST_EQ(started(&x.s, now), 1);
	TEST_EQ(converts(&x, &c, &s), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_lookup(&s, 1, &j), 0);
	TEST_EQ(j.end, now + reach);
	enqueue(&x.s, 2, 1, reach + 1);
	TEST_EQ(started(&x.s, now), 2);
	TEST_EQ(converts(&x, &c, &s), -FAIR_EOVERFLOW);
	close_site(&x);
}

/* One reservation is beyond the horizon, and the other is not. */
TEST(reservations_up_to_the_horizon)
{
	int64_t far = INT64_C(3) << 30;
	struct fair_config c;
	struct fair_sched s;
	struct site x;

	open_large(&x);
	TEST_EQ(reserve(&x.s, 0, 7, far, far + 10, 1), 0);
	TEST_EQ(reserve(&x.s, 0, 8, 10, 20, 1), 0);
	c = x.config;
	c.jobs = SITE_JOBS;
	TEST_EQ(converts(&x, &c, &s), -FAIR_EOVERFLOW);
	c.advances = 1;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_site(&x);
}

/*
 * Of many faults the first is told: of room, of running jobs, of waiting jobs.
 */
TEST(the_first_fault)
{
	struct fair_config c;
	struct fair_sched s;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 100, 110, 1), 0);
	enqueue_of(&x.s, 1, 1, 0, 4);
	enqueue_of(&x.s, 2, 0, 0, 4);
	enqueue_of(&x.s, 3, 1, 0, 4);
	enqueue_of(&x.s, 4, 0, 0, 4);
	TEST_EQ(started(&x.s, 0), 12);
	c = x.config;
	c.policy = FAIR_RELSHARE;
	c.users = 1;
	c.jobs = 1;
	c.advances = 0;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_finish(&x.s, 0, 1), 0);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 0, 7), 0);
	c.jobs = 3;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOENT);
	c.jobs = 2;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_site(&x);
}

/*
 * 1 is a reservation job, 2 is held, 3 waits; 2 and 3 are of user 1, which may
 * not exist.
 */
TEST(faults_of_ineligible_jobs)
{
	struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_job j = job_of(2, 1, 10);
	struct fair_config c;
	struct fair_sched s;
	struct site x;
	int told = 0;

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	enqueue_of(&x.s, 1, 0, 7, 6);
	j.user = 1;
	TEST_EQ(fair_sched_submit_ineligible(&x.s, 0, &j, &held), 0);
	c = x.config;
	c.policy = FAIR_RELSHARE;
	c.promised = count_promise;
	c.context = &told;
	TEST_EQ(converts(&x, &c, &s), 0);
	TEST_EQ(told, 1);
	c.users = 1;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOENT);
	TEST_EQ(told, 1);
	enqueue_of(&x.s, 3, 1, 0, 1);
	TEST_EQ(fair_sched_advance_cancel(&x.s, 0, 7), 0);
	c.advances = 0;
	c.ineligible = 1;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_site(&x);
}

/* Into a place for 2, of which there are more than that many. */
TEST(into_less_room)
{
	struct fair_config c;
	struct fair_sched s;
	struct site x;
	size_t bytes, i;
	uint64_t n;

	open_large(&x);
	for (n = 0; n < x.config.jobs; n++)
		enqueue(&x.s, n, 10, 10);
	c = x.config;
	c.jobs = 2;
	c.advances = 0;
	bytes = fair_sched_size(&c);
	TEST_CHECK(bytes < x.more);
	memset(x.other, '#', x.more);
	TEST_EQ(fair_sched_convert(&s, sizeof(s), x.other, bytes, &c, &x.s),
		-FAIR_ENOSPC);
	for (i = bytes; i < x.more; i++)
		if (x.other[i] != '#')
			break;
	TEST_EQ(i, x.more);
	close_site(&x);
}

/* More ineligible jobs than the other table is for. */
TEST(into_less_room_to_wait)
{
	struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_job j = job_of(1, 1, 10);
	struct fair_config c;
	struct fair_sched s;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 10);
	for (; j.number <= 3; j.number++)
		TEST_OK(fair_sched_submit_ineligible(&x.s, 0, &j, &held));
	c = x.config;
	c.jobs = 3;
	c.advances = c.ineligible = 0;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_site(&x);
}

/* Reservation jobs wait, too, whatever is before them in the table. */
TEST(reservation_jobs_into_less_room_to_wait)
{
	struct fair_config c;
	struct fair_sched s;
	struct site x;
	uint64_t n;

	open_site(&x, FAIR_BACKFILL, 10);
	enqueue(&x.s, 9, 1, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	for (n = 1; n <= 3; n++)
		enqueue_of(&x.s, n, 0, 7, 1);
	TEST_OK(fair_sched_advance_cancel(&x.s, 0, 7));
	c = x.config;
	c.advances = 0;
	c.ineligible = 3;
	TEST_OK(converts(&x, &c, &s));
	c.ineligible = 2;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_site(&x);
}

/* Two of a user that may have one run when limits come: they go on. */
TEST(above_the_limits)
{
	struct fair_config c;
	struct fair_sched to;
	struct site x;
	size_t bytes;
	char *memory;

	open_site(&x, FAIR_BACKFILL, 6);
	enqueue_of(&x.s, 1, 1, 0, 2);
	enqueue_of(&x.s, 2, 1, 0, 2);
	enqueue_of(&x.s, 3, 1, 0, 3);
	TEST_EQ(started(&x.s, 0), 12);
	c = x.config;
	c.policy = FAIR_MAUI;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_OK(fair_sched_convert(&to, sizeof(to), memory, bytes, &c, &x.s));
	TEST_EQ(started(&to, 0), 0);
	TEST_EQ(fair_sched_finish(&to, 5, 1), 0);
	TEST_EQ(started(&to, 5), 0);
	TEST_EQ(fair_sched_finish(&to, 6, 2), 0);
	TEST_EQ(started(&to, 6), 3);
	TEST_EQ(fair_sched_check(&to), 0);
	free(memory);
	close_site(&x);
}

/* What accounts have used under FAIR_MAUI is nothing that FAIR_SFS counts. */
TEST(usage_that_another_policy_does_not_count)
{
	struct fair_config c;
	struct fair_sched s;
	struct site x;

	open_site(&x, FAIR_MAUI, 10);
	x.maui.usage = FAIR_MAUI_PROCS;
	x.maui.count[FAIR_THROTTLE_ACCOUNT] = 1;
	free(x.memory);
	x.bytes = fair_sched_size(&x.config);
	x.memory = malloc(x.bytes);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	enqueue(&x.s, 1, 10, 10);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_OK(fair_sched_finish(&x.s, 10, 1));
	c = x.config;
	c.policy = FAIR_SFS;
	TEST_OK(converts(&x, &c, &s));
	close_site(&x);
}

static int shrink(struct fair_sched *s, uint64_t number)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(s, number, &j));
	j.job.procs--;
	return fair_sched_resize(s, s->now, number, &j.job);
}

/* All ran for 10 s when they were resized; 1 runs on, 2 was suspended, 3 waits
 * again. What they ran is known, and 1 can be requeued in that second. */
TEST(jobs_that_were_resized)
{
	struct fair_job_status a, b;
	struct fair_sched s;
	struct site x;
	uint64_t n;

	open_site(&x, FAIR_BACKFILL, 10);
	x.config.ineligible = 1;
	x.bytes = fair_sched_size(&x.config);
	free(x.memory);
	x.memory = malloc(x.bytes);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	for (n = 1; n <= 3; n++)
		enqueue(&x.s, n, 3, 50);
	TEST_EQ(started(&x.s, 0), 123);
	TEST_EQ(fair_sched_pass_time(&x.s, 10), 0);
	for (n = 1; n <= 3; n++)
		TEST_OK(shrink(&x.s, n));
	TEST_OK(fair_sched_suspend(&x.s, 12, 2));
	TEST_OK(fair_sched_requeue(&x.s, 12, 3));
	TEST_OK(converts(&x, &x.config, &s));
	for (n = 1; n <= 3; n++) {
		TEST_OK(fair_sched_lookup(&x.s, n, &a));
		TEST_OK(fair_sched_lookup(&s, n, &b));
		TEST_EQ(b.state, a.state);
		TEST_EQ(b.ran, a.ran);
		TEST_EQ(b.job.procs, 2);
		TEST_EQ(b.job.walltime, a.job.walltime);
		TEST_EQ(fair_sched_find(&s, n)->resized,
			fair_sched_find(&x.s, n)->resized);
	}
	TEST_OK(shrink(&s, 1));
	TEST_OK(fair_sched_requeue(&s, 12, 1));
	TEST_OK(fair_sched_lookup(&s, 1, &b));
	TEST_EQ(b.job.walltime, 50);
	TEST_EQ(fair_sched_check(&s), 0);
	close_site(&x);
}

/* A job that runs without a promise and is requeued gets none where a limit
 * leaves it no start: nobody is told of one. */
TEST(no_promise_before_and_after)
{
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 0, 3 };
	struct fair_job_status j;
	struct fair_config c;
	struct fair_sched s;
	struct site x;
	int told = 0;

	open_site(&x, FAIR_BACKFILL, 10);
	enqueue(&x.s, 1, 6, 100);
	TEST_EQ(started(&x.s, 0), 1);
	c = x.config;
	c.policy = FAIR_CONSERVATIVE;
	c.limits = 1;
	c.promised = count_promise;
	c.context = &told;
	TEST_OK(converts(&x, &c, &s));
	TEST_OK(fair_sched_limit(&s, 5, &limit));
	TEST_OK(fair_sched_requeue(&s, 10, 1));
	TEST_EQ(fair_sched_lookup(&s, 1, &j), 0);
	TEST_EQ(j.start, FAIR_FOREVER);
	TEST_EQ(j.first_promise, FAIR_FOREVER);
	TEST_EQ(told, 0);
	TEST_EQ(fair_sched_check(&s), 0);
	close_site(&x);
}
