/* SPDX-License-Identifier: MIT OR Unlicense */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm_conf.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/text.h"

/* What a column of the file holds, in the order of known[]. */
enum column {
	CLASS,
	COUNT,
	SPEC,
	COST,
	PROPERTIES,
	NODES,
	PARTITIONS,
	QOS,
	RESOURCE
};

static const char *const known[] = { "class",	  "count", "spec",	"cost",
				     "properties", "nodes", "partitions",
				     "qos" };

struct reader {
	struct machine *m;
	struct csv csv;
	struct csv_field *heading; /* of each column */
	enum column *column;
	size_t *resource; /* number of a column's resource */
	size_t columns, cap;
};

/* SIZE_MAX: none */
static struct csv_field heading(const struct reader *r, size_t column)
{
	return column < r->columns ? r->heading[column] : csv_column(NULL);
}

/* Digits, to a number up to @most; moves *s past them. */
static bool digits(struct csv_field *s, int64_t most, int64_t *number)
{
	*number = 0;
	return csv_digits(s, most, number);
}

bool machine_amount(const char *p, size_t bytes, int64_t *amount)
{
	static const char units[] = "KkMmGgTtPp";
	struct csv_field s = { p, bytes };
	const char *unit;
	int64_t n;
	int shift = 0;

	if (!digits(&s, FAIR_PENALTY_MAX, &n))
		return false;
	if (s.n) {
		unit = memchr(units, *s.p, sizeof(units) - 1);
		if (!unit || s.n > 2 || (s.n == 2 && s.p[1] != 'b'))
			return false;
		shift = 10 * ((int)(unit - units) / 2 + 1);
	}
	if (n > FAIR_PENALTY_MAX >> shift)
		return false;
	*amount = n << shift;
	return true;
}

bool machine_decimal(struct csv_field s, int64_t *fixed)
{
	const int64_t most = INT64_C(1000000000000);
	int64_t whole, fraction = 0, scale = 1;
	size_t places;

	*fixed = FAIR_PENALTY_ONE;
	if (!s.n)
		return true;
	if (!digits(&s, most, &whole))
		return false;
	if (s.n && *s.p == '.') {
		s.p++;
		places = --s.n;
		if (!digits(&s, most, &fraction) || s.n || places > 12)
			return false;
		while (places--)
			scale *= 10;
	}
	if (s.n)
		return false;
	*fixed = whole * FAIR_PENALTY_ONE +
		 (fraction * FAIR_PENALTY_ONE + scale / 2) / scale;
	return true;
}

static int find(const struct csv_field *names, size_t n, const char *p,
		size_t bytes)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (csv_same(names[i], p, bytes))
			return (int)i;
	return -1;
}

static int parse_properties(struct reader *r, size_t column, struct csv_field s,
			    uint64_t *bits)
{
	struct machine *m = r->m;
	struct csv_field name;
	int bit;

	*bits = 0;
	while (s.n && csv_cut(&s, ':', &name)) {
		if (!name.n)
			return csv_fail(&r->csv, heading(r, column),
					"a property without a name");
		if (memchr(name.p, ' ', name.n) || memchr(name.p, '\t', name.n))
			return csv_fail(&r->csv, heading(r, column),
					"'%.*s' has blanks: give names with : "
					"between",
					csv_shown(name), name.p);
		bit = find(m->property, m->properties, name.p, name.n);
		if (bit < 0 && m->properties == MACHINE_PROPERTIES)
			return csv_fail(&r->csv, heading(r, column),
					"more than %d properties",
					MACHINE_PROPERTIES);
		if (bit < 0) {
			bit = (int)m->properties++;
			m->property[bit] = name;
		}
		*bits |= (uint64_t)1 << bit;
	}
	return 0;
}

/* 7:10-29 */
static int parse_nodes(struct reader *r, size_t column, struct csv_field s,
		       size_t i)
{
	struct machine *m = r->m;
	struct machine_nodes *more, x = { 0, 0, i };
	struct csv_field part;

	while (s.n && csv_cut(&s, ':', &part)) {
		if (!digits(&part, INT64_MAX, &x.first))
			return csv_fail(&r->csv, heading(r, column),
					"not a node number");
		x.last = x.first;
		if (part.n && *part.p == '-') {
			part.p++;
			part.n--;
			digits(&part, INT64_MAX, &x.last);
		}
		if (part.n || x.last < x.first)
			return csv_fail(&r->csv, heading(r, column),
					"not a range of node numbers");
		more = realloc(m->nodes, (m->ranges + 1) * sizeof(*more));
		if (!more)
			return csv_fail(&r->csv, csv_column(NULL),
					"out of memory");
		m->nodes = more;
		m->nodes[m->ranges++] = x;
	}
	return 0;
}

/* Resource 0 is cpus, wherever its column is; the others as they come. */
static void add_resource(struct reader *r, size_t column)
{
	struct machine *m = r->m;
	struct csv_field name = r->heading[column];
	bool special = name.n > 1 && name.p[name.n - 1] == '?';
	bool wide = name.n > 1 && name.p[name.n - 1] == '*';
	size_t i = csv_is(name, "cpus") ? 0 : m->resources++;

	name.n -= special || wide;
	r->column[column] = RESOURCE;
	r->resource[column] = i;
	m->resource_name[i] = name;
	m->special[i] = special;
	m->wide[i] = wide;
}

static int parse_heading(struct reader *r, size_t column)
{
	struct csv_field name = r->heading[column];
	size_t i;

	if (!name.n)
		return csv_fail(&r->csv, csv_column(NULL),
				"column %zu has no name", column + 1);
	if (!text_is_plain(name.p, name.n))
		return csv_fail(&r->csv, csv_column(NULL),
				"the name of column %zu is not printable UTF-8",
				column + 1);
	if (find(r->heading, column, name.p, name.n) >= 0)
		return csv_fail(&r->csv, csv_column(NULL),
				"column %.*s appears twice", (int)name.n,
				name.p);
	for (i = 0; i < RESOURCE; i++)
		if (csv_is(name, known[i])) {
			r->column[column] = (enum column)i;
			return 0;
		}
	add_resource(r, column);
	return 0;
}

/* The header line, which says what the columns are. */
static int parse_header(struct reader *r)
{
	static const char *const needed[] = { "class", "count", "cpus" };
	struct csv_field line, name;
	size_t i, n;

	if (!csv_line(&r->csv, &line))
		return csv_fail(&r->csv, csv_column(NULL),
				"the header line is missing");
	n = csv_parts(line, ',');
	r->heading = calloc(n, sizeof(*r->heading));
	r->column = calloc(n, sizeof(*r->column));
	r->resource = calloc(n, sizeof(*r->resource));
	r->m->resource_name = calloc(n + 1, sizeof(*r->m->resource_name));
	r->m->special = calloc(n + 1, sizeof(*r->m->special));
	r->m->wide = calloc(n + 1, sizeof(*r->m->wide));
	if (!r->heading || !r->column || !r->resource || !r->m->resource_name ||
	    !r->m->special || !r->m->wide)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	r->m->resources = 1;
	while (csv_cut(&line, ',', &name)) {
		r->heading[r->columns] = name;
		if (parse_heading(r, r->columns))
			return -1;
		r->columns++;
	}
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (find(r->heading, r->columns, needed[i], strlen(needed[i])) <
		    0)
			return csv_fail(&r->csv, csv_column(NULL),
					"column %s is missing", needed[i]);
	return 0;
}

static int parse_qos(struct reader *r, size_t column, struct csv_field s,
		     size_t i)
{
	struct csv_field rest = s, name;

	while (rest.n && csv_cut(&rest, ':', &name))
		if (!name.n)
			return csv_fail(&r->csv, heading(r, column),
					"a QoS without a name");
	r->m->qos[i] = s;
	r->m->has_qos |= s.n > 0;
	return 0;
}

static int parse_field(struct reader *r, size_t column, size_t i,
		       struct csv_field s)
{
	struct fair_penalty_class *node = &r->m->node[i];
	int64_t *amount = r->m->amount + i * r->m->resources;
	struct csv_field rest = s;
	int64_t n;

	switch (r->column[column]) {
	case CLASS:
		if (!s.n)
			return csv_fail(&r->csv, heading(r, column),
					"the name is missing");
		if (!text_is_plain(s.p, s.n))
			return csv_fail(&r->csv, heading(r, column),
					"the name is not printable UTF-8");
		if (machine_class(r->m, s.p, s.n) >= 0)
			return csv_fail(&r->csv, heading(r, column),
					"%.*s appears twice", (int)s.n, s.p);
		r->m->class_name[i] = s;
		return 0;
	case COUNT:
		if (!digits(&rest, INT32_MAX, &n) || rest.n || n < 1)
			break;
		node->count = (int32_t)n;
		return 0;
	case SPEC:
		if (!machine_decimal(s, &node->spec) || node->spec < 1)
			break;
		return 0;
	case COST:
		if (!machine_decimal(s, &node->cost))
			break;
		return 0;
	case PROPERTIES:
		return parse_properties(r, column, s, &node->properties);
	case NODES:
		return parse_nodes(r, column, s, i);
	case PARTITIONS:
		r->m->partitions[i] = s;
		return 0;
	case QOS:
		return parse_qos(r, column, s, i);
	default:
		amount += r->resource[column];
		if ((s.n && !machine_amount(s.p, s.n, amount)) ||
		    (!r->resource[column] && *amount < 1))
			break;
		return 0;
	}
	return csv_fail(&r->csv, heading(r, column),
			"'%.*s' is not a number of this column", (int)s.n, s.p);
}

/* Room for one more class. No pointer to amounts yet: they may move. */
static int grow(struct reader *r)
{
	struct machine *m = r->m;
	size_t cap = r->cap ? 2 * r->cap : 64;
	void *p;

	if (m->classes < r->cap)
		return 0;
	p = realloc(m->node, cap * sizeof(*m->node));
	if (!p)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m->node = p;
	p = realloc(m->class_name, cap * sizeof(*m->class_name));
	if (!p)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m->class_name = p;
	p = realloc(m->partitions, cap * sizeof(*m->partitions));
	if (!p)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m->partitions = p;
	p = realloc(m->qos, cap * sizeof(*m->qos));
	if (!p)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m->qos = p;
	p = realloc(m->line, cap * sizeof(*m->line));
	if (!p)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m->line = p;
	p = realloc(m->amount, cap * m->resources * sizeof(*m->amount));
	if (!p)
		return csv_fail(&r->csv, csv_column(NULL), "out of memory");
	m->amount = p;
	r->cap = cap;
	return 0;
}

static int parse_class(struct reader *r, struct csv_field line)
{
	struct machine *m = r->m;
	size_t column = 0, i = m->classes;
	struct csv_field field;

	if (csv_parts(line, ',') != r->columns)
		return csv_fail(&r->csv, csv_column(NULL),
				"%zu fields instead of %zu",
				csv_parts(line, ','), r->columns);
	if (grow(r))
		return -1;
	memset(&m->node[i], 0, sizeof(*m->node));
	memset(m->amount + i * m->resources, 0,
	       m->resources * sizeof(*m->amount));
	memset(&m->partitions[i], 0, sizeof(m->partitions[i]));
	memset(&m->qos[i], 0, sizeof(m->qos[i]));
	m->line[i] = r->csv.line;
	m->node[i].spec = m->node[i].cost = FAIR_PENALTY_ONE;
	while (csv_cut(&line, ',', &field)) {
		if (parse_field(r, column, i, field))
			return -1;
		column++;
	}
	m->classes++;
	return 0;
}

static int parse_all(struct reader *r)
{
	struct machine *m = r->m;
	struct csv_field line;
	size_t i;

	if (parse_header(r))
		return -1;
	while (csv_line(&r->csv, &line))
		if (parse_class(r, line))
			return -1;
	if (!m->classes)
		return csv_fail(&r->csv, csv_column(NULL),
				"the file has no node class");
	for (i = 0; i < m->classes; i++)
		m->node[i].amount = m->amount + i * m->resources;
	return 0;
}

/* @text becomes the machine's. */
static int parse_own(struct machine *m, const char *name, char *text,
		     size_t bytes)
{
	struct reader r = { 0 };
	int err;

	m->text = text;
	r.m = m;
	csv_open(&r.csv, name, text, bytes, m->error, sizeof(m->error));
	err = parse_all(&r);
	free(r.heading);
	free(r.column);
	free(r.resource);
	if (err)
		machine_free(m);
	return err;
}

int machine_parse(struct machine *m, const char *name, const char *text,
		  size_t bytes)
{
	char *copy = malloc(bytes + 1);

	memset(m, 0, sizeof(*m));
	if (!copy) {
		snprintf(m->error, sizeof(m->error), "%s: out of memory", name);
		return -1;
	}
	memcpy(copy, text, bytes);
	return parse_own(m, name, copy, bytes);
}

/* The classes of slurm.conf, with its line numbers. */
static int parse_slurm_conf(struct machine *m, const char *path,
			    const char *text, size_t bytes)
{
	char *csv;
	long *line;

	if (slurm_conf_table(path, text, bytes, &csv, &bytes, &line, m->error,
			     sizeof(m->error)))
		return -1;
	if (parse_own(m, path, csv, bytes)) {
		free(line);
		return -1;
	}
	free(m->line);
	m->line = line;
	return 0;
}

int machine_read(struct machine *m, const char *path)
{
	size_t bytes;
	char *text;
	int status;

	memset(m, 0, sizeof(*m));
	if (read_file(path, &text, &bytes, m->error, sizeof(m->error)))
		return -1;
	if (!slurm_conf_is(text, bytes))
		return parse_own(m, path, text, bytes);
	status = parse_slurm_conf(m, path, text, bytes);
	free(text);
	return status;
}

void machine_free(struct machine *m)
{
	char error[sizeof(m->error)];

	free(m->node);
	free(m->class_name);
	free(m->resource_name);
	free(m->special);
	free(m->wide);
	free(m->partitions);
	free(m->qos);
	free(m->line);
	free(m->amount);
	free(m->nodes);
	free(m->text);
	memcpy(error, m->error, sizeof(error));
	memset(m, 0, sizeof(*m));
	memcpy(m->error, error, sizeof(error));
}

int machine_resource(const struct machine *m, const char *name, size_t bytes)
{
	return find(m->resource_name, m->resources, name, bytes);
}

int machine_class(const struct machine *m, const char *name, size_t bytes)
{
	return find(m->class_name, m->classes, name, bytes);
}

uint64_t machine_property(const struct machine *m, const char *name,
			  size_t bytes)
{
	int bit = find(m->property, m->properties, name, bytes);

	return bit < 0 ? 0 : (uint64_t)1 << bit;
}

int machine_node(const struct machine *m, int64_t number)
{
	size_t i;

	for (i = 0; i < m->ranges; i++)
		if (m->nodes[i].first <= number && number <= m->nodes[i].last)
			return (int)m->nodes[i].node_class;
	return -1;
}

int64_t machine_memory(const struct machine *m)
{
	int ram = machine_resource(m, "ram", 3);
	int64_t sum = 0, mb;
	size_t i;

	if (ram < 0)
		ram = machine_resource(m, "memory", 6);
	for (i = 0; ram >= 0 && i < m->classes; i++) {
		mb = m->node[i].amount[ram] >> 20;
		if (mb > (INT64_MAX - sum) / m->node[i].count)
			return INT64_MAX;
		sum += mb * m->node[i].count;
	}
	return sum;
}

int32_t machine_procs(const struct machine *m)
{
	int64_t procs = 0, cpus;
	size_t i;

	for (i = 0; i < m->classes; i++) {
		cpus = m->node[i].amount[0];
		if (cpus > (INT32_MAX - procs) / m->node[i].count)
			return 0;
		procs += cpus * m->node[i].count;
	}
	return (int32_t)procs;
}
