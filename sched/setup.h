/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/setup.h - check a configuration, lay out the memory, and init
 *
 *   memory: | live jobs, hash, ... | running | planner | ledger | ledger ...
 *
 * Uses: rows.h.
 */

/* What the policy and its ledgers do not take; NULL: they take all. */
static const char *fair_config_conflict(const struct fair_config *config)
{
	const struct fair_policy_row *row = fair_config_row(config);
	const struct fair_ledger_ops *ops[FAIR_LEDGERS];
	uint32_t n = fair_config_ledgers(config, ops);
	const char *error = fair_config_find_absent(config);

	if (error)
		return error;
	if (!(row->orders >> config->order & 1))
		return "policy does not take this order";
	if (config->select && !row->selects)
		return "select needs FAIR_BACKFILL";
	if (config->by_target && !(row->heeds & FAIR_HEEDS_GATE))
		return "by_target is a gate, and needs FAIR_DC";
	if (config->nodes && config->select)
		return "backfill windows are not planned on nodes";
	while (n-- && !error)
		if (ops[n]->find_error)
			error = ops[n]->find_error(config);
	if (error)
		return error;
	if (config->order == FAIR_ORDER_TWO_TERM &&
	    (config->weight < 0 || config->weight > FAIR_WEIGHT_MAX))
		return "weight is not from 0 to 2^28";
	return NULL;
}

/* What is wrong in the fields that a checkpoint has; NULL: nothing. */
static const char *fair_config_find_error(const struct fair_config *config)
{
	if (!config)
		return "there is no configuration";
	if (config->policy > FAIR_CUSTOM)
		return "policy is no enum fair_policy";
	if (config->order > FAIR_ORDER_RELSHARE)
		return "order is no enum fair_order";
	if (config->procs < 1)
		return "procs is below 1";
	if (config->jobs < 1 || config->jobs > UINT32_MAX / 4)
		return "jobs is not from 1 to 2^30 - 1";
	if (config->ineligible > config->jobs)
		return "ineligible is above jobs";
	if (config->advances > 1U << 20)
		return "advances is above 2^20";
	if (config->ids > 1U << 28 || config->credits > 1U << 20)
		return "ids is above 2^28, or credits above 2^20";
	if (config->task_limits > 1U << 20)
		return "task_limits is above 2^20";
	if (config->dependencies > 1U << 16)
		return "dependencies is above 2^16";
	if (config->billing && !config->machine)
		return "billing needs machine";
	if (config->nodes && !config->machine)
		return "nodes needs machine";
	if (config->machine && fair_classes_find_error(config))
		return fair_classes_find_error(config);
	if (!fair_is_time(config->origin))
		return "origin is not from -2^60 to 2^60";
	if (config->select > FAIR_NOFIT ||
	    config->metric > FAIR_FIT_PROC_SECONDS)
		return "select or metric is no enum fair_select, fair_metric";
	return fair_config_conflict(config);
}

static bool fair_config_is_valid(const struct fair_config *config)
{
	return !fair_config_find_error(config);
}

/* What the planner does not do for a ledger of the caller's; NULL: nothing. */
static const char *
fair_config_find_unheeded(const struct fair_config *config)
{
	const struct fair_policy_row *row = fair_config_row(config);
	const struct fair_ledger_ops *l = config->ledger;

	if (!l || !(l->order || l->prepare || l->gate || l->veto))
		return NULL;
	if (!fair_config_planner(config)->heeds_ledgers &&
	    ((l->veto && !(row->heeds & FAIR_HEEDS_VETO)) ||
	     (l->gate && !(row->heeds & FAIR_HEEDS_GATE)) ||
	     ((l->order || l->prepare) && !(row->heeds & FAIR_HEEDS_ORDER))))
		return row->unheeded;
	if ((l->gate || l->group) && (config->select || row->fill))
		return "neither FAIR_MAUI nor select takes a ledger with a gate"
		       " or groups";
	return l->group && !config->users ? "ledger has groups, and needs users"
					  : NULL;
}

/* What is wrong, but that it is too large; NULL: nothing. */
static const char *fair_config_find_fault(const struct fair_config *config)
{
	const char *error = fair_config_find_error(config);

	if (error)
		return error;
	if (config->order == FAIR_ORDER_KEY && !config->key)
		return "FAIR_ORDER_KEY needs key";
	if (config->order == FAIR_ORDER_COMPARE && !config->compare)
		return "FAIR_ORDER_COMPARE needs compare";
	if (!fair_config_planner(config))
		return "FAIR_CUSTOM needs planner";
	if (config->patience < FAIR_PATIENCE_NONE)
		return "patience is negative, and not FAIR_PATIENCE_NONE";
	return fair_config_find_unheeded(config);
}

/* The sum of two sizes; SIZE_MAX: it overflows. */
static size_t fair_sched_add_sizes(size_t a, size_t b)
{
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* Bytes of a state and its alignment; SIZE_MAX: the state reports an error. */
static size_t fair_sched_state_size(size_t size)
{
	return size ? fair_sched_add_sizes(size, 8) : SIZE_MAX;
}

static char *fair_sched_align(char *memory)
{
	return memory + (8 - (uintptr_t)memory % 8) % 8;
}

static size_t fair_sched_table_size(const struct fair_config *config)
{
	return 8 + config->credits * sizeof(struct fair_credit) +
	       config->task_limits * sizeof(struct fair_task_limit) +
	       config->jobs * sizeof(struct fair_live) +
	       fair_sched_ineligible_entries(config) *
		       sizeof(struct fair_ineligible) +
	       (size_t)config->jobs * config->dependencies *
		       sizeof(struct fair_dependency) +
	       config->advances * sizeof(struct fair_advance) +
	       config->jobs * sizeof(uint32_t) +
	       fair_sched_max_bound_jobs(config) *
		       (sizeof(int64_t) + sizeof(uint64_t)) +
	       fair_sched_max_running_bound_jobs(config) * sizeof(uint32_t) +
	       (sizeof(uint32_t) << fair_sched_hash_bits(config->jobs));
}

/*
 * Whether running jobs share the blocks of the planner's queue, since a job
 * waits or runs: of a planner of this library, whose queue is fair_queue_init()
 * for config.jobs.
 */
static bool fair_config_shares_blocks(const struct fair_config *config)
{
	return fair_config_row(config)->planner != NULL;
}

/* Bytes for the queue of running jobs. */
static size_t fair_sched_running_size(const struct fair_config *config)
{
	return fair_config_shares_blocks(config)
		       ? fair_queue_share_size(config->jobs)
		       : fair_queue_size(config->jobs);
}

/* Bytes for a configuration without a fault; 0: it is too large. */
static size_t fair_config_bytes(const struct fair_config *config)
{
	uint64_t live = (uint64_t)sizeof(struct fair_live) +
			sizeof(struct fair_ineligible);
	const struct fair_ledger_ops *ops[FAIR_LEDGERS];
	uint32_t n;
	size_t size;

	live += (uint64_t)config->dependencies * sizeof(struct fair_dependency);
	if (live * config->jobs > SIZE_MAX / 8)
		return 0;
	/* No overflow: both need less than twice @live for a job. */
	size = fair_sched_table_size(config) + fair_sched_running_size(config);
	if (config->machine)
		size = fair_sched_add_sizes(
			size, fair_sched_state_size(fair_classes_size(config)));
	if (config->nodes)
		size = fair_sched_add_sizes(
			size,
			fair_sched_state_size(fair_node_space_size(config)));
	if (config->ids)
		size = fair_sched_add_sizes(
			size, fair_sched_state_size(fair_ids_size(
				      fair_config_ids(config))));
	size = fair_sched_add_sizes(
		size, fair_sched_state_size(
			      fair_config_planner(config)->size(config)));
	for (n = fair_config_ledgers(config, ops); n--;)
		size = fair_sched_add_sizes(
			size, fair_sched_state_size(ops[n]->size(config)));
	return size > SIZE_MAX / 4 ? 0 : size;
}

FAIRSCHED_API size_t fair_sched_size(const struct fair_config *config)
{
	return fair_config_find_fault(config) ? 0 : fair_config_bytes(config);
}

FAIRSCHED_API const char *
fair_sched_config_error(const struct fair_config *config)
{
	const char *error = fair_config_find_fault(config);

	if (error || fair_config_bytes(config))
		return error;
	return "it needs more memory than there are addresses";
}

/* Lay out the memory of an empty table with a hash for @hashed jobs. */
static char *fair_sched_lay_out(struct fair_sched *s, char *at, uint32_t hashed)
{
	const struct fair_config *config = &s->config;
	uint32_t bound = fair_sched_max_bound_jobs(config);
	char *table = fair_sched_align(at);
	void *after;

	s->credit = (struct fair_credit *)(void *)table;
	s->task_limit = (struct fair_task_limit *)(void *)(s->credit +
							   config->credits);
	s->live = (struct fair_live *)(void *)(s->task_limit +
					       config->task_limits);
	s->ineligible =
		(struct fair_ineligible *)(void *)(s->live + config->jobs);
	after = s->ineligible + fair_sched_ineligible_entries(config);
	s->previous_start = (int64_t *)after;
	s->bound_to = (uint64_t *)(void *)(s->previous_start + bound);
	s->dependency = (struct fair_dependency *)(void *)(s->bound_to + bound);
	if (!bound)
		s->bound_to = NULL;
	after = s->dependency + (size_t)config->jobs * config->dependencies;
	s->advance = (struct fair_advance *)after;
	s->free_slot = (uint32_t *)(void *)(s->advance + config->advances);
	s->running_bound_job = s->free_slot + config->jobs;
	s->hash = s->running_bound_job +
		  fair_sched_max_running_bound_jobs(config);
	fair_sched_clear_hash(s, hashed);
	at += fair_sched_table_size(config);
	return at + fair_sched_running_size(config);
}

/* Once the planner has its queue: that of running jobs, which is empty. */
static void fair_sched_init_running(struct fair_sched *s)
{
	size_t bytes = fair_sched_running_size(&s->config);
	void *memory = s->hash +
		       ((size_t)1 << fair_sched_hash_bits(s->config.jobs));

	if (fair_config_shares_blocks(&s->config))
		fair_must(fair_queue_share(&s->running, sizeof(s->running),
					   memory, bytes, fair_sched_queue(s)));
	else
		fair_must(fair_queue_init(&s->running, sizeof(s->running),
					  memory, bytes, s->config.jobs,
					  s->live, sizeof(*s->live)));
}

/* The address of a state of @size bytes; move @at behind it. */
static void *fair_sched_place_state(char **at, size_t size)
{
	char *state = fair_sched_align(*at);

	*at += size + 8;
	return state;
}

static void fair_sched_place_states(struct fair_sched *s, char *at)
{
	const struct fair_config *config = &s->config;
	const struct fair_ledger_ops *ops[FAIR_LEDGERS];
	uint32_t i;

	if (config->machine)
		s->classes = (struct fair_classes *)fair_sched_place_state(
			&at, fair_classes_size(config));
	if (config->ids)
		s->ids = (struct fair_ids *)fair_sched_place_state(
			&at, fair_ids_size(fair_config_ids(config)));
	if (config->nodes)
		s->nodes =
			(struct fair_node_space *)fair_sched_place_state(
				&at, fair_node_space_size(config));
	s->planner = fair_config_planner(config);
	s->plan = fair_sched_place_state(&at, s->planner->size(config));
	s->ledgers = fair_config_ledgers(config, ops);
	for (i = 0; i < s->ledgers; i++) {
		s->ledger[i].ops = ops[i];
		s->ledger[i].state =
			fair_sched_place_state(&at, ops[i]->size(config));
	}
	if (config->limits)
		s->limits = (struct fair_quotas *)s->ledger[0].state;
}

/* Ledgers before the planner, which calls their order(). */
static int fair_sched_init_states(struct fair_sched *s)
{
	uint32_t i;
	int error;

	fair_classes_init(s);
	fair_node_space_init(s);
	if (s->ids)
		fair_ids_init(s, fair_config_ids(&s->config));
	for (i = 0; i < s->ledgers; i++) {
		error = s->ledger[i].ops->init(s, s->ledger[i].state);
		if (error)
			return error;
	}
	s->planner->init(s, s->plan);
	fair_sched_extend_space(s);
	fair_sched_ask_vetoes(s);
	fair_sched_init_running(s);
	s->config.target = NULL;
	s->config.share = NULL;
	s->config.tree = NULL;
	s->config.limit = NULL;
	return 0;
}

FAIRSCHED_API int fair_sched_init(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config)
{
	struct fair_sched x;
	char *at;
	int error;

	if (!s || !memory || struct_size != sizeof(*s) ||
	    fair_config_find_fault(config))
		return -FAIR_EINVAL;
	if (!fair_sched_size(config) || bytes < fair_sched_size(config))
		return -FAIR_ENOMEM;
	FAIR_MEMSET(&x, 0, sizeof(x));
	x.config = *config;
	if (!x.config.patience)
		x.config.patience = FAIR_PATIENCE;
	x.promised_context = config->context;
	x.now = config->origin;
	x.next_retry = FAIR_FOREVER;
	x.procs = x.max_procs = config->procs;
	x.digest = UINT64_C(0xcbf29ce484222325);
	at = fair_sched_lay_out(&x, (char *)memory, config->jobs);
	fair_sched_place_states(&x, at);
	error = fair_sched_init_states(&x);
	if (!error)
		*s = x;
	return error;
}
