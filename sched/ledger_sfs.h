/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ledger_sfs.h - FAIR_SFS, by_target: accounts by occupancy
 *
 *   fair_ledger_ops --> fair_ledger_sfs_*() --> policies/sfs.h
 *
 * One function for each operation of struct fair_ledger_ops that it needs, in
 * the order of the table, which follows them.
 *
 * Uses: policy.h.
 */

#ifndef FAIRSCHED_WITHOUT_SFS

#define FAIR_SFS_SECTION 9 /* of a checkpoint: the targets */

static const char *fair_ledger_sfs_error(const struct fair_config *config)
{
	return config->accounts ? NULL : "FAIR_SFS or by_target needs accounts";
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
	if (event == FAIR_LEDGER_STARTED || event == FAIR_LEDGER_FILLED)
		fair_must(fair_sfs_start(sfs, j->account,
					 fair_sched_cost(s, slot)));
	if (event == FAIR_LEDGER_ENDED || event == FAIR_LEDGER_UNFILLED)
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

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
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
	f->bad |= !saved;
	for (i = 0; !f->bad && i < saved; i++) {
		fair_checkpoint_record(f);
		fair_checkpoint_i64(f, &target);
		f->bad |= fair_sfs_set_target((struct fair_sfs *)ledger, i,
					      target) != 0;
	}
}
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */

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
	0,     /* saves */
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
	FAIR_SAVES(fair_ledger_sfs_save),
	FAIR_SAVES(fair_ledger_sfs_load),
	fair_ledger_sfs_check,
	fair_ledger_sfs_read,
	fair_ledger_sfs_write,
	NULL, /* preload */
	NULL, /* resize */
	NULL, /* next_before */
	NULL, /* entities */
	NULL, /* rate */
};

#endif /* FAIRSCHED_WITHOUT_SFS */
