/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledgers.h - the ledgers usage, sfs and relshare: which job goes first
 *
 *   fair_ledger_usage     FAIR_ORDER_USAGE   --> usage.h
 *   fair_ledger_sfs       FAIR_SFS           --> policies/sfs.h
 *   fair_ledger_relshare  FAIR_RELSHARE      --> policies/relshare.h
 *
 * Each has one function for each operation of struct fair_ledger_ops that it
 * needs, in the order of the table, which follows them.
 *
 * Uses: policy.h.
 */

static uint32_t fair_ledger_user(const struct fair_sched *s, const void *ledger,
				 uint32_t slot)
{
	(void)ledger;
	return s->live[slot].user;
}

/*
 * USAGE: FAIR_ORDER_USAGE. A provisional charge of its walltime when a job
 * starts, and a final charge of the time that it ran when it ends [MR 3.4].
 */

#define FAIR_USAGE_SECTION 13 /* of a checkpoint: saved by usage.h */

static const char *fair_ledger_usage_error(const struct fair_config *config)
{
	if (config->select)
		return "FAIR_ORDER_USAGE goes with FAIR_FIRSTFIT";
	if (!config->users)
		return "FAIR_ORDER_USAGE needs users";
	if (config->half_life < 0 || config->half_life > FAIR_USAGE_HALF_LIFE)
		return "half_life is not from 0 to FAIR_USAGE_HALF_LIFE";
	return NULL;
}

static size_t fair_ledger_usage_size(const struct fair_config *config)
{
	return fair_ledger_bytes(sizeof(struct fair_usage),
				 fair_usage_size(config->users, 0, 1));
}

/* An empty ledger of all users, in memory of the size of one. */
static int fair_ledger_usage_open(const struct fair_sched *s,
				  struct fair_usage *u, void *memory)
{
	const struct fair_config *c = &s->config;

	return fair_usage_init_half_life(u, sizeof(*u), memory,
					 fair_usage_size(c->users, 0, 1),
					 c->users, 1, 0, c->half_life);
}

static int fair_ledger_usage_init(struct fair_sched *s, void *ledger)
{
	struct fair_usage *u = (struct fair_usage *)ledger;

	return fair_ledger_usage_open(s, u, u + 1);
}

static void fair_ledger_usage_clone(struct fair_sched *copy, void *ledger,
				    const struct fair_sched *s,
				    const void *from, const uint32_t *slot)
{
	const struct fair_config *c = &s->config;
	struct fair_usage *u = (struct fair_usage *)ledger;

	(void)copy;
	(void)slot;
	fair_must(fair_usage_clone(u, u + 1, fair_usage_size(c->users, 0, 1),
				   (const struct fair_usage *)from));
}

/* The user with the smallest decayed usage goes first [MR] formula 1. */
static int fair_ledger_usage_order(const struct fair_sched *s,
				   const void *ledger, uint32_t a, uint32_t b)
{
	const struct fair_usage *u = (const struct fair_usage *)ledger;
	int64_t t = s->now - s->config.origin;
	uint64_t x[2] = { 0, 0 }, y[2] = { 0, 0 };

	(void)fair_usage_at(u, a, t, &x[0], &x[1]);
	(void)fair_usage_at(u, b, t, &y[0], &y[1]);
	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return (x[1] > y[1]) - (x[1] < y[1]);
}

static int fair_ledger_usage_admit(const struct fair_sched *s,
				   const void *ledger,
				   const struct fair_job *job)
{
	(void)ledger;
	if (job->penalty < 0 || job->penalty > FAIR_RATE_MAX)
		return -FAIR_EINVAL;
	return job->user < s->config.users ? 0 : -FAIR_ENOENT;
}

/* What a job is charged a second: the caller's rate, or by config.billing, or
 * its processors. */
static int64_t fair_ledger_usage_rate(const struct fair_sched *s,
				      const struct fair_live *j)
{
	if (j->penalty)
		return j->penalty;
	if (s->config.billing)
		return fair_sched_second_cost(s, fair_sched_slot(s, j));
	return j->queued.procs * FAIR_PENALTY_ONE;
}

/* FAIR_ORDER_DOMINANT: the same of resource @r. */
static int64_t fair_dominant_rate(const struct fair_sched *s, uint32_t slot,
				  uint32_t r)
{
	struct fair_claim claim = fair_sched_claim(s, slot);

	return claim.amount ? claim.amount[r] : claim.procs;
}

/* A charged job ends: what it used replaces its walltime. */
static void fair_ledger_usage_replace(struct fair_sched *s,
				      struct fair_usage *u,
				      const struct fair_live *j, int64_t rate)
{
	int64_t origin = s->config.origin, walltime = j->queued.walltime;
	int64_t from = fair_later(fair_live_started(j), origin);

	if (fair_usage_charge_final(u, j->user, rate, walltime, from - origin,
				    s->now - origin))
		fair_must(fair_usage_cancel_provisional(u, j->user, rate,
							walltime));
}

static void fair_ledger_usage_end(struct fair_sched *s, struct fair_usage *u,
				  struct fair_live *j)
{
	if (j->charged)
		fair_ledger_usage_replace(s, u, j,
					  fair_ledger_usage_rate(s, j));
	j->charged = false;
}

/* At a start charge the walltime, unless the ledger would overflow. */
static void fair_ledger_usage_notify(struct fair_sched *s, void *ledger,
				     uint32_t event, uint32_t slot, int64_t was)
{
	struct fair_usage *u = (struct fair_usage *)ledger;
	struct fair_live *j = s->live + slot;

	if (event == FAIR_LEDGER_ENDED)
		fair_ledger_usage_end(s, u, j);
	if (event == FAIR_LEDGER_RESIZED && j->charged)
		fair_must(fair_usage_cancel_provisional(
			u, j->user, fair_ledger_usage_rate(s, j), was));
	if (event == FAIR_LEDGER_STARTED ||
	    (event == FAIR_LEDGER_RESIZED && j->charged))
		j->charged = !fair_usage_charge_provisional(
			u, j->user, fair_ledger_usage_rate(s, j),
			j->queued.walltime);
}

static void fair_ledger_usage_store(const struct fair_usage *u,
				    uint32_t section, struct fair_checkpoint *f)
{
	size_t bytes = fair_usage_checkpoint_size(u);
	unsigned char *at = fair_checkpoint_bytes(f, section, bytes);

	if (at)
		fair_must(fair_usage_save(u, at, bytes));
}

static int64_t fair_ledger_rate(const struct fair_sched *s, uint32_t slot,
				uint32_t r)
{
	return s->config.order == FAIR_ORDER_DOMINANT
		       ? fair_dominant_rate(s, slot, r)
		       : fair_ledger_usage_rate(s, s->live + slot);
}

static uint64_t fair_ledger_provisional(const struct fair_sched *s,
					const struct fair_usage *u)
{
	int64_t t = s->now - s->config.origin;
	uint64_t all = 0, charged = 0, fraction;

	fair_must(fair_usage_at(u, FAIR_USAGE_TOTAL, t, &all, NULL));
	fair_must(fair_usage_charged(u, FAIR_USAGE_TOTAL, t, &charged,
				     &fraction));
	return all - charged;
}

/*
 * Load the ledger of resource @r. Its provisional charges are those of the
 * running jobs: nothing is left when they are taken back, for a try.
 */
static void fair_ledger_usage_fetch(struct fair_sched *s, struct fair_usage *u,
				    uint32_t section, uint32_t r,
				    struct fair_checkpoint *f)
{
	int64_t latest = s->now - s->config.origin;
	size_t bytes = 0;
	const unsigned char *at = fair_checkpoint_find(f, section, &bytes);
	uint32_t i;

	f->bad |= !at || fair_usage_reload(u, latest, at, bytes);
	/* Running jobs are loaded first: they have the slots from 0 on. */
	for (i = 0; i < s->running.jobs && !f->bad; i++)
		f->bad |= s->live[i].charged &&
			  fair_usage_cancel_provisional(
				  u, s->live[i].user, fair_ledger_rate(s, i, r),
				  s->live[i].queued.walltime);
	if (f->bad || fair_ledger_provisional(s, u))
		f->bad = true;
	else
		fair_must(fair_usage_reload(u, latest, at, bytes));
}

/* Whether the ledger is sound, and the sum of provisional charges is right. */
static bool fair_ledger_usage_is_sound(const struct fair_sched *s,
				       const struct fair_usage *u, uint32_t r)
{
	struct fair_queue_place at = { 0, 0 };
	uint64_t sum = 0;
	uint32_t slot;

	if (fair_usage_check(u))
		return false;
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		if (s->live[slot].charged)
			sum += (uint64_t)fair_ledger_rate(s, slot, r) *
			       (uint64_t)s->live[slot].queued.walltime;
	}
	return sum == fair_ledger_provisional(s, u);
}

static void fair_ledger_usage_save(const struct fair_sched *s,
				   const void *ledger,
				   struct fair_checkpoint *f)
{
	(void)s;
	fair_ledger_usage_store((const struct fair_usage *)ledger,
				FAIR_USAGE_SECTION, f);
}

static void fair_ledger_usage_load(struct fair_sched *s, void *ledger,
				   struct fair_checkpoint *f)
{
	fair_ledger_usage_fetch(s, (struct fair_usage *)ledger,
				FAIR_USAGE_SECTION, 0, f);
}

static int fair_ledger_usage_check(const struct fair_sched *s,
				   const void *ledger)
{
	return !fair_ledger_usage_is_sound(s, (const struct fair_usage *)ledger,
					   0);
}

/* The kind of entity that users are. */
static uint32_t fair_ledger_kind(const struct fair_sched *s)
{
	return s->config.by_group ? FAIR_ENTITY_GROUP : FAIR_ENTITY_USER;
}

/* In the ledger, usage has 20 bits behind the point: FAIR_PENALTY_ONE. */
static bool fair_ledger_usage_read(const struct fair_sched *s,
				   const void *ledger, uint32_t kind,
				   struct fair_entity *e)
{
	uint64_t fraction = 0;

	if (kind != FAIR_ENTITY_USER ||
	    fair_usage_charged((const struct fair_usage *)ledger, e->index,
			       s->now - s->config.origin, &e->usage, &fraction))
		return false;
	e->fraction = e->usage << 44 | fraction >> 20;
	e->usage >>= 20;
	return true;
}

static int fair_ledger_usage_write(struct fair_sched *s, void *ledger,
				   uint32_t kind,
				   enum fair_entity_change change,
				   struct fair_entity *e)
{
	struct fair_usage *u = (struct fair_usage *)ledger;
	struct fair_usage_refund credit = { 0, 0, 0, 0, 0 };
	int64_t now = s->now - s->config.origin;
	const uint64_t most = UINT64_C(1) << 39;

	(void)kind;
	if (change == FAIR_ENTITY_FORGET)
		return fair_usage_set(u, e->index, now, 0, 0);
	if (change == FAIR_ENTITY_USAGE)
		return e->usage >= most
			       ? -FAIR_EOVERFLOW
			       : fair_usage_set(u, e->index, now,
						e->usage << 20 |
							e->fraction >> 44,
						e->fraction << 20);
	if (change != FAIR_ENTITY_CREDIT)
		return -FAIR_EINVAL;
	credit.t = now;
	credit.entity = e->index;
	credit.amount = e->usage < most ? e->usage << 20 : UINT64_MAX;
	fair_must(fair_usage_credit(u, &credit));
	e->usage = credit.taken >> 20;
	return 0;
}

/* In processors, as read() has processor-seconds. */
static int64_t fair_ledger_usage_whole_rate(const struct fair_sched *s,
					    uint32_t slot)
{
	return fair_ledger_usage_rate(s, s->live + slot) >> 20;
}

static const struct fair_ledger_ops fair_ledger_usage = {
	"usage",
	false, /* spreads */
	FAIR_SAVES_HALF_LIFE,
	fair_ledger_usage_error,
	fair_ledger_usage_size,
	fair_ledger_usage_init,
	fair_ledger_usage_clone,
	fair_ledger_usage_order,
	fair_ledger_user,
	NULL, /* prepare */
	NULL, /* gate */
	NULL, /* veto */
	fair_ledger_usage_admit,
	NULL, /* submit */
	fair_ledger_usage_notify,
	NULL, /* modify */
	NULL, /* can_grow */
	NULL, /* next */
	NULL, /* can_change */
	NULL, /* describe */
	NULL, /* explain */
	NULL, /* keep_place */
	fair_ledger_usage_save,
	fair_ledger_usage_load,
	fair_ledger_usage_check,
	fair_ledger_usage_read,
	fair_ledger_usage_write,
	NULL, /* open */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	fair_ledger_usage_whole_rate,
};

/* SFS: accounts at or below their target go first. */

#define FAIR_SFS_SECTION 9 /* of a checkpoint: the targets */

static const char *fair_ledger_sfs_error(const struct fair_config *config)
{
	return config->accounts ? NULL : "FAIR_SFS needs accounts";
}

static size_t fair_ledger_sfs_size(const struct fair_config *config)
{
	return fair_ledger_bytes(sizeof(struct fair_sfs),
				 fair_sfs_size(config->accounts));
}

static int fair_ledger_sfs_init(struct fair_sched *s, void *ledger)
{
	const struct fair_config *config = &s->config;
	struct fair_sfs *sfs = (struct fair_sfs *)ledger;
	int error = fair_sfs_init(sfs, sizeof(*sfs), sfs + 1,
				  fair_sfs_size(config->accounts),
				  config->accounts);
	uint32_t i;

	for (i = 0; !error && i < config->accounts; i++)
		error = fair_sfs_set_target(
			sfs, i, config->target ? config->target[i] : INT32_MAX);
	return error;
}

static void fair_ledger_sfs_clone(struct fair_sched *copy, void *ledger,
				  const struct fair_sched *s, const void *from,
				  const uint32_t *slot)
{
	struct fair_sfs *sfs = (struct fair_sfs *)ledger;

	(void)copy;
	(void)slot;
	fair_must(fair_sfs_clone(sfs, sfs + 1,
				 fair_sfs_size(s->config.accounts),
				 (const struct fair_sfs *)from));
}

/* Jobs of accounts at or below their target go first [SFS 4.2]. */
static bool fair_ledger_sfs_gate(const struct fair_sched *s, const void *ledger,
				 uint32_t slot)
{
	return fair_sfs_gate((const struct fair_sfs *)ledger,
			     s->live[slot].account);
}

static int fair_ledger_sfs_admit(const struct fair_sched *s, const void *ledger,
				 const struct fair_job *job)
{
	(void)ledger;
	return job->account < s->config.accounts ? 0 : -FAIR_ENOENT;
}

static void fair_ledger_sfs_notify(struct fair_sched *s, void *ledger,
				   uint32_t event, uint32_t slot, int64_t was)
{
	struct fair_sfs *sfs = (struct fair_sfs *)ledger;
	const struct fair_live *j = s->live + slot;

	(void)was;
	if (event == FAIR_LEDGER_STARTED)
		fair_must(fair_sfs_start(sfs, j->account,
					 fair_sched_cost(s, slot)));
	if (event == FAIR_LEDGER_ENDED)
		fair_must(fair_sfs_finish(sfs, j->account,
					  fair_sched_cost(s, slot)));
}

static void fair_ledger_sfs_explain(const struct fair_sched *s,
				    const void *ledger, uint32_t slot,
				    struct fair_why *w)
{
	const struct fair_sfs *sfs = (const struct fair_sfs *)ledger;
	uint32_t account = s->live[slot].account;

	(void)fair_sfs_occupancy(sfs, account, &w->occupancy, &w->target);
	if (!fair_sfs_gate(sfs, account))
		w->reasons |= FAIR_WHY_TARGET;
}

static void fair_ledger_sfs_save(const struct fair_sched *s, const void *ledger,
				 struct fair_checkpoint *f)
{
	int64_t occupancy, target = 0;
	uint32_t i;

	fair_checkpoint_section(f, FAIR_SFS_SECTION, s->config.accounts, 1);
	for (i = 0; i < s->config.accounts; i++) {
		(void)fair_sfs_occupancy((const struct fair_sfs *)ledger, i,
					 &occupancy, &target);
		fair_checkpoint_i64(f, &target);
	}
}

static void fair_ledger_sfs_load(struct fair_sched *s, void *ledger,
				 struct fair_checkpoint *f)
{
	int64_t target = 0;
	uint64_t saved;
	uint32_t i;

	/* Running jobs are loaded first: they have the slots from 0 on. */
	for (i = 0; i < s->running.jobs; i++)
		fair_ledger_sfs_notify(s, ledger, FAIR_LEDGER_STARTED, i, 0);
	saved = fair_checkpoint_section(f, FAIR_SFS_SECTION, 0, 0);
	f->bad |= !saved || saved > s->config.accounts;
	for (i = 0; !f->bad && i < saved; i++) {
		fair_checkpoint_record(f);
		fair_checkpoint_i64(f, &target);
		f->bad |= fair_sfs_set_target((struct fair_sfs *)ledger, i,
					      target) != 0;
	}
}

static int fair_ledger_sfs_check(const struct fair_sched *s, const void *ledger)
{
	const struct fair_sfs *sfs = (const struct fair_sfs *)ledger;
	struct fair_queue_place at = { 0, 0 };
	int64_t busy = 0;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++)
		busy += fair_sched_cost(s, fair_queue_slot(&s->running, at));
	return fair_sfs_check(sfs) || sfs->busy != busy;
}

static bool fair_ledger_sfs_read(const struct fair_sched *s, const void *ledger,
				 uint32_t kind, struct fair_entity *e)
{
	int64_t occupancy;

	(void)s;
	return kind == FAIR_ENTITY_ACCOUNT &&
	       !fair_sfs_occupancy((const struct fair_sfs *)ledger, e->index,
				   &occupancy, &e->share);
}

static int fair_ledger_sfs_write(struct fair_sched *s, void *ledger,
				 uint32_t kind, enum fair_entity_change change,
				 struct fair_entity *e)
{
	struct fair_sfs *sfs = (struct fair_sfs *)ledger;

	(void)s;
	(void)kind;
	if (change == FAIR_ENTITY_FORGET)
		return fair_sfs_set_target(sfs, e->index, INT32_MAX);
	return change == FAIR_ENTITY_SHARE
		       ? fair_sfs_set_target(sfs, e->index, e->share)
		       : -FAIR_EINVAL;
}

static const struct fair_ledger_ops fair_ledger_sfs = {
	"sfs",
	false, /* spreads */
	0, /* saves */
	fair_ledger_sfs_error,
	fair_ledger_sfs_size,
	fair_ledger_sfs_init,
	fair_ledger_sfs_clone,
	NULL, /* order */
	NULL, /* group */
	NULL, /* prepare */
	fair_ledger_sfs_gate,
	NULL, /* veto */
	fair_ledger_sfs_admit,
	NULL, /* submit */
	fair_ledger_sfs_notify,
	NULL, /* modify */
	NULL, /* can_grow */
	NULL, /* next */
	NULL, /* can_change */
	NULL, /* describe */
	fair_ledger_sfs_explain,
	NULL, /* keep_place */
	fair_ledger_sfs_save,
	fair_ledger_sfs_load,
	fair_ledger_sfs_check,
	fair_ledger_sfs_read,
	fair_ledger_sfs_write,
	NULL, /* open */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};

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
			rest = unit ? unit % portion : 0;
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

	if (!s->planner->first_reservation(s, &first))
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
		return fair_relshare_start(r, s->now, slot, j->queued.rank.key);
	case FAIR_LEDGER_EXTENDED:
		return fair_relshare_plan(r, s->now, slot, j->queued.rank.key);
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

	if (kind != fair_ledger_kind(s) || e->index >= r->config.users)
		return false;
	e->share = r->user[e->index].share;
	e->usage = 0;
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
	fair_must(fair_relshare_advance(r, s->now));
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
	NULL, /* open */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};
