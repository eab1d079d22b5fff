/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_fuzz.c - a scheduler of several resources and node classes, or on
 * nodes, under the policies that have a naive model; see classes_pair.h. Two
 * runs have one digest.
 */
/* Small enough that few jobs reach every path. */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/classes_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t kind = size ? data[0] % CLASSES_PAIR_KINDS : FAIR_FCFS;
	bool events = size && data[0] < 200;
	bool nodes = size && data[0] / CLASSES_PAIR_KINDS % 4 == 3;
	uint64_t digest;

	data += size > 0;
	size -= size > 0;
	digest = classes_pair_run(data, size, kind, events, nodes, false);
	FUZZ_ASSERT(classes_pair_run(data, size, kind, events, nodes, false) ==
		    digest);
	(void)classes_pair_run(data, size, kind, events, false, true);
	return 0;
}
