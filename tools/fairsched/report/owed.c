/* SPDX-License-Identifier: MIT OR Unlicense */
#include "owed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/table.h"
#include "tools/fairsched/base/text.h"

/* ---- entries: what a row is of, in their order ---- */

/* An account, a user of one, or all users of one name. */
struct entry {
	uint32_t node; /* the first of them */
	uint32_t depth;
};

struct maker {
	struct owed *o;
	const struct used *u;
	double *share; /* of each node */
	double *used;  /* of each node in a cell, accounts' too */
	double *all;   /* the same in all months, processors */
	uint32_t *name; /* of each user: the first node of that name */
	uint32_t *rank;
	struct entry *entry;
	size_t entries;
	uint32_t *place; /* of a node's entry */
};

static const struct tree_node *node_of(const struct maker *m, uint32_t n)
{
	return m->u->tree.node + n;
}

/* The account above @n whose share its siblings divide. */
static uint32_t level_of(const struct maker *m, uint32_t n)
{
	do
		n = node_of(m, n)->parent;
	while (n != TREE_ROOT && node_of(m, n)->shares == TREE_PARENT);
	return n;
}

static double counted(const struct tree_node *n)
{
	return n->shares == TREE_PARENT ? 0 : (double)n->shares;
}

/* From a node to the root: shares / those of its level, multiplied. */
static double share_of(const struct maker *m, const double *level, uint32_t n)
{
	uint32_t nodes = m->u->tree.nodes, above;
	double share = 1;

	for (; n != TREE_ROOT && share > 0; n = above) {
		above = level_of(m, n);
		share *= counted(node_of(m, n));
		if (share > 0)
			share /= level[above == TREE_ROOT ? nodes : above];
	}
	return share;
}

/* An account without shares of its own has those of what is below it. */
static bool find_shares(struct maker *m)
{
	uint32_t nodes = m->u->tree.nodes, n, above;
	double *level = calloc((size_t)nodes + 1, sizeof(*level));

	if (!level)
		return false;
	for (n = 0; n < nodes; n++) {
		above = level_of(m, n);
		level[above == TREE_ROOT ? nodes : above] +=
			counted(node_of(m, n));
	}
	for (n = 0; n < nodes; n++) {
		if (node_of(m, n)->shares == TREE_PARENT)
			continue;
		m->share[n] = share_of(m, level, n);
		above = node_of(m, n)->parent;
		for (; above != TREE_ROOT &&
		       node_of(m, above)->shares == TREE_PARENT;
		     above = node_of(m, above)->parent)
			m->share[above] += m->share[n];
	}
	free(level);
	return true;
}

/* Adds what nodes used to the accounts above them. Return: the total. */
static double sum_up(const struct maker *m, const double *own, double *used)
{
	uint32_t nodes = m->u->tree.nodes, n, above;
	double total = own[nodes];

	memset(used, 0, nodes * sizeof(*used));
	for (n = 0; n < nodes; n++) {
		total += own[n];
		used[n] += own[n];
		for (above = node_of(m, n)->parent; above != TREE_ROOT;
		     above = node_of(m, above)->parent)
			used[above] += own[n];
	}
	return total;
}

static double *all_months(const struct maker *m)
{
	uint32_t nodes = m->u->tree.nodes, n;
	double *sum = calloc((size_t)nodes + 1, sizeof(*sum));
	size_t month;

	for (month = 0; sum && month < m->u->months; month++)
		for (n = 0; n <= nodes; n++)
			sum[n] += used_cell(m->u, month, USED_PROCESSORS)[n];
	return sum;
}

/* ---- the order of entries ---- */

struct sorted {
	const char *name;
	double used;
	uint32_t parent, node;
};

static int by_name(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* Siblings by what they used, the most first. */
static int by_use(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->used < y->used || x->used > y->used)
		return x->used > y->used ? -1 : 1;
	return by_name(a, b);
}

static void add_entry(struct maker *m, const struct sorted *s, uint32_t depth)
{
	struct entry *e = m->entry + m->entries;

	m->place[s->node] = (uint32_t)m->entries++;
	e->node = s->node;
	e->depth = depth;
}

/* The first of siblings among @n sorted ones. */
static size_t first_child(const struct sorted *s, size_t n, uint32_t parent)
{
	size_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Depth first; the way back is over the parents. */
static void walk(struct maker *m, const struct sorted *s, size_t n,
		 size_t *way)
{
	uint32_t at = TREE_ROOT, depth = 0;
	size_t i = first_child(s, n, at);

	for (;;) {
		if (i < n && s[i].parent == at) {
			add_entry(m, s + i, depth);
			if (node_of(m, s[i].node)->is_user) {
				i++;
				continue;
			}
			way[s[i].node] = i;
			at = s[i].node;
			depth++;
			i = first_child(s, n, at);
		} else if (at == TREE_ROOT) {
			return;
		} else {
			i = way[at] + 1;
			at = node_of(m, at)->parent;
			depth--;
		}
	}
}

/* All nodes, or accounts only, or users only; what each used in all. */
static size_t list_nodes(const struct maker *m, struct sorted *s)
{
	const struct owed_by *by = &m->o->by;
	uint32_t n;
	size_t i = 0;

	for (n = 0; n < m->u->tree.nodes; n++) {
		if (node_of(m, n)->is_user ? !by->user : !by->account)
			continue;
		s[i].name = node_of(m, n)->name;
		s[i].used = m->all[n];
		s[i].parent = by->account ? node_of(m, n)->parent : TREE_ROOT;
		s[i++].node = n;
	}
	return i;
}

/* Joins the users of one name. */
static size_t join_users(struct maker *m, struct sorted *s, size_t n)
{
	size_t i, k = 0;

	qsort(s, n, sizeof(*s), by_name);
	for (i = 0; i < n; i++) {
		if (k && !strcmp(s[k - 1].name, s[i].name))
			s[k - 1].used += s[i].used;
		else
			s[k++] = s[i];
		m->name[s[i].node] = s[k - 1].node;
	}
	return k;
}

static bool find_entries(struct maker *m)
{
	size_t nodes = m->u->tree.nodes, n, i;
	struct sorted *s = malloc(nodes * sizeof(*s));
	size_t *way = malloc(nodes * sizeof(*way));

	if (s && way) {
		n = list_nodes(m, s);
		if (!m->o->by.account)
			n = join_users(m, s, n);
		qsort(s, n, sizeof(*s), by_use);
		if (m->o->by.account)
			walk(m, s, n, way);
		for (i = 0; i < n && !m->o->by.account; i++)
			add_entry(m, s + i, 0);
	}
	free(s);
	free(way);
	return s && way;
}

/* ---- rows ---- */

static void name_month(const struct maker *m, size_t month, char *text,
		       size_t room)
{
	int64_t at = m->u->month + (int64_t)month;

	*text = '\0';
	if (m->o->by.month)
		snprintf(text, room, "%04" PRId64 "-%02" PRId64, at / 12,
			 at % 12 + 1);
}

static const char *parent_name(const struct maker *m, uint32_t n)
{
	n = node_of(m, n)->parent;
	return n == TREE_ROOT ? "root" : node_of(m, n)->name;
}

static void describe(const struct maker *m, const struct entry *e,
		     struct owed_row *row)
{
	const struct tree_node *n = node_of(m, e->node);

	row->depth = e->depth;
	if (n->is_user)
		row->user = n->name;
	else
		row->account = n->name;
	if (!m->o->by.account)
		return;
	row->parent = parent_name(m, e->node);
	if (n->is_user && n->parent != TREE_ROOT)
		row->account = row->parent;
	row->has_shares = true;
	row->shares = n->shares;
	row->rank = m->rank ? m->rank[e->node] : 0;
}

static void account_for(struct owed_row *row, double total)
{
	row->used_share = total > 0 ? row->used / total : 0;
	row->owed = row->share * total - row->used;
}

/* One row for each entry in a cell, and one of all. */
static void add_rows(struct maker *m, size_t month, enum used_resource r)
{
	struct owed_row *row = m->o->row + m->o->rows, *at;
	double total = sum_up(m, used_cell(m->u, month, r), m->used);
	size_t i;
	uint32_t n;

	for (i = 0; i <= m->entries; i++) {
		at = row + i;
		memset(at, 0, sizeof(*at));
		name_month(m, month, at->month, sizeof(at->month));
		at->resource = r;
		if (i == m->entries)
			break;
		n = m->entry[i].node;
		describe(m, m->entry + i, at);
		at->share = m->o->by.account ? m->share[n] : 0;
		at->used = m->o->by.account ? m->used[n] : 0;
	}
	at->share = 1;
	at->used = total;
	for (n = 0; n < m->u->tree.nodes && !m->o->by.account; n++) {
		if (!node_of(m, n)->is_user || !m->o->by.user)
			continue;
		at = row + m->place[m->name[n]];
		at->share += m->share[n];
		at->used += m->used[n];
	}
	for (i = 0; i <= m->entries; i++)
		account_for(row + i, total);
	m->o->rows += m->entries + 1;
}

static bool make_rows(struct maker *m)
{
	size_t resources = m->o->by.resource ? USED_RESOURCES : 1;
	size_t rows = m->entries + 1, month;
	int r;

	if (SIZE_MAX / sizeof(*m->o->row) / resources / m->u->months < rows)
		return false;
	m->o->row = malloc(rows * resources * m->u->months *
			   sizeof(*m->o->row));
	if (!m->o->row)
		return false;
	for (month = 0; month < m->u->months; month++)
		for (r = 0; r < (int)resources; r++)
			if (!r || m->u->has[r])
				add_rows(m, month, (enum used_resource)r);
	return true;
}

static bool make(struct maker *m)
{
	size_t nodes = m->u->tree.nodes;
	double *users = all_months(m);
	bool done;

	m->share = calloc(nodes, sizeof(*m->share));
	m->used = malloc(nodes * sizeof(*m->used));
	m->all = malloc(nodes * sizeof(*m->all));
	m->name = calloc(nodes, sizeof(*m->name));
	m->entry = malloc(nodes * sizeof(*m->entry));
	m->place = calloc(nodes, sizeof(*m->place));
	done = users && m->share && m->used && m->all && m->name && m->entry &&
	       m->place;
	if (done)
		(void)sum_up(m, users, m->all);
	free(users);
	return done && find_shares(m) && find_entries(m) && make_rows(m);
}

int owed_make(struct owed *o, const struct used *u, const struct owed_by *by)
{
	struct maker m = { 0 };
	int status = 0;

	memset(o, 0, sizeof(*o));
	o->by = *by;
	m.o = o;
	m.u = u;
	if (by->account && by->user && !by->month) {
		m.rank = used_ranks(u);
		status = m.rank ? 0 : EXIT_FAILED;
	}
	if (!status && !make(&m))
		status = run_error("out of memory");
	free(m.share);
	free(m.used);
	free(m.all);
	free(m.name);
	free(m.rank);
	free(m.entry);
	free(m.place);
	return status;
}

void owed_free(struct owed *o)
{
	free(o->row);
	o->row = NULL;
	o->rows = 0;
}

/* ---- output ---- */

static const char *shares_text(const struct owed_row *r, char *text, size_t n)
{
	*text = '\0';
	if (r->has_shares && r->shares == TREE_PARENT)
		snprintf(text, n, "parent");
	else if (r->has_shares)
		snprintf(text, n, "%" PRIu32, r->shares);
	return text;
}

static const char *label(const struct owed_row *r)
{
	return r->user ? r->user : r->account ? r->account : "total";
}

/* Processor-hours, GB-hours or GPU-hours. */
static double in_hours(const struct owed_row *r, double seconds)
{
	return seconds / 3600 / (r->resource == USED_MEMORY ? 1024 : 1);
}

/* -0 is nothing owed. */
static double plain(double x)
{
	return x > -0.005 && x < 0.005 ? 0 : x;
}

static void add_head(struct table *t, const struct owed *o)
{
	table_row(t, TABLE_TITLE, "");
	if (o->by.account)
		table_cell(t, NULL, "shares");
	table_cell(t, NULL, "share");
	table_cell(t, NULL, "used");
	table_cell(t, NULL, "used");
	table_cell(t, NULL, "owed");
	if (o->by.account && o->by.user && !o->by.month)
		table_cell(t, NULL, "rank");
}

static void add_line(struct table *t, const struct owed *o,
		     const struct owed_row *r)
{
	char shares[16], name[TABLE_NAME];

	snprintf(name, sizeof(name), "%*s%s", 2 * (int)r->depth, "", label(r));
	table_row(t, TABLE_ROW, name);
	if (o->by.account)
		table_cell(t, NULL, "%s",
			   shares_text(r, shares, sizeof(shares)));
	table_cell(t, NULL, "%.2f%%", 100 * r->share);
	table_cell(t, NULL, "%.2f", in_hours(r, r->used));
	table_cell(t, NULL, "%.2f%%", 100 * r->used_share);
	table_cell(t, NULL, "%.2f", plain(in_hours(r, r->owed)));
	if (r->rank)
		table_cell(t, NULL, "%" PRIu32, r->rank);
}

static bool is_same_table(const struct owed_row *a, const struct owed_row *b)
{
	return !strcmp(a->month, b->month) && a->resource == b->resource;
}

/* The rows up to @end, which have the month and the resource of the first. */
static int write_part(const struct owed *o, const struct owed_row *r,
		      const struct owed_row *end, FILE *f, size_t room)
{
	struct table t;

	fprintf(f, "%s%s%s\n", r->month, *r->month ? ", " : "",
		r->resource == USED_MEMORY ? "GB-hours"
		: r->resource == USED_GPUS ? "GPU-hours"
					   : "processor-hours");
	table_open(&t);
	add_head(&t, o);
	for (; r < end; r++)
		add_line(&t, o, r);
	table_print(&t, f, room);
	return table_close(&t);
}

int owed_write_table(const struct owed *o, FILE *f, size_t room)
{
	const struct owed_row *r = o->row, *end = r + o->rows, *next;
	int error = 0;

	for (; r < end && !error; r = next) {
		for (next = r + 1; next < end && is_same_table(r, next); next++)
			;
		error = write_part(o, r, next, f, room);
		if (next < end)
			putc('\n', f);
	}
	return error;
}

static void write_name(const char *name, FILE *f)
{
	if (name)
		text_csv(f, name, strlen(name));
	putc(',', f);
}

/* Rows of one level add up; those of another one are their sums. */
static const char *level(const struct owed_row *r)
{
	return r->user ? "user" : r->account ? "account" : "total";
}

void owed_write_csv(const struct owed *o, FILE *f)
{
	const struct owed_row *r = o->row, *end = r + o->rows;
	char shares[16];

	fputs("month,resource,account,user,parent,shares,share,used,"
	      "used_share,owed,rank,level\n",
	      f);
	for (; r < end; r++) {
		fprintf(f, "%s,%s,", r->month, used_resource_text[r->resource]);
		write_name(r->account, f);
		write_name(r->user, f);
		write_name(r->parent, f);
		fprintf(f, "%s,%.9f,%.3f,%.9f,%.3f,",
			shares_text(r, shares, sizeof(shares)), r->share,
			r->used, r->used_share, plain(r->owed));
		if (r->rank)
			fprintf(f, "%" PRIu32, r->rank);
		fprintf(f, ",%s\n", level(r));
	}
}

static void write_text(const char *key, const char *text, FILE *f)
{
	if (!text || !*text)
		return;
	fprintf(f, "\"%s\": ", key);
	text_json(f, text);
	fputs(", ", f);
}

void owed_write_json(const struct owed *o, FILE *f)
{
	const struct owed_row *r = o->row, *end = r + o->rows;
	char shares[16];

	for (; r < end; r++) {
		fputs(r == o->row ? "[{" : ",\n {", f);
		write_text("month", r->month, f);
		write_text("resource", used_resource_text[r->resource], f);
		write_text("account", r->account, f);
		write_text("user", r->user, f);
		write_text("parent", r->parent, f);
		write_text("shares", shares_text(r, shares, sizeof(shares)), f);
		fprintf(f,
			"\"share\": %.9f, \"used\": %.3f, \"used_share\": "
			"%.9f, \"owed\": %.3f",
			r->share, r->used, r->used_share, plain(r->owed));
		if (r->rank)
			fprintf(f, ", \"rank\": %" PRIu32, r->rank);
		putc('}', f);
	}
	fputs("]\n", f);
}
