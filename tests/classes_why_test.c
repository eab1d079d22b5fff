/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fair_sched_why() with several resources and node classes: the class that comes
 * closest, what it lacks, and what would start the job now.
 */
#include "fairsched.h"
#include "tests/test.h"

/* Processors and GPUs of three classes. */
static const int32_t amounts[] = { 4, 2, 8, 1, 16, 0 };
static const struct fair_machine_config machine = { 2, 3, 0, amounts };

struct site {
	struct fair_config config;
	struct fair_sched s;
	void *memory, *clone;
	size_t bytes;
};

static void submit(struct site *x, uint64_t number, int32_t procs, int32_t gpus,
		   const char *classes)
{
	int32_t amount[2] = { 0, 0 };
	uint8_t list[4];
	struct fair_job job;

	memset(&job, 0, sizeof(job));
	amount[1] = gpus;
	job.number = number;
	job.walltime = 100;
	job.procs = procs;
	job.amount = amount;
	job.classes = list;
	for (; *classes; classes++)
		list[job.class_count++] = (uint8_t)(*classes - 'a');
	TEST_OK(fair_sched_submit(&x->s, x->s.now, &job));
}

static void step(struct site *x)
{
	struct fair_decision start[8];
	size_t n;

	TEST_OK(fair_sched_step(&x->s, x->s.now, start, 8, &n));
}

/* Job 1 has half of class a and one of its GPUs, 3 most of class b. */
static void open_site(struct site *x, uint32_t policy)
{
	memset(x, 0, sizeof(*x));
	x->config.policy = policy;
	x->config.procs = 28;
	x->config.machine = &machine;
	x->config.jobs = 16;
	x->memory = malloc(fair_sched_size(&x->config));
	x->bytes = fair_sched_fst_size(&x->config);
	x->clone = malloc(x->bytes);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				fair_sched_size(&x->config), &x->config));
	submit(x, 1, 2, 1, "a");
	submit(x, 3, 6, 0, "b");
	step(x);
}

static void close_site(struct site *x)
{
	free(x->memory);
	free(x->clone);
}

static void says(const struct site *x, uint64_t number, const char *text)
{
	struct fair_why why;
	char said[1024];

	TEST_OK(fair_sched_why(&x->s, number, x->clone, x->bytes, &why));
	fair_why_text(&why, said, sizeof(said));
	if (strcmp(said, text))
		printf("got:  %s\nwant: %s\n", said, text);
	TEST_CHECK(!strcmp(said, text));
}

TEST_EACH(policies)
{
	uint32_t policy;
	struct site x;

	for (policy = FAIR_BACKFILL; policy <= FAIR_DC; policy++) {
		bool easy = policy == FAIR_BACKFILL;

		test_case(fair_policy_name(policy));
		open_site(&x, policy);
		submit(&x, 2, 1, 2, "");
		submit(&x, 4, 6, 0, "b");
		submit(&x, 5, 3, 2, "a");
		submit(&x, 6, 8, 1, "ab");
		step(&x);
		says(&x, 2,
		     "Job 2 has waited for 0 s and is the first in the queue."
		     " Class 0 comes closest: it has 1 free of resource 1, and"
		     " the job needs 2. With 1 of resource 1 it would start"
		     " now. A start is reserved for it at 100.");
		says(&x, 4,
		     easy ? "Job 4 has waited for 0 s, 1 job is ahead of it."
			    " Class 1 comes closest: it has 2 free of resource"
			    " 0, and the job needs 6. It would start now with 2"
			    " processors. In class 2 it would start now. If"
			    " nothing changes it starts at 100."
			  : "Job 4 has waited for 0 s, 1 job is ahead of it."
			    " Class 1 comes closest: it has 2 free of resource"
			    " 0, and the job needs 6. It would start now with 2"
			    " processors. In class 2 it would start now. A"
			    " start is reserved for it at 100.");
		close_site(&x);
	}
}

/* What a clone would tell stays unknown without memory for one. */
TEST(without_a_clone)
{
	struct fair_why why;
	struct site x;
	char said[512];

	open_site(&x, FAIR_CONSERVATIVE);
	submit(&x, 2, 1, 2, "a");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 2, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_RESOURCE);
	TEST_CHECK(why.unknown & FAIR_UNKNOWN_AMOUNT &&
		   why.unknown & FAIR_UNKNOWN_CLASS);
	TEST_CHECK(why.node_class == 0 && why.resource == 1 && why.left == 1 &&
		   why.asked == 2);
	fair_why_text(&why, said, sizeof(said));
	TEST_CHECK(!strstr(said, "would start now"));
	close_site(&x);
}

/* With none of the resource it starts, or with no amount; another class. */
TEST(the_least_amounts)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_PC);
	submit(&x, 2, 1, 1, "b"); /* takes the GPU of class b */
	submit(&x, 7, 2, 1, "ba");
	step(&x);
	submit(&x, 8, 1, 1, "b");
	submit(&x, 9, 5, 1, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 8, x.clone, x.bytes, &why));
	TEST_CHECK(why.resource == 1 && why.amount == 0);
	TEST_CHECK(why.other_class == UINT32_MAX);
	TEST_OK(fair_sched_why(&x.s, 9, x.clone, x.bytes, &why));
	TEST_CHECK(why.resource == 0 && why.other_class == UINT32_MAX);
	close_site(&x);
	open_site(&x, FAIR_PC);
	submit(&x, 2, 3, 2, "a"); /* 2 processors and a GPU are free there */
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 2, x.clone, x.bytes, &why));
	TEST_CHECK(why.resource == 0 && why.left == 2);
	submit(&x, 3 + 10, 1, 2, "a");
	submit(&x, 14, 3, 1, "b"); /* two are free, and the GPU */
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 14, x.clone, x.bytes, &why));
	TEST_CHECK(why.node_class == 1 && why.resource == 0 && why.left == 2 &&
		   why.asked == 3);
	close_site(&x);
}

/* Without its GPU it would still delay job 4, to which class b is reserved. */
TEST(not_with_none_either)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	submit(&x, 2, 1, 1, "b");
	submit(&x, 4, 8, 0, "b"); /* reserved at 100 */
	step(&x);
	TEST_OK(fair_sched_pass_time(&x.s, 50));
	submit(&x, 8, 1, 1, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 8, x.clone, x.bytes, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_RESOURCE && why.resource == 1);
	TEST_EQ(why.amount, -1);
	close_site(&x);
}

/* All of it is free now, and reserved later: the reservation is in the way. */
TEST(a_reservation_in_the_way)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_BACKFILL);
	submit(&x, 2, 4, 0, "a"); /* reserved at 100 */
	submit(&x, 4, 1, 0, "a"); /* runs until 100 */
	step(&x);
	x.s.now = 0;
	TEST_OK(fair_sched_pass_time(&x.s, 50));
	submit(&x, 5, 1, 0, "a"); /* would end at 150 */
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 5, x.clone, x.bytes, &why));
	TEST_CHECK(!(why.reasons & FAIR_WHY_RESOURCE));
	TEST_EQ(why.walltime, 50);
	close_site(&x);
}

/* Under fcfs no job passes the first one. */
TEST(fcfs)
{
	struct site x;

	open_site(&x, FAIR_FCFS);
	submit(&x, 2, 1, 2, "a");
	submit(&x, 4, 1, 0, "");
	step(&x);
	says(&x, 4,
	     "Job 4 has waited for 0 s, 1 job is ahead of it. No job may pass"
	     " job 2. No smaller size would start now. If nothing changes it"
	     " starts at 100.");
	close_site(&x);
}
