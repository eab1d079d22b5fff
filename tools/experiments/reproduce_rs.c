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
#define DAY INT64_C(86400)
#define WARM_UP (7 * DAY)
#define MONTH (30 * DAY)
#define MONTHS 64 /* at most */

enum { KTH, CTC, SDSC_SP2, SDSC_BLUE, CLAIMED, CTC_73 = CLAIMED, CTC_68, TRACES };

static const struct {
	const char *name;
	double stretch; /* of the times between submissions */
} trace_of[TRACES] = {
	{ "KTH-SP2-1996-2", 1 },	 { "CTC-SP2-1996-3.1-cln", 1 },
	{ "SDSC-SP2-1998-4.2-cln", 1 },	 { "SDSC-BLUE-2000-4.2-cln", 1 },
	{ "CTC-SP2-1996-3.1-cln", 1.16 }, { "CTC-SP2-1996-3.1-cln", 1.25 },
};

enum {
	EASY,
	LXF,
	H4,
	H12,
	D1,
	D2,
	D7,
	D1_USED,
	D1_DIFFERENCE,
	POLICIES
};

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
	{ "1 day, difference",
	  RULES_RELSHARE,
	  { .window = 86400, .share = 1 } },
};

/* A user of a month; hours. */
struct user_month {
	int64_t wait; /* the longest, seconds; -1: no job was submitted */
	double entitled, used, dev;
	double backlog; /* jobs that wait when a day begins, on average */
	double jobs, waits;	       /* their sum, seconds */
	double procs, longest_procs;   /* sum; of the job that waits longest */
};

/* Of one policy on one trace, its months one after the other. */
struct played {
	struct summary month[MONTHS];
	struct user_month *user[MONTHS]; /* the trace's users */
	/* Of all jobs that are measured: */
	double wait, slowdown; /* means, seconds */
	int64_t p99, longest;
	/* Of those that ask for at most half of the machine: */
	int64_t narrow_p99, narrow_longest[MONTHS];
	int64_t light_p99; /* of all users but the heaviest of each month */
};

/* Table I; hours of processors. */
struct month_load {
	size_t users, jobs, most_jobs;
	double demand; /* percent */
	double median_jobs;
};

struct figures {
	bool played, absent;
	size_t months, users;
	struct month_load load[MONTHS];
	struct played of[POLICIES];
};

struct state {
	struct figures of[TRACES];
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), ascending);
	return n ? (value[(n - 1) / 2] + value[n / 2]) / 2 : 0;
}

/* ---- a month apart ---- */

static int64_t first_submit(const struct swf *t)
{
	int64_t first = INT64_MAX;
	size_t i;

	for (i = 0; i < t->jobs; i++)
		if (t->job[i].submit < first)
			first = t->job[i].submit;
	return first;
}

/* A part of a trace, in which its users are numbered anew. */
struct cut {
	struct swf t;
	uint32_t *user;	 /* of the whole trace, by number here */
	uint32_t *number; /* here, by number in the trace; NO_NUMBER */
};

#define NO_NUMBER UINT32_MAX

static void add_to_cut(struct cut *cut, const struct swf_job *j)
{
	uint32_t *number = &cut->number[j->user];

	if (*number == NO_NUMBER) {
		*number = cut->t.users++;
		cut->user[*number] = j->user;
	}
	cut->t.job[cut->t.jobs] = *j;
	cut->t.job[cut->t.jobs++].user = *number;
}

/*
 * [RS III]: the jobs of a month are measured; those of the week before warm the
 * machine up, and others arrive for @cool seconds behind it. Returns whether
 * there are more. @cut has room for all jobs and users of @t.
 */
static bool cut_month(struct cut *cut, const struct swf *t, int64_t from,
		      int64_t cool)
{
	struct swf *month = &cut->t;
	struct swf_job *job = month->job;
	bool more = false;
	size_t i;

	for (i = 0; i < t->users; i++)
		cut->number[i] = NO_NUMBER;
	*month = *t;
	month->job = job;
	month->jobs = month->users = 0;
	month->measured = true;
	month->from = from;
	month->to = from + MONTH;
	for (i = 0; i < t->jobs; i++) {
		const struct swf_job *j = &t->job[i];

		if (j->submit >= month->to + cool)
			more = true;
		else if (j->submit >= from - WARM_UP)
			add_to_cut(cut, j);
	}
	return more;
}

/* Did jobs arrive until all that are measured had started? */
static bool is_cool(const struct swf *month, const struct sim_result *result)
{
	int64_t last = INT64_MIN;
	size_t i;

	for (i = 0; i < month->jobs; i++)
		if (month->job[i].submit > last)
			last = month->job[i].submit;
	for (i = 0; i < month->jobs; i++)
		if (swf_measures(month, month->job[i].submit) &&
		    result[i].start > last)
			return false;
	return true;
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

/* How many days of the month begin while the job waits. */
static double days_waited(const struct swf *month, int64_t submit,
			  int64_t start)
{
	int64_t end = start < month->to ? start : month->to;

	return (double)((end - 1 - month->from) / DAY -
			(submit - 1 - month->from) / DAY);
}

static bool take_users(struct lab *lab, struct user_month *user,
		       struct users *u, const struct cut *cut,
		       const struct report *r)
{
	const struct swf *month = &cut->t;
	struct users_row *row = users_rows(u, r->result);
	size_t i;

	if (!row)
		return out_of_memory(lab);
	for (i = 0; i < month->users; i++) {
		struct user_month *its = &user[cut->user[i]];

		if (row[i].jobs)
			its->wait = row[i].max_wait;
		its->entitled = row[i].entitled;
		its->used = row[i].used;
		its->dev = row[i].used - row[i].entitled;
	}
	for (i = 0; i < month->jobs; i++) {
		const struct swf_job *j = &month->job[i];

		struct user_month *its = &user[cut->user[j->user]];

		if (!swf_measures(month, j->submit))
			continue;
		its->backlog += days_waited(month, j->submit,
					    r->result[i].start) *
				(double)DAY / (double)MONTH;
		its->jobs++;
		its->waits += (double)(r->result[i].start - j->submit);
		its->procs += j->procs;
		if (r->result[i].start - j->submit == its->wait)
			its->longest_procs = j->procs;
	}
	free(row);
	return true;
}

struct waits {
	double *of;
	size_t n;
};

static void add_wait(struct waits *w, int64_t wait)
{
	w->of[w->n++] = (double)wait;
}

static int64_t percentile_99(struct waits *w)
{
	qsort(w->of, w->n, sizeof(*w->of), ascending);
	return (int64_t)w->of[(99 * w->n + 99) / 100 - 1];
}

/* Kinds of jobs. */
enum { ALL, NARROW, LIGHT, KINDS };

/* @heavy: the number here of the user that used most under easy. */
static void take_waits(struct played *p, size_t m, struct waits w[KINDS],
		       const struct report *r, uint32_t heavy)
{
	const struct swf *month = r->trace;
	int64_t *longest = &p->narrow_longest[m];
	size_t i;

	for (i = 0; i < month->jobs; i++) {
		const struct swf_job *j = &month->job[i];
		int64_t its = r->result[i].start - j->submit;

		if (!swf_measures(month, j->submit))
			continue;
		p->wait += (double)its;
		p->slowdown += bounded_slowdown(its, j->run, month->threshold);
		add_wait(&w[ALL], its);
		if (j->user != heavy)
			add_wait(&w[LIGHT], its);
		if (j->procs > month->procs / 2)
			continue;
		add_wait(&w[NARROW], its);
		*longest = its > *longest ? its : *longest;
	}
}

/* The user of a month that used the most under easy. */
static size_t heaviest(const struct figures *f, size_t m)
{
	size_t i, most = 0;

	for (i = 1; i < f->users; i++)
		if (f->of[EASY].user[m][i].used >
		    f->of[EASY].user[m][most].used)
			most = i;
	return most;
}

/* The cool-down becomes longer until it is long enough. */
static bool play_month(struct lab *lab, const char *name, const struct swf *t,
		       int policy, struct cut *cut, int64_t from,
		       struct users *u, struct report *r)
{
	struct rules_files files = { 0 };
	struct sim_watch watch;
	int64_t cool;
	bool more;

	for (cool = WARM_UP;; cool *= 4) {
		more = cut_month(cut, t, from, cool);
		if (users_open(u, &cut->t, NULL))
			return out_of_memory(lab);
		watch = watch_users(u);
		if (!lab_run(lab, name, &cut->t, policy_of[policy].policy,
			     &policy_of[policy].rules, &files, &watch, r))
			return false;
		if (!more || is_cool(&cut->t, r->result))
			return true;
		users_close(u);
		report_free(r);
	}
}

/* The users of a month; none has submitted a job yet. */
static struct user_month *new_users(size_t users)
{
	struct user_month *user = calloc(users, sizeof(*user));
	size_t i;

	for (i = 0; user && i < users; i++)
		user[i].wait = -1;
	return user;
}

static bool play_months(struct lab *lab, struct figures *f, const char *name,
			const struct swf *t, int policy, struct cut *cut,
			struct waits w[KINDS])
{
	struct played *p = &f->of[policy];
	int64_t from = first_submit(t);
	struct report r;
	struct users u;
	size_t m;
	bool good = true;

	for (m = 0; good && m < f->months; m++, from += MONTH) {
		memset(&u, 0, sizeof(u));
		memset(&r, 0, sizeof(r));
		p->user[m] = new_users(t->users);
		if (!p->user[m])
			return out_of_memory(lab);
		good = play_month(lab, name, t, policy, cut, from, &u, &r) &&
		       take_users(lab, p->user[m], &u, cut, &r);
		if (good) {
			p->month[m] = r.summary;
			take_waits(p, m, w, &r, cut->number[heaviest(f, m)]);
		}
		users_close(&u);
		report_free(&r);
	}
	if (!good)
		return false;
	p->wait /= (double)w[ALL].n;
	p->slowdown /= (double)w[ALL].n;
	p->p99 = percentile_99(&w[ALL]);
	p->longest = (int64_t)w[ALL].of[w[ALL].n - 1];
	p->narrow_p99 = percentile_99(&w[NARROW]);
	p->light_p99 = percentile_99(&w[LIGHT]);
	return true;
}

static bool play_policy(struct lab *lab, struct figures *f, const char *name,
			const struct swf *t, int policy)
{
	struct waits w[KINDS] = { { NULL, 0 } };
	struct cut cut = { 0 };
	bool good = true;
	int k;

	cut.t.job = malloc(t->jobs * sizeof(*cut.t.job));
	cut.user = malloc(t->users * sizeof(*cut.user));
	cut.number = malloc(t->users * sizeof(*cut.number));
	for (k = 0; k < KINDS; k++) {
		w[k].of = malloc(t->jobs * sizeof(*w[k].of));
		good = good && w[k].of;
	}
	good = good && cut.t.job && cut.user && cut.number
		       ? play_months(lab, f, name, t, policy, &cut, w)
		       : out_of_memory(lab);
	free(cut.number);
	free(cut.user);
	free(cut.t.job);
	for (k = 0; k < KINDS; k++)
		free(w[k].of);
	return good;
}

/* Table I, and how many months there are. */
static bool take_loads(struct lab *lab, struct figures *f, const struct swf *t)
{
	double *jobs = calloc(t->users, sizeof(*jobs));
	int64_t first = first_submit(t), from;
	size_t i, m, n, last = 0;

	if (!jobs)
		return out_of_memory(lab);
	for (i = 0; i < t->jobs; i++) {
		m = (size_t)((t->job[i].submit - first) / MONTH);
		last = m > last ? m : last;
	}
	f->users = t->users;
	f->months = last + 1 < MONTHS ? last + 1 : MONTHS;
	for (m = 0, from = first; m < f->months; m++, from += MONTH) {
		struct month_load *l = &f->load[m];

		memset(jobs, 0, t->users * sizeof(*jobs));
		for (i = 0; i < t->jobs; i++) {
			const struct swf_job *j = &t->job[i];

			if (j->submit < from || j->submit >= from + MONTH)
				continue;
			l->jobs++;
			l->demand += (double)j->run * j->procs;
			jobs[j->user]++;
		}
		l->demand *= 100 / ((double)t->procs * (double)MONTH);
		for (i = n = 0; i < t->users; i++) {
			if (jobs[i] < 1)
				continue;
			if (jobs[i] > (double)l->most_jobs)
				l->most_jobs = (size_t)jobs[i];
			jobs[n++] = jobs[i];
		}
		l->users = n;
		l->median_jobs = median(jobs, n);
	}
	free(jobs);
	return true;
}

/* The same jobs, submitted more slowly. */
static void stretch(struct swf *t, double factor)
{
	int64_t first = first_submit(t);
	size_t i;

	for (i = 0; i < t->jobs; i++)
		t->job[i].submit =
			first +
			(int64_t)((double)(t->job[i].submit - first) * factor);
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
	f->absent = !lab_read(lab, trace_of[trace].name, &o, &t);
	if (!f->absent)
		stretch(&t, trace_of[trace].stretch);
	f->absent = f->absent || !take_loads(lab, f, &t);
	for (p = 0; !f->absent && p < POLICIES; p++)
		f->absent = !play_policy(lab, f, trace_of[trace].name, &t, p);
	swf_free(&t);
	f->played = !f->absent;
	return f->absent ? NULL : f;
}

static void close_figures(struct lab *lab)
{
	struct state *s = lab->state;
	int t, p, m;

	for (t = 0; t < TRACES; t++)
		for (p = 0; p < POLICIES; p++)
			for (m = 0; m < MONTHS; m++)
				free(s->of[t].of[p].user[m]);
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

/*
 * How many of the two orders have the first of two users before the second, if
 * it has used 5 of 10 and the other 80 of 100 processor-seconds.
 */
static bool orders_of_two(struct lab *lab, double *here)
{
	static const int32_t busy[] = { 5, 80 }, waiting[] = { 5, 20 };
	struct fair_relshare_config c = { 0 };
	static unsigned char memory[4096];
	struct fair_relshare r;
	int error = 0, by;
	uint32_t user;

	*here = 0;
	c.users = 2;
	c.jobs = 4;
	c.procs = 110;
	c.window = DAY;
	for (by = 0; !error && by < 2; by++) {
		c.difference = by;
		error = fair_relshare_init(&r, sizeof(r), memory,
					   sizeof(memory), &c);
		if (!error)
			error = fair_relshare_share(&r, 0, 1, 10);
		for (user = 0; !error && user < 2; user++) {
			error = fair_relshare_submit(&r, 0, user, user,
						     busy[user]);
			error |= fair_relshare_submit(&r, 0, 2 + user, user,
						      waiting[user]);
			error |= fair_relshare_start(&r, 0, user, 1);
		}
		for (user = 0; !error && user < 2; user++)
			error = fair_relshare_finish(&r, 1, user);
		*here += !error && fair_relshare_compare(&r, 0, 1, NULL) < 0;
	}
	return !error || lab_fail(lab, run_error("%s", fair_strerror(error)));
}

/* ---- claims ---- */

static double wait_ratio(const struct figures *f, int policy, int other)
{
	return f->of[policy].wait / f->of[other].wait;
}

static double slowdown_ratio(const struct figures *f, int policy, int other)
{
	return f->of[policy].slowdown / f->of[other].slowdown;
}

static double p99_ratio(const struct figures *f)
{
	return (double)f->of[D1].p99 / (double)f->of[EASY].p99;
}

/* Percent of the months in which the longest wait is longer than another's. */
static double months_longer(const struct figures *f, int policy, int other)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += f->of[policy].month[m].max_wait >
		     f->of[other].month[m].max_wait;
	return 100 * (double)n / (double)f->months;
}

/* The greatest mean over the least, of all windows. */
static double windows_ratio(const struct figures *f, bool slowdown)
{
	double least = NO_LIMIT, most = 0, its;
	int p;

	for (p = H4; p <= D7; p++) {
		its = slowdown ? f->of[p].slowdown : f->of[p].wait;
		least = fmin(least, its);
		most = fmax(most, its);
	}
	return most / least;
}

typedef bool has_fn(const struct user_month *under, const struct user_month *u);

/* Percent of the users of months for which @has, of those for which @among. */
static double users_with(const struct figures *f, int policy, int other,
			 has_fn *among, has_fn *has)
{
	size_t m, i, n = 0, all = 0;

	for (m = 0; m < f->months; m++)
		for (i = 0; i < f->users; i++) {
			const struct user_month *u = &f->of[policy].user[m][i];
			const struct user_month *v = &f->of[other].user[m][i];

			if (!among(v, u))
				continue;
			all++;
			n += has(v, u);
		}
	return all ? 100 * (double)n / (double)all : 0;
}

static bool has_jobs(const struct user_month *v, const struct user_month *u)
{
	return v->wait >= 0 && u->wait >= 0;
}

static bool is_entitled(const struct user_month *v, const struct user_month *u)
{
	(void)v;
	return u->entitled > 0;
}

static bool waits_otherwise(const struct user_month *v,
			    const struct user_month *u)
{
	return u->wait != v->wait;
}

static bool waits_less(const struct user_month *v, const struct user_month *u)
{
	return u->wait < v->wait;
}

static bool waits_more(const struct user_month *v, const struct user_month *u)
{
	return u->wait > v->wait;
}

static bool waits_10h_less(const struct user_month *v,
			   const struct user_month *u)
{
	return v->wait - u->wait > 36000;
}

static bool waits_10h_more(const struct user_month *v,
			   const struct user_month *u)
{
	return u->wait - v->wait > 36000;
}

static bool has_under_share(const struct user_month *v,
			    const struct user_month *u)
{
	(void)v;
	return u->dev < -50;
}

static bool has_over_share(const struct user_month *v,
			   const struct user_month *u)
{
	(void)v;
	return u->dev > 50;
}

/* Suffers, though its share was too small before [RS V-A]. */
static bool is_suffering(const struct user_month *v, const struct user_month *u)
{
	return has_jobs(v, u) && waits_10h_more(v, u) && v->dev < -50;
}

static bool has_less_share(const struct user_month *v,
			   const struct user_month *u)
{
	return u->dev < v->dev;
}

static bool has_backlog(const struct user_month *v, const struct user_month *u)
{
	return u->backlog > v->backlog;
}

static bool suffers_without_backlog(const struct user_month *v,
				    const struct user_month *u)
{
	return is_suffering(v, u) && !has_backlog(v, u);
}

/* On average over its jobs, which are the same. */
static bool waits_less_on_average(const struct user_month *v,
				  const struct user_month *u)
{
	return u->waits < v->waits;
}

static bool waits_for_a_wide_job(const struct user_month *v,
				 const struct user_month *u)
{
	(void)v;
	return u->longest_procs * u->jobs > u->procs;
}

static double benefit(const struct figures *f)
{
	return users_with(f, D1, EASY, has_jobs, waits_10h_less) -
	       users_with(f, D1, EASY, has_jobs, waits_10h_more);
}

/* Percent of the months for whose heaviest user it holds, by 7 days and 1. */
static double heaviest_with(const struct figures *f, has_fn *has)
{
	size_t m, i, n = 0;

	for (m = 0; m < f->months; m++) {
		i = heaviest(f, m);
		n += has(&f->of[D1].user[m][i], &f->of[D7].user[m][i]);
	}
	return 100 * (double)n / (double)f->months;
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
ON_ALL(otherwise, users_with(f, D1_DIFFERENCE, D1, has_jobs, waits_otherwise))
ON_ALL(used_only, wait_ratio(f, D1_USED, D1))
ON_ALL(longer, months_longer(f, D1, EASY))
ON_ALL(longer_lxf, months_longer(f, D1, LXF))
ON_ALL(p99, p99_ratio(f))
ON_ALL(slowdown, slowdown_ratio(f, D1, EASY))
ON_ALL(suffer, users_with(f, D1, EASY, is_suffering, has_less_share))
ON_ALL(backlog, users_with(f, D1, EASY, is_suffering, has_backlog))
ON_ALL(benefit, benefit(f))
ON_ALL(under, users_with(f, EASY, EASY, is_entitled, has_under_share) -
		      users_with(f, D1, D1, is_entitled, has_under_share))
ON_ALL(over, users_with(f, D1, D1, is_entitled, has_over_share))
ON_ALL(windows, windows_ratio(f, false))
ON_ALL(windows_slowdown, windows_ratio(f, true))
ON_ALL(heavy_wait, heaviest_with(f, waits_more))
ON_ALL(heavy_dev, heaviest_with(f, has_less_share))
ON_ALL(short_window, months_longer(f, D1, H4))
ON_ALL(long_window, months_longer(f, D7, D1))

/* Percent of the months in which a narrow job waits longest under @policy. */
static double narrow_months(const struct figures *f, int policy, int other)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += f->of[policy].narrow_longest[m] >
		     f->of[other].narrow_longest[m];
	return 100 * (double)n / (double)f->months;
}

MEASURE(ctc_73, CTC_73, wait_ratio(f, D1, EASY))
MEASURE(ctc_68, CTC_68, wait_ratio(f, D1, EASY))
MEASURE(lxf_ctc_wait, CTC, wait_ratio(f, LXF, EASY))
ON_ALL(lxf_slowdown, slowdown_ratio(f, LXF, EASY))
MEASURE(blue_lxf_easy, SDSC_BLUE, months_longer(f, LXF, EASY))
MEASURE(blue_lxf_narrow, SDSC_BLUE, narrow_months(f, D1, LXF))
MEASURE(blue_narrow_short, SDSC_BLUE, narrow_months(f, D1, H4))
MEASURE(blue_narrow_long, SDSC_BLUE, narrow_months(f, D7, D1))
MEASURE(kth_narrow_long, KTH, narrow_months(f, D7, D1))
MEASURE(sp2_narrow_p99, SDSC_SP2, (double)f->of[D1].narrow_p99 /
					  (double)f->of[EASY].narrow_p99)
MEASURE(sp2_light_p99, SDSC_SP2, (double)f->of[D1].light_p99 /
					 (double)f->of[EASY].light_p99)
MEASURE(ctc_sooner, CTC, users_with(f, D1, EASY, suffers_without_backlog,
				    waits_less_on_average))
MEASURE(ctc_wide, CTC, users_with(f, D1, EASY, suffers_without_backlog,
				  waits_for_a_wide_job))

#define NAME_KTH "KTH-SP2-1996-2"
#define NAME_CTC "CTC-SP2-1996-3.1-cln"
#define NAME_SP2 "SDSC-SP2-1998-4.2-cln"
#define NAME_BLUE "SDSC-BLUE-2000-4.2-cln"

static const struct experiment order_tests[] = {
	{ "The ratio of mean slowdowns of LXF-backfill, which knows no shares, "
	  "and FCFS-backfill", 0, 0.75, 2, "", NAME_KTH, false,
	  lxf_slowdown_kth },
	{ "The same", 0, 0.75, 2, "", NAME_CTC, true, lxf_slowdown_ctc },
	{ "The same", 0, 0.75, 2, "", NAME_SP2, true, lxf_slowdown_sp2 },
	{ "The same", 0, 0.75, 2, "", NAME_BLUE, true, lxf_slowdown_blue },
	{ "The ratio of mean waits of these two", 0, 0.75, 2, "", NAME_CTC,
	  true, lxf_ctc_wait },
	{ "That of RelShare(1d) and FCFS-backfill, submit times stretched to "
	  "73 % of demand", 0, 0.75, 2, "", NAME_CTC, true, ctc_73 },
	{ "Stretched to 68 %", 0, 0.75, 2, "", NAME_CTC, true, ctc_68 },
	{ 0 }
};

static const struct reason order_matters = {
	"**The order of the queue.** LXF-backfill knows no shares, and has half "
	"of easy's mean wait on CTC\nand a fifth to a half of its slowdown on "
	"all four; the paper finds both comparable at NCSA. In\nthese "
	"workloads any order that lets short jobs pass helps the averages, and "
	"a longer window lets\nmore of them pass. A fuller machine than NCSA's "
	"is not the cause: the ratio would return to 1 with\nsubmit times "
	"stretched.",
	NULL, order_tests
};

static const struct experiment equivalence_tests[] = {
	{ "Of the two orders, those that have first a user that has used 5 of "
	  "10, before another that has used 80 of 100", 1, 1, 0, "",
	  "the library's order", false, orders_of_two },
	{ 0 }
};

static const struct reason not_equivalent = {
	"**Not equivalent.** 10 - 5 < 100 - 80, but 10 / 5 > 100 / 80: by the "
	"difference a user with large\njobs, whose entitlement is large, comes "
	"first more often. `--share difference` orders so; the rows\n\"1 day, "
	"difference\" below have what follows.",
	NULL, equivalence_tests
};

static const struct experiment sp2_p99_tests[] = {
	{ "The ratio among the jobs of all users but the heaviest of each month",
	  0.75, 1.25, 2, "", NAME_SP2, true, sp2_light_p99 },
	{ "Were wide jobs the cause, it would be below 1.25 among the jobs of at "
	  "most half of the machine", 1.25, NO_LIMIT, 2, "", NAME_SP2, true,
	  sp2_narrow_p99 },
	{ 0 }
};

static const struct reason sp2_p99 = {
	"**SDSC-SP2.** It is the jobs of one user: the one that uses most in a "
	"month is over its share, so\nthat its jobs come last. Without it the "
	"ratio is as the paper says. Wide jobs are not the cause.\nWith whole "
	"traces in place of months apart the ratio was 4.88, and that of mean "
	"waits 1.65: such a\nuser carried a backlog from month to month, which "
	"a week of warm-up does not build up.",
	NULL, sp2_p99_tests
};

static const struct experiment ctc_backlog_tests[] = {
	{ "Those of them without a larger backlog whose jobs wait less on "
	  "average", 50, 100, 1, " %", NAME_CTC, true, ctc_sooner },
	{ "Whose longest wait is that of a job wider than their jobs are on "
	  "average", 50, 100, 1, " %", NAME_CTC, true, ctc_wide },
	{ 0 }
};

static const struct reason ctc_backlog = {
	"**CTC, backlog.** Those of these users that have no larger backlog "
	"wait 10 hours more for one job,\nmostly a wide one, while their other "
	"jobs start sooner: most of them wait less on average.",
	NULL, ctc_backlog_tests
};

static const struct experiment blue_lxf_tests[] = {
	{ "Months in which the maximum wait of LXF-backfill is worse than that "
	  "of FCFS-backfill", 75, 100, 0, " %", NAME_BLUE, true,
	  blue_lxf_easy },
	{ "Were wide jobs the cause: months without them in which RelShare(1d) "
	  "is worse than LXF-backfill", 0, 94, 0, " %", NAME_BLUE, true,
	  blue_lxf_narrow },
	{ 0 }
};

static const struct reason blue_lxf = {
	"**SDSC-BLUE, LXF.** LXF-backfill itself has high maximum waits there; "
	"in 2 of 33 months RelShare(1d)\nis better. Wide jobs are not the cause: "
	"without them it is better in more months.",
	NULL, blue_lxf_tests
};

static const struct experiment blue_windows_tests[] = {
	{ "Months without wide jobs in which the maximum is better with 4 hours "
	  "than with 1 day", 50, 100, 0, " %", NAME_BLUE, true,
	  blue_narrow_short },
	{ "In which it is worse with 7 days than with 1 day", 45, 100, 0, " %",
	  NAME_BLUE, true, blue_narrow_long },
	{ 0 }
};

static const struct reason blue_windows = {
	"**SDSC-BLUE, windows.** The longest waits are those of jobs of 1024 of "
	"1152 processors: in every\nwindow a user without usage in it takes over "
	"the reservation. Among the jobs of at most half of\nthe machine the "
	"maximum is as the paper says with 4 hours, and nearly so with 7 days.",
	NULL, blue_windows_tests
};

static const struct experiment kth_windows_tests[] = {
	{ "Months without wide jobs in which the maximum is worse with 7 days "
	  "than with 1 day", 50, 100, 0, " %", NAME_KTH, false,
	  kth_narrow_long },
	{ 0 }
};

static const struct reason kth_windows = {
	"**KTH, 7 days.** Wide jobs: among those of at most half of the machine "
	"the maximum is as the paper\nsays.",
	NULL, kth_windows_tests
};

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
	CLAIMS("II-A",
	       "the remaining share and the ratio are equivalent: longest "
	       "waits of a user in a month that differ",
	       "none", 0, 0, 1, " % of users", otherwise, &not_equivalent,
	       &not_equivalent, &not_equivalent, &not_equivalent),
	CLAIMS("IV", "mean wait of RelShare(1d) over that of FCFS-backfill",
	       "fairly comparable", 0.75, 1.25, 2, "", wait, NULL,
	       &order_matters, NULL, NULL),
	CLAIMS("IV",
	       "mean bounded slowdown of RelShare(1d) over that of "
	       "FCFS-backfill (figure 1a)",
	       "fairly comparable", 0.75, 1.25, 2, "", slowdown,
	       &order_matters, &order_matters, &order_matters, &order_matters),
	CLAIMS("IV", "mean wait without expected usage over that with it",
	       "fairly comparable", 0.75, 1.25, 2, "", used_only, NULL, NULL,
	       NULL, NULL),
	CLAIMS("IV", "months whose maximum wait is worse than FCFS-backfill's",
	       "each month", 100, 100, 0, " %", longer, NULL, NULL, NULL, NULL),
	CLAIMS("IV", "months whose maximum wait is worse than LXF-backfill's",
	       "each month", 100, 100, 0, " %", longer_lxf, NULL, NULL, NULL,
	       &blue_lxf),
	CLAIMS("IV", "99th percentile of wait over that of FCFS-backfill",
	       "similar", 0.75, 1.25, 2, "", p99, NULL, NULL, &sp2_p99, NULL),
	CLAIMS("V-A",
	       "users with an under-share who wait 10 hours more: those whose "
	       "under-share grows (table II)",
	       "some", 0.1, 100, 1, " % of those users", suffer, NULL, NULL,
	       NULL, NULL),
	CLAIMS("V-B",
	       "the same users: those with more waiting jobs when a day begins "
	       "(figure 2)",
	       "a large backlog", 50, 100, 1, " % of those users", backlog,
	       NULL, &ctc_backlog, NULL, NULL),
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
	       "minimal impact", 1, 1.25, 2, "", windows, NULL, &order_matters,
	       NULL, &order_matters),
	CLAIMS("VI",
	       "4 hours to 7 days: the highest mean bounded slowdown over the "
	       "lowest (figure 4)",
	       "not by much", 1, 1.25, 2, "", windows_slowdown, &order_matters,
	       &order_matters, &order_matters, &order_matters),
	CLAIMS("VI",
	       "months whose heaviest user waits longer with 7 days than with "
	       "1 day (table VI)",
	       "so", 50, 100, 0, " %", heavy_wait, NULL, NULL, NULL, NULL),
	CLAIMS("VI",
	       "months whose heaviest user gets less of its share with 7 days "
	       "than with 1 day (table VII)",
	       "so", 50, 100, 0, " %", heavy_dev, NULL, NULL, NULL, NULL),
	CLAIMS("VI",
	       "months whose maximum wait is better with 4 hours than "
	       "with 1 day",
	       "most months", 50, 100, 0, " %", short_window, NULL, NULL, NULL,
	       &blue_windows),
	CLAIMS("VI",
	       "months whose maximum wait is worse with 7 days than with "
	       "1 day",
	       "most months", 50, 100, 0, " %", long_window, &kth_windows, NULL,
	       NULL, &blue_windows),
};

/* ---- tables ---- */

static double median_of(const struct figures *f, int policy,
			double (*value)(const struct summary *))
{
	double x[MONTHS];
	size_t m;

	for (m = 0; m < f->months; m++)
		x[m] = value(&f->of[policy].month[m]);
	return median(x, f->months);
}

static double wait_of(const struct summary *s)
{
	return s->mean_wait / HOUR;
}

static double slowdown_of(const struct summary *s)
{
	return s->mean_bounded_slowdown;
}

static double longest_of(const struct summary *s)
{
	return (double)s->max_wait / HOUR;
}

static void print_policy(const struct figures *f, int policy)
{
	const struct played *p = &f->of[policy];

	printf("| %s | %.2f | %.1f | %.1f | %.1f |", policy_of[policy].name,
	       p->wait / HOUR, p->slowdown, (double)p->p99 / HOUR,
	       (double)p->longest / HOUR);
	printf(" %.2f | %.2f | %.2f | %.0f of %zu |\n",
	       median_of(f, policy, wait_of), median_of(f, policy, slowdown_of),
	       median_of(f, policy, longest_of),
	       months_longer(f, policy, EASY) * (double)f->months / 100,
	       f->months);
}

static void print_users(const struct figures *f, int policy)
{
	printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
	       policy_of[policy].name,
	       users_with(f, policy, EASY, has_jobs, waits_10h_less),
	       users_with(f, policy, EASY, has_jobs, waits_10h_more),
	       users_with(f, policy, EASY, has_jobs, waits_less),
	       users_with(f, policy, EASY, has_jobs, waits_more),
	       users_with(f, policy, policy, is_entitled, has_under_share),
	       users_with(f, policy, policy, is_entitled, has_over_share));
}

static void print_range(double *x, size_t n, int digits)
{
	double middle = median(x, n);

	printf(" %.*f (%.*f to %.*f) |", digits, middle, digits, x[0], digits,
	       x[n - 1]);
}

static void print_load(const struct figures *f, const char *name)
{
	double x[5][MONTHS];
	size_t m;

	for (m = 0; m < f->months; m++) {
		const struct month_load *l = &f->load[m];

		x[0][m] = l->demand;
		x[1][m] = (double)l->users;
		x[2][m] = (double)l->jobs;
		x[3][m] = l->median_jobs;
		x[4][m] = (double)l->most_jobs;
	}
	printf("| %s |", name);
	print_range(x[0], f->months, 0);
	print_range(x[1], f->months, 0);
	print_range(x[2], f->months, 0);
	print_range(x[3], f->months, 1);
	print_range(x[4], f->months, 0);
	putchar('\n');
}

static void print_trace(const struct figures *f, const char *name)
{
	int p;

	printf("\n%s: the jobs of all months, medians of the months, and "
	       "months whose maximum wait is above easy's\n\n"
	       "| policy | wait, h | slowdown | p99, h | max, h "
	       "| month: wait, h | slowdown | max, h | max > easy |\n"
	       "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
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

static void print_test(const struct figures *f, int trace)
{
	printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f %% | %.0f %% | "
	       "%.0f %% |\n",
	       trace_of[trace].name, trace_of[trace].stretch,
	       wait_ratio(f, D1, EASY), wait_ratio(f, LXF, EASY),
	       slowdown_ratio(f, LXF, EASY),
	       (double)f->of[D1].narrow_p99 / (double)f->of[EASY].narrow_p99,
	       narrow_months(f, D1, LXF), narrow_months(f, D1, H4),
	       narrow_months(f, D7, D1));
}

/* What would refute the reasons. */
static void print_tests(struct lab *lab)
{
	const struct figures *f;
	int t;

	printf("\nTests of the reasons: submit times stretched, the order LXF, "
	       "and the jobs of at most half of the machine\n\n"
	       "| trace | stretched | wait: 1 day / easy | lxf / easy | "
	       "slowdown: lxf / easy | narrow: p99, 1 day / easy | max: 1 day "
	       "> lxf | 1 day > 4 hours | 7 days > 1 day |\n"
	       "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
	for (t = 0; t < TRACES && (t == KTH || !lab->quick); t++) {
		f = figures_of(lab, t);
		if (f)
			print_test(f, t);
	}
}

static void tables(struct lab *lab)
{
	const struct figures *f;
	int t;

	printf("\nThe months of each trace, as in table I: median, least and "
	       "most\n\n| trace | demand, %% | users | jobs | jobs of the "
	       "median user | of the first |\n"
	       "|---|---:|---:|---:|---:|---:|\n");
	for (t = 0; t < CLAIMED && (t == KTH || !lab->quick); t++) {
		f = figures_of(lab, t);
		if (f)
			print_load(f, trace_of[t].name);
	}
	for (t = 0; t < CLAIMED && (t == KTH || !lab->quick); t++) {
		f = figures_of(lab, t);
		if (f)
			print_trace(f, trace_of[t].name);
	}
	print_tests(lab);
}

const struct paper reproduce_rs = {
	"rs",
	"relshare",
	"[RS] Impact of fair share and its configurable parameters",
	"The paper's trace, ten months of NCSA's IA-64 cluster, is not public; "
	"we use four others. As in\nthe paper, run times are known "
	"(`--estimates exact`) and shares are equal. Each\n"
	"month is simulated apart, as in the paper: the week before it warms "
	"the machine up, and jobs\ngo on to arrive until all of the month have "
	"started. A month is 30 days from the first submit;\na user of a month "
	"is one with an entitlement in it. The paper has plots for most of its "
	"claims:\n\"comparable\" and \"similar\" are taken as within a quarter.",
	claims,
	sizeof(claims) / sizeof(*claims),
	sizeof(struct state),
	tables,
	close_figures,
};
