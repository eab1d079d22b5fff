/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * plain_ledger.h - what a ledger without a state has to have, and one order
 */
#ifndef PLAIN_LEDGER_H
#define PLAIN_LEDGER_H

#include "fairsched.h"

static inline size_t plain_size(const struct fair_config *config)
{
	(void)config;
	return 8;
}

static inline int plain_init(struct fair_sched *s, void *ledger)
{
	(void)s;
	(void)ledger;
	return 0;
}

static inline void plain_clone(struct fair_sched *copy, void *ledger,
			       const struct fair_sched *s, const void *from,
			       const uint32_t *slot)
{
	(void)copy;
	(void)ledger;
	(void)s;
	(void)from;
	(void)slot;
}

static inline int all_tie(const struct fair_sched *s, const void *ledger,
			  uint32_t a, uint32_t b)
{
	(void)s;
	(void)ledger;
	(void)a;
	(void)b;
	return 0;
}

#endif /* PLAIN_LEDGER_H */
