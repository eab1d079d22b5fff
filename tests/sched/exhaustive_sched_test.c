/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * exhaustive_sched_test.c - every small workload under every policy
 *
 * FAIRSCHED_JOBS (3) jobs on 3 processors, each from a menu: arrives with the one
 * before, or a second later; 1, 2 or 3 processors; runs 1 of 3 s, 3 of 3, 1 of 1
 * or, overrunning, 3 of 1; 5 jobs take the first two only. Starts, and first and
 * latest promises, are the model's.
 */
#include "fairsched.h"
#include "fuzz/maui_pair.h"
#include "tests/model/fairtree_model.h"
#include "tests/model/sched_model.h"
#include "tests/model/sched_relshare.h"
#include "tests/test.h"

enum { PROCS = 3, MOST = 6, BYTES = 65536, JOBS = TEST_ROUNDS(8) > 1 ? 3 : 2 };

static const struct {
	int64_t run, estimate;
} lasts[] = { { 1, 3 }, { 3, 3 }, { 1, 1 }, { 3, 1 } };

enum { LASTS = sizeof(lasts) / sizeof(lasts[0]) };

struct rules {
	struct fair_config ours;
	struct model_rules model;
};

/* What became of a job under the library. */
struct played {
	int64_t start, end, first_promise, latest_promise;
};

struct play {
	struct fair_sched sched;
	struct played job[MOST];
	uint64_t memory[BYTES / 8];
};

static void promised(void *context, const struct fair_promise *promise)
{
	struct play *p = (struct play *)context;
	struct played *j = &p->job[promise->number];

	if (j->first_promise == FAIR_FOREVER)
		j->first_promise = promise->to;
	j->latest_promise = promise->to;
}

static void submit(struct play *p, const struct model_job *job, uint32_t i)
{
	struct fair_job j = { .number = i,
			      .submit = job[i].submit,
			      .walltime = job[i].estimate,
			      .procs = job[i].procs,
			      .user = job[i].user,
			      .account = job[i].account };

	j.group = j.qos = j.queue = MODEL_NO_JOB;
	TEST_EQ(fair_sched_submit(&p->sched, j.submit, &j), 0);
}

static void step(struct play *p, const struct model_job *job, int64_t now)
{
	struct fair_decision start[MOST];
	size_t n, i;

	TEST_EQ(fair_sched_step(&p->sched, now, start, MOST, &n), 0);
	for (i = 0; i < n; i++) {
		p->job[start[i].number].start = now;
		p->job[start[i].number].end = now + job[start[i].number].run;
	}
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The next to end, of those that started together the first to start. */
static uint32_t next_end(const struct play *p, uint32_t n, int64_t *end)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint32_t first = n;

	*end = FAIR_FOREVER;
	while (fair_sched_each(&p->sched, FAIR_RUNNING, &at, &j))
		if (p->job[j.job.number].end < *end) {
			first = (uint32_t)j.job.number;
			*end = p->job[first].end;
		}
	return first;
}

static void play(struct play *p, const struct rules *rules,
		 const struct model_job *job, uint32_t n)
{
	struct fair_config config = rules->ours;
	uint32_t next = 0, first, i;
	int64_t now, end;

	config.promised = promised;
	config.context = p;
	TEST_REQUIRE(fair_sched_size(&config) <= BYTES);
	TEST_OK(fair_sched_init(&p->sched, sizeof(p->sched), p->memory,
				sizeof(p->memory), &config));
	for (i = 0; i < n; i++)
		p->job[i].start = p->job[i].end = p->job[i].first_promise =
			p->job[i].latest_promise = FAIR_FOREVER;
	for (;;) {
		next_end(p, n, &end);
		now = earlier(end, fair_sched_next(&p->sched));
		if (next < n)
			now = earlier(now, job[next].submit);
		if (now == FAIR_FOREVER)
			break;
		while ((first = next_end(p, n, &end)) < n && end <= now)
			TEST_EQ(fair_sched_finish(&p->sched, now, first), 0);
		for (; next < n && job[next].submit <= now; next++)
			submit(p, job, next);
		step(p, job, now);
	}
	TEST_EQ(fair_sched_check(&p->sched), 0);
}

static void compare(const struct rules *rules, struct model_job *job, uint32_t n)
{
	static struct play p;
	uint32_t i;

	TEST_EQ(model_run(&rules->model, job, n), 0);
	play(&p, rules, job, n);
	for (i = 0; i < n; i++) {
		TEST_EQ(p.job[i].start, job[i].start);
		TEST_EQ(p.job[i].first_promise, job[i].first_promise);
		TEST_EQ(p.job[i].latest_promise, job[i].latest_promise);
	}
}

static struct model_request asks(uint32_t user)
{
	struct model_request a = { { user, MODEL_NO_JOB, user, MODEL_NO_JOB,
				  MODEL_NO_JOB },
				0, 0, 0, 0, 0 };

	return a;
}

static uint32_t jobs(void)
{
	const char *text = getenv("FAIRSCHED_JOBS");
	uint32_t n = text ? (uint32_t)strtoul(text, NULL, 10) : JOBS;

	return n >= 1 && n <= MOST ? n : JOBS;
}

/* Workload @x is a number of base @menu: a digit a job. From the @first on one
 * of @stride is tried. */
static void some_workloads(const struct rules *rules, uint64_t first,
			   uint64_t stride)
{
	uint32_t n = jobs(), menu = 2 * PROCS * (n < 5 ? LASTS : 2), i, digit;
	uint64_t x, rest, all = 1;
	struct model_job job[MOST];

	for (i = 0; i < n; i++)
		all *= menu;
	for (x = first; x < all; x += stride) {
		memset(job, 0, sizeof(job));
		for (rest = x, i = 0; i < n; i++, rest /= menu) {
			digit = (uint32_t)(rest % menu);
			job[i].submit = (i ? job[i - 1].submit : 0) + digit % 2;
			job[i].procs = (int32_t)(digit / 2 % PROCS) + 1;
			job[i].run = lasts[digit / 2 / PROCS].run;
			job[i].estimate = lasts[digit / 2 / PROCS].estimate;
			job[i].user = job[i].account = i % 2;
			job[i].asks = asks(i % 2);
		}
		compare(rules, job, n);
	}
}

static void every_workload(const struct rules *rules)
{
	some_workloads(rules, 0, 1);
}

static struct rules of(uint32_t policy, enum model_policy model, uint32_t order,
		       uint32_t depth)
{
	struct rules r = { .ours.policy = policy, .ours.order = order };

	r.ours.depth = r.model.depth = depth;
	r.ours.procs = r.model.procs = PROCS;
	r.ours.jobs = MOST;
	r.model.policy = model;
	r.model.order = (enum model_order)order;
	return r;
}

TEST_EACH(plain)
{
	static const struct {
		const char *name;
		uint32_t policy;
		enum model_policy model;
		uint32_t depth;
		bool lxf; /* too */
	} policy[] = {
		{ "fcfs", FAIR_FCFS, MODEL_FCFS, 0, true },
		{ "easy", FAIR_BACKFILL, MODEL_EASY, 1, true },
		{ "depth 2", FAIR_BACKFILL, MODEL_EASY, 2, true },
		{ "pc", FAIR_PC, MODEL_PC, 0, false },
		{ "dc", FAIR_DC, MODEL_DC, 0, false },
	};
	static const char *const order[] = { "fcfs",	 "sjf",	      "ljf",
					     "widest", "narrowest", "lxf" };
	struct rules r;
	char name[64];
	size_t i;
	uint32_t k;

	test_case("conservative");
	r = of(FAIR_CONSERVATIVE, MODEL_CONSERVATIVE, 0, 0);
	every_workload(&r);
	for (i = 0; i < sizeof(policy) / sizeof(policy[0]); i++)
		for (k = 0; k < 6; k++) {
			if (k == FAIR_ORDER_LXF && !policy[i].lxf)
				continue;
			snprintf(name, sizeof(name), "%s by %s", policy[i].name,
				 order[k]);
			test_case(name);
			r = of(policy[i].policy, policy[i].model, k,
			       policy[i].depth);
			every_workload(&r);
		}
}

/* Behind the first reservation, whatever uses most of each window. */
TEST_EACH(selected)
{
	static const char *const select[] = { "bestfit", "greedy" };
	struct rules r;
	uint32_t i;

	for (i = 0; i < 2; i++) {
		test_case(select[i]);
		r = of(FAIR_BACKFILL, MODEL_EASY, 0, 1);
		r.ours.select = i ? FAIR_GREEDY : FAIR_BESTFIT;
		r.model.select = i ? MODEL_GREEDY : MODEL_BESTFIT;
		r.ours.metric = FAIR_FIT_PROC_SECONDS;
		r.model.metric = MODEL_PROC_SECONDS;
		every_workload(&r);
	}
}

TEST_EACH(shared)
{
	static const uint32_t share[] = { 2, 1 };
	static const int64_t target[] = { 2, 1 };
	struct rules r = of(FAIR_RELSHARE, MODEL_RELSHARE, 0, 1);

	test_case("relshare");
	r.ours.users = r.model.users = 2;
	r.ours.share = r.model.share = share;
	r.ours.window = r.model.window = 4;
	every_workload(&r);
	test_case("sfs");
	r = of(FAIR_SFS, MODEL_SFS, 0, 1);
	r.ours.accounts = 2;
	r.ours.target = r.model.target = target;
	every_workload(&r);
	test_case("easy by usage");
	r = of(FAIR_BACKFILL, MODEL_EASY, FAIR_ORDER_USAGE, 1);
	r.ours.users = r.model.users = 2;
	r.ours.half_life = r.model.half_life = 2;
	every_workload(&r);
}

/* User 0 ought to use little, and runs two jobs at once only if no other user can;
 * narrow jobs go first, and bypassed ones. */
TEST_EACH(limited)
{
	struct rules r = of(FAIR_MAUI, MODEL_EASY, 0, 1);
	static struct maui_pair site;
	struct fair_maui_config *c = &site.config;
	struct fuzz_in none = { NULL, 0 };

	test_case("maui");
	maui_pair_new(&site, &none, &r.model);
	c->priority.component_weight[FAIR_PRIORITY_RESOURCE] = -1;
	c->priority.weight[FAIR_PRIORITY_PROCS] = 2;
	c->priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 1;
	c->priority.weight[FAIR_PRIORITY_FS_USER] = 1;
	c->priority.component_weight[FAIR_PRIORITY_BYPASS] = 1;
	c->priority.weight[FAIR_PRIORITY_BYPASSED] = 1;
	c->usage = FAIR_MAUI_PROCS;
	c->interval = site.model.interval = 3;
	c->depth = site.model.depth = 1;
	site.model.usage = MODEL_USE_PROCS;
	site.credential[0][0].has_target = true;
	site.credential[0][0].target.kind = FAIR_USAGE_TARGET;
	site.credential[0][0].target.points = 20 << 20;
	site.model.credential[0][0].has_target = true;
	site.model.credential[0][0].target = MODEL_TARGET;
	site.model.credential[0][0].points = 20 << 20;
	site.credential[0][0].soft[FAIR_THROTTLE_JOBS] = 1;
	maui_pair_copy_to_model(&site);
	r.ours.maui = c;
	every_workload(&r);
	test_case("maui, one idle job of user 0");
	site.credential[0][0].hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	maui_pair_copy_to_model(&site);
	every_workload(&r);
}

/* ---- trees ---- */

enum { NODES = 4, SHAPES = 6, USER_SHARES = 4, ACCOUNT_SHARES = 3,
       TREES = SHAPES * USER_SHARES * ACCOUNT_SHARES };

/* Users 0 and 1 below the root, account 2, or account 3, which may be in 2. */
static void plant(struct rules *r, struct fair_fairtree *f,
		  struct fairtree_model *m, uint32_t tree)
{
	static const uint32_t parent[SHAPES][NODES] = {
		{ 4, 4, 4, 4 }, { 2, 4, 4, 4 }, { 2, 3, 4, 4 },
		{ 2, 2, 4, 4 }, { 3, 4, 4, 2 }, { 3, 2, 4, 2 },
	};
	static const uint32_t shares[] = { 1, 2, FAIR_FAIRTREE_PARENT, 0 };
	static unsigned char memory[1024];
	uint32_t of[NODES] = { 1, 1, 1, 2 }, i, above;

	of[0] = shares[tree / SHAPES % USER_SHARES];
	of[2] = shares[tree / SHAPES / USER_SHARES];
	TEST_OK(fair_fairtree_init(f, sizeof(*f), memory, sizeof(memory), NODES,
				   r->ours.half_life));
	fairtree_model_init(m, NODES);
	for (i = NODES; i-- > 0;) {
		above = i == 3 ? NODES : parent[tree % SHAPES][i];
		TEST_CHECK(fairtree_model_add(m, i < 2 ? 'u' : 'a', i, above,
					      of[i]));
		if (above == NODES)
			above = FAIR_FAIRTREE_ROOT;
		TEST_OK(i < 2 ? fair_fairtree_add_user(f, i, above, of[i])
			      : fair_fairtree_add_account(f, i, above, of[i]));
	}
	if (parent[tree % SHAPES][3] == 2) {
		TEST_OK(fair_fairtree_move(f, 3, 2));
		TEST_CHECK(fairtree_model_move(m, 3, 2));
	}
	r->ours.tree = f;
	r->model.tree = m;
}

/* One workload of @stride for each tree, others for the next one. */
static void every_tree(struct rules *r, uint64_t stride)
{
	struct fair_fairtree f;
	struct fairtree_model m;
	uint32_t tree;

	r->ours.users = r->model.users = NODES;
	r->ours.half_life = r->model.half_life = 2;
	for (tree = 0; tree < TREES; tree++) {
		plant(r, &f, &m, tree);
		if (r->model.policy != MODEL_RELSHARE ||
		    sched_relshare_takes(&r->model))
			some_workloads(r, tree % stride, stride);
		fairtree_model_free(&m);
	}
}

TEST_EACH(by_tree)
{
	static const int64_t target[] = { 2, 1 };
	struct rules r = of(FAIR_BACKFILL, MODEL_EASY, FAIR_ORDER_TREE, 1);
	static struct maui_pair site;
	struct fuzz_in none = { NULL, 0 };

	test_case("easy by tree");
	r.model.order = MODEL_BY_TREE;
	every_tree(&r, 7);
	test_case("depth 2 by tree");
	r.ours.depth = r.model.depth = 2;
	every_tree(&r, 31);
	test_case("fcfs by tree");
	r.ours.policy = FAIR_FCFS;
	r.model.policy = MODEL_FCFS;
	r.ours.depth = r.model.depth = 0;
	every_tree(&r, 31);
	test_case("sfs by tree");
	r = of(FAIR_SFS, MODEL_SFS, FAIR_ORDER_TREE, 1);
	r.model.order = MODEL_BY_TREE;
	r.ours.accounts = 2;
	r.ours.target = r.model.target = target;
	every_tree(&r, 31);
	test_case("relshare by tree");
	r = of(FAIR_RELSHARE, MODEL_RELSHARE, FAIR_ORDER_FCFS, 1);
	r.ours.window = r.model.window = 4;
	every_tree(&r, 31);
	test_case("maui by tree");
	r = of(FAIR_MAUI, MODEL_EASY, FAIR_ORDER_TREE, 1);
	r.model.order = MODEL_BY_TREE;
	maui_pair_new(&site, &none, &r.model);
	site.config.priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 1;
	site.config.priority.weight[FAIR_PRIORITY_FS_USER] = 1;
	site.config.depth = site.model.depth = 1;
	maui_pair_copy_to_model(&site);
	r.ours.maui = &site.config;
	every_tree(&r, 31);
}
