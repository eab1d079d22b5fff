/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/fairness.h"

int alone(void)
{
	static uint64_t memory[64];
	struct fair_fairness_mean mean = { { 0, 0 }, 0 };
	struct fair_fairness_job a, b;
	struct fair_fairness_share share;
	struct fair_fairness f;

	if (fair_fairness_init(&f, sizeof(f), memory, sizeof(memory), 10, 0))
		return __LINE__;
	if (fair_fairness_arrive(&f, 0, 8, &a) ||
	    fair_fairness_arrive(&f, 0, 2, &b))
		return __LINE__;
	if (fair_fairness_start(&f, 0, &a) ||
	    fair_fairness_complete(&f, 10, &a, &share))
		return __LINE__;
	if (share.unweighted.whole != 40 || share.used != 80)
		return __LINE__;
	if (fair_fairness_mean_add_delay(&mean, 9, 5) || mean.sum.whole != 4)
		return __LINE__;
	return fair_fairness_check(&f) ? __LINE__ : 0;
}
