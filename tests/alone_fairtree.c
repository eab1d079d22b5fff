/* SPDX-License-Identifier: MIT OR Unlicense */
#include "policies/fairtree.h"

int alone(void)
{
	static uint64_t memory[512];
	struct fair_fairtree f;

	if (fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), 4, 100))
		return __LINE__;
	if (fair_fairtree_add_account(&f, 0, FAIR_FAIRTREE_ROOT, 1) ||
	    fair_fairtree_add_user(&f, 1, 0, 1) ||
	    fair_fairtree_add_user(&f, 2, FAIR_FAIRTREE_ROOT, 1))
		return __LINE__;
	if (fair_fairtree_set_waiting(&f, 1, true) ||
	    fair_fairtree_set_waiting(&f, 2, true) ||
	    fair_fairtree_charge(&f, 1, 0, 10, 4))
		return __LINE__;
	if (fair_fairtree_next(&f) != 2)
		return __LINE__;
	return fair_fairtree_check(&f) ? __LINE__ : 0;
}
