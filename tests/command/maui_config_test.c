/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tests/test.h"
#include "tools/fairsched/trace/maui_config.h"

#define ONE FAIR_PRIORITY_ONE
#define POINT FAIR_USAGE_POINT

static bool reads(struct maui *m, const char *text)
{
	bool good = !maui_parse(m, "cfg", text, strlen(text));

	if (!good)
		printf("%s\n", m->error);
	return good;
}

static void target_is(const struct maui *m, int kind, const char *name,
		      int64_t points, enum fair_usage_kind of)
{
	const struct maui_credential *c = maui_settings(m, kind, name);

	TEST_CHECK(!strcmp(c->name, name));
	TEST_CHECK(c->has_target);
	TEST_EQ(c->target.points, points);
	TEST_EQ(c->target.kind, of);
}

static void is_figure_5(const struct maui *m)
{
	const struct fair_priority_config *p = &m->priority;

	TEST_EQ(m->fs_policy, MAUI_FS_DEDICATED);
	TEST_EQ(m->fs_interval, 12 * 3600);
	TEST_EQ(m->fs_depth, 14);
	TEST_EQ(m->fs_decay, (4 * (INT64_C(1) << 32) + 2) / 5);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_FAIRSHARE], 100);
	TEST_EQ(p->weight[FAIR_PRIORITY_FS_USER], 2);
	TEST_EQ(p->weight[FAIR_PRIORITY_FS_GROUP], 1);
	TEST_EQ(p->weight[FAIR_PRIORITY_FS_ACCOUNT], 0);
	TEST_EQ(p->weight[FAIR_PRIORITY_FS_QOS], 10);
	TEST_EQ(p->weight[FAIR_PRIORITY_FS_QUEUE], 4);
	TEST_EQ(m->credentials[MAUI_USER], 2);
	TEST_EQ(m->credentials[MAUI_ACCOUNT], 1);
	target_is(m, MAUI_USER, "BigKahuna", 50 * POINT, FAIR_USAGE_TARGET);
	TEST_CHECK(!maui_settings(m, MAUI_USER, "other")->has_target);
}

TEST(figure_5)
{
	struct maui m;

	TEST_REQUIRE(!maui_load(&m, "tests/maui/figure5.cfg"));
	is_figure_5(&m);
	target_is(&m, MAUI_GROUP, "staff", 10 * POINT, FAIR_USAGE_CEILING);
	target_is(&m, MAUI_QOS, "HighPriority", 40 * POINT, FAIR_USAGE_FLOOR);
	target_is(&m, MAUI_CLASS, "interactive", 15 * POINT, FAIR_USAGE_CAP);
	maui_free(&m);
}

/* As our copy prints it, all are plain targets. */
TEST(figure_5_as_printed)
{
	struct maui m;

	TEST_REQUIRE(!maui_load(&m, "tests/maui/figure5_printed.cfg"));
	is_figure_5(&m);
	target_is(&m, MAUI_GROUP, "staff", 10 * POINT, FAIR_USAGE_TARGET);
	target_is(&m, MAUI_QOS, "HighPriority", 40 * POINT, FAIR_USAGE_TARGET);
	target_is(&m, MAUI_CLASS, "interactive", 15 * POINT, FAIR_USAGE_TARGET);
	maui_free(&m);
}

TEST(nothing)
{
	const struct maui_credential *c;
	struct maui m;
	int i;

	TEST_REQUIRE(reads(&m, ""));
	TEST_EQ(m.depth, 1);
	TEST_EQ(m.reservations, MAUI_CURRENTHIGHEST);
	TEST_EQ(m.backfill, MAUI_FIRSTFIT);
	TEST_EQ(m.window, MAUI_WIDEST);
	TEST_EQ(m.fs_policy, MAUI_FS_NONE);
	TEST_EQ(m.poll, 0);
	TEST_EQ(m.priority.weight[FAIR_PRIORITY_QUEUE_TIME], 1);
	c = maui_settings(&m, MAUI_CLASS, NULL);
	TEST_CHECK(!strcmp(c->name, "DEFAULT"));
	for (i = 0; i < FAIR_THROTTLE_RESOURCES; i++)
		TEST_EQ(c->limit[i].hard, FAIR_THROTTLE_UNLIMITED);
	maui_free(&m);
}

static void limit_is(const struct maui_credential *c, int resource,
		     int64_t soft, int64_t hard)
{
	TEST_EQ(c->limit[resource].soft, soft);
	TEST_EQ(c->limit[resource].hard, hard);
}

static void parameters(const struct maui *m)
{
	const struct fair_priority_config *p = &m->priority;

	TEST_EQ(m->ignored, 4);
	TEST_EQ(m->poll, 60);
	TEST_EQ(m->depth, 4);
	TEST_EQ(m->reservations, MAUI_HIGHEST);
	TEST_EQ(m->backfill, MAUI_BESTFIT);
	TEST_EQ(m->metric, MAUI_PROCSECONDS);
	TEST_EQ(m->window, MAUI_LONGEST);
	TEST_EQ(m->fs_policy, MAUI_FS_EQUIVALENTS);
	TEST_EQ(m->fs_interval, 86400);
	TEST_EQ(m->fs_decay, INT64_C(3) << 30);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_SERVICE], 10);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_RESOURCE], 5);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_FAIRSHARE], 100);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_DIRECTSPEC], 2);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_TARGET], 1);
	TEST_EQ(p->component_weight[FAIR_PRIORITY_BYPASS], 20);
	TEST_EQ(p->weight[FAIR_PRIORITY_QUEUE_TIME], 2);
	TEST_EQ(p->weight[FAIR_PRIORITY_MEMORY], -1);
	TEST_EQ(p->cap[FAIR_PRIORITY_QUEUE_TIME], 10080 * ONE);
	TEST_EQ(p->cap[FAIR_PRIORITY_XFACTOR], 50 * ONE + ONE / 2);
	TEST_EQ(p->component_cap[FAIR_PRIORITY_RESOURCE], 1000 * ONE);
	TEST_EQ(p->component_cap[FAIR_PRIORITY_FAIRSHARE], 200 * ONE);
}

static void credentials(const struct maui *m)
{
	const struct maui_credential *john, *other, *hi, *low;

	john = maui_settings(m, MAUI_USER, "john");
	other = maui_settings(m, MAUI_USER, "other");
	limit_is(john, FAIR_THROTTLE_JOBS, 2, 8);
	limit_is(other, FAIR_THROTTLE_JOBS, 4, 4);
	limit_is(john, FAIR_THROTTLE_PROCS, 64, 128); /* of DEFAULT */
	limit_is(john, FAIR_THROTTLE_PROC_SECONDS, 720000, 720000);
	limit_is(john, FAIR_THROTTLE_IDLE_JOBS, 3, 12);
	limit_is(other, FAIR_THROTTLE_IDLE_JOBS, 20, 20); /* of DEFAULT */
	limit_is(maui_settings(m, MAUI_GROUP, "staff"), FAIR_THROTTLE_MEMORY,
		 2048, 2048);
	TEST_EQ(john->priority, -1000);
	target_is(m, MAUI_USER, "john", 5 * POINT, FAIR_USAGE_CEILING);
	target_is(m, MAUI_ACCOUNT, "geo", 35 * POINT + POINT / 2,
		  FAIR_USAGE_FLOOR);
	hi = maui_settings(m, MAUI_QOS, "hi");
	low = maui_settings(m, MAUI_QOS, "low");
	TEST_EQ(hi->priority, 1000);
	TEST_EQ(hi->queue_time_target, 1800);
	TEST_EQ(hi->xfactor_target, ONE + ONE / 2);
	TEST_EQ(hi->queue_time_weight, 10);
	TEST_EQ(hi->xfactor_weight, 20);
	TEST_EQ(hi->flags, MAUI_NOBF);
	TEST_EQ(hi->exempt, 1 << FAIR_THROTTLE_USER);
	TEST_EQ(low->flags, MAUI_NORESERVATION);
	TEST_EQ(low->exempt, 7);
	TEST_EQ(maui_settings(m, MAUI_QOS, "express")->flags,
		MAUI_RESERVEALWAYS);
}

static void qos_is(const struct maui *m, const struct maui_owner *owner,
		   const char *want)
{
	const char *got = maui_default_qos(m, owner);

	TEST_CHECK(got && !strcmp(got, want));
	TEST_CHECK(maui_may_use(m, want, owner));
}

static void qualities(const struct maui *m)
{
	struct maui_owner owner = { { "john", "staff", NULL, NULL, "batch" } };

	qos_is(m, &owner, "hi"); /* of the group */
	TEST_CHECK(maui_may_use(m, "low", &owner));
	TEST_CHECK(maui_may_use(m, "normal", &owner));
	TEST_CHECK(!maui_may_use(m, "express", &owner));
	TEST_CHECK(!maui_may_use(m, "h", &owner));
	owner.name[MAUI_GROUP] = NULL;
	qos_is(m, &owner, "normal"); /* of the system */
	owner.name[MAUI_CLASS] = "short";
	qos_is(m, &owner, "quick");
	owner.name[MAUI_USER] = "other";
	TEST_CHECK(!maui_may_use(m, "low", &owner));
}

static void refusal_is(const struct maui *m, const struct maui_owner *owner,
		       int64_t procs, int64_t nodes, int64_t walltime,
		       const char *want)
{
	const char *got = maui_refuses(m, owner, procs, nodes, walltime);

	TEST_CHECK(got ? want && !strcmp(got, want) : !want);
}

static void classes(const struct maui *m)
{
	struct maui_owner owner = { { "john", "staff", NULL, NULL, "batch" } };

	refusal_is(m, &owner, 32, 99, 600, NULL);
	refusal_is(m, &owner, 32, 99, 172800, NULL);
	refusal_is(m, &owner, 33, 1, 600, "MAX.PROC");
	refusal_is(m, &owner, 1, 1, 599, "MIN.WCLIMIT");
	refusal_is(m, &owner, 1, 1, 172801, "MAX.WCLIMIT");
	owner.name[MAUI_USER] = "visitor";
	refusal_is(m, &owner, 1, 1, 600, "EXCLUDEUSERLIST");
	owner.name[MAUI_CLASS] = "short";
	refusal_is(m, &owner, 2, 1, 600, "REQUIREDACCOUNTLIST");
	owner.name[MAUI_ACCOUNT] = "geo";
	refusal_is(m, &owner, 2, 1, 600, NULL);
	refusal_is(m, &owner, 1, 1, 600, "MIN.PROC");
	refusal_is(m, &owner, 2, 0, 600, "MIN.NODE");
	refusal_is(m, &owner, 2, 3, 600, "MAX.NODE");
	owner.name[MAUI_GROUP] = "guests";
	refusal_is(m, &owner, 2, 1, 600, "REQUIREDGROUPLIST");
	owner.name[MAUI_CLASS] = "unheard-of";
	refusal_is(m, &owner, 1000, 1000, 1, NULL);
}

TEST(a_site)
{
	struct maui m;

	TEST_REQUIRE(!maui_load(&m, "tests/maui/site.cfg"));
	parameters(&m);
	credentials(&m);
	qualities(&m);
	classes(&m);
	maui_free(&m);
}

/* Both spellings set the same, and the last one counts. */
TEST(spellings)
{
	static const char *const pair[][2] = {
		{ "SERVICEWEIGHT", "SERVWEIGHT" },
		{ "RESOURCEWEIGHT", "RESWEIGHT" },
		{ "FAIRSHAREWEIGHT", "FSWEIGHT" },
		{ "DIRECTSPECWEIGHT", "CREDWEIGHT" },
		{ "TARGETWEIGHT", "TARGWEIGHT" },
		{ "MEMWEIGHT", "MEMORYWEIGHT" },
		{ "FSUSERWEIGHT", "USERFSWEIGHT" },
		{ "FSGROUPWEIGHT", "GROUPFSWEIGHT" },
		{ "FSACCOUNTWEIGHT", "ACCOUNTFSWEIGHT" },
		{ "FSQOSWEIGHT", "QOSFSWEIGHT" },
		{ "FSCLASSWEIGHT", "CLASSFSWEIGHT" },
		{ "XFACTORCAP", "XFCAP" },
		{ "RESOURCECAP", "RESCAP" },
	};
	struct maui a, b;
	char text[200];
	size_t i;

	for (i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		snprintf(text, sizeof(text), "%s 7", pair[i][0]);
		TEST_REQUIRE(reads(&a, text));
		snprintf(text, sizeof(text), "%s 7", pair[i][1]);
		TEST_REQUIRE(reads(&b, text));
		TEST_CHECK(
			!memcmp(&a.priority, &b.priority, sizeof(a.priority)));
		maui_free(&a);
		TEST_REQUIRE(reads(&a, ""));
		TEST_CHECK(
			memcmp(&a.priority, &b.priority, sizeof(a.priority)));
		maui_free(&a);
		maui_free(&b);
		snprintf(text, sizeof(text), "%s 7\n\n%s 7\n", pair[i][0],
			 pair[i][1]);
		TEST_REQUIRE(reads(&a, text));
		TEST_CHECK(strstr(a.notes, "set again: line 1 has no effect"));
		TEST_CHECK(strstr(a.notes, "cfg:3: ") == a.notes);
		maui_free(&a);
	}
}

TEST(layout)
{
	struct maui m;

	TEST_REQUIRE(reads(&m, "\r\n  fsdepth\t9 \r\n#\n\n"
			       "reservationDepth[0] 0#none"));
	TEST_EQ(m.fs_depth, 9);
	TEST_EQ(m.depth, 0);
	maui_free(&m);
}

TEST(mistakes)
{
	static const char *const bad[][2] = {
		{ "FSDEPHT 3",
		  "unknown parameter 'FSDEPHT': did you mean FSDEPTH?" },
		{ "BACKFILPOLICY NONE", "did you mean BACKFILLPOLICY?" },
		{ "USERCGF[a] MAXJOB=1", "did you mean USERCFG?" },
		{ "ELEPHANT 3", "unknown parameter 'ELEPHANT'" },
		{ "FSDEPTH", "FSDEPTH has no value" },
		{ "FSDEPTH 1 2", "FSDEPTH: unexpected value '2'" },
		{ "FSDEPTH 0", "FSDEPTH: '0' is not an integer from 1" },
		{ "FSDEPTH 1025", "is not an integer from 1 to 1024" },
		{ "RESDEPTH 3", "unknown parameter 'RESDEPTH'" },
		{ "FSDEPTH[1] 2", "only one partition" },
		{ "FSDEPTH[1 2", "'FSDEPTH[1' is not NAME[INDEX]" },
		{ "FSDEPTH[] 2", "is not NAME[INDEX]" },
		{ "FSDEPTH[0]x 2", "is not NAME[INDEX]" },
		{ "RESERVATIONDEPTH -1", "is not an integer from 0" },
		{ "RESERVATIONDEPTH 1000000001", "is not an integer from 0" },
		{ "USERWEIGHT 1.5", "'1.5' is not an integer" },
		{ "USERWEIGHT 9223372036854775808", "is not an integer" },
		{ "USERWEIGHT -", "is not an integer" },
		{ "FSCAP -1", "is not a decimal, 0 or more" },
		{ "FSCAP 1.", "is not a decimal" },
		{ "FSCAP .5", "is not a decimal" },
		{ "FSCAP 1.1234567890", "is not a decimal" },
		{ "FSDECAY 1.1", "is not a decimal from 0 to 1" },
		{ "FSDECAY 2", "is not a decimal from 0 to 1" },
		{ "FSINTERVAL 0", "is not a time" },
		{ "FSINTERVAL 1:2:3:4:5", "is not a time" },
		{ "FSINTERVAL 12h", "is not a time" },
		{ "FSINTERVAL 1:", "is not a time" },
		{ "FSINTERVAL 200000:0:0:0", "is not a time" },
		{ "BACKFILLPOLICY BESTFTI", "did you mean BESTFIT?" },
		{ "RESERVATIONPOLICY ALWAYS",
		  "unknown value of RESERVATIONPOLICY 'ALWAYS'" },
		{ "RESERVATIONPOLICY HIGEST", "did you mean HIGHEST?" },
		{ "BACKFILLMETRIC PE", "unknown value of BACKFILLMETRIC 'PE'" },
		{ "FSPOLICY PS%", "unknown value of FSPOLICY 'PS%'" },
		{ "USERCFG MAXJOB=1", "USERCFG needs a [NAME]" },
		{ "SYSCFG[a] QDEF=b", "SYSCFG takes no [NAME]" },
		{ "SYSCFG MAXJOB=1", "unknown attribute of SYSCFG 'MAXJOB'" },
		{ "USERCFG[a]", "USERCFG has no ATTRIBUTE=VALUE" },
		{ "USERCFG[a] MAXJOB", "'MAXJOB' is not ATTRIBUTE=VALUE" },
		{ "USERCFG[a] MAXJOBS=1", "did you mean MAXJOB?" },
		{ "USERCFG[a] OMAXJOB=1", "did you mean MAXJOB?" },
		{ "USERCFG[a] XFTARGET=2", "unknown attribute of USERCFG" },
		{ "QOSCFG[a] QLIST=b", "unknown attribute of QOSCFG 'QLIST'" },
		{ "USERCFG[a] MAXJOB=0", "is not [SOFT,]HARD" },
		{ "USERCFG[a] MAXJOB=1,", "is not [SOFT,]HARD" },
		{ "USERCFG[a] MAXJOB=,1", "is not [SOFT,]HARD" },
		{ "USERCFG[a] MAXJOB=1,2,3", "is not [SOFT,]HARD" },
		{ "USERCFG[a] FSTARGET=101", "is not a percentage" },
		{ "USERCFG[a] FSTARGET=100.5", "is not a percentage" },
		{ "USERCFG[a] FSTARGET=5*", "is not a percentage" },
		{ "USERCFG[a] FSTARGET=5+-", "is not a percentage" },
		{ "USERCFG[a] FSTARGET=+", "is not a percentage" },
		{ "USERCFG[a] QDEF=b,c", "QDEF: 'b,c' is not a name" },
		{ "USERCFG[a] QLIST=b,,c", "is not names" },
		{ "USERCFG[a] QLIST=", "is not names" },
		{ "QOSCFG[a] XFTARGET=0.5", "is not a decimal, 1 or more" },
		{ "QOSCFG[a] QTTARGET=0", "is not a time of 1 s" },
		{ "QOSCFG[a] QFLAGS=NOBF:NORESERVATON",
		  "did you mean NORESERVATION?" },
		{ "QOSCFG[a] QFLAGS=NOBF:", "has an empty name" },
		{ "CLASSCFG[a] MAX.PROC=0", "is not an integer, 1 or more" },
	};
	struct maui m;
	char text[200];
	size_t i, lines;
	const char *p;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "# first\n%s", bad[i][0]);
		TEST_EQ(maui_parse(&m, "cfg", text, strlen(text)), -1);
		for (lines = 1, p = text; *p; p++)
			lines += *p == '\n';
		snprintf(text, sizeof(text), "cfg:%zu: ", lines);
		TEST_CHECK(strstr(m.error, text) == m.error);
		TEST_CHECK(strstr(m.error, bad[i][1]));
		if (!strstr(m.error, bad[i][1]))
			printf("%s\n", m.error);
		TEST_CHECK(!m.text);
	}
	TEST_EQ(maui_parse(&m, "cfg", "FSDEPTH 1\n\0", 11), -1);
	TEST_CHECK(!strcmp(m.error, "cfg:2: a NUL byte"));
	TEST_EQ(maui_load(&m, "tests/maui/absent.cfg"), -1);
	TEST_CHECK(strstr(m.error, "absent.cfg"));
}

/* All that is wrong is told at once; the last of two counts; what has no effect
 * here, or another one, is told. */
TEST(remarks)
{
	struct maui m;

	static const char wrong[] = "RESDEPTH 3\nFSDEPTH 0\nNODECFG[a] B=c\n"
				    "ELEPHANT";

	TEST_EQ(maui_parse(&m, "cfg", wrong, sizeof(wrong) - 1), -1);
	TEST_CHECK(!strcmp(m.error, "cfg:1: unknown parameter 'RESDEPTH'\n"
			   "cfg:2: FSDEPTH: '0' is not an integer from 1 to "
			   "1024\ncfg:4: unknown parameter 'ELEPHANT'"));
	TEST_REQUIRE(reads(&m, "FSDEPTH 3\nFSDEPTH 5\nNODECFG[a] PARTITION=b\n"
			       "NODECFG[b] PARTITION=b\nSIMTIME 3\n"
			       "NODEACCESSPOLICY SINGLETASK\n"
			       "QOSCFG[q] QFLAGS=NOBF\n"
			       "QOSCFG[q] QFLAGS=NORESERVATION\n"
			       "USERCFG[a] MAXNODE=3\nUSERCFG[b] MAXNODE=3"));
	TEST_EQ(m.fs_depth, 5);
	TEST_EQ(m.ignored, 4);
	TEST_EQ(maui_settings(&m, MAUI_QOS, "q")->flags, MAUI_NORESERVATION);
	TEST_CHECK(!strcmp(
		m.notes,
		"cfg:2: FSDEPTH is set again: line 1 has no effect\n"
		"cfg:3: NODECFG has no effect here\n"
		"cfg:5: SIMTIME has no effect here\n"
		"cfg:6: NODEACCESSPOLICY has no effect here\n"
		"cfg:8: QFLAGS of QOSCFG[q] is set again: the last one counts\n"
		"cfg:9: MAXNODE counts processors: a trace does not say how "
		"many nodes a job has"));
	maui_free(&m);
}

TEST(lists)
{
	TEST_CHECK(maui_lists("a,bc:d", "a"));
	TEST_CHECK(maui_lists("a,bc:d", "bc"));
	TEST_CHECK(maui_lists("a,bc:d", "d"));
	TEST_CHECK(!maui_lists("a,bc:d", "b"));
	TEST_CHECK(!maui_lists("a,bc:d", "bcd"));
	TEST_CHECK(!maui_lists("a,bc:d", ""));
	TEST_CHECK(!maui_lists(NULL, "a"));
	TEST_CHECK(!maui_lists("a", NULL));
}
