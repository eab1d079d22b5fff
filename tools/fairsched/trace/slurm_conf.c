/* SPDX-License-Identifier: MIT OR Unlicense */
#include "slurm_conf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv.h"
#include "tools/fairsched/base/read_file.h"

#define MOST_NODES 1000000
#define MOST_RESOURCES 32
#define DEEPEST 10 /* files that include one another */

/* A Gres or a license, and how much of it a line has. */
struct amount {
	size_t resource;
	int64_t n;
};

/* What a NodeName line says of its nodes. */
struct kind {
	int64_t cpus, boards, sockets, cores, threads, spec, memory, reserved;
	int64_t weight;
	struct csv_field gres, features;
	struct amount has[MOST_RESOURCES];
	size_t amounts;
	char types[512]; /* of its Gres, each with : before it */
	bool future;
	long line;
};

struct node {
	char *name;
	size_t kind;
	char *partitions; /* with : between; NULL: none */
};

/* A PartitionName or NodeSet line. */
struct list {
	struct csv_field name, nodes, feature;
	const char *path;
	long line;
};

struct lists {
	struct list *list;
	size_t n;
};

struct resource {
	struct csv_field name;
	int64_t wide; /* licenses: as many; 0: a Gres */
};

/* Private: nodes that make a class, the first of them and how many. */
struct group {
	size_t first, n;
};

struct conf {
	const char *path;   /* of the line that is read */
	long line, outer;   /* its number; that in the first file, or 0 */
	char **text;	    /* the files, and lines put together; kept */
	size_t texts, depth;
	struct kind *kind, any;
	size_t kinds;
	struct node *node;
	size_t nodes, cap;
	struct node **by_name; /* sorted, when all are there */
	struct lists partitions, sets;
	struct list any_partition;
	struct resource resource[MOST_RESOURCES];
	size_t resources;
	struct group *group;
	size_t groups;
	char *error;
	size_t room;
};

static int fail(struct conf *c, const char *format, ...)
{
	va_list list;
	int n = snprintf(c->error, c->room, "%.200s:%ld: ", c->path, c->line);

	va_start(list, format);
	if (n > 0 && (size_t)n < c->room)
		vsnprintf(c->error + n, c->room - (size_t)n, format, list);
	va_end(list);
	return -1;
}

static int no_memory(struct conf *c)
{
	return fail(c, "out of memory");
}

/* A copy that lasts as long as @c; NULL: no memory. */
static char *keep(struct conf *c, const char *p, size_t n)
{
	char **more = realloc(c->text, (c->texts + 1) * sizeof(*more));
	char *copy = malloc(n + 1);

	if (more)
		c->text = more;
	if (!more || !copy) {
		free(copy);
		return NULL;
	}
	memcpy(copy, p, n);
	copy[n] = '\0';
	c->text[c->texts++] = copy;
	return copy;
}

static bool is(struct csv_field f, const char *word)
{
	return f.n == strlen(word) && !strncasecmp(f.p, word, f.n);
}

/* ---- the words of a line ---- */

static void skip_blanks(struct csv_field *s)
{
	while (s->n && strchr(" \t\r", *s->p)) {
		s->p++;
		s->n--;
	}
}

/* Cuts off what is in front of a blank or @mark. */
static struct csv_field cut_word(struct csv_field *s, char mark)
{
	struct csv_field word = { s->p, 0 };

	while (s->n && !strchr(" \t\r", *s->p) && *s->p != mark) {
		s->p++;
		s->n--;
		word.n++;
	}
	return word;
}

/* Key = value, with quotes or without. False: nothing is left, or *failed. */
static bool next_pair(struct conf *c, struct csv_field *s,
		      struct csv_field *key, struct csv_field *value,
		      bool *failed)
{
	const char *end;

	skip_blanks(s);
	if (!s->n)
		return false;
	*key = cut_word(s, '=');
	if (key->n && strchr("+-*/", key->p[key->n - 1]))
		key->n--;
	skip_blanks(s);
	if (!key->n || !s->n || *s->p != '=') {
		*failed = true;
		fail(c, "'%.*s' has no value: keys are KEY=VALUE, and a line "
		     "that goes on ends with \\", csv_shown(*key), key->p);
		return false;
	}
	s->p++;
	s->n--;
	skip_blanks(s);
	end = s->n > 1 && *s->p == '"' ? memchr(s->p + 1, '"', s->n - 1) : NULL;
	if (!end) {
		*value = cut_word(s, '\0');
		return true;
	}
	value->p = s->p + 1;
	value->n = (size_t)(end - value->p);
	s->n -= value->n + 2;
	s->p = end + 1;
	return true;
}

static int number(struct conf *c, struct csv_field key, struct csv_field value,
		  int64_t *n)
{
	struct csv_field rest = value;

	*n = 0;
	if (csv_digits(&rest, INT32_MAX, n) && !rest.n)
		return 0;
	return fail(c, "%.*s: '%.*s' is not an integer from 0 to 2147483647",
		    csv_shown(key), key.p, csv_shown(value), value.p);
}

/* ---- names of nodes ---- */

typedef int each_node(struct conf *c, const char *name, void *context);

static int bad_nodes(struct conf *c, struct csv_field s)
{
	return fail(c, "'%.*s' are no nodes: write n1,n2 or n[1-4,7]",
		    csv_shown(s), s.p);
}

static int expand(struct conf *c, struct csv_field s, const char *before,
		  each_node *f, void *context);

/* 001-100 of a bracket: each number with what is before and behind it. */
static int expand_range(struct conf *c, struct csv_field range,
			struct csv_field behind, const char *before,
			each_node *f, void *context)
{
	struct csv_field rest = range;
	int64_t first = 0, last = 0;
	char name[256];
	bool good = csv_digits(&rest, INT32_MAX, &first);
	int width = (int)(rest.p - range.p);

	if (rest.n && *rest.p == '-') {
		rest.p++;
		rest.n--;
		good &= csv_digits(&rest, INT32_MAX, &last);
	} else {
		last = first;
	}
	if (!good || rest.n || last < first || last - first > MOST_NODES)
		return bad_nodes(c, range);
	for (; first <= last; first++) {
		if (snprintf(name, sizeof(name), "%s%0*" PRId64, before, width,
			     first) >= (int)sizeof(name))
			return bad_nodes(c, behind);
		if (expand(c, behind, name, f, context))
			return -1;
	}
	return 0;
}

/* What one name with brackets stands for, behind @before. */
static int expand(struct conf *c, struct csv_field s, const char *before,
		  each_node *f, void *context)
{
	const char *open = s.n ? memchr(s.p, '[', s.n) : NULL, *close;
	struct csv_field inner, range, behind = { "", 0 };
	size_t n = open ? (size_t)(open - s.p) : s.n;
	char name[256];

	if (strlen(before) + n >= sizeof(name))
		return bad_nodes(c, s);
	snprintf(name, sizeof(name), "%s%.*s", before, (int)n, s.p);
	if (!open)
		return f(c, name, context);
	close = memchr(open, ']', s.n - n);
	if (!close)
		return bad_nodes(c, s);
	inner.p = open + 1;
	inner.n = (size_t)(close - inner.p);
	behind.p = close + 1;
	behind.n = s.n - n - inner.n - 2;
	if (!inner.n)
		return bad_nodes(c, s);
	while (csv_cut(&inner, ',', &range))
		if (expand_range(c, range, behind, name, f, context))
			return -1;
	return 0;
}

/* Cuts a name off, up to a comma that is in no bracket. */
static bool cut_name(struct csv_field *s, struct csv_field *name)
{
	bool inside = false;
	size_t i;

	if (!s->n)
		return false;
	for (i = 0; i < s->n && (inside || s->p[i] != ','); i++)
		inside = s->p[i] == '[' || (inside && s->p[i] != ']');
	*name = (struct csv_field){ s->p, i };
	i += i < s->n;
	s->p += i;
	s->n -= i;
	return true;
}

static int each_of(struct conf *c, struct csv_field s, each_node *f,
		   void *context)
{
	struct csv_field name;

	while (cut_name(&s, &name))
		if (!name.n || expand(c, name, "", f, context))
			return name.n ? -1 : bad_nodes(c, s);
	return 0;
}

/* ---- NodeName ---- */

/* The resource of that name, a new one if there is none; -1: too many. */
static int resource_of(struct conf *c, struct csv_field name)
{
	size_t i;

	for (i = 0; i < c->resources; i++)
		if (csv_same(c->resource[i].name, name.p, name.n))
			return (int)i;
	if (!name.n || memchr(name.p, ',', name.n))
		return fail(c, "'%.*s' is no name of a Gres or license",
			    csv_shown(name), name.p);
	if (i == MOST_RESOURCES)
		return fail(c, "more than %d kinds of Gres and licenses",
			    MOST_RESOURCES);
	c->resource[i].name = name;
	return (int)c->resources++;
}

/* 4, or 2G: of 1024 each. */
static bool count_of(struct csv_field s, int64_t *n)
{
	static const char units[] = "KkMmGgTtPp";
	const char *unit;
	int shift;

	*n = 0;
	if (!csv_digits(&s, INT32_MAX, n))
		return false;
	unit = s.n == 1 ? memchr(units, *s.p, sizeof(units) - 1) : NULL;
	if (!unit)
		return !s.n;
	shift = 10 * ((int)(unit - units) / 2 + 1);
	if (*n > INT64_C(1) << (50 - shift))
		return false;
	*n <<= shift;
	return true;
}

static int add_amount(struct conf *c, struct kind *k, struct csv_field name,
		      int64_t n)
{
	int r = resource_of(c, name);
	size_t i = 0;

	if (r < 0)
		return -1;
	while (i < k->amounts && k->has[i].resource != (size_t)r)
		i++;
	if (i == k->amounts)
		k->has[k->amounts++] = (struct amount){ (size_t)r, 0 };
	k->has[i].n += n;
	return 0;
}

/* gpu, gpu:4, gpu:a100:4, gpu:a100:no_consume:4 or gpu:4(S:0-1) */
static int read_gres(struct conf *c, struct kind *k, struct csv_field f)
{
	const char *about = memchr(f.p, '(', f.n);
	struct csv_field all = f, name, part;
	size_t used = strlen(k->types);
	bool consumed = true;
	int64_t n = 1;

	if (about)
		f.n = (size_t)(about - f.p);
	csv_cut(&f, ':', &name);
	while (f.n && csv_cut(&f, ':', &part)) {
		if (is(part, "no_consume"))
			consumed = false;
		else if (!f.n && count_of(part, &n))
			break;
		else if (used + part.n + 2 > sizeof(k->types) || !part.n)
			return fail(c, "Gres: '%.*s' is not NAME:TYPE:COUNT",
				    csv_shown(all), all.p);
		else
			used += (size_t)snprintf(k->types + used,
						 sizeof(k->types) - used,
						 ":%.*s", (int)part.n, part.p);
	}
	return consumed ? add_amount(c, k, name, n) : 0;
}

static const struct {
	const char *key;
	size_t at; /* of struct kind */
} numbers[] = {
	{ "CPUs", offsetof(struct kind, cpus) },
	{ "Procs", offsetof(struct kind, cpus) },
	{ "Boards", offsetof(struct kind, boards) },
	{ "Sockets", offsetof(struct kind, sockets) },
	{ "SocketsPerBoard", offsetof(struct kind, sockets) },
	{ "CoresPerSocket", offsetof(struct kind, cores) },
	{ "ThreadsPerCore", offsetof(struct kind, threads) },
	{ "CoreSpecCount", offsetof(struct kind, spec) },
	{ "RealMemory", offsetof(struct kind, memory) },
	{ "MemSpecLimit", offsetof(struct kind, reserved) },
	{ "Weight", offsetof(struct kind, weight) },
};

static int read_node_key(struct conf *c, struct kind *k, struct csv_field key,
			 struct csv_field value)
{
	struct csv_field state = value;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (is(key, numbers[i].key))
			return number(c, key, value,
				      (int64_t *)(void *)((char *)k +
							  numbers[i].at));
	if (is(key, "Gres"))
		k->gres = value;
	if (is(key, "Feature") || is(key, "Features"))
		k->features = value;
	if (is(key, "State"))
		k->future = is(cut_word(&state, '+'), "FUTURE");
	return 0;
}

static int64_t or_one(int64_t n)
{
	return n ? n : 1;
}

/* What follows from the keys of a line: processors, memory, Gres. */
static int end_kind(struct conf *c, struct kind *k)
{
	struct csv_field list = k->gres, f;
	int64_t threads = or_one(k->threads);
	double all = (double)or_one(k->boards) * (double)or_one(k->sockets) *
		     (double)or_one(k->cores) * (double)threads;

	if (!k->cpus && all <= INT32_MAX)
		k->cpus = (int64_t)all;
	k->cpus -= k->spec * threads;
	k->memory = or_one(k->memory) - k->reserved;
	if (k->cpus < 1)
		return fail(c, "CPUs: the nodes have no processors");
	if (k->memory < 0)
		return fail(c, "MemSpecLimit: more than RealMemory");
	while (list.n && csv_cut(&list, ',', &f))
		if (read_gres(c, k, f))
			return -1;
	return 0;
}

static int add_node(struct conf *c, const char *name, void *kind)
{
	size_t cap = c->cap ? 2 * c->cap : 256;
	struct node *more;

	if (c->nodes == MOST_NODES)
		return fail(c, "more than %d nodes", MOST_NODES);
	if (c->nodes == c->cap) {
		more = realloc(c->node, cap * sizeof(*more));
		if (!more)
			return no_memory(c);
		c->node = more;
		c->cap = cap;
	}
	more = &c->node[c->nodes];
	*more = (struct node){ keep(c, name, strlen(name)), *(size_t *)kind,
			       NULL };
	if (!more->name)
		return no_memory(c);
	c->nodes++;
	return 0;
}

static int read_nodes(struct conf *c, struct csv_field names,
		      struct csv_field rest)
{
	struct kind *more, k = c->any;
	struct csv_field key, value;
	bool failed = false;

	while (next_pair(c, &rest, &key, &value, &failed))
		if (read_node_key(c, &k, key, value))
			return -1;
	if (failed)
		return -1;
	if (is(names, "DEFAULT")) {
		c->any = k;
		return 0;
	}
	if (k.future)
		return 0;
	k.line = c->outer ? c->outer : c->line;
	if (end_kind(c, &k))
		return -1;
	more = realloc(c->kind, (c->kinds + 1) * sizeof(*more));
	if (!more)
		return no_memory(c);
	c->kind = more;
	c->kind[c->kinds] = k;
	return each_of(c, names, add_node, &(size_t){ c->kinds++ });
}

/* ---- PartitionName, NodeSet, Licenses ---- */

static int read_list(struct conf *c, struct lists *l, struct list *any,
		     struct csv_field name, struct csv_field rest)
{
	struct csv_field key, value;
	struct list *more, x = *any;
	bool failed = false;

	while (next_pair(c, &rest, &key, &value, &failed)) {
		if (is(key, "Nodes"))
			x.nodes = value;
		if (is(key, "Feature"))
			x.feature = value;
	}
	if (failed)
		return -1;
	if (is(name, "DEFAULT")) {
		*any = x;
		return 0;
	}
	if (!name.n || memchr(name.p, ':', name.n) ||
	    memchr(name.p, ',', name.n))
		return fail(c, "'%.*s' is no name of a partition",
			    csv_shown(name), name.p);
	x.name = name;
	x.path = c->path;
	x.line = c->line;
	more = realloc(l->list, (l->n + 1) * sizeof(*more));
	if (!more)
		return no_memory(c);
	l->list = more;
	l->list[l->n++] = x;
	return 0;
}

/* fluent:30,matlab:5 */
static int read_licenses(struct conf *c, struct csv_field list)
{
	struct csv_field f, name;
	int64_t n = 1;
	int r;

	while (list.n && csv_cut(&list, ',', &f)) {
		csv_cut(&f, ':', &name);
		n = 1;
		if (f.n && !count_of(f, &n))
			return fail(c, "Licenses: '%.*s' is no number",
				    csv_shown(f), f.p);
		r = resource_of(c, name);
		if (r < 0)
			return -1;
		c->resource[r].wide += n;
	}
	return 0;
}

/* ---- the files ---- */

static int read_text(struct conf *c, const char *text, size_t bytes);

static int include(struct conf *c, struct csv_field file)
{
	const char *slash = strrchr(c->path, '/'), *outer = c->path;
	int folder = slash && *file.p != '/' ? (int)(slash + 1 - c->path) : 0;
	long line = c->line, was = c->outer;
	char path[1024], *text, *name;
	size_t bytes;
	int error;

	if (!file.n)
		return fail(c, "Include: the file is missing");
	if (++c->depth == DEEPEST)
		return fail(c, "Include: more than %d files include one"
			       " another", DEEPEST);
	snprintf(path, sizeof(path), "%.*s%.*s", folder, c->path, (int)file.n,
		 file.p);
	if (read_file(path, &text, &bytes, c->error, c->room)) {
		char why[512];

		snprintf(why, sizeof(why), "%.500s", c->error);
		return fail(c, "Include: %s", why);
	}
	name = keep(c, path, strlen(path));
	c->path = name;
	c->outer = was ? was : line;
	error = name ? read_text(c, text, bytes) : no_memory(c);
	free(text);
	if (error)
		return error;
	c->depth--;
	c->path = outer;
	c->line = line;
	c->outer = was;
	return 0;
}

/* A line without its comment, with all that follows a backslash. */
static int read_line(struct conf *c, struct csv_field s)
{
	struct csv_field key, value, rest = s;
	bool failed = false;

	skip_blanks(&rest);
	key = cut_word(&rest, '=');
	skip_blanks(&rest);
	if (is(key, "Include"))
		return include(c, cut_word(&rest, '\0'));
	if (!is(key, "NodeName") && !is(key, "PartitionName") &&
	    !is(key, "NodeSet") && !is(key, "Licenses"))
		return 0;
	if (!next_pair(c, &s, &key, &value, &failed))
		return -1;
	if (is(key, "Licenses"))
		return read_licenses(c, value);
	if (is(key, "NodeName"))
		return read_nodes(c, value, s);
	if (is(key, "NodeSet"))
		return read_list(c, &c->sets, &(struct list){ 0 }, value, s);
	return read_list(c, &c->partitions, &c->any_partition, value, s);
}

/* The end of what a line says: # begins a comment, but \# does not. */
static size_t without_comment(const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i] == '#' && (!i || p[i - 1] != '\\'))
			return i;
	return n;
}

static int read_text(struct conf *c, const char *text, size_t bytes)
{
	const char *end = text + bytes;
	char *line = malloc(bytes + 1), *kept;
	size_t used = 0, n;
	int error = 0;
	bool goes_on;

	if (!line)
		return no_memory(c);
	for (c->line = 0; text < end && !error;) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		stop = stop ? stop : end;
		c->line++;
		n = without_comment(text, (size_t)(stop - text));
		while (n && strchr(" \t\r", text[n - 1]))
			n--;
		goes_on = n && text[n - 1] == '\\';
		memcpy(line + used, text, n - goes_on);
		used += n - goes_on;
		text = stop < end ? stop + 1 : end;
		if (goes_on && text < end)
			continue;
		kept = keep(c, line, used);
		error = kept ? read_line(c, (struct csv_field){ kept, used })
			     : no_memory(c);
		used = 0;
	}
	free(line);
	return error;
}

/* ---- which nodes are in which partitions ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct node *const *)a)->name,
		      (*(struct node *const *)b)->name);
}

static int sort_nodes(struct conf *c)
{
	size_t i;

	c->by_name = malloc((c->nodes + 1) * sizeof(struct node *));
	if (!c->by_name)
		return no_memory(c);
	for (i = 0; i < c->nodes; i++)
		c->by_name[i] = &c->node[i];
	qsort(c->by_name, c->nodes, sizeof(struct node *), by_name);
	for (i = 1; i < c->nodes; i++) {
		const struct node *a = c->by_name[i - 1], *b = c->by_name[i];
		long x = c->kind[a->kind].line, y = c->kind[b->kind].line;

		if (strcmp(a->name, b->name))
			continue;
		c->line = x > y ? x : y;
		return fail(c, "NodeName: %.100s appears twice, first in line"
			       " %ld", a->name, x < y ? x : y);
	}
	return 0;
}

/* Puts a node into a partition, once. */
static int join(struct conf *c, struct node *n, const struct list *p)
{
	size_t was = n->partitions ? strlen(n->partitions) : 0;
	const char *last = n->partitions ? strrchr(n->partitions, ':') : NULL;
	char *more;

	last = last ? last + 1 : n->partitions;
	if (last && csv_is(p->name, last))
		return 0;
	more = realloc(n->partitions, was + p->name.n + 2);
	if (!more)
		return no_memory(c);
	n->partitions = more;
	snprintf(more + was, p->name.n + 2, "%s%.*s", was ? ":" : "",
		 (int)p->name.n, p->name.p);
	return 0;
}

static int join_named(struct conf *c, const char *name, void *partition)
{
	struct node wanted = { (char *)(uintptr_t)name, 0, NULL },
		    *key = &wanted, **found;

	found = bsearch(&key, c->by_name, c->nodes, sizeof(struct node *),
			by_name);
	if (found)
		return join(c, *found, partition);
	return fail(c, "Nodes: %.100s is no node: no line NodeName has it",
		    name);
}

static bool has_feature(const struct kind *k, struct csv_field feature)
{
	struct csv_field list = k->features, f;

	while (list.n && csv_cut(&list, ',', &f))
		if (csv_same(f, feature.p, feature.n))
			return true;
	return false;
}

static int join_all(struct conf *c, const struct list *p,
		    struct csv_field feature)
{
	size_t i;

	for (i = 0; i < c->nodes; i++)
		if ((!feature.n ||
		     has_feature(&c->kind[c->node[i].kind], feature)) &&
		    join(c, &c->node[i], p))
			return -1;
	return 0;
}

static int fill(struct conf *c, struct list *p)
{
	struct csv_field rest = p->nodes, name;
	struct list *set;
	size_t i;

	while (cut_name(&rest, &name)) {
		set = NULL;
		for (i = 0; i < c->sets.n && !set; i++)
			if (csv_same(c->sets.list[i].name, name.p, name.n))
				set = &c->sets.list[i];
		if (is(name, "ALL") ? join_all(c, p, (struct csv_field){ 0 })
		    : set && set->feature.n ? join_all(c, p, set->feature)
		    : each_of(c, set ? set->nodes : name, join_named, p))
			return -1;
	}
	return 0;
}

static int fill_partitions(struct conf *c)
{
	size_t i;

	for (i = 0; i < c->partitions.n; i++) {
		c->path = c->partitions.list[i].path;
		c->line = c->partitions.list[i].line;
		if (fill(c, &c->partitions.list[i]))
			return -1;
	}
	return 0;
}

/* ---- classes ---- */

static int64_t amount_of(const struct kind *k, size_t resource)
{
	size_t i;

	for (i = 0; i < k->amounts; i++)
		if (k->has[i].resource == resource)
			return k->has[i].n;
	return 0;
}

static bool is_same_kind(const struct conf *c, const struct kind *a,
			 const struct kind *b)
{
	size_t r;

	for (r = 0; a != b && r < c->resources; r++)
		if (amount_of(a, r) != amount_of(b, r))
			return false;
	return a == b || (a->cpus == b->cpus && a->memory == b->memory &&
			  a->weight == b->weight &&
			  !strcmp(a->types, b->types) &&
			  csv_same(a->features, b->features.p, b->features.n));
}

static bool is_same(const struct conf *c, const struct node *a,
		    const struct node *b)
{
	const char *x = a->partitions ? a->partitions : "";
	const char *y = b->partitions ? b->partitions : "";

	return !strcmp(x, y) &&
	       is_same_kind(c, &c->kind[a->kind], &c->kind[b->kind]);
}

static int64_t weight_of(const struct conf *c, const struct group *g)
{
	int64_t weight = c->kind[c->node[g->first].kind].weight;

	return weight ? weight : 1;
}

/* Behind all groups of no more weight. */
static void sort_group(struct conf *c, struct group g)
{
	size_t i = c->groups++;

	for (; i && weight_of(c, &c->group[i - 1]) > weight_of(c, &g); i--)
		c->group[i] = c->group[i - 1];
	c->group[i] = g;
}

static int find_groups(struct conf *c)
{
	struct group *more;
	size_t i, g;

	for (i = 0; i < c->nodes; i++) {
		for (g = 0; g < c->groups; g++)
			if (is_same(c, &c->node[c->group[g].first],
				    &c->node[i]))
				break;
		if (g < c->groups) {
			c->group[g].n++;
			continue;
		}
		more = realloc(c->group, (c->groups + 1) * sizeof(*more));
		if (!more)
			return no_memory(c);
		c->group = more;
		sort_group(c, (struct group){ i, 1 });
	}
	return c->nodes ? 0 : fail(c, "no line NodeName has a node");
}

/* ---- the table ---- */

static void print_properties(FILE *f, const struct kind *k)
{
	struct csv_field list = k->features, one;
	const char *types = k->types;
	bool any = false;

	while (list.n && csv_cut(&list, ',', &one)) {
		fprintf(f, "%s%.*s", any ? ":" : "", (int)one.n, one.p);
		any = true;
	}
	fputs(any || !*types ? types : types + 1, f);
}

static void print_class(FILE *f, const struct conf *c, size_t g)
{
	const struct node *n = &c->node[c->group[g].first];
	const struct kind *k = &c->kind[n->kind];
	int64_t amount;
	size_t r;

	fputs(n->name, f);
	if (c->group[g].n > 1)
		fprintf(f, "+%zu", c->group[g].n - 1);
	fprintf(f, ",%zu,%" PRId64 ",%" PRId64 "M,", c->group[g].n, k->cpus,
		k->memory);
	for (r = 0; r < c->resources; r++) {
		amount = c->resource[r].wide;
		if (!amount)
			amount = amount_of(k, r);
		else if (g)
			amount = 0; /* of the whole machine: in one class */
		fprintf(f, "%" PRId64 ",", amount);
	}
	print_properties(f, k);
	fprintf(f, ",%s\n", n->partitions ? n->partitions : "");
}

/* A resource is special if some class has none of it. */
static const char *mark_of(const struct conf *c, size_t r)
{
	size_t g;

	if (c->resource[r].wide)
		return "*";
	for (g = 0; g < c->groups; g++)
		if (!amount_of(&c->kind[c->node[c->group[g].first].kind], r))
			return "?";
	return "";
}

static int print_table(struct conf *c, char **csv, size_t *bytes, long **line)
{
	FILE *f = open_memstream(csv, bytes);
	size_t g, r;
	bool good;

	*line = malloc(c->groups * sizeof(**line));
	if (!f || !*line) {
		if (f)
			fclose(f);
		return no_memory(c);
	}
	fputs("class,count,cpus,ram,", f);
	for (r = 0; r < c->resources; r++)
		fprintf(f, "%.*s%s,", (int)c->resource[r].name.n,
			c->resource[r].name.p, mark_of(c, r));
	fputs("properties,partitions\n", f);
	for (g = 0; g < c->groups; g++) {
		(*line)[g] = c->kind[c->node[c->group[g].first].kind].line;
		print_class(f, c, g);
	}
	good = !ferror(f);
	return !fclose(f) && good ? 0 : no_memory(c);
}

static void close_conf(struct conf *c)
{
	size_t i;

	for (i = 0; i < c->nodes; i++)
		free(c->node[i].partitions);
	for (i = 0; i < c->texts; i++)
		free(c->text[i]);
	free(c->text);
	free(c->kind);
	free(c->node);
	free(c->by_name);
	free(c->partitions.list);
	free(c->sets.list);
	free(c->group);
}

int slurm_conf_table(const char *path, const char *text, size_t bytes,
		     char **csv, size_t *csv_bytes, long **line, char *error,
		     size_t room)
{
	struct conf c = { 0 };
	int status;

	*csv = NULL;
	*line = NULL;
	c.path = path;
	c.error = error;
	c.room = room;
	status = read_text(&c, text, bytes);
	c.path = path;
	if (!status)
		status = sort_nodes(&c) || fill_partitions(&c) ? -1 : 0;
	if (!status)
		c.path = path;
	if (!status && find_groups(&c))
		status = -1;
	if (!status)
		status = print_table(&c, csv, csv_bytes, line);
	close_conf(&c);
	if (!status)
		return 0;
	free(*csv);
	free(*line);
	*csv = NULL;
	*line = NULL;
	return -1;
}

bool slurm_conf_is(const char *text, size_t bytes)
{
	struct csv_field s = { text, bytes }, line, key;

	while (csv_cut(&s, '\n', &line)) {
		skip_blanks(&line);
		if (!line.n || *line.p == '#')
			continue;
		key = cut_word(&line, '=');
		skip_blanks(&line);
		return is(key, "Include") ||
		       (line.n && *line.p == '=' &&
			!memchr(key.p, ',', key.n));
	}
	return false;
}
