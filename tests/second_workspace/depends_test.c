/* SPDX-License-Identifier: MIT OR Unlicense */
/* Another project that takes two of the headers. */
#include <stdlib.h>

#define FAIRSCHED_IMPLEMENTATION
#include "profile.h"
#include "policies/penalty.h"

int main(void)
{
	size_t bytes = fair_profile_size(3);
	void *memory = malloc(bytes);
	struct fair_profile p;
	int64_t start = 0;
	int failed = fair_profile_init(&p, sizeof(p), memory, bytes, 4, 0) ||
		     fair_profile_reserve(&p, 0, 60, 4) ||
		     fair_profile_earliest_start(&p, 0, 60, 1, &start) ||
		     start != 60 || fair_penalty_size(1, 1) == 0;

	free(memory);
	return failed;
}
