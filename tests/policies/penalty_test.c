/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The multi-resource penalty: formulas 2 to 9 and the examples of [MR] and
 * [MAUI], to the last digit that they print.
 */
#include "tests/priced_nodes.h"

/* The example of the manual, returning 2.5. */
static int64_t manual(void)
{
	int64_t small[] = { 8, 16 }, large[] = { 80, 512 }; /* GB */
	int64_t request[] = { 1, 16 };
	struct fair_penalty_class classes[2] = {
		{ 10, FAIR_PENALTY_ONE, FAIR_PENALTY_ONE, 0, small },
		{ 1, FAIR_PENALTY_ONE, FAIR_PENALTY_ONE, 0, large },
	};
	struct fair_penalty_chunk job = { 1, 0, 0, 0, 0, request };
	struct fair_penalty_machine m;
	size_t bytes = fair_penalty_size(2, 2);
	void *memory = malloc(bytes);
	int64_t penalty;

	if (fair_penalty_init(&m, sizeof(m), memory, bytes, classes, 2, 2,
			      NULL) ||
	    fair_penalty(&m, &job, 1, FAIR_PENALTY_ONE, &penalty))
		return 1;
	free(memory);
	return penalty;
}

TEST(example_of_the_manual)
{
	TEST_EQ(manual(), 5 * FAIR_PENALTY_ONE / 2);
}

/* "20% of all CPUs and 50% of the total memory of a 128-processor system" */
TEST(mr_example_2)
{
	static const int64_t node[2] = { 1, 1000 }, request[2] = { 1, 2500 };
	struct fair_penalty_class all = { 128, ONE, ONE, 0, node };
	struct fair_penalty_chunk job;
	struct fair_penalty_machine m;
	static unsigned char memory[8192];
	int32_t procs;

	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &all,
				  1, 2, NULL));
	/* 25.6 processors: whichever way they are rounded, memory decides */
	for (procs = 25; procs <= 26; procs++) {
		int64_t rest[2] = { 1, 64000 - 2500 * (procs - 1) };
		struct fair_penalty_chunk both[2];

		both[0] = nodes(procs - 1, request);
		both[1] = nodes(1, rest);
		TEST_EQ(pe(&m, both, 2), 64 * ONE);
	}
	job = nodes(26, node);
	TEST_EQ(pe(&m, &job, 1), 26 * ONE);
}

TEST(mr_examples_3_and_4)
{
	static const int64_t ram[2] = { 1, 512 }, cpu[2] = { 80, 80 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk j3 = nodes(1, ram), j4 = nodes(1, cpu);

	TEST_EQ(tenths(pe(&m, &j3, 1)), 1219);
	TEST_EQ(pe(&m, &j4, 1), 80 * ONE);
	/* Both occupy the large node, and here both pay for it. */
	TEST_EQ(local(&m, &j3, 1), 80 * ONE);
	TEST_EQ(local(&m, &j4, 1), 80 * ONE);
	TEST_EQ(cheapest(&m, &j3, 1), 80 * ONE);
	TEST_EQ(cheapest(&m, &j4, 1), 80 * ONE);
}

TEST(mr_example_5)
{
	static const int64_t request[2] = { 1, 16 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk job = nodes(1, request);

	TEST_EQ(local(&m, &job, 0), 8 * ONE);
	TEST_EQ(local(&m, &job, 1), 5 * ONE / 2);
	TEST_EQ(cheapest(&m, &job, 1), 5 * ONE / 2);
}

/* "a 1 processor 4 GB job [of] 8 processors and 16 GB [has] a PE of 2" */
TEST(maui_example)
{
	static const int64_t node[2] = { 8, 16 }, request[2] = { 1, 4 };
	struct fair_penalty_class all = { 1, ONE, ONE, 0, node };
	struct fair_penalty_chunk job = nodes(1, request);
	static unsigned char memory[8192];
	struct fair_penalty_machine m;

	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &all,
				  1, 2, NULL));
	TEST_EQ(pe(&m, &job, 1), 2 * ONE);
}

TEST(standard_job_and_processors)
{
	static const int64_t wide[3] = { 4, 6, 1 }, tall[3] = { 1, 20, 0 };
	static const int64_t standard[3] = { 1, 3, 0 }, tiny[3] = { 0, 0, 7 };
	static const int64_t large[3] = { 100, 100, 1 };
	struct fair_penalty_chunk job[2];
	int64_t p = -1;

	job[0] = nodes(2, wide);
	job[1] = nodes(3, tall);
	/* max(11 / 1, 72 / 3); resource 2 is not counted */
	TEST_EQ(fair_penalty_standard(job, 2, standard, 3, ONE, &p), 0);
	TEST_EQ(p, 24 * ONE);
	TEST_EQ(fair_penalty_standard(job, 2, tiny, 3, ONE, &p), 0);
	TEST_EQ(p, (2 * ONE + 3) / 7); /* 2 / 7, to nearest */
	/* max(11 / 100, 72 / 100): there is no third resource here */
	TEST_EQ(fair_penalty_standard(job, 2, large, 2, ONE, &p), 0);
	TEST_EQ(p, (72 * ONE + 50) / 100);
	TEST_EQ(fair_penalty_cpu(job, 2, ONE, &p), 0);
	TEST_EQ(p, 11 * ONE);
	TEST_EQ(fair_penalty_cpu(job, 2, ONE / 2, &p), 0);
	TEST_EQ(p, 11 * ONE / 2);
}

/* Formulas 7 to 9 by hand: 3 nodes of 1 CPU and 16 GB, 1 of 80 CPUs. */
TEST(many_nodes)
{
	static const int64_t ram[2] = { 1, 16 }, cpu[2] = { 80, 1 };
	static const size_t used[2] = { 0, 1 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk job[2];
	int64_t p = -1, charge = -1;

	job[0] = nodes(3, ram);
	job[1] = nodes(1, cpu);
	TEST_EQ(fair_penalty(&m, job, 2, 3 * ONE, &p), 0);
	TEST_EQ(2 * p, 2 * 3 * 80 * ONE + 3 * 3 * 5 * ONE);
	TEST_EQ(fair_penalty_local(&m, job, 2, used, 3 * ONE, &p), 0);
	TEST_EQ(p, 3 * (3 * 8 + 80) * ONE);
	TEST_EQ(fair_penalty_charge(3600, 10 * ONE, p, &charge), 0);
	TEST_EQ(charge, 3600 * 10 * 312 * ONE);
	TEST_EQ(fair_penalty_charge(3600, ONE, p, &charge), 0);
	TEST_EQ(charge, 3600 * 312 * ONE);
}

TEST(spec_and_properties_restrict)
{
	static const int64_t request[2] = { 1, 16 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk job = nodes(1, request);
	int64_t p = 7;

	job.max_spec = 25 * ONE;
	TEST_EQ(cheapest(&m, &job, 1), 8 * ONE);
	job.max_spec = 26 * ONE;
	TEST_EQ(cheapest(&m, &job, 1), 5 * ONE / 2);
	job.min_spec = 26 * ONE;
	TEST_EQ(cheapest(&m, &job, 1), 5 * ONE / 2);
	job.min_spec = 26 * ONE + 1;
	TEST_EQ(fair_penalty(&m, &job, 1, ONE, &p), -FAIR_ERANGE);
	job.min_spec = job.max_spec = 0;
	job.properties = 1;
	TEST_EQ(cheapest(&m, &job, 1), 8 * ONE);
	TEST_EQ(suits(&m, &job, 0), 1);
	TEST_EQ(suits(&m, &job, 1), 0);
	job.properties = 3;
	TEST_EQ(fair_penalty(&m, &job, 1, ONE, &p), -FAIR_ERANGE);
	job.properties = 0;
	job.without = 2;
	TEST_EQ(cheapest(&m, &job, 1), 8 * ONE);
	job.without = 3;
	TEST_EQ(fair_penalty(&m, &job, 1, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(p, 7);
}

/* [MR 5]: the last GPU of a node does not block its processors. */
TEST(special_resources)
{
	static const int64_t plain[3] = { 16, 64, 0 }, gpus[3] = { 16, 64, 4 };
	static const int64_t job[3] = { 1, 8, 4 }, none[3] = { 1, 8, 0 };
	static const bool special[3] = { false, false, true };
	struct fair_penalty_class c[2] = { { 9, ONE, ONE, 0, plain },
					   { 1, ONE, 3 * ONE, 0, gpus } };
	struct fair_penalty_chunk with = nodes(1, job), without;
	static unsigned char memory[8192];
	struct fair_penalty_machine m;
	int64_t p = 7;

	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), c, 2,
				  3, NULL));
	TEST_EQ(cheapest(&m, &with, 1), 48 * ONE);
	TEST_EQ(pe(&m, &with, 1), 160 * ONE);
	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), c, 2,
				  3, special));
	TEST_EQ(cheapest(&m, &with, 1), 6 * ONE); /* 16 * 8/64 * 3 */
	TEST_EQ(pe(&m, &with, 1), 2 * ONE);
	without = nodes(1, none);
	TEST_EQ(cheapest(&m, &without, 1), 2 * ONE);
	/* It must be there nevertheless. */
	with.count = 2;
	TEST_EQ(fair_penalty_pe(&m, &with, 1, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(suits(&m, &with, 0), 0);
	TEST_EQ(suits(&m, &with, 1), 1);
	TEST_EQ(p, 7);
}

/* 3 of 2^30 units cost nothing, on the class that has more of the last
 * resource; on the other one that costs 1. */
TEST(next_to_nothing)
{
	static const int64_t few[3] = { 1, 1 << 30, 3 };
	static const int64_t many[3] = { 1, 1 << 30, 1000 };
	static const int64_t asked[3] = { 0, 3, 1 };
	struct fair_penalty_class c[2] = { { 1, ONE, 3, 0, few },
					   { 1, ONE, 3, 0, many } };
	static unsigned char memory[8192];
	struct fair_penalty_chunk job = nodes(1, asked);
	struct fair_penalty_machine m;

	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), c, 2,
				  3, NULL));
	TEST_EQ(cheapest(&m, &job, 1), 0);
}

TEST(halves_round_up)
{
	static const int64_t node[2] = { 1, 1 << 22 }, two[2] = { 0, 2 };
	static const int64_t one[2] = { 0, 1 }, three[2] = { 0, 3 };
	struct fair_penalty_class c = { 1, ONE, ONE, 0, node };
	static unsigned char memory[8192];
	struct fair_penalty_chunk job;
	struct fair_penalty_machine m;

	TEST_OK(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &c, 1,
				  2, NULL));
	job = nodes(1, one);
	TEST_EQ(cheapest(&m, &job, 1), 0);
	job = nodes(1, two);
	TEST_EQ(cheapest(&m, &job, 1), 1);
	job = nodes(1, three);
	TEST_EQ(cheapest(&m, &job, 1), 1);
}

/* More than can be counted is asked for; of two shares the larger counts. */
TEST(many_standard_jobs)
{
	static const int64_t most[2] = { FAIR_PENALTY_MAX, 0 };
	static const int64_t two[2] = { 6, 2 }, standard[2] = { 2, 1 };
	static const int64_t one[2] = { 1, 0 }, half[1] = { ONE / 2 };
	/* Of processors there is no second kind. */
	static const int64_t many[2] = { INT64_MAX / ONE, -1 };
	struct fair_penalty_chunk c[2] = { nodes(INT32_MAX, most),
					   nodes(INT32_MAX, most) };
	struct fair_penalty_machine m = paper();
	int64_t penalty = 7;

	TEST_EQ(fair_penalty_standard(c, 2, standard, 2, ONE, &penalty),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_cpu(c, 2, ONE, &penalty), -FAIR_EOVERFLOW);
	c[0] = nodes(1, most);	/* which can be counted, but not as jobs */
	TEST_EQ(fair_penalty_standard(c, 1, standard, 2, ONE, &penalty),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_cpu(c, 1, ONE, &penalty), -FAIR_EOVERFLOW);
	TEST_EQ(penalty, 7);
	TEST_EQ(fair_penalty(&m, c, 1, ONE, &penalty), -FAIR_ERANGE);
	c[0] = nodes(1, two);
	TEST_EQ(fair_penalty_standard(c, 1, standard, 2, ONE, &penalty), 0);
	TEST_EQ(penalty, 3 * ONE);
	/* As much as fits */
	c[0] = nodes(1, many);
	TEST_EQ(fair_penalty_cpu(c, 1, ONE, &penalty), 0);
	TEST_EQ(penalty, many[0] * ONE);
	penalty = 7;
	TEST_EQ(fair_penalty_standard(c, 1, one, 1, ONE, &penalty), 0);
	TEST_EQ(penalty, many[0] * ONE);
	c[0] = nodes(1, most);
	TEST_EQ(fair_penalty_standard(c, 1, half, 1, ONE, &penalty), 0);
	TEST_EQ(penalty, INT64_MAX - 1);
	/* INT64_MAX of them can be counted still. */
	c[0] = nodes(2, most);
	c[1] = nodes(1, one);
	TEST_EQ(fair_penalty_standard(c, 2, most, 2, ONE, &penalty), 0);
	TEST_EQ(penalty, 2 * ONE);
}

TEST(charges)
{
	int64_t c = 7;

	TEST_EQ(fair_penalty_charge(-1, ONE, ONE, &c), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_charge(1, 0, ONE, &c), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_charge(1, INT64_MAX, ONE, &c), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_charge(1, ONE, -1, &c), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_charge(1, ONE, ONE, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_charge(2, ONE, INT64_MAX / 2 + 1, &c),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_charge(INT64_MAX, FAIR_PENALTY_MAX, INT64_MAX, &c),
		-FAIR_EOVERFLOW);
	/* 2^185, of which the lower words are 0 */
	TEST_EQ(fair_penalty_charge(INT64_C(1) << 62, INT64_C(1) << 61,
				    INT64_C(1) << 62, &c),
		-FAIR_EOVERFLOW);
	TEST_EQ(c, 7);
	TEST_EQ(fair_penalty_charge(1, ONE, INT64_MAX, &c), 0);
	TEST_EQ(c, INT64_MAX);
	/* What overflows on the way may fit in the end. */
	TEST_EQ(fair_penalty_charge(ONE, 1, INT64_MAX, &c), 0);
	TEST_EQ(c, INT64_MAX);
	TEST_EQ(fair_penalty_charge(1, 1, ONE / 2, &c), 0);
	TEST_EQ(c, 1);
	TEST_EQ(fair_penalty_charge(1, 1, ONE / 2 - 1, &c), 0);
	TEST_EQ(c, 0);
	TEST_EQ(fair_penalty_charge(0, ONE, ONE, &c), 0);
	TEST_EQ(c, 0);
}
