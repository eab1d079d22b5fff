/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job above a hard limit or a cap does not start; soft limits yield to idle
 * processors; a job bound to an advance reservation asks no limit, but counts.
 */
#include "tests/maui_site.h"

/* [MAUI] 3, steps 6 to 8: soft limits yield to idle processors, hard do not. */
TEST(soft_then_hard)
{
	struct maui_site x;

	site_begin(&x);
	x.user[0].soft[FAIR_THROTTLE_JOBS] = 1;
	x.user[0].hard[FAIR_THROTTLE_JOBS] = 3;
	site_open(&x);
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(0, 1, 100)); /* ineligible until step 8 */
	submit(&x, job_of(1, 3, 100));
	submit(&x, job_of(0, 1, 100)); /* no room left of user 1's last */
	submit(&x, job_of(1, 1, 100));
	TEST_EQ(step(&x, 0), 4);
	TEST_EQ(x.start[3], -1);
	TEST_EQ(fair_sched_finish(&x.sched, 10, 4), 0);
	TEST_EQ(step(&x, 10), 1);
	TEST_EQ(fair_sched_finish(&x.sched, 20, 2), 0);
	x.now = 20;
	submit(&x, job_of(0, 1, 100)); /* a fourth: never */
	TEST_EQ(step(&x, 20), 0);
	site_close(&x);
}

TEST(flags_of_a_quality_of_service)
{
	struct fair_job j;
	struct maui_site x;

	site_begin(&x);
	x.qos[0].flags = FAIR_MAUI_NOBF;
	x.qos[1].flags = FAIR_MAUI_RESERVEALWAYS;
	site_open(&x);
	submit(&x, job_of(0, 4, 100));
	submit(&x, job_of(0, 5, 100)); /* reserved at 100 */
	j = job_of(0, 1, 10);
	j.qos = 0;
	submit(&x, j); /* is never backfilled */
	j = job_of(0, 6, 100);
	j.qos = 1;
	submit(&x, j);		       /* reserved at 200, beyond the depth */
	submit(&x, job_of(0, 1, 250)); /* would be in its way */
	submit(&x, job_of(0, 1, 150));
	TEST_EQ(step(&x, 0), 2);
	TEST_EQ(x.start[0], 0);
	TEST_EQ(x.start[5], 0);
	site_close(&x);
}

/* [MAG] 6.2.3: of each user the first two by priority are considered, once an
 * iteration. Those that were skipped take no reservation; a second later, when
 * the started ones are no longer idle, the next two are. */
TEST(idle_jobs)
{
	struct maui_site x;
	struct fair_why why;
	char text[300];

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 2;
	x.user[0].soft[FAIR_THROTTLE_IDLE_JOBS] = 2;
	x.user[1].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	site_open(&x);
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(0, 2, 100)); /* user 0's third */
	submit(&x, job_of(1, 1, 100));
	submit(&x, job_of(1, 4, 100)); /* user 1's second */
	submit(&x, job_of(2, 1, 100)); /* user 2 has no limit */
	submit(&x, job_of(2, 1, 100));
	TEST_EQ(step(&x, 0), 5);
	TEST_EQ(x.start[2], -1);
	TEST_EQ(x.start[4], -1);
	TEST_EQ(fair_sched_why(&x.sched, 2, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT | FAIR_WHY_PROCS);
	TEST_EQ(why.limit.kind, FAIR_THROTTLE_USER);
	TEST_EQ(why.limit.id, 0);
	TEST_EQ(why.limit.resource, FAIR_THROTTLE_IDLE_JOBS);
	TEST_EQ(why.limit.level, FAIR_THROTTLE_HARD);
	TEST_EQ(why.limit.limit, 2);
	TEST_EQ(why.limit.used, 2);
	TEST_EQ(why.limit.asked, 1);
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "Only 2 waiting jobs of its user are considered"
				" at a time."));
	TEST_EQ(fair_sched_why(&x.sched, 4, NULL, 0, &why), 0);
	TEST_EQ(why.limit.id, 1);
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "Only 1 waiting job of its user is considered"
				" at a time."));
	TEST_EQ(fair_sched_next(&x.sched), 1);
	TEST_EQ(afresh_of(&x.sched)->reserved, 0);
	TEST_EQ(step(&x, 0), 0); /* one iteration */
	TEST_EQ(step(&x, 1), 0); /* the first by priority is reserved for */
	TEST_EQ(afresh_of(&x.sched)->reserved, 1);
	TEST_EQ(fair_sched_why(&x.sched, 2, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	TEST_EQ(fair_sched_next(&x.sched), 100);
	site_close(&x);
}

/* With a timer the next iteration is its next one. */
TEST(idle_jobs_and_the_timer)
{
	struct maui_site x;
	int i;

	site_begin(&x);
	x.config.poll = 30;
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 2;
	site_open(&x);
	for (i = 0; i < 5; i++)
		submit(&x, job_of(0, 1, 1000));
	TEST_EQ(step(&x, 0), 2);
	TEST_EQ(fair_sched_next(&x.sched), 30);
	TEST_EQ(step(&x, 30), 2);
	TEST_EQ(fair_sched_next(&x.sched), 60);
	TEST_EQ(step(&x, 60), 1);
	TEST_EQ(fair_sched_next(&x.sched), 1000); /* no job waits */
	site_close(&x);
}

/* The soft limit is that of steps 6 and 7, the hard one of step 8. */
TEST(idle_jobs_soft_and_hard)
{
	struct maui_site x;
	struct fair_why why;

	site_begin(&x);
	x.user[0].soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 2;
	site_open(&x);
	submit(&x, job_of(0, 4, 100)); /* in step 6 */
	submit(&x, job_of(0, 2, 100)); /* in step 8: the last processor is gone */
	submit(&x, job_of(1, 1, 100)); /* in step 6 */
	submit(&x, job_of(0, 1, 100)); /* no longer in this iteration */
	TEST_EQ(step(&x, 0), 2);
	TEST_EQ(x.start[0], 0);
	TEST_EQ(x.start[2], 0);
	TEST_EQ(fair_sched_why(&x.sched, 1, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS); /* by hard limits */
	TEST_EQ(fair_sched_why(&x.sched, 3, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(step(&x, 1), 1); /* job 3, beside the reservation of 1 */
	TEST_EQ(x.start[3], 1);
	site_close(&x);
}

/* A job that no start can come of does not count, nor one above other limits. */
TEST(idle_jobs_that_count)
{
	struct fair_job j;
	struct maui_site x;

	site_begin(&x);
	x.user[0].soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.class_[0].hard[FAIR_THROTTLE_PROCS] = 3;
	site_open(&x);
	submit(&x, job_of(0, 6, 10));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(fair_sched_finish(&x.sched, 5, 0), 0);
	x.now = 5;
	TEST_EQ(fair_sched_capacity(&x.sched, 5, -1, NULL, 0), 0);
	j = job_of(1, 2, 100);
	j.queue = 0;
	submit(&x, j);
	TEST_EQ(step(&x, 5), 1);
	submit(&x, job_of(0, 6, 10)); /* wider than the machine */
	j.user = 0;
	submit(&x, j); /* its class has 2 of 3 in use */
	submit(&x, job_of(0, 1, 10));
	submit(&x, job_of(0, 1, 10)); /* behind that */
	TEST_EQ(step(&x, 5), 1);
	TEST_EQ(x.start[4], 5);
	TEST_EQ(fair_sched_next(&x.sched), 6);
	TEST_EQ(step(&x, 6), 1);
	TEST_EQ(x.start[5], 6);
	site_close(&x);
}

static int64_t not_before_20(void *context, const struct fair_job *job,
			     int64_t now, int64_t end)
{
	(void)context;
	(void)end;
	return job->number == 0 ? 20 : now;
}

/* Nor does one whose start is refused until later. */
TEST(idle_jobs_and_refusals)
{
	struct maui_site x;

	site_begin(&x);
	x.sched_config.fits = not_before_20;
	x.user[0].soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	site_open(&x);
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(0, 1, 100));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(x.start[1], 0);
	TEST_EQ(step(&x, 20), 1);
	TEST_EQ(x.start[0], 20);
	site_close(&x);
}

/* A kept reservation goes while its job is skipped; a job that is not is free
 * of what the limit was before. */
TEST(idle_jobs_with_kept_reservations)
{
	struct fair_maui_credential free = fair_maui_credential_defaults();
	struct fair_job j = job_of(0, 6, 100);
	struct fair_why why;
	struct maui_site x;

	site_begin(&x);
	x.config.reservations = FAIR_MAUI_HIGHEST;
	x.config.depth = 2;
	x.config.priority.weight[FAIR_PRIORITY_QUEUE] = 1;
	x.class_[0].priority = 1000;
	x.user[0].soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	site_open(&x);
	submit(&x, job_of(1, 6, 100));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, j);
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(estimate(&x, 1), 100);
	x.now = 10;
	j.queue = 0;
	submit(&x, j); /* goes first, and is the one that is considered */
	TEST_EQ(step(&x, 10), 0);
	TEST_EQ(afresh_of(&x.sched)->reserved, 1);
	TEST_EQ(fair_sched_why(&x.sched, 1, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT | FAIR_WHY_PROCS);
	TEST_EQ(estimate(&x, 1), 200);
	TEST_EQ(estimate(&x, 2), 100);
	TEST_EQ(fair_sched_set_credential(&x.sched, 20, FAIR_ENTITY_USER, 0,
					  &free), 0);
	TEST_EQ(step(&x, 20), 0);
	TEST_EQ(afresh_of(&x.sched)->reserved, 2);
	TEST_EQ(fair_sched_why(&x.sched, 1, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	site_close(&x);
}

/* However few jobs a call scans, and starts. */
TEST(idle_jobs_in_small_steps)
{
	struct fair_decision d;
	struct maui_site x;
	size_t n, all = 0;
	int i;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 2;
	site_open(&x);
	for (i = 0; i < 6; i++)
		submit(&x, job_of(0, 1, 100));
	fair_sched_scan_limit(&x.sched, 1);
	do {
		TEST_EQ(fair_sched_step(&x.sched, 0, &d, 1, &n), 0);
		all += n;
	} while (n || fair_sched_is_unfinished(&x.sched));
	TEST_EQ(all, 2);
	site_close(&x);
}

/* The class may use 15 % of what is delivered [MAUI] figure 5, and no more. */
static void cap_from(int64_t origin, int64_t window)
{
	struct fair_job j = job_of(0, 1, 1000);
	struct fair_why why;
	struct maui_site x;

	site_begin(&x);
	x.sched_config.origin = x.now = origin;
	x.config.usage = FAIR_MAUI_PROCS;
	x.config.windows = 2;
	x.config.interval = 1000;
	x.class_[0].has_target = true;
	x.class_[0].target.kind = FAIR_USAGE_CAP;
	x.class_[0].target.points = 15 * FAIR_USAGE_POINT;
	site_open(&x);
	j.queue = 0;
	submit(&x, j);
	TEST_EQ(step(&x, origin), 1); /* no user has used anything */
	x.now = window + 500;
	TEST_EQ(fair_sched_finish(&x.sched, x.now, 0), 0);
	submit(&x, j);
	TEST_EQ(step(&x, x.now), 0); /* 100 % */
	TEST_EQ(fair_sched_why(&x.sched, 1, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_CAP);
	TEST_EQ(maui_of(&x.sched)->over_cap, 1);
	TEST_EQ(fair_sched_next(&x.sched), window + 1000);
	TEST_EQ(step(&x, window + 1000), 0);
	TEST_EQ(fair_sched_next(&x.sched), window + 2000);
	TEST_EQ(step(&x, window + 2000), 1); /* forgotten */
	TEST_EQ(maui_of(&x.sched)->over_cap, 0);
	site_close(&x);
}

/* Only the credential that used more than its cap, of any kind, is above it. */
TEST(cap_bars_its_credential_only)
{
	struct fair_maui_request used = {
		{ NONE, NONE, NONE, NONE, NONE }, 1, 1, 1, 0, 0, 0, 0
	}, none = used, other = used;
	struct fair_maui_credential user[2];
	struct fair_maui_config c;
	static uint64_t memory[512];
	struct fair_maui m;
	int kind;

	user[0] = user[1] = fair_maui_credential_defaults();
	user[0].has_target = user[1].has_target = true;
	user[0].target.kind = user[1].target.kind = FAIR_USAGE_CAP;
	user[0].target.points = user[1].target.points = 50 * FAIR_USAGE_POINT;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		c = fair_maui_defaults();
		c.usage = FAIR_MAUI_PROCS;
		c.count[kind] = 2;
		c.credential[kind] = user;
		TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 3, 4, 0));
		used.id[kind] = 1;
		other.id[kind] = 0;
		TEST_EQ(fair_maui_submit(&m, 0, &used), 0);
		TEST_EQ(fair_maui_submit(&m, 1, &other), 0);
		TEST_EQ(fair_maui_submit(&m, 2, &none), 0);
		TEST_EQ(fair_maui_start(&m, 0, 0, 1), 0);
		TEST_CHECK(!fair_maui_is_over_cap(&m, 0));
		fair_maui_advance(&m, 1);
		TEST_CHECK(fair_maui_is_over_cap(&m, 0));
		TEST_CHECK(!fair_maui_is_over_cap(&m, 1));
		TEST_CHECK(!fair_maui_is_over_cap(&m, 2));
		TEST_CHECK(!fair_maui_gate(&m, 1, 0, 2, FAIR_MAUI_FIRST));
		TEST_CHECK(fair_maui_gate(&m, 1, 1, 2, FAIR_MAUI_FIRST));
		used.id[kind] = other.id[kind] = NONE;
	}
}

/* A job above a cap is not idle: it takes no place of the other. */
TEST(idle_jobs_and_caps)
{
	struct fair_maui_request capped = {
		{ 1, NONE, NONE, NONE, 0 }, 1, 1, 1, 0, 0, 0, 0
	}, other = capped;
	struct fair_maui_credential user[2], class_;
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[512];
	struct fair_maui m;
	uint32_t slot;

	user[0] = user[1] = class_ = fair_maui_credential_defaults();
	user[1].has_target = true;
	user[1].target.kind = FAIR_USAGE_CAP;
	user[1].target.points = 50 * FAIR_USAGE_POINT;
	class_.soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	class_.hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	c.usage = FAIR_MAUI_PROCS;
	c.count[FAIR_THROTTLE_USER] = 2;
	c.credential[FAIR_THROTTLE_USER] = user;
	c.count[FAIR_THROTTLE_QUEUE] = 1;
	c.credential[FAIR_THROTTLE_QUEUE] = &class_;
	other.id[FAIR_THROTTLE_USER] = 0;
	TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 4, 4,
			       0));
	TEST_CHECK(fair_maui_limits_idle(&m));
	TEST_EQ(fair_maui_submit(&m, 0, &capped), 0);
	TEST_EQ(fair_maui_submit(&m, 1, &capped), 0);
	TEST_EQ(fair_maui_submit(&m, 2, &other), 0);
	TEST_EQ(fair_maui_submit(&m, 3, &other), 0);
	TEST_EQ(fair_maui_start(&m, 0, 0, 2), 0);
	fair_maui_advance(&m, 1);
	TEST_CHECK(fair_maui_is_over_cap(&m, 1));
	fair_maui_begin_selection(&m, FAIR_THROTTLE_SOFT);
	for (slot = 1; slot < 4; slot++)
		fair_maui_select(&m, 1, slot, 2, FAIR_THROTTLE_SOFT, true);
	fair_maui_end_selection(&m);
	TEST_CHECK(fair_maui_gate(&m, 1, 2, 2, FAIR_MAUI_FIRST));
	TEST_CHECK(!fair_maui_gate(&m, 1, 3, 2, FAIR_MAUI_FIRST));
	TEST_CHECK(fair_maui_gate(&m, 1, 3, 2, FAIR_MAUI_HARD));
	TEST_EQ(fair_maui_next(&m, 1, 0, false), INT64_MAX);
	TEST_EQ(fair_maui_start(&m, 1, 2, 2), 0);
	TEST_EQ(fair_maui_next(&m, 1, 0, false), 2);
	TEST_EQ(fair_maui_finish(&m, 2, 2), 0);
	TEST_EQ(fair_maui_next(&m, 1, 0, false), INT64_MAX);
}

/* Windows begin at multiples of their length, whenever the first now is. */
TEST(cap_windows_begin_at_multiples)
{
	cap_from(0, 0);
	cap_from(300, 0);
	cap_from(7300, 7000);
	cap_from(-2700, -3000);
}

/* Two windows of 10 s, of which a user may have half. */
static void capped_begin(struct maui_site *x, int64_t now)
{
	site_begin(x);
	x->sched_config.origin = x->now = now;
	x->config.usage = FAIR_MAUI_PROCS;
	x->config.windows = 2;
	x->config.interval = 10;
	x->user[0].has_target = true;
	x->user[0].target.kind = FAIR_USAGE_CAP;
	x->user[0].target.points = 50 * FAIR_USAGE_POINT;
}

/* When usage is forgotten, counted from its end, is when its user starts. */
TEST(estimates_of_capped)
{
	struct maui_site x;

	capped_begin(&x, 1000);
	site_open(&x);
	submit(&x, job_of(0, 6, 100));
	TEST_EQ(step(&x, 1000), 1);
	submit(&x, job_of(0, 6, 100));
	TEST_EQ(estimate(&x, 1), 1110); /* as planned until 1100 */
	x.now = 1005;
	TEST_EQ(fair_sched_finish(&x.sched, 1005, 0), 0);
	TEST_EQ(step(&x, 1005), 0);
	TEST_EQ(estimate(&x, 1), 1020);
	site_close(&x);
}

/*
 * A job waits for the end of a long reservation, whatever the timer does
 * meanwhile.
 */
TEST(estimates_behind_reservations)
{
	const struct fair_advance b = { 1, 0, 500, 6, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	struct maui_site x;

	capped_begin(&x, 0);
	x.config.poll = 5;
	x.sched_config.advances = 1;
	site_open(&x);
	TEST_EQ(fair_sched_advance_reserve(&x.sched, 0, &b, false), 0);
	submit(&x, job_of(0, 1, 100));
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(estimate(&x, 0), 500);
	site_close(&x);
}

/*
 * Above its soft limit it could only be backfilled, where there is no backfill:
 * it never starts, and what asks when does not go on for ever with the timer.
 * The limit is told.
 */
TEST(above_a_soft_limit_without_backfill)
{
	static char memory[1 << 16];
	const struct fair_job j = job_of(0, 3, 10);
	int64_t start = 0;
	struct maui_site x;
	struct fair_why w;

	site_begin(&x);
	x.config.poll = 60;
	x.config.interval = 1000;
	x.config.select = FAIR_NOFIT;
	x.user[0].soft[FAIR_THROTTLE_PROCS] = 2;
	site_open(&x);
	submit(&x, j);
	TEST_EQ(step(&x, 0), 0);
	TEST_OK(fair_sched_estimate(&x.sched, 0, memory, sizeof(memory),
				    &start));
	TEST_EQ(start, FAIR_FOREVER);
	TEST_OK(fair_sched_why(&x.sched, 0, memory, sizeof(memory), &w));
	TEST_EQ(w.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(w.limit.level, FAIR_THROTTLE_SOFT);
	TEST_EQ(w.limit.resource, FAIR_THROTTLE_PROCS);
	TEST_EQ(w.limit.limit, 2);
	TEST_EQ(w.procs, 2);
	site_close(&x);
}

/* Of one idle job at a time: once a task has started whose next one has no slot,
 * the job behind the array is considered in the same step. */
TEST(idle_jobs_behind_an_array)
{
	struct fair_job array = job_of(1, 1, 10);
	struct maui_site x;

	site_begin(&x);
	x.user[1].soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.user[1].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.sched_config.task_limits = 1;
	site_open(&x);
	array.tasks = 3;
	TEST_EQ(submit(&x, array), 0);
	x.number = 9;
	submit(&x, job_of(1, 1, 10));
	TEST_OK(fair_sched_limit_tasks(&x.sched, 0, 0, 1));
	TEST_EQ(step(&x, 0), 2);
	site_close(&x);
}

/* Where there is backfill, a soft limit prevents no start. */
TEST(above_a_soft_limit_with_backfill)
{
	struct maui_site x;
	struct fair_why w;

	site_begin(&x);
	x.user[0].soft[FAIR_THROTTLE_PROCS] = 2;
	site_open(&x);
	submit(&x, job_of(1, 5, 10));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(0, 3, 10));
	TEST_EQ(step(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.sched, 1, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_PROCS);
	site_close(&x);
}

/* Job 2 has a higher priority than job 1, but its turn comes with the hard limits,
 * when job 1 has a reservation. */
TEST(above_a_soft_limit_behind_a_reservation)
{
	struct fair_why why;
	struct maui_site x;

	site_begin(&x);
	x.user[2].soft[FAIR_THROTTLE_JOBS] = 1;
	x.user[2].priority = 1000;
	x.config.priority.weight[FAIR_PRIORITY_USER] = 1;
	site_open(&x);
	submit(&x, job_of(2, 3, 100));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(1, 6, 100));
	submit(&x, job_of(2, 3, 200));
	TEST_EQ(step(&x, 50), 0);
	TEST_OK(fair_sched_why(&x.sched, 2, NULL, 0, &why));
	TEST_EQ(why.ahead, 0);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blocker[0].number, 1);
	site_close(&x);
}

/* What is wrong with a limit is found when the scheduler begins. */
TEST(no_such_limit)
{
	struct fair_sched was;
	struct maui_site x;
	size_t bytes;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROCS] = -1;
	bytes = fair_sched_size(&x.sched_config);
	x.memory = malloc(bytes);
	was = x.sched;
	TEST_EQ(fair_sched_init(&x.sched, sizeof(x.sched), x.memory, bytes,
				&x.sched_config), -FAIR_EINVAL);
	TEST_CHECK(!memcmp(&x.sched, &was, sizeof(was)));
	free(x.memory);
	site_begin(&x);
	x.config.depth = JOBS + 1;	/* more than there can be */
	site_open(&x);
	TEST_EQ(afresh_of(&x.sched)->phase.by.limit, JOBS);
	site_close(&x);
}

/* Jobs that run already under another policy count against the limits. */
TEST(taken_over)
{
	struct fair_config plain = { 0 };
	struct fair_sched from, to;
	char *memory[2];
	struct fair_decision d[JOBS];
	struct fair_job j = job_of(0, 2, 100);
	struct maui_site x;
	size_t bytes[2], n;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROCS] = 3;
	plain.policy = FAIR_BACKFILL;
	plain.procs = 6;
	plain.jobs = JOBS;
	bytes[0] = fair_sched_size(&plain);
	bytes[1] = fair_sched_size(&x.sched_config);
	memory[0] = malloc(bytes[0]);
	memory[1] = malloc(bytes[1]);
	TEST_OK(fair_sched_init(&from, sizeof(from), memory[0], bytes[0],
				&plain));
	TEST_EQ(fair_sched_submit(&from, 0, &j), 0);
	TEST_EQ(fair_sched_step(&from, 0, d, JOBS, &n), 0);
	TEST_EQ(n, 1);
	j.number = 1;
	TEST_EQ(fair_sched_submit(&from, 0, &j), 0);
	TEST_OK(fair_sched_convert(&to, sizeof(to), memory[1], bytes[1],
				   &x.sched_config, &from));
	TEST_EQ(fair_sched_check(&to), 0);
	TEST_EQ(fair_sched_step(&to, 0, d, JOBS, &n), 0);
	TEST_EQ(n, 0);
	TEST_EQ(fair_sched_finish(&to, 5, 0), 0);
	TEST_EQ(fair_sched_step(&to, 5, d, JOBS, &n), 0);
	TEST_EQ(n, 1);
	TEST_EQ(fair_sched_check(&to), 0);
	free(memory[0]);
	free(memory[1]);
}

/* Where hard limits are not asked the soft ones are hard, if they are less. */
TEST(soft_only)
{
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 2, 3, 1, 0, 0, 0, 0
	};
	struct fair_maui_credential user = fair_maui_credential_defaults();
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[256];
	struct fair_maui m;

	user.soft[FAIR_THROTTLE_PROCS] = 2;
	user.hard[FAIR_THROTTLE_PROCS] = 4;
	user.hard[FAIR_THROTTLE_NODES] = 3;
	c.soft_only = true;
	c.count[FAIR_THROTTLE_USER] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0));
	TEST_EQ(fair_maui_admit(&m, &r), 0);
	r.nodes++;
	TEST_EQ(fair_maui_admit(&m, &r), -FAIR_ERANGE);
	r.nodes--;
	r.procs++;
	TEST_EQ(fair_maui_admit(&m, &r), -FAIR_ERANGE);
}

static int resize(struct maui_site *x, uint64_t number, int32_t procs)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&x->sched, number, &j));
	j.job.procs = j.job.nodes = procs;
	return fair_sched_resize(&x->sched, x->now, number, &j.job);
}

/* A job grows within the hard limits of all jobs, and bypasses no job. */
TEST(a_running_job_grows_within_its_limits)
{
	struct fair_maui_credential lower;
	struct maui_site x;
	int64_t bypassed;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROCS] = 4;
	x.user[0].soft[FAIR_THROTTLE_PROCS] = 1;
	site_open(&x);
	submit(&x, job_of(0, 2, 100));
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(1, 6, 100)); /* waits */
	TEST_EQ(step(&x, 0), 2);
	bypassed = maui_of(&x.sched)->job[2].bypassed;
	TEST_EQ(resize(&x, 0, 5), -FAIR_ERANGE); /* even alone */
	TEST_EQ(resize(&x, 0, 4), -FAIR_ERANGE); /* beside job 1 */
	TEST_EQ(fair_sched_check(&x.sched), 0);
	TEST_OK(resize(&x, 0, 3));
	TEST_EQ(maui_of(&x.sched)->job[2].bypassed, bypassed);
	lower = x.user[0];
	lower.hard[FAIR_THROTTLE_PROCS] = 2;
	TEST_OK(fair_sched_set_credential(&x.sched, 10, FAIR_ENTITY_USER, 0,
					  &lower));
	x.now = 10;
	TEST_OK(resize(&x, 0, 2)); /* less is always possible */
	TEST_EQ(resize(&x, 1, 2), -FAIR_ERANGE);
	TEST_OK(fair_sched_finish(&x.sched, 20, 0));
	x.now = 20;
	TEST_OK(resize(&x, 1, 2));
	TEST_EQ(fair_sched_finish(&x.sched, 30, 1), 0);
	TEST_EQ(step(&x, 30), 1);
	site_close(&x);
}

/* It is charged from then on for what it asks for. */
TEST(what_a_resized_job_asks_for)
{
	struct fair_job_status j;
	struct maui_site x;

	site_begin(&x);
	site_open(&x);
	submit(&x, job_of(0, 2, 100));
	TEST_EQ(step(&x, 0), 1);
	TEST_OK(fair_sched_lookup(&x.sched, 0, &j));
	j.job.nodes = 1;
	j.job.memory = 30;
	j.job.swap = 40;
	j.job.disk = 50;
	j.job.rate = 6;
	j.job.penalty = 7;
	TEST_OK(fair_sched_resize(&x.sched, 0, 0, &j.job));
	TEST_OK(fair_sched_lookup(&x.sched, 0, &j));
	TEST_EQ(j.job.nodes, 1);
	TEST_EQ(j.job.memory, 30);
	TEST_EQ(j.job.swap, 40);
	TEST_EQ(j.job.disk, 50);
	TEST_EQ(j.job.rate, 6);
	TEST_EQ(j.job.penalty, 7);
	site_close(&x);
}

/* One that asks for more nodes or memory grows, too. */
TEST(limits_of_nodes_and_memory)
{
	struct fair_job_status j;
	struct maui_site x;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_NODES] = 2;
	x.user[0].hard[FAIR_THROTTLE_MEMORY] = 100;
	site_open(&x);
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(0, 1, 100));
	TEST_EQ(step(&x, 0), 2);
	TEST_OK(fair_sched_lookup(&x.sched, 0, &j));
	j.job.nodes = 2;
	TEST_EQ(fair_sched_resize(&x.sched, 5, 0, &j.job), -FAIR_ERANGE);
	j.job.nodes = 0;
	j.job.memory = 100;
	TEST_OK(fair_sched_resize(&x.sched, 5, 0, &j.job));
	TEST_OK(fair_sched_lookup(&x.sched, 1, &j));
	j.job.memory = 1;
	TEST_EQ(fair_sched_resize(&x.sched, 5, 1, &j.job), -FAIR_ERANGE);
	j.job.memory = 101;
	TEST_EQ(fair_sched_resize(&x.sched, 5, 1, &j.job), -FAIR_ERANGE);
	j.job.memory = -1;
	TEST_EQ(fair_sched_resize(&x.sched, 5, 1, &j.job), -FAIR_EINVAL);
	site_close(&x);
}

/* As it is requeued it asks for its processors again, not for its walltime. */
TEST(requeued_after_a_suspension)
{
	struct maui_site x;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROCS] = 3;
	x.sched_config.ineligible = 1;
	site_open(&x);
	submit(&x, job_of(0, 3, 50));
	TEST_EQ(step(&x, 0), 1);
	TEST_OK(fair_sched_suspend(&x.sched, 10, 0));
	TEST_OK(fair_sched_resume_job(&x.sched, 20, 0));
	TEST_EQ(step(&x, 20), 1);
	TEST_OK(fair_sched_requeue(&x.sched, 30, 0));
	TEST_EQ(step(&x, 30), 1);
	site_close(&x);
}
