/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's nodes and jobs, as nodes and requests of the scheduler. */
#include "machine.h"

#include "src/common/log.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* Of the last request: the set of its nodes, and those of its groups. */
static uint64_t *scratch;
static uint64_t tasks_on[CLASSES];

static int32_t to_amount(uint64_t n)
{
	return n == NO_VAL64 ? 0 : n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

static uint64_t divide_up(uint64_t n, uint64_t by)
{
	return (n + by - 1) / by;
}

/* ---- nodes ---- */

/* Returns its number; -1 if there are too many. */
static int add_resource(struct slurm_machine *m, const char *name, int kind)
{
	if (m->resources == RESOURCES) {
		verbose("fairsched: %s is not planned: %d resources are",
			name, RESOURCES);
		return -1;
	}
	m->name[m->resources] = xstrdup(name);
	m->kind[m->resources] = kind;
	return (int)m->resources++;
}

static gres_state_t *find_gres(list_t *list, uint32_t plugin)
{
	gres_state_t *g = NULL;
	list_itr_t *i;

	if (!list)
		return NULL;
	i = list_iterator_create(list);
	while ((g = list_next(i)) && g->plugin_id != plugin)
		;
	list_iterator_destroy(i);
	return g;
}

static void add_gres(struct slurm_machine *m, const node_record_t *n)
{
	gres_state_t *g;
	list_itr_t *i;

	if (!n->gres_list)
		return;
	i = list_iterator_create(n->gres_list);
	while ((g = list_next(i))) {
		uint32_t r = 0;
		int at;

		while (r < m->resources &&
		       (m->kind[r] != GRES || m->gres[r] != g->plugin_id))
			r++;
		at = r < m->resources ? -1
				      : add_resource(m, g->gres_name, GRES);
		if (at >= 0)
			m->gres[at] = g->plugin_id;
	}
	list_iterator_destroy(i);
}

static void add_licences(struct slurm_machine *m)
{
	licenses_t *l;
	list_itr_t *i;
	int r;

	if (!cluster_license_list)
		return;
	i = list_iterator_create(cluster_license_list);
	while ((l = list_next(i))) {
		r = add_resource(m, l->name, LICENCE);
		if (r < 0)
			continue;
		m->wide |= 1u << r;
		m->amount[r] = to_amount(l->total);
	}
	list_iterator_destroy(i);
}

static void read_resources(struct slurm_machine *m)
{
	node_record_t *n;

	add_resource(m, "processors", PROCESSORS);
	if (slurm_conf.select_type_param & CR_MEMORY)
		add_resource(m, "memory", MEMORY);
	for (int i = 0; (n = next_node(&i)); i++)
		add_gres(m, n);
	add_licences(m);
}

static int32_t amount_of_node(const struct slurm_machine *m, uint32_t r,
			      const node_record_t *n)
{
	gres_state_t *g;

	switch (m->kind[r]) {
	case PROCESSORS:
		return n->cpus;
	case MEMORY:
		return to_amount(n->real_memory > n->mem_spec_limit
					 ? n->real_memory - n->mem_spec_limit
					 : 0);
	case GRES:
		g = find_gres(n->gres_list, m->gres[r]);
		return g ? to_amount(((gres_node_state_t *)g->gres_data)
					     ->gres_cnt_config)
			 : 0;
	default:
		return 0;
	}
}

static bool is_of_class(const struct slurm_machine *m, uint32_t k,
			const node_record_t *n)
{
	if (m->weight[k] != n->config_ptr->weight)
		return false;
	for (uint32_t r = 0; r < m->resources; r++)
		if (m->kind[r] != LICENCE &&
		    m->amount[k * m->resources + r] != amount_of_node(m, r, n))
			return false;
	return true;
}

/* Makes room for a class among those of lower weight, and of higher. */
static uint32_t add_class(struct slurm_machine *m, const node_record_t *n)
{
	uint32_t k = m->classes++, r, w = m->resources;
	int32_t licences[RESOURCES];

	memcpy(licences, m->amount, sizeof(licences));
	for (; k && m->weight[k - 1] > n->config_ptr->weight; k--) {
		m->weight[k] = m->weight[k - 1];
		memcpy(m->amount + k * w, m->amount + (k - 1) * w,
		       w * sizeof(*m->amount));
	}
	m->weight[k] = n->config_ptr->weight;
	for (r = 0; r < w; r++)
		m->amount[k * w + r] = amount_of_node(m, r, n);
	for (k = 0; k < m->classes; k++)
		for (r = 0; r < w; r++)
			if (m->kind[r] == LICENCE)
				m->amount[k * w + r] = k ? 0 : licences[r];
	return k;
}

static void read_classes(struct slurm_machine *m)
{
	node_record_t *n;
	uint32_t k;

	for (int i = 0; (n = next_node(&i)); i++) {
		for (k = 0; k < m->classes && !is_of_class(m, k, n);)
			k++;
		if (!n->part_cnt || k < m->classes || !n->cpus)
			continue;
		if (k == CLASSES)
			verbose("fairsched: node %s is not planned: it would "
				"need more than %d classes",
				n->name, CLASSES);
		else
			add_class(m, n);
	}
}

static bool takes_jobs(const struct slurm_machine *m, const node_record_t *n)
{
	return !IS_NODE_DOWN(n) && !IS_NODE_DRAIN(n) && !IS_NODE_FAIL(n) &&
	       (m->awaits_nodes || !IS_NODE_UNKNOWN(n));
}

/* Whether a node has yet to register. */
static bool has_unknown_node(void)
{
	node_record_t *n;

	for (int i = 0; (n = next_node(&i)); i++)
		if (IS_NODE_UNKNOWN(n) && n->part_cnt)
			return true;
	return false;
}

static void number_nodes(struct slurm_machine *m)
{
	node_record_t *n;

	for (uint32_t k = 0; k < m->classes; k++)
		for (int i = 0; (n = next_node(&i)); i++) {
			if (!n->part_cnt || !n->cpus || !is_of_class(m, k, n))
				continue;
			m->of[i] = (int)m->nodes;
			m->index[m->nodes] = i;
			m->kind_of[m->nodes] = (uint8_t)k;
			if (takes_jobs(m, n))
				m->up[m->nodes / 64] |= (uint64_t)1
							<< m->nodes % 64;
			m->count[k]++;
			m->nodes++;
		}
}

bool read_machine(struct slurm_machine *m, bool awaits_nodes)
{
	size_t n = (size_t)node_record_count;

	memset(m, 0, sizeof(*m));
	m->slurm_nodes = (uint32_t)n;
	m->awaits_nodes = awaits_nodes && has_unknown_node();
	m->words = n / 64 + 1;
	m->of = xcalloc(n + 1, sizeof(*m->of));
	memset(m->of, -1, (n + 1) * sizeof(*m->of));
	m->index = xcalloc(n + 1, sizeof(*m->index));
	m->kind_of = xcalloc(n + 1, sizeof(*m->kind_of));
	m->up = xcalloc(m->words, sizeof(*m->up));
	xfree(scratch);
	scratch = xcalloc((1 + NODE_GROUPS) * m->words, sizeof(*scratch));
	read_resources(m);
	read_classes(m);
	number_nodes(m);
	return m->nodes;
}

void free_machine(struct slurm_machine *m)
{
	for (uint32_t r = 0; r < m->resources; r++)
		xfree(m->name[r]);
	xfree(m->of);
	xfree(m->index);
	xfree(m->kind_of);
	xfree(m->up);
	memset(m, 0, sizeof(*m));
}

static void hash(uint64_t *h, const void *data, size_t bytes)
{
	for (const unsigned char *p = data; bytes--; p++)
		*h = (*h ^ *p) * 1099511628211u; /* FNV-1a */
}

uint64_t hash_machine(const struct slurm_machine *m)
{
	uint64_t h = 14695981039346656037u;

	for (uint32_t r = 0; r < m->resources; r++)
		hash(&h, m->name[r], strlen(m->name[r]) + 1);
	for (uint32_t i = 0; i < m->nodes; i++) {
		const char *name = node_record_table_ptr[m->index[i]]->name;

		hash(&h, name, strlen(name) + 1);
	}
	hash(&h, m->count, m->classes * sizeof(*m->count));
	hash(&h, m->amount, m->resources * m->classes * sizeof(*m->amount));
	return h;
}

void read_nodes(const struct slurm_machine *m, const bitstr_t *bits,
		uint64_t *nodes)
{
	memset(nodes, 0, m->words * sizeof(*nodes));
	for (uint32_t i = 0; bits && i < m->nodes; i++)
		if (bit_test((bitstr_t *)bits, m->index[i]))
			nodes[i / 64] |= (uint64_t)1 << i % 64;
}

/* ---- which nodes a job may use ---- */

/* Whether a node has each type of GRES that the job names. */
static bool has_gres_types(const node_record_t *n, const job_record_t *j)
{
	const char *has = n->config_ptr->gres;
	gres_state_t *g;
	list_itr_t *i;
	bool good = true;

	if (!j->gres_list_req)
		return true;
	i = list_iterator_create(j->gres_list_req);
	while (good && (g = list_next(i))) {
		const gres_job_state_t *s = g->gres_data;
		char *type = NULL;

		if (!s->type_name)
			continue;
		xstrfmtcat(type, "%s:%s", g->gres_name, s->type_name);
		good = has && xstrstr(has, type);
		xfree(type);
	}
	list_iterator_destroy(i);
	return good;
}

/* A job takes so many nodes of a bitmap of Slurm's. Returns why that cannot be
 * told, or NULL. */
static const char *add_group(const struct slurm_machine *m, bitstr_t *nodes,
			     uint32_t count, struct slurm_request *q)
{
	struct slurm_group g = { count, (uint32_t)bit_set_count(nodes),
				 scratch + (1 + q->groups) * m->words };
	uint32_t i = q->groups;

	if (q->groups == NODE_GROUPS)
		return "it takes nodes of too many groups";
	read_nodes(m, nodes, g.nodes);
	for (; i && q->group[i - 1].size > g.size; i--)
		q->group[i] = q->group[i - 1];
	q->group[i] = g;
	q->groups++;
	return NULL;
}

/* A group of each feature: with a count, or of one of which all nodes are. */
static const char *add_features(const struct slurm_machine *m,
				const job_record_t *j, struct slurm_request *q)
{
	list_itr_t *i = list_iterator_create(j->details->feature_list);
	const char *why = NULL;
	job_feature_t *f;

	q->of_one = !strchr(j->details->features, '*');
	if (strpbrk(j->details->features, q->of_one ? "&(" : "|("))
		why = "its features are groups of groups";
	while (!why && (f = list_next(i)))
		why = !f->count == q->of_one
			      ? add_group(m, f->node_bitmap_avail, f->count, q)
			      : "some of its features have no count";
	list_iterator_destroy(i);
	return why;
}

/* Removes the nodes without the job's features, or makes groups of them.
 * Returns why that cannot be told, or NULL. */
static const char *filter_features(const struct slurm_machine *m,
				   job_record_t *j, bitstr_t *nodes,
				   struct slurm_request *q)
{
	bool has_xor = false;

	if (!j->details->feature_list)
		return NULL;
	j->details->features_use = j->details->features;
	j->details->feature_list_use = j->details->feature_list;
	valid_feature_counts(j, false, nodes, &has_xor);
	return has_xor || strchr(j->details->features, '*')
		       ? add_features(m, j, q)
		       : NULL;
}

/* The nodes of all partitions of the job. */
static bitstr_t *add_partitions(const struct slurm_waiting *w,
				size_t partitions)
{
	bitstr_t *nodes = bit_alloc(node_record_count);

	for (; partitions--; w++)
		if (w->part->node_bitmap)
			bit_or(nodes, w->part->node_bitmap);
	return nodes;
}

/* The partition that has most nodes. */
static const struct slurm_waiting *
find_largest_partition(const struct slurm_waiting *w, size_t partitions)
{
	const struct slurm_waiting *most = w;

	for (; partitions--; w++)
		if (w->part->node_bitmap &&
		    (!most->part->node_bitmap ||
		     bit_set_count(w->part->node_bitmap) >
			     bit_set_count(most->part->node_bitmap)))
			most = w;
	return most;
}

/* A job of several nodes runs in one of its partitions: there is a group of each,
 * unless one has all nodes. Returns why that cannot be told, or NULL. */
static const char *choose_partition(const struct slurm_machine *m,
				    const struct slurm_waiting *w,
				    size_t partitions, struct slurm_request *q)
{
	bitstr_t *nodes = add_partitions(w, partitions);
	bitstr_t *most = find_largest_partition(w, partitions)->part->node_bitmap;
	bool has_all = !most || bit_super_set(nodes, most);
	const char *why = NULL;

	FREE_NULL_BITMAP(nodes);
	if (has_all)
		return NULL;
	if (q->groups)
		return "it chooses its partition, and nodes of groups";
	q->of_one = true;
	for (; !why && partitions--; w++)
		if (w->part->node_bitmap)
			why = add_group(m, w->part->node_bitmap, 0, q);
	return why;
}

static uint64_t cpus_of_task(const job_details_t *d)
{
	return d->cpus_per_task && d->cpus_per_task != NO_VAL16 &&
			       !d->overcommit
		       ? d->cpus_per_task
		       : 1;
}

/* With overcommit tasks share processors. */
static uint64_t cpus_of_job(const job_details_t *d)
{
	return MAX(MAX(d->min_cpus, 1),
		   d->overcommit ? 1 : d->num_tasks * cpus_of_task(d));
}

/* Whether the job needs no nodes beside those that it names. */
static bool names_all(const job_details_t *d)
{
	uint64_t cpus = 0;
	node_record_t *n;

	for (int i = 0; (n = next_node(&i)); i++)
		if (bit_test(d->req_node_bitmap, i))
			cpus += n->cpus;
	return (uint32_t)bit_set_count(d->req_node_bitmap) >= d->min_nodes &&
	       cpus >= cpus_of_job(d);
}

/* The set of nodes that the job may use, in @scratch, and its groups. Returns
 * why that cannot be told, or NULL. */
static const char *find_nodes(const struct slurm_machine *m, job_record_t *j,
			      const struct slurm_waiting *w, size_t partitions,
			      struct slurm_request *q)
{
	bitstr_t *nodes = add_partitions(w, partitions);
	bitstr_t *needed = j->details->req_node_bitmap;
	const char *why = filter_features(m, j, nodes, q);
	node_record_t *n;

	if (j->details->exc_node_bitmap)
		bit_and_not(nodes, j->details->exc_node_bitmap);
	if (needed && bit_ffs(needed) >= 0 && names_all(j->details))
		bit_and(nodes, needed);
	else if (!why && needed && bit_ffs(needed) >= 0)
		why = q->of_one ? "it names some of its nodes, and features"
				: add_group(m, needed,
					    (uint32_t)bit_set_count(needed), q);
	for (int i = 0; j->gres_list_req && (n = next_node(&i)); i++)
		if (!has_gres_types(n, j))
			bit_clear(nodes, i);
	read_nodes(m, nodes, scratch);
	FREE_NULL_BITMAP(nodes);
	return why;
}

/* ---- how much a job asks for ---- */

/* What a job has on each of equally many nodes. */
struct layout {
	uint64_t nodes, cpus, tasks, least;
};

static uint64_t count_licences(list_t *list, const char *name)
{
	licenses_t *l;
	list_itr_t *i;
	uint64_t n = 0;

	if (!list)
		return 0;
	i = list_iterator_create(list);
	while ((l = list_next(i)))
		if (!xstrcmp(l->name, name))
			n += l->total;
	list_iterator_destroy(i);
	return n;
}

/* Of all types that it asks for; on one node. */
static uint64_t count_gres(const job_record_t *j, uint32_t plugin,
			   const struct layout *l)
{
	gres_state_t *g;
	list_itr_t *i;
	uint64_t n = 0;

	if (!j->gres_list_req)
		return 0;
	i = list_iterator_create(j->gres_list_req);
	while ((g = list_next(i))) {
		const gres_job_state_t *s = g->gres_data;

		if (g->plugin_id != plugin)
			continue;
		n += MAX(divide_up(s->gres_per_job, l->nodes),
			 MAX(s->gres_per_node, s->gres_per_task * l->tasks));
	}
	list_iterator_destroy(i);
	return n;
}

/* Slurm gives whole cores or sockets, where it is configured so. */
static uint64_t round_to_cores(const struct slurm_machine *m, uint64_t cpus)
{
	uint32_t first = 0;
	const node_record_t *n;
	uint64_t unit = 1;

	while (first + 1 < m->nodes && !has_node(scratch, first))
		first++;
	n = node_record_table_ptr[m->index[first]];
	if (slurm_conf.select_type_param & CR_SOCKET)
		unit = (uint64_t)n->cpus / MAX(n->tot_sockets, 1);
	else if (slurm_conf.select_type_param & CR_CORE)
		unit = (uint64_t)n->cpus / MAX(n->tot_cores, 1);
	return unit > 1 ? divide_up(cpus, unit) * unit : cpus;
}

/* Whether so many nodes of a set have so many processors. */
static bool has_nodes(const struct slurm_machine *m, const uint64_t *set,
		      uint64_t nodes, uint64_t cpus)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < m->nodes; i++)
		n += has_node(scratch, i) && has_node(set, i) &&
		     cpus <= (uint64_t)m->amount[m->kind_of[i] * m->resources];
	return n >= nodes;
}

static uint64_t count_in_groups(const struct slurm_request *q)
{
	uint64_t n = 0;

	for (uint32_t g = 0; g < q->groups; g++)
		n += q->group[g].count;
	return n;
}

static bool has_layout(const struct slurm_machine *m,
		       const struct slurm_request *q, const struct layout *l)
{
	bool has_all = has_nodes(m, scratch, l->nodes, l->cpus);
	bool has_one = !q->of_one;

	for (uint32_t g = 0; g < q->groups; g++) {
		const struct slurm_group *group = q->group + g;

		has_all &= has_nodes(m, group->nodes, group->count, l->cpus);
		has_one |= has_nodes(m, group->nodes, l->nodes, l->cpus);
	}
	return has_all && has_one;
}

/* On nodes of @most processors: the fewest. */
static struct layout lay_out_on(const struct slurm_machine *m,
				const job_record_t *j,
				const struct slurm_request *q, uint64_t most)
{
	const job_details_t *d = j->details;
	uint64_t by_task = cpus_of_task(d), total = cpus_of_job(d);
	struct layout l = { MAX(MAX(d->min_nodes, 1), count_in_groups(q)), 1, 1,
			    1 };
	uint64_t tasks = MAX(divide_up(total, by_task), 1);

	if (d->ntasks_per_node)
		l.nodes = MAX(l.nodes,
			      divide_up(d->num_tasks, d->ntasks_per_node));
	if (!d->max_nodes || d->max_nodes > l.nodes)
		l.nodes = MAX(l.nodes, divide_up(total, most));
	l.tasks = divide_up(tasks, l.nodes);
	l.cpus = round_to_cores(m, MAX(l.tasks * by_task, d->pn_min_cpus));
	l.least = tasks % l.nodes > 1 ? l.cpus
				      : MAX(tasks / l.nodes * by_task,
					    d->pn_min_cpus);
	return l;
}

/* Equally much on the fewest nodes of which there are enough. Returns whether
 * there are. */
static bool lay_out(const struct slurm_machine *m, const job_record_t *j,
		    const struct slurm_request *q, struct layout *l)
{
	uint64_t most = UINT64_MAX, next;

	*l = lay_out_on(m, j, q, most);
	while (!has_layout(m, q, l)) {
		for (uint32_t k = next = 0; k < m->classes; k++) {
			uint64_t has = (uint64_t)m->amount[k * m->resources];

			if (has < most)
				next = MAX(next, has);
		}
		if (!next)
			return false;
		most = next;
		*l = lay_out_on(m, j, q, most);
	}
	return true;
}

static uint64_t amount_on_node(const struct slurm_machine *m, uint32_t r,
				const job_record_t *j, const struct layout *l)
{
	uint64_t memory = j->details->pn_min_memory;

	switch (m->kind[r]) {
	case PROCESSORS:
		return l->cpus;
	case MEMORY:
		return memory & MEM_PER_CPU ? (memory & ~MEM_PER_CPU) * l->cpus
					    : memory;
	case GRES:
		return count_gres(j, m->gres[r], l);
	default:
		return count_licences(j->license_list, m->name[r]);
	}
}

/* What of a job, whatever the nodes, is not planned. */
static const char *find_unknown(const job_record_t *j)
{
	const job_details_t *d = j->details;
	uint32_t most = j->part_ptr ? j->part_ptr->max_share : 0;

	if (j->het_job_id)
		return "it is heterogeneous";
	if (d->contiguous)
		return "its nodes have to be contiguous";
	if (j->req_switch)
		return "it asks for switches";
	if (d->whole_node && d->whole_node != WHOLE_NODE_REQUIRED)
		return "it shares nodes with its user's jobs only";
	if (d->core_spec != NO_VAL16 && d->core_spec)
		return "it asks for specialized cores";
	if (most & SHARED_FORCE ? (most & ~SHARED_FORCE) > 1
				: most > 1 && d->share_res == 1)
		return "it shares processors";
	return NULL;
}

/* Whether a node of a class can hold so many tasks of a job. */
static bool can_hold(const struct slurm_machine *m, uint32_t k,
		     const job_record_t *j, uint64_t tasks)
{
	struct layout l = { .nodes = 1, .tasks = tasks };

	l.cpus = MAX(tasks * cpus_of_task(j->details), j->details->pn_min_cpus);
	for (uint32_t r = 0; r < m->resources; r++)
		if (m->kind[r] != LICENCE &&
		    amount_on_node(m, r, j, &l) >
			    (uint64_t)m->amount[k * m->resources + r])
			return false;
	return true;
}

static uint64_t count_tasks_on(const struct slurm_machine *m, uint32_t k,
			       const job_record_t *j)
{
	uint64_t n = (uint64_t)m->amount[k * m->resources] /
		     cpus_of_task(j->details);

	if (j->details->ntasks_per_node)
		n = MIN(n, j->details->ntasks_per_node);
	while (n && !can_hold(m, k, j, n))
		n--;
	return n;
}

/* There are no nodes for equal parts: it takes whole ones, until they
 * suffice. */
static void ask_for_whole_nodes(const struct slurm_machine *m,
				const job_record_t *j, struct slurm_request *q)
{
	const job_details_t *d = j->details;

	for (uint32_t k = 0; k < m->classes; k++)
		tasks_on[k] = count_tasks_on(m, k, j);
	for (uint32_t i = 0; i < m->nodes; i++)
		if (!tasks_on[m->kind_of[i]])
			scratch[i / 64] &= ~((uint64_t)1 << i % 64);
	q->tasks_on = tasks_on;
	q->tasks = divide_up(cpus_of_job(d), cpus_of_task(d));
	q->exclusive = true;
	q->chunks = (int32_t)MAX(MAX(d->min_nodes, 1), count_in_groups(q));
	for (uint32_t r = 0; r < m->resources; r++)
		if (m->kind[r] == LICENCE)
			q->amount[r] =
				to_amount(amount_on_node(m, r, j, NULL));
}

/* There are nodes for equal parts. */
static void ask_for_parts(const struct slurm_machine *m, const job_record_t *j,
			  const struct layout *l, struct slurm_request *q)
{
	q->chunks = to_amount(l->nodes);
	q->least = (uint32_t)MIN(l->least, UINT16_MAX);
	q->exclusive = j->details->whole_node == WHOLE_NODE_REQUIRED;
	for (uint32_t r = 0; r < m->resources; r++) {
		uint64_t n = amount_on_node(m, r, j, l);

		/* Without a limit it takes all memory. */
		q->exclusive |= m->kind[r] == MEMORY && !n;
		q->amount[r] = to_amount(n * (m->wide >> r & 1 ? 1 : l->nodes));
	}
}

static void read_request_in(const struct slurm_machine *m, job_record_t *j,
			    const struct slurm_waiting *w, size_t partitions,
			    struct slurm_request *q)
{
	struct layout l;

	memset(q, 0, sizeof(*q));
	q->nodes = scratch;
	q->most = j->details->max_nodes ? j->details->max_nodes : m->nodes;
	q->why = find_unknown(j);
	if (!q->why)
		q->why = find_nodes(m, j, w, partitions, q);
	if (!q->why && lay_out(m, j, q, &l) && l.nodes > 1)
		q->why = choose_partition(m, w, partitions, q);
	if (!q->why && lay_out(m, j, q, &l))
		ask_for_parts(m, j, &l, q);
	else if (!q->why && !q->of_one && partitions == 1)
		ask_for_whole_nodes(m, j, q);
	else if (!q->why)
		q->why = "no nodes have what it asks for";
}

void read_request(const struct slurm_machine *m, job_record_t *j,
		  const struct slurm_waiting *w, size_t partitions,
		  struct slurm_request *q)
{
	read_request_in(m, j, w, partitions, q);
	if (q->why && partitions > 1) /* it chooses something else */
		read_request_in(m, j, find_largest_partition(w, partitions), 1,
				q);
}

/* ---- what a job has ---- */

static uint64_t count_allocated_gres(const job_record_t *j, uint32_t plugin)
{
	gres_state_t *g;
	list_itr_t *i;
	uint64_t n = 0;

	if (!j->gres_list_alloc)
		return 0;
	i = list_iterator_create(j->gres_list_alloc);
	while ((g = list_next(i)))
		if (g->plugin_id == plugin)
			n += ((gres_job_state_t *)g->gres_data)->total_gres;
	list_iterator_destroy(i);
	return n;
}

/* The most that it has of one of its nodes. */
static uint64_t allocated_on_node(const struct slurm_machine *m, uint32_t r,
				  const job_record_t *j, uint64_t nodes)
{
	const job_resources_t *res = j->job_resrcs;
	uint64_t most = 0;

	if (m->kind[r] == GRES)
		return divide_up(count_allocated_gres(j, m->gres[r]), nodes);
	for (uint32_t i = 0; res && i < res->nhosts; i++) {
		uint64_t n = m->kind[r] == PROCESSORS ? res->cpus[i]
			     : res->memory_allocated ? res->memory_allocated[i]
						     : 0;

		most = MAX(most, n);
	}
	return most;
}

void read_allocation(const struct slurm_machine *m, job_record_t *j,
		     struct slurm_request *q)
{
	uint64_t nodes = 0;

	memset(q, 0, sizeof(*q));
	q->nodes = scratch;
	read_nodes(m, j->node_bitmap, scratch);
	for (uint32_t i = 0; i < m->nodes; i++)
		nodes += has_node(scratch, i);
	if (!nodes) {
		q->why = "its nodes are not planned";
		return;
	}
	q->chunks = to_amount(nodes);
	q->exclusive = j->details->whole_node == WHOLE_NODE_REQUIRED;
	for (uint32_t r = 0; r < m->resources; r++)
		q->amount[r] = to_amount(
			m->kind[r] == LICENCE
				? count_licences(j->license_list, m->name[r])
				: allocated_on_node(m, r, j, nodes) * nodes);
	if (!q->amount[0])
		q->amount[0] = q->chunks;
}
