/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Limits, budgets and vetoes of searches and reservations, against a model that
 * looks at each second.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "space.h"
#include "tests/leaf_faults.h"

enum { ALL = 6, MOST = 8, END = 400 };

struct job {
	struct fair_queued queued; /* rank.key: its start, if it holds */
	int64_t amount, cost; /* of the limit, of the budget; 0: none */
	int64_t closes, opens; /* between these the veto is against it */
	bool holds;
};

/* The jobs share a limit, and a budget for those that hold something. */
struct scene {
	struct job job[ALL];
	int64_t limit, budget;
	struct fair_space space;
	struct fair_quotas l;
};

static int64_t veto(const void *vetoer, uint32_t slot, int64_t t)
{
	const struct job *j = (const struct job *)vetoer + slot;

	return t >= j->closes && t < j->opens ? j->opens : t;
}

/* What the others, or all, have of the limit or of the machine at @t. */
static int64_t in_use(const struct scene *x, const struct job *but, int64_t t,
		      bool limited)
{
	const struct job *j;
	int64_t sum = 0;

	for (j = x->job; j < x->job + ALL; j++)
		if (j != but && j->holds && j->queued.rank.key <= t &&
		    t < j->queued.rank.key + j->queued.walltime)
			sum += limited ? j->amount : j->queued.procs;
	return sum;
}

static bool has_budget(const struct scene *x, const struct job *j)
{
	const struct job *other;
	int64_t sum = j->cost;

	for (other = x->job; other < x->job + ALL; other++)
		if (other != j && other->holds)
			sum += other->cost;
	return !j->cost || j->holds || sum <= x->budget;
}

/* Whether limits have room, and no veto is against the start at @t. */
static bool allows(const struct scene *x, const struct job *j, int64_t t,
		   int64_t walltime)
{
	int64_t until = j->holds ? j->queued.rank.key : END, s;

	for (s = t; s < t + walltime && s < until; s++)
		if (j->amount && in_use(x, j, s, true) + j->amount > x->limit)
			return false;
	return (t < j->closes || t >= j->opens) && has_budget(x, j);
}

/* The first start in [@from, @before), or FAIR_FOREVER. */
static int64_t first_start(const struct scene *x, const struct job *j,
			   int64_t from, int64_t before, bool limits)
{
	int64_t t, s;

	for (t = from; t < before; t++) {
		for (s = t; s < t + j->queued.walltime; s++)
			if (in_use(x, j, s, false) + j->queued.procs > MOST)
				break;
		if (s == t + j->queued.walltime &&
		    (!limits || allows(x, j, t, j->queued.walltime)))
			return t;
	}
	return FAIR_FOREVER;
}

/* Whether the limit is exceeded while the job holds it, or it may not start. */
static bool is_over(const struct scene *x, const struct job *j)
{
	int64_t start = j->queued.rank.key, s;

	if (!j->holds)
		return false;
	for (s = start; s < start + j->queued.walltime; s++)
		if (j->amount && in_use(x, NULL, s, true) > x->limit)
			return true;
	return start >= j->closes && start < j->opens;
}

static void draw_job(struct scene *x, uint32_t slot, uint64_t *seed)
{
	struct job *j = x->job + slot;
	struct fair_quotas_of of[2];
	uint32_t n = 0;

	j->queued.walltime = test_range(seed, 1, 12);
	j->queued.procs = (int32_t)test_range(seed, 1, MOST);
	j->amount = test_range(seed, 0, 4);
	j->cost = test_range(seed, -2, 3);
	j->cost = j->cost < 0 ? 0 : j->cost;
	j->closes = test_range(seed, -20, 90);
	j->opens = j->closes + test_range(seed, 0, 30);
	if (slot == 1)
		j->opens = FAIR_FOREVER;
	of[n++] = (struct fair_quotas_of){ 0, 7, 0, j->amount };
	if (j->cost)
		of[n++] = (struct fair_quotas_of){ 1, 7, 0, j->cost };
	fair_quotas_join(&x->l, slot, of, n);
}

static void open_scene(struct scene *x, uint64_t *seed)
{
	size_t bytes = fair_profile_size(2 * ALL + 1);
	size_t more = fair_quotas_size(2, 2, ALL, 2);
	uint32_t i;

	memset(x, 0, sizeof(*x));
	TEST_OK(fair_space_init(&x->space, sizeof(x->space), room(bytes), bytes,
				MOST, 0));
	TEST_OK(fair_quotas_init(&x->l, sizeof(x->l), room(more), more, 2, 2,
				 ALL, 2));
	x->limit = test_range(seed, 3, 6);
	x->budget = test_range(seed, 3, 6);
	fair_quotas_budget(&x->l, 1, false);
	TEST_OK(fair_quotas_set(&x->l, 0, 7, x->limit));
	TEST_OK(fair_quotas_set(&x->l, 1, 7, x->budget));
	for (i = 0; i < ALL; i++)
		draw_job(x, i, seed);
	fair_space_limit_by(&x->space, &x->l);
	fair_space_veto_by(&x->space, veto, x->job);
}

/* A job without a reservation gets the earliest one, or gives up. */
static void reserve(struct scene *x, uint32_t slot, int64_t from)
{
	struct job *j = x->job + slot;
	int64_t want = FAIR_FOREVER, room;

	room = first_start(x, j, from, END, false);
	if (!fair_quotas_waits(&x->l, slot))
		want = first_start(x, j, from, END, true);
	TEST_EQ(fair_space_fits(&x->space, slot, &j->queued, from),
		from == first_start(x, j, from, from + 1, true));
	TEST_EQ(fair_space_allows(&x->space, slot, from, from + 9),
		allows(x, j, from, 9));
	TEST_EQ(fair_space_earliest(&x->space, slot, &j->queued, from), want);
	TEST_EQ(fair_space_held_back(&x->space), want != room);
	if (want == FAIR_FOREVER) {
		fair_space_forget_job(&x->space, slot);
		return;
	}
	j->queued.rank.key = want;
	fair_space_reserve(&x->space, slot, &j->queued);
	j->holds = true;
}

/* A reserved job moves to the first start in [@from, @before). */
static void move(struct scene *x, uint32_t slot, int64_t from, int64_t before)
{
	struct job *j = x->job + slot;
	int64_t key = j->queued.rank.key, want, room, end;
	int32_t most;

	end = before < key ? before : key;
	want = first_start(x, j, from, end, true);
	room = first_start(x, j, from, end, false);
	TEST_EQ(fair_space_earlier(&x->space, slot, &j->queued, from, before),
		want < key ? want : key);
	TEST_EQ(fair_space_held_back(&x->space), want != room);
	if (want >= key)
		return;
	TEST_CHECK(!fair_space_move(&x->space, slot, &j->queued, want, &most));
	j->queued.rank.key = want;
}

/* What of its reservation is not past. */
static void give_back(struct scene *x, uint32_t slot, int64_t now)
{
	struct job *j = x->job + slot;
	int64_t start = j->queued.rank.key;

	TEST_OK(fair_space_change_job(&x->space, slot, j->queued.procs,
				      now > start ? now : start,
				      start + j->queued.walltime, false));
	j->holds = false;
}

/* Other limits or answers: who is over them, and whether anybody may be. */
static void change_limits(struct scene *x, uint64_t *seed)
{
	bool anew = test_range(seed, 0, 1), exceeded;
	uint32_t i;

	(void)fair_space_is_any_over(&x->space);
	x->limit = test_range(seed, 2, 6);
	TEST_OK(fair_quotas_set(&x->l, 0, 7, x->limit));
	exceeded = x->l.exceeded;
	if (anew) {
		i = (uint32_t)test_range(seed, 0, ALL - 1);
		x->job[i].closes = test_range(seed, 0, 90);
		fair_space_veto_anew(&x->space);
	}
	TEST_EQ(fair_space_is_any_over(&x->space), exceeded || anew);
	TEST_CHECK(!fair_space_is_any_over(&x->space));
	for (i = 0; i < ALL; i++)
		if (x->job[i].holds)
			TEST_EQ(fair_space_is_over(&x->space, i,
						   x->job[i].queued.rank.key),
				is_over(x, &x->job[i]));
}

static void try_waiting(struct scene *x)
{
	uint32_t i;

	if (fair_quotas_begin_trial(&x->l))
		for (i = 0; i < ALL; i++)
			(void)fair_quotas_try(&x->l, i);
}

static void play(uint64_t seed)
{
	struct scene x;
	int64_t now = 0, from;
	uint32_t event, slot;

	open_scene(&x, &seed);
	for (event = 0; event < 60; event++) {
		slot = (uint32_t)test_range(&seed, 0, ALL - 1);
		from = now + test_range(&seed, 0, 30);
		switch (test_range(&seed, 0, 7)) {
		case 0:
			now += test_range(&seed, 0, 4);
			TEST_OK(fair_space_advance(&x.space, now));
			break;
		case 1:
			change_limits(&x, &seed);
			break;
		case 2:
			try_waiting(&x);
			break;
		case 3:
			if (x.job[slot].holds)
				give_back(&x, slot, now);
			break;
		default:
			if (!x.job[slot].holds)
				reserve(&x, slot, from);
			else if (x.job[slot].queued.rank.key > now)
				move(&x, slot, from,
				     from + test_range(&seed, 1, 60));
		}
		TEST_EQ(fair_space_check(&x.space), 0);
	}
	leave();
}

TEST(random_histories)
{
	uint64_t seed;

	for (seed = 1; seed <= TEST_ROUNDS(4000); seed++)
		play(seed);
}

/* Nobody asks whom there is no veto for. */
TEST(no_veto)
{
	size_t bytes = fair_profile_size(9);
	struct fair_space space, copy;

	memset(&space, 1, sizeof(space));
	memset(&copy, 1, sizeof(copy));
	TEST_OK(fair_space_init(&space, sizeof(space), room(bytes), bytes, MOST,
				0));
	TEST_CHECK(!fair_space_has_limits(&space));
	TEST_CHECK(!fair_space_held_back(&space));
	TEST_CHECK(!fair_space_is_any_over(&space));
	fair_space_veto_anew(&space);
	TEST_CHECK(!fair_space_is_any_over(&space));
	fair_space_veto_by(&space, veto, NULL);
	TEST_CHECK(fair_space_has_limits(&space));
	fair_space_veto_anew(&space);
	TEST_OK(fair_space_clone(&copy, room(bytes), bytes, &space));
	TEST_CHECK(fair_space_is_any_over(&space));
	TEST_CHECK(!fair_space_is_any_over(&space));
	TEST_CHECK(!fair_space_has_limits(&copy));
	TEST_CHECK(!fair_space_is_any_over(&copy));
	leave();
}
