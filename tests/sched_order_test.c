/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Orders of the scheduler that accounts and users have a part in: simultaneous
 * fair share by the worked example of its paper, list by list, and the order
 * by decayed usage, with what is charged and when. sched_fuzz compares both
 * with a naive scheduler.
 */
#include "fairsched.h"
#include "test.h"

#define HOUR INT64_C(3600)
#define JOBS 20

struct world {
	struct fair_config config;
	struct fair_sched s;
	char *memory;
};

static void open_world(struct world *w)
{
	size_t bytes = fair_sched_size(&w->config);

	w->memory = (char *)malloc(bytes);
	TEST_REQUIRE(w->memory);
	TEST_EQ(fair_sched_init(&w->s, sizeof(w->s), w->memory, bytes,
				&w->config),
		0);
}

static void close_world(struct world *w)
{
	TEST_EQ(fair_sched_check(&w->s), 0);
	free(w->memory);
}

static struct fair_job a_job(uint64_t number, int64_t submit, int64_t walltime,
			     int32_t procs)
{
	struct fair_job j;

	memset(&j, 0, sizeof(j));
	j.number = number;
	j.submit = submit;
	j.walltime = walltime;
	j.procs = procs;
	return j;
}

/* The job that starts next, or -1. */
static int64_t next_start(struct world *w, int64_t now)
{
	struct fair_decision d;
	size_t n;

	TEST_EQ(fair_sched_step(&w->s, now, &d, 1, &n), 0);
	return n ? (int64_t)d.number : -1;
}

/* ---- [SFS 5] ---- */

enum { ALICE, BOB };

static const char names[JOBS + 1] = "ABCDEFGHJKMNPQRSUVWX";

/* Those that wait, in order; @local: only of accounts that pass the gate. */
static void waiting(const struct world *w, bool local, char *list)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;

	while (fair_sched_each(&w->s, FAIR_QUEUED, &at, &j))
		if (!local || fair_sfs_gate(&w->s.sfs, j.job.account))
			*list++ = names[j.job.number];
	*list = '\0';
}

static int64_t occupancy(const struct world *w, uint32_t account)
{
	int64_t procs, target;

	TEST_EQ(fair_sfs_occupancy(&w->s.sfs, account, &procs, &target), 0);
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

	for (i = 0; i < JOBS; i++) {
		j = a_job(i, 0, 12 * HOUR, i < 10 ? 200 : 50);
		j.account = i < 10 ? ALICE : BOB;
		TEST_EQ(fair_sched_submit(&w->s, 0, &j), 0);
	}
}

/* E and F hold the two reservations; G could get none. */
static void reservations_of_example(const struct world *w)
{
	const struct fair_backfill *b = &w->s.plan;
	uint32_t i;

	TEST_EQ(b->reserved, 2);
	for (i = 0; i < 2; i++) {
		TEST_EQ(w->s.live[b->held[i].slot].queued.rank.number, 4 + i);
		TEST_EQ(b->held[i].start, 12 * HOUR);
	}
}

static void worked_example(void)
{
	static const int64_t target[2] = { 288, 58 };
	size_t steps = sizeof(paper) / sizeof(*paper), i;
	char running[JOBS + 1] = "", list[JOBS + 1];
	struct world w;
	int64_t number;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_SFS;
	w.config.order = FAIR_ORDER_WIDEST;
	w.config.depth = 2;
	w.config.procs = 1000;
	w.config.jobs = JOBS;
	w.config.accounts = 2;
	w.config.target = target;
	open_world(&w);
	submit_example(&w);
	waiting(&w, true, list);
	TEST_CHECK(!strcmp(list, names));
	for (i = 0; i < steps; i++) {
		number = next_start(&w, 0);
		TEST_REQUIRE(number >= 0 && number < JOBS);
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
static void afresh(void)
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
	struct world w;
	struct fair_job j;
	uint64_t i;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_SFS;
	w.config.procs = 10;
	w.config.jobs = JOBS;
	w.config.accounts = 2;
	w.config.target = target;
	open_world(&w);
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

/* Who has no target is never above it. */
static void without_targets(void)
{
	int64_t procs, target;
	struct world w;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_SFS;
	w.config.procs = INT32_MAX;
	w.config.jobs = 1;
	w.config.accounts = 2;
	open_world(&w);
	TEST_EQ(fair_sfs_occupancy(&w.s.sfs, 1, &procs, &target), 0);
	TEST_EQ(procs, 0);
	TEST_EQ(target, INT32_MAX);
	close_world(&w);
}

/* ---- wait + weight * procs ---- */

static void linear(void)
{
	/* A processor is worth 10 s: 2 of them make up for 10 s of waiting. */
	static const int64_t want[] = { 2, 3, 1, -1 };
	struct world w;
	struct fair_job j;
	size_t i;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_BACKFILL;
	w.config.order = FAIR_ORDER_LINEAR;
	w.config.weight = 10;
	w.config.procs = 4;
	w.config.jobs = 4;
	open_world(&w);
	j = a_job(0, 0, 100, 4);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(next_start(&w, 0), 0);
	j = a_job(1, 0, 50, 1);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	j = a_job(2, 9, 50, 2);
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	j = a_job(3, 10, 50, 2);	/* as job 1, but for ... */
	j.submit = 9;			/* ... one second */
	TEST_EQ(fair_sched_submit(&w.s, 10, &j), 0);
	TEST_EQ(fair_sched_finish(&w.s, 50, 0), 0);
	TEST_EQ(next_start(&w, 50), want[0]);
	TEST_EQ(next_start(&w, 50), want[1]);
	TEST_EQ(fair_sched_finish(&w.s, 60, 2), 0);
	for (i = 2; i < 4; i++)
		TEST_EQ(next_start(&w, 60), want[i]);
	j.number = 9;
	j.submit = -((int64_t)1 << 60) - 1;
	TEST_EQ(fair_sched_submit(&w.s, 60, &j), -FAIR_EINVAL);
	j.submit++;
	TEST_EQ(fair_sched_submit(&w.s, 60, &j), 0);
	close_world(&w);
}

/* Where backfill fills windows too, who waited longest for its time is first. */
static void stretched_windows(void)
{
	struct world w;
	struct fair_job j;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_BACKFILL;
	w.config.order = FAIR_ORDER_LXF;
	w.config.select = FAIR_GREEDY;
	w.config.procs = 1;
	w.config.jobs = 3;
	open_world(&w);
	j = a_job(1, 0, 10, 1);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(next_start(&w, 0), 1);
	j = a_job(2, 0, 100, 1);
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	j = a_job(3, 1, 1, 1);
	TEST_EQ(fair_sched_submit(&w.s, 1, &j), 0);
	TEST_EQ(fair_sched_finish(&w.s, 10, 1), 0);
	TEST_EQ(next_start(&w, 10), 3);
	close_world(&w);
}

/* ---- decayed usage [MR] ---- */

static void open_usage_by(struct world *w, uint32_t policy,
			  int64_t half_life)
{
	memset(w, 0, sizeof(*w));
	w->config.policy = policy;
	w->config.order = FAIR_ORDER_USAGE;
	w->config.users = 3;
	w->config.half_life = half_life;
	w->config.procs = 8;
	w->config.origin = 1000;
	w->config.jobs = JOBS;
	open_world(w);
}

static void open_usage(struct world *w, int64_t half_life)
{
	open_usage_by(w, FAIR_FCFS, half_life);
}

static void submit_of(struct world *w, uint64_t number, uint32_t user,
		      int64_t walltime, int32_t procs, int64_t penalty)
{
	struct fair_job j = a_job(number, w->s.now, walltime, procs);

	j.user = user;
	j.penalty = penalty;
	TEST_EQ(fair_sched_submit(&w->s, w->s.now, &j), 0);
}

/* Processor-seconds, in 2^-20. */
static uint64_t used(const struct world *w, uint32_t user, int64_t now)
{
	uint64_t whole;

	TEST_EQ(fair_usage_at(&w->s.usage, user, now - w->config.origin, &whole,
			      NULL),
		0);
	return whole;
}

#define PROC_SECONDS(n) ((uint64_t)(n) << 20)

/* At its start a job is charged its walltime; the queue is reordered at once. */
static void provisional_charge(void)
{
	struct world w;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 4, 0);
	submit_of(&w, 1, 0, 100, 4, 0);
	submit_of(&w, 2, 1, 300, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(used(&w, 0, 1000), PROC_SECONDS(400));
	/* User 1 has nothing to his name: his job passes job 1. */
	TEST_EQ(next_start(&w, 1000), 2);
	TEST_EQ(used(&w, 1, 1000), PROC_SECONDS(1200));
	TEST_EQ(next_start(&w, 1000), -1);
	/* Done after 10 s: that is what it used. */
	TEST_EQ(fair_sched_finish(&w.s, 1010, 2), 0);
	TEST_EQ(used(&w, 1, 1010), PROC_SECONDS(40));
	submit_of(&w, 3, 1, 100, 4, 0);
	TEST_EQ(next_start(&w, 1010), 3);
	/* Longer than its walltime: charged for all of it, in the end. */
	TEST_EQ(fair_sched_finish(&w.s, 1150, 0), 0);
	TEST_EQ(used(&w, 0, 1150), PROC_SECONDS(600));
	close_world(&w);
}

static void charged_by_penalty(void)
{
	struct world w;
	struct fair_job j;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 1, 8 * FAIR_PENALTY_ONE);
	submit_of(&w, 1, 1, 100, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(next_start(&w, 1000), 1);
	TEST_EQ(used(&w, 0, 1000), PROC_SECONDS(800));
	TEST_EQ(used(&w, 1, 1000), PROC_SECONDS(400));
	j = a_job(9, 1000, 1, 1);
	j.user = 3;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), -FAIR_EINVAL);
	j.user = 2;
	j.penalty = -1;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), -FAIR_EINVAL);
	j.penalty = ((int64_t)1 << 51) + 1;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), -FAIR_EINVAL);
	j.penalty--;
	TEST_EQ(fair_sched_submit(&w.s, 1000, &j), 0);
	close_world(&w);
}

/* What never ran, was given another walltime, lost its processors. */
static void charges_of_events(void)
{
	const uint64_t victim = 1;
	struct world w;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 1000, 0), 0);
	TEST_EQ(used(&w, 0, 1000), 0);
	TEST_EQ(next_start(&w, 1001), 0);
	TEST_EQ(fair_sched_modify(&w.s, 1001, 0, 4, 50), 0);
	TEST_EQ(used(&w, 0, 1001), PROC_SECONDS(200));
	TEST_EQ(fair_sched_modify(&w.s, 1001, 0, 4, 500), 0);
	TEST_EQ(used(&w, 0, 1001), PROC_SECONDS(2000));
	TEST_EQ(fair_sched_cancel(&w.s, 1011, 0), 0);
	TEST_EQ(used(&w, 0, 1011), PROC_SECONDS(40));
	submit_of(&w, 1, 1, 100, 8, 0);
	TEST_EQ(next_start(&w, 1011), 1);
	TEST_EQ(fair_sched_capacity(&w.s, 1021, -8, &victim, 1), 0);
	TEST_EQ(used(&w, 1, 1021), PROC_SECONDS(80));
	close_world(&w);
}

/* Usage that two users had at different times is not worth the same. */
static void half_lives(void)
{
	struct world w;

	open_usage(&w, 100);
	submit_of(&w, 0, 0, 10, 8, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 0), 0);
	/* 80 / 4 = 20 after two of them, but that it was not all used at once:
	 * 8 * 100 / ln 2 * (1 - 2^-0.1) / 4 = 19.33 */
	TEST_CHECK(used(&w, 0, 1210) > PROC_SECONDS(193) / 10);
	TEST_CHECK(used(&w, 0, 1210) < PROC_SECONDS(194) / 10);
	TEST_EQ(next_start(&w, 1210), -1);
	submit_of(&w, 1, 1, 3, 8, 0);
	TEST_EQ(next_start(&w, 1210), 1);
	TEST_EQ(fair_sched_finish(&w.s, 1213, 1), 0); /* 24 */
	submit_of(&w, 2, 1, 10, 8, 0);
	submit_of(&w, 3, 0, 10, 8, 0);
	TEST_EQ(next_start(&w, 1213), 3);
	close_world(&w);
}

/*
 * User 0 used twice what user 1 did, but of both less than a unit is left; or
 * neither used anything. One processor is free: whose job gets it?
 */
static void by_fractions(void)
{
	static const struct {
		bool used;
		uint32_t user[4];
		int32_t procs[4];
		int64_t first;
	} line[] = {
		{ true, { 0, 1 }, { 1, 1 }, 3 },
		{ true, { 1, 0, 1 }, { 8, 1, 1 }, 4 },
		{ false, { 0, 1, 0 }, { 8, 1, 1 }, 3 },
		{ false, { 0, 1, 0, 1 }, { 8, 2, 1, 1 }, 4 },
	};
	struct world w;
	uint64_t i, k;

	for (i = 0; i < 4; i++) {
		open_usage_by(&w, FAIR_BACKFILL, 1);
		for (k = 0; k < 2 && line[i].used; k++) {
			submit_of(&w, k, (uint32_t)k, 10, k ? 2 : 4, 0);
			TEST_EQ(next_start(&w, 1000), k);
		}
		for (k = 0; k < 2 && line[i].used; k++)
			TEST_EQ(fair_sched_finish(&w.s, 1010, k), 0);
		TEST_EQ(fair_sched_pass(&w.s, 1040), 0);
		TEST_EQ(used(&w, 0, 1040), 0);
		TEST_EQ(used(&w, 1, 1040), 0);
		submit_of(&w, 9, 2, 100, 7, 0);
		TEST_EQ(next_start(&w, 1040), 9);
		for (k = 0; k < 4 && line[i].procs[k]; k++)
			submit_of(&w, 2 + k, line[i].user[k], 5,
				  line[i].procs[k], 0);
		TEST_EQ(next_start(&w, 1040), line[i].first);
		close_world(&w);
	}
}

/* Beyond 2^39 processor-seconds the ledger is full; nobody minds. */
static void full_ledger(void)
{
	struct world w;
	uint64_t i;

	open_usage(&w, 0);
	for (i = 0; i < 3; i++)
		submit_of(&w, i, 0, (int64_t)1 << 34, 2, i == 1 ? 1 << 25 : 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(used(&w, 0, 1000), (uint64_t)1 << 55);
	TEST_EQ(next_start(&w, 1000), 1); /* 2^59 more */
	TEST_EQ(used(&w, 0, 1000), (uint64_t)1 << 55);
	TEST_EQ(next_start(&w, 1000), 2);
	TEST_EQ(used(&w, 0, 1000), (uint64_t)1 << 56);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 1), 0);
	TEST_EQ(used(&w, 0, 1010), (uint64_t)1 << 56);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 0), 0);
	TEST_EQ(used(&w, 0, 1010), ((uint64_t)1 << 55) + PROC_SECONDS(20));
	close_world(&w);
}

/* What was too much as it started is not charged when it gets shorter. */
static void never_charged(void)
{
	struct world w;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 300, 1, INT64_C(1) << 51);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(used(&w, 0, 1000), 0);
	TEST_EQ(fair_sched_modify(&w.s, 1000, 0, 1, 100), 0);
	TEST_EQ(used(&w, 0, 1000), 0);
	TEST_EQ(fair_sched_finish(&w.s, 1010, 0), 0);
	TEST_EQ(used(&w, 0, 1010), 0);
	close_world(&w);
}

/* Who runs when the ledger is opened is charged from then on. */
static void since_the_ledger_is_open(void)
{
	struct world w, b;
	size_t bytes;

	open_usage(&w, 0);
	submit_of(&w, 0, 0, 100, 4, 0);
	TEST_EQ(next_start(&w, 1000), 0);
	TEST_EQ(fair_sched_pass(&w.s, 1040), 0);
	b.config = w.config;
	b.config.origin = 1040;
	bytes = fair_sched_size(&b.config);
	b.memory = (char *)malloc(bytes);
	TEST_REQUIRE(b.memory);
	TEST_EQ(fair_sched_convert(&b.s, sizeof(b.s), b.memory, bytes,
				   &b.config, &w.s), 0);
	TEST_EQ(used(&b, 0, 1040), PROC_SECONDS(400));
	TEST_EQ(fair_sched_finish(&b.s, 1070, 0), 0);
	TEST_EQ(used(&b, 0, 1070), PROC_SECONDS(120));
	close_world(&b);
	close_world(&w);
}

static void broken_ledger(void)
{
	struct world w;

	open_usage(&w, 0);
	w.s.usage.latest++;
	TEST_EQ(fair_sched_check(&w.s), 3);
	w.s.usage.latest--;
	close_world(&w);
}

/* More than the ledger can hold is not charged: neither the hold is left. */
static void beyond_the_ledger(void)
{
	struct fair_job j = a_job(1, 0, 200, 1);
	uint64_t used[2];
	struct world w;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_BACKFILL;
	w.config.order = FAIR_ORDER_USAGE;
	w.config.procs = 1;
	w.config.jobs = 2;
	w.config.users = 2;
	open_world(&w);
	j.penalty = INT64_C(1) << 51;
	j.user = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(next_start(&w, 0), 1);
	TEST_EQ(fair_usage_at(&w.s.usage, 1, 0, &used[0], &used[1]), 0);
	TEST_EQ(used[0], UINT64_C(200) << 51);
	TEST_EQ(fair_sched_finish(&w.s, 300, 1), 0);
	TEST_EQ(fair_usage_at(&w.s.usage, 1, 300, &used[0], &used[1]), 0);
	TEST_EQ(used[0], 0);
	close_world(&w);
}

/* ---- [RS] ---- */

/*
 * Two users have as much. Job 3 gets a reservation at 100: what of it lies in
 * the window is its user's, and the other comes next.
 */
static void reserved_counts(uint32_t bookings, int64_t window, int64_t next)
{
	struct world w;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_RELSHARE;
	w.config.procs = 10;
	w.config.jobs = 5;
	w.config.users = 2;
	w.config.bookings = bookings;
	w.config.window = window;
	open_world(&w);
	submit_of(&w, 1, 0, 100, 4, 0);
	submit_of(&w, 2, 1, 100, 4, 0);
	TEST_EQ(next_start(&w, 0), 1);
	TEST_EQ(next_start(&w, 0), 2);
	TEST_EQ(fair_sched_pass(&w.s, 10), 0);
	submit_of(&w, 3, 0, 100, 8, 0);
	submit_of(&w, 4, 0, 5, 2, 0);
	submit_of(&w, 5, 1, 5, 2, 0);
	TEST_EQ(next_start(&w, 10), next);
	TEST_EQ(next_start(&w, 10), -1);
	close_world(&w);
}

static void reserved_within_the_window(void)
{
	uint32_t bookings;

	for (bookings = 0; bookings < 2; bookings++) {
		reserved_counts(bookings, 1000, 5);
		reserved_counts(bookings, 50, 4);
	}
}

int main(void)
{
	TEST_RUN(beyond_the_ledger);

	TEST_RUN(worked_example);
	TEST_RUN(afresh);
	TEST_RUN(without_targets);
	TEST_RUN(linear);
	TEST_RUN(stretched_windows);
	TEST_RUN(provisional_charge);
	TEST_RUN(charged_by_penalty);
	TEST_RUN(charges_of_events);
	TEST_RUN(half_lives);
	TEST_RUN(by_fractions);
	TEST_RUN(full_ledger);
	TEST_RUN(never_charged);
	TEST_RUN(since_the_ledger_is_open);
	TEST_RUN(broken_ledger);
	TEST_RUN(reserved_within_the_window);
	return test_report();
}
