/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_fuzz.c - every policy, order and event against the naive model
 *
 * See sched_pair.h. A clone gets the same events; two runs have one digest.
 */
/* Small enough that few jobs reach every path. */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/sched_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = pair_run(data, size, FAIR_FCFS, true, false);

	FUZZ_ASSERT(digest == pair_run(data, size, FAIR_FCFS, true, false));
	(void)pair_run(data, size, FAIR_FCFS, true, true);
	return 0;
}
