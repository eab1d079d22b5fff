/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * selective_fuzz.c - the planner of docs/POLICY.md against its model: see
 * selective_pair.h. Each input runs twice, with the same decisions.
 */
#define FAIRSCHED_STATIC
#include "selective_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = selective_pair_run(data, size);

	FUZZ_ASSERT(selective_pair_run(data, size) == digest);
	return 0;
}
