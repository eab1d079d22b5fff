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

/* On the nodes of @machine, or on one pool. */
static bool play_config(struct lab *lab, const char *name, struct swf *t,
			const char *config, const char *machine,
			struct report *r)
{
	struct rules_files files = { 0 };
	struct rules_args args = { 0 };
	char error[PLAN_ERROR] = "";
	bool good = true;

	memset(r, 0, sizeof(*r));
	args.config = "maui.cfg";
	if (maui_parse(&files.maui, "maui.cfg", config, strlen(config)))
		good = lab_fail(lab, run_error("%s", files.maui.error));
	if (machine && machine_parse(&files.machine, "machine", machine,
				     strlen(machine)))
		good = lab_fail(lab, run_error("%s", files.machine.error));
	if (good && machine &&
	    plan_open(&files.plan, &files.machine, "machine", error))
		good = lab_fail(lab, run_error("%s", error));
	if (good && rules_assign(&files, &args, false, t, name))
		good = lab_fail(lab, EXIT_FAILED);
	good = good && lab_run(lab, name, t, RULES_MAUI, &args, &files, NULL, r);
	rules_close(&files);
	return good;
}

static bool play(struct lab *lab, const char *name, struct swf *t, int priority,
		 int backfill, struct report *r)
{
	char text[256];

	snprintf(text, sizeof(text), "%sBACKFILLPOLICY %s\n",
		 priority_of[priority].text, backfill_of[backfill]);
	return play_config(lab, name, t, text, NULL, r);
}

/* ---- backfill's effect on turnaround and delays ---- */

enum {
	KTH,
	CTC,
	SDSC_SP2,
	THUNDER,
	CLAIMED,
	KTH_EXACT = CLAIMED,
	CTC_EXACT,
	SDSC_EXACT,
	TRACES
};
#define SLICES 10 /* of KTH */
#define KTH_LOG "KTH-SP2-1996-2"

static const struct {
	const char *name;
	int32_t procs;
	bool exact; /* estimates */
} trace_of[TRACES] = {
	{ "KTH-SP2-1996-2", 100, false },
	{ "CTC-SP2-1996-3.1-cln", 338, false },
	{ "SDSC-SP2-1998-4.2-cln", 128, false },
	{ "LLNL-Thunder-2007-1.1-cln", 4008, false },
	{ "KTH-SP2-1996-2", 100, true },
	{ "CTC-SP2-1996-3.1-cln", 338, true },
	{ "SDSC-SP2-1998-4.2-cln", 128, true },
};

enum {
	KTH_100,
	KTH_125, /* and two more, by the other priorities */
	KTH_150 = KTH_125 + PRIORITIES,
	KTH_200,
	CTC_423,
	SDSC_160 = CTC_423 + PRIORITIES,
	EXACT_KTH = SDSC_160 + PRIORITIES,
	EXACT_CTC = EXACT_KTH + PRIORITIES,
	EXACT_SDSC = EXACT_CTC + PRIORITIES,
	KTH_110 = EXACT_SDSC + PRIORITIES,
	EFFECTS
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
	{ KTH_EXACT, 125, QUEUETIME },	{ KTH_EXACT, 125, XFACTOR },
	{ KTH_EXACT, 125, FAIRSHARE },	{ CTC_EXACT, 423, QUEUETIME },
	{ CTC_EXACT, 423, XFACTOR },	{ CTC_EXACT, 423, FAIRSHARE },
	{ SDSC_EXACT, 160, QUEUETIME }, { SDSC_EXACT, 160, XFACTOR },
	{ SDSC_EXACT, 160, FAIRSHARE }, { KTH, 110, FAIRSHARE },
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
	double slice[SLICES][BACKFILLS];
	bool sliced;
	double most[2]; /* at once: jobs of a user, processors of a group */
	bool throttled;
	size_t elsewhere; /* jobs that ran on nodes that are not theirs */
	double beyond;	  /* processors of the QoS at once, beyond others */
	bool placed;
};

static struct swf *trace(struct lab *lab, int number)
{
	struct state *s = lab->state;
	struct swf_options o = { 0 };

	o.exact = trace_of[number].exact;
	if (!s->read[number])
		s->absent[number] = !lab_read(lab, trace_of[number].name, &o,
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

/* A copy of the jobs @from and behind, submitted at second 0. */
static bool copy_at_once(struct lab *lab, struct swf *copy, const struct swf *t,
			 size_t from)
{
	size_t i;

	*copy = *t;
	copy->jobs -= from;
	if (copy->jobs > AT_ONCE)
		copy->jobs = AT_ONCE;
	copy->job = malloc(copy->jobs * sizeof(*copy->job));
	if (!copy->job)
		return lab_fail(lab, run_error("out of memory"));
	memcpy(copy->job, t->job + from, copy->jobs * sizeof(*copy->job));
	for (i = 0; i < copy->jobs; i++)
		copy->job[i].submit = 0;
	return true;
}

static bool utilize(struct lab *lab, int number, const struct swf *t,
		    size_t from, double u[BACKFILLS])
{
	struct swf at_once;
	struct report r;
	bool good;
	int b;

	if (!copy_at_once(lab, &at_once, t, from))
		return false;
	for (good = true, b = 0; good && b < BACKFILLS; b++) {
		good = play(lab, trace_of[number].name, &at_once, QUEUETIME, b,
			    &r);
		if (good)
			u[b] = utilization(&at_once, &r);
		report_free(&r);
	}
	free(at_once.job);
	return good;
}

static const double *utilized(struct lab *lab, int number)
{
	struct state *s = lab->state;
	struct swf *t = trace(lab, number);

	if (!t)
		return NULL;
	t->procs = trace_of[number].procs;
	if (!s->used[number])
		s->used[number] = utilize(lab, number, t, 0,
					  s->utilized[number]);
	return s->used[number] ? s->utilized[number] : NULL;
}

/* Ten times 2000 jobs of KTH, each from another tenth of the log on. */
static const struct state *slices(struct lab *lab)
{
	struct state *s = lab->state;
	struct swf *t = trace(lab, KTH);
	size_t i;

	if (!t)
		return NULL;
	t->procs = trace_of[KTH].procs;
	for (i = 0; !s->sliced && i < SLICES; i++)
		if (!utilize(lab, KTH, t, i * t->jobs / SLICES, s->slice[i]))
			return NULL;
	s->sliced = true;
	return s;
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

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Of the slices: the least, the median or the most by @rank 0, 1, 2. */
static double slice_limit(const struct state *s, double (*of)(const double *),
			  int rank)
{
	double x[SLICES];
	size_t i;

	for (i = 0; i < SLICES; i++)
		x[i] = of(s->slice[i]);
	qsort(x, SLICES, sizeof(*x), ascending);
	return rank == 0 ? x[0]
	       : rank == 1 ? (x[SLICES / 2 - 1] + x[SLICES / 2]) / 2
			   : x[SLICES - 1];
}

/*
 * The mean of run time / wallclock limit, percent, of the jobs with a limit, or
 * of those of them that completed.
 */
static bool accuracy(struct lab *lab, int number, bool completed, double *here)
{
	const struct swf *t = trace(lab, number);
	double sum = 0, n = 0;
	size_t i;

	for (i = 0; t && i < t->jobs; i++) {
		if (t->job[i].request <= 0 ||
		    (completed && t->job[i].status != 1))
			continue;
		n++;
		sum += fmin(1, (double)t->job[i].run /
				       (double)t->job[i].request);
	}
	*here = 100 * sum / n;
	return t;
}

#define ACCURACY(name, number, completed)                      \
	static bool name(struct lab *lab, double *here)        \
	{                                                      \
		return accuracy(lab, number, completed, here); \
	}
ACCURACY(accuracy_kth, KTH, false)
ACCURACY(accuracy_ctc, CTC, false)
ACCURACY(accuracy_sdsc, SDSC_SP2, false)
ACCURACY(accuracy_thunder, THUNDER, false)
ACCURACY(completed_kth, KTH, true)

/* Of Thunder's jobs with a limit, those with 30 minutes or 2 hours; percent. */
static bool default_limits(struct lab *lab, double *here)
{
	const struct swf *t = trace(lab, THUNDER);
	double two = 0, all = 0;
	size_t i;

	for (i = 0; t && i < t->jobs; i++) {
		all += t->job[i].request > 0;
		two += t->job[i].request == 1800 || t->job[i].request == 7200;
	}
	*here = 100 * two / all;
	return t;
}

/* ---- throttling policies ---- */

#define GROUPS 1000 /* more than KTH's numbers */

static const char limits_text[] =
	"USERCFG[DEFAULT] MAXJOB=3\nGROUPCFG[DEFAULT] MAXPROC=32\n";

/* A start, or an end. */
struct change {
	int64_t time;
	int32_t procs; /* below 0 at an end */
	uint32_t user, group;
};

static int by_time(const void *x, const void *y)
{
	const struct change *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->procs > b->procs) - (a->procs < b->procs);
}

/* The most jobs of a user, and processors of a group, at one time. */
static bool most_at_once(struct lab *lab, const struct report *r,
			 double most[2])
{
	const struct swf *t = r->trace;
	struct change *c = malloc((2 * t->jobs + 1) * sizeof(*c));
	int64_t *jobs = calloc(t->users + 1, sizeof(*jobs));
	int64_t procs[GROUPS] = { 0 };
	size_t i;

	if (!c || !jobs) {
		free(c);
		free(jobs);
		return lab_fail(lab, run_error("out of memory"));
	}
	for (i = 0; i < t->jobs; i++) {
		c[2 * i].time = r->result[i].start;
		c[2 * i].procs = t->job[i].procs;
		c[2 * i].user = t->job[i].user;
		c[2 * i].group = (uint32_t)t->job[i].group % GROUPS;
		c[2 * i + 1] = c[2 * i];
		c[2 * i + 1].time += t->job[i].run;
		c[2 * i + 1].procs = -t->job[i].procs;
	}
	qsort(c, 2 * t->jobs, sizeof(*c), by_time);
	for (most[0] = most[1] = 0, i = 0; i < 2 * t->jobs; i++) {
		jobs[c[i].user] += c[i].procs > 0 ? 1 : -1;
		procs[c[i].group] += c[i].procs;
		most[0] = fmax(most[0], (double)jobs[c[i].user]);
		most[1] = fmax(most[1], (double)procs[c[i].group]);
	}
	free(c);
	free(jobs);
	return true;
}

static const struct state *throttled(struct lab *lab)
{
	struct state *s = lab->state;
	struct swf *t = trace(lab, KTH), limited;
	struct report r = { 0 };

	if (!t)
		return NULL;
	t->procs = trace_of[KTH].procs;
	limited = *t;
	limited.job = s->throttled ? NULL
				   : malloc(t->jobs * sizeof(*limited.job));
	if (limited.job) {
		memcpy(limited.job, t->job, t->jobs * sizeof(*limited.job));
		s->throttled = play_config(lab, KTH_LOG, &limited, limits_text,
					   NULL, &r) &&
			       most_at_once(lab, &r, s->most);
		report_free(&r);
		free(limited.job);
	} else if (!s->throttled) {
		lab_fail(lab, run_error("out of memory"));
	}
	return s->throttled ? s : NULL;
}

/* ---- nodes of a class, and of a QoS ---- */

/* Partition 1 has the first class and the last, which serves urgent jobs only;
 * partition 7 the second. Jobs 1 and 2 are urgent. */
static const char nodes_text[] = "class,count,cpus,partitions,qos\n"
				 "all,1,4,1,\n"
				 "own,1,4,7,\n"
				 "more,1,4,1,urgent\n";
static const char nodes_jobs[] =
	"; MaxProcs: 12\n"
	"1 0 -1 3600 4 -1 -1 4 3600 -1 1 1 1 -1 1 1 -1 -1\n"
	"2 0 -1 3600 4 -1 -1 4 3600 -1 1 1 1 -1 1 1 -1 -1\n"
	"3 0 -1 3600 4 -1 -1 4 3600 -1 1 2 1 -1 1 1 -1 -1\n"
	"4 0 -1 3600 4 -1 -1 4 3600 -1 1 2 1 -1 1 1 -1 -1\n"
	"5 0 -1 3600 4 -1 -1 4 3600 -1 1 3 1 -1 7 7 -1 -1\n"
	"6 0 -1 3600 4 -1 -1 4 3600 -1 1 3 1 -1 7 7 -1 -1\n"
	"7 0 -1 3600 4 -1 -1 4 3600 -1 1 3 1 -1 7 7 -1 -1\n";
enum { ALL_NODES, OWN_NODES, MORE_NODES, URGENT = 2 };

/* The most processors at once of the first jobs, or of the others in class 1. */
static double procs_at_once(const struct report *r, bool urgent)
{
	const struct swf *t = r->trace;
	int64_t most = 0, sum, at;
	size_t i, k;

	for (i = 0; i < t->jobs; i++) {
		at = r->result[i].start;
		for (sum = 0, k = 0; k < t->jobs; k++)
			if ((k < URGENT) == urgent && t->job[k].partition == 1 &&
			    r->result[k].start <= at &&
			    r->result[k].start + t->job[k].run > at)
				sum += t->job[k].procs;
		most = sum > most ? sum : most;
	}
	return (double)most;
}

static const struct state *placed(struct lab *lab)
{
	struct state *s = lab->state;
	struct report r = { 0 };
	struct swf t = { 0 };
	uint32_t in;
	size_t i;

	if (s->placed || !lab_parse(lab, "nodes", nodes_jobs, &t))
		return s->placed ? s : NULL;
	t.asks.has_qos = true;
	for (i = 0; i < URGENT; i++)
		if (asks_qos(&t.asks, csv_column("urgent")) ||
		    asks_end(&t.asks, &t.job[i].ask))
			lab_fail(lab, run_error("out of memory"));
	s->placed = play_config(lab, "nodes", &t, "", nodes_text, &r);
	for (i = 0; s->placed && i < t.jobs; i++) {
		in = r.result[i].node_class;
		s->elsewhere += t.job[i].partition == 7
					? in != OWN_NODES
					: in != ALL_NODES &&
						  (i >= URGENT ||
						   in != MORE_NODES);
	}
	if (s->placed)
		s->beyond = procs_at_once(&r, true) - procs_at_once(&r, false);
	report_free(&r);
	swf_free(&t);
	return s->placed ? s : NULL;
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
		(p->weight[FAIR_PRIORITY_FS_QUEUE] == 4) +
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
#define LATER_OF(name, number) EFFECT(name##_later, number, e->later)
#define BETTER_OF(name, number)        \
	EFFECT(name##_better, number, \
	       100 * (e->without - e->with) / e->without)
#define EFFECTS_OF(name, number)  \
	LATER_OF(name, number)   \
	BETTER_OF(name, number)
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
LATER_OF(kth_exact_queuetime, EXACT_KTH + QUEUETIME)
LATER_OF(ctc_exact_queuetime, EXACT_CTC + QUEUETIME)
LATER_OF(sdsc_exact_queuetime, EXACT_SDSC + QUEUETIME)
LATER_OF(kth_exact_fairshare, EXACT_KTH + FAIRSHARE)
LATER_OF(ctc_exact_fairshare, EXACT_CTC + FAIRSHARE)
LATER_OF(sdsc_exact_fairshare, EXACT_SDSC + FAIRSHARE)
BETTER_OF(kth_110_fairshare, KTH_110)

#define OF_STATE(name, of, value)                       \
	static bool name(struct lab *lab, double *here) \
	{                                               \
		const struct state *s = of(lab);        \
                                                        \
		if (s)                                  \
			*here = (double)(value);        \
		return s;                               \
	}
OF_STATE(jobs_of_a_user, throttled, s->most[0])
OF_STATE(procs_of_a_group, throttled, s->most[1])
OF_STATE(jobs_elsewhere, placed, s->elsewhere)
OF_STATE(procs_beyond, placed, s->beyond)

#define SLICE(name, of, rank)                                   \
	static bool name(struct lab *lab, double *here)         \
	{                                                       \
		const struct state *s = slices(lab);            \
                                                                \
		if (s)                                          \
			*here = slice_limit(s, of, rank);       \
		return s;                                       \
	}
SLICE(slice_growth, growth, 1)
SLICE(slice_growth_least, growth, 0)
SLICE(slice_growth_most, growth, 2)
SLICE(slice_spread, spread, 1)

/* What backfill could gain at most, percent. */
static bool thunder_room(struct lab *lab, double *here)
{
	const double *u = utilized(lab, THUNDER);

	if (u)
		*here = 100 * (100 - u[NONE]) / u[NONE];
	return u;
}

/* Without backfill, the turnaround of fairshare over that of queue time. */
static bool kth_turnarounds(struct lab *lab, double *here)
{
	const struct effect *by_time = effect(lab, KTH_125 + QUEUETIME);
	const struct effect *by_share = effect(lab, KTH_125 + FAIRSHARE);

	if (by_time && by_share)
		*here = by_share->without / by_time->without;
	return by_time && by_share;
}

#define AT_ONCE_KTH "KTH-SP2-1996-2, 2000 jobs at once"
#define CTC_LOG "CTC-SP2-1996-3.1-cln"
#define SDSC_LOG "SDSC-SP2-1998-4.2-cln"
#define THUNDER_LOG "LLNL-Thunder-2007-1.1-cln"

static const struct experiment completed_tests[] = {
	{ "The mean of the jobs that completed", 20, 40, 1, " %", KTH_LOG,
	  false, completed_kth },
	{ 0 }
};

static const struct reason accurate = {
	"**Accuracy, KTH.** A third of its jobs did not complete, many of them "
	"because they reached their limit.\nAmong the others it is as the paper "
	"says.",
	NULL, completed_tests
};

static const struct experiment limit_tests[] = {
	{ "Jobs with a limit of 30 minutes or 2 hours, of those with any", 95,
	  100, 1, " %", THUNDER_LOG, true, default_limits },
	{ 0 }
};

static const struct reason inaccurate = {
	"**Accuracy, LLNL-Thunder.** Its limits are no estimates: nearly all "
	"jobs have one of two.",
	NULL, limit_tests
};

static const struct experiment slice_tests[] = {
	{ "Percent by which utilization grows, the median of ten slices of 2000 "
	  "jobs",
	  15, 25, 1, " %", KTH_LOG, false, slice_growth },
	{ "The least of the ten", -NO_LIMIT, 15, 1, " %", KTH_LOG, false,
	  slice_growth_least },
	{ "The most", 25, NO_LIMIT, 1, " %", KTH_LOG, false, slice_growth_most },
	{ 0 }
};

static const struct reason slice = {
	"**Utilization, KTH.** 2000 jobs are too few: which ones decides. By "
	"the median of ten slices of the log\nit is as the paper says.",
	NULL, slice_tests
};

static const struct experiment room_tests[] = {
	{ "Percent by which it could grow if no processor were idle",
	  -NO_LIMIT, 15, 1, " %", THUNDER_LOG, true, thunder_room },
	{ 0 }
};

static const struct reason room = {
	"**Utilization, LLNL-Thunder.** 91 % of the processors are in use "
	"without backfill, so that no backfill\ncould gain 15 %.",
	NULL, room_tests
};

static const struct experiment delay_tests[] = {
	{ "Jobs later by queue time if estimates are exact", -NO_LIMIT, 2, 1,
	  " %", KTH_LOG, false, kth_exact_queuetime_later },
	{ "The same", -NO_LIMIT, 2, 1, " %", CTC_LOG, true,
	  ctc_exact_queuetime_later },
	{ "The same", -NO_LIMIT, 2, 1, " %", SDSC_LOG, true,
	  sdsc_exact_queuetime_later },
	{ "By fairshare if estimates are exact", 5, NO_LIMIT, 1, " %", KTH_LOG,
	  false, kth_exact_fairshare_later },
	{ "The same", 5, NO_LIMIT, 1, " %", CTC_LOG, true,
	  ctc_exact_fairshare_later },
	{ "The same", 5, NO_LIMIT, 1, " %", SDSC_LOG, true,
	  sdsc_exact_fairshare_later },
	{ 0 }
};

static const struct reason priorities = {
	"**Delayed jobs.** The paper explains them by inexact estimates, and "
	"does not say which priority its\ntrace was simulated with. By queue "
	"time the evidence supports the cause, but not the number: 2 to 3 %\n"
	"of the jobs start later, and with exact estimates hardly any. By "
	"fairshare it is the paper's tenth, but\nhardly by that cause: with "
	"exact estimates most of these jobs start later all the same, since "
	"backfill\nchanges the usage, and so the order.",
	NULL, delay_tests
};

static const struct experiment fairshare_tests[] = {
	{ "Percent by which it improves on 110 processors, where the queue is "
	  "longer",
	  20, NO_LIMIT, 1, " %", KTH_LOG, false, kth_110_fairshare_better },
	{ "Mean turnaround without backfill by fairshare over that by queue "
	  "time",
	  -NO_LIMIT, 0.75, 2, "", KTH_LOG, false, kth_turnarounds },
	{ 0 }
};

static const struct reason fairshare = {
	"**Turnaround under fairshare.** On KTH's 125 processors the mean "
	"turnaround without backfill is little\nmore than half of what it is by "
	"queue time, so that backfill can gain less. Where jobs wait longer "
	"it\ngains what the paper says.",
	NULL, fairshare_tests
};

static const struct experiment selection_tests[] = {
	{ "Points between the three, the median of ten slices", -NO_LIMIT, 3,
	  1, " points", KTH_LOG, false, slice_spread },
	{ 0 }
};

static const struct reason selections = {
	"**Selections.** Utilization is measured until the last of the 2000 "
	"jobs starts, and depends on\nwhen that one job does: in other slices of "
	"the log the three are as close as the paper says.",
	NULL, selection_tests
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
#define ACCURATE "wallclock accuracy: run time over wallclock limit, on average"
#define FORTY "20 to 40 %", 20, 40, 1, " %"
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

	{ "2.2", "a class has access to its nodes only: jobs that run "
	  "elsewhere", "none", 0, 0, 0, " jobs", "seven jobs of two classes",
	  false, jobs_elsewhere, NULL },
	{ "2.3", "a QoS has access to additional resources: processors at "
	  "once, beyond those of other jobs", "4 that are set apart", 4, 4, 0,
	  " processors", "the same", false, procs_beyond, NULL },
	{ "2.5", "with its example's limit of 3 jobs, the most that a user "
	  "runs at once", "3 jobs", 3, 3, 0, " jobs", KTH_LOG, false,
	  jobs_of_a_user, NULL },
	{ "2.5", "with its limit of 32 processors of a group, the most that "
	  "one uses at once", "32 processors", 32, 32, 0, " processors",
	  KTH_LOG, false, procs_of_a_group, NULL },

	{ "4.1", ACCURATE, FORTY, KTH_LOG, false, accuracy_kth, &accurate },
	{ "4.1", ACCURATE, FORTY, CTC_LOG, true, accuracy_ctc, NULL },
	{ "4.1", ACCURATE, FORTY, SDSC_LOG, true, accuracy_sdsc, NULL },
	{ "4.1", ACCURATE, FORTY, THUNDER_LOG, true, accuracy_thunder,
	  &inaccurate },

	{ "4", GROWTH, TWENTY, AT_ONCE_KTH, false, kth_growth, &slice },
	{ "4", GROWTH, TWENTY, "CTC-SP2-1996-3.1-cln, the same", true,
	  ctc_growth, NULL },
	{ "4", GROWTH, TWENTY, "SDSC-SP2-1998-4.2-cln, the same", true,
	  sdsc_growth, NULL },
	{ "4", GROWTH, TWENTY, "LLNL-Thunder-2007-1.1-cln, the same", true,
	  thunder_growth, &room },
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
	{ "4.2", SPREAD, CLOSE, AT_ONCE_KTH, false, kth_spread, &selections },
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
		if (lab->quick && ((effect_of[i].trace != KTH &&
				    effect_of[i].trace != KTH_EXACT) ||
				   i == KTH_100))
			continue;
		e = effect(lab, i);
		if (e)
			printf("| %s%s | %" PRId32
			       " | %s | %.2f | %.2f | %.1f | %.1f |\n",
			       trace_of[effect_of[i].trace].name,
			       effect_of[i].trace >= CLAIMED
				       ? ", exact estimates"
				       : "",
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
	for (t = 0; t < CLAIMED && (t == KTH || !lab->quick); t++) {
		u = utilized(lab, t);
		if (u)
			printf("| %s | %.1f | %.1f | %.1f | %.1f |\n",
			       trace_of[t].name, u[NONE], u[FIRSTFIT],
			       u[BESTFIT], u[GREEDY]);
	}
	if (slices(lab))
		printf("\nTen slices of KTH: utilization grows by %.1f to %.1f "
		       "%% with `FIRSTFIT`, the median is %.1f; the\nselections "
		       "are %.1f points apart in the median.\n",
		       slice_limit(lab->state, growth, 0),
		       slice_limit(lab->state, growth, 2),
		       slice_limit(lab->state, growth, 1),
		       slice_limit(lab->state, spread, 1));
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
