/* SPDX-License-Identifier: MIT OR Unlicense */
#include "maintenance.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "node_names.h"
#include "tools/fairsched/base/read_file.h"

#define FARTHEST (INT64_C(1) << 30) /* 34 years: any plan reaches as far */

enum column { BEGIN, END, PROCESSORS, ANNOUNCED, KIND, CLASS, NODES, COLUMNS };

static const char *const column_name[COLUMNS] = {
	"begin", "end", "processors", "announced", "kind", "class", "nodes"
};

/* Behind COLUMNS: resource r of the plan, from 1 on. */
enum { MOST_COLUMNS = COLUMNS + FAIR_MACHINE_RESOURCES };

struct reader {
	struct maintenance *m;
	const struct plan *plan; /* NULL: one pool */
	struct csv csv;
	size_t columns, cap;
	size_t column[MOST_COLUMNS];
	struct csv_field procs; /* what the file calls its processors */
};

static bool is_on_nodes(const struct reader *r)
{
	return r->plan && r->plan->nodes.count;
}

/* MOST_COLUMNS: there is none of that name. */
static size_t find_column(const struct reader *r, struct csv_field name)
{
	size_t k, n = r->plan && !is_on_nodes(r) ? r->plan->config.resources : 0;
	size_t own = is_on_nodes(r) ? COLUMNS : r->plan ? NODES : CLASS;

	for (k = 0; k < own; k++)
		if (csv_is(name, column_name[k]) &&
		    !(k == PROCESSORS && is_on_nodes(r)))
			return k;
	for (k = 0; k < n; k++)
		if (csv_same(name, r->plan->resource[k].p,
			     r->plan->resource[k].n))
			return k ? COLUMNS + k : PROCESSORS;
	return MOST_COLUMNS;
}

static int parse_header(struct reader *r)
{
	struct csv_field line, name;
	bool seen[MOST_COLUMNS] = { false };
	size_t k;

	if (!csv_line(&r->csv, &line))
		return csv_fail(&r->csv, csv_column(NULL),
				"the header line is missing");
	while (csv_cut(&line, ',', &name)) {
		k = find_column(r, name);
		if (k == MOST_COLUMNS)
			return csv_fail(&r->csv, csv_column(NULL),
					"unknown column '%.*s'%s",
					csv_shown(name), name.p,
					is_on_nodes(r) ? ": with --plan nodes a "
							 "window has class "
							 "and nodes"
						       : "");
		if (seen[k])
			return csv_fail(&r->csv, csv_column(NULL),
					"column '%.*s' appears twice",
					csv_shown(name), name.p);
		seen[k] = true;
		if (k == PROCESSORS)
			r->procs = name;
		r->column[r->columns++] = k;
	}
	for (k = BEGIN; k <= (r->plan ? END : PROCESSORS); k++)
		if (!seen[k])
			return csv_fail(&r->csv, csv_column(NULL),
					"column %s is missing", column_name[k]);
	return 0;
}

static bool parse_when(struct csv_field f, struct when *when)
{
	char text[40];

	if (f.n >= sizeof(text))
		return false;
	memcpy(text, f.p, f.n);
	text[f.n] = '\0';
	return units_when(text, when);
}

/* Of a plan 0 is none, as of each other resource. */
static bool parse_procs(struct csv_field f, bool may_be_none, int32_t *procs)
{
	int64_t n = 0;

	if (!csv_digits(&f, INT32_MAX, &n) || f.n || !(n || may_be_none))
		return false;
	*procs = (int32_t)n;
	return true;
}

/* "advance" is what "user" was called before. */
static bool parse_kind(struct csv_field f, uint32_t *kind)
{
	bool user = csv_is(f, "user") || csv_is(f, "advance");

	*kind = user ? FAIR_ADVANCE_USER : FAIR_ADVANCE_MAINTENANCE;
	return user || !f.n || csv_is(f, "maintenance");
}

/* Why it is no amount of resource @k of any class; NULL: it is. */
static const char *parse_amount(const struct reader *r, size_t k,
				struct csv_field f,
				struct maintenance_window *w)
{
	int64_t amount = 0;

	if (f.n && !machine_amount(f.p, f.n, &amount))
		return "no amount";
	w->amount[k] = plan_round_up(r->plan, (uint32_t)k, amount);
	return NULL;
}

static int parse_class(struct reader *r, struct csv_field f,
		       struct maintenance_window *w)
{
	int k = f.n ? machine_class(r->plan->machine, f.p, f.n) : -1;

	if (f.n && k < 0)
		return csv_fail(&r->csv, csv_column("class"),
				"the machine has no class '%.*s'",
				csv_shown(f), f.p);
	w->node_class = k < 0 ? UINT32_MAX : (uint32_t)k;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Adds the node of that name, once. */
static int add_node(struct reader *r, struct csv_field name,
		    struct maintenance_window *w)
{
	int64_t node = node_names_find(r->plan->machine, name.p, name.n);
	uint32_t *more;
	size_t i;

	if (node < 0)
		return csv_fail(&r->csv, csv_column("nodes"),
				"the machine has no node '%.*s'",
				csv_shown(name), name.p);
	for (i = 0; i < w->named; i++)
		if (w->node[i] == (uint32_t)node)
			return 0;
	more = realloc(w->node, (w->named + 1) * sizeof(*more));
	if (!more)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	w->node = more;
	w->node[w->named++] = (uint32_t)node;
	qsort(w->node, w->named, sizeof(*w->node), by_number);
	return 0;
}

/* How many, or names with blanks between. */
static int parse_nodes(struct reader *r, struct csv_field f,
		       struct maintenance_window *w)
{
	struct csv_field digits = f, name;
	int64_t n = 0;

	if (csv_digits(&digits, INT32_MAX, &n) && !digits.n) {
		if (!n)
			return csv_fail(&r->csv, csv_column("nodes"),
					"0 is no number of nodes");
		w->nodes = (int32_t)n;
		return 0;
	}
	while (csv_cut(&f, ' ', &name))
		if (name.n && add_node(r, name, w))
			return -1;
	return 0;
}

static int parse_field(struct reader *r, size_t column, struct csv_field f,
		       struct maintenance_window *w)
{
	struct when *when[COLUMNS] = { 0 };
	const char *why = "neither a time nor a date";
	bool good;

	if (column > COLUMNS) {
		why = parse_amount(r, column - COLUMNS, f, w);
		return why ? csv_fail(&r->csv,
				      r->plan->resource[column - COLUMNS],
				      "'%.*s' is %s", csv_shown(f), f.p, why)
			   : 0;
	}
	if (column == CLASS)
		return parse_class(r, f, w);
	if (column == NODES)
		return parse_nodes(r, f, w);
	if (column == PROCESSORS && r->plan && !f.n)
		return 0;
	when[BEGIN] = &w->begin;
	when[END] = &w->end;
	when[ANNOUNCED] = &w->announced;
	if (column == PROCESSORS) {
		good = parse_procs(f, r->plan, &w->procs);
		why = "not a number of processors";
	} else if (column == KIND) {
		good = parse_kind(f, &w->kind);
		why = "neither maintenance nor user";
	} else {
		good = (column == ANNOUNCED && !f.n) ||
		       parse_when(f, when[column]);
	}
	return good ? 0
		    : csv_fail(&r->csv,
			       column == PROCESSORS
				       ? r->procs
				       : csv_column(column_name[column]),
			       "'%.*s' is %s", csv_shown(f), f.p, why);
}

/* On nodes: those that are named, or of which class, and how many. */
static int complete_nodes(struct reader *r, struct maintenance_window *w)
{
	const struct fair_machine_config *c = &r->plan->config;
	bool has_class = w->node_class != UINT32_MAX;
	int32_t has;

	if (w->named && has_class)
		return csv_fail(&r->csv, csv_column("class"),
				"nodes with names have classes of their own: "
				"leave it empty");
	if (!has_class)
		w->node_class = 0;
	if (w->named)
		return 0;
	if (!has_class && c->classes > 1)
		return csv_fail(&r->csv, csv_column("class"),
				"is missing: the machine has %" PRIu32
				" of them",
				c->classes);
	has = r->plan->nodes.count[w->node_class];
	if (w->nodes > has)
		return csv_fail(&r->csv, csv_column("nodes"),
				"more than the class has, which are %" PRId32,
				has);
	if (!w->nodes)
		w->nodes = has;
	return 0;
}

/* Of a plan: which class, if it matters; all of it if nothing is said. */
static int complete_window(struct reader *r, struct maintenance_window *w)
{
	const struct fair_machine_config *c = &r->plan->config;
	bool whole = true, own = false;
	int32_t has;
	uint32_t k;

	w->amount[0] = w->procs;
	for (k = 0; k < c->resources; k++) {
		whole &= !w->amount[k];
		own |= w->amount[k] && !(c->wide >> k & 1);
	}
	if (w->node_class == UINT32_MAX) {
		if ((whole || own) && c->classes > 1)
			return csv_fail(&r->csv, csv_column("class"),
					"is missing: the machine has %" PRIu32
					" of them",
					c->classes);
		w->node_class = 0;
	}
	for (k = 0; k < c->resources; k++) {
		has = c->amount[(c->wide >> k & 1 ? 0
						  : w->node_class *
							    c->resources) +
				k];
		if (w->amount[k] > has)
			return csv_fail(&r->csv,
					k ? r->plan->resource[k] : r->procs,
					"more than the class has");
		if (whole && !(c->wide >> k & 1))
			w->amount[k] = has;
	}
	w->procs = w->amount[0];
	return 0;
}

static int parse_window(struct reader *r, struct csv_field line)
{
	size_t cap = r->cap ? 2 * r->cap : 16, i;
	struct maintenance_window *w;
	struct csv_field f;

	if (csv_parts(line, ',') != r->columns)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu fields instead of %zu",
				csv_parts(line, ','), r->columns);
	if (r->m->n == r->cap) {
		w = realloc(r->m->window, cap * sizeof(*w));
		if (!w)
			return csv_fail(&r->csv, csv_column(NULL),
					"out of memory");
		r->m->window = w;
		r->cap = cap;
	}
	w = &r->m->window[r->m->n++];
	memset(w, 0, sizeof(*w));
	w->line = r->csv.line;
	w->node_class = r->plan ? UINT32_MAX : 0;
	for (i = 0; csv_cut(&line, ',', &f); i++)
		if (parse_field(r, r->column[i], f, w))
			return -1;
	if (is_on_nodes(r))
		return complete_nodes(r, w);
	return r->plan ? complete_window(r, w) : 0;
}

static int parse_all(struct reader *r)
{
	struct csv_field line;

	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (parse_window(r, line))
			return -1;
	return 0;
}

int maintenance_parse(struct maintenance *m, const char *name, const char *text,
		      size_t bytes, const struct plan *plan)
{
	struct reader r = { 0 };

	memset(m, 0, sizeof(*m));
	m->name = name;
	m->digest = text_digest(text, bytes);
	r.m = m;
	r.plan = plan_is_open(plan) ? plan : NULL;
	csv_open(&r.csv, name, text, bytes, m->error, sizeof(m->error));
	if (!parse_all(&r))
		return 0;
	maintenance_free(m);
	return -1;
}

int maintenance_read(struct maintenance *m, const char *path,
		     const struct plan *plan)
{
	size_t bytes;
	char *text;
	int error;

	memset(m, 0, sizeof(*m));
	if (read_file(path, &text, &bytes, m->error, sizeof(m->error)))
		return -1;
	error = maintenance_parse(m, path, text, bytes, plan);
	free(text);
	return error;
}

void maintenance_free(struct maintenance *m)
{
	while (m->n)
		free(m->window[--m->n].node);
	free(m->window);
	m->window = NULL;
}

int maintenance_sets(const struct maintenance *m, struct plan *plan,
		     char *error, size_t room)
{
	const struct maintenance_window *w = m->window;
	int set = 0;
	size_t i;

	for (i = 0; i < m->n && set >= 0; i++)
		set = plan_set_of(plan, w[i].node, w[i].named);
	if (set < 0)
		snprintf(error, room, "%s:%ld: nodes: %s", m->name,
			 w[i - 1].line,
			 set == -2 ? "out of memory"
				   : "jobs and windows name more than 256 sets "
				     "of nodes");
	return set < 0 ? -1 : 0;
}

static int64_t seconds(const struct when *when, int64_t epoch)
{
	if (!when->given)
		return INT64_MIN;
	return when->at - (when->dated ? epoch : 0);
}

/* NULL, or why a window cannot be, and by which column. */
static const char *wrong(const struct maintenance_window *w,
			 const struct swf *t, enum column *column)
{
	bool epoch = t->unix_start != INT64_MIN;
	int64_t begin, end, known;

	*column = w->begin.dated ? BEGIN : w->end.dated ? END : ANNOUNCED;
	if (!epoch && (w->begin.dated || w->end.dated || w->announced.dated))
		return "a date, but the trace has no UnixStartTime: give "
		       "seconds";
	begin = seconds(&w->begin, t->unix_start);
	end = seconds(&w->end, t->unix_start);
	known = seconds(&w->announced, t->unix_start);
	if (t->jobs && known < t->job[0].submit)
		known = t->job[0].submit;
	*column = END;
	if (end <= begin)
		return "the end is not after the begin";
	if (end - known > FARTHEST)
		return "more than 34 years ahead";
	*column = PROCESSORS;
	return w->procs > t->procs ? "more processors than the machine has"
				   : NULL;
}

int maintenance_check(const struct maintenance *m, const struct swf *t,
		      char *error, size_t room)
{
	const char *why;
	enum column column;
	size_t i;

	for (i = 0; i < m->n; i++) {
		why = wrong(&m->window[i], t, &column);
		if (!why)
			continue;
		snprintf(error, room, "%s:%ld: %s: %s", m->name,
			 m->window[i].line, column_name[column], why);
		return -1;
	}
	return 0;
}

static int earlier(const void *a, const void *b)
{
	const struct maintenance_advance *x = a, *y = b;

	if (x->announced != y->announced)
		return x->announced < y->announced ? -1 : 1;
	return x->advance.number < y->advance.number ? -1 : 1;
}

void maintenance_advances(const struct maintenance *m, int64_t epoch,
			  const struct plan *plan,
			  struct maintenance_advance *advance)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		const struct maintenance_window *w = &m->window[i];
		struct fair_advance *b = &advance[i].advance;

		advance[i].announced = seconds(&w->announced, epoch);
		memset(b, 0, sizeof(*b));
		b->number = i + 1;
		b->from = seconds(&w->begin, epoch);
		b->to = seconds(&w->end, epoch);
		b->procs = w->procs;
		b->node_class = w->node_class;
		memcpy(b->amount, w->amount, sizeof(b->amount));
		b->nodes = w->nodes;
		b->named = w->named ? plan_find_set(plan, w->node, w->named) : 0;
		b->kind = w->kind;
	}
	if (m->n)
		qsort(advance, m->n, sizeof(*advance), earlier);
}
