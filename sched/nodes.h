/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/nodes.h - jobs on nodes, if config.nodes
 *
 *   job --> chunks of equal amounts, by slot --> fair_nodes --> policies plan
 *
 * config.machine says what all nodes of a class have together, and config.nodes
 * how many there are: so ledgers, costs and messages are those of classes, and
 * only the space is another one. The classes' own profiles stay idle.
 *
 * Uses: types.h.
 */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/* Private. */
enum fair_nodes_section {
	FAIR_SECTION_NODES = 41,   /* of each class: how many */
	FAIR_SECTION_NODES_DOWN,   /* numbers */
	FAIR_SECTION_NODES_SETS,   /* (set, node) */
	FAIR_SECTION_NODES_ASKED,  /* of each job, in the order of the jobs */
	FAIR_SECTION_NODES_PARTS,  /* (node, chunks), likewise */
	FAIR_SECTION_NODES_WITHHELD /* (place, node) */
};
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

#ifndef FAIRSCHED_WITHOUT_NODES

/* Private: the nodes, and a copy of their configuration. */
struct fair_node_space {
	struct fair_node_config config; /* count[] follows this structure */
	struct fair_nodes nodes;
	/* With config.advances: a bit of each node that the advance reservation
	 * at a place withholds; one row more is scratch, as are the uses of
	 * each node. */
	uint64_t *withheld;
	uint32_t *uses;
	struct fair_nodes inside; /* for reservation jobs: see inside.h */
	void *inside_memory;
};

/* Private: what nodes.h takes, and its memory. */
struct fair_node_amounts {
	struct fair_nodes_config config;
	int32_t amount[FAIR_MACHINE_CLASSES * FAIR_MACHINE_RESOURCES];
};

/* What one node of each class has; false: it does not divide. */
static bool fair_node_amounts_set(struct fair_node_amounts *x,
				  const struct fair_config *config)
{
	const struct fair_machine_config *m = config->machine;
	const struct fair_node_config *nodes = config->nodes;
	uint32_t n = m->classes * m->resources, i;
	int32_t count;

	x->config.resources = m->resources;
	x->config.classes = m->classes;
	x->config.wide = m->wide;
	x->config.sets = nodes->sets;
	x->config.count = nodes->count;
	x->config.amount = x->amount;
	x->config.first_fit = nodes->first_fit;
	for (i = 0; i < n; i++) {
		count = nodes->count[i / m->resources];
		if (m->wide >> i % m->resources & 1)
			count = 1;
		if (count < 1 || m->amount[i] % count)
			return false;
		x->amount[i] = m->amount[i] / count;
	}
	return true;
}

/* How many nodes there are. */
static uint32_t fair_node_count(const struct fair_config *config)
{
	uint32_t n = 0, k;

	for (k = 0; k < config->machine->classes; k++)
		n += (uint32_t)config->nodes->count[k];
	return n;
}

static size_t fair_node_words(const struct fair_config *config)
{
	return (fair_node_count(config) + 63) / 64;
}

/* Bytes of a row: the nodes that one advance reservation withholds. */
static size_t fair_node_row_size(const struct fair_config *config)
{
	return fair_node_words(config) * sizeof(uint64_t);
}

/* What jobs and advance reservations hold; one row more is for a moment. */
static uint64_t fair_node_parts(const struct fair_config *config)
{
	uint64_t parts = config->nodes->parts;

	if (config->advances)
		parts += 2 * ((uint64_t)config->advances + 1) *
			 fair_node_count(config);
	return parts;
}

/* With one job, and a set of its own. */
static void fair_inside_amounts_set(struct fair_node_amounts *x,
				    const struct fair_config *config)
{
	fair_node_amounts_set(x, config);
	x->config.sets = 1;
}

static size_t fair_inside_size(const struct fair_config *config)
{
	struct fair_node_amounts x;

	fair_inside_amounts_set(&x, config);
	return config->advances
		       ? fair_nodes_size(&x.config, 1,
					 (uint32_t)fair_node_parts(config))
		       : 0;
}

/* Bytes for what they withhold. */
static size_t fair_node_withheld_size(const struct fair_config *config)
{
	return config->advances
		       ? ((size_t)config->advances + 1) *
					 fair_node_row_size(config) +
				 fair_node_words(config) * 64 * 4
		       : 0;
}

/* What is wrong with config.nodes, beside a machine that is valid. */
static const char *fair_nodes_find_error(const struct fair_config *config)
{
	struct fair_node_amounts x;

	if (!config->nodes->count)
		return "nodes has no count";
	if (!fair_node_amounts_set(&x, config))
		return "an amount of a class does not divide by its nodes";
	if (!fair_nodes_size(&x.config, 1, 1))
		return "nodes has too many nodes or sets";
	if (config->nodes->parts < 1 || config->nodes->parts > 1U << 28)
		return "nodes->parts is not from 1 to 2^28";
	if (fair_node_parts(config) > 1U << 28)
		return "nodes and advances need more than 2^28 parts";
	return NULL;
}

static size_t fair_node_counts_size(const struct fair_config *config)
{
	return ((size_t)config->machine->classes + 1) / 2 * 8;
}

/* Bytes of struct fair_node_space and what follows it; 0: too large. */
static size_t fair_node_space_size(const struct fair_config *config)
{
	struct fair_node_amounts x;
	size_t nodes;

	fair_node_amounts_set(&x, config);
	nodes = fair_nodes_size(&x.config, config->jobs,
				(uint32_t)fair_node_parts(config));
	return nodes ? sizeof(struct fair_node_space) +
			       fair_node_counts_size(config) +
			       fair_node_withheld_size(config) +
			       fair_inside_size(config) + nodes
		     : 0;
}

/* Copies the configuration behind @x; returns the memory of the nodes. */
static void *fair_node_space_lay_out(struct fair_node_space *x,
				     const struct fair_config *config)
{
	int32_t *count = (int32_t *)(void *)(x + 1);

	FAIR_MEMCPY(count, config->nodes->count,
		    config->machine->classes * sizeof(*count));
	x->config = *config->nodes;
	x->config.count = count;
	x->withheld = (uint64_t *)(void *)((char *)count +
					   fair_node_counts_size(config));
	x->uses = (uint32_t *)(void *)(x->withheld +
				       ((size_t)config->advances + 1) *
					       fair_node_words(config));
	x->inside_memory = (char *)x->withheld +
			   fair_node_withheld_size(config);
	return (char *)x->inside_memory + fair_inside_size(config);
}

static size_t fair_node_space_memory(const struct fair_config *config)
{
	return fair_node_space_size(config) - sizeof(struct fair_node_space) -
	       fair_node_counts_size(config) -
	       fair_node_withheld_size(config) - fair_inside_size(config);
}

/* With config.advances: nothing is taken inside. */
static void fair_inside_init(struct fair_node_space *x,
			     const struct fair_config *config, int64_t now)
{
	struct fair_node_amounts amounts;

	fair_inside_amounts_set(&amounts, config);
	fair_must(fair_nodes_init(&x->inside, sizeof(x->inside),
				  x->inside_memory, fair_inside_size(config),
				  &amounts.config, 1,
				  (uint32_t)fair_node_parts(config), now));
}

/* The nodes that planners plan on; NULL: they plan amounts. */
static struct fair_nodes *fair_sched_plan_nodes(const struct fair_sched *s)
{
	return s->nodes ? &s->nodes->nodes : NULL;
}

/* The scheduler's configuration names the copy. */
static void fair_node_space_init(struct fair_sched *s)
{
	struct fair_node_space *x = s->nodes;
	struct fair_node_amounts amounts;
	size_t bytes;
	void *memory;

	if (!x)
		return;
	bytes = fair_node_space_memory(&s->config);
	memory = fair_node_space_lay_out(x, &s->config);
	s->config.nodes = &x->config;
	fair_node_amounts_set(&amounts, &s->config);
	fair_must(fair_nodes_init(&x->nodes, sizeof(x->nodes), memory, bytes,
				  &amounts.config, s->config.jobs,
				  (uint32_t)fair_node_parts(&s->config),
				  s->config.origin));
	if (s->config.advances)
		fair_inside_init(x, &s->config, s->config.origin);
}

/* The copy has the nodes of @s, and no jobs yet. */
static void fair_node_space_clone(struct fair_sched *copy,
				  const struct fair_sched *s)
{
	struct fair_node_space *x = copy->nodes;
	void *memory;

	if (!x)
		return;
	memory = fair_node_space_lay_out(x, &s->config);
	copy->config.nodes = &x->config;
	fair_must(fair_nodes_clone(&x->nodes, memory,
				   fair_node_space_memory(&s->config),
				   s->config.jobs,
				   (uint32_t)fair_node_parts(&s->config),
				   &s->nodes->nodes));
	if (s->config.advances)
		fair_inside_init(x, &s->config, s->now);
	FAIR_MEMCPY(x->withheld, s->nodes->withheld,
		    s->advances * fair_node_row_size(&s->config));
}

/* ADVANCE RESERVATIONS */

/* What the one at place @i withholds; at place config.advances: scratch. */
static uint64_t *fair_sched_withheld_nodes(const struct fair_sched *s,
					   uint32_t i)
{
	return s->nodes->withheld + i * fair_node_words(&s->config);
}

static bool fair_sched_withholds(const struct fair_sched *s, uint32_t i,
				 uint32_t node)
{
	return fair_sched_withheld_nodes(s, i)[node / 64] >> node % 64 & 1;
}

/* Place @i has the nodes of the scratch row; with @comes it is a new place. */
static void fair_sched_withhold_nodes(struct fair_sched *s, uint32_t i,
				      bool comes)
{
	uint64_t *row = fair_sched_withheld_nodes(s, i);
	size_t bytes = fair_node_row_size(&s->config);

	if (comes)
		FAIR_MEMMOVE(fair_sched_withheld_nodes(s, i + 1), row,
			     (s->advances - 1 - i) * bytes);
	FAIR_MEMCPY(row, fair_sched_withheld_nodes(s, s->config.advances),
		    bytes);
}

/* What its nodes have, and how many they are; none: zero. */
static void fair_sched_sum_nodes(const struct fair_sched *s, uint32_t i,
				 struct fair_advance *b)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	int64_t amount;
	uint32_t node, r;

	b->named = 0;
	b->nodes = 0;
	FAIR_MEMSET(b->amount, 0, sizeof(b->amount));
	for (node = 0; node < n->nodes; node++) {
		if (!fair_sched_withholds(s, i, node))
			continue;
		if (!b->nodes++)
			b->node_class = fair_nodes_class(n, node);
		for (r = 0; r < n->resources; r++) {
			amount = b->amount[r];
			amount += fair_nodes_whole(n, node, r);
			b->amount[r] = amount < INT32_MAX ? (int32_t)amount
							  : INT32_MAX;
		}
	}
	b->procs = b->amount[0];
}

/* REQUESTS */

/* What a job that divides asks for; @amount: memory for that of one chunk. */
static struct fair_nodes_request
fair_job_nodes(const struct fair_nodes *n, const struct fair_job *job,
	       int32_t *amount)
{
	struct fair_nodes_request r = { amount,
					job->chunks ? job->chunks : 1,
					job->per_node,
					job->exclusive,
					job->span,
					job->named,
					job->excluded,
					job->classes,
					job->class_count };
	uint32_t i;

	for (i = 0; i < n->resources; i++) {
		amount[i] = !i ? job->procs : job->amount ? job->amount[i] : 0;
		if (!(n->wide >> i & 1))
			amount[i] /= r.chunks;
	}
	return r;
}

/* Whether what a job asks for divides evenly among its chunks. */
static bool fair_job_divides(const struct fair_nodes *n,
			     const struct fair_job *job)
{
	int32_t chunks = job->chunks ? job->chunks : 1;
	uint32_t r;

	if (chunks < 1 || job->procs % chunks)
		return false;
	for (r = 1; job->amount && r < n->resources; r++)
		if (!(n->wide >> r & 1) && job->amount[r] % chunks)
			return false;
	return true;
}

/* Whether it is a request of equal chunks. */
static bool fair_job_is_of_chunks(const struct fair_nodes *n,
				  const struct fair_job *job)
{
	int32_t amount[FAIR_NODES_RESOURCES];
	struct fair_nodes_request r;

	if (!fair_job_divides(n, job))
		return false;
	r = fair_job_nodes(n, job, amount);
	return fair_nodes_can_ask(n, &r);
}

/* 0, or why no nodes ever had what such a job asks for. */
static int fair_sched_validate_nodes(const struct fair_sched *s,
				 const struct fair_job *job)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	int32_t amount[FAIR_NODES_RESOURCES];
	struct fair_nodes_request r;

	if (!fair_job_is_of_chunks(n, job))
		return -FAIR_EINVAL;
	r = fair_job_nodes(n, job, amount);
	return fair_nodes_can_serve(n, &r) ? 0 : -FAIR_ERANGE;
}

/* Most nodes that a job holds at one time. */
static uint32_t fair_job_parts(const struct fair_nodes *n, int32_t chunks)
{
	uint32_t parts = chunks < 1 ? 1 : (uint32_t)chunks;

	return parts < n->nodes ? parts : n->nodes;
}

/* So many tasks like the job in @slot come, or go. */
static void fair_sched_count_parts(struct fair_sched *s, uint32_t slot,
				   uint64_t tasks, bool come)
{
	struct fair_nodes *n = fair_sched_plan_nodes(s);
	uint64_t parts;

	if (!n)
		return;
	parts = tasks * fair_job_parts(n, fair_nodes_asked(n, slot).chunks);
	s->parts = come ? s->parts + parts : s->parts - parts;
}

/* Whether there is room for the nodes of one more job, or array. */
static bool fair_sched_has_parts(const struct fair_sched *s,
				 const struct fair_job *job)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	uint64_t tasks = job->tasks ? job->tasks : 1;

	return !n || tasks * fair_job_parts(n, job->chunks) <=
			     s->nodes->config.parts - s->parts;
}

/* The job in @slot, which holds nothing, asks for what @job says. */
static void fair_sched_set_nodes(struct fair_sched *s, uint32_t slot,
				 const struct fair_job *job)
{
	struct fair_nodes *n = fair_sched_plan_nodes(s);
	int32_t amount[FAIR_NODES_RESOURCES];
	struct fair_nodes_request r;

	if (!n)
		return;
	r = fair_job_nodes(n, job, amount);
	fair_must(fair_nodes_set_job(n, slot, &r));
}

/* The job in @slot, with so many tasks, is gone, and its nodes with it. */
static void fair_sched_forget_nodes(struct fair_sched *s, uint32_t slot,
				    uint64_t tasks)
{
	fair_sched_count_parts(s, slot, tasks, false);
	if (s->nodes)
		fair_must(fair_nodes_forget(&s->nodes->nodes, slot));
}

static void fair_sched_describe_nodes(const struct fair_sched *s, uint32_t slot,
				      struct fair_job *job)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_request r;

	job->chunks = job->per_node = 0;
	job->exclusive = job->span = false;
	job->named = job->excluded = 0;
	if (!n)
		return;
	r = fair_nodes_asked(n, slot);
	job->chunks = r.chunks;
	job->per_node = r.per_node;
	job->exclusive = r.exclusive;
	job->span = r.span;
	job->named = r.named;
	job->excluded = r.excluded;
}

/* The job in slot @from of @s is in @slot of the copy, on the same nodes. */
static void fair_sched_copy_nodes(struct fair_sched *copy, uint32_t slot,
				  const struct fair_sched *s, uint32_t from)
{
	if (s->nodes)
		fair_must(fair_nodes_copy_job(&copy->nodes->nodes, slot,
					      &s->nodes->nodes, from));
}

/* The class of the first of its nodes; 0: it has none. */
static uint32_t fair_sched_node_class(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_part part;
	uint32_t at = 0;

	return fair_nodes_next_part(n, slot, &at, &part)
		       ? fair_nodes_class(n, part.node)
		       : 0;
}

/*
 * Whether the job in @slot has nodes, also if a loss took them for now: it
 * runs, has a reservation, or is planned inside an advance reservation.
 */
static bool fair_sched_has_nodes(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_live *j = s->live + slot;

	if (j->state == FAIR_RUNNING)
		return true;
	if (s->planner->promises || j->state == FAIR_INELIGIBLE)
		return j->queued.rank.key != FAIR_FOREVER;
	return (j->queued.mark & FAIR_MARK_RESERVED) != 0;
}

/* CHECKPOINT */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

/* Private: what a job asks of nodes, and how many it has, in a checkpoint. */
struct fair_saved_nodes {
	int32_t chunks, per_node;
	bool exclusive, span;
	uint32_t named, excluded, parts;
};

static void fair_nodes_asked_fields(struct fair_checkpoint *f,
				    struct fair_saved_nodes *x)
{
	fair_checkpoint_record(f);
	fair_checkpoint_i32(f, &x->chunks);
	fair_checkpoint_i32(f, &x->per_node);
	fair_checkpoint_bool(f, &x->exclusive);
	fair_checkpoint_bool(f, &x->span);
	fair_checkpoint_u32(f, &x->named);
	fair_checkpoint_u32(f, &x->excluded);
	fair_checkpoint_u32(f, &x->parts);
}

static void fair_nodes_pair_fields(struct fair_checkpoint *f, uint32_t *a,
				   uint32_t *b)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u32(f, a);
	fair_checkpoint_u32(f, b);
}

/* How many nodes are down, or in set @set; written as @set, node. */
static uint32_t fair_nodes_save_bits(const struct fair_nodes *n, uint32_t set,
				     struct fair_checkpoint *f)
{
	uint32_t node, count = 0;

	for (node = 0; node < n->nodes; node++) {
		uint32_t x = node;

		if (set ? !fair_nodes_has(n, set, node)
			: !fair_nodes_is_down(n, node))
			continue;
		count++;
		if (f && set)
			fair_nodes_pair_fields(f, &set, &x);
		else if (f)
			fair_checkpoint_u32(f, &x);
	}
	return count;
}

/* How many nodes advance reservations withhold; written as place, node. */
static uint64_t fair_sched_save_withheld(const struct fair_sched *s,
					 struct fair_checkpoint *f)
{
	uint32_t i, node, place, number;
	uint64_t count = 0;

	for (i = 0; i < s->advances; i++)
		for (node = 0; node < s->nodes->nodes.nodes; node++) {
			if (!fair_sched_withholds(s, i, node))
				continue;
			count++;
			place = i;
			number = node;
			if (f)
				fair_nodes_pair_fields(f, &place, &number);
		}
	return count;
}

/* The machine of nodes. */
static void fair_node_space_save(const struct fair_sched *s,
				 struct fair_checkpoint *f)
{
	const struct fair_nodes *n = &s->nodes->nodes;
	uint32_t i, count = 0;
	int32_t nodes;

	fair_checkpoint_section(f, FAIR_SECTION_NODES, n->classes, 1);
	for (i = 0; i < n->classes; i++) {
		nodes = s->nodes->config.count[i];
		fair_checkpoint_i32(f, &nodes);
	}
	fair_checkpoint_section(f, FAIR_SECTION_NODES_DOWN,
				fair_nodes_save_bits(n, 0, NULL), 1);
	(void)fair_nodes_save_bits(n, 0, f);
	for (i = 1; i <= n->sets; i++)
		count += fair_nodes_save_bits(n, i, NULL);
	fair_checkpoint_section(f, FAIR_SECTION_NODES_SETS, count, 2);
	for (i = 1; i <= n->sets; i++)
		(void)fair_nodes_save_bits(n, i, f);
	if (!s->config.advances)
		return;
	fair_checkpoint_section(f, FAIR_SECTION_NODES_WITHHELD,
				fair_sched_save_withheld(s, NULL), 2);
	(void)fair_sched_save_withheld(s, f);
}

/* What the job in @slot asks for; *@parts: more by those that it has. */
static void fair_sched_save_asked(const struct fair_sched *s, uint32_t slot,
				  struct fair_checkpoint *f, uint64_t *parts)
{
	struct fair_nodes_request r =
		fair_nodes_asked(&s->nodes->nodes, slot);
	struct fair_saved_nodes x = { r.chunks, r.per_node, r.exclusive, r.span,
				      r.named,	r.excluded, 0 };

	if (fair_sched_has_nodes(s, slot))
		x.parts = fair_nodes_parts(&s->nodes->nodes, slot);
	*parts += x.parts;
	fair_nodes_asked_fields(f, &x);
}

static void fair_sched_save_parts(const struct fair_sched *s, uint32_t slot,
				  struct fair_checkpoint *f)
{
	struct fair_nodes_part part;
	uint32_t at = 0, chunks;

	if (!fair_sched_has_nodes(s, slot))
		return;
	while (fair_nodes_next_part(&s->nodes->nodes, slot, &at, &part)) {
		chunks = (uint32_t)part.chunks;
		fair_nodes_pair_fields(f, &part.node, &chunks);
	}
}

/* Whether a checkpoint is of such nodes; NULL: of none. */
static bool fair_nodes_are_same(const struct fair_checkpoint *stream,
				const struct fair_config *config)
{
	struct fair_checkpoint f = *stream;
	uint64_t n = fair_checkpoint_section(&f, FAIR_SECTION_NODES, 0, 0);
	int32_t count = 0;
	uint32_t i;

	if (!config->nodes)
		return !n;
	for (i = 0; i < n && n == config->machine->classes; i++) {
		fair_checkpoint_record(&f);
		fair_checkpoint_i32(&f, &count);
		if (f.bad || count != config->nodes->count[i])
			return false;
	}
	return n == config->machine->classes;
}

/* The sets, before the jobs; false: that cannot be. */
static bool fair_node_space_load(struct fair_sched *s,
				 const struct fair_checkpoint *stream)
{
	struct fair_checkpoint f = *stream;
	uint64_t n = s->nodes ? fair_checkpoint_section(
					&f, FAIR_SECTION_NODES_SETS, 0, 0)
			      : 0;
	uint32_t set = 0, node = 0;

	while (n--) {
		fair_nodes_pair_fields(&f, &set, &node);
		if (f.bad ||
		    fair_nodes_set(&s->nodes->nodes, set, node, true))
			return false;
	}
	return true;
}

/* What advance reservations at the first places withhold; false: that cannot
 * be. */
static bool fair_sched_load_withheld(struct fair_sched *s, uint32_t advances,
				     const struct fair_checkpoint *stream)
{
	struct fair_checkpoint f = *stream;
	uint64_t n = fair_checkpoint_section(&f, FAIR_SECTION_NODES_WITHHELD, 0,
					     0);
	uint32_t place = 0, node = 0;

	FAIR_MEMSET(s->nodes->withheld, 0,
		    advances * fair_node_row_size(&s->config));
	while (n--) {
		fair_nodes_pair_fields(&f, &place, &node);
		if (f.bad || place >= advances || node >= s->nodes->nodes.nodes)
			return false;
		fair_sched_withheld_nodes(s, place)[node / 64] |=
			UINT64_C(1) << node % 64;
	}
	return true;
}

/* What @job asks for; returns how many nodes it has. */
static uint32_t fair_sched_load_asked(const struct fair_sched *s,
				      struct fair_checkpoint *f,
				      struct fair_job *job)
{
	struct fair_saved_nodes x;

	FAIR_MEMSET(&x, 0, sizeof(x));
	if (!s->nodes)
		return 0;
	fair_nodes_asked_fields(f, &x);
	job->chunks = x.chunks;
	job->per_node = x.per_node;
	job->exclusive = x.exclusive;
	job->span = x.span;
	job->named = x.named;
	job->excluded = x.excluded;
	return x.parts;
}

/* The job in @slot has @parts nodes; false: that cannot be. */
static bool fair_sched_load_parts(struct fair_sched *s, uint32_t slot,
				  uint32_t parts, struct fair_checkpoint *f)
{
	struct fair_nodes *n = fair_sched_plan_nodes(s);
	int64_t left = n ? fair_nodes_asked(n, slot).chunks : 0;
	uint32_t node = 0, chunks = 0, i;

	for (i = 0; i < parts; i++) {
		fair_nodes_pair_fields(f, &node, &chunks);
		if (f->bad || chunks < 1 || chunks > left ||
		    fair_nodes_assign(n, slot, node, (int32_t)chunks))
			return false;
		left -= chunks;
	}
	return !parts || !left;
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

#else /* FAIRSCHED_WITHOUT_NODES */

/* There are no nodes, see sched/absent.h. */
struct fair_node_space {
	struct fair_node_config config;
	struct fair_nodes nodes, inside;
	uint32_t *uses;
};

static struct fair_nodes *fair_sched_plan_nodes(const struct fair_sched *s)
{
	(void)s;
	return NULL;
}

static uint64_t *fair_sched_withheld_nodes(const struct fair_sched *s,
					   uint32_t i)
{
	(void)s;
	(void)i;
	return NULL;
}

static struct fair_nodes_request fair_job_nodes(const struct fair_nodes *n,
						const struct fair_job *job,
						int32_t *amount)
{
	FAIR_MEMSET(amount, 0, FAIR_NODES_RESOURCES * sizeof(*amount));
	return fair_nodes_asked(n, (uint32_t)job->chunks);
}

#define fair_inside_init fair_absent
#define fair_job_is_of_chunks fair_absent
#define fair_job_parts fair_absent
#define fair_node_space_clone fair_absent
#define fair_node_space_init fair_absent
#define fair_node_space_size fair_absent
#define fair_node_row_size fair_absent
#define fair_node_words fair_absent
#define fair_sched_change_node fair_absent
#define fair_sched_copy_nodes fair_absent
#define fair_sched_count_parts fair_absent
#define fair_sched_describe_nodes fair_absent
#define fair_sched_forget_nodes fair_absent
#define fair_sched_has_nodes fair_absent
#define fair_sched_node_class fair_absent
#define fair_sched_set_nodes fair_absent
#define fair_sched_sum_nodes fair_absent
#define fair_sched_validate_nodes fair_absent
#define fair_sched_withhold_nodes fair_absent
#define fair_sched_withholds fair_absent
#define fair_nodes_find_error(config) ((const char *)NULL)
#define fair_sched_has_parts(s, job) (!fair_absent(s, job))

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

#define fair_node_space_load fair_absent
#define fair_node_space_save fair_absent
#define fair_sched_load_asked fair_absent
#define fair_sched_load_parts fair_absent
#define fair_sched_load_withheld fair_absent
#define fair_sched_save_asked fair_absent
#define fair_sched_save_parts fair_absent

/* Whether a checkpoint is of no nodes, as the configuration. */
static bool fair_nodes_are_same(const struct fair_checkpoint *stream,
				const struct fair_config *config)
{
	struct fair_checkpoint f = *stream;

	(void)config;
	return !fair_checkpoint_section(&f, FAIR_SECTION_NODES, 0, 0);
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

#endif /* FAIRSCHED_WITHOUT_NODES */
