/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A name that is none.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/leaf_faults.h"

TEST(no_names)
{
	FAULT(fair_policy_by_name("fair"), ENOENT, "no policy");
	FAULT(fair_policy_by_name(NULL), EINVAL, "nothing");
	FAULT(fair_order_by_name("two"), ENOENT, "the begin of a name");
	FAULT(fair_order_by_name(NULL), EINVAL, "nothing");
	FAULT(fair_state_by_name("queued "), ENOENT, "more than a name");
	FAULT(fair_state_by_name(NULL), EINVAL, "nothing");
	FAULT(fair_cause_by_name(""), ENOENT, "no cause");
	FAULT(fair_cause_by_name(NULL), EINVAL, "nothing");
	FAULT(fair_reason_by_name("unknown"), ENOENT, "no reason");
	FAULT(fair_reason_by_name(NULL), EINVAL, "nothing");
}
