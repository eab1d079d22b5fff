/* SPDX-License-Identifier: MIT OR Unlicense */
/* [RS]: relative share, where the paper's trace is not public */
#include "reproduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/report/users.h"

#define HOUR 3600.0
#define MONTH 30 /* days */
#define MONTH_SECONDS (INT64_C(86400) * MONTH)
#define MONTHS 64 /* at most */

enum { KTH, CTC, SDSC_SP2, SDSC_BLUE, TRACES };

static const char *const trace_of[TRACES] = {
	"KTH-SP2-1996-2",
	"CTC-SP2-1996-3.1-cln",
	"SDSC-SP2-1998-4.2-cln",
	"SDSC-BLUE-2000-4.2-cln",
};

enum { EASY, LXF, H4, H12, D1, D2, D7, D1_USED, POLICIES };

static const struct {
	const char *name;
	int policy;
	struct rules_args rules;
} policy_of[POLICIES] = {
	{ "easy", RULES_EASY, { .order = FAIR_ORDER_FCFS } },
	{ "lxf", RULES_EASY, { .order = FAIR_ORDER_LXF } },
	{ "4 hours", RULES_RELSHARE, { .window = 14400 } },
	{ "12 hours", RULES_RELSHARE, { .window = 43200 } },
	{ "1 day", RULES_RELSHARE, { .window = 86400 } },
	{ "2 days", RULES_RELSHARE, { .window = 2 * 86400 } },
	{ "7 days", RULES_RELSHARE, { .window = 7 * 86400 } },
	{ "1 day, used only",
	  RULES_RELSHARE,
	  { .window = 86400, .no_expected = true } },
};

/* Of one policy on one trace. */
struct played {
	struct summary s;
	/* By month of submission, of those with a job: */
	double wait[MONTHS], slowdown[MONTHS], longest[MONTHS];
	int64_t *user_longest; /* [month * users + user], -1: none */
	/* Percent of the users of months: */
	double under, over, much_less, much_more, less, more;
	size_t user_months;
};

struct figures {
	bool played, absent;
	size_t months;
	struct played of[POLICIES];
};

struct state {
	struct figures of[TRACES];
};

/* ---- months ---- */

static int64_t first_submit(const struct swf *t)
{
	int64_t first = INT64_MAX;
	size_t i;

	for (i = 0; i < t->jobs; i++)
		if (t->job[i].submit < first)
			first = t->job[i].submit;
	return first;
}

/* Returns how many months there are. */
static size_t take_months(struct played *p, const struct swf *t,
			  const struct sim_result *result)
{
	int64_t first = first_submit(t), wait, *longest;
	size_t jobs[MONTHS] = { 0 }, i, m, n = 0;

	for (i = 0; i < MONTHS * t->users; i++)
		p->user_longest[i] = -1;
	for (i = 0; i < t->jobs; i++) {
		const struct swf_job *j = &t->job[i];

		m = (size_t)((j->submit - first) / MONTH_SECONDS);
		wait = result[i].start - j->submit;
		jobs[m]++;
		p->wait[m] += (double)wait / HOUR;
		p->slowdown[m] += bounded_slowdown(wait, j->run, t->threshold);
		p->longest[m] = fmax(p->longest[m], (double)wait / HOUR);
		longest = &p->user_longest[m * t->users + j->user];
		if (wait > *longest)
			*longest = wait;
	}
	for (m = 0; m < MONTHS; m++) {
		if (!jobs[m])
			continue;
		p->wait[n] = p->wait[m] / (double)jobs[m];
		p->slowdown[n] = p->slowdown[m] / (double)jobs[m];
		p->longest[n++] = p->longest[m];
	}
	return n;
}

/* Under- and over-share: more than 50 processor-hours off in a month. */
static void take_devs(struct played *p, const struct users *u)
{
	size_t users = u->trace->users, d, k, i, under = 0, over = 0;
	double entitled, used;

	for (d = 0; d < u->days; d += MONTH)
		for (i = 0; i < users; i++) {
			entitled = used = 0;
			for (k = d; k < d + MONTH && k < u->days; k++) {
				entitled += u->entitled[k * users + i];
				used += u->used[k * users + i];
			}
			if (!(entitled > 0))
				continue;
			p->user_months++;
			under += used - entitled < -50;
			over += used - entitled > 50;
		}
	p->under = 100 * (double)under / (double)p->user_months;
	p->over = 100 * (double)over / (double)p->user_months;
}

/* Whose longest wait of a month is shorter or longer than under easy. */
static void take_benefits(struct played *p, const struct played *easy,
			  size_t users)
{
	size_t i, n = 0, count[4] = { 0 };
	int64_t d;

	for (i = 0; i < MONTHS * users; i++) {
		if (easy->user_longest[i] < 0)
			continue;
		n++;
		d = easy->user_longest[i] - p->user_longest[i];
		count[0] += d > 36000;
		count[1] += d < -36000;
		count[2] += d > 0;
		count[3] += d < 0;
	}
	p->much_less = 100 * (double)count[0] / (double)n;
	p->much_more = 100 * (double)count[1] / (double)n;
	p->less = 100 * (double)count[2] / (double)n;
	p->more = 100 * (double)count[3] / (double)n;
}

/* ---- playing ---- */

static void on_arrival(void *users, size_t number, int64_t now)
{
	users_arrive(users, number, now);
}

static void on_start(void *users, size_t number, int64_t now)
{
	users_start(users, number, now);
}

static void on_finish(void *users, size_t number, int64_t now)
{
	users_finish(users, number, now);
}

static struct sim_watch watch_users(struct users *u)
{
	struct sim_watch watch = { 0 };

	watch.ctx = u;
	watch.arrived = on_arrival;
	watch.started = on_start;
	watch.finished = on_finish;
	return watch;
}

static bool out_of_memory(struct lab *lab)
{
	return lab_fail(lab, run_error("out of memory"));
}

static bool play_policy(struct lab *lab, struct figures *f, const char *name,
			const struct swf *t, int policy)
{
	const struct played *easy = &f->of[EASY];
	struct played *p = &f->of[policy];
	struct rules_files files = { 0 };
	struct users_row *row = NULL;
	struct sim_watch watch;
	struct users u;
	struct report r;
	bool good;

	p->user_longest = malloc(MONTHS * t->users * sizeof(int64_t));
	if (!p->user_longest || users_open(&u, t, NULL))
		return out_of_memory(lab);
	watch = watch_users(&u);
	good = lab_run(lab, name, t, policy_of[policy].policy,
		       &policy_of[policy].rules, &files, &watch, &r);
	if (good)
		row = users_rows(&u, r.result); /* the last day, too */
	if (good && !row)
		good = out_of_memory(lab);
	if (good) {
		p->s = r.summary;
		f->months = take_months(p, t, r.result);
		take_devs(p, &u);
		take_benefits(p, easy, t->users);
	}
	free(row);
	users_close(&u);
	report_free(&r);
	return good;
}

static const struct figures *figures_of(struct lab *lab, int trace)
{
	struct figures *f = &((struct state *)lab->state)->of[trace];
	struct swf_options o = { 0 };
	struct swf t = { 0 };
	int p;

	if (f->absent)
		return NULL;
	if (f->played)
		return f;
	o.exact = true;
	o.threshold = 60; /* [RS IV]: shorter jobs count as one minute */
	f->absent = !lab_read(lab, trace_of[trace], &o, &t);
	for (p = 0; !f->absent && p < POLICIES; p++)
		f->absent = !play_policy(lab, f, trace_of[trace], &t, p);
	swf_free(&t);
	f->played = !f->absent;
	return f->absent ? NULL : f;
}

static void close_figures(struct lab *lab)
{
	struct state *s = lab->state;
	int t, p;

	for (t = 0; t < TRACES; t++)
		for (p = 0; p < POLICIES; p++)
			free(s->of[t].of[p].user_longest);
}

/* ---- the example of III-C ---- */

/* Three users want 20 of 30 nodes each; the first is done after 20 minutes. */
static bool entitled_share(struct lab *lab, double *here)
{
	static const char text[] =
		"; MaxProcs: 30\n"
		"1 0 -1 1200 20 -1 -1 20 1200 -1 1 1 1 -1 -1 -1 -1 -1\n"
		"2 0 -1 2400 20 -1 -1 20 2400 -1 1 2 1 -1 -1 -1 -1 -1\n"
		"3 0 -1 3600 20 -1 -1 20 3600 -1 1 3 1 -1 -1 -1 -1 -1\n";
	struct users_row *row = NULL;
	struct sim_watch watch;
	struct users u;
	struct swf t = { 0 };
	struct report r = { 0 };
	bool good = lab_parse(lab, "III-C", text, &t);

	t.measured = true;
	t.to = 3600;
	if (good && users_open(&u, &t, NULL))
		good = out_of_memory(lab);
	if (good) {
		watch = watch_users(&u);
		good = lab_run(lab, "III-C", &t, RULES_EASY, NULL, NULL, &watch,
			       &r);
		if (good)
			row = users_rows(&u, r.result);
		if (row)
			*here = row[1].entitled;
		else if (good)
			good = out_of_memory(lab);
		free(row);
		users_close(&u);
	}
	report_free(&r);
	swf_free(&t);
	return good;
}

/* ---- claims ---- */

static double wait_ratio(const struct figures *f, int policy, int other)
{
	return f->of[policy].s.mean_wait / f->of[other].s.mean_wait;
}

static double p99_ratio(const struct figures *f)
{
	return (double)f->of[D1].s.p99_wait / (double)f->of[EASY].s.p99_wait;
}

/* Percent of the months in which the longest wait is longer than another's. */
static double months_longer(const struct figures *f, int policy, int other)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += f->of[policy].longest[m] > f->of[other].longest[m];
	return 100 * (double)n / (double)f->months;
}

/* The longest mean wait over the shortest, of all windows. */
static double windows_ratio(const struct figures *f)
{
	double least = NO_LIMIT, most = 0;
	int p;

	for (p = H4; p <= D7; p++) {
		least = fmin(least, f->of[p].s.mean_wait);
		most = fmax(most, f->of[p].s.mean_wait);
	}
	return most / least;
}

#define MEASURE(name, trace, expression)                          \
	static bool name(struct lab *lab, double *here)           \
	{                                                         \
		const struct figures *f = figures_of(lab, trace); \
                                                                  \
		if (f)                                            \
			*here = expression;                       \
		return f;                                         \
	}
#define ON_ALL(name, expression)                    \
	MEASURE(name##_kth, KTH, expression)        \
	MEASURE(name##_ctc, CTC, expression)        \
	MEASURE(name##_sp2, SDSC_SP2, expression)   \
	MEASURE(name##_blue, SDSC_BLUE, expression)

ON_ALL(wait, wait_ratio(f, D1, EASY))
ON_ALL(used_only, wait_ratio(f, D1_USED, D1))
ON_ALL(longer, months_longer(f, D1, EASY))
ON_ALL(longer_lxf, months_longer(f, D1, LXF))
ON_ALL(p99, p99_ratio(f))
ON_ALL(benefit, f->of[D1].much_less - f->of[D1].much_more)
ON_ALL(under, f->of[EASY].under - f->of[D1].under)
ON_ALL(over, f->of[D1].over)
ON_ALL(windows, windows_ratio(f))
ON_ALL(short_window, months_longer(f, D1, H4))
ON_ALL(long_window, months_longer(f, D7, D1))

static const char ctc_better[] =
	"**CTC.** Averages change more here than at NCSA, and improve: the "
	"load is higher (84 %\nutilization, at NCSA 70 to 80 % in a month), so "
	"that the order of the queue matters more. The\nlonger the window, the "
	"shorter the mean wait, on SDSC-BLUE, too.";

static const char sp2_worse[] =
	"**SDSC-SP2.** One user with a sixth of all processor-hours, whose "
	"jobs are wide, has nearly all\nof the additional waiting "
	"(docs/RELSHARE.md): type S2 of section V-B, and S1 as well. This\n"
	"raises the mean wait and the 99th percentile of the whole trace.";

static const char blue_windows[] =
	"**SDSC-BLUE, short windows.** The longest waits are those of one user "
	"whose jobs take 1024 of\n1152 processors: in every window a user "
	"without usage in it takes over the reservation. So the\nshortest "
	"windows have the worst maxima (1069 hours at 4 hours, 366 at 7 days).";

static const char blue_lxf[] =
	"**SDSC-BLUE, LXF.** LXF-backfill itself has high maximum waits there, "
	"worse than easy's in 28 of\n33 months: in 4 months RelShare(1d) is "
	"better.";

static const char kth_windows[] =
	"**KTH, 7 days.** The maximum of the whole trace (227 and 222 hours) "
	"and the median of the months\n(65 and 53) are worse with 7 days than "
	"with 1 day, as the paper says; but in 7 of 12 months the\nmaximum is "
	"not worse.";

#define NAME_KTH "KTH-SP2-1996-2"
#define NAME_CTC "CTC-SP2-1996-3.1-cln"
#define NAME_SP2 "SDSC-SP2-1998-4.2-cln"
#define NAME_BLUE "SDSC-BLUE-2000-4.2-cln"

/* One claim on four traces, and where it differs. */
#define CLAIMS(section, text, number, least, most, digits, unit, name, kth,   \
	       ctc, sp2, blue)                                                \
	{ section, text, number, least,	     most, digits, unit, NAME_KTH,    \
	  false,   name##_kth, kth },					      \
	{ section, text, number, least,	     most, digits, unit, NAME_CTC,    \
	  true,	   name##_ctc, ctc },					      \
	{ section, text, number, least,	     most, digits, unit, NAME_SP2,    \
	  true,	   name##_sp2, sp2 },					      \
	{ section, text, number, least,	     most, digits, unit, NAME_BLUE,   \
	  true,	   name##_blue, blue }

static const struct claim claims[] = {
	{ "III-C", "entitled to 10 nodes for 20 minutes and 15 for 40",
	  "13.3 node-hours", 13.25, 13.35, 2, " node-hours", "its example",
	  false, entitled_share, NULL },
	CLAIMS("IV", "mean wait of RelShare(1d) over that of FCFS-backfill",
	       "fairly comparable", 0.75, 1.25, 2, "", wait, NULL, ctc_better,
	       sp2_worse, NULL),
	CLAIMS("IV", "mean wait without expected usage over that with it",
	       "fairly comparable", 0.75, 1.25, 2, "", used_only, NULL, NULL,
	       NULL, NULL),
	CLAIMS("IV", "months whose maximum wait is worse than FCFS-backfill's",
	       "each month", 100, 100, 0, " %", longer, NULL, NULL, NULL, NULL),
	CLAIMS("IV", "months whose maximum wait is worse than LXF-backfill's",
	       "each month", 100, 100, 0, " %", longer_lxf, NULL, NULL, NULL,
	       blue_lxf),
	CLAIMS("IV", "99th percentile of wait over that of FCFS-backfill",
	       "similar", 0.75, 1.25, 2, "", p99, NULL, NULL, sp2_worse, NULL),
	CLAIMS("V-C",
	       "users with 10 hours less in a month, less those with 10 "
	       "hours more (table III)",
	       "similar or more", -2, NO_LIMIT, 1, " % of users", benefit, NULL,
	       NULL, NULL, NULL),
	CLAIMS("V-D",
	       "users with an under-share above 50 node-hours: from "
	       "FCFS-backfill to RelShare(1d), fewer (table V)",
	       "0 to 16.4 %", 0, 16.4, 1, " % of users", under, NULL, NULL,
	       NULL, NULL),
	CLAIMS("V-D", "users with an over-share above 50 node-hours",
	       "under 10 %", -NO_LIMIT, 10, 1, " % of users", over, NULL, NULL,
	       NULL, NULL),
	CLAIMS("VI",
	       "4 hours to 7 days: the longest mean wait over the "
	       "shortest",
	       "minimal impact", 1, 1.25, 2, "", windows, NULL, ctc_better,
	       sp2_worse, ctc_better),
	CLAIMS("VI",
	       "months whose maximum wait is better with 4 hours than "
	       "with 1 day",
	       "most months", 50, 100, 0, " %", short_window, NULL, NULL, NULL,
	       blue_windows),
	CLAIMS("VI",
	       "months whose maximum wait is worse with 7 days than with "
	       "1 day",
	       "most months", 50, 100, 0, " %", long_window, kth_windows, NULL,
	       NULL, blue_windows),
};

/* ---- tables ---- */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(const double *value, size_t n)
{
	double x[MONTHS];

	memcpy(x, value, n * sizeof(*x));
	qsort(x, n, sizeof(*x), ascending);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

static void print_policy(const struct figures *f, int policy)
{
	const struct played *p = &f->of[policy];
	const struct summary *s = &p->s;

	printf("| %s | %.2f | %.1f | %.1f | %.1f | %.2f |",
	       policy_of[policy].name, s->mean_wait / HOUR,
	       s->mean_bounded_slowdown, (double)s->p99_wait / HOUR,
	       (double)s->max_wait / HOUR, 100 * s->utilization);
	printf(" %.2f | %.2f | %.2f | %.0f of %zu |\n",
	       median(p->wait, f->months), median(p->slowdown, f->months),
	       median(p->longest, f->months),
	       months_longer(f, policy, EASY) * (double)f->months / 100,
	       f->months);
}

static void print_users(const struct figures *f, int policy)
{
	const struct played *p = &f->of[policy];

	printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
	       policy_of[policy].name, p->much_less, p->much_more, p->less,
	       p->more, p->under, p->over);
}

static void print_trace(const struct figures *f, const char *name)
{
	int p;

	printf("\n%s: the whole trace, medians of its months, and months whose "
	       "maximum wait is above easy's\n\n"
	       "| policy | wait, h | slowdown | p99, h | max, h | utilized, %% "
	       "| month: wait, h | slowdown | max, h | max > easy |\n"
	       "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	       name);
	for (p = 0; p < POLICIES; p++)
		print_policy(f, p);
	printf("\n%s: percent of the users of months, by their maximum wait "
	       "less that under easy, and by dev\n\n"
	       "| policy | < -10 h | > 10 h | < 0 | > 0 | dev < -50 | dev > 50 "
	       "|\n|---|---:|---:|---:|---:|---:|---:|\n",
	       name);
	for (p = 0; p < POLICIES; p++)
		print_users(f, p);
}

static void tables(struct lab *lab)
{
	const struct figures *f;
	int t;

	for (t = 0; t < TRACES && (t == KTH || !lab->quick); t++) {
		f = figures_of(lab, t);
		if (f)
			print_trace(f, trace_of[t]);
	}
}

const struct paper reproduce_rs = {
	"rs",
	"relshare",
	"[RS] Impact of fair share and its configurable parameters",
	"The paper's trace, ten months of NCSA's IA-64 cluster, is not public; "
	"we use four others. As in\nthe paper, run times are known "
	"(`--estimates exact`) and shares are equal. Whole traces are\n"
	"simulated, so that the time before a month is its warm-up. A month is "
	"30 days from the first\nsubmit; a user of a month is one with an "
	"entitlement in it. The paper has plots for most of its\nclaims: "
	"\"comparable\" and \"similar\" are taken as within a quarter.",
	claims,
	sizeof(claims) / sizeof(*claims),
	sizeof(struct state),
	tables,
	close_figures,
};
