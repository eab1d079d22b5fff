/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Simultaneous fair share comes out as in the worked example of [SFS 5], list
 * by list: first the jobs of accounts that are not above their target, then
 * all, then backfill.
 */
#include "fairsched.h"
#include "tests/world.h"

#define HOUR INT64_C(3600)

enum { ALICE, BOB };

static const char names[20 + 1] = "ABCDEFGHJKMNPQRSUVWX";

/* Those that wait, in order; @local: only of accounts that pass the gate. */
static void waiting(const struct world *w, bool local, char *list)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;

	while (fair_sched_each(&w->s, FAIR_QUEUED, &at, &j))
		if (!local || fair_sfs_gate(sfs_of(&w->s), (uint32_t)j.job.account))
			*list++ = names[j.job.number];
	*list = '\0';
}

static int64_t occupancy(const struct world *w, uint32_t account)
{
	int64_t procs, target;

	TEST_EQ(fair_sfs_occupancy(sfs_of(&w->s), account, &procs, &target), 0);
	return procs;
}

/* What the paper prints after each placement. */
static const struct {
	const char *running, *local; /* NULL: pass 1 is over */
	const char *all;
	int32_t busy;
} paper[] = {
	{ "A", "BCDEFGHJKMNPQRSUVWX", "BCDEFGHJKMNPQRSUVWX", 200 },
	/* Alice is above her target from here on. */
	{ "AB", "MNPQRSUVWX", "CDEFGHJKMNPQRSUVWX", 400 },
	{ "ABM", "NPQRSUVWX", "CDEFGHJKNPQRSUVWX", 450 },
	{ "ABMN", "", "CDEFGHJKPQRSUVWX", 500 },
	{ "ABMNC", NULL, "DEFGHJKPQRSUVWX", 700 },
	{ "ABMNCD", NULL, "EFGHJKPQRSUVWX", 900 },
	{ "ABMNCDP", NULL, "EFGHJKQRSUVWX", 950 },
	{ "ABMNCDPQ", NULL, "EFGHJKRSUVWX", 1000 },
};

static void submit_example(struct world *w)
{
	struct fair_job j;
	uint64_t i;

	for (i = 0; i < 20; i++) {
		j = a_job(i, 0, 12 * HOUR, i < 10 ? 200 : 50);
		j.account = i < 10 ? ALICE : BOB;
		TEST_EQ(fair_sched_submit(&w->s, 0, &j), 0);
	}
}

/* E and F hold the two reservations; G could get none. */
static void reservations_of_example(const struct world *w)
{
	const struct fair_backfill *b = afresh_of(&w->s);
	uint32_t i;

	TEST_EQ(b->reserved, 2);
	for (i = 0; i < 2; i++) {
		TEST_EQ(w->s.live[b->held[i].slot].queued.rank.number, 4 + i);
		TEST_EQ(b->held[i].start, 12 * HOUR);
	}
}

TEST(worked_example)
{
	static const int64_t target[2] = { 288, 58 };
	size_t steps = sizeof(paper) / sizeof(*paper), i;
	char running[20 + 1] = "", list[20 + 1];
	int64_t number;
	struct world w = { .config.policy = FAIR_SFS,
			   .config.order = FAIR_ORDER_WIDEST,
			   .config.depth = 2,
			   .config.procs = 1000,
			   .config.jobs = 20,
			   .config.accounts = 2,
			   .config.target = target };

	open_world_of(&w, &w.config);
	submit_example(&w);
	waiting(&w, true, list);
	TEST_CHECK(!strcmp(list, names));
	for (i = 0; i < steps; i++) {
		number = next_start(&w, 0);
		TEST_REQUIRE(number >= 0 && number < 20);
		running[i] = names[number];
		TEST_CHECK(!strcmp(running, paper[i].running));
		waiting(&w, false, list);
		TEST_CHECK(!strcmp(list, paper[i].all));
		waiting(&w, true, list);
		if (paper[i].local)
			TEST_CHECK(!strcmp(list, paper[i].local));
		TEST_EQ(w.s.busy, paper[i].busy);
		if (i == 3) /* the paper prints 50 */
			TEST_EQ(occupancy(&w, BOB), 100);
	}
	reservations_of_example(&w);
	TEST_EQ(next_start(&w, 0), -1);
	close_world(&w);
}

/*
 * Each second is decided afresh: at 0 Alice's job of 9 gets the reservation,
 * then one of hers brings her above her target; at 50 it goes to Bob's, which
 * leaves room for the last job.
 */
TEST(afresh)
{
	static const struct {
		uint32_t account;
		int64_t walltime;
		int32_t procs;
	} job[] = {
		{ BOB, 100, 6 }, { ALICE, 100, 9 }, { ALICE, 100, 2 },
		{ BOB, 100, 5 }, { BOB, 1000, 2 },
	};
	static const int64_t target[2] = { 1, 100 };
	struct fair_job j;
	uint64_t i;
	struct world w = { .config.policy = FAIR_SFS,
			   .config.procs = 10,
			   .config.jobs = 20,
			   .config.accounts = 2,
			   .config.target = target };

	open_world_of(&w, &w.config);
	for (i = 0; i < 5; i++) {
		j = a_job(i, 0, job[i].walltime, job[i].procs);
		j.account = job[i].account;
		TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	}
	TEST_EQ(next_start(&w, 0), 0);
	TEST_EQ(next_start(&w, 0), 2);
	TEST_EQ(next_start(&w, 0), -1);
	TEST_EQ(next_start(&w, 50), 4);
	TEST_EQ(next_start(&w, 50), -1);
	close_world(&w);
}

/* An account without a target is never above it. */
TEST(without_targets)
{
	int64_t procs, target;
	struct world w = { .config.policy = FAIR_SFS,
			   .config.procs = INT32_MAX,
			   .config.jobs = 1,
			   .config.accounts = 2 };

	open_world_of(&w, &w.config);
	TEST_EQ(fair_sfs_occupancy(sfs_of(&w.s), 1, &procs, &target), 0);
	TEST_EQ(procs, 0);
	TEST_EQ(target, INT32_MAX);
	close_world(&w);
}
