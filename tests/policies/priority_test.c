/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_PRIORITY_IMPLEMENTATION
#include "policies/priority.h"
#include "tests/test.h"
#include "tests/model/priority_model.h"

#include <math.h>

#define ONE FAIR_PRIORITY_ONE
#define HOUR 3600

static struct fair_priority_job waiting(int64_t wait, int64_t walltime)
{
	return (struct fair_priority_job){ .wait = wait, .walltime = walltime };
}

static struct fair_priority_parts made(const struct fair_priority_config *c,
				       const struct fair_priority_job *job)
{
	struct fair_priority_parts p;

	memset(&p, 0, sizeof(p));
	TEST_EQ(fair_priority(c, job, &p), 0);
	return p;
}

static struct fair_priority_config nothing(void)
{
	struct fair_priority_config c;

	memset(&c, 0, sizeof(c));
	return c;
}

/* The manual's. */
static int example(void)
{
	struct fair_priority_config config = fair_priority_defaults();
	struct fair_priority_job job = { 0 };
	struct fair_priority_parts p;

	config.weight[FAIR_PRIORITY_XFACTOR] = 10;
	job.wait = 5400;
	job.walltime = 3600;
	if (fair_priority(&config, &job, &p))
		return 1;
	return p.priority != 115 * FAIR_PRIORITY_ONE;
}

TEST(the_example)
{
	TEST_EQ(example(), 0);
}

/* [MAUI] 6.1.1 and the Administrator's Guide, 5.1.2.3. */
TEST(processor_equivalents)
{
	struct fair_priority_amounts job = { 1, 1, 4096, 0, 0 };
	struct fair_priority_amounts machine = { 1, 8, 16384, 0, 0 };
	int64_t pe = -1;

	TEST_EQ(fair_priority_pe(&job, &machine, &pe), 0);
	TEST_EQ(pe, 2 * ONE);
	job.procs = 32;
	job.memory = 500;
	machine.procs = 128;
	machine.memory = 1000;
	TEST_EQ(fair_priority_pe(&job, &machine, &pe), 0);
	TEST_EQ(pe, 64 * ONE);
	job.swap = 7; /* of nothing known */
	job.disk = 3;
	machine.disk = 4;
	TEST_EQ(fair_priority_pe(&job, &machine, &pe), 0);
	TEST_EQ(pe, 96 * ONE);
	job.memory = INT64_C(1171221845949812801); /* (2^66 - 1) / 63 */
	machine.memory = INT64_C(1) << 22;
	machine.procs = 63; /* 2^44 - 2^-22: rounds to what is no number */
	TEST_EQ(fair_priority_pe(&job, &machine, &pe), 0);
	TEST_EQ(pe, FAIR_PRIORITY_MAX);
}

/* The Guide's table of expansion factors, 5.1.2.4.2. */
TEST(expansion_factors)
{
	static const int hours[] = { 1, 2, 4, 8, 16 };
	static const int of_4_hours[] = { 125, 150, 200, 300, 500 };
	struct fair_priority_config c = nothing();
	struct fair_priority_job job;
	size_t i;

	for (i = 0; i < 5; i++) {
		job = waiting(hours[i] * HOUR, HOUR);
		TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_XFACTOR],
			(hours[i] + 1) * ONE);
		TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_XFACTOR], 0);
		TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_QUEUE_TIME],
			0);
		job = waiting(hours[i] * HOUR, 4 * HOUR);
		TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_XFACTOR] * 100,
			of_4_hours[i] * ONE);
	}
	/* Half of 2^-20 goes up. */
	job = waiting(1, 2 * ONE);
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_XFACTOR], ONE + 1);
	/* 4/3 of long times. */
	job = waiting(INT64_C(1) << 44, INT64_C(3) << 44);
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_XFACTOR], 4 * ONE / 3);
}

/* The Guide's, 5.1.2.2: 100 * (10 * 5 + 30 * -10). */
TEST(fairshare)
{
	struct fair_priority_config c = nothing();
	struct fair_priority_job job = waiting(0, HOUR);
	struct fair_priority_parts p;
	int i;

	c.component_weight[FAIR_PRIORITY_FAIRSHARE] = 100;
	for (i = 0; i < 4; i++)
		c.weight[FAIR_PRIORITY_FS_USER + i] = 10 * (i + 1);
	job.fs_delta[0] = 5 * ONE;
	job.fs_delta[2] = -10 * ONE;
	p = made(&c, &job);
	TEST_EQ(p.part[FAIR_PRIORITY_FS_USER], 50 * ONE);
	TEST_EQ(p.part[FAIR_PRIORITY_FS_ACCOUNT], -300 * ONE);
	TEST_EQ(p.factor[FAIR_PRIORITY_FAIRSHARE], -250 * ONE);
	TEST_EQ(p.priority, -25000 * ONE);
	/* A cap lowers what is above it, and raises nothing. */
	c.component_cap[FAIR_PRIORITY_FAIRSHARE] = 10 * ONE;
	TEST_EQ(made(&c, &job).priority, -25000 * ONE);
	job.fs_delta[2] = 0;
	TEST_EQ(made(&c, &job).priority, 1000 * ONE);
}

TEST(each_part)
{
	struct fair_priority_config c = nothing();
	struct fair_priority_job job = waiting(600, 300);
	static const int of[FAIR_PRIORITY_PARTS] = { 0, 0, 1, 1, 1, 1, 1,
						     1, 2, 2, 2, 2, 2, 3,
						     3, 3, 3, 3, 4, 4, 5 };
	int64_t want[FAIR_PRIORITY_PARTS] = {
		10, 3,	2,  3,	4,  5,	6,  7, 80, 81, 82,
		83, 84, 90, 91, 92, 93, 94, 4, 1,  13,
	};
	struct fair_priority_amounts request = { 2, 3, 4, 5, 6 };
	struct fair_priority_parts p;
	int i, k;

	job.request = request;
	job.pe = 7 * ONE;
	for (i = 0; i < FAIR_PRIORITY_CREDENTIALS; i++) {
		job.fs_delta[i] = (80 + i) * ONE;
		job.given[i] = 90 + i;
	}
	job.xfactor_target = 3 * ONE + ONE / 2;
	job.queue_time_target = 660;
	job.bypassed = 13;
	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		c.component_weight[i] = i + 2;
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++) {
		c.weight[i] = 3;
		p = made(&c, &job);
		TEST_EQ(p.value[i], want[i] * ONE);
		TEST_EQ(p.part[i], 3 * want[i] * ONE);
		TEST_EQ(p.factor[of[i]], 3 * want[i] * ONE);
		TEST_EQ(p.component[of[i]], (of[i] + 2) * p.part[i]);
		TEST_EQ(p.priority, p.component[of[i]]);
		c.cap[i] = ONE / 2;
		TEST_EQ(made(&c, &job).part[i], 3 * ONE / 2);
		c.component_cap[of[i]] = ONE;
		TEST_EQ(made(&c, &job).factor[of[i]], ONE);
		c.cap[i] = c.component_cap[of[i]] = c.weight[i] = 0;
		TEST_CHECK(*fair_priority_part_name(i));
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_priority_part_name(k),
					  fair_priority_part_name(i)));
	}
	TEST_CHECK(!*fair_priority_part_name(-1));
	TEST_CHECK(!*fair_priority_part_name(FAIR_PRIORITY_PARTS));
	TEST_CHECK(!*fair_priority_part_name(INT32_MIN));
	TEST_CHECK(!*fair_priority_part_name(INT32_MAX));
	TEST_CHECK(!*fair_priority_component_name(INT32_MIN));
	TEST_CHECK(!*fair_priority_component_name(INT32_MAX));
	TEST_CHECK(!strcmp(fair_priority_component_name(0), "service"));
	TEST_CHECK(!strcmp(fair_priority_component_name(2), "fairshare"));
	TEST_CHECK(!*fair_priority_component_name(-1));
	TEST_CHECK(!*fair_priority_component_name(FAIR_PRIORITY_COMPONENTS));
}

TEST(quality_of_service)
{
	struct fair_priority_config c = fair_priority_defaults();
	struct fair_priority_job job = waiting(600, 600);

	job.queue_time_weight = 4;
	job.xfactor_weight = 7;
	TEST_EQ(made(&c, &job).priority, (5 * 10 + 7 * 2) * ONE);
}

/* 10^8 at the target and beyond, and never falling on the way there. */
TEST(targets)
{
	struct fair_priority_config c = nothing();
	struct fair_priority_job job = waiting(0, 997);
	const int64_t reached = 100000000 * ONE;
	int64_t xf = 0, qt = 0, t;
	struct fair_priority_parts p;

	job.xfactor_target = 4 * ONE;
	job.queue_time_target = 2991;
	for (t = 0; t <= 4000; t++) {
		job.wait = t;
		p = made(&c, &job);
		TEST_CHECK(p.value[FAIR_PRIORITY_TARGET_XFACTOR] >= xf);
		TEST_CHECK(p.value[FAIR_PRIORITY_TARGET_QUEUE_TIME] >= qt);
		xf = p.value[FAIR_PRIORITY_TARGET_XFACTOR];
		qt = p.value[FAIR_PRIORITY_TARGET_QUEUE_TIME];
		TEST_EQ(xf == reached, t >= 2991);
		TEST_EQ(qt == reached, t >= 2991);
	}
	/* 0.0001 and its neighbours: 105 / 2^20 is the next that is larger. */
	job = waiting(0, 1);
	job.xfactor_target = ONE + 104;
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_XFACTOR], reached);
	job.xfactor_target = ONE + 105;
	xf = made(&c, &job).value[FAIR_PRIORITY_TARGET_XFACTOR];
	TEST_CHECK(xf < reached);
	TEST_CHECK(priority_model_xfactor_target(xf, ONE + 105, 0, 1));
	job.xfactor_target = FAIR_PRIORITY_MAX;
	job.queue_time_target = FAIR_PRIORITY_MAX;
	p = made(&c, &job);
	TEST_EQ(p.value[FAIR_PRIORITY_TARGET_XFACTOR], 0);
	TEST_EQ(p.value[FAIR_PRIORITY_TARGET_QUEUE_TIME], 0);
	job.wait = INT64_C(3) << 42; /* times 2^20 it would overflow */
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_XFACTOR], reached);
}

/* Rounded to nearest, where the last bits of a square decide; a target that
 * is 2^32 seconds away counts for nothing. */
TEST(far_and_near_targets)
{
	struct fair_priority_config c = nothing();
	struct fair_priority_job job = waiting(4557, 6044);

	job.xfactor_target = 1839282;
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_XFACTOR],
		INT64_C(94885024482624));
	job = waiting(5208, 7123);
	job.xfactor_target = 1815363;
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_XFACTOR],
		INT64_C(82903772747190));
	job.queue_time_target = job.wait + (INT64_C(1) << 32);
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_TARGET_QUEUE_TIME], 0);
}

/* Of the largest amounts that there are, their values saturate. */
TEST(the_largest_amounts)
{
	struct fair_priority_config c = nothing();
	struct fair_priority_job job = waiting(0, FAIR_PRIORITY_MOST);
	struct fair_priority_amounts *r = &job.request;

	r->nodes = r->procs = r->memory = r->swap = r->disk =
		FAIR_PRIORITY_MOST;
	TEST_EQ(made(&c, &job).value[FAIR_PRIORITY_DISK], FAIR_PRIORITY_MAX);
}

TEST(defaults)
{
	struct fair_priority_config c = fair_priority_defaults();
	int i;

	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++) {
		TEST_EQ(c.component_weight[i],
			i == FAIR_PRIORITY_SERVICE ||
				i == FAIR_PRIORITY_DIRECTSPEC);
		TEST_EQ(c.component_cap[i], 0);
	}
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++) {
		TEST_EQ(c.weight[i],
			i == FAIR_PRIORITY_QUEUE_TIME ||
				i == FAIR_PRIORITY_TARGET_XFACTOR ||
				i == FAIR_PRIORITY_TARGET_QUEUE_TIME ||
				i == FAIR_PRIORITY_BYPASSED);
		TEST_EQ(c.cap[i], 0);
	}
}

/* Of any length in bits, 0 included. */
static int64_t any(uint64_t *random, int bits)
{
	return (int64_t)(test_random(random) >> 1 >>
			 test_range(random, 63 - bits, 63));
}

TEST(values)
{
	struct fair_priority_config c = nothing();
	struct fair_priority_job job;
	struct fair_priority_parts p;
	int64_t asked[4], total[4], pe;
	uint64_t random = 1;
	int i, k;

	for (i = 0; i < 20000; i++) {
		struct fair_priority_amounts a, m;

		job = waiting(any(&random, 63), any(&random, 61) | 1);
		job.xfactor_target = any(&random, 63);
		job.queue_time_target = any(&random, 63);
		if (i & 1) /* near it */
			job.wait =
				job.queue_time_target -
				any(&random, 20) % (job.queue_time_target + 1);
		p = made(&c, &job);
		TEST_CHECK(priority_model_queue_time(
			p.value[FAIR_PRIORITY_QUEUE_TIME], job.wait));
		TEST_CHECK(
			priority_model_xfactor(p.value[FAIR_PRIORITY_XFACTOR],
					       job.wait, job.walltime));
		if (job.queue_time_target)
			TEST_CHECK(priority_model_queue_time_target(
				p.value[FAIR_PRIORITY_TARGET_QUEUE_TIME],
				job.queue_time_target, job.wait));
		if (job.xfactor_target)
			TEST_CHECK(priority_model_xfactor_target(
				p.value[FAIR_PRIORITY_TARGET_XFACTOR],
				job.xfactor_target, job.wait, job.walltime));
		for (k = 0; k < 4; k++) {
			total[k] = any(&random, k ? 61 : 31);
			asked[k] = any(&random, 61);
		}
		total[0] |= 1;
		memset(&a, 0, sizeof(a));
		memset(&m, 0, sizeof(m));
		a.procs = asked[0];
		m.procs = total[0];
		a.memory = asked[1];
		m.memory = total[1];
		a.swap = asked[2];
		m.swap = total[2];
		a.disk = asked[3];
		m.disk = total[3];
		TEST_EQ(fair_priority_pe(&a, &m, &pe), 0);
		TEST_CHECK(priority_model_pe(pe, asked, total));
	}
}

/* Jobs as they are, against the formulas in floating point. */
TEST(everyday)
{
	struct fair_priority_config c = fair_priority_defaults();
	struct fair_priority_job job;
	struct fair_priority_parts p;
	long double xf, want, bound;
	uint64_t random = 2;
	int i;

	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		c.component_weight[i] = i + 1;
	c.weight[FAIR_PRIORITY_XFACTOR] = 10;
	c.weight[FAIR_PRIORITY_PROCS] = 3;
	for (i = 0; i < 10000; i++) {
		job = waiting(test_range(&random, 0, 1000000),
			      test_range(&random, 1, 1000000));
		job.request.procs = test_range(&random, 1, 1000);
		job.xfactor_target = test_range(&random, 2, 100) * ONE;
		p = made(&c, &job);
		xf = 1 + (long double)job.wait / (long double)job.walltime;
		want = (long double)job.xfactor_target / ONE - xf;
		want = want < 0.0001L ? 0.0001L : want;
		want = (long double)job.wait / 60 + 10 * xf +
		       2 * 3 * (long double)job.request.procs +
		       5 / (want * want);
		bound = (0.5L + 10 * 0.5L + 5 * 0.501L) / ONE;
		/* and what floating point itself loses */
		bound += want * 1e-9L;
		TEST_CHECK(fabsl((long double)p.priority / ONE - want) <=
			   bound);
	}
}

static int64_t any_sign(uint64_t *random)
{
	int64_t a = any(random, 63);

	switch (test_range(random, 0, 20)) {
	case 0:
		return INT64_MIN;
	case 1:
		return INT64_MAX;
	default:
		return test_range(random, 0, 1) ? -a : a;
	}
}

/* The sums and products, with everything that saturates. */
TEST(composition)
{
	struct fair_priority_config c;
	struct fair_priority_job job;
	struct fair_priority_parts p;
	struct priority_model m;
	uint64_t random = 3;
	int i, k;

	for (i = 0; i < 20000; i++) {
		for (k = 0; k < FAIR_PRIORITY_COMPONENTS; k++) {
			c.component_weight[k] = any_sign(&random);
			c.component_cap[k] = any(&random, 63);
		}
		for (k = 0; k < FAIR_PRIORITY_PARTS; k++) {
			c.weight[k] = any_sign(&random) >>
				      test_range(&random, 0, 1) * 40;
			c.cap[k] = any(&random, 63);
		}
		job = waiting(any(&random, 63), any(&random, 61) | 1);
		job.queue_time_weight = any_sign(&random);
		job.xfactor_weight = any_sign(&random);
		job.bypassed = any(&random, 63);
		job.pe = any(&random, 63);
		for (k = 0; k < FAIR_PRIORITY_CREDENTIALS; k++) {
			job.fs_delta[k] = any_sign(&random);
			job.given[k] = any_sign(&random);
		}
		p = made(&c, &job);
		memcpy(m.component_weight, c.component_weight,
		       sizeof(m.component_weight));
		memcpy(m.component_cap, c.component_cap,
		       sizeof(m.component_cap));
		memcpy(m.weight, c.weight, sizeof(m.weight));
		memcpy(m.cap, c.cap, sizeof(m.cap));
		memcpy(m.value, p.value, sizeof(m.value));
		m.queue_time_weight = job.queue_time_weight;
		m.xfactor_weight = job.xfactor_weight;
		priority_model(&m);
		TEST_EQ(p.value[FAIR_PRIORITY_BYPASSED],
			priority_model_times(ONE, job.bypassed));
		TEST_EQ(p.value[FAIR_PRIORITY_USER],
			priority_model_times(ONE, job.given[0]));
		TEST_CHECK(!memcmp(p.part, m.part, sizeof(m.part)));
		TEST_CHECK(!memcmp(p.factor, m.factor, sizeof(m.factor)));
		TEST_CHECK(
			!memcmp(p.component, m.component, sizeof(m.component)));
		TEST_EQ(p.priority, m.priority);
		TEST_CHECK(p.priority >= -FAIR_PRIORITY_MAX);
	}
}
