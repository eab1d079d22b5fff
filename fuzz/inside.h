/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * inside.h - the private state of a scheduler's planner and of its ledgers
 */
#ifndef INSIDE_H
#define INSIDE_H

#include <string.h>

#include "fairsched.h"

/* The planner of every policy except for the three below. */
static inline struct fair_backfill *afresh_of(const struct fair_sched *s)
{
	return (struct fair_backfill *)s->plan;
}

/* The planner of FAIR_CONSERVATIVE, FAIR_PC and FAIR_DC. */
static inline struct fair_conservative *promising_of(const struct fair_sched *s)
{
	return (struct fair_conservative *)s->plan;
}

/* Finds the ledger of this name; NULL if there is none. */
static inline void *ledger_of(const struct fair_sched *s, const char *name)
{
	uint32_t i;

	for (i = 0; i < s->ledgers; i++)
		if (!strcmp(s->ledger[i].ops->name, name))
			return s->ledger[i].state;
	return NULL;
}

static inline struct fair_usage *usage_of(const struct fair_sched *s)
{
	return (struct fair_usage *)ledger_of(s, "usage");
}

static inline struct fair_sfs *sfs_of(const struct fair_sched *s)
{
	return (struct fair_sfs *)ledger_of(s, "sfs");
}

static inline struct fair_relshare *relshare_of(const struct fair_sched *s)
{
	return (struct fair_relshare *)ledger_of(s, "relshare");
}

static inline struct fair_maui *maui_of(const struct fair_sched *s)
{
	return (struct fair_maui *)ledger_of(s, "maui");
}

#endif /* INSIDE_H */
