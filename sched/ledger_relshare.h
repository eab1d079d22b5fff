/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_relshare.h - FAIR_RELSHARE, FAIR_ORDER_RELSHARE: users by their
 * relative share
 *
 *   fair_ledger_ops --> fair_ledger_relshare_*() --> policies/relshare.h
 *
 * One function for each operation of struct fair_ledger_ops that it needs, in
 * the order of the table, which follows them.
 *
 * Uses: ledger_usage.h.
 */

#ifndef FAIRSCHED_WITHOUT_RELSHARE

/*
 * RELSHARE: users by entitled share / cumulated usage, largest first; or
 * groups, which are the ledger's users then.
 */

static uint32_t fair_ledger_relshare_user(const struct fair_sched *s,
					  uint32_t slot)
{
	const struct fair_live *j = s->live + slot;

	return s->config.by_group ? j->group : j->user;
}

static struct fair_relshare_config
fair_ledger_relshare_config(const struct fair_config *config)
{
	const struct fair_relshare_config r = {
		config->users,	    /* users */
		config->jobs,	    /* jobs */
		config->machine
			? (int32_t)fair_config_cost(config,
						    config->machine->amount)
			: config->procs, /* procs */
		!config->only_used, /* expected */
		config->origin,	    /* origin */
		config->window,	    /* window */
		config->window_origin, /* first */
		config->decays,	       /* decays */
		config->by_difference, /* difference */
	};

	return r;
}

static const char *fair_ledger_relshare_error(const struct fair_config *config)
{
	const struct fair_relshare_config r =
		fair_ledger_relshare_config(config);

	if (config->depth > 1)
		return "FAIR_RELSHARE takes no depth above 1";
	if (!config->users)
		return "FAIR_RELSHARE needs users";
	if (config->window_origin > FAIR_RELSHARE_TIME ||
	    config->window_origin < -FAIR_RELSHARE_TIME)
		return "window_origin is not from -2^62 to 2^62";
	if (config->decays && config->window > FAIR_RELSHARE_HALF_LIFE)
		return "window is above FAIR_RELSHARE_HALF_LIFE";
	if (config->tree && config->share)
		return "FAIR_RELSHARE takes share or tree";
	if (config->tree && !fair_fairtree_is_like(config->tree, config->users,
						   config->half_life))
		return "tree has not as many nodes as users, or another"
		       " half_life";
	if (config->window < 1)
		return "FAIR_RELSHARE needs window";
	if (config->window > FAIR_RELSHARE_LIMIT / r.procs)
		return "procs * window is above 2^59";
	return NULL;
}

static size_t fair_ledger_relshare_size(const struct fair_config *config)
{
	struct fair_relshare_config r = fair_ledger_relshare_config(config);

	return fair_ledger_bytes(sizeof(struct fair_relshare),
				 fair_relshare_size(&r));
}

/* A user's part of the whole tree, up to FAIR_RELSHARE_SHARES, rounded up. */
static uint32_t fair_ledger_relshare_portion(const struct fair_config *config,
					     uint32_t user)
{
	uint32_t part = (UINT32_C(1) << 31) / FAIR_RELSHARE_SHARES;

	return (fair_fairtree_portion(config->tree, user) + part - 1) / part;
}

/* The largest number that divides the portions of all users; 1 if all are 0.
 * Without it relshare.h would tell fewer users apart exactly. */
static uint32_t fair_ledger_relshare_unit(const struct fair_config *config)
{
	uint32_t unit = 0, i, rest, portion;

	for (i = 0; i < config->users; i++)
		for (portion = fair_ledger_relshare_portion(config, i); portion;
		     portion = rest) {
			rest = unit % portion;
			unit = portion;
		}
	return unit ? unit : 1;
}

static int fair_ledger_relshare_init(struct fair_sched *s, void *ledger)
{
	const struct fair_config *config = &s->config;
	struct fair_relshare_config c = fair_ledger_relshare_config(config);
	struct fair_relshare *r = (struct fair_relshare *)ledger;
	uint32_t unit = config->tree ? fair_ledger_relshare_unit(config) : 1;
	uint32_t i;
	int error = fair_relshare_init(r, sizeof(*r), r + 1,
				       fair_relshare_size(&c), &c);

	for (i = 0; !error && config->share && i < config->users; i++)
		error = fair_relshare_share(r, config->origin, i,
					    config->share[i]);
	for (i = 0; !error && config->tree && i < config->users; i++)
		error = fair_relshare_share(
			r, config->origin, i,
			fair_ledger_relshare_portion(config, i) / unit);
	return error;
}

static void fair_ledger_relshare_clone(struct fair_sched *copy, void *ledger,
				       const struct fair_sched *s,
				       const void *from, const uint32_t *slot)
{
	struct fair_relshare_config c = fair_ledger_relshare_config(&s->config);
	struct fair_relshare *r = (struct fair_relshare *)ledger;

	(void)copy;
	fair_must(fair_relshare_clone(r, r + 1, fair_relshare_size(&c),
				      (const struct fair_relshare *)from,
				      slot));
}

static uint32_t fair_ledger_relshare_group(const struct fair_sched *s,
					   const void *ledger, uint32_t slot)
{
	(void)ledger;
	return fair_ledger_relshare_user(s, slot);
}

/* The user with the largest relative share goes first [RS III-B]. */
static int fair_ledger_relshare_order(const struct fair_sched *s,
				      const void *ledger, uint32_t a,
				      uint32_t b)
{
	const struct fair_relshare *r = (const struct fair_relshare *)ledger;
	struct fair_relshare_reserved reserved;
	struct fair_reservation first;
	const struct fair_live *j;

	if (!s->planner->first_reservation ||
	    !s->planner->first_reservation(s, &first))
		return fair_relshare_compare(r, a, b, NULL);
	j = s->live + first.slot;
	reserved.user = fair_ledger_relshare_user(s, first.slot);
	reserved.procs = fair_sched_cost(s, first.slot);
	reserved.start = first.start;
	reserved.walltime = j->queued.walltime;
	return fair_relshare_compare(r, a, b, &reserved);
}

static int fair_ledger_relshare_admit(const struct fair_sched *s,
				      const void *ledger,
				      const struct fair_job *job)
{
	uint64_t user = s->config.by_group ? job->group : job->user;

	(void)ledger;
	return user < s->config.users ? 0 : -FAIR_ENOENT;
}

static int fair_ledger_relshare_apply(struct fair_sched *s,
				      struct fair_relshare *r, uint32_t event,
				      uint32_t slot)
{
	const struct fair_live *j = s->live + slot;

	switch (event) {
	case FAIR_LEDGER_QUEUED:
		return fair_relshare_submit(r, s->now, slot,
					    fair_ledger_relshare_user(s, slot),
					    fair_sched_cost(s, slot));
	case FAIR_LEDGER_STARTED:
		return fair_relshare_start(r, s->now, slot, fair_live_end(j));
	case FAIR_LEDGER_EXTENDED:
		return fair_relshare_plan(r, s->now, slot, fair_live_end(j));
	case FAIR_LEDGER_WITHDRAWN:
	case FAIR_LEDGER_ENDED:
		return fair_relshare_finish(r, s->now, slot);
	case FAIR_LEDGER_CAPACITY:
		return fair_relshare_capacity(r, s->now,
					      fair_sched_machine_cost(s));
	case FAIR_LEDGER_TIME: /* usage is read in the window of now */
		return fair_relshare_advance(r, s->now);
	default:
		return 0;
	}
}

static void fair_ledger_relshare_notify(struct fair_sched *s, void *ledger,
					uint32_t event, uint32_t slot,
					int64_t was)
{
	(void)was;
	fair_must(fair_ledger_relshare_apply(s, (struct fair_relshare *)ledger,
					     event, slot));
}

static bool fair_ledger_relshare_can_grow(const struct fair_sched *s,
					  const void *ledger, int32_t procs)
{
	(void)ledger;
	return s->config.window <= FAIR_RELSHARE_LIMIT / procs;
}

static void fair_ledger_relshare_save(const struct fair_sched *s,
				      const void *ledger,
				      struct fair_checkpoint *f)
{
	(void)s;
	fair_relshare_save((const struct fair_relshare *)ledger, f);
}

static bool fair_ledger_relshare_live(const void *context, uint32_t slot,
				      struct fair_relshare_live *job)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	const struct fair_live *j = s->live + slot;

	job->user = fair_ledger_relshare_user(s, slot);
	job->procs = fair_sched_cost(s, slot);
	job->end = j->queued.rank.key;
	job->running = j->state == FAIR_RUNNING;
	return j->state != FAIR_INELIGIBLE;
}

static void fair_ledger_relshare_load(struct fair_sched *s, void *ledger,
				      struct fair_checkpoint *f)
{
	struct fair_relshare *r = (struct fair_relshare *)ledger;

	/* The machine was as it is at present, not as it is configured. */
	f->bad |= fair_relshare_capacity(r, r->now,
					 fair_sched_machine_cost(s)) != 0;
	if (!f->bad)
		fair_relshare_load(r, s->now, s->slots,
				   fair_ledger_relshare_live, s, f);
}

static int fair_ledger_relshare_check(const struct fair_sched *s,
				      const void *ledger)
{
	(void)s;
	return fair_relshare_check((const struct fair_relshare *)ledger);
}

static bool fair_ledger_relshare_read(const struct fair_sched *s,
				      const void *ledger, uint32_t kind,
				      struct fair_entity *e)
{
	const struct fair_relshare *r = (const struct fair_relshare *)ledger;

	if (kind != (s->config.by_group ? FAIR_ENTITY_GROUP
					: FAIR_ENTITY_USER) ||
	    e->index >= r->config.users)
		return false;
	e->share = r->user[e->index].share;
	if (!r->config.decays)
		(void)fair_relshare_used(r, e->index, s->now, &e->usage);
	return true;
}

static int fair_ledger_relshare_write(struct fair_sched *s, void *ledger,
				      uint32_t kind,
				      enum fair_entity_change change,
				      struct fair_entity *e)
{
	struct fair_relshare *r = (struct fair_relshare *)ledger;
	uint64_t used = 0;

	(void)kind;
	switch (change) {
	case FAIR_ENTITY_FORGET:
		(void)fair_relshare_share(r, s->now, e->index, 1);
		return fair_relshare_forget(r, s->now, e->index);
	case FAIR_ENTITY_SHARE:
		return e->share < 0 || e->share > FAIR_RELSHARE_SHARES
			       ? -FAIR_EINVAL
			       : fair_relshare_share(r, s->now, e->index,
						     (uint32_t)e->share);
	case FAIR_ENTITY_CREDIT:
		if (r->config.decays)
			return -FAIR_EINVAL;
		fair_must(fair_relshare_used(r, e->index, s->now, &used));
		e->usage = e->usage < used ? e->usage : used;
		return fair_relshare_set_used(r, s->now, e->index,
					      used - e->usage);
	default:
		return fair_relshare_set_used(r, s->now, e->index, e->usage);
	}
}

static const struct fair_ledger_ops fair_ledger_relshare = {
	"relshare",
	false, /* spreads */
	FAIR_SAVES_WINDOW,
	fair_ledger_relshare_error,
	fair_ledger_relshare_size,
	fair_ledger_relshare_init,
	fair_ledger_relshare_clone,
	fair_ledger_relshare_order,
	fair_ledger_relshare_group,
	NULL, /* prepare */
	NULL, /* gate */
	NULL, /* veto */
	fair_ledger_relshare_admit,
	NULL, /* submit */
	fair_ledger_relshare_notify,
	NULL, /* modify */
	fair_ledger_relshare_can_grow,
	NULL, /* next */
	NULL, /* can_change */
	NULL, /* describe */
	NULL, /* explain */
	NULL, /* keep_place */
	fair_ledger_relshare_save,
	fair_ledger_relshare_load,
	fair_ledger_relshare_check,
	fair_ledger_relshare_read,
	fair_ledger_relshare_write,
	NULL, /* preload */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};

static struct fair_relshare *fair_sched_relshare_of(const struct fair_sched *s)
{
	return (struct fair_relshare *)(uintptr_t)fair_sched_ledger(
		s, &fair_ledger_relshare);
}

static int fair_sched_relshare_window(struct fair_sched *s, int64_t window)
{
	return fair_relshare_set_window(fair_sched_relshare_of(s), s->now,
					window);
}

#else /* FAIRSCHED_WITHOUT_RELSHARE */

static struct fair_relshare *fair_sched_relshare_of(const struct fair_sched *s)
{
	(void)s;
	return NULL;
}

static int fair_sched_relshare_window(struct fair_sched *s, int64_t window)
{
	(void)s;
	(void)window;
	return -FAIR_EINVAL;
}

#endif /* FAIRSCHED_WITHOUT_RELSHARE */
