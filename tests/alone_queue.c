/* SPDX-License-Identifier: MIT OR Unlicense */
#include "queue.h"

int alone(void)
{
	static uint64_t memory[4096];
	static const struct fair_queued jobs[2] = {
		{ { 5, 0 }, 10, 8, 0, 0, 0 },
		{ { 4, 1 }, 10, 2, 0, 0, 0 },
	};
	struct fair_queue_place at = { 0, 0 };
	struct fair_queue q;

	if (fair_queue_size(2) > sizeof(memory))
		return __LINE__;
	if (fair_queue_init(&q, sizeof(q), memory, sizeof(memory), 2, jobs,
			    sizeof(jobs[0])))
		return __LINE__;
	if (fair_queue_insert(&q, 0) || fair_queue_insert(&q, 1))
		return __LINE__;
	if (fair_queue_check(&q) || fair_queue_slot(&q, at) != 1)
		return __LINE__;
	if (fair_queue_remove(&q, 1) || fair_queue_slot(&q, at) != 0)
		return __LINE__;
	return fair_queue_next_fitting(&q, &at, 7) ? __LINE__ : 0;
}
