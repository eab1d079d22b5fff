/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A planner of the caller's: selective reservations, docs/examples/selective.h.
 */
#define FAIRSCHED_STATIC
#include <stdlib.h>
#include <string.h>

#include "docs/examples/selective.h"
#include "fuzz/selective_pair.h"
#include "tests/test.h"
#include "tools/fairsched/trace/swf.h"

enum { PROCS = 10, JOBS = 16 };

struct site {
	struct selective_policy policy;
	struct fair_config config;
	struct fair_sched s;
	void *memory;
	size_t bytes;
	struct fair_promise told; /* the last */
	int tolds;
};

static void promised(void *context, const struct fair_promise *p)
{
	struct site *x = (struct site *)context;

	x->told = *p;
	x->tolds++;
}

static void open_site(struct site *x, uint32_t numerator, uint32_t denominator)
{
	memset(x, 0, sizeof(*x));
	x->policy = selective_above(numerator, denominator);
	x->config.policy = FAIR_CUSTOM;
	x->config.planner = &x->policy.ops;
	x->config.procs = PROCS;
	x->config.jobs = JOBS;
	x->config.ineligible = JOBS;
	x->config.advances = 2;
	x->config.promised = promised;
	x->config.context = x;
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_REQUIRE(x->memory);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
}

static void close_site(struct site *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

static void submit(struct site *x, int64_t now, uint64_t number,
		   int64_t walltime, int32_t procs)
{
	struct fair_job j = { .number = number,
			      .submit = now,
			      .walltime = walltime,
			      .procs = procs };

	TEST_EQ(fair_sched_submit(&x->s, now, &j), 0);
}

/* The numbers of the jobs that start, as digits. */
static uint64_t step(struct site *x, int64_t now)
{
	struct fair_decision start[JOBS];
	uint64_t digits = 0;
	size_t n = 0, i;

	TEST_EQ(fair_sched_step(&x->s, now, start, JOBS, &n), 0);
	for (i = 0; i < n; i++)
		digits = 10 * digits + start[i].number;
	return digits;
}

static int64_t reservation(const struct site *x, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(&x->s, number, &j), 0);
	return j.start;
}

/* Job 1 has the machine until 100; job 2 is needy from 10 + 50 + 1 on. */
static void open_waiting(struct site *x)
{
	open_site(x, 2, 1);
	submit(x, 0, 1, 100, PROCS);
	TEST_EQ(step(x, 0), 1);
	submit(x, 10, 2, 50, PROCS);
	TEST_EQ(step(x, 10), 0);
}

TEST(a_job_is_promised_a_start_above_the_threshold)
{
	struct site x;

	open_waiting(&x);
	TEST_EQ(fair_sched_next(&x.s), 61);
	TEST_EQ(reservation(&x, 2), FAIR_FOREVER);
	TEST_EQ(step(&x, 60), 0); /* (50 + 50) / 50 is 2 */
	TEST_EQ(x.tolds, 0);
	TEST_EQ(step(&x, 61), 0);
	TEST_EQ(x.tolds, 1);
	TEST_EQ(x.told.number, 2);
	TEST_EQ(x.told.cause, FAIR_CAUSE_ARRIVAL);
	TEST_EQ(x.told.from, FAIR_FOREVER);
	TEST_EQ(x.told.to, 100);
	TEST_EQ(fair_sched_next(&x.s), 100);
	close_site(&x);
}

TEST(a_step_that_comes_late_promises_then)
{
	struct site x;

	open_waiting(&x);
	TEST_EQ(step(&x, 70), 0);
	TEST_EQ(x.told.made, 70);
	TEST_EQ(x.told.to, 100);
	close_site(&x);
}

TEST(a_threshold_is_an_exact_ratio)
{
	struct site x;

	open_site(&x, 4, 3);
	submit(&x, 0, 1, 100, PROCS);
	TEST_EQ(step(&x, 0), 1);
	submit(&x, 0, 2, 9, PROCS);  /* (3 + 9) / 9 is 4 / 3 */
	submit(&x, 0, 3, 10, PROCS); /* above it from 10 / 3 on */
	TEST_EQ(step(&x, 3), 0);
	TEST_EQ(reservation(&x, 2), FAIR_FOREVER);
	TEST_EQ(reservation(&x, 3), FAIR_FOREVER);
	TEST_EQ(fair_sched_next(&x.s), 4);
	TEST_EQ(step(&x, 4), 0);
	TEST_EQ(reservation(&x, 2), 100);
	TEST_EQ(reservation(&x, 3), 109);
	close_site(&x);
}

/* Job 3 delays job 2, which holds no reservation yet; job 4 may not. */
TEST(jobs_without_a_reservation_are_passed)
{
	struct site x;

	open_site(&x, 2, 1);
	submit(&x, 0, 1, 100, 6);
	submit(&x, 0, 2, 50, PROCS);
	submit(&x, 0, 3, 300, 4);
	TEST_EQ(step(&x, 0), 13);
	TEST_EQ(step(&x, 51), 0);
	TEST_EQ(reservation(&x, 2), 300);
	submit(&x, 60, 4, 201, 6);
	submit(&x, 60, 5, 200, 6);
	TEST_EQ(fair_sched_finish(&x.s, 100, 1), 0);
	TEST_EQ(step(&x, 100), 5);
	TEST_EQ(reservation(&x, 2), 300);
	close_site(&x);
}

TEST(why_knows_what_is_ahead_and_in_the_way)
{
	struct fair_why why;
	struct site x;

	open_waiting(&x);
	submit(&x, 50, 3, 60, 1);
	TEST_EQ(step(&x, 61), 0);
	TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.ahead, 1);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &why), 0);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(why.promise, 100);
	TEST_EQ(fair_sched_capacity(&x.s, 70, 1, NULL, 0), 0);
	TEST_EQ(step(&x, 70), 3);
	submit(&x, 70, 4, 60, 1);
	TEST_EQ(fair_sched_modify(&x.s, 71, 2, PROCS + 1, 50), 0);
	TEST_EQ(step(&x, 71), 0);
	TEST_EQ(reservation(&x, 2), 130);
	TEST_EQ(fair_sched_finish(&x.s, 80, 1), 0);
	TEST_EQ(step(&x, 80), 0);
	TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.walltime, 50);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 2);
	TEST_EQ(why.blocker[0].start, 130);
	close_site(&x);
}

TEST(a_threshold_below_1_promises_at_once)
{
	struct site x;

	open_site(&x, 0, 1);
	submit(&x, 0, 1, 100, PROCS);
	TEST_EQ(x.told.to, 0);
	submit(&x, 0, 2, 50, PROCS);
	TEST_EQ(x.told.to, 100);
	TEST_EQ(x.told.cause, FAIR_CAUSE_ARRIVAL);
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(fair_sched_finish(&x.s, 40, 1), 0);
	TEST_EQ(x.told.to, 40);
	TEST_EQ(x.told.cause, FAIR_CAUSE_EARLIER);
	TEST_EQ(step(&x, 40), 2);
	close_site(&x);
}

TEST(promises_move_later_for_a_named_cause)
{
	struct site x;

	open_waiting(&x);
	TEST_EQ(step(&x, 61), 0);
	TEST_EQ(fair_sched_pass_time(&x.s, 100), 0);
	TEST_EQ(x.told.cause, FAIR_CAUSE_OVERRUN);
	TEST_EQ(x.told.culprit, 1);
	TEST_EQ(x.told.to, 101);
	TEST_EQ(fair_sched_finish(&x.s, 150, 1), 0);
	TEST_EQ(x.told.to, 150);
	TEST_EQ(fair_sched_capacity(&x.s, 150, -1, NULL, 0), 0);
	TEST_EQ(x.told.cause, FAIR_CAUSE_CAPACITY);
	TEST_EQ(x.told.to, FAIR_FOREVER);
	TEST_EQ(step(&x, 151), 0);
	TEST_EQ(fair_sched_next(&x.s), FAIR_FOREVER);
	TEST_EQ(fair_sched_capacity(&x.s, 160, 1, NULL, 0), 0);
	TEST_EQ(fair_sched_next(&x.s), 160);
	TEST_EQ(step(&x, 160), 2);
	TEST_EQ(x.told.cause, FAIR_CAUSE_EARLIER);
	TEST_EQ(fair_sched_refuse(&x.s, 160, 2), 0);
	TEST_EQ(x.told.cause, FAIR_CAUSE_REFUSED);
	TEST_EQ(x.told.to, 161);
	close_site(&x);
}

TEST(a_refused_job_that_was_promised_nothing_is_told_nothing)
{
	struct site x;

	open_site(&x, 2, 1);
	submit(&x, 0, 1, 100, PROCS);
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(fair_sched_refuse(&x.s, 0, 1), 0);
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(fair_sched_next(&x.s), 1);
	TEST_EQ(x.tolds, 0);
	TEST_EQ(step(&x, 1), 1);
	close_site(&x);
}

TEST(next_sees_the_end_of_an_advance_reservation)
{
	static const struct fair_advance b = {
		1, 0, 30, PROCS, FAIR_ADVANCE_MAINTENANCE, 0, 0,
		{ 0 }, 0, 0
	};
	struct site x;

	open_site(&x, 2, 1);
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), 0);
	submit(&x, 0, 1, 100, 1);
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(fair_sched_next(&x.s), 30);
	TEST_EQ(step(&x, 30), 1);
	TEST_EQ(x.tolds, 0);
	close_site(&x);
}

TEST(thresholds_and_configurations_are_tested)
{
	struct site x;

	open_site(&x, SELECTIVE_MOST, SELECTIVE_MOST);
	x.policy.numerator++;
	TEST_EQ(fair_sched_size(&x.config), 0);
	x.policy = selective_above(1, SELECTIVE_MOST + 1);
	TEST_EQ(fair_sched_size(&x.config), 0);
	x.policy = selective_above(1, 0);
	TEST_EQ(fair_sched_size(&x.config), 0);
	x.policy = selective_above(1, 1);
	TEST_EQ(fair_sched_size(&x.config), x.bytes);
	x.config.order = FAIR_ORDER_SJF;
	TEST_EQ(fair_sched_size(&x.config), 0);
	x.config.order = FAIR_ORDER_FCFS;
	x.config.jobs = UINT32_MAX / 4;
	TEST_CHECK(sizeof(size_t) > 4 || !fair_sched_size(&x.config));
	x.config.jobs = JOBS;
	x.config.planner = NULL;
	TEST_EQ(fair_sched_size(&x.config), 0);
	close_site(&x);
}

/* The walltime and the time that are farthest away do not overflow. */
TEST(extremes)
{
	struct site x;
	struct fair_job j;

	open_site(&x, SELECTIVE_MOST, 1);
	submit(&x, 0, 1, INT64_C(1) << 30, PROCS);
	TEST_EQ(step(&x, 0), 1);
	memset(&j, 0, sizeof(j));
	j.number = 2;
	j.walltime = INT64_C(1) << 29;
	j.procs = 1;
	j.submit = INT64_MIN;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(reservation(&x, 2), INT64_C(1) << 30);
	j.number = 3;
	j.submit = 0;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(reservation(&x, 3), FAIR_FOREVER);
	TEST_EQ(step(&x, 1), 0);
	TEST_EQ(fair_sched_next(&x.s), INT64_C(1) << 30);
	close_site(&x);
}

static int load(struct site *x, const void *file, size_t bytes, int *damage)
{
	void *memory = malloc(x->bytes);
	struct fair_sched s;
	int error;

	error = fair_sched_load(&s, sizeof(s), memory, x->bytes, &x->config,
				file, bytes, damage);
	free(memory);
	return error;
}

TEST(a_checkpoint_names_its_threshold)
{
	struct site x;
	size_t bytes;
	void *file;
	int damage;

	open_waiting(&x);
	TEST_EQ(step(&x, 61), 0);
	bytes = fair_sched_checkpoint_size(&x.s);
	file = malloc(bytes);
	TEST_REQUIRE(file);
	TEST_EQ(fair_sched_save(&x.s, file, bytes), 0);
	TEST_EQ(load(&x, file, bytes, &damage), 0);
	x.policy = selective_above(4, 2);
	TEST_EQ(load(&x, file, bytes, &damage), -FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
	x.policy = selective_above(3, 1); /* job 2 is not needy */
	TEST_EQ(load(&x, file, bytes, &damage), -FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
	x.config.planner = NULL;
	TEST_EQ(load(&x, file, bytes, &damage), -FAIR_EINVAL);
	TEST_EQ(damage, 0);
	x.config.advances = 0;
	TEST_EQ(load(&x, file, bytes, &damage), -FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_CONFIG);
	x.config.planner = &x.policy.ops;
	x.config.advances = 2;
	free(file);
	close_site(&x);
}

TEST(check_sees_what_is_broken)
{
	struct selective *c;
	struct site x;
	uint32_t slot;

	open_waiting(&x);
	TEST_EQ(step(&x, 61), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
	c = selective_of(&x.s);
	slot = c->plan.jobs == 1 ? 1 : 0;
	TEST_EQ(x.s.live[slot].queued.rank.number, 2);

	c->rank[slot].number++; /* not the job's number */
	TEST_EQ(fair_sched_check(&x.s), 1);
	c->rank[slot].number--;
	c->rank[slot].key += 2; /* reserved too early */
	TEST_EQ(fair_sched_check(&x.s), 1);
	c->rank[slot].key -= 2;
	c->numerator *= 2; /* the same */
	TEST_EQ(fair_sched_check(&x.s), 1);
	c->numerator /= 2;
	TEST_EQ(fair_profile_reserve(&c->space.profile, 300, 1, 1), 0);
	TEST_EQ(fair_sched_check(&x.s), 4); /* reserved for no job */
	TEST_EQ(fair_profile_release(&c->space.profile, 300, 1, 1), 0);
	c->plan.jobs++;
	TEST_EQ(fair_sched_check(&x.s), 1);
	c->plan.jobs--;
	c->queue.jobs++;
	TEST_EQ(fair_sched_check(&x.s), 1);
	c->queue.jobs--;
	c->space.profile.cap = 0;
	TEST_EQ(fair_sched_check(&x.s), 1);
	c->space.profile.cap = (size_t)selective_steps(&x.config);
	TEST_EQ(fair_queue_remove(&c->plan, slot), 0);
	TEST_EQ(fair_sched_check(&x.s), 1); /* reserved, and not in the plan */
	TEST_EQ(fair_queue_insert(&c->plan, slot), 0);
	x.s.live[slot].queued.rank.key = FAIR_FOREVER;
	TEST_CHECK(fair_sched_check(&x.s)); /* in the plan, not reserved */
	x.s.live[slot].queued.rank.key = 100;
	close_site(&x);
}

TEST(random_events_go_as_in_the_model)
{
	uint8_t data[3000];
	uint64_t random = 20;
	size_t size, i;
	int round;

	for (round = 0; round < TEST_ROUNDS(400); round++) {
		size = (size_t)test_range(&random, 0, (int64_t)sizeof(data));
		for (i = 0; i < size; i++)
			data[i] = (uint8_t)test_random(&random);
		TEST_CHECK(selective_pair_run(data, size) ==
			   selective_pair_run(data, size));
	}
}

/* A TRACE */

struct replay {
	const struct swf *t;
	size_t *running, runs;
	int64_t *start;
	uint64_t digest;
	double wait; /* seconds, mean */
};

static int64_t end_of(const struct replay *r, size_t i)
{
	size_t job = r->running[i];

	return r->start[job] + r->t->job[job].run;
}

static void finish_jobs(struct replay *r, struct fair_sched *s, int64_t now)
{
	size_t i;

	for (i = 0; i < r->runs;) {
		if (end_of(r, i) > now) {
			i++;
			continue;
		}
		TEST_EQ(fair_sched_finish(s, now, r->running[i]), 0);
		r->running[i] = r->running[--r->runs];
	}
}

static void start_jobs(struct replay *r, struct fair_sched *s, int64_t now)
{
	struct fair_decision start[64];
	size_t n, i;

	do {
		TEST_EQ(fair_sched_step(s, now, start, 64, &n), 0);
		for (i = 0; i < n; i++) {
			r->start[start[i].number] = now;
			r->running[r->runs++] = (size_t)start[i].number;
			r->wait += (double)(now -
					    r->t->job[start[i].number].submit);
		}
	} while (n == 64);
}

static void play(struct replay *r, const struct swf *t,
		 const struct fair_config *config)
{
	size_t bytes = fair_sched_size(config), next = 0, i;
	void *memory = malloc(bytes);
	struct fair_sched s;
	struct fair_job j;
	int64_t now;

	memset(r, 0, sizeof(*r));
	r->t = t;
	r->running = malloc(t->jobs * sizeof(*r->running));
	r->start = malloc(t->jobs * sizeof(*r->start));
	TEST_REQUIRE(memory && r->running && r->start);
	TEST_REQUIRE(!fair_sched_init(&s, sizeof(s), memory, bytes, config));
	memset(&j, 0, sizeof(j));
	while (next < t->jobs || r->runs || s.jobs) {
		now = fair_sched_next(&s);
		if (next < t->jobs && t->job[next].submit < now)
			now = t->job[next].submit;
		for (i = 0; i < r->runs; i++)
			if (end_of(r, i) < now)
				now = end_of(r, i);
		finish_jobs(r, &s, now);
		for (; next < t->jobs && t->job[next].submit <= now; next++) {
			j.number = next;
			j.submit = t->job[next].submit;
			j.walltime = t->job[next].estimate;
			j.procs = t->job[next].procs;
			TEST_EQ(fair_sched_submit(&s, now, &j), 0);
		}
		start_jobs(r, &s, now);
	}
	TEST_EQ(fair_sched_check(&s), 0);
	r->digest = fair_sched_digest(&s);
	r->wait /= (double)t->jobs;
	free(memory);
	free(r->running);
}

/* With a threshold below 1 it is conservative backfilling, start by start. */
TEST(kth)
{
	struct swf_options o = { 0 };
	struct fair_config config;
	struct selective_policy policy;
	struct replay conservative, r;
	size_t i, other, most = TEST_ROUNDS(40000);
	uint32_t threshold;
	struct swf t;

	if (swf_read(&t, test_shared("traces/KTH-SP2-1996-2.swf.gz"), &o)) {
		test_skip("no trace");
		return;
	}
	if (t.jobs > most)
		t.jobs = most;
	memset(&config, 0, sizeof(config));
	config.procs = t.procs;
	config.jobs = 4096;
	config.origin = t.job[0].submit;
	config.policy = FAIR_CONSERVATIVE;
	play(&conservative, &t, &config);
	printf("%zu jobs, conservative: mean wait %.0f s\n", t.jobs,
	       conservative.wait);
	config.policy = FAIR_CUSTOM;
	config.planner = &policy.ops;
	for (threshold = 0; threshold <= 8;
	     threshold += threshold + !threshold) {
		policy = selective_above(threshold, 1);
		play(&r, &t, &config);
		for (other = i = 0; i < t.jobs; i++)
			other += r.start[i] != conservative.start[i];
		printf("threshold %u: mean wait %.0f s, %zu starts differ\n",
		       (unsigned)threshold, r.wait, other);
		TEST_CHECK(threshold || !other);
		TEST_CHECK(threshold || r.digest == conservative.digest);
		free(r.start);
	}
	free(conservative.start);
	swf_free(&t);
}
