/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_tree.h - FAIR_ORDER_TREE: users by their rank in a tree
 *
 *   fair_ledger_ops --> fair_ledger_tree_*() --> policies/fairtree.h
 *   fair_sched_tree_*(): what a caller may change in the tree and ask of it
 *
 * As by FAIR_ORDER_USAGE a job is provisionally charged its walltime when it
 * starts, and finally what it used when it ends [MR 3.4]. A job's user is the
 * number of its node. The tree's time is that of the scheduler.
 *
 * Uses: ledger_usage.h.
 */

#ifndef FAIRSCHED_WITHOUT_TREE

/* The state: the tree, and whether its ranks are those of now; each event says
 * that they are not, and one begins the step that asks for them. */
struct fair_ledger_tree {
	struct fair_fairtree tree;
	bool is_ranked;
};

static const char *fair_ledger_tree_error(const struct fair_config *config)
{
	if (config->select)
		return "FAIR_ORDER_TREE goes with FAIR_FIRSTFIT";
	if (!config->users || config->users > FAIR_FAIRTREE_NODES)
		return "FAIR_ORDER_TREE needs users, the nodes of the tree";
	if (config->half_life < 1 || config->half_life > FAIR_USAGE_HALF_LIFE)
		return "half_life is not from 1 to FAIR_USAGE_HALF_LIFE";
	if (config->ids)
		return "FAIR_ORDER_TREE takes no ids: its users are nodes";
	if (config->origin < 0)
		return "FAIR_ORDER_TREE needs an origin from 0 on";
	if (config->tree && !fair_fairtree_is_like(config->tree, config->users,
						   config->half_life))
		return "tree has not as many nodes as users, or another"
		       " half_life";
	return NULL;
}

static size_t fair_ledger_tree_size(const struct fair_config *config)
{
	return fair_ledger_bytes(sizeof(struct fair_ledger_tree),
				 fair_fairtree_size(config->users));
}

/* A given tree comes with its usage, but its jobs are charged anew. */
static int fair_ledger_tree_init(struct fair_sched *s, void *ledger)
{
	const struct fair_config *c = &s->config;
	struct fair_ledger_tree *l = (struct fair_ledger_tree *)ledger;
	struct fair_fairtree *f = &l->tree;
	size_t bytes = fair_fairtree_size(c->users);

	l->is_ranked = false;
	if (!c->tree)
		return fair_fairtree_init(f, sizeof(*f), l + 1, bytes, c->users,
					  c->half_life);
	fair_must(fair_fairtree_clone(f, l + 1, bytes, c->tree));
	fair_fairtree_cancel_all(f);
	return 0;
}

static void fair_ledger_tree_clone(struct fair_sched *copy, void *ledger,
				   const struct fair_sched *s,
				   const void *from, const uint32_t *slot)
{
	const struct fair_ledger_tree *f =
		(const struct fair_ledger_tree *)from;
	struct fair_ledger_tree *l = (struct fair_ledger_tree *)ledger;

	(void)copy;
	(void)slot;
	l->is_ranked = false;
	fair_must(fair_fairtree_clone(&l->tree, l + 1,
				      fair_fairtree_size(s->config.users),
				      &f->tree));
}

/* Users of one rank: the one whose first job was submitted first. */
static int fair_ledger_tree_order(const struct fair_sched *s,
				  const void *ledger, uint32_t a, uint32_t b)
{
	(void)s;
	return fair_fairtree_compare_users((const struct fair_fairtree *)ledger,
					   a, b, NULL, NULL);
}

static int fair_ledger_tree_admit(const struct fair_sched *s,
				  const void *ledger,
				  const struct fair_job *job)
{
	if (job->penalty < 0 || job->penalty > FAIR_RATE_MAX)
		return -FAIR_EINVAL;
	return job->user < s->config.users &&
			       fair_fairtree_has_user(
				       (const struct fair_fairtree *)ledger,
				       (uint32_t)job->user)
		       ? 0
		       : -FAIR_ENOENT;
}

/*
 * 2^-20 processors, or a coarser unit, up to a processor, in which all
 * processors are below 2^4 half-lives: then the tree has room for walltimes of
 * 2^22 s of all of them, and of longer ones in coarser usages.
 */
FAIRSCHED_API int64_t fair_sched_tree_unit(const struct fair_config *config)
{
	int64_t unit = FAIR_PENALTY_ONE;

	if (config->half_life < 1 || config->half_life > FAIR_USAGE_HALF_LIFE)
		return 0;
	while (unit > 1 && config->procs * unit >= 16 * config->half_life)
		unit /= 2;
	return unit;
}

static int64_t fair_ledger_tree_rate(const struct fair_sched *s,
				     const struct fair_live *j)
{
	return fair_ledger_usage_rate(s, fair_sched_slot(s, j), 0) /
	       (FAIR_PENALTY_ONE / fair_sched_tree_unit(&s->config));
}

/* Whether there is room in coarser usages for what got @error. */
static bool fair_ledger_tree_makes_room(struct fair_fairtree *f, int error)
{
	return error == -FAIR_EOVERFLOW && !fair_fairtree_coarsen(f);
}

/* A walltime of 2^60 units is not charged: it would leave no bit for others. */
static void fair_ledger_tree_start(const struct fair_sched *s,
				   struct fair_fairtree *f, struct fair_live *j)
{
	int64_t rate = fair_ledger_tree_rate(s, j);
	struct fair_wide units =
		fair_multiply((uint64_t)rate, (uint64_t)j->queued.walltime);
	int error;

	j->charged = false;
	if (units.high || units.low >> 60)
		return;
	do
		error = fair_fairtree_charge_provisional(f, j->user, rate,
							 j->queued.walltime);
	while (fair_ledger_tree_makes_room(f, error));
	j->charged = !error;
}

static void fair_ledger_tree_cancel(const struct fair_sched *s,
				    struct fair_fairtree *f,
				    const struct fair_live *j, int64_t walltime)
{
	fair_must(fair_fairtree_cancel_provisional(
		f, j->user, fair_ledger_tree_rate(s, j), walltime));
}

static void fair_ledger_tree_end(const struct fair_sched *s,
				 struct fair_fairtree *f, struct fair_live *j)
{
	int64_t origin = s->config.origin;
	int64_t from = fair_later(j->started, origin);
	int error;

	if (!j->charged)
		return;
	fair_ledger_tree_cancel(s, f, j, j->queued.walltime);
	j->charged = false;
	do
		error = fair_fairtree_charge(f, j->user, from, s->now,
					     fair_ledger_tree_rate(s, j));
	while (fair_ledger_tree_makes_room(f, error));
}

static void fair_ledger_tree_reset(struct fair_sched *s)
{
	struct fair_ledger_tree *l =
		(struct fair_ledger_tree *)(uintptr_t)fair_sched_tree(s);

	fair_fairtree_reset(&l->tree);
}

/* The rates of another half-life may have another unit: the running jobs are
 * charged again. */
static int fair_ledger_tree_set_half_life(struct fair_sched *s,
					  int64_t half_life)
{
	struct fair_ledger_tree *l =
		(struct fair_ledger_tree *)(uintptr_t)fair_sched_tree(s);
	struct fair_fairtree *f = &l->tree;
	struct fair_config other = s->config;
	struct fair_queue_place at = { 0, 0 };
	struct fair_live *j;
	int error;

	other.half_life = half_life;
	do
		error = fair_fairtree_set_half_life(
			f, s->now, half_life, fair_sched_tree_unit(&s->config),
			fair_sched_tree_unit(&other));
	while (fair_ledger_tree_makes_room(f, error));
	if (error)
		return error;
	s->config.half_life = half_life;
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		j = s->live + fair_queue_slot(&s->running, at);
		if (j->charged)
			fair_ledger_tree_start(s, f, j);
	}
	return 0;
}

static void fair_ledger_tree_notify(struct fair_sched *s, void *ledger,
				    uint32_t event, uint32_t slot, int64_t was)
{
	struct fair_fairtree *f = (struct fair_fairtree *)ledger;
	struct fair_live *j = s->live + slot;

	((struct fair_ledger_tree *)ledger)->is_ranked = false;
	switch (event) {
	case FAIR_LEDGER_TIME:
		fair_must(fair_fairtree_pass_time(f, s->now));
		break;
	case FAIR_LEDGER_STARTED:
		fair_ledger_tree_start(s, f, j);
		break;
	case FAIR_LEDGER_ENDED:
		fair_ledger_tree_end(s, f, j);
		break;
	case FAIR_LEDGER_RESIZED:
		if (!j->charged)
			break;
		fair_ledger_tree_cancel(s, f, j, was);
		fair_ledger_tree_start(s, f, j);
		break;
	default:
		break;
	}
}

/* The fair-share factor of a job's user now, for FAIR_MAUI. */
static int64_t fair_ledger_tree_points(struct fair_sched *s, uint32_t slot)
{
	struct fair_ledger_tree *l =
		(struct fair_ledger_tree *)(uintptr_t)fair_sched_tree(s);
	struct fair_fairtree *f = &l->tree;

	if (!l->is_ranked)
		fair_fairtree_sort(f);
	l->is_ranked = true;
	return 100 * FAIR_USAGE_POINT *
	       fair_fairtree_rank(f, s->live[slot].user) /
	       fair_fairtree_users(f);
}

/* The job that goes first of all that are queued: of users that tie the one
 * that stands before the others. */
static uint32_t fair_ledger_tree_first(const struct fair_sched *s,
				       const void *ledger)
{
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };
	uint32_t first, other;

	(void)fair_queue_next_fitting(q, &at, INT32_MAX); /* one is explained */
	first = fair_queue_slot(q, at);
	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		other = fair_queue_slot(q, at);
		if (fair_ledger_tree_order(s, ledger, s->live[other].user,
					   s->live[first].user) < 0)
			first = other;
	}
	return first;
}

/* Under FAIR_MAUI a rank is only a part of the priority. */
static void fair_ledger_tree_explain(const struct fair_sched *s,
				     const void *ledger, uint32_t slot,
				     struct fair_why *w)
{
	const struct fair_fairtree *f = (const struct fair_fairtree *)ledger;
	struct fair_tree_why *t = &w->tree;
	uint32_t first, i;

	if (s->live[slot].state != FAIR_QUEUED ||
	    fair_ledgers_orderer(s)->state != ledger)
		return;
	first = fair_ledger_tree_first(s, ledger);
	if (s->live[first].user == s->live[slot].user)
		return;
	w->reasons |= FAIR_WHY_TREE;
	t->first = s->live[first].queued.rank.number;
	t->user = s->live[first].user;
	t->tie = !fair_fairtree_compare_users(f, s->live[slot].user, t->user,
					      &t->node[0], &t->node[1]);
	for (i = 0; i < 2; i++) {
		t->account[i] = fair_fairtree_account_of(f, t->node[i]);
		fair_must(fair_fairtree_part_of(f, t->node[i], &t->part[i]));
	}
}

static void fair_ledger_tree_save(const struct fair_sched *s,
				  const void *ledger, struct fair_checkpoint *f)
{
	(void)s;
	fair_fairtree_save((const struct fair_fairtree *)ledger, f);
}

/* Before the jobs, whose users it has. */
static void fair_ledger_tree_preload(struct fair_sched *s, void *ledger,
				     struct fair_checkpoint *f)
{
	(void)s;
	fair_fairtree_load((struct fair_fairtree *)ledger, f);
}

/* The provisional charges are those of the running jobs: take them back, and
 * charge them again. */
static void fair_ledger_tree_load(struct fair_sched *s, void *ledger,
				  struct fair_checkpoint *c)
{
	struct fair_fairtree *f = (struct fair_fairtree *)ledger;
	struct fair_live *j;
	uint32_t i;

	/* Running jobs are loaded first: they have the slots from 0 on. */
	for (i = 0; i < s->running.jobs && !c->bad; i++) {
		j = s->live + i;
		c->bad |= j->charged && fair_fairtree_cancel_provisional(
						f, j->user,
						fair_ledger_tree_rate(s, j),
						j->queued.walltime);
	}
	if (c->bad || fair_fairtree_provisional(f)) {
		c->bad = true;
		return;
	}
	for (i = 0; i < s->running.jobs; i++) {
		j = s->live + i;
		if (j->charged)
			fair_ledger_tree_start(s, f, j);
	}
}

static int fair_ledger_tree_check(const struct fair_sched *s,
				  const void *ledger)
{
	const struct fair_fairtree *f = (const struct fair_fairtree *)ledger;
	struct fair_queue_place at = { 0, 0 };
	const struct fair_live *j;
	uint64_t sum = 0;

	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		j = s->live + fair_queue_slot(&s->running, at);
		if (j->charged)
			sum += (uint64_t)fair_ledger_tree_rate(s, j) *
			       (uint64_t)j->queued.walltime;
	}
	return fair_fairtree_check(f) || sum != fair_fairtree_provisional(f);
}

static const struct fair_ledger_ops fair_ledger_tree = {
	"tree",
	true, /* spreads */
	FAIR_SAVES_HALF_LIFE,
	fair_ledger_tree_error,
	fair_ledger_tree_size,
	fair_ledger_tree_init,
	fair_ledger_tree_clone,
	fair_ledger_tree_order,
	fair_ledger_user,
	NULL, /* prepare */
	NULL, /* gate */
	NULL, /* veto */
	fair_ledger_tree_admit,
	NULL, /* submit */
	fair_ledger_tree_notify,
	NULL, /* modify */
	NULL, /* can_grow */
	NULL, /* next */
	NULL, /* can_change */
	NULL, /* describe */
	fair_ledger_tree_explain,
	NULL, /* keep_place */
	fair_ledger_tree_save,
	fair_ledger_tree_load,
	fair_ledger_tree_check,
	NULL, /* read */
	NULL, /* write */
	fair_ledger_tree_preload,
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};

FAIRSCHED_API const struct fair_fairtree *
fair_sched_tree(const struct fair_sched *s)
{
	return (const struct fair_fairtree *)fair_sched_ledger(
		s, &fair_ledger_tree);
}

#else /* FAIRSCHED_WITHOUT_TREE */

static void fair_ledger_tree_reset(struct fair_sched *s)
{
	(void)s;
}

static int fair_ledger_tree_set_half_life(struct fair_sched *s,
					  int64_t half_life)
{
	(void)s;
	(void)half_life;
	return -FAIR_EINVAL;
}

static int64_t fair_ledger_tree_points(struct fair_sched *s, uint32_t slot)
{
	(void)s;
	(void)slot;
	return 0;
}

FAIRSCHED_API const struct fair_fairtree *
fair_sched_tree(const struct fair_sched *s)
{
	(void)s;
	return NULL;
}

#endif /* FAIRSCHED_WITHOUT_TREE */
