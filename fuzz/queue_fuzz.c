/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * queue_fuzz.c - the queue against a sorted array; see queue_pair.h
 *
 * Blocks are small, so that few bytes split and join many of them. Two runs
 * have one digest.
 */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_QUEUE_IMPLEMENTATION
#include "fuzz/queue_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t hash = queue_pair_run(data, size, 120);

	FUZZ_ASSERT(hash == queue_pair_run(data, size, 120));
	return 0;
}
