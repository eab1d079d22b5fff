/* SPDX-License-Identifier: MIT OR Unlicense */
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

static int fail(char *error, const char *path, const char *what)
{
	snprintf(error, PLAN_ERROR, "%.200s: %s", path, what);
	return -1;
}

/* What class @k has of resource @r: of all its nodes, or of the machine. */
static int64_t total(const struct machine *m, size_t k, size_t r)
{
	int64_t one = m->node[k].amount[r];

	if (m->wide[r])
		return one;
	return one > INT64_MAX / m->node[k].count ? INT64_MAX
						  : one * m->node[k].count;
}

bool plan_is_memory(struct csv_field name)
{
	return csv_is(name, "ram") || csv_is(name, "memory") ||
	       csv_is(name, "mem");
}

/* The least shift by which the most of a resource fits; memory is in MiB. */
static int shift_of(const struct machine *m, size_t r)
{
	int shift = plan_is_memory(m->resource_name[r]) ? 20 : 0;
	int64_t most = 0, sum = 0, n;
	size_t k;

	for (k = 0; k < m->classes; k++) {
		n = total(m, k, r);
		sum = n > INT64_MAX - sum ? INT64_MAX : sum + n;
		most = n > most ? n : most;
	}
	if (m->wide[r])
		most = sum;
	while (most >> shift > INT32_MAX)
		shift += 10;
	return shift;
}

int plan_open(struct plan *p, const struct machine *m, const char *path,
	      char *error)
{
	int64_t sum;
	size_t k, r;

	p->machine = m;
	p->path = path;
	if (m->resources > FAIR_MACHINE_RESOURCES) {
		snprintf(error, PLAN_ERROR,
			 "%.200s:1: column %.*s: more than 8 resources to plan",
			 path, csv_shown(m->resource_name[FAIR_MACHINE_RESOURCES]),
			 m->resource_name[FAIR_MACHINE_RESOURCES].p);
		return -1;
	}
	if (m->classes > FAIR_MACHINE_CLASSES)
		return fail(error, path, "more than 64 classes to plan");
	if (!machine_procs(m))
		return fail(error, path, "more than 2147483647 processors");
	p->amount = calloc(m->classes * m->resources, sizeof(*p->amount));
	if (!p->amount)
		return fail(error, path, "out of memory");
	for (r = 0; r < m->resources; r++) {
		p->shift[r] = r ? shift_of(m, r) : 0;
		p->resource[r] = m->resource_name[r];
		p->config.wide |= (uint32_t)m->wide[r] << r;
		for (sum = 0, k = 0; k < m->classes; k++) {
			sum = m->wide[r] ? sum + total(m, k, r)
					 : total(m, k, r);
			p->amount[(m->wide[r] ? 0 : k * m->resources) + r] =
				(int32_t)(sum >> p->shift[r]);
		}
	}
	for (k = 0; k < m->classes; k++)
		p->node_class[k] = m->class_name[k];
	p->config.resources = (uint32_t)m->resources;
	p->config.classes = (uint32_t)m->classes;
	p->config.amount = p->amount;
	return 0;
}

int plan_on_nodes(struct plan *p, bool first_fit, char *error)
{
	const struct machine *m = p->machine;
	int64_t nodes = 0;
	size_t k, r;

	p->nodes_count = malloc(m->classes * sizeof(*p->nodes_count));
	if (!p->nodes_count)
		return fail(error, p->path, "out of memory");
	for (k = 0; k < m->classes; k++) {
		p->nodes_count[k] = m->node[k].count;
		nodes += m->node[k].count;
		for (r = 0; r < m->resources; r++)
			if (!m->wide[r])
				p->amount[k * m->resources + r] =
					m->node[k].count *
					(int32_t)(m->node[k].amount[r] >>
						  p->shift[r]);
	}
	if (nodes > FAIR_NODES_NODES)
		return fail(error, p->path, "more than 65535 nodes to plan");
	p->nodes.count = p->nodes_count;
	p->nodes.first_fit = first_fit;
	return 0;
}

/* ---- what resources cost ---- */

static int fail_billing(char *error, struct csv_field part, const char *what)
{
	snprintf(error, PLAN_ERROR, "--billing: '%.*s' %s", csv_shown(part),
		 part.p, what);
	return -1;
}

/* 0.25G: of one of 2^30; a unit of the plan is 1 << @shift. */
static bool parse_weight(struct csv_field s, int shift, int64_t *weight)
{
	static const char units[] = "KMGTP";
	const char *unit = s.n ? memchr(units, s.p[s.n - 1], 5) : NULL;
	int64_t fixed;
	int by = shift;

	if (unit) {
		s.n--;
		by -= 10 * (int)(unit - units + 1);
	}
	if (!s.n || !machine_decimal(s, &fixed) ||
	    (by > 0 && fixed > (INT64_C(1) << 50) >> by))
		return false;
	*weight = by > 0 ? fixed << by : fixed >> -by;
	return *weight <= INT64_C(1) << 50 && (*weight || !fixed);
}

/* Weights times @scale, rounded to whole costs; false: too much. */
static bool scale_weights(struct plan *p, int64_t scale, bool *exact)
{
	int64_t cost = 0, weight;
	uint32_t k, r;

	*exact = true;
	for (r = 0; r < p->config.resources; r++) {
		if (p->billing.weight[r] > (INT64_C(1) << 50) / scale)
			return false;
		weight = p->billing.weight[r] * scale;
		*exact &= weight % FAIR_PENALTY_ONE == 0;
		weight = (weight + FAIR_PENALTY_ONE / 2) / FAIR_PENALTY_ONE;
		p->whole.weight[r] = weight * FAIR_PENALTY_ONE;
		for (k = 0; k < p->config.classes && cost <= INT32_MAX; k++)
			cost += weight *
				p->amount[k * p->config.resources + r];
	}
	return cost <= INT32_MAX;
}

static bool find_whole_weights(struct plan *p)
{
	bool exact = false;

	p->whole.maximum = p->billing.maximum;
	for (p->scale = 1; !exact && scale_weights(p, p->scale, &exact);)
		p->scale *= 2;
	p->scale /= 2;
	return p->scale && scale_weights(p, p->scale, &exact);
}

int plan_bill(struct plan *p, const char *weights, char *error)
{
	struct csv_field rest = csv_column(weights), part, name;
	bool billed[FAIR_MACHINE_RESOURCES] = { false };
	int r;

	p->is_billed = true;
	p->billing.maximum = rest.n > 4 && !memcmp(rest.p, "max,", 4);
	if (p->billing.maximum)
		csv_cut(&rest, ',', &part);
	while (csv_cut(&rest, ',', &part)) {
		struct csv_field weight = part;

		csv_cut(&weight, '=', &name);
		r = machine_resource(p->machine, name.p, name.n);
		if (r < 0)
			return fail_billing(error, part,
					    "is of no resource of the machine");
		if (billed[r])
			return fail_billing(error, part, "appears twice");
		billed[r] = true;
		if (!parse_weight(weight, p->shift[r], &p->billing.weight[r]))
			return fail_billing(error, part,
					    "is not RESOURCE=WEIGHT, or too "
					    "small or large");
	}
	if (!find_whole_weights(p) || !p->whole.weight[0])
		return fail_billing(error, csv_column(weights),
				    "makes the machine cost too much, or a "
				    "processor nothing");
	return 0;
}

int32_t plan_cost(const struct plan *p, size_t i)
{
	const int32_t *ask = p->ask + i * p->config.resources;
	int64_t cost = 0, one;
	uint32_t r;

	for (r = 0; r < p->config.resources; r++) {
		one = p->whole.weight[r] / FAIR_PENALTY_ONE * ask[r];
		if (!p->whole.maximum)
			cost += one;
		else if (one > cost)
			cost = one;
	}
	return (int32_t)cost; /* the machine costs no more than INT32_MAX */
}

int64_t plan_second_cost(const struct plan *p, size_t i)
{
	const int32_t *ask = p->ask + i * p->config.resources;
	int64_t cost = 0, one;
	uint32_t r;

	for (r = 0; r < p->config.resources; r++) {
		one = p->billing.weight[r] * ask[r];
		if (!p->billing.maximum)
			cost += one;
		else if (one > cost)
			cost = one;
	}
	return cost; /* the machine costs no more than 2^51 */
}

/* The resource of field 10; 0: the machine has none. */
static uint32_t memory_resource(const struct machine *m)
{
	int r = machine_resource(m, "ram", 3);

	if (r < 0)
		r = machine_resource(m, "memory", 6);
	return r < 0 ? 0 : (uint32_t)r;
}

static int32_t round_up(int64_t amount, int shift)
{
	int64_t unit = INT64_C(1) << shift;
	int64_t n = amount / unit + (amount % unit > 0);

	return n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

/* ---- what is asked for by name ---- */

/* "a" or "as" is the resource "a". */
static bool is_name_of(struct csv_field resource, struct csv_field name)
{
	return csv_same(name, resource.p, resource.n) ||
	       (resource.n == name.n + 1 && resource.p[name.n] == 's' &&
		!memcmp(resource.p, name.p, name.n));
}

/* The part of gres/gpu:a100 behind the slash. */
static struct csv_field without_kind(struct csv_field name)
{
	const char *slash = memchr(name.p, '/', name.n);

	if (slash) {
		name.n -= (size_t)(slash + 1 - name.p);
		name.p = slash + 1;
	}
	return name;
}

/* The resource of that name, of any type of it; -1: none. */
static int find_resource(const struct machine *m, struct csv_field name,
			 bool *typed)
{
	struct csv_field part = without_kind(name), type = part, base = part;
	size_t r;

	*typed = false;
	for (r = 1; r < m->resources; r++)
		if (csv_same(name, m->resource_name[r].p,
			     m->resource_name[r].n) ||
		    is_name_of(m->resource_name[r], part) ||
		    (plan_is_memory(m->resource_name[r]) &&
		     plan_is_memory(part)))
			return (int)r;
	csv_cut(&type, ':', &base);
	if (!type.n)
		return -1;
	*typed = true;
	for (r = 1; r < m->resources; r++)
		if (is_name_of(m->resource_name[r], base))
			return (int)r;
	return -1;
}

/* Every column of a jobs CSV is a resource of the machine. */
static int check_names(const struct plan *p, const struct asks *a,
		       const char *path, char *error)
{
	bool typed;
	uint32_t i;

	for (i = 0; a->exact && i < a->names; i++) {
		if (find_resource(p->machine, a->name[i], &typed) >= 0)
			continue;
		snprintf(error, PLAN_ERROR,
			 "%.200s:%ld: column %.*s: the machine has no such"
			 " resource",
			 path, a->line, csv_shown(a->name[i]), a->name[i].p);
		return -1;
	}
	return 0;
}

/* The bit of the property that a type is; 0: no class has it. */
static uint64_t type_of(const struct machine *m, struct csv_field name)
{
	struct csv_field type = name;

	csv_cut(&type, ':', &name);
	return machine_property(m, type.p, type.n);
}

/* Adds the row's amounts of resources whose names are typed, or are not. */
static uint64_t add_named(const struct machine *m, const struct asks *a,
			  const struct asks_row *row, bool typed, int64_t *sum)
{
	uint64_t properties = 0;
	const struct ask *ask;
	bool is_typed;
	size_t i;
	int r;

	for (i = row->first; i < row->end; i++) {
		ask = &a->ask[i];
		r = find_resource(m, a->name[ask->name], &is_typed);
		if (r < 0 || is_typed != typed)
			continue;
		if (typed)
			properties |= type_of(m, a->name[ask->name]);
		sum[r] = ask->amount > INT64_MAX - sum[r]
				 ? INT64_MAX
				 : sum[r] + ask->amount;
	}
	return properties;
}

/* By field 10, of the whole job; 0: nothing, or no such resource. */
static int64_t memory_of(const struct swf *t, const struct swf_job *j)
{
	int64_t kb = swf_memory_kb(t, j);

	if (kb <= 0)
		return 0;
	if (kb > (INT64_MAX >> 10) / j->procs)
		kb = (INT64_MAX >> 10) / j->procs;
	return (kb * j->procs) << 10;
}

uint64_t plan_amounts(const struct machine *m, const struct swf *t,
		      const struct swf_job *j, int64_t *sum)
{
	const struct asks_row *row = j->ask ? &t->asks.row[j->ask - 1] : NULL;
	int64_t *of_types = sum + m->resources;
	uint64_t properties = 0;
	uint32_t r = memory_resource(m);

	memset(sum, 0, 2 * m->resources * sizeof(*sum));
	if (row) {
		add_named(m, &t->asks, row, false, sum);
		properties = add_named(m, &t->asks, row, true, of_types);
	}
	if (r && !sum[r])
		sum[r] = memory_of(t, j);
	for (r = 1; r < m->resources; r++)
		if (!sum[r])
			sum[r] = of_types[r];
	sum[0] = j->procs;
	return properties;
}

/* ---- the classes of a job ---- */

/* Where a job is, for messages. */
struct place {
	const struct swf *t;
	const struct swf_job *job;
	const char *path;
	char *error;
};

static int no_class(const struct place *at, const char *field,
		    const char *what, const char *name, size_t n)
{
	snprintf(at->error, PLAN_ERROR, "%.200s:%lu: %s: no class of the "
		 "machine %s %.*s", at->path, at->job->line, field, what,
		 n < 40 ? (int)n : 40, name);
	return -1;
}

static bool has_name(struct csv_field list, struct csv_field name)
{
	struct csv_field part;

	while (list.n && csv_cut(&list, ':', &part))
		if (csv_same(part, name.p, name.n))
			return true;
	return false;
}

bool plan_serves(const struct plan *p, size_t k, struct csv_field qos)
{
	struct csv_field list = p->machine->qos[k];

	return !list.n || (qos.n && has_name(list, qos));
}

/* The QoS that classes serve are some of the trace. */
static int check_qos(const struct plan *p, const struct asks *a,
		     const char *path, char *error)
{
	struct csv_field list, name;
	size_t k;

	for (k = 0; k < p->config.classes; k++) {
		list = p->machine->qos[k];
		if (list.n && !a->has_qos) {
			snprintf(error, PLAN_ERROR,
				 "%.200s:%ld: qos: %.200s does not say which"
				 " QoS its jobs have: only a jobs CSV with a"
				 " column qos, and sacct with QOS, do",
				 p->path, p->machine->line[k], path);
			return -1;
		}
		while (list.n && csv_cut(&list, ':', &name)) {
			if (asks_know_qos(a, name))
				continue;
			snprintf(error, PLAN_ERROR,
				 "%.200s:%ld: qos: no job of %.200s has QoS"
				 " %.*s",
				 p->path, p->machine->line[k], path,
				 csv_shown(name), name.p);
			return -1;
		}
	}
	return 0;
}

/* The partition's name, or else field 16; nothing: it has none. */
static struct csv_field partition_of(const struct place *at, char *text,
				     size_t size)
{
	struct csv_field name = names_of(at->t->names, SACCT_PARTITION,
					 at->job->queue);

	if (name.n || at->job->partition < 0)
		return name;
	snprintf(text, size, "%" PRId64, at->job->partition);
	return csv_column(text);
}

/* The classes of the job's partition. */
static int ask_partition(const struct plan *p, const struct place *at, size_t i)
{
	uint8_t *list = p->classes + i * p->config.classes;
	char text[24];
	struct csv_field name = partition_of(at, text, sizeof(text));
	bool any = !name.n;
	size_t k;

	for (k = 0; k < p->config.classes; k++) {
		any |= !p->machine->partitions[k].n;
		if (name.n && has_name(p->machine->partitions[k], name))
			list[p->count[i]++] = (uint8_t)k;
	}
	if (any || p->count[i])
		return 0;
	return no_class(at, name.p == text ? "field 16 (partition)"
					   : "partition",
			"has partition", name.p, name.n);
}

/* "gpu:big", the preferred one first. */
static int ask_listed(const struct plan *p, const struct place *at,
		      struct csv_field names, size_t i)
{
	uint8_t *list = p->classes + i * p->config.classes;
	uint64_t seen = 0;
	struct csv_field name;
	int k;

	while (csv_cut(&names, ':', &name)) {
		k = machine_class(p->machine, name.p, name.n);
		if (k < 0)
			return no_class(at, "classes", "is", name.p, name.n);
		if (!(seen >> k & 1))
			list[p->count[i]++] = (uint8_t)k;
		seen |= UINT64_C(1) << k;
	}
	return 0;
}

static void list_all(const struct plan *p, size_t i)
{
	uint8_t *list = p->classes + i * p->config.classes;
	uint32_t k;

	for (k = 0; k < p->config.classes; k++)
		list[k] = (uint8_t)k;
	p->count[i] = (uint8_t)k;
}

/* Leaves the classes that serve the job's QoS. */
static int keep_serving(const struct plan *p, const struct place *at, size_t i)
{
	struct csv_field qos = asks_of_qos(&at->t->asks, at->job->ask);
	uint8_t *list = p->classes + i * p->config.classes;
	uint32_t n, k;

	if (!p->machine->has_qos)
		return 0;
	if (!p->count[i])
		list_all(p, i);
	for (n = p->count[i], p->count[i] = 0, k = 0; k < n; k++)
		if (plan_serves(p, list[k], qos))
			list[p->count[i]++] = list[k];
	if (p->count[i])
		return 0;
	return no_class(at, "qos", qos.n ? "that it may use serves QoS"
					 : "that it may use serves a job"
					   " without QoS", qos.p, qos.n);
}

/* Leaves the classes that have the properties; false: there are none. */
static bool keep_classes(const struct plan *p, uint64_t properties, size_t i)
{
	uint8_t *list = p->classes + i * p->config.classes;
	uint32_t n, k;
	uint8_t node_class;

	if (!p->count[i])
		list_all(p, i);
	for (n = p->count[i], p->count[i] = 0, k = 0; k < n; k++) {
		node_class = list[k];
		if (!(properties & ~p->machine->node[node_class].properties))
			list[p->count[i]++] = node_class;
	}
	return p->count[i];
}

bool plan_lacks(const struct plan *p, const struct fair_machine_request *request,
		char *text, size_t size)
{
	static const char *const unit[] = { "", " KiB", " MiB", " GiB", " TiB",
					    " PiB" };
	const struct fair_machine_config *c = &p->config;
	uint32_t r, k = fair_machine_closest(c, request, &r);
	bool wide = c->wide >> r & 1;
	const char *u;

	if (r == c->resources)
		return false;
	u = unit[p->shift[r] / 10 % 6];
	snprintf(text, size,
		 "%.*s: %s%.*s has %" PRId32 "%s, which comes closest to %" PRId32
		 "%s",
		 csv_shown(p->resource[r]), p->resource[r].p,
		 wide ? "the machine" : "class ",
		 wide ? 0 : csv_shown(p->node_class[k]), p->node_class[k].p,
		 c->amount[(wide ? 0 : k * c->resources) + r], u,
		 request->amount[r], u);
	return true;
}

/* Why no class runs the job of row @i; nothing: one does. */
static void explain_drop(const struct plan *p, const struct place *at, size_t i,
			 char *text, size_t size)
{
	struct fair_machine_request request = {
		p->ask + i * p->config.resources,
		p->classes + i * p->config.classes, p->count[i]
	};
	char lacks[PLAN_ERROR / 2];

	text[0] = '\0';
	if (plan_lacks(p, &request, lacks, sizeof(lacks)))
		snprintf(text, size, "%.200s:%lu: %s", at->path, at->job->line,
			 lacks);
}

/* What the log says that the job had, to row @i; -1: it does not say. */
static void note_had(const struct plan *p, const struct place *at, size_t i)
{
	int32_t *had = p->had + i * p->config.resources;
	int64_t sum[2 * FAIR_MACHINE_RESOURCES];
	struct swf_job job = *at->job;
	uint32_t k;

	job.ask = job.had;
	if (job.had)
		plan_amounts(p->machine, at->t, &job, sum);
	for (k = 0; k < p->config.resources; k++)
		had[k] = job.had ? round_up(sum[k], p->shift[k]) : -1;
}

/* All that the job asks for, to row @i; @drop: why no class can run it, or "". */
static int ask_all(const struct plan *p, const struct place *at, size_t i,
		   char *drop)
{
	struct csv_field names = asks_of_classes(&at->t->asks, at->job->ask);
	int32_t *ask = p->ask + i * p->config.resources;
	int64_t sum[2 * FAIR_MACHINE_RESOURCES];
	uint64_t properties;
	uint32_t k;

	note_had(p, at, i);
	p->count[i] = 0;
	properties = plan_amounts(p->machine, at->t, at->job, sum);
	for (k = 0; k < p->config.resources; k++)
		ask[k] = round_up(sum[k], p->shift[k]);
	if (names.n ? ask_listed(p, at, names, i) : ask_partition(p, at, i))
		return -1;
	if (keep_serving(p, at, i))
		return -1;
	if (properties && !keep_classes(p, properties, i))
		snprintf(drop, PLAN_ERROR,
			 "%.200s:%lu: no class has the type of a resource that "
			 "it asks for", at->path, at->job->line);
	else
		explain_drop(p, at, i, drop, PLAN_ERROR);
	return 0;
}

static void free_sets(struct plan *p)
{
	while (p->nodes.sets)
		free(p->set[--p->nodes.sets].node);
	free(p->set);
	p->set = NULL;
}

uint32_t plan_find_set(const struct plan *p, const uint32_t *node, size_t nodes)
{
	uint32_t i;

	for (i = 0; i < p->nodes.sets; i++)
		if (p->set[i].nodes == nodes &&
		    !memcmp(p->set[i].node, node, nodes * sizeof(*node)))
			return i + 1;
	return 0;
}

int plan_set_of(struct plan *p, const uint32_t *node, size_t nodes)
{
	uint32_t n = p->nodes.sets, found;
	struct plan_set *more;

	if (!nodes)
		return 0;
	found = plan_find_set(p, node, nodes);
	if (found)
		return (int)found;
	if (n == FAIR_NODES_SETS)
		return -1;
	more = realloc(p->set, (n + 1) * sizeof(*more));
	if (!more)
		return -2;
	p->set = more;
	more[n].nodes = nodes;
	more[n].node = malloc(nodes * sizeof(*node));
	if (!more[n].node)
		return -2;
	memcpy(more[n].node, node, nodes * sizeof(*node));
	return (int)++p->nodes.sets;
}

int plan_jobs(struct plan *p, struct swf *t, const char *path, char *error)
{
	size_t resources = p->config.resources, kept = 0, i;
	struct place at = { t, NULL, path, error };
	char drop[PLAN_ERROR], first[PLAN_ERROR] = "";

	if (check_names(p, &t->asks, path, error) ||
	    check_qos(p, &t->asks, path, error))
		return -1;
	free(p->ask);
	free(p->had);
	free(p->classes);
	free(p->count);
	p->ask = calloc(t->jobs * resources + 1, sizeof(*p->ask));
	p->had = calloc(t->jobs * resources + 1, sizeof(*p->had));
	p->classes = calloc(t->jobs * p->config.classes + 1, 1);
	p->count = calloc(t->jobs + 1, 1);
	free_sets(p);
	free(p->chunks);
	p->chunks = p->nodes.count ? calloc(t->jobs + 1, sizeof(*p->chunks))
				   : NULL;
	if (!p->ask || !p->had || !p->classes || !p->count ||
	    (p->nodes.count && !p->chunks))
		return fail(error, path, "out of memory");
	for (i = 0; i < t->jobs; i++) {
		at.job = &t->job[i];
		if (ask_all(p, &at, kept, drop))
			return -1;
		if (!*drop) {
			t->job[kept++] = t->job[i];
			continue;
		}
		t->dropped[SWF_TOO_WIDE]++;
		if (!*first)
			memcpy(first, drop, sizeof(first));
	}
	t->jobs = kept;
	if (kept)
		return 0;
	snprintf(error, PLAN_ERROR, "%.200s: no class can run any of its jobs%s%.*s",
		 path, *first ? ", such as " : "", PLAN_ERROR - 300, first);
	return -1;
}

/* How many of the chunks @nodes of class @k can hold, if all are free. */
static int64_t chunks_held(const struct plan *p, size_t i, uint32_t k,
			   int32_t nodes)
{
	const struct plan_chunks *c = &p->chunks[i];
	const int32_t *ask = p->ask + i * p->config.resources;
	int32_t hosts = c->per_node ? c->per_node : c->count, one;
	uint32_t r;

	for (r = 0; r < p->config.resources; r++) {
		one = ask[r] / c->count;
		if (p->config.wide >> r & 1 || !one)
			continue;
		one = p->amount[k * p->config.resources + r] /
		      p->nodes_count[k] / one;
		hosts = one < hosts ? one : hosts;
	}
	return (int64_t)hosts * nodes;
}

bool plan_set_chunks(struct plan *p, size_t i, struct plan_chunks chunks,
		     const int64_t *amount,
		     int32_t (*suit)(const void *ctx, uint32_t node_class),
		     const void *ctx)
{
	uint8_t *list = p->classes + i * p->config.classes;
	int32_t *ask = p->ask + i * p->config.resources;
	uint32_t n, k, r;
	int64_t all;

	p->chunks[i] = chunks;
	for (r = 0; r < p->config.resources; r++) {
		if (p->config.wide >> r & 1)
			continue;
		all = (int64_t)round_up(amount[r], p->shift[r]) * chunks.count;
		if (all > INT32_MAX)
			return false;
		ask[r] = (int32_t)all;
	}
	if (!p->count[i])
		list_all(p, i);
	for (n = p->count[i], p->count[i] = 0, k = 0; k < n; k++)
		if (chunks_held(p, i, list[k], suit(ctx, list[k])) >=
		    chunks.count)
			list[p->count[i]++] = list[k];
	return p->count[i];
}

int32_t plan_round_up(const struct plan *p, uint32_t r, int64_t amount)
{
	return round_up(amount, p->shift[r]);
}

void plan_move(struct plan *p, size_t from, size_t to)
{
	const size_t resources = p->config.resources;
	const size_t classes = p->config.classes;

	memmove(p->ask + to * resources, p->ask + from * resources,
		resources * sizeof(*p->ask));
	memmove(p->had + to * resources, p->had + from * resources,
		resources * sizeof(*p->had));
	memmove(p->classes + to * classes, p->classes + from * classes,
		classes);
	p->count[to] = p->count[from];
	if (p->chunks)
		p->chunks[to] = p->chunks[from];
}

int32_t plan_first_proc(const struct plan *p, uint32_t k)
{
	int32_t first = 0;

	while (k--)
		first += p->amount[k * p->config.resources];
	return first;
}

/* The number behind @word at *@at, which moves past it; -1: another text. */
static int64_t number_after(const char **at, const char *word)
{
	size_t n = strlen(word);
	char *end;
	int64_t number;

	if (strncmp(*at, word, n) || (*at)[n] < '0' || (*at)[n] > '9')
		return -1;
	number = strtol(*at + n, &end, 10);
	*at = end;
	return number;
}

/* " gpus", or " MiB of memory"; of one " gpu". */
static int put_resource(const struct plan *p, int64_t r, bool one, char *text,
			size_t size)
{
	static const char *const unit[] = { "",	      " KiB of", " MiB of",
					    " GiB of", " TiB of", " PiB of" };
	struct csv_field name = p->resource[r];

	one &= !p->shift[r] && name.n > 1 && name.p[name.n - 1] == 's';
	return snprintf(text, size, "%s %.*s", unit[p->shift[r] / 10 % 6],
			(int)name.n - one, name.p);
}

/* Whether @text ends with the number 1. */
static bool is_one(const char *text, size_t n)
{
	return n && text[n - 1] == '1' &&
	       (n == 1 || text[n - 2] < '0' || text[n - 2] > '9');
}

void plan_sentence(const struct plan *p, const char *sentence, char *text,
		   size_t size)
{
	size_t used = 0;
	int64_t r, k;

	text[0] = 0;
	while (*sentence && used + 1 < size) {
		r = k = -1;
		if (plan_is_open(p)) {
			r = number_after(&sentence, " of resource ");
			k = number_after(&sentence, " class ");
		}
		if (r >= 0)
			used += (size_t)put_resource(p, r, is_one(text, used),
						     text + used, size - used);
		if (k >= 0 && used < size)
			used += (size_t)snprintf(text + used, size - used,
						 " class %.*s",
						 (int)p->node_class[k].n,
						 p->node_class[k].p);
		if (r < 0 && k < 0)
			text[used++] = *sentence++;
		if (used >= size)
			used = size - 1;
		text[used] = 0;
	}
}

void plan_ask(const struct plan *p, size_t i, struct fair_job *job)
{
	job->amount = p->ask + i * p->config.resources;
	job->classes = p->classes + i * p->config.classes;
	job->class_count = p->count[i];
	if (!p->chunks)
		return;
	job->chunks = p->chunks[i].count;
	job->per_node = p->chunks[i].per_node;
	job->exclusive = p->chunks[i].exclusive;
	job->named = p->chunks[i].named;
	job->excluded = p->chunks[i].excluded;
}

int plan_copy(struct plan *p, const struct plan *of)
{
	size_t n = (size_t)of->config.resources * of->config.classes;

	*p = *of;
	p->ask = NULL;
	p->had = NULL;
	p->classes = p->count = NULL;
	p->chunks = NULL;
	p->set = NULL;
	p->nodes.sets = 0;
	p->nodes_count = NULL;
	if (!n)
		return 0;
	p->config.amount = p->amount = malloc(n * sizeof(*p->amount));
	if (!p->amount)
		return -1;
	memcpy(p->amount, of->amount, n * sizeof(*p->amount));
	if (!of->nodes.count)
		return 0;
	n = of->config.classes * sizeof(*p->nodes_count);
	p->nodes.count = p->nodes_count = malloc(n);
	if (!p->nodes_count)
		return -1;
	memcpy(p->nodes_count, of->nodes_count, n);
	return 0;
}

int32_t plan_had(const struct plan *p, size_t i, uint32_t r)
{
	size_t at = i * p->config.resources + r;

	return p->had[at] < 0 ? p->ask[at] : p->had[at];
}

void plan_free(struct plan *p)
{
	free(p->amount);
	free(p->ask);
	free(p->had);
	free(p->classes);
	free(p->count);
	free(p->chunks);
	free_sets(p);
	free(p->nodes_count);
	memset(p, 0, sizeof(*p));
}
