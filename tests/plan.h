/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * plan.h - jobs that wait for a plan of backfill.h
 */
#ifndef PLAN_H
#define PLAN_H

#include "policies/backfill.h"
#include "tests/test.h"

#ifndef JOBS
#define JOBS 16
#endif
#define PROCS 10

/* A machine, its running jobs and what waits. */
struct site {
	struct fair_queued job[JOBS];
	struct fair_queue running;
	struct fair_backfill b;
	char *memory, *more;
	uint32_t used;
	void *context; /* of the walk */
};

static inline struct fair_iteration iteration(const struct site *s, int64_t now)
{
	struct fair_iteration it = { now, &s->running, s->context };

	return it;
}

static inline bool due(struct site *s, int64_t now, uint32_t *slot)
{
	struct fair_iteration it = iteration(s, now);

	return fair_backfill_due(&s->b, &it, slot);
}

static inline void open_site(struct site *s, uint32_t depth, bool sorts,
			     size_t shift)
{
	size_t bytes = fair_backfill_size(depth, sorts, JOBS);
	size_t more = fair_queue_size(JOBS);
	char *held;

	memset(s, 0, sizeof(*s));
	s->memory = (char *)malloc(bytes + shift);
	s->more = (char *)malloc(more);
	if (!s->memory || !s->more)
		abort();
	TEST_OK(fair_queue_init(&s->running, sizeof(s->running), s->more, more,
				JOBS, s->job, sizeof(s->job[0])));
	TEST_EQ(fair_backfill_init(&s->b, sizeof(s->b), s->memory + shift,
				   bytes - 1, depth, sorts, JOBS, s->job,
				   sizeof(s->job[0]), PROCS, 0),
		-FAIR_ENOMEM);
	TEST_OK(fair_backfill_init(&s->b, sizeof(s->b), s->memory + shift,
				   bytes, depth, sorts, JOBS, s->job,
				   sizeof(s->job[0]), PROCS, 0));
	TEST_CHECK(fair_backfill_must_begin(&s->b, 0));
	held = (char *)s->b.held;
	TEST_EQ((uintptr_t)held % 8, 0);
	TEST_CHECK(held < s->memory + shift + more +
				  fair_backfill_profile_size(depth, JOBS) + 8);
	TEST_CHECK((char *)(s->b.order.sorted + (sorts ? JOBS : 0)) <=
		   s->memory + shift + bytes);
}

static inline void close_site(struct site *s)
{
	TEST_EQ(fair_backfill_check(&s->b, &s->running), 0);
	free(s->memory);
	free(s->more);
}

static inline bool is_slot_before(const void *context, int64_t now, uint32_t a,
				  uint32_t b)
{
	(void)context;
	(void)now;
	return a < b;
}

/* Each walk sorts the queue, by slot. */
static inline void walk_by_slot(struct site *s)
{
	struct fair_walk walk = { 0 };

	walk.before = is_slot_before;
	TEST_EQ(fair_backfill_walk_by(&s->b, &walk), 0);
}

/* The slot of a new job, which is also its number. */
static inline uint32_t add(struct site *s, int64_t submit, int64_t walltime,
			   int32_t procs)
{
	struct fair_queued *j = &s->job[s->used];

	j->rank.key = submit;
	j->rank.number = s->used;
	j->walltime = walltime;
	j->procs = procs;
	TEST_EQ(fair_backfill_submit(&s->b, s->used), 0);
	return s->used++;
}

/*
 * The jobs that start now, as digits of their slots: 1, then 3, is 13; none is
 * 0.
 */
static inline uint32_t starts(struct site *s, int64_t now)
{
	uint32_t slot, all = 0;

	while (due(s, now, &slot)) {
		s->job[slot].rank.key = now + s->job[slot].walltime;
		TEST_EQ(fair_queue_insert(&s->running, slot), 0);
		TEST_EQ(fair_backfill_check(&s->b, &s->running), 0);
		all = 10 * all + slot;
	}
	TEST_EQ(fair_backfill_check(&s->b, &s->running), 0);
	return all;
}

/* The next start; 99 if there is none. */
static inline uint32_t next(struct site *s)
{
	uint32_t slot;

	if (!due(s, 0, &slot))
		return 99;
	s->job[slot].rank.key = s->job[slot].walltime;
	TEST_EQ(fair_queue_insert(&s->running, slot), 0);
	return slot;
}

static inline void finish(struct site *s, int64_t now, uint32_t slot)
{
	TEST_EQ(fair_queue_remove(&s->running, slot), 0);
	TEST_OK(fair_backfill_give_back(&s->b, now, s->job[slot].rank.key,
					CLAIM(s->job[slot].procs)));
	TEST_EQ(fair_backfill_check(&s->b, &s->running), 0);
}

/* 0 runs, 1 and 2 are too wide; 3 delays 2, but not 1. */
static inline uint32_t three_wait(struct site *s, uint32_t depth)
{
	open_site(s, depth, false, 3);
	add(s, 0, 100, 6);
	add(s, 0, 50, 8);
	add(s, 0, 200, 9);
	add(s, 0, 300, 2);
	add(s, 0, 100, 1);
	return starts(s, 0);
}

/*
 * Two jobs a user: the user with the fewest starts and reservations is first.
 */
struct users {
	const struct fair_backfill *b;
	uint32_t started[JOBS];
	struct fair_group groups[JOBS], others[JOBS];
};

static inline uint32_t user_of(const void *context, uint32_t slot)
{
	(void)context;
	return slot / 2;
}

static inline uint32_t had(const struct users *u, uint32_t user)
{
	uint32_t n = u->started[user], i;

	for (i = 0; i < u->b->reserved; i++)
		n += u->b->held[i].slot / 2 == user;
	return n;
}

static inline int fewest_first(const void *context, uint32_t a, uint32_t b)
{
	const struct users *u = (const struct users *)context;

	TEST_CHECK(a < JOBS && b < JOBS);
	return a < JOBS && b < JOBS ? (int)had(u, a) - (int)had(u, b) : 0;
}

static inline void walk_by_users(struct site *s, struct users *users)
{
	struct fair_walk walk = { 0 };

	memset(users, 0, sizeof(*users));
	memset(users->groups, 0xff, sizeof(users->groups));
	users->b = &s->b;
	walk.group = user_of;
	walk.compare = fewest_first;
	walk.groups = users->groups;
	walk.group_count = JOBS;
	s->context = users;
	TEST_EQ(fair_backfill_walk_by(&s->b, &walk), 0);
}

static inline bool last_first(const void *context, int64_t now, uint32_t a,
			      uint32_t b)
{
	(void)context;
	(void)now;
	return a > b;
}

#endif /* PLAN_H */
