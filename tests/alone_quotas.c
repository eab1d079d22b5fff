/* SPDX-License-Identifier: MIT OR Unlicense */
#include "quotas.h"

int alone(void)
{
	const struct fair_quotas_of of = { 0, 7, 0, 4 };
	static uint64_t memory[256];
	struct fair_quotas l;

	if (fair_quotas_size(1, 1, 2, 1) > sizeof(memory))
		return __LINE__;
	if (fair_quotas_init(&l, sizeof(l), memory, sizeof(memory), 1, 1, 2,
			     1))
		return __LINE__;
	if (fair_quotas_set(&l, 0, FAIR_QUOTAS_EACH, 6))
		return __LINE__;
	fair_quotas_join(&l, 0, &of, 1);
	fair_quotas_join(&l, 1, &of, 1);
	fair_quotas_hold(&l, 0, 0, 24);
	if (fair_quotas_check(&l))
		return __LINE__;
	return fair_quotas_earliest(&l, 1, 0, 30, INT64_MAX) == 24 ? 0
								    : __LINE__;
}
