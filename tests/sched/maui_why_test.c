/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Why a job waits under Maui: behind the end of the first pass, where backfill
 * may not start it, and for a reservation that another job keeps.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/maui_site.h"
#include "fuzz/why_check.h"

#define SEEDS TEST_ROUNDS(200)

static struct fair_why why(const struct maui_site *x, uint64_t number)
{
	static char memory[1 << 18];
	struct fair_why w;

	memset(&w, 0, sizeof(w));
	TEST_OK(fair_sched_why(&x->sched, number, memory, sizeof(memory), &w));
	return w;
}

/* Job 0 holds 6 of 10 processors; 1 and 2 are too wide, 3 is of a QoS. */
static size_t crowd(struct maui_site *x, int64_t qos)
{
	struct fair_job narrow = job_of(0, 3, 10);

	x->sched_config.procs = 10;
	site_open(x);
	submit(x, job_of(0, 6, 100));
	submit(x, job_of(0, 8, 50));
	submit(x, job_of(0, 9, 50));
	narrow.qos = (uint32_t)qos;
	submit(x, narrow);
	return step(x, 0);
}

/* A job behind it is told of the first one, which is told of processors alone,
 * as one is that has a reservation. */
TEST(no_backfill)
{
	struct fair_why w;
	struct maui_site x;
	uint32_t depth;
	uint64_t n;

	for (depth = 0; depth < 3; depth++) {
		site_begin(&x);
		x.config.select = FAIR_NOFIT;
		x.config.depth = depth;
		TEST_EQ(crowd(&x, NONE), 1);
		TEST_EQ(why(&x, 1).reasons, FAIR_WHY_PROCS);
		TEST_EQ(why(&x, 2).reasons,
			FAIR_WHY_PROCS | (depth < 2 ? FAIR_WHY_BEHIND : 0));
		TEST_EQ(why(&x, 3).reasons, FAIR_WHY_BEHIND);
		for (n = depth < 2 ? 2 : 3; n < 4; n++) {
			w = why(&x, n);
			TEST_EQ(w.blockers, 1);
			TEST_EQ(w.blocker[0].number, 1);
			TEST_EQ(w.procs + w.walltime, 0);
		}
		site_close(&x);
	}
}

/* A QoS forbids backfill of job 3; the others wait for processors alone. */
TEST(jobs_that_are_not_backfilled)
{
	struct maui_site x;

	site_begin(&x);
	x.qos[1].flags = FAIR_MAUI_NOBF;
	TEST_EQ(crowd(&x, 1), 1);
	TEST_EQ(why(&x, 2).reasons, FAIR_WHY_PROCS);
	TEST_EQ(why(&x, 3).reasons, FAIR_WHY_BEHIND);
	site_close(&x);
	site_begin(&x);
	x.qos[1].flags = FAIR_MAUI_NOBF;
	TEST_EQ(crowd(&x, 0), 2);
	site_close(&x);
}

/* Job 2 of user 2 goes first, but beside the reservation that job 1 keeps. */
TEST(a_kept_reservation)
{
	struct fair_why w;
	struct maui_site x;

	site_begin(&x);
	x.config.depth = 2;
	x.config.reservations = FAIR_MAUI_HIGHEST;
	x.config.priority.weight[FAIR_PRIORITY_USER] = 1;
	x.user[2].priority = 1000;
	x.sched_config.procs = 10;
	site_open(&x);
	submit(&x, job_of(0, 6, 100));
	submit(&x, job_of(0, 8, 50));
	TEST_EQ(step(&x, 0), 1);
	x.now = 10;
	submit(&x, job_of(2, 4, 300));
	TEST_EQ(step(&x, 10), 0);
	w = why(&x, 2);
	TEST_EQ(w.ahead, 0);
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 1);
	TEST_EQ(w.blocker[0].start, 100);
	TEST_EQ(w.procs, 2);
	TEST_EQ(w.walltime, 90);
	TEST_EQ(why(&x, 1).reasons, FAIR_WHY_PROCS);
	site_close(&x);
}

/* What it would have without the reservation that is kept for it, which begins
 * while it would run. */
TEST(room_without_its_own_reservation)
{
	struct fair_why w;
	struct maui_site x;

	site_begin(&x);
	x.config.reservations = FAIR_MAUI_HIGHEST;
	x.sched_config.procs = 10;
	site_open(&x);
	submit(&x, job_of(0, 6, 100));
	submit(&x, job_of(0, 8, 150));
	TEST_EQ(step(&x, 0), 1);
	TEST_OK(fair_sched_why(&x.sched, 1, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_PROCS);
	TEST_EQ(w.procs, 4);
	site_close(&x);
}

/* Job 1 never reserves and lacks processors: that job 2 reserves, and ends the
 * pass, does not hold it back. */
TEST(before_the_end_of_the_pass)
{
	struct fair_job never = job_of(0, 8, 50);
	struct maui_site x;

	site_begin(&x);
	x.config.select = FAIR_NOFIT;
	x.config.depth = 1;
	x.qos[1].flags = FAIR_MAUI_NORESERVATION;
	x.sched_config.procs = 10;
	site_open(&x);
	submit(&x, job_of(0, 6, 100));
	never.qos = 1;
	submit(&x, never);
	submit(&x, job_of(0, 9, 50));
	submit(&x, job_of(0, 3, 10));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(why(&x, 1).reasons, FAIR_WHY_PROCS);
	TEST_EQ(why(&x, 3).reasons, FAIR_WHY_BEHIND);
	site_close(&x);
}

/* The same, but it lacks those of its class alone: the machine has enough. */
TEST(before_the_end_of_the_pass_in_a_class)
{
	static const int32_t amount[] = { 5, 5 };
	static const struct fair_machine_config machine = { 1, 2, 0, amount };
	static const uint8_t first = 0;
	const int32_t procs[] = { 4, 3, 5 };
	struct maui_site x;
	struct fair_job j;
	int i;

	site_begin(&x);
	x.config.select = FAIR_NOFIT;
	x.config.depth = 1;
	x.qos[1].flags = FAIR_MAUI_NORESERVATION;
	x.sched_config.procs = 10;
	x.sched_config.machine = &machine;
	site_open(&x);
	for (i = 0; i < 3; i++) {
		j = job_of(0, procs[i], 100);
		j.classes = &first;
		j.class_count = 1;
		j.amount = procs + i;
		if (i == 1)
			j.qos = 1;
		submit(&x, j);
	}
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(why(&x, 1).reasons, FAIR_WHY_RESOURCE);
	site_close(&x);
}

/* Job 2 is above a soft limit: by soft limits job 3 is the one idle job of its
 * queue, by hard ones it is the second. So backfill may start it, in one of its
 * passes, and it is not said to be behind job 1. */
TEST(an_idle_job_by_soft_limits)
{
	struct fair_job wide = job_of(1, 9, 50), idle = job_of(0, 8, 50);
	struct maui_site x;

	site_begin(&x);
	x.config.depth = 1;
	x.user[1].soft[FAIR_THROTTLE_PROCS] = 3;
	x.class_[0].soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.class_[0].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	x.sched_config.procs = 10;
	site_open(&x);
	submit(&x, job_of(0, 6, 100));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(0, 8, 50));
	wide.queue = idle.queue = 0;
	submit(&x, wide);
	submit(&x, idle);
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(why(&x, 3).reasons, FAIR_WHY_PROCS | FAIR_WHY_LIMIT);
	site_close(&x);
}

/* Jobs 2 and 3 are both reserved at 100, on one node each; job 3 has room on
 * the node of job 2 until then, and is not in its own way. */
TEST(reserved_at_once_on_two_nodes)
{
	static const int32_t amount[] = { 8 }, count[] = { 2 };
	static const struct fair_machine_config machine = { 1, 1, 0, amount };
	static const struct fair_node_config nodes = { count, 2, 32, false };
	static const struct {
		uint32_t named;
		int32_t procs;
		int64_t walltime;
	} asks[] = { { 1, 2, 100 }, { 2, 4, 100 },
		     { 1, 4, 50 },  { 0, 2, 300 } };
	struct fair_why w;
	struct maui_site x;
	struct fair_job j;
	int i;

	site_begin(&x);
	x.config.depth = 2;
	x.config.reservations = FAIR_MAUI_HIGHEST;
	x.sched_config.procs = 8;
	x.sched_config.machine = &machine;
	x.sched_config.nodes = &nodes;
	site_open(&x);
	TEST_OK(fair_sched_set_node(&x.sched, 1, 0, true));
	TEST_OK(fair_sched_set_node(&x.sched, 2, 1, true));
	for (i = 0; i < 4; i++) {
		j = job_of(0, asks[i].procs, asks[i].walltime);
		j.chunks = 1;
		j.named = asks[i].named;
		submit(&x, j);
	}
	TEST_EQ(step(&x, 0), 2);
	TEST_OK(fair_sched_why(&x.sched, 3, NULL, 0, &w));
	TEST_EQ(w.reasons, FAIR_WHY_DELAY);
	TEST_EQ(w.blockers, 1);
	TEST_EQ(w.blocker[0].number, 2);
	TEST_EQ(w.blocker[0].start, 100);
	site_close(&x);
}

/* A held job would be above a limit of its user, which is not what it waits
 * for; once it is released it is. */
TEST(a_held_job)
{
	static const struct fair_eligibility held = { 0, 0, 0, true };
	struct fair_job j = job_of(1, 1, 10);
	struct fair_why w;
	struct maui_site x;

	site_begin(&x);
	x.sched_config.ineligible = 1;
	x.user[1].hard[FAIR_THROTTLE_JOBS] = 1;
	site_open(&x);
	submit(&x, j);
	j.number = x.number++;
	TEST_EQ(fair_sched_submit_ineligible(&x.sched, 0, &j, &held), 0);
	TEST_EQ(step(&x, 0), 1);
	w = why(&x, 1);
	TEST_EQ(w.reasons, FAIR_WHY_INELIGIBLE);
	TEST_EQ(w.limit.asked, 0);
	TEST_EQ(fair_sched_defer(&x.sched, 1, 1, NULL), 0);
	TEST_EQ(step(&x, 1), 0);
	w = why(&x, 1);
	TEST_EQ(w.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(w.limit.asked, 1);
	site_close(&x);
}

static int64_t draw(uint64_t *random, int64_t low, int64_t high)
{
	*random = *random * UINT64_C(6364136223846793005) + 1442695;
	return low + (int64_t)((*random >> 33) % (uint64_t)(high - low + 1));
}

static void draw_site(struct maui_site *x, uint64_t *r)
{
	int i;

	site_begin(x);
	x->sched_config.procs = 10;
	x->config.select = draw(r, 0, 1) ? FAIR_NOFIT
					 : (uint32_t)draw(r, 0, FAIR_GREEDY);
	x->config.depth = (uint32_t)draw(r, 0, 3);
	x->config.reservations = (uint32_t)draw(r, 0, FAIR_MAUI_NEVER);
	x->config.priority.weight[FAIR_PRIORITY_USER] = 1;
	for (i = 0; i < 3; i++)
		x->user[i].priority = draw(r, 0, 100);
	if (draw(r, 0, 1))
		x->user[1].soft[FAIR_THROTTLE_PROCS] = draw(r, 2, 8);
	if (draw(r, 0, 1))
		x->user[2].hard[FAIR_THROTTLE_PROCS] = draw(r, 4, 9);
	for (i = 0; i < 2; i++)
		x->qos[i].flags = (uint32_t)draw(r, 0, 7);
	site_open(x);
}

static void draw_event(struct maui_site *x, uint64_t *r)
{
	int64_t what = draw(r, 0, 5);
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status first;
	struct fair_job j;

	if (what > 3) {
		x->now += draw(r, 0, 8);
	} else if (what == 3) {
		if (fair_sched_each(&x->sched, FAIR_RUNNING, &at, &first))
			TEST_OK(fair_sched_finish(&x->sched, x->now,
						  first.job.number));
	} else {
		j = job_of((uint32_t)draw(r, 0, 2), (int32_t)draw(r, 1, 10),
			   draw(r, 1, 30));
		if (draw(r, 0, 1))
			j.qos = (uint32_t)draw(r, 0, 1);
		j.number = x->number;
		j.submit = x->now;
		if (!fair_sched_submit(&x->sched, x->now, &j))
			x->number++; /* else it is above a limit for ever */
	}
	step(x, x->now);
}

/* A job that nothing is said to prevent starts if the plan is made again. One
 * that is behind another does not, unless reservations were kept for jobs that
 * have started since the pass ended. */
static void ask(const struct maui_site *x, uint64_t number, uint32_t *behind)
{
	struct why_clone clone;
	struct fair_why w;
	uint32_t i;

	if (fair_sched_why(&x->sched, number, NULL, 0, &w))
		return;
	*behind += (w.reasons & FAIR_WHY_BEHIND) != 0;
	for (i = 0; i < w.blockers && i < FAIR_BLOCKERS; i++)
		TEST_CHECK(w.blocker[i].number != number);
	if (!(w.reasons & FAIR_WHY_NOTHING) &&
	    (!(w.reasons & FAIR_WHY_BEHIND) ||
	     x->config.reservations == FAIR_MAUI_HIGHEST))
		return;
	why_clone_open(&clone, &x->sched);
	TEST_OK(fair_sched_replan(&clone.s, clone.s.now));
	TEST_EQ(why_step(&clone.s, clone.s.now, number),
		w.reasons == FAIR_WHY_NOTHING);
	free(clone.memory);
}

TEST(random_sites)
{
	uint32_t behind = 0;
	struct maui_site x;
	uint64_t seed, r, n;

	for (seed = 0; seed < SEEDS; seed++) {
		r = seed * 77777;
		draw_site(&x, &r);
		while (x.number < JOBS / 2) {
			draw_event(&x, &r);
			for (n = 0; n < x.number; n++)
				ask(&x, n, &behind);
		}
		site_close(&x);
	}
	TEST_CHECK(behind > 20 * SEEDS);
}
