/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_usage.h - FAIR_ORDER_USAGE and FAIR_ORDER_DOMINANT
 *
 * A provisional charge of its walltime when a job starts, and a final charge of
 * the time that it ran when it ends [MR 3.4], in a ledger of usage.h for each
 * resource that is charged: by usage one, what a job costs; by dominant share
 * each that the machine has.
 *
 *   share of a user of a resource = decayed usage / what the machine has of it
 *   dominant share = the largest;  the user whose is smallest goes first [DRF]
 *
 *   9 processors, 18 GB     tasks of A: <1, 4>       of B: <3, 1>
 *   A, B, A, B, A           memory 3 * 4 / 18        processors 2 * 3 / 9
 *
 * What the machine has is what is configured in all classes, not what it has at
 * present; of one pool its processors. Shares are compared exactly; with a
 * half-life to 2^-32 s of all that the machine has. Where a
 * caller sets or takes back processor-seconds, they stand for the same share of
 * each resource, rounded down.
 *
 * ROOM. A ledger of usage.h counts up to 2^59, here in units of 2^-20
 * processors, or of one of a resource. When a charge would exceed that, the
 * unit becomes twice as large, as often as it has to, so that no charge is
 * dropped. Rates are rounded up to the unit: up to 2^59 processor-seconds those
 * of whole processors stay exact.
 *
 * Uses: policy.h.
 */

#ifndef FAIRSCHED_WITHOUT_USAGE

static uint32_t fair_ledger_user(const struct fair_sched *s, const void *ledger,
				 uint32_t slot)
{
	(void)ledger;
	return s->live[slot].user;
}

#define FAIR_USAGE_SECTION 13	 /* of a checkpoint: saved by usage.h */
#define FAIR_DOMINANT_SECTION 31 /* and 7 more */
#define FAIR_COARSE_SECTION 72	 /* if a unit is coarse: of each resource */

/* The most doublings; charges make up to 57: 2^116 is more than any jobs. */
#define FAIR_COARSEST 60

/* Private: usage of a resource, in units of 2^@coarse, and how much of it the
 * machine has. The state is one of each resource, and then their memory. */
struct fair_charge {
	struct fair_usage usage;
	int64_t amount;
	uint32_t coarse;
};

/* Private: 2^@coarse * (@whole + @fraction * 2^-64) of @amount. */
struct fair_share {
	uint64_t whole, fraction, amount;
	uint32_t coarse;
};

static uint32_t fair_config_charges(const struct fair_config *config)
{
	return config->order == FAIR_ORDER_DOMINANT && config->machine
		       ? config->machine->resources
		       : 1;
}

/* Usage has as many bits behind the point: FAIR_PENALTY_ONE is a processor. */
static uint32_t fair_charge_bits(const struct fair_sched *s)
{
	return s->config.order == FAIR_ORDER_DOMINANT ? 0 : 20;
}

static uint32_t fair_charge_section(const struct fair_sched *s, uint32_t r)
{
	return s->config.order == FAIR_ORDER_DOMINANT
		       ? FAIR_DOMINANT_SECTION + r
		       : FAIR_USAGE_SECTION;
}

/* @whole.@fraction * 2^@n, -64 < n < 64; if it does not fit, all that does. */
static void fair_charge_shift(uint64_t *whole, uint64_t *fraction, int32_t n)
{
	uint32_t left = n > 0 ? (uint32_t)n : 0;
	uint32_t right = n < 0 ? (uint32_t)-n : 0;

	if (left && *whole >> (64 - left))
		*whole = *fraction = UINT64_MAX;
	if (left) {
		*whole = *whole << left | *fraction >> (64 - left);
		*fraction <<= left;
	}
	if (right) {
		*fraction = *whole << (64 - right) | *fraction >> right;
		*whole >>= right;
	}
}

static const char *fair_ledger_usage_error(const struct fair_config *config)
{
	if (config->select)
		return "an order by usage goes with FAIR_FIRSTFIT";
	if (!config->users)
		return "an order by usage needs users";
	if (config->half_life < 0 || config->half_life > FAIR_USAGE_HALF_LIFE)
		return "half_life is not from 0 to FAIR_USAGE_HALF_LIFE";
	return NULL;
}

static size_t fair_ledger_usage_size(const struct fair_config *config)
{
	size_t one = fair_usage_size(config->users, 0, 1);
	uint32_t n = fair_config_charges(config);

	if (one > SIZE_MAX / 16)
		return 0;
	return fair_ledger_bytes(n * sizeof(struct fair_charge), n * one);
}

/* Memory of the ledger of resource @r, which has @one byte. */
static void *fair_charge_memory(const struct fair_config *config,
				struct fair_charge *c, uint32_t r, size_t one)
{
	return (char *)(c + fair_config_charges(config)) + r * one;
}

static int fair_ledger_usage_init(struct fair_sched *s, void *ledger)
{
	const struct fair_config *config = &s->config;
	const struct fair_machine_config *m = config->machine;
	struct fair_charge *c = (struct fair_charge *)ledger;
	size_t one = fair_usage_size(config->users, 0, 1);
	uint32_t n = fair_config_charges(config), r, i;
	int error = 0;

	for (r = 0; r < n; r++) {
		c[r].coarse = 0;
		c[r].amount = m ? 0 : config->procs;
		for (i = 0; m && i < m->classes; i++)
			c[r].amount += m->amount[i * m->resources + r];
		error |= fair_usage_init_half_life(
			&c[r].usage, sizeof(c->usage),
			fair_charge_memory(config, c, r, one), one,
			config->users, 1, 0, config->half_life);
	}
	return error;
}

static void fair_ledger_usage_clone(struct fair_sched *copy, void *ledger,
				    const struct fair_sched *s,
				    const void *from, const uint32_t *slot)
{
	const struct fair_charge *was = (const struct fair_charge *)from;
	struct fair_charge *c = (struct fair_charge *)ledger;
	size_t one = fair_usage_size(s->config.users, 0, 1);
	uint32_t r;

	(void)copy;
	(void)slot;
	for (r = 0; r < fair_config_charges(&s->config); r++) {
		c[r].amount = was[r].amount;
		c[r].coarse = was[r].coarse;
		fair_must(fair_usage_clone(
			&c[r].usage, fair_charge_memory(&s->config, c, r, one),
			one, &was[r].usage));
	}
}

/* @x * 2^@n, 0 < n < 64; or more than any share, if it has more than 192 bits.
 */
static void fair_share_shift(uint64_t x[3], uint32_t n)
{
	if (x[2] >> (64 - n))
		x[2] = UINT64_MAX;
	x[2] = x[2] << n | x[1] >> (64 - n);
	x[1] = x[1] << n | x[0] >> (64 - n);
	x[0] <<= n;
}

/* a * b.amount, in the finer unit of both, from the lowest word on */
static void fair_share_times(struct fair_share a, struct fair_share b,
			     uint64_t x[3])
{
	struct fair_wide whole = fair_multiply(a.whole, b.amount);
	struct fair_wide part = fair_multiply(a.fraction, b.amount);

	whole = fair_wide_add(whole, part.high);
	x[0] = part.low;
	x[1] = whole.low;
	x[2] = whole.high;
	if (a.coarse > b.coarse)
		fair_share_shift(x, a.coarse - b.coarse);
}

static bool fair_share_is_less(struct fair_share a, struct fair_share b)
{
	uint64_t x[3], y[3];
	int i = 2;

	fair_share_times(a, b, x);
	fair_share_times(b, a, y);
	while (i && x[i] == y[i])
		i--;
	return x[i] < y[i];
}

/*
 * Of decayed usage: to the nearest 2^-32 s of all that there is. The ledger
 * cuts a reading by some 2^-64 each time that a period passes, so shares that
 * are equal by the definition would differ by more where there is less of a
 * resource; rounded, they are equal in any unit.
 */
static struct fair_share fair_share_round(struct fair_share share)
{
	const uint64_t half = UINT64_C(1) << 31;
	struct fair_wide rest = { share.whole % share.amount, share.fraction };
	struct fair_share r = { share.whole / share.amount, 0, 1, 0 };
	uint64_t ignored;

	r.fraction = fair_divide(rest, share.amount, &ignored);
	fair_charge_shift(&r.whole, &r.fraction, (int32_t)share.coarse);
	r.fraction += half;
	r.whole += r.fraction < half;
	r.fraction &= ~(uint64_t)UINT32_MAX;
	return r;
}

/* The largest share of @user. */
static struct fair_share fair_ledger_usage_share(const struct fair_sched *s,
						 const struct fair_charge *c,
						 uint32_t user)
{
	bool rounds = s->config.order == FAIR_ORDER_DOMINANT &&
		      s->config.half_life;
	struct fair_share most = { 0, 0, 1, 0 }, share = { 0, 0, 0, 0 };
	uint32_t r;

	for (r = 0; r < fair_config_charges(&s->config); r++) {
		share.amount = (uint64_t)c[r].amount;
		share.coarse = c[r].coarse;
		(void)fair_usage_at(&c[r].usage, user,
				    s->now - s->config.origin, &share.whole,
				    &share.fraction);
		if (!share.amount)
			continue;
		if (rounds)
			share = fair_share_round(share);
		if (fair_share_is_less(most, share))
			most = share;
	}
	return most;
}

/* By usage [MR] formula 1: the user with the smallest goes first. */
static int fair_ledger_usage_order(const struct fair_sched *s,
				   const void *ledger, uint32_t a, uint32_t b)
{
	const struct fair_charge *c = (const struct fair_charge *)ledger;
	struct fair_share x = fair_ledger_usage_share(s, c, a);
	struct fair_share y = fair_ledger_usage_share(s, c, b);

	return fair_share_is_less(y, x) - fair_share_is_less(x, y);
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

/* What a job is charged a second of resource @r: by dominant share what it has
 * of it; else the caller's rate, or by config.billing, or its processors. */
static int64_t fair_ledger_usage_rate(const struct fair_sched *s, uint32_t slot,
				      uint32_t r)
{
	const struct fair_live *j = s->live + slot;
	struct fair_claim claim;

	if (s->config.order == FAIR_ORDER_DOMINANT) {
		claim = fair_sched_claim(s, slot);
		return claim.amount ? claim.amount[r] : claim.procs;
	}
	if (j->penalty)
		return j->penalty;
	if (s->config.billing)
		return fair_sched_second_cost(s, slot);
	return j->queued.procs * FAIR_PENALTY_ONE;
}

/* The same in the unit of the ledger, rounded up: no job is charged nothing. */
static int64_t fair_charge_rate(const struct fair_sched *s,
				const struct fair_charge *c, uint32_t slot,
				uint32_t r)
{
	int64_t rate = fair_ledger_usage_rate(s, slot, r);
	int64_t unit = (int64_t)1 << c[r].coarse;

	return rate / unit + (rate % unit != 0);
}

/*
 * Make the unit of resource @r twice as large. The running jobs are charged
 * again, by no more units than before: of a rate above 1 at most as many, for
 * it is halved and rounded up.
 */
static void fair_charge_coarsen(const struct fair_sched *s,
				struct fair_charge *c, uint32_t r)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_live *j;
	uint32_t slot;

	fair_must(fair_usage_coarsen(&c[r].usage));
	c[r].coarse++;
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		slot = fair_queue_slot(&s->running, at);
		j = s->live + slot;
		if (j->charged)
			fair_must(fair_usage_charge_provisional(
				&c[r].usage, j->user,
				fair_charge_rate(s, c, slot, r),
				j->queued.walltime));
	}
}

/* Whether there is room for a charge that got @error, in a larger unit. */
static bool fair_charge_makes_room(const struct fair_sched *s,
				   struct fair_charge *c, uint32_t r, int error)
{
	if (error != -FAIR_EOVERFLOW || c[r].coarse >= FAIR_COARSEST - 3)
		return false;
	fair_charge_coarsen(s, c, r);
	return true;
}

/* The first @n resources are no longer charged a walltime. */
static void fair_ledger_usage_cancel(struct fair_sched *s,
				     struct fair_charge *c, uint32_t slot,
				     uint32_t n, int64_t walltime)
{
	while (n--)
		fair_must(fair_usage_cancel_provisional(
			&c[n].usage, s->live[slot].user,
			fair_charge_rate(s, c, slot, n), walltime));
	s->live[slot].charged = false;
}

/* All resources are charged the walltime, or none. */
static void fair_ledger_usage_charge(struct fair_sched *s,
				     struct fair_charge *c, uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	uint32_t n = fair_config_charges(&s->config), r;
	int error = 0;

	for (r = 0; r < n && !error; r += !error)
		do
			error = fair_usage_charge_provisional(
				&c[r].usage, j->user,
				fair_charge_rate(s, c, slot, r),
				j->queued.walltime);
		while (fair_charge_makes_room(s, c, r, error));
	if (error)
		fair_ledger_usage_cancel(s, c, slot, r, j->queued.walltime);
	j->charged = !error;
}

/* A charged job ends: what it used replaces its walltime. */
static void fair_ledger_usage_end(struct fair_sched *s, struct fair_charge *c,
				  uint32_t slot)
{
	struct fair_live *j = s->live + slot;
	int64_t origin = s->config.origin;
	int64_t from = fair_later(j->started, origin);
	uint32_t n = fair_config_charges(&s->config), r;
	int error;

	if (!j->charged)
		return;
	fair_ledger_usage_cancel(s, c, slot, n, j->queued.walltime);
	for (r = 0; r < n; r++)
		do
			error = fair_usage_charge(
				&c[r].usage, j->user, from - origin,
				s->now - origin,
				fair_charge_rate(s, c, slot, r));
		while (fair_charge_makes_room(s, c, r, error));
}

static void fair_ledger_usage_notify(struct fair_sched *s, void *ledger,
				     uint32_t event, uint32_t slot, int64_t was)
{
	struct fair_charge *c = (struct fair_charge *)ledger;

	if (event == FAIR_LEDGER_ENDED)
		fair_ledger_usage_end(s, c, slot);
	if (event == FAIR_LEDGER_STARTED)
		fair_ledger_usage_charge(s, c, slot);
	if (event == FAIR_LEDGER_RESIZED && s->live[slot].charged) {
		fair_ledger_usage_cancel(
			s, c, slot, fair_config_charges(&s->config), was);
		fair_ledger_usage_charge(s, c, slot);
	}
}

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/* Where no unit is coarse there is no such section. */
static void fair_charge_save_units(const struct fair_sched *s,
				   const struct fair_charge *c,
				   struct fair_checkpoint *f)
{
	uint32_t n = fair_config_charges(&s->config), r = 0, coarse;

	while (r < n && !c[r].coarse)
		r++;
	if (r == n)
		return;
	fair_checkpoint_section(f, FAIR_COARSE_SECTION, n, 1);
	for (r = 0; r < n; r++) {
		coarse = c[r].coarse;
		fair_checkpoint_record(f);
		fair_checkpoint_u32(f, &coarse);
	}
}

static void fair_charge_load_units(const struct fair_sched *s,
				   struct fair_charge *c,
				   struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_COARSE_SECTION, 0, 0);
	uint32_t r;

	f->bad |= n && n != fair_config_charges(&s->config);
	for (r = 0; r < n && !f->bad; r++) {
		fair_checkpoint_record(f);
		fair_checkpoint_u32(f, &c[r].coarse);
		f->bad |= c[r].coarse > FAIR_COARSEST;
	}
}

static void fair_ledger_usage_save(const struct fair_sched *s,
				   const void *ledger,
				   struct fair_checkpoint *f)
{
	const struct fair_charge *c = (const struct fair_charge *)ledger;
	unsigned char *at;
	size_t bytes;
	uint32_t r;

	for (r = 0; r < fair_config_charges(&s->config); r++) {
		bytes = fair_usage_checkpoint_size(&c[r].usage);
		at = fair_checkpoint_bytes(f, fair_charge_section(s, r),
					   bytes);
		if (at)
			fair_must(fair_usage_save(&c[r].usage, at, bytes));
	}
	fair_charge_save_units(s, c, f);
}
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

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

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/*
 * The provisional charges are those of the running jobs: nothing is left when
 * they are taken back, for a try.
 */
static void fair_ledger_usage_load(struct fair_sched *s, void *ledger,
				   struct fair_checkpoint *f)
{
	struct fair_charge *c = (struct fair_charge *)ledger;
	int64_t latest = s->now - s->config.origin;
	const unsigned char *at;
	struct fair_usage *u;
	size_t bytes = 0;
	uint32_t r, i;

	fair_charge_load_units(s, c, f);
	for (r = 0; r < fair_config_charges(&s->config) && !f->bad; r++) {
		u = &c[r].usage;
		at = fair_checkpoint_find(f, fair_charge_section(s, r),
					  &bytes);
		f->bad |= !at || fair_usage_reload(u, latest, at, bytes);
		/* Running jobs are loaded first: in the slots from 0 on. */
		for (i = 0; i < s->running.jobs && !f->bad; i++)
			f->bad |= s->live[i].charged &&
				  fair_usage_cancel_provisional(
					  u, s->live[i].user,
					  fair_charge_rate(s, c, i, r),
					  s->live[i].queued.walltime);
		if (f->bad || fair_ledger_provisional(s, u))
			f->bad = true;
		else
			fair_must(fair_usage_reload(u, latest, at, bytes));
	}
}
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

/* Each ledger is sound, and its sum of provisional charges is right. */
static int fair_ledger_usage_check(const struct fair_sched *s,
				   const void *ledger)
{
	const struct fair_charge *c = (const struct fair_charge *)ledger;
	struct fair_queue_place at;
	uint32_t r, slot;
	uint64_t sum;

	for (r = 0; r < fair_config_charges(&s->config); r++) {
		if (fair_usage_check(&c[r].usage))
			return 1;
		sum = at.row = at.index = 0;
		for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
		     at.index++) {
			slot = fair_queue_slot(&s->running, at);
			if (s->live[slot].charged)
				sum += (uint64_t)fair_charge_rate(s, c, slot,
								  r) *
				       (uint64_t)s->live[slot].queued.walltime;
		}
		if (sum != fair_ledger_provisional(s, &c[r].usage))
			return 1;
	}
	return 0;
}

/* Of a user, the processor-seconds. */
static bool fair_ledger_usage_read(const struct fair_sched *s,
				   const void *ledger, uint32_t kind,
				   struct fair_entity *e)
{
	const struct fair_charge *c = (const struct fair_charge *)ledger;
	int32_t bits = (int32_t)fair_charge_bits(s);
	uint64_t whole, fraction = 0;

	if (kind != FAIR_ENTITY_USER ||
	    fair_usage_charged(&c[0].usage, e->index,
			       s->now - s->config.origin, &whole, &fraction))
		return false;
	fair_charge_shift(&whole, &fraction, (int32_t)c[0].coarse - bits);
	e->usage = whole;
	e->fraction = fraction;
	return true;
}

/* Set what @user has used of resource @r at @t to @whole.@fraction * 2^@n, in a
 * unit in which there is room for it. @whole is below 2^59. */
static void fair_charge_set(const struct fair_sched *s, struct fair_charge *c,
			    uint32_t r, uint32_t user, int64_t t,
			    uint64_t whole, uint64_t fraction, int32_t n)
{
	uint64_t usage, part;

	for (;; fair_charge_coarsen(s, c, r)) {
		usage = whole;
		part = fraction;
		fair_charge_shift(&usage, &part, n - (int32_t)c[r].coarse);
		if (!fair_usage_set(&c[r].usage, user, t, usage, part) ||
		    c[r].coarse == FAIR_COARSEST)
			return;
	}
}

/* The same share of resource @r as @usage of the first one: below 2^59, times
 * 2^@n. */
static uint64_t fair_charge_share(const struct fair_charge *c, uint64_t usage,
				  uint32_t r, int32_t *n)
{
	uint64_t all = (uint64_t)c[0].amount, rest;
	struct fair_wide product =
		fair_multiply(usage, (uint64_t)c[r].amount);

	for (*n = 0; product.high >= all ||
		     fair_divide(product, all, &rest) >> 59;
	     ++*n) {
		product.low = product.low >> 1 | product.high << 63;
		product.high >>= 1;
	}
	return fair_divide(product, all, &rest);
}

static int fair_ledger_usage_set(const struct fair_sched *s,
				 struct fair_charge *c,
				 const struct fair_entity *e)
{
	int64_t now = s->now - s->config.origin;
	uint32_t r = fair_config_charges(&s->config);
	int32_t n = (int32_t)fair_charge_bits(s);
	uint64_t usage;

	if (e->usage >> 59)
		return -FAIR_EOVERFLOW;
	fair_charge_set(s, c, 0, e->index, now, e->usage, e->fraction, n);
	while (--r) {
		usage = fair_charge_share(c, e->usage, r, &n);
		fair_charge_set(s, c, r, e->index, now, usage, 0, n);
	}
	return 0;
}

static void fair_ledger_usage_credit(const struct fair_sched *s,
				     struct fair_charge *c,
				     struct fair_entity *e)
{
	struct fair_usage_refund credit = { 0, 0, 0, 0, 0 };
	uint32_t r = fair_config_charges(&s->config);
	int32_t bits = (int32_t)fair_charge_bits(s), n;
	uint64_t fraction = 0;

	credit.t = s->now - s->config.origin;
	credit.entity = e->index;
	while (r--) {
		credit.amount = e->usage;
		n = bits;
		if (r)
			credit.amount = fair_charge_share(c, e->usage, r, &n);
		fraction = 0;
		fair_charge_shift(&credit.amount, &fraction,
				  n - (int32_t)c[r].coarse);
		fair_must(fair_usage_credit(&c[r].usage, &credit));
	}
	fraction = 0;
	e->usage = credit.taken;
	fair_charge_shift(&e->usage, &fraction, (int32_t)c[0].coarse - bits);
}

static int fair_ledger_usage_write(struct fair_sched *s, void *ledger,
				   uint32_t kind,
				   enum fair_entity_change change,
				   struct fair_entity *e)
{
	struct fair_charge *c = (struct fair_charge *)ledger;

	(void)kind;
	if (change == FAIR_ENTITY_SHARE)
		return -FAIR_EINVAL;
	if (change == FAIR_ENTITY_FORGET)
		e->usage = e->fraction = 0;
	if (change != FAIR_ENTITY_CREDIT)
		return fair_ledger_usage_set(s, c, e);
	fair_ledger_usage_credit(s, c, e);
	return 0;
}

static int fair_ledger_usage_change(const struct fair_sched *s,
				    struct fair_charge *c, int64_t half_life)
{
	uint32_t n = fair_config_charges(&s->config), r;

	for (r = 0; r < n; r++)
		if (c[r].coarse >= FAIR_COARSEST - 3)
			return -FAIR_EOVERFLOW;
	for (r = 0; r < n; r++)
		while (fair_usage_change_rule(&c[r].usage,
					      s->now - s->config.origin,
					      half_life, 0))
			fair_charge_coarsen(s, c, r);
	return 0;
}

/* In processors, as read() has processor-seconds. */
static int64_t fair_ledger_usage_whole_rate(const struct fair_sched *s,
					    uint32_t slot)
{
	return fair_ledger_usage_rate(s, slot, 0) >> fair_charge_bits(s);
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
	FAIR_SAVES(fair_ledger_usage_save),
	FAIR_SAVES(fair_ledger_usage_load),
	fair_ledger_usage_check,
	fair_ledger_usage_read,
	fair_ledger_usage_write,
	NULL, /* preload */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	fair_ledger_usage_whole_rate,
};

#endif /* FAIRSCHED_WITHOUT_USAGE */
