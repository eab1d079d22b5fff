/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that queue.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "queue.h"
#include "tests/leaf_faults.h"

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
	FAULT(fair_queue_init(NULL, n, memory, bytes, JOBS, job, 48),
	      EINVAL, "no queue");
	FAULT(fair_queue_init(&q, n + 1, memory, bytes, JOBS, job, 48),
	      EINVAL, "a struct of another size");
	FAULT(fair_queue_init(&q, n, NULL, bytes, JOBS, job, 48),
	      EINVAL, "no memory");
	FAULT(fair_queue_init(&q, n, memory, bytes, JOBS, NULL, 48),
	      EINVAL, "no array");
	FAULT(fair_queue_init(&q, n, memory, bytes, JOBS, job, 47),
	      EINVAL, "elements too small");
	FAULT(fair_queue_init(&q, n, memory, bytes - 1, JOBS, job, 48),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_queue_init(&q, n, memory, bytes, JOBS, job, 48), 0);
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(fair_queue_insert(&q, 1), 0);
	job[3] = job[1];
	keep(&q, n);
	keep(memory, bytes);
	FAULT(fair_queue_insert(&q, 1), EINVAL, "queued");
	FAULT(fair_queue_insert(&q, 3), EINVAL, "its rank is taken");
	FAULT(fair_queue_remove(&q, 2), EINVAL, "not queued");
	FAULT(fair_queue_remove(&q, 3), EINVAL, "another has its rank");
	FAULT(fair_queue_update(&q, 2), EINVAL, "not queued");
	FAULT(fair_queue_update(&q, 3), EINVAL, "another has its rank");
	forget();
	TEST_EQ(fair_queue_insert(&q, 2), 0);
	TEST_OK(fair_queue_init(&copy, n, other, fair_queue_size(JOBS - 1),
				JOBS - 1, job, 48));
	keep(&q, n);
	keep(memory, bytes);
	keep(&copy, n);
	keep(other, bytes);
	FAULT(fair_queue_insert(&q, 4), ENOSPC, "one too many");
	FAULT(fair_queue_clone(&copy, &q, NULL), ENOSPC, "fewer jobs");
	FAULT(fair_queue_clone(&q, &q, NULL), ENOSPC, "not empty");
	TEST_EQ(fair_queue_check(&q), 0);
	bytes = fair_queue_share_size(JOBS);
	FAULT(fair_queue_share(NULL, n, other, bytes, &q), EINVAL, "no queue");
	FAULT(fair_queue_share(&copy, n, NULL, bytes, &q), EINVAL, "no memory");
	FAULT(fair_queue_share(&copy, n, other, bytes, NULL), EINVAL,
	      "nothing to share");
	FAULT(fair_queue_share(&copy, n + 1, other, bytes, &q), EINVAL,
	      "a struct of another size");
	FAULT(fair_queue_share(&copy, n, other, bytes - 1, &q), ENOMEM,
	      "one byte less");
	forget();
	TEST_OK(fair_queue_share(&copy, n, other, bytes, &q));
	TEST_EQ(fair_queue_check(&copy), 0);
	FAULT(fair_queue_share(&q, n, other, bytes, &copy), EINVAL,
	      "they share already");
	leave();
}
