/* SPDX-License-Identifier: MIT OR Unlicense */
/* random.h - random numbers that are the same everywhere: Splitmix64 [SLF14] */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* In (0, 1), never an end. */
static inline double random_uniform(uint64_t *state)
{
	return ((double)(random_bits(state) >> 12) + 0.5) * 0x1p-52;
}

#endif /* RANDOM_H */
