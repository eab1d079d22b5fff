/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Real traces under relshare: every job starts when the naive model, with exact
 * rationals, starts it. FAIRSCHED_FULL=1 plays longer parts of them.
 */
#include <stdlib.h>

#include "tests/model/sched_model.h"
#include "tests/test.h"
#include "tools/fairsched/sim/sim.h"

static const struct {
	const char *trace;
	size_t first, jobs, full;
	int64_t window, origin;
	bool only_used, by_group, decays;
} cases[] = {
	{ "KTH-SP2-1996-2", 0, 1500, 28000, 86400, 0, false, false, false },
	{ "KTH-SP2-1996-2", 3000, 800, 10000, 14400, 0, true, false, false },
	{ "SDSC-SP2-1998-4.2-cln", 0, 800, SIZE_MAX, 86400, 0, false, false, false },
	{ "SDSC-SP2-1998-4.2-cln", 20000, 400, 6000, 7 * 86400, 0, false,
	  false, false },
	{ "SDSC-SP2-1998-4.2-cln", 5000, 600, 6000, 86400, 21600, false, true, false },
	{ "SDSC-SP2-1998-4.2-cln", 0, 600, 10000, 86400, 0, false, false, true },
	{ "KTH-SP2-1996-2", 5000, 800, 10000, 7 * 86400, 3600, true, false,
	  true },
	{ "SDSC-BLUE-2000-4.2-cln", 0, 500, 8000, 172800, -3600, true, false, false },
};

static int64_t id_of(const struct swf_job *job, bool by_group)
{
	return by_group ? job->group : job->user_id;
}

/* Users of this part, or groups, 0, 1, ... in the order of first appearance. */
static uint32_t number_users(struct swf_job *job, size_t jobs, bool by_group)
{
	uint32_t users = 0;
	size_t i, k;

	for (i = 0; i < jobs; i++) {
		for (k = 0; k < i && id_of(&job[k], by_group) !=
					     id_of(&job[i], by_group);
		     k++)
			;
		job[i].share_group = k < i ? job[k].share_group : users++;
		job[i].user = by_group ? 0 : job[i].share_group;
	}
	return users;
}

static void play_model(const struct swf_job *job, size_t jobs,
		       const struct sim_rules *r, uint32_t users,
		       struct model_job *m)
{
	size_t i;
	struct model_rules rules = { .policy = MODEL_RELSHARE,
				     .procs = r->procs,
				     .users = users,
				     .window = r->window,
				     .window_origin = r->window_origin.at,
				     .only_used = r->only_used,
				     .decays = r->decays };

	for (i = 0; i < jobs; i++) {
		m[i].submit = job[i].submit;
		m[i].run = job[i].run;
		m[i].estimate = job[i].estimate;
		m[i].procs = job[i].procs;
		m[i].user = job[i].share_group;
	}
	TEST_EQ(model_run(&rules, m, jobs), 0);
}

static void compare(const struct swf *t, size_t which, size_t jobs)
{
	struct swf_job *job = t->job + cases[which].first;
	size_t left = t->jobs - cases[which].first, i, differ = 0;
	struct model_job *models;
	struct sim_result *ours;
	struct sim_rules rules = { 0 };
	struct sim_totals totals;

	if (jobs > left)
		jobs = left;
	ours = malloc(jobs * sizeof(*ours));
	models = calloc(jobs, sizeof(*models));
	TEST_REQUIRE(ours && models);
	rules.policy = FAIR_RELSHARE;
	rules.depth = 1;
	rules.procs = t->procs;
	rules.window = cases[which].window;
	rules.window_origin.at = cases[which].origin;
	rules.only_used = cases[which].only_used;
	rules.by_group = cases[which].by_group;
	rules.decays = cases[which].decays;
	play_model(job, jobs, &rules, number_users(job, jobs, rules.by_group),
		   models);
	TEST_EQ(sim_run(&rules, job, jobs, NULL, ours, &totals), 0);
	for (i = 0; i < jobs; i++)
		differ += ours[i].start != models[i].start;
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
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(file, sizeof(file), "traces/%s.swf.gz",
			 cases[i].trace);
		test_case(cases[i].trace);
		if (swf_read(&t, test_shared(file), &o)) {
			test_skip("no trace");
			continue;
		}
		compare(&t, i, full ? cases[i].full : cases[i].jobs);
		swf_free(&t);
	}
}
