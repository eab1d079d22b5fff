/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/relshare.h"

int alone(void)
{
	struct fair_relshare_config config = { 0, 0, 0, false, 0, 0, 0, false, false };
	static uint64_t memory[256];
	struct fair_relshare r;
	uint64_t whole = 0;

	config.users = 2;
	config.jobs = 4;
	config.procs = 10;
	config.window = 1000;
	if (!fair_relshare_size(&config) ||
	    fair_relshare_size(&config) > sizeof(memory))
		return __LINE__;
	if (fair_relshare_init(&r, sizeof(r), memory, sizeof(memory), &config))
		return __LINE__;
	if (fair_relshare_submit(&r, 0, 0, 0, 3) ||
	    fair_relshare_submit(&r, 0, 1, 1, 20) ||
	    fair_relshare_start(&r, 0, 0, 60))
		return __LINE__;
	if (fair_relshare_entitlement(&r, 1, 100, &whole, NULL) || whole != 700)
		return __LINE__;
	if (fair_relshare_advance(&r, 1) ||
	    fair_relshare_compare(&r, 0, 1, NULL) != 1)
		return __LINE__;
	return fair_relshare_check(&r) ? __LINE__ : 0;
}
