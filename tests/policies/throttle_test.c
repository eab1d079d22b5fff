/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_THROTTLE_IMPLEMENTATION
#include "policies/throttle.h"
#include "tests/test.h"
#include "tests/model/throttle_model.h"

#define NONE FAIR_THROTTLE_NONE
#define SOFT FAIR_THROTTLE_SOFT
#define HARD FAIR_THROTTLE_HARD

static uint64_t memory[4096];
static const uint32_t counts[FAIR_THROTTLE_KINDS] = { 10, 4, 3, 2, 3 };

/* Where the array ends, no more may be read. */
static void begin(struct fair_throttle *t)
{
	size_t bytes = fair_throttle_size(counts);
	char *end = (char *)memory + sizeof(memory);

	TEST_OK(fair_throttle_init(t, sizeof(*t), end - bytes, bytes, counts,
				   0));
}

static struct fair_throttle_job of_user(uint32_t user, int32_t procs)
{
	struct fair_throttle_job job = {
		{ user, NONE, NONE, NONE, NONE }, 0, 0, 0, 0
	};

	job.procs = procs;
	return job;
}

/* The manual's. */
static int example(char *text, size_t size)
{
	uint32_t count[FAIR_THROTTLE_KINDS] = { 10, 4, 0, 2, 3 };
	struct fair_throttle_job job = {
		{ 3, 1, FAIR_THROTTLE_NONE, 0, 2 }, 0, 24, 3, 4096
	};
	struct fair_throttle_violation why;
	struct fair_throttle t;
	size_t bytes = fair_throttle_size(count);
	void *mem = malloc(bytes);

	if (fair_throttle_init(&t, sizeof(t), mem, bytes, count, 0) ||
	    fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 3, FAIR_THROTTLE_PROCS,
				32, 64) ||
	    fair_throttle_charge(&t, 100, &job, 100 + 3600))
		return 1;
	if (fair_throttle_test(&t, 200, &job, 200 + 3600, FAIR_THROTTLE_SOFT,
			       &why) == 1)
		snprintf(text, size, "user %u: %d + %d processors of %d",
			 (unsigned int)why.id, (int)why.used, (int)why.asked,
			 (int)why.limit);
	fair_throttle_release(&t, &job, 100 + 3600);
	free(mem);
	return 0;
}

TEST(the_example)
{
	char text[80] = "";

	TEST_EQ(example(text, sizeof(text)), 0);
	TEST_CHECK(!strcmp(text, "user 3: 24 + 24 processors of 32"));
}

/* [MAUI] 2.5: 3 jobs a user, and 32 processors of the group staff. */
TEST(as_in_the_paper)
{
	struct fair_throttle_job job = of_user(0, 8);
	struct fair_throttle_violation why;
	struct fair_throttle t;
	int i;

	begin(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER,
					FAIR_THROTTLE_ALL, FAIR_THROTTLE_JOBS,
					3, 3));
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_GROUP, 2,
					FAIR_THROTTLE_PROCS, 32, 32));
	job.id[FAIR_THROTTLE_GROUP] = 2;
	for (i = 0; i < 3; i++)
		TEST_EQ(fair_throttle_charge(&t, 0, &job, 100), 0);
	TEST_EQ(fair_throttle_test(&t, 0, &job, 100, SOFT, &why), 1);
	TEST_EQ(why.kind, FAIR_THROTTLE_USER);
	TEST_EQ(why.resource, FAIR_THROTTLE_JOBS);
	TEST_EQ(why.limit, 3);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 100), -FAIR_ERANGE);
	job.id[FAIR_THROTTLE_USER] = 1;
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 100), 0);
	TEST_EQ(fair_throttle_test(&t, 0, &job, 100, HARD, &why), 1);
	TEST_EQ(why.kind, FAIR_THROTTLE_GROUP);
	TEST_EQ(why.id, 2);
	TEST_EQ(why.resource, FAIR_THROTTLE_PROCS);
	TEST_EQ(why.level, HARD);
	TEST_EQ(why.used, 32);
	TEST_EQ(why.asked, 8);
	TEST_EQ(fair_throttle_release(&t, &job, 100), 0);
	TEST_EQ(fair_throttle_test(&t, 0, &job, 100, HARD, &why), 0);
	TEST_EQ(fair_throttle_check(&t), 0);
}

/* The Guide's, 6.2.1.1: 4 processors for 1 h and 2 for 6 h. */
TEST(outstanding)
{
	struct fair_throttle_job four = of_user(1, 4), two = of_user(1, 2);
	struct fair_throttle_job one = of_user(1, 1);
	struct fair_throttle_violation why;
	struct fair_throttle t;
	int64_t used = -1;

	begin(&t);
	TEST_EQ(fair_throttle_charge(&t, 0, &four, 3600), 0);
	TEST_EQ(fair_throttle_charge(&t, 0, &two, 6 * 3600), 0);
	TEST_OK(fair_throttle_used(&t, 0, FAIR_THROTTLE_USER, 1,
				   FAIR_THROTTLE_PROC_SECONDS, &used));
	TEST_EQ(used, 16 * 3600);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 1,
					FAIR_THROTTLE_PROC_SECONDS, 16 * 3600,
					16 * 3600));
	/* An hour's worth has gone after ten minutes of 6 processors. */
	TEST_EQ(fair_throttle_test(&t, 599, &one, 599 + 3600, HARD, &why), 1);
	TEST_EQ(why.resource, FAIR_THROTTLE_PROC_SECONDS);
	TEST_EQ(why.used, 16 * 3600 - 6 * 599);
	TEST_EQ(fair_throttle_test(&t, 600, &one, 600 + 3600, HARD, &why), 0);
	TEST_EQ(fair_throttle_change_end(&t, &two, 6 * 3600, 7 * 3600), 0);
	TEST_EQ(fair_throttle_test(&t, 600, &one, 600 + 3600, HARD, &why), 1);
	TEST_EQ(fair_throttle_release(&t, &two, 7 * 3600), 0);
	/* Its end has passed, and was not changed: it counts as ended. */
	TEST_OK(fair_throttle_used(&t, 7200, FAIR_THROTTLE_USER, 1,
				   FAIR_THROTTLE_PROC_SECONDS, &used));
	TEST_EQ(used, 0);
	TEST_EQ(fair_throttle_release(&t, &four, 3600), 0);
	TEST_EQ(fair_throttle_check(&t), 0);
}

TEST(soft_and_hard)
{
	struct fair_throttle_job job = of_user(5, 16);
	struct fair_throttle_violation why;
	struct fair_throttle t;

	begin(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_PROCS, 16, 32));
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	TEST_EQ(fair_throttle_test(&t, 0, &job, 10, SOFT, &why), 1);
	TEST_EQ(why.level, SOFT);
	TEST_EQ(why.limit, 16);
	TEST_EQ(fair_throttle_test(&t, 0, &job, 10, HARD, &why), 0);
	/* A charge asks the hard limit alone. */
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), -FAIR_ERANGE);
	/* A soft limit above the hard one is the hard one. */
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_PROCS, 99, 47));
	TEST_EQ(fair_throttle_test(&t, 0, &job, 10, SOFT, &why), 1);
	TEST_EQ(why.limit, 47);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_JOBS, 0, 0));
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), -FAIR_ERANGE);
	job.exempt = 1 << FAIR_THROTTLE_USER;
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	job.exempt = 1 << FAIR_THROTTLE_GROUP;
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), -FAIR_ERANGE);
	TEST_EQ(fair_throttle_check(&t), 0);
}

/* An exemption is from the limits of one kind. */
TEST(exempt)
{
	struct fair_throttle_job job = {
		{ 1, 1, 1, 1, 1 }, 0, 4, 0, 0
	};
	struct fair_throttle t;
	int kind, of;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		begin(&t);
		TEST_OK(fair_throttle_set_limit(&t, kind, 1,
						FAIR_THROTTLE_PROCS, 3, 3));
		for (of = 0; of < FAIR_THROTTLE_KINDS; of++) {
			job.exempt = (uint8_t)(1 << of);
			TEST_EQ(fair_throttle_test(&t, 0, &job, 1, HARD, NULL),
				of != kind);
		}
	}
}

/* The Guide's, 6.2.3: 2 idle jobs of steve, 5 of staff; by priority. */
TEST(idle_jobs)
{
	/* steve is user 5, staff group 1; the last job is of no group. */
	static const uint32_t user[] = { 5, 5, 5, 6, 6, 6, 6, 6 };
	static const int want[] = { 0, 0, 1, 0, 0, 0, 1, 0 };
	struct fair_throttle_job job;
	struct fair_throttle_violation why;
	struct fair_throttle t;
	int64_t used = -1;
	int level, i;

	begin(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_IDLE_JOBS, 1, 2));
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_GROUP, 1,
					FAIR_THROTTLE_IDLE_JOBS, 5, 5));
	for (level = HARD; level >= SOFT; level--) {
		for (i = 0; i < 8; i++) {
			job = of_user(user[i], 1);
			job.id[FAIR_THROTTLE_GROUP] = i < 7 ? 1 : NONE;
			/* the soft limit of steve leaves one more to staff */
			TEST_EQ(fair_throttle_select(&t, 0, &job, 10, level,
						     &why),
				level ? want[i] : i == 1 || i == 2);
			if (i == 2 || (level && i == 6))
				TEST_EQ(why.resource, FAIR_THROTTLE_IDLE_JOBS);
			if (i == 2)
				TEST_EQ(why.kind, FAIR_THROTTLE_USER);
		}
		TEST_OK(fair_throttle_used(&t, 0, FAIR_THROTTLE_GROUP, 1,
					   FAIR_THROTTLE_IDLE_JOBS, &used));
		TEST_EQ(used, 5);
		fair_throttle_deselect(&t);
		TEST_EQ(fair_throttle_check(&t), 0);
	}
	TEST_OK(fair_throttle_used(&t, 0, FAIR_THROTTLE_GROUP, 1,
				   FAIR_THROTTLE_IDLE_JOBS, &used));
	TEST_EQ(used, 0);
}

/* A job above another limit is not idle; an exempt one counts. A limit of 0
 * considers no job, but test() and charge() do not ask it. */
TEST(idle_jobs_and_other_limits)
{
	struct fair_throttle_job job = of_user(5, 4), wide = of_user(5, 5);
	struct fair_throttle_violation why;
	struct fair_throttle t;

	begin(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_IDLE_JOBS, 1, 1));
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_PROCS, 4, 4));
	TEST_EQ(fair_throttle_select(&t, 0, &wide, 10, HARD, &why), 1);
	TEST_EQ(why.resource, FAIR_THROTTLE_PROCS);
	job.exempt = 1 << FAIR_THROTTLE_USER;
	TEST_EQ(fair_throttle_select(&t, 0, &job, 10, HARD, NULL), 0);
	TEST_EQ(fair_throttle_select(&t, 0, &job, 10, HARD, NULL), 0);
	job.exempt = 0;
	TEST_EQ(fair_throttle_select(&t, 0, &job, 10, HARD, &why), 1);
	TEST_EQ(why.used, 2);
	TEST_EQ(why.asked, 1);
	fair_throttle_deselect(&t);
	TEST_EQ(fair_throttle_select(&t, 0, &job, 10, HARD, NULL), 0);
	fair_throttle_deselect(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_IDLE_JOBS, 0, 0));
	TEST_EQ(fair_throttle_select(&t, 0, &job, 10, HARD, &why), 1);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 10, HARD, &why), 1);
	TEST_EQ(why.resource, FAIR_THROTTLE_IDLE_JOBS);
	TEST_EQ(fair_throttle_test(&t, 0, &job, 10, HARD, NULL), 0);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
}

TEST(possible)
{
	struct fair_throttle_job job = of_user(5, 16);
	struct fair_throttle_violation why;
	struct fair_throttle t;

	begin(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 5,
					FAIR_THROTTLE_PROC_SECONDS, 100, 160));
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 10, HARD, &why), 0);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 1, HARD, &why), 0);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 11, HARD, NULL), 1);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 11, HARD, &why), 1);
	TEST_EQ(why.used, 0);
	TEST_EQ(why.asked, 176);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 6, SOFT, &why), 0);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 7, SOFT, &why), 1);
	TEST_EQ(why.limit, 100);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 1, 2, &why), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 1, -1, &why), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_test_empty(&t, &job, INT64_MAX, HARD, &why), 1);
	TEST_EQ(fair_throttle_test_empty(&t, &job, 0, HARD, &why), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_test_empty(&t, NULL, 1, HARD, &why), -FAIR_EINVAL);
}

TEST(copies)
{
	struct fair_throttle_job job = of_user(5, 16);
	static uint64_t other[4096];
	struct fair_throttle t, copy;
	size_t bytes = fair_throttle_size(counts);
	int64_t used = -1;

	begin(&t);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	TEST_EQ(fair_throttle_clone(&copy, NULL, bytes, &t), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_clone(NULL, other, bytes, &t), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_clone(&copy, other, bytes, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_clone(&copy, other, bytes - 1, &t), -FAIR_ENOMEM);
	/* Any alignment will do. */
	TEST_EQ(fair_throttle_clone(&copy, (char *)other + 1, bytes, &t), 0);
	TEST_CHECK((char *)copy.credential == (char *)&other[1]);
	TEST_EQ(fair_throttle_release(&copy, &job, 10), 0);
	TEST_EQ(fair_throttle_check(&copy), 0);
	TEST_OK(fair_throttle_used(&t, 0, FAIR_THROTTLE_USER, 5,
				   FAIR_THROTTLE_PROCS, &used));
	TEST_EQ(used, 16);
}

/* Credentials begin at the first multiple of 8. */
TEST(any_alignment)
{
	size_t bytes = fair_throttle_size(counts), i;
	struct fair_throttle t;

	for (i = 0; i < 8; i++) {
		TEST_OK(fair_throttle_init(&t, sizeof(t), (char *)memory + i,
					   bytes, counts, 0));
		TEST_CHECK((char *)t.credential ==
			   (char *)memory + (i + 7) / 8 * 8);
	}
}

/* An empty machine has one idle job. */
TEST(one_idle_job)
{
	struct fair_throttle_job job = of_user(1, 4);
	struct fair_throttle t;

	begin(&t);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 1,
					FAIR_THROTTLE_IDLE_JOBS, 1, 1));
	TEST_EQ(fair_throttle_test_empty(&t, &job, 1, SOFT, NULL), 0);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 1,
					FAIR_THROTTLE_IDLE_JOBS, 0, 1));
	TEST_EQ(fair_throttle_test_empty(&t, &job, 1, SOFT, NULL), 1);
}

/* Times beyond 136 years, and as many processors as there may be. */
TEST(far_away)
{
	struct fair_throttle_job job = of_user(5, INT32_MAX), more;
	struct fair_throttle_violation why;
	struct fair_throttle t;
	int64_t used = -1;

	TEST_OK(fair_throttle_init(&t, sizeof(t), memory, sizeof(memory),
				   counts, INT64_MIN));
	TEST_EQ(fair_throttle_charge(&t, INT64_MIN, &job, INT64_MAX), 0);
	TEST_EQ(fair_throttle_check(&t), 0);
	TEST_OK(fair_throttle_used(&t, INT64_MIN, FAIR_THROTTLE_USER, 5,
				   FAIR_THROTTLE_PROC_SECONDS, &used));
	TEST_EQ(used, (INT64_C(1) << 32) * INT32_MAX);
	TEST_OK(fair_throttle_used(&t, INT64_MAX, FAIR_THROTTLE_USER, 5,
				   FAIR_THROTTLE_PROC_SECONDS, &used));
	TEST_EQ(used, 0);
	more = of_user(6, 1);
	TEST_EQ(fair_throttle_charge(&t, 0, &more, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_throttle_test(&t, 0, &more, 1, HARD, &why), 0);
	more = of_user(6, 0);
	more.memory = FAIR_THROTTLE_MOST;
	TEST_EQ(fair_throttle_charge(&t, 0, &more, 1), 0);
	TEST_EQ(fair_throttle_charge(&t, 0, &more, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_throttle_release(&t, &more, 1), 0);
	TEST_EQ(fair_throttle_release(&t, &job, INT64_MAX), 0);
	TEST_EQ(fair_throttle_check(&t), 0);
}

/* The seconds that count are those since the origin. */
TEST(another_origin)
{
	struct fair_throttle_job job = of_user(5, 3);
	struct fair_throttle t;
	int64_t used = -1;

	TEST_OK(fair_throttle_init(&t, sizeof(t), memory, sizeof(memory),
				   counts, 1000));
	TEST_EQ(fair_throttle_charge(&t, 999, &job, 1100), -FAIR_EINVAL);
	TEST_EQ(fair_throttle_charge(&t, 1000, &job, 1100), 0);
	TEST_OK(fair_throttle_used(&t, 1010, FAIR_THROTTLE_USER, 5,
				   FAIR_THROTTLE_PROC_SECONDS, &used));
	TEST_EQ(used, 3 * 90);
	TEST_EQ(t.total[FAIR_THROTTLE_PROC_SECONDS], 3 * 100);
}

/* Sums that no machine reaches; set by hand. */
TEST(overflows)
{
	struct fair_throttle_job job = of_user(5, 2);
	struct fair_throttle t;

	begin(&t);
	job.nodes = 3;
	job.memory = 4;
	t.total[FAIR_THROTTLE_JOBS] = FAIR_THROTTLE_MOST - 1;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL), 0);
	t.total[FAIR_THROTTLE_JOBS] = FAIR_THROTTLE_MOST;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL),
		-FAIR_EOVERFLOW);
	t.total[FAIR_THROTTLE_JOBS] = 0;
	t.total[FAIR_THROTTLE_PROCS] = INT32_MAX - 2;
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 9), 0);
	t.total[FAIR_THROTTLE_PROCS] = 2;
	TEST_EQ(fair_throttle_release(&t, &job, 9), 0);
	t.total[FAIR_THROTTLE_PROCS] = INT32_MAX - 1;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL), 0);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 9), -FAIR_EOVERFLOW);
	t.total[FAIR_THROTTLE_PROCS] = 0;
	t.total[FAIR_THROTTLE_NODES] = FAIR_THROTTLE_MOST - 3;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL), 0);
	t.total[FAIR_THROTTLE_NODES] = FAIR_THROTTLE_MOST - 2;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL),
		-FAIR_EOVERFLOW);
	t.total[FAIR_THROTTLE_NODES] = 0;
	t.total[FAIR_THROTTLE_MEMORY] = FAIR_THROTTLE_MOST - 4;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL), 0);
	t.total[FAIR_THROTTLE_MEMORY] = FAIR_THROTTLE_MOST - 3;
	TEST_EQ(fair_throttle_test(&t, 0, &job, 9, HARD, NULL),
		-FAIR_EOVERFLOW);
}

TEST(not_charged)
{
	struct fair_throttle_job job = of_user(1, 4), other = of_user(2, 4);
	struct fair_throttle t;

	begin(&t);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	TEST_EQ(fair_throttle_release(&t, &other, 10), -FAIR_ERANGE);
	TEST_EQ(fair_throttle_change_end(&t, &other, 10, 11), -FAIR_ERANGE);
	TEST_EQ(fair_throttle_release(&t, &job, 9), -FAIR_ERANGE);
	TEST_EQ(fair_throttle_release(&t, &job, 11), -FAIR_ERANGE);
	other = of_user(1, 3);
	TEST_EQ(fair_throttle_release(&t, &other, 10), -FAIR_ERANGE);
	TEST_EQ(fair_throttle_check(&t), 0);
	/* It may end at the origin. */
	TEST_EQ(fair_throttle_change_end(&t, &job, 10, 0), 0);
	TEST_EQ(fair_throttle_change_end(&t, &job, 0, 10), 0);
	TEST_EQ(fair_throttle_release(&t, &job, 10), 0);
	TEST_EQ(fair_throttle_release(&t, &job, 10), -FAIR_ERANGE);
	other = of_user(1, 1);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	TEST_EQ(fair_throttle_charge(&t, 0, &other, INT64_C(1) << 32), 0);
	other = of_user(1, 5); /* no processor would be left, but seconds */
	TEST_EQ(fair_throttle_release(&t, &other, 0), -FAIR_ERANGE);
	begin(&t);
	job = of_user(1, 0); /* of nothing, but a job */
	TEST_EQ(fair_throttle_release(&t, &job, 0), -FAIR_ERANGE);
}

/* 5 * 2^32 credentials of 144 bytes are too many for 32 bits. */
TEST(sizes)
{
	uint32_t count[FAIR_THROTTLE_KINDS] = { 0, 0, 0, 0, 0 };
	struct fair_throttle t;
	int kind;

	TEST_EQ(fair_throttle_size(count), 7);
	count[FAIR_THROTTLE_QOS] = 2;
	TEST_EQ(fair_throttle_size(count), 2 * 144 + 7);
	count[FAIR_THROTTLE_QOS] = UINT32_MAX / 100;
	TEST_EQ(!fair_throttle_size(count), SIZE_MAX == UINT32_MAX);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		count[kind] = UINT32_MAX;
	TEST_EQ(!fair_throttle_size(count), SIZE_MAX == UINT32_MAX);
	TEST_EQ(fair_throttle_init(&t, sizeof(t), memory, sizeof(memory), count,
				   0),
		-FAIR_ENOMEM);
	if (SIZE_MAX > UINT32_MAX)
		return;
	memset(count, 0, sizeof(count));
	count[0] = (UINT32_MAX - 7) / 144; /* just possible */
	TEST_EQ(fair_throttle_size(count), count[0] * 144 + 7);
	count[1] = 1;
	TEST_EQ(fair_throttle_size(count), 0);
	count[1] = UINT32_MAX; /* the sum modulo 2^32 is little */
	count[0] = 2;
	TEST_EQ(fair_throttle_size(count), 0);
}

/* Each invariant broken by hand is seen. */
TEST(invariants)
{
	struct fair_throttle_job job = of_user(1, 4);
	struct fair_throttle_credential *c, good;
	struct fair_throttle t;

	begin(&t);
	TEST_EQ(fair_throttle_charge(&t, 0, &job, 10), 0);
	c = &t.credential[1];
	good = *c;
	c->limit[SOFT][0] = 3;
	c->limit[HARD][0] = 2;
	TEST_EQ(fair_throttle_check(&t), 1);
	c->limit[SOFT][0] = -1;
	TEST_EQ(fair_throttle_check(&t), 1);
	*c = good;
	c->limit[SOFT][FAIR_THROTTLE_IDLE_JOBS] = -1;
	TEST_EQ(fair_throttle_check(&t), 1);
	*c = good;
	c->used[FAIR_THROTTLE_MEMORY] = -1;
	TEST_EQ(fair_throttle_check(&t), 2);
	*c = good;
	c->used[FAIR_THROTTLE_JOBS] = -1;
	TEST_EQ(fair_throttle_check(&t), 2);
	*c = good;
	c->used[FAIR_THROTTLE_PROCS] = (int64_t)INT32_MAX + 1;
	TEST_EQ(fair_throttle_check(&t), 2);
	*c = good;
	c->used[FAIR_THROTTLE_PROC_SECONDS] = (INT64_C(1) << 34) + 1;
	TEST_EQ(fair_throttle_check(&t), 2);
	*c = good;
	c->used[FAIR_THROTTLE_JOBS] = 0;
	TEST_EQ(fair_throttle_check(&t), 3);
	*c = good;
	c->used[FAIR_THROTTLE_JOBS] = 2;
	TEST_EQ(fair_throttle_check(&t), 4);
	*c = good;
	c->used[FAIR_THROTTLE_PROCS] = 5;
	TEST_EQ(fair_throttle_check(&t), 4);
	*c = good;
	t.credential[0].limit[SOFT][0] = -1;
	TEST_EQ(fair_throttle_check(&t), 1);
	t.credential[0].limit[SOFT][0] = 0;
	TEST_EQ(fair_throttle_check(&t), 0);
}

/* Many jobs against the list of the model; the fuzzer does more. */
TEST(against_the_model)
{
	static const int error[3] = { -FAIR_EOVERFLOW, 0, -FAIR_ERANGE };
	static struct throttle_model m;
	struct fair_throttle_job job, running[THROTTLE_MODEL_JOBS];
	struct throttle_model_job j;
	struct fair_throttle t;
	uint64_t random = 1;
	int64_t now = 0, used = 0;
	int i, k, refused = 0;

	throttle_model_init(&m, 0);
	begin(&t);
	for (k = 0; k < FAIR_THROTTLE_RESOURCES; k++) {
		m.limit[0][0][1][k] = m.limit[1][0][1][k] = 2000;
		TEST_EQ(fair_throttle_set_limit(&t, 0, 1, k, 2000, 2000), 0);
	}
	m.limit[0][1][0][1] = m.limit[1][1][0][1] = 50;
	TEST_EQ(fair_throttle_set_limit(&t, 1, 0, 1, 50, 50), 0);
	for (i = 0; i < 20000; i++) {
		now += test_range(&random, 0, 3);
		for (k = m.jobs - 1; k >= 0; k--) {
			if (m.job[k].end > now)
				continue;
			TEST_OK(fair_throttle_release(&t, &running[k],
						      m.job[k].end));
			m.job[k] = m.job[--m.jobs];
			running[k] = running[m.jobs];
		}
		if (m.jobs == THROTTLE_MODEL_JOBS)
			continue;
		job = of_user((uint32_t)test_range(&random, 0, 2),
			      (int32_t)test_range(&random, 1, 20));
		job.id[1] = (uint32_t)test_range(&random, 0, 1);
		job.nodes = 1;
		job.memory = test_range(&random, 0, 500);
		memcpy(j.id, job.id, sizeof(j.id));
		j.exempt = 0;
		j.procs = job.procs;
		j.nodes = job.nodes;
		j.memory = job.memory;
		j.end = now + test_range(&random, 1, 100);
		k = throttle_model_start(&m, now, &j);
		refused += k == 1;
		TEST_EQ(fair_throttle_charge(&t, now, &job, j.end),
			error[k + 1]);
		if (!k) {
			running[m.jobs] = job;
			m.job[m.jobs++] = j;
		}
		TEST_EQ(fair_throttle_used(&t, now, 0, 1, 4, &used), 0);
		TEST_EQ(used, throttle_model_used(&m, now, 0, 1, 4));
		TEST_CHECK(used <= 2000);
	}
	TEST_CHECK(refused > 1000 && refused < 19000);
	TEST_EQ(fair_throttle_check(&t), 0);
}
