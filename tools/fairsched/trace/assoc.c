/* SPDX-License-Identifier: MIT OR Unlicense */
#include "assoc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"

enum column {
	CLUSTER, ACCOUNT, USER, PARENT, PARTITION, NAME, GRP_JOBS, MAX_JOBS,
	MAX_JOBS_PU, GRP_TRES, MAX_TRES, MAX_TRES_PU, GRP_MINS, COLUMNS
};

static const struct {
	const char *name;
	enum column column;
} heading[] = {
	{ "Cluster", CLUSTER },	     { "Account", ACCOUNT },
	{ "User", USER },	     { "Par Name", PARENT },
	{ "ParentName", PARENT },    { "Partition", PARTITION },
	{ "Name", NAME },	     { "GrpJobs", GRP_JOBS },
	{ "MaxJobs", MAX_JOBS },     { "MaxJobsPU", MAX_JOBS_PU },
	{ "GrpTRES", GRP_TRES },     { "MaxTRES", MAX_TRES },
	{ "MaxTRESPU", MAX_TRES_PU }, { "GrpTRESMins", GRP_MINS },
};

#define HEADINGS (sizeof(heading) / sizeof(*heading))
#define FIELDS 64

struct row {
	struct csv_field f[COLUMNS];
	long line;
};

struct reader {
	struct limits *l;
	struct csv *csv;
	const struct limits_how *how;
	int column[FIELDS]; /* -1: not known */
	size_t columns;
	struct row *row;
	size_t rows, cap;
	struct csv_field cluster; /* of a row before */
};

static int column_of(struct csv_field f)
{
	size_t i = 0;

	while (i < HEADINGS && !csv_is(f, heading[i].name))
		i++;
	return i < HEADINGS ? (int)heading[i].column : -1;
}

/* A line that names columns; no account, user or QoS has such limits. */
static bool is_header(struct csv_field line)
{
	struct csv_field f;
	bool names = false, limits = false;
	int c;

	while (csv_cut(&line, '|', &f)) {
		c = column_of(f);
		names |= c == ACCOUNT || c == NAME;
		limits |= c >= GRP_JOBS;
	}
	return names && limits;
}

bool assoc_is_dump(struct csv_field first)
{
	return memchr(first.p, '|', first.n) != NULL;
}

/* ---- lines ---- */

static int parse_header(struct reader *r, struct csv_field line)
{
	struct csv_field f;

	if (!is_header(line))
		return csv_fail(r->csv, csv_column(NULL),
				"no column is of limits: export by sacctmgr -P"
				" show assoc format=account,user,parentname,"
				"grpjobs,grptres,grptresmins,maxjobs,maxtres");
	for (r->columns = 0; csv_cut(&line, '|', &f); r->columns++) {
		if (r->columns == FIELDS)
			return csv_fail(r->csv, csv_column(NULL),
					"too many columns");
		r->column[r->columns] = column_of(f);
	}
	return 0;
}

/* The row stays, unless it is of another cluster than the one that counts. */
static int check_cluster(struct reader *r, const struct row *x)
{
	struct csv_field f = x->f[CLUSTER];

	r->rows += !r->how->cluster || !f.n || csv_is(f, r->how->cluster);
	if (r->how->cluster || !f.n)
		return 0;
	if (r->cluster.n && !csv_same(f, r->cluster.p, r->cluster.n))
		return csv_fail(r->csv, csv_column("Cluster"),
				"'%.*s' is not '%.*s': choose one by --cluster"
				" NAME", csv_shown(f), f.p,
				csv_shown(r->cluster), r->cluster.p);
	r->cluster = f;
	return 0;
}

static int add_row(struct reader *r, struct csv_field line)
{
	size_t parts = csv_parts(line, '|'), i;
	struct csv_field f;
	struct row *x;

	if (parts != r->columns)
		return csv_fail(r->csv, csv_column(NULL),
				"%zu field%s instead of %zu", parts,
				parts == 1 ? "" : "s", r->columns);
	if (r->rows == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 64;
		x = realloc(r->row, r->cap * sizeof(*x));
		if (!x)
			return csv_fail(r->csv, csv_column(NULL),
					"out of memory");
		r->row = x;
	}
	x = r->row + r->rows;
	memset(x, 0, sizeof(*x));
	for (i = 0; i < COLUMNS; i++)
		x->f[i].p = "";
	x->line = r->csv->line;
	for (i = 0; csv_cut(&line, '|', &f); i++)
		if (r->column[i] >= 0)
			x->f[r->column[i]] = f;
	if (x->f[PARTITION].n)
		return csv_fail(r->csv, csv_column("Partition"),
				"'%.*s' has limits of its own, which is not"
				" supported", csv_shown(x->f[PARTITION]),
				x->f[PARTITION].p);
	return check_cluster(r, x);
}

/* ---- amounts ---- */

static void tell(const struct reader *r, const struct row *x, enum column c,
		 struct csv_field f, const char *why)
{
	size_t i = 0;

	while (heading[i].column != c)
		i++;
	note("%s:%ld: %s: '%.*s' %s", r->csv->name, x->line, heading[i].name,
	     csv_shown(f), f.p, why);
}

static int fail(const struct reader *r, const struct row *x, enum column c,
		struct csv_field f)
{
	size_t i = 0;

	while (heading[i].column != c)
		i++;
	r->csv->line = x->line;
	return csv_fail(r->csv, csv_column(heading[i].name),
			"'%.*s' is no amount", csv_shown(f), f.p);
}

static void lower(int64_t *amount, long *line, int64_t to, const struct row *x)
{
	if (to < *amount) {
		*amount = to;
		*line = x->line;
	}
}

static int parse_jobs(const struct reader *r, const struct row *x,
		      enum column c, struct limits_entry *e)
{
	struct csv_field f = x->f[c];
	int64_t n = 0;

	if (!f.n || csv_is(f, "-1"))
		return 0;
	if (!csv_digits(&f, INT32_MAX, &n) || f.n)
		return fail(r, x, c, x->f[c]);
	lower(&e->amount[FAIR_LIMIT_JOBS], &e->line[FAIR_LIMIT_JOBS], n, x);
	return 0;
}

/* The resource of the plan that TRES is, perhaps with an s behind it. */
static int planned_resource(const struct plan *p, struct csv_field f)
{
	static const char gres[] = "gres/";
	char name[64];
	int k, n;

	if (!plan_is_open(p))
		return -1;
	if (csv_is(f, "mem")) {
		k = machine_resource(p->machine, "ram", 3);
		return k < 0 ? machine_resource(p->machine, "memory", 6) : k;
	}
	if (f.n > sizeof(gres) - 1 && !memcmp(f.p, gres, sizeof(gres) - 1)) {
		f.p += sizeof(gres) - 1;
		f.n -= sizeof(gres) - 1;
	}
	n = snprintf(name, sizeof(name), "%.*ss", csv_shown(f), f.p);
	k = machine_resource(p->machine, name, (size_t)n - 1);
	return k < 0 ? machine_resource(p->machine, name, (size_t)n) : k;
}

/* Which of enum fair_limit_resource; -1: none that is planned. */
static int resource_of(const struct limits *l, struct csv_field f)
{
	int k;

	if (csv_is(f, "cpu"))
		return FAIR_LIMIT_PROCS;
	if (csv_is(f, "billing"))
		return plan_is_open(l->plan) && l->plan->is_billed
			       ? FAIR_LIMIT_COST
			       : -1;
	k = planned_resource(l->plan, f);
	return k < 0 ? -1 : FAIR_LIMIT_PROCS + k;
}

static bool parse_amount(const struct limits *l, int k, struct csv_field f,
			 int64_t *amount)
{
	struct csv_field digits = f;

	*amount = 0;
	if (k == FAIR_LIMIT_COST || k == FAIR_LIMIT_PROCS) {
		if (!csv_digits(&digits, INT32_MAX, amount) || digits.n)
			return false;
		*amount *= k == FAIR_LIMIT_COST ? FAIR_PENALTY_ONE : 1;
		return true;
	}
	if (!machine_amount(f.p, f.n, amount))
		return false;
	*amount >>= l->plan->shift[k - FAIR_LIMIT_PROCS];
	return true;
}

/* cpu=8,gres/gpu=2 */
static int parse_tres(const struct reader *r, const struct row *x,
		      enum column c, int64_t *amount, long *line)
{
	struct csv_field rest = x->f[c], part, f, name;
	int64_t n;
	int k;

	while (rest.n && csv_cut(&rest, ',', &part)) {
		f = part;
		csv_cut(&f, '=', &name);
		if (!f.n)
			return fail(r, x, c, part);
		k = resource_of(r->l, name);
		if (k < 0)
			tell(r, x, c, part, "is not planned, and not limited");
		else if (!parse_amount(r->l, k, f, &n))
			return fail(r, x, c, part);
		else
			lower(amount + k, line + k, n, x);
	}
	return 0;
}

/* In minutes: of cpu, or with --billing of that. */
static int parse_minutes(const struct reader *r, const struct row *x,
			 struct limits_entry *e)
{
	bool billed = plan_is_open(r->l->plan) && r->l->plan->is_billed;
	struct csv_field rest = x->f[GRP_MINS], part, f, name;
	int64_t n;

	while (rest.n && csv_cut(&rest, ',', &part)) {
		f = part;
		csv_cut(&f, '=', &name);
		n = 0;
		if (!csv_digits(&f, INT64_C(1) << 50, &n) || f.n)
			return fail(r, x, GRP_MINS, part);
		if (r->how->decays)
			tell(r, x, GRP_MINS, part,
			     "is no budget, since usage decays");
		else if (!csv_is(name, billed ? "billing" : "cpu"))
			tell(r, x, GRP_MINS, part,
			     "is no budget: that is of cpu, or with --billing"
			     " of billing");
		else
			lower(&e->amount[FAIR_LIMIT_BUDGET],
			      &e->line[FAIR_LIMIT_BUDGET], 60 * n, x);
	}
	return 0;
}

/* ---- entries ---- */

static bool has_limit(const struct limits_entry *e)
{
	size_t i;

	for (i = 0; i < FAIR_LIMIT_RESOURCES; i++)
		if (e->amount[i] != FAIR_LIMIT_NONE ||
		    e->most[i] != FAIR_LIMIT_NONE)
			return true;
	return false;
}

/* Of that kind and name, perhaps within an account, if it limits something. */
static int add_within(struct reader *r, uint32_t kind, struct csv_field name,
		      struct csv_field account,
		      const struct limits_entry *from)
{
	struct limits_entry *e;

	if (!has_limit(from))
		return 0;
	e = limits_add(r->l, kind, name);
	if (!e)
		return csv_fail(r->csv, csv_column(NULL), "out of memory");
	memcpy(e->amount, from->amount, sizeof(e->amount));
	memcpy(e->line, from->line, sizeof(e->line));
	memcpy(e->most, from->most, sizeof(e->most));
	e->at = from->at;
	if (!account.n)
		return 0;
	e->account = malloc(account.n + 1);
	if (!e->account)
		return csv_fail(r->csv, csv_column(NULL), "out of memory");
	memcpy(e->account, account.p, account.n);
	e->account[account.n] = '\0';
	return 0;
}

static int add(struct reader *r, uint32_t kind, struct csv_field name,
	       const struct limits_entry *from)
{
	return add_within(r, kind, name, csv_column(""), from);
}

static void begin(struct limits_entry *e, const struct row *x)
{
	memset(e, 0, sizeof(*e));
	e->at = x->line;
	limits_clear(e);
}

static int parse_most(const struct reader *r, const struct row *x,
		      struct limits_entry *e)
{
	long line[FAIR_LIMIT_RESOURCES] = { 0 };

	return parse_tres(r, x, MAX_TRES, e->most, line);
}

/* What jobs of the QoS hold, and those of each user of it. */
static int add_qos(struct reader *r, const struct row *x)
{
	struct limits_entry e, each;

	begin(&e, x);
	begin(&each, x);
	if (parse_jobs(r, x, GRP_JOBS, &e) ||
	    parse_tres(r, x, GRP_TRES, e.amount, e.line) ||
	    parse_minutes(r, x, &e) || parse_most(r, x, &e) ||
	    parse_jobs(r, x, MAX_JOBS_PU, &each) ||
	    parse_tres(r, x, MAX_TRES_PU, each.amount, each.line))
		return -1;
	return add(r, FAIR_ENTITY_QOS, x->f[NAME], &e) ||
			       add(r, FAIR_LIMIT_QOS_USER, x->f[NAME], &each)
		       ? -1
		       : 0;
}

static bool is_same(struct csv_field a, struct csv_field b)
{
	return csv_same(a, b.p, b.n);
}

static bool has_accounts_below(const struct reader *r, const struct row *x)
{
	size_t i = 0;

	while (i < r->rows && (r->row[i].f[USER].n || !r->row[i].f[ACCOUNT].n ||
			       !is_same(r->row[i].f[PARENT], x->f[ACCOUNT])))
		i++;
	return i < r->rows;
}

/* What jobs of an account hold; the rest is for its users, in their lines. */
static int add_account(struct reader *r, const struct row *x)
{
	struct limits_entry e;

	begin(&e, x);
	if (parse_jobs(r, x, GRP_JOBS, &e) ||
	    parse_tres(r, x, GRP_TRES, e.amount, e.line) ||
	    parse_minutes(r, x, &e))
		return -1;
	if (!has_limit(&e))
		return 0;
	if (csv_is(x->f[ACCOUNT], "root"))
		tell(r, x, ACCOUNT, x->f[ACCOUNT],
		     "is all jobs, which is no limit here");
	else if (r->how->by_tree)
		return add(r, FAIR_LIMIT_TREE, x->f[ACCOUNT], &e);
	else if (has_accounts_below(r, x))
		tell(r, x, ACCOUNT, x->f[ACCOUNT],
		     "has accounts below: its limits need --order tree");
	else
		return add(r, FAIR_ENTITY_GROUP, x->f[ACCOUNT], &e);
	return 0;
}

static int parse_user(const struct reader *r, const struct row *x,
		      struct limits_entry *e)
{
	begin(e, x);
	return parse_jobs(r, x, GRP_JOBS, e) || parse_jobs(r, x, MAX_JOBS, e) ||
			       parse_tres(r, x, GRP_TRES, e->amount, e->line) ||
			       parse_minutes(r, x, e) || parse_most(r, x, e)
		       ? -1
		       : 0;
}

static bool is_user_of(const struct row *x, struct csv_field account)
{
	return x->f[USER].n && is_same(x->f[ACCOUNT], account);
}

/* Whether all users of the account have the same, and no budget. */
static bool is_uniform(const struct reader *r, const struct row *x)
{
	static const enum column same[] = { GRP_JOBS, MAX_JOBS, GRP_TRES,
					    MAX_TRES, GRP_MINS };
	size_t i, k;

	for (i = 0; i < r->rows; i++)
		for (k = 0; is_user_of(r->row + i, x->f[ACCOUNT]) &&
			    k < sizeof(same) / sizeof(*same);
		     k++)
			if (!is_same(r->row[i].f[same[k]], x->f[same[k]]))
				return false;
	return !x->f[GRP_MINS].n;
}

/* The first line of a user of the account, or of the user in any. */
static bool is_first(const struct reader *r, const struct row *x)
{
	const struct row *y = r->row;

	while (!is_user_of(y, x->f[ACCOUNT]))
		y++;
	return y == x;
}

static bool is_only(const struct reader *r, const struct row *x)
{
	size_t i, n = 0;

	for (i = 0; i < r->rows; i++)
		n += r->row[i].f[USER].n && is_same(r->row[i].f[USER],
						    x->f[USER]);
	return n == 1;
}

/* What the jobs of a user in an account hold. */
static int add_user(struct reader *r, const struct row *x)
{
	struct limits_entry e;

	if (is_uniform(r, x)) {
		if (!is_first(r, x))
			return 0;
		return parse_user(r, x, &e) ||
				       add(r, FAIR_LIMIT_GROUP_USER,
					   x->f[ACCOUNT], &e)
			       ? -1
			       : 0;
	}
	if (parse_user(r, x, &e))
		return -1;
	if (r->how->by_tree)
		return add_within(r, FAIR_ENTITY_USER, x->f[USER],
				  x->f[ACCOUNT], &e);
	if (is_only(r, x))
		return add(r, FAIR_ENTITY_USER, x->f[USER], &e);
	if (has_limit(&e))
		tell(r, x, USER, x->f[USER],
		     "is in several accounts, and has other limits than the"
		     " other users of this one: they need --order tree");
	return 0;
}

int assoc_parse(struct limits *l, struct csv *csv,
		const struct limits_how *how)
{
	struct reader r = { .l = l, .csv = csv, .how = how };
	struct csv_field line;
	int error = 0;
	size_t i;

	while (!error && csv_line(csv, &line))
		error = !r.columns || is_header(line) ? parse_header(&r, line)
						      : add_row(&r, line);
	for (i = 0; i < r.rows && !error; i++)
		error = r.row[i].f[NAME].n ? add_qos(&r, r.row + i)
			: r.row[i].f[USER].n
				? add_user(&r, r.row + i)
				: add_account(&r, r.row + i);
	free(r.row);
	return error ? -1 : 0;
}
