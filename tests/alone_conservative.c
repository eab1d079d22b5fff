/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/conservative.h"

int alone(void)
{
	static uint64_t memory[4096];
	struct fair_queued job[2] = {
		{ { 0, 0 }, 100, 5, 0, 0, 0 },
		{ { 0, 1 }, 100, 4, 0, 0, 0 },
	};
	struct fair_conservative c;
	uint32_t slot;

	if (fair_conservative_size(FAIR_COMPRESS, 2, 2) > sizeof(memory))
		return __LINE__;
	if (fair_conservative_init(&c, sizeof(c), memory, sizeof(memory),
				   FAIR_COMPRESS, 2, 2, job, sizeof(job[0]), 8,
				   0))
		return __LINE__;
	if (fair_conservative_submit(&c, 0, 0, 0, NULL) ||
	    fair_conservative_submit(&c, 0, 1, 0, NULL))
		return __LINE__;
	if (!fair_conservative_due(&c, 0, &slot, NULL) || slot != 0)
		return __LINE__;
	if (fair_conservative_due(&c, 0, &slot, NULL) ||
	    fair_conservative_next(&c) != 100)
		return __LINE__;
	return fair_conservative_check(&c) ? __LINE__ : 0;
}
