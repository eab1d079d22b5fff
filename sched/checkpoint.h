/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/checkpoint.h - save a scheduler as bytes, and load it again
 *
 *   config | state | jobs: running, queued, ineligible | what these wait for |
 *   advance reservations | sections of the planner and of each ledger
 *
 * fair_fields_*() list the fields of a record, for both directions. Whatever
 * the jobs tell is not saved but computed at load: the profile, occupancies,
 * orders. So a checkpoint cannot contradict itself there.
 *
 * Uses: advance.h, capacity.h, changes.h, check.h, entities.h.
 * Uses: saved_classes.h, text.h.
 */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

#define FAIR_SCHED_CHECKPOINT 4 /* version */

/* Sections 4 to 20 belong to the planners and ledgers of this library. */
enum fair_sched_section {
	FAIR_SECTION_CONFIG = 1,
	FAIR_SECTION_STATE,
	FAIR_SECTION_JOBS, /* running, queued, ineligible */
	FAIR_SECTION_INELIGIBLE = 21,
	FAIR_SECTION_ADVANCES
};

static void fair_fields_config(struct fair_checkpoint *f, struct fair_config *c)
{
	fair_checkpoint_one(f, FAIR_SECTION_CONFIG, 22 + c->by_target);
	fair_checkpoint_u32(f, &c->policy);
	fair_checkpoint_u32(f, &c->order);
	fair_checkpoint_u32(f, &c->depth);
	fair_checkpoint_u32(f, &c->select);
	fair_checkpoint_u32(f, &c->metric);
	fair_checkpoint_bool(f, &c->longest);
	fair_checkpoint_i32(f, &c->procs);
	fair_checkpoint_i64(f, &c->origin);
	fair_checkpoint_u32(f, &c->jobs);
	fair_checkpoint_u32(f, &c->accounts);
	fair_checkpoint_u32(f, &c->users);
	fair_checkpoint_i64(f, &c->window);
	fair_checkpoint_bool(f, &c->only_used);
	fair_checkpoint_i64(f, &c->weight);
	fair_checkpoint_i64(f, &c->half_life);
	fair_checkpoint_u32(f, &c->ineligible);
	fair_checkpoint_u32(f, &c->advances);
	fair_checkpoint_i64(f, &c->window_origin);
	fair_checkpoint_bool(f, &c->by_group);
	fair_checkpoint_bool(f, &c->decays);
	fair_checkpoint_u32(f, &c->dependencies);
	fair_checkpoint_bool(f, &c->by_difference);
	if (c->by_target)
		fair_checkpoint_bool(f, &c->by_target);
}

static void fair_fields_state(struct fair_checkpoint *f, struct fair_sched *s)
{
	fair_checkpoint_one(f, FAIR_SECTION_STATE, 7);
	fair_checkpoint_i64(f, &s->now);
	fair_checkpoint_i32(f, &s->procs);
	fair_checkpoint_i32(f, &s->max_procs);
	fair_checkpoint_u64(f, &s->digest);
	fair_checkpoint_u32(f, &s->start_count);
	fair_checkpoint_bool(f, &s->is_step_complete);
	fair_checkpoint_bool(f, &s->owes_reaction);
}

#define FAIR_JOB_WORDS 28

/* Private: a job as a checkpoint has it. */
struct fair_saved_job {
	struct fair_live job;
	uint64_t advance; /* the reservation that it is bound to */
	uint32_t state, cause, refusals;
};

/* A running job has its mark, too: its start may be refused. */
#define FAIR_SAVED_MARKS (FAIR_MARK_KEPT | FAIR_MARK_TURN)

static void fair_fields_job(struct fair_checkpoint *f, struct fair_saved_job *x)
{
	struct fair_live *j = &x->job;

	fair_checkpoint_record(f);
	fair_checkpoint_u64(f, &j->queued.rank.number);
	fair_checkpoint_i64(f, &j->queued.rank.key);
	fair_checkpoint_i64(f, &j->queued.walltime);
	fair_checkpoint_i32(f, &j->queued.procs);
	fair_checkpoint_i64(f, &j->queued.not_before);
	fair_checkpoint_u64(f, &j->cookie);
	fair_checkpoint_i64(f, &j->submit);
	fair_checkpoint_i64(f, &j->started);
	fair_checkpoint_i64(f, &j->first_promise);
	fair_checkpoint_u32(f, &j->user);
	fair_checkpoint_u32(f, &j->group);
	fair_checkpoint_u32(f, &j->account);
	fair_checkpoint_u32(f, &j->queue);
	fair_checkpoint_u32(f, &j->qos);
	fair_checkpoint_u32(f, &j->moves);
	fair_checkpoint_u32(f, &x->state);
	fair_checkpoint_u32(f, &x->cause);
	fair_checkpoint_u32(f, &j->starts_before);
	fair_checkpoint_bool(f, &j->charged);
	fair_checkpoint_i64(f, &j->penalty);
	fair_checkpoint_u32(f, &j->tasks_behind);
	fair_checkpoint_u64(f, &x->advance);
	fair_checkpoint_i64(f, &j->ran);
	fair_checkpoint_i64(f, &j->queued.turn);
	fair_checkpoint_i64(f, &j->refused);
	fair_checkpoint_u32(f, &x->refusals);
	fair_checkpoint_i64(f, &j->resized);
	fair_checkpoint_i64(f, &j->overran);
}

static void fair_sched_save_job(struct fair_checkpoint *f,
				const struct fair_sched *s, uint32_t slot)
{
	const struct fair_live *j = s->live + slot;
	struct fair_saved_job x;

	x.job = *j;
	x.advance = fair_sched_bound_to(s, j);
	if (j->state != FAIR_RUNNING) {
		x.job.started = 0;
		x.job.starts_before = 0;
	}
	x.state = fair_live_state(j) | (j->queued.mark & FAIR_SAVED_MARKS);
	x.cause = j->cause;
	x.refusals = j->refusals;
	fair_fields_job(f, &x);
}

static bool fair_is_promise(int64_t t)
{
	return t == FAIR_FOREVER || fair_is_planned_time(t);
}

/* What was read becomes a live job; @f->bad: that cannot be one. */
static void fair_sched_read_job(struct fair_checkpoint *f,
				struct fair_saved_job *x)
{
	struct fair_live *j = &x->job;
	uint32_t state;

	fair_fields_job(f, x);
	state = x->state & ~(uint32_t)FAIR_SAVED_MARKS;
	j->queued.mark = x->state & FAIR_SAVED_MARKS;
	if (state == FAIR_DISPLACED) {
		state = FAIR_QUEUED;
		j->queued.mark |= FAIR_MARK_DISPLACED;
	}
	f->bad |= state > FAIR_DISPLACED || x->cause > FAIR_CAUSE_LIMIT ||
		  !fair_is_duration(j->ran) || j->resized < 0 ||
		  j->resized > j->ran || !fair_is_duration(j->overran) ||
		  (j->overran > j->ran &&
		   j->overran - j->ran >= j->queued.walltime) ||
		  !fair_is_not_before(j->queued.not_before) ||
		  !fair_is_promise(j->queued.turn) ||
		  !fair_is_promise(j->first_promise) ||
		  !fair_is_time(j->refused) || x->refusals > 60 ||
		  (x->advance && state == FAIR_QUEUED);
	j->state = (uint8_t)state;
	j->cause = (uint8_t)x->cause;
	j->refusals = (uint8_t)x->refusals;
}

static void fair_sched_save_jobs(struct fair_checkpoint *f,
				 const struct fair_sched *s,
				 const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_sched_save_job(f, s, fair_queue_slot(q, at));
}

static void fair_fields_ineligible(struct fair_checkpoint *f, uint64_t *number,
				   struct fair_ineligible *a)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u64(f, number);
	fair_checkpoint_i64(f, &a->condition.begin);
	fair_checkpoint_u64(f, &a->condition.after);
	fair_checkpoint_u32(f, &a->condition.end);
	fair_checkpoint_bool(f, &a->condition.held);
	fair_checkpoint_bool(f, &a->is_new);
	fair_checkpoint_bool(f, &a->is_any);
	fair_checkpoint_bool(f, &a->is_suspended);
	f->bad |= a->condition.end > FAIR_AFTER_START;
}

/* One of the list of an ineligible job, behind the fields before. */
static void fair_fields_dependency(struct fair_checkpoint *f,
				   struct fair_dependency *d)
{
	fair_checkpoint_u64(f, &d->after);
	fair_checkpoint_u32(f, &d->end);
	f->bad |= d->end > FAIR_AFTER_START;
}

/* The list of the job in @slot: what it waits for, then what is satisfied. */
static void fair_sched_save_list(struct fair_checkpoint *f,
				 const struct fair_sched *s, uint32_t slot)
{
	const struct fair_dependency *d = fair_sched_dependencies(s, slot);
	struct fair_dependency open, none = { 0, 0, 0 };
	uint32_t i, n = 0;

	for (i = 0; i < s->config.dependencies; i++) {
		if (!d[i].end)
			continue;
		open = d[i];
		fair_fields_dependency(f, &open);
		n++;
	}
	for (; n < s->config.dependencies; n++)
		fair_fields_dependency(f, &none);
}

/* The list of @saved entries of the job in @slot; false: there is no room. */
static bool fair_sched_load_list(struct fair_sched *s,
				 struct fair_checkpoint *f, uint32_t saved,
				 uint32_t slot)
{
	struct fair_dependency *to = fair_sched_dependencies(s, slot);
	struct fair_dependency d = { 0, 0, 0 };
	uint32_t n = 0;

	for (; saved--; n += d.end != 0) {
		fair_fields_dependency(f, &d);
		if (d.end && n == s->config.dependencies)
			return false;
		if (d.end)
			to[n] = d;
	}
	return true;
}

/* The ineligible jobs, then the section of what they wait for. */
static void fair_sched_save_ineligible(struct fair_checkpoint *f,
				       const struct fair_sched *s)
{
	struct fair_ineligible a;
	uint64_t number;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++)
		fair_sched_save_job(f, s, s->ineligible[i].slot);
	fair_checkpoint_section(f, FAIR_SECTION_INELIGIBLE, s->ineligibles,
				8 + 2 * (uint64_t)s->config.dependencies);
	for (i = 0; i < s->ineligibles; i++) {
		a = s->ineligible[i];
		number = s->live[a.slot].queued.rank.number;
		fair_fields_ineligible(f, &number, &a);
		fair_sched_save_list(f, s, a.slot);
	}
}

static void fair_fields_advance(struct fair_checkpoint *f,
				struct fair_advance *b)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u64(f, &b->number);
	fair_checkpoint_i64(f, &b->from);
	fair_checkpoint_i64(f, &b->to);
	fair_checkpoint_i32(f, &b->procs);
	fair_checkpoint_u32(f, &b->kind);
	fair_checkpoint_u32(f, &b->user);
}

static void fair_sched_save_advances(struct fair_checkpoint *f,
				     const struct fair_sched *s)
{
	struct fair_advance b;
	uint32_t i;

	fair_checkpoint_section(f, FAIR_SECTION_ADVANCES, s->advances, 6);
	for (i = 0; i < s->advances; i++) {
		b = s->advance[i];
		fair_fields_advance(f, &b);
	}
}

static void fair_sched_save_requests(struct fair_checkpoint *f,
				     const struct fair_sched *s,
				     const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_classes_save_request(f, s, fair_queue_slot(q, at));
}

/* The machine, and what the jobs ask for, in the order of the jobs. */
static void fair_sched_save_classes(struct fair_checkpoint *f,
				    const struct fair_sched *s)
{
	uint32_t i;

	if (!fair_sched_has_classes(s))
		return;
	fair_classes_save(s, f);
	fair_checkpoint_section(f, FAIR_SECTION_REQUESTS, s->jobs,
				fair_classes_request_words(s));
	fair_sched_save_requests(f, s, &s->running);
	fair_sched_save_requests(f, s, fair_sched_queue(s));
	for (i = 0; i < s->ineligibles; i++)
		fair_classes_save_request(f, s, s->ineligible[i].slot);
	fair_checkpoint_section(f, FAIR_SECTION_WITHHELD, s->advances,
				1 + fair_sched_resources(s));
	for (i = 0; i < s->advances; i++)
		fair_classes_advance_fields(f, s, &s->advance[i]);
}

/* What the job in @slot asks of nodes, or with NULL for @parts has of them. */
static void fair_sched_save_on_nodes(const struct fair_sched *s, uint32_t slot,
				     struct fair_checkpoint *f, uint64_t *parts)
{
	if (parts)
		fair_sched_save_asked(s, slot, f, parts);
	else
		fair_sched_save_parts(s, slot, f);
}

/* The same of each job. */
static void fair_sched_each_saved(const struct fair_sched *s,
				  struct fair_checkpoint *f, uint64_t *parts)
{
	const struct fair_queue *q[2];
	struct fair_queue_place at;
	uint32_t i;

	q[0] = &s->running;
	q[1] = fair_sched_queue(s);
	for (i = 0; i < 2; i++)
		for (at.row = at.index = 0;
		     fair_queue_next_fitting(q[i], &at, INT32_MAX);
		     at.index++)
			fair_sched_save_on_nodes(s, fair_queue_slot(q[i], at),
						 f, parts);
	for (i = 0; i < s->ineligibles; i++)
		fair_sched_save_on_nodes(s, s->ineligible[i].slot, f, parts);
}

/* The nodes, what the jobs ask of them, and which they have. */
static void fair_sched_save_nodes(struct fair_checkpoint *f,
				  const struct fair_sched *s)
{
	uint64_t parts = 0;

	if (!s->nodes)
		return;
	fair_node_space_save(s, f);
	fair_checkpoint_section(f, FAIR_SECTION_NODES_ASKED, s->jobs, 7);
	fair_sched_each_saved(s, f, &parts);
	fair_checkpoint_section(f, FAIR_SECTION_NODES_PARTS, parts, 2);
	fair_sched_each_saved(s, f, NULL);
}

/* Return: the bytes of the checkpoint; written unless @out is NULL. */
static size_t fair_sched_write(const struct fair_sched *s, void *out)
{
	struct fair_sched x = *s; /* the field functions take no const */
	struct fair_checkpoint f;

	fair_checkpoint_write(&f, out, FAIR_SCHED_CHECKPOINT);
	fair_fields_config(&f, &x.config);
	fair_fields_state(&f, &x);
	fair_checkpoint_section(&f, FAIR_SECTION_JOBS, s->jobs, FAIR_JOB_WORDS);
	fair_sched_save_jobs(&f, s, &s->running);
	fair_sched_save_jobs(&f, s, fair_sched_queue(s));
	fair_sched_save_ineligible(&f, s);
	fair_sched_save_advances(&f, s);
	fair_sched_save_classes(&f, s);
	fair_sched_save_nodes(&f, s);
	fair_sched_save_entities(s, &f);
	fair_sched_save_task_limits(s, &f);
	if (s->planner->save)
		s->planner->save(s, &f);
	fair_ledgers_save(s, &f);
	return fair_checkpoint_finish(&f);
}

FAIRSCHED_API size_t fair_sched_checkpoint_size(const struct fair_sched *s)
{
	return fair_sched_write(s, NULL);
}

FAIRSCHED_API int fair_sched_save(const struct fair_sched *s, void *checkpoint,
				  size_t bytes)
{
	if (!checkpoint)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_checkpoint_size(s))
		return -FAIR_ENOSPC;
	fair_sched_write(s, checkpoint);
	return 0;
}

/* What of a configuration its ledgers save: a sum of enum fair_saved. */
static uint32_t fair_config_saved(const struct fair_config *config)
{
	const struct fair_ledger_ops *ops[FAIR_LEDGERS];
	uint32_t n = fair_config_ledgers(config, ops), saves = 0;

	while (n--)
		saves |= ops[n]->saves;
	return saves;
}

/*
 * The first field in which a checkpoint with configuration @a cannot be loaded
 * with @b; NULL: it can. They may differ in the most jobs and advance
 * reservations, but without the latter a planner that plans afresh has no
 * profile; and in what is not saved.
 */
static const char *fair_config_difference(const struct fair_config *a,
					  const struct fair_config *b)
{
	const struct fair_planner_ops *planner = fair_config_planner(b);
	uint32_t saved = fair_config_saved(b), i;
	const struct {
		const char *name;
		bool is_good;
	} field[] = {
		{ "policy", a->policy == b->policy },
		{ "order", a->order == b->order },
		{ "depth", a->depth == b->depth },
		{ "select", a->select == b->select },
		{ "metric", a->metric == b->metric },
		{ "longest", a->longest == b->longest },
		{ "procs", a->procs == b->procs },
		{ "origin", a->origin == b->origin },
		{ "accounts", a->accounts <= b->accounts },
		{ "users", a->users <= b->users },
		{ "ids", !a->ids == !b->ids },
		{ "limits", a->limits <= b->limits },
		{ "window",
		  a->window == b->window || saved & FAIR_SAVES_WINDOW },
		{ "only_used", a->only_used == b->only_used },
		{ "window_origin", a->window_origin == b->window_origin },
		{ "by_group", a->by_group == b->by_group },
		{ "by_difference", a->by_difference == b->by_difference },
		{ "by_target", a->by_target == b->by_target },
		{ "decays", a->decays == b->decays },
		{ "weight", a->weight == b->weight },
		{ "half_life", a->half_life == b->half_life ||
				       saved & FAIR_SAVES_HALF_LIFE },
		{ "advances", b->advances || !a->advances ||
				      (planner && planner->promises) }
	};

	for (i = 0; i < sizeof(field) / sizeof(*field); i++)
		if (!field[i].is_good)
			return field[i].name;
	return NULL;
}

/* The same of a checkpoint whose configuration was read. */
static const char *
fair_sched_find_difference(const struct fair_checkpoint *f,
			   const struct fair_config *was,
			   const struct fair_config *config)
{
	const char *name = fair_config_difference(was, config);

	if (!name && !fair_classes_is_same(f, config->machine))
		name = "machine";
	if (!name && !fair_nodes_are_same(f, config))
		name = "nodes";
	if (!name && !fair_classes_is_same_billing(f, config->billing))
		name = "billing";
	return name;
}

static int fair_sched_read_config(struct fair_checkpoint *f,
				  struct fair_config *config)
{
#ifndef FAIRSCHED_WITHOUT_MAUI
	struct fair_maui_config any = fair_maui_defaults();
#endif /* FAIRSCHED_WITHOUT_MAUI */
	uint64_t credits = 0;
	bool valid;

	FAIR_MEMSET(config, 0, sizeof(*config));
	fair_fields_config(f, config);
	fair_checkpoint_bool(f, &config->by_target);
	if (fair_checkpoint_section(f, FAIR_SECTION_ROOM, 0, 0))
		fair_fields_room(f, config, &credits);
	config->limits = fair_limits_saved(f);
#ifndef FAIRSCHED_WITHOUT_MAUI
	config->maui = &any;
#endif /* FAIRSCHED_WITHOUT_MAUI */
	valid = !f->bad && fair_config_is_valid(config);
	config->maui = NULL;
	return valid ? 0 : FAIR_CHECKPOINT_BROKEN;
}

/* @error > 0 is an enum fair_checkpoint_damage, and is stored in @damage. */
static int fair_sched_report_damage(int error, int *damage)
{
	if (damage)
		*damage = error > 0 ? error : 0;
	return error > 0 ? -FAIR_EINVAL : error;
}

/* The field of @config that a checkpoint cannot be loaded with; NULL: none. */
static const char *fair_damage_field(const struct fair_config *config,
				     const void *checkpoint, size_t bytes)
{
	struct fair_checkpoint f;
	struct fair_config was;

	if (!config || !checkpoint || !fair_config_is_valid(config) ||
	    fair_checkpoint_read(&f, checkpoint, bytes,
				 FAIR_SCHED_CHECKPOINT) ||
	    fair_sched_read_config(&f, &was))
		return NULL;
	return fair_sched_find_difference(&f, &was, config);
}

FAIRSCHED_API size_t fair_damage_text(int damage,
				      const struct fair_config *config,
				      const void *checkpoint, size_t bytes,
				      char *text, size_t size)
{
	const unsigned char *p = (const unsigned char *)checkpoint;
	struct fair_text t = { text, size, 0 };
	const char *field = NULL;

	fair_text_add(&t, fair_checkpoint_strerror(damage));
	if (damage == FAIR_CHECKPOINT_VERSION && p && bytes >= 16)
		fair_text_fill(&t, ": format #, this one reads #",
			       (int64_t)fair_get_word(p + 8),
			       FAIR_SCHED_CHECKPOINT);
	if (damage == FAIR_CHECKPOINT_CONFIG)
		field = fair_damage_field(config, checkpoint, bytes);
	if (field) {
		fair_text_add(&t, ": another ");
		fair_text_add(&t, field);
	}
	return fair_text_end(&t);
}

FAIRSCHED_API int fair_sched_checkpoint_config(const void *checkpoint,
					       size_t bytes,
					       struct fair_config *config,
					       int *damage)
{
	struct fair_config c;
	struct fair_checkpoint f;
	int error = checkpoint && config
			    ? fair_checkpoint_read(&f, checkpoint, bytes,
						   FAIR_SCHED_CHECKPOINT)
			    : -FAIR_EINVAL;

	if (!error)
		error = fair_sched_read_config(&f, &c);
	if (!error)
		*config = c;
	return fair_sched_report_damage(error, damage);
}

/*
 * The sets, and the nodes that are down; false: they are not what the classes
 * lack. What is down is counted anew.
 */
static bool fair_sched_load_down(struct fair_sched *s,
				 const struct fair_checkpoint *stream)
{
	struct fair_checkpoint f = *stream;
	uint64_t n = fair_checkpoint_section(&f, FAIR_SECTION_NODES_DOWN, 0, 0);
	struct fair_classes *c = s->classes;
	uint32_t columns = fair_sched_columns(s), node = 0, i;
	int32_t present[FAIR_MACHINE_CLASSES * FAIR_MACHINE_RESOURCES];

	FAIR_MEMCPY(present, c->present, columns * sizeof(*present));
	FAIR_MEMCPY(c->present, c->amount, columns * sizeof(*present));
	s->procs = s->config.procs;
	while (n--) {
		fair_checkpoint_record(&f);
		fair_checkpoint_u32(&f, &node);
		if (f.bad || node >= s->nodes->nodes.nodes ||
		    fair_nodes_is_down(&s->nodes->nodes, node))
			return false;
		fair_sched_change_node(s, node, true);
	}
	for (i = 0; i < columns; i++)
		if (c->present[i] != present[i] || c->most[i] != c->amount[i])
			return false;
	return fair_node_space_load(s, stream);
}

/* The time and the machine as saved; all processors are free. */
static int fair_sched_load_state(struct fair_sched *s,
				 struct fair_checkpoint *f)
{
	struct fair_space *space = fair_sched_space(s);
	uint32_t n = fair_sched_resources(s), i;
	int32_t procs = s->procs;
	bool owes_reaction;
	struct fair_event e;

	fair_fields_state(f, s);
	owes_reaction = s->owes_reaction;
	if (f->bad || s->max_procs < s->procs || s->max_procs < procs ||
	    s->now < s->config.origin || !fair_is_time(s->now))
		return FAIR_CHECKPOINT_BROKEN;
	if (!fair_classes_load(s, f))
		return FAIR_CHECKPOINT_BROKEN;
	if (space)
		fair_must(fair_space_advance(space, s->now));
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	for (i = 0; i < fair_sched_columns(s) && !s->nodes; i++)
		fair_sched_apply_capacity(s, &e, i / n, i % n,
					  fair_column_present(s, i) -
						  fair_column_configured(s, i));
	if (s->nodes && !fair_sched_load_down(s, f))
		return FAIR_CHECKPOINT_BROKEN;
	s->owes_reaction = owes_reaction;
	return 0;
}

static bool fair_sched_load_running(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	struct fair_space *space = fair_sched_space(s);
	int64_t end = fair_live_end(j);
	struct fair_claim claim = fair_sched_claim(s, slot);

	claim.procs = fair_sched_busy_procs(s, slot);
	if (j->started > s->now || !fair_is_time(j->started) || end < s->now ||
	    end <= j->started || !fair_is_planned_time(end) ||
	    j->queued.not_before != INT64_MIN || j->tasks_behind ||
	    claim.procs > s->procs - s->busy)
		return false;
	if (space && s->now < end &&
	    fair_space_change(space, s->now, end, &claim, true))
		return false;
#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (s->limits) {
		fair_quotas_hold(s->limits, slot, s->now, end);
		fair_quotas_commit(s->limits, slot);
	}
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	s->busy += claim.procs;
	fair_sched_add_running_bound_job(s, slot);
	fair_planner_count(s, 0, -claim.procs);
	return !fair_queue_insert(&s->running, slot);
}

static bool fair_sched_load_queued(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;

	fair_sched_note_retry(s, j);
	/* Only a planner that reacts can leave a job displaced, and one that
	 * catches up leaves no other start that has passed. */
	return fair_sched_is_promise_kept(s, j) &&
	       (!fair_live_is_displaced(j) || s->planner->is_reacting) &&
	       (!s->planner->promises || fair_live_is_displaced(j) ||
		(j->queued.rank.key >= j->queued.not_before &&
		 (j->queued.rank.key >= s->now || !s->planner->catch_up))) &&
	       s->planner->restore(s, slot, fair_sched_priority(s, j));
}

/* Whether each index of the job belongs to an id. */
static bool fair_sched_has_entities(const struct fair_sched *s,
				    const struct fair_live *j)
{
	uint32_t kind, index;

	for (kind = 0; s->ids && kind < FAIR_ENTITY_KINDS; kind++) {
		index = fair_live_index(j, kind);
		if (index != FAIR_NO_ENTITY &&
		    !fair_ids_has(s->ids + kind, index))
			return false;
	}
	return true;
}

/* A time; that of a queued job without a promise is not read. */
static bool fair_sched_can_hold_key(const struct fair_sched *s,
				    const struct fair_live *j)
{
	int64_t key = j->queued.rank.key;

	return (j->state == FAIR_QUEUED && !s->planner->promises) ||
	       fair_is_planned_time(key) || key == FAIR_FOREVER;
}

/* Private: what stands beside the jobs, in their order. */
struct fair_saved_streams {
	struct fair_checkpoint requests, asked, parts;
};

static bool fair_sched_load_job(struct fair_sched *s,
				const struct fair_live *from, uint64_t advance,
				struct fair_saved_streams *f)
{
	uint8_t classes[FAIR_MACHINE_CLASSES];
	struct fair_saved_request request;
	struct fair_job job;
	uint32_t slot, parts;
	int error;

	FAIR_MEMSET(&job, 0, sizeof(job));
	fair_classes_load_request(&f->requests, s, &request, classes, &job);
	parts = fair_sched_load_asked(s, &f->asked, &job);
	job.number = from->queued.rank.number;
	job.submit = from->submit;
	job.walltime = from->queued.walltime;
	job.procs = from->queued.procs;
	if (!fair_sched_has_entities(s, from))
		return false;
	fair_sched_describe_ids(s, from, &job);
	job.penalty = from->penalty;
	job.tasks = fair_sched_tasks(from);
	job.advance = advance;
	error = fair_sched_admit(s, &job); /* a limit may have changed */
	if (f->requests.bad || f->asked.bad ||
	    fair_sched_validate_request(s, &job) ||
	    !fair_sched_has_parts(s, &job) ||
	    fair_sched_find(s, job.number) ||
	    !fair_job_is_valid(&job, s->now) ||
	    !fair_sched_can_hold_key(s, from) || error == -FAIR_EINVAL ||
	    error == -FAIR_ENOENT ||
	    fair_sched_validate_size(s, job.procs, job.walltime) ||
	    (from->charged && ((s->config.order != FAIR_ORDER_USAGE &&
				s->config.order != FAIR_ORDER_TREE &&
				s->config.order != FAIR_ORDER_DOMINANT) ||
			       from->state != FAIR_RUNNING)))
		return false;
	slot = fair_sched_slot(s, fair_sched_add_job(s, &job));
	s->live[slot] = *from;
	fair_sched_set_class(s, slot, request.node_class);
	if (from->state != FAIR_INELIGIBLE)
		fair_sched_join_limits(s, slot);
	if (!fair_sched_load_parts(s, slot, parts, &f->parts))
		return false;
	if (from->state == FAIR_INELIGIBLE)
		return fair_sched_is_promise_kept(s, s->live + slot);
	return from->state == FAIR_RUNNING ? fair_sched_load_running(s, slot)
					   : fair_sched_load_queued(s, slot);
}

/* A job waits only for its advance reservation, and is planned at @start. */
static void fair_sched_load_bound_job(struct fair_sched *s, struct fair_live *j,
				      int64_t start)
{
	struct fair_ineligible *a =
		s->ineligible +
		fair_sched_ineligible_place(s, j->queued.rank.number);

	a->is_planned = true;
	j->queued.rank.key = start;
	fair_sched_set_bound_class(s, j);
	if (s->limits)
		fair_sched_hold_inside(s, j);
}

/* What the ineligible jobs wait for: lists of up to @saved. */
static int fair_sched_load_ineligible(struct fair_sched *s,
				      struct fair_checkpoint *f, uint32_t saved)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_SECTION_INELIGIBLE, 0, 0),
		 number;
	struct fair_ineligible a, *at;
	struct fair_live *j;
	int64_t key;

	if (n > fair_sched_ineligible_entries(&s->config))
		return -FAIR_ENOSPC;
	for (FAIR_MEMSET(&a, 0, sizeof(a)); n--;) {
		number = 0;
		fair_fields_ineligible(f, &number, &a);
		j = fair_sched_find(s, number);
		if (f->bad || !j || j->state != FAIR_INELIGIBLE ||
		    fair_sched_ineligible_place(s, number) < s->ineligibles)
			return FAIR_CHECKPOINT_BROKEN;
		key = j->queued.rank.key;
		fair_sched_add_ineligible(s, j, &a.condition, a.is_new);
		at = s->ineligible + s->ineligibles - 1;
		at->is_any = a.is_any;
		at->is_suspended = a.is_suspended;
		if (!fair_sched_load_list(s, f, saved, at->slot))
			return -FAIR_ENOSPC;
		if (fair_sched_bound_to(s, j) &&
		    fair_sched_is_released(s, at) &&
		    (fair_sched_has_slot(s, j) || key != FAIR_FOREVER))
			fair_sched_load_bound_job(s, j, key);
		else
			j->queued.mark &= FAIR_MARK_KEPT | FAIR_MARK_TURN;
	}
	if (f->bad)
		return FAIR_CHECKPOINT_BROKEN;
	if (fair_sched_count_limited(s) > fair_sched_max_ineligible(&s->config))
		return -FAIR_ENOSPC;
	return s->jobs == s->running.jobs + fair_sched_queue(s)->jobs +
					       s->ineligibles &&
			       fair_sched_are_arrays_sound(s) &&
			       fair_sched_are_bound_jobs_sound(s)
		       ? 0
		       : FAIR_CHECKPOINT_BROKEN;
}

/* Advance reservations, after the running jobs and before all others. */
static int fair_sched_load_advances(struct fair_sched *s,
				    const struct fair_checkpoint *stream)
{
	struct fair_checkpoint f = *stream, withheld = *stream;
	uint64_t n = fair_checkpoint_section(&f, FAIR_SECTION_ADVANCES, 0, 0);
	struct fair_advance b;

	if (n > s->config.advances)
		return -FAIR_ENOSPC;
	if (!fair_classes_have_section(s, &withheld, FAIR_SECTION_WITHHELD,
				       n) ||
	    (s->nodes && !fair_sched_load_withheld(s, (uint32_t)n, stream)))
		return FAIR_CHECKPOINT_BROKEN;
	for (FAIR_MEMSET(&b, 0, sizeof(b)); n--;) {
		fair_fields_advance(&f, &b);
		fair_classes_advance_fields(&withheld, s, &b);
		f.bad |= withheld.bad;
		b = fair_advance_complete(&b);
		if (s->nodes)
			fair_sched_sum_nodes(s, s->advances, &b);
		if (f.bad || fair_sched_validate_advance(s, s->now, &b) ||
		    (s->nodes && !b.nodes) ||
		    (s->advances &&
		     b.number <= s->advance[s->advances - 1].number))
			return FAIR_CHECKPOINT_BROKEN;
		s->advance[s->advances++] = b;
		fair_sched_set_profile(s, fair_later(s->now, b.from), b.to);
	}
	return 0;
}

static int fair_sched_load_jobs(struct fair_sched *s, struct fair_checkpoint *f)
{
	struct fair_saved_streams streams = { *f, *f, *f };
	uint64_t n = fair_checkpoint_section(f, FAIR_SECTION_JOBS, 0, 0);
	bool running = true;
	struct fair_saved_job x;
	int error = 0;

	if (n > s->config.jobs)
		return -FAIR_ENOSPC;
	if (!fair_classes_have_section(s, &streams.requests,
				       FAIR_SECTION_REQUESTS, n) ||
	    (s->nodes && fair_checkpoint_section(&streams.asked,
						 FAIR_SECTION_NODES_ASKED, 0,
						 0) != n))
		return FAIR_CHECKPOINT_BROKEN;
	if (s->nodes)
		(void)fair_checkpoint_section(&streams.parts,
					      FAIR_SECTION_NODES_PARTS, 0, 0);
	for (FAIR_MEMSET(&x, 0, sizeof(x)); n-- && !error;) {
		fair_sched_read_job(f, &x);
		if (running && x.job.state != FAIR_RUNNING && !f->bad) {
			running = false;
			error = fair_sched_load_advances(s, f);
		}
		/* Advance reservations and limits need running jobs first. */
		f->bad |= !running && x.job.state == FAIR_RUNNING;
		if (!error && !f->bad && !fair_sched_can_bind(s, x.advance))
			error = -FAIR_ENOSPC;
		if (!error &&
		    (f->bad || !fair_sched_load_job(s, &x.job, x.advance,
						    &streams)))
			error = FAIR_CHECKPOINT_BROKEN;
	}
	return running && !error ? fair_sched_load_advances(s, f) : error;
}

/* The slot of a queued job, for the sections of a policy; UINT32_MAX: none. */
static uint32_t fair_sched_queued_slot(const void *context, uint64_t number)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	const struct fair_live *j = fair_sched_find(s, number);

	return j && j->state == FAIR_QUEUED ? fair_sched_slot(s, j)
					    : UINT32_MAX;
}

/*
 * Load into an idle scheduler, which was configured by @was: the jobs before
 * the policy, which names them.
 */
static int fair_sched_load_into(struct fair_sched *s, struct fair_checkpoint *f,
				const struct fair_config *was)
{
	struct fair_space *space = fair_sched_space(s);
	int error = fair_sched_load_state(s, f);

	/* Before it is loaded the caller's ledger knows nothing. */
	if (space)
		fair_space_veto_by(space, NULL, NULL);
	if (!error)
		error = fair_sched_load_entities(s, f);
	if (!error)
		error = fair_sched_load_task_limits(s, f);
	if (!error)
		fair_ledgers_preload(s, f);
#ifndef FAIRSCHED_WITHOUT_LIMITS
	f->bad |= s->limits && !f->bad &&
		  !fair_limits_fit_tree(s->limits, fair_sched_tree(s));
#endif /* FAIRSCHED_WITHOUT_LIMITS */
	if (error > 0 || (!error && f->bad))
		error = FAIR_CHECKPOINT_BROKEN;
	if (!error)
		error = fair_sched_load_jobs(s, f);
	if (!error)
		error = fair_sched_load_ineligible(s, f, was->dependencies);
	if (error)
		return error;
	f->find = fair_sched_queued_slot;
	f->context = s;
	if (s->planner->load)
		s->planner->load(s, f);
	s->has_scan_limit = true;
	s->has_scan_limit = fair_sched_is_unfinished(s);
	fair_ledgers_load(s, f);
	fair_sched_ask_vetoes(s);
	if (!f->bad && s->waiting_arrays &&
	    (s->jobs < was->jobs) != (s->jobs < s->config.jobs)) {
		fair_sched_unplan_without_slot(s);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	}
	/* No array that has no slot is planned: see the check, 2. */
	return f->bad || fair_sched_is_slot_missing(s) ? FAIR_CHECKPOINT_BROKEN
						       : 0;
}

/* The caller's half-life and windows hold from now on. */
static int fair_sched_load_rules(struct fair_sched *s,
				 const struct fair_config *config)
{
#ifndef FAIRSCHED_WITHOUT_MAUI
	const struct fair_maui_config *m = s->config.maui;
#endif /* FAIRSCHED_WITHOUT_MAUI */
	int error = 0;

	if (config->half_life != s->config.half_life)
		error = fair_sched_set_half_life(s, s->now, config->half_life);
	if (!error && config->window != s->config.window)
		error = fair_sched_set_window(s, s->now, config->window, 0);
#ifndef FAIRSCHED_WITHOUT_MAUI
	if (!error && fair_sched_maui_of(s) &&
	    (config->maui->interval != m->interval ||
	     config->maui->decay != m->decay))
		error = fair_sched_set_window(s, s->now, config->maui->interval,
					      config->maui->decay);
#endif /* FAIRSCHED_WITHOUT_MAUI */
	return error;
}

FAIRSCHED_API int fair_sched_load(struct fair_sched *s, size_t struct_size,
				  void *memory, size_t bytes,
				  const struct fair_config *config,
				  const void *checkpoint,
				  size_t checkpoint_bytes, int *damage)
{
	struct fair_config c, was;
	struct fair_checkpoint f;
	struct fair_sched x;
	int error;

	if (!s || !checkpoint || !fair_config_is_valid(config))
		return fair_sched_report_damage(-FAIR_EINVAL, damage);
	error = fair_checkpoint_read(&f, checkpoint, checkpoint_bytes,
				     FAIR_SCHED_CHECKPOINT);
	if (!error)
		error = fair_sched_read_config(&f, &was);
	if (!error && fair_sched_find_difference(&f, &was, config))
		error = FAIR_CHECKPOINT_CONFIG;
	if (error)
		return fair_sched_report_damage(error, damage);
	c = *config;
	c.half_life = was.half_life;
	c.window = was.window;
	c.tree = NULL;
	/* Only what is new has the caller's targets and shares. */
	if (config->accounts == was.accounts)
		c.target = NULL;
	if (config->users == was.users)
		c.share = NULL;
	error = fair_sched_init(&x, struct_size, memory, bytes, &c);
	if (!error)
		error = fair_sched_load_into(&x, &f, &was);
	if (!error)
		error = fair_sched_load_rules(&x, config);
	if (!error)
		*s = x;
	return fair_sched_report_damage(error, damage);
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
