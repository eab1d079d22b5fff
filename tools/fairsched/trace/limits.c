/* SPDX-License-Identifier: MIT OR Unlicense */
#include "limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	      { "queue", FAIR_ENTITY_QUEUE },
	      { "partition", FAIR_ENTITY_QUEUE } };

static const struct {
	const char *name;
	uint32_t resource;
} resources[] = { { "jobs", FAIR_LIMIT_JOBS },
		  { "processors", FAIR_LIMIT_PROCS },
		  { "cpus", FAIR_LIMIT_PROCS } };

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

/* An entry of that kind and name, without a limit; NULL: no memory. */
static struct limits_entry *add_entry(struct limits *l, uint32_t kind,
				      struct csv_field name)
{
	struct limits_entry *e;
	size_t i;

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
	for (i = 0; i < LIMITS_RESOURCES; i++)
		e->amount[i] = FAIR_LIMIT_NONE;
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

static int parse_line(struct reader *r, struct csv_field line)
{
	struct csv_field f[COLUMNS] = { { NULL, 0 } }, part, digits;
	size_t n = csv_parts(line, ','), k, m;
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
			   "is none of user, group, account, qos, queue");
	if (!f[NAME].n)
		return bad(r, NAME, f[NAME], "is no name: * is each");
	for (m = 0; m < COUNT(resources) &&
		    !csv_is(f[RESOURCE], resources[m].name);
	     m++)
		;
	if (m == COUNT(resources))
		return bad(r, RESOURCE, f[RESOURCE],
			   "is neither jobs nor processors");
	digits = f[AMOUNT];
	if (!csv_digits(&digits, INT32_MAX, &amount) || digits.n)
		return bad(r, AMOUNT, f[AMOUNT],
			   "is not an integer from 0 to 2147483647");
	e = add_entry(r->l, kinds[k].kind, f[NAME]);
	if (!e)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m = resources[m].resource;
	e->amount[m] = amount;
	e->line[m] = r->csv.line;
	return 0;
}

static long line_of(const struct limits_entry *e)
{
	return e->line[0] ? e->line[0] : e->line[1];
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

	if (n)
		qsort(l->entry, n, sizeof(*l->entry), by_owner);
	for (i = 1; i < n; i++) {
		e = l->entry + i;
		if (compare_owners(to, e)) {
			*++to = *e;
			continue;
		}
		m = e->line[0] ? 0 : 1;
		r->csv.line = e->line[m];
		if (to->line[m])
			return csv_fail(&r->csv, csv_column("name"),
					"'%s' has a limit of %s already, in "
					"line %ld", e->name ? e->name : "*",
					m == FAIR_LIMIT_JOBS ? "jobs"
							     : "processors",
					to->line[m]);
		to->amount[m] = e->amount[m];
		to->line[m] = e->line[m];
		free(e->name);
		e->name = NULL;
	}
	if (n)
		l->entries = (size_t)(to - l->entry) + 1;
	return 0;
}

static int parse_all(struct reader *r)
{
	struct csv_field line;

	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (parse_line(r, line))
			return -1;
	return merge_entries(r);
}

int limits_parse(struct limits *l, const char *name, const char *text,
		 size_t bytes)
{
	struct reader r = { 0 };

	memset(l, 0, sizeof(*l));
	l->path = name;
	l->digest = text_digest(text, bytes);
	r.l = l;
	csv_open(&r.csv, name, text, bytes, l->error, sizeof(l->error));
	if (!parse_all(&r))
		return 0;
	limits_free(l);
	return -1;
}

int limits_read(struct limits *l, const char *path)
{
	size_t bytes;
	char *text;
	int error;

	memset(l, 0, sizeof(*l));
	if (read_file(path, &text, &bytes, l->error, sizeof(l->error)))
		return -1;
	error = limits_parse(l, path, text, bytes);
	free(text);
	return error;
}

void limits_free(struct limits *l)
{
	while (l->entries)
		free(l->entry[--l->entries].name);
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

/* The field of a job that tells its user, group or queue. */
static int64_t number_of(const struct swf_job *j, uint32_t kind)
{
	switch (kind) {
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
			    l->entry[i].kind == FAIR_ENTITY_QOS;
		     k++)
			if (csv_is(name[k], l->entry[i].name))
				number[i] = (int64_t)k + 1;
	free(name);
	return 0;
}

/* The number of an entry's name in the trace; -1: there is none. */
static int64_t number_named(const struct swf *t, const struct limits_entry *e)
{
	enum sacct_kind kind = e->kind == FAIR_ENTITY_USER ? SACCT_USER
			       : e->kind == FAIR_ENTITY_GROUP
				       ? SACCT_ACCOUNT
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
		    number[i] >= 0) {
			list[n].number = number[i];
			list[n++].what = i;
		}
	if (n)
		qsort(list, n, sizeof(*list), by_number);
	for (i = 0; i < t->jobs; i++) {
		found = find_number(list, n, number_of(&t->job[i], kind));
		t->job[i].entry[kind] = found ? (uint32_t)found->what + 1 : 0;
		if (found)
			has_jobs[found->what] = true;
	}
}

/* Whether the trace says what of that kind the job belongs to; users always. */
static bool belongs(const struct swf_job *j, uint32_t kind)
{
	return kind == FAIR_ENTITY_USER ||
	       number_of(j, kind) >= (kind == FAIR_ENTITY_QOS);
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

/* Whether a limit has less than the job asks for. */
static bool is_beyond(const struct limits *l, const struct swf_job *j)
{
	const int64_t asked[LIMITS_RESOURCES] = { 1, j->procs };
	const struct limits_entry *own, *each;
	uint32_t kind, r;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		own = j->entry[kind] ? l->entry + j->entry[kind] - 1 : NULL;
		each = belongs(j, kind) ? each_of(l, kind) : NULL;
		for (r = 0; r < LIMITS_RESOURCES; r++) {
			if (own && own->line[r] ? asked[r] > own->amount[r]
						: each && asked[r] >
								  each->amount[r])
				return true;
		}
	}
	return false;
}

static int assign_all(struct limits *l, struct swf *t, int64_t *number,
		      struct numbered *list, bool *has_jobs)
{
	uint32_t kind;
	size_t i, kept = 0;

	for (i = 0; i < l->entries; i++)
		number[i] = l->entry[i].kind == FAIR_ENTITY_QOS ||
					    !l->entry[i].name
				    ? -1
				    : number_named(t, l->entry + i);
	if (number_qos(l, t, number))
		return -1;
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		assign_kind(l, t, kind, number, list, has_jobs);
	tell(l, has_jobs);
	for (i = 0; i < t->jobs; i++)
		if (is_beyond(l, &t->job[i]))
			t->dropped[SWF_LIMITED]++;
		else
			t->job[kept++] = t->job[i];
	t->jobs = kept;
	return 0;
}

int limits_assign(struct limits *l, struct swf *t)
{
	size_t n = l->entries + 1;
	struct numbered *list = malloc(n * sizeof(*list));
	int64_t *number = malloc(n * sizeof(*number));
	bool *has_jobs = calloc(n, sizeof(*has_jobs));
	bool good = list && number && has_jobs &&
		    !assign_all(l, t, number, list, has_jobs);

	free(list);
	free(number);
	free(has_jobs);
	if (good && t->jobs)
		return 0;
	snprintf(l->error, sizeof(l->error), "%s: %s", l->path,
		 good ? "its limits reject every job" : "out of memory");
	return -1;
}

/* ---- the limits of a scheduler ---- */

struct list {
	struct fair_limit *limit;
	size_t n, cap;
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

/* The limits of an entry, for the owner @id. */
static int add_limits(struct list *l, const struct limits_entry *e, uint64_t id)
{
	struct fair_limit *more;
	uint32_t r;

	if (l->n + LIMITS_RESOURCES > l->cap) {
		l->cap = 2 * l->cap + 64;
		more = realloc(l->limit, l->cap * sizeof(*more));
		if (!more)
			return -1;
		l->limit = more;
	}
	for (r = 0; r < LIMITS_RESOURCES; r++) {
		if (!e->line[r])
			continue;
		more = &l->limit[l->n++];
		more->kind = e->kind;
		more->resource = r;
		more->id = id;
		more->amount = e->amount[r];
	}
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
	uint32_t kind, e;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		e = j->entry[kind];
		if (!e || last[e - 1] == id[kind])
			continue;
		last[e - 1] = id[kind];
		if (add_limits(list, l->entry + e - 1, id[kind]))
			return -1;
	}
	return 0;
}

int limits_make(const struct limits *l, const struct swf_job *job, size_t jobs,
		bool by_node, struct fair_limit **limit, uint32_t *n)
{
	uint64_t *last = malloc((l->entries + 1) * sizeof(*last));
	struct list list = { NULL, 0, 0 };
	int error = last ? 0 : -1;
	size_t i;

	for (i = 0; i < l->entries && !error; i++) {
		last[i] = FAIR_LIMIT_EACH;
		if (!l->entry[i].name)
			error = add_limits(&list, l->entry + i,
					   FAIR_LIMIT_EACH);
	}
	for (i = 0; i < jobs && !error; i++)
		error = add_of_job(&list, l, job + i, by_node, last);
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
