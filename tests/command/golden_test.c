/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Schedules worked out by hand: each tests/golden/NAME.swf, through the library
 * and through the naive model, comes out as NAME.expected says.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/sched_model.h"
#include "tests/test.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/sim/fst.h"
#include "tools/fairsched/sim/sim.h"

#define FOLDER "tests/golden"
#define MOST 64

static const struct policy {
	const char *name;
	uint32_t ours;
	enum model_policy models;
	int64_t window; /* of relshare */
	bool only_used;
} policies[] = {
	{ "fcfs", FAIR_FCFS, MODEL_FCFS, 0, false },
	{ "easy", FAIR_BACKFILL, MODEL_EASY, 0, false },
	{ "conservative", FAIR_CONSERVATIVE, MODEL_CONSERVATIVE, 0, false },
	{ "pc", FAIR_PC, MODEL_PC, 0, false },
	{ "dc", FAIR_DC, MODEL_DC, 0, false },
	{ "relshare", FAIR_RELSHARE, MODEL_RELSHARE, 86400, false },
	{ "relshare_used", FAIR_RELSHARE, MODEL_RELSHARE, 86400, true },
	{ "relshare_100", FAIR_RELSHARE, MODEL_RELSHARE, 100, false },
};

#define POLICIES (sizeof(policies) / sizeof(*policies))

/* A trace, and what both made of it under each policy. */
struct golden {
	struct swf t;
	struct sim_result ours[POLICIES][MOST];
	struct fair_fst fst[POLICIES][MOST];
	struct model_job models[POLICIES][MOST];
};

/* The fields of a line after the policy, empty ones as INT64_MAX. */
static size_t fields(char *line, int64_t *field, size_t most)
{
	size_t n = 0;
	char *p = strchr(line, ',');

	for (; p && n < most; p = strchr(p + 1, ','))
		field[n++] = p[1] == ',' || p[1] == '\0'
				     ? INT64_MAX
				     : strtoll(p + 1, NULL, 10);
	return n;
}

static size_t find_policy(const char *line)
{
	size_t n = strcspn(line, ","), p = 0;

	while (p < POLICIES && (strlen(policies[p].name) != n ||
				memcmp(policies[p].name, line, n) != 0))
		p++;
	return p;
}

static size_t find_job(const struct swf *t, int64_t id)
{
	size_t i = 0;

	while (i < t->jobs && t->job[i].id != id)
		i++;
	return i;
}

static void find_fst(struct golden *g, size_t p, const struct sim_rules *r,
		     const struct sim_totals *totals)
{
	struct fst f;

	TEST_EQ(fst_open(&f, r, g->t.job, g->t.jobs, g->ours[p], totals), 0);
	fst_begin(&f);
	TEST_EQ(fst_help(&f), 0);
	memcpy(g->fst[p], f.time, g->t.jobs * sizeof(*f.time));
	fst_close(&f);
}

static void play(struct golden *g)
{
	struct model_rules rules = { 0 };
	struct sim_rules r = { 0 };
	struct sim_totals totals;
	size_t p, i;

	rules.depth = r.depth = 1;
	rules.procs = r.procs = g->t.procs;
	rules.users = g->t.users;
	for (p = 0; p < POLICIES; p++) {
		r.policy = policies[p].ours;
		rules.window = r.window = policies[p].window;
		rules.only_used = r.only_used = policies[p].only_used;
		TEST_OK(sim_run(&r, g->t.job, g->t.jobs, NULL, g->ours[p],
				&totals));
		find_fst(g, p, &r, &totals);
		for (i = 0; i < g->t.jobs; i++) {
			g->models[p][i].submit = g->t.job[i].submit;
			g->models[p][i].run = g->t.job[i].run;
			g->models[p][i].estimate = g->t.job[i].estimate;
			g->models[p][i].procs = g->t.job[i].procs;
			g->models[p][i].user = g->t.job[i].user;
		}
		rules.policy = policies[p].models;
		TEST_EQ(model_fst(&rules, g->models[p], g->t.jobs), 0);
	}
}

/* policy,job_id,start,first_promise[,strict_fst,relaxed_fst] */
static void compare(const struct golden *g, char *line)
{
	int64_t field[5];
	size_t n = fields(line, field, 5), p = find_policy(line), i;
	const struct model_job *m;

	TEST_REQUIRE(p < POLICIES && n >= 3);
	i = find_job(&g->t, field[0]);
	TEST_REQUIRE(i < g->t.jobs);
	m = &g->models[p][i];
	TEST_EQ(g->ours[p][i].start, field[1]);
	TEST_EQ(m->start, field[1]);
	TEST_EQ(g->ours[p][i].promise, field[2]);
	TEST_EQ(m->first_promise, field[2]);
	TEST_EQ(g->fst[p][i].strict, m->strict_fst);
	TEST_EQ(g->fst[p][i].relaxed, m->relaxed_fst);
	if (n == 5 && field[3] != INT64_MAX)
		TEST_EQ(m->strict_fst, field[3]);
	if (n == 5 && field[4] != INT64_MAX)
		TEST_EQ(m->relaxed_fst, field[4]);
}

/* Each job of the trace has a line for each policy that is there. */
static void compare_all(const struct golden *g, char *text)
{
	size_t lines = 0, seen[POLICIES] = { 0 }, p;
	char *line;

	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (*line == '#' || !strncmp(line, "policy,", 7))
			continue;
		p = find_policy(line);
		if (p < POLICIES)
			seen[p]++;
		compare(g, line);
		lines++;
	}
	for (p = 0; p < POLICIES; p++)
		TEST_CHECK(seen[p] == 0 || seen[p] == g->t.jobs);
	TEST_CHECK(lines >= g->t.jobs);
}

static void golden(const char *name, size_t length)
{
	const struct swf_options o = { 0 };
	static struct golden g;
	char path[100], error[256], *text = NULL;
	size_t bytes;

	memset(&g, 0, sizeof(g));
	snprintf(path, sizeof(path), "golden %.*s", (int)length, name);
	test_case(path);
	snprintf(path, sizeof(path), FOLDER "/%.*s.swf", (int)length, name);
	TEST_REQUIRE(!swf_read(&g.t, path, &o) && g.t.jobs <= MOST);
	snprintf(path, sizeof(path), FOLDER "/%.*s.expected", (int)length,
		 name);
	TEST_REQUIRE(!read_file(path, &text, &bytes, error, sizeof(error)));
	play(&g);
	compare_all(&g, text);
	swf_free(&g.t);
	free(text);
}

TEST_EACH(goldens)
{
	const struct dirent *e;
	DIR *folder = opendir(FOLDER);
	size_t n;

	if (!folder) {
		TEST_CHECK(folder);
		return;
	}
	while ((e = readdir(folder)) != NULL) {
		n = strlen(e->d_name);
		if (n > 4 && !strcmp(e->d_name + n - 4, ".swf"))
			golden(e->d_name, n - 4);
	}
	closedir(folder);
}
