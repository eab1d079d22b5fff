/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that fairness.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "policies/fairness.h"
#include "leaf_faults.h"

static void fairness_means(void)
{
	const struct fair_fairness_amount most = { INT64_C(1) << 62, 0 };
	const struct fair_fairness_amount least = { -most.whole - 1, 0 };
	const struct fair_fairness_amount half = { INT64_C(1) << 61, 0 };
	struct fair_fairness_mean m = { { 0, 0 }, 0 }, many = m;
	struct fair_fairness_amount mean = { -1, 1 };

	keep(&mean, sizeof(mean));
	FAULT("fair_fairness_mean_value: -FAIR_EINVAL no mean",
	      fair_fairness_mean_value(NULL, &mean));
	FAULT("fair_fairness_mean_value: -FAIR_EINVAL nowhere to write",
	      fair_fairness_mean_value(&m, NULL));
	FAULT("fair_fairness_mean_value: -FAIR_ERANGE nothing was added",
	      fair_fairness_mean_value(&m, &mean));
	TEST_EQ(fair_fairness_mean_add(&m, half), 0);
	keep(&m, sizeof(m));
	FAULT("fair_fairness_mean_add: -FAIR_EINVAL no mean",
	      fair_fairness_mean_add(NULL, half));
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW too much",
	      fair_fairness_mean_add(&m, most));
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW too little",
	      fair_fairness_mean_add(&m, least));
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW the sum",
	      fair_fairness_mean_add(&m, half));
	many.n = (UINT64_C(1) << 48) - 1;
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW too many",
	      fair_fairness_mean_add(&many, half));
	FAULT("fair_fairness_mean_add_delay: -FAIR_EINVAL no mean",
	      fair_fairness_mean_add_delay(NULL, 1, 0));
	FAULT("fair_fairness_mean_add_delay: -FAIR_EINVAL no mean, and too late",
	      fair_fairness_mean_add_delay(NULL, INT64_MAX, 0));
	FAULT("fair_fairness_mean_add_delay: -FAIR_EOVERFLOW too late",
	      fair_fairness_mean_add_delay(&m, INT64_MAX, INT64_MIN));
	FAULT("fair_fairness_mean_add_delay: -FAIR_EOVERFLOW the sum",
	      fair_fairness_mean_add_delay(&m, INT64_C(1) << 61, 0));
	many.n = (UINT64_C(1) << 48) - 1;
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW too many",
	      fair_fairness_mean_add(&many, half));
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
	FAULT("fair_fairness_arrive: -FAIR_EINVAL nothing",
	      fair_fairness_arrive(NULL, 5, 1, &new));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL no job",
	      fair_fairness_arrive(f, 5, 1, NULL));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL no processor",
	      fair_fairness_arrive(f, 5, 0, &new));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL the clock goes back",
	      fair_fairness_arrive(f, 4, 1, &new));
	FAULT("fair_fairness_arrive: -FAIR_ERANGE wider than the widest",
	      fair_fairness_arrive(f, 5, 5, &new));
	FAULT("fair_fairness_arrive: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_arrive(f, late, 1, &new));
	FAULT("fair_fairness_start: -FAIR_EINVAL nothing",
	      fair_fairness_start(NULL, 5, &waits));
	FAULT("fair_fairness_start: -FAIR_EINVAL no job",
	      fair_fairness_start(f, 5, NULL));
	FAULT("fair_fairness_start: -FAIR_EINVAL it runs",
	      fair_fairness_start(f, 5, &runs));
	FAULT("fair_fairness_start: -FAIR_EINVAL it is gone",
	      fair_fairness_start(f, 5, &gone));
	FAULT("fair_fairness_start: -FAIR_EINVAL the clock goes back",
	      fair_fairness_start(f, 4, &waits));
	FAULT("fair_fairness_start: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_start(f, late, &waits));
	FAULT("fair_fairness_complete: -FAIR_EINVAL nothing",
	      fair_fairness_complete(NULL, 5, &runs, &share));
	FAULT("fair_fairness_complete: -FAIR_EINVAL no job",
	      fair_fairness_complete(f, 5, NULL, &share));
	FAULT("fair_fairness_complete: -FAIR_EINVAL nowhere to write",
	      fair_fairness_complete(f, 5, &runs, NULL));
	FAULT("fair_fairness_complete: -FAIR_EINVAL it is gone",
	      fair_fairness_complete(f, 5, &gone, &share));
	FAULT("fair_fairness_complete: -FAIR_EINVAL the clock goes back",
	      fair_fairness_complete(f, 4, &runs, &share));
	FAULT("fair_fairness_complete: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_complete(f, late, &runs, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL nothing",
	      fair_fairness_at(NULL, 5, &runs, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL no job",
	      fair_fairness_at(f, 5, NULL, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL nowhere to write",
	      fair_fairness_at(f, 5, &runs, NULL));
	FAULT("fair_fairness_at: -FAIR_EINVAL it is gone",
	      fair_fairness_at(f, 5, &gone, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL the clock goes back",
	      fair_fairness_at(f, 4, &runs, &share));
	FAULT("fair_fairness_at: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_at(f, late, &runs, &share));
	TEST_EQ(fair_fairness_check(f), 0);
	forget();
	f->requested = (INT64_C(1) << 48) - 1;
	keep(f, sizeof(*f));
	FAULT("fair_fairness_arrive: -FAIR_EOVERFLOW processors",
	      fair_fairness_arrive(f, 5, 1, &new));
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
	FAULT("fair_fairness_init: -FAIR_EINVAL nothing",
	      fair_fairness_init(NULL, n, memory, bytes, 4, 0));
	FAULT("fair_fairness_init: -FAIR_EINVAL a struct of another size",
	      fair_fairness_init(&f, n + 1, memory, bytes, 4, 0));
	FAULT("fair_fairness_init: -FAIR_EINVAL no memory",
	      fair_fairness_init(&f, n, NULL, bytes, 4, 0));
	FAULT("fair_fairness_init: -FAIR_EINVAL no processor",
	      fair_fairness_init(&f, n, memory, bytes, 0, 0));
	TEST_EQ(fair_fairness_size(0), 0);
	TEST_EQ(fair_fairness_size(-1), 0);
	FAULT("fair_fairness_init: -FAIR_ENOMEM one byte less",
	      fair_fairness_init(&f, n, memory, bytes - 1, 4, 0));
	forget();
	TEST_EQ(fair_fairness_init(&f, n, memory, bytes, 4, 0), 0);
	fairness_jobs(&f, memory, bytes);
	fairness_means();
	leave();
}
