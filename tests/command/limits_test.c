/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Limits by the names of a trace: the file, what belongs to which limit, and
 * every start of parts of real traces against the naive model. FAIRSCHED_FULL=1
 * plays longer parts, and KTH-SP2 whole.
 */
#include <stdlib.h>

#include "tests/model/sched_model.h"
#include "tests/test.h"
#include "tools/fairsched/sim/sim.h"

static const char *const header = "kind,name,resource,amount\n";

static int parse(struct limits *l, const char *lines)
{
	char text[1000];

	snprintf(text, sizeof(text), "%s%s", header, lines);
	return limits_parse(l, "l.csv", text, strlen(text), NULL, NULL);
}

TEST(lines_of_one_owner_are_one_entry)
{
	struct limits l;

	TEST_REQUIRE(!parse(&l, "user,ann,jobs,3\n# more\nqos,*,cpus,7\n"
				"user,*,processors,40\nuser,ann,processors,9\n"
				"account,phys,jobs,0\ngroup,bio,jobs,2\n"));
	TEST_EQ(l.entries, 5);
	TEST_CHECK(!l.entry[0].name && l.entry[0].line[FAIR_LIMIT_PROCS] == 5);
	TEST_EQ(l.entry[0].amount[FAIR_LIMIT_JOBS], FAIR_LIMIT_NONE);
	TEST_CHECK(!strcmp(l.entry[1].name, "ann"));
	TEST_EQ(l.entry[1].amount[FAIR_LIMIT_JOBS], 3);
	TEST_EQ(l.entry[1].amount[FAIR_LIMIT_PROCS], 9);
	TEST_EQ(l.entry[2].kind, FAIR_ENTITY_GROUP);
	TEST_EQ(l.entry[3].kind, FAIR_ENTITY_GROUP);
	TEST_EQ(l.entry[4].kind, FAIR_ENTITY_QOS);
	limits_free(&l);
}

/* Six jobs of two users; the fields 12, 13 and 15 say who. */
static const char swf[] = "; MaxProcs: 16\n"
			  "1 0 -1 9 4 -1 -1 4 9 -1 1 7 1 -1 3 1 -1 -1\n"
			  "2 0 -1 9 8 -1 -1 8 9 -1 1 7 2 -1 -1 1 -1 -1\n"
			  "3 0 -1 9 9 -1 -1 9 9 -1 1 5 -1 -1 3 1 -1 -1\n"
			  "4 0 -1 9 1 -1 -1 1 9 -1 1 5 1 -1 4 1 -1 -1\n"
			  "5 0 -1 9 4 -1 -1 4 9 -1 1 -1 2 -1 4 1 -1 -1\n"
			  "6 0 -1 9 6 -1 -1 6 9 -1 1 5 1 -1 3 1 -1 -1\n";

/* The ids of the jobs that are left, as digits of a number. */
static int64_t admitted(const char *lines)
{
	const struct swf_options o = { 0 };
	struct limits l;
	int64_t ids = 0;
	struct swf t;
	size_t i;

	TEST_CHECK(!swf_parse(&t, "t", swf, sizeof(swf) - 1, &o) &&
		   !parse(&l, lines));
	l.told = true;
	if (swf_rank(&t) || limits_assign(&l, &t, NULL, NULL, NULL))
		ids = -1;
	for (i = 0; i < t.jobs && ids >= 0; i++)
		ids = 10 * ids + t.job[i].id;
	limits_free(&l);
	swf_free(&t);
	return ids;
}

TEST(jobs_beyond_a_limit_are_dropped)
{
	TEST_EQ(admitted("user,*,processors,8\n"), 12456);
	TEST_EQ(admitted("user,*,processors,8\nuser,5,processors,9\n"), 123456);
	TEST_EQ(admitted("user,7,jobs,0\n"), 3456);
	TEST_EQ(admitted("user,*,jobs,0\nuser,5,jobs,1\n"), 346);
	TEST_EQ(admitted("user,*,processors,3\nuser,5,jobs,1\n"), 4);
	TEST_EQ(admitted("group,1,processors,4\n"), 12345);
	TEST_EQ(admitted("account,*,processors,4\n"), 1345);
	TEST_EQ(admitted("queue,3,processors,5\n"), 1245);
	TEST_EQ(admitted("queue,*,jobs,0\n"), 2);
	TEST_EQ(admitted("qos,*,jobs,0\n"), 123456);
	TEST_EQ(admitted("user,nobody,jobs,0\n"), 123456);
	TEST_EQ(admitted("user,*,jobs,0\n"), -1);
}

/* ---- against the model ---- */

/*
 * Parts of logs: a user has an eighth of the machine, and a group a quarter and
 * 5 jobs. KTH-SP2 whole: a user has 40 processors.
 */
static const struct {
	const char *trace;
	size_t first, jobs, full;
	int32_t user; /* processors; 0: the shares above */
} traces[] = {
	{ "SDSC-SP2-1998-4.2-cln", 1000, 150, 4000, 0 },
	{ "CTC-SP2-1996-3.1-cln", 2000, 150, 4000, 0 },
	{ "NASA-iPSC-1993-3.1-cln", 0, 150, 4000, 0 },
	{ "KTH-SP2-1996-2", 5000, 150, 4000, 0 },
	{ "KTH-SP2-1996-2", 0, 1000, 28489, 40 },
};

static const struct {
	uint32_t policy;
	enum model_policy models;
} policies[] = {
	{ FAIR_FCFS, MODEL_FCFS },
	{ FAIR_BACKFILL, MODEL_EASY },
	{ FAIR_CONSERVATIVE, MODEL_CONSERVATIVE },
	{ FAIR_PC, MODEL_PC },
	{ FAIR_DC, MODEL_DC },
};

static int read_limits(struct limits *l, int32_t procs, int32_t user)
{
	char lines[200];

	if (user) {
		snprintf(lines, sizeof(lines), "user,*,processors,%d\n",
			 (int)user);
		return parse(l, lines);
	}
	snprintf(lines, sizeof(lines),
		 "user,*,processors,%d\ngroup,*,processors,%d\ngroup,*,jobs,5\n",
		 (int)procs / 8, (int)procs / 4);
	return parse(l, lines);
}

static void play_model(const struct swf *t, size_t policy, int32_t user,
		       struct model_job *m)
{
	const int32_t procs = t->procs;
	const struct model_limit limit[] = {
		{ 0, MODEL_LIMIT_PROCS, MODEL_NO_JOB, user ? user : procs / 8,
		  0 },
		{ 1, MODEL_LIMIT_PROCS, MODEL_NO_JOB, procs / 4, 0 },
		{ 1, MODEL_LIMIT_JOBS, MODEL_NO_JOB, 5, 0 },
	};
	struct model_rules rules = { .policy = policies[policy].models,
				     .procs = procs,
				     .depth = 1,
				     .limits = user ? 1 : 3,
				     .limit = limit };
	size_t i, k;

	for (i = 0; i < t->jobs; i++) {
		m[i].submit = t->job[i].submit;
		m[i].run = t->job[i].run;
		m[i].estimate = t->job[i].estimate;
		m[i].procs = t->job[i].procs;
		for (k = 2; k < MODEL_KINDS; k++)
			m[i].of[k] = MODEL_NO_JOB;
		m[i].of[0] = m[i].user = t->job[i].user;
		m[i].of[1] = t->job[i].group < 0 ? MODEL_NO_JOB
						 : t->job[i].share_group;
	}
	TEST_EQ(model_run(&rules, m, t->jobs), 0);
}

static void compare(const struct swf *t, const struct limits *l, size_t policy,
		    int32_t user)
{
	struct sim_result *ours = malloc(t->jobs * sizeof(*ours));
	struct model_job *models = calloc(t->jobs, sizeof(*models));
	const struct sim_rules rules = { .policy = policies[policy].policy,
					 .depth = 1,
					 .procs = t->procs,
					 .limits = l };
	struct sim_totals totals;
	size_t i, differ = 0;

	TEST_REQUIRE(ours && models);
	play_model(t, policy, user, models);
	TEST_EQ(sim_run(&rules, t->job, t->jobs, NULL, ours, &totals), 0);
	for (i = 0; i < t->jobs; i++)
		differ += ours[i].start != models[i].start ||
			  ours[i].start > ours[i].promise;
	TEST_EQ(differ, 0);
	free(ours);
	free(models);
}

/* Keeps @jobs of the trace, from @first on. */
static void cut(struct swf *t, size_t first, size_t jobs)
{
	if (jobs > t->jobs)
		jobs = t->jobs;
	if (first + jobs > t->jobs)
		first = t->jobs - jobs;
	memmove(t->job, t->job + first, jobs * sizeof(*t->job));
	t->jobs = jobs;
}

TEST_EACH(all_traces)
{
	const char *full = getenv("FAIRSCHED_FULL");
	const struct swf_options o = { 0 };
	struct limits l;
	char file[128], name[128];
	struct swf t;
	size_t i, k;

	for (i = 0; i < sizeof(traces) / sizeof(*traces); i++) {
		snprintf(file, sizeof(file), "traces/%s.swf.gz",
			 traces[i].trace);
		snprintf(name, sizeof(name), "%s%s", traces[i].trace,
			 traces[i].user ? " of users" : "");
		test_case(name);
		if (swf_read(&t, test_shared(file), &o)) {
			test_skip("no trace");
			continue;
		}
		cut(&t, traces[i].first,
		    full ? traces[i].full : traces[i].jobs);
		TEST_REQUIRE(!read_limits(&l, t.procs, traces[i].user));
		TEST_REQUIRE(!swf_rank(&t) &&
			     !limits_assign(&l, &t, NULL, NULL, NULL));
		for (k = 0; k < sizeof(policies) / sizeof(*policies); k++)
			compare(&t, &l, k, traces[i].user);
		limits_free(&l);
		swf_free(&t);
	}
}
