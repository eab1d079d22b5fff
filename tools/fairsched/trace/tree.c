/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/read_file.h"

/* ---- nodes ---- */

static uint32_t *slot_of(const struct tree *t, struct csv_field name)
{
	return t->slot + text_digest(name.p, name.n) % t->slots;
}

static void link_node(struct tree *t, uint32_t i)
{
	uint32_t *slot = slot_of(t, csv_column(t->node[i].name));

	t->node[i].next = *slot;
	*slot = i;
}

/* Room for one more node. */
static bool grow(struct tree *t)
{
	uint32_t cap = t->cap ? 2 * t->cap : 64, *slot, i;
	struct tree_node *node;

	if (t->nodes < t->cap)
		return true;
	if (cap > TREE_NODES)
		return false;
	node = realloc(t->node, cap * sizeof(*node));
	if (!node)
		return false;
	t->node = node;
	slot = realloc(t->slot, cap * sizeof(*slot));
	if (!slot)
		return false;
	t->slot = slot;
	t->cap = t->slots = cap;
	memset(slot, 0xff, cap * sizeof(*slot));
	for (i = 0; i < t->nodes; i++)
		link_node(t, i);
	return true;
}

uint32_t tree_add(struct tree *t, bool is_user, uint32_t parent,
		  struct csv_field name, uint32_t shares)
{
	struct tree_node *n;

	if (!grow(t))
		return TREE_NONE;
	n = t->node + t->nodes;
	memset(n, 0, sizeof(*n));
	n->name = malloc(name.n + 1);
	if (!n->name)
		return TREE_NONE;
	memcpy(n->name, name.p, name.n);
	n->name[name.n] = '\0';
	n->is_user = is_user;
	n->parent = parent;
	n->shares = shares;
	link_node(t, t->nodes);
	return t->nodes++;
}

/* The first node of that name, or the next one after @i. */
static uint32_t named(const struct tree *t, struct csv_field name,
		      bool is_user, uint32_t i)
{
	if (!t->slots)
		return TREE_NONE;
	i = i == TREE_NONE ? *slot_of(t, name) : t->node[i].next;
	while (i != TREE_NONE && (t->node[i].is_user != is_user ||
				  !csv_is(name, t->node[i].name)))
		i = t->node[i].next;
	return i;
}

uint32_t tree_account(const struct tree *t, struct csv_field name)
{
	return named(t, name, false, TREE_NONE);
}

uint32_t tree_user_below(const struct tree *t, uint32_t account,
			 struct csv_field name)
{
	uint32_t i = named(t, name, true, TREE_NONE);

	while (i != TREE_NONE && t->node[i].parent != account)
		i = named(t, name, true, i);
	return i;
}

/* The only listed user of that name. */
static uint32_t only_user(const struct tree *t, struct csv_field name)
{
	uint32_t i = TREE_NONE, found = TREE_NONE;

	while ((i = named(t, name, true, i)) != TREE_NONE) {
		if (!t->node[i].is_listed)
			continue;
		if (found != TREE_NONE)
			return TREE_NONE;
		found = i;
	}
	return found;
}

static uint32_t add_unlisted(struct tree *t, bool is_user, uint32_t parent,
			     struct csv_field name)
{
	bool is_gone = t->tells_gone && t->is_exported;
	uint32_t n = tree_add(t, is_user, parent, name, !is_gone);

	if (n != TREE_NONE) {
		t->node[n].is_gone = is_gone;
		t->gone += is_gone;
		t->unlisted++;
	}
	return n;
}

uint32_t tree_user(struct tree *t, struct csv_field account,
		   struct csv_field user)
{
	bool is_root = !account.n || (t->is_exported && csv_is(account, "root"));
	uint32_t a = is_root ? TREE_ROOT : tree_account(t, account), u;

	if (!account.n ||
	    (!is_root && !(t->tells_gone && t->is_exported) &&
	     (a == TREE_NONE || !t->node[a].is_listed))) {
		u = only_user(t, user);
		if (u != TREE_NONE)
			return u;
	}
	if (!is_root && a == TREE_NONE) {
		a = add_unlisted(t, false, TREE_ROOT, account);
		if (a == TREE_NONE)
			return TREE_NONE;
	}
	u = tree_user_below(t, a, user);
	return u == TREE_NONE ? add_unlisted(t, true, a, user) : u;
}

void tree_free(struct tree *t)
{
	while (t->nodes)
		free(t->node[--t->nodes].name);
	free(t->node);
	free(t->slot);
	t->node = NULL;
	t->slot = NULL;
	t->cap = t->slots = t->unlisted = 0;
}

/* ---- the file ---- */

enum column { PARENT, NAME, SHARES, KIND, ACCOUNT, USER, PARTITION, CLUSTER };
#define COLUMNS (CLUSTER + 1)
#define HEADINGS 64
#define CLUSTERS 8 /* of which a message shows the names */

static const struct heading {
	const char *name;
	enum column column;
	bool exported; /* by sacctmgr */
} heading[] = {
	{ "parent", PARENT, false },	{ "name", NAME, false },
	{ "shares", SHARES, false },	{ "kind", KIND, false },
	{ "Account", ACCOUNT, true },	{ "User", USER, true },
	{ "Share", SHARES, true },	{ "Par Name", PARENT, true },
	{ "ParentName", PARENT, true }, { "Partition", PARTITION, true },
	{ "Cluster", CLUSTER, true },
};

#define HEADING_WORDS (sizeof(heading) / sizeof(*heading))

struct line {
	struct csv_field parent, name;
	uint32_t shares;
	bool is_user, has_kind;
	long line;
};

struct reader {
	struct tree *t;
	struct csv csv;
	const struct heading *column[HEADINGS]; /* NULL: not known */
	const char *word[COLUMNS];		/* what the file calls it */
	size_t columns;
	bool exported; /* by sacctmgr */
	struct line *line;
	size_t lines, cap;
	struct csv_field *parent; /* of each line, sorted */
	const char *cluster;	  /* the only one that counts, or NULL */
	struct csv_field clusters[CLUSTERS]; /* of all lines */
	size_t seen;
};

static int fail(struct reader *r, const char *why)
{
	return csv_fail(&r->csv, csv_column(NULL), "%s", why);
}

static int bad(struct reader *r, enum column c, struct csv_field f,
	       const char *why)
{
	return csv_fail(&r->csv, csv_column(r->word[c]), "'%.*s' %s",
			csv_shown(f), f.p, why);
}

static int missing(struct reader *r, const char *column)
{
	return csv_fail(&r->csv, csv_column(NULL), "column %s is missing%s",
			column,
			r->exported ? ": export by sacctmgr -P show assoc "
				      "format=account,user,share,parentname"
				    : ": the columns are parent,name,shares "
				      "and perhaps kind");
}

static int parse_heading(struct reader *r, struct csv_field f)
{
	const struct heading *h = NULL;
	size_t i;

	for (i = 0; i < HEADING_WORDS && !h; i++)
		if (heading[i].exported == r->exported &&
		    csv_is(f, heading[i].name))
			h = heading + i;
	if (!h && !r->exported)
		return csv_fail(&r->csv, csv_column(NULL),
				"unknown column '%.*s'", csv_shown(f), f.p);
	if (h && r->word[h->column])
		return csv_fail(&r->csv, csv_column(NULL),
				"column %s appears twice", h->name);
	if (h)
		r->word[h->column] = h->name;
	r->column[r->columns++] = h;
	return 0;
}

static int parse_header(struct reader *r)
{
	struct csv_field line, f;

	if (!csv_line(&r->csv, &line))
		return fail(r, "the header line is missing");
	r->exported = memchr(line.p, '|', line.n) != NULL;
	r->t->is_exported = r->exported;
	if (csv_parts(line, r->exported ? '|' : ',') > HEADINGS)
		return fail(r, "too many columns");
	while (csv_cut(&line, r->exported ? '|' : ',', &f))
		if (parse_heading(r, f))
			return -1;
	if (!r->word[PARENT])
		return missing(r, r->exported ? "ParentName" : "parent");
	if (!r->exported && !r->word[NAME])
		return missing(r, "name");
	if (r->exported && !r->word[ACCOUNT])
		return missing(r, "Account");
	if (r->exported && !r->word[USER])
		return missing(r, "User");
	if (!r->word[SHARES])
		return missing(r, r->exported ? "Share" : "shares");
	return 0;
}

static int parse_shares(struct reader *r, struct csv_field f, uint32_t *shares)
{
	struct csv_field digits = f;
	int64_t n = 0;

	*shares = TREE_PARENT;
	if (csv_is(f, "parent"))
		return 0;
	if (!csv_digits(&digits, TREE_PARENT - 1, &n) || digits.n)
		return bad(r, SHARES, f,
			   "is neither an integer from 0 to 4294967294 nor "
			   "parent");
	*shares = (uint32_t)n;
	return 0;
}

static int parse_kind(struct reader *r, struct csv_field f, struct line *l)
{
	l->has_kind = true;
	l->is_user = csv_is(f, "user");
	return l->is_user || csv_is(f, "account")
		       ? 0
		       : bad(r, KIND, f, "is neither account nor user");
}

/* Notes the cluster of a line. */
static void note_cluster(struct reader *r, struct csv_field cluster)
{
	size_t i = 0;

	while (i < r->seen && !csv_same(r->clusters[i], cluster.p, cluster.n))
		i++;
	if (i == r->seen && r->seen < CLUSTERS)
		r->clusters[r->seen++] = cluster;
}

/* One cluster is left. */
static int check_clusters(struct reader *r)
{
	char names[256] = "";
	size_t i, n = 0;

	for (i = 0; i < r->seen && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%.*s",
				      i ? ", " : "",
				      csv_shown(r->clusters[i]),
				      r->clusters[i].p);
	if (r->cluster && r->word[CLUSTER] && !r->lines)
		snprintf(r->t->error, sizeof(r->t->error),
			 "%.200s: no association is of cluster '%.60s': the"
			 " file has %s", r->csv.name, r->cluster, names);
	else if (!r->cluster && r->seen > 1)
		snprintf(r->t->error, sizeof(r->t->error),
			 "%.200s: associations of several clusters (%s): choose"
			 " one by --cluster NAME", r->csv.name, names);
	else
		return 0;
	return -1;
}

/* What is common to all lines of one partition: it is none. */
static int parse_exported(struct reader *r, const struct csv_field *f,
			  struct line *l)
{
	l->has_kind = true;
	l->is_user = f[USER].n != 0;
	l->name = f[l->is_user ? USER : ACCOUNT];
	l->parent = f[l->is_user ? ACCOUNT : PARENT];
	if (f[PARTITION].n)
		return bad(r, PARTITION, f[PARTITION],
			   "has shares of its own, which is not supported");
	if (!f[ACCOUNT].n)
		return bad(r, ACCOUNT, f[ACCOUNT], "is no name");
	return 0;
}

/* Returns OTHER_CLUSTER for a line that does not count. */
#define OTHER_CLUSTER 1

static int parse_line(struct reader *r, struct csv_field text, struct line *l)
{
	struct csv_field f[COLUMNS] = { { NULL, 0 } }, part;
	char mark = r->exported ? '|' : ',';
	size_t i, parts = csv_parts(text, mark);

	memset(l, 0, sizeof(*l));
	l->line = r->csv.line;
	for (i = 0; i < COLUMNS; i++)
		f[i].p = "";
	if (memchr(text.p, 0, text.n)) /* it would end a name */
		return csv_fail(&r->csv, csv_column(NULL),
				"the line has a zero byte");
	if (parts != r->columns)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu field%s instead of %zu", parts,
				parts == 1 ? "" : "s", r->columns);
	for (i = 0; csv_cut(&text, mark, &part); i++)
		if (r->column[i])
			f[r->column[i]->column] = part;
	l->parent = f[PARENT];
	l->name = f[NAME];
	note_cluster(r, f[CLUSTER]);
	if (r->cluster && r->word[CLUSTER] && !csv_is(f[CLUSTER], r->cluster))
		return OTHER_CLUSTER;
	if (r->exported && parse_exported(r, f, l))
		return -1;
	if (r->word[KIND] && parse_kind(r, f[KIND], l))
		return -1;
	if (!l->name.n)
		return bad(r, NAME, l->name, "is no name");
	if (!l->parent.n && !csv_is(l->name, "root"))
		return bad(r, PARENT, l->parent, "is no account");
	return parse_shares(r, f[SHARES], &l->shares);
}

static int add_line(struct reader *r, struct csv_field text)
{
	size_t cap = r->cap ? 2 * r->cap : 64;
	struct line *more;
	int status;

	if (r->lines == r->cap) {
		more = realloc(r->line, cap * sizeof(*more));
		if (!more)
			return fail(r, "out of memory");
		r->line = more;
		r->cap = cap;
	}
	status = parse_line(r, text, &r->line[r->lines]);
	r->lines += !status;
	return status < 0 ? status : 0;
}

/* ---- the tree of the lines ---- */

static int by_text(const void *a, const void *b)
{
	const struct csv_field *x = a, *y = b;
	int order = memcmp(x->p, y->p, x->n < y->n ? x->n : y->n);

	return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Names that are parents are accounts. */
static int find_kinds(struct reader *r)
{
	size_t i;

	r->parent = malloc(r->lines * sizeof(*r->parent));
	if (!r->parent)
		return fail(r, "out of memory");
	for (i = 0; i < r->lines; i++)
		r->parent[i] = r->line[i].parent;
	qsort(r->parent, r->lines, sizeof(*r->parent), by_text);
	for (i = 0; i < r->lines; i++)
		if (!r->line[i].has_kind)
			r->line[i].is_user =
				!bsearch(&r->line[i].name, r->parent, r->lines,
					 sizeof(*r->parent), by_text);
	return 0;
}

static bool is_root(const struct line *l)
{
	return !l->is_user && csv_is(l->name, "root");
}

/* Names an account or user again. */
static int repeated(struct reader *r, const struct line *l, uint32_t was)
{
	r->csv.line = l->line;
	return csv_fail(&r->csv,
			csv_column(r->exported
					   ? r->word[l->is_user ? USER : ACCOUNT]
					   : r->word[NAME]),
			"'%.*s' appears twice, first in line %ld",
			csv_shown(l->name), l->name.p, r->t->node[was].line);
}

static int add_account(struct reader *r, const struct line *l)
{
	uint32_t was = tree_account(r->t, l->name);

	if (was != TREE_NONE)
		return repeated(r, l, was);
	if (is_root(l) && l->parent.n)
		return bad(r, PARENT, l->parent, "cannot be above the root");
	was = is_root(l) ? 0 : tree_add(r->t, false, TREE_ROOT, l->name,
					l->shares);
	if (was == TREE_NONE)
		return fail(r, "out of memory");
	if (is_root(l))
		return 0;
	r->t->node[was].is_listed = true;
	r->t->node[was].line = l->line;
	return 0;
}

static int find_parent(struct reader *r, const struct line *l,
		       uint32_t *parent)
{
	*parent = TREE_ROOT;
	if (csv_is(l->parent, "root"))
		return 0;
	*parent = tree_account(r->t, l->parent);
	if (*parent != TREE_NONE)
		return 0;
	return csv_fail(&r->csv,
			csv_column(r->word[l->is_user && r->exported ? ACCOUNT
								     : PARENT]),
			"'%.*s' is no account of this file",
			csv_shown(l->parent), l->parent.p);
}

static int add_user(struct reader *r, const struct line *l)
{
	uint32_t parent, i;

	if (find_parent(r, l, &parent))
		return -1;
	i = tree_user_below(r->t, parent, l->name);
	if (i != TREE_NONE)
		return repeated(r, l, i);
	i = tree_add(r->t, true, parent, l->name, l->shares);
	if (i == TREE_NONE)
		return fail(r, "out of memory");
	r->t->node[i].is_listed = true;
	r->t->node[i].line = l->line;
	return 0;
}

/* The accounts above @l lead to the root, and are not too many. */
static int check_way(struct reader *r, const struct line *l)
{
	uint32_t i = tree_account(r->t, l->name), steps = 0;

	while (i != TREE_ROOT && steps++ <= r->t->nodes)
		i = r->t->node[i].parent;
	if (i != TREE_ROOT)
		return bad(r, PARENT, l->parent, "is below this account itself");
	return steps <= TREE_DEPTH
		       ? 0
		       : bad(r, PARENT, l->parent,
			     "is too deep: at most 1000 accounts are below one another");
}

typedef int each_line(struct reader *r, const struct line *l);

static int set_parent(struct reader *r, const struct line *l)
{
	uint32_t parent;

	if (find_parent(r, l, &parent))
		return -1;
	r->t->node[tree_account(r->t, l->name)].parent = parent;
	return 0;
}

static int for_each(struct reader *r, bool is_user, each_line *f)
{
	size_t i;

	for (i = 0; i < r->lines; i++) {
		r->csv.line = r->line[i].line;
		if (r->line[i].is_user == is_user &&
		    (f == add_account || !is_root(&r->line[i])) &&
		    f(r, &r->line[i]))
			return -1;
	}
	return 0;
}

static int parse_all(struct reader *r)
{
	struct csv_field text;

	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &text))
		if (add_line(r, text))
			return -1;
	if (check_clusters(r))
		return -1;
	if (!r->lines)
		return fail(r, "the file has no account and no user");
	if (find_kinds(r) || for_each(r, false, add_account) ||
	    for_each(r, false, set_parent) || for_each(r, false, check_way))
		return -1;
	return for_each(r, true, add_user);
}

int tree_parse(struct tree *t, const char *name, const char *text, size_t bytes,
	       const char *cluster)
{
	struct reader r;
	int error;

	memset(t, 0, sizeof(*t));
	memset(&r, 0, sizeof(r));
	r.t = t;
	r.cluster = cluster;
	csv_open(&r.csv, name, text, bytes, t->error, sizeof(t->error));
	error = parse_all(&r);
	free(r.line);
	free(r.parent);
	if (error)
		tree_free(t);
	return error;
}

int tree_read(struct tree *t, const char *path, const char *cluster)
{
	size_t bytes;
	char *text;
	int error;

	memset(t, 0, sizeof(*t));
	if (read_file(path, &text, &bytes, t->error, sizeof(t->error)))
		return -1;
	error = tree_parse(t, path, text, bytes, cluster);
	free(text);
	return error;
}
