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
#define ORIGINS 5 /* of months, 6 days apart */
#define SHORT 3600 /* seconds that a short job runs at most */

enum { KTH, CTC, SDSC_SP2, SDSC_BLUE, TRACES };
#define NAME_KTH "KTH-SP2-1996-2"
#define NAME_CTC "CTC-SP2-1996-3.1-cln"
#define NAME_SP2 "SDSC-SP2-1998-4.2-cln"
#define NAME_BLUE "SDSC-BLUE-2000-4.2-cln"

static const char *const trace_of[TRACES] = { NAME_KTH, NAME_CTC, NAME_SP2,
					      NAME_BLUE };

enum {
	EASY,
	LXF,
	EASY_4,
	LXF_4,
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
	{ "easy, 4 reservations", RULES_DEPTH,
	  { .order = FAIR_ORDER_FCFS, .depth = 4 } },
	{ "lxf, 4 reservations", RULES_DEPTH,
	  { .order = FAIR_ORDER_LXF, .depth = 4 } },
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
	double jobs, waits; /* their sum, seconds */
};

/* Of one policy on one trace, its months one after the other. */
struct played {
	struct summary month[MONTHS];
	struct user_month *user[MONTHS]; /* the trace's users */
	/* Of all jobs that are measured: */
	double wait, slowdown; /* means, seconds */
	int64_t p99, longest;
	double short_wait; /* mean of those that run for an hour at most */
};

/* Table I; hours of processors. */
struct month_load {
	size_t users, jobs, most_jobs;
	double demand; /* percent */
	double median_jobs;
};

struct figures {
	bool played, absent;
	int64_t first; /* where the first month begins */
	size_t months, users;
	struct month_load load[MONTHS];
	struct played of[POLICIES];
};

/* Percents of which a coin has a half: see MOST. */
enum most {
	BACKLOG,
	HEAVY_WAIT,
	HEAVY_DEV,
	HEAVY_SHORT,
	LIGHT_SHORT,
	LIGHT_LONG,
	SHORT_WINDOW,
	LONG_WINDOW,
	TWO_DAYS_USERS,
	TWO_DAYS,
	MOSTS
};

/* Over the origins of months. */
struct origins {
	bool found;
	double least[MOSTS], most[MOSTS];
};

struct state {
	struct figures of[TRACES];
	struct origins origins[TRACES];
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

static void close_cut(struct cut *cut)
{
	free(cut->number);
	free(cut->user);
	free(cut->t.job);
}

/* With room for all jobs and users of @t; then close_cut(), also if false. */
static bool open_cut(struct cut *cut, const struct swf *t)
{
	cut->t.job = malloc(t->jobs * sizeof(*cut->t.job));
	cut->user = malloc(t->users * sizeof(*cut->user));
	cut->number = malloc(t->users * sizeof(*cut->number));
	return cut->t.job && cut->user && cut->number;
}

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
	}
	free(row);
	return true;
}

enum { ALL, SHORT_JOBS, KINDS }; /* of jobs */

struct waits {
	double *of;
	size_t n;
};

static void add_wait(struct waits *w, int64_t wait)
{
	w->of[w->n++] = (double)wait;
}

static double mean_of(const struct waits *w)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < w->n; i++)
		sum += w->of[i];
	return sum / (double)w->n;
}

static int64_t percentile_99(struct waits *w)
{
	qsort(w->of, w->n, sizeof(*w->of), ascending);
	return (int64_t)w->of[(99 * w->n + 99) / 100 - 1];
}

static void take_waits(struct played *p, struct waits w[KINDS],
		       const struct report *r)
{
	const struct swf *month = r->trace;
	size_t i;

	for (i = 0; i < month->jobs; i++) {
		const struct swf_job *j = &month->job[i];
		int64_t its = r->result[i].start - j->submit;

		if (!swf_measures(month, j->submit))
			continue;
		p->slowdown += bounded_slowdown(its, j->run, month->threshold);
		add_wait(&w[ALL], its);
		if (j->run <= SHORT)
			add_wait(&w[SHORT_JOBS], its);
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
	int64_t from = f->first;
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
			take_waits(p, w, &r);
		}
		users_close(&u);
		report_free(&r);
	}
	if (!good)
		return false;
	p->wait = mean_of(&w[ALL]);
	p->short_wait = mean_of(&w[SHORT_JOBS]);
	p->slowdown /= (double)w[ALL].n;
	p->p99 = percentile_99(&w[ALL]);
	p->longest = (int64_t)w[ALL].of[w[ALL].n - 1];
	return true;
}

static bool play_policy(struct lab *lab, struct figures *f, const char *name,
			const struct swf *t, int policy)
{
	struct waits w[KINDS] = { { NULL, 0 } };
	struct cut cut = { 0 };
	bool good = true;
	int k;

	good = open_cut(&cut, t);
	for (k = 0; k < KINDS; k++) {
		w[k].of = malloc(t->jobs * sizeof(*w[k].of));
		good = good && w[k].of;
	}
	good = good ? play_months(lab, f, name, t, policy, &cut, w)
		       : out_of_memory(lab);
	close_cut(&cut);
	for (k = 0; k < KINDS; k++)
		free(w[k].of);
	return good;
}

/* Table I, and how many months there are. */
static bool take_loads(struct lab *lab, struct figures *f, const struct swf *t)
{
	double *jobs = calloc(t->users, sizeof(*jobs));
	int64_t from, last = INT64_MIN;
	size_t i, m, n;

	if (!jobs)
		return out_of_memory(lab);
	for (i = 0; i < t->jobs; i++)
		if (t->job[i].submit > last)
			last = t->job[i].submit;
	f->users = t->users;
	f->months = (size_t)((last - f->first) / MONTH) + 1;
	if (f->months > MONTHS)
		f->months = MONTHS;
	for (m = 0, from = f->first; m < f->months; m++, from += MONTH) {
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

static bool read_trace(struct lab *lab, int trace, struct swf *t)
{
	struct swf_options o = { 0 };

	o.exact = true;
	o.threshold = 60; /* [RS IV]: shorter jobs count as one minute */
	return lab_read(lab, trace_of[trace], &o, t);
}

static const struct figures *figures_of(struct lab *lab, int trace)
{
	struct figures *f = &((struct state *)lab->state)->of[trace];
	struct swf t = { 0 };
	int p;

	if (f->absent)
		return NULL;
	if (f->played)
		return f;
	f->absent = !read_trace(lab, trace, &t);
	if (!f->absent)
		f->first = first_submit(&t);
	f->absent = f->absent || !take_loads(lab, f, &t);
	for (p = 0; !f->absent && p < POLICIES; p++)
		f->absent = !play_policy(lab, f, trace_of[trace], &t, p);
	swf_free(&t);
	f->played = !f->absent;
	return f->absent ? NULL : f;
}

static void free_figures(struct figures *f)
{
	int p, m;

	for (p = 0; p < POLICIES; p++)
		for (m = 0; m < MONTHS; m++)
			free(f->of[p].user[m]);
}

static void close_figures(struct lab *lab)
{
	struct state *s = lab->state;
	int t;

	for (t = 0; t < TRACES; t++)
		free_figures(&s->of[t]);
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

/* ---- months ---- */

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

static double p99_of(const struct summary *s)
{
	return (double)s->p99_wait / HOUR;
}

static double percent(size_t n, size_t all)
{
	return 100 * (double)n / (double)all;
}

typedef double value_fn(const struct summary *s);

static double value_of(const struct figures *f, int policy, size_t m,
		       value_fn *value)
{
	return value(&f->of[policy].month[m]);
}

static bool is_comparable(double value, double other)
{
	return value >= (1 - COMPARABLE) * other &&
	       value <= (1 + COMPARABLE) * other;
}

/* Percent of the months in which a value is comparable with another's. */
static double comparable(const struct figures *f, int policy, int other,
			 value_fn *value)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += is_comparable(value_of(f, policy, m, value),
				   value_of(f, other, m, value));
	return percent(n, f->months);
}

/* In which it is under all four policies of [RS IV]. */
static double all_comparable(const struct figures *f, value_fn *value)
{
	size_t m, n = 0;
	double easy;

	for (m = 0; m < f->months; m++) {
		easy = value_of(f, EASY, m, value);
		n += is_comparable(value_of(f, LXF, m, value), easy) &&
		     is_comparable(value_of(f, D1, m, value), easy) &&
		     is_comparable(value_of(f, D1_USED, m, value), easy);
	}
	return percent(n, f->months);
}

/*
 * Of the months in which RelShare(1d) is not comparable with FCFS-backfill, the
 * percent in which LXF-backfill is not, either, to the same side.
 */
static double like_lxf(const struct figures *f, value_fn *value)
{
	size_t m, n = 0, all = 0;
	double easy, its, lxf;

	for (m = 0; m < f->months; m++) {
		easy = value_of(f, EASY, m, value);
		its = value_of(f, D1, m, value);
		lxf = value_of(f, LXF, m, value);
		if (is_comparable(its, easy))
			continue;
		all++;
		n += !is_comparable(lxf, easy) && (lxf < easy) == (its < easy);
	}
	return all ? percent(n, all) : 100;
}

/* In which the highest value of all windows is comparable with the lowest. */
static double close_windows(const struct figures *f, value_fn *value)
{
	double least, most, its;
	size_t m, n = 0;
	int p;

	for (m = 0; m < f->months; m++) {
		least = most = value_of(f, H4, m, value);
		for (p = H12; p <= D7; p++) {
			its = value_of(f, p, m, value);
			least = fmin(least, its);
			most = fmax(most, its);
		}
		n += most <= (1 + COMPARABLE) * least;
	}
	return percent(n, f->months);
}

/* Percent of the months in which the longest wait is longer than another's. */
static double months_longer(const struct figures *f, int policy, int other)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += f->of[policy].month[m].max_wait >
		     f->of[other].month[m].max_wait;
	return percent(n, f->months);
}

/* Of those in which RelShare(1d)'s is no longer than LXF-backfill's, those in
 * which the latter is longer than FCFS-backfill's. */
static double lxf_is_long(const struct figures *f)
{
	size_t m, n = 0, all = 0;
	int64_t lxf;

	for (m = 0; m < f->months; m++) {
		lxf = f->of[LXF].month[m].max_wait;
		if (f->of[D1].month[m].max_wait > lxf)
			continue;
		all++;
		n += lxf > f->of[EASY].month[m].max_wait;
	}
	return all ? percent(n, all) : 100;
}

/* In which two days change it less than seven do. */
static double two_days(const struct figures *f)
{
	double day, two, seven;
	size_t m, n = 0;

	for (m = 0; m < f->months; m++) {
		day = value_of(f, D1, m, longest_of);
		two = value_of(f, D2, m, longest_of);
		seven = value_of(f, D7, m, longest_of);
		n += fabs(two - day) < fabs(seven - day);
	}
	return percent(n, f->months);
}

/* ---- users of months ---- */

typedef bool has_fn(const struct user_month *under, const struct user_month *u);

/* How many users of a month, by number. */
static size_t users_of_month(const struct figures *f, size_t m, int policy,
			     int other, has_fn *among, has_fn *has)
{
	size_t i, n = 0;

	for (i = 0; i < f->users; i++) {
		const struct user_month *u = &f->of[policy].user[m][i];
		const struct user_month *v = &f->of[other].user[m][i];

		n += among(v, u) && has(v, u);
	}
	return n;
}

/* Of all months; @all of them: those for which @among. */
static size_t count_users(const struct figures *f, int policy, int other,
			  has_fn *among, has_fn *has, size_t *all)
{
	size_t m, n = 0;

	for (*all = m = 0; m < f->months; m++) {
		*all += users_of_month(f, m, policy, other, among, among);
		n += users_of_month(f, m, policy, other, among, has);
	}
	return n;
}

static double users_with(const struct figures *f, int policy, int other,
			 has_fn *among, has_fn *has)
{
	size_t all, n = count_users(f, policy, other, among, has, &all);

	return all ? percent(n, all) : 0;
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

/* Months in which as many users benefit as suffer, comparably [RS V-C]. */
static double as_many_benefit(const struct figures *f)
{
	size_t m, less, more, n = 0;

	for (m = 0; m < f->months; m++) {
		less = users_of_month(f, m, D1, EASY, has_jobs, waits_10h_less);
		more = users_of_month(f, m, D1, EASY, has_jobs, waits_10h_more);
		n += (double)less >= (1 - COMPARABLE) * (double)more;
	}
	return percent(n, f->months);
}

/* In which no more users have an under-share than under FCFS-backfill. */
static double fewer_under_shares(const struct figures *f)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += users_of_month(f, m, D1, D1, is_entitled,
				    has_under_share) <=
		     users_of_month(f, m, EASY, EASY, is_entitled,
				    has_under_share);
	return percent(n, f->months);
}

/* In which at most a tenth of the users has an over-share. */
static double few_over_shares(const struct figures *f)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += 10 * users_of_month(f, m, D1, D1, is_entitled,
					 has_over_share) <=
		     users_of_month(f, m, D1, D1, is_entitled, is_entitled);
	return percent(n, f->months);
}

/* The mean wait of the users of a month that used less than its median user
 * under easy, seconds. */
static double light_wait(const struct figures *f, size_t m, int policy)
{
	const struct user_month *u = f->of[policy].user[m];
	const struct user_month *easy = f->of[EASY].user[m];
	double *used = malloc(f->users * sizeof(*used));
	double jobs = 0, waits = 0, middle;
	size_t i, n = 0;

	for (i = 0; used && i < f->users; i++)
		if (easy[i].wait >= 0)
			used[n++] = easy[i].used;
	middle = used ? median(used, n) : 0;
	free(used);
	for (i = 0; i < f->users; i++) {
		if (easy[i].wait < 0 || easy[i].used >= middle)
			continue;
		jobs += u[i].jobs;
		waits += u[i].waits;
	}
	return jobs > 0 ? waits / jobs : 0;
}

static double light_longer(const struct figures *f, int policy, int other)
{
	size_t m, n = 0;

	for (m = 0; m < f->months; m++)
		n += light_wait(f, m, policy) > light_wait(f, m, other);
	return percent(n, f->months);
}

/* Percent of the months for whose heaviest user it holds under @policy. */
static double heaviest_with(const struct figures *f, int policy, has_fn *has)
{
	size_t m, i, n = 0;

	for (m = 0; m < f->months; m++) {
		i = heaviest(f, m);
		n += has(&f->of[D1].user[m][i], &f->of[policy].user[m][i]);
	}
	return percent(n, f->months);
}

/* ---- what a coin would have in half ---- */

/*
 * All users who suffer and have an under-share under RelShare(1d), and how many
 * of these have a shorter longest wait with two days [RS VI].
 */
static size_t count_gainers(const struct figures *f, size_t *all)
{
	size_t m, i, n = 0;

	for (*all = m = 0; m < f->months; m++)
		for (i = 0; i < f->users; i++) {
			const struct user_month *u = &f->of[D1].user[m][i];

			if (!is_suffering(&f->of[EASY].user[m][i], u) ||
			    u->dev >= -50)
				continue;
			++*all;
			n += f->of[D2].user[m][i].wait < u->wait;
		}
	return n;
}

static double most_of(const struct figures *f, enum most which, size_t *coins)
{
	size_t n;

	*coins = f->months;
	switch (which) {
	case HEAVY_WAIT:
		return heaviest_with(f, D7, waits_more);
	case HEAVY_DEV:
		return heaviest_with(f, D7, has_less_share);
	case HEAVY_SHORT:
		return heaviest_with(f, H4, waits_less);
	case LIGHT_SHORT:
		return light_longer(f, H4, D1);
	case LIGHT_LONG:
		return light_longer(f, D1, D7);
	case SHORT_WINDOW:
		return months_longer(f, D1, H4);
	case LONG_WINDOW:
		return months_longer(f, D7, D1);
	case TWO_DAYS:
		return two_days(f);
	case TWO_DAYS_USERS:
		n = count_gainers(f, coins);
		break;
	default:
		n = count_users(f, D1, EASY, is_suffering, has_backlog, coins);
	}
	return *coins ? percent(n, *coins) : 0;
}

struct origin_run {
	struct lab *lab;
	const struct swf *t;
	int trace;
};

/* Months that begin 6, 12, 18 and 24 days later, too. */
static bool play_origins(void *ctx, double *value)
{
	static const int needed[] = { EASY, H4, D1, D2, D7 };
	struct origin_run *run = ctx;
	struct figures *f;
	bool good = true;
	size_t origin, i, coins;
	double its;

	for (i = 0; i < MOSTS; i++)
		value[i] = value[MOSTS + i] =
			most_of(figures_of(run->lab, run->trace),
				(enum most)i, &coins);
	for (origin = 1; good && origin < ORIGINS; origin++) {
		f = calloc(1, sizeof(*f));
		if (!f)
			return out_of_memory(run->lab);
		f->first = first_submit(run->t) + (int64_t)origin * 6 * DAY;
		good = take_loads(run->lab, f, run->t);
		for (i = 0; good && i < sizeof(needed) / sizeof(*needed); i++)
			good = play_policy(run->lab, f,
					   trace_of[run->trace], run->t,
					   needed[i]);
		for (i = 0; good && i < MOSTS; i++) {
			its = most_of(f, (enum most)i, &coins);
			value[i] = fmin(value[i], its);
			value[MOSTS + i] = fmax(value[MOSTS + i], its);
		}
		free_figures(f);
		free(f);
	}
	return good;
}

static const struct origins *origins_of(struct lab *lab, int trace)
{
	struct origins *o = &((struct state *)lab->state)->origins[trace];
	struct swf t = { 0 };
	struct origin_run run = { lab, &t, trace };
	double value[2 * MOSTS];
	char name[64];

	if (o->found || !figures_of(lab, trace) || !read_trace(lab, trace, &t))
		return o->found ? o : NULL;
	snprintf(name, sizeof(name), "rs origins %s", trace_of[trace]);
	o->found = lab_stored(lab, name, &t, value, 2 * MOSTS, play_origins,
			      &run);
	memcpy(o->least, value, sizeof(o->least));
	memcpy(o->most, value + MOSTS, sizeof(o->most));
	swf_free(&t);
	return o->found ? o : NULL;
}

static bool measure_most(struct lab *lab, int trace, enum most which,
			 double *here)
{
	const struct figures *f = figures_of(lab, trace);
	const struct origins *o = f ? origins_of(lab, trace) : NULL;

	if (!o)
		return false;
	*here = most_of(f, which, &lab->coins);
	lab->least = o->least[which];
	lab->most = o->most[which];
	return true;
}

/* ---- a user who spreads the jobs of a month ---- */

/*
 * The longest wait of a user's jobs of a month, if they come twice as far apart.
 * @user is the number in the whole trace; the jobs of others go on to arrive for
 * two months.
 */
static bool spread_wait(struct lab *lab, const struct figures *f,
			const struct swf *t, struct cut *cut, size_t m,
			size_t user, int64_t *longest)
{
	int64_t from = f->first + (int64_t)m * MONTH, wait;
	struct swf *month = &cut->t;
	struct report r = { 0 };
	int64_t *was;
	size_t i, own;
	bool good;

	cut_month(cut, t, from, 2 * MONTH);
	own = cut->number[user];
	was = malloc(month->jobs * sizeof(*was));
	if (!was)
		return out_of_memory(lab);
	for (i = 0; i < month->jobs; i++)
		was[i] = month->job[i].submit;
	for (i = 0; month->job[i].user != own; i++)
		;
	good = !swf_spread(month, month->job[i].user_id, 2) ||
	       lab_fail(lab, run_error("%s", month->error));
	good = good && lab_run(lab, "spread", month, RULES_RELSHARE,
			       &policy_of[D1].rules, NULL, NULL, &r);
	for (*longest = -1, i = 0; good && i < month->jobs; i++) {
		wait = r.result[i].start - month->job[i].submit;
		if (month->job[i].user == own && swf_measures(month, was[i]) &&
		    wait > *longest)
			*longest = wait;
	}
	free(was);
	report_free(&r);
	return good;
}

/*
 * The user of a month whose longest wait grows most from FCFS-backfill to
 * RelShare(1d), of those who had an under-share; f->users: there is none.
 */
static size_t worst_sufferer(const struct figures *f, size_t m)
{
	size_t i, worst = f->users;
	int64_t most = 0, more;

	for (i = 0; i < f->users; i++) {
		const struct user_month *v = &f->of[EASY].user[m][i];
		const struct user_month *u = &f->of[D1].user[m][i];

		more = u->wait - v->wait;
		if (is_suffering(v, u) && more > most) {
			most = more;
			worst = i;
		}
	}
	return worst;
}

/* Percent of the worst sufferers of the months whose longest wait falls. */
static bool spread_jobs(struct lab *lab, int trace, double *here)
{
	const struct figures *f = figures_of(lab, trace);
	size_t m, user, n = 0, all = 0;
	struct cut cut = { 0 };
	struct swf t = { 0 };
	bool good = f && read_trace(lab, trace, &t);
	int64_t longest = 0;

	good = good && (open_cut(&cut, &t) || out_of_memory(lab));
	for (m = 0; good && m < f->months; m++) {
		user = worst_sufferer(f, m);
		if (user == f->users)
			continue;
		good = spread_wait(lab, f, &t, &cut, m, user, &longest);
		n += longest < f->of[D1].user[m][user].wait;
		all++;
	}
	close_cut(&cut);
	swf_free(&t);
	lab->coins = all;
	*here = all ? percent(n, all) : 0;
	return good;
}

/* ---- measures ---- */

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
#define CALL(name, call)                                \
	static bool name(struct lab *lab, double *here) \
	{                                               \
		return call;                            \
	}
#define MOST_OF(name, which)                                              \
	CALL(name##_kth, measure_most(lab, KTH, which, here))             \
	CALL(name##_ctc, measure_most(lab, CTC, which, here))             \
	CALL(name##_sp2, measure_most(lab, SDSC_SP2, which, here))        \
	CALL(name##_blue, measure_most(lab, SDSC_BLUE, which, here))

ON_ALL(otherwise, users_with(f, D1_DIFFERENCE, D1, has_jobs, waits_otherwise))
ON_ALL(easy_4, wait_ratio(f, EASY_4, EASY))
ON_ALL(lxf_4, wait_ratio(f, LXF_4, LXF))
ON_ALL(wait, comparable(f, D1, EASY, wait_of))
ON_ALL(slowdown, comparable(f, D1, EASY, slowdown_of))
ON_ALL(all_wait, all_comparable(f, wait_of))
ON_ALL(all_slowdown, all_comparable(f, slowdown_of))
ON_ALL(used_only, comparable(f, D1_USED, D1, wait_of))
ON_ALL(used_longest, comparable(f, D1_USED, D1, longest_of))
ON_ALL(used_longer, months_longer(f, D1_USED, EASY))
ON_ALL(longer, months_longer(f, D1, EASY))
ON_ALL(longer_lxf, months_longer(f, D1, LXF))
ON_ALL(p99, comparable(f, D1, EASY, p99_of))
ON_ALL(suffer, users_with(f, D1, EASY, is_suffering, has_less_share))
MOST_OF(backlog, BACKLOG)
CALL(spread_kth, spread_jobs(lab, KTH, here))
CALL(spread_ctc, spread_jobs(lab, CTC, here))
CALL(spread_sp2, spread_jobs(lab, SDSC_SP2, here))
CALL(spread_blue, spread_jobs(lab, SDSC_BLUE, here))
ON_ALL(benefit, as_many_benefit(f))
ON_ALL(under, fewer_under_shares(f))
ON_ALL(over, few_over_shares(f))
ON_ALL(windows, close_windows(f, wait_of))
ON_ALL(windows_slowdown, close_windows(f, slowdown_of))
MOST_OF(heavy_wait, HEAVY_WAIT)
MOST_OF(heavy_dev, HEAVY_DEV)
MOST_OF(heavy_short, HEAVY_SHORT)
MOST_OF(light_short, LIGHT_SHORT)
MOST_OF(light_long, LIGHT_LONG)
MOST_OF(short_window, SHORT_WINDOW)
MOST_OF(long_window, LONG_WINDOW)
MOST_OF(two_days_users, TWO_DAYS_USERS)
MOST_OF(two_days, TWO_DAYS)

/* What would refute reasons. */
MEASURE(lxf_wait_ctc, CTC, like_lxf(f, wait_of))
MEASURE(lxf_wait_blue, SDSC_BLUE, like_lxf(f, wait_of))
ON_ALL(lxf_slowdown, like_lxf(f, slowdown_of))
ON_ALL(short_falls, f->of[D7].short_wait / f->of[H4].short_wait)
MEASURE(blue_lxf_long, SDSC_BLUE, lxf_is_long(f))

/* One experiment on four traces. */
#define TESTS(text, as, name)                                    \
	{ text, as, NAME_KTH, false, name##_kth },                \
	{ "The same", as, NAME_CTC, true, name##_ctc },           \
	{ "The same", as, NAME_SP2, true, name##_sp2 },           \
	{ "The same", as, NAME_BLUE, true, name##_blue }
#define MONTHS_IN(range) range, 0, " % of months"
#define USERS_IN(range) range, 1, " % of those users"
#define CASES_IN(range) range, 0, " %"
#define RATIO_IN(range) range, 2, ""
#define NO_USERS 0, 0, 1, " % of users"
#define AT_MOST(n) -NO_LIMIT, n
#define AT_LEAST(n) n, NO_LIMIT

static const struct experiment wait_order_tests[] = {
	{ "Of the months whose mean wait is not comparable, those in which "
	  "LXF-backfill's is not, either, to the same side",
	  MONTHS_IN(EACH_BUT_TWO), NAME_CTC, true, lxf_wait_ctc },
	{ "The same", MONTHS_IN(EACH_BUT_TWO), NAME_BLUE, true, lxf_wait_blue },
	{ 0 }
};

static const struct reason wait_order = {
	"**The order of the queue, waits.** LXF-backfill knows no shares, and "
	"its mean wait leaves that of\nFCFS-backfill in the same months to the "
	"same side: any order that lets short jobs pass helps\nthe averages of "
	"CTC and SDSC-BLUE. On KTH (75 %) and SDSC-SP2 (78 %) that is so in "
	"fewer than four\nof five such months, which refutes it there.",
	NULL, wait_order_tests
};

static const struct experiment slowdown_order_tests[] = {
	TESTS("Of the months whose mean bounded slowdown is not comparable, "
	      "those in which LXF-backfill's is not, either, to the same side",
	      MONTHS_IN(EACH_BUT_TWO), lxf_slowdown),
	{ 0 }
};

static const struct reason slowdown_order = {
	"**The order of the queue, slowdowns.** On all four logs the same holds "
	"for slowdowns.",
	NULL, slowdown_order_tests
};

static const struct experiment windows_tests[] = {
	TESTS("Mean wait of jobs of an hour at most, with 7 days over that with "
	      "4 hours",
	      RATIO_IN(AT_MOST(0.85)), short_falls),
	{ 0 }
};

static const struct reason windows_pass = {
	"**Windows.** Each new window puts the users of many short jobs and "
	"those of large ones on a level\nagain. In a longer one usage tells them "
	"apart for longer, and more short jobs pass: their mean wait\nfalls "
	"from 4 hours to 7 days on all four logs, and with it the averages.",
	NULL, windows_tests
};

static const struct reason by_month = {
	"**Months that are not as the paper says.** We know how many there are, "
	"and not why: the paper's log\nwould tell whether its jobs are the "
	"cause.",
	"the months of the paper's log, which is not public, if they differ, too.", NULL
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

static const struct experiment blue_lxf_tests[] = {
	{ "Of the months in which RelShare(1d)'s longest wait is no longer, "
	  "those in which LXF-backfill's is longer than FCFS-backfill's", EACH,
	  0, " %", NAME_BLUE, true, blue_lxf_long },
	{ 0 }
};

static const struct reason blue_lxf = {
	"**SDSC-BLUE, LXF.** LXF-backfill itself has high maximum waits there: "
	"also in the 2 of 33 months in\nwhich RelShare(1d) is better.",
	NULL, blue_lxf_tests
};

/* One claim on four traces: what agrees, and where it differs. */
#define CLAIMS(section, text, number, as, name, kth, ctc, sp2, blue)           \
	{ section, text, number, as, NAME_KTH, false, name##_kth, kth },       \
	{ section, text, number, as, NAME_CTC, true, name##_ctc, ctc },        \
	{ section, text, number, as, NAME_SP2, true, name##_sp2, sp2 },        \
	{ section, text, number, as, NAME_BLUE, true, name##_blue, blue }

static const struct claim claims[] = {
	{ "III-C", "a user is entitled to 10 nodes for 20 minutes and to 15 "
	  "for 40: so many node-hours",
	  "13.3", 13.25, 13.35, 2, " node-hours", "its example", false,
	  entitled_share, NULL },
	CLAIMS("II-A",
	       "the remaining share and the ratio are equivalent, so that no "
	       "user's longest wait of a month differs between them",
	       "none", NO_USERS, otherwise, &not_equivalent,
	       &not_equivalent, &not_equivalent, &not_equivalent),
	CLAIMS("III-B",
	       "reservations for four jobs in place of one do not help: "
	       "FCFS-backfill's mean wait keeps at least 0.95 of itself",
	       "no benefit", RATIO_IN(AT_LEAST(0.95)), easy_4, NULL, NULL, NULL,
	       NULL),
	CLAIMS("III-B",
	       "reservations for four jobs in place of one do not help: "
	       "LXF-backfill's mean wait keeps at least 0.95 of itself",
	       "no benefit", RATIO_IN(AT_LEAST(0.95)), lxf_4, NULL, NULL, NULL,
	       NULL),
	CLAIMS("IV",
	       "the mean wait of RelShare(1d) is comparable with that of "
	       "FCFS-backfill each month, with two exceptions (figure 1b)",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), wait,
	       &by_month, &wait_order, &by_month, &wait_order),
	CLAIMS("IV",
	       "the mean bounded slowdown of RelShare(1d) is comparable "
	       "with that of FCFS-backfill each month, with two exceptions "
	       "(figure 1a)",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), slowdown,
	       &slowdown_order, &slowdown_order, &slowdown_order,
	       &slowdown_order),
	CLAIMS("IV",
	       "the mean waits of all four policies are comparable with "
	       "FCFS-backfill's each month, with two exceptions",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), all_wait,
	       &by_month, &by_month, &by_month, &by_month),
	CLAIMS("IV",
	       "the mean bounded slowdowns of all four policies are "
	       "comparable with FCFS-backfill's each month, with two "
	       "exceptions",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), all_slowdown,
	       &by_month, &by_month, &by_month, &by_month),
	CLAIMS("IV",
	       "without expected usage RelShare(1d) has a comparable mean "
	       "wait each month",
	       "each month", MONTHS_IN(EACH), used_only,
	       NULL, &by_month, NULL, &by_month),
	CLAIMS("IV",
	       "without expected usage RelShare(1d) has a comparable "
	       "maximum wait each month (figure 1c)",
	       "each month", MONTHS_IN(EACH), used_longest,
	       &by_month, &by_month, &by_month, &by_month),
	CLAIMS("IV",
	       "expected usage is not the cause of poor maximum waits: "
	       "without it RelShare(1d)'s are still worse than "
	       "FCFS-backfill's",
	       "each month", MONTHS_IN(EACH), used_longer,
	       NULL, NULL, NULL, &by_month),
	CLAIMS("IV",
	       "RelShare(1d) has a worse maximum wait than FCFS-backfill "
	       "each month",
	       "each month", MONTHS_IN(EACH), longer, NULL, NULL, NULL, NULL),
	CLAIMS("IV",
	       "RelShare(1d) has a worse maximum wait than LXF-backfill "
	       "each month",
	       "each month", MONTHS_IN(EACH), longer_lxf, NULL, NULL, NULL,
	       &blue_lxf),
	CLAIMS("IV",
	       "the 99th percentile of RelShare(1d)'s waits is similar to "
	       "FCFS-backfill's each month, with two exceptions (figure "
	       "1d)",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), p99,
	       &by_month, &by_month, &by_month, &by_month),
	CLAIMS("V-A",
	       "some users who had an under-share and wait 10 hours more "
	       "under RelShare(1d) have a larger under-share there (table "
	       "II)",
	       "some", USERS_IN(AT_LEAST(0.1)), suffer, NULL,
	       NULL, NULL, NULL),
	CLAIMS("V-B",
	       "most users who had an under-share and wait 10 hours more "
	       "under RelShare(1d) have a larger backlog when a day begins "
	       "(figure 2)",
	       "a large backlog", CASES_IN(MOST), backlog,
	       &by_chance, &by_chance, &by_chance, &by_chance),
	CLAIMS("V-C",
	       "users with mixed jobs gain by spreading them out: the one who "
	       "suffers most in a month has a shorter longest wait if the jobs "
	       "come twice as far apart (`--spread USER:2`)",
	       "should spread", CASES_IN(MOST), spread,
	       NULL, &by_chance, NULL, NULL),
	CLAIMS("V-C",
	       "under RelShare(1d) at least three quarters as many users "
	       "wait 10 hours less as wait 10 hours more, with two "
	       "exceptions (table III)",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), benefit,
	       &by_month, NULL, NULL, NULL),
	CLAIMS("V-D",
	       "under RelShare(1d) no more users have an under-share of 50 "
	       "node-hours than under FCFS-backfill (table V)",
	       "each month", MONTHS_IN(EACH), under,
	       &by_month, NULL, NULL, &by_month),
	CLAIMS("V-D",
	       "under RelShare(1d) at most 10 % of users have an "
	       "over-share of 50 node-hours: the paper says each month, "
	       "its own table V has 13.2 % in 7/03 and 10.0 % in 3/04",
	       "8 of 10", MONTHS_IN(EACH_BUT_TWO), over,
	       NULL, NULL, &by_month, &by_month),
	CLAIMS("VI",
	       "windows from 4 hours to 7 days keep the mean wait of a month "
	       "within a quarter of the shortest",
	       "each month", MONTHS_IN(EACH), windows,
	       &windows_pass, &windows_pass, &windows_pass, &windows_pass),
	CLAIMS("VI",
	       "windows from 4 hours to 7 days keep the mean bounded "
	       "slowdown of a month within a quarter of the lowest, with "
	       "one exception (figure 4)",
	       "9 of 10", MONTHS_IN(EACH_BUT_ONE), windows_slowdown,
	       &windows_pass, &windows_pass, &windows_pass, &windows_pass),
	CLAIMS("VI",
	       "the heaviest user of a month waits longer with 7 days than "
	       "with 1 day (table VI)",
	       "longer", CASES_IN(MOST), heavy_wait,
	       &by_chance, &by_chance, &by_chance, &by_chance),
	CLAIMS("VI",
	       "the heaviest user gets less of its share with 7 days than "
	       "with 1 day (table VII)",
	       "less", CASES_IN(MOST), heavy_dev,
	       &by_chance, NULL, NULL, NULL),
	CLAIMS("VI",
	       "the heaviest user waits less with 4 hours than with 1 day",
	       "tends to improve", CASES_IN(MOST), heavy_short,
	       &by_chance, &by_chance, NULL, &by_chance),
	CLAIMS("VI",
	       "light users, who use less than the median user, lose with "
	       "4 hours: their mean wait is longer than with 1 day",
	       "tends to degrade", CASES_IN(MOST), light_short,
	       &by_chance, &by_chance, NULL, NULL),
	CLAIMS("VI",
	       "light users gain with 7 days: their mean wait is shorter "
	       "than with 1 day",
	       "tends to improve", CASES_IN(MOST), light_long,
	       &by_chance, NULL, NULL, NULL),
	CLAIMS("VI", "the maximum wait is better with 4 hours than with 1 day",
	       "most months", CASES_IN(MOST), short_window,
	       &by_chance, &by_chance, NULL, &by_chance),
	CLAIMS("VI", "the maximum wait is worse with 7 days than with 1 day",
	       "most months", CASES_IN(MOST), long_window,
	       &by_chance, &by_chance, &by_chance, &by_chance),
	CLAIMS("VI",
	       "two days are a compromise: most users who suffer and have a "
	       "large under-share with 1 day wait less with 2",
	       "improve", CASES_IN(MOST), two_days_users,
	       &by_chance, NULL, NULL, NULL),
	CLAIMS("VI",
	       "two days are a compromise: they change the maximum wait "
	       "less than 7 days do",
	       "much less", CASES_IN(MOST), two_days,
	       &by_chance, &by_chance, &by_chance, &by_chance),
};

/* ---- tables ---- */

static double median_of(const struct figures *f, int policy, value_fn *value)
{
	double x[MONTHS];
	size_t m;

	for (m = 0; m < f->months; m++)
		x[m] = value(&f->of[policy].month[m]);
	return median(x, f->months);
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

static void tables(struct lab *lab)
{
	const struct figures *f;
	int t;

	printf("\nThe months of each trace, as in table I: median, least and "
	       "most\n\n| trace | demand, %% | users | jobs | jobs of the "
	       "median user | of the first |\n"
	       "|---|---:|---:|---:|---:|---:|\n");
	for (t = 0; t < TRACES && (t == KTH || !lab->quick); t++) {
		f = figures_of(lab, t);
		if (f)
			print_load(f, trace_of[t]);
	}
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
	"(`--estimates exact`) and shares are equal. Each\n"
	"month is simulated apart, as in the paper: the week before it warms "
	"the machine up, and jobs\ngo on to arrive until all of the month have "
	"started. A month is 30 days from the first submit;\na user of a month "
	"is one with an entitlement in it. The paper has plots for most of its "
	"claims.\nIn brackets behind a percent are the least and the most over "
	"five origins of months, six days apart.",
	claims,
	sizeof(claims) / sizeof(*claims),
	sizeof(struct state),
	tables,
	close_figures,
};
