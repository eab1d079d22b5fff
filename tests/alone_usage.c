/* SPDX-License-Identifier: MIT OR Unlicense */
#include "usage.h"

int alone(void)
{
	static uint64_t memory[4096];
	struct fair_usage u;
	int64_t points;

	if (fair_usage_size(10, 0, 1) > sizeof(memory))
		return __LINE__;
	if (fair_usage_init_half_life(&u, sizeof(u), memory, sizeof(memory), 10,
				      1, 1, 7 * 86400))
		return __LINE__;
	if (fair_usage_charge_provisional(&u, 3, 64, 100))
		return __LINE__;
	if (fair_usage_charge_final(&u, 3, 64, 100, 0, 100))
		return __LINE__;
	if (fair_usage_charge(&u, 4, 0, 100, 192))
		return __LINE__;
	if (fair_usage_share(&u, 3, 200, &points) ||
	    points != 25 * FAIR_USAGE_POINT)
		return __LINE__;
	return fair_usage_check(&u) ? __LINE__ : 0;
}
