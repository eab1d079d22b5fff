/* SPDX-License-Identifier: MIT OR Unlicense */
#include "profile.h"

int alone(void)
{
	static uint64_t memory[4096];
	struct fair_profile p;
	int64_t start;
	int32_t idle;

	if (fair_profile_size(16) > sizeof(memory))
		return __LINE__;
	if (fair_profile_init(&p, sizeof(p), memory, sizeof(memory), 8, 0))
		return __LINE__;
	if (fair_profile_reserve(&p, 0, 100, 5))
		return __LINE__;
	if (fair_profile_earliest_start(&p, 0, 10, 4, &start) || start != 100)
		return __LINE__;
	if (fair_profile_min_free(&p, 0, 200, &idle) || idle != 3)
		return __LINE__;
	if (fair_profile_advance(&p, 50) || fair_profile_check(&p))
		return __LINE__;
	return 0;
}
