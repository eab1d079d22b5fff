/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_sfs.h"

#include <stdlib.h>
#include <string.h>

#include "sched_parts.h"

struct occupant {
	uint32_t number, account;
	int32_t procs;
};

struct sched_sfs {
	const int64_t *target; /* the caller's */
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
	return c;
}

void sched_sfs_free(struct sched_sfs *s)
{
	if (s)
		free(s->occupant);
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

bool sched_sfs_above_target(const struct sched_sfs *s, uint32_t account)
{
	int64_t occupancy = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->occupant[i].account == account)
			occupancy += s->occupant[i].procs;
	return occupancy > s->target[account];
}
