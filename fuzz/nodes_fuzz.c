/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes_fuzz.c - jobs on nodes, against a list of all that was ever taken; see
 * nodes_pair.h. Two runs have one digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_NODES_EVENTS 3
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "fuzz/nodes_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = nodes_pair_run(data, size);

	FUZZ_ASSERT(nodes_pair_run(data, size) == digest);
	return 0;
}
