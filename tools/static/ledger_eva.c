/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * For frama-c: ledgers of 4 entities, with whatever is charged, held and asked.
 * It is told that the memory is at an address, so that the slack is a number,
 * and gets functions that it knows for the compiler's own.
 */
#include <string.h>

#define FAIR_MEMCPY memcpy
#define FAIR_MEMMOVE memmove
#define FAIR_MEMSET memset
#define FAIR_NO_INT128
#define FAIR_ASSERT(x) ((void)0)
#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"
#include "__fc_builtin.h"

enum { ENTITIES = 4, DEPTH = 2, CALLS = 3 };

static uint64_t any(void)
{
	return Frama_C_unsigned_long_long_interval(0, UINT64_MAX);
}

static int64_t any_signed(void)
{
	return (int64_t)any();
}

static void use(struct fair_usage *u)
{
	uint64_t whole, fraction;
	int64_t points;
	int i;

	for (i = 0; i < CALLS; i++) {
		(void)fair_usage_charge(u, (uint32_t)any(), any_signed(),
					any_signed(), any_signed());
		(void)fair_usage_charge_provisional(u, (uint32_t)any(), any_signed(),
				      any_signed());
		(void)fair_usage_charge_final(u, (uint32_t)any(), any_signed(),
					any_signed(), any_signed(),
					any_signed());
		(void)fair_usage_cancel_provisional(u, (uint32_t)any(), any_signed(),
					 any_signed());
		(void)fair_usage_at(u, (uint32_t)any(), any_signed(), &whole,
				    &fraction);
		(void)fair_usage_share(u, (uint32_t)any(), any_signed(),
				       &points);
	}
}

int main(void)
{
	struct fair_usage u;

#ifdef WINDOWS
	if (fair_usage_init_windows(&u, sizeof(u), (void *)BEGIN,
				    END + 1 - BEGIN, ENTITIES, 1, 1, DEPTH,
				    3600, FAIR_USAGE_ONE / 2))
		return 1;
#else
	if (fair_usage_init_half_life(&u, sizeof(u), (void *)BEGIN,
				      END + 1 - BEGIN, ENTITIES, 1, 1, 3600))
		return 1;
#endif
	use(&u);
	return 0;
}
