/* SPDX-License-Identifier: MIT OR Unlicense */
/* What the caller asks for beside arrivals and ends. */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/world.h"

/* Jobs 1 and 2 run until 50 and 60, jobs 3 (wide) and 4 wait. */
static void busy(struct world *w, uint32_t policy)
{
	open_world(w, policy, FAIR_ORDER_FCFS, 1);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 60, 4);
	submit(w, 0, 3, 30, 8);
	submit(w, 0, 4, 40, 8);
	TEST_EQ(step(w, 0), 12);
	w->asked = w->tells;
}

static struct fair_until until(int64_t begin, uint64_t after, uint32_t end,
			       bool held)
{
	struct fair_until u;

	u.begin = begin;
	u.after = after;
	u.end = end;
	u.held = held;
	return u;
}

static int put_aside(struct world *w, int64_t now, uint64_t number,
		     struct fair_until u)
{
	struct fair_job j = a_job(number, now, 10, 1);

	return fair_sched_submit_aside(&w->s, now, &j, &u);
}

static bool is_aside(const struct world *w, uint64_t number)
{
	struct fair_job_status j = look(w, number);

	return j.state == FAIR_ASIDE && j.start == FAIR_FOREVER &&
	       j.end == FAIR_FOREVER;
}

/* ---- jobs set aside ---- */

static void begin_times(void)
{
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 1);
	TEST_EQ(put_aside(&w, 0, 2, until(40, 0, 0, false)), 0);
	TEST_EQ(put_aside(&w, 0, 1, until(30, 0, 0, true)), 0);
	TEST_EQ(put_aside(&w, 0, 3, until(0, 0, 0, false)), 0);
	TEST_CHECK(is_aside(&w, 1) && is_aside(&w, 2));
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(fair_sched_finish(&w.s, 5, 3), 0);
	TEST_EQ(fair_sched_next(&w.s), 40);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(fair_sched_estimate(&w.s, 2, memory, bytes, &start), 0);
	TEST_EQ(start, 40);
	TEST_EQ(fair_sched_estimate(&w.s, 1, memory, bytes, &start), 0);
	TEST_EQ(start, FAIR_FOREVER);
	free(memory);
	TEST_EQ(step(&w, 39), 0);
	TEST_EQ(step(&w, 40), 2);
	TEST_EQ(fair_sched_defer(&w.s, 45, 1, NULL), 0);
	TEST_EQ(step(&w, 45), 1);
	TEST_EQ(look(&w, 1).job.submit, 0);
	close_world(&w);
}

/* Which ends set a job free that waits for one: finish, cancel, victim. */
static void dependencies(void)
{
	static const int64_t free_at[2][3] = { { 10, -1, -1 }, { 10, 10, 10 } };
	const uint64_t victim = 1;
	struct world w;
	uint32_t end;
	int how;

	for (end = FAIR_AFTER_OK; end <= FAIR_AFTER_ANY; end++)
		for (how = 0; how < 3; how++) {
			busy(&w, FAIR_DC);
			TEST_EQ(put_aside(&w, 5, 8, until(0, 1, end, false)), 0);
			TEST_EQ(put_aside(&w, 5, 9, until(0, 8, end, false)), 0);
			TEST_EQ(step(&w, 9), 0);
			if (how == 0)
				TEST_EQ(fair_sched_finish(&w.s, 10, 1), 0);
			else if (how == 1)
				TEST_EQ(fair_sched_cancel(&w.s, 10, 1), 0);
			else
				TEST_EQ(fair_sched_capacity(&w.s, 10, -1,
							    &victim, 1),
					0);
			TEST_EQ(step(&w, 10),
				free_at[end - FAIR_AFTER_OK][how] < 0 ? 0 : 8);
			TEST_CHECK(is_aside(&w, 9));
			close_world(&w);
		}
}

/* 7 waits for 1, 8 for 3, 9 for 2 or 4: the end of 2 or 3 is theirs alone. */
static void ends_of_others(void)
{
	const uint64_t victim = 2;
	struct world w;
	int how;

	for (how = 0; how < 3; how++) {
		busy(&w, FAIR_BACKFILL);
		TEST_EQ(put_aside(&w, 0, 7, until(0, 1, FAIR_AFTER_ANY, false)),
			0);
		TEST_EQ(put_aside(&w, 0, 8, until(0, 3, FAIR_AFTER_ANY, false)),
			0);
		TEST_EQ(put_aside(&w, 0, 9, until(0, how == 2 ? 4 : 2,
						  FAIR_AFTER_ANY, false)), 0);
		if (how == 0)
			TEST_EQ(fair_sched_finish(&w.s, 10, 2), 0);
		else if (how == 1)
			TEST_EQ(fair_sched_capacity(&w.s, 10, -1, &victim, 1),
				0);
		else
			TEST_EQ(fair_sched_cancel(&w.s, 10, 3), 0);
		TEST_CHECK(is_aside(&w, 7));
		TEST_EQ(is_aside(&w, 8), how != 2);
		TEST_EQ(is_aside(&w, 9), how == 2);
		close_world(&w);
	}
}

/*
 * No place is left behind those set aside: what lies there, free slots, stays
 * as it is, though it reads as one that waits for the last of these jobs.
 */
static void as_many_aside_as_can_be(void)
{
	uint64_t number[] = { 4, 5, 6, 7, 5 | UINT64_C(6) << 32 };
	struct world w;
	uint64_t n;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	for (n = 1; n < 4; n++)
		TEST_EQ(put_aside(&w, 0, n, until(0, 0, 0, true)), 0);
	for (n = 0; n < 5; n++)
		submit(&w, 0, number[n], 10, 1);
	(void)step(&w, 0);
	for (n = 0; n < 5; n++)
		TEST_EQ(fair_sched_finish(&w.s, 5, number[n]), 0);
	for (n = 4; n < 9; n++)
		submit(&w, 5, n, 10, 1);
	for (n = 1; n < 4; n++)
		TEST_CHECK(is_aside(&w, n));
	close_world(&w);
}

static void cancelled_aside(void)
{
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(put_aside(&w, 5, 7, until(0, 0, 0, true)), 0);
	TEST_EQ(put_aside(&w, 5, 8, until(0, 7, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(put_aside(&w, 5, 9, until(0, 7, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(fair_sched_modify(&w.s, 6, 8, 2, 7), 0);
	TEST_CHECK(is_aside(&w, 8));
	TEST_EQ(fair_sched_cancel(&w.s, 6, 7), 0);
	TEST_EQ(look(&w, 8).state, FAIR_QUEUED);
	TEST_EQ(look(&w, 8).job.procs, 2);
	TEST_CHECK(is_aside(&w, 9));
	TEST_EQ(fair_sched_defer(&w.s, 7, 9, NULL), 0);
	TEST_EQ(look(&w, 9).state, FAIR_QUEUED);
	close_world(&w);
}

/* What did not end as it had to never will have, whoever has its number now. */
static void failed_for_good(void)
{
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(put_aside(&w, 5, 9, until(0, 1, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 10, 1), 0);
	submit(&w, 10, 1, 5, 6);
	TEST_EQ(step(&w, 10), 1);
	TEST_EQ(fair_sched_finish(&w.s, 12, 1), 0);
	TEST_CHECK(is_aside(&w, 9));
	TEST_EQ(w.s.aside[0].until.end, FAIR_AFTER_NEVER);
	close_world(&w);
}

/* Its reservation goes to the next, and the record of its promises stays. */
static void hold_and_release(void)
{
	struct fair_until held = until(0, 0, 0, true);
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(look(&w, 3).start, 60);
	TEST_EQ(fair_sched_defer(&w.s, 20, 3, &held), 0);
	told(&w, 3, 20, 60, FAIR_FOREVER, FAIR_CAUSE_DEFERRED, 3);
	told(&w, 4, 20, 90, 60, FAIR_CAUSE_EARLIER, 4);
	TEST_CHECK(is_aside(&w, 3));
	TEST_EQ(look(&w, 3).first_promise, 60);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_DEFERRED);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(fair_sched_defer(&w.s, 30, 3, NULL), 0);
	told(&w, 3, 30, FAIR_FOREVER, 100, FAIR_CAUSE_EARLIER, 3);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

static void requeue(void)
{
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(fair_sched_requeue(&w.s, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_requeue(&w.s, 10, 3), -FAIR_EINVAL);
	TEST_EQ(fair_sched_requeue(&w.s, 10, 5), -FAIR_EINVAL);
	TEST_EQ(fair_sched_requeue(&w.s, 10, 2), 0);
	told(&w, 3, 10, 60, 50, FAIR_CAUSE_EARLIER, 3);
	told(&w, 4, 10, 90, 80, FAIR_CAUSE_EARLIER, 4);
	told(&w, 2, 10, 0, 120, FAIR_CAUSE_REQUEUED, 2);
	TEST_EQ(look(&w, 2).state, FAIR_QUEUED);
	TEST_EQ(look(&w, 2).job.submit, 0);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

static void errors_of_jobs_aside(void)
{
	struct fair_until u = until(0, 0, 0, true);
	struct world w;

	busy(&w, FAIR_PC);
	TEST_EQ(put_aside(&w, 0, 9, until(0, 9, FAIR_AFTER_OK, false)),
		-FAIR_EINVAL);
	TEST_EQ(put_aside(&w, 0, 9, until(0, 8, FAIR_AFTER_ANY, false)),
		-FAIR_EINVAL);
	TEST_EQ(put_aside(&w, 0, 9, until(0, 1, FAIR_AFTER_NEVER, false)),
		-FAIR_EINVAL);
	TEST_EQ(put_aside(&w, 0, 9, until(0, 0, FAIR_AFTER_ANY, false)),
		-FAIR_EINVAL);
	TEST_EQ(put_aside(&w, 0, 1, u), -FAIR_EINVAL);
	TEST_EQ(put_aside(&w, -1, 9, u), -FAIR_EINVAL);
	TEST_EQ(fair_sched_defer(&w.s, 0, 9, &u), -FAIR_EINVAL);
	TEST_EQ(fair_sched_defer(&w.s, 0, 1, &u), -FAIR_EINVAL);
	TEST_EQ(fair_sched_defer(&w.s, -1, 3, &u), -FAIR_EINVAL);
	u.after = 3;
	u.end = FAIR_AFTER_OK;
	TEST_EQ(fair_sched_defer(&w.s, 0, 3, &u), -FAIR_EINVAL);
	TEST_EQ(fair_sched_requeue(&w.s, -1, 1), -FAIR_EINVAL);
	u.end = FAIR_AFTER_NOTHING;
	TEST_EQ(put_aside(&w, 0, 7, u), 0);
	TEST_EQ(put_aside(&w, 0, 8, u), 0);
	TEST_EQ(fair_sched_finish(&w.s, 0, 7), -FAIR_EINVAL);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 7), -FAIR_EINVAL);
	TEST_EQ(fair_sched_defer(&w.s, 0, 4, &u), 0);
	keep(&w);
	TEST_EQ(fair_sched_defer(&w.s, 9, 3, &u), -FAIR_ENOSPC);
	TEST_EQ(put_aside(&w, 9, 9, u), -FAIR_ENOSPC);
	TEST_CHECK(unchanged(&w));
	TEST_EQ(fair_sched_defer(&w.s, 9, 3, NULL), 0);
	TEST_EQ(fair_sched_defer(&w.s, 9, 4, &u), 0);
	w.config.aside = JOBS + 1;
	TEST_EQ(fair_sched_size(&w.config), 0);
	close_world(&w);
}

static void broken(struct world *w)
{
	TEST_EQ(fair_sched_check(&w->s), 2);
	w->s = w->was;
	memcpy(w->memory, w->kept, w->bytes);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void invariants_of_jobs_aside(void)
{
	struct fair_until u = until(0, 0, 0, true);
	struct fair_aside a;
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(put_aside(&w, 0, 7, u), 0);
	TEST_EQ(put_aside(&w, 0, 8, u), 0);
	keep(&w);
	w.s.asides--;
	broken(&w);
	fair_sched_find(&w.s, 7)->state = FAIR_QUEUED;
	broken(&w);
	a = w.s.aside[0];
	w.s.aside[0] = w.s.aside[1];
	w.s.aside[1] = a;
	broken(&w);
	w.s.aside[1] = w.s.aside[0];
	broken(&w);
	w.s.hash[fair_sched_probe(&w.s, 8)] = 0;
	broken(&w);
	w.s.config.aside = 1;
	broken(&w);
	close_world(&w);
}

/* ---- refused starts ---- */

static int64_t fits_from[10]; /* by number */
static int asked;

static bool fits(void *context, const struct fair_job *job, int64_t start,
		 int64_t end)
{
	TEST_EQ(start, ((struct world *)context)->s.now);
	TEST_EQ(end, start + job->walltime);
	asked++;
	return start >= fits_from[job->number];
}

/* Job 1 does not fit before 3, job 2 is as wide, job 3 goes beside either. */
static void refusing(struct world *w, uint32_t policy, uint32_t depth)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	config.depth = depth;
	config.fits = fits;
	memset(fits_from, 0, sizeof(fits_from));
	fits_from[1] = 3;
	asked = 0;
	open_world_of(w, &config);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 40, 6);
	submit(w, 0, 3, 30, 4);
	w->asked = w->tells;
}

static void passed_over(void)
{
	uint64_t empty;
	struct world w;

	refusing(&w, FAIR_FCFS, 0); /* nobody passes */
	empty = fair_sched_digest(&w.s);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(asked, 1); /* once a second */
	TEST_CHECK(fair_sched_digest(&w.s) == empty);
	TEST_EQ(fair_sched_next(&w.s), 1);
	TEST_EQ(step(&w, 1), 0);
	TEST_EQ(step(&w, 3), 1);
	close_world(&w);
	refusing(&w, FAIR_BACKFILL, 1); /* its reservation begins at 1 */
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(step(&w, 2), 0);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(asked, 4);
	close_world(&w);
	refusing(&w, FAIR_BACKFILL, 2);
	TEST_EQ(step(&w, 0), 3);
	TEST_EQ(step(&w, 3), 1);
	close_world(&w);
}

static void refused_promises(void)
{
	struct world w;
	int64_t start;

	refusing(&w, FAIR_CONSERVATIVE, 0);
	TEST_EQ(step(&w, 0), 3);
	told(&w, 1, 0, 0, 90, FAIR_CAUSE_REFUSED, 1);
	TEST_EQ(look(&w, 2).start, 50); /* as it was promised */
	TEST_EQ(fair_sched_estimate(&w.s, 1, NULL, 0, &start), 0);
	TEST_EQ(start, 90);
	TEST_EQ(look(&w, 1).cause, FAIR_CAUSE_REFUSED);
	TEST_EQ(fair_sched_cancel(&w.s, 1, 2), 0);
	told(&w, 1, 1, 90, 1, FAIR_CAUSE_EARLIER, 1);
	TEST_EQ(step(&w, 1), 0);
	told(&w, 1, 1, 1, 2, FAIR_CAUSE_REFUSED, 1);
	TEST_EQ(fair_sched_next(&w.s), 2);
	TEST_EQ(step(&w, 3), 1);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

/* A start is refused at its second, and explained at the next step. */
static void refused_in_time(void)
{
	struct fair_why why;
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 2), 0);
	TEST_EQ(fair_sched_why(&w.s, 3, NULL, 0, &why), -FAIR_EINVAL);
	TEST_EQ(fair_sched_pass(&w.s, 5), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_refuse(&w.s, 5, 1), -FAIR_EINVAL);
	close_world(&w);
}

/* What is asked of the plan takes it that the caller can start. */
static void estimates_fit(void)
{
	struct fair_why why;
	struct world w;
	char text[512];
	int64_t start;
	char *memory;
	size_t bytes;

	refusing(&w, FAIR_BACKFILL, 1);
	fits_from[1] = FAIR_FOREVER;
	TEST_EQ(step(&w, 0), 3);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	asked = 0;
	TEST_EQ(fair_sched_estimate(&w.s, 1, memory, bytes, &start), 0);
	TEST_EQ(start, 1);
	TEST_EQ(fair_sched_why(&w.s, 1, memory, bytes, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_REFUSED);
	TEST_EQ(why.until, 1);
	(void)fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "refused at this second"));
	TEST_EQ(asked, 0);
	free(memory);
	close_world(&w);
}

/* ---- the caller's own order ---- */

static int64_t key_of(void *context, const struct fair_job *job)
{
	(void)context;
	return -(int64_t)job->procs;
}

/* Odd numbers first until 100, then even ones. */
static int parity(void *context, int64_t now, const struct fair_job *a,
		  const struct fair_job *b)
{
	int x = (int)((a->number + (now >= 100)) % 2);
	int y = (int)((b->number + (now >= 100)) % 2);

	(void)context;
	return y - x;
}

static void open_ordered(struct world *w, uint32_t policy, uint32_t order)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	config.order = order;
	config.key = key_of;
	config.compare = parity;
	open_world_of(w, &config);
}

static int64_t least_key(void *context, const struct fair_job *job)
{
	(void)context;
	return job->number % 2 ? INT64_MIN : INT64_MAX;
}

/* Any number is a key, in an image too. */
static void by_extreme_keys(void)
{
	struct fair_config config = { 0 };
	struct fair_sched copy;
	unsigned char *image;
	struct world w;
	size_t bytes;

	config.policy = FAIR_BACKFILL;
	config.order = FAIR_ORDER_KEY;
	config.key = least_key;
	open_world_of(&w, &config);
	submit(&w, 0, 8, 10, 10);
	submit(&w, 0, 6, 10, 10);
	submit(&w, 0, 7, 10, 10);
	bytes = fair_sched_image_size(&w.s);
	image = (unsigned char *)malloc(bytes);
	TEST_EQ(fair_sched_save(&w.s, image, bytes), 0);
	TEST_EQ(fair_sched_load(&copy, sizeof(copy), w.kept, w.bytes,
				&w.config, image, bytes, NULL), 0);
	TEST_EQ(fair_sched_check(&copy), 0);
	free(image);
	TEST_EQ(step(&w, 0), 7);
	TEST_EQ(fair_sched_finish(&w.s, 5, 7), 0);
	TEST_EQ(step(&w, 5), 6);
	close_world(&w);
}

/* Ties end at the number; a modified job is asked about again. */
static void by_key(void)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL, FAIR_PC,
					   FAIR_DC };
	struct fair_job j;
	struct world w;
	size_t i;

	for (i = 0; i < 4; i++) {
		open_ordered(&w, policy[i], FAIR_ORDER_KEY);
		submit(&w, 0, 9, 200, 10);
		TEST_EQ(step(&w, 0), 9);
		submit(&w, 2, 5, 10, 2);
		submit(&w, 2, 4, 10, 6);
		j = a_job(3, 3, 10, 6);
		TEST_EQ(fair_sched_submit(&w.s, 3, &j), 0);
		TEST_EQ(fair_sched_modify(&w.s, 4, 5, 7, 10), 0);
		TEST_EQ(fair_sched_finish(&w.s, 5, 9), 0);
		TEST_EQ(step(&w, 5), 5);
		TEST_EQ(fair_sched_finish(&w.s, 6, 5), 0);
		TEST_EQ(step(&w, 6), 3);
		close_world(&w);
	}
}

static void by_comparison(void)
{
	static const struct {
		uint32_t policy, select;
	} by[] = { { FAIR_FCFS, 0 },
		   { FAIR_BACKFILL, 0 },
		   { FAIR_BACKFILL, FAIR_BESTFIT } };
	struct fair_config config = { 0 };
	struct world w;
	size_t i;

	config.order = FAIR_ORDER_COMPARE;
	config.compare = parity;
	for (i = 0; i < 3; i++) {
		config.policy = by[i].policy;
		config.select = by[i].select;
		open_world_of(&w, &config);
		/* Once over the queue, and once over those left. */
		TEST_EQ(w.s.plan.walk.passes + w.s.plan.fill.passes,
			config.select ? 2 : 0);
		submit(&w, 0, 9, 200, 10);
		TEST_EQ(step(&w, 0), 9);
		submit(&w, 1, 7, 10, 10);
		submit(&w, 2, 5, 10, 10);
		submit(&w, 3, 2, 10, 10);
		submit(&w, 3, 4, 10, 10);
		TEST_EQ(step(&w, 4), 0);
		TEST_EQ(fair_sched_finish(&w.s, 5, 9), 0);
		TEST_EQ(step(&w, 5), 7); /* submitted before 5 */
		TEST_EQ(fair_sched_finish(&w.s, 100, 7), 0);
		TEST_EQ(step(&w, 100), 2);
		TEST_EQ(fair_sched_finish(&w.s, 105, 2), 0);
		TEST_EQ(step(&w, 105), 4);
		close_world(&w);
	}
}

static void errors_of_orders(void)
{
	static const struct {
		uint32_t policy, order;
		bool good;
	} try[] = {
		{ FAIR_FCFS, FAIR_ORDER_KEY, true },
		{ FAIR_SFS, FAIR_ORDER_KEY, true },
		{ FAIR_DC, FAIR_ORDER_KEY, true },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_KEY, false },
		{ FAIR_RELSHARE, FAIR_ORDER_KEY, false },
		{ FAIR_SFS, FAIR_ORDER_COMPARE, true },
		{ FAIR_BACKFILL, FAIR_ORDER_COMPARE, true },
		{ FAIR_PC, FAIR_ORDER_COMPARE, false },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_COMPARE, false },
		{ FAIR_FCFS, FAIR_ORDER_COMPARE + 1, false },
	};
	struct fair_config c = { 0 };
	struct fair_sched s;
	char memory[64];
	size_t i;

	c.procs = 3;
	c.jobs = c.accounts = c.users = 3;
	c.window = 100;
	for (i = 0; i < sizeof(try) / sizeof(*try); i++) {
		c.policy = try[i].policy;
		c.order = try[i].order;
		c.key = key_of;
		c.compare = parity;
		TEST_EQ(fair_sched_size(&c) > 0, try[i].good);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, 1, &c),
			try[i].good ? -FAIR_ENOMEM : -FAIR_EINVAL);
		c.key = NULL;
		c.compare = NULL;
		TEST_EQ(fair_sched_size(&c), 0);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, 1, &c),
			-FAIR_EINVAL);
	}
}

/* ---- arrays ---- */

static int submit_array(struct world *w, int64_t now, uint64_t number,
			uint32_t tasks, int32_t procs)
{
	struct fair_job j = a_job(number, now, 100, procs);

	j.tasks = tasks;
	j.cookie = 77;
	return fair_sched_submit(&w->s, now, &j);
}

/* Two at a time, in their place; what waits is one job. */
static void tasks_start_in_turn(void)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL,
					   FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC };
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	struct world w;
	size_t i;

	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		open_world(&w, policy[i], FAIR_ORDER_FCFS, 1);
		TEST_EQ(submit_array(&w, 0, 2, 5, 4), 0);
		TEST_EQ(look(&w, 2).job.tasks, 5);
		TEST_EQ(w.s.jobs, 1);
		TEST_EQ(step(&w, 0), 23);
		submit(&w, 1, 8, 100, 10);
		TEST_EQ(look(&w, 3).job.tasks, 1);
		TEST_EQ(look(&w, 4).job.tasks, 3);
		TEST_EQ(look(&w, 4).job.submit, 0);
		TEST_EQ(look(&w, 4).job.cookie, 77);
		at.row = at.index = 0;
		TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
		TEST_CHECK(fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
		TEST_CHECK(!fair_sched_each(&w.s, FAIR_QUEUED, &at, &j));
		TEST_EQ(fair_sched_finish(&w.s, 10, 3), 0);
		TEST_EQ(step(&w, 10), 4);
		TEST_EQ(fair_sched_finish(&w.s, 20, 2), 0);
		TEST_EQ(fair_sched_finish(&w.s, 20, 4), 0);
		TEST_EQ(step(&w, 20) % 10,
			policy[i] >= FAIR_CONSERVATIVE ? 8 : 6);
		close_world(&w);
	}
}

/* The next task arrives when one starts: a promise for one at a time. */
static void promises_of_tasks(void)
{
	struct world w;

	open_world(&w, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
	TEST_EQ(submit_array(&w, 0, 2, 3, 6), 0);
	told(&w, 2, 0, FAIR_FOREVER, 0, FAIR_CAUSE_ARRIVAL, 2);
	submit(&w, 0, 7, 50, 6);
	told(&w, 7, 0, FAIR_FOREVER, 100, FAIR_CAUSE_ARRIVAL, 7);
	TEST_EQ(step(&w, 0), 2);
	told(&w, 3, 0, FAIR_FOREVER, 150, FAIR_CAUSE_ARRIVAL, 3);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 2), 0);
	told(&w, 2, 0, 0, 250, FAIR_CAUSE_REFUSED, 2);
	TEST_EQ(look(&w, 2).job.tasks, 1);
	TEST_EQ(look(&w, 3).job.tasks, 2);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

static void what_waits_of_an_array(void)
{
	struct fair_until held = until(0, 0, 0, true);
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 4, 6), 0);
	TEST_EQ(step(&w, 0), 2);
	TEST_EQ(put_aside(&w, 0, 8, until(0, 4, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(fair_sched_defer(&w.s, 1, 3, &held), 0);
	TEST_CHECK(is_aside(&w, 3));
	TEST_EQ(look(&w, 3).job.tasks, 3);
	TEST_EQ(fair_sched_modify(&w.s, 1, 3, 2, 100), 0);
	TEST_EQ(step(&w, 1), 0);
	TEST_EQ(fair_sched_defer(&w.s, 2, 3, NULL), 0);
	TEST_EQ(step(&w, 2), 34);
	TEST_EQ(look(&w, 5).job.tasks, 1);
	TEST_CHECK(is_aside(&w, 8));
	TEST_EQ(fair_sched_requeue(&w.s, 3, 4), 0);
	TEST_EQ(look(&w, 4).job.tasks, 1);
	TEST_EQ(fair_sched_cancel(&w.s, 3, 4), 0);
	TEST_EQ(look(&w, 8).state, FAIR_QUEUED);
	close_world(&w);
	open_world(&w, FAIR_DC, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 4, 10), 0);
	TEST_EQ(put_aside(&w, 0, 8, until(0, 4, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(put_aside(&w, 0, 9, until(0, 5, FAIR_AFTER_OK, false)), 0);
	TEST_EQ(step(&w, 0), 2);
	TEST_EQ(fair_sched_cancel(&w.s, 1, 3), 0); /* all that wait */
	TEST_EQ(look(&w, 8).state, FAIR_QUEUED);
	TEST_CHECK(is_aside(&w, 9));
	TEST_EQ(w.s.arrays, 0);
	close_world(&w);
}

static void numbers_of_tasks(void)
{
	struct fair_until u = until(0, 5, FAIR_AFTER_OK, false);
	struct fair_job j = a_job(5, 0, 10, 1);
	struct world w;

	open_world(&w, FAIR_PC, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 10, 10);
	TEST_EQ(submit_array(&w, 0, 0, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 3, 4, 1), 0);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 2, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 6, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX, 2, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_defer(&w.s, 0, 3, &u), -FAIR_EINVAL);
	TEST_EQ(fair_sched_cancel(&w.s, 0, 4), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 7, 2, 1), 0);
	keep(&w);
	w.s.arrays--;
	broken(&w);
	fair_sched_find(&w.s, 3)->sequence = 4;
	broken(&w);
	close_world(&w);
}

/* A job that runs has its number still. */
static void numbers_that_run(void)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 5, 10, 10);
	TEST_EQ(step(&w, 0), 5);
	TEST_EQ(submit_array(&w, 0, 4, 2, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 3, 3, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, 3, 2, 1), 0);
	close_world(&w);
}

/* With all that wait of an array its last task is gone, and no other job. */
static void ends_of_tasks(void)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 1, 2, 1), 0);
	submit(&w, 0, 3, 10, 1);
	TEST_EQ(put_aside(&w, 0, 7, until(0, 2, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(put_aside(&w, 0, 8, until(0, 3, FAIR_AFTER_ANY, false)), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 0, 1), 0);
	TEST_EQ(look(&w, 7).state, FAIR_QUEUED);
	TEST_CHECK(is_aside(&w, 8));
	close_world(&w);
}

/* The greatest number is one of a job, but ends no array. */
static void greatest_numbers(void)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX, 1, 1), 0);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX - 2, 3, 1), -FAIR_EINVAL);
	TEST_EQ(submit_array(&w, 0, UINT64_MAX - 2, 2, 1), 0);
	TEST_EQ(look(&w, UINT64_MAX - 2).job.tasks, 2);
	close_world(&w);
}

/* An array counts as two; where so many live, no task can start. */
static void room_for_tasks(void)
{
	struct world w;
	uint64_t n;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 1, 9, 1), 0);
	for (n = 20; n < 20 + JOBS - 3; n++)
		submit(&w, 0, n, 10, 10);
	TEST_EQ(submit_array(&w, 0, 40, 2, 1), -FAIR_ENOSPC);
	submit(&w, 0, n, 10, 10);
	TEST_EQ(submit_array(&w, 0, 40, 1, 1), -FAIR_ENOSPC);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(w.s.jobs, JOBS);
	TEST_EQ(w.s.refused, 1);
	TEST_EQ(fair_sched_next(&w.s), 1);
	TEST_EQ(fair_sched_cancel(&w.s, 1, 20), 0);
	TEST_EQ(step(&w, 1), 2);
	TEST_EQ(fair_sched_finish(&w.s, 2, 2), 0);
	TEST_EQ(step(&w, 2), 3);
	close_world(&w);
}

/* What starts later is one of them, too. */
static void futures_of_tasks(void)
{
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 3, 10), 0);
	submit(&w, 0, 7, 100, 10);
	TEST_EQ(step(&w, 0), 2);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(fair_sched_estimate(&w.s, 3, memory, bytes, &start), 0);
	TEST_EQ(start, 100);
	TEST_EQ(fair_sched_estimate(&w.s, 7, memory, bytes, &start), 0);
	TEST_EQ(start, 300);
	free(memory);
	close_world(&w);
}

/* A task ends as its array does, and not as the next number. */
static void walltimes_of_tasks(void)
{
	struct fair_job j = a_job(6, 0, 150, 10);
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 10, 10);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(submit_array(&w, 1, 3, 3, 10), 0);
	submit(&w, 1, 8, 10, 10);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(fair_sched_estimate(&w.s, 8, memory, bytes, &start), 0);
	TEST_EQ(start, 10 + 150 + 3 * 100);
	free(memory);
	close_world(&w);
}

/* A guest that is set aside has no place yet; when it comes it finds one. */
static void futures_of_guests_aside(void)
{
	const struct fair_booking b = { 7, 10, 50, 6, FAIR_ADVANCE, 0 };
	const struct fair_until then = until(30, 0, 0, false);
	struct fair_config config = { 0 };
	struct fair_job j = a_job(2, 0, 10, 6);
	struct world w;
	int64_t start;
	char *memory;
	size_t bytes;

	config.policy = FAIR_BACKFILL;
	config.bookings = 1;
	open_world_of(&w, &config);
	TEST_EQ(fair_sched_book(&w.s, 0, &b, false), 0);
	j.booking = 7;
	TEST_EQ(fair_sched_submit_aside(&w.s, 0, &j, &then), 0);
	bytes = fair_sched_fst_size(&w.config);
	memory = (char *)malloc(bytes);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_EQ(fair_sched_estimate(&w.s, 2, memory, bytes, &start), 0);
	TEST_EQ(start, 30);
	free(memory);
	close_world(&w);
}

/* ---- images ---- */

/* Where the words of a section begin; NULL: there is none. */
static unsigned char *section(unsigned char *image, size_t bytes, uint64_t what)
{
	unsigned char *p = image + 8 * FAIR_IMAGE_HEADER;

	while (p < image + bytes - 8 && fair_image_get(p) != what)
		p += 8 * fair_image_extent(p);
	return p < image + bytes - 8 ? p + 8 * FAIR_IMAGE_HEADER : NULL;
}

static int load(struct world *w, const unsigned char *image, size_t bytes,
		int *damage)
{
	struct fair_sched s;
	size_t size = fair_sched_size(&w->config);
	void *memory = malloc(size);
	int error;

	*damage = 0;
	error = fair_sched_load(&s, sizeof(s), memory, size, &w->config, image,
				bytes, damage);
	if (!error) {
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(fair_sched_digest(&s), fair_sched_digest(&w->s));
		TEST_EQ(s.asides, w->s.asides);
	}
	free(memory);
	return error;
}

/* What no job waits for, one word at a time. */
static void images_of_jobs_aside(void)
{
	static const struct {
		size_t word;
		uint64_t value;
	} change[] = { { 0, 77 }, { 0, 1 }, { 0, 8 }, { 3, 4 }, { 4, 2 },
		       { 5, 2 } };
	unsigned char *image, *p;
	struct world w;
	size_t bytes, i;
	uint64_t was;
	int damage;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(put_aside(&w, 0, 7, until(3, 1, FAIR_AFTER_OK, true)), 0);
	TEST_EQ(put_aside(&w, 0, 8, until(3, 0, 0, true)), 0);
	bytes = fair_sched_image_size(&w.s);
	image = (unsigned char *)malloc(bytes);
	TEST_EQ(fair_sched_save(&w.s, image, bytes), 0);
	TEST_EQ(load(&w, image, bytes, &damage), 0);
	p = section(image, bytes, FAIR_IMAGE_OF_ASIDE);
	TEST_REQUIRE(p);
	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		was = fair_image_get(p + 8 * change[i].word);
		fair_image_put(p + 8 * change[i].word, change[i].value);
		fair_image_put(image + bytes - 8,
			       fair_image_hash(image, bytes - 8));
		TEST_EQ(load(&w, image, bytes, &damage), -FAIR_EINVAL);
		TEST_EQ(damage, FAIR_IMAGE_BROKEN);
		fair_image_put(p + 8 * change[i].word, was);
	}
	fair_image_put(image + bytes - 8, fair_image_hash(image, bytes - 8));
	w.config.aside = 1;
	TEST_EQ(load(&w, image, bytes, &damage), -FAIR_ENOSPC);
	w.config.aside = 9;
	TEST_EQ(load(&w, image, bytes, &damage), 0);
	free(image);
	close_world(&w);
}

/* Into room for no more than these: each of them is found again. */
static void images_without_room(void)
{
	unsigned char *image;
	struct world w;
	size_t bytes;
	uint64_t n;
	int damage;

	busy(&w, FAIR_BACKFILL);
	for (n = 5; n < 9; n++)
		submit(&w, 0, n, 10, 9);
	for (; n < 12; n++)
		TEST_EQ(put_aside(&w, 0, n, until(3, 0, 0, true)), 0);
	bytes = fair_sched_image_size(&w.s);
	image = (unsigned char *)malloc(bytes);
	TEST_EQ(fair_sched_save(&w.s, image, bytes), 0);
	w.config.jobs = 10;
	TEST_EQ(load(&w, image, bytes, &damage), -FAIR_ENOSPC);
	w.config.jobs = 11;
	TEST_EQ(load(&w, image, bytes, &damage), 0);
	free(image);
	close_world(&w);
}

/* The caller says again how it orders. */
static void images_of_orders(void)
{
	struct fair_config config;
	unsigned char *image;
	struct world w;
	size_t bytes;
	int damage;

	open_ordered(&w, FAIR_DC, FAIR_ORDER_KEY);
	submit(&w, 0, 1, 10, 10);
	submit(&w, 0, 2, 10, 10);
	bytes = fair_sched_image_size(&w.s);
	image = (unsigned char *)malloc(bytes);
	TEST_EQ(fair_sched_save(&w.s, image, bytes), 0);
	TEST_EQ(fair_sched_image_config(image, bytes, &config, &damage), 0);
	TEST_CHECK(config.order == FAIR_ORDER_KEY && !config.key);
	TEST_EQ(load(&w, image, bytes, &damage), 0);
	w.config.key = NULL;
	TEST_EQ(fair_sched_load(&w.was, sizeof(w.was), w.kept, w.bytes,
				&w.config, image, bytes, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, 0);
	free(image);
	close_world(&w);
}

static void images_of_arrays(void)
{
	unsigned char *image, *p;
	struct world w;
	size_t bytes;
	int damage;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 4, 6), 0);
	TEST_EQ(submit_array(&w, 0, 6, 2, 6), 0);
	bytes = fair_sched_image_size(&w.s);
	image = (unsigned char *)malloc(bytes);
	TEST_EQ(fair_sched_save(&w.s, image, bytes), 0);
	TEST_EQ(load(&w, image, bytes, &damage), 0);
	p = section(image, bytes, FAIR_IMAGE_OF_JOBS);
	TEST_REQUIRE(p);
	p += 8 * (FAIR_IMAGE_JOB - 2);
	TEST_EQ(fair_image_get(p), 3);
	fair_image_put(p, 4); /* the last would be 6 */
	fair_image_put(image + bytes - 8, fair_image_hash(image, bytes - 8));
	TEST_EQ(load(&w, image, bytes, &damage), -FAIR_EINVAL);
	TEST_EQ(damage, FAIR_IMAGE_BROKEN);
	free(image);
	close_world(&w);
}

int main(void)
{
	TEST_RUN(begin_times);
	TEST_RUN(dependencies);
	TEST_RUN(ends_of_others);
	TEST_RUN(as_many_aside_as_can_be);
	TEST_RUN(cancelled_aside);
	TEST_RUN(failed_for_good);
	TEST_RUN(hold_and_release);
	TEST_RUN(requeue);
	TEST_RUN(errors_of_jobs_aside);
	TEST_RUN(invariants_of_jobs_aside);
	TEST_RUN(images_of_jobs_aside);
	TEST_RUN(images_without_room);
	TEST_RUN(passed_over);
	TEST_RUN(refused_promises);
	TEST_RUN(refused_in_time);
	TEST_RUN(estimates_fit);
	TEST_RUN(by_key);
	TEST_RUN(by_extreme_keys);
	TEST_RUN(by_comparison);
	TEST_RUN(errors_of_orders);
	TEST_RUN(images_of_orders);
	TEST_RUN(tasks_start_in_turn);
	TEST_RUN(promises_of_tasks);
	TEST_RUN(what_waits_of_an_array);
	TEST_RUN(numbers_of_tasks);
	TEST_RUN(ends_of_tasks);
	TEST_RUN(greatest_numbers);
	TEST_RUN(numbers_that_run);
	TEST_RUN(room_for_tasks);
	TEST_RUN(futures_of_tasks);
	TEST_RUN(walltimes_of_tasks);
	TEST_RUN(futures_of_guests_aside);
	TEST_RUN(images_of_arrays);
	return test_report();
}
