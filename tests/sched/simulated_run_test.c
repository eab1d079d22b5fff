/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A simulated run takes nothing from what its memory held before; one that plays
 * the caller's scheduler asks for the caller's events and tells of each end and
 * start, in order, and stops at an error.
 */
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

static int64_t as_planned(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

/* What its memory held before is nothing to a future. */
TEST(simulated_run_ignores_old_memory)
{
	struct fair_simulated_run f;
	struct site x;
	int64_t start;
	int byte;

	open_site(&x, FAIR_BACKFILL, 10);
	enqueue(&x.s, 1, 10, 10);
	enqueue(&x.s, 2, 10, 10);
	for (byte = 0; byte < 2; byte++) {
		memset(&f, byte, sizeof(f));
		memset(x.other, byte, x.more);
		TEST_OK(fair_simulated_run_init(&f, sizeof(f), x.other, x.more,
						&x.s, 0, as_planned, NULL));
		TEST_EQ(fair_simulated_run_start(&f, 2, &start), 0);
		TEST_EQ(start, 10);
	}
	close_site(&x);
}

/* Jobs 1, 2, ... of one processor arrive, a second apart; 2 runs for 0 s. */
struct caller {
	struct fair_sched *s;
	uint64_t arrived, jobs;
	char log[200], fails;
};

/* Logs the event; a failure if it is the one that @c waits for. */
static int log_event(struct caller *c, char event, uint64_t number, int64_t now)
{
	size_t n = strlen(c->log);

	snprintf(c->log + n, sizeof(c->log) - n, "%c%d@%d ", event, (int)number,
		 (int)now);
	return event == c->fails ? 77 : 0;
}

static int64_t run_of(void *context, uint64_t number)
{
	(void)context;
	return number == 2 ? 0 : 10;
}

static int64_t next_arrival(void *context)
{
	const struct caller *c = (const struct caller *)context;

	return c->arrived < c->jobs ? (int64_t)c->arrived : FAIR_FOREVER;
}

static int arrive(void *context, int64_t now)
{
	struct caller *c = (struct caller *)context;

	if (next_arrival(c) != now)
		return 0;
	enqueue(c->s, ++c->arrived, 1, 10);
	return log_event(c, 'a', c->arrived, now);
}

static int ended(void *context, uint64_t number, int64_t now)
{
	return log_event((struct caller *)context, 'e', number, now);
}

static int starts(void *context, uint64_t number, int64_t now)
{
	return log_event((struct caller *)context, 's', number, now);
}

/* What is logged until an error or the end; @fails: the event that fails. */
static void play(struct site *x, char fails, const char *want)
{
	struct fair_simulated_end end[SITE_JOBS];
	struct caller c = { &x->s, 0, 3, "", 0 };
	struct fair_simulated_events events = { run_of, next_arrival, arrive,
						ended,	starts,	      &c };
	struct fair_simulated_run f;
	int error = 0;
	int64_t now;

	c.fails = fails;
	open_site(x, FAIR_BACKFILL, 2);
	enqueue(&x->s, 9, 1, 10);
	TEST_EQ(started(&x->s, 0), 9);
	TEST_OK(fair_simulated_run_attach(&f, sizeof(f), end, SITE_JOBS, &x->s,
					  &events));
	while (!error &&
	       (now = fair_simulated_run_next(&f)) != FAIR_FOREVER)
		error = fair_simulated_run_instant(&f, now);
	TEST_EQ(error, fails ? 77 : 0);
	TEST_CHECK(!strcmp(c.log, want));
	close_site(x);
}

TEST(attached_run_asks_and_tells)
{
	struct site x;

	play(&x, 0, "a1@0 s1@0 a2@1 a3@2 "
		    "e9@10 e1@10 s2@10 s3@10 e2@10 e3@20 ");
	play(&x, 'a', "a1@0 ");
	play(&x, 's', "a1@0 s1@0 ");
	play(&x, 'e', "a1@0 s1@0 a2@1 a3@2 e9@10 ");
}

/* Without the caller's events the run is over when no job is left. */
TEST(attached_run_ends)
{
	const struct fair_simulated_events events = { run_of, NULL, NULL,
						      NULL,   NULL, NULL };
	struct fair_simulated_end end[SITE_JOBS];
	struct fair_simulated_run f;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 2);
	TEST_OK(fair_simulated_run_attach(&f, sizeof(f), end, SITE_JOBS, &x.s,
					  &events));
	enqueue(&x.s, 2, 1, 10);
	enqueue(&x.s, 3, 2, 10);
	TEST_EQ(fair_simulated_run_instant(&f, 0), 0);
	f.until = 10;
	TEST_EQ(fair_simulated_run_next(&f), FAIR_FOREVER);
	f.until = FAIR_FOREVER;
	TEST_EQ(fair_simulated_run_next(&f), 10);
	TEST_EQ(fair_simulated_run_instant(&f, 10), 0);
	TEST_EQ(fair_simulated_run_next(&f), FAIR_FOREVER);
	close_site(&x);
}

static int64_t run_for_ever(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return INT64_MAX;
}

static int64_t each_second(void *context)
{
	return ++*(int64_t *)context;
}

/* A job that runs for ever does not end, and each event allows more rounds. */
TEST(more_events_than_rounds)
{
	int64_t rounds, now = 0;
	const struct fair_simulated_events events = { run_for_ever, each_second,
						      NULL, NULL, NULL, &now };
	struct fair_simulated_end end[SITE_JOBS];
	struct fair_simulated_run f;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 2);
	enqueue(&x.s, 2, 1, 10);
	TEST_EQ(started(&x.s, 100), 2);
	TEST_OK(fair_simulated_run_attach(&f, sizeof(f), end, SITE_JOBS, &x.s,
					  &events));
	f.rounds = 10;
	for (rounds = 0; rounds < 100; rounds++) {
		now = 100 + rounds;
		TEST_OK(fair_simulated_run_instant(&f, 101 + rounds));
	}
	TEST_EQ(fair_sched_count(&x.s, FAIR_RUNNING), 1);
	TEST_CHECK(f.rounds > 10);
	close_site(&x);
}

static int64_t as_long(void *context, uint64_t number)
{
	(void)context;
	return number == 1 ? 100 : 10;
}

static int64_t draw_ten(void *context, const struct fair_job_status *job,
			uint64_t random)
{
	(void)context;
	(void)job;
	(void)random;
	return 10;
}

/* A job that starts in the last round has started; a sample is told somewhere. */
TEST(the_last_round)
{
	const struct fair_draw draw = { .samples = 1, .run = draw_ten };
	struct fair_simulated_run f;
	int64_t start = -1;
	struct site x;

	open_site(&x, FAIR_BACKFILL, 2);
	enqueue(&x.s, 2, 1, 10);
	TEST_OK(fair_simulated_run_init(&f, sizeof(f), x.other, x.more, &x.s, 0,
					ten, NULL));
	f.rounds = 0;
	TEST_OK(fair_simulated_run_start(&f, 2, &start));
	TEST_EQ(start, 0);
	TEST_EQ(fair_sched_sample(&x.s, 2, &draw, 0, x.other, 0, NULL),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_sample(&x.s, 2, &draw, 0, x.other, x.more, &start));
	close_site(&x);
}

/* It begins at 20, of a scheduler that is at 10: nothing happens before job 1
 * ends, though job 3 has the larger expansion by then. */
TEST(it_begins_after_the_present)
{
	struct fair_simulated_run f;
	int64_t start = -1;
	struct world w;
	size_t bytes;
	void *memory;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_LXF, 1);
	submit(&w, 0, 1, 100, 6);
	submit(&w, 0, 2, 1000, 10);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 10, 3, 95, 4); /* it would delay job 2 */
	TEST_EQ(step(&w, 10), 0);
	bytes = fair_sched_fst_size(&w.config);
	memory = malloc(bytes);
	TEST_OK(fair_simulated_run_init(&f, sizeof(f), memory, bytes, &w.s, 20,
					as_long, NULL));
	TEST_OK(fair_simulated_run_start(&f, 3, &start));
	TEST_EQ(start, 100);
	free(memory);
	close_world(&w);
}

/* Job 1 ends last, at 30; 2 at 20 and 3 at 10. */
static int64_t shorter(void *context, uint64_t number)
{
	(void)context;
	return 40 - 10 * (int64_t)number;
}

static int64_t at_ten(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

static int64_t in_an_hour(void *context)
{
	(void)context;
	return 3600;
}

/* A run of jobs 1 to @jobs, which have started now, and of @run. */
static void attach(struct site *x, struct fair_simulated_run *f,
		   struct caller *c, int64_t (*run)(void *, uint64_t),
		   uint64_t jobs)
{
	static struct fair_simulated_end end[SITE_JOBS];
	const struct fair_simulated_events events = { run,   in_an_hour, NULL,
						      ended, NULL,	 c };
	uint64_t n;

	memset(c, 0, sizeof(*c));
	open_site(x, FAIR_BACKFILL, 8);
	for (n = 1; n <= jobs; n++)
		enqueue(&x->s, n, 1, 10);
	(void)started(&x->s, 0);
	TEST_EQ(fair_sched_count(&x->s, FAIR_RUNNING), jobs);
	TEST_OK(fair_simulated_run_attach(f, sizeof(*f), end, SITE_JOBS, &x->s,
					  &events));
}

/* Of ends at one second, that of the job that started first is the first. */
TEST(ends_of_one_second)
{
	struct fair_simulated_run f;
	struct caller c;
	struct site x;

	attach(&x, &f, &c, at_ten, 8);
	TEST_EQ(fair_simulated_run_next(&f), 10);
	TEST_OK(fair_simulated_run_instant(&f, 10));
	TEST_CHECK(!strcmp(c.log, "e1@10 e2@10 e3@10 e4@10 e5@10 e6@10 e7@10 "
				  "e8@10 "));
	close_site(&x);
}

/* However many have started between the two: as if it were 2^31 more. */
TEST(ends_of_one_second_after_many_starts)
{
	struct fair_simulated_run f;
	struct caller c;
	struct site x;

	attach(&x, &f, &c, shorter, 1);
	x.s.start_count += UINT32_C(1) << 31;
	enqueue(&x.s, 2, 1, 20);
	TEST_OK(fair_simulated_run_instant(&f, 10));
	TEST_OK(fair_simulated_run_instant(&f, 30));
	TEST_CHECK(!strcmp(c.log, "e1@30 e2@30 "));
	close_site(&x);
}

/* The first end is found whatever the order of starts; where the ends of one
 * second are one event, those of later ones are not. */
TEST(the_first_end)
{
	struct fair_simulated_run f;
	struct caller c;
	struct site x;

	attach(&x, &f, &c, shorter, 3);
	f.together = true;
	TEST_EQ(fair_simulated_run_next(&f), 10);
	TEST_OK(fair_simulated_run_instant(&f, 10));
	TEST_CHECK(!strcmp(c.log, "e3@10 "));
	TEST_EQ(fair_sched_count(&x.s, FAIR_RUNNING), 2);
	close_site(&x);
}

static int count_queued(void *context, uint64_t number, int64_t now)
{
	const struct caller *c = (const struct caller *)context;

	(void)number;
	(void)now;
	return (int)fair_sched_count(c->s, FAIR_QUEUED);
}

/* Who is told of an end finds the job queued that has waited for it. */
TEST(an_end_that_was_waited_for)
{
	static const struct fair_eligibility after = { 0, 1, FAIR_AFTER_ANY,
						       false };
	struct fair_job j = job_of(2, 1, 10);
	struct fair_simulated_run f;
	struct caller c;
	struct site x;

	attach(&x, &f, &c, at_ten, 0);
	x.config.ineligible = 2;
	free(x.memory);
	x.bytes = fair_sched_size(&x.config);
	x.memory = malloc(x.bytes);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	enqueue(&x.s, 1, 1, 10);
	TEST_EQ(fair_sched_submit_ineligible(&x.s, 0, &j, &after), 0);
	c.s = &x.s;
	f.events.ended = count_queued;
	TEST_OK(fair_simulated_run_instant(&f, 0));
	TEST_EQ(fair_simulated_run_instant(&f, 10), 1);
	close_site(&x);
}

/* Of three ends that are one event the caller is told up to its error. */
TEST(an_error_of_ends_together)
{
	struct fair_simulated_run f;
	struct caller c;
	struct site x;

	attach(&x, &f, &c, at_ten, 3);
	f.together = true;
	c.fails = 'e';
	TEST_EQ(fair_simulated_run_instant(&f, 10), 77);
	TEST_CHECK(!strcmp(c.log, "e1@10 "));
	close_site(&x);
}

/* An event that is due later allows no more rounds; one before the present is
 * no round, whether or not any are left. */
TEST(rounds_that_are_left)
{
	struct fair_simulated_run f;
	struct caller c;
	struct site x;

	attach(&x, &f, &c, at_ten, 1);
	f.rounds = 2;
	TEST_EQ(fair_simulated_run_instant(&f, -1), -FAIR_ETIME);
	TEST_EQ(f.rounds, 2);
	TEST_OK(fair_simulated_run_instant(&f, 1));
	TEST_EQ(f.rounds, 1);
	TEST_EQ(fair_simulated_run_instant(&f, 0), -FAIR_ETIME);
	TEST_EQ(f.rounds, 1);
	close_site(&x);
}

/* A job that is held does not start, which is known with the last round. */
TEST(known_in_the_last_round)
{
	static const struct fair_eligibility held = { 0, 0, 0, true };
	struct fair_job j = a_job(1, 0, 10, 1);
	struct fair_simulated_run f;
	int64_t start = -1;
	struct world w;
	size_t bytes;
	void *memory;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_OK(fair_sched_submit_ineligible(&w.s, 0, &j, &held));
	bytes = fair_sched_fst_size(&w.config);
	memory = malloc(bytes);
	TEST_OK(fair_simulated_run_init(&f, sizeof(f), memory, bytes, &w.s, 0,
					as_long, NULL));
	f.rounds = 1;
	TEST_OK(fair_simulated_run_start(&f, 1, &start));
	TEST_EQ(start, FAIR_FOREVER);
	free(memory);
	close_world(&w);
}

/* A job beyond its budget has no promise: though the timers of Maui's priority
 * go on for ever, it is known not to start. */
TEST(beyond_a_budget)
{
	struct fair_limit budget = { FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, 0,
				     50 };
	int64_t start = -1;
	struct site x;

	open_site(&x, FAIR_PC, 10);
	free(x.memory);
	free(x.other);
	x.config.order = FAIR_ORDER_PRIORITY;
	x.config.advances = 0;
	x.config.limits = 1;
	x.maui.poll = 10;
	x.bytes = fair_sched_size(&x.config);
	x.more = fair_sched_fst_size(&x.config);
	x.memory = malloc(x.bytes);
	x.other = malloc(x.more);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	TEST_OK(fair_sched_limit(&x.s, 0, &budget));
	enqueue(&x.s, 1, 10, 10);
	TEST_EQ(started(&x.s, 0), 0);
	TEST_OK(fair_sched_estimate(&x.s, 1, x.other, x.more, &start));
	TEST_EQ(start, FAIR_FOREVER);
	close_site(&x);
}
