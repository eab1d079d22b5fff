/* SPDX-License-Identifier: MIT OR Unlicense */
#include "space.h"

int alone(void)
{
	struct fair_queued job[2] = {
		{ { 0, 1 }, 100, 3, 0, 0, 0 },
		{ { 0, 2 }, 50, 2, 0, 0, 0 },
	};
	static uint64_t memory[1024];
	struct fair_space space;
	uint32_t slot;

	if (fair_space_init(&space, sizeof(space), memory, sizeof(memory), 4,
			    0))
		return __LINE__;
	for (slot = 0; slot < 2; slot++) {
		job[slot].rank.key =
			fair_space_earliest(&space, slot, job + slot, 0);
		fair_space_reserve(&space, slot, job + slot);
	}
	if (job[0].rank.key != 0 || job[1].rank.key != 100)
		return __LINE__;
	return fair_space_check(&space) ? __LINE__ : 0;
}
