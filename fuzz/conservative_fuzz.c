/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative_fuzz.c - conservative, pc and dc against the naive model
 *
 * After each event both have the same reservations; no promise is delayed
 * without a cause, no processor is promised twice, and every job starts in the
 * end. Two runs have one digest.
 */
/* Small enough that few jobs reach every path. */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/sched_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = pair_run(data, size, FAIR_CONSERVATIVE, true, false);

	FUZZ_ASSERT(digest ==
		    pair_run(data, size, FAIR_CONSERVATIVE, true, false));
	(void)pair_run(data, size, FAIR_CONSERVATIVE, true, true);
	return 0;
}
