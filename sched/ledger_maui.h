/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_maui.h - the ledger of FAIR_MAUI: priority and throttling
 * limits; of FAIR_ORDER_PRIORITY: priority alone
 *
 *   fair_ledger_ops --> fair_ledger_maui_*() --> policies/maui.h
 *
 * One function for each operation of struct fair_ledger_ops, in the order of
 * the table; fair_ledger_maui_fill() names those of a walk of FAIR_MAUI; the
 * table fair_ledger_maui at the end.
 *
 * Uses: policy.h, ledger_tree.h.
 */

#ifndef FAIRSCHED_WITHOUT_MAUI

static const char *fair_ledger_maui_error(const struct fair_config *config)
{
	if (!config->maui)
		return "FAIR_MAUI or FAIR_ORDER_PRIORITY needs maui";
	if (config->maui->reservations > FAIR_MAUI_NEVER)
		return "maui->reservations is no enum fair_maui_reservations";
	if (config->maui->select > FAIR_NOFIT ||
	    config->maui->metric > FAIR_FIT_PROC_SECONDS)
		return "maui->select or maui->metric is out of range";
	if (config->nodes && fair_config_row(config)->fill &&
	    config->maui->select != FAIR_FIRSTFIT &&
	    config->maui->select != FAIR_NOFIT)
		return "backfill windows are not planned on nodes";
	if (!fair_maui_size(config->maui, 1))
		return "maui->usage, windows, interval, decay, poll, machine or"
		       " count is out of range";
	return NULL;
}

static size_t fair_ledger_maui_size(const struct fair_config *config)
{
	return fair_ledger_bytes(sizeof(struct fair_maui),
				 fair_maui_size(config->maui, config->jobs));
}

static int fair_ledger_maui_init(struct fair_sched *s, void *ledger)
{
	const struct fair_config *config = &s->config;
	struct fair_maui *m = (struct fair_maui *)ledger;
	int error = fair_maui_init(m, sizeof(*m), m + 1,
				   fair_maui_size(config->maui, config->jobs),
				   config->maui, config->jobs, config->procs,
				   config->origin);

	if (!error)
		s->config.maui = m->config;
	return error;
}

static void fair_ledger_maui_clone_queue(struct fair_maui *copy,
					 const struct fair_maui *m,
					 const struct fair_queue *q,
					 const uint32_t *slot)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t from;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		from = fair_queue_slot(q, at);
		fair_maui_clone_job(copy, slot[from], m, from);
	}
}

static void fair_ledger_maui_clone(struct fair_sched *copy, void *ledger,
				   const struct fair_sched *s, const void *from,
				   const uint32_t *slot)
{
	const struct fair_config *config = &s->config;
	const struct fair_maui *m = (const struct fair_maui *)from;
	struct fair_maui *x = (struct fair_maui *)ledger;
	uint32_t i;

	fair_must(fair_maui_clone(
		x, x + 1, fair_maui_size(config->maui, config->jobs), m));
	copy->config.maui = x->config;
	fair_ledger_maui_clone_queue(x, m, &s->running, slot);
	fair_ledger_maui_clone_queue(x, m, fair_sched_queue(s), slot);
	for (i = 0; i < s->ineligibles; i++)
		fair_maui_clone_job(x, slot[s->ineligible[i].slot], m,
				    s->ineligible[i].slot);
}

static const struct fair_maui *fair_sched_maui_of(const struct fair_sched *s);

/* Whether limits hold, and accounts are Maui's: not under FAIR_SFS. */
static bool fair_ledger_maui_limits(const struct fair_config *config)
{
	return fair_config_row(config)->fill;
}

/* The highest priority first. */
static int fair_ledger_maui_order(const struct fair_sched *s,
				  const void *ledger, uint32_t a, uint32_t b)
{
	const struct fair_maui *m = (const struct fair_maui *)ledger;
	int64_t x = fair_maui_priority(m, a), y = fair_maui_priority(m, b);

	(void)s;
	return (x < y) - (x > y);
}

static bool fair_ledger_maui_admits(const void *context, int64_t now,
				    uint32_t slot, uint32_t pass)
{
	const struct fair_sched *s = (const struct fair_sched *)context;

	return fair_maui_gate(fair_sched_maui_of(s), now, slot,
			      now + s->live[slot].queued.walltime, pass);
}

/* Step 5 of [MAUI] 3: the priority of now, except for the pinned job. */
static void fair_ledger_maui_prepare(struct fair_sched *s, void *ledger,
				     uint32_t slot)
{
	struct fair_maui *m = (struct fair_maui *)ledger;
	const struct fair_live *j = s->live + slot;

	if (slot + 1 == s->pinned)
		return;
	if (fair_sched_tree(s))
		fair_maui_set_rank(m, slot, fair_ledger_tree_points(s, slot));
	fair_maui_prioritize(m, slot, j->submit, j->queued.walltime);
}

static bool fair_ledger_maui_selects(const void *context)
{
	return fair_maui_limits_idle(
		fair_sched_maui_of((const struct fair_sched *)context));
}

/*
 * Select the jobs that the iteration considers, by soft and by hard limits. A
 * job that could not start on the idle machine, or whose start the caller has
 * refused until later, does not count as idle.
 */
static void fair_ledger_maui_select(void *context, int64_t now,
				    const uint32_t *slot, uint32_t jobs)
{
	struct fair_sched *s = (struct fair_sched *)context;
	struct fair_maui *m =
		(struct fair_maui *)(uintptr_t)fair_sched_maui_of(s);
	const struct fair_queued *j;
	uint32_t i;
	int level;

	for (level = 0; level < FAIR_THROTTLE_LEVELS; level++) {
		fair_maui_begin_selection(m, level);
		for (i = 0; i < jobs; i++) {
			j = &s->live[slot[i]].queued;
			fair_maui_select(m, now, slot[i], now + j->walltime,
					 level,
					 j->procs <= s->procs &&
						 j->not_before <= now);
		}
		fair_maui_end_selection(m);
	}
}

static uint32_t fair_ledger_maui_reserves(const void *context, uint32_t slot)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	uint32_t flags = fair_maui_flags(fair_sched_maui_of(s), slot);

	if (flags & FAIR_MAUI_NORESERVATION ||
	    s->config.maui->reservations == FAIR_MAUI_NEVER)
		return FAIR_RESERVES_NEVER;
	return flags & FAIR_MAUI_RESERVEALWAYS ? FAIR_RESERVES_ALWAYS
					       : FAIR_RESERVES;
}

/* Steps 6 to 8 of [MAUI] 3: one pass that reserves, and two selections. */
static void fair_ledger_maui_fill(const struct fair_sched *s,
				  struct fair_walk *walk,
				  struct fair_selection *selection)
{
	const struct fair_maui_config *c = s->config.maui;

	walk->selects = fair_ledger_maui_selects;
	walk->select = fair_ledger_maui_select;
	selection->passes = 2;
	selection->limit =
		c->depth < s->config.jobs ? c->depth : s->config.jobs;
	selection->select = c->select;
	selection->metric = c->metric;
	selection->longest = c->longest;
	selection->keeps = c->reservations == FAIR_MAUI_HIGHEST;
	selection->reserves = fair_ledger_maui_reserves;
	selection->admits = fair_ledger_maui_admits;
}

static bool fair_ledger_maui_knows(const struct fair_config *config,
				   uint32_t kind)
{
	return kind != FAIR_THROTTLE_ACCOUNT ||
	       fair_ledger_maui_limits(config) ||
	       !(fair_config_row(config)->ledger || config->by_target);
}

static struct fair_maui_request
fair_ledger_maui_request(const struct fair_sched *s, const struct fair_job *job)
{
	struct fair_maui_request r;

	r.id[FAIR_THROTTLE_USER] = (uint32_t)job->user;
	r.id[FAIR_THROTTLE_GROUP] = (uint32_t)job->group;
	r.id[FAIR_THROTTLE_ACCOUNT] =
		fair_ledger_maui_knows(&s->config, FAIR_THROTTLE_ACCOUNT)
			? (uint32_t)job->account
			: FAIR_THROTTLE_NONE;
	r.id[FAIR_THROTTLE_QOS] = (uint32_t)job->qos;
	r.id[FAIR_THROTTLE_QUEUE] = (uint32_t)job->queue;
	r.procs = job->procs;
	r.nodes = job->nodes;
	r.walltime = job->walltime;
	r.memory = job->memory;
	r.swap = job->swap;
	r.disk = job->disk;
	r.rate = job->rate;
	return r;
}

static int fair_ledger_maui_admit(const struct fair_sched *s,
				  const void *ledger,
				  const struct fair_job *job)
{
	struct fair_maui_request request = fair_ledger_maui_request(s, job);
	const struct fair_maui *m = (const struct fair_maui *)ledger;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (request.id[kind] != FAIR_THROTTLE_NONE &&
		    request.id[kind] >= m->config->count[kind])
			return -FAIR_ENOENT;
	return fair_maui_admit(m, &request);
}

static void fair_ledger_maui_submit(struct fair_sched *s, void *ledger,
				    uint32_t slot, const struct fair_job *job)
{
	struct fair_maui_request request = fair_ledger_maui_request(s, job);

	fair_must(fair_maui_submit((struct fair_maui *)ledger, slot, &request));
}

static int fair_ledger_maui_modify(struct fair_sched *s, void *ledger,
				   uint32_t slot, int32_t procs,
				   int64_t walltime)
{
	(void)s;
	return fair_maui_modify((struct fair_maui *)ledger, slot, procs,
				walltime);
}

/* The job in @slot starts, and bypasses the queued jobs of higher priority. */
static void fair_ledger_maui_start(struct fair_sched *s, struct fair_maui *m,
				   uint32_t slot)
{
	const struct fair_queue *q = fair_sched_queue(s);
	const struct fair_live *j = s->live + slot;
	struct fair_rank rank = j->queued.rank, other_rank;
	int64_t priority = fair_maui_priority(m, slot), other_priority;
	struct fair_queue_place at = { 0, 0 };
	uint32_t other;

	rank.key = fair_sched_priority(s, j);
	for (; !fair_sched_bound_to(s, j) &&
	       fair_queue_next_fitting(q, &at, INT32_MAX);
	     at.index++) {
		other = fair_queue_slot(q, at);
		other_rank = s->live[other].queued.rank;
		other_rank.key = fair_sched_priority(s, s->live + other);
		other_priority = fair_maui_priority(m, other);
		if (other_priority > priority ||
		    (other_priority == priority &&
		     fair_rank_is_before(other_rank, rank)))
			fair_maui_bypass(m, other);
	}
	fair_maui_force_start(m, s->now, slot, fair_live_end(j));
}

static void fair_ledger_maui_notify(struct fair_sched *s, void *ledger,
				    uint32_t event, uint32_t slot, int64_t was)
{
	struct fair_maui *m = (struct fair_maui *)ledger;
	const struct fair_rank *rank = &s->live[slot].queued.rank;

	if (event == FAIR_LEDGER_STARTED)
		fair_ledger_maui_start(s, m, slot);
	if (event == FAIR_LEDGER_EXTENDED)
		fair_must(fair_maui_move(m, slot, was, rank->key));
	if (event == FAIR_LEDGER_ENDED)
		fair_must(fair_maui_finish(m, slot, rank->key));
	if (event == FAIR_LEDGER_TIME)
		fair_maui_advance(m, s->now);
}

/* While jobs are queued. */
static int64_t fair_ledger_maui_next(const struct fair_sched *s,
				     const void *ledger)
{
	if (!fair_sched_queue(s)->jobs)
		return FAIR_FOREVER;
	return fair_maui_next((const struct fair_maui *)ledger, s->now,
			      s->config.origin, !s->running.jobs);
}

/*
 * No queued job is as narrow as the free processors: until something else
 * happens none starts, whatever its priority and its limits become. Then an
 * iteration leaves behind what follows from its time alone: usage, FSDelta,
 * caps, priorities, which jobs the limits skip. So the last one of these stands
 * for all. Not under FAIR_MAUI_HIGHEST, where a job of each may get a
 * reservation that it keeps; nor if usage could overflow, for what is not
 * charged then depends on the times of charging.
 */
static int64_t fair_ledger_maui_next_before(const struct fair_sched *s,
					    const void *ledger, int64_t until)
{
	const struct fair_maui *m = (const struct fair_maui *)ledger;
	int64_t next = fair_ledger_maui_next(s, ledger);
	int32_t free = s->procs - s->busy;
	struct fair_queue_place at = { 0, 0 };

	if (until == FAIR_FOREVER ||
	    s->config.maui->reservations == FAIR_MAUI_HIGHEST ||
	    (free > 0 &&
	     fair_queue_next_fitting(fair_sched_queue(s), &at, free)) ||
	    !fair_maui_has_room(m))
		return next;
	return fair_maui_last(m, next, until);
}

static bool fair_ledger_maui_can_change(const struct fair_sched *s,
					const void *ledger, int64_t idle)
{
	(void)s;
	return fair_maui_can_change((const struct fair_maui *)ledger, idle);
}

static void fair_ledger_maui_describe(const struct fair_sched *s,
				      const void *ledger, uint32_t slot,
				      struct fair_job *job)
{
	struct fair_maui_request r =
		fair_maui_request_of((const struct fair_maui *)ledger, slot);

	(void)s;
	job->nodes = r.nodes;
	job->memory = r.memory;
	job->swap = r.swap;
	job->disk = r.disk;
	job->rate = r.rate;
}

/* Whether a soft limit keeps a queued job from its start: it is no job that
 * backfill may start. */
static bool fair_ledger_maui_is_over_soft(const struct fair_maui *m,
					  int64_t now, uint32_t slot,
					  int64_t end,
					  struct fair_throttle_violation *why)
{
	return (m->config->select == FAIR_NOFIT ||
		fair_maui_flags(m, slot) & FAIR_MAUI_NOBF) &&
	       fair_throttle_test(&m->throttle, now, &m->job[slot].asks, end,
				  FAIR_THROTTLE_SOFT, why);
}

static void fair_ledger_maui_explain(const struct fair_sched *s,
				     const void *ledger, uint32_t slot,
				     struct fair_why *w)
{
	const struct fair_maui *m = (const struct fair_maui *)ledger;
	int64_t end = s->now + w->job.walltime;

	if (s->live[slot].state != FAIR_QUEUED ||
	    !fair_ledger_maui_limits(&s->config))
		return;
	if (fair_maui_is_over_cap(m, slot))
		w->reasons |= FAIR_WHY_CAP;
	if (fair_maui_is_over_limit(m, s->now, slot, end, &w->limit) ||
	    fair_ledger_maui_is_over_soft(m, s->now, slot, end, &w->limit))
		w->reasons |= FAIR_WHY_LIMIT;
}

/* Fix its priority: fair_ledger_maui_prepare() does not compute it again. */
static void fair_ledger_maui_keep_place(struct fair_sched *clone, void *ledger,
					uint32_t slot, int32_t procs,
					int64_t walltime)
{
	const struct fair_live *j = clone->live + slot;
	struct fair_maui *m = (struct fair_maui *)ledger;

	fair_maui_prioritize(m, slot, j->submit, j->queued.walltime);
	fair_must(fair_maui_modify(m, slot, procs, walltime));
}

static void fair_ledger_maui_save_queue(const struct fair_sched *s,
					const struct fair_maui *m,
					const struct fair_queue *q,
					struct fair_checkpoint *f)
{
	struct fair_queue_place at = { 0, 0 };

	(void)s;
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_maui_save_job(m, fair_queue_slot(q, at), f);
}

/* Save the jobs in the order in which the scheduler saves them. */
static void fair_ledger_maui_save(const struct fair_sched *s,
				  const void *ledger, struct fair_checkpoint *f)
{
	const struct fair_maui *m = (const struct fair_maui *)ledger;
	uint32_t i;

	fair_maui_save(m, s->jobs, f);
	fair_ledger_maui_save_queue(s, m, &s->running, f);
	fair_ledger_maui_save_queue(s, m, fair_sched_queue(s), f);
	for (i = 0; i < s->ineligibles; i++)
		fair_maui_save_job(m, s->ineligible[i].slot, f);
	fair_maui_save_usage(m, f);
}

/*
 * Each running job was within the limits when it started, with its planned end
 * of then. That end is not saved; but when the last of them started, each had
 * at least a second left. So start each for one second, then set its planned
 * end.
 */
static void fair_ledger_maui_load(struct fair_sched *s, void *ledger,
				  struct fair_checkpoint *f)
{
	struct fair_maui *m = (struct fair_maui *)ledger;
	struct fair_job_status j;
	struct fair_job job;
	uint32_t i;

	fair_maui_load(m, s->now, s->jobs, f);
	for (i = 0; i < s->slots && !f->bad; i++) {
		fair_sched_describe(s, s->live + i, &j);
		fair_maui_load_job(m, i,
				   fair_ledger_maui_request(
					   s, fair_sched_resolve(s, &j.job,
								 &job)),
				   f);
		if (!f->bad && j.state == FAIR_RUNNING)
			fair_maui_force_start(m, s->now, i, s->now + 1);
	}
	/* No planned end is before now: see fair_sched_load_running(). */
	for (i = 0; i < s->running.jobs && !f->bad; i++)
		fair_must(fair_maui_move(m, i, s->now + 1,
					 fair_live_end(s->live + i)));
	fair_maui_load_usage(m, f);
}

static int fair_ledger_maui_check(const struct fair_sched *s,
				  const void *ledger)
{
	(void)s;
	return fair_maui_check((const struct fair_maui *)ledger);
}

static bool fair_ledger_maui_read(const struct fair_sched *s,
				  const void *ledger, uint32_t kind,
				  struct fair_entity *e)
{
	return fair_ledger_maui_knows(&s->config, kind) &&
	       fair_maui_charged((const struct fair_maui *)ledger, (int)kind,
				 e->index, &e->usage, &e->fraction);
}

static int fair_ledger_maui_write(struct fair_sched *s, void *ledger,
				  uint32_t kind, enum fair_entity_change change,
				  struct fair_entity *e)
{
	struct fair_maui *m = (struct fair_maui *)ledger;
	int k = (int)kind;

	(void)s;
	switch (change) {
	case FAIR_ENTITY_FORGET:
		return fair_maui_set_charged(m, k, e->index, 0, 0);
	case FAIR_ENTITY_USAGE:
		return fair_maui_set_charged(m, k, e->index, e->usage,
					     e->fraction);
	case FAIR_ENTITY_CREDIT:
		return fair_maui_credit(m, k, e->index, &e->usage);
	default:
		return -FAIR_EINVAL;
	}
}

/* No limit holds a reservation job back. */
static int fair_ledger_maui_resize(struct fair_sched *s, void *ledger,
				   uint32_t slot, const struct fair_job *job)
{
	struct fair_job indexed;
	struct fair_maui_request request =
		fair_ledger_maui_request(s,
					 fair_sched_resolve(s, job, &indexed));

	return fair_maui_resize((struct fair_maui *)ledger, s->now, slot,
				fair_live_end(s->live + slot), &request,
				job->advance != 0);
}

static uint32_t fair_ledger_maui_entities(const struct fair_config *config,
					  uint32_t kind)
{
	return fair_ledger_maui_knows(config, kind) ? config->maui->count[kind]
						    : config->accounts;
}

static const struct fair_ledger_ops fair_ledger_maui = {
	"maui",
	false, /* spreads */
	0,     /* saves */
	fair_ledger_maui_error,
	fair_ledger_maui_size,
	fair_ledger_maui_init,
	fair_ledger_maui_clone,
	fair_ledger_maui_order,
	NULL, /* group */
	fair_ledger_maui_prepare,
	NULL, /* gate */
	NULL, /* veto */
	fair_ledger_maui_admit,
	fair_ledger_maui_submit,
	fair_ledger_maui_notify,
	fair_ledger_maui_modify,
	NULL, /* can_grow */
	fair_ledger_maui_next,
	fair_ledger_maui_can_change,
	fair_ledger_maui_describe,
	fair_ledger_maui_explain,
	fair_ledger_maui_keep_place,
	fair_ledger_maui_save,
	fair_ledger_maui_load,
	fair_ledger_maui_check,
	fair_ledger_maui_read,
	fair_ledger_maui_write,
	NULL, /* preload */
	fair_ledger_maui_resize,
	fair_ledger_maui_next_before,
	fair_ledger_maui_entities,
	NULL, /* rate */
};

static const struct fair_maui *fair_sched_maui_of(const struct fair_sched *s)
{
	return (const struct fair_maui *)fair_sched_ledger(s,
							   &fair_ledger_maui);
}

static int fair_sched_maui_window(struct fair_sched *s, int64_t window,
				  uint64_t decay)
{
	return fair_maui_set_window(
		(struct fair_maui *)(uintptr_t)fair_sched_maui_of(s), window,
		decay);
}

/* An entity leaves, and its settings, whether or not usage is counted. */
static void fair_sched_maui_forget(struct fair_sched *s, uint32_t kind,
				   uint32_t index)
{
	const struct fair_maui_credential none =
		fair_maui_credential_defaults();

	if (fair_sched_maui_of(s) && fair_ledger_maui_knows(&s->config, kind))
		(void)fair_maui_set_credential(
			(struct fair_maui *)(uintptr_t)fair_sched_maui_of(s),
			(int)kind, index, &none);
}

#else /* FAIRSCHED_WITHOUT_MAUI */

static void fair_sched_maui_forget(struct fair_sched *s, uint32_t kind,
				   uint32_t index)
{
	(void)s;
	(void)kind;
	(void)index;
}

static const struct fair_maui *fair_sched_maui_of(const struct fair_sched *s)
{
	(void)s;
	return NULL;
}

static int fair_sched_maui_window(struct fair_sched *s, int64_t window,
				  uint64_t decay)
{
	(void)s;
	(void)window;
	(void)decay;
	return -FAIR_EINVAL;
}

#endif /* FAIRSCHED_WITHOUT_MAUI */
