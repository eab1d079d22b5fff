/* SPDX-License-Identifier: MIT OR Unlicense */
/* [MAUI]: core algorithms of the Maui scheduler */
#include "reproduce.h"
#include "tools/fairsched/base/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR 3600.0
#define AT_ONCE 2000 /* jobs */

/* ---- configurations ---- */

enum { NONE, FIRSTFIT, BESTFIT, GREEDY, BACKFILLS };

static const char *const backfill_of[BACKFILLS] = { "NONE", "FIRSTFIT",
						    "BESTFIT", "GREEDY" };

/* By queue time as Maui does, by expansion factor, by fairshare. */
enum { QUEUETIME, XFACTOR, FAIRSHARE, PRIORITIES };

static const struct {
	const char *name, *text;
} priority_of[PRIORITIES] = {
	{ "queue time", "" },
	{ "expansion factor", "XFACTORWEIGHT 100\n" },
	{ "fairshare", "FSPOLICY PSDEDICATED\nFSWEIGHT 100\nFSUSERWEIGHT 10\n"
		       "USERCFG[DEFAULT] FSTARGET=2\n" },
};

static bool open_config(struct lab *lab, struct maui *m, int priority,
			int backfill)
{
	char text[256];

	snprintf(text, sizeof(text), "%sBACKFILLPOLICY %s\n",
		 priority_of[priority].text, backfill_of[backfill]);
	if (maui_parse(m, "maui.cfg", text, strlen(text)))
		return lab_fail(lab, run_error("%s", m->error));
	return true;
}

static bool play(struct lab *lab, const char *name, struct swf *t, int priority,
		 int backfill, struct report *r)
{
	struct rules_files files = { 0 };
	struct rules_args args = { 0 };
	bool good = open_config(lab, &files.maui, priority, backfill);

	memset(r, 0, sizeof(*r));
	args.config = "maui.cfg";
	if (good && rules_assign(&files, &args, false, t, name))
		good = lab_fail(lab, EXIT_FAILED);
	good = good && lab_run(lab, name, t, RULES_MAUI, &args, &files, NULL, r);
	rules_close(&files);
	return good;
}

/* ---- backfill's effect on turnaround and delays ---- */

enum { KTH, CTC, SDSC_SP2, THUNDER, TRACES };

static const struct {
	const char *name;
	int32_t procs;
} trace_of[TRACES] = {
	{ "KTH-SP2-1996-2", 100 },
	{ "CTC-SP2-1996-3.1-cln", 338 },
	{ "SDSC-SP2-1998-4.2-cln", 128 },
	{ "LLNL-Thunder-2007-1.1-cln", 4008 },
};

enum {
	KTH_100,
	KTH_125, /* and two more, by the other priorities */
	KTH_150 = KTH_125 + PRIORITIES,
	KTH_200,
	CTC_423,
	SDSC_160 = CTC_423 + PRIORITIES,
	EFFECTS = SDSC_160 + PRIORITIES
};

static const struct {
	int trace;
	int32_t procs;
	int priority;
} effect_of[EFFECTS] = {
	{ KTH, 100, QUEUETIME },	{ KTH, 125, QUEUETIME },
	{ KTH, 125, XFACTOR },		{ KTH, 125, FAIRSHARE },
	{ KTH, 150, QUEUETIME },	{ KTH, 200, QUEUETIME },
	{ CTC, 423, QUEUETIME },	{ CTC, 423, XFACTOR },
	{ CTC, 423, FAIRSHARE },	{ SDSC_SP2, 160, QUEUETIME },
	{ SDSC_SP2, 160, XFACTOR },	{ SDSC_SP2, 160, FAIRSHARE },
};

struct effect {
	bool played;
	double without, with;  /* mean turnaround, hours */
	double later, earlier; /* percent of the jobs, with backfill */
};

struct state {
	bool read[TRACES], absent[TRACES], used[TRACES];
	struct swf trace[TRACES];
	struct effect effect[EFFECTS];
	double utilized[TRACES][BACKFILLS]; /* percent; those played at once */
};

static struct swf *trace(struct lab *lab, int number)
{
	struct state *s = lab->state;

	if (!s->read[number])
		s->absent[number] = !lab_read(lab, trace_of[number].name, NULL,
					      &s->trace[number]);
	s->read[number] = true;
	return s->absent[number] ? NULL : &s->trace[number];
}

static void close_traces(struct lab *lab)
{
	struct state *s = lab->state;
	int t;

	for (t = 0; t < TRACES; t++)
		swf_free(&s->trace[t]);
}

static double mean_turnaround(const struct swf *t, const struct report *r)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < t->jobs; i++)
		sum += (double)(r->result[i].start + t->job[i].run -
				t->job[i].submit);
	return sum / (double)t->jobs / HOUR;
}

static void take_effect(struct effect *e, const struct swf *t,
			const struct report *without, const struct report *with)
{
	size_t later = 0, earlier = 0, i;

	for (i = 0; i < t->jobs; i++) {
		later += with->result[i].start > without->result[i].start;
		earlier += with->result[i].start < without->result[i].start;
	}
	e->without = mean_turnaround(t, without);
	e->with = mean_turnaround(t, with);
	e->later = 100 * (double)later / (double)t->jobs;
	e->earlier = 100 * (double)earlier / (double)t->jobs;
}

static const struct effect *effect(struct lab *lab, int number)
{
	struct effect *e = &((struct state *)lab->state)->effect[number];
	const char *name = trace_of[effect_of[number].trace].name;
	struct swf *t = trace(lab, effect_of[number].trace);
	int priority = effect_of[number].priority;
	struct report without = { 0 }, with = { 0 };

	if (!t)
		return NULL;
	if (e->played)
		return e;
	t->procs = effect_of[number].procs;
	e->played = play(lab, name, t, priority, NONE, &without) &&
		    play(lab, name, t, priority, FIRSTFIT, &with);
	if (e->played)
		take_effect(e, t, &without, &with);
	report_free(&without);
	report_free(&with);
	return e->played ? e : NULL;
}

/* ---- backfill's effect on utilization ---- */

/* The processor-seconds in use until the last start, percent. */
static double utilization(const struct swf *t, const struct report *r)
{
	int64_t last = 0, end;
	double used = 0;
	size_t i;

	for (i = 0; i < t->jobs; i++)
		if (r->result[i].start > last)
			last = r->result[i].start;
	for (i = 0; i < t->jobs; i++) {
		end = r->result[i].start + t->job[i].run;
		used += (double)((end < last ? end : last) -
				 r->result[i].start) * t->job[i].procs;
	}
	return 100 * used / ((double)last * t->procs);
}

/* A copy of the first jobs, submitted at second 0. */
static bool copy_at_once(struct lab *lab, struct swf *copy, const struct swf *t)
{
	size_t i;

	*copy = *t;
	if (copy->jobs > AT_ONCE)
		copy->jobs = AT_ONCE;
	copy->job = malloc(copy->jobs * sizeof(*copy->job));
	if (!copy->job)
		return lab_fail(lab, run_error("out of memory"));
	memcpy(copy->job, t->job, copy->jobs * sizeof(*copy->job));
	for (i = 0; i < copy->jobs; i++)
		copy->job[i].submit = 0;
	return true;
}

static const double *utilized(struct lab *lab, int number)
{
	struct state *s = lab->state;
	double *u = s->utilized[number];
	struct swf *t = trace(lab, number), at_once;
	struct report r;
	int b;

	if (!t || s->used[number])
		return t ? u : NULL;
	t->procs = trace_of[number].procs;
	if (!copy_at_once(lab, &at_once, t))
		return NULL;
	s->used[number] = true;
	for (b = 0; s->used[number] && b < BACKFILLS; b++) {
		s->used[number] = play(lab, trace_of[number].name, &at_once,
				       QUEUETIME, b, &r);
		if (s->used[number])
			u[b] = utilization(&at_once, &r);
		report_free(&r);
	}
	free(at_once.job);
	return s->used[number] ? u : NULL;
}

static double growth(const double *u)
{
	return 100 * (u[FIRSTFIT] - u[NONE]) / u[NONE];
}

static double spread(const double *u)
{
	return fmax(u[FIRSTFIT], fmax(u[BESTFIT], u[GREEDY])) -
	       fmin(u[FIRSTFIT], fmin(u[BESTFIT], u[GREEDY]));
}

/* ---- examples ---- */

static bool equivalent(struct lab *lab, double *here)
{
	static const int64_t node[2] = { 8, 16 }, request[2] = { 1, 4 };
	static const struct fair_penalty_class machine = {
		1, FAIR_PENALTY_ONE, FAIR_PENALTY_ONE, 0, node
	};

	return lab_penalty(lab, &machine, 1, LAB_PE, 0, request, here);
}

/* Figure 1: A on 4 of 6 nodes ends an hour early; B wants 5, C 2. */
static bool pseudo_delay(struct lab *lab, double *here)
{
	static const char text[] =
		"; MaxProcs: 6\n"
		"1 0 -1 7200 4 -1 -1 4 10800 -1 1 1 1 -1 -1 -1 -1 -1\n"
		"2 0 -1 3600 5 -1 -1 5 3600 -1 1 2 1 -1 -1 -1 -1 -1\n"
		"3 0 -1 10800 2 -1 -1 2 10800 -1 1 3 1 -1 -1 -1 -1 -1\n";
	struct report without = { 0 }, with = { 0 };
	struct swf t = { 0 };
	bool good = lab_parse(lab, "figure 1", text, &t) &&
		    play(lab, "figure 1", &t, QUEUETIME, NONE, &without) &&
		    play(lab, "figure 1", &t, QUEUETIME, FIRSTFIT, &with);

	if (good)
		*here = (double)(with.result[1].start -
				 without.result[1].start) / HOUR;
	report_free(&without);
	report_free(&with);
	swf_free(&t);
	return good;
}

/* With the suffixes that its comments ask for: our copy has lost them. */
static const char figure_5_text[] =
	"FSPOLICY    PSDEDICATED # track fairshare usage by dedicated "
	"proc-seconds\n"
	"FSINTERVAL  12:00:00 # maintain 12 hour fairshare utilization "
	"records\n"
	"FSDEPTH     14 # track effective usage using last 14 records\n"
	"FSDECAY     0.80 # decay historical records\n"
	"FSWEIGHT    100 # specify relative fairshare priority weight\n"
	"USERFSWEIGHT 2 # relative user fairshare impact\n"
	"GROUPFSWEIGHT 1 # relative group fairshare impact\n"
	"QOSFSWEIGHT 10 # relative QOS fairshare impact\n"
	"CLASSFSWEIGHT 4 # relative class fairshare impact\n"
	"UserCfg[BigKahuna]    FSTARGET=50 # target usage of 50% (target)\n"
	"GroupCfg[staff]       FSTARGET=10.0- # below 10% (ceiling)\n"
	"QOSCfg[HighPriority]  FSTARGET=40.0+ # above 40% (floor)\n"
	"ClassCfg[interactive] FSTARGET=15.0^ # exceeds 15% (cap)\n";

static bool is_target(const struct maui *m, int kind, const char *name,
		      int64_t percent, uint32_t of)
{
	const struct maui_credential *c = maui_settings(m, kind, name);

	return c->has_target && c->target.kind == of &&
	       c->target.points == percent * FAIR_USAGE_POINT;
}

/* Of its 13 values, those that are read as its comments say. */
static bool figure_5(struct lab *lab, double *here)
{
	const struct fair_priority_config *p;
	struct maui m;

	if (maui_parse(&m, "figure 5", figure_5_text,
		       sizeof(figure_5_text) - 1))
		return lab_fail(lab, run_error("%s", m.error));
	p = &m.priority;
	*here = (m.fs_policy == MAUI_FS_DEDICATED) +
		(m.fs_interval == 12 * 3600) + (m.fs_depth == 14) +
		(m.fs_decay == (4 * (INT64_C(1) << 32) + 2) / 5) +
		(p->component_weight[FAIR_PRIORITY_FAIRSHARE] == 100) +
		(p->weight[FAIR_PRIORITY_FS_USER] == 2) +
		(p->weight[FAIR_PRIORITY_FS_GROUP] == 1) +
		(p->weight[FAIR_PRIORITY_FS_QOS] == 10) +
		(p->weight[FAIR_PRIORITY_FS_CLASS] == 4) +
		is_target(&m, MAUI_USER, "BigKahuna", 50, FAIR_USAGE_TARGET) +
		is_target(&m, MAUI_GROUP, "staff", 10, FAIR_USAGE_CEILING) +
		is_target(&m, MAUI_QOS, "HighPriority", 40, FAIR_USAGE_FLOOR) +
		is_target(&m, MAUI_CLASS, "interactive", 15, FAIR_USAGE_CAP);
	maui_free(&m);
	return true;
}

/* 8 windows of a day, decay 0.75, a processor used throughout; in windows. */
static bool windows(struct lab *lab, double *here)
{
	const int64_t day = 86400;
	static unsigned char memory[4096];
	struct fair_usage u;
	uint64_t whole = 0;
	int error = fair_usage_init_windows(&u, sizeof(u), memory,
					    sizeof(memory), 1, 1, 0, 8, day,
					    FAIR_USAGE_ONE / 4 * 3);

	if (!error)
		error = fair_usage_charge(&u, 0, 0, 8 * day - 1, 1);
	if (!error)
		error = fair_usage_at(&u, 0, 8 * day - 1, &whole, NULL);
	*here = (double)whole / (double)day;
	return !error || lab_fail(lab, run_error("%s", fair_strerror(error)));
}

/* ---- claims ---- */

#define EFFECT(name, number, expression)                    \
	static bool name(struct lab *lab, double *here)     \
	{                                                   \
		const struct effect *e = effect(lab, number); \
                                                            \
		if (e)                                      \
			*here = expression;                 \
		return e;                                   \
	}
#define EFFECTS_OF(name, number)                                            \
	EFFECT(name##_later, number, e->later)                              \
	EFFECT(name##_better, number,                                       \
	       100 * (e->without - e->with) / e->without)
EFFECTS_OF(kth_queuetime, KTH_125 + QUEUETIME)
EFFECTS_OF(kth_xfactor, KTH_125 + XFACTOR)
EFFECTS_OF(kth_fairshare, KTH_125 + FAIRSHARE)
EFFECTS_OF(ctc_queuetime, CTC_423 + QUEUETIME)
EFFECTS_OF(ctc_xfactor, CTC_423 + XFACTOR)
EFFECTS_OF(ctc_fairshare, CTC_423 + FAIRSHARE)
EFFECTS_OF(sdsc_queuetime, SDSC_160 + QUEUETIME)
EFFECTS_OF(sdsc_xfactor, SDSC_160 + XFACTOR)
EFFECTS_OF(sdsc_fairshare, SDSC_160 + FAIRSHARE)

#define UTILIZED(name, number)                               \
	static bool name##_growth(struct lab *lab, double *here) \
	{                                                    \
		const double *u = utilized(lab, number);     \
                                                             \
		if (u)                                       \
			*here = growth(u);                   \
		return u;                                    \
	}                                                    \
	static bool name##_spread(struct lab *lab, double *here) \
	{                                                    \
		const double *u = utilized(lab, number);     \
                                                             \
		if (u)                                       \
			*here = spread(u);                   \
		return u;                                    \
	}
UTILIZED(kth, KTH)
UTILIZED(ctc, CTC)
UTILIZED(sdsc, SDSC_SP2)
UTILIZED(thunder, THUNDER)

static const struct reason machines = {
	"**Utilization.** The possible gain depends on what is lost without "
	"backfill: KTH uses 68 % of\nits processors then, and LLNL-Thunder 91 "
	"%. The two machines between them agree.",
	NULL, NULL
};

static const struct reason priorities = {
	"**Delayed jobs.** The paper does not say which priority its trace was "
	"simulated with. By queue\ntime a job is overtaken only by later jobs, "
	"on processors that it could not use, and 2 to 3 % of\nthe jobs start "
	"later; by expansion factor 5 to 6 %. By fairshare, where backfill "
	"also changes\nthe usage, it is the paper's tenth.",
	NULL, NULL
};

static const struct reason fairshare = {
	"**Turnaround under fairshare.** On KTH the mean turnaround without "
	"backfill is little more than\nhalf of what it is by queue time, so "
	"that backfill can gain less.",
	NULL, NULL
};

static const struct reason selections = {
	"**Selections.** Utilization is measured until the last of the 2000 "
	"jobs starts, and depends on\nwhen that one job does: on KTH, the "
	"smallest of the machines, by more than the others.",
	NULL, NULL
};

#define KTH_NAME "KTH-SP2-1996-2, 125 processors, "
#define CTC_NAME "CTC-SP2-1996-3.1-cln, 423 processors, "
#define SDSC_NAME "SDSC-SP2-1998-4.2-cln, 160 processors, "
#define LATER "jobs with a greater queue time than without backfill (figure 2)"
#define BETTER "average turnaround improves with backfill"
#define GROWTH "utilization increases with backfill"
#define SPREAD "first fit, best fit, greedy track each other closely (figure 4)"
#define TENTH "roughly 10 %", 8, 12, 1, " %"
#define GREATER "more than around 20 %", 20, 100, 1, " %"
#define TWENTY "around 20 %", 15, 25, 1, " %"
#define CLOSE "closely", 0, 3, 1, " points"

static const struct claim claims[] = {
	{ "6.1.1", "PE of 1 processor and 4 GB, of 8 and 16 GB", "2", 2, 2, 1,
	  "", "its example", false, equivalent, NULL },
	{ "6.1.2", "8 windows at 0.75 (figure 6), constant usage, by its "
	  "formula", "3.5995 windows", 3.59945, 3.59955, 5, " windows",
	  "figure 6", false, windows, NULL },
	{ "6.1", "figure 5's configuration means what its comments say",
	  "13 values", 13, 13, 0, " values", "figure 5", false, figure_5,
	  NULL },
	{ "4.1", "figure 1: backfill delays job B by", "1 hour", 1, 1, 2,
	  " hours", "figure 1", false, pseudo_delay, NULL },

	{ "4", GROWTH, TWENTY, "KTH-SP2-1996-2, 2000 jobs at once", false,
	  kth_growth, &machines },
	{ "4", GROWTH, TWENTY, "CTC-SP2-1996-3.1-cln, the same", true,
	  ctc_growth, NULL },
	{ "4", GROWTH, TWENTY, "SDSC-SP2-1998-4.2-cln, the same", true,
	  sdsc_growth, NULL },
	{ "4", GROWTH, TWENTY, "LLNL-Thunder-2007-1.1-cln, the same", true,
	  thunder_growth, &machines },
	{ "4", BETTER, GREATER, KTH_NAME "queue time", false,
	  kth_queuetime_better, NULL },
	{ "4", BETTER, GREATER, KTH_NAME "expansion factor", false,
	  kth_xfactor_better, NULL },
	{ "4", BETTER, GREATER, KTH_NAME "fairshare", false,
	  kth_fairshare_better, &fairshare },
	{ "4", BETTER, GREATER, CTC_NAME "queue time", true,
	  ctc_queuetime_better, NULL },
	{ "4", BETTER, GREATER, CTC_NAME "expansion factor", true,
	  ctc_xfactor_better, NULL },
	{ "4", BETTER, GREATER, CTC_NAME "fairshare", true,
	  ctc_fairshare_better, NULL },
	{ "4", BETTER, GREATER, SDSC_NAME "queue time", true,
	  sdsc_queuetime_better, NULL },
	{ "4", BETTER, GREATER, SDSC_NAME "expansion factor", true,
	  sdsc_xfactor_better, NULL },
	{ "4", BETTER, GREATER, SDSC_NAME "fairshare", true,
	  sdsc_fairshare_better, NULL },
	{ "4.1", LATER, TENTH, KTH_NAME "queue time", false,
	  kth_queuetime_later, &priorities },
	{ "4.1", LATER, TENTH, KTH_NAME "expansion factor", false,
	  kth_xfactor_later, &priorities },
	{ "4.1", LATER, TENTH, KTH_NAME "fairshare", false, kth_fairshare_later,
	  NULL },
	{ "4.1", LATER, TENTH, CTC_NAME "queue time", true, ctc_queuetime_later,
	  &priorities },
	{ "4.1", LATER, TENTH, CTC_NAME "expansion factor", true,
	  ctc_xfactor_later, &priorities },
	{ "4.1", LATER, TENTH, CTC_NAME "fairshare", true, ctc_fairshare_later,
	  NULL },
	{ "4.1", LATER, TENTH, SDSC_NAME "queue time", true,
	  sdsc_queuetime_later, &priorities },
	{ "4.1", LATER, TENTH, SDSC_NAME "expansion factor", true,
	  sdsc_xfactor_later, &priorities },
	{ "4.1", LATER, TENTH, SDSC_NAME "fairshare", true,
	  sdsc_fairshare_later, NULL },
	{ "4.2", SPREAD, CLOSE, "KTH-SP2-1996-2, 2000 jobs at once", false,
	  kth_spread, &selections },
	{ "4.2", SPREAD, CLOSE, "CTC-SP2-1996-3.1-cln, the same", true,
	  ctc_spread, NULL },
	{ "4.2", SPREAD, CLOSE, "SDSC-SP2-1998-4.2-cln, the same", true,
	  sdsc_spread, NULL },
	{ "4.2", SPREAD, CLOSE, "LLNL-Thunder-2007-1.1-cln, the same", true,
	  thunder_spread, NULL },
};

/* ---- tables ---- */

static void print_effects(struct lab *lab)
{
	const struct effect *e;
	int i;

	puts("\nMean turnaround without backfill and with it (`FIRSTFIT`), "
	     "and the jobs that start later or\nearlier with it\n\n"
	     "| trace | processors | priority | without, h | with, h | later, "
	     "% | earlier, % |\n|---|---:|---|---:|---:|---:|---:|");
	for (i = 0; i < EFFECTS; i++) {
		if (lab->quick && (effect_of[i].trace != KTH || i == KTH_100))
			continue;
		e = effect(lab, i);
		if (e)
			printf("| %s | %" PRId32
			       " | %s | %.2f | %.2f | %.1f | %.1f |\n",
			       trace_of[effect_of[i].trace].name,
			       effect_of[i].procs,
			       priority_of[effect_of[i].priority].name,
			       e->without, e->with, e->later, e->earlier);
	}
}

static void tables(struct lab *lab)
{
	const double *u;
	int t, b;

	print_effects(lab);
	printf("\nThe first %d jobs at once: processor-seconds in use until "
	       "the last one starts, percent\n\n| trace |",
	       AT_ONCE);
	for (b = 0; b < BACKFILLS; b++)
		printf(" `%s` |", backfill_of[b]);
	puts("\n|---|---:|---:|---:|---:|");
	for (t = 0; t < TRACES && (t == KTH || !lab->quick); t++) {
		u = utilized(lab, t);
		if (u)
			printf("| %s | %.1f | %.1f | %.1f | %.1f |\n",
			       trace_of[t].name, u[NONE], u[FIRSTFIT],
			       u[BESTFIT], u[GREEDY]);
	}
}

const struct paper reproduce_maui = {
	"maui",
	"maui",
	"[MAUI] Core algorithms of the Maui scheduler",
	"We do not have the paper's trace of the Maui High Performance "
	"Computing Center and use three\nothers, on machines of 125 % of their "
	"processors, where the queue is stable without backfill,\ntoo (KTH "
	"asks for 69 % of its own machine and uses 68 % without backfill), by "
	"three priorities:\nMaui's default, `XFACTORWEIGHT 100`, and a target "
	"of 2 % for every user with `FSWEIGHT 100`,\n`FSUSERWEIGHT 10`. The "
	"paper's numbers are given as \"around\" and \"roughly\": a quarter of "
	"them\nagrees for utilization, 2 points for delayed jobs.",
	claims,
	sizeof(claims) / sizeof(*claims),
	sizeof(struct state),
	tables,
	close_traces,
};
