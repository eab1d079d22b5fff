/* SPDX-License-Identifier: MIT OR Unlicense */
#include "users.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "summary.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/trace/names.h"

#define DAY 86400
#define HOUR 3600.0
#define FRACTION 18446744073709551616.0 /* 2^64 */

static int open_ledger(struct users *u, const struct shares *shares)
{
	const struct swf *t = u->trace;
	struct fair_relshare_config c = { 0 };
	size_t bytes, i;
	int error;

	c.users = t->users;
	c.jobs = (uint32_t)t->jobs;
	c.procs = t->procs;
	c.window = DAY;
	c.origin = t->job[0].submit;
	for (i = 1; i < t->jobs; i++)
		if (t->job[i].submit < c.origin)
			c.origin = t->job[i].submit;
	c.first = t->from;
	bytes = fair_relshare_size(&c);
	u->memory = bytes ? malloc(bytes) : NULL;
	if (!u->memory)
		return -FAIR_ENOMEM;
	error = fair_relshare_init(&u->ledger, sizeof(u->ledger), u->memory,
				   bytes, &c);
	for (i = 0; !error && shares && i < t->jobs; i++)
		error = fair_relshare_share(
			&u->ledger, c.origin, t->job[i].user,
			shares_of(shares, t->job[i].user_id));
	return error;
}

int users_open(struct users *u, const struct swf *trace,
	       const struct shares *shares)
{
	memset(u, 0, sizeof(*u));
	u->trace = trace;
	u->to = trace->measured ? trace->to : INT64_MAX;
	return open_ledger(u, shares);
}

int users_explain(const struct users *u, const char *option)
{
	return u->too_long
		       ? run_error("%s: the trace has %" PRIu32 " users for more "
				   "than %zu days, and no more than %d days of "
				   "users are counted: take a part by --from "
				   "and --until",
				   option, u->trace->users, u->days, USERS_DAYS)
		       : run_error("out of memory");
}

void users_close(struct users *u)
{
	free(u->memory);
	free(u->entitled);
	free(u->used);
	memset(u, 0, sizeof(*u));
}

/* ---- days ---- */

/* Room for one more. */
static bool grow(struct users *u)
{
	size_t users = u->trace->users;
	size_t cap = u->cap ? 2 * u->cap : 64;
	double *more;

	u->too_long = u->days >= USERS_DAYS / users;
	if (u->too_long)
		return false;
	if (u->days < u->cap)
		return true;
	more = realloc(u->entitled, cap * users * sizeof(*more));
	if (!more)
		return false;
	u->entitled = more;
	more = realloc(u->used, cap * users * sizeof(*more));
	if (!more)
		return false;
	u->used = more;
	u->cap = cap;
	return true;
}

/* Adds to each user's entitlement and usage of the present day, up to @t. */
static void take_day(struct users *u, int64_t t)
{
	size_t users = u->trace->users, at = u->days * users;
	uint64_t whole, fraction, used;
	uint32_t i;

	if (!grow(u)) {
		u->failed = true;
		return;
	}
	for (i = 0; i < users; i++) {
		fair_relshare_entitlement(&u->ledger, i, t, &whole, &fraction);
		fair_relshare_used(&u->ledger, i, t, &used);
		u->entitled[at + i] =
			((double)whole + (double)fraction / FRACTION) / HOUR;
		u->used[at + i] = (double)used / HOUR;
	}
	u->days++;
}

/* A day is over at its end, or where the period ends. */
static void advance(struct users *u, int64_t now)
{
	int64_t end;

	u->now = now;
	while (!u->failed && fair_relshare_begin(&u->ledger) < u->to) {
		end = fair_relshare_begin(&u->ledger) + DAY;
		if (now < end && now < u->to)
			break;
		if (end > u->trace->from)
			take_day(u, end < u->to ? end : u->to);
		fair_relshare_advance(&u->ledger, end);
	}
}

void users_arrive(struct users *u, size_t number, int64_t now)
{
	const struct swf_job *j = &u->trace->job[number];

	advance(u, now);
	if (now < u->to)
		fair_relshare_submit(&u->ledger, now, (uint32_t)number, j->user,
				     j->procs);
}

void users_start(struct users *u, size_t number, int64_t now)
{
	advance(u, now);
	if (now < u->to)
		fair_relshare_start(&u->ledger, now, (uint32_t)number,
				    now + u->trace->job[number].estimate);
}

void users_finish(struct users *u, size_t number, int64_t now)
{
	advance(u, now);
	if (now < u->to)
		fair_relshare_finish(&u->ledger, now, (uint32_t)number);
}

/* ---- rows ---- */

static void add_job(struct users_row *r, const struct swf *t,
		    const struct swf_job *j, int64_t start)
{
	int64_t wait = start - j->submit;

	r->id = j->user_id;
	r->jobs++;
	r->hours += (double)j->run * j->procs / HOUR;
	r->waits += (double)wait;
	r->slowdowns += bounded_slowdown(wait, j->run, t->threshold);
	if (wait > r->max_wait)
		r->max_wait = wait;
}

static void write_days(const struct users *u, const double *hours, uint32_t i,
		       FILE *f)
{
	size_t d;

	for (d = 0; d < u->days; d++)
		fprintf(f, d ? " %.3f" : ",%.3f",
			hours[d * u->trace->users + i]);
}

static void add_days(const struct users *u, struct users_row *r, uint32_t i)
{
	size_t d;

	for (d = 0; d < u->days; d++) {
		r->entitled += u->entitled[d * u->trace->users + i];
		r->used += u->used[d * u->trace->users + i];
	}
}

static void write_row(const struct users *u, const struct users_row *r,
		      uint32_t i, FILE *f)
{
	double jobs = (double)r->jobs;

	names_csv(u->trace->names, SACCT_USER, r->id, f);
	fprintf(f, ",%zu,%.6f,%.6f,%.6f,%.6f,%" PRId64 ",%.3f,%.6f",
		r->jobs, r->hours, r->entitled, r->used,
		r->used - r->entitled, r->max_wait, r->waits / jobs,
		r->slowdowns / jobs);
	write_days(u, u->entitled, i, f);
	write_days(u, u->used, i, f);
	putc('\n', f);
}

struct users_row *users_rows(struct users *u, const struct sim_result *result)
{
	const struct swf *t = u->trace;
	struct users_row *row = calloc(t->users, sizeof(*row));
	uint32_t i;
	size_t k;

	/* All have ended: what is left is the rest of the last day. */
	if (!u->failed && u->now < u->to &&
	    u->now > fair_relshare_begin(&u->ledger))
		take_day(u, u->now);
	if (!row || u->failed) {
		free(row);
		return NULL;
	}
	for (k = 0; k < t->jobs; k++)
		if (swf_measures(t, t->job[k].submit))
			add_job(&row[t->job[k].user], t, &t->job[k],
				result[k].start);
	for (i = 0; i < t->users; i++)
		add_days(u, &row[i], i);
	return row;
}

int users_write(struct users *u, const struct sim_result *result, FILE *f)
{
	struct users_row *row = users_rows(u, result);
	uint32_t i;

	if (!row)
		return -1;
	fputs("user,jobs,processor_hours,entitled,used,dev,maximum_wait,"
	      "average_wait,average_bounded_slowdown,entitled_by_day,"
	      "used_by_day\n",
	      f);
	for (i = 0; i < u->trace->users; i++)
		if (row[i].jobs)
			write_row(u, &row[i], i, f);
	free(row);
	return 0;
}
