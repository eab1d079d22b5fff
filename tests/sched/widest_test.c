/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Jobs may be as wide as a processor count can be: no sum overflows under any
 * policy.
 */
#include "fairsched.h"
#include "tests/plain_ledger.h"
#include "tests/site.h"

#define ALL INT32_MAX

/* 1 runs; 2 and 3 wait, and are as wide: no job passes them. */
static void has_all(struct site *x, struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct fair_why why;
	int64_t start;
	uint64_t i;

	TEST_EQ(fair_sched_check(s), 0);
	TEST_EQ(s->jobs, 3);
	TEST_EQ(s->busy, ALL);
	TEST_CHECK(fair_sched_each(s, FAIR_RUNNING, &at, &j));
	TEST_EQ(j.job.number, 1);
	TEST_CHECK(!fair_sched_each(s, FAIR_RUNNING, &at, &j));
	at.row = at.index = 0;
	for (i = 2; i < 4; i++) {
		TEST_CHECK(fair_sched_each(s, FAIR_QUEUED, &at, &j));
		TEST_EQ(j.job.number, i);
		TEST_OK(fair_sched_estimate(s, i, x->other, x->more, &start));
		TEST_EQ(start, 10 * (int64_t)i - 10);
		TEST_EQ(started(s, 0), 0);
		TEST_EQ(fair_sched_why(s, i, NULL, 0, &why), 0);
		TEST_EQ(why.ahead, i - 2);
		TEST_EQ(why.free_at, 10);
		TEST_EQ(why.blockers, 1);
	}
	TEST_CHECK(!fair_sched_each(s, FAIR_QUEUED, &at, &j));
	TEST_EQ(reserve(s, 0, 9, 5, 8, 1), -FAIR_ERANGE);
}

static void copies(struct site *x)
{
	size_t bytes = fair_sched_checkpoint_size(&x->s);
	char *memory = malloc(x->bytes), *checkpoint = malloc(bytes);
	struct fair_config easy = x->config;
	struct fair_job_status j;
	struct fair_sched s;
	uint64_t n;

	TEST_EQ(fair_sched_save(&x->s, checkpoint, bytes), 0);
	TEST_OK(fair_sched_load(&s, sizeof(s), memory, x->bytes, &x->config,
				checkpoint, bytes, NULL));
	has_all(x, &s);
	free(memory);
	easy.policy = FAIR_BACKFILL;
	memory = malloc(fair_sched_size(&easy));
	TEST_OK(fair_sched_convert(&s, sizeof(s), memory,
				   fair_sched_size(&easy), &easy, &x->s));
	has_all(x, &s);
	free(memory);
	memory = malloc(x->bytes);
	TEST_EQ(fair_sched_clone(&s, memory, x->bytes, &x->s), 0);
	has_all(x, &s);
	for (n = 4; n <= SITE_JOBS; n++)	/* its hash grows */
		enqueue(&s, n, 1, 10);
	for (n = 1; n <= SITE_JOBS; n++)
		TEST_EQ(fair_sched_lookup(&s, n, &j), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	free(memory);
	free(checkpoint);
}

TEST(widest)
{
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_site(&x, policy, ALL);
		enqueue(&x.s, 1, ALL, 10);
		enqueue(&x.s, 2, ALL, 10);
		enqueue(&x.s, 3, ALL, 10);
		TEST_EQ(started(&x.s, 0), 1);
		has_all(&x, &x.s);
		copies(&x);
		TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
		TEST_EQ(started(&x.s, 5), 2);
		if (!has_promises(x.config.policy)) {
			TEST_EQ(fair_sched_refuse(&x.s, 5, 2), 0);
			TEST_EQ(started(&x.s, 5), 0);
			TEST_EQ(started(&x.s, 6), 2);
		}
		TEST_EQ(fair_sched_finish(&x.s, 7, 2), 0);
		TEST_EQ(started(&x.s, 7), 3);
		close_site(&x);
	}
}

/* 2 waits for all; 4 would delay it, and 5 would not. */
TEST(in_the_way_of_the_widest)
{
	struct fair_why why;
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_site(&x, policy, ALL);
		enqueue(&x.s, 1, ALL - 1, 10);
		enqueue(&x.s, 2, ALL, 10);
		enqueue(&x.s, 4, 1, 100);
		TEST_EQ(started(&x.s, 0), 1);
		TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
		TEST_EQ(why.reasons, policy == FAIR_FCFS ? FAIR_WHY_BEHIND
							 : FAIR_WHY_DELAY);
		TEST_EQ(why.blockers, 1);
		TEST_EQ(why.blocker[0].number, 2);
		TEST_EQ(why.ahead, 1);
		enqueue(&x.s, 5, 1, 10);
		TEST_EQ(started(&x.s, 0), policy == FAIR_FCFS ? 0 : 5);
		close_site(&x);
	}
}

TEST(widest_arrays_and_reservation_jobs)
{
	struct fair_job j = job_of(2, ALL, 10);
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_site(&x, policy, ALL);
		TEST_EQ(reserve(&x.s, 0, 7, 0, 50, ALL), 0);
		enqueue_of(&x.s, 1, 0, 7, ALL);
		j.tasks = 2;
		TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
		TEST_EQ(started(&x.s, 0), 1);
		TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
		TEST_EQ(started(&x.s, 50), 2);
		close_site(&x);
	}
}

TEST(widest_by_priority)
{
	struct fair_priority_parts parts;
	struct site x;

	open_site(&x, FAIR_MAUI, ALL);
	enqueue_of(&x.s, 1, 0, 0, ALL - 1);
	enqueue_of(&x.s, 2, 1, 0, ALL);
	enqueue_of(&x.s, 3, 0, 0, ALL);
	enqueue_of(&x.s, 4, 1, 0, 1);
	TEST_EQ(started(&x.s, 0), 14);
	TEST_EQ(fair_sched_priority_parts(&x.s, 3, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], FAIR_PRIORITY_ONE);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(fair_sched_finish(&x.s, 5, 4), 0);
	TEST_EQ(started(&x.s, 5), 3);
	close_site(&x);
}

/* A number is a live one's whatever its width: of 1 that runs, 5 to 7. */
TEST(numbers_of_the_widest)
{
	struct fair_job j = job_of(5, ALL, 10);
	struct site x;

	open_site(&x, FAIR_BACKFILL, ALL);
	enqueue(&x.s, 1, ALL, 10);
	TEST_EQ(started(&x.s, 0), 1);
	j.tasks = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	j = job_of(7, 1, 10);
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), -FAIR_EINVAL);
	j.number = 0;
	j.tasks = 2;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), -FAIR_EINVAL);
	close_site(&x);
}

/* Reservation jobs of as many processors as there can be, one after another. */
TEST(widest_reservation_jobs)
{
	struct site x;
	uint64_t n;

	open_site(&x, FAIR_CONSERVATIVE, ALL);
	TEST_EQ(reserve(&x.s, 0, 7, 0, 100, ALL), 0);
	for (n = 1; n < 4; n++)
		enqueue_of(&x.s, n, 0, 7, ALL);
	for (n = 1; n < 4; n++) {
		TEST_EQ(started(&x.s, 10 * (int64_t)n - 10), n);
		TEST_EQ(fair_sched_finish(&x.s, 10 * (int64_t)n, n), 0);
	}
	close_site(&x);
}

/* Beside an advance reservation they end sooner than planned. */
TEST(widest_one_after_another)
{
	struct site x;
	uint64_t n;

	open_site(&x, FAIR_CONSERVATIVE, ALL);
	TEST_EQ(reserve(&x.s, 0, 7, 0, 100, 1), 0);
	for (n = 1; n < 4; n++) {
		enqueue(&x.s, n, ALL - 1, 10);
		TEST_EQ(started(&x.s, x.s.now), n);
		TEST_EQ(fair_sched_finish(&x.s, x.s.now + 5, n), 0);
	}
	close_site(&x);
}

/* Both starts are refused: the next one is that of the widest job. */
TEST(widest_refused)
{
	struct site x;

	open_site(&x, FAIR_BACKFILL, ALL);
	enqueue(&x.s, 1, ALL, 10);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_OK(fair_sched_refuse_until(&x.s, 0, 1, 50));
	enqueue(&x.s, 2, 1, 10);
	TEST_EQ(started(&x.s, 0), 2);
	TEST_OK(fair_sched_refuse_until(&x.s, 0, 2, 20));
	TEST_EQ(fair_sched_next(&x.s), 20);
	TEST_EQ(started(&x.s, 20), 2);
	TEST_OK(fair_sched_finish(&x.s, 25, 2));
	TEST_EQ(fair_sched_next(&x.s), 50);
	TEST_EQ(started(&x.s, 50), 1);
	close_site(&x);
}

static int64_t until_50(const struct fair_sched *s, const void *ledger,
			uint32_t slot, int64_t t)
{
	(void)s;
	(void)ledger;
	(void)slot;
	return t < 50 ? 50 : t;
}

/* The end of a veto of the widest job is the next time; its user stays. */
TEST(widest_with_a_veto)
{
	struct fair_ledger_ops ops = { .name = "veto",
				       .size = plain_size,
				       .init = plain_init,
				       .veto = until_50 };
	struct fair_job j = job_of(1, ALL, 10);
	struct site x;

	open_site(&x, FAIR_BACKFILL, ALL);
	x.config.ledger = &ops;
	x.config.ids = 1;
	free(x.memory);
	x.bytes = fair_sched_size(&x.config);
	x.memory = malloc(x.bytes);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	TEST_OK(fair_sched_add_entity(&x.s, 0, FAIR_ENTITY_USER, 7));
	j.user = 7;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(started(&x.s, 0), 0);
	TEST_EQ(fair_sched_next(&x.s), 50);
	TEST_EQ(fair_sched_remove_entity(&x.s, 0, FAIR_ENTITY_USER, 7),
		-FAIR_EINVAL);
	TEST_EQ(started(&x.s, 50), 1);
	TEST_EQ(fair_sched_remove_entity(&x.s, 50, FAIR_ENTITY_USER, 7),
		-FAIR_EINVAL);
	close_site(&x);
}

/* Eligible from 20 on, and vetoed until 50: it has a promise, and none runs. */
TEST(promised_behind_a_veto)
{
	static const struct fair_eligibility at_20 = { .begin = 20 };
	struct fair_ledger_ops ops = { .name = "veto",
				       .size = plain_size,
				       .init = plain_init,
				       .clone = plain_clone,
				       .veto = until_50 };
	struct fair_job j = job_of(1, 1, 10);
	struct site x;
	int64_t start;

	open_site(&x, FAIR_CONSERVATIVE, 10);
	x.config.ledger = &ops;
	x.config.ineligible = 1;
	free(x.memory);
	free(x.other);
	x.bytes = fair_sched_size(&x.config);
	x.more = fair_sched_fst_size(&x.config);
	x.memory = malloc(x.bytes);
	x.other = malloc(x.more);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	TEST_OK(fair_sched_submit_ineligible(&x.s, 0, &j, &at_20));
	TEST_EQ(started(&x.s, 0), 0);
	TEST_OK(fair_sched_estimate(&x.s, 1, x.other, x.more, &start));
	TEST_EQ(start, 50);
	close_site(&x);
}
