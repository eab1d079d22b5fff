/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The policy maui decides as the figures of [MAUI] show: selection of
 * backfill, soft and hard limits, bypass counts, the timer.
 */
#include "tests/maui_site.h"

/* The manual's. */
TEST(the_example)
{
	struct fair_maui_credential user[2] = {
		fair_maui_credential_defaults(), fair_maui_credential_defaults()
	};
	struct fair_maui_config config = fair_maui_defaults();
	struct fair_maui_request job = {
		{ 1, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE,
		  FAIR_THROTTLE_NONE },
		16,
		16,
		3600,
		0,
		0,
		0,
		0
	};
	struct fair_priority_parts parts;
	struct fair_maui m;
	size_t bytes;
	void *memory;

	user[1].priority = 100;
	user[1].hard[FAIR_THROTTLE_PROCS] = 32;
	user[1].soft[FAIR_THROTTLE_PROCS] = 16;
	config.priority.weight[FAIR_PRIORITY_USER] = 1;
	config.count[FAIR_THROTTLE_USER] = 2;
	config.credential[FAIR_THROTTLE_USER] = user;
	bytes = fair_maui_size(&config, 10);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_OK(fair_maui_init(&m, sizeof(m), memory, bytes, &config, 10, 128,
			       0));
	TEST_EQ(fair_maui_submit(&m, 0, &job), 0);
	TEST_EQ(fair_maui_submit(&m, 1, &job), 0);
	TEST_EQ(fair_maui_start(&m, 0, 0, 3600), 0);
	TEST_EQ(fair_maui_parts(&m, 1, 0, 3600, &parts), 0);
	TEST_EQ(parts.priority, 100 << 20);
	TEST_CHECK(!fair_maui_gate(&m, 0, 1, 3600, FAIR_MAUI_SOFT));
	TEST_CHECK(fair_maui_gate(&m, 0, 1, 3600, FAIR_MAUI_HARD));
	free(memory);
}

/* [MAUI] figure 1: A ends an hour early, but C is in the way of B. */
TEST(figure_1)
{
	const int64_t hour = 3600;
	uint32_t select;
	struct maui_site x;

	for (select = FAIR_FIRSTFIT; select <= FAIR_NOFIT; select++) {
		site_begin(&x);
		x.config.select = select;
		site_open(&x);
		submit(&x, job_of(0, 4, 3 * hour));
		step(&x, 0);
		submit(&x, job_of(0, 5, hour));
		submit(&x, job_of(0, 2, 3 * hour));
		step(&x, 0);
		x.now = 2 * hour;
		TEST_EQ(fair_sched_finish(&x.sched, x.now, 0), 0);
		step(&x, x.now);
		TEST_EQ(x.start[2], select == FAIR_NOFIT ? -1 : 0);
		TEST_EQ(x.start[1], select == FAIR_NOFIT ? 2 * hour : -1);
		if (select != FAIR_NOFIT) {
			TEST_EQ(fair_sched_finish(&x.sched, 3 * hour, 2), 0);
			step(&x, 3 * hour);
			TEST_EQ(x.start[1], 3 * hour);
		}
		site_close(&x);
	}
}

/*
 * [MAUI] figure 3: of 3 idle nodes 2 are blocked after two hours. Window 1 has
 * one node without end, window 2 three nodes for two hours.
 */
static void figure_3_starts(uint32_t select, uint32_t metric, bool longest,
			    const int *order, int n)
{
	const int64_t hour = 3600;
	struct maui_site x;
	int i;

	site_begin(&x);
	x.config.select = select;
	x.config.metric = metric;
	x.config.longest = longest;
	site_open(&x);
	submit(&x, job_of(0, 3, 2 * hour)); /* 0: runs */
	step(&x, 0);
	submit(&x, job_of(0, 5, 3 * hour)); /* 1: reserved at 2 h */
	submit(&x, job_of(0, 1, hour));	    /* 2 */
	submit(&x, job_of(0, 2, hour));	    /* 3 */
	submit(&x, job_of(0, 1, 5 * hour)); /* 4 */
	submit(&x, job_of(0, 2, 2 * hour)); /* 5 */
	step(&x, 0);
	for (i = 0; i < n; i++)
		TEST_EQ(x.start[order[i]], 0);
	for (i = 2; i < 6; i++)
		TEST_EQ(x.start[i] == 0,
			i == order[0] || (n > 1 && i == order[1]));
	site_close(&x);
}

TEST(figure_3)
{
	/* In priority order 2 and 3. */
	figure_3_starts(FAIR_FIRSTFIT, FAIR_FIT_PROCS, false,
			(const int[]){ 2, 3 }, 2);
	/* Window 2 first: most processors, then what is left. */
	figure_3_starts(FAIR_BESTFIT, FAIR_FIT_PROCS, false,
			(const int[]){ 3, 2 }, 2);
	/* The longest there is 5; window 1 is left, for 4. */
	figure_3_starts(FAIR_BESTFIT, FAIR_FIT_SECONDS, false,
			(const int[]){ 5, 4 }, 2);
	/* Window 1 first: 4, and then 5 into what is left of window 2. */
	figure_3_starts(FAIR_BESTFIT, FAIR_FIT_SECONDS, true,
			(const int[]){ 4, 5 }, 2);
	/* The set of most processor-seconds that fits into window 2. */
	figure_3_starts(FAIR_GREEDY, FAIR_FIT_PROC_SECONDS, false,
			(const int[]){ 2, 5 }, 2);
}

/* Until 100, 5 of 8 processors are free, and 1 beside the reservation of 1. */
static void first_fit_starts(bool longest, int64_t wide, int64_t narrow)
{
	struct maui_site x;

	site_begin(&x);
	x.config.select = FAIR_FIRSTFIT;
	x.config.longest = longest;
	x.sched_config.procs = 8;
	site_open(&x);
	submit(&x, job_of(0, 3, 100));
	step(&x, 0);
	x.now = 1;
	submit(&x, job_of(0, 7, 100));
	step(&x, 1);
	x.now = 2;
	submit(&x, job_of(0, 1, 1000));
	submit(&x, job_of(0, 5, 50));
	step(&x, 2);
	TEST_EQ(x.start[3], wide);
	TEST_EQ(x.start[2], narrow);
	site_close(&x);
}

/* The first that fits, by priority, of the first window that any fits. */
TEST(first_fit_goes_over_windows)
{
	first_fit_starts(false, 2, -1);
	first_fit_starts(true, -1, 2);
}

/* A class that used 1 processor of 6 is below a cap of 50 %, although no other
 * job has a class. */
TEST(a_percentage_is_of_all_that_was_delivered)
{
	struct fair_job j = job_of(0, 1, 7200);
	struct maui_site x;

	j.queue = 0;
	site_begin(&x);
	x.config.usage = FAIR_MAUI_PROCS;
	x.class_[0].has_target = true;
	x.class_[0].target.kind = FAIR_USAGE_CAP;
	x.class_[0].target.points = 50 * FAIR_USAGE_POINT;
	site_open(&x);
	submit(&x, j);
	submit(&x, job_of(0, 5, 7200));
	step(&x, 0);
	TEST_EQ(fair_sched_finish(&x.sched, 3600, 0), 0);
	x.now = 3600;
	submit(&x, j);
	step(&x, 3600);
	TEST_EQ(x.start[2], 3600);
	site_close(&x);
}

TEST(timer_asks_for_a_step)
{
	struct maui_site x;

	site_begin(&x);
	x.config.poll = 60;
	x.sched_config.origin = 7;
	x.now = 7;
	site_open(&x);
	TEST_EQ(fair_sched_next(&x.sched), FAIR_FOREVER);
	submit(&x, job_of(0, 6, 1000));
	TEST_EQ(step(&x, 7), 1);
	TEST_EQ(fair_sched_next(&x.sched), 1007);
	submit(&x, job_of(0, 6, 1000));
	TEST_EQ(fair_sched_next(&x.sched), 67);
	TEST_EQ(step(&x, 67), 0);
	TEST_EQ(fair_sched_next(&x.sched), 127);
	site_close(&x);
}

/* Explained is what a narrower job does in its place, not where it would be. */
TEST(narrower_in_its_place)
{
	struct fair_why why;
	struct maui_site x;
	size_t bytes;
	void *memory;

	site_begin(&x);
	x.config.priority.component_weight[FAIR_PRIORITY_RESOURCE] = 1;
	x.config.priority.weight[FAIR_PRIORITY_PROCS] = 100;
	site_open(&x);
	submit(&x, job_of(0, 3, 1000));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(0, 3, 2000));
	submit(&x, job_of(0, 4, 500));
	TEST_EQ(step(&x, 0), 0);
	bytes = fair_sched_fst_size(&x.sched_config);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_why(&x.sched, 2, memory, bytes, &why), 0);
	TEST_EQ(why.procs, 3);
	free(memory);
	site_close(&x);
}

/* Each job of lower priority that goes first adds one, and one only. */
TEST(bypass)
{
	struct fair_priority_parts parts;
	struct maui_site x;
	int i;

	site_begin(&x);
	site_open(&x);
	submit(&x, job_of(0, 4, 1000));
	submit(&x, job_of(0, 5, 100));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(fair_sched_priority_parts(&x.sched, 1, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 0);
	for (i = 0; i < 3; i++) {
		submit(&x, job_of(0, 2, 10));
		TEST_EQ(step(&x, 10 * i), 1);
		x.now = 10 * i + 10;
		TEST_EQ(fair_sched_finish(&x.sched, x.now, x.number - 1), 0);
	}
	TEST_EQ(fair_sched_modify(&x.sched, 30, 1, 5, 90), 0);
	TEST_EQ(fair_sched_priority_parts(&x.sched, 1, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 3 << 20);
	TEST_EQ(fair_sched_pass_time(&x.sched, 29), -FAIR_ETIME);
	TEST_EQ(fair_sched_pass_time(&x.sched, 90), 0);
	TEST_EQ(fair_sched_priority_parts(&x.sched, 1, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_QUEUE_TIME], 3 << 19);
	TEST_EQ(fair_sched_priority_parts(&x.sched, 0, &parts), -FAIR_EINVAL);
	TEST_EQ(fair_sched_priority_parts(&x.sched, 99, &parts), -FAIR_ENOENT);
	TEST_EQ(fair_sched_priority_parts(&x.sched, 1, NULL), -FAIR_EINVAL);
	site_close(&x);
}

/* A job of lower priority is not bypassed, though it came first. */
TEST(of_lower_priority)
{
	struct fair_priority_parts parts;
	struct maui_site x;

	site_begin(&x);
	x.user[1].priority = 100;
	x.config.priority.weight[FAIR_PRIORITY_USER] = 1;
	site_open(&x);
	submit(&x, job_of(0, 4, 1000));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(0, 5, 100));
	submit(&x, job_of(1, 2, 100));
	TEST_EQ(step(&x, 10), 1);
	TEST_EQ(x.start[2], 10);
	TEST_OK(fair_sched_priority_parts(&x.sched, 1, &parts));
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 0);
	site_close(&x);
}

/* By priority under dc: of two that tie the one that came first is bypassed,
 * whatever its reservation is. */
TEST(bypassed_under_dc)
{
	struct fair_priority_parts parts;
	struct maui_site x;

	site_begin(&x);
	x.sched_config.policy = FAIR_DC;
	x.sched_config.order = FAIR_ORDER_PRIORITY;
	site_open(&x);
	submit(&x, job_of(0, 4, 1000));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(0, 5, 100));
	submit(&x, job_of(0, 2, 100));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(x.start[2], 0);
	TEST_OK(fair_sched_priority_parts(&x.sched, 1, &parts));
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], FAIR_PRIORITY_ONE);
	site_close(&x);
}

/* The user of the higher rank goes first, whatever its own FSDelta is. */
TEST(a_rank_is_a_part_of_the_priority)
{
	static unsigned char memory[4096], saved[1 << 14];
	size_t bytes;
	struct fair_priority_parts parts;
	struct fair_job j = job_of(2, 6, 100);
	struct fair_fairtree f;
	struct maui_site x;
	struct fair_why why;
	uint64_t a, b, c;

	TEST_OK(fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), 3,
				   1000));
	TEST_OK(fair_fairtree_add_account(&f, 2, FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_fairtree_add_user(&f, 0, FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_fairtree_add_user(&f, 1, 2, 1));
	TEST_OK(fair_fairtree_charge(&f, 0, 0, 1, 1));
	site_begin(&x);
	x.config.priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 1;
	x.config.priority.weight[FAIR_PRIORITY_FS_USER] = 10;
	x.sched_config.order = FAIR_ORDER_TREE;
	x.sched_config.users = 3;
	x.sched_config.half_life = 1000;
	x.sched_config.tree = &f;
	site_open(&x);
	TEST_EQ(fair_sched_submit(&x.sched, 0, &j), -FAIR_ENOENT);
	a = submit(&x, job_of(0, 6, 100));
	b = submit(&x, job_of(1, 6, 100));
	/* Before the first step no rank is known. */
	TEST_OK(fair_sched_priority_parts(&x.sched, a, &parts));
	TEST_EQ(parts.value[FAIR_PRIORITY_FS_USER], 0);
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(x.start[b], 0);
	TEST_OK(fair_sched_priority_parts(&x.sched, a, &parts));
	TEST_EQ(parts.value[FAIR_PRIORITY_FS_USER], 50 * FAIR_PRIORITY_ONE);
	TEST_EQ(parts.component[FAIR_PRIORITY_FAIRSHARE],
		500 * FAIR_PRIORITY_ONE);
	/* The factor is saved, and kept by a change of the job. */
	TEST_OK(fair_sched_modify(&x.sched, 0, a, 5, 90));
	TEST_OK(fair_sched_save(&x.sched, saved, sizeof(saved)));
	x.sched_config.tree = NULL;
	bytes = fair_sched_checkpoint_size(&x.sched);
	TEST_OK(fair_sched_load(&x.sched, sizeof(x.sched), x.memory,
				fair_sched_size(&x.sched_config),
				&x.sched_config, saved, bytes, NULL));
	TEST_OK(fair_sched_priority_parts(&x.sched, a, &parts));
	TEST_EQ(parts.value[FAIR_PRIORITY_FS_USER], 50 * FAIR_PRIORITY_ONE);
	/* The order is not that of the tree: another one of user 1 waits. */
	c = submit(&x, job_of(1, 6, 100));
	TEST_EQ(step(&x, 0), 0);
	TEST_OK(fair_sched_why(&x.sched, c, NULL, 0, &why));
	TEST_EQ(why.reasons & FAIR_WHY_TREE, 0);
	TEST_OK(fair_sched_cancel(&x.sched, 0, c));
	/* User 1 is charged its walltime; it leaves, and 0 has all. */
	TEST_OK(fair_sched_finish(&x.sched, 0, b));
	TEST_OK(fair_sched_tree_remove(&x.sched, 0, 1));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(x.start[a], 0);
	site_close(&x);
}
