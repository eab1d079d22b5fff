/* SPDX-License-Identifier: MIT OR Unlicense */
/* For frama-c: the arithmetic of usage.h, whatever it is given. */
#define FAIR_NO_INT128
#define FAIR_ASSERT(x) ((void)0)
#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"
#include "__fc_builtin.h"

static uint64_t any(void)
{
	return Frama_C_unsigned_long_long_interval(0, UINT64_MAX);
}

static struct fair_usage_fixed any_fixed(void)
{
	struct fair_usage_fixed a;

	a.whole = any();
	a.fraction = any();
	return a;
}

int main(void)
{
	struct fair_usage_fixed a = any_fixed(), b = any_fixed();
	uint64_t low;

	(void)fair_multiply(any(), any());
	(void)fair_usage_add(a, b);
	(void)fair_usage_sub(a, b);
	(void)fair_usage_is_less(a, b);
	(void)fair_usage_shift(a, any());
	(void)fair_usage_scale(a, any());
	(void)fair_usage_times(&a, any());
	(void)fair_usage_product((int64_t)(any() >> 1), (int64_t)(any() >> 1),
				 &low);
	(void)fair_usage_size((uint32_t)any(), (uint32_t)any(),
			      (uint32_t)any());
	return 0;
}
