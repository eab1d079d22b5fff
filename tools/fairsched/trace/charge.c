/* SPDX-License-Identifier: MIT OR Unlicense */
#include "charge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_names.h"

#define MOST_RATE (INT64_C(1) << 51) /* of fair_job.penalty */

const char *const charge_metrics[] = { "auto", "cpu",	"standard", "pe",
				       "local", "best", NULL };

struct text {
	const char *p, *end;
};

/* A trace, and the request of the job in hand. */
struct charge {
	const struct machine *machine;
	const struct charge_rules *rules;
	struct swf *t;
	struct fair_penalty_machine m;
	void *memory;
	int64_t *standard; /* of each resource */
	int ram;	   /* its number, or -1 */

	const struct swf_job *job;
	struct fair_penalty_chunk *chunk;
	int64_t *amount; /* of each chunk's resources */
	size_t *assigned;
	size_t chunks, cap;
	bool exclusive; /* whole nodes */
	struct charge_words *words; /* NULL: what is not known is an error */
	struct charge_node *node;
	size_t nodes, nodes_room;
	bool unknown; /* of struct charge_request */
	int64_t queue_cost;
	const char *path;
	char *error;
};

/* ---- errors ---- */

enum field { NO_FIELD = 0, NODE_LIST = 19, QUEUE_NAME, REQUEST };

static int fail(struct charge *c, enum field field, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (field)
		snprintf(c->error, CHARGE_ERROR, "%s:%lu: field %d (%s): %s",
			 c->path, c->job->line, (int)field,
			 field == REQUEST ? "node request" : "node list", what);
	else
		snprintf(c->error, CHARGE_ERROR, "%s:%lu: job %" PRId64 ": %s",
			 c->path, c->job->line, c->job->id, what);
	return -1;
}

static int shown(struct text s)
{
	return s.end - s.p < 40 ? (int)(s.end - s.p) : 40;
}

/* ---- text ---- */

/* Cuts a part off *from: up to @mark, or all. False if nothing was left. */
static bool cut(struct text *from, char mark, struct text *part)
{
	const char *at;

	if (!from->p)
		return false;
	at = memchr(from->p, mark, (size_t)(from->end - from->p));
	part->p = from->p;
	part->end = at ? at : from->end;
	from->p = at ? at + 1 : NULL;
	return true;
}

static size_t bytes(struct text s)
{
	return (size_t)(s.end - s.p);
}

static bool is_blank(char x)
{
	return x == ' ' || x == '\t' || x == '\r';
}

/* Column 19 to 21 of the record. */
static struct text column(const struct swf_job *j, int number)
{
	const char *end = j->more ? j->more + j->more_bytes : NULL;
	struct text s = { j->more, j->more };

	for (; number >= NODE_LIST; number--) {
		for (s.p = s.end; s.p < end && is_blank(*s.p); s.p++)
			;
		for (s.end = s.p; s.end < end && !is_blank(*s.end); s.end++)
			;
	}
	return s;
}

static bool integer(struct text s, int64_t *n)
{
	return s.p < s.end && s.end[-1] >= '0' && s.end[-1] <= '9' &&
	       machine_amount(s.p, bytes(s), n);
}

/* ---- requests ---- */

static int grow(struct charge *c)
{
	size_t cap = c->cap ? 2 * c->cap : 8;
	void *p;

	if (c->chunks < c->cap)
		return 0;
	p = realloc(c->chunk, cap * sizeof(*c->chunk));
	if (!p)
		return fail(c, NO_FIELD, "out of memory");
	c->chunk = p;
	p = realloc(c->amount, cap * c->m.resources * sizeof(*c->amount));
	if (!p)
		return fail(c, NO_FIELD, "out of memory");
	c->amount = p;
	p = realloc(c->assigned, cap * sizeof(*c->assigned));
	if (!p)
		return fail(c, NO_FIELD, "out of memory");
	c->assigned = p;
	c->cap = cap;
	return 0;
}

static int64_t *amounts(const struct charge *c, size_t i)
{
	return c->amount + i * c->m.resources;
}

/* One more chunk; of one node and processor, without memory. */
static int add_chunk(struct charge *c)
{
	struct fair_penalty_chunk *chunk;

	if (grow(c))
		return -1;
	chunk = &c->chunk[c->chunks];
	memset(chunk, 0, sizeof(*chunk));
	chunk->count = 1;
	memset(amounts(c, c->chunks), 0, c->m.resources * sizeof(*c->amount));
	amounts(c, c->chunks)[0] = 1;
	c->chunks++;
	return 0;
}

/* What hosts have in common: "zewura" of "zewura12.cerit-sc.cz" */
static uint64_t host_property(const struct charge *c, struct text s)
{
	const char *p = s.p;

	while (p < s.end && (*p < '0' || *p > '9'))
		p++;
	if (p == s.end)
		return 0;
	return machine_property(c->machine, s.p, (size_t)(p - s.p));
}

/* Once for each job. */
static void count_word(struct charge *c, struct text s)
{
	struct charge_words *all = c->words;
	struct charge_word *w = all->word;
	size_t i;

	for (i = 0; i < all->words; i++, w++)
		if (csv_same(w->name, s.p, bytes(s)))
			break;
	if (i == CHARGE_WORDS) {
		all->more++;
		return;
	}
	if (i == all->words) {
		all->words++;
		w->name.p = s.p;
		w->name.n = bytes(s);
	}
	w->jobs += w->last != c->job->line;
	w->last = c->job->line;
}

/* The last chunk may use that node, or may not. */
static int add_node(struct charge *c, int64_t node, bool excluded)
{
	size_t room = c->nodes_room ? 2 * c->nodes_room : 16;
	void *p;

	if (c->nodes == c->nodes_room) {
		p = realloc(c->node, room * sizeof(*c->node));
		if (!p)
			return fail(c, NO_FIELD, "out of memory");
		c->node = p;
		c->nodes_room = room;
	}
	c->node[c->nodes].chunk = c->chunks - 1;
	c->node[c->nodes].node = (uint32_t)node;
	c->node[c->nodes++].excluded = excluded;
	return 0;
}

/* A property of a node, or its name, with ^ one that it must not have; @host: a
 * name. */
static int read_property(struct charge *c, struct text s, bool host)
{
	struct fair_penalty_chunk *chunk = &c->chunk[c->chunks - 1];
	bool without = s.p < s.end && *s.p == '^';
	int64_t node = -1;
	uint64_t bit;

	s.p += without;
	bit = machine_property(c->machine, s.p, bytes(s));
	if (!bit && c->words)
		node = node_names_find(c->machine, s.p, bytes(s));
	if (node >= 0)
		return add_node(c, node, without);
	if (without) {
		chunk->without |= bit;
		if (!bit && c->words && !c->machine->properties)
			count_word(c, s);
		return 0;
	}
	if (!bit)
		bit = host_property(c, s);
	chunk->properties |= bit;
	if (bit)
		return 0;
	if (!c->words)
		return fail(c, REQUEST, "no node has '%.*s'", shown(s), s.p);
	count_word(c, s);
	c->unknown |= host || c->machine->properties;
	return 0;
}

static bool is(struct text s, const char *name)
{
	return bytes(s) == strlen(name) && !memcmp(s.p, name, bytes(s));
}

/* Its number, or -1 */
static int resource_of(const struct charge *c, struct text name)
{
	if (is(name, "ppn") || is(name, "ncpus"))
		return 0;
	if (is(name, "mem"))
		return c->ram;
	return machine_resource(c->machine, name.p, bytes(name));
}

static bool read_spec(struct text s, int64_t *spec)
{
	struct csv_field f = { s.p, bytes(s) };

	return f.n && machine_decimal(f, spec) && *spec > 0;
}

/* NAME=AMOUNT; of processors the whole ones, and one at least. */
static int read_amount(struct charge *c, struct text name, struct text value)
{
	int64_t *amount = amounts(c, c->chunks - 1), n;
	struct fair_penalty_chunk *chunk = &c->chunk[c->chunks - 1];
	bool min = is(name, "minspec");
	int resource = resource_of(c, name);
	struct text whole = value;

	if (is(name, "host"))
		return read_property(c, value, true);
	if (min || is(name, "maxspec")) {
		if (read_spec(value, min ? &chunk->min_spec : &chunk->max_spec))
			return 0;
		return fail(c, REQUEST, "'%.*s' is not a SPEC", shown(value),
			    value.p);
	}
	if (resource < 0 && c->words) {
		count_word(c, name);
		return 0;
	}
	if (resource < 0)
		return fail(c, REQUEST, "no node has '%.*s'", shown(name),
			    name.p);
	if (!resource)
		cut(&value, '.', &whole);
	if (!machine_amount(whole.p, bytes(whole), &n))
		return fail(c, REQUEST, "'%.*s' has no number", shown(name),
			    name.p);
	amount[resource] = !resource && n < 1 ? 1 : n;
	return 0;
}

static int read_item(struct charge *c, struct text s)
{
	struct text name = s;
	int64_t n;

	if (integer(s, &n)) {
		if (n < 1 || n > INT32_MAX)
			return fail(c, REQUEST,
				    "'%.*s' is not a number of nodes", shown(s),
				    s.p);
		c->chunk[c->chunks - 1].count = (int32_t)n;
		return 0;
	}
	cut(&s, '=', &name);
	return s.p ? read_amount(c, name, s) : read_property(c, name, false);
}

static int read_chunk(struct charge *c, struct text s)
{
	struct text item;

	if (add_chunk(c))
		return -1;
	if (c->ram >= 0)
		amounts(c, c->chunks - 1)[c->ram] = -1;
	while (cut(&s, ':', &item))
		if (read_item(c, item))
			return -1;
	return 0;
}

/* Of each node that says nothing of its own. */
static int share_memory(struct charge *c)
{
	const struct swf_job *j = c->job;
	int64_t kb = swf_memory_kb(c->t, j), nodes = 0, *amount;
	bool total = c->t->memory == SWF_MEMORY_BYTES &&
		     j->requested_memory > 0;
	size_t i;

	for (i = 0; i < c->chunks; i++)
		nodes += c->chunk[i].count;
	for (i = 0; c->ram >= 0 && i < c->chunks; i++) {
		amount = amounts(c, i);
		if (amount[c->ram] >= 0)
			continue;
		if (total)
			amount[c->ram] = (j->requested_memory - 1) / nodes + 1;
		else if (kb < 0)
			amount[c->ram] = 0;
		else if (kb > FAIR_PENALTY_MAX / 1024 / amount[0])
			return fail(c, NO_FIELD, "too much memory");
		else
			amount[c->ram] = kb * 1024 * amount[0];
	}
	return 0;
}

static int read_request(struct charge *c)
{
	struct text s, part = { NULL, NULL }, request = part;
	size_t i;

	c->chunks = c->nodes = 0;
	c->exclusive = c->unknown = false;
	if (c->job->more) {
		s = column(c->job, REQUEST);
		cut(&s, '#', &request);
		while (cut(&s, '#', &part))
			c->exclusive = c->exclusive || is(part, "excl");
		for (s = request; cut(&s, '+', &part);)
			if (read_chunk(c, part))
				return -1;
	} else {
		if (add_chunk(c))
			return -1;
		c->chunk[0].count = c->job->procs;
		if (c->ram >= 0)
			amounts(c, 0)[c->ram] = -1;
	}
	for (i = 0; i < c->chunks; i++)
		c->chunk[i].amount = amounts(c, i);
	return share_memory(c);
}

/* ---- nodes ---- */

/* Numbers in braces with commas between, one a processor. */
static struct text node_list(const struct charge *c)
{
	struct text s = { NULL, NULL };

	if (c->job->more)
		s = column(c->job, NODE_LIST);
	if (bytes(s) > 2 && *s.p == '{' && s.end[-1] == '}') {
		s.p++;
		s.end--;
	} else {
		s.p = NULL;
	}
	return s;
}

static int next_node(struct charge *c, struct text *list, size_t *node_class)
{
	struct text s;
	int64_t n;
	int i;

	if (!cut(list, ',', &s))
		return fail(c, NODE_LIST,
			    "it has fewer nodes than were requested");
	if (!integer(s, &n))
		return fail(c, NODE_LIST, "'%.*s' is not a number", shown(s),
			    s.p);
	i = machine_node(c->machine, n);
	if (i < 0)
		return fail(c, NODE_LIST, "no node class has a node %" PRId64,
			    n);
	*node_class = (size_t)i;
	return 0;
}

static bool has_known_nodes(const struct charge *c)
{
	return node_list(c).p && c->machine->ranges;
}

static void take_slower(const struct charge *c, size_t node_class,
			int64_t *spec)
{
	if (c->machine->node[node_class].spec < *spec)
		*spec = c->machine->node[node_class].spec;
}

/* ---- what a request lacks ---- */

/* A class and what of a chunk it lacks. */
struct short_of {
	size_t misses;
	double times; /* what is asked for, of what it has */
	char text[160];
};

static void miss(struct short_of *s, const char *format, ...)
{
	size_t n = strlen(s->text);
	va_list args;

	n += (size_t)snprintf(s->text + n, sizeof(s->text) - n, "%s",
			      s->misses++ ? ", " : " ");
	va_start(args, format);
	if (n < sizeof(s->text))
		vsnprintf(s->text + n, sizeof(s->text) - n, format, args);
	va_end(args);
}

/* 68719476736 as 64G. */
static const char *amount_text(int64_t amount, char *text, size_t size)
{
	const char *unit = "KMGTP";
	int units = 0;

	while (amount >= 1024 && amount % 1024 == 0 && units < 5) {
		amount /= 1024;
		units++;
	}
	snprintf(text, size, "%" PRId64 "%.*s", amount, units > 0,
		 unit + units - (units > 0));
	return text;
}

static void miss_amount(const struct charge *c, size_t r, int64_t want,
			int64_t have, struct short_of *s)
{
	struct csv_field name = c->machine->resource_name[r];
	char asked[32], had[32];

	if (want <= have)
		return;
	s->times += (double)want / ((double)have + 1);
	miss(s, "%s %.*s of %s", amount_text(have, had, sizeof(had)),
	     csv_shown(name), name.p, amount_text(want, asked, sizeof(asked)));
}

/* Of @count nodes more; INT64_MAX if that is too large. */
static int64_t add(int64_t sum, int64_t count, int64_t amount)
{
	return amount && count > (INT64_MAX - sum) / amount
		       ? INT64_MAX
		       : sum + count * amount;
}

/* Each node would do, but not all of the chunks fit together. */
static int fail_machine(struct charge *c, enum field field)
{
	const struct fair_penalty_class *node = c->machine->node;
	struct short_of s;
	int64_t want, have;
	size_t r, i;

	memset(&s, 0, sizeof(s));
	for (r = 0; r < c->m.resources; r++) {
		for (want = 0, i = 0; i < c->chunks; i++)
			want = add(want, c->chunk[i].count,
				   c->chunk[i].amount[r]);
		for (have = 0, i = 0; i < c->machine->classes; i++)
			have = add(have, node[i].count, node[i].amount[r]);
		miss_amount(c, r, want, have, &s);
	}
	return fail(c, field, "the whole machine has only%s", s.text);
}

static void miss_properties(const struct charge *c, uint64_t bits,
			    const char *what, struct short_of *s)
{
	struct csv_field name;
	size_t i;

	for (i = 0; i < c->machine->properties; i++) {
		name = c->machine->property[i];
		if (!(bits >> i & 1))
			continue;
		s->times += 1000; /* amounts come closer */
		miss(s, "%s '%.*s'", what, csv_shown(name), name.p);
	}
}

static void compare_class(const struct charge *c, size_t i, size_t k,
			  struct short_of *s)
{
	const struct fair_penalty_chunk *want = &c->chunk[i];
	const struct fair_penalty_class *node = &c->machine->node[k];
	const double one = (double)FAIR_PENALTY_ONE;
	size_t r;

	memset(s, 0, sizeof(*s));
	for (r = 0; r < c->m.resources; r++)
		miss_amount(c, r, want->amount[r], node->amount[r], s);
	if (node->spec < want->min_spec) {
		s->times += (double)want->min_spec / (double)node->spec;
		miss(s, "SPEC %g of %g at least", (double)node->spec / one,
		     (double)want->min_spec / one);
	}
	if (want->max_spec && node->spec > want->max_spec) {
		s->times += (double)node->spec / (double)want->max_spec;
		miss(s, "SPEC %g of %g at most", (double)node->spec / one,
		     (double)want->max_spec / one);
	}
	miss_properties(c, want->properties & ~node->properties,
			"no property", s);
	miss_properties(c, want->without & node->properties,
			"the excluded property", s);
}

/* The class that lacks least of the first chunk that none satisfies. */
static int fail_unsatisfied(struct charge *c)
{
	const struct machine *m = c->machine;
	enum field field = c->job->more ? REQUEST : NO_FIELD;
	struct short_of best, s;
	size_t i, k, least = 0;

	memset(&best, 0, sizeof(best));
	for (i = 0; i < c->chunks && !best.misses; i++) {
		for (k = 0; k < m->classes; k++) {
			compare_class(c, i, k, &s);
			if (k && (s.misses > best.misses ||
				  (s.misses == best.misses &&
				   s.times >= best.times)))
				continue;
			best = s;
			least = k;
		}
	}
	if (!best.misses && c->rules->metric == CHARGE_LOCAL)
		return fail(c, field, "the nodes of the list do not satisfy it");
	if (!best.misses)
		return fail_machine(c, field);
	return fail(c, field,
		    "no node satisfies the request; class %.*s, which comes "
		    "closest, has%s",
		    csv_shown(m->class_name[least]), m->class_name[least].p,
		    best.text);
}

/*
 * The suitable class of a chunk that has the least price, the first of equal
 * ones; for one node of it.
 */
static int assign_cheapest(struct charge *c, size_t i)
{
	const struct machine *m = c->machine;
	struct fair_penalty_chunk one = c->chunk[i];
	int64_t least = INT64_MAX, price;
	size_t k;

	one.count = 1;
	for (k = 0; k < m->classes; k++) {
		if (fair_penalty_local(&c->m, &one, 1, &k, FAIR_PENALTY_ONE,
				       &price))
			continue;
		if (c->exclusive)
			price = m->node[k].amount[0] * m->node[k].cost;
		if (price < least) {
			least = price;
			c->assigned[i] = k;
		}
	}
	if (least < INT64_MAX)
		return 0;
	return fail_unsatisfied(c);
}

/* The SPEC of the slowest node that the list names, or of the cheapest. */
static int slowest(struct charge *c, int64_t *spec)
{
	struct text list = node_list(c);
	size_t node_class = 0, i;

	*spec = INT64_MAX;
	if (!has_known_nodes(c)) {
		for (i = 0; i < c->chunks; i++) {
			if (assign_cheapest(c, i))
				return -1;
			take_slower(c, c->assigned[i], spec);
		}
		return 0;
	}
	while (list.p) {
		if (next_node(c, &list, &node_class))
			return -1;
		take_slower(c, node_class, spec);
	}
	return 0;
}

/* The class of a chunk's first node, past all of its processors in @list. */
static int assign_node(struct charge *c, size_t i, struct text *list)
{
	int64_t procs = amounts(c, i)[0], k;
	size_t node_class;

	for (k = 0; k < procs; k++) {
		if (next_node(c, list, &node_class))
			return -1;
		if (!k)
			c->assigned[i] = node_class;
	}
	return 0;
}

/* Chunks of single nodes, and the class of each in c->assigned. */
static int assign_nodes(struct charge *c)
{
	struct text list = node_list(c);
	size_t chunks = c->chunks, i, k, nodes;

	for (i = 0; i < chunks; i++) {
		nodes = (size_t)c->chunk[i].count;
		c->chunk[i].count = 1;
		if (assign_node(c, i, &list))
			return -1;
		for (k = 1; k < nodes; k++) {
			if (grow(c))
				return -1;
			c->chunk[c->chunks] = c->chunk[i];
			memcpy(amounts(c, c->chunks), amounts(c, i),
			       c->m.resources * sizeof(*c->amount));
			if (assign_node(c, c->chunks++, &list))
				return -1;
		}
	}
	for (i = 0; i < c->chunks; i++)
		c->chunk[i].amount = amounts(c, i);
	return 0;
}

/* Of the nodes in the list; of the cheapest, which set the price by "best". */
static int assign(struct charge *c)
{
	bool best = c->rules->metric == CHARGE_BEST ||
		    c->rules->metric == CHARGE_AUTO;
	size_t i;

	if (c->rules->metric == CHARGE_LOCAL ||
	    (c->exclusive && !best && has_known_nodes(c)))
		return assign_nodes(c);
	for (i = 0; c->exclusive && i < c->chunks; i++)
		if (assign_cheapest(c, i))
			return -1;
	return 0;
}

static void take_whole_nodes(struct charge *c)
{
	size_t i;

	for (i = 0; i < c->chunks; i++)
		c->chunk[i].amount = c->machine->node[c->assigned[i]].amount;
}

/* ---- metrics ---- */

static int measure(const struct charge *c, int64_t *penalty)
{
	const int64_t cost = c->queue_cost;

	switch (c->rules->metric) {
	case CHARGE_CPU:
		return fair_penalty_cpu(c->chunk, c->chunks, cost, penalty);
	case CHARGE_STANDARD:
		return fair_penalty_standard(c->chunk, c->chunks, c->standard,
					     c->m.resources, cost, penalty);
	case CHARGE_PE:
		return fair_penalty_pe(&c->m, c->chunk, c->chunks, cost,
				       penalty);
	case CHARGE_LOCAL:
		return fair_penalty_local(&c->m, c->chunk, c->chunks,
					  c->assigned, cost, penalty);
	default:
		if (c->exclusive)
			return fair_penalty_local(&c->m, c->chunk, c->chunks,
						  c->assigned, cost, penalty);
		return fair_penalty(&c->m, c->chunk, c->chunks, cost, penalty);
	}
}

static bool is_queue(const struct swf_job *j, struct text name)
{
	struct text own = column(j, QUEUE_NAME);
	int64_t n;

	if (j->more && bytes(own) == bytes(name) &&
	    !memcmp(own.p, name.p, bytes(own)))
		return true;
	return integer(name, &n) && n == j->queue;
}

/* QUEUE=COST, with a cost from 0 to 1000. */
static int read_queue_cost(struct charge *c, const char *text,
			   struct text *queue, int64_t *cost)
{
	struct text s = { text, text + strlen(text) };
	struct csv_field number;

	cut(&s, '=', queue);
	number.p = s.p;
	number.n = s.p ? bytes(s) : 0;
	if (number.n && machine_decimal(number, cost) &&
	    *cost <= 1000 * FAIR_PENALTY_ONE)
		return 0;
	snprintf(c->error, CHARGE_ERROR,
		 "--queue-cost: '%s' is not QUEUE=COST with a cost up to 1000",
		 text);
	return -1;
}

static int find_queue_cost(struct charge *c, const struct swf_job *j)
{
	const struct texts *t = &c->rules->queue_cost;
	struct text queue;
	int64_t cost;
	size_t i;

	c->queue_cost = FAIR_PENALTY_ONE;
	for (i = 0; i < t->n; i++) {
		if (read_queue_cost(c, t->text[i], &queue, &cost))
			return -1;
		if (is_queue(j, queue))
			c->queue_cost = cost;
	}
	return 0;
}

static int charge_job(struct charge *c, struct swf_job *j)
{
	int64_t penalty, spec, rate;
	int error;

	c->job = j;
	if (find_queue_cost(c, j) || read_request(c) || slowest(c, &spec) ||
	    assign(c))
		return -1;
	if (c->exclusive)
		take_whole_nodes(c);
	error = measure(c, &penalty);
	if (!error)
		error = fair_penalty_charge(1, spec, penalty, &rate);
	if (!error && rate > MOST_RATE)
		error = -FAIR_EOVERFLOW;
	if (error == -FAIR_ERANGE)
		return fail_unsatisfied(c);
	if (error)
		return fail(c, NO_FIELD, "the penalty of the job is too large");
	j->penalty = rate ? rate : 1;
	return 0;
}

static int charge_jobs(struct charge *c, bool lenient)
{
	struct swf *t = c->t;
	size_t i, kept = 0;

	for (i = 0; i < t->jobs; i++) {
		if (!charge_job(c, &t->job[i])) {
			t->job[kept++] = t->job[i];
			continue;
		}
		if (!lenient)
			return -1;
		if (!t->damaged++)
			snprintf(t->error, sizeof(t->error), "%s", c->error);
	}
	t->jobs = kept;
	return kept ? 0 : -1;
}

/* ---- all of it ---- */

static int bad_standard(struct charge *c, const char *why, struct text s)
{
	snprintf(c->error, CHARGE_ERROR, "--standard-job: %s '%.*s'", why,
		 shown(s), s.p);
	return -1;
}

/* Of 1 processor and 1 GB, unless @text says otherwise. */
static int read_standard(struct charge *c, const char *text)
{
	struct text s, name, item;
	int resource;
	int64_t n;

	if (!text)
		text = c->ram < 0 ? "cpus=1" : "cpus=1:ram=1G";
	s.p = text;
	s.end = text + strlen(text);
	while (cut(&s, ':', &item)) {
		cut(&item, '=', &name);
		resource = resource_of(c, name);
		if (resource < 0)
			return bad_standard(c, "no node has", name);
		if (c->standard[resource])
			return bad_standard(c, "twice", name);
		if (!item.p || !machine_amount(item.p, bytes(item), &n) || !n)
			return bad_standard(c, "not an amount of", name);
		c->standard[resource] = n;
	}
	return 0;
}

static int open_machine(struct charge *c, const char *standard)
{
	const struct machine *m = c->machine;
	size_t size = fair_penalty_size(m->classes, m->resources);

	c->memory = size ? malloc(size) : NULL;
	c->standard = calloc(m->resources, sizeof(*c->standard));
	if (!c->memory || !c->standard) {
		snprintf(c->error, CHARGE_ERROR, "out of memory");
		return -1;
	}
	if (fair_penalty_init(&c->m, sizeof(c->m), c->memory, size, m->node,
			      m->classes, m->resources, m->special)) {
		snprintf(c->error, CHARGE_ERROR,
			 "the machine has too much of a resource");
		return -1;
	}
	c->ram = machine_resource(m, "ram", 3);
	return read_standard(c, standard);
}

static int charge_processors(struct charge *c)
{
	struct swf_job *j;

	for (j = c->t->job; j < c->t->job + c->t->jobs; j++) {
		c->job = j;
		if (find_queue_cost(c, j))
			return -1;
		if (c->queue_cost > MOST_RATE / j->procs)
			return fail(c, NO_FIELD,
				    "the penalty of the job is too large");
		j->penalty = c->queue_cost ? j->procs * c->queue_cost : 1;
	}
	return 0;
}

static void close_machine(struct charge *c)
{
	free(c->memory);
	free(c->standard);
	free(c->chunk);
	free(c->amount);
	free(c->assigned);
	free(c->node);
}

int charge_trace(const struct machine *machine,
		 const struct charge_rules *rules, bool lenient, struct swf *t,
		 const char *path, char *error)
{
	struct charge c = { 0 };
	int status;

	c.machine = machine;
	c.rules = rules;
	c.t = t;
	c.path = path;
	c.error = error;
	if (!machine)
		return charge_processors(&c);
	status = open_machine(&c, rules->standard);
	if (!status)
		status = charge_jobs(&c, lenient);
	close_machine(&c);
	return status;
}

int charge_requests(const struct machine *machine, struct swf *t,
		    const char *path, struct charge_words *words, char *error,
		    int (*take)(void *ctx, size_t job,
				const struct charge_request *request),
		    void *ctx)
{
	struct charge c = { 0 };
	struct charge_request q;
	int status;
	size_t i;

	c.machine = machine;
	c.t = t;
	c.path = path;
	c.words = words;
	c.error = error;
	status = open_machine(&c, NULL);
	if (c.ram < 0)
		c.ram = machine_resource(machine, "memory", 6);
	for (i = 0; i < t->jobs && !status; i++) {
		c.job = &t->job[i];
		status = read_request(&c);
		if (status)
			break;
		q.chunk = c.chunk;
		q.chunks = c.chunks;
		q.whole = c.exclusive;
		q.node = c.node;
		q.nodes = c.nodes;
		q.unknown = c.unknown;
		status = take(ctx, i, &q);
	}
	close_machine(&c);
	return status;
}
