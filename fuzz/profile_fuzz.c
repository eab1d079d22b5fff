/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_fuzz.c - the profile, with small leaves and chunks, against an
 * interval list; see profile_pair.h. Two runs have one digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_PROFILE_IMPLEMENTATION
#define FAIR_PROFILE_LEAF_MAX 8
#define FAIR_PROFILE_CHUNK_MAX 4
#define FAIR_PROFILE_FLAT 2
#include "fuzz/profile_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = profile_pair_run(data, size);

	FUZZ_ASSERT(profile_pair_run(data, size) == digest);
	return 0;
}
