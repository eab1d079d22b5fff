/* SPDX-License-Identifier: MIT OR Unlicense */
#include "columns.h"

#include <stdio.h>

#include "tools/fairsched/base/units.h"

static double mean_wait(const struct report *r)
{
	return r->summary.mean_wait;
}

static double p99_wait(const struct report *r)
{
	return (double)r->summary.p99_wait;
}

static double max_wait(const struct report *r)
{
	return (double)r->summary.max_wait;
}

static double slowdown(const struct report *r)
{
	return r->summary.mean_bounded_slowdown;
}

static double utilization(const struct report *r)
{
	return 100 * r->summary.utilization;
}

static double kept(const struct report *r)
{
	return (double)r->summary.promises_kept;
}

static double off_users(const struct report *r)
{
	return 100 * r->summary.deviation[DUES_USERS];
}

static double off_accounts(const struct report *r)
{
	return 100 * r->summary.deviation[DUES_ACCOUNTS];
}

static double strict(const struct report *r)
{
	return measure_of(r, MEASURE_STRICT);
}

static double relaxed(const struct report *r)
{
	return measure_of(r, MEASURE_RELAXED);
}

static double unweighted(const struct report *r)
{
	return measure_of(r, MEASURE_UNWEIGHTED);
}

static double weighted(const struct report *r)
{
	return measure_of(r, MEASURE_WEIGHTED);
}

const struct column column[COLUMNS] = {
	{ "mean wait", "s", mean_wait, COLUMN_TIME, 0, false },
	{ "p99 wait", "s", p99_wait, COLUMN_TIME, 0, false },
	{ "max wait", "s", max_wait, COLUMN_TIME, 0, false },
	{ "slowdown", "bounded", slowdown, COLUMN_NUMBER, 2, false },
	{ "utilized", "%", utilization, COLUMN_NUMBER, 2, true },
	{ "promises", "kept of", kept, COLUMN_NUMBER, 0, true },
};

const struct column share_column[DUES_KINDS] = {
	{ "users", "% off", off_users, COLUMN_NUMBER, 2, false },
	{ "accounts", "% off", off_accounts, COLUMN_NUMBER, 2, false },
};

const struct column fairness_column[FAIRNESS_COLUMNS] = {
	{ "strict", "s late", strict, COLUMN_TIME, 1, false },
	{ "relaxed", "s late", relaxed, COLUMN_TIME, 1, false },
	{ "unweighted", "proc s short", unweighted, COLUMN_AREA, 1, false },
	{ "weighted", "proc s short", weighted, COLUMN_AREA, 1, false },
};

const char *column_text(const struct column *c, double value, char *text,
			size_t size)
{
	if (c->kind == COLUMN_TIME)
		return units_text(value, text, size);
	if (c->kind == COLUMN_AREA)
		snprintf(text, size, "%.2f", value / 3600);
	else
		snprintf(text, size, "%.*f", c->digits, value);
	return text;
}
