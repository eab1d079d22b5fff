/* SPDX-License-Identifier: MIT OR Unlicense */
#include "nodes.h"

int alone(void)
{
	static uint64_t memory[8192];
	const int32_t count[] = { 2 }, amount[] = { 4 }, three[] = { 3 };
	struct fair_nodes_config config = { 1, 1,      0,    0,
					    count, amount, false };
	struct fair_nodes_request request = { three, 2, 0, false, false,
					      0,     0, NULL, 0 };
	struct fair_nodes n;
	int64_t start;

	if (fair_nodes_size(&config, 2, 8) > sizeof(memory))
		return __LINE__;
	if (fair_nodes_init(&n, sizeof(n), memory, sizeof(memory), &config, 2,
			    8, 0))
		return __LINE__;
	if (fair_nodes_set_job(&n, 0, &request) ||
	    fair_nodes_choose(&n, 0, 0, 100) ||
	    fair_nodes_reserve(&n, 0, 0, 100))
		return __LINE__;
	request.chunks = 1;
	if (fair_nodes_set_job(&n, 1, &request) ||
	    fair_nodes_earliest_start(&n, 1, 0, 10, &start) || start != 100)
		return __LINE__;
	if (fair_nodes_advance(&n, 50) || fair_nodes_check(&n))
		return __LINE__;
	return 0;
}
