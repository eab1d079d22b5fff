/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fair_sched_check() names the first invariant that is broken: each is broken
 * here by hand, through private fields of the scheduler.
 */
#define FAIR_QUEUE_BLOCK 2 /* few jobs are several rows */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/world.h"
#include "tests/advance.h"
#include "tests/ineligible.h"
#include "tests/site.h"

/* What broke it is undone by taking the kept bytes back. */
static void broken(struct world *w, int invariant)
{
	TEST_EQ(fair_sched_check(&w->s), invariant);
	w->s = w->was;
	memcpy(w->memory, w->kept, w->bytes);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void invariants_of_any_policy(struct world *w)
{
	struct fair_live *running = fair_sched_find(&w->s, 1);
	struct fair_live *queued = fair_sched_find(&w->s, 3);

	running->queued.rank.key = 59; /* behind one that ends at 60 */
	broken(w, 2);
	w->s.running.jobs++;
	broken(w, 2);
	w->s.jobs++;
	broken(w, 2);
	w->s.slots++;
	broken(w, 2);
	queued->state = FAIR_RUNNING;
	broken(w, 2);
	running->state = FAIR_QUEUED;
	broken(w, 2);
	w->s.hash[fair_sched_find_entry(&w->s, 3)] = 0;
	broken(w, 2);
	w->s.hash[fair_sched_find_entry(&w->s, 1)] = 0;
	broken(w, 2);
	w->s.busy++;
	broken(w, 3);
	w->s.now = 61; /* 2 should have ended at 60 */
	broken(w, 3);
}

static void invariants_of_promises(struct world *w)
{
	struct fair_live *queued = fair_sched_find(&w->s, 3);

	fair_sched_find(&w->s, 2)->queued.rank.key--; /* amid a step */
	broken(w, 4);
	promising_of(&w->s)->plan.jobs++;
	broken(w, 1);
	w->s.procs = w->s.busy - 1;
	broken(w, 3);
	w->s.procs++;
	broken(w, 4);
	queued->queued.walltime++;
	broken(w, 4);
	w->s.now = -1;
	broken(w, 4);
	queued->first_promise--;
	broken(w, 5);
	queued->first_promise--;
	queued->cause = FAIR_CAUSE_CAPACITY;
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void invariants_of_plans(struct world *w)
{
	afresh_of(&w->s)->queue.jobs++;
	broken(w, 1);
	afresh_of(&w->s)->reserved += 5;
	broken(w, 1);
	afresh_of(&w->s)->free--;
	broken(w, 1);
	w->s.procs++;
	broken(w, 3);
}

/* What the policy counts is what runs. */
TEST(invariants_of_parts)
{
	struct world w;
	struct fair_config config = { .policy = FAIR_SFS, .accounts = 1 };

	open_world_of(&w, &config);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	sfs_of(&w.s)->busy++;
	sfs_of(&w.s)->allocation[0].occupancy++;
	broken(&w, 3);
	sfs_of(&w.s)->allocation[0].target = -1;
	broken(&w, 3);
	close_world(&w);
	config.policy = FAIR_RELSHARE;
	config.users = 1;
	config.window = 10;
	open_world_of(&w, &config);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	relshare_of(&w.s)->busy++;
	broken(&w, 3);
	close_world(&w);
}

TEST(invariants_broken_by_hand)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_world(&w, policy);
		invariants_of_any_policy(&w);
		if (policy < FAIR_CONSERVATIVE)
			invariants_of_plans(&w);
		else
			invariants_of_promises(&w);
		close_world(&w);
	}
}

TEST(invariants_of_ineligible_jobs)
{
	struct fair_eligibility u = until(0, 0, 0, true);
	struct fair_ineligible a;
	struct world w;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(submit_held(&w, 0, 7, u), 0);
	TEST_EQ(submit_held(&w, 0, 8, u), 0);
	keep(&w);
	w.s.ineligibles--;
	broken(&w, 2);
	fair_sched_find(&w.s, 7)->state = FAIR_QUEUED;
	broken(&w, 2);
	a = w.s.ineligible[0];
	w.s.ineligible[0] = w.s.ineligible[1];
	w.s.ineligible[1] = a;
	broken(&w, 2);
	w.s.ineligible[1] = w.s.ineligible[0];
	broken(&w, 2);
	w.s.hash[fair_sched_find_entry(&w.s, 8)] = 0;
	broken(&w, 2);
	w.s.config.ineligible = 1;
	broken(&w, 2);
	close_world(&w);
}

/* They are in force or to come, not empty, and in the order of their numbers. */
TEST(invariants_of_advance_reservations)
{
	struct fair_advance *b;
	struct advance x;

	open_advance(&x, FAIR_PC);
	b = x.s.advance;
	TEST_EQ(book(&x, 0, 1, 5, 6, 1, true), 0);
	TEST_EQ(book(&x, 0, 2, 5, 7, 1, true), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
	b[1].number = 1;
	TEST_EQ(fair_sched_check(&x.s), 2);
	b[1].number = 2;
	b[1].to = 5;
	TEST_EQ(fair_sched_check(&x.s), 2);
	b[1].to = 7;
	b[0].from = -9;
	b[0].to = 0; /* it is over */
	TEST_EQ(fair_sched_check(&x.s), 2);
	b[0].from = 5;
	b[0].to = 6;
	close_advance(&x);
}

TEST(invariants_of_reservation_jobs)
{
	struct fair_live *j;
	struct advance x;
	uint32_t slot, i;

	open_advance(&x, FAIR_FCFS);
	TEST_EQ(book(&x, 0, 7, 10, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 6, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 6, 30), 0);
	TEST_EQ(fair_sched_check(&x.s), 0);
	j = x.s.live + x.s.ineligible[1].slot;
	j->queued.rank.key--;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.ineligible[1].reported_start--;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.ineligible[1].reported_start = j->queued.rank.key = FAIR_FOREVER;
	TEST_EQ(fair_sched_check(&x.s), 6);	/* no cause */
	x.s.ineligible[1].reported_start = j->queued.rank.key = 20;
	x.s.ineligible[1].reported_start++;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.ineligible[1].reported_start--;
	x.s.ineligible[1].is_planned = false;
	TEST_EQ(fair_sched_check(&x.s), 6);
	x.s.ineligible[1].is_planned = true;
	x.s.bound_jobs--;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.bound_jobs++;
	TEST_EQ(add(&x, 0, 3, 1, 5), 0);
	TEST_EQ(starts(&x, 0), 1);
	slot = fair_sched_slot(&x.s, fair_sched_find(&x.s, 3));
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(x.s.running_bound_jobs, 1);
	x.s.running_bound_jobs = 0;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.running_bound_jobs = 1;
	i = x.s.running_bound_job[0];
	x.s.running_bound_job[0] = slot;	/* no reservation job */
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.running_bound_job[0] = x.s.ineligible[0].slot;	/* does not run */
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.running_bound_job[0] = i;
	close_advance(&x);
	open_advance(&x, FAIR_FCFS);
	TEST_EQ(book(&x, 0, 7, 0, 50, 6, false), 0);
	TEST_EQ(invite(&x, 0, 1, 3, 10), 0);
	TEST_EQ(invite(&x, 0, 2, 3, 10), 0);
	TEST_EQ(add(&x, 0, 3, 1, 5), 0);
	TEST_EQ(starts(&x, 0), 3);
	i = x.s.running_bound_job[1];
	x.s.running_bound_job[1] = fair_sched_slot(&x.s, fair_sched_find(&x.s, 3));
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.running_bound_job[1] = i;
	close_advance(&x);
}

static void open_usage(struct world *w, int64_t half_life)
{
	open_usage_by(w, FAIR_FCFS, half_life);
}

/* Jobs as wide as a count can be are checked, too. */
TEST(invariants_of_widest_jobs)
{
	struct fair_live *j;
	struct site x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_site(&x, policy, INT32_MAX);
		enqueue(&x.s, 1, INT32_MAX, 10);
		enqueue(&x.s, 2, INT32_MAX, 10);
		TEST_EQ(started(&x.s, 0), 1);
		j = fair_sched_find(&x.s, 2);
		j->state = FAIR_RUNNING;
		TEST_EQ(fair_sched_check(&x.s), 2);
		j->state = FAIR_QUEUED;
		if (has_promises(policy)) {
			j->first_promise--;
			TEST_EQ(fair_sched_check(&x.s), 5);
			j->first_promise++;
		}
		close_site(&x);
	}
}

TEST(broken_ledger)
{
	struct world w;

	open_usage(&w, 0);
	usage_of(&w.s)->latest++;
	TEST_EQ(fair_sched_check(&w.s), 3);
	usage_of(&w.s)->latest--;
	close_world(&w);
}

/* A job without a slot for its next task is neither queued nor planned. */
TEST(invariants_of_slots)
{
	struct fair_eligibility held = until(0, 0, 0, true);
	struct fair_job j = job_of(1, 1, 5);
	struct world w;
	struct site x;
	uint64_t n;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 5, 4), 0);
	keep(&w);
	w.s.config.jobs = w.s.jobs;
	broken(&w, 2);
	for (n = 10; n < 13; n++)
		TEST_EQ(submit_held(&w, 0, n, held), 0);
	keep(&w);
	w.s.config.jobs = 3;
	w.s.config.ineligible = 0;
	broken(&w, 2);
	close_world(&w);

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	j.advance = 7;
	j.tasks = 2;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(fair_sched_check(&x.s), 0);
	x.s.config.jobs = x.s.jobs;
	TEST_EQ(fair_sched_check(&x.s), 2);
	x.s.config.jobs = x.config.jobs;
	close_site(&x);
}

/* Jobs that wait for each other, as no call makes them, do not stop one. */
TEST(cycle_by_hand)
{
	struct fair_eligibility u = until(0, 0, 0, true);
	struct world w;

	busy(&w, FAIR_FCFS);
	TEST_EQ(submit_held(&w, 0, 7, u), 0);
	TEST_EQ(submit_held(&w, 0, 8, u), 0);
	w.s.ineligible[0].condition = until(0, 8, FAIR_AFTER_ANY, false);
	w.s.ineligible[1].condition = until(0, 7, FAIR_AFTER_ANY, false);
	u = until(0, 7, FAIR_AFTER_ANY, false);
	TEST_EQ(submit_held(&w, 0, 9, u), 0);
	close_world(&w);
}
