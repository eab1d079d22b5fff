/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that queue.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "queue.h"
#include "leaf_faults.h"

TEST(queue)
{
	enum { JOBS = 3 };
	size_t bytes = fair_queue_size(JOBS), n = sizeof(struct fair_queue);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_queued job[JOBS + 2];
	struct fair_queue q, copy;
	uint32_t i;

	memset(job, 0, sizeof(job));
	for (i = 0; i < JOBS + 2; i++) {
		job[i].rank.number = i;
		job[i].walltime = job[i].procs = 1;
	}
	memset(&q, FILL, n);
	memset(&copy, FILL, n);
	keep(&q, n);
	keep(memory, bytes);
	FAULT("fair_queue_init: -FAIR_EINVAL no queue",
	      fair_queue_init(NULL, n, memory, bytes, JOBS, job, 40));
	FAULT("fair_queue_init: -FAIR_EINVAL a struct of another size",
	      fair_queue_init(&q, n + 1, memory, bytes, JOBS, job, 40));
	FAULT("fair_queue_init: -FAIR_EINVAL no memory",
	      fair_queue_init(&q, n, NULL, bytes, JOBS, job, 40));
	FAULT("fair_queue_init: -FAIR_EINVAL no array",
	      fair_queue_init(&q, n, memory, bytes, JOBS, NULL, 40));
	FAULT("fair_queue_init: -FAIR_EINVAL elements too small",
	      fair_queue_init(&q, n, memory, bytes, JOBS, job, 39));
	FAULT("fair_queue_init: -FAIR_ENOMEM one byte less",
	      fair_queue_init(&q, n, memory, bytes - 1, JOBS, job, 40));
	forget();
	TEST_EQ(fair_queue_init(&q, n, memory, bytes, JOBS, job, 40), 0);
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(fair_queue_insert(&q, 1), 0);
	job[3] = job[1];
	keep(&q, n);
	keep(memory, bytes);
	FAULT("fair_queue_insert: -FAIR_EINVAL queued",
	      fair_queue_insert(&q, 1));
	FAULT("fair_queue_insert: -FAIR_EINVAL its rank is taken",
	      fair_queue_insert(&q, 3));
	FAULT("fair_queue_remove: -FAIR_EINVAL not queued",
	      fair_queue_remove(&q, 2));
	FAULT("fair_queue_remove: -FAIR_EINVAL another has its rank",
	      fair_queue_remove(&q, 3));
	FAULT("fair_queue_update: -FAIR_EINVAL not queued",
	      fair_queue_update(&q, 2));
	FAULT("fair_queue_update: -FAIR_EINVAL another has its rank",
	      fair_queue_update(&q, 3));
	forget();
	TEST_EQ(fair_queue_insert(&q, 2), 0);
	TEST_OK(fair_queue_init(&copy, n, other, fair_queue_size(JOBS - 1),
				JOBS - 1, job, 40));
	keep(&q, n);
	keep(memory, bytes);
	keep(&copy, n);
	keep(other, bytes);
	FAULT("fair_queue_insert: -FAIR_ENOSPC one too many",
	      fair_queue_insert(&q, 4));
	FAULT("fair_queue_clone: -FAIR_ENOSPC fewer jobs",
	      fair_queue_clone(&copy, &q, NULL));
	FAULT("fair_queue_clone: -FAIR_ENOSPC not empty",
	      fair_queue_clone(&q, &q, NULL));
	TEST_EQ(fair_queue_check(&q), 0);
	leave();
}
