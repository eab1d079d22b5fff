/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that penalty.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "policies/penalty.h"
#include "tests/leaf_faults.h"

/* Class 0: 8 processors, 100 of memory; class 1, faster: 16, and 50. */
static void penalty_init(struct fair_penalty_machine *m, void *memory,
			 size_t bytes)
{
	static const int64_t a[2][2] = { { 8, 100 }, { 16, 50 } };
	static const int64_t none[2] = { 0, 1 }, less[2] = { 1, -1 };
	const int64_t one = FAIR_PENALTY_ONE;
	const struct fair_penalty_class good[2] = { { 2, one, one, 0, a[0] },
						    { 1, 2 * one, one, 1,
						      a[1] } };
	const bool special[2] = { true, false };
	struct fair_penalty_class bad[2];
	size_t n = sizeof(*m), i;

	keep(m, n);
	keep(memory, bytes);
	FAULT(fair_penalty_init(NULL, n, memory, bytes, good, 2, 2, NULL),
	      EINVAL, "nothing");
	FAULT(fair_penalty_init(m, n + 1, memory, bytes, good, 2, 2, NULL),
	      EINVAL, "a struct of another size");
	FAULT(fair_penalty_init(m, n, NULL, bytes, good, 2, 2, NULL),
	      EINVAL, "no memory");
	FAULT(fair_penalty_init(m, n, memory, bytes, NULL, 2, 2, NULL),
	      EINVAL, "no nodes");
	FAULT(fair_penalty_init(m, n, memory, bytes, good, 0, 2, NULL),
	      EINVAL, "no class");
	FAULT(fair_penalty_init(m, n, memory, bytes, good, 2, 0, NULL),
	      EINVAL, "no resource");
	FAULT(fair_penalty_init(m, n, memory, bytes, good, 2, 2, special),
	      EINVAL, "processors cannot be special");
	for (i = 0; i < 6; i++) {
		memcpy(bad, good, sizeof(bad));
		bad[1].count = i == 0 ? 0 : 1;
		bad[1].spec = i == 1 ? 0 : one;
		bad[1].cost = i == 2 ? -1 : one;
		bad[1].amount = i == 3	 ? NULL
				: i == 4 ? none
				: i == 5 ? less
					 : a[1];
		FAULT(fair_penalty_init(m, n, memory, bytes, bad, 2, 2, NULL),
		      EINVAL, "a class out of range");
	}
	memcpy(bad, good, sizeof(bad));
	bad[1].cost = FAIR_PENALTY_MAX;
	FAULT(fair_penalty_init(m, n, memory, bytes, bad, 2, 2, NULL),
	      EOVERFLOW, "a node costs too much");
	FAULT(fair_penalty_init(m, n, memory, bytes - 1, good, 2, 2, NULL),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_penalty_init(m, n, memory, bytes, good, 2, 2, NULL), 0);
}

/* Totals that do not fit: 2^42 processors, 2^63 of memory. */
static void penalty_totals(struct fair_penalty_machine *m, void *memory,
			   size_t bytes)
{
	const int64_t procs[2] = { INT64_C(1) << 41, 0 };
	const int64_t fat[2] = { 1, FAIR_PENALTY_MAX };
	struct fair_penalty_class nodes = { 2, 1, 0, 0, procs };

	FAULT(fair_penalty_init(m, sizeof(*m), memory, bytes, &nodes, 1, 2,
				NULL), EOVERFLOW, "too many processors");
	nodes.amount = fat;
	nodes.count = INT32_MAX;
	FAULT(fair_penalty_init(m, sizeof(*m), memory, bytes, &nodes, 1, 2,
				NULL),
	      EOVERFLOW, "too much of another resource");
}

/* Requests that are none, by every metric. */
static void penalty_bad_requests(const struct fair_penalty_machine *m)
{
	const int64_t amount[2] = { 1, 1 }, less[2] = { -1, 1 };
	const int64_t standard[2] = { 1, 1 }, one = FAIR_PENALTY_ONE;
	const struct fair_penalty_chunk good = { 1, 0, 0, 0, 0, amount };
	struct fair_penalty_chunk bad;
	const struct fair_penalty_chunk *j;
	const size_t in = 0;
	size_t chunks;
	int64_t cost;
	int i;

	for (i = 0; i < 8; i++) {
		bad = good;
		bad.count = i == 0 ? 0 : 1;
		bad.amount = i == 1 ? NULL : i == 2 ? less : amount;
		bad.min_spec = i == 3 ? -1 : 0;
		bad.max_spec = i == 4 ? -1 : 0;
		chunks = i == 5 ? 0 : 1;
		cost = i == 6 ? -1 : one;
		j = i == 7 ? NULL : &bad;
		FAULT(fair_penalty(m, j, chunks, cost, &out.a),
		      EINVAL, "a request out of range");
		FAULT(fair_penalty_local(m, j, chunks, &in, cost, &out.a),
		      EINVAL, "a request out of range");
		FAULT(fair_penalty_pe(m, j, chunks, cost, &out.a),
		      EINVAL, "a request out of range");
		FAULT(fair_penalty_standard(j, chunks, standard, 2, cost,
					    &out.a),
		      EINVAL, "a request out of range");
		FAULT(fair_penalty_cpu(j, chunks, cost, &out.a),
		      EINVAL, "a request out of range");
	}
}

static void penalty_errors(const struct fair_penalty_machine *m)
{
	const int64_t amount[2] = { 1, 1 }, wide[2] = { 17, 1 };
	const int64_t standard[2] = { 1, 0 }, none[2] = { 0, 0 };
	const int64_t less[2] = { 1, -1 }, one = FAIR_PENALTY_ONE;
	const struct fair_penalty_chunk j = { 1, 0, 0, 0, 0, amount };
	const struct fair_penalty_chunk w = { 1, 0, 0, 0, 0, wide };
	const struct fair_penalty_chunk two[] = { j, { 1, 0, 0, 0, 0, less } };
	const size_t in = 0, out_of = 2;

	FAULT(fair_penalty(m, two, 2, one, &out.a),
	      EINVAL, "less than nothing of the second chunk's second resource");
	FAULT(fair_penalty(NULL, &j, 1, one, &out.a), EINVAL, "no machine");
	FAULT(fair_penalty(m, &j, 1, one, NULL), EINVAL, "nowhere to write");
	FAULT(fair_penalty(m, &w, 1, one, &out.a), ERANGE, "no class suits");
	FAULT(fair_penalty_local(NULL, &j, 1, &in, one, &out.a),
	      EINVAL, "no machine");
	FAULT(fair_penalty_local(m, &j, 1, &in, one, NULL),
	      EINVAL, "nowhere to write");
	FAULT(fair_penalty_local(m, &j, 1, NULL, one, &out.a),
	      EINVAL, "no classes");
	FAULT(fair_penalty_local(m, &j, 1, &out_of, one, &out.a),
	      EINVAL, "no such class");
	FAULT(fair_penalty_local(m, &w, 1, &in, one, &out.a),
	      ERANGE, "the class does not suit");
	FAULT(fair_penalty_pe(NULL, &j, 1, one, &out.a), EINVAL, "no machine");
	FAULT(fair_penalty_pe(m, &j, 1, one, NULL), EINVAL, "nowhere to write");
	FAULT(fair_penalty_standard(&j, 1, NULL, 2, one, &out.a),
	      EINVAL, "no standard");
	FAULT(fair_penalty_standard(&j, 1, standard, 0, one, &out.a),
	      EINVAL, "no resource");
	FAULT(fair_penalty_standard(&j, 1, standard, 2, one, NULL),
	      EINVAL, "nowhere to write");
	FAULT(fair_penalty_standard(&j, 1, none, 2, one, &out.a),
	      EINVAL, "a standard of nothing");
	FAULT(fair_penalty_standard(&j, 1, less, 2, one, &out.a),
	      EINVAL, "a standard of less");
	FAULT(fair_penalty_cpu(&j, 1, one, NULL), EINVAL, "nowhere to write");
	FAULT(fair_penalty_charge(-1, one, one, &out.a),
	      EINVAL, "a walltime below 0");
	FAULT(fair_penalty_charge(1, 0, one, &out.a), EINVAL, "no speed");
	FAULT(fair_penalty_charge(1, one, -1, &out.a),
	      EINVAL, "a penalty below 0");
	FAULT(fair_penalty_charge(1, one, one, NULL),
	      EINVAL, "nowhere to write");
	FAULT(fair_penalty_charge(INT64_MAX, one, 2 * one, &out.a),
	      EOVERFLOW, "the product");
}

/* Before the queue's cost, and by it. */
static void penalty_overflows(const struct fair_penalty_machine *m)
{
	const int64_t all[2] = { 16, 50 }, most[2] = { FAIR_PENALTY_MAX, 0 };
	const int64_t standard[2] = { 1, 0 }, one = FAIR_PENALTY_ONE;
	const struct fair_penalty_chunk j = { INT32_MAX, 0, 0, 0, 0, all };
	const struct fair_penalty_chunk w = { INT32_MAX, 0, 0, 0, 0, most };
	const struct fair_penalty_chunk fits = { 1, 0, 0, 0, 0, all };
	static struct fair_penalty_chunk many[300];
	static size_t in[300];
	size_t i;

	for (i = 0; i < 300; i++) {
		many[i] = j;
		in[i] = 1;
	}
	FAULT(fair_penalty(m, many, 300, one, &out.a), EOVERFLOW, "the sum");
	FAULT(fair_penalty(m, &j, 1, FAIR_PENALTY_MAX, &out.a),
	      EOVERFLOW, "the queue's cost");
	FAULT(fair_penalty_local(m, many, 300, in, one, &out.a),
	      EOVERFLOW, "the sum");
	FAULT(fair_penalty_local(m, &j, 1, in, FAIR_PENALTY_MAX, &out.a),
	      EOVERFLOW, "the queue's cost");
	FAULT(fair_penalty_pe(m, &j, 1, one, &out.a),
	      ERANGE, "the machine has less");
	FAULT(fair_penalty_pe(m, &w, 1, one, &out.a),
	      ERANGE, "more than can be counted");
	FAULT(fair_penalty_pe(m, &fits, 1, FAIR_PENALTY_MAX, &out.a),
	      EOVERFLOW, "the queue's cost");
	FAULT(fair_penalty_standard(&w, 1, standard, 2, one, &out.a),
	      EOVERFLOW, "the sum");
	FAULT(fair_penalty_standard(&fits, 1, standard, 2, FAIR_PENALTY_MAX,
				    &out.a), EOVERFLOW, "the queue's cost");
	FAULT(fair_penalty_cpu(&w, 1, one, &out.a), EOVERFLOW, "the sum");
	FAULT(fair_penalty_cpu(&fits, 1, FAIR_PENALTY_MAX, &out.a),
	      EOVERFLOW, "the queue's cost");
}

TEST(penalty)
{
	size_t bytes = fair_penalty_size(2, 2);
	void *memory = room(bytes);
	struct fair_penalty_machine m;

	memset(&m, FILL, sizeof(m));
	penalty_init(&m, memory, bytes);
	keep(&m, sizeof(m));
	keep(memory, bytes);
	keep(&out, sizeof(out));
	penalty_totals(&m, memory, bytes);
	penalty_bad_requests(&m);
	penalty_errors(&m);
	penalty_overflows(&m);
	TEST_EQ(fair_penalty_check(&m), 0);
	leave();
}
