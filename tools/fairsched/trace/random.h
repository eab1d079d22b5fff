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

/* A number that depends on all bits of both. */
static inline uint64_t random_hash(uint64_t a, uint64_t b)
{
	uint64_t state = a;

	state = random_bits(&state) ^ b;
	return random_bits(&state);
}

/* log2(@x) * 2^32 of @x > 0, rounded down: a bit for each squaring. */
static inline uint64_t random_log2(uint64_t x)
{
	uint64_t log = 63, i;

	for (; !(x >> 63); x <<= 1)
		log--;
	x >>= 32; /* in [1, 2), times 2^31 */
	for (i = 0; i < 32; i++) {
		x = x * x >> 31;
		log = log << 1 | x >> 32;
		x >>= x >> 32;
	}
	return log;
}

#define RANDOM_MEAN (INT64_C(1) << 31) /* at most */

/* Exponential, whole seconds, at least 1. Integers only. */
static inline int64_t random_seconds(uint64_t *state, int64_t mean)
{
	const uint64_t ln2 = UINT64_C(2977044472); /* times 2^32 */
	uint64_t bits = random_bits(state) | 1;
	uint64_t log = (UINT64_C(64) << 32) - random_log2(bits);

	/* 2^26 times -ln(bits / 2^64): below 2^32 */
	log = (log >> 6) * ln2 >> 32;
	return 1 + (int64_t)(log * (uint64_t)mean >> 26);
}

#endif /* RANDOM_H */
