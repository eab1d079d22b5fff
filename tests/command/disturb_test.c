/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What disturbs a simulation is drawn the same by every compiler, and does not
 * depend on what else is simulated.
 */
#include "tools/fairsched/sim/disturb.h"

#include <math.h>

#include "tests/test.h"
#include "tools/fairsched/base/units.h"
#include "tools/fairsched/trace/random.h"

#define DRAWS 20000
#define PROCS 7

TEST(logarithms)
{
	uint64_t random = 1, x;
	int i;

	for (i = 0; i < 64; i++)
		TEST_EQ(random_log2((uint64_t)1 << i), (uint64_t)i << 32);
	for (i = 0; i < DRAWS; i++) {
		x = random_bits(&random) >> i % 64;
		x += !x;
		TEST_CHECK(fabs((double)random_log2(x) / 0x1p32 -
				log2((double)x)) < 1e-8);
	}
}

/* Exponential, with that mean. */
TEST(seconds)
{
	uint64_t random = 1, same;
	double sum = 0, bits;
	int64_t x;
	int i;

	for (i = 0; i < DRAWS; i++) {
		same = random;
		bits = (double)(random_bits(&same) | 1);
		x = random_seconds(&random, 86400);
		sum += (double)x;
		TEST_EQ(random, same);
		TEST_CHECK(fabs((double)x - 86400 * log(0x1p64 / bits)) < 1.01);
	}
	TEST_CHECK(fabs(sum / DRAWS - 86400) < 3 * 86400 / sqrt(DRAWS));
	TEST_EQ(random_seconds(&random, 1) > 0, 1);
}

/* Printed once, by gcc -O2 on x86-64. */
TEST(the_same_everywhere)
{
	static const int64_t want[] = { 49090, 25344, 2543,  70081,
					70100, 23383, 11306, 55992 };
	uint64_t random = 1;
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(*want); i++)
		TEST_EQ(random_seconds(&random, 86400), want[i]);
	TEST_EQ(random_seconds(&random, RANDOM_MEAN), 2691833857);
	TEST_EQ(random_hash(1, 2), UINT64_C(13608149317741381227));
}

TEST(shares)
{
	static const struct {
		const char *text;
		uint32_t want; /* 0: it is none */
	} row[] = {
		{ "1", 1000000 },  { "0.01", 10000 }, { "0.000001", 1 },
		{ "1.0", 1000000 }, { "0.5", 500000 }, { "0", 0 },
		{ "0.0000001", 0 }, { "1.1", 0 },      { "2", 0 },
		{ "10", 0 },	    { "", 0 },	       { "-0.1", 0 },
		{ "0.1x", 0 },	    { "1%", 0 },       { ".5", 0 },
	};
	uint32_t got;
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		got = 0;
		TEST_EQ(units_share(row[i].text, &got), row[i].want > 0);
		TEST_EQ(got, row[i].want);
	}
}

static void fill(struct swf_job *job, size_t n)
{
	size_t i;

	memset(job, 0, n * sizeof(*job));
	for (i = 0; i < n; i++) {
		job[i].line = (unsigned long)i + 1;
		job[i].estimate = 100;
		job[i].run = i % 2 ? 100 : 99;
	}
}

/* A job has the same fate wherever it is in the trace. */
TEST(ends_and_starts)
{
	static struct swf_job job[DRAWS], part[DRAWS];
	struct disturb d = { 1, 7, UNITS_SHARE / 4, UNITS_SHARE / 100, 0, 0 };
	size_t late, refused = 0, i;

	fill(job, DRAWS);
	memcpy(part, job + 5, 1000 * sizeof(*part));
	late = disturb_ends(&d, job, DRAWS);
	TEST_CHECK(late > DRAWS / 8 - 200 && late < DRAWS / 8 + 200);
	(void)disturb_ends(&d, part, 1000);
	for (i = 0; i < DRAWS; i++) {
		refused += disturb_refuses(&d, &job[i]);
		late -= job[i].run == 107;
		TEST_CHECK(i % 2 || job[i].run == 99);
		TEST_CHECK(i >= 1000 || part[i].run == job[i + 5].run);
	}
	TEST_EQ(late, 0);
	TEST_CHECK(refused > DRAWS / 100 - 60 && refused < DRAWS / 100 + 60);
	d.late_share = UNITS_SHARE;
	fill(job, DRAWS);
	TEST_EQ(disturb_ends(&d, job, DRAWS), DRAWS / 2);
	d.end_late = 0;
	TEST_EQ(disturb_ends(&d, job, DRAWS), 0);
}

/* Each processor fails and is repaired in turn; the last event is a repair. */
TEST(processors)
{
	struct disturb d = { 1, 0, 0, 0, 5000, 300 };
	int64_t last = 0, now, failed = 0, repaired = 0;
	bool is_down[PROCS] = { false };
	struct failures f;
	uint64_t random;
	uint32_t unit;

	TEST_EQ(failures_open(&f, &d, PROCS, 1000, 10000000), 0);
	while ((now = failures_next(&f)) < INT64_MAX) {
		TEST_CHECK(now >= last && now > 1000);
		if (failures_take(&f, &unit, &random)) {
			TEST_CHECK(is_down[unit]);
			repaired += now;
		} else {
			TEST_CHECK(!is_down[unit]);
			failed += now;
			TEST_CHECK(now <= 10000000);
		}
		is_down[unit] = !is_down[unit];
		last = now;
	}
	for (unit = 0; unit < PROCS; unit++)
		TEST_CHECK(!is_down[unit]);
	TEST_CHECK(repaired > failed && last > 9900000);
	failures_close(&f);
	TEST_EQ(failures_next(&f), INT64_MAX);
}
