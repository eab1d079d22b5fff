/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that throttle.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/throttle.h"
#include "tests/leaf_faults.h"

/* Jobs that are none: @i of them, 0 at the end. */
static bool bad_job(struct fair_throttle_job *j, int i)
{
	static const struct fair_throttle_job good = {
		{ 0, 0, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE,
		  FAIR_THROTTLE_NONE },
		0, 3, 1, 10
	};

	*j = good;
	j->id[FAIR_THROTTLE_USER] = i == 1 ? 1 : 0;
	j->id[FAIR_THROTTLE_GROUP] = i == 6 ? 1 : 0;
	j->procs = i == 2 ? -1 : j->procs;
	j->nodes = i == 3 ? -1 : j->nodes;
	j->memory = i == 4 ? -1 : i == 5 ? FAIR_THROTTLE_MOST + 1 : j->memory;
	return i < 7;
}

static void throttle_bad_jobs(struct fair_throttle *t)
{
	struct fair_throttle_job j;
	int i;

	for (i = 0; bad_job(&j, i); i++) {
		struct fair_throttle_job *bad = i ? &j : NULL;

		FAULT(fair_throttle_test(t, 10, bad, 20, 0, NULL),
		      EINVAL, "no job, or none such");
		FAULT(fair_throttle_test_empty(t, bad, 20, 0, NULL),
		      EINVAL, "no job, or none such");
		FAULT(fair_throttle_select(t, 10, bad, 20, 0, NULL),
		      EINVAL, "no job, or none such");
		FAULT(fair_throttle_charge(t, 10, bad, 20),
		      EINVAL, "no job, or none such");
		FAULT(fair_throttle_release(t, bad, 20),
		      EINVAL, "no job, or none such");
		FAULT(fair_throttle_change_end(t, bad, 20, 30),
		      EINVAL, "no job, or none such");
	}
}

/* From 10 on; @j of 3 processors until 20 is charged. */
static void throttle_jobs(struct fair_throttle *t,
			  const struct fair_throttle_job *j)
{
	struct fair_throttle_job wide = *j, fat = *j;
	struct fair_throttle_violation why;

	memset(&why, FILL, sizeof(why));
	keep(&why, sizeof(why));
	wide.procs = INT32_MAX - 2;
	wide.id[FAIR_THROTTLE_USER] = FAIR_THROTTLE_NONE; /* no limit */
	fat.memory = FAIR_THROTTLE_MOST - 9;
	throttle_bad_jobs(t);
	FAULT(fair_throttle_test(NULL, 10, j, 20, 0, &why), EINVAL, "nothing");
	FAULT(fair_throttle_test(t, 9, j, 20, 0, &why),
	      EINVAL, "before the origin");
	FAULT(fair_throttle_test(t, 20, j, 20, 0, &why),
	      EINVAL, "ends as it begins");
	FAULT(fair_throttle_test(t, 10, j, 20, FAIR_THROTTLE_LEVELS, &why),
	      EINVAL, "no such level");
	FAULT(fair_throttle_test(t, 10, j, 20, -1, &why),
	      EINVAL, "a level below 0");
	FAULT(fair_throttle_test(t, 10, &fat, 20, 0, &why),
	      EOVERFLOW, "memory");
	FAULT(fair_throttle_test_empty(NULL, j, 20, 0, &why),
	      EINVAL, "nothing");
	FAULT(fair_throttle_test_empty(t, j, 0, 0, &why),
	      EINVAL, "no walltime");
	FAULT(fair_throttle_test_empty(t, j, 1, FAIR_THROTTLE_LEVELS, &why),
	      EINVAL, "no such level");
	FAULT(fair_throttle_test_empty(t, j, 1, -1, &why),
	      EINVAL, "a level below 0");
	FAULT(fair_throttle_select(NULL, 10, j, 20, 0, &why),
	      EINVAL, "nothing");
	FAULT(fair_throttle_select(t, 9, j, 20, 0, &why),
	      EINVAL, "before the origin");
	FAULT(fair_throttle_select(t, 20, j, 20, 0, &why),
	      EINVAL, "ends as it begins");
	FAULT(fair_throttle_select(t, 10, j, 20, FAIR_THROTTLE_LEVELS, &why),
	      EINVAL, "no such level");
	FAULT(fair_throttle_select(t, 10, j, 20, -1, &why),
	      EINVAL, "a level below 0");
	FAULT(fair_throttle_select(t, 10, &fat, 20, 0, &why),
	      EOVERFLOW, "memory");
	FAULT(fair_throttle_charge(NULL, 10, j, 20), EINVAL, "nothing");
	FAULT(fair_throttle_charge(t, 9, j, 20), EINVAL, "before the origin");
	FAULT(fair_throttle_charge(t, 20, j, 20), EINVAL, "ends as it begins");
	FAULT(fair_throttle_charge(t, 10, j, 20),
	      ERANGE, "beyond a hard limit");
	FAULT(fair_throttle_charge(t, 10, &wide, 20), EOVERFLOW, "processors");
	FAULT(fair_throttle_release(NULL, j, 20), EINVAL, "nothing");
	FAULT(fair_throttle_release(t, j, 9), EINVAL, "ends before the origin");
	FAULT(fair_throttle_release(t, j, 21), ERANGE, "never charged so long");
	FAULT(fair_throttle_release(t, &wide, 20),
	      ERANGE, "never charged so wide");
	FAULT(fair_throttle_change_end(NULL, j, 20, 30), EINVAL, "nothing");
	FAULT(fair_throttle_change_end(t, j, 9, 30),
	      EINVAL, "ended before the origin");
	FAULT(fair_throttle_change_end(t, j, 20, 9),
	      EINVAL, "ends before the origin");
	FAULT(fair_throttle_change_end(t, j, 21, 30),
	      ERANGE, "never charged so long");
	free(kept[--keeps].copy);	/* of this frame */
}

static void throttle_settings(struct fair_throttle *t)
{
	FAULT(fair_throttle_set_limit(NULL, 0, 0, 0, 1, 1), EINVAL, "nothing");
	FAULT(fair_throttle_set_limit(t, FAIR_THROTTLE_KINDS, 0, 0, 1, 1),
	      EINVAL, "no such kind");
	FAULT(fair_throttle_set_limit(t, -1, 0, 0, 1, 1),
	      EINVAL, "a kind below 0");
	FAULT(fair_throttle_set_limit(t, -1, FAIR_THROTTLE_ALL, 0, 1, 1),
	      EINVAL, "a kind below 0");
	FAULT(fair_throttle_set_limit(t, 0, 1, 0, 1, 1),
	      EINVAL, "no such credential");
	FAULT(fair_throttle_set_limit(t, 0, 0, FAIR_THROTTLE_RESOURCES, 1, 1),
	      EINVAL, "no such resource");
	FAULT(fair_throttle_set_limit(t, 0, 0, -1, 1, 1),
	      EINVAL, "a resource below 0");
	FAULT(fair_throttle_set_limit(t, 0, 0, 0, -1, 1),
	      EINVAL, "soft below 0");
	FAULT(fair_throttle_set_limit(t, 0, 0, 0, 1, -1),
	      EINVAL, "hard below 0");
	FAULT(fair_throttle_used(NULL, 10, 0, 0, 0, &out.a), EINVAL, "nothing");
	FAULT(fair_throttle_used(t, 10, 0, 0, 0, NULL),
	      EINVAL, "nowhere to write");
	FAULT(fair_throttle_used(t, 9, 0, 0, 0, &out.a),
	      EINVAL, "before the origin");
	FAULT(fair_throttle_used(t, 10, FAIR_THROTTLE_KINDS, 0, 0, &out.a),
	      EINVAL, "no such kind");
	FAULT(fair_throttle_used(t, 10, -1, 0, 0, &out.a),
	      EINVAL, "a kind below 0");
	FAULT(fair_throttle_used(t, 10, 0, 0, -1, &out.a),
	      EINVAL, "a resource below 0");
	FAULT(fair_throttle_used(t, 10, 0, 1, 0, &out.a),
	      EINVAL, "no such credential");
	FAULT(fair_throttle_used(t, 10, 0, 0, FAIR_THROTTLE_RESOURCES, &out.a),
	      EINVAL, "no such resource");
}

TEST(throttle)
{
	const uint32_t count[FAIR_THROTTLE_KINDS] = { 1, 1, 0, 0, 0 };
	size_t bytes = fair_throttle_size(count), n;
	void *memory = room(bytes), *other = room(bytes);
	struct fair_throttle t, copy;
	struct fair_throttle_job j;

	n = sizeof(t);
	memset(&t, FILL, n);
	memset(&copy, FILL, n);
	keep(&t, n);
	keep(memory, bytes);
	FAULT(fair_throttle_init(NULL, n, memory, bytes, count, 10),
	      EINVAL, "nothing");
	FAULT(fair_throttle_init(&t, n + 1, memory, bytes, count, 10),
	      EINVAL, "a struct of another size");
	FAULT(fair_throttle_init(&t, n, NULL, bytes, count, 10),
	      EINVAL, "no memory");
	FAULT(fair_throttle_init(&t, n, memory, bytes, NULL, 10),
	      EINVAL, "no counts");
	FAULT(fair_throttle_init(&t, n, memory, bytes - 1, count, 10),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_throttle_init(&t, n, memory, bytes, count, 10), 0);
	(void)bad_job(&j, 0);
	TEST_OK(fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 0,
					FAIR_THROTTLE_PROCS, 5, 5));
	TEST_EQ(fair_throttle_charge(&t, 10, &j, 20), 0);
	keep(&t, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	throttle_jobs(&t, &j);
	throttle_settings(&t);
	FAULT(fair_throttle_clone(NULL, other, bytes, &t), EINVAL, "no copy");
	FAULT(fair_throttle_clone(&copy, NULL, bytes, &t), EINVAL, "no memory");
	FAULT(fair_throttle_clone(&copy, other, bytes, NULL),
	      EINVAL, "nothing");
	FAULT(fair_throttle_clone(&copy, other, bytes - 1, &t),
	      ENOMEM, "one byte less");
	TEST_EQ(fair_throttle_check(&t), 0);
	forget();
	TEST_EQ(fair_throttle_clone(&copy, other, bytes, &t), 0);
	leave();
}
