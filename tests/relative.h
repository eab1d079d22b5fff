/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * relative.h - users that share a machine relative to their shares
 */
#ifndef RELATIVE_H
#define RELATIVE_H

#include "policies/relshare.h"
#include "tests/test.h"

#define HOUR 3600
#define DAY 86400
static unsigned char rooms[2][1 << 16];

static inline struct fair_relshare_config plain(uint32_t users, int32_t procs,
						int64_t window)
{
	return (struct fair_relshare_config){ .users = users,
					      .jobs = 64,
					      .procs = procs,
					      .window = window,
					      .expected = true };
}

static inline void make(struct fair_relshare *r,
			const struct fair_relshare_config *config)
{
	TEST_OK(fair_relshare_init(r, sizeof(*r), rooms[0], sizeof(rooms[0]),
				   config));
	TEST_EQ(fair_relshare_check(r), 0);
}

static inline void machine(struct fair_relshare *r, uint32_t users,
			   int32_t procs, int64_t window)
{
	struct fair_relshare_config config = plain(users, procs, window);

	make(r, &config);
}

static inline void submit(struct fair_relshare *r, int64_t now, uint32_t slot,
			  uint32_t user, int32_t procs)
{
	TEST_EQ(fair_relshare_submit(r, now, slot, user, procs), 0);
	TEST_EQ(fair_relshare_check(r), 0);
}

static inline void start(struct fair_relshare *r, int64_t now, uint32_t slot,
			 int64_t end)
{
	TEST_EQ(fair_relshare_start(r, now, slot, end), 0);
	TEST_EQ(fair_relshare_check(r), 0);
}

static inline void finish(struct fair_relshare *r, int64_t now, uint32_t slot)
{
	TEST_EQ(fair_relshare_finish(r, now, slot), 0);
	TEST_EQ(fair_relshare_check(r), 0);
}

/* -1 where it is not a whole number */
static inline int64_t entitlement(const struct fair_relshare *r, uint32_t user,
				  int64_t t)
{
	uint64_t whole = 0, fraction = 1;

	TEST_EQ(fair_relshare_entitlement(r, user, t, &whole, &fraction), 0);
	return fraction ? -1 : (int64_t)whole;
}

static inline int64_t entitled(const struct fair_relshare *r, uint32_t user)
{
	uint64_t whole = 0, fraction = 1;

	TEST_EQ(fair_relshare_entitled(r, user, &whole, &fraction), 0);
	return fraction ? -1 : (int64_t)whole;
}

static inline int64_t used(const struct fair_relshare *r, uint32_t user,
			   int64_t t)
{
	uint64_t amount = 0;

	TEST_EQ(fair_relshare_used(r, user, t, &amount), 0);
	return (int64_t)amount;
}

#endif /* RELATIVE_H */
