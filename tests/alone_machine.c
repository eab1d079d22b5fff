/* SPDX-License-Identifier: MIT OR Unlicense */
#include "machine.h"

int alone(void)
{
	static uint64_t memory[16384];
	const int32_t amount[] = { 4, 0, 4, 1 }, gpu[] = { 2, 1 };
	struct fair_machine_config config = { 2, 2, 0, amount };
	struct fair_machine_request request = { gpu, NULL, 0 };
	struct fair_machine m;
	uint32_t node_class;
	int64_t start;

	if (fair_machine_size(&config, 16) > sizeof(memory))
		return __LINE__;
	if (fair_machine_init(&m, sizeof(m), memory, sizeof(memory), &config,
			      0))
		return __LINE__;
	if (fair_machine_reserve(&m, 1, 0, 100, gpu))
		return __LINE__;
	if (fair_machine_earliest_start(&m, 0, 10, &request, &start,
					&node_class) ||
	    start != 100 || node_class != 1)
		return __LINE__;
	if (fair_machine_advance(&m, 50) || fair_machine_check(&m))
		return __LINE__;
	return 0;
}
