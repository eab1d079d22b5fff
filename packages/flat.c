/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * flat.c - flat_call() of flat.h as the only function, for Go and WebAssembly
 */
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#define FLAT_API static
#include "fairsched.h"
#include "replay.h"
#include "flat.h"

#ifdef __wasm__
__attribute__((export_name("call")))
#endif
int64_t fairsched_call(int64_t function, const int64_t *argument);

int64_t fairsched_call(int64_t function, const int64_t *argument)
{
	return flat_call(function, argument);
}

#ifdef __wasm__
/* What the compiler calls, and no C library brings. */
int memcmp(const void *a, const void *b, size_t n);

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = (const unsigned char *)a;
	const unsigned char *y = (const unsigned char *)b;

	for (; n--; x++, y++)
		if (*x != *y)
			return *x < *y ? -1 : 1;
	return 0;
}
#endif
