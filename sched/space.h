/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/space.h - several resources and node classes, if config.machine
 *
 *   job --> its request, by slot --> fair_machine_jobs --> policies plan on it
 *   what a job holds, what a class gains or loses: struct fair_claim
 *
 * Without config.machine a claim is a number of processors. With it, the
 * profile of the planner counts the processors of all classes, and the machine
 * everything. One resource in one class is planned as one pool: that profile is
 * all there is, and the machine's stays idle, with room for no reservation.
 *
 * Uses: nodes.h.
 */

/* Most that a job is charged a second: 2^31 processors. */
#define FAIR_RATE_MAX ((int64_t)1 << 51)

/* Private: the machine, and how much of each resource each class has. */
struct fair_classes {
	struct fair_machine_config config; /* a copy, for config.machine */
	struct fair_billing billing; /* likewise, if there is one */
	struct fair_machine_jobs jobs;
	int32_t *amount;  /* as configured, by class and resource */
	int32_t *present; /* the same, at present */
	int32_t *most;	  /* the same, that it ever had */
};

static uint32_t
fair_classes_amounts(const struct fair_machine_config *machine)
{
	return machine->resources * machine->classes;
}

/* Whether a list of classes has class @k; an empty one has all. */
static bool fair_classes_has_class(const uint8_t *classes, uint32_t count,
				   uint32_t k)
{
	uint32_t i = 0;

	while (i < count && classes[i] != k)
		i++;
	return i < count || !count;
}

#ifndef FAIRSCHED_WITHOUT_CLASSES

/* Whether a planner needs the profiles of classes. */
static bool fair_config_plans_machine(const struct fair_config *config)
{
	return config->machine && !config->nodes &&
	       fair_classes_amounts(config->machine) > 1;
}

/* Whether a planner needs a space, though it keeps no reservations. */
static bool fair_config_needs_space(const struct fair_config *config)
{
	return config->nodes || fair_config_plans_machine(config);
}

/* Most steps of a profile: two for each reservation, and for two others. */
static size_t fair_classes_steps(const struct fair_config *config)
{
	if (!fair_config_plans_machine(config))
		return 1;
	return 2 * ((size_t)config->jobs + 2 + config->advances) + 1;
}

/* Bytes of the machine and the requests; 0: too large. */
static size_t fair_classes_memory(const struct fair_config *config)
{
	return fair_machine_jobs_size(config->machine, config->jobs,
				      fair_classes_steps(config));
}

static size_t fair_classes_size(const struct fair_config *config)
{
	size_t memory = fair_classes_memory(config);

	return memory ? sizeof(struct fair_classes) +
				3 * fair_classes_amounts(config->machine) *
					sizeof(int32_t) +
				memory
		      : 0;
}

/* Whether occupancies (sfs) and entitlements (relshare) count costs. */
static bool fair_config_counts_costs(const struct fair_config *config)
{
	return config->billing && (config->policy == FAIR_SFS ||
				   config->by_target ||
				   config->policy == FAIR_RELSHARE ||
				   config->order == FAIR_ORDER_RELSHARE);
}

/* What one of resource @r counts as there: only processors do, or its cost. */
static int64_t fair_config_weight(const struct fair_config *config, uint32_t r)
{
	if (fair_config_counts_costs(config))
		return config->billing->weight[r] / FAIR_PENALTY_ONE;
	return !r;
}

/*
 * What a machine of these amounts counts as there; above INT32_MAX: too much.
 * Costs are added, also if the maximum counts: jobs that each use another
 * resource cost as much together.
 */
static int64_t fair_config_cost(const struct fair_config *config,
				const int32_t *amount)
{
	const struct fair_machine_config *m = config->machine;
	uint32_t n = fair_classes_amounts(m), i;
	int64_t cost = 0;

	for (i = 0; i < n && cost <= INT32_MAX; i++)
		cost += fair_config_weight(config, i % m->resources) *
			amount[i];
	return cost;
}

/* What is wrong with the weights; NULL: nothing. */
static const char *fair_billing_find_error(const struct fair_config *config)
{
	const struct fair_billing *b = config->billing;
	uint32_t r;

	for (r = 0; r < config->machine->resources; r++) {
		if (b->weight[r] < 0 || b->weight[r] > INT64_C(1) << 50)
			return "a weight of billing is not from 0 to 2^50";
		if (fair_config_counts_costs(config) &&
		    b->weight[r] % FAIR_PENALTY_ONE)
			return "a weight of billing is no multiple of 2^20";
	}
	if (!fair_config_weight(config, 0))
		return "a processor costs nothing";
	if (fair_config_cost(config, config->machine->amount) > INT32_MAX)
		return "the machine costs more than 2^31 - 1";
	return NULL;
}

/* What is wrong with the machine of a configuration; NULL: nothing. */
static const char *fair_classes_find_error(const struct fair_config *config)
{
	const struct fair_machine_config *machine = config->machine;
	int64_t procs = 0;
	uint32_t k;

	if (!FAIR_HAS_CLASSES)
		return "this build is without classes";
	if (!fair_machine_size(machine, 1))
		return "machine is not valid";
	for (k = 0; k < machine->classes; k++)
		procs += machine->amount[k * machine->resources];
	if (procs != config->procs)
		return "procs is not the sum of the machine's processors";
	if (config->policy == FAIR_CUSTOM && config->planner &&
	    !config->planner->space)
		return "the planner has no space, and takes no machine";
	if (config->billing && fair_billing_find_error(config))
		return fair_billing_find_error(config);
	return config->nodes ? fair_nodes_find_error(config) : NULL;
}

/* Arrays behind @c, the first of them a copy of @machine; what follows them. */
static void *fair_classes_lay_out(struct fair_classes *c,
				  const struct fair_machine_config *machine)
{
	uint32_t n = fair_classes_amounts(machine);

	c->amount = (int32_t *)(void *)(c + 1);
	c->present = c->amount + n;
	c->most = c->present + n;
	FAIR_MEMCPY(c->amount, machine->amount, n * sizeof(int32_t));
	c->config = *machine;
	c->config.amount = c->amount;
	return c->most + n;
}

/* The scheduler's configuration names the copy of the machine. */
static void fair_classes_init(struct fair_sched *s)
{
	struct fair_classes *c = s->classes;
	void *memory;
	size_t n;

	if (!c)
		return;
	n = fair_classes_amounts(s->config.machine) * sizeof(int32_t);
	memory = fair_classes_lay_out(c, s->config.machine);
	FAIR_MEMCPY(c->present, c->amount, n);
	FAIR_MEMCPY(c->most, c->amount, n);
	fair_must(fair_machine_jobs_init(&c->jobs, sizeof(c->jobs), memory,
					 fair_classes_memory(&s->config),
					 &c->config, s->config.jobs,
					 s->config.origin));
	s->config.machine = &c->config;
	if (s->config.billing) {
		c->billing = *s->config.billing;
		s->config.billing = &c->billing;
	}
}

/* The copy has the machine of @s, and no requests yet. */
static void fair_classes_clone(struct fair_sched *copy,
			       const struct fair_sched *s)
{
	struct fair_classes *c = copy->classes;
	void *memory;
	size_t n;

	if (!c)
		return;
	n = fair_classes_amounts(s->config.machine) * sizeof(int32_t);
	memory = fair_classes_lay_out(c, s->config.machine);
	FAIR_MEMCPY(c->present, s->classes->present, n);
	FAIR_MEMCPY(c->most, s->classes->most, n);
	fair_must(fair_machine_jobs_clone(&c->jobs, memory,
					  fair_classes_memory(&s->config),
					  &s->classes->jobs));
	copy->config.machine = &c->config;
	c->billing = s->classes->billing;
	if (s->config.billing)
		copy->config.billing = &c->billing;
}

/* The machine that planners plan on; NULL: their own profile is all. */
static struct fair_machine_jobs *fair_sched_machine(const struct fair_sched *s)
{
	return fair_config_plans_machine(&s->config) ? &s->classes->jobs : NULL;
}

#endif /* FAIRSCHED_WITHOUT_CLASSES */

/* The space that the planner plans in; NULL: it has none. */
static struct fair_space *fair_sched_space(const struct fair_sched *s)
{
	return s->planner->space ? s->planner->space(s) : NULL;
}

/* Its profile of all processors; NULL: there is none. */
static struct fair_profile *fair_sched_profile(const struct fair_sched *s)
{
	struct fair_space *space = fair_sched_space(s);

	return space ? &space->profile : NULL;
}

/* The planner, which has its space, plans on the machine. */
static void fair_sched_extend_space(struct fair_sched *s)
{
	struct fair_space *space = fair_sched_space(s);

	if (!space)
		return;
#ifndef FAIRSCHED_WITHOUT_CLASSES
	fair_space_plan_on(space, fair_sched_machine(s));
#endif /* FAIRSCHED_WITHOUT_CLASSES */
	fair_space_plan_on_nodes(space, fair_sched_plan_nodes(s));
	fair_space_limit_by(space, s->limits);
}

/* How many of the machine's processors a running job uses. */
static int32_t fair_sched_busy_procs(const struct fair_sched *s, uint32_t slot)
{
	int32_t procs = s->live[slot].queued.procs;

	return s->nodes ? fair_space_busy(fair_sched_space(s), slot, procs)
			: procs;
}

/* The processors of all classes, which the planner's profile counts. */
#define FAIR_COLUMN_SUM UINT32_MAX

static int32_t fair_job_amount(const struct fair_job *job, uint32_t r)
{
	if (!r)
		return job->procs;
	return job->amount ? job->amount[r] : 0;
}

#ifndef FAIRSCHED_WITHOUT_CLASSES

/* What a live job holds, or would hold. */
static struct fair_claim fair_sched_claim(const struct fair_sched *s,
					  uint32_t slot)
{
	struct fair_claim claim = { 0, 0, NULL, 0 };

	if (s->classes)
		return fair_machine_jobs_claim(&s->classes->jobs, slot);
	claim.procs = s->live[slot].queued.procs;
	return claim;
}

/* The job in @slot runs, or is to run, in class @k. */
static void fair_sched_set_class(struct fair_sched *s, uint32_t slot,
				 uint32_t k)
{
	if (s->classes)
		s->classes->jobs.node_class[slot] = (uint8_t)k;
}

/* The class in which a job runs or is reserved; 0: it has none. */
static uint32_t fair_sched_class(const struct fair_sched *s, uint32_t slot)
{
	if (!s->classes || s->live[slot].queued.rank.key == FAIR_FOREVER)
		return 0;
	return s->nodes ? fair_sched_node_class(s, slot)
			: s->classes->jobs.node_class[slot];
}

/* Whether digests cover classes. */
static bool fair_sched_records_class(const struct fair_sched *s)
{
	return fair_sched_machine(s) != NULL;
}

/* REQUESTS */

/* Whether there are classes, if only one of one resource; else one pool. */
static bool fair_sched_has_classes(const struct fair_sched *s)
{
	return s->classes != NULL;
}

static uint32_t fair_sched_class_count(const struct fair_sched *s)
{
	return s->classes ? s->classes->config.classes : 1;
}

static uint32_t fair_sched_resources(const struct fair_sched *s)
{
	return s->classes ? s->classes->config.resources : 1;
}

/* Whether resource @r belongs to the machine and to no class. */
static bool fair_sched_is_wide(const struct fair_sched *s, uint32_t r)
{
	return s->classes && s->classes->config.wide >> r & 1;
}

/* 0, or why no class ever had what such a job asks for. */
static int fair_sched_validate_request(const struct fair_sched *s,
				       const struct fair_job *job)
{
	struct fair_machine_request request = { job->amount, job->classes,
						job->class_count };
	struct fair_machine_config most;
	int32_t amount[FAIR_MACHINE_RESOURCES];
	uint32_t r;

	if (!s->classes)
		return 0;
	if (!fair_machine_can_ask(&s->classes->jobs.machine, &request))
		return -FAIR_EINVAL;
	if (s->nodes)
		return fair_sched_validate_nodes(s, job);
	most = s->classes->config;
	most.amount = s->classes->most;
	for (r = 0; r < most.resources; r++)
		amount[r] = fair_job_amount(job, r);
	request.amount = amount;
	(void)fair_machine_closest(&most, &request, &r);
	return r == most.resources ? 0 : -FAIR_ERANGE;
}

/* What the job in @slot asks for of classes; one pool: nothing. */
static struct fair_machine_request
fair_sched_request(const struct fair_sched *s, uint32_t slot)
{
	const struct fair_machine_request none = { NULL, NULL, 0 };

	return s->classes ? fair_machine_jobs_request(&s->classes->jobs, slot)
			  : none;
}

/* How many classes may serve the job in @slot. */
static uint32_t fair_sched_choices(const struct fair_sched *s, uint32_t slot)
{
	uint32_t n = fair_sched_request(s, slot).count;

	return n ? n : fair_sched_class_count(s);
}

/* The @i-th of them, in its order of preference. */
static uint32_t fair_sched_choice(const struct fair_sched *s, uint32_t slot,
				  uint32_t i)
{
	struct fair_machine_request r = fair_sched_request(s, slot);

	return r.count ? r.classes[i] : i;
}

/* Whether the job in @slot may run in class @k. */
static bool fair_sched_may_run_in(const struct fair_sched *s, uint32_t slot,
				  uint32_t k)
{
	struct fair_machine_request r = fair_sched_request(s, slot);

	return fair_classes_has_class(r.classes, r.count, k);
}

/* Whether a job may ask for such amounts; NULL: of processors alone. */
static bool fair_sched_can_ask(const struct fair_sched *s,
			       const int32_t *amount)
{
	struct fair_machine_request request = { amount, NULL, 0 };

	return !s->classes ||
	       fair_machine_can_ask(&s->classes->jobs.machine, &request);
}

/* The job in @slot asks for what @job says. */
static void fair_sched_set_request(struct fair_sched *s, uint32_t slot,
				   const struct fair_job *job)
{
	if (s->classes)
		fair_must(fair_machine_jobs_set(
			&s->classes->jobs, slot, job->procs, job->amount,
			job->classes, job->class_count));
	fair_sched_set_nodes(s, slot, job);
}

static void fair_sched_describe_request(const struct fair_sched *s,
					uint32_t slot, struct fair_job *job)
{
	struct fair_machine_request r = fair_sched_request(s, slot);

	job->amount = r.amount;
	job->classes = r.classes;
	job->class_count = r.count;
	fair_sched_describe_nodes(s, slot, job);
}

/* The job in @slot, which is not reserved, has other amounts or classes. */
static void fair_sched_renew_nodes(struct fair_sched *s, uint32_t slot)
{
	struct fair_job job;

	if (!s->nodes)
		return;
	FAIR_MEMSET(&job, 0, sizeof(job));
	fair_sched_describe_request(s, slot, &job);
	job.procs = job.amount[0];
	fair_sched_set_nodes(s, slot, &job);
}

/* A job may run in the class in which it is reserved, and no other. */
static void fair_sched_describe_class(const struct fair_sched *s, uint32_t slot,
				      struct fair_job *job)
{
	if (!s->classes)
		return;
	job->classes = s->classes->jobs.node_class + slot;
	job->class_count = 1;
}

/* The job in slot @from of @s is in @slot of the copy. */
static void fair_sched_copy_request(struct fair_sched *copy, uint32_t slot,
				    const struct fair_sched *s, uint32_t from)
{
	if (s->classes)
		fair_machine_jobs_copy(&copy->classes->jobs, slot,
				       &s->classes->jobs, from);
	fair_sched_copy_nodes(copy, slot, s, from);
}

/* The job in @slot, which is not reserved or holds as much, has @amount. */
static void fair_sched_set_amounts(struct fair_sched *s, uint32_t slot,
				   const int32_t *amount)
{
	uint32_t n = fair_sched_resources(s);

	if (s->classes)
		FAIR_MEMCPY(s->classes->jobs.amount + (size_t)slot * n, amount,
			    n * sizeof(*amount));
}

/* The job in @slot, which is not reserved, may run in class @k alone. */
static void fair_sched_set_only_class(struct fair_sched *s, uint32_t slot,
				      uint32_t k)
{
	struct fair_machine_jobs *x = &s->classes->jobs;

	x->classes[(size_t)slot * x->machine.classes] = (uint8_t)k;
	x->count[slot] = 1;
	fair_sched_renew_nodes(s, slot);
}

/* The job in @slot, which is not reserved, has @amount of resource @r now. */
static void fair_sched_set_amount(struct fair_sched *s, uint32_t slot,
				  uint32_t r, int32_t amount)
{
	if (s->classes)
		s->classes->jobs.amount[(size_t)slot * fair_sched_resources(s) +
					r] = amount;
	fair_sched_renew_nodes(s, slot);
}

/* What a second of these amounts costs: at most FAIR_RATE_MAX. */
static int64_t fair_sched_amounts_cost(const struct fair_sched *s,
				       const int32_t *amount)
{
	const struct fair_classes *c = s->classes;
	int64_t cost = 0, one;
	uint32_t r;

	for (r = 0; r < c->config.resources; r++) {
		one = amount[r];
		if (one && c->billing.weight[r] > FAIR_RATE_MAX / one)
			return FAIR_RATE_MAX;
		one *= c->billing.weight[r];
		if (!c->billing.maximum)
			cost += one;
		else if (one > cost)
			cost = one;
	}
	return cost < FAIR_RATE_MAX ? cost : FAIR_RATE_MAX;
}

/* The same of the job in @slot. */
static int64_t fair_sched_second_cost(const struct fair_sched *s, uint32_t slot)
{
	struct fair_claim claim =
		fair_machine_jobs_claim(&s->classes->jobs, slot);

	return fair_sched_amounts_cost(s, claim.amount);
}

/* What a job counts as where occupancies and entitlements count costs. */
static int32_t fair_sched_cost(const struct fair_sched *s, uint32_t slot)
{
	int64_t cost;

	if (!fair_config_counts_costs(&s->config))
		return s->live[slot].queued.procs;
	cost = fair_sched_second_cost(s, slot) / FAIR_PENALTY_ONE;
	return cost < INT32_MAX ? (int32_t)cost : INT32_MAX;
}

/* The same of the machine at present. */
static int32_t fair_sched_machine_cost(const struct fair_sched *s)
{
	if (!fair_config_counts_costs(&s->config))
		return s->procs;
	return (int32_t)fair_config_cost(&s->config, s->classes->present);
}

/* CHANGES OF THE MACHINE */

/* More of a column of the machine is free over [@from, @end) by @delta, or
 * less. */
static void fair_classes_change(const struct fair_sched *s, uint32_t column,
				int64_t from, int64_t end, int32_t delta)
{
	struct fair_machine *m = &s->classes->jobs.machine;
	uint32_t k = column / m->resources, r = column % m->resources;
	int32_t amount[FAIR_MACHINE_RESOURCES] = { 0 };

	FAIR_ASSERT(fair_sched_machine(s)); /* a pool has no other column */
	amount[r] = delta < 0 ? -delta : delta;
	if (end == FAIR_FOREVER)
		fair_must(fair_machine_change_capacity(m, k, r, from, end,
						       delta));
	else if (delta < 0)
		fair_must(fair_machine_reserve(m, k, from, end - from, amount));
	else
		fair_must(fair_machine_release(m, k, from, end - from, amount));
}

/* The column of resource @r of class @k. */
static uint32_t fair_sched_column(const struct fair_sched *s, uint32_t k,
				  uint32_t r)
{
	return (fair_sched_is_wide(s, r) ? 0 : k * fair_sched_resources(s)) + r;
}

/* Class @k has @delta more of resource @r. */
static void fair_classes_count(struct fair_sched *s, uint32_t k, uint32_t r,
			       int32_t delta)
{
	struct fair_classes *c = s->classes;
	uint32_t place;

	if (!c)
		return;
	place = fair_sched_column(s, k, r);
	c->present[place] += delta;
	if (c->present[place] > c->most[place])
		c->most[place] = c->present[place];
}

/*
 * COLUMNS. A column is one of the amounts that are planned: column 0 of one
 * pool is its processors; with config.machine, resource r of class k is column
 * k * resources + r, and a wide resource stands in class 0.
 */

static uint32_t fair_sched_columns(const struct fair_sched *s)
{
	return fair_sched_class_count(s) * fair_sched_resources(s);
}

/* Those whose profiles stand beside that of all processors. */
static uint32_t fair_sched_class_columns(const struct fair_sched *s)
{
	return fair_sched_machine(s) ? fair_sched_columns(s) : 0;
}

/* What a claim has of a column. */
static int32_t fair_column_amount(const struct fair_sched *s, uint32_t column,
				  const struct fair_claim *claim)
{
	uint32_t k, r;

	if (!s->classes)
		return claim->procs;
	k = column / s->classes->config.resources;
	r = column % s->classes->config.resources;
	if (fair_sched_is_wide(s, r) ? k : k != claim->node_class)
		return 0;
	return claim->amount[r];
}

/* What there is of a column at present. */
static int32_t fair_column_present(const struct fair_sched *s, uint32_t column)
{
	return s->classes ? s->classes->present[column] : s->procs;
}

/* What there was of it at first. */
static int32_t fair_column_configured(const struct fair_sched *s,
				      uint32_t column)
{
	return s->classes ? s->classes->amount[column] : s->config.procs;
}

/* The most that there ever was of it. */
static int32_t fair_column_most(const struct fair_sched *s, uint32_t column)
{
	return s->classes ? s->classes->most[column] : s->max_procs;
}

/* Its profile; NULL: there never is any of it, or it stands in class 0. */
static const struct fair_profile *
fair_column_profile(const struct fair_sched *s, uint32_t column)
{
	const struct fair_machine_jobs *x = fair_sched_machine(s);
	const struct fair_machine *m;
	uint32_t k, r;

	if (!x || column == FAIR_COLUMN_SUM)
		return fair_sched_profile(s);
	m = &x->machine;
	k = column / m->resources;
	r = column % m->resources;
	return k && m->wide >> r & 1 ? NULL : fair_machine_profile(m, k, r);
}

/* Whether the machine is configured with any of a column. */
static bool fair_sched_has_column(const struct fair_sched *s, uint32_t column)
{
	return !s->classes || s->classes->amount[column] > 0;
}

/* Whether the planner's profile counts the processors of all classes. */
static bool fair_sched_is_sum_right(const struct fair_sched *s)
{
	uint32_t n = fair_sched_class_count(s), k;
	struct fair_step all, step;
	int64_t t, next;
	int32_t free;

	for (t = s->now; fair_sched_machine(s) && t != FAIR_FOREVER; t = next) {
		if (fair_profile_step_at(fair_sched_profile(s), t, &all))
			return false;
		for (next = all.end, free = 0, k = 0; k < n; k++) {
			fair_must(fair_profile_step_at(
				fair_column_profile(s,
						    fair_sched_column(s, k, 0)),
				t, &step));
			free += step.free;
			next = step.end < next ? step.end : next;
		}
		if (free != all.free)
			return false;
	}
	return true;
}

#else /* FAIRSCHED_WITHOUT_CLASSES */

/* One pool: a claim is a number of processors, and column 0 is all there is. */
static struct fair_claim fair_sched_claim(const struct fair_sched *s,
					  uint32_t slot)
{
	struct fair_claim claim = { 0, 0, NULL, 0 };

	claim.procs = s->live[slot].queued.procs;
	return claim;
}

static uint32_t fair_sched_columns(const struct fair_sched *s)
{
	(void)s;
	return 1;
}

static int32_t fair_column_amount(const struct fair_sched *s, uint32_t column,
				  const struct fair_claim *claim)
{
	(void)s;
	(void)column;
	return claim->procs;
}

static struct fair_machine_request
fair_sched_request(const struct fair_sched *s, uint32_t slot)
{
	(void)s;
	return fair_machine_jobs_request(NULL, slot);
}

#define fair_classes_change fair_absent
#define fair_classes_clone fair_absent
#define fair_classes_count fair_absent
#define fair_classes_find_error(config) "this build is without classes"
#define fair_classes_init fair_absent
#define fair_classes_size(config) 0
#define fair_column_configured(s, column) ((s)->config.procs)
#define fair_column_most(s, column) ((s)->max_procs)
#define fair_column_present(s, column) ((s)->procs)
#define fair_column_profile(s, column) fair_sched_profile(s)
#define fair_config_counts_costs fair_absent
#define fair_config_cost fair_absent
#define fair_config_needs_space fair_absent
#define fair_config_weight(config, r) (!(r))
#define fair_sched_amounts_cost fair_absent
#define fair_sched_can_ask(s, amount) true
#define fair_sched_choice(s, slot, i) (i)
#define fair_sched_choices(s, slot) fair_sched_columns(s)
#define fair_sched_class(s, slot) 0
#define fair_sched_class_columns(s) (fair_sched_columns(s) - 1)
#define fair_sched_class_count fair_sched_columns
#define fair_sched_column(s, k, r) ((k) + (r))
#define fair_sched_copy_request fair_absent
#define fair_sched_cost(s, slot) ((s)->live[slot].queued.procs)
#define fair_sched_describe_class fair_absent
#define fair_sched_describe_request fair_absent
#define fair_sched_has_classes fair_absent
#define fair_sched_has_column(s, column) true
#define fair_sched_is_wide fair_absent
#define fair_sched_is_sum_right(s) true
#define fair_sched_machine(s) ((struct fair_machine_jobs *)NULL)
#define fair_sched_machine_cost(s) ((s)->procs)
#define fair_sched_may_run_in(s, slot, k) true
#define fair_sched_records_class fair_absent
#define fair_sched_resources fair_sched_columns
#define fair_sched_second_cost fair_absent
#define fair_sched_set_amount fair_absent
#define fair_sched_set_amounts fair_absent
#define fair_sched_set_class fair_absent
#define fair_sched_set_only_class fair_absent
#define fair_sched_set_request fair_absent
#define fair_sched_validate_request fair_absent

#endif /* FAIRSCHED_WITHOUT_CLASSES */

/* What running jobs leave of a column. */
static int64_t fair_sched_column_free(const struct fair_sched *s,
				      uint32_t column)
{
	int64_t free = fair_column_present(s, column);
	struct fair_queue_place at = { 0, 0 };
	struct fair_claim claim;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		claim = fair_sched_claim(s, fair_queue_slot(&s->running, at));
		free -= fair_column_amount(s, column, &claim);
	}
	return free;
}

/* What is free of a column in this second, beside all reservations; on nodes
 * only of a wide resource, since a job asks nodes for chunks. */
static int32_t fair_column_free_now(const struct fair_sched *s, uint32_t column)
{
	const struct fair_profile *p =
		s->nodes ? fair_nodes_wide(fair_sched_plan_nodes(s), column)
			 : fair_column_profile(s, column);
	int32_t free = 0;

	if (p)
		fair_must(fair_profile_min_free(p, s->now, s->now + 1, &free));
	else if (!s->nodes && !fair_sched_machine(s))
		free = s->procs - s->busy; /* the planner has no space */
	return free;
}

/* Whether an advance reservation has all that @job asks for, in its class. */
static bool fair_sched_is_within(const struct fair_sched *s,
				 const struct fair_job *job,
				 const struct fair_advance *b)
{
	uint32_t n = fair_sched_resources(s), r = 1;

	if (job->procs > b->procs)
		return false;
	while (r < n && fair_job_amount(job, r) <= b->amount[r])
		r++;
	return r == n &&
	       (!s->classes ||
		fair_classes_has_class(job->classes, job->class_count,
				       b->node_class));
}

/* Resource 0 of an advance reservation is its processors. */
static struct fair_advance
fair_advance_complete(const struct fair_advance *advance)
{
	struct fair_advance b = *advance;

	b.amount[0] = b.procs;
	return b;
}

/* What an advance reservation withholds. */
static struct fair_claim fair_advance_claim(const struct fair_sched *s,
					    const struct fair_advance *b)
{
	struct fair_claim claim = { 0, 0, NULL, 0 };

	claim.procs = b->procs;
	claim.node_class = b->node_class;
	claim.amount = s->classes ? b->amount : NULL;
	return claim;
}

/* Whether two claims share a column. */
static bool fair_sched_do_claims_meet(const struct fair_sched *s,
				      const struct fair_claim *a,
				      const struct fair_claim *b)
{
	uint32_t n = fair_sched_columns(s), i = 0;

	while (i < n && !(fair_column_amount(s, i, a) &&
			  fair_column_amount(s, i, b)))
		i++;
	return i < n;
}

#ifndef FAIRSCHED_WITHOUT_ADVANCES
/* More of a column is free over [@from, @end) by @delta, or less. */
static void fair_sched_change_column(const struct fair_sched *s,
				     uint32_t column, int64_t from, int64_t end,
				     int32_t delta)
{
	struct fair_profile *p = fair_sched_profile(s);

	if (!delta)
		return;
	if (column != FAIR_COLUMN_SUM)
		fair_classes_change(s, column, from, end, delta);
	else if (end == FAIR_FOREVER)
		fair_must(fair_profile_change_capacity(p, from, end, delta));
	else if (delta > 0)
		fair_must(fair_profile_release(p, from, end - from, delta));
	else
		fair_must(fair_profile_reserve(p, from, end - from, -delta));
}
#endif /* FAIRSCHED_WITHOUT_ADVANCES */

/* What the class of @claim gains, or loses, of one resource. */
static struct fair_claim fair_sched_make_claim(const struct fair_sched *s,
					       uint32_t k,
					       const int32_t *amount)
{
	struct fair_claim claim = { 0, 0, NULL, 0 };

	claim.procs = amount[0];
	claim.node_class = k;
	claim.amount = s->classes ? amount : NULL;
	return claim;
}
