/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * machine_fuzz.c - several resources and node classes, against a list of
 * vectors; see machine_pair.h. Two runs have one digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_MACHINE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "fuzz/machine_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = machine_pair_run(data, size);

	FUZZ_ASSERT(machine_pair_run(data, size) == digest);
	return 0;
}
