/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/ids.h - the caller's ids of users, groups, accounts, QoS and queues
 *
 *   id --> hash[] --> index --> id[index]
 *
 * Ledgers know entities by their index, a small number. Without config.ids an
 * id is its index, and nothing is stored. With it, an index belongs to the id
 * that fair_sched_add_entity() gave it, until fair_sched_remove_entity().
 *
 * Uses: space.h.
 */

/* How many ids of a kind there is room for. */
struct fair_ids_rooms {
	uint32_t of[FAIR_ENTITY_KINDS];
};

/* The hash is at most half full. */
static uint32_t fair_ids_bits(uint32_t room)
{
	uint32_t bits = 1;

	while (((uint64_t)1 << bits) < 2 * (uint64_t)room)
		bits++;
	return bits;
}

static uint64_t fair_ids_kind_size(uint32_t room)
{
	return (uint64_t)room * (sizeof(uint64_t) + sizeof(uint32_t)) +
	       ((uint64_t)sizeof(uint32_t) << fair_ids_bits(room)) + 7;
}

/* Bytes of the tables of all kinds; 0: too large. */
static size_t fair_ids_size(struct fair_ids_rooms rooms)
{
	uint64_t bytes = FAIR_ENTITY_KINDS * sizeof(struct fair_ids);
	uint32_t kind;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		bytes += fair_ids_kind_size(rooms.of[kind]);
	return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

/* Lay out the tables of s->ids, which are empty. */
static void fair_ids_init(struct fair_sched *s, struct fair_ids_rooms rooms)
{
	char *at = (char *)(s->ids + FAIR_ENTITY_KINDS);
	struct fair_ids *x;
	uint32_t kind, room;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		x = s->ids + kind;
		room = rooms.of[kind];
		at += (8 - (uintptr_t)at % 8) % 8;
		x->id = (uint64_t *)(void *)at;
		x->spare = (uint32_t *)(void *)(x->id + room);
		x->hash = x->spare + room;
		x->room = room;
		x->used = x->spares = 0;
		x->bits = fair_ids_bits(room);
		FAIR_MEMSET(x->hash, 0, sizeof(*x->hash) << x->bits);
		at = (char *)(x->hash + ((size_t)1 << x->bits));
	}
}

static void fair_ids_clone(struct fair_sched *copy, const struct fair_sched *s)
{
	const struct fair_ids *from = s->ids;
	struct fair_ids *x = copy->ids;
	struct fair_ids_rooms rooms;
	uint32_t kind;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		rooms.of[kind] = from[kind].room;
	fair_ids_init(copy, rooms);
	for (; from < s->ids + FAIR_ENTITY_KINDS; from++, x++) {
		x->used = from->used;
		x->spares = from->spares;
		FAIR_MEMCPY(x->id, from->id, from->used * sizeof(*x->id));
		FAIR_MEMCPY(x->spare, from->spare,
			    from->spares * sizeof(*x->spare));
		FAIR_MEMCPY(x->hash, from->hash, sizeof(*x->hash) << x->bits);
	}
}

static uint32_t fair_ids_hash(const struct fair_ids *x, uint64_t id)
{
	return (uint32_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >>
			  (64 - x->bits));
}

/* The entry of @id, or the free one where it would be added. */
static uint32_t fair_ids_entry(const struct fair_ids *x, uint64_t id)
{
	uint32_t mask = ((uint32_t)1 << x->bits) - 1, i = fair_ids_hash(x, id);

	while (x->hash[i] && x->id[x->hash[i] - 1] != id)
		i = (i + 1) & mask;
	return i;
}

/* The index of @id; FAIR_NO_ENTITY: none. */
static uint32_t fair_ids_find(const struct fair_ids *x, uint64_t id)
{
	return x->hash[fair_ids_entry(x, id)] - 1;
}

/* Whether some id has the index. */
static bool fair_ids_has(const struct fair_ids *x, uint32_t index)
{
	return index < x->used && fair_ids_find(x, x->id[index]) == index;
}

/* There is room, and no such id. */
static uint32_t fair_ids_add(struct fair_ids *x, uint64_t id)
{
	uint32_t index = x->spares ? x->spare[--x->spares] : x->used++;

	x->hash[fair_ids_entry(x, id)] = index + 1;
	x->id[index] = id;
	return index;
}

/* Each entry behind the gap moves into it if its search begins at it or
 * before. */
static void fair_ids_remove(struct fair_ids *x, uint64_t id)
{
	uint32_t mask = ((uint32_t)1 << x->bits) - 1, first;
	uint32_t gap = fair_ids_entry(x, id), i = gap;

	x->spare[x->spares++] = x->hash[gap] - 1;
	for (;;) {
		i = (i + 1) & mask;
		if (!x->hash[i])
			break;
		first = fair_ids_hash(x, x->id[x->hash[i] - 1]);
		if (((i - first) & mask) < ((i - gap) & mask))
			continue;
		x->hash[gap] = x->hash[i];
		gap = i;
	}
	x->hash[gap] = 0;
}

/* The index of an id of the caller's; FAIR_NO_ENTITY: there is none. */
static uint32_t fair_sched_index(const struct fair_sched *s, uint32_t kind,
				 uint64_t id)
{
	if (s->ids)
		return fair_ids_find(s->ids + kind, id);
	return id < UINT32_MAX ? (uint32_t)id : FAIR_NO_ENTITY;
}

/* The id of an index. */
static uint64_t fair_sched_id(const struct fair_sched *s, uint32_t kind,
			      uint32_t index)
{
	return s->ids && index != FAIR_NO_ENTITY ? s->ids[kind].id[index]
						 : index;
}

static uint64_t *fair_job_id(struct fair_job *job, uint32_t kind)
{
	switch (kind) {
	case FAIR_ENTITY_USER:
		return &job->user;
	case FAIR_ENTITY_GROUP:
		return &job->group;
	case FAIR_ENTITY_ACCOUNT:
		return &job->account;
	case FAIR_ENTITY_QOS:
		return &job->qos;
	default:
		return &job->queue;
	}
}

/*
 * The job with indexes instead of ids, perhaps in @indexed; NULL: an id is
 * unknown. 0, if it was not added, means none, too.
 */
static const struct fair_job *fair_sched_resolve(const struct fair_sched *s,
						 const struct fair_job *job,
						 struct fair_job *indexed)
{
	uint32_t kind, index;
	uint64_t *id;

	if (!s->ids)
		return (job->user | job->group | job->account | job->queue |
			job->qos) >> 32
			       ? NULL
			       : job;
	*indexed = *job;
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		id = fair_job_id(indexed, kind);
		index = fair_ids_find(s->ids + kind, *id);
		if (index == FAIR_NO_ENTITY && *id && *id != FAIR_NO_ENTITY)
			return NULL;
		*id = index;
	}
	return indexed;
}

static uint32_t fair_live_index(const struct fair_live *j, uint32_t kind)
{
	switch (kind) {
	case FAIR_ENTITY_USER:
		return j->user;
	case FAIR_ENTITY_GROUP:
		return j->group;
	case FAIR_ENTITY_ACCOUNT:
		return j->account;
	case FAIR_ENTITY_QOS:
		return j->qos;
	default:
		return j->queue;
	}
}

/* The ids of a live job. */
static void fair_sched_describe_ids(const struct fair_sched *s,
				    const struct fair_live *j,
				    struct fair_job *job)
{
	uint32_t kind;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		*fair_job_id(job, kind) =
			fair_sched_id(s, kind, fair_live_index(j, kind));
}

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

/* CHECKPOINTS */

enum fair_ids_section {
	FAIR_SECTION_ROOM = 60, /* config.ids, config.credits, credits so far */
	FAIR_SECTION_IDS,	/* by kind and index */
	FAIR_SECTION_CREDITS	/* the oldest first */
};

static void fair_fields_room(struct fair_checkpoint *f, struct fair_config *c,
			     uint64_t *credits)
{
	fair_checkpoint_one(f, FAIR_SECTION_ROOM, 3);
	fair_checkpoint_u32(f, &c->ids);
	fair_checkpoint_u32(f, &c->credits);
	fair_checkpoint_u64(f, credits);
}

static void fair_fields_id(struct fair_checkpoint *f, uint32_t *kind,
			   uint32_t *index, uint64_t *id)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u32(f, kind);
	fair_checkpoint_u32(f, index);
	fair_checkpoint_u64(f, id);
}

static void fair_fields_credit(struct fair_checkpoint *f, struct fair_credit *c)
{
	fair_checkpoint_record(f);
	fair_checkpoint_i64(f, &c->time);
	fair_checkpoint_u64(f, &c->id);
	fair_checkpoint_u32(f, &c->kind);
	fair_checkpoint_u32(f, &c->reason);
	fair_checkpoint_u64(f, &c->amount);
	fair_checkpoint_u64(f, &c->taken);
	f->bad |= c->kind >= FAIR_ENTITY_KINDS || c->taken > c->amount;
}

static void fair_ids_save(const struct fair_sched *s, struct fair_checkpoint *f)
{
	uint64_t n = 0;
	uint32_t kind, i;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		n += s->ids[kind].used - s->ids[kind].spares;
	fair_checkpoint_section(f, FAIR_SECTION_IDS, n, 3);
	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++)
		for (i = 0; i < s->ids[kind].used; i++)
			if (fair_ids_has(s->ids + kind, i))
				fair_fields_id(f, &kind, &i,
					       s->ids[kind].id + i);
}

/* Without config.ids and config.credits there are no such sections. */
static void fair_sched_save_entities(const struct fair_sched *s,
				     struct fair_checkpoint *f)
{
	struct fair_config c = s->config;
	uint64_t credits = s->credits, i;
	struct fair_credit credit;

	if (!c.ids && !c.credits)
		return;
	fair_fields_room(f, &c, &credits);
	if (s->ids)
		fair_ids_save(s, f);
	i = credits < c.credits ? credits : c.credits;
	fair_checkpoint_section(f, FAIR_SECTION_CREDITS, i, 6);
	for (; i; i--) {
		credit = s->credit[(credits - i) % c.credits];
		fair_fields_credit(f, &credit);
	}
}

/* 0; 1: damaged; -FAIR_ENOSPC: there are too many. */
static int fair_ids_load(struct fair_sched *s, struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_SECTION_IDS, 0, 0);
	struct fair_ids *x;

	while (n--) {
		uint32_t kind = 0, index = 0;
		uint64_t id = 0;

		fair_fields_id(f, &kind, &index, &id);
		if (f->bad || kind >= FAIR_ENTITY_KINDS)
			return 1;
		x = s->ids + kind;
		if (index >= x->room)
			return -FAIR_ENOSPC;
		if (index < x->used || id == FAIR_NO_ENTITY ||
		    fair_ids_find(x, id) != FAIR_NO_ENTITY)
			return 1;
		for (; x->used < index; x->used++) {
			x->id[x->used] = 0;
			x->spare[x->spares++] = x->used;
		}
		x->id[x->used++] = id;
		x->hash[fair_ids_entry(x, id)] = index + 1;
	}
	return 0;
}

/* The same errors. */
static int fair_sched_load_entities(struct fair_sched *s,
				    struct fair_checkpoint *f)
{
	struct fair_config c = s->config;
	uint64_t credits = 0, n;
	int error = 0;

	if (!fair_checkpoint_section(f, FAIR_SECTION_ROOM, 0, 0))
		return 0; /* nor has @s ids: both configurations agree */
	fair_fields_room(f, &c, &credits);
	if (s->ids)
		error = fair_ids_load(s, f);
	n = fair_checkpoint_section(f, FAIR_SECTION_CREDITS, 0, 0);
	if (error || n > credits)
		return error ? error : 1;
	for (s->credits = credits - n; n--; s->credits++) {
		struct fair_credit credit = { 0, 0, 0, 0, 0, 0 };

		fair_fields_credit(f, &credit);
		f->bad |= credit.time < s->config.origin ||
			  credit.time > s->now;
		if (s->config.credits)
			s->credit[s->credits % s->config.credits] = credit;
	}
	return f->bad;
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
