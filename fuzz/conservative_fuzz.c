/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative, pc and dc against the naive model: the same reservations after
 * each event, no promise later without a cause, no processor promised twice,
 * every job starts in the end. Twice, with one digest.
 */
/* So small that few jobs reach every path. */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_LOWS 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/sched_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = pair_run(data, size, FAIR_CONSERVATIVE, true);

	FUZZ_ASSERT(digest == pair_run(data, size, FAIR_CONSERVATIVE, true));
	return 0;
}
