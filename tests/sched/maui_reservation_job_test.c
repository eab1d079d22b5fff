/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A job that is bound to an advance reservation asks no limit of maui, but
 * counts against it, and bypasses no job.
 */
#include "fairsched.h"
#include "tests/site.h"

/* A reservation job asks no limit, but counts; a requeued job asks again. */
TEST(reservation_jobs_count_but_ask_no_limit)
{
	struct fair_sched s;
	struct fair_why why;
	unsigned char *checkpoint;
	char *memory;
	struct site x;
	size_t bytes;

	open_site(&x, FAIR_MAUI, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	enqueue_of(&x.s, 1, 1, 0, 1);
	enqueue_of(&x.s, 2, 1, 7, 1);
	enqueue_of(&x.s, 3, 1, 0, 1);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.limit.kind, FAIR_THROTTLE_USER);
	TEST_EQ(why.limit.resource, FAIR_THROTTLE_JOBS);
	TEST_EQ(why.limit.used, 1);
	TEST_EQ(fair_sched_modify(&x.s, 0, 1, 1, 90), 0);
	TEST_EQ(started(&x.s, 10), 2);
	bytes = fair_sched_checkpoint_size(&x.s);
	checkpoint = malloc(bytes);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_save(&x.s, checkpoint, bytes), 0);
	TEST_OK(fair_sched_load(&s, sizeof(s), memory, x.bytes, &x.config,
				checkpoint, bytes, NULL));
	TEST_EQ(fair_sched_requeue(&s, 12, 1), 0);
	TEST_EQ(started(&s, 12), 0);
	TEST_EQ(fair_sched_finish(&s, 13, 2), 0);
	TEST_EQ(started(&s, 13), 1);
	TEST_EQ(fair_sched_finish(&s, 14, 1), 0);
	TEST_EQ(started(&s, 14), 3);
	free(checkpoint);
	free(memory);
	close_site(&x);
}

/* Reservation jobs bypass no waiting job, whatever its priority. */
TEST(reservation_jobs_bypass_no_job)
{
	struct fair_priority_parts parts;
	struct site x;

	open_site(&x, FAIR_MAUI, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 5, 50, 6), 0);
	enqueue_of(&x.s, 1, 0, 0, 4);
	enqueue_of(&x.s, 2, 0, 0, 10);
	enqueue_of(&x.s, 3, 1, 7, 1);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(started(&x.s, 5), 3);
	TEST_EQ(fair_sched_priority_parts(&x.s, 2, &parts), 0);
	TEST_CHECK(parts.priority > 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 0);
	close_site(&x);
}
