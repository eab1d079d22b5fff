/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/entities.h - events of users, groups, accounts, QoS and queues
 *
 *   id --> fair_sched_index() --> the ledgers: read() and write()
 *
 * Uses: events.h.
 */

static bool fair_ledgers_read(const struct fair_sched *s, uint32_t kind,
			      struct fair_entity *e)
{
	const struct fair_ledger *l = s->ledger;
	bool keeps = false;

	for (; l < s->ledger + s->ledgers; l++)
		if (l->ops->read)
			keeps |= l->ops->read(s, l->state, kind, e);
	return keeps;
}

/* Change an entity in each ledger that keeps it: 0, or the first error. */
static int fair_ledgers_write(struct fair_sched *s, uint32_t kind,
			      enum fair_entity_change change,
			      struct fair_entity *e)
{
	const struct fair_ledger *l = s->ledger;
	struct fair_entity kept = *e;
	int error = -FAIR_EINVAL;

	for (; l < s->ledger + s->ledgers; l++) {
		if (!l->ops->write || !l->ops->read(s, l->state, kind, &kept))
			continue;
		error = l->ops->write(s, l->state, kind, change, e);
		if (error)
			return error;
	}
	return error;
}

/* The entity of an index; false: there is none, or nothing is known of it. */
static bool fair_sched_read_entity(const struct fair_sched *s, uint32_t kind,
				   uint32_t index, struct fair_entity *e)
{
	bool exists = s->ids && fair_ids_has(s->ids + kind, index);

	FAIR_MEMSET(e, 0, sizeof(*e));
	e->index = index;
	if (index == FAIR_NO_ENTITY || (s->ids && !exists))
		return false;
	e->id = fair_sched_id(s, kind, index);
	return fair_ledgers_read(s, kind, e) || exists;
}

/* 0, or why nothing can be changed at @now of an entity; its index. */
static int fair_sched_validate_entity(const struct fair_sched *s, int64_t now,
				      uint32_t kind, uint64_t id,
				      struct fair_entity *e)
{
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (kind >= FAIR_ENTITY_KINDS)
		return -FAIR_EINVAL;
	return fair_sched_read_entity(s, kind, fair_sched_index(s, kind, id), e)
		       ? 0
		       : -FAIR_ENOENT;
}

FAIRSCHED_API int fair_sched_add_entity(struct fair_sched *s, int64_t now,
					uint32_t kind, uint64_t id)
{
	int error = fair_sched_validate_time(s, now);
	struct fair_ids *x;

	if (error)
		return error;
	if (!s->ids || kind >= FAIR_ENTITY_KINDS || id == FAIR_NO_ENTITY)
		return -FAIR_EINVAL;
	x = s->ids + kind;
	if (fair_ids_find(x, id) != FAIR_NO_ENTITY)
		return -FAIR_EINVAL;
	if (x->used - x->spares == x->room)
		return -FAIR_ENOSPC;
	fair_sched_advance_time(s, now);
	(void)fair_ids_add(x, id);
	return 0;
}

/* Whether a live job belongs to the entity. */
static bool fair_sched_has_job_of(const struct fair_sched *s, uint32_t kind,
				  uint32_t index)
{
	const struct fair_queue *q[2];
	struct fair_queue_place at;
	uint32_t i;

	q[0] = &s->running;
	q[1] = fair_sched_queue(s);
	for (i = 0; i < 2; i++)
		for (at.row = at.index = 0;
		     fair_queue_next_fitting(q[i], &at, INT32_MAX); at.index++)
			if (fair_live_index(s->live + fair_queue_slot(q[i], at),
					    kind) == index)
				return true;
	for (i = 0; i < s->ineligibles; i++)
		if (fair_live_index(s->live + s->ineligible[i].slot, kind) ==
		    index)
			return true;
	return false;
}

FAIRSCHED_API int fair_sched_remove_entity(struct fair_sched *s, int64_t now,
					   uint32_t kind, uint64_t id)
{
	struct fair_entity e;
	int error = fair_sched_validate_entity(s, now, kind, id, &e);

	if (error)
		return error;
	if (!s->ids || fair_sched_has_job_of(s, kind, e.index))
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	(void)fair_sched_read_entity(s, kind, e.index, &e);
	if (e.usage)
		return -FAIR_EINVAL;
	(void)fair_ledgers_write(s, kind, FAIR_ENTITY_FORGET, &e);
	fair_sched_maui_forget(s, kind, e.index);
	fair_sched_drop_limits(s, false, kind, e.index);
	fair_ids_remove(s->ids + kind, id);
	return 0;
}

/* An event that changes an entity in the ledgers; decide again. */
static int fair_sched_change_entity(struct fair_sched *s, int64_t now,
				    uint32_t kind,
				    enum fair_entity_change change,
				    struct fair_entity *e)
{
	int error;

	fair_sched_advance_time(s, now);
	error = fair_ledgers_write(s, kind, change, e);
	if (!error)
		fair_planner_replan(s);
	return error;
}

FAIRSCHED_API int fair_sched_set_share(struct fair_sched *s, int64_t now,
				       uint32_t kind, uint64_t id,
				       int64_t share)
{
	struct fair_entity e;
	int error = fair_sched_validate_entity(s, now, kind, id, &e);

	e.share = share;
	return error ? error
		     : fair_sched_change_entity(s, now, kind, FAIR_ENTITY_SHARE,
						&e);
}

FAIRSCHED_API int fair_sched_set_usage(struct fair_sched *s, int64_t now,
				       uint32_t kind, uint64_t id,
				       uint64_t usage)
{
	struct fair_entity e;
	int error = fair_sched_validate_entity(s, now, kind, id, &e);

	e.usage = usage;
	e.fraction = 0;
	return error ? error
		     : fair_sched_change_entity(s, now, kind, FAIR_ENTITY_USAGE,
						&e);
}

FAIRSCHED_API int fair_sched_credit(struct fair_sched *s, int64_t now,
				    uint32_t kind, uint64_t id, uint64_t amount,
				    uint32_t reason)
{
	struct fair_entity e;
	int error = fair_sched_validate_entity(s, now, kind, id, &e);
	struct fair_credit *c;

	if (error)
		return error;
	e.usage = amount;
	error = fair_sched_change_entity(s, now, kind, FAIR_ENTITY_CREDIT, &e);
	if (error || !s->config.credits)
		return error;
	c = s->credit + s->credits++ % s->config.credits;
	c->time = now;
	c->id = id;
	c->kind = kind;
	c->reason = reason;
	c->amount = amount;
	c->taken = e.usage;
	return 0;
}

FAIRSCHED_API bool fair_sched_get_credit(const struct fair_sched *s, uint32_t i,
					 struct fair_credit *credit)
{
	if (i >= s->credits || i >= s->config.credits)
		return false;
	*credit = s->credit[(s->credits - 1 - i) % s->config.credits];
	return true;
}

FAIRSCHED_API int fair_sched_reset_usage(struct fair_sched *s, int64_t now)
{
	int error = fair_sched_validate_time(s, now);
	struct fair_entity e;
	uint32_t kind, i;

	if (error)
		return error;
	fair_sched_advance_time(s, now);
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		for (i = 0; i < fair_config_entities(&s->config, kind); i++) {
			if (!fair_sched_read_entity(s, kind, i, &e))
				continue;
			e.usage = e.fraction = 0;
			(void)fair_ledgers_write(s, kind, FAIR_ENTITY_USAGE,
						 &e);
		}
	if (fair_sched_tree(s))
		fair_ledger_tree_reset(s);
	fair_planner_replan(s);
	return 0;
}

#ifndef FAIRSCHED_WITHOUT_USAGE
FAIRSCHED_API int fair_sched_set_half_life(struct fair_sched *s, int64_t now,
					   int64_t half_life)
{
	struct fair_charge *c =
		(struct fair_charge *)(uintptr_t)fair_sched_ledger(
			s, &fair_ledger_usage);
	bool tree = fair_sched_tree(s) != NULL;
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if ((!c && !tree) || half_life < tree ||
	    half_life > FAIR_USAGE_HALF_LIFE)
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	error = c ? fair_ledger_usage_change(s, c, half_life)
		  : fair_ledger_tree_set_half_life(s, half_life);
	if (error)
		return error;
	s->config.half_life = half_life;
	fair_planner_replan(s);
	return 0;
}
#else /* FAIRSCHED_WITHOUT_USAGE */
FAIRSCHED_API int fair_sched_set_half_life(struct fair_sched *s, int64_t now,
					   int64_t half_life)
{
	int error = fair_sched_validate_time(s, now);

	(void)half_life;
	return error ? error : -FAIR_EINVAL;
}
#endif /* FAIRSCHED_WITHOUT_USAGE */

FAIRSCHED_API int fair_sched_set_window(struct fair_sched *s, int64_t now,
					int64_t window, uint64_t decay)
{
	bool maui = fair_sched_maui_of(s) != NULL;
	bool relshare = fair_sched_relshare_of(s) != NULL;
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (window < 1 || (!maui && (!relshare || decay)))
		return -FAIR_EINVAL;
	fair_sched_advance_time(s, now);
	error = relshare ? fair_sched_relshare_window(s, window)
			 : fair_sched_maui_window(s, window, decay);
	if (error)
		return error;
	if (relshare)
		s->config.window = window;
	fair_planner_replan(s);
	return 0;
}

#ifndef FAIRSCHED_WITHOUT_MAUI
FAIRSCHED_API int
fair_sched_set_credential(struct fair_sched *s, int64_t now, uint32_t kind,
			  uint64_t id,
			  const struct fair_maui_credential *credential)
{
	struct fair_maui *m =
		(struct fair_maui *)(uintptr_t)fair_sched_maui_of(s);
	uint32_t index;
	int error = fair_sched_validate_time(s, now);

	if (error)
		return error;
	if (!m || kind >= FAIR_ENTITY_KINDS)
		return -FAIR_EINVAL;
	index = fair_sched_index(s, kind, id);
	if (index >= m->config->count[kind])
		return -FAIR_ENOENT;
	fair_sched_advance_time(s, now);
	error = fair_maui_set_credential(m, (int)kind, index, credential);
	if (!error)
		fair_planner_replan(s);
	return error;
}
#endif /* FAIRSCHED_WITHOUT_MAUI */

FAIRSCHED_API int fair_sched_get_entity(const struct fair_sched *s,
					uint32_t kind, uint64_t id,
					struct fair_entity *entity)
{
	struct fair_entity e;

	if (kind >= FAIR_ENTITY_KINDS || !entity)
		return -FAIR_EINVAL;
	if (!fair_sched_read_entity(s, kind, fair_sched_index(s, kind, id), &e))
		return -FAIR_ENOENT;
	*entity = e;
	return 0;
}

FAIRSCHED_API bool fair_sched_each_entity(const struct fair_sched *s,
					  uint32_t kind, uint32_t *at,
					  struct fair_entity *entity)
{
	struct fair_entity e;
	uint32_t n;

	if (kind >= FAIR_ENTITY_KINDS)
		return false;
	n = s->ids ? s->ids[kind].used : fair_config_entities(&s->config, kind);
	while (*at < n)
		if (fair_sched_read_entity(s, kind, (*at)++, &e)) {
			*entity = e;
			return true;
		}
	return false;
}
