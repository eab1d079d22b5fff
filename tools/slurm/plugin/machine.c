/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's nodes and trackable resources as node classes and amounts. */
#include "machine.h"

#include "src/common/log.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

static int32_t to_amount(uint64_t n)
{
	return n == NO_VAL64 ? 0 : n > INT32_MAX ? INT32_MAX : (int32_t)n;
}

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
		m->amount[r] = m->usable[r] = to_amount(l->total);
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

/* Partitions, features and GRES of a node. */
static char *make_key(const node_record_t *n)
{
	char *key = NULL;
	node_feature_t *f;
	list_itr_t *i;

	for (int p = 0; p < n->part_cnt; p++)
		xstrfmtcat(key, "%s,", ((part_record_t *)n->part_pptr[p])->name);
	xstrcat(key, "|");
	if (active_feature_list) {
		i = list_iterator_create(active_feature_list);
		while ((f = list_next(i)))
			if (f->node_bitmap && bit_test(f->node_bitmap, n->index))
				xstrfmtcat(key, "%s,", f->name);
		list_iterator_destroy(i);
	}
	xstrfmtcat(key, "|%s", n->config_ptr->gres ? n->config_ptr->gres : "");
	return key;
}

/* Returns the class of a node; -1: none, since there are too many. */
static int find_class(struct slurm_machine *m, node_record_t *n)
{
	char *key = make_key(n);
	uint32_t k = 0;

	while (k < m->classes && xstrcmp(m->key[k], key))
		k++;
	if (k < m->classes) {
		xfree(key);
	} else if (k == CLASSES) {
		verbose("fairsched: node %s is not planned: it would need more "
			"than %d classes",
			n->name, CLASSES);
		xfree(key);
		return -1;
	} else {
		m->key[k] = key;
		m->node[k] = n->index;
		m->classes++;
	}
	return (int)k;
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

bool read_machine(struct slurm_machine *m, bool awaits_nodes)
{
	node_record_t *n;
	int64_t procs = 0;

	memset(m, 0, sizeof(*m));
	m->nodes = node_record_count;
	m->awaits_nodes = awaits_nodes && has_unknown_node();
	m->of = xmalloc((size_t)m->nodes + 1);
	memset(m->of, -1, (size_t)m->nodes);
	read_resources(m);
	for (int i = 0; (n = next_node(&i)); i++) {
		int k = n->part_cnt ? find_class(m, n) : -1;
		bool is_up = takes_jobs(m, n);

		m->of[i] = (signed char)k;
		for (uint32_t r = 0; k >= 0 && r < m->resources; r++) {
			uint32_t at = (uint32_t)k * m->resources + r;
			int32_t has = amount_of_node(m, r, n);

			m->amount[at] += has;
			m->usable[at] += is_up ? has : 0;
		}
	}
	for (uint32_t k = 0; k < m->classes; k++)
		procs += m->amount[k * m->resources];
	return procs > 0;
}

void free_machine(struct slurm_machine *m)
{
	for (uint32_t r = 0; r < m->resources; r++)
		xfree(m->name[r]);
	for (uint32_t k = 0; k < m->classes; k++)
		xfree(m->key[k]);
	xfree(m->of);
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
	for (uint32_t k = 0; k < m->classes; k++)
		hash(&h, m->key[k], strlen(m->key[k]) + 1);
	hash(&h, m->amount, m->resources * m->classes * sizeof(*m->amount));
	return h;
}

/* Whether the nodes of a class have all features that the job names. Slurm
 * itself judges what is more than a list of names. */
static bool has_features(const struct slurm_machine *m, uint32_t k,
			 const job_record_t *j)
{
	job_feature_t *f;
	node_feature_t *n;
	list_itr_t *i;
	bool has = true;

	if (!j->details->feature_list || !active_feature_list ||
	    strpbrk(j->details->features, "|[(*"))
		return true;
	i = list_iterator_create(j->details->feature_list);
	while (has && (f = list_next(i))) {
		n = list_find_first(active_feature_list, list_find_feature,
				    f->name);
		has = n && n->node_bitmap && bit_test(n->node_bitmap, m->node[k]);
	}
	list_iterator_destroy(i);
	return has;
}

/* Whether the nodes of a class have each type of GRES that the job names. */
static bool has_gres_types(const struct slurm_machine *m, uint32_t k,
			   const job_record_t *j)
{
	const char *has = node_record_table_ptr[m->node[k]]->config_ptr->gres;
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

/* Returns a partition of the job to which the class belongs. */
static part_record_t *find_partition(const struct slurm_machine *m, uint32_t k,
				     const struct slurm_waiting *w,
				     size_t partitions)
{
	for (; partitions--; w++)
		if (w->part->node_bitmap &&
		    bit_test(w->part->node_bitmap, m->node[k]))
			return w->part;
	return NULL;
}

static bool can_serve(const struct slurm_machine *m, uint32_t k,
		      const job_record_t *j, const struct slurm_request *r,
		      const struct slurm_waiting *w, size_t partitions)
{
	for (uint32_t i = 0; i < m->resources; i++)
		if (r->amount[i] > m->amount[m->wide >> i & 1
						     ? i
						     : k * m->resources + i])
			return false;
	return find_partition(m, k, w, partitions) && has_features(m, k, j) &&
	       has_gres_types(m, k, j);
}

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

/* Of each type that it asks for, in all. */
static uint64_t count_requested_gres(const job_record_t *j, uint32_t plugin)
{
	const job_details_t *d = j->details;
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
		n += MAX(s->gres_per_job,
			 MAX(s->gres_per_node * d->min_nodes,
			     s->gres_per_task * d->num_tasks));
	}
	list_iterator_destroy(i);
	return n;
}

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

static void read_amounts(const struct slurm_machine *m, const job_record_t *j,
			 bool is_allocated, struct slurm_request *q)
{
	const uint64_t *tres = is_allocated ? j->tres_alloc_cnt
					    : j->tres_req_cnt;
	uint64_t n;

	memset(q, 0, sizeof(*q));
	for (uint32_t r = 0; r < m->resources; r++) {
		if (m->kind[r] == PROCESSORS)
			n = !is_allocated ? j->details->min_cpus
			    : IS_JOB_SUSPENDED(j) && !j->priority
				    ? 0 /* given back */
				    : j->total_cpus;
		else if (m->kind[r] == MEMORY)
			n = tres ? tres[TRES_ARRAY_MEM] : 0;
		else if (m->kind[r] == LICENCE)
			n = count_licences(j->license_list, m->name[r]);
		else if (is_allocated)
			n = count_allocated_gres(j, m->gres[r]);
		else
			n = count_requested_gres(j, m->gres[r]);
		q->amount[r] = to_amount(n);
	}
}

/* A job that takes whole nodes takes all that they have. */
static void take_nodes(const struct slurm_machine *m, const job_record_t *j,
		       struct slurm_request *q)
{
	const node_record_t *n = node_record_table_ptr[m->node[q->classes[0]]];
	uint64_t nodes = j->details->min_nodes;

	for (uint32_t r = 0; r < m->resources; r++) {
		int32_t all = amount_of_node(m, r, n);

		if (nodes * (uint64_t)all > (uint64_t)q->amount[r])
			q->amount[r] = to_amount(nodes * (uint64_t)all);
	}
}

void read_request(const struct slurm_machine *m, job_record_t *j,
		  const struct slurm_waiting *w, size_t partitions,
		  struct slurm_request *q)
{
	read_amounts(m, j, false, q);
	for (uint32_t k = 0; k < m->classes; k++)
		if (can_serve(m, k, j, q, w, partitions))
			q->classes[q->count++] = (uint8_t)k;
	if (q->count && j->details->whole_node == WHOLE_NODE_REQUIRED)
		take_nodes(m, j, q);
}

void read_allocation(const struct slurm_machine *m, job_record_t *j,
		     struct slurm_request *q)
{
	int first = j->node_bitmap ? bit_ffs(j->node_bitmap) : -1;
	int k = first < 0 || first >= m->nodes ? -1 : m->of[first];

	read_amounts(m, j, true, q);
	q->classes[0] = (uint8_t)(k < 0 ? 0 : k);
	q->count = 1;
}

void keep_usable(struct slurm_machine *m, const job_record_t *j,
		 const struct slurm_request *q, time_t end)
{
	int64_t nodes = 0, lost = 0;
	uint32_t k = q->classes[0];

	for (int i = 0; j->node_bitmap && i < m->nodes; i++) {
		if (!bit_test(j->node_bitmap, i))
			continue;
		nodes++;
		lost += !takes_jobs(m, node_record_table_ptr[i]);
	}
	if (lost && end > m->drained[k])
		m->drained[k] = end;
	for (uint32_t r = 0; lost && r < m->resources; r++) {
		int64_t part = (q->amount[r] * lost + nodes - 1) / nodes;

		if (m->wide >> r & 1)
			continue;
		m->usable[k * m->resources + r] += (int32_t)part;
		m->draining[k * m->resources + r] += (int32_t)part;
	}
}

void read_reservation(const struct slurm_machine *m, const slurmctld_resv_t *v,
		      int32_t *amount)
{
	bool some = v->core_bitmap && !(v->ctld_flags & RESV_CTLD_FULL_NODE);

	memset(amount, 0, m->resources * m->classes * sizeof(*amount));
	for (int i = 0; v->node_bitmap && i < m->nodes; i++) {
		const node_record_t *n = node_record_table_ptr[i];
		int32_t *of = amount + m->of[i] * (int)m->resources;

		if (m->of[i] < 0 || !bit_test(v->node_bitmap, i))
			continue;
		if (some) { /* cores alone, equally many on each node */
			*of += n->cpus * (int32_t)v->core_cnt /
			       (n->tot_cores * (int32_t)v->node_cnt);
			continue;
		}
		for (uint32_t r = 0; r < m->resources; r++)
			of[r] += amount_of_node(m, r, n);
	}
}

bitstr_t *exclude_nodes(const struct slurm_machine *m, job_record_t *j,
			const struct slurm_waiting *w, size_t partitions,
			uint32_t node_class)
{
	bitstr_t *was = j->details->exc_node_bitmap;
	bitstr_t *now = was ? bit_copy(was) : bit_alloc(node_record_count);
	part_record_t *p = find_partition(m, node_class, w, partitions);

	for (int i = 0; i < m->nodes && i < node_record_count; i++)
		if (m->of[i] != (int)node_class)
			bit_set(now, i);
	j->details->exc_node_bitmap = now;
	if (p)
		j->part_ptr = p;
	return was;
}

void allow_nodes(job_record_t *j, bitstr_t *excluded)
{
	if (!j->details)
		return;
	FREE_NULL_BITMAP(j->details->exc_node_bitmap);
	j->details->exc_node_bitmap = excluded;
}
