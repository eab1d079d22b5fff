/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Why a job waits: the fewest processors, the longest walltime or the earliest
 * time with which it would start, found on clones, so that one less would not
 * do.
 */
#define FAIR_QUEUE_BLOCK 4 /* these are the sizes of fuzz/small.c */
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "tests/asked.h"
#include "tests/site.h"

#define SIZES (FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME)
#define UNTIL FAIR_UNKNOWN_UNTIL

static struct fair_why tried(const struct asked *w, uint64_t number)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	void *memory = malloc(bytes);
	struct fair_why why;

	memset(&why, 0, sizeof(why));
	TEST_EQ(fair_sched_why(&w->s, number, memory, bytes, &why), 0);
	free(memory);
	return why;
}

/* dc: known, unless another job could start if this one were not there. */
TEST(jobs_that_make_room)
{
	struct asked w;

	crowded(&w, FAIR_DC);
	TEST_EQ(fair_sched_modify(&w.s, 20, 0, 4, 80), 0);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 6, 200), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, SIZES | UNTIL);
	submit(&w, 4, 100);	/* 1 is in the way of 2, with or without it */
	step(&w, 20);
	TEST_EQ(quick(&w, 3).unknown, UNTIL);
	TEST_EQ(fair_sched_capacity(&w.s, 20, -4, NULL, 0), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, UNTIL);
	free(w.memory);

	/* Behind 1 comes 2, and that one is in the way of 3. */
	crowded(&w, FAIR_DC);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 8, 50), 0);
	submit(&w, 4, 200);
	step(&w, 20);
	TEST_EQ(quick(&w, 3).promise, 200);
	TEST_EQ(quick(&w, 1).unknown, UNTIL);
	free(w.memory);

	/* Job 2 is so long that no start is promised to it. */
	crowded(&w, FAIR_DC);
	step(&w, 20);
	TEST_OK(fair_sched_modify(&w.s, 20, 2, 4,
				  fair_sched_horizon(&w.s) - 1));
	step(&w, 20);
	TEST_EQ(quick(&w, 2).promise, FAIR_FOREVER);
	TEST_EQ(quick(&w, 1).unknown, SIZES | UNTIL);
	free(w.memory);
}

/* From 150 on there is room for 2 where it is to be then, and no other. */
TEST(jobs_that_make_room_of_many)
{
	const int32_t some = 200000000;
	struct asked w;
	struct fair_config c = { .policy = FAIR_DC, .procs = 10 * some };

	open_asked(&w, &c);
	w.now = 20;
	submit(&w, 4 * some, 80);
	submit(&w, 8 * some, 50);
	submit(&w, 6 * some, 200);
	submit(&w, 4 * some, 300);
	step(&w, 20);
	TEST_EQ(quick(&w, 2).promise, 150);
	TEST_EQ(quick(&w, 3).promise, 150);
	write_on_the_stack();
	TEST_EQ(quick(&w, 1).unknown, SIZES | UNTIL);
	free(w.memory);
}

/* Job 1, refused, has room until 30; job 2 waits for the end of job 0. */
static void refused_beside(int64_t end, uint32_t unknown)
{
	struct fair_config c = { 0 };
	struct asked w;

	c.policy = FAIR_DC;
	open_asked(&w, &c);
	w.now = 20;
	submit(&w, 4, end - 20);
	submit(&w, 4, 10);
	submit(&w, 5, 30);
	step(&w, 20);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 1), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).promise, 21);
	TEST_EQ(quick(&w, 2).promise, end);
	TEST_EQ(quick(&w, 2).unknown, unknown);
	free(w.memory);
}

/* A job that would end before this one begins is independent of it. */
TEST(job_that_has_room_anyway)
{
	refused_beside(30, UNTIL);
	refused_beside(25, SIZES | UNTIL);
}

/* It would start as it is, as soon as anything moves: no size is said to help. */
TEST(its_own_size)
{
	struct fair_why why;
	char text[300];
	struct asked w;

	crowded(&w, FAIR_PC);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 3, 200), 0);
	step(&w, 20);
	TEST_EQ(fair_sched_modify(&w.s, 20, 1, 1, 50), 0);
	step(&w, 20);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_NOTHING);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(why.procs, 3);
	TEST_EQ(why.walltime, 200);
	(void)fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(!strstr(text, "would start now") &&
		   !strstr(text, "smaller size"));
	TEST_OK(fair_sched_modify(&w.s, 20, 2, 3, 200));
	step(&w, 20);
	TEST_EQ(fair_sched_count(&w.s, FAIR_QUEUED), 0);
	free(w.memory);
}

/* No size helps a refused job, or one without a slot for its next task. */
TEST(no_size_helps)
{
	struct fair_job j = { 0 };
	struct fair_why why;
	struct asked w;
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_USAGE };

	crowded_by(&w, &c);
	step(&w, 20);
	TEST_EQ(quick(&w, 2).unknown, SIZES | UNTIL);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 0), 0);
	step(&w, 20);
	why = quick(&w, 0);
	TEST_CHECK(why.reasons & FAIR_WHY_REFUSED);
	TEST_EQ(why.unknown, UNTIL);
	TEST_EQ(why.procs, 0);
	free(w.memory);

	c.order = FAIR_ORDER_FCFS;
	c.procs = 31;
	open_asked(&w, &c);
	j.procs = 2;
	j.walltime = 10;
	j.tasks = w.config.jobs + 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	step(&w, 0);
	why = quick(&w, 15);
	TEST_EQ(why.reasons, FAIR_WHY_INELIGIBLE | FAIR_WHY_NO_SLOT);
	TEST_EQ(why.free, 1);
	TEST_EQ(why.job.tasks, 2);
	TEST_EQ(why.procs, 0);
	free(w.memory);
}

/* What other users start while it is tried is charged to them. */
TEST(charged_while_tried)
{
	struct asked w;
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_USAGE,
				 .users = 4 };

	open_asked(&w, &c);
	submit_of(&w, 1, 0, 1, 100);
	submit_of(&w, 2, 0, 1, 101);
	submit_of(&w, 3, 0, 2, 100);
	step(&w, 0);
	submit_of(&w, 0, 0, 10, 50);
	submit_of(&w, 0, 0, 2, 60);	/* starts: user 0 comes behind 2 */
	submit_of(&w, 1, 0, 3, 200);	/* would go first, and then ... */
	submit_of(&w, 1, 0, 1, 200);	/* ... come after job 7 */
	submit_of(&w, 2, 0, 5, 200);
	step(&w, 0);
	TEST_EQ(quick(&w, 7).free, 4);
	TEST_EQ(tried(&w, 7).procs, 1);
	free(w.memory);
}

/* User 1 has one job at a time. */
static void limited(struct fair_maui_config *maui,
		    struct fair_maui_credential *user, struct fair_config *c)
{
	int kind;

	*maui = fair_maui_defaults();
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		maui->count[kind] = 2;
	user[0] = user[1] = fair_maui_credential_defaults();
	user[1].hard[FAIR_THROTTLE_JOBS] = 1;
	maui->credential[FAIR_THROTTLE_USER] = user;
	memset(c, 0, sizeof(*c));
	c->policy = FAIR_MAUI;
	c->users = 2;
	c->maui = maui;
}

/* Within a limit of processors; before the job that bypassed it. */
TEST(tried_by_priority)
{
	struct fair_maui_credential user[2];
	struct fair_maui_config maui;
	struct fair_config c;
	struct asked w;

	limited(&maui, user, &c);
	user[1].hard[FAIR_THROTTLE_JOBS] = FAIR_THROTTLE_UNLIMITED;
	user[1].hard[FAIR_THROTTLE_PROCS] = 5;
	open_asked(&w, &c);
	submit_of(&w, 1, 0, 3, 100);
	submit_of(&w, 1, 0, 5, 100);
	step(&w, 0);
	TEST_EQ(quick(&w, 1).reasons, FAIR_WHY_LIMIT);
	TEST_EQ(tried(&w, 1).procs, 2);
	free(w.memory);

	maui.priority.component_weight[FAIR_PRIORITY_BYPASS] = 1;
	open_asked(&w, &c);
	submit_of(&w, 0, 0, 6, 100);
	submit_of(&w, 0, 0, 5, 200);
	submit_of(&w, 0, 0, 8, 50);
	submit_of(&w, 0, 0, 1, 10);
	step(&w, 0);
	TEST_EQ(quick(&w, 1).free, 3);
	TEST_EQ(tried(&w, 1).procs, 3);
	free(w.memory);
}

/*
 * Of 20 processors job 0 holds some until 100, which are reserved for job 1;
 * job 5, of the same user, has started, and that one has no other at a time.
 * So when they are tried again nothing is reserved for job 1: job 4 starts,
 * with 5, unless job 3 fits better, with 5 or more; else that has what is
 * left. Of these sizes one is found.
 */
TEST(one_that_fits_best)
{
	static const struct {
		int32_t busy, first, procs;
		int64_t walltime;
		int32_t guess, found;
	} sizes[] = {
		{ 13, 16, 9, 80, 6, 6 },	/* 1, 5, 6 */
		{ 13, 19, 9, 200, 0, 1 },
		{ 12, 16, 9, 200, 3, 2 },	/* 1, 2, 5, 6, 7 */
		{ 12, 19, 9, 200, 0, 7 },
		{ 13, 19, 1, 200, 0, 0 },	/* no less than it has */
	};
	struct fair_maui_credential user[2];
	struct fair_maui_config maui;
	struct fair_config c;
	struct asked w;
	size_t i;

	limited(&maui, user, &c);
	maui.select = FAIR_BESTFIT;
	maui.metric = FAIR_FIT_PROCS;
	c.procs = 20;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		open_asked(&w, &c);
		submit_of(&w, 0, -10, sizes[i].busy, 100);
		submit_of(&w, 1, -9, sizes[i].first, 50);
		submit_of(&w, 0, 0, 20, 50);
		submit_of(&w, 0, 0, sizes[i].procs, sizes[i].walltime);
		submit_of(&w, 0, 0, 5, 200);
		submit_of(&w, 1, -8, 1, 400);
		step(&w, 0);
		TEST_EQ(quick(&w, 3).procs, sizes[i].guess);
		TEST_EQ(tried(&w, 3).procs, sizes[i].found);
		free(w.memory);
	}
}

/* On a clone: a changed job keeps its place, and stays refused. */
TEST(changed_on_a_clone)
{
	struct why_clone clone;
	struct fair_why why;
	struct asked w;
	struct fair_config c = { .policy = FAIR_DC,
				 .order = FAIR_ORDER_WIDEST };

	crowded_by(&w, &c);
	submit(&w, 7, 10);
	step(&w, 20);
	why_clone_open(&clone, &w.s);
	fair_sched_resize_in_place(&clone.s, fair_sched_find(&clone.s, 1), 6, 50);
	(void)why_step(&clone.s, 20, UINT64_MAX);
	TEST_EQ(fair_sched_why(&clone.s, 1, NULL, 0, &why), 0);
	TEST_EQ(why.job.procs, 6);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(fair_sched_why(&clone.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.ahead, 1);
	free(clone.memory);
	free(w.memory);

	crowded(&w, FAIR_BACKFILL);
	step(&w, 20);
	why_clone_open(&clone, &w.s);
	fair_sched_resize_in_place(&clone.s, fair_sched_find(&clone.s, 1), 7, 50);
	TEST_CHECK(!why_step(&clone.s, 20, 1));
	TEST_EQ(fair_sched_next(&clone.s), 100);
	free(clone.memory);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 1), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 2), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 0), 0);
	step(&w, 20);
	why_clone_open(&clone, &w.s);
	fair_sched_resize_in_place(&clone.s, fair_sched_find(&clone.s, 0), 3, 50);
	TEST_CHECK(!why_step(&clone.s, 20, 0));
	TEST_EQ(fair_sched_next(&clone.s), 21);
	TEST_CHECK(why_step(&clone.s, 21, 0));
	TEST_EQ(fair_sched_next(&clone.s), 71);
	free(clone.memory);
	free(w.memory);
}

static int64_t key_of_one;

static int64_t first_by_key(void *context, const struct fair_job *job)
{
	(void)context;
	return job->number == 1 ? key_of_one : 2;
}

/* Its place is that of the key that it has in the plan, though a caller has
 * another one by now. */
TEST(changed_on_a_clone_by_key)
{
	struct fair_config c = { .order = FAIR_ORDER_KEY, .key = first_by_key };
	struct why_clone clone;
	struct fair_why why;
	struct asked w;

	for (c.policy = FAIR_PC; c.policy <= FAIR_DC; c.policy++) {
		key_of_one = 1;
		crowded_by(&w, &c);
		step(&w, 20);
		key_of_one = 3;
		why_clone_open(&clone, &w.s);
		fair_sched_resize_in_place(&clone.s,
					   fair_sched_find(&clone.s, 1), 6, 50);
		(void)why_step(&clone.s, 20, UINT64_MAX);
		TEST_EQ(fair_sched_why(&clone.s, 1, NULL, 0, &why), 0);
		TEST_EQ(why.ahead, 0);
		free(clone.memory);
		free(w.memory);
	}
}

/* Random events; after each third one a waiting job is asked about. */
static void ask(const struct fair_config *config, uint32_t seed)
{
	uint64_t number;
	uint32_t i;
	struct asked w = { .random = seed, .config = *config };

	begin(&w);
	for (i = 0; i < EVENTS; i++) {
		event(&w);
		(void)why_step(&w.s, w.now, UINT64_MAX);
		number = any(&w, i % 9 ? FAIR_QUEUED : FAIR_INELIGIBLE);
		if (i % 3 || number == UINT64_MAX)
			continue;
		why_check(&w.s, number);
		w.asked++;
	}
	TEST_CHECK(w.asked > EVENTS / 20);
	free(w.memory);
}

static bool exists(uint32_t policy, uint32_t order)
{
	if (policy == FAIR_CONSERVATIVE || policy == FAIR_RELSHARE)
		return order == FAIR_ORDER_FCFS;
	return (order != FAIR_ORDER_LXF && order != FAIR_ORDER_USAGE) ||
	       (policy != FAIR_PC && policy != FAIR_DC);
}

static void every_policy(uint32_t seed)
{
	struct fair_config c = { 0 };

	for (c.policy = FAIR_FCFS; c.policy <= FAIR_RELSHARE; c.policy++) {
		for (c.order = 0; c.order <= FAIR_ORDER_USAGE; c.order++) {
			if (!exists(c.policy, c.order))
				continue;
			c.depth = c.policy == FAIR_RELSHARE ? 1 : seed;
			ask(&c, seed);
		}
	}
}

static void every_selection(uint32_t seed)
{
	struct fair_config c = { .policy = FAIR_BACKFILL, .depth = seed };

	for (c.select = FAIR_BESTFIT; c.select <= FAIR_NOFIT; c.select++) {
		c.order = seed % 2 ? FAIR_ORDER_FCFS : FAIR_ORDER_LXF;
		c.metric = seed % 3;
		c.longest = seed % 2;
		ask(&c, seed);
	}
}

TEST(sizes_on_clones)
{
	uint32_t seed;

	for (seed = SOME(5 - TEST_ROUNDS(4), 3); seed < 5; seed++) {
		every_policy(seed);
		every_selection(seed);
	}
}

static void count_promise(void *context, const struct fair_promise *promise)
{
	(void)promise;
	++*(int *)context;
}

/* What is tried on a clone is reported as a promise of no job. */
TEST(asked_why)
{
	struct fair_why why;
	struct site x;
	int promises = 0;

	open_site(&x, FAIR_DC, 10);
	fair_sched_report_to(&x.s, count_promise, &promises);
	enqueue(&x.s, 1, 6, 100);
	enqueue(&x.s, 2, 8, 100);
	enqueue(&x.s, 3, 4, 300);	/* in whose way 2 is */
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(promises, 3);
	TEST_EQ(fair_sched_why(&x.s, 2, x.other, x.more, &why), 0);
	TEST_EQ(why.procs, 4);
	TEST_EQ(promises, 3);
	close_site(&x);
}

/* Behind an overrun the job before it comes first, whatever it leaves room for. */
TEST(behind_an_overrun)
{
	struct fair_why why;
	struct site x;

	open_site(&x, FAIR_CONSERVATIVE, 3);
	enqueue(&x.s, 5, 1, 4);
	enqueue(&x.s, 2, 3, 1);
	enqueue(&x.s, 3, 1, 5);
	TEST_EQ(started(&x.s, 0), 5);
	TEST_EQ(started(&x.s, 4), 0);
	TEST_EQ(fair_sched_why(&x.s, 3, x.other, x.more, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blocker[0].number, 2);
	TEST_EQ(why.walltime, 1);
	TEST_EQ(why.promise, 6);
	close_site(&x);
}
