/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * For frama-c: an empty profile with small leaves, and what is asked of it,
 * whatever that is. Memory and its functions as in ledger_eva.c.
 */
#include <string.h>

#define FAIR_MEMCPY memcpy
#define FAIR_MEMMOVE memmove
#define FAIR_MEMSET memset
#define FAIR_PROFILE_PORTABLE
#define FAIR_PROFILE_LEAF_MAX 4
#define FAIR_PROFILE_CHUNK_MAX 2
#define FAIR_PROFILE_FLAT 2
#define FAIR_ASSERT(x) ((void)0)
#define FAIR_PROFILE_IMPLEMENTATION
#include "profile.h"
#include "__fc_builtin.h"

static int64_t any(void)
{
	return (int64_t)Frama_C_unsigned_long_long_interval(0, UINT64_MAX);
}

int main(void)
{
	struct fair_profile p;
	int64_t start;
	int32_t least;

	if (fair_profile_init(&p, sizeof(p), (void *)BEGIN, END + 1 - BEGIN, 8,
			      0))
		return 1;
	(void)fair_profile_min_free(&p, any(), any(), &least);
	(void)fair_profile_earliest_start(&p, any(), any(), (int32_t)any(),
					  &start);
	return 0;
}
