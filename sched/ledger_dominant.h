/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_dominant.h - FAIR_ORDER_DOMINANT: dominant resource fairness
 *
 *   share of a user of a resource = decayed usage / what the machine has of it
 *   dominant share = the largest;  the user whose is smallest goes first [DRF]
 *
 *   9 processors, 18 GB     tasks of A: <1, 4>       of B: <3, 1>
 *   A, B, A, B, A           memory 3 * 4 / 18        processors 2 * 3 / 9
 *
 * One ledger of usage.h for each resource. What the machine has is what is
 * configured in all classes, not what it has at present; of one pool its
 * processors. Charges are those of the order by usage: the walltime when a job
 * starts [MR 3.4], and the time that it ran when it ends.
 *
 * Uses: ledgers.h.
 */

#define FAIR_DOMINANT_SECTION 31 /* and 7 more: saved by usage.h */

/* Private: usage of each resource, and how much of it there is. */
struct fair_dominant {
	struct fair_usage usage[FAIR_MACHINE_RESOURCES];
	int64_t amount[FAIR_MACHINE_RESOURCES];
	uint32_t resources;
};

static uint32_t fair_dominant_resources(const struct fair_config *config)
{
	return config->machine ? config->machine->resources : 1;
}

static const char *fair_dominant_error(const struct fair_config *config)
{
	if (config->select)
		return "FAIR_ORDER_DOMINANT goes with FAIR_FIRSTFIT";
	if (!config->users)
		return "FAIR_ORDER_DOMINANT needs users";
	if (config->half_life < 0 || config->half_life > FAIR_USAGE_HALF_LIFE)
		return "half_life is not from 0 to FAIR_USAGE_HALF_LIFE";
	return NULL;
}

static size_t fair_dominant_size(const struct fair_config *config)
{
	size_t one = fair_usage_size(config->users, 0, 1);

	if (one > SIZE_MAX / 16)
		return 0;
	return fair_ledger_bytes(sizeof(struct fair_dominant),
				 fair_dominant_resources(config) * one);
}

/* Memory of the ledger of resource @r. */
static void *fair_dominant_memory(struct fair_dominant *d, uint32_t r,
				  size_t one)
{
	return (char *)(d + 1) + r * one;
}

static int fair_dominant_init(struct fair_sched *s, void *ledger)
{
	const struct fair_machine_config *m = s->config.machine;
	struct fair_dominant *d = (struct fair_dominant *)ledger;
	size_t one = fair_usage_size(s->config.users, 0, 1);
	uint32_t r, i;
	int error = 0;

	d->resources = fair_dominant_resources(&s->config);
	for (r = 0; r < d->resources; r++) {
		d->amount[r] = m ? 0 : s->config.procs;
		for (i = 0; m && i < m->classes; i++)
			d->amount[r] += m->amount[i * m->resources + r];
		error |= fair_ledger_usage_open(
			s, &d->usage[r], fair_dominant_memory(d, r, one));
	}
	return error;
}

static void fair_dominant_clone(struct fair_sched *copy, void *ledger,
				const struct fair_sched *s, const void *from,
				const uint32_t *slot)
{
	const struct fair_dominant *was = (const struct fair_dominant *)from;
	struct fair_dominant *d = (struct fair_dominant *)ledger;
	size_t one = fair_usage_size(s->config.users, 0, 1);
	uint32_t r;

	(void)copy;
	(void)slot;
	*d = *was;
	for (r = 0; r < d->resources; r++)
		fair_must(fair_usage_clone(&d->usage[r],
					   fair_dominant_memory(d, r, one), one,
					   &was->usage[r]));
}

/* Private: a share, in seconds of the whole machine and in 2^-24 of them. */
struct fair_dominant_share {
	uint64_t whole, fraction;
};

static bool fair_dominant_is_less(struct fair_dominant_share a,
				  struct fair_dominant_share b)
{
	return a.whole < b.whole ||
	       (a.whole == b.whole && a.fraction < b.fraction);
}

/*
 * The largest share of @user, rounded down. Equal quotients are rounded alike:
 * users with equal shares tie.
 */
static struct fair_dominant_share
fair_dominant_share_of(const struct fair_sched *s,
		       const struct fair_dominant *d, uint32_t user)
{
	struct fair_dominant_share most = { 0, 0 }, share;
	int64_t t = s->now - s->config.origin;
	uint64_t used, rest;
	uint32_t r;

	for (r = 0; r < d->resources; r++) {
		if (!d->amount[r])
			continue;
		used = 0;
		(void)fair_usage_at(&d->usage[r], user, t, &used, &rest);
		share.whole = used / (uint64_t)d->amount[r];
		rest = used % (uint64_t)d->amount[r]; /* < 2^37 */
		share.fraction = (rest << 24) / (uint64_t)d->amount[r];
		if (fair_dominant_is_less(most, share))
			most = share;
	}
	return most;
}

/* The user with the smallest dominant share goes first. */
static int fair_dominant_order(const struct fair_sched *s, const void *ledger,
			       uint32_t a, uint32_t b)
{
	const struct fair_dominant *d = (const struct fair_dominant *)ledger;
	struct fair_dominant_share x = fair_dominant_share_of(s, d, a);
	struct fair_dominant_share y = fair_dominant_share_of(s, d, b);

	return fair_dominant_is_less(y, x) - fair_dominant_is_less(x, y);
}

static int fair_dominant_admit(const struct fair_sched *s, const void *ledger,
			       const struct fair_job *job)
{
	(void)ledger;
	return job->user < s->config.users ? 0 : -FAIR_ENOENT;
}

static void fair_dominant_end(struct fair_sched *s, struct fair_dominant *d,
			      uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	uint32_t r;

	for (r = 0; r < d->resources && j->charged; r++)
		fair_ledger_usage_replace(s, &d->usage[r], j,
					  fair_dominant_rate(s, slot, r));
	j->charged = false;
}

/* The first @n resources are no longer charged a walltime. */
static void fair_dominant_cancel(struct fair_sched *s, struct fair_dominant *d,
				 uint32_t slot, uint32_t n, int64_t walltime)
{
	while (n--)
		fair_must(fair_usage_cancel_provisional(
			&d->usage[n], s->live[slot].user,
			fair_dominant_rate(s, slot, n), walltime));
}

/* All resources or none: a ledger may be full. */
static void fair_dominant_charge(struct fair_sched *s, struct fair_dominant *d,
				 uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	uint32_t r = 0;

	while (r < d->resources &&
	       !fair_usage_charge_provisional(&d->usage[r], j->user,
					      fair_dominant_rate(s, slot, r),
					      j->queued.walltime))
		r++;
	j->charged = r == d->resources;
	if (!j->charged)
		fair_dominant_cancel(s, d, slot, r, j->queued.walltime);
}

static void fair_dominant_notify(struct fair_sched *s, void *ledger,
				 uint32_t event, uint32_t slot, int64_t was)
{
	struct fair_dominant *d = (struct fair_dominant *)ledger;

	if (event == FAIR_LEDGER_ENDED)
		fair_dominant_end(s, d, slot);
	if (event == FAIR_LEDGER_STARTED)
		fair_dominant_charge(s, d, slot);
	if (event == FAIR_LEDGER_RESIZED && s->live[slot].charged) {
		fair_dominant_cancel(s, d, slot, d->resources, was);
		fair_dominant_charge(s, d, slot);
	}
}

static void fair_dominant_save(const struct fair_sched *s, const void *ledger,
			       struct fair_checkpoint *f)
{
	const struct fair_dominant *d = (const struct fair_dominant *)ledger;
	uint32_t r;

	(void)s;
	for (r = 0; r < d->resources; r++)
		fair_ledger_usage_store(&d->usage[r],
					FAIR_DOMINANT_SECTION + r, f);
}

static void fair_dominant_load(struct fair_sched *s, void *ledger,
			       struct fair_checkpoint *f)
{
	struct fair_dominant *d = (struct fair_dominant *)ledger;
	uint32_t r;

	for (r = 0; r < d->resources; r++)
		fair_ledger_usage_fetch(s, &d->usage[r],
					FAIR_DOMINANT_SECTION + r, r, f);
}

static int fair_dominant_check(const struct fair_sched *s, const void *ledger)
{
	const struct fair_dominant *d = (const struct fair_dominant *)ledger;
	uint32_t r = 0;

	while (r < d->resources &&
	       fair_ledger_usage_is_sound(s, &d->usage[r], r))
		r++;
	return r < d->resources;
}

/* Of a user, the processor-seconds. */
static bool fair_dominant_read(const struct fair_sched *s, const void *ledger,
			       uint32_t kind, struct fair_entity *e)
{
	const struct fair_dominant *d = (const struct fair_dominant *)ledger;

	return kind == FAIR_ENTITY_USER &&
	       !fair_usage_charged(&d->usage[0], e->index,
				   s->now - s->config.origin, &e->usage,
				   &e->fraction);
}

/* A user has used nothing: no number says what else of each resource. */
static int fair_dominant_write(struct fair_sched *s, void *ledger,
			       uint32_t kind, enum fair_entity_change change,
			       struct fair_entity *e)
{
	struct fair_dominant *d = (struct fair_dominant *)ledger;
	int64_t now = s->now - s->config.origin;
	uint32_t r;

	(void)kind;
	if (change != FAIR_ENTITY_FORGET &&
	    (change != FAIR_ENTITY_USAGE || e->usage || e->fraction))
		return -FAIR_EINVAL;
	for (r = 0; r < d->resources; r++)
		fair_must(fair_usage_set(&d->usage[r], e->index, now, 0, 0));
	return 0;
}

static int64_t fair_dominant_procs_rate(const struct fair_sched *s,
					uint32_t slot)
{
	return fair_dominant_rate(s, slot, 0);
}

static const struct fair_ledger_ops fair_ledger_dominant = {
	"dominant",
	false, /* spreads */
	FAIR_SAVES_HALF_LIFE,
	fair_dominant_error,
	fair_dominant_size,
	fair_dominant_init,
	fair_dominant_clone,
	fair_dominant_order,
	fair_ledger_user,
	NULL, /* prepare */
	NULL, /* gate */
	NULL, /* veto */
	fair_dominant_admit,
	NULL, /* submit */
	fair_dominant_notify,
	NULL, /* modify */
	NULL, /* can_grow */
	NULL, /* next */
	NULL, /* can_change */
	NULL, /* describe */
	NULL, /* explain */
	NULL, /* keep_place */
	fair_dominant_save,
	fair_dominant_load,
	fair_dominant_check,
	fair_dominant_read,
	fair_dominant_write,
	NULL, /* open */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	fair_dominant_procs_rate,
};

/* All ledgers get another half-life, or none. */
static int fair_dominant_change_half_life(struct fair_dominant *d, int64_t t,
					  int64_t half_life)
{
	uint64_t whole = 0, fraction;
	uint32_t r;

	for (r = 0; r < d->resources; r++) {
		fair_must(fair_usage_charged(&d->usage[r], FAIR_USAGE_TOTAL, t,
					     &whole, &fraction));
		if (whole >> 57)
			return -FAIR_EOVERFLOW;
	}
	for (r = 0; r < d->resources; r++)
		fair_must(fair_usage_change_rule(&d->usage[r], t, half_life,
						 0));
	return 0;
}
