/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A year of a live site: KTH-SP2-1996-2, whose users join as their first job
 * arrives and leave a day after their last one has ended, with credits every day,
 * shares or a half-life that change every week, and a crash every day, after
 * which a checkpoint is loaded, with more room if it is needed; by usage, by
 * dominant share, by a tree and by share. Every decision,
 * and every day the usage of each user, are those of a scheduler that knew all
 * users from the start and never crashed.
 */
#include <stdlib.h>

#include "tests/test.h"
#include "tools/fairsched/trace/swf.h"
#include "fairsched.h"

#define DAY INT64_C(86400)
#define MOST 1024 /* live jobs */
#define USER FAIR_ENTITY_USER

struct site {
	struct fair_sched s;
	struct fair_config config;
	char *memory;
};

struct ending {
	uint64_t number;
	int64_t end;
};

struct user {
	size_t jobs; /* that have not ended */
	int64_t leaves;
	bool present;
};

struct year {
	const struct swf *trace;
	struct site all, live;	 /* all: knows all users from the start */
	struct ending run[MOST]; /* in the order of their starts */
	struct user *user;
	size_t running, arrived, most_present, joined, grown, days;
	int64_t now;
};

/* Ids are no dense numbers. */
static uint64_t id_of(uint32_t user)
{
	return (user + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void open_site(struct site *x, const struct fair_config *c)
{
	size_t bytes = fair_sched_size(c);

	x->config = *c;
	x->memory = (char *)malloc(bytes);
	TEST_REQUIRE(bytes && x->memory);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, bytes, c));
}

static bool has_tree(const struct year *y)
{
	return y->all.config.order == FAIR_ORDER_TREE;
}

/* Of a user in a tree, behind its three accounts. */
static uint32_t node_of(uint32_t user)
{
	return 3 + user;
}

static void add_to_tree(struct site *x, int64_t now, uint32_t user)
{
	TEST_OK(fair_sched_tree_add_user(&x->s, now, node_of(user), user % 3,
					 1));
}

/* All that is left of the scheduler is a checkpoint. */
static void crash(struct site *x, uint32_t users)
{
	size_t n = fair_sched_checkpoint_size(&x->s), bytes;
	char *checkpoint = (char *)malloc(n);

	TEST_REQUIRE(checkpoint);
	TEST_OK(fair_sched_save(&x->s, checkpoint, n));
	memset(&x->s, 0xa5, sizeof(x->s));
	free(x->memory);
	x->config.users = users;
	bytes = fair_sched_size(&x->config);
	x->memory = (char *)malloc(bytes);
	TEST_REQUIRE(x->memory);
	TEST_OK(fair_sched_load(&x->s, sizeof(x->s), x->memory, bytes,
				&x->config, checkpoint, n, NULL));
	free(checkpoint);
}

static void join(struct year *y, uint32_t user)
{
	struct fair_sched *s = &y->live.s;

	if (y->user[user].present)
		return;
	if (has_tree(y)) {
		if (node_of(user) >= y->live.config.users) {
			crash(&y->live, node_of(user) + 8);
			y->grown++;
		}
		add_to_tree(&y->live, y->now, user);
	} else if (fair_sched_add_entity(s, y->now, USER, id_of(user))) {
		crash(&y->live, y->live.config.users + 8);
		y->grown++;
		TEST_OK(fair_sched_add_entity(s, y->now, USER, id_of(user)));
	}
	y->user[user].present = true;
	y->joined++;
}

/* Accounting of the year is closed for a user, in both; then it leaves. */
static void leave(struct year *y, uint32_t user)
{
	y->user[user].present = false;
	if (has_tree(y)) { /* its account keeps the usage */
		TEST_OK(fair_sched_tree_remove(&y->live.s, y->now,
					       node_of(user)));
		return;
	}
	TEST_OK(fair_sched_set_usage(&y->all.s, y->now, USER, user, 0));
	TEST_OK(fair_sched_set_usage(&y->live.s, y->now, USER, id_of(user), 0));
	TEST_OK(fair_sched_remove_entity(&y->live.s, y->now, USER,
					 id_of(user)));
}

static void arrive(struct year *y)
{
	const struct swf_job *from = y->trace->job + y->arrived;
	struct fair_job j;

	memset(&j, 0, sizeof(j));
	j.number = y->arrived++;
	j.submit = y->now;
	j.walltime = from->estimate;
	j.procs = from->procs;
	j.user = has_tree(y) ? node_of(from->user) : from->user;
	TEST_OK(fair_sched_submit(&y->all.s, y->now, &j));
	join(y, from->user);
	if (!has_tree(y))
		j.user = id_of(from->user);
	TEST_OK(fair_sched_submit(&y->live.s, y->now, &j));
}

static void end_jobs(struct year *y)
{
	size_t i, kept = 0;
	struct user *u;

	for (i = 0; i < y->running; i++) {
		if (y->run[i].end > y->now) {
			y->run[kept++] = y->run[i];
			continue;
		}
		TEST_OK(fair_sched_finish(&y->all.s, y->now,
					  y->run[i].number));
		TEST_OK(fair_sched_finish(&y->live.s, y->now,
					  y->run[i].number));
		u = y->user + y->trace->job[y->run[i].number].user;
		if (!--u->jobs)
			u->leaves = y->now + DAY;
	}
	y->running = kept;
}

/* The same jobs start in both. */
static void step(struct year *y)
{
	struct fair_decision a[16], b[16];
	size_t n, m, i;

	do {
		TEST_OK(fair_sched_step(&y->all.s, y->now, a, 16, &n));
		TEST_OK(fair_sched_step(&y->live.s, y->now, b, 16, &m));
		TEST_REQUIRE(n == m);
		for (i = 0; i < n; i++) {
			TEST_EQ(a[i].number, b[i].number);
			TEST_REQUIRE(y->running < MOST);
			y->run[y->running].number = a[i].number;
			y->run[y->running++].end =
				y->now + y->trace->job[a[i].number].run;
		}
	} while (n == 16);
}

static void compare_node(const struct year *y, uint32_t node)
{
	struct fair_fairtree_info a, b;

	TEST_OK(fair_fairtree_info_of(fair_sched_tree(&y->all.s), node, &a));
	TEST_OK(fair_fairtree_info_of(fair_sched_tree(&y->live.s), node, &b));
	TEST_EQ(a.usage, b.usage);
	TEST_EQ(a.unit, b.unit);
	TEST_EQ(a.shares, b.shares);
}

static void compare_usage(struct year *y)
{
	struct fair_entity a, b;
	size_t present = 0;
	uint32_t i;

	for (i = 0; has_tree(y) && i < 3; i++)
		compare_node(y, i);
	for (i = 0; i < y->trace->users; i++) {
		if (!y->user[i].present)
			continue;
		present++;
		if (has_tree(y)) {
			compare_node(y, node_of(i));
			continue;
		}
		TEST_OK(fair_sched_get_entity(&y->all.s, USER, i, &a));
		TEST_OK(fair_sched_get_entity(&y->live.s, USER, id_of(i), &b));
		TEST_EQ(a.usage, b.usage);
		TEST_EQ(a.fraction, b.fraction);
		TEST_EQ(a.share, b.share);
	}
	if (present > y->most_present)
		y->most_present = present;
}

static void change(struct year *y, uint32_t user)
{
	int64_t week = (int64_t)(y->days / 7);

	if (has_tree(y)) {
		TEST_OK(fair_sched_tree_set_shares(&y->all.s, y->now,
						   node_of(user),
						   1 + (uint32_t)(y->days % 5)));
		TEST_OK(fair_sched_tree_set_shares(&y->live.s, y->now,
						   node_of(user),
						   1 + (uint32_t)(y->days % 5)));
	} else {
		TEST_OK(fair_sched_credit(&y->all.s, y->now, USER, user, 3600,
					  7));
		TEST_OK(fair_sched_credit(&y->live.s, y->now, USER,
					  id_of(user), 3600, 7));
	}
	if (y->days % 7)
		return;
	if (y->all.config.policy == FAIR_RELSHARE) {
		TEST_OK(fair_sched_set_share(&y->all.s, y->now, USER, user,
					     1 + week % 5));
		TEST_OK(fair_sched_set_share(&y->live.s, y->now, USER,
					     id_of(user), 1 + week % 5));
		return;
	}
	y->live.config.half_life = (1 + week % 10) * DAY;
	TEST_OK(fair_sched_set_half_life(&y->all.s, y->now,
					 y->live.config.half_life));
	TEST_OK(fair_sched_set_half_life(&y->live.s, y->now,
					 y->live.config.half_life));
}

static void next_day(struct year *y)
{
	uint32_t i, n = y->trace->users;
	bool changed = false;

	y->days++;
	for (i = 0; i < n; i++)
		if (y->user[i].present && !y->user[i].jobs &&
		    y->user[i].leaves <= y->now)
			leave(y, i);
	for (i = 0; i < n && !changed; i++) {
		changed = y->user[(i + y->days) % n].present;
		if (changed)
			change(y, (uint32_t)((i + y->days) % n));
	}
	compare_usage(y);
	crash(&y->live, y->live.config.users);
	compare_usage(y);
	TEST_EQ(fair_sched_digest(&y->all.s), fair_sched_digest(&y->live.s));
}

static int64_t next_time(const struct year *y, size_t jobs)
{
	int64_t next = (int64_t)(y->days + 1) * DAY;
	size_t i;

	if (y->arrived < jobs && y->trace->job[y->arrived].submit < next)
		next = y->trace->job[y->arrived].submit;
	for (i = 0; i < y->running; i++)
		if (y->run[i].end < next)
			next = y->run[i].end;
	return next > y->now ? next : y->now;
}

static void play(const struct swf *t, size_t jobs, const struct fair_config *c)
{
	struct fair_config live = *c;
	struct year y;
	size_t i;

	memset(&y, 0, sizeof(y));
	y.trace = t;
	y.user = (struct user *)calloc(t->users, sizeof(*y.user));
	TEST_REQUIRE(y.user);
	for (i = 0; i < jobs; i++)
		y.user[t->job[i].user].jobs++;
	y.all.config = *c;
	y.all.config.users = node_of(t->users);
	open_site(&y.all, &y.all.config);
	live.ids = !has_tree(&y);
	live.credits = 4;
	live.users = 8;
	open_site(&y.live, &live);
	for (i = 0; has_tree(&y) && i < 3; i++) {
		TEST_OK(fair_sched_tree_add_account(&y.all.s, 0, (uint32_t)i,
						    FAIR_FAIRTREE_ROOT,
						    1 + (uint32_t)i));
		TEST_OK(fair_sched_tree_add_account(&y.live.s, 0, (uint32_t)i,
						    FAIR_FAIRTREE_ROOT,
						    1 + (uint32_t)i));
	}
	for (i = 0; has_tree(&y) && i < t->users; i++)
		add_to_tree(&y.all, 0, (uint32_t)i);
	while (y.arrived < jobs || y.running) {
		y.now = next_time(&y, jobs);
		end_jobs(&y);
		if (y.now == (int64_t)(y.days + 1) * DAY)
			next_day(&y);
		while (y.arrived < jobs &&
		       t->job[y.arrived].submit <= y.now)
			arrive(&y);
		step(&y);
	}
	compare_usage(&y);
	TEST_EQ(fair_sched_digest(&y.all.s), fair_sched_digest(&y.live.s));
	TEST_EQ(fair_sched_check(&y.live.s), 0);
	TEST_CHECK(y.joined >= y.most_present && y.grown);
	printf("%zu days, %zu joined, %zu at once at most, %zu times grown\n",
	       y.days, y.joined, y.most_present, y.grown);
	free(y.all.memory);
	free(y.live.memory);
	free(y.user);
}

TEST_EACH(year)
{
	static const struct {
		const char *name;
		uint32_t policy, order;
	} sites[] = { { "usage", FAIR_BACKFILL, FAIR_ORDER_USAGE },
		      { "dominant", FAIR_BACKFILL, FAIR_ORDER_DOMINANT },
		      { "tree", FAIR_BACKFILL, FAIR_ORDER_TREE },
		      { "relshare", FAIR_RELSHARE, FAIR_ORDER_FCFS } };
	struct fair_machine_config machine = { .classes = 1, .resources = 1 };
	int32_t amount;
	struct swf_options o = { 0 };
	struct fair_config c = { 0 };
	struct swf t;
	size_t i, jobs;

	if (swf_read(&t, test_shared("traces/KTH-SP2-1996-2.swf.gz"), &o)) {
		test_case("KTH");
		test_skip("no trace");
		return;
	}
	jobs = TEST_ROUNDS(t.jobs);
	amount = t.procs;
	machine.amount = &amount;
	for (i = 0; i < sizeof(sites) / sizeof(*sites); i++) {
		test_case(sites[i].name);
		c.policy = sites[i].policy;
		c.order = sites[i].order;
		c.machine = c.order == FAIR_ORDER_DOMINANT ? &machine : NULL;
		c.procs = t.procs;
		c.jobs = MOST;
		c.half_life = 7 * DAY;
		c.window = 7 * DAY;
		play(&t, jobs, &c);
	}
	swf_free(&t);
}
