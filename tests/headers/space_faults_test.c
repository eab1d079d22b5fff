/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that space.h documents, in a pool, with classes and on nodes:
 * neither the profile nor the machine changes. When a claim is not free, and
 * when jobs have room together; what limits say to searches.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "space.h"
#include "tests/leaf_faults.h"

#define STEPS 9

static const int32_t amounts[] = { 4, 0, 4, 1 };
static const struct fair_machine_config config = { 2, 2, 0, amounts };

/* A pool of 8 processors from 10 on; with @classes, in two of them. */
static void open_space(struct fair_space *space, struct fair_machine_jobs *x,
		       bool classes)
{
	size_t bytes = fair_profile_size(STEPS);
	size_t all = fair_machine_jobs_size(&config, 2, STEPS);

	TEST_OK(fair_space_init(space, sizeof(*space), room(bytes), bytes, 8,
				10));
	if (!classes)
		return;
	TEST_OK(fair_machine_jobs_init(x, sizeof(*x), room(all), all, &config,
				       2, 10));
	fair_space_plan_on(space, x);
}

TEST(starts)
{
	size_t bytes = fair_profile_size(STEPS);
	struct fair_space space, copy;
	void *memory = room(bytes);

	memset(&space, 0, sizeof(space));
	keep(&space, sizeof(space));
	FAULT(fair_space_init(&space, 1, memory, bytes, 8, 0),
	      EINVAL, "another structure");
	FAULT(fair_space_init(&space, sizeof(space), memory, 1, 8, 0),
	      ENOMEM, "no step fits");
	FAULT(fair_space_init(&space, sizeof(space), memory, bytes, 8,
			      INT64_MAX),
	      EOVERFLOW, "no time is left");
	forget();
	open_space(&space, NULL, false);
	memset(&copy, 0, sizeof(copy));
	keep(&copy, sizeof(copy));
	FAULT(fair_space_clone(&copy, memory, 1, &space), ENOMEM, "no room");
	leave();
}

static void changes(bool classes)
{
	static const int32_t one[] = { 1, 0 }, gpus[] = { 0, 2 };
	struct fair_claim claim = { 1, 1, one, 0 };
	struct fair_claim none = { 0, 1, gpus, 0 };
	struct fair_claim most = { 9, 0, (const int32_t[]){ 9, 0 }, 0 };
	struct fair_machine_jobs x;
	struct fair_space space;
	int64_t t;

	open_space(&space, &x, classes);
	TEST_OK(fair_space_change(&space, 10, 20, &claim, true));
	keep(&space, sizeof(space));
	if (classes)
		keep(&x, sizeof(x));
	FAULT(fair_space_advance(&space, 9), EINVAL, "the clock goes back");
	FAULT(fair_space_advance(&space, INT64_MAX), EOVERFLOW, "too far");
	FAULT(fair_space_change(&space, 9, 20, &claim, true),
	      EINVAL, "before the origin");
	FAULT(fair_space_change(&space, 10, space.profile.horizon + 1, &claim,
				true),
	      EOVERFLOW, "beyond the horizon");
	FAULT(fair_space_change(&space, 10, 20, &most, true),
	      ERANGE, "more than there is");
	FAULT(fair_space_change(&space, 10, 21, &claim, false),
	      ERANGE, "longer than it was taken");
	FAULT(fair_space_change(&space, 10, FAIR_FOREVER, &most, true),
	      ERANGE, "more than the machine has");
	if (classes) {
		FAULT(fair_space_change(&space, 10, FAIR_FOREVER, &none, true),
		      ERANGE, "of another resource");
	} else {
		FAULT(fair_space_change(&space, 10, 20, &none, true),
		      EINVAL, "nothing");
		FAULT(fair_space_change(&space, 10, FAIR_FOREVER, &none, true),
		      EINVAL, "nothing");
	}
	forget();
	for (t = 30; !fair_space_change(&space, t, t + 1, &claim, true); t += 2)
		TEST_EQ(fair_space_check(&space), 0);
	FAILS(fair_space_change(&space, t, t + 1, &claim, true),
	      ENOSPC, "no step is left");
	TEST_EQ(fair_space_check(&space), 0);
	leave();
}

TEST(pool)
{
	changes(false);
}

TEST(classes)
{
	changes(true);
}

/* Of a claim of two resources the second is not there: the first is free. */
TEST(capacity_is_whole_or_none)
{
	struct fair_claim two = { 2, 1, (const int32_t[]){ 2, 2 }, 0 };
	struct fair_machine_jobs x;
	struct fair_space space;

	open_space(&space, &x, true);
	FAILS(fair_space_change(&space, 10, FAIR_FOREVER, &two, true),
	      ERANGE, "one GPU is there");
	two.procs = 1;
	two.amount = (const int32_t[]){ 1, 1 };
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &two, true));
	two.procs = 3;
	two.amount = (const int32_t[]){ 3, 0 };
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &two, true));
	TEST_EQ(fair_space_check(&space), 0);
	TEST_OK(fair_machine_advance(&x.machine, 11));
	TEST_EQ(fair_space_check(&space), 3);
	x.machine.resources = 0;
	TEST_EQ(fair_space_check(&space), 2);
	space.profile.limit = 1;
	TEST_EQ(fair_space_check(&space), 1);
	leave();
}

/* Two nodes of 4 processors and a GPU. */
static const int32_t node_count[] = { 2 }, of_node[] = { 4, 1 };
static const struct fair_nodes_config node_config = { 2,	  1, 0, 0,
						      node_count, of_node,
						      false };

/* From 10 on, with jobs of 2 processors, in slot 1 of all of both nodes. */
static void open_nodes(struct fair_space *space, struct fair_nodes *n,
		       uint32_t jobs)
{
	static const int32_t two[] = { 2, 0 };
	struct fair_nodes_request r = { two, 1, 0,    false, false,
					0,   0, NULL, 0 };
	size_t bytes = fair_nodes_size(&node_config, jobs, 2 * jobs);
	uint32_t i;

	open_space(space, NULL, false);
	TEST_OK(fair_nodes_init(n, sizeof(*n), room(bytes), bytes, &node_config,
				jobs, 2 * jobs, 10));
	for (i = 0; i < jobs; i++) {
		r.chunks = i == 1 ? 2 : 1;
		r.per_node = i == 1;
		r.exclusive = i == 1;
		TEST_OK(fair_nodes_set_job(n, i, &r));
	}
	fair_space_plan_on_nodes(space, n);
}

TEST(nodes)
{
	struct fair_queued job[2] = { { { 10, 1 }, 10, 2, 0, 0, 0 },
				      { { 20, 2 }, 10, 4, 0, 0, 0 } };
	struct fair_claim claim, node = { 4, 0, NULL, UINT32_MAX };
	struct fair_claim other = { 4, 1, NULL, UINT32_MAX };
	struct fair_nodes_part part;
	struct fair_space space;
	struct fair_nodes n;
	uint32_t at = 0;
	int32_t most = 0;

	open_nodes(&space, &n, 2);
	TEST_CHECK(!fair_space_is_pool(&space));
	TEST_EQ(fair_space_held(&space, 0, 2), 0); /* it has no place */
	TEST_EQ(fair_space_earliest(&space, 0, &job[0], 10), 10);
	fair_space_reserve(&space, 0, &job[0]);
	TEST_EQ(fair_space_held(&space, 0, 2), 2);
	TEST_EQ(fair_space_earliest(&space, 1, &job[1], 10), 20);
	fair_space_reserve(&space, 1, &job[1]);
	TEST_EQ(fair_space_held(&space, 1, 4), 8); /* whole nodes */
	TEST_EQ(fair_space_check(&space), 0);
	keep(&space, sizeof(space));
	keep(&n, sizeof(n));
	claim = fair_space_claim(&space, 1, 4);
	FAULT(fair_space_change(&space, 9, 20, &claim, true), EINVAL,
	      "before the origin");
	FAULT(fair_space_change(&space, 20, 25, &claim, true), ERANGE,
	      "it has all of it already");
	FAULT(fair_space_change(&space, 30, n.horizon + 1, &claim, true),
	      EOVERFLOW, "beyond the horizon");
	FAULT(fair_space_change(&space, 30, 31, &claim, false), ERANGE,
	      "it was not taken");
	FAULT(fair_space_change(&space, 10, FAIR_FOREVER, &node, false),
	      EINVAL, "the node is up");
	TEST_EQ(fair_space_lack(&space, 10, 40, &node), FAIR_FOREVER);
	claim = fair_space_claim(&space, 0, 2);
	TEST_EQ(fair_space_lack(&space, 10, 40, &claim), 20);
	forget();
	TEST_EQ(fair_space_most_freed(&space, 10, 20), INT32_MAX);
	TEST_OK(fair_space_change_job(&space, 0, 2, 10, 20, false));
	fair_space_forget_job(&space, 0);
	TEST_EQ(fair_space_held(&space, 0, 2), 0);
	TEST_CHECK(!fair_nodes_next_part(&n, 0, &at, &part));
	TEST_EQ(fair_space_earlier(&space, 1, &job[1], 10, 20), 10);
	TEST_CHECK(fair_space_move(&space, 1, &job[1], 10, &most));
	TEST_EQ(most, INT32_MAX);
	TEST_EQ(fair_space_check(&space), 0);
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &node, true));
	TEST_EQ(fair_space_check(&space), 0); /* the job keeps what it has */
	FAILS(fair_space_change_job(&space, 1, 4, 30, 40, true), ERANGE,
	      "its node is down");
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &other, true));
	TEST_EQ(fair_space_check(&space), 0);
	TEST_EQ(fair_space_held(&space, 1, 4), 0);
	claim = fair_space_claim(&space, 1, 4);
	TEST_OK(fair_space_change(&space, 10, 20, &claim, false));
	TEST_OK(fair_space_change(&space, 10, 20, &claim, true));
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &other, false));
	TEST_EQ(fair_space_check(&space), 0);
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &node, false));
	TEST_EQ(fair_space_check(&space), 0);
	TEST_OK(fair_space_change_job(&space, 1, 4, 10, 20, false));
	TEST_OK(fair_space_change(&space, 10, FAIR_FOREVER, &node, true));
	TEST_EQ(fair_space_held(&space, 1, 4), 4); /* of the node that is up */
	TEST_EQ(fair_space_check(&space), 0);
	fair_space_fill(&space, 0, 40, 50); /* nothing of it counts as free */
	TEST_EQ(fair_space_check(&space), 0);
	fair_space_fill(&space, 1, 40, 50);
	TEST_EQ(fair_space_check(&space), 0);
	fair_space_fill(&space, 1, 50, 55);
	fair_space_clear(&space, 50, 60);
	TEST_EQ(fair_space_check(&space), 0);
	TEST_OK(fair_profile_release(&space.profile, 45, 1, 1));
	TEST_EQ(fair_space_check(&space), 5);
	TEST_OK(fair_profile_reserve(&space.profile, 45, 1, 1));
	TEST_OK(fair_nodes_fill(&n, 1, 60, 61)); /* within a step of all */
	TEST_EQ(fair_space_check(&space), 5);
	TEST_OK(fair_nodes_clear(&n, 60, 61));
	TEST_EQ(fair_space_check(&space), 0);
	TEST_OK(fair_profile_reserve(&space.profile, 10, 5, 1));
	TEST_EQ(fair_space_check(&space), 5);
	TEST_OK(fair_nodes_advance(&n, 11));
	TEST_EQ(fair_space_check(&space), 3);
	n.parts_used++;
	TEST_EQ(fair_space_check(&space), 4);
	leave();
}

/* As many jobs as there is room for, but the profile has too few steps. */
TEST(nodes_without_steps)
{
	struct fair_claim claim;
	struct fair_space space;
	struct fair_nodes n;
	uint32_t i;
	int error = 0;

	open_nodes(&space, &n, 40);
	for (i = 2; i < 40 && !error; i++) {
		TEST_OK(fair_nodes_choose(&n, i, 10 + 2 * i, 1));
		claim = fair_space_claim(&space, i, 2);
		error = fair_space_change(&space, 10 + 2 * i, 11 + 2 * i,
					  &claim, true);
		TEST_EQ(fair_space_check(&space), 0);
	}
	TEST_EQ(error, -FAIR_ENOSPC);
	leave();
}

/* One job may run at a time, whatever is free. */
TEST(limits)
{
	const struct fair_quotas_of one = { 0, 7, 0, 1 };
	struct fair_queued job = { { 20, 1 }, 10, 1, 0, 0, 0 };
	size_t bytes = fair_quotas_size(1, 1, 2, 1);
	struct fair_quotas l;
	struct fair_space space;
	uint32_t i;

	open_space(&space, NULL, false);
	TEST_OK(fair_quotas_init(&l, sizeof(l), room(bytes), bytes, 1, 1, 2,
				 1));
	TEST_OK(fair_quotas_set(&l, 0, 7, 1));
	for (i = 0; i < 2; i++)
		fair_quotas_join(&l, i, &one, 1);
	fair_space_limit_by(&space, &l);
	TEST_EQ(fair_space_earliest(&space, 0, &job, 10), 10);
	TEST_CHECK(!fair_space_held_back(&space));
	TEST_OK(fair_space_change_job(&space, 0, 1, 15, 20, true));
	TEST_OK(fair_space_change_job(&space, 0, 1, 30, 30, true)); /* no time */
	TEST_CHECK(!fair_space_fits(&space, 1, &job, 10));
	TEST_CHECK(fair_space_fits(&space, 1, &job, 20));
	TEST_EQ(fair_space_earliest(&space, 1, &job, 10), 20);
	TEST_CHECK(fair_space_held_back(&space));
	fair_space_reserve(&space, 1, &job);
	TEST_EQ(fair_space_earlier(&space, 1, &job, 10, 20), 20);
	TEST_CHECK(fair_space_held_back(&space));
	TEST_OK(fair_space_change_job(&space, 0, 1, 15, 20, false));
	TEST_EQ(fair_space_earlier(&space, 1, &job, 10, 20), 10);
	TEST_CHECK(!fair_space_held_back(&space));
	TEST_EQ(fair_space_check(&space), 0);
	l.row[0].jobs++;
	TEST_EQ(fair_space_check(&space), 6);
	leave();
}

/* What a move gives back: of a pool what it does not hold any more. */
TEST(moves)
{
	struct fair_queued job = { { 20, 1 }, 10, 4, 0, 0, 0 };
	const int32_t four[] = { 4, 0 };
	const uint8_t order[] = { 1, 0 };
	struct fair_machine_jobs x;
	struct fair_space space;
	int32_t most = 0;
	int classes;

	for (classes = 0; classes < 2; classes++) {
		open_space(&space, &x, classes);
		if (classes)
			TEST_OK(fair_machine_jobs_set(&x, 0, 4, four, order,
						      2));
		TEST_EQ(fair_space_earliest(&space, 0, &job, 20), 20);
		fair_space_reserve(&space, 0, &job);
		TEST_EQ(fair_space_class(&space, 0), classes);
		TEST_CHECK(fair_space_fits_class(&space, 0, &job, 30, 1));
		TEST_EQ(fair_space_earlier(&space, 0, &job, 15, 20), 15);
		TEST_CHECK(!fair_space_move(&space, 0, &job, 15, &most));
		TEST_EQ(fair_space_check(&space), 0);
	}
	leave();
}

/* A job that names its classes, or none, in one of them. */
TEST(in_a_class)
{
	struct fair_queued job = { { 10, 1 }, 10, 1, 0, 0, 0 };
	const int32_t one[] = { 1, 0 }, all[] = { 4, 0 };
	struct fair_claim claim = { 4, 0, all, 0 };
	const uint8_t second = 1;
	struct fair_machine_jobs x;
	struct fair_space space;
	uint32_t k;

	open_space(&space, &x, true);
	for (k = 0; k < 2; k++)
		TEST_EQ(fair_space_class_profile(&space, k)->limit, 4);
	TEST_OK(fair_machine_jobs_set(&x, 0, 1, one, &second, 1));
	TEST_OK(fair_machine_jobs_set(&x, 1, 1, one, NULL, 0));
	TEST_CHECK(!fair_space_fits_class(&space, 0, &job, 10, 0));
	TEST_CHECK(fair_space_fits_class(&space, 0, &job, 10, 1));
	TEST_CHECK(fair_space_fits_class(&space, 1, &job, 10, 0));
	TEST_OK(fair_space_change(&space, 15, 20, &claim, true));
	TEST_CHECK(fair_space_fits_class(&space, 0, &job, 10, 1));
	TEST_CHECK(!fair_space_fits_class(&space, 1, &job, 10, 0));
	TEST_CHECK(fair_space_fits_class(&space, 1, &job, 10, 1));
	leave();
}

/* By class, resource and second. */
enum { END = 60 };
typedef int32_t used_amounts[2][2][END];

/* The first second in [@from, @end) at which the claim is not free, or @end. */
static int64_t first_lack(used_amounts taken, bool classes, int64_t from,
			  int64_t end, const struct fair_claim *claim)
{
	uint32_t k = claim->node_class, r;
	int32_t most;

	for (; from < end; from++)
		for (r = 0; r < 2; r++) {
			most = classes ? amounts[2 * k + r] : r ? 0 : 8;
			if (taken[k][r][from] + claim->amount[r] > most)
				return from;
		}
	return end;
}

/* Some claims at random are taken, others only looked at. */
static void lacks(bool classes, uint64_t seed)
{
	int32_t amount[2], i, r;
	struct fair_claim claim = { 0, 0, amount, 0 };
	used_amounts taken = { { { 0 } } };
	int64_t from, end, lack;
	struct fair_machine_jobs x;
	struct fair_space space;

	open_space(&space, &x, classes);
	for (i = 0; i < 8; i++) {
		claim.node_class = (uint32_t)test_range(&seed, 0, classes);
		claim.procs = amount[0] = (int32_t)test_range(&seed, 1, 3);
		amount[1] = (int32_t)test_range(&seed, 0, classes);
		from = test_range(&seed, 10, END - 1);
		end = i > 5 ? END : test_range(&seed, from + 1, END);
		lack = first_lack(taken, classes, from, end, &claim);
		TEST_EQ(fair_space_lack(&space, from,
					i > 5 ? FAIR_FOREVER : end, &claim),
			lack == end ? FAIR_FOREVER : lack);
		if (lack < end || i > 2)
			continue;
		TEST_OK(fair_space_change(&space, from, end, &claim, true));
		for (; from < end; from++)
			for (r = 0; r < 2; r++)
				taken[claim.node_class][r][from] += amount[r];
	}
	leave();
}

/* Whether the chosen of three jobs have room at @start, second by second. */
static bool have_room(used_amounts taken, bool classes, uint32_t k,
		      const struct fair_queued *job, int32_t amount[3][2],
		      uint32_t chosen, int64_t start)
{
	int32_t most, sum;
	int64_t t, end = start;
	uint32_t i, r;

	for (i = 0; i < 3; i++)
		if (chosen >> (2 - i) & 1 && start + job[i].walltime > end)
			end = start + job[i].walltime;
	for (t = start; t < end; t++)
		for (r = 0; r < 2; r++) {
			most = classes ? amounts[2 * k + r] : r ? 0 : 8;
			for (sum = taken[k][r][t], i = 0; i < 3; i++)
				sum += chosen >> (2 - i) & 1 ? amount[i][r] : 0;
			if (sum > most)
				return false;
		}
	return true;
}

/* Jobs together, beside a claim. */
static void together(bool classes, uint64_t seed)
{
	const uint32_t slot[] = { 0, 1, 2 };
	uint32_t k = (uint32_t)test_range(&seed, 0, classes), i, chosen;
	size_t all = fair_machine_jobs_size(&config, 3, STEPS);
	int32_t amount[3][2], held[2] = { 2, 0 };
	struct fair_claim claim = { 2, k, held, 0 };
	used_amounts taken = { { { 0 } } };
	struct fair_queued job[3];
	struct fair_machine_jobs x;
	struct fair_queue queue;
	struct fair_space space;
	int64_t t, start;

	open_space(&space, NULL, false);
	memset(job, 0, sizeof(job));
	memset(&queue, 0, sizeof(queue));
	queue.array = (char *)job;
	queue.stride = sizeof(*job);
	if (classes) {
		TEST_OK(fair_machine_jobs_init(&x, sizeof(x), room(all), all,
					       &config, 3, 10));
		fair_space_plan_on(&space, &x);
	}
	start = test_range(&seed, 10, 20);
	TEST_OK(fair_space_change(&space, start, start + 5, &claim, true));
	for (t = start; t < start + 5; t++)
		taken[k][0][t] = 2;
	for (i = 0; i < 3; i++) {
		job[i].walltime = test_range(&seed, 1, 8);
		job[i].procs = amount[i][0] = (int32_t)test_range(&seed, 1, 3);
		amount[i][1] = (int32_t)test_range(&seed, 0, classes);
		if (classes)
			TEST_OK(fair_machine_jobs_set(&x, i, job[i].procs,
						      amount[i], NULL, 0));
	}
	t = test_range(&seed, 10, 28);
	for (chosen = 0; chosen < 8; chosen++)
		TEST_EQ(fair_space_has_room(&space, &queue, slot, chosen, 3, t,
					    k),
			have_room(taken, classes, k, job, amount, chosen, t));
	leave();
}

TEST(room_together)
{
	uint64_t seed;

	for (seed = 0; seed < TEST_ROUNDS(2000); seed++)
		together(seed % 2, seed);
}

TEST(lack)
{
	uint64_t seed;

	for (seed = 0; seed < TEST_ROUNDS(4000); seed++)
		lacks(seed % 2, seed);
}
