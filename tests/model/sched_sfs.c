/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_sfs.h"

#include <stdlib.h>
#include <string.h>

#include "sched_parts.h"

struct occupant {
	uint32_t number, account;
	int32_t procs;
};

/* A target that is no longer the caller's. */
struct changed {
	uint32_t account;
	int64_t target;
};

struct sched_sfs {
	const int64_t *target; /* the caller's */
	struct changed *changed;
	size_t changes;
	struct occupant *occupant;
	size_t n;
};

struct sched_sfs *sched_sfs_new(const struct model_rules *rules)
{
	struct sched_sfs *s = must(calloc(1, sizeof(*s)));

	s->target = rules->target;
	return s;
}

struct sched_sfs *sched_sfs_copy(const struct sched_sfs *s)
{
	struct sched_sfs *c = must(calloc(1, sizeof(*c)));

	*c = *s;
	c->occupant = must(calloc(s->n + 1, sizeof(*c->occupant)));
	if (s->n)
		memcpy(c->occupant, s->occupant, s->n * sizeof(*c->occupant));
	c->changed = must(calloc(s->changes + 1, sizeof(*c->changed)));
	if (s->changes)
		memcpy(c->changed, s->changed,
		       s->changes * sizeof(*c->changed));
	return c;
}

void sched_sfs_free(struct sched_sfs *s)
{
	if (s) {
		free(s->occupant);
		free(s->changed);
	}
	free(s);
}

void sched_sfs_start(struct sched_sfs *s, uint32_t number, uint32_t account,
		     int32_t procs)
{
	struct occupant *o;

	s->occupant =
		must(realloc(s->occupant, (s->n + 1) * sizeof(*s->occupant)));
	o = &s->occupant[s->n++];
	o->number = number;
	o->account = account;
	o->procs = procs;
}

void sched_sfs_leave(struct sched_sfs *s, uint32_t number)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->occupant[i].number == number)
			s->occupant[i--] = s->occupant[--s->n];
}

void sched_sfs_set_target(struct sched_sfs *s, uint32_t account,
			  int64_t target)
{
	s->changed = must(realloc(s->changed, (s->changes + 1) *
						      sizeof(*s->changed)));
	s->changed[s->changes].account = account;
	s->changed[s->changes++].target = target;
}

static int64_t target_of(const struct sched_sfs *s, uint32_t account)
{
	size_t i;

	for (i = s->changes; i-- > 0;)
		if (s->changed[i].account == account)
			return s->changed[i].target;
	return s->target[account];
}

bool sched_sfs_above_target(const struct sched_sfs *s, uint32_t account)
{
	int64_t occupancy = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->occupant[i].account == account)
			occupancy += s->occupant[i].procs;
	return occupancy > target_of(s, account);
}
