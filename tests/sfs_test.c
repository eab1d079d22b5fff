/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"
#include "test.h"
#include "tests/model/sfs_model.h"

#define HOUR INT64_C(3600)
#define DAY INT64_C(86400)
#define MOST_ACCOUNTS 8

static unsigned char memory[4096];

static struct fair_sfs accounts(uint32_t n)
{
	struct fair_sfs s;

	TEST_EQ(fair_sfs_init(&s, sizeof(s), memory, sizeof(memory), n), 0);
	TEST_EQ(fair_sfs_check(&s), 0);
	return s;
}

static struct fair_sfs_allocation allocation(int64_t award, int64_t period,
					     int32_t factor, int32_t unit)
{
	struct fair_sfs_allocation a;

	a.award = award;
	a.period = period;
	a.factor = factor;
	a.unit = unit;
	return a;
}

/* One million processor-hours for a year. */
static void equations(void)
{
	struct fair_sfs_allocation alice =
		allocation(1000000 * HOUR, 365 * DAY, 2, 1);
	int64_t ideal = -1, target = -1;

	TEST_EQ(fair_sfs_ideal(&alice, &ideal), 0);
	TEST_EQ(ideal / FAIR_SFS_ONE, 114);
	/* 10^6 / 8760 * 2^20 = 119700456.62 */
	TEST_EQ(ideal, 119700457);
	TEST_EQ(fair_sfs_target(&alice, &target), 0);
	TEST_EQ(target, 228);
}

/* The manual's example. */
static int look(void *context, size_t job, int32_t procs, bool may_reserve)
{
	int32_t *free_procs = (int32_t *)context;

	(void)job;
	(void)may_reserve;
	if (procs > *free_procs)
		return FAIR_SFS_NEITHER;
	*free_procs -= procs;
	return FAIR_SFS_STARTED;
}

static void manual(void)
{
	struct fair_sfs_allocation alice = { 0, 0, 0, 0 };
	struct fair_sfs_job queue[3] = { { 0, 200, 0, 0 },
					 { 0, 200, 0, 0 },
					 { 1, 50, 0, 0 } };
	int32_t free_procs = 300;
	unsigned char bytes[256];
	struct fair_sfs s;
	int64_t target;

	alice.award = INT64_C(3600) * 1000000; /* processor-hours */
	alice.period = INT64_C(86400) * 365;
	alice.factor = 2;
	alice.unit = 1;
	TEST_EQ(fair_sfs_target(&alice, &target), 0); /* 228 */
	TEST_EQ(fair_sfs_init(&s, sizeof(s), bytes, sizeof(bytes), 2), 0);
	TEST_EQ(fair_sfs_set_target(&s, 0, target), 0);
	TEST_EQ(fair_sfs_set_target(&s, 1, 58), 0);
	TEST_EQ(fair_sfs_plan(&s, queue, 3, 0, look, &free_procs), 0);
	TEST_EQ(queue[0].answer, FAIR_SFS_STARTED);
	TEST_EQ(queue[1].answer, FAIR_SFS_NEITHER);
	TEST_EQ(queue[2].answer, FAIR_SFS_STARTED);
	TEST_EQ(300 - free_procs, 250);
}

/*
 * THE WORKED EXAMPLE of [SFS] 5. All jobs are equally long and the machine is
 * idle at first, so a job fits if it is not wider than what is free, and every
 * reservation is for when those now started end.
 */
#define EXAMPLE_JOBS 20
static const char example_name[] = "ABCDEFGHJKMNPQRSUVWX";

struct example {
	struct fair_sfs *s;
	struct fair_sfs_job job[EXAMPLE_JOBS];
	int32_t free_procs;
	size_t step;
	char running[EXAMPLE_JOBS + 1];
};

/* What the paper prints at each step, and the total occupancy behind it. */
static const struct {
	const char *list; /* before the job is looked at */
	char job;
	int answer;
	const char *running; /* after that */
	int32_t occupancy;
} example_step[] = {
	{ "ABCDEFGHJKMNPQRSUVWX", 'A', FAIR_SFS_STARTED, "A", 200 },
	{ "BCDEFGHJKMNPQRSUVWX", 'B', FAIR_SFS_STARTED, "AB", 400 },
	{ "MNPQRSUVWX", 'M', FAIR_SFS_STARTED, "ABM", 450 },
	{ "NPQRSUVWX", 'N', FAIR_SFS_STARTED, "ABMN", 500 },
	/* "the local list is empty": pass 2 */
	{ "CDEFGHJKPQRSUVWX", 'C', FAIR_SFS_STARTED, "ABMNC", 700 },
	{ "DEFGHJKPQRSUVWX", 'D', FAIR_SFS_STARTED, "ABMNCD", 900 },
	{ "EFGHJKPQRSUVWX", 'E', FAIR_SFS_RESERVED, "ABMNCD", 900 },
	{ "FGHJKPQRSUVWX", 'F', FAIR_SFS_RESERVED, "ABMNCD", 900 },
	/* "the bottom of the reservation depth": the next job ends pass 2 */
	{ "GHJKPQRSUVWX", 'G', FAIR_SFS_NEITHER, "ABMNCD", 900 },
	{ "GHJKPQRSUVWX", 'H', FAIR_SFS_NEITHER, "ABMNCD", 900 },
	{ "GHJKPQRSUVWX", 'J', FAIR_SFS_NEITHER, "ABMNCD", 900 },
	{ "GHJKPQRSUVWX", 'K', FAIR_SFS_NEITHER, "ABMNCD", 900 },
	/* "two of the Bob allocation jobs will" */
	{ "GHJKPQRSUVWX", 'P', FAIR_SFS_STARTED, "ABMNCDP", 950 },
	{ "GHJKQRSUVWX", 'Q', FAIR_SFS_STARTED, "ABMNCDPQ", 1000 },
	{ "GHJKRSUVWX", 'R', FAIR_SFS_NEITHER, "ABMNCDPQ", 1000 },
	{ "GHJKRSUVWX", 'S', FAIR_SFS_NEITHER, "ABMNCDPQ", 1000 },
	{ "GHJKRSUVWX", 'U', FAIR_SFS_NEITHER, "ABMNCDPQ", 1000 },
	{ "GHJKRSUVWX", 'V', FAIR_SFS_NEITHER, "ABMNCDPQ", 1000 },
	{ "GHJKRSUVWX", 'W', FAIR_SFS_NEITHER, "ABMNCDPQ", 1000 },
	{ "GHJKRSUVWX", 'X', FAIR_SFS_NEITHER, "ABMNCDPQ", 1000 },
};
#define EXAMPLE_STEPS (sizeof(example_step) / sizeof(example_step[0]))

/* Jobs that wait without a reservation, in pass 1 only those past the gate. */
static void example_list(const struct example *e, bool gated, char *list)
{
	size_t i;

	for (i = 0; i < EXAMPLE_JOBS; i++)
		if (e->job[i].answer == FAIR_SFS_NEITHER &&
		    (!gated || fair_sfs_gate(e->s, e->job[i].account)))
			*list++ = example_name[i];
	*list = 0;
}

static int example_look(void *context, size_t job, int32_t procs,
			bool may_reserve)
{
	struct example *e = (struct example *)context;
	int answer = may_reserve ? FAIR_SFS_RESERVED : FAIR_SFS_NEITHER;
	size_t step = e->step++;
	char list[EXAMPLE_JOBS + 1];

	if (procs <= e->free_procs) {
		answer = FAIR_SFS_STARTED;
		e->free_procs -= procs;
		e->running[strlen(e->running)] = example_name[job];
	}
	TEST_CHECK(step < EXAMPLE_STEPS);
	if (step >= EXAMPLE_STEPS)
		return answer;
	if (step == 4) {
		example_list(e, true, list);
		TEST_CHECK(!strcmp(list, ""));
	}
	example_list(e, step < 4, list);
	TEST_CHECK(!strcmp(list, example_step[step].list));
	TEST_EQ(example_name[job], example_step[step].job);
	TEST_EQ(answer, example_step[step].answer);
	TEST_CHECK(!strcmp(e->running, example_step[step].running));
	TEST_EQ(1000 - e->free_procs, example_step[step].occupancy);
	return answer;
}

static void example_with(int64_t alice_target)
{
	struct fair_sfs s = accounts(2);
	int64_t occupancy = -1, target = -1;
	struct example e;
	size_t i;

	memset(&e, 0, sizeof(e));
	TEST_EQ(fair_sfs_set_target(&s, 0, alice_target), 0);
	TEST_EQ(fair_sfs_set_target(&s, 1, 58), 0);
	e.s = &s;
	e.free_procs = 1000;
	for (i = 0; i < EXAMPLE_JOBS; i++) {
		e.job[i].account = i >= 10;
		e.job[i].procs = i < 10 ? 200 : 50;
	}
	TEST_EQ(fair_sfs_plan(&s, e.job, EXAMPLE_JOBS, 2, example_look, &e), 0);
	TEST_EQ(e.step, EXAMPLE_STEPS);
	for (i = 0; i < EXAMPLE_JOBS; i++) {
		TEST_EQ(e.job[i].answer == FAIR_SFS_STARTED,
			strchr("ABMNCDPQ", example_name[i]) != NULL);
		TEST_EQ(e.job[i].answer == FAIR_SFS_RESERVED,
			strchr("EF", example_name[i]) != NULL);
		TEST_EQ(e.job[i].pass, strchr("ABMN", example_name[i])	 ? 1
				       : strchr("CDEF", example_name[i]) ? 2
				       : strchr("PQ", example_name[i])	 ? 3
									 : 0);
	}
	TEST_EQ(fair_sfs_occupancy(&s, 0, &occupancy, &target), 0);
	TEST_EQ(occupancy, 800);
	TEST_EQ(target, alice_target);
	TEST_EQ(fair_sfs_occupancy(&s, 1, &occupancy, &target), 0);
	TEST_EQ(occupancy, 200);
	TEST_EQ(fair_sfs_check(&s), 0);
}

/* As it is printed, and as equation 2 has it. */
static void worked_example(void)
{
	example_with(288);
	example_with(228);
}

/* The oracle tells the same story. */
static void worked_example_by_model(void)
{
	struct sfs_model_account alice = { 228 * 7, 7, 1, 1 };
	struct sfs_model_account bob = { 58 * 7, 7, 1, 1 };
	static struct sfs_model m;
	char log[EXAMPLE_JOBS + 1] = "";
	size_t i;

	m.account[0] = alice;
	m.account[1] = bob;
	m.jobs = EXAMPLE_JOBS;
	m.procs = 1000;
	for (i = 0; i < EXAMPLE_JOBS; i++) {
		m.job[i].account = i >= 10;
		m.job[i].procs = i < 10 ? 200 : 50;
		m.job[i].walltime = 10;
	}
	sfs_model_instant(&m, 0, 2);
	for (i = 0; i < m.logged; i++)
		log[i] = example_name[m.log[i]];
	TEST_CHECK(!strcmp(log, "ABMNCDEFPQ"));
}

/* Equal to its target passes; one above does not. */
static void gate(void)
{
	struct fair_sfs s = accounts(3);

	TEST_EQ(fair_sfs_set_target(&s, 1, 10), 0);
	TEST_CHECK(fair_sfs_gate(&s, 0)); /* 0 <= 0 */
	TEST_EQ(fair_sfs_start(&s, 0, 1), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 0));
	TEST_EQ(fair_sfs_start(&s, 1, 10), 0);
	TEST_CHECK(fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_start(&s, 1, 1), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_check(&s), 0);
	TEST_EQ(fair_sfs_finish(&s, 1, 1), 0);
	TEST_CHECK(fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_set_target(&s, 1, 9), 0);
	TEST_CHECK(!fair_sfs_gate(&s, 1));
	TEST_EQ(fair_sfs_set_target(&s, 2, INT32_MAX), 0);
	TEST_EQ(fair_sfs_start(&s, 2, INT32_MAX), 0);
	TEST_CHECK(fair_sfs_gate(&s, 2));
	TEST_CHECK(!fair_sfs_gate(&s, 3));
	TEST_CHECK(!fair_sfs_gate(&s, UINT32_MAX));
	TEST_EQ(fair_sfs_check(&s), 0);
}

/* A number of any length up to 63 bits. */
static int64_t any(uint64_t *random)
{
	return (int64_t)(test_random(random) >> test_range(random, 1, 63));
}

/* Exactly the largest occupancy at which the gate is to be open. */
static void targets(void)
{
	struct sfs_model_account model;
	struct fair_sfs_allocation a;
	int64_t target, most = 0;
	uint64_t random = 1;
	int i, err;

	for (i = 0; i < 200000; i++) {
		model.award = a.award = any(&random);
		model.period = a.period = any(&random) | 1;
		model.factor = a.factor = (int32_t)(any(&random) & INT32_MAX);
		model.unit = a.unit = (int32_t)(any(&random) & INT32_MAX) | 1;
		target = -1;
		err = fair_sfs_target(&a, &target);
		if (err) {
			TEST_EQ(err, -FAIR_EOVERFLOW);
			TEST_EQ(target, -1);
			TEST_CHECK(
				sfs_model_at_target(&model, INT64_C(1) << 31));
			continue;
		}
		most = target > most ? target : most;
		TEST_CHECK(sfs_model_at_target(&model, target));
		TEST_CHECK(!sfs_model_at_target(&model, target + 1));
	}
	TEST_CHECK(most > INT32_MAX / 2);
	a = allocation(INT32_MAX, 1, 1, 1);
	TEST_EQ(fair_sfs_target(&a, &target), 0);
	TEST_EQ(target, INT32_MAX);
	a = allocation(INT64_MAX, INT64_MAX, INT32_MAX, INT32_MAX);
	TEST_EQ(fair_sfs_target(&a, &target), 0);
	TEST_EQ(target, 1);
}

/* 2 * |ideal * period - award * 2^20| <= period, halves up */
static void ideals(void)
{
	struct sfs_model_account model;
	struct fair_sfs_allocation a;
	uint64_t random = 2;
	int64_t ideal;
	int i;

	a.factor = a.unit = 1;
	model.factor = 1 << 21;
	model.unit = 1;
	for (i = 0; i < 100000; i++) {
		model.award = a.award = any(&random) >> 2;
		model.period = a.period = any(&random) | 1;
		ideal = -1;
		if (fair_sfs_ideal(&a, &ideal)) {
			TEST_EQ(ideal, -1);
			TEST_CHECK(sfs_model_at_target(&model, INT64_MAX));
			continue;
		}
		if (ideal > INT64_MAX / 2)
			continue;
		/* (2 ideal - 1) period <= award 2^21 < (2 ideal + 1) period */
		TEST_CHECK(!ideal ||
			   sfs_model_at_target(&model, 2 * ideal - 1));
		TEST_CHECK(!sfs_model_at_target(&model, 2 * ideal + 1));
	}
	a = allocation(1, 1 << 21, 1, 1);
	TEST_EQ(fair_sfs_ideal(&a, &ideal), 0);
	TEST_EQ(ideal, 1); /* a half goes up */
	a = allocation(INT64_MAX, FAIR_SFS_ONE, 1, 1);
	TEST_EQ(fair_sfs_ideal(&a, &ideal), 0);
	TEST_EQ(ideal, INT64_MAX);
}

static void bad_allocations(void)
{
	static const struct fair_sfs_allocation bad[] = {
		{ -1, 1, 1, 1 }, { 1, 0, 1, 1 }, { 1, -1, 1, 1 },
		{ 1, 1, -1, 1 }, { 1, 1, 1, 0 }, { 1, 1, 1, -1 },
	};
	struct fair_sfs_allocation good = { 1, 1, 1, 1 };
	int64_t out = -7;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		TEST_EQ(fair_sfs_target(bad + i, &out), -FAIR_EINVAL);
		TEST_EQ(fair_sfs_ideal(bad + i, &out), -FAIR_EINVAL);
	}
	TEST_EQ(fair_sfs_target(NULL, &out), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_ideal(NULL, &out), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_target(&good, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_ideal(&good, NULL), -FAIR_EINVAL);
	good.award = INT64_C(1) << 31;
	TEST_EQ(fair_sfs_target(&good, &out), -FAIR_EOVERFLOW);
	good.award = INT64_C(1) << 43;
	TEST_EQ(fair_sfs_ideal(&good, &out), -FAIR_EOVERFLOW);
	TEST_EQ(out, -7);
}

static void errors(void)
{
	struct fair_sfs s = accounts(2), was;
	int64_t out = -7;

	TEST_EQ(fair_sfs_init(NULL, sizeof(s), memory, 99, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_init(&s, sizeof(s) - 1, memory, 99, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_init(&s, sizeof(s), NULL, 99, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_init(&s, sizeof(s), memory, fair_sfs_size(2) - 1, 2),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sfs_start(&s, 1, 5), 0);
	was = s;

	TEST_EQ(fair_sfs_set_target(NULL, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_set_target(&s, 2, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_set_target(&s, 0, -1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_set_target(&s, 0, INT64_C(1) << 31), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_start(NULL, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_start(&s, 2, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_start(&s, 0, 0), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_start(&s, 0, -1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_finish(NULL, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_finish(&s, 2, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_finish(&s, 1, 0), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_finish(&s, 1, 6), -FAIR_ERANGE);
	TEST_EQ(fair_sfs_finish(&s, 0, 1), -FAIR_ERANGE);
	TEST_EQ(fair_sfs_occupancy(NULL, 0, &out, &out), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_occupancy(&s, 2, &out, &out), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_occupancy(&s, 0, NULL, &out), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_occupancy(&s, 0, &out, NULL), -FAIR_EINVAL);
	TEST_EQ(out, -7);
	TEST_CHECK(!memcmp(&s, &was, sizeof(s)));
	TEST_EQ(fair_sfs_check(&s), 0);

	s.busy = s.account[1].occupancy = INT64_MAX - 3;
	TEST_EQ(fair_sfs_start(&s, 0, 4), -FAIR_EOVERFLOW);
	TEST_EQ(fair_sfs_start(&s, 0, 3), 0);
	TEST_EQ(fair_sfs_check(&s), 0);
}

/* Answers the next of a list. */
static int told(void *context, size_t job, int32_t procs, bool may_reserve)
{
	const int **next = (const int **)context;

	(void)job;
	(void)procs;
	(void)may_reserve;
	return *(*next)++;
}

static int plan(struct fair_sfs *s, struct fair_sfs_job *queue, size_t jobs,
		uint32_t depth, const int *answer)
{
	return fair_sfs_plan(s, queue, jobs, depth, told, &answer);
}

static void plan_errors(void)
{
	static const int wrong[] = { FAIR_SFS_STARTED, 3 };
	static const int failing[] = { FAIR_SFS_RESERVED, -FAIR_ENOSPC };
	static const int one_more[] = { FAIR_SFS_RESERVED, FAIR_SFS_RESERVED };
	struct fair_sfs_job queue[2] = { { 0, 5, 9, 9 }, { 1, 5, 9, 9 } };
	struct fair_sfs s = accounts(2);

	TEST_EQ(plan(NULL, queue, 2, 1, failing), -FAIR_EINVAL);
	TEST_EQ(plan(&s, NULL, 2, 1, failing), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_plan(&s, queue, 2, 1, NULL, NULL), -FAIR_EINVAL);
	queue[1].account = 2;
	TEST_EQ(plan(&s, queue, 2, 1, failing), -FAIR_EINVAL);
	queue[1].account = 1;
	queue[1].procs = 0;
	TEST_EQ(plan(&s, queue, 2, 1, failing), -FAIR_EINVAL);
	queue[1].procs = 5;
	s.busy = s.account[0].occupancy = INT64_MAX - 9;
	TEST_EQ(plan(&s, queue, 2, 1, failing), -FAIR_EOVERFLOW);
	s.busy = s.account[0].occupancy = 0;
	TEST_EQ(queue[0].answer, 9);
	TEST_EQ(queue[0].pass, 9);
	TEST_EQ(queue[1].answer, 9);

	TEST_EQ(plan(&s, NULL, 0, 1, failing), 0);
	TEST_EQ(plan(&s, queue, 2, 1, failing), -FAIR_ENOSPC);
	TEST_EQ(queue[0].answer, FAIR_SFS_RESERVED);
	TEST_EQ(queue[1].answer, FAIR_SFS_NEITHER);
	s.busy = s.account[0].occupancy = INT64_MAX - 10; /* just possible */
	TEST_EQ(plan(&s, queue, 2, 1, failing), -FAIR_ENOSPC);
	s.busy = s.account[0].occupancy = 0;
	TEST_EQ(plan(&s, queue, 2, 1, one_more), -FAIR_EINVAL);
	TEST_EQ(plan(&s, queue, 2, 1, wrong), -FAIR_EINVAL);
	TEST_EQ(queue[0].answer, FAIR_SFS_STARTED);
	TEST_EQ(queue[0].pass, 1);
	TEST_EQ(s.account[0].occupancy, 5);
	TEST_EQ(fair_sfs_check(&s), 0);
}

/* A reservation of pass 1 counts in pass 2, and no pass 3 makes one. */
static void reservations(void)
{
	static const int shared[] = {
		FAIR_SFS_RESERVED, FAIR_SFS_NEITHER, /* pass 1: jobs 0, 2 */
		FAIR_SFS_RESERVED,		     /* pass 2: job 1 */
		FAIR_SFS_NEITHER,		     /* job 2 ends it */
		FAIR_SFS_STARTED		     /* pass 3: job 3 */
	};
	static const int none[] = { FAIR_SFS_NEITHER, FAIR_SFS_NEITHER,
				    FAIR_SFS_NEITHER, FAIR_SFS_RESERVED };
	struct fair_sfs_job queue[4] = {
		{ 0, 5, 0, 0 }, { 1, 5, 0, 0 }, { 0, 6, 0, 0 }, { 1, 1, 0, 0 }
	};
	struct fair_sfs s = accounts(2);

	TEST_EQ(fair_sfs_start(&s, 1, 1), 0);
	TEST_EQ(plan(&s, queue, 4, 2, shared), 0);
	TEST_EQ(queue[0].pass, 1);
	TEST_EQ(queue[1].pass, 2);
	TEST_EQ(queue[2].pass, 0);
	TEST_EQ(queue[3].pass, 3);
	/* Account 1 is above its target: jobs 0 and 2 in pass 1; job 0 ends
	 * pass 2, and what is answered for job 1 is pass 3's. */
	TEST_EQ(fair_sfs_finish(&s, 1, 1), 0);
	TEST_EQ(plan(&s, queue, 2, 9, none), 0);
	TEST_EQ(plan(&s, queue, 3, 9, none), -FAIR_EINVAL);
}

static void invariants(void)
{
	struct fair_sfs s = accounts(2);

	s.account[1].target = -1;
	TEST_EQ(fair_sfs_check(&s), 1);
	s.account[1].target = INT64_C(1) << 31;
	TEST_EQ(fair_sfs_check(&s), 1);
	s.account[1].target = 0;
	s.account[1].occupancy = -1;
	TEST_EQ(fair_sfs_check(&s), 2);
	s.account[1].occupancy = 1;
	TEST_EQ(fair_sfs_check(&s), 3);
	s.busy = 1;
	TEST_EQ(fair_sfs_check(&s), 0);
}

static void clones(void)
{
	static unsigned char other[4096];
	struct fair_sfs s = accounts(3), copy;
	int64_t occupancy = 0, target = 0;

	TEST_EQ(fair_sfs_set_target(&s, 1, 10), 0);
	TEST_EQ(fair_sfs_start(&s, 1, 7), 0);
	TEST_EQ(fair_sfs_clone(NULL, other, sizeof(other), &s), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_clone(&copy, NULL, sizeof(other), &s), -FAIR_EINVAL);
	TEST_EQ(fair_sfs_clone(&copy, other, sizeof(other), NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_sfs_clone(&copy, other, fair_sfs_size(3) - 1, &s),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sfs_clone(&copy, other + 1, fair_sfs_size(3), &s), 0);
	TEST_EQ(fair_sfs_finish(&s, 1, 7), 0);
	TEST_EQ(fair_sfs_check(&copy), 0);
	TEST_EQ(fair_sfs_occupancy(&copy, 1, &occupancy, &target), 0);
	TEST_EQ(occupancy, 7);
	TEST_EQ(target, 10);
}

/* 16 bytes each and 7 to align them; 2^28 are too many for 32 bits. */
static void sizes(void)
{
	const bool narrow = SIZE_MAX == UINT32_MAX;
	static uint64_t words[16];
	char *at = (char *)words;
	size_t i, bytes = fair_sfs_size(2);
	uint32_t n = UINT32_MAX / 16; /* just possible */
	struct fair_sfs s;

	TEST_EQ(fair_sfs_size(0), 7);
	TEST_EQ(fair_sfs_size(3), 3 * 16 + 7);
	TEST_EQ(fair_sfs_size(n), (uint64_t)n * 16 + 7);
	TEST_EQ(!fair_sfs_size(n + 1), narrow);
	if (narrow)
		TEST_EQ(fair_sfs_init(&s, sizeof(s), words, sizeof(words),
				      n + 1),
			-FAIR_ENOMEM);
	for (i = 0; i < 8; i++) {
		TEST_EQ(fair_sfs_init(&s, sizeof(s), at + i, bytes, 2), 0);
		TEST_CHECK((char *)s.account == at + (i ? 8 : 0));
	}
}

static void a_million_accounts(void)
{
	const uint32_t n = 1000000;
	size_t bytes = fair_sfs_size(n);
	void *big = malloc(bytes);
	uint64_t random = 3;
	struct fair_sfs s;
	uint32_t i, a;

	TEST_REQUIRE(big);
	TEST_CHECK(bytes <= 16 * (size_t)n + 16);
	TEST_EQ(fair_sfs_init(&s, sizeof(s), big, bytes, n), 0);
	for (i = 0; i < n; i++) {
		a = (uint32_t)test_range(&random, 0, n - 1);
		TEST_EQ(fair_sfs_start(&s, a, 1), 0);
		TEST_EQ(fair_sfs_gate(&s, a), false);
	}
	TEST_EQ(fair_sfs_check(&s), 0);
	TEST_EQ(s.busy, n);
	free(big);
}

int main(void)
{
	TEST_RUN(equations);
	TEST_RUN(manual);
	TEST_RUN(worked_example);
	TEST_RUN(worked_example_by_model);
	TEST_RUN(gate);
	TEST_RUN(targets);
	TEST_RUN(ideals);
	TEST_RUN(bad_allocations);
	TEST_RUN(errors);
	TEST_RUN(plan_errors);
	TEST_RUN(reservations);
	TEST_RUN(invariants);
	TEST_RUN(clones);
	TEST_RUN(sizes);
	TEST_RUN(a_million_accounts);
	return test_report();
}
