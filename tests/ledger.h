/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * ledger.h - readings of a usage ledger
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "usage.h"
#include "tests/test.h"

#define DAY 86400
#define WEEK (7 * DAY)
static unsigned char memory[8][1 << 16];

static inline void half_life(struct fair_usage *u, int slot, uint32_t entities,
			     int64_t h)
{
	TEST_OK(fair_usage_init_half_life(u, sizeof(*u), memory[slot],
					  sizeof(memory[slot]), entities, 4,
					  (uint64_t)slot, h));
}

static inline void windows(struct fair_usage *u, int slot, uint32_t entities,
			   uint32_t depth, int64_t interval, uint64_t decay)
{
	TEST_OK(fair_usage_init_windows(
		u, sizeof(*u), memory[slot], sizeof(memory[slot]), entities, 4,
		(uint64_t)slot, depth, interval, decay));
}

static inline uint64_t whole_at(const struct fair_usage *u, uint32_t entity,
				int64_t t)
{
	uint64_t whole = UINT64_MAX;

	TEST_EQ(fair_usage_at(u, entity, t, &whole, NULL), 0);
	return whole;
}

static inline int64_t share_at(const struct fair_usage *u, uint32_t entity,
			       int64_t t)
{
	int64_t points = -1;

	TEST_EQ(fair_usage_share(u, entity, t, &points), 0);
	return points;
}

static inline bool same_reading(const struct fair_usage *a,
				const struct fair_usage *b, uint32_t entity,
				int64_t t)
{
	uint64_t w[2], f[2];

	return !fair_usage_at(a, entity, t, &w[0], &f[0]) &&
	       !fair_usage_at(b, entity, t, &w[1], &f[1]) && w[0] == w[1] &&
	       f[0] == f[1];
}

#endif /* LEDGER_H */
