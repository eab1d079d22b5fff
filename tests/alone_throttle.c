/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/throttle.h"

int alone(void)
{
	static uint64_t memory[64], other[64];
	const uint32_t count[FAIR_THROTTLE_KINDS] = { 1, 0, 0, 0, 0 };
	struct fair_throttle_job job = {
		{ 0, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE,
		  FAIR_THROTTLE_NONE },
		0,
		4,
		1,
		0
	};
	struct fair_throttle_violation why;
	struct fair_throttle t, copy;
	int64_t used;

	if (fair_throttle_size(count) > sizeof(memory))
		return __LINE__;
	if (fair_throttle_init(&t, sizeof(t), memory, sizeof(memory), count,
			       0) ||
	    fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, FAIR_THROTTLE_ALL,
				FAIR_THROTTLE_PROCS, 4, 8))
		return __LINE__;
	if (fair_throttle_charge(&t, 0, &job, 10) ||
	    fair_throttle_change_end(&t, &job, 10, 20) ||
	    fair_throttle_clone(&copy, other, sizeof(other), &t))
		return __LINE__;
	if (fair_throttle_test(&copy, 0, &job, 1, FAIR_THROTTLE_SOFT, &why) !=
		    1 ||
	    why.limit != 4 ||
	    fair_throttle_test_empty(&t, &job, 1, FAIR_THROTTLE_HARD, &why))
		return __LINE__;
	if (fair_throttle_used(&t, 15, FAIR_THROTTLE_USER, 0,
			       FAIR_THROTTLE_PROC_SECONDS, &used) ||
	    used != 20 || fair_throttle_release(&t, &job, 20))
		return __LINE__;
	return fair_throttle_check(&t) ? __LINE__ : 0;
}
