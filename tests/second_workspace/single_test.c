/* SPDX-License-Identifier: MIT OR Unlicense */
/* Another project that takes the single file. */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

int main(void)
{
	struct fair_config config = { 0 };

	config.procs = 8;
	config.jobs = 100;
	return fair_sched_size(&config) == 0;
}
