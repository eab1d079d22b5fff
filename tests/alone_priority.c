/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/priority.h"

int alone(void)
{
	struct fair_priority_config config = fair_priority_defaults();
	struct fair_priority_amounts machine = { 1, 8, 16, 0, 0 };
	struct fair_priority_amounts request = { 1, 1, 4, 0, 0 };
	static struct fair_priority_job job;
	struct fair_priority_parts parts;

	if (fair_priority_pe(&request, &machine, &job.pe))
		return __LINE__;
	config.component_weight[FAIR_PRIORITY_RESOURCE] = 100;
	config.weight[FAIR_PRIORITY_PE] = 1;
	job.wait = 60;
	job.walltime = 60;
	if (fair_priority(&config, &job, &parts))
		return __LINE__;
	if (parts.priority != 201 * FAIR_PRIORITY_ONE)
		return __LINE__;
	if (*fair_priority_part_name(FAIR_PRIORITY_PE) != 'p' ||
	    *fair_priority_component_name(FAIR_PRIORITY_TARGET) != 't')
		return __LINE__;
	return 0;
}
