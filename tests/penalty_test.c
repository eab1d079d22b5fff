/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_PENALTY_IMPLEMENTATION
#include "policies/penalty.h"
#include "test.h"
#include "tests/model/penalty_model.h"

#define ONE FAIR_PENALTY_ONE
#define GB INT64_C(1073741824)
#define MOST_CLASSES 100
#define MOST_RESOURCES 6
#define MOST_CHUNKS 6

/* The machine of [MR] example 3, memory in GB. */
static const int64_t small_node[2] = { 8, 16 }, large_node[2] = { 80, 512 };
static const struct fair_penalty_class paper_classes[2] = {
	{ 10, 10 * ONE, ONE, 1, small_node },
	{ 1, 26 * ONE, ONE, 2, large_node },
};
static unsigned char paper_memory[8192];

static struct fair_penalty_machine paper(void)
{
	struct fair_penalty_machine m;

	TEST_EQ(fair_penalty_init(&m, sizeof(m), paper_memory,
				  sizeof(paper_memory), paper_classes, 2, 2,
				  NULL),
		0);
	return m;
}

static struct fair_penalty_chunk nodes(int32_t count, const int64_t *amount)
{
	struct fair_penalty_chunk c = { count, 0, 0, 0, 0, amount };

	return c;
}

static int64_t cheapest(const struct fair_penalty_machine *m,
			const struct fair_penalty_chunk *c, size_t chunks)
{
	int64_t p = -1;

	TEST_EQ(fair_penalty(m, c, chunks, ONE, &p), 0);
	return p;
}

static int64_t local(const struct fair_penalty_machine *m,
		     const struct fair_penalty_chunk *c, size_t node_class)
{
	int64_t p = -1;

	TEST_EQ(fair_penalty_local(m, c, 1, &node_class, ONE, &p), 0);
	return p;
}

static int64_t pe(const struct fair_penalty_machine *m,
		  const struct fair_penalty_chunk *c, size_t chunks)
{
	int64_t p = -1;

	TEST_EQ(fair_penalty_pe(m, c, chunks, ONE, &p), 0);
	return p;
}

/* Tenths, as the papers print them. */
static int64_t tenths(int64_t fixed)
{
	return (fixed * 10 + ONE / 2) / ONE;
}

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

static void example_of_the_manual(void)
{
	TEST_EQ(manual(), 5 * FAIR_PENALTY_ONE / 2);
}

/* "20% of all CPUs and 50% of the total memory of a 128-processor system" */
static void mr_example_2(void)
{
	static const int64_t node[2] = { 1, 1000 }, request[2] = { 1, 2500 };
	struct fair_penalty_class all = { 128, ONE, ONE, 0, node };
	struct fair_penalty_chunk job;
	struct fair_penalty_machine m;
	static unsigned char memory[8192];
	int32_t procs;

	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &all,
				  1, 2, NULL),
		0);
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

static void mr_examples_3_and_4(void)
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

static void mr_example_5(void)
{
	static const int64_t request[2] = { 1, 16 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk job = nodes(1, request);

	TEST_EQ(local(&m, &job, 0), 8 * ONE);
	TEST_EQ(local(&m, &job, 1), 5 * ONE / 2);
	TEST_EQ(cheapest(&m, &job, 1), 5 * ONE / 2);
}

/* "a 1 processor 4 GB job [of] 8 processors and 16 GB [has] a PE of 2" */
static void maui_example(void)
{
	static const int64_t node[2] = { 8, 16 }, request[2] = { 1, 4 };
	struct fair_penalty_class all = { 1, ONE, ONE, 0, node };
	struct fair_penalty_chunk job = nodes(1, request);
	static unsigned char memory[8192];
	struct fair_penalty_machine m;

	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &all,
				  1, 2, NULL),
		0);
	TEST_EQ(pe(&m, &job, 1), 2 * ONE);
}

static void standard_job_and_processors(void)
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
static void many_nodes(void)
{
	static const int64_t ram[2] = { 1, 16 }, cpu[2] = { 80, 1 };
	static const size_t used[2] = { 0, 1 }, fast[1] = { 1 };
	static const size_t swapped[2] = { 1, 0 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk job[2];
	int64_t p = -1, spec = -1, charge = -1;

	job[0] = nodes(3, ram);
	job[1] = nodes(1, cpu);
	TEST_EQ(fair_penalty(&m, job, 2, 3 * ONE, &p), 0);
	TEST_EQ(2 * p, 2 * 3 * 80 * ONE + 3 * 3 * 5 * ONE);
	TEST_EQ(fair_penalty_local(&m, job, 2, used, 3 * ONE, &p), 0);
	TEST_EQ(p, 3 * (3 * 8 + 80) * ONE);
	TEST_EQ(fair_penalty_slowest(&m, used, 2, &spec), 0);
	TEST_EQ(spec, 10 * ONE);
	TEST_EQ(fair_penalty_slowest(&m, swapped, 2, &spec), 0);
	TEST_EQ(spec, 10 * ONE);
	TEST_EQ(fair_penalty_charge(3600, spec, p, &charge), 0);
	TEST_EQ(charge, 3600 * 10 * 312 * ONE);
	TEST_EQ(fair_penalty_slowest(&m, fast, 1, &spec), 0);
	TEST_EQ(spec, 26 * ONE);
	TEST_EQ(fair_penalty_charge(3600, ONE, p, &charge), 0);
	TEST_EQ(charge, 3600 * 312 * ONE);
}

static void spec_and_properties_restrict(void)
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
	TEST_EQ(fair_penalty_suits(&m, &job, 0), 1);
	TEST_EQ(fair_penalty_suits(&m, &job, 1), 0);
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
static void special_resources(void)
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

	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), c, 2,
				  3, NULL),
		0);
	TEST_EQ(cheapest(&m, &with, 1), 48 * ONE);
	TEST_EQ(pe(&m, &with, 1), 160 * ONE);
	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), c, 2,
				  3, special),
		0);
	TEST_EQ(cheapest(&m, &with, 1), 6 * ONE); /* 16 * 8/64 * 3 */
	TEST_EQ(pe(&m, &with, 1), 2 * ONE);
	without = nodes(1, none);
	TEST_EQ(cheapest(&m, &without, 1), 2 * ONE);
	/* It must be there nevertheless. */
	with.count = 2;
	TEST_EQ(fair_penalty_pe(&m, &with, 1, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_suits(&m, &with, 0), 0);
	TEST_EQ(fair_penalty_suits(&m, &with, 1), 1);
	TEST_EQ(p, 7);
}

static void halves_round_up(void)
{
	static const int64_t node[2] = { 1, 1 << 22 }, two[2] = { 0, 2 };
	static const int64_t one[2] = { 0, 1 }, three[2] = { 0, 3 };
	struct fair_penalty_class c = { 1, ONE, ONE, 0, node };
	static unsigned char memory[8192];
	struct fair_penalty_chunk job;
	struct fair_penalty_machine m;

	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &c, 1,
				  2, NULL),
		0);
	job = nodes(1, one);
	TEST_EQ(cheapest(&m, &job, 1), 0);
	job = nodes(1, two);
	TEST_EQ(cheapest(&m, &job, 1), 1);
	job = nodes(1, three);
	TEST_EQ(cheapest(&m, &job, 1), 1);
}

/* --- errors ------------------------------------------------------------- */

static int init(struct fair_penalty_machine *m,
		const struct fair_penalty_class *c, size_t classes,
		const bool *special)
{
	static unsigned char memory[8192];
	struct fair_penalty_machine before;
	int err;

	memset(m, 0x5a, sizeof(*m));
	before = *m;
	err = fair_penalty_init(m, sizeof(*m), memory, sizeof(memory), c,
				classes, 2, special);
	TEST_CHECK(!err || !memcmp(m, &before, sizeof(before)));
	return err;
}

/* A class wrong in one field. */
static void wrong_classes(void)
{
	static const int64_t none[2] = { 0, 16 }, less[2] = { 8, -1 };
	static const int64_t more[2] = { 8, FAIR_PENALTY_MAX };
	static const int64_t large[2] = { 8, INT64_MAX };
	static const int64_t third[3] = { 8, 16, -1 };
	struct fair_penalty_class good = paper_classes[0], c = good;
	struct fair_penalty_class pair[2] = { good, good };
	static unsigned char memory[8192];
	struct fair_penalty_machine m;

	TEST_EQ(init(&m, &c, 1, NULL), 0);
	c.count = 0;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c = good;
	c.spec = 0;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.spec = FAIR_PENALTY_MAX + 1;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c = good;
	c.cost = -1;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.cost = FAIR_PENALTY_MAX / 8;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	c.cost++;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EOVERFLOW);
	c = good;
	c.amount = NULL;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = none;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = less;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = large;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EINVAL);
	c.amount = more;
	c.count = 2;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	c.count = 3;
	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EOVERFLOW);
	/* The last of them, and nothing behind it */
	c = good;
	c.amount = third;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &c, 1,
				  3, NULL),
		-FAIR_EINVAL);
	pair[1].spec = 0;
	TEST_EQ(init(&m, pair, 2, NULL), -FAIR_EINVAL);
}

/* One so cheap that its price counts as nothing where bounds are made. */
static void cheap_beside_dear(void)
{
	static const int64_t amount[2] = { 8, 16 }, one[2] = { 1, 0 };
	struct fair_penalty_class c[2] = { { 1, ONE, 1, 0, amount },
					   { 1, ONE, 1, 0, amount } };
	struct fair_penalty_chunk chunk = nodes(1, one);
	struct fair_penalty_machine m;
	int64_t penalty = 0;

	c[1].cost = FAIR_PENALTY_MAX / 8;
	TEST_EQ(init(&m, c, 2, NULL), 0);
	TEST_CHECK(!(m.node[0].price >> m.price_shift));
	TEST_EQ(fair_penalty_check(&m), 0);
	TEST_EQ(fair_penalty(&m, &chunk, 1, ONE, &penalty), 0);
	TEST_EQ(penalty, 1);	/* a processor of it: 8 / 8 */
}

static void too_many_processors(void)
{
	static const int64_t wide[2] = { INT64_C(1) << 42, 1 };
	static const int64_t fits[2] = { (INT64_C(1) << 42) - 1, 1 };
	struct fair_penalty_class c = { 1, ONE, 1, 0, wide };
	struct fair_penalty_machine m;

	TEST_EQ(init(&m, &c, 1, NULL), -FAIR_EOVERFLOW);
	c.amount = fits;
	TEST_EQ(init(&m, &c, 1, NULL), 0);
	TEST_EQ(fair_penalty_check(&m), 0);
}

static void wrong_arguments_of_init(void)
{
	static const bool first[2] = { true, false };
	const struct fair_penalty_class *c = paper_classes;
	unsigned char memory[8192];
	size_t bytes = fair_penalty_size(2, 2);
	struct fair_penalty_machine m, before;

	memset(&m, 0x5a, sizeof(m));
	before = m;
#define INIT(m, size, memory, bytes, c, n, r, special)                         \
	fair_penalty_init(m, size, memory, bytes, c, n, r, special)
	TEST_EQ(INIT(NULL, sizeof(m), memory, bytes, c, 2, 2, NULL),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m) - 1, memory, bytes, c, 2, 2, NULL),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), NULL, bytes, c, 2, 2, NULL), -FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), memory, bytes, NULL, 2, 2, NULL),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), memory, bytes, c, 0, 2, NULL),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), memory, bytes, c, 2, 0, NULL),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), memory, SIZE_MAX, c, SIZE_MAX, 2, NULL),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), memory, bytes, c, 2, 2, first),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&m, sizeof(m), memory, bytes - 1, c, 2, 2, NULL),
		-FAIR_ENOMEM);
#undef INIT
	TEST_CHECK(!memcmp(&m, &before, sizeof(m)));
}

static void sizes(void)
{
	unsigned char memory[8192 + 64];
	size_t bytes = fair_penalty_size(2, 2), shift, i, lane, rest, most;
	struct fair_penalty_machine m;

	TEST_EQ(fair_penalty_size(0, 1), 0);
	TEST_EQ(fair_penalty_size(1, 0), 0);
	TEST_EQ(fair_penalty_size(SIZE_MAX, 1), 0);
	TEST_EQ(fair_penalty_size(1, SIZE_MAX), 0);
	TEST_EQ(fair_penalty_size(SIZE_MAX / 64, 2), 0);
	TEST_EQ(fair_penalty_size(2, SIZE_MAX / 64), 0);
	TEST_EQ(fair_penalty_size(SIZE_MAX - 3, 1), 0);
	TEST_EQ(fair_penalty_size(1, SIZE_MAX / 16 + 1), 0);
	/* Classes by the block; at most a quarter of all that can be had. */
	for (i = 1; i < 100; i++) {
		lane = sizeof(struct fair_penalty_node) + 16 * i + 12;
		rest = sizeof(struct fair_penalty_resource) * i + 63;
		TEST_EQ(fair_penalty_size(1, i), 32 * lane + rest);
		TEST_EQ(fair_penalty_size(32, i), 32 * lane + rest);
		TEST_EQ(fair_penalty_size(33, i), 64 * lane + rest);
		most = SIZE_MAX / 4 / lane / 32 * 32;
		TEST_EQ(fair_penalty_size(most, i), most * lane + rest);
		TEST_EQ(fair_penalty_size(most + 1, i), 0);
	}
	TEST_REQUIRE(bytes && bytes < 8192);
	for (shift = 0; shift < 64; shift++) {
		memset(memory, 0x5a, sizeof(memory));
		TEST_EQ(fair_penalty_init(&m, sizeof(m), memory + shift, bytes,
					  paper_classes, 2, 2, NULL),
			0);
		TEST_EQ(fair_penalty_check(&m), 0);
		TEST_EQ((uintptr_t)m.have % 64, 0);
		TEST_CHECK((unsigned char *)m.have < memory + shift + 64);
		for (i = 0; i < shift; i++)
			TEST_CHECK(memory[i] == 0x5a);
		for (i = shift + bytes; i < sizeof(memory); i++)
			TEST_CHECK(memory[i] == 0x5a);
	}
}

/* All metrics of one request; they must agree in the error. */
static void all_fail(const struct fair_penalty_machine *m,
		     const struct fair_penalty_chunk *c, size_t chunks,
		     int64_t queue_cost, int err)
{
	static const int64_t standard[2] = { 1, 1 };
	static const size_t used[2] = { 1, 1 };
	int64_t p = 7;

	TEST_EQ(fair_penalty(m, c, chunks, queue_cost, &p), err);
	TEST_EQ(fair_penalty_local(m, c, chunks, used, queue_cost, &p), err);
	TEST_EQ(fair_penalty_pe(m, c, chunks, queue_cost, &p), err);
	TEST_EQ(fair_penalty_standard(c, chunks, standard, 2, queue_cost, &p),
		err);
	TEST_EQ(fair_penalty_cpu(c, chunks, queue_cost, &p), err);
	TEST_EQ(p, 7);
}

static void wrong_requests(void)
{
	static const int64_t good[2] = { 1, 16 }, less[2] = { -1, 16 };
	static const int64_t large[2] = { INT64_MAX, 16 };
	static const int64_t last[2] = { 1, -1 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk c = nodes(1, good), pair[2] = { c, c };

	all_fail(&m, NULL, 1, ONE, -FAIR_EINVAL);
	all_fail(&m, &c, 0, ONE, -FAIR_EINVAL);
	all_fail(&m, &c, 1, -1, -FAIR_EINVAL);
	all_fail(&m, &c, 1, FAIR_PENALTY_MAX + 1, -FAIR_EINVAL);
	c.count = 0;
	all_fail(&m, &c, 1, ONE, -FAIR_EINVAL);
	c = nodes(1, NULL);
	all_fail(&m, &c, 1, ONE, -FAIR_EINVAL);
	c = nodes(1, less);
	all_fail(&m, &c, 1, ONE, -FAIR_EINVAL);
	c = nodes(1, large);
	all_fail(&m, &c, 1, ONE, -FAIR_EINVAL);
	c = nodes(1, good);
	c.min_spec = -1;
	all_fail(&m, &c, 1, ONE, -FAIR_EINVAL);
	TEST_EQ(fair_penalty_suits(&m, &c, 0), -FAIR_EINVAL);
	c.min_spec = 0;
	c.max_spec = -1;
	all_fail(&m, &c, 1, ONE, -FAIR_EINVAL);
	pair[1] = c;
	all_fail(&m, pair, 2, ONE, -FAIR_EINVAL);
	c = nodes(1, last);
	TEST_EQ(fair_penalty_suits(&m, &c, 0), -FAIR_EINVAL);
}

/* More than can be counted is asked for; of two shares the larger counts. */
static void many_standard_jobs(void)
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

static void wrong_pointers(void)
{
	static const int64_t good[2] = { 1, 16 }, zero[2] = { 0, 0 };
	static const int64_t negative[2] = { 1, -1 };
	static const size_t used = 0, beyond = 2, last[2] = { 0, 2 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk c = nodes(1, good), both[2] = { c, c };
	int64_t p = 7;

	TEST_EQ(fair_penalty(NULL, &c, 1, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_local(NULL, &c, 1, &used, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_local(&m, &c, 1, NULL, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_local(&m, &c, 1, &beyond, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_local(&m, &c, 1, &used, ONE, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_local(&m, both, 2, last, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_pe(NULL, &c, 1, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_pe(&m, &c, 1, ONE, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_standard(&c, 1, NULL, 2, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_standard(&c, 1, good, 0, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_standard(&c, 1, zero, 2, ONE, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_standard(&c, 1, negative, 2, ONE, &p),
		-FAIR_EINVAL);
	TEST_EQ(fair_penalty_standard(&c, 1, good, 2, ONE, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_cpu(&c, 1, ONE, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_suits(NULL, &c, 0), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_suits(&m, NULL, 0), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_suits(&m, &c, 2), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_slowest(NULL, &used, 1, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_slowest(&m, NULL, 1, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_slowest(&m, &used, 0, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_slowest(&m, &beyond, 1, &p), -FAIR_EINVAL);
	TEST_EQ(fair_penalty_slowest(&m, &used, 1, NULL), -FAIR_EINVAL);
	TEST_EQ(p, 7);
}

static void unsuitable_and_too_large(void)
{
	static const int64_t tall[2] = { 1, 513 }, wide[2] = { 81, 1 };
	static const int64_t big[2] = { FAIR_PENALTY_MAX, 1 };
	static const int64_t good[2] = { 8, 16 }, one[2] = { 1, 1 };
	static const size_t used[2] = { 0, 0 };
	struct fair_penalty_machine m = paper();
	struct fair_penalty_chunk c[2];
	int64_t p = 7;

	c[0] = nodes(1, good);
	c[1] = nodes(1, tall);
	TEST_EQ(fair_penalty(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_local(&m, c, 2, used, ONE, &p), -FAIR_ERANGE);
	c[1] = nodes(1, wide);
	TEST_EQ(fair_penalty(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), 0);
	c[1].count = 2;
	p = 7; /* the metric before has set it */
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	c[1] = nodes(152, one); /* 160 processors of 160 */
	TEST_EQ(pe(&m, c, 2), 160 * ONE);
	c[1].count++;
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	c[1] = nodes(INT32_MAX, big);
	TEST_EQ(fair_penalty_pe(&m, c, 2, ONE, &p), -FAIR_ERANGE);
	TEST_EQ(fair_penalty_cpu(c, 2, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_standard(c, 2, good, 1, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_cpu(c, 1, FAIR_PENALTY_MAX, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty(&m, c, 1, FAIR_PENALTY_MAX, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_local(&m, c, 1, used, FAIR_PENALTY_MAX, &p),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_pe(&m, c, 1, FAIR_PENALTY_MAX, &p),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_standard(c, 1, one, 2, FAIR_PENALTY_MAX, &p),
		-FAIR_EOVERFLOW);
	TEST_EQ(p, 7);
}

static void sums_overflow(void)
{
	static const int64_t node[2] = { 1, 1 };
	struct fair_penalty_class dear = { 1, ONE, FAIR_PENALTY_MAX, 0, node };
	static const size_t used[2] = { 0, 0 };
	struct fair_penalty_machine m;
	struct fair_penalty_chunk c = nodes(2, node);
	int64_t p = 7;

	TEST_EQ(init(&m, &dear, 1, NULL), 0);
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, INT64_MAX - 1);
	p = 7;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE + 1, &p), -FAIR_EOVERFLOW);
	c.count = 3;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(fair_penalty_local(&m, &c, 1, used, ONE, &p), -FAIR_EOVERFLOW);
	TEST_EQ(p, 7);
}

static void charges(void)
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

/* Breaks each invariant by hand; the machine is made anew every time. */
static void invariants(void)
{
	struct fair_penalty_machine m;

#define BREAK(number, change)                                                  \
	do {                                                                   \
		m = paper();                                                   \
		TEST_EQ(fair_penalty_check(&m), 0);                            \
		change;                                                        \
		TEST_EQ(fair_penalty_check(&m), number);                       \
	} while (0)
	BREAK(1, m.classes = 0);
	BREAK(1, m.resources = 0);
	BREAK(1, m.resource[0].special = true);
	BREAK(2, m.node[1].spec = 0);
	BREAK(2, m.node[1].cost = -1);
	BREAK(2, m.amount[2] = 0);
	BREAK(2, m.amount[0] = INT64_MAX);
	BREAK(2, m.amount[3] = -1);
	BREAK(0, m.amount[4] = -1); /* of no class */
	BREAK(3, m.node[1].price++);
	BREAK(3, m.price_shift = -1);
	BREAK(3, m.node[1].cost = m.node[1].price = 0;
	      m.node[1].cost = FAIR_PENALTY_MAX);
	/* 80 * 2^60 is 0, modulo 2^64. */
	BREAK(3, m.node[1].price = 0; m.node[1].cost = INT64_C(1) << 60);
	BREAK(3, m.price_shift--);
	BREAK(3, m.price_shift = 38);
	BREAK(4, m.have[0]++);
	BREAK(4, m.have[2] = 0);
	BREAK(4, m.resource[1].amount_shift = 1);
	BREAK(4, m.resource[1].amount_shift = -1; m.have[32] = m.have[33] = 0);
	BREAK(4, m.resource[1].amount_shift = 32; m.have[32] = m.have[33] = 0);
	BREAK(5, m.rate[32]++);
	BREAK(5, m.resource[0].rate_shift--);
	BREAK(5, m.resource[0].rate_shift = 64);
	BREAK(5, m.resource[0].rate_shift = -1);
	BREAK(5, m.resource[1].special = true);
	BREAK(5, m.amount[3] = m.have[33] = 0);
	BREAK(6, m.traits[1]++);
	BREAK(6, m.traits[33] ^= 1);
	BREAK(6, m.traits[65] ^= 1);
	BREAK(6, m.spec_shift = 1);
	BREAK(6, m.spec_shift = -1; m.traits[0] = m.traits[1] = 0);
	BREAK(6, m.spec_shift = 32; m.traits[0] = m.traits[1] = 0);
	/* More than is compared. */
	BREAK(6, m.node[0].spec = m.traits[0] = UINT32_C(1) << 31;
	      m.spec_shift = 0);
#undef BREAK
}

/* --- arithmetic --------------------------------------------------------- */

static uint64_t odd_number(uint64_t *random)
{
	uint64_t x = test_random(random) >> test_range(random, 0, 63);

	return test_range(random, 0, 3) ? x : ~x;
}

static void products_and_quotients(void)
{
	uint64_t random = 1;
	int i;

	for (i = 0; i < 200000; i++) {
		uint64_t a = odd_number(&random), b = odd_number(&random);
		uint64_t d = odd_number(&random) | 1, q;
		struct fair_penalty_wide w = fair_penalty_multiply(a, b), x;

		x = fair_penalty_multiply_halves(a, b);
		TEST_CHECK(w.hi == x.hi && w.lo == x.lo);
		TEST_CHECK(w.lo == a * b);
		w.hi %= d;
		q = fair_penalty_divide(w, d);
		x = fair_penalty_multiply(q, d); /* <= w < x + d */
		TEST_CHECK(!fair_penalty_less(w, x));
		x = fair_penalty_add(x, d - 1);
		TEST_CHECK(!fair_penalty_less(x, w));
	}
}

static void ratios(void)
{
	uint64_t random = 2;
	int i;

	for (i = 0; i < 200000; i++) {
		int64_t d = (int64_t)(odd_number(&random) >> 2 | 1);
		int64_t b = (int64_t)(odd_number(&random) >> 2);
		int64_t a = (int64_t)(odd_number(&random) % (uint64_t)d);
		int64_t q = fair_penalty_ratio(a, b, d);

		TEST_CHECK(!fair_penalty_below(a, b, d, q));
		TEST_CHECK(fair_penalty_below(a, b, d, q + 1));
	}
}

static void bits(void)
{
	int i;

	TEST_EQ(fair_penalty_bits(0), 0);
	for (i = 0; i < 64; i++)
		TEST_EQ(fair_penalty_bits((uint64_t)1 << i), i + 1);
	TEST_EQ(fair_penalty_bits(UINT64_MAX), 64);
}

/* --- random machines ---------------------------------------------------- */

struct site {
	size_t classes, resources, chunks;
	struct fair_penalty_class node[MOST_CLASSES];
	int64_t amount[MOST_CLASSES][MOST_RESOURCES];
	bool special[MOST_RESOURCES];
	struct fair_penalty_chunk chunk[MOST_CHUNKS];
	int64_t asked[MOST_CHUNKS][MOST_RESOURCES];
};

static int64_t some_amount(uint64_t *random, int64_t least, int most_bits)
{
	return least +
	       (test_range(random, 0, 1) << test_range(random, 0, most_bits)) +
	       test_range(random, 0, 7);
}

/* All, any part, next to nothing, or seldom more. */
static int64_t part_of(int64_t amount, uint64_t *random)
{
	switch (test_range(random, 0, 3)) {
	case 0:
		return amount;
	case 1:
		return amount < 3 ? 0 : test_range(random, 0, 3);
	case 2:
		return test_range(random, 0, 40)
			       ? test_range(random, 0, amount)
			       : FAIR_PENALTY_MAX >> test_range(random, 0, 60);
	default:
		return test_range(random, 0, amount);
	}
}

/* None, that of a class, or any. */
static int64_t some_spec(int64_t spec, uint64_t *random)
{
	switch (test_range(random, 0, 9)) {
	case 0:
		return spec;
	case 1:
		return INT64_C(1) << test_range(random, 0, 61);
	default:
		return 0;
	}
}

/* 1, little, or about what others cost. */
static int64_t some_cost(int64_t common, uint64_t *random)
{
	switch (test_range(random, 0, 2)) {
	case 0:
		return ONE;
	case 1:
		return test_range(random, 0, 3 * ONE) >>
		       test_range(random, 0, 22);
	default:
		return common + test_range(random, 0, 7);
	}
}

/* In both halves of 64 bits. */
static uint64_t some_properties(uint64_t *random)
{
	return test_random(random) & (3 | UINT64_C(1) << 33);
}

static void random_site(struct site *s, uint64_t *random)
{
	int64_t least[MOST_RESOURCES];
	int64_t cost = INT64_C(1) << test_range(random, 0, 44);
	int64_t cheap = test_range(random, 0, 1) * test_range(random, 0, 20);
	int64_t fast = test_range(random, 0, 1) * test_range(random, 0, 38);
	size_t i, r;

	memset(s, 0, sizeof(*s));
	s->classes = (size_t)test_range(random, 1, MOST_CLASSES);
	s->resources = (size_t)test_range(random, 1, MOST_RESOURCES);
	s->chunks = (size_t)test_range(random, 1, MOST_CHUNKS);
	for (r = 1; r < s->resources; r++)
		s->special[r] = !test_range(random, 0, 3);
	/* Nodes that have about the same of a resource, or not */
	for (r = 0; r < s->resources; r++)
		least[r] = test_range(random, 0, 1)
			   << test_range(random, 0, r ? 40 : 8);
	for (i = 0; i < s->classes; i++) {
		for (r = 0; r < s->resources; r++)
			s->amount[i][r] =
				some_amount(random, least[r], r ? 40 : 8);
		s->amount[i][0]++;
		s->node[i].count = (int32_t)test_range(random, 1, 50);
		s->node[i].spec = test_range(random, 1, 4) * ONE
				  << test_range(random, 0, fast);
		s->node[i].cost = some_cost(cost, random) >> cheap;
		s->node[i].properties = some_properties(random);
		s->node[i].amount = s->amount[i];
	}
	for (i = 0; i < s->chunks; i++) {
		size_t like =
			(size_t)test_range(random, 0, (int64_t)s->classes - 1);

		for (r = 0; r < s->resources; r++)
			s->asked[i][r] = part_of(s->amount[like][r], random);
		s->chunk[i] =
			nodes((int32_t)test_range(random, 1, 9), s->asked[i]);
		s->chunk[i].min_spec = some_spec(s->node[like].spec, random);
		s->chunk[i].max_spec = some_spec(s->node[like].spec, random);
		s->chunk[i].properties =
			some_properties(random) & some_properties(random);
		s->chunk[i].without = some_properties(random) &
				      some_properties(random) & ~UINT64_C(2);
	}
}

static unsigned char site_memory[2][1 << 16];

static int make(struct fair_penalty_machine *m, const struct site *s, int slot)
{
	int err = fair_penalty_init(m, sizeof(*m), site_memory[slot],
				    sizeof(site_memory[slot]), s->node,
				    s->classes, s->resources, s->special);

	TEST_EQ(err, 0);
	TEST_EQ(fair_penalty_check(m), 0);
	return err;
}

/* What formula 8 says of the classes, one at a time. */
static int64_t least_local(const struct fair_penalty_machine *m,
			   const struct fair_penalty_chunk *c)
{
	int64_t least = INT64_MAX, p;
	size_t i;

	for (i = 0; i < m->classes; i++)
		if (!fair_penalty_local(m, c, 1, &i, ONE, &p) && p < least)
			least = p;
	return least;
}

/* The columns never promise more than a node costs. */
static void check_bounds(const struct fair_penalty_machine *m,
			 const struct fair_penalty_chunk *c)
{
	int32_t bound[FAIR_PENALTY_LANES] = { 0 };
	int64_t unit = (int64_t)1 << m->price_shift;
	size_t i, k;

	for (i = 0; i < m->classes; i++) {
		k = i % FAIR_PENALTY_LANES;
		if (!k)
			fair_penalty_bounds(m, c, i / FAIR_PENALTY_LANES,
					    bound);
		TEST_EQ(bound[k] % FAIR_PENALTY_LANES, k);
		if (fair_penalty_suits(m, c, i))
			TEST_CHECK((bound[k] >> 5) * unit <= local(m, c, i));
	}
}

/* price * 2^shift / amount, bit by bit; no more than 32 bits have. */
static uint32_t naive_rate(int64_t price, int32_t shift, int64_t amount)
{
	uint64_t whole = (uint64_t)(price / amount), part =
		(uint64_t)(price % amount);

	for (; shift && whole <= UINT32_MAX; shift--) {
		part *= 2;
		whole = whole * 2 + (part >= (uint64_t)amount);
		part -= part >= (uint64_t)amount ? (uint64_t)amount : 0;
	}
	return whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX;
}

/* No more bits are lost than @most has beyond @bits. */
static void check_shift(int32_t shift, uint64_t most, int bits)
{
	TEST_CHECK(!shift || most >> shift >> (bits - 1));
}

static void check_shifts(const struct fair_penalty_machine *m)
{
	uint64_t price = 0, spec = 0, amount;
	size_t i, r;

	for (i = 0; i < m->classes; i++) {
		price |= (uint64_t)m->node[i].price;
		spec |= (uint64_t)m->node[i].spec;
	}
	check_shift(m->price_shift, price, 25);
	check_shift(m->spec_shift, spec, 31);
	for (r = 0; r < m->resources; r++) {
		for (amount = 0, i = 0; i < m->classes; i++)
			amount |= (uint64_t)m->amount[i * m->resources + r];
		check_shift(m->resource[r].amount_shift, amount, 31);
	}
}

/* Rates have 31 bits or more where they are largest. */
static void check_rates(const struct fair_penalty_machine *m)
{
	uint32_t most, rate;
	int64_t amount;
	size_t i, r;

	for (r = 0; r < m->resources; r++) {
		for (most = 0, i = 0; i < m->classes; i++) {
			amount = m->amount[i * m->resources + r];
			rate = !amount || m->resource[r].special ? 0
				: naive_rate(m->node[i].price >> m->price_shift,
					     m->resource[r].rate_shift +
						     m->resource[r].amount_shift,
					     amount);
			TEST_EQ(m->rate[fair_penalty_cell(m, i, r)], rate);
			most = rate > most ? rate : most;
		}
		/* None is cut where less of a shift would do. */
		TEST_CHECK(most < UINT32_MAX || !m->resource[r].rate_shift);
		TEST_CHECK(!most || most >= UINT32_C(1) << 30 ||
			   m->resource[r].rate_shift == 63);
	}
}

/*
 * What the columns say of class @i, a resource at a time, without its tricks:
 * need * rate has 63 bits, of which only 32 from above are taken.
 */
static int32_t naive_bound(const struct fair_penalty_machine *m,
			   const struct fair_penalty_chunk *c, size_t i)
{
	uint64_t need, part, most = 0;
	const struct fair_penalty_resource *res;
	int32_t shift;
	size_t r, cell;

	for (r = 0; r < m->resources; r++) {
		if (r && !c->amount[r])
			continue;
		res = &m->resource[r];
		cell = fair_penalty_cell(m, i, r);
		need = (uint64_t)(c->amount[r] >> res->amount_shift);
		need = need < INT32_MAX ? need : INT32_MAX;
		if (m->have[cell] < 0 || need > (uint64_t)m->have[cell])
			return FAIR_PENALTY_NOBODY;
		shift = 1 + fair_penalty_bits(need);
		shift = shift < res->rate_shift ? res->rate_shift : shift;
		part = need * m->rate[cell] >> shift;
		most = part > most ? part : most;
	}
	return (int32_t)most;
}

/* By the properties all who do not suit, by SPEC as far as it is told apart. */
static bool naive_out(const struct fair_penalty_machine *m,
		      const struct fair_penalty_chunk *c, size_t i)
{
	const struct fair_penalty_node *node = &m->node[i];
	int64_t unit = (int64_t)1 << m->spec_shift;
	int64_t least = c->min_spec / unit;

	least = least < INT32_MAX ? least : INT32_MAX;
	return (node->properties & c->properties) != c->properties ||
	       (node->properties & c->without & ~c->properties) ||
	       node->spec / unit < least ||
	       (c->max_spec && node->spec / unit > c->max_spec / unit);
}

static void check_columns(const struct fair_penalty_machine *m,
			  const struct fair_penalty_chunk *c)
{
	int32_t bound[FAIR_PENALTY_LANES], out[FAIR_PENALTY_LANES + 1];
	size_t i, k;

	for (i = 0; i < fair_penalty_lanes(m->classes); i++) {
		k = i % FAIR_PENALTY_LANES;
		if (!k) {
			memset(out, 0, sizeof(out));
			fair_penalty_bounds(m, c, i / FAIR_PENALTY_LANES,
					    bound);
			fair_penalty_admit(m, c, i / FAIR_PENALTY_LANES, out);
		}
		TEST_EQ(bound[k] >> 5, naive_bound(m, c, i));
		if (i < m->classes)
			TEST_EQ(out[k], naive_out(m, c, i) ? FAIR_PENALTY_OUT
							    : 0);
		TEST_EQ(out[FAIR_PENALTY_LANES], 0);
	}
}

/* SPEC that the columns cannot tell apart, and what is next to it. */
static void large_spec(void)
{
	const int64_t spec[2] = { FAIR_PENALTY_MAX, FAIR_PENALTY_MAX - 1 };
	static const int64_t node[2][1] = { { 8 }, { 8 } }, one[1] = { 1 };
	static const int64_t nothing[1] = { 0 };
	struct fair_penalty_class classes[2] = {
		{ 1, spec[0], 2 * ONE, 0, node[0] },
		{ 1, spec[1], ONE, 0, node[1] },
	};
	struct fair_penalty_chunk c = { 1, 0, 0, 0, 0, one };
	struct fair_penalty_machine m;
	static char memory[8192];
	int64_t p;

	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, sizeof(memory),
				  classes, 2, 1, NULL),
		0);
	TEST_EQ(fair_penalty_check(&m), 0);
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, ONE);
	c.min_spec = spec[0];
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, 2 * ONE);
	/* What is no class has 0 of everything, and suits nobody either. */
	c.amount = nothing;
	c.min_spec = 0;
	c.max_spec = spec[1] - 1;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), -FAIR_ERANGE);
	c.max_spec = 1;
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), -FAIR_ERANGE);
	c.amount = one;
	c.max_spec = spec[1];
	TEST_EQ(fair_penalty(&m, &c, 1, ONE, &p), 0);
	TEST_EQ(p, ONE);
}

/* What is about 2^31: there columns begin to shift. */
static void around_two_to_31(void)
{
	int64_t have[2] = { 1, 0 }, asked[2] = { 1, 0 }, p;
	const int64_t first = INT64_C(0x7ffffffd), last = first + 4;
	struct fair_penalty_class node = { 1, 0, ONE, 0, have };
	struct fair_penalty_machine m;
	struct fair_penalty_chunk c[3];
	int k;

	for (have[1] = first; have[1] <= last; have[1]++) {
		node.spec = have[1];
		TEST_EQ(init(&m, &node, 1, NULL), 0);
		TEST_EQ(fair_penalty_check(&m), 0);
		for (asked[1] = first; asked[1] <= last; asked[1]++) {
			c[0] = nodes(1, asked);
			c[1] = c[2] = nodes(1, have);
			c[1].min_spec = c[2].max_spec = asked[1];
			for (k = 0; k < 3; k++) {
				check_columns(&m, &c[k]);
				TEST_EQ(!fair_penalty(&m, &c[k], 1, ONE, &p),
					k < 2 ? asked[1] <= have[1]
					      : asked[1] >= have[1]);
			}
		}
	}
}

/* Nodes of any size that cost so little that rates are shifted the most. */
static void next_to_nothing(void)
{
	int64_t have[2] = { 1, 0 }, asked[2] = { 0, 0 };
	struct fair_penalty_class node = { 1, ONE, 0, 0, have };
	struct fair_penalty_chunk c = nodes(1, asked);
	struct fair_penalty_machine m;
	int n, k;

	for (n = 0; n < 62; n++) {
		have[1] = INT64_C(1) << n;
		for (node.cost = 0; node.cost < 4; node.cost++) {
			TEST_EQ(init(&m, &node, 1, NULL), 0);
			TEST_EQ(fair_penalty_check(&m), 0);
			check_rates(&m);
			for (k = 0; k <= n; k++) {
				asked[1] = INT64_C(3) << k >> 1;
				check_columns(&m, &c);
			}
		}
	}
}

static void bounds_are_bounds(void)
{
	static struct site s;
	struct fair_penalty_machine m;
	uint64_t random = 7;
	size_t k;
	int round;

	for (round = 0; round < 2000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		check_shifts(&m);
		check_rates(&m);
		for (k = 0; k < s.chunks; k++) {
			check_bounds(&m, &s.chunk[k]);
			check_columns(&m, &s.chunk[k]);
		}
	}
}

/* Classes in another order, one of them in two parts: the same machine. */
static void rearrange(struct site *s, uint64_t *random)
{
	size_t i, j;

	for (i = s->classes - 1; i > 0; i--) {
		struct fair_penalty_class swap = s->node[i];

		j = (size_t)test_range(random, 0, (int64_t)i);
		s->node[i] = s->node[j];
		s->node[j] = swap;
	}
	if (s->classes == MOST_CLASSES || s->node[0].count < 2)
		return;
	s->node[s->classes] = s->node[0];
	s->node[s->classes++].count = 1;
	s->node[0].count--;
}

/*
 * Same resources, same penalty: whichever nodes the job gets, however classes
 * and chunks are written down.
 */
static void whatever_the_assignment(void)
{
	static struct site s, t;
	struct fair_penalty_machine m, other;
	uint64_t random = 3;
	int64_t p, q, sum;
	size_t k;
	int round, err;

	for (round = 0; round < 2000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		t = s;
		rearrange(&t, &random);
		if (make(&other, &t, 1))
			return;
		p = q = 0;
		err = fair_penalty(&m, s.chunk, s.chunks, ONE, &p);
		TEST_EQ(fair_penalty(&other, s.chunk, s.chunks, ONE, &q), err);
		TEST_EQ(p, q);
		for (sum = 0, k = 0; k < s.chunks; k++) {
			q = least_local(&m, &s.chunk[k]);
			if (q == INT64_MAX)
				break;
			sum += q;
		}
		TEST_EQ(err, k < s.chunks ? -FAIR_ERANGE : 0);
		TEST_EQ(p, err ? 0 : sum);
	}
}

/* All of a node by any one resource that is not special costs the node. */
static void whole_nodes(void)
{
	static struct site s;
	struct fair_penalty_machine m;
	struct fair_penalty_chunk c;
	int64_t asked[MOST_RESOURCES];
	uint64_t random = 4;
	size_t r, i;
	int round;

	for (round = 0; round < 2000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		i = (size_t)test_range(&random, 0, (int64_t)s.classes - 1);
		r = (size_t)test_range(&random, 0, (int64_t)s.resources - 1);
		if (s.special[r] || !s.amount[i][r])
			continue;
		memset(asked, 0, sizeof(asked));
		asked[r] = s.amount[i][r];
		c = nodes(1, asked);
		TEST_EQ(local(&m, &c, i), s.amount[i][0] * s.node[i].cost);
	}
}

/* The same structures, by the model's names. */
static struct model_machine model_of(const struct site *s)
{
	static struct model_class node[MOST_CLASSES];
	struct model_machine m = { node, s->classes, s->resources, s->special };
	size_t i;

	for (i = 0; i < s->classes; i++) {
		node[i].count = s->node[i].count;
		node[i].spec = s->node[i].spec;
		node[i].cost = s->node[i].cost;
		node[i].properties = s->node[i].properties;
		node[i].amount = s->node[i].amount;
	}
	return m;
}

static const struct model_chunk *model_chunks(const struct site *s)
{
	static struct model_chunk c[MOST_CHUNKS];
	size_t k;

	for (k = 0; k < s->chunks; k++) {
		c[k].count = s->chunk[k].count;
		c[k].min_spec = s->chunk[k].min_spec;
		c[k].max_spec = s->chunk[k].max_spec;
		c[k].properties = s->chunk[k].properties;
		c[k].without = s->chunk[k].without;
		c[k].amount = s->chunk[k].amount;
	}
	return c;
}

static int code(enum model_result r)
{
	return r == MODEL_OK	       ? 0
	       : r == MODEL_UNSUITABLE ? -FAIR_ERANGE
				       : -FAIR_EOVERFLOW;
}

static void same_as_the_model(void)
{
	static struct site s;
	static struct model_penalty want;
	struct fair_penalty_machine m;
	struct model_machine model;
	const struct model_chunk *c;
	uint64_t random = 5;
	int64_t q, p;
	int round, err;

	for (round = 0; round < 1000; round++) {
		random_site(&s, &random);
		if (make(&m, &s, 0))
			return;
		model = model_of(&s);
		c = model_chunks(&s);
		q = test_range(&random, 0, 4 * ONE);
		p = -1;
		err = code(model_local(&model, c, s.chunks, NULL, q, &want));
		TEST_EQ(fair_penalty(&m, s.chunk, s.chunks, q, &p), err);
		if (!err) {
			TEST_EQ(p, want.fixed);
			TEST_CHECK(model_within(&want, p, want.nodes, q));
		}
		err = code(model_pe(&model, c, s.chunks, q, &want));
		TEST_EQ(fair_penalty_pe(&m, s.chunk, s.chunks, q, &p), err);
		if (!err) {
			TEST_EQ(p, want.fixed);
			TEST_CHECK(model_within(&want, p, 1, q));
		}
	}
}

/* A second way to look, for the many blocks of a large machine. */
static void ten_thousand_classes(void)
{
	enum { CLASSES = 10000 };
	size_t bytes = fair_penalty_size(CLASSES, 2), i;
	static struct fair_penalty_class node[CLASSES];
	static int64_t amount[CLASSES][2];
	void *memory = malloc(bytes);
	struct fair_penalty_machine m;
	uint64_t random = 6;
	int round;

	TEST_REQUIRE(memory);
	for (i = 0; i < CLASSES; i++) {
		amount[i][0] = test_range(&random, 1, 128);
		amount[i][1] = test_range(&random, 1, 1024) * GB;
		node[i].count = 1;
		node[i].spec = test_range(&random, ONE, 30 * ONE);
		node[i].cost = test_range(&random, ONE / 2, 2 * ONE);
		node[i].amount = amount[i];
	}
	TEST_EQ(fair_penalty_init(&m, sizeof(m), memory, bytes, node, CLASSES,
				  2, NULL),
		0);
	TEST_EQ(fair_penalty_check(&m), 0);
	for (round = 0; round < 100; round++) {
		int64_t asked[2] = { test_range(&random, 1, 128),
				     test_range(&random, 0, 1000) * GB };
		struct fair_penalty_chunk c = nodes(1, asked);
		int64_t p = INT64_MAX;
		int err;

		c.min_spec = test_range(&random, 0, 29 * ONE);
		err = fair_penalty(&m, &c, 1, ONE, &p);
		TEST_EQ(p, least_local(&m, &c));
		TEST_EQ(err, p == INT64_MAX ? -FAIR_ERANGE : 0);
	}
	free(memory);
}

int main(void)
{
	TEST_RUN(example_of_the_manual);
	TEST_RUN(mr_example_2);
	TEST_RUN(mr_examples_3_and_4);
	TEST_RUN(mr_example_5);
	TEST_RUN(maui_example);
	TEST_RUN(standard_job_and_processors);
	TEST_RUN(many_nodes);
	TEST_RUN(spec_and_properties_restrict);
	TEST_RUN(special_resources);
	TEST_RUN(halves_round_up);
	TEST_RUN(wrong_classes);
	TEST_RUN(cheap_beside_dear);
	TEST_RUN(too_many_processors);
	TEST_RUN(wrong_arguments_of_init);
	TEST_RUN(sizes);
	TEST_RUN(wrong_requests);
	TEST_RUN(many_standard_jobs);
	TEST_RUN(wrong_pointers);
	TEST_RUN(unsuitable_and_too_large);
	TEST_RUN(sums_overflow);
	TEST_RUN(charges);
	TEST_RUN(invariants);
	TEST_RUN(products_and_quotients);
	TEST_RUN(ratios);
	TEST_RUN(bits);
	TEST_RUN(bounds_are_bounds);
	TEST_RUN(large_spec);
	TEST_RUN(around_two_to_31);
	TEST_RUN(next_to_nothing);
	TEST_RUN(whatever_the_assignment);
	TEST_RUN(whole_nodes);
	TEST_RUN(same_as_the_model);
	TEST_RUN(ten_thousand_classes);
	return test_report();
}
