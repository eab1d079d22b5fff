/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/sfs.h"

int alone(void)
{
	static uint64_t memory[64];
	struct fair_sfs_allocation grant = { 10, 1, 2, 1 };
	struct fair_sfs s;
	int64_t target;

	if (fair_sfs_target(&grant, &target) || target != 20)
		return __LINE__;
	if (fair_sfs_init(&s, sizeof(s), memory, sizeof(memory), 2))
		return __LINE__;
	if (fair_sfs_set_target(&s, 0, target) || fair_sfs_start(&s, 1, 1))
		return __LINE__;
	if (!fair_sfs_gate(&s, 0) || fair_sfs_gate(&s, 1) || fair_sfs_check(&s))
		return __LINE__;
	return 0;
}
