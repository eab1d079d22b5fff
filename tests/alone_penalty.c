/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/penalty.h"

int alone(void)
{
	static uint64_t memory[4096];
	static const int64_t node[2] = { 8, 16 }, request[2] = { 1, 12 };
	struct fair_penalty_class nodes = { 1, FAIR_PENALTY_ONE,
					    FAIR_PENALTY_ONE, 0, node };
	struct fair_penalty_chunk job = { 1, 0, 0, 0, 0, request };
	struct fair_penalty_machine m;
	int64_t penalty;

	if (fair_penalty_size(1, 2) > sizeof(memory))
		return __LINE__;
	if (fair_penalty_init(&m, sizeof(m), memory, sizeof(memory), &nodes, 1,
			      2, NULL))
		return __LINE__;
	if (fair_penalty(&m, &job, 1, FAIR_PENALTY_ONE, &penalty))
		return __LINE__;
	if (penalty != 6 * FAIR_PENALTY_ONE || fair_penalty_check(&m))
		return __LINE__;
	return 0;
}
