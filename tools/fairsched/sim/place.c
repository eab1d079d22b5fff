/* SPDX-License-Identifier: MIT OR Unlicense */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const place_drop_text[PLACE_DROPS] = {
	"no room for its chunks",
	"chunks of several kinds",
	"a property or host that no node has",
};

/* ---- where jobs run ---- */

struct place_node {
	int64_t free; /* processors */
	uint32_t node;
};

static int open_nodes(struct place *p)
{
	const struct machine *m = p->jobs->machine;
	size_t k, n = 0;
	int32_t i;

	for (k = 0; k < m->classes; k++) {
		p->first[k] = n;
		for (i = 0; i < m->node[k].count; i++, n++) {
			p->node_class[n] = (uint32_t)k;
			memcpy(p->free + n * p->resources, m->node[k].amount,
			       p->resources * sizeof(*p->free));
		}
	}
	p->first[k] = n;
	return 0;
}

static int open_for(struct place *p, const struct place_jobs *jobs, size_t n,
		    bool best)
{
	const struct machine *m = jobs->machine;
	size_t k;

	memset(p, 0, sizeof(*p));
	p->jobs = jobs;
	p->best = best;
	p->resources = m->resources;
	for (k = 0; k < m->classes; k++)
		p->nodes += (size_t)m->node[k].count;
	p->node_class = malloc(p->nodes * sizeof(*p->node_class));
	p->first = malloc((m->classes + 1) * sizeof(*p->first));
	p->free = malloc(p->nodes * p->resources * sizeof(*p->free));
	p->scratch = malloc(p->nodes * p->resources * sizeof(*p->scratch));
	p->order = malloc(p->nodes * sizeof(*p->order));
	p->head = calloc(n + 1, sizeof(*p->head));
	p->end = malloc((n + 1) * sizeof(*p->end));
	p->running = malloc((n + 1) * sizeof(*p->running));
	p->at = malloc((n + 1) * sizeof(*p->at));
	if (!p->node_class || !p->first || !p->free || !p->scratch ||
	    !p->order || !p->head || !p->end || !p->running || !p->at)
		return -1;
	return open_nodes(p);
}

int place_open(struct place *p, const struct place_jobs *jobs, bool best)
{
	return open_for(p, jobs, jobs->jobs, best);
}

void place_close(struct place *p)
{
	free(p->node_class);
	free(p->first);
	free(p->free);
	free(p->scratch);
	free(p->order);
	free(p->held);
	free(p->head);
	free(p->end);
	free(p->running);
	free(p->at);
	memset(p, 0, sizeof(*p));
}

static bool suits(const struct fair_penalty_class *c,
		  const struct place_part *part)
{
	return !(part->properties & ~c->properties) &&
	       !(part->without & c->properties) && c->spec >= part->min_spec &&
	       (!part->max_spec || c->spec <= part->max_spec);
}

/* How many parts, up to @most, node @n has room for. */
static int32_t room(const struct place *p, size_t n,
		    const struct place_part *part, int32_t most)
{
	const struct fair_penalty_class *c =
		&p->jobs->machine->node[p->node_class[n]];
	const int64_t *need = p->jobs->amount + part->amount;
	const int64_t *left = p->free + n * p->resources;
	size_t r;

	if (!suits(c, part))
		return 0;
	if (part->whole && memcmp(left, c->amount, p->resources * sizeof(*left)))
		return 0;
	for (r = 0; r < p->resources; r++)
		if (need[r] && left[r] / need[r] < most)
			most = (int32_t)(left[r] / need[r]);
	return part->most && most > part->most ? part->most : most;
}

/* Takes parts on a node, @sign -1, or gives them back. */
static void hold(struct place *p, const struct place_held *h, int sign)
{
	const struct place_part *part = &p->jobs->part[h->part];
	const int64_t *need = p->jobs->amount + part->amount;
	int64_t *left = p->free + h->node * p->resources;
	int32_t times = sign * (part->whole ? 1 : h->parts);
	size_t r;

	if (part->whole)
		need = p->jobs->machine->node[p->node_class[h->node]].amount;
	for (r = 0; r < p->resources; r++)
		left[r] += need[r] * times;
}

static bool add_held(struct place *p, size_t job, size_t node, size_t part,
		     int32_t parts)
{
	size_t cap = p->helds_room ? 2 * p->helds_room : 4096;
	struct place_held *h;
	uint32_t i = p->unused;

	if (!i && p->helds == p->helds_room) {
		h = realloc(p->held, cap * sizeof(*h));
		p->failed |= !h;
		if (!h)
			return false;
		p->held = h;
		p->helds_room = cap;
	}
	if (i)
		p->unused = p->held[i - 1].next;
	else
		i = (uint32_t)++p->helds;
	h = &p->held[i - 1];
	h->node = (uint32_t)node;
	h->parts = parts;
	h->part = part;
	h->next = p->head[job];
	p->head[job] = i;
	hold(p, h, -1);
	return true;
}

static int fewest_free(const void *a, const void *b)
{
	const struct place_node *x = a, *y = b;

	if (x->free != y->free)
		return x->free < y->free ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The nodes with room, those with the fewest free processors first. */
static size_t sort_nodes(struct place *p, const struct place_part *part,
			 size_t from, size_t to)
{
	size_t n = 0, i;

	for (i = from; i < to; i++) {
		if (!room(p, i, part, 1))
			continue;
		p->order[n].free = p->free[i * p->resources];
		p->order[n++].node = (uint32_t)i;
	}
	qsort(p->order, n, sizeof(*p->order), fewest_free);
	return n;
}

/* Equal parts on nodes [from, to): a node gets all that it has room for. */
static bool take_parts(struct place *p, size_t job, size_t part, size_t from,
		       size_t to)
{
	const struct place_part *kind = &p->jobs->part[part];
	size_t n = p->best ? sort_nodes(p, kind, from, to) : to - from, i, node;
	int32_t left = kind->count, parts;

	for (i = 0; i < n && left; i++) {
		node = p->best ? p->order[i].node : from + i;
		parts = room(p, node, kind, left);
		if (parts && !add_held(p, job, node, part, parts))
			return false;
		left -= parts;
	}
	return !left;
}

/* Gives back what the job holds. */
static void give(struct place *p, size_t job)
{
	uint32_t i, next;

	for (i = p->head[job]; i; i = next) {
		next = p->held[i - 1].next;
		hold(p, &p->held[i - 1], 1);
		p->held[i - 1].next = p->unused;
		p->unused = i;
	}
	p->head[job] = 0;
}

static bool put(struct place *p, size_t job, uint32_t node_class)
{
	size_t from = node_class == PLACE_ANY ? 0 : p->first[node_class];
	size_t to = node_class == PLACE_ANY ? p->nodes
					    : p->first[node_class + 1];
	size_t i;

	for (i = p->jobs->first[job]; i < p->jobs->first[job + 1]; i++)
		if (!take_parts(p, job, i, from, to)) {
			give(p, job);
			return false;
		}
	return true;
}

bool place_take(struct place *p, size_t job, uint32_t node_class, int64_t end)
{
	if (!put(p, job, node_class))
		return false;
	p->end[job] = end;
	place_run(p, job);
	return true;
}

bool place_put(struct place *p, size_t job, uint32_t node, int32_t parts)
{
	size_t part = p->jobs->first[job];

	return room(p, node, &p->jobs->part[part], parts) == parts &&
	       add_held(p, job, node, part, parts);
}

void place_run(struct place *p, size_t job)
{
	p->at[job] = (uint32_t)p->runs;
	p->running[p->runs++] = (uint32_t)job;
}

void place_give(struct place *p, size_t job)
{
	uint32_t last = p->running[--p->runs];

	give(p, job);
	p->running[p->at[job]] = last;
	p->at[last] = p->at[job];
}

bool place_can(struct place *p, size_t job, uint32_t node_class)
{
	bool can = put(p, job, node_class);

	if (can)
		give(p, job);
	return can;
}

/* ---- when there will be room ---- */

struct ending {
	int64_t at;
	uint32_t job;
};

static int by_end(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

/* Is there room when the first @n have ended? */
static bool can_after(struct place *p, const struct ending *e, size_t n,
		      size_t job, uint32_t node_class)
{
	size_t bytes = p->nodes * p->resources * sizeof(*p->free), i;
	uint32_t h;
	bool can;

	memcpy(p->scratch, p->free, bytes);
	for (i = 0; i < n; i++)
		for (h = p->head[e[i].job]; h; h = p->held[h - 1].next)
			hold(p, &p->held[h - 1], 1);
	can = place_can(p, job, node_class);
	memcpy(p->free, p->scratch, bytes);
	return can;
}

int64_t place_when(struct place *p, size_t job, uint32_t node_class)
{
	struct ending *e = malloc((p->runs + 1) * sizeof(*e));
	size_t low = 0, high = p->runs, middle, i;
	int64_t when = INT64_MAX;

	p->failed |= !e;
	if (!e)
		return when;
	for (i = 0; i < p->runs; i++) {
		e[i].job = p->running[i];
		e[i].at = p->end[e[i].job];
	}
	qsort(e, p->runs, sizeof(*e), by_end);
	if (!can_after(p, e, high, job, node_class))
		high = 0;
	/* Invariant: room after @high have ended, none after @low. */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (can_after(p, e, middle, job, node_class))
			high = middle;
		else
			low = middle;
	}
	if (high)
		when = e[high - 1].at;
	free(e);
	return when;
}

/* ---- numbers of processors ---- */

static int by_node(const void *a, const void *b)
{
	const struct place_node *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

/* Of the node. */
static int32_t first_proc(const struct place *p, uint32_t node)
{
	const struct machine *m = p->jobs->machine;
	int64_t first = 0;
	uint32_t k;

	for (k = 0; k < p->node_class[node]; k++)
		first += m->node[k].count * m->node[k].amount[0];
	return (int32_t)(first + (int64_t)(node - p->first[k]) *
					 m->node[k].amount[0]);
}

int place_each(const struct place *p, size_t job,
	       void (*take)(void *ctx, int32_t first, int32_t procs), void *ctx)
{
	const struct place_held *held;
	struct place_node *node;
	size_t n = 0, i;
	uint32_t h;

	for (h = p->head[job]; h; h = p->held[h - 1].next)
		n++;
	node = malloc((n + 1) * sizeof(*node));
	if (!node)
		return -1;
	for (h = p->head[job], i = 0; h; h = held->next, i++) {
		held = &p->held[h - 1];
		node[i].node = held->node;
		node[i].free = held->parts *
			       p->jobs->amount[p->jobs->part[held->part].amount];
	}
	qsort(node, n, sizeof(*node), by_node);
	for (i = 0; i < n; i++)
		take(ctx, first_proc(p, node[i].node), (int32_t)node[i].free);
	free(node);
	return 0;
}

/* ---- what jobs need of nodes ---- */

struct reader {
	struct place_jobs *j;
	struct plan *plan; /* NULL: one pool */
	struct swf *t;
	struct place empty;
	unsigned long first; /* line of a job that was dropped, or 0 */
	const char *path;
	char *error;
};

static int fail(char *error, const char *path, const char *what)
{
	snprintf(error, PLACE_ERROR, "%.200s: %s", path, what);
	return -1;
}

/* Room for one more part. */
static int grow(struct place_jobs *j)
{
	size_t cap = j->parts_room ? 2 * j->parts_room : 4096;
	void *p;

	if (j->parts < j->parts_room)
		return 0;
	p = realloc(j->part, cap * sizeof(*j->part));
	if (!p)
		return -1;
	j->part = p;
	p = realloc(j->amount, cap * j->machine->resources *
				       sizeof(*j->amount));
	if (!p)
		return -1;
	j->amount = p;
	j->parts_room = cap;
	return 0;
}

/* Returns the amounts of a new part, all 0; NULL without memory. */
static int64_t *add_part(struct place_jobs *j, int32_t count)
{
	struct place_part *part;

	if (grow(j))
		return NULL;
	part = &j->part[j->parts];
	memset(part, 0, sizeof(*part));
	part->count = count;
	part->amount = j->parts++ * j->machine->resources;
	memset(j->amount + part->amount, 0,
	       j->machine->resources * sizeof(*j->amount));
	return j->amount + part->amount;
}

/* Ascending, each once; returns how many there are. */
static size_t sort_numbers(uint32_t *node, size_t n)
{
	size_t i, k, kept = 0;
	uint32_t x;

	for (i = 0; i < n; i++) {
		x = node[i];
		for (k = kept; k && node[k - 1] > x; k--)
			;
		if (k && node[k - 1] == x)
			continue;
		memmove(node + k + 1, node + k, (kept - k) * sizeof(*node));
		node[k] = x;
		kept++;
	}
	return kept;
}

/* The set of the nodes that chunk @chunk names, or must not have; below 0 as of
 * plan_set_of(). */
static int set_of(struct plan *p, const struct charge_request *q, size_t chunk,
		  bool excluded)
{
	uint32_t *node = malloc((q->nodes + 1) * sizeof(*node));
	size_t i, n = 0;
	int set;

	if (!node)
		return -2;
	for (i = 0; i < q->nodes; i++)
		if (q->node[i].chunk == chunk &&
		    q->node[i].excluded == excluded)
			node[n++] = q->node[i].node;
	set = plan_set_of(p, node, sort_numbers(node, n));
	free(node);
	return set;
}

/* Whether they differ in nothing but how many they are. */
static bool are_alike(const struct place_jobs *j, const struct place_part *a,
		      const struct place_part *b)
{
	return a->most == b->most && a->whole == b->whole &&
	       a->properties == b->properties && a->without == b->without &&
	       a->min_spec == b->min_spec && a->max_spec == b->max_spec &&
	       a->named == b->named && a->excluded == b->excluded &&
	       !memcmp(j->amount + a->amount, j->amount + b->amount,
		       j->machine->resources * sizeof(*j->amount));
}

/* If the last part of the job is like the one before, they become one. */
static void merge_last(struct place_jobs *j)
{
	struct place_part *last = &j->part[j->parts - 1];

	if (j->parts - j->first[j->jobs] < 2 ||
	    last[-1].count > INT32_MAX - last->count ||
	    !are_alike(j, last - 1, last))
		return;
	last[-1].count += last->count;
	j->parts--;
}

/* Of a node request; -1: no memory, -3: too many sets of nodes. */
static int add_request(struct reader *reader, const struct charge_request *q)
{
	struct place_jobs *j = reader->j;
	struct place_part *part;
	int64_t *amount;
	int named, excluded;
	size_t i, r;

	for (i = 0; i < q->chunks; i++) {
		amount = add_part(j, q->chunk[i].count);
		if (!amount)
			return -1;
		for (r = 0; r < j->machine->resources; r++)
			if (!j->machine->wide[r])
				amount[r] = q->chunk[i].amount[r];
		part = &j->part[j->parts - 1];
		part->whole = q->whole;
		part->most = q->whole;
		part->properties = q->chunk[i].properties;
		part->without = q->chunk[i].without;
		part->min_spec = q->chunk[i].min_spec;
		part->max_spec = q->chunk[i].max_spec;
		named = q->nodes ? set_of(reader->plan, q, i, false) : 0;
		excluded = q->nodes ? set_of(reader->plan, q, i, true) : 0;
		if (named < 0 || excluded < 0)
			return named == -2 || excluded == -2 ? -1 : -3;
		part->named = (uint32_t)named;
		part->excluded = (uint32_t)excluded;
		merge_last(j);
	}
	return 0;
}

static int64_t divisor(int64_t a, int64_t b)
{
	int64_t rest;

	for (; b; b = rest) {
		rest = a % b;
		a = b;
	}
	return a;
}

/* Into how many parts the amounts divide, but for memory. */
static int64_t parts_of(const struct machine *m, const int64_t *sum)
{
	int64_t parts = sum[0];
	size_t r;

	for (r = 1; r < m->resources; r++)
		if (!m->wide[r] && !plan_is_memory(m->resource_name[r]))
			parts = divisor(parts, sum[r]);
	return parts;
}

/* Of amounts of the whole job; -2: they do not divide among its chunks. */
static int add_amounts(struct place_jobs *j, const struct swf *t,
		       const struct swf_job *job, struct ask_nodes n)
{
	const struct machine *m = j->machine;
	int64_t *sum = calloc(2 * m->resources, sizeof(*sum)), *amount;
	uint64_t properties;
	int64_t parts;
	size_t r;

	if (!sum)
		return -1;
	properties = plan_amounts(m, t, job, sum);
	parts = parts_of(m, sum);
	if (n.chunks && parts % n.chunks && !n.uneven) {
		free(sum);
		return -2;
	}
	if (n.chunks)
		parts = n.chunks;
	amount = add_part(j, (int32_t)parts);
	for (r = 0; amount && r < m->resources; r++)
		if (!m->wide[r])
			amount[r] = sum[r] / parts + !!(sum[r] % parts);
	if (amount) {
		j->part[j->parts - 1].properties = properties;
		j->part[j->parts - 1].most = n.per_node;
		j->part[j->parts - 1].whole = n.exclusive;
	}
	free(sum);
	return amount ? 0 : -1;
}

/* Takes classes that cannot hold job @i out of its list; false: all. */
static bool keep_classes(struct reader *r, size_t i)
{
	const uint32_t classes = r->plan->config.classes;
	uint8_t *list = r->plan->classes + i * classes, k;
	uint32_t n = r->plan->count[i] ? r->plan->count[i] : classes, at;
	uint32_t kept = 0;
	uint8_t was[FAIR_MACHINE_CLASSES];

	for (at = 0; at < n; at++)
		was[at] = r->plan->count[i] ? list[at] : (uint8_t)at;
	for (at = 0; at < n; at++) {
		k = was[at];
		if (place_can(&r->empty, r->j->jobs, k))
			list[kept++] = k;
	}
	if (kept < classes || r->plan->count[i])
		r->plan->count[i] = (uint8_t)kept;
	return kept;
}

static bool has_node(const struct plan_set *set, uint32_t node)
{
	size_t i;

	for (i = 0; i < set->nodes; i++)
		if (set->node[i] == node)
			return true;
	return false;
}

/* How many nodes of a class suit the one kind of parts of the last job. */
static int32_t count_suited(const void *ctx, uint32_t node_class)
{
	const struct reader *r = ctx;
	const struct place_jobs *j = r->j;
	const struct place_part *part = &j->part[j->first[j->jobs]];
	const struct plan_set *set = r->plan->set;
	size_t node = r->empty.first[node_class];
	int32_t n = 0;

	if (!suits(&j->machine->node[node_class], part))
		return 0;
	for (; node < r->empty.first[node_class + 1]; node++)
		n += (!part->named ||
		      has_node(&set[part->named - 1], (uint32_t)node)) &&
		     (!part->excluded ||
		      !has_node(&set[part->excluded - 1], (uint32_t)node));
	return n;
}

/* The plan of nodes gets the chunks of job @i; false: it cannot hold them. */
static bool plan_parts(struct reader *r, size_t i)
{
	const struct place_jobs *j = r->j;
	const struct place_part *part = &j->part[j->first[j->jobs]];
	struct plan_chunks chunks = { part->count, part->most, part->whole,
				      part->named, part->excluded };

	return plan_set_chunks(r->plan, i, chunks, j->amount + part->amount,
			       count_suited, r);
}

/* Whether nodes can hold job @i, the last one; else *@why not. */
static bool fits(struct reader *r, size_t i, bool unknown, enum place_drop *why)
{
	const struct place_jobs *j = r->j;
	bool on_nodes = r->plan && r->plan->nodes.count;

	*why = PLACE_NO_ROOM;
	if (!on_nodes)
		return r->plan ? keep_classes(r, i)
			       : place_can(&r->empty, j->jobs, PLACE_ANY);
	if (unknown)
		*why = PLACE_UNKNOWN;
	else if (j->first[j->jobs + 1] - j->first[j->jobs] > 1)
		*why = PLACE_KINDS;
	else
		return plan_parts(r, i);
	return false;
}

static int fail_division(const struct reader *r, const struct swf_job *job)
{
	snprintf(r->error, PLACE_ERROR,
		 "%.200s:%lu: an amount does not divide among the nodes or "
		 "chunks of the job",
		 r->path, job->line);
	return -1;
}

static void drop(struct reader *r, const struct swf_job *job,
		 enum place_drop why)
{
	struct place_jobs *j = r->j;

	j->parts = j->first[j->jobs];
	if (!j->dropped[why]++)
		j->first_dropped[why] = job->line;
	r->t->dropped[SWF_NO_NODES]++;
	r->first = r->first ? r->first : job->line;
}

/* The job has the processors of its parts, also if the trace has others. */
static void set_procs(struct place_jobs *j, struct swf_job *job)
{
	const struct place_part *part = &j->part[j->first[j->jobs]];
	int32_t procs = part->count * (int32_t)j->amount[part->amount];

	j->changed += procs != job->procs;
	job->procs = procs;
}

/* The parts of job @i are there: it is kept, or dropped. */
static int take(void *ctx, size_t i, const struct charge_request *request)
{
	struct reader *r = ctx;
	struct place_jobs *j = r->j;
	struct swf_job *job = &r->t->job[i];
	struct ask_nodes nodes = asks_of_nodes(&r->t->asks, job->ask);
	bool on_nodes = r->plan && r->plan->nodes.count;
	enum place_drop why;
	int error;
	bool has_room;

	if (nodes.uneven && !on_nodes)
		nodes.chunks = nodes.per_node = 0;
	error = job->more ? add_request(r, request)
			  : add_amounts(j, r->t, job, nodes);
	if (error == -2)
		return fail_division(r, job);
	if (error == -3)
		return fail(r->error, r->path,
			    "its jobs name more than 256 sets of nodes");
	j->first[j->jobs + 1] = j->parts;
	has_room = !error && fits(r, i, request->unknown, &why);
	if (error || r->empty.failed) {
		snprintf(r->error, PLACE_ERROR, "out of memory");
		return -1;
	}
	if (!has_room) {
		drop(r, job, why);
		return 0;
	}
	if (r->plan)
		plan_move(r->plan, i, j->jobs);
	if (on_nodes)
		set_procs(j, job);
	r->t->job[j->jobs++] = *job;
	return 0;
}

static int more_jobs(const void *a, const void *b)
{
	const struct charge_word *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

static int fail_none(const struct reader *r, const char *path)
{
	char why[80];

	snprintf(why, sizeof(why),
		 "no nodes can hold any of its jobs, such as that of line %lu",
		 r->first);
	return fail(r->error, path, why);
}

int place_jobs_open(struct place_jobs *j, const struct machine *m,
		    struct plan *p, struct swf *t, const char *path,
		    char *error)
{
	struct reader r = { 0 };
	int64_t nodes = 0;
	size_t i;
	int status;

	place_jobs_free(j);
	j->machine = m;
	for (i = 0; i < m->classes; i++)
		nodes += m->node[i].count;
	if (nodes > PLACE_NODES)
		return fail(error, path,
			    "more than 1000000 nodes to place jobs on");
	j->first = calloc(t->jobs + 1, sizeof(*j->first));
	r.j = j;
	r.plan = plan_is_open(p) ? p : NULL;
	r.t = t;
	r.path = path;
	r.error = error;
	if (!j->first || open_for(&r.empty, j, t->jobs, false)) {
		place_close(&r.empty);
		return fail(error, path, "out of memory");
	}
	status = charge_requests(m, t, path,
				 r.plan && r.plan->nodes.count ? &j->words
							       : NULL,
				 error, take, &r);
	place_close(&r.empty);
	if (status)
		return -1;
	qsort(j->words.word, j->words.words, sizeof(*j->words.word), more_jobs);
	t->jobs = j->jobs;
	return j->jobs ? 0 : fail_none(&r, path);
}

void place_jobs_move(struct place_jobs *j, size_t from, size_t to)
{
	size_t at = j->first[to], first = j->first[from];
	size_t n = j->first[from + 1] - first;

	memmove(j->part + at, j->part + first, n * sizeof(*j->part));
	j->first[to + 1] = at + n;
	j->jobs = to + 1;
}

void place_jobs_free(struct place_jobs *j)
{
	free(j->part);
	free(j->first);
	free(j->amount);
	memset(j, 0, sizeof(*j));
}
