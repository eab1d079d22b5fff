/* SPDX-License-Identifier: MIT OR Unlicense */
#include "dues.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/names.h"

/* A user, a group, or a node of the tree. */
struct node {
	uint32_t above, depth, shares; /* TREE_ROOT; whose shares it divides */
	uint32_t row;
	int64_t number;
	double demand, due;
	int64_t got;
	struct dues_row sum; /* of those whose row is this one */
	bool is_leaf;	     /* has jobs of its own in the window */
};

struct arrival {
	int64_t submit;
	size_t job;
};

struct maker {
	const struct swf *trace;
	const struct tree *tree; /* or NULL */
	const struct sim_result *result;
	enum dues_kind kind;
	struct node *node; /* and one more, the root's row */
	uint32_t nodes;
	struct arrival *active; /* by their submits; those in hand at first */
	const struct node **seen; /* in a window */
	size_t n;
	int64_t from, to;
	void (*row)(void *ctx, const struct dues_row *r);
	void *ctx;
};

/* ---- users, groups and nodes ---- */

static uint32_t leaf_of(const struct maker *m, const struct swf_job *j)
{
	if (m->tree)
		return j->node;
	return m->kind == DUES_USERS ? j->user : j->share_group;
}

/* The account whose shares @n divides with others: not one that has none. */
static uint32_t level_of(const struct tree *t, uint32_t n)
{
	do
		n = t->node[n].parent;
	while (n != TREE_ROOT && t->node[n].shares == TREE_PARENT);
	return n;
}

static void plant(struct maker *m)
{
	const struct tree *t = m->tree;
	uint32_t i, up;

	for (i = 0; i < m->nodes; i++) {
		struct node *n = &m->node[i];

		n->above = level_of(t, i);
		for (up = n->above; up != TREE_ROOT; up = level_of(t, up))
			n->depth++;
		n->shares = t->node[i].shares == TREE_PARENT
				    ? 0
				    : t->node[i].shares;
		if (m->kind == DUES_ACCOUNTS)
			n->row = t->node[i].parent == TREE_ROOT
					 ? m->nodes
					 : t->node[i].parent;
	}
}

static bool open_nodes(struct maker *m, const struct sim_rules *rules)
{
	bool listed = rules->shares &&
		      rules->by_group == (m->kind == DUES_ACCOUNTS);
	const struct swf *t = m->trace;
	size_t i;

	for (i = 0; i < t->jobs; i++)
		if (leaf_of(m, &t->job[i]) >= m->nodes)
			m->nodes = leaf_of(m, &t->job[i]) + 1;
	if (m->tree)
		m->nodes = m->tree->nodes;
	m->node = calloc((size_t)m->nodes + 1, sizeof(*m->node));
	m->seen = malloc(((size_t)m->nodes + 1) * sizeof(*m->seen));
	if (!m->node || !m->seen)
		return false;
	for (i = 0; i <= m->nodes; i++) {
		m->node[i].above = TREE_ROOT;
		m->node[i].row = (uint32_t)i;
		m->node[i].shares = 1;
	}
	for (i = 0; i < t->jobs && !m->tree; i++) {
		const struct swf_job *j = &t->job[i];
		struct node *n = &m->node[leaf_of(m, j)];

		n->number = m->kind == DUES_USERS ? j->user_id : j->group;
		if (listed)
			n->shares = shares_of(rules->shares, n->number);
	}
	if (m->tree)
		plant(m);
	return true;
}

/* ---- a window ---- */

static int64_t clamp(int64_t time, int64_t from, int64_t to)
{
	return time < from ? from : time < to ? time : to;
}

static void add_job(struct maker *m, size_t i)
{
	const struct swf_job *j = &m->trace->job[i];
	int64_t start = m->result[i].start, end = start + j->run;
	int64_t got = clamp(end, m->from, m->to) - clamp(start, m->from, m->to);
	int64_t left = end - clamp(m->from, start, end);
	int64_t here = m->to - clamp(j->submit, m->from, m->to);
	double demand = (double)(left < here ? left : here) * j->procs;
	uint32_t up = leaf_of(m, j);

	if (!(demand > 0))
		return;
	m->node[up].is_leaf = true;
	for (; up != TREE_ROOT; up = m->node[up].above) {
		if (!(m->node[up].demand > 0))
			m->seen[m->n++] = &m->node[up];
		m->node[up].demand += demand;
		m->node[up].got += got * j->procs;
	}
}

/* Accounts before what is below them; then who is satisfied first. */
static int filled_before(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;
	double fill, other;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->above != y->above)
		return x->above < y->above ? -1 : 1;
	if (!x->shares != !y->shares)
		return x->shares ? -1 : 1;
	fill = x->demand / (x->shares ? x->shares : 1);
	other = y->demand / (y->shares ? y->shares : 1);
	if (fill < other || fill > other)
		return fill < other ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Shares out @rest among @n of one account; those without shares come last. */
static void fill(const struct maker *m, const struct node *const *seen,
		 size_t n, double rest)
{
	double shares = 0, part;
	struct node *x;
	size_t i;

	for (i = 0; i < n; i++)
		shares += seen[i]->shares;
	/* All before i have their demand, or no more than their part. */
	for (i = 0; i < n; i++) {
		x = &m->node[seen[i] - m->node];
		part = x->shares ? rest * x->shares / shares
				 : rest / (double)(n - i);
		x->due = part < x->demand ? part : x->demand;
		rest = fmax(rest - x->due, 0);
		shares -= x->shares;
	}
}

static void add_row(const struct maker *m, const struct node *n)
{
	struct node *to = &m->node[n->row];
	uint32_t i = n->row;

	to->sum.from = m->from;
	to->sum.index = i;
	to->sum.number = to->number;
	to->sum.node = m->tree && i < m->nodes ? &m->tree->node[i] : NULL;
	to->sum.shares = to->shares;
	to->sum.demand += n->demand;
	to->sum.due += n->due;
	to->sum.got += n->got;
}

static void end_window(struct maker *m)
{
	struct node *x;
	double all = 0;
	size_t i, k;

	for (i = 0; i < m->n; i++)
		if (m->seen[i]->above == TREE_ROOT)
			all += (double)m->seen[i]->got;
	qsort(m->seen, m->n, sizeof(*m->seen), filled_before);
	for (i = 0; i < m->n; i = k) {
		uint32_t above = m->seen[i]->above;

		for (k = i; k < m->n && m->seen[k]->above == above; k++)
			;
		fill(m, m->seen + i, k - i,
		     above == TREE_ROOT ? all : m->node[above].due);
	}
	for (i = 0; i < m->n; i++)
		if (m->seen[i]->is_leaf)
			add_row(m, m->seen[i]);
	for (i = 0; i < m->n; i++) {
		x = &m->node[m->seen[i]->row];
		if (x->sum.demand > 0)
			m->row(m->ctx, &x->sum);
		memset(&x->sum, 0, sizeof(x->sum));
		x = &m->node[m->seen[i] - m->node];
		x->demand = x->due = 0;
		x->got = 0;
		x->is_leaf = false;
	}
	m->n = 0;
}

/* ---- all windows ---- */

static int by_submit(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static bool open_jobs(struct maker *m)
{
	const struct swf *t = m->trace;
	bool sorted = true;
	size_t i;

	m->active = malloc(t->jobs * sizeof(*m->active));
	for (i = 0; m->active && i < t->jobs; i++) {
		sorted &= !i || t->job[i - 1].submit <= t->job[i].submit;
		m->active[i].submit = t->job[i].submit;
		m->active[i].job = i;
	}
	if (m->active && !sorted)
		qsort(m->active, t->jobs, sizeof(*m->active), by_submit);
	return m->active != NULL;
}

static bool ends_after(const struct maker *m, size_t job)
{
	return m->result[job].start + m->trace->job[job].run > m->to;
}

static void each_window(struct maker *m, int64_t window)
{
	const struct swf *t = m->trace;
	int64_t last = t->measured ? t->to : INT64_MAX;
	size_t active = 0, next = 0, i, n;
	uint64_t left;

	/* Before next all have arrived; those that have not ended are first. */
	for (m->from = t->from; active || next < t->jobs; m->from = m->to) {
		if (!active && m->active[next].submit > m->from)
			m->from += (m->active[next].submit - m->from) / window *
				   window;
		if (m->from >= last)
			return;
		/* Times may be negative: the difference may need 64 bits. */
		left = (uint64_t)last - (uint64_t)m->from;
		m->to = left < (uint64_t)window ? last : m->from + window;
		while (next < t->jobs && m->active[next].submit < m->to)
			m->active[active++] = m->active[next++];
		for (i = n = 0; i < active; i++) {
			add_job(m, m->active[i].job);
			if (ends_after(m, m->active[i].job))
				m->active[n++] = m->active[i];
		}
		active = n;
		end_window(m);
	}
}

int dues_each(const struct swf *t, const struct sim_rules *rules,
	      const struct sim_result *result, enum dues_kind kind,
	      int64_t window, void (*row)(void *ctx, const struct dues_row *r),
	      void *ctx)
{
	struct maker m = { 0 };
	bool open;

	m.trace = t;
	m.tree = rules->tree && rules->tree->nodes ? rules->tree : NULL;
	m.result = result;
	m.kind = kind;
	m.row = row;
	m.ctx = ctx;
	open = open_nodes(&m, rules) && open_jobs(&m);
	if (open)
		each_window(&m, window);
	free(m.node);
	free(m.seen);
	free(m.active);
	return open ? 0 : -1;
}

struct sum {
	double beyond, got;
};

static void add_deviation(void *ctx, const struct dues_row *r)
{
	struct sum *s = ctx;

	s->got += (double)r->got;
	s->beyond += fmax((double)r->got - r->due, 0);
}

int dues_deviation(const struct swf *t, const struct sim_rules *rules,
		   const struct sim_result *result, enum dues_kind kind,
		   int64_t window, double *deviation)
{
	struct sum s = { 0, 0 };
	int error = dues_each(t, rules, result, kind, window, add_deviation, &s);

	*deviation = s.got > 0 ? s.beyond / s.got : 0;
	return error;
}

/* ---- CSV ---- */

struct writer {
	const struct swf *trace;
	const struct sim_rules *rules;
	enum dues_kind kind;
	FILE *f;
};

static void write_node(const struct writer *w, const struct dues_row *r)
{
	const struct tree_node *n = r->node;
	uint32_t up = n && n->is_user ? n->parent : TREE_ROOT;
	const char *account = n && !n->is_user ? n->name
			      : up == TREE_ROOT
				      ? "root"
				      : w->rules->tree->node[up].name;

	text_csv(w->f, account, strlen(account));
	putc(',', w->f);
	if (n && n->is_user)
		text_csv(w->f, n->name, strlen(n->name));
}

static void write_row(void *ctx, const struct dues_row *r)
{
	const struct writer *w = ctx;
	const struct names *names = w->trace->names;

	fprintf(w->f, "%" PRId64 ",", r->from);
	if (w->rules->tree && w->rules->tree->nodes) {
		write_node(w, r);
	} else if (w->kind == DUES_USERS) {
		putc(',', w->f);
		names_csv(names, SACCT_USER, r->number, w->f);
	} else {
		names_csv(names, SACCT_ACCOUNT, r->number, w->f);
		putc(',', w->f);
	}
	fprintf(w->f, ",%" PRIu32 ",%.0f,%.3f,%" PRId64 "\n", r->shares,
		r->demand, r->due, r->got);
}

int dues_write(const struct swf *t, const struct sim_rules *rules,
	       const struct sim_result *result, FILE *f)
{
	struct writer w = { t, rules, DUES_USERS, f };
	int error;

	fputs("from,account,user,shares,demand,due,got\n", f);
	error = dues_each(t, rules, result, w.kind, DUES_WINDOW, write_row, &w);
	w.kind = DUES_ACCOUNTS;
	return error ? error
		     : dues_each(t, rules, result, w.kind, DUES_WINDOW,
				 write_row, &w);
}
