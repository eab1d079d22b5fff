/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fuzz.h - turns bytes into operations
 *
 * A fuzzer defines LLVMFuzzerTestOneInput(). It reads its input by struct
 * fuzz_in, which returns zeros after the end of the input, so loops ask
 * fuzz_more(). At most one argument or operand of an expression reads, so that
 * an input means the same to every compiler.
 *
 *	struct fuzz_in in = { data, size };
 *
 *	while (fuzz_more(&in)) {
 *		int64_t t = fuzz_range(&in, -5, 1000);
 *		...
 *		FUZZ_ASSERT(ours == models);
 *	}
 */
#ifndef FAIR_FUZZ_H
#define FAIR_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assert that NDEBUG does not disable. */
#define FUZZ_ASSERT(cond)                                           \
	((cond) ? (void)0                                           \
		: (fprintf(stderr, "%s:%d: FUZZ_ASSERT(%s)\n",      \
			   __FILE__, __LINE__, #cond),              \
		   abort()))

struct fuzz_in {
	const uint8_t *p;
	size_t n;
};

static inline bool fuzz_more(const struct fuzz_in *in)
{
	return in->n > 0;
}

static inline uint8_t fuzz_u8(struct fuzz_in *in)
{
	if (!in->n)
		return 0;
	in->n--;
	return *in->p++;
}

static inline uint16_t fuzz_u16(struct fuzz_in *in)
{
	unsigned int low = fuzz_u8(in);

	return (uint16_t)(low | (unsigned int)fuzz_u8(in) << 8);
}

static inline uint32_t fuzz_u32(struct fuzz_in *in)
{
	uint32_t low = fuzz_u16(in);

	return low | (uint32_t)fuzz_u16(in) << 16;
}

static inline uint64_t fuzz_u64(struct fuzz_in *in)
{
	uint64_t low = fuzz_u32(in);

	return low | (uint64_t)fuzz_u32(in) << 32;
}

/* Draws from [lo, hi]; reads no more bytes than the range needs. */
static inline int64_t fuzz_range(struct fuzz_in *in, int64_t lo, int64_t hi)
{
	uint64_t span = (uint64_t)hi - (uint64_t)lo;
	uint64_t r;

	if (span <= UINT8_MAX)
		r = fuzz_u8(in);
	else if (span <= UINT16_MAX)
		r = fuzz_u16(in);
	else if (span <= UINT32_MAX)
		r = fuzz_u32(in);
	else
		r = fuzz_u64(in);
	if (span < UINT64_MAX)
		r %= span + 1;
	return (int64_t)((uint64_t)lo + r);
}

#endif /* FAIR_FUZZ_H */
