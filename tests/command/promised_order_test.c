/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * pc and dc by orders that change: every job of parts of real traces, and of
 * small random ones, starts when the naive model starts it. FAIRSCHED_FULL=1
 * plays longer parts and more of them.
 */
#include <stdlib.h>

#include "tests/model/fairtree_model.h"
#include "tests/model/sched_model.h"
#include "tests/test.h"
#include "tools/fairsched/sim/sim.h"

#define WEEK (7 * 86400)

static const struct {
	const char *trace;
	size_t first, jobs, full;
} traces[] = {
	{ "SDSC-SP2-1998-4.2-cln", 1000, 400, 6000 },
	{ "CTC-SP2-1996-3.1-cln", 2000, 400, 6000 },
	{ "NASA-iPSC-1993-3.1-cln", 0, 400, 6000 },
	{ "KTH-SP2-1996-2", 5000, 400, 6000 },
};

static const struct {
	const char *name;
	uint32_t order;
	enum model_order models;
} orders[] = {
	{ "lxf", FAIR_ORDER_LXF, MODEL_BY_LXF },
	{ "usage", FAIR_ORDER_USAGE, MODEL_BY_USAGE },
	{ "relshare", SIM_ORDER_RELSHARE, MODEL_BY_RELSHARE },
	{ "tree", SIM_ORDER_TREE, MODEL_BY_TREE }, /* random ones alone */
};

enum { ORDERS = sizeof(orders) / sizeof(*orders) };

/* Two accounts, of two users and of one. */
static struct tree_node nodes[] = {
	{ .parent = 3, .shares = 1, .is_user = true },
	{ .parent = 3, .shares = 2, .is_user = true },
	{ .parent = 4, .shares = 1, .is_user = true },
	{ .parent = TREE_ROOT, .shares = 2 },
	{ .parent = TREE_ROOT, .shares = 1 },
};

enum { NODES = sizeof(nodes) / sizeof(*nodes) };

static const struct tree tree = { .node = nodes, .nodes = NODES };

static void plant(struct fairtree_model *m)
{
	size_t i;

	fairtree_model_init(m, NODES);
	for (i = NODES; i-- > 0;)
		TEST_CHECK(fairtree_model_add(
			m, nodes[i].is_user ? 'u' : 'a', i,
			nodes[i].parent == TREE_ROOT ? NODES : nodes[i].parent,
			nodes[i].shares));
}

/* Users of this part: 0, 1, ... in the order of first appearance. */
static uint32_t number_users(struct swf_job *job, size_t jobs)
{
	uint32_t users = 0;
	size_t i, k;

	for (i = 0; i < jobs; i++) {
		for (k = 0; k < i && job[k].user_id != job[i].user_id; k++)
			;
		job[i].user = k < i ? job[k].user : users++;
		job[i].node = job[i].share_group = job[i].user;
	}
	return users;
}

static void play_model(const struct swf_job *job, size_t jobs,
		       const struct sim_rules *r, enum model_order order,
		       uint32_t users, struct model_job *m)
{
	struct model_rules rules = { .procs = r->procs,
				     .order = order,
				     .users = users,
				     .window = r->window,
				     .half_life = r->half_life };
	struct fairtree_model planted;
	size_t i;

	rules.policy = r->policy == FAIR_PC ? MODEL_PC : MODEL_DC;
	plant(&planted);
	if (order == MODEL_BY_TREE)
		rules.tree = &planted;
	for (i = 0; i < jobs; i++) {
		m[i].submit = job[i].submit;
		m[i].run = job[i].run;
		m[i].estimate = job[i].estimate;
		m[i].procs = job[i].procs;
		m[i].user = job[i].user;
	}
	TEST_EQ(model_run(&rules, m, jobs), 0);
	fairtree_model_free(&planted);
}

/* Under both policies, by the order @which. */
static void compare(struct swf_job *job, size_t jobs, int32_t procs,
		    size_t which, int64_t period)
{
	struct sim_result *ours = malloc(jobs * sizeof(*ours));
	struct model_job *models = calloc(jobs, sizeof(*models));
	uint32_t users = number_users(job, jobs);
	struct sim_rules rules = { 0 };
	struct sim_totals totals;
	size_t i, differ = 0;

	TEST_REQUIRE(ours && models);
	rules.order = orders[which].order;
	rules.depth = 1;
	rules.procs = procs;
	rules.window = rules.half_life = period;
	if (rules.order == SIM_ORDER_TREE)
		rules.tree = &tree;
	for (rules.policy = FAIR_PC; rules.policy <= FAIR_DC; rules.policy++) {
		play_model(job, jobs, &rules, orders[which].models, users,
			   models);
		TEST_EQ(sim_run(&rules, job, jobs, NULL, ours, &totals), 0);
		for (i = 0; i < jobs; i++)
			differ += ours[i].start != models[i].start ||
				  ours[i].start > ours[i].promise;
	}
	TEST_EQ(differ, 0);
	free(ours);
	free(models);
}

TEST_EACH(all_traces)
{
	const char *full = getenv("FAIRSCHED_FULL");
	const struct swf_options o = { 0 };
	char file[128];
	struct swf t;
	size_t i, k;

	for (i = 0; i < sizeof(traces) / sizeof(*traces); i++) {
		snprintf(file, sizeof(file), "traces/%s.swf.gz",
			 traces[i].trace);
		test_case(traces[i].trace);
		if (swf_read(&t, test_shared(file), &o)) {
			test_skip("no trace");
			continue;
		}
		for (k = 0; orders[k].order != SIM_ORDER_TREE; k++)
			compare(t.job + traces[i].first,
				full ? traces[i].full : traces[i].jobs, t.procs,
				k, orders[k].order == FAIR_ORDER_USAGE ? WEEK
								       : 86400);
		swf_free(&t);
	}
}

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	return *state >> 33;
}

/* Jobs that meet: of three users on up to nine processors. */
TEST(random_workloads)
{
	uint64_t state = 1;
	struct swf_job job[12];
	size_t i, k, round;

	for (round = 0; round < TEST_ROUNDS(10000); round++) {
		size_t jobs = 4 + draw(&state) % 9;
		int32_t procs = 2 + (int32_t)(draw(&state) % 8);
		int64_t t = 0;

		memset(job, 0, sizeof(job));
		for (i = 0; i < jobs; i++) {
			t += (int64_t)(draw(&state) % 6);
			job[i].id = (int64_t)i;
			job[i].submit = t;
			job[i].estimate = 1 + (int64_t)(draw(&state) % 20);
			job[i].run = (int64_t)draw(&state) %
				     (job[i].estimate + 1);
			job[i].procs = 1 + (int32_t)(draw(&state) %
						     (uint64_t)procs);
			job[i].user_id = (int64_t)(draw(&state) % 3);
		}
		for (k = 0; k < ORDERS; k++)
			compare(job, jobs, procs, k, 1 + (int64_t)(round % 30));
	}
}
