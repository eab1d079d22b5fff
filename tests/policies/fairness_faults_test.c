/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that fairness.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/fairness.h"
#include "tests/leaf_faults.h"

static void fairness_means(void)
{
	const struct fair_fairness_amount most = { INT64_C(1) << 62, 0 };
	const struct fair_fairness_amount least = { -most.whole - 1, 0 };
	const struct fair_fairness_amount lowest = { -most.whole, 0 };
	const struct fair_fairness_amount half = { INT64_C(1) << 61, 0 };
	struct fair_fairness_mean m = { { 0, 0 }, 0 }, many = m;
	struct fair_fairness_amount mean = { -1, 1 };

	keep(&mean, sizeof(mean));
	FAULT(fair_fairness_mean_value(NULL, &mean), EINVAL, "no mean");
	FAULT(fair_fairness_mean_value(&m, NULL), EINVAL, "nowhere to write");
	FAULT(fair_fairness_mean_value(&m, &mean), ERANGE, "nothing was added");
	TEST_EQ(fair_fairness_mean_add(&m, half), 0);
	keep(&m, sizeof(m));
	FAULT(fair_fairness_mean_add(NULL, half), EINVAL, "no mean");
	FAULT(fair_fairness_mean_add(&m, most), EOVERFLOW, "too much");
	FAULT(fair_fairness_mean_add(&m, least), EOVERFLOW, "too little");
	FAULT(fair_fairness_mean_add(&m, half), EOVERFLOW, "the sum");
	TEST_EQ(fair_fairness_mean_add(&many, lowest), 0);
	many.n = (UINT64_C(1) << 48) - 1;
	FAULT(fair_fairness_mean_add(&many, half), EOVERFLOW, "too many");
	FAULT(fair_fairness_mean_add_delay(NULL, 1, 0), EINVAL, "no mean");
	FAULT(fair_fairness_mean_add_delay(NULL, INT64_MAX, 0),
	      EINVAL, "no mean, and too late");
	FAULT(fair_fairness_mean_add_delay(&m, INT64_MAX, INT64_MIN),
	      EOVERFLOW, "too late");
	FAULT(fair_fairness_mean_add_delay(&m, INT64_C(1) << 61, 0),
	      EOVERFLOW, "the sum");
	many.n = (UINT64_C(1) << 48) - 1;
	FAULT(fair_fairness_mean_add(&many, half), EOVERFLOW, "too many");
	forget();
}

/* Until 5; one waits, one runs on 3 processors, one is gone. */
static void fairness_jobs(struct fair_fairness *f, void *memory, size_t bytes)
{
	const int64_t late = INT64_C(1) << 61;
	struct fair_fairness_job waits, runs, gone, new;
	struct fair_fairness_share share;

	TEST_EQ(fair_fairness_arrive(f, 0, 2, &waits), 0);
	TEST_EQ(fair_fairness_arrive(f, 0, 3, &runs), 0);
	TEST_EQ(fair_fairness_arrive(f, 0, 3, &gone), 0);
	TEST_EQ(fair_fairness_start(f, 0, &runs), 0);
	TEST_EQ(fair_fairness_complete(f, 5, &gone, &share), 0);
	memset(&new, FILL, sizeof(new));
	memset(&share, FILL, sizeof(share));
	keep(f, sizeof(*f));
	keep(memory, bytes);
	keep(&waits, sizeof(waits));
	keep(&runs, sizeof(runs));
	keep(&gone, sizeof(gone));
	keep(&new, sizeof(new));
	keep(&share, sizeof(share));
	FAULT(fair_fairness_arrive(NULL, 5, 1, &new), EINVAL, "nothing");
	FAULT(fair_fairness_arrive(f, 5, 1, NULL), EINVAL, "no job");
	FAULT(fair_fairness_arrive(f, 5, 0, &new), EINVAL, "no processor");
	FAULT(fair_fairness_arrive(f, 4, 1, &new),
	      EINVAL, "the clock goes back");
	FAULT(fair_fairness_arrive(f, 5, 5, &new),
	      ERANGE, "wider than the widest");
	FAULT(fair_fairness_arrive(f, late, 1, &new),
	      EOVERFLOW, "the time in use");
	FAULT(fair_fairness_start(NULL, 5, &waits), EINVAL, "nothing");
	FAULT(fair_fairness_start(f, 5, NULL), EINVAL, "no job");
	FAULT(fair_fairness_start(f, 5, &runs), EINVAL, "it runs");
	FAULT(fair_fairness_start(f, 5, &gone), EINVAL, "it is gone");
	FAULT(fair_fairness_start(f, 4, &waits), EINVAL, "the clock goes back");
	FAULT(fair_fairness_start(f, late, &waits),
	      EOVERFLOW, "the time in use");
	FAULT(fair_fairness_complete(NULL, 5, &runs, &share),
	      EINVAL, "nothing");
	FAULT(fair_fairness_complete(f, 5, NULL, &share), EINVAL, "no job");
	FAULT(fair_fairness_complete(f, 5, &runs, NULL),
	      EINVAL, "nowhere to write");
	FAULT(fair_fairness_complete(f, 5, &gone, &share),
	      EINVAL, "it is gone");
	FAULT(fair_fairness_complete(f, 4, &runs, &share),
	      EINVAL, "the clock goes back");
	FAULT(fair_fairness_complete(f, late, &runs, &share),
	      EOVERFLOW, "the time in use");
	FAULT(fair_fairness_at(NULL, 5, &runs, &share), EINVAL, "nothing");
	FAULT(fair_fairness_at(f, 5, NULL, &share), EINVAL, "no job");
	FAULT(fair_fairness_at(f, 5, &runs, NULL), EINVAL, "nowhere to write");
	FAULT(fair_fairness_at(f, 5, &gone, &share), EINVAL, "it is gone");
	FAULT(fair_fairness_at(f, 4, &runs, &share),
	      EINVAL, "the clock goes back");
	FAULT(fair_fairness_at(f, late, &runs, &share),
	      EOVERFLOW, "the time in use");
	TEST_EQ(fair_fairness_check(f), 0);
	forget();
	f->requested = (INT64_C(1) << 48) - 1;
	keep(f, sizeof(*f));
	FAULT(fair_fairness_arrive(f, 5, 1, &new), EOVERFLOW, "processors");
	forget();
}

TEST(fairness)
{
	size_t bytes = fair_fairness_size(4), n = sizeof(struct fair_fairness);
	void *memory = room(bytes);
	struct fair_fairness f;

	memset(&f, FILL, n);
	keep(&f, n);
	keep(memory, bytes);
	FAULT(fair_fairness_init(NULL, n, memory, bytes, 4, 0),
	      EINVAL, "nothing");
	FAULT(fair_fairness_init(&f, n + 1, memory, bytes, 4, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_fairness_init(&f, n, NULL, bytes, 4, 0),
	      EINVAL, "no memory");
	FAULT(fair_fairness_init(&f, n, memory, bytes, 0, 0),
	      EINVAL, "no processor");
	TEST_EQ(fair_fairness_size(0), 0);
	TEST_EQ(fair_fairness_size(-1), 0);
	FAULT(fair_fairness_init(&f, n, memory, bytes - 1, 4, 0),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_fairness_init(&f, n, memory, bytes, 4, 0), 0);
	fairness_jobs(&f, memory, bytes);
	fairness_means();
	leave();
}
