/* SPDX-License-Identifier: MIT OR Unlicense */
#include "limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assoc.h"
#include "csv.h"
#include "names.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/text.h"

enum column { KIND, NAME, RESOURCE, AMOUNT, COLUMNS };

static const char *const column_name[COLUMNS] = { "kind", "name", "resource",
						   "amount" };

/* Words of the file. A trace says who pays for a job once, in its field 13. */
static const struct {
	const char *name;
	uint32_t kind;
} kinds[] = { { "user", FAIR_ENTITY_USER },
	      { "group", FAIR_ENTITY_GROUP },
	      { "account", FAIR_ENTITY_GROUP },
	      { "qos", FAIR_ENTITY_QOS },
	      { "group-user", FAIR_LIMIT_GROUP_USER },
	      { "account-user", FAIR_LIMIT_GROUP_USER },
	      { "qos-user", FAIR_LIMIT_QOS_USER },
	      { "queue-user", FAIR_LIMIT_QUEUE_USER },
	      { "partition-user", FAIR_LIMIT_QUEUE_USER },
	      { "tree", FAIR_LIMIT_TREE },
	      { "queue", FAIR_ENTITY_QUEUE },
	      { "partition", FAIR_ENTITY_QUEUE } };

static const struct {
	const char *name;
	uint32_t resource;
} resources[] = { { "jobs", FAIR_LIMIT_JOBS },
		  { "processors", FAIR_LIMIT_PROCS },
		  { "cpus", FAIR_LIMIT_PROCS },
		  { "cost", FAIR_LIMIT_COST },
		  { "budget", FAIR_LIMIT_BUDGET } };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct reader {
	struct limits *l;
	struct csv csv;
	size_t column[COLUMNS], columns;
};

/* ---- the file ---- */

static int parse_header(struct reader *r)
{
	static const char *const all = "kind,name,resource,amount";
	bool seen[COLUMNS] = { false };
	struct csv_field line, f;
	size_t k;

	if (!csv_line(&r->csv, &line))
		return csv_fail(&r->csv, csv_column(NULL),
				"the header line is missing: %s", all);
	while (csv_cut(&line, ',', &f)) {
		for (k = 0; k < COLUMNS && !csv_is(f, column_name[k]); k++)
			;
		if (k == COLUMNS || seen[k])
			return csv_fail(&r->csv, csv_column(NULL),
					"%s '%.*s': the columns are %s",
					k == COLUMNS ? "unknown column"
						     : "two columns",
					csv_shown(f), f.p, all);
		seen[k] = true;
		r->column[r->columns++] = k;
	}
	for (k = 0; k < COLUMNS; k++)
		if (!seen[k])
			return csv_fail(&r->csv, csv_column(NULL),
					"column %s is missing: the columns are"
					" %s", column_name[k], all);
	return 0;
}

static int bad(struct reader *r, enum column c, struct csv_field f,
	       const char *why)
{
	return csv_fail(&r->csv, csv_column(column_name[c]), "'%.*s' %s",
			csv_shown(f), f.p, why);
}

void limits_clear(struct limits_entry *e)
{
	size_t i;

	for (i = 0; i < FAIR_LIMIT_RESOURCES; i++)
		e->amount[i] = e->most[i] = FAIR_LIMIT_NONE;
}

struct limits_entry *limits_add(struct limits *l, uint32_t kind,
				struct csv_field name)
{
	struct limits_entry *e;

	if (l->entries == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 16;
		e = realloc(l->entry, l->cap * sizeof(*e));
		if (!e)
			return NULL;
		l->entry = e;
	}
	e = l->entry + l->entries;
	memset(e, 0, sizeof(*e));
	e->kind = kind;
	limits_clear(e);
	if (!csv_is(name, "*")) {
		e->name = malloc(name.n + 1);
		if (!e->name)
			return NULL;
		memcpy(e->name, name.p, name.n);
		e->name[name.n] = '\0';
	}
	l->entries++;
	return e;
}

/* Whether jobs have a cost. */
static bool is_billed(const struct limits *l)
{
	return plan_is_open(l->plan) && l->plan->is_billed;
}

/* The resource of that name: enum fair_limit_resource; -1: there is none. */
static int resource_named(const struct limits *l, struct csv_field name)
{
	const struct plan *p = l->plan;
	uint32_t i;

	for (i = 0; i < COUNT(resources); i++)
		if (csv_is(name, resources[i].name))
			return (int)resources[i].resource;
	for (i = 0; plan_is_open(p) && i < p->config.resources; i++)
		if (csv_same(name, p->resource[i].p, p->resource[i].n))
			return (int)(FAIR_LIMIT_PROCS + i);
	return -1;
}

/* 0, or -1: @amount, in units of the plan, rounded down. */
static int parse_amount(struct reader *r, size_t m, struct csv_field f,
			int64_t *amount)
{
	struct csv_field digits = f;

	if (m == FAIR_LIMIT_BUDGET) {
		if (!csv_digits(&digits, INT64_C(1) << 60, amount) || digits.n)
			return bad(r, AMOUNT, f,
				   "is not an integer from 0 to 2^60");
		return 0;
	}
	if (m == FAIR_LIMIT_COST) {
		if (!f.n || !machine_decimal(f, amount) ||
		    *amount > INT64_C(1) << 50)
			return bad(r, AMOUNT, f,
				   "is no number from 0 to 2^30");
		return 0;
	}
	if (m <= FAIR_LIMIT_PROCS) {
		if (!csv_digits(&digits, INT32_MAX, amount) || digits.n)
			return bad(r, AMOUNT, f,
				   "is not an integer from 0 to 2147483647");
		return 0;
	}
	if (!machine_amount(f.p, f.n, amount))
		return bad(r, AMOUNT, f, "is no amount, such as 8 or 512G");
	*amount >>= r->l->plan->shift[m - FAIR_LIMIT_PROCS];
	return 0;
}

static int parse_line(struct reader *r, struct csv_field line)
{
	struct csv_field f[COLUMNS] = { { NULL, 0 } }, part;
	size_t n = csv_parts(line, ','), k;
	int m;
	struct limits_entry *e;
	int64_t amount = 0;

	if (n != COLUMNS)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu field%s instead of 4", n,
				n == 1 ? "" : "s");
	for (k = 0; csv_cut(&line, ',', &part); k++)
		f[r->column[k]] = part;
	for (k = 0; k < COUNT(kinds) && !csv_is(f[KIND], kinds[k].name); k++)
		;
	if (k == COUNT(kinds))
		return bad(r, KIND, f[KIND],
			   "is none of user, group, account, qos, queue,"
			   " group-user, account-user, qos-user, queue-user,"
			   " tree");
	if (!f[NAME].n)
		return bad(r, NAME, f[NAME], "is no name: * is each");
	m = resource_named(r->l, f[RESOURCE]);
	if (m < 0)
		return bad(r, RESOURCE, f[RESOURCE],
			   "is none of jobs, processors, cost and budget, nor"
			   " a resource of --machine with --plan");
	if (m == FAIR_LIMIT_COST && !is_billed(r->l))
		return bad(r, RESOURCE, f[RESOURCE], "needs --billing");
	if (m == FAIR_LIMIT_BUDGET && kinds[k].kind >= FAIR_ENTITY_KINDS &&
	    kinds[k].kind != FAIR_LIMIT_TREE)
		return bad(r, KIND, f[KIND],
			   "has no budget: each user within one does not");
	if (parse_amount(r, (size_t)m, f[AMOUNT], &amount))
		return -1;
	e = limits_add(r->l, kinds[k].kind, f[NAME]);
	if (!e)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	e->amount[m] = amount;
	e->line[m] = r->csv.line;
	return 0;
}

/* The first resource that it limits. */
static size_t first_of(const struct limits_entry *e)
{
	size_t m = 0;

	while (!e->line[m])
		m++;
	return m;
}

static long line_of(const struct limits_entry *e)
{
	return e->at ? e->at : e->line[first_of(e)];
}

static struct csv_field resource_name(const struct limits *l, size_t m)
{
	uint32_t i;

	for (i = 0; i < COUNT(resources); i++)
		if (resources[i].resource == m)
			return csv_column(resources[i].name);
	return l->plan->resource[m - FAIR_LIMIT_PROCS];
}

/* By kind and name, those of each first. */
static int compare_owners(const struct limits_entry *x,
			  const struct limits_entry *y)
{
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (!x->name || !y->name)
		return !y->name - !x->name;
	return strcmp(x->name, y->name);
}

static int by_owner(const void *a, const void *b)
{
	const struct limits_entry *x = a, *y = b;
	int order = compare_owners(x, y);

	return order ? order : line_of(x) < line_of(y) ? -1 : 1;
}

/* The lines of one owner become one entry. */
static int merge_entries(struct reader *r)
{
	struct limits *l = r->l;
	struct limits_entry *e, *to = l->entry;
	size_t n = l->entries, i, m;
	struct csv_field name;

	if (n)
		qsort(l->entry, n, sizeof(*l->entry), by_owner);
	for (i = 1; i < n; i++) {
		e = l->entry + i;
		if (compare_owners(to, e)) {
			*++to = *e;
			continue;
		}
		m = first_of(e);
		name = resource_name(l, m);
		r->csv.line = e->line[m];
		if (to->line[m])
			return csv_fail(&r->csv, csv_column("name"),
					"'%s' has a limit of %.*s already, in "
					"line %ld", e->name ? e->name : "*",
					csv_shown(name), name.p, to->line[m]);
		to->amount[m] = e->amount[m];
		to->line[m] = e->line[m];
		free(e->name);
		e->name = NULL;
	}
	if (n)
		l->entries = (size_t)(to - l->entry) + 1;
	return 0;
}

/* Entries of sacctmgr, each of its own owner, in order. */
static int end_dump(struct limits *l)
{
	size_t i, k;

	if (l->entries)
		qsort(l->entry, l->entries, sizeof(*l->entry), by_owner);
	for (i = 0; i < l->entries; i++)
		for (k = 0; k < FAIR_LIMIT_RESOURCES; k++)
			l->entry[i].has_most |=
				l->entry[i].most[k] != FAIR_LIMIT_NONE;
	return 0;
}

/* Of the text, up to the first newline. */
static struct csv_field first_line(const char *text, size_t bytes)
{
	const char *end = memchr(text, '\n', bytes);
	struct csv_field f = { text, end ? (size_t)(end - text) : bytes };

	return f;
}

static int parse_all(struct reader *r, const struct limits_how *how,
		     struct csv_field first)
{
	struct csv_field line;

	if (how && assoc_is_dump(first)) {
		if (assoc_parse(r->l, &r->csv, how))
			return -1;
		return end_dump(r->l);
	}
	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (parse_line(r, line))
			return -1;
	return merge_entries(r);
}

int limits_parse(struct limits *l, const char *name, const char *text,
		 size_t bytes, const struct plan *plan,
		 const struct limits_how *how)
{
	struct reader r = { 0 };

	memset(l, 0, sizeof(*l));
	l->path = name;
	l->plan = plan;
	l->digest = text_digest(text, bytes);
	r.l = l;
	csv_open(&r.csv, name, text, bytes, l->error, sizeof(l->error));
	if (!parse_all(&r, how, first_line(text, bytes)))
		return 0;
	limits_free(l);
	return -1;
}

int limits_read(struct limits *l, const char *path, const struct plan *plan,
		const struct limits_how *how)
{
	size_t bytes;
	char *text;
	int error;

	memset(l, 0, sizeof(*l));
	if (read_file(path, &text, &bytes, l->error, sizeof(l->error)))
		return -1;
	error = limits_parse(l, path, text, bytes, plan, how);
	free(text);
	return error;
}

void limits_free(struct limits *l)
{
	while (l->entries) {
		l->entries--;
		free(l->entry[l->entries].account);
		free(l->entry[l->entries].name);
	}
	free(l->entry);
	l->entry = NULL;
	l->cap = 0;
}

/* ---- the jobs of a trace ---- */

/* A number of a job's field, and the entry whose name has it. */
struct numbered {
	int64_t number;
	size_t what;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static const struct numbered *find_number(const struct numbered *list, size_t n,
					  int64_t number)
{
	struct numbered key = { number, 0 };

	return n ? bsearch(&key, list, n, sizeof(key), by_number) : NULL;
}

long limits_of_tree(const struct limits *l)
{
	size_t i = 0;

	while (i < l->entries && l->entry[i].kind != FAIR_LIMIT_TREE)
		i++;
	return i < l->entries ? line_of(l->entry + i) : 0;
}

/* The entity that has a limit of a kind. */
static uint32_t entity_of(uint32_t kind)
{
	return kind < FAIR_ENTITY_KINDS
		       ? kind
		       : kind - FAIR_LIMIT_GROUP_USER + FAIR_ENTITY_GROUP;
}

/* The field of a job that tells its user, group or queue. */
static int64_t number_of(const struct swf_job *j, uint32_t kind)
{
	switch (entity_of(kind)) {
	case FAIR_ENTITY_USER:
		return j->user_id;
	case FAIR_ENTITY_GROUP:
		return j->group;
	case FAIR_ENTITY_QOS:
		return j->qos;
	default:
		return j->queue;
	}
}

/* Sets j->qos of each job: from 1 on, in the order of first appearance. Returns
 * the entries' numbers in @number. */
static int number_qos(const struct limits *l, struct swf *t, int64_t *number)
{
	struct csv_field *name = NULL, *more, f;
	size_t names = 0, cap = 0, i, k;

	for (i = 0; i < t->jobs; i++) {
		f = asks_of_qos(&t->asks, t->job[i].ask);
		for (k = 0; k < names && !csv_same(f, name[k].p, name[k].n); k++)
			;
		t->job[i].qos = f.n ? (uint32_t)k + 1 : 0;
		if (!f.n || k < names)
			continue;
		if (names == cap) {
			cap = cap ? 2 * cap : 16;
			more = realloc(name, cap * sizeof(*name));
			if (!more) {
				free(name);
				return -1;
			}
			name = more;
		}
		name[names++] = f;
	}
	for (i = 0; i < l->entries; i++)
		for (k = 0; k < names && l->entry[i].name &&
			    entity_of(l->entry[i].kind) == FAIR_ENTITY_QOS;
		     k++)
			if (csv_is(name[k], l->entry[i].name))
				number[i] = (int64_t)k + 1;
	free(name);
	return 0;
}

/* The number of an entry's name in the trace; -1: there is none. */
static int64_t number_named(const struct swf *t, const struct limits_entry *e)
{
	uint32_t entity = entity_of(e->kind);
	enum sacct_kind kind = entity == FAIR_ENTITY_USER    ? SACCT_USER
			       : entity == FAIR_ENTITY_GROUP ? SACCT_ACCOUNT
							     : SACCT_PARTITION;
	struct csv_field f = csv_column(e->name);
	int64_t number = 0;

	if (names_has(t->names, kind))
		return names_number(t->names, kind, e->name);
	return csv_digits(&f, INT64_MAX, &number) && !f.n ? number : -1;
}

static void tell(struct limits *l, const bool *has_jobs)
{
	const struct limits_entry *e;
	size_t i;

	for (i = 0; i < l->entries && !l->told; i++) {
		e = l->entry + i;
		if (e->name && !has_jobs[i])
			note("%s:%ld: name: no job is of '%s'", l->path,
			     line_of(e), e->name);
	}
	l->told = true;
}

/* Each job's entry of one kind. */
static void assign_kind(const struct limits *l, struct swf *t, uint32_t kind,
			const int64_t *number, struct numbered *list,
			bool *has_jobs)
{
	const struct numbered *found;
	size_t n = 0, i;

	for (i = 0; i < l->entries; i++)
		if (l->entry[i].kind == kind && l->entry[i].name &&
		    !l->entry[i].account && number[i] >= 0) {
			list[n].number = number[i];
			list[n++].what = i;
		}
	if (n)
		qsort(list, n, sizeof(*list), by_number);
	for (i = 0; i < t->jobs; i++) {
		found = n ? find_number(list, n, number_of(&t->job[i], kind))
			  : NULL;
		t->job[i].entry[kind] = found ? (uint32_t)found->what + 1 : 0;
		if (found)
			has_jobs[found->what] = true;
	}
}

/* The same of users that have an entry in one account alone. */
static int assign_users(const struct limits *l, struct swf *t,
			const struct tree *tree, bool *has_jobs)
{
	uint32_t *of_node = calloc((tree ? tree->nodes : 0) + 1u,
				   sizeof(*of_node)), node;
	const struct limits_entry *e;
	size_t i;

	if (!of_node)
		return -1;
	for (i = 0; tree && i < l->entries; i++) {
		e = l->entry + i;
		if (!e->account)
			continue;
		node = tree_account(tree, csv_column(e->account));
		node = tree_user_below(tree, node, csv_column(e->name));
		if (node != TREE_NONE)
			of_node[node] = (uint32_t)i + 1;
	}
	for (i = 0; tree && i < t->jobs; i++) {
		node = of_node[t->job[i].node];
		if (!node)
			continue;
		t->job[i].entry[FAIR_ENTITY_USER] = node;
		has_jobs[node - 1] = true;
	}
	free(of_node);
	return 0;
}

/* Whether the trace says what of that kind the job belongs to; users always. */
static bool belongs(const struct swf_job *j, uint32_t kind)
{
	return kind == FAIR_ENTITY_USER ||
	       number_of(j, kind) >= (entity_of(kind) == FAIR_ENTITY_QOS);
}

/* The first entry that is of each of a kind; NULL: there is none. */
static const struct limits_entry *each_of(const struct limits *l, uint32_t kind)
{
	size_t low = 0, high = l->entries, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (l->entry[middle].kind < kind)
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->entries && l->entry[low].kind == kind &&
			       !l->entry[low].name
		       ? l->entry + low
		       : NULL;
}

/* The limit of @own, of no entry or one of a kind, or else of @each. */
static int64_t limit_of(const struct limits_entry *own,
			const struct limits_entry *each, uint32_t r)
{
	if (own && own->line[r])
		return own->amount[r];
	return each ? each->amount[r] : FAIR_LIMIT_NONE;
}

/* What assigning them works with. */
struct assignment {
	struct limits *l;
	struct swf *t;
	const struct tree *tree; /* or NULL */
	int64_t *number;	 /* of each entry */
	struct numbered *list;
	bool *has_jobs;
	uint32_t *of_node; /* of each node of the tree: an entry, + 1 */
	const struct limits_entry *each[FAIR_LIMIT_KINDS]; /* or NULL */
	uint32_t resources; /* of the plan, and one */
};

/* The named entries of accounts of the tree. */
static int map_nodes(const struct limits *l, const struct tree *tree,
		     uint32_t **of_node)
{
	uint32_t node;
	size_t i;

	*of_node = calloc((tree ? tree->nodes : 0) + 1u, sizeof(**of_node));
	for (i = 0; *of_node && tree && i < l->entries; i++) {
		if (l->entry[i].kind != FAIR_LIMIT_TREE || !l->entry[i].name)
			continue;
		node = tree_account(tree, csv_column(l->entry[i].name));
		if (node != TREE_NONE)
			(*of_node)[node] = (uint32_t)i + 1;
	}
	return *of_node ? 0 : -1;
}

static const struct limits_entry *
entry_of_node(const struct limits *l, const uint32_t *of_node, uint32_t node)
{
	return of_node[node] ? l->entry + of_node[node] - 1 : NULL;
}

/* Whether one of these has less than is asked for. */
static bool is_any_below(const struct assignment *a,
			 const struct limits_entry *own,
			 const struct limits_entry *each, const int64_t *asked)
{
	uint32_t r;

	for (r = 0; (own || each) && r < a->resources; r++)
		if (asked[r] > limit_of(own, each, r) ||
		    (own && own->has_most && asked[r] > own->most[r]))
			return true;
	if (own && own->has_most &&
	    asked[FAIR_LIMIT_COST] > own->most[FAIR_LIMIT_COST])
		return true;
	return asked[FAIR_LIMIT_COST] > limit_of(own, each, FAIR_LIMIT_COST);
}

/* Whether a limit has less than job @i asks for; a budget may have it later. */
static bool is_beyond(const struct assignment *a, size_t i)
{
	int64_t asked[FAIR_LIMIT_RESOURCES] = { 1, a->t->job[i].procs };
	const struct swf_job *j = &a->t->job[i];
	const struct plan *p = a->l->plan;
	bool beyond = false;
	uint32_t kind, r, node = a->tree ? j->node : TREE_ROOT;

	for (r = FAIR_LIMIT_PROCS + 1; r < a->resources; r++)
		asked[r] = p->ask[i * p->config.resources + r -
				  FAIR_LIMIT_PROCS];
	if (is_billed(a->l))
		asked[FAIR_LIMIT_COST] = plan_second_cost(p, i);
	for (kind = 0; kind < FAIR_LIMIT_TREE; kind++)
		beyond |= is_any_below(
			a, j->entry[kind] ? a->l->entry + j->entry[kind] - 1
					  : NULL,
			a->each[kind] && belongs(j, kind) ? a->each[kind]
							  : NULL, asked);
	while (node != TREE_ROOT) {
		node = a->tree->node[node].parent;
		if (node != TREE_ROOT)
			beyond |= is_any_below(
				a, entry_of_node(a->l, a->of_node, node),
				a->each[FAIR_LIMIT_TREE], asked);
	}
	return beyond;
}

/* The accounts of the tree that have jobs. */
static void note_tree_jobs(const struct assignment *a)
{
	uint32_t node;
	size_t i;

	for (i = 0; a->tree && i < a->t->jobs; i++)
		for (node = a->t->job[i].node; node != TREE_ROOT;
		     node = a->tree->node[node].parent)
			if (a->of_node[node])
				a->has_jobs[a->of_node[node] - 1] = true;
}

/* Whether at most FAIR_LIMIT_LEVELS limits are one below another. */
static bool has_few_levels(const struct assignment *a)
{
	const struct limits_entry *each = a->each[FAIR_LIMIT_TREE];
	uint32_t i, node, n;

	for (i = 0; a->tree && i < a->tree->nodes; i++) {
		for (n = 0, node = i; node != TREE_ROOT;
		     node = a->tree->node[node].parent)
			n += !a->tree->node[node].is_user &&
			     (each || a->of_node[node]);
		if (n > FAIR_LIMIT_LEVELS)
			return false;
	}
	return true;
}

static int assign_all(struct assignment *a,
		      void (*move)(void *ctx, size_t from, size_t to),
		      void *ctx)
{
	struct limits *l = a->l;
	struct swf *t = a->t;
	uint32_t kind;
	size_t i, kept = 0;

	for (i = 0; i < l->entries; i++)
		a->number[i] =
			l->entry[i].kind == FAIR_LIMIT_TREE ||
					entity_of(l->entry[i].kind) ==
						FAIR_ENTITY_QOS ||
					!l->entry[i].name
				? -1
				: number_named(t, l->entry + i);
	if (number_qos(l, t, a->number))
		return -1;
	a->resources = FAIR_LIMIT_PROCS + 1;
	if (plan_is_open(l->plan))
		a->resources = FAIR_LIMIT_PROCS + l->plan->config.resources;
	for (kind = 0; kind < FAIR_LIMIT_KINDS; kind++)
		a->each[kind] = each_of(l, kind);
	for (kind = 0; kind < FAIR_LIMIT_TREE; kind++)
		assign_kind(l, t, kind, a->number, a->list, a->has_jobs);
	if (assign_users(l, t, a->tree, a->has_jobs))
		return -1;
	note_tree_jobs(a);
	tell(l, a->has_jobs);
	for (i = 0; i < t->jobs; i++) {
		if (is_beyond(a, i)) {
			t->dropped[SWF_LIMITED]++;
			continue;
		}
		if (kept < i && move)
			move(ctx, i, kept);
		t->job[kept++] = t->job[i];
	}
	t->jobs = kept;
	return 0;
}

int limits_assign(struct limits *l, struct swf *t, const struct tree *tree,
		  void (*move)(void *ctx, size_t from, size_t to), void *ctx)
{
	size_t n = l->entries + 1;
	struct assignment a = {
		.l = l,
		.t = t,
		.tree = tree,
		.list = malloc(n * sizeof(*a.list)),
		.number = malloc(n * sizeof(*a.number)),
		.has_jobs = calloc(n, sizeof(*a.has_jobs)),
	};
	const char *error = NULL;

	if (map_nodes(l, tree, &a.of_node) || !a.list || !a.number ||
	    !a.has_jobs || assign_all(&a, move, ctx))
		error = "out of memory";
	else if (!has_few_levels(&a))
		error = "more than 8 accounts of the tree have limits one below"
			" another: leave some out";
	else if (!t->jobs)
		error = "its limits reject every job";
	free(a.list);
	free(a.number);
	free(a.has_jobs);
	free(a.of_node);
	if (error)
		snprintf(l->error, sizeof(l->error), "%s: %s", l->path, error);
	return error ? -1 : 0;
}

/* ---- the limits of a scheduler ---- */

struct list {
	struct fair_limit *limit;
	size_t n, cap;
	int64_t scale; /* of what jobs cost */
};

static int in_order(const void *a, const void *b)
{
	const struct fair_limit *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->resource != y->resource)
		return x->resource < y->resource ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void drop_repeated(struct list *l)
{
	size_t i, kept = 0;

	if (l->n)
		qsort(l->limit, l->n, sizeof(*l->limit), in_order);
	for (i = 0; i < l->n; i++)
		if (!kept || in_order(&l->limit[kept - 1], &l->limit[i]))
			l->limit[kept++] = l->limit[i];
	l->n = kept;
}

/* Room for all of one entry. */
static int grow(struct list *l)
{
	struct fair_limit *more;

	if (l->n + FAIR_LIMIT_RESOURCES > l->cap) {
		l->cap = 2 * l->cap + 64;
		more = realloc(l->limit, l->cap * sizeof(*more));
		if (!more)
			return -1;
		l->limit = more;
	}
	return 0;
}

/* There is room for it. */
static void add_limit(struct list *l, uint32_t kind, uint32_t resource,
		      uint64_t id, int64_t amount)
{
	struct fair_limit *limit = &l->limit[l->n++];
	int64_t scale = resource >= FAIR_LIMIT_COST ? l->scale : 1;

	limit->kind = kind;
	limit->resource = resource;
	limit->id = id;
	limit->amount = amount < FAIR_LIMIT_NONE / scale / 2
				? amount * scale
				: FAIR_LIMIT_NONE / 2;
}

/* The limits of an entry, or else of @each, for the owner @id. A budget of each
 * is one of each owner that has jobs. */
static int add_limits(struct list *l, const struct limits_entry *e,
		      const struct limits_entry *each, uint64_t id)
{
	uint32_t kind = e ? e->kind : FAIR_LIMIT_TREE, r;

	if (grow(l))
		return -1;
	for (r = 0; r < FAIR_LIMIT_RESOURCES; r++)
		if (limit_of(e, each, r) != FAIR_LIMIT_NONE &&
		    (r != FAIR_LIMIT_BUDGET || id != FAIR_LIMIT_EACH))
			add_limit(l, kind, r, id, limit_of(e, each, r));
	return 0;
}

/* The budget that @id has as each of its kind, unless it has its own. */
static int add_budget_of_each(struct list *l, const struct limits_entry *each,
			      const struct limits_entry *own, uint64_t id)
{
	if (!each || !each->line[FAIR_LIMIT_BUDGET] ||
	    (own && own->line[FAIR_LIMIT_BUDGET]))
		return 0;
	if (grow(l))
		return -1;
	add_limit(l, each->kind, FAIR_LIMIT_BUDGET, id,
		  each->amount[FAIR_LIMIT_BUDGET]);
	return 0;
}

/* Those that the job's own names have; @last: the owner that each entry was
 * added for last. */
static int add_of_job(struct list *list, const struct limits *l,
		      const struct swf_job *j, bool by_node, uint64_t *last)
{
	const uint64_t id[FAIR_ENTITY_KINDS] = {
		[FAIR_ENTITY_USER] = by_node ? j->node : j->user,
		[FAIR_ENTITY_GROUP] = j->share_group,
		[FAIR_ENTITY_QOS] = j->qos - 1u,
		[FAIR_ENTITY_QUEUE] = j->share_queue,
	};
	const struct limits_entry *own;
	uint64_t whose;
	uint32_t kind, e;

	for (kind = 0; kind < FAIR_LIMIT_TREE; kind++) {
		whose = id[entity_of(kind)];
		e = j->entry[kind];
		own = e ? l->entry + e - 1 : NULL;
		if (kind < FAIR_ENTITY_KINDS && belongs(j, kind) &&
		    add_budget_of_each(list, each_of(l, kind), own, whose))
			return -1;
		if (!e || last[e - 1] == whose)
			continue;
		last[e - 1] = whose;
		if (add_limits(list, own, NULL, whose))
			return -1;
	}
	return 0;
}

/* Those of the accounts of a tree. */
static int add_of_tree(struct list *list, const struct limits *l,
		       const struct tree *tree)
{
	uint32_t *of_node, node;
	int error = map_nodes(l, tree, &of_node);

	for (node = 0; tree && node < tree->nodes && !error; node++)
		if (!tree->node[node].is_user)
			error = add_limits(list,
					   entry_of_node(l, of_node, node),
					   each_of(l, FAIR_LIMIT_TREE), node);
	free(of_node);
	return error;
}

int limits_make(const struct limits *l, const struct swf_job *job, size_t jobs,
		const struct tree *tree, int64_t scale,
		struct fair_limit **limit, uint32_t *n)
{
	uint64_t *last = malloc((l->entries + 1) * sizeof(*last));
	struct list list = { NULL, 0, 0, scale };
	int error = last ? 0 : -1;
	bool named = false;
	size_t i;

	for (i = 0; i < l->entries && !error; i++) {
		last[i] = FAIR_LIMIT_EACH;
		named |= l->entry[i].name ||
			 l->entry[i].line[FAIR_LIMIT_BUDGET];
		if (!l->entry[i].name && l->entry[i].kind != FAIR_LIMIT_TREE)
			error = add_limits(&list, l->entry + i, NULL,
					   FAIR_LIMIT_EACH);
	}
	for (i = 0; named && i < jobs && !error; i++)
		error = add_of_job(&list, l, job + i, tree, last);
	if (!error && limits_of_tree(l))
		error = add_of_tree(&list, l, tree);
	free(last);
	if (error) {
		free(list.limit);
		return -1;
	}
	drop_repeated(&list);
	*n = (uint32_t)list.n;
	*limit = list.limit;
	return 0;
}

void limits_describe(const struct swf_job *from, struct fair_job *job)
{
	job->queue = from->queue < 0 ? FAIR_NO_ENTITY : from->share_queue;
	job->qos = from->qos ? from->qos - 1 : FAIR_NO_ENTITY;
	if (from->group < 0)
		job->group = FAIR_NO_ENTITY;
}
