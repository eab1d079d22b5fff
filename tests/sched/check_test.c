/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fair_sched_check() names the first invariant that is broken: each is broken
 * here by hand, through private fields of the scheduler.
 */
#define FAIR_QUEUE_BLOCK 2 /* few jobs are several rows */
#define FAIR_SIMULATED_ROUNDS 1024
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/world.h"
#include "tests/advance.h"
#include "tests/ineligible.h"
#include "tests/site.h"

#define BREAK(field, value, invariant) \
	TEST_WITH(field, value, fair_sched_check(s), invariant)

static void invariants_of_any_policy(struct fair_sched *s)
{
	struct fair_live *running = fair_sched_find(s, 1);
	struct fair_live *queued = fair_sched_find(s, 3);

	BREAK(running->queued.rank.key, 59, 2); /* behind one that ends at 60 */
	BREAK(s->running.jobs, s->running.jobs + 1, 2);
	BREAK(s->jobs, s->jobs + 1, 2);
	BREAK(s->slots, s->slots + 1, 2);
	BREAK(queued->state, FAIR_RUNNING, 2);
	BREAK(running->state, FAIR_QUEUED, 2);
	BREAK(s->hash[fair_sched_find_entry(s, 3)], 0, 2);
	BREAK(s->hash[fair_sched_find_entry(s, 1)], 0, 2);
	BREAK(s->busy, s->busy + 1, 3);
	BREAK(s->now, 61, 3); /* 2 should have ended at 60 */
}

static void invariants_of_promises(struct fair_sched *s)
{
	struct fair_live *started = fair_sched_find(s, 2);
	struct fair_live *queued = fair_sched_find(s, 3);
	uint32_t *planned = &promising_of(s)->plan.jobs;

	/* amid a step */
	BREAK(started->queued.rank.key, started->queued.rank.key - 1, 4);
	BREAK(*planned, *planned + 1, 1);
	BREAK(s->procs, s->busy - 1, 3);
	BREAK(s->procs, s->procs + 1, 4);
	BREAK(queued->queued.walltime, queued->queued.walltime + 1, 4);
	BREAK(s->now, -1, 4);
	BREAK(queued->first_promise, queued->first_promise - 1, 5);
	queued->first_promise--;
	queued->cause = FAIR_CAUSE_CAPACITY;
	TEST_EQ(fair_sched_check(s), 0);
}

static void invariants_of_plans(struct fair_sched *s)
{
	struct fair_backfill *b = afresh_of(s);

	BREAK(b->queue.jobs, b->queue.jobs + 1, 1);
	BREAK(b->reserved, b->reserved + 5, 1);
	BREAK(b->free, b->free - 1, 1);
	BREAK(s->procs, s->procs + 1, 3);
}

/* What the policy counts is what runs. */
TEST(invariants_of_parts)
{
	struct fair_config config = { .policy = FAIR_SFS, .accounts = 1 };
	struct fair_relshare *relshare;
	struct fair_sched *s;
	struct world w;

	s = &w.s;
	open_world_of(&w, &config);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	BREAK(sfs_of(s)->allocation[0].target, -1, 3);
	sfs_of(s)->busy++;
	sfs_of(s)->allocation[0].occupancy++;
	TEST_EQ(fair_sched_check(s), 3);
	sfs_of(s)->busy--;
	sfs_of(s)->allocation[0].occupancy--;
	close_world(&w);
	config.policy = FAIR_RELSHARE;
	config.users = 1;
	config.window = 10;
	open_world_of(&w, &config);
	submit(&w, 0, 1, 50, 6);
	TEST_EQ(step(&w, 0), 1);
	relshare = relshare_of(s);
	BREAK(relshare->busy, relshare->busy + 1, 3);
	close_world(&w);
}

TEST(invariants_broken_by_hand)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		busy_world(&w, policy);
		invariants_of_any_policy(&w.s);
		if (policy < FAIR_CONSERVATIVE)
			invariants_of_plans(&w.s);
		else
			invariants_of_promises(&w.s);
		close_world(&w);
	}
}

TEST(invariants_of_ineligible_jobs)
{
	struct fair_eligibility u = until(0, 0, 0, true);
	struct fair_sched *s;
	struct fair_ineligible *a;
	struct world w;

	s = &w.s;
	busy(&w, FAIR_CONSERVATIVE);
	TEST_OK(submit_if(&w, 0, 7, u));
	TEST_OK(submit_if(&w, 0, 8, u));
	a = s->ineligible;
	BREAK(s->ineligibles, 1, 2);
	BREAK(fair_sched_find(s, 7)->state, FAIR_QUEUED, 2);
	BREAK(a[0], a[1], 2);
	BREAK(a[1], a[0], 2);
	BREAK(s->hash[fair_sched_find_entry(s, 8)], 0, 2);
	BREAK(s->config.ineligible, 1, 2);
	close_world(&w);
}

/* They are in force or to come, not empty, and in the order of their numbers. */
TEST(invariants_of_advance_reservations)
{
	struct fair_sched *s;
	struct advance x;

	s = &x.s;
	open_advance(&x, FAIR_PC);
	TEST_OK(book(&x, 0, 1, 5, 6, 1, true));
	TEST_OK(book(&x, 0, 2, 5, 7, 1, true));
	TEST_EQ(fair_sched_check(s), 0);
	BREAK(s->advance[1].number, 1, 2);
	BREAK(s->advance[1].to, 5, 2);
	s->advance[0].from = -9;
	BREAK(s->advance[0].to, 0, 2); /* it is over */
	s->advance[0].from = 5;
	close_advance(&x);
}

TEST(invariants_of_reservation_jobs)
{
	struct fair_ineligible *a;
	struct fair_live *j;
	struct fair_sched *s;
	struct advance x;
	uint32_t slot, *bound;

	s = &x.s;
	open_advance(&x, FAIR_FCFS);
	TEST_OK(book(&x, 0, 7, 10, 50, 6, false));
	TEST_OK(invite(&x, 0, 1, 6, 10));
	TEST_OK(invite(&x, 0, 2, 6, 30));
	TEST_EQ(fair_sched_check(s), 0);
	a = s->ineligible + 1;
	j = s->live + a->slot;
	BREAK(j->queued.rank.key, 19, 6);
	BREAK(j->queued.rank.key, FAIR_FOREVER, 6); /* no cause */
	BREAK(a->is_planned, false, 6);
	BREAK(s->bound_jobs, s->bound_jobs - 1, 2);
	TEST_OK(add(&x, 0, 3, 1, 5));
	TEST_EQ(starts(&x, 0), 1);
	slot = fair_sched_slot(s, fair_sched_find(s, 3));
	TEST_EQ(starts(&x, 10), 1);
	TEST_EQ(s->running_bound_jobs, 1);
	BREAK(s->running_bound_jobs, 0, 2);
	bound = s->running_bound_job;
	BREAK(bound[0], slot, 2);		     /* no reservation job */
	BREAK(bound[0], s->ineligible[0].slot, 2); /* does not run */
	close_advance(&x);
	open_advance(&x, FAIR_FCFS);
	TEST_OK(book(&x, 0, 7, 0, 50, 6, false));
	TEST_OK(invite(&x, 0, 1, 3, 10));
	TEST_OK(invite(&x, 0, 2, 3, 10));
	TEST_OK(add(&x, 0, 3, 1, 5));
	TEST_EQ(starts(&x, 0), 3);
	slot = fair_sched_slot(s, fair_sched_find(s, 3));
	BREAK(s->running_bound_job[1], slot, 2);
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
		TEST_WITH(j->state, FAIR_RUNNING, fair_sched_check(&x.s), 2);
		/* Other planners do not keep what another policy promised. */
		TEST_WITH(j->first_promise, j->queued.rank.key - 1,
			  fair_sched_check(&x.s), has_promises(policy) ? 5 : 0);
		close_site(&x);
	}
}

/* So many nodes, of as many processors and as much memory together. */
static void open_nodes(struct world *w, int32_t nodes, int32_t procs,
		       int32_t memory)
{
	static int32_t count[1], amount[2];
	static const struct fair_machine_config machine = { 2, 1, 0, amount };
	static const struct fair_node_config on = { count, 1, 64, false };
	const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				       .procs = procs,
				       .advances = 2,
				       .machine = &machine,
				       .nodes = &on };

	count[0] = nodes;
	amount[0] = procs;
	amount[1] = memory;
	open_world_of(w, &c);
}

/* Set 1 is withheld, or one node if it is empty. */
static void withhold(struct world *w, uint64_t number, int64_t from, int64_t to,
		     uint32_t set)
{
	const struct fair_advance b = { .number = number,
					.from = from,
					.to = to,
					.kind = FAIR_ADVANCE_USER,
					.nodes = !set,
					.named = set };

	TEST_OK(fair_sched_advance_reserve(&w->s, w->s.now, &b, false));
}

/* A job of one node, bound to advance reservation 7, starts. */
static void run_inside(struct world *w, int32_t procs, bool exclusive)
{
	struct fair_job j = a_job(1, 0, 10, procs);

	j.chunks = 1;
	j.exclusive = exclusive;
	j.advance = 7;
	TEST_OK(fair_sched_submit(&w->s, 0, &j));
	TEST_EQ(step(w, 0), 1);
}

/* What a job holds of a node that is withheld: as much as a count can be, or
 * all of the node, which is the second. */
TEST(jobs_on_withheld_nodes)
{
	struct world w;

	open_nodes(&w, 1, INT32_MAX, 1);
	withhold(&w, 7, 0, 50, 0);
	run_inside(&w, INT32_MAX, false);
	close_world(&w);
	open_nodes(&w, 2, 8, 20);
	TEST_OK(fair_sched_set_node(&w.s, 1, 1, true));
	withhold(&w, 7, 0, 50, 1);
	run_inside(&w, 1, true);
	close_world(&w);
}

/* Of each resource, too. */
TEST(widest_jobs_of_a_machine)
{
	static const int32_t amount[2] = { INT32_MAX, 1 };
	static const struct fair_machine_config machine = { 2, 1, 0, amount };
	const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				       .procs = INT32_MAX,
				       .machine = &machine };
	struct world w;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, INT32_MAX);
	TEST_EQ(step(&w, 0), 1);
	submit(&w, 0, 2, 10, INT32_MAX);
	TEST_EQ(look(&w, 2).start, 10);
	close_world(&w);
}

/* Each time is compared at which what can be planned changes: an end amid ends,
 * a begin amid begins. Node 0 is withheld twice. */
TEST(times_that_are_compared)
{
	struct fair_live *j;
	struct world w;

	open_nodes(&w, 64, 64, 64);
	withhold(&w, 7, 5, 8, 0);
	withhold(&w, 8, 20, 30, 0);
	TEST_CHECK(fair_sched_advance_has_node(&w.s, 8, 0));
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_WITH(w.s.advance[0].from, 3, fair_sched_check(&w.s), 4);
	submit(&w, 0, 1, 50, 1);
	submit(&w, 0, 2, 60, 1);
	TEST_EQ(step(&w, 0), 12);
	j = fair_sched_find(&w.s, 1);
	TEST_WITH(j->queued.rank.key, 49, fair_sched_check(&w.s), 4);
	close_world(&w);
}

TEST(broken_ledger)
{
	struct world w;

	open_usage(&w, 0);
	TEST_WITH(usage_of(&w.s)->latest, 1, fair_sched_check(&w.s), 3);
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
	TEST_WITH(w.s.config.jobs, w.s.jobs, fair_sched_check(&w.s), 2);
	for (n = 10; n < 13; n++)
		TEST_OK(submit_if(&w, 0, n, held));
	w.s.config.jobs = 3;
	TEST_WITH(w.s.config.ineligible, 0, fair_sched_check(&w.s), 2);
	w.s.config.jobs = w.config.jobs;
	close_world(&w);

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	j.advance = 7;
	j.tasks = 2;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(fair_sched_check(&x.s), 0);
	TEST_WITH(x.s.config.jobs, x.s.jobs, fair_sched_check(&x.s), 2);
	close_site(&x);
}

/* Jobs that wait for each other, as no call makes them, do not stop one. */
TEST(cycle_by_hand)
{
	struct fair_eligibility u = until(0, 0, 0, true);
	struct world w;

	busy(&w, FAIR_FCFS);
	TEST_EQ(submit_if(&w, 0, 7, u), 0);
	TEST_EQ(submit_if(&w, 0, 8, u), 0);
	w.s.ineligible[0].condition = until(0, 8, FAIR_AFTER_ANY, false);
	w.s.ineligible[1].condition = until(0, 7, FAIR_AFTER_ANY, false);
	u = until(0, 7, FAIR_AFTER_ANY, false);
	TEST_EQ(submit_if(&w, 0, 9, u), 0);
	close_world(&w);
}
