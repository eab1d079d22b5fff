/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/backfill.h"

int alone(void)
{
	static uint64_t memory[4096], ends_memory[4096];
	static const struct fair_queued ends[1] = { { { 100, 1 }, 100, 4, 0, 0, 0 } };
	struct fair_queued job[2] = {
		{ { 0, 0 }, 100, 9, 0, 0, 0 },
		{ { 0, 1 }, 100, 4, 0, 0, 0 },
	};
	struct fair_queue running;
	struct fair_iteration it = { 0, &running, NULL };
	struct fair_backfill b;
	uint32_t slot;

	if (!fair_easy_may_backfill(100, 4, 8, 200, 0))
		return __LINE__;
	if (fair_queue_init(&running, sizeof(running), ends_memory,
			    sizeof(ends_memory), 1, ends, sizeof(ends[0])))
		return __LINE__;
	if (fair_backfill_size(1, false, 2) > sizeof(memory))
		return __LINE__;
	if (fair_backfill_init(&b, sizeof(b), memory, sizeof(memory), 1, false,
			       2, job, sizeof(job[0]), 8, 0))
		return __LINE__;
	if (fair_backfill_submit(&b, 0) || fair_backfill_submit(&b, 1))
		return __LINE__;
	if (!fair_backfill_due(&b, &it, &slot) || slot != 1)
		return __LINE__;
	if (fair_queue_insert(&running, 0) || fair_backfill_check(&b, &running))
		return __LINE__;
	return fair_backfill_due(&b, &it, &slot) ? __LINE__ : 0;
}
