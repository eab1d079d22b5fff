/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * exhaustive_live_test.c - every small case of suspension and resizing
 *
 * Three jobs arrive at 0 on 3 processors, each of 1 to 3 processors for 2 or 4
 * seconds. At 1 and at 2 nothing happens, or one of them is suspended, resumed,
 * or resized to 1, 2 or 3; at 3 all that are suspended are resumed. Instead a
 * user may get a credit or another usage or share, all usage may be reset, the
 * half-life or the window may change; by a tree a node may move, get other
 * shares, come or go; a limit of a user may change, or a budget, and at 6 all are
 * lifted. At each second errors, planned ends and promises are the model's.
 */
#include "fairsched.h"
#include "tests/model/fairtree_model.h"
#include "tests/model/sched_model.h"
#include "tests/test.h"

enum { PROCS = 3, JOBS = 3, BYTES = 65536, EVENTS = 1 + JOBS * 5, LAST = 20 };
enum { NODES = 4 }; /* of a tree: users 0 and 1, account 2 */

static const struct model_tree_change tree_changes[] = {
	{ 'm', 0, NODES, 0 }, { 'm', 1, 2, 0 },	    { 's', 0, 0, 3 },
	{ 's', 2, 0, 0 },     { 's', 2, 0, UINT32_MAX }, { 'a', 3, 2, 1 },
	{ 'm', 0, 3, 0 },     { 'u', 3, 2, 1 },	    { 'r', 1, 0, 0 },
	{ 'r', 3, 0, 0 },
};

enum { TREE_CHANGES = sizeof(tree_changes) / sizeof(tree_changes[0]) };

/* Of a user: 'c'redit, 'u'sage, 's'hare; most 'j'obs, 'p'rocessors, a 'b'udget,
 * what of it is spent: 'B'; of all: 'r'eset, 'h'alf-life, 'w'indow. */
struct rule_change {
	char what;
	uint32_t user;
	int64_t n;
};

static const struct rule_change usage_changes[] = {
	{ 'c', 0, 3 }, { 'c', 1, 99 }, { 'u', 0, 7 }, { 'u', 1, 0 },
	{ 'r', 0, 0 }, { 'h', 0, 1 },  { 'h', 0, 5 }, { 'h', 0, 0 },
};
static const struct rule_change share_changes[] = {
	{ 'c', 0, 3 }, { 'u', 1, 7 }, { 's', 0, 3 }, { 's', 0, 0 },
	{ 's', 1, 2 }, { 'r', 0, 0 }, { 'w', 0, 2 }, { 'w', 0, 7 },
};
static const struct rule_change limit_changes[] = {
	{ 'j', 0, 1 },	{ 'p', 0, 1 }, { 'p', 0, 3 }, { 'p', 1, 0 },
	{ 'b', 0, 20 }, { 'b', 0, 5 }, { 'b', 1, 4 }, { 'B', 0, 6 },
};
static const struct rule_change lifted[] = {
	{ 'j', 0, FAIR_LIMIT_NONE }, { 'p', 0, FAIR_LIMIT_NONE },
	{ 'p', 1, FAIR_LIMIT_NONE }, { 'b', 0, FAIR_LIMIT_NONE },
	{ 'b', 1, FAIR_LIMIT_NONE },
};
/* Behind those of the tree. */
static const struct rule_change tree_rules[] = {
	{ 'r', 0, 0 },
	{ 'h', 0, 1 },
	{ 'h', 0, 7 },
};

enum { RULES = 8, TREE_RULES = 3 };

/* Of workloads, coprime to their digits. FAIRSCHED_FULL=1, which is tools/full.sh
 * exhaustion, plays all of them. */
static uint32_t stride(void)
{
	return TEST_ROUNDS(8) == 1 ? 71 : getenv("FAIRSCHED_FULL") ? 1 : 5;
}

struct play {
	struct fair_sched sched;
	struct model *model;
	uint64_t memory[BYTES / 8];
};

static long ambiguous; /* where the model rounds: it may decide otherwise */
static const struct fairtree_model *tree; /* as config.tree has it */

/* User 0 has 2 processors and 12 processor-seconds. */
static const struct fair_limit limits[] = {
	{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 0, 2 },
	{ FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, 0, 12 },
	{ FAIR_ENTITY_USER, FAIR_LIMIT_JOBS, 0, FAIR_LIMIT_NONE },
	{ FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 1, FAIR_LIMIT_NONE },
	{ FAIR_ENTITY_USER, FAIR_LIMIT_BUDGET, 1, FAIR_LIMIT_NONE },
};
static const struct model_limit model_limits[] = {
	{ 0, MODEL_LIMIT_PROCS, 0, 2, 0 },
	{ 0, MODEL_LIMIT_BUDGET, 0, 12, 0 },
};

enum { LIMITS = sizeof(limits) / sizeof(limits[0]) };

static struct model_rules rules_of(const struct fair_config *config)
{
	static const enum model_policy policy[] = { MODEL_FCFS, MODEL_EASY,
						    MODEL_CONSERVATIVE,
						    MODEL_PC, MODEL_DC };
	struct model_rules rules = { 0 };

	rules.policy = config->policy == FAIR_RELSHARE ? MODEL_RELSHARE
						       : policy[config->policy];
	rules.window = config->window;
	rules.order = (enum model_order)config->order;
	rules.depth = 1;
	rules.procs = PROCS;
	rules.jobs = config->jobs;
	rules.users = config->users;
	rules.half_life = config->half_life;
	rules.limits = config->limits;
	rules.tree = tree;
	if (tree)
		rules.order = MODEL_BY_TREE;
	return rules;
}

/* Workload @x: a digit of base 6 for each job. */
static void begin(struct play *p, const struct fair_config *config, uint32_t x)
{
	struct model_rules rules = rules_of(config);
	uint32_t i, k;

	TEST_REQUIRE(fair_sched_size(config) <= BYTES);
	TEST_OK(fair_sched_init(&p->sched, sizeof(p->sched), p->memory,
				sizeof(p->memory), config));
	p->model = model_new(&rules, 0);
	for (i = 0; config->limits && i < 2; i++)
		TEST_OK(model_limit(p->model, 0, model_limits + i));
	for (i = 0; i < JOBS; i++, x /= 6) {
		struct fair_job j = { .number = i, .user = i % 2 };
		struct model_job m = { 0 };

		j.procs = m.procs = (int32_t)(1 + x % 6 / 2);
		j.walltime = m.estimate = x % 2 ? 4 : 2;
		m.user = m.of[0] = i % 2;
		for (k = 1; k < MODEL_KINDS; k++)
			m.of[k] = MODEL_NO_JOB;
		m.tasks = 1;
		TEST_EQ(fair_sched_submit(&p->sched, 0, &j),
			model_submit(p->model, 0, i, &m));
	}
}

static int change_tree(struct fair_sched *s, int64_t now,
		       const struct model_tree_change *c)
{
	uint32_t parent = c->parent == NODES ? FAIR_FAIRTREE_ROOT : c->parent;

	switch (c->what) {
	case 'a':
		return fair_sched_tree_add_account(s, now, c->node, parent,
						   c->shares);
	case 'u':
		return fair_sched_tree_add_user(s, now, c->node, parent,
						c->shares);
	case 'r':
		return fair_sched_tree_remove(s, now, c->node);
	case 'm':
		return fair_sched_tree_move(s, now, c->node, parent);
	default:
		return fair_sched_tree_set_shares(s, now, c->node, c->shares);
	}
}

static void change_limit(struct play *p, int64_t now,
			 const struct rule_change *c)
{
	uint32_t resource = c->what == 'j'   ? FAIR_LIMIT_JOBS
			    : c->what == 'p' ? FAIR_LIMIT_PROCS
					     : FAIR_LIMIT_BUDGET;
	const struct fair_limit ours = { FAIR_ENTITY_USER, resource, c->user,
					 c->n };
	const struct model_limit models = {
		0,
		resource == FAIR_LIMIT_BUDGET ? (uint32_t)MODEL_LIMIT_BUDGET
					      : resource,
		c->user, c->n, 0
	};

	if (c->what == 'B')
		TEST_EQ(fair_sched_set_spent(&p->sched, now, &ours, c->n),
			model_set_spent(p->model, now, &models, c->n));
	else
		TEST_EQ(fair_sched_limit(&p->sched, now, &ours),
			model_limit(p->model, now, &models));
}

static void change_rule(struct play *p, int64_t now, const struct rule_change *c)
{
	struct fair_sched *s = &p->sched;
	int64_t taken;
	int ours, models;

	switch (c->what) {
	case 'c':
		ours = fair_sched_credit(s, now, FAIR_ENTITY_USER, c->user,
					 (uint64_t)c->n, 1);
		models = model_credit(p->model, now, FAIR_ENTITY_USER, c->user,
				      c->n, &taken);
		break;
	case 'u':
		ours = fair_sched_set_usage(s, now, FAIR_ENTITY_USER, c->user,
					    (uint64_t)c->n);
		models = model_set_usage(p->model, now, FAIR_ENTITY_USER,
					 c->user, c->n);
		break;
	case 's':
		ours = fair_sched_set_share(s, now, FAIR_ENTITY_USER, c->user,
					    c->n);
		models = model_set_share(p->model, now, c->user, c->n);
		break;
	case 'r':
		ours = fair_sched_reset_usage(s, now);
		models = model_reset_usage(p->model, now);
		break;
	case 'h':
		ours = fair_sched_set_half_life(s, now, c->n);
		models = model_set_half_life(p->model, now, c->n);
		break;
	default:
		ours = fair_sched_set_window(s, now, c->n, 0);
		models = model_set_window(p->model, now, c->n, false);
	}
	TEST_OK(ours);
	TEST_OK(models);
}

/* Event @e: 0: none; of job (e - 1) / 5; or of the tree or of a rule. */
static void happen(struct play *p, int64_t now, uint32_t e)
{
	uint32_t number = (e - 1) / 5, what = (e - 1) % 5;
	struct fair_job_status j;
	int ours, models;

	if (e >= EVENTS && p->sched.config.limits) {
		change_limit(p, now, limit_changes + (e - EVENTS));
		return;
	}
	if (e >= EVENTS && !tree) {
		change_rule(p, now,
			    (p->sched.config.policy == FAIR_RELSHARE
				     ? share_changes
				     : usage_changes) +
				    (e - EVENTS));
		return;
	}
	if (e >= EVENTS + TREE_CHANGES) {
		change_rule(p, now, tree_rules + (e - EVENTS - TREE_CHANGES));
		return;
	}
	if (e >= EVENTS) {
		ours = change_tree(&p->sched, now, tree_changes + (e - EVENTS));
		models = model_change_tree(p->model, now,
					   tree_changes + (e - EVENTS));
		TEST_EQ(!ours, !models);
		return;
	}
	if (!e || fair_sched_lookup(&p->sched, number, &j))
		return;
	if (what == 3) {
		ours = fair_sched_suspend(&p->sched, now, number);
		models = model_suspend(p->model, now, number);
	} else if (what == 4) {
		ours = fair_sched_resume_job(&p->sched, now, number);
		models = model_resume_job(p->model, now, number);
	} else {
		j.job.procs = (int32_t)what + 1;
		ours = fair_sched_resize(&p->sched, now, number, &j.job);
		models = model_resize(p->model, now, number, j.job.procs);
	}
	TEST_EQ(ours, models);
}

static void compare(const struct play *p)
{
	struct fair_job_status j;
	uint32_t i;

	TEST_EQ(fair_sched_check(&p->sched), 0);
	TEST_EQ(model_check(p->model), 0);
	TEST_EQ(fair_sched_next(&p->sched), model_next(p->model));
	for (i = 0; i < JOBS; i++) {
		if (fair_sched_lookup(&p->sched, i, &j))
			continue;
		TEST_EQ(j.end, model_end(p->model, i));
		if (j.state != FAIR_RUNNING)
			TEST_EQ(j.start, model_promise(p->model, i));
	}
}

/* What has reached its planned end ends, then jobs start. */
static void pass(struct play *p, int64_t now)
{
	const struct model_decision *decision;
	struct fair_decision start[JOBS];
	struct fair_job_status j;
	size_t n;
	uint32_t i;

	for (i = 0; i < JOBS; i++) {
		if (fair_sched_lookup(&p->sched, i, &j) || j.end > now)
			continue;
		TEST_OK(fair_sched_finish(&p->sched, now, i));
		TEST_OK(model_finish(p->model, now, i));
	}
	for (i = 1; now == 3 && i <= JOBS; i++)
		happen(p, now, 5 * i);
	TEST_OK(fair_sched_step(&p->sched, now, start, JOBS, &n));
	TEST_OK(model_step(p->model, now, &decision, &n));
	compare(p);
}

static void lift_limits(struct play *p, int64_t now)
{
	uint32_t i;

	for (i = 0; i < sizeof(lifted) / sizeof(lifted[0]); i++)
		change_limit(p, now, lifted + i);
}

static void play(const struct fair_config *config, uint32_t workload,
		 uint32_t first, uint32_t second)
{
	static struct play p;
	int64_t now;

	begin(&p, config, workload);
	for (now = 0; now < LAST && !model_is_ambiguous(p.model); now++) {
		pass(&p, now);
		happen(&p, now, now == 1 ? first : now == 2 ? second : 0);
		if (now == 6 && config->limits)
			lift_limits(&p, now);
		compare(&p);
		pass(&p, now);
	}
	TEST_CHECK(!p.sched.jobs || model_is_ambiguous(p.model));
	ambiguous += model_is_ambiguous(p.model);
	model_free(p.model);
}

/* Workload @workload with each two events. */
static void every_two(const struct fair_config *config, uint32_t workload,
		      uint32_t events)
{
	uint32_t first, second;

	for (first = 0; first < events; first++)
		for (second = 0; second < events; second++)
			play(config, workload, first, second);
}

static void every_case(uint32_t policy, uint32_t order)
{
	struct fair_config config = { .policy = policy, .order = order };
	uint32_t workload;

	config.depth = 1;
	config.procs = PROCS;
	config.jobs = config.ineligible = JOBS + 1;
	if (order == FAIR_ORDER_USAGE || policy == FAIR_RELSHARE)
		config.users = 2;
	if (policy == FAIR_RELSHARE)
		config.window = 5;
	for (workload = 0; workload < 216; workload += stride())
		every_two(&config, workload,
			  config.users ? EVENTS + RULES : EVENTS);
}

TEST_EACH(limited)
{
	static const char *const name[] = { "limited fcfs", "limited easy",
					    "limited conservative",
					    "limited pc", "limited dc" };
	struct fair_config config = { .depth = 1,
				      .procs = PROCS,
				      .jobs = JOBS + 1,
				      .ineligible = JOBS + 1,
				      .limits = LIMITS,
				      .limit = limits };
	uint32_t workload;

	for (config.policy = 0; config.policy <= FAIR_DC; config.policy++) {
		test_case(name[config.policy]);
		for (workload = 0; workload < 216; workload += stride())
			every_two(&config, workload, EVENTS + RULES);
	}
}

TEST(fcfs)
{
	every_case(FAIR_FCFS, FAIR_ORDER_FCFS);
}

TEST(easy)
{
	every_case(FAIR_BACKFILL, FAIR_ORDER_FCFS);
}

TEST(by_usage)
{
	ambiguous = 0;
	every_case(FAIR_BACKFILL, FAIR_ORDER_USAGE);
	printf("# %ld ambiguous\n", ambiguous);
}

TEST(by_share)
{
	every_case(FAIR_RELSHARE, FAIR_ORDER_FCFS);
}

/* User 0 is in account 2 with 1 share, user 1 below the root with 2. */
TEST(by_tree)
{
	static unsigned char memory[1024];
	struct fair_config config = { .policy = FAIR_BACKFILL,
				      .order = FAIR_ORDER_TREE,
				      .depth = 1,
				      .procs = PROCS,
				      .jobs = JOBS + 1,
				      .ineligible = JOBS + 1,
				      .users = NODES,
				      .half_life = 2 };
	struct fairtree_model m;
	struct fair_fairtree f;
	uint32_t workload;

	TEST_OK(fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), NODES,
				   config.half_life));
	fairtree_model_init(&m, NODES);
	TEST_OK(fair_fairtree_add_account(&f, 2, FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_fairtree_add_user(&f, 0, 2, 1));
	TEST_OK(fair_fairtree_add_user(&f, 1, FAIR_FAIRTREE_ROOT, 2));
	fairtree_model_add(&m, 'a', 2, NODES, 1);
	fairtree_model_add(&m, 'u', 0, 2, 1);
	fairtree_model_add(&m, 'u', 1, NODES, 2);
	config.tree = &f;
	tree = &m;
	for (workload = 0; workload < 216; workload += stride())
		every_two(&config, workload, EVENTS + TREE_CHANGES + TREE_RULES);
	tree = NULL;
	fairtree_model_free(&m);
}

TEST(conservative)
{
	every_case(FAIR_CONSERVATIVE, FAIR_ORDER_FCFS);
}

TEST(pc)
{
	every_case(FAIR_PC, FAIR_ORDER_SJF);
}

TEST(dc)
{
	every_case(FAIR_DC, FAIR_ORDER_SJF);
}
