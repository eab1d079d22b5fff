/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fair_sched_why() with several resources and node classes: the class that comes
 * closest, what it lacks, and what would start the job now.
 */
#include "fairsched.h"
#include "tests/plain_ledger.h"
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

static void open_site_by(struct site *x, const struct fair_config *config,
			 const struct fair_machine_config *of, int32_t procs)
{
	memset(x, 0, sizeof(*x));
	x->config = *config;
	x->config.procs = procs;
	x->config.machine = of;
	x->config.jobs = 16;
	x->config.advances = 2;
	x->memory = malloc(fair_sched_size(&x->config));
	x->bytes = fair_sched_fst_size(&x->config);
	x->clone = malloc(x->bytes);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				fair_sched_size(&x->config), &x->config));
}

static void open_deep_site(struct site *x, uint32_t policy, uint32_t depth,
			   const struct fair_machine_config *of, int32_t procs)
{
	const struct fair_config c = { .policy = policy, .depth = depth };

	open_site_by(x, &c, of, procs);
}

static void open_site_of(struct site *x, uint32_t policy,
			 const struct fair_machine_config *of, int32_t procs)
{
	open_deep_site(x, policy, 0, of, procs);
}

/* Job 1 has half of class a and one of its GPUs, 3 most of class b. */
static void open_site(struct site *x, uint32_t policy)
{
	open_site_of(x, policy, &machine, 28);
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
		     " It waits for 2 of resource 1 of class 0, where 1 is"
		     " free. With 1 of resource 1 it would start now. A start"
		     " is reserved for it at 100.");
		says(&x, 4,
		     easy ? "Job 4 has waited for 0 s, 1 job is ahead of it."
			    " It waits for 6 of resource 0 of class 1, where 2"
			    " are free. It would start now with 2 processors. In class 2 it would start now. If"
			    " nothing changes it starts at 100."
			  : "Job 4 has waited for 0 s, 1 job is ahead of it."
			    " It waits for 6 of resource 0 of class 1, where 2"
			    " are free. It would start now with 2 processors. In class 2 it would start now. A"
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

/*
 * Class b has all of it now. The processors of all classes would do for all of its
 * walltime; those of b are promised to job 4 from 100 on, and job 5, of another
 * class, is promised the same second.
 */
TEST_EACH(a_promise_in_its_class)
{
	uint32_t policy;
	struct site x;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		test_case(fair_policy_name(policy));
		open_site(&x, policy);
		submit(&x, 4, 8, 0, "b");
		submit(&x, 5, 4, 0, "a");
		step(&x);
		TEST_OK(fair_sched_pass_time(&x.s, 50));
		submit(&x, 6, 2, 0, "b");
		step(&x);
		says(&x, 6,
		     "Job 6 has waited for 50 s, 2 jobs are ahead of it. Now it"
		     " would delay job 4, due to start at 100. It would start"
		     " now with a walltime of 50 s. In class 2 it would start"
		     " now. A start is reserved for it at 200.");
		close_site(&x);
	}
}

/* The same with two reservations: that of another class is no blocker. */
TEST(a_reservation_in_its_class)
{
	struct fair_why why;
	struct site x;

	open_site_of(&x, FAIR_BACKFILL, &machine, 28);
	close_site(&x);
	x.config.depth = 2;
	x.memory = malloc(fair_sched_size(&x.config));
	x.bytes = fair_sched_fst_size(&x.config);
	x.clone = malloc(x.bytes);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
				fair_sched_size(&x.config), &x.config));
	submit(&x, 1, 2, 1, "a");
	submit(&x, 3, 6, 0, "b");
	submit(&x, 4, 8, 0, "b");
	submit(&x, 5, 4, 0, "a");
	step(&x);
	TEST_OK(fair_sched_pass_time(&x.s, 50));
	submit(&x, 6, 2, 0, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 6, x.clone, x.bytes, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 4);
	close_site(&x);
}

static void withhold(struct site *x, int64_t from, uint32_t node_class,
		     int32_t procs)
{
	struct fair_advance b;

	memset(&b, 0, sizeof(b));
	b.number = x->s.advances + 1;
	b.from = from;
	b.to = 1000;
	b.kind = FAIR_ADVANCE_MAINTENANCE;
	b.node_class = node_class;
	b.procs = procs;
	TEST_OK(fair_sched_advance_reserve(&x->s, x->s.now, &b, true));
}

/* Neither the promise nor the window alone is in the way, but both together. */
TEST(a_promise_and_a_window)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	withhold(&x, 60, 1, 2);
	withhold(&x, 60, 0, 1);
	submit(&x, 4, 5, 0, "b"); /* promised at 100, beside the window */
	step(&x);
	TEST_OK(fair_sched_pass_time(&x.s, 50));
	submit(&x, 5, 2, 0, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 5, x.clone, x.bytes, &why));
	TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
	TEST_CHECK(why.advance.number == 1 && why.walltime == 10);
	submit(&x, 6, 1, 0, "b"); /* beside the window until 100, not job 4 */
	submit(&x, 7, 1, 0, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 7, x.clone, x.bytes, &why));
	TEST_EQ(why.reasons & FAIR_WHY_NOTHING, 0);
	close_site(&x);
}

/* The jobs that hold what it lacks, in its class alone, until enough is free. */
TEST(running_jobs_in_its_class)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	submit(&x, 2, 2, 0, "a"); /* the rest of class a, but no GPU */
	step(&x);
	submit(&x, 5, 1, 2, "a");
	submit(&x, 6, 4, 0, "a");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 6, x.clone, x.bytes, &why));
	TEST_CHECK(why.node_class == 0 && why.resource == 0);
	TEST_CHECK(why.blockers == 2 && why.blocker[0].number == 1 &&
		   why.blocker[1].number == 2);
	TEST_EQ(why.free_at, 100);
	TEST_OK(fair_sched_cancel(&x.s, 0, 2));
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 5, x.clone, x.bytes, &why));
	TEST_CHECK(why.resource == 1 && why.blockers == 1 &&
		   why.blocker[0].number == 1);
	withhold(&x, 0, 1, 8);
	submit(&x, 7, 3, 0, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 7, x.clone, x.bytes, &why));
	TEST_CHECK(why.reasons & FAIR_WHY_RESOURCE &&
		   why.reasons & FAIR_WHY_ADVANCE);
	TEST_CHECK(why.blockers == 1 && why.blocker[0].number == 3);
	close_site(&x);
}

/* Of three classes that lack one resource, two, and one, the first. */
TEST(the_first_of_those_that_lack_the_least)
{
	static const int32_t amount[] = { 4, 1, 4, 1, 4, 1 };
	static const struct fair_machine_config alike = { 2, 3, 0, amount };
	struct fair_why why;
	struct site x;

	open_site_of(&x, FAIR_CONSERVATIVE, &alike, 12);
	submit(&x, 1, 3, 0, "a");
	submit(&x, 2, 3, 1, "b");
	submit(&x, 3, 3, 0, "c");
	submit(&x, 4, 2, 1, "abc");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 4, x.clone, x.bytes, &why));
	TEST_EQ(why.node_class, 0);
	TEST_EQ(why.resource, 0);
	TEST_EQ(why.amount, -1);
	close_site(&x);
}

/* Class a lacks a GPU. Class b has all of it until its window: no amount is
 * searched, since none lacks. */
TEST(nothing_lacks_in_the_second_class)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	withhold(&x, 50, 1, 8);
	submit(&x, 2, 1, 1, "a");
	step(&x);
	submit(&x, 4, 1, 1, "ab");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 4, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
	TEST_EQ(why.unknown & FAIR_UNKNOWN_AMOUNT, 0);
	close_site(&x);
}

/* Of two windows that begin when it has to end that of its class is named,
 * whichever comes first, and of two in its class the first. */
TEST(windows_of_two_classes)
{
	struct fair_why why;
	struct site x;
	uint32_t k;

	for (k = 0; k < 2; k++) {
		open_site_of(&x, FAIR_BACKFILL, &machine, 28);
		withhold(&x, 50, k, 4);
		withhold(&x, 50, !k, 4);
		submit(&x, 1, 8, 0, "b");
		step(&x);
		TEST_OK(fair_sched_why(&x.s, 1, x.clone, x.bytes, &why));
		TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
		TEST_EQ(why.walltime, 50);
		TEST_EQ(why.advance.node_class, 1);
		TEST_EQ(why.advance.number, k ? 1 : 2);
		close_site(&x);
	}
}

/*
 * Job 1 has 3 processors of class a, and the second reservation the last one.
 * The first one is of another class, or after the end of job 2.
 */
TEST(the_reservation_in_the_way_of_two)
{
	struct fair_why why;
	struct site x;
	uint32_t k;

	for (k = 0; k < 2; k++) {
		open_site_of(&x, FAIR_BACKFILL, &machine, 28);
		submit(&x, 1, 3, 0, "a");
		step(&x);
		TEST_EQ(fair_sched_pass_time(&x.s, 1), 0);
		withhold(&x, k ? 150 : 1, !k, k ? 4 : 8);
		withhold(&x, 1, 0, 1);
		submit(&x, 2, 2, 0, "a");
		step(&x);
		TEST_OK(fair_sched_why(&x.s, 2, x.clone, x.bytes, &why));
		TEST_EQ(why.reasons, FAIR_WHY_RESOURCE | FAIR_WHY_ADVANCE);
		TEST_EQ(why.advance.number, 2);
		close_site(&x);
	}
}

/* Job 4 would run into the promise of job 2 at 100, and into a window later. */
TEST(a_promise_before_a_window)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	submit(&x, 2, 8, 0, "b");
	TEST_OK(fair_sched_modify(&x.s, 0, 2, 8, 20));
	withhold(&x, 120, 1, 8);
	step(&x);
	TEST_OK(fair_sched_pass_time(&x.s, 50));
	submit(&x, 4, 2, 0, "b");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 4, x.clone, x.bytes, &why));
	TEST_EQ(why.reasons, FAIR_WHY_DELAY | FAIR_WHY_ADVANCE);
	TEST_EQ(why.walltime, 50);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 2);
	TEST_EQ(why.advance.from, 120);
	close_site(&x);
}

/* Job 1 has the GPUs of class a: a reservation of processors is not in the way. */
TEST(a_reservation_of_another_resource)
{
	struct fair_why why;
	struct site x;

	open_site_of(&x, FAIR_BACKFILL, &machine, 28);
	submit(&x, 1, 1, 2, "a");
	step(&x);
	withhold(&x, 0, 0, 1);
	submit(&x, 2, 1, 1, "a");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 2, x.clone, x.bytes, &why));
	TEST_EQ(why.reasons, FAIR_WHY_RESOURCE);
	close_site(&x);
}

/* Class c never has a GPU: it is not the one that the job waits for. */
TEST(a_class_that_could_serve_it)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE);
	submit(&x, 2, 2, 1, "b");
	step(&x);
	submit(&x, 5, 1, 1, "cb");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 5, x.clone, x.bytes, &why));
	TEST_CHECK(why.node_class == 1 && why.resource == 0);
	TEST_EQ(why.left, 0);
	close_site(&x);
}

/* Two classes share three licences; class b never has a GPU. */
TEST(of_the_whole_machine)
{
	static const int32_t amount[] = { 4, 2, 3, 4, 0, 0 };
	static const struct fair_machine_config wide = { 3, 2, 4, amount };
	int32_t ask[] = { 0, 0, 2 };
	struct fair_job job;
	struct fair_why why;
	struct site x;

	memset(&x, 0, sizeof(x));
	memset(&job, 0, sizeof(job));
	open_site_of(&x, FAIR_CONSERVATIVE, &wide, 8);
	job.number = 1;
	job.walltime = 100;
	job.procs = 1;
	job.amount = ask;
	TEST_OK(fair_sched_submit(&x.s, 0, &job));
	step(&x);
	job.number = 2;
	TEST_OK(fair_sched_submit(&x.s, 0, &job));
	step(&x);
	says(&x, 2,
	     "Job 2 has waited for 0 s and is the first in the queue. It waits"
	     " for 2 of resource 2, where 1 is free. With 1 of resource 2 it"
	     " would start now. A start is reserved for it at 100.");
	TEST_OK(fair_sched_why(&x.s, 2, x.clone, x.bytes, &why));
	TEST_CHECK(why.node_class == UINT32_MAX && why.blockers == 1);
	/* A job that asks for a GPU, behind one that is promised both. */
	ask[1] = 2;
	ask[2] = 0;
	job.number = 3;
	job.walltime = 10;
	TEST_OK(fair_sched_submit(&x.s, 0, &job));
	job.number = 4;
	TEST_OK(fair_sched_submit(&x.s, 0, &job));
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 4, x.clone, x.bytes, &why));
	TEST_CHECK(why.node_class == 0 && why.resource == 1);
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

/*
 * One resource in one class is planned as a pool, but explained as a class. Easy
 * needs no profile where there are no advance reservations.
 */
TEST_EACH(one_resource_in_one_class)
{
	static const int32_t procs[] = { 4 };
	static const struct fair_machine_config one = { 1, 1, 0, procs };
	uint32_t policy;
	struct site x;

	for (policy = FAIR_BACKFILL; policy <= FAIR_DC; policy++) {
		test_case(fair_policy_name(policy));
		open_site_of(&x, policy, &one, 4);
		x.config.advances = 0;
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					fair_sched_size(&x.config),
					&x.config));
		submit(&x, 1, 2, 0, "");
		submit(&x, 3, 1, 0, "a");
		submit(&x, 2, 4, 0, "a");
		submit(&x, 4, 2, 0, "");
		step(&x);
		says(&x, 2,
		     "Job 2 has waited for 0 s and is the first in the queue."
		     " It waits for 4 of resource 0 of class 0, where 1 is"
		     " free. It would start now with 1 processor. A start is"
		     " reserved for it at 100.");
		says(&x, 4,
		     policy == FAIR_BACKFILL
			     ? "Job 4 has waited for 0 s, 1 job is ahead of it."
			       " It waits for 2 of resource 0 of class 0, where"
			       " 1 is free. It would start now with 1 processor."
			       " If nothing changes it starts at 200."
			     : "Job 4 has waited for 0 s, 1 job is ahead of it."
			       " It waits for 2 of resource 0 of class 0, where"
			       " 1 is free. It would start now with 1 processor."
			       " A start is reserved for it at 200.");
		TEST_OK(fair_sched_class_capacity(&x.s, 1, 0, 0, -1, NULL, 0));
		step(&x);
		says(&x, 2,
		     "Job 2 has waited for 1 s and is the first in the queue."
		     " It waits for 4 of resource 0 of class 0, where 0 are"
		     " free. If nothing changes it will not start.");
		close_site(&x);
	}
}

/*
 * Of 8 GPUs 3 are in use until 50 and 1 until 100. Job 3 has its
 * reservation at 100, job 5 one at 50: without that there are GPUs for job 4
 * until 100.
 */
TEST(without_what_is_behind_it)
{
	static const int32_t eight[] = { 8, 8 };
	static const struct fair_machine_config one = { 2, 1, 0, eight };
	static const struct {
		int64_t walltime;
		int32_t procs, gpus;
	} asks[] = { { 50, 1, 3 }, { 100, 1, 1 }, { 100, 8, 8 },
		     { 300, 1, 4 }, { 40, 1, 6 } };
	struct fair_why why;
	struct site x;
	uint64_t i;

	open_deep_site(&x, FAIR_BACKFILL, 3, &one, 8);
	for (i = 0; i < 5; i++) {
		int32_t amount[] = { 0, asks[i].gpus };
		struct fair_job job = { .number = i + 1,
					.walltime = asks[i].walltime,
					.procs = asks[i].procs,
					.amount = amount };

		TEST_OK(fair_sched_submit(&x.s, 0, &job));
	}
	step(&x);
	TEST_EQ(fair_sched_count(&x.s, FAIR_RUNNING), 2);
	TEST_OK(fair_sched_why(&x.s, 4, x.clone, x.bytes, &why));
	TEST_EQ(why.walltime, 100);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 3);
	close_site(&x);
}

/* A job may run in both classes, longer in the one whose window is later: that
 * one is told. */
TEST(the_class_with_the_later_window)
{
	struct fair_why why;
	struct site x;
	int b_first;

	for (b_first = 0; b_first < 2; b_first++) {
		open_site_of(&x, FAIR_CONSERVATIVE, &machine, 28);
		withhold(&x, b_first ? 80 : 50, 0, 4);
		withhold(&x, b_first ? 50 : 80, 1, 8);
		submit(&x, 2, 2, 1, "ab");
		step(&x);
		TEST_OK(fair_sched_why(&x.s, 2, NULL, 0, &why));
		TEST_EQ(why.reasons, FAIR_WHY_ADVANCE);
		TEST_EQ(why.advance.node_class, b_first ? 0 : 1);
		TEST_EQ(why.advance.from, 80);
		close_site(&x);
	}
}

/* Jobs with GPUs go first. */
static int gpus_first(void *context, int64_t now, const struct fair_job *a,
		      const struct fair_job *b)
{
	(void)context;
	(void)now;
	return !a->amount[1] - !b->amount[1];
}

/* Of 8 processors and 4 GPUs job 1 has 3 and 3. Job 4 asks for 5 and 2: with a
 * GPU it would start, and with none job 3 would go first. */
TEST(with_one_and_not_with_none)
{
	static const int32_t amount[] = { 8, 4 };
	static const struct fair_machine_config one = { 2, 1, 0, amount };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_COMPARE,
				 .compare = gpus_first,
				 .procs = 8,
				 .jobs = 16,
				 .machine = &one };
	struct fair_why why;
	struct site x;

	memset(&x, 0, sizeof(x));
	x.config = c;
	x.memory = malloc(fair_sched_size(&c));
	x.bytes = fair_sched_fst_size(&c);
	x.clone = malloc(x.bytes);
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
				fair_sched_size(&c), &c));
	submit(&x, 1, 3, 3, "");
	step(&x);
	submit(&x, 3, 5, 0, "");
	TEST_OK(fair_sched_modify(&x.s, 0, 3, 5, 101));
	submit(&x, 4, 5, 2, "");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 4, x.clone, x.bytes, &why));
	TEST_EQ(why.resource, 1);
	TEST_EQ(why.amount, 1);
	close_site(&x);
}

/* A queued job that was submitted at @since; its classes are @list. */
static void wait_since(struct site *x, uint64_t number, int64_t since,
		       int64_t walltime, int32_t procs, int32_t gpus,
		       const char *list)
{
	int32_t amount[2] = { 0, gpus };
	uint8_t classes[2] = { (uint8_t)(list[0] - 'a'),
			       (uint8_t)(list[1] - 'a') };
	const struct fair_job job = { .number = number,
				      .submit = since,
				      .walltime = walltime,
				      .procs = procs,
				      .amount = amount,
				      .classes = classes,
				      .class_count = (uint32_t)strlen(list) };

	TEST_OK(fair_sched_submit(&x->s, x->s.now, &job));
}

static void promised_at(const struct site *x, uint64_t number, int64_t start)
{
	struct fair_job_status j;

	TEST_OK(fair_sched_lookup(&x->s, number, &j));
	TEST_EQ(j.start, start);
}

/*
 * Class a has 1 processor less from 190 on, and no GPU until 130; half of class
 * b is in use until 140. Job 3 with 40 seconds starts in b, before job 4; with
 * 60 it lets job 4 start in a, and then there is room in b for 3 or for 5.
 * Return: what is said of job 3, which was submitted at @since, and 5 at 86.
 */
static int64_t longest_of_two(struct fair_config config, int64_t since)
{
	static const int32_t amount[] = { 3, 1, 2, 1 };
	static const struct fair_machine_config two = { 2, 2, 0, amount };
	const struct fair_advance b = { .number = 1, .from = 190, .to = 280,
					.procs = 1 };
	struct fair_why why;
	struct site x;

	open_site_by(&x, &config, &two, 5);
	TEST_OK(fair_sched_pass_time(&x.s, 80));
	wait_since(&x, 1, 80, 50, 1, 1, "a");
	wait_since(&x, 2, 80, 60, 1, 0, "b");
	step(&x);
	TEST_OK(fair_sched_pass_time(&x.s, 100));
	TEST_OK(fair_sched_advance_reserve(&x.s, 100, &b, false));
	wait_since(&x, 3, since, 50, 3, 1, "ab");
	wait_since(&x, 4, -20, 95, 2, 0, "ab");
	TEST_OK(fair_sched_modify(&x.s, 100, 3, 1, 100));
	wait_since(&x, 5, 86, 98, 1, 0, "b");
	step(&x);
	promised_at(&x, 3, 130);
	promised_at(&x, 4, 140);
	promised_at(&x, 5, 235);
	TEST_OK(fair_sched_why(&x.s, 3, x.clone, x.bytes, &why));
	close_site(&x);
	return why.walltime;
}

/* A job that is tried keeps its place: behind job 5, where it is with all of its
 * walltime. So it does in an order of the configuration's below a ledger's. */
TEST(its_place_by_walltime)
{
	static const struct fair_ledger_ops ops = { .name = "ties",
						    .size = plain_size,
						    .init = plain_init,
						    .clone = plain_clone,
						    .order = all_tie };
	struct fair_config c = { .policy = FAIR_DC };

	TEST_EQ(longest_of_two(c, 85), 60);
	TEST_EQ(longest_of_two(c, 96), 40);
	c.order = FAIR_ORDER_LXF;
	TEST_EQ(longest_of_two(c, 82), 60);
	TEST_EQ(longest_of_two(c, 90), 40);
	c.order = FAIR_ORDER_SJF;
	TEST_EQ(longest_of_two(c, 96), 40);
	c.ledger = &ops;
	TEST_EQ(longest_of_two(c, 96), 40);
}

/* Both classes have room for 10 seconds: that of the first in the job's order is
 * told, and which job it would delay there. */
TEST(the_first_of_two_windows)
{
	static const int32_t amount[] = { 4, 0, 4, 0 };
	static const struct fair_machine_config two = { 2, 2, 0, amount };
	struct fair_why why;
	struct site x;
	int b_first;

	for (b_first = 0; b_first < 2; b_first++) {
		open_site_of(&x, FAIR_CONSERVATIVE, &two, 8);
		wait_since(&x, 1, 0, 10, 3, 0, "a");
		wait_since(&x, 2, 0, 10, 3, 0, "b");
		wait_since(&x, 3, 0, 100, 4, 0, "a");
		wait_since(&x, 4, 0, 100, 4, 0, "b");
		wait_since(&x, 5, 0, 20, 1, 0, b_first ? "ba" : "ab");
		step(&x);
		TEST_OK(fair_sched_why(&x.s, 5, NULL, 0, &why));
		TEST_EQ(why.reasons, FAIR_WHY_DELAY);
		TEST_EQ(why.walltime, 10);
		TEST_EQ(why.blockers, 1);
		TEST_EQ(why.blocker[0].number, 3 + b_first);
		close_site(&x);
	}
}

/* A class that never has a GPU is no room for a job that asks for one. */
TEST(no_room_in_a_class_without)
{
	static const int32_t amount[] = { 4, 0, 4, 2 };
	static const struct fair_machine_config two = { 2, 2, 0, amount };
	struct fair_why why;
	struct site x;

	open_site_of(&x, FAIR_CONSERVATIVE, &two, 8);
	wait_since(&x, 1, 0, 100, 1, 2, "b");
	wait_since(&x, 2, 0, 10, 1, 1, "ab");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 2, NULL, 0, &why));
	TEST_EQ(why.walltime, 0);
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

/* It is vetoed until 50, and has room from now on but for its own reservation. */
TEST(room_but_for_the_own_reservation)
{
	const struct fair_ledger_ops veto = { .name = "veto",
					      .size = plain_size,
					      .init = plain_init,
					      .clone = plain_clone,
					      .veto = until_50 };
	const struct fair_config config = { .policy = FAIR_CONSERVATIVE,
					    .ledger = &veto };
	static const int32_t amount[] = { 4, 3, 4, 0 };
	static const struct fair_machine_config two = { 2, 2, 0, amount };
	struct fair_why why;
	struct site x;

	open_site_by(&x, &config, &two, 8);
	wait_since(&x, 1, 0, 100, 3, 2, "a");
	step(&x);
	TEST_OK(fair_sched_why(&x.s, 1, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_VETO);
	TEST_EQ(why.walltime, 99);
	close_site(&x);
}
