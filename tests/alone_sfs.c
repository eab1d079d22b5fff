/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/sfs.h"

static int look(void *context, size_t job, int32_t procs, bool may_reserve)
{
	int32_t *free_procs = (int32_t *)context;

	(void)job;
	(void)may_reserve;
	if (procs > *free_procs)
		return FAIR_SFS_NEITHER;
	*free_procs -= procs;
	return FAIR_SFS_STARTED;
}

int alone(void)
{
	static uint64_t memory[64];
	struct fair_sfs_allocation grant = { 10, 1, 2, 1 };
	struct fair_sfs_job queue[2] = { { 1, 5, 0, 0 }, { 0, 5, 0, 0 } };
	int32_t free_procs = 7;
	struct fair_sfs s;
	int64_t target;

	if (fair_sfs_target(&grant, &target) || target != 20)
		return __LINE__;
	if (fair_sfs_init(&s, sizeof(s), memory, sizeof(memory), 2))
		return __LINE__;
	if (fair_sfs_set_target(&s, 0, target) || fair_sfs_start(&s, 1, 1))
		return __LINE__;
	if (fair_sfs_plan(&s, queue, 2, 0, look, &free_procs))
		return __LINE__;
	if (queue[0].answer != FAIR_SFS_NEITHER || queue[1].pass != 1)
		return __LINE__;
	if (!fair_sfs_gate(&s, 0) || fair_sfs_gate(&s, 1) || fair_sfs_check(&s))
		return __LINE__;
	return 0;
}
