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
 * Uses: check.h, events.h.
 */

#define FAIR_SCHED_CHECKPOINT 3 /* version */

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
	fair_checkpoint_one(f, FAIR_SECTION_CONFIG, 17);
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
}

static void fair_fields_state(struct fair_checkpoint *f, struct fair_sched *s)
{
	fair_checkpoint_one(f, FAIR_SECTION_STATE, 6);
	fair_checkpoint_i64(f, &s->now);
	fair_checkpoint_i32(f, &s->procs);
	fair_checkpoint_i32(f, &s->max_procs);
	fair_checkpoint_u64(f, &s->digest);
	fair_checkpoint_u32(f, &s->start_count);
	fair_checkpoint_bool(f, &s->is_step_complete);
}

#define FAIR_JOB_WORDS 22

static void fair_fields_job(struct fair_checkpoint *f, struct fair_live *j)
{
	uint32_t state = j->state, cause = j->cause;
	uint32_t follow = fair_sched_tasks(j) - 1;

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
	fair_checkpoint_u32(f, &state);
	fair_checkpoint_u32(f, &cause);
	fair_checkpoint_u32(f, &j->sequence);
	fair_checkpoint_bool(f, &j->charged);
	fair_checkpoint_i64(f, &j->penalty);
	fair_checkpoint_u32(f, &follow);
	fair_checkpoint_u64(f, &j->advance);
	f->bad |= state > FAIR_INELIGIBLE || cause > FAIR_CAUSE_NO_SLOT ||
		  (j->advance && state == FAIR_QUEUED);
	j->state = (uint8_t)state;
	j->cause = (uint8_t)cause;
	if (state != FAIR_RUNNING)
		j->sequence = follow;
}

static void fair_sched_save_jobs(struct fair_checkpoint *f,
				 const struct fair_sched *s,
				 const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_live j;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		j = s->live[fair_queue_slot(q, at)];
		fair_fields_job(f, &j);
	}
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
	f->bad |= a->condition.end > FAIR_AFTER_NEVER_SATISFIED;
}

/* The ineligible jobs, then the section of what they wait for. */
static void fair_sched_save_ineligible(struct fair_checkpoint *f,
				       const struct fair_sched *s)
{
	struct fair_ineligible a;
	struct fair_live j;
	uint64_t number;
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		j = s->live[s->ineligible[i].slot];
		fair_fields_job(f, &j);
	}
	fair_checkpoint_section(f, FAIR_SECTION_INELIGIBLE, s->ineligibles, 6);
	for (i = 0; i < s->ineligibles; i++) {
		a = s->ineligible[i];
		number = s->live[a.slot].queued.rank.number;
		fair_fields_ineligible(f, &number, &a);
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

/*
 * Whether a checkpoint with configuration @a can be loaded with @b. They may
 * differ in the most jobs and advance reservations, but without the latter a
 * planner that plans afresh has no profile; and in what is not saved.
 */
static bool fair_config_is_same(const struct fair_config *a,
				const struct fair_config *b)
{
	const struct fair_planner_ops *planner = fair_config_planner(b);

	return a->policy == b->policy && a->order == b->order &&
	       a->depth == b->depth && a->select == b->select &&
	       a->metric == b->metric && a->longest == b->longest &&
	       a->procs == b->procs && a->origin == b->origin &&
	       a->accounts == b->accounts && a->users == b->users &&
	       a->window == b->window && a->only_used == b->only_used &&
	       a->weight == b->weight && a->half_life == b->half_life &&
	       (b->advances || !a->advances || (planner && planner->promises));
}

static int fair_sched_read_config(struct fair_checkpoint *f,
				  struct fair_config *config)
{
	struct fair_maui_config any = fair_maui_defaults();
	bool valid;

	FAIR_MEMSET(config, 0, sizeof(*config));
	fair_fields_config(f, config);
	config->maui = &any;
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

/* The time and the machine as saved; all processors are free. */
static int fair_sched_load_state(struct fair_sched *s,
				 struct fair_checkpoint *f)
{
	struct fair_profile *p = s->planner->profile(s);
	int32_t procs = s->procs, delta;
	struct fair_event e;

	fair_fields_state(f, s);
	delta = s->procs - procs;
	if (f->bad || s->max_procs < s->procs || s->max_procs < procs ||
	    s->now < s->config.origin || s->now > FAIR_TIME_MAX)
		return FAIR_CHECKPOINT_BROKEN;
	if (p)
		fair_must(fair_profile_advance(p, s->now));
	fair_event_begin(&e, s, FAIR_CAUSE_EARLIER);
	if (delta < 0)
		s->planner->take(s, &e, s->now, FAIR_FOREVER, -delta);
	else if (delta)
		fair_sched_return_procs(s, s->now, FAIR_FOREVER, delta);
	return 0;
}

static bool fair_sched_load_running(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	struct fair_profile *p = s->planner->profile(s);
	int64_t walltime_left;

	if (j->started > s->now || j->started < -FAIR_TIME_MAX ||
	    j->queued.rank.key < s->now || j->queued.rank.key <= j->started ||
	    j->queued.rank.key > 2 * FAIR_TIME_MAX ||
	    j->queued.procs > s->procs - s->busy)
		return false;
	walltime_left = j->queued.rank.key - s->now;
	if (p && walltime_left &&
	    fair_profile_reserve(p, s->now, walltime_left, j->queued.procs))
		return false;
	s->busy += j->queued.procs;
	fair_sched_add_running_bound_job(s, slot);
	s->planner->change_counts(s, 0, -j->queued.procs);
	return !fair_queue_insert(&s->running, slot);
}

static bool fair_sched_load_queued(struct fair_sched *s, uint32_t slot)
{
	struct fair_live *j = s->live + slot;

	fair_sched_note_retry(s, j);
	return fair_sched_is_promise_kept(s, j) &&
	       (!s->planner->promises ||
		j->queued.rank.key >= j->queued.not_before) &&
	       s->planner->restore(s, slot, fair_sched_priority(s, j));
}

static bool fair_sched_load_job(struct fair_sched *s,
				const struct fair_live *from)
{
	bool keyed = s->config.order == FAIR_ORDER_KEY &&
		     from->state == FAIR_QUEUED && !s->planner->promises;
	struct fair_job job;
	uint32_t slot;

	FAIR_MEMSET(&job, 0, sizeof(job));
	job.number = from->queued.rank.number;
	job.submit = from->submit;
	job.walltime = from->queued.walltime;
	job.procs = from->queued.procs;
	job.user = from->user;
	job.group = from->group;
	job.account = from->account;
	job.queue = from->queue;
	job.qos = from->qos;
	job.penalty = from->penalty;
	job.advance = from->advance;
	if (fair_sched_find(s, job.number) || job.submit > s->now ||
	    fair_sched_admit(s, &job) == -FAIR_EINVAL ||
	    fair_sched_test_size(s, job.procs, job.walltime) ||
	    (from->queued.rank.key < -FAIR_TIME_MAX && !keyed) ||
	    job.number > UINT64_MAX - (fair_sched_tasks(from) - 1) ||
	    (from->charged && (s->config.order != FAIR_ORDER_USAGE ||
			       from->state != FAIR_RUNNING)))
		return false;
	slot = fair_sched_slot(s, fair_sched_add_job(s, &job));
	s->live[slot] = *from;
	s->waiting_arrays += fair_sched_tasks(from) > 1;
	if (from->state == FAIR_INELIGIBLE)
		return fair_sched_is_promise_kept(s, from);
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
	a->reported_start = j->queued.rank.key = start;
}

/* What the ineligible jobs wait for. */
static int fair_sched_load_ineligible(struct fair_sched *s,
				      struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_SECTION_INELIGIBLE, 0, 0),
		 number;
	struct fair_ineligible a;
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
		if (j->advance && fair_sched_is_eligible(s, &a.condition) &&
		    (fair_sched_has_slot(s, j) || key != FAIR_FOREVER))
			fair_sched_load_bound_job(s, j, key);
		else
			j->queued.mark = 0;
	}
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
	struct fair_profile *p = s->planner->profile(s);
	struct fair_checkpoint f = *stream;
	uint64_t n = fair_checkpoint_section(&f, FAIR_SECTION_ADVANCES, 0, 0);
	struct fair_advance b;
	int64_t from;

	if (n > s->config.advances)
		return -FAIR_ENOSPC;
	for (FAIR_MEMSET(&b, 0, sizeof(b)); n--;) {
		fair_fields_advance(&f, &b);
		if (f.bad || fair_sched_test_advance(s, s->now, &b) ||
		    (s->advances &&
		     b.number <= s->advance[s->advances - 1].number))
			return FAIR_CHECKPOINT_BROKEN;
		s->advance[s->advances++] = b;
		from = b.from > s->now ? b.from : s->now;
		fair_sched_set_profile(s, p, from, b.to);
	}
	return 0;
}

static int fair_sched_load_jobs(struct fair_sched *s, struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_SECTION_JOBS, 0, 0);
	bool running = true;
	struct fair_live j;
	int error = 0;

	if (n > s->config.jobs)
		return -FAIR_ENOSPC;
	for (FAIR_MEMSET(&j, 0, sizeof(j)); n-- && !error;) {
		fair_fields_job(f, &j);
		if (running && j.state != FAIR_RUNNING && !f->bad) {
			running = false;
			error = fair_sched_load_advances(s, f);
		}
		/* Advance reservations and limits need running jobs first. */
		f->bad |= !running && j.state == FAIR_RUNNING;
		if (!error && (f->bad || !fair_sched_load_job(s, &j)))
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
 * Load into an idle scheduler: the jobs before the policy, which names them.
 * The saved table had @slots.
 */
static int fair_sched_load_into(struct fair_sched *s, struct fair_checkpoint *f,
				uint32_t slots)
{
	int error = fair_sched_load_state(s, f);

	if (!error)
		error = fair_sched_load_jobs(s, f);
	if (!error)
		error = fair_sched_load_ineligible(s, f);
	if (error)
		return error;
	f->find = fair_sched_queued_slot;
	f->context = s;
	s->planner->load(s, f);
	s->has_scan_limit = true;
	s->has_scan_limit = fair_sched_is_unfinished(s);
	fair_ledgers_load(s, f);
	if (!f->bad && s->waiting_arrays &&
	    (s->jobs < slots) != (s->jobs < s->config.jobs)) {
		fair_sched_unplan_without_slot(s);
		fair_sched_replan_bound_jobs(s, FAIR_CAUSE_EARLIER);
	}
	return f->bad ? FAIR_CHECKPOINT_BROKEN : 0;
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
	if (!error && !fair_config_is_same(&was, config))
		error = FAIR_CHECKPOINT_CONFIG;
	if (error)
		return fair_sched_report_damage(error, damage);
	c = *config;
	c.target = NULL;
	c.share = NULL;
	error = fair_sched_init(&x, struct_size, memory, bytes, &c);
	if (!error)
		error = fair_sched_load_into(&x, &f, was.jobs);
	if (!error)
		*s = x;
	return fair_sched_report_damage(error, damage);
}
