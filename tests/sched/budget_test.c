/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Budgets, and limits of cost, by hand: what counts, which jobs wait, refunds,
 * credits, overruns, explanations, checkpoints, conversions.
 */
#include "fairsched.h"
#include "tests/world.h"

static const struct fair_limit of_user_1 = { FAIR_ENTITY_USER,
					     FAIR_LIMIT_BUDGET, 1, 1000 };

/* A machine of 10; user 1 has a budget of 1000 processor-seconds. */
static void open_with_budget(struct world *w, uint32_t policy)
{
	struct fair_config config = { .policy = policy,
				      .limits = 3,
				      .limit = &of_user_1 };

	config.limits = 1;
	open_world_of(w, &config);
}

static void arrive(struct world *w, int64_t now, uint64_t number,
		   int64_t walltime, int32_t procs, uint64_t user)
{
	struct fair_job j = a_job(number, now, walltime, procs);

	j.user = user;
	TEST_OK(fair_sched_submit(&w->s, now, &j));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void set_budget(struct world *w, int64_t now, int64_t amount)
{
	struct fair_limit l = of_user_1;

	l.amount = amount;
	TEST_OK(fair_sched_limit(&w->s, now, &l));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static void finish(struct world *w, int64_t now, uint64_t number)
{
	TEST_OK(fair_sched_finish(&w->s, now, number));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* 1 and 2 take 900 of 1000, so that 3 has no promise, and 4, which is smaller,
 * has: it did not wait behind 3 when it came. */
TEST(a_job_beyond_it)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		open_with_budget(&w, policy);
		arrive(&w, 0, 1, 100, 5, 1);
		arrive(&w, 0, 2, 40, 10, 1);
		arrive(&w, 0, 3, 20, 10, 1);
		arrive(&w, 0, 4, 10, 10, 1);
		arrive(&w, 0, 5, 20, 10, 2);
		TEST_EQ(look(&w, 2).start, 100);
		TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
		TEST_EQ(look(&w, 4).start, 140);
		TEST_EQ(look(&w, 5).start, 150);
		TEST_EQ(look(&w, 3).moves, 0);
		close_world(&w);
	}
}

/* 4 is held back behind 3, for which a refund is too little; a retry lets it ask
 * again, as a job that comes does. */
TEST(a_retry_asks_again)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		open_with_budget(&w, policy);
		arrive(&w, 0, 1, 100, 5, 1);
		arrive(&w, 0, 2, 40, 10, 1);
		arrive(&w, 0, 3, 20, 10, 1);
		arrive(&w, 0, 4, 15, 10, 1);
		TEST_EQ(step(&w, 0), 1);
		finish(&w, 90, 1);
		TEST_EQ(look(&w, 4).start, FAIR_FOREVER);
		TEST_OK(fair_sched_retry(&w.s, 90, 3));
		TEST_OK(fair_sched_retry(&w.s, 90, 4));
		TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
		TEST_EQ(look(&w, 4).start, 130);
		close_world(&w);
	}
}

/* 3 gets a promise behind 2, which is shorter, and stays behind it. */
TEST(it_is_placed_by_its_priority)
{
	const struct fair_config config = { .policy = FAIR_PC,
					    .order = FAIR_ORDER_SJF,
					    .limits = 1,
					    .limit = &of_user_1 };
	struct world w;

	open_world_of(&w, &config);
	set_budget(&w, 0, 400);
	arrive(&w, 0, 1, 100, 10, 9);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 20, 10, 2);
	arrive(&w, 0, 3, 40, 10, 1);
	set_budget(&w, 0, 300);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	set_budget(&w, 0, 1000);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(look(&w, 3).start, 120);
	finish(&w, 10, 1);
	TEST_EQ(look(&w, 2).start, 10);
	TEST_EQ(look(&w, 3).start, 30);
	close_world(&w);
}

/* The same afresh: what starts counts, and what is reserved. */
TEST(one_that_plans_afresh_passes_over)
{
	struct world w;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_BACKFILL; policy++) {
		open_with_budget(&w, policy);
		arrive(&w, 0, 1, 100, 5, 1);
		arrive(&w, 0, 2, 200, 3, 1);
		arrive(&w, 0, 3, 100, 2, 2);
		arrive(&w, 0, 4, 100, 2, 1);
		TEST_EQ(step(&w, 0), 134);
		finish(&w, 10, 1);
		TEST_EQ(fair_sched_get_spent(&w.s, &of_user_1), 50);
		TEST_EQ(step(&w, 10), 2);
		finish(&w, 30, 2);
		TEST_EQ(fair_sched_get_spent(&w.s, &of_user_1), 110);
		close_world(&w);
	}
}

/* 1 ends 60 s early: 600 more are left. By (submit, number) 4 is before 3, and
 * fits; 3 does not, and holds back 5, which would. 6 waits for no budget. */
TEST(refunds)
{
	struct fair_job j = a_job(4, -5, 60, 10);
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 100, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 3, 30, 10, 1);
	arrive(&w, 0, 5, 1, 1, 1);
	j.user = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	arrive(&w, 0, 6, 10, 10, 2);
	TEST_EQ(look(&w, 6).start, 100);
	finish(&w, 40, 1);
	TEST_EQ(look(&w, 6).start, 100); /* placed anew behind 4 */
	TEST_EQ(look(&w, 4).start, 40);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 5).start, FAIR_FOREVER);
	TEST_EQ(step(&w, 40), 4);
	/* The one in front leaves: 5 is tried. */
	finish(&w, 50, 4);
	TEST_EQ(step(&w, 50), 3);
	TEST_EQ(look(&w, 5).start, 80);
	TEST_EQ(look(&w, 6).start, 81);
	close_world(&w);
}

/* A job of a user without room is in an account that has: only the jobs of that
 * user wait behind it. */
TEST(of_two_budgets)
{
	const struct fair_limit account = { FAIR_ENTITY_ACCOUNT,
					    FAIR_LIMIT_BUDGET, 7, 110 };
	struct fair_config config = { .policy = FAIR_PC, .limits = 2 };
	struct fair_job j = a_job(1, 0, 10, 10);
	struct fair_limit user = of_user_1;
	struct world w;

	user.amount = 50;
	open_world_of(&w, &config);
	TEST_OK(fair_sched_limit(&w.s, 0, &account));
	TEST_OK(fair_sched_limit(&w.s, 0, &user));
	j.account = 7;
	j.user = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j)); /* of the account's */
	j.number = 2;
	j.user = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 3;
	j.walltime = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 4;
	j.user = 3;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	finish(&w, 0, 1);
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	TEST_EQ(step(&w, 0), 4);
	close_world(&w);
}

/* An overrun takes no promise away, not even in the loss that it is; what it
 * used counts at its end. */
TEST(overruns)
{
	struct world w;

	open_with_budget(&w, FAIR_DC);
	arrive(&w, 0, 1, 50, 10, 1);
	arrive(&w, 0, 2, 50, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(step(&w, 60), 0);
	finish(&w, 62, 1);
	TEST_EQ(fair_sched_get_spent(&w.s, &of_user_1), 620);
	arrive(&w, 62, 3, 1, 1, 1);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	TEST_OK(fair_sched_capacity(&w.s, 62, -1, NULL, 0));
	TEST_EQ(look(&w, 2).start, FAIR_FOREVER);
	TEST_OK(fair_sched_capacity(&w.s, 62, 1, NULL, 0));
	/* It lost its promise to the machine: there is no budget for another. */
	TEST_EQ(step(&w, 62), 0);
	TEST_OK(fair_sched_set_spent(&w.s, 62, &of_user_1, 500));
	TEST_EQ(step(&w, 62), 2);
	close_world(&w);
}

/* 1 has spent what is left for 2, which keeps its promise all the same, also as
 * its user may have fewer processors. */
TEST(another_limit_is_lowered)
{
	static const struct fair_limit both[2] = {
		{ FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, 1, 1000 },
		{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 1, 9 }
	};
	const struct fair_config config = { .policy = FAIR_CONSERVATIVE,
					    .limits = 2,
					    .limit = both };
	struct fair_limit fewer = both[1];
	struct world w;

	open_world_of(&w, &config);
	arrive(&w, 0, 1, 100, 5, 1);
	arrive(&w, 0, 9, 400, 5, 2);
	TEST_EQ(step(&w, 0), 19);
	arrive(&w, 0, 2, 80, 6, 1);
	finish(&w, 200, 1);
	TEST_EQ(fair_sched_get_spent(&w.s, both), 1000);
	TEST_EQ(look(&w, 2).start, 400);
	fewer.amount = 8;
	TEST_OK(fair_sched_limit(&w.s, 200, &fewer));
	TEST_EQ(step(&w, 200), 0);
	TEST_EQ(look(&w, 2).start, 400);
	close_world(&w);
}

/* By turn: 2 keeps what it has, 3 does not. */
TEST(lowered_and_raised)
{
	struct fair_limit l = of_user_1;
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 10, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 40, 10, 1);
	arrive(&w, 0, 3, 20, 10, 1);
	set_budget(&w, 0, 600);
	TEST_EQ(look(&w, 2).start, 10);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	TEST_EQ(look(&w, 3).cause, FAIR_CAUSE_LIMIT);
	set_budget(&w, 0, 700);
	TEST_EQ(look(&w, 3).start, 50);
	TEST_OK(fair_sched_set_spent(&w.s, 0, &l, 200));
	TEST_EQ(look(&w, 2).start, 10);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	l.kind = FAIR_LIMIT_KINDS;
	TEST_EQ(fair_sched_set_spent(&w.s, 0, &l, 300), -FAIR_EINVAL);
	TEST_EQ(fair_sched_set_spent(&w.s, -1, NULL, 300), -FAIR_ETIME);
	l.kind = of_user_1.kind;
	/* It is gone, and what was spent of it. */
	set_budget(&w, 0, FAIR_LIMIT_NONE);
	TEST_EQ(look(&w, 3).start, 50);
	TEST_EQ(fair_sched_get_spent(&w.s, &l), 0);
	close_world(&w);
}

/* Nothing is spent of a limit of a kind that there is not, nor of an id. */
TEST(spent_of_no_kind)
{
	const struct fair_config c = { .policy = FAIR_BACKFILL,
				       .users = 1,
				       .ids = 1,
				       .limits = 1 };
	struct fair_limit l = of_user_1;
	struct world w;

	open_world_of(&w, &c);
	TEST_EQ(fair_sched_get_spent(&w.s, &l), 0);
	l.kind = FAIR_LIMIT_KINDS;
	TEST_EQ(fair_sched_get_spent(&w.s, &l), 0);
	l.kind = 1U << 24;
	TEST_EQ(fair_sched_get_spent(&w.s, &l), 0);
	close_world(&w);
}

/* Nothing changes: what job 2 has of the budget is not for job 3. */
TEST(as_much_as_was_spent)
{
	struct fair_limit l = of_user_1;
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 10, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 40, 10, 1);
	TEST_OK(fair_sched_set_spent(&w.s, 0, &l,
				     fair_sched_get_spent(&w.s, &l)));
	TEST_EQ(look(&w, 2).start, 10);
	arrive(&w, 0, 3, 55, 10, 1);
	TEST_EQ(look(&w, 3).start, FAIR_FOREVER);
	close_world(&w);
}

/* The same while a reaction is owed: job 2 is not planned anew before a step. */
TEST(as_much_after_a_refusal)
{
	struct fair_limit l = of_user_1;
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 10, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 10, 5, 1);
	TEST_OK(fair_sched_refuse_until(&w.s, 0, 1, 100));
	TEST_EQ(look(&w, 2).start, 10);
	TEST_OK(fair_sched_set_spent(&w.s, 0, &l,
				     fair_sched_get_spent(&w.s, &l)));
	TEST_EQ(look(&w, 2).start, 10);
	TEST_EQ(step(&w, 0), 2);
	close_world(&w);
}

/* A running job gets more processors, or seconds, while its budget has them. */
TEST(growing)
{
	struct fair_job size = a_job(1, 0, 100, 10);
	struct world w;

	open_with_budget(&w, FAIR_BACKFILL);
	arrive(&w, 0, 1, 100, 5, 1);
	TEST_EQ(step(&w, 0), 1);
	set_budget(&w, 20, 899);
	TEST_EQ(fair_sched_resize(&w.s, 20, 1, &size), -FAIR_ERANGE);
	set_budget(&w, 20, 900);
	TEST_OK(fair_sched_resize(&w.s, 20, 1, &size));
	TEST_EQ(fair_sched_get_spent(&w.s, &of_user_1), 100);
	TEST_EQ(fair_sched_check(&w.s), 0);
	/* No reservation is taken away for it, and none is made. */
	TEST_OK(fair_sched_modify(&w.s, 20, 1, 10, 90));
	arrive(&w, 20, 2, 1, 1, 1);
	finish(&w, 30, 1);
	TEST_EQ(fair_sched_get_spent(&w.s, &of_user_1), 200);
	TEST_EQ(step(&w, 30), 2);
	close_world(&w);
}

TEST(why)
{
	struct fair_why why;
	struct world w;
	char text[400];
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_with_budget(&w, policy);
		arrive(&w, 0, 1, 100, 5, 1);
		TEST_EQ(step(&w, 0), 1);
		arrive(&w, 0, 2, 110, 5, 1);
		TEST_EQ(step(&w, 0), 0);
		TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
		TEST_EQ(why.reasons, FAIR_WHY_BUDGET);
		TEST_EQ(why.blockers, 1);
		TEST_EQ(why.blocker[0].number, 1);
		TEST_EQ(why.free_at, FAIR_FOREVER);
		TEST_EQ(why.limit.limit, 1000);
		fair_why_text(&why, text, sizeof(text));
		TEST_CHECK(strstr(text, "It asks for 550 of the budget beside"
					" the 500 used or reserved; that of its"
					" user is 1000. It has reservations or"
					" runs of job 1."));
		close_world(&w);
	}
}

/* What a checkpoint of it is loaded as; it is kept in @w->kept. */
static void load_into(struct world *w, struct fair_sched *loaded)
{
	unsigned char *bytes;
	size_t size;
	int damage;

	bytes = checkpoint_of(&w->s, &size);
	TEST_OK(fair_sched_load(loaded, sizeof(*loaded), w->kept, w->bytes,
				&w->config, bytes, size, &damage));
	TEST_EQ(fair_sched_check(loaded), 0);
	free(bytes);
}

/* Both go on alike, and start that job alone. */
static void both_start(struct world *w, struct fair_sched *loaded, int64_t now,
		       uint64_t number)
{
	struct fair_decision start[JOBS];
	size_t n = 99;

	TEST_OK(fair_sched_step(loaded, now, start, JOBS, &n));
	TEST_EQ(n, number > 0);
	TEST_CHECK(!n || start[0].number == number);
	TEST_EQ(fair_sched_check(loaded), 0);
	TEST_EQ(step(w, now), number);
	TEST_EQ(fair_sched_digest(loaded), fair_sched_digest(&w->s));
}

/* They are planned alike. */
static void is_planned(const struct world *w, const struct fair_sched *loaded,
		       uint64_t number, int64_t start)
{
	struct fair_job_status j;

	TEST_EQ(look(w, number).start, start);
	TEST_OK(fair_sched_lookup(loaded, number, &j));
	TEST_EQ(j.start, start);
}

/* A lower budget is asked by turn, in parts: it is enough for 2 and 5, and for
 * neither 3 nor 4. */
TEST(a_checkpoint_while_budgets_are_asked_again)
{
	struct fair_sched loaded;
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 10, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 40, 10, 1);
	arrive(&w, 0, 3, 20, 10, 1);
	arrive(&w, 0, 4, 15, 10, 1);
	arrive(&w, 0, 5, 10, 10, 1);
	fair_sched_scan_limit(&w.s, 1);
	set_budget(&w, 0, 600);
	TEST_CHECK(fair_sched_is_unfinished(&w.s));
	load_into(&w, &loaded);
	fair_sched_scan_limit(&w.s, 0);
	fair_sched_scan_limit(&loaded, 0);
	both_start(&w, &loaded, 0, 0);
	is_planned(&w, &loaded, 2, 10);
	is_planned(&w, &loaded, 3, FAIR_FOREVER);
	is_planned(&w, &loaded, 4, FAIR_FOREVER);
	is_planned(&w, &loaded, 5, 50);
	close_world(&w);
}

/* 1 has overrun, so that 3 and 4 have promises beyond the budget. A loss of the
 * machine displaces 3, and then 4, which keeps its budget also when loaded. */
TEST(a_checkpoint_before_a_loss_is_over)
{
	struct fair_sched loaded;
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 50, 10, 1);
	arrive(&w, 0, 2, 50, 5, 2);
	arrive(&w, 0, 3, 50, 5, 1);
	arrive(&w, 0, 4, 39, 5, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(step(&w, 60), 0);
	finish(&w, 62, 1);
	TEST_EQ(fair_sched_get_spent(&w.s, &of_user_1), 620);
	fair_sched_scan_limit(&w.s, 1);
	TEST_OK(fair_sched_capacity(&w.s, 62, -1, NULL, 0));
	TEST_CHECK(fair_sched_is_unfinished(&w.s));
	load_into(&w, &loaded);
	fair_sched_scan_limit(&w.s, 0);
	fair_sched_scan_limit(&loaded, 0);
	both_start(&w, &loaded, 62, 2);
	is_planned(&w, &loaded, 3, 112);
	is_planned(&w, &loaded, 4, 162);
	close_world(&w);
}

/* 1 has overrun. The start of 2 is refused: it keeps its budget for the next. */
TEST(a_refused_start)
{
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 50, 10, 1);
	arrive(&w, 0, 2, 50, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(step(&w, 60), 0);
	finish(&w, 62, 1);
	TEST_EQ(step(&w, 62), 2);
	TEST_OK(fair_sched_refuse(&w.s, 62, 2));
	TEST_EQ(step(&w, 62), 0);
	TEST_EQ(look(&w, 2).start, 63);
	TEST_EQ(step(&w, 63), 2);
	close_world(&w);
}

static int64_t no_start_of_2(void *context, const struct fair_job *j,
			     int64_t now, int64_t end)
{
	(void)context;
	(void)end;
	return j->number == 2 ? now + 1 : now;
}

/* Job 1 overran, and has used up what is promised to job 2 as well. It does not
 * fit when it is due: while it keeps its turn it keeps its promise, and if it
 * is put behind all others it has to ask the budget again. */
TEST(a_start_that_does_not_fit)
{
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .fits = no_start_of_2,
				      .limits = 1,
				      .limit = &of_user_1 };
	struct world w;
	int i;

	for (i = 0; i < 2; i++) {
		config.patience = i ? FAIR_PATIENCE_NONE : 0;
		open_world_of(&w, &config);
		arrive(&w, 0, 1, 50, 10, 1);
		arrive(&w, 0, 2, 50, 10, 1);
		TEST_EQ(step(&w, 0), 1);
		finish(&w, 99, 1);
		TEST_EQ(step(&w, 99), 0);
		TEST_EQ(look(&w, 2).start, i ? FAIR_FOREVER : 100);
		close_world(&w);
	}
}

/* Each queued job counts when it is loaded: 900 of 1000. */
TEST(a_checkpoint_of_promised_jobs)
{
	struct fair_sched loaded;
	struct fair_job j = a_job(4, 0, 20, 10);
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 10, 10, 1);
	arrive(&w, 0, 2, 40, 10, 1);
	arrive(&w, 0, 3, 40, 10, 1);
	load_into(&w, &loaded);
	arrive(&w, 0, 4, 20, 10, 1);
	j.user = 1;
	TEST_OK(fair_sched_submit(&loaded, 0, &j));
	is_planned(&w, &loaded, 3, 50);
	is_planned(&w, &loaded, 4, FAIR_FOREVER);
	close_world(&w);
}

/* It counts 760: 2 processors for 20 s and then 9 for 80, or 2 for 380 s. */
TEST(what_a_job_counts_that_changes_as_it_runs)
{
	struct fair_job size = a_job(1, 0, 100, 9);
	struct world w;
	int longer;

	for (longer = 0; longer < 2; longer++) {
		open_with_budget(&w, FAIR_BACKFILL);
		arrive(&w, 0, 1, 100, 2, 1);
		TEST_EQ(step(&w, 0), 1);
		if (longer)
			TEST_OK(fair_sched_modify(&w.s, 20, 1, 2, 380));
		else
			TEST_OK(fair_sched_resize(&w.s, 20, 1, &size));
		arrive(&w, 20, 2, 241, 1, 1);
		TEST_EQ(step(&w, 20), 0);
		arrive(&w, 20, 3, 240, 1, 1);
		TEST_EQ(step(&w, 20), 3);
		close_world(&w);
	}
}

/* A job that overruns counts as long as it runs. */
TEST(an_overrun_counts)
{
	struct world w;

	open_with_budget(&w, FAIR_BACKFILL);
	set_budget(&w, 0, 100);
	arrive(&w, 0, 1, 10, 5, 1);
	TEST_EQ(step(&w, 0), 1);
	arrive(&w, 0, 2, 11, 5, 1);
	TEST_EQ(step(&w, 10), 0);
	TEST_OK(fair_sched_modify(&w.s, 11, 1, 5, 20));
	TEST_EQ(step(&w, 11), 0);
	close_world(&w);
}

/* What was spent is saved, and which jobs have a promise beyond it. */
TEST(checkpoints)
{
	struct fair_sched loaded;
	struct world w;

	open_with_budget(&w, FAIR_CONSERVATIVE);
	arrive(&w, 0, 1, 50, 10, 1);
	arrive(&w, 0, 2, 50, 10, 1);
	arrive(&w, 0, 3, 5, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(step(&w, 55), 0);
	finish(&w, 55, 1);
	load_into(&w, &loaded);
	TEST_EQ(fair_sched_get_spent(&loaded, &of_user_1), 550);
	TEST_OK(fair_sched_set_spent(&loaded, 55, &of_user_1, 450));
	TEST_OK(fair_sched_set_spent(&w.s, 55, &of_user_1, 450));
	TEST_EQ(fair_sched_digest(&loaded), fair_sched_digest(&w.s));
	TEST_EQ(look(&w, 3).start, look(&w, 2).start + 50);
	close_world(&w);
}

/* Under another policy it has as much left. */
TEST(conversions)
{
	struct fair_config other = { .policy = FAIR_BACKFILL,
				     .procs = PROCS,
				     .jobs = JOBS,
				     .limits = 1 };
	struct fair_decision start[4];
	struct fair_sched b;
	struct world w;
	char *memory;
	size_t n;

	open_with_budget(&w, FAIR_PC);
	arrive(&w, 0, 1, 60, 10, 1);
	TEST_EQ(step(&w, 0), 1);
	finish(&w, 60, 1);
	arrive(&w, 60, 2, 30, 10, 1);
	TEST_EQ(step(&w, 60), 2);
	arrive(&w, 60, 3, 11, 10, 1);
	memory = (char *)malloc(w.bytes + 100000);
	TEST_OK(fair_sched_convert(&b, sizeof(b), memory, w.bytes + 100000,
				   &other, &w.s));
	TEST_EQ(fair_sched_check(&b), 0);
	TEST_EQ(fair_sched_get_spent(&b, &of_user_1), 600);
	TEST_OK(fair_sched_step(&b, 60, start, 4, &n));
	TEST_EQ(n, 0);
	TEST_OK(fair_sched_finish(&b, 70, 2));
	TEST_OK(fair_sched_step(&b, 70, start, 4, &n));
	TEST_EQ(n, 1);
	free(memory);
	close_world(&w);
}

/* By weights of 1 and 1.5: a limit of 5.5, of which 2 would use 6, and a budget of
 * whole units, of which 7 s of 1 at 2.5 are 18. */
TEST(cost)
{
	static const int32_t has[] = { 10, 4 };
	static const struct fair_machine_config machine = { 2, 1, 0, has };
	static struct fair_billing billing = {
		{ FAIR_PENALTY_ONE, 3 * FAIR_PENALTY_ONE / 2 }, false
	};
	const struct fair_limit limit[] = {
		{ FAIR_ENTITY_USER, FAIR_LIMIT_COST, FAIR_LIMIT_EACH,
		  11 * FAIR_PENALTY_ONE / 2 },
		{ FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, 1, 1000 },
	};
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .machine = &machine,
				      .billing = &billing,
				      .limits = 2,
				      .limit = limit };
	int32_t asked[] = { 1, 1 };
	struct fair_job j = a_job(1, 0, 100, 1);
	struct fair_limit found;
	struct fair_why why;
	struct world w;
	char text[400];

	open_world_of(&w, &config);
	j.user = 1;
	j.amount = asked;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j.number = 2;
	j.procs = 2;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(look(&w, 2).start, 100);
	TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.limit.asked, 7 * FAIR_PENALTY_ONE / 2);
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "It asks for 4 of cost beside the 2 in use; the"
				" limit of its user is 5, which has room after"
				" job 1, from 100 on."));
	j.number = 3;
	asked[1] = 3;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE);
	TEST_CHECK(fair_sched_find_limit(&w.s, &j, &found));
	TEST_EQ(found.resource, FAIR_LIMIT_COST);
	finish(&w, 7, 1);
	TEST_EQ(fair_sched_get_spent(&w.s, limit + 1), 18);
	TEST_EQ(step(&w, 7), 2);
	close_world(&w);
}

/* A running job grows as far as a limit of cost has room; one that is exceeded
 * lets it change what costs no more. A GPU costs as much as 2 processors. */
TEST(growing_by_cost)
{
	static const int32_t has[] = { 10, 4 };
	static const struct fair_machine_config machine = { 2, 1, 0, has };
	static const struct fair_billing billing = {
		{ FAIR_PENALTY_ONE, 2 * FAIR_PENALTY_ONE }, false
	};
	struct fair_limit limit = { FAIR_ENTITY_USER, FAIR_LIMIT_COST, 1,
				    6 * FAIR_PENALTY_ONE };
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .machine = &machine,
				      .billing = &billing,
				      .limits = 1,
				      .limit = &limit };
	int32_t asked[] = { 0, 1 };
	struct fair_job j = a_job(1, 0, 100, 2);
	struct world w;

	open_world_of(&w, &config);
	j.user = 1;
	j.amount = asked;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	j.procs = 5;
	TEST_EQ(fair_sched_resize(&w.s, 0, 1, &j), -FAIR_ERANGE);
	j.procs = 4;
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &j));
	limit.amount = 5 * FAIR_PENALTY_ONE;
	TEST_OK(fair_sched_limit(&w.s, 0, &limit));
	asked[1] = 2;
	TEST_EQ(fair_sched_resize(&w.s, 0, 1, &j), -FAIR_ERANGE);
	j.procs = 2;
	TEST_OK(fair_sched_resize(&w.s, 0, 1, &j));
	close_world(&w);
}

/* A job that every kind of limit holds for, of each resource. */
TEST(the_most_limits_of_a_job)
{
	static const int32_t has[] = { 10, 4 };
	static const struct fair_machine_config machine = { 2, 1, 0, has };
	static const struct fair_billing billing = {
		{ FAIR_PENALTY_ONE, FAIR_PENALTY_ONE }, false
	};
	struct fair_config config = { .policy = FAIR_CONSERVATIVE,
				      .limits = 60 };
	struct fair_limit limit = { .id = 1, .amount = 100 };
	struct fair_job j = a_job(1, 0, 10, 2);
	struct world w;
	int i;

	j.user = j.group = j.account = j.qos = j.queue = 1;
	for (i = 0; i < 2; i++) {
		open_world_of(&w, &config);
		for (limit.kind = 0; limit.kind < FAIR_LIMIT_TREE; limit.kind++)
			for (limit.resource = 0;
			     limit.resource <= FAIR_LIMIT_BUDGET;
			     limit.resource++) {
				limit.amount = 100 * FAIR_PENALTY_ONE;
				(void)fair_sched_limit(&w.s, 0, &limit);
			}
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		TEST_EQ(step(&w, 0), 1);
		close_world(&w);
		config.machine = &machine;
		config.billing = &billing;
	}
}

/* What is no limit is refused as it begins. */
TEST(configurations)
{
	const struct fair_limit two[] = {
		of_user_1,
		{ FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, FAIR_LIMIT_EACH, 1 }
	};
	struct fair_limit l = of_user_1;
	struct fair_config c = { .policy = FAIR_FCFS,
				 .procs = 4,
				 .jobs = 4,
				 .limits = 1,
				 .limit = &l };

	TEST_CHECK(fair_sched_size(&c));
	l.id = FAIR_LIMIT_EACH;
	TEST_CHECK(!fair_sched_size(&c));
	l.id = 1;
	l.kind = FAIR_LIMIT_GROUP_USER;
	TEST_CHECK(!fair_sched_size(&c));
	l.kind = FAIR_ENTITY_USER;
	l.resource = FAIR_LIMIT_COST;
	TEST_CHECK(!fair_sched_size(&c));
	c.limit = two;
	c.limits = 2;
	TEST_CHECK(!fair_sched_size(&c));
}
