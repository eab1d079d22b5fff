/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairtree_fuzz.c - a tree beside its model: fairtree_pair.h. Two runs have one
 * digest.
 */
#define FAIR_CHECKPOINT_IMPLEMENTATION
#define FAIR_FAIRTREE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "fairtree_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = fairtree_pair_run(data, size);

	FUZZ_ASSERT(fairtree_pair_run(data, size) == digest);
	return 0;
}
