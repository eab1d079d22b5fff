/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * relshare.h refuses what it cannot count, takes memory at any address, and
 * fair_relshare_check() names the first invariant that is broken.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/relative.h"

/* Of a config of 64 jobs, if that can be. */
static uint64_t bytes_of(uint64_t users)
{
	return users * (sizeof(struct fair_relshare_user) + 4) +
	       64 * (sizeof(struct fair_relshare_job) + 4) + 7 +
	       (users + 1) * 24 + sizeof(struct fair_usage_source) + 63;
}

/* As large as can be counted, and one user more. */
TEST(largest_size)
{
	struct fair_relshare_config c = plain(0, 10, 100);
	struct fair_relshare r;
	uint32_t bit;

	for (bit = FAIR_RELSHARE_USERS / 2; bit; bit /= 2)
		if (bytes_of(c.users | bit) <= SIZE_MAX)
			c.users |= bit;
	TEST_CHECK(fair_relshare_size(&c) == bytes_of(c.users));
	c.users++;
	TEST_CHECK(fair_relshare_size(&c) == (bytes_of(c.users) <= SIZE_MAX
						      ? bytes_of(c.users)
						      : 0));
	if (!fair_relshare_size(&c))
		TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], SIZE_MAX,
					   &c),
			-FAIR_ENOMEM);
}

/* Wherever memory begins, users are at a multiple of 8, not far behind. */
TEST(odd_addresses)
{
	struct fair_relshare_config c = plain(3, 10, 100);
	struct fair_relshare r;
	size_t shift;

	for (shift = 8; shift < 24; shift++) {
		TEST_OK(fair_relshare_init(&r, sizeof(r), rooms[0] + shift,
					   fair_relshare_size(&c), &c));
		TEST_EQ((uintptr_t)r.user % 8, 0);
		TEST_CHECK((uintptr_t)r.user - (uintptr_t)(rooms[0] + shift) <=
			   8);
	}
}

TEST(bounds_of_a_config)
{
	const int64_t late = INT64_C(1) << 62;
	struct fair_relshare_config c = plain(3, 10, 100), far = c;
	struct fair_relshare r;

	TEST_CHECK(fair_relshare_size(&c) == bytes_of(3));
	c.users = FAIR_RELSHARE_USERS;
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], 0, &c),
		-FAIR_ENOMEM);
	c.users = 3;
	c.jobs = FAIR_RELSHARE_JOBS;
	TEST_EQ(fair_relshare_init(&r, sizeof(r), rooms[0], 0, &c),
		-FAIR_ENOMEM);
	far.origin = far.first = -late;
	make(&r, &far);
	far.origin = far.first = late;
	make(&r, &far);
}

TEST(broken_lists)
{
	struct fair_relshare_config c = plain(2, 10, 100);
	struct fair_relshare r;

	c.jobs = 2;
	make(&r, &c);
	submit(&r, 0, 1, 0, 4);
	submit(&r, 0, 0, 0, 4);	/* as many as there can be */
	TEST_WITH(r.live, UINT32_MAX, fair_relshare_check(&r), 2);
	TEST_WITH(r.job[1].at, 1, fair_relshare_check(&r), 2);
	TEST_WITH(r.job[0].procs, -4, fair_relshare_check(&r), 2);
	TEST_WITH(r.list[1], UINT32_MAX, fair_relshare_check(&r), 2);
	TEST_WITH(r.order[0], UINT32_MAX, fair_relshare_check(&r), 4);
	TEST_EQ(fair_relshare_check(&r), 0);
}

/* One behind the last job, or user, is none, and looks like one by chance. */
TEST(behind_the_last)
{
	static const uint32_t like_a_job[6] = { 64, 0, 4, 0, 0, 0 };
	struct fair_relshare r;

	machine(&r, 2, 10, 100);
	submit(&r, 0, 3, 0, 4);
	memcpy(r.list, like_a_job, sizeof(like_a_job));
	TEST_EQ(fair_relshare_check(&r), 2);
	machine(&r, 2, 10, 100);
	submit(&r, 0, 3, 0, 4);
	submit(&r, 0, 4, 1, 40);
	memcpy(r.user + 2, r.user + 1, sizeof(*r.user));
	r.order[1] = 2;
	TEST_EQ(fair_relshare_check(&r), 4);
}

/* A sum that is wrong by 2^63: where the user's hash is odd, it shows. */
TEST(upper_bits_of_sums)
{
	struct fair_relshare r;
	uint32_t i, seen = 0;

	machine(&r, 64, 10, 100);
	for (i = 0; i < 64; i++) {
		r.user[i].due = UINT64_C(1) << 63;
		seen += fair_relshare_check(&r) == 3;
		r.user[i].due = 0;
	}
	TEST_CHECK(seen > 16);
}

TEST(capacity_overflow)
{
	struct fair_relshare r;

	machine(&r, 1, 8, INT64_C(1) << 56);
	TEST_EQ(fair_relshare_capacity(&r, 0, 9), -FAIR_EOVERFLOW);
	TEST_EQ(fair_relshare_capacity(&r, 0, 8), 0);
}

/* User 0 is full, user 1 is not; one job of each runs. */
static void unbroken(struct fair_relshare *r)
{
	machine(r, 3, 20, 1000);
	TEST_EQ(fair_relshare_share(r, 0, 1, 2), 0);
	submit(r, 0, 0, 0, 4);
	submit(r, 0, 1, 1, 30);
	submit(r, 0, 2, 1, 6);
	start(r, 10, 0, 100);
	start(r, 10, 2, 100);
	TEST_EQ(fair_relshare_check(r), 0);
}

TEST(checks_see_what_is_broken)
{
	struct fair_relshare r;

#define BREAKS(what, number)                                                   \
	do {                                                                   \
		unbroken(&r);                                                  \
		what;                                                          \
		TEST_EQ(fair_relshare_check(&r), (number));                    \
	} while (0)
	BREAKS(r.usage.latest++, 1);
	BREAKS(r.usage.row[1]++, 1);
	BREAKS(r.live--, 2);
	BREAKS(r.live = 65, 2);
	BREAKS(r.list[1] = 64, 2);
	BREAKS(r.job[1].at = 2, 2);
	BREAKS(r.job[1].procs = 0, 2);
	BREAKS(r.job[1].user = 3, 2);
	BREAKS(r.job[5].procs = 1, 2);
	BREAKS(r.user[0].request++, 3);
	BREAKS(r.user[0].busy--, 3);
	BREAKS(r.user[1].due++, 3);
	BREAKS(r.job[0].user = 1, 3);
	BREAKS(r.job[0].end++, 3);
	BREAKS((r.user[0].request++, r.user[1].request--), 3);
	BREAKS(r.active--, 4);
	BREAKS(r.full = 3, 4);
	BREAKS(r.order[0] = 3, 4);
	BREAKS(r.order[0] = 2, 4);
	BREAKS((r.order[0] = 1, r.order[1] = 0), 4);
	BREAKS(r.order[1] = 0, 4);
	BREAKS(r.user[1].since = -1, 4);
	BREAKS(r.full = 0, 5);
	BREAKS(r.user[0].full = false, 5);
	BREAKS(r.user[2].full = true, 5);
	BREAKS(r.filled++, 5);
	BREAKS(r.unfilled--, 5);
	BREAKS(r.procs = 40, 6);
	BREAKS(r.procs = 2, 6);
	BREAKS((fair_relshare_toggle(&r, r.user + 0)), 6);
	BREAKS(r.busy--, 7);
	BREAKS(r.now = r.begin - 1, 7);
	BREAKS(r.now = r.begin + 1000, 7);
	BREAKS((r.now = r.begin + 1000, r.elapsed = 1000), 7);
	BREAKS(r.elapsed++, 7);
}

/* More in use than there is, or was, without anyone entitled to less. */
TEST(check_sees_too_many_busy)
{
	struct fair_relshare r;

	machine(&r, 1, 8, 1000);
	submit(&r, 0, 0, 0, 8);
	start(&r, 0, 0, 10);
	TEST_EQ(fair_relshare_share(&r, 0, 0, 0), 0);
	r.procs = 7; /* a node is lost under the job */
	TEST_EQ(fair_relshare_check(&r), 0);
	r.config.procs = 7;
	TEST_EQ(fair_relshare_check(&r), 7);
}
