/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job whose start the caller refuses is displaced: it keeps its turn as long
 * as config.patience says, and waits 1, 2, 4 ... seconds, or until the time that
 * the caller named; then it goes behind what is planned already. It keeps the
 * cause. Policies that plan afresh pass it over until then.
 */
#include "fairsched.h"
#include "tests/ineligible.h"
#include "tests/site.h"
#include "tests/world.h"

static int64_t fits_from[10]; /* by number */
static bool tells_when;       /* else it says no for this second only */
static int asked;

static int64_t fits(void *context, const struct fair_job *job, int64_t start,
		    int64_t end)
{
	TEST_EQ(start, ((struct world *)context)->s.now);
	TEST_EQ(end, start + job->walltime);
	asked++;
	return tells_when || start >= fits_from[job->number]
		       ? fits_from[job->number]
		       : start + 1;
}

/* The class that a job was asked about; UINT32_MAX: any number of them. */
static uint32_t fits_class;

static int64_t fits_in_class(void *context, const struct fair_job *job,
			     int64_t start, int64_t end)
{
	(void)context;
	(void)end;
	fits_class = job->class_count == 1 ? job->classes[0] : UINT32_MAX;
	return start;
}

/* It is asked about the class in which it is to run, and of one pool none. */
TEST(asked_about_one_class)
{
	static const int32_t has[] = { 4, 0, 6, 2 }, amount[] = { 1, 1 };
	static const struct fair_machine_config machine = { 2, 2, 0, has };
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .machine = &machine,
				      .fits = fits_in_class };
	struct fair_job j = a_job(1, 0, 10, 1);
	struct world w;
	int pool;

	for (pool = 0; pool < 2; pool++) {
		config.machine = pool ? NULL : &machine;
		j.amount = pool ? NULL : amount;
		open_world_of(&w, &config);
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		TEST_EQ(step(&w, 0), 1);
		TEST_EQ(fits_class, pool ? UINT32_MAX : 1);
		close_world(&w);
	}
}

/* Job 1 does not fit before 3, job 2 is as wide, job 3 goes beside either. */
static void refusing(struct world *w, uint32_t policy, uint32_t depth)
{
	struct fair_config config = { .policy = policy,
				      .depth = depth,
				      .patience = FAIR_PATIENCE_NONE,
				      .fits = fits };

	memset(fits_from, 0, sizeof(fits_from));
	tells_when = false;
	fits_from[1] = 3;
	asked = 0;
	open_world_of(w, &config);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 40, 6);
	submit(w, 0, 3, 30, 4);
	w->asked = w->tells;
}

TEST(passed_over)
{
	uint64_t empty;
	struct world w;

	refusing(&w, FAIR_FCFS, 0); /* no job passes */
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

TEST(refused_promises)
{
	struct world w;
	int64_t start;

	refusing(&w, FAIR_CONSERVATIVE, 0);
	/* 1 goes behind 2; the reaction moves 2 to 0, then 1 forward. */
	TEST_EQ(step(&w, 0), 23);
	told(&w, 1, 0, 0, 90, FAIR_CAUSE_REFUSED, 1);
	told(&w, 2, 0, 50, 0, FAIR_CAUSE_EARLIER, 2);
	told(&w, 1, 0, 90, 40, FAIR_CAUSE_EARLIER, 1);
	TEST_EQ(look(&w, 2).start, 0);
	TEST_EQ(fair_sched_estimate(&w.s, 1, NULL, 0, &start), 0);
	TEST_EQ(start, 40);
	TEST_EQ(look(&w, 1).cause, FAIR_CAUSE_REFUSED);
	TEST_EQ(fair_sched_finish(&w.s, 1, 2), 0);
	told(&w, 1, 1, 40, 1, FAIR_CAUSE_EARLIER, 1);
	TEST_EQ(step(&w, 1), 0);
	told(&w, 1, 1, 1, 2, FAIR_CAUSE_REFUSED, 1);
	TEST_EQ(fair_sched_next(&w.s), 2);
	TEST_EQ(step(&w, 3), 1);
	told(&w, 1, 3, 2, 3, FAIR_CAUSE_LATE_STEP, 1);
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

/* A start is refused at its second, and explained at the next step. */
TEST(refused_in_time)
{
	struct fair_why why;
	struct world w;

	busy(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 2), 0);
	TEST_EQ(fair_sched_why(&w.s, 3, NULL, 0, &why), -FAIR_EINVAL);
	TEST_EQ(fair_sched_pass_time(&w.s, 5), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 0, 1), -FAIR_ETIME);
	TEST_EQ(fair_sched_refuse(&w.s, 5, 1), -FAIR_EINVAL);
	close_world(&w);
}

/* What is asked of the plan takes it that the caller can start. */
TEST(estimates_fit)
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
	TEST_CHECK(strstr(text, "refused until 1."));
	TEST_EQ(asked, 0);
	free(memory);
	close_world(&w);
}

static const uint32_t policies[] = { FAIR_FCFS, FAIR_BACKFILL,
				     FAIR_CONSERVATIVE, FAIR_PC, FAIR_DC };

/* Jobs end as planned, until nothing is due; how often that woke the caller. */
static int run(struct world *w)
{
	struct fair_job_status j;
	struct fair_queue_place at;
	int64_t now;
	int wakes;

	for (wakes = 0; (now = fair_sched_next(&w->s)) < FAIR_FOREVER; wakes++) {
		at.row = at.index = 0;
		while (fair_sched_each(&w->s, FAIR_RUNNING, &at, &j))
			if (j.end == now) {
				TEST_OK(fair_sched_finish(&w->s, now,
							  j.job.number));
				at.row = at.index = 0;
			}
		(void)step(w, now);
		TEST_EQ(fair_sched_check(&w->s), 0);
	}
	return wakes;
}

/* Job 1 is asked about when it is due and from 30 on, not in between. */
TEST(until_a_time)
{
	struct world w;
	size_t i;

	for (i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		refusing(&w, policies[i], 1);
		tells_when = true;
		fits_from[1] = 30;
		(void)step(&w, 0);
		TEST_EQ(look(&w, 1).not_before, 30);
		TEST_CHECK(fair_sched_next(&w.s) == 30);
		TEST_CHECK(run(&w) <= 4);
		TEST_EQ(asked, 4);
		TEST_EQ(w.s.jobs, 0);
		close_world(&w);
	}
}

/* Saves and loads it in place. */
static void reload(struct world *w)
{
	size_t bytes = fair_sched_checkpoint_size(&w->s);
	char *checkpoint = (char *)malloc(bytes);
	int64_t next = fair_sched_next(&w->s);

	TEST_REQUIRE(checkpoint);
	TEST_OK(fair_sched_save(&w->s, checkpoint, bytes));
	TEST_OK(fair_sched_load(&w->s, sizeof(w->s), w->memory, w->bytes,
				&w->config, checkpoint, bytes, NULL));
	TEST_EQ(fair_sched_next(&w->s), next);
	free(checkpoint);
}

static int64_t estimate(struct world *w, uint64_t number)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	char *memory = (char *)malloc(bytes);
	int64_t start = 0;

	TEST_OK(fair_sched_estimate(&w->s, number, memory, bytes, &start));
	free(memory);
	return start;
}

/* It holds no promise, is not asked about, and starts after a retry. */
TEST(until_a_retry)
{
	struct fair_why why;
	struct world w;
	size_t i;

	for (i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		refusing(&w, policies[i], 1);
		tells_when = true;
		fits_from[1] = FAIR_FOREVER;
		(void)step(&w, 0);
		reload(&w);
		(void)run(&w);
		TEST_EQ(w.s.jobs, policies[i] == FAIR_FCFS ? 3 : 1);
		TEST_EQ(look(&w, 1).start, FAIR_FOREVER);
		TEST_EQ(look(&w, 1).not_before, FAIR_FOREVER);
		TEST_EQ(estimate(&w, 1), FAIR_FOREVER);
		(void)step(&w, 200);
		TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
		TEST_CHECK(why.reasons & FAIR_WHY_REFUSED);
		TEST_EQ(fair_sched_retry(&w.s, 200, 4), -FAIR_ENOENT);
		TEST_EQ(fair_sched_retry(&w.s, 199, 1), -FAIR_ETIME);
		fits_from[1] = 0;
		TEST_OK(fair_sched_retry(&w.s, 200, 1));
		TEST_OK(fair_sched_retry(&w.s, 200, 1)); /* nothing to do */
		(void)step(&w, 200);
		TEST_EQ(look(&w, 1).start, 200);
		TEST_EQ(fair_sched_retry(&w.s, 200, 1), -FAIR_EINVAL);
		(void)run(&w);
		TEST_EQ(w.s.jobs, 0);
		close_world(&w);
	}
}

/* A time beyond all plans is none: no sum of times reaches it. */
TEST(until_too_far)
{
	uint32_t policy;
	struct world w;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		refusing(&w, policy, 1);
		tells_when = true;
		fits_from[1] = INT64_MAX - 2;
		(void)step(&w, 0);
		TEST_EQ(look(&w, 1).not_before, FAIR_FOREVER);
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

/* A retry before the time that the caller named. */
TEST(retried_early)
{
	struct world w;

	refusing(&w, FAIR_CONSERVATIVE, 0);
	tells_when = true;
	fits_from[1] = 500;
	TEST_EQ(step(&w, 0), 23);
	told(&w, 1, 0, 0, 500, FAIR_CAUSE_REFUSED, 1);
	told(&w, 2, 0, 50, 0, FAIR_CAUSE_EARLIER, 2);
	fits_from[1] = 0;
	TEST_OK(fair_sched_retry(&w.s, 10, 1));
	told(&w, 1, 10, 500, 40, FAIR_CAUSE_EARLIER, 1);
	TEST_EQ(fair_sched_next(&w.s), 30);
	close_world(&w);
}

/* When the time that the caller named has come, the refusal is no reason. */
TEST(the_time_has_come)
{
	struct fair_why why;
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	submit(&w, 0, 1, 10, 10);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_refuse_until(&w.s, 0, 1, 5));
	submit(&w, 0, 2, 5, 10);
	TEST_EQ(step(&w, 0), 2);
	TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_REFUSED);
	TEST_EQ(step(&w, 5), 0);
	TEST_OK(fair_sched_why(&w.s, 1, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	close_world(&w);
}

/* So is a job that was not refused: dc has left 4 where it was promised. */
TEST(retried_without_a_refusal)
{
	struct world w;

	open_world(&w, FAIR_DC, FAIR_ORDER_FCFS, 0);
	submit(&w, 0, 1, 100, 5);
	submit(&w, 0, 2, 60, 5);
	TEST_EQ(step(&w, 0), 12);
	submit(&w, 0, 3, 10, 10);
	submit(&w, 0, 4, 10, 6);
	TEST_OK(fair_sched_cancel(&w.s, 5, 3));
	TEST_EQ(step(&w, 5), 0);
	TEST_EQ(look(&w, 4).start, 110);
	w.asked = w.tells;
	TEST_OK(fair_sched_retry(&w.s, 7, 4));
	told(&w, 4, 7, 110, 100, FAIR_CAUSE_EARLIER, 4);
	TEST_OK(fair_sched_retry(&w.s, 7, 4));
	TEST_EQ(w.asked, w.tells);
	close_world(&w);
}

/* Jobs 1, 2 and 3, each of the whole machine for 100 seconds. */
static void patient(struct world *w, uint32_t policy, int64_t patience,
		    bool asks)
{
	struct fair_config config = { .policy = policy,
				      .patience = patience ? patience
						  : FAIR_PATIENCE_NONE,
				      .fits = asks ? fits : NULL };
	uint64_t number;

	memset(fits_from, 0, sizeof(fits_from));
	tells_when = false;
	open_world_of(w, &config);
	for (number = 1; number < 4; number++)
		submit(w, 0, number, 100, PROCS);
	w->asked = w->tells;
}

/* Job 1 has just gone behind the others, at @now: 2 starts in its place, and
 * the compression of pc moves 1 to the next. */
static void passed(struct world *w, uint32_t policy, int64_t now)
{
	TEST_EQ(step(w, now), 2);
	TEST_EQ(look(w, 1).start, now + (policy == FAIR_CONSERVATIVE ? 200 :
					 policy == FAIR_PC	     ? 100 :
								       300));
	TEST_EQ(look(w, 3).start,
		now + (policy == FAIR_CONSERVATIVE ? 100 : 200));
}

/* All others wait for it until the patience ends, by turn; then none does. */
TEST(waits_longer_each_time)
{
	int64_t patience, now, wait;
	struct world w;
	uint32_t policy;
	uint64_t n;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++)
		for (patience = 0; patience < 9; patience++) {
			patient(&w, policy, patience, false);
			for (now = 0, wait = 1; now < patience; wait *= 2) {
				TEST_EQ(step(&w, now), 1);
				TEST_OK(fair_sched_refuse(&w.s, now, 1));
				for (n = 1; n < 4; n++)
					told(&w, n, now,
					     now + 100 * (int64_t)(n - 1),
					     now + wait +
						     100 * (int64_t)(n - 1),
					     FAIR_CAUSE_REFUSED, n);
				TEST_EQ(fair_sched_next(&w.s), now);
				reload(&w);
				TEST_EQ(step(&w, now), 0);
				now += wait;
				TEST_EQ(fair_sched_next(&w.s), now);
			}
			TEST_EQ(step(&w, now), 1);
			TEST_OK(fair_sched_refuse(&w.s, now, 1));
			told(&w, 1, now, now, now + 300, FAIR_CAUSE_REFUSED, 1);
			TEST_EQ(w.asked, w.tells);
			passed(&w, policy, now);
			close_world(&w);
		}
}

/* A job that starts, and one that goes behind, begin a new row of refusals. */
TEST(a_row_ends)
{
	struct world w;

	patient(&w, FAIR_CONSERVATIVE, 2, false);
	TEST_OK(fair_sched_cancel(&w.s, 0, 2));
	TEST_OK(fair_sched_cancel(&w.s, 0, 3));
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_refuse(&w.s, 0, 1));
	TEST_EQ(step(&w, 1), 1);
	TEST_OK(fair_sched_requeue(&w.s, 10, 1));
	TEST_EQ(step(&w, 10), 1);
	TEST_OK(fair_sched_refuse(&w.s, 10, 1));
	TEST_EQ(look(&w, 1).start, 11);
	TEST_EQ(step(&w, 11), 1);
	TEST_OK(fair_sched_refuse(&w.s, 11, 1));
	TEST_EQ(look(&w, 1).start, 13);
	TEST_EQ(step(&w, 13), 1);
	TEST_OK(fair_sched_refuse(&w.s, 13, 1)); /* behind */
	TEST_EQ(step(&w, 14), 1);
	TEST_OK(fair_sched_refuse(&w.s, 14, 1));
	TEST_EQ(look(&w, 1).start, 15);
	TEST_EQ(step(&w, 15), 1);
	TEST_OK(fair_sched_refuse(&w.s, 15, 1));
	TEST_EQ(look(&w, 1).start, 17);
	close_world(&w);
}

/* However often it was refused, and may be tried again: 60 count. */
TEST(a_long_row)
{
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .patience = 100 };
	struct world w, x;
	unsigned char *file;
	size_t bytes;
	int64_t now;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, 1);
	for (now = 0; now < 64; now++) {
		TEST_EQ(step(&w, now), 1);
		TEST_OK(fair_sched_refuse(&w.s, now, 1));
		TEST_EQ(look(&w, 1).not_before,
			now + (INT64_C(1) << (now < 60 ? now : 60)));
		TEST_OK(fair_sched_retry(&w.s, now + 1, 1));
	}
	file = checkpoint_of(&w.s, &bytes);
	open_world_of(&x, &c);
	TEST_OK(fair_sched_load(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config, file, bytes, NULL));
	free(file);
	close_world(&x);
	close_world(&w);
}

/* fits() names the next second, each time. */
TEST(asked_in_vain)
{
	struct world w;
	uint32_t policy;
	int64_t now;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		patient(&w, policy, 5, true);
		fits_from[1] = 1000;
		for (now = 0; now < 5; now++) {
			TEST_EQ(step(&w, now), 0);
			TEST_EQ(look(&w, 1).start, now + 1);
			TEST_EQ(look(&w, 3).start, now + 201);
			reload(&w);
		}
		passed(&w, policy, 5);
		close_world(&w);
	}
}

/* fits() names a time: the others wait, until then or until a retry. */
TEST(keeps_its_turn_until_a_time)
{
	struct world w;
	uint32_t policy;
	int64_t retry;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++)
		for (retry = 10; retry <= 30; retry += 20) {
			patient(&w, policy, 5, true);
			tells_when = true;
			fits_from[1] = 30;
			TEST_EQ(step(&w, 0), 0);
			TEST_EQ(look(&w, 1).start, 30);
			TEST_EQ(look(&w, 2).start, 130);
			TEST_EQ(look(&w, 3).start, 230);
			TEST_EQ(fair_sched_next(&w.s), 30);
			reload(&w);
			if (retry < 30)
				fits_from[1] = 0;
			TEST_OK(fair_sched_retry(&w.s, retry, 1));
			TEST_EQ(step(&w, retry), 1);
			TEST_EQ(fair_sched_next(&w.s), retry + 100);
			close_world(&w);
		}
}

/* fits() names no time: it goes behind at once, and is placed by a retry. */
TEST(patience_does_not_wait_for_ever)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		patient(&w, policy, 5, true);
		tells_when = true;
		fits_from[1] = FAIR_FOREVER;
		TEST_EQ(step(&w, 0), 2);
		told(&w, 1, 0, 0, FAIR_FOREVER, FAIR_CAUSE_REFUSED, 1);
		fits_from[1] = 0;
		TEST_OK(fair_sched_retry(&w.s, 50, 1));
		TEST_EQ(look(&w, 1).start,
			policy == FAIR_DC ? 100 : 200);
		close_world(&w);
	}
}

/* Licences that the caller has itself: one job at a time holds it. */
enum { LICENSED = 300 };

struct licence {
	struct world w;
	int64_t from[LICENSED + 1], free;
	int asked;
};

static int64_t has_licence(void *context, const struct fair_job *job,
			   int64_t start, int64_t end)
{
	struct licence *x = (struct licence *)context;
	int64_t *from = &x->from[job->number];

	x->asked++;
	if (!*from) {
		*from = x->free > start ? x->free : start;
		x->free = *from + end - start;
	}
	return *from;
}

TEST(second_resource)
{
	static struct licence x;
	struct fair_config config = { .jobs = LICENSED, .fits = has_licence };
	uint32_t number;
	size_t i;

	for (i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		memset(&x, 0, sizeof(x));
		x.free = 1;
		config.policy = policies[i];
		open_world_of(&x.w, &config);
		for (number = 1; number <= LICENSED; number++)
			submit(&x.w, 1, number, 10, 1);
		(void)step(&x.w, 1);
		TEST_CHECK(run(&x.w) <= 2 * LICENSED);
		TEST_EQ(x.w.s.jobs, 0);
		TEST_EQ(x.w.s.now, 1 + 10 * LICENSED);
		TEST_CHECK(x.asked <= 2 * LICENSED);
		close_world(&x.w);
	}
}

/*
 * The clock goes on to 50, when job 2 is too wide for what is left: job 1, which
 * waits for a retry, will not start either.
 */
TEST(nothing_is_promised)
{
	struct fair_eligibility at = { 50, 0, 0, false };
	struct world w;
	struct fair_job wide = { .number = 2, .walltime = 5, .procs = 8 };

	refusing(&w, FAIR_CONSERVATIVE, 0);
	TEST_OK(fair_sched_cancel(&w.s, 0, 2));
	TEST_OK(fair_sched_cancel(&w.s, 0, 3));
	tells_when = true;
	fits_from[1] = FAIR_FOREVER;
	(void)step(&w, 0);
	TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &wide, &at));
	TEST_OK(fair_sched_capacity(&w.s, 0, -4, NULL, 0));
	TEST_EQ(estimate(&w, 1), FAIR_FOREVER);
	close_world(&w);
}
