/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A plan of any order, depth, gate, veto and selection starts and reserves
 * what a naive walk over all jobs does, and its copies do too.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plan.h"

enum { SECONDS = 40 };

/* Free processors of each second; the last one is for ever. */
struct sky {
	int32_t free[SECONDS];
};

static void cover(struct sky *sky, int64_t from, int64_t seconds, int32_t procs)
{
	for (; seconds-- > 0 && from < SECONDS; from++)
		sky->free[from] -= procs;
}

enum order { BY_RANK, BY_FACTOR, LAST_FIRST, BY_USERS, ORDERS };

enum { ABSENT, WAITS, RUNS };

struct walker {
	struct site s;
	struct users users;
	struct fair_selection fill; /* passes > 0: no backfill */
	enum order order;
	uint32_t depth;
	bool gated, vetoed;
	int state[JOBS];
	uint32_t had[JOBS];    /* starts of users, then reservations */
	int64_t now, from, to; /* one processor is away */
	uint64_t random, numbers;

	struct sky sky; /* what the naive walk says */
	uint32_t start[JOBS], starts, held[JOBS], helds;
	int64_t at[JOBS];
};

static bool is_free(const struct sky *sky, int64_t from,
		    const struct fair_queued *j)
{
	int64_t t;

	for (t = from; t < from + j->walltime; t++)
		if (sky->free[t < SECONDS ? t : SECONDS - 1] < j->procs)
			return false;
	return true;
}

/* Some wait for another pass, or for another instant. */
static bool some_first(const void *context, int64_t now, uint32_t slot)
{
	(void)context;
	return (slot + (uint64_t)now / 2) % 3 != 0;
}

static bool some_may(const void *context, int64_t now, uint32_t slot,
		     uint32_t pass)
{
	return some_first(context, now, slot + pass);
}

static bool some_must_not(const void *context, int64_t now, uint32_t slot)
{
	(void)context;
	return (slot + (uint64_t)now / 4) % 4 == 1;
}

static uint32_t some_reserve(const void *context, uint32_t slot)
{
	(void)context;
	return slot % 4 == 1   ? FAIR_RESERVES_NEVER
	       : slot % 4 == 2 ? FAIR_RESERVES_ALWAYS
			       : FAIR_RESERVES;
}

static bool goes_first(const struct walker *w, uint32_t a, uint32_t b)
{
	const struct fair_queued *x = &w->s.job[a], *y = &w->s.job[b];
	int64_t p = 0, q = 0;

	if (w->order == LAST_FIRST)
		return a > b;
	if (w->order == BY_FACTOR) {
		p = (w->now - y->rank.key + y->walltime) * x->walltime;
		q = (w->now - x->rank.key + x->walltime) * y->walltime;
	} else if (w->order == BY_USERS) {
		p = w->had[a / 2];
		q = w->had[b / 2];
	}
	if (p != q)
		return p < q;
	return x->rank.key != y->rank.key ? x->rank.key < y->rank.key
					  : x->rank.number < y->rank.number;
}

/* Whether the job starts now. */
static bool starts_here(struct walker *w, uint32_t i)
{
	const struct fair_queued *j = &w->s.job[i];

	if (j->not_before > w->now || !is_free(&w->sky, 0, j))
		return false;
	cover(&w->sky, 0, j->walltime, j->procs);
	w->start[w->starts++] = i;
	w->had[i / 2]++;
	return true;
}

/* Whether it gets a reservation. */
static bool reserves_here(struct walker *w, uint32_t i)
{
	const struct fair_queued *j = &w->s.job[i];
	int64_t t = j->not_before > w->now ? j->not_before - w->now : 0;

	if (w->helds == (w->depth ? w->depth : 1))
		return false;
	while (w->depth && t < SECONDS && !is_free(&w->sky, t, j))
		t++;
	if (t == SECONDS)
		return false;
	if (w->depth)
		cover(&w->sky, t, j->walltime, j->procs);
	w->held[w->helds] = i;
	w->at[w->helds++] = w->now + t;
	w->had[i / 2]++;
	return true;
}

/* The first of @of, which it leaves. */
static uint32_t take_first(const struct walker *w, uint32_t *of)
{
	uint32_t i, first = JOBS;

	for (i = 0; i < JOBS; i++)
		if (*of >> i & 1 && (first == JOBS || goes_first(w, i, first)))
			first = i;
	*of &= ~(1u << first);
	return first;
}

/* C22: pass 2 behind a gate ends at a job that gets no reservation. */
static void one_walk(struct walker *w, uint32_t waiting)
{
	bool ended = false;
	uint32_t pass, of, i;

	for (pass = !w->gated; pass < 2; pass++)
		for (of = waiting; of && (w->depth || !w->helds);) {
			i = take_first(w, &of);
			if (!pass && !some_first(NULL, w->now, i))
				continue;
			if (starts_here(w, i) ||
			    (!ended && reserves_here(w, i)))
				waiting &= ~(1u << i);
			else
				ended = w->gated && pass;
		}
}

/* [MAUI] 3, step 6. */
static void walk_and_fill(struct walker *w, uint32_t waiting)
{
	uint32_t of = waiting, counted = 0, i, how;
	bool closed = false, may;

	while (of) {
		i = take_first(w, &of);
		how = w->fill.reserves ? some_reserve(NULL, i) : FAIR_RESERVES;
		may = !w->gated || some_may(NULL, w->now, i, 0);
		if ((closed && how != FAIR_RESERVES_ALWAYS) || !may)
			continue;
		if (starts_here(w, i))
			continue;
		if (how == FAIR_RESERVES && counted == w->fill.limit) {
			closed = true;
		} else if (how != FAIR_RESERVES_NEVER && reserves_here(w, i)) {
			counted += how == FAIR_RESERVES;
			closed |= how == FAIR_RESERVES &&
				  counted == w->fill.limit;
		}
	}
}

static void naive_walk(struct walker *w)
{
	uint32_t waiting = 0, i;

	for (i = 0; i < SECONDS; i++)
		w->sky.free[i] = w->s.b.procs -
				 (w->now + i >= w->from && w->now + i < w->to);
	for (i = 0; i < JOBS; i++) {
		w->had[i] = w->users.started[i];
		if (w->state[i] == WAITS &&
		    !(w->vetoed && some_must_not(NULL, w->now, i)))
			waiting |= 1u << i;
		if (w->state[i] == RUNS)
			cover(&w->sky, 0, w->s.job[i].rank.key - w->now,
			      w->s.job[i].procs);
	}
	w->starts = w->helds = 0;
	if (w->fill.passes)
		walk_and_fill(w, waiting);
	else
		one_walk(w, waiting);
}

/* A copy goes on, where all that was is no more. */
static void become_a_copy(struct walker *w, void **windows)
{
	size_t bytes = fair_backfill_size(w->depth, w->s.b.order.sorts, JOBS);
	size_t more = fair_backfill_advances_size(w->depth, JOBS, 3);
	char *memory = (char *)malloc(bytes);
	void *other = malloc(more);
	struct fair_group *groups = w->s.b.walk.groups == w->users.groups
					    ? w->users.others
					    : w->users.groups;
	struct fair_backfill copy;

	if (!memory || !other)
		abort();
	TEST_OK(fair_backfill_clone(&copy, memory, bytes, w->s.job, groups,
				    &w->s.b, NULL));
	if (w->s.b.advances)
		TEST_OK(fair_backfill_clone_advances(&copy, other, more,
						     &w->s.b));
	TEST_EQ(fair_backfill_is_paused(&copy),
		fair_backfill_is_paused(&w->s.b));
	TEST_EQ(fair_backfill_must_begin(&copy, w->now),
		fair_backfill_must_begin(&w->s.b, w->now));
	memset(w->s.memory, 0x5a, bytes);
	if (w->s.b.walk.groups)
		memset(w->s.b.walk.groups, 0x5a, sizeof(w->users.groups));
	memset(*windows, 0x5a, more);
	free(w->s.memory);
	free(*windows);
	w->s.memory = memory;
	*windows = other;
	w->s.b = copy;
}

static void walk_is_naive(struct walker *w, void **windows)
{
	uint32_t n = 0, slot, i;

	if (w->order == BY_USERS) /* starts changed it */
		fair_backfill_replan(&w->s.b);
	naive_walk(w);
	for (;;) {
		if (test_range(&w->random, 0, 3) == 0)
			become_a_copy(w, windows);
		if (w->random % 2)
			w->s.b.scans = w->random / 2 % 4;
		if (!due(&w->s, w->now, &slot)) {
			TEST_EQ(fair_backfill_check(&w->s.b, &w->s.running), 0);
			if (!fair_backfill_is_paused(&w->s.b))
				break;
			w->s.b.scans = UINT64_MAX;
			continue;
		}
		TEST_CHECK(n < w->starts && slot == w->start[n]);
		n++;
		w->state[slot] = RUNS;
		w->users.started[slot / 2]++;
		w->s.job[slot].rank.key = w->now + w->s.job[slot].walltime;
		TEST_EQ(fair_queue_insert(&w->s.running, slot), 0);
		TEST_EQ(fair_backfill_check(&w->s.b, &w->s.running), 0);
	}
	w->s.b.scans = UINT64_MAX;
	if (w->s.b.planned)
		TEST_EQ(w->s.b.space.profile.origin, w->now);
	TEST_EQ(n, w->starts);
	TEST_EQ(w->s.b.reserved, w->helds);
	for (i = 0; i < w->helds && w->depth; i++) {
		TEST_EQ(w->s.b.held[i].slot, w->held[i]);
		TEST_CHECK(w->s.job[w->held[i]].mark & FAIR_MARK_RESERVED);
		TEST_EQ(w->s.b.planned ? w->s.b.held[i].start
				       : w->s.b.shadow_time,
			w->at[i]);
	}
	for (i = n = 0; i < JOBS; i++)
		n += w->s.job[i].mark / FAIR_MARK_RESERVED;
	TEST_EQ(n, w->depth ? w->helds : 0);
}

/* It leaves the running jobs, and comes back with another end. */
static void ends_at(struct walker *w, uint32_t slot, int64_t end)
{
	TEST_EQ(fair_queue_remove(&w->s.running, slot), 0);
	w->s.job[slot].rank.key = end;
	TEST_EQ(fair_queue_insert(&w->s.running, slot), 0);
}

static void job_event(struct walker *w, uint32_t i)
{
	struct fair_queued *j = &w->s.job[i];
	int64_t was = j->rank.key, end;
	uint32_t k;

	if (w->state[i] == ABSENT) {
		j->rank.key = w->now - test_range(&w->random, 0, 5);
		j->rank.number = w->numbers++;
		j->walltime = test_range(&w->random, 1, 6);
		j->procs = (int32_t)test_range(&w->random, 1, PROCS + 1);
		j->mark = 0;
		TEST_EQ(fair_backfill_submit(&w->s.b, i), 0);
		w->state[i] = WAITS;
	} else if (w->state[i] == WAITS && w->random % 3) {
		j->not_before = w->now + test_range(&w->random, 1, 4);
		fair_backfill_replan(&w->s.b);
	} else if (w->state[i] == WAITS) {
		TEST_EQ(fair_backfill_withdraw(&w->s.b, i), 0);
		for (k = 0; k < w->s.b.reserved && w->depth; k++)
			TEST_CHECK(w->s.b.held[k].slot != i);
		TEST_CHECK(!(j->mark & FAIR_MARK_RESERVED));
		j->mark = 0;
		w->state[i] = ABSENT;
	} else if (w->random % 3 == 0) {
		finish(&w->s, w->now, i);
		w->state[i] = ABSENT;
	} else if (w->random % 3 == 1 && was > w->now + 1) {
		end = test_range(&w->random, w->now + 1, was - 1);
		ends_at(w, i, end);
		TEST_EQ(fair_backfill_shorten(&w->s.b, end, was, CLAIM(j->procs)), 0);
	} else if (!w->s.b.advances && was < w->now + 8) {
		ends_at(w, i, was + 2);
		TEST_OK(fair_backfill_extend(&w->s.b, w->now, was, was + 2,
					     CLAIM(j->procs)));
	}
}

static void machine_event(struct walker *w)
{
	struct fair_backfill *b = &w->s.b;

	if (b->advances)
		return;
	if (b->procs < PROCS)
		TEST_EQ(fair_backfill_give_back(b, w->now, FAIR_FOREVER, CLAIM(2)), 0);
	else if (b->free > 1)
		TEST_EQ(fair_backfill_shrink(b, w->now, CLAIM(2)), 0);
}

/* Each second the jobs that are due end, and refusals are forgotten. */
static void next_second(struct walker *w)
{
	uint32_t i;

	if (++w->now == w->to)
		fair_backfill_replan(&w->s.b);
	for (i = 0; i < JOBS; i++) {
		if (w->s.job[i].not_before == w->now)
			fair_backfill_replan(&w->s.b);
		if (w->state[i] == RUNS && w->s.job[i].rank.key == w->now) {
			finish(&w->s, w->now, i);
			w->state[i] = ABSENT;
		}
	}
}

static void open_walker(struct walker *w, void **windows)
{
	size_t more = fair_backfill_advances_size(w->depth, JOBS, 3);
	struct fair_walk walk = { 0 };
	struct fair_backfill *b = &w->s.b;

	open_site(&w->s, w->depth, w->order != BY_RANK, 0);
	*windows = malloc(more);
	if (!*windows)
		abort();
	if (w->numbers % 2) {
		w->from = 4;
		w->to = 12;
		TEST_EQ(fair_backfill_advances(b, *windows, more, 3, 0), 0);
		fair_backfill_displace_all(b, 0);
		TEST_EQ(fair_profile_reserve(&b->space.profile, 4, 8, 1), 0);
	}
	if (w->order == BY_USERS)
		walk_by_users(&w->s, &w->users);
	walk = b->walk;
	walk.before = w->order == LAST_FIRST ? last_first : NULL;
	walk.gate = w->gated && !w->fill.passes ? some_first : NULL;
	walk.veto = w->vetoed ? some_must_not : NULL;
	w->fill.admits = w->gated ? some_may : NULL;
	TEST_EQ(fair_backfill_walk_by(b, &walk), 0);
	if (w->fill.passes)
		TEST_EQ(fair_backfill_select_by(b, &w->fill), 0);
}

static void walk_some(enum order order, uint32_t depth, uint32_t rules,
		      const struct fair_selection *fill, uint64_t seed)
{
	static struct walker w;
	void *windows;
	int i;

	memset(&w, 0, sizeof(w));
	w.order = order;
	w.depth = depth;
	w.gated = rules & 1;
	w.vetoed = rules & 2;
	w.numbers = seed;
	w.random = seed;
	if (fill)
		w.fill = *fill;
	open_walker(&w, &windows);
	for (i = 0; i < 60; i++) {
		switch (test_range(&w.random, 0, 9)) {
		case 0:
			machine_event(&w);
			break;
		case 1:
		case 2:
			next_second(&w);
			break;
		default:
			job_event(&w,
				  (uint32_t)test_range(&w.random, 0, JOBS - 1));
		}
		if (test_random(&w.random) % 4)
			walk_is_naive(&w, &windows);
	}
	close_site(&w.s);
	free(windows);
}

TEST(walks)
{
	static const struct fair_selection fills[] = {
		{ 1, 2, FAIR_NOFIT, 0, false, false, some_reserve, NULL },
		{ 2, 1, FAIR_NOFIT, 0, false, false, NULL, NULL },
		{ 1, 0, FAIR_NOFIT, 0, false, false, some_reserve, NULL },
	};
	enum order order;
	uint32_t depth, rules;
	uint64_t round;

	for (round = 0; round < TEST_ROUNDS(160); round++)
		for (order = BY_RANK; order < ORDERS; order++)
			for (depth = 0; depth < 4; depth++)
				for (rules = 0; rules < 4; rules++)
					walk_some(order, depth, rules, NULL,
						  round);
	for (round = 0; round < TEST_ROUNDS(160); round++)
		for (order = BY_FACTOR; order < BY_USERS; order++)
			for (depth = 2; depth < 5; depth++)
				for (rules = 0; rules < 4; rules++)
					walk_some(order, depth, rules,
						  &fills[round % 3], round);
}
