/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that nodes.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#define FAIRSCHED_STATIC
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "nodes.h"
#include "tests/leaf_faults.h"

enum { JOBS = 4, PARTS = 4 };

/* Two nodes of 4 processors, one of 8 with 2 GPUs; 3 licences. */
static const int32_t count[] = { 2, 1 }, amounts[] = { 4, 0, 3, 8, 2, 0 };
static const struct fair_nodes_config config = { 3, 2,	     4,	  1,
						 count, amounts, false };
static const int32_t one[] = { 1, 0, 0 }, two[] = { 2, 0, 1 };
static const uint8_t both[] = { 0, 2 };

static struct fair_nodes_request request(const int32_t *amount, int32_t chunks)
{
	struct fair_nodes_request q = { NULL, 1, 0, false, false, 0,
					0,    NULL, 0 };

	q.amount = amount;
	q.chunks = chunks;
	return q;
}

static void opens(struct fair_nodes *n, size_t size, void *memory)
{
	struct fair_nodes_config wrong = config;
	size_t s = sizeof(*n);

	wrong.classes = 65;
	keep(n, s);
	keep(memory, size);
	FAULT(fair_nodes_init(n, s + 1, memory, size, &config, JOBS, PARTS, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_nodes_init(n, s, NULL, size, &config, JOBS, PARTS, 0),
	      EINVAL, "no memory");
	FAULT(fair_nodes_init(n, s, memory, size, &wrong, JOBS, PARTS, 0),
	      EINVAL, "too many classes");
	FAULT(fair_nodes_init(n, s, memory, size, &config, UINT32_MAX, PARTS,
			      0),
	      EINVAL, "too many jobs");
	FAULT(fair_nodes_init(n, s, memory, size, &config, JOBS, PARTS,
			      INT64_MAX - (INT64_C(1) << 38) + 1),
	      EOVERFLOW, "an origin too late");
	FAULT(fair_nodes_init(n, s, memory, size - 1, &config, JOBS, PARTS, 0),
	      ENOMEM, "a byte too few");
	forget();
}

static void asks(struct fair_nodes *n)
{
	const int32_t minus[] = { 1, -1, 0 }, wide[] = { 0, 0, 1 };
	struct fair_nodes_request q = request(minus, 1);

	FAULT(fair_nodes_set(n, 0, 0, true), EINVAL, "no such set");
	FAULT(fair_nodes_set(n, 1, 3, true), EINVAL, "no such node");
	FAULT(fair_nodes_down(n, 3), EINVAL, "no such node");
	FAULT(fair_nodes_up(n, 3), EINVAL, "no such node");
	FAULT(fair_nodes_set_job(n, 0, &q), EINVAL, "a negative amount");
	q = request(wide, 1);
	FAULT(fair_nodes_set_job(n, 0, &q), EINVAL, "nothing of a node");
	q = request(one, 0);
	FAULT(fair_nodes_set_job(n, 0, &q), EINVAL, "no chunk");
	q = request(one, 1);
	FAULT(fair_nodes_set_job(n, JOBS, &q), EINVAL, "no such slot");
	q.named = 2;
	FAULT(fair_nodes_set_job(n, 0, &q), EINVAL, "no such set");
	q = request(one, 1);
	q.classes = both;
	q.count = 2;
	FAULT(fair_nodes_set_job(n, 0, &q), EINVAL, "no such class");
	q.classes = (const uint8_t[]){ 1, 1 };
	FAULT(fair_nodes_set_job(n, 0, &q), EINVAL, "a class twice");
	FAULT(fair_nodes_forget(n, JOBS), EINVAL, "no such slot");
	FAULT(fair_nodes_assign(n, 0, 0, 1), EINVAL, "no job in the slot");
	FAULT(fair_nodes_assign(n, JOBS, 0, 1), EINVAL, "no such slot");
	FAULT(fair_nodes_copy_job(n, 0, n, 1), EINVAL, "no job in the slot");
	FAULT(fair_nodes_copy_job(n, 0, n, JOBS), EINVAL, "no such slot");
}

static void starts(struct fair_nodes *n, int64_t end)
{
	FAULT(fair_nodes_earliest_start(n, 1, 0, 1, &out.a),
	      EINVAL, "no job in the slot");
	FAULT(fair_nodes_earliest_start(n, 0, -1, 1, &out.a),
	      EINVAL, "before the origin");
	FAULT(fair_nodes_earliest_start(n, 0, 0, 0, &out.a),
	      EINVAL, "no walltime");
	FAULT(fair_nodes_earliest_start(n, 0, end + 1, 1, &out.a),
	      EOVERFLOW, "begins too late");
	FAULT(fair_nodes_earliest_start(n, 0, 1, end, &out.a),
	      EOVERFLOW, "too long");
	FAULT(fair_nodes_earliest_start(n, 3, 0, end, &out.a),
	      EOVERFLOW, "ends too late");
	FAULT(fair_nodes_earliest_start(n, 2, 0, 1, &out.a),
	      ERANGE, "never so many");
	FAULT(fair_nodes_earlier_start(n, 0, -1, 9, 9, 10, &out.a),
	      EINVAL, "before the origin");
	FAULT(fair_nodes_earlier_start(n, 2, 0, 9, 9, 10, &out.a),
	      EINVAL, "has no nodes");
	FAULT(fair_nodes_earlier_start(n, JOBS, 0, 9, 9, 10, &out.a),
	      EINVAL, "no such slot");
	FAULT(fair_nodes_earlier_start(n, 0, 0, 9, 0, 10, &out.a),
	      EINVAL, "no walltime");
	FAULT(fair_nodes_earlier_start(n, 0, 0, 9, 9, end + 1, &out.a),
	      EOVERFLOW, "holds no such place");
	FAULT(fair_nodes_earlier_again(n, JOBS, 0, 0, 9, 9, 10, &out.a),
	      EINVAL, "no such slot");
	FAULT(fair_nodes_earlier_again(n, 2, 0, 0, 9, 9, 10, &out.a),
	      EINVAL, "has no nodes");
	FAULT(fair_nodes_earlier_again(n, 0, 1, 0, 9, 9, 10, &out.a),
	      EINVAL, "not before its soonest start");
	FAULT(fair_nodes_earlier_again(n, 0, 0, 0, 9, 9, end + 1, &out.a),
	      EOVERFLOW, "holds no such place");
	FAULT(fair_nodes_earlier_again(n, 0, 0, 0, 1, 9, end + 1, &out.a),
	      EOVERFLOW, "holds no such place");
	FAULT(fair_nodes_earliest_start(n, JOBS, 0, 1, &out.a),
	      EINVAL, "no such slot");
	FAULT(fair_nodes_choose(n, 2, 0, 0), EINVAL, "no walltime");
	FAULT(fair_nodes_choose(n, 2, end, 1), EOVERFLOW, "ends too late");
}

static void changes(struct fair_nodes *n, int64_t end)
{
	struct fair_nodes_request q = request(one, 3);
	bool less;

	FAULT(fair_nodes_reserve(n, 2, 0, 1), EINVAL, "has no nodes");
	FAULT(fair_nodes_reserve(n, 0, -1, 1), EINVAL, "before the origin");
	FAULT(fair_nodes_reserve(n, 0, end, 1), EOVERFLOW, "ends too late");
	FAULT(fair_nodes_reserve(n, 0, 15, 1), ERANGE, "more than are free");
	FAULT(fair_nodes_release(n, 0, 10, 0), EINVAL, "no walltime");
	FAULT(fair_nodes_release(n, 0, end, 1), EOVERFLOW, "ends too late");
	FAULT(fair_nodes_release(n, 0, 10, 11), ERANGE, "more than are taken");
	FAULT(fair_nodes_move(n, 0, 10, 10, 10), EINVAL, "not earlier");
	FAULT(fair_nodes_move(n, 0, end + 9, end, 10),
	      EOVERFLOW, "ends too late");
	FAULT(fair_nodes_move(n, 0, 11, 0, 10), ERANGE, "is not there");
	FAULT(fair_nodes_resize(n, JOBS, &q, 10, 10), EINVAL, "no such slot");
	FAULT(fair_nodes_resize(n, 2, &q, 10, 10), EINVAL, "has no nodes");
	FAULT(fair_nodes_resize(n, 0, &q, 10, 0), EINVAL, "no walltime");
	FAULT(fair_nodes_resize(n, 0, &q, end, 1), EOVERFLOW, "ends too late");
	FAULT(fair_nodes_can_resize(n, JOBS, &q, 10, 10, &less), EINVAL,
	      "no such slot");
	FAULT(fair_nodes_can_resize(n, 0, &q, end, 1, &less), EOVERFLOW,
	      "ends too late");
	q.chunks = 0;
	FAULT(fair_nodes_can_resize(n, 0, &q, 10, 10, &less), EINVAL,
	      "no chunk");
	FAULT(fair_nodes_fill(n, 3, 0, 1), EINVAL, "no such node");
	FAULT(fair_nodes_fill(n, 0, -1, 1), EINVAL, "before the origin");
	FAULT(fair_nodes_fill(n, 0, 1, 1), EINVAL, "empty");
	FAULT(fair_nodes_fill(n, 0, 1, end + 1), EOVERFLOW, "ends too late");
	FAULT(fair_nodes_clear(n, 1, 1), EINVAL, "empty");
	FAULT(fair_nodes_clear(n, 1, end + 1), EOVERFLOW, "ends too late");
	FAULT(fair_nodes_min_free(n, 3, 0, 1, NULL), EINVAL, "no such node");
	FAULT(fair_nodes_min_free(n, 0, -1, 1, NULL), EINVAL,
	      "before the origin");
	FAULT(fair_nodes_min_free(n, 0, 1, 1, NULL), EINVAL, "empty");
	FAULT(fair_nodes_step_at(n, 0, -1, &out.a, &out.b, NULL),
	      EINVAL, "before the origin");
	FAULT(fair_nodes_step_at(n, 3, 0, &out.a, &out.b, NULL),
	      EINVAL, "no such node");
	FAULT(fair_nodes_copy_job(n, JOBS, n, 0), EINVAL, "no such slot");
	FAULT(fair_nodes_advance(n, -1), EINVAL, "back");
	FAULT(fair_nodes_advance(n, INT64_MAX - (INT64_C(1) << 38) + 1),
	      EOVERFLOW, "an origin too late");
}

/*
 * Job 0 has two chunks of 2 on node 0. Two more go to node 1, since it is of
 * one class; then it keeps its first two.
 */
static void sizes(struct fair_nodes *n)
{
	struct fair_nodes_request q = request(two, 5);
	bool less = false;

	FAILS(fair_nodes_resize(n, 0, &q, 10, 10), ERANGE, "one too many");
	FAILS(fair_nodes_can_resize(n, 0, &q, 10, 10, &less), ERANGE,
	      "one too many");
	q = request((const int32_t[]){ 2, 0, 4 }, 2);
	TEST_EQ(fair_nodes_resize(n, 0, &q, 10, 10), -FAIR_ERANGE);
	q = request((const int32_t[]){ 3, 0, 0 }, 2);
	TEST_EQ(fair_nodes_resize(n, 0, &q, 10, 10), -FAIR_ERANGE);
	q = request(two, 4);
	TEST_OK(fair_nodes_can_resize(n, 0, &q, 10, 10, &less));
	TEST_CHECK(!less);
	TEST_OK(fair_nodes_resize(n, 0, &q, 10, 10));
	TEST_EQ(fair_nodes_parts(n, 0), 2);
	q.chunks = 2;
	TEST_OK(fair_nodes_can_resize(n, 0, &q, 10, 10, &less));
	TEST_CHECK(less);
	TEST_OK(fair_nodes_resize(n, 0, &q, 10, 10));
	TEST_EQ(fair_nodes_parts(n, 0), 1);
	TEST_EQ(fair_nodes_asked(n, 0).chunks, 2);
	TEST_OK(fair_nodes_check(n));
}

/* All parts are in use; then, after pieces were given back, all steps. */
static void full(struct fair_nodes *n, struct fair_nodes *other)
{
	struct fair_nodes_request q = request(one, 3), wide = request(two, 4);
	bool less;
	int32_t amount[3];
	int64_t from, to;

	TEST_OK(fair_nodes_set_job(n, 1, &q));
	TEST_OK(fair_nodes_assign(n, 1, 1, 1));
	TEST_OK(fair_nodes_assign(n, 1, 2, 1));
	TEST_OK(fair_nodes_assign(n, 3, 2, 1));
	FAULT(fair_nodes_assign(n, 1, 0, 1), ENOSPC, "one part more");
	FAULT(fair_nodes_can_resize(n, 0, &wide, 10, 10, &less), ENOSPC,
	      "one part more");
	FAILS(fair_nodes_resize(n, 0, &wide, 10, 10), ENOSPC, "one part more");
	q.per_node = 1;
	q.span = true;
	TEST_OK(fair_nodes_set_job(n, 3, &q));
	TEST_OK(fair_nodes_assign(n, 3, 2, 1));
	FAULT(fair_nodes_choose(n, 3, 0, 5), ENOSPC, "three parts");
	FAULT(fair_nodes_copy_job(other, 0, n, 1), ENOSPC, "of another size");
	TEST_OK(fair_nodes_forget(n, 3));
	TEST_OK(fair_nodes_forget(n, 1));
	/* Nodes 0 and 1 have room for a chunk before 10, not for two. */
	q = request((const int32_t[]){ 3, 0, 0 }, 1);
	TEST_OK(fair_nodes_set_job(n, 1, &q));
	TEST_OK(fair_nodes_assign(n, 1, 0, 1));
	TEST_OK(fair_nodes_assign(n, 1, 1, 1));
	TEST_OK(fair_nodes_release(n, 0, 10, 10));
	q = request((const int32_t[]){ 1, 0, 0 }, 2);
	q.classes = both;
	q.count = 1;
	TEST_OK(fair_nodes_set_job(n, 0, &q));
	TEST_OK(fair_nodes_choose(n, 0, 10, 10));
	TEST_OK(fair_nodes_reserve(n, 0, 10, 10));
	TEST_OK(fair_nodes_reserve(n, 1, 0, 10));
	TEST_EQ(fair_nodes_parts(n, 0), 1);
	TEST_OK(fair_nodes_set_job(n, 3, &q));
	TEST_OK(fair_nodes_assign(n, 3, 2, 1));
	FAULT(fair_nodes_move(n, 0, 10, 0, 10), ENOSPC, "one part more");
	TEST_OK(fair_nodes_step_at(n, 0, 10, &from, &to, amount));
	TEST_CHECK(from == 10 && to == 20 && amount[0] == 2);
	TEST_OK(fair_nodes_forget(n, 3));
	for (from = 12; n->steps + 2 <= n->cap; from += 2)
		TEST_OK(fair_nodes_release(n, 0, from - 1, 1));
	keep(n, sizeof(*n));
	FAULT(fair_nodes_release(n, 0, 18, 1), ENOSPC, "a piece");
	FAULT(fair_nodes_reserve(n, 1, 30, 1), ENOSPC, "a piece");
	FAULT(fair_nodes_fill(n, 1, 30, 31), ENOSPC, "a piece");
	FAILS(fair_nodes_clear(n, 30, 31), ENOSPC, "a piece");
	forget();
	TEST_OK(fair_nodes_check(n));
}

TEST(nodes)
{
	size_t bytes = fair_nodes_size(&config, JOBS, PARTS);
	size_t least = fair_nodes_size(&config, 1, 1);
	void *memory = room(bytes), *small = room(least);
	struct fair_nodes_request q = request(two, 2);
	struct fair_nodes n, other;

	memset(&n, FILL, sizeof(n));
	memset(&other, FILL, sizeof(other));
	TEST_EQ(fair_nodes_size(&config, UINT32_MAX, 1), 0);
	opens(&n, bytes, memory);
	TEST_OK(fair_nodes_init(&n, sizeof(n), memory, bytes, &config, JOBS,
				PARTS, 0));
	keep(&n, sizeof(n));
	keep(memory, bytes);
	asks(&n);
	forget();
	TEST_OK(fair_nodes_set_job(&n, 0, &q));
	TEST_OK(fair_nodes_choose(&n, 0, 10, 10));
	TEST_OK(fair_nodes_reserve(&n, 0, 10, 10));
	q.chunks = 9;
	TEST_OK(fair_nodes_set_job(&n, 2, &q));
	q = request((const int32_t[]){ 4, 0, 0 }, 2);
	q.classes = both;
	q.count = 1;
	TEST_OK(fair_nodes_set_job(&n, 3, &q));
	keep(&n, sizeof(n));
	keep(memory, bytes);
	keep(&out, sizeof(out));
	starts(&n, n.horizon);
	changes(&n, n.horizon);
	FAULT(fair_nodes_assign(&n, 0, 0, 0), EINVAL, "no chunk");
	FAULT(fair_nodes_assign(&n, 0, 3, 1), EINVAL, "no such node");
	FAULT(fair_nodes_copy_job(&n, 1, &n, 1), EINVAL, "no job there");
	keep(&other, sizeof(other));
	FAULT(fair_nodes_clone(&other, NULL, least, 1, 1, &n),
	      EINVAL, "no memory");
	FAULT(fair_nodes_clone(&other, small, least - 1, 1, 1, &n),
	      ENOMEM, "a byte too few");
	FAULT(fair_nodes_clone(&other, small, least, 1, 0, &n),
	      ENOSPC, "no room for its steps");
	forget();
	/* But for where it notes nodes. */
	FAULT(fair_nodes_choose(&n, 2, 0, 1), ERANGE, "never so many");
	TEST_OK(fair_nodes_clone(&other, small, least, 1, 1, &n));
	TEST_OK(fair_nodes_check(&other));
	sizes(&n);
	full(&n, &other);
	leave();
}
