/* SPDX-License-Identifier: MIT OR Unlicense */
/* For frama-c: sizes and bits of profile.h, whatever is asked. */
#define FAIR_PROFILE_PORTABLE
#define FAIR_ASSERT(x) ((void)0)
#define FAIR_PROFILE_IMPLEMENTATION
#include "profile.h"
#include "__fc_builtin.h"

static uint64_t any(void)
{
	return Frama_C_unsigned_long_long_interval(0, UINT64_MAX);
}

int main(void)
{
	int32_t number[16], procs = Frama_C_interval(1, INT32_MAX);
	size_t i;

	for (i = 0; i < 16; i++)
		number[i] = Frama_C_interval(INT32_MIN, INT32_MAX);
	(void)fair_profile_size(any());
	(void)fair_profile_spans(any());
	(void)fair_profile_below(any());
	(void)fair_profile_gt16(number, procs);
	(void)fair_profile_until(any() | 1);
	return 0;
}
